/* together.c - bounds, points that may be the best, draws, reference point. Layer: core, top.
 * Cost: O(n^3) for the variances at all rows, once for each surface of several quantities. */
#include "together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "number.h"

/* ---- constraints ------------------------------------------------------------------------------- */

double together_user_bound(const locbo_optimizer *o, size_t k) {
    const locbo_output_spec *spec = outputs_at(o->outputs, o->listed[k]);
    return spec->baseline ? spec->bound * told_mean(&o->told, spec->baseline, o->listed[k]) : spec->bound;
}

void together_user_bounds(const locbo_optimizer *o, double bound[OUTPUTS_MODELLED]) {
    for (size_t k = o->objectives; k < o->quantities; k++) bound[k] = together_user_bound(o, k);
}

int together_holds(const locbo_optimizer *o, size_t k, double bound, double value) {
    double sign = o->quantity[k].data.scale.sign;
    return isnan(bound) || sign * value >= sign * bound;
}

double together_bound(const locbo_optimizer *o, size_t k) {
    double bound = together_user_bound(o, k);
    return isfinite(bound) ? scaling_in(&o->quantity[k].data.scale, bound) : -INFINITY;
}

double together_log_feasible(const surface *s, const double *u, size_t i) {
    acquisition_point at[OUTPUTS_MODELLED];
    for (size_t k = 1; k < s->acquisition.parts; k++) { /* the laws alone: nothing is tied to a baseline */
        calibrator_point p = surface_point(s, k, u, i);
        calibrator_law(s->part[k].calibrator, &p, &at[k].law);
    }
    return acquisition_log_feasible(&s->acquisition, at, NULL);
}

double together_feasible(const surface *s, const double *u, size_t i) { return exp(together_log_feasible(s, u, i)); }

double together_safety(const locbo_optimizer *o) { return o->options.feasibility + 0.1 * (1 - o->options.feasibility); }

/* A value of the first objective that every point improves on: the least mean less three standard deviations of the
 * outputs, which are 1 on the model's scale. */
static double lowest(const locbo_optimizer *o) {
    const quantity *q = o->quantity;
    double least = 0;
    for (size_t i = 0; i < gp_rows(q->surrogate.model); i++) least = fmin(least, q->fitted[i]);
    return least - 3;
}

/* The row of quantity k's model at an encoded point; SIZE_MAX: there is none. `guess` is looked at first. */
static size_t row_at(const gp *model, const double *u, size_t guess) {
    size_t columns = gp_get_spec(model)->columns, rows = gp_rows(model) + gp_pending(model), size = columns * sizeof *u;
    const double *inputs = gp_inputs(model);
    if (guess < rows && memcmp(inputs + guess * columns, u, size) == 0) return guess;
    for (size_t i = 0; i < rows; i++)
        if (memcmp(inputs + i * columns, u, size) == 0) return i;
    return SIZE_MAX;
}

int together_means_hold(const locbo_optimizer *o, size_t row) {
    const dataset *d = quantity_rows(o->quantity);
    for (size_t k = o->objectives; k < o->quantities; k++) {
        const quantity *q = &o->quantity[k];
        size_t at = row_at(q->surrogate.model, d->u + row * o->columns, d->point[row]);
        if (at == SIZE_MAX || !(q->fitted[at] >= o->bound[k])) return 0;
    }
    return 1;
}

/* Whether they hold at result `row` of the first objective, which need not be at a landmark. */
static locbo_status means_hold_at(const locbo_optimizer *o, size_t row, int *hold, locbo_error *error) {
    const double *u = o->quantity->data.u + row * o->columns;
    locbo_status status = LOCBO_OK;
    *hold = 1;
    for (size_t k = o->objectives; k < o->quantities && *hold && status == LOCBO_OK; k++) {
        quantity *q = &o->quantity[k];
        double mean = -INFINITY;
        size_t at = row_at(q->surrogate.model, u, o->quantity->data.point[row]);
        if (at != SIZE_MAX)
            mean = q->fitted[at];
        else if (quantity_rows(q) != &q->data && dataset_find(&q->data, u) != SIZE_MAX)
            status = gp_predict_mean(q->surrogate.model, 1, u, &mean, &q->work.gp, error);
        else
            *hold = 0;
        *hold = *hold && mean >= o->bound[k];
    }
    return status;
}

/* Of all results, since a landmark has only the first measurement of its point. */
static locbo_status best_measured(const locbo_optimizer *o, double *best, locbo_error *error) {
    const dataset *d = &o->quantity->data;
    locbo_status status = LOCBO_OK;
    int hold;
    for (size_t i = 0; i < o->quantity->surrogate.told && status == LOCBO_OK; i++) {
        if (!(d->y[i] > *best) || !dataset_counts(d, i)) continue;
        status = means_hold_at(o, i, &hold, error);
        if (status == LOCBO_OK && hold) *best = d->y[i];
    }
    return status;
}

static double best_mean(const locbo_optimizer *o) {
    const quantity *q = o->quantity;
    const dataset *d = quantity_rows(q);
    double best = -INFINITY;
    for (size_t i = 0; i < gp_measurements(q->surrogate.model); i++)
        if (quantity_mean(q, i) > best && dataset_counts(d, i) && together_means_hold(o, i)) best = quantity_mean(q, i);
    return best;
}

locbo_status together_incumbent(const locbo_optimizer *o, double *best, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    *best = -INFINITY;
    if (o->options.incumbent == LOCBO_INCUMBENT_OBSERVED)
        status = best_measured(o, best, error);
    else
        *best = best_mean(o);
    if (!isfinite(*best)) *best = lowest(o);
    return status;
}

/* ---- draws ------------------------------------------------------------------------------------- */

locbo_status together_draw(locbo_optimizer *o, const surface *s, size_t k, baseline *b, locbo_error *error) {
    double rho[BASELINE_POINTS];
    for (size_t i = 0; i < b->points; i++) {
        calibrator_point p = surface_point(s, k, baseline_inputs(b), i);
        law l;
        calibrator_law(s->part[k].calibrator, &p, &l);
        rho[i] = acquisition_stretch(&s->acquisition, &l, NULL);
    }
    /* the quantities' own streams: their draws are independent */
    rng stream = rng_open(o->options.seed, o->told.n + ((uint64_t)k << 32), RNG_BASELINE);
    return baseline_prepare(b, s->part[k].model, rho, stream, error);
}

/* The points that all models have a row at. */
typedef struct field {
    size_t n, parts;
    double *u;         /* n x columns */
    size_t *row;       /* n x parts */
    double *mean, *sd; /* n x parts */
} field;

static void field_release(field *f) {
    mem_free(f->u);
    mem_free(f->row);
    mem_free(f->mean);
    mem_free(f->sd);
}

static void collect(const locbo_optimizer *o, const surface *s, const unsigned char *outside, field *f) {
    const gp *first = s->part->model;
    size_t rows = gp_rows(first) + gp_pending(first);
    for (size_t i = 0; i < rows; i++) {
        const double *u = gp_inputs(first) + i * o->columns;
        size_t k = 0;
        if (outside[i]) continue;
        if (row_at(first, u, 0) < i) continue; /* measurements that are rows of their own may share a point */
        for (; k < f->parts; k++) {
            f->row[f->n * f->parts + k] = k == 0 ? i : row_at(s->part[k].model, u, i);
            if (f->row[f->n * f->parts + k] == SIZE_MAX) break;
        }
        if (k == f->parts) memcpy(f->u + f->n++ * o->columns, u, o->columns * sizeof *u);
    }
}

static locbo_status predict_field(const locbo_optimizer *o, const surface *s, field *f, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t at = 0; at < f->n && status == LOCBO_OK; at += SURFACE_BLOCK) {
        size_t count = f->n - at < SURFACE_BLOCK ? f->n - at : SURFACE_BLOCK;
        status = surface_predict(s, count, f->u + at * o->columns, error);
        for (size_t i = 0; i < count && status == LOCBO_OK; i++)
            for (size_t k = 0; k < f->parts; k++) {
                f->mean[(at + i) * f->parts + k] = s->part[k].work->mu[i];
                f->sd[(at + i) * f->parts + k] = sqrt(s->part[k].work->v[i]);
            }
    }
    return status;
}

static locbo_status field_make(const locbo_optimizer *o, const surface *s, field *f, locbo_error *error) {
    size_t rows = gp_rows(s->part->model) + gp_pending(s->part->model), cells = rows * o->quantities;
    *f = (field){.parts = o->quantities};
    f->u = mem_new(rows * o->columns, sizeof *f->u);
    f->row = mem_new(cells, sizeof *f->row);
    f->mean = mem_new(cells, sizeof *f->mean);
    f->sd = mem_new(cells, sizeof *f->sd);
    unsigned char *outside = optimizer_find_outside(o, quantity_rows(o->quantity), rows);
    int whole = f->u && f->row && f->mean && f->sd && outside;
    if (whole) collect(o, s, outside, f);
    mem_free(outside);
    if (!whole) return status_no_memory(error);
    if (f->n == 0) return status_fail(error, LOCBO_ERR_NUMERIC, "no point has all outputs");
    return predict_field(o, s, f, error);
}

/* The rows of the chosen points become the baseline of each quantity, and f is drawn there. */
static locbo_status draw_chosen(locbo_optimizer *o, const surface *s, int searched, const field *f, size_t n,
                                const size_t *chosen, joint *j, locbo_error *error) {
    size_t row[BASELINE_POINTS];
    locbo_status status = LOCBO_OK;
    for (size_t k = 0; k < o->quantities; k++) {
        baseline *b = &o->quantity[k].baseline[searched];
        for (size_t i = 0; i < n; i++) row[i] = f->row[chosen[i] * f->parts + k];
        baseline_take(b, s->part[k].model, n, row);
        j->base[k] = b;
    }
    status = surface_predict(s, n, baseline_inputs(j->base[0]), error);
    for (size_t k = 0; k < o->quantities && status == LOCBO_OK; k++)
        status = together_draw(o, s, k, &o->quantity[k].baseline[searched], error);
    return status;
}

locbo_status together_fill(locbo_optimizer *o, const surface *s, int searched, joint *j, locbo_error *error) {
    size_t chosen[BASELINE_POINTS], most = o->objectives == 1 ? BASELINE_BEST : BASELINE_POINTS, n = 0;
    double reference[OUTPUTS_OBJECTIVES];
    field f;
    locbo_status status = field_make(o, s, &f, error);
    rng stream = rng_open(o->options.seed, o->told.n, RNG_CONTEST);
    joint_points points = {o->objectives, o->quantities, f.n, f.mean, f.sd, o->bound};
    if (status == LOCBO_OK) status = joint_choose(&points, most, stream, chosen, &n, error);
    j->objectives = o->objectives;
    j->parts = o->quantities;
    memcpy(j->bound, o->bound, sizeof j->bound);
    if (status == LOCBO_OK) status = draw_chosen(o, s, searched, &f, n, chosen, j, error);
    if (status == LOCBO_OK) status = together_reference(o, reference, error);
    for (size_t k = 0; k < o->objectives && status == LOCBO_OK; k++) /* any finite number may be given */
        reference[k] = fmin(fmax(scaling_in(&o->quantity[k].data.scale, reference[k]), -1e50), 1e50);
    if (status == LOCBO_OK) status = joint_prepare(j, lowest(o), reference, error);
    field_release(&f);
    return status;
}

/* ---- the reference point ----------------------------------------------------------------------- */

/* The results that have all objectives, or their log or logit, larger is better; `holding`: and whose measured
 * constraints hold. Returns how many. */
static size_t objectives_told(const locbo_optimizer *o, int holding, double *y) {
    size_t n = 0, m = o->objectives;
    double bound[OUTPUTS_MODELLED];
    together_user_bounds(o, bound);
    for (size_t i = 0; i < o->told.n; i++) {
        const locbo_measurement *measured = o->told.measured + i * o->told.outputs;
        int counts = 1;
        for (size_t k = 0; k < m; k++) {
            const scaling *s = &o->quantity[k].data.scale;
            y[n * m + k] = s->sign * scaling_natural(s, measured[o->listed[k]].value);
            counts = counts && !isnan(y[n * m + k]);
        }
        for (size_t k = m; holding && k < o->quantities; k++)
            counts = counts && together_holds(o, k, bound[k], measured[o->listed[k]].value);
        n += (size_t)counts;
    }
    return n;
}

/* Least and largest of objective k over the n vectors of a list (NULL: all). */
static void range_of(size_t m, size_t k, size_t n, const double *y, const size_t *index, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        double value = y[(index ? index[i] : i) * m + k];
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

/* The value that a quarter of the n vectors are worse than in objective k; `spare` has room for n. */
static double worst_quarter(size_t m, size_t k, size_t n, const double *y, double *spare) {
    for (size_t i = 0; i < n; i++) spare[i] = y[i * m + k];
    qsort(spare, n, sizeof *spare, number_ascending);
    return spare[(n - 1) / 4];
}

/* The nadir of the front less a tenth of its range, or of all results if the front has fewer than two points; but three
 * quarters of all results are better than it in each objective: the front of a few first results may lie anywhere, and
 * what is worse than the reference counts for nothing, for ever. Returns 0 if no result has all objectives. `y` has
 * room for all results twice, `index` once. */
static int infer(const locbo_optimizer *o, double *y, size_t *index, double *reference) {
    size_t m = o->objectives, found = front_find(m, objectives_told(o, 1, y), y, NULL, index), n;
    double low[OUTPUTS_OBJECTIVES], high[OUTPUTS_OBJECTIVES];
    for (size_t k = 0; k < m; k++) range_of(m, k, found, y, index, &low[k], &high[k]);
    n = objectives_told(o, 0, y);
    for (size_t k = 0; k < m && n > 0; k++) {
        const double share = 0.1;
        const scaling *s = &o->quantity[k].data.scale;
        if (!isnan(reference[k])) continue;
        if (found < 2) range_of(m, k, n, y, NULL, &low[k], &high[k]);
        double width = high[k] > low[k] ? high[k] - low[k] : fmax(fabs(low[k]), 1);
        double worst = fmin(low[k] - share * width, worst_quarter(m, k, n, y, y + n * m));
        reference[k] = scaling_unnatural(s, s->sign * worst);
    }
    return n > 0;
}

locbo_status together_reference(const locbo_optimizer *o, double reference[OUTPUTS_OBJECTIVES], locbo_error *error) {
    int known = 1;
    memcpy(reference, o->reference, sizeof o->reference);
    for (size_t k = 0; k < o->objectives; k++) known = known && !isnan(reference[k]);
    if (known || o->objectives == 1) return LOCBO_OK;
    double *y = mem_new(2 * o->told.n * o->objectives, sizeof *y);
    size_t *index = mem_new(o->told.n, sizeof *index);
    locbo_status status = y && index ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK && !infer(o, y, index, reference))
        status = status_fail(error, LOCBO_ERR_NUMERIC, "no result has all objectives");
    mem_free(y);
    mem_free(index);
    return status;
}
