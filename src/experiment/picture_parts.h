/* picture_parts.h - what the files of the pictures share among themselves. */
#ifndef PICTURE_PARTS_H
#define PICTURE_PARTS_H

#include "canvas.h"
#include "pictures.h"
#include "sample.h"

/* A picture of an experiment on its way. */
typedef struct picture {
    const plan *plan;
    const results *results;
    canvas canvas;
} picture;

/* The panels of one kind of figure each. */
locbo_status picture_curves(picture *d, locbo_error *error);
locbo_status picture_sweep(picture *d, locbo_error *error);
locbo_status picture_grid(picture *d, locbo_error *error);
locbo_status picture_dots(picture *d, locbo_error *error);
locbo_status picture_ratios(picture *d, locbo_error *error);
locbo_status picture_scores(picture *d, locbo_error *error);
/* Coverage against the theory's bounds. */
locbo_status picture_bounds(picture *d, locbo_error *error);

/* What most pictures show twice: of the best observed point, and of the recommended one. */
enum { PICTURE_SIDES = 2 };
extern const sample_column picture_side[PICTURE_SIDES];
extern const char *const picture_side_name[PICTURE_SIDES];

/* Their axis: "simple regret", or what is measured if the optimum is not known. */
const char *picture_measure(const plan *p);
/* A panel's title: the case before `what`, or `what` alone if there is but one case. */
const char *picture_title(picture *d, size_t c, const char *what);
/* The method's name, colour and dashes; points are open circles in place of dashes. */
figure_series picture_style(const plan *p, size_t m, figure_kind kind);
int picture_has_runs(const picture *d, size_t cell);
/* Mean over the runs of a cell after round t with a bootstrap interval; NANs without runs. */
locbo_status picture_mean(const picture *d, size_t cell, size_t t, sample_column column, double level,
                          stats_interval *mean, locbo_error *error);

#endif
