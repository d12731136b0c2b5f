/* front_growth.c - how the measured Pareto front grew. Layer: view, facts. Cost: O(trials log trials), and for each
 * point those of the front until one that dominates it: that which dominated the last one is looked at first. */
#include "front_growth.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mean.h"
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

/* Points by their coordinates: a hash table that is never full, of point numbers plus 1; 0: free. */
typedef struct places {
    size_t size, *slot;
} places;

static size_t *find_place(const places *p, const front_growth *g, const trial_table *t, size_t row) {
    const unsigned char *bytes = (const unsigned char *)(t->x + row * t->dim);
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = 0; i < t->dim * sizeof *t->x; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    size_t at = (size_t)((hash ^ hash >> 32) % p->size);
    while (p->slot[at] && memcmp(t->x + g->point[p->slot[at] - 1].row * t->dim, bytes, t->dim * sizeof *t->x) != 0)
        at = (at + 1) % p->size;
    return &p->slot[at];
}

/* Means of what was measured, and the repetitions that they are of, in `value` and `weight`. */
static void add_trial(front_growth *g, const places *p, const trial_table *t, size_t row, double *weight) {
    size_t *place = find_place(p, g, t, row), outputs = t->outputs->count;
    g->completed++;
    if (*place == 0) {
        g->point[g->count++] = (front_growth_point){row, g->completed, TRIAL_FEASIBLE_UNKNOWN, 1, SIZE_MAX, SIZE_MAX};
        *place = g->count;
    }
    for (size_t k = 0; k < outputs; k++) {
        const trial_output o = trial_table_output(t, row, k);
        size_t at = (*place - 1) * outputs + k;
        mean_add(&g->value[at], &weight[at], o.value, o.weight);
    }
}

static void finish_points(front_growth *g, const output_list *list, const double *bounds, const double *weight) {
    for (size_t i = 0; i < g->count; i++) {
        double *value = g->value + i * list->count;
        for (size_t k = 0; k < list->count; k++) {
            value[k] = mean_of(value[k], weight[i * list->count + k]);
            if (output_list_is_objective(list, k) && isnan(value[k])) g->point[i].is_whole = 0;
        }
        g->point[i].feasible = trial_feasible_of(list, bounds, value);
    }
}

static locbo_status find_points(front_growth *g, const trial_table *t, const double *bounds, locbo_error *error) {
    size_t n = 0;
    candidate *all = list_candidates(t, &n);
    places p = {2 * n + 1, mem_new(2 * n + 1, sizeof *p.slot)};
    double *weight = mem_new(n * t->outputs->count, sizeof *weight);
    g->point = mem_new(n, sizeof *g->point);
    g->value = mem_new(n * t->outputs->count, sizeof *g->value);
    locbo_status status = all && p.slot && weight && g->point && g->value ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) add_trial(g, &p, t, all[i].row, weight);
    if (status == LOCBO_OK) finish_points(g, t->outputs, bounds, weight);
    mem_free(all);
    mem_free(p.slot);
    mem_free(weight);
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
    mem_free(g->value);
    mem_free(g->step);
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
