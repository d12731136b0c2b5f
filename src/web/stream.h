/* stream.h - /api/events: news of a study as they come, for as long as somebody listens. */
#ifndef STREAM_H
#define STREAM_H

#include <microhttpd.h>

#include "watch.h"

/* Answer with a stream. `name` NULL: the only study. */
enum MHD_Result stream_open(struct MHD_Connection *c, watch *w, const char *name);

#endif
