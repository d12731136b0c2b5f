/* page.h - where the panels of a figure stand: up to three beside each other (four in two rows),
 * keys to their right. All in inches; texts of 9 points. */
#ifndef PAGE_H
#define PAGE_H

#include "figure.h"

typedef struct page {
    size_t panels, columns;
    const figure_panel *panel;
} page;

/* From the left and from below; without the key, which begins at the right end. */
typedef struct page_place {
    double left, bottom, width, height;
} page_place;

page page_open(size_t panels, const figure_panel *panel);
double page_width(const page *g);
double page_height(const page *g);
page_place page_place_of(const page *g, size_t panel);

/* Of one panel: */
double page_top_margin(const figure_panel *p);
double page_bottom_margin(const figure_panel *p);
double page_widest_tic(const figure_panel *p);  /* of the named ones */
int page_is_turned(const figure_panel *p);      /* whether names on the x axis are */
size_t page_key_entries(const figure_panel *p); /* 0: it has no key */

#endif
