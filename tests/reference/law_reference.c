/* law_reference.c - see law_reference.h. About a millisecond per call. */
#include "law_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

enum { POINTS = LAW_REFERENCE_POINTS, MAX_CUTS = 400 };
static const real LOG_SQRT_2PI = 0.918938533204672741780329736406L;

/* Gauss-Legendre on [0, 1], from Newton's method on the recurrence. */
static real rule_x[POINTS], rule_w[POINTS];

static void make_rule(void) {
    if (rule_w[0] != 0) return;
    for (int i = 0; i < POINTS; ++i) {
        real x = cosl(3.14159265358979323846L * (i + 0.75L) / (POINTS + 0.5L)), slope = 1;
        for (int k = 0; k < 60; ++k) {
            real p0 = 1, p1 = x;
            for (int n = 2; n <= POINTS; ++n) {
                real p2 = ((2 * n - 1) * x * p1 - (n - 1) * p0) / n;
                p0 = p1, p1 = p2;
            }
            slope = POINTS * (x * p1 - p0) / (x * x - 1);
            x -= p1 / slope;
        }
        rule_x[i] = 0.5L * (1 + x);
        rule_w[i] = 1 / ((1 - x * x) * slope * slope);
    }
}

void law_reference_node(int i, double *x, double *w) {
    make_rule();
    *x = (double)rule_x[i];
    *w = (double)rule_w[i];
}

/* ---- the inner integrals over e > e0, times exp(-log_scale) --------------------------------- */

typedef struct inner {
    real log_scale, one, e, over; /* of phi(e), e phi(e), (e - e0) phi(e) */
} inner;

static inner integrate_noise(real e0) {
    inner s = {-LOG_SQRT_2PI, 0, 0, 0};
    if (e0 > 0) { /* e = e0 + t, exp(-e0^2/2) taken out; it falls by exp(-50) over `reach` */
        static const double cut[] = {0, 0.04, 0.13, 0.4, 1};
        real reach = 100 / (e0 + sqrtl(e0 * e0 + 100));
        s.log_scale -= 0.5L * e0 * e0;
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < POINTS; ++i) {
                real t = reach * (cut[k] + (cut[k + 1] - cut[k]) * rule_x[i]);
                real w = reach * (cut[k + 1] - cut[k]) * rule_w[i] * exp((double)(-t * (e0 + 0.5L * t)));
                s.one += w, s.over += w * t, s.e += w * (e0 + t);
            }
        return s;
    }
    real from = fmaxl(e0, -12), length = (12 - from) / 6;
    for (int k = 0; k < 6; ++k)
        for (int i = 0; i < POINTS; ++i) {
            real e = from + (k + rule_x[i]) * length;
            real w = length * rule_w[i] * exp((double)(-0.5L * e * e));
            s.one += w, s.e += w * e, s.over += w * (e - e0);
        }
    return s;
}

/* ---- the outer integral over z' ------------------------------------------------------------- */

/* One part of the law of z': uniform on [a, b], or normal restricted to it. */
typedef struct part {
    real a, b;
    int uniform;
} part;

/* f = mu + alpha z' + beta e, alpha = v/sy, beta = sd sqrt(s2)/sy, and how they change. */
typedef struct geometry {
    real k, alpha, beta, alpha_v, alpha_s, beta_v, beta_s; /* k = best - mu */
} geometry;

static geometry geometry_of(const law *l, double best) {
    geometry g;
    real v = l->v, s2 = l->s2, var = v + s2, sy = sqrtl(var);
    g.k = (real)best - l->mu;
    g.alpha = v / sy;
    g.beta = sqrtl(v) * sqrtl(s2) / sy;
    g.alpha_v = (1 - 0.5L * v / var) / sy;
    g.alpha_s = -0.5L * v / (var * sy);
    g.beta_v = g.beta > 0 ? 0.5L * g.beta * s2 / (v * var) : 0;
    g.beta_s = g.beta > 0 ? 0.5L * g.beta * v / (s2 * var) : 0;
    return g;
}

/* Sums on a common scale that follows the largest term. */
enum { EI, PI, PDF, EI_V, EI_S, PI_V, PI_S, EI_L, EI_U, PI_L, PI_U, FIELDS };
typedef struct sums {
    real log_scale, x[FIELDS], size[FIELDS];
} sums;

static void rescale(sums *s, real log_scale) {
    if (!(log_scale > s->log_scale)) return;
    real f = expl(s->log_scale - log_scale);
    for (int i = 0; i < FIELDS; ++i) s->x[i] *= f, s->size[i] *= f;
    s->log_scale = log_scale;
}

static void add_node(sums *s, const geometry *g, const part *p, real z, real w) {
    real gap = g->k - g->alpha * z, log_w = p->uniform ? 0 : -0.5L * z * z - LOG_SQRT_2PI;
    real x[FIELDS] = {0}, e0 = 0, scale;
    real tau = p->uniform && p->b > p->a ? (z - p->a) / (p->b - p->a) : 0.5L;
    inner in = {0, gap < 0, 0, 0};
    if (g->beta > 0) {
        e0 = gap / g->beta;
        in = integrate_noise(e0);
    }
    if (in.one == 0) return;
    rescale(s, log_w + in.log_scale);
    scale = w * expl(log_w + in.log_scale - s->log_scale);
    x[EI] = scale * (g->beta > 0 ? g->beta * in.over : -gap * in.one);
    x[PI] = scale * in.one;
    x[EI_V] = scale * (g->alpha_v * z * in.one + g->beta_v * in.e);
    x[EI_S] = scale * (g->alpha_s * z * in.one + g->beta_s * in.e);
    if (p->uniform) {
        x[EI_U] = scale * g->alpha * tau * in.one;
        x[EI_L] = scale * g->alpha * (1 - tau) * in.one;
    }
    if (g->beta > 0) {
        real d = w * expl(log_w - 0.5L * e0 * e0 - LOG_SQRT_2PI - s->log_scale) / g->beta;
        x[PDF] = d;
        x[PI_V] = d * (g->alpha_v * z + e0 * g->beta_v);
        x[PI_S] = d * (g->alpha_s * z + e0 * g->beta_s);
        if (p->uniform) {
            x[PI_U] = d * g->alpha * tau;
            x[PI_L] = d * g->alpha * (1 - tau);
        }
    }
    for (int i = 0; i < FIELDS; ++i) s->x[i] += x[i], s->size[i] += fabsl(x[i]);
    /* the first moment of e is itself a sum of terms of size phi */
    s->size[EI_V] += scale * g->beta_v * in.one, s->size[EI_S] += scale * g->beta_s * in.one;
}

static int ascending(const void *a, const void *b) {
    real x = *(const real *)a, y = *(const real *)b;
    return (x > y) - (x < y);
}

/* Cuts at centre +- step 3^j inside the part. */
static size_t cuts_about(real *cut, size_t n, const part *p, real centre, real step) {
    if (!(step > 0) || !isfinite((double)centre)) return n;
    for (real d = step; d < p->b - p->a + fabsl(centre) + 40 && n + 2 < MAX_CUTS; d *= 3) {
        if (centre - d > p->a && centre - d < p->b) cut[n++] = centre - d;
        if (centre + d > p->a && centre + d < p->b) cut[n++] = centre + d;
    }
    return n;
}

/* log of the integrand's size at z, for leaving out panels that cannot matter. */
static real log_size(const geometry *g, const part *p, real z) {
    real gap = g->k - g->alpha * z, size = p->uniform ? 0 : -0.5L * z * z;
    if (gap <= 0) return size;
    return g->beta > 0 ? size - 0.5L * (gap / g->beta) * (gap / g->beta) : -INFINITY;
}

/* Scale on which the integrand falls from the end z inwards. */
static real end_scale(const geometry *g, real z) {
    real gap = g->k - g->alpha * z;
    if (g->beta == 0) return 1;
    real step = g->beta / g->alpha;
    return fminl(1, gap > 0 ? step / (1 + gap / g->beta) : step);
}

static void integrate_part(sums *s, const geometry *g, const part *p) {
    real cut[MAX_CUTS], kink = g->k / g->alpha;
    size_t n = 0;
    cut[n++] = p->a, cut[n++] = p->b;
    if (kink > p->a && kink < p->b) cut[n++] = kink;
    n = cuts_about(cut, n, p, kink, fminl(g->beta / g->alpha, 1));
    n = cuts_about(cut, n, p, p->a, end_scale(g, p->a));
    n = cuts_about(cut, n, p, p->b, end_scale(g, p->b));
    /* z' given Z = h is normal about r h with standard deviation rr */
    real sd2 = g->alpha * g->alpha + g->beta * g->beta, rr = g->beta / sqrtl(sd2);
    if (!p->uniform && rr < 0.7L && rr > 0) n = cuts_about(cut, n, p, g->alpha * g->k / sd2, rr);
    for (real z = -45; z < 45 && n < MAX_CUTS; z += 1)
        if (z > p->a && z < p->b) cut[n++] = z;
    qsort(cut, n, sizeof *cut, ascending);
    real top = -INFINITY;
    for (size_t i = 0; i < n; ++i) top = fmaxl(top, log_size(g, p, cut[i]));
    for (size_t i = 0; i + 1 < n; ++i) {
        if (fmaxl(log_size(g, p, cut[i]), log_size(g, p, cut[i + 1])) < top - 60) continue;
        for (int j = 0; j < POINTS; ++j)
            add_node(s, g, p, cut[i] + (cut[i + 1] - cut[i]) * rule_x[j], (cut[i + 1] - cut[i]) * rule_w[j]);
    }
}

/* The integrand of one tail at its end: what EI and PI lose when the end moves outwards. */
static void tail_end(const geometry *g, real z, real log_scale, real *ei, real *pi) {
    real gap = g->k - g->alpha * z, phi = expl(-0.5L * z * z - LOG_SQRT_2PI - log_scale);
    if (g->beta == 0) {
        *ei = gap < 0 ? -gap * phi : 0;
        *pi = gap < 0 ? phi : 0;
        return;
    }
    inner in = integrate_noise(gap / g->beta);
    real w = expl(-0.5L * z * z - LOG_SQRT_2PI + in.log_scale - log_scale);
    *ei = w * g->beta * in.over;
    *pi = w * in.one;
}

static void set_grads(law_reference *out, const sums *s, real w) {
    for (int pass = 0; pass < 2; ++pass) {
        const real *x = pass ? s->size : s->x;
        law_grad *e = pass ? &out->ei_size : &out->ei_grad;
        law_grad *p = pass ? &out->pi_size : &out->pi_grad;
        e->mu += (double)(w * x[PI]), p->mu += (double)(w * x[PDF]);
        e->v += (double)(w * x[EI_V]), p->v += (double)(w * x[PI_V]);
        e->s2 += (double)(w * x[EI_S]), p->s2 += (double)(w * x[PI_S]);
        e->shape[0] += (double)(w * x[EI_L]), p->shape[0] += (double)(w * x[PI_L]);
        e->shape[1] += (double)(w * x[EI_U]), p->shape[1] += (double)(w * x[PI_U]);
    }
    out->ei += (double)(w * s->x[EI]);
    out->pi += (double)(w * s->x[PI]);
    out->pdf += (double)(w * s->x[PDF]);
}

static real upper_tail(real z) { return 0.5L * erfcl(z * sqrtl(0.5L)); }

static law_reference set_reference(const law *l, double best) {
    geometry g = geometry_of(l, best);
    real ql = l->shape[0], qu = l->shape[1], sd = sqrtl(l->v), far = fabsl(g.k) / sd + 13;
    real t = l->tail_mass, M = upper_tail(qu) + upper_tail(-ql);
    part flat = {ql, qu, 1}, up = {qu, fmaxl(qu, 0) + far, 0}, down = {fminl(ql, 0) - 13, ql, 0};
    sums in = {-INFINITY, {0}, {0}}, out = {-INFINITY, {0}, {0}};
    if (qu > ql)
        integrate_part(&in, &g, &flat);
    else
        add_node(&in, &g, &flat, ql, 1);
    real mass = qu > ql ? qu - ql : 1;
    for (int i = 0; i < FIELDS; ++i) in.x[i] /= mass, in.size[i] /= mass;
    if (t > 0) {
        integrate_part(&out, &g, &up);
        integrate_part(&out, &g, &down);
    }
    law_reference ref;
    memset(&ref, 0, sizeof ref);
    real scale = fmaxl(in.log_scale, out.log_scale);
    if (scale == -INFINITY) return ref;
    rescale(&in, scale), rescale(&out, scale);
    ref.log_scale = (double)scale;
    set_grads(&ref, &in, 1 - t);
    if (t > 0) {
        set_grads(&ref, &out, t / M);
        for (int k = 0; k < 2; ++k) {
            real z = k ? qu : ql, phi = expl(-0.5L * z * z - LOG_SQRT_2PI), ei, pi;
            real sign = k ? 1 : -1, w = t / M;
            tail_end(&g, z, scale, &ei, &pi);
            ref.ei_grad.shape[k] += (double)(sign * w * (out.x[EI] * phi / M - ei));
            ref.pi_grad.shape[k] += (double)(sign * w * (out.x[PI] * phi / M - pi));
            ref.ei_size.shape[k] += (double)(w * (out.x[EI] * phi / M + ei));
            ref.pi_size.shape[k] += (double)(w * (out.x[PI] * phi / M + pi));
        }
    }
    return ref;
}

/* ---- LAW_NORMAL: one integral over e -------------------------------------------------------- */

static law_reference normal_reference(const law *l, double best) {
    law_reference ref;
    memset(&ref, 0, sizeof ref);
    real sd = sqrtl(l->v), h = ((real)best - l->mu) / sd;
    inner in = integrate_noise(h);
    real phi = expl(-0.5L * h * h - LOG_SQRT_2PI - in.log_scale);
    ref.log_scale = (double)in.log_scale;
    ref.ei = (double)(sd * in.over);
    ref.pi = (double)in.one;
    ref.pdf = (double)(phi / sd);
    ref.ei_grad.mu = ref.ei_size.mu = ref.pi;
    ref.ei_grad.v = (double)(in.e / (2 * sd));
    ref.pi_grad.mu = ref.pi_size.mu = ref.pdf;
    ref.pi_grad.v = (double)(phi * h / (2 * sd * sd));
    ref.ei_size.v = (double)((in.one + fabsl(in.e)) / (2 * sd));
    ref.pi_size.v = fabs(ref.pi_grad.v);
    return ref;
}

/* ---- LAW_QUANTILE: one integral over the level ---------------------------------------------- */

long double law_reference_quantile(long double p) {
    int upper = p > 0.5L;
    real tail = upper ? 1 - p : p, lo = 0, hi = 40;
    for (int i = 0; i < 30; ++i) {
        real z = 0.5L * (lo + hi);
        if (upper_tail(z) > tail)
            lo = z;
        else
            hi = z;
    }
    real z = 0.5L * (lo + hi);
    for (int i = 0; i < 3; ++i) z += (upper_tail(z) - tail) * expl(0.5L * z * z + LOG_SQRT_2PI);
    return upper ? z : -z;
}

/* The level at which the quantile passes k, between t0 and t1 of the segment R0 .. R1. */
static real crossing(real R0, real R1, real k) {
    real lo = 0, hi = 1, p = upper_tail(-k);
    if (R1 <= R0) return law_reference_quantile(R0) > k ? 0 : 1;
    lo = (p - R0) / (R1 - R0);
    return fminl(fmaxl(lo, 0), hi);
}

static law_reference steps_reference(const law *l, double best) {
    law_reference ref;
    memset(&ref, 0, sizeof ref);
    real sy = sqrtl((real)l->v + l->s2), k = ((real)best - l->mu) / sy, end = upper_tail(l->z_max);
    real ei = 0, pi = 0, by_sy = 0;
    for (size_t i = 0; i <= l->shape_n; ++i) {
        real u0 = i ? l->level[i - 1] : 0, u1 = i < l->shape_n ? l->level[i] : 1, du = u1 - u0;
        real R0 = i ? l->shape[i - 1] : end, R1 = i < l->shape_n ? l->shape[i] : 1 - end;
        real from = crossing(R0, R1, k), by0 = 0, by1 = 0, pdf = 0;
        pi += du * (1 - from);
        /* panels crowd towards both ends, where Phi^{-1} is steep */
        static const double cut[] = {0, 1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999, 1};
        for (size_t c = 0; from < 1 && c + 1 < sizeof cut / sizeof *cut; ++c)
            for (int j = 0; j < POINTS; ++j) {
                real t = from + (1 - from) * (cut[c] + (cut[c + 1] - cut[c]) * rule_x[j]);
                real w = du * (1 - from) * (cut[c + 1] - cut[c]) * rule_w[j];
                real z = law_reference_quantile(R0 + t * (R1 - R0));
                real slope = w * sy * expl(0.5L * z * z + LOG_SQRT_2PI);
                ei += w * sy * (z - k), by_sy += w * z;
                by0 += (1 - t) * slope, by1 += t * slope;
            }
        if (i > 0) ref.ei_grad.shape[i - 1] += (double)by0;
        if (i < l->shape_n) ref.ei_grad.shape[i] += (double)by1;
        if (from > 0 && from < 1 && R1 > R0) {
            pdf = du * expl(-0.5L * k * k - LOG_SQRT_2PI) / (R1 - R0);
            ref.pdf = (double)(pdf / sy);
            if (i > 0) ref.pi_grad.shape[i - 1] = (double)(du * (1 - from) / (R1 - R0));
            if (i < l->shape_n) ref.pi_grad.shape[i] = (double)(du * from / (R1 - R0));
            ref.pi_grad.mu = ref.pdf;
            ref.pi_grad.v = ref.pi_grad.s2 = (double)(pdf * k / (2 * sy * sy));
        }
    }
    ref.ei = (double)ei, ref.pi = (double)pi;
    ref.ei_grad.mu = ref.pi;
    ref.ei_grad.v = ref.ei_grad.s2 = (double)(by_sy / (2 * sy));
    ref.ei_size = ref.ei_grad, ref.pi_size = ref.pi_grad;
    ref.ei_size.v = ref.ei_size.s2 = (double)((1 + fabsl(k)) * pi / (2 * sy));
    return ref;
}

law_reference law_reference_at(const law *l, double best) {
    make_rule();
    if (l->kind == LAW_SET) return set_reference(l, best);
    return l->kind == LAW_NORMAL ? normal_reference(l, best) : steps_reference(l, best);
}
