/* acquisition.c - the utility of evaluating x (eq:acqusition function) under the law of f(x), or a score of the
 * caller's own, whose derivatives are taken by central differences.
 *
 * Layer: core, above the law. Cost: one call of the law; at most nine of a caller's score with its gradient. */
#include "acquisition.h"

#include <math.h>

/* Relative step of the differences: about the cube root of the rounding unit. */
static const double STEP = 1e-5;
/* A score that is not finite: below any that is meant, and finite as the maximiser wants it. */
static const double WORST = -1e100;

/* ---- a score of the caller's own --------------------------------------------------------------- */

static locbo_view view_of(const acquisition *a, const law *l) {
    locbo_view view = {.mean = l->mu,
                       .var_f = l->v,
                       .noise_var = l->s2,
                       .set_low = (double)NAN,
                       .set_high = (double)NAN,
                       .tail_mass = (double)NAN,
                       .best = a->best};
    if (l->kind != LAW_SET) return view;
    double sy = sqrt(l->v + l->s2);
    view.set_low = l->mu + sy * l->shape[0];
    view.set_high = l->mu + sy * l->shape[1];
    view.tail_mass = l->tail_mass;
    return view;
}

/* The score of l; -INFINITY for what is not finite. */
static double call(const acquisition *a, const law *l) {
    locbo_view view = view_of(a, l);
    double score = a->score(&view, a->user);
    return isfinite(score) ? score : -INFINITY;
}

/* The slope along *x, a number of *l, from x - down, x and x + up; `here` is the score at x. A side without a
 * score is left out. */
static double slope(const acquisition *a, law *l, double *x, double down, double up, double here) {
    double centre = *x, low = centre, high = centre, below = here, above = here;
    if (up > 0) {
        *x = centre + up;
        double score = call(a, l);
        if (isfinite(score)) high = *x, above = score;
    }
    if (down > 0) {
        *x = centre - down;
        double score = call(a, l);
        if (isfinite(score)) low = *x, below = score;
    }
    *x = centre;
    return high > low ? (above - below) / (high - low) : 0;
}

/* The steps are small beside what each number is measured in: the mean in standard deviations of f (but above its
 * rounding), the variance in itself, so that it stays positive, the ends of the set in predictive standard
 * deviations; they never cross. */
static void differences(const acquisition *a, const law *given, double here, law_grad *g) {
    law l = *given;
    double by_mean = fmax(STEP * sqrt(l.v), 1e-10 * (1 + fabs(l.mu)));
    g->mu = slope(a, &l, &l.mu, by_mean, by_mean, here);
    g->v = slope(a, &l, &l.v, STEP * l.v, STEP * l.v, here);
    g->s2 = 0;
    for (size_t i = 0; i < l.shape_n; i++) g->shape[i] = 0;
    if (l.kind != LAW_SET) return;
    double inner = l.shape[1] - l.shape[0] > 2 * STEP ? STEP : 0;
    g->shape[0] = slope(a, &l, &l.shape[0], STEP, inner, here);
    g->shape[1] = slope(a, &l, &l.shape[1], inner, STEP, here);
}

static double own_score(const acquisition *a, const law *l, law_grad *grad) {
    double score = call(a, l);
    if (isfinite(score)) {
        if (grad) differences(a, l, score, grad);
        return score;
    }
    if (grad) {
        grad->mu = grad->v = grad->s2 = 0;
        for (size_t i = 0; i < l->shape_n; i++) grad->shape[i] = 0;
    }
    return WORST;
}

/* ---- all of them ------------------------------------------------------------------------------- */

int acquisition_is_logarithm(const acquisition *a) {
    return a->score || (a->kind != LOCBO_ACQUISITION_UCB && a->kind != LOCBO_ACQUISITION_THOMPSON);
}

double acquisition_score(const acquisition *a, const law *l, law_grad *grad) {
    if (a->score) return own_score(a, l, grad);
    switch (a->kind) {
    case LOCBO_ACQUISITION_EI:
    case LOCBO_ACQUISITION_LOG_EI:
        return law_log_ei(l, a->best, grad);
    case LOCBO_ACQUISITION_PI:
        return law_log_pi(l, a->best, grad);
    case LOCBO_ACQUISITION_UCB:
        return law_quantile(l, a->ucb_level, grad);
    case LOCBO_ACQUISITION_THOMPSON:
        break; /* scored by a sampled path */
    }
    return NAN;
}

double acquisition_value(const acquisition *a, const law *l) {
    if (a->score) return own_score(a, l, NULL);
    switch (a->kind) {
    case LOCBO_ACQUISITION_EI:
        return law_ei(l, a->best, NULL);
    case LOCBO_ACQUISITION_LOG_EI:
        return law_log_ei(l, a->best, NULL);
    case LOCBO_ACQUISITION_PI:
        return law_pi(l, a->best, NULL);
    case LOCBO_ACQUISITION_UCB:
        return law_quantile(l, a->ucb_level, NULL);
    case LOCBO_ACQUISITION_THOMPSON:
        break;
    }
    return NAN;
}
