/* page.h - the layout of a figure's panels: up to three in a row (four in two rows), colour bars and keys to their
 * right. All lengths are in inches; texts have 9 points. */
#ifndef PAGE_H
#define PAGE_H

#include "extent.h"

static const double PAGE_TITLE = 0.3; /* height of a title above all panels */

typedef struct page {
    size_t panels, columns;
    const figure_panel *panel;
    int has_title;                  /* above all panels */
    double more_width, more_height; /* added to each column and each row; may be negative */
} page;

/* From the left and from below; without the key, which begins at the right end. */
typedef struct page_box {
    double left, bottom, width, height;
} page_box;

page page_open(size_t panels, const figure_panel *panel);
/* Resizes the panels so that the page has this width and height; 0: no change. Returns 0, and changes nothing, if a
 * panel would be too small. */
int page_fit(page *g, double width, double height);
double page_width(const page *g);
double page_height(const page *g);
page_box page_box_of(const page *g, size_t panel);

/* For one panel: */
double page_top_margin(const figure_panel *p);
double page_bottom_margin(const page *g, const figure_panel *p);
double page_widest_name(const figure_panel *p, extent_axis axis); /* of its named tics */
double page_bar_width(const figure_panel *p);                     /* of the colour bar; 0: none */
int page_is_turned(const page *g, const figure_panel *p);         /* whether names on the x axis are rotated */
size_t page_key_entries(const figure_panel *p);                   /* 0: no key */
double page_key_width(const figure_panel *p);
double page_key_height(const figure_panel *p);

#endif
