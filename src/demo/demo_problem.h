/* demo_problem.h - the simulated problems of `locbo demo`: what their studies are, and what an evaluation prints. The
 * same function serves the demo itself and `locbo demo --evaluate`, the command that the studies hold. */
#ifndef DEMO_PROBLEM_H
#define DEMO_PROBLEM_H

#include <locbo/study.h>
#include <stdint.h>

#include "buffer.h"
#include "status.h"

/* How one evaluation went, as that of any program would: result.h says what becomes of it. */
typedef struct demo_run {
    buffer out, err;
    int exit_code;
} demo_run;

enum { DEMO_DIM = 8, DEMO_WORKERS = 4 };

typedef struct demo_problem {
    const char *name, *about;      /* one line */
    const char *const *parameters; /* NAME~DIST, NULL-terminated, at most DEMO_DIM */
    const char *const *outputs;    /* as goal.h reads them, NULL-terminated; NULL: one value, in the direction given */
    const char *direction, *method;
    uint64_t filled, wanted;                 /* completed trials of the demo, and of the study's plan */
    uint64_t no_improvement;                 /* as in the plan; 0: never */
    double timeout;                          /* as in the plan; NAN: none */
    locbo_prune prune;                       /* as in the plan */
    const char *const workers[DEMO_WORKERS]; /* as many evaluate at once; ends with NULL */
    size_t given_count;                      /* points that are evaluated first */
    const double (*given)[DEMO_DIM];
    const double *queued; /* a point that waits at the end, NAN where it is left to the model; NULL: none */
    const char *stopped;  /* why it is stopped at the end; NULL: it is not */
    int running;          /* whether one trial is under way at the end */
    void (*evaluate)(const double *x, uint64_t seed, demo_run *run);
} demo_problem;

extern const demo_problem demo_problems[]; /* ends with a row whose name is NULL */
const demo_problem *demo_problem_find(const char *name);
/* Destroy it with locbo_space_destroy. */
locbo_status demo_problem_space(const demo_problem *p, locbo_space **space, locbo_error *error);
/* NULL if it has one value. Destroy it with locbo_outputs_destroy. */
locbo_status demo_problem_outputs(const demo_problem *p, locbo_outputs **outputs, locbo_error *error);
/* LOCBO_ERR_MEMORY if what it printed did not fit. Release with demo_run_release, whatever is returned. */
locbo_status demo_problem_evaluate(const demo_problem *p, const double *x, uint64_t seed, demo_run *run,
                                   locbo_error *error);
void demo_run_release(demo_run *run);

#endif
