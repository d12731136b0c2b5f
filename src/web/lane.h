/* lane.h - a way to the database that one request at a time goes along, with its own connection and a few studies kept
 * on the desk. Two of them, so that a model that takes its time holds up nobody who only wants facts. */
#ifndef LANE_H
#define LANE_H

#include "views.h"

typedef struct lane lane;

/* `url` is the caller's and must outlive it. Opens nothing yet. `most`: requests that may wait. */
locbo_status lane_create(lane **made, const char *url, size_t most, locbo_error *error);
/* Nobody gets in any more; whoever waits is turned away. */
void lane_stop(lane *l);
int lane_is_stopped(lane *l);
/* When nobody is in it. */
void lane_destroy(lane *l);

/* Wait for one's turn. LOCBO_ERR_BUSY: the database cannot be read now, too many wait already, or it was stopped; one
 * is then not in. */
locbo_status lane_enter(lane *l, locbo_error *error);
/* With what one's last call returned, so that a broken connection is made anew for the next. */
void lane_leave(lane *l, locbo_status status);

/* Inside: the database. */
locbo_store *lane_store(lane *l);
/* Inside: a view of the study that the query names. */
locbo_status lane_view(lane *l, const view *v, const query *q, json_t **answer, locbo_error *error);

#endif
