/* extent.h - what of a panel's numbers can be drawn, and over which range. */
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
/* The range the axis shall have, never empty. gnuplot is not asked to find it: where there is
 * nothing to find, it fails. */
extent extent_range(const figure_panel *p, extent_axis axis);
/* The number of the form 1, 2 or 5 times a power of ten that is nearest. */
double extent_step(double rough);
/* `times` such steps. */
double extent_multiple(double step, double times);

/* Row i of a series as it is drawn: x, y, low, high; NAN for what cannot be. On a logarithmic axis
 * the end of a band or bar that is not positive is put on the axis, so that the rest is seen. */
void extent_row(const figure_panel *p, const extent range[2], const figure_series *s, size_t i, double row[4]);

/* The surface of a panel, NULL if it has none. */
const figure_series *extent_surface(const figure_panel *p);
/* The values that its colours stand for, never empty. */
extent extent_colours(const figure_panel *p);
/* How many points of a surface have the y of its first one: the length of its rows. */
size_t extent_row_length(const figure_series *s);
/* The ends of the cell around place `at` of `n` ascending places, `step` apart in the array: half
 * way to its neighbours, in
 * the scale of the axis. */
extent extent_cell(const double *places, size_t n, size_t step, size_t at, int is_log);

#endif
