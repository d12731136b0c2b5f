/* screen.h - predictions at one set of candidates, kept while the model gets nothing but pending rows: of many asks in
 * a row, each needs one row more. */
#ifndef SCREEN_H
#define SCREEN_H

#include "gp.h"

/* One block of candidates. */
typedef struct screen_block {
    size_t m, have; /* points; rows of the model that `work` has */
    double *u, *mu; /* the means, then the variances, then the caller's numbers */
    int known;      /* whether these are set */
    gp_work work;
} screen_block;

/* Zero-initialise, release once. */
typedef struct screen {
    uint64_t version; /* of the model; with another one nothing is of use */
    size_t capacity;
    screen_block *block;
} screen;
void screen_release(screen *s);

/* The model has this version now. */
void screen_renew(screen *s, uint64_t version);
/* gp_predict at block number `number`, into `work`, which the screen and the caller exchange: screen_return gives it
 * back. */
locbo_status screen_predict(screen *s, size_t number, const gp *model, size_t m, const double *u, double *mu, double *v,
                            gp_work *work, locbo_error *error);
/* Room for a number of the caller's for each point of that block, and whether it has set them: they are kept as long as
 * the points and the model's data are. */
double *screen_local(screen *s, size_t number, int **known);
void screen_return(screen *s, size_t number, gp_work *work);

#endif
