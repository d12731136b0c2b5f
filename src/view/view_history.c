/* view_history.c - values by trial, with the sets announced for them. Layer: view, answers. Cost: O(trials). */
#include <math.h>

#include "judge.h"
#include "mem.h"
#include "rows.h"
#include "json_build.h"
#include "thin.h"
#include "value.h"
#include "views.h"

const char *const history_keys[] = {"points", "from", "to", NULL};

enum { LEAST = 10, MOST = 20000, USUAL = 2000 };

/* ---- columns --------------------------------------------------------------------------------- */

static const trial_row *row_of(const void *source, size_t i) { return (const trial_row *)source + i; }

static json_t *trial_cell(const void *source, size_t i) { return build_count(row_of(source, i)->trial.id); }

static json_t *state_cell(const void *source, size_t i) {
    return json_string(locbo_state_name(row_of(source, i)->state));
}

static json_t *origin_cell(const void *source, size_t i) {
    return json_string(rows_origin_name(row_of(source, i)->trial.origin));
}

static json_t *value_cell(const void *source, size_t i) { return value_real(row_of(source, i)->value); }

static json_t *mean_cell(const void *source, size_t i) { return value_real(row_of(source, i)->trial.belief.mean); }

static json_t *low_cell(const void *source, size_t i) { return value_real(row_of(source, i)->trial.belief.y_low); }

static json_t *high_cell(const void *source, size_t i) { return value_real(row_of(source, i)->trial.belief.y_high); }

static json_t *miss_cell(const void *source, size_t i) { return judge_json(row_of(source, i)); }

static const build_column columns[] = {{"trial", trial_cell}, {"state", state_cell}, {"origin", origin_cell},
                                       {"value", value_cell}, {"mean", mean_cell},   {"low", low_cell},
                                       {"high", high_cell},   {"miss", miss_cell},   {NULL, NULL}};

static json_t *lowest_cell(const void *source, size_t i) { return value_real(row_of(source, i)->lowest); }

static json_t *highest_cell(const void *source, size_t i) { return value_real(row_of(source, i)->highest); }

static const build_column best_columns[2][3] = {{{"trial", trial_cell}, {"value", lowest_cell}, {NULL, NULL}},
                                                {{"trial", trial_cell}, {"value", highest_cell}, {NULL, NULL}}};

/* ---- which trials ---------------------------------------------------------------------------- */

/* The requested trials, as indices into the table. */
typedef struct span {
    size_t first, count, most;
} span;

static locbo_status read_span(const query *q, const trial_table *t, span *s, locbo_error *error) {
    uint64_t from, to, points;
    locbo_status status = query_count(q, "points", LEAST, MOST, USUAL, &points, error);
    if (status == LOCBO_OK) status = query_count(q, "from", 1, INT64_MAX, 1, &from, error);
    if (status == LOCBO_OK) status = query_count(q, "to", 1, INT64_MAX, INT64_MAX, &to, error);
    if (status != LOCBO_OK) return status;
    if (to > t->count) to = t->count;
    *s = (span){.first = (size_t)from - 1, .count = from <= to ? (size_t)(to - from + 1) : 0, .most = (size_t)points};
    return LOCBO_OK;
}

static locbo_status thin_rows(const trial_table *t, const span *s, size_t **chosen, size_t *count, locbo_error *error) {
    double *value = mem_new(s->count, sizeof *value);
    if (!value) return status_no_memory(error);
    for (size_t i = 0; i < s->count; i++) value[i] = t->rows[s->first + i].value;
    locbo_status status = thin_extremes(s->count, value, s->most, chosen, count, error);
    for (size_t i = 0; status == LOCBO_OK && i < *count; i++) (*chosen)[i] += s->first;
    mem_free(value);
    return status;
}

/* The trials with a measurement better than all before: about log(trials) of them for values in random order, at worst
 * all. */
static json_t *best_json(const trial_table *t, int maximize) {
    size_t *better = mem_new(t->count, sizeof *better), count = 0;
    double best = (double)NAN;
    if (!better) return NULL;
    for (size_t i = 0; i < t->count; i++) {
        double value = maximize ? t->rows[i].highest : t->rows[i].lowest;
        if (isnan(value) || (maximize ? value <= best : value >= best)) continue;
        best = value;
        better[count++] = i;
    }
    json_t *made = build_columns(best_columns[maximize != 0], t->rows, count, better);
    mem_free(better);
    return made;
}

locbo_status view_history(cache *c, const query *q, json_t **answer, locbo_error *error) {
    const locbo_options *options = cache_definition(c)->options;
    const trial_table *t;
    size_t *chosen = NULL, count = 0;
    span s;
    locbo_status status = cache_trials(c, &t, error);
    if (status == LOCBO_OK) status = read_span(q, t, &s, error);
    if (status == LOCBO_OK) status = thin_rows(t, &s, &chosen, &count, error);
    if (status != LOCBO_OK) return status;
    json_t *row = json_object();
    int bad = build_put(row, "direction", rows_option(options, "direction"));
    bad |= build_put(row, "level", value_real(1 - options->alpha));
    bad |= build_put(row, "trials", build_count(t->count));
    bad |= build_put(row, "matching", build_count(s.count));
    bad |= build_put(row, "shown", build_count(count));
    bad |= build_put(row, "columns", build_columns(columns, t->rows, count, chosen));
    bad |= build_put(row, "best", best_json(t, cache_maximizes(c)));
    mem_free(chosen);
    return build_answer(row, bad, answer, error);
}
