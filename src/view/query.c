/* query.c - keys and values of a request. Layer: view, facts. */
#include "query.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

const char *query_get(const query *q, const char *key) {
    for (size_t i = q ? q->count : 0; i > 0; i--)
        if (strcmp(q->items[i - 1].key, key) == 0) return q->items[i - 1].value;
    return NULL;
}

/* Digits only: a sign, an exponent or a space is an error. */
static int read_digits(const char *text, uint64_t *count) {
    uint64_t sum = 0;
    if (!*text) return 0;
    for (; *text; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || sum > (UINT64_MAX - digit) / 10) return 0;
        sum = 10 * sum + digit;
    }
    *count = sum;
    return 1;
}

locbo_status query_count(const query *q, const char *key, uint64_t low, uint64_t high, uint64_t fallback,
                         uint64_t *count, locbo_error *error) {
    const char *text = query_get(q, key);
    uint64_t read = fallback;
    if (text && (!read_digits(text, &read) || read < low || read > high))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "%s must be a whole number from %" PRIu64 " to %" PRIu64 ", got '%.40s'", key, low, high,
                           text);
    *count = read;
    return status_ok(error);
}

locbo_status query_real(const query *q, const char *key, double fallback, double *value, locbo_error *error) {
    const char *text = query_get(q, key);
    double read = fallback;
    if (text && (!number_parse(text, &read) || !isfinite(read)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be a finite number, got '%.40s'", key, text);
    *value = read;
    return status_ok(error);
}

/* "a, b, c", as far as there is room. */
static void list_words(const char *const *words, char *list, size_t size) {
    size_t used = 0;
    list[0] = '\0';
    for (size_t i = 0; words[i] && used < size; i++)
        used += (size_t)snprintf(list + used, size - used, "%s%s", i ? ", " : "", words[i]);
}

locbo_status query_word(const query *q, const char *key, const char *const *words, size_t fallback, size_t *index,
                        locbo_error *error) {
    const char *text = query_get(q, key);
    char list[128];
    size_t i = 0;
    if (!text) {
        *index = fallback;
        return status_ok(error);
    }
    while (words[i] && strcmp(words[i], text) != 0) i++;
    if (words[i]) {
        *index = i;
        return status_ok(error);
    }
    list_words(words, list, sizeof list);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be one of %s, got '%.40s'", key, list, text);
}

locbo_status query_check(const query *q, const char *const *keys, locbo_error *error) {
    char list[128];
    for (size_t i = 0; q && i < q->count; i++) {
        size_t k = 0;
        while (keys[k] && strcmp(keys[k], q->items[i].key) != 0) k++;
        if (keys[k]) continue;
        list_words(keys, list, sizeof list);
        return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no key '%.40s' here, only: %s", q->items[i].key,
                           *list ? list : "none");
    }
    return status_ok(error);
}
