/* view_trial.c - one trial with all its data. Layer: view, answers. */
#include <inttypes.h>
#include <math.h>

#include "change_list.h"
#include "curve_rows.h"
#include "curve_table.h"
#include "judge.h"
#include "mem.h"
#include "rows.h"
#include "json_build.h"
#include "text.h"
#include "value.h"
#include "views.h"

const char *const trial_keys[] = {"number", NULL};

enum { TAIL = 65536 };  /* bytes of an output that are sent */
enum { POINTS = 1000 }; /* of a curve */

typedef struct finding {
    rows_study study;
    const output_list *outputs;
    uint64_t number;
    int found, no_memory;
    json_t *row, *miss, *misses, *decision;
} finding;

/* Whether one output of a trial lay outside the set announced for it. */
static judge_verdict judge(const locbo_record *r, const output_list *list, size_t k) {
    const locbo_measurement none = {.value = (double)NAN};
    const locbo_belief *belief = r->beliefs ? &r->beliefs[k] : &r->trial.belief;
    if (!output_list_is_modelled(list, k)) return JUDGE_NONE;
    return judge_measured(r->trial.origin, belief, r->count ? &r->measurements[k] : &none);
}

typedef struct judging {
    const locbo_record *record;
    const output_list *outputs;
} judging;

static json_t *miss_cell(const void *source, size_t output) {
    const judging *j = source;
    return judge_json(judge(j->record, j->outputs, output));
}

/* That of any modelled output. */
static judge_verdict judge_all(const locbo_record *r, const output_list *list) {
    judge_verdict worst = judge(r, list, list->first);
    for (size_t k = 0; k < list->count; k++) {
        judge_verdict verdict = judge(r, list, k);
        if (verdict > worst) worst = verdict;
    }
    return worst;
}

static int take_record(const locbo_record *record, void *user) {
    finding *f = user;
    const judging j = {record, f->outputs};
    if (record->trial.id != f->number) return 1;
    f->found = 1;
    f->row = rows_record(&f->study, record, 1);
    f->decision = record->decision ? curve_rows_decision(record->decision) : NULL;
    f->no_memory = record->decision && !f->decision;
    f->miss = judge_json(judge_all(record, f->outputs));
    if (f->outputs->table) f->misses = output_list_object(f->outputs, output_list_is_modelled, miss_cell, &j);
    return 1;
}

static locbo_status find(cache *c, uint64_t number, finding *f, locbo_error *error) {
    locbo_filter one = {.struct_size = sizeof one, .first = number, .limit = 1};
    *f = (finding){.outputs = cache_outputs(c), .number = number};
    locbo_status status = rows_study_read(&f->study, cache_study(c), error);
    if (status == LOCBO_OK) status = locbo_study_each(cache_study(c), &one, take_record, f, error);
    rows_study_release(&f->study);
    if (status == LOCBO_OK && !f->found)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "the study '%s' has no trial %" PRIu64,
                           locbo_study_name(cache_study(c)), number);
    return status;
}

/* The end of an output, beginning with the first byte of a UTF-8 character. */
static json_t *tail_json(const char *bytes, size_t size) {
    size_t from = size > TAIL ? size - TAIL : 0;
    for (int i = 0; i < 3 && from > 0 && from < size; i++) from += text_continues(bytes[from]);
    return rows_bytes(bytes + from, size - from);
}

static int take_output(uint64_t attempt, const locbo_output *o, void *user) {
    json_t *row = json_object();
    int bad = build_put(row, "attempt", build_count(attempt));
    bad |= build_put(row, "exit_code", json_integer(o->exit_code));
    bad |= build_put(row, "seconds", value_real(o->seconds));
    bad |= build_put(row, "out", tail_json(o->out, o->out_size));
    bad |= build_put(row, "err", tail_json(o->err, o->err_size));
    bad |= build_put(row, "out_bytes", build_count(o->out_size));
    bad |= build_put(row, "err_bytes", build_count(o->err_size));
    json_t **list = user;
    if (json_array_append_new(*list, build_finish(row, bad)) == 0) return 0;
    json_decref(*list);
    *list = NULL;
    return 1;
}

/* The curve of one attempt; the list becomes NULL without memory. */
static int take_curve(const locbo_curve *c, void *user) {
    json_t **list = user;
    locbo_step *points = NULL;
    size_t count = 0;
    if (curve_table_thin(c->count, c->steps, POINTS, &points, &count, NULL) == LOCBO_OK) {
        json_t *row = json_object();
        int bad = build_put(row, "trial", build_count(c->trial));
        bad |= build_put(row, "attempt", build_count(c->attempt));
        bad |= build_put(row, "steps", build_count(c->count));
        bad |= curve_rows_put_steps(row, count, points);
        mem_free(points);
        if (json_array_append_new(*list, build_finish(row, bad)) == 0) return 0;
    }
    json_decref(*list);
    *list = NULL;
    return 1;
}

/* "curves" of its attempts, if there are any, and "decision", if there is one. */
static locbo_status put_curves(finding *f, locbo_study *study, locbo_error *error) {
    json_t *curves = json_array();
    locbo_status status = curves ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK) status = locbo_study_each_curve(study, f->number, take_curve, &curves, error);
    if (status == LOCBO_OK && (!curves || f->no_memory)) status = status_no_memory(error);
    int has = json_array_size(curves) > 0;
    if (status == LOCBO_OK && f->decision && json_object_set(f->row, "decision", f->decision) != 0)
        status = status_no_memory(error);
    if (status == LOCBO_OK && has && json_object_set(f->row, "curves", curves) != 0) status = status_no_memory(error);
    json_decref(f->decision);
    json_decref(curves);
    return status;
}

locbo_status view_trial(cache *c, const query *q, json_t **answer, locbo_error *error) {
    finding f;
    uint64_t number;
    if (!query_get(q, "number"))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "number must be given: the number of a trial");
    locbo_status status = query_count(q, "number", 1, INT64_MAX, 1, &number, error);
    if (status == LOCBO_OK) status = find(c, number, &f, error);
    if (status != LOCBO_OK) return status;
    json_t *printed = json_array(), *changes = NULL;
    status = locbo_study_each_output(cache_study(c), number, take_output, &printed, error);
    if (status == LOCBO_OK)
        status = change_list_read(cache_study(c), (change_filter){.trial = number}, &changes, error);
    locbo_status reported = put_curves(&f, cache_study(c), status == LOCBO_OK ? error : NULL);
    if (status == LOCBO_OK) status = reported;
    int bad = build_put(f.row, "miss", f.miss);
    if (changes) bad |= build_put(f.row, "changes", changes);
    if (f.outputs->table) bad |= build_put(f.row, "misses", f.misses);
    bad |= build_put(f.row, "level", value_real(1 - cache_definition(c)->options->alpha));
    bad |= build_put(f.row, rows_printed_key(cache_definition(c)->outputs), printed);
    if (status == LOCBO_OK) return build_answer(f.row, bad, answer, error);
    json_decref(f.row);
    return status;
}
