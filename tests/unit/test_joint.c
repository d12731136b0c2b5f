/* test_joint.c - noisy expected improvement of several outputs against the textbook formula in long double, its limits
 * (no constraint, no noise, no feasible point), gradients against differences, extreme beliefs, and which points are
 * chosen. */
#include "stage.h"

#include <ehvi.h>
#include <joint.h>

#include "reference/gp_reference.h"
#include "reference/joint_reference.h"

enum { ROWS = 8, COLUMNS = 2, PARTS = 6, AT = 3 };
static const double FIRST_JITTER = 1e-9; /* of the library, relative to the signal variance */

/* A model of one output and its draws. */
typedef struct part {
    double theta[COLUMNS + 2], y[ROWS];
    gp *model;
    baseline base;
    double rho[BASELINE_POINTS], rho_at; /* stretch at the rows, and at x */
} part;

/* Several outputs at the same rows. */
typedef struct setting {
    gp_spec spec;
    size_t group[COLUMNS], n;
    double x[ROWS * COLUMNS], at[AT * COLUMNS], ones[ROWS], none[ROWS];
    part part[PARTS];
    joint joint;
    double floor, reference[OUTPUTS_OBJECTIVES];
} setting;

static gp_data data_of(const setting *s, size_t k) {
    return (gp_data){s->n, s->x, s->part[k].y, s->ones, s->none, NULL};
}

static void open_part(setting *s, size_t k, double noise, int stretched, rng *r) {
    part *p = &s->part[k];
    size_t rows[ROWS];
    for (size_t c = 0; c < COLUMNS; c++) p->theta[c] = log(0.2 + 0.4 * rng_uniform(r));
    p->theta[COLUMNS] = log(0.5 + rng_uniform(r));
    p->theta[COLUMNS + 1] = log(noise);
    for (size_t i = 0; i < s->n; i++) {
        p->y[i] = sin(4 * s->x[i * COLUMNS] + (double)k) + cos(3 * s->x[i * COLUMNS + 1]) - 0.5 + 0.3 * rng_normal(r);
        p->rho[i] = stretched ? pow(2, 2 * rng_uniform(r) - 1) : 1;
        rows[i] = i;
    }
    p->rho_at = stretched ? pow(2, 2 * rng_uniform(r) - 1) : 1;
    gp_data data = data_of(s, k);
    check_ok(gp_create(&p->model, &s->spec, &error));
    check_ok(gp_factor(p->model, p->theta, &data, &error));
    check_ok(baseline_init(&p->base, COLUMNS, &error));
    baseline_take(&p->base, p->model, s->n, rows);
    check_ok(baseline_prepare(&p->base, p->model, p->rho, rng_open(rng_below(r, 1000), k, RNG_BASELINE), &error));
    s->joint.base[k] = &p->base;
}

/* Constraints hold at about half the rows; the reference lies below most of them. */
static setting *open_setting(size_t objectives, size_t parts, size_t n, double noise, int stretched, rng *r) {
    setting *s = calloc(1, sizeof *s);
    s->group[1] = 1;
    s->spec = (gp_spec){(locbo_kernel)rng_below(r, 3), COLUMNS, COLUMNS, s->group, rng_below(r, 2) == 0, 0};
    s->n = n;
    for (size_t i = 0; i < n * COLUMNS; i++) s->x[i] = rng_uniform(r);
    for (size_t i = 0; i < AT * COLUMNS; i++) s->at[i] = rng_uniform(r);
    for (size_t i = 0; i < n; i++) s->ones[i] = 1;
    s->joint.objectives = objectives;
    s->joint.parts = parts;
    for (size_t k = 0; k < parts; k++) {
        open_part(s, k, noise, stretched, r);
        s->joint.bound[k] = k < objectives ? -INFINITY : 0.3 * rng_normal(r);
    }
    s->floor = -5;
    for (size_t k = 0; k < objectives; k++) s->reference[k] = -1.5 + 0.3 * rng_normal(r);
    check_ok(joint_prepare(&s->joint, s->floor, s->reference, &error));
    return s;
}

static void close_setting(setting *s) {
    joint_release(&s->joint);
    for (size_t k = 0; k < PARTS; k++) {
        baseline_release(&s->part[k].base);
        gp_destroy(s->part[k].model);
    }
    free(s);
}

/* What the models have at x. */
static void look(const setting *s, const double *x, baseline_view *view) {
    for (size_t k = 0; k < s->joint.parts; k++) {
        gp_work work = {0};
        const part *p = &s->part[k];
        view[k] = (baseline_view){.rho = p->rho_at};
        check_ok(gp_predict(p->model, 1, x, &view[k].mu, &view[k].v, &work, &error));
        baseline_tie(&p->base, &work, 0, view[k].d);
        gp_work_release(&work);
    }
}

static double score(const setting *s, const double *x) {
    baseline_view view[PARTS];
    look(s, x, view);
    return joint_log_score(&s->joint, view, NULL);
}

/* ---- against the textbook ---------------------------------------------------------------------- */

/* The joint posterior of output k at the rows and at x, stretched, with the jitter that the library's factor has. */
static void posterior(const setting *s, size_t k, const double *x, double *mu, double *cov) {
    double points[(ROWS + 1) * COLUMNS];
    const part *p = &s->part[k];
    size_t all = s->n + 1;
    gp_data data = data_of(s, k);
    memcpy(points, s->x, s->n * COLUMNS * sizeof *points);
    memcpy(points + s->n * COLUMNS, x, COLUMNS * sizeof *points);
    gp_reference_predict(&s->spec, p->theta, &data, gp_jitter(p->model), 0, NULL, all, points, mu, NULL, cov, NULL);
    double jitter = FIRST_JITTER * gp_signal_var(p->model);
    check_close(pow(p->base.factor[0], 2), cov[0] + jitter, 0, 0.1 * jitter);
    for (size_t i = 0; i < s->n; i++) cov[i * all + i] += jitter;
    for (size_t i = 0; i < all; i++)
        for (size_t j = 0; j < all; j++)
            cov[i * all + j] *= (i < s->n ? p->rho[i] : p->rho_at) * (j < s->n ? p->rho[j] : p->rho_at);
}

static double by_reference(const setting *s, const double *x) {
    double mu[PARTS][ROWS + 1], cov[PARTS][(ROWS + 1) * (ROWS + 1)];
    joint_reference_part known[PARTS];
    for (size_t k = 0; k < s->joint.parts; k++) {
        posterior(s, k, x, mu[k], cov[k]);
        known[k] = (joint_reference_part){mu[k], cov[k], s->part[k].base.draw[0], BASELINE_POINTS, s->joint.bound[k]};
    }
    return joint_reference_log(s->n, s->joint.objectives, s->joint.parts, known, BASELINE_DRAWS, s->floor,
                               s->reference);
}

static void check_textbook(size_t objectives, size_t constraints, rng *r) {
    for (int trial = 0; trial < 12; trial++) {
        size_t n = objectives > 3 ? 4 : 1 + (size_t)rng_below(r, ROWS);
        double noise = pow(10, -2 * rng_uniform(r));
        setting *s = open_setting(objectives, objectives + constraints, n, noise, trial % 2, r);
        for (size_t i = 0; i < AT; i++) {
            double expected = by_reference(s, s->at + i * COLUMNS);
            assert_true(isfinite(expected));
            /* rounding of 1e-16 in covariances of which 1e-3 may be left, and tails of a few standard deviations; in
             * tails of a hundred (a score of -6700) that much of the score itself */
            check_close(score(s, s->at + i * COLUMNS), expected, 1e-11, 1e-8);
        }
        close_setting(s);
    }
}

static void one_objective_by_the_textbook(void **state) {
    (void)state;
    rng r = scene_random(171);
    for (size_t constraints = 0; constraints <= 3; constraints++) check_textbook(1, constraints, &r);
}

static void several_objectives_by_the_textbook(void **state) {
    (void)state;
    rng r = scene_random(172);
    for (size_t objectives = 2; objectives <= 4; objectives++)
        for (size_t constraints = 0; constraints <= 2; constraints++) check_textbook(objectives, constraints, &r);
}

/* ---- limits ------------------------------------------------------------------------------------ */

/* Without constraints, and with constraints that always hold, it is noisy EI; also by the boxes of one objective. */
static void noisy_ei_again(void **state) {
    (void)state;
    rng r = scene_random(173);
    for (int trial = 0; trial < 40; trial++) {
        size_t parts = 1 + (size_t)rng_below(&r, 3);
        setting *s = open_setting(1, parts, 1 + (size_t)rng_below(&r, ROWS), 0.05, trial % 2, &r);
        for (size_t k = 0; k < parts; k++) s->joint.bound[k] = -INFINITY;
        check_ok(joint_prepare(&s->joint, s->floor, NULL, &error));
        front_boxes boxes = {0};
        for (size_t i = 0; i < AT; i++) {
            baseline_view view[PARTS];
            double sum = 0, low = -100;
            look(s, s->at + i * COLUMNS, view);
            double plain = baseline_log_ei(&s->part[0].base, view, NULL),
                   sd = sqrt(baseline_var(&s->part[0].base, view));
            check_close(joint_log_score(&s->joint, view, NULL), plain, 1e-14, 1e-14); /* the same sums */
            for (size_t d = 0; d < BASELINE_DRAWS; d++) {
                double mean = baseline_mean(&s->part[0].base, d, view);
                check_ok(front_boxes_make(&boxes, 1, s->n, s->part[0].base.value[d], &low, &error));
                sum += exp(ehvi_log(&boxes, &mean, &sd, NULL, NULL));
            }
            check_close(log(sum / BASELINE_DRAWS), plain, 0, 1e-12); /* the error of ehvi_log */
        }
        front_boxes_release(&boxes);
        close_setting(s);
    }
}

/* Where the values at the rows are known, the score is EI over the best feasible one times the probability that the
 * constraint holds. */
static void without_noise(void **state) {
    (void)state;
    rng r = scene_random(174);
    for (int trial = 0; trial < 40; trial++) {
        setting *s = open_setting(1, 2, 5, 1e-14, 0, &r);
        double best = s->floor, gap = INFINITY;
        for (size_t i = 0; i < s->n; i++) {
            gap = fmin(gap, fabs(s->part[1].y[i] - s->joint.bound[1]));
            if (s->part[1].y[i] >= s->joint.bound[1]) best = fmax(best, s->part[0].y[i]);
        }
        for (size_t i = 0; i < AT && gap > 1e-3; i++) {
            baseline_view view[PARTS];
            double ignored[2];
            look(s, s->at + i * COLUMNS, view);
            law f = {.kind = LAW_NORMAL, .mu = view[0].mu, .v = view[0].v};
            double expected = law_log_ei(&f, best, NULL) +
                              joint_log_above(view[1].mu, view[1].v, s->joint.bound[1], &ignored[0], &ignored[1]);
            if (expected < -12) continue; /* tails multiply what the jitter changes */
            /* the jitter makes the values uncertain by 1e-9 of the signal variance; antithetic draws leave the square
             * of that sd, relative to the variance at the point, times the square of four standard deviations */
            check_close(score(s, s->at + i * COLUMNS), expected, 0, 1e-5);
        }
        close_setting(s);
    }
}

/* A draw without feasible points improves on the floor, or on nothing but the reference. */
static void no_feasible_point(void **state) {
    (void)state;
    rng r = scene_random(175);
    for (size_t objectives = 1; objectives <= 3; objectives++) {
        setting *s = open_setting(objectives, objectives + 1, ROWS, 0.05, 1, &r);
        s->joint.bound[objectives] = 3; /* within reach of x, and of no row */
        check_ok(joint_prepare(&s->joint, s->floor, s->reference, &error));
        for (size_t d = 0; d < BASELINE_DRAWS; d++) {
            if (objectives == 1)
                check_same(s->joint.best[d], s->floor);
            else
                assert_int_equal(s->joint.boxes[d].boxes, 1);
        }
        for (size_t i = 0; i < AT; i++)
            check_close(score(s, s->at + i * COLUMNS), by_reference(s, s->at + i * COLUMNS), 1e-9, 1e-8); /* as above */
        close_setting(s);
    }
}

static int is_finite_view(const baseline_view *g, size_t points) {
    int finite = isfinite(g->mu) && isfinite(g->v) && isfinite(g->rho);
    for (size_t k = 0; k < points; k++) finite = finite && isfinite(g->d[k]);
    return finite;
}

/* Nothing that the models may say of a point makes the score, or its gradient, infinite. */
static void extreme_beliefs(void **state) {
    (void)state;
    static const double values[] = {0, 5e-324, 1e-310, 1e-150, 1e-16, 1, 1e10, 1e50};
    enum { VALUES = sizeof values / sizeof values[0] };
    rng r = scene_random(176);
    for (size_t objectives = 1; objectives <= 4; objectives++) {
        setting *s = open_setting(objectives, objectives + 2, 6, 0.1, 0, &r);
        for (int i = 0; i < 4000; i++) {
            baseline_view at[PARTS], grad[PARTS];
            for (size_t k = 0; k < s->joint.parts; k++) {
                double v = values[rng_below(&r, VALUES)], tie = fmin(values[rng_below(&r, VALUES)], 1);
                at[k] = (baseline_view){.mu = values[rng_below(&r, VALUES)], .v = v, .rho = i % 3 ? 1 : 0.1};
                if (rng_below(&r, 2)) at[k].mu = -at[k].mu;
                for (size_t p = 0; p < s->n; p++) at[k].d[p] = sqrt(v) * tie * (p % 2 ? -1 : 1);
            }
            double found = joint_log_score(&s->joint, at, grad);
            int finite = isfinite(found);
            for (size_t k = 0; k < s->joint.parts; k++) finite = finite && is_finite_view(&grad[k], s->n);
            check_that(finite, "%zu objectives: %g; part 0: mu %g, v %g; last: mu %g, v %g", objectives, found,
                       at[0].mu, at[0].v, at[objectives + 1].mu, at[objectives + 1].v);
        }
        close_setting(s);
    }
}

/* log P(f >= bound) and its slopes where Phi underflows: -z^2/2 - log(-z) - log(2 pi)/2, slope -z - 1/z. */
static void far_below_a_bound(void **state) {
    (void)state;
    for (double z = 20; z < 1e12; z *= 7) {
        double by_mean, by_var, value = joint_log_above(-3 * z + 1, 9, 1, &by_mean, &by_var);
        /* the series leaves out terms of 1/z^2 and 1/z^4 */
        check_close(value, -z * z / 2 - log(z) - log(2 * acos(-1)) / 2 - 1 / (z * z), 1e-15, 3 / pow(z, 4));
        check_close(by_mean, (z + 1 / z) / 3, 3 / pow(z, 4) + 1e-14, 0);
        check_close(by_var, (z + 1 / z) * z / 18, 3 / pow(z, 4) + 1e-14, 0);
    }
    double by_mean = 1, by_var = 1;
    check_same(joint_log_above(0, 1, -INFINITY, &by_mean, &by_var), 0.0);
    assert_true(by_mean == 0 && by_var == 0);
    assert_true(joint_log_above(50, 1, 0, &by_mean, &by_var) == 0 && by_mean < 1e-100);
}

/* ---- gradients --------------------------------------------------------------------------------- */

/* Derivatives by mu, v, rho and d of every part. */
static void check_partial(const setting *s, baseline_view *at) {
    baseline_view g[PARTS];
    joint_log_score(&s->joint, at, g);
    for (size_t k = 0; k < s->joint.parts; k++)
        for (size_t i = 0; i < s->n + 3; i++) {
            double *x = i == 0 ? &at[k].mu : i == 1 ? &at[k].v : i == 2 ? &at[k].rho : &at[k].d[i - 3];
            double found = i == 0 ? g[k].mu : i == 1 ? g[k].v : i == 2 ? g[k].rho : g[k].d[i - 3];
            double centre = *x, step = 1e-6;
            *x = centre + step;
            double up = joint_log_score(&s->joint, at, NULL);
            *x = centre - step;
            double slope = (up - joint_log_score(&s->joint, at, NULL)) / (2 * step);
            *x = centre;
            /* rounding 1e-14/step, third derivatives of 1e4 or less */
            check_that(check_agrees(found, slope, 1e-6, 1e-6), "part %zu, argument %zu: %.12g, by differences %.12g", k,
                       i, found, slope);
        }
}

static void partial_derivatives(void **state) {
    (void)state;
    rng r = scene_random(177);
    for (int trial = 0; trial < 30; trial++) {
        size_t objectives = 1 + (size_t)trial % 4, parts = objectives + (size_t)rng_below(&r, 3);
        setting *s = open_setting(objectives, parts, 1 + (size_t)rng_below(&r, ROWS), 0.1, 1, &r);
        baseline_view at[PARTS] = {{.mu = 0}};
        for (size_t k = 0; k < parts; k++) {
            double size = 0;
            for (size_t p = 0; p < s->n; p++) at[k].d[p] = 0.3 * rng_normal(&r), size += pow(at[k].d[p], 2);
            at[k].mu = rng_normal(&r);
            at[k].v = size + 0.3 + rng_uniform(&r);
            at[k].rho = 0.5 + rng_uniform(&r);
        }
        check_partial(s, at);
        close_setting(s);
    }
}

enum { STAGES = 3 };

/* A surface of three outputs, each with its model and calibrator; the rows differ, which the gradient does not know. */
typedef struct ensemble {
    stage *stage[STAGES];
    baseline base[STAGES];
    joint joint;
    double bound[STAGES];
    surface surface;
} ensemble;

static void draw_stage(ensemble *e, size_t k, uint64_t seed) {
    stage *s = e->stage[k];
    size_t rows[STAGE_ROWS];
    double rho[STAGE_ROWS];
    for (size_t i = 0; i < STAGE_ROWS; i++) rows[i] = i, rho[i] = 0.8 + 0.02 * (double)i;
    check_ok(baseline_init(&e->base[k], s->columns, &error));
    baseline_take(&e->base[k], s->model, STAGE_ROWS, rows);
    check_ok(baseline_prepare(&e->base[k], s->model, rho, rng_open(seed, k, RNG_BASELINE), &error));
    e->joint.base[k] = &e->base[k];
}

static ensemble *open_ensemble(const locbo_space *space, const scene_method *m, size_t objectives) {
    static const double reference[OUTPUTS_OBJECTIVES] = {-2, -2, -2, -2};
    ensemble *e = calloc(1, sizeof *e);
    for (size_t k = 0; k < STAGES; k++) {
        e->stage[k] = stage_open(space, m, 80 + k);
        draw_stage(e, k, 75);
        e->bound[k] = k < objectives ? -INFINITY : -0.5;
        if (k > 0) e->stage[0]->surface.part[k] = e->stage[k]->surface.part[0];
    }
    e->joint.objectives = objectives;
    e->joint.parts = STAGES;
    memcpy(e->joint.bound, e->bound, sizeof e->bound);
    check_ok(joint_prepare(&e->joint, -4, reference, &error));
    e->surface = e->stage[0]->surface;
    e->surface.acquisition.parts = STAGES;
    e->surface.acquisition.bound = e->bound;
    return e;
}

static void close_ensemble(ensemble *e) {
    joint_release(&e->joint);
    for (size_t k = 0; k < STAGES; k++) {
        baseline_release(&e->base[k]);
        stage_close(e->stage[k]);
    }
    free(e);
}

/* The gradient at random points, with the success model and without. Next to a row the drawn constraints leave next to
 * no doubt: the score is then too steep for differences. */
static void check_ensemble(ensemble *e, rng *r) {
    for (int i = 0; i < 6;) {
        double x[STAGE_MAX], u[STAGE_MAX], score;
        stage_point(e->stage[0], r, x, u);
        e->surface.success = i % 2 ? e->stage[0]->success : NULL;
        check_ok(surface_score(&e->surface, 1, u, &score, &error));
        if (score < -1e4) continue;
        stage_check_gradient(&e->surface, u);
        i++;
    }
}

/* Every calibrator but CBO's, whose gradient leaves out how its set moves. */
static void gradients_of_surfaces(void **state) {
    (void)state;
    locbo_space *space = scene_mixed();
    rng r = scene_random(178);
    for (size_t m = 0; m + 1 < SCENE_METHOD_COUNT; m++) {
        if (strcmp(SCENE_METHODS[m].method, "cbo") == 0) continue;
        for (size_t objectives = 1; objectives <= STAGES; objectives++) {
            ensemble *e = open_ensemble(space, &SCENE_METHODS[m], objectives);
            e->surface.acquisition.joint = &e->joint;
            check_ensemble(e, &r);
            close_ensemble(e);
        }
    }
    locbo_space_destroy(space);
}

/* The acquisitions of one objective, which constraints are a factor of, and the mean where they hold. */
static void gradients_with_factors(void **state) {
    (void)state;
    static const locbo_acquisition kinds[] = {LOCBO_ACQUISITION_LOG_EI, LOCBO_ACQUISITION_PI, LOCBO_ACQUISITION_UCB};
    locbo_space *space = scene_cube(3);
    rng r = scene_random(179);
    for (size_t m = 0; m < 3; m++) {
        ensemble *e = open_ensemble(space, &SCENE_METHODS[m], 1);
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            e->surface.acquisition.kind = kinds[i];
            check_ensemble(e, &r);
        }
        e->surface.acquisition.safety = 0.9;
        check_ensemble(e, &r);
        close_ensemble(e);
    }
    locbo_space_destroy(space);
}

/* ---- which points ------------------------------------------------------------------------------ */

enum { CROWD = 100, FEW = 12 };

/* Choose as many as there are, at most `most`. */
static void choose(const joint_points *points, size_t most, size_t *chosen) {
    size_t count = 0;
    check_ok(joint_choose(points, most, rng_open(1, 1, RNG_CONTEST), chosen, &count, &error));
    assert_int_equal(count, most < points->n ? most : points->n);
}

/* One objective and one constraint: the first half has large means and is infeasible, the second rises slowly. */
static void feasible_points_are_chosen(void **state) {
    (void)state;
    double mean[CROWD * 2], sd[CROWD * 2];
    const double bound[] = {-INFINITY, 0};
    size_t chosen[FEW];
    for (size_t i = 0; i < CROWD; i++) {
        mean[2 * i] = i < CROWD / 2 ? 50 : 0.1 * (double)(i - CROWD / 2);
        mean[2 * i + 1] = i < CROWD / 2 ? -2 : 2;
        sd[2 * i] = 0.1;
        sd[2 * i + 1] = 0.2; /* ten standard deviations from the bound */
    }
    const joint_points points = {1, 2, CROWD, mean, sd, bound};
    choose(&points, FEW, chosen);
    assert_int_equal(chosen[0], CROWD - 1);
    for (size_t i = 0; i < FEW; i++) check_that(chosen[i] >= CROWD - FEW, "choice %zu is point %zu", i, chosen[i]);
    /* none twice, and all if there are few */
    size_t all[CROWD], seen[CROWD] = {0};
    choose(&points, 2 * CROWD, all);
    for (size_t i = 0; i < CROWD; i++) seen[all[i]]++;
    for (size_t i = 0; i < CROWD; i++) assert_int_equal(seen[i], 1);
}

/* Where nothing is feasible, those that are most probably. */
static void the_most_probable_if_none_is_feasible(void **state) {
    (void)state;
    double mean[CROWD * 2], sd[CROWD * 2];
    const double bound[] = {-INFINITY, 0};
    size_t chosen[FEW];
    for (size_t i = 0; i < CROWD; i++) {
        mean[2 * i] = 0;
        mean[2 * i + 1] = -8 - 0.05 * (double)i;
        sd[2 * i] = sd[2 * i + 1] = 1;
    }
    choose(&(joint_points){1, 2, CROWD, mean, sd, bound}, FEW, chosen);
    for (size_t i = 0; i < FEW; i++) assert_int_equal(chosen[i], i);
}

/* Two objectives: the points on the arc are the front, those inside are not, and those outside are infeasible. */
static void fronts_are_chosen(void **state) {
    (void)state;
    double mean[CROWD * 3], sd[CROWD * 3];
    const double bound[] = {-INFINITY, -INFINITY, 0};
    size_t chosen[CROWD / 4];
    for (size_t i = 0; i < CROWD; i++) {
        double angle = acos(0) * (double)(i / 4) / (CROWD / 4), size = i % 4 == 0 ? 1 : i % 4 == 1 ? 2 : 0.5;
        mean[3 * i] = size * cos(angle);
        mean[3 * i + 1] = size * sin(angle);
        mean[3 * i + 2] = i % 4 == 1 ? -1 : 1;
        sd[3 * i] = sd[3 * i + 1] = 1e-4;
        sd[3 * i + 2] = 0.1;
    }
    choose(&(joint_points){2, 3, CROWD, mean, sd, bound}, CROWD / 4, chosen);
    for (size_t i = 0; i < CROWD / 4; i++) check_that(chosen[i] % 4 == 0, "point %zu was chosen", chosen[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_objective_by_the_textbook),
        cmocka_unit_test(several_objectives_by_the_textbook),
        cmocka_unit_test(noisy_ei_again),
        cmocka_unit_test(without_noise),
        cmocka_unit_test(no_feasible_point),
        cmocka_unit_test(extreme_beliefs),
        cmocka_unit_test(far_below_a_bound),
        cmocka_unit_test(partial_derivatives),
        cmocka_unit_test(gradients_of_surfaces),
        cmocka_unit_test(gradients_with_factors),
        cmocka_unit_test(feasible_points_are_chosen),
        cmocka_unit_test(the_most_probable_if_none_is_feasible),
        cmocka_unit_test(fronts_are_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
