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

locbo_status model_hand_out(model_trial *t, uint64_t attempt, int worker, double lease) {
    if (t->state != LOCBO_WAITING || attempt != t->attempt + 1) return LOCBO_ERR_STATE;
    t->state = LOCBO_RUNNING;
    t->attempt = attempt;
    t->worker = worker;
    t->lease = lease;
    return LOCBO_OK;
}

locbo_status model_beat(model_trial *t, uint64_t attempt, double lease) {
    if (present(t, attempt) != LOCBO_OK || t->attempt == 0) return LOCBO_ERR_STATE;
    t->state = LOCBO_RUNNING;
    t->lease = lease;
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

/* A trial that waits already stays as it is. */
locbo_status model_requeue(model_trial *t, uint64_t attempt, int retry, double until) {
    if (present(t, attempt) != LOCBO_OK) return LOCBO_ERR_STATE;
    if (t->state == LOCBO_WAITING) return LOCBO_OK;
    t->state = LOCBO_WAITING;
    t->lease = until;
    t->retries += retry != 0;
    return LOCBO_OK;
}

locbo_status model_output(const model_trial *t, uint64_t attempt) { return known(t, attempt); }

int model_lose(model_trial *t, uint64_t limit) {
    t->state = LOCBO_WAITING;
    t->lease = -INFINITY;
    if (!MODEL_LOST) return 0;
    t->lost++;
    if (t->lost <= limit) return 0;
    t->state = LOCBO_STATE_FAILED;
    t->message = MODEL_LOST_MESSAGE;
    return 1;
}

/* ---- events ------------------------------------------------------------------------------------- */

static uint64_t add_event(model_study *m, uint64_t trial, uint64_t attempt, int is_value, double value) {
    m->event[m->events] = (model_event){trial, attempt, is_value, value};
    return ++m->events;
}

static model_trial *add_trial(model_study *m, locbo_state state, const double *x) {
    model_trial *t = &m->trial[m->trials++];
    *t = (model_trial){.state = state, .worker = MODEL_NOBODY, .lease = -INFINITY};
    memcpy(t->x, x, sizeof t->x);
    return t;
}

/* ---- the calls ---------------------------------------------------------------------------------- */

static void lose(model_study *m, uint64_t number) {
    model_trial *t = &m->trial[number - 1];
    if (model_lose(t, m->lost)) t->failure = add_event(m, number, t->attempt, 0, 0);
}

static uint64_t expire(model_study *m) {
    uint64_t ended = 0;
    for (uint64_t k = 1; k <= m->trials; k++)
        if (m->trial[k - 1].state == LOCBO_RUNNING && m->trial[k - 1].lease < m->now) {
            lose(m, k);
            ended++;
        }
    return ended;
}

static uint64_t forget(model_study *m, int worker) {
    uint64_t ended = 0;
    for (uint64_t k = 1; k <= m->trials; k++)
        if (m->trial[k - 1].state == LOCBO_RUNNING && m->trial[k - 1].worker == worker) {
            lose(m, k);
            ended++;
        }
    return ended;
}

static model_answer handed(const model_study *m, uint64_t number) {
    const model_trial *t = &m->trial[number - 1];
    return (model_answer){.trial = number, .attempt = t->attempt, .retries = t->retries};
}

static model_answer refused(locbo_status status) { return (model_answer){.status = status}; }

static uint64_t under_way(const model_study *m) {
    uint64_t used = 0;
    for (uint64_t k = 0; k < m->trials; k++)
        used += m->trial[k].state != LOCBO_STATE_FAILED && m->trial[k].state != LOCBO_STATE_INFEASIBLE;
    return used;
}

static model_answer ask(model_study *m, const model_call *c) {
    static const double nothing[MODEL_DIM] = {(double)NAN, (double)NAN};
    int fixed = c->kind == CALL_ASK_FIXED;
    double lease = m->now + (c->lease == 0 ? m->lease : c->lease);
    if (m->stopped) return refused(LOCBO_ERR_STOPPED);
    if (!fixed) expire(m);
    for (uint64_t k = 1; k <= m->trials && !fixed; k++) {
        model_trial *t = &m->trial[k - 1];
        if (t->state != LOCBO_WAITING || t->lease > m->now) continue;
        model_hand_out(t, t->attempt + 1, c->worker, lease);
        return handed(m, k);
    }
    uint64_t limit = c->more ? 0 : c->limit ? c->limit : m->limit;
    if (c->kind == CALL_ASK_WAITING || (limit && under_way(m) >= limit)) return refused(LOCBO_ERR_NOTHING);
    model_hand_out(add_trial(m, LOCBO_WAITING, fixed ? c->x : nothing), 1, c->worker, lease);
    return handed(m, m->trials);
}

static model_answer tell(model_study *m, const model_call *c, model_trial *t) {
    model_answer a = {.status = model_tell(t, c->attempt)};
    for (uint64_t i = 0; i < c->count && a.status == LOCBO_OK; i++)
        add_event(m, c->trial, c->attempt, 1, (double)c->number + (double)i);
    return a;
}

static model_answer end(model_study *m, const model_call *c, model_trial *t) {
    locbo_state state = c->kind == CALL_FAIL ? LOCBO_STATE_FAILED : LOCBO_STATE_INFEASIBLE;
    model_answer a = {.status = model_end(t, c->attempt, state, c->number)};
    if (a.status == LOCBO_OK) t->failure = add_event(m, c->trial, c->attempt, 0, 0);
    return a;
}

static model_answer import(model_study *m, const model_call *c) {
    model_answer a = {.trial = m->trials + 1};
    for (uint64_t i = 0; i < c->count; i++) {
        add_trial(m, LOCBO_COMPLETE, c->x);
        add_event(m, m->trials, 0, 1, (double)c->number + (double)i);
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

static model_answer of_trial(model_study *m, const model_call *c) {
    if (c->trial < 1 || c->trial > m->trials) return refused(LOCBO_ERR_NOT_FOUND);
    model_trial *t = &m->trial[c->trial - 1];
    switch (c->kind) {
    case CALL_BEAT:
        return (model_answer){.status = model_beat(t, c->attempt, m->now + c->lease)};
    case CALL_TELL:
        return tell(m, c, t);
    case CALL_REQUEUE:
        return (model_answer){.status =
                                  model_requeue(t, c->attempt, c->retry, c->delay > 0 ? m->now + c->delay : -INFINITY)};
    case CALL_OUTPUT:
        return keep_output(m, c, t);
    default:
        return end(m, c, t);
    }
}

static model_answer set_plan(model_study *m, const model_call *c) {
    m->limit = c->limit;
    m->lost = c->lost;
    m->lease = c->lease;
    return (model_answer){.status = LOCBO_OK};
}

static model_answer enqueue(model_study *m, const model_call *c) {
    add_trial(m, LOCBO_WAITING, c->x);
    return (model_answer){.trial = m->trials};
}

model_answer model_apply(model_study *m, const model_call *c) {
    switch (c->kind) {
    case CALL_ASK:
    case CALL_ASK_WAITING:
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
        m->stopped = c->kind == CALL_STOP ? c->number : 0;
        return (model_answer){.status = LOCBO_OK};
    case CALL_PLAN:
        return set_plan(m, c);
    case CALL_IMPORT:
        return import(m, c);
    default:
        return of_trial(m, c);
    }
}

/* ---- the whole ---------------------------------------------------------------------------------- */

void model_init(model_study *m) {
    locbo_plan plan;
    locbo_plan_init(&plan);
    *m = (model_study){.lease = plan.lease};
#if MODEL_LOST
    m->lost = plan.lost;
#endif
}

int model_has_room(const model_study *m) {
    return m->trials + 8 < MODEL_TRIALS && m->events + m->trials + 8 < MODEL_EVENTS && m->outputs + 1 < MODEL_OUTPUTS;
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
