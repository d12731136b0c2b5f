/* spending.c - what the evaluations of a study have cost. Layer: study, middle. Cost: with a fidelity or an
 * expression the points of all trials are read (0.2 s for 50 000), otherwise the study's row.
 *
 * An evaluation that has ended costs what the space's expression says at its point, or without an expression the
 * seconds from its start to its end. One that was ended early costs what the expression says at its last step in place
 * of the fidelity, or without a fidelity in proportion to its steps. One that has not ended is expected to cost what
 * the expression says, or w sum(cost) / sum(w) over those that have ended, where w is its fidelity. Trials that were
 * never handed out (imported results, points that were withdrawn, trials made ahead that nobody has got yet) cost
 * nothing. */
#include "spending.h"

#include <math.h>
#include <string.h>

#include "definition.h"
#include "mem.h"

typedef struct adding {
    const locbo_study *study;
    locbo_parameter fidelity; /* its name is NULL: there is none */
    size_t at;                /* its number */
    double *x;
    spending sum;
    double cost, weight;   /* of those that have ended, and their fidelity */
    double cut, cut_steps; /* without a fidelity, of those that were ended early: cost, and cost times steps */
    double most_steps;     /* of those that are complete */
    double outstanding;    /* fidelity of those that have not */
    spending_fn *fn;
    void *user;
} adding;

/* Columns of locbo_trial. */
#define SPENDING_COLUMNS "number, params, state, attempt, started, ended, {steps}"
enum { NUMBER, PARAMS, STATE, ATTEMPT, STARTED, ENDED, STEPS };

static locbo_status begin(adding *a, const locbo_study *study, locbo_error *error) {
    *a = (adding){.study = study, .at = locbo_space_fidelity(study->space)};
    if (a->at != SIZE_MAX) locbo_space_parameter(study->space, a->at, &a->fidelity, NULL);
    a->x = mem_new(study->dim, sizeof *a->x);
    return a->x ? LOCBO_OK : status_no_memory(error);
}

/* What a point costs in proportion to others as long as nothing better is known, as the optimizer has it. */
static double weight_of(const adding *a) {
    const locbo_parameter *p = &a->fidelity;
    if (!p->name || isnan(a->x[a->at])) return 1;
    double value = fmin(fmax(a->x[a->at], p->low), p->high);
    return p->low > 0 ? value / p->high : (1 + (value - p->low) / (p->high - p->low)) / 2;
}

static int is_below(const adding *a) { return a->fidelity.name && a->x[a->at] < a->fidelity.high; }

/* NAN: not known. */
static double seconds_of(const store_value *columns) {
    double seconds = store_as_real(&columns[ENDED]) - store_as_real(&columns[STARTED]);
    return seconds > 0 && isfinite(seconds) ? seconds : (double)NAN;
}

static double cost_of(const adding *a) {
    double cost;
    return locbo_space_cost_at(a->study->space, a->x, &cost, NULL) == LOCBO_OK ? cost : (double)NAN;
}

/* The point of a trial, at its last step if it was ended early. */
static locbo_status read_point(adding *a, const store_value *columns, int pruned, locbo_error *error) {
    const locbo_parameter *p = &a->fidelity;
    int placed;
    locbo_status status = definition_read_past(a->study->space, store_as_text(&columns[PARAMS]), a->x, &placed, error);
    double steps = (double)store_as_count(&columns[STEPS]);
    if (status == LOCBO_OK && pruned && p->name && steps > 0) a->x[a->at] = fmin(fmax(steps, p->low), p->high);
    return status;
}

static void add_ended(adding *a, double cost, int cut, double steps) {
    if (cut) {
        a->cut += cost;
        a->cut_steps += cost * steps;
        return;
    }
    a->sum.all += cost;
    a->sum.below += is_below(a) ? cost : 0;
    a->cost += cost;
    a->weight += weight_of(a);
}

static locbo_status take_trial(const store_value *columns, size_t count, void *user, locbo_error *error) {
    adding *a = user;
    locbo_state state = ledger_state(store_as_text(&columns[STATE]));
    int open = state == LOCBO_WAITING || state == LOCBO_RUNNING, given = locbo_space_cost(a->study->space) != NULL;
    int pruned = state == LOCBO_PRUNED;
    double steps = (double)store_as_count(&columns[STEPS]);
    (void)count;
    if (!open && store_as_count(&columns[ATTEMPT]) == 0) return LOCBO_OK;
    locbo_status status = read_point(a, columns, pruned, error);
    if (status != LOCBO_OK) return status;
    if (state == LOCBO_COMPLETE) a->most_steps = fmax(a->most_steps, steps);
    double cost = given ? cost_of(a) : open ? (double)NAN : seconds_of(columns);
    if (open) {
        a->sum.expected += isnan(cost) ? 0 : cost;
        a->outstanding += given ? 0 : weight_of(a);
    } else if (!isnan(cost)) {
        add_ended(a, cost, pruned && given && !a->fidelity.name, steps);
    }
    return LOCBO_OK;
}

static locbo_status take_seconds(const store_value *columns, size_t count, void *user, locbo_error *error) {
    adding *a = user;
    (void)count, (void)error;
    a->weight = (double)store_as_count(&columns[0]);
    a->sum.all = a->cost = a->weight > 0 ? store_as_real(&columns[1]) : 0;
    a->outstanding = (double)store_as_count(&columns[2]);
    return LOCBO_OK;
}

#define TIMED(sum) "(SELECT " sum " FROM locbo_trial WHERE study = $1 AND attempt > 0 AND ended > started)"

/* Without a fidelity and an expression the points say nothing: the study's row has the sums, or they are made. */
static locbo_status read_seconds(adding *a, locbo_error *error) {
    return store_query(a->study->store,
                       "SELECT CASE WHEN {timed} IS NULL THEN " TIMED(
                           "count(*)") " ELSE {timed} END,"
                                       " CASE WHEN {timed} IS NULL THEN " TIMED(
                                           "sum(ended - started)") " ELSE {seconds} END,"
                                                                   " (SELECT count(*) FROM locbo_trial WHERE study = "
                                                                   "$1 AND state IN ('RUNNING', 'WAITING')"
                                                                   " AND NOT {ahead})"
                                                                   " FROM locbo_study WHERE id = $1",
                       VALUES(store_int(a->study->id)), take_seconds, a, NULL, error);
}

locbo_status spending_recount(const locbo_study *study, locbo_error *error) {
    return store_query(study->store,
                       "UPDATE locbo_study SET timed = " TIMED("count(*)") ", seconds = " TIMED(
                           "coalesce(sum(ended - started), 0)") " WHERE id = $1 AND timed IS NOT NULL",
                       VALUES(store_int(study->id)), NULL, NULL, NULL, error);
}

static locbo_status read_trials(adding *a, locbo_error *error) {
    return store_query(a->study->store,
                       "SELECT " SPENDING_COLUMNS " FROM locbo_trial WHERE study = $1 AND NOT {ahead} ORDER BY number",
                       VALUES(store_int(a->study->id)), take_trial, a, NULL, error);
}

locbo_status spending_read(const locbo_study *study, spending *s, locbo_error *error) {
    adding a;
    locbo_status status = begin(&a, study, error);
    if (status == LOCBO_OK)
        status = a.fidelity.name || locbo_space_cost(study->space) ? read_trials(&a, error) : read_seconds(&a, error);
    a.sum.all += a.most_steps > 0 ? fmin(a.cut_steps / a.most_steps, a.cut) : a.cut;
    if (a.weight > 0) a.sum.expected += a.outstanding * a.cost / a.weight;
    if (status == LOCBO_OK) *s = a.sum;
    mem_free(a.x);
    return status;
}

/* With an expression only of what was ended early, without one of all others: what a part of an evaluation has taken
 * says nothing of the whole. */
static locbo_status take_measured(const store_value *columns, size_t count, void *user, locbo_error *error) {
    adding *a = user;
    int given = locbo_space_cost(a->study->space) != NULL;
    int pruned = ledger_state(store_as_text(&columns[STATE])) == LOCBO_PRUNED;
    (void)count;
    if (given != pruned) return LOCBO_OK;
    locbo_status status = given ? read_point(a, columns, 1, error) : LOCBO_OK;
    if (status != LOCBO_OK) return status;
    double cost = given ? cost_of(a) : seconds_of(columns);
    return isnan(cost) ? LOCBO_OK : a->fn(store_as_count(&columns[NUMBER]), cost, a->user, error);
}

locbo_status spending_each_measured(const locbo_study *study, spending_fn *fn, void *user, locbo_error *error) {
    adding a;
    locbo_status status = begin(&a, study, error);
    a.fn = fn;
    a.user = user;
    if (status == LOCBO_OK)
        status = store_query(study->store,
                             "SELECT " SPENDING_COLUMNS " FROM locbo_trial WHERE study = $1 AND attempt > 0"
                             " AND state IN ('COMPLETE', 'FAILED', 'INFEASIBLE', 'PRUNED') ORDER BY number",
                             VALUES(store_int(study->id)), take_measured, &a, NULL, error);
    mem_free(a.x);
    return status;
}
