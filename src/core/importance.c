/* importance.c - which parameters the model's mean depends on: Sobol' indices. Layer: core, top.
 *
 * t is uniform in the unit cube (space.h), given that its point satisfies the known constraints, and g(t) is the
 * posterior mean of f there. With V = Var g
 *     first_i = Var(E[g | t_i]) / V                   total_i = E[Var(g | t_j for all j but i)] / V
 * (I. M. Sobol', Math. Model. Comput. Exp. 1, 1993; T. Homma and A. Saltelli, Reliab. Eng. Syst. Safety 52, 1996).
 *
 * total_i by M. Jansen's formula, the mean of (g(t) - g(t'))^2 / 2, where t' is t with another t_i. first_i from the
 * same points t, by the means of g in strata of t_i (E. Plischke et al., Eur. J. Oper. Res. 226, 2013): unlike the
 * formulas that also replace all coordinates but one it holds with constraints too, which make the t_i dependent.
 *
 * The points are a Richtmyer sequence, t_ki = k sqrt(p_i) mod 1 with the i-th prime, shifted at random; with
 * constraints they are drawn by region.h, and t_i anew until the point is allowed.
 *
 * Cost: (dim + 1) POINTS means of O(n) each; fewer points if that is much. */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "optimizer.h"
#include "region.h"

enum {
    POINTS = 2048, /* t */
    FEWEST = 256,  /* if the means take long */
    STRATA = 32,   /* of a coordinate */
    REDRAWS = 64   /* of a coordinate, until the point is allowed; then it stays */
};
static const double MUCH = 2e8; /* covariances */

typedef struct sample {
    const locbo_optimizer *o;
    const quantity *q;
    size_t n;
    double *t;     /* n x dim */
    double *other; /* n x dim: another value of each coordinate */
    double *g, *h; /* n: the mean at t, and with another value of one coordinate */
    double *x, *u; /* a point; encoded points of a block */
    gp_work work;
} sample;

static locbo_status prepare(sample *s, locbo_error *error) {
    size_t dim = s->o->dim, rows = gp_rows(s->q->surrogate.model);
    for (s->n = POINTS; s->n > FEWEST && (double)s->n * (double)(dim + 1) * (double)rows > MUCH;) s->n /= 2;
    s->t = mem_new(s->n * dim, sizeof *s->t);
    s->other = mem_new(s->n * dim, sizeof *s->other);
    s->g = mem_new(s->n, sizeof *s->g);
    s->h = mem_new(s->n, sizeof *s->h);
    s->x = mem_new(dim, sizeof *s->x);
    s->u = mem_new(SURFACE_BLOCK * s->o->columns, sizeof *s->u);
    return s->t && s->other && s->g && s->h && s->x && s->u ? LOCBO_OK : status_no_memory(error);
}

static void release(sample *s) {
    double *arrays[] = {s->t, s->other, s->g, s->h, s->x, s->u};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    gp_work_release(&s->work);
}

/* ---- points ------------------------------------------------------------------------------------ */

static unsigned next_prime(unsigned p) {
    unsigned divisor;
    do {
        p++;
        for (divisor = 2; divisor * divisor <= p && p % divisor != 0; divisor++) {
        }
    } while (divisor * divisor <= p);
    return p;
}

static void fill_sequence(sample *s, rng *stream) {
    size_t dim = s->o->dim;
    unsigned prime = 1;
    for (size_t i = 0; i < 2 * dim; i++) {
        prime = next_prime(prime);
        double step = sqrt((double)prime), shift = rng_uniform(stream),
               *column = i < dim ? s->t + i : s->other + i - dim;
        for (size_t k = 0; k < s->n; k++) {
            double place = shift + (double)k * (step - floor(step));
            column[k * dim] = place - floor(place);
        }
    }
}

/* Other values of each coordinate with which the points are allowed too. */
static void fill_others(sample *s, const region *all, rng *stream) {
    size_t dim = s->o->dim;
    for (size_t k = 0; k < s->n; k++) {
        double *t = s->t + k * dim;
        for (size_t i = 0; i < dim; i++) {
            double now = t[i];
            int tries = 0, allowed = 0;
            for (; tries < REDRAWS && !allowed; tries++) {
                t[i] = rng_uniform(stream);
                region_point(all, t, s->x);
                allowed = region_holds(all, s->x);
            }
            s->other[k * dim + i] = allowed ? t[i] : now;
            t[i] = now;
        }
    }
}

static locbo_status draw_points(sample *s, locbo_error *error) {
    const region all = {.space = s->o->space};
    rng stream = rng_open(s->o->options.seed, 0, RNG_IMPORTANCE);
    if (!space_limits(s->o->space)) {
        fill_sequence(s, &stream);
        return LOCBO_OK;
    }
    locbo_status status = region_draw(&all, s->n, &stream, s->t, error);
    if (status == LOCBO_OK) fill_others(s, &all, &stream);
    return status;
}

/* The mean at the points of s->t. */
static locbo_status find_means(sample *s, double *mean, locbo_error *error) {
    const locbo_optimizer *o = s->o;
    locbo_status status = LOCBO_OK;
    for (size_t at = 0; at < s->n && status == LOCBO_OK; at += SURFACE_BLOCK) {
        size_t count = s->n - at < SURFACE_BLOCK ? s->n - at : SURFACE_BLOCK;
        for (size_t k = 0; k < count; k++) {
            space_from_unit(o->space, s->t + (at + k) * o->dim, s->x);
            space_encode(o->space, s->x, s->u + k * o->columns);
        }
        status = gp_predict_mean(s->q->surrogate.model, count, s->u, mean + at, &s->work, error);
    }
    for (size_t k = 0; k < s->n && status == LOCBO_OK; k++) mean[k] = scaling_out(&s->q->data.scale, mean[k]);
    return status;
}

/* ---- indices ----------------------------------------------------------------------------------- */

static double variance(size_t n, const double *g) {
    double mean = 0, sum = 0;
    for (size_t k = 0; k < n; k++) mean += (g[k] - mean) / (double)(k + 1);
    for (size_t k = 0; k < n; k++) sum += (g[k] - mean) * (g[k] - mean);
    return sum / (double)n;
}

static void swap_column(sample *s, size_t i) {
    for (size_t k = i; k < s->n * s->o->dim; k += s->o->dim) {
        double t = s->t[k];
        s->t[k] = s->other[k];
        s->other[k] = t;
    }
}

static locbo_status find_total(sample *s, size_t i, double all, double *total, locbo_error *error) {
    swap_column(s, i);
    locbo_status status = find_means(s, s->h, error);
    swap_column(s, i);
    double sum = 0;
    for (size_t k = 0; k < s->n; k++) sum += (s->g[k] - s->h[k]) * (s->g[k] - s->h[k]);
    if (status == LOCBO_OK) *total = fmin(1, sum / (2 * (double)s->n * all));
    return status;
}

/* Categories are strata; the mean of a stratum with m points varies by 1/m of the variance in it, which is subtracted.
 */
static double find_first(const sample *s, size_t i, double all) {
    size_t categories = space_categories(s->o->space, i), strata = STRATA;
    double count[STRATA] = {0}, mean[STRATA] = {0}, square[STRATA] = {0}, total = 0, sum = 0;
    if (space_kind(s->o->space, i) == LOCBO_CATEGORICAL && categories < STRATA) strata = categories;
    for (size_t k = 0; k < s->n; k++) {
        size_t at = (size_t)(s->t[k * s->o->dim + i] * (double)strata);
        if (at >= strata) at = strata - 1;
        double before = mean[at];
        mean[at] += (s->g[k] - before) / ++count[at];
        square[at] += (s->g[k] - before) * (s->g[k] - mean[at]);
        total += (s->g[k] - total) / (double)(k + 1);
    }
    for (size_t a = 0; a < strata; a++) {
        sum += count[a] * (mean[a] - total) * (mean[a] - total);
        if (count[a] > 1) sum -= square[a] / (count[a] - 1);
    }
    return fmin(1, fmax(0, sum / ((double)s->n * all)));
}

static locbo_status find_all(sample *s, double *first, double *total, locbo_error *error) {
    locbo_status status = prepare(s, error);
    if (status == LOCBO_OK) status = draw_points(s, error);
    if (status == LOCBO_OK) status = find_means(s, s->g, error);
    double all = status == LOCBO_OK ? variance(s->n, s->g) : 0, size = 0;
    for (size_t k = 0; k < s->n && status == LOCBO_OK; k++) size = fmax(size, fabs(s->g[k]));
    int varies = isfinite(all) && sqrt(all) > 1e-12 * size; /* otherwise it is rounding */
    for (size_t i = 0; i < s->o->dim && status == LOCBO_OK && varies; i++) {
        status = find_total(s, i, all, &total[i], error);
        first[i] = find_first(s, i, all);
        if (!space_limits(s->o->space)) first[i] = fmin(first[i], total[i]); /* so it is if the t_i are independent */
    }
    return status;
}

locbo_status locbo_optimizer_importance(locbo_optimizer *optimizer, size_t output, double *first, double *total,
                                        locbo_error *error) {
    if (!optimizer) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer must not be NULL");
    locbo_optimizer *o = optimizer;
    sample s = {.o = o, .q = optimizer_quantity_of(o, output)};
    int ready = 0;
    if (!s.q) return status_fail(error, LOCBO_ERR_NOT_FOUND, "output %zu is not modelled", output);
    double *indices = mem_new(2 * o->dim, sizeof *indices);
    for (size_t i = 0; indices && i < 2 * o->dim; i++) indices[i] = (double)NAN;
    locbo_status status = indices ? optimizer_begin(o, error) : status_no_memory(error);
    if (status == LOCBO_OK) {
        status = optimizer_refresh(o, 0, &ready, error);
        if (status == LOCBO_OK && ready) status = find_all(&s, indices, indices + o->dim, error);
        status = optimizer_end(o, status);
    }
    if (status == LOCBO_OK && first) memcpy(first, indices, o->dim * sizeof *first);
    if (status == LOCBO_OK && total) memcpy(total, indices + o->dim, o->dim * sizeof *total);
    release(&s);
    mem_free(indices);
    return status == LOCBO_OK ? status_ok(error) : status;
}
