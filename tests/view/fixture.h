/* fixture.h - studies for the tests of the views, in own_store. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <stdarg.h>

#include "draw.h"
#include "own_store.h"
#include "store.h"
#include "views.h"

/* One parameter of every kind. Cheap enough for a test. */
static inline locbo_study *fixture_create(const char *name, locbo_options *options, const locbo_outputs *outputs) {
    static const char *const modes[] = {"plain", "it's \"q\"", "third"};
    locbo_space *space;
    locbo_study *study;
    options->candidates = 100;
    options->refine = 2;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", -5, 10, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_real(space, "rate", 1e-4, 1, LOCBO_LOG, &error));
    check_ok(locbo_space_add_int(space, "n", 1, 12, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(space, "mode", 3, modes, &error));
    const char *words[] = {"./sim", "--x={x}"};
    locbo_definition d = {.struct_size = sizeof d,
                          .space = space,
                          .options = options,
                          .command_count = 2,
                          .command = words,
                          .outputs = outputs};
    check_ok(locbo_study_create(&study, own_store, name, &d, NULL, &error));
    locbo_space_destroy(space);
    return study;
}

/* The options are given as name, value, ... NULL. */
static inline locbo_study *fixture_study(const char *name, ...) {
    locbo_options options;
    locbo_options_init(&options);
    va_list list;
    va_start(list, name);
    for (const char *key = va_arg(list, const char *); key; key = va_arg(list, const char *))
        check_ok(locbo_options_set(&options, key, va_arg(list, const char *), &error));
    va_end(list);
    return fixture_create(name, &options, NULL);
}

static inline cache *fixture_cache(const char *name) {
    cache *c;
    check_ok(cache_open(&c, own_store, name, &error));
    return c;
}

static inline double fixture_objective(const double *x) {
    return pow(x[0] - 2, 2) / 10 + pow(log10(x[1]) + 2, 2) + fabs(x[2] - 6) / 4 + x[3] / 2;
}

static inline uint64_t fixture_ask(locbo_study *study, const char *worker, double *x) {
    locbo_assignment a;
    locbo_request request = {.struct_size = sizeof request, .worker = worker};
    check_ok(locbo_study_ask(study, &request, &a, x, &error));
    return a.trial;
}

static inline void fixture_tell(locbo_study *study, uint64_t trial, double value) {
    locbo_measurement m = {value, (double)NAN, 1};
    check_ok(locbo_study_tell(study, trial, 0, 1, &m, &error));
}

static inline void fixture_play(locbo_study *study, int rounds, draw *d) {
    double x[4];
    for (int i = 0; i < rounds; i++) {
        uint64_t trial = fixture_ask(study, "me", x);
        fixture_tell(study, trial, fixture_objective(x) + 0.3 * draw_normal(d));
    }
}

/* `n` imported results at random points. */
static inline void fixture_import(locbo_study *study, size_t n, draw *d) {
    double *x = calloc(4 * n, sizeof *x);
    locbo_measurement *m = calloc(n, sizeof *m);
    for (size_t i = 0; i < n; i++) {
        x[4 * i] = -5 + 15 * draw_uniform(d);
        x[4 * i + 1] = pow(10, -4 * draw_uniform(d));
        x[4 * i + 2] = 1 + (double)draw_below(d, 12);
        x[4 * i + 3] = (double)draw_below(d, 3);
        m[i] = (locbo_measurement){fixture_objective(x + 4 * i) + draw_normal(d), (double)NAN, 1};
    }
    check_ok(locbo_study_import(study, n, x, m, NULL, &error));
    free(x);
    free(m);
}

static inline locbo_status fixture_run_sql(locbo_store *store, void *sql, locbo_error *error) {
    return store_query(store, sql, 0, NULL, NULL, NULL, NULL, error);
}

/* Changes that no function makes: to times, for instance. */
static inline void fixture_sql(const char *sql) {
    check_ok(store_write(own_store, fixture_run_sql, (void *)sql, &error));
}

/* The answer to a view asked with key, value, ... NULL. */
static inline json_t *fixture_answer(cache *c, const char *name, ...) {
    query_item items[12];
    query q = {0, items};
    json_t *answer = NULL;
    va_list list;
    va_start(list, name);
    for (const char *key = va_arg(list, const char *); key; key = va_arg(list, const char *))
        items[q.count++] = (query_item){key, va_arg(list, const char *)};
    va_end(list);
    check_ok(view_answer(view_find(name), c, &q, &answer, &error));
    assert_true(json_is_object(answer));
    return answer;
}

/* "a.b.3.c": a member of a member; NULL if there is none. */
static inline json_t *fixture_at(json_t *json, const char *path) {
    char copy[128];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *part = copy, *next; json && part; part = next) {
        next = strchr(part, '.');
        if (next) *next++ = '\0';
        json = json_is_array(json) ? json_array_get(json, (size_t)atoi(part)) : json_object_get(json, part);
    }
    return json;
}

static inline double fixture_real(json_t *json, const char *path) {
    json_t *value = fixture_at(json, path);
    check_that(value && (json_is_number(value) || json_is_null(value)), "%s is no number", path);
    return json_is_null(value) ? (double)NAN : json_number_value(value);
}

static inline json_int_t fixture_count(json_t *json, const char *path) {
    json_t *value = fixture_at(json, path);
    check_that(json_is_integer(value), "%s is no whole number", path);
    return json_integer_value(value);
}

static inline const char *fixture_text(json_t *json, const char *path) {
    json_t *value = fixture_at(json, path);
    check_that(json_is_string(value), "%s is no text", path);
    return json_string_value(value);
}

#endif
