/* view_calibration.c - the coverage of the announced sets. Layer: view, answers. Cost: O(judged log judged), and two
 * bands O(sqrt(judged)) for each row that is shown. */
#include <math.h>
#include <stdlib.h>

#include "judge.h"
#include "mem.h"
#include "rows.h"
#include "json_build.h"
#include "thin.h"
#include "value.h"
#include "views.h"

const char *const calibration_keys[] = {"points", "output", NULL};

enum { LEAST = 10, MOST = 20000, USUAL = 2000, LEVELS = 19, RECENT = 10 };

/* The judged trials of one output, in the order told. */
typedef struct record {
    const trial_table *table;
    size_t output;
    double target;
    uint64_t since; /* event number of the last alteration: only what was told after it; 0: all */
    size_t count, inside;
    size_t *rows; /* indices into those of the table */
    size_t *held; /* number of the first i + 1 that lay inside */
    uint64_t judged_by[LOCBO_ORIGINS], inside_by[LOCBO_ORIGINS];
} record;

static void release(record *r) {
    mem_free(r->rows);
    mem_free(r->held);
}

static locbo_status make_record(record *r, locbo_error *error) {
    locbo_status status = judge_order(r->table, r->output, r->since, &r->rows, &r->count, error);
    if (status != LOCBO_OK) return status;
    r->held = mem_new(r->count, sizeof *r->held);
    if (!r->held) return status_no_memory(error);
    for (size_t i = 0; i < r->count; i++) {
        r->inside += judge_output(r->table, r->rows[i], r->output) == JUDGE_INSIDE;
        r->held[i] = r->inside;
    }
    judge_count(r->table, r->output, r->since, r->judged_by, r->inside_by);
    return LOCBO_OK;
}

/* The lower or upper end of the band of n draws. */
static json_t *band_end(size_t n, double p, int upper) {
    double end[2];
    judge_band(n, p, JUDGE_BAND, &end[0], &end[1]);
    return value_real(end[upper]);
}

/* ---- round by round -------------------------------------------------------------------------- */

static json_t *round_cell(const void *source, size_t i) {
    (void)source;
    return build_count(i + 1);
}

static json_t *trial_cell(const void *source, size_t i) {
    const record *r = source;
    return build_count(r->table->rows[r->rows[i]].trial.id);
}

static json_t *coverage_cell(const void *source, size_t i) {
    const record *r = source;
    return value_real((double)r->held[i] / (double)(i + 1));
}

static json_t *low_cell(const void *source, size_t i) { return band_end(i + 1, ((const record *)source)->target, 0); }

static json_t *high_cell(const void *source, size_t i) { return band_end(i + 1, ((const record *)source)->target, 1); }

static json_t *threshold_cell(const void *source, size_t i) {
    const record *r = source;
    return value_real(trial_table_belief(r->table, r->rows[i], r->output)->threshold);
}

static json_t *miss_cell(const void *source, size_t i) {
    const record *r = source;
    return judge_json(judge_output(r->table, r->rows[i], r->output));
}

static const build_column running_columns[] = {
    {"round", round_cell}, {"trial", trial_cell},         {"coverage", coverage_cell}, {"low", low_cell},
    {"high", high_cell},   {"threshold", threshold_cell}, {"miss", miss_cell},         {NULL, NULL}};

/* ---- the model alone ------------------------------------------------------------------------- */

static double level_of(size_t k) { return (double)(k + 1) / (LEVELS + 1); }

static json_t *level_cell(const void *source, size_t k) {
    (void)source;
    return value_real(level_of(k));
}

/* The level of the smallest central interval that holds a result is P(|Z| <= |z|). */
static json_t *share_cell(const void *source, size_t k) {
    const record *r = source;
    size_t held = 0;
    for (size_t i = 0; i < r->count; i++)
        held += erf(fabs(judge_score(r->table, r->rows[i], r->output)) / sqrt(2)) <= level_of(k);
    return value_real((double)held / (double)r->count);
}

static json_t *least_cell(const void *source, size_t k) {
    return band_end(((const record *)source)->count, level_of(k), 0);
}

static json_t *most_cell(const void *source, size_t k) {
    return band_end(((const record *)source)->count, level_of(k), 1);
}

static const build_column reliability_columns[] = {
    {"level", level_cell}, {"share", share_cell}, {"low", least_cell}, {"high", most_cell}, {NULL, NULL}};

/* ---- the answer ------------------------------------------------------------------------------ */

static json_t *calibrated_json(const record *r) {
    if (r->count == 0) return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "level", value_real(r->target), "share",
                     value_real((double)r->inside / (double)r->count), "low", band_end(r->count, r->target, 0), "high",
                     band_end(r->count, r->target, 1));
}

/* The coverage of the last half, at least RECENT. */
static json_t *recent_json(const record *r) {
    size_t n = r->count / 2 > RECENT ? r->count - r->count / 2 : RECENT;
    if (r->count < RECENT) return json_null();
    size_t before = r->count - n, inside = r->inside - (before ? r->held[before - 1] : 0);
    return json_pack("{s:I, s:I, s:o, s:o, s:o}", "judged", (json_int_t)n, "inside", (json_int_t)inside, "coverage",
                     value_real((double)inside / (double)n), "low", band_end(n, r->target, 0), "high",
                     band_end(n, r->target, 1));
}

/* Of the whole study, also of what was told before the alteration. */
static json_t *whole_json(const record *r) {
    size_t judged = 0, inside = 0;
    for (size_t i = 0; i < r->table->count; i++) {
        judge_verdict verdict = judge_output(r->table, i, r->output);
        judged += verdict != JUDGE_NONE;
        inside += verdict == JUDGE_INSIDE;
    }
    return json_pack("{s:I, s:I, s:o, s:o, s:o}", "judged", (json_int_t)judged, "inside", (json_int_t)inside,
                     "coverage", value_real((double)inside / (double)judged), "low", band_end(judged, r->target, 0),
                     "high", band_end(judged, r->target, 1));
}

static json_t *answer_json(const record *r, const locbo_options *options, const size_t *chosen, size_t count) {
    json_t *row = json_object();
    int bad = build_put(row, "target", value_real(r->target));
    bad |= build_put(row, "judged", build_count(r->count));
    bad |= build_put(row, "inside", build_count(r->inside));
    bad |= build_put(row, "method", rows_option(options, "method"));
    bad |= build_put(row, "running", build_columns(running_columns, r, count, chosen));
    bad |= build_put(row, "reliability", build_columns(reliability_columns, r, r->count ? LEVELS : 0, NULL));
    bad |= build_put(row, "calibrated", calibrated_json(r));
    bad |= build_put(row, "recent", recent_json(r));
    bad |= build_put(row, "by_origin", rows_by_origin(r->judged_by, r->inside_by));
    bad |= build_put(row, "shown", build_count(count));
    if (r->since > 0) bad |= build_put(row, "since", build_count(r->since)) | build_put(row, "whole", whole_json(r));
    const output_list *list = r->table->outputs;
    if (list->table) bad |= build_put(row, "output", json_string(list->spec[r->output].name));
    return build_finish(row, bad);
}

static locbo_status write_answer(const record *r, const locbo_options *options, size_t points, json_t **answer,
                                 locbo_error *error) {
    size_t *chosen = NULL, count = 0;
    locbo_status status = thin_evenly(r->count, points, &chosen, &count, error);
    if (status == LOCBO_OK) status = build_answer(answer_json(r, options, chosen, count), 0, answer, error);
    mem_free(chosen);
    return status;
}

locbo_status view_calibration(cache *c, const query *q, json_t **answer, locbo_error *error) {
    const locbo_options *options = cache_definition(c)->options;
    record r = {.target = 1 - options->alpha};
    uint64_t points;
    locbo_status status = query_count(q, "points", LEAST, MOST, USUAL, &points, error);
    if (status == LOCBO_OK) status = output_list_read(cache_outputs(c), q, 1, &r.output, error);
    const locbo_census *census = NULL;
    if (status == LOCBO_OK) status = cache_census(c, &census, error);
    if (status == LOCBO_OK) status = cache_trials(c, &r.table, error);
    r.since = census ? census->revision : 0;
    if (status == LOCBO_OK) status = make_record(&r, error);
    if (status == LOCBO_OK) status = write_answer(&r, options, (size_t)points, answer, error);
    release(&r);
    return status;
}
