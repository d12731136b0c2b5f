/* thin.h - a choice of at most so many of n points to show. */
#ifndef THIN_H
#define THIN_H

#include <stddef.h>

#include "status.h"

/* Of n values (NAN: none) at most `most` indices, ascending: all if n <= most; otherwise the first and the last, and of
 * each of equally long runs the lowest, the highest and two others, so that no extreme is lost. Release with mem_free.
 */
locbo_status thin_extremes(size_t n, const double *value, size_t most, size_t **chosen, size_t *count,
                           locbo_error *error);
/* The same, evenly spaced, with the first and the last. */
locbo_status thin_evenly(size_t n, size_t most, size_t **chosen, size_t *count, locbo_error *error);

#endif
