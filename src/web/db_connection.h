/* db_connection.h - a database connection that one request at a time uses, with a few cached studies. The server has
 * two, so that requests for facts do not wait while a model is computed. */
#ifndef DB_CONNECTION_H
#define DB_CONNECTION_H

#include "views.h"

typedef struct db_connection db_connection;

/* `url` is the caller's and must outlive it. Does not open the database yet. `most`: requests that may wait. */
locbo_status db_connection_create(db_connection **made, const char *url, size_t most, locbo_error *error);
/* Waiting and later requests get LOCBO_ERR_BUSY. */
void db_connection_stop(db_connection *d);
int db_connection_is_stopped(db_connection *d);
/* Only when no request uses it. */
void db_connection_destroy(db_connection *d);

/* Wait for the turn. LOCBO_ERR_BUSY: the database cannot be read now, too many requests wait, or it was stopped; then
 * do not call db_connection_leave. */
locbo_status db_connection_enter(db_connection *d, locbo_error *error);
/* End the turn. `status`: of the last call; after a failed connection the next request opens a new one. */
void db_connection_leave(db_connection *d, locbo_status status);

/* Between enter and leave: the database. */
locbo_store *db_connection_store(db_connection *d);
/* Between enter and leave: a view of the study that the query names. */
locbo_status db_connection_view(db_connection *d, const view *v, const query *q, json_t **answer, locbo_error *error);

#endif
