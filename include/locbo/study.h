/* study.h - studies in a database: trials and results are stored there, and any number of processes, on one machine or
 * many, work on a study together.
 *
 * This header is the manual of the study library (liblocbo-study). In short:
 *
 *     locbo_store_open        the database: "sqlite:file.db" or "postgresql://..."
 *     locbo_study_create      or locbo_study_open: one study of the database, by name
 *     locbo_study_ask         a trial to evaluate: a waiting one, or a new proposal
 *     locbo_study_beat        heartbeat: the evaluation is still running
 *     locbo_study_report      values while the evaluation runs; says whether to end it early
 *     locbo_study_tell        the measured values; on disk before the call returns
 *     locbo_study_optimizer   an optimizer rebuilt from the database: best, recommend, predict, summary
 *     locbo_store_hold        several calls that read one moment of the database
 *
 * The database holds the whole state of a study; a process keeps nothing that others need. Every call is one short
 * transaction, and a proposal is computed from the rows of the database, outside any transaction. Any number of
 * processes may share a study, be killed at any moment, and be started again. On one machine they compute the same
 * bits: proposal number k depends on the seed, the options, k and the results told so far.
 *
 * The states of a trial
 *
 *     WAITING --ask--> RUNNING --tell--> COMPLETE
 *        ^               |  |--tell_failed, tell_infeasible--> FAILED, INFEASIBLE
 *        \--requeue------/  \--report--> PRUNED, ended early; a value that is told later completes it
 *
 * and from each of them, if somebody changes their mind: retract -> RETRACTED, fail -> FAILED, INFEASIBLE.
 *
 * A worker holds a running trial for a limited time, the lease. Unless the worker renews it (beat) before it ends, the
 * trial waits again, and the next worker that asks gets it, with the next attempt number; a trial that was lost with
 * its worker more often than the plan allows (max_lost) fails. Reports of an earlier attempt are recognised by their
 * number: a value is always kept (it was measured at that point) and completes the trial; a failure, a requeue, a
 * heartbeat or a step is refused (LOCBO_ERR_STATE).
 *
 * A study may have several outputs (locbo_outputs of locbo.h). A result is then a row of measurements, one for each
 * output in the order of the table; value NAN: the result lacks it. At least one value is needed, of any output: a
 * trial whose result lacks the objective is COMPLETE too.
 *
 * A derived output (`expression` of locbo_output_spec) is computed from outputs that are declared before it:
 * "loss + 0.1*latency", "`top 5` / max(n, 1)". Expressions have + - * / ^, comparisons, `and`, `or`, `not`, abs, ceil,
 * exp, floor, log, log10, sqrt, max, min; other names than [A-Za-z_][A-Za-z0-9_]* stand in backquotes. Its values are
 * computed when results are read, and not stored: who tells a result gives NAN. A result lacks it if it lacks one of
 * its inputs, or if the value is not finite or not possible on the output's scale. Its sd is not known, and its n is
 * the smallest of the inputs'.
 *
 * Conventions are those of locbo.h, including struct_size. A store and its studies may be used by one thread at a time.
 * Times are seconds since 1970 by the clock of the database. Texts are UTF-8. */
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
    LOCBO_STORE_EXISTING = 0, /* the database must exist; an older schema is upgraded */
    LOCBO_STORE_CREATE = 1,   /* the database is created if it does not exist */
    LOCBO_STORE_READ_ONLY = 2 /* never writes, never blocks a writer */
} locbo_store_mode;

/* `url`: "sqlite:PATH", a plain PATH, or "postgresql://..." ("postgres://..."), which libpq completes from its
 * environment variables, password file and service file. Errors: LOCBO_ERR_NOT_FOUND (no such file), LOCBO_ERR_SCHEMA
 * (not a locbo database, or newer than this library), LOCBO_ERR_BUSY (busy or unreachable), LOCBO_ERR_IO (read-only,
 * full, damaged), LOCBO_ERR_ARGUMENT (a wrong url; a SQLite file on a network file system). On error nothing has been
 * changed. */
LOCBO_API locbo_status locbo_store_open(locbo_store **store, const char *url, locbo_store_mode mode,
                                        locbo_error *error);
/* Called while the database is busy or cannot be reached: `why` in one line, `waited` seconds so far. Return 0 to
 * continue waiting, anything else to give up: the call then fails with LOCBO_ERR_BUSY. */
typedef int locbo_wait_fn(const char *why, double waited, void *user);
/* Open, with the settings of locbo_store_patience from the beginning: they hold for opening a busy database too. */
LOCBO_API locbo_status locbo_store_open_patiently(locbo_store **store, const char *url, locbo_store_mode mode,
                                                  double seconds, locbo_wait_fn *fn, void *user, locbo_error *error);
/* Close the studies of the store first. */
LOCBO_API void locbo_store_close(locbo_store *store);
/* The url without a password, for messages. Valid until the store is closed. */
LOCBO_API const char *locbo_store_url(const locbo_store *store);

/* How long a call waits for a busy database: `seconds`, INFINITY allowed; default 30. `fn` is called while it waits;
 * default NULL: none. */
LOCBO_API void locbo_store_patience(locbo_store *store, double seconds, locbo_wait_fn *fn, void *user);

/* Hold the database as it is now: until locbo_store_release, calls with this store and its studies see this one moment,
 * whatever others write meanwhile. Writers do not wait for it. Several calls that read then agree: all of them are of
 * the same trials, results, fits, changes and definition.
 *   Calls that write fail with LOCBO_ERR_STATE (a copy to another store does not). A study that was opened earlier may
 * have to be read again once (locbo_study_refresh), after which LOCBO_ERR_CHANGED does not occur. Nothing can be
 * repeated when the connection is lost: the call fails with LOCBO_ERR_BUSY, and so do all others until the release;
 * then hold it again, and begin anew. The database keeps what others replace meanwhile: do not hold it for hours.
 *   LOCBO_ERR_STATE: it is held already. LOCBO_ERR_BUSY: as of any call. */
LOCBO_API locbo_status locbo_store_hold(locbo_store *store, locbo_error *error);
/* See the present again. Nothing happens if it is not held. */
LOCBO_API void locbo_store_release(locbo_store *store);

/* Each call that writes can be repeated: it is stored with a token, a random number, for a week. Within one call this
 * makes sure that work is not done twice when the answer of the database is lost. A caller that may itself have to
 * repeat a call (because it failed and its message says that it is not known whether this was stored, or because the
 * process died) chooses the token, any number but 0 that is used for no other call: the next call with this store is
 * recognised by it. If a call with this token was stored before, it does nothing and returns the same answer.
 * Heartbeats and reports of steps have no token. */
LOCBO_API void locbo_store_token(locbo_store *store, uint64_t token);
/* A random token. */
LOCBO_API locbo_status locbo_token_draw(uint64_t *token, locbo_error *error);

/* Called with the name of each study, in the order created. Return 0 to continue, anything else to end. */
typedef int locbo_name_fn(const char *name, void *user);
LOCBO_API locbo_status locbo_store_each(locbo_store *store, locbo_name_fn *fn, void *user, locbo_error *error);

/* A few numbers that show whether a study has changed; they cost little, however large the study is. */
typedef struct locbo_pulse {
    const char *name;        /* of the study; valid only during the call */
    uint64_t trials, events; /* numbers so far, as in locbo_census */
    uint64_t running;
    uint64_t stamp; /* differs after any change of a trial, result, lease, plan, stop or proposer of the study, and
                       after each reported step */
} locbo_pulse;

/* Called for each study, in the order created. Return 0 to continue. */
typedef int locbo_pulse_fn(const locbo_pulse *pulse, void *user);
LOCBO_API locbo_status locbo_store_each_pulse(locbo_store *store, locbo_pulse_fn *fn, void *user, locbo_error *error);
/* The same for one study; LOCBO_ERR_NOT_FOUND if it was deleted. `name` is valid until the study is closed. */
LOCBO_API locbo_status locbo_study_pulse(locbo_study *study, locbo_pulse *pulse, locbo_error *error);

/* ---- A study ----------------------------------------------------------------------------------- */

enum { LOCBO_MAX_TARGETS = 12 };

/* How a study is run. Unlike the definition it may change. NAN and 0 mean "not set" where the field says so. */
typedef struct locbo_plan {
    size_t struct_size;      /* set by locbo_plan_init */
    uint64_t trials;         /* trials wanted, complete or ended early (PRUNED); 0: no limit. Default: 0 */
    double time;             /* seconds that a run may take; NAN: no limit. Default: NAN */
    double target;           /* stop at a best_value (locbo_census) as good as this; NAN: none. Default: NAN */
    uint64_t no_improvement; /* stop after this many trials, complete or ended early, without a better value, or with
                                several objectives without a larger hypervolume; 0: never. Default: 0 */
    double timeout;          /* seconds per evaluation; NAN: no limit. Default: NAN */
    uint64_t retries;        /* new attempts after a transient failure. Default: 3 */
    double retry_delay;      /* seconds before the first retry; doubled for each further one. Default: 1 */
    uint64_t max_failures;   /* stop after this many failures in a row; 0: never. Default: 5 */
    double lease;            /* seconds without a heartbeat after which a trial waits again. Default: 60 */
    uint64_t max_lost; /* new attempts after one that was killed or ended with its worker; 0: as retries. Default: 0 */
    uint64_t confirm; /* the last of `trials` measure the recommended point, this many: below `trials`. Trials asked for
                         with fixed values, enqueued, or beyond `trials` are not counted. Default: 0 */
    /* With a table of outputs: stop when the means of one trial are as good as all of these and its constraints hold.
     * One for each objective and constraint, in the order of the table; NAN: none. Not together with `target`, which is
     * for one objective. Default: all NAN */
    double targets[LOCBO_MAX_TARGETS];
    uint64_t evaluations; /* trials wanted whatever their outcome, failed and infeasible ones included; 0: no limit.
                             With `trials` too the study ends at the first of both. Default: 0 */
    double
        expected_gain; /* one objective, acquisition ei or log-ei: stop when each of the last 5 proposals of the model
                          promised less, as expected improvement over the best so far; NAN: never. Default: NAN */
    uint64_t prune;    /* locbo_prune: which rule ends hopeless evaluations early. Default: 0, LOCBO_PRUNE_NONE */
    double prune_risk; /* LOCBO_PRUNE_RISK: the share delta of all resolved trials that may be ended although they
                          would have beaten the best value so far; in (0,1). Default: 0.05 */
    double budget; /* what evaluations may cost together, in the units of the space's cost expression, or without one in
                      seconds: no new trial once the cost of those that have ended, and the expected cost of those that
                      run or wait, reach it; NAN: no limit. Default: NAN */
} locbo_plan;

/* By which rule an evaluation that reports steps (locbo_study_report) is ended early. All need one objective. RISK
 * ends nothing before ten complete evaluations have steps on both sides of the present one, MEDIAN before five; none
 * ends an evaluation at the last step of the complete ones, where nothing is saved. Values between two steps are
 * interpolated, and of more than 200 complete curves the last 200 are used.
 *
 * RISK: the final value is believed to be at most tau w_t better than v_t, the value at step t; w_t is the most
 * that a complete curve still gained after that step. At the first step where that bound is worse than the
 * incumbent, the best mean of a complete trial, the trial could be ended. A coin, keyed by seed and trial, keeps one of
 * ten such trials; those are never ended. tau begins with 1.5. Each trial with steps that is resolved (complete or
 * ended) lowers it by delta / 10, and each kept trial that beats its incumbent raises it by 1. So the share of resolved
 * trials that could be ended and would have beaten their incumbent is at most delta + (range of tau / 0.1 + 10
 * (outstanding + 1)) / N, and the sampling error of the coin, whatever the curves are: that says something from some
 * hundred trials on (locbo_study_ended gives the estimate and the bound).
 *
 * MEDIAN: the best value so far is worse than those of more than half of the complete evaluations at this step.
 *
 * HALVING: asynchronous successive halving. At the steps b, 3 b, 9 b ..., b the first step that the study's first curve
 * has, only the best third of the values that were reported there goes on. It needs no complete evaluation. */
typedef enum locbo_prune {
    LOCBO_PRUNE_NONE = 0,
    LOCBO_PRUNE_RISK = 1,
    LOCBO_PRUNE_MEDIAN = 2,
    LOCBO_PRUNE_HALVING = 3
} locbo_prune;
enum { LOCBO_PRUNES = 4 };
LOCBO_API const char *locbo_prune_name(locbo_prune rule); /* "none" ... */

LOCBO_API void locbo_plan_init_sized(locbo_plan *plan, size_t size);
/* Set all fields to their defaults. */
static inline void locbo_plan_init(locbo_plan *to) { locbo_plan_init_sized(to, sizeof *to); }

/* What a study is about; only locbo_study_alter changes it. */
typedef struct locbo_definition {
    size_t struct_size;           /* sizeof(locbo_definition) */
    const locbo_space *space;     /* a function of locbo_space_set_allowed is not stored: write it as a constraint */
    const locbo_options *options; /* all are stored, with their values. Default: NULL, locbo_options_init */
    size_t command_count;         /* words of the objective's command line. Default: 0, no command */
    const char *const *command;
    const locbo_outputs *outputs; /* Default: NULL, one output "value" in the direction of the options. Otherwise the
                                     stored option `direction` is that of the first objective */
} locbo_definition;

/* `name`: any UTF-8 text, not empty. LOCBO_ERR_STATE if a study of this name exists. `plan` NULL: locbo_plan_init. */
LOCBO_API locbo_status locbo_study_create(locbo_study **study, locbo_store *store, const char *name,
                                          const locbo_definition *definition, const locbo_plan *plan,
                                          locbo_error *error);
/* `name` NULL: the only study of the store. The message of LOCBO_ERR_NOT_FOUND lists the studies that exist. */
LOCBO_API locbo_status locbo_study_open(locbo_study **study, locbo_store *store, const char *name, locbo_error *error);
LOCBO_API void locbo_study_close(locbo_study *study);
/* Delete a study and all its trials. */
LOCBO_API locbo_status locbo_study_delete(locbo_store *store, const char *name, locbo_error *error);

LOCBO_API const char *locbo_study_name(const locbo_study *study);
/* The pointers belong to the study. Set `struct_size` of the definition first. */
LOCBO_API locbo_status locbo_study_definition(const locbo_study *study, locbo_definition *definition,
                                              locbo_error *error);
/* LOCBO_OK if the study has this definition (no command agrees with any command); otherwise LOCBO_ERR_STATE, and the
 * message names the first difference, with both values. */
LOCBO_API locbo_status locbo_study_compare(const locbo_study *study, const locbo_definition *definition,
                                           locbo_error *error);
/* Set `struct_size` of the plan first. */
LOCBO_API locbo_status locbo_study_plan(locbo_study *study, locbo_plan *plan, locbo_error *error);
/* A plan that differs is an alteration. */
LOCBO_API locbo_status locbo_study_set_plan(locbo_study *study, const locbo_plan *plan, locbo_error *error);
/* Stop the study: no trial is handed out, and workers end after their present trials. NULL: the study may continue. It
 * is a change (locbo_study_each_change). */
LOCBO_API locbo_status locbo_study_stop(locbo_study *study, const char *reason, locbo_error *error);

/* ---- Ask and tell ------------------------------------------------------------------------------ */

typedef struct locbo_request {
    size_t struct_size; /* sizeof(locbo_request) */
    const char *worker; /* name of the worker that will evaluate it. Default: NULL, "" */
    double lease; /* seconds until the trial waits again, unless renewed; INFINITY: never. Default: 0, the plan's */
    const double *fixed; /* `dim` values, NAN where free: a new proposal with these values, never a waiting trial.
                            Default: NULL, none */
    uint64_t limit;      /* used instead of the plan's number of trials. Default: 0, the plan's */
    int waiting_only;    /* 1: no new trial; LOCBO_ERR_NOTHING if none waits. Default: 0 */
    uint64_t more;       /* 1: a new trial even if the number of trials is reached. Default: 0 */
    double budget; /* what evaluations may cost together, beside the plan's budget: the smaller of both holds. NAN: as
                      0. Default: 0, the plan's alone */
} locbo_request;

typedef struct locbo_assignment {
    uint64_t trial;   /* 1, 2, 3 ... */
    uint64_t attempt; /* 1, 2, 3 ... */
    uint64_t retries; /* number of retries after transient failures */
    uint64_t lost;    /* attempts that were killed, or ended with their worker */
    uint64_t seed;    /* for the objective: below 2^31; a requeued attempt keeps it, a retry gets a new one */
    locbo_trial info; /* the proposal, with the prediction at that time */
} locbo_assignment;

/* The seed for the objective: different for each trial and each retry + replicate < 256. */
LOCBO_API uint64_t locbo_study_seed(const locbo_study *study, uint64_t trial, uint64_t retry, uint64_t replicate);

/* Get the waiting trial with the lowest number, or a new proposal. Trials whose lease has ended wait again. One process
 * at a time computes a proposal of a study by the model; the others wait for it, as long as locbo_store_patience says.
 * Should it die, another takes over: on the same machine at once, elsewhere after 15 seconds or so. With a token that
 * was stored before (locbo_store_token) the same trial and attempt is returned, or LOCBO_ERR_STATE if that attempt is
 * over. `request` NULL: the defaults. `x` receives `dim`
 * values. LOCBO_ERR_STOPPED, LOCBO_ERR_PAUSED: the study was stopped, or is paused; waiting trials are not handed out
 * either. LOCBO_ERR_CHANGED: it was altered, see locbo_study_refresh. LOCBO_ERR_NOTHING: no trial can be handed out,
 * and as many are complete, ended early, running or waiting as the plan wants (failed ones do not count, except for its
 * `evaluations`), or they cost as much as a budget allows. All of it is decided in the transaction that hands out the
 * trial. */
LOCBO_API locbo_status locbo_study_ask(locbo_study *study, const locbo_request *request, locbo_assignment *assignment,
                                       double *x, locbo_error *error);
/* As many waiting trials as there are, up to `most`, in one transaction; if none waits, one new proposal. `assignments`
 * has room for `most`, `x` for as many rows; `count` receives how many there are, at least 1. */
LOCBO_API locbo_status locbo_study_ask_many(locbo_study *study, const locbo_request *request, size_t most,
                                            locbo_assignment *assignments, double *x, size_t *count,
                                            locbo_error *error);
/* `fn` is called several times a second while an ask computes a proposal, or waits for another process that does; it
 * may call locbo_study_beat. If it returns anything but 0, the ask ends with LOCBO_ERR_CANCELLED. Default: NULL, none.
 */
LOCBO_API void locbo_study_watch(locbo_study *study, locbo_watch_fn *fn, void *user);
/* Renew the lease, for `lease` seconds from now. LOCBO_ERR_STATE: another attempt has the trial, it was handed back
 * (not only its lease has ended), or it is over. */
LOCBO_API locbo_status locbo_study_beat(locbo_study *study, uint64_t trial, uint64_t attempt, double lease,
                                        locbo_error *error);
/* A value of the first objective that an evaluation has at a step: an epoch, an iteration, a number of samples. */
typedef struct locbo_step {
    uint64_t step;
    double value; /* in the user's units */
} locbo_step;
/* Report steps of a running evaluation, and learn whether it is to be ended. They are stored with their attempt: a new
 * attempt begins a new curve. Skipped are a step that is not larger than the last one stored of this attempt, or above
 * 2^53, and a value that is not finite. Then the rule of the plan (`prune`) looks at each new step. If it ends the
 * trial, the same transaction makes it PRUNED, with the next event number, and stores why (locbo_decision): `end`
 * receives 1, otherwise 0, and whoever evaluates then stops the evaluation and tells nothing. So a process that is
 * killed meanwhile leaves nothing half done, and a call that is repeated gives the same answer: it has no token.
 *   `count` may be 0. LOCBO_ERR_STATE: as of locbo_study_beat; but if the trial was ended early in this attempt, `end`
 * receives 1 and nothing is stored. Nothing is ended in a study with several objectives, nor, until
 * locbo_study_refresh, in one that was altered. With a fidelity parameter steps are in its unit, trials below full
 * fidelity are never ended, and the model learns the last value of an ended one as that of its step. */
LOCBO_API locbo_status locbo_study_report(locbo_study *study, uint64_t trial, uint64_t attempt, size_t count,
                                          const locbo_step *steps, int *end, locbo_error *error);
/* Report `count` >= 1 results (replicates); the trial is then COMPLETE. `measurements` has a row of one measurement for
 * each output for each of them: `count` with one output, `count` x outputs with several. `attempt` 0, here and below:
 * not checked. */
LOCBO_API locbo_status locbo_study_tell(locbo_study *study, uint64_t trial, uint64_t attempt, size_t count,
                                        const locbo_measurement *measurements, locbo_error *error);
/* The evaluation failed, or the point is infeasible: the optimizer learns from it, and it is not tried again. `why` may
 * be NULL. Only a waiting or running trial can fail. */
LOCBO_API locbo_status locbo_study_tell_failed(locbo_study *study, uint64_t trial, uint64_t attempt, const char *why,
                                               locbo_error *error);
LOCBO_API locbo_status locbo_study_tell_infeasible(locbo_study *study, uint64_t trial, uint64_t attempt,
                                                   const char *why, locbo_error *error);
typedef enum locbo_requeue {
    LOCBO_REQUEUE_SAME = 0,  /* the worker was interrupted: the same seed; nothing is counted */
    LOCBO_REQUEUE_RETRY = 1, /* the failure was transient: a new seed; counted as a retry */
    LOCBO_REQUEUE_KILLED = 2 /* the evaluation was killed: the same seed; counted as lost */
} locbo_requeue;
/* Make a running trial wait again, for `delay` seconds at least. Whether it has been tried often enough is decided by
 * the caller. */
LOCBO_API locbo_status locbo_study_requeue(locbo_study *study, uint64_t trial, uint64_t attempt, locbo_requeue how,
                                           double delay, locbo_error *error);
/* Make the running trials of a worker that is known to be dead wait again, before their leases end; those that were
 * lost more often than the plan's max_lost fail. `requeued`, which may be NULL, receives the number of those that wait.
 */
LOCBO_API locbo_status locbo_study_forget_worker(locbo_study *study, const char *worker, uint64_t *requeued,
                                                 locbo_error *error);
/* The same for all trials whose lease has ended; locbo_study_ask includes this. */
LOCBO_API locbo_status locbo_study_expire(locbo_study *study, uint64_t *requeued, locbo_error *error);

/* Add a waiting trial at the point `fixed`; the model proposes the coordinates that are NAN. */
LOCBO_API locbo_status locbo_study_enqueue(locbo_study *study, const double *fixed, uint64_t *trial,
                                           locbo_error *error);
/* Add results of other origin as complete trials, in one transaction: n points (n rows of `dim`), one result each: n
 * rows of a measurement for each output. `first`, which may be NULL, receives the number of the first trial. */
LOCBO_API locbo_status locbo_study_import(locbo_study *study, size_t n, const double *x,
                                          const locbo_measurement *measurements, uint64_t *first, locbo_error *error);

typedef enum locbo_state {
    LOCBO_WAITING = 0,
    LOCBO_RUNNING = 1,
    LOCBO_COMPLETE = 2,
    LOCBO_STATE_FAILED = 3,
    LOCBO_STATE_INFEASIBLE = 4,
    LOCBO_RETRACTED = 5, /* taken back, or outside the space before it was handed out */
    LOCBO_PRUNED = 6     /* ended early: see locbo_study_report */
} locbo_state;
enum { LOCBO_STATES = 7 };
LOCBO_API const char *locbo_state_name(locbo_state state); /* "WAITING" ... */

/* A trial of other origin that has ended. */
typedef struct locbo_import_row {
    const double *x;                       /* `dim` values */
    locbo_state state;                     /* LOCBO_COMPLETE, LOCBO_STATE_FAILED or LOCBO_STATE_INFEASIBLE */
    size_t count;                          /* COMPLETE: number of results, at least 1; otherwise 0 */
    const locbo_measurement *measurements; /* of each result: one for each output */
    const char *message;                   /* why it failed; NULL: not known */
} locbo_import_row;

typedef struct locbo_imported {
    uint64_t first;    /* number of the first trial; the others follow it */
    uint64_t trials;   /* that were added */
    uint64_t results;  /* of them */
    uint64_t failures; /* how many of them failed or are infeasible */
    uint64_t skipped;  /* results, failures and infeasible points that the study had already */
} locbo_imported;

/* The same for outcomes of every kind, in one transaction: trials with several results, failures and infeasible points
 * too. What the study has already is skipped, unless `again`: a result with equal point and values, also if it
 * was taken back; a failure or infeasible point with equal point. Each outcome of the study accounts for one of the
 * list, so that equal replicates are kept. `imported` may be NULL. */
LOCBO_API locbo_status locbo_study_import_outcomes(locbo_study *study, size_t n, const locbo_import_row *outcomes,
                                                   int again, locbo_imported *imported, locbo_error *error);

/* What an evaluation printed, and how it ended. */
typedef struct locbo_output {
    const char *out, *err; /* standard output and standard error: bytes, not 0-terminated */
    size_t out_size, err_size;
    int exit_code; /* of the objective; -N if signal N ended it */
    double seconds;
} locbo_output;

/* Store it; a later call for the same attempt replaces it. */
LOCBO_API locbo_status locbo_study_keep_output(locbo_study *study, uint64_t trial, uint64_t attempt,
                                               const locbo_output *output, locbo_error *error);
typedef int locbo_output_fn(uint64_t attempt, const locbo_output *output, void *user);
/* Called for each attempt that has one, by number. Return 0 to continue. */
LOCBO_API locbo_status locbo_study_each_output(locbo_study *study, uint64_t trial, locbo_output_fn *fn, void *user,
                                               locbo_error *error);

/* ---- Changing one's mind ------------------------------------------------------------------------
 * A change is a fact like a result: it takes the next event number of the study, is listed with its time, author and
 * reason (locbo_study_each_change), and goes with the study when that is copied. `why`, which may be NULL, is the
 * reason in the caller's words. */

/* Who changes something, for the list of changes: "ann@lab3". It is copied. Default: "". */
LOCBO_API locbo_status locbo_store_author(locbo_store *store, const char *author, locbo_error *error);

/* What an alteration has done, or would do. */
typedef struct locbo_alteration {
    uint64_t event;     /* its event number; 0: nothing differed, or it was only tried */
    uint64_t outside;   /* results and failures outside the new space: the model sees them where they are */
    uint64_t aside;     /* results and failures that have no place in the new space: the model does not see them */
    uint64_t withdrawn; /* waiting trials outside the new space: they become RETRACTED */
    uint64_t fits;      /* of the model, which no longer hold: they are deleted */
} locbo_alteration;

/* Give the study another definition, another plan, or both; NULL: the same. Parameters are found by their names: each
 * of the study must be there (`is_frozen` of locbo_parameter_spec instead of removing one), a new one needs `past`, and
 * a category that trials may have can be retired, not removed. Outputs keep their order; new ones come after them, and
 * one that is no longer wanted becomes LOCBO_GOAL_RECORD. A study without a table of outputs may get one whose first is
 * "value". The first objective stays the first. A plan that stays must suit the new outputs, and the results of an
 * output that gets a log or logit scale must be possible on it. Past trials keep their points and what was believed of
 * them; the model sees them in the new space, and coverage is counted anew. LOCBO_ERR_CHANGED: someone else has altered
 * it meanwhile: locbo_study_refresh, and decide again. `only_try` 1: find out what it would do. `effect` may be NULL.
 * Afterwards the study is as by locbo_study_refresh; if the database cannot be read at that moment, the next call that
 * needs the definition says LOCBO_ERR_CHANGED. */
LOCBO_API locbo_status locbo_study_alter(locbo_study *study, const locbo_definition *definition, const locbo_plan *plan,
                                         const char *why, int only_try, locbo_alteration *effect, locbo_error *error);
/* Read the definition and the name again. What locbo_study_definition and locbo_study_optimizer gave before becomes
 * invalid; the number of parameters may have grown. Calls that need the definition (ask, enqueue, import, each,
 * optimizer, census, bounds, reference, each_fit, alter, set_plan, retract, fail, copy) fail with LOCBO_ERR_CHANGED
 * until this was called; tell, tell_failed, beat, requeue and the others do not. `changed`, which may be NULL, receives
 * whether the definition was changed. */
LOCBO_API locbo_status locbo_study_refresh(locbo_study *study, int *changed, locbo_error *error);

/* Take back the result with event number `sequence` of a trial, or, if it is 0, all of the trial: results, failure,
 * infeasibility. They stay visible, and the optimizer does not know them. A trial that has nothing left is RETRACTED;
 * so is one that waits or runs, whose worker learns it by its next heartbeat. A result told later counts again.
 * LOCBO_ERR_STATE: there is nothing to take back. */
LOCBO_API locbo_status locbo_study_retract(locbo_study *study, uint64_t trial, uint64_t sequence, const char *why,
                                           locbo_error *error);
/* The trial has FAILED after all, or is INFEASIBLE (`state`), whatever it was: its results are taken back. */
LOCBO_API locbo_status locbo_study_fail(locbo_study *study, uint64_t trial, locbo_state state, const char *why,
                                        locbo_error *error);
/* Pause the study: no trial is handed out (LOCBO_ERR_PAUSED) until it is resumed; results are taken. Workers wait.
 * LOCBO_OK also if it is paused already, whose reason is then replaced; likewise for resume. */
LOCBO_API locbo_status locbo_study_pause(locbo_study *study, const char *why, locbo_error *error);
LOCBO_API locbo_status locbo_study_resume(locbo_study *study, const char *why, locbo_error *error);
/* LOCBO_ERR_STATE: there is a study of that name. Processes that have it open go on. */
LOCBO_API locbo_status locbo_study_rename(locbo_study *study, const char *name, locbo_error *error);
/* Set the note and the tags of a trial, or of the study (trial 0); NULL: they stay as they are, "": none. Tags are
 * words without spaces and commas, separated by spaces or commas; they are stored once each, sorted. */
LOCBO_API locbo_status locbo_study_note(locbo_study *study, uint64_t trial, const char *note, const char *tags,
                                        locbo_error *error);
/* The note and the tags of the study; the texts are released with locbo_free. */
LOCBO_API locbo_status locbo_study_get_note(locbo_study *study, char **note, char **tags, locbo_error *error);
/* Copy the study, as it is at one moment, to this database or another one: with everything (RUNNING trials become
 * WAITING, or RETRACTED if they are outside the space), or (`with_trials` 0) only its definition, plan, note and tags.
 * `copy`, which may be NULL, receives the new study. */
LOCBO_API locbo_status locbo_study_copy(locbo_study **copy, locbo_study *study, locbo_store *to, const char *name,
                                        int with_trials, locbo_error *error);

/* ---- Reading a study --------------------------------------------------------------------------- */

/* Why a trial was ended early, or that it could have been: at most one for each trial. It never changes. */
typedef struct locbo_decision {
    locbo_prune rule;
    uint64_t attempt, step;
    double value;                 /* reported at that step */
    double incumbent;             /* the best value then; NAN: the rule did not need it */
    double tau, coin;             /* LOCBO_PRUNE_RISK: kept if the coin, in (0,1), is below 0.1; otherwise NAN */
    uint64_t event;               /* ended: the event number in the study; 0: it was kept */
    double expected, expected_sd; /* ended: the final value that complete curves let expect, not better than the
                                     incumbent, and its standard deviation; NAN: too few are complete */
} locbo_decision;

/* What one attempt of a trial reported. Pointers are valid only during the call. */
typedef struct locbo_curve {
    uint64_t trial, attempt;
    size_t count;
    const locbo_step *steps; /* growing */
} locbo_curve;

typedef int locbo_curve_fn(const locbo_curve *curve, void *user);
/* Called with each curve of a trial, or of all (trial 0), by trial and attempt. Return 0 to continue. */
LOCBO_API locbo_status locbo_study_each_curve(locbo_study *study, uint64_t trial, locbo_curve_fn *fn, void *user,
                                              locbo_error *error);

/* A trial with everything that is stored of it. Pointers are valid only during the call. Times of what has not happened
 * are NAN. */
typedef struct locbo_record {
    locbo_trial trial; /* id, origin, told, pending, belief */
    locbo_state state;
    const double *x;
    size_t count;                          /* number of results; they are in the order told */
    const locbo_measurement *measurements; /* of each: one for each output, derived ones included; value NAN: lacking */
    const uint64_t *sequence;              /* of each: its event number in the study */
    const double *told;                    /* of each: the time */
    double value;                          /* mean of their values of the first objective, each counted as often as its
                                              n says; NAN if there are none */
    uint64_t attempt, retries, lost, seed; /* as in locbo_assignment */
    const char *worker;                    /* the worker that has it or had it last; "" if none */
    const char *message;                   /* why it failed; "" if it did not */
    uint64_t failure;    /* FAILED, INFEASIBLE, RETRACTED, PRUNED: the event number in the study; otherwise 0 */
    const char *pending; /* JSON list of the trials that were outstanding when it was proposed */
    double lease;        /* RUNNING: when it ends */
    double asked, started, ended;
    size_t outputs;              /* how many; 0, in what is given to the library, means 1 */
    const locbo_belief *beliefs; /* of each output, as by locbo_optimizer_trial_beliefs; NULL with one output, which has
                                    that of `trial` */
    const char *note;            /* "" if there is none */
    const char *tags;            /* words with one space between them; "" if there are none */
    uint64_t outside;            /* not ended, and outside the space since this event; 0: inside */
    size_t retracted_count;      /* results that were taken back; they are not among the `count` */
    const locbo_measurement *retracted; /* of each: one for each output */
    const uint64_t *retracted_sequence; /* of each: its event number */
    const uint64_t *retracted_by;       /* of each: the event number by which it was taken back */
    const double *retracted_told;       /* of each: the time it was told */
    const locbo_decision *decision;     /* whether it was ended early, or kept; NULL: the rule never spoke */
} locbo_record;

typedef struct locbo_filter {
    size_t struct_size;     /* sizeof(locbo_filter) */
    unsigned states;        /* bits 1 << state. Default: 0, all */
    uint64_t first;         /* lowest trial number. Default: 0 */
    uint64_t limit;         /* largest number of trials. Default: 0, all */
    int newest_first;       /* 1: the highest number first. Default: 0 */
    uint64_t changed_after; /* > 0: only trials that wait or run, or have a result or failure with a larger event
                               number, or were ended early after it. Default: 0, all */
} locbo_filter;

typedef int locbo_record_fn(const locbo_record *record, void *user);
/* Called with each trial that the filter selects, by number. Return 0 to continue. `filter` NULL: all. */
LOCBO_API locbo_status locbo_study_each(locbo_study *study, const locbo_filter *filter, locbo_record_fn *fn, void *user,
                                        locbo_error *error);

typedef int locbo_fit_fn(const locbo_fit *fit, void *user);
/* Called with each fit of the hyper-parameters, in the order created; `output` says of which output. Return 0 to
 * continue. */
LOCBO_API locbo_status locbo_study_each_fit(locbo_study *study, locbo_fit_fn *fn, void *user, locbo_error *error);
/* The reference point, as by locbo_optimizer_reference: a number for each output. */
LOCBO_API locbo_status locbo_study_reference(locbo_study *study, double *reference, locbo_error *error);

/* What was changed after the fact. Pointers are valid only during the call. */
typedef enum locbo_change_kind {
    LOCBO_CHANGE_ALTER = 0, /* definition or plan */
    LOCBO_CHANGE_RETRACT = 1,
    LOCBO_CHANGE_FAIL = 2,
    LOCBO_CHANGE_PAUSE = 3,
    LOCBO_CHANGE_RESUME = 4,
    LOCBO_CHANGE_STOP = 5,
    LOCBO_CHANGE_CONTINUE = 6, /* no longer stopped */
    LOCBO_CHANGE_RENAME = 7,   /* `text` is the name before */
    LOCBO_CHANGE_NOTE = 8,     /* `text` is the note and the tags */
    LOCBO_CHANGE_COPY = 9      /* it is a copy; `text` says of which study, `trial` is 0 */
} locbo_change_kind;
enum { LOCBO_CHANGES = 10 };
LOCBO_API const char *locbo_change_name(locbo_change_kind kind); /* "alter" ... */

typedef struct locbo_change {
    uint64_t event; /* its number in the study */
    double time;
    const char *author; /* see locbo_store_author; "" if not known */
    locbo_change_kind kind;
    uint64_t trial;                             /* 0: the study */
    const char *text;                           /* why, as given; "" if not */
    const locbo_definition *before, *after;     /* ALTER: the definition; NULL if it is the same */
    const locbo_plan *plan_before, *plan_after; /* ALTER: the plan; NULL if it is the same */
} locbo_change;

typedef int locbo_change_fn(const locbo_change *change, void *user);
/* Called with each change that has an event number above `after`, in their order. Return 0 to continue. */
LOCBO_API locbo_status locbo_study_each_change(locbo_study *study, uint64_t after, locbo_change_fn *fn, void *user,
                                               locbo_error *error);

/* What locbo_study_each, locbo_study_each_fit, locbo_study_reference, locbo_study_each_change and
 * locbo_study_each_curve gave of another study, and its note, tags and reason of a pause. */
typedef struct locbo_contents {
    size_t record_count;
    const locbo_record *records;
    size_t fit_count;
    const locbo_fit *fits;
    const double *reference; /* NULL: none */
    size_t change_count;
    const locbo_change *changes;
    const char *note, *tags, *paused; /* NULL: none */
    size_t curve_count;               /* as locbo_study_each_curve gives them, by trial and attempt */
    const locbo_curve *curves;
} locbo_contents;
/* Create a study with these contents, in one transaction: it continues exactly as the other would. RUNNING trials
 * become WAITING. Derived values of the records are computed anew. */
LOCBO_API locbo_status locbo_study_create_from(locbo_study **study, locbo_store *store, const char *name,
                                               const locbo_definition *definition, const locbo_plan *plan,
                                               const locbo_contents *contents, locbo_error *error);

/* The state of a study in numbers, from one snapshot of the database. */
typedef struct locbo_census {
    uint64_t trials;              /* of all states */
    uint64_t state[LOCBO_STATES]; /* trials of each state */
    uint64_t measurements;        /* results */
    uint64_t events;              /* results, failures, infeasible points and changes so far: the last event number */
    uint64_t best_trial;          /* the first trial at the point with the best mean of what was measured of the
                                     objective, of the points where the means of all constraints keep to their bounds,
                                     as by locbo_optimizer_best: all results at a point count, of whatever trial, each by
                                     its repetitions; with a fidelity parameter only points at full fidelity; 0: none,
                                     or there are several objectives */
    double best_value;            /* that mean; NAN: none */
    uint64_t since_best;          /* other trials with results, or PRUNED, after the first one there, with a fidelity
                                     parameter only results at full fidelity; with several objectives, after the first
                                     result of the last point that extended the front of the means, and so the
                                     hypervolume */
    uint64_t failures_in_row;     /* FAILED since the last COMPLETE, PRUNED or INFEASIBLE */
    uint64_t empty_in_row;        /* FAILED or INFEASIBLE since the last COMPLETE or PRUNED */
    int stopped;                  /* see locbo_study_stop */
    char stop_reason[128];
    double created, now, last_event;
    uint64_t reached;     /* the first trial at a point whose means meet the plan's `targets`; 0: none */
    uint64_t best_count;  /* of how many results best_value is the mean */
    double expected_gain; /* the largest expected improvement that one of the last 5 proposals of the model promised, in
                             the units of the objective, with a fidelity parameter of those at full fidelity; NAN: there
                             are not 5 since the last alteration, or since something was last taken back, or the plan
                             has no bound for it */
    int paused;           /* see locbo_study_pause */
    char pause_reason[128];
    uint64_t revision; /* event number of the last change of the definition; 0: it is as created */
    double cost;       /* of all evaluations so far that have ended, the last attempt of each trial that was handed out:
                          by the space's expression, otherwise in seconds from its start to its end */
    double cost_below; /* how much of it was spent below full fidelity; NAN: there is no fidelity parameter */
    double cost_expected; /* of trials that run or wait: by the expression, otherwise by what evaluations have cost so
                             far, in proportion to their fidelity; not of those that were made ahead */
    uint64_t ahead;       /* of those that wait: made for other processes that waited, too, and given to nobody so far.
                             Limits hold for them, and a plan that is done does not wait for them */
} locbo_census;

LOCBO_API locbo_status locbo_study_census(locbo_study *study, locbo_census *census, locbo_error *error);

/* What ending evaluations early has done so far. Trials that have FAILED or were taken back are counted nowhere but in
 * `could_end` and `kept_failed`. */
typedef struct locbo_ended {
    size_t struct_size;                /* sizeof(locbo_ended) */
    uint64_t could_end;                /* trials that have a decision */
    uint64_t ended;                    /* of them: ended early, also if a value was told later */
    uint64_t kept;                     /* of them: kept by the coin, and complete */
    uint64_t kept_beat;                /* of those: the first result beat the incumbent of the decision */
    uint64_t kept_failed, outstanding; /* kept ones that have failed, and that wait or run */
    double steps, steps_saved; /* reported by the last attempts of all trials; saved, if ended trials had gone on to the
                                  mean last step of the complete ones; NAN: none is complete */
    /* LOCBO_PRUNE_RISK, counted since the plan has this rule; NAN otherwise */
    uint64_t resolved;      /* trials with steps that are complete or were ended */
    double tau;             /* now */
    double estimate, bound; /* of the share of resolved trials that could be ended and would have beaten their
                               incumbent: 10 x kept_beat / resolved, and the bound of locbo_prune, without the coin's
                               sampling error */
} locbo_ended;
/* Set `struct_size` first. */
LOCBO_API locbo_status locbo_study_ended(locbo_study *study, locbo_ended *ended, locbo_error *error);
/* For each output, the bound of a constraint as it is now: one that is relative to a trial (`baseline`) is known once
 * that trial was measured. NAN: there is none. */
LOCBO_API locbo_status locbo_study_bounds(locbo_study *study, double *bounds, locbo_error *error);

/* Which rule of a plan to stop holds, by a census; a limit of time and failures in a row are the caller's to see. */
typedef enum locbo_end {
    LOCBO_END_NOT = 0,
    LOCBO_END_TRIALS = 1, /* as many are complete or ended early as `trials`, and none waits */
    LOCBO_END_EVALUATIONS = 2,
    LOCBO_END_STOPPED = 3, /* see locbo_study_stop */
    LOCBO_END_TARGET = 4,  /* `target` or `targets` */
    LOCBO_END_NO_IMPROVEMENT = 5,
    LOCBO_END_EXPECTED_GAIN = 6,
    LOCBO_END_BUDGET = 7 /* the cost has reached `budget`, and none waits */
} locbo_end;
LOCBO_API locbo_end locbo_study_end(const locbo_study *study, const locbo_plan *plan, const locbo_census *census);

typedef int locbo_worker_fn(const char *worker, uint64_t trial, double lease, void *user);
/* Called for each RUNNING trial with its worker and the end of its lease, and with trial 0 for the worker that computes
 * a proposal. */
LOCBO_API locbo_status locbo_study_each_running(locbo_study *study, locbo_worker_fn *fn, void *user,
                                                locbo_error *error);

/* An optimizer that has what the database has now: for best, recommend, predict, summary. It belongs to the study and
 * is valid until the next call with the study; what is asked, told or set directly is not stored, and forgotten then.
 */
LOCBO_API locbo_status locbo_study_optimizer(locbo_study *study, locbo_optimizer **optimizer, locbo_error *error);

#ifdef __cplusplus
}
#endif

#endif
