/* test_problem_outputs.c - problems with several outputs against independent values, their optima and fronts against
 * searches and known geometry, each output as a problem, measurements, and what moving a problem keeps. */
#include "problem_outputs.h"

#include "check.h"
#include "draw.h"
#include "golden/problem_outputs_golden.h"

#define ROWS(table) (sizeof table / sizeof table[0])

static const double PI = 3.14159265358979323846;

static const problem_outputs *find(const char *name) {
    const problem_outputs *p = problem_outputs_find(name);
    check_that(p != NULL, "no problem %s", name);
    return p;
}

static int has_front(const problem_outputs *p) { return problem_outputs_objectives(p) > 1; }

/* A point of the box, uniformly. */
static void sample(const problem_outputs *p, draw *d, double *x) {
    for (size_t i = 0; i < p->dim; i++) x[i] = p->low[i] + (p->high[i] - p->low[i]) * draw_uniform(d);
}

/* The regret at x; INFINITY where a constraint does not hold. */
static double regret_at(const problem_outputs *p, const double *x) {
    double y[PROBLEM_MAX_OUTPUTS];
    problem_outputs_evaluate(p, x, y);
    return problem_outputs_regret(p, y);
}

/* ---- the outputs ----------------------------------------------------------------------------- */

static void golden_values(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS(golden_outputs); i++) {
        const struct golden_outputs *g = &golden_outputs[i];
        const problem_outputs *p = find(g->problem);
        double y[PROBLEM_MAX_OUTPUTS];
        problem_outputs_evaluate(p, g->x, y);
        for (size_t k = 0; k < p->count; k++) {
            /* a few roundings of the largest term, which is 60 in branin and 1700 in vehicle-safety */
            double largest = fmax(fabs(g->y[k]), strcmp(p->name, "branin-currin") ? 1 : 60);
            check_close(y[k], g->y[k], 0, 1e-14 * largest);
        }
    }
}

static void table(void **state) {
    (void)state;
    size_t count = 0, fronts = 0;
    for (const problem_outputs *p; (p = problem_outputs_at(count)); count++) {
        size_t objectives = problem_outputs_objectives(p);
        assert_ptr_equal(problem_outputs_find(p->name), p); /* also: no name twice */
        assert_null(problem_find(p->name));
        assert_in_range(p->dim, 2, PROBLEM_MAX_DIM);
        assert_in_range(p->count, 2, PROBLEM_MAX_OUTPUTS);
        assert_in_range(objectives, 1, PROBLEM_MAX_OBJECTIVES);
        assert_true(isnan(p->optimum) == has_front(p) && isnan(p->hypervolume) != has_front(p));
        for (size_t k = 0; k < p->count; k++) {
            const problem_output *o = &p->output[k];
            assert_true(o->name && isfinite(o->least) && (o->goal == PROBLEM_MINIMIZE) == (k < objectives));
            assert_true(isnan(o->reference) || (has_front(p) && o->reference > o->least));
            assert_true(isnan(o->reference) == !(has_front(p) && o->goal == PROBLEM_MINIMIZE));
        }
        fronts += has_front(p);
    }
    assert_int_equal(count, 14);
    assert_int_equal(fronts, 8);
    assert_null(problem_outputs_find("hartmann6"));
    assert_null(problem_outputs_find(""));
}

/* Steps along the axes, kept where they help, halved when none does. Returns the last value. */
static double descend(const problem *p, double *x) {
    double best = problem_value(p, x);
    for (double step = 0.25; step > 1e-10; step /= 2)
        for (int again = 1, round = 0; again && round < 100; round++) {
            again = 0;
            for (size_t k = 0; k < 2 * p->dim; k++) {
                size_t j = k / 2;
                double old = x[j], by = (k % 2 ? -step : step) * (p->high[j] - p->low[j]);
                x[j] = fmin(fmax(old + by, p->low[j]), p->high[j]);
                double value = problem_value(p, x);
                again |= value < best;
                if (value < best)
                    best = value;
                else
                    x[j] = old;
            }
        }
    return best;
}

/* The smallest value of every output is met by descents from 50 random points, and not passed. */
static void least_values(void **state) {
    (void)state;
    for (size_t i = 0; problem_outputs_at(i); i++) {
        const problem_outputs *p = problem_outputs_at(i);
        draw d = draw_open(i, 1);
        for (size_t k = 0; k < p->count; k++) {
            problem one;
            problem_output_room room;
            double x[PROBLEM_MAX_DIM], found = INFINITY;
            problem_outputs_view(&one, &room, p, k);
            for (int j = 0; j < 50; j++) {
                sample(p, &d, x);
                found = fmin(found, descend(&one, x));
            }
            /* 1e-12: roundings, and the last steps of 1e-10 at a smooth minimum */
            check_that(fabs(found - p->output[k].least) <= 1e-12 * fmax(1, fabs(found)), "%s, %s: %.17g, seed %d",
                       p->name, one.name, found, (int)i);
        }
    }
}

/* ---- one objective --------------------------------------------------------------------------- */

static void published_optima(void **state) {
    (void)state;
    check_same(find("gardner1")->optimum, -2);
    check_close(find("gardner2")->optimum, asin(0.95) - 1, 1e-15, 0);
    check_close(find("gramacy")->optimum, 0.5998, 0, 5e-5);
    check_close(find("welded-beam")->optimum, 2.381, 0, 5e-4); /* Deb 2000 has 2.38119 at its best */
    check_close(find("tension-spring")->optimum, 0.012665, 0, 5e-7);
}

/* The best point is feasible in spite of rounding, and as good as it is said to be. */
static void best_points(void **state) {
    (void)state;
    for (size_t i = 0; problem_outputs_at(i); i++) {
        const problem_outputs *p = problem_outputs_at(i);
        double y[PROBLEM_MAX_OUTPUTS], closest = -INFINITY;
        if (has_front(p)) continue;
        problem_outputs_evaluate(p, p->best, y);
        for (size_t j = 0; j < p->dim; j++) assert_true(p->low[j] <= p->best[j] && p->best[j] <= p->high[j]);
        for (size_t k = 1; k < p->count; k++) closest = fmax(closest, y[k]);
        check_that(closest < -0.9e-10, "%s: a constraint is %g", p->name, closest);
        if (p != find("gardner1")) assert_true(closest > -1.1e-10); /* no constraint limits that one */
        double regret = problem_outputs_regret(p, y);
        check_that(regret > -1e-15 && regret < 1e-9, "%s: regret %g", p->name, regret);
    }
}

/* A point beside x: normal steps in some coordinates, in the box. */
static void step_beside(const problem_outputs *p, const double *x, double size, draw *d, double *z) {
    for (size_t i = 0; i < p->dim; i++) {
        int moves = draw_uniform(d) < 0.7;
        double by = size * (p->high[i] - p->low[i]) * draw_normal(d);
        z[i] = fmin(fmax(moves ? x[i] + by : x[i], p->low[i]), p->high[i]);
    }
}

/* Steps of all sizes from x, kept where they help. Returns the last regret. */
static double refine(const problem_outputs *p, double *x, int steps, draw *d) {
    double z[PROBLEM_MAX_DIM], best = regret_at(p, x);
    for (int i = 0; i < steps; i++) {
        step_beside(p, x, pow(10, -9 * draw_uniform(d)), d, z);
        double regret = regret_at(p, z);
        if (regret < best) {
            best = regret;
            memcpy(x, z, sizeof z);
        }
    }
    return best;
}

/* The least regret of `points` random points; the best of them are refined, one of each tenth. */
static double attack(const problem_outputs *p, int points, uint64_t seed) {
    double least = INFINITY;
    draw d = draw_open(seed, 2);
    for (int part = 0; part < 10; part++) {
        double x[PROBLEM_MAX_DIM], start[PROBLEM_MAX_DIM] = {0}, best = INFINITY;
        for (int i = 0; i < points / 10; i++) {
            sample(p, &d, x);
            double regret = regret_at(p, x);
            if (regret < best) {
                best = regret;
                memcpy(start, x, sizeof x);
            }
        }
        if (isfinite(best)) least = fmin(least, refine(p, start, points / 25, &d));
    }
    return least;
}

/* A million points and the refinement of ten do not beat the optimum, but come close; nor do points beside the best. */
static void nothing_is_better(void **state) {
    (void)state;
    for (size_t i = 0; problem_outputs_at(i); i++) {
        const problem_outputs *p = problem_outputs_at(i);
        double z[PROBLEM_MAX_DIM], least, beside = INFINITY;
        if (has_front(p)) continue;
        least = attack(p, 1000000, i);
        check_that(least > -1e-12 && least < 0.01 * fabs(p->optimum), "%s: seed %d: regret %g", p->name, (int)i, least);
        draw d = draw_open(i, 3);
        for (int j = 0; j < 200000; j++) {
            step_beside(p, p->best, pow(10, -11 * draw_uniform(&d)), &d, z);
            beside = fmin(beside, regret_at(p, z));
        }
        check_that(beside > -1e-15 && beside < 1e-9, "%s: seed %d: regret %g beside the best", p->name, (int)i, beside);
    }
}

static void regrets(void **state) {
    (void)state;
    const problem_outputs *p = find("gramacy");
    check_same(problem_outputs_regret(p, (double[]){p->optimum + 0.25, 0, -1}), 0.25);
    check_same(problem_outputs_regret(p, (double[]){p->optimum + 0.25, -1, 1e-300}), INFINITY);
    check_same(problem_outputs_regret(p, (double[]){p->optimum + 0.25, NAN, -1}), INFINITY);
    assert_true(isnan(problem_outputs_regret(find("zdt1"), (double[]){0, 0})));
    assert_true(isnan(problem_outputs_regret(find("welded-beam2"), (double[]){0, 0, -1, -1, -1, -1})));
}

/* ---- several objectives ---------------------------------------------------------------------- */

/* Points in rows of outputs, as many as there is room for. */
typedef struct cloud {
    const problem_outputs *p;
    size_t n;
    double *y;
} cloud;

static cloud make_cloud(const problem_outputs *p, size_t room) {
    cloud c = {p, 0, calloc(room * p->count, sizeof(double))};
    assert_non_null(c.y);
    return c;
}

static void add_point(cloud *c, const double *x) { problem_outputs_evaluate(c->p, x, c->y + c->p->count * c->n++); }

/* The share of the stated volume that the points have. */
static double share_of(cloud *c) {
    double volume = problem_outputs_hypervolume(c->p, c->n, c->y);
    free(c->y);
    return volume / c->p->hypervolume;
}

/* Where the front is known, 4000 points along it or 300 x 300 on it have no more than the volume, and all but the steps
 * between them: half of about 1/4000 for each unit of height and width, or half of 2/300. */
static void known_fronts(void **state) {
    (void)state;
    const char *const curves[] = {"zdt1", "zdt2", "zdt3", "dtlz2-2"};
    for (size_t k = 0; k < ROWS(curves); k++) {
        cloud c = make_cloud(find(curves[k]), 4001);
        for (int i = 0; i <= 4000; i++) {
            double other = strncmp(curves[k], "zdt", 3) ? 0.5 : 0;
            add_point(&c, (double[]){i / 4000.0, other, other, other, other, other});
        }
        double share = share_of(&c);
        check_that(share <= 1 && share > 1 - 5e-4, "%s: share %.6f", curves[k], share);
    }
    cloud c = make_cloud(find("dtlz2-3"), 301 * 301);
    for (int i = 0; i < 301 * 301; i++) add_point(&c, (double[]){i / 301 / 300.0, i % 301 / 300.0, 0.5, 0.5, 0.5, 0.5});
    double share = share_of(&c);
    check_that(share <= 1 && share > 1 - 5e-3, "dtlz2-3: share %.6f", share);
}

/* Closed forms: the square less what is under the curve, the cube less an eighth of a ball. zdt3 by the trapezoidal
 * rule: the best f2 so far, over f1; its kinks cost the square of the step. */
static void exact_volumes(void **state) {
    (void)state;
    enum { N = 1000000 };
    const double tight = 1e-15;
    check_close(find("zdt1")->hypervolume, 11 * 11 - 1 + 2.0 / 3, tight, 0);
    check_close(find("zdt2")->hypervolume, 11 * 11 - 1 + 1.0 / 3, tight, 0);
    check_close(find("dtlz2-2")->hypervolume, 1.1 * 1.1 - PI / 4, tight, 0);
    check_close(find("dtlz2-3")->hypervolume, 1.1 * 1.1 * 1.1 - 4 * PI / 3 / 8, tight, 0);
    double sum = 0, best = 1;
    for (int i = 1; i <= N; i++) {
        double t = i / (double)N, y[2], before = best;
        problem_outputs_evaluate(find("zdt3"), (double[]){t, 0, 0, 0}, y);
        best = fmin(best, y[1]);
        sum += (11 - (before + best) / 2) / N;
    }
    check_close(find("zdt3")->hypervolume, sum + 10 * (11 - best), 0, 1e-9);
}

/* Direction number i: of the middle of an equal part of the quarter of a circle or the eighth of a sphere. */
static void direction(size_t objectives, size_t parts, size_t i, double *v) {
    double angle = ((double)(i % parts) + 0.5) / (double)parts * PI / 2;
    double height = objectives == 3 ? ((double)(i / parts) + 0.5) / (double)parts : 0;
    v[0] = sqrt(1 - height * height) * cos(angle);
    v[1] = sqrt(1 - height * height) * sin(angle);
    v[2] = height;
}

/* How far the outputs y reach from the reference point in direction v. */
static double reach(const struct golden_front *g, const double *y, const double *v) {
    const problem_outputs *p = find(g->problem);
    double least = INFINITY;
    for (size_t k = 0; k < problem_outputs_objectives(p); k++)
        least = fmin(least, (p->output[k].reference - y[k]) / (g->scale[k] * v[k]));
    return least;
}

/* Where the front was found by search, its points are feasible, and the volume in polar coordinates is the stated one:
 * scales times (pi/2)/m times the mean of reach^m. 0.3 %: the midpoint rule with 40 or 10 x 10 directions. */
static void searched_fronts(void **state) {
    (void)state;
    for (size_t f = 0; f < ROWS(golden_fronts); f++) {
        const struct golden_front *g = &golden_fronts[f];
        const problem_outputs *p = find(g->problem);
        size_t m = problem_outputs_objectives(p), n = m == 3 ? g->parts * g->parts : g->parts;
        cloud c = make_cloud(p, n);
        double sum = 0, unit = g->scale[0] * g->scale[1] * (m == 3 ? g->scale[2] : 1), v[3];
        for (size_t i = 0; i < n; i++) {
            add_point(&c, g->x + i * p->dim);
            check_that(problem_outputs_feasible(p, c.y + i * p->count), "%s: point %zu", p->name, i);
            direction(m, g->parts, i, v);
            sum += pow(reach(g, c.y + i * p->count, v), (double)m);
        }
        check_close(unit * PI / 2 / (double)m * sum / (double)n, p->hypervolume, 3e-3, 0);
        double share = share_of(&c); /* the points themselves, with the steps between them */
        check_that(share < 1 && share > 0.9, "%s: share %.6f", p->name, share);
    }
}

/* Points of the box, its sides and corners, where fronts often lie. */
static void sample_sides(const problem_outputs *p, draw *d, double *x) {
    for (size_t i = 0; i < p->dim; i++) {
        uint64_t place = draw_below(d, 3);
        double u = draw_uniform(d);
        x[i] = p->low[i] + (p->high[i] - p->low[i]) * (place == 2 ? u : (double)place);
    }
}

/* No random points have more than the stated volume; those of branin-currin and vehicle-safety have almost all of it,
 * so that it is not too large either. */
static void random_points(void **state) {
    (void)state;
    enum { POINTS = 500000 };
    for (size_t i = 0; problem_outputs_at(i); i++) {
        const problem_outputs *p = problem_outputs_at(i);
        double x[PROBLEM_MAX_DIM];
        if (!has_front(p)) continue;
        cloud c = make_cloud(p, 2 * POINTS);
        draw d = draw_open(i, 4);
        for (int j = 0; j < POINTS; j++) {
            sample(p, &d, x);
            add_point(&c, x);
            sample_sides(p, &d, x);
            add_point(&c, x);
        }
        double share = share_of(&c), wanted = 0;
        if (p == find("branin-currin")) wanted = 0.999;
        if (p == find("vehicle-safety")) wanted = 0.999;
        check_that(share <= 1 && share > wanted, "%s: seed %d: share %.6f", p->name, (int)i, share);
    }
}

/* Infeasible points do not count; with one objective there is no volume. */
static void volumes(void **state) {
    (void)state;
    const problem_outputs *p = find("welded-beam2");
    double a = p->output[0].reference, b = p->output[1].reference;
    const double y[] = {a - 1, b - 2, -1, -1, -1, 0, a - 3, b - 3, -1, -1, -1, 1e-9};
    check_close(problem_outputs_hypervolume(p, 2, y), 2, 1e-14, 0);
    check_same(problem_outputs_hypervolume(p, 0, NULL), 0);
    assert_true(isnan(problem_outputs_hypervolume(find("gardner1"), 1, y)));
}

/* ---- each output, and what is measured ------------------------------------------------------- */

/* A view has the output's value and box, and its spread is that of many random points. */
static void views(void **state) {
    (void)state;
    enum { N = 20000 };
    for (size_t i = 0; problem_outputs_at(i); i++) {
        const problem_outputs *p = problem_outputs_at(i);
        double spread[PROBLEM_MAX_OUTPUTS];
        problem_outputs_spread(p, spread);
        for (size_t k = 0; k < p->count; k++) {
            problem one;
            problem_output_room room;
            double x[PROBLEM_MAX_DIM], y[PROBLEM_MAX_OUTPUTS], sum = 0, squares = 0;
            draw d = draw_open(i, 5);
            problem_outputs_view(&one, &room, p, k);
            assert_memory_equal(one.low, p->low, p->dim * sizeof(double));
            assert_memory_equal(one.high, p->high, p->dim * sizeof(double));
            for (int j = 0; j < N; j++) {
                sample(p, &d, x);
                problem_outputs_evaluate(p, x, y);
                check_same(problem_value(&one, x), y[k]);
                check_same(problem_regret(&one, x), y[k] - p->output[k].least);
                sum += y[k] / N, squares += y[k] * y[k] / N;
            }
            check_same(spread[k], problem_spread(&one));
            check_close(spread[k], sqrt(squares - sum * sum), 0.1, 0); /* standard errors of 2 % and less */
        }
    }
}

static void no_noise(void **state) {
    (void)state;
    const noise none[PROBLEM_MAX_OUTPUTS] = {{NOISE_NONE, 0, 0}};
    for (size_t i = 0; problem_outputs_at(i); i++) {
        const problem_outputs *p = problem_outputs_at(i);
        double x[PROBLEM_MAX_DIM], y[PROBLEM_MAX_OUTPUTS], measured[PROBLEM_MAX_OUTPUTS];
        const double spread[PROBLEM_MAX_OUTPUTS] = {0};
        draw d = draw_open(i, 6), before;
        for (int j = 0; j < 100; j++) {
            sample(p, &d, x);
            before = d;
            problem_outputs_evaluate(p, x, y);
            problem_outputs_measure(p, none, spread, x, &d, measured);
            for (size_t k = 0; k < p->count; k++) check_same(measured[k], y[k]);
            assert_true(d.state == before.state);
        }
    }
}

/* The means of the products of the noises of all pairs of outputs, in units of their scales. */
static void correlate(const problem_outputs *p, const noise *n, const double *spread, int times, double *mean) {
    double x[PROBLEM_MAX_DIM], y[PROBLEM_MAX_OUTPUTS], z[PROBLEM_MAX_OUTPUTS];
    draw d = draw_open(9, 7);
    memset(mean, 0, PROBLEM_MAX_OUTPUTS * PROBLEM_MAX_OUTPUTS * sizeof *mean);
    for (int i = 0; i < times; i++) {
        sample(p, &d, x);
        problem_outputs_evaluate(p, x, y);
        problem_outputs_measure(p, n, spread, x, &d, z);
        for (size_t a = 0; a < p->count; a++)
            for (size_t b = 0; b < p->count; b++)
                mean[a * PROBLEM_MAX_OUTPUTS + b] += (z[a] - y[a]) / n[a].scale * (z[b] - y[b]) / n[b].scale / times;
    }
}

/* A relative Gaussian law: on each output of its own spread, independent of the others. To 4.5 standard errors. */
static void gaussian_noise(void **state) {
    (void)state;
    enum { N = 20000 };
    const noise law = {NOISE_GAUSSIAN, 0.3, 0};
    for (size_t i = 0; problem_outputs_at(i); i++) {
        const problem_outputs *p = problem_outputs_at(i);
        double spread[PROBLEM_MAX_OUTPUTS], mean[PROBLEM_MAX_OUTPUTS][PROBLEM_MAX_OUTPUTS];
        noise n[PROBLEM_MAX_OUTPUTS];
        problem_outputs_spread(p, spread);
        problem_outputs_noise(p, &law, spread, n);
        correlate(p, n, spread, N, mean[0]);
        for (size_t a = 0; a < p->count; a++) {
            check_close(n[a].scale, 0.3 * spread[a], 1e-15, 0);
            for (size_t b = 0; b < p->count; b++)
                check_close(mean[a][b], a == b, 0, 4.5 * sqrt((a == b ? 2.0 : 1.0) / N));
        }
    }
}

/* Every law: output after output from one stream, as noise_measure gives it; the stream does not depend on x. */
static void every_law(void **state) {
    (void)state;
    const problem_outputs *p = find("tension-spring");
    double spread[PROBLEM_MAX_OUTPUTS], x[PROBLEM_MAX_DIM], y[PROBLEM_MAX_OUTPUTS];
    noise_kind kind;
    problem_outputs_spread(p, spread);
    for (int i = 0; noise_kind_parse(noise_kind_text((noise_kind)i), &kind); i++) {
        noise law = {kind, 0.5, 0.5}, n[PROBLEM_MAX_OUTPUTS];
        draw places = draw_open(10, 8), at_best = draw_open(10, 9), elsewhere = at_best, alone = at_best;
        problem_outputs_noise(p, &law, spread, n);
        sample(p, &places, x);
        problem_outputs_measure(p, n, spread, p->best, &at_best, y);
        problem_outputs_measure(p, n, spread, x, &elsewhere, y);
        assert_true(at_best.state == elsewhere.state);
        for (size_t k = 0; k < p->count; k++) {
            problem one;
            problem_output_room room;
            problem_outputs_view(&one, &room, p, k);
            check_same(n[k].scale, 0.5 * noise_unit(&law, &one, spread[k]));
            check_same(y[k], noise_measure(&n[k], &one, spread[k], x, &alone));
            assert_true(isfinite(y[k]));
        }
        check_same((double)(kind == NOISE_NONE), (double)(at_best.state == draw_open(10, 9).state));
    }
}

/* ---- the best point moved -------------------------------------------------------------------- */

/* All outputs move together; the optimum is kept, is where it is said to be, and is not beaten. */
static void moved_optima(void **state) {
    (void)state;
    for (size_t i = 0; problem_outputs_at(i); i++)
        for (uint64_t seed = 0; seed < 8; seed++) {
            const problem_outputs *base = problem_outputs_at(i);
            problem_outputs p;
            problem_outputs_room room;
            if (has_front(base)) continue;
            assert_true(problem_outputs_move(&p, &room, base, seed, seed % 2));
            check_same(p.optimum, base->optimum);
            for (size_t j = 0; j < p.dim; j++) {
                double t = (p.best[j] - p.low[j]) / (p.high[j] - p.low[j]);
                assert_true(t > 0.1 - 1e-12 && t < 0.9 + 1e-12);
            }
            check_that(fabs(regret_at(&p, p.best)) < 1e-9, "%s: regret %g", p.name, regret_at(&p, p.best));
            double least = attack(&p, 20000, seed);
            check_that(least > -1e-12, "%s: seed %d: regret %g", p.name, (int)seed, least);
        }
}

static void moved_outputs_agree(void **state) {
    (void)state;
    const problem_outputs *base = find("welded-beam");
    problem_outputs p, kept;
    problem_outputs_room room;
    draw d = draw_open(12, 10);
    assert_true(problem_outputs_move(&p, &room, base, 5, 1));
    for (int i = 0; i < 1000; i++) {
        double x[PROBLEM_MAX_DIM], z[PROBLEM_MAX_DIM], y[PROBLEM_MAX_OUTPUTS], expected[PROBLEM_MAX_OUTPUTS];
        sample(&p, &d, x);
        problem_moved_point(&room.moved, x, z);
        problem_outputs_evaluate(&p, x, y);
        problem_outputs_evaluate(base, z, expected);
        for (size_t k = 0; k < p.count; k++) check_same(y[k], expected[k]);
    }
    memcpy(&kept, &p, sizeof p);
    assert_false(problem_outputs_move(&p, &room, find("zdt1"), 5, 1)); /* several objectives */
    assert_memory_equal(&kept, &p, sizeof p);
}

/* The worst feasible point of a fixed set: ten times as many random points have hardly a worse one. */
static void worst_feasible_regret(void **state) {
    (void)state;
    draw d = draw_open(11, 1);
    for (size_t i = 0; problem_outputs_at(i); i++) {
        const problem_outputs *p = problem_outputs_at(i);
        double worst = problem_outputs_worst(p), seen = 0, x[PROBLEM_MAX_DIM];
        if (has_front(p)) {
            assert_true(isnan(worst));
            continue;
        }
        for (int k = 0; k < 20000; k++) {
            sample(p, &d, x);
            double regret = regret_at(p, x);
            if (isfinite(regret)) seen = fmax(seen, regret);
        }
        /* extremes of 40 and of 400 points, in the smallest feasible part */
        check_that(worst > 0.75 * seen && worst < 1.25 * seen, "%s: %g, of more points %g", p->name, worst, seen);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_values),
        cmocka_unit_test(table),
        cmocka_unit_test(least_values),
        cmocka_unit_test(published_optima),
        cmocka_unit_test(best_points),
        cmocka_unit_test(nothing_is_better),
        cmocka_unit_test(regrets),
        cmocka_unit_test(known_fronts),
        cmocka_unit_test(exact_volumes),
        cmocka_unit_test(searched_fronts),
        cmocka_unit_test(random_points),
        cmocka_unit_test(volumes),
        cmocka_unit_test(views),
        cmocka_unit_test(no_noise),
        cmocka_unit_test(gaussian_noise),
        cmocka_unit_test(every_law),
        cmocka_unit_test(moved_optima),
        cmocka_unit_test(moved_outputs_agree),
        cmocka_unit_test(worst_feasible_regret),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
