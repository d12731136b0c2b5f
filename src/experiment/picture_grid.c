/* picture_grid.c - the calibrated sets of y at the end of the runs, over the domain. For each case a row of panels: one
 * for each method, with the truth, and one of the widths. Medians over seeds, since sets may be infinite. Layer:
 * experiment, pictures. */
#include <math.h>

#include "mem.h"
#include "picture_parts.h"

typedef enum column { COLUMN_MEAN, COLUMN_LOW, COLUMN_HIGH, COLUMN_WIDTH } column;

static double number_of(const task_point *p, column what) {
    const double numbers[] = {p->mean, p->low, p->high, fmax(p->high - p->low, 0)};
    return numbers[what];
}

/* The runs of a cell; `room` has space for one number of each. */
typedef struct cell_runs {
    const results *results;
    size_t first, end, points;
    const task_point *point; /* of the first run: all have the same x and truth */
    double *room;
} cell_runs;

static double median(const cell_runs *w, size_t i, column what) {
    size_t n = 0;
    for (size_t k = w->first; k < w->end; k++) {
        results_run run = results_at(w->results, k);
        double value = i < run.points ? number_of(&run.point[i], what) : (double)NAN;
        if (!isnan(value)) w->room[n++] = value;
    }
    return stats_median(n, w->room);
}

static void add_truth(picture *d, const cell_runs *w) {
    figure_series like = {.name = "truth", .kind = FIGURE_LINE, .colour = FIGURE_BLACK};
    canvas_numbers line = canvas_series(&d->canvas, like, w->points, 0);
    for (size_t i = 0; i < line.n; i++) {
        line.x[i] = w->point[i].x;
        line.y[i] = w->point[i].truth;
    }
}

static void add_set(picture *d, const cell_runs *w, size_t m) {
    figure_series like = picture_style(d->plan, m, FIGURE_LINE);
    canvas_numbers line = canvas_series(&d->canvas, like, w->points, 1);
    for (size_t i = 0; i < line.n; i++) {
        line.x[i] = w->point[i].x;
        line.y[i] = median(w, i, COLUMN_MEAN);
        line.low[i] = median(w, i, COLUMN_LOW);
        line.high[i] = median(w, i, COLUMN_HIGH);
    }
}

static void add_width(picture *d, const cell_runs *w, size_t m) {
    canvas_numbers line = canvas_series(&d->canvas, picture_style(d->plan, m, FIGURE_LINE), w->points, 0);
    for (size_t i = 0; i < line.n; i++) {
        line.x[i] = w->point[i].x;
        line.y[i] = median(w, i, COLUMN_WIDTH);
    }
}

static locbo_status gather(const picture *d, size_t cell, cell_runs *w, locbo_error *error) {
    *w = (cell_runs){.results = d->results};
    w->first = results_first(d->results, cell);
    w->end = results_first(d->results, cell + 1);
    if (w->end == w->first) return LOCBO_OK;
    results_run run = results_at(d->results, w->first);
    w->points = run.points;
    w->point = run.point;
    w->room = mem_new(w->end - w->first, sizeof *w->room);
    return w->room ? LOCBO_OK : status_no_memory(error);
}

static locbo_status add_method(picture *d, size_t c, size_t m, locbo_error *error) {
    cell_runs w;
    locbo_status status = gather(d, plan_cell(d->plan, c, m), &w, error);
    if (status != LOCBO_OK || w.points == 0) return status;
    const char *title = picture_title(d, c, d->plan->method[m].name);
    figure_panel *panel = canvas_panel(&d->canvas, title);
    panel->x_label = "x";
    panel->y_label = "f(x), and the set of y";
    add_set(d, &w, m);
    add_truth(d, &w);
    mem_free(w.room);
    return LOCBO_OK;
}

static locbo_status add_widths(picture *d, size_t c, locbo_error *error) {
    figure_panel *panel = canvas_panel(&d->canvas, picture_title(d, c, "width of the set of y"));
    panel->x_label = "x";
    panel->y_label = "width";
    panel->y_low = 0;
    panel->key = c == 0;
    locbo_status status = LOCBO_OK;
    for (size_t m = 0; m < d->plan->methods && status == LOCBO_OK; m++) {
        cell_runs w;
        status = gather(d, plan_cell(d->plan, c, m), &w, error);
        if (status == LOCBO_OK && w.points > 0) add_width(d, &w, m);
        if (status == LOCBO_OK) mem_free(w.room);
    }
    return status;
}

/* The truth is drawn in the other panels, but the key is in this one. */
static void add_truth_to_key(picture *d) {
    figure_series like = {.name = "truth", .kind = FIGURE_LINE, .colour = FIGURE_BLACK};
    canvas_series(&d->canvas, like, 0, 0);
}

locbo_status picture_grid(picture *d, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t c = 0; c < d->plan->cases && status == LOCBO_OK; c++) {
        size_t first = d->canvas.panels;
        for (size_t m = 0; m < d->plan->methods && status == LOCBO_OK; m++) status = add_method(d, c, m, error);
        canvas_same_y(&d->canvas, first);
        if (status == LOCBO_OK) status = add_widths(d, c, error);
        add_truth_to_key(d);
    }
    return status;
}
