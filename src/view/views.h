/* views.h - the views of a study: one row and one function each. The server answers with them, a report embeds them,
 * figures are drawn from them. Their JSON: docs/api.md. */
#ifndef VIEWS_H
#define VIEWS_H

#include <jansson.h>

#include "cache.h"
#include "query.h"

/* *answer: a JSON object. */
typedef locbo_status view_fn(cache *c, const query *q, json_t **answer, locbo_error *error);

typedef struct view {
    const char *name;
    const char *const *keys; /* of the query, besides "study" and "events"; NULL-terminated */
    int model;               /* whether it needs the model, which may take seconds */
    view_fn *make;
} view;

extern const view views[]; /* ends with a row whose name is NULL */
const view *view_find(const char *name);
/* Checks the query, makes the answer. If there is nothing to show yet (LOCBO_ERR_NOTHING), the answer is
 * {"nothing": "why"}. */
locbo_status view_answer(const view *v, cache *c, const query *q, json_t **answer, locbo_error *error);

/* view_overview.c */
view_fn view_overview, view_definition;
/* view_history.c */
view_fn view_history;
/* view_curves.c */
view_fn view_curves;
/* view_calibration.c */
view_fn view_calibration;
/* view_parameters.c */
view_fn view_parameters;
/* view_trials.c */
view_fn view_trials;
/* view_trial.c */
view_fn view_trial;
/* view_log.c */
view_fn view_log;
/* view_front.c */
view_fn view_pareto, view_hypervolume;
/* view_model.c: choices, importance; view_slice.c: slice, contour */
view_fn view_choices, view_slice, view_contour, view_importance;

extern const char *const no_keys[];
extern const char *const history_keys[];
extern const char *const curves_keys[];
extern const char *const calibration_keys[];
extern const char *const parameters_keys[];
extern const char *const trials_keys[];
extern const char *const trial_keys[];
extern const char *const log_keys[];
extern const char *const slice_keys[];
extern const char *const contour_keys[];
extern const char *const importance_keys[];
extern const char *const pareto_keys[];
extern const char *const hypervolume_keys[];

#endif
