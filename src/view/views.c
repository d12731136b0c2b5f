/* views.c - the table of the views of a study. Layer: view, answers. */
#include "views.h"

#include <string.h>

#include "rows.h"

const char *const no_keys[] = {NULL};

const view views[] = {
    {"overview", no_keys, 0, view_overview},
    {"definition", no_keys, 0, view_definition},
    {"choices", no_keys, 1, view_choices},
    {"history", history_keys, 0, view_history},
    {"curves", curves_keys, 0, view_curves},
    {"calibration", calibration_keys, 0, view_calibration},
    {"slice", slice_keys, 1, view_slice},
    {"contour", contour_keys, 1, view_contour},
    {"importance", importance_keys, 1, view_importance},
    {"pareto", pareto_keys, 1, view_pareto},
    {"hypervolume", hypervolume_keys, 0, view_hypervolume},
    {"parameters", parameters_keys, 0, view_parameters},
    {"trials", trials_keys, 0, view_trials},
    {"trial", trial_keys, 0, view_trial},
    {"log", log_keys, 0, view_log},
    {NULL, NULL, 0, NULL},
};

const view *view_find(const char *name) {
    for (const view *v = views; v->name; v++)
        if (strcmp(v->name, name) == 0) return v;
    return NULL;
}

/* Its own keys, and "study" and "events", which every view accepts. */
static locbo_status check_keys(const view *v, const query *q, locbo_error *error) {
    const char *keys[16] = {"study", "events"};
    for (size_t i = 0; v->keys[i] && i + 3 < sizeof keys / sizeof keys[0]; i++) keys[i + 2] = v->keys[i];
    return query_check(q, keys, error);
}

enum { TRIES = 5 };

/* A study that is altered while its view is made is read again. */
static locbo_status make(const view *v, cache *c, const query *q, json_t **made, locbo_error *why) {
    locbo_status status = LOCBO_ERR_CHANGED;
    for (int i = 0; i < TRIES && status == LOCBO_ERR_CHANGED; i++) {
        status = cache_refresh(c, why);
        if (status == LOCBO_OK) status = v->make(c, q, made, why);
    }
    if (status != LOCBO_ERR_CHANGED) return status;
    return status_fail(why, LOCBO_ERR_BUSY, "the study is being altered: try again");
}

locbo_status view_answer(const view *v, cache *c, const query *q, json_t **answer, locbo_error *error) {
    locbo_error why;
    json_t *made = NULL;
    uint64_t enough = 0;
    locbo_status status = check_keys(v, q, error);
    if (status == LOCBO_OK) status = query_count(q, "events", 1, UINT64_MAX, UINT64_MAX, &enough, error);
    if (status != LOCBO_OK) return status;
    cache_suffices(c, enough);
    status = make(v, c, q, &made, &why);
    if (status == LOCBO_ERR_NOTHING) {
        made = json_pack("{s:o}", "nothing", rows_text(why.message));
        status = made ? LOCBO_OK : status_no_memory(&why);
    }
    if (status != LOCBO_OK) {
        if (error) *error = why;
        return status;
    }
    *answer = made;
    return status_ok(error);
}
