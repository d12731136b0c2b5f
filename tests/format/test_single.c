/* test_single.c - studies of several outputs are refused, in one line that says so. */
#include "single.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static void add(locbo_outputs *table, const char *name, locbo_goal goal) {
    locbo_output_spec spec = {.struct_size = sizeof spec, .name = name, .goal = goal};
    check_ok(locbo_outputs_add(table, &spec, &error));
}

static locbo_study *create(locbo_store *store, const char *name, const locbo_outputs *outputs) {
    locbo_space *space;
    locbo_study *study = NULL;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 1, LOCBO_LINEAR, &error));
    locbo_definition d = {.struct_size = sizeof d, .space = space, .outputs = outputs};
    check_ok(locbo_study_create(&study, store, name, &d, NULL, &error));
    locbo_space_destroy(space);
    return study;
}

static void several_are_refused(void **state) {
    (void)state;
    char folder[] = "/tmp/locbo-single-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/s.db", folder);
    locbo_store *store;
    locbo_outputs *table;
    check_ok(locbo_store_open(&store, path, LOCBO_STORE_CREATE, &error));
    check_ok(locbo_outputs_create(&table, &error));
    add(table, "loss", LOCBO_GOAL_MINIMIZE);
    locbo_study *none = create(store, "none", NULL), *one = create(store, "one", table);
    add(table, "memory", LOCBO_GOAL_RECORD);
    locbo_study *two = create(store, "two", table);
    check_ok(single_check(none, &error));
    check_ok(single_check(one, &error));
    locbo_error why;
    assert_int_equal(single_check(two, &why), LOCBO_ERR_STATE);
    assert_string_equal(why.message, "the study 'two' has 2 outputs: so far only programs in C work with such a study");
    locbo_study_close(none);
    locbo_study_close(one);
    locbo_study_close(two);
    locbo_store_close(store);
    locbo_outputs_destroy(table);
    unlink(path);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(several_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
