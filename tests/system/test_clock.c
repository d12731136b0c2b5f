/* test_clock.c - time that only goes forwards, and spans of it. */
#include "clock.h"

#include "check.h"

static void goes_forwards(void **state) {
    (void)state;
    double before = clock_now();
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    assert_true(clock_now() - before >= 0.002 && clock_now() - before < 60);
}

static void spans(void **state) {
    (void)state;
    const struct {
        double seconds;
        time_t whole;
        long rest;
    } rows[] = {{0, 0, 0}, {-1, 0, 0}, {(double)NAN, 0, 0}, {0.5, 0, 500000000}, {2, 2, 0}, {3600.25, 3600, 250000000}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct timespec t = clock_span(rows[i].seconds);
        check_that(t.tv_sec == rows[i].whole && t.tv_nsec == rows[i].rest, "%g s", rows[i].seconds);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(goes_forwards), cmocka_unit_test(spans)};
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
