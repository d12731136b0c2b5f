/* calibrator.c - the table of methods: how each turns (mu, v, s2) into a law, and learns.
 *
 *   LOCBO   a localized online conformal threshold lambda(x) = c + g(x): the flat part of the law
 *           is [-q, q], q = Q^{-1}(lambda/2)    (eq:locbo_prediction_set, eq:locbo_likelihood)
 *   OCBO    quantile levels R(a), and OCBO-L R(a, x)            (section OCBO; recalibrate.h)
 *   CBO     hull of the weighted full conformal set             (eq:WCP_set, eq:CBO_decomp; wcp.h)
 *   BO      the model as it is; random search shows the same beliefs
 *
 * Coverage is decided on raw thresholds; what the law uses is clamped (docs/paper-notes.md).
 * Layer: core, above locp, recalibrate, wcp, ratio. Cost at one point: LOCBO O(t columns), OCBO-L
 * O(t (columns + levels)), CBO O(n^2). */
#include "calibrator.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "locp.h"
#include "mem.h"
#include "normal.h"
#include "ratio.h"
#include "recalibrate.h"
#include "wcp.h"

/* Where CBO looks for the peak of its first acquisition, beside the chains' starting points. */
enum { PEAK_POINTS = 64 };

/* One row per method. */
typedef struct method {
    const char *name;
    locbo_status (*create)(calibrator *c, locbo_error *error);
    locbo_status (*prepare)(calibrator *c, const calibrator_scene *scene, locbo_error *error);
    void (*law)(const calibrator *c, const calibrator_point *p, law *l);
    void (*chain)(const calibrator *c, const calibrator_point *p, const law_grad *g, double *dx);
    void (*set_at)(const calibrator *c, const calibrator_point *p, calibrator_set *set);
    locbo_status (*tell)(calibrator *c, const double *x, double z, const calibrator_set *asked, int *covered,
                         locbo_error *error);
    double (*guarantee)(const calibrator *c, uint64_t T, char *text, size_t size);
} method;

struct calibrator {
    calibrator_config config;
    const method *method;
    locp *threshold;        /* LOCBO */
    recalibrate *quantiles; /* OCBO, OCBO-L */
    wcp *conformal;         /* CBO */
    ratio *weights;         /* CBO; NULL: all weights 1 */
};

static locp_config locp_settings(const calibrator *c, size_t levels, double gain) {
    const calibrator_config *o = &c->config;
    return (locp_config){.columns = o->columns,
                         .levels = levels,
                         .steps = {o->eta0, o->step_power},
                         .length = o->localization,
                         .gain = gain,
                         .decay = o->decay};
}

/* ---- BO and random search: nothing is learnt ---- */

static locbo_status create_nothing(calibrator *c, locbo_error *error) {
    (void)c;
    return status_ok(error);
}

static locbo_status prepare_nothing(calibrator *c, const calibrator_scene *scene, locbo_error *error) {
    (void)c, (void)scene;
    return status_ok(error);
}

static void law_of_model(const calibrator *c, const calibrator_point *p, law *l) {
    (void)c;
    l->kind = LAW_NORMAL;
    l->mu = p->mu;
    l->v = p->v;
    l->s2 = p->s2;
    l->tail_mass = 0;
    l->level = NULL;
    l->shape_n = 0;
}

static void chain_nothing(const calibrator *c, const calibrator_point *p, const law_grad *g, double *dx) {
    (void)c, (void)p, (void)g, (void)dx;
}

static void set_of_model(const calibrator *c, const calibrator_point *p, calibrator_set *set) {
    (void)p;
    double q = normal_isf(c->config.alpha / 2);
    *set = (calibrator_set){NAN, -q, q};
}

static locbo_status tell_as_shown(calibrator *c, const double *x, double z, const calibrator_set *asked, int *covered,
                                  locbo_error *error) {
    (void)c, (void)x;
    *covered = asked->low <= z && z <= asked->high;
    return status_ok(error);
}

static double guarantee_none(const calibrator *c, uint64_t T, char *text, size_t size) {
    (void)T;
    snprintf(text, size, "no guarantee: %s",
             c->config.method == LOCBO_METHOD_RANDOM ? "random search has no model"
                                                     : "bo trusts the model's own uncertainty");
    return NAN;
}

/* ---- LOCBO ---- */

static locbo_status create_locbo(calibrator *c, locbo_error *error) {
    locp_config settings = locp_settings(c, 1, c->config.gain);
    double start = c->config.alpha * c->config.head_start;
    return locp_create(&c->threshold, &settings, &start, error);
}

static void law_locbo(const calibrator *c, const calibrator_point *p, law *l) {
    double lambda;
    locp_thresholds(c->threshold, p->x, &lambda);
    double q = law_half_width(lambda, c->config.z_max, NULL);
    law_of_model(c, p, l);
    l->kind = LAW_SET;
    l->tail_mass = c->config.alpha * c->config.tail;
    l->shape_n = 2;
    l->shape[0] = -q;
    l->shape[1] = q;
}

static void chain_locbo(const calibrator *c, const calibrator_point *p, const law_grad *g, double *dx) {
    double lambda, slope;
    locp_thresholds(c->threshold, p->x, &lambda);
    law_half_width(lambda, c->config.z_max, &slope);
    double weight = (g->shape[1] - g->shape[0]) * slope;
    if (weight != 0) locp_chain(c->threshold, p->x, &weight, dx);
}

static void set_locbo(const calibrator *c, const calibrator_point *p, calibrator_set *set) {
    double lambda, q;
    locp_thresholds(c->threshold, p->x, &lambda);
    if (lambda <= 0)
        q = INFINITY;
    else
        q = lambda > 1 ? -INFINITY : normal_isf(lambda / 2);
    *set = (calibrator_set){lambda, -q, q};
}

/* The threshold is the one current now: with trials outstanding, judging by the one shown at the
 * ask breaks the bound (tests/property/test_coverage.c). */
static locbo_status tell_locbo(calibrator *c, const double *x, double z, const calibrator_set *asked, int *covered,
                               locbo_error *error) {
    (void)asked;
    double lambda, score = 2 * normal_sf(fabs(z)); /* eq:locbo_nc_score */
    locp_thresholds(c->threshold, x, &lambda);
    int err = score < lambda;
    double residual = c->config.alpha - (double)err;
    locbo_status status = locp_update(c->threshold, x, &residual, error);
    if (status == LOCBO_OK) *covered = !err;
    return status;
}

static double guarantee_scalar(const calibrator *c, uint64_t T, char *text, size_t size) {
    ocp_steps steps = {c->config.eta0, c->config.step_power};
    if (T == 0) {
        snprintf(text, size, "no guarantee yet: no result was judged");
        return NAN;
    }
    double bound = c->config.alpha + ocp_bound(&steps, T);
    if (bound < 1) {
        snprintf(text, size, "miscoverage <= %.3g on every sequence (online CP, T = %" PRIu64 ")", bound, T);
        return bound;
    }
    snprintf(text, size, "no guarantee yet: online CP's bound on the miscoverage is %.3g at T = %" PRIu64, bound, T);
    return NAN;
}

static double guarantee_locbo(const calibrator *c, uint64_t T, char *text, size_t size) {
    if (c->config.gain == 0) return guarantee_scalar(c, T, text, size);
    locp_config settings = locp_settings(c, 1, c->config.gain);
    double bound;
    const char *why;
    if (!locp_bound(&settings, c->config.alpha, c->config.dim, T, &bound, &why)) {
        snprintf(text, size, "no guarantee: %s", why);
        return NAN;
    }
    if (bound < 1) {
        snprintf(text, size, "miscoverage <= %.3g on every sequence (Lemma 1, T = %" PRIu64 ")", bound, T);
        return bound;
    }
    snprintf(text, size,
             "no guarantee: Lemma 1's bound on the miscoverage says nothing, it is %.3g at T = %" PRIu64
             " and tends to alpha + gain = %.3g",
             bound, T, c->config.alpha + c->config.gain);
    return NAN;
}

/* ---- OCBO and OCBO-L ---- */

static locbo_status create_quantiles(calibrator *c, double gain, locbo_error *error) {
    if (c->config.levels < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "levels must lie in 1 .. %d, got %d", (int)LAW_MAX_SHAPE,
                           c->config.levels);
    locp_config settings = locp_settings(c, (size_t)c->config.levels, gain);
    return recalibrate_create(&c->quantiles, &settings, error);
}

static locbo_status create_ocbo(calibrator *c, locbo_error *error) { return create_quantiles(c, 0, error); }

static locbo_status create_ocbo_l(calibrator *c, locbo_error *error) {
    return create_quantiles(c, c->config.gain, error);
}

static void law_ocbo(const calibrator *c, const calibrator_point *p, law *l) {
    law_of_model(c, p, l);
    l->kind = LAW_QUANTILE;
    l->z_max = c->config.z_max;
    l->level = recalibrate_levels(c->quantiles);
    l->shape_n = (size_t)c->config.levels;
    recalibrate_shape(c->quantiles, p->x, c->config.z_max, l->shape);
}

static void chain_ocbo(const calibrator *c, const calibrator_point *p, const law_grad *g, double *dx) {
    recalibrate_chain(c->quantiles, p->x, c->config.z_max, g->shape, dx);
}

static void set_ocbo(const calibrator *c, const calibrator_point *p, calibrator_set *set) {
    set->threshold = NAN;
    recalibrate_set(c->quantiles, p->x, c->config.alpha, &set->low, &set->high);
}

static locbo_status tell_ocbo(calibrator *c, const double *x, double z, const calibrator_set *asked, int *covered,
                              locbo_error *error) {
    (void)asked;
    double low, high;
    recalibrate_set(c->quantiles, x, c->config.alpha, &low, &high);
    locbo_status status = recalibrate_update(c->quantiles, x, z, error);
    if (status == LOCBO_OK) *covered = low <= z && z <= high;
    return status;
}

/* Each level is an online conformal predictor of its own; the set shown interpolates and sorts
 * them, so the bound is told in words and not as one on its miscoverage. */
static double guarantee_ocbo(const calibrator *c, uint64_t T, char *text, size_t size) {
    ocp_steps steps = {c->config.eta0, c->config.step_power};
    double half = ocp_bound(&steps, T);
    if (c->config.method == LOCBO_METHOD_OCBO_L && c->config.gain > 0)
        snprintf(text, size,
                 "no guarantee: the bound of online CP is for levels that are not "
                 "localized (gain = 0)");
    else if (half < 1)
        snprintf(text, size,
                 "share of y below each quantile level within %.3g of it on every sequence "
                 "(online CP, T = %" PRIu64 ")",
                 half, T);
    else
        snprintf(text, size, "no guarantee yet: online CP's bound says nothing at T = %" PRIu64, T);
    return NAN;
}

/* ---- CBO ---- */

static locbo_status create_cbo(calibrator *c, locbo_error *error) {
    const calibrator_config *o = &c->config;
    if (!(o->cbo_temperature > 0) || !isfinite(o->cbo_temperature))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "cbo_temperature must be positive, got %g", o->cbo_temperature);
    if (o->cbo_chains < 1 || o->cbo_steps < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "cbo_chains and cbo_steps must be at least 1, got %d and %d",
                           o->cbo_chains, o->cbo_steps);
    return wcp_create(&c->conformal, error);
}

/* The conformal set's hull in p's units of z. Returns 0 if there is no model to look into. The set
 * is one of y given the data alone, so v and its units are brought there and back if rows are
 * pending. */
static int conformal_hull(const calibrator *c, const calibrator_point *p, int *everything, double *low, double *high) {
    const gp *model = wcp_model(c->conformal);
    if (!model || !p->w) return 0;
    size_t n = gp_rows(model), rows = n + gp_pending(model);
    double v = p->v;
    for (size_t i = n; i < rows; i++) v += p->w[i] * p->w[i];
    wcp_point point = {v, p->s2, p->w, c->weights ? ratio_at(c->weights, p->x) : 1};
    wcp_set set;
    wcp_set_at(c->conformal, &point, c->config.alpha, &set);
    double units = rows > n ? sqrt((v + p->s2) / (p->v + p->s2)) : 1;
    *everything = set.everything;
    *low = set.count ? units * set.intervals[0].low : INFINITY;
    *high = set.count ? units * set.intervals[set.count - 1].high : -INFINITY;
    return 1;
}

static void law_cbo(const calibrator *c, const calibrator_point *p, law *l) {
    double low, high, z_max = c->config.z_max;
    int everything;
    law_of_model(c, p, l);
    if (!conformal_hull(c, p, &everything, &low, &high)) return;
    if (everything) {
        l->mu -= CALIBRATOR_WORTHLESS;
        return;
    }
    int empty = !(low <= high) || low > z_max || high < -z_max;
    l->kind = LAW_SET;
    l->tail_mass = c->config.alpha * c->config.tail;
    l->shape_n = 2;
    l->shape[0] = empty ? 0 : fmax(low, -z_max);
    l->shape[1] = empty ? 0 : fmin(high, z_max);
}

static void set_cbo(const calibrator *c, const calibrator_point *p, calibrator_set *set) {
    int everything;
    set_of_model(c, p, set);
    conformal_hull(c, p, &everything, &set->low, &set->high);
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
    law l;
    law_grad g;
    law_cbo(f->c, &p, &l);
    *value = law_ei(&l, f->best, &g) / f->temperature;
    for (size_t j = 0; j < f->c->config.columns; j++) grad[j] = (g.mu * f->dmu[j] + g.v * f->dv[j]) / f->temperature;
    return LOCBO_OK;
}

/* Scale the temperature by the largest acquisition at n points; a flat zero leaves it: p' is then
 * uniform. */
static locbo_status find_peak(first_pass *f, size_t n, const double *x, double *grad, locbo_error *error) {
    double peak = 0;
    f->temperature = 1;
    for (size_t i = 0; i < n; i++) {
        double value;
        locbo_status status = first_density(x + i * f->c->config.columns, &value, grad, f, error);
        if (status != LOCBO_OK) return status;
        if (value > peak) peak = value;
    }
    f->temperature = f->c->config.cbo_temperature * (peak > 0 ? peak : 1);
    return LOCBO_OK;
}

/* Sample p' and learn the ratio. `room`: (starts + samples + 3) x columns numbers. */
static locbo_status learn_ratio(const calibrator *c, const calibrator_scene *scene, size_t starts, double *room,
                                ratio **out, locbo_error *error) {
    size_t columns = c->config.columns, n = gp_rows(scene->model);
    double *start = room + 3 * columns, *sample = start + starts * columns;
    const double *past = gp_inputs(scene->model);
    ratio_box box = {columns, scene->low, scene->high, scene->held};
    first_pass f = {.c = c, .model = scene->model, .best = scene->best};
    f.dmu = room + columns;
    f.dv = room + 2 * columns;
    ratio_chains chains = {c->config.cbo_chains, c->config.cbo_steps, first_density, &f};
    rng stream = scene->stream;
    ratio_starts(&box, starts, n, past, &stream, start);
    locbo_status status = find_peak(&f, starts, start, room, error);
    if (status == LOCBO_OK) status = ratio_sample(&chains, &box, start, &stream, sample, error);
    if (status == LOCBO_OK) status = ratio_fit(out, &box, ratio_sample_size(&chains), sample, n, past, error);
    gp_work_release(&f.work);
    return status;
}

static locbo_status prepare_cbo(calibrator *c, const calibrator_scene *scene, locbo_error *error) {
    size_t columns = c->config.columns, n = gp_rows(scene->model);
    size_t starts = (size_t)c->config.cbo_chains + PEAK_POINTS;
    ratio_chains chains = {c->config.cbo_chains, c->config.cbo_steps, NULL, NULL};
    size_t samples = ratio_sample_size(&chains);
    ratio_destroy(c->weights); /* all of it belongs to the last model */
    c->weights = NULL;
    wcp_release(c->conformal);
    locbo_status status = wcp_bind(c->conformal, scene->model, error);
    if (status != LOCBO_OK || n == 0) return status;

    double *room = mem_new((starts + samples + 3) * columns, sizeof *room);
    double *weight = mem_new(n, sizeof *weight);
    ratio *learnt = NULL;
    if (!room || !weight)
        status = status_no_memory(error);
    else
        status = learn_ratio(c, scene, starts, room, &learnt, error);
    if (status == LOCBO_OK) {
        const double *past = gp_inputs(scene->model);
        for (size_t i = 0; i < n; i++) weight[i] = ratio_at(learnt, past + i * columns);
        wcp_weigh(c->conformal, weight);
        c->weights = learnt;
    }
    mem_free(room);
    mem_free(weight);
    return status;
}

static double guarantee_cbo(const calibrator *c, uint64_t T, char *text, size_t size) {
    (void)c, (void)T;
    snprintf(text, size,
             "no guarantee: weighted CP's holds for known likelihood ratios, here they "
             "are estimated");
    return NAN;
}

/* ---- the table ---- */

static const method methods[] = {
    [LOCBO_METHOD_LOCBO] = {"locbo", create_locbo, prepare_nothing, law_locbo, chain_locbo, set_locbo, tell_locbo,
                            guarantee_locbo},
    [LOCBO_METHOD_BO] = {"bo", create_nothing, prepare_nothing, law_of_model, chain_nothing, set_of_model,
                         tell_as_shown, guarantee_none},
    [LOCBO_METHOD_CBO] = {"cbo", create_cbo, prepare_cbo, law_cbo, chain_nothing, set_cbo, tell_as_shown,
                          guarantee_cbo},
    [LOCBO_METHOD_OCBO] = {"ocbo", create_ocbo, prepare_nothing, law_ocbo, chain_ocbo, set_ocbo, tell_ocbo,
                           guarantee_ocbo},
    [LOCBO_METHOD_OCBO_L] = {"ocbo-l", create_ocbo_l, prepare_nothing, law_ocbo, chain_ocbo, set_ocbo, tell_ocbo,
                             guarantee_ocbo},
    [LOCBO_METHOD_RANDOM] = {"random", create_nothing, prepare_nothing, law_of_model, chain_nothing, set_of_model,
                             tell_as_shown, guarantee_none},
};

/* What every method needs; the rest is checked by the one that uses it. */
static locbo_status check(const calibrator_config *o, locbo_error *error) {
    if ((size_t)o->method >= sizeof methods / sizeof methods[0])
        return status_fail(error, LOCBO_ERR_ARGUMENT, "unknown method %d", (int)o->method);
    if (o->columns < 1 || o->dim < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "columns and dim must be at least 1, got %zu and %zu", o->columns,
                           o->dim);
    if (!(o->alpha > 0 && o->alpha < 1))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "alpha must lie in (0,1), got %g", o->alpha);
    if (!(o->tail >= 0 && o->tail <= 1))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "tail must lie in [0,1], got %g", o->tail);
    if (!(o->z_max > 0) || !isfinite(o->z_max))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "z_max must be positive, got %g", o->z_max);
    return LOCBO_OK;
}

locbo_status calibrator_create(calibrator **out, const calibrator_config *config, locbo_error *error) {
    locbo_status status = check(config, error);
    if (status != LOCBO_OK) return status;
    calibrator *c = mem_new(1, sizeof *c);
    if (!c) return status_no_memory(error);
    c->config = *config;
    c->method = &methods[config->method];
    status = c->method->create(c, error);
    if (status != LOCBO_OK) {
        calibrator_destroy(c);
        return status;
    }
    *out = c;
    return LOCBO_OK;
}

void calibrator_destroy(calibrator *c) {
    if (!c) return;
    locp_destroy(c->threshold);
    recalibrate_destroy(c->quantiles);
    wcp_destroy(c->conformal);
    ratio_destroy(c->weights);
    mem_free(c);
}

locbo_status calibrator_prepare(calibrator *c, const calibrator_scene *scene, locbo_error *error) {
    return c->method->prepare(c, scene, error);
}

void calibrator_law(const calibrator *c, const calibrator_point *p, law *l) { c->method->law(c, p, l); }

void calibrator_chain(const calibrator *c, const calibrator_point *p, const law *l, const law_grad *g, double *dx) {
    if (l->shape_n > 0) c->method->chain(c, p, g, dx);
}

void calibrator_set_at(const calibrator *c, const calibrator_point *p, calibrator_set *set) {
    c->method->set_at(c, p, set);
}

locbo_status calibrator_tell(calibrator *c, const double *x, double z, const calibrator_set *asked, int *covered,
                             locbo_error *error) {
    if (isnan(z)) return status_fail(error, LOCBO_ERR_ARGUMENT, "the score z is not a number");
    return c->method->tell(c, x, z, asked, covered, error);
}

double calibrator_threshold(const calibrator *c, const double *x) {
    double lambda = NAN;
    if (c->threshold) locp_thresholds(c->threshold, x, &lambda);
    return lambda;
}

double calibrator_guarantee(const calibrator *c, uint64_t T, char *text, size_t size) {
    return c->method->guarantee(c, T, text, size);
}
