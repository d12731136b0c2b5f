/* region.c - points that satisfy the known constraints of a space. Layer: core, above space.
 *
 * Drawing from the whole box and keeping what is allowed is exact and quick while a fair part is allowed. Otherwise the
 * points that were found so begin random walks: a step takes a line through the point, along one coordinate or in any
 * direction, and a point of it that is allowed; intervals that were tried in vain are cut off, so that a step ends in
 * any region (the shrinking of slice sampling, R. Neal 2003). The uniform distribution stays what it is under such
 * steps. If drawing finds no point at all, the sum of what the constraints are exceeded by is minimised from many
 * points.
 *
 * Cost: n / share evaluations of the constraints, at most TRIES, then WALK dim steps a point. */
#include "region.h"

#include <math.h>
#include <string.h>

#include "localmin.h"
#include "mem.h"

enum {
    TRIES_EACH = 20,    /* draws from the box for each point that is wanted */
    TRIES = 20000,      /* and at least so many */
    SEARCH = 200000,    /* while no point is known */
    DESCENTS = 30,      /* searches by descent if that finds none */
    DESCENT_EVALS = 60, /* of each */
    WALK = 2,           /* steps for each dimension between two points of a walk */
    SHRINKS = 60,       /* of an interval; after them it has no width */
    POOL = 32           /* drawn points for each one of a spread */
};

int region_holds(const region *r, const double *x) {
    const constraint_list *limits = space_limits(r->space);
    return !limits || constraints_hold(limits, x, locbo_space_dim(r->space));
}

void region_point(const region *r, const double *t, double *x) {
    space_from_unit(r->space, t, x);
    if (!r->fixed) return;
    space_hold(r->space, r->fixed, x);
    space_settle(r->space, x);
}

/* ---- a drawing --------------------------------------------------------------------------------- */

typedef struct drawing {
    const region *region;
    rng *stream;
    size_t dim;
    double *x, *at, *direction; /* workspace, dim each */
    size_t *held;               /* how often each constraint held */
} drawing;

static void drawing_release(drawing *d) {
    mem_free(d->x);
    mem_free(d->at);
    mem_free(d->direction);
    mem_free(d->held);
}

static locbo_status drawing_init(drawing *d, const region *r, rng *stream, locbo_error *error) {
    const constraint_list *limits = space_limits(r->space);
    *d = (drawing){.region = r, .stream = stream, .dim = locbo_space_dim(r->space)};
    d->x = mem_new(d->dim, sizeof *d->x);
    d->at = mem_new(d->dim, sizeof *d->at);
    d->direction = mem_new(d->dim, sizeof *d->direction);
    d->held = mem_new(limits ? constraints_count(limits) + 1 : 1, sizeof *d->held);
    return d->x && d->at && d->direction && d->held ? LOCBO_OK : status_no_memory(error);
}

static int holds_at(drawing *d, const double *t) {
    region_point(d->region, t, d->x);
    return region_holds(d->region, d->x);
}

/* ---- from the whole box ------------------------------------------------------------------------ */

/* Up to n points that are allowed among `tries` of the box; returns how many. */
static size_t reject(drawing *d, size_t n, size_t tries, double *t) {
    size_t found = 0;
    for (size_t k = 0; k < tries && found < n; k++) {
        double *to = t + found * d->dim;
        for (size_t j = 0; j < d->dim; j++) to[j] = rng_uniform(d->stream);
        found += (size_t)holds_at(d, to);
    }
    return found;
}

/* The known points that have the fixed values, as t; at most n, evenly chosen from all. */
static size_t take_known(drawing *d, size_t n, double *t) {
    const region *r = d->region;
    size_t found = 0, step = n ? (r->known_count + n - 1) / n : 1;
    for (size_t i = 0; i < r->known_count && found < n; i += step ? step : 1) {
        const double *x = r->known + i * d->dim;
        if (!space_is_held(r->space, r->fixed, x) || !region_holds(r, x)) continue;
        space_to_unit(r->space, x, t + found * d->dim);
        found += (size_t)holds_at(d, t + found * d->dim); /* rounding may leave the region */
    }
    return found;
}

/* ---- descent ----------------------------------------------------------------------------------- */

/* By how much the constraints are exceeded at t; those without such a number count 1 each. */
static double excess_at(drawing *d, const double *t) {
    const constraint_list *limits = space_limits(d->region->space);
    double sum = 0, excess;
    region_point(d->region, t, d->x);
    for (size_t i = 0; i < constraints_count(limits); i++) {
        if (constraints_hold_one(limits, i, d->x)) continue;
        if (!constraints_excess(limits, i, d->x, &excess) || !isfinite(excess)) excess = 1;
        sum += fmax(excess, 0) + 1e-9; /* a strict one is not exceeded where it is equal */
    }
    return sum;
}

static double descend_fn(size_t n, const double *t, double *grad, void *user) {
    const double h = 1e-6;
    drawing *d = user;
    double value = excess_at(d, t);
    for (size_t j = 0; j < n; j++) {
        memcpy(d->at, t, n * sizeof *t);
        d->at[j] = fmin(t[j] + h, 1);
        double above = excess_at(d, d->at), width = d->at[j];
        d->at[j] = fmax(t[j] - h, 0);
        grad[j] = (above - excess_at(d, d->at)) / (width - d->at[j]);
    }
    return value;
}

/* A point that is allowed, by descent from random ones; 0: none was found. */
static locbo_status descend(drawing *d, double *t, size_t *found, locbo_error *error) {
    const localmin_limits limits = {.max_evals = DESCENT_EVALS};
    double *bounds = mem_new(2 * d->dim, sizeof *bounds), value;
    locbo_status status = bounds ? LOCBO_OK : status_no_memory(error);
    for (size_t j = 0; bounds && j < d->dim; j++) bounds[d->dim + j] = 1;
    *found = 0;
    for (int k = 0; k < DESCENTS && status == LOCBO_OK && *found == 0; k++) {
        for (size_t j = 0; j < d->dim; j++) t[j] = rng_uniform(d->stream);
        status = localmin_run(descend_fn, d, d->dim, bounds, bounds + d->dim, &limits, t, &value, NULL, error);
        if (status == LOCBO_ERR_NUMERIC) status = LOCBO_OK;
        *found = status == LOCBO_OK && holds_at(d, t);
    }
    mem_free(bounds);
    return status;
}

/* ---- walks ------------------------------------------------------------------------------------- */

/* The interval of s for which t + s direction stays in the cube. */
static void find_interval(const drawing *d, const double *t, double *low, double *high) {
    *low = -INFINITY;
    *high = INFINITY;
    for (size_t j = 0; j < d->dim; j++) {
        if (d->direction[j] == 0) continue;
        double a = -t[j] / d->direction[j], b = (1 - t[j]) / d->direction[j];
        *low = fmax(*low, fmin(a, b));
        *high = fmin(*high, fmax(a, b));
    }
}

/* One step of a walk; t stays where it is if the line has no other point. */
static void walk_step(drawing *d, double *t) {
    double low, high;
    size_t along = (size_t)rng_below(d->stream, d->dim);
    int any = rng_uniform(d->stream) < 0.5;
    for (size_t j = 0; j < d->dim; j++) d->direction[j] = any ? rng_normal(d->stream) : j == along;
    find_interval(d, t, &low, &high);
    for (int k = 0; k < SHRINKS; k++) {
        double s = low + rng_uniform(d->stream) * (high - low);
        for (size_t j = 0; j < d->dim; j++) d->at[j] = fmin(fmax(t[j] + s * d->direction[j], 0), 1);
        if (holds_at(d, d->at)) {
            memcpy(t, d->at, d->dim * sizeof *t);
            return;
        }
        if (s < 0)
            low = s;
        else
            high = s;
    }
}

/* From `have` points, more until there are n: as many walks, which go on in turn. */
static void walk(drawing *d, size_t have, size_t n, double *t) {
    for (size_t i = have; i < n; i++) {
        double *to = t + i * d->dim;
        memcpy(to, to - have * d->dim, d->dim * sizeof *to);
        for (size_t k = 0; k < WALK * d->dim; k++) walk_step(d, to);
    }
}

/* ---- points ------------------------------------------------------------------------------------ */

/* Which constraint holds at the fewest of many points of the box. */
static locbo_status nothing_found(drawing *d, locbo_error *error) {
    const constraint_list *limits = space_limits(d->region->space);
    size_t worst = 0, most = SIZE_MAX;
    enum { LOOKS = 2000 };
    for (int k = 0; k < LOOKS; k++) {
        for (size_t j = 0; j < d->dim; j++) d->at[j] = rng_uniform(d->stream);
        region_point(d->region, d->at, d->x);
        for (size_t i = 0; i < constraints_count(limits); i++)
            d->held[i] += (size_t)constraints_hold_one(limits, i, d->x);
    }
    for (size_t i = 0; i < constraints_count(limits); i++)
        if (d->held[i] < most) most = d->held[worst = i];
    if (constraints_count(limits) == 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "no point was found that the caller's function allows");
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "no point was found that satisfies the constraints%s; '%.100s' holds at %zu of %d random points",
                       d->region->fixed ? " with these values fixed" : "", constraints_text(limits, worst), most,
                       (int)LOOKS);
}

/* At least one point: the first `have` of n, the last `known` of which were known. */
static locbo_status find_some(drawing *d, size_t n, double *t, size_t *have, size_t *known, locbo_error *error) {
    size_t tries = TRIES_EACH * n > TRIES ? TRIES_EACH * n : TRIES;
    locbo_status status = LOCBO_OK;
    *have = reject(d, n, tries, t);
    *known = *have < n ? take_known(d, n - *have, t + *have * d->dim) : 0;
    *have += *known;
    if (*have == 0) *have = reject(d, 1, SEARCH, t);
    if (*have == 0) status = descend(d, t, have, error);
    return status == LOCBO_OK && *have == 0 ? nothing_found(d, error) : status;
}

locbo_status region_draw(const region *r, size_t n, rng *stream, double *t, locbo_error *error) {
    drawing d;
    size_t have = n, known;
    if (n == 0) return LOCBO_OK;
    locbo_status status = drawing_init(&d, r, stream, error);
    if (status == LOCBO_OK && !space_limits(r->space))
        for (size_t i = 0; i < n * d.dim; i++) t[i] = rng_uniform(stream);
    else if (status == LOCBO_OK)
        status = find_some(&d, n, t, &have, &known, error);
    if (status == LOCBO_OK && have < n) walk(&d, have, n, t);
    drawing_release(&d);
    return status;
}

locbo_status region_draw_fresh(const region *r, size_t n, rng *stream, double *t, locbo_error *error) {
    drawing d;
    size_t have, known;
    if (n == 0 || !space_limits(r->space)) return region_draw(r, n, stream, t, error);
    locbo_status status = drawing_init(&d, r, stream, error);
    double *all = status == LOCBO_OK ? mem_new(2 * n * d.dim, sizeof *all) : NULL;
    if (status == LOCBO_OK) status = all ? find_some(&d, n, all, &have, &known, error) : status_no_memory(error);
    if (status == LOCBO_OK) {
        size_t drawn = have - known, row = d.dim * sizeof *t;
        walk(&d, have, known + n, all);
        memcpy(t, all, drawn * row);
        memcpy(t + drawn * d.dim, all + have * d.dim, (n - drawn) * row);
    }
    mem_free(all);
    drawing_release(&d);
    return status;
}

/* The points as the model sees them; NULL: no memory. */
static double *encode(const region *r, size_t count, const double *t) {
    size_t dim = locbo_space_dim(r->space), columns = space_columns(r->space);
    double *x = mem_new(dim, sizeof *x), *u = x ? mem_new(count * columns, sizeof *u) : NULL;
    for (size_t i = 0; u && i < count; i++) {
        region_point(r, t + i * dim, x);
        space_encode(r->space, x, u + i * columns);
    }
    mem_free(x);
    return u;
}

/* Greedily: each next point is the one that is farthest from those before it. */
static void choose_far(size_t n, size_t count, size_t columns, const double *u, double *distance, size_t *chosen) {
    for (size_t i = 0; i < count; i++) distance[i] = INFINITY;
    chosen[0] = 0;
    for (size_t k = 1; k < n; k++) {
        const double *last = u + chosen[k - 1] * columns;
        size_t best = 0;
        for (size_t i = 0; i < count; i++) {
            double square = 0;
            for (size_t c = 0; c < columns; c++) square += pow(u[i * columns + c] - last[c], 2);
            distance[i] = fmin(distance[i], square);
            if (distance[i] > distance[best]) best = i;
        }
        chosen[k] = best;
    }
}

locbo_status region_spread(const region *r, size_t n, rng *stream, double *t, locbo_error *error) {
    size_t dim = locbo_space_dim(r->space), count = POOL * n;
    if (n == 0) return LOCBO_OK;
    double *pool = mem_new(count * dim, sizeof *pool), *distance = mem_new(count, sizeof *distance), *u = NULL;
    size_t *chosen = mem_new(n, sizeof *chosen);
    locbo_status status =
        pool && distance && chosen ? region_draw(r, count, stream, pool, error) : status_no_memory(error);
    if (status == LOCBO_OK && !(u = encode(r, count, pool))) status = status_no_memory(error);
    if (status == LOCBO_OK) {
        choose_far(n, count, space_columns(r->space), u, distance, chosen);
        for (size_t k = 0; k < n; k++) memcpy(t + k * dim, pool + chosen[k] * dim, dim * sizeof *t);
    }
    mem_free(u);
    mem_free(pool);
    mem_free(distance);
    mem_free(chosen);
    return status;
}
