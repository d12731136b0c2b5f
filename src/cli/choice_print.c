/* choice_print.c - the whole of locbo best and locbo recommend. Layer: cli, middle. */
#include "choice_print.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "buffer.h"
#include "cells.h"
#include "choice.h"
#include "exit_code.h"
#include "json_build.h"
#include "mem.h"
#include "rows.h"
#include "session.h"
#include "value.h"

static void explain(int recommended, int several, const locbo_options *options, uint64_t results) {
    if (!recommended && !several && results > CHOICE_MANY)
        fprintf(stderr, "locbo: %llu results: no interval; locbo recommend uses the model\n",
                (unsigned long long)results);
    else if (choice_takes_long(options, results))
        fprintf(stderr, "locbo: %llu results: fitting the exact model takes some minutes\n",
                (unsigned long long)results);
    if (!isatty(STDERR_FILENO)) return;
    if (several)
        fputs(recommended ? "Pareto front according to the model; see `locbo best` for that of the measured values\n"
                          : "Pareto front of the measured values; see `locbo recommend` for that of the model\n",
              stderr);
    else
        fputs(recommended
                  ? "best mean according to the model; see `locbo best` for the best measured value\n"
                  : "best mean of what was measured at a point; under noise it is better than the true mean there, see "
                    "`locbo recommend`\n",
              stderr);
}

/* ---- cells for people and spreadsheets --------------------------------------------------------- */

typedef struct printing {
    const session *s;
    int recommended, withheld;
} printing;

static int put_interval(const printing *p, json_t *cells, const char *key, const json_t *interval) {
    return !cells_put_interval_of_f(cells, key, rows_real(json_array_get(interval, 0)),
                                    rows_real(json_array_get(interval, 1)), p->withheld, p->s->format);
}

/* One output of a point: what was measured, what the model believes; NULL: not known. A table has one of the two: best
 * the value where there is one, recommend the mean. */
static int put_output(const printing *p, json_t *cells, const char *name, json_t *value, json_t *mean,
                      const json_t *interval) {
    char key[CELLS_KEY];
    int bad = 0, table = p->s->format == OUTPUT_TABLE;
    int has_value = value && !p->recommended;
    if (has_value || (value && !table)) bad |= json_object_set(cells, name, value);
    if (mean && (!has_value || !table)) bad |= json_object_set(cells, cells_key(name, "mean", key), mean);
    if (!interval) return bad;
    return bad | put_interval(p, cells, cells_key(name, "interval", key), interval);
}

/* The outputs of a point: of one objective it has the value or mean itself, the points of a front have all values. */
static json_t *outputs_of(const printing *p, const json_t *row) {
    const locbo_outputs *outputs = p->s->definition.outputs;
    json_t *cells = json_object(), *all = json_object_get(row, "outputs");
    int bad = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        locbo_outputs_get(outputs, i, &spec, NULL);
        const json_t *of = json_object_get(all, spec.name);
        const json_t *from = rows_is_objective(&spec) ? row : of;
        json_t *value = json_object_get(from, "value"), *mean = json_object_get(from, "mean");
        bad |= put_output(p, cells, spec.name, value ? value : json_object_get(of, "value"),
                          mean ? mean : json_object_get(of, "mean"), json_object_get(of, "interval"));
    }
    return build_finish(cells, bad);
}

/* Of how many results the value is the mean: people read it if there are several. */
static int put_results(const printing *p, json_t *cells, const json_t *row) {
    json_int_t count = json_integer_value(json_object_get(row, "results"));
    if (count == 0 || (count == 1 && p->s->format == OUTPUT_TABLE)) return 0;
    return json_object_set_new(cells, p->s->format == OUTPUT_TABLE ? "mean of" : "results", json_integer(count));
}

/* The probability that an evaluation succeeds: people read it if failures have taught that some do not. */
static int put_success(const printing *p, json_t *cells, const json_t *row) {
    double success = rows_real_of(row, "success");
    if (isnan(success) || (p->s->format == OUTPUT_TABLE && success >= 1)) return 0;
    return json_object_set(cells, "success", json_object_get(row, "success"));
}

static json_t *named_cells(const printing *p, const json_t *row, json_t *level) {
    json_t *cells = json_pack("{s:O, s:o, s:o}", "trial", json_object_get(row, "trial"), "params",
                              cells_point(p->s->definition.space, json_object_get(row, "params"), p->s->format),
                              "outputs", outputs_of(p, row));
    int bad = !cells || put_results(p, cells, row);
    if (cells_has_constraints(p->s->definition.outputs) && json_object_get(row, "feasible"))
        bad |= json_object_set(cells, "feasible", json_object_get(row, "feasible"));
    if (level) bad |= json_object_set(cells, "level", level);
    bad |= put_success(p, cells, row);
    return build_finish(cells, bad);
}

static json_t *plain_cells(const printing *p, const json_t *row) {
    const char *value = p->recommended ? "mean" : "value";
    json_t *point = cells_point(p->s->definition.space, json_object_get(row, "params"), p->s->format);
    json_t *cells = json_pack("{s:O, s:o, s:O}", "trial", json_object_get(row, "trial"), "params", point, value,
                              json_object_get(row, value));
    int bad = !cells || put_results(p, cells, row);
    bad |= put_interval(p, cells, "interval", json_object_get(row, "interval"));
    bad |= json_object_set(cells, "level", json_object_get(row, "level"));
    bad |= put_success(p, cells, row);
    return build_finish(cells, bad);
}

/* ---- what is said beside it -------------------------------------------------------------------- */

/* Whether the point was chosen because no point keeps to the constraints. */
static void explain_constraints(const printing *p, const json_t *row) {
    char probability[32], wanted[32];
    if (!json_is_false(json_object_get(row, "holds"))) return;
    if (json_is_null(json_object_get(row, "feasible"))) {
        message_print(p->s->self->name, 0, "no trial is known to keep to all constraints: this is the best of all");
        return;
    }
    value_brief(rows_real_of(row, "feasible"), probability);
    value_brief(p->s->definition.options->feasibility, wanted);
    if (p->recommended)
        message_print(p->s->self->name, 0,
                      "no point keeps to all constraints with a probability of %s (option feasibility): this is the "
                      "most probable one, with %s",
                      wanted, probability);
    else
        message_print(p->s->self->name, 0,
                      "no trial is known to keep to all constraints: this is the one that most probably does, with %s",
                      probability);
}

/* "loss=1.2, latency=10" */
static void print_reference(const json_t *reference, buffer *text) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)reference, name, value) {
        char number[32];
        value_brief(rows_real(value), number);
        buffer_print(text, "%s%.100s=%s", text->size ? ", " : "", name, number);
    }
    buffer_char(text, '\0', 1);
}

static void explain_front(const printing *p, const json_t *row) {
    const char *self = p->s->self->name;
    size_t shown = json_array_size(json_object_get(row, "front"));
    json_int_t points = json_integer_value(json_object_get(row, "points"));
    buffer reference = {0};
    char volume[32], level[32];
    value_brief(rows_real_of(row, "hypervolume"), volume);
    value_brief(rows_real_of(row, "level"), level);
    print_reference(json_object_get(row, "reference"), &reference);
    if (points == 0)
        message_print(self, 0,
                      p->recommended ? "no evaluated point keeps to all constraints with the probability of the option "
                                       "feasibility: the front is empty"
                                     : "no trial has all objectives and keeps to all constraints: the front is empty");
    if ((size_t)points > shown)
        message_print(self, 0, "the front has %" JSON_INTEGER_FORMAT " points, the first %zu are shown", points, shown);
    if (p->s->format == OUTPUT_JSON) goto done; /* it has the rest */
    if (!json_is_null(json_object_get(row, "hypervolume")))
        message_print(self, 0, "hypervolume %s, from the reference point %s; intervals of level %s", volume,
                      reference.failed ? "" : reference.data, level);
    else if ((size_t)points == shown)
        message_print(self, 0, "no hypervolume yet: the reference point is inferred when the model proposes first");
done:
    mem_free(reference.data);
}

/* ---- ranges around the recommended point ------------------------------------------------------- */

static json_t *range_cells(const printing *p, const json_t *row, const json_t *range) {
    const char *name = json_string_value(json_object_get(range, "name"));
    json_t *point = cells_point(p->s->definition.space, json_object_get(row, "params"), p->s->format);
    json_t *cells = json_pack("{s:s, s:O, s:O, s:O, s:O}", "parameter", name, "recommended",
                              json_object_get(point, name), "low", json_object_get(range, "low"), "high",
                              json_object_get(range, "high"), "values", json_object_get(range, "values"));
    json_decref(point);
    return cells;
}

static int print_ranges(const printing *p, json_t *row) {
    const json_t *within = json_object_get(row, "within"), *list = json_object_get(within, "parameters"), *range;
    output *o = output_open(p->s->format, p->s->format == OUTPUT_JSON);
    char delta[32], level[32];
    size_t i;
    if (p->s->format == OUTPUT_JSON) {
        output_row(o, row);
        return output_close(o);
    }
    value_brief(rows_real_of(within, "delta"), delta);
    value_brief(rows_real_of(within, "level"), level);
    message_print(p->s->self->name, 0,
                  "each parameter alone, the others as recommended: f is at most %s worse with probability %s", delta,
                  level);
    json_array_foreach(list, i, range) output_row(o, range_cells(p, row, range));
    json_decref(row);
    return output_close(o);
}

/* --within DELTA and --level P. 0: there was a message, and the session is closed. */
static int read_within(session *s, double *delta, double *level) {
    const char *text = args_get(&s->args, "within"), *probability = args_get(&s->args, "level");
    *level = 1 - s->definition.options->alpha;
    if (!text && probability) return (session_usage(s, "--level needs --within"), 0);
    if (!text) return 1;
    if (rows_objectives(s->definition.outputs) > 1)
        return (session_usage(s, "--within needs a study with one objective"), 0);
    if (!session_real(s, "--within", text, delta)) return 0;
    if (probability && !session_real(s, "--level", probability, level)) return 0;
    if (!(*delta > 0)) return (session_usage(s, "--within must be more than 0, got %s", text), 0);
    if (!(*level > 0 && *level < 1))
        return (session_usage(s, "--level must lie between 0 and 1, got %s", probability), 0);
    return 1;
}

/* ---- the subcommands --------------------------------------------------------------------------- */

static int print_front(const printing *p, json_t *row) {
    json_t *front = json_object_get(row, "front");
    json_t *level = p->s->format == OUTPUT_CSV ? json_object_get(row, "level") : NULL; /* people read it below */
    output *o = output_open(p->s->format, p->s->format == OUTPUT_JSON);
    explain_front(p, row);
    if (p->s->format == OUTPUT_JSON) {
        output_row(o, row);
        return output_close(o);
    }
    for (size_t i = 0; i < json_array_size(front); i++) output_row(o, named_cells(p, json_array_get(front, i), level));
    json_decref(row);
    return output_close(o);
}

static int print_point(const printing *p, json_t *row) {
    output *o = output_open(p->s->format, 1);
    explain_constraints(p, row);
    if (p->s->format == OUTPUT_JSON) {
        output_row(o, row);
        return output_close(o);
    }
    output_row(o, p->s->definition.outputs ? named_cells(p, row, json_object_get(row, "level")) : plain_cells(p, row));
    json_decref(row);
    return output_close(o);
}

int choice_print(const command *self, int argc, char **argv, int recommended) {
    session s;
    locbo_error error;
    locbo_census census;
    json_t *row = NULL;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 1, 0, 0)) return s.code;
    int several = rows_objectives(s.definition.outputs) > 1;
    double delta = (double)NAN, level;
    if (recommended && !read_within(&s, &delta, &level)) return s.code;
    locbo_status status = locbo_study_census(s.study, &census, &error);
    if (status == LOCBO_OK && census.measurements > 0)
        explain(recommended, several, s.definition.options, census.measurements);
    if (status == LOCBO_OK && !isnan(delta))
        status = choice_within(s.study, delta, level, &row, &error);
    else if (status == LOCBO_OK)
        status = choice_find(s.study, &census, recommended, &row, &error);
    if (status != LOCBO_OK) return session_fail(&s, &error);
    printing p = {&s, recommended, cells_is_withheld(s.definition.options, census.measurements)};
    int printed = !isnan(delta) ? print_ranges(&p, row) : several ? print_front(&p, row) : print_point(&p, row);
    return session_close(&s, printed ? EXIT_OK : EXIT_RUNTIME);
}
