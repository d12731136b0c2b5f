/* calibrate_cbo.c - CBO: the hull of the weighted full conformal set (eq:WCP_set, eq:CBO_decomp), its weights learnt
 * from chains that sample CBO's own acquisition (section CBO; Stanton et al. 2023).
 * Layer: core, a calibrator, above wcp and ratio. Cost at one point: O(n^2). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibrator_method.h"
#include "mem.h"
#include "ratio.h"
#include "wcp.h"

/* Points at which the largest acquisition is looked for, in addition to the starts of the chains. */
enum { PEAK_POINTS = 64 };

typedef struct conformal {
    wcp *set;
    ratio *weights; /* NULL: all weights 1 */
} conformal;

static void destroy(void *state) {
    conformal *s = state;
    if (!s) return;
    wcp_destroy(s->set);
    ratio_destroy(s->weights);
    mem_free(s);
}

static locbo_status create(calibrator *c, locbo_error *error) {
    const locbo_options *o = &c->options;
    if (!(o->cbo_temperature > 0) || !isfinite(o->cbo_temperature))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "cbo_temperature must be positive, got %g", o->cbo_temperature);
    if (o->cbo_chains < 1 || o->cbo_steps < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "cbo_chains and cbo_steps must be at least 1, got %d and %d",
                           o->cbo_chains, o->cbo_steps);
    conformal *s = c->state = mem_new(1, sizeof *s);
    return s ? wcp_create(&s->set, error) : status_no_memory(error);
}

/* The conformal set's hull in p's units of z. Returns 0 without a model. The set is one of y given the data alone: with
 * pending rows, v is that without them, and the ends are converted to p's units. */
static int conformal_hull(const calibrator *c, const calibrator_point *p, int *everything, double *low, double *high) {
    const conformal *s = c->state;
    const gp *model = wcp_model(s->set);
    if (!model || !p->w) return 0;
    size_t n = gp_rows(model);
    double v = p->v;
    for (size_t i = n; i < p->rows; i++) v += p->w[i] * p->w[i];
    wcp_point point = {v, p->s2, p->w, s->weights ? ratio_at(s->weights, p->x) : 1};
    wcp_set set;
    wcp_set_at(s->set, &point, c->options.alpha, &set);
    double units = p->rows > n ? sqrt((v + p->s2) / (p->v + p->s2)) : 1;
    *everything = set.everything;
    *low = set.count ? units * set.intervals[0].low : INFINITY;
    *high = set.count ? units * set.intervals[set.count - 1].high : -INFINITY;
    return 1;
}

static void law_at(const calibrator *c, const calibrator_point *p, law *l) {
    double low, high, z_max = c->options.z_max;
    int everything;
    calibrate_law_of_model(c, p, l);
    if (!conformal_hull(c, p, &everything, &low, &high)) return;
    if (everything) {
        l->mu -= CALIBRATOR_WORTHLESS;
        return;
    }
    int empty = !(low <= high) || low > z_max || high < -z_max;
    l->kind = LAW_SET;
    l->tail_mass = c->options.alpha * c->options.tail;
    l->shape_n = 2;
    l->shape[0] = empty ? 0 : fmax(low, -z_max);
    l->shape[1] = empty ? 0 : fmin(high, z_max);
}

static void set_at(const calibrator *c, const calibrator_point *p, calibrator_set *set) {
    int everything;
    calibrate_set_of_model(c, p, set);
    conformal_hull(c, p, &everything, &set->low, &set->high);
}

/* Where the set is unbounded the law only ranks points; the model's law is shown. */
static void show(const calibrator *c, const calibrator_point *p, const calibrator_set *set, law *l) {
    if (set->low == -INFINITY && set->high == INFINITY) calibrate_law_of_model(c, p, l);
}

/* CBO's acquisition with the present weights, for the chains. */
typedef struct first_pass {
    const calibrator *c;
    const gp *model;
    double best, temperature; /* temperature: in units of the acquisition */
    gp_work work;
    double *dmu, *dv;
} first_pass;

/* log p' = acquisition / temperature. The set's ends jump in x: the gradient holds them fixed. */
static locbo_status first_density(const double *x, double *value, double *grad, void *user, locbo_error *error) {
    first_pass *f = user;
    calibrator_point p = {.x = x, .s2 = gp_noise_var(f->model)};
    locbo_status status = gp_predict_grad(f->model, x, &p.mu, &p.v, f->dmu, f->dv, &f->work, error);
    if (status != LOCBO_OK) return status;
    p.w = f->work.w;
    p.rows = gp_rows(f->model);
    law l;
    law_grad g;
    law_at(f->c, &p, &l);
    *value = law_ei(&l, f->best, &g) / f->temperature;
    for (size_t j = 0; j < f->c->columns; j++) grad[j] = (g.mu * f->dmu[j] + g.v * f->dv[j]) / f->temperature;
    return LOCBO_OK;
}

/* Scale the temperature by the largest acquisition at n points; if that is 0, p' is uniform at any temperature. */
static locbo_status find_peak(first_pass *f, size_t n, const double *x, double *grad, locbo_error *error) {
    double peak = 0;
    f->temperature = 1;
    for (size_t i = 0; i < n; i++) {
        double value;
        locbo_status status = first_density(x + i * f->c->columns, &value, grad, f, error);
        if (status != LOCBO_OK) return status;
        if (value > peak) peak = value;
    }
    f->temperature = f->c->options.cbo_temperature * (peak > 0 ? peak : 1);
    return LOCBO_OK;
}

/* Sample p' and learn the ratio to p, of which the n points `past` are a sample. `memory`: (starts + samples + 3) x
 * columns numbers. */
static locbo_status learn_ratio(const calibrator *c, const calibrator_context *context, size_t starts, double *memory,
                                size_t n, const double *past, ratio **out, locbo_error *error) {
    size_t columns = c->columns;
    double *start = memory + 3 * columns, *sample = start + starts * columns;
    ratio_box box = {columns, context->low, context->high, context->held};
    first_pass f = {.c = c, .model = context->model, .best = context->best};
    f.dmu = memory + columns;
    f.dv = memory + 2 * columns;
    ratio_chains chains = {c->options.cbo_chains, c->options.cbo_steps, first_density, &f};
    rng stream = context->stream;
    ratio_starts(&box, starts, n, past, &stream, start);
    locbo_status status = find_peak(&f, starts, start, memory, error);
    if (status == LOCBO_OK) status = ratio_sample(&chains, &box, start, &stream, sample, error);
    if (status == LOCBO_OK)
        status = ratio_fit(out, &box, ratio_sample_size(&chains), sample, n, past, gp_watcher(context->model), error);
    gp_work_release(&f.work);
    return status;
}

/* The point of each measurement: a point that was measured several times is that many past queries. */
static double *measured_points(const gp *model, size_t columns) {
    size_t n = gp_measurements(model);
    double *points = mem_new(n * columns, sizeof *points);
    for (size_t i = 0; points && i < n; i++)
        memcpy(points + i * columns, gp_inputs(model) + gp_measurement_at(model, i).row * columns,
               columns * sizeof *points);
    return points;
}

static locbo_status prepare(calibrator *c, const calibrator_context *context, locbo_error *error) {
    conformal *s = c->state;
    size_t columns = c->columns, n = gp_measurements(context->model);
    size_t starts = (size_t)c->options.cbo_chains + PEAK_POINTS;
    ratio_chains chains = {c->options.cbo_chains, c->options.cbo_steps, NULL, NULL};
    size_t samples = ratio_sample_size(&chains);
    ratio_destroy(s->weights); /* it belongs to the last model */
    s->weights = NULL;
    wcp_release(s->set);
    locbo_status status = wcp_bind(s->set, context->model, error);
    if (status != LOCBO_OK || n == 0) return status;

    double *memory = mem_new((starts + samples + 3) * columns, sizeof *memory);
    double *weight = mem_new(n, sizeof *weight);
    double *past = measured_points(context->model, columns);
    ratio *learnt = NULL;
    if (!memory || !weight || !past)
        status = status_no_memory(error);
    else
        status = learn_ratio(c, context, starts, memory, n, past, &learnt, error);
    if (status == LOCBO_OK) {
        for (size_t i = 0; i < n; i++) weight[i] = ratio_at(learnt, past + i * columns);
        wcp_weigh(s->set, weight);
        s->weights = learnt;
    }
    mem_free(memory);
    mem_free(weight);
    mem_free(past);
    return status;
}

static double guarantee(const calibrator *c, uint64_t T, char *text, size_t size) {
    (void)c, (void)T;
    snprintf(text, size, "no guarantee: weighted CP needs known likelihood ratios, here they are estimated");
    return NAN;
}

const calibrator_method calibrate_cbo = {.create = create,
                                         .destroy = destroy,
                                         .prepare = prepare,
                                         .law = law_at,
                                         .set_at = set_at,
                                         .show = show,
                                         .tell = calibrate_tell_as_shown,
                                         .guarantee = guarantee};
