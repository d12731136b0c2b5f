/* ledger.h - the state of an open study, shared by the files that make up its public functions: study.c
 * (create, open, plan), proposal.c (ask, enqueue), import.c, ledger.c (tell, beat, requeue), lost.c (lost workers),
 * archive.c and census.c (read), transfer.c (restore); and the functions that several of them need. */
#ifndef LEDGER_H
#define LEDGER_H

#include "belief.h"
#include "fit_numbers.h"
#include "measured.h"
#include "replay.h"
#include "token.h"
#include "store.h"

struct locbo_study {
    locbo_store *store;
    int64_t id;
    char *name;
    size_t dim;
    locbo_space *space;
    locbo_outputs *outputs; /* NULL: one, called "value" */
    measured table;         /* of the outputs */
    locbo_options options;  /* with a table of outputs its direction is that of the first objective */
    uint64_t revision;      /* the event number of the alteration that gave it this definition; 0: none has */
    size_t command_count;
    char **command;        /* one allocation */
    replay known;          /* the optimizer of asks and of locbo_study_optimizer, kept between the calls */
    struct early *early;   /* what the rule that ends evaluations early has read so far; NULL: nothing */
    locbo_watch_fn *watch; /* NULL: none */
    void *watch_user;
};

/* The columns of a belief, and the function that reads them. */
#define LEDGER_COLUMN(field) ", " #field
#define LEDGER_BELIEF BELIEF_SHOWN(LEDGER_COLUMN) ", {scale}"
locbo_status ledger_read_belief(const store_value *columns, locbo_belief *belief, locbo_error *error);
/* The columns that make a locbo_trial, for SELECT and INSERT, and the function that reads them. */
#define LEDGER_COLUMNS "number, params, origin, told, pending" LEDGER_BELIEF
enum { LEDGER_COLUMN_COUNT = 6 + BELIEF_SHOWN_COUNT };
locbo_status ledger_read_trial(const locbo_study *study, const store_value *columns, locbo_trial *trial, double *x,
                               locbo_error *error);
/* Its point alone. In a study that was altered it may be outside the space, or have no place there (NAN). */
locbo_status ledger_read_params(const locbo_study *study, const char *text, double *x, locbo_error *error);
/* Insert a trial with its beliefs, inside a transaction, without its measurements. `asked` NAN: now. RUNNING: started
 * now, with a lease of `lease` seconds (NAN: without end). */
locbo_status ledger_insert_trial(const locbo_study *study, const locbo_record *record, double lease,
                                 locbo_error *error);

/* The state of this name; the last one if there is none. */
locbo_state ledger_state(const char *name);
/* LOCBO_ERR_NOT_FOUND: the study has been deleted. */
locbo_status ledger_gone(const locbo_study *study, locbo_error *error);
/* A row function that stores the first column in the uint64_t at `user`. */
store_row_fn ledger_take_count;
/* Inside a transaction: the trial has failed, with the next event number. */
locbo_status ledger_fail_trial(locbo_study *study, uint64_t trial, const char *why, locbo_error *error);
/* The lease_length of a trial that was made for a process that waited, until it is handed out ({ahead} of store.h). */
enum { LEDGER_AHEAD = -2 };
/* The message of a trial that is RETRACTED because it is outside the space since this event. */
enum { LEDGER_OUTSIDE = 96 };
void ledger_write_outside(uint64_t event, char text[LEDGER_OUTSIDE]);
/* Inside a transaction: a trial that would wait again, though its point is outside the space since event `outside`, is
 * RETRACTED. */
locbo_status ledger_withdraw_trial(locbo_study *study, uint64_t trial, uint64_t outside, locbo_error *error);
/* Inside a transaction: lock the row of a trial of which a running evaluation reports. `attempt`, 0: not checked,
 * receives the present one. LOCBO_ERR_STATE: that attempt is over; but `pruned` is 1 if it was ended early. */
locbo_status ledger_lock_running(locbo_study *study, uint64_t trial, uint64_t *attempt, int *pruned,
                                 locbo_error *error);
/* Inside a transaction: the trial is ended early, with the next event number. */
locbo_status ledger_prune_trial(locbo_study *study, uint64_t trial, uint64_t *event, locbo_error *error);
/* Inside a transaction: lock the study's row, and read the columns "events, definition, plan, revision, stop_reason,
 * paused, name, note, tags, trials". */
locbo_status ledger_lock_study(const locbo_study *study, store_row_fn *row, void *user, locbo_error *error);
/* Inside a transaction: take an event number for what is no result and no failure. */
locbo_status ledger_take_event(const locbo_study *study, uint64_t *event, locbo_error *error);
/* LOCBO_ERR_CHANGED unless the definition has this revision. */
locbo_status ledger_check_revision(const locbo_study *study, uint64_t revision, locbo_error *error);
/* The same inside a transaction, for the present revision; LOCBO_ERR_NOT_FOUND if the study was deleted. */
locbo_status ledger_check_present(const locbo_study *study, locbo_error *error);

/* A fit and the memory of its arrays. */
typedef struct ledger_fit {
    locbo_fit fit;
    locbo_member members[FIT_MEMBERS];
    double *theta, *choice;
} ledger_fit;

/* The fits of study $1 in the order created, and the function that reads a row; release it also after a failure. */
#define LEDGER_FITS                                                                                                    \
    "SELECT result_rows, shift, spread, log_posterior, theta, {choice}, {output}, fit FROM locbo_fit WHERE study = $1" \
    " AND fit > $2 ORDER BY fit"
locbo_status ledger_read_fit(const store_value *columns, ledger_fit *read, locbo_error *error);
void ledger_release_fit(ledger_fit *read);
/* Insert fit number `number`, inside a transaction. */
locbo_status ledger_insert_fit(const locbo_study *study, uint64_t number, const locbo_fit *fit, locbo_error *error);

/* LOCBO_ERR_ARGUMENT if the text is not UTF-8; NULL is accepted. */
locbo_status ledger_check_text(const char *what, const char *text, locbo_error *error);

#endif
