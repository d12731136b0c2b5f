/* plan_fields.h - the fields of locbo_plan in one list, for those who store and show it. */
#ifndef PLAN_FIELDS_H
#define PLAN_FIELDS_H

/* clang-format off */
/* Counts of which 0 is "not set", other counts, doubles; the rule by which evaluations are ended early. */
#define PLAN_FIELDS(LIMIT, COUNT, REAL, RULE) \
    LIMIT(trials) REAL(time) REAL(target) LIMIT(no_improvement) REAL(timeout) COUNT(retries) REAL(retry_delay) \
    LIMIT(max_failures) REAL(lease) LIMIT(max_lost) LIMIT(confirm) LIMIT(evaluations) \
    REAL(expected_gain) RULE(prune) REAL(prune_risk) REAL(budget)
/* clang-format on */

#endif
