/* overview.h - the state of a study as one JSON object, for `locbo status` and `locbo pipe`. */
#ifndef OVERVIEW_H
#define OVERVIEW_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

/* With more measurements the coverage takes too long to compute. */
enum { OVERVIEW_MANY = 5000 };

/* {"name","database","direction","method","parameters":{},"command":[],"plan":{},"trials":12,
 *  "states":{"WAITING":0, ...},"measurements":20,"best":{"trial","value","results"} or null,"since_best",
 *  "failures_in_row","coverage":{"judged","coverage","online","target","bound","guarantee",
 *  "by_origin":[{"origin","judged","inside","coverage"}]} or null,
 *  "random_proposals":0 or null,"bounds":{"proposals":60,"on_bound":12} or null,
 *  "running":[{"trial","attempt","worker","started","lease"}],"stopped":false,"stop_reason":null,
 *  "paused":null or the reason,"revision":17, the event number of the last alteration, or 0,
 *  "created","now","last_event","note":null or a text,"tags":[]}
 * With a table of outputs also "outputs", as in a study file, and what overview_put_outputs adds; "best" and "coverage"
 * are those of the only or first objective.
 * Needs no model. `coverage`: whether to add it; null with more than OVERVIEW_MANY measurements, and so
 * are "random_proposals" and "bounds". */
locbo_status overview_make(locbo_study *study, const char *url, int coverage, json_t **made, locbo_error *error);

/* How many of the first `count` trials were proposed at random because the model gave no proposal, see fallback.h. */
uint64_t overview_random(const locbo_optimizer *optimizer, uint64_t count, locbo_method method);

/* What there is to say of a study with a table of outputs:
 *  "measured":{"loss":40,"memory":38}, complete trials that have each output
 *  "feasible":{"yes":30,"no":8,"unknown":2}, complete trials by whether the means of the constraints at their points
 *      keep to the bounds in force; null without constraints
 *  "front":{"points":7,"hypervolume":12.3 or null,"since":5}, by the means measured at each point, and how many trials
 *      were completed since it improved; null with one objective
 *  "coverage_by_output":[{"output","judged","coverage","online","target","bound","guarantee","by_origin"}]
 *  "coverage_together":{"judged","inside","coverage"}, of all modelled outputs at once, or null
 * `optimizer` NULL: what needs one is null. */
locbo_status overview_put_outputs(json_t *row, locbo_study *study, const locbo_census *census,
                                  locbo_optimizer *optimizer, locbo_error *error);

/* Its parts, for other views; they return not 0 without memory. "name", "database", "direction", "method": */
int overview_put_name(json_t *row, const locbo_study *study, const char *url, const locbo_options *options);
/* {"trial","value","results"}, or null without a result; NULL: no memory. */
json_t *overview_best(const locbo_census *census);
/* Trials that have ended: complete, ended early, failed or infeasible. */
uint64_t overview_ended(const locbo_census *census);
/* "trials", "states", "measurements" */
int overview_put_counts(json_t *row, const locbo_census *census);
/* "stopped", "stop_reason", "paused", "revision", "created", "now", "last_event" */
int overview_put_times(json_t *row, const locbo_census *census);
/* "note", "tags" of the study */
locbo_status overview_put_note(json_t *row, locbo_study *study, locbo_error *error);

#endif
