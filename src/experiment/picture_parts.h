/* picture_parts.h - functions shared by the kinds of figures (picture_*.c). */
#ifndef PICTURE_PARTS_H
#define PICTURE_PARTS_H

#include "canvas.h"
#include "pictures.h"
#include "sample.h"

/* The figure of an experiment while it is built. */
typedef struct picture {
    const plan *plan;
    const results *results;
    canvas canvas;
} picture;

/* Add the panels of a kind of figure. */
locbo_status picture_curves(picture *d, locbo_error *error);
locbo_status picture_sweep(picture *d, locbo_error *error);
locbo_status picture_grid(picture *d, locbo_error *error);
locbo_status picture_dots(picture *d, locbo_error *error);
locbo_status picture_ratios(picture *d, locbo_error *error);
locbo_status picture_scores(picture *d, locbo_error *error);
locbo_status picture_bounds(picture *d, locbo_error *error);
locbo_status picture_costs(picture *d, locbo_error *error);

/* Most figures have panels for the best observed point and for the recommended one. */
enum { PICTURE_SIDES = 2 };
extern const sample_column picture_side[PICTURE_SIDES];
extern const char *const picture_side_name[PICTURE_SIDES];

/* The label of their axis: "simple regret", or the measured quantity if the optimum is not known. */
const char *picture_measure(const plan *p);
/* A panel's title: "CASE: what", or `what` if there is only one case. */
const char *picture_title(picture *d, size_t c, const char *what);
/* The method's name, colour and line; a dashed method has open circles as points. */
figure_series picture_style(const plan *p, size_t m, figure_kind kind);
int picture_has_runs(const picture *d, size_t cell);
/* Number i of a series with its interval: the interval of y at x, or that of x at y. Does nothing if i >= line->n. */
void picture_put(canvas_numbers *line, size_t i, double x, stats_interval y);
void picture_put_along_x(canvas_numbers *line, size_t i, double y, stats_interval x);
/* Mean over the runs of a cell after round t with a bootstrap interval; NANs without runs. */
locbo_status picture_mean(const picture *d, size_t cell, size_t t, sample_column column, double level,
                          stats_interval *mean, locbo_error *error);

#endif
