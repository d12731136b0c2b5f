/* choice.h - the best and the recommended point of a study: for best, recommend and the pipe. */
#ifndef CHOICE_H
#define CHOICE_H

#include <jansson.h>
#include <locbo/study.h>

#include "args.h"
#include "status.h"

/* The model of more results takes minutes. */
enum { CHOICE_MANY = 3000 };

/* As rows_choice has it. LOCBO_ERR_NOTHING before the first result. With more than CHOICE_MANY
 * results the best observed point has no interval. */
locbo_status choice_find(locbo_study *study, int recommended, json_t **row, locbo_error *error);
/* The whole of `locbo best` and `locbo recommend`. */
int choice_run(const command *self, int argc, char **argv, int recommended);

#endif
