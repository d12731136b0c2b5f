/* points.h - the points of a study at which there are results, with the mean of each, kept in the table locbo_point: so
 * the best of many results is found by an index. Of studies with one output and without a fidelity parameter, until
 * they are altered; those that were created before schema version 8 have none, and are counted. */
#ifndef POINTS_H
#define POINTS_H

#include "ledger.h"

/* SQL: what `value` adds to a sum that would overflow, and what that sum is to be multiplied by; PostgreSQL refuses
 * numbers that overflow, and those that underflow. */
#define POINTS_SMALL(value) "(CASE WHEN abs(" value ") < 1e-200 THEN 0 ELSE " value " / 73786976294838206464.0 END)"
#define POINTS_LARGE " * 73786976294838206464.0"
/* The mean of the results m of a group. A single result as it is: n y / n may differ from y in the last bit. */
#define POINTS_MEAN                                                                                                    \
    "CASE WHEN count(*) = 1 THEN max(m.value) WHEN max(abs(m.value)) < 1e290 THEN sum(m.n * m.value) / sum(m.n)"       \
    " ELSE sum(m.n * " POINTS_SMALL("m.value") ") / sum(m.n)" POINTS_LARGE " END"

/* Whether results of this study belong into the table. */
int points_are_kept(const locbo_study *study);
/* The number of a point, by its text; NULL if the study keeps no points. Two points of a study of 100 000 have the same
 * number with probability 3e-10. */
store_value points_number(const locbo_study *study, const char *params);

/* Inside a transaction in which the study's row is locked. A result of a trial at point `number` was inserted. */
locbo_status points_add(const locbo_study *study, int64_t number, uint64_t trial, uint64_t event,
                        const locbo_measurement *result, locbo_error *error);

/* The same for many: note each, and write. */
typedef struct points_list {
    size_t count, capacity;
    struct points_item {
        int64_t number;
        uint64_t trial, event, weight, results;
        double mean;
    } * items;
} points_list;
/* `number` NULL: nothing is noted. */
locbo_status points_note(points_list *list, store_value number, uint64_t trial, uint64_t event,
                         const locbo_measurement *result, locbo_error *error);
/* Write them, if all went well so far (`status`), and empty the list. Returns `status`, or why it failed. */
locbo_status points_write(const locbo_study *study, points_list *list, locbo_status status, locbo_error *error);

/* Results of the trial were taken back. */
locbo_status points_take_back(const locbo_study *study, uint64_t trial, locbo_error *error);

/* Inside a transaction: the columns trial (the lowest), mean, event (of the first result), and number of results of the
 * best point. */
locbo_status points_best(const locbo_study *study, store_row_fn *row, void *user, locbo_error *error);

#endif
