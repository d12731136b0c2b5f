/* law.c - the calibrated law of f(x): dispatch over its kinds, the normal law, log forms,
 * gradients.
 *
 * EI = E(f - best)_+ (eq:acqusition function), PI = P(f > best), quantiles (UCB) and their partial
 * derivatives for the laws of law.h. With h = (best - mu)/sd and Z the standardised f
 * (law_parts.h),
 *
 *     EI = sd E,   dEI = P dmu + E(z'; Z > h) dalpha + E(e; Z > h) dbeta,
 *
 * and the log forms divide by E, from which a common factor exp(L) has been taken out.
 *
 * Layer: core, below calibrators. Cost: that of law_set.c or law_steps.c. */
#include "law.h"

#include "law_parts.h"
#include "normal.h"

#include <float.h>
#include <math.h>

/* v = 0: f = mu. The log forms use the floors of law_parts.h, the plain ones take the limit. */
static int is_point(const law *l) { return l->kind != LAW_QUANTILE && l->v < LAW_V_MIN; }

/* Finite, also where a law without variance has an infinite slope. */
static double finite_slope(double x) {
    if (isnan(x)) return 0;
    return fmin(fmax(x, -DBL_MAX), DBL_MAX);
}

static void clean_grad(law_grad *g, size_t n) {
    g->mu = finite_slope(g->mu), g->v = finite_slope(g->v), g->s2 = finite_slope(g->s2);
    for (size_t i = 0; i < n; ++i) g->shape[i] = finite_slope(g->shape[i]);
}

static law_moments normal_moments(double h) {
    law_moments m = {0};
    if (h <= 5) {
        m.p = normal_pdf(h);
        normal_ratios x = normal_scaled(fabs(h));
        m.P = h < 0 ? 1 - m.p * x.Q : m.p * x.Q;
        m.E = h < 0 ? m.p * x.G - h : m.p * x.G;
    } else {
        normal_ratios x = normal_scaled(h);
        m.L = normal_log_pdf(h);
        m.p = 1;
        m.P = x.Q;
        m.E = x.G;
    }
    m.e = m.p; /* E(Z; Z > h) = phi(h); read as f = mu + sd e */
    m.ep = h * m.p;
    return m;
}

static law_moments moments(const law *l, const law_std *s, double best) {
    double h = (best - l->mu) / s->sd;
    return l->kind == LAW_SET ? law_set_moments(s, h) : normal_moments(h);
}

/* Gradients of EI and PI, times exp(-L). */
static void ei_grad(const law *l, const law_std *s, const law_moments *m, law_grad *g) {
    if (l->kind == LAW_NORMAL) {
        g->mu = m->P;
        g->v = m->e / (2 * s->sd);
        g->s2 = 0;
        return;
    }
    law_chain(s, m->P, m->z, m->e, g);
    g->shape[0] = s->sd * m->El;
    g->shape[1] = s->sd * m->Eu;
}

static void pi_grad(const law *l, const law_std *s, const law_moments *m, law_grad *g) {
    if (l->kind == LAW_NORMAL) {
        g->mu = m->p / s->sd;
        g->v = m->ep / (2 * s->sd) / s->sd;
        g->s2 = 0;
        return;
    }
    law_chain(s, m->p / s->sd, m->zp / s->sd, m->ep / s->sd, g);
    g->shape[0] = m->Pl;
    g->shape[1] = m->Pu;
}

/* E z': what the mean of f moves by, in units of v/sy. */
static double mean_of_set(const law *l) {
    if (l->kind != LAW_SET) return 0;
    double ql = l->shape[0], qu = l->shape[1], mean = (1 - l->tail_mass) * 0.5 * (ql + qu);
    if (l->tail_mass <= 0) return mean;
    double M = normal_sf(qu) + normal_sf(-ql);
    return M > 0 ? mean + l->tail_mass * (normal_pdf(qu) - normal_pdf(ql)) / M : mean;
}

/* v = 0. Above mu nothing, below it EI is the mean minus best, whose slope in v is E z'/sy. */
static double point_ei(const law *l, double best, law_grad *grad) {
    double gain = l->mu - best;
    if (grad) {
        law_zero_grad(grad, l->shape_n);
        grad->mu = gain > 0 ? 1 : gain < 0 ? 0 : 0.5;
        if (gain > 0 && l->s2 > 0) grad->v = mean_of_set(l) / sqrt(l->s2);
    }
    return fmax(gain, 0);
}

double law_pdf(const law *l, double f) {
    if (l->kind == LAW_QUANTILE) return law_steps_pdf(l, f);
    if (is_point(l)) return 0;
    if (l->kind == LAW_SET) return law_set_pdf(l, f);
    double sd = sqrt(l->v);
    return normal_pdf((f - l->mu) / sd) / sd;
}

double law_cdf(const law *l, double f) {
    if (l->kind == LAW_QUANTILE) return law_steps_cdf(l, f);
    if (is_point(l)) return f >= l->mu;
    if (l->kind == LAW_SET) return law_set_cdf(l, f);
    return normal_cdf((f - l->mu) / sqrt(l->v));
}

double law_quantile(const law *l, double p, law_grad *grad) {
    double q;
    if (l->kind == LAW_QUANTILE) {
        q = law_steps_quantile(l, p, grad);
    } else if (is_point(l)) {
        if (grad) law_zero_grad(grad, l->shape_n), grad->mu = 1;
        return l->mu;
    } else if (l->kind == LAW_SET) {
        q = law_set_quantile(l, p, grad);
    } else {
        double z = normal_quantile(p), sd = sqrt(l->v);
        if (grad) law_zero_grad(grad, l->shape_n), grad->mu = 1, grad->v = z / (2 * sd);
        q = l->mu + sd * z;
    }
    if (grad) clean_grad(grad, l->shape_n);
    return q;
}

double law_ei(const law *l, double best, law_grad *grad) {
    if (is_point(l)) return point_ei(l, best, grad);
    double ei;
    if (l->kind == LAW_QUANTILE) {
        ei = law_steps_ei(l, best, grad);
    } else {
        law_std s = law_standardise(l);
        law_moments m = moments(l, &s, best);
        double e = exp(m.L);
        if (grad) ei_grad(l, &s, &m, grad), law_scale_grad(grad, l->shape_n, e);
        ei = s.sd * m.E * e;
    }
    if (grad) clean_grad(grad, l->shape_n);
    return ei;
}

double law_pi(const law *l, double best, law_grad *grad) {
    if (is_point(l)) {
        if (grad) law_zero_grad(grad, l->shape_n);
        return l->mu > best;
    }
    double pi;
    if (l->kind == LAW_QUANTILE) {
        pi = law_steps_pi(l, best, grad);
    } else {
        law_std s = law_standardise(l);
        law_moments m = moments(l, &s, best);
        double e = exp(m.L);
        if (grad) pi_grad(l, &s, &m, grad), law_scale_grad(grad, l->shape_n, e);
        pi = fmin(m.P * e, 1);
    }
    if (grad) clean_grad(grad, l->shape_n);
    return pi;
}

/* log of a LAW_QUANTILE's EI or PI; above the support a line through LAW_LOG_ZERO at its top. */
static double steps_log(const law *l, double best, law_grad *grad, double (*value)(const law *, double, law_grad *)) {
    double x = value(l, best, grad);
    if (x > 0) {
        if (grad) law_scale_grad(grad, l->shape_n, 1 / x);
        return log(x);
    }
    double upper = law_steps_upper(l, grad), sy = sqrt(fmax(l->v + l->s2, LAW_V_MIN));
    if (grad) { /* of -(best - upper)/sy */
        double by_var = l->v + l->s2 > LAW_V_MIN ? (best - upper) / (2 * sy * sy) : 0;
        law_scale_grad(grad, l->shape_n, 1 / sy);
        grad->v += by_var / sy, grad->s2 += by_var / sy;
    }
    return LAW_LOG_ZERO - (best - upper) / sy;
}

double law_log_ei(const law *l, double best, law_grad *grad) {
    double value;
    if (l->kind == LAW_QUANTILE) {
        value = steps_log(l, best, grad, law_steps_ei);
    } else {
        law_std s = law_standardise(l);
        law_moments m = moments(l, &s, best);
        if (grad) ei_grad(l, &s, &m, grad), law_scale_grad(grad, l->shape_n, 1 / (s.sd * m.E));
        if (grad && l->v < LAW_V_MIN) grad->v = 0;
        value = m.L + log(fmax(s.sd * m.E, DBL_MIN)); /* v = s2 = 0 */
    }
    if (grad) clean_grad(grad, l->shape_n);
    return value;
}

double law_log_pi(const law *l, double best, law_grad *grad) {
    double value;
    if (l->kind == LAW_QUANTILE) {
        value = steps_log(l, best, grad, law_steps_pi);
    } else {
        law_std s = law_standardise(l);
        law_moments m = moments(l, &s, best);
        if (grad) pi_grad(l, &s, &m, grad), law_scale_grad(grad, l->shape_n, 1 / m.P);
        if (grad && l->v < LAW_V_MIN) grad->v = 0;
        value = fmin(m.L + log(fmax(m.P, DBL_MIN)), 0);
    }
    if (grad) clean_grad(grad, l->shape_n);
    return value;
}

/* The ends of the central interval of y, in units of the model's predictive standard deviation about its mean. */
static double end_of(const law *l, double level, int upper, law_grad *grad) {
    law unit = *l;
    if (l->kind == LAW_QUANTILE) {
        unit.mu = 0, unit.v = 1, unit.s2 = 0;
        return law_quantile(&unit, level, grad);
    }
    grad->shape[0] = !upper, grad->shape[1] = upper;
    return l->shape[upper];
}

double law_stretch(const law *l, double alpha, law_grad *grad) {
    law_grad low, high;
    if (l->kind == LAW_NORMAL) return 1;
    double whole = 2 * normal_isf(alpha / 2);
    double rho = (end_of(l, 1 - alpha / 2, 1, &high) - end_of(l, alpha / 2, 0, &low)) / whole;
    int moves = rho > LAW_LEAST_STRETCH && rho < LAW_MOST_STRETCH;
    if (grad) {
        grad->mu = grad->v = grad->s2 = 0;
        for (size_t i = 0; i < l->shape_n; i++) grad->shape[i] = moves ? (high.shape[i] - low.shape[i]) / whole : 0;
    }
    return fmin(fmax(rho, LAW_LEAST_STRETCH), LAW_MOST_STRETCH);
}

double law_half_width(double threshold, double z_max, double *slope) {
    double least = 2 * normal_sf(z_max);
    int clamped = !(threshold >= least && threshold <= 1);
    double q = threshold < least ? z_max : threshold > 1 ? 0 : normal_isf(0.5 * threshold);
    if (slope) *slope = clamped ? 0 : -0.5 / normal_pdf(q);
    return q;
}
