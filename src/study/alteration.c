/* alteration.c - another definition or another plan for a study that exists. Layer: study, top.
 *
 * The rows of trials, results and beliefs stay as they are: whoever reads them places them in the present space
 * (definition_read_past), and an optimizer is rebuilt as if the study had always been so. What changes besides the
 * definition is what the old one was part of: fits of models that are no longer the same are deleted, and trials that
 * are not ended and outside the new space are not handed out again. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "change.h"
#include "checked.h"
#include "definition.h"
#include "mem.h"
#include "spending.h"
#include "warp.h"

/* The numbers of the answer. */
enum { EVENT, OUTSIDE, ASIDE, WITHDRAWN, FITS, ANSWERS };

typedef struct altering {
    locbo_study *study;
    const char *why;
    locbo_definition given; /* the new definition; its space is NULL if it stays */
    locbo_options options;
    measured table;          /* of the new outputs */
    char *definition, *plan; /* the new texts; NULL: as they are */
    /* what the database has */
    char *was_definition, *was_plan;
    uint64_t revision, last_trial;
    unsigned parts; /* that differ */
    int plans;      /* the plans differ */
    /* trials that are not ended and outside the new space */
    size_t count, capacity;
    struct stray {
        uint64_t number;
        int outside;
    } * strays;
    double *x;
    uint64_t answer[ANSWERS];
    token_call request;
} altering;

/* ---- what may be changed ----------------------------------------------------------------------- */

static int is_number(locbo_kind kind) { return kind == LOCBO_REAL || kind == LOCBO_INT; }

static int has_category(const locbo_parameter *p, const char *text) {
    for (size_t k = 0; k < p->count; k++)
        if (strcmp(p->categories[k], text) == 0) return 1;
    return 0;
}

static locbo_status check_parameter(const locbo_parameter *old, const locbo_space *space, locbo_error *error) {
    locbo_parameter new;
    size_t at;
    if (locbo_space_find(space, old->name, &at, NULL) != LOCBO_OK)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s' is not in the new space: freeze it at a value instead", old->name);
    locbo_space_parameter(space, at, &new, NULL);
    if (is_number(old->kind) != is_number(new.kind) || (old->kind == LOCBO_BOOL) != (new.kind == LOCBO_BOOL))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s' cannot become one of another kind: add one of another name", old->name);
    for (size_t k = 0; k < old->count; k++)
        if (!has_category(&new, old->categories[k]))
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "parameter '%.40s': the category '%.40s' cannot be removed: retire it", old->name,
                               old->categories[k]);
    return LOCBO_OK;
}

static locbo_status check_space(const locbo_space *old, const locbo_space *new, locbo_error *error) {
    locbo_parameter p;
    size_t at;
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < locbo_space_dim(old) && status == LOCBO_OK; i++) {
        locbo_space_parameter(old, i, &p, NULL);
        status = check_parameter(&p, new, error);
    }
    for (size_t i = 0; i < locbo_space_dim(new) && status == LOCBO_OK; i++) {
        locbo_space_parameter(new, i, &p, NULL);
        if (isnan(p.past) && locbo_space_find(old, p.name, &at, NULL) != LOCBO_OK)
            status = status_fail(error, LOCBO_ERR_ARGUMENT,
                                 "parameter '%.40s' is new: it needs the value that past trials are taken to have had",
                                 p.name);
    }
    return status;
}

static int same_scale(const locbo_output_spec *a, const locbo_output_spec *b) {
    if (a->scale != b->scale) return 0;
    return a->scale != LOCBO_MODEL_SCALE_LOGIT || (a->scale_low == b->scale_low && a->scale_high == b->scale_high);
}

/* That of a study without a table has none. */
static const char *name_of(const locbo_output_spec *s) { return s->name ? s->name : "value"; }

static locbo_status check_output(const altering *a, size_t i, locbo_error *error) {
    const measured *old = &a->study->table, *new = &a->table;
    const locbo_output_spec *p = &old->output[i].spec, *q = &new->output[i].spec;
    if (strcmp(name_of(p), name_of(q)) != 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "output %zu is '%.40s' and cannot become '%.40s': outputs keep their order, new ones follow",
                           i + 1, name_of(p), name_of(q));
    if (!measured_is_derived(old, i) && measured_is_derived(new, i))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "output '%.40s' is measured and cannot be derived: add one of another name", name_of(p));
    int modelled = measured_is_modelled(old, i) && measured_is_modelled(new, i);
    if (modelled && a->last_trial > 0 && !same_scale(p, q))
        return status_fail(
            error, LOCBO_ERR_ARGUMENT,
            "output '%.40s' keeps its scale: its results were predicted on it (copy the study without its"
            " trials, alter the copy, and import the results)",
            name_of(p));
    return LOCBO_OK;
}

static locbo_status check_outputs(const altering *a, locbo_error *error) {
    const measured *old = &a->study->table, *new = &a->table;
    locbo_status status = LOCBO_OK;
    if (new->count < old->count)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s' cannot be removed: let it only be recorded",
                           name_of(&old->output[new->count].spec));
    for (size_t i = 0; i < old->count && status == LOCBO_OK; i++) status = check_output(a, i, error);
    if (status == LOCBO_OK && new->first != old->first)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s' is the first objective, and must stay it",
                           name_of(&old->output[old->first].spec));
    return status;
}

typedef struct extent {
    double low, high; /* NAN: there are no results */
} extent;

static locbo_status take_extent(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    *(extent *)user = (extent){store_as_real(&columns[0]), store_as_real(&columns[1])};
    return LOCBO_OK;
}

/* An output that was only recorded may get a scale on which its results must be possible. */
static locbo_status check_results(const altering *a, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < a->study->table.count && status == LOCBO_OK; i++) {
        const locbo_output_spec *s = &a->table.output[i].spec;
        warp scale = warp_of(s->scale, s->scale_low, s->scale_high);
        extent e = {(double)NAN, (double)NAN};
        if (measured_is_derived(&a->table, i) || !warp_is_natural(&scale)) continue;
        status = store_query(a->study->store,
                             "SELECT min(value), max(value) FROM locbo_measurement WHERE study = $1 AND output = $2"
                             " AND {valid}",
                             VALUES(store_int(a->study->id), store_count(i)), take_extent, &e, NULL, error);
        if (status != LOCBO_OK || isnan(e.low) || (warp_holds(&scale, e.low) && warp_holds(&scale, e.high))) continue;
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "output '%.40s' has results from %g to %g, which are not all possible on its new scale",
                           name_of(s), e.low, e.high);
    }
    return status;
}

/* ---- what it does ------------------------------------------------------------------------------ */

static locbo_status take_study(const store_value *columns, size_t count, void *user, locbo_error *error) {
    altering *a = user;
    (void)count;
    mem_free(a->was_definition);
    mem_free(a->was_plan);
    a->was_definition = mem_text(store_as_text(&columns[1]));
    a->was_plan = mem_text(store_as_text(&columns[2]));
    a->revision = store_as_count(&columns[3]);
    a->last_trial = store_as_count(&columns[9]);
    return a->was_definition && a->was_plan ? LOCBO_OK : status_no_memory(error);
}

/* A trial: is it outside the new space, has it a place there? */
static locbo_status take_trial(const store_value *columns, size_t count, void *user, locbo_error *error) {
    altering *a = user;
    int placed;
    locbo_state state = ledger_state(store_as_text(&columns[2]));
    uint64_t facts = store_as_count(&columns[3]) + (state == LOCBO_STATE_FAILED || state == LOCBO_STATE_INFEASIBLE);
    (void)count;
    locbo_status status = definition_read_past(a->given.space, store_as_text(&columns[1]), a->x, &placed, error);
    if (status != LOCBO_OK) return status;
    int outside = !placed || locbo_space_check(a->given.space, a->x, NULL) != LOCBO_OK;
    a->answer[ASIDE] += placed ? 0 : facts;
    a->answer[OUTSIDE] += placed && outside ? facts : 0;
    if (state != LOCBO_WAITING && state != LOCBO_RUNNING) return LOCBO_OK;
    if (!mem_reserve(&a->strays, &a->capacity, a->count + 1, sizeof *a->strays)) return status_no_memory(error);
    a->strays[a->count++] = (struct stray){store_as_count(&columns[0]), outside};
    a->answer[WITHDRAWN] += outside && state == LOCBO_WAITING;
    return LOCBO_OK;
}

static locbo_status survey_trials(altering *a, locbo_error *error) {
    a->count = 0;
    return store_query(a->study->store,
                       "SELECT number, params, state, (SELECT count(DISTINCT event) FROM locbo_measurement AS m"
                       " WHERE m.study = t.study AND m.trial = t.number AND {valid})"
                       " FROM locbo_trial AS t WHERE study = $1 ORDER BY number",
                       VALUES(store_int(a->study->id)), take_trial, a, NULL, error);
}

/* Whether an output has other values than before, or others are possible: also by what it is derived from. */
static int has_other_values(const altering *a, size_t i) {
    const locbo_output_spec *p = &a->study->table.output[i].spec, *q = &a->table.output[i].spec;
    const measured_output *o = &a->table.output[i];
    if (!same_scale(p, q) || !p->expression != !q->expression) return 1;
    if (!p->expression) return 0;
    if (strcmp(p->expression, q->expression) != 0) return 1;
    for (size_t k = 0; k < expression_name_count(o->formula); k++)
        if (has_other_values(a, o->inputs[k])) return 1;
    return 0;
}

/* Whether the model of an output is another one. */
static int is_other_model(const altering *a, size_t i) {
    const locbo_output_spec *p = &a->study->table.output[i].spec, *q = &a->table.output[i].spec;
    return p->goal != q->goal || has_other_values(a, i) ||
           (a->parts & (DEFINITION_PARAMETERS | DEFINITION_OPTIONS)) != 0;
}

/* Count the fits that no longer hold, or delete them. */
static locbo_status end_fits(altering *a, int only_count, locbo_error *error) {
    static const char *const sql[] = {"DELETE FROM locbo_fit WHERE study = $1 AND output = $2",
                                      "SELECT fit FROM locbo_fit WHERE study = $1 AND {output} = $2"};
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < a->study->table.count && status == LOCBO_OK; i++) {
        uint64_t found = 0;
        if (!is_other_model(a, i)) continue;
        status = store_query(a->study->store, sql[only_count], VALUES(store_int(a->study->id), store_count(i)), NULL,
                             NULL, &found, error);
        a->answer[FITS] += found;
    }
    return status;
}

/* The plan that stays must suit the new outputs: what it wants of them is in their order. */
static locbo_status check_kept_plan(const altering *a, locbo_error *error) {
    const measured *old = &a->study->table, *new = &a->table;
    locbo_plan was;
    locbo_error why;
    char *text = NULL;
    size_t i = 0;
    locbo_status status = definition_read_plan(a->was_plan, &was, error);
    if (status != LOCBO_OK) return status;
    status = checked_plan(&was, new, &text, &why);
    mem_free(text);
    if (status != LOCBO_OK) return status_fail(error, status, "%.200s: give another plan, too", why.message);
    while (i < old->count && measured_is_modelled(old, i) == measured_is_modelled(new, i)) i++;
    if (i < old->count && definition_has_targets(&was))
        return status_fail(
            error, LOCBO_ERR_ARGUMENT,
            "the plan has targets, which are in the order of the objectives and constraints: give it, too");
    return LOCBO_OK;
}

/* What differs: the texts of the database may be of an older version, which did not write all that it meant. */
static locbo_status compare_plans(altering *a, locbo_error *error) {
    locbo_plan was;
    char *text = NULL;
    a->plans = 0;
    if (!a->plan) return LOCBO_OK;
    locbo_status status = definition_read_plan(a->was_plan, &was, error);
    if (status == LOCBO_OK) status = definition_write_plan(&was, &text, error);
    if (status == LOCBO_OK) a->plans = strcmp(text, a->plan) != 0;
    mem_free(text);
    return status;
}

static locbo_status compare_definitions(altering *a, locbo_error *error) {
    definition_parts old;
    char *text = NULL;
    a->parts = 0;
    if (!a->given.space) return LOCBO_OK;
    locbo_status status = definition_read(a->was_definition, &old, error);
    const locbo_definition was = {.struct_size = sizeof was,
                                  .space = old.space,
                                  .options = &old.options,
                                  .command_count = old.command_count,
                                  .command = (const char *const *)old.command,
                                  .outputs = old.outputs};
    if (status == LOCBO_OK) status = definition_write(&was, &text, error);
    if (status == LOCBO_OK) status = definition_differences(text, a->definition, &a->parts, error);
    definition_release(&old);
    mem_free(text);
    return status;
}

/* All that is read, for an alteration and for one that is only tried. */
static locbo_status survey(altering *a, int only_try, locbo_error *error) {
    memset(a->answer, 0, sizeof a->answer);
    locbo_status status = ledger_check_revision(a->study, a->revision, error);
    if (status == LOCBO_OK && a->given.space) status = check_outputs(a, error);
    if (status == LOCBO_OK && a->given.space) status = check_results(a, error);
    if (status == LOCBO_OK && a->given.space && !a->plan) status = check_kept_plan(a, error);
    if (status == LOCBO_OK) status = compare_plans(a, error);
    if (status == LOCBO_OK) status = compare_definitions(a, error);
    if (status == LOCBO_OK && a->parts) status = survey_trials(a, error);
    return status == LOCBO_OK && a->parts ? end_fits(a, only_try, error) : status;
}

static locbo_status look(locbo_store *store, void *user, locbo_error *error) {
    altering *a = user;
    uint64_t found = 0;
    locbo_status status =
        store_query(store,
                    "SELECT events, definition, plan, {revision}, stop_reason, {paused}, name, {note}, {tags},"
                    " trials FROM locbo_study WHERE id = $1",
                    VALUES(store_int(a->study->id)), take_study, a, &found, error);
    if (status == LOCBO_OK && found == 0) return ledger_gone(a->study, error);
    return status == LOCBO_OK ? survey(a, 1, error) : status;
}

/* ---- writing it -------------------------------------------------------------------------------- */

/* Waiting trials outside the new space are over; running ones will not be handed out again. */
static locbo_status mark_strays(const altering *a, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    char why[LEDGER_OUTSIDE];
    ledger_write_outside(a->answer[EVENT], why);
    for (size_t i = 0; i < a->count && status == LOCBO_OK; i++) {
        const struct stray *s = &a->strays[i];
        store_value values[] = {store_int(a->study->id), store_count(s->number),
                                s->outside ? store_count(a->answer[EVENT]) : store_text(NULL), store_text(why)};
        status = store_query(a->study->store, "UPDATE locbo_trial SET outside = $3 WHERE study = $1 AND number = $2", 3,
                             values, NULL, NULL, NULL, error);
        if (status == LOCBO_OK && s->outside) /* one that was made meanwhile may have been handed out, or back */
            status =
                store_query(a->study->store,
                            "UPDATE locbo_trial SET state = 'RETRACTED', failure = $3, ended = {now}, lease = NULL,"
                            " message = $4 WHERE study = $1 AND number = $2 AND state = 'WAITING'",
                            4, values, NULL, NULL, NULL, error);
    }
    return status == LOCBO_OK && a->count > 0 ? spending_recount(a->study, error) : status;
}

static int is_other_objective(const altering *a, size_t i) {
    const locbo_output_spec *p = &a->study->table.output[i].spec, *q = &a->table.output[i].spec;
    return p->goal != q->goal || has_other_values(a, i) || p->referenced != q->referenced ||
           (p->referenced && p->reference != q->reference);
}

/* The reference point is of the objectives as they were. */
static int has_other_objectives(const altering *a) {
    const measured *old = &a->study->table, *new = &a->table;
    if (old->objectives != new->objectives) return 1;
    for (size_t i = 0; i < old->count; i++)
        if (measured_is_objective(old, i) != measured_is_objective(new, i) ||
            (measured_is_objective(old, i) && is_other_objective(a, i)))
            return 1;
    return 0;
}

static locbo_status write_definition(const altering *a, locbo_error *error) {
    locbo_status status =
        store_query(a->study->store,
                    "UPDATE locbo_study SET definition = $2, revision = $3, proposer = NULL, proposer_until = NULL,"
                    " reference = CASE WHEN $4 = 1 THEN NULL ELSE reference END WHERE id = $1",
                    VALUES(store_int(a->study->id), store_text(a->definition), store_count(a->answer[EVENT]),
                           store_int(has_other_objectives(a))),
                    NULL, NULL, NULL, error);
    return status == LOCBO_OK ? mark_strays(a, error) : status;
}

static locbo_status write_plan(const altering *a, locbo_error *error) {
    return store_query(a->study->store, "UPDATE locbo_study SET plan = $2 WHERE id = $1",
                       VALUES(store_int(a->study->id), store_text(a->plan)), NULL, NULL, NULL, error);
}

/* Trials that are not ended are locked before the study's row, as always. */
static locbo_status alter(locbo_store *store, void *user, locbo_error *error) {
    altering *a = user;
    locbo_status status = LOCBO_OK;
    if (a->given.space)
        status = store_query(store,
                             "SELECT number FROM locbo_trial WHERE study = $1 AND state IN ('WAITING', 'RUNNING')"
                             " ORDER BY number{lock}",
                             VALUES(store_int(a->study->id)), NULL, NULL, NULL, error);
    if (status == LOCBO_OK) status = ledger_lock_study(a->study, take_study, a, error);
    if (status == LOCBO_OK) status = survey(a, 0, error);
    if (status != LOCBO_OK) return status;
    a->request.count = ANSWERS;
    if (!a->parts && !a->plans) return LOCBO_OK;
    change_row row = {.kind = LOCBO_CHANGE_ALTER,
                      .text = a->why,
                      .definition = a->parts ? a->was_definition : NULL,
                      .plan = a->plans ? a->was_plan : NULL,
                      .time = (double)NAN};
    status = ledger_take_event(a->study, &row.event, error);
    a->answer[EVENT] = row.event;
    if (status == LOCBO_OK) status = change_insert(a->study, &row, error);
    if (status == LOCBO_OK && a->parts) status = write_definition(a, error);
    return status == LOCBO_OK && a->plans ? write_plan(a, error) : status;
}

/* ---- the calls --------------------------------------------------------------------------------- */

static locbo_status prepare(altering *a, const locbo_definition *definition, const locbo_plan *plan,
                            locbo_error *error) {
    locbo_status status = ledger_check_text("why", a->why, error);
    if (status == LOCBO_OK && definition) {
        status = definition_take(definition, &a->given, &a->options, error);
        if (status == LOCBO_OK) status = check_space(a->study->space, a->given.space, error);
        if (status == LOCBO_OK) status = checked_definition(&a->given, &a->definition, &a->table, error);
        a->x = status == LOCBO_OK ? mem_new(locbo_space_dim(a->given.space), sizeof *a->x) : NULL;
        if (status == LOCBO_OK && !a->x) status = status_no_memory(error);
    }
    if (status == LOCBO_OK && plan)
        status = checked_plan(plan, definition ? &a->table : &a->study->table, &a->plan, error);
    return status;
}

static void release(altering *a) {
    void *all[] = {a->definition, a->plan, a->was_definition, a->was_plan, a->strays, a->x};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) mem_free(all[i]);
    measured_release(&a->table);
}

locbo_status locbo_study_alter(locbo_study *study, const locbo_definition *definition, const locbo_plan *plan,
                               const char *why, int only_try, locbo_alteration *effect, locbo_error *error) {
    if (!study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    altering a = {.study = study, .why = why};
    a.request = (token_call){
        .call = "alter", .study = study->id, .work = alter, .user = &a, .answer = a.answer, .most = ANSWERS};
    locbo_status status = token_begin(&a.request, study->store, error);
    if (status == LOCBO_OK) status = prepare(&a, definition, plan, error);
    if (status == LOCBO_OK)
        status = only_try ? store_read(study->store, look, &a, error) : token_write(&a.request, study->store, error);
    if (status == LOCBO_OK && effect)
        *effect = (locbo_alteration){a.answer[EVENT], a.answer[OUTSIDE], a.answer[ASIDE], a.answer[WITHDRAWN],
                                     a.answer[FITS]};
    release(&a);
    /* if it cannot be read now, the next call that needs the definition says so */
    if (status == LOCBO_OK && definition && !only_try && a.answer[EVENT]) locbo_study_refresh(study, NULL, NULL);
    return status == LOCBO_OK ? status_ok(error) : status;
}

locbo_status locbo_study_set_plan(locbo_study *study, const locbo_plan *plan, locbo_error *error) {
    if (!study || !plan) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and plan must not be NULL");
    return locbo_study_alter(study, NULL, plan, NULL, 0, NULL, error);
}
