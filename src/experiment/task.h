/* task.h - the definition of a run: problem, noise, protocol and options of the optimizer. A task and a seed give a
 * record. */
#ifndef TASK_H
#define TASK_H

#include <locbo/locbo.h>

#include "curve_end.h"
#include "noise.h"
#include "problem_outputs.h"
#include "problems.h"
#include "radio.h"

typedef enum task_start {
    TASK_START_UNIFORM, /* over the whole box, as the paper says */
    TASK_START_CORNERS  /* all in [0, 0.4] of every side, or all in [0.6, 1], as in the published code */
} task_start;

typedef enum task_law {
    TASK_LAW_EXACT,
    TASK_LAW_PUBLISHED, /* the published code's formula of expected improvement (published.h) */
    TASK_LAW_SCRIPT     /* that of its radio script, with one more mistake */
} task_law;

/* How a method sees the outputs of a problem with several (outputs_run.h). */
typedef enum task_view {
    TASK_VIEW_MODEL,    /* as they are: a table of outputs */
    TASK_VIEW_PENALTY,  /* one output: the objective, and a penalty where constraints are measured not to hold */
    TASK_VIEW_EXIT,     /* one output, and an infeasible evaluation where they are measured not to hold */
    TASK_VIEW_SCALARIZE /* several objectives: each round another weighted maximum of them, as ParEGO has it */
} task_view;

/* Which fidelities a method evaluates, of a problem that has some (cost_run.h). */
typedef enum task_fidelity {
    TASK_FIDELITY_FULL,     /* the full one */
    TASK_FIDELITY_CHOOSE,   /* what the optimizer asks for */
    TASK_FIDELITY_HYPERBAND /* random points, by successive halving */
} task_fidelity;

/* How the optimizer knows what an evaluation costs. */
typedef enum task_price {
    TASK_PRICE_GIVEN,   /* from an expression, before */
    TASK_PRICE_MEASURED /* from a number, after it */
} task_price;

/* What a round of a problem with a fidelity is. */
typedef enum task_count {
    TASK_COUNT_COST,       /* the cost of a full evaluation */
    TASK_COUNT_EVALUATIONS /* an evaluation, whatever it costs */
} task_count;

enum { TASK_NAME = 32, TASK_PROGRAM = 256 };
typedef char task_name[TASK_NAME];

/* The settings of a task, one row each: SETTING(kind, type, name, default, words). The row defines the member of the
 * struct and the key in a file, and how the value is read, compared and printed. */
/* clang-format off */
#define TASK_SETTINGS(SETTING)                                                                                         \
    SETTING(TEXT,   task_name,  problem,   "", NULL) /* of problem_find, problem_outputs_find or          \
                                                       * problem_fidelity_find, or "radio" */                          \
    SETTING(FLAG,   int,        move,      0, NULL)  /* each seed moves the optimum */                                 \
    SETTING(FLAG,   int,        rotate,    0, NULL)  /* each seed rotates the axes */                                  \
    SETTING(FLAG,   int,        conditional, 0, NULL) /* the space says where a parameter does not count */            \
    SETTING(NOISE,  noise,      noise,     {0}, NULL)                                                                  \
    SETTING(FLAG,   int,        relative,  0, NULL)  /* the scale of the noise is in units of the problem's spread */  \
    SETTING(INT,    int,        channels,  1, NULL)  /* radio: channel draws per observation */                        \
    SETTING(REAL,   double,     shadowing, 0, NULL)  /* radio: sd of the shadow fading, dB */                          \
    SETTING(FLAG,   int,        script,    0, NULL)  /* radio: the published code's variant */                         \
    SETTING(SIZE,   size_t,     initial,   5, NULL)  /* points before the first round */                               \
    SETTING(CHOICE, task_start, start,     0, starts) /* where they are drawn */                                       \
    SETTING(SIZE,   size_t,     rounds,    50, NULL)                                                                   \
    SETTING(SIZE,   size_t,     batch,     1, NULL)  /* so many trials are asked for before the first is measured */    \
    SETTING(FLAG,   int,        sectors,   0, NULL)  /* radio: a round changes one station, the others stay at the     \
                                                      * incumbent */                                                   \
    SETTING(INT,    int,        pool,      0, NULL)  /* > 0: a proposal is the best of this many random candidates */  \
    SETTING(SIZE,   size_t,     every,     1, NULL)  /* a row is recorded every `every` rounds, and for the last */    \
    SETTING(SIZE,   size_t,     grid,      0, NULL)  /* one parameter only: points at which the final intervals are    \
                                                      * recorded */                                                    \
    SETTING(CHOICE, task_law,   law,       0, laws)                                                                    \
    SETTING(CHOICE, task_view,  outputs,   0, views) /* how the method sees several outputs */                         \
    SETTING(CHOICE, task_fidelity, fidelity, 0, fidelities) /* which fidelities are evaluated */                       \
    SETTING(CHOICE, task_price, cost,      0, prices) /* how the optimizer knows it */                                 \
    SETTING(CHOICE, curve_rule, end,       0, ends)  /* which evaluations are ended early */                           \
    SETTING(REAL,   double,     end_risk,  0.05, NULL) /* end risk: the share of the evaluations that may be ended by  \
                                                        * mistake */                                                   \
    SETTING(SIZE,   size_t,     end_from,  1, NULL)  /* the first step after which a rule may end one */               \
    SETTING(FLAG,   int,        go_on,     0, NULL)  /* hyperband: a better point's evaluation goes on where it ended */ \
    SETTING(CHOICE, task_count, count,     0, counts) /* what a round is */                                            \
    SETTING(SIZE,   size_t,     target,    0, NULL)  /* the round whose regret others are to reach; 0: the last */
/* clang-format on */

typedef enum task_kind { TASK_TEXT, TASK_FLAG, TASK_INT, TASK_SIZE, TASK_REAL, TASK_CHOICE, TASK_NOISE } task_kind;

/* A row of the table: its value is at `offset` in a task. */
typedef struct task_setting {
    const char *key;
    task_kind kind;
    size_t offset;
    const char *const *words; /* TASK_CHOICE: in the order of the enum, NULL at the end */
} task_setting;

extern const task_setting task_settings[]; /* `key` NULL at the end */

/* All that defines a run except its seed. */
typedef struct task {
#define TASK_MEMBER(kind, type, name, ...) type name;
    TASK_SETTINGS(TASK_MEMBER)
    char program[TASK_PROGRAM]; /* not empty: the command of an external method (external.h) */
    locbo_options options;      /* the run sets seed and direction */
} task;

void task_init(task *t);
/* LOCBO_ERR_ARGUMENT if it cannot be run, with the reason. */
locbo_status task_check(const task *t, locbo_error *error);

/* The first difference of two tasks, as "rounds 50 there, 60 here"; returns 0 if there is none. Options that the run
 * sets itself (seed, direction, symmetry of the noise) are not compared. */
enum { TASK_DIFFERENCE = 160 };
int task_difference(const task *there, const task *here, char text[TASK_DIFFERENCE]);

/* How the number of a run is computed from its rows. */
typedef enum task_of_run {
    TASK_MERIT, /* the last; its name in the file begins with regret_, or value_ if the optimum is not known */
    TASK_LAST,
    TASK_MEAN,  /* over all rounds; each row has the mean over the rounds since the previous row */
    TASK_MEDIAN /* over the rows, since it may be infinite */
} task_of_run;

/* The columns of a recorded row: COLUMN(name, NAME, since, of_run). Each line defines the member of the struct, the
 * column of the file, SAMPLE_NAME and the number of a run. `since`: the first version of the file that has it; new
 * columns are added at the end. NAN: not defined for the method. */
/* clang-format off */
#define TASK_COLUMNS(COLUMN)                                                                                           \
    COLUMN(observed,    OBSERVED,    1, MERIT)  /* true regret or value of the best observed point */                  \
    COLUMN(recommended, RECOMMENDED, 1, MERIT)  /* the same of the point that the model recommends */                  \
    COLUMN(covered,     COVERED,     1, MEAN)   /* share of the results inside the calibrated set of y */              \
    COLUMN(covered_f,   COVERED_F,   1, MEAN)   /* share of the truths inside it */                                    \
    COLUMN(interval_f,  INTERVAL_F,  1, MEAN)   /* share of the truths inside the interval of f */                     \
    COLUMN(utility,     UTILITY,     1, MEAN)   /* acquisition pi: share of the rounds with Theorem 1's event */       \
    COLUMN(bound,       BOUND,       1, LAST)   /* guaranteed coverage so far; NAN: no guarantee */                    \
    COLUMN(bound_f,     BOUND_F,     1, LAST)   /* the same for the truth */                                           \
    COLUMN(width,       WIDTH,       1, MEDIAN) /* of the calibrated set at this round */                              \
    COLUMN(ms,          MS,          1, MEAN)   /* CPU time per round */                                               \
    /* The last row only: the rounds with a set, sorted by distance from the recommended point (Euclidean, in the unit \
     * cube) and split into three parts of equal size, or nearly. */                                                   \
    COLUMN(near,        NEAR,        2, LAST)   /* share of the results inside the set of y, in each */                \
    COLUMN(middle,      MIDDLE,      2, LAST)                                                                          \
    COLUMN(far,         FAR,         2, LAST)                                                                          \
    COLUMN(near_f,      NEAR_F,      2, LAST)   /* share of the truths inside the interval of f */                     \
    COLUMN(middle_f,    MIDDLE_F,    2, LAST)                                                                          \
    COLUMN(far_f,       FAR_F,       2, LAST)                                                                          \
    /* The interval of f at the recommended point; NAN: there is none. */                                              \
    COLUMN(holds,       HOLDS,       3, LAST)   /* 1: it holds the truth, 0: it does not; NAN: f is neither mean nor   \
                                                 * median of the noise's law */                                        \
    COLUMN(holds_width, HOLDS_WIDTH, 3, LAST)   /* its width in units of the problem's spread */                       \
    COLUMN(on_bound,    ON_BOUND,    3, MEAN)   /* share of the proposals with a real parameter on a bound */          \
    /* The last row only: share of the results inside the set of y, by quarters of the rounds with a set. */           \
    COLUMN(noise1,      NOISE1,      3, LAST)   /* by the true width of the noise; NAN: it is the same everywhere */   \
    COLUMN(noise2,      NOISE2,      3, LAST)                                                                          \
    COLUMN(noise3,      NOISE3,      3, LAST)                                                                          \
    COLUMN(noise4,      NOISE4,      3, LAST)                                                                          \
    COLUMN(truth1,      TRUTH1,      3, LAST)   /* by the truth, the best quarter first */                             \
    COLUMN(truth2,      TRUTH2,      3, LAST)                                                                          \
    COLUMN(truth3,      TRUTH3,      3, LAST)                                                                          \
    COLUMN(truth4,      TRUTH4,      3, LAST)                                                                          \
    /* Several outputs only: the recommended point, or the reported front. */                                          \
    COLUMN(feasible,    FEASIBLE,    4, LAST)   /* share of the points where all constraints truly hold; 0: no point */ \
    COLUMN(promised,    PROMISED,    4, LAST)   /* mean of the model's probabilities that they do; NAN: no model */    \
    /* Problems with a fidelity only: what has been spent so far. */                                                   \
    COLUMN(cost,        COST,        5, LAST)   /* in units of a full evaluation */                                    \
    COLUMN(evaluations, EVALUATIONS, 5, LAST)   /* those that are over */                                              \
    COLUMN(full,        FULL,        5, LAST)   /* share of the cost that was spent at full fidelity, ended or not */  \
    COLUMN(ended,       ENDED,       5, LAST)   /* evaluations that were ended early ... */                            \
    COLUMN(mistaken,    MISTAKEN,    5, LAST)   /* ... and whose last value would have been the best so far */
/* The numbers of a grid point, at the end of the run. */
#define TASK_POINTS(NUMBER)                                                                                            \
    NUMBER(x) NUMBER(truth) NUMBER(mean) NUMBER(low) NUMBER(high) NUMBER(f_low) NUMBER(f_high)
/* clang-format on */

typedef struct task_column {
    const char *name;
    int since;
    task_of_run of_run;
} task_column;

#define TASK_ONE(...) +1
enum { TASK_ROW_NUMBERS = 0 TASK_COLUMNS(TASK_ONE), TASK_POINT_NUMBERS = 0 TASK_POINTS(TASK_ONE) };
extern const task_column task_columns[TASK_ROW_NUMBERS];

/* The state after round t. */
typedef struct task_row {
    size_t t;
#define TASK_NUMBER(name, ...) double name;
    TASK_COLUMNS(TASK_NUMBER)
} task_row;

/* The columns of a row as an array, TASK_ROW_NUMBERS of them. */
double *task_numbers(const task_row *row);

/* The final prediction at a grid point. */
typedef struct task_point {
#define TASK_POINT_NUMBER(name) double name;
    TASK_POINTS(TASK_POINT_NUMBER)
} task_point;

typedef struct task_record {
    size_t rows, points;
    task_row *row;
    task_point *point;
} task_record;

/* Whether it is the radio problem, whose optimum is not known: values are recorded instead of regrets. */
int task_is_radio(const task *t);
/* Whether a row is recorded after that round, 0 to t->rounds. */
int task_records(const task *t, size_t round);
/* The number of rows of a record. */
size_t task_rows(const task *t);
/* The record depends on the task and the seed only, except for the times. Runs with the same seed have the same
 * problem, initial points and noise for every method. */
locbo_status task_run(const task *t, uint64_t seed, task_record *record, locbo_error *error);
void task_record_release(task_record *record);

#endif
