/* test_importance.c - Sobol' indices of the model's mean: against closed forms of functions that the model has learnt,
 * and a category among parameters that do nothing. */
#include "scene.h"
#include "short_memory.h"

static const scene_method PLAIN = {"bo", "bo", "0.25"};

/* n results at random points of the space, which may have constraints on the first two. */
static locbo_optimizer *informed(const locbo_space *space, uint64_t seed, size_t n, double noise,
                                 double (*f)(const double *x)) {
    locbo_options options = scene_options(&PLAIN, seed);
    locbo_optimizer *o = scene_optimizer(space, &options);
    rng r = rng_open(seed, 9, RNG_DESIGN);
    double x[8] = {0};
    for (size_t made = 0; made < n;) {
        for (size_t i = 0; i < locbo_space_dim(space); i++) {
            locbo_parameter p;
            unsigned char active[8];
            check_ok(locbo_space_parameter(space, i, &p, &error));
            double u = rng_uniform(&r);
            x[i] = p.kind == LOCBO_CATEGORICAL ? floor(u * (double)p.count) : p.low + u * (p.high - p.low);
            check_ok(locbo_space_active(space, x, active, &error));
            if (!active[i]) x[i] = (double)NAN;
        }
        if (locbo_space_check(space, x, NULL) != LOCBO_OK) continue;
        scene_add(o, x, f(x) + noise * rng_normal(&r));
        made++;
    }
    return o;
}

static double straight(const double *x) { return 3 * x[0] + x[1]; }

/* a_i^2 / sum a^2: no interactions. */
static void an_additive_function(void **state) {
    (void)state;
    locbo_space *space = scene_cube(3);
    locbo_optimizer *o = informed(space, 1, 40, 0, straight);
    const double exact[] = {0.9, 0.1, 0};
    double first[3], total[3];
    check_ok(locbo_optimizer_importance(o, 0, first, total, &error));
    for (int i = 0; i < 3; i++) { /* the estimate's error; that of the model is smaller */
        check_close(first[i], exact[i], 0, 0.02);
        check_close(total[i], exact[i], 0, 0.02);
    }
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* sin a + 7 sin^2 b + 0.1 c^4 sin a on [-pi, pi]^3 (Ishigami and Homma 1990). */
static double ishigami(const double *x) {
    const double pi = 3.14159265358979323846;
    const double a = pi * (2 * x[0] - 1), b = pi * (2 * x[1] - 1), c = pi * (2 * x[2] - 1);
    return sin(a) + 7 * sin(b) * sin(b) + 0.1 * c * c * c * c * sin(a);
}

static void the_function_of_ishigami(void **state) {
    (void)state;
    locbo_space *space = scene_cube(3);
    locbo_optimizer *o = informed(space, 2, 300, 0, ishigami);
    const double exact_first[] = {0.3139, 0.4424, 0}, exact_total[] = {0.5576, 0.4424, 0.2437};
    double first[3], total[3];
    check_ok(locbo_optimizer_importance(o, 0, first, total, &error));
    for (int i = 0; i < 3; i++) { /* the model has an error too, of about 5 % of the standard deviation */
        check_close(first[i], exact_first[i], 0, 0.03);
        check_close(total[i], exact_total[i], 0, 0.03);
    }
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* x_0 with x_0 + x_1 <= 1: the density of x_0 is 2 (1 - x), its variance 1/18; given x_1 the variance is
 * (1 - x_1)^2 / 12, 1/24 on average, and E[x_0 | x_1] = (1 - x_1)/2 has the variance 1/72. */
static double only_the_first(const double *x) { return x[0]; }

static void constraints_make_parameters_dependent(void **state) {
    (void)state;
    locbo_space *space = scene_cube(3);
    check_ok(locbo_space_add_constraint(space, "x0 + x1 <= 1", &error));
    locbo_optimizer *o = informed(space, 3, 40, 0, only_the_first);
    const double exact_first[] = {1, 0.25, 0}, exact_total[] = {0.75, 0, 0};
    double first[3], total[3];
    check_ok(locbo_optimizer_importance(o, 0, first, total, &error));
    for (int i = 0; i < 3; i++) { /* 2048 random points: 1/sqrt(2048) = 0.022, twice */
        check_close(first[i], exact_first[i], 0, 0.045);
        check_close(total[i], exact_total[i], 0, 0.045);
    }
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* The third parameter is there for one of two modes only: g = 0, or x_2 in mode 1. V = Var(x_2 [mode = 1]) = 1/6 -
 * 1/16. E[g | mode] = 0 or 1/2: variance 1/16. Var(g | mode 1) = 1/12. E[g | x_2] = x_2/2: 1/48. Var(g | x_2) =
 * x_2^2/4: 1/12. */
static double where_it_is(const double *x) { return x[0] == 1 ? x[2] : 0; }

static void parameters_that_are_not_always_active(void **state) {
    (void)state;
    static const char *const modes[] = {"off", "on"};
    static const double when[] = {1};
    locbo_space *space;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_categorical(space, "mode", 2, modes, &error));
    check_ok(locbo_space_add_real(space, "nothing", 0, 1, LOCBO_LINEAR, &error));
    locbo_parameter_spec spec = {.struct_size = sizeof spec, .name = "depth", .low = 0, .high = 1};
    spec.parent = "mode";
    spec.when = when;
    spec.when_count = 1;
    check_ok(locbo_space_add(space, &spec, &error));
    locbo_optimizer *o = informed(space, 4, 60, 0, where_it_is);
    const double v = 1 / 6.0 - 1 / 16.0;
    const double exact_first[] = {1 / 16.0 / v, 0, 1 / 48.0 / v}, exact_total[] = {1 / 12.0 / v, 0, 1 / 24.0 / v};
    double first[3], total[3];
    check_ok(locbo_optimizer_importance(o, 0, first, total, &error));
    for (int i = 0; i < 3; i++) { /* the model of two branches is not as exact */
        check_close(first[i], exact_first[i], 0, 0.04);
        check_close(total[i], exact_total[i], 0, 0.04);
    }
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* One of three materials halves the value; four other parameters do nothing, and the noise is a fifth of the effect. */
static double halved(const double *x) { return (x[0] == 2 ? 0.5 : 1) * (1 + 0.2 * x[1]); }

static void a_category_among_parameters_that_do_nothing(void **state) {
    (void)state;
    static const char *const materials[] = {"oak", "ash", "pine"};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        locbo_space *space;
        double first[6], total[6], others = 0;
        check_ok(locbo_space_create(&space, &error));
        check_ok(locbo_space_add_categorical(space, "material", 3, materials, &error));
        for (int i = 1; i < 6; i++) {
            char name[16];
            snprintf(name, sizeof name, "x%d", i);
            check_ok(locbo_space_add_real(space, name, 0, 1, LOCBO_LINEAR, &error));
        }
        locbo_optimizer *o = informed(space, seed, 40, 0.1, halved);
        check_ok(locbo_optimizer_importance(o, 0, first, total, &error));
        for (int i = 2; i < 6; i++) others = fmax(others, total[i]);
        check_that(total[0] > 0.6 && first[0] > 0.6, "seed %d: only %g of the material", (int)seed, total[0]);
        check_that(total[0] > 4 * others, "seed %d: %g of the material, %g of another", (int)seed, total[0], others);
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
}

static void the_same_each_time(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = informed(space, 5, 20, 0.1, straight);
    double first[2], total[2], again[2];
    check_ok(locbo_optimizer_importance(o, 0, first, total, &error));
    check_ok(locbo_optimizer_importance(o, 0, again, NULL, &error));
    for (int i = 0; i < 2; i++) check_same(again[i], first[i]);
    check_ok(locbo_optimizer_importance(o, 0, NULL, again, &error));
    for (int i = 0; i < 2; i++) check_same(again[i], total[i]);
    check_fails(locbo_optimizer_importance(o, 1, first, total, &error), LOCBO_ERR_NOT_FOUND,
                "output 1 is not modelled");
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

static void memory_that_is_short(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = informed(space, 7, 20, 0.1, straight);
    double first[2], total[2] = {-1, -1};
    locbo_status status = LOCBO_ERR_MEMORY;
    long k = 0;
    for (; status == LOCBO_ERR_MEMORY; k++) {
        assert_true(total[0] == -1);
        allowed = k;
        status = locbo_optimizer_importance(o, 0, first, total, NULL);
    }
    allowed = -1;
    assert_int_equal(status, LOCBO_OK);
    assert_true(k > 8 && total[0] > total[1]);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

static double constant(const double *x) { return 0 * x[0] + 3; }

static void nothing_is_known_without_a_model_or_an_effect(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    double first[2] = {0, 0}, total[2] = {0, 0};
    for (size_t n = 0; n <= 12; n += 12) {
        locbo_optimizer *o = informed(space, 6, n, 0, constant);
        check_ok(locbo_optimizer_importance(o, 0, first, total, &error));
        for (int i = 0; i < 2; i++) assert_true(isnan(first[i]) && isnan(total[i]));
        locbo_optimizer_destroy(o);
    }
    locbo_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_additive_function),
        cmocka_unit_test(the_function_of_ishigami),
        cmocka_unit_test(constraints_make_parameters_dependent),
        cmocka_unit_test(parameters_that_are_not_always_active),
        cmocka_unit_test(a_category_among_parameters_that_do_nothing),
        cmocka_unit_test(the_same_each_time),
        cmocka_unit_test(memory_that_is_short),
        cmocka_unit_test(nothing_is_known_without_a_model_or_an_effect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
