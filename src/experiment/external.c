/* external.c - an external method as a process group with three pipes. Our ends of the pipes never block: every wait is
 * a poll with a deadline. During a wait the program's standard error is read too, so that it cannot fill up and block
 * the program; its last line becomes part of the error message. Layer: experiment, above src/base. */
#include "external.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "credential.h"
#include "mem.h"
#include "number.h"
#include "process.h"

enum { LINE = 8192, ERROR_LINE = 160, PAUSE_MS = 10 };
static const double EXIT_SECONDS = 1; /* time to exit for a program that has closed its output */

struct external {
    char command[64]; /* its beginning, for messages */
    pid_t pid;        /* 0: it has been reaped */
    int in, out, err; /* our ends; -1: closed */
    double seconds;
    size_t dim, rounds, asked;
    size_t size; /* bytes of `text`: output that is not used yet */
    char text[LINE];
    size_t partial_size; /* bytes of `partial`, the incomplete line of its standard error */
    char partial[ERROR_LINE], last[ERROR_LINE];
};

/* ---- Its start and its end --------------------------------------------------------------------- */

/* The program itself, with signals as for a fresh one. */
static _Noreturn void exec_program(const process_files *f, const char *command) {
    sigset_t none;
    if (process_take_files(f->theirs) != 0) _exit(127);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    char **environment = credential_strip(environ);
    if (environment) execle("/bin/sh", "sh", "-c", command, (char *)NULL, environment);
    _exit(127);
}

static void end_group(int number) {
    (void)number;
    kill(0, SIGKILL);
}

/* Between us and the program: the leader of its group, which ends the group if we die, whatever
 * the shell has started (a death signal reaches one process only). Its exit code is the shell's. */
static _Noreturn void guard(process_files *f, pid_t parent, const char *command) {
    int ending;
    sigset_t death;
    setsid();
    sigemptyset(&death);
    sigaddset(&death, SIGTERM);
    signal(SIGTERM, end_group);
    sigprocmask(SIG_UNBLOCK, &death, NULL);
    process_die_with(parent, SIGTERM);
    pid_t shell = fork();
    if (shell == 0) exec_program(f, command);
    process_close(f); /* or the program could not close them */
    if (shell < 0 || !process_reap(shell, &ending)) _exit(127);
    _exit(WIFSIGNALED(ending) ? 128 + WTERMSIG(ending) : WEXITSTATUS(ending));
}

static locbo_status launch(external *r, const char *command, locbo_error *error) {
    static const process_file kinds[3] = {PROCESS_PIPE, PROCESS_PIPE, PROCESS_PIPE};
    process_files f;
    int code = process_open(&f, kinds, O_NONBLOCK);
    if (code) return status_fail(error, LOCBO_ERR_IO, "cannot open pipes for a program: %s", strerror(code));
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) guard(&f, parent, command);
    if (pid < 0) {
        code = errno;
        process_close(&f);
        return status_fail(error, LOCBO_ERR_IO, "cannot start a program: %s", strerror(code));
    }
    r->pid = pid;
    r->in = f.ours[0];
    r->out = f.ours[1];
    r->err = f.ours[2];
    for (int i = 0; i < 3; i++) process_close_end(&f.theirs[i]);
    return LOCBO_OK;
}

locbo_status external_start(external **started, const char *command, double seconds, locbo_error *error) {
    external *r = mem_new(1, sizeof *r);
    if (!r) return status_no_memory(error);
    r->in = r->out = r->err = -1;
    r->seconds = seconds;
    snprintf(r->command, sizeof r->command, "%.*s", (int)sizeof r->command - 1, command);
    locbo_status status = launch(r, command, error);
    if (status == LOCBO_OK)
        *started = r;
    else
        external_destroy(r);
    return status;
}

/* Kills it, and then its group: a guard that is being killed forks no more. Returns its status. */
static int end(external *r) {
    int ending = 0;
    kill(r->pid, SIGKILL);
    kill(-r->pid, SIGKILL);
    process_reap(r->pid, &ending);
    r->pid = 0;
    return ending;
}

void external_destroy(external *r) {
    if (!r) return;
    if (r->pid > 0) end(r);
    process_close_end(&r->in);
    process_close_end(&r->out);
    process_close_end(&r->err);
    mem_free(r);
}

/* ---- Its standard error ------------------------------------------------------------------------ */

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Keeps the last line that is not blank. */
static void keep_last_line(external *r, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n' && r->partial_size > 0) {
            memcpy(r->last, r->partial, sizeof r->last);
            r->partial_size = 0;
        } else if (r->partial_size + 1 < ERROR_LINE && (r->partial_size > 0 || !is_blank(bytes[i]))) {
            r->partial[r->partial_size++] = bytes[i];
            r->partial[r->partial_size] = '\0';
        }
    }
}

/* Reads what is available; returns 0 if there is nothing, or the end. */
static int read_errors(external *r) {
    char bytes[4096];
    if (r->err < 0) return 0;
    ssize_t n = read(r->err, bytes, sizeof bytes);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (n <= 0) {
        process_close_end(&r->err);
        return 0;
    }
    keep_last_line(r, bytes, (size_t)n);
    return 1;
}

static const char *last_error(const external *r) { return r->partial_size > 0 ? r->partial : r->last; }

/* ---- Waiting ----------------------------------------------------------------------------------- */

/* Until `fd` is ready, hearing what it says meanwhile; 0: the time is up. */
static int await(external *r, int fd, short event, double deadline) {
    for (double left; (left = deadline - clock_now()) > 0;) {
        struct pollfd set[2] = {{fd, event, 0}, {r->err, POLLIN, 0}};
        int ready = poll(set, 2, left < 1e6 ? (int)ceil(1e3 * left) : -1);
        if (ready < 0 && errno != EINTR) return 0;
        if (ready > 0 && set[1].revents) read_errors(r);
        if (ready > 0 && set[0].revents) return 1;
    }
    return 0;
}

/* The name of the line that is awaited, for messages. */
static const char *awaited(const external *r, char text[48]) {
    if (r->asked > r->rounds)
        snprintf(text, 48, "the recommended point");
    else
        snprintf(text, 48, "point %zu", r->asked);
    return text;
}

static locbo_status fail_late(const external *r, const char *what, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_IO, "program '%s': %s within %g s", r->command, what, r->seconds);
}

/* `status` is that of waitpid; `when` follows the exit code in the message. */
static locbo_status fail_ended(const external *r, int status, const char *when, locbo_error *error) {
    const char *line = last_error(r), *colon = *line ? ": " : "";
    int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return status_fail(error, LOCBO_ERR_IO, "program '%s' ended with exit code %d %s%s%s", r->command, code, when,
                       colon, line);
}

/* Its output ended before the awaited line. */
static locbo_status fail_closed(external *r, locbo_error *error) {
    char what[48], when[80];
    double deadline = clock_now() + (r->seconds < EXIT_SECONDS ? r->seconds : EXIT_SECONDS);
    snprintf(when, sizeof when, "before %s", awaited(r, what));
    while (!process_has_exited(r->pid) && clock_now() < deadline) await(r, -1, 0, clock_now() + 1e-3 * PAUSE_MS);
    if (!process_has_exited(r->pid))
        return status_fail(error, LOCBO_ERR_IO, "program '%s' closed its output %s", r->command, when);
    while (read_errors(r)) {
    }
    return fail_ended(r, end(r), when, error);
}

/* ---- Lines to it ------------------------------------------------------------------------------- */

/* write, but a closed pipe gives EPIPE and no signal, whatever the process does with SIGPIPE. */
static ssize_t write_without_signal(int fd, const char *bytes, size_t size) {
    sigset_t broken, before, waiting;
    struct timespec at_once = {0, 0};
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&waiting);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t n = write(fd, bytes, size);
    int code = errno;
    if (n < 0 && code == EPIPE && !sigismember(&waiting, SIGPIPE)) sigtimedwait(&broken, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return n;
}

/* A program that reads no more may have reasons: it has ended, which its next line will show, or
 * does not care what is measured. To fail here would depend on how far it has come. */
static locbo_status send_text(external *r, const char *text, size_t size, locbo_error *error) {
    double deadline = clock_now() + r->seconds;
    while (size > 0 && r->in >= 0) {
        if (!await(r, r->in, POLLOUT, deadline)) return fail_late(r, "it does not read its input", error);
        ssize_t n = write_without_signal(r->in, text, size);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (n < 0) {
            process_close_end(&r->in);
            return LOCBO_OK;
        }
        text += n;
        size -= (size_t)n;
    }
    return LOCBO_OK;
}

locbo_status external_greet(external *r, size_t dim, uint64_t seed, size_t initial, size_t rounds, const char *more,
                            locbo_error *error) {
    char text[LINE];
    r->dim = dim;
    r->rounds = rounds;
    int size = snprintf(text, sizeof text, "%zu %" PRIu64 " %zu %zu%s%s\n", dim, seed, initial, rounds,
                        more[0] ? " " : "", more);
    return send_text(r, text, (size_t)size, error);
}

locbo_status external_tell(external *r, size_t n, const double *number, locbo_error *error) {
    char text[LINE];
    size_t size = 0;
    for (size_t i = 0; i < n && size + NUMBER_TEXT + 1 < sizeof text; i++) {
        number_print(number[i], text + size);
        size += strlen(text + size);
        text[size++] = i + 1 < n ? ' ' : '\n';
    }
    return send_text(r, text, size, error);
}

/* ---- Lines from it ----------------------------------------------------------------------------- */

/* Reads more of its output. Returns 1: done; 0: end of the output; -1: nothing came in time. */
static int fetch(external *r, double deadline) {
    while (await(r, r->out, POLLIN, deadline)) {
        ssize_t n = read(r->out, r->text + r->size, sizeof r->text - r->size);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (n <= 0) return 0;
        r->size += (size_t)n;
        return 1;
    }
    return -1;
}

/* The next line is at r->text: its newline becomes a NUL, and *length does not count it. */
static locbo_status next_line(external *r, size_t *length, locbo_error *error) {
    char what[48], late[80];
    double deadline = clock_now() + r->seconds;
    char *stop;
    while (!(stop = memchr(r->text, '\n', r->size))) {
        if (r->size == sizeof r->text)
            return status_fail(error, LOCBO_ERR_FORMAT, "program '%s': the line of %s has %d bytes or more", r->command,
                               awaited(r, what), LINE);
        int got = fetch(r, deadline);
        if (got == 0) return fail_closed(r, error);
        if (got > 0) continue;
        snprintf(late, sizeof late, "%s did not come", awaited(r, what));
        return fail_late(r, late, error);
    }
    *stop = '\0';
    *length = (size_t)(stop - r->text);
    return LOCBO_OK;
}

static locbo_status fail_point(const external *r, const char *wrong, const char *shown, locbo_error *error) {
    char what[48];
    return status_fail(error, LOCBO_ERR_FORMAT, "program '%s': %s %s '%.60s'", r->command, awaited(r, what), wrong,
                       shown);
}

/* Parses the coordinates of a line; `text` is changed. */
static locbo_status parse_point(const external *r, char *text, double *u, locbo_error *error) {
    char expected[80], whole[64], *rest = NULL;
    size_t n = 0;
    snprintf(whole, sizeof whole, "%.63s", text);
    snprintf(expected, sizeof expected, "must be %zu numbers, got", r->dim);
    for (char *word = strtok_r(text, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
        if (n == r->dim || !number_parse(word, &u[n])) return fail_point(r, expected, whole, error);
        if (!(u[n] >= 0 && u[n] <= 1))
            return fail_point(r, "must lie in the unit cube, got the coordinate", word, error);
        n++;
    }
    return n == r->dim ? LOCBO_OK : fail_point(r, expected, whole, error);
}

locbo_status external_ask(external *r, double *u, locbo_error *error) {
    size_t length = 0;
    r->asked++;
    locbo_status status = next_line(r, &length, error);
    if (status != LOCBO_OK) return status;
    if (strlen(r->text) != length) return fail_point(r, "has a NUL after", r->text, error);
    status = parse_point(r, r->text, u, error);
    r->size -= length + 1;
    memmove(r->text, r->text + length + 1, r->size);
    return status;
}

locbo_status external_finish(external *r, locbo_error *error) {
    double deadline = clock_now() + r->seconds;
    int more = 1;
    process_close_end(&r->in);
    while (r->size < sizeof r->text && (more = fetch(r, deadline)) > 0) {
    }
    for (size_t i = 0; i < r->size; i++)
        if (!is_blank(r->text[i]))
            return status_fail(error, LOCBO_ERR_FORMAT, "program '%s': more than %zu points and the recommended one",
                               r->command, r->rounds);
    while (more == 0 && !process_has_exited(r->pid) && clock_now() < deadline)
        await(r, -1, 0, clock_now() + 1e-3 * PAUSE_MS);
    if (!process_has_exited(r->pid)) return fail_late(r, "it did not end", error);
    while (read_errors(r)) {
    }
    int status = end(r);
    return status == 0 ? LOCBO_OK : fail_ended(r, status, "after the recommended point", error);
}
