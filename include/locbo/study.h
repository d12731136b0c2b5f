/* study.h - studies that survive: what happened is kept in a database, by whoever takes part, on one machine or many.
 *
 * This header is the manual of the study library (liblocbo-study). The short story:
 *
 *     locbo_store_open        the database: "sqlite:file.db" or "postgresql://..."
 *     locbo_study_create      or locbo_study_open: one study in it, by name
 *     locbo_study_ask         a trial to evaluate: one that waits, or a new proposal
 *     locbo_study_beat        still at it
 *     locbo_study_tell        what was measured; on disk before the call returns
 *     locbo_study_optimizer   the optimizer as the facts have it: best, recommend, predict, summary
 *
 * The facts are the state. Nothing is kept between calls that another process would miss: every call is one short
 * transaction, and a proposal is computed from what the database holds, outside any transaction. Any number of
 * processes may share a study, be killed at any moment, and come back. On one machine they compute the same bits: the
 * k-th proposal depends on the seed, the options, k and the results told so far.
 *
 * The life of a trial
 *
 *     WAITING --ask--> RUNNING --tell--> COMPLETE
 *        ^               |  \--tell_failed, tell_infeasible--> FAILED, INFEASIBLE
 *        \--requeue------/
 *
 * A running trial is leased: unless the lease is renewed (beat) before it ends, the trial waits again and somebody else
 * gets it, with the next attempt number. What a past attempt says is known by its number: a value is kept, always
 * (it was measured there), and completes the trial; a failure, a requeue or a heartbeat is refused (LOCBO_ERR_STATE).
 *
 * Conventions are those of locbo.h, that of settings and their struct_size too. A store and its studies belong to one
 * thread at a time. Times are seconds since 1970 by the database's clock. Texts are UTF-8. */
#ifndef LOCBO_STUDY_H
#define LOCBO_STUDY_H

#include <locbo/locbo.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The database ------------------------------------------------------------------------------ */

typedef struct locbo_store locbo_store;
typedef struct locbo_study locbo_study;

typedef enum locbo_store_mode {
    LOCBO_STORE_EXISTING = 0, /* it must be there; an older schema is upgraded */
    LOCBO_STORE_CREATE = 1,   /* it is made if it is not there */
    LOCBO_STORE_READ_ONLY = 2 /* never writes, never blocks a writer */
} locbo_store_mode;

/* `url`: "sqlite:PATH", a plain PATH, or "postgresql://..." ("postgres://..."), where libpq's own means (environment,
 * password file, service file) complete it. Errors: LOCBO_ERR_NOT_FOUND (no such file), LOCBO_ERR_SCHEMA (not a locbo
 * database, or newer than this library), LOCBO_ERR_BUSY (busy or unreachable), LOCBO_ERR_IO (read-only, full, damaged),
 * LOCBO_ERR_ARGUMENT (the url; a network file system under SQLite). On error nothing has been changed. */
LOCBO_API locbo_status locbo_store_open(locbo_store **store, const char *url, locbo_store_mode mode,
                                        locbo_error *error);
/* Called while the database is busy or cannot be reached: `why` in one line, `waited` seconds so far. Return 0 to go
 * on waiting, anything else to give up: the call then fails with LOCBO_ERR_BUSY. */
typedef int locbo_wait_fn(const char *why, double waited, void *user);
/* The same with a patience of one's own from the first moment on: opening a database that is busy waits too. See
 * locbo_store_patience. */
LOCBO_API locbo_status locbo_store_open_patiently(locbo_store **store, const char *url, locbo_store_mode mode,
                                                  double seconds, locbo_wait_fn *fn, void *user, locbo_error *error);
/* Close its studies first. */
LOCBO_API void locbo_store_close(locbo_store *store);
/* The url without a password, for messages. Lives as long as the store. */
LOCBO_API const char *locbo_store_url(const locbo_store *store);

/* How long calls wait (seconds, INFINITY allowed; 30 at first), and whom they tell (NULL: nobody). */
LOCBO_API void locbo_store_patience(locbo_store *store, double seconds, locbo_wait_fn *fn, void *user);

/* Called with each study's name, in the order made. Return 0 to go on, anything else to end. */
typedef int locbo_name_fn(const char *name, void *user);
LOCBO_API locbo_status locbo_store_each(locbo_store *store, locbo_name_fn *fn, void *user, locbo_error *error);

/* A few numbers that tell whether anything of a study has changed; cheap whatever its size. */
typedef struct locbo_pulse {
    const char *name;        /* of the study; valid during the call */
    uint64_t trials, events; /* so far, as in locbo_census */
    uint64_t running;
    uint64_t
        stamp; /* another number whenever a trial, result, lease, plan, stop or proposer of the study has changed */
} locbo_pulse;

/* Called for each study, in the order made. Return 0 to go on. */
typedef int locbo_pulse_fn(const locbo_pulse *pulse, void *user);
LOCBO_API locbo_status locbo_store_each_pulse(locbo_store *store, locbo_pulse_fn *fn, void *user, locbo_error *error);
/* Of one study; LOCBO_ERR_NOT_FOUND if it has been deleted. `name` lives as long as the study. */
LOCBO_API locbo_status locbo_study_pulse(locbo_study *study, locbo_pulse *pulse, locbo_error *error);

/* ---- A study ----------------------------------------------------------------------------------- */

/* How a study is run. Unlike space, options and command this may change: NAN and 0 mean "not set". */
typedef struct locbo_plan {
    size_t struct_size;      /* locbo_plan_init fills it in */
    uint64_t trials;         /* completed trials wanted; 0: no end */
    double time;             /* seconds a run may take; NAN: no limit */
    double target;           /* stop at a measured value as good as this; NAN: none */
    uint64_t no_improvement; /* stop after so many completed trials without a better value; 0: never */
    double timeout;          /* seconds per evaluation; NAN: no limit */
    uint64_t retries;        /* how often an evaluation that was transient, killed or lost is tried again */
    double retry_delay;      /* seconds before the first retry; doubles each time */
    uint64_t max_failures;   /* give up after so many failures in a row; 0: never */
    double lease;            /* seconds a worker may be silent */
} locbo_plan;

LOCBO_API void locbo_plan_init_sized(locbo_plan *plan, size_t size);
/* No stop rules; 3 retries after 1 s; 5 failures; 60 s lease. */
static inline void locbo_plan_init(locbo_plan *to) { locbo_plan_init_sized(to, sizeof *to); }

/* What a study is; never changes. */
typedef struct locbo_definition {
    size_t struct_size; /* sizeof(locbo_definition) */
    const locbo_space *space;
    const locbo_options *options; /* NULL: the defaults. All are stored, resolved */
    size_t command_count;         /* words of the objective's command line; 0: there is none */
    const char *const *command;
} locbo_definition;

/* `name`: any UTF-8 text but the empty one. LOCBO_ERR_STATE if there is such a study. `plan` NULL: locbo_plan_init. */
LOCBO_API locbo_status locbo_study_create(locbo_study **study, locbo_store *store, const char *name,
                                          const locbo_definition *definition, const locbo_plan *plan,
                                          locbo_error *error);
/* LOCBO_ERR_NOT_FOUND names the studies there are. `name` NULL: the only one. */
LOCBO_API locbo_status locbo_study_open(locbo_study **study, locbo_store *store, const char *name, locbo_error *error);
LOCBO_API void locbo_study_close(locbo_study *study);
/* The study and all its trials. */
LOCBO_API locbo_status locbo_study_delete(locbo_store *store, const char *name, locbo_error *error);

LOCBO_API const char *locbo_study_name(const locbo_study *study);
/* Pointers belong to the study. Set `struct_size` of the definition first. */
LOCBO_API locbo_status locbo_study_definition(const locbo_study *study, locbo_definition *definition,
                                              locbo_error *error);
/* LOCBO_OK if the study is what the definition says (a command of no words agrees with any); otherwise LOCBO_ERR_STATE,
 * and the message names the first thing that differs, with both values. */
LOCBO_API locbo_status locbo_study_compare(const locbo_study *study, const locbo_definition *definition,
                                           locbo_error *error);
/* Set `struct_size` of the plan first. */
LOCBO_API locbo_status locbo_study_plan(locbo_study *study, locbo_plan *plan, locbo_error *error);
LOCBO_API locbo_status locbo_study_set_plan(locbo_study *study, const locbo_plan *plan, locbo_error *error);
/* Ask all workers to end after their present trials: no trial is handed out from now on. NULL takes that back. */
LOCBO_API locbo_status locbo_study_stop(locbo_study *study, const char *reason, locbo_error *error);

/* ---- Ask and tell ------------------------------------------------------------------------------ */

typedef struct locbo_request {
    size_t struct_size; /* sizeof(locbo_request) */
    const char *worker; /* who will evaluate it, for people to read; NULL: "" */
    double lease;       /* seconds until it waits again, unless renewed; INFINITY: never. 0: the plan's */
    const double
        *fixed;       /* `dim` values, NAN where free: a new proposal with these held, no waiting trial. NULL: none */
    uint64_t limit;   /* > 0: take this for the plan's number of trials */
    int waiting_only; /* no new trial at all: LOCBO_ERR_NOTHING if none waits */
    int more;         /* a new trial also beyond the number of trials */
} locbo_request;

typedef struct locbo_assignment {
    uint64_t trial;   /* 1, 2, 3 ... */
    uint64_t attempt; /* 1, 2, 3 ... */
    uint64_t retries; /* how often it was tried again after a transient failure */
    uint64_t seed;    /* for the objective: below 2^31; a requeued attempt keeps it, a retry gets a new one */
    locbo_trial info; /* what was believed when it was proposed */
} locbo_assignment;

/* The seed of a trial's objective: different for each trial, retry and replicate (retry + replicate < 256). */
LOCBO_API uint64_t locbo_study_seed(const locbo_study *study, uint64_t trial, uint64_t retry, uint64_t replicate);

/* The oldest waiting trial, or a new proposal. Trials whose lease ended wait again first. One process at a time
 * computes a proposal of a study; others wait for it. `request` NULL: nothing special. `x`: `dim` values.
 * Who gets one is decided in the transaction that hands it out. LOCBO_ERR_STOPPED: the study was stopped; not even a
 * trial that waits. LOCBO_ERR_NOTHING: none waits, and as many trials are complete, running or waiting as the plan
 * wants; a failed one does not count. */
LOCBO_API locbo_status locbo_study_ask(locbo_study *study, const locbo_request *request, locbo_assignment *assignment,
                                       double *x, locbo_error *error);
/* Renew the lease. LOCBO_ERR_STATE: it was lost, or the trial has ended. */
LOCBO_API locbo_status locbo_study_beat(locbo_study *study, uint64_t trial, uint64_t attempt, double lease,
                                        locbo_error *error);
/* `count` >= 1 measurements (replicates), each one row of data. attempt 0: whichever. The trial is COMPLETE from the
 * first on. */
LOCBO_API locbo_status locbo_study_tell(locbo_study *study, uint64_t trial, uint64_t attempt, size_t count,
                                        const locbo_measurement *measurements, locbo_error *error);
/* The evaluation failed, or the point is infeasible: learnt from, not tried again. `why` may be NULL. Only a waiting or
 * running trial can fail. */
LOCBO_API locbo_status locbo_study_tell_failed(locbo_study *study, uint64_t trial, uint64_t attempt, const char *why,
                                               locbo_error *error);
LOCBO_API locbo_status locbo_study_tell_infeasible(locbo_study *study, uint64_t trial, uint64_t attempt,
                                                   const char *why, locbo_error *error);
/* Let it wait again. `retry` = 0: with the same seed (the worker was interrupted); 1: with a new one, after `delay`
 * seconds (the failure was transient). */
LOCBO_API locbo_status locbo_study_requeue(locbo_study *study, uint64_t trial, uint64_t attempt, int retry,
                                           double delay, locbo_error *error);
/* Let wait again what this worker, known to be dead, was running, without waiting for the leases to end. */
LOCBO_API locbo_status locbo_study_forget_worker(locbo_study *study, const char *worker, uint64_t *requeued,
                                                 locbo_error *error);
/* The same for every lease that has ended; ask does this by itself. */
LOCBO_API locbo_status locbo_study_expire(locbo_study *study, uint64_t *requeued, locbo_error *error);

/* A point to evaluate next, the free coordinates (NAN) proposed by the model; the trial waits. */
LOCBO_API locbo_status locbo_study_enqueue(locbo_study *study, const double *fixed, uint64_t *trial,
                                           locbo_error *error);
/* Results from elsewhere: n points (n rows of `dim`), one measurement each; complete trials, in one transaction.
 * `first` receives the number of the first one; may be NULL. */
LOCBO_API locbo_status locbo_study_import(locbo_study *study, size_t n, const double *x,
                                          const locbo_measurement *measurements, uint64_t *first, locbo_error *error);

/* What an evaluation printed; a later call for the same attempt replaces it. */
typedef struct locbo_output {
    const char *out, *err; /* bytes, not terminated */
    size_t out_size, err_size;
    int exit_code; /* of the objective; -signal if a signal ended it */
    double seconds;
} locbo_output;

LOCBO_API locbo_status locbo_study_keep_output(locbo_study *study, uint64_t trial, uint64_t attempt,
                                               const locbo_output *output, locbo_error *error);
typedef int locbo_output_fn(uint64_t attempt, const locbo_output *output, void *user);
/* Called for each attempt in turn. Return 0 to go on. */
LOCBO_API locbo_status locbo_study_each_output(locbo_study *study, uint64_t trial, locbo_output_fn *fn, void *user,
                                               locbo_error *error);

/* ---- Looking at it ----------------------------------------------------------------------------- */

typedef enum locbo_state {
    LOCBO_WAITING = 0,
    LOCBO_RUNNING = 1,
    LOCBO_COMPLETE = 2,
    LOCBO_STATE_FAILED = 3,
    LOCBO_STATE_INFEASIBLE = 4
} locbo_state;
enum { LOCBO_STATES = 5 };
LOCBO_API const char *locbo_state_name(locbo_state state); /* "WAITING" ... */

/* A trial with all that is known of it. Pointers are valid during the call. Times are NAN where it has not happened. */
typedef struct locbo_record {
    locbo_trial trial; /* id, origin, told, pending, belief */
    locbo_state state;
    const double *x;
    size_t count; /* measurements, in the order told */
    const locbo_measurement *measurements;
    const uint64_t *sequence; /* of each: the how manieth event of the study it was */
    const double *told;       /* of each: when */
    double value;             /* their mean; NAN without any */
    uint64_t attempt, retries, seed;
    const char *worker;  /* who has it or had it last; "" */
    const char *message; /* why it failed; "" */
    uint64_t failure;    /* FAILED, INFEASIBLE: the how manieth event of the study that was; otherwise 0 */
    const char *pending; /* JSON list of the trials that were outstanding when it was proposed */
    double lease;        /* when it ends, if RUNNING */
    double asked, started, ended;
} locbo_record;

typedef struct locbo_filter {
    size_t struct_size; /* sizeof(locbo_filter) */
    unsigned states;    /* bits 1 << state; 0: all */
    uint64_t first;     /* trial numbers from here on */
    uint64_t limit;     /* at most so many; 0: all */
    int newest_first;
    uint64_t changed_after; /* > 0: only those with a result or failure later than this event, waiting or running */
} locbo_filter;

typedef int locbo_record_fn(const locbo_record *record, void *user);
/* Called with each trial that passes, by number. Return 0 to go on. `filter` NULL: all. */
LOCBO_API locbo_status locbo_study_each(locbo_study *study, const locbo_filter *filter, locbo_record_fn *fn, void *user,
                                        locbo_error *error);

typedef int locbo_fit_fn(const locbo_fit *fit, void *user);
/* Called with each fit of the hyper-parameters, in the order made. Return 0 to go on. */
LOCBO_API locbo_status locbo_study_each_fit(locbo_study *study, locbo_fit_fn *fn, void *user, locbo_error *error);

/* Put what locbo_study_each and locbo_study_each_fit gave into a study that has no trials yet, in one transaction: it
 * goes on exactly as the other would. Trials that were running wait. */
LOCBO_API locbo_status locbo_study_restore(locbo_study *study, size_t record_count, const locbo_record *records,
                                           size_t fit_count, const locbo_fit *fits, locbo_error *error);

/* The state of a study in numbers, from one snapshot of the database. */
typedef struct locbo_census {
    uint64_t trials;              /* all */
    uint64_t state[LOCBO_STATES]; /* of each state */
    uint64_t measurements;
    uint64_t events;          /* measurements, failures and infeasible points so far */
    uint64_t best_trial;      /* with the best single measured value; 0: none */
    double best_value;        /* NAN: none */
    uint64_t since_best;      /* trials completed after it */
    uint64_t failures_in_row; /* FAILED since the last COMPLETE or INFEASIBLE */
    uint64_t empty_in_row;    /* FAILED or INFEASIBLE since the last COMPLETE */
    int stopped;              /* see locbo_study_stop */
    char stop_reason[128];
    double created, now, last_event;
} locbo_census;

LOCBO_API locbo_status locbo_study_census(locbo_study *study, locbo_census *census, locbo_error *error);

typedef int locbo_worker_fn(const char *worker, uint64_t trial, double lease, void *user);
/* Called for each RUNNING trial with who runs it and when the lease ends; with trial 0 for who computes a proposal. */
LOCBO_API locbo_status locbo_study_each_running(locbo_study *study, locbo_worker_fn *fn, void *user,
                                                locbo_error *error);

/* The optimizer as the facts have it now: for best, recommend, predict, summary. It belongs to the study and is
 * valid until the next call with it; what is asked or told of it directly is lost. */
LOCBO_API locbo_status locbo_study_optimizer(locbo_study *study, locbo_optimizer **optimizer, locbo_error *error);

#ifdef __cplusplus
}
#endif

#endif
