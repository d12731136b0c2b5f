/* calibrate_bo.c - BO and random search: the model without calibration; nothing is learnt.
 * Layer: core, a calibrator. Cost: none. */
#include <math.h>
#include <stdio.h>

#include "calibrator_method.h"
#include "normal.h"

void calibrate_law_of_model(const calibrator *c, const calibrator_point *p, law *l) {
    (void)c;
    l->kind = LAW_NORMAL;
    l->mu = p->mu;
    l->v = p->v;
    l->s2 = p->s2;
    l->tail_mass = 0;
    l->level = NULL;
    l->shape_n = 0;
}

void calibrate_set_of_model(const calibrator *c, const calibrator_point *p, calibrator_set *set) {
    (void)p;
    double q = normal_isf(c->options.alpha / 2);
    *set = (calibrator_set){NAN, -q, q};
}

locbo_status calibrate_tell_as_shown(calibrator *c, const double *x, double z, const calibrator_set *asked,
                                     double *threshold, int *covered, locbo_error *error) {
    (void)c, (void)x, (void)threshold;
    *covered = asked->low <= z && z <= asked->high;
    return status_ok(error);
}

static double guarantee(const calibrator *c, uint64_t T, char *text, size_t size) {
    (void)T;
    snprintf(text, size, "no guarantee: %s",
             c->options.method == LOCBO_METHOD_BO ? "bo trusts the model's own uncertainty"
                                                  : "random search has no model");
    return NAN;
}

const calibrator_method calibrate_bo = {.law = calibrate_law_of_model,
                                        .set_at = calibrate_set_of_model,
                                        .tell = calibrate_tell_as_shown,
                                        .guarantee = guarantee};
