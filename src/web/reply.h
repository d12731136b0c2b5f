/* reply.h - the answers of the server: JSON, errors, files of the page; each with the security headers. */
#ifndef REPLY_H
#define REPLY_H

#include <jansson.h>
#include <microhttpd.h>

#include "assets.h"
#include "status.h"

/* Queue a response with the common headers, and release it. NULL: no memory; the connection is closed. */
enum MHD_Result reply_send(struct MHD_Connection *c, unsigned code, struct MHD_Response *response);
/* Takes ownership of `answer`; NULL: no memory. */
enum MHD_Result reply_json(struct MHD_Connection *c, unsigned code, json_t *answer);
/* {"error": message}, with one more header if `name` is not NULL. */
enum MHD_Result reply_error(struct MHD_Connection *c, unsigned code, const char *name, const char *value,
                            const char *format, ...) __attribute__((format(printf, 5, 6)));
/* An error, with the HTTP code of its status. */
enum MHD_Result reply_failure(struct MHD_Connection *c, const locbo_error *error);
/* 405, with the allowed methods. */
enum MHD_Result reply_method(struct MHD_Connection *c, const char *allowed);
/* The file, or 304 if the browser has it. */
enum MHD_Result reply_asset(struct MHD_Connection *c, const asset *a);

/* Whether an If-None-Match header names this tag: "*", or a list of tags, weak ones too. */
int reply_is_known(const char *header, const char *etag);
/* Whether the client has closed the connection. */
int reply_is_closed(struct MHD_Connection *c);

#endif
