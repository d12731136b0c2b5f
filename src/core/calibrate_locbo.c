/* calibrate_locbo.c - LOCBO: a localized online conformal threshold lambda(x) = c + g(x). The flat part of the law is
 * [-q, q], q = Q^{-1}(lambda/2) (eq:locbo_prediction_set, eq:locbo_likelihood). Coverage is decided on the raw
 * threshold; what the law uses is clamped (docs/paper-notes.md). The state is a locp. Layer: core, a calibrator, above
 * locp. Cost at one point: O(min(t, exact_rows) columns). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "calibrator_method.h"
#include "locp.h"
#include "normal.h"

static locp_config settings_of(const calibrator *c) {
    return locp_settings(&c->options, c->columns, 1, c->options.gain);
}

static locbo_status create(calibrator *c, locbo_error *error) {
    locp_config settings = settings_of(c);
    double start = c->options.alpha * c->options.head_start;
    locp *threshold = NULL;
    locbo_status status = locp_create(&threshold, &settings, &start, error);
    c->state = threshold;
    return status;
}

static void destroy(void *state) { locp_destroy(state); }

/* lambda(x) = c + g(x) (eq:locbo_threshold) */
static double threshold_at(const calibrator *c, const double *x) {
    double lambda;
    locp_thresholds(c->state, x, &lambda);
    return lambda;
}

static double threshold_of(const calibrator *c, const calibrator_point *p) {
    return p->local ? *p->local : threshold_at(c, p->x);
}

static void law_at(const calibrator *c, const calibrator_point *p, law *l) {
    double q = law_half_width(threshold_of(c, p), c->options.z_max, NULL);
    calibrate_law_of_model(c, p, l);
    l->kind = LAW_SET;
    l->tail_mass = c->options.alpha * c->options.tail;
    l->shape_n = 2;
    l->shape[0] = -q;
    l->shape[1] = q;
}

static void chain(const calibrator *c, const calibrator_point *p, const law_grad *g, double *dx) {
    double slope;
    law_half_width(threshold_of(c, p), c->options.z_max, &slope);
    double weight = (g->shape[1] - g->shape[0]) * slope;
    if (weight != 0) locp_chain(c->state, p->x, &weight, dx);
}

static void set_at(const calibrator *c, const calibrator_point *p, calibrator_set *set) {
    double lambda = threshold_of(c, p), q;
    if (lambda <= 0)
        q = INFINITY;
    else
        q = lambda > 1 ? -INFINITY : normal_isf(lambda / 2);
    *set = (calibrator_set){lambda, -q, q};
}

/* Judged by the current threshold: with trials outstanding, judging by the one announced at the ask breaks the bound
 * (tests/property/test_coverage.c). */
static locbo_status tell(calibrator *c, const double *x, double z, const calibrator_set *asked, double *threshold,
                         int *covered, locbo_error *error) {
    (void)asked;
    double score = 2 * normal_sf(fabs(z)), lambda = threshold_at(c, x); /* eq:locbo_nc_score, eq:locbo_threshold */
    int err = score < lambda;
    double residual = c->options.alpha - (double)err;
    locbo_status status = locp_update(c->state, x, &residual, error);
    if (status != LOCBO_OK) return status;
    *threshold = lambda;
    *covered = !err;
    return LOCBO_OK;
}

static double guarantee_scalar(const calibrator *c, uint64_t T, char *text, size_t size) {
    ocp_steps steps = {c->options.eta0, c->options.step_power};
    if (T == 0) {
        snprintf(text, size, "no guarantee yet: no result was judged");
        return NAN;
    }
    double bound = c->options.alpha + ocp_bound(&steps, T);
    if (bound < 1) {
        snprintf(text, size, "miscoverage <= %.3g on every sequence (online CP, T = %" PRIu64 ")", bound, T);
        return bound;
    }
    snprintf(text, size, "no guarantee yet: online CP's bound on the miscoverage is %.3g at T = %" PRIu64, bound, T);
    return NAN;
}

static double guarantee(const calibrator *c, uint64_t T, char *text, size_t size) {
    if (c->options.gain == 0) return guarantee_scalar(c, T, text, size);
    locp_config settings = settings_of(c);
    double bound;
    const char *why;
    if (!locp_bound(&settings, c->options.alpha, c->dim, T, &bound, &why)) {
        snprintf(text, size, "no guarantee: %s", why);
        return NAN;
    }
    if (bound < 1) {
        snprintf(text, size, "miscoverage <= %.3g on every sequence (Lemma 1, T = %" PRIu64 ")", bound, T);
        return bound;
    }
    snprintf(text, size,
             "no guarantee: Lemma 1's bound on the miscoverage says nothing: it is %.3g at T = %" PRIu64
             " and tends to alpha + gain = %.3g",
             bound, T, c->options.alpha + c->options.gain);
    return NAN;
}

static locbo_status reserve(calibrator *c, locbo_error *error) { return locp_reserve(c->state, error); }

const calibrator_method calibrate_locbo = {.create = create,
                                           .destroy = destroy,
                                           .local = threshold_at,
                                           .law = law_at,
                                           .chain = chain,
                                           .set_at = set_at,
                                           .reserve = reserve,
                                           .tell = tell,
                                           .guarantee = guarantee};
