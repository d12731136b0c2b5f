/* page.h - where the panels of a figure stand: up to three beside each other (four in two rows),
 * bars of colours and keys to their right. All in inches; texts of 9 points. */
#ifndef PAGE_H
#define PAGE_H

#include "extent.h"

static const double PAGE_TITLE = 0.3; /* what a title above all takes */

typedef struct page {
    size_t panels, columns;
    const figure_panel *panel;
    int has_title;                  /* above all */
    double more_width, more_height; /* of each column, of each row; may be negative */
} page;

/* From the left and from below; without the key, which begins at the right end. */
typedef struct page_place {
    double left, bottom, width, height;
} page_place;

page page_open(size_t panels, const figure_panel *panel);
/* As wide and high as asked for, by wider and higher panels; 0: as it was. Returns 0, and changes
 * nothing, if no panel would
 * have room. */
int page_fit(page *g, double width, double height);
double page_width(const page *g);
double page_height(const page *g);
page_place page_place_of(const page *g, size_t panel);

/* Of one panel: */
double page_top_margin(const figure_panel *p);
double page_bottom_margin(const page *g, const figure_panel *p);
double page_widest_name(const figure_panel *p, extent_axis axis); /* of its named tics */
double page_bar_width(const figure_panel *p);                     /* of colours; 0: it has none */
int page_is_turned(const page *g, const figure_panel *p);         /* whether names on the x axis are */
size_t page_key_entries(const figure_panel *p);                   /* 0: it has no key */
double page_key_width(const figure_panel *p);
double page_key_height(const figure_panel *p);

#endif
