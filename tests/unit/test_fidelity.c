/* test_fidelity.c - a fidelity parameter: what is refused, the limit of full fidelity alone, best and recommended
 * points at full fidelity, the share that is spent below it, fidelities that mislead, cost, saved states. */
#include "scene.h"

#include <cost.h>
#include <fidelity.h>

/* x, y in [0, 1], and a fidelity s in [0.1, 1] that costs s. */
static locbo_space *plane(int with_cost) {
    locbo_space *space = scene_cube(2);
    locbo_parameter_spec s = {
        .struct_size = sizeof s, .name = "s", .kind = LOCBO_REAL, .low = 0.1, .high = 1, .fidelity = 1};
    check_ok(locbo_space_add(space, &s, &error));
    if (with_cost) check_ok(locbo_space_set_cost(space, "s", &error));
    return space;
}

static locbo_options options_of(uint64_t seed) {
    locbo_options options;
    locbo_options_init(&options);
    options.seed = seed;
    return options;
}

/* A bowl; lower fidelities agree but for an offset that is smaller at the top. */
static double bowl(const double *x) { return pow(x[0] - 0.3, 2) + pow(x[1] - 0.7, 2); }
static double agreeing(const double *x) { return bowl(x) + 0.5 * (1 - x[2]) + 0.05 * (1 - x[2]) * x[0]; }
static double opposed(const double *x) { return x[2] == 1 ? bowl(x) : 2 - bowl(x); }

typedef double problem_fn(const double *x);

static void round_of(locbo_optimizer *o, problem_fn *f, double *x, locbo_trial *t) {
    locbo_trial info;
    uint64_t id = scene_ask(o, t ? t : &info, x);
    scene_tell(o, id, f(x));
}

/* ---- what is refused --------------------------------------------------------------------------- */

static void what_is_no_fidelity_is_refused(void **state) {
    (void)state;
    locbo_space *space = plane(0);
    const char *words[] = {"a", "b"};
    double one = 1;
    struct {
        locbo_parameter_spec spec;
        const char *why;
    } bad[] = {
        {{.name = "t", .low = 0, .high = 1, .fidelity = 1}, "'s' is the fidelity already"},
        {{.name = "t", .low = 0, .high = 1, .fidelity = 2}, "fidelity must be 0 or 1, got 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bad[i].spec.struct_size = sizeof bad[i].spec;
        check_fails(locbo_space_add(space, &bad[i].spec, &error), LOCBO_ERR_ARGUMENT, bad[i].why);
    }
    locbo_space_destroy(space);
    space = scene_cube(1);
    locbo_parameter_spec kind = {.struct_size = sizeof kind,
                                 .name = "k",
                                 .kind = LOCBO_CATEGORICAL,
                                 .count = 2,
                                 .categories = words,
                                 .fidelity = 1};
    check_fails(locbo_space_add(space, &kind, &error), LOCBO_ERR_ARGUMENT, "a real or an integer");
    kind.fidelity = 0;
    check_ok(locbo_space_add(space, &kind, &error));
    locbo_parameter_spec child = {.struct_size = sizeof child,
                                  .name = "c",
                                  .kind = LOCBO_INT,
                                  .low = 1,
                                  .high = 9,
                                  .parent = "k",
                                  .when_count = 1,
                                  .when = &one,
                                  .fidelity = 1};
    check_fails(locbo_space_add(space, &child, &error), LOCBO_ERR_ARGUMENT, "always active");
    assert_true(locbo_space_fidelity(space) == SIZE_MAX);
    check_fails(locbo_space_set_cost(space, "nobody * 2", &error), LOCBO_ERR_ARGUMENT, "no parameter 'nobody'");
    check_fails(locbo_space_set_cost(space, "x0 < 2", &error), LOCBO_ERR_ARGUMENT, "is a condition, not a number");
    check_fails(locbo_space_set_cost(space, "k + 1", &error), LOCBO_ERR_ARGUMENT, "are no numbers");
    assert_null(locbo_space_cost(space));
    locbo_space_destroy(space);
}

static void the_cost_is_that_of_the_expression(void **state) {
    (void)state;
    locbo_space *space = plane(0);
    double x[3] = {0.5, 0.25, 0.4}, price;
    check_fails(locbo_space_cost_at(space, x, &price, &error), LOCBO_ERR_STATE, "no cost expression");
    check_ok(locbo_space_set_cost(space, "2 * s + x0", &error));
    check_ok(locbo_space_cost_at(space, x, &price, &error));
    check_close(price, 1.3, 1e-15, 0);
    check_ok(locbo_space_set_cost(space, "s - 1", &error));
    check_fails(locbo_space_cost_at(space, x, &price, &error), LOCBO_ERR_ARGUMENT,
                "must be positive and finite, got -0.6");
    check_ok(locbo_space_set_cost(space, NULL, &error));
    assert_null(locbo_space_cost(space));
    locbo_space_destroy(space);
}

static void several_objectives_are_refused(void **state) {
    (void)state;
    locbo_space *space = plane(1);
    locbo_outputs *table;
    locbo_optimizer *o = NULL;
    check_ok(locbo_outputs_create(&table, &error));
    check_ok(
        locbo_outputs_add(table, &(locbo_output_spec){.struct_size = sizeof(locbo_output_spec), .name = "a"}, &error));
    check_ok(
        locbo_outputs_add(table, &(locbo_output_spec){.struct_size = sizeof(locbo_output_spec), .name = "b"}, &error));
    check_fails(locbo_optimizer_create_for(&o, space, table, NULL, &error), LOCBO_ERR_ARGUMENT, "one objective, got 2");
    locbo_outputs_destroy(table);
    locbo_space_destroy(space);
}

/* ---- full fidelity alone ----------------------------------------------------------------------- */

/* With results at full fidelity alone everything is as without the parameter. Hyper-parameters are fixed, so that only
 * the signal variance is fitted, to f_tolerance: the likelihoods are the same function of it. */
static void full_fidelity_alone_is_no_fidelity(void **state) {
    (void)state;
    locbo_space *with = plane(1), *without = scene_cube(2);
    locbo_options options = options_of(3);
    options.length_scale = 0.4;
    options.noise_var = 1e-4;
    locbo_optimizer *a = scene_optimizer(with, &options), *b = scene_optimizer(without, &options);
    rng r = scene_random(11);
    for (int i = 0; i < 20; i++) {
        double x[3] = {rng_uniform(&r), rng_uniform(&r), 1};
        scene_add(a, x, agreeing(x));
        scene_add(b, x, agreeing(x));
    }
    for (int i = 0; i < 20; i++) {
        double x[3] = {rng_uniform(&r), rng_uniform(&r), 1};
        locbo_belief p, q;
        check_ok(locbo_optimizer_predict(a, 1, x, &p, &error));
        check_ok(locbo_optimizer_predict(b, 1, x, &q, &error));
        check_close(p.mean, q.mean, 1e-6, 1e-7);
        check_close(p.sd_f, q.sd_f, 1e-5, 1e-8);
        check_close(p.acquisition, q.acquisition, 1e-4, 1e-4); /* a logarithm of an improvement of many sd */
    }
    locbo_choice ca, cb;
    double xa[3], xb[2];
    check_ok(locbo_optimizer_best(a, &ca, xa, &error));
    check_ok(locbo_optimizer_best(b, &cb, xb, &error));
    check_same(ca.value, cb.value);
    assert_memory_equal(xa, xb, sizeof xb);
    check_same(xa[2], 1);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(b);
    locbo_space_destroy(with);
    locbo_space_destroy(without);
}

/* ---- best, recommended, proposed --------------------------------------------------------------- */

static void best_and_recommended_are_at_full_fidelity(void **state) {
    (void)state;
    locbo_space *space = plane(1);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        locbo_options options = options_of(seed);
        if (seed == 2) options.recommendation = LOCBO_RECOMMEND_EVALUATED;
        if (seed == 3) options.acquisition = LOCBO_ACQUISITION_MES;
        locbo_optimizer *o = scene_optimizer(space, &options);
        double x[3], best = INFINITY;
        size_t below = 0;
        for (int i = 0; i < 30; i++) {
            locbo_choice choice;
            round_of(o, agreeing, x, NULL);
            if (x[2] == 1) best = fmin(best, agreeing(x));
            below += x[2] < 1;
            if (i < 3) continue;
            check_ok(locbo_optimizer_best(o, &choice, x, &error));
            check_same(x[2], 1);
            check_same(choice.value, best);
            check_ok(locbo_optimizer_recommend(o, &choice, x, &error));
            check_same(x[2], 1);
        }
        check_that(below > 8, "%zu of 30 are below full fidelity", below);
        check_that(bowl(x) < 0.01, "recommended (%g, %g)", x[0], x[1]);
        locbo_optimizer_destroy(o);
    }
    locbo_space_destroy(space);
}

static void without_a_full_result_nothing_is_best(void **state) {
    (void)state;
    locbo_space *space = plane(1);
    locbo_options options = options_of(1);
    locbo_optimizer *o = scene_optimizer(space, &options);
    locbo_choice choice;
    double x[3];
    for (int i = 0; i < 6; i++) scene_add(o, (double[]){0.1 * i, 0.5, 0.2 + 0.1 * i}, 1 + 0.1 * i);
    check_fails(locbo_optimizer_best(o, &choice, x, &error), LOCBO_ERR_STATE, "no trial has ended at full fidelity");
    check_ok(locbo_optimizer_recommend(o, &choice, x, &error));
    check_same(x[2], 1);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* What proposals of the model spend below full fidelity: never more than the share, but for a head of two. */
static void the_share_is_kept(void **state) {
    (void)state;
    locbo_space *space = plane(1);
    static const double shares[] = {0, 0.2, 0.7};
    for (size_t k = 0; k < 3; k++) {
        locbo_options options = options_of(5 + k);
        options.fidelity_share = shares[k];
        locbo_optimizer *o = scene_optimizer(space, &options);
        double x[3], below = 0, all = 0;
        for (int i = 0; i < 40; i++) {
            locbo_trial t;
            round_of(o, agreeing, x, &t);
            if (t.origin == LOCBO_ORIGIN_DESIGN) continue;
            all += x[2];
            if (x[2] < 1) below += x[2];
            check_that(below <= shares[k] * (all + 2) + 1e-12, "share %g: %g of %g", shares[k], below, all);
        }
        check_that((below > 0) == (k > 0), "share %g: %g", shares[k], below);
        locbo_optimizer_destroy(o);
    }
    locbo_space_destroy(space);
}

static void fixed_values_are_kept(void **state) {
    (void)state;
    locbo_space *space = plane(1);
    locbo_options options = options_of(9);
    locbo_optimizer *o = scene_optimizer(space, &options);
    double x[3];
    for (int i = 0; i < 12; i++) round_of(o, agreeing, x, NULL);
    locbo_trial t;
    double fixed[3] = {0.25, NAN, NAN}, low[3] = {NAN, NAN, 0.4};
    locbo_ask_options how = {.struct_size = sizeof how, .fixed = fixed};
    check_ok(locbo_optimizer_ask_with(o, &how, &t, x, &error));
    check_same(x[0], 0.25);
    how.fixed = low;
    check_ok(locbo_optimizer_ask_with(o, &how, &t, x, &error));
    check_same(x[2], 0.4);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* ---- a fidelity that misleads ------------------------------------------------------------------ */

/* The pairs of the design disagree: all that follows is at full fidelity, and the model is that of the results there.
 */
static void a_fidelity_that_misleads_is_not_heard(void **state) {
    (void)state;
    locbo_space *space = plane(1), *without = scene_cube(2);
    locbo_options options = options_of(2);
    options.length_scale = 0.4;
    options.noise_var = 1e-4;
    locbo_optimizer *o = scene_optimizer(space, &options), *plain = scene_optimizer(without, &options);
    for (int i = 0; i < 20; i++) {
        double x[3];
        round_of(o, opposed, x, NULL);
        if (i >= 6) check_same(x[2], 1);
        if (x[2] == 1) scene_add(plain, x, bowl(x));
    }
    assert_true(fidelity_misleads(o));
    for (int i = 0; i < 10; i++) {
        double x[3] = {0.1 * i, 0.9 - 0.07 * i, 1};
        locbo_belief p, q;
        check_ok(locbo_optimizer_predict(o, 1, x, &p, &error));
        check_ok(locbo_optimizer_predict(plain, 1, x, &q, &error));
        check_close(p.mean, q.mean, 1e-4, 1e-4); /* fits of the signal variance to f_tolerance */
    }
    locbo_optimizer_destroy(o);
    locbo_optimizer_destroy(plain);
    locbo_space_destroy(space);
    locbo_space_destroy(without);
}

/* ---- cost -------------------------------------------------------------------------------------- */

static void measured_costs_are_modelled(void **state) {
    (void)state;
    locbo_space *space = plane(0);
    locbo_options options = options_of(4);
    locbo_optimizer *o = scene_optimizer(space, &options);
    cost c;
    double half[3] = {0.5, 0.5, 0.5}, full[3] = {0.5, 0.5, 1};
    check_ok(cost_init(&c, o, &error)); /* before anything is told: proportional to the fidelity */
    check_close(cost_log(&c, full) - cost_log(&c, half), log(2), 1e-12, 0);
    cost_release(&c);
    for (int i = 0; i < 25; i++) {
        double x[3];
        locbo_trial t;
        uint64_t id = scene_ask(o, &t, x);
        scene_tell(o, id, agreeing(x));
        check_ok(locbo_optimizer_tell_cost(o, id, 30 * pow(x[2], 1.6) * exp(0.8 * x[0]), &error));
    }
    check_ok(cost_init(&c, o, &error));
    /* the priors pull a little */
    check_close(cost_log(&c, full), log(30) + 0.4, 0, 0.1);
    check_close(cost_log(&c, full) - cost_log(&c, half), 1.6 * log(2), 0, 0.05);
    check_close(cost_log(&c, (double[]){1, 0.5, 1}) - cost_log(&c, (double[]){0, 0.5, 1}), 0.8, 0, 0.25);
    cost_release(&c);
    check_fails(locbo_optimizer_tell_cost(o, 1, 0, &error), LOCBO_ERR_ARGUMENT, "positive and finite, got 0");
    check_fails(locbo_optimizer_tell_cost(o, 1, NAN, &error), LOCBO_ERR_ARGUMENT, "got nan");
    check_fails(locbo_optimizer_tell_cost(o, 99, 1, &error), LOCBO_ERR_NOT_FOUND, "no trial 99");
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* ---- ended early ------------------------------------------------------------------------------- */

static void an_ended_trial_informs_the_model_alone(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    locbo_options options = options_of(6);
    locbo_optimizer *o = scene_optimizer(space, &options);
    double x[2];
    for (int i = 0; i < 10; i++) {
        uint64_t id = scene_ask(o, NULL, x);
        scene_tell(o, id, bowl(x));
    }
    locbo_summary before = scene_summary(o);
    uint64_t id = scene_ask(o, NULL, x);
    locbo_measurement guess = {.value = -0.05, .sd = 0.005, .n = 1}; /* better than all: it must not become the best */
    locbo_belief b, was;
    check_ok(locbo_optimizer_predict(o, 1, x, &was, &error));
    double other[2] = {x[0], 0.123};
    check_fails(locbo_optimizer_tell_ended(o, id, other, &guess, &error), LOCBO_ERR_ARGUMENT, "ended at another point");
    check_ok(locbo_optimizer_tell_ended(o, id, NULL, &guess, &error));
    locbo_trial_state now;
    check_ok(locbo_optimizer_trial(o, id, NULL, &now, NULL, &error));
    assert_int_equal(now, LOCBO_TRIAL_ENDED);
    check_fails(locbo_optimizer_tell_ended(o, id, NULL, &guess, &error), LOCBO_ERR_STATE, "not outstanding");
    check_fails(locbo_optimizer_tell(o, id, &guess, &error), LOCBO_ERR_STATE, "was ended early");
    locbo_summary after = scene_summary(o);
    assert_int_equal(after.judged, before.judged);
    locbo_choice choice;
    double at[2];
    check_ok(locbo_optimizer_best(o, &choice, at, &error));
    check_that(choice.trial != id && choice.value >= 0, "trial %d, %g", (int)choice.trial, choice.value);
    check_ok(locbo_optimizer_predict(o, 1, x, &b, &error));
    check_that(b.mean < was.mean - 0.005, "the model believes %g, before %g", b.mean, was.mean);
    id = scene_ask(o, NULL, x);
    check_ok(locbo_optimizer_tell_ended(o, id, NULL, NULL, &error)); /* nothing is known */
    scene_ask(o, NULL, x);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* ---- saved states ------------------------------------------------------------------------------ */

static char *saved(locbo_optimizer *o) {
    char *text;
    check_ok(locbo_optimizer_save(o, &text, NULL, &error));
    return text;
}

static void saved_states_continue_with_the_same_bits(void **state) {
    (void)state;
    for (int misleads = 0; misleads < 2; misleads++) {
        locbo_space *space = plane(misleads);
        locbo_options options = options_of(21);
        locbo_optimizer *o = scene_optimizer(space, &options), *copy, *altered;
        double x[3], y[3];
        for (int i = 0; i < 18; i++) {
            uint64_t id = scene_ask(o, NULL, x);
            locbo_measurement m = {.value = misleads ? opposed(x) : agreeing(x), .sd = NAN, .n = 1};
            double lower[3] = {x[0], x[1], 0.5 * (0.1 + x[2])};
            if (i % 7 == 6)
                check_ok(locbo_optimizer_tell_ended(o, id, lower, &m, &error));
            else
                check_ok(locbo_optimizer_tell(o, id, &m, &error));
            if (i % 2) check_ok(locbo_optimizer_tell_cost(o, id, x[2] + 0.1, &error));
        }
        char *text = saved(o), *again;
        check_ok(locbo_optimizer_load(&copy, text, strlen(text), &error));
        again = saved(copy);
        assert_string_equal(text, again);
        check_ok(locbo_optimizer_alter(&altered, o, space, NULL, NULL, &error));
        for (int i = 0; i < 4; i++) {
            scene_ask(o, NULL, x);
            scene_ask(copy, NULL, y);
            assert_memory_equal(x, y, sizeof x);
        }
        scene_ask(altered, NULL, y);
        assert_string_equal(locbo_space_cost(locbo_optimizer_space(altered)) ? "s" : "",
                            locbo_space_cost(space) ? "s" : "");
        locbo_free(text);
        locbo_free(again);
        locbo_optimizer_destroy(o);
        locbo_optimizer_destroy(copy);
        locbo_optimizer_destroy(altered);
        locbo_space_destroy(space);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_fidelity_is_refused),
        cmocka_unit_test(the_cost_is_that_of_the_expression),
        cmocka_unit_test(several_objectives_are_refused),
        cmocka_unit_test(full_fidelity_alone_is_no_fidelity),
        cmocka_unit_test(best_and_recommended_are_at_full_fidelity),
        cmocka_unit_test(without_a_full_result_nothing_is_best),
        cmocka_unit_test(the_share_is_kept),
        cmocka_unit_test(fixed_values_are_kept),
        cmocka_unit_test(a_fidelity_that_misleads_is_not_heard),
        cmocka_unit_test(measured_costs_are_modelled),
        cmocka_unit_test(an_ended_trial_informs_the_model_alone),
        cmocka_unit_test(saved_states_continue_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
