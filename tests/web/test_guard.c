/* test_guard.c - which requests are allowed: Host, Origin, Sec-Fetch-Site, token, form of headers; which files a
 * browser already has. */
#include "guard.h"

#include "check.h"
#include "reply.h"

static void hosts(void **state) {
    (void)state;
    static const char *const good[] = {"127.0.0.1:8080", "localhost:8080", "LocalHost:8080", "[::1]:8080"};
    static const char *const bad[] = {"",
                                      "127.0.0.1",
                                      "localhost",
                                      "127.0.0.1:80",
                                      "127.0.0.1:08080",
                                      "127.0.0.1:80800",
                                      "127.0.0.1:8080 ",
                                      " 127.0.0.1:8080",
                                      "127.0.0.1:8080,evil",
                                      "127.0.0.1.evil.example:8080",
                                      "localhost.evil.example:8080",
                                      "evil.example:8080",
                                      "evil@127.0.0.1:8080",
                                      "127.0.0.1@evil:8080",
                                      "127.0.0.2:8080",
                                      "0.0.0.0:8080",
                                      "::1:8080",
                                      "[::1]",
                                      "localhost.:8080",
                                      ":8080"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        check_that(guard_host(good[i], 8080), "'%s' was refused", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_that(!guard_host(bad[i], 8080), "'%s' was let in", bad[i]);
    assert_false(guard_host(NULL, 8080));
    assert_true(guard_host("localhost", 80));
    assert_true(guard_host("[::1]:80", 80));
    assert_false(guard_host("localhost:", 80));
}

static void origins(void **state) {
    (void)state;
    assert_true(guard_origin("http://127.0.0.1:8080", 8080));
    assert_true(guard_origin("http://localhost:8080", 8080));
    assert_true(guard_origin("http://[::1]:8080", 8080));
    assert_true(guard_origin("http://localhost", 80));
    static const char *const bad[] = {"",
                                      "null",
                                      "http://evil.example",
                                      "https://127.0.0.1:8080",
                                      "http://127.0.0.1:8081",
                                      "http://127.0.0.1:8080/",
                                      "http://127.0.0.1:8080.evil.example",
                                      "127.0.0.1:8080",
                                      "file://"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_that(!guard_origin(bad[i], 8080), "'%s' was let in", bad[i]);
}

static void sites(void **state) {
    (void)state;
    assert_true(guard_site("same-origin"));
    assert_true(guard_site("none"));
    static const char *const bad[] = {
        "", "same-site", "cross-site", "Same-Origin", "same-origin ", "none, same-origin", "null"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) check_that(!guard_site(bad[i]), "'%s' was let in", bad[i]);
}

static void tokens(void **state) {
    (void)state;
    char token[GUARD_TOKEN] = "", other[GUARD_TOKEN] = "", text[80];
    assert_true(guard_make_token(token) && guard_make_token(other));
    assert_int_equal(strlen(token), 32);
    assert_int_equal(strspn(token, "0123456789abcdef"), 32);
    assert_string_not_equal(token, other);
    snprintf(text, sizeof text, "Bearer %s", token);
    assert_true(guard_token(text, token));
    assert_false(guard_token(text, other));
    assert_false(guard_token(NULL, token));
    assert_false(guard_token("", token));
    assert_false(guard_token("Bearer ", token));
    assert_false(guard_token(token, token));
    assert_false(guard_token("Bearer ", "")); /* without edits there is none */
    for (size_t i = 0; i < 32; i++) {
        snprintf(text, sizeof text, "bearer %s", token);
        text[7 + i] = (char)(text[7 + i] ^ 1);
        assert_false(guard_token(text, token));
    }
    snprintf(text, sizeof text, "Bearer %s0", token);
    assert_false(guard_token(text, token));
    snprintf(text, sizeof text, "Basic  %s", token);
    assert_false(guard_token(text, token));
}

static void lengths(void **state) {
    (void)state;
    static const char *const bad[] = {"",     "+1",  "-1",  " 1",  "1 ",  "1 7", "1,1",
                                      "1, 1", "0x1", "1.0", "1e3", "one", "\xb9"};
    assert_true(guard_length("0") && guard_length("17") && guard_length("00017") &&
                guard_length("99999999999999999999"));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_that(!guard_length(bad[i]), "'%s' was let in", bad[i]);
}

static void forms(void **state) {
    (void)state;
    static const char *const good[] = {
        "Host",           "content-length",        "TRANSFER-ENCODING", "X-Content-Length",
        "Content_Length", "!#$%&'*+-.^_`|~09azAZ", "Content-Lengt"};
    static const char *const bad[] = {"",
                                      "Content-Length ",
                                      " Content-Length",
                                      "Content-Length7",
                                      "content-length1",
                                      "Transfer-Encodingchunked",
                                      "X: y",
                                      "a b",
                                      "a\tb",
                                      "a\x01",
                                      "a(b)",
                                      "\xc3\xa4",
                                      "a\x7f"};
    static const char *const values[] = {"a\rb", "a\nb", "\x01", "\x7f", "a\x1b[0m"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        check_that(guard_form(good[i], "") && guard_form(good[i], "a, b\tc \xc3\xa4 \xff"), "'%s' was refused",
                   good[i]);
        for (size_t j = 0; j < sizeof values / sizeof values[0]; j++) assert_false(guard_form(good[i], values[j]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_that(!guard_form(bad[i], "1"), "'%s' was let in", bad[i]);
}

static void tags(void **state) {
    (void)state;
    assert_true(reply_is_known("\"abc\"", "\"abc\""));
    assert_true(reply_is_known("W/\"abc\"", "\"abc\""));
    assert_true(reply_is_known("\"x\", \"abc\" ,\"y\"", "\"abc\""));
    assert_true(reply_is_known("\"x\",W/\"abc\"", "\"abc\""));
    assert_true(reply_is_known(" * ", "\"abc\""));
    assert_false(reply_is_known(NULL, "\"abc\""));
    assert_false(reply_is_known("", "\"abc\""));
    assert_false(reply_is_known(",,, ,", "\"abc\""));
    assert_false(reply_is_known("abc", "\"abc\""));
    assert_false(reply_is_known("\"abcd\"", "\"abc\""));
    assert_false(reply_is_known("\"ab", "\"abc\""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts),   cmocka_unit_test(origins), cmocka_unit_test(sites), cmocka_unit_test(tokens),
        cmocka_unit_test(lengths), cmocka_unit_test(forms),   cmocka_unit_test(tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
