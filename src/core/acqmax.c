/* acqmax.c - maximise the acquisition over a box with real, integer and categorical parameters (eq:locbo_iterate).
 *
 * 1. candidates: a Latin hypercube, and perturbations of the best points on several scales; a small finite space is
 *    listed completely instead. They are feasible points and are scored in batches.
 * 2. the best few, apart from each other, are refined: real coordinates by a bounded quasi-Newton search with the
 *    analytic gradient, along known constraints if there are some, then integers and categories by trying every
 *    neighbour, in turn until nothing improves. What is compared is always the score of a point of the space.
 * 3. the best point that was not proposed before wins.
 * Thompson sampling draws a joint path on the candidates and skips step 2.
 * Layer: core, above surface. Cost: O(candidates n^2) + refine * evaluations * O(n^2). */
#include "acqmax.h"

#include <math.h>
#include <string.h>

#include "design.h"
#include "linalg.h"
#include "localmin.h"
#include "mem.h"
#include "normal.h"
#include "region.h"

enum {
    LIST_ALL = 2048,     /* finite spaces up to this size are listed */
    LIST_SOME = 1 << 20, /* up to this size they are searched for a point that is not taken */
    PATH_POINTS = 512,   /* candidates of a Thompson path: its covariance is dense */
    CLIMB_EVALS = 60,
    DISCRETE_ROUNDS = 8
};
static const double APART = 0.05; /* distance of starts, per square root of the dimension */

struct acqmax {
    size_t dim, columns;
    size_t n, capacity; /* candidates */
    double *t, *x, *u, *score;
    size_t *order;
    /* one point under refinement */
    double *point, *kept, *code, *grad;
    size_t *real;            /* free real parameters */
    double *low, *high, *at; /* their box and values */
};

locbo_status acqmax_create(acqmax **out, size_t dim, size_t columns, locbo_error *error) {
    acqmax *a = mem_new(1, sizeof *a);
    if (!a) return status_no_memory(error);
    a->dim = dim;
    a->columns = columns;
    double **arrays[] = {&a->point, &a->kept, &a->low, &a->high, &a->at, &a->code, &a->grad};
    int done = (a->real = mem_new(dim, sizeof *a->real)) != NULL;
    for (size_t i = 0; i < 7; i++) {
        *arrays[i] = mem_new(i < 5 ? dim : columns, sizeof(double));
        done = done && *arrays[i];
    }
    if (!done) {
        acqmax_destroy(a);
        return status_no_memory(error);
    }
    *out = a;
    return LOCBO_OK;
}

void acqmax_destroy(acqmax *a) {
    if (!a) return;
    double *arrays[] = {a->t, a->x, a->u, a->score, a->point, a->kept, a->code, a->grad, a->low, a->high, a->at};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    mem_free(a->order);
    mem_free(a->real);
    mem_free(a);
}

static int reserve(acqmax *a, size_t need) {
    size_t real = sizeof(double);
    mem_array arrays[] = {{&a->t, a->dim * real},
                          {&a->x, a->dim * real},
                          {&a->u, a->columns * real},
                          {&a->score, real},
                          {&a->order, sizeof *a->order}};
    return mem_reserve_all(sizeof arrays / sizeof arrays[0], arrays, &a->capacity, need);
}

/* ---- candidates -------------------------------------------------------------------------------- */

/* The points that may be proposed. */
static region region_of(const acqmax_request *r) {
    return (region){.space = r->space, .fixed = r->fixed, .known = r->taken, .known_count = r->taken_count};
}

/* Turn a->t into candidates: points of the space with the fixed coordinates, encoded. */
static void make_candidates(acqmax *a, const acqmax_request *r) {
    region points = region_of(r);
    for (size_t i = 0; i < a->n; i++) {
        double *x = a->x + i * a->dim;
        region_point(&points, a->t + i * a->dim, x);
        space_encode(r->space, x, a->u + i * a->columns);
    }
}

int acqmax_is_taken(const acqmax_request *r, const double *x, size_t count) {
    size_t dim = locbo_space_dim(r->space);
    for (size_t i = 0; i < count; i++)
        if (space_same(r->space, r->taken + i * dim, x)) return 1;
    return 0;
}

/* Up to `most` points of a finite space that are not among the first `taken` taken ones, from a random one on. */
static locbo_status list_points(acqmax *a, const acqmax_request *r, rng *stream, size_t taken, size_t most,
                                locbo_error *error) {
    uint64_t points = (uint64_t)space_points(r->space, r->fixed), start = rng_below(stream, points);
    region allowed = region_of(r);
    unsigned char *gone = mem_new((size_t)points, 1);
    if (!gone || !reserve(a, most)) {
        mem_free(gone);
        return status_no_memory(error);
    }
    for (size_t i = 0; i < taken; i++) {
        const double *x = r->taken + i * a->dim;
        if (space_is_held(r->space, r->fixed, x)) gone[space_number(r->space, r->fixed, x)] = 1;
    }
    a->n = 0;
    for (uint64_t k = 0; k < points && a->n < most; k++) {
        uint64_t number = (start + k) % points;
        double *x = a->x + a->n * a->dim;
        if (gone[number] || !space_point(r->space, r->fixed, number, x) || !region_holds(&allowed, x)) continue;
        space_encode(r->space, x, a->u + a->n * a->columns);
        a->n++;
    }
    mem_free(gone);
    return LOCBO_OK;
}

/* The points of a finite space that are not taken; if there are none, those that are not pending; if none, all. */
static locbo_status list_left(acqmax *a, const acqmax_request *r, rng *stream, size_t most, locbo_error *error) {
    size_t taken[] = {r->taken_count, r->pending_count, 0};
    locbo_status status = LOCBO_OK;
    a->n = 0;
    for (size_t i = 0; i < 3 && a->n == 0 && status == LOCBO_OK; i++)
        status = list_points(a, r, stream, taken[i], most, error);
    return status;
}

/* Move some coordinates of an anchor by normal steps of one of four sizes. */
static void perturb(const acqmax *a, const acqmax_request *r, rng *stream, size_t k, double *t) {
    static const double sizes[] = {0.2, 0.05, 0.01, 0.002};
    double size = sizes[k / r->anchor_count % 4];
    const double *anchor = r->anchors + k % r->anchor_count * a->dim;
    space_to_unit(r->space, anchor, t);
    size_t sure = (size_t)rng_below(stream, a->dim); /* at least one moves */
    double share = fmin(1, 5.0 / (double)a->dim);    /* about five at most: the others keep their good values */
    for (size_t j = 0; j < a->dim; j++) {
        if (j != sure && rng_uniform(stream) > share) continue;
        if (isnan(anchor[j])) {
            t[j] = rng_uniform(stream); /* it may become active */
        } else if (space_kind(r->space, j) == LOCBO_CATEGORICAL) {
            if (rng_uniform(stream) < 0.3) t[j] = rng_uniform(stream);
        } else {
            double moved = t[j] + size * rng_normal(stream);
            t[j] = moved < 0 ? 0 : moved > 1 ? 1 : moved;
        }
    }
}

static int holds_at(acqmax *a, const region *points, const double *t) {
    region_point(points, t, a->point);
    return region_holds(points, a->point);
}

/* Move t, where constraints do not hold, towards the anchor, where they do, until they hold. With the fixed values they
 * may not hold at the anchor either, and rounding may leave the region: then it is `other`, a point where they hold. */
static void pull_back(acqmax *a, const acqmax_request *r, size_t k, const double *other, double *t) {
    enum { HALVES = 30 };
    region points = region_of(r);
    space_to_unit(r->space, r->anchors + k % r->anchor_count * a->dim, a->at);
    for (int h = 0; h < HALVES; h++) {
        if (holds_at(a, &points, t)) return;
        for (size_t j = 0; j < a->dim; j++) t[j] = a->at[j] + (t[j] - a->at[j]) / 2;
    }
    memcpy(t, holds_at(a, &points, a->at) ? a->at : other, a->dim * sizeof *t);
}

/* The candidates that are spread over the space. */
static locbo_status draw_everywhere(acqmax *a, const acqmax_request *r, rng *stream, size_t n, locbo_error *error) {
    region points = region_of(r);
    if (space_limits(r->space)) return region_draw(&points, n, stream, a->t, error);
    return design_make(r->uniform_only ? LOCBO_DESIGN_UNIFORM : LOCBO_DESIGN_LHS, n, a->dim, stream, a->t, error);
}

static locbo_status draw_candidates(acqmax *a, const acqmax_request *r, rng *stream, locbo_error *error) {
    size_t automatic = a->dim < 15 ? 500 + 100 * a->dim : 2000;
    size_t total = r->candidates > 0 ? (size_t)r->candidates : automatic;
    size_t near = r->uniform_only || r->anchor_count == 0 ? 0 : total / 3;
    if (!reserve(a, total)) return status_no_memory(error);
    locbo_status status = draw_everywhere(a, r, stream, total - near, error);
    if (status != LOCBO_OK) return status;
    for (size_t k = 0; k < near; k++) {
        double *t = a->t + (total - near + k) * a->dim;
        perturb(a, r, stream, k, t);
        if (space_limits(r->space)) pull_back(a, r, k, a->t + k % (total - near) * a->dim, t);
    }
    a->n = total;
    make_candidates(a, r);
    return LOCBO_OK;
}

/* ---- scores ------------------------------------------------------------------------------------ */

/* Keep at most `most` candidates, evenly from all of them: uniform and perturbed ones, every part of a list. */
static void thin_out(acqmax *a, size_t most) {
    if (a->n <= most) return;
    for (size_t i = 0; i < most; i++) {
        size_t from = i * a->n / most; /* never below i */
        memmove(a->x + i * a->dim, a->x + from * a->dim, a->dim * sizeof *a->x);
        memmove(a->u + i * a->columns, a->u + from * a->columns, a->columns * sizeof *a->u);
    }
    a->n = most;
}

/* A path of the model's joint posterior, each value taken to the same quantile of the calibrated law. */
static locbo_status score_by_path(acqmax *a, const acqmax_request *r, locbo_error *error) {
    const surface *s = r->surface;
    thin_out(a, PATH_POINTS);
    double *cov = mem_new(a->n * a->n, sizeof *cov), *path = mem_new(a->n, sizeof *path);
    locbo_status status = cov && path ? surface_predict(s, a->n, a->u, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = gp_covariance(s->part->model, a->n, &s->part->work->gp, cov, error);
    if (status != LOCBO_OK) goto done;
    /* candidates can be close together: a little on the diagonal makes the matrix definite */
    for (size_t i = 0; i < a->n; i++) cov[i * a->n + i] += 1e-8 * gp_signal_var(s->part->model);
    if (!linalg_cholesky(a->n, cov, a->n)) {
        status = status_fail(error, LOCBO_ERR_NUMERIC, "the covariance of %zu candidates is not definite", a->n);
        goto done;
    }
    rng stream = r->path;
    for (size_t i = 0; i < a->n; i++) path[i] = rng_normal(&stream);
    linalg_mul_lower(a->n, cov, a->n, path);
    double *log_w = s->part->work->log_w;
    if (s->success) status = feasible_log_weight(s->success, a->n, a->u, log_w, error);
    for (size_t i = 0; status == LOCBO_OK && i < a->n; i++) {
        status = watcher_check(gp_watcher(s->part->model), error); /* CBO's law costs O(n^2) */
        acquisition_point at[OUTPUTS_MODELLED];
        surface_at(s, a->u, i, at);
        double v = s->part->work->v[i], level = v > 0 ? normal_cdf(path[i] / sqrt(v)) : 0.5;
        a->score[i] =
            law_quantile(&at->law, fmin(fmax(level, 1e-12), 1 - 1e-12), NULL) + surface_log_weight(s, at, log_w[i]);
    }
done:
    mem_free(cov);
    mem_free(path);
    return status;
}

/* Order the candidates by score, best first; equal scores by number, so the order is unique. */
static void sort_order(const double *score, size_t n, size_t *order, size_t *spare) {
    if (n < 2) return;
    size_t half = n / 2;
    sort_order(score, half, order, spare);
    sort_order(score, n - half, order + half, spare);
    memcpy(spare, order, n * sizeof *order);
    for (size_t i = 0, l = 0, h = half; i < n; i++) {
        int left = h == n || (l < half && score[spare[l]] >= score[spare[h]]);
        order[i] = left ? spare[l++] : spare[h++];
    }
}

static locbo_status order_candidates(acqmax *a, locbo_error *error) {
    size_t *spare = mem_new(a->n, sizeof *spare);
    if (!spare) return status_no_memory(error);
    for (size_t i = 0; i < a->n; i++) a->order[i] = i;
    sort_order(a->score, a->n, a->order, spare);
    mem_free(spare);
    return LOCBO_OK;
}

/* ---- refinement -------------------------------------------------------------------------------- */

typedef struct climb {
    acqmax *a;
    const acqmax_request *r;
    locbo_status status;
    locbo_error error;
    size_t limits;        /* known constraints that the climb follows */
    size_t *limit;        /* their numbers */
    double *unit, *probe; /* of each: its slope at the start, so that it is in units of u; a point */
} climb;

static double climb_fn(size_t n, const double *at, double *grad, void *user) {
    climb *c = user;
    acqmax *a = c->a;
    double score;
    for (size_t i = 0; i < n; i++) a->code[space_column(c->r->space, a->real[i])] = at[i];
    if (c->status == LOCBO_OK) c->status = surface_score_grad(c->r->surface, a->code, &score, a->grad, &c->error);
    if (c->status != LOCBO_OK) score = -INFINITY; /* localmin.h: the search ends at the best point so far */
    for (size_t i = 0; i < n; i++)
        grad[i] = c->status == LOCBO_OK ? -a->grad[space_column(c->r->space, a->real[i])] : 0;
    return -score;
}

/* Score of a->point; encodes it. */
static locbo_status score_point(acqmax *a, const acqmax_request *r, double *score, locbo_error *error) {
    space_encode(r->space, a->point, a->code);
    return surface_score(r->surface, 1, a->code, score, error);
}

/* The free real parameters of a->point that are active. */
static size_t free_reals(acqmax *a, const acqmax_request *r) {
    size_t n = 0;
    for (size_t j = 0; j < a->dim; j++)
        if (space_is_free(r->fixed, j) && space_is_continuous(r->space, j) && !isnan(a->point[j])) {
            a->low[n] = 0;
            a->high[n] = 1;
            a->real[n++] = j;
        }
    return n;
}

/* How much constraint number i of the climb is exceeded at the real coordinates `at`. */
static double excess_at(const climb *c, size_t i, size_t n, const double *at) {
    double excess = 0;
    memcpy(c->probe, c->a->kept, c->a->dim * sizeof *c->probe);
    for (size_t k = 0; k < n; k++) c->probe[c->a->real[k]] = space_decode_real(c->r->space, c->a->real[k], at[k]);
    constraints_excess(space_limits(c->r->space), c->limit[i], c->probe, &excess);
    return excess;
}

/* The same for the search, with its gradient by differences. */
static double limit_fn(size_t i, size_t n, const double *at, double *grad, void *user) {
    const double h = 1e-6; /* central: an error of order 1e-12 */
    const climb *c = user;
    double *moved = c->probe + c->a->dim;
    memcpy(moved, at, n * sizeof *moved);
    for (size_t k = 0; k < n; k++) {
        double low = fmax(at[k] - h, 0), high = fmin(at[k] + h, 1), above;
        grad[k] = 0;
        if (!constraints_mentions(space_limits(c->r->space), c->limit[i], c->a->real[k])) continue;
        moved[k] = high;
        above = excess_at(c, i, n, moved);
        moved[k] = low;
        grad[k] = (above - excess_at(c, i, n, moved)) / (high - low) / c->unit[i];
        moved[k] = at[k];
    }
    return excess_at(c, i, n, at) / c->unit[i];
}

/* Which constraints depend on the real coordinates of a->kept, and how steeply. */
static locbo_status find_limits(climb *c, size_t reals, locbo_error *error) {
    acqmax *a = c->a;
    const constraint_list *limits = space_limits(c->r->space);
    size_t count = limits ? constraints_count(limits) : 0;
    double excess;
    if (count == 0) return LOCBO_OK;
    c->limit = mem_new(count, sizeof *c->limit);
    c->unit = mem_new(count, sizeof *c->unit);
    c->probe = mem_new(2 * a->dim, sizeof *c->probe);
    if (!c->limit || !c->unit || !c->probe) return status_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        double square = 0;
        if (!constraints_excess(limits, i, a->kept, &excess)) continue;
        c->limit[c->limits] = i;
        c->unit[c->limits] = 1;
        limit_fn(c->limits, reals, a->at, a->grad, c);
        for (size_t k = 0; k < reals; k++) square += a->grad[k] * a->grad[k];
        if (!(square > 0 && isfinite(square))) continue; /* it does not depend on them */
        c->unit[c->limits++] = sqrt(square);
    }
    return LOCBO_OK;
}

/* a->point at the real coordinates a->at, or as near as a point of the space on the way back to a->kept is. */
static void decode_allowed(acqmax *a, const acqmax_request *r, size_t reals) {
    static const double back[] = {0, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 0.1, 0.25, 0.5, 0.75};
    region points = region_of(r);
    space_encode(r->space, a->kept, a->code);
    for (size_t s = 0; s < sizeof back / sizeof back[0]; s++) {
        for (size_t k = 0; k < reals; k++) {
            double from = a->code[space_column(r->space, a->real[k])];
            double u = s == 0 ? a->at[k] : a->at[k] + back[s] * (from - a->at[k]);
            a->point[a->real[k]] = space_decode_real(r->space, a->real[k], u);
        }
        if (region_holds(&points, a->point)) return;
    }
    memcpy(a->point, a->kept, a->dim * sizeof *a->kept);
}

/* Climb from a->point along its free real coordinates; keeps the old one if rounding to the user's units loses the
 * gain. */
static locbo_status climb_reals(acqmax *a, const acqmax_request *r, double *score, locbo_error *error) {
    size_t reals = free_reals(a, r);
    if (reals == 0) return LOCBO_OK;
    climb c = {.a = a, .r = r, .status = LOCBO_OK};
    double value;
    memcpy(a->kept, a->point, a->dim * sizeof *a->kept);
    space_encode(r->space, a->point, a->code);
    for (size_t i = 0; i < reals; i++) a->at[i] = a->code[space_column(r->space, a->real[i])];
    locbo_status status = find_limits(&c, reals, error);
    localmin_limits limits = {.max_evals = CLIMB_EVALS,
                              .f_tol_rel = r->coarse ? 1e-2 : 1e-9,
                              .x_tol_abs = 1e-7,
                              .watcher = gp_watcher(r->surface->part->model),
                              .constraint_count = c.limits,
                              .constraint = limit_fn,
                              .constraint_tol = 1e-8};
    if (status == LOCBO_OK)
        status = localmin_run(climb_fn, &c, reals, a->low, a->high, &limits, a->at, &value, NULL, error);
    if (watcher_is_end(c.status)) status = status_fail(error, c.status, "%s", c.error.message);
    if (status == LOCBO_OK && c.status == LOCBO_OK) {
        decode_allowed(a, r, reals);
        double after;
        status = score_point(a, r, &after, error);
        if (status == LOCBO_OK && after > *score)
            *score = after;
        else
            memcpy(a->point, a->kept, a->dim * sizeof *a->kept);
    }
    mem_free(c.limit);
    mem_free(c.unit);
    mem_free(c.probe);
    return status == LOCBO_ERR_NUMERIC ? LOCBO_OK : status; /* the point stays as it was */
}

/* Try one value of one coordinate; keep it if it is better. Parameters that it makes active get a value, those that it
 * makes inactive lose theirs. */
static locbo_status try_value(acqmax *a, const acqmax_request *r, size_t j, double value, double *score, int *moved,
                              locbo_error *error) {
    region points = region_of(r);
    double after;
    if (isnan(value) || value == a->point[j] || space_check_value(r->space, j, value, NULL) != LOCBO_OK)
        return LOCBO_OK;
    memcpy(a->kept, a->point, a->dim * sizeof *a->kept);
    a->point[j] = value;
    space_complete(r->space, a->point);
    locbo_status status = LOCBO_OK;
    int allowed = space_is_held(r->space, r->fixed, a->point) && region_holds(&points, a->point);
    if (allowed) status = score_point(a, r, &after, error);
    if (allowed && status == LOCBO_OK && after > *score) {
        *score = after;
        *moved = 1;
    } else {
        memcpy(a->point, a->kept, a->dim * sizeof *a->kept);
    }
    return status;
}

/* One pass over the values in an order (both neighbours) and the categories (all others). */
static locbo_status move_discrete(acqmax *a, const acqmax_request *r, double *score, int *moved, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t j = 0; j < a->dim && status == LOCBO_OK; j++) {
        double here = a->point[j];
        if (!space_is_free(r->fixed, j) || space_is_continuous(r->space, j) || isnan(here)) continue;
        if (space_kind(r->space, j) == LOCBO_CATEGORICAL) {
            for (size_t k = 0; status == LOCBO_OK && k < space_categories(r->space, j); k++)
                status = try_value(a, r, j, (double)k, score, moved, error);
        } else {
            status = try_value(a, r, j, space_neighbour(r->space, j, here, -1), score, moved, error);
            if (status == LOCBO_OK)
                status = try_value(a, r, j, space_neighbour(r->space, j, here, 1), score, moved, error);
        }
    }
    return status;
}

static locbo_status refine_point(acqmax *a, const acqmax_request *r, double *score, locbo_error *error) {
    int moved = 1;
    locbo_status status = climb_reals(a, r, score, error);
    for (int k = 0; k < DISCRETE_ROUNDS && moved && status == LOCBO_OK; k++) {
        moved = 0;
        status = move_discrete(a, r, score, &moved, error);
        if (status == LOCBO_OK && moved) status = climb_reals(a, r, score, error);
    }
    return status;
}

static int near_start(const acqmax *a, const size_t *start, size_t count, size_t candidate) {
    double limit = APART * APART * (double)a->dim;
    for (size_t i = 0; i < count; i++) {
        double square = 0;
        for (size_t c = 0; c < a->columns; c++) {
            double d = a->u[start[i] * a->columns + c] - a->u[candidate * a->columns + c];
            square += d * d;
        }
        if (square < limit) return 1;
    }
    return 0;
}

/* Refine the best candidates in place. */
static locbo_status refine_best(acqmax *a, const acqmax_request *r, locbo_error *error) {
    size_t most = (size_t)r->refine < a->n ? (size_t)r->refine : a->n, count = 0;
    size_t *start = mem_new(most, sizeof *start);
    if (!start) return status_no_memory(error);
    for (size_t i = 0; i < a->n && count < most; i++)
        if (!near_start(a, start, count, a->order[i])) start[count++] = a->order[i];
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
        double *x = a->x + start[i] * a->dim;
        memcpy(a->point, x, a->dim * sizeof *x);
        status = refine_point(a, r, &a->score[start[i]], error);
        memcpy(x, a->point, a->dim * sizeof *x);
    }
    mem_free(start);
    return status;
}

/* ---- the choice -------------------------------------------------------------------------------- */

/* The best candidate that is not among the first `taken` taken points; a->n if there is none. */
static size_t best_free(const acqmax *a, const acqmax_request *r, size_t taken) {
    for (size_t i = 0; i < a->n; i++)
        if (!acqmax_is_taken(r, a->x + a->order[i] * a->dim, taken)) return a->order[i];
    return a->n;
}

/* Score what a->x holds, refine if `refine`, and order. */
static locbo_status rank(acqmax *a, const acqmax_request *r, int refine, locbo_error *error) {
    locbo_status status = acquisition_is_path(&r->surface->acquisition)
                              ? score_by_path(a, r, error)
                              : surface_screen(r->surface, a->n, a->u, a->score, error);
    if (status == LOCBO_OK) status = order_candidates(a, error);
    if (status == LOCBO_OK && refine) {
        status = refine_best(a, r, error);
        if (status == LOCBO_OK) status = order_candidates(a, error);
    }
    return status;
}

locbo_status acqmax_spread(acqmax *a, const acqmax_request *r, size_t *n, const double **u, locbo_error *error) {
    rng stream = r->stream;
    locbo_status status = draw_candidates(a, r, &stream, error);
    *n = a->n;
    *u = a->u;
    return status;
}

locbo_status acqmax_random(acqmax *a, const acqmax_request *r, double *x, locbo_error *error) {
    enum { DRAWS = 64 };
    acqmax_request uniform = *r;
    uniform.uniform_only = 1;
    uniform.candidates = DRAWS;
    rng stream = r->stream;
    locbo_status status = draw_candidates(a, &uniform, &stream, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < a->n; i++) a->order[i] = i;
    size_t chosen = best_free(a, r, r->taken_count);
    if (chosen == a->n && space_points(r->space, r->fixed) <= LIST_SOME) {
        status = list_left(a, r, &stream, 1, error);
        if (status != LOCBO_OK) return status;
        chosen = 0;
    }
    if (chosen == a->n) chosen = best_free(a, r, r->pending_count);
    if (chosen == a->n) chosen = 0;
    memcpy(x, a->x + chosen * a->dim, a->dim * sizeof *x);
    return LOCBO_OK;
}

locbo_status acqmax_random_several(acqmax *a, const acqmax_request *r, size_t most, double *x, size_t *n,
                                   locbo_error *error) {
    region points = region_of(r);
    rng stream = r->stream;
    locbo_status status = reserve(a, most) ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK) status = region_draw_fresh(&points, most, &stream, a->t, error);
    if (status != LOCBO_OK) return status;
    a->n = most;
    make_candidates(a, r);
    *n = 0;
    for (size_t i = 0; i < a->n; i++)
        if (!acqmax_is_taken(r, a->x + i * a->dim, r->taken_count))
            memcpy(x + (*n)++ * a->dim, a->x + i * a->dim, a->dim * sizeof *x);
    if (*n > 0) return LOCBO_OK;
    *n = 1;
    return acqmax_random(a, r, x, error);
}

locbo_status acqmax_run(acqmax *a, const acqmax_request *r, double *x, double *score, locbo_error *error) {
    rng stream = r->stream;
    double points = space_points(r->space, r->fixed);
    int listed = points <= LIST_ALL && !r->uniform_only;
    int refine = !listed && !r->uniform_only && r->refine > 0 && !acquisition_is_path(&r->surface->acquisition);
    locbo_status status = listed ? list_left(a, r, &stream, LIST_ALL, error) : draw_candidates(a, r, &stream, error);
    if (status == LOCBO_OK && a->n == 0) status = draw_candidates(a, r, &stream, error); /* it says why there is none */
    if (status == LOCBO_OK) status = rank(a, r, refine, error);
    if (status != LOCBO_OK) return status;
    size_t best = best_free(a, r, r->taken_count);
    if (best == a->n && !listed && points <= LIST_SOME) { /* is any point of a finite space not taken? */
        status = list_left(a, r, &stream, LIST_ALL, error);
        if (status == LOCBO_OK) status = rank(a, r, 0, error);
        if (status != LOCBO_OK) return status;
        best = a->order[0];
    }
    if (best == a->n) best = best_free(a, r, r->pending_count);
    if (best == a->n) best = a->order[0];
    memcpy(x, a->x + best * a->dim, a->dim * sizeof *x);
    *score = a->score[best];
    return LOCBO_OK;
}
