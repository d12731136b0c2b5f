/* cache.h - one study with its trials and its model, each read or computed at the first call and then kept up to date.
 * For one thread at a time, as its store. Never writes. */
#ifndef CACHE_H
#define CACHE_H

#include <locbo/study.h>

#include "curve_table.h"
#include "trial_table.h"

typedef struct cache cache;

/* `name` NULL: the only study. LOCBO_ERR_NOT_FOUND. The store stays the caller's and must outlive the cache. */
locbo_status cache_open(cache **made, locbo_store *store, const char *name, locbo_error *error);
void cache_close(cache *c);

locbo_study *cache_study(cache *c);
const char *cache_url(const cache *c); /* of the database, without a password */
const locbo_definition *cache_definition(const cache *c);
const locbo_space *cache_space(const cache *c);
/* 1 if larger is better, of the first objective. */
int cache_maximizes(const cache *c);
/* Also of a study without a table of outputs. */
const output_list *cache_outputs(const cache *c);

/* The definition and the name as the database has them now; what the functions above gave before may become invalid. To
 * be called before a view is made, and again after any function below, or of the study, failed with LOCBO_ERR_CHANGED.
 * If the study was altered, all of its trials are read again, and its model is computed again. While the store is held
 * (moment.h), as for a report and a figure, nothing becomes invalid after the first call. */
locbo_status cache_refresh(cache *c, locbo_error *error);

/* As the database has them now. The results belong to the cache and are valid until the next call of the same function.
 * LOCBO_ERR_NOT_FOUND: the study has been deleted. */
locbo_status cache_census(cache *c, const locbo_census **census, locbo_error *error);
locbo_status cache_trials(cache *c, const trial_table **trials, locbo_error *error);
/* Both as of one moment. */
locbo_status cache_curves(cache *c, const trial_table **trials, const curve_table **curves, locbo_error *error);
/* Whether any evaluation has reported steps. */
locbo_status cache_has_curves(cache *c, int *has, locbo_error *error);
/* By the number of an output: the bounds of constraints that are in force (locbo_study_bounds), and the reference point
 * of several objectives (locbo_study_reference); NAN: none. NULL without a table of outputs. */
locbo_status cache_bounds(cache *c, const double **bounds, locbo_error *error);
locbo_status cache_reference(cache *c, const double **reference, locbo_error *error);

/* The optimizer with all results, computed again only after new events. LOCBO_ERR_NOTHING, with the reason as its
 * message, if there is no model: the method is random, or there are fewer than two results, or choice_takes_long. */
locbo_status cache_model(cache *c, locbo_optimizer **optimizer, locbo_error *error);
/* From now on a model with so many events suffices to cache_model, whatever came after them: a page that asks for
 * several pictures gets them of one model, and for the price of one. UINT64_MAX, as at first: only one with all events
 * does. */
void cache_suffices(cache *c, uint64_t events);

#endif
