/* plan_fields.h - the fields of locbo_plan in one list, for those who store and show it. */
#ifndef PLAN_FIELDS_H
#define PLAN_FIELDS_H

/* clang-format off */
/* Counts of which 0 is "not set", other counts, doubles. */
#define PLAN_FIELDS(LIMIT, COUNT, REAL) \
    LIMIT(trials) REAL(time) REAL(target) LIMIT(no_improvement) REAL(timeout) COUNT(retries) REAL(retry_delay) \
    LIMIT(max_failures) REAL(lease) LIMIT(max_lost) LIMIT(confirm) LIMIT(evaluations) \
    REAL(expected_gain) REAL(budget)
/* clang-format on */

#endif
