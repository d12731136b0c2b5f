/* canvas.h - a figure while it is put together: it owns its panels, series, numbers and texts. A
 * lack of memory is kept until canvas_write, so that nobody has to look after each call. */
#ifndef CANVAS_H
#define CANVAS_H

#include "figure.h"

typedef struct canvas {
    size_t panels, panel_room, series_room, blocks, block_room;
    figure_panel *panel, spare; /* `spare`: what is handed out when there is no memory */
    void **block;               /* everything else that is to be freed */
    int failed;
} canvas;

/* The numbers of a series, to be filled in. n is 0 if there is no memory. */
typedef struct canvas_numbers {
    size_t n;
    double *x, *y, *low, *high; /* low, high: NULL unless asked for */
} canvas_numbers;

void canvas_init(canvas *c);
void canvas_release(canvas *c);

/* A further panel with automatic ranges; valid until the next one is added. `title` is copied and
 * may be NULL. */
figure_panel *canvas_panel(canvas *c, const char *title);
/* A further series of the last panel, as `like` but for its numbers; all numbers are NAN. Its name
 * is copied. */
canvas_numbers canvas_series(canvas *c, figure_series like, size_t n, int has_ends);
/* A series of one straight line, without a band. */
void canvas_line(canvas *c, figure_series like, const double from[2], const double to[2]);

/* A text, and numbers that are NAN; both live as long as the canvas. NULL: there is no memory. */
const char *canvas_text(canvas *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
double *canvas_doubles(canvas *c, size_t n);
/* Named tics for the last panel, at 1 .. n. Returns these places, which may be changed; NULL if there
 * is no memory. */
double *canvas_tics(canvas *c, size_t n, const char *const *name, int on_y);

/* All panels from `first` on, alike in log_y, get the range of y that shows everything in them. */
void canvas_same_y(canvas *c, size_t first);

/* What figure_write and figure_save return, or LOCBO_ERR_MEMORY. */
locbo_status canvas_write(const canvas *c, const char *dir, const char *name, unsigned files, locbo_error *error);
locbo_status canvas_save(const canvas *c, const char *path, const char *scratch, const figure_page *page,
                         locbo_error *error);

#endif
