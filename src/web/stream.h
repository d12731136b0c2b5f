/* stream.h - /api/events: changes of a study as they happen, until the client disconnects. */
#ifndef STREAM_H
#define STREAM_H

#include <microhttpd.h>

#include "peers.h"
#include "watch.h"

/* Answer with a stream. `who`: the connection, as a stream already. `name` NULL: the only study. */
enum MHD_Result stream_open(struct MHD_Connection *c, peer *who, watch *w, const char *name);

#endif
