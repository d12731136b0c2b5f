/* contenders.c - the points where f may be largest: the best of the evaluated ones, and of the candidates that a search
 * would begin from those with the largest upper bounds. A draw of f at few good points has nearly the maximum of one at
 * very many. Layer: core, top. Cost: O(candidates n^2), and that of maximum.c for KEPT points. */
#include "contenders.h"

#include <math.h>
#include <string.h>

#include "mem.h"
#include "together.h"

enum { ROWS = 12, ANCHORS = 6, KEPT = 256 };
static const double bound_at = 2; /* standard deviations above the mean */

/* The points, their upper bounds and stretches, and which of them are kept. */
typedef struct field {
    size_t n, rows; /* the first `rows` are evaluated ones */
    double *u, *rho, *bound;
    size_t *kept;
} field;

static void field_release(field *f) {
    mem_free(f->u);
    mem_free(f->rho);
    mem_free(f->bound);
    mem_free(f->kept);
}

/* The evaluated points with the largest means, the first row of each; with constraints, where their means hold, if
 * there are such. Returns how many. */
static size_t best_points(const locbo_optimizer *o, size_t *row) {
    const quantity *q = o->quantity;
    const dataset *d = quantity_rows(q);
    size_t n = 0;
    while (n < ROWS) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < d->points && d->first[i] < gp_measurements(q->surrogate.model); i++) {
            size_t at = d->first[i];
            int used = o->quantities > 1 && !together_means_hold(o, at);
            for (size_t k = 0; k < n; k++) used = used || row[k] == at;
            if (!used && (best == SIZE_MAX || quantity_mean(q, at) > quantity_mean(q, best))) best = at;
        }
        if (best == SIZE_MAX) break;
        row[n++] = best;
    }
    return n;
}

static void encode_full(const locbo_optimizer *o, const double *x, double *u) {
    space_encode(o->space, x, u);
    if (o->full) u[space_column(o->space, o->fidelity)] = 1;
}

/* Evaluated points, then candidates. */
static locbo_status collect(locbo_optimizer *o, field *f, locbo_error *error) {
    const dataset *d = quantity_rows(o->quantity);
    size_t row[ROWS], n, anchors;
    const double *u;
    f->rows = best_points(o, row);
    anchors = f->rows < ANCHORS ? f->rows : ANCHORS;
    double *x = mem_new(ANCHORS * o->dim, sizeof *x);
    if (!x) return status_no_memory(error);
    for (size_t k = 0; k < anchors; k++) memcpy(x + k * o->dim, d->x + row[k] * o->dim, o->dim * sizeof *x);
    acqmax_request r = {.space = o->space,
                        .fixed = o->full,
                        .anchors = x,
                        .anchor_count = anchors,
                        .candidates = o->options.candidates,
                        .stream = rng_open(o->options.seed, o->told.n, RNG_CONTENDERS)};
    locbo_status status = acqmax_spread(o->maximiser, &r, &n, &u, error);
    mem_free(x);
    if (status != LOCBO_OK) return status;
    f->n = f->rows + n;
    f->u = mem_new(f->n * o->columns, sizeof *f->u);
    f->rho = mem_new(f->n, sizeof *f->rho);
    f->bound = mem_new(f->n, sizeof *f->bound);
    f->kept = mem_new(f->n, sizeof *f->kept);
    if (!f->u || !f->rho || !f->bound || !f->kept) return status_no_memory(error);
    for (size_t k = 0; k < f->rows; k++) encode_full(o, d->x + row[k] * o->dim, f->u + k * o->columns);
    memcpy(f->u + f->rows * o->columns, u, n * o->columns * sizeof *u);
    return LOCBO_OK;
}

/* The bound of point i of the batch that the surface has just predicted: much lower where the mean of a constraint does
 * not hold. */
static double bound_of(const surface *s, size_t i, double rho) {
    const surface_work *w = s->part->work;
    double bound = w->mu[i] + bound_at * rho * sqrt(w->v[i]);
    for (size_t k = 1; k < s->acquisition.parts; k++)
        if (!(s->part[k].work->mu[i] >= s->acquisition.bound[k])) bound -= 1e6;
    return bound;
}

static locbo_status look(const locbo_optimizer *o, const surface *s, field *f, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t at = 0; at < f->n && status == LOCBO_OK; at += SURFACE_BLOCK) {
        size_t count = f->n - at < SURFACE_BLOCK ? f->n - at : SURFACE_BLOCK;
        const double *u = f->u + at * o->columns;
        status = surface_predict(s, count, u, error);
        for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
            calibrator_point p = surface_point(s, 0, u, i);
            law l;
            status = watcher_check(gp_watcher(s->part->model), error); /* CBO's law costs O(n^2) */
            calibrator_law(s->part->calibrator, &p, &l);
            f->rho[at + i] = acquisition_stretch(&s->acquisition, &l, NULL);
            f->bound[at + i] = bound_of(s, i, f->rho[at + i]);
        }
    }
    return status;
}

/* Keep the evaluated points, and those with the largest bounds, at the front of u and rho, in their order. */
static void thin_out(const locbo_optimizer *o, field *f) {
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) f->kept[i] = i < f->rows;
    for (n = f->rows; n < KEPT && n < f->n; n++) {
        size_t best = SIZE_MAX;
        for (size_t i = f->rows; i < f->n; i++)
            if (!f->kept[i] && (best == SIZE_MAX || f->bound[i] > f->bound[best])) best = i;
        f->kept[best] = 1;
    }
    n = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (!f->kept[i]) continue;
        memmove(f->u + n * o->columns, f->u + i * o->columns, o->columns * sizeof *f->u);
        f->rho[n++] = f->rho[i];
    }
    f->n = n;
}

locbo_status contenders_draw(locbo_optimizer *o, const surface *s, maximum *m, locbo_error *error) {
    field f = {0};
    locbo_status status = collect(o, &f, error);
    if (status == LOCBO_OK) status = look(o, s, &f, error);
    if (status == LOCBO_OK) {
        thin_out(o, &f);
        rng stream = rng_open(o->options.seed, o->told.n, RNG_MAXIMUM);
        status = maximum_draw(m, s->part->model, f.n, f.u, f.rho, stream, error);
    }
    field_release(&f);
    return status;
}
