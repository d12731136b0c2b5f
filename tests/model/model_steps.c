/* model_steps.c - steps of running evaluations, and which of them are ended early: everything anew from the list of
 * events at each report. The arithmetic of one decision is the library's own (hopeless.c has its own tests). */
#include <math.h>

#include "hopeless.h"
#include "mean.h"
#include "study_model.h"

/* ---- what is known ------------------------------------------------------------------------------ */

static int has_steps(const model_study *m, uint64_t trial) {
    for (size_t i = 0; i < m->steps; i++)
        if (m->step[i].trial == trial) return 1;
    return 0;
}

static int is_first_value(const model_study *m, uint64_t event) {
    for (uint64_t e = 0; e < event; e++)
        if (m->event[e].is_value && m->event[e].trial == m->event[event].trial) return 0;
    return m->event[event].is_value;
}

/* Whether the trial counts as ended, by event number `event`. */
static int is_ended_by(const model_study *m, uint64_t trial, uint64_t event) {
    const model_trial *t = &m->trial[trial - 1];
    return t->ended == event && (t->state == LOCBO_PRUNED || t->state == LOCBO_COMPLETE);
}

double model_tau(const model_study *m) {
    hopeless_risk risk = hopeless_begin(0.05);
    for (uint64_t e = 0; e < m->events; e++) {
        uint64_t trial = m->event[e].trial;
        if (trial == 0) continue;
        const model_trial *t = &m->trial[trial - 1];
        if (is_ended_by(m, trial, e + 1)) hopeless_resolve(&risk, 0);
        if (!is_first_value(m, e) || !has_steps(m, trial) || t->ended) continue;
        hopeless_resolve(&risk, t->decided && m->event[e].value < t->incumbent);
    }
    return risk.tau;
}

/* The mean of the results of a trial; NAN: none. */
static double value_of(const model_study *m, uint64_t trial) {
    double mean = 0, weight = 0;
    for (uint64_t e = 0; e < m->events; e++)
        if (m->event[e].is_value && m->event[e].trial == trial) mean_add(&mean, &weight, m->event[e].value, 1);
    return mean_of(mean, weight);
}

static double find_incumbent(const model_study *m) {
    double best = (double)NAN;
    for (uint64_t k = 1; k <= m->trials; k++) best = fmin(best, value_of(m, k));
    return best;
}

/* Complete curves, with the other sign: of the last attempt that has steps. */
enum { CURVES = HOPELESS_CURVES };
typedef struct curves {
    size_t count, used;
    hopeless_curve curve[CURVES];
    uint64_t steps[MODEL_STEPS];
    double values[MODEL_STEPS];
} curves;

static void add_curve(const model_study *m, uint64_t trial, curves *c) {
    uint64_t attempt = 0;
    size_t first = c->used;
    for (size_t i = 0; i < m->steps; i++)
        if (m->step[i].trial == trial && m->step[i].attempt > attempt) attempt = m->step[i].attempt;
    for (size_t i = 0; i < m->steps; i++) {
        if (m->step[i].trial != trial || m->step[i].attempt != attempt) continue;
        c->steps[c->used] = m->step[i].step;
        c->values[c->used++] = -m->step[i].value;
    }
    if (c->used < first + 2) return;
    c->curve[c->count++] = (hopeless_curve){c->used - first, c->steps + first, c->values + first, -value_of(m, trial)};
}

/* ---- a report ----------------------------------------------------------------------------------- */

static void judge(model_study *m, const model_call *c, model_trial *t, uint64_t step) {
    static curves known;
    double incumbent = find_incumbent(m), tau = model_tau(m);
    known.count = known.used = 0;
    for (uint64_t e = 0; e < m->events && known.count < CURVES; e++)
        if (is_first_value(m, e) && has_steps(m, m->event[e].trial)) add_curve(m, m->event[e].trial, &known);
    hopeless_set set = {known.count, known.curve, hopeless_floor(known.count, known.curve)};
    hopeless_rest rest = hopeless_look(&set, step);
    if (!hopeless_by_risk(&rest, tau, -incumbent, -c->value)) return;
    t->decided = 1;
    t->incumbent = incumbent;
    t->tau = tau;
}

static uint64_t last_step(const model_study *m, uint64_t trial, uint64_t attempt) {
    uint64_t last = 0; /* steps begin with 1 here */
    for (size_t i = 0; i < m->steps; i++)
        if (m->step[i].trial == trial && m->step[i].attempt == attempt) last = m->step[i].step;
    return last;
}

/* All steps of the report are judged by what was known before it. */
static void take_steps(model_study *m, const model_call *c, model_trial *t) {
    uint64_t last = last_step(m, c->trial, t->attempt);
    size_t before = m->steps;
    for (uint64_t step = c->step; step < c->step + c->count; step++) {
        if (!isfinite(c->value) || step <= last) continue;
        size_t now = m->steps;
        m->steps = before;
        if (!t->decided) judge(m, c, t, step);
        m->steps = now;
        m->step[m->steps++] = (model_step){c->trial, t->attempt, step, c->value};
    }
}

model_answer model_report(model_study *m, const model_call *c, model_trial *t) {
    model_trial probe = *t;
    model_answer a = {.status = LOCBO_OK};
    int mine = c->attempt == 0 || c->attempt == t->attempt, decided = t->decided;
    if (t->state == LOCBO_PRUNED && mine) return (model_answer){.requeued = 1};
    a.status = model_beat(&probe, c->attempt, m->now, 1); /* who may renew the lease may report */
    if (a.status != LOCBO_OK) return a;
    take_steps(m, c, t);
    if (!t->decided || decided || hopeless_is_kept(hopeless_coin(m->seed, c->trial))) return a;
    t->state = LOCBO_PRUNED;
    t->failure = t->ended = model_add_event(m, c->trial, 0, 0, 0);
    t->message = 0;
    a.requeued = 1;
    return a;
}
