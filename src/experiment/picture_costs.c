/* picture_costs.c - regret at full fidelity by what has been spent, one panel for each case and one line for each
 * method: the median over the seeds and the quartiles, on a logarithmic axis. Layer: experiment, pictures. */
#include "picture_parts.h"

/* The round of row i. */
static size_t round_of(const task *t, size_t i) { return i * t->every < t->rounds ? i * t->every : t->rounds; }

static locbo_status quartiles(const picture *d, size_t cell, size_t t, stats_interval *made, locbo_error *error) {
    sample s;
    locbo_status status = sample_at(d->results, cell, t, SAMPLE_RECOMMENDED, &s, error);
    if (status != LOCBO_OK) return status;
    stats_sort(s.n, s.value);
    *made = (stats_interval){stats_quantile_sorted(s.n, s.value, 0.25), stats_quantile_sorted(s.n, s.value, 0.5),
                             stats_quantile_sorted(s.n, s.value, 0.75)};
    sample_release(&s);
    return LOCBO_OK;
}

static locbo_status add_curve(picture *d, size_t cell, locbo_error *error) {
    const task *t = &d->plan->task[cell];
    size_t m = cell % d->plan->methods;
    canvas_numbers line = canvas_series(&d->canvas, picture_style(d->plan, m, FIGURE_LINE), task_rows(t), 1);
    for (size_t i = 0; i < line.n; i++) {
        stats_interval y;
        locbo_status status = quartiles(d, cell, round_of(t, i), &y, error);
        if (status != LOCBO_OK) return status;
        picture_put(&line, i, (double)round_of(t, i), y);
    }
    return LOCBO_OK;
}

locbo_status picture_costs(picture *d, locbo_error *error) {
    const plan *p = d->plan;
    locbo_status status = LOCBO_OK;
    for (size_t c = 0; c < p->cases && status == LOCBO_OK; c++) {
        int by_cost = p->task[plan_cell(p, c, p->against)].count == TASK_COUNT_COST;
        figure_panel *panel = canvas_panel(&d->canvas, picture_title(d, c, "regret at full fidelity"));
        panel->x_label = by_cost ? "cost (full evaluations)" : "evaluations";
        panel->y_label = picture_measure(p);
        panel->log_y = 1;
        panel->key = c + 1 == p->cases;
        for (size_t m = 0; m < p->methods && status == LOCBO_OK; m++)
            if (picture_has_runs(d, plan_cell(p, c, m))) status = add_curve(d, plan_cell(p, c, m), error);
    }
    return status;
}
