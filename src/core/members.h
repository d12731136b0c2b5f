/* members.h - the candidates of a choice between laws of the noise and scales of the outputs, as a fit stores them. */
#ifndef MEMBERS_H
#define MEMBERS_H

#include "dataset.h"
#include "fit_numbers.h"

enum {
    MEMBERS_MOST = FIT_MEMBERS, /* four laws on two scales */
    MEMBERS_MARGIN = 1          /* by how much the score of a candidate must exceed that of the simpler ones */
};

typedef struct members {
    size_t count, chosen;
    locbo_member item[MEMBERS_MOST];
    double *theta; /* of item i: row i */
    size_t stride; /* length of a row */
} members;

/* An empty list; thetas have at most `stride` numbers. */
locbo_status members_init(members *m, size_t stride, locbo_error *error);
void members_release(members *m);
/* Append a copy; its theta has at most `stride` numbers, and there are less than MEMBERS_MOST. */
void members_add(members *m, const locbo_member *item);
/* Replace all by copies. */
void members_set(members *m, size_t count, size_t chosen, const locbo_member *items);

/* Give the chosen one another theta, `count` numbers of it, by which its score is larger by `gain`. */
void members_revise(members *m, size_t count, const double *theta, double gain);

/* The scale of a candidate; `sign` as in scaling.h. */
scaling members_scale(const locbo_member *item, double sign);

#endif
