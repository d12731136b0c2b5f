/* picture_dots.c - final regret or value as dots with 95 % bootstrap intervals: a panel for each case, a row for each
 * method, and a line at the reference method. Layer: experiment, pictures. */
#include "mem.h"
#include "picture_parts.h"

static const double LEVEL = 0.95;

/* The methods with runs in a case; returns their number. */
static size_t methods_of(const picture *d, size_t c, size_t *method) {
    size_t n = 0;
    for (size_t m = 0; m < d->plan->methods; m++)
        if (picture_has_runs(d, plan_cell(d->plan, c, m))) method[n++] = m;
    return n;
}

static void add_reference(picture *d, double at, size_t rows) {
    double from[2] = {at, 0.5}, to[2] = {at, (double)rows + 0.5};
    canvas_line(&d->canvas, (figure_series){.colour = FIGURE_GREY, .dashed = 1}, from, to);
}

static locbo_status add_dot(picture *d, size_t c, size_t m, size_t row, size_t rows, locbo_error *error) {
    stats_interval mean;
    size_t cell = plan_cell(d->plan, c, m);
    locbo_status status = picture_mean(d, cell, (size_t)-1, SAMPLE_OBSERVED, LEVEL, &mean, error);
    if (status != LOCBO_OK) return status;
    canvas_numbers dot = canvas_series(&d->canvas, picture_style(d->plan, m, FIGURE_POINTS), 1, 1);
    picture_put_along_x(&dot, 0, (double)(row + 1), mean);
    if (m == d->plan->against) add_reference(d, mean.value, rows);
    return LOCBO_OK;
}

static locbo_status add_rows(picture *d, size_t c, size_t n, const size_t *method, locbo_error *error) {
    const char **name = mem_new(n, sizeof *name);
    if (!name) return status_no_memory(error);
    for (size_t i = 0; i < n; i++) name[i] = d->plan->method[method[i]].name;
    canvas_tics(&d->canvas, n, name, 1);
    mem_free(name);
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) status = add_dot(d, c, method[i], i, n, error);
    return status;
}

static void add_panel(picture *d, size_t c, size_t rows) {
    const char *title = d->plan->cases == 1 ? NULL : d->plan->case_[c].name;
    figure_panel *panel = canvas_panel(&d->canvas, title);
    panel->x_label = picture_measure(d->plan);
    panel->y_low = 0.5;
    panel->y_high = (double)rows + 0.5;
}

locbo_status picture_dots(picture *d, locbo_error *error) {
    size_t *method = mem_new(d->plan->methods, sizeof *method);
    if (!method) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    for (size_t c = 0; c < d->plan->cases && status == LOCBO_OK; c++) {
        size_t n = methods_of(d, c, method);
        if (n == 0) continue;
        add_panel(d, c, n);
        status = add_rows(d, c, n, method, error);
    }
    mem_free(method);
    return status;
}
