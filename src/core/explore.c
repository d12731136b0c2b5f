/* explore.c - proposals that explore: when, and where. Layer: core, top.
 *
 *     no skill     the model predicts no better than a constant, so its maximum says nothing: a third of the rounds
 *     categories   in a space with categories every fourth proposal is random: a few bad results of a category may
 *                  keep the model away from it for ever
 *     sure         after many results the model is sure of where the maximum is, and may be wrong: every fourth
 *                  proposal
 *
 * The first takes a point far from everything that was tried, the last the most promising of some random points, which
 * is where the search has not been for long. All is derived from the facts (trials, results and the
 * last fit), so it is the same after a restart. Cost: O(n + trials) for each of POINTS random points, O(n^2) for the
 * last; with known constraints one drawing of them (region.c). */
#include "explore.h"

#include <math.h>
#include <string.h>

#include "mem.h"
#include "origin.h"
#include "skill.h"

enum {
    SHARE = 3,  /* one of so many rounds without skill */
    RANDOM = 4, /* one of so many proposals in a space with categories */
    SURE = 4,   /* one of so many proposals after many results */
    WIDE = 10,  /* with more parameters random points are seldom near to anything good */
    POINTS = 32
};
static const double least_skill = 2;
static const double least_success = 0.84; /* one failure in four is expected there: see feasible.c */

/* ---- when -------------------------------------------------------------------------------------- */

/* A caller with a score of its own decides itself. */
static int is_on(const locbo_optimizer *o, const acqmax_request *r) {
    return o->options.explore == LOCBO_EXPLORE_AUTO && o->options.surrogate == LOCBO_SURROGATE_MAP && !o->score &&
           !r->uniform_only;
}

/* Whether the number of the next proposal is a multiple of `period`. */
static int is_turn(const locbo_optimizer *o, size_t period) { return (o->trials + 1) % period == 0; }

static int has_free_category(const locbo_optimizer *o, const double *fixed) {
    for (size_t j = 0; j < o->dim; j++)
        if (space_kind(o->space, j) == LOCBO_CATEGORICAL && space_categories(o->space, j) > 1 &&
            space_is_free(fixed, j))
            return 1;
    return 0;
}

/* Whether one more would exceed the share of the rounds, this one included. */
static int is_share_used(const locbo_optimizer *o) {
    size_t rounds = 1, explored = 1;
    for (size_t i = 0; i < o->trials; i++) {
        rounds += (size_t)origin_is_model(o->trial[i].info.origin);
        explored += o->trial[i].info.origin == LOCBO_ORIGIN_EXPLORE;
    }
    return SHARE * explored > rounds;
}

/* No objective is predicted better than by a constant. */
static int has_no_skill(const locbo_optimizer *o) {
    for (size_t k = 0; k < o->objectives; k++)
        if (!(skill_of_model(&o->quantity[k].surrogate, &o->quantity[k].data) < least_skill)) return 0;
    return 1;
}

/* With one output alone: with several there is no one number that says how promising a point is. */
static int is_sure(const locbo_optimizer *o) {
    size_t from = (size_t)o->options.explore_from;
    return from > 0 && o->told.n >= from && o->dim <= WIDE && o->quantities == 1;
}

explore_way explore_due(const locbo_optimizer *o, const acqmax_request *r) {
    if (!is_on(o, r)) return EXPLORE_NOT;
    if (is_turn(o, RANDOM) && has_free_category(o, r->fixed)) return EXPLORE_RANDOM;
    if (is_turn(o, SURE) && is_sure(o)) return EXPLORE_PROMISING;
    return !is_share_used(o) && has_no_skill(o) ? EXPLORE_FAR : EXPLORE_NOT;
}

/* ---- where ------------------------------------------------------------------------------------- */

/* The squared distance from the encoded point u to the nearest of n rows; trials that were cancelled do not count. */
static double nearest(const locbo_optimizer *o, const double *u, const double *rows, size_t n, int trials) {
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        if (trials && o->trial[i].state == LOCBO_TRIAL_CANCELLED) continue;
        for (size_t c = 0; c < o->columns; c++) sum += pow(rows[i * o->columns + c] - u[c], 2);
        least = fmin(least, sum);
    }
    return least;
}

/* What the point in o->encoded is worth: how far it is from everything or, promising, the mean of f there and its sd.
 */
static locbo_status worth(locbo_optimizer *o, explore_way way, double *value, locbo_error *error) {
    quantity *q = o->quantity;
    double mu, v;
    if (way != EXPLORE_PROMISING) {
        *value =
            fmin(nearest(o, o->encoded, o->told.u, o->told.n, 0), nearest(o, o->encoded, o->trial_u, o->trials, 1));
        return LOCBO_OK;
    }
    locbo_status status = gp_predict(q->surrogate.model, 1, o->encoded, &mu, &v, &q->work.gp, error);
    if (status == LOCBO_OK) *value = mu + sqrt(v);
    return status;
}

/* What the point x is ranked by, first by `safe`: whether it will probably not fail. Of those that would, the most
 * probable success is the best. */
static locbo_status rank(locbo_optimizer *o, const double *x, explore_way way, feasible *success, int *safe,
                         double *value, locbo_error *error) {
    double p = 1;
    space_encode(o->space, x, o->encoded);
    locbo_status status = success ? feasible_probability(success, 1, o->encoded, &p, error) : LOCBO_OK;
    *safe = !(p < least_success);
    *value = p;
    return status == LOCBO_OK && *safe ? worth(o, way, value, error) : status;
}

/* The stream of random point k of the next proposal. */
static rng stream_of(const locbo_optimizer *o, uint64_t k) {
    return rng_open(o->options.seed, POINTS * (uint64_t)(o->trials + 1) + k, RNG_EXPLORE);
}

/* Random point k, at `points` + k dim. With known constraints *n of them are drawn with the first. */
static locbo_status draw(locbo_optimizer *o, const acqmax_request *r, size_t k, double *points, size_t *n,
                         locbo_error *error) {
    acqmax_request one = *r;
    one.stream = stream_of(o, k);
    if (!space_limits(r->space)) return acqmax_random(o->maximiser, &one, points + k * o->dim, error);
    return k == 0 ? acqmax_random_several(o->maximiser, &one, POINTS, points, n, error) : LOCBO_OK;
}

locbo_status explore_point(locbo_optimizer *o, const acqmax_request *r, explore_way way, feasible *success, double *x,
                           locbo_error *error) {
    double best = -INFINITY, *points = mem_new(POINTS * o->dim, sizeof *points);
    locbo_status status = points ? LOCBO_OK : status_no_memory(error);
    int enough = 0, found = 0, safe = 0;
    size_t n = POINTS;
    for (size_t k = 0; k < n && status == LOCBO_OK && !enough; k++) {
        double value = -INFINITY;
        const double *drawn = points + k * o->dim;
        status = draw(o, r, k, points, &n, error);
        if (status == LOCBO_OK) status = rank(o, drawn, way, success, &safe, &value, error);
        if (status != LOCBO_OK || safe < found || (safe == found && !(value > best))) continue;
        best = value;
        found = safe;
        memcpy(x, drawn, o->dim * sizeof *x);
        enough = way == EXPLORE_RANDOM && safe;
    }
    mem_free(points);
    return status;
}
