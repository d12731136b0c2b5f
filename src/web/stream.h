/* stream.h - /api/events: changes of a study as they happen, until the client disconnects. */
#ifndef STREAM_H
#define STREAM_H

#include <microhttpd.h>

#include "watch.h"

/* Answer with a stream. `name` NULL: the only study. */
enum MHD_Result stream_open(struct MHD_Connection *c, watch *w, const char *name);

#endif
