/* test_buffer.c - a text that grows. */
#include "buffer.h"

#include "check.h"
#include "mem.h"

static void grows(void **state) {
    (void)state;
    buffer b = {0};
    char expected[4096] = "";
    for (int i = 0; i < 100; i++) {
        buffer_text(&b, "ab");
        buffer_char(&b, 'c', 3);
        buffer_add(&b, "d\0e", 1);
        buffer_print(&b, "%d;", i);
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "abcccd%d;", i);
    }
    buffer_add(&b, NULL, 0);
    buffer_char(&b, 'x', 0);
    assert_int_equal(b.failed, 0);
    assert_int_equal(b.size, strlen(expected));
    assert_memory_equal(b.data, expected, b.size);
    mem_free(b.data);
}

static void prints_are_cut(void **state) {
    (void)state;
    buffer b = {0};
    buffer_print(&b, "%1000d", 7);
    assert_int_equal(b.size, BUFFER_PRINT - 1);
    mem_free(b.data);
}

/* What does not fit is remembered, and what came later is dropped. */
static void failure_stays(void **state) {
    (void)state;
    buffer b = {0};
    buffer_text(&b, "ab");
    buffer_char(&b, 'c', SIZE_MAX - 1);
    assert_int_equal(b.failed, 1);
    assert_int_equal(b.size, 2);
    mem_free(b.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows),
        cmocka_unit_test(prints_are_cut),
        cmocka_unit_test(failure_stays),
    };
    return cmocka_run_group_tests_name("buffer", tests, NULL, NULL);
}
