/* explain.h - whether some order of the calls on one trial, each at a moment between its beginning and its end, gives
 * every answer and the trial as it is stored (linearizability). */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "crowd.h"

enum { EXPLAIN_CALLS = 64 };

/* A call that concerns the trial. */
typedef struct explain_call {
    model_call call; /* its worker MODEL_NOBODY if that is not known */
    locbo_status status;
    model_given given; /* an ask: what it gave of this trial */
    int answered;      /* 0: it may have happened at any time after it began, or not at all */
    double begin, end; /* end: INFINITY without an answer */
    uint64_t event;    /* TELL: its first event number, which says that it happened and in which order; otherwise 0 */
} explain_call;

typedef struct explain_trial {
    model_trial stored;
    uint64_t lost_limit;
    int created; /* by a call that says which point, so not by an ask for others */
    size_t count;
    explain_call call[EXPLAIN_CALLS];
} explain_trial;

/* Returns 1 if there is such an order. Time: exponential in the number of calls at the same time, which is small. */
int explain_search(const explain_trial *t);

#endif
