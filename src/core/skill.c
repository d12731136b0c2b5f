/* skill.c - how much better than a constant the model predicts.
 *
 *     skill = S - (L - 2)
 *
 * S is the leave-one-out score of the candidate that the last fit chose, the sum of log densities of results, each
 * predicted from the others. L is the largest log likelihood of the same results as independent numbers about a
 * constant, on the same scale. L is fitted to all of them, so it is larger than a prediction would be, by about 1 for
 * each of its two parameters. Layer: core, the model. Cost: O(n) for each of at most ROUNDS rounds. */
#include "skill.h"

#include <math.h>
#include <string.h>

#include "mem.h"

static const double two_pi = 6.283185307179586;
static const double least_variance = 1e-12; /* of standardised numbers, which may all be the same */
static const double dof = 4;

static double log_likelihood_normal(size_t n, double variance) {
    return -0.5 * (double)n * (log(two_pi * variance) + 1);
}

static double log_likelihood_student(size_t n, const double *z, double centre, double s2) {
    double sum = (double)n * (log(0.375) - 0.5 * log(s2)); /* with 4 degrees of freedom the density at 0 is 3/8 */
    for (size_t i = 0; i < n; i++) sum -= (dof + 1) / 2 * log1p(pow(z[i] - centre, 2) / (dof * s2));
    return sum;
}

/* One round of expectation maximisation: weights lambda_i as in robust.h, then the weighted mean and variance. At the
 * maximum the weights sum up to n; dividing by their sum instead gives fewer rounds (Kent, Tyler, Vardi 1994). */
static void improve_student(size_t n, const double *z, double *centre, double *s2) {
    double weights = 0, first = 0, second = 0;
    for (size_t i = 0; i < n; i++) {
        double r = z[i] - *centre, weight = (dof + 1) / (dof + r * r / *s2);
        weights += weight;
        first += weight * r;
        second += weight * r * r;
    }
    double step = first / weights;
    *centre += step;
    *s2 = fmax(second / weights - step * step, least_variance);
}

double skill_of_constant(size_t n, const double *z) {
    enum { ROUNDS = 200 };
    double centre = 0, variance = 0, before = 0;
    for (size_t i = 0; i < n; i++) centre += z[i] / (double)n;
    for (size_t i = 0; i < n; i++) variance += pow(z[i] - centre, 2) / (double)n;
    double s2 = variance = fmax(variance, least_variance);
    for (int k = 0; k < ROUNDS && !(fabs(log(s2) - before) < 1e-9); k++) {
        before = log(s2);
        improve_student(n, z, &centre, &s2);
    }
    return fmax(log_likelihood_normal(n, variance), log_likelihood_student(n, z, centre, s2)) - 2;
}

/* With many results most fits keep the candidates of an earlier one. */
static int is_of_last_fit(const surrogate *s, const locbo_member *chosen) {
    return chosen->count == surrogate_theta_count(s) && chosen->shift == s->fit_scale.shift &&
           chosen->spread == s->fit_scale.spread &&
           memcmp(chosen->theta, s->theta, chosen->count * sizeof *s->theta) == 0;
}

double skill_of_model(const surrogate *s, const dataset *d) {
    const locbo_member *chosen = &s->choice.item[s->choice.chosen];
    if (!s->fitted || s->choice.count == 0 || !is_of_last_fit(s, chosen)) return INFINITY;
    if (surrogate_saw_sample(s, d, s->fit_rows)) return INFINITY; /* of many results: something was learnt from them */
    dataset rows = *d;                                            /* those of the fit; it shares their memory */
    rows.n = s->fit_rows;
    scaling plain = dataset_standardise(&rows);
    double *y = mem_new(rows.n + 1, sizeof *y), jacobian = surrogate_log_jacobian(&rows, &s->fit_scale, &plain);
    dataset_scope scope = dataset_scope_of(&rows);
    size_t n = 0;
    if (!y) return INFINITY; /* as if it were not known */
    for (size_t i = 0; i < rows.n; i++)
        if (dataset_is_scored(&rows, &scope, i)) y[n++] = rows.y[i];
    double skill = chosen->score - skill_of_constant(n, y) - jacobian;
    mem_free(y);
    return skill;
}
