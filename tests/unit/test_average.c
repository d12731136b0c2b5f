/* test_average.c - intervals of f averaged over laws, scales and hyper-parameters (option averaging): quantiles of
 * mixtures, the whole average against dense formulas, and that nothing but these intervals changes. */
#include "average.h"
#include "reference/gp_reference.h"
#include "optimizer.h"
#include "scene.h"

enum { DIM = 2 };

static const scene_method *const LOCBO = &SCENE_METHODS[0];

static double phi(double z) { return 0.5 * erfc(-z / sqrt(2)); }

/* Noise that is a factor, so that Box-Cox is a candidate, and not a far one. */
static double uneven(const double *x, uint64_t trial) {
    rng r = rng_open(5, trial, RNG_DESIGN);
    return exp(1.5 * (pow(x[0] - 0.3, 2) + pow(x[1] - 0.6, 2)) + 0.1 * rng_normal(&r));
}

static locbo_optimizer *played(const char *averaging, const char *direction, int rounds) {
    locbo_options options = scene_options(LOCBO, 3);
    scene_set(&options, "averaging", averaging);
    scene_set(&options, "direction", direction);
    locbo_space *space = scene_cube(DIM);
    locbo_optimizer *o = scene_optimizer(space, &options);
    for (int i = 0; i < rounds; i++) {
        double x[DIM];
        uint64_t id = scene_ask(o, NULL, x);
        scene_tell(o, id, (options.direction == LOCBO_MAXIMIZE ? -1 : 1) * uneven(x, id));
    }
    locbo_space_destroy(space);
    return o;
}

static locbo_belief belief_of(locbo_optimizer *o, double a, double b) {
    locbo_belief belief;
    check_ok(locbo_optimizer_predict(o, 1, (double[DIM]){a, b}, &belief, &error));
    return belief;
}

/* ---- quantiles ------------------------------------------------------------------------------- */

/* The distribution function of the two parts below by formulas: N(0.5, 0.4^2) on the scale (y - 1)/2, and
 * N(-0.3, 1.1^2) on -(log(y) - 0.2)/0.7 or on its mirror image. */
static double both(double y, int minimize) {
    double first = ((minimize ? -1 : 1) * (y - 1) / 2 - 0.5) / 0.4;
    double second = (-(log(minimize ? y : -y) - 0.2) / 0.7 + 0.3) / 1.1;
    return 0.3 * phi(minimize ? -first : first) + 0.7 * phi(minimize ? -second : second);
}

static void a_mixture_by_its_distribution_function(void **state) {
    (void)state;
    for (int minimize = 0; minimize < 2; minimize++) {
        double sign = minimize ? -1 : 1;
        /* Box-Cox of power 0 and offset 0 is log(y / low): logarithmic between low and high */
        scaling plain = {.sign = sign, .shift = 1, .spread = 2};
        scaling bent = {sign, 0.2 - log(1e-6), 0.7, {0, 0, -sign * 1e-6, -sign * 1e6}};
        average_normal parts[] = {{&plain, 0.5, 0.4, 0.3}, {&bent, -0.3, 1.1, 0.7}};
        for (double p = 0.4; p < 0.95; p += 0.05) { /* where all of y is inside the logarithm's range */
            double level = minimize ? p : 1 - p,
                   y = average_quantile(2, parts, 1 - p);    /* worse: larger if minimising */
            check_close(both(y, minimize), level, 0, 1e-12); /* bisection ends at the rounding of y */
        }
    }
}

static void one_part_is_itself(void **state) {
    (void)state;
    scaling plain = {.sign = -1, .shift = 3, .spread = 0.5};
    average_normal part = {&plain, 0.7, 0.2, 1}, twice[] = {part, part};
    twice[0].weight = twice[1].weight = 0.5;
    double expected = 3 - 0.5 * (0.7 + 0.2 * 1.2815515655446004);
    check_close(average_quantile(1, &part, 0.9), expected, 1e-14, 0);
    check_close(average_quantile(2, twice, 0.9), expected, 1e-14, 0);
}

static void values_near_the_largest_number(void **state) {
    (void)state;
    scaling wide = {.sign = 1, .shift = 0, .spread = 1e308};
    average_normal parts[] = {{&wide, -1, 3, 0.5}, {&wide, 1, 3, 0.5}};
    double low = average_quantile(2, parts, 0.1), high = average_quantile(2, parts, 0.9);
    check_that(isfinite(low) && isfinite(high) && low < -1e308 && high > 1e308, "[%g, %g]", low, high);
}

/* ---- the whole average, by dense formulas ---------------------------------------------------- */

static const double SHARES[] = {1e-8, 1e-4, 3e-3, 0.02, 0.07, 0.2, 0.5, 1.2, 3}, MOVES[] = {-0.7, 0, 0.7};
enum { MOST = 200, FIT_ROWS = 128 };

typedef struct point {
    double weight, mu, v, s2;
    scaling scale;
} point;

/* Log prior of length scales (median sqrt(2)/2, sd 1, pooled by 0.5), signal variance (median 1, sd 1) and noise
 * variance (median 0.3, sd 1.5). */
static double log_prior(const double *theta) {
    double mean = (theta[0] + theta[1]) / 2, off = mean - log(0.5 * sqrt(2)), apart = theta[0] - mean;
    double noise = (theta[3] - log(0.3)) / 1.5;
    return -0.5 * off * off / (1 + 0.25 / 2) - apart * apart / 0.25 - 0.5 * theta[2] * theta[2] - 0.5 * noise * noise;
}

/* The rows of the optimizer as a candidate has them. */
typedef struct table {
    scaling scale;
    double y[FIT_ROWS], noise[FIT_ROWS], extra[FIT_ROWS], dof;
    gp_data rows;
} table;

/* Under Student's t: noise / lambda, lambda = (dof + 1) / (dof + (r^2 + v) / noise), r and v by the posterior of f. */
static void weigh_rows(const locbo_optimizer *o, const locbo_member *m, table *t) {
    double mu[FIT_ROWS], v[FIT_ROWS];
    for (int round = 0; round < 4; round++) {
        gp_reference_predict(gp_get_spec(o->quantity->surrogate.model), m->theta, &t->rows, 0, 0, NULL, t->rows.n,
                             o->quantity->data.u, mu, v, NULL, NULL);
        for (size_t i = 0; i < t->rows.n; i++) {
            double r = t->y[i] - mu[i];
            t->noise[i] = (t->dof + (r * r + v[i]) / exp(m->theta[3])) / (t->dof + 1);
        }
    }
}

static void rows_of(const locbo_optimizer *o, const locbo_member *m, table *t) {
    t->scale = members_scale(m, o->quantity->data.scale.sign);
    t->dof = m->law == LOCBO_NOISE_LAW_STUDENT ? 4 : 0;
    t->rows = (gp_data){o->quantity->data.n, o->quantity->data.u, t->y, t->noise, t->extra, NULL};
    for (size_t i = 0; i < o->quantity->data.n; i++) {
        t->y[i] = scaling_in(&t->scale, o->quantity->data.measured[i].value);
        t->noise[i] = 1;
        t->extra[i] = 0;
    }
    if (t->dof > 0) weigh_rows(o, m, t);
}

static point point_at(const locbo_optimizer *o, const table *t, const double *theta, const double *u) {
    point p = {.scale = t->scale, .s2 = exp(theta[3]) * (t->dof > 0 ? t->dof / (t->dof - 2) : 1)};
    const gp_spec *spec = gp_get_spec(o->quantity->surrogate.model);
    gp_reference_predict(spec, theta, &t->rows, 0, 0, NULL, 1, u, &p.mu, &p.v, NULL, NULL);
    p.weight = gp_reference_likelihood(spec, theta, &t->rows, 1e-10) + log_prior(theta);
    for (size_t i = 0; i < o->quantity->data.n; i++)
        p.weight += log(scaling_slope(&p.scale, o->quantity->data.measured[i].value));
    return p;
}

/* The grid of one candidate, weights being log posteriors. */
static size_t grid_of(const locbo_optimizer *o, const locbo_member *m, const double *u, point *out) {
    size_t n = 0;
    table t;
    rows_of(o, m, &t);
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++) {
            if (m->law == LOCBO_NOISE_LAW_LITTLE ? SHARES[i] > 0.01 : SHARES[i] < 1e-3) continue;
            double theta[4] = {m->theta[0] + MOVES[k], m->theta[1] + MOVES[k], m->theta[2], log(SHARES[i])};
            if (SHARES[i] >= 0.5) theta[2] = fmin(theta[2], 0);
            out[n++] = point_at(o, &t, theta, u);
        }
    return n;
}

/* Weights from log posteriors: those within 4 of the best, with the sum `total`. */
static void weigh(size_t n, point *p, double total) {
    double top = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++) top = fmax(top, p[i].weight);
    for (size_t i = 0; i < n; i++) sum += p[i].weight = p[i].weight > top - 4 ? exp(p[i].weight - top) : 0;
    for (size_t i = 0; i < n; i++) p[i].weight *= total / sum;
}

/* The best candidate of a group that is of little noise, Student's t or neither. */
static const locbo_member *find_member(const locbo_fit *fit, int little, int student, int bent) {
    const locbo_member *best = NULL;
    for (size_t i = 0; i < fit->member_count; i++) {
        const locbo_member *m = &fit->members[i];
        if ((m->law == LOCBO_NOISE_LAW_LITTLE) != little || (m->law == LOCBO_NOISE_LAW_STUDENT) != student) continue;
        if ((isfinite(m->power) != 0) == bent && (!best || m->score > best->score)) best = m;
    }
    assert_non_null(best);
    return best;
}

/* All points at u; *students: in how many groups Student's t is ahead of normal noise. */
static size_t all_points(locbo_optimizer *o, const double *u, point *out, int *groups, int *students) {
    locbo_fit fit;
    check_ok(locbo_optimizer_fit(o, &fit, &error));
    double best[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < fit.member_count; i++) {
        double *group = &best[isfinite(fit.members[i].power) != 0];
        *group = fmax(*group, fit.members[i].score);
    }
    size_t n = 0;
    for (int bent = 0; bent < 2; bent++) {
        double weight = exp(best[bent] - fmax(best[0], best[1]));
        if (weight < 0.02) continue;
        const locbo_member *noisy = find_member(&fit, 0, 0, bent), *student = find_member(&fit, 0, 1, bent);
        if (student->score > noisy->score + 1) noisy = student;
        *students += noisy == student;
        size_t first = n;
        n += grid_of(o, find_member(&fit, 1, 0, bent), u, out + n);
        n += grid_of(o, noisy, u, out + n);
        weigh(n - first, out + first, weight);
        ++*groups;
    }
    return n;
}

/* How much probability lies below y. */
static double below(size_t n, const point *p, double more, double y) {
    double sum = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        double sd = sqrt(p[i].v + more * (p[i].v + p[i].s2));
        sum += p[i].weight * phi(p[i].scale.sign * (scaling_in(&p[i].scale, y) - p[i].mu) / sd);
        total += p[i].weight;
    }
    return sum / total;
}

static void the_average_by_dense_formulas(void **state) {
    (void)state;
    static point points[MOST];
    const struct {
        const char *direction;
        int rounds;
        double far; /* a result so good that Student's t has a scale of its own; 0: none */
    } runs[] = {
        {"minimize", 6, 0}, {"maximize", 6, 0}, {"minimize", 16, 0}, {"maximize", 27, 0}, {"minimize", 16, -1000}};
    int all = 0, students = 0;
    for (size_t r = 0; r < sizeof runs / sizeof runs[0]; r++) {
        locbo_optimizer *o = played("on", runs[r].direction, runs[r].rounds);
        double u[DIM] = {0.4, 0.35}, x[DIM]; /* the encoded point is the point */
        if (runs[r].far != 0) scene_add(o, (double[DIM]){1, 0}, runs[r].far);
        if (runs[r].far != 0) scene_ask(o, NULL, x); /* fits */
        locbo_belief b = belief_of(o, u[0], u[1]);
        size_t n = all_points(o, u, points, &all, &students);
        law l;
        calibrator_law(o->quantity->calibrator, &(calibrator_point){.x = u, .v = 1, .s2 = 1}, &l);
        double rho = law_stretch(&l, 0.2, NULL);
        double more = 0.2 * fmax(rho * rho - 1, 0) + 1.0 / (1 + (double)o->quantity->judged);
        /* the reference is in long double; a matrix with signal variances 1e8 times the noise's loses 8 digits */
        check_close(below(n, points, more, b.f_low), 0.1, 0, 1e-6);
        check_close(below(n, points, more, b.f_high), 0.9, 0, 1e-6);
        locbo_optimizer_destroy(o);
    }
    /* both scales had their share somewhere, and both kinds of noise */
    check_that(all > 4 && students > 0 && students < all, "%d groups, %d of Student's t", all, students);
}

/* Without a grid: more than 100 results. */
static void many_results_by_dense_formulas(void **state) {
    (void)state;
    static point points[MOST];
    table t;
    locbo_optimizer *o = played("on", "minimize", 0);
    rng r = scene_random(11);
    double x[DIM], u[DIM] = {0.4, 0.35}, best = -INFINITY;
    for (int i = 0; i < 110; i++) {
        double at[DIM] = {rng_uniform(&r), rng_uniform(&r)};
        scene_add(o, at, exp(sin(4 * at[0]) + at[1]) * (1.2 + 0.8 * rng_uniform(&r)));
    }
    scene_ask(o, NULL, x); /* fits */
    locbo_belief b = belief_of(o, u[0], u[1]);
    locbo_fit fit;
    size_t n = 0;
    check_ok(locbo_optimizer_fit(o, &fit, &error));
    for (size_t i = 0; i < fit.member_count; i++) best = fmax(best, fit.members[i].score);
    for (size_t i = 0; i < fit.member_count; i++) {
        double weight = exp(fit.members[i].score - best);
        if (weight < 0.05) continue;
        rows_of(o, &fit.members[i], &t);
        points[n] = point_at(o, &t, fit.members[i].theta, u);
        points[n++].weight = weight;
    }
    assert_true(n > 1);
    /* nothing is judged so far, but there are more results than a design has; tolerance as above */
    law l;
    calibrator_law(o->quantity->calibrator, &(calibrator_point){.x = u, .v = 1, .s2 = 1}, &l);
    double rho = law_stretch(&l, 0.2, NULL),
           more = 0.2 * fmax(rho * rho - 1, 0) + 1.0 / (1 + (double)o->quantity->data.n - 20);
    check_close(below(n, points, more, b.f_low), 0.1, 0, 1e-6);
    check_close(below(n, points, more, b.f_high), 0.9, 0, 1e-6);
    locbo_optimizer_destroy(o);
}

/* ---- what changes, and what does not --------------------------------------------------------- */

static void check_same_but_f(const locbo_belief *a, const locbo_belief *b) {
    locbo_belief c = *b;
    c.f_low = a->f_low;
    c.f_high = a->f_high;
    assert_memory_equal(a, &c, sizeof c);
}

/* Answers, which average, lie between the proposals. */
static void proposals_are_the_same_bits(void **state) {
    (void)state;
    locbo_optimizer *on = played("on", "minimize", 0), *off = played("off", "minimize", 0);
    int wider = 0, rounds = 0;
    for (int i = 0; i < 30; i++) {
        double x[DIM], y[DIM];
        locbo_trial a, b;
        locbo_choice choice;
        uint64_t id = scene_ask(on, &a, x);
        scene_ask(off, &b, y);
        assert_memory_equal(x, y, sizeof x);
        check_same_but_f(&a.belief, &b.belief);
        scene_tell(on, id, uneven(x, id));
        scene_tell(off, id, uneven(x, id));
        check_ok(locbo_optimizer_recommend(on, &choice, x, &error));
        locbo_belief p = belief_of(on, 0.5, 0.5), q = belief_of(off, 0.5, 0.5);
        check_same_but_f(&p, &q);
        if (i < 4) continue;
        check_that(p.f_low < p.f_high, "[%g, %g] after %d", p.f_low, p.f_high, i + 1);
        wider += p.f_high - p.f_low > q.f_high - q.f_low;
        rounds++;
    }
    check_that(wider > rounds / 2, "wider in %d of %d rounds", wider, rounds);
    locbo_optimizer_destroy(on);
    locbo_optimizer_destroy(off);
}

/* What is stored with a trial, its interval of f included, does not depend on earlier answers. */
static void answers_do_not_change_trials(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 3);
    options.refit_every = 3;
    locbo_space *space = scene_cube(DIM);
    locbo_optimizer *quiet = scene_optimizer(space, &options), *asked = scene_optimizer(space, &options);
    for (int i = 0; i < 20; i++) {
        double x[DIM];
        locbo_trial a, b;
        if (i > 2) belief_of(asked, 0.2, 0.2);
        uint64_t id = scene_ask(quiet, &a, x);
        scene_ask(asked, &b, x);
        assert_memory_equal(&a.belief, &b.belief, sizeof a.belief);
        scene_tell(quiet, id, uneven(x, id));
        scene_tell(asked, id, uneven(x, id));
    }
    locbo_space_destroy(space);
    locbo_optimizer_destroy(quiet);
    locbo_optimizer_destroy(asked);
}

static void few_results_have_no_interval(void **state) {
    (void)state;
    locbo_optimizer *on = played("on", "minimize", 4), *off = played("off", "minimize", 4);
    locbo_choice choice;
    double x[DIM];
    locbo_belief b = belief_of(on, 0.5, 0.5);
    assert_true(isfinite(b.mean) && isfinite(b.y_low) && isnan(b.f_low) && isnan(b.f_high));
    check_ok(locbo_optimizer_recommend(on, &choice, x, &error));
    assert_true(isfinite(choice.value) && isnan(choice.low) && isnan(choice.high));
    check_ok(locbo_optimizer_best(on, &choice, x, &error));
    assert_true(isnan(choice.low) && isnan(choice.high));
    b = belief_of(off, 0.5, 0.5);
    assert_true(isfinite(b.f_low) && isfinite(b.f_high));
    scene_add(on, (double[DIM]){0.2, 0.9}, 1.2);
    b = belief_of(on, 0.5, 0.5);
    assert_true(isfinite(b.f_low) && isfinite(b.f_high));
    locbo_optimizer_destroy(on);
    locbo_optimizer_destroy(off);
}

/* A law of the noise that the user has fixed, or another surrogate: one fit, as without the option. */
static void only_chosen_laws_are_averaged(void **state) {
    (void)state;
    static const char *const settings[][2] = {
        {"noise_law", "gaussian"}, {"noise_var", "0.01"}, {"surrogate", "paper"}, {"surrogate", "gamma"}};
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        locbo_belief b[2];
        for (int off = 0; off < 2; off++) {
            locbo_options options = scene_options(LOCBO, 3);
            scene_set(&options, settings[k][0], settings[k][1]);
            scene_set(&options, "averaging", off ? "off" : "on");
            locbo_space *space = scene_cube(DIM);
            locbo_optimizer *o = scene_optimizer(space, &options);
            for (uint64_t i = 1; i <= 4; i++) {
                double x[DIM] = {0.2 * (double)i, 0.9 - 0.1 * (double)(i * i % 7)};
                scene_add(o, x, uneven(x, i));
            }
            b[off] = belief_of(o, 0.5, 0.5);
            locbo_space_destroy(space);
            locbo_optimizer_destroy(o);
        }
        assert_true(isfinite(b[0].f_low));
        assert_memory_equal(&b[0], &b[1], sizeof b[0]);
    }
}

/* ---- the prepared average -------------------------------------------------------------------- */

/* What is prepared is used again, and made again after a result, a fit and a fit that was put back. */
static void a_prepared_average_is_never_old(void **state) {
    (void)state;
    locbo_optimizer *a = played("on", "minimize", 12);
    for (int i = 0; i < 6; i++) {
        locbo_optimizer *b = NULL;
        char *text = NULL;
        double x[DIM];
        belief_of(a, 0.1, 0.1); /* prepares */
        if (i % 2) {
            uint64_t id = scene_ask(a, NULL, x);
            belief_of(a, 0.1, 0.1);
            scene_tell(a, id, uneven(x, id));
        } else {
            scene_add(a, (double[DIM]){0.1 * i, 0.7}, 1.1);
        }
        check_ok(locbo_optimizer_save(a, &text, NULL, &error));
        check_ok(locbo_optimizer_load(&b, text, strlen(text), &error));
        locbo_belief p = belief_of(a, 0.3, 0.5), q = belief_of(b, 0.3, 0.5), again = belief_of(a, 0.3, 0.5);
        assert_memory_equal(&p, &q, sizeof p);
        assert_memory_equal(&p, &again, sizeof p);
        locbo_free(text);
        locbo_optimizer_destroy(b);
    }
    locbo_optimizer_destroy(a);
}

/* The same after another fit of the same rows was put back. */
static void a_restored_fit_is_averaged(void **state) {
    (void)state;
    locbo_optimizer *a = played("on", "minimize", 12), *b = NULL;
    char *text = NULL;
    locbo_fit fit;
    locbo_member moved[FIT_MEMBERS];
    double theta[FIT_MEMBERS][DIM + 3];
    locbo_belief before = belief_of(a, 0.3, 0.5);
    check_ok(locbo_optimizer_fit(a, &fit, &error));
    for (size_t i = 0; i < fit.member_count; i++) {
        moved[i] = fit.members[i];
        memcpy(theta[i], moved[i].theta, moved[i].count * sizeof theta[i][0]);
        theta[i][0] += 0.4;
        moved[i].theta = theta[i];
    }
    fit.members = moved;
    check_ok(locbo_optimizer_restore_fit(a, &fit, &error));
    check_ok(locbo_optimizer_save(a, &text, NULL, &error));
    check_ok(locbo_optimizer_load(&b, text, strlen(text), &error));
    locbo_belief p = belief_of(a, 0.3, 0.5), q = belief_of(b, 0.3, 0.5);
    assert_memory_equal(&p, &q, sizeof p);
    assert_true(p.f_low != before.f_low);
    locbo_free(text);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(b);
}

static int after_some(void *user) {
    int *left = user;
    return (*left)-- <= 0;
}

static void a_cancelled_answer_leaves_no_trace(void **state) {
    (void)state;
    enum { PLENTY = 1000000 };
    locbo_optimizer *a = played("on", "minimize", 14), *b = played("on", "minimize", 14);
    int left = PLENTY;
    locbo_belief p, expected;
    locbo_optimizer_watch(b, after_some, &left);
    expected = belief_of(b, 0.3, 0.5);
    int asked = PLENTY - left;
    check_that(asked > 40, "asked %d times", asked); /* within the average, too */
    for (int i = 0; i < asked; i += 1 + asked / 16) {
        left = i;
        locbo_optimizer_watch(a, after_some, &left);
        check_fails(locbo_optimizer_predict(a, 1, (double[DIM]){0.3, 0.5}, &p, &error), LOCBO_ERR_CANCELLED, "");
    }
    locbo_optimizer_watch(a, NULL, NULL);
    p = belief_of(a, 0.3, 0.5);
    assert_memory_equal(&p, &expected, sizeof p);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(b);
}

/* Results that were added are not judged, but they count: the interval is not that of a single measurement. */
static void added_results_narrow_the_interval(void **state) {
    (void)state;
    locbo_optimizer *o = played("on", "minimize", 0);
    rng r = scene_random(12);
    for (int i = 0; i < 95; i++) {
        double at[DIM] = {rng_uniform(&r), rng_uniform(&r)};
        scene_add(o, at, sin(4 * at[0]) + at[1] + 0.3 * rng_normal(&r));
    }
    locbo_belief b = belief_of(o, 0.4, 0.35);
    check_that(b.f_high - b.f_low < 0.6 * (b.y_high - b.y_low), "f in %g, y in %g", b.f_high - b.f_low,
               b.y_high - b.y_low);
    locbo_optimizer_destroy(o);
}

static void older_states_are_not_averaged(void **state) {
    (void)state;
    locbo_optimizer *a = played("on", "minimize", 8), *off = played("off", "minimize", 8), *b = NULL;
    char *text = NULL;
    check_ok(locbo_optimizer_save(a, &text, NULL, &error));
    static const char named[] = "\"averaging\":\"on\",";
    char *at = strstr(text, named);
    assert_non_null(at);
    memmove(at, at + strlen(named), strlen(at + strlen(named)) + 1);
    check_ok(locbo_optimizer_load(&b, text, strlen(text), &error));
    locbo_belief p = belief_of(b, 0.3, 0.5), q = belief_of(off, 0.3, 0.5);
    assert_memory_equal(&p, &q, sizeof p);
    locbo_free(text);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(b);
    locbo_optimizer_destroy(off);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mixture_by_its_distribution_function),
        cmocka_unit_test(one_part_is_itself),
        cmocka_unit_test(values_near_the_largest_number),
        cmocka_unit_test(the_average_by_dense_formulas),
        cmocka_unit_test(many_results_by_dense_formulas),
        cmocka_unit_test(proposals_are_the_same_bits),
        cmocka_unit_test(answers_do_not_change_trials),
        cmocka_unit_test(few_results_have_no_interval),
        cmocka_unit_test(only_chosen_laws_are_averaged),
        cmocka_unit_test(a_prepared_average_is_never_old),
        cmocka_unit_test(a_restored_fit_is_averaged),
        cmocka_unit_test(a_cancelled_answer_leaves_no_trace),
        cmocka_unit_test(older_states_are_not_averaged),
        cmocka_unit_test(added_results_narrow_the_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
