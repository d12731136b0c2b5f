/* reply.h - the answers of the server: JSON, errors, files of the page; on each the headers that keep others out. */
#ifndef REPLY_H
#define REPLY_H

#include <jansson.h>
#include <microhttpd.h>

#include "assets.h"
#include "status.h"

/* Queue a response with the common headers, and release it. NULL: there was no memory for it, and the connection ends.
 */
enum MHD_Result reply_send(struct MHD_Connection *c, unsigned code, struct MHD_Response *response);
/* Takes `answer` over; NULL is a lack of memory. */
enum MHD_Result reply_json(struct MHD_Connection *c, unsigned code, json_t *answer);
/* {"error": message}, with one more header if `name` is not NULL. */
enum MHD_Result reply_error(struct MHD_Connection *c, unsigned code, const char *name, const char *value,
                            const char *format, ...) __attribute__((format(printf, 5, 6)));
/* A failure of ours, as the code that it is in HTTP. */
enum MHD_Result reply_failure(struct MHD_Connection *c, const locbo_error *error);
/* 405, with what is allowed instead. */
enum MHD_Result reply_method(struct MHD_Connection *c, const char *allowed);
/* The file, or 304 if the browser has it. */
enum MHD_Result reply_asset(struct MHD_Connection *c, const asset *a);

/* Whether an If-None-Match header names this tag: "*", or a list of tags, weak ones too. */
int reply_is_known(const char *header, const char *etag);
/* Whether the client has hung up. */
int reply_is_unwanted(struct MHD_Connection *c);

#endif
