/* change_list.h - what was changed after the fact, as JSON rows: alterations, results taken back, pauses, notes. */
#ifndef CHANGE_LIST_H
#define CHANGE_LIST_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

/* Which changes. All zero: all of them. */
typedef struct change_filter {
    uint64_t trial;  /* those of this trial; 0: all */
    int definitions; /* 1: alterations of the definition only */
} change_filter;

/* A list of rows in the order of their events:
 * {"event","time","author","kind","trial":7 or null,"text","changes":["x: float(0,1) -> float(0,2)"]} */
locbo_status change_list_read(locbo_study *study, change_filter filter, json_t **rows, locbo_error *error);

#endif
