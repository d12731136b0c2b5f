/* ask.h - an ask in progress, shared by the files that hand out trials: ask.c decides, claim.c hands out trials that
 * wait, proposer.c lets one process at a time compute, proposal.c makes new trials. */
#ifndef ASK_H
#define ASK_H

#include "identity.h"
#include "ledger.h"

typedef struct asking {
    locbo_study *study;
    locbo_request request; /* its worker is not NULL */
    int enqueue;           /* the new trial waits, and is not handed out */
    token_call write;      /* its answer: number and attempt of each trial */
    /* the study, as ask_look found it */
    double lease;           /* seconds, for trials handed out; NAN: without end */
    uint64_t limit, trials; /* largest number of trials, 0: no limit; number of the last trial */
    uint64_t evaluations;   /* largest number of trials of whatever outcome; 0: no limit */
    double budget;          /* what evaluations may cost together; NAN: no limit */
    int spent;              /* that it is reached is why there is no trial */
    uint64_t confirm;       /* how many of `limit`, the last ones, measure the recommended point */
    int waiting, expired;   /* there are trials that wait; whose lease has ended */
    char proposer[IDENTITY_TEXT];
    double proposer_until, now;
    /* what is handed out */
    size_t most, count;
    locbo_assignment *assignments;
    double *x; /* most x dim */
    /* the process, as a proposer */
    char identity[IDENTITY_TEXT];
    double next_watch, next_renewal; /* by the monotonic clock */
    uint64_t counted;                /* the trial for which it is counted among those who wait; 0: none */
} asking;

/* Columns of locbo_study, and the row function that reads them: LOCBO_ERR_CHANGED if the study was altered, and
 * LOCBO_ERR_STOPPED or LOCBO_ERR_PAUSED, except for enqueue, which is always allowed. */
#define ASK_STUDY "stop_reason, plan, trials, revision, paused"
enum { ASK_COLUMNS = 5 };
store_row_fn ask_take_study;
/* Whether a limit may be reached, by what is known of the study. */
int ask_is_limited(const asking *a);
/* Inside a transaction in which the study's row is locked or has just been read: how many of the `wanted` trials after
 * the first `before` there may be until as many as the limits say are complete, running or waiting, or cost as much as
 * they may. */
locbo_status ask_check_room(asking *a, uint64_t before, size_t wanted, size_t *room, locbo_error *error);
/* The error of an ask for which there is no trial. */
locbo_status ask_nothing(const asking *a, locbo_error *error);
/* Add a trial to those that are handed out, and to the answer. */
void ask_hand_out(asking *a, const locbo_assignment *assignment);
/* Called often while computing or waiting: LOCBO_ERR_CANCELLED if the caller wants to end. */
locbo_status ask_watch(asking *a, locbo_error *error);

/* claim.c: hand out trials that wait; a->count is 0 if none does. */
locbo_status claim_waiting(asking *a, locbo_error *error);
/* After a repeated call: hand out what it had handed out, as far as it still has it. */
locbo_status claim_again(asking *a, locbo_error *error);

/* proposer.c: one process at a time computes a proposal. The lock ends by itself when its process does not renew it,
 * and only avoids double work: results do not depend on it. */
int proposer_is_free(const asking *a);
locbo_status proposer_become(asking *a, int *won, locbo_error *error);
void proposer_renew(asking *a);
void proposer_release(asking *a);
/* Count the caller among those who wait for the next proposal, once. They are forgotten when it is made. */
void proposer_wait(asking *a);
/* It waits no longer, and got nothing. */
void proposer_leave(asking *a);
/* How many others wait now. */
uint64_t proposer_waiting(const asking *a);

/* proposal.c: make a new trial, and others for those who wait; `made` is 0 if another process has made that trial, or
 * another call of this token. */
locbo_status proposal_by_model(asking *a, int *made, locbo_error *error);
/* The same without the model: nobody else has to be waited for. */
int proposal_needs_model(const asking *a);
locbo_status proposal_at_once(asking *a, locbo_error *error);

#endif
