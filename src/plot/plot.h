/* plot.h - the figures of a study: which there are, and what each is made from. Each asks its
 * views once (gather), then either puts a figure together or lists the numbers in it. */
#ifndef PLOT_H
#define PLOT_H

#include <jansson.h>

#include "canvas.h"
#include "desk.h"
#include "output.h"

/* The trials with a value, in their order, evenly chosen if there are very many; memory of the
 * canvas. */
typedef struct plot_results {
    size_t n;
    const double *x, *value; /* x: rows of the space */
} plot_results;

/* What is drawn, and what of. Options that were not given are NULL. */
typedef struct plot {
    desk *desk;
    const char *parameter, *x, *y, *of, *at;
    json_t *answer;       /* of the view that the figure is of */
    plot_results results; /* slice, contour */
    json_t *choices;      /* contour: the best and the recommended point */
    canvas canvas;
} plot;

typedef struct plot_kind {
    const char *name;
    const char *options;  /* those that only some kinds have, with a blank around each */
    double width, height; /* of the page in inches, unless asked for otherwise; 0: what the panels need */
    /* LOCBO_ERR_NOTHING: there is nothing to draw yet, and why. */
    locbo_status (*gather)(plot *p, locbo_error *error);
    void (*draw)(plot *p);             /* into the canvas, which remembers a lack of memory */
    void (*list)(plot *p, output *to); /* as does the output */
} plot_kind;

extern const plot_kind *const plot_kinds[]; /* ends with NULL */

/* ---- for the kinds --------------------------------------------------------------------------- */

extern const plot_kind plot_history, plot_intervals, plot_calibration, plot_slice, plot_contour, plot_importance;

/* One question to a view: pairs of key and value, those without a value left out; a NULL key ends
 * them. */
typedef struct plot_question {
    const char *key, *value;
} plot_question;
/* What is not there yet is LOCBO_ERR_NOTHING. */
locbo_status plot_ask(plot *p, const char *view, const plot_question *questions, json_t **answer, locbo_error *error);

/* A list of numbers in a JSON object, NAN for null; memory of the canvas. 0 numbers if there is
 * no such list. */
typedef struct plot_column {
    size_t n;
    const double *at;
} plot_column;
plot_column plot_numbers(plot *p, const json_t *object, const char *key);
/* Its i-th element; NULL if there is none. */
json_t *plot_cell(const json_t *object, const char *key, size_t i);
size_t plot_length(const json_t *object, const char *key);

/* The parameters by influence, most first: `dim` indices, in the order of the space while there
 * are no length scales. Release with mem_free. */
locbo_status plot_ranking(plot *p, size_t **ranking, locbo_error *error);
/* Fills p->results. */
locbo_status plot_find_results(plot *p, locbo_error *error);

/* Makes this parameter an axis of a panel: label, range, scale, names. */
void plot_axis(plot *p, figure_panel *panel, const locbo_parameter *parameter, int on_y);
/* "80 %" of the level of the study's intervals. */
const char *plot_level(plot *p);

#endif
