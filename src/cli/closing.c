/* closing.c - the last words of a run. Layer: cli, middle. */
#include "closing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "choice.h"
#include "exit_code.h"
#include "mem.h"
#include "rows.h"
#include "value.h"

typedef struct words {
    locbo_census census;
    locbo_summary summary;
    locbo_choice best, recommended;
    double *x_best, *x_recommended;
    int has_model;
} words;

static locbo_status gather(session *s, words *w, locbo_error *error) {
    locbo_optimizer *o;
    locbo_status status = locbo_study_census(s->study, &w->census, error);
    if (status != LOCBO_OK || w->census.measurements == 0) return status;
    w->has_model = w->census.measurements <= CHOICE_MANY;
    status = locbo_study_optimizer(s->study, &o, error);
    if (status == LOCBO_OK) status = locbo_optimizer_summary(o, &w->summary, error);
    if (status == LOCBO_OK && w->has_model) status = locbo_optimizer_best(o, &w->best, w->x_best, error);
    if (status == LOCBO_OK && w->has_model)
        status = locbo_optimizer_recommend(o, &w->recommended, w->x_recommended, error);
    return status;
}

static int print_json(const session *s, const words *w) {
    const locbo_space *space = s->definition.space;
    json_t *best = json_null(), *recommended = json_null();
    if (w->has_model) {
        best = rows_choice(space, &w->best, w->x_best, 0);
        recommended = rows_choice(space, &w->recommended, w->x_recommended, 1);
    }
    output *out = output_open(s->format, 1);
    json_t *row = json_pack(
        "{s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:I}", "study", locbo_study_name(s->study), "complete",
        (json_int_t)w->census.state[LOCBO_COMPLETE], "failed", (json_int_t)w->census.state[LOCBO_STATE_FAILED],
        "infeasible", (json_int_t)w->census.state[LOCBO_STATE_INFEASIBLE], "best", best, "recommended", recommended,
        "coverage", value_real(w->summary.coverage), "coverage_online", value_real(w->summary.coverage_online),
        "target", value_real(w->summary.target), "judged", (json_int_t)w->summary.judged);
    int good = out && output_row(out, row);
    return output_close(out) && good;
}

static int print_choice(const session *s, const char *title, const locbo_choice *c, const double *x) {
    char value[32], low[32], high[32];
    value_brief(c->value, value);
    value_brief(c->low, low);
    value_brief(c->high, high);
    printf("%s %s", title, value);
    if (!isnan(c->low)) printf(", f between %s and %s (level %g)", low, high, c->level);
    if (c->trial) printf(", trial %" PRIu64, c->trial);
    printf("\n   ");
    for (size_t j = 0; j < s->dim; j++) {
        locbo_parameter p;
        locbo_space_parameter(s->definition.space, j, &p, NULL);
        char *text = value_shown(&p, x[j]);
        if (!text) return 0;
        printf(" %s=%s", p.name, text);
        mem_free(text);
    }
    printf("\n");
    return 1;
}

static int print_words(const session *s, const words *w) {
    const locbo_census *c = &w->census;
    int good = 1;
    printf("%s complete, %" PRIu64 " failed, %" PRIu64 " infeasible\n",
           value_count(c->state[LOCBO_COMPLETE], "trial").text, c->state[LOCBO_STATE_FAILED],
           c->state[LOCBO_STATE_INFEASIBLE]);
    if (w->has_model) {
        good = print_choice(s, "best observed:", &w->best, w->x_best) &&
               print_choice(s, "recommended:  ", &w->recommended, w->x_recommended);
    } else if (c->measurements > 0) {
        char value[32];
        value_brief(c->best_value, value);
        printf("best observed: %s, trial %" PRIu64 "\n", value, c->best_trial);
    }
    if (w->summary.judged > 0)
        printf("coverage: %.2f of %s lay in the set announced for %s (target %.2f)\n", w->summary.coverage,
               value_count(w->summary.judged, "measurement").text, w->summary.judged == 1 ? "it" : "them",
               w->summary.target);
    if (w->summary.judged >= 10 && w->summary.coverage < w->summary.target - 0.1)
        printf("the model was too sure of itself so far: the intervals above are likely too narrow\n");
    return good && fflush(stdout) == 0 && !ferror(stdout);
}

int closing_print(session *s) {
    locbo_error error;
    words w = {.x_best = mem_new(s->dim, sizeof(double)),
               .x_recommended = mem_new(s->dim, sizeof(double)),
               .summary = {.coverage = (double)NAN, .coverage_online = (double)NAN, .target = (double)NAN}};
    int code = EXIT_OK;
    locbo_status status = w.x_best && w.x_recommended ? gather(s, &w, &error) : status_no_memory(&error);
    if (status != LOCBO_OK) {
        complain(s->self->name, 0, "%s", error.message);
        code = exit_code_of(status);
    } else if (!(s->format == OUTPUT_TABLE ? print_words(s, &w) : print_json(s, &w))) {
        complain(s->self->name, 0, "cannot write to standard output");
        code = EXIT_RUNTIME;
    }
    mem_free(w.x_best);
    mem_free(w.x_recommended);
    return code;
}
