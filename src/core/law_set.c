/* law_set.c - LAW_SET: uniform inside the calibrated set, normal outside, denoised by the model.
 *
 * Standard form (eq:LOCBO_decomp): Z = (f - mu)/sd = r z' + rr e, h = (f - mu)/sd. The uniform
 * part, z' = m + a t with t uniform on [-1, 1], has
 *
 *     E(Z-h)_+ = rr mean G(u),   P(Z>h) = mean Q(u),   density = mean phi(u)/rr
 *
 * over u between (h - r qu)/rr and (h - r ql)/rr (law_mean.c); the rest is law_tail.c. Derivatives
 * by v and s2 go through f = mu + alpha z' + beta e: each is a moment of z' and e over {Z > h} or
 * {Z = h}.
 *
 * Layer: core, below calibrators. Cost: 0.2 us without tails, 1 us with, 3 us in the far tail. */
#include "law_parts.h"
#include "normal.h"

#include <float.h>
#include <math.h>

law_std law_standardise(const law *l) {
    double v = fmax(l->v, LAW_V_MIN), var = v + l->s2;
    law_std s;
    s.sd = sqrt(v);
    s.sy = sqrt(var);
    s.r = sqrt(v / var);
    s.rr = fmax(sqrt(l->s2 / var), LAW_RR_MIN);
    s.accuracy = 1e-10;
    s.tail_mass = l->kind == LAW_SET ? l->tail_mass : 0;
    /* beyond 37 the mass outside would underflow */
    s.ql = l->kind == LAW_SET ? fmin(fmax(l->shape[0], -37), 37) : 0;
    s.qu = l->kind == LAW_SET ? fmin(fmax(l->shape[1], s.ql), 37) : 0;
    return s;
}

/* alpha = v/sy = sd r and beta = sd rr, differentiated by v and s2. */
void law_chain(const law_std *s, double one, double z, double e, law_grad *grad) {
    double r = s->r, rr = s->rr;
    grad->mu = one;
    grad->v = z * (1 + rr * rr) / (2 * s->sy) + e * rr * rr * rr / (2 * s->sd);
    grad->s2 = r * r / (2 * s->sy) * (e * r / rr - z);
}

void law_moments_add(law_moments *total, double weight, const law_moments *part) {
    double a = 1, b = weight;
    if (part->L > total->L) {
        a = exp(total->L - part->L);
        total->L = part->L;
    } else if (part->L < total->L) {
        b *= exp(part->L - total->L);
    }
    total->E = a * total->E + b * part->E;
    total->P = a * total->P + b * part->P;
    total->p = a * total->p + b * part->p;
    total->z = a * total->z + b * part->z;
    total->e = a * total->e + b * part->e;
    total->zp = a * total->zp + b * part->zp;
    total->ep = a * total->ep + b * part->ep;
    total->El = a * total->El + b * part->El;
    total->Eu = a * total->Eu + b * part->Eu;
    total->Pl = a * total->Pl + b * part->Pl;
    total->Pu = a * total->Pu + b * part->Pu;
}

/* The uniform part; a point mass if ql = qu. */
static law_moments flat_moments(const law_std *s, double h) {
    double r = s->r, rr = s->rr;
    double mid = 0.5 * (s->ql + s->qu), a = 0.5 * (s->qu - s->ql);
    double c = law_offset(h, mid, r, rr), d = r * a / rr;
    law_means u = law_mean_ends(c, d, law_offset(h, s->qu, r, rr), law_offset(h, s->ql, r, rr));
    law_moments m;
    m.L = u.L;
    m.E = rr * u.G;
    m.P = u.Q;
    m.p = u.phi / rr;
    m.z = 0.5 * (s->qu * u.Gu + s->ql * u.Gl);
    m.e = u.phi;
    m.zp = 0.5 * (s->qu * u.Qu + s->ql * u.Ql) / rr;
    m.ep = u.uphi / rr;
    m.El = 0.5 * r * u.Gl;
    m.Eu = 0.5 * r * u.Gu;
    m.Pl = 0.5 * r / rr * u.Ql;
    m.Pu = 0.5 * r / rr * u.Qu;
    return m;
}

/* The tails as a conditional law: divided by M = Q(qu) + Q(-ql), also in the derivatives. */
static void condition_on_tails(const law_std *s, double M, law_moments *m) {
    double by_u = normal_pdf(s->qu) / M, by_l = -normal_pdf(s->ql) / M;
    m->Eu += by_u * m->E, m->El += by_l * m->E;
    m->Pu += by_u * m->P, m->Pl += by_l * m->P;
}

law_moments law_set_moments(const law_std *s, double h) {
    law_moments flat = flat_moments(s, h), total = {0};
    total.L = flat.L;
    law_moments_add(&total, 1 - s->tail_mass, &flat);
    if (s->tail_mass <= 0) return total;
    double M = normal_sf(s->qu) + normal_sf(-s->ql), weight = s->tail_mass / M;
    law_moments tails = law_tail_moments(s, h, weight, &total);
    condition_on_tails(s, M, &tails);
    law_moments_add(&total, weight, &tails);
    return total;
}

/* The law of -Z. */
static law_std reflected(const law_std *s) {
    law_std t = *s;
    t.ql = -s->qu;
    t.qu = -s->ql;
    return t;
}

double law_set_pdf(const law *l, double f) {
    law_std s = law_standardise(l);
    double h = (f - l->mu) / s.sd;
    law_moments flat = flat_moments(&s, h);
    double p = (1 - s.tail_mass) * exp(flat.L) * flat.p;
    if (s.tail_mass > 0) {
        double M = normal_sf(s.qu) + normal_sf(-s.ql);
        double Q = normal_sf(law_offset(s.qu, h, s.r, s.rr)) + normal_sf(law_offset(-s.ql, -h, s.r, s.rr));
        p += s.tail_mass / M * normal_pdf(h) * Q;
    }
    return p / s.sd;
}

/* P(Z <= h), relative to its size where it is small: then from the reflected law. */
static double std_cdf(const law_std *s, double h) {
    law_moments m = law_set_moments(s, h);
    double above = exp(m.L) * m.P;
    if (above < 0.5) return 1 - above;
    law_std t = reflected(s);
    m = law_set_moments(&t, -h);
    return fmin(exp(m.L) * m.P, 1);
}

double law_set_cdf(const law *l, double f) {
    law_std s = law_standardise(l);
    return std_cdf(&s, (f - l->mu) / s.sd);
}

/* The h with P(Z > h) = q, q <= 1/2: Newton on log P, kept inside a bracket that is halved whenever
 * a step leaves it or is not half the last one. At a jump (s2 = 0, ql = qu) the bracket closes on
 * it. */
static double upper_quantile(const law_std *s, double q) {
    double lo = -80, hi = 80, log_q = log(q), h = s->r * fmax(normal_isf(q), s->ql), last = hi - lo;
    for (int i = 0; i < 200; ++i) {
        law_moments m = law_set_moments(s, h);
        double excess = m.P > 0 ? m.L + log(m.P) - log_q : -1;
        if (excess >= 0)
            lo = h;
        else
            hi = h;
        double step = m.p > 0 ? excess * m.P / m.p : INFINITY, next = h + step;
        /* P/p is the length over which P changes; rounding leaves about 1e-15 of it */
        if (fabs(step) <= 1e-15 * (fabs(h) + fmin(m.P / m.p, 1))) return next;
        if (!(next > lo && next < hi) || fabs(step) > 0.5 * last) next = 0.5 * (lo + hi);
        if (next == h || hi - lo <= 1e-16 * fabs(h)) return hi;
        last = fabs(next - h);
        h = next;
    }
    return hi;
}

double law_set_quantile(const law *l, double p, law_grad *grad) {
    law_std s = law_standardise(l), t;
    s.accuracy = 1e-12;
    t = reflected(&s);
    double h = p > 0.5 ? upper_quantile(&s, 1 - p) : -upper_quantile(&t, p);
    if (grad) { /* at constant probability df = dP/pdf, from the side that is smaller */
        int up = p > 0.5;
        law_moments m = law_set_moments(up ? &s : &t, up ? h : -h);
        double sign = up ? 1 : -1, inv = m.p > 0 ? 1 / m.p : 0;
        law_chain(&s, 1, sign * m.zp * inv, sign * m.ep * inv, grad);
        grad->shape[0] = s.sd * (up ? m.Pl : m.Pu) * inv;
        grad->shape[1] = s.sd * (up ? m.Pu : m.Pl) * inv;
    }
    return l->mu + s.sd * h;
}
