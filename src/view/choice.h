/* choice.h - the best and the recommended point of a study, as JSON (rows_choice); of several objectives their fronts.
 *
 * A recommended point has "success", the probability that an evaluation there succeeds. One that lies outside the space
 * since that was altered has "outside":true.
 * With a table of outputs a point also has "outputs":{"loss":{"mean","interval"}, ...}, the modelled ones, and
 * "feasible", the probability that all constraints hold, and "holds": false if there was no point where they hold, and
 * this is where they hold most probably; null without constraints. A front is
 *     {"front":[{"trial","params","outputs":{"loss":{"value","mean","interval"}},"feasible":0.97}, ...], "points":12,
 *      "level":0.8,"reference":{"loss":1.2},"hypervolume":3.4}
 * at most CHOICE_FRONT of its `points`, the best in the first objective first; best: by what was measured, recommended:
 * by the model. The hypervolume is that of its values, or of its means. Numbers that are not known are null. */
#ifndef CHOICE_H
#define CHOICE_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

/* With more results facts alone are given at once, and an exact model takes minutes; the points of a front that are
 * named. */
enum { CHOICE_MANY = 3000, CHOICE_FRONT = 500 };

/* Whether the model of so many results takes minutes: it is exact, without a limit of rows. */
int choice_takes_long(const locbo_options *options, uint64_t results);

/* LOCBO_ERR_NOTHING before the first result. With more than CHOICE_MANY results the best observed point has no
 * interval. */
locbo_status choice_find(locbo_study *study, const locbo_census *census, int recommended, json_t **row,
                         locbo_error *error);
/* The same from an optimizer with results; `outputs` is the study's table, NULL: it has none. */
locbo_status choice_of(locbo_optimizer *optimizer, const locbo_outputs *outputs, int recommended, json_t **row,
                       locbo_error *error);
/* The recommended point with "within", the ranges of within.h. LOCBO_ERR_NOTHING before there is a model; for one
 * objective. */
locbo_status choice_within(locbo_study *study, double delta, double level, json_t **row, locbo_error *error);
/* The best measured point without a model: the census names its trial. LOCBO_ERR_NOTHING if it names none, as with
 * several objectives. */
locbo_status choice_plain(locbo_study *study, const locbo_census *census, json_t **row, locbo_error *error);

#endif
