/* test_centres.c - sums of Gaussian bumps with few centres against those with all. */
#include "check.h"

#include "centres.h"
#include "rng.h"

enum { LEVELS = 2, MOST_COLUMNS = 6 };

static const uint64_t seed = 20240915;
static const double length = 0.25;

/* Results of a search: every second one anywhere, the others about one place. */
static void draw(rng *r, size_t columns, size_t t, double *x) {
    for (size_t j = 0; j < columns; j++) {
        double near = 0.6 + 0.1 * rng_normal(r);
        x[j] = t % 2 ? rng_uniform(r) : fmin(fmax(near, 0), 1);
    }
}

static void add(centres *c, const double *x, double unit, const double *factor) {
    check_ok(centres_reserve(c, &error));
    centres_add(c, x, unit, factor);
}

/* Residuals alpha - err as those of a calibration: more errors on one side, of a level of 0.2 and one of 0.7. */
static void draw_residuals(rng *r, const double *x, double *residual) {
    double u = rng_uniform(r) + (x[0] > 0.5 ? -0.05 : 0.05);
    residual[0] = 0.2 - (u < 0.2);
    residual[1] = 0.7 - (u < 0.7);
}

/* The sums of |coefficient| at each level. */
static void total(const centres *c, double *sum) {
    memset(sum, 0, LEVELS * sizeof *sum);
    for (size_t s = 0; s < c->n * LEVELS; s++) sum[s % LEVELS] += fabs(c->coefficient[s]);
}

/* n terms with the default steps and decay, to one with a limit and one without. Returns the common scale. */
static double fill(centres *few, centres *all, size_t columns, size_t n, uint64_t stream) {
    rng r = rng_open(seed, stream, RNG_DESIGN);
    double x[MOST_COLUMNS], residual[LEVELS], scale = 1, a[LEVELS], b[LEVELS];
    for (size_t t = 1; t <= n; t++) {
        double eta = 0.03 * pow((double)t, -0.05);
        draw(&r, columns, t, x);
        draw_residuals(&r, x, residual);
        scale *= 1 - 4e-3 * eta;
        add(few, x, eta / scale, residual);
        add(all, x, eta / scale, residual);
        if (t % 100) continue;
        total(few, a);
        total(all, b);
        for (int i = 0; i < LEVELS; i++) assert_true(a[i] <= b[i] * (1 + 1e-12)); /* rounding */
    }
    return scale;
}

typedef struct difference {
    double mean_square, largest, size; /* size: mean square of g itself */
} difference;

static difference compare(const centres *few, const centres *all, size_t columns, double scale) {
    enum { PLACES = 1000 };
    rng r = rng_open(seed, 99, RNG_DESIGN);
    difference d = {0};
    for (size_t k = 0; k < PLACES; k++) {
        double x[MOST_COLUMNS], a[LEVELS] = {0}, b[LEVELS] = {0};
        draw(&r, columns, k, x);
        centres_values(few, x, a);
        centres_values(all, x, b);
        for (int i = 0; i < LEVELS; i++) {
            double off = scale * fabs(a[i] - b[i]);
            d.mean_square += off * off / (PLACES * LEVELS);
            d.size += scale * b[i] * scale * b[i] / (PLACES * LEVELS);
            d.largest = fmax(d.largest, off);
        }
    }
    return d;
}

static void up_to_the_limit_nothing_is_merged(void **state) {
    (void)state;
    centres few, all;
    centres_init(&few, 3, LEVELS, length, 300);
    centres_init(&all, 3, LEVELS, length, 0);
    double scale = fill(&few, &all, 3, 300, 1);
    check_same(compare(&few, &all, 3, scale).largest, 0);
    centres_release(&few);
    centres_release(&all);
}

/* What merging changes in the long run is of the size of what single results do (0.8 eta = 0.024) where centres are
 * dense, and a tenth of g in 6 dimensions, which 1000 centres do not fill. The limits are shares of the root mean
 * square of g, twice what is printed. */
static void many_terms_at_few_centres_are_nearly_the_same(void **state) {
    (void)state;
    static const struct {
        size_t columns, n, most;
        double usual, largest;
    } cases[] = {{2, 4000, 300, 0.014, 0.03}, {6, 4000, 1000, 0.18, 0.7}, {6, 12000, 1000, 0.2, 0.7}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        centres few, all;
        centres_init(&few, cases[k].columns, LEVELS, length, cases[k].most);
        centres_init(&all, cases[k].columns, LEVELS, length, 0);
        double scale = fill(&few, &all, cases[k].columns, cases[k].n, 2 + k);
        assert_int_equal(few.n, cases[k].most);
        difference d = compare(&few, &all, cases[k].columns, scale);
        print_message("%zu columns, %zu terms at %zu centres: g differs by %.4f, at most %.4f; it is %.4f\n",
                      cases[k].columns, cases[k].n, cases[k].most, sqrt(d.mean_square), d.largest, sqrt(d.size));
        assert_true(sqrt(d.mean_square / d.size) < cases[k].usual && d.largest / sqrt(d.size) < cases[k].largest);
        centres_release(&few);
        centres_release(&all);
    }
}

/* Fewer different points than centres: nothing is lost. */
static void terms_at_one_point_are_one(void **state) {
    (void)state;
    rng r = rng_open(seed, 10, RNG_DESIGN);
    double point[20][3], residual[LEVELS];
    centres few, all;
    centres_init(&few, 3, LEVELS, length, 25);
    centres_init(&all, 3, LEVELS, length, 0);
    for (size_t k = 0; k < 20; k++) draw(&r, 3, 1, point[k]);
    for (size_t t = 0; t < 500; t++) {
        const double *x = point[(size_t)(20 * rng_uniform(&r))];
        draw_residuals(&r, x, residual);
        add(&few, x, 0.03, residual);
        add(&all, x, 0.03, residual);
    }
    assert_int_equal(few.n, 25);
    /* sums of 500 terms of 0.02: rounding 1e-15. One point may be twice in the list, and the weights of a third one
     * then are shared by the two: coordinate descent ends there after its first step */
    assert_true(compare(&few, &all, 3, 1).largest < 1e-13);
    centres_release(&few);
    centres_release(&all);
}

static double squared_distance(const centres *c, size_t s, size_t i) {
    double r2 = 0;
    for (size_t j = 0; j < c->columns; j++) r2 += pow(c->x[i * c->columns + j] - c->x[s * c->columns + j], 2);
    return r2;
}

/* What is kept of each centre is what a search finds. */
static void check_nearest(const centres *c) {
    for (size_t s = 0; c->n > 1 && s < c->n; s++) {
        double least = INFINITY;
        for (size_t i = 0; i < c->n; i++)
            if (i != s) least = fmin(least, squared_distance(c, s, i));
        check_same(c->apart[s], least);
        assert_true(c->nearest[s] < c->n && c->nearest[s] != s);
        check_same(squared_distance(c, s, c->nearest[s]), least);
    }
}

/* Terms anywhere, and terms of which many are at one point, or at a few: that one is taken out which is the nearest of
 * nearly all others. */
static void nearest_ones_are_kept_right(void **state) {
    (void)state;
    static const double shares[] = {0, 0.5, 0.95, 1}; /* of terms at one of the places */
    static const size_t places[] = {1, 3, 40};
    for (size_t k = 0; k < 12; k++) {
        rng r = rng_open(seed, 11 + k, RNG_DESIGN);
        double x[3], place[40][3], residual[LEVELS];
        centres c;
        centres_init(&c, 3, LEVELS, length, k % 2 ? 70 : 7);
        for (size_t i = 0; i < 40; i++) draw(&r, 3, 1, place[i]);
        for (size_t t = 1; t <= 500; t++) {
            draw(&r, 3, t, x);
            draw_residuals(&r, x, residual);
            int is_placed = rng_uniform(&r) < shares[k / 3];
            add(&c, is_placed ? place[rng_below(&r, places[k % 3])] : x, 0.03, residual);
            check_nearest(&c);
        }
        centres_release(&c);
    }
}

static void one_centre_and_far_ones_give_no_nan(void **state) {
    (void)state;
    double residual[LEVELS] = {0.2, -0.8}, value[LEVELS] = {0}, dx[1] = {0}, weight[LEVELS] = {1, 1};
    centres c;
    centres_init(&c, 1, LEVELS, 1e-3, 1);
    for (int t = 0; t < 10; t++) {
        double x = t;
        add(&c, &x, 1, residual);
    }
    assert_int_equal(c.n, 1);
    double x = c.x[0];
    centres_values(&c, &x, value);
    check_same(value[0], 0.2); /* nothing is left of the others */
    centres_chain(&c, &x, 1, weight, dx);
    check_same(dx[0], 0);
    centres_clear(&c);
    value[0] = 0;
    centres_values(&c, &x, value);
    check_same(value[0], 0);
    centres_release(&c);
}

int main(void) {
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(up_to_the_limit_nothing_is_merged),
        cmocka_unit_test(many_terms_at_few_centres_are_nearly_the_same),
        cmocka_unit_test(terms_at_one_point_are_one),
        cmocka_unit_test(nearest_ones_are_kept_right),
        cmocka_unit_test(one_centre_and_far_ones_give_no_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
