/* early_end.h - what the program shows of evaluations that report steps: their curves, the decisions to end them early,
 * and the account of these. */
#ifndef EARLY_END_H
#define EARLY_END_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

/* {"rule","attempt","step","value","incumbent","tau","coin","ended","expected","expected_sd","event"}; NULL: no memory.
 * "event" is null of one that was kept. */
json_t *early_end_decision(const locbo_decision *decision);
/* The other way. 0: it is no decision. */
int early_end_read_decision(const json_t *json, locbo_decision *decision);

/* [{"trial","attempt","steps":81,"step":[1, ...],"value":[0.9, ...]}], of a trial, or of all (0). */
locbo_status early_end_curves(locbo_study *study, uint64_t trial, json_t **list, locbo_error *error);
/* Whether the study has any. */
locbo_status early_end_has_curves(locbo_study *study, int *has, locbo_error *error);
/* "curves" and "decision" of a trial into its row, if there are any. */
locbo_status early_end_put(json_t *row, locbo_study *study, uint64_t trial, locbo_error *error);

/* For people, into a table: "curve" ("curve 1", "curve 2" of several attempts), some of many steps; "early end". Not 0:
 * no memory. */
int early_end_put_text(json_t *table, const json_t *row);

/* The account (curve_rows.h); NULL if the study has no rule, no decision and no steps. */
locbo_status early_end_account(locbo_study *study, json_t **account, locbo_error *error);
/* The same as "early_end" of what `locbo status -f json` prints; nothing if it is NULL. */
locbo_status early_end_add_account(locbo_study *study, json_t *view, locbo_error *error);
/* The same as lines of a table. */
int early_end_put_account(json_t *table, const json_t *account);
/* "ended early: 12 trials, about 310 of 900 steps saved (34 %)"; null if none was ended. */
json_t *early_end_summary(const json_t *account);

#endif
