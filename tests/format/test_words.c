/* test_words.c - texts taken apart as a shell would, and put together again. */
#include "words.h"

#include "check.h"
#include "mem.h"

/* `expected` is written with '|' between the words. */
static void check_split(const char *text, size_t count, const char *expected) {
    char **words = NULL, shown[256] = "";
    size_t n = 99;
    check_ok(words_split(text, &words, &n, &error));
    for (size_t i = 0; i < n; i++) {
        if (i > 0) strcat(shown, "|");
        strcat(shown, words[i]);
    }
    assert_null(words[n]);
    if (n != count || strcmp(shown, expected) != 0)
        fail_msg("[%s] gave %zu words, %s; expected %zu, %s", text, n, shown, count, expected);
    mem_free(words);
}

static void splits(void **state) {
    (void)state;
    check_split("", 0, "");
    check_split(" \t\n ", 0, "");
    check_split("a", 1, "a");
    check_split("  a  bc\td ", 3, "a|bc|d");
    check_split("./sim --x={x}\n  --y {y}\n", 4, "./sim|--x={x}|--y|{y}");
    check_split("'' \"\" a''b", 3, "||ab");
    check_split("'a b'\"c d\"e\\ f", 1, "a bc de f");
    check_split("'a\\'b", 1, "a\\b");
    check_split("\"a\\\"b\\\\c\\d'e\"", 1, "a\"b\\c\\d'e");
    check_split("\\'\\\"\\\\\\a", 1, "'\"\\a");
    check_split("'it'\\''s'", 1, "it's");
    check_split("'two\nlines' \"a\nb\"", 2, "two\nlines|a\nb");
}

static void nothing_else_is_special(void **state) {
    (void)state;
    check_split("$(rm) `x` $HOME ~ * ? ; & a#b #c <in", 11, "$(rm)|`x`|$HOME|~|*|?|;|&|a#b|#c|<in");
}

static void continued_lines(void **state) {
    (void)state;
    check_split("./sim \\\n  --x {x} \\\n", 3, "./sim|--x|{x}");
    check_split("a\\\nb", 1, "ab");
    check_split("'a\\\nb'", 1, "a\\\nb");
}

static void unclosed(void **state) {
    (void)state;
    char **words = NULL;
    size_t n = 7;
    check_fails(words_split("a 'b c", &words, &n, &error), LOCBO_ERR_ARGUMENT, "a 'b c");
    check_fails(words_split("a \"b\\\"", &words, &n, &error), LOCBO_ERR_ARGUMENT, "quote");
    check_fails(words_split("'a\"", &words, &n, &error), LOCBO_ERR_ARGUMENT, "quote");
    check_fails(words_split("a b\\", &words, &n, &error), LOCBO_ERR_ARGUMENT, "backslash");
    check_fails(words_split(NULL, &words, &n, &error), LOCBO_ERR_ARGUMENT, "NULL");
    assert_null(words);
    assert_int_equal(n, 7);
}

static void joins_readably(void **state) {
    (void)state;
    const char *const plain[] = {"./sim", "--x={x}", "-n", "1e-3", "caf\xc3\xa9"};
    const char *const odd[] = {"", "a b", "it's", "$HOME", "\\", "#"};
    char *text = words_join(5, plain);
    assert_string_equal(text, "./sim --x={x} -n 1e-3 caf\xc3\xa9");
    mem_free(text);
    text = words_join(6, odd);
    assert_string_equal(text, "'' 'a b' 'it'\\''s' '$HOME' '\\' '#'");
    mem_free(text);
    text = words_join(0, NULL);
    assert_string_equal(text, "");
    mem_free(text);
}

/* The same numbers in every run. */
static unsigned draw(void) {
    static unsigned seed = 1;
    seed = seed * 1103515245u + 12345u;
    return seed >> 16;
}

/* Words of the characters that matter, all ways round. */
static void there_and_back(void **state) {
    (void)state;
    static const char letters[] = "a '\"\\\n\t{$\x80;";
    enum { LETTERS = sizeof letters - 1 };
    for (int round = 0; round < 3000; round++) {
        char made[7][9] = {{0}};
        const char *words[7];
        size_t count = draw() % 7, n = 99;
        for (size_t i = 0; i < count; i++) {
            words[i] = made[i];
            size_t length = draw() % 9;
            for (size_t j = 0; j < length; j++) made[i][j] = letters[draw() % LETTERS];
        }
        char *text = words_join(count, words), **again = NULL;
        check_ok(words_split(text, &again, &n, &error));
        assert_int_equal(n, count);
        for (size_t i = 0; i < n; i++) assert_string_equal(again[i], words[i]);
        mem_free(again);
        mem_free(text);
    }
}

/* The room is reckoned from the length: the worst cases are full of words or of quotes. */
static void large(void **state) {
    (void)state;
    enum { N = 200001 };
    char *text = malloc(N + 1), **words = NULL;
    size_t n = 0;
    for (size_t i = 0; i < N; i++) text[i] = i % 2 ? ' ' : 'a';
    text[N] = '\0';
    check_ok(words_split(text, &words, &n, &error));
    assert_int_equal(n, N / 2 + 1);
    mem_free(words);
    memset(text, '\'', N);
    const char *const one[] = {text};
    char *joined = words_join(1, one);
    check_ok(words_split(joined, &words, &n, &error));
    assert_int_equal(n, 1);
    assert_string_equal(words[0], text);
    mem_free(words);
    mem_free(joined);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits),   cmocka_unit_test(nothing_else_is_special), cmocka_unit_test(continued_lines),
        cmocka_unit_test(unclosed), cmocka_unit_test(joins_readably),          cmocka_unit_test(there_and_back),
        cmocka_unit_test(large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
