/* acquisition.c - the utility of evaluating x (eq:acqusition function) under the law of f(x): the table of
 * acquisitions. Noisy expected improvement is scored by baseline.c; derivatives of a score of the caller's own are
 * taken by central differences.
 *
 * Layer: core, above law and baseline. Cost: one call of the law, with a baseline BASELINE_DRAWS of them; at most nine
 * of a caller's score with its gradient. */
#include "acquisition.h"

#include <math.h>
#include <string.h>

/* Relative step of the differences: about the cube root of the rounding unit. */
static const double STEP = 1e-5;
/* In place of a score that is not finite: below any real one, and finite as the maximiser needs it. */
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

static double own_score(const acquisition *a, const acquisition_point *at, acquisition_grad *grad) {
    double score = call(a, &at->law);
    if (isfinite(score)) {
        if (grad) differences(a, &at->law, score, &grad->law);
        return score;
    }
    if (grad) law_zero_grad(&grad->law, at->law.shape_n);
    return WORST;
}

/* ---- under the law alone ----------------------------------------------------------------------- */

static law_grad *by_law(acquisition_grad *grad) { return grad ? &grad->law : NULL; }

static double log_ei(const acquisition *a, const acquisition_point *at, acquisition_grad *grad) {
    return law_log_ei(&at->law, a->best, by_law(grad));
}

static double log_pi(const acquisition *a, const acquisition_point *at, acquisition_grad *grad) {
    return law_log_pi(&at->law, a->best, by_law(grad));
}

static double upper_quantile(const acquisition *a, const acquisition_point *at, acquisition_grad *grad) {
    return law_quantile(&at->law, a->ucb_level, by_law(grad));
}

static double no_score(const acquisition *a, const acquisition_point *at, acquisition_grad *grad) {
    (void)a, (void)at, (void)grad;
    return NAN;
}

static double ei_value(const acquisition *a, const acquisition_point *at) { return law_ei(&at->law, a->best, NULL); }
static double pi_value(const acquisition *a, const acquisition_point *at) { return law_pi(&at->law, a->best, NULL); }

/* ---- noisy expected improvement ---------------------------------------------------------------- */

double acquisition_stretch(const acquisition *a, const law *l, law_grad *grad) {
    double rho = law_stretch(l, a->alpha, grad), used = pow(rho, a->caution);
    for (size_t i = 0; grad && i < l->shape_n; i++) grad->shape[i] *= a->caution * used / rho;
    return used;
}

/* What a baseline needs to know of x; `grad` (may be NULL) receives the derivatives of the stretch. The mean is the
 * law's: CBO lowers it where the acquisition has to be 0 (CALIBRATOR_WORTHLESS). */
static baseline_view view_of_part(const acquisition *a, const baseline *b, const acquisition_point *at,
                                  acquisition_grad *grad) {
    baseline_view view = {at->law.mu, at->law.v, acquisition_stretch(a, &at->law, by_law(grad)), {0}};
    memcpy(view.d, at->tie, b->points * sizeof *view.d);
    return view;
}

/* Pass the derivatives by a view on to the law, whose shape has those of the stretch. */
static void grad_of_part(const law *l, const baseline_view *g, acquisition_grad *grad) {
    grad->law.mu = g->mu;
    grad->law.v = g->v;
    grad->law.s2 = 0;
    for (size_t i = 0; i < l->shape_n; i++) grad->law.shape[i] *= g->rho;
    memcpy(grad->tie, g->d, sizeof grad->tie);
}

static double log_noisy_ei(const acquisition *a, const acquisition_point *at, acquisition_grad *grad) {
    baseline_view g, view = view_of_part(a, a->baseline, at, grad);
    double score = baseline_log_ei(a->baseline, &view, grad ? &g : NULL);
    if (grad) grad_of_part(&at->law, &g, grad);
    return score;
}

static double noisy_ei_value(const acquisition *a, const acquisition_point *at) {
    return exp(log_noisy_ei(a, at, NULL));
}

/* ---- information about the maximum ------------------------------------------------------------- */

static double log_information(const acquisition *a, const acquisition_point *at, acquisition_grad *grad) {
    maximum_view g, view = {at->law.mu, at->law.v, acquisition_stretch(a, &at->law, by_law(grad)), at->law.s2, {0}};
    memcpy(view.t, at->tie, sizeof view.t);
    double score = maximum_log_gain(a->maximum, &view, grad ? &g : NULL);
    if (!grad) return score;
    grad->law.mu = g.mu;
    grad->law.v = g.v;
    grad->law.s2 = g.s2;
    for (size_t i = 0; i < at->law.shape_n; i++) grad->law.shape[i] *= g.rho; /* it has those of the stretch */
    memcpy(grad->tie, g.t, sizeof g.t);
    return score;
}

static double information_value(const acquisition *a, const acquisition_point *at) {
    return exp(log_information(a, at, NULL));
}

/* ---- several outputs --------------------------------------------------------------------------- */

static double log_joint(const acquisition *a, const acquisition_point *at, acquisition_grad *grad) {
    baseline_view view[OUTPUTS_MODELLED], g[OUTPUTS_MODELLED];
    for (size_t k = 0; k < a->parts; k++) view[k] = view_of_part(a, a->joint->base[k], &at[k], grad ? &grad[k] : NULL);
    double score = joint_log_score(a->joint, view, grad ? g : NULL);
    for (size_t k = 0; grad && k < a->parts; k++) grad_of_part(&at[k].law, &g[k], &grad[k]);
    return score;
}

static double joint_value(const acquisition *a, const acquisition_point *at) { return exp(log_joint(a, at, NULL)); }

double acquisition_log_feasible(const acquisition *a, const acquisition_point *at, acquisition_grad *grad) {
    double sum = 0;
    for (size_t k = 1; k < a->parts; k++) {
        const law *l = &at[k].law;
        law_grad *g = grad ? &grad[k].law : NULL;
        double rho = acquisition_stretch(a, l, g), by_mean, by_var;
        sum += joint_log_above(l->mu, rho * rho * l->v, a->bound[k], &by_mean, &by_var);
        if (!g) continue;
        g->mu = by_mean;
        g->v = by_var * rho * rho;
        g->s2 = 0;
        for (size_t i = 0; i < l->shape_n; i++) g->shape[i] *= by_var * 2 * rho * l->v;
        memset(grad[k].tie, 0, sizeof grad[k].tie);
    }
    return sum;
}

/* The steepness makes 1 % of probability more important than the standard deviation of the objective. */
static double safe_mean(const acquisition *a, const acquisition_point *at, acquisition_grad *grad) {
    const double steep = 100;
    double log_p = acquisition_log_feasible(a, at, grad), lack = fmin(log_p - log(a->safety), 0);
    for (size_t k = 1; grad && k < a->parts; k++) law_scale_grad(&grad[k].law, at[k].law.shape_n, lack < 0 ? steep : 0);
    if (grad) {
        law_zero_grad(&grad->law, at->law.shape_n);
        grad->law.mu = 1;
    }
    return at->law.mu + steep * lack;
}

/* ---- the table --------------------------------------------------------------------------------- */

/* An improvement has a length in the user's units on an affine scale alone. */
static double times_spread(const scaling *s, double value) { return scaling_is_affine(s) ? value * s->spread : value; }
static double plus_log_spread(const scaling *s, double value) {
    return scaling_is_affine(s) ? value + log(s->spread) : value;
}
static double unchanged(const scaling *s, double value) {
    (void)s;
    return value;
}

/* One row per acquisition. */
typedef struct utility {
    double (*score)(const acquisition *a, const acquisition_point *at, acquisition_grad *grad);
    double (*value)(const acquisition *a, const acquisition_point *at); /* NULL: the score */
    double (*out)(const scaling *s, double value);
    int logarithm; /* the score is one, or is taken for one */
    int noisy;     /* the row instead of this one when there is a baseline; 0: there is none */
    int joint;     /* the same for several outputs; of that row: for several objectives */
} utility;

enum {
    OWN = LOCBO_ACQUISITION_MES + 1,
    NOISY_EI,
    NOISY_LOG_EI,
    JOINT_EI,
    JOINT_LOG_EI,
    VOLUME_EI,
    VOLUME_LOG_EI,
    SAFE
};

static const utility utilities[] = {
    [LOCBO_ACQUISITION_LOG_EI] = {log_ei, NULL, plus_log_spread, 1, NOISY_LOG_EI, JOINT_LOG_EI},
    [LOCBO_ACQUISITION_EI] = {log_ei, ei_value, times_spread, 1, NOISY_EI, JOINT_EI},
    [LOCBO_ACQUISITION_PI] = {log_pi, pi_value, unchanged, 1, 0, 0},
    [LOCBO_ACQUISITION_UCB] = {upper_quantile, NULL, scaling_out, 0, 0, 0},
    [LOCBO_ACQUISITION_THOMPSON] = {no_score, NULL, unchanged, 0, 0, 0}, /* a path has no value of its own at a point */
    [LOCBO_ACQUISITION_MES] = {log_information, information_value, unchanged, 1, 0, 0},
    [OWN] = {own_score, NULL, unchanged, 1, 0, 0},
    [NOISY_LOG_EI] = {log_noisy_ei, NULL, plus_log_spread, 1, 0, 0},
    [NOISY_EI] = {log_noisy_ei, noisy_ei_value, times_spread, 1, 0, 0},
    [JOINT_LOG_EI] = {log_joint, NULL, plus_log_spread, 1, 0, VOLUME_LOG_EI},
    [JOINT_EI] = {log_joint, joint_value, times_spread, 1, 0, VOLUME_EI},
    [VOLUME_LOG_EI] = {log_joint, NULL, unchanged, 1, 0, 0}, /* a volume has no length in the user's units */
    [VOLUME_EI] = {log_joint, joint_value, unchanged, 1, 0, 0},
    [SAFE] = {safe_mean, NULL, unchanged, 0, 0, 0},
};

static const utility *utility_of(const acquisition *a) {
    const utility *row = &utilities[a->safety > 0 ? SAFE : a->score ? OWN : (int)a->kind];
    if (row == &utilities[LOCBO_ACQUISITION_MES] && !a->maximum) return &utilities[LOCBO_ACQUISITION_LOG_EI];
    if (a->joint && row->joint) row = &utilities[row->joint];
    if (a->joint && a->joint->objectives > 1 && row->joint) return &utilities[row->joint];
    return a->baseline && row->noisy ? &utilities[row->noisy] : row;
}

double acquisition_score(const acquisition *a, const acquisition_point *at, acquisition_grad *grad) {
    return utility_of(a)->score(a, at, grad);
}

double acquisition_value(const acquisition *a, const acquisition_point *at) {
    const utility *row = utility_of(a);
    return row->value ? row->value(a, at) : row->score(a, at, NULL);
}

double acquisition_out(const acquisition *a, const scaling *s, double value) { return utility_of(a)->out(s, value); }

int acquisition_is_logarithm(const acquisition *a) { return utility_of(a)->logarithm; }

int acquisition_is_path(const acquisition *a) { return !a->score && a->kind == LOCBO_ACQUISITION_THOMPSON; }

int acquisition_wants_maximum(const acquisition *a) { return !a->score && a->kind == LOCBO_ACQUISITION_MES; }

int acquisition_has_constraints(const acquisition *a) { return a->joint || a->safety > 0; }

int acquisition_takes_baseline(const acquisition *a) { return utilities[a->score ? OWN : (int)a->kind].noisy != 0; }
