/* page.c - the rows and columns of a figure. Layer: report. Cost: a few passes over what maps
 * draw. */
#include "page.h"

#include <math.h>

#include "extent.h"

static const double PANEL_WIDTH = 4.2, PANEL_HEIGHT = 3.2, LETTER = 0.07, LINE_HEIGHT = 0.19;

page page_open(size_t panels, const figure_panel *panel) {
    return (page){panels, panels == 4 ? 2 : panels < 3 ? panels : 3, panel};
}

/* In inches, roughly; whoever writes a novel does not get the paper for it. */
static double text_width(const char *text) {
    size_t letters = 0;
    for (const char *t = text ? text : ""; *t; t++) letters += (*t & 0xc0) != 0x80;
    return LETTER * fmin((double)letters, 60);
}

static size_t row_count(const page *g) { return (g->panels + g->columns - 1) / g->columns; }

size_t page_key_entries(const figure_panel *p) {
    size_t n = 0;
    for (size_t k = 0; k < p->count; k++) n += p->series[k].name && p->series[k].name[0];
    return p->key ? n : 0;
}

/* What the key takes, to the right of the panel; nothing if there is an empty place anyway. */
static double key_width(const page *g, size_t panel) {
    const figure_panel *p = &g->panel[panel];
    double widest = 0;
    if (page_key_entries(p) == 0 || (panel + 1 == g->panels && g->panels % g->columns != 0))
        return 0;
    for (size_t k = 0; k < p->count; k++) widest = fmax(widest, text_width(p->series[k].name));
    return widest + 0.55;
}

double page_widest_tic(const figure_panel *p) {
    double widest = 0;
    for (size_t i = 0; i < p->tics; i++) widest = fmax(widest, text_width(p->tic_name[i]));
    return widest;
}

/* What long names on the y axis take beyond the room of numbers. */
static double name_width(const figure_panel *p) {
    return p->tics_on_y ? fmax(0, page_widest_tic(p) - 0.4) : 0;
}

/* Names on the x axis that would run into each other are turned. */
int page_is_turned(const figure_panel *p) {
    return p->tics > 0 && !p->tics_on_y && (page_widest_tic(p) + LETTER) * (double)p->tics > 3.4;
}

double page_bottom_margin(const figure_panel *p) {
    double names = page_is_turned(p) ? 0.5 * page_widest_tic(p) : 0;
    return (p->x_label ? 0.52 : 0.34) + names;
}

double page_top_margin(const figure_panel *p) { return p->title ? 0.34 : 0.14; }

/* The shape of a map with equal axes, 0 for other panels. */
static double aspect_of(const figure_panel *p) {
    if (!p->equal_axes) return 0;
    extent x = extent_range(p, EXTENT_X), y = extent_range(p, EXTENT_Y);
    return (x.high - x.low) / (y.high - y.low);
}

/* Maps take as much of the usual room as their shape fills. */
static double panel_width(const figure_panel *p) {
    double margins = 0.7, plot = PANEL_HEIGHT - page_bottom_margin(p) - page_top_margin(p);
    double width = PANEL_WIDTH;
    if (aspect_of(p) > 0) width = fmax(2.2, fmin(width, aspect_of(p) * plot + margins));
    return width + name_width(p);
}

static double panel_height(const figure_panel *p) {
    double margins = page_bottom_margin(p) + page_top_margin(p), height = PANEL_HEIGHT;
    if (aspect_of(p) > 0)
        height = fmax(1.6, fmin(height, (PANEL_WIDTH - 0.7) / aspect_of(p) + margins));
    height = fmax(height, LINE_HEIGHT * (double)page_key_entries(p) + margins);
    if (page_is_turned(p)) height += 0.5 * page_widest_tic(p);
    return p->tics_on_y ? fmax(height, LINE_HEIGHT * (double)p->tics + margins) : height;
}

/* The widest panel of a column, and what it is to have beside it for keys. */
static double column_plot(const page *g, size_t column) {
    double width = 0;
    for (size_t i = column; i < g->panels; i += g->columns)
        width = fmax(width, panel_width(&g->panel[i]));
    return width;
}

static double column_key(const page *g, size_t column) {
    double width = 0;
    for (size_t i = column; i < g->panels; i += g->columns) width = fmax(width, key_width(g, i));
    return width;
}

static double column_width(const page *g, size_t column) {
    return column_plot(g, column) + column_key(g, column);
}

static double row_height(const page *g, size_t row) {
    double height = 0;
    for (size_t i = row * g->columns; i < g->panels && i < (row + 1) * g->columns; i++)
        height = fmax(height, panel_height(&g->panel[i]));
    return height;
}

double page_width(const page *g) {
    double width = 0;
    for (size_t c = 0; c < g->columns; c++) width += column_width(g, c);
    return width;
}

double page_height(const page *g) {
    double height = 0;
    for (size_t r = 0; r < row_count(g); r++) height += row_height(g, r);
    return height;
}

page_place page_place_of(const page *g, size_t panel) {
    size_t row = panel / g->columns, column = panel % g->columns;
    page_place at = {
        .bottom = page_height(g), .width = column_plot(g, column), .height = row_height(g, row)};
    for (size_t c = 0; c < column; c++) at.left += column_width(g, c);
    for (size_t r = 0; r <= row; r++) at.bottom -= row_height(g, r);
    return at;
}
