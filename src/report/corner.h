/* corner.h - the corner of a panel where a key covers least of the data. */
#ifndef CORNER_H
#define CORNER_H

#include "extent.h"

typedef struct corner {
    int right, top;
} corner;

/* The corner with the fewest lines and symbols, for a key of this width and height (shares of the panel). Of equal
 * corners, the right one, then the upper one. */
corner corner_find(const figure_panel *p, const extent range[2], double width, double height);

#endif
