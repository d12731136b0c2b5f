/* test_law.c - the calibrated law against an independent oracle, the paper's formulas and its
 * limits.
 *
 * The oracle (reference/law_reference.c) integrates the definition of law.h over z' and the noise.
 * Differences are measured relative to the true value; where f is known more coarsely than that (rr
 * = 1e-8 and best within rounding of the edge of the set) the tolerance grows by what one rounding
 * of best, mu or the ends does to the value: that is the problem's conditioning, not the code's. */
#include "check.h"
#include "golden/law_golden.h"
#include "law.h"
#include "normal.h"
#include "reference/law_reference.h"

/* ---- random laws ---------------------------------------------------------------------------- */

static uint64_t stream;

static void seed_stream(uint64_t seed) {
    stream = seed;
    print_message("seed %llu\n", (unsigned long long)seed);
}

static double uniform(double a, double b) {
    stream = stream * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return a + (b - a) * ((double)(stream >> 11) * 0x1p-53);
}

static double log_uniform(double a, double b) { return exp(uniform(log(a), log(b))); }

/* r and rr over all orders of magnitude; rr = 0 sometimes. */
static void draw_variances(law *l) {
    double sy2 = log_uniform(0.03, 3), kind = uniform(0, 1);
    if (kind < 0.5)
        l->s2 = sy2 * uniform(0, 1), l->v = sy2 - l->s2;
    else if (kind < 0.7)
        l->v = sy2, l->s2 = sy2 * log_uniform(1e-16, 1);
    else if (kind < 0.8)
        l->s2 = sy2, l->v = sy2 * log_uniform(1e-16, 1);
    else if (kind < 0.85)
        l->s2 = 0, l->v = sy2;
    else
        l->v = sy2, l->s2 = sy2 * log_uniform(1e-4, 1);
}

/* Centred sets up to 3.4 and 8, the point, sets off centre, sets of no width, tiny sets. */
static void draw_set(law *l) {
    double kind = uniform(0, 1), a, b;
    if (kind < 0.5)
        b = uniform(0, 3.4), a = -b;
    else if (kind < 0.6)
        b = uniform(0, 8), a = -b;
    else if (kind < 0.65)
        a = b = 0;
    else if (kind < 0.8)
        a = uniform(-2, 2), b = a + uniform(0, 3);
    else if (kind < 0.9)
        a = uniform(-2, 2), b = a + log_uniform(1e-8, 1);
    else if (kind < 0.95)
        a = b = uniform(-2, 2);
    else
        b = log_uniform(1e-9, 1), a = -b;
    l->shape_n = 2;
    l->shape[0] = a;
    l->shape[1] = b;
}

static law random_set_law(void) {
    law l = {.kind = LAW_SET};
    l.mu = uniform(-1, 1);
    draw_variances(&l);
    draw_set(&l);
    double kind = uniform(0, 1);
    l.tail_mass = kind < 0.2 ? 0 : kind < 0.8 ? uniform(0, 0.9) : log_uniform(1e-6, 1);
    return l;
}

static const char *describe(const law *l, double best) {
    static char text[256];
    snprintf(text, sizeof text, "mu %.17g v %.17g s2 %.17g tail %.17g set %.17g %.17g best %.17g", l->mu, l->v, l->s2,
             l->tail_mass, l->shape[0], l->shape[1], best);
    return text;
}

/* ---- comparison ----------------------------------------------------------------------------- */

/* Largest errors of a group, relative to what is allowed where conditioning allows more. */
typedef struct errors {
    double ei, pi, pdf, ei_grad, pi_grad;
} errors;

static double *field(law_grad *g, size_t i) {
    return i == 0 ? &g->mu : i == 1 ? &g->v : i == 2 ? &g->s2 : &g->shape[i - 3];
}

/* How far a rounding of the inputs moves best relative to mu and the set, in units of f. */
static double rounding(const law *l, double best) {
    double q = l->kind == LAW_SET ? fmax(fabs(l->shape[0]), fabs(l->shape[1])) : 8;
    return 3e-16 * (fabs(best) + fabs(l->mu) + q * sqrt(l->v + l->s2));
}

static void compare_grad(const law *l, double best, const char *name, law_grad *actual, law_grad *expected,
                         law_grad *size, double value, double extra, double *worst) {
    for (size_t i = 0; i < 3 + l->shape_n; ++i) {
        if (i == 2 && l->s2 == 0) continue; /* one-sided; tested apart */
        double a = *field(actual, i), e = *field(expected, i) / value;
        double scale = *field(size, i) / value, error = fabs(a - e) / (scale * (1 + extra / 1e-6));
        if (a == e || fabs(a - e) < 1e-300) continue;
        check_that(error < 1e-6, "%s, component %zu: %.12g, expected %.12g; %s", name, i, a, e, describe(l, best));
        *worst = fmax(*worst, error);
    }
}

/* Values to `tolerance` (where the log itself is large: relative to the log), gradients to 1e-6 of
 * the terms they are made of. */
static void compare(const law *l, double best, double tolerance, errors *worst) {
    law_reference ref = law_reference_at(l, best);
    law_grad g;
    if (!(ref.ei > 0)) { /* s2 = 0: nothing above best */
        check_that(law_ei(l, best, NULL) <= rounding(l, best), "%s", describe(l, best));
        return;
    }
    double slip = rounding(l, best), log_ei = log(ref.ei) + ref.log_scale;
    double log_pi = log(ref.pi) + ref.log_scale, size = fmax(1, fabs(log_ei) / 100);
    double beta = sqrt(l->v) * sqrt(l->s2 / (l->v + l->s2)); /* width of the steps of f's law */
    if (slip * ref.pi > 0.01 * ref.ei) return;               /* best is at the top of the support, to rounding */
    double near = slip / beta * (1 + fabs(best - l->mu) / beta);

    double error = fabs(law_log_ei(l, best, &g) - log_ei) / size;
    error /= 1 + slip * ref.pi / ref.ei / tolerance;
    check_that(error < tolerance, "log EI off by %g; %s", error, describe(l, best));
    worst->ei = fmax(worst->ei, error);
    if (near < 1e-4) compare_grad(l, best, "log EI", &g, &ref.ei_grad, &ref.ei_size, ref.ei, near, &worst->ei_grad);

    if (l->s2 == 0 && l->kind == LAW_SET) return; /* steps in PI, no density at them */
    error = fabs(law_log_pi(l, best, &g) - log_pi) / size;
    error /= 1 + slip * ref.pdf / ref.pi / tolerance;
    check_that(error < tolerance, "log PI off by %g; %s", error, describe(l, best));
    worst->pi = fmax(worst->pi, error);
    if (near < 1e-4) compare_grad(l, best, "log PI", &g, &ref.pi_grad, &ref.pi_size, ref.pi, near, &worst->pi_grad);

    if (log_pi < -600) return; /* the plain forms underflow from here */
    check_close(law_ei(l, best, NULL), exp(law_log_ei(l, best, NULL)), 1e-12, 1e-290);
    check_close(law_pi(l, best, NULL), exp(law_log_pi(l, best, NULL)), 1e-12, 1e-290);
    double density = ref.pdf * exp(ref.log_scale);
    error = fabs(law_pdf(l, best) - density) / (density + 1e-290);
    error /= 1 + near / tolerance;
    check_that(near > 1e-4 || error < tolerance, "density off by %g; %s", error, describe(l, best));
    if (near < 1e-4) worst->pdf = fmax(worst->pdf, error);
    if (l->s2 > 0) check_close(law_cdf(l, best), 1 - law_pi(l, best, NULL), 0, 2e-10);
}

static void report(const char *group, const errors *e) {
    print_message("%s: log EI %.1e, log PI %.1e, density %.1e, gradients %.1e and %.1e\n", group, e->ei, e->pi, e->pdf,
                  e->ei_grad, e->pi_grad);
}

/* ---- LAW_SET against the oracle ------------------------------------------------------------- */

static void set_matches_the_oracle(void **state) {
    (void)state;
    seed_stream(20240611);
    errors worst = {0};
    for (int i = 0; i < 1500; ++i) {
        law l = random_set_law();
        double sd = sqrt(l.v), rr = sqrt(l.s2 / (l.v + l.s2));
        double h = uniform(0, 1) < 0.6 ? uniform(-6, 6) : l.shape[1] + rr * uniform(-5, 5);
        compare(&l, l.mu + sd * fmin(fmax(h, -6), 6), 1e-9, &worst);
    }
    report("|h| <= 6", &worst);
}

static void far_log_forms_match_the_oracle(void **state) {
    (void)state;
    seed_stream(20240612);
    errors worst = {0};
    for (int i = 0; i < 500; ++i) {
        law l = random_set_law();
        compare(&l, l.mu + sqrt(l.v) * uniform(6, 30), 1e-6, &worst);
    }
    report("6 < h < 30", &worst);
}

static void golden_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof golden_ei / sizeof *golden_ei; ++i) {
        const double *g = golden_ei[i];
        law l = {.kind = LAW_SET, .mu = g[0], .v = g[1], .s2 = g[2], .tail_mass = g[3], .shape_n = 2};
        l.shape[0] = g[4], l.shape[1] = g[5];
        check_close(law_ei(&l, g[6], NULL), g[7], 1e-10, 0);
    }
}

/* ---- the normal law ------------------------------------------------------------------------- */

static void normal_law_is_the_textbook_one(void **state) {
    (void)state;
    seed_stream(20240613);
    errors worst = {0};
    for (int i = 0; i < 300; ++i) {
        law l = {.kind = LAW_NORMAL, .mu = uniform(-1, 1), .v = log_uniform(1e-12, 10)};
        l.s2 = uniform(0, 1);
        double sd = sqrt(l.v), h = uniform(-6, 30), best = l.mu + sd * h;
        compare(&l, best, 1e-9, &worst);
        h = (best - l.mu) / sd;
        check_close(law_ei(&l, best, NULL), sd * normal_G(h), 1e-13, 0);
        check_close(law_pi(&l, best, NULL), normal_sf(h), 1e-12, 0);
        double p = uniform(0.001, 0.999);
        check_close(law_quantile(&l, p, NULL), l.mu + sd * normal_quantile(p), 1e-15, 1e-15);
    }
    report("normal", &worst);
}

/* A set that is the whole of the tails' law, q = 0 and tail_mass = 1 - tiny, is the normal law. */
static void all_tails_is_normal(void **state) {
    (void)state;
    law l = {.kind = LAW_SET, .mu = 0.3, .v = 0.8, .s2 = 0.2, .tail_mass = 1 - 0x1p-53, .shape_n = 2};
    law n = {.kind = LAW_NORMAL, .mu = 0.3, .v = 0.8, .s2 = 0.2};
    for (double best = -6; best < 20; best += 0.173) {
        check_close(law_log_ei(&l, best, NULL), law_log_ei(&n, best, NULL), 0, 1e-9);
        check_close(law_log_pi(&l, best, NULL), law_log_pi(&n, best, NULL), 0, 1e-9);
    }
}

/* ---- recalibrated quantiles ----------------------------------------------------------------- */

static const double levels[] = {0.05, 0.15, 0.3, 0.5, 0.6, 0.8, 0.95};
enum { LEVELS = 7 };

/* Ascending heights; some close together, some equal. */
static law random_steps_law(void) {
    law l = {.kind = LAW_QUANTILE, .level = levels, .shape_n = LEVELS, .z_max = 3.4};
    l.mu = uniform(-1, 1);
    l.v = log_uniform(1e-6, 2);
    l.s2 = log_uniform(1e-6, 2);
    double end = normal_sf(l.z_max), R = end + uniform(0, 0.1);
    for (size_t i = 0; i < LEVELS; ++i) {
        double kind = uniform(0, 1);
        l.shape[i] = R = fmin(R, 1 - end);
        R += kind < 0.2 ? 0 : kind < 0.4 ? log_uniform(1e-12, 1e-2) : uniform(0, 0.25);
    }
    return l;
}

static void quantile_law_matches_the_oracle(void **state) {
    (void)state;
    seed_stream(20240614);
    errors worst = {0};
    for (int i = 0; i < 120; ++i) {
        law l = random_steps_law();
        double sy = sqrt(l.v + l.s2);
        compare(&l, l.mu + sy * uniform(-4, 3.3), 1e-9, &worst);
    }
    report("quantiles", &worst);
}

/* Where EI is 0 the log continues: finite, falling, and rising in mu and in the predictive
 * variance. */
static void above_the_support_the_upper_end_orders(void **state) {
    (void)state;
    law l = random_steps_law();
    double sy = sqrt(l.v + l.s2), upper = l.mu + sy * l.z_max, last_ei = 0, last_pi = 0;
    check_that(law_ei(&l, upper + 1e-9, NULL) == 0 && law_pi(&l, upper + 1e-9, NULL) == 0, "support");
    for (double best = upper - 0.5 * sy; best < upper + 20 * sy; best += 0.01 * sy) {
        law_grad g;
        double ei = law_log_ei(&l, best, &g), pi = law_log_pi(&l, best, NULL);
        check_that(isfinite(ei) && isfinite(pi), "best = %g", best);
        check_that(best < upper - 0.49 * sy || (ei < last_ei && pi < last_pi), "best = %g", best);
        check_that(g.mu > 0 && g.v > 0 && g.s2 > 0, "gradient at best = %g", best);
        last_ei = ei, last_pi = pi;
    }
    law_grad g;
    law up = l, down = l;
    double best = upper + 3 * sy, step = 1e-5 * (l.v + l.s2);
    up.v += step, down.v -= fmin(step, 0.5 * l.v);
    double slope = (law_log_ei(&up, best, NULL) - law_log_ei(&down, best, NULL)) / (up.v - down.v);
    law_log_ei(&l, best, &g);
    check_close(g.v, slope, 1e-4, 0); /* one-sided difference, error of the order of the step */
    check_close(g.mu, 1 / sy, 1e-14, 0);
}

/* ---- every law: density, distribution, quantile --------------------------------------------- */

/* Probability of [a, b] from the density, on panels of a thousandth of it. */
static double integrate_density(const law *l, double a, double b) {
    double sum = 0, length = (b - a) / 1000;
    for (int i = 0; i < LAW_REFERENCE_POINTS; ++i) {
        double x, w;
        law_reference_node(i, &x, &w);
        for (int k = 0; k < 1000; ++k) sum += length * w * law_pdf(l, a + (k + x) * length);
    }
    return sum;
}

static law smooth_law(int i) {
    law l = i % 3 == 0 ? random_steps_law() : random_set_law();
    if (i % 3 == 2) l.kind = LAW_NORMAL, l.shape_n = 0;
    if (l.kind == LAW_QUANTILE) {
        for (size_t j = 0; j < LEVELS; ++j) l.shape[j] = 0.02 + 0.12 * (double)j + uniform(0, 0.1);
        return l;
    }
    l.v = uniform(0.1, 1), l.s2 = uniform(0.01, 1); /* steps no finer than the panels */
    return l;
}

static void density_integrates_to_the_distribution(void **state) {
    (void)state;
    seed_stream(20240615);
    for (int i = 0; i < 12; ++i) {
        law l = smooth_law(i);
        double far = 12 * sqrt(l.v + l.s2), at = l.mu + uniform(-2, 2) * sqrt(l.v);
        if (l.kind == LAW_QUANTILE) continue; /* its density jumps: see below */
        check_close(integrate_density(&l, l.mu - far, l.mu + far), 1, 1e-10, 0);
        check_close(integrate_density(&l, l.mu - far, at), law_cdf(&l, at), 0, 1e-10);
    }
}

/* Between the knots the quantile law is smooth: level by level its density adds up to 1, and to the
 * distribution function inside each segment. */
static void quantile_law_has_the_mass_of_its_levels(void **state) {
    (void)state;
    seed_stream(20240616);
    law l = smooth_law(0);
    double sy = sqrt(l.v + l.s2);
    for (size_t i = 0; i <= LEVELS; ++i) {
        double z0 = i ? normal_quantile(l.shape[i - 1]) : -l.z_max;
        double z1 = i < LEVELS ? normal_quantile(l.shape[i]) : l.z_max;
        double du = (i < LEVELS ? levels[i] : 1) - (i ? levels[i - 1] : 0);
        double a = l.mu + sy * z0, b = l.mu + sy * z1;
        double c = a + 0.3 * (b - a), below = i ? levels[i - 1] : 0;
        check_close(integrate_density(&l, a, b), du, 1e-9, 0);
        check_close(below + integrate_density(&l, a, c), law_cdf(&l, c), 1e-9, 0);
    }
}

static void quantile_inverts_the_distribution(void **state) {
    (void)state;
    seed_stream(20240617);
    for (int i = 0; i < 300; ++i) {
        law l = i % 3 == 0 ? smooth_law(i) : random_set_law();
        if (l.kind == LAW_SET && l.s2 < 1e-12 * l.v) continue; /* steps */
        double p = i % 2 ? uniform(0.01, 0.99) : log_uniform(1e-12, 0.5);
        double q = law_quantile(&l, p, NULL);
        /* the cdf is known to 1e-10 of itself, and f to one rounding */
        double slip = rounding(&l, q) * law_pdf(&l, q);
        check_that(check_agrees(law_cdf(&l, q), p, 1e-10, 4 * slip), "p %.17g, cdf %.17g; %s", p, law_cdf(&l, q),
                   describe(&l, q));
    }
}

/* The quantile is smooth where the law is: its gradient against extrapolated central
 * differences. */
static double *law_field(law *l, size_t i) {
    return i == 0 ? &l->mu : i == 1 ? &l->v : i == 2 ? &l->s2 : &l->shape[i - 3];
}

static double quantile_difference(const law *l, double p, size_t i, double step) {
    law up = *l, down = *l;
    *law_field(&up, i) += step;
    *law_field(&down, i) -= step;
    double a = law_quantile(&up, p, NULL), b = law_quantile(&down, p, NULL);
    return (a - b) / (*law_field(&up, i) - *law_field(&down, i));
}

static void quantile_gradient_is_right(void **state) {
    (void)state;
    seed_stream(20240618);
    for (int i = 0; i < 150; ++i) {
        law l = smooth_law(i);
        if (l.kind == LAW_SET) l.shape[1] += 0.1, l.tail_mass *= 0.9;
        double p = uniform(0.02, 0.98);
        law_grad g;
        law_quantile(&l, p, &g);
        for (size_t j = 0; j < 3 + l.shape_n; ++j) {
            double step = 1e-3 * (j == 1 ? l.v : j == 2 ? l.s2 : 1);
            if (l.kind == LAW_QUANTILE && j > 2) step = 1e-5;
            double d1 = quantile_difference(&l, p, j, step);
            double d2 = quantile_difference(&l, p, j, 0.5 * step);
            double d4 = quantile_difference(&l, p, j, 0.25 * step);
            double a = (4 * d2 - d1) / 3, b = (4 * d4 - d2) / 3;
            /* sixth order in the step; rounding of a quantile over a step of 1e-3 */
            check_close(*field(&g, j), (16 * b - a) / 15, 1e-6, 1e-8 * (1 + sqrt(l.v + l.s2) / step * 1e-5));
        }
    }
}

/* ---- extremes ------------------------------------------------------------------------------- */

static void check_finite(const law *l, double best) {
    law_grad g[5];
    double x[] = {law_ei(l, best, &g[0]),
                  law_pi(l, best, &g[1]),
                  law_log_ei(l, best, &g[2]),
                  law_log_pi(l, best, &g[3]),
                  law_quantile(l, 0.9, &g[4]),
                  law_cdf(l, best),
                  law_pdf(l, best)};
    for (size_t i = 0; i < 7; ++i) check_that(isfinite(x[i]), "functional %zu is %g; %s", i, x[i], describe(l, best));
    for (size_t i = 0; i < 5; ++i)
        for (size_t j = 0; j < 3 + l->shape_n; ++j)
            check_that(isfinite(*field(&g[i], j)), "derivative %zu of %zu; %s", j, i, describe(l, best));
}

static void nothing_is_ever_nan(void **state) {
    (void)state;
    const double v[] = {0, 1e-300, 1e-40, 1e-12, 1, 1e6}, s2[] = {0, 1e-300, 1e-16, 1e-4, 1, 1e6};
    const double sets[][2] = {{0, 0},     {-1e-12, 1e-12}, {-1, 1},   {-3.4, 3.4}, {-8, 8},
                              {0.5, 2.5}, {2, 2},          {-30, 30}, {-100, 100}};
    const double best[] = {-1e6, -3, -1e-8, 0, 1e-8, 1, 5, 38, 1e3, 1e6};
    for (size_t a = 0; a < 6; ++a)
        for (size_t b = 0; b < 6; ++b)
            for (size_t c = 0; c < 9; ++c)
                for (size_t d = 0; d < 10; ++d)
                    for (int t = 0; t < 3; ++t) {
                        law l = {.kind = LAW_SET, .v = v[a], .s2 = s2[b], .shape_n = 2};
                        l.tail_mass = 0.45 * t;
                        l.shape[0] = sets[c][0], l.shape[1] = sets[c][1];
                        check_finite(&l, best[d]);
                        if (c > 0) continue;
                        l.kind = LAW_NORMAL, l.shape_n = 0;
                        check_finite(&l, best[d]);
                        law steps = {.kind = LAW_QUANTILE, .v = v[a], .s2 = s2[b], .z_max = 3.4 + t};
                        steps.level = levels, steps.shape_n = LEVELS;
                        for (size_t j = 0; j < LEVELS; ++j) steps.shape[j] = t == 2 ? 0.5 : levels[j];
                        check_finite(&steps, best[d]);
                    }
}

/* log EI and log PI fall in best over twelve orders of magnitude, and their slopes agree with
 * it. */
static void log_forms_fall_for_ever(void **state) {
    (void)state;
    const double s2[] = {1e-8, 1e-4, 0.1, 1, 100}, tails[] = {0, 1e-3, 0.5};
    for (size_t a = 0; a < 5; ++a)
        for (size_t t = 0; t < 3; ++t)
            for (double q = 0; q < 9; q += 2) {
                law l = {.kind = LAW_SET, .v = 1, .s2 = s2[a], .tail_mass = tails[t], .shape_n = 2};
                l.shape[0] = -q, l.shape[1] = q;
                double ei = INFINITY, pi = INFINITY, step = 0.05;
                for (double best = -4; best < 1e6; best += step) {
                    law_grad g;
                    double e = law_log_ei(&l, best, &g), p = law_log_pi(&l, best, NULL);
                    /* PI is 1 to the last bit far below the set */
                    check_that(e < ei && (p < pi || p > -1e-9), "%s", describe(&l, best));
                    check_that(isfinite(e) && isfinite(p) && g.mu > 0, "%s", describe(&l, best));
                    ei = e, pi = p;
                    if (best > 10) step = 0.05 * best;
                }
            }
}

/* Far out the gradient of log EI against central differences of log EI, whose own rounding is 1e-16
 * of the log over the step: steps of a thousandth of the scale on which it bends. */
static void far_gradients_are_right(void **state) {
    (void)state;
    seed_stream(20240619);
    for (int i = 0; i < 200; ++i) {
        law l = {.kind = LAW_SET, .v = uniform(0.5, 1), .s2 = log_uniform(1e-6, 1), .shape_n = 2};
        l.shape[1] = uniform(0.5, 3), l.shape[0] = -l.shape[1];
        l.tail_mass = i % 2 ? 0 : uniform(0, 0.5);
        double best = log_uniform(5, 1e4);
        law_grad g;
        law_log_ei(&l, best, &g);
        for (size_t j = 0; j < 5; ++j) {
            if (j == 3) continue; /* the lower end counts for nothing up there */
            double x = *law_field(&l, j), step = j == 0 ? 1e-3 : 1e-4 * x;
            law up = l, down = l;
            *law_field(&up, j) = x + step, *law_field(&down, j) = x - step;
            double d = (law_log_ei(&up, best, NULL) - law_log_ei(&down, best, NULL)) /
                       (*law_field(&up, j) - *law_field(&down, j));
            double noise = 4e-16 * fabs(law_log_ei(&l, best, NULL)) / step;
            check_close(*field(&g, j), d, 2e-6, noise + 1e-6);
        }
    }
}

/* v = 0: a point at mu. */
static void no_variance_is_a_point(void **state) {
    (void)state;
    law l = {.kind = LAW_SET, .mu = 0.5, .v = 0, .s2 = 0.25, .tail_mass = 0.1, .shape_n = 2};
    l.shape[0] = -1, l.shape[1] = 2;
    law_grad g;
    check_same(law_ei(&l, 0.25, &g), 0.25);
    check_same(g.mu, 1.0);
    law small = l;
    small.v = 1e-8; /* the slope in v of a law this narrow is that of its mean */
    check_close(g.v, (law_ei(&small, 0.25, NULL) - 0.25) / 1e-8, 1e-6, 0);
    check_same(law_ei(&l, 0.75, &g), 0.0);
    check_same(g.mu, 0.0);
    check_same(law_ei(&l, 0.5, NULL), 0.0);
    check_same(law_quantile(&l, 0.3, NULL), 0.5);
    check_same(law_cdf(&l, 0.5), 1.0);
    check_same(law_cdf(&l, 0.4), 0.0);
    check_close(law_log_ei(&l, 0.25, NULL), log(0.25), 1e-14, 0); /* two logs of size 160 */
    assert_true(law_log_ei(&l, 0.75, NULL) > law_log_ei(&l, 0.76, NULL));
}

/* s2 = 0: f is y' itself, uniform on the set, and EI a parabola. The slope in s2 is the limit of
 * those at small s2. */
static void no_noise_is_the_predictive(void **state) {
    (void)state;
    law l = {.kind = LAW_SET, .mu = 0.5, .v = 4, .s2 = 0, .tail_mass = 0, .shape_n = 2};
    l.shape[0] = -1, l.shape[1] = 2;
    law_grad g, near;
    check_close(law_ei(&l, 0.5 + 2 * 0.5, &g), 2 * 1.5 * 1.5 / 6, 1e-14, 0);
    check_close(law_pi(&l, 0.5 + 2 * 0.5, NULL), 0.5, 1e-14, 0);
    check_close(law_pdf(&l, 0.5 + 2 * 0.5), 1 / 6.0, 1e-14, 0);
    check_close(law_quantile(&l, 0.75, NULL), 0.5 + 2 * (-1 + 0.75 * 3), 1e-13, 0);
    check_same(law_ei(&l, 0.5 + 2 * 2.5, NULL), 0.0);
    l.s2 = 1e-10;
    law_ei(&l, 0.5 + 2 * 0.5, &near);
    check_close(g.s2, near.s2, 1e-6, 0);
    check_close(g.v, near.v, 1e-6, 0);
}

/* ---- the paper ------------------------------------------------------------------------------ */

/* With lambda = alpha the calibrated likelihood has the plain predictive's tails (s2 = 0: f =
 * y'). */
static void tails_are_those_of_the_predictive(void **state) {
    (void)state;
    for (double alpha = 0.05; alpha < 0.9; alpha += 0.1) {
        double q = law_half_width(alpha, 3.4, NULL);
        law l = {.kind = LAW_SET, .mu = 0.3, .v = 2, .s2 = 0, .tail_mass = alpha, .shape_n = 2};
        law n = {.kind = LAW_NORMAL, .mu = 0.3, .v = 2};
        l.shape[0] = -q, l.shape[1] = q;
        for (double z = q + 0.01; z < 6; z += 0.13)
            for (int sign = -1; sign <= 1; sign += 2) {
                double y = 0.3 + sign * z * sqrt(2);
                check_close(law_pdf(&l, y), law_pdf(&n, y), 1e-12, 0);
            }
        check_close(law_cdf(&l, 0.3 - q * sqrt(2)), alpha / 2, 1e-12, 0);
    }
}

/* The appendix's closed form of the density (eq: LOCBO rectified posterior), as printed or with its
 * four repairs. */
static double appendix_density(const law *l, double threshold, double f, int repaired) {
    double alpha = l->tail_mass, sy2 = l->v + l->s2, sy = sqrt(sy2), a = l->v / sy2;
    double b = (1 - a) * l->mu, v1 = l->v * l->s2 / sy2 + (repaired ? 0 : l->s2), s1 = sqrt(v1);
    double U = l->mu + sy * l->shape[1], lower = l->mu + sy * l->shape[0];
    double A = a * a / (2 * v1), C = 1 / (2 * sy2), B = (f - b) / a, D = l->mu, root2 = sqrt(2);
    double AA = repaired ? A : A * A, CC = repaired ? C : C * C, sum = AA + CC;
    double inside = (1 - alpha) / (2 * a * (U - lower)) *
                    (erf((a * U + b - f) / (root2 * s1)) - erf((a * lower + b - f) / (root2 * s1)));
    double distance = (B - D) * (B - D);
    double exponent = repaired ? -AA * CC / sum * distance : -AA * CC / (sum * distance);
    double last = erf((sum * lower - AA * B - CC * D) / sqrt(sum));
    double pi = 3.14159265358979323846;
    double outside = alpha / (4 * pi * threshold * s1 * sy) * sqrt(pi / sum) * exp(exponent) *
                     (2 - erf((sum * U - AA * B - CC * D) / sqrt(sum)) + (repaired ? last : -last));
    return inside + outside;
}

static void appendix_formula_needs_its_repairs(void **state) {
    (void)state;
    seed_stream(20240620);
    int wrong = 0, points = 0;
    for (int i = 0; i < 50; ++i) {
        double threshold = uniform(0.05, 0.95), q = law_half_width(threshold, 3.4, NULL);
        law l = {.kind = LAW_SET, .mu = uniform(-1, 1), .v = uniform(0.2, 2), .s2 = uniform(0.05, 1)};
        l.tail_mass = uniform(0.05, 0.6);
        l.shape_n = 2, l.shape[0] = -q, l.shape[1] = q;
        for (double h = -3; h <= 3; h += 0.37, ++points) {
            double f = l.mu + sqrt(l.v) * h, density = law_pdf(&l, f);
            check_close(appendix_density(&l, threshold, f, 1), density, 1e-11, 0);
            wrong += fabs(appendix_density(&l, threshold, f, 0) / density - 1) > 0.01;
        }
    }
    /* as printed it may cross the truth here and there, not follow it */
    check_that(wrong > 0.9 * points, "the printed formula fits at %d of %d", points - wrong, points);
}

static void half_width_is_clamped(void **state) {
    (void)state;
    double slope, least = 2 * normal_sf(3.4);
    check_close(law_half_width(0.1, 3.4, &slope), normal_isf(0.05), 1e-15, 0);
    double up = law_half_width(0.1 + 1e-5, 3.4, NULL), down = law_half_width(0.1 - 1e-5, 3.4, NULL);
    check_close(slope, (up - down) / 2e-5, 1e-7, 0);
    check_close(law_half_width(least, 3.4, &slope), 3.4, 1e-13, 0);
    check_same(law_half_width(0.5 * least, 3.4, &slope), 3.4);
    check_same(slope, 0.0);
    check_same(law_half_width(-2, 3.4, NULL), 3.4);
    check_same(law_half_width(1, 3.4, NULL), 0.0);
    check_same(law_half_width(1.5, 3.4, &slope), 0.0);
    check_same(slope, 0.0);
}

/* ---- the stretch ----------------------------------------------------------------------------- */

/* The law of y in units of the model's predictive sd: that of f where there is no noise. */
static law unit_of(const law *l) {
    law unit = *l;
    unit.mu = 0, unit.v = 1, unit.s2 = 0;
    return unit;
}

/* Where the distribution function reaches p, by bisection. */
static double reaches(const law *l, double p) {
    double low = -40, high = 40;
    for (int i = 0; i < 80; ++i) {
        double middle = 0.5 * (low + high);
        if (law_cdf(l, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* A centred set with the paper's tails is the central interval; so is that between the levels of a law of quantiles. */
static law random_central_law(int i, double alpha) {
    if (i % 2) return smooth_law(0);
    law l = random_set_law();
    l.shape[1] = uniform(0.3, 5), l.shape[0] = -l.shape[1];
    l.tail_mass = alpha;
    return l;
}

static void stretch_is_that_of_the_central_interval(void **state) {
    (void)state;
    seed_stream(20240621);
    for (int i = 0; i < 200; ++i) {
        double alpha = uniform(0.02, 0.6), whole = 2 * (double)law_reference_quantile(1 - alpha / 2);
        law l = random_central_law(i, alpha), unit = unit_of(&l);
        double width = reaches(&unit, 1 - alpha / 2) - reaches(&unit, alpha / 2);
        check_close(law_stretch(&l, alpha, NULL), width / whole, 1e-9, 0); /* as the cdf */
        law n = {.kind = LAW_NORMAL, .mu = l.mu, .v = l.v, .s2 = l.s2};
        check_same(law_stretch(&n, alpha, NULL), 1.0);
    }
}

/* Through the definition of R, whose ends it may use, and of a set, wherever that lies and whatever lies outside. */
static void stretch_by_definition(void **state) {
    (void)state;
    seed_stream(20240622);
    for (int i = 0; i < 200; ++i) {
        double alpha = uniform(0.02, 0.6), whole = 2 * (double)law_reference_quantile(1 - alpha / 2);
        law l = i % 2 ? random_steps_law() : random_set_law();
        double ends[2] = {l.shape[0], l.shape[1]}, last = normal_sf(l.z_max);
        for (int k = 0; k < 2 && l.kind == LAW_QUANTILE; ++k) {
            double u = k ? 1 - alpha / 2 : alpha / 2, u0 = 0, R0 = last, u1 = 1, R1 = 1 - last;
            for (size_t j = 0; j < LEVELS; ++j) {
                if (levels[j] <= u) u0 = levels[j], R0 = l.shape[j];
                if (levels[LEVELS - 1 - j] > u) u1 = levels[LEVELS - 1 - j], R1 = l.shape[LEVELS - 1 - j];
            }
            double R = R0 + (R1 - R0) * (u - u0) / (u1 - u0);
            ends[k] = (double)law_reference_quantile(R);
        }
        double rho = (ends[1] - ends[0]) / whole;
        rho = fmin(fmax(rho, LAW_LEAST_STRETCH), LAW_MOST_STRETCH);
        check_close(law_stretch(&l, alpha, NULL), rho, 1e-10, 0);
        l.mu += 3, l.v *= 7, l.s2 = 0.1;
        check_close(law_stretch(&l, alpha, NULL), rho, 1e-10, 0);
    }
}

static void stretch_gradient_is_right(void **state) {
    (void)state;
    seed_stream(20240623);
    for (int i = 0; i < 150; ++i) {
        double alpha = uniform(0.05, 0.5), step = 1e-5;
        law l = random_central_law(i, alpha);
        if (i % 4 == 0) l.shape[0] = -uniform(0.3, 2), l.shape[1] = uniform(0.3, 2);
        law_grad g = {.mu = 9, .v = 9, .s2 = 9};
        check_same(law_stretch(&l, alpha, &g), law_stretch(&l, alpha, NULL));
        assert_true(g.mu == 0 && g.v == 0 && g.s2 == 0);
        for (size_t j = 0; j < l.shape_n; ++j) {
            law up = l, down = l;
            up.shape[j] += step, down.shape[j] -= step;
            double d = law_stretch(&up, alpha, NULL) - law_stretch(&down, alpha, NULL);
            /* third derivatives of Phi^-1 at 0.02 are below 1e5; rounding 1e-16 over the step */
            check_close(g.shape[j], d / (up.shape[j] - down.shape[j]), 1e-5, 1e-8);
        }
    }
}

/* A set that is empty, a point or next to one leaves the model a tenth of its spread, which then moves with nothing. */
static void stretch_has_a_floor(void **state) {
    (void)state;
    const double ends[][2] = {{0, 0}, {1, 1}, {-0.15, 0.15}, {1, -1}, {-1e-9, 1e-9}};
    double alpha = 0.1, edge = LAW_LEAST_STRETCH * normal_isf(alpha / 2);
    law l = {.kind = LAW_SET, .v = 1, .s2 = 0.1, .tail_mass = 0.1, .shape_n = 2};
    for (size_t i = 0; i < 5; ++i) {
        law_grad g = {.shape = {9, 9}};
        l.shape[0] = ends[i][0], l.shape[1] = ends[i][1];
        check_same(law_stretch(&l, alpha, &g), LAW_LEAST_STRETCH);
        assert_true(g.shape[0] == 0 && g.shape[1] == 0);
    }
    l.shape[1] = 1.001 * edge, l.shape[0] = -l.shape[1];
    check_close(law_stretch(&l, alpha, NULL), 1.001 * LAW_LEAST_STRETCH, 1e-14, 0);
    law flat = random_steps_law();
    for (size_t j = 0; j < LEVELS; ++j) flat.shape[j] = 0.4;
    law_grad g = {.shape = {9}};
    check_same(law_stretch(&flat, 0.2, &g), LAW_LEAST_STRETCH);
    for (size_t j = 0; j < LEVELS; ++j) check_same(g.shape[j], 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_values),
        cmocka_unit_test(set_matches_the_oracle),
        cmocka_unit_test(far_log_forms_match_the_oracle),
        cmocka_unit_test(normal_law_is_the_textbook_one),
        cmocka_unit_test(all_tails_is_normal),
        cmocka_unit_test(quantile_law_matches_the_oracle),
        cmocka_unit_test(above_the_support_the_upper_end_orders),
        cmocka_unit_test(density_integrates_to_the_distribution),
        cmocka_unit_test(quantile_law_has_the_mass_of_its_levels),
        cmocka_unit_test(quantile_inverts_the_distribution),
        cmocka_unit_test(quantile_gradient_is_right),
        cmocka_unit_test(nothing_is_ever_nan),
        cmocka_unit_test(log_forms_fall_for_ever),
        cmocka_unit_test(far_gradients_are_right),
        cmocka_unit_test(no_variance_is_a_point),
        cmocka_unit_test(no_noise_is_the_predictive),
        cmocka_unit_test(tails_are_those_of_the_predictive),
        cmocka_unit_test(appendix_formula_needs_its_repairs),
        cmocka_unit_test(half_width_is_clamped),
        cmocka_unit_test(stretch_is_that_of_the_central_interval),
        cmocka_unit_test(stretch_by_definition),
        cmocka_unit_test(stretch_gradient_is_right),
        cmocka_unit_test(stretch_has_a_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
