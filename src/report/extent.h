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
/* Whether the panel's named tics are on this axis. */
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
void extent_row(const figure_panel *p, const extent range[2], const figure_series *s, size_t i,
                double row[4]);

#endif
