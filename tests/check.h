/* check.h - what every test file starts from: cmocka, and checks of doubles that are really made in double.
 * (cmocka's own float assertion casts to float.) Each tolerance has its reason beside it where it is used. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <locbo/locbo.h>

/* Whether a sanitizer keeps memory that was freed: gcc defines a macro, clang has a feature. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CHECK_SANITIZED 1
#elif defined(__has_feature)
#define CHECK_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define CHECK_SANITIZED 0
#endif

/* The first words of a test that judges figures: they are the same under a sanitizer, which takes many times as long.
 */
#define check_without_sanitizer()                                                                                      \
    do {                                                                                                               \
        if (CHECK_SANITIZED) skip();                                                                                   \
    } while (0)

/* |actual - expected| <= rel * |expected| + abs; equal infinities agree; NaN agrees with nothing. */
static inline int check_agrees(double actual, double expected, double rel, double abs) {
    if (actual == expected) return 1;
    return fabs(actual - expected) <= rel * fabs(expected) + abs;
}

#define check_close(actual, expected, rel, abs)                                                                        \
    do {                                                                                                               \
        double check_a_ = (actual), check_e_ = (expected);                                                             \
        if (!check_agrees(check_a_, check_e_, (rel), (abs)))                                                           \
            fail_msg("%s = %.17g, expected %s = %.17g (relative error %.2g)", #actual, check_a_, #expected, check_e_,  \
                     fabs(check_a_ - check_e_) / fabs(check_e_));                                                      \
    } while (0)

#define check_same(actual, expected)                                                                                   \
    do {                                                                                                               \
        double check_a_ = (actual), check_e_ = (expected);                                                             \
        if (memcmp(&check_a_, &check_e_, sizeof check_a_) != 0)                                                        \
            fail_msg("%s = %.17g is not bit for bit %s = %.17g", #actual, check_a_, #expected, check_e_);              \
    } while (0)

#define check_that(condition, ...)                                                                                     \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            print_error("%s: ", #condition);                                                                           \
            fail_msg(__VA_ARGS__);                                                                                     \
        }                                                                                                              \
    } while (0)

/* A call that must succeed: shows the library's own words if it does not. */
#define check_ok(call)                                                                                                 \
    do {                                                                                                               \
        locbo_error error = {LOCBO_OK, ""};                                                                            \
        if ((call) != LOCBO_OK) fail_msg("%s: %s", #call, error.message);                                              \
    } while (0)

/* A call that must fail with this status and a message that contains `words`. Both macros provide the
 * variable `error` to the call. */
#define check_fails(call, code, words)                                                                                 \
    do {                                                                                                               \
        locbo_error error = {LOCBO_OK, ""};                                                                            \
        locbo_status check_s_ = (call);                                                                                \
        if (check_s_ != (code) || !strstr(error.message, (words)))                                                     \
            fail_msg("%s: status %d '%s', expected %d with '%s'", #call, (int)check_s_, error.message, (int)(code),    \
                     (words));                                                                                         \
    } while (0)

#endif
