/* points.c - the means of the results at each point of a study, kept. Layer: study, middle. Cost: O(log n) for a result
 * and for the best. */
#include "points.h"

#include <stdint.h>
#include <stdlib.h>

#include "bulk.h"
#include "mean.h"
#include "mem.h"

int points_are_kept(const locbo_study *study) {
    return study->revision == 0 && study->table.count == 1 && locbo_space_fidelity(study->space) == SIZE_MAX;
}

/* FNV-1a, its bits mixed as by splitmix64: texts of points differ in few places. */
store_value points_number(const locbo_study *study, const char *params) {
    uint64_t hash = UINT64_C(14695981039346656037);
    if (!points_are_kept(study)) return store_text(NULL);
    for (const char *c = params; *c; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return store_count(hash ^ hash >> 31);
}

#define INTO "locbo_point (study, point, trial, event, results, weight, mean)"
#define INSERT "INSERT INTO " INTO " "
/* A point that was there: both means, by their weights. */
#define MERGE                                                                                                          \
    " ON CONFLICT (study, point) DO UPDATE SET"                                                                        \
    " trial = CASE WHEN excluded.trial < locbo_point.trial THEN excluded.trial ELSE locbo_point.trial END,"            \
    " event = CASE WHEN excluded.event < locbo_point.event THEN excluded.event ELSE locbo_point.event END,"            \
    " results = locbo_point.results + excluded.results, weight = locbo_point.weight + excluded.weight,"                \
    " mean = CASE WHEN abs(locbo_point.mean) < 1e290 AND abs(excluded.mean) < 1e290"                                   \
    " THEN (locbo_point.weight * locbo_point.mean + excluded.weight * excluded.mean)"                                  \
    " / (locbo_point.weight + excluded.weight)"                                                                        \
    " ELSE (locbo_point.weight * " POINTS_SMALL("locbo_point.mean") " + excluded.weight * " POINTS_SMALL(              \
        "excluded.mean") ") / (locbo_point.weight + excluded.weight)" POINTS_LARGE " END"
#define SUMS                                                                                                           \
    "min(m.trial), min(m.event), count(*), sum(m.n), " POINTS_MEAN                                                     \
    " FROM locbo_trial t JOIN locbo_measurement m ON m.study = t.study AND m.trial = t.number"

locbo_status points_add(const locbo_study *study, int64_t number, uint64_t trial, uint64_t event,
                        const locbo_measurement *result, locbo_error *error) {
    if (!points_are_kept(study)) return LOCBO_OK;
    return store_query(study->store, INSERT "VALUES ($1, $2, $3, $4, 1, $5, $6)" MERGE,
                       VALUES(store_int(study->id), store_int(number), store_count(trial), store_count(event),
                              store_count(result->n ? result->n : 1), store_real(result->value)),
                       NULL, NULL, NULL, error);
}

locbo_status points_note(points_list *list, store_value number, uint64_t trial, uint64_t event,
                         const locbo_measurement *result, locbo_error *error) {
    if (number.kind == STORE_NULL) return LOCBO_OK;
    if (!mem_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        return status_no_memory(error);
    list->items[list->count++] = (struct points_item){.number = number.integer,
                                                      .trial = trial,
                                                      .event = event,
                                                      .weight = result->n ? result->n : 1,
                                                      .results = 1,
                                                      .mean = result->value};
    return LOCBO_OK;
}

static int compare_items(const void *a, const void *b) {
    const struct points_item *p = a, *q = b;
    if (p->number != q->number) return p->number < q->number ? -1 : 1;
    return p->event < q->event ? -1 : p->event > q->event;
}

/* One item for each point, by their numbers: a statement may not insert a row twice. */
static void unite(points_list *list) {
    size_t points = 0;
    if (list->count > 0) qsort(list->items, list->count, sizeof *list->items, compare_items);
    for (size_t i = 0; i < list->count; i++) {
        const struct points_item *from = &list->items[i];
        struct points_item *to = points > 0 ? &list->items[points - 1] : NULL;
        if (!to || to->number != from->number) {
            list->items[points++] = *from;
            continue;
        }
        double weight = (double)to->weight;
        mean_add(&to->mean, &weight, from->mean, (double)from->weight);
        to->weight += from->weight;
        to->results += from->results;
        if (from->trial < to->trial) to->trial = from->trial;
    }
    list->count = points;
}

locbo_status points_write(const locbo_study *study, points_list *list, locbo_status status, locbo_error *error) {
    bulk b;
    unite(list);
    bulk_begin(&b, study->store, INTO, "$1, ?i, ?i, ?i, ?i, ?i, ?r", VALUES(store_int(study->id)));
    b.tail = MERGE;
    for (size_t i = 0; i < list->count && status == LOCBO_OK; i++) {
        const struct points_item *p = &list->items[i];
        status = bulk_add(&b,
                          VALUES(store_int(p->number), store_count(p->trial), store_count(p->event),
                                 store_count(p->results), store_count(p->weight), store_real(p->mean)),
                          error);
    }
    status = bulk_end(&b, status, error);
    mem_free(list->items);
    *list = (points_list){0};
    return status;
}

locbo_status points_take_back(const locbo_study *study, uint64_t trial, locbo_error *error) {
    store_value values[] = {store_int(study->id), store_count(trial)};
#define POINT "(SELECT point FROM locbo_trial WHERE study = $1 AND number = $2)"
    if (!points_are_kept(study)) return LOCBO_OK;
    locbo_status status = store_query(study->store, "DELETE FROM locbo_point WHERE study = $1 AND point = " POINT, 2,
                                      values, NULL, NULL, NULL, error);
    if (status != LOCBO_OK) return status;
    return store_query(study->store,
                       INSERT "SELECT $1, t.point, " SUMS " WHERE t.study = $1 AND t.point = " POINT
                              " AND m.retracted IS NULL GROUP BY t.point",
                       2, values, NULL, NULL, NULL, error);
#undef POINT
}

locbo_status points_best(const locbo_study *study, store_row_fn *row, void *user, locbo_error *error) {
    static const char *const sql[] = {
        "SELECT trial, mean, event, results FROM locbo_point WHERE study = $1 ORDER BY mean, event LIMIT 1",
        "SELECT trial, mean, event, results FROM locbo_point WHERE study = $1 ORDER BY mean DESC, event LIMIT 1"};
    return store_query(study->store, sql[study->options.direction == LOCBO_MAXIMIZE], VALUES(store_int(study->id)), row,
                       user, NULL, error);
}
