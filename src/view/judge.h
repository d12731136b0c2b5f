/* judge.h - whether results lay in the sets announced for them when they were asked. */
#ifndef JUDGE_H
#define JUDGE_H

#include <jansson.h>

#include "trial_table.h"

#define JUDGE_BAND 0.95 /* level of the bands that are shown */

typedef enum judge_verdict {
    JUDGE_NONE, /* nothing was announced, or nothing has been measured */
    JUDGE_INSIDE,
    JUDGE_MISS
} judge_verdict;

/* Of what the first result of a trial that the model proposed measured of an output, with the measurement's own noise
 * (announced.h). The share inside is the `coverage` of locbo_summary_of. */
judge_verdict judge_measured(locbo_origin origin, const locbo_belief *belief, const locbo_measurement *first);
/* The same of row i and output k; JUDGE_NONE for one that is not modelled. */
judge_verdict judge_output(const trial_table *t, size_t i, size_t k);
/* (measurement - mean) / predictive standard deviation; NAN if JUDGE_NONE. */
double judge_score(const trial_table *t, size_t i, size_t k);
/* Of all modelled outputs that have a verdict: JUDGE_MISS if one lay outside, JUDGE_NONE if none has one. */
judge_verdict judge_any(const trial_table *t, size_t i);
/* Of all modelled outputs together, as locbo_optimizer_whole_coverage: JUDGE_NONE unless each has a verdict,
 * JUDGE_INSIDE if each lay inside. */
judge_verdict judge_together(const trial_table *t, size_t i);

/* "miss" in JSON: true, false, or null for JUDGE_NONE. */
json_t *judge_json(judge_verdict verdict);

/* Whether the first result of row i was told after event `since`: coverage is counted anew after an alteration. */
int judge_is_since(const trial_table *t, size_t i, uint64_t since);

/* The rows that have a verdict of output k, told after event `since`, in the order told: indices into t->rows; release
 * with mem_free. */
locbo_status judge_order(const trial_table *t, size_t k, uint64_t since, size_t **order, size_t *count,
                         locbo_error *error);

/* How many rows of each origin have a verdict of output k, told after event `since`, and how many of these lay inside.
 */
void judge_count(const trial_table *t, size_t k, uint64_t since, uint64_t judged[LOCBO_ORIGINS],
                 uint64_t inside[LOCBO_ORIGINS]);

/* The band that the share of successes of n independent draws with probability p lies in with probability `level`
 * (exact binomial quantiles divided by n; [0, 1] for n = 0). */
void judge_band(size_t n, double p, double level, double *low, double *high);

#endif
