/* run_summary.c - the summary at the end of a run. Layer: cli, middle. */
#include "run_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cells.h"
#include "choice.h"
#include "exit_code.h"
#include "fallback.h"
#include "mem.h"
#include "overview.h"
#include "rows.h"
#include "text.h"
#include "value.h"

typedef struct facts {
    locbo_census census;
    locbo_summary summary;
    uint64_t random;            /* proposals that the model could not give */
    json_t *best, *recommended; /* NULL: there is no model, or no result */
} facts;

static locbo_status gather(session *s, facts *w, locbo_error *error) {
    locbo_optimizer *o;
    locbo_status status = locbo_study_census(s->study, &w->census, error);
    if (status != LOCBO_OK || w->census.measurements == 0) return status;
    status = locbo_study_optimizer(s->study, &o, error);
    if (status == LOCBO_OK) status = locbo_optimizer_summary(o, &w->summary, error);
    if (status == LOCBO_OK) w->random = overview_random(o, w->summary.asked, s->definition.options->method);
    if (status != LOCBO_OK || w->census.measurements > CHOICE_MANY) return status;
    status = choice_of(o, s->definition.outputs, 0, &w->best, error);
    return status == LOCBO_OK ? choice_of(o, s->definition.outputs, 1, &w->recommended, error) : status;
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
    int good = out && output_row(out, row);
    return output_close(out) && good;
}

/* A category is a text that the creator of the study chose. */
static void print_value(const char *name, const char *value) {
    char *shown = mem_text(value);
    if (shown) text_clean(shown);
    printf(" %s=%s", name, shown ? shown : "");
    mem_free(shown);
}

static int print_choice(const session *s, const char *title, const char *key, const json_t *choice, uint64_t results) {
    char value[32], low[32], high[32];
    const json_t *interval = json_object_get(choice, "interval"), *trial = json_object_get(choice, "trial");
    json_t *point = cells_point(s->definition.space, json_object_get(choice, "params"), OUTPUT_TABLE), *item;
    const char *name;
    value_brief(rows_real_of(choice, key), value);
    value_brief(rows_real(json_array_get(interval, 0)), low);
    value_brief(rows_real(json_array_get(interval, 1)), high);
    printf("%s %s", title, value);
    if (json_is_array(interval)) printf(", f between %s and %s (level %g)", low, high, rows_real_of(choice, "level"));
    if (!json_is_array(interval) && cells_is_withheld(s->definition.options, results)) printf(", " CELLS_NO_INTERVAL);
    if (json_is_integer(trial)) printf(", trial %" JSON_INTEGER_FORMAT, json_integer_value(trial));
    printf("\n   ");
    json_object_foreach(point, name, item) {
        if (json_is_string(item))
            print_value(name, json_string_value(item));
        else
            printf(" %s=%" JSON_INTEGER_FORMAT, name, json_integer_value(item));
    }
    printf("\n");
    int good = point != NULL;
    json_decref(point);
    return good;
}

static int print_text(const session *s, const facts *w) {
    const locbo_census *c = &w->census;
    int good = 1;
    printf("%s complete, %" PRIu64 " failed, %" PRIu64 " infeasible\n",
           value_count(c->state[LOCBO_COMPLETE], "trial").text, c->state[LOCBO_STATE_FAILED],
           c->state[LOCBO_STATE_INFEASIBLE]);
    if (w->recommended) {
        good = print_choice(s, "best observed:", "value", w->best, c->measurements) &&
               print_choice(s, "recommended:  ", "mean", w->recommended, c->measurements);
    } else if (c->measurements > 0) {
        char value[32];
        value_brief(c->best_value, value);
        printf("best observed: %s, trial %" PRIu64 "\n", value, c->best_trial);
    }
    if (w->summary.judged > 0)
        printf("coverage: %.2f of %s lay in the set announced for %s (target %.2f)\n", w->summary.coverage,
               value_count(w->summary.judged, "measurement").text, w->summary.judged == 1 ? "it" : "them",
               w->summary.target);
    if (w->random > 0) printf("%s proposed at random: " FALLBACK_REASON "\n", value_count(w->random, "trial").text);
    if (w->summary.judged >= 10 && w->summary.coverage < w->summary.target - 0.1)
        printf("the model was too sure of itself so far: it expected more of the measurements in their sets\n");
    return good && fflush(stdout) == 0 && !ferror(stdout);
}

int run_summary_print(session *s) {
    locbo_error error;
    facts w = {.summary = {.coverage = (double)NAN, .coverage_online = (double)NAN, .target = (double)NAN}};
    int code = EXIT_OK;
    locbo_status status = gather(s, &w, &error);
    if (status != LOCBO_OK) {
        message_print(s->self->name, 0, "%s", error.message);
        code = exit_code_of(status);
    } else if (!(s->format == OUTPUT_TABLE ? print_text(s, &w) : print_json(s, &w))) {
        message_print(s->self->name, 0, "cannot write to standard output");
        code = EXIT_RUNTIME;
    }
    json_decref(w.best);
    json_decref(w.recommended);
    return code;
}
