/* test_sized.c - structs of other versions: which sizes are taken, and how much of them is read and written. */
#include "sized.h"

#include "scene.h"

typedef struct ours {
    size_t struct_size;
    double a;
    int b, c;
} ours;

static const ours standard = {sizeof standard, 1, 2, 3};

static void known_sizes_are_taken(void **state) {
    (void)state;
    ours given = {sizeof given, 10, 20, 30}, taken = standard;
    check_ok(sized_take("it", &taken, sizeof taken, &given, &error));
    assert_memory_equal(&taken, &given, sizeof taken);
    given.struct_size = offsetof(ours, b);
    taken = standard;
    check_ok(sized_take("it", &taken, sizeof taken, &given, &error));
    assert_true(taken.struct_size == sizeof taken && taken.a == 10 && taken.b == 2 && taken.c == 3);
    given.struct_size = sizeof(size_t);
    taken = standard;
    check_ok(sized_take("it", &taken, sizeof taken, &given, &error));
    assert_memory_equal(&taken, &standard, sizeof taken);
    check_ok(sized_take("it", &taken, sizeof taken, NULL, &error));
    assert_memory_equal(&taken, &standard, sizeof taken);
}

static void no_more_is_written_than_there_is_room(void **state) {
    (void)state;
    ours to = {offsetof(ours, b), 10, 20, 30};
    check_ok(sized_give("it", &standard, sizeof standard, &to, &error));
    assert_true(to.struct_size == offsetof(ours, b) && to.a == 1 && to.b == 20 && to.c == 30);
    to.struct_size = sizeof to;
    check_ok(sized_give("it", &standard, sizeof standard, &to, &error));
    assert_memory_equal(&to, &standard, sizeof to);
}

static void other_sizes_are_refused(void **state) {
    (void)state;
    const size_t wrong[] = {0, 1, 7, 12, sizeof(ours) - 1, sizeof(ours) + 1, sizeof(ours) + 8, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ours given = {wrong[i], 10, 20, 30}, before = given, taken = standard;
        char message[64];
        snprintf(message, sizeof message, "it: struct_size is %zu, this library knows 24", wrong[i]);
        check_fails(sized_check("it", &given, sizeof given, &error), LOCBO_ERR_ARGUMENT, message);
        check_fails(sized_take("it", &taken, sizeof taken, &given, &error), LOCBO_ERR_ARGUMENT, message);
        check_fails(sized_give("it", &standard, sizeof standard, &given, &error), LOCBO_ERR_ARGUMENT, message);
        assert_memory_equal(&taken, &standard, sizeof taken);
        assert_memory_equal(&given, &before, sizeof given);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_sizes_are_taken),
        cmocka_unit_test(no_more_is_written_than_there_is_room),
        cmocka_unit_test(other_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
