/* curve_rows.h - the JSON of curves, of decisions to end evaluations early, and of their account. NULL: no memory. */
#ifndef CURVE_ROWS_H
#define CURVE_ROWS_H

#include <jansson.h>
#include <locbo/study.h>

/* "step" and "value": two lists of equal length. Not 0: no memory. */
int curve_rows_put_steps(json_t *row, size_t count, const locbo_step *steps);
/* {"rule":"risk","attempt":1,"step":12,"value":0.5,"incumbent":0.3,"tau":2.1,"coin":0.6,"ended":true,"expected":0.4,
 * "expected_sd":0.1}: null for what is not known; null for NULL, or a decision whose attempt is 0. */
json_t *curve_rows_decision(const locbo_decision *decision);
/* {"evaluations":60,"could_end":12,"ended":11,"kept":1,"kept_beat":0,"kept_failed":0,"outstanding":0,"steps":1800,
 * "steps_saved":700,"share_saved":0.28,"rule":"risk","target":0.05,"resolved":60,"tau":2.3,"estimate":0,"bound":0.6}:
 * evaluations are those complete or ended early; target to bound are null unless the rule is that of the risk. */
json_t *curve_rows_account(const locbo_ended *ended, const locbo_plan *plan, const locbo_census *census);

#endif
