/* reply.c - the answers of the server. Layer: web, parts. */
#include "reply.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "json_text.h"
#include "mem.h"
#include "rows.h"

/* ---- headers --------------------------------------------------------------------------------- */

/* The page may load files of this server only; other pages may not load, frame or read it. */
static const char *const headers[][2] = {
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                                "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
                                "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"X-Frame-Options", "DENY"},
};

static int add(struct MHD_Response *response, const char *name, const char *value) {
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

enum MHD_Result reply_send(struct MHD_Connection *c, unsigned code, struct MHD_Response *response) {
    int good = response != NULL;
    for (size_t i = 0; good && i < sizeof headers / sizeof headers[0]; i++)
        good = add(response, headers[i][0], headers[i][1]);
    enum MHD_Result result = good ? MHD_queue_response(c, code, response) : MHD_NO;
    if (response) MHD_destroy_response(response);
    return result;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* The text is from malloc (mem.h), and the response frees it. */
static struct MHD_Response *json_response(json_t *answer) {
    buffer text = {0};
    if (answer) json_text_write(&text, answer, 0);
    json_decref(answer);
    struct MHD_Response *response =
        text.data && !text.failed ? MHD_create_response_from_buffer(text.size, text.data, MHD_RESPMEM_MUST_FREE) : NULL;
    if (!response) {
        mem_free(text.data);
        return NULL;
    }
    if (add(response, "Content-Type", "application/json") && add(response, "Cache-Control", "no-store"))
        return response;
    MHD_destroy_response(response);
    return NULL;
}

enum MHD_Result reply_json(struct MHD_Connection *c, unsigned code, json_t *answer) {
    return reply_send(c, code, json_response(answer));
}

enum MHD_Result reply_error(struct MHD_Connection *c, unsigned code, const char *name, const char *value,
                            const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    /* rows_text: valid UTF-8 also if the message was cut inside a character */
    struct MHD_Response *response = json_response(json_pack("{s:o*}", "error", rows_text(message)));
    if (response && name && !add(response, name, value)) {
        MHD_destroy_response(response);
        response = NULL;
    }
    return reply_send(c, code, response);
}

static unsigned code_of(locbo_status status) {
    switch (status) {
    case LOCBO_ERR_ARGUMENT:
    case LOCBO_ERR_FORMAT:
        return MHD_HTTP_BAD_REQUEST;
    case LOCBO_ERR_NOT_FOUND:
        return MHD_HTTP_NOT_FOUND;
    case LOCBO_ERR_STATE:
    case LOCBO_ERR_NOTHING:
    case LOCBO_ERR_CHANGED:
    case LOCBO_ERR_PAUSED:
        return MHD_HTTP_CONFLICT;
    case LOCBO_ERR_BUSY:
    case LOCBO_ERR_IO:
    case LOCBO_ERR_SCHEMA:
    case LOCBO_ERR_MEMORY:
    case LOCBO_ERR_CANCELLED:
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    case LOCBO_OK:
    case LOCBO_ERR_NUMERIC:
    case LOCBO_ERR_STOPPED:
        break;
    }
    return MHD_HTTP_INTERNAL_SERVER_ERROR;
}

enum MHD_Result reply_failure(struct MHD_Connection *c, const locbo_error *error) {
    unsigned code = code_of(error->status);
    int temporary = code == MHD_HTTP_SERVICE_UNAVAILABLE;
    return reply_error(c, code, temporary ? "Retry-After" : NULL, "2", "%s", error->message);
}

enum MHD_Result reply_method(struct MHD_Connection *c, const char *allowed) {
    return reply_error(c, MHD_HTTP_METHOD_NOT_ALLOWED, "Allow", allowed, "this address accepts %s only", allowed);
}

/* ---- files ----------------------------------------------------------------------------------- */

int reply_is_known(const char *header, const char *etag) {
    size_t length = strlen(etag);
    while (header && *header) {
        header += strspn(header, " \t,");
        if (*header == '*') return 1;
        if (strncmp(header, "W/", 2) == 0) header += 2;
        size_t tag = strcspn(header, ",");
        size_t end = tag;
        while (end > 0 && (header[end - 1] == ' ' || header[end - 1] == '\t')) end--;
        if (end == length && strncmp(header, etag, length) == 0) return 1;
        header += tag;
    }
    return 0;
}

enum MHD_Result reply_asset(struct MHD_Connection *c, const asset *a) {
    const char *has = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "If-None-Match");
    int known = reply_is_known(has, a->etag);
    struct MHD_Response *response = MHD_create_response_from_buffer(
        known ? 0 : a->size, (void *)(known ? (const unsigned char *)"" : a->bytes), MHD_RESPMEM_PERSISTENT);
    if (response && !(add(response, "ETag", a->etag) && add(response, "Content-Type", a->type) &&
                      add(response, "Cache-Control", "no-cache"))) {
        MHD_destroy_response(response);
        response = NULL;
    }
    return reply_send(c, known ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, response);
}

/* ---- the client ------------------------------------------------------------------------------ */

int reply_is_closed(struct MHD_Connection *c) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (!info) return 0;
    struct pollfd end = {.fd = info->connect_fd, .events = POLLRDHUP};
    return poll(&end, 1, 0) > 0 && (end.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}
