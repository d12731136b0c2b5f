/* own_study.h - studies of one objective in a test's own database: `study` is there for each test, and what every test
 * does with one. */
#ifndef OWN_STUDY_H
#define OWN_STUDY_H

#include <math.h>

#include "own_store.h"

enum { OWN_STUDY_DIM = 8 }; /* parameters at most */

static locbo_study *study;

/* A new study in place of one of this name; takes the space. */
static inline locbo_study *own_study_create(const char *name, locbo_space *space, const locbo_options *options,
                                            const locbo_plan *plan) {
    locbo_study *made;
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = options};
    locbo_study_delete(own_store, name, NULL);
    check_ok(locbo_study_create(&made, own_store, name, &d, plan, &error));
    locbo_space_destroy(space);
    return made;
}

/* For cmocka: closes `study` too. */
static inline int own_study_close(void **state) {
    locbo_study_close(study);
    return own_store_close(state);
}

/* `x` NULL: the point is not wanted. */
static inline uint64_t ask(locbo_study *s, double *x) {
    locbo_assignment a;
    double own[OWN_STUDY_DIM];
    check_ok(locbo_study_ask(s, NULL, &a, x ? x : own, &error));
    return a.trial;
}

static inline void tell(locbo_study *s, uint64_t trial, double value) {
    locbo_measurement m = {value, (double)NAN, 1};
    check_ok(locbo_study_tell(s, trial, 0, 1, &m, &error));
}

/* Report one step; whether the evaluation is to end. */
static inline int report_one(locbo_study *s, uint64_t trial, uint64_t step, double value) {
    int end = -1;
    check_ok(locbo_study_report(s, trial, 0, 1, &(locbo_step){step, value}, &end, &error));
    return end;
}

static inline locbo_census census_of(locbo_study *s) {
    locbo_census c;
    check_ok(locbo_study_census(s, &c, &error));
    return c;
}

#endif
