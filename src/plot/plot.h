/* plot.h - the kinds of figures of a study. Each asks its views once (gather), then either draws the figure or lists
 * its numbers. */
#ifndef PLOT_H
#define PLOT_H

#include <jansson.h>

#include "canvas.h"
#include "cache.h"
#include "output.h"

/* The trials with a value, in their order, evenly chosen if there are very many; memory of the canvas. */
typedef struct plot_results {
    size_t n;
    const double *x, *value; /* x: rows of the space */
} plot_results;

/* One figure: its options (NULL if not given) and its data. */
typedef struct plot {
    cache *cache;
    const char *parameter, *x, *y, *of, *at, *output;
    json_t *answer;       /* of the view that is drawn */
    plot_results results; /* slice, contour */
    json_t *choices;      /* contour: the best and the recommended point */
    canvas canvas;
} plot;

typedef struct plot_kind {
    const char *name;
    const char *options;  /* accepted by this kind and not by all, each between blanks */
    double width, height; /* of the page in inches, unless asked for otherwise; 0: what the panels need */
    /* LOCBO_ERR_NOTHING: there is nothing to draw yet; the message says why. */
    locbo_status (*gather)(plot *p, locbo_error *error);
    void (*draw)(plot *p);             /* into the canvas, which keeps a failure */
    void (*list)(plot *p, output *to); /* the output keeps a failure too */
} plot_kind;

extern const plot_kind *const plot_kinds[]; /* ends with NULL */

/* ---- for the kinds --------------------------------------------------------------------------- */

extern const plot_kind plot_history, plot_intervals, plot_calibration, plot_slice, plot_contour, plot_importance,
    plot_curves, plot_pareto, plot_hypervolume;

/* Keys and values of a query; a NULL value is left out, a NULL key ends the list. */
typedef struct plot_question {
    const char *key, *value;
} plot_question;
/* LOCBO_ERR_NOTHING: there is nothing to show yet; the message says why. */
locbo_status plot_ask(plot *p, const char *view, const plot_question *questions, json_t **answer, locbo_error *error);

/* A list of numbers in a JSON object, NAN for null; memory of the canvas. 0 numbers if there is no such list. */
typedef struct plot_column {
    size_t n;
    const double *at;
} plot_column;
plot_column plot_numbers(plot *p, const json_t *object, const char *key);
/* Its i-th element; NULL if there is none. */
json_t *plot_cell(const json_t *object, const char *key, size_t i);
size_t plot_length(const json_t *object, const char *key);

/* The parameters by importance, largest first: `dim` indices, in the order of the space while there are no length
 * scales. Release with mem_free. */
locbo_status plot_ranking(plot *p, size_t **ranking, locbo_error *error);
/* The number of the output that is drawn: p->output, if there is one of this name, or the first objective. */
size_t plot_output(const plot *p);
/* Its name, "value" without a table of outputs; the same with what is wanted of it: "loss (smaller is better)". */
const char *plot_output_name(const plot *p);
const char *plot_output_label(plot *p, size_t which);
/* The column of an output among those of `others`, each between blanks: its name, "outputs.NAME" if one of them is
 * called like it; "value" without a table. NULL: no memory. */
const char *plot_output_column(plot *p, size_t which, const char *others);
/* Draws the bound of a constraint, if p->answer has one, over these x. */
void plot_bound(plot *p, double from, double to);
/* Fills p->results. */
locbo_status plot_find_results(plot *p, locbo_error *error);
/* How results below full fidelity are drawn. */
extern const figure_series plot_below;
/* Draws result i of p->results at (x[i], y[i]): as `like`, or below full fidelity as plot_below. */
void plot_draw_results(plot *p, figure_series like, const double *x, const double *y);

/* Makes this parameter an axis of a panel: label, range, scale, names. */
/* Whether its values are texts, which stand at 0, 1, ... */
int plot_is_named(const locbo_parameter *parameter);
void plot_axis(plot *p, figure_panel *panel, const locbo_parameter *parameter, int on_y);
/* The level of the study's intervals, as "80 %". */
const char *plot_level(plot *p);

#endif
