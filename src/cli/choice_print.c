/* choice_print.c - the whole of locbo best and locbo recommend. Layer: cli, middle. */
#include "choice_print.h"

#include <stdio.h>
#include <unistd.h>

#include "cells.h"
#include "choice.h"
#include "exit_code.h"
#include "rows.h"
#include "session.h"

static void explain(int recommended, uint64_t results) {
    if (results > CHOICE_MANY)
        fprintf(stderr,
                recommended ? "locbo: %llu results: fitting the model takes some minutes\n"
                            : "locbo: %llu results: no interval, since fitting the model would take minutes\n",
                (unsigned long long)results);
    if (!isatty(STDERR_FILENO)) return;
    fputs(recommended ? "best mean according to the model; see `locbo best` for the best measured value\n"
                      : "best observed value; under noise it is better than the mean there, see `locbo recommend`\n",
          stderr);
}

/* The interval as people and spreadsheets read it. */
static json_t *flat(const session *s, json_t *row, int recommended, int withheld) {
    const char *value = recommended ? "mean" : "value";
    json_t *point = cells_point(s->definition.space, json_object_get(row, "params"), s->format);
    json_t *cells = json_pack("{s:O, s:o, s:O}", "trial", json_object_get(row, "trial"), "params", point, value,
                              json_object_get(row, value));
    const json_t *interval = json_object_get(row, "interval");
    int fits = cells && cells_put_interval_of_f(cells, "interval", rows_real(json_array_get(interval, 0)),
                                                rows_real(json_array_get(interval, 1)), withheld, s->format);
    fits = fits && json_object_set(cells, "level", json_object_get(row, "level")) == 0;
    json_decref(row);
    if (fits) return cells;
    json_decref(cells);
    return NULL;
}

int choice_print(const command *self, int argc, char **argv, int recommended) {
    session s;
    locbo_error error;
    locbo_census census;
    json_t *row = NULL;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 1, 0, 0)) return s.code;
    locbo_status status = locbo_study_census(s.study, &census, &error);
    if (status == LOCBO_OK && census.measurements > 0) explain(recommended, census.measurements);
    if (status == LOCBO_OK) status = choice_find(s.study, &census, recommended, &row, &error);
    if (status != LOCBO_OK) return session_fail(&s, &error);
    output *o = output_open(s.format, 1);
    output_row(o, s.format == OUTPUT_JSON
                      ? row
                      : flat(&s, row, recommended, cells_is_withheld(s.definition.options, census.measurements)));
    return session_close(&s, output_close(o) ? EXIT_OK : EXIT_RUNTIME);
}
