/* belief.h - the fields of locbo_belief in one list: a new one is written here and in locbo.h, and is in snapshots,
 * databases (with a step of schema.sql) and exports. */
#ifndef BELIEF_H
#define BELIEF_H

#include <locbo/locbo.h>
#include <math.h>

/* clang-format off */
/* In the order of the struct, of a snapshot and of the database's columns. */
#define BELIEF_FIELDS(X) \
    X(mean) X(sd_f) X(sd_y) X(threshold) X(y_low) X(y_high) X(f_low) X(f_high) X(acquisition) X(success)
/* The same as the members of a JSON object: numbers, and intervals [low, high]. */
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
_Static_assert(BELIEF_COUNT == 0 BELIEF_MEMBERS(BELIEF_ONE, BELIEF_TWO), "BELIEF_MEMBERS lacks a field");

#endif
