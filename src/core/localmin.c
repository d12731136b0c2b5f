/* localmin.c - bounded local minimisation by NLopt, guarded. Layer: core, bottom.
 *
 * With constraints by SLSQP, which follows them. What NLopt does not do and this file does: fixed coordinates are left
 * out of the problem; values that are not finite become walls (localmin.h); the best point is our own record, so that a
 * failure code at a right answer (some line searches end that way) loses nothing; evaluations are counted here too,
 * since some algorithms continue after their own limit. Cost: the evaluations; the search itself
 * is O(n^2) or less per step. */
#include "localmin.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

#include "mem.h"

/* Evaluations until a GP likelihood stops improving by 1e-4, cold, mean of 18 problems each in 2 /
 * 6 / 18 / 50 dimensions: LBFGS 26 / 34 / 49 / 65, VAR2 36 / 36 / 63 / 94, SLSQP 35 / 63 / 108 /
 * 127, TNEWTON 56 / 82 / 166 / 211, MMA 66 / 126 / 181 / 240, CCSAQ 66 / 150 / 169 / 198.
 * They do not all end in the same optimum: from 18 dimensions on MMA's slow walk often found a
 * better one (noisy sums, 50 dimensions: 7.7 higher on average); restarts make up for that. */
#ifndef LOCALMIN_ALGORITHM
#define LOCALMIN_ALGORITHM NLOPT_LD_LBFGS
#endif

typedef struct search {
    localmin_fn *fn;
    void *user;
    watcher *watcher;
    nlopt_opt opt;
    size_t n, free;           /* coordinates; those that are not fixed */
    size_t *index;            /* of the free ones */
    double *point, *grad;     /* all coordinates, as fn sees them */
    double *best_point, best; /* best finite value so far; INFINITY: none */
    double worst;             /* largest finite value so far: a wall is higher */
    int evals, max_evals;
    const localmin_limits *limits;
    double *slope; /* of a constraint, all coordinates */
} search;

/* Higher than anything seen, yet not so high that interpolation along the line loses its digits. */
static double wall(const search *s) {
    return isfinite(s->best) ? s->worst + 10 * (1 + fabs(s->worst - s->best)) : 1e10;
}

static int all_finite(size_t n, const double *x) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

/* Whether s->point keeps to the constraints. */
static int is_allowed(search *s) {
    for (size_t i = 0; i < s->limits->constraint_count; i++)
        if (!(s->limits->constraint(i, s->n, s->point, s->slope, s->user) <= s->limits->constraint_tol)) return 0;
    return 1;
}

/* Evaluate at s->point and keep the record; 0 if the value is a wall. */
static int evaluate(search *s, double *value) {
    s->evals++;
    *value = s->fn(s->n, s->point, s->grad, s->user);
    if (!isfinite(*value) || !all_finite(s->n, s->grad)) return 0;
    if (!isfinite(s->best) || *value > s->worst) s->worst = *value;
    if (*value < s->best && is_allowed(s)) {
        s->best = *value;
        memcpy(s->best_point, s->point, s->n * sizeof *s->point);
    }
    return 1;
}

/* What NLopt calls: the free coordinates only. */
static double objective(unsigned free, const double *x, double *grad, void *user) {
    search *s = user;
    double value = 0;
    int finite = 0;
    if (s->evals >= s->max_evals || watcher_cancels(s->watcher)) {
        nlopt_force_stop(s->opt);
    } else if (all_finite(free, x)) {
        for (unsigned i = 0; i < free; i++) s->point[s->index[i]] = x[i];
        finite = evaluate(s, &value);
    }
    if (grad)
        for (unsigned i = 0; i < free; i++) grad[i] = finite ? s->grad[s->index[i]] : 0;
    return finite ? value : wall(s);
}

/* One constraint, as NLopt calls it. */
typedef struct condition {
    search *search;
    size_t number;
} condition;

static double excess(unsigned free, const double *x, double *grad, void *user) {
    const condition *c = user;
    search *s = c->search;
    if (!all_finite(free, x)) return 1;
    for (unsigned i = 0; i < free; i++) s->point[s->index[i]] = x[i];
    double value = s->limits->constraint(c->number, s->n, s->point, s->slope, s->user);
    for (unsigned i = 0; grad && i < free; i++) grad[i] = isfinite(s->slope[s->index[i]]) ? s->slope[s->index[i]] : 0;
    return isfinite(value) ? value : 1;
}

static nlopt_result add_constraints(search *s, condition *list) {
    nlopt_result result = NLOPT_SUCCESS;
    for (size_t i = 0; i < s->limits->constraint_count && result > 0; i++) {
        list[i] = (condition){s, i};
        result = nlopt_add_inequality_constraint(s->opt, excess, &list[i], 0);
    }
    return result;
}

static locbo_status check_box(size_t n, const double *low, const double *high, const double *x, locbo_error *error) {
    for (size_t i = 0; i < n; i++) {
        if (!(low[i] <= high[i]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "low[%zu] = %g exceeds high[%zu] = %g", i, low[i], i,
                               high[i]);
        if (!isfinite(x[i])) return status_fail(error, LOCBO_ERR_ARGUMENT, "x[%zu] must be finite, got %g", i, x[i]);
    }
    return LOCBO_OK;
}

/* The record decides what was found, so of NLopt's answer only a lack of memory matters. `start`,
 * `lower` and `upper` are the free coordinates. */
static locbo_status run_nlopt(search *s, const localmin_limits *limits, double *start, const double *lower,
                              const double *upper, locbo_error *error) {
    condition *list = mem_new(limits->constraint_count + 1, sizeof *list);
    nlopt_algorithm algorithm = limits->constraint_count ? NLOPT_LD_SLSQP : LOCALMIN_ALGORITHM;
    s->opt = list ? nlopt_create(algorithm, (unsigned)s->free) : NULL;
    if (!s->opt) {
        mem_free(list);
        return status_no_memory(error);
    }
    double ignored;
    nlopt_result result = nlopt_set_min_objective(s->opt, objective, s);
    if (result > 0) result = add_constraints(s, list);
    if (result > 0) result = nlopt_set_lower_bounds(s->opt, lower);
    if (result > 0) result = nlopt_set_upper_bounds(s->opt, upper);
    if (result > 0) result = nlopt_set_ftol_rel(s->opt, limits->f_tol_rel);
    if (result > 0) result = nlopt_set_ftol_abs(s->opt, limits->f_tol_abs);
    if (result > 0) result = nlopt_set_xtol_abs1(s->opt, limits->x_tol_abs);
    if (result > 0) result = nlopt_set_maxeval(s->opt, s->max_evals);
    if (result > 0) result = nlopt_optimize(s->opt, start, &ignored);
    nlopt_destroy(s->opt);
    mem_free(list);
    return result == NLOPT_OUT_OF_MEMORY ? status_no_memory(error) : LOCBO_OK;
}

locbo_status localmin_run(localmin_fn *fn, void *user, size_t n, const double *low, const double *high,
                          const localmin_limits *limits, double *x, double *f, int *evals, locbo_error *error) {
    locbo_status status = check_box(n, low, high, x, error);
    if (status == LOCBO_OK && limits->max_evals < 1)
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "max_evals must be >= 1, got %d", limits->max_evals);
    if (status != LOCBO_OK) return status;
    search s = {.fn = fn,
                .user = user,
                .watcher = limits->watcher,
                .n = n,
                .best = INFINITY,
                .max_evals = limits->max_evals,
                .limits = limits};
    s.index = mem_new(n, sizeof *s.index);
    double *memory = mem_new(7 * n, sizeof *memory);
    if (!s.index || !memory) {
        status = status_no_memory(error);
        goto done;
    }
    s.point = memory, s.grad = memory + n, s.best_point = memory + 2 * n, s.slope = memory + 6 * n;
    double *start = memory + 3 * n, *lower = memory + 4 * n, *upper = memory + 5 * n;
    for (size_t i = 0; i < n; i++) {
        s.point[i] = x[i] < low[i] ? low[i] : x[i] > high[i] ? high[i] : x[i];
        if (low[i] == high[i]) continue;
        start[s.free] = s.point[i], lower[s.free] = low[i], upper[s.free] = high[i];
        s.index[s.free++] = i;
    }
    double value;
    if (s.free)
        status = run_nlopt(&s, limits, start, lower, upper, error);
    else
        evaluate(&s, &value);
    if (status == LOCBO_OK) status = watcher_check(s.watcher, error);
    if (status == LOCBO_OK && !isfinite(s.best))
        status = status_fail(error, LOCBO_ERR_NUMERIC, "no finite value in %d evaluations", s.evals);
    if (status != LOCBO_OK) goto done;
    memcpy(x, s.best_point, n * sizeof *x);
    *f = s.best;
    if (evals) *evals = s.evals;
done:
    mem_free(memory);
    mem_free(s.index);
    return status;
}
