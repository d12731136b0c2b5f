/* dataset.c - rows of data in the user's units and as the model sees them. Layer: core. Cost: O(1) a row,
 * O(n log n) for scales that need the order of the results. */
#include "dataset.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg.h"
#include "mem.h"
#include "number.h"

void dataset_init(dataset *d, size_t dim, size_t columns, double sign) {
    memset(d, 0, sizeof *d);
    d->dim = dim;
    d->columns = columns;
    d->scale = (scaling){.sign = sign, .shift = 0, .spread = 1};
}

void dataset_release(dataset *d) {
    void *arrays[] = {d->x,           d->u,           d->measured, d->trial, d->y,   d->aside,
                      d->noise_scale, d->noise_extra, d->point,    d->first, d->slot};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
}

locbo_status dataset_check(const locbo_measurement *m, locbo_error *error) {
    if (!m) return status_fail(error, LOCBO_ERR_ARGUMENT, "measurement must not be NULL");
    if (!isfinite(m->value))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a measured value must be finite, got %g; report a failure with tell_failed", m->value);
    if (!isnan(m->sd) && !(m->sd >= 0 && isfinite(m->sd)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a known sd must be finite and not negative, or NAN, got %g",
                           m->sd);
    return LOCBO_OK;
}

static int reserve(dataset *d, size_t need) {
    size_t real = sizeof(double);
    mem_array arrays[] = {
        {&d->x, d->dim * real},        {&d->u, d->columns * real},    {&d->measured, sizeof *d->measured},
        {&d->trial, sizeof *d->trial}, {&d->aside, sizeof *d->aside}, {&d->y, real},
        {&d->noise_scale, real},       {&d->noise_extra, real},       {&d->point, sizeof *d->point},
        {&d->first, sizeof *d->first}};
    return mem_reserve_all(sizeof arrays / sizeof arrays[0], arrays, &d->capacity, need);
}

/* ---- points ------------------------------------------------------------------------------------ */

static int same_point(const dataset *d, size_t point, const double *u) {
    const double *at = d->u + d->first[point] * d->columns;
    for (size_t c = 0; c < d->columns; c++)
        if (at[c] != u[c]) return 0;
    return 1;
}

/* The slot of the point at u, or the empty one where it belongs. There is always an empty one. */
static size_t *find_slot(const dataset *d, const double *u) {
    uint64_t hash = 0;
    for (size_t c = 0; c < d->columns; c++) {
        double value = u[c] + 0.0; /* -0 is 0 */
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash ^= bits;
        hash ^= hash >> 32; /* simple fractions differ in the upper bits alone */
        hash *= 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    size_t at = (size_t)hash & (d->slots - 1);
    while (d->slot[at] && !same_point(d, d->slot[at] - 1, u)) at = (at + 1) & (d->slots - 1);
    return &d->slot[at];
}

/* Twice as many slots, if there are less than two for each point. Returns 0 without memory. */
static int grow_slots(dataset *d) {
    if (d->slots >= 2 * (d->points + 1)) return 1;
    size_t slots = d->slots ? 2 * d->slots : 64, *slot = mem_new(slots, sizeof *slot);
    if (!slot) return 0;
    mem_free(d->slot);
    d->slot = slot;
    d->slots = slots;
    for (size_t p = 0; p < d->points; p++) {
        size_t *own = find_slot(d, d->u + d->first[p] * d->columns);
        if (!*own) *own = p + 1; /* not merged, several points are one, and the first of them has the slot */
    }
    return 1;
}

/* Which point row i is at, perhaps a new one. */
static void place(dataset *d, size_t i) {
    size_t *slot = find_slot(d, d->u + i * d->columns);
    d->point[i] = d->merged && *slot ? *slot - 1 : d->points;
    if (d->point[i] < d->points) return;
    d->first[d->points++] = i;
    if (!*slot) *slot = d->points;
}

size_t dataset_points(const dataset *d, size_t n) {
    size_t low = 0, high = d->points; /* `first` ascends */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (d->first[middle] < n)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t dataset_find(const dataset *d, const double *u) {
    return d->slots ? *find_slot(d, u) - 1 : SIZE_MAX; /* 0 is an empty slot, and SIZE_MAX here */
}

void dataset_remove_last(dataset *d) {
    size_t i = --d->n;
    if (d->first[d->point[i]] != i) return;
    size_t *slot = find_slot(d, d->u + i * d->columns);
    if (*slot == d->points) *slot = 0; /* no later point was put behind it */
    d->points--;
}

/* ---- rows -------------------------------------------------------------------------------------- */

static double repetitions(const locbo_measurement *m) { return m->n ? m->n : 1; }

static int is_full(const dataset *d, size_t row) {
    return d->fidelity == 0 || d->u[row * d->columns + d->fidelity - 1] == d->full;
}

/* Whether the model hears nothing of a row. */
static int is_silent(const dataset *d, size_t row) { return d->only_full && !is_full(d, row); }

/* Row i on the scale s. */
static void scale_row(const dataset *d, size_t i, const scaling *s, double *y, double *noise_scale,
                      double *noise_extra) {
    const double silence = 1e5; /* its variance leaves a thousandth of a millionth of the row's weight */
    const locbo_measurement *m = &d->measured[i];
    double sd = isnan(m->sd) ? 0 : scaling_sd_in(s, m->value, m->sd);
    if (is_silent(d, i)) sd = silence;
    *y = scaling_in(s, m->value);
    *noise_scale = 1 / repetitions(m);
    /* limited: a variance that overflows would spoil the matrix, and a row with this much noise has no weight */
    *noise_extra = fmin(sd, 1e6) * fmin(sd, 1e6);
}

void dataset_on_scale(const dataset *d, const scaling *s, double *y, double *noise_scale, double *noise_extra) {
    for (size_t i = 0; i < d->n; i++) scale_row(d, i, s, &y[i], &noise_scale[i], &noise_extra[i]);
}

locbo_status dataset_append(dataset *d, const double *x, const double *u, const locbo_measurement *m, uint64_t trial,
                            locbo_error *error) {
    if (!reserve(d, d->n + 1) || !grow_slots(d)) return status_no_memory(error);
    memcpy(d->x + d->n * d->dim, x, d->dim * sizeof *x);
    memcpy(d->u + d->n * d->columns, u, d->columns * sizeof *u);
    d->measured[d->n] = *m;
    d->trial[d->n] = trial;
    d->aside[d->n] = 0;
    place(d, d->n);
    size_t i = d->n++;
    scale_row(d, i, &d->scale, &d->y[i], &d->noise_scale[i], &d->noise_extra[i]);
    return LOCBO_OK;
}

locbo_status dataset_copy_row(dataset *to, const dataset *from, size_t row, locbo_error *error) {
    locbo_status status = dataset_append(to, from->x + row * from->dim, from->u + row * from->columns,
                                         &from->measured[row], from->trial[row], error);
    if (status == LOCBO_OK) to->aside[to->n - 1] = from->aside[row];
    return status;
}

locbo_status dataset_copy_rows(dataset *to, const dataset *from, size_t n, const size_t *row, int merged,
                               locbo_error *error) {
    locbo_status status = LOCBO_OK;
    if (to->slot) memset(to->slot, 0, to->slots * sizeof *to->slot);
    to->n = to->points = 0;
    to->merged = merged;
    to->dim = from->dim, to->columns = from->columns;
    to->fidelity = from->fidelity, to->full = from->full;
    to->only_full = from->only_full, to->misled = from->misled;
    to->scale = from->scale;
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) status = dataset_copy_row(to, from, row[i], error);
    return status;
}

/* Result i, or its log or logit. */
static double natural(const dataset *d, size_t i) { return scaling_natural(&d->scale, d->measured[i].value); }

/* With a fidelity: what results of lower fidelity are above those of full fidelity by, on average: the combination of
 * the model's terms (gp_trend_at) that fits best, with a little regularisation. The spread of the outputs is that of
 * what is left: priors are about the function at full fidelity. */
typedef struct drift {
    double a[GP_TREND];
} drift;

static double drift_at(const dataset *d, const drift *t, size_t i) {
    double h[GP_TREND], sum = 0;
    if (d->fidelity == 0) return 0;
    gp_trend_at(d->u[i * d->columns + d->fidelity - 1], h);
    for (size_t k = 0; k < GP_TREND; k++) sum += t->a[k] * h[k];
    return sum;
}

static drift find_drift(const dataset *d, double mean, double spread) {
    const double ridge = 0.1;
    double A[GP_TERMS * GP_TERMS] = {0}, b[GP_TERMS] = {0}, f[GP_TERMS] = {1};
    drift found = {{0}};
    if (d->fidelity == 0 || d->only_full) return found;
    for (size_t j = 1; j < GP_TERMS; j++) A[(GP_TERMS + 1) * j] = ridge;
    for (size_t i = 0; i < d->n; i++) {
        double y = (natural(d, i) - mean) / spread;
        gp_trend_at(d->u[i * d->columns + d->fidelity - 1], f + 1);
        for (size_t j = 0; j < GP_TERMS; j++) {
            for (size_t k = 0; k < GP_TERMS; k++) A[j + GP_TERMS * k] += f[j] * f[k];
            b[j] += f[j] * y;
        }
    }
    if (!linalg_cholesky(GP_TERMS, A, GP_TERMS)) return found;
    linalg_solve_lower(GP_TERMS, A, GP_TERMS, b);
    linalg_solve_lower_t(GP_TERMS, A, GP_TERMS, b);
    for (size_t k = 0; k < GP_TREND; k++) found.a[k] = spread * b[1 + k];
    return found;
}

/* Mean and spread of the results, less their drift. */
static scaling standardise(const dataset *d, const drift *t) {
    double largest = 0, mean = 0, square = 0;
    warp none = {0, 0, 0, 0}, bend = warp_is_natural(&d->scale.bend) ? d->scale.bend : none;
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++)
        if (!is_silent(d, i)) largest = fmax(largest, fabs(natural(d, i) - drift_at(d, t, i)));
    if (largest == 0) return (scaling){.sign = d->scale.sign, .shift = 0, .spread = 1, .bend = bend};
    for (size_t i = 0; i < d->n; i++) { /* Welford, on values of at most 1: nothing overflows */
        if (is_silent(d, i)) continue;
        double value = (natural(d, i) - drift_at(d, t, i)) / largest, step = value - mean;
        mean += step / (double)++n;
        square += step * (value - mean);
    }
    double spread = n > 1 ? sqrt(square / (double)(n - 1)) : 0;
    if (spread < 64 * DBL_EPSILON) spread = 1; /* all equal but for rounding */
    spread = fmin(fmax(spread * largest, DBL_MIN), DBL_MAX);
    return (scaling){.sign = d->scale.sign, .shift = mean * largest, .spread = spread, .bend = bend};
}

scaling dataset_standardise(const dataset *d) {
    drift none = {{0}};
    scaling s = standardise(d, &none);
    if (d->fidelity == 0) return s;
    drift found = find_drift(d, s.shift, s.spread);
    return standardise(d, &found);
}

locbo_status dataset_scales(const dataset *d, scaling plain, scaling *robust, scaling *bent, int *bends,
                            locbo_error *error) {
    double *losses = mem_new(d->n, sizeof *losses);
    if (!losses) return status_no_memory(error);
    drift t = find_drift(d, plain.shift, plain.spread);
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++)
        if (!is_silent(d, i)) losses[n++] = -plain.sign * (natural(d, i) - drift_at(d, &t, i));
    qsort(losses, n, sizeof *losses, number_ascending);
    *robust = scaling_robust(plain, n, losses);
    if (d->fidelity) n = 0;
    for (size_t i = 0; d->fidelity && i < d->n; i++)
        if (!is_silent(d, i)) losses[n++] = -plain.sign * natural(d, i);
    if (d->fidelity) qsort(losses, n, sizeof *losses, number_ascending);
    *bends = scaling_is_affine(&plain) && scaling_box_cox(bent, plain.sign, n, losses);
    mem_free(losses);
    return LOCBO_OK;
}

void dataset_rescale(dataset *d, scaling s) {
    d->scale = s;
    dataset_on_scale(d, &s, d->y, d->noise_scale, d->noise_extra);
}

void dataset_unweigh(dataset *d) {
    for (size_t i = 0; i < d->n; i++) d->noise_scale[i] = 1 / repetitions(&d->measured[i]);
}

gp_data dataset_view(const dataset *d, size_t n) {
    return (gp_data){n, d->u, d->y, d->noise_scale, d->noise_extra, d->point};
}

void dataset_set_aside(dataset *d) { d->aside[d->n - 1] = 1; }

int dataset_counts(const dataset *d, size_t row) { return !d->aside[row] && is_full(d, row); }

/* The value that more than half of the points have, but not all; NAN: there is none. Whoever has the majority is left
 * when each point strikes out one of another value (Boyer and Moore). */
static double find_plateau(const dataset *d) {
    size_t points = dataset_points(d, d->n), lead = 0, count = 0;
    double value = (double)NAN;
    for (size_t p = 0; p < points; p++) {
        double y = d->measured[d->first[p]].value;
        if (lead == 0) value = y;
        lead = value == y ? lead + 1 : lead - 1;
    }
    for (size_t p = 0; p < points; p++) count += d->measured[d->first[p]].value == value;
    return 2 * count > points && count < points ? value : (double)NAN;
}

dataset_scope dataset_scope_of(const dataset *d) {
    enum { FEW = 3 };
    size_t count = 0;
    for (size_t i = 0; i < d->n && count < FEW; i++) count += (size_t)dataset_counts(d, i);
    return (dataset_scope){.all = count < FEW, .plateau = find_plateau(d)};
}

int dataset_is_scored(const dataset *d, const dataset_scope *scope, size_t row) {
    return (scope->all || dataset_counts(d, row)) && d->measured[row].value != scope->plateau;
}

size_t dataset_best(const dataset *d) {
    size_t best = SIZE_MAX, any = 0;
    for (size_t i = 0; i < d->n; i++) {
        double value = d->scale.sign * d->measured[i].value;
        if (value > d->scale.sign * d->measured[any].value) any = i;
        if (dataset_counts(d, i) && (best == SIZE_MAX || value > d->scale.sign * d->measured[best].value)) best = i;
    }
    return best == SIZE_MAX ? any : best;
}

/* Means by point while they are added up. */
typedef struct sums {
    double *sum, *weight;
    size_t *results, *first;
} sums;

static dataset_mean mean_of(const dataset *d, double sum, double weight, size_t results, size_t first) {
    /* a single result as it is: n y / n may differ from y in the last bit */
    return (dataset_mean){first, results == 1 ? d->measured[first].value : sum / weight, results};
}

dataset_mean dataset_mean_at(const dataset *d, size_t row) {
    size_t results = 0, first = row, point = dataset_find(d, d->u + row * d->columns);
    double sum = 0, weight = 0;
    for (size_t i = d->n; i-- > 0;) {
        if (d->merged ? d->point[i] != point : !same_point(d, point, d->u + i * d->columns)) continue;
        if (!dataset_counts(d, i)) continue;
        sum += repetitions(&d->measured[i]) * d->measured[i].value;
        weight += repetitions(&d->measured[i]);
        results++;
        first = i;
    }
    return mean_of(d, sum, weight, results, first);
}

locbo_status dataset_best_mean(const dataset *d, dataset_mean *best, locbo_error *error) {
    sums s = {mem_new(d->points, sizeof *s.sum), mem_new(d->points, sizeof *s.weight),
              mem_new(d->points, sizeof *s.results), mem_new(d->points, sizeof *s.first)};
    int memory = s.sum && s.weight && s.results && s.first, found = 0;
    for (size_t i = 0; memory && i < d->n; i++) {
        size_t p = dataset_find(d, d->u + i * d->columns);
        if (!dataset_counts(d, i)) continue;
        if (s.results[p]++ == 0) s.first[p] = i;
        s.sum[p] += repetitions(&d->measured[i]) * d->measured[i].value;
        s.weight[p] += repetitions(&d->measured[i]);
    }
    for (size_t p = 0; memory && p < d->points; p++) {
        if (s.results[p] == 0) continue; /* it is one with an earlier point */
        dataset_mean m = mean_of(d, s.sum[p], s.weight[p], s.results[p], s.first[p]);
        if (!found || d->scale.sign * m.value > d->scale.sign * best->value) *best = m;
        found = 1;
    }
    mem_free(s.sum);
    mem_free(s.weight);
    mem_free(s.results);
    mem_free(s.first);
    if (!memory) return status_no_memory(error);
    return found ? LOCBO_OK : status_fail(error, LOCBO_ERR_STATE, "no trial has ended at full fidelity yet");
}
