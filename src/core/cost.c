/* cost.c - the cost of an evaluation. Layer: core, top. Cost: O(trials columns^2 + columns^3), once for each proposal.
 *
 * The model is linear regression with normal priors:
 *
 *     log cost = w_0 + (1 + w_1) log fidelity + sum_c w_c (u_c - 1/2) + noise,    u: encoded point without the fidelity
 *
 * so that before anything was told, and along the fidelity until told otherwise, cost is proportional to fidelity. If
 * the range of the fidelity begins at 0 or below, its place in the range plus 1 is used in its place. */
#include "cost.h"

#include <math.h>
#include <string.h>

#include "linalg.h"
#include "mem.h"

static const double noise_sd = 0.3, weight_sd = 0.5, constant_sd = 10;

static double log_fidelity(const locbo_optimizer *o, const double *x) {
    locbo_parameter p;
    locbo_space_parameter(o->space, o->fidelity, &p, NULL);
    double value = fmin(fmax(x[o->fidelity], p.low), p.high); /* of a space that has changed it may lie outside */
    return p.low > 0 ? log(value / p.high) : log((1 + (value - p.low) / (p.high - p.low)) / 2);
}

/* The features of x, columns + 1 of them: the fidelity's stands in place of its column, after the constant. */
static void features(const locbo_optimizer *o, const double *x, const double *u, double *f) {
    size_t own = space_column(o->space, o->fidelity), at = 2;
    f[0] = 1;
    f[1] = log_fidelity(o, x);
    for (size_t c = 0; c < o->columns; c++)
        if (c != own) f[at++] = u[c] - 0.5;
}

/* Whether the trial's cost was told. */
static int is_told(const locbo_optimizer *o, size_t i) {
    if (o->trial[i].state == LOCBO_TRIAL_ENDED) return 0; /* that of a lower fidelity than its point's */
    return !isnan(o->trial[i].cost) && !isnan(o->trial_x[i * o->dim + o->fidelity]);
}

/* The weights, from the normal equations. */
static locbo_status fit(cost *c, locbo_error *error) {
    const locbo_optimizer *o = c->o;
    size_t p = o->columns + 1, n = 0;
    double *A = mem_new(p * p, sizeof *A), *f = mem_new(p, sizeof *f), centre = 0;
    for (size_t i = 0; i < o->trials; i++) {
        if (!is_told(o, i)) continue;
        centre += log(o->trial[i].cost) - log_fidelity(o, o->trial_x + i * o->dim);
        n++;
    }
    centre = n ? centre / (double)n : 0;
    for (size_t i = 0; A && f && i < o->trials; i++) {
        if (!is_told(o, i)) continue;
        features(o, o->trial_x + i * o->dim, o->trial_u + i * o->columns, f);
        double y = (log(o->trial[i].cost) - f[1] - centre) / (noise_sd * noise_sd);
        for (size_t j = 0; j < p; j++) {
            for (size_t k = 0; k < p; k++) A[j + k * p] += f[j] * f[k] / (noise_sd * noise_sd);
            c->weight[j] += f[j] * y;
        }
    }
    for (size_t j = 0; A && j < p; j++) A[j + j * p] += pow(j == 0 ? constant_sd : weight_sd, -2);
    int done = A && f;
    if (done && linalg_cholesky(p, A, p)) {
        linalg_solve_lower(p, A, p, c->weight);
        linalg_solve_lower_t(p, A, p, c->weight);
    } else if (done) {
        memset(c->weight, 0, p * sizeof *c->weight); /* the prior makes A definite, but for rounding */
    }
    c->weight[0] += centre;
    mem_free(A);
    mem_free(f);
    return done ? LOCBO_OK : status_no_memory(error);
}

locbo_status cost_init(cost *c, const locbo_optimizer *o, locbo_error *error) {
    *c = (cost){.o = o};
    if (locbo_space_cost(o->space)) return LOCBO_OK;
    c->weight = mem_new(o->columns + 1, sizeof *c->weight);
    locbo_status status = c->weight ? fit(c, error) : status_no_memory(error);
    if (status != LOCBO_OK) cost_release(c);
    return status;
}

void cost_release(cost *c) {
    mem_free(c->weight);
    c->weight = NULL;
}

static double by_model(const cost *c, const double *x) {
    const locbo_optimizer *o = c->o;
    size_t own = space_column(o->space, o->fidelity), at = 2;
    space_encode(o->space, x, o->encoded);
    double sum = c->weight[0] + (1 + c->weight[1]) * log_fidelity(o, x);
    for (size_t k = 0; k < o->columns; k++)
        if (k != own) sum += c->weight[at++] * (o->encoded[k] - 0.5);
    return sum;
}

double cost_log(const cost *c, const double *x) {
    double value;
    if (c->weight) return fmin(fmax(by_model(c, x), -700), 700);
    return locbo_space_cost_at(c->o->space, x, &value, NULL) == LOCBO_OK ? log(value) : log_fidelity(c->o, x);
}

double cost_of_trial(const cost *c, size_t index) {
    const locbo_optimizer *o = c->o;
    return isnan(o->trial[index].cost) ? exp(cost_log(c, o->trial_x + index * o->dim)) : o->trial[index].cost;
}
