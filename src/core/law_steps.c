/* law_steps.c - LAW_QUANTILE: recalibrated quantiles, R piecewise linear (eq:online_cal_marginal).
 *
 * In units of sy the quantile at level u is Phi^{-1}(R(u)). Between two knots (u0, R0), (u1, R1)
 * the law is a normal truncated to [z0, z1], z = Phi^{-1}(R), of mass u1 - u0; an atom if R0 = R1.
 * So
 *
 *     EI = sy sum (u1-u0) integral_{z0}^{z1} (z - k)_+ phi(z) dz / integral_{z0}^{z1} phi(z) dz
 *
 * with k = (best - mu)/sy. Masses of intervals come from law_mean.c and do not cancel for close
 * knots.
 *
 * Layer: core, below calibrators. Cost: M normal quantiles, 2 us for M = 19. */
#include "law_parts.h"
#include "normal.h"

#include <math.h>

/* A knot's height is kept from below (R) and from above (1 - R). */
typedef struct knot {
    double u, z, below, above, phi;
} knot;

static double scale_of(const law *l) { return sqrt(fmax(l->v + l->s2, LAW_V_MIN)); }

/* Knot i of 0 .. shape_n + 1. */
static knot knot_at(const law *l, size_t i) {
    double end = normal_sf(l->z_max);
    if (i == 0) return (knot){0, -l->z_max, end, 1 - end, normal_pdf(l->z_max)};
    if (i > l->shape_n) return (knot){1, l->z_max, 1 - end, end, normal_pdf(l->z_max)};
    double R = fmin(fmax(l->shape[i - 1], end), 1 - end);
    double z = R < 0.5 ? normal_quantile(R) : normal_isf(1 - R);
    z = fmin(fmax(z, -l->z_max), l->z_max);
    return (knot){l->level[i - 1], z, R, 1 - R, normal_pdf(z)};
}

/* integral_a^b phi, a <= b. */
static double mass(double a, double b) {
    law_means m = law_mean(0.5 * (a + b), 0.5 * (b - a));
    return (b - a) * m.phi * (m.L == 0 ? 1 : exp(m.L));
}

/* integral_a^b (z - a) phi(z) dz, a <= b. */
static double moment(double a, double b) {
    if (b - a > 0.5) {
        if (b <= 0) return (b - a) * normal_sf(-b) + normal_G(-a) - normal_G(-b);
        return normal_G(a) - normal_G(b) - (b - a) * normal_sf(b);
    }
    law_means m = law_mean(0.5 * (a + b), 0.5 * (b - a));
    return 0.5 * (b - a) * (b - a) * m.Ql * (m.L == 0 ? 1 : exp(m.L));
}

/* What one segment adds to E = EI/sy and to P(Z > k), and the derivatives of E by R at its ends. */
typedef struct piece {
    double E, P, by_R0, by_R1;
} piece;

static piece piece_at(const knot *a, const knot *b, double k, int slopes) {
    piece s = {0, 0, 0, 0};
    double du = b->u - a->u;
    if (k >= b->z) return s;
    double dR = b->below - a->below;
    if (k <= a->z && dR > 1e-3) { /* nothing cancels: plain differences of antiderivatives */
        double mean = (a->phi - b->phi) / dR - k;
        s.E = du * mean;
        s.P = du;
        s.by_R1 = du * (b->z - k - mean) / dR;
        s.by_R0 = du * (mean - (a->z - k)) / dR;
        return s;
    }
    if (b->z <= a->z) { /* an atom */
        s.E = du * (a->z - k);
        s.P = du;
        if (slopes) s.by_R0 = s.by_R1 = 0.5 * du / a->phi;
        return s;
    }
    double from = fmax(k, a->z), whole = mass(a->z, b->z);
    double part = from > a->z ? mass(from, b->z) / whole : 1;
    double over = moment(from, b->z) / whole; /* the part of the mean above `from` */
    s.E = du * ((from - k) * part + over);
    s.P = du * part;
    if (slopes) { /* d mean/dR1 = (g(R1) - mean)/(R1 - R0), without its cancelling terms */
        s.by_R0 = du * over / whole;
        s.by_R1 = du * (b->z - from - over) / whole;
    }
    return s;
}

double law_steps_ei(const law *l, double best, law_grad *grad) {
    double sy = scale_of(l), k = (best - l->mu) / sy, E = 0, P = 0;
    if (grad) law_zero_grad(grad, l->shape_n);
    knot b = knot_at(l, l->shape_n + 1);
    for (size_t i = l->shape_n + 1; i-- > 0 && b.z > k;) {
        knot a = knot_at(l, i);
        piece s = piece_at(&a, &b, k, grad != NULL);
        E += s.E;
        P += s.P;
        if (grad && i > 0) grad->shape[i - 1] += sy * s.by_R0;
        if (grad && i < l->shape_n) grad->shape[i] += sy * s.by_R1;
        b = a;
    }
    if (grad) { /* d(sy E)/dsy = E(Z; Z > k) = E + k P */
        grad->mu = P;
        grad->v = grad->s2 = l->v + l->s2 > 0 ? (E + k * P) / (2 * sy) : 0;
    }
    return sy * E;
}

/* The segment a, b with a.z <= k < b.z, or 0 if k is outside the support. */
static size_t segment_of(const law *l, double k, knot *a, knot *b) {
    if (!(k >= -l->z_max && k < l->z_max)) return 0;
    *b = knot_at(l, l->shape_n + 1);
    for (size_t i = l->shape_n + 1; i-- > 0;) {
        *a = knot_at(l, i);
        if (a->z <= k) return i + 1;
        *b = *a;
    }
    return 0;
}

double law_steps_pi(const law *l, double best, law_grad *grad) {
    double sy = scale_of(l), k = (best - l->mu) / sy;
    knot a, b;
    size_t i = segment_of(l, k, &a, &b);
    if (grad) law_zero_grad(grad, l->shape_n);
    if (i == 0) return k < 0 ? 1 : 0;
    double whole = mass(a.z, b.z), above = mass(k, b.z) / whole, du = b.u - a.u;
    if (grad) {
        double p = du * normal_pdf(k) / whole;
        grad->mu = p / sy;
        grad->v = grad->s2 = p * k / (2 * sy * sy);
        if (i > 1) grad->shape[i - 2] = du * above / whole;
        if (i <= l->shape_n) grad->shape[i - 1] = du * (mass(a.z, k) / whole) / whole;
    }
    return (1 - b.u) + du * above;
}

double law_steps_cdf(const law *l, double f) {
    double k = (f - l->mu) / scale_of(l);
    knot a, b;
    if (segment_of(l, k, &a, &b) == 0) return k < 0 ? 0 : 1;
    return a.u + (b.u - a.u) * (mass(a.z, k) / mass(a.z, b.z));
}

double law_steps_pdf(const law *l, double f) {
    double sy = scale_of(l), k = (f - l->mu) / sy;
    knot a, b;
    if (segment_of(l, k, &a, &b) == 0) return 0;
    return (b.u - a.u) * normal_pdf(k) / (mass(a.z, b.z) * sy);
}

double law_steps_quantile(const law *l, double p, law_grad *grad) {
    size_t i = 0;
    while (i < l->shape_n && l->level[i] < p) ++i; /* u_i < p <= u_{i+1} */
    knot a = knot_at(l, i), b = knot_at(l, i + 1);
    double t = (p - a.u) / (b.u - a.u), sy = scale_of(l);
    double below = a.below + t * (b.below - a.below), above = b.above + (1 - t) * (a.above - b.above);
    double z = below < 0.5 ? normal_quantile(below) : normal_isf(above);
    z = fmin(fmax(z, a.z), b.z);
    if (grad) {
        double slope = sy / normal_pdf(z);
        law_zero_grad(grad, l->shape_n);
        if (i > 0) grad->shape[i - 1] = (1 - t) * slope;
        if (i < l->shape_n) grad->shape[i] = t * slope;
        grad->mu = 1;
        grad->v = grad->s2 = l->v + l->s2 > 0 ? z / (2 * sy) : 0;
    }
    return l->mu + sy * z;
}

double law_steps_upper(const law *l, law_grad *grad) {
    double sy = scale_of(l);
    if (grad) {
        law_zero_grad(grad, l->shape_n);
        grad->mu = 1;
        grad->v = grad->s2 = l->v + l->s2 > LAW_V_MIN ? l->z_max / (2 * sy) : 0;
    }
    return l->mu + sy * l->z_max;
}
