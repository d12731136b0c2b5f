/* view_trials.c - one page of trials, filtered and sorted. Layer: view, answers. Cost: O(trials log trials). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "mem.h"
#include "rows.h"
#include "json_build.h"
#include "value.h"
#include "views.h"

const char *const trials_keys[] = {"sort", "order", "state", "q", "miss", "page", "size", NULL};

enum { MOST = 500, USUAL = 50, PAGES = 1000000000 };

/* ---- the query ------------------------------------------------------------------------------- */

static const char *const sorts[] = {"trial", "state", "value", "mean", "worker", "started", "ended", "seconds", NULL};
typedef enum sort { BY_TRIAL, BY_STATE, BY_VALUE, BY_MEAN, BY_WORKER, BY_STARTED, BY_ENDED, BY_SECONDS, BY_PARAM } sort;

static const char *const orders[] = {"asc", "desc", NULL};

typedef struct question {
    size_t sort, param, descending;
    unsigned states; /* bits; 0: all */
    const char *text;
    uint64_t miss, page, size;
} question;

static locbo_status read_sort(const query *q, const locbo_space *space, question *asked, locbo_error *error) {
    static const char prefix[] = "param:";
    const char *text = query_get(q, "sort");
    if (!text || strncmp(text, prefix, sizeof prefix - 1) != 0)
        return query_word(q, "sort", sorts, BY_TRIAL, &asked->sort, error);
    asked->sort = BY_PARAM;
    text += sizeof prefix - 1;
    if (locbo_space_find(space, text, &asked->param, NULL) == LOCBO_OK) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "sort: there is no parameter '%.60s'", text);
}

/* The state named by the first `length` bytes; LOCBO_STATES: none. */
static unsigned find_state(const char *name, size_t length) {
    unsigned i = 0;
    for (; i < LOCBO_STATES; i++) {
        const char *known = locbo_state_name((locbo_state)i);
        if (strlen(known) == length && memcmp(known, name, length) == 0) break;
    }
    return i;
}

static locbo_status read_states(const query *q, question *asked, locbo_error *error) {
    const char *text = query_get(q, "state");
    while (text) {
        const char *comma = strchr(text, ',');
        size_t length = comma ? (size_t)(comma - text) : strlen(text);
        unsigned state = find_state(text, length);
        if (state == LOCBO_STATES)
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "state must be WAITING, RUNNING, COMPLETE, FAILED or INFEASIBLE, or "
                               "several separated by commas, got '%.*s'",
                               (int)(length < 40 ? length : 40), text);
        asked->states |= 1u << state;
        text = comma ? comma + 1 : NULL;
    }
    return LOCBO_OK;
}

static locbo_status read_question(const query *q, const locbo_space *space, question *asked, locbo_error *error) {
    *asked = (question){.text = query_get(q, "q")};
    locbo_status status = read_sort(q, space, asked, error);
    if (status == LOCBO_OK) status = query_word(q, "order", orders, 1, &asked->descending, error);
    if (status == LOCBO_OK) status = read_states(q, asked, error);
    if (status == LOCBO_OK) status = query_count(q, "miss", 0, 1, 0, &asked->miss, error);
    if (status == LOCBO_OK) status = query_count(q, "page", 1, PAGES, 1, &asked->page, error);
    if (status == LOCBO_OK) status = query_count(q, "size", 1, MOST, USUAL, &asked->size, error);
    return status;
}

/* ---- filters --------------------------------------------------------------------------------- */

static int matches(const trial_table *t, const trial_row *r, const question *asked) {
    if (asked->states && !(asked->states >> r->state & 1)) return 0;
    if (asked->miss && judge_row(r) != JUDGE_MISS) return 0;
    if (!asked->text) return 1;
    return strcasestr(t->workers[r->worker], asked->text) || (r->message && strcasestr(r->message, asked->text));
}

/* ---- order ----------------------------------------------------------------------------------- */

typedef struct item {
    double key; /* NAN: there is none */
    size_t index;
} item;

static int compare_index(const item *p, const item *q) { return (p->index > q->index) - (p->index < q->index); }

/* Rows without a key are last in both orders; equal keys are ordered by trial number. */
static int compare(const item *p, const item *q, int sign) {
    if (isnan(p->key) != isnan(q->key)) return isnan(p->key) ? 1 : -1;
    if (isnan(p->key) || p->key == q->key) return sign * compare_index(p, q);
    return p->key < q->key ? -sign : sign;
}

static int upwards(const void *a, const void *b) { return compare(a, b, 1); }

static int downwards(const void *a, const void *b) { return compare(a, b, -1); }

typedef struct name {
    const char *text;
    size_t index;
} name;

static int by_text(const void *a, const void *b) {
    const name *p = a, *q = b;
    return strcmp(p->text, q->text);
}

/* The index of every worker in alphabetical order; NAN for the empty name. */
static double *rank_workers(const trial_table *t) {
    double *rank = mem_new(t->workers_count, sizeof *rank);
    name *names = mem_new(t->workers_count, sizeof *names);
    for (size_t i = 0; rank && names && i < t->workers_count; i++) names[i] = (name){t->workers[i], i};
    if (rank && names) {
        qsort(names, t->workers_count, sizeof *names, by_text);
        for (size_t i = 0; i < t->workers_count; i++) rank[names[i].index] = *names[i].text ? (double)i : (double)NAN;
        mem_free(names);
        return rank;
    }
    mem_free(names);
    mem_free(rank);
    return NULL;
}

static double key_of(const trial_table *t, const question *asked, const double *rank, size_t i) {
    const trial_row *r = &t->rows[i];
    switch ((sort)asked->sort) {
    case BY_TRIAL:
        return (double)i;
    case BY_STATE:
        return (double)r->state;
    case BY_VALUE:
        return r->value;
    case BY_MEAN:
        return r->trial.belief.mean;
    case BY_WORKER:
        return rank[r->worker];
    case BY_STARTED:
        return r->started;
    case BY_ENDED:
        return r->ended;
    case BY_SECONDS:
        return r->ended - r->started;
    case BY_PARAM:
        return t->x[i * t->dim + asked->param];
    }
    return (double)NAN;
}

/* The rows that match, sorted; release with mem_free. */
static locbo_status arrange(const trial_table *t, const question *asked, item **made, size_t *count,
                            locbo_error *error) {
    int by_worker = asked->sort == BY_WORKER;
    double *rank = by_worker ? rank_workers(t) : NULL;
    item *items = mem_new(t->count, sizeof *items);
    if (!items || (by_worker && !rank)) {
        mem_free(items);
        mem_free(rank);
        return status_no_memory(error);
    }
    *count = 0;
    for (size_t i = 0; i < t->count; i++)
        if (matches(t, &t->rows[i], asked)) items[(*count)++] = (item){key_of(t, asked, rank, i), i};
    qsort(items, *count, sizeof *items, asked->descending ? downwards : upwards);
    mem_free(rank);
    *made = items;
    return LOCBO_OK;
}

/* ---- the answer ------------------------------------------------------------------------------ */

typedef struct page {
    const trial_table *table;
    const locbo_space *space;
    const item *items;
} page;

static int put_result(json_t *row, const trial_row *r) {
    const locbo_belief *belief = &r->trial.belief;
    int bad = build_put(row, "value", value_real(r->value));
    bad |= build_put(row, "count", build_count(r->count));
    bad |= build_put(row, "mean", value_real(belief->mean));
    bad |= build_put(row, "interval", rows_interval(belief->y_low, belief->y_high));
    bad |= build_put(row, "miss", judge_json(r));
    return bad;
}

static int put_work(json_t *row, const trial_table *t, const trial_row *r) {
    int bad = build_put(row, "worker", rows_text(t->workers[r->worker]));
    bad |= build_put(row, "attempt", build_count(r->attempt));
    bad |= build_put(row, "asked", value_real(r->asked));
    bad |= build_put(row, "started", value_real(r->started));
    bad |= build_put(row, "ended", value_real(r->ended));
    bad |= build_put(row, "seconds", value_real(r->ended - r->started));
    bad |= build_put(row, "message", rows_text(r->message ? r->message : ""));
    return bad;
}

static json_t *trial_cell(const void *source, size_t row_index) {
    const page *p = source;
    size_t i = p->items[row_index].index;
    const trial_table *t = p->table;
    const trial_row *r = &t->rows[i];
    json_t *row = json_object();
    int bad = build_put(row, "trial", build_count(r->trial.id));
    bad |= build_put(row, "state", json_string(locbo_state_name(r->state)));
    bad |= build_put(row, "origin", json_string(rows_origin_name(r->trial.origin)));
    bad |= build_put(row, "params", value_object(p->space, t->x + i * t->dim));
    bad |= put_result(row, r) | put_work(row, t, r);
    return build_finish(row, bad);
}

static json_t *rows_json(const trial_table *t, const locbo_space *space, const question *asked, const item *items,
                         size_t count) {
    uint64_t from = (asked->page - 1) * asked->size;
    size_t left = from < count ? count - (size_t)from : 0;
    page p = {t, space, left ? items + from : NULL};
    return build_list(trial_cell, &p, left < asked->size ? left : (size_t)asked->size, NULL);
}

locbo_status view_trials(cache *c, const query *q, json_t **answer, locbo_error *error) {
    question asked;
    const trial_table *t;
    item *items = NULL;
    size_t count = 0;
    const char *sort_text = query_get(q, "sort");
    locbo_status status = read_question(q, cache_space(c), &asked, error);
    if (status == LOCBO_OK) status = cache_trials(c, &t, error);
    if (status == LOCBO_OK) status = arrange(t, &asked, &items, &count, error);
    if (status != LOCBO_OK) return status;
    json_t *row = json_object();
    int bad = build_put(row, "trials", build_count(t->count));
    bad |= build_put(row, "matching", build_count(count));
    bad |= build_put(row, "page", build_count(asked.page));
    bad |= build_put(row, "size", build_count(asked.size));
    bad |= build_put(row, "sort", rows_text(sort_text ? sort_text : sorts[BY_TRIAL]));
    bad |= build_put(row, "order", json_string(orders[asked.descending]));
    bad |= build_put(row, "rows", rows_json(t, cache_space(c), &asked, items, count));
    mem_free(items);
    return build_answer(row, bad, answer, error);
}
