/* The outputs of a study by number and by name; and of a study without a table. */
#include "output_list.h"

#include "several_outputs.h"

static size_t read_output(const output_list *list, const char *name, int modelled) {
    const query_item item = {"output", name};
    const query q = {name ? 1 : 0, &item};
    size_t found = 99;
    check_ok(output_list_read(list, &q, modelled, &found, &error));
    return found;
}

static void check_refused(const output_list *list, const char *name, int modelled, const char *words) {
    const query_item item = {"output", name};
    const query q = {1, &item};
    size_t found = 99;
    check_fails(output_list_read(list, &q, modelled, &found, &error), LOCBO_ERR_ARGUMENT, words);
    assert_int_equal(found, 99);
}

static void without_a_table_there_is_one(void **state) {
    (void)state;
    output_list list;
    check_ok(output_list_make(&list, NULL, &error));
    assert_null(list.table);
    assert_true(list.count == 0 && list.objectives == 1 && list.modelled == 1 && list.constraints == 0);
    assert_true(output_list_is_objective(&list, 0) && output_list_is_modelled(&list, 0));
    assert_false(output_list_is_constraint(&list, 0));
    assert_int_equal(read_output(&list, NULL, 1), 0);
    check_refused(&list, "value", 0, "without a name, got 'value'");
    json_t *row = json_object();
    assert_int_equal(output_list_put(row, &list, 0, NULL), 0);
    assert_int_equal(json_object_size(row), 0);
    json_decref(row);
    output_list_release(&list);
    output_list_release(&list); /* twice is fine */
}

static void each_has_its_number(void **state) {
    (void)state;
    locbo_study *s = several_study("a", 2, 0);
    cache *c = fixture_cache("a");
    const output_list *list = cache_outputs(c);
    assert_true(list->count == OUTPUTS && list->modelled == 4 && list->objectives == 2 && list->constraints == 2);
    assert_int_equal(list->first, LOSS);
    const size_t model[] = {0, 0, 1, 2, 3};
    for (size_t k = 1; k < OUTPUTS; k++) assert_int_equal(list->model[k], model[k]);
    assert_false(output_list_is_modelled(list, EPOCHS));
    assert_true(output_list_is_constraint(list, COST) && !output_list_is_objective(list, COST));
    for (size_t k = 0; k < OUTPUTS; k++) assert_int_equal(read_output(list, output_name[k], 0), k);
    assert_int_equal(read_output(list, NULL, 0), LOSS);
    assert_int_equal(read_output(list, "cost", 1), COST);
    check_refused(list, "colour", 0, "no output 'colour': it must be one of epochs, loss, memory, speed, cost");
    check_refused(list, "", 0, "no output ''");
    check_refused(list, "epochs", 1,
                  "'epochs' is recorded, and there is no model of it: it must be one of loss, memory");
    json_t *names = output_list_names(list, output_list_is_constraint);
    assert_string_equal(fixture_text(names, "0.name"), "memory");
    assert_string_equal(fixture_text(names, "1.goal"), "at_most");
    assert_int_equal(json_array_size(names), 2);
    json_decref(names);
    cache_close(c);
    locbo_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_a_table_there_is_one, own_store_open, own_store_close),
        cmocka_unit_test_setup_teardown(each_has_its_number, own_store_open, own_store_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
