/* desk.h - one study on the desk: its trials as columns and its model, each made when first wanted and then kept up to
 * date. Belongs to one thread at a time, as its store does. Never writes. */
#ifndef DESK_H
#define DESK_H

#include <locbo/study.h>

#include "board.h"

typedef struct desk desk;

/* `name` NULL: the only study. LOCBO_ERR_NOT_FOUND. The store stays the caller's and must outlive the desk. */
locbo_status desk_open(desk **made, locbo_store *store, const char *name, locbo_error *error);
void desk_close(desk *d);

locbo_study *desk_study(desk *d);
const char *desk_url(const desk *d); /* of the database, without a password */
const locbo_definition *desk_definition(const desk *d);
const locbo_space *desk_space(const desk *d);
/* 1 if larger is better. */
int desk_maximizes(const desk *d);

/* As of now. What they give belongs to the desk, until the next call of the same. LOCBO_ERR_NOT_FOUND: the study has
 * been deleted. */
locbo_status desk_census(desk *d, const locbo_census **census, locbo_error *error);
locbo_status desk_board(desk *d, const board **b, locbo_error *error);

/* The optimizer of the results so far, made again only when there are new ones. LOCBO_ERR_NOTHING, with the reason for
 * people to read, if there is no model: the method random, fewer than two results, or more than CHOICE_MANY. */
locbo_status desk_model(desk *d, locbo_optimizer **optimizer, locbo_error *error);

#endif
