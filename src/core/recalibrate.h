/* recalibrate.h - online recalibration of the quantile function: OCBO and OCBO-L (section OCBO).
 *
 * Levels a_i = i/(M+1), i = 1..M. The calibrated quantile of z = (y-mu)/sy at level a_i is
 * Phi^{-1}(R(a_i, x)), where R = c + g(x) is a localized threshold (locp.h) that starts at a_i.
 * gain = 0 is OCBO. */
#ifndef RECALIBRATE_H
#define RECALIBRATE_H

#include "locp.h"

typedef struct recalibrate recalibrate;

/* config->levels = M, at most LAW_MAX_SHAPE. */
locbo_status recalibrate_create(recalibrate **out, const locp_config *config, locbo_error *error);
void recalibrate_destroy(recalibrate *r);

/* a_1 .. a_M; lives as long as r. */
const double *recalibrate_levels(const recalibrate *r);
/* R at x: not sorted, and not clamped to [0, 1]. */
void recalibrate_raw(const recalibrate *r, const double *x, double *R);
/* What the law uses: R clamped to [Q(z_max), 1 - Q(z_max)] and sorted (M numbers). */
void recalibrate_shape(const recalibrate *r, const double *x, double z_max, double *shape);
/* dx += J^T weight, J the derivative of that shape in x. */
void recalibrate_chain(const recalibrate *r, const double *x, double z_max, const double *weight, double *dx);
/* The set shown: the calibrated quantiles of z at levels alpha/2 and 1 - alpha/2, R interpolated
 * between the (raw, sorted) levels and (0, 0), (1, 1). R <= 0: -inf, R >= 1: inf. Empty: low = inf,
 * high = -inf. */
void recalibrate_set(const recalibrate *r, const double *x, double alpha, double *low, double *high);
/* One round: R(a) <- R(a) + eta_t (a - 1{z <= q(a)}), with k_g. *covered (may be NULL): whether the set at level
 * 1 - alpha, as it was before, holds z. On failure nothing changes. */
locbo_status recalibrate_update(recalibrate *r, const double *x, double z, double alpha, int *covered,
                                locbo_error *error);
/* Memory for the next round, which then does not fail for want of it. */
locbo_status recalibrate_reserve(recalibrate *r, locbo_error *error);

#endif
