/* rows.c - trials, choices and definitions as JSON. Layer: view, shapes. */
#include "rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "belief.h"
#include "warp.h"
#include "buffer.h"
#include "mem.h"
#include "number.h"
#include "origin.h"
#include "plan_fields.h"
#include "json_build.h"
#include "status.h"
#include "text.h"
#include "value.h"

/* ---- texts ----------------------------------------------------------------------------------- */

json_t *rows_bytes(const char *bytes, size_t size) {
    buffer clean = {0};
    for (size_t i = 0; i < size;) {
        size_t n = text_character(bytes + i, size - i);
        if (n > size - i) n = 0;
        if (n)
            buffer_add(&clean, bytes + i, n);
        else
            buffer_text(&clean, "\xef\xbf\xbd");
        i += n ? n : 1;
    }
    json_t *text = clean.failed ? NULL : json_stringn(clean.data ? clean.data : "", clean.size);
    mem_free(clean.data);
    return text;
}

json_t *rows_text(const char *text) { return rows_bytes(text, strlen(text)); }

static json_t *word_cell(const void *words, size_t i) { return rows_text(((const char *const *)words)[i]); }

json_t *rows_words(size_t count, const char *const *words) { return build_list(word_cell, words, count, NULL); }

/* ---- numbers --------------------------------------------------------------------------------- */

json_t *rows_interval(double low, double high) {
    if (isnan(low) || isnan(high)) return json_null();
    return json_pack("[o, o]", value_real(low), value_real(high));
}

double rows_real(const json_t *json) {
    double value = (double)NAN;
    if (json_is_string(json)) number_parse(json_string_value(json), &value);
    return json_is_number(json) ? json_number_value(json) : value;
}

double rows_real_of(const json_t *row, const char *key) { return rows_real(json_object_get(row, key)); }

/* ---- trials ---------------------------------------------------------------------------------- */

json_t *rows_assignment(const locbo_space *space, const locbo_assignment *a, const double *x) {
    json_t *row = json_object();
    int bad = build_put(row, "trial", build_count(a->trial));
    bad |= build_put(row, "attempt", build_count(a->attempt));
    bad |= build_put(row, "seed", build_count(a->seed));
    bad |= build_put(row, "params", value_object(space, x));
    return build_finish(row, bad);
}

#define PUT(field) bad |= build_put(row, #field, value_real(b->field));
/* By what a result is judged, if not on the user's scale. */
static json_t *judged_scale(const locbo_belief *b) {
    json_t *row = json_object();
    int bad = 0;
    BELIEF_SCALE(PUT)
    return build_finish(row, bad);
}

json_t *rows_belief(const locbo_belief *b) {
#define PUT_INTERVAL(member, low, high) bad |= build_put(row, #member, rows_interval(b->low, b->high));
    json_t *row = json_object();
    int bad = 0;
    BELIEF_MEMBERS(PUT, PUT_INTERVAL)
    if (belief_is_bent(b)) bad |= build_put(row, "scale", judged_scale(b));
    return build_finish(row, bad);
}

locbo_belief rows_read_belief(const json_t *json) {
#define GET(field) .field = rows_real(json_object_get(json, #field)),
#define GET_INTERVAL(member, low, high)                                                                                \
    .low = rows_real(json_array_get(json_object_get(json, #member), 0)),                                               \
    .high = rows_real(json_array_get(json_object_get(json, #member), 1)),
    locbo_belief b = {BELIEF_MEMBERS(GET, GET_INTERVAL)};
#define GET_SCALE(field) b.field = rows_real(json_object_get(json_object_get(json, "scale"), #field));
    BELIEF_SCALE(GET_SCALE)
    return b;
}

static json_t *value_cell(const void *record, size_t i) {
    return value_real(((const locbo_record *)record)->measurements[i].value);
}

static json_t *measurement_cell(const void *record, size_t i) {
    const locbo_record *r = record;
    const locbo_measurement *m = &r->measurements[i];
    json_t *row = json_object();
    int bad = build_put(row, "value", value_real(m->value));
    bad |= build_put(row, "sd", value_real(m->sd));
    bad |= build_put(row, "n", build_count(m->n));
    bad |= build_put(row, "sequence", build_count(r->sequence[i]));
    bad |= build_put(row, "told", value_real(r->told[i]));
    return build_finish(row, bad);
}

static const char *const origins[LOCBO_ORIGINS] = {"design", "model", "random", "given", "again", "explore", "confirm"};

const char *rows_origin_name(locbo_origin origin) {
    return (unsigned)origin < LOCBO_ORIGINS ? origins[origin] : "unknown";
}

int rows_origin(const char *name, locbo_origin *origin) {
    for (unsigned i = 0; i < LOCBO_ORIGINS; i++)
        if (strcmp(name, origins[i]) == 0) {
            *origin = (locbo_origin)i;
            return 1;
        }
    return 0;
}

json_t *rows_by_origin(const uint64_t judged[LOCBO_ORIGINS], const uint64_t inside[LOCBO_ORIGINS]) {
    json_t *list = json_array();
    int bad = !list;
    for (int i = 0; i < LOCBO_ORIGINS && !bad; i++)
        if (judged[i] > 0)
            bad = json_array_append_new(list,
                                        json_pack("{s:s, s:I, s:I, s:o}", "origin", origins[i], "judged",
                                                  (json_int_t)judged[i], "inside", (json_int_t)inside[i], "coverage",
                                                  value_real((double)inside[i] / (double)judged[i]))) != 0;
    return build_finish(list, bad);
}

/* A parameter with one or two values has nothing but bounds. */
static int is_on_bound(const locbo_space *space, const double *x) {
    for (size_t i = 0; i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        if (p.kind == LOCBO_CATEGORICAL || (p.kind == LOCBO_INT && p.high - p.low < 2)) continue;
        if (x[i] == p.low || x[i] == p.high) return 1;
    }
    return 0;
}

void rows_count_bounds(rows_bounds *count, const locbo_space *space, const locbo_trial *trial, const double *x) {
    if (!origin_is_model(trial->origin)) return;
    count->proposals++;
    count->on_bound += (uint64_t)is_on_bound(space, x);
}

json_t *rows_bounds_json(const rows_bounds *count) {
    if (count->proposals == 0) return json_null();
    return json_pack("{s:I, s:I}", "proposals", (json_int_t)count->proposals, "on_bound", (json_int_t)count->on_bound);
}

static int put_rest(json_t *row, const locbo_record *r) {
    int bad = build_put(row, "measurements", build_list(measurement_cell, r, r->count, NULL));
    bad |= build_put(row, "origin", json_string(rows_origin_name(r->trial.origin)));
    bad |= build_put(row, "told", build_count(r->trial.told));
    bad |= build_put(row, "pending", json_loads(r->pending, 0, NULL));
    bad |= build_put(row, "belief", rows_belief(&r->trial.belief));
    bad |= build_put(row, "attempt", build_count(r->attempt));
    bad |= build_put(row, "retries", build_count(r->retries));
    bad |= build_put(row, "lost", build_count(r->lost));
    bad |= build_put(row, "seed", build_count(r->seed));
    bad |= build_put(row, "worker", rows_text(r->worker));
    bad |= build_put(row, "message", rows_text(r->message));
    bad |= build_put(row, "failure", r->failure ? build_count(r->failure) : json_null());
    bad |= build_put(row, "asked", value_real(r->asked));
    bad |= build_put(row, "started", value_real(r->started));
    bad |= build_put(row, "ended", value_real(r->ended));
    bad |= build_put(row, "lease", value_real(r->lease));
    return bad;
}

json_t *rows_record(const locbo_space *space, const locbo_record *r, int full) {
    json_t *row = json_object();
    int bad = build_put(row, "trial", build_count(r->trial.id));
    bad |= build_put(row, "state", json_string(locbo_state_name(r->state)));
    bad |= build_put(row, "params", value_object(space, r->x));
    bad |= build_put(row, "value", value_real(r->value));
    bad |= build_put(row, "values", build_list(value_cell, r, r->count, NULL));
    if (full) bad |= put_rest(row, r);
    return build_finish(row, bad);
}

json_t *rows_choice(const locbo_space *space, const locbo_choice *c, const double *x, int recommended) {
    json_t *row = json_object();
    int bad = build_put(row, "trial", c->trial ? build_count(c->trial) : json_null());
    bad |= build_put(row, "params", value_object(space, x));
    bad |= build_put(row, recommended ? "mean" : "value", value_real(c->value));
    bad |= build_put(row, "interval", rows_interval(c->low, c->high));
    bad |= build_put(row, "level", value_real(isnan(c->low) ? (double)NAN : c->level));
    return build_finish(row, bad);
}

typedef struct finding {
    const locbo_space *space;
    uint64_t number;
    int full;
    json_t *row;
    int found;
} finding;

static int take(const locbo_record *record, void *user) {
    finding *f = user;
    if (record->trial.id != f->number) return 1;
    f->found = 1;
    f->row = rows_record(f->space, record, f->full);
    return 1;
}

locbo_status rows_find(locbo_study *study, uint64_t number, int full, json_t **row, locbo_error *error) {
    locbo_definition definition = {.struct_size = sizeof definition};
    locbo_filter one = {.struct_size = sizeof one, .first = number, .limit = 1};
    locbo_status status = locbo_study_definition(study, &definition, error);
    if (status != LOCBO_OK) return status;
    finding f = {.space = definition.space, .number = number, .full = full};
    status = locbo_study_each(study, &one, take, &f, error);
    if (status != LOCBO_OK) return status;
    if (!f.found)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "the study '%s' has no trial %" PRIu64, locbo_study_name(study),
                           number);
    *row = f.row;
    return f.row ? status_ok(error) : status_no_memory(error);
}

/* ---- definitions ----------------------------------------------------------------------------- */

static json_t *kind_json(const locbo_parameter *p) {
    static const char *const kinds[] = {"float", "int", "categorical"};
    return json_string(kinds[p->kind]);
}

json_t *rows_parameter(const locbo_parameter *p) {
    int is_category = p->kind == LOCBO_CATEGORICAL;
    json_t *row = json_object();
    int bad = build_put(row, "name", json_string(p->name));
    bad |= build_put(row, "type", kind_json(p));
    bad |= build_put(row, "low", is_category ? json_null() : value_json(p, p->low));
    bad |= build_put(row, "high", is_category ? json_null() : value_json(p, p->high));
    bad |= build_put(row, "log", is_category ? json_null() : json_boolean(p->scale == LOCBO_LOG));
    bad |= build_put(row, "values", is_category ? rows_words(p->count, p->categories) : json_null());
    return build_finish(row, bad);
}

static json_t *parameter_of(const locbo_parameter *p) {
    json_t *row = json_object();
    int bad = build_put(row, "type", kind_json(p));
    if (p->kind == LOCBO_CATEGORICAL) {
        bad |= build_put(row, "values", rows_words(p->count, p->categories));
        return build_finish(row, bad);
    }
    bad |= build_put(row, "low", value_json(p, p->low));
    bad |= build_put(row, "high", value_json(p, p->high));
    bad |= build_put(row, "log", json_boolean(p->scale == LOCBO_LOG));
    return build_finish(row, bad);
}

json_t *rows_parameters(const locbo_space *space) {
    json_t *all = json_object();
    int bad = !all;
    for (size_t i = 0; i < locbo_space_dim(space) && !bad; i++) {
        locbo_parameter p;
        bad = locbo_space_parameter(space, i, &p, NULL) != LOCBO_OK || build_put(all, p.name, parameter_of(&p)) != 0;
    }
    return build_finish(all, bad);
}

json_t *rows_space(const locbo_space *space) {
    json_t *list = json_array();
    int bad = !list;
    for (size_t i = 0; i < locbo_space_dim(space) && !bad; i++) {
        locbo_parameter p;
        bad = locbo_space_parameter(space, i, &p, NULL) != LOCBO_OK ||
              json_array_append_new(list, rows_parameter(&p)) != 0;
    }
    return build_finish(list, bad);
}

/* A number where JSON has it; a seed above 2^63 and nan stay texts, which --set accepts too. */
static json_t *option_json(const locbo_option *option, const char *text) {
    double number;
    int64_t whole;
    int is_real = strcmp(option->type, "real") == 0;
    if (strcmp(option->type, "choice") == 0) return json_string(text);
    if (is_real && number_parse(text, &number) && isfinite(number)) return json_real(number);
    if (!is_real && value_whole(text, &whole)) return json_integer(whole);
    return json_string(text);
}

json_t *rows_options(const locbo_options *options) {
    json_t *all = json_object();
    int bad = !all;
    for (size_t i = 0; i < locbo_option_count() && !bad; i++) {
        locbo_option option;
        char text[64];
        bad = locbo_option_describe(i, &option, NULL) != LOCBO_OK ||
              locbo_options_get(options, option.name, text, sizeof text, NULL) != LOCBO_OK ||
              build_put(all, option.name, option_json(&option, text)) != 0;
    }
    return build_finish(all, bad);
}

json_t *rows_option(const locbo_options *options, const char *name) {
    char text[64];
    if (locbo_options_get(options, name, text, sizeof text, NULL) != LOCBO_OK) return NULL;
    return json_string(text);
}

static json_t *number_cell(const void *numbers, size_t i) { return value_real(((const double *)numbers)[i]); }

static const char *const laws[] = {"auto", "little", "gaussian", "student", "much"};

int rows_law(const char *name, locbo_noise_law *law) {
    for (unsigned i = 1; i < sizeof laws / sizeof laws[0]; i++)
        if (strcmp(name, laws[i]) == 0) {
            *law = (locbo_noise_law)i;
            return 1;
        }
    return 0;
}

/* "power", "offset", "low", "high", unless the scale is affine. */
static int put_warp(json_t *row, warp b) {
    if (!warp_is_set(&b)) return 0;
    int bad = build_put(row, "power", value_real(b.power));
    bad |= build_put(row, "offset", value_real(b.offset));
    bad |= build_put(row, "low", value_real(b.low));
    return bad | build_put(row, "high", value_real(b.high));
}

static json_t *member_cell(const void *members, size_t i) {
    const locbo_member *m = (const locbo_member *)members + i;
    json_t *row = json_object();
    int bad = build_put(row, "law", json_string(laws[m->law]));
    bad |= build_put(row, "score", value_real(m->score));
    bad |= build_put(row, "shift", value_real(m->shift));
    bad |= build_put(row, "spread", value_real(m->spread));
    bad |= put_warp(row, (warp){m->power, m->offset, m->low, m->high});
    bad |= build_put(row, "theta", build_list(number_cell, m->theta, m->count, NULL));
    return build_finish(row, bad);
}

json_t *rows_fit(const locbo_fit *f) {
    json_t *row = json_object();
    int bad = build_put(row, "rows", build_count(f->rows));
    bad |= build_put(row, "shift", value_real(f->shift));
    bad |= build_put(row, "spread", value_real(f->spread));
    bad |= put_warp(row, (warp){f->power, f->offset, f->low, f->high});
    bad |= build_put(row, "log_posterior", value_real(f->log_posterior));
    bad |= build_put(row, "theta", build_list(number_cell, f->theta, f->count, NULL));
    if (f->member_count == 0) return build_finish(row, bad);
    bad |= build_put(row, "chosen", build_count(f->chosen));
    bad |= build_put(row, "members", build_list(member_cell, f->members, f->member_count, NULL));
    return build_finish(row, bad);
}

/* A value that is not set is null. */
json_t *rows_plan(const locbo_plan *p) {
#define PUT_LIMIT(field) bad |= build_put(row, #field, p->field ? build_count(p->field) : json_null());
#define PUT_COUNT(field) bad |= build_put(row, #field, build_count(p->field));
#define PUT_REAL(field) bad |= build_put(row, #field, value_real(p->field));
    json_t *row = json_object();
    int bad = 0;
    PLAN_FIELDS(PUT_LIMIT, PUT_COUNT, PUT_REAL)
    return build_finish(row, bad);
}
