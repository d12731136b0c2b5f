/* Queries: values that are read, values that are refused, and the messages. */
#include "query.h"

#include "check.h"

static const query_item items[] = {{"points", "12"}, {"order", "asc"}, {"x", "-1.5e3"},
                                   {"points", "34"}, {"empty", ""},    {"state", "A,B"}};
static const query asked = {sizeof items / sizeof items[0], items};

static query one(query_item *item, const char *key, const char *value) {
    *item = (query_item){key, value};
    return (query){1, item};
}

static void the_last_of_several_counts(void **state) {
    (void)state;
    assert_string_equal(query_get(&asked, "points"), "34");
    assert_string_equal(query_get(&asked, "empty"), "");
    assert_null(query_get(&asked, "point"));
    assert_null(query_get(&(query){0, NULL}, "points"));
    assert_null(query_get(NULL, "points"));
}

static void counts_are_whole_and_in_range(void **state) {
    (void)state;
    uint64_t count = 7;
    query_item item;
    check_ok(query_count(&asked, "points", 1, 34, 5, &count, &error));
    assert_int_equal(count, 34);
    check_ok(query_count(&asked, "size", 1, 2, 5, &count, &error)); /* not asked: as it is */
    assert_int_equal(count, 5);
    check_fails(query_count(&asked, "points", 1, 33, 5, &count, &error), LOCBO_ERR_ARGUMENT,
                "points must be a whole number from 1 to 33, got '34'");
    static const char *const wrong[] = {"",    "-1",  "+1",  " 1", "1 ",
                                        "1.0", "1e2", "0x1", "a",  "99999999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        query q = one(&item, "n", wrong[i]);
        check_fails(query_count(&q, "n", 0, UINT64_MAX, 0, &count, &error), LOCBO_ERR_ARGUMENT, "n must");
    }
    query q = one(&item, "n", "18446744073709551615");
    check_ok(query_count(&q, "n", 0, UINT64_MAX, 0, &count, &error));
    assert_true(count == UINT64_MAX);
    q = one(&item, "n", "18446744073709551616");
    check_fails(query_count(&q, "n", 0, UINT64_MAX, 0, &count, &error), LOCBO_ERR_ARGUMENT, "n");
}

static void reals_are_finite(void **state) {
    (void)state;
    double value;
    query_item item;
    check_ok(query_real(&asked, "x", 0, &value, &error));
    check_same(value, -1500);
    check_ok(query_real(&asked, "y", (double)NAN, &value, &error));
    assert_true(isnan(value));
    static const char *const wrong[] = {"", "nan", "inf", "-inf", "1e999", "1,5", "one"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        query q = one(&item, "x", wrong[i]);
        check_fails(query_real(&q, "x", 0, &value, &error), LOCBO_ERR_ARGUMENT, "x must be a finite number");
    }
}

static void words_are_of_the_list(void **state) {
    (void)state;
    static const char *const words[] = {"asc", "desc", NULL};
    size_t index;
    query_item item;
    check_ok(query_word(&asked, "order", words, 1, &index, &error));
    assert_int_equal(index, 0);
    check_ok(query_word(&asked, "other", words, 1, &index, &error));
    assert_int_equal(index, 1);
    query q = one(&item, "order", "ASC");
    check_fails(query_word(&q, "order", words, 1, &index, &error), LOCBO_ERR_ARGUMENT,
                "order must be one of asc, desc, got 'ASC'");
}

static void strange_keys_are_named(void **state) {
    (void)state;
    static const char *const all[] = {"x", "points", "order", "empty", "state", NULL};
    static const char *const some[] = {"points", "order", NULL};
    static const char *const none[] = {NULL};
    check_ok(query_check(&asked, all, &error));
    check_fails(query_check(&asked, some, &error), LOCBO_ERR_ARGUMENT, "no key 'x' here, only: points, order");
    check_fails(query_check(&asked, none, &error), LOCBO_ERR_ARGUMENT, "only: none");
    check_ok(query_check(&(query){0, NULL}, none, &error));
}

/* More words than a message holds: it stays one line of a message's size. */
static void long_lists_are_cut(void **state) {
    (void)state;
    static char word[60];
    static const char *words[] = {word, word, word, word, word, NULL};
    query_item item;
    memset(word, 'w', sizeof word - 1);
    size_t index;
    query q = one(&item, "k", "x");
    check_fails(query_word(&q, "k", words, 1, &index, &error), LOCBO_ERR_ARGUMENT, "got 'x'");
    const char *others[] = {"a", words[0], words[1], words[2], words[3], NULL};
    q = one(&item, "b", "");
    check_fails(query_check(&q, others, &error), LOCBO_ERR_ARGUMENT, "no key 'b' here, only: a, w");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_of_several_counts), cmocka_unit_test(counts_are_whole_and_in_range),
        cmocka_unit_test(reals_are_finite),           cmocka_unit_test(words_are_of_the_list),
        cmocka_unit_test(strange_keys_are_named),     cmocka_unit_test(long_lists_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
