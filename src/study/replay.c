/* replay.c - build an optimizer from the rows of the database. It continues exactly as the one that wrote them: trials
 * in the order asked, results and trials that were ended early in the order of their events, then failures, fits in the
 * order created, and the reference point of several objectives. What was taken back is left out. Layer: study, middle.
 *
 * A study that was altered is replayed as if it had always been as it is now: old trials and results are placed in the
 * present space, and those that have no place there are set aside. Two things remember the alteration: fits that were
 * made before it are gone, and coverage is counted from it on. Results and failures need not be merged by their event
 * numbers: nothing that an optimizer learns depends on the order between the two.
 *
 * An optimizer that was built before is continued: it is given what is new, and goes on as one that was given
 * everything at once. It is built anew if what it was given is no longer so.
 * Cost: O(new rows) to read; for the updates of the calibrator O(rows exact_rows), and O(rows^2) if that is 0; the
 * model is factored when it is needed. */
#include "replay.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "curves.h"
#include "ledger.h"
#include "mem.h"
#include "reference.h"
#include "result_rows.h"
#include "spending.h"
#include "warp.h"

typedef struct source {
    locbo_study *study;
    locbo_optimizer *optimizer;
    replay *made;
    uint64_t expected; /* the event of the last result that is known, until it was read again; 0: none */
    double *x;
    locbo_belief *beliefs;  /* of one trial: one for each output */
    locbo_measurement *row; /* likewise */
    /* those of other outputs than the first objective, of all trials in their order */
    size_t others, capacity, next;
    struct other {
        uint64_t trial;
        size_t output;
        locbo_belief belief;
    } * other;
    /* those that were ended early, in the order of their events: a row of the model each, as a result is */
    size_t ended, ended_room, next_ended;
    struct ended {
        uint64_t trial, event;
        int decided;
        locbo_decision decision;
    } * end;
} source;

static locbo_status begin_source(source *s, locbo_study *study, replay *made, locbo_error *error) {
    *s = (source){.study = study, .made = made};
    s->x = mem_new(study->dim, sizeof *s->x);
    s->beliefs = mem_new(study->table.count, sizeof *s->beliefs);
    s->row = mem_new(study->table.count, sizeof *s->row);
    return s->x && s->beliefs && s->row ? LOCBO_OK : status_no_memory(error);
}

static void end_source(source *s) {
    mem_free(s->x);
    mem_free(s->beliefs);
    mem_free(s->row);
    mem_free(s->other);
    mem_free(s->end);
}

/* The optimizer refuses a row: the database is damaged. */
static locbo_status accept(locbo_status status, locbo_error *error) {
    if (status != LOCBO_ERR_ARGUMENT && status != LOCBO_ERR_NOT_FOUND && status != LOCBO_ERR_STATE) return status;
    if (error) error->status = LOCBO_ERR_IO;
    return LOCBO_ERR_IO;
}

static locbo_status take_belief(const store_value *columns, size_t count, void *user, locbo_error *error) {
    source *s = user;
    (void)count;
    if (!mem_reserve(&s->other, &s->capacity, s->others + 1, sizeof *s->other)) return status_no_memory(error);
    struct other *to = &s->other[s->others++];
    to->trial = store_as_count(&columns[0]);
    to->output = (size_t)store_as_count(&columns[1]);
    return ledger_read_belief(columns + 2, &to->belief, error);
}

/* Whether what was believed of an output can be judged on the scale that it has now: one that was only recorded for a
 * while may have come back on another. */
static int suits(const locbo_output_spec *s, const locbo_belief *b) {
    warp own = warp_of(s->scale, s->scale_low, s->scale_high), was = {b->power, b->offset, b->low, b->high};
    if (!belief_is_bent(b)) return 1;
    if (!warp_is_natural(&own)) return !warp_is_natural(&was);
    return was.power == own.power && was.low == own.low && was.high == own.high;
}

/* The beliefs of a trial of all outputs; trials come in the order of their numbers. */
static void collect_beliefs(source *s, const locbo_trial *trial) {
    const measured *table = &s->study->table;
    for (size_t i = 0; i < table->count; i++) s->beliefs[i] = BELIEF_NONE;
    s->beliefs[table->first] = trial->belief;
    for (; s->next < s->others && s->other[s->next].trial <= trial->id; s->next++) {
        const struct other *o = &s->other[s->next];
        if (o->trial == trial->id && o->output < table->count && suits(&table->output[o->output].spec, &o->belief))
            s->beliefs[o->output] = o->belief;
    }
}

/* What is known of a trial of an altered study: it has no place in the space; a result of it had nothing to see. */
enum { ASIDE = 1, UNSEEN = 2 };

/* Whether a trial of an altered study has a place in its space; one that has none is restored as a point of NAN. */
static locbo_status find_place(source *s, uint64_t trial, locbo_error *error) {
    replay *r = s->made;
    if (!mem_reserve(&r->aside, &r->aside_room, (size_t)trial + 1, 1)) return status_no_memory(error);
    r->aside[trial] = locbo_space_place(s->study->space, s->x, NULL) != LOCBO_OK ? ASIDE : 0;
    for (size_t i = 0; r->aside[trial] && i < s->study->dim; i++) s->x[i] = (double)NAN;
    return LOCBO_OK;
}

/* One that was asked of the optimizer itself is not in the list: it has a place. */
static int mark_of(const source *s, uint64_t trial) {
    return s->study->revision > 0 && trial < s->made->aside_room ? s->made->aside[trial] : 0;
}

static int is_aside(const source *s, uint64_t trial) { return mark_of(s, trial) == ASIDE; }

/* What was read before is no longer so: a backup was restored, or a late result has replaced a failure. */
static locbo_status differs(const source *s, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_IO, "the study '%s' is not what it was", s->study->name);
}

/* The last trial that is known comes first: is it the same? */
static locbo_status check_last(const source *s, locbo_error *error) {
    double *known = mem_new(s->study->dim, sizeof *known);
    locbo_status status = known ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK) status = locbo_optimizer_trial(s->optimizer, s->made->trials, NULL, NULL, known, error);
    for (size_t i = 0; i < s->study->dim && status == LOCBO_OK; i++)
        if (known[i] != s->x[i] && !(isnan(known[i]) && isnan(s->x[i]))) status = differs(s, error);
    mem_free(known);
    return status;
}

static locbo_status take_trial(const store_value *columns, size_t count, void *user, locbo_error *error) {
    source *s = user;
    locbo_trial trial;
    store_value all[LEDGER_COLUMN_COUNT] = {{.kind = STORE_NULL}}; /* those that were not asked for are NULL */
    memcpy(all, columns, count * sizeof *columns);
    locbo_status status = ledger_read_trial(s->study, all, &trial, s->x, error);
    if (status == LOCBO_OK && s->study->revision > 0) status = find_place(s, trial.id, error);
    if (status != LOCBO_OK) return status;
    if (trial.id == s->made->trials) return check_last(s, error);
    collect_beliefs(s, &trial);
    status = accept(locbo_optimizer_restore_trial_outputs(s->optimizer, &trial, s->beliefs, s->x, error), error);
    if (status != LOCBO_OK) return status;
    s->made->trials = trial.id;
    return LOCBO_OK;
}

static void note_event(replay *r, uint64_t number) {
    if (number > r->events) r->events = number;
}

static void count_end(replay *r, uint64_t trial) {
    r->ends++;
    r->ends_sum += trial;
}

/* Once, when the results before the alteration have been told. */
static void begin_segment(source *s) {
    if (s->study->revision > 0 && !s->made->counts_anew) locbo_optimizer_begin_segment(s->optimizer, NULL);
    s->made->counts_anew = 1;
}

/* ---- trials that were ended early -------------------------------------------------------------- */

static locbo_status take_ended(const store_value *columns, size_t count, void *user, locbo_error *error) {
    source *s = user;
    (void)count;
    if (!mem_reserve(&s->end, &s->ended_room, s->ended + 1, sizeof *s->end)) return status_no_memory(error);
    s->end[s->ended++] = (struct ended){store_as_count(&columns[0]), store_as_count(&columns[1]),
                                        columns[2].kind != STORE_NULL, curves_read_decision(columns + 2)};
    return LOCBO_OK;
}

static locbo_status read_ended(locbo_store *store, source *s, locbo_error *error) {
    s->ended = s->next_ended = 0;
    if (store_version(store) < 7) return LOCBO_OK; /* there were none */
    return store_query(store,
                       "SELECT number, failure, " CURVES_DECISION " FROM (SELECT number, failure FROM locbo_trial"
                       " WHERE study = $1 AND state = 'PRUNED' AND failure > $2) ended LEFT JOIN locbo_decision"
                       " ON study = $1 AND trial = number ORDER BY failure",
                       VALUES(store_int(s->study->id), store_count(s->made->events)), take_ended, s, NULL, error);
}

/* With a fidelity parameter: the trial's point with the fidelity that its last step was. 0: there is no such point. */
static int find_step_point(const source *s, const struct ended *e) {
    size_t fidelity = locbo_space_fidelity(s->study->space);
    if (locbo_optimizer_trial(s->optimizer, e->trial, NULL, NULL, s->x, NULL) != LOCBO_OK) return 0;
    double step = (double)e->decision.step;
    if (!(step < s->x[fidelity])) return 0;
    s->x[fidelity] = step;
    return locbo_space_check(s->study->space, s->x, NULL) == LOCBO_OK;
}

/* What is known of its result: by a fidelity parameter the last value, otherwise what complete curves let expect. */
static locbo_status tell_ended(source *s, const struct ended *e, locbo_error *error) {
    const measured *table = &s->study->table;
    int by_step = locbo_space_fidelity(s->study->space) != SIZE_MAX;
    const locbo_decision *d = &e->decision;
    measured_clear(table, s->row);
    if (e->decided)
        s->row[table->first] = (locbo_measurement){.value = by_step ? d->value : d->expected,
                                                   .sd = !by_step && d->expected_sd > 0 ? d->expected_sd : (double)NAN,
                                                   .n = 1};
    int known = e->decided && !isnan(s->row[table->first].value) && measured_drop(table, s->row) > 0 &&
                (!by_step || find_step_point(s, e));
    return accept(locbo_optimizer_tell_ended(s->optimizer, e->trial, known && by_step ? s->x : NULL,
                                             known ? s->row : NULL, error),
                  error);
}

/* Those before this event. */
static locbo_status tell_ended_before(source *s, uint64_t event, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (; s->next_ended < s->ended && s->end[s->next_ended].event < event && status == LOCBO_OK; s->next_ended++) {
        const struct ended *e = &s->end[s->next_ended];
        if (e->event > s->study->revision) begin_segment(s);
        note_event(s->made, e->event);
        count_end(s->made, e->trial);
        if (!is_aside(s, e->trial)) status = tell_ended(s, e, error);
    }
    return status;
}

/* ---- results and failures ---------------------------------------------------------------------- */

/* The last result that is known comes first: is it the same? */
static locbo_status check_result(source *s, const stored_result *r, locbo_error *error) {
    int known = r->event == s->expected;
    s->expected = 0;
    if (known && (r->told == s->made->told || (isnan(r->told) && isnan(s->made->told)))) return LOCBO_OK;
    return differs(s, error);
}

static locbo_status take_result(const stored_result *r, void *user, locbo_error *error) {
    source *s = user;
    if (s->expected > 0) return check_result(s, r, error);
    locbo_status status = tell_ended_before(s, r->event, error);
    if (status != LOCBO_OK) return status;
    if (r->event > s->study->revision) begin_segment(s);
    note_event(s->made, r->event);
    s->made->result = r->event;
    s->made->told = r->told;
    if (is_aside(s, r->trial)) return LOCBO_OK;
    memcpy(s->row, r->row, s->study->table.count * sizeof *s->row);
    if (s->study->revision > 0 && measured_drop(&s->study->table, s->row) == 0) { /* it was told by who knew no scale */
        if (!mem_reserve(&s->made->aside, &s->made->aside_room, (size_t)r->trial + 1, 1))
            return status_no_memory(error);
        s->made->aside[r->trial] = UNSEEN;
        return LOCBO_OK;
    }
    return accept(locbo_optimizer_tell_outputs(s->optimizer, r->trial, s->row, error), error);
}

static locbo_status take_failure(const store_value *columns, size_t count, void *user, locbo_error *error) {
    source *s = user;
    (void)count;
    uint64_t number = store_as_count(&columns[0]);
    note_event(s->made, store_as_count(&columns[2]));
    s->made->without++;
    count_end(s->made, number);
    const char *state = store_as_text(&columns[1]);
    if (is_aside(s, number)) return LOCBO_OK;
    if (strcmp(state, "RETRACTED") == 0) return accept(locbo_optimizer_cancel(s->optimizer, number, error), error);
    int failed = strcmp(state, "FAILED") == 0;
    return accept(failed ? locbo_optimizer_tell_failed(s->optimizer, number, error)
                         : locbo_optimizer_tell_infeasible(s->optimizer, number, error),
                  error);
}

static locbo_status take_fit(const store_value *columns, size_t count, void *user, locbo_error *error) {
    source *s = user;
    ledger_fit read;
    (void)count;
    locbo_status status = ledger_read_fit(columns, &read, error);
    if (status == LOCBO_OK) status = accept(locbo_optimizer_restore_fit(s->optimizer, &read.fit, error), error);
    ledger_release_fit(&read);
    s->made->fits = store_as_count(&columns[7]);
    return status;
}

static locbo_status take_cost(uint64_t trial, double cost, void *user, locbo_error *error) {
    source *s = user;
    if (trial > s->made->trials || is_aside(s, trial)) return LOCBO_OK;
    return accept(locbo_optimizer_tell_cost(s->optimizer, trial, cost, error), error);
}

static locbo_status read_reference(source *s, locbo_error *error) {
    double *reference = mem_new(s->study->table.count, sizeof *reference);
    locbo_status status = reference ? reference_read(s->study, reference, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = accept(locbo_optimizer_restore_reference(s->optimizer, reference, error), error);
    mem_free(reference);
    return status;
}

/* What is new since s->made, and before it the last that is known: all, if it is empty. */
static locbo_status read_trials(locbo_store *store, source *s, locbo_error *error) {
    int random = s->study->options.method == LOCBO_METHOD_RANDOM;
    store_value range[] = {store_int(s->study->id), store_count(s->made->trials)};
    locbo_status status = LOCBO_OK;
    s->others = s->next = 0;
    if (s->study->table.count > 1 && !random)
        status = store_query(store,
                             "SELECT trial, output" LEDGER_BELIEF " FROM locbo_belief WHERE study = $1 AND trial > $2"
                             " ORDER BY trial, output",
                             2, range, take_belief, s, NULL, error);
    if (status != LOCBO_OK) return status;
    /* without a model it does not matter what was outstanding, and in a crowd those lists are long; a study that was
     * altered may have had one, whose proposals need their beliefs */
    static const char *const sql[] = {
        "SELECT " LEDGER_COLUMNS " FROM locbo_trial WHERE study = $1 AND number >= $2 ORDER BY number",
        "SELECT number, params, origin, told, '[]' FROM locbo_trial WHERE study = $1 AND number >= $2 ORDER BY number",
        "SELECT number, params, origin, told, '[]'" LEDGER_BELIEF
        " FROM locbo_trial WHERE study = $1 AND number >= $2 ORDER BY number"};
    int altered = s->study->revision > 0;
    return store_query(store, sql[random ? 1 + altered : 0], 2, range, take_trial, s, NULL, error);
}

/* Trials that were set aside, or had nothing to see, are over. */
static locbo_status settle_alteration(source *s, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (uint64_t k = 1; k <= s->made->trials && status == LOCBO_OK; k++) {
        locbo_trial_state state = LOCBO_TRIAL_CANCELLED;
        if (!mark_of(s, k)) continue;
        status = locbo_optimizer_trial(s->optimizer, k, NULL, &state, NULL, error);
        if (status == LOCBO_OK && state == LOCBO_TRIAL_PENDING) status = locbo_optimizer_cancel(s->optimizer, k, error);
    }
    begin_segment(s);
    return status;
}

static locbo_status read_facts(locbo_store *store, source *s, locbo_error *error) {
    store_value id = store_int(s->study->id), events = store_count(s->made->events);
    locbo_status status = read_trials(store, s, error);
    if (status == LOCBO_OK) status = read_ended(store, s, error);
    s->expected = s->made->result;
    if (status == LOCBO_OK)
        status = result_rows_each(s->study,
                                  "SELECT " RESULT_ROWS
                                  " FROM locbo_measurement WHERE study = $1 AND event >= $2 AND {valid}"
                                  " ORDER BY event",
                                  VALUES(id, store_count(s->made->result)), take_result, s, error);
    if (status == LOCBO_OK && s->expected > 0) status = differs(s, error);
    if (status == LOCBO_OK) status = tell_ended_before(s, UINT64_MAX, error);
    if (status == LOCBO_OK)
        status = store_query(store,
                             "SELECT number, state, failure FROM locbo_trial WHERE study = $1"
                             " AND state IN ('FAILED', 'INFEASIBLE', 'RETRACTED') AND failure > $2 ORDER BY failure",
                             VALUES(id, events), take_failure, s, NULL, error);
    if (status == LOCBO_OK && s->study->revision > 0) status = settle_alteration(s, error);
    if (status != LOCBO_OK || s->study->options.method == LOCBO_METHOD_RANDOM) return status;
    if (locbo_space_fidelity(s->study->space) != SIZE_MAX)
        status = spending_each_measured(s->study, take_cost, s, error);
    if (status != LOCBO_OK) return status;
    status = store_query(store, LEDGER_FITS, VALUES(id, store_count(s->made->fits)), take_fit, s, NULL, error);
    return status == LOCBO_OK && s->study->table.objectives > 1 ? read_reference(s, error) : status;
}

typedef struct study_row {
    const locbo_study *study;
    uint64_t trials, events, retraction;
} study_row;

static locbo_status take_study(const store_value *columns, size_t count, void *user, locbo_error *error) {
    study_row *r = user;
    (void)count;
    r->trials = store_as_count(&columns[0]);
    r->events = store_as_count(&columns[1]);
    r->retraction = store_as_count(&columns[2]);
    return ledger_check_revision(r->study, store_as_count(&columns[3]), error);
}

/* The numbers of the last trial and event, and when something was last taken back. */
static locbo_status read_study(study_row *row, locbo_error *error) {
    return store_query(row->study->store,
                       "SELECT trials, events, {retraction}, {revision} FROM locbo_study WHERE id = $1",
                       VALUES(store_int(row->study->id)), take_study, row, NULL, error);
}

static locbo_status check_trials(const source *s, uint64_t last, locbo_error *error) {
    if (last == s->made->trials) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO,
                       "the study '%s' is damaged: it counts %" PRIu64 " trials, the last is %" PRIu64, s->study->name,
                       last, s->made->trials);
}

static locbo_status take_ends(const store_value *columns, size_t count, void *user, locbo_error *error) {
    replay *r = user;
    (void)count, (void)error;
    r->ends = store_as_count(&columns[0]);
    r->ends_sum = store_as_count(&columns[1]);
    return LOCBO_OK;
}

/* A result may have replaced a failure, or the end, that was read before: then there are fewer than are known. After a
 * backup was restored there may be as many, of other trials. */
static locbo_status check_ends(locbo_store *store, const source *s, locbo_error *error) {
    replay now = {.ends = 0};
    locbo_status status = store_query(store,
                                      "SELECT count(*), CAST(coalesce(sum(number), 0) AS BIGINT) FROM locbo_trial"
                                      " WHERE study = $1 AND state IN ('FAILED', 'INFEASIBLE', 'RETRACTED', 'PRUNED')",
                                      VALUES(store_int(s->study->id)), take_ends, &now, NULL, error);
    if (status != LOCBO_OK || (now.ends == s->made->ends && now.ends_sum == s->made->ends_sum)) return status;
    return differs(s, error);
}

typedef struct number_list {
    size_t used, capacity;
    char *text;
} number_list;

static locbo_status take_number(const store_value *columns, size_t count, void *user, locbo_error *error) {
    number_list *l = user;
    (void)count;
    if (!mem_reserve(&l->text, &l->capacity, l->used + 24, 1)) return status_no_memory(error);
    l->used += (size_t)snprintf(l->text + l->used, 24, "%c%" PRIu64, l->used ? ',' : '[', store_as_count(&columns[0]));
    return LOCBO_OK;
}

locbo_status replay_pending(const locbo_study *study, char **pending, locbo_error *error) {
    number_list l = {0};
    locbo_status status = store_query(study->store,
                                      "SELECT number FROM locbo_trial WHERE study = $1"
                                      " AND state IN ('RUNNING', 'WAITING') ORDER BY number",
                                      VALUES(store_int(study->id)), take_number, &l, NULL, error);
    if (status == LOCBO_OK && !mem_reserve(&l.text, &l.capacity, l.used + 3, 1)) status = status_no_memory(error);
    if (status == LOCBO_OK) {
        memcpy(l.text + l.used, l.used ? "]" : "[]", l.used ? 2 : 3);
        *pending = l.text;
    } else {
        mem_free(l.text);
    }
    return status;
}

/* ---- an optimizer, built or continued ---------------------------------------------------------- */

/* An optimizer that was lent: whether it is as it was. What the caller has set is no longer set. */
static int came_back(replay *r) {
    locbo_summary now;
    if (!r->lent) return 1;
    r->lent = 0;
    locbo_optimizer_on_event(r->optimizer, NULL, NULL);
    locbo_optimizer_watch(r->optimizer, NULL, NULL);
    locbo_optimizer_set_score(r->optimizer, NULL, NULL, NULL);
    locbo_optimizer_set_allowed(r->optimizer, NULL, NULL, NULL);
    const locbo_summary *s = &r->state;
    return locbo_optimizer_summary(r->optimizer, &now, NULL) == LOCBO_OK && now.asked == s->asked &&
           now.pending == s->pending && now.told == s->told && now.added == s->added && now.failed == s->failed &&
           now.infeasible == s->infeasible && now.judged == s->judged && now.fits == s->fits;
}

/* All that is new; with `trials` only the trials. What was taken back meanwhile cannot be untold: forget everything. */
static locbo_status read_new(source *s, const uint64_t *trials, locbo_error *error) {
    replay *r = s->made;
    locbo_store *store = s->study->store;
    study_row row = {.study = s->study};
    locbo_status status = read_study(&row, error);
    if (!came_back(r) || r->unsure || row.retraction != r->retraction || row.events < r->events) replay_release(r);
    r->retraction = row.retraction;
    int fresh = r->optimizer == NULL;
    r->unsure = 1; /* until all of it was read: the transaction may be repeated */
    if (status == LOCBO_OK && fresh)
        status =
            locbo_optimizer_create_for(&r->optimizer, s->study->space, s->study->outputs, &s->study->options, error);
    s->optimizer = r->optimizer;
    if (status == LOCBO_OK) status = trials && !fresh ? read_trials(store, s, error) : read_facts(store, s, error);
    if (status == LOCBO_OK) status = check_trials(s, trials ? *trials : row.trials, error);
    if (status == LOCBO_OK && !fresh && !trials) status = check_ends(store, s, error);
    r->unsure = status != LOCBO_OK;
    return status;
}

/* What was known may no longer be so: then begin anew, once. */
static locbo_status read_on(locbo_study *study, replay *known, const uint64_t *trials, locbo_error *error) {
    source s;
    locbo_status status = begin_source(&s, study, known, error);
    int continues = known->optimizer != NULL && !known->unsure;
    if (status == LOCBO_OK) status = read_new(&s, trials, error);
    if (status == LOCBO_ERR_IO && continues) status = read_new(&s, trials, error);
    end_source(&s);
    if (status != LOCBO_OK) replay_release(known);
    return status;
}

locbo_status replay_continue(locbo_study *study, replay *known, locbo_error *error) {
    return read_on(study, known, NULL, error);
}

locbo_status replay_last_trials(locbo_study *study, replay *known, uint64_t last, locbo_error *error) {
    return read_on(study, known, &last, error);
}

typedef struct following {
    locbo_study *study;
    replay *known;
} following;

static locbo_status follow(locbo_store *store, void *user, locbo_error *error) {
    const following *f = user;
    (void)store;
    locbo_status status = replay_continue(f->study, f->known, error);
    mem_free(f->known->pending);
    f->known->pending = NULL;
    return status == LOCBO_OK ? replay_pending(f->study, &f->known->pending, error) : status;
}

locbo_status replay_follow(locbo_study *study, replay *known, locbo_error *error) {
    following f = {study, known};
    locbo_status status = store_read(study->store, follow, &f, error);
    if (status != LOCBO_OK) replay_release(known);
    return status;
}

locbo_status replay_lend(replay *r, locbo_optimizer **optimizer, locbo_error *error) {
    locbo_status status = locbo_optimizer_summary(r->optimizer, &r->state, error);
    r->lent = status == LOCBO_OK;
    if (status == LOCBO_OK) *optimizer = r->optimizer;
    return status;
}

void replay_release(replay *r) {
    locbo_optimizer_destroy(r->optimizer);
    mem_free(r->pending);
    mem_free(r->aside);
    memset(r, 0, sizeof *r);
}
