/* growth.c - how the measured Pareto front grew. Layer: view, facts. Cost: O(trials log trials), and for each trial the
 * points of the front until one that dominates it: that which dominated the last one is looked at first. */
#include "growth.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

enum { OBJECTIVES = 4 }; /* at most, locbo_outputs */

/* A trial with a result, and its objectives, larger is better. */
typedef struct candidate {
    uint64_t event;
    size_t row;
    int counts;
    double y[OBJECTIVES];
} candidate;

/* The front while it grows: numbers of steps. */
typedef struct front {
    size_t m, count, *step;
    double (*y)[OBJECTIVES]; /* of each step */
} front;

/* ---- the trials ------------------------------------------------------------------------------ */

static int by_event(const void *a, const void *b) {
    const candidate *p = a, *q = b;
    return (p->event > q->event) - (p->event < q->event);
}

/* Returns whether the trial counts. */
static int read_objectives(const trial_table *t, size_t i, const double *bounds, double *y) {
    const output_list *list = t->outputs;
    size_t m = 0;
    if (list->constraints && trial_table_feasible(t, i, bounds) != TRIAL_FEASIBLE_YES) return 0;
    for (size_t k = 0; k < list->count; k++) {
        if (!output_list_is_objective(list, k)) continue;
        double value = trial_table_output(t, i, k).value;
        if (isnan(value)) return 0;
        y[m++] = list->spec[k].goal == LOCBO_GOAL_MAXIMIZE ? value : -value;
    }
    return 1;
}

/* Those with a result, in the order told; release with mem_free. */
static candidate *list_candidates(const trial_table *t, const double *bounds, size_t *count) {
    candidate *all = mem_new(t->count, sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < t->count; i++) {
        candidate *c = &all[*count];
        if (t->rows[i].count == 0) continue;
        c->event = t->rows[i].event;
        c->row = i;
        c->counts = read_objectives(t, i, bounds, c->y);
        ++*count;
    }
    if (all) qsort(all, *count, sizeof *all, by_event);
    return all;
}

/* ---- the front ------------------------------------------------------------------------------- */

/* a_k >= b_k for every k */
static int covers(size_t m, const double *a, const double *b) {
    for (size_t k = 0; k < m; k++)
        if (!(a[k] >= b[k])) return 0;
    return 1;
}

/* Whether a point of the front is as good in every objective; that point is then the first to be looked at. */
static int is_covered(front *f, const double *y) {
    for (size_t j = 0; j < f->count; j++) {
        size_t step = f->step[j];
        if (!covers(f->m, f->y[step], y)) continue;
        f->step[j] = f->step[0];
        f->step[0] = step;
        return 1;
    }
    return 0;
}

static void add(growth *g, front *f, const candidate *c) {
    size_t kept = 0;
    for (size_t j = 0; j < f->count; j++) {
        if (covers(f->m, c->y, f->y[f->step[j]]))
            g->steps[f->step[j]].end = g->count;
        else
            f->step[kept++] = f->step[j];
    }
    memcpy(f->y[g->count], c->y, sizeof c->y);
    g->steps[g->count] = (growth_step){c->row, g->completed, SIZE_MAX};
    f->step[kept++] = g->count++;
    f->count = kept;
    if (kept > g->most) g->most = kept;
}

locbo_status growth_find(growth *g, const trial_table *t, const double *bounds, locbo_error *error) {
    size_t n = 0;
    *g = (growth){0};
    candidate *all = list_candidates(t, bounds, &n);
    front f = {.m = t->outputs->objectives, .step = mem_new(n, sizeof *f.step), .y = mem_new(n, sizeof *f.y)};
    g->steps = mem_new(n, sizeof *g->steps);
    locbo_status status = all && f.step && f.y && g->steps ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) {
        g->completed++;
        if (all[i].counts && !is_covered(&f, all[i].y)) add(g, &f, &all[i]);
    }
    g->points = f.count;
    mem_free(all);
    mem_free(f.step);
    mem_free(f.y);
    return status;
}

void growth_release(growth *g) {
    mem_free(g->steps);
    *g = (growth){0};
}

/* ---- its volume ------------------------------------------------------------------------------ */

int growth_is_measurable(const output_list *list, const double *reference) {
    for (size_t k = 0; k < list->count; k++)
        if (output_list_is_objective(list, k) && !isfinite(reference[k])) return 0;
    return list->objectives > 1;
}

locbo_status growth_volume(const growth *g, const trial_table *t, const double *reference, size_t steps, double *volume,
                           locbo_error *error) {
    const output_list *list = t->outputs;
    size_t n = 0;
    double *values = mem_new(g->most * list->count, sizeof *values);
    if (!values) return status_no_memory(error);
    for (size_t j = 0; j < steps; j++) {
        if (g->steps[j].end < steps) continue;
        for (size_t k = 0; k < list->count; k++)
            values[n * list->count + k] = trial_table_output(t, g->steps[j].row, k).value;
        n++;
    }
    locbo_status status = locbo_hypervolume(list->table, n, values, reference, volume, error);
    mem_free(values);
    return status;
}
