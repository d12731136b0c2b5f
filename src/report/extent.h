/* extent.h - the ranges of a panel's axes, and its numbers as they can be drawn. */
#ifndef EXTENT_H
#define EXTENT_H

#include "figure.h"

typedef enum extent_axis { EXTENT_X, EXTENT_Y } extent_axis;
typedef enum extent_column { EXTENT_AT_X, EXTENT_AT_Y, EXTENT_LOW, EXTENT_HIGH } extent_column;

typedef struct extent {
    double low, high;
} extent;

int extent_is_log(const figure_panel *p, extent_axis axis);
/* The named tics of an axis; n is 0 if it has none. */
typedef struct extent_names {
    size_t n;
    const double *at;
    const char *const *name;
} extent_names;

extent_names extent_names_of(const figure_panel *p, extent_axis axis);
int extent_is_named(const figure_panel *p, extent_axis axis);
/* The range of the axis, never empty. It is not left to gnuplot, which fails if there is no data. */
extent extent_range(const figure_panel *p, extent_axis axis);
/* The number of the form 1, 2 or 5 times a power of ten that is nearest. */
double extent_step(double rough);
/* step * times without rounding errors such as 0.6000000000000001. */
double extent_multiple(double step, double times);

/* Row i of a series as it is drawn: x, y, low, high; NAN: not drawn. On a logarithmic axis, an end of a band or bar
 * that is not positive is moved to the edge of the axis, so that the rest is visible. */
void extent_row(const figure_panel *p, const extent range[2], const figure_series *s, size_t i, double row[4]);

/* The surface of a panel, NULL if it has none. */
const figure_series *extent_surface(const figure_panel *p);
/* The range of values that its colours show, never empty. */
extent extent_colours(const figure_panel *p);
/* The length of a surface's rows: the number of points that have the y of the first. */
size_t extent_row_length(const figure_series *s);
/* The ends of the cell around number `at` of `n` ascending numbers, which are `step` apart in the array: half way to
 * its neighbours, in the scale of the axis. */
extent extent_cell(const double *numbers, size_t n, size_t step, size_t at, int is_log);

#endif
