/* ocp.h - online conformal prediction of one scalar threshold (eq:locp_guarantee). */
#ifndef OCP_H
#define OCP_H

#include <stdint.h>

/* eta_t = eta0 * t^-power, t = 1, 2, ... */
typedef struct ocp_steps {
    double eta0, power;
} ocp_steps;

double ocp_step(const ocp_steps *s, uint64_t t);

/* c + eta (target - err): the rule of eq:locp_update_rule_const for the constant. */
double ocp_update(double c, double eta, double target, int err);

/* (1 + eta_1) / (eta_T T): how far from the target the share of errors can be after T rounds, on
 * every sequence, with gain 0. */
double ocp_bound(const ocp_steps *s, uint64_t T);

#endif
