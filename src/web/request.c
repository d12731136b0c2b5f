/* request.c - one request: whether it is allowed, and which function answers it. Layer: web, requests. */
#include "request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "buffer.h"
#include "edit.h"
#include "mem.h"
#include "reply.h"
#include "stream.h"
#include "uri.h"
#include "view_studies.h"

enum {
    BODY = 64 << 10, /* bytes at most */
    PATIENCE = 5     /* seconds that an edit waits for a proposal of another process */
};

typedef struct request {
    site *site;
    struct MHD_Connection *connection;
    peer *peer;
    char *raw;    /* the address as it came; NULL: too long, or no memory */
    int too_long; /* the address */
    uri uri;
    int begun; /* the headers have been read */
    buffer body;
} request;

/* The name after "/api/", NULL if the path is another one. */
static const char *api_name(const request *r) {
    static const char prefix[] = "/api/";
    size_t length = sizeof prefix - 1;
    return strncmp(r->uri.path, prefix, length) == 0 ? r->uri.path + length : NULL;
}

/* ---- headers --------------------------------------------------------------------------------- */

static const char *header(const request *r, const char *name) {
    return MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, name);
}

/* The headers of one name: there may be several. */
typedef struct header_count {
    const site *site;
    const char *name;
    int (*check)(const char *value, unsigned port);
    size_t count, good;
} header_count;

static enum MHD_Result take_header(void *user, enum MHD_ValueKind kind, const char *key, const char *value) {
    header_count *t = user;
    (void)kind;
    if (strcasecmp(key, t->name) != 0) return MHD_YES;
    t->count++;
    t->good += t->check(value ? value : "", t->site->port) != 0;
    return MHD_YES;
}

/* Their number; -1 if one of them is not allowed. */
static int count_good(const request *r, const char *name, int (*check)(const char *value, unsigned port)) {
    header_count t = {.site = r->site, .name = name, .check = check};
    MHD_get_connection_values(r->connection, MHD_HEADER_KIND, take_header, &t);
    return t.good == t.count ? (int)t.count : -1;
}

static int check_site(const char *value, unsigned port) {
    (void)port;
    return guard_site(value);
}

static int check_length(const char *value, unsigned port) {
    (void)port;
    return guard_length(value);
}

static enum MHD_Result check_form(void *user, enum MHD_ValueKind kind, const char *key, const char *value) {
    const char **bad = user;
    (void)kind;
    if (!guard_form(key, value ? value : "")) *bad = key;
    return MHD_YES;
}

/* Exactly one Host header, that of this server. */
static int is_host_ours(const request *r) { return count_good(r, "Host", guard_host) == 1; }

/* Programs and the address bar send no Origin. */
static int is_origin_foreign(const request *r) {
    int count = count_good(r, "Origin", guard_origin);
    return count != 0 && count != 1;
}

/* Any page can make the browser send a request (<img src=...>). It cannot read the answer, but the server would compute
 * it. Links to the page itself are allowed from everywhere. */
static int is_site_foreign(const request *r) { return api_name(r) && count_good(r, "Sec-Fetch-Site", check_site) < 0; }

/* "application/json", perhaps with parameters. */
static int is_json(const char *type) {
    static const char json[] = "application/json";
    size_t length = sizeof json - 1;
    if (!type || strncasecmp(type, json, length) != 0) return 0;
    return type[length] == '\0' || type[length] == ';' || type[length] == ' ';
}

/* ---- reading --------------------------------------------------------------------------------- */

static enum MHD_Result answer(const request *r, locbo_status status, json_t *made, const locbo_error *error) {
    if (status == LOCBO_OK) return reply_json(r->connection, MHD_HTTP_OK, made);
    return reply_failure(r->connection, error);
}

/* Too many requests or streams: of this client (429), or of all. */
static enum MHD_Result reply_full(const request *r, peer_verdict verdict, const locbo_error *error) {
    if (verdict == PEER_FULL) return reply_failure(r->connection, error);
    return reply_error(r->connection, MHD_HTTP_TOO_MANY_REQUESTS, "Retry-After", "2", "%s", error->message);
}

static enum MHD_Result get_studies(const request *r) {
    static const char *const none[] = {NULL};
    locbo_error error;
    json_t *made = NULL;
    locbo_status status = query_check(&r->uri.query, none, &error);
    if (status == LOCBO_OK) status = db_connection_enter(r->site->facts, &error);
    if (status != LOCBO_OK) return reply_failure(r->connection, &error);
    status = view_studies(db_connection_store(r->site->facts), r->site->edit, &made, &error);
    db_connection_leave(r->site->facts, status);
    return answer(r, status, made, &error);
}

static enum MHD_Result get_events(const request *r) {
    static const char *const keys[] = {"study", NULL};
    locbo_error error;
    if (query_check(&r->uri.query, keys, &error) != LOCBO_OK) return reply_failure(r->connection, &error);
    peer_verdict verdict = peer_begin(r->peer, PEER_STREAM, &error);
    if (verdict != PEER_ALLOWED) return reply_full(r, verdict, &error);
    return stream_open(r->connection, r->peer, r->site->watch, query_get(&r->uri.query, "study"));
}

static enum MHD_Result get_view(const request *r, const view *v) {
    db_connection *d = v->model ? r->site->model : r->site->facts;
    locbo_error error;
    json_t *made = NULL;
    locbo_status status = db_connection_enter(d, &error);
    if (status == LOCBO_OK) {
        /* nothing is computed for a client that left while it waited */
        int gone = v->model && reply_is_closed(r->connection);
        if (!gone) status = db_connection_view(d, v, &r->uri.query, &made, &error);
        db_connection_leave(d, status);
        if (gone) return MHD_NO;
    }
    return answer(r, status, made, &error);
}

static enum MHD_Result not_found(const request *r) {
    return reply_error(r->connection, MHD_HTTP_NOT_FOUND, NULL, NULL, "there is nothing at %.200s", r->uri.path);
}

static enum MHD_Result get(const request *r) {
    const char *name = api_name(r);
    const asset *file = r->uri.path[0] == '/' && !name ? asset_find(r->uri.path) : NULL;
    if (file) return reply_asset(r->connection, file);
    if (!name) return not_found(r);
    if (strcmp(name, "studies") == 0) return get_studies(r);
    if (strcmp(name, "events") == 0) return get_events(r);
    if (view_find(name)) return get_view(r, view_find(name));
    if (edit_find(name)) return reply_method(r->connection, "POST");
    return not_found(r);
}

/* ---- editing --------------------------------------------------------------------------------- */

static int is_readable(const request *r, const char *name) {
    if (!name) return asset_find(r->uri.path) != NULL;
    return view_find(name) || strcmp(name, "studies") == 0 || strcmp(name, "events") == 0;
}

/* Ends any wait of an edit: the timeout of the store is for the database only, not for a proposal of another process.
 */
static int give_up(const char *why, double waited, void *user) {
    const site *s = user;
    (void)why;
    return waited > PATIENCE || db_connection_is_stopped(s->facts);
}

/* One proposal at a time: a second request is refused, not queued. Short edits do not wait for it. */
static locbo_status edit_in_turn(const request *r, const edit *e, json_t **made, locbo_error *error) {
    pthread_mutex_t *proposing = edit_is_long(e) ? &r->site->proposing : NULL;
    edit_database at = {.url = r->site->url, .fn = give_up, .user = r->site};
    if (proposing && pthread_mutex_trylock(proposing) != 0)
        return status_fail(error, LOCBO_ERR_BUSY, "another point is being added to the queue: try again");
    locbo_status status = edit_make(e, &at, r->body.data ? r->body.data : "", r->body.size, made, error);
    if (proposing) pthread_mutex_unlock(proposing);
    return status;
}

static enum MHD_Result make_edit(const request *r, const edit *e) {
    locbo_error error;
    json_t *made = NULL;
    locbo_status status = edit_in_turn(r, e, &made, &error);
    return answer(r, status, made, &error);
}

static enum MHD_Result post(const request *r) {
    struct MHD_Connection *c = r->connection;
    const char *name = api_name(r);
    const edit *e = name ? edit_find(name) : NULL;
    if (!r->site->edit)
        return reply_error(c, MHD_HTTP_FORBIDDEN, NULL, NULL,
                           "edits are not allowed: the server was started without --allow-edit");
    if (!e && is_readable(r, name)) return reply_method(c, "GET, HEAD");
    if (!e) return not_found(r);
    if (!guard_token(header(r, "Authorization"), r->site->token))
        return reply_error(c, MHD_HTTP_UNAUTHORIZED, "WWW-Authenticate", "Bearer",
                           "edits need the token, which is in the address that the server printed");
    if (!is_json(header(r, "Content-Type")))
        return reply_error(c, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, NULL, NULL, "the body must be application/json");
    if (r->uri.query.count > 0)
        return reply_error(c, MHD_HTTP_BAD_REQUEST, NULL, NULL,
                           "an edit takes its arguments from the body: the address must have no query");
    return make_edit(r, e);
}

/* ---- dispatch -------------------------------------------------------------------------------- */

static enum MHD_Result foreign(const request *r) {
    return reply_error(r->connection, MHD_HTTP_FORBIDDEN, NULL, NULL,
                       "requests from pages of other servers are refused");
}

static enum MHD_Result dispatch(request *r, const char *method) {
    struct MHD_Connection *c = r->connection;
    locbo_error error;
    if (!is_host_ours(r))
        return reply_error(c, MHD_HTTP_MISDIRECTED_REQUEST, NULL, NULL,
                           "the Host must be 127.0.0.1, localhost or [::1] with port %u", r->site->port);
    if (is_origin_foreign(r)) return foreign(r);
    if (r->too_long)
        return reply_error(c, MHD_HTTP_URI_TOO_LONG, NULL, NULL, "the address has more than %d bytes", URI_LENGTH);
    if (!r->raw) return reply_send(c, MHD_HTTP_SERVICE_UNAVAILABLE, NULL); /* no memory */
    if (uri_read(&r->uri, r->raw, &error) != LOCBO_OK) return reply_failure(c, &error);
    if (is_site_foreign(r)) return foreign(r);
    if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0) return get(r);
    if (strcmp(method, "POST") == 0) return post(r);
    return reply_method(c, r->site->edit ? "GET, HEAD, POST" : "GET, HEAD");
}

/* ---- begin, body, end ------------------------------------------------------------------------ */

static peer *peer_of(struct MHD_Connection *c) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

void *request_begin(void *user, const char *raw, struct MHD_Connection *c) {
    request *r = mem_new(1, sizeof *r);
    if (!r) return NULL;
    r->site = user;
    r->connection = c;
    r->peer = peer_of(c);
    r->too_long = strlen(raw) > URI_LENGTH;
    if (!r->too_long) r->raw = mem_text(raw);
    return r;
}

void request_end(void *user, struct MHD_Connection *c, void **state, enum MHD_RequestTerminationCode why) {
    request *r = *state;
    (void)user, (void)c, (void)why;
    if (!r) return;
    if (r->peer) peer_wait(r->peer);
    uri_release(&r->uri);
    mem_free(r->raw);
    mem_free(r->body.data);
    mem_free(r);
    *state = NULL;
}

/* A short body is read to its end before any answer, so that the client reads the answer; a long one is refused. So is
 * one whose end is not certain: what follows it, a proxy in between could take for another request than this server. */
static enum MHD_Result begin_body(request *r) {
    struct MHD_Connection *c = r->connection;
    const char *length = header(r, "Content-Length"), *encoding = header(r, "Transfer-Encoding");
    int count = count_good(r, "Content-Length", check_length);
    const char *bad = NULL;
    r->begun = 1;
    MHD_get_connection_values(c, MHD_HEADER_KIND, check_form, &bad);
    if (bad)
        return reply_error(c, MHD_HTTP_BAD_REQUEST, "Connection", "close", "the header '%.80s' is not as HTTP allows",
                           bad);
    if (count < 0 || count > 1 || (count == 1 && encoding))
        return reply_error(c, MHD_HTTP_BAD_REQUEST, "Connection", "close",
                           "the length of the body must be given once, by one Content-Length in digits");
    if (encoding)
        return reply_error(c, MHD_HTTP_LENGTH_REQUIRED, "Connection", "close", "a body needs a Content-Length");
    if (length && strtoull(length, NULL, 10) > BODY)
        return reply_error(c, MHD_HTTP_CONTENT_TOO_LARGE, "Connection", "close", "the body has more than %d bytes",
                           BODY);
    return MHD_YES;
}

static enum MHD_Result take_body(request *r, const char *data, size_t *size) {
    if (r->body.size + *size > BODY) return MHD_NO;
    buffer_add(&r->body, data, *size);
    *size = 0;
    return r->body.failed ? MHD_NO : MHD_YES;
}

enum MHD_Result request_handle(void *user, struct MHD_Connection *c, const char *path, const char *method,
                               const char *version, const char *data, size_t *size, void **state) {
    request *r = *state;
    locbo_error error;
    (void)user, (void)c, (void)path, (void)version;
    if (!r || !r->peer) return MHD_NO;
    if (!r->begun) return begin_body(r);
    if (*size > 0) return take_body(r, data, size);
    peer_verdict verdict = peer_begin(r->peer, PEER_REQUEST, &error);
    enum MHD_Result result = verdict == PEER_ALLOWED ? dispatch(r, method) : reply_full(r, verdict, &error);
    peer_sends(r->peer);
    return result;
}
