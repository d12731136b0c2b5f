/* calibrate_ocbo.c - OCBO and OCBO-L: quantile levels R(a) of y, and R(a, x), recalibrated online and not denoised
 * (section OCBO). The state is a recalibrate.
 * Layer: core, a calibrator, above recalibrate. Cost at one point: OCBO-L O(min(t, exact_rows) (columns + levels)). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "calibrator_method.h"
#include "recalibrate.h"

/* OCBO is OCBO-L without localization. */
static double gain_of(const calibrator *c) { return c->options.method == LOCBO_METHOD_OCBO_L ? c->options.gain : 0; }

static locbo_status create(calibrator *c, locbo_error *error) {
    const locbo_options *o = &c->options;
    if (o->levels < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "levels must lie in 1 .. %d, got %d", (int)LAW_MAX_SHAPE,
                           o->levels);
    locp_config settings = locp_settings(o, c->columns, (size_t)o->levels, gain_of(c));
    recalibrate *quantiles = NULL;
    locbo_status status = recalibrate_create(&quantiles, &settings, error);
    c->state = quantiles;
    return status;
}

static void destroy(void *state) { recalibrate_destroy(state); }

static void law_at(const calibrator *c, const calibrator_point *p, law *l) {
    calibrate_law_of_model(c, p, l);
    l->kind = LAW_QUANTILE;
    l->z_max = c->options.z_max;
    l->level = recalibrate_levels(c->state);
    l->shape_n = (size_t)c->options.levels;
    recalibrate_shape(c->state, p->x, c->options.z_max, l->shape);
}

static void chain(const calibrator *c, const calibrator_point *p, const law_grad *g, double *dx) {
    recalibrate_chain(c->state, p->x, c->options.z_max, g->shape, dx);
}

static void set_at(const calibrator *c, const calibrator_point *p, calibrator_set *set) {
    set->threshold = NAN;
    recalibrate_set(c->state, p->x, c->options.alpha, &set->low, &set->high);
}

static locbo_status tell(calibrator *c, const double *x, double z, const calibrator_set *asked, double *threshold,
                         int *covered, locbo_error *error) {
    (void)asked, (void)threshold;
    return recalibrate_update(c->state, x, z, c->options.alpha, covered, error);
}

/* Each level is an online conformal predictor; the set interpolates and sorts them. So the bound is one on each level,
 * given in the text, and none on the miscoverage of the set. */
static double guarantee(const calibrator *c, uint64_t T, char *text, size_t size) {
    ocp_steps steps = {c->options.eta0, c->options.step_power};
    double half = ocp_bound(&steps, T);
    if (gain_of(c) > 0)
        snprintf(text, size, "no guarantee: the bound of online CP is for levels that are not localized (gain = 0)");
    else if (half < 1)
        snprintf(text, size,
                 "share of y below each quantile level within %.3g of it on every sequence "
                 "(online CP, T = %" PRIu64 ")",
                 half, T);
    else
        snprintf(text, size, "no guarantee yet: online CP's bound says nothing at T = %" PRIu64, T);
    return NAN;
}

static locbo_status reserve(calibrator *c, locbo_error *error) { return recalibrate_reserve(c->state, error); }

const calibrator_method calibrate_ocbo = {.create = create,
                                          .destroy = destroy,
                                          .law = law_at,
                                          .chain = chain,
                                          .set_at = set_at,
                                          .reserve = reserve,
                                          .tell = tell,
                                          .guarantee = guarantee};
