/* locp.h - localized online conformal prediction: thresholds c + g(x) (eq:locbo_threshold).
 *
 *   c <- c + eta_t (target - err),   g <- (1 - decay eta_t) g + eta_t (target - err) k_g(x_t, .)
 *   k_g(x,x') = gain exp(-|x-x'|^2 / length^2)                      (eq:locp_update_rule_const)
 *
 * One object carries `levels` thresholds that share their centres (LOCBO: 1; OCBO-L: one per
 * quantile level). g is a list of centres and coefficients with one common scale factor: the decay
 * costs O(1) a round, a threshold O(t columns). After `most` rounds old and new centres are merged
 * (centres.h), and a threshold costs O(most columns); errors are those of the thresholds as they then
 * are, so that c obeys the same bounds. length = inf needs one number instead of the list, gain = 0 none. */
#ifndef LOCP_H
#define LOCP_H

#include <stddef.h>
#include <stdint.h>

#include "ocp.h"
#include "status.h"

typedef struct locp_config {
    size_t columns;
    size_t levels;
    ocp_steps steps;
    double length, gain, decay;
    size_t most; /* of centres; 0: one for each round */
} locp_config;

typedef struct locp locp;

/* The settings that the options give. */
locp_config locp_settings(const locbo_options *o, size_t columns, size_t levels, double gain);

/* `start`: levels values of c at t = 1. */
locbo_status locp_create(locp **out, const locp_config *config, const double *start, locbo_error *error);
void locp_destroy(locp *p);

/* All thresholds at x. */
void locp_thresholds(const locp *p, const double *x, double *thresholds);
/* dx += sum_i weight[i] d threshold_i / dx, `columns` numbers: one pass for all levels. */
void locp_chain(const locp *p, const double *x, const double *weight, double *dx);
/* One round: residual[i] = target_i - err_i. On failure nothing changes. */
locbo_status locp_update(locp *p, const double *x, const double *residual, locbo_error *error);
/* Memory for the next update, which then does not fail for want of it. */
locbo_status locp_reserve(locp *p, locbo_error *error);
uint64_t locp_rounds(const locp *p);

/* Lemma 1 (eq:mistake_bound_th): alpha + beta/sqrt(T) + gain for settings that satisfy it. Returns
 * 1 and the bound on miscoverage if the conditions hold (power = 1/2, 0 < eta0 decay < 1, finite
 * length, gain > 0, T > 0), otherwise 0 and in *why (may be NULL) a static text that says which
 * fails. `dim` is the dimension of the unit cube. */
int locp_bound(const locp_config *c, double alpha, size_t dim, uint64_t T, double *bound, const char **why);

#endif
