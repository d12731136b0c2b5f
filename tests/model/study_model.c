/* study_model.c - a study without a database: the states of a trial (study.h has the diagram), and a study as an array
 * of trials and a list of events. */
#include "study_model.h"

#include <math.h>
#include <string.h>

/* ---- one trial ---------------------------------------------------------------------------------- */

static locbo_status known(const model_trial *t, uint64_t attempt) {
    return attempt > t->attempt ? LOCBO_ERR_STATE : LOCBO_OK;
}

/* Only the last attempt of a trial that has not ended may change it. */
static locbo_status present(const model_trial *t, uint64_t attempt) {
    if (t->state != LOCBO_WAITING && t->state != LOCBO_RUNNING) return LOCBO_ERR_STATE;
    return attempt == 0 || attempt == t->attempt ? LOCBO_OK : LOCBO_ERR_STATE;
}

locbo_status model_hand_out(model_trial *t, uint64_t attempt, int worker, double now, double length) {
    if (t->state != LOCBO_WAITING || attempt != t->attempt + 1) return LOCBO_ERR_STATE;
    t->state = LOCBO_RUNNING;
    t->attempt = attempt;
    t->worker = worker;
    t->length = length;
    t->lease = now + length;
    return LOCBO_OK;
}

locbo_status model_beat(model_trial *t, uint64_t attempt, double now, double length) {
    if (present(t, attempt) != LOCBO_OK || t->attempt == 0) return LOCBO_ERR_STATE;
    if (t->state == LOCBO_WAITING && !t->lease_ended) return LOCBO_ERR_STATE; /* it was handed back */
    if (t->state == LOCBO_WAITING) t->lost--;
    t->state = LOCBO_RUNNING;
    t->length = length;
    t->lease = now + length;
    return LOCBO_OK;
}

/* A value is always kept. */
locbo_status model_tell(model_trial *t, uint64_t attempt) {
    if (known(t, attempt) != LOCBO_OK) return LOCBO_ERR_STATE;
    t->state = LOCBO_COMPLETE;
    t->failure = 0;
    t->message = 0;
    return LOCBO_OK;
}

locbo_status model_end(model_trial *t, uint64_t attempt, locbo_state state, int message) {
    if (present(t, attempt) != LOCBO_OK) return LOCBO_ERR_STATE;
    t->state = state;
    t->message = message;
    return LOCBO_OK;
}

/* A trial that waits already stays as it is, unless its lease had ended: then it was not lost after all. */
locbo_status model_requeue(model_trial *t, uint64_t attempt, int how, double now, double delay) {
    if (present(t, attempt) != LOCBO_OK) return LOCBO_ERR_STATE;
    if (t->state == LOCBO_WAITING && !t->lease_ended) return LOCBO_OK;
    if (t->state == LOCBO_WAITING) t->lost--;
    t->state = LOCBO_WAITING;
    t->lease_ended = 0;
    t->length = delay;
    t->lease = delay > 0 ? now + delay : -INFINITY;
    t->retries += how == 1;
    t->lost += how == 2;
    return LOCBO_OK;
}

locbo_status model_output(const model_trial *t, uint64_t attempt) { return known(t, attempt); }

int model_lose(model_trial *t, int lease_ended, uint64_t limit) {
    t->state = LOCBO_WAITING;
    t->lease = -INFINITY;
    t->lease_ended = lease_ended;
    t->lost++;
    if (t->lost <= limit) return 0;
    t->state = LOCBO_STATE_FAILED;
    t->message = MODEL_LOST_MESSAGE;
    return 1;
}

/* ---- events ------------------------------------------------------------------------------------- */

uint64_t model_add_event(model_study *m, uint64_t trial, uint64_t attempt, int is_value, double value) {
    m->event[m->events] = (model_event){trial, attempt, is_value, value};
    return ++m->events;
}

/* An optimizer also counts what it was told of trials that were ended early. */
static model_trial *add_trial(model_study *m, locbo_state state, const double *x, int by_optimizer) {
    model_trial *t = &m->trial[m->trials];
    *t = (model_trial){.state = state, .worker = MODEL_NOBODY, .lease = -INFINITY};
    memcpy(t->x, x, sizeof t->x);
    for (uint64_t e = 0; e < m->events; e++) t->told += m->event[e].is_value != 0;
    for (uint64_t k = 0; k < m->trials && by_optimizer; k++) t->told += m->trial[k].state == LOCBO_PRUNED;
    for (uint64_t k = 0; k < m->trials && state != LOCBO_COMPLETE; k++)
        t->pending += m->trial[k].state == LOCBO_WAITING || m->trial[k].state == LOCBO_RUNNING;
    m->trials++;
    return t;
}

/* ---- the calls ---------------------------------------------------------------------------------- */

/* Returns 1 if it waits again. */
static int lose(model_study *m, uint64_t number, int lease_ended) {
    model_trial *t = &m->trial[number - 1];
    if (!model_lose(t, lease_ended, m->lost)) return 1;
    t->failure = model_add_event(m, number, t->attempt, 0, 0);
    return 0;
}

/* A lease or a delay that lies further ahead than it is long, because the clock was set back, begins anew. */
static void shorten(const model_study *m, model_trial *t) {
    int open = t->state == LOCBO_RUNNING || t->state == LOCBO_WAITING;
    if (open && isfinite(t->lease) && t->lease > m->now + t->length + 1) t->lease = m->now + t->length;
}

static uint64_t expire(model_study *m) {
    uint64_t waiting = 0;
    for (uint64_t k = 1; k <= m->trials; k++)
        if (m->trial[k - 1].state == LOCBO_RUNNING && m->trial[k - 1].lease < m->now)
            waiting += (uint64_t)lose(m, k, 1);
    for (uint64_t k = 0; k < m->trials; k++) shorten(m, &m->trial[k]);
    return waiting;
}

static uint64_t forget(model_study *m, int worker) {
    uint64_t waiting = 0;
    for (uint64_t k = 1; k <= m->trials; k++)
        if (m->trial[k - 1].state == LOCBO_RUNNING && m->trial[k - 1].worker == worker)
            waiting += (uint64_t)lose(m, k, 0);
    return waiting;
}

static void hand_out(model_study *m, uint64_t number, const model_call *c, model_answer *a) {
    model_trial *t = &m->trial[number - 1];
    model_hand_out(t, t->attempt + 1, c->worker, m->now, c->lease == 0 ? m->lease : c->lease);
    a->given[a->count++] = (model_given){number, t->attempt, t->retries, t->lost};
}

static model_answer refused(locbo_status status) { return (model_answer){.status = status}; }

static uint64_t under_way(const model_study *m) {
    uint64_t used = 0;
    for (uint64_t k = 0; k < m->trials; k++)
        used += m->trial[k].state != LOCBO_STATE_FAILED && m->trial[k].state != LOCBO_STATE_INFEASIBLE &&
                m->trial[k].state != LOCBO_RETRACTED;
    return used;
}

/* The waiting trials with the lowest numbers, or a new one. */
static model_answer ask(model_study *m, const model_call *c) {
    static const double nothing[MODEL_DIM] = {(double)NAN, (double)NAN};
    int fixed = c->kind == CALL_ASK_FIXED;
    model_answer a = {.status = LOCBO_OK};
    if (m->stopped) return refused(LOCBO_ERR_STOPPED);
    if (m->paused) return refused(LOCBO_ERR_PAUSED);
    expire(m);
    size_t most = c->kind == CALL_ASK_MANY ? MODEL_MANY : fixed ? 0 : 1;
    for (uint64_t k = 1; k <= m->trials && a.count < most; k++)
        if (m->trial[k - 1].state == LOCBO_WAITING && m->trial[k - 1].lease <= m->now) hand_out(m, k, c, &a);
    if (a.count > 0) return a;
    uint64_t limit = c->more ? 0 : c->limit ? c->limit : m->limit;
    if (c->kind == CALL_ASK_WAITING || (limit && under_way(m) >= limit)) return refused(LOCBO_ERR_NOTHING);
    add_trial(m, LOCBO_WAITING, fixed ? c->x : nothing, 1);
    hand_out(m, m->trials, c, &a);
    return a;
}

static model_answer tell(model_study *m, const model_call *c, model_trial *t) {
    model_answer a = {.status = model_tell(t, c->attempt)};
    for (uint64_t i = 0; i < c->count && a.status == LOCBO_OK; i++)
        model_add_event(m, c->trial, c->attempt, 1, (double)c->number + (double)i);
    return a;
}

static model_answer end(model_study *m, const model_call *c, model_trial *t) {
    locbo_state state = c->kind == CALL_FAIL ? LOCBO_STATE_FAILED : LOCBO_STATE_INFEASIBLE;
    model_answer a = {.status = model_end(t, c->attempt, state, c->number)};
    if (a.status == LOCBO_OK) t->failure = model_add_event(m, c->trial, c->attempt, 0, 0);
    return a;
}

static model_answer import(model_study *m, const model_call *c) {
    model_answer a = {.given = {{.trial = m->trials + 1}}};
    for (uint64_t i = 0; i < c->count; i++) {
        add_trial(m, LOCBO_COMPLETE, c->x, 0);
        model_add_event(m, m->trials, 0, 1, (double)c->number + (double)i);
    }
    return a;
}

static model_answer keep_output(model_study *m, const model_call *c, const model_trial *t) {
    model_answer a = {.status = model_output(t, c->attempt)};
    if (a.status != LOCBO_OK) return a;
    size_t i = 0;
    while (i < m->outputs && (m->output[i].trial != c->trial || m->output[i].attempt != c->attempt)) i++;
    m->output[i] = (model_print){c->trial, c->attempt, c->number};
    if (i == m->outputs) m->outputs++;
    return a;
}

/* What was told of it no longer counts. */
static model_answer take_back(model_study *m, const model_call *c, model_trial *t) {
    locbo_state state = c->kind == CALL_RETRACT ? LOCBO_RETRACTED
                        : c->how == 0           ? LOCBO_STATE_FAILED
                                                : LOCBO_STATE_INFEASIBLE;
    if (t->state == state) return refused(LOCBO_ERR_STATE);
    for (uint64_t e = 0; e < m->events; e++)
        if (m->event[e].trial == c->trial) m->event[e].is_value = 0;
    t->state = state;
    t->message = c->number;
    t->failure = model_add_event(m, c->trial, 0, 0, 0);
    return (model_answer){.status = LOCBO_OK};
}

static model_answer of_trial(model_study *m, const model_call *c) {
    if (c->trial < 1 || c->trial > m->trials) return refused(LOCBO_ERR_NOT_FOUND);
    model_trial *t = &m->trial[c->trial - 1];
    switch (c->kind) {
    case CALL_BEAT:
        return (model_answer){.status = model_beat(t, c->attempt, m->now, c->lease)};
    case CALL_TELL:
        return tell(m, c, t);
    case CALL_REQUEUE:
        return (model_answer){.status = model_requeue(t, c->attempt, c->how, m->now, c->delay)};
    case CALL_OUTPUT:
        return keep_output(m, c, t);
    case CALL_REPORT:
        return model_report(m, c, t);
    case CALL_RETRACT:
    case CALL_FAIL_LATER:
        return take_back(m, c, t);
    default:
        return end(m, c, t);
    }
}

/* A change is an event, unless nothing differs. */
static model_answer bar(model_study *m, int *barred, int number) {
    if (*barred != number) model_add_event(m, 0, 0, 0, 0);
    *barred = number;
    return (model_answer){.status = LOCBO_OK};
}

static model_answer set_plan(model_study *m, const model_call *c) {
    if (m->limit != c->limit || m->given_lost != c->lost || m->lease != c->lease) model_add_event(m, 0, 0, 0, 0);
    m->given_lost = c->lost;
    m->limit = c->limit;
    m->lost = c->lost ? c->lost : m->retries;
    m->lease = c->lease;
    return (model_answer){.status = LOCBO_OK};
}

static model_answer enqueue(model_study *m, const model_call *c) {
    expire(m);
    add_trial(m, LOCBO_WAITING, c->x, isnan(c->x[0]) || isnan(c->x[1]));
    return (model_answer){.given = {{.trial = m->trials}}};
}

model_answer model_apply(model_study *m, const model_call *c) {
    switch (c->kind) {
    case CALL_ASK:
    case CALL_ASK_WAITING:
    case CALL_ASK_MANY:
    case CALL_ASK_FIXED:
        return ask(m, c);
    case CALL_ENQUEUE:
        return enqueue(m, c);
    case CALL_FORGET:
        return (model_answer){.requeued = forget(m, c->worker)};
    case CALL_EXPIRE:
        return (model_answer){.requeued = expire(m)};
    case CALL_STOP:
    case CALL_RESUME:
        return bar(m, &m->stopped, c->kind == CALL_STOP ? c->number : 0);
    case CALL_PAUSE:
    case CALL_UNPAUSE:
        return bar(m, &m->paused, c->kind == CALL_PAUSE ? c->number : 0);
    case CALL_PLAN:
        return set_plan(m, c);
    case CALL_IMPORT:
        return import(m, c);
    default:
        return of_trial(m, c);
    }
}

/* An ask returns those of its trials that the same attempt still has; their leases begin anew. */
static model_answer ask_again(model_study *m, const model_answer *first) {
    model_answer a = {.status = LOCBO_OK};
    for (size_t i = 0; i < first->count; i++) {
        model_trial *t = &m->trial[first->given[i].trial - 1];
        if (t->state != LOCBO_RUNNING || t->attempt != first->given[i].attempt) continue;
        t->lease = m->now + t->length;
        a.given[a.count++] = (model_given){first->given[i].trial, t->attempt, t->retries, t->lost};
    }
    return a.count > 0 ? a : refused(LOCBO_ERR_STATE);
}

model_answer model_repeat(model_study *m, const model_call *call, const model_answer *first) {
    return call->kind < CALL_ENQUEUE ? ask_again(m, first) : *first;
}

int model_same_state(const model_study *a, const model_study *b) {
    int same = a->trials == b->trials && a->events == b->events && a->stopped == b->stopped && a->paused == b->paused &&
               a->limit == b->limit && a->lost == b->lost && a->lease == b->lease && a->steps == b->steps;
    for (uint64_t k = 0; k < a->trials && same; k++) {
        const model_trial *t = &a->trial[k], *u = &b->trial[k];
        same = t->state == u->state && t->attempt == u->attempt && t->retries == u->retries && t->lost == u->lost &&
               t->worker == u->worker && t->failure == u->failure && t->lease == u->lease;
    }
    return same;
}

int model_same_answer(const model_answer *a, const model_answer *b) {
    int same = a->status == b->status && a->count == b->count && a->requeued == b->requeued;
    for (size_t i = 0; i < MODEL_MANY && same; i++) {
        const model_given *one = &a->given[i], *two = &b->given[i];
        same = one->trial == two->trial && one->attempt == two->attempt && one->retries == two->retries &&
               one->lost == two->lost;
    }
    return same;
}

/* ---- the whole ---------------------------------------------------------------------------------- */

void model_init(model_study *m) {
    locbo_plan plan;
    locbo_plan_init(&plan);
    *m = (model_study){.lease = plan.lease, .retries = plan.retries, .lost = plan.retries};
}

int model_has_room(const model_study *m) {
    return m->steps + 8 < MODEL_STEPS && m->trials + 8 < MODEL_TRIALS && m->events + m->trials + 8 < MODEL_EVENTS &&
           m->outputs + 1 < MODEL_OUTPUTS;
}

const char *model_call_name(call_kind kind) {
#define NAME(kind, name, weight) name,
    static const char *const names[] = {MODEL_CALLS(NAME)};
#undef NAME
    return names[kind];
}

unsigned model_call_weight(call_kind kind) {
#define WEIGHT(kind, name, weight) weight,
    static const unsigned weights[] = {MODEL_CALLS(WEIGHT)};
#undef WEIGHT
    return weights[kind];
}
