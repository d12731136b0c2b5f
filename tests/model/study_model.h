/* study_model.h - what a study must do, as a small state machine without a database: plain arrays, one call at a time.
 * The tests compare the library with it. */
#ifndef STUDY_MODEL_H
#define STUDY_MODEL_H

#include <locbo/study.h>

/* The calls of study.h that change a study: kind, name, weight in a random sequence. */
#define MODEL_CALLS(X)                                                                                                 \
    X(ASK, "ask", 30)                                                                                                  \
    X(ASK_WAITING, "ask-waiting", 6)                                                                                   \
    X(ASK_MANY, "ask-many", 8)                                                                                         \
    X(ASK_FIXED, "ask-fixed", 3)                                                                                       \
    X(ENQUEUE, "enqueue", 5)                                                                                           \
    X(BEAT, "beat", 8)                                                                                                 \
    X(TELL, "tell", 22)                                                                                                \
    X(FAIL, "fail", 5)                                                                                                 \
    X(INFEASIBLE, "infeasible", 3)                                                                                     \
    X(REQUEUE, "requeue", 8)                                                                                           \
    X(FORGET, "forget", 4)                                                                                             \
    X(EXPIRE, "expire", 4)                                                                                             \
    X(STOP, "stop", 1)                                                                                                 \
    X(RESUME, "resume", 3)                                                                                             \
    X(PLAN, "plan", 2)                                                                                                 \
    X(IMPORT, "import", 2)                                                                                             \
    X(OUTPUT, "output", 3)                                                                                             \
    X(RETRACT, "retract", 3)                                                                                           \
    X(FAIL_LATER, "fail-later", 2)                                                                                     \
    X(PAUSE, "pause", 1)                                                                                               \
    X(UNPAUSE, "unpause", 4)                                                                                           \
    X(REPORT, "report", 40)

typedef enum call_kind {
#define KIND(kind, name, weight) CALL_##kind,
    MODEL_CALLS(KIND)
#undef KIND
        CALL_KINDS
} call_kind;

enum { MODEL_NOBODY = -1, MODEL_WORKERS = 4, MODEL_DIM = 2 };

typedef struct model_call {
    call_kind kind;
    int worker; /* that asks; FORGET: that is forgotten */
    uint64_t trial, attempt;
    double lease, delay;        /* seconds. INFINITY: without end; a lease of 0: the plan's */
    int how;                    /* REQUEUE: 0 the same seed, 1 a retry, 2 killed */
    uint64_t more, limit, lost; /* ASK, PLAN */
    double x[MODEL_DIM];        /* ASK_FIXED, ENQUEUE: NAN where free; IMPORT: of every row */
    uint64_t count;             /* of values: number, number + 1, ... */
    int number;                 /* different for each call: the first value, in messages, in outputs */
    uint64_t step;              /* REPORT: the first of `count` steps in a row, all with the value: */
    double value;
} model_call;

enum { MODEL_MANY = 3 }; /* asked for by ASK_MANY */

typedef struct model_given {
    uint64_t trial, attempt, retries, lost;
} model_given;

typedef struct model_answer {
    locbo_status status;
    size_t count;                  /* ASK: number of trials handed out */
    model_given given[MODEL_MANY]; /* by number. ENQUEUE: its trial, IMPORT: the first */
    uint64_t requeued;             /* FORGET, EXPIRE; REPORT: whether it is to be ended */
} model_answer;

typedef struct model_trial {
    locbo_state state;
    uint64_t attempt, retries, lost;
    int worker;       /* MODEL_NOBODY: none yet */
    int lease_ended;  /* it waits because its lease has ended */
    double lease;     /* RUNNING: when it ends; WAITING: not handed out before; INFINITY, -INFINITY: never, at once */
    double length;    /* seconds of the lease or the delay */
    uint64_t failure; /* event number, or 0 */
    int message;      /* number of the call that ended it without a result; 0: none */
    double x[MODEL_DIM];    /* as given; NAN: proposed */
    uint64_t told, pending; /* results, and trials that waited or ran, when it was proposed */
    int decided;            /* it could be ended early: */
    uint64_t ended;         /* the event by which it was; 0: it was kept */
    double incumbent, tau;
} model_trial;

/* ---- one trial: LOCBO_OK and the change, or an error and no change ------------------------------ */

locbo_status model_hand_out(model_trial *t, uint64_t attempt, int worker, double now, double length);
/* An attempt whose lease had ended and that is heard of again was not lost. */
locbo_status model_beat(model_trial *t, uint64_t attempt, double now, double length);
locbo_status model_tell(model_trial *t, uint64_t attempt);
locbo_status model_end(model_trial *t, uint64_t attempt, locbo_state state, int message);
locbo_status model_requeue(model_trial *t, uint64_t attempt, int how, double now, double delay);
locbo_status model_output(const model_trial *t, uint64_t attempt);
/* A running attempt ends with its worker. Returns 1 if it was one too many: the trial has failed. */
int model_lose(model_trial *t, int lease_ended, uint64_t limit);

/* ---- a study ------------------------------------------------------------------------------------ */

enum { MODEL_TRIALS = 512, MODEL_EVENTS = 1024, MODEL_OUTPUTS = 256, MODEL_STEPS = 1024, MODEL_LOST_MESSAGE = -1 };

typedef struct model_event { /* event number k is entry k - 1 */
    uint64_t trial, attempt;
    int is_value; /* it is a result, and was not taken back */
    double value;
} model_event;

typedef struct model_print {
    uint64_t trial, attempt;
    int number;
} model_print;

typedef struct model_step { /* in the order reported: those of an attempt grow */
    uint64_t trial, attempt, step;
    double value;
} model_step;

typedef struct model_study {
    double now;
    uint64_t seed;        /* of the coin */
    int stopped, paused;  /* number of the call, or 0 */
    uint64_t limit, lost; /* of the plan: trials wanted, times that one may be lost */
    uint64_t given_lost;  /* the same as given */
    uint64_t retries;     /* of the plan; it does not change here */
    double lease;         /* of the plan */
    uint64_t trials, events;
    model_trial trial[MODEL_TRIALS];
    model_event event[MODEL_EVENTS];
    size_t outputs;
    model_print output[MODEL_OUTPUTS];
    size_t steps;
    model_step step[MODEL_STEPS];
} model_study;

void model_init(model_study *m);
/* model_steps.c: steps of a running evaluation, which may end it early by the rule of the risk. Smaller is better. */
model_answer model_report(model_study *m, const model_call *call, model_trial *t);
/* The threshold tau, from all that has happened so far. */
double model_tau(const model_study *m);
/* A further event; returns its number. */
uint64_t model_add_event(model_study *m, uint64_t trial, uint64_t attempt, int is_value, double value);

/* Whether the arrays have room for any call. */
int model_has_room(const model_study *m);
/* The only answer that is allowed, and its effect. */
model_answer model_apply(model_study *m, const model_call *call);
/* The only answer that is allowed to a repetition of a call that was done, with the same token: it changes nothing. */
model_answer model_repeat(model_study *m, const model_call *call, const model_answer *first);
/* Whether no caller could see a difference, outputs aside. */
int model_same_state(const model_study *a, const model_study *b);
int model_same_answer(const model_answer *a, const model_answer *b);

const char *model_call_name(call_kind kind);
unsigned model_call_weight(call_kind kind);

#endif
