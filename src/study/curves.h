/* curves.h - what evaluations report while they run, as rows of the tables locbo_step and locbo_decision. */
#ifndef CURVES_H
#define CURVES_H

#include "ledger.h"

/* The largest step: it is exact as a double, and so in every format. */
#define CURVES_LAST_STEP (UINT64_C(1) << 53)

/* Inside a transaction: insert steps of an attempt. */
locbo_status curves_insert(const locbo_study *study, uint64_t trial, uint64_t attempt, size_t count,
                           const locbo_step *steps, locbo_error *error);

/* The columns of locbo_decision but study and trial, and the function that reads them. */
#define CURVES_DECISION "rule, attempt, step, value, incumbent, tau, coin, event, expected, expected_sd"
enum { CURVES_DECISION_COUNT = 10 };
locbo_decision curves_read_decision(const store_value *columns);
/* Inside a transaction. */
locbo_status curves_insert_decision(const locbo_study *study, uint64_t trial, const locbo_decision *d,
                                    locbo_error *error);
/* LOCBO_ERR_ARGUMENT for a decision that cannot be. */
locbo_status curves_check_decision(const locbo_decision *d, locbo_error *error);

/* Curves of one trial, or of all (0), in memory. */
typedef struct curve_list {
    const locbo_study *study;
    uint64_t trial;
    size_t count, capacity;
    locbo_curve *curves;
    size_t *first; /* of each: the number of its first step below */
    size_t steps, room;
    locbo_step *step;
} curve_list;

/* Inside a transaction, which may be repeated. Release it also after a failure. */
locbo_status curves_read(curve_list *list, locbo_error *error);
/* The same for at most CURVES_BATCH trials: one question to the server. */
enum { CURVES_BATCH = 25 };
locbo_status curves_read_some(curve_list *list, size_t count, const uint64_t *trials, locbo_error *error);
/* The curve of the last attempt of a trial that has one; NULL: none has. */
const locbo_curve *curves_find(const curve_list *list, uint64_t trial);
void curves_release(curve_list *list);
/* Inside a transaction: into a new study. */
locbo_status curves_write(const locbo_study *study, size_t count, const locbo_curve *curves, locbo_error *error);
/* LOCBO_ERR_ARGUMENT unless they can be those of a study with `trials` trials. */
locbo_status curves_check(uint64_t trials, size_t count, const locbo_curve *curves, locbo_error *error);

#endif
