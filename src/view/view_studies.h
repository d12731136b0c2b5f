/* view_studies.h - every study of a database in short: for the list that the dashboard begins
 * with, and for a report, whose list has one. */
#ifndef VIEW_STUDIES_H
#define VIEW_STUDIES_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

/* One row of the answer `studies` of docs/api.md. */
locbo_status view_studies_row(locbo_study *study, json_t **row, locbo_error *error);
/* The whole answer; `rows` is a list of such rows, and the answer's from now on, whatever is
 * returned. `url`: of the database, without a password. `edit`: whether it may be changed from
 * here. */
locbo_status view_studies_answer(const char *url, int edit, json_t *rows, json_t **answer, locbo_error *error);
/* The answer with every study of the store. One that cannot be read has a row that says why. */
locbo_status view_studies(locbo_store *store, int edit, json_t **answer, locbo_error *error);

#endif
