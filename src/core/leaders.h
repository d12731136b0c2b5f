/* leaders.h - several outputs: the results that may be the best, by what was measured and when.
 *
 * A model of landmarks (landmarks.h) has rows at few of its results, each output at others. The leaders are rows of the
 * models of all outputs, so that all of them can be drawn there (together.h). Half of them are the latest results:
 * where noise is large, proposals know better than single measurements where it is good. The others are the front of
 * the results whose measured constraints hold, the front of those that it leaves, and so on; if that is not enough, the
 * results that miss the constraints by least. They follow from the results alone, whatever was fitted or asked since.
 */
#ifndef LEADERS_H
#define LEADERS_H

#include "outputs.h"
#include "space.h"

enum { LEADERS_MOST = 128 };

/* Whose results, and which outputs; not owned. */
typedef struct leaders {
    const struct told *told;
    const locbo_outputs *outputs;
    const locbo_space *space;
    const size_t *listed; /* the modelled outputs in the table: the objectives first, then the constraints */
    size_t objectives, parts;
} leaders;

/* Up to `most` of them, at most LEADERS_MOST, among the results up to the n-th one that has output `part`, of which
 * *row receives the numbers, ascending, among the results that have that output. Only results that have all outputs,
 * lie in the space and may be the best (not ended early, at full fidelity). */
locbo_status leaders_find(const leaders *l, size_t part, size_t n, size_t most, size_t *row, size_t *count,
                          locbo_error *error);

#endif
