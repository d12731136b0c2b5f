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

const char *const trials_keys[] = {"sort", "order", "state", "q", "tag", "miss", "feasible", "page", "size", NULL};

enum { MOST = 500, USUAL = 50, PAGES = 1000000000 };

/* ---- the query ------------------------------------------------------------------------------- */

static const char *const sorts[] = {"trial", "state", "value", "mean", "worker", "started", "ended", "seconds", NULL};
typedef enum sort {
    BY_TRIAL,
    BY_STATE,
    BY_VALUE,
    BY_MEAN,
    BY_WORKER,
    BY_STARTED,
    BY_ENDED,
    BY_SECONDS,
    BY_PARAM,
    BY_OUTPUT
} sort;

static const char *const orders[] = {"asc", "desc", NULL};

static const char *const feasibles[] = {"no", "yes", NULL}; /* as TRIAL_FEASIBLE_NO and _YES */
enum { ANY_FEASIBLE = 2 };

typedef struct question {
    size_t sort, by, descending; /* `by`: the parameter or the output to sort by */
    size_t feasible;
    const double *bounds;   /* NULL without a table of outputs */
    unsigned states;        /* bits; 0: all */
    const char *text, *tag; /* NULL: any */
    uint64_t miss, page, size;
} question;

/* The text after a prefix; NULL if it does not begin with that. */
static const char *after(const char *text, const char *prefix) {
    size_t length = strlen(prefix);
    return text && strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static locbo_status read_sort(const query *q, const cache *c, question *asked, locbo_error *error) {
    const char *text = query_get(q, "sort"), *name = after(text, "param:"), *output = after(text, "outputs.");
    if (name) {
        asked->sort = BY_PARAM;
        if (locbo_space_find(cache_space(c), name, &asked->by, NULL) == LOCBO_OK) return LOCBO_OK;
        return status_fail(error, LOCBO_ERR_ARGUMENT, "sort: there is no parameter '%.60s'", name);
    }
    if (output && cache_outputs(c)->table) {
        asked->sort = BY_OUTPUT;
        if (locbo_outputs_find(cache_outputs(c)->table, output, &asked->by, NULL) == LOCBO_OK) return LOCBO_OK;
        return status_fail(error, LOCBO_ERR_ARGUMENT, "sort: there is no output '%.60s'", output);
    }
    return query_word(q, "sort", sorts, BY_TRIAL, &asked->sort, error);
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
                               "state must be WAITING, RUNNING, COMPLETE, FAILED, INFEASIBLE, RETRACTED or PRUNED, or "
                               "several separated by commas, got '%.*s'",
                               (int)(length < 40 ? length : 40), text);
        asked->states |= 1u << state;
        text = comma ? comma + 1 : NULL;
    }
    return LOCBO_OK;
}

static locbo_status read_question(const query *q, const cache *c, question *asked, locbo_error *error) {
    *asked = (question){.text = query_get(q, "q"), .tag = query_get(q, "tag")};
    locbo_status status = read_sort(q, c, asked, error);
    if (status == LOCBO_OK) status = query_word(q, "order", orders, 1, &asked->descending, error);
    if (status == LOCBO_OK) status = read_states(q, asked, error);
    if (status == LOCBO_OK) status = query_count(q, "miss", 0, 1, 0, &asked->miss, error);
    if (status == LOCBO_OK) status = query_word(q, "feasible", feasibles, ANY_FEASIBLE, &asked->feasible, error);
    if (status == LOCBO_OK) status = query_count(q, "page", 1, PAGES, 1, &asked->page, error);
    if (status == LOCBO_OK) status = query_count(q, "size", 1, MOST, USUAL, &asked->size, error);
    return status;
}

/* ---- filters --------------------------------------------------------------------------------- */

static int matches(const trial_table *t, size_t i, const question *asked) {
    const trial_row *r = &t->rows[i];
    if (asked->states && !(asked->states >> r->state & 1)) return 0;
    if (asked->miss && judge_any(t, i) != JUDGE_MISS) return 0;
    if (asked->feasible != ANY_FEASIBLE && (int)trial_table_feasible(t, i, asked->bounds) != (int)asked->feasible)
        return 0;
    if (asked->tag && !trial_table_is_tagged(t, i, asked->tag)) return 0;
    if (!asked->text) return 1;
    return strcasestr(t->workers[r->worker], asked->text) || (r->message && strcasestr(r->message, asked->text)) ||
           (r->note && strcasestr(r->note, asked->text));
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

/* Several objectives have no single value. */
static int has_value(const trial_table *t) { return t->outputs->objectives == 1; }

static double key_of(const trial_table *t, const question *asked, const double *rank, size_t i) {
    const trial_row *r = &t->rows[i];
    switch ((sort)asked->sort) {
    case BY_TRIAL:
        return (double)i;
    case BY_STATE:
        return (double)r->state;
    case BY_VALUE:
        return has_value(t) ? r->value : (double)NAN;
    case BY_MEAN:
        return has_value(t) ? r->trial.belief.mean : (double)NAN;
    case BY_WORKER:
        return rank[r->worker];
    case BY_STARTED:
        return r->started;
    case BY_ENDED:
        return r->ended;
    case BY_SECONDS:
        return r->ended - r->started;
    case BY_PARAM:
        return t->x[i * t->dim + asked->by];
    case BY_OUTPUT:
        return trial_table_output(t, i, asked->by).value;
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
        if (matches(t, i, asked)) items[(*count)++] = (item){key_of(t, asked, rank, i), i};
    qsort(items, *count, sizeof *items, asked->descending ? downwards : upwards);
    mem_free(rank);
    *made = items;
    return LOCBO_OK;
}

/* ---- the answer ------------------------------------------------------------------------------ */

typedef struct page {
    const trial_table *table;
    const locbo_space *space;
    const double *bounds;
    const item *items;
    size_t row; /* whose outputs are written */
} page;

static int put_result(json_t *row, const trial_table *t, size_t i) {
    const trial_row *r = &t->rows[i];
    const locbo_belief *belief = &r->trial.belief;
    int single = has_value(t);
    int bad = build_put(row, "value", single ? value_real(r->value) : json_null());
    bad |= build_put(row, "count", build_count(r->count));
    bad |= build_put(row, "mean", single ? value_real(belief->mean) : json_null());
    bad |= build_put(row, "interval", single ? rows_interval(belief->y_low, belief->y_high) : json_null());
    bad |= build_put(row, "miss", judge_json(judge_any(t, i)));
    return bad;
}

static json_t *output_cell(const void *source, size_t output) {
    const page *p = source;
    return value_real(trial_table_output(p->table, p->row, output).value);
}

/* Of a study with a table of outputs. */
static int put_outputs(json_t *row, page p, size_t i) {
    if (!p.bounds) return 0;
    p.row = i;
    int bad = build_put(row, "outputs", output_list_object(p.table->outputs, NULL, output_cell, &p));
    return bad | build_put(row, "feasible", trial_feasible_json(trial_table_feasible(p.table, i, p.bounds)));
}

static int put_work(json_t *row, const trial_table *t, const trial_row *r) {
    int bad = build_put(row, "worker", rows_text(t->workers[r->worker]));
    bad |= build_put(row, "attempt", build_count(r->attempt));
    bad |= build_put(row, "asked", value_real(r->asked));
    bad |= build_put(row, "started", value_real(r->started));
    bad |= build_put(row, "ended", value_real(r->ended));
    bad |= build_put(row, "seconds", value_real(r->ended - r->started));
    bad |= build_put(row, "message", rows_text(r->message ? r->message : ""));
    bad |= build_put(row, "note", rows_note(r->note ? r->note : ""));
    bad |= build_put(row, "tags", rows_tags(r->tags ? r->tags : ""));
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
    bad |= put_result(row, t, i) | put_work(row, t, r) | put_outputs(row, *p, i);
    return build_finish(row, bad);
}

static json_t *rows_json(const trial_table *t, const locbo_space *space, const question *asked, const item *items,
                         size_t count) {
    uint64_t from = (asked->page - 1) * asked->size;
    size_t left = from < count ? count - (size_t)from : 0;
    page p = {.table = t, .space = space, .bounds = asked->bounds, .items = left ? items + from : NULL};
    return build_list(trial_cell, &p, left < asked->size ? left : (size_t)asked->size, NULL);
}

/* Adds 1 to the count of each tag. Returns not 0 without memory. */
static int count_tags(json_t *counts, const char *tags) {
    json_t *words = rows_tags(tags), *word;
    size_t i;
    int bad = !words;
    json_array_foreach(words, i, word) {
        const char *tag = json_string_value(word);
        json_int_t so_far = json_integer_value(json_object_get(counts, tag));
        bad |= build_put(counts, tag, json_integer(so_far + 1));
    }
    json_decref(words);
    return bad;
}

/* How many trials have each tag: {"bad": 3}. */
static json_t *tags_json(const trial_table *t) {
    json_t *counts = json_object();
    int bad = !counts;
    for (size_t i = 0; i < t->count && !bad; i++)
        if (t->rows[i].tags) bad = count_tags(counts, t->rows[i].tags);
    return build_finish(counts, bad);
}

locbo_status view_trials(cache *c, const query *q, json_t **answer, locbo_error *error) {
    question asked;
    const trial_table *t;
    item *items = NULL;
    size_t count = 0;
    const char *sort_text = query_get(q, "sort");
    locbo_status status = read_question(q, c, &asked, error);
    if (status == LOCBO_OK) status = cache_trials(c, &t, error);
    if (status == LOCBO_OK) status = cache_bounds(c, &asked.bounds, error);
    if (status == LOCBO_OK) status = arrange(t, &asked, &items, &count, error);
    if (status != LOCBO_OK) return status;
    json_t *row = json_object();
    int bad = build_put(row, "trials", build_count(t->count));
    bad |= build_put(row, "matching", build_count(count));
    bad |= build_put(row, "page", build_count(asked.page));
    bad |= build_put(row, "size", build_count(asked.size));
    bad |= build_put(row, "sort", rows_text(sort_text ? sort_text : sorts[BY_TRIAL]));
    bad |= build_put(row, "order", json_string(orders[asked.descending]));
    bad |= build_put(row, "tags", tags_json(t));
    bad |= build_put(row, "rows", rows_json(t, cache_space(c), &asked, items, count));
    mem_free(items);
    return build_answer(row, bad, answer, error);
}
