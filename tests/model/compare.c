/* compare.c - whether the database holds what the model holds: every trial, every result in its order and with its
 * event number, the outputs, the counts. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "database.h"

typedef struct comparison {
    const model_study *model;
    double now;    /* of the database */
    uint64_t next; /* trial number */
    uint64_t running, outputs;
    size_t steps; /* found so far */
    char *why;    /* empty: no difference so far */
} comparison;

__attribute__((format(printf, 2, 3))) static int differs(const comparison *k, const char *format, ...) {
    va_list words;
    int used = k->next ? snprintf(k->why, DATABASE_WHY, "trial %" PRIu64 ": ", k->next) : 0;
    va_start(words, format);
    vsnprintf(k->why + used, DATABASE_WHY - (size_t)used, format, words);
    va_end(words);
    return 0;
}

static int same_count(const comparison *k, const char *what, uint64_t found, uint64_t wanted) {
    return found == wanted || differs(k, "%s %" PRIu64 ", the model has %" PRIu64, what, found, wanted);
}

static int same_text(const comparison *k, const char *what, const char *found, const char *wanted) {
    return strcmp(found, wanted) == 0 || differs(k, "%s '%s', the model has '%s'", what, found, wanted);
}

/* Both as seconds from now. The clock of a server goes on while the test runs; steps and leases are far larger. */
static int same_lease(const comparison *k, double found, double wanted) {
    double left = found - k->now, model_left = wanted - k->model->now;
    if (isinf(wanted) && isnan(found)) return 1;
    return fabs(left - model_left) < (database_is_postgres() ? 400 : 0.01) ||
           differs(k, "the lease ends in %.3f s, in the model in %.3f s", left, model_left);
}

static int same_point(const comparison *k, const double *found, const double *wanted) {
    for (size_t j = 0; j < MODEL_DIM; j++)
        if (!isnan(wanted[j]) && found[j] != wanted[j])
            return differs(k, "coordinate %zu is %g, in the model %g", j, found[j], wanted[j]);
    return 1;
}

/* The measurements are those of the model's events, in their order, under their numbers. */
static int same_measurements(const comparison *k, const locbo_record *r) {
    uint64_t i = 0;
    for (uint64_t e = 1; e <= k->model->events; e++) {
        const model_event *event = &k->model->event[e - 1];
        if (event->trial != k->next || !event->is_value) continue;
        if (i == r->count) return differs(k, "the result of event %" PRIu64 ", %g, is lost", e, event->value);
        if (!same_count(k, "event number", r->sequence[i], e)) return 0;
        if (r->measurements[i].value != event->value)
            return differs(k, "event %" PRIu64 " is the result %g, in the model %g", e, r->measurements[i].value,
                           event->value);
        i++;
    }
    return same_count(k, "number of results", r->count, i);
}

static int same_record(const comparison *k, const locbo_record *r, const model_trial *t) {
    char worker[16] = "", message[32] = "";
    if (t->worker != MODEL_NOBODY) snprintf(worker, sizeof worker, "w%d", t->worker);
    if (t->message) snprintf(message, sizeof message, "call %d", t->message);
    int same = same_text(k, "state", locbo_state_name(r->state), locbo_state_name(t->state)) &&
               same_count(k, "attempt", r->attempt, t->attempt) && same_count(k, "retries", r->retries, t->retries) &&
               same_count(k, "results at its proposal", r->trial.told, t->told) &&
               same_count(k, "open trials at its proposal", r->trial.pending, t->pending) &&
               same_count(k, "failure event", r->failure, t->failure) && same_text(k, "worker", r->worker, worker) &&
               (t->state != LOCBO_RUNNING || same_lease(k, r->lease, t->lease)) && same_point(k, r->x, t->x) &&
               same_measurements(k, r);
    if (same && (r->decision != NULL) != t->decided)
        return differs(k, "%s decision to end it", r->decision ? "there is a" : "there is no");
    if (same && t->decided)
        same = same_count(k, "event of its early end", r->decision->event, t->ended) &&
               ((r->decision->incumbent == t->incumbent && r->decision->tau == t->tau) ||
                differs(k, "decided by %.17g and %.17g, in the model %.17g and %.17g", r->decision->incumbent,
                        r->decision->tau, t->incumbent, t->tau));
    if (same && t->message == MODEL_LOST_MESSAGE) return r->message[0] || differs(k, "it failed without a reason");
    same = same && same_count(k, "lost attempts", r->lost, t->lost);
    return same && same_text(k, "message", r->message, message);
}

static int compare_record(const locbo_record *r, void *user) {
    comparison *k = user;
    k->next++;
    if (!same_count(k, "trial number", r->trial.id, k->next)) return 1;
    if (k->next > k->model->trials) return 1;
    return !same_record(k, r, &k->model->trial[k->next - 1]);
}

static int has_step(const model_study *m, const locbo_curve *c, const locbo_step *s) {
    for (size_t i = 0; i < m->steps; i++) {
        const model_step *t = &m->step[i];
        if (t->trial == c->trial && t->attempt == c->attempt && t->step == s->step) return t->value == s->value;
    }
    return 0;
}

static int compare_curve(const locbo_curve *c, void *user) {
    comparison *k = user;
    for (size_t i = 0; i < c->count; i++)
        if (!has_step(k->model, c, &c->steps[i]))
            return !differs(k, "trial %" PRIu64 ", attempt %" PRIu64 ": the model has not step %" PRIu64, c->trial,
                            c->attempt, c->steps[i].step);
    k->steps += c->count;
    return 0;
}

/* Every step is there, and what follows from all of it. */
static int same_curves(locbo_study *study, comparison *k, locbo_error *error) {
    locbo_ended e = {.struct_size = sizeof e};
    locbo_status status = locbo_study_each_curve(study, 0, compare_curve, k, error);
    if (status == LOCBO_OK) status = locbo_study_ended(study, &e, error);
    if (status != LOCBO_OK) return differs(k, "%s", error->message);
    if (k->why[0]) return 0;
    double tau = model_tau(k->model);
    if (e.tau != tau) return differs(k, "tau is %.17g, in the model %.17g", e.tau, tau);
    return same_count(k, "number of steps", k->steps, k->model->steps);
}

static int compare_running(const char *worker, uint64_t trial, double lease, void *user) {
    comparison *k = user;
    (void)worker, (void)lease;
    k->running += trial > 0;
    if (trial == 0) differs(k, "'%s' computes a proposal, though no call is under way", worker);
    return k->why[0] != '\0';
}

static int compare_output(uint64_t attempt, const locbo_output *output, void *user) {
    comparison *k = user;
    const model_print *wanted = NULL;
    for (size_t i = 0; i < k->model->outputs; i++)
        if (k->model->output[i].trial == k->next && k->model->output[i].attempt == attempt)
            wanted = &k->model->output[i];
    k->outputs++;
    if (!wanted) return !differs(k, "an output of attempt %" PRIu64 ", the model has none", attempt);
    return !same_count(k, "exit code of the output", (uint64_t)output->exit_code, (uint64_t)wanted->number);
}

/* Trials are at one point if they are the same, or were given the same values: a proposal is at a point of its own. */
static int is_same_point(const model_study *m, uint64_t a, uint64_t b) {
    const double *x = m->trial[a - 1].x, *y = m->trial[b - 1].x;
    for (size_t i = 0; a != b && i < MODEL_DIM; i++)
        if (!(x[i] == y[i])) return 0;
    return 1;
}

/* The first trial at the point with the best mean. */
static uint64_t best_trial(const model_study *m) {
    uint64_t best = 0;
    double least = 0;
    for (uint64_t e = 0; e < m->events; e++) {
        if (!m->event[e].is_value) continue; /* a change has no trial */
        uint64_t first = m->event[e].trial;
        double sum = 0, count = 0;
        for (uint64_t i = 0; i < m->events; i++) {
            if (!m->event[i].is_value || !is_same_point(m, m->event[i].trial, m->event[e].trial)) continue;
            if (m->event[i].trial < first) first = m->event[i].trial;
            sum += m->event[i].value;
            count++;
        }
        if (best && !(sum / count < least)) continue;
        best = first;
        least = sum / count;
    }
    return best;
}

static int same_census(const comparison *k, const locbo_census *c) {
    const model_study *m = k->model;
    uint64_t state[LOCBO_STATES] = {0}, values = 0;
    char reason[32] = "";
    for (uint64_t i = 0; i < m->trials; i++) state[m->trial[i].state]++;
    for (uint64_t e = 0; e < m->events; e++) values += m->event[e].is_value != 0;
    if (m->stopped) snprintf(reason, sizeof reason, "call %d", m->stopped);
    for (int i = 0; i < LOCBO_STATES; i++)
        if (!same_count(k, locbo_state_name((locbo_state)i), c->state[i], state[i])) return 0;
    return same_count(k, "number of trials", c->trials, m->trials) &&
           same_count(k, "number of events", c->events, m->events) &&
           same_count(k, "number of results", c->measurements, values) &&
           same_count(k, "best trial", c->best_trial, best_trial(m)) &&
           same_count(k, "stopped", (uint64_t)c->stopped, m->stopped != 0) &&
           same_text(k, "reason to stop", c->stop_reason, reason) &&
           same_count(k, "paused", (uint64_t)c->paused, m->paused != 0);
}

static int same_outputs(locbo_study *study, comparison *k, locbo_error *error) {
    k->outputs = 0;
    for (k->next = 1; k->next <= k->model->trials && !k->why[0]; k->next++)
        if (locbo_study_each_output(study, k->next, compare_output, k, error) != LOCBO_OK)
            return differs(k, "%s", error->message);
    k->next = 0;
    return !k->why[0] && same_count(k, "number of outputs", k->outputs, k->model->outputs);
}

int database_equals(connection *c, const model_study *m, char why[DATABASE_WHY]) {
    locbo_error error = {LOCBO_OK, ""};
    locbo_census census;
    comparison k = {.model = m, .why = why};
    why[0] = '\0';
    locbo_status status = locbo_study_census(c->study, &census, &error);
    k.now = census.now;
    if (status == LOCBO_OK) status = locbo_study_each(c->study, NULL, compare_record, &k, &error);
    k.next = 0;
    if (status == LOCBO_OK && !why[0]) status = locbo_study_each_running(c->study, compare_running, &k, &error);
    if (status != LOCBO_OK) return differs(&k, "%s", error.message);
    if (why[0]) return 0;
    return same_curves(c->study, &k, &error) && same_census(&k, &census) &&
           same_count(&k, "running trials", k.running, census.state[LOCBO_RUNNING]) &&
           (m->outputs == 0 || same_outputs(c->study, &k, &error));
}
