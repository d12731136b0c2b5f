/* choice.c - the best and the recommended point. Layer: cli, middle. Cost: that of the model,
 * O(n^3). */
#include "choice.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "exit_code.h"
#include "mem.h"
#include "rows.h"
#include "session.h"

/* ---- finding it ------------------------------------------------------------------------------ */

/* The best without a model: the census knows its trial. */
static locbo_status find_plain(locbo_study *study, const locbo_census *census, json_t **row,
                               locbo_error *error) {
    json_t *trial = NULL;
    locbo_status status = rows_find(study, census->best_trial, 0, &trial, error);
    if (status != LOCBO_OK) return status;
    *row = json_pack("{s:I, s:O, s:o, s:n, s:n}", "trial", (json_int_t)census->best_trial, "params",
                     json_object_get(trial, "params"), "value", output_real(census->best_value),
                     "interval", "level");
    json_decref(trial);
    return *row ? status_ok(error) : status_no_memory(error);
}

static locbo_status find_modelled(locbo_study *study, int recommended, json_t **row,
                                  locbo_error *error) {
    locbo_definition definition;
    locbo_optimizer *optimizer;
    locbo_choice choice;
    locbo_status status = locbo_study_definition(study, &definition, error);
    if (status == LOCBO_OK) status = locbo_study_optimizer(study, &optimizer, error);
    if (status != LOCBO_OK) return status;
    double *x = mem_new(locbo_space_dim(definition.space), sizeof *x);
    if (!x) return status_no_memory(error);
    status = recommended ? locbo_optimizer_recommend(optimizer, &choice, x, error)
                         : locbo_optimizer_best(optimizer, &choice, x, error);
    if (status == LOCBO_OK) *row = rows_choice(definition.space, &choice, x, recommended);
    mem_free(x);
    if (status != LOCBO_OK) return status;
    return *row ? status_ok(error) : status_no_memory(error);
}

static locbo_status find(locbo_study *study, const locbo_census *census, int recommended,
                         json_t **row, locbo_error *error) {
    *row = NULL;
    if (census->measurements == 0)
        return status_fail(error, LOCBO_ERR_NOTHING, "the study '%s' has no result yet",
                           locbo_study_name(study));
    if (census->measurements > CHOICE_MANY && !recommended)
        return find_plain(study, census, row, error);
    return find_modelled(study, recommended, row, error);
}

locbo_status choice_find(locbo_study *study, int recommended, json_t **row, locbo_error *error) {
    locbo_census census;
    locbo_status status = locbo_study_census(study, &census, error);
    if (status != LOCBO_OK) return status;
    return find(study, &census, recommended, row, error);
}

/* ---- the subcommands ------------------------------------------------------------------------- */

static void explain(int recommended, uint64_t results) {
    if (results > CHOICE_MANY)
        fprintf(stderr,
                recommended ? "locbo: %llu results: the model takes a while\n"
                            : "locbo: %llu results: no interval, since the model would take "
                              "minutes\n",
                (unsigned long long)results);
    if (!isatty(STDERR_FILENO)) return;
    fputs(recommended ? "best mean according to the model; see `locbo best` for the best "
                        "measured value\n"
                      : "best observed value; under noise it is a lucky one, see "
                        "`locbo recommend`\n",
          stderr);
}

/* The interval as people and spreadsheets read it. */
static json_t *flat(json_t *row, int recommended, output_format format) {
    const char *value = recommended ? "mean" : "value";
    json_t *cells = json_pack("{s:O, s:O, s:O}", "trial", json_object_get(row, "trial"), "params",
                              json_object_get(row, "params"), value, json_object_get(row, value));
    int fits =
        cells && rows_spread_interval(cells, "interval", json_object_get(row, "interval"), format);
    fits = fits && json_object_set(cells, "level", json_object_get(row, "level")) == 0;
    json_decref(row);
    if (fits) return cells;
    json_decref(cells);
    return NULL;
}

int choice_run(const command *self, int argc, char **argv, int recommended) {
    session s;
    locbo_error error;
    locbo_census census;
    json_t *row = NULL;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 1, 0, 0)) return s.code;
    locbo_status status = locbo_study_census(s.study, &census, &error);
    if (status == LOCBO_OK && census.measurements > 0) explain(recommended, census.measurements);
    if (status == LOCBO_OK) status = find(s.study, &census, recommended, &row, &error);
    if (status != LOCBO_OK) return session_fail(&s, &error);
    output *o = output_open(s.format, 1);
    output_row(o, s.format == OUTPUT_JSON ? row : flat(row, recommended, s.format));
    return session_close(&s, output_close(o) ? EXIT_OK : EXIT_RUNTIME);
}
