/* selection.c - the best evaluated points of several outputs, by what was measured and by the models. Layer: core, top.
 * Cost: O(n^2) for each point by the models; fronts O(points^2). */
#include "selection.h"

#include <math.h>
#include <string.h>

#include "mean.h"
#include "mem.h"
#include "together.h"

/* The points of the first objective, with one number of each quantity, larger is better; NAN: not known. */
typedef struct points {
    size_t n, parts;
    double *value;    /* n x parts */
    double *feasible; /* n: log of the probability that the constraints hold, which may be too small for a double;
                         measured: 0 or -INFINITY */
} points;

static locbo_status points_make(points *p, const locbo_optimizer *o, locbo_error *error) {
    *p = (points){.n = o->quantity->data.points, .parts = o->quantities};
    p->value = mem_new(p->n * p->parts, sizeof *p->value);
    p->feasible = mem_new(p->n, sizeof *p->feasible);
    return p->value && p->feasible ? LOCBO_OK : status_no_memory(error);
}

static void points_release(points *p) {
    mem_free(p->value);
    mem_free(p->feasible);
}

static const double *input_of(const locbo_optimizer *o, size_t point) {
    const dataset *d = &o->quantity->data;
    return d->u + d->first[point] * o->columns;
}

/* ---- what was measured ------------------------------------------------------------------------- */

/* Means of what was measured of one quantity at each of its points, larger is better. */
static void mean_by_point(const dataset *d, double *mean, double *weight) {
    memset(mean, 0, d->points * sizeof *mean);
    memset(weight, 0, d->points * sizeof *weight);
    for (size_t i = 0; i < d->n; i++) {
        size_t p = d->point[i];
        mean_add(&mean[p], &weight[p], d->scale.sign * d->measured[i].value, d->measured[i].n);
    }
}

static locbo_status measure_quantity(const locbo_optimizer *o, size_t k, points *p, locbo_error *error) {
    const dataset *d = &o->quantity[k].data;
    double *mean = mem_new(d->points, sizeof *mean), *weight = mem_new(d->points, sizeof *weight);
    locbo_status status = mean && weight ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK) mean_by_point(d, mean, weight);
    for (size_t i = 0; i < p->n && status == LOCBO_OK; i++) {
        size_t at = k == 0 ? i : dataset_find(d, input_of(o, i));
        p->value[i * p->parts + k] = at == SIZE_MAX ? (double)NAN : mean[at];
    }
    mem_free(mean);
    mem_free(weight);
    return status;
}

static int holds_measured(const locbo_optimizer *o, const double *bound, const double *value) {
    for (size_t k = 0; k < o->quantities; k++) {
        if (isnan(value[k])) return 0;
        if (k >= o->objectives && !together_holds(o, k, bound[k], o->quantity[k].data.scale.sign * value[k])) return 0;
    }
    return 1;
}

static locbo_status measure(const locbo_optimizer *o, points *p, locbo_error *error) {
    double bound[OUTPUTS_MODELLED];
    together_user_bounds(o, bound);
    locbo_status status = points_make(p, o, error);
    for (size_t k = 0; k < o->quantities && status == LOCBO_OK; k++) status = measure_quantity(o, k, p, error);
    for (size_t i = 0; i < p->n && status == LOCBO_OK; i++)
        p->feasible[i] = holds_measured(o, bound, p->value + i * p->parts) ? 0 : -INFINITY;
    return status;
}

/* ---- what is believed -------------------------------------------------------------------------- */

static locbo_status believe(const locbo_optimizer *o, const surface *believed, points *p, locbo_error *error) {
    double *u = mem_new(SURFACE_BLOCK * o->columns, sizeof *u);
    locbo_status status = points_make(p, o, error);
    if (!u && status == LOCBO_OK) status = status_no_memory(error);
    for (size_t at = 0; at < p->n && status == LOCBO_OK; at += SURFACE_BLOCK) {
        size_t count = p->n - at < SURFACE_BLOCK ? p->n - at : SURFACE_BLOCK;
        for (size_t i = 0; i < count; i++) memcpy(u + i * o->columns, input_of(o, at + i), o->columns * sizeof *u);
        status = surface_predict(believed, count, u, error);
        for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
            p->feasible[at + i] = together_log_feasible(believed, u, i);
            for (size_t k = 0; k < p->parts; k++) p->value[(at + i) * p->parts + k] = believed->part[k].work->mu[i];
        }
    }
    mem_free(u);
    return status;
}

/* ---- one objective ----------------------------------------------------------------------------- */

/* The point of the largest first number of those that are feasible with probability `level`; SIZE_MAX: there is none.
 */
static size_t best_point(const points *p, double level) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < p->n; i++)
        if (p->feasible[i] >= log(level) && (best == SIZE_MAX || p->value[i * p->parts] > p->value[best * p->parts]))
            best = i;
    return best;
}

static size_t safest_point(const points *p) {
    size_t best = 0;
    for (size_t i = 1; i < p->n; i++)
        if (p->feasible[i] > p->feasible[best]) best = i;
    return best;
}

/* Points outside a space that has changed cannot be recommended, unless there are no others. */
static locbo_status leave_out(const locbo_optimizer *o, points *p, locbo_error *error) {
    unsigned char *outside = optimizer_find_outside(o, &o->quantity->data, p->n);
    if (!outside) return status_no_memory(error);
    for (size_t i = 0; i < p->n; i++)
        if (outside[i]) p->feasible[i] = -INFINITY;
    mem_free(outside);
    return LOCBO_OK;
}

locbo_status selection_safe_row(const locbo_optimizer *o, const surface *believed, size_t *row, locbo_error *error) {
    points p;
    locbo_status status = believe(o, believed, &p, error);
    if (status == LOCBO_OK) status = leave_out(o, &p, error);
    if (status == LOCBO_OK) {
        size_t best = best_point(&p, o->options.feasibility);
        *row = o->quantity->data.first[best == SIZE_MAX ? safest_point(&p) : best];
    }
    points_release(&p);
    return status;
}

/* The best single measurement at feasible points. */
static int best_measurement(const locbo_optimizer *o, const points *p, size_t *row) {
    const dataset *d = &o->quantity->data;
    int found = 0;
    for (size_t i = 0; i < d->n; i++) {
        double value = d->scale.sign * d->measured[i].value;
        if (!(p->feasible[d->point[i]] > -INFINITY) || (found && !(value > d->scale.sign * d->measured[*row].value)))
            continue;
        *row = i;
        found = 1;
    }
    return found;
}

locbo_status selection_best_row(const locbo_optimizer *o, const surface *believed, size_t *row, locbo_error *error) {
    points p;
    locbo_status status = measure(o, &p, error);
    if (status == LOCBO_OK) status = leave_out(o, &p, error);
    int found = status == LOCBO_OK && best_measurement(o, &p, row);
    points_release(&p);
    if (status != LOCBO_OK || found || !believed) return status;
    status = believe(o, believed, &p, error);
    if (status == LOCBO_OK) *row = o->quantity->data.first[safest_point(&p)];
    points_release(&p);
    return status;
}

/* The same by the means of points. */
locbo_status selection_best_mean(const locbo_optimizer *o, const surface *believed, size_t *row, locbo_error *error) {
    points p;
    locbo_status status = measure(o, &p, error);
    size_t best = status == LOCBO_OK ? best_point(&p, 1) : SIZE_MAX;
    if (best != SIZE_MAX) *row = o->quantity->data.first[best];
    points_release(&p);
    if (status != LOCBO_OK || best != SIZE_MAX || !believed) return status;
    status = believe(o, believed, &p, error);
    if (status == LOCBO_OK) *row = o->quantity->data.first[safest_point(&p)];
    points_release(&p);
    return status;
}

/* ---- fronts ------------------------------------------------------------------------------------ */

/* The front of the points that are feasible with probability `level`, as rows. */
static locbo_status find_front(const locbo_optimizer *o, const points *p, double level, size_t *n, size_t *row,
                               locbo_error *error) {
    size_t m = o->objectives, candidates = 0;
    double *y = mem_new(p->n * m, sizeof *y);
    size_t *who = mem_new(p->n, sizeof *who), *index = mem_new(p->n, sizeof *index);
    locbo_status status = y && who && index ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < p->n && status == LOCBO_OK; i++) {
        if (!(p->feasible[i] >= log(level))) continue;
        memcpy(y + candidates * m, p->value + i * p->parts, m * sizeof *y);
        who[candidates++] = i;
    }
    *n = status == LOCBO_OK ? front_find(m, candidates, y, NULL, index) : 0;
    for (size_t i = 0; i < *n; i++) row[i] = o->quantity->data.first[who[index[i]]];
    mem_free(y);
    mem_free(who);
    mem_free(index);
    return status;
}

locbo_status selection_measured_front(const locbo_optimizer *o, size_t *n, size_t *row, locbo_error *error) {
    points p;
    locbo_status status = measure(o, &p, error);
    if (status == LOCBO_OK) status = find_front(o, &p, 1, n, row, error);
    points_release(&p);
    return status;
}

locbo_status selection_believed_front(const locbo_optimizer *o, const surface *believed, size_t *n, size_t *row,
                                      locbo_error *error) {
    points p;
    locbo_status status = believe(o, believed, &p, error);
    if (status == LOCBO_OK) status = leave_out(o, &p, error);
    if (status == LOCBO_OK) status = find_front(o, &p, o->options.feasibility, n, row, error);
    points_release(&p);
    return status;
}

locbo_status selection_measured_values(const locbo_optimizer *o, size_t n, const size_t *row, double *values,
                                       locbo_error *error) {
    points p;
    size_t outputs = locbo_outputs_count(o->outputs);
    locbo_status status = measure(o, &p, error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) {
        const double *mean = p.value + o->quantity->data.point[row[i]] * p.parts;
        for (size_t j = 0; j < outputs; j++) values[i * outputs + j] = (double)NAN;
        for (size_t k = 0; k < o->quantities; k++)
            values[i * outputs + o->listed[k]] = o->quantity[k].data.scale.sign * mean[k];
    }
    points_release(&p);
    return status;
}
