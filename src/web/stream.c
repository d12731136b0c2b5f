/* stream.c - changes of a study as server-sent events. Layer: web, streams. The thread of the connection waits here. */
#include "stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "buffer.h"
#include "clock.h"
#include "mem.h"
#include "reply.h"
#include "rows.h"

enum {
    FIRST = 3,  /* seconds that the first event may take */
    STEP = 1,   /* seconds between two checks that the client is connected */
    ALIVE = 15, /* seconds without an event after which a comment line is sent */
    BLOCK = 1024
};

typedef struct stream {
    struct MHD_Connection *connection;
    peer *peer;
    watch *watch;
    watcher who;
    buffer text; /* to be sent */
    size_t sent;
    int ended;
    time_t last; /* when something was sent */
} stream;

static time_t now(void) { return (time_t)clock_now(); }

/* ---- events ---------------------------------------------------------------------------------- */

/* Takes ownership of `data`. */
static void add_event(stream *s, const char *kind, json_t *data) {
    char *line = data ? json_dumps(data, JSON_COMPACT) : NULL;
    json_decref(data);
    if (!line) s->text.failed = 1;
    buffer_text(&s->text, "event: ");
    buffer_text(&s->text, kind);
    buffer_text(&s->text, "\ndata: ");
    buffer_text(&s->text, line ? line : "{}");
    buffer_text(&s->text, "\n\n");
    free(line);
}

/* The stamp is a text: JavaScript has no 64-bit numbers. */
static json_t *change_json(const watcher *who) {
    char stamp[24];
    snprintf(stamp, sizeof stamp, "%016" PRIx64, who->stamp);
    return json_pack("{s:s, s:I, s:I}", "stamp", stamp, "trials", (json_int_t)who->trials, "events",
                     (json_int_t)who->events);
}

static void add_news(stream *s, watch_news news) {
    if (news == WATCH_CHANGE) add_event(s, "change", change_json(&s->who));
    if (news == WATCH_TROUBLE) add_event(s, "trouble", json_pack("{s:o*}", "error", rows_text(s->who.trouble)));
    if (news == WATCH_GONE) add_event(s, "gone", json_object());
    if (news == WATCH_QUIET && now() - s->last >= ALIVE) buffer_text(&s->text, ":\n\n");
    s->ended = news == WATCH_GONE || news == WATCH_END;
}

/* Waits until there is something to send, or the end. */
static void next(stream *s) {
    s->text.size = s->sent = 0;
    while (s->text.size == 0 && !s->ended) {
        watch_news news = watch_await(s->watch, &s->who, STEP);
        if (reply_is_closed(s->connection))
            s->ended = 1;
        else
            add_news(s, news);
    }
    s->last = now();
}

/* ---- the response ---------------------------------------------------------------------------- */

static ssize_t read_stream(void *user, uint64_t position, char *to, size_t most) {
    stream *s = user;
    (void)position;
    peer_computes(s->peer); /* all before it was sent */
    if (s->sent == s->text.size && !s->ended) next(s);
    peer_sends(s->peer);
    if (s->text.failed) return MHD_CONTENT_READER_END_WITH_ERROR;
    size_t left = s->text.size - s->sent;
    if (left == 0) return MHD_CONTENT_READER_END_OF_STREAM;
    if (left > most) left = most;
    memcpy(to, s->text.data + s->sent, left);
    s->sent += left;
    return (ssize_t)left;
}

static void close_stream(void *user) {
    stream *s = user;
    watch_leave(s->watch, &s->who);
    mem_free(s->text.data);
    mem_free(s);
}

static struct MHD_Response *response_of(stream *s) {
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, s, close_stream);
    if (!response) {
        close_stream(s);
        return NULL;
    }
    if (MHD_add_response_header(response, "Content-Type", "text/event-stream") == MHD_YES &&
        MHD_add_response_header(response, "Cache-Control", "no-store") == MHD_YES)
        return response;
    MHD_destroy_response(response);
    return NULL;
}

/* The first event. Returns 0 if no study was named and there is not exactly one. A named study that does not exist is
 * an event: a browser that reconnects does not show the HTTP code to the page. */
static int add_first(stream *s, const char *name) {
    watch_news news = watch_await(s->watch, &s->who, FIRST);
    if (news == WATCH_GONE && !name) return 0;
    add_news(s, news);
    return 1;
}

enum MHD_Result stream_open(struct MHD_Connection *c, peer *who, watch *w, const char *name) {
    locbo_error error;
    stream *s = mem_new(1, sizeof *s);
    if (!s) return reply_send(c, MHD_HTTP_SERVICE_UNAVAILABLE, NULL);
    *s = (stream){.connection = c, .peer = who, .watch = w, .last = now()};
    if (watch_join(w, &s->who, name, &error) != LOCBO_OK) {
        mem_free(s);
        return reply_failure(c, &error);
    }
    buffer_text(&s->text, "retry: 2000\n\n"); /* milliseconds after which a browser reconnects */
    if (!add_first(s, name)) {
        close_stream(s);
        return reply_error(c, MHD_HTTP_NOT_FOUND, NULL, NULL,
                           "the database does not hold exactly one study: give its name as study=NAME");
    }
    return reply_send(c, MHD_HTTP_OK, response_of(s));
}
