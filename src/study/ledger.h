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
    size_t command_count;
    char **command;             /* one allocation */
    locbo_optimizer *optimizer; /* that of the last ask or locbo_study_optimizer */
    replay known;               /* method random: kept between asks */
    locbo_watch_fn *watch;      /* NULL: none */
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

/* A fit and the memory of its arrays. */
typedef struct ledger_fit {
    locbo_fit fit;
    locbo_member members[FIT_MEMBERS];
    double *theta, *choice;
} ledger_fit;

/* The fits of study $1 in the order created, and the function that reads a row; release it also after a failure. */
#define LEDGER_FITS                                                                                                    \
    "SELECT result_rows, shift, spread, log_posterior, theta, {choice}, {output} FROM locbo_fit WHERE study = $1"      \
    " ORDER BY fit"
locbo_status ledger_read_fit(const store_value *columns, ledger_fit *read, locbo_error *error);
void ledger_release_fit(ledger_fit *read);
/* Insert fit number `number`, inside a transaction. */
locbo_status ledger_insert_fit(const locbo_study *study, uint64_t number, const locbo_fit *fit, locbo_error *error);

/* LOCBO_ERR_ARGUMENT if the text is not UTF-8; NULL is accepted. */
locbo_status ledger_check_text(const char *what, const char *text, locbo_error *error);

#endif
