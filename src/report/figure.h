/* figure.h - figures through gnuplot: lines with bands, points with bars, filled curves, marks and arrows, in one or
 * more panels side by side. Beside NAME.svg, .png and .pdf there may be NAME.csv (every number that is drawn) and
 * NAME.gp (the script, so that a reader may restyle it). */
#ifndef FIGURE_H
#define FIGURE_H

#include <stddef.h>

#include "status.h"

typedef enum figure_kind {
    FIGURE_LINE,   /* x, y; a band between low and high if they are given */
    FIGURE_POINTS, /* x, y; bars from low to high if they are given, along x if the panel has tics_on_y, else along y */
    FIGURE_FILL,   /* the area between low and high, no line */
    FIGURE_ARROWS, /* from (x, y) to (low, high) */
    FIGURE_POLYGON, /* a closed outline through x, y, lightly filled */
    FIGURE_SURFACE  /* the cells of a grid coloured by z, with contour lines unless an axis has names; x varies
                       fastest, both ascending. At most one in a panel, which then has a colour bar */
} figure_kind;

/* Methods have the paper's colours: BO green, CBO yellow, OCBO and LOCBO(l=inf) blue, OCBO-L and LOCBO red. */
typedef enum figure_colour {
    FIGURE_BLACK,
    FIGURE_GREEN,
    FIGURE_YELLOW,
    FIGURE_BLUE,
    FIGURE_RED,
    FIGURE_GREY,
    FIGURE_PURPLE,
    FIGURE_ORANGE,
    FIGURE_TEAL,
    FIGURE_BROWN
} figure_colour;

typedef struct figure_series {
    const char *name; /* NULL: not in the key */
    figure_kind kind;
    figure_colour colour;
    int dashed;
    int mark;  /* FIGURE_POINTS: which symbol, from 1 */
    int large; /* FIGURE_POINTS: larger than others */
    int thin;  /* FIGURE_LINE: thinner than others */
    size_t n;
    const double *x, *y, *low, *high; /* low, high: NULL if there are none */
    const double *z;                  /* FIGURE_SURFACE, without low and high */
} figure_series;

/* Inside: in the corner where it covers least of the data. */
typedef enum figure_key { FIGURE_NO_KEY, FIGURE_KEY_BESIDE, FIGURE_KEY_INSIDE } figure_key;

typedef struct figure_panel {
    const char *title, *x_label, *y_label; /* any may be NULL */
    int log_x, log_y;
    int equal_axes;
    double x_low, x_high, y_low, y_high; /* NAN: automatic */
    size_t tics;                         /* named tics on the x axis; 0: automatic */
    const double *tic_at;
    const char *const *tic_name;
    int tics_on_y;    /* the named tics belong to the y axis instead, the first one on top */
    size_t more_tics; /* named tics on the other axis as well */
    const double *more_at;
    const char *const *more_name;
    const char *z_label;  /* beside the colour bar */
    double z_low, z_high; /* range of the colour bar; automatic unless z_low < z_high */
    figure_key key;       /* where the names of the series are */
    size_t count;
    const figure_series *series;
} figure_panel;

/* The files of a figure; a sum is a set of them. */
enum { FIGURE_CSV = 1, FIGURE_GP = 2, FIGURE_SVG = 4, FIGURE_PNG = 8, FIGURE_PDF = 16, FIGURE_ALL = 31 };
enum { FIGURE_FILES = 5 };
extern const char *const figure_endings[FIGURE_FILES]; /* "csv" ..: of 1 << i */

/* Writes those of DIR/NAME.csv, .gp, .svg, .png and .pdf that are in the set `files`, the pictures by gnuplot. The
 * script draws these pictures; all, if there are none. LOCBO_ERR_NOTHING: gnuplot is not installed (csv and gp are
 * written all the same); LOCBO_ERR_IO: a file could not be written, or gnuplot failed (with its first line). */
locbo_status figure_write(const char *dir, const char *name, unsigned files, size_t panels, const figure_panel *panel,
                          locbo_error *error);

/* The page of a single picture. */
typedef struct figure_page {
    const char *title;    /* above all panels; NULL: none */
    double width, height; /* in inches; 0: automatic */
} figure_page;

/* "svg", "png" or "pdf" if that is what the path ends in, NULL otherwise. */
const char *figure_ending(const char *path);
/* Writes one picture, of the kind its ending says. The script is put into a folder of its own in the folder `scratch`,
 * and removed again. On an error `path` is as it was. LOCBO_ERR_ARGUMENT: another ending, or too small a page;
 * LOCBO_ERR_NOTHING and LOCBO_ERR_IO as above. */
locbo_status figure_save(const char *path, const char *scratch, const figure_page *page, size_t panels,
                         const figure_panel *panel, locbo_error *error);

#endif
