/* ledger.h - the state of an open study, shared by the files that make up its public functions: study.c (life),
 * proposal.c (ask, enqueue), import.c, ledger.c (tell and the rest of a trial's life), archive.c (looking at it),
 * transfer.c (out and in); and the pieces that several of them need. */
#ifndef LEDGER_H
#define LEDGER_H

#include "belief.h"
#include "store.h"

struct locbo_study {
    locbo_store *store;
    int64_t id;
    char *name;
    size_t dim;
    locbo_space *space;
    locbo_options options;
    size_t command_count;
    char **command;             /* one allocation */
    locbo_optimizer *optimizer; /* that of the last proposal or look, to be released */
};

/* A list of values for store_query: its length and itself. */
#define VALUES(...)                                                                                                    \
    sizeof((store_value[]){__VA_ARGS__}) / sizeof(store_value), (store_value[]) { __VA_ARGS__ }

/* The columns of a trial that make a locbo_trial, for SELECT and INSERT, and how they are read. */
#define LEDGER_COLUMN(field) ", " #field
#define LEDGER_COLUMNS "number, params, origin, told, pending" BELIEF_FIELDS(LEDGER_COLUMN)
enum { LEDGER_COLUMN_COUNT = 5 + BELIEF_COUNT };
locbo_status ledger_read_trial(const locbo_study *study, const store_value *columns, locbo_trial *trial, double *x,
                               locbo_error *error);
/* A new trial, inside a transaction: asked now if the record does not say when; RUNNING: started now, and leased for so
 * many seconds (NAN: for ever). Its measurements are inserted one by one. */
locbo_status ledger_insert_trial(const locbo_study *study, const locbo_record *record, double lease,
                                 locbo_error *error);

/* The columns of a measurement that make a locbo_measurement. */
#define LEDGER_MEASUREMENT "value, sd, n"
locbo_measurement ledger_read_measurement(const store_value *columns);
/* Inside a transaction. `told` NAN: now. */
locbo_status ledger_insert_measurement(const locbo_study *study, uint64_t event, uint64_t trial, uint64_t attempt,
                                       const locbo_measurement *m, double told, uint64_t token, locbo_error *error);

/* LOCBO_ERR_NOT_FOUND: the study has been deleted. */
locbo_status ledger_gone(const locbo_study *study, locbo_error *error);
/* A row function: the first column into the uint64_t that `user` points to. */
store_row_fn ledger_take_count;
/* A number that no other call has. */
locbo_status ledger_draw(uint64_t *number, locbo_error *error);
/* Trials whose lease has ended wait again; `requeued` (may be NULL): how many. Inside a transaction. */
locbo_status ledger_expire(const locbo_study *study, uint64_t *requeued, locbo_error *error);

/* The fits of study $1 in the order made, and how such a row is read; theta is released with mem_free. */
#define LEDGER_FITS                                                                                                    \
    "SELECT result_rows, shift, spread, log_posterior, theta FROM locbo_fit WHERE study = $1"                          \
    " ORDER BY fit"
locbo_status ledger_read_fit(const store_value *columns, locbo_fit *fit, double **theta, locbo_error *error);
/* The number-th fit, its theta as a JSON list; inside a transaction. */
locbo_status ledger_insert_fit(const locbo_study *study, uint64_t number, const locbo_fit *fit, const char *theta,
                               locbo_error *error);

/* LOCBO_ERR_ARGUMENT if it is not UTF-8; NULL is fine. */
locbo_status ledger_check_text(const char *what, const char *text, locbo_error *error);
locbo_status ledger_check_measurement(const locbo_measurement *m, locbo_error *error);

#endif
