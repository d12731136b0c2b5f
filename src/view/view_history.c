/* view_history.c - values by trial, with the sets announced for them, and the best mean of a point so far. Layer: view,
 * answers. Cost: O(trials). */
#include <math.h>

#include "change_list.h"
#include "judge.h"
#include "mem.h"
#include "rows.h"
#include "json_build.h"
#include "thin.h"
#include "value.h"
#include "views.h"

const char *const history_keys[] = {"points", "from", "to", "output", NULL};

enum { LEAST = 10, MOST = 20000, USUAL = 2000 };

/* ---- columns --------------------------------------------------------------------------------- */

/* One output of the trials. */
typedef struct source {
    const trial_table *table;
    size_t output;
    const double *bounds; /* NULL without a table of outputs */
    int best_is_highest;
    rows_fidelity fidelity;
} source;

static const trial_row *row_of(const void *from, size_t i) { return &((const source *)from)->table->rows[i]; }

static trial_output output_of(const void *from, size_t i) {
    const source *s = from;
    return trial_table_output(s->table, i, s->output);
}

static json_t *trial_cell(const void *from, size_t i) { return build_count(row_of(from, i)->trial.id); }

static json_t *state_cell(const void *from, size_t i) { return json_string(locbo_state_name(row_of(from, i)->state)); }

static json_t *origin_cell(const void *from, size_t i) {
    return json_string(rows_origin_name(row_of(from, i)->trial.origin));
}

static json_t *value_cell(const void *from, size_t i) { return value_real(output_of(from, i).value); }

/* What is believed of an output that is not modelled. */
static const locbo_belief NO_BELIEF = {.mean = NAN, .y_low = NAN, .y_high = NAN};

static const locbo_belief *belief_of(const void *from, size_t i) {
    const source *s = from;
    const locbo_belief *belief = trial_table_belief(s->table, i, s->output);
    return belief ? belief : &NO_BELIEF;
}

static json_t *mean_cell(const void *from, size_t i) { return value_real(belief_of(from, i)->mean); }

static json_t *low_cell(const void *from, size_t i) { return value_real(belief_of(from, i)->y_low); }

static json_t *high_cell(const void *from, size_t i) { return value_real(belief_of(from, i)->y_high); }

static json_t *miss_cell(const void *from, size_t i) {
    const source *s = from;
    return judge_json(judge_output(s->table, i, s->output));
}

static json_t *feasible_cell(const void *from, size_t i) {
    const source *s = from;
    return trial_feasible_json(trial_table_feasible(s->table, i, s->bounds));
}

/* Whether it was evaluated below full fidelity. */
static json_t *below_cell(const void *from, size_t i) {
    const source *s = from;
    return json_boolean(rows_is_below(s->fidelity, s->table->x + i * s->table->dim));
}

static const build_column columns[] = {{"trial", trial_cell}, {"state", state_cell}, {"origin", origin_cell},
                                       {"value", value_cell}, {"mean", mean_cell},   {"low", low_cell},
                                       {"high", high_cell},   {"miss", miss_cell},   {NULL, NULL}};

static json_t *columns_json(const source *s, size_t count, const size_t *chosen) {
    json_t *all = build_columns(columns, s, count, chosen);
    int bad = s->bounds && build_put(all, "feasible", build_list(feasible_cell, s, count, chosen));
    if (s->fidelity.at != SIZE_MAX) bad |= build_put(all, "below", build_list(below_cell, s, count, chosen));
    return build_finish(all, bad);
}

/* A point with the best mean so far: its first trial, and that mean. */
typedef struct step {
    uint64_t trial;
    double value;
} step;

static json_t *step_trial(const void *from, size_t i) { return build_count(((const step *)from)[i].trial); }

static json_t *step_value(const void *from, size_t i) { return value_real(((const step *)from)[i].value); }

static const build_column best_columns[] = {{"trial", step_trial}, {"value", step_value}, {NULL, NULL}};

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

static locbo_status thin_rows(const source *from, const span *s, size_t **chosen, size_t *count, locbo_error *error) {
    double *value = mem_new(s->count, sizeof *value);
    if (!value) return status_no_memory(error);
    for (size_t i = 0; i < s->count; i++) value[i] = output_of(from, s->first + i).value;
    locbo_status status = thin_extremes(s->count, value, s->most, chosen, count, error);
    for (size_t i = 0; status == LOCBO_OK && i < *count; i++) (*chosen)[i] += s->first;
    mem_free(value);
    return status;
}

/* The points with a mean better than those before them, by their first trials: about log(points) of them for values in
 * random order, at worst all. The mean is that of now: results of later trials at the point change the past too. With
 * constraints those that keep to them, with a fidelity those at full fidelity. */
static size_t list_steps(const source *s, const point_means *means, step *steps) {
    const trial_table *t = s->table;
    size_t count = 0;
    double best = (double)NAN;
    for (size_t i = 0; i < means->count; i++) {
        const double *mean = means->mean + i * means->outputs;
        double value = mean[s->output];
        if (isnan(value) || (s->best_is_highest ? value <= best : value >= best)) continue;
        if (t->outputs->constraints && trial_feasible_of(t->outputs, s->bounds, mean) != TRIAL_FEASIBLE_YES) continue;
        if (rows_is_below(s->fidelity, t->x + means->first[i] * t->dim)) continue;
        best = value;
        steps[count++] = (step){t->rows[means->first[i]].trial.id, value};
    }
    return count;
}

/* Nothing of an output that is no objective. */
static locbo_status find_best(const source *s, json_t **made, locbo_error *error) {
    point_means means = {0};
    size_t count = 0;
    locbo_status status = LOCBO_OK;
    if (output_list_is_objective(s->table->outputs, s->output)) status = trial_table_means(s->table, &means, error);
    step *steps = mem_new(means.count, sizeof *steps);
    if (status == LOCBO_OK && !steps) status = status_no_memory(error);
    if (status == LOCBO_OK) {
        count = list_steps(s, &means, steps);
        *made = build_columns(best_columns, steps, count, NULL);
        if (!*made) status = status_no_memory(error);
    }
    mem_free(steps);
    point_means_release(&means);
    return status;
}

/* The number of the last trial that was asked before a time; 0: none. */
static size_t last_before(const trial_table *t, double time) {
    size_t last = t->count;
    while (last > 0 && !(t->rows[last - 1].asked <= time)) last--;
    return last;
}

/* The alterations of the definition, each with the trial after which it was made. */
static locbo_status list_alterations(cache *c, const trial_table *t, json_t **list, locbo_error *error) {
    json_t *row;
    size_t i;
    int bad = 0;
    locbo_status status = change_list_read(cache_study(c), (change_filter){.definitions = 1}, list, error);
    if (status != LOCBO_OK) return status;
    json_array_foreach(*list, i, row) {
        double time = json_number_value(json_object_get(row, "time"));
        bad |= build_put(row, "after", build_count(last_before(t, time)));
    }
    if (!bad) return LOCBO_OK;
    json_decref(*list);
    return status_no_memory(error);
}

/* The facts, and the output that is asked for. */
static locbo_status find_source(cache *c, const query *q, source *s, locbo_error *error) {
    const output_list *list = cache_outputs(c);
    locbo_status status = output_list_read(list, q, 0, &s->output, error);
    if (status == LOCBO_OK) status = cache_trials(c, &s->table, error);
    if (status == LOCBO_OK) status = cache_bounds(c, &s->bounds, error);
    s->fidelity = rows_fidelity_of(cache_space(c));
    s->best_is_highest = list->table ? list->spec[s->output].goal == LOCBO_GOAL_MAXIMIZE : cache_maximizes(c);
    return status;
}

locbo_status view_history(cache *c, const query *q, json_t **answer, locbo_error *error) {
    const locbo_options *options = cache_definition(c)->options;
    size_t *chosen = NULL, count = 0;
    source from = {.output = 0};
    json_t *best = NULL, *alterations = NULL;
    span s;
    locbo_status status = find_source(c, q, &from, error);
    if (status == LOCBO_OK) status = read_span(q, from.table, &s, error);
    if (status == LOCBO_OK) status = find_best(&from, &best, error);
    if (status == LOCBO_OK) status = thin_rows(&from, &s, &chosen, &count, error);
    if (status == LOCBO_OK) status = list_alterations(c, from.table, &alterations, error);
    if (status != LOCBO_OK) {
        json_decref(best);
        mem_free(chosen);
        return status;
    }
    json_t *row = json_object();
    int bad = build_put(row, "direction", rows_option(options, "direction"));
    bad |= build_put(row, "level", value_real(1 - options->alpha));
    bad |= build_put(row, "trials", build_count(from.table->count));
    bad |= build_put(row, "matching", build_count(s.count));
    bad |= build_put(row, "shown", build_count(count));
    bad |= build_put(row, "columns", columns_json(&from, count, chosen));
    bad |= build_put(row, "best", best);
    bad |= build_put(row, "alterations", alterations);
    bad |= output_list_put(row, cache_outputs(c), from.output, from.bounds);
    mem_free(chosen);
    return build_answer(row, bad, answer, error);
}
