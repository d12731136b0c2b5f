/* alter.c - an optimizer with another space or other options, from the facts of one. Layer: core, top.
 *
 * What an optimizer has learnt is a function of its facts, so another definition needs no conversion of what was
 * learnt: the points are written anew, and the facts told again. Cost: O(results^2) for the calibration; the model is
 * fitted when it is next needed. */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "optimizer.h"

/* Which parameter of the old space each one of the new space is. */
typedef struct alteration {
    const locbo_optimizer *from;
    const locbo_space *space;
    size_t *old; /* of each new parameter: its number in the old space; SIZE_MAX: it is new */
} alteration;

static double category_of(const locbo_parameter *new, const locbo_parameter *old, double value, int *placed) {
    for (size_t k = 0; k < new->count; k++)
        if (strcmp(new->categories[k], old->categories[(size_t)value]) == 0) return (double)k;
    *placed = 0;
    return (double)NAN;
}

/* The value of parameter i of the new space at the old point x; NAN: it has none. *placed becomes 0 if it had a
 * category that the new space lacks. */
static double value_of(const alteration *a, size_t i, const double *x, int *placed) {
    locbo_parameter new, old;
    double value = a->old[i] == SIZE_MAX ? (double)NAN : x[a->old[i]];
    locbo_space_parameter(a->space, i, &new, NULL);
    if (isnan(value) || new.count == 0) return value;
    locbo_space_parameter(a->from->space, a->old[i], &old, NULL);
    return category_of(&new, &old, value, placed);
}

/* The old point x in the new space; returns 0 if it has no place there. */
static int place(const alteration *a, const double *x, double *to) {
    int placed = 1;
    for (size_t i = 0; i < locbo_space_dim(a->space); i++) to[i] = value_of(a, i, x, &placed);
    return placed && locbo_space_place(a->space, to, NULL) == LOCBO_OK;
}

static int has_words(locbo_kind kind) { return kind == LOCBO_CATEGORICAL || kind == LOCBO_ORDERED; }

/* Which parameter is which. */
static locbo_status match(alteration *a, locbo_error *error) {
    locbo_parameter new, old;
    size_t dim = locbo_space_dim(a->space), index, found = 0;
    for (size_t i = 0; i < dim; i++) {
        locbo_space_parameter(a->space, i, &new, NULL);
        a->old[i] = SIZE_MAX;
        if (locbo_space_find(a->from->space, new.name, &index, NULL) == LOCBO_OK) {
            locbo_space_parameter(a->from->space, index, &old, NULL);
            if (has_words(new.kind) != has_words(old.kind) || (new.kind == LOCBO_BOOL) != (old.kind == LOCBO_BOOL))
                return status_fail(error, LOCBO_ERR_ARGUMENT,
                                   "parameter '%.40s' cannot become one of another kind: add one of another name",
                                   new.name);
            a->old[i] = index;
            found++;
        } else if (isnan(new.past)) {
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "parameter '%.40s' is new: it needs `past`, the value that the results so far had",
                               new.name);
        }
    }
    for (size_t j = 0; found < locbo_space_dim(a->from->space); j++) {
        locbo_space_parameter(a->from->space, j, &old, NULL);
        if (locbo_space_find(a->space, old.name, &index, NULL) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "parameter '%.40s' is not in the new space: freeze it at a value instead", old.name);
    }
    return LOCBO_OK;
}

/* ---- the facts ----------------------------------------------------------------------------------- */

/* Trial i, outstanding; `placed` says whether its point has a place. */
static locbo_status copy_trial(const alteration *a, locbo_optimizer *o, size_t i, double *x, unsigned char *placed,
                               locbo_error *error) {
    const locbo_optimizer *from = a->from;
    const locbo_belief *others = from->quantities > 1 ? from->others + i * (from->quantities - 1) : NULL;
    *placed = (unsigned char)place(a, from->trial_x + i * from->dim, x);
    if (!*placed)
        for (size_t j = 0; j < o->dim; j++) x[j] = (double)NAN;
    locbo_trial_state state = from->trial[i].state, begins = LOCBO_TRIAL_PENDING;
    if (!*placed || state == LOCBO_TRIAL_CANCELLED) begins = LOCBO_TRIAL_CANCELLED;
    locbo_status status = optimizer_append_trial(o, &from->trial[i].info, others, x, begins, error);
    if (status == LOCBO_OK) o->trial[i].cost = from->trial[i].cost;
    return status;
}

static locbo_status copy_result(const alteration *a, locbo_optimizer *o, size_t i, double *x,
                                const unsigned char *placed, uint64_t *aside, locbo_error *error) {
    const told *t = &a->from->told;
    size_t index = t->trial[i] ? (size_t)t->trial[i] - 1 : SIZE_MAX;
    int there = index == SIZE_MAX || t->aside[i] ? place(a, t->x + i * t->dim, x) : placed[index];
    if (there && t->aside[i]) return optimizer_append_ended(o, index, x, t->measured + i * t->outputs, error);
    if (there) return optimizer_append_result(o, index, x, t->measured + i * t->outputs, error);
    ++*aside;
    return LOCBO_OK;
}

static locbo_status copy_failure(const alteration *a, locbo_optimizer *o, size_t i, const unsigned char *placed,
                                 uint64_t *aside, locbo_error *error) {
    size_t index = a->from->failure[i];
    if (placed[index]) return optimizer_append_failure(o, index, a->from->trial[index].state, error);
    ++*aside;
    return LOCBO_OK;
}

static locbo_status copy_facts(const alteration *a, locbo_optimizer *o, uint64_t *aside, locbo_error *error) {
    const locbo_optimizer *from = a->from;
    double *x = mem_new(o->dim, sizeof *x);
    unsigned char *placed = mem_new(from->trials + 1, sizeof *placed);
    locbo_status status = x && placed ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < from->trials && status == LOCBO_OK; i++) status = copy_trial(a, o, i, x, &placed[i], error);
    for (size_t i = 0; i < from->told.n && status == LOCBO_OK; i++)
        status = copy_result(a, o, i, x, placed, aside, error);
    for (size_t i = 0; i < from->failures && status == LOCBO_OK; i++)
        status = copy_failure(a, o, i, placed, aside, error);
    for (size_t i = 0; i < from->trials && status == LOCBO_OK; i++) /* those of which nothing is known */
        if (from->trial[i].state == LOCBO_TRIAL_ENDED && o->trial[i].state == LOCBO_TRIAL_PENDING)
            o->trial[i].state = LOCBO_TRIAL_ENDED;
    memcpy(o->reference, from->reference, sizeof o->reference);
    mem_free(x);
    mem_free(placed);
    return status;
}

locbo_status locbo_optimizer_alter(locbo_optimizer **altered, const locbo_optimizer *from, const locbo_space *space,
                                   const locbo_options *options, uint64_t *aside, locbo_error *error) {
    if (!altered || !from || !space)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "altered, from and space must not be NULL");
    alteration a = {.from = from, .space = space, .old = mem_new(locbo_space_dim(space) + 1, sizeof *a.old)};
    locbo_optimizer *o = NULL;
    uint64_t lost = 0;
    locbo_status status = a.old ? match(&a, error) : status_no_memory(error);
    if (status == LOCBO_OK)
        status = locbo_optimizer_create_for(&o, space, from->outputs, options ? options : &from->options, error);
    if (status == LOCBO_OK) status = copy_facts(&a, o, &lost, error);
    mem_free(a.old);
    if (status != LOCBO_OK) {
        locbo_optimizer_destroy(o);
        return status;
    }
    o->events = from->events;
    locbo_optimizer_begin_segment(o, NULL);
    if (aside) *aside = lost;
    *altered = o;
    return status_ok(error);
}
