/* test_radio.c - the radio problem: positions, antennas, losses, the exact mean rate, measurements. */
#include "radio.h"

#include "check.h"

static const double PI = 3.14159265358979323846;

static radio deployed(uint64_t seed, double shadowing, int as_script) {
    radio r;
    radio_deploy(&r, &(radio_options){seed, shadowing, as_script});
    return r;
}

/* All stations alike. */
static void set_point(double x[RADIO_DIM], double power, double tilt) {
    for (int b = 0; b < RADIO_STATIONS; b++) {
        x[b] = power;
        x[RADIO_STATIONS + b] = tilt;
    }
}

static void random_point(double x[RADIO_DIM], draw *d) {
    for (int j = 0; j < RADIO_DIM; j++)
        x[j] = j < RADIO_STATIONS ? 6 + 40 * draw_uniform(d) : 180 * draw_uniform(d) - 90;
}

/* ---- deployment ---- */

static void stations(void **state) {
    (void)state;
    const double site[3][2] = {{0, 0}, {0, 200}, {171, 100}}, azimuth[3] = {90, 210, 330};
    radio r = deployed(1, 0, 0);
    for (int b = 0; b < RADIO_STATIONS; b++) {
        double dx = r.station[b][0] - site[b / 3][0], dy = r.station[b][1] - site[b / 3][1];
        check_same(r.azimuth[b], azimuth[b % 3]);
        check_close(hypot(dx, dy), 1, 0, 1e-12); /* rounding of coordinates of some 100 m */
        check_close(remainder(atan2(dy, dx) * 180 / PI - azimuth[b % 3], 360), 0, 0, 1e-10);
        check_same(r.station[b][2], 25);
    }
}

/* Every ground user within its sector, over several seeds; uniform in area, so half of them lie
 * beyond the radius that halves the area. */
static void ground_users(void **state) {
    (void)state;
    const double site[3][2] = {{0, 0}, {0, 200}, {171, 100}};
    int outer = 0, left = 0, seeds = 100;
    for (int seed = 0; seed < seeds; seed++) {
        radio r = deployed((uint64_t)seed, 8, 0);
        for (int k = 0; k < RADIO_GROUND; k++) {
            double dx = r.user[k][0] - site[k / 12][0], dy = r.user[k][1] - site[k / 12][1];
            double radius = hypot(dx, dy);
            double aside = remainder(atan2(dy, dx) * 180 / PI - r.azimuth[k / 4], 360);
            check_that(radius >= 10 && radius <= 120, "seed %d, user %d at %g m", seed, k, radius);
            check_that(fabs(aside) <= 60 + 1e-9, "seed %d, user %d at %g deg", seed, k, aside);
            check_same(r.user[k][2], 1.5);
            outer += radius > sqrt((100 + 14400) / 2.0);
            left += aside > 0;
        }
    }
    /* 3600 fair coins: 5 standard deviations are 150 */
    check_that(abs(outer - 1800) < 150 && abs(left - 1800) < 150, "%d outer, %d left", outer, left);
}

static void drones(void **state) {
    (void)state;
    const double box[4][4] = {
        {-110, -100, -100, 300}, {-100, 270, 300, 310}, {270, 280, -100, 300}, {-100, 270, -110, -100}};
    radio r = deployed(1, 0, 0);
    for (int k = 0; k < RADIO_DRONES; k++) {
        const double *u = r.user[RADIO_GROUND + k], *c = box[k / 7];
        assert_true(u[0] >= c[0] && u[0] <= c[1] && u[1] >= c[2] && u[1] <= c[3] && u[2] == 150);
    }
    double(*first)[3] = r.user + RADIO_GROUND;
    check_same(first[0][0], -105);
    check_same(first[0][1], -100);
    check_same(first[6][1], 300);
    check_close(first[1][1] - first[0][1], 400.0 / 6, 1e-12, 0);
    check_close(first[8][0] - first[7][0], 370.0 / 6, 1e-12, 0);
    check_same(first[13][0], 270);
    check_same(first[13][1], 305);
}

static void repeatable(void **state) {
    (void)state;
    radio a = deployed(7, 6, 0), b = deployed(7, 6, 0), c = deployed(8, 6, 0), d = deployed(7, 0, 0);
    assert_memory_equal(a.user, b.user, sizeof a.user);
    assert_memory_equal(a.loss, b.loss, sizeof a.loss);
    assert_memory_not_equal(a.user, c.user, sizeof a.user);
    assert_memory_equal(a.user, d.user, sizeof a.user); /* shadowing moves no user */
    double x[RADIO_DIM];
    set_point(x, 40, -5);
    check_same(radio_capacity(&a, x), radio_capacity(&b, x));
}

/* ---- links ---- */

static void antenna(void **state) {
    (void)state;
    check_same(radio_antenna(-12, -12, 0), 8);
    check_close(radio_antenna(10, 0, 0), -4, 1e-15, 0);
    check_close(radio_antenna(0, 10, 0), -4, 1e-15, 0);
    check_close(radio_antenna(0, 0, -65), -4, 1e-15, 0);
    check_close(radio_antenna(5, 0, 32.5), 2, 1e-14, 0);
    check_same(radio_antenna(0, 90, 0), -30);
    check_same(radio_antenna(0, 0, 180), -30);
}

/* At 100 m, by hand: 28 + 44 + 6.0206 and 13.54 + 78.16 + 6.0206 dB; elsewhere by the slope. */
static void path_losses(void **state) {
    (void)state;
    radio r = deployed(3, 0, 0);
    for (int b = 0; b < RADIO_STATIONS; b++)
        for (int k = 0; k < RADIO_USERS; k++) {
            double square = 0;
            for (int j = 0; j < 3; j++) square += pow(r.user[k][j] - r.station[b][j], 2);
            int up = k >= RADIO_GROUND;
            double slope = up ? 22 : 39.08, at_100 = up ? 78.0206 : 97.7206;
            /* the constants above are rounded to 1e-4 dB */
            check_close(r.loss[b][k], at_100 + slope * (log10(square) / 2 - 2), 0, 1e-4);
            assert_true(up ? r.elevation[b][k] > 0 : r.elevation[b][k] < 0);
            assert_true(fabs(r.offset[b][k]) <= 180);
        }
}

/* The first drone seen from the first station: (-105, -101, 125) m away. */
static void one_link_by_hand(void **state) {
    (void)state;
    radio r = deployed(3, 0, 0);
    check_close(r.loss[0][RADIO_GROUND], 84.25154196581025, 1e-13, 0);
    check_close(r.elevation[0][RADIO_GROUND], 40.62885320409146, 1e-13, 0);
    check_close(r.offset[0][RADIO_GROUND], 360 - 136.11239961629778 - 90, 1e-13, 0);
}

/* Over 100 deployments the shadows have mean 0 and sd 6 dB: 57600 links, 5 standard errors. */
static void shadows(void **state) {
    (void)state;
    double sum = 0, squares = 0, n = 100.0 * RADIO_STATIONS * RADIO_USERS;
    for (uint64_t seed = 0; seed < 100; seed++) {
        radio with = deployed(seed, 6, 0), without = deployed(seed, 0, 0);
        for (int i = 0; i < RADIO_STATIONS * RADIO_USERS; i++) {
            int b = i / RADIO_USERS, k = i % RADIO_USERS;
            double shadow = with.loss[b][k] - without.loss[b][k];
            sum += shadow;
            squares += shadow * shadow;
        }
    }
    check_close(sum / n, 0, 0, 5 * 6 / sqrt(n));
    check_close(squares / n, 36, 5 * sqrt(2 / n), 0);
}

/* A network in which only two stations reach one drone: station 3 with -74 dBm, station 5 with
 * -84 dBm at 30 dBm each (gains of -4 dB, losses of 100 and 110 dB). */
static radio lonely_drone(int as_script) {
    radio r = deployed(1, 0, as_script);
    int k = RADIO_GROUND + 4;
    for (int i = 0; i < RADIO_STATIONS * RADIO_USERS; i++) r.loss[i / RADIO_USERS][i % RADIO_USERS] = 500;
    r.loss[3][k] = 100;
    r.elevation[3][k] = 10;
    r.offset[3][k] = 0;
    r.loss[5][k] = 110;
    r.elevation[5][k] = 0;
    r.offset[5][k] = -65;
    return r;
}

/* SINR = 10^-7.4 / (10^-8.4 + 10^-10) = 9.75497; then the other station serves:
 * 10^-6.8 / (10^-9.8 + 10^-10) = 613.137. */
static void one_rate_by_hand(void **state) {
    (void)state;
    radio r = lonely_drone(1);
    double x[RADIO_DIM];
    set_point(x, 30, 0);
    check_close(radio_capacity(&r, x), 0.3 / 200 * 3.426931102348684, 1e-12, 0);
    x[3] = 6;
    x[5] = 46;
    check_close(radio_capacity(&r, x), 0.3 / 200 * 9.262416291244959, 1e-12, 0);
    r = lonely_drone(0);
    const double power[2] = {pow(10, -6.8), pow(10, -9.8)};
    check_close(radio_capacity(&r, x), 0.3 / 28 * radio_mean_rate(2, power, 1e-10), 1e-12, 0);
}

/* ---- the exact mean rate ---- */

/* e^x E1(x): series for small x, continued fraction otherwise. */
static long double scaled_e1(long double x) {
    if (x < 2) {
        long double sum = -0.577215664901532860606512090082402431L - logl(x), power = -1;
        for (int k = 1; k < 60; k++) {
            power *= -x / k;
            sum += power / k;
        }
        return expl(x) * sum;
    }
    long double tail = 0;
    for (int k = 400; k >= 1; k--) tail = (long double)k * k / (x + 2 * k + 1 - tail);
    return 1 / (x + 1 - tail);
}

/* E1(1) and E1(2) as tabulated (Abramowitz and Stegun, table 5.1), and both branches where
 * they meet. */
static void oracle(void **state) {
    (void)state;
    check_close((double)scaled_e1(1), exp(1) * 0.219383934395520, 1e-14, 0);
    check_close((double)scaled_e1(2), exp(2) * 0.048900510708061, 1e-13, 0);
    check_close((double)scaled_e1(2 - 1e-16L), (double)scaled_e1(2), 1e-14, 0);
}

static void no_interferers(void **state) {
    (void)state;
    for (int e = -24; e <= 24; e++) {
        double power = 3e-10 * pow(10, 0.5 * e);
        double expected = (double)(scaled_e1(1e-10L / power) / logl(2));
        check_close(radio_mean_rate(1, &power, 1e-10), expected, 1e-11, 0);
        const double with_silent[3] = {power, 0, 0};
        check_same(radio_mean_rate(3, with_silent, 1e-10), radio_mean_rate(1, &power, 1e-10));
    }
}

/* Without noise, one interferer: r ln r / (r - 1) / ln 2 with the ratio r; 1/ln 2 if r is 1. */
static void one_interferer(void **state) {
    (void)state;
    const double equal[2] = {2e-7, 2e-7};
    check_close(radio_mean_rate(2, equal, 0), 1 / log(2), 1e-11, 0);
    for (int e = -12; e <= 12; e++) {
        if (e == 0) continue;
        double ratio = pow(10, e);
        const double power[2] = {1e-9 * ratio, 1e-9};
        check_close(radio_mean_rate(2, power, 0), ratio * log(ratio) / (ratio - 1) / log(2), 1e-11, 0);
    }
}

/* Partial fractions: prod_j 1/(1 + z p_j) = sum_j A_j/(1 + z p_j),
 * A_j = prod_{i != j} 1/(1 - p_i/p_j). */
static double by_fractions(size_t count, const double *power, double noise) {
    long double sum = 0;
    for (size_t j = 0; j < count; j++) {
        long double a = power[0] / (long double)power[j];
        for (size_t i = 0; i < count; i++)
            if (i != j) a /= 1 - power[i] / (long double)power[j];
        sum += a * scaled_e1(noise / (long double)power[j]);
    }
    return (double)(sum / logl(2));
}

/* Neighbours among the powers differ by a factor of 2 and more, so what the fractions lose
 * by cancellation leaves long double ample digits for 1e-10. */
static void against_fractions(void **state) {
    (void)state;
    draw d = draw_open(11, 0);
    for (int trial = 0; trial < 2000; trial++) {
        size_t count = 2 + (size_t)draw_below(&d, RADIO_STATIONS - 1);
        double power[RADIO_STATIONS], next = pow(10, -3 - 6 * draw_uniform(&d));
        double widest = 0.5 + 3 * draw_uniform(&d), noise = pow(10, -6 - 8 * draw_uniform(&d));
        for (size_t b = 0; b < count; b++) {
            power[b] = next;
            next /= 2 * pow(10, widest * draw_uniform(&d));
        }
        size_t serving = (size_t)draw_below(&d, count);
        double signal = power[serving];
        power[serving] = power[0];
        power[0] = signal;
        check_close(radio_mean_rate(count, power, noise), by_fractions(count, power, noise), 1e-10, 0);
    }
}

/* Eight interferers alike and no noise: int_0^inf r/(1 + r u) (1 + u)^-8 du, which is 1/8
 * for r = 1. */
static void equal_powers(void **state) {
    (void)state;
    double power[RADIO_STATIONS];
    for (int b = 0; b < RADIO_STATIONS; b++) power[b] = 5e-8;
    check_close(radio_mean_rate(RADIO_STATIONS, power, 0), 1 / (8 * log(2)), 1e-11, 0);
}

static void extremes(void **state) {
    (void)state;
    const double weak[2] = {1e-25, 1e-4};
    /* ln(1 + y) is y here: S / (I + N) has mean p_s E 1/(I + N) */
    double expected = (double)(1e-21L * scaled_e1(1e-6L) / logl(2));
    check_close(radio_mean_rate(2, weak, 1e-10), expected, 1e-11, 0);
    const double faint = 1e-25, zero[2] = {0, 1e-9}, bad[2] = {1e-9, -1e-9};
    check_close(radio_mean_rate(1, &faint, 1e-10), 1e-15 / log(2), 1e-11, 0);
    check_same(radio_mean_rate(2, zero, 1e-10), 0);
    assert_true(isinf(radio_mean_rate(1, &faint, 0)));
    assert_true(isnan(radio_mean_rate(2, bad, 1e-10)));
    assert_true(isnan(radio_mean_rate(1, &faint, NAN)));
    const double lost = 1e-320;
    check_that(radio_mean_rate(1, &lost, 1e30) == 0, "a lost signal carries something");
}

/* ---- capacity and its measurement ---- */

/* Mean and standard error of n observations. */
static double measured(const radio *r, const double *x, int n, int n_ch, double *error) {
    draw d = draw_open(5, 2);
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        double y = radio_measure(r, x, n_ch, &d);
        sum += y;
        squares += y * y;
    }
    double mean = sum / n;
    *error = sqrt((squares / n - mean * mean) / n);
    return mean;
}

/* 16000 draws of 64 users: a million rates; within 5 standard errors. */
static void measured_on_average(void **state) {
    (void)state;
    draw d = draw_open(6, 0);
    for (int as_script = 0; as_script < 2; as_script++) {
        radio r = deployed(4, as_script ? 0 : 6, as_script);
        double x[RADIO_DIM], error;
        random_point(x, &d);
        double mean = measured(&r, x, 16000, 1, &error);
        check_that(error > 0 && error < 0.01, "standard error %g", error);
        check_close(mean, radio_capacity(&r, x), 0, 5 * error);
    }
}

/* The variance of the mean of 4 draws is a quarter; 4000 of each give it to 5 % (sd of a ratio). */
static void more_draws_less_noise(void **state) {
    (void)state;
    radio r = deployed(4, 0, 0);
    double x[RADIO_DIM], one, four;
    set_point(x, 40, -8);
    measured(&r, x, 4000, 1, &one);
    measured(&r, x, 4000, 4, &four);
    check_close(pow(one / four, 2), 4, 0.15, 0);
}

/* Whatever the point and the variant, as many numbers are drawn; and a link's fading is
 * the same one. */
static void paired(void **state) {
    (void)state;
    double x[RADIO_DIM], y[RADIO_DIM], sums[3] = {0};
    draw points = draw_open(9, 0);
    random_point(x, &points);
    random_point(y, &points);
    radio r = deployed(4, 0, 0), script = deployed(4, 0, 1);
    draw a = draw_open(1, 1), b = a, c = a;
    radio_measure(&r, x, 3, &a);
    radio_measure(&r, y, 3, &b);
    radio_measure(&script, x, 3, &c);
    assert_true(a.state == b.state && a.state == c.state);
    for (int j = 0; j < RADIO_DIM; j++) y[j] = x[j] + 0.01;
    double fx = radio_capacity(&r, x), fy = radio_capacity(&r, y);
    for (int i = 0; i < 500; i++) {
        b = a; /* the same draws again */
        double u = radio_measure(&r, x, 1, &a) - fx, v = radio_measure(&r, y, 1, &b) - fy;
        sums[0] += u * u;
        sums[1] += v * v;
        sums[2] += u * v;
    }
    check_that(sums[2] > 0.99 * sqrt(sums[0] * sums[1]), "%g of %g", sums[2], sums[0]);
}

/* More power everywhere never hurts; far from the stations, where the noise rules, twice the power
 * is twice the capacity. */
static void more_power(void **state) {
    (void)state;
    draw d = draw_open(2, 0);
    radio r = deployed(4, 0, 0), far = r;
    for (int i = 0; i < RADIO_STATIONS * RADIO_USERS; i++) far.loss[i / RADIO_USERS][i % RADIO_USERS] += 140;
    for (int trial = 0; trial < 20; trial++) {
        double x[RADIO_DIM], y[RADIO_DIM];
        random_point(x, &d);
        for (int j = 0; j < RADIO_DIM; j++) y[j] = x[j] + (j < RADIO_STATIONS ? 10 * log10(2) : 0);
        assert_true(radio_capacity(&r, y) > radio_capacity(&r, x));
        check_close(radio_capacity(&far, y), 2 * radio_capacity(&far, x), 1e-5, 0); /* signal to noise below 1e-5 */
    }
}

/* The variant differs in the drones alone. */
static void as_the_script(void **state) {
    (void)state;
    radio text = deployed(4, 0, 0), script = deployed(4, 0, 1);
    double x[RADIO_DIM], sum = 0;
    set_point(x, 46, 0);
    for (int k = RADIO_GROUND; k < RADIO_USERS; k++) {
        double all = 1e-10, best = 0;
        for (int b = 0; b < RADIO_STATIONS; b++) {
            double gain = radio_antenna(text.elevation[b][k], 0, text.offset[b][k]);
            double power = pow(10, (46 + gain - text.loss[b][k]) / 10);
            all += power;
            best = fmax(best, power);
            text.loss[b][k] = 1000;
        }
        sum += log2(all / (all - best));
    }
    check_close(radio_capacity(&script, x), radio_capacity(&text, x) + 0.3 * sum / 200, 1e-12, 0);
}

static void as_a_problem(void **state) {
    (void)state;
    radio r = deployed(4, 0, 0);
    problem p;
    double x[RADIO_DIM];
    draw d = draw_open(3, 0);
    radio_problem(&p, &r);
    random_point(x, &d);
    check_same(p.value(&p, x), radio_capacity(&r, x));
    assert_string_equal(p.name, "radio");
    assert_true(p.dim == 18 && p.maximize && isnan(p.optimum));
    for (size_t j = 0; j < p.dim; j++) {
        check_same(p.low[j], j < 9 ? 6 : -90);
        check_same(p.high[j], j < 9 ? 46 : 90);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stations),
        cmocka_unit_test(ground_users),
        cmocka_unit_test(drones),
        cmocka_unit_test(repeatable),
        cmocka_unit_test(antenna),
        cmocka_unit_test(path_losses),
        cmocka_unit_test(one_link_by_hand),
        cmocka_unit_test(shadows),
        cmocka_unit_test(one_rate_by_hand),
        cmocka_unit_test(oracle),
        cmocka_unit_test(no_interferers),
        cmocka_unit_test(one_interferer),
        cmocka_unit_test(against_fractions),
        cmocka_unit_test(equal_powers),
        cmocka_unit_test(extremes),
        cmocka_unit_test(measured_on_average),
        cmocka_unit_test(more_draws_less_noise),
        cmocka_unit_test(paired),
        cmocka_unit_test(more_power),
        cmocka_unit_test(as_the_script),
        cmocka_unit_test(as_a_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
