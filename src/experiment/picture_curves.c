/* picture_curves.c - regret or value by round, one line for each method: the mean over seeds and its 70 % bootstrap
 * interval, as in the paper; regrets on a logarithmic axis. Layer: experiment, pictures. */
#include "picture_parts.h"

static const double LEVEL = 0.7;

/* The round of row i. */
static size_t round_of(const task *t, size_t i) { return i * t->every < t->rounds ? i * t->every : t->rounds; }

static locbo_status add_curve(picture *d, size_t c, size_t m, sample_column column, locbo_error *error) {
    size_t cell = plan_cell(d->plan, c, m);
    const task *t = &d->plan->task[cell];
    canvas_numbers line = canvas_series(&d->canvas, picture_style(d->plan, m, FIGURE_LINE), task_rows(t), 1);
    for (size_t i = 0; i < line.n; i++) {
        stats_interval mean;
        size_t round = round_of(t, i);
        locbo_status status = picture_mean(d, cell, round, column, LEVEL, &mean, error);
        if (status != LOCBO_OK) return status;
        picture_put(&line, i, (double)round, mean);
    }
    return LOCBO_OK;
}

static locbo_status add_panel(picture *d, size_t c, int side, locbo_error *error) {
    const char *title = picture_title(d, c, picture_side_name[side]);
    figure_panel *panel = canvas_panel(&d->canvas, title);
    panel->x_label = "round t";
    panel->y_label = picture_measure(d->plan);
    panel->log_y = !plan_is_value(d->plan);
    panel->key = c + 1 == d->plan->cases && side + 1 == PICTURE_SIDES;
    locbo_status status = LOCBO_OK;
    for (size_t m = 0; m < d->plan->methods && status == LOCBO_OK; m++)
        if (picture_has_runs(d, plan_cell(d->plan, c, m))) status = add_curve(d, c, m, picture_side[side], error);
    return status;
}

locbo_status picture_curves(picture *d, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t c = 0; c < d->plan->cases && status == LOCBO_OK; c++) {
        size_t first = d->canvas.panels;
        for (int side = 0; side < PICTURE_SIDES && status == LOCBO_OK; side++) status = add_panel(d, c, side, error);
        canvas_same_y(&d->canvas, first);
    }
    return status;
}
