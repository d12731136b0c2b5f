/* picture_sweep.c - final regret or value by the swept number: the mean over seeds and its 70 % bootstrap interval. A
 * method that was run for one case only does not depend on the number: a horizontal line. Layer: experiment,
 * pictures. */
#include <string.h>

#include "mem.h"
#include "picture_parts.h"

static const double LEVEL = 0.7;

/* plan_source finds the results of a method that was run for one case only. */
static locbo_status add_method(picture *d, size_t m, sample_column column, locbo_error *error) {
    const plan *p = d->plan;
    canvas_numbers line = canvas_series(&d->canvas, picture_style(p, m, FIGURE_LINE), p->cases, 1);
    for (size_t c = 0; c < line.n; c++) {
        stats_interval mean;
        size_t cell = plan_source(p, c, m);
        if (cell == plan_cells(p)) continue;
        locbo_status status = picture_mean(d, cell, (size_t)-1, column, LEVEL, &mean, error);
        if (status != LOCBO_OK) return status;
        picture_put(&line, c, p->case_[c].at, mean);
    }
    return LOCBO_OK;
}

static int has_any(const picture *d, size_t m) {
    for (size_t c = 0; c < d->plan->cases; c++)
        if (picture_has_runs(d, plan_cell(d->plan, c, m))) return 1;
    return 0;
}

/* A tic for each case at its `at`: "inf" for a case "l=inf"; for a name without '=', the number `at`. */
static locbo_status add_tics(picture *d, locbo_error *error) {
    const plan *p = d->plan;
    const char **name = mem_new(p->cases, sizeof *name);
    if (!name) return status_no_memory(error);
    for (size_t c = 0; c < p->cases; c++) {
        const char *equals = strchr(p->case_[c].name, '=');
        name[c] = equals ? equals + 1 : canvas_text(&d->canvas, "%g", p->case_[c].at);
    }
    double *at = canvas_tics(&d->canvas, p->cases, name, 0);
    for (size_t c = 0; at && c < p->cases; c++) at[c] = p->case_[c].at;
    mem_free(name);
    return LOCBO_OK;
}

static locbo_status add_panel(picture *d, int side, locbo_error *error) {
    figure_panel *panel = canvas_panel(&d->canvas, picture_side_name[side]);
    panel->x_label = d->plan->x_label;
    panel->y_label = picture_measure(d->plan);
    panel->log_x = d->plan->log_x;
    panel->key = side + 1 == PICTURE_SIDES;
    locbo_status status = add_tics(d, error);
    for (size_t m = 0; m < d->plan->methods && status == LOCBO_OK; m++)
        if (has_any(d, m)) status = add_method(d, m, picture_side[side], error);
    return status;
}

locbo_status picture_sweep(picture *d, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (int side = 0; side < PICTURE_SIDES && status == LOCBO_OK; side++) status = add_panel(d, side, error);
    canvas_same_y(&d->canvas, 0);
    return status;
}
