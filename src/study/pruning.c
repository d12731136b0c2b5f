/* pruning.c - steps that an evaluation reports while it runs, and whether it is ended early. Layer: study, top.
 *
 * One short transaction stores the steps and, if the rule says so, ends the trial. It locks the trial's row, and the
 * study's only to end the trial. A repetition finds the steps stored, or the trial ended: so a call needs no token. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "curves.h"
#include "early.h"
#include "mem.h"
#include "sized.h"

/* ---- report ------------------------------------------------------------------------------------ */

typedef struct reporting {
    locbo_study *study;
    uint64_t trial, given; /* the attempt that was given; 0: not checked */
    size_t count;
    const locbo_step *steps;
    /* this try of the transaction */
    uint64_t attempt;
    int any;       /* there are steps of this attempt already: */
    uint64_t last; /* the last of them */
    size_t fresh;
    locbo_step *step; /* those that are new: room for `count` */
    int decided, end;
    locbo_decision decision;
} reporting;

static locbo_status take_last(const store_value *columns, size_t count, void *user, locbo_error *error) {
    reporting *r = user;
    (void)count, (void)error;
    r->any = columns[0].kind != STORE_NULL;
    r->last = store_as_count(&columns[0]);
    r->decided = columns[1].kind != STORE_NULL;
    return LOCBO_OK;
}

/* The steps that are new, in order. */
static void choose_steps(reporting *r) {
    int any = r->any;
    uint64_t last = r->last;
    r->fresh = 0;
    for (size_t i = 0; i < r->count; i++) {
        const locbo_step *s = &r->steps[i];
        if (!isfinite(s->value) || s->step > CURVES_LAST_STEP || (any && s->step <= last)) continue;
        r->step[r->fresh++] = *s;
        last = s->step;
        any = 1;
    }
}

/* ---- the rules --------------------------------------------------------------------------------- */

static locbo_status take_real(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    *(double *)user = store_as_real(&columns[0]);
    return LOCBO_OK;
}

/* The best value of this attempt before the new steps: as this process remembers it, or from the database. */
static locbo_status find_best(reporting *r, double *best, locbo_error *error) {
    early *e = r->study->early;
    const struct early_best *known = &e->best[r->trial % (sizeof e->best / sizeof e->best[0])];
    *best = (double)NAN;
    if (!r->any) return LOCBO_OK;
    *best = known->value;
    if (known->trial == r->trial && known->attempt == r->attempt && known->step == r->last) return LOCBO_OK;
    locbo_status status = store_query(
        r->study->store,
        e->sign > 0
            ? "SELECT max(value) FROM locbo_step WHERE study = $1 AND trial = $2 AND attempt = $3 AND step <= $4"
            : "SELECT min(value) FROM locbo_step WHERE study = $1 AND trial = $2 AND attempt = $3 AND step <= $4",
        VALUES(store_int(r->study->id), store_count(r->trial), store_count(r->attempt), store_count(r->last)),
        take_real, best, NULL, error);
    *best *= e->sign;
    return status;
}

static void decide(reporting *r, size_t i) {
    const early *e = r->study->early;
    const locbo_step *s = &r->step[i];
    r->decided = r->end = 1;
    r->decision = (locbo_decision){.rule = (locbo_prune)e->plan.prune,
                                   .attempt = r->attempt,
                                   .step = s->step,
                                   .value = s->value,
                                   .incumbent = e->sign * e->incumbent,
                                   .tau = (double)NAN,
                                   .coin = (double)NAN,
                                   .expected = (double)NAN,
                                   .expected_sd = (double)NAN};
}

static void apply_risk(reporting *r) {
    const early *e = r->study->early;
    for (size_t i = 0; i < r->fresh && !r->decided; i++) {
        hopeless_rest rest = hopeless_look(&e->set, r->step[i].step);
        if (!hopeless_by_risk(&rest, e->risk.tau, e->incumbent, e->sign * r->step[i].value)) continue;
        decide(r, i);
        r->decision.tau = e->risk.tau;
        r->decision.coin = hopeless_coin(r->study->options.seed, r->trial);
        r->end = !hopeless_is_kept(r->decision.coin);
    }
}

static locbo_status apply_median(reporting *r, locbo_error *error) {
    early *e = r->study->early;
    double best;
    locbo_status status = find_best(r, &best, error);
    for (size_t i = 0; i < r->fresh && !r->decided && status == LOCBO_OK; i++) {
        best = fmax(best, e->sign * r->step[i].value);
        if (hopeless_by_median(&e->set, r->step[i].step, best)) decide(r, i);
    }
    if (r->fresh > 0 && status == LOCBO_OK)
        e->best[r->trial % (sizeof e->best / sizeof e->best[0])] =
            (struct early_best){r->trial, r->attempt, r->step[r->fresh - 1].step, best};
    return status;
}

/* The values of other trials at a rung. */
typedef struct rung_values {
    double sign;
    size_t count, capacity;
    double *value;
} rung_values;

static locbo_status take_rung(const store_value *columns, size_t count, void *user, locbo_error *error) {
    rung_values *v = user;
    (void)count;
    if (columns[0].kind == STORE_NULL) return LOCBO_OK; /* it has not come so far */
    if (!mem_reserve(&v->value, &v->capacity, v->count + 1, sizeof *v->value)) return status_no_memory(error);
    v->value[v->count++] = v->sign * store_as_real(&columns[0]);
    return LOCBO_OK;
}

static locbo_status look_at_rung(reporting *r, size_t i, uint64_t rung, locbo_error *error) {
    const early *e = r->study->early;
    rung_values v = {.sign = e->sign};
    hopeless_rest rest = hopeless_look(&e->set, r->step[i].step);
    if (e->set.count > 0 && rest.count == 0) return LOCBO_OK; /* the last step */
    locbo_status status = store_query(
        r->study->store,
        "SELECT (SELECT value FROM locbo_step s WHERE s.study = $1 AND s.trial = number AND s.attempt = t.attempt AND"
        " s.step >= $3 ORDER BY s.step LIMIT 1) FROM locbo_trial t WHERE t.study = $1 AND number <> $2 AND state IN"
        " ('RUNNING', 'WAITING', 'COMPLETE', 'PRUNED')",
        VALUES(store_int(r->study->id), store_count(r->trial), store_count(rung)), take_rung, &v, NULL, error);
    double value = e->sign * r->step[i].value;
    if (status == LOCBO_OK && hopeless_by_halving(v.count, v.value, value)) {
        decide(r, i);
        r->decision.incumbent = (double)NAN;
    }
    mem_free(v.value);
    return status;
}

static locbo_status apply_halving(reporting *r, locbo_error *error) {
    uint64_t first = 0, before = r->any ? r->last : 0;
    locbo_status status = store_query(r->study->store,
                                      "SELECT min(step) FROM locbo_step WHERE study = $1 AND trial ="
                                      " (SELECT min(trial) FROM locbo_step WHERE study = $1)",
                                      VALUES(store_int(r->study->id)), ledger_take_count, &first, NULL, error);
    for (size_t i = 0; i < r->fresh && !r->decided && status == LOCBO_OK; i++) {
        uint64_t rung = hopeless_rung(first, before, r->step[i].step);
        if (rung > 0) status = look_at_rung(r, i, rung, error);
        before = r->step[i].step;
    }
    return status;
}

static locbo_status apply_rule(reporting *r, locbo_error *error) {
    locbo_prune rule;
    int full = 1;
    locbo_status status = early_update(r->study, &rule, error);
    if (status == LOCBO_OK && rule != LOCBO_PRUNE_NONE) status = early_is_full(r->study, r->trial, &full, error);
    if (status != LOCBO_OK || !full) return status;
    if (rule == LOCBO_PRUNE_RISK) apply_risk(r);
    if (rule == LOCBO_PRUNE_MEDIAN) status = apply_median(r, error);
    if (rule == LOCBO_PRUNE_HALVING) status = apply_halving(r, error);
    return status;
}

/* ---- writing ----------------------------------------------------------------------------------- */

/* What the model is told of an ended trial is decided now, and stays. */
static void expect(reporting *r) {
    const early *e = r->study->early;
    hopeless_rest rest = hopeless_look(&e->set, r->decision.step);
    double incumbent = isnan(e->incumbent) ? (double)INFINITY : e->incumbent;
    hopeless_expect(&rest, e->sign * r->decision.value, incumbent, &r->decision.expected, &r->decision.expected_sd);
    r->decision.expected *= e->sign;
}

static locbo_status write_decision(reporting *r, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    if (r->end) expect(r);
    if (r->end) status = ledger_prune_trial(r->study, r->trial, &r->decision.event, error);
    return status == LOCBO_OK ? curves_insert_decision(r->study, r->trial, &r->decision, error) : status;
}

static locbo_status report(locbo_store *store, void *user, locbo_error *error) {
    reporting *r = user;
    int pruned = 0;
    r->attempt = r->given;
    r->fresh = 0;
    r->end = 0;
    locbo_status status = ledger_lock_running(r->study, r->trial, &r->attempt, &pruned, error);
    r->end = pruned;
    if (status != LOCBO_OK || pruned) return status;
    status = store_query(store,
                         "SELECT max(step), (SELECT trial FROM locbo_decision WHERE study = $1 AND trial = $2)"
                         " FROM locbo_step WHERE study = $1 AND trial = $2 AND attempt = $3",
                         VALUES(store_int(r->study->id), store_count(r->trial), store_count(r->attempt)), take_last, r,
                         NULL, error);
    if (status != LOCBO_OK) return status;
    choose_steps(r);
    int before = r->decided;
    if (r->fresh > 0 && !r->decided) status = apply_rule(r, error);
    if (status == LOCBO_OK) status = curves_insert(r->study, r->trial, r->attempt, r->fresh, r->step, error);
    return status == LOCBO_OK && r->decided && !before ? write_decision(r, error) : status;
}

locbo_status locbo_study_report(locbo_study *study, uint64_t trial, uint64_t attempt, size_t count,
                                const locbo_step *steps, int *end, locbo_error *error) {
    if (!study || !end) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and end must not be NULL");
    if (count > 0 && !steps) return status_fail(error, LOCBO_ERR_ARGUMENT, "steps must not be NULL");
    reporting r = {.study = study, .trial = trial, .given = attempt, .count = count, .steps = steps};
    r.step = mem_new(count, sizeof *r.step);
    locbo_status status = r.step ? store_write(study->store, report, &r, error) : status_no_memory(error);
    mem_free(r.step);
    if (status != LOCBO_OK) return status;
    *end = r.end;
    return status_ok(error);
}

/* ---- the account ------------------------------------------------------------------------------- */

typedef struct accounting {
    locbo_study *study;
    locbo_ended sum;
    double last; /* mean last step of the complete curves; NAN: there is none */
} accounting;

static locbo_status take_decision(const store_value *columns, size_t count, void *user, locbo_error *error) {
    accounting *a = user;
    locbo_state state = ledger_state(store_as_text(&columns[0]));
    int ended = columns[1].kind != STORE_NULL;
    (void)count, (void)error;
    int alive = state == LOCBO_COMPLETE || state == LOCBO_PRUNED;
    a->sum.could_end++;
    if (ended && alive) {
        a->sum.ended++;
        a->sum.steps_saved += fmax(0, a->last - store_as_real(&columns[2]));
    }
    if (ended) return LOCBO_OK;
    a->sum.kept += state == LOCBO_COMPLETE;
    a->sum.kept_failed += state == LOCBO_STATE_FAILED || state == LOCBO_STATE_INFEASIBLE;
    a->sum.outstanding += state == LOCBO_RUNNING || state == LOCBO_WAITING;
    return LOCBO_OK;
}

/* Of the last attempts of complete trials. */
#define LAST_STEPS(function, states)                                                                                   \
    "SELECT " function                                                                                                 \
    "((SELECT CAST(max(step) AS DOUBLE PRECISION) FROM locbo_step s WHERE s.study = $1 AND s.trial = number AND"       \
    " s.attempt = t.attempt)) FROM locbo_trial t WHERE t.study = $1" states

static locbo_status count_steps(locbo_store *store, accounting *a, locbo_error *error) {
    store_value id = store_int(a->study->id);
    uint64_t any = 0;
    locbo_status found =
        store_query(store, "SELECT 1 FROM locbo_step WHERE study = $1 LIMIT 1", 1, &id, NULL, NULL, &any, error);
    a->last = (double)NAN;
    if (found != LOCBO_OK || any == 0) return found; /* most studies have none */
    locbo_status status = store_query(store,
                                      LAST_STEPS("avg", " AND state = 'COMPLETE' AND NOT EXISTS (SELECT 1 FROM"
                                                        " locbo_decision d WHERE d.study = $1 AND d.trial ="
                                                        " number AND d.event IS NOT NULL)"),
                                      1, &id, take_real, &a->last, NULL, error);
    if (status != LOCBO_OK) return status;
    return store_query(store, LAST_STEPS("sum", ""), 1, &id, take_real, &a->sum.steps, NULL, error);
}

static void give_risk(accounting *a) {
    const hopeless_risk *risk = &a->study->early->risk;
    a->sum.resolved = risk->resolved;
    a->sum.tau = risk->tau;
    a->sum.estimate = hopeless_estimate(risk);
    a->sum.bound = hopeless_bound(risk, a->sum.outstanding);
}

static locbo_status account(locbo_store *store, void *user, locbo_error *error) {
    accounting *a = user;
    locbo_prune rule = LOCBO_PRUNE_NONE;
    a->sum = (locbo_ended){.tau = (double)NAN, .estimate = (double)NAN, .bound = (double)NAN};
    locbo_status status = early_update(a->study, &rule, error);
    if (status != LOCBO_OK || store_version(store) < 7) return status;
    status = count_steps(store, a, error);
    if (status == LOCBO_OK)
        status = store_query(store,
                             "SELECT (SELECT state FROM locbo_trial t WHERE t.study = $1 AND t.number = trial), event,"
                             " step FROM locbo_decision WHERE study = $1",
                             VALUES(store_int(a->study->id)), take_decision, a, NULL, error);
    if (isnan(a->last)) a->sum.steps_saved = (double)NAN;
    if (isnan(a->sum.steps)) a->sum.steps = 0;
    if (rule != LOCBO_PRUNE_NONE) a->sum.kept_beat = a->study->early->kept_beat;
    if (rule == LOCBO_PRUNE_RISK) give_risk(a);
    return status;
}

locbo_status locbo_study_ended(locbo_study *study, locbo_ended *ended, locbo_error *error) {
    if (!study || !ended) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and ended must not be NULL");
    accounting a = {.study = study};
    locbo_status status = sized_check("ended", ended, sizeof *ended, error);
    if (status == LOCBO_OK) status = store_read(study->store, account, &a, error);
    if (status == LOCBO_OK) status = sized_give("ended", &a.sum, sizeof a.sum, ended, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}
