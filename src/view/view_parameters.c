/* view_parameters.c - points and values of the trials, for parallel coordinates and scatter plots. Layer: view,
 * answers. Cost: O(trials log trials). */
#include <math.h>
#include <stdlib.h>

#include "mem.h"
#include "rows.h"
#include "json_build.h"
#include "thin.h"
#include "value.h"
#include "views.h"

const char *const parameters_keys[] = {"points", "output", NULL};

enum { LEAST = 10, MOST = 5000, USUAL = 1000 };

/* ---- which trials ---------------------------------------------------------------------------- */

typedef struct candidate {
    double loss; /* smaller is better; NAN: there is no value */
    size_t index;
} candidate;

static int by_loss(const void *a, const void *b) {
    const candidate *p = a, *q = b;
    if (isnan(p->loss) != isnan(q->loss)) return isnan(p->loss) ? 1 : -1;
    if (p->loss != q->loss && !isnan(p->loss)) return p->loss < q->loss ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

static int by_index(const void *a, const void *b) {
    const candidate *p = a, *q = b;
    return (p->index > q->index) - (p->index < q->index);
}

/* One output of the trials, and one parameter. */
typedef struct source {
    const trial_table *table;
    size_t output;
    const double *bounds; /* NULL without a table of outputs */
    int maximize;
    locbo_parameter parameter;
    size_t index;
} source;

static double value_of(const source *s, size_t i) { return trial_table_output(s->table, i, s->output).value; }

static int is_shown(const source *s, size_t i) {
    const trial_row *r = &s->table->rows[i];
    return !isnan(value_of(s, i)) || r->state == LOCBO_STATE_FAILED || r->state == LOCBO_STATE_INFEASIBLE;
}

static size_t list_candidates(const source *s, candidate *all) {
    size_t n = 0;
    for (size_t i = 0; i < s->table->count; i++)
        if (is_shown(s, i)) all[n++] = (candidate){s->maximize ? -value_of(s, i) : value_of(s, i), i};
    return n;
}

/* Moves to the front the best most / 2 with a value, then evenly spaced ones of the others. */
static locbo_status choose_best(candidate *all, size_t n, size_t most, locbo_error *error) {
    size_t best = 0, *chosen = NULL, count = 0;
    qsort(all, n, sizeof *all, by_loss);
    while (best < most / 2 && best < n && !isnan(all[best].loss)) best++;
    qsort(all + best, n - best, sizeof *all, by_index);
    locbo_status status = thin_evenly(n - best, most - best, &chosen, &count, error);
    for (size_t i = 0; status == LOCBO_OK && i < count; i++) all[best + i] = all[best + chosen[i]];
    mem_free(chosen);
    return status;
}

/* Indices into the rows, ascending, `*shown` of them; `*count`: before the choice. */
static locbo_status choose(const source *s, size_t most, size_t **chosen, size_t *shown, size_t *count,
                           locbo_error *error) {
    candidate *all = mem_new(s->table->count, sizeof *all);
    if (!all) return status_no_memory(error);
    *count = list_candidates(s, all);
    *shown = *count < most ? *count : most;
    locbo_status status = *count > most ? choose_best(all, *count, most, error) : LOCBO_OK;
    qsort(all, *shown, sizeof *all, by_index);
    *chosen = status == LOCBO_OK ? mem_new(*shown, sizeof **chosen) : NULL;
    if (status == LOCBO_OK && !*chosen) status = status_no_memory(error);
    for (size_t i = 0; status == LOCBO_OK && i < *shown; i++) (*chosen)[i] = all[i].index;
    mem_free(all);
    return status;
}

/* ---- columns --------------------------------------------------------------------------------- */

static const trial_row *row_of(const void *from, size_t i) { return &((const source *)from)->table->rows[i]; }

static json_t *trial_cell(const void *from, size_t i) { return build_count(row_of(from, i)->trial.id); }

static json_t *state_cell(const void *from, size_t i) { return json_string(locbo_state_name(row_of(from, i)->state)); }

static json_t *value_cell(const void *from, size_t i) { return value_real(value_of(from, i)); }

static json_t *param_cell(const void *from, size_t i) {
    const source *s = from;
    return value_json(&s->parameter, s->table->x[i * s->table->dim + s->index]);
}

static json_t *feasible_cell(const void *from, size_t i) {
    const source *s = from;
    return trial_feasible_json(trial_table_feasible(s->table, i, s->bounds));
}

static const build_column columns[] = {
    {"trial", trial_cell}, {"state", state_cell}, {"value", value_cell}, {NULL, NULL}};

static json_t *params_json(source *s, const locbo_space *space, size_t count, const size_t *chosen) {
    json_t *all = json_object();
    int bad = !all;
    for (s->index = 0; s->index < s->table->dim && !bad; s->index++)
        bad = locbo_space_parameter(space, s->index, &s->parameter, NULL) != LOCBO_OK ||
              build_put(all, s->parameter.name, build_list(param_cell, s, count, chosen));
    return build_finish(all, bad);
}

static json_t *columns_json(source *s, const locbo_space *space, size_t count, const size_t *chosen) {
    json_t *all = build_columns(columns, s, count, chosen);
    int bad = !all || build_put(all, "params", params_json(s, space, count, chosen));
    if (s->bounds) bad |= build_put(all, "feasible", build_list(feasible_cell, s, count, chosen));
    return build_finish(all, bad);
}

/* Small values of a constraint that is at most its bound are the better ones, and of what is recorded. */
static int is_maximized(const cache *c, size_t output) {
    const output_list *list = cache_outputs(c);
    if (!list->table) return cache_maximizes(c);
    return list->spec[output].goal == LOCBO_GOAL_MAXIMIZE || list->spec[output].goal == LOCBO_GOAL_AT_LEAST;
}

locbo_status view_parameters(cache *c, const query *q, json_t **answer, locbo_error *error) {
    const locbo_definition *definition = cache_definition(c);
    size_t *chosen = NULL, shown = 0, count = 0;
    source s = {.output = 0};
    uint64_t points;
    locbo_status status = query_count(q, "points", LEAST, MOST, USUAL, &points, error);
    if (status == LOCBO_OK) status = output_list_read(cache_outputs(c), q, 0, &s.output, error);
    if (status == LOCBO_OK) status = cache_trials(c, &s.table, error);
    if (status == LOCBO_OK) status = cache_bounds(c, &s.bounds, error);
    s.maximize = is_maximized(c, s.output);
    if (status == LOCBO_OK) status = choose(&s, (size_t)points, &chosen, &shown, &count, error);
    if (status != LOCBO_OK) return status;
    json_t *row = json_object();
    int bad = build_put(row, "direction", rows_option(definition->options, "direction"));
    bad |= build_put(row, "parameters", rows_space(definition->space));
    bad |= build_put(row, "trials", build_count(count));
    bad |= build_put(row, "shown", build_count(shown));
    bad |= build_put(row, "columns", columns_json(&s, definition->space, shown, chosen));
    bad |= output_list_put(row, cache_outputs(c), s.output, s.bounds);
    mem_free(chosen);
    return build_answer(row, bad, answer, error);
}
