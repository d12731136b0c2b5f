/* law_set.c - LAW_SET: uniform inside the calibrated set, normal outside, denoised by the model.
 *
 * Standard form (eq:LOCBO_decomp): Z = (f - mu)/sd = r z' + rr e, h = (f - mu)/sd. The uniform part,
 * z' = m + a t with t uniform on [-1, 1], has
 *
 *     E(Z-h)_+ = rr mean G(u),   P(Z>h) = mean Q(u),   density = mean phi(u)/rr
 *
 * over u between (h - r qu)/rr and (h - r ql)/rr (law_mean.c); the rest is law_tail.c. Derivatives by r
 * keep r^2 + rr^2 = 1; Stein's identity removes the 1/rr that a plain chain rule would bring in.
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
    total->S = a * total->S + b * part->S;
    total->p = a * total->p + b * part->p;
    total->Er = a * total->Er + b * part->Er;
    total->El = a * total->El + b * part->El;
    total->Eu = a * total->Eu + b * part->Eu;
    total->Pr = a * total->Pr + b * part->Pr;
    total->Pl = a * total->Pl + b * part->Pl;
    total->Pu = a * total->Pu + b * part->Pu;
}

/* The uniform part; a point mass if ql = qu. */
static law_moments flat_moments(const law_std *s, double h) {
    double r = s->r, rr = s->rr;
    double mid = 0.5 * (s->ql + s->qu), a = 0.5 * (s->qu - s->ql);
    double c = law_offset(h, mid, r, rr), d = r * a / rr;
    law_means u = law_mean_ends(c, d, law_offset(h, s->qu, r, rr), law_offset(h, s->ql, r, rr));
    double zQ = mid * u.Q + a * u.Gd; /* E(z'; Z > h) */
    double by_mid = 0.5 * r * u.Q, by_a = 0.5 * r * u.Gd;
    law_moments m;
    m.L = u.L;
    m.E = rr * u.G;
    m.P = u.Q;
    m.S = r * zQ + rr * u.phi;
    m.p = u.phi / rr;
    m.Er = zQ - r / rr * u.phi;
    m.El = by_mid - by_a;
    m.Eu = by_mid + by_a;
    by_mid = 0.5 * r / rr * u.phi, by_a = 0.5 * r / rr * u.Qd;
    m.Pl = by_mid - by_a;
    m.Pu = by_mid + by_a;
    /* E((z' - r h) phi(u))/rr^3: two ways to write it, the second for r away from 0 */
    if (d < 1) m.Pr = ((rr * mid - r * c) * u.phi + a / rr * u.Qd) / (rr * rr);
    else m.Pr = (rr * h * u.phi - u.uphi) / (r * rr * rr);
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

/* P(Z <= h), relative to its size where it is small. */
static double std_cdf(const law_std *s, double h) {
    if (h > 0) {
        law_moments m = law_set_moments(s, h);
        return fmax(1 - exp(m.L) * m.P, 0);
    }
    law_std t = reflected(s);
    law_moments m = law_set_moments(&t, -h);
    return fmin(exp(m.L) * m.P, 1);
}

double law_set_cdf(const law *l, double f) {
    law_std s = law_standardise(l);
    return std_cdf(&s, (f - l->mu) / s.sd);
}

/* The h with P(Z > h) = q: Newton on log P, which is nearly straight or concave, kept inside a
 * bracket. At a jump (s2 = 0, ql = qu) the bracket closes on it. */
static double upper_quantile(const law_std *s, double q) {
    double z = normal_isf(q), lo = fmin(z, s->ql) - 1, hi = fmax(z, s->qu) + 1;
    double log_q = log(q);
    for (double step = 1;; step *= 2, lo -= step) {
        law_moments m = law_set_moments(s, lo);
        if (m.L + log(m.P) >= log_q) break;
    }
    for (double step = 1;; step *= 2, hi += step) {
        law_moments m = law_set_moments(s, hi);
        if (m.P <= 0 || m.L + log(m.P) <= log_q) break;
    }
    double h = fmin(fmax(z, lo), hi), last = hi - lo;
    for (int i = 0; i < 200; ++i) {
        law_moments m = law_set_moments(s, h);
        double excess = m.P > 0 ? m.L + log(m.P) - log_q : -1;
        if (excess >= 0) lo = h;
        else hi = h;
        double step = m.p > 0 ? excess * m.P / m.p : INFINITY, next = h + step;
        /* P/p is the length over which P changes; rounding leaves about 1e-15 of it */
        if (fabs(step) <= 1e-15 * (fabs(h) + fmin(m.P / m.p, 1))) return next;
        /* halve the bracket when Newton leaves it or fails to halve its own step */
        if (!(next > lo && next < hi) || fabs(step) > 0.5 * last) next = 0.5 * (lo + hi);
        last = fabs(next - h);
        if (next == h || hi - lo <= 1e-16 * fabs(h)) return hi;
        h = next;
    }
    return hi;
}

double law_set_quantile(const law *l, double p, law_grad *grad) {
    law_std s = law_standardise(l), t;
    s.accuracy = 1e-13;
    t = reflected(&s);
    double h = p > 0.5 ? upper_quantile(&s, 1 - p) : -upper_quantile(&t, p);
    if (grad) { /* at constant probability dh = dP/p, from whichever side is small */
        law_moments m = law_set_moments(p > 0.5 ? &s : &t, p > 0.5 ? h : -h);
        double inv = m.p > 0 ? (p > 0.5 ? 1 : -1) / m.p : 0;
        double by_r = m.Pr * inv;
        double by_l = (p > 0.5 ? m.Pl : -m.Pu) * inv, by_u = (p > 0.5 ? m.Pu : -m.Pl) * inv;
        grad->mu = 1;
        grad->v = h / (2 * s.sd) + by_r * s.rr * s.rr / (2 * s.sy);
        grad->s2 = -by_r * s.r * s.r / (2 * s.sy);
        grad->shape[0] = s.sd * by_l;
        grad->shape[1] = s.sd * by_u;
    }
    return l->mu + s.sd * h;
}
