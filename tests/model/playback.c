/* playback.c - run a sequence against the database and the model.
 *
 * All steps of the clock are multiples of 1000 s, and leases and delays end half-way between: so the few seconds that
 * pass on a server while the test runs decide nothing. */
#include "playback.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const double START = 1.8e9; /* seconds since 1970 */
static const double DAY = 86000;   /* nearly, in thousands */

enum { HELD = 16 };

typedef struct worker {
    connection at;
    size_t held; /* its last assignments, whether or not they have ended */
    model_given given[HELD];
    int has_last; /* the last call that writes, its answer and the time */
    model_call last;
    model_answer answer;
    uint64_t token;
    double when;
} worker;

typedef struct stage {
    model_study model, before; /* before: as it was before the last call */
    uint64_t stamp;            /* of the study, after the last call */
    worker worker[MODEL_WORKERS];
    int number; /* of the last call */
    FILE *trace;
    playback_figures *figures;
    char *why;
} stage;

/* ---- what the numbers of an operation mean now --------------------------------------------------- */

static double choose(unsigned number, size_t count, const double *from) { return from[number % count]; }
#define CHOOSE(number, ...)                                                                                            \
    choose(number, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (const double[]){__VA_ARGS__})

/* One of the worker's own assignments as a rule, otherwise any trial and attempt, those that do not exist included. */
static void choose_trial(const stage *s, const operation *o, model_call *c) {
    const worker *w = &s->worker[o->worker];
    const model_study *m = &s->model;
    if (o->c % 4 != 3 && w->held > 0) {
        size_t i = w->held - 1 - o->a % w->held;
        c->trial = w->given[i].trial;
        c->attempt = w->given[i].attempt;
        return;
    }
    c->trial = 1 + o->a % (m->trials + 1);
    c->attempt = o->b % (c->trial <= m->trials ? m->trial[c->trial - 1].attempt + 2 : 2);
}

/* One that runs, as a rule: curves are complete only if many trials report before they are told. */
static void choose_running(const stage *s, const operation *o, model_call *c) {
    const model_study *m = &s->model;
    uint64_t running = 0, wanted;
    for (uint64_t k = 0; k < m->trials; k++) running += m->trial[k].state == LOCBO_RUNNING;
    if (o->c % 4 == 3 || running == 0) {
        choose_trial(s, o, c);
        return;
    }
    wanted = o->a % running;
    for (c->trial = 1; m->trial[c->trial - 1].state != LOCBO_RUNNING || wanted-- > 0;) c->trial++;
    c->attempt = m->trial[c->trial - 1].attempt;
}

static model_call resolve(stage *s, const operation *o) {
    model_call c = {.kind = (call_kind)o->kind, .worker = o->worker, .number = s->number, .x = {NAN, NAN}};
    double given = (double)(1 + o->a) / 1001;
    s->number += 10;
    switch (c.kind) {
    case CALL_ASK_FIXED:
    case CALL_ASK:
    case CALL_ASK_MANY:
    case CALL_ASK_WAITING:
        c.lease = CHOOSE(o->a, 1500, 0, 500, 60500, 7 * DAY + 500, INFINITY);
        c.limit = o->b % 8 == 7 ? 1 + o->c % 8 : 0;
        c.more = o->b % 8 == 6;
        c.x[0] = given;
        break;
    case CALL_ENQUEUE:
        c.x[0] = given;
        c.x[1] = o->b % 3 == 2 ? (double)NAN : given;
        break;
    case CALL_IMPORT:
        c.x[0] = c.x[1] = given;
        c.count = 1 + o->b % 5;
        break;
    case CALL_FORGET:
        c.worker = (int)(o->a % MODEL_WORKERS);
        break;
    case CALL_PLAN:
        c.lease = CHOOSE(o->a, 500, 2500, 60500);
        c.limit = (uint64_t)CHOOSE(o->b, 0, 5, 20);
        c.lost = o->c % 4;
        break;
    case CALL_REPORT: /* curves of a few steps: some end far above all results */
        choose_running(s, o, &c);
        c.count = 1 + o->b % 5;
        c.step = o->b % 3 ? 1 : 1 + o->b % 4;
        c.value = CHOOSE(o->a / 7, 5, 50, 20, 200, 30, 1e5, 90, 80, NAN, 40, 10, 1e5);
        break;
    default:
        choose_trial(s, o, &c);
        c.lease = CHOOSE(o->b, 500, 1500, 60500, INFINITY);
        c.delay = CHOOSE(o->b, 0, 0, 1500, 60500);
        c.how = (int)(o->a % 3);
        c.count = 1 + o->b % 3;
    }
    return c;
}

/* ---- in plain words ------------------------------------------------------------------------------ */

static void say(const stage *s, const operation *o, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(const stage *s, const operation *o, const char *format, ...) {
    char text[64];
    va_list words;
    if (!s->trace) return;
    sequence_print(o, text);
    fprintf(s->trace, "%s  # ", text);
    va_start(words, format);
    vfprintf(s->trace, format, words);
    va_end(words);
    fputc('\n', s->trace);
}

static void describe(const model_call *c, char text[256]) {
    const char *name = model_call_name(c->kind);
    int used = snprintf(text, 256, "w%d %s", c->worker, name);
    char *end = text + used;
    size_t room = 256 - (size_t)used;
    switch (c->kind) {
    case CALL_ASK_FIXED:
    case CALL_ASK:
    case CALL_ASK_MANY:
    case CALL_ASK_WAITING:
        snprintf(end, room, ", lease %g s%s%s", c->lease, c->limit ? ", a limit" : "", c->more ? ", more" : "");
        break;
    case CALL_PLAN:
        snprintf(end, room, ": trials %" PRIu64 ", lease %g s, lost %" PRIu64, c->limit, c->lease, c->lost);
        break;
    case CALL_IMPORT:
        snprintf(end, room, " %" PRIu64 " results", c->count);
        break;
    case CALL_ENQUEUE:
    case CALL_FORGET:
    case CALL_EXPIRE:
    case CALL_STOP:
    case CALL_RESUME:
    case CALL_PAUSE:
    case CALL_UNPAUSE:
        break;
    default:
        used += snprintf(end, room, " trial %" PRIu64 " attempt %" PRIu64, c->trial, c->attempt);
        end = text + used, room = 256 - (size_t)used;
        if (c->kind == CALL_TELL) snprintf(end, room, ", %" PRIu64 " values from %d", c->count, c->number);
        if (c->kind == CALL_BEAT) snprintf(end, room, ", lease %g s", c->lease);
        if (c->kind == CALL_REPORT)
            snprintf(end, room, ", %" PRIu64 " steps from %" PRIu64 ": %g", c->count, c->step, c->value);
        if (c->kind == CALL_REQUEUE)
            snprintf(end, room, ", %s, delay %g s",
                     c->how == 1   ? "a retry"
                     : c->how == 2 ? "killed"
                                   : "the same seed",
                     c->delay);
    }
}

static void describe_answer(const model_answer *a, char text[128]) {
    int used = snprintf(text, 128, "%s", a->status == LOCBO_OK ? "ok" : locbo_status_text(a->status));
    for (size_t i = 0; i < MODEL_MANY && a->given[i].trial && used < 100; i++)
        used += snprintf(text + used, 128 - (size_t)used, "%s trial %" PRIu64 " attempt %" PRIu64, i ? "," : ":",
                         a->given[i].trial, a->given[i].attempt);
    if (a->count > 0 && (a->given[0].retries || a->given[0].lost) && used < 100)
        snprintf(text + used, 128 - (size_t)used, ", retries %" PRIu64 ", lost %" PRIu64, a->given[0].retries,
                 a->given[0].lost);
    if (a->requeued) snprintf(text + used, 128 - (size_t)used, ": %" PRIu64 " wait again", a->requeued);
}

/* ---- the operations ------------------------------------------------------------------------------ */

static int check_answer(const stage *s, const model_call *c, const model_answer *found, const model_answer *wanted,
                        const char *said) {
    char call[256], a[128], b[128];
    if (model_same_answer(found, wanted)) {
        if (found->status != LOCBO_OK || !said[0]) return 1;
        snprintf(s->why, DATABASE_WHY, "%.400s", said);
        return 0;
    }
    describe(c, call);
    describe_answer(found, a);
    describe_answer(wanted, b);
    snprintf(s->why, DATABASE_WHY, "%.200s: %.120s, but the model says %.120s", call, a, b);
    return 0;
}

static void remember(worker *w, const model_given *given) {
    if (w->held == HELD) {
        memmove(w->given, w->given + 1, (HELD - 1) * sizeof *w->given);
        w->held--;
    }
    w->given[w->held++] = *given;
}

/* The study's stamp differs after each change; and it counts as the model does. */
static int check_stamp(stage *s, connection *at) {
    locbo_error error = {LOCBO_OK, ""};
    locbo_pulse pulse = {.stamp = 0};
    uint64_t last = s->stamp;
    locbo_status status = locbo_study_pulse(at->study, &pulse, &error);
    s->stamp = pulse.stamp;
    if (status != LOCBO_OK)
        snprintf(s->why, DATABASE_WHY, "%s", error.message);
    else if (pulse.trials != s->model.trials || pulse.events != s->model.events)
        snprintf(s->why, DATABASE_WHY, "the pulse counts %" PRIu64 " trials and %" PRIu64 " events", pulse.trials,
                 pulse.events);
    else if (pulse.stamp == last && !model_same_state(&s->model, &s->before))
        snprintf(s->why, DATABASE_WHY, "the stamp of the pulse is the same after a change");
    return !s->why[0];
}

static int make_call(stage *s, const operation *o, const model_call *c, uint64_t token) {
    worker *w = &s->worker[o->worker];
    char call[256], answer[128], said[DATABASE_WHY];
    s->before = s->model;
    model_answer wanted = model_apply(&s->model, c);
    model_answer found = database_call(&w->at, c, token, said);
    describe(c, call);
    describe_answer(&found, answer);
    say(s, o, "%s -> %s", call, answer);
    s->figures->calls++;
    if (c->kind == CALL_REPORT && found.status == LOCBO_OK && c->trial <= s->before.trials) {
        const model_trial *was = &s->before.trial[c->trial - 1], *is = &s->model.trial[c->trial - 1];
        s->figures->ended += is->ended > was->ended;
        s->figures->kept += is->decided && !was->decided && !is->ended;
    }
    w->has_last = c->kind != CALL_BEAT && c->kind != CALL_REPORT;
    w->last = *c;
    w->answer = wanted;
    w->token = token;
    w->when = s->model.now;
    for (size_t i = 0; i < found.count; i++) remember(w, &found.given[i]);
    return check_answer(s, c, &found, &wanted, said) && check_stamp(s, &w->at);
}

/* The answer of the worker's last call was lost. If it was done, the same answer comes again and nothing changes; if it
 * was refused, it is a new call. A request is kept for a week by the clock. */
static int repeat(stage *s, const operation *o) {
    worker *w = &s->worker[o->worker];
    char call[256], answer[128], said[DATABASE_WHY];
    if (!w->has_last || fabs(w->when - s->model.now) > 6 * DAY) {
        say(s, o, "nothing to repeat");
        return 1;
    }
    s->figures->repeats++;
    model_call again = w->last;
    if (w->answer.status != LOCBO_OK) return make_call(s, o, &again, w->token);
    model_answer wanted = model_repeat(&s->model, &again, &w->answer);
    model_answer found = database_call(&w->at, &again, w->token, said);
    describe(&again, call);
    describe_answer(&found, answer);
    say(s, o, "again: %s -> %s", call, answer);
    return check_answer(s, &again, &found, &wanted, said);
}

static int step_clock(stage *s, const operation *o) {
    double step =
        CHOOSE(o->a, 1000, 1000, 2000, 3000, 61000, DAY, 3 * DAY, -1000, -2000, -61000, -DAY, -3 * DAY, 1000, 2000);
    s->model.now += step;
    s->figures->clock_steps++;
    database_step(&s->worker[o->worker].at, s->model.now, step);
    say(s, o, "the clock steps by %+g s", step);
    return 1;
}

static int open_again(stage *s, const operation *o) {
    worker *w = &s->worker[o->worker];
    connection new_one;
    database_close(&w->at);
    database_open(&new_one);
    if (o->kind == (int)OTHER_CRASH) {
        *w = (worker){.held = 0};
        s->figures->crashes++;
    }
    w->at = new_one;
    say(s, o, o->kind == (int)OTHER_CRASH ? "w%d crashes and begins anew" : "w%d closes and opens again", o->worker);
    return 1;
}

/* Tokens outlive a study. */
static uint64_t new_token(void) {
    static uint64_t last;
    if (last == 0 && getrandom(&last, sizeof last, 0) != sizeof last) exit(1);
    return ++last;
}

static int operate(stage *s, const operation *o) {
    if (o->kind == OTHER_CLOCK) return step_clock(s, o);
    if (o->kind == OTHER_CRASH || o->kind == OTHER_REOPEN) return open_again(s, o);
    if (o->kind == OTHER_REPEAT) return repeat(s, o);
    model_call c = resolve(s, o);
    return make_call(s, o, &c, new_token());
}

/* Half of the sequences begin with complete curves: by chance there are seldom enough of them to end others early. */
static int begin(stage *s, const operation *first) {
    enum { COMPLETE = 6 };
    int good = 1;
    for (uint64_t k = 1; k <= COMPLETE && good && first->worker % 2 == 0; k++) {
        const model_call calls[] = {
            {.kind = CALL_ASK, .lease = INFINITY, .x = {NAN, NAN}},
            {.kind = CALL_REPORT, .trial = k, .attempt = 1, .count = 6, .step = 1, .value = 20 + 5 * (double)k},
            {.kind = CALL_TELL, .trial = k, .attempt = 1, .count = 1, .number = 10 + (int)k}};
        for (int i = 0; i < 3 && good; i++) good = make_call(s, first, &calls[i], new_token());
    }
    return good;
}

int playback_run(const sequence *q, int often, FILE *trace, playback_figures *figures, char why[DATABASE_WHY]) {
    static stage s;
    enum { NOW_AND_THEN = 16 };
    int good = 1;
    s = (stage){.number = 20, .trace = trace, .figures = figures, .why = why};
    model_init(&s.model);
    s.model.seed = database_seed();
    s.model.now = START;
    database_step(NULL, START, 0);
    database_new_study("random");
    for (int i = 0; i < MODEL_WORKERS; i++) database_open(&s.worker[i].at);
    why[0] = '\0';
    if (q->count > 0) good = begin(&s, &q->operation[0]);
    for (size_t i = 0; i < q->count && good && model_has_room(&s.model); i++) {
        good = operate(&s, &q->operation[i]);
        if (good && (often || i % NOW_AND_THEN == 0 || i + 1 == q->count))
            good = database_equals(&s.worker[0].at, &s.model, why);
    }
    for (int i = 0; i < MODEL_WORKERS; i++) database_close(&s.worker[i].at);
    return !good;
}
