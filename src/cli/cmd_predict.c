/* cmd_predict.c - locbo predict: what is believed of points. Layer: cli, top. */
#include "commands.h"

#include <math.h>
#include <stdint.h>

#include "cells.h"
#include "exit_code.h"
#include "json_build.h"
#include "mem.h"
#include "point_table.h"
#include "rows.h"
#include "session.h"
#include "file_read.h"
#include "value.h"

static const arg_option predict_options[] = {
    {"file", 0, "FILE", "a CSV file of points, its header the names of the parameters; - reads stdin"},
    {"ignore-extra", 0, NULL, "skip other columns of the file"},
    {NULL, 0, NULL, NULL}};

static locbo_status read_file(const session *s, const char *path, point_table *p, locbo_error *error) {
    char *text;
    size_t size;
    locbo_status status = file_read(path, POINT_TABLE_BYTES, &text, &size, error);
    if (status != LOCBO_OK) return status;
    point_reading how = {.space = s->definition.space, .ignore_extra = args_get(&s->args, "ignore-extra") != NULL};
    status = point_table_from_csv(&how, file_read_name(path), text, size, p, error);
    mem_free(text);
    return status;
}

/* 0: there was a message, and the session is closed. */
static int read_points(session *s, point_table *p) {
    const char *path = args_get(&s->args, "file");
    locbo_error error;
    if (!path && args_get(&s->args, "ignore-extra")) return (session_usage(s, "--ignore-extra needs --file"), 0);
    if (path && args_positionals(&s->args) > 0)
        return (session_usage(s, "--file and NAME=VALUE exclude each other"), 0);
    if (path) {
        if (read_file(s, path, p, &error) == LOCBO_OK) return 1;
        session_fail(s, &error);
        return 0;
    }
    double *x = session_values(s, NULL);
    if (!x) return 0;
    *p = (point_table){.count = 1, .x = x};
    if (session_check_values(s, x)) return 1;
    point_table_release(p);
    return 0;
}

/* What is believed of one output: its numbers, named as they are or "loss.mean". */
static int put_belief(json_t *row, const char *of, const locbo_belief *b, output_format format) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"mean", b->mean}, {"sd_f", b->sd_f}, {"sd_y", b->sd_y}};
    char key[CELLS_KEY];
    int bad = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        bad |= json_object_set_new(row, cells_key(of, numbers[i].name, key), value_real(numbers[i].value));
    bad |= !cells_put_interval(row, cells_key(of, "y_interval", key), b->y_low, b->y_high, format);
    bad |=
        !cells_put_interval_of_f(row, cells_key(of, "f_interval", key), b->f_low, b->f_high, !isnan(b->mean), format);
    return bad;
}

/* Of each modelled output: as objects of their own in JSON, otherwise as columns. */
static json_t *outputs_of(const session *s, const locbo_belief *beliefs) {
    const locbo_outputs *outputs = s->definition.outputs;
    json_t *all = json_object();
    int bad = !all;
    for (size_t i = 0; i < locbo_outputs_count(outputs) && !bad; i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        if (locbo_outputs_get(outputs, i, &spec, NULL) != LOCBO_OK || !rows_is_modelled(&spec)) continue;
        json_t *one = s->format == OUTPUT_JSON ? json_object() : json_incref(all);
        bad = put_belief(one, s->format == OUTPUT_JSON ? NULL : spec.name, &beliefs[i], s->format);
        if (s->format == OUTPUT_JSON)
            bad |= json_object_set_new(all, spec.name, one);
        else
            json_decref(one);
    }
    return build_finish(all, bad);
}

static json_t *row_of(const session *s, const double *x, const locbo_belief *beliefs, double feasible) {
    const locbo_outputs *outputs = s->definition.outputs;
    const locbo_belief *b = &beliefs[rows_first_objective(outputs)];
    json_t *row = json_object();
    int bad = json_object_set_new(row, "params", value_object(s->definition.space, x));
    bad |= outputs ? json_object_set_new(row, "outputs", outputs_of(s, beliefs)) : put_belief(row, NULL, b, s->format);
    if (!cells_has_constraints(outputs)) feasible = (double)NAN;
    if (!isnan(feasible) || (outputs && s->format == OUTPUT_JSON))
        bad |= json_object_set_new(row, "feasible", value_real(feasible));
    bad |= json_object_set_new(row, "level", value_real(1 - s->definition.options->alpha));
    bad |= json_object_set_new(row, "acquisition", value_real(b->acquisition));
    bad |= json_object_set_new(row, "success", value_real(b->success));
    if (!bad) return row;
    json_decref(row);
    return NULL;
}

static locbo_status believe(session *s, const point_table *p, locbo_belief *beliefs, double *feasible,
                            locbo_error *error) {
    locbo_optimizer *optimizer;
    locbo_status status = locbo_study_optimizer(s->study, &optimizer, error);
    if (status == LOCBO_OK)
        status = locbo_optimizer_predict_outputs(optimizer, p->count, p->x, beliefs, feasible, error);
    if (status == LOCBO_OK && p->count > 0 && isnan(beliefs[rows_first_objective(s->definition.outputs)].mean))
        return status_fail(error, LOCBO_ERR_NOTHING, "%s",
                           s->definition.options->method == LOCBO_METHOD_RANDOM ? "the method random has no model"
                           : s->definition.outputs ? "there is no model yet: it needs two results of an objective"
                                                   : "there is no model yet: it needs two results");
    return status;
}

static int predict(session *s, const point_table *p) {
    locbo_error error;
    size_t width = s->definition.outputs ? locbo_outputs_count(s->definition.outputs) : 1;
    locbo_belief *beliefs = mem_new(p->count, width * sizeof *beliefs);
    double *feasible = mem_new(p->count, sizeof *feasible);
    locbo_status status = beliefs && feasible ? believe(s, p, beliefs, feasible, &error) : status_no_memory(&error);
    if (status != LOCBO_OK) {
        mem_free(beliefs);
        mem_free(feasible);
        return session_fail(s, &error);
    }
    int one = !args_get(&s->args, "file");
    output *o = output_open(s->format, one && s->format != OUTPUT_CSV);
    for (size_t i = 0; i < p->count; i++) output_row(o, row_of(s, p->x + i * s->dim, beliefs + i * width, feasible[i]));
    mem_free(beliefs);
    mem_free(feasible);
    return session_close(s, output_close(o) ? EXIT_OK : EXIT_RUNTIME);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    point_table p = {0};
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 1, 0, SIZE_MAX)) return s.code;
    if (!read_points(&s, &p)) return s.code;
    int code = predict(&s, &p);
    point_table_release(&p);
    return code;
}

const command command_predict = {
    .name = "predict",
    .summary = "what the model believes of a point",
    .usage = "NAME=VALUE... | --file POINTS.csv [--ignore-extra] [-f table|json|csv]",
    .description = "Prints the mean and standard deviation of the function there (sd_f), the standard deviation of a "
                   "measurement (sd_y), the calibrated interval of a measurement (y) and of the function (f) at the "
                   "study's level, the acquisition (larger is better) and the probability that an evaluation "
                   "succeeds. With several outputs all this of each objective and constraint, and the probability "
                   "that all constraints hold (feasible). For one point, all parameters given, or for each line of a "
                   "CSV file. Nothing is "
                   "changed. Ends with 4 while there is no model (fewer than two results, or the method random).",
    .examples = "    $ locbo predict x=0.5 mode=fast\n"
                "    $ locbo predict --file grid.csv -f csv >believed.csv\n",
    .options = (const arg_option *const[]){session_options, format_options, predict_options, NULL},
    .run = run,
};
