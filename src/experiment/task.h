/* task.h - one run: a problem, its noise, a protocol and the optimizer's options; with a seed it gives a record. */
#ifndef TASK_H
#define TASK_H

#include <locbo/locbo.h>

#include "noise.h"
#include "problems.h"
#include "radio.h"

typedef enum task_start {
    TASK_START_UNIFORM, /* over the whole box, as the paper says */
    TASK_START_CORNERS  /* all in the first four tenths of every side, or all in the last, as the published code has it
                         */
} task_start;

typedef enum task_law {
    TASK_LAW_EXACT,
    TASK_LAW_PUBLISHED, /* the published code's formula in place of the law's expected improvement (published.h) */
    TASK_LAW_SCRIPT     /* that of its radio script, with one more mistake */
} task_law;

enum { TASK_NAME = 32, TASK_PROGRAM = 256 };

/* What one run does, but for its seed. */
typedef struct task {
    char problem[TASK_NAME]; /* one of problem_list, or "radio" */
    int move, rotate;        /* each seed has its own place of the optimum; its own axes */
    noise noise;
    int relative;     /* the scale of the noise is in units of the problem's spread */
    int channels;     /* radio: draws that make one observation */
    double shadowing; /* radio: sd of the shadow fading, dB */
    int script;       /* radio: the published code's variant */
    size_t initial;   /* points before the first round */
    task_start start; /* where they are drawn */
    size_t rounds;
    int sectors;  /* radio: a round changes one station, the others stay at the incumbent */
    int pool;     /* > 0: a proposal is the best of so many random candidates */
    size_t every; /* a row is recorded every so many rounds, and for the last */
    size_t grid;  /* one parameter only: points at which the final intervals are recorded */
    task_law law;
    char program[TASK_PROGRAM]; /* not empty: a command that proposes the points (rival.h) */
    locbo_options options;      /* seed and direction are filled in by the run */
} task;

void task_init(task *t);
/* LOCBO_ERR_ARGUMENT if it cannot be run, with the reason. */
locbo_status task_check(const task *t, locbo_error *error);

/* Where two tasks first differ, as "rounds 50 there, 60 here"; returns 0 if they do not. What only the run fills in
 * (seed, direction, symmetry of the noise) does not count. */
enum { TASK_DIFFERENCE = 160 };
int task_difference(const task *there, const task *here, char text[TASK_DIFFERENCE]);

/* How it stood after round t. Shares are over the rounds since the row before; NAN: the method has no such thing. */
typedef struct task_row {
    size_t t;
    double observed;    /* true regret of the best observed point, or its true value if the optimum is not known */
    double recommended; /* the same of the point that the model recommends */
    double covered;     /* share of the results inside the calibrated set of y */
    double covered_f;   /* share of the truths inside it */
    double interval_f;  /* share of the truths inside the interval of f */
    double utility;     /* acquisition pi: share of the rounds in which Theorem 1's event holds */
    double bound;       /* least coverage so far that the theory promises; NAN: nothing */
    double bound_f;     /* the same for the truth */
    double width;       /* of the calibrated set at this round */
    double ms;          /* CPU time a round, mean over the rounds since the row before */
    /* The last row only: the rounds with a set, in the order of their distance from the point that
     * is recommended there (Euclidean, in the unit cube), in three parts as equal as can be. */
    double near, middle, far;       /* share of the results inside the set of y, in each */
    double near_f, middle_f, far_f; /* share of the truths inside the interval of f */
} task_row;

/* The final belief at a point of the grid. */
typedef struct task_point {
    double x, truth, mean, low, high, f_low, f_high;
} task_point;

typedef struct task_record {
    size_t rows, points;
    task_row *row;
    task_point *point;
} task_record;

/* Whether it is the radio problem, whose optimum is not known: values are recorded in place of regrets. */
int task_is_radio(const task *t);
/* Whether a row is recorded after that round, of 0 to t->rounds. */
int task_records(const task *t, size_t round);
/* How many rows a record of this task has. */
size_t task_rows(const task *t);
/* Depends on the task and the seed alone, but for the times. Runs with the same seed see the same problem, initial
 * points and noise, whatever the method. */
locbo_status task_run(const task *t, uint64_t seed, task_record *record, locbo_error *error);
void task_record_release(task_record *record);

#endif
