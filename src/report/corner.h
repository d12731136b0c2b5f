/* corner.h - where in a panel a key covers least. */
#ifndef CORNER_H
#define CORNER_H

#include "extent.h"

typedef struct corner {
    int right, top;
} corner;

/* The corner with the least of the panel's lines and symbols in it, of a key that takes these
 * shares of the panel. Of equals
 * the one further right, then further up. */
corner corner_find(const figure_panel *p, const extent range[2], double width, double height);

#endif
