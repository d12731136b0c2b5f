/* child.h - one evaluation as a process: started directly (no shell) in a process group of its own, its output kept,
 * ended with all it started. Nothing here blocks: the worker's loop polls. */
#ifndef CHILD_H
#define CHILD_H

#include <locbo/study.h>
#include <poll.h>
#include <sys/types.h>

#include "status.h"

/* Of a long output the first CHILD_HEAD and the last CHILD_TAIL bytes are kept, with a line "[... N bytes left out
 * ...]" between them. */
enum { CHILD_HEAD = 16 * 1024, CHILD_TAIL = 48 * 1024 };
enum { CHILD_GRACE = 5 }; /* seconds */

typedef struct child child;

typedef enum child_state {
    CHILD_RUNNING,
    CHILD_ENDED /* it has exited and its output was taken; what it left behind in its group was killed */
} child_state;

/* Whether a program could be started: a path, or a name to be found in PATH. The same errors as child_start's, before
 * anything is made for it. */
locbo_status child_find(const char *program, locbo_error *error);

/* Standard input is /dev/null. Signals are as for a fresh program, but SIGUSR1 is ignored. If the program cannot be
 * started the error names it and says why (LOCBO_ERR_NOT_FOUND: no such program or not executable; LOCBO_ERR_IO: no
 * processes, memory, files). If this process dies, the child is killed (PR_SET_PDEATHSIG). `timeout`: seconds,
 * INFINITY: none. `env` NULL: ours. */
locbo_status child_start(child **c, char *const *argv, char *const *env, double timeout, locbo_error *error);
/* The descriptors to poll for reading: returns how many (at most 3: out, err, its exit). */
size_t child_poll_set(const child *c, struct pollfd *set);
/* Take what there is, see whether it has ended, enforce the time-out (SIGTERM to the group, SIGKILL `grace` seconds
 * later). Call when poll returns and at least every 100 ms or so while `child_deadline` is near. A child that has
 * exited is ENDED at once, even if something it started holds its output open. */
child_state child_check(child *c);
/* Seconds until child_check has something to do without input; INFINITY if nothing. */
double child_deadline(const child *c);
/* End it: SIGTERM to the group now, SIGKILL after the grace; `now`: SIGKILL at once. Returns at once. */
void child_end(child *c, int now);
/* Seconds between SIGTERM and SIGKILL from now on; CHILD_GRACE at first. */
void child_set_grace(child *c, double seconds);
/* The outputs that its results have, see result.h; the table must live as long as the child. Without this call there is
 * one output, called "value". Call it before child_check. */
void child_set_outputs(child *c, const locbo_outputs *outputs);
/* The steps that it has printed since the last call, see step_line.h: released with mem_free; NULL if there are none.
 * Of more than CHILD_STEPS that nobody takes every second one is dropped, again and again; the last stays. */
enum { CHILD_STEPS = 256 * 1024, CHILD_MANY_STEPS = 16 * 1024 };
locbo_step *child_take_steps(child *c, size_t *count);
int child_has_steps(const child *c);
int child_has_many_steps(const child *c); /* CHILD_MANY_STEPS: not to wait any longer */
/* The first line that was meant as a step and is none, in CHILD_BAD bytes, shortened; "" if there was none. Asking
 * forgets it, and later ones are not kept. */
enum { CHILD_BAD = 80 };
void child_take_bad_step(child *c, char line[CHILD_BAD]);
int child_timed_out(const child *c);
int child_status(const child *c); /* of waitpid, after ENDED */
int child_unread(
    const child *c); /* errno, if what it printed could not be read to the end: its result may be missing */
double child_seconds(const child *c);
pid_t child_pid(const child *c);
/* What it printed, as kept; belongs to the child. Not terminated; may contain any bytes. */
const char *child_out(const child *c, size_t *size);
const char *child_err(const child *c, size_t *size);
/* The last complete lines of standard output that may be a result, see result.h. Whole lines up to 64 KiB are seen even
 * if they are no longer kept. Fed to result_line as they come. */
const struct result *child_result(const child *c);
/* Ends it (SIGKILL) if it runs. */
void child_destroy(child *c);

#endif
