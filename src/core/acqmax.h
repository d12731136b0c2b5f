/* acqmax.h - the next query: the feasible point with the largest score (eq:locbo_iterate). */
#ifndef ACQMAX_H
#define ACQMAX_H

#include "space.h"
#include "surface.h"

typedef struct acqmax_request {
    const locbo_space *space;
    const surface *surface;
    const double *fixed;   /* dim values, NAN where free; NULL: all free */
    const double *anchors; /* good points (x, rows of dim), perturbed into candidates */
    size_t anchor_count;
    const double *taken; /* points that are not to be proposed again, pending ones first */
    size_t taken_count, pending_count;
    int candidates;   /* 0: automatic */
    int refine;       /* how many are refined */
    int coarse;       /* two digits of their scores are enough */
    int uniform_only; /* exactly `candidates` uniform ones, not refined */
    rng stream;
    rng path; /* Thompson sampling's own stream */
} acqmax_request;

typedef struct acqmax acqmax; /* workspace */
locbo_status acqmax_create(acqmax **out, size_t dim, size_t columns, locbo_error *error);
void acqmax_destroy(acqmax *a);

/* x receives a point of the space with fixed coordinates as given, not a taken one unless all are; *score its score. */
locbo_status acqmax_run(acqmax *a, const acqmax_request *r, double *x, double *score, locbo_error *error);

/* The candidates that a search would begin from, not those of a list: *n of them, encoded; they belong to a and are
 * valid until its next call. Needs no surface. */
locbo_status acqmax_spread(acqmax *a, const acqmax_request *r, size_t *n, const double **u, locbo_error *error);

/* A uniform random point by the same rules; needs no surface. */
locbo_status acqmax_random(acqmax *a, const acqmax_request *r, double *x, locbo_error *error);
/* *n such points, at least 1 and at most `most`, all drawn at once: what known constraints leave of the space may have
 * to be looked for, and is so once. */
locbo_status acqmax_random_several(acqmax *a, const acqmax_request *r, size_t most, double *x, size_t *n,
                                   locbo_error *error);

/* Whether x is one of the first `count` taken points. */
int acqmax_is_taken(const acqmax_request *r, const double *x, size_t count);

#endif
