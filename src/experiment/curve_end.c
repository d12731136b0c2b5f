/* curve_end.c - the curves of a run, its incumbent, and the rule. Layer: experiment, above src/base. Cost: a step
 * O(number of complete evaluations). */
#include "curve_end.h"

#include <math.h>
#include <string.h>

#include "hopeless.h"
#include "mem.h"
#include "status.h"

struct curve_end {
    curve_rule rule;
    uint64_t from, last, seed, trial; /* `trial`: the number of the present one, from 1 on */
    hopeless_risk risk;
    uint64_t *steps; /* 1 to `last`: those of all complete curves */
    size_t curves, room;
    hopeless_curve *curve; /* complete, in the order of their ends */
    size_t *rungs, *rung_room;
    double **rung;           /* halving, by step: what was reported there */
    double floor, incumbent; /* of complete evaluations */
    /* the present evaluation */
    double *value;
    uint64_t step;
    double best;     /* so far */
    int is_kept;     /* the coin has fallen: it is never ended */
    double asked;    /* the incumbent then */
    double mean, sd; /* of the one that was ended last */
};

static int allocate(curve_end *e) {
    size_t n = (size_t)e->last + 1;
    return (e->steps = mem_new(n, sizeof *e->steps)) && (e->value = mem_new(n, sizeof *e->value)) &&
           (e->rungs = mem_new(n, sizeof *e->rungs)) && (e->rung_room = mem_new(n, sizeof *e->rung_room)) &&
           (e->rung = mem_new(n, sizeof *e->rung));
}

locbo_status curve_end_create(curve_end **made, curve_rule rule, double risk, uint64_t from, uint64_t last,
                              uint64_t seed, locbo_error *error) {
    curve_end *e = mem_new(1, sizeof *e);
    *made = NULL;
    if (!e) return status_no_memory(error);
    e->rule = rule;
    e->from = from;
    e->last = last;
    e->seed = seed;
    e->risk = hopeless_begin(risk);
    e->incumbent = -INFINITY;
    e->mean = e->sd = (double)NAN;
    if (!allocate(e)) {
        curve_end_destroy(e);
        return status_no_memory(error);
    }
    for (uint64_t i = 0; i < last; i++) e->steps[i] = i + 1;
    *made = e;
    return LOCBO_OK;
}

void curve_end_destroy(curve_end *e) {
    if (!e) return;
    for (size_t i = 0; i < e->curves; i++) mem_free((void *)(uintptr_t)e->curve[i].values);
    for (size_t i = 0; e->rung && i <= e->last; i++) mem_free(e->rung[i]);
    void *arrays[] = {e->steps, e->curve, e->rungs, e->rung_room, e->rung, e->value};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    mem_free(e);
}

void curve_end_begin(curve_end *e) {
    e->trial++;
    e->step = 0;
    e->best = -INFINITY;
    e->is_kept = 0;
}

/* The complete evaluations that count. */
static hopeless_set set_of(const curve_end *e) {
    size_t n = e->curves < HOPELESS_CURVES ? e->curves : HOPELESS_CURVES;
    return (hopeless_set){n, n ? e->curve + (e->curves - n) : NULL, e->floor};
}

/* The evaluation could be ended; whether it is. */
static int decide(curve_end *e) {
    e->asked = e->incumbent;
    if (e->rule != CURVE_END_RISK) return 1;
    e->is_kept = hopeless_is_kept(hopeless_coin(e->seed, e->trial));
    if (!e->is_kept) hopeless_resolve(&e->risk, 0);
    return !e->is_kept;
}

/* Whether the values at this rung are better; this one is then among them. */
static locbo_status judge_rung(curve_end *e, double value, int *could, locbo_error *error) {
    size_t s = (size_t)e->step;
    if (hopeless_rung(e->from, e->step - 1, e->step) != e->step) return LOCBO_OK;
    if (!mem_reserve(&e->rung[s], &e->rung_room[s], e->rungs[s] + 1, sizeof *e->rung[s]))
        return status_no_memory(error);
    *could = hopeless_by_halving(e->rungs[s], e->rung[s], value);
    e->rung[s][e->rungs[s]++] = value;
    return LOCBO_OK;
}

static locbo_status judge(curve_end *e, double value, int *is_ended, locbo_error *error) {
    hopeless_set set = set_of(e);
    hopeless_rest rest = hopeless_look(&set, e->step);
    locbo_status status = LOCBO_OK;
    int could = 0;
    if (e->rule == CURVE_END_RISK) could = hopeless_by_risk(&rest, e->risk.tau, e->incumbent, value);
    if (e->rule == CURVE_END_MEDIAN) could = hopeless_by_median(&set, e->step, e->best);
    if (e->rule == CURVE_END_HALVING) status = judge_rung(e, value, &could, error);
    *is_ended = status == LOCBO_OK && could && decide(e);
    if (*is_ended) hopeless_expect(&rest, value, e->incumbent, &e->mean, &e->sd);
    return status;
}

static locbo_status complete(curve_end *e, double value, locbo_error *error) {
    size_t bytes = (size_t)e->last * sizeof *e->value;
    double *copy = mem_new((size_t)e->last, sizeof *copy);
    if (!copy || !mem_reserve(&e->curve, &e->room, e->curves + 1, sizeof *e->curve)) {
        mem_free(copy);
        return status_no_memory(error);
    }
    memcpy(copy, e->value, bytes);
    e->curve[e->curves++] = (hopeless_curve){(size_t)e->last, e->steps, copy, value};
    hopeless_set set = set_of(e);
    e->floor = hopeless_floor(set.count, set.curves);
    hopeless_resolve(&e->risk, e->is_kept && value > e->asked);
    e->incumbent = fmax(e->incumbent, value);
    return LOCBO_OK;
}

locbo_status curve_end_report(curve_end *e, double value, int *is_ended, locbo_error *error) {
    *is_ended = 0;
    e->value[e->step++] = value;
    e->best = fmax(e->best, value);
    if (e->step == e->last) return complete(e, value, error);
    return e->is_kept || e->step < e->from ? LOCBO_OK : judge(e, value, is_ended, error);
}

void curve_end_expected(const curve_end *e, double *mean, double *sd) {
    *mean = e->mean;
    *sd = e->sd;
}
