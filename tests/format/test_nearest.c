/* test_nearest.c - which name a mistyped word may mean. */
#include "nearest.h"

#include "check.h"

static const char *guess(const char *word) {
    static const char *const names[] = {"run", "recommend", "status", "stop", "trials", "tell"};
    nearest g = {.word = word};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) nearest_consider(&g, names[i]);
    return g.best ? g.best : "";
}

static void guesses(void **state) {
    (void)state;
    assert_string_equal(guess("rnu"), "run");      /* swapped */
    assert_string_equal(guess("statu"), "status"); /* left out */
    assert_string_equal(guess("STATUSS"), "status");
    assert_string_equal(guess("recom"), "recommend"); /* begun */
    assert_string_equal(guess("stap"), "stop");
    assert_string_equal(guess("xyz"), "");
    assert_string_equal(guess("r"), "");
    assert_string_equal(guess(""), "");
    char endless[500];
    memset(endless, 'r', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    assert_string_equal(guess(endless), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(guesses)};
    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
