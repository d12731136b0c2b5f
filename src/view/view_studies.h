/* view_studies.h - one row for each study of a database: the first page of the dashboard. A report has one row. */
#ifndef VIEW_STUDIES_H
#define VIEW_STUDIES_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

/* One row of the answer `studies` of docs/api.md. */
locbo_status view_studies_row(locbo_study *study, json_t **row, locbo_error *error);
/* The whole answer; takes ownership of `rows`, a list of such rows, also after a failure. `url`: of the database,
 * without a password. `edit`: whether edits are allowed. */
locbo_status view_studies_answer(const char *url, int edit, json_t *rows, json_t **answer, locbo_error *error);
/* The answer with every study of the store. A study that cannot be read has a row with the error. */
locbo_status view_studies(locbo_store *store, int edit, json_t **answer, locbo_error *error);

#endif
