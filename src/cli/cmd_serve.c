/* cmd_serve.c - locbo serve: the dashboard. Layer: cli, top. */
#include "commands.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "interrupt.h"
#include "session.h"
#ifdef LOCBO_DASHBOARD
#include "server.h"
#endif

static const arg_option serve_options[] = {
    {"db", 0, "URL", "database: sqlite:FILE or postgresql://... (LOCBO_DB, or ./locbo.db)"},
    {"port", 0, "N", "port to listen on (8080); 0: any free one"},
    {"bind", 0, "ADDRESS", "127.0.0.1 (if not given) or ::1: no other machine can ask"},
    {"allow-edit", 0, NULL, "let the page pause, stop, alter and rename studies, take results back, add points"},
    {"client-share", 0, "PERCENT", "share of all connections that one address may hold (75); behind a proxy 100"},
    {"request-timeout", 0, "SECONDS",
     "for sending a whole request (20), and three times as long for reading an answer"},
    {NULL, 0, NULL, NULL}};

#ifdef LOCBO_DASHBOARD

enum { DEFAULT_PORT = 8080, DEFAULT_SHARE = 75, DEFAULT_SECONDS = 20 };

/* An option; `*value` is the default. Returns 0 after a message. */
static int read_whole(session *s, const char *name, unsigned least, unsigned most, unsigned *value) {
    const char *text = args_get(&s->args, name);
    char *end = NULL;
    if (!text) return 1;
    unsigned long given = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
    if (!end || *end || strlen(text) > 5 || given < least || given > most) {
        session_usage(s, "--%s must be a whole number from %u to %u, got '%s'", name, least, most, text);
        return 0;
    }
    *value = (unsigned)given;
    return 1;
}

static void announce(const command *self, const server *running, const char *shown, int edit) {
    char address[SERVER_ADDRESS];
    server_address(running, address);
    message_print(self->name, 0, "%s (%s, %s); Ctrl-C ends it", address, shown, edit ? "edits allowed" : "read-only");
}

/* Until a signal comes. A second one has its default action again, and ends the program. */
static void wait_for_signal(void) {
    while (interrupt_count() == 0) interrupt_poll(NULL, 0, INFINITY);
    interrupt_restore();
}

/* The command line's database was there a moment ago; the server opens it for itself, each of its threads its own. */
static int serve(session *s, const server_options *options) {
    server *running = NULL;
    locbo_error error;
    setenv("PGCONNECT_TIMEOUT", "3", 0); /* libpq's own: a user is waiting */
    interrupt_install();                 /* first, so that no thread of the server takes a signal */
    if (server_start(&running, options, &error) != LOCBO_OK) {
        interrupt_restore();
        message_print(s->self->name, 0, "%s", error.message);
        return session_close(s, error.status == LOCBO_ERR_ARGUMENT ? EXIT_USAGE : EXIT_RUNTIME);
    }
    announce(s->self, running, locbo_store_url(s->store), options->edit);
    locbo_store_close(s->store);
    s->store = NULL;
    wait_for_signal();
    server_stop(running);
    return session_close(s, EXIT_OK);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    if (!session_open(&s, self, argc, argv, SESSION_STORE, 1, 0, 0)) return s.code;
    const char *address = args_get(&s.args, "bind");
    server_options options = {.url = session_url(&s.args),
                              .address = address ? address : "127.0.0.1",
                              .port = DEFAULT_PORT,
                              .edit = args_get(&s.args, "allow-edit") != NULL,
                              .peers = {.share = DEFAULT_SHARE, .seconds = DEFAULT_SECONDS}};
    if (!read_whole(&s, "port", 0, 65535, &options.port) ||
        !read_whole(&s, "client-share", 1, 100, &options.peers.share) ||
        !read_whole(&s, "request-timeout", 1, 3600, &options.peers.seconds))
        return s.code;
    return serve(&s, &options);
}

#else

static int run(const command *self, int argc, char **argv) { return session_no_dashboard(self, argc, argv); }

#endif

const command command_serve = {
    .name = "serve",
    .summary = "the dashboard: studies in the browser, live",
    .usage = "[--db URL] [--port N] [--bind ADDRESS] [--allow-edit] [--client-share PERCENT] "
             "[--request-timeout SECONDS]",
    .description =
        "Shows all studies of a database in the browser, and follows them while they run: open the "
        "address that it prints. It only reads, disturbs no worker, and reconnects when the database "
        "was unreachable for a while. Only this machine can reach it; from elsewhere use "
        "`ssh -L 8080:127.0.0.1:8080 HOST`.\n\n"
        "With --allow-edit the page can also pause, stop, resume and rename a study, add points, change how "
        "many trials are wanted and the range of a parameter, write notes, take results back and mark trials "
        "as failed. The address then holds a token, a new one at each start, and every holder of it can do "
        "the same.\n\n"
        "One client (an address) may hold three quarters of the connections, so that others are always "
        "served; what is above that is answered with 429. All clients behind a proxy have one address: "
        "raise its share with --client-share. A client that does not complete a request in time, or "
        "does not read the answer, is disconnected.",
    .examples = "    $ locbo serve\n"
                "    locbo serve: http://127.0.0.1:8080/ (sqlite:locbo.db, read-only); Ctrl-C ends "
                "it\n"
                "    $ locbo serve --db postgresql://db.example/lab --port 9000 --allow-edit\n",
    .options = (const arg_option *const[]){serve_options, NULL},
    .run = run,
};
