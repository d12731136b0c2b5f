/* test_together.c - with many results, too, all outputs are drawn at the best of them, and are known there. */
#include "several.h"

#include <optimizer.h>
#include <together.h>

enum { RESULTS = 300, ROWS = 100 };
static const double noise = 0.002;

/* A life of random results, and then as many rounds. */
static locbo_optimizer *grown(const locbo_space *space, const locbo_outputs *t, int exact_rows, size_t rounds) {
    locbo_options options = scene_options(&SCENE_METHODS[0], 3);
    rng r = rng_open(12, 0, RNG_DESIGN);
    options.exact_rows = exact_rows;
    options.noise_law = LOCBO_NOISE_LAW_GAUSSIAN;
    locbo_optimizer *o = several_optimizer(space, t, &options);
    for (size_t i = 0; i < RESULTS; i++) {
        double x[SEVERAL_DIM];
        locbo_measurement m[SEVERAL_MOST];
        for (size_t j = 0; j < locbo_space_dim(space); j++) x[j] = rng_uniform(&r);
        several_measure(o, x, noise, &r, m);
        check_ok(locbo_optimizer_add_outputs(o, x, m, &error));
    }
    several_rounds(o, rounds, noise, &r);
    return o;
}

static int is_drawn(const locbo_optimizer *o, size_t k, const double *u) {
    const baseline *b = o->joint_believed.base[k];
    for (size_t i = 0; i < b->points; i++)
        if (memcmp(baseline_inputs(b) + i * o->columns, u, o->columns * sizeof *u) == 0) return 1;
    return 0;
}

/* The measured front; larger is better. */
static size_t measured_front(const locbo_optimizer *o, size_t *index) {
    double *y = calloc(2 * o->told.n, sizeof *y);
    for (size_t i = 0; i < o->told.n; i++)
        for (size_t k = 0; k < 2; k++)
            y[2 * i + k] = o->quantity[k].data.scale.sign * o->told.measured[i * o->told.outputs + o->listed[k]].value;
    size_t n = front_find(2, o->told.n, y, NULL, index);
    free(y);
    return n;
}

/* With the noise a few thousandths of the range of the outputs and 64 points to draw at, no point of a front of at most
 * 25 is so unlikely to be in the true one that the exact model leaves it out; nor does a model of landmarks. */
static void the_measured_front_is_drawn(void **state) {
    (void)state;
    locbo_space *space = scene_cube(3);
    locbo_outputs *t = several_table(1, 0, 2);
    for (int many = 0; many < 2; many++)
        for (size_t rounds = 0; rounds <= 8; rounds += 8) {
            locbo_optimizer *o = grown(space, t, many ? ROWS : 0, rounds);
            double x[SEVERAL_DIM];
            size_t *front = calloc(o->told.n + 1, sizeof *front), n, drawn = 0;
            scene_ask(o, NULL, x);
            n = measured_front(o, front);
            assert_true(n >= 8 && n <= ROWS / 4);
            for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < 2; k++) drawn += (size_t)is_drawn(o, k, o->told.u + front[i] * o->columns);
            print_message("exact_rows %d, %zu results: %zu of %zu points of the front are drawn, among %zu\n",
                          many ? ROWS : 0, o->told.n, drawn / 2, n, o->joint_believed.base[0]->points);
            assert_int_equal(gp_rows(o->quantity->surrogate.model) >= RESULTS, !many);
            assert_int_equal(drawn, 2 * n);
            free(front);
            locbo_optimizer_destroy(o);
        }
    locbo_outputs_destroy(t);
    locbo_space_destroy(space);
}

/* The row of a result of the first objective's model; SIZE_MAX: it has none. */
static size_t model_row(const locbo_optimizer *o, size_t result) {
    for (size_t i = 0; i < quantity_rows(o->quantity)->n; i++)
        if (quantity_source(o->quantity, i) == result) return i;
    return SIZE_MAX;
}

static int measured_feasible(const locbo_optimizer *o, size_t result) {
    for (size_t k = 1; k < o->quantities; k++)
        if (!together_holds(o, k, together_user_bound(o, k),
                            o->told.measured[result * o->told.outputs + o->listed[k]].value))
            return 0;
    return 1;
}

/* The best results that hold by ten standard deviations of the noise have rows in all models, and their means hold. */
static void the_best_that_holds_is_known(void **state) {
    (void)state;
    locbo_space *space = scene_cube(3);
    locbo_outputs *t = several_table(0, 2, 1);
    for (int many = 0; many < 2; many++) {
        locbo_optimizer *o = grown(space, t, many ? ROWS : 0, 6);
        double x[SEVERAL_DIM];
        size_t seen = 0;
        unsigned char *used = calloc(o->told.n + 1, 1);
        scene_ask(o, NULL, x);
        for (size_t turn = 0; turn < 20; turn++) {
            const dataset *d = &o->quantity->data;
            size_t best = SIZE_MAX;
            for (size_t i = 0; i < o->told.n; i++)
                if (!used[i] && measured_feasible(o, i) && (best == SIZE_MAX || d->y[i] > d->y[best])) best = i;
            assert_true(best != SIZE_MAX);
            used[best] = 1;
            int clearly = 1;
            for (size_t k = 1; k < o->quantities; k++)
                clearly = clearly && o->told.measured[best * o->told.outputs + o->listed[k]].value <
                                         several_spec(t, o->listed[k]).bound - 10 * noise;
            size_t row = model_row(o, best);
            assert_true(row != SIZE_MAX);
            if (clearly) assert_true(together_means_hold(o, row));
            seen += (size_t)clearly;
        }
        print_message("exact_rows %d: %zu of the 20 best hold clearly\n", many ? ROWS : 0, seen);
        assert_true(seen >= 3);
        free(used);
        locbo_optimizer_destroy(o);
    }
    locbo_outputs_destroy(t);
    locbo_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_measured_front_is_drawn),
        cmocka_unit_test(the_best_that_holds_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
