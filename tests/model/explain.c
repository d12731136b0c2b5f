/* explain.c - the search of Wing and Gong: take any call that may come next, apply it to the model of a trial, go on if
 * the model gives the answer that was given; positions that were seen before are not searched again. */
#include "explain.h"

#include <math.h>
#include <string.h>

enum { SEEN = 1 << 16 };

typedef struct search {
    const explain_trial *t;
    uint64_t seen[SEEN]; /* hashes of positions */
    size_t seen_count;
} search;

typedef struct position {
    uint64_t done; /* bit i: call i */
    int exists;
    model_trial trial;
} position;

/* ---- one step ------------------------------------------------------------------------------------ */

/* The status that the model gives. A lease is without end or ends at any moment. */
static locbo_status apply(position *p, const explain_call *e, uint64_t lost_limit) {
    const model_call *c = &e->call;
    model_trial *t = &p->trial;
    double length = isinf(c->lease) ? INFINITY : 0;
    if (!p->exists) {
        if (c->kind == CALL_FORGET) return LOCBO_OK;
        p->exists = c->kind <= CALL_ENQUEUE || c->kind == CALL_IMPORT;
        *t = (model_trial){.worker = MODEL_NOBODY, .state = c->kind == CALL_IMPORT ? LOCBO_COMPLETE : LOCBO_WAITING};
        if (!p->exists) return LOCBO_ERR_NOT_FOUND;
        return c->kind < CALL_ENQUEUE ? model_hand_out(t, e->given.attempt, c->worker, 0, length) : LOCBO_OK;
    }
    switch (c->kind) {
    case CALL_ASK:
    case CALL_ASK_WAITING:
    case CALL_ASK_MANY:
        return e->answered && e->given.retries != t->retries
                   ? LOCBO_ERR_STATE
                   : model_hand_out(t, e->given.attempt, c->worker, 0, length);
    case CALL_BEAT:
        return model_beat(t, c->attempt, 0, length);
    case CALL_TELL:
        return model_tell(t, c->attempt);
    case CALL_FAIL:
        return model_end(t, c->attempt, LOCBO_STATE_FAILED, c->number);
    case CALL_INFEASIBLE:
        return model_end(t, c->attempt, LOCBO_STATE_INFEASIBLE, c->number);
    case CALL_REQUEUE:
        return model_requeue(t, c->attempt, c->how, 0, 0);
    case CALL_OUTPUT:
        return model_output(t, c->attempt);
    case CALL_FORGET:
        if (t->state == LOCBO_RUNNING && t->worker == c->worker) model_lose(t, 0, lost_limit);
        return LOCBO_OK;
    default:
        return LOCBO_ERR_ARGUMENT; /* a trial is not created twice */
    }
}

/* Whether every call that ended before this one began is done, and every result with a lower event number. */
static int may_be_next(const search *s, const position *p, size_t i) {
    const explain_call *e = &s->t->call[i];
    for (size_t j = 0; j < s->t->count; j++) {
        const explain_call *other = &s->t->call[j];
        if (p->done >> j & 1 || j == i) continue;
        if (other->end < e->begin || (e->event && other->event && other->event < e->event)) return 0;
    }
    return 1;
}

static int is_end(const search *s, const position *p) {
    const model_trial *t = &p->trial, *stored = &s->t->stored;
    for (size_t i = 0; i < s->t->count; i++)
        if ((s->t->call[i].answered || s->t->call[i].event) && !(p->done >> i & 1)) return 0;
    return p->exists && t->state == stored->state && t->attempt == stored->attempt && t->retries == stored->retries &&
           t->lost == stored->lost && t->message == stored->message && t->worker == stored->worker;
}

/* ---- the search ---------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Whether this position was searched before; enters it. */
static int was_seen(search *s, const position *p) {
    const model_trial *t = &p->trial;
    uint64_t values[] = {p->done,
                         (uint64_t)p->exists,
                         (uint64_t)t->state,
                         t->attempt,
                         t->retries,
                         t->lost,
                         (uint64_t)(t->worker + 1),
                         (uint64_t)t->lease_ended,
                         isinf(t->lease) != 0,
                         (uint64_t)(t->message + 1)},
             hash = 1;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) hash = mix(hash, values[i]);
    if (hash == 0 || s->seen_count > SEEN / 2) return 0; /* a full table only costs time */
    size_t at = hash % SEEN;
    for (; s->seen[at]; at = (at + 1) % SEEN)
        if (s->seen[at] == hash) return 1;
    s->seen[at] = hash;
    s->seen_count++;
    return 0;
}

static int search_from(search *s, const position *p);

/* Go on with call i, made by `worker`. */
static int try_call(search *s, const position *p, size_t i, int worker) {
    explain_call e = s->t->call[i];
    position next = *p;
    e.call.worker = worker;
    next.done |= UINT64_C(1) << i;
    locbo_status status = apply(&next, &e, s->t->lost_limit);
    if (status != (e.answered ? e.status : LOCBO_OK)) return 0;
    if (status != LOCBO_OK) next.exists = p->exists, next.trial = p->trial;
    return search_from(s, &next);
}

/* Who computes a proposal makes trials for others, who wait for it: they come into being waiting, at any moment. */
static int try_ahead(search *s, const position *p) {
    position next = {.done = p->done, .exists = 1, .trial = {.worker = MODEL_NOBODY, .state = LOCBO_WAITING}};
    return search_from(s, &next);
}

/* Which worker got an attempt that nobody knows of is not known either. */
static int search_from(search *s, const position *p) {
    if (is_end(s, p)) return 1;
    /* the last loss may be undone by a heartbeat, earlier ones not */
    if (was_seen(s, p) || p->trial.lost > s->t->stored.lost + 1) return 0;
    for (size_t i = 0; i < s->t->count; i++) {
        int known = s->t->call[i].call.worker;
        if (p->done >> i & 1 || !may_be_next(s, p, i)) continue;
        for (int w = known == MODEL_NOBODY ? 0 : known; w < (known == MODEL_NOBODY ? CROWD_PROCESSES : known + 1); w++)
            if (try_call(s, p, i, w)) return 1;
    }
    if (!p->exists && !s->t->created) return try_ahead(s, p);
    if (p->exists && p->trial.state == LOCBO_RUNNING && !isinf(p->trial.lease)) { /* the lease ends */
        position next = *p;
        model_lose(&next.trial, 1, s->t->lost_limit);
        return search_from(s, &next);
    }
    return 0;
}

int explain_search(const explain_trial *t) {
    static search s;
    position p = {.exists = 0};
    memset(&s, 0, sizeof s);
    s.t = t;
    return search_from(&s, &p);
}
