/* The table of trials: filtered, sorted and divided into pages as the plainest program would do it. */
#include <strings.h>

#include "judge.h"
#include "fixture.h"

static locbo_study *study;
static cache *table;
static const trial_table *all;

/* Every state, several workers, messages, misses; equal values among them. */
static int open_table(void **state) {
    if (own_store_open(state) != 0) return -1;
    static const char *const workers[] = {"node-1", "Node-2", "", "zebra", "node-1"};
    draw d = draw_open(9, 1);
    double x[4];
    study = fixture_study("a", NULL);
    fixture_import(study, 7, &d);
    for (int i = 0; i < 60; i++) {
        uint64_t trial = fixture_ask(study, workers[i % 5], x);
        if (i % 7 == 3)
            check_ok(locbo_study_tell_failed(study, trial, 0, i % 2 ? "Out of Memory" : "node-1 lost", &error));
        else if (i % 11 == 5)
            check_ok(locbo_study_tell_infeasible(study, trial, 0, "", &error));
        else if (i % 13 != 6)
            fixture_tell(study, trial, round(4 * (fixture_objective(x) + draw_normal(&d))) / 4);
    }
    table = fixture_cache("a");
    check_ok(cache_trials(table, &all, &error));
    return 0;
}

static int close_table(void **state) {
    cache_close(table);
    locbo_study_close(study);
    return own_store_close(state);
}

/* ---- the plainest program ---------------------------------------------------------------------- */

typedef struct wish {
    const char *sort, *order, *state, *q, *miss;
} wish;

static int wanted(const trial_row *r, const wish *w) {
    if (w->state && !strstr(w->state, locbo_state_name(r->state))) return 0;
    if (w->miss && judge_any(all, (size_t)(r - all->rows)) != JUDGE_MISS) return 0;
    if (!w->q) return 1;
    return strcasestr(all->workers[r->worker], w->q) || strcasestr(r->message ? r->message : "", w->q);
}

/* The value to sort by; workers are compared below. */
static double key(const trial_row *r, const char *sort) {
    size_t i = r->trial.id - 1;
    if (strcmp(sort, "trial") == 0) return (double)i;
    if (strcmp(sort, "state") == 0) return (double)r->state;
    if (strcmp(sort, "value") == 0) return r->value;
    if (strcmp(sort, "mean") == 0) return r->trial.belief.mean;
    if (strcmp(sort, "started") == 0) return r->started;
    if (strcmp(sort, "ended") == 0) return r->ended;
    if (strcmp(sort, "seconds") == 0) return r->ended - r->started;
    if (strcmp(sort, "param:mode") == 0) return all->x[4 * i + 3];
    if (strcmp(sort, "param:rate") == 0) return all->x[4 * i + 1];
    fail_msg("%s", sort);
    return 0;
}

/* Whether p comes before q. */
static int before(const trial_row *p, const trial_row *q, const wish *w) {
    int down = strcmp(w->order, "desc") == 0, none_p, none_q, sign;
    if (strcmp(w->sort, "worker") == 0) {
        none_p = !*all->workers[p->worker];
        none_q = !*all->workers[q->worker];
        sign = strcmp(all->workers[p->worker], all->workers[q->worker]);
    } else {
        double a = key(p, w->sort), b = key(q, w->sort);
        none_p = isnan(a);
        none_q = isnan(b);
        sign = (a > b) - (a < b);
    }
    if (none_p != none_q) return none_q;
    if (none_p || sign == 0) sign = p->trial.id < q->trial.id ? -1 : 1;
    return down ? sign > 0 : sign < 0;
}

static size_t plainly(const wish *w, uint64_t *trials) {
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (!wanted(&all->rows[i], w)) continue;
        size_t k = n++;
        for (; k > 0 && before(&all->rows[i], &all->rows[trials[k - 1] - 1], w); k--) trials[k] = trials[k - 1];
        trials[k] = i + 1;
    }
    return n;
}

/* ---- against it -------------------------------------------------------------------------------- */

static json_t *ask_page(const wish *w, const char *page, const char *size) {
    query_item items[7] = {{"sort", w->sort}, {"order", w->order}, {"page", page}, {"size", size}};
    query q = {4, items};
    json_t *a = NULL;
    if (w->state) items[q.count++] = (query_item){"state", w->state};
    if (w->q) items[q.count++] = (query_item){"q", w->q};
    if (w->miss) items[q.count++] = (query_item){"miss", w->miss};
    check_ok(view_answer(view_find("trials"), table, &q, &a, &error));
    return a;
}

static size_t check_wish(const wish *w) {
    uint64_t trials[256];
    size_t n = plainly(w, trials), seen = 0, size = 9;
    for (size_t page = 1; page <= n / size + 2; page++) {
        char text[24];
        snprintf(text, sizeof text, "%zu", page);
        json_t *a = ask_page(w, text, "9"), *rows = fixture_at(a, "rows");
        assert_int_equal(fixture_count(a, "matching"), n);
        assert_int_equal(fixture_count(a, "trials"), all->count);
        for (size_t i = 0; i < json_array_size(rows); i++, seen++) {
            json_int_t trial = fixture_count(json_array_get(rows, i), "trial");
            check_that(seen < n && trial == (json_int_t)trials[seen], "sort %s %s, row %zu: trial %d instead of %d",
                       w->sort, w->order, seen, (int)trial, (int)trials[seen]);
        }
        json_decref(a);
    }
    assert_int_equal(seen, n);
    return n;
}

static void every_order_is_right(void **state) {
    (void)state;
    static const char *const sorts[] = {"trial",   "state", "value",   "mean",       "worker",
                                        "started", "ended", "seconds", "param:mode", "param:rate"};
    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++) {
        assert_int_equal(check_wish(&(wish){.sort = sorts[i], .order = "asc"}), all->count);
        assert_int_equal(check_wish(&(wish){.sort = sorts[i], .order = "desc"}), all->count);
    }
}

static void every_filter_is_right(void **state) {
    (void)state;
    static const wish wishes[] = {{"value", "asc", "FAILED", NULL, NULL},
                                  {"trial", "asc", "RUNNING,COMPLETE", NULL, NULL},
                                  {"worker", "desc", "INFEASIBLE,WAITING,RUNNING", NULL, NULL},
                                  {"trial", "asc", NULL, "NODE-1", NULL},
                                  {"trial", "asc", NULL, "memory", NULL},
                                  {"mean", "desc", NULL, NULL, "1"},
                                  {"trial", "asc", "COMPLETE", "node", "1"}};
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++)
        check_that(check_wish(&wishes[i]) > 0, "filter %zu finds nothing, and so tests nothing", i);
    assert_int_equal(check_wish(&(wish){"trial", "asc", NULL, "nobody like this", NULL}), 0);
    assert_int_equal(check_wish(&(wish){"trial", "asc", NULL, "", NULL}), all->count);
}

static void a_row_is_complete(void **state) {
    (void)state;
    json_t *a = fixture_answer(table, "trials", "size", "500", "order", "asc", NULL);
    for (size_t i = 0; i < all->count; i++) {
        json_t *row = json_array_get(fixture_at(a, "rows"), i);
        const trial_row *r = &all->rows[i];
        assert_int_equal(json_object_size(row), 18);
        assert_string_equal(fixture_text(row, "state"), locbo_state_name(r->state));
        assert_string_equal(fixture_text(row, "worker"), all->workers[r->worker]);
        assert_string_equal(fixture_text(row, "message"), r->message ? r->message : "");
        assert_int_equal(fixture_count(row, "count"), r->count);
        assert_int_equal(isnan(fixture_real(row, "value")), isnan(r->value));
        assert_int_equal(json_is_null(fixture_at(row, "interval")), isnan(r->trial.belief.y_low));
        check_same(fixture_real(row, "params.x"), all->x[4 * i]);
    }
    json_decref(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_is_right),
        cmocka_unit_test(every_filter_is_right),
        cmocka_unit_test(a_row_is_complete),
    };
    return cmocka_run_group_tests(tests, open_table, close_table);
}
