/* pipe_ops.c - the requests of `locbo pipe`. Layer: cli, middle. A request is checked whole,
 * unknown keys too, before anything is done. */
#include "pipe_ops.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cells.h"
#include "change_list.h"
#include "choice.h"
#include "exit_code.h"
#include "ask_tell.h"
#include "early_end.h"
#include "json_build.h"
#include "mem.h"
#include "moment.h"
#include "named_result.h"
#include "overview.h"
#include "pipe_alter.h"
#include "result.h"
#include "rows.h"
#include "session.h"
#include "study_json.h"
#include "value.h"

typedef struct request {
    json_t *json;
    const char *line;
    size_t size;
    uint64_t trial, attempt; /* if the operation has a trial */
    uint64_t token;          /* 0: none */
    const char *why;
} request;

/* Fills the answer's members. */
typedef locbo_status operation_fn(pipe_state *p, const request *r, json_t *answer, locbo_error *error);

/* ---- parts of requests ----------------------------------------------------------------------- */

static locbo_status read_count(const json_t *json, const char *key, uint64_t *count, locbo_error *error) {
    if (json_is_integer(json) && json_integer_value(json) > 0) {
        *count = (uint64_t)json_integer_value(json);
        return LOCBO_OK;
    }
    return status_fail(error, LOCBO_ERR_ARGUMENT, "\"%s\" must be a whole number of at least 1", key);
}

/* Seconds, a text like "10m" or "none"; null and nothing are the default. */
static locbo_status read_lease(const json_t *json, double *lease, locbo_error *error) {
    *lease = ASK_TELL_LEASE;
    if (!json || json_is_null(json)) return LOCBO_OK;
    if (json_is_string(json)) return ask_tell_lease(json_string_value(json), lease, error);
    *lease = json_number_value(json);
    if (json_is_number(json) && *lease > 0) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "\"lease\" must be seconds above 0, a duration like \"10m\", or \"none\"");
}

/* A point of the request, free where `partial` lets it be; NULL with an error. */
static double *read_point(const pipe_state *p, json_t *json, int partial, locbo_error *error) {
    double *x = mem_new(p->dim, sizeof *x);
    if (!x) {
        status_no_memory(error);
        return NULL;
    }
    if (value_from_object(p->space, json, partial, x, error) == LOCBO_OK) return x;
    mem_free(x);
    return NULL;
}

static locbo_status merge(json_t *answer, json_t *row, locbo_error *error) {
    int bad = !row || json_object_update(answer, row) != 0;
    json_decref(row);
    return bad ? status_no_memory(error) : LOCBO_OK;
}

static int is_output(const pipe_state *p, const char *key) {
    return p->outputs && locbo_outputs_find(p->outputs, key, &(size_t){0}, NULL) == LOCBO_OK;
}

/* Whether a key of tell is a part of the result. */
static int is_result(const pipe_state *p, const char *key) {
    return is_output(p, key) || strcmp(key, "value") == 0 || strcmp(key, "values") == 0 || strcmp(key, "sd") == 0 ||
           strcmp(key, "n") == 0;
}

/* ---- the trials that are out ----------------------------------------------------------------- */

static size_t find_open(const pipe_state *p, uint64_t trial) {
    size_t i = 0;
    while (i < p->open && p->trials[i].trial != trial) i++;
    return i;
}

static void close_trial(pipe_state *p, uint64_t trial) {
    size_t i = find_open(p, trial);
    if (i < p->open) p->trials[i] = p->trials[--p->open];
}

size_t pipe_give_back(pipe_state *p, size_t *kept) {
    size_t given = 0;
    locbo_status status = LOCBO_OK;
    *kept = 0;
    for (size_t i = 0; i < p->open; i++) {
        if (status != LOCBO_ERR_BUSY) /* one wait, not one for each */
            status =
                locbo_study_requeue(p->study, p->trials[i].trial, p->trials[i].attempt, LOCBO_REQUEUE_SAME, 0, NULL);
        given += status == LOCBO_OK;
        *kept += status != LOCBO_OK && status != LOCBO_ERR_STATE;
    }
    p->open = 0;
    return given;
}

/* ---- operations ------------------------------------------------------------------------------ */

static locbo_status hand_out(pipe_state *p, const locbo_request *wanted, json_t *answer, locbo_error *error) {
    locbo_assignment a;
    if (!mem_reserve(&p->trials, &p->capacity, p->open + 1, sizeof *p->trials)) return status_no_memory(error);
    double *x = mem_new(p->dim, sizeof *x);
    if (!x) return status_no_memory(error);
    locbo_status status = ask_tell_ask(p->study, wanted, &a, x, error);
    if (status == LOCBO_OK) {
        close_trial(p, a.trial); /* its lease ended, and it is handed out again */
        p->trials[p->open++] = (pipe_trial){a.trial, a.attempt};
        status = merge(answer, rows_assignment(p->space, &a, x), error);
        if (status != LOCBO_OK) /* no caller will see it; if it cannot wait again now, it does so at the end */
            if (locbo_study_requeue(p->study, a.trial, a.attempt, LOCBO_REQUEUE_SAME, 0, NULL) == LOCBO_OK)
                close_trial(p, a.trial);
    }
    mem_free(x);
    return status;
}

static locbo_status do_ask(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    json_t *fix = json_object_get(r->json, "fix");
    const json_t *waiting = json_object_get(r->json, "waiting");
    locbo_request wanted = {.struct_size = sizeof wanted, .worker = p->worker};
    locbo_status status = read_lease(json_object_get(r->json, "lease"), &wanted.lease, error);
    if (status == LOCBO_OK && waiting && !json_is_boolean(waiting))
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "\"waiting\" must be true or false");
    if (status != LOCBO_OK) return status;
    wanted.waiting_only = json_is_true(waiting);
    double *fixed = fix ? read_point(p, fix, 1, error) : NULL;
    if (fix && !fixed) return error->status;
    wanted.fixed = fixed;
    status = hand_out(p, &wanted, answer, error);
    mem_free(fixed);
    return status;
}

/* "outputs": {...}, whose names must all be outputs; or their names beside the others, as an objective prints them. */
static locbo_status read_result(const pipe_state *p, const request *r, size_t *count, locbo_measurement **m,
                                locbo_error *error) {
    json_t *outputs = json_object_get(r->json, "outputs"), *value;
    const char *key;
    if (!outputs) return result_parse(p->outputs, r->line, r->size, count, m, error);
    if (!json_is_object(outputs)) return status_fail(error, LOCBO_ERR_ARGUMENT, "\"outputs\" must be an object");
    json_object_foreach(r->json, key, value) {
        if (is_result(p, key))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "\"%.40s\" must stand in \"outputs\", not beside it", key);
    }
    json_object_foreach(outputs, key, value) {
        if (!is_output(p, key)) return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no output \"%.40s\"", key);
    }
    locbo_status status = named_result_object(p->outputs, outputs, count, m, error);
    return status == LOCBO_ERR_NOT_FOUND ? status_fail(error, LOCBO_ERR_ARGUMENT, "\"outputs\" has no value") : status;
}

static locbo_status do_tell(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    size_t count;
    locbo_measurement *m;
    (void)answer;
    locbo_status status = read_result(p, r, &count, &m, error);
    if (status != LOCBO_OK) return status;
    status = locbo_study_tell(p->study, r->trial, r->attempt, count, m, error);
    mem_free(m);
    if (status == LOCBO_OK) close_trial(p, r->trial);
    return status;
}

static locbo_status tell_failure(pipe_state *p, const request *r, int infeasible, locbo_error *error) {
    return infeasible ? locbo_study_tell_infeasible(p->study, r->trial, r->attempt, r->why, error)
                      : locbo_study_tell_failed(p->study, r->trial, r->attempt, r->why, error);
}

/* A failure of an attempt is told; it is refused if that attempt is over. Without an attempt it is about the trial,
 * which may have ended: it has failed after all. */
static locbo_status do_fail(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    const json_t *flag = json_object_get(r->json, "infeasible");
    int infeasible = json_is_true(flag);
    (void)answer;
    if (flag && !json_is_boolean(flag))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "\"infeasible\" must be true or false");
    locbo_status status = tell_failure(p, r, infeasible, error);
    if (status == LOCBO_ERR_STATE && r->attempt == 0) {
        locbo_store_token(p->store, r->token);
        status = locbo_study_fail(p->study, r->trial, infeasible ? LOCBO_STATE_INFEASIBLE : LOCBO_STATE_FAILED, r->why,
                                  error);
    }
    if (status == LOCBO_OK) close_trial(p, r->trial);
    return status;
}

static locbo_status do_infeasible(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    (void)answer;
    locbo_status status = tell_failure(p, r, 1, error);
    if (status == LOCBO_OK) close_trial(p, r->trial);
    return status;
}

static locbo_status do_requeue(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    (void)answer;
    const json_t *retry = json_object_get(r->json, "retry");
    if (retry && !json_is_boolean(retry))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "\"retry\" must be true or false");
    locbo_status status = locbo_study_requeue(p->study, r->trial, r->attempt,
                                              json_is_true(retry) ? LOCBO_REQUEUE_RETRY : LOCBO_REQUEUE_SAME, 0, error);
    if (status == LOCBO_OK) close_trial(p, r->trial);
    return status;
}

static locbo_status do_beat(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    double lease;
    (void)answer;
    locbo_status status = read_lease(json_object_get(r->json, "lease"), &lease, error);
    if (status != LOCBO_OK) return status;
    return locbo_study_beat(p->study, r->trial, r->attempt, lease, error);
}

/* A step is a list of two: [10, 0.53]. What cannot be stored is skipped there, as everywhere. */
static locbo_status read_step(const json_t *pair, locbo_step *step, locbo_error *error) {
    const json_t *number = json_array_get(pair, 0), *value = json_array_get(pair, 1);
    if (json_array_size(pair) != 2 || !json_is_integer(number) || json_integer_value(number) < 0 ||
        !(json_is_number(value) || json_is_null(value)))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "\"steps\" must be a list of steps with their values, as in [[10, 0.53]]");
    *step = (locbo_step){(uint64_t)json_integer_value(number),
                         json_is_null(value) ? (double)NAN : json_number_value(value)};
    return LOCBO_OK;
}

/* The trial is over if it is to end: nothing more is told of it. */
static locbo_status do_report(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    const json_t *list = json_object_get(r->json, "steps");
    size_t count = json_array_size(list);
    int end = 0;
    if (!json_is_array(list)) return read_step(NULL, NULL, error);
    locbo_step *steps = mem_new(count, sizeof *steps);
    locbo_status status = steps ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < count && status == LOCBO_OK; i++)
        status = read_step(json_array_get(list, i), &steps[i], error);
    if (status == LOCBO_OK) status = locbo_study_report(p->study, r->trial, r->attempt, count, steps, &end, error);
    mem_free(steps);
    if (status != LOCBO_OK) return status;
    if (end) close_trial(p, r->trial);
    return build_put(answer, "end", json_boolean(end)) ? status_no_memory(error) : LOCBO_OK;
}

static locbo_status do_enqueue(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    uint64_t trial;
    json_t *row = NULL;
    double *fixed = read_point(p, json_object_get(r->json, "params"), 1, error);
    if (!fixed) return error->status;
    locbo_status status = locbo_study_enqueue(p->study, fixed, &trial, error);
    mem_free(fixed);
    if (status == LOCBO_OK) status = rows_find(p->study, trial, 0, &row, error);
    if (status != LOCBO_OK) return status;
    rows_drop_results(row);
    return merge(answer, row, error);
}

static locbo_status choose(pipe_state *p, int recommended, json_t *answer, locbo_error *error) {
    json_t *row = NULL;
    locbo_census census;
    locbo_status status = locbo_study_census(p->study, &census, error);
    if (status == LOCBO_OK) status = choice_find(p->study, &census, recommended, &row, error);
    return status == LOCBO_OK ? merge(answer, row, error) : status;
}

static locbo_status do_best(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    (void)r;
    return choose(p, 0, answer, error);
}

static locbo_status do_recommend(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    (void)r;
    return choose(p, 1, answer, error);
}

/* Of one output what is believed of it; with a table of outputs this of each that is modelled, and what they share. */
static json_t *beliefs_json(const pipe_state *p, const locbo_belief *beliefs, double feasible) {
    const locbo_belief *first = &beliefs[rows_first_objective(p->outputs)];
    if (!p->outputs) return rows_belief(beliefs);
    json_t *row = json_object(), *all = json_object();
    int bad = 0;
    for (size_t i = 0; i < locbo_outputs_count(p->outputs); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        locbo_outputs_get(p->outputs, i, &spec, NULL);
        if (rows_is_modelled(&spec)) bad |= build_put(all, spec.name, rows_belief(&beliefs[i]));
    }
    bad |= build_put(row, "outputs", all);
    bad |= build_put(row, "feasible", value_real(cells_has_constraints(p->outputs) ? feasible : (double)NAN));
    bad |= build_put(row, "acquisition", value_real(first->acquisition));
    bad |= build_put(row, "success", value_real(first->success));
    return build_finish(row, bad);
}

static locbo_status do_predict(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    locbo_optimizer *optimizer;
    double feasible, *x = read_point(p, json_object_get(r->json, "params"), 0, error);
    if (!x) return error->status;
    locbo_belief *beliefs = mem_new(p->outputs ? locbo_outputs_count(p->outputs) : 1, sizeof *beliefs);
    locbo_status status = beliefs ? locbo_study_optimizer(p->study, &optimizer, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = locbo_optimizer_predict_outputs(optimizer, 1, x, beliefs, &feasible, error);
    if (status == LOCBO_OK && isnan(beliefs[rows_first_objective(p->outputs)].mean))
        status = status_fail(error, LOCBO_ERR_NOTHING, "there is no model yet");
    if (status == LOCBO_OK) status = merge(answer, beliefs_json(p, beliefs, feasible), error);
    if (status == LOCBO_OK && json_object_set_new(answer, "level", json_real(1 - p->options->alpha)) != 0)
        status = status_no_memory(error);
    mem_free(beliefs);
    mem_free(x);
    return status;
}

typedef struct viewing {
    const pipe_state *pipe;
    json_t *view;
} viewing;

static locbo_status make_view(void *user, locbo_error *error) {
    viewing *v = user;
    json_decref(v->view); /* of a moment that was lost */
    v->view = NULL;
    locbo_status status = overview_make(v->pipe->study, v->pipe->url, 1, &v->view, error);
    return status == LOCBO_OK ? early_end_add_account(v->pipe->study, v->view, error) : status;
}

static locbo_status do_status(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    viewing v = {.pipe = p};
    (void)r;
    locbo_status status = moment_read(p->store, make_view, &v, error);
    if (status == LOCBO_OK) return merge(answer, v.view, error);
    json_decref(v.view);
    return status;
}

/* The study as it is now; `changed`: whether it was altered. */
static locbo_status refresh(pipe_state *p, int *changed, locbo_error *error) {
    locbo_definition d = {.struct_size = sizeof d};
    locbo_status status = locbo_study_refresh(p->study, changed, error);
    if (status == LOCBO_OK) status = locbo_study_definition(p->study, &d, error);
    if (status != LOCBO_OK) return status;
    p->space = d.space;
    p->outputs = d.outputs;
    p->options = d.options;
    p->dim = locbo_space_dim(d.space);
    return LOCBO_OK;
}

/* ---- changes of mind ------------------------------------------------------------------------- */

/* "result": 2 is the second result of the trial; without it all of the trial is taken back. */
static locbo_status do_retract(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    const json_t *which = json_object_get(r->json, "result");
    uint64_t number = 0, sequence = 0;
    (void)answer;
    locbo_status status = which ? read_count(which, "result", &number, error) : LOCBO_OK;
    if (status == LOCBO_OK && which) status = rows_find_result(p->study, r->trial, number, &sequence, error);
    if (status != LOCBO_OK) return status;
    locbo_store_token(p->store, r->token);
    return locbo_study_retract(p->study, r->trial, sequence, r->why, error);
}

/* "definition": what is to differ, as a study file says it; "try": true finds out what it would do. */
static locbo_status do_alter(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    json_t *definition = json_object_get(r->json, "definition"), *tried = json_object_get(r->json, "try");
    if (tried && !json_is_boolean(tried))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "\"try\" must be true or false");
    locbo_status status =
        pipe_alter(p->store, p->study, definition, r->why, json_is_true(tried), r->token, answer, error);
    return status == LOCBO_OK ? refresh(p, NULL, error) : status;
}

static locbo_status do_log(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    json_t *rows = NULL;
    (void)r;
    locbo_status status = change_list_read(p->study, (change_filter){0, 0}, &rows, error);
    if (status == LOCBO_OK && build_put(answer, "log", rows)) status = status_no_memory(error);
    return status;
}

static locbo_status do_pause(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_pause(p->study, r->why, error);
}

static locbo_status do_resume(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_resume(p->study, r->why, error);
}

static int take_noted(const locbo_record *record, void *user) {
    json_t *answer = user;
    if (record->trial.id != (uint64_t)json_integer_value(json_object_get(answer, "trial"))) return 1;
    int bad = build_put(answer, "note", rows_note(record->note));
    bad |= build_put(answer, "tags", rows_tags(record->tags));
    if (bad) json_object_del(answer, "tags");
    return 1;
}

/* The note and the tags of a trial, or of the study. */
static locbo_status answer_note(pipe_state *p, uint64_t trial, json_t *answer, locbo_error *error) {
    locbo_filter one = {.struct_size = sizeof one, .first = trial, .limit = 1};
    if (build_put(answer, "trial", trial ? build_count(trial) : json_null())) return status_no_memory(error);
    if (!trial) return overview_put_note(answer, p->study, error);
    locbo_status status = locbo_study_each(p->study, &one, take_noted, answer, error);
    if (status == LOCBO_OK && !json_object_get(answer, "note"))
        status = status_fail(error, LOCBO_ERR_NOT_FOUND, "the study '%s' has no trial %" PRIu64,
                             locbo_study_name(p->study), trial);
    if (status == LOCBO_OK && !json_object_get(answer, "tags")) status = status_no_memory(error);
    return status;
}

/* "note" and "tags", a list of all of them, replace what there is; the answer has what there is then. */
static locbo_status do_note(pipe_state *p, const request *r, json_t *answer, locbo_error *error) {
    const json_t *note = json_object_get(r->json, "note"), *tags = json_object_get(r->json, "tags");
    uint64_t trial = 0;
    char *words = NULL;
    json_t *number = json_object_get(r->json, "trial");
    locbo_status status = number && !json_is_null(number) ? read_count(number, "trial", &trial, error) : LOCBO_OK;
    if (status == LOCBO_OK && note && !json_is_null(note) && !json_is_string(note))
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "\"note\" must be a text, or null");
    if (status == LOCBO_OK && tags && !study_json_tags(tags, &words))
        status = words ? status_fail(error, LOCBO_ERR_ARGUMENT, "\"tags\" must be a list of texts")
                       : status_no_memory(error);
    if (status == LOCBO_OK && (note || tags))
        status = locbo_study_note(p->study, trial,
                                  !note                  ? NULL
                                  : json_is_string(note) ? json_string_value(note)
                                                         : "",
                                  words, error);
    mem_free(words);
    return status == LOCBO_OK ? answer_note(p, trial, answer, error) : status;
}

/* ---- requests -------------------------------------------------------------------------------- */

/* "op" and "id" are in every request; an operation with the key "trial" needs one, but not "note". */
static const struct operation {
    const char *name;
    operation_fn *run;
    const char *keys[8]; /* NULL-terminated */
} operations[] = {
    {"ask", do_ask, {"fix", "lease", "waiting", "token"}},
    {"tell", do_tell, {"trial", "attempt", "value", "values", "sd", "n", "token"}}, /* and outputs, see is_told */
    {"fail", do_fail, {"trial", "attempt", "infeasible", "why", "token"}},
    {"infeasible", do_infeasible, {"trial", "attempt", "why", "token"}},
    {"requeue", do_requeue, {"trial", "attempt", "retry", "token"}},
    {"beat", do_beat, {"trial", "attempt", "lease"}},
    {"report", do_report, {"trial", "attempt", "steps"}},
    {"enqueue", do_enqueue, {"params", "token"}},
    {"best", do_best, {NULL}},
    {"recommend", do_recommend, {NULL}},
    {"predict", do_predict, {"params"}},
    {"status", do_status, {NULL}},
    {"alter", do_alter, {"definition", "try", "why", "token"}},
    {"retract", do_retract, {"trial", "result", "why", "token"}},
    {"pause", do_pause, {"why", "token"}},
    {"resume", do_resume, {"why", "token"}},
    {"note", do_note, {"trial", "note", "tags", "token"}},
    {"log", do_log, {NULL}},
};

static int knows_key(const struct operation *o, const char *key) {
    if (strcmp(key, "op") == 0 || strcmp(key, "id") == 0) return 1;
    for (size_t i = 0; o->keys[i]; i++)
        if (strcmp(key, o->keys[i]) == 0) return 1;
    return 0;
}

/* Keys of tell in a study with a table of outputs. */
static int is_told(const pipe_state *p, const struct operation *o, const char *key) {
    return o->run == do_tell && p->outputs && (strcmp(key, "outputs") == 0 || is_output(p, key));
}

static locbo_status find_operation(const pipe_state *p, json_t *json, const struct operation **found,
                                   locbo_error *error) {
    const char *name = json_string_value(json_object_get(json, "op")), *key;
    json_t *value;
    if (!name) return status_fail(error, LOCBO_ERR_ARGUMENT, "\"op\" is missing or not a text");
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        if (strcmp(name, operations[i].name) != 0) continue;
        *found = &operations[i];
        json_object_foreach(json, key, value) {
            if (!knows_key(*found, key) && !is_told(p, *found, key))
                return status_fail(error, LOCBO_ERR_ARGUMENT, "the op \"%s\" has no key \"%.40s\"", name, key);
        }
        return LOCBO_OK;
    }
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "unknown op \"%.40s\"; known are ask, tell, fail, infeasible, requeue, beat, "
                       "report, enqueue, best, recommend, predict, status, alter, retract, pause, resume, note, log",
                       name);
}

/* The attempt is the one handed out here, unless the request says otherwise. */
static locbo_status read_trial(const pipe_state *p, request *r, locbo_error *error) {
    const json_t *attempt = json_object_get(r->json, "attempt");
    locbo_status status = read_count(json_object_get(r->json, "trial"), "trial", &r->trial, error);
    if (status != LOCBO_OK) return status;
    size_t i = find_open(p, r->trial);
    r->attempt = i < p->open ? p->trials[i].attempt : 0;
    return attempt ? read_count(attempt, "attempt", &r->attempt, error) : LOCBO_OK;
}

static locbo_status read_why(request *r, locbo_error *error) {
    const json_t *why = json_object_get(r->json, "why");
    if (why && !json_is_string(why)) return status_fail(error, LOCBO_ERR_ARGUMENT, "\"why\" must be a text");
    r->why = json_string_value(why);
    return LOCBO_OK;
}

static locbo_status serve(pipe_state *p, request *r, json_t *answer, locbo_error *error) {
    const struct operation *operation = NULL;
    locbo_status status = find_operation(p, r->json, &operation, error);
    const json_t *token = json_object_get(r->json, "token");
    r->token = 0;
    if (status == LOCBO_OK && token) status = read_count(token, "token", &r->token, error);
    if (status == LOCBO_OK) status = read_why(r, error);
    if (status == LOCBO_OK && knows_key(operation, "trial") && operation->run != do_note)
        status = read_trial(p, r, error);
    locbo_store_token(p->store, r->token);
    if (status == LOCBO_OK) status = operation->run(p, r, answer, error);
    locbo_store_token(p->store, 0); /* a request that was refused has not used it */
    return status;
}

/* A request that fails because somebody altered the study, or that names what the study has only since then, is served
 * once more. */
static locbo_status serve_altered(pipe_state *p, request *r, json_t *answer, locbo_error *error) {
    enum { TIMES = 4 };
    locbo_status status = serve(p, r, answer, error);
    for (int i = 0; i < TIMES && (status == LOCBO_ERR_CHANGED || status == LOCBO_ERR_ARGUMENT); i++) {
        int changed = 0;
        locbo_error why;
        locbo_status done = refresh(p, &changed, &why);
        if (done != LOCBO_OK && status == LOCBO_ERR_CHANGED) *error = why;
        if (done != LOCBO_OK) return error->status;
        if (!changed && status == LOCBO_ERR_ARGUMENT) return status;
        status = serve(p, r, answer, error);
    }
    return status;
}

json_t *pipe_refusal(const locbo_error *error, json_t *id) {
    json_t *answer = json_object();
    int bad = json_object_set_new(answer, "ok", json_false());
    if (id) bad |= json_object_set(answer, "id", id);
    bad |= json_object_set_new(answer, "error", rows_text(error->message));
    bad |= json_object_set_new(answer, "code", json_integer(exit_code_of(error->status)));
    if (!bad) return answer;
    json_decref(answer);
    return NULL;
}

json_t *pipe_answer(pipe_state *p, const char *line, size_t size) {
    locbo_error error = {LOCBO_OK, ""};
    json_error_t why;
    request r = {.json = json_loadb(line, size, JSON_REJECT_DUPLICATES, &why), .line = line, .size = size};
    json_t *answer = json_object(), *id = json_object_get(r.json, "id");
    locbo_status status = LOCBO_OK;
    if (!json_is_object(r.json))
        status = status_fail(&error, LOCBO_ERR_ARGUMENT, "not a JSON object%s%.100s", r.json ? "" : ": ",
                             r.json ? "" : why.text);
    if (json_object_set_new(answer, "ok", json_true()) != 0 || (id && json_object_set(answer, "id", id) != 0))
        status = status_no_memory(&error);
    if (status == LOCBO_OK) status = serve_altered(p, &r, answer, &error);
    if (status != LOCBO_OK) {
        json_decref(answer);
        answer = pipe_refusal(&error, id);
    }
    json_decref(r.json);
    return answer;
}
