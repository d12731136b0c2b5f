/* pictures.c - the figure of an experiment by its kind, and what the kinds have in common. Layer:
 * experiment, above the kinds (picture_*.c). */
#include "pictures.h"

#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "picture_parts.h"

enum { DRAWS = 500, BOOTSTRAP_SEED = 1 };
enum { FULL_MARK = 1, OPEN_MARK = 6 }; /* circles */

const sample_column picture_side[PICTURE_SIDES] = {SAMPLE_OBSERVED, SAMPLE_RECOMMENDED};
const char *const picture_side_name[PICTURE_SIDES] = {"best observed point", "recommended by the model"};

const char *picture_measure(const plan *p) { return plan_is_value(p) ? "capacity (bit/s/Hz)" : "simple regret"; }

const char *picture_title(picture *d, size_t c, const char *what) {
    if (d->plan->cases == 1) return canvas_text(&d->canvas, "%s", what);
    return canvas_text(&d->canvas, "%s: %s", d->plan->case_[c].name, what);
}

figure_series picture_style(const plan *p, size_t m, figure_kind kind) {
    const plan_method *method = &p->method[m];
    return (figure_series){.name = method->name,
                           .kind = kind,
                           .colour = method->colour,
                           .dashed = method->dashed && kind == FIGURE_LINE,
                           .mark = method->dashed ? OPEN_MARK : FULL_MARK};
}

int picture_has_runs(const picture *d, size_t cell) {
    return cell < plan_cells(d->plan) && results_first(d->results, cell + 1) > results_first(d->results, cell);
}

void picture_put(canvas_numbers *line, size_t i, double x, stats_interval y) {
    if (i >= line->n) return; /* no memory: canvas_write reports it */
    line->x[i] = x;
    line->y[i] = y.value;
    line->low[i] = y.low;
    line->high[i] = y.high;
}

void picture_put_along_x(canvas_numbers *line, size_t i, double y, stats_interval x) {
    picture_put(line, i, x.value, (stats_interval){x.low, y, x.high});
}

locbo_status picture_mean(const picture *d, size_t cell, size_t t, sample_column column, double level,
                          stats_interval *mean, locbo_error *error) {
    sample s;
    locbo_status status = sample_at(d->results, cell, t, column, &s, error);
    if (status != LOCBO_OK) return status;
    status = stats_bootstrap(STATS_MEAN, s.n, s.value, level, DRAWS, BOOTSTRAP_SEED, mean, error);
    sample_release(&s);
    return status;
}

static locbo_status add_panels(picture *d, locbo_error *error) {
    switch (d->plan->figure) {
    case PLAN_FIGURE_SWEEP:
        return picture_sweep(d, error);
    case PLAN_FIGURE_GRID:
        return picture_grid(d, error);
    case PLAN_FIGURE_DOTS:
        return picture_dots(d, error);
    case PLAN_FIGURE_BOUNDS:
        return picture_bounds(d, error);
    case PLAN_FIGURE_RATIOS:
        return picture_ratios(d, error);
    case PLAN_FIGURE_SCORES:
        return picture_scores(d, error);
    case PLAN_FIGURE_COSTS:
        return picture_costs(d, error);
    default:
        return picture_curves(d, error);
    }
}

locbo_status pictures_experiment(const plan *p, const results *r, const char *dir, unsigned files, locbo_error *error) {
    if (results_count(r) == 0) return status_fail(error, LOCBO_ERR_STATE, "experiment %s has no runs to draw", p->name);
    picture d = {.plan = p, .results = r};
    size_t size = strlen(dir) + strlen(p->name) + 2;
    char *path = mem_new(size, 1);
    if (!path) return status_no_memory(error);
    snprintf(path, size, "%s/%s", dir, p->name);
    canvas_init(&d.canvas);
    locbo_status status = add_panels(&d, error);
    if (status == LOCBO_OK) status = canvas_write(&d.canvas, path, "figure", files, error);
    canvas_release(&d.canvas);
    mem_free(path);
    return status;
}
