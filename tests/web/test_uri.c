/* test_uri.c - addresses of requests parsed strictly. */
#include "uri.h"

#include "check.h"
#include "draw.h"

/* `expected`: "path key=value key=value". */
static void check_read(const char *raw, const char *expected) {
    uri u;
    char shown[512];
    check_ok(uri_read(&u, raw, &error));
    size_t used = (size_t)snprintf(shown, sizeof shown, "%s", u.path);
    for (size_t i = 0; i < u.query.count; i++)
        used +=
            (size_t)snprintf(shown + used, sizeof shown - used, " %s=%s", u.query.items[i].key, u.query.items[i].value);
    check_that(strcmp(shown, expected) == 0, "%s gave '%s', not '%s'", raw, shown, expected);
    uri_release(&u);
}

static void check_refused(const char *raw, const char *words) {
    uri u;
    locbo_error error = {LOCBO_OK, ""};
    locbo_status status = uri_read(&u, raw, &error);
    uri_release(&u);
    check_that(status == LOCBO_ERR_ARGUMENT, "'%s' was not refused", raw);
    check_that(strstr(error.message, words) != NULL, "'%s': %s", raw, error.message);
}

static void reads(void **state) {
    (void)state;
    check_read("/", "/");
    check_read("", "");
    check_read("/api/trials?", "/api/trials");
    check_read("/a?b=c", "/a b=c");
    check_read("/a?b=c&d=e&&f", "/a b=c d=e f=");
    check_read("/a?b=c=d", "/a b=c=d");
    check_read("/a?b=c?d", "/a b=c?d");
    check_read("/a%20b?c=%20+%2B", "/a%20b c=  +");
    check_read("/?%62=%C3%A9%E6%BC%A2%F0%9F%99%82", "/ b=é漢🙂");
    check_read("/?b=%26%3D%25", "/ b=&=%");
    check_read("/?b=%0a%1b%7f", "/ b=\n\x1b\x7f");
    check_read("/?study=a&study=b", "/ study=a study=b");
}

static void refuses(void **state) {
    (void)state;
    static const char *const escapes[] = {"/?a=%", "/?a=%4", "/?a=%g0", "/?a=%0g", "/?%=a", "/?a=%00", "/?a=b%0"};
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++) check_refused(escapes[i], "percent");
    static const char *const texts[] = {
        "/?a=%ff",       "/?a=%c3",       "/?a=%c3%28", "/?a=%c0%80",       "/?a=%e0%80%80",
        "/?a=%ed%a0%80", "/?a=%f0%80%80", "/?%80=a",    "/?a=%f4%90%80%80", "/?a=%f8%88%80%80%80"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) check_refused(texts[i], "UTF-8");
    check_refused("/?=a", "without a name");
    check_refused("/a b", "percent-encoded");
    check_refused("/\xc3\xa9", "percent-encoded");
    check_refused("/\x7f", "percent-encoded");
    check_refused("/?a=b\n", "percent-encoded");
}

static void counts_keys(void **state) {
    (void)state;
    char raw[16 + 2 * URI_KEYS] = "/?";
    for (int i = 0; i < URI_KEYS; i++) strcat(raw, "a&");
    uri u;
    check_ok(uri_read(&u, raw, &error));
    assert_int_equal(u.query.count, URI_KEYS);
    uri_release(&u);
    strcat(raw, "a");
    check_refused(raw, "more than 32");
}

/* Whatever comes, it is read or refused, and what is read is UTF-8 without controls beyond those that were escaped. */
static void survives_anything(void **state) {
    (void)state;
    static const char letters[] = "/?&=%+aF09cE2\xc3 ";
    draw d = draw_open(20250101, 1);
    for (int round = 0; round < 20000; round++) {
        char raw[40] = "";
        size_t length = (size_t)draw_below(&d, sizeof raw - 1);
        for (size_t i = 0; i < length; i++) raw[i] = letters[draw_below(&d, sizeof letters - 1)];
        uri u;
        locbo_status status = uri_read(&u, raw, NULL);
        assert_true(status == LOCBO_OK || status == LOCBO_ERR_ARGUMENT);
        for (size_t i = 0; i < u.query.count; i++) assert_true(u.query.items[i].key[0] != '\0');
        uri_release(&u);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads),
        cmocka_unit_test(refuses),
        cmocka_unit_test(counts_keys),
        cmocka_unit_test(survives_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
