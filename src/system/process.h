/* process.h - another program as a process: its standard files, its start, its end. */
#ifndef PROCESS_H
#define PROCESS_H

#include <sys/types.h>

/* What one of its three standard files is. */
typedef enum process_file {
    PROCESS_NOTHING, /* /dev/null */
    PROCESS_PIPE,    /* a pipe whose other end is ours */
    PROCESS_SAME     /* what the file before it is */
} process_file;

/* Descriptors; -1: none. All close on exec. */
typedef struct process_files {
    int theirs[3], ours[3];
} process_files;

/* `flags` are for our ends, O_NONBLOCK or 0: the program gets pipes like any other. Returns 0, or errno's number with
 * nothing open. */
int process_open(process_files *f, const process_file kind[3], int flags);
void process_close(process_files *f);
void process_close_end(int *descriptor); /* one, if it is open */

typedef struct process_plan {
    char *const *argv; /* the program is looked for in PATH */
    char *const *env;
    const char *dir; /* where it starts; NULL: here */
    int alone; /* in a session of its own, without a terminal; it dies with us; none of the descriptors that we have
                * ourselves inherited; signals as for a fresh program, but SIGUSR1 is ignored: a batch system may send
                * it to all processes of a job, and it is meant for us. Otherwise it only has no signals blocked. */
} process_plan;

/* Returns 0 once the program is loaded, otherwise errno's number of what failed, and there is no process. Our ends of
 * the pipes stay open, theirs are closed. */
int process_start(const process_plan *plan, process_files *f, pid_t *pid);

/* Parts of it, for a caller that forks by itself. In the new process: */
int process_take_files(const int theirs[3]);            /* they become 0, 1 and 2; returns 0 or errno's number */
void process_die_with(pid_t parent, int signal_number); /* comes when the parent dies; if it has already, we end */

/* Run a program and wait for it: its input is empty, what it prints is on our standard error. Returns 0, or errno's
 * number if it could not be started. `code` receives its exit code, -N if signal N ended it. */
int process_run(char *const *argv, char *const *env, int *code);

/* Whether a child has exited. It stays a zombie, so that no other process gets its number. -1: it is not ours to wait
 * for any more. */
int process_has_exited(pid_t pid);
/* Waits for it. Returns 0, with errno set, if another call has waited for it. */
int process_reap(pid_t pid, int *status);

#endif
