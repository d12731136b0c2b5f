/* run_summary.c - the summary at the end of a run. Layer: cli, middle. */
#include "run_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "early_end.h"
#include "choice.h"
#include "exit_code.h"
#include "fallback.h"
#include "goal.h"
#include "mem.h"
#include "overview.h"
#include "rows.h"
#include "text.h"
#include "value.h"

typedef struct facts {
    locbo_census census;
    locbo_plan plan;
    locbo_summary summary;
    uint64_t random;            /* proposals that the model could not give */
    json_t *best, *recommended; /* NULL: there is no model, or no result */
    json_t *account;            /* of evaluations that were ended early; NULL: there is none */
    json_t *several;            /* with a table of outputs: what overview_put_outputs gives */
} facts;

static locbo_status gather(session *s, facts *w, locbo_error *error) {
    locbo_optimizer *o;
    locbo_status status = locbo_study_census(s->study, &w->census, error);
    w->plan.struct_size = sizeof w->plan;
    if (status == LOCBO_OK) status = locbo_study_plan(s->study, &w->plan, error);
    if (status == LOCBO_OK) status = early_end_account(s->study, &w->account, error);
    if (status != LOCBO_OK || w->census.measurements == 0) return status;
    status = locbo_study_optimizer(s->study, &o, error);
    if (status == LOCBO_OK) status = locbo_optimizer_summary(o, &w->summary, error);
    if (status == LOCBO_OK) w->random = overview_random(o, w->summary.asked, s->definition.options->method);
    if (status != LOCBO_OK || choice_takes_long(s->definition.options, w->census.measurements)) return status;
    status = choice_of(o, s->definition.outputs, 0, &w->best, error);
    if (status == LOCBO_OK) status = choice_of(o, s->definition.outputs, 1, &w->recommended, error);
    /* several objectives before there is a model; an objective that was never measured */
    return status == LOCBO_ERR_NOTHING || status == LOCBO_ERR_STATE ? LOCBO_OK : status;
}

static locbo_status gather_outputs(session *s, facts *w, locbo_error *error) {
    locbo_optimizer *o = NULL;
    locbo_status status = LOCBO_OK;
    if (!s->definition.outputs) return LOCBO_OK;
    if (w->census.measurements > 0) status = locbo_study_optimizer(s->study, &o, error);
    if (status != LOCBO_OK) return status;
    w->several = json_object();
    return w->several ? overview_put_outputs(w->several, s->study, &w->census, o, error) : status_no_memory(error);
}

static int print_json(const session *s, const facts *w) {
    output *out = output_open(s->format, 1);
    json_t *row = json_pack("{s:s, s:I, s:I, s:I, s:O?, s:O?, s:o, s:o, s:o, s:I, s:I}", "study",
                            locbo_study_name(s->study), "complete", (json_int_t)w->census.state[LOCBO_COMPLETE],
                            "failed", (json_int_t)w->census.state[LOCBO_STATE_FAILED], "infeasible",
                            (json_int_t)w->census.state[LOCBO_STATE_INFEASIBLE], "best", w->best, "recommended",
                            w->recommended, "coverage", value_real(w->summary.coverage), "coverage_online",
                            value_real(w->summary.coverage_online), "target", value_real(w->summary.target), "judged",
                            (json_int_t)w->summary.judged, "random_proposals", (json_int_t)w->random);
    int good = out && row && !rows_put_spent(row, s->definition.space, &w->plan, &w->census) &&
               (!w->account ||
                (json_object_set_new(row, "pruned", json_integer((json_int_t)w->census.state[LOCBO_PRUNED])) == 0 &&
                 json_object_set(row, "early_end", w->account) == 0)) &&
               (!w->several || json_object_update(row, w->several) == 0) && output_row(out, row);
    return output_close(out) && good;
}

static int has_constraints(const session *s) { return goal_constraints(s->definition.outputs) > 0; }

/* A category is a text that the creator of the study chose. */
static void print_value(const char *name, const char *value) {
    char *shown = mem_text(value);
    if (shown) text_clean(shown);
    printf(" %s=%s", name, shown ? shown : "");
    mem_free(shown);
}

/* " temperature=230.6 minutes=35" */
static int print_point(const session *s, const json_t *choice) {
    json_t *point = cells_point(s->definition.space, json_object_get(choice, "params"), OUTPUT_TABLE), *item;
    const char *name;
    printf("   ");
    json_object_foreach(point, name, item) {
        if (json_is_null(item)) continue; /* it is not active */
        if (json_is_string(item))
            print_value(name, json_string_value(item));
        else if (json_is_boolean(item))
            print_value(name, json_is_true(item) ? "true" : "false");
        else
            printf(" %s=%" JSON_INTEGER_FORMAT, name, json_integer_value(item));
    }
    printf("\n");
    int good = point != NULL;
    json_decref(point);
    return good;
}

/* ", f between 0.1 and 0.2", if the interval is known. */
static void print_interval(const char *what, const json_t *interval) {
    char low[32], high[32];
    value_brief(rows_real(json_array_get(interval, 0)), low);
    value_brief(rows_real(json_array_get(interval, 1)), high);
    if (json_is_array(interval)) printf(", %sbetween %s and %s", what, low, high);
}

/* The name of the only objective; NULL without a table. */
static const char *objective_of(const locbo_outputs *outputs) {
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        if (locbo_outputs_get(outputs, i, &spec, NULL) == LOCBO_OK && rows_is_objective(&spec)) return spec.name;
    }
    return NULL;
}

/* "memory<=512": an output by its name and bound. */
static void print_constraint(const locbo_outputs *outputs, const char *name) {
    locbo_output_spec spec = {.struct_size = sizeof spec};
    size_t at;
    char *text = NULL;
    if (locbo_outputs_find(outputs, name, &at, NULL) == LOCBO_OK &&
        locbo_outputs_get(outputs, at, &spec, NULL) == LOCBO_OK)
        text = goal_text(&spec);
    printf("    %.*s", text ? (int)strcspn(text, ",") : (int)strlen(name), text ? text : name);
    mem_free(text);
}

/* What the model says of the constraints at a point. */
static void print_constraints(const session *s, const json_t *choice) {
    const locbo_outputs *outputs = s->definition.outputs;
    double feasible = rows_real_of(choice, "feasible");
    const char *name;
    json_t *belief;
    json_object_foreach(json_object_get(choice, "outputs"), name, belief) {
        char mean[32];
        double value = rows_real_of(belief, "mean");
        value_brief(value, mean);
        if (isnan(value) || strcmp(name, objective_of(outputs)) == 0) continue;
        print_constraint(outputs, name);
        printf(": mean %s", mean);
        print_interval("", json_object_get(belief, "interval"));
        printf("\n");
    }
    if (!isnan(feasible))
        printf("    %s there with probability %.2f\n",
               goal_constraints(outputs) == 1 ? "the constraint holds" : "the constraints hold", feasible);
}

/* " (mean of 3)", if there are several. */
static void print_count(json_int_t results) {
    if (results > 1) printf(" (mean of %" JSON_INTEGER_FORMAT ")", results);
}

static int print_choice(const session *s, const char *title, const char *key, const json_t *choice, uint64_t results) {
    char value[32];
    const json_t *interval = json_object_get(choice, "interval"), *trial = json_object_get(choice, "trial");
    const char *objective = objective_of(s->definition.outputs);
    value_brief(rows_real_of(choice, key), value);
    printf("%s %s%s%s", title, objective ? objective : "", objective ? "=" : "", value);
    print_count(json_integer_value(json_object_get(choice, "results")));
    print_interval("f ", interval);
    if (json_is_array(interval)) printf(" (level %g)", rows_real_of(choice, "level"));
    if (!json_is_array(interval) && cells_is_withheld(s->definition.options, results)) printf(", " CELLS_NO_INTERVAL);
    if (json_is_integer(trial)) printf(", trial %" JSON_INTEGER_FORMAT, json_integer_value(trial));
    printf("\n");
    int good = print_point(s, choice);
    if (has_constraints(s)) print_constraints(s, choice);
    return good;
}

/* Best and recommended point of one objective. */
static int print_points(const session *s, const facts *w) {
    double level = s->definition.options->feasibility, feasible = rows_real_of(w->recommended, "feasible");
    uint64_t results = w->census.measurements;
    int good = 1;
    if (w->census.best_trial == 0 && has_constraints(s))
        printf("best observed: none, since no trial keeps to the constraints\n");
    else
        good = print_choice(s, "best observed:", "value", w->best, results);
    if (feasible < level)
        printf(
            "no point is known that keeps to the constraints with probability %g (option feasibility); this one is the "
            "most probable:\n",
            level);
    return good && print_choice(s, "recommended:  ", "mean", w->recommended, results);
}

/* ---- several objectives ------------------------------------------------------------------------ */

enum { FRONT_ROWS = 10 };

/* A point of a front as a row of the table: what the model says of the outputs, or what was measured. */
static json_t *front_row(const session *s, const json_t *point, const char *key) {
    const char *name;
    json_t *outputs = json_object(), *belief, *row;
    json_t *params = cells_point(s->definition.space, json_object_get(point, "params"), OUTPUT_TABLE);
    int bad = 0;
    json_object_foreach(json_object_get(point, "outputs"), name, belief) bad |=
        json_object_set(outputs, name, json_object_get(belief, key));
    row = json_pack("{s:O, s:o, s:o}", "trial", json_object_get(point, "trial"), "params", params, "outputs", outputs);
    if (has_constraints(s)) {
        char text[16];
        double feasible = rows_real_of(point, "feasible");
        snprintf(text, sizeof text, "%.2f", feasible);
        bad |= json_object_set_new(row, "feasible", isnan(feasible) ? json_null() : json_string(text));
    }
    if (!bad) return row;
    json_decref(row);
    return NULL;
}

/* At most FRONT_ROWS points, which come with the best first objective first, spread evenly from the first to the last.
 */
static int print_front(const session *s, const json_t *front, const char *key) {
    const json_t *points = json_object_get(front, "front");
    size_t count = json_array_size(points), rows = count < FRONT_ROWS ? count : FRONT_ROWS;
    output *out = output_open(OUTPUT_TABLE, 0);
    int good = out != NULL;
    fflush(stdout); /* the table is written by other means */
    for (size_t i = 0; i < rows && good; i++) {
        size_t at = rows > 1 ? i * (count - 1) / (rows - 1) : 0;
        good = output_row(out, front_row(s, json_array_get(points, at), key));
    }
    good = output_close(out) && good;
    if (count > rows)
        printf("%zu of its %" JSON_INTEGER_FORMAT " points; `locbo %s` lists all\n", rows,
               json_integer_value(json_object_get(front, "points")), strcmp(key, "mean") == 0 ? "recommend" : "best");
    return good;
}

/* "reference cost=40 power=300" */
static void print_reference(const json_t *front) {
    const char *name;
    json_t *value;
    printf(" (reference");
    json_object_foreach(json_object_get(front, "reference"), name, value) {
        char text[32];
        value_brief(rows_real(value), text);
        printf(" %s=%s", name, text);
    }
    printf(")\n");
}

/* By the model if there is one, otherwise by what was measured. */
static int print_fronts(const session *s, const facts *w) {
    int believes = json_array_size(json_object_get(w->recommended, "front")) > 0;
    const json_t *front = believes ? w->recommended : w->best;
    double measured = rows_real_of(json_object_get(w->several, "front"), "hypervolume");
    double believed = rows_real_of(w->recommended, "hypervolume");
    char text[2][32];
    int good = 1;
    if (w->recommended && !believes)
        printf("no point is known that keeps to the constraints with probability %g (option feasibility)\n",
               s->definition.options->feasibility);
    if (json_array_size(json_object_get(front, "front")) > 0) {
        printf("Pareto front %s, the best %s first:\n", believes ? "by the means of the model" : "as measured",
               objective_of(s->definition.outputs));
        good = print_front(s, front, believes ? "mean" : "value");
    } else {
        printf("Pareto front: empty, since no trial has all objectives and keeps to the constraints\n");
    }
    if (isnan(measured)) return good;
    value_brief(measured, text[0]);
    value_brief(believed, text[1]);
    printf("hypervolume: %s as measured", text[0]);
    if (believes && !isnan(believed)) printf(", %s by the model", text[1]);
    print_reference(front);
    return good;
}

/* Of more results than are listed. */
static int print_size(const facts *w) {
    const json_t *front = json_object_get(w->several, "front");
    char volume[32];
    if (!json_is_object(front)) return 1;
    value_brief(rows_real_of(front, "hypervolume"), volume);
    printf("Pareto front as measured: %s, hypervolume %s\n",
           value_count((uint64_t)json_integer_value(json_object_get(front, "points")), "point").text, volume);
    return 1;
}

/* ---- both -------------------------------------------------------------------------------------- */

static void print_coverage(const char *name, double coverage, uint64_t judged, double target) {
    if (judged == 0) return;
    printf("coverage: %.2f of %s%s%s lay in the set announced for %s (target %.2f)\n", coverage,
           value_count(judged, "measurement").text, name ? " of " : "", name ? name : "", judged == 1 ? "it" : "them",
           target);
}

static void print_doubt(const char *name, double coverage, uint64_t judged, double target) {
    if (judged >= 10 && coverage < target - 0.1)
        printf("the model%s%s was too sure of itself so far: it expected more of the measurements in their sets\n",
               name ? " of " : "", name ? name : "");
}

/* A line for each output, one for all of them, and which models were too sure. */
static void print_coverages(const facts *w) {
    const json_t *list = json_object_get(w->several, "coverage_by_output"), *one;
    const json_t *together = json_object_get(w->several, "coverage_together");
    size_t i;
    for (int doubt = 0; doubt < 2; doubt++) {
        json_array_foreach(list, i, one)(doubt ? print_doubt : print_coverage)(
            json_string_value(json_object_get(one, "output")), rows_real_of(one, "coverage"),
            (uint64_t)json_integer_value(json_object_get(one, "judged")), rows_real_of(one, "target"));
        if (!doubt && json_is_object(together) && json_array_size(list) > 1)
            printf("coverage: %.2f of %s lay in all these sets at once\n", rows_real_of(together, "coverage"),
                   value_count((uint64_t)json_integer_value(json_object_get(together, "judged")), "result").text);
    }
}

static void print_feasible(const facts *w) {
    const json_t *f = json_object_get(w->several, "feasible");
    json_int_t yes = json_integer_value(json_object_get(f, "yes"));
    if (!json_is_object(f) || w->census.state[LOCBO_COMPLETE] == 0) return;
    printf("%" JSON_INTEGER_FORMAT " of the complete trials %s to the constraints\n", yes, yes == 1 ? "keeps" : "keep");
}

/* Outputs that were never measured: the first thing to know. */
static void print_lacking(const facts *w) {
    const char *name;
    json_t *count;
    json_object_foreach(json_object_get(w->several, "measured"), name, count) {
        if (w->census.measurements > 0 && json_integer_value(count) == 0)
            printf("no trial has measured %s: is it printed under this name?\n", name);
    }
}

static void print_spent(const session *s, const facts *w) {
    json_t *spent = rows_spent(s->definition.space, &w->plan, &w->census);
    json_t *text = spent ? cells_spent(spent, w->plan.budget, s->definition.space) : NULL;
    if (json_is_string(text)) printf("spent: %s\n", json_string_value(text));
    json_decref(text);
    json_decref(spent);
}

static void print_early_end(const facts *w) {
    json_t *text = early_end_summary(w->account);
    if (json_is_string(text)) printf("ended early: %s\n", json_string_value(text));
    json_decref(text);
}

static int print_text(const session *s, const facts *w) {
    const locbo_census *c = &w->census;
    int good = 1;
    printf("%s complete, %" PRIu64 " failed, %" PRIu64 " infeasible",
           value_count(c->state[LOCBO_COMPLETE], "trial").text, c->state[LOCBO_STATE_FAILED],
           c->state[LOCBO_STATE_INFEASIBLE]);
    if (c->state[LOCBO_PRUNED] > 0) printf(", %" PRIu64 " pruned", c->state[LOCBO_PRUNED]);
    printf("\n");
    print_early_end(w);
    print_spent(s, w);
    print_lacking(w);
    print_feasible(w);
    if (rows_objectives(s->definition.outputs) > 1) {
        good = w->best ? print_fronts(s, w) : print_size(w);
    } else if (w->recommended) {
        good = print_points(s, w);
    } else if (c->best_trial > 0) {
        char value[32];
        value_brief(c->best_value, value);
        printf("best observed: %s", value);
        print_count((json_int_t)c->best_count);
        printf(", trial %" PRIu64 "\n", c->best_trial);
    }
    if (w->several)
        print_coverages(w);
    else
        print_coverage(NULL, w->summary.coverage, w->summary.judged, w->summary.target);
    if (w->random > 0) printf("%s proposed at random: " FALLBACK_REASON "\n", value_count(w->random, "trial").text);
    if (!w->several) print_doubt(NULL, w->summary.coverage, w->summary.judged, w->summary.target);
    return good && fflush(stdout) == 0 && !ferror(stdout);
}

int run_summary_print(session *s) {
    locbo_error error;
    facts w = {.summary = {.coverage = (double)NAN, .coverage_online = (double)NAN, .target = (double)NAN}};
    int code = EXIT_OK;
    locbo_status status = gather(s, &w, &error);
    if (status == LOCBO_OK) status = gather_outputs(s, &w, &error);
    if (status != LOCBO_OK) {
        message_print(s->self->name, 0, "%s", error.message);
        code = exit_code_of(status);
    } else if (!(s->format == OUTPUT_TABLE ? print_text(s, &w) : print_json(s, &w))) {
        message_print(s->self->name, 0, "cannot write to standard output");
        code = EXIT_RUNTIME;
    }
    json_decref(w.best);
    json_decref(w.recommended);
    json_decref(w.several);
    json_decref(w.account);
    return code;
}
