/* demo_live.c - a study of `locbo demo` that continues: two workers in one process, each with its
 * trial, its heartbeats and its time. Layer: demo. */
#include "demo_live.h"

#include <math.h>

#include "clock.h"
#include "demo_study.h"
#include "draw.h"
#include "interrupt.h"

enum { WORKERS = 2, MORE_TRIALS = 100 };
static const char *const names[WORKERS] = {"live-1", "live-2"};
static const double TAKES = 2, BEAT_EVERY = 0.5, LEASE = 10; /* seconds */

typedef struct live_worker {
    int busy;
    double began, ready, next_beat; /* not busy: asks again when ready */
    locbo_assignment assignment;
    double x[DEMO_DIM];
} live_worker;

typedef struct live {
    locbo_study *study;
    const demo_problem *problem;
    live_worker workers[WORKERS];
} live;

/* Between three quarters and five quarters of the usual time, whatever the other one does. */
static double time_of(const locbo_assignment *a) {
    draw d = draw_open(a->seed, 5);
    return TAKES * (0.75 + 0.5 * draw_uniform(&d));
}

static locbo_status begin(live *l, size_t i, locbo_error *error) {
    live_worker *w = &l->workers[i];
    locbo_request request = {.struct_size = sizeof request, .worker = names[i], .lease = LEASE, .more = 1};
    locbo_status status = locbo_study_ask(l->study, &request, &w->assignment, w->x, error);
    if (status == LOCBO_ERR_STOPPED) { /* by the dashboard, which may undo it */
        w->ready = clock_now() + BEAT_EVERY;
        return status_ok(error);
    }
    if (status != LOCBO_OK) return status;
    w->busy = 1;
    w->began = clock_now();
    w->ready = w->began + time_of(&w->assignment);
    w->next_beat = w->began + BEAT_EVERY;
    return LOCBO_OK;
}

/* The live study has no end: at the end of the plan it is extended. */
static locbo_status move_plan(live *l, locbo_error *error) {
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_census census;
    locbo_status status = locbo_study_plan(l->study, &plan, error);
    if (status == LOCBO_OK) status = locbo_study_census(l->study, &census, error);
    if (status != LOCBO_OK || census.state[LOCBO_COMPLETE] < plan.trials) return status;
    plan.trials = census.state[LOCBO_COMPLETE] + MORE_TRIALS;
    return locbo_study_set_plan(l->study, &plan, error);
}

static locbo_status end(live *l, live_worker *w, locbo_error *error) {
    w->busy = 0;
    locbo_status status = demo_study_finish(l->study, l->problem, &w->assignment, w->x, clock_now() - w->began, error);
    if (status == LOCBO_ERR_STATE) return status_ok(error); /* another worker has the trial */
    return status == LOCBO_OK ? move_plan(l, error) : status;
}

/* A lease that was lost (the machine slept) is not the end: the value is still welcome. */
static locbo_status beat(live *l, live_worker *w, locbo_error *error) {
    w->next_beat = clock_now() + BEAT_EVERY;
    locbo_status status = locbo_study_beat(l->study, w->assignment.trial, w->assignment.attempt, LEASE, error);
    return status == LOCBO_ERR_STATE ? status_ok(error) : status;
}

static locbo_status step(live *l, size_t i, locbo_error *error) {
    live_worker *w = &l->workers[i];
    double now = clock_now();
    if (now >= w->ready) return w->busy ? end(l, w, error) : begin(l, i, error);
    return w->busy && now >= w->next_beat ? beat(l, w, error) : LOCBO_OK;
}

/* How long nothing is to be done. */
static double idle(const live *l, double until) {
    double now = clock_now(), next = until;
    for (size_t i = 0; i < WORKERS; i++) {
        const live_worker *w = &l->workers[i];
        next = fmin(next, w->busy ? fmin(w->ready, w->next_beat) : w->ready);
    }
    return fmax(0, next - now);
}

static void give_back(live *l) {
    for (size_t i = 0; i < WORKERS; i++) {
        const live_worker *w = &l->workers[i];
        if (w->busy)
            locbo_study_requeue(l->study, w->assignment.trial, w->assignment.attempt, LOCBO_REQUEUE_SAME, 0, NULL);
    }
}

locbo_status demo_live(locbo_study *study, const demo_problem *p, double seconds, locbo_error *error) {
    live l = {.study = study, .problem = p};
    double until = clock_now() + seconds;
    locbo_status status = LOCBO_OK;
    while (status == LOCBO_OK && clock_now() < until) {
        if (interrupt_count() > 0)
            status = status_fail(error, LOCBO_ERR_STOPPED, "interrupted; the running trials wait again");
        for (size_t i = 0; i < WORKERS && status == LOCBO_OK; i++) status = step(&l, i, error);
        if (status == LOCBO_OK) interrupt_poll(NULL, 0, idle(&l, until));
    }
    give_back(&l);
    return status;
}
