/* excerpt.h - some rows of a dataset, as a dataset of their own: what a fit sees of many results, or what the model has
 * rows of. */
#ifndef EXCERPT_H
#define EXCERPT_H

#include "dataset.h"

/* Zero-initialise, release once. */
typedef struct excerpt {
    dataset rows;
    size_t *source; /* rows.n: the number of each row in the whole */
    size_t capacity;
} excerpt;
void excerpt_release(excerpt *e);

/* Make it n rows of d. `merged` as in dataset_copy_rows. */
locbo_status excerpt_take(excerpt *e, const dataset *d, size_t n, const size_t *row, int merged, locbo_error *error);
/* One more row of d. */
locbo_status excerpt_add(excerpt *e, const dataset *d, size_t row, locbo_error *error);
/* Take back the last one. */
void excerpt_remove_last(excerpt *e);

/* `most` of the rows of d that stand for all: the best quarter of them, the latest quarter, gross outliers if
 * they are few, and the others evenly from the whole. d has more than `most` rows, which are 8 or more. */
locbo_status excerpt_sample(excerpt *e, const dataset *d, size_t most, locbo_error *error);

/* Flag `count` more of n items, evenly from those that have no flag yet. */
void excerpt_flag_evenly(unsigned char *flag, size_t n, size_t count);

#endif
