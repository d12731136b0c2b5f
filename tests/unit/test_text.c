/* test_text.c - characters of UTF-8 against their definition, and texts as a screen shows them. */
#include "text.h"

#include "check.h"

/* The slow and obvious way: the bytes of a code point. */
static size_t encode(unsigned long code, unsigned char c[4]) {
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; code >>= 6) c[i] = (unsigned char)(0x80 | (code & 0x3f));
    c[0] = (unsigned char)(first[n] | code);
    return n;
}

/* Every code point is a character, but for the surrogates; cut short it is known to be; nothing follows U+10FFFF. */
static void every_character(void **state) {
    (void)state;
    for (unsigned long code = 0; code < 0x140000; code++) {
        unsigned char c[5] = {0};
        const char *text = (const char *)c;
        int good = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        size_t n = encode(code, c);
        check_that(text_character(text, n) == (good ? n : 0), "U+%04lX", code);
        check_that(text_is_valid(text) == good, "U+%04lX", code);
        if (good && n > 1) assert_int_equal(text_character(text, n - 1), n);
        for (size_t i = 0; i < n; i++) assert_int_equal(text_continues(text[i]), i > 0);
        c[n - 1] = '\0';
        assert_int_equal(text_is_valid(text), n == 1);
    }
}

/* Of all texts of up to three bytes only those are valid that are a row of characters: no overlong forms, no strays. */
static void nothing_else(void **state) {
    (void)state;
    size_t valid[4] = {0, 0, 0, 0};
    for (unsigned long bytes = 1; bytes < 1ul << 24; bytes++) {
        char text[4] = {(char)(bytes & 0xff), (char)(bytes >> 8 & 0xff), (char)(bytes >> 16), 0};
        size_t size = strlen(text);
        if (bytes >> (8 * size) == 0) valid[size] += (size_t)text_is_valid(text);
    }
    size_t one = 0x7f, two = 0x800 - 0x80, three = 0x10000 - 0x800 - 0x800;
    assert_int_equal(valid[1], one);
    assert_int_equal(valid[2], one * one + two);
    assert_int_equal(valid[3], one * one * one + 2 * one * two + three);
}

static void widths(void **state) {
    (void)state;
    assert_int_equal(text_width(""), 0);
    assert_int_equal(text_width("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), 4);
    assert_int_equal(text_width("\xff\x80\xc3"), 3); /* stray bytes, one each */
    assert_int_equal(text_width_of("\xe2\x82\xac", 2), 1);
}

static void controls(void **state) {
    (void)state;
    char text[] = "a\tb\n\033[2J\xc2\x9b\x7f\xc3\xa9\x9b";
    text_clean(text);
    assert_string_equal(text, "a?b??[2J??\xc3\xa9?");
}

static void check_hidden(const char *character, uint32_t code, int hidden) {
    size_t size = strlen(character);
    assert_int_equal(text_step(character, size), size);
    assert_int_equal(text_code(character, size), code);
    assert_int_equal(text_is_control(character, size), hidden);
}

/* Direction, lines, no width, tags; and their neighbours. */
static void hidden_characters(void **state) {
    (void)state;
    check_hidden("\xc2\x80", 0x80, 1);
    check_hidden("\xc2\x9f", 0x9f, 1);
    check_hidden("\xc2\xa0", 0xa0, 0);
    check_hidden("\xd8\x9c", 0x61c, 1);
    check_hidden("\xd8\x9d", 0x61d, 0);
    check_hidden("\xe2\x80\x8a", 0x200a, 0);
    check_hidden("\xe2\x80\x8b", 0x200b, 1);
    check_hidden("\xe2\x80\x8f", 0x200f, 1);
    check_hidden("\xe2\x80\xa7", 0x2027, 0);
    check_hidden("\xe2\x80\xa8", 0x2028, 1);
    check_hidden("\xe2\x80\xae", 0x202e, 1);
    check_hidden("\xe2\x80\xaf", 0x202f, 0);
    check_hidden("\xe2\x81\xa6", 0x2066, 1);
    check_hidden("\xe2\x81\xb0", 0x2070, 0);
    check_hidden("\xe2\x82\xac", 0x20ac, 0);
    check_hidden("\xef\xbb\xbf", 0xfeff, 1);
    check_hidden("\xf3\xa0\x80\x81", 0xe0001, 1);
    check_hidden("\xf0\x9f\x98\x80", 0x1f600, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character), cmocka_unit_test(nothing_else),      cmocka_unit_test(widths),
        cmocka_unit_test(controls),        cmocka_unit_test(hidden_characters),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
