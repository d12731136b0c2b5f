/* ocp.c - online conformal prediction of one scalar threshold.
 *
 *   c_{t+1} = c_t + eta_t (target - err_t)         (the constant of eq:locp_update_rule_const)
 *
 * For a score in [0, 1] judged by the raw c, c never leaves [-eta_1, 1 + eta_1]: below 0 nothing
 * can be an error, above 1 everything is. Summation by parts then bounds the share of errors
 * (eq:locp_guarantee, with a non-increasing step). Layer: core. Cost: O(1). */
#include "ocp.h"

#include <math.h>

double ocp_step(const ocp_steps *s, uint64_t t) { return s->eta0 * pow((double)t, -s->power); }

double ocp_update(double c, double eta, double target, int err) { return c + eta * (target - (double)err); }

double ocp_bound(const ocp_steps *s, uint64_t T) {
    if (T == 0) return INFINITY;
    return (1 + ocp_step(s, 1)) / (ocp_step(s, T) * (double)T);
}
