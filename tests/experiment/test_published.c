/* test_published.c - expected improvement as the published code has it, against its density as printed in the paper's
 * appendix (eq: LOCBO rectified posterior), evaluated in long double and integrated over f by brute force. */
#include "published.h"

#include "check.h"

static const long double PI_L = 3.14159265358979323846264338327950288L;

/* What the printed formula is made of: the model at x, the set in units of y, and A and C either as printed (already
 * squares, squared again) or as they should be. */
typedef struct printed {
    long double v, s2, mu, sy, rest, a, b, low, high, threshold, alpha, best;
    int exact;
} printed;

static printed make_printed(const locbo_view *w, double alpha, int exact) {
    printed p = {.v = w->var_f,
                 .s2 = w->noise_var,
                 .mu = w->mean,
                 .low = w->set_low,
                 .high = w->set_high,
                 .alpha = alpha,
                 .best = w->best,
                 .exact = exact};
    p.sy = sqrtl(p.v + p.s2);
    p.a = p.v / (p.v + p.s2);
    p.b = (1 - p.a) * p.mu;
    p.rest = sqrtl(p.v * p.s2 / (p.v + p.s2));
    p.threshold = erfcl((p.high - p.mu) / p.sy / sqrtl(2));
    return p;
}

static long double flat_density(const printed *p, long double f) {
    long double width = p->high - p->low, root = sqrtl(2) * p->rest;
    return (1 - p->alpha) / (2 * p->a * width) *
           (erfl((-f + p->a * p->high + p->b) / root) - erfl((-f + p->a * p->low + p->b) / root));
}

/* The printed tail with the repairs that the code has: the exponent multiplies (B - D)^2, the last erf enters with a
 * plus, v' has no noise added. */
static long double tail_density(const printed *p, long double f) {
    long double A = p->a * p->a / (2 * p->rest * p->rest), C = 1 / (2 * p->sy * p->sy);
    long double A2 = p->exact ? A : A * A, C2 = p->exact ? C : C * C;
    long double B = (f - p->b) / p->a, D = p->mu, sum = A2 + C2, middle = -A2 * B - C2 * D;
    long double ends = 2 - erfl((middle + sum * p->high) / sqrtl(sum)) + erfl((middle + sum * p->low) / sqrtl(sum));
    return p->alpha / (4 * PI_L * p->threshold * p->rest * p->sy) * sqrtl(PI_L / sum) *
           expl(-A2 * C2 / sum * (B - D) * (B - D)) * ends;
}

typedef long double density_fn(const printed *p, long double f);

/* Integral of the density times (f - best)_+ (or 1) by Simpson's rule over mu +- reach, from `best` on, so that there
 * is no kink inside. Everything varies on the scale of `step` or slower. */
static long double integral(const printed *p, density_fn *density, int improvement) {
    long double C2 = 1 / (4 * p->sy * p->sy * p->sy * p->sy), spread = 1 / sqrtl(2 * C2);
    long double own = sqrtl(2) * p->rest * p->rest / p->a;
    long double reach = 14 * (spread + p->sy + own + p->rest) + (p->high - p->mu);
    long double from = p->mu - reach, to = p->mu + reach, sum = 0;
    if (improvement && p->best > from) from = p->best;
    if (from >= to) return 0;
    int n = 2 * (int)ceill((to - from) / fminl(p->rest, own) * 24);
    check_that(n < 4000000, "the case is too narrow for brute force: %d steps", n);
    long double h = (to - from) / n;
    for (int i = 0; i <= n; i++) {
        long double f = from + h * i, weight = i == 0 || i == n ? 1 : i % 2 ? 4 : 2;
        sum += weight * density(p, f) * (improvement ? f - p->best : 1);
    }
    return sum * h / 3;
}

/* A view with the set that a threshold makes: mean +- q sy. */
static locbo_view make_view(double mean, double v, double s2, double q, double best) {
    double sy = sqrt(v + s2);
    return (locbo_view){mean, v, s2, mean - q * sy, mean + q * sy, 0.2, best};
}

/* Simpson's rule with 24 steps per scale is good to 1e-7, and so is the code's own quadrature. */
static const double CLOSE = 1e-6;

static void compare(const locbo_view *w, double alpha) {
    printed p = make_printed(w, alpha, 0);
    published_parts parts = published_ei(w, alpha);
    double scale = (double)p.sy;
    check_close(parts.flat, (double)integral(&p, flat_density, 1), CLOSE, 1e-9 * scale);
    check_close(parts.tail, (double)integral(&p, tail_density, 1), CLOSE, 1e-7 * scale);
    check_close(parts.flat_mass, (double)integral(&p, flat_density, 0), 1e-5, 0);
    check_close(parts.tail_mass, (double)integral(&p, tail_density, 0), 1e-5, 1e-12);
}

static void agrees_with_the_printed_formula(void **state) {
    (void)state;
    static const double variances[][2] = {{1, 0.3}, {0.5, 0.5}, {0.2, 0.1}, {0.9, 0.02}, {0.1, 0.4}};
    static const double widths[] = {0.3, 1.2815515655446004, 2.5, 3.3};
    static const double bests[] = {-1, 0.2, 1.5, 3};
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 4; k++)
            for (size_t b = 0; b < 4; b++) {
                locbo_view w = make_view(0.3, variances[i][0], variances[i][1], widths[k], bests[b]);
                compare(&w, 0.2);
            }
    locbo_view w = make_view(-2, 0.7, 0.2, 1, -1.5);
    compare(&w, 0.45);
}

static double total_mass(const locbo_view *w, double alpha) {
    published_parts parts = published_ei(w, alpha);
    return parts.flat_mass + parts.tail_mass;
}

/* It is no density: its mass is not 1, but less where the model is sure, and more where it is not. */
static void its_mass_is_not_one(void **state) {
    (void)state;
    locbo_view wide = make_view(0, 1, 0.3, 1.2815515655446004, 1);
    locbo_view narrow = make_view(0, 0.02, 0.02, 1.2815515655446004, 1);
    locbo_view widest = make_view(0, 1, 0.3, 3.3, 1);
    check_that(total_mass(&narrow, 0.2) < 0.81, "narrow: %g", total_mass(&narrow, 0.2));
    check_that(total_mass(&wide, 0.2) > 1.1, "wide: %g", total_mass(&wide, 0.2));
    check_that(total_mass(&widest, 0.2) > 5, "widest: %g", total_mass(&widest, 0.2));
    for (double q = 0.1; q < 3.35; q += 0.2)
        for (double s2 = 0.05; s2 < 0.5; s2 += 0.1) {
            locbo_view w = make_view(0, 1, s2, q, 1);
            double mass = total_mass(&w, 0.2);
            check_that(mass > 0.8 && mass < 30, "q = %g, s2 = %g: mass %g", q, s2, mass);
        }
}

/* With A and C as they should be the density is one, and another one. */
static void the_exact_law_is_another(void **state) {
    (void)state;
    locbo_view w = make_view(0, 0.5, 0.1, 1.2815515655446004, 1);
    printed exact = make_printed(&w, 0.2, 1);
    published_parts parts = published_ei(&w, 0.2);
    check_close((double)(integral(&exact, flat_density, 0) + integral(&exact, tail_density, 0)), 1, 1e-6, 0);
    double tail = (double)integral(&exact, tail_density, 1);
    check_that(fabs(parts.tail - tail) > 0.2 * tail, "published %g, exact %g", parts.tail, tail);
    check_close(parts.flat, (double)integral(&exact, flat_density, 1), CLOSE, 0); /* right as it is */
}

/* At the widest set the code leaves the tails out, whatever rounding makes of mean + 3.4 sy; just below it does not. */
static void the_widest_set_has_no_tails(void **state) {
    (void)state;
    for (double mean = -5; mean < 5; mean += 0.37)
        for (double v = 0.01; v < 2; v *= 1.7) {
            locbo_view w = make_view(mean, v, 0.1, 3.4, mean + 1);
            published_parts parts = published_ei(&w, 0.2);
            check_same(parts.tail, 0);
            check_same(parts.tail_mass, 0);
            check_close(parts.flat_mass, 0.8, 1e-15, 0);
        }
    locbo_view below = make_view(0, 1, 0.3, 3.39, 1);
    check_that(published_ei(&below, 0.2).tail_mass > 1, "%g", published_ei(&below, 0.2).tail_mass);
}

/* An empty set (threshold 1) is a point mass at the mean, and all the rest tail. */
static void an_empty_set_is_a_point(void **state) {
    (void)state;
    locbo_view w = make_view(0.4, 0.5, 0.2, 0, 0.1);
    published_parts parts = published_ei(&w, 0.2);
    double rest = sqrt(0.5 * 0.2 / 0.7), u = (0.1 - 0.4) / rest;
    double ei = rest * (exp(-u * u / 2) / sqrt(2 * (double)PI_L) - u * erfc(u / sqrt(2)) / 2);
    check_close(parts.flat, 0.8 * ei, 1e-12, 0);
    printed p = make_printed(&w, 0.2, 0);
    check_close(parts.tail, (double)integral(&p, tail_density, 1), CLOSE, 0);
}

/* A score for the optimizer: finite everywhere, and the better the point the higher, also where nothing can be gained.
 */
static void the_score_is_finite_and_rises(void **state) {
    (void)state;
    double alpha = 0.2, before = -INFINITY;
    for (double mean = -400; mean <= 4; mean += 0.5) {
        locbo_view w = make_view(mean, 0.5, 1e-3, 1.3, 2);
        double score = published_score(&w, &alpha);
        check_that(isfinite(score) && score > before, "mean %g: %g after %g", mean, score, before);
        before = score;
    }
    locbo_view w = make_view(0, 0.5, 0.1, 1.3, 0.5);
    published_parts parts = published_ei(&w, alpha);
    check_close(published_score(&w, &alpha), log(parts.flat + parts.tail), 1e-14, 0);
    locbo_view known = make_view(0, 0, 0.1, 1.3, 0.5); /* no variance left */
    check_that(isfinite(published_score(&known, &alpha)), "%g", published_score(&known, &alpha));
}

/* The radio script has 1/u - l where 1/(u - l) is meant: the flat part is weighed otherwise, and may count against a
 * point. */
static void the_script_weighs_the_flat_part_otherwise(void **state) {
    (void)state;
    double alpha = 0.2;
    locbo_view w = make_view(0.3, 0.5, 0.1, 1.3, 0.5);
    published_parts parts = published_ei(&w, alpha);
    double l = w.set_low, u = w.set_high, flat = parts.flat * (u - l) * (1 / u - l);
    check_that(flat > 0, "flat %g", flat);
    check_close(published_script_score(&w, &alpha), log(flat + parts.tail), 1e-13, 0);
    double before = INFINITY;
    for (double mean = 3; mean < 6; mean += 0.5) { /* l > 1/u: the better, the worse */
        w = make_view(mean, 0.5, 0.1, 1.3, 0.5);
        double score = published_script_score(&w, &alpha);
        check_that(isfinite(score) && score < -700 && score < before, "mean %g: %g", mean, score);
        before = score;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_printed_formula),
        cmocka_unit_test(its_mass_is_not_one),
        cmocka_unit_test(the_exact_law_is_another),
        cmocka_unit_test(the_widest_set_has_no_tails),
        cmocka_unit_test(an_empty_set_is_a_point),
        cmocka_unit_test(the_score_is_finite_and_rises),
        cmocka_unit_test(the_script_weighs_the_flat_part_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
