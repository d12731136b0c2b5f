/* canvas.h - a figure while it is built: it owns its panels, series, numbers and texts. If memory runs out,
 * canvas_write reports it, so that callers need not check each call. */
#ifndef CANVAS_H
#define CANVAS_H

#include "figure.h"

typedef struct canvas {
    size_t panels, panel_room, series_room, blocks, block_room;
    figure_panel *panel, spare; /* `spare` is returned when there is no memory */
    void **block;               /* all other memory to be freed */
    int failed;
} canvas;

/* The numbers of a series, to be filled in by the caller. n is 0 if there is no memory. */
typedef struct canvas_numbers {
    size_t n;
    double *x, *y, *low, *high; /* low, high: NULL unless asked for */
} canvas_numbers;

void canvas_init(canvas *c);
void canvas_release(canvas *c);

/* Adds a panel with automatic ranges; the pointer is valid until the next panel is added. `title` is copied and may be
 * NULL. */
figure_panel *canvas_panel(canvas *c, const char *title);
/* Adds a series to the last panel: a copy of `like` with n numbers, all NAN. */
canvas_numbers canvas_series(canvas *c, figure_series like, size_t n, int has_ends);
/* Adds a straight line. */
void canvas_line(canvas *c, figure_series like, const double from[2], const double to[2]);

/* A text, and n numbers that are NAN; both are valid as long as the canvas. NULL: no memory. */
const char *canvas_text(canvas *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
double *canvas_doubles(canvas *c, size_t n);
/* Named tics for the last panel, at 1 .. n. Returns these positions, which may be changed; NULL: no memory. */
double *canvas_tics(canvas *c, size_t n, const char *const *name, int on_y);

/* Gives all panels from `first` on, which have the same log_y, a common range of y that contains all their data. */
void canvas_same_y(canvas *c, size_t first);

/* What figure_write and figure_save return, or LOCBO_ERR_MEMORY. */
locbo_status canvas_write(const canvas *c, const char *dir, const char *name, unsigned files, locbo_error *error);
locbo_status canvas_save(const canvas *c, const char *path, const char *scratch, const figure_page *page,
                         locbo_error *error);

#endif
