/* cmd_pipe.c - locbo pipe: JSON lines in, JSON lines out. Layer: cli, top. */
#include "commands.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "exit_code.h"
#include "identity.h"
#include "interrupt.h"
#include "json_text.h"
#include "mem.h"
#include "pipe_ops.h"
#include "session.h"

enum { LONGEST_LINE = 1 << 20 };
/* Seconds that a call waits for a busy database or another process's proposal; after a signal. */
static const double PATIENCE = 30, PATIENCE_AT_END = 1;

/* Bytes of standard input that are not answered yet. */
typedef struct intake {
    buffer bytes;
    size_t scanned; /* no line ends before this */
    int skipping;   /* in a line that is too long, and has been answered */
    int ended;      /* no more input, or a signal */
    int error;      /* errno, if it could not be read to its end */
} intake;

/* ---- lines ----------------------------------------------------------------------------------- */

/* More bytes; returns 0 if there are none to come. */
static int fill(intake *in) {
    char chunk[65536];
    struct pollfd set = {.fd = STDIN_FILENO, .events = POLLIN};
    while (!in->ended) {
        int ready = interrupt_poll(&set, 1, (double)INFINITY);
        if (interrupt_count() > 0) break;
        if (ready == -1 && errno != EINTR) in->error = errno;
        if (in->error) break;
        if (ready <= 0) continue;
        ssize_t got = read(STDIN_FILENO, chunk, sizeof chunk);
        if (got > 0) {
            buffer_add(&in->bytes, chunk, (size_t)got);
            if (in->bytes.failed) in->error = ENOMEM;
            return !in->bytes.failed;
        }
        if (got == 0) break;
        if (errno != EINTR && errno != EAGAIN) in->error = errno;
    }
    in->ended = 1;
    return 0;
}

static void drop(intake *in, size_t size) {
    memmove(in->bytes.data, in->bytes.data + size, in->bytes.size - size);
    in->bytes.size -= size;
    in->scanned = 0;
}

/* The next line: its size, with `*taken` bytes to be dropped after it was used. 0: there is none. A
 * last line without an end counts. */
static int next_line(intake *in, size_t *size, size_t *taken) {
    for (;;) {
        char *start = in->bytes.data, *end = NULL;
        if (in->bytes.size > in->scanned) end = memchr(start + in->scanned, '\n', in->bytes.size - in->scanned);
        in->scanned = in->bytes.size;
        if (end || in->bytes.size > LONGEST_LINE) {
            *size = end ? (size_t)(end - start) : in->bytes.size;
            *taken = end ? *size + 1 : *size;
            return 1;
        }
        if (fill(in)) continue;
        if (interrupt_count() > 0 || in->error || in->bytes.size == 0) return 0;
        *size = *taken = in->bytes.size;
        return 1;
    }
}

static int is_blank(const char *line, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (!strchr(" \t\r", line[i]) || !line[i]) return 0;
    return 1;
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* Returns 0 if the reader has closed the pipe, or does not read after a signal. A pipe that is ready takes PIPE_BUF
 * bytes at once. */
static int write_all(const char *bytes, size_t size) {
    struct pollfd set = {.fd = STDOUT_FILENO, .events = POLLOUT};
    while (size > 0) {
        int ready = interrupt_poll(&set, 1, interrupt_count() > 0 ? 0 : (double)INFINITY);
        if (ready == 0 || (ready == -1 && errno != EINTR)) return 0;
        if (ready == -1) continue;
        ssize_t n = write(STDOUT_FILENO, bytes, size < PIPE_BUF ? size : PIPE_BUF);
        if (n < 0 && errno != EINTR && errno != EAGAIN) return 0;
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 1;
}

/* Returns 0 as write_all. */
static int print_answer(json_t *answer) {
    buffer b = {0};
    static const char none[] = "{\"ok\":false,\"error\":\"out of memory\",\"code\":1}\n";
    if (answer) json_text_write(&b, answer, 0);
    buffer_char(&b, '\n', 1);
    int written = answer && !b.failed ? write_all(b.data, b.size) : write_all(none, sizeof none - 1);
    json_decref(answer);
    mem_free(b.data);
    return written;
}

/* ---- signals ----------------------------------------------------------------------------------- */

static int is_interrupted(void *user) { return interrupt_count() > *(const int *)user; }

static int gives_up(const char *why, double waited, void *user) {
    (void)why, (void)waited;
    return is_interrupted(user);
}

/* What the study's calls wait for or compute ends after more than `*seen` signals. */
static void heed_signals(session *s, double patience, int *seen) {
    locbo_store_patience(s->store, patience, gives_up, seen);
    locbo_study_watch(s->study, is_interrupted, seen);
}

/* The part of a line that is too long is answered once, and the rest of it skipped. */
static json_t *answer_line(pipe_state *p, intake *in, size_t size, int whole, int *silent) {
    locbo_error error;
    *silent = in->skipping || is_blank(in->bytes.data, size);
    int was_skipping = in->skipping;
    in->skipping = !whole;
    if (was_skipping || *silent) return NULL;
    if (size <= LONGEST_LINE) return pipe_answer(p, in->bytes.data, size);
    status_fail(&error, LOCBO_ERR_ARGUMENT, "a line has more than %d bytes", LONGEST_LINE);
    return pipe_refusal(&error, NULL);
}

static int cannot(const char *name, const char *what, int code) {
    return message_print(name, EXIT_RUNTIME, "cannot %s: %s", what, strerror(code));
}

static int loop(const char *name, pipe_state *p, intake *in) {
    size_t size, taken;
    while (interrupt_count() == 0 && next_line(in, &size, &taken)) {
        int silent, whole = taken > size || in->ended;
        interrupt_let_in(2, EXIT_INTERRUPTED);
        json_t *answer = answer_line(p, in, size, whole, &silent);
        interrupt_hold();
        drop(in, taken);
        if (!silent && !print_answer(answer)) {
            if (interrupt_count() > 0) return EXIT_INTERRUPTED;
            return errno == EPIPE ? EXIT_RUNTIME : cannot(name, "write an answer to standard output", errno);
        }
    }
    if (interrupt_count() > 0) return EXIT_INTERRUPTED;
    return in->error ? cannot(name, "read standard input", in->error) : EXIT_OK;
}

/* The signal that ended the loop does not end this, but another one does. */
static size_t give_back(session *s, pipe_state *p, size_t *kept) {
    int seen = interrupt_count();
    if (seen > 0) heed_signals(s, PATIENCE_AT_END, &seen);
    interrupt_let_in(2, EXIT_INTERRUPTED);
    size_t given = pipe_give_back(p, kept);
    interrupt_hold();
    return given;
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    intake in = {0};
    int none = 0;
    interrupt_install();
    interrupt_let_in(1, EXIT_INTERRUPTED); /* nothing is handed out yet: any signal may end it anywhere */
    int opened = session_open(&s, self, argc, argv, SESSION_STUDY, 0, 0, 0);
    interrupt_hold();
    if (!opened) return s.code;
    heed_signals(&s, PATIENCE, &none);
    pipe_state p = {.store = s.store,
                    .study = s.study,
                    .space = s.definition.space,
                    .outputs = s.definition.outputs,
                    .options = s.definition.options,
                    .url = locbo_store_url(s.store),
                    .dim = s.dim};
    if (identity_make(p.worker, &error) != LOCBO_OK) return session_fail(&s, &error);
    int code = loop(self->name, &p, &in);
    size_t kept, given = give_back(&s, &p, &kept);
    if (given > 0) message_print(self->name, 0, "trials without a result, which wait again: %zu", given);
    if (kept > 0) message_print(self->name, 0, "trials without a result, which wait until their leases end: %zu", kept);
    if (kept > 0 && code == EXIT_OK) code = EXIT_RUNTIME;
    mem_free(p.trials);
    mem_free(in.bytes.data);
    return session_close(&s, code);
}

const command command_pipe = {
    .name = "pipe",
    .summary = "drive a study from any language by JSON lines",
    .usage = "[--db URL] [--name NAME]",
    .description = "Reads requests from standard input, one JSON object a line, and answers each with a line: "
                   "{\"ok\":true,...} or {\"ok\":false,\"error\":\"...\",\"code\":2}, the code being locbo's "
                   "exit "
                   "code for such an error. An \"id\" in the request is in its answer. The requests:\n\n"
                   "  {\"op\":\"ask\",\"fix\":{\"n\":3},\"lease\":60}\n"
                   "  {\"op\":\"tell\",\"trial\":1,\"value\":0.5}        or \"values\":[...]; \"sd\", \"n\"\n"
                   "  {\"op\":\"tell\",\"trial\":1,\"outputs\":{\"loss\":0.3,\"memory\":401}}\n"
                   "  {\"op\":\"fail\",\"trial\":1,\"why\":\"...\"}\n"
                   "  {\"op\":\"infeasible\",\"trial\":1}\n"
                   "  {\"op\":\"requeue\",\"trial\":1}\n"
                   "  {\"op\":\"beat\",\"trial\":1,\"lease\":60}\n"
                   "  {\"op\":\"report\",\"trial\":1,\"steps\":[[10,0.53]]}     \"end\":true: ended early\n"
                   "  {\"op\":\"enqueue\",\"params\":{\"x\":0.5}}\n"
                   "  {\"op\":\"predict\",\"params\":{\"x\":0.5}}\n"
                   "  {\"op\":\"best\"}  {\"op\":\"recommend\"}  {\"op\":\"status\"}\n"
                   "  {\"op\":\"alter\",\"definition\":{\"parameters\":{\"x\":\"float(0,2)\"}}}\n"
                   "  {\"op\":\"retract\",\"trial\":1,\"result\":2,\"why\":\"...\"}\n"
                   "  {\"op\":\"pause\",\"why\":\"...\"}  {\"op\":\"resume\"}\n"
                   "  {\"op\":\"note\",\"trial\":1,\"note\":\"...\",\"tags\":[\"noisy\"]}\n"
                   "  {\"op\":\"log\"}\n\n"
                   "With a \"token\", a number of your own, a request that writes can be sent again without "
                   "being done twice. "
                   "It ends when its input does; trials that it handed out and that were not told wait again "
                   "then. docs/pipe.md describes all of it, examples/pipe.py is a program.",
    .examples = "    $ echo '{\"op\":\"ask\"}' | locbo pipe\n"
                "    $ python3 examples/pipe.py\n",
    .options = (const arg_option *const[]){session_options, NULL},
    .run = run,
};
