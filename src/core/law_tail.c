/* law_tail.c - the part of the calibrated law outside the set (eq:locbo_likelihood, second line).
 *
 * With q = qu, rho = r (or q = -ql, rho = -r for the lower tail), A = (q - rho h)/rr and
 * B = (h - rho q)/rr,
 *
 *     E(Z - h)_+ 1{z' > q} = phi(h) Q(A) + rho phi(q) Q(B) - h BVN(h, q; rho).
 *
 * The three terms cancel where the result is small, and BVN is accurate absolutely only. There the
 * integral of (z - h) phi(z) Q((q - rho z)/rr) over z > h, which is positive, is summed by
 * Gauss-Legendre panels laid by its log-concave shape: a normal of width 1 on the side where
 * Q is about 1, one of width rr about rho q on the other, a step of width rr/r between them.
 * Everything else (the derivatives) is a product of one-dimensional normals.
 *
 * Layer: core, below the law. Cost: two BVN, or about 100 evaluations of Q. */
#include "bvn.h"
#include "law_parts.h"
#include "normal.h"

#include <math.h>
#include <stddef.h>

/* Gauss-Legendre, 12 points on [0, 1]. */
static const double node_x[12] = {0.00921968287664037465, 0.04794137181476257166, 0.11504866290284765648,
                                  0.20634102285669127635, 0.31608425050090990313, 0.43738329574426554227,
                                  0.56261670425573445773, 0.68391574949909009687, 0.79365897714330872365,
                                  0.88495133709715234352, 0.95205862818523742834, 0.99078031712335962535};
static const double node_w[12] = {0.0235876681932559136, 0.0534696629976592155, 0.0800391642716731132,
                                  0.1015837133615329609, 0.1167462682691774044, 0.1245735229067013925,
                                  0.1245735229067013925, 0.1167462682691774044, 0.1015837133615329609,
                                  0.0800391642716731132, 0.0534696629976592155, 0.0235876681932559136};

/* One tail: z' > q with correlation sign * r. */
typedef struct tail {
    double q, sign, h, r, rr;
} tail;

/* The reflected coordinate x = sign z, in which Q((q - r x)/rr) always rises. */
typedef struct window {
    double a, b; /* the integrand is negligible outside [a, b] */
    double step; /* q/r, where Q rises */
} window;

/* Distance over which exp(-slope t - t^2/2) falls by exp(-40). */
static double reach(double slope) { return 80 / (slope + sqrt(slope * slope + 80)); }

/* Where phi(x) Q((q - r x)/rr) is not negligible, x unrestricted. The normal about r q of width rr is cut by
 * the step at q/r unless |q| rr > 9 r, when the step is more than 9 of its widths away. */
static window whole_window(const tail *t) {
    window w;
    double centre = t->r * t->q;
    w.step = t->r > 0 ? t->q / t->r : copysign(INFINITY, t->q);
    w.a = centre - 9 * t->rr;
    if (t->q > 0) {
        w.b = t->q * t->rr > 9 * t->r ? centre + 9 * t->rr : sqrt(t->q * t->q + 80);
    } else {
        if (-t->q * t->rr > 9 * t->r || w.a < -9) w.a = -9;
        w.b = 9;
    }
    return w;
}

/* The window for x >= h: beyond the mode the integrand falls from its value at h. */
static window upper_window(const tail *t) {
    window w = whole_window(t);
    double h = t->h;
    if (h <= w.a) return w;
    w.a = h;
    double slope = law_offset(h, t->q, t->r, t->rr);
    if (h >= w.step) {
        if (h > 0) w.b = h + reach(h);
    } else if (slope > 0) {
        double b = h + t->rr * reach(slope), top = fmax(w.step, 0);
        w.b = b < w.step ? b : sqrt(top * top + 80);
    }
    return w;
}

/* The window for x <= end. */
static window lower_window(const tail *t, double end) {
    window w = whole_window(t);
    if (end >= w.b) return w;
    w.b = end;
    double slope = -law_offset(end, t->q, t->r, t->rr);
    if (end < w.step) {
        if (slope > 0) w.a = end - t->rr * reach(slope);
    } else if (end < 0) {
        w.a = fmax(end - reach(-end), fmin(w.step, end) - 9 * t->rr);
    }
    if (w.a > w.b) w.a = w.b;
    return w;
}

/* Adds the panels of [x1, x2] to the sums of P and E. `from` is the end of the window next to h,
 * where phi is factored out, and `gap` its distance from h. */
static void add_panels(const tail *t, const window *w, double x1, double x2, double from, double gap, double *P,
                       double *E) {
    double middle = 0.5 * (x1 + x2), width = t->rr / t->r, centre = t->r * t->q;
    double scale = middle < w->step ? t->rr : 1;
    double y1 = (x1 - centre) / t->rr, y2 = (x2 - centre) / t->rr;
    double fall = middle < w->step ? 0.5 * fabs((y1 - y2) * (y1 + y2)) : 0.5 * fabs((x1 - x2) * (x1 + x2));
    if (fabs(middle - w->step) < 6 * width && width < scale) scale = width;
    double count = ceil(fmax((x2 - x1) / (4 * scale), fmin(fall, 60) / 10));
    count = fmin(fmax(count, 1), 50);
    double length = (x2 - x1) / count;
    double near = t->sign > 0 ? x1 - from : from - x2; /* distance of the nearer end from `from` */
    double slope = t->sign * from, kink = law_offset(t->q, from, t->r, t->rr);
    double rate = t->sign * t->r / t->rr;
    for (int k = 0; k < count; ++k) {
        double p = 0, e = 0;
        for (int i = 0; i < 12; ++i) {
            double s = near + (k + node_x[i]) * length;
            double f = node_w[i] * exp(-s * (slope + 0.5 * s)) * normal_sf(kink - rate * s);
            p += f;
            e += f * (gap + s);
        }
        *P += length * p;
        *E += length * e;
    }
}

/* P and E of the tail by quadrature, on the scale exp(L), L = log phi at the window's near end. */
static void by_quadrature(const tail *t, double *L, double *P, double *E) {
    window w = t->sign > 0 ? upper_window(t) : lower_window(t, -t->h);
    double from = t->sign > 0 ? w.a : w.b, gap = t->sign * from - t->h;
    double breadth = t->r > 0 ? 6 * t->rr / t->r : INFINITY;
    double cut[5] = {w.a, w.step - breadth, w.step, w.step + breadth, w.b};
    *P = *E = 0;
    *L = normal_log_pdf(from);
    for (int i = 0; i < 4; ++i) {
        double x1 = fmin(fmax(cut[i], w.a), w.b), x2 = fmin(fmax(cut[i + 1], w.a), w.b);
        if (x2 > x1) add_panels(t, &w, x1, x2, from, gap, P, E);
    }
}

/* All but E and P, on the scale exp(L); El and Eu, Pl and Pu both hold the derivative by q. Given
 * Z = h, z' is normal with mean rho h and standard deviation rr. */
static law_moments closed_part(const tail *t, double L, double *S) {
    double rho = t->sign * t->r;
    double A = law_offset(t->q, t->sign * t->h, t->r, t->rr);
    double B = t->sign * law_offset(t->sign * t->h, t->q, t->r, t->rr);
    double hQ, qQ, qphi, qG; /* phi(h) Q(A), phi(q) Q(B), phi(q) phi(B) = phi(h) phi(A), phi(q) G(B) */
    if (L == 0) {
        double phi_q = normal_pdf(t->q), phi_B = normal_pdf(B);
        normal_ratios x = normal_scaled(fabs(B));
        hQ = normal_pdf(t->h) * normal_sf(A);
        qphi = phi_q * phi_B;
        qQ = B < 0 ? phi_q - qphi * x.Q : qphi * x.Q;
        qG = B < 0 ? qphi * x.G - phi_q * B : qphi * x.G;
    } else {
        double log_q = normal_log_pdf(t->q) - L;
        hQ = exp(normal_log_pdf(t->h) + normal_log_sf(A) - L);
        qphi = exp(log_q + normal_log_pdf(B));
        qQ = exp(log_q + normal_log_sf(B));
        qG = exp(log_q + normal_log_G(B));
    }
    law_moments m;
    m.L = L;
    m.E = m.P = 0;
    m.p = hQ;
    m.z = t->sign * (qQ + rho * hQ);
    m.e = t->rr * hQ;
    m.zp = t->sign * (rho * t->h * hQ + t->rr * qphi);
    m.ep = t->rr * t->h * hQ - rho * qphi;
    m.El = m.Eu = -t->rr * qG;
    m.Pl = m.Pu = -qQ;
    *S = hQ + rho * qQ; /* E(Z; Z > h) */
    return m;
}

static law_moments tail_closed(const tail *t) {
    double S;
    law_moments m = closed_part(t, 0, &S);
    m.P = bvn_upper_rr(t->h, t->q, t->sign * t->r, t->rr);
    m.E = S - t->h * m.P;
    return m;
}

static law_moments tail_by_quadrature(const tail *t) {
    double L, P, E, S;
    by_quadrature(t, &L, &P, &E);
    law_moments m = closed_part(t, L, &S);
    m.P = P;
    m.E = E;
    return m;
}

/* E(Z-h)_+ 1{z' < -q} <= G(h) Q((q + r h)/rr), as Q falls in z: often negligible beside the rest. */
static int lower_is_negligible(const tail *t, const law_moments *known, double weight) {
    if (t->h <= 0 || known->E <= 0) return 0;
    double bound = normal_log_G(t->h) + normal_log_sf((t->q + t->r * t->h) / t->rr);
    return log(weight) + bound < known->L + log(known->E) - 40;
}

/* Derivatives by q as derivatives by qu, or by ql = -q. */
static law_moments as_upper(law_moments m) {
    m.El = m.Pl = 0;
    return m;
}

static law_moments as_lower(law_moments m) {
    m.El = -m.El, m.Pl = -m.Pl;
    m.Eu = m.Pu = 0;
    return m;
}

/* Whether an error of BVN's size in P, and h times it in E, is small enough beside the whole. */
static int closed_form_suffices(const law_std *s, double h, double weight, const law_moments *inside, double E,
                                double P) {
    double error = 1e-16 / s->accuracy * weight * (1 + fabs(h));
    double scale = inside->L == 0 ? 1 : exp(inside->L);
    return error < scale * inside->E + weight * E && error < scale * inside->P + weight * P;
}

law_moments law_tail_moments(const law_std *s, double h, double weight, const law_moments *inside) {
    tail upper = {s->qu, 1, h, s->r, s->rr}, lower = {-s->ql, -1, h, s->r, s->rr};
    law_moments total, part;
    if (closed_form_suffices(s, h, weight, inside, normal_G(h), normal_sf(h))) {
        total = as_upper(tail_closed(&upper));
        part = as_lower(tail_closed(&lower));
        law_moments_add(&total, 1, &part);
        if (closed_form_suffices(s, h, weight, inside, total.E, total.P)) return total;
    }
    total = as_upper(tail_by_quadrature(&upper));
    law_moments known = {0};
    known.L = inside->L;
    law_moments_add(&known, 1, inside);
    law_moments_add(&known, weight, &total);
    if (lower_is_negligible(&lower, &known, weight)) return total;
    part = as_lower(tail_by_quadrature(&lower));
    law_moments_add(&total, 1, &part);
    return total;
}
