/* history.c - whether the logs of several processes explain what the database holds. Nothing acknowledged is lost,
 * nothing is there twice, no attempt was given to two workers, event numbers are unique and have no unexplained gaps,
 * and each trial is the result of some order of its calls (explain.c). */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"

enum { SHOWN = 3, TRIALS = 4096, EVENTS = 16384, NUMBERS = CROWD_PROCESSES * CROWD_RECORDS };

typedef struct stored_trial {
    model_trial trial;
    uint64_t results;
} stored_trial;

typedef struct history {
    const crowd_log *logs;
    uint64_t lost_limit;
    uint64_t trials, events;
    stored_trial stored[TRIALS];                /* number k is entry k - 1 */
    unsigned char event_used[EVENTS];           /* number e is entry e - 1 */
    unsigned char found[NUMBERS][CROWD_STRIDE]; /* how often value i of a call is stored */
    uint64_t first_event[NUMBERS];              /* of a call's results; 0: none */
    uint64_t made_by[NUMBERS];                  /* trial that has the point of the call; 0: none */
    crowd_figures *figures;
    int good;
    unsigned unexplained;
} history;

static void complain(history *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(history *h, const char *format, ...) {
    va_list words;
    h->good = 0;
    va_start(words, format);
    vprintf(format, words);
    va_end(words);
    putchar('\n');
}

static const crowd_record *record_of(const history *h, size_t n) {
    const crowd_log *log = &h->logs[n / CROWD_RECORDS];
    return n % CROWD_RECORDS < log->count ? &log->record[n % CROWD_RECORDS] : NULL;
}

static int is_ask(const crowd_record *r) { return r->call.kind < CALL_ENQUEUE; }
/* A repeated ask whose attempt is over by then does not say which it was: as if it had no answer. */
static int answered(const crowd_record *r) { return r->end > 0 && !(is_ask(r) && r->answer.status == LOCBO_ERR_STATE); }
static int acknowledged(const crowd_record *r) { return answered(r) && r->answer.status == LOCBO_OK; }

/* Number of attempts that an ask may have been given and its answer does not show: there was none, or those of a
 * repeated ask were over by then. */
static uint64_t hidden(const crowd_record *r) {
    uint64_t most = r->call.kind == CALL_ASK_MANY ? MODEL_MANY : 1;
    if (!is_ask(r) || (answered(r) && !acknowledged(r))) return 0;
    return !answered(r) ? most : r->repeats > 0 ? most - r->answer.count : 0;
}

/* Each record that a process wrote, with its number n. */
#define EACH_RECORD(h, n, r)                                                                                           \
    for (size_t n = 0; n < NUMBERS; n++)                                                                               \
        for (const crowd_record *r = record_of(h, n); r; r = NULL)

/* ---- reading ------------------------------------------------------------------------------------- */

static void use_event(history *h, uint64_t event) {
    if (event < 1 || event > h->events)
        complain(h, "event number %" PRIu64 " is not between 1 and %" PRIu64, event, h->events);
    else if (event <= EVENTS && h->event_used[event - 1]++)
        complain(h, "event number %" PRIu64 " is there twice", event);
}

/* A stored value says which call told it. */
static void take_value(history *h, const locbo_record *r, size_t i) {
    size_t whole = (size_t)r->measurements[i].value, n = whole / CROWD_STRIDE - 1, k = whole % CROWD_STRIDE;
    const crowd_record *from = n < NUMBERS ? record_of(h, n) : NULL;
    uint64_t trial = r->trial.id;
    int right = from && k < from->call.count &&
                (from->call.kind == CALL_TELL ? from->call.trial == trial : from->call.kind == CALL_IMPORT);
    if (!right || (answered(from) && !acknowledged(from)))
        complain(h, "trial %" PRIu64 ": the value %g was told by no accepted call", trial, r->measurements[i].value);
    else if (h->found[n][k]++)
        h->figures->doubled++,
            complain(h, "trial %" PRIu64 ": the value %g is there twice", trial, r->measurements[i].value);
    else if (k == 0)
        h->first_event[n] = r->sequence[i];
    else if (r->sequence[i] != h->first_event[n] + k)
        complain(h, "trial %" PRIu64 ": the values of one call are not in order", trial);
    if (right && from->call.kind == CALL_IMPORT) h->made_by[n] = trial - k;
}

static int take_record(const locbo_record *r, void *user) {
    history *h = user;
    uint64_t number = ++h->trials;
    if (r->trial.id != number) complain(h, "trial %" PRIu64 " is missing", number);
    if (number > TRIALS) return 1;
    stored_trial *s = &h->stored[number - 1];
    s->trial = (model_trial){.state = r->state, .attempt = r->attempt, .retries = r->retries, .worker = MODEL_NOBODY};
    if (sscanf(r->message, "call %d", &s->trial.message) != 1 && r->message[0]) s->trial.message = MODEL_LOST_MESSAGE;
    sscanf(r->worker, "w%d", &s->trial.worker);
    s->trial.lost = r->lost;
    s->results = r->count;
    if (r->failure) use_event(h, r->failure);
    if (r->count > 0 && r->state != LOCBO_COMPLETE)
        complain(h, "trial %" PRIu64 " has results and is not complete", number);
    for (size_t i = 0; i < r->count; i++) {
        use_event(h, r->sequence[i]);
        take_value(h, r, i);
    }
    if (r->trial.origin == LOCBO_ORIGIN_AGAIN) return 0; /* at the point of another trial */
    size_t n = (size_t)(r->x[0] * (1 << 20)) / CROWD_STRIDE - 1;
    const crowd_record *from = n < NUMBERS ? record_of(h, n) : NULL;
    if (!from || (from->call.kind != CALL_ENQUEUE && from->call.kind != CALL_ASK_FIXED) || r->x[0] != from->call.x[0])
        return 0;
    if (h->made_by[n])
        complain(h, "call %d made the trials %" PRIu64 " and %" PRIu64, from->call.number, h->made_by[n], number);
    h->made_by[n] = number;
    return 0;
}

/* ---- checks of the whole ------------------------------------------------------------------------- */

/* All of a call's results are there, or none if it was not acknowledged. */
static void check_results(history *h) {
    EACH_RECORD(h, n, r) {
        uint64_t found = 0;
        if (r->call.kind != CALL_TELL && r->call.kind != CALL_IMPORT) continue;
        for (size_t k = 0; k < r->call.count; k++) found += h->found[n][k] > 0;
        if (found == r->call.count || (found == 0 && !acknowledged(r))) continue;
        h->figures->lost += r->call.count - found;
        complain(h, "trial %" PRIu64 ": of the %" PRIu64 " values of call %d, %s, %" PRIu64 " are stored",
                 r->call.trial, r->call.count, r->call.number, acknowledged(r) ? "acknowledged" : "unanswered", found);
    }
}

/* A failure whose trial got a value later is no longer stored, but its event number stays used. */
static void check_events(history *h) {
    uint64_t missing = 0, least = 0, most = 0;
    for (uint64_t e = 0; e < h->events; e++) missing += h->event_used[e] == 0;
    EACH_RECORD(h, n, r) {
        if (r->call.kind != CALL_FAIL && r->call.kind != CALL_INFEASIBLE) continue;
        if (r->call.trial > h->trials || h->stored[r->call.trial - 1].trial.state != LOCBO_COMPLETE) continue;
        least += acknowledged(r);
        most += acknowledged(r) || !answered(r);
    }
    for (uint64_t k = 0; k < h->trials; k++)
        most += h->stored[k].trial.state == LOCBO_COMPLETE && h->stored[k].trial.lost > h->lost_limit;
    if (missing < least || missing > most)
        complain(h, "%" PRIu64 " event numbers are not used; the calls explain %" PRIu64 " to %" PRIu64, missing, least,
                 most);
}

/* Between a stop that was acknowledged and the beginning of any call that may have lifted it. */
static void check_stop(history *h, const crowd_record *stop) {
    double lifted = INFINITY;
    EACH_RECORD(h, n, r)
    if (r->call.kind == CALL_RESUME && (!answered(r) || r->end > stop->begin) && r->begin < lifted) lifted = r->begin;
    EACH_RECORD(h, n, r)
    if (is_ask(r) && acknowledged(r) && r->begin > stop->end && r->end < lifted)
        complain(h, "trial %" PRIu64 " was handed out while the study was stopped", r->answer.given[0].trial);
}

static void check_asks(history *h) {
    uint64_t handed = 0, unknown = 0, given = 0;
    EACH_RECORD(h, n, r) {
        unknown += hidden(r);
        if (is_ask(r) && acknowledged(r)) given += r->answer.count;
        if (r->call.kind == CALL_STOP && acknowledged(r)) check_stop(h, r);
        int makes = r->call.kind == CALL_ASK_FIXED || r->call.kind == CALL_ENQUEUE || r->call.kind == CALL_IMPORT;
        if (makes && acknowledged(r) && h->made_by[n] != r->answer.given[0].trial)
            complain(h, "call %d: its trial %" PRIu64 " is stored as %" PRIu64, r->call.number,
                     r->answer.given[0].trial, h->made_by[n]);
    }
    for (uint64_t k = 0; k < h->trials; k++) handed += h->stored[k].trial.attempt;
    if (handed < given || handed > given + unknown)
        complain(h, "%" PRIu64 " attempts are stored, %" PRIu64 " were given and at most %" PRIu64 " more unseen",
                 handed, given, unknown);
}

/* ---- one trial ----------------------------------------------------------------------------------- */

static const model_given *given_of(const crowd_record *r, uint64_t trial) {
    for (size_t i = 0; acknowledged(r) && is_ask(r) && i < r->answer.count; i++)
        if (r->answer.given[i].trial == trial) return &r->answer.given[i];
    return NULL;
}

static int concerns(const history *h, size_t n, const crowd_record *r, uint64_t trial) {
    switch (r->call.kind) {
    case CALL_ASK:
    case CALL_ASK_WAITING:
    case CALL_ASK_MANY:
        return given_of(r, trial) != NULL;
    case CALL_ASK_FIXED:
    case CALL_ENQUEUE:
        return h->made_by[n] == trial;
    case CALL_IMPORT:
        return h->made_by[n] && trial >= h->made_by[n] && trial < h->made_by[n] + r->call.count;
    case CALL_FORGET:
        return 1;
    case CALL_TELL:
        return r->call.trial == trial && (answered(r) || h->first_event[n]);
    case CALL_EXPIRE:
    case CALL_STOP:
    case CALL_RESUME:
    case CALL_PLAN:
    case CALL_PAUSE:
    case CALL_UNPAUSE:
        return 0;
    default:
        return r->call.trial == trial;
    }
}

static void add_call(explain_trial *t, const explain_call *e) {
    if (t->count < EXPLAIN_CALLS) t->call[t->count] = *e;
    t->count++;
}

/* An attempt that no process knows of was given to one that was killed: it is a call without an answer. */
static void add_unknown(explain_trial *t, const unsigned char *known, uint64_t count, double begin) {
    for (uint64_t a = 1; a <= t->stored.attempt && a <= count; a++)
        if (!known[a - 1])
            add_call(t, &(explain_call){.call = {.kind = CALL_ASK, .worker = MODEL_NOBODY},
                                        .given = {.attempt = a},
                                        .begin = begin,
                                        .end = INFINITY});
}

static int by_time(const void *a, const void *b) {
    const explain_call *one = a, *two = b;
    return (one->begin > two->begin) - (one->begin < two->begin);
}

static int had_it(const explain_trial *t, int worker) {
    for (size_t i = 0; i < t->count && i < EXPLAIN_CALLS; i++)
        if (t->call[i].call.kind < CALL_ENQUEUE &&
            (t->call[i].call.worker == worker || t->call[i].call.worker == MODEL_NOBODY))
            return 1;
    return 0;
}

/* Calls that forget a worker are many and concern few trials: only those of workers that had this one. */
static void collect(history *h, uint64_t trial, explain_trial *t) {
    enum { ATTEMPTS = 256 };
    unsigned char known[ATTEMPTS] = {0};
    double first_unseen = INFINITY, born = INFINITY;
    *t = (explain_trial){.stored = h->stored[trial - 1].trial, .lost_limit = h->lost_limit};
    EACH_RECORD(h, n, r) {
        if (hidden(r) && r->begin < first_unseen) first_unseen = r->begin;
        if (r->call.kind == CALL_FORGET || !concerns(h, n, r, trial)) continue;
        const model_given *given = given_of(r, trial);
        uint64_t attempt = r->call.kind == CALL_ASK_FIXED ? 1 : given ? given->attempt : 0;
        if (attempt > 0 && attempt <= ATTEMPTS && known[attempt - 1]++)
            complain(h, "attempt %" PRIu64 " of trial %" PRIu64 " was given twice", attempt, trial);
        explain_call e = {.call = r->call,
                          .status = r->answer.status,
                          .answered = answered(r),
                          .begin = r->begin,
                          .end = answered(r) ? r->end : INFINITY,
                          .event = r->call.kind == CALL_TELL ? h->first_event[n] : 0};
        t->created |= r->call.kind == CALL_ENQUEUE || r->call.kind == CALL_IMPORT || r->call.kind == CALL_ASK_FIXED;
        if (given) e.given = *given;
        if (is_ask(r)) e.given.attempt = attempt;
        add_call(t, &e);
        if (r->begin < born) born = r->begin;
    }
    add_unknown(t, known, ATTEMPTS, first_unseen);
    EACH_RECORD(h, n, r)
    if (r->call.kind == CALL_FORGET && (!answered(r) || r->end > born) && had_it(t, r->call.worker))
        add_call(t, &(explain_call){.call = r->call,
                                    .status = r->answer.status,
                                    .answered = answered(r),
                                    .begin = r->begin,
                                    .end = answered(r) ? r->end : INFINITY});
}

static void print_trial(uint64_t number, const explain_trial *t) {
    double zero = t->count ? t->call[0].begin : 0;
    printf("trial %" PRIu64 " is stored as %s, attempt %" PRIu64 ", retries %" PRIu64 ", lost %" PRIu64
           ", worker w%d, message %d; no order of these calls explains it:\n",
           number, locbo_state_name(t->stored.state), t->stored.attempt, t->stored.retries, t->stored.lost,
           t->stored.worker, t->stored.message);
    for (size_t i = 0; i < t->count; i++) {
        const explain_call *e = &t->call[i];
        printf("  %9.3f to %9.3f ms  %s w%d", (e->begin - zero) * 1000, (e->end - zero) * 1000,
               model_call_name(e->call.kind), e->call.worker);
        if (e->call.kind < CALL_ENQUEUE)
            printf(", lease %g s: attempt %" PRIu64, e->call.lease, e->given.attempt);
        else if (e->call.kind >= CALL_BEAT && e->call.kind <= CALL_REQUEUE)
            printf(", attempt %" PRIu64 ", call %d", e->call.attempt, e->call.number);
        if (e->event) printf(", event %" PRIu64, e->event);
        printf(" -> %s\n", e->answered ? locbo_status_text(e->status) : "no answer");
    }
}

static void check_trial(history *h, uint64_t number) {
    static explain_trial t;
    collect(h, number, &t);
    if (t.count > EXPLAIN_CALLS) {
        h->figures->skipped++;
        return;
    }
    qsort(t.call, t.count, sizeof *t.call, by_time);
    if (explain_search(&t)) return;
    h->good = 0;
    h->unexplained++;
    print_trial(number, &t);
}

static int take_change(const locbo_change *c, void *user) {
    history *h = user;
    if (c->event <= EVENTS) h->event_used[c->event - 1]++;
    return 0;
}

int history_check(connection *c, const crowd_log *logs, uint64_t lost_limit, crowd_figures *figures) {
    static history h;
    locbo_error error;
    locbo_census census;
    memset(&h, 0, sizeof h);
    h.logs = logs, h.lost_limit = lost_limit, h.figures = figures, h.good = 1;
    locbo_status status = locbo_study_census(c->study, &census, &error);
    h.events = census.events;
    if (status == LOCBO_OK) status = locbo_study_each(c->study, NULL, take_record, &h, &error);
    if (status == LOCBO_OK) status = locbo_study_each_change(c->study, 0, take_change, &h, &error);
    if (status != LOCBO_OK) complain(&h, "%s", error.message);
    if (status == LOCBO_OK && (h.trials != census.trials || h.trials > TRIALS || h.events > EVENTS))
        complain(&h, "%" PRIu64 " trials and %" PRIu64 " events, the study says %" PRIu64 " trials", h.trials, h.events,
                 census.trials);
    if (status != LOCBO_OK || h.trials > TRIALS || h.events > EVENTS) return 0;
    check_results(&h);
    check_events(&h);
    check_asks(&h);
    for (uint64_t k = 1; k <= h.trials && h.unexplained < SHOWN; k++) check_trial(&h, k);
    return h.good;
}
