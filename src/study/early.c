/* early.c - what the rule that ends evaluations early knows, replayed from the facts in the order of their events.
 * Layer: study, middle. Cost: O(what is new); after something was taken back, all of it.
 *
 * A trial is resolved by its first event: its first result, or that it was ended. Trials without steps are not counted:
 * nothing can be learnt from them, and a thousand imported results must not lower tau. Nor are those that were resolved
 * before the plan had its rule. Leaving trials out makes the promise only stronger: it holds for the share of fewer
 * trials. */
#include "early.h"

#include <math.h>
#include <string.h>

#include "curves.h"
#include "definition.h"
#include "mean.h"
#include "mem.h"
#include "result_rows.h"

enum { RESOLVED = 1, HAS_STEPS = 2, KEPT = 4, OUTSIDE = 8, TOLD = 16 };

/* What has happened since the last time. */
typedef struct news {
    locbo_study *study;
    early *e;
    uint64_t after, until; /* events */
    size_t ended, ended_room, next;
    struct ending {
        uint64_t event, trial;
    } * ending;
    size_t complete, complete_room;
    uint64_t *number; /* of trials that are complete now, with steps */
} news;

static void clear(early *e) {
    for (size_t i = 0; i < e->curve_count; i++) {
        mem_free((void *)e->curves[i].steps);
        mem_free((void *)e->curves[i].values);
    }
    mem_free(e->flags);
    mem_free(e->kept);
    mem_free(e->mean);
    mem_free(e->weight);
}

void early_release(early *e) {
    if (!e) return;
    clear(e);
    mem_free(e->plan_text);
    mem_free(e);
}

/* Forget all but the plan. */
static void begin_anew(early *e) {
    clear(e);
    *e = (early){.plan_text = e->plan_text,
                 .plan = e->plan,
                 .since = e->since,
                 .sign = e->sign,
                 .incumbent = (double)NAN,
                 .risk = hopeless_begin(e->plan.prune_risk)};
}

/* ---- trials ------------------------------------------------------------------------------------ */

static locbo_status make_room(news *n, locbo_error *error) {
    early *e = n->e;
    size_t outputs = n->study->table.count;
    mem_array arrays[] = {{&e->flags, sizeof *e->flags},
                          {&e->kept, sizeof *e->kept},
                          {&e->mean, outputs * sizeof *e->mean},
                          {&e->weight, outputs * sizeof *e->weight}};
    return mem_reserve_all(4, arrays, &e->room, (size_t)e->trials + 1) ? LOCBO_OK : status_no_memory(error);
}

/* The trials with new results: whether they have steps. */
static locbo_status take_stepped(const store_value *columns, size_t count, void *user, locbo_error *error) {
    early *e = ((news *)user)->e;
    uint64_t trial = store_as_count(&columns[0]);
    (void)count, (void)error;
    if (trial <= e->trials) e->flags[trial] |= HAS_STEPS;
    return LOCBO_OK;
}

/* Whether the trial with these params is inside the space, and at full fidelity. */
static locbo_status judge_params(const locbo_study *study, const char *params, int *inside, int *full,
                                 locbo_error *error) {
    size_t fidelity = locbo_space_fidelity(study->space);
    double *x = mem_new(study->dim, sizeof *x);
    locbo_parameter p = {.high = 0};
    if (!x) return status_no_memory(error);
    locbo_status status = ledger_read_params(study, params, x, error);
    *inside = status == LOCBO_OK && locbo_space_check(study->space, x, NULL) == LOCBO_OK;
    if (fidelity != SIZE_MAX) locbo_space_parameter(study->space, fidelity, &p, NULL);
    *full = fidelity == SIZE_MAX || x[fidelity] == p.high;
    mem_free(x);
    return status;
}

/* In a study that was altered a better value outside the space is no incumbent, as nothing inside need reach it. With a
 * fidelity parameter the trials below full fidelity are left out: they were not meant to be the best, and say nothing
 * of what the others gain. */
static locbo_status take_place(const store_value *columns, size_t count, void *user, locbo_error *error) {
    const news *n = user;
    uint64_t trial = store_as_count(&columns[0]);
    int inside = 0, full = 0;
    (void)count;
    if (trial > n->e->trials) return LOCBO_OK;
    locbo_status status = judge_params(n->study, store_as_text(&columns[1]), &inside, &full, error);
    if (!inside || !full) n->e->flags[trial] |= OUTSIDE;
    if (!full) n->e->flags[trial] &= (unsigned char)~HAS_STEPS;
    return status;
}

typedef struct full_search {
    const locbo_study *study;
    int *full;
} full_search;

static locbo_status take_full(const store_value *columns, size_t count, void *user, locbo_error *error) {
    const full_search *f = user;
    int inside;
    (void)count;
    return judge_params(f->study, store_as_text(&columns[0]), &inside, f->full, error);
}

locbo_status early_is_full(const locbo_study *study, uint64_t trial, int *full, locbo_error *error) {
    full_search f = {study, full};
    *full = 1;
    if (locbo_space_fidelity(study->space) == SIZE_MAX) return LOCBO_OK;
    return store_query(study->store, "SELECT params FROM locbo_trial WHERE study = $1 AND number = $2",
                       VALUES(store_int(study->id), store_count(trial)), take_full, &f, NULL, error);
}

static locbo_status take_decision(const store_value *columns, size_t count, void *user, locbo_error *error) {
    news *n = user;
    uint64_t trial = store_as_count(&columns[0]);
    const locbo_decision d = curves_read_decision(columns + 1);
    (void)count;
    if (trial > n->e->trials) return LOCBO_OK;
    if (d.event == 0) {
        n->e->flags[trial] |= KEPT;
        n->e->kept[trial] = d.incumbent;
        return LOCBO_OK;
    }
    if (!mem_reserve(&n->ending, &n->ended_room, n->ended + 1, sizeof *n->ending)) return status_no_memory(error);
    n->ending[n->ended++] = (struct ending){d.event, trial};
    return LOCBO_OK;
}

/* Trials with a new result. */
#define NEW_RESULTS "(SELECT trial FROM locbo_measurement WHERE study = $1 AND event > $2 AND event <= $3 AND {valid})"

static locbo_status read_trials(news *n, locbo_error *error) {
    locbo_store *store = n->study->store;
    const store_value values[] = {store_int(n->study->id), store_count(n->after), store_count(n->until)};
    locbo_status status =
        store_query(store,
                    "SELECT number FROM locbo_trial WHERE study = $1 AND number IN " NEW_RESULTS
                    " AND EXISTS (SELECT 1 FROM locbo_step s WHERE s.study = $1 AND s.trial = number)",
                    3, values, take_stepped, n, NULL, error);
    if (status == LOCBO_OK && (n->study->revision > 0 || locbo_space_fidelity(n->study->space) != SIZE_MAX))
        status =
            store_query(store, "SELECT number, params FROM locbo_trial WHERE study = $1 AND number IN " NEW_RESULTS, 3,
                        values, take_place, n, NULL, error);
    if (status == LOCBO_OK)
        status = store_query(store,
                             "SELECT trial, " CURVES_DECISION " FROM locbo_decision WHERE study = $1 AND event IS NULL"
                             " AND trial IN " NEW_RESULTS,
                             3, values, take_decision, n, NULL, error);
    if (status != LOCBO_OK) return status;
    return store_query(store,
                       "SELECT trial, " CURVES_DECISION " FROM locbo_decision WHERE study = $1 AND event > $2"
                       " AND event <= $3 AND (SELECT state FROM locbo_trial t WHERE t.study = $1"
                       " AND t.number = locbo_decision.trial) IN ('PRUNED', 'COMPLETE') ORDER BY event",
                       3, values, take_decision, n, NULL, error);
}

/* ---- results and tau --------------------------------------------------------------------------- */

static void resolve(early *e, uint64_t trial, uint64_t event, int beat) {
    e->flags[trial] |= RESOLVED;
    e->kept_beat += beat != 0;
    if (event > e->since) hopeless_resolve(&e->risk, beat);
}

/* The trials that were ended before this event. */
static void resolve_ended(news *n, uint64_t event) {
    for (; n->next < n->ended && n->ending[n->next].event < event; n->next++)
        resolve(n->e, n->ending[n->next].trial, n->ending[n->next].event, 0);
}

static locbo_status note_complete(news *n, uint64_t trial, locbo_error *error) {
    if (!mem_reserve(&n->number, &n->complete_room, n->complete + 1, sizeof *n->number)) return status_no_memory(error);
    n->number[n->complete++] = trial;
    return LOCBO_OK;
}

static locbo_status take_result(const stored_result *r, void *user, locbo_error *error) {
    news *n = user;
    early *e = n->e;
    const measured *table = &n->study->table;
    if (r->trial == 0 || r->trial > e->trials) return LOCBO_OK;
    unsigned char *flags = &e->flags[r->trial];
    int first = !(*flags & TOLD), stepped = (*flags & HAS_STEPS) != 0;
    double value = e->sign * r->row[table->first].value;
    resolve_ended(n, r->event);
    *flags |= TOLD;
    for (size_t i = 0; i < table->count; i++) {
        size_t at = (size_t)r->trial * table->count + i;
        mean_add(&e->mean[at], &e->weight[at], r->row[i].value, r->row[i].n);
    }
    if (!(*flags & RESOLVED) && stepped)
        resolve(e, r->trial, r->event, (*flags & KEPT) && value > e->sign * e->kept[r->trial]);
    return first && stepped ? note_complete(n, r->trial, error) : LOCBO_OK;
}

static locbo_status read_results(news *n, locbo_error *error) {
    locbo_status status = result_rows_each(
        n->study,
        "SELECT " RESULT_ROWS " FROM locbo_measurement WHERE study = $1 AND event > $2 AND event <= $3 AND {valid}"
        " ORDER BY event",
        VALUES(store_int(n->study->id), store_count(n->after), store_count(n->until)), take_result, n, error);
    resolve_ended(n, UINT64_MAX);
    return status;
}

/* ---- curves ------------------------------------------------------------------------------------ */

/* Put a curve in the place of the oldest. */
static locbo_status keep_curve(early *e, const locbo_curve *c, locbo_error *error) {
    size_t kept[HOPELESS_POINTS], count = hopeless_thin(c->count, kept), at = e->next_curve;
    uint64_t *steps = mem_new(count, sizeof *steps);
    double *values = mem_new(count, sizeof *values);
    if (!steps || !values) {
        mem_free(steps);
        mem_free(values);
        return status_no_memory(error);
    }
    for (size_t k = 0; k < count; k++) {
        steps[k] = c->steps[kept[k]].step;
        values[k] = e->sign * c->steps[kept[k]].value;
    }
    if (at < e->curve_count) {
        mem_free((void *)e->curves[at].steps);
        mem_free((void *)e->curves[at].values);
    } else {
        e->curve_count++;
    }
    e->next_curve = (at + 1) % HOPELESS_CURVES;
    e->owner[at] = c->trial;
    e->curves[at] = (hopeless_curve){.count = count, .steps = steps, .values = values};
    return LOCBO_OK;
}

/* Of each trial the curve of the last attempt that has one: it has led to the result. */
static locbo_status keep_batch(news *n, curve_list *list, size_t count, const uint64_t *trials, locbo_error *error) {
    const measured *table = &n->study->table;
    locbo_status status = curves_read_some(list, count, trials, error);
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
        const locbo_curve *c = curves_find(list, trials[i]);
        double weight = n->e->weight[(size_t)trials[i] * table->count + table->first];
        if (c && c->count > 1 && weight > 0) status = keep_curve(n->e, c, error);
    }
    return status;
}

static locbo_status read_curves(news *n, locbo_error *error) {
    curve_list list = {.study = n->study};
    locbo_status status = LOCBO_OK;
    size_t at = n->complete > HOPELESS_CURVES ? n->complete - HOPELESS_CURVES : 0;
    for (size_t count; at < n->complete && status == LOCBO_OK; at += count) {
        count = n->complete - at < CURVES_BATCH ? n->complete - at : CURVES_BATCH;
        status = keep_batch(n, &list, count, n->number + at, error);
    }
    curves_release(&list);
    return status;
}

/* ---- what follows from it ---------------------------------------------------------------------- */

/* Whether the means of a trial keep to the constraints. */
static int keeps_to_bounds(const early *e, const measured *table, uint64_t trial) {
    for (size_t i = 0; i < table->count; i++) {
        if (!measured_is_constraint(table, i)) continue;
        uint64_t base = table->output[i].spec.baseline;
        size_t at = (size_t)trial * table->count + i, from = (size_t)base * table->count + i;
        double reference = base > 0 && base <= e->trials ? mean_of(e->mean[from], e->weight[from]) : (double)NAN;
        if (!measured_holds(table, i, measured_bound(table, i, reference), mean_of(e->mean[at], e->weight[at])))
            return 0;
    }
    return 1;
}

static void conclude(early *e, const measured *table) {
    e->incumbent = (double)NAN;
    for (uint64_t k = 1; k <= e->trials; k++) {
        size_t at = (size_t)k * table->count + table->first;
        double value = e->sign * mean_of(e->mean[at], e->weight[at]);
        if (isnan(value) || value <= e->incumbent || (e->flags[k] & OUTSIDE)) continue;
        if (keeps_to_bounds(e, table, k)) e->incumbent = value;
    }
    for (size_t i = 0; i < e->curve_count; i++) {
        size_t at = (size_t)e->owner[i] * table->count + table->first;
        e->curves[i].final = e->sign * mean_of(e->mean[at], e->weight[at]);
    }
    e->set = (hopeless_set){e->curve_count, e->curves, hopeless_floor(e->curve_count, e->curves)};
}

static locbo_status read_news(locbo_study *study, early *e, uint64_t until, locbo_error *error) {
    news n = {.study = study, .e = e, .after = e->events, .until = until};
    locbo_status status = make_room(&n, error);
    if (status == LOCBO_OK) status = read_trials(&n, error);
    if (status == LOCBO_OK) status = read_results(&n, error);
    if (status == LOCBO_OK) status = read_curves(&n, error);
    if (status == LOCBO_OK) conclude(e, &study->table);
    e->events = until;
    mem_free(n.ending);
    mem_free(n.number);
    return status;
}

/* ---- the study --------------------------------------------------------------------------------- */

typedef struct study_row {
    uint64_t events, retraction, revision, trials;
    char *plan;
} study_row;

static locbo_status take_study(const store_value *columns, size_t count, void *user, locbo_error *error) {
    study_row *r = user;
    (void)count;
    mem_free(r->plan);
    *r = (study_row){store_as_count(&columns[0]), store_as_count(&columns[1]), store_as_count(&columns[2]),
                     store_as_count(&columns[3]), mem_text(store_as_text(&columns[4]))};
    return r->plan ? LOCBO_OK : status_no_memory(error);
}

/* The last alteration before which the plan had another rule. */
typedef struct rule_search {
    uint64_t rule, since;
} rule_search;

static locbo_status take_change(const store_value *columns, size_t count, void *user, locbo_error *error) {
    rule_search *s = user;
    locbo_plan before;
    (void)count;
    locbo_status status = definition_read_plan(store_as_text(&columns[1]), &before, error);
    if (status == LOCBO_OK && before.prune != s->rule) s->since = store_as_count(&columns[0]);
    return status;
}

static locbo_status take_plan(locbo_study *study, early *e, study_row *row, locbo_error *error) {
    locbo_plan plan;
    locbo_status status = definition_read_plan(row->plan, &plan, error);
    rule_search s = {.rule = plan.prune};
    if (status == LOCBO_OK)
        status = store_query(
            study->store, "SELECT event, plan FROM locbo_change WHERE study = $1 AND plan IS NOT NULL ORDER BY event",
            VALUES(store_int(study->id)), take_change, &s, NULL, error);
    if (status != LOCBO_OK) return status;
    mem_free(e->plan_text);
    e->plan_text = row->plan;
    row->plan = NULL;
    e->plan = plan;
    e->since = s.since;
    begin_anew(e);
    return LOCBO_OK;
}

static locbo_status bring_up_to_date(locbo_study *study, early *e, study_row *row, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    e->sign = study->options.direction == LOCBO_MAXIMIZE ? 1 : -1;
    if (!e->plan_text || strcmp(e->plan_text, row->plan) != 0) status = take_plan(study, e, row, error);
    if (status != LOCBO_OK || e->plan.prune == LOCBO_PRUNE_NONE) return status;
    if (row->retraction != e->retraction || row->events < e->events || row->trials < e->trials) begin_anew(e);
    e->retraction = row->retraction;
    e->trials = row->trials;
    return row->events > e->events ? read_news(study, e, row->events, error) : LOCBO_OK;
}

locbo_status early_update(locbo_study *study, locbo_prune *rule, locbo_error *error) {
    study_row row = {0};
    uint64_t found = 0;
    *rule = LOCBO_PRUNE_NONE;
    locbo_status status = store_query(
        study->store, "SELECT events, {retraction}, {revision}, trials, plan FROM locbo_study WHERE id = $1",
        VALUES(store_int(study->id)), take_study, &row, &found, error);
    if (status == LOCBO_OK && found == 0) status = ledger_gone(study, error);
    int usable = status == LOCBO_OK && row.revision == study->revision && study->table.objectives == 1 &&
                 store_version(study->store) >= 7;
    if (usable && !study->early && !(study->early = mem_new(1, sizeof *study->early))) status = status_no_memory(error);
    if (usable && status == LOCBO_OK) status = bring_up_to_date(study, study->early, &row, error);
    if (usable && status == LOCBO_OK) *rule = (locbo_prune)study->early->plan.prune;
    mem_free(row.plan);
    if (status != LOCBO_OK) { /* half of the news may have been taken */
        early_release(study->early);
        study->early = NULL;
    }
    return status;
}
