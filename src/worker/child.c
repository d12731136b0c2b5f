/* child.c - one evaluation as a process of its own group. Layer: worker. The process stays a zombie until its group has
 * been killed: until then its number, which is the group's, belongs to no other process. Memory is fixed when it
 * starts, whatever it prints, but for its steps, of which a bounded number is kept; each check reads a bounded amount.
 */
#include "child.h"

#include <limits.h>
#include <stdlib.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "mem.h"
#include "process.h"
#include "result.h"
#include "step_line.h"
#include "value.h"

enum { CHUNK = 64 * 1024, CHUNKS = 4, NOTE = 64 };
static const double BLIND = 0.05; /* seconds between checks of a process without an exit descriptor */

/* One of its outputs: the head, then the tail as a ring. */
typedef struct stream {
    int fd; /* -1: closed */
    uint64_t total;
    char head[CHILD_HEAD], tail[CHILD_TAIL];
    char *shown; /* room for both with the note */
} stream;

struct child {
    pid_t pid;
    int exit_fd; /* readable when it has exited; -1: the system has no such thing */
    stream out, err;
    size_t line_size;
    char line[RESULT_LINE + 1]; /* one more than a result may have, so that a longer one is seen as such */
    result lines;
    locbo_step *steps; /* that nobody has taken yet */
    size_t step_count, step_room;
    char bad[CHILD_BAD]; /* the first line that is a bad step */
    int has_bad;
    double start, seconds;    /* seconds of the monotonic clock; how long it took, once ended */
    double deadline, kill_at; /* when SIGTERM and SIGKILL are due; INFINITY: not */
    double grace;
    int timed_out, ended, status;
    int unread; /* errno, if its standard output could not be read to the end */
};

/* ---- what it prints -------------------------------------------------------------------------- */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void keep(stream *s, const char *bytes, size_t size) {
    if (s->total < CHILD_HEAD) {
        size_t n = least(size, CHILD_HEAD - (size_t)s->total);
        memcpy(s->head + s->total, bytes, n);
        s->total += n;
        bytes += n;
        size -= n;
    }
    if (size > CHILD_TAIL) { /* only the last of it stays */
        s->total += size - CHILD_TAIL;
        bytes += size - CHILD_TAIL;
        size = CHILD_TAIL;
    }
    while (size > 0) {
        size_t at = (size_t)((s->total - CHILD_HEAD) % CHILD_TAIL), n = least(size, CHILD_TAIL - at);
        memcpy(s->tail + at, bytes, n);
        s->total += n;
        bytes += n;
        size -= n;
    }
}

/* Head, note and tail in one piece. */
static const char *show(const stream *s, size_t *size) {
    size_t used = least((size_t)s->total, CHILD_HEAD);
    memcpy(s->shown, s->head, used);
    uint64_t rest = s->total - used;
    size_t start = 0, tail = (size_t)rest;
    if (rest > CHILD_TAIL) {
        const char *begin = s->head[CHILD_HEAD - 1] == '\n' ? "" : "\n";
        used += (size_t)snprintf(s->shown + used, NOTE, "%s[... %s left out ...]\n", begin,
                                 value_count(rest - CHILD_TAIL, "byte").text);
        start = (size_t)(rest % CHILD_TAIL);
        tail = CHILD_TAIL;
    }
    memcpy(s->shown + used, s->tail + start, tail - start);
    memcpy(s->shown + used + tail - start, s->tail, start);
    *size = used + tail;
    return s->shown;
}

/* A step that follows one before which nobody has taken is thinned with the others: memory is bounded while a database
 * does not answer. Without memory the step is lost. */
static void keep_step(child *c, locbo_step step) {
    if (c->step_count == CHILD_STEPS) {
        for (size_t i = 0; i < CHILD_STEPS / 2; i++) c->steps[i] = c->steps[2 * i + 1];
        c->step_count = CHILD_STEPS / 2;
    }
    if (!mem_reserve(&c->steps, &c->step_room, c->step_count + 1, sizeof *c->steps)) return;
    c->steps[c->step_count++] = step;
}

static void end_line(child *c) {
    locbo_step step;
    step_line kind =
        c->line_size > RESULT_LINE ? STEP_LINE_OTHER : step_line_read(c->lines.outputs, c->line, c->line_size, &step);
    if (kind == STEP_LINE_GOOD) keep_step(c, step);
    if (kind == STEP_LINE_BAD && !c->has_bad) {
        reading_clean(c->bad, sizeof c->bad, c->line, c->line_size);
        c->has_bad = 1;
    }
    if (kind == STEP_LINE_OTHER)
        result_line(&c->lines, c->line, c->line_size);
    else
        c->lines.steps = 1;
    c->line_size = 0;
}

static void feed_lines(child *c, const char *bytes, size_t size) {
    while (size > 0) {
        const char *end = memchr(bytes, '\n', size);
        size_t part = end ? (size_t)(end - bytes) : size;
        size_t n = least(part, sizeof c->line - c->line_size);
        memcpy(c->line + c->line_size, bytes, n);
        c->line_size += n;
        if (end) end_line(c), part++;
        bytes += part;
        size -= part;
    }
}

/* At most `most` bytes; returns how many, 0: there is nothing now, or never again. */
static size_t take(child *c, stream *s, size_t most) {
    char bytes[CHUNK];
    if (s->fd < 0 || most == 0) return 0;
    ssize_t n;
    do n = read(s->fd, bytes, least(most, sizeof bytes));
    while (n < 0 && errno == EINTR);
    if (n < 0 && errno == EAGAIN) return 0;
    if (n < 0 && s == &c->out) c->unread = errno;
    if (n <= 0) {
        process_close_end(&s->fd);
        return 0;
    }
    keep(s, bytes, (size_t)n);
    if (s == &c->out) feed_lines(c, bytes, (size_t)n);
    return (size_t)n;
}

static void take_some(child *c, stream *s) {
    for (int i = 0; i < CHUNKS; i++)
        if (take(c, s, CHUNK) == 0) break;
}

/* What is in the pipe now: all that an exited process has printed. Others are not awaited. */
static void drain(child *c, stream *s) {
    int there = 0;
    if (s->fd < 0 || ioctl(s->fd, FIONREAD, &there) != 0) return;
    for (size_t left = there > 0 ? (size_t)there : 0, n; left > 0; left -= n)
        if ((n = take(c, s, left)) == 0) break;
}

/* ---- the start ------------------------------------------------------------------------------- */

static locbo_status blame(const char *program, int code, locbo_error *error) {
    static const int absent[] = {ENOENT, EACCES, EPERM, ENOTDIR, EISDIR, ENOEXEC, ELOOP, ENAMETOOLONG, ELIBBAD, EINVAL};
    locbo_status status = LOCBO_ERR_IO;
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        if (code == absent[i]) status = LOCBO_ERR_NOT_FOUND;
    struct stat there;
    int is_path = strchr(program, '/') != NULL, known = stat(program, &there) == 0;
    const char *hint = "";
    if (!*program)
        hint = " (its name is empty)";
    else if (is_path && known && S_ISDIR(there.st_mode))
        hint = " (it is a directory)";
    else if (is_path && known && code == ENOENT)
        hint = " (it is there: is the interpreter of its first line?)";
    else if (is_path && known && code == EACCES)
        hint = " (is it executable?)";
    else if (!is_path && code == ENOENT)
        hint = known ? " in PATH (a file here is called with ./)" : " in PATH";
    return status_fail(error, status, "cannot start '%.120s': %s%s", program, strerror(code), hint);
}

/* One that another call has waited for counts as lost. */
static void reap(child *c) {
    if (!process_reap(c->pid, &c->status)) c->status = SIGKILL;
}

/* In a session of its own: nothing waits at a terminal, and the whole group can be ended. */
static locbo_status launch(child *c, char *const *argv, char *const *env, locbo_error *error) {
    static const process_file kinds[3] = {PROCESS_NOTHING, PROCESS_PIPE, PROCESS_PIPE};
    process_files f;
    int code = process_open(&f, kinds, O_NONBLOCK);
    if (code) return status_fail(error, LOCBO_ERR_IO, "cannot open pipes for a program: %s", strerror(code));
    code = process_start(&(process_plan){.argv = argv, .env = env, .alone = 1}, &f, &c->pid);
    if (code) {
        process_close(&f);
        return blame(argv[0], code, error);
    }
    c->exit_fd = (int)syscall(SYS_pidfd_open, c->pid, 0);
    c->out.fd = f.ours[1];
    c->err.fd = f.ours[2];
    return LOCBO_OK;
}

static void release(child *c) {
    process_close_end(&c->out.fd);
    process_close_end(&c->err.fd);
    process_close_end(&c->exit_fd);
    result_release(&c->lines);
    mem_free(c->steps);
    mem_free(c->out.shown);
    mem_free(c->err.shown);
    mem_free(c);
}

static child *new_child(void) {
    child *c = mem_new(1, sizeof *c);
    if (!c) return NULL;
    c->exit_fd = c->out.fd = c->err.fd = -1;
    c->grace = CHILD_GRACE;
    c->deadline = c->kill_at = INFINITY;
    c->out.shown = mem_new(CHILD_HEAD + NOTE + CHILD_TAIL, 1);
    c->err.shown = mem_new(CHILD_HEAD + NOTE + CHILD_TAIL, 1);
    if (c->out.shown && c->err.shown) return c;
    release(c);
    return NULL;
}

locbo_status child_start(child **c, char *const *argv, char *const *env, double timeout, locbo_error *error) {
    if (!c || !argv || !argv[0]) return status_fail(error, LOCBO_ERR_ARGUMENT, "child and a program must not be NULL");
    if (!(timeout > 0)) return status_fail(error, LOCBO_ERR_ARGUMENT, "timeout must be above 0, got %g", timeout);
    child *made = new_child();
    if (!made) return status_no_memory(error);
    made->start = clock_now();
    locbo_status status = launch(made, argv, env ? env : environ, error);
    if (status != LOCBO_OK) {
        release(made);
        return status;
    }
    made->deadline = made->start + timeout;
    *c = made;
    return status_ok(error);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* The group; and the process itself, should it have left the group. */
static void signal_all(const child *c, int number) {
    kill(-c->pid, number);
    if (number == SIGKILL || getpgid(c->pid) != c->pid) kill(c->pid, number);
}

/* A stopped process could not act on SIGTERM. */
static void ask_to_end(child *c) {
    signal_all(c, SIGTERM);
    signal_all(c, SIGCONT);
    c->deadline = INFINITY;
    c->kill_at = clock_now() + c->grace;
}

static void kill_now(child *c) {
    signal_all(c, SIGKILL);
    c->deadline = c->kill_at = INFINITY;
}

static void finish(child *c, int is_ours) {
    c->seconds = clock_now() - c->start;
    drain(c, &c->out);
    drain(c, &c->err);
    if (is_ours) signal_all(c, SIGKILL);
    reap(c);
    if (c->line_size > 0) end_line(c);
    process_close_end(&c->out.fd);
    process_close_end(&c->err.fd);
    process_close_end(&c->exit_fd);
    c->ended = 1;
}

child_state child_check(child *c) {
    if (c->ended) return CHILD_ENDED;
    take_some(c, &c->out);
    take_some(c, &c->err);
    int exited = process_has_exited(c->pid);
    if (exited) {
        finish(c, exited > 0);
        return CHILD_ENDED;
    }
    double time = clock_now();
    if (time >= c->deadline) {
        c->timed_out = 1;
        ask_to_end(c);
    }
    if (time >= c->kill_at) kill_now(c);
    return CHILD_RUNNING;
}

void child_end(child *c, int at_once) {
    if (c->ended) return;
    c->deadline = INFINITY;
    if (at_once)
        kill_now(c);
    else if (isinf(c->kill_at))
        ask_to_end(c);
}

void child_set_outputs(child *c, const locbo_outputs *outputs) { c->lines.outputs = outputs; }

void child_set_grace(child *c, double seconds) { c->grace = seconds; }

/* A killed process is gone in a moment. If the system keeps it all the same, it is left to init. */
void child_destroy(child *c) {
    if (!c) return;
    for (int i = 0; !c->ended && i < 1000; i++) {
        signal_all(c, SIGKILL);
        if (child_check(c) == CHILD_RUNNING) nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    release(c);
}

/* ---- what there is to know ------------------------------------------------------------------- */

size_t child_poll_set(const child *c, struct pollfd *set) {
    const int fds[] = {c->out.fd, c->err.fd, c->exit_fd};
    size_t n = 0;
    for (int i = 0; i < 3; i++)
        if (fds[i] >= 0) set[n++] = (struct pollfd){.fd = fds[i], .events = POLLIN};
    return n;
}

double child_deadline(const child *c) {
    if (c->ended) return INFINITY;
    double left = fmax(fmin(c->deadline, c->kill_at) - clock_now(), 0);
    return c->exit_fd < 0 ? fmin(left, BLIND) : left;
}

locbo_step *child_take_steps(child *c, size_t *count) {
    locbo_step *steps = c->steps;
    *count = c->step_count;
    c->steps = NULL;
    c->step_count = c->step_room = 0;
    return steps;
}

int child_has_steps(const child *c) { return c->step_count > 0; }

int child_has_many_steps(const child *c) { return c->step_count >= CHILD_MANY_STEPS; }

void child_take_bad_step(child *c, char line[CHILD_BAD]) {
    memcpy(line, c->bad, CHILD_BAD);
    c->bad[0] = '\0';
}

int child_timed_out(const child *c) { return c->timed_out; }
int child_status(const child *c) { return c->status; }
int child_unread(const child *c) { return c->unread; }
double child_seconds(const child *c) { return c->ended ? c->seconds : clock_now() - c->start; }
pid_t child_pid(const child *c) { return c->pid; }
const char *child_out(const child *c, size_t *size) { return show(&c->out, size); }
const char *child_err(const child *c, size_t *size) { return show(&c->err, size); }
const struct result *child_result(const child *c) { return &c->lines; }

/* ---- before it is started ---------------------------------------------------------------------- */

static int is_program(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) return 0;
    if (!S_ISREG(info.st_mode)) {
        errno = EACCES;
        return 0;
    }
    return access(path, X_OK) == 0;
}

static int is_in_path(const char *program) {
    const char *path = getenv("PATH");
    char full[PATH_MAX];
    for (const char *at = path ? path : "/bin:/usr/bin"; *at;) {
        size_t size = strcspn(at, ":");
        snprintf(full, sizeof full, "%.*s/%s", size ? (int)size : 1, size ? at : ".", program);
        if (is_program(full)) return 1;
        at += size + (at[size] == ':');
    }
    errno = ENOENT;
    return 0;
}

locbo_status child_find(const char *program, locbo_error *error) {
    int found = strchr(program, '/') ? is_program(program) : program[0] && is_in_path(program);
    if (found) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_NOT_FOUND, "cannot start '%s': %s", program,
                       program[0] ? strerror(errno) : strerror(ENOENT));
}
