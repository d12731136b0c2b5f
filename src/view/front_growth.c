/* front_growth.c - how the measured Pareto front grew. Layer: view, facts. Cost: O(trials log trials), and for each
 * point those of the front until one that dominates it: that which dominated the last one is looked at first. */
#include "front_growth.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

enum { OBJECTIVES = 4 }; /* at most, locbo_outputs */

/* ---- the points ------------------------------------------------------------------------------ */

/* A trial with a result. */
typedef struct candidate {
    uint64_t event;
    size_t row;
} candidate;

static int by_event(const void *a, const void *b) {
    const candidate *p = a, *q = b;
    return (p->event > q->event) - (p->event < q->event);
}

/* In the order told; release with mem_free. */
static candidate *list_candidates(const trial_table *t, size_t *count) {
    candidate *all = mem_new(t->count, sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < t->count; i++)
        if (t->rows[i].count > 0) all[(*count)++] = (candidate){t->rows[i].event, i};
    if (all) qsort(all, *count, sizeof *all, by_event);
    return all;
}

static locbo_status add_trial(front_growth *g, const trial_table *t, size_t row, locbo_error *error) {
    size_t point, before = g->means.count;
    locbo_status status = trial_table_take(t, row, &g->means, &point, error);
    if (status != LOCBO_OK) return status;
    g->completed++;
    if (point == before)
        g->point[point] = (front_growth_point){row, g->completed, TRIAL_FEASIBLE_UNKNOWN, 1, SIZE_MAX, SIZE_MAX};
    return LOCBO_OK;
}

static void finish_points(front_growth *g, const output_list *list, const double *bounds) {
    point_means_finish(&g->means);
    g->count = g->means.count;
    g->value = g->means.mean;
    for (size_t i = 0; i < g->count; i++) {
        const double *value = g->value + i * list->count;
        for (size_t k = 0; k < list->count; k++)
            if (output_list_is_objective(list, k) && isnan(value[k])) g->point[i].is_whole = 0;
        g->point[i].feasible = trial_feasible_of(list, bounds, value);
    }
}

static locbo_status find_points(front_growth *g, const trial_table *t, const double *bounds, locbo_error *error) {
    size_t n = 0;
    candidate *all = list_candidates(t, &n);
    g->means = (point_means){.dim = t->dim, .outputs = t->outputs->count};
    g->point = mem_new(n, sizeof *g->point);
    locbo_status status = all && g->point ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) status = add_trial(g, t, all[i].row, error);
    if (status == LOCBO_OK) finish_points(g, t->outputs, bounds);
    mem_free(all);
    return status;
}

/* ---- the front ------------------------------------------------------------------------------- */

/* The front while it grows: numbers of points. */
typedef struct front {
    size_t m, count, *point;
    double (*y)[OBJECTIVES]; /* of each point, larger is better */
} front;

static void read_objectives(const output_list *list, const double *value, double *y) {
    for (size_t k = 0, m = 0; k < list->count; k++)
        if (output_list_is_objective(list, k))
            y[m++] = list->spec[k].goal == LOCBO_GOAL_MAXIMIZE ? value[k] : -value[k];
}

/* a_k >= b_k for every k */
static int covers(size_t m, const double *a, const double *b) {
    for (size_t k = 0; k < m; k++)
        if (!(a[k] >= b[k])) return 0;
    return 1;
}

/* Whether a point of the front is as good in every objective; that point is then the first to be looked at. */
static int is_covered(front *f, const double *y) {
    for (size_t j = 0; j < f->count; j++) {
        size_t point = f->point[j];
        if (!covers(f->m, f->y[point], y)) continue;
        f->point[j] = f->point[0];
        f->point[0] = point;
        return 1;
    }
    return 0;
}

static void add_point(front_growth *g, front *f, size_t point) {
    size_t kept = 0;
    for (size_t j = 0; j < f->count; j++) {
        if (covers(f->m, f->y[point], f->y[f->point[j]]))
            g->point[f->point[j]].end = g->steps;
        else
            f->point[kept++] = f->point[j];
    }
    f->point[kept++] = point;
    f->count = kept;
    g->point[point].begin = g->steps;
    g->step[g->steps++] = point;
    if (kept > g->most) g->most = kept;
}

static int counts(const output_list *list, const front_growth_point *p) {
    return p->is_whole && (list->constraints == 0 || p->feasible == TRIAL_FEASIBLE_YES);
}

locbo_status front_growth_find(front_growth *g, const trial_table *t, const double *bounds, locbo_error *error) {
    const output_list *list = t->outputs;
    *g = (front_growth){0};
    locbo_status status = find_points(g, t, bounds, error);
    if (status != LOCBO_OK) return status;
    front f = {.m = list->objectives, .point = mem_new(g->count, sizeof *f.point), .y = mem_new(g->count, sizeof *f.y)};
    g->step = mem_new(g->count, sizeof *g->step);
    if (!f.point || !f.y || !g->step) status = status_no_memory(error);
    for (size_t i = 0; i < g->count && status == LOCBO_OK; i++) {
        if (!counts(list, &g->point[i])) continue;
        read_objectives(list, g->value + i * list->count, f.y[i]);
        if (!is_covered(&f, f.y[i])) add_point(g, &f, i);
    }
    g->front = f.count;
    mem_free(f.point);
    mem_free(f.y);
    return status;
}

void front_growth_release(front_growth *g) {
    mem_free(g->point);
    mem_free(g->step);
    point_means_release(&g->means);
    *g = (front_growth){0};
}

int front_growth_has(const front_growth *g, size_t point) {
    return g->point[point].begin != SIZE_MAX && g->point[point].end == SIZE_MAX;
}

/* ---- its volume ------------------------------------------------------------------------------ */

int front_growth_is_measurable(const output_list *list, const double *reference) {
    for (size_t k = 0; k < list->count; k++)
        if (output_list_is_objective(list, k) && !isfinite(reference[k])) return 0;
    return list->objectives > 1;
}

locbo_status front_growth_volume(const front_growth *g, const output_list *list, const double *reference, size_t steps,
                                 double *volume, locbo_error *error) {
    size_t n = 0;
    double *values = mem_new(g->most * list->count, sizeof *values);
    if (!values) return status_no_memory(error);
    for (size_t j = 0; j < steps; j++)
        if (g->point[g->step[j]].end >= steps)
            memcpy(values + n++ * list->count, g->value + g->step[j] * list->count, list->count * sizeof *values);
    locbo_status status = locbo_hypervolume(list->table, n, values, reference, volume, error);
    mem_free(values);
    return status;
}
