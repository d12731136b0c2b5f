/* test_pareto.c - the measured front in two numbers: against volumes by hand, before there is a reference, without
 * memory. */
#include "pareto.h"

#include "check.h"
#include "goal.h"
#include "short_memory.h"

typedef struct bench {
    locbo_space *space;
    locbo_outputs *outputs;
    locbo_optimizer *o;
} bench;

/* Two objectives, the first with the reference 10, the second as given; a constraint and a recorded output. */
static bench make(const char *second) {
    bench b = {NULL, NULL, NULL};
    const char *const texts[] = {"steps~record", "loss~minimize,reference=10", second, "heat<=3"};
    check_ok(locbo_space_create(&b.space, &error));
    check_ok(locbo_space_add_real(b.space, "x", 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_outputs_create(&b.outputs, &error));
    for (size_t i = 0; i < 4; i++) check_ok(goal_add(b.outputs, texts[i], &error));
    check_ok(locbo_optimizer_create_for(&b.o, b.space, b.outputs, NULL, &error));
    return b;
}

static void drop(bench *b) {
    locbo_optimizer_destroy(b->o);
    locbo_outputs_destroy(b->outputs);
    locbo_space_destroy(b->space);
}

static void add(bench *b, double x, double loss, double gain, double heat) {
    const locbo_measurement row[] = {{7, NAN, 1}, {loss, NAN, 1}, {gain, NAN, 1}, {heat, NAN, 1}};
    check_ok(locbo_optimizer_add_outputs(b->o, &x, row, &error));
}

static void check_measured(const bench *b, uint64_t points, double volume) {
    uint64_t n = 77;
    double v = 77;
    check_ok(pareto_measured(b->o, &n, &v, &error));
    assert_int_equal(n, points);
    check_same(v, volume);
}

/* Rectangles between the reference (10, 0) and points of (loss, gain). */
static void by_hand(void **state) {
    (void)state;
    bench b = make("gain~maximize,reference=0");
    check_measured(&b, 0, 0);
    add(&b, 0.1, 6, 2, 1);
    check_measured(&b, 1, 8);
    add(&b, 0.2, 8, 5, 1);
    check_measured(&b, 2, 4 * 2 + 2 * 3);
    add(&b, 0.3, 9, 4, 1);   /* dominated */
    add(&b, 0.4, 1, 9, 4);   /* misses the bound */
    add(&b, 0.5, 1, 9, NAN); /* lacks the constraint */
    check_measured(&b, 2, 14);
    add(&b, 0.1, 4, 2, 1); /* the first point again: the means are 5 and 2 */
    check_measured(&b, 2, 5 * 2 + 2 * 3);
    drop(&b);
}

static void no_reference(void **state) {
    (void)state;
    bench b = make("gain~maximize");
    add(&b, 0.1, 6, 2, 1);
    check_measured(&b, 1, NAN);
    drop(&b);
}

static void no_memory(void **state) {
    (void)state;
    bench b = make("gain~maximize,reference=0");
    add(&b, 0.1, 6, 2, 1);
    locbo_error why;
    locbo_status status = LOCBO_ERR_MEMORY;
    long failures = 0;
    uint64_t n = 77;
    double v = 77;
    for (; status != LOCBO_OK; failures++) {
        allowed = failures;
        status = pareto_measured(b.o, &n, &v, &why);
        allowed = -1;
        if (status != LOCBO_OK) assert_true(status == LOCBO_ERR_MEMORY && n == 77 && v == 77);
    }
    assert_true(failures > 2 && n == 1 && v == 8);
    drop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(no_reference),
                                       cmocka_unit_test(no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
