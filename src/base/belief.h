/* belief.h - the fields of locbo_belief in one list: a new one is written here and in locbo.h, and is in snapshots,
 * databases (with a step of schema.sql) and exports. */
#ifndef BELIEF_H
#define BELIEF_H

#include <locbo/locbo.h>
#include <math.h>

/* clang-format off */
/* In the order of the struct, of a snapshot and of the database's columns. */
#define BELIEF_SHOWN(X) \
    X(mean) X(sd_f) X(sd_y) X(threshold) X(y_low) X(y_high) X(f_low) X(f_high) X(acquisition) X(success)
/* The Box-Cox, log or logit scale (warp.h): left out of files if there is none, and one column of the database. */
#define BELIEF_SCALE(X) X(power) X(offset) X(low) X(high) X(centre) X(unit_f) X(unit_y)
#define BELIEF_FIELDS(X) BELIEF_SHOWN(X) BELIEF_SCALE(X)
/* The same as BELIEF_SHOWN as the members of a JSON object: numbers, and intervals [low, high]. */
#define BELIEF_MEMBERS(NUMBER, INTERVAL) \
    NUMBER(mean) NUMBER(sd_f) NUMBER(sd_y) \
    INTERVAL(y_interval, y_low, y_high) INTERVAL(f_interval, f_low, f_high) \
    NUMBER(threshold) NUMBER(acquisition) NUMBER(success)
/* clang-format on */

/* Nothing is believed. */
#define BELIEF_NAN(field) .field = (double)NAN,
#define BELIEF_NONE ((locbo_belief){BELIEF_FIELDS(BELIEF_NAN)})

/* The lists and the struct agree: a belief may be copied to and from BELIEF_COUNT doubles. */
#define BELIEF_INDEX(field) BELIEF_INDEX_##field,
enum { BELIEF_FIELDS(BELIEF_INDEX) BELIEF_COUNT };
#define BELIEF_CHECK(field)                                                                                            \
    _Static_assert(offsetof(locbo_belief, field) == BELIEF_INDEX_##field * sizeof(double), "BELIEF_FIELDS: " #field);
BELIEF_FIELDS(BELIEF_CHECK)
_Static_assert(sizeof(locbo_belief) == BELIEF_COUNT * sizeof(double), "BELIEF_FIELDS lacks a field");
#define BELIEF_ONE(field) +1
#define BELIEF_TWO(member, low, high) +2
enum { BELIEF_SHOWN_COUNT = 0 BELIEF_SHOWN(BELIEF_ONE), BELIEF_SCALE_COUNT = BELIEF_COUNT - BELIEF_SHOWN_COUNT };
_Static_assert(BELIEF_SHOWN_COUNT == 0 BELIEF_MEMBERS(BELIEF_ONE, BELIEF_TWO), "BELIEF_MEMBERS lacks a field");

/* Whether a result is judged on a Box-Cox, log or logit scale. */
static inline int belief_is_bent(const locbo_belief *b) { return b->unit_y > 0; }

#endif
