/* page.c - the rows and columns of a figure. Layer: report. Cost: a few passes over the data of panels with equal
 * axes. */
#include "page.h"

#include <math.h>

#include "extent.h"
#include "text.h"

static const double PANEL_WIDTH = 4.2, PANEL_HEIGHT = 3.2, LETTER = 0.07, LINE_HEIGHT = 0.19;
static const double LEAST_PLOT = 0.7; /* between the axes of a panel */

page page_open(size_t panels, const figure_panel *panel) {
    return (page){.panels = panels, .columns = panels == 4 ? 2 : panels < 3 ? panels : 3, .panel = panel};
}

/* In inches, roughly, capitals being wider than other letters; limited, since a long text gets no wider page. */
static double width_of(const char *text) {
    double letters = 0;
    for (const char *t = text ? text : ""; *t; t++)
        letters += text_continues(*t) ? 0 : *t >= 'A' && *t <= 'Z' ? 1.3 : 1;
    return LETTER * fmin(letters, 60);
}

static size_t row_count(const page *g) { return (g->panels + g->columns - 1) / g->columns; }

size_t page_key_entries(const figure_panel *p) {
    size_t n = 0;
    for (size_t k = 0; k < p->count; k++) n += p->series[k].name && p->series[k].name[0];
    return p->key ? n : 0;
}

double page_key_width(const figure_panel *p) {
    double widest = 0;
    for (size_t k = 0; k < p->count; k++) widest = fmax(widest, width_of(p->series[k].name));
    return widest + 0.55;
}

double page_key_height(const figure_panel *p) { return LINE_HEIGHT * (double)page_key_entries(p); }

/* The width of the key to the right of the panel; 0 if the next box of the page is empty. */
static double key_width(const page *g, size_t panel) {
    const figure_panel *p = &g->panel[panel];
    if (page_key_entries(p) == 0 || p->key == FIGURE_KEY_INSIDE) return 0;
    if (panel + 1 == g->panels && g->panels % g->columns != 0) return 0;
    return page_key_width(p);
}

double page_bar_width(const figure_panel *p) {
    if (!extent_surface(p)) return 0;
    return p->z_label ? 0.85 : 0.65;
}

double page_widest_name(const figure_panel *p, extent_axis axis) {
    extent_names names = extent_names_of(p, axis);
    double widest = 0;
    for (size_t i = 0; i < names.n; i++) widest = fmax(widest, width_of(names.name[i]));
    return widest;
}

/* The additional width of long names on the y axis. */
static double name_width(const figure_panel *p) { return fmax(0, page_widest_name(p, EXTENT_Y) - 0.4); }

/* Names on the x axis that would overlap are rotated. */
int page_is_turned(const page *g, const figure_panel *p) {
    extent_names names = extent_names_of(p, EXTENT_X);
    return (page_widest_name(p, EXTENT_X) + LETTER) * (double)names.n > 3.4 + g->more_width;
}

double page_bottom_margin(const page *g, const figure_panel *p) {
    double names = page_is_turned(g, p) ? 0.5 * page_widest_name(p, EXTENT_X) : 0;
    return (p->x_label ? 0.52 : 0.34) + names;
}

double page_top_margin(const figure_panel *p) { return p->title ? 0.34 : 0.14; }

/* The shape of a map with equal axes, 0 for other panels. */
static double aspect_of(const figure_panel *p) {
    if (!p->equal_axes) return 0;
    extent x = extent_range(p, EXTENT_X), y = extent_range(p, EXTENT_Y);
    return (x.high - x.low) / (y.high - y.low);
}

/* Panels with equal axes are as wide as their shape needs. */
static double panel_width(const page *g, const figure_panel *p) {
    double margins = 0.7, plot = PANEL_HEIGHT - page_bottom_margin(g, p) - page_top_margin(p);
    double width = PANEL_WIDTH;
    if (aspect_of(p) > 0) width = fmax(2.2, fmin(width, aspect_of(p) * plot + margins));
    return width + name_width(p);
}

static double panel_height(const page *g, const figure_panel *p) {
    double margins = page_bottom_margin(g, p) + page_top_margin(p), height = PANEL_HEIGHT;
    if (aspect_of(p) > 0) height = fmax(1.6, fmin(height, (PANEL_WIDTH - 0.7) / aspect_of(p) + margins));
    height = fmax(height, LINE_HEIGHT * (double)page_key_entries(p) + margins);
    if (page_is_turned(g, p)) height += 0.5 * page_widest_name(p, EXTENT_X);
    return fmax(height, LINE_HEIGHT * (double)extent_names_of(p, EXTENT_Y).n + margins);
}

/* The width of a column without its bars and keys. */
static double column_plot(const page *g, size_t column) {
    double width = 0;
    for (size_t i = column; i < g->panels; i += g->columns) width = fmax(width, panel_width(g, &g->panel[i]));
    return width + g->more_width;
}

/* Bars and keys. */
static double column_key(const page *g, size_t column) {
    double width = 0;
    for (size_t i = column; i < g->panels; i += g->columns)
        width = fmax(width, page_bar_width(&g->panel[i]) + key_width(g, i));
    return width;
}

static double column_width(const page *g, size_t column) { return column_plot(g, column) + column_key(g, column); }

static double row_height(const page *g, size_t row) {
    double height = 0;
    for (size_t i = row * g->columns; i < g->panels && i < (row + 1) * g->columns; i++)
        height = fmax(height, panel_height(g, &g->panel[i]));
    return height + g->more_height;
}

double page_width(const page *g) {
    double width = 0;
    for (size_t c = 0; c < g->columns; c++) width += column_width(g, c);
    return width;
}

static double all_rows(const page *g) {
    double height = 0;
    for (size_t r = 0; r < row_count(g); r++) height += row_height(g, r);
    return height;
}

double page_height(const page *g) { return all_rows(g) + (g->has_title ? PAGE_TITLE : 0); }

int page_fit(page *g, double width, double height) {
    page fitted = *g;
    if (width > 0) fitted.more_width += (width - page_width(g)) / (double)g->columns;
    if (height > 0) fitted.more_height += (height - page_height(&fitted)) / (double)row_count(g);
    for (size_t i = 0; i < g->panels; i++) {
        const figure_panel *p = &g->panel[i];
        page_box at = page_box_of(&fitted, i);
        double margins = page_bottom_margin(&fitted, p) + page_top_margin(p);
        if (at.width < LEAST_PLOT + 0.7 + name_width(p) || at.height < LEAST_PLOT + margins) return 0;
    }
    *g = fitted;
    return 1;
}

page_box page_box_of(const page *g, size_t panel) {
    size_t row = panel / g->columns, column = panel % g->columns;
    page_box at = {.bottom = all_rows(g), .width = column_plot(g, column), .height = row_height(g, row)};
    for (size_t c = 0; c < column; c++) at.left += column_width(g, c);
    for (size_t r = 0; r <= row; r++) at.bottom -= row_height(g, r);
    return at;
}
