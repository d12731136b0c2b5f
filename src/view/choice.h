/* choice.h - the best and the recommended point of a study, as JSON (rows_choice). */
#ifndef CHOICE_H
#define CHOICE_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

/* With more results the model takes minutes. */
enum { CHOICE_MANY = 3000 };

/* LOCBO_ERR_NOTHING before the first result. With more than CHOICE_MANY results the best observed point has no
 * interval. */
locbo_status choice_find(locbo_study *study, const locbo_census *census, int recommended, json_t **row,
                         locbo_error *error);
/* The same from an optimizer with results. */
locbo_status choice_of(locbo_optimizer *optimizer, int recommended, json_t **row, locbo_error *error);
/* The best measured point without a model: the census names its trial. */
locbo_status choice_plain(locbo_study *study, const locbo_census *census, json_t **row, locbo_error *error);

#endif
