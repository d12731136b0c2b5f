/* gp.c - exact Gaussian process regression (eq:GP_post_mean, eq:GP_post_var).
 * Layer: core, above kernel.
 *
 * Covariance of the outputs: C = signal_var * k(x, x') + diag(noise_i), where
 *
 *     noise_i = noise_var * scale_i + extra_i + jitter * signal_var,
 *
 * factored once, C = L L^T. The constant mean m has the prior N(0, 1). It and the weights are
 *
 *     m = 1'C^-1 y / (1'C^-1 1 + 1),    alpha = C^-1 (y - m 1).
 *
 * With u = L^-1 1 and w = L^-1 y both follow from dot products, and a new row adds one entry to
 * each. With a trend the terms of a mean h(x) take the place of 1, and k(x, x') has the factor a(x) a(x'), which fades
 * along the column of the trend. At x, with k the covariances of f(x) with the rows:
 *
 *     mu = m + k.alpha,    v = signal_var a(x)^2 - |L^-1 k|^2.
 *
 * Cost: factor n^3/3, append n^2 (new row of L and one triangular solve), predict n^2 per point in
 * blocks (level-3 BLAS), gradient 2 n^2. */
#include "gp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernel.h"
#include "linalg.h"
#include "mem.h"
#include "replicates.h"

/* A million rows cannot be factored in practice, and BLAS counts with int. */
static const size_t max_rows = (size_t)1 << 20, max_columns = (size_t)1 << 16;
/* Log hyper-parameters beyond this would overflow when squared and summed. */
static const double max_theta = 100;
/* How f fades along the column of a trend: slowly at its upper end, as training curves on a log scale do. */
static const double fade_bend = 3;
static const double first_jitter = 1e-10, last_jitter = 1e-4;
/* Points per block of a prediction: enough for dtrsm to reach its speed (32: 20 % slower), few
 * enough that the block of covariances is still in the cache when it is read again. */
enum { block_points = 256 };

/* A factored model; all arrays lie in one block of memory. */
typedef struct model {
    double *block;
    size_t n, pending, capacity; /* rows; capacity is the leading dimension of L */
    double *L;
    double *x, *z, *norm;                /* inputs, scaled inputs, their squared norms */
    double *y, *scale, *extra, *noise;   /* outputs, noise of each row */
    double *count;                       /* measurements of each row */
    double *faded;                       /* a of each row; NULL: there is no trend, all are 1 */
    double *white_one, *white_y, *alpha; /* L^-1 1, L^-1 y, C^-1 (y - m) */
    double *white_trend;                 /* L^-1 of the terms of the trend; NULL: there is none */
    double *theta, *inv_length;
    double signal_var, noise_var, jitter, mean, trend[GP_TREND], fade;
    /* the first rows of a summary, in memory of their own; tied 0: there is none */
    size_t tied;
    double *ties;  /* tied x tied, lower: the covariance of their noise, without jitter */
    double *terms; /* tied x GP_TERMS: what the terms of the mean are there */
    double within[GP_TERMS * (GP_TERMS + 1)];
} model;

/* The measurements behind the rows. */
typedef struct measured {
    size_t n, capacity;
    size_t *row;
    double *y, *scale, *extra;
} measured;

struct gp {
    gp_spec spec;
    size_t *group;
    model m; /* block == NULL: not factored yet */
    watcher *watcher;
    measured measured;
};

locbo_status gp_create(gp **out, const gp_spec *spec, locbo_error *error) {
    if (spec->columns == 0 || spec->columns > max_columns)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "columns must lie in 1 .. %zu, got %zu", max_columns,
                           spec->columns);
    if (spec->lengths == 0 || spec->lengths > spec->columns)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "lengths must lie in 1 .. %zu, got %zu", spec->columns,
                           spec->lengths);
    if ((unsigned)spec->family > LOCBO_KERNEL_RBF)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "unknown kernel %d", (int)spec->family);
    for (size_t c = 0; c < spec->columns; c++)
        if (spec->group[c] >= spec->lengths)
            return status_fail(error, LOCBO_ERR_ARGUMENT, "group[%zu] must be below %zu, got %zu", c, spec->lengths,
                               spec->group[c]);
    gp *g = mem_new(1, sizeof *g);
    size_t *group = mem_new(spec->columns, sizeof *group);
    if (!g || !group) {
        mem_free(g);
        mem_free(group);
        return status_no_memory(error);
    }
    memcpy(group, spec->group, spec->columns * sizeof *group);
    g->spec = *spec;
    g->spec.group = g->group = group;
    *out = g;
    return LOCBO_OK;
}

static void model_release(model *m) {
    mem_free(m->block);
    mem_free(m->ties);
    mem_free(m->terms);
}

static void measured_release(measured *d) {
    mem_free(d->row);
    mem_free(d->y);
    mem_free(d->scale);
    mem_free(d->extra);
}

void gp_destroy(gp *g) {
    if (!g) return;
    model_release(&g->m);
    measured_release(&g->measured);
    mem_free(g->group);
    mem_free(g);
}

void gp_watch(gp *g, watcher *w) { g->watcher = w; }
watcher *gp_watcher(const gp *g) { return g->watcher; }
const gp_spec *gp_get_spec(const gp *g) { return &g->spec; }
size_t gp_rows(const gp *g) { return g->m.n; }
size_t gp_pending(const gp *g) { return g->m.pending; }
const double *gp_theta(const gp *g) { return g->m.theta; }
double gp_signal_var(const gp *g) { return g->m.signal_var; }
double gp_noise_var(const gp *g) { return g->m.noise_var; }
double gp_mean(const gp *g) { return g->m.mean; }
double gp_jitter(const gp *g) { return g->m.jitter; }
const double *gp_outputs(const gp *g) { return g->m.y; }
const double *gp_inputs(const gp *g) { return g->m.x; }
double gp_row_noise(const gp *g, size_t i) { return g->m.noise[i]; }
double gp_row_extra(const gp *g, size_t i) { return g->m.extra[i]; }

const double *gp_factor_matrix(const gp *g, size_t *stride) {
    *stride = g->m.capacity;
    return g->m.L;
}

/* ---- The model's memory ---------------------------------------------------------------------- */

/* A leading dimension that is a multiple of a large power of two puts a row of L into few cache
 * sets. */
static size_t round_capacity(size_t rows) {
    size_t capacity = (rows + 7) / 8 * 8;
    return capacity % 64 == 0 ? capacity + 8 : capacity;
}

static int model_allocate(model *m, const gp_spec *spec, size_t rows) {
    if (rows > max_rows) return 0;
    size_t cap = round_capacity(rows), d = spec->columns, thetas = gp_thetas(spec);
    size_t total = cap * cap + cap * (2 * d + 10 + GP_TREND) + thetas + d;
    double *at = mem_new(total, sizeof *at);
    if (!at) return 0;
    *m = (model){.block = at, .capacity = cap};
    m->L = at, at += cap * cap;
    m->x = at, at += cap * d;
    m->z = at, at += cap * d;
    m->norm = at, at += cap;
    m->y = at, at += cap;
    m->scale = at, at += cap;
    m->extra = at, at += cap;
    m->noise = at, at += cap;
    m->count = at, at += cap;
    m->white_one = at, at += cap;
    m->white_y = at, at += cap;
    m->alpha = at, at += cap;
    m->theta = at, at += thetas;
    m->inv_length = at, at += d;
    m->white_trend = spec->trend ? at : NULL, at += cap * GP_TREND;
    m->faded = spec->trend ? at : NULL;
    return 1;
}

static void copy(double *to, const double *from, size_t count) {
    if (count) memcpy(to, from, count * sizeof *to);
}

/* The first n rows are those of a summary. Returns 0 without memory, and m can be released all the same. */
static int take_ties(model *m, size_t n, const double *noise, const double *terms, const double *within) {
    m->ties = mem_new(n * n, sizeof *m->ties);
    m->terms = mem_new(n * GP_TERMS, sizeof *m->terms);
    if (!m->ties || !m->terms) return 0;
    m->tied = n;
    for (size_t j = 0; j < n; j++) copy(m->ties + j * n + j, noise + j * n + j, n - j);
    copy(m->terms, terms, n * GP_TERMS);
    copy(m->within, within, GP_TERMS * (GP_TERMS + 1));
    return 1;
}

/* A copy of the rows of m, data and pending, in new memory for at least `rows`. Returns 0 without memory. */
static int model_copy(model *big, const model *m, const gp_spec *spec, size_t rows) {
    size_t n = m->n + m->pending, d = spec->columns;
    if (!model_allocate(big, spec, rows)) return 0;
    for (size_t j = 0; j < n; j++) copy(big->L + j * big->capacity + j, m->L + j * m->capacity + j, n - j);
    copy(big->x, m->x, n * d);
    copy(big->z, m->z, n * d);
    copy(big->norm, m->norm, n);
    copy(big->y, m->y, n);
    copy(big->scale, m->scale, n);
    copy(big->extra, m->extra, n);
    copy(big->noise, m->noise, n);
    copy(big->count, m->count, n);
    copy(big->white_one, m->white_one, n);
    copy(big->white_y, m->white_y, n);
    copy(big->alpha, m->alpha, n);
    for (size_t b = 0; m->white_trend && b < GP_TREND; b++)
        copy(big->white_trend + b * big->capacity, m->white_trend + b * m->capacity, n);
    if (m->faded) copy(big->faded, m->faded, n);
    copy(big->theta, m->theta, gp_thetas(spec));
    copy(big->inv_length, m->inv_length, d);
    big->n = m->n, big->pending = m->pending;
    big->signal_var = m->signal_var, big->noise_var = m->noise_var;
    big->jitter = m->jitter, big->mean = m->mean, big->fade = m->fade;
    copy(big->trend, m->trend, GP_TREND);
    if (m->tied == 0 || take_ties(big, m->tied, m->ties, m->terms, m->within)) return 1;
    model_release(big);
    return 0;
}

/* Room for one more row; the capacity doubles. Returns 0 and changes nothing without memory. */
static int model_grow(model *m, const gp_spec *spec) {
    if (m->n + m->pending < m->capacity) return 1;
    model big;
    if (!model_copy(&big, m, spec, 2 * m->capacity)) return 0;
    model_release(m);
    *m = big;
    return 1;
}

static int measured_reserve(measured *d, size_t n) {
    mem_array arrays[] = {
        {&d->row, sizeof *d->row}, {&d->y, sizeof *d->y}, {&d->scale, sizeof *d->scale}, {&d->extra, sizeof *d->extra}};
    return mem_reserve_all(4, arrays, &d->capacity, n);
}

static void measured_add(measured *d, size_t row, double y, double scale, double extra) {
    d->row[d->n] = row, d->y[d->n] = y, d->scale[d->n] = scale, d->extra[d->n++] = extra;
}

/* d is to have what it can hold: the measurements of `data`. */
static void measured_fill(measured *d, const gp_data *data) {
    d->n = 0;
    for (size_t i = 0; i < data->n; i++)
        measured_add(d, data->point ? data->point[i] : i, data->y[i], data->scale[i], data->extra[i]);
}

locbo_status gp_copy(gp *to, const gp *from, size_t more, locbo_error *error) {
    if (!from->m.block) return status_fail(error, LOCBO_ERR_STATE, "the model has not been factored");
    const measured *d = &from->measured;
    model m;
    if (!measured_reserve(&to->measured, d->n)) return status_no_memory(error);
    if (!model_copy(&m, &from->m, &from->spec, from->m.n + from->m.pending + more)) return status_no_memory(error);
    model_release(&to->m);
    to->m = m;
    measured_fill(&to->measured, &(gp_data){d->n, NULL, d->y, d->scale, d->extra, d->row});
    return LOCBO_OK;
}

/* ---- Checks of the input --------------------------------------------------------------------- */

static locbo_status check_theta(const gp_spec *spec, const double *theta, locbo_error *error) {
    for (size_t i = 0; i < gp_thetas(spec); i++)
        if (!(fabs(theta[i]) <= max_theta))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "theta[%zu] must lie in [-%g, %g], got %g", i, max_theta,
                               max_theta, theta[i]);
    return LOCBO_OK;
}

static locbo_status check_point(size_t columns, const double *x, locbo_error *error) {
    for (size_t c = 0; c < columns; c++)
        if (!isfinite(x[c])) return status_fail(error, LOCBO_ERR_ARGUMENT, "x[%zu] must be finite, got %g", c, x[c]);
    return LOCBO_OK;
}

static locbo_status check_row(size_t columns, const double *x, double y, double scale, double extra,
                              locbo_error *error) {
    if (!isfinite(y)) return status_fail(error, LOCBO_ERR_ARGUMENT, "y must be finite, got %g", y);
    if (!(scale >= 0 && isfinite(scale)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "scale must be >= 0 and finite, got %g", scale);
    if (!(extra >= 0 && isfinite(extra)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "extra must be >= 0 and finite, got %g", extra);
    return check_point(columns, x, error);
}

static locbo_status check_data(const gp_spec *spec, const gp_data *data, locbo_error *error) {
    for (size_t i = 0; i < data->n; i++) {
        locbo_status status =
            check_row(spec->columns, data->x + i * spec->columns, data->y[i], data->scale[i], data->extra[i], error);
        if (status != LOCBO_OK) return status;
    }
    return LOCBO_OK;
}

/* ---- Factor, append -------------------------------------------------------------------------- */

static void set_theta(model *m, const gp_spec *spec, const double *theta) {
    size_t count = gp_thetas(spec);
    copy(m->theta, theta, count);
    for (size_t c = 0; c < spec->columns; c++) m->inv_length[c] = exp(-theta[spec->group[c]]);
    m->fade = spec->trend ? exp(theta[spec->lengths]) : 0;
    m->signal_var = exp(theta[count - 2]);
    m->noise_var = exp(theta[count - 1]);
}

gp_faded gp_fade_at(double fade, double u) {
    double h = fmin(fmax(1 - u, 0), 1), whole = expm1(fade_bend), lost = -expm1(-fade),
           part = expm1(fade_bend * h) / whole;
    double by = 1 - lost * part, tilt = lost * fade_bend * exp(fade_bend * h) / whole / by;
    return (gp_faded){by, u < 0 || u > 1 ? 0 : tilt, -fade * exp(-fade) * part / by};
}

static gp_faded faded_at(const model *m, const gp_spec *spec, const double *x) {
    return spec->trend ? gp_fade_at(m->fade, x[spec->trend - 1]) : (gp_faded){1, 0, 0};
}

/* count covariances with one point, at which f fades by `at`. */
static void fade_column(const double *faded, size_t count, double at, double *column) {
    for (size_t i = 0; i < count; i++) column[i] *= at * faded[i];
}

/* The variance of the noise of a data row, without jitter. */
static double own_noise(const model *m, size_t i) {
    return i < m->tied ? m->ties[i + i * m->tied] : m->noise_var * m->scale[i] + m->extra[i];
}

/* C at the given jitter and its factor; returns 0 if it has none, or if cancelled. */
static int factor_at(model *m, const gp_spec *spec, double jitter, watcher *w) {
    if (watcher_cancels(w)) return 0;
    kernel_gram(spec->family, m->n, spec->columns, m->z, m->norm, m->L, m->capacity, NULL);
    for (size_t j = 0; j < m->n; j++) {
        double *column = m->L + j * m->capacity;
        for (size_t i = j; i < m->n; i++) column[i] *= m->signal_var;
        if (spec->trend) fade_column(m->faded + j, m->n - j, m->faded[j], column + j);
        m->noise[j] = own_noise(m, j) + jitter * m->signal_var;
        column[j] += m->noise[j];
        for (size_t i = j + 1; i < m->tied; i++) column[i] += m->ties[i + j * m->tied];
    }
    m->jitter = jitter;
    return linalg_cholesky(m->n, m->L, m->capacity) && !watcher_cancels(w);
}

/* ---- The mean -------------------------------------------------------------------------------- */

void gp_trend_at(double u, double h[GP_TREND]) {
    h[0] = fmin(fmax(1 - u, 0), 1); /* rows of a space that has changed may lie outside */
    for (size_t k = 1; k < GP_TREND; k++) h[k] = h[k - 1] * h[k - 1];
}

static double mean_at(const model *m, const gp_spec *spec, const double *x) {
    double h[GP_TREND], sum = m->mean;
    if (!spec->trend) return sum;
    gp_trend_at(x[spec->trend - 1], h);
    for (size_t k = 0; k < GP_TREND; k++) sum += m->trend[k] * h[k];
    return sum;
}

/* d mean / d u. */
static double mean_slope(const model *m, double u) {
    double h[GP_TREND], power = 1, sum = -m->trend[0];
    if (u < 0 || u > 1) return 0;
    gp_trend_at(u, h);
    for (size_t k = 1; k < GP_TREND; k++) {
        power *= 2; /* -power h^(power - 1), and h^(2^k - 1) is the product of the terms before */
        double below = 1;
        for (size_t j = 0; j < k; j++) below *= h[j];
        sum -= m->trend[k] * power * below;
    }
    return sum;
}

int gp_solve_mean(size_t n, const double *const white[GP_TERMS], const double *y, const double *within,
                  double b[GP_TERMS], double *prior) {
    const double constant = 1, trend = 0.01; /* precisions of the priors */
    double A[GP_TERMS * GP_TERMS];
    for (size_t i = 0; i < GP_TERMS; i++) {
        for (size_t j = 0; j < GP_TERMS; j++) A[i + GP_TERMS * j] = linalg_dot(n, white[i], white[j]);
        A[(GP_TERMS + 1) * i] += i == 0 ? constant : trend;
        b[i] = linalg_dot(n, white[i], y);
    }
    for (size_t i = 0; within && i < GP_TERMS * GP_TERMS; i++) A[i] += within[i];
    for (size_t i = 0; within && i < GP_TERMS; i++) b[i] += within[GP_TERMS * GP_TERMS + i];
    if (!linalg_cholesky(GP_TERMS, A, GP_TERMS)) return 0; /* the prior makes it definite, but for rounding */
    linalg_solve_lower(GP_TERMS, A, GP_TERMS, b);
    linalg_solve_lower_t(GP_TERMS, A, GP_TERMS, b);
    *prior = constant * b[0] * b[0];
    for (size_t i = 1; i < GP_TERMS; i++) *prior += trend * b[i] * b[i];
    return 1;
}

/* The mean with a trend; without one if there is no solution. */
static void set_trend(model *m) {
    const double *white[GP_TERMS] = {m->white_one};
    double b[GP_TERMS], prior;
    for (size_t k = 0; k < GP_TREND; k++) white[1 + k] = m->white_trend + k * m->capacity;
    int solved = gp_solve_mean(m->n, white, m->white_y, m->tied ? m->within : NULL, b, &prior);
    if (solved) m->mean = b[0];
    for (size_t k = 0; k < GP_TREND; k++) m->trend[k] = solved ? b[1 + k] : 0;
}

/* Mean and weights of the data rows from u and w; n^2. */
static void set_weights(model *m, const gp_spec *spec) {
    size_t n = m->n;
    double uu = linalg_dot(n, m->white_one, m->white_one) + m->within[0]; /* 0 without a summary */
    double uw = linalg_dot(n, m->white_one, m->white_y) + m->within[GP_TERMS * GP_TERMS];
    m->mean = spec->estimate_mean ? uw / (uu + 1) : 0;
    if (spec->trend) set_trend(m);
    for (size_t i = 0; i < n; i++) m->alpha[i] = m->white_y[i] - m->mean * m->white_one[i];
    for (size_t k = 0; spec->trend && k < GP_TREND; k++)
        linalg_axpy(n, -m->trend[k], m->white_trend + k * m->capacity, m->alpha);
    linalg_solve_lower_t(n, m->L, m->capacity, m->alpha);
}

static int factor_growing_jitter(model *m, const gp_spec *spec, watcher *w) {
    if (factor_at(m, spec, 0, w)) return 1;
    for (double jitter = first_jitter; jitter < 2 * last_jitter; jitter *= 10)
        if (factor_at(m, spec, jitter, w)) return 1;
    return 0;
}

/* Factor the rows of m, whose inputs, outputs and noise are filled, and weigh them. Returns 0 if they have no factor.
 */
static int settle(model *m, const gp_spec *spec, watcher *w) {
    kernel_scale(m->n, spec->columns, m->x, m->inv_length, m->z, m->norm);
    for (size_t i = 0; spec->trend && i < m->n; i++) m->faded[i] = faded_at(m, spec, m->x + i * spec->columns).by;
    if (!factor_growing_jitter(m, spec, w)) return 0;
    for (size_t i = 0; i < m->n; i++) m->white_one[i] = i < m->tied ? m->terms[i] : 1;
    copy(m->white_y, m->y, m->n);
    linalg_solve_lower(m->n, m->L, m->capacity, m->white_one);
    linalg_solve_lower(m->n, m->L, m->capacity, m->white_y);
    for (size_t i = 0; spec->trend && i < m->n; i++) {
        double h[GP_TREND];
        gp_trend_at(m->x[i * spec->columns + spec->trend - 1], h);
        for (size_t k = 0; k < GP_TREND; k++)
            m->white_trend[k * m->capacity + i] = i < m->tied ? m->terms[i + (1 + k) * m->tied] : h[k];
    }
    for (size_t k = 0; spec->trend && k < GP_TREND; k++)
        linalg_solve_lower(m->n, m->L, m->capacity, m->white_trend + k * m->capacity);
    set_weights(m, spec);
    return 1;
}

static size_t with_room(size_t rows) { return rows + rows / 4 + 16; }

static locbo_status not_factored(size_t rows, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_NUMERIC, "the covariance of %zu rows cannot be factored with jitter %g", rows,
                       last_jitter);
}

/* A model of the rows at theta, not factored yet. Returns 0 without memory. */
static int model_fill(model *m, const gp_spec *spec, const double *theta, replicates *r) {
    if (r->rows > max_rows || !model_allocate(m, spec, with_room(r->rows))) return 0;
    m->n = r->rows;
    set_theta(m, spec, theta);
    gp_data rows = replicates_at(r, m->noise_var);
    copy(m->x, rows.x, rows.n * spec->columns);
    copy(m->y, rows.y, rows.n);
    copy(m->scale, rows.scale, rows.n);
    copy(m->extra, rows.extra, rows.n);
    copy(m->count, r->count, rows.n);
    return 1;
}

static locbo_status factor(gp *g, const double *theta, const gp_data *data, const gp_summary *summary,
                           locbo_error *error) {
    const gp_spec *spec = &g->spec;
    locbo_status status = check_theta(spec, theta, error);
    if (status == LOCBO_OK) status = check_data(spec, data, error);
    if (status != LOCBO_OK) return status;
    model m = {.block = NULL};
    replicates r = {0};
    int filled = measured_reserve(&g->measured, data->n) && replicates_build(&r, data, spec->columns) &&
                 model_fill(&m, spec, theta, &r) &&
                 (!summary || take_ties(&m, m.n, summary->noise, summary->terms, summary->within));
    replicates_release(&r);
    if (!filled) {
        model_release(&m);
        return status_no_memory(error);
    }
    if (!settle(&m, spec, g->watcher)) {
        model_release(&m);
        status = watcher_check(g->watcher, error);
        return status == LOCBO_OK ? not_factored(m.n, error) : status;
    }
    measured_fill(&g->measured, data);
    model_release(&g->m); /* last: data may point into the old model */
    g->m = m;
    return LOCBO_OK;
}

locbo_status gp_factor(gp *g, const double *theta, const gp_data *data, locbo_error *error) {
    return factor(g, theta, data, NULL, error);
}

locbo_status gp_factor_summary(gp *g, const double *theta, const gp_data *data, const gp_summary *summary,
                               locbo_error *error) {
    return factor(g, theta, data, summary, error);
}

/* The rows of m and the one filled in after them, factored anew. */
static locbo_status factor_again(model *m, const gp_spec *spec, locbo_error *error) {
    model fresh, all = *m;
    all.n++;
    if (!model_copy(&fresh, &all, spec, with_room(all.n))) return status_no_memory(error);
    if (!settle(&fresh, spec, NULL)) {
        model_release(&fresh);
        return not_factored(all.n, error);
    }
    model_release(m);
    *m = fresh;
    return LOCBO_OK;
}

/* Write the scaled input and the row of L of a new last row, whose slot in x and noise is filled.
 * Returns the square of its pivot, which is not written. The counts are not changed. */
static double new_row(model *m, const gp_spec *spec) {
    size_t rows = m->n + m->pending, d = spec->columns;
    double *z = m->z + rows * d, *norm = m->norm + rows;
    kernel_scale(1, d, m->x + rows * d, m->inv_length, z, norm);
    /* The last column of L has one entry in use, at its end: until then it is scratch. */
    double *l = m->L + rows * m->capacity;
    kernel_cross(spec->family, rows, 1, d, m->z, m->norm, z, norm, l, m->capacity, NULL);
    for (size_t i = 0; i < rows; i++) l[i] *= m->signal_var;
    double by = faded_at(m, spec, m->x + rows * d).by;
    if (spec->trend) {
        m->faded[rows] = by;
        fade_column(m->faded, rows, by, l);
    }
    linalg_solve_lower(rows, m->L, m->capacity, l);
    for (size_t j = 0; j < rows; j++) m->L[rows + j * m->capacity] = l[j];
    double pivot2 = m->signal_var * by * by + m->noise[rows] - linalg_dot(rows, l, l);
    memset(l, 0, rows * sizeof *l);
    return pivot2;
}

/* The entries of a new row n in the whitened terms of the trend. */
static void append_trend(model *m, const gp_spec *spec, double pivot) {
    double h[GP_TREND];
    size_t n = m->n;
    gp_trend_at(m->x[n * spec->columns + spec->trend - 1], h);
    for (size_t k = 0; k < GP_TREND; k++) {
        double *white = m->white_trend + k * m->capacity;
        for (size_t j = 0; j < n; j++) h[k] -= m->L[n + j * m->capacity] * white[j];
        white[n] = h[k] / pivot;
    }
}

locbo_status gp_append(gp *g, const double *x, double y, double scale, double extra, locbo_error *error) {
    const gp_spec *spec = &g->spec;
    if (!g->m.block) return status_fail(error, LOCBO_ERR_STATE, "the model has not been factored");
    if (g->m.pending) return status_fail(error, LOCBO_ERR_STATE, "the model has %zu pending rows", g->m.pending);
    locbo_status status = check_row(spec->columns, x, y, scale, extra, error);
    if (status == LOCBO_OK) status = watcher_check(g->watcher, error);
    if (status != LOCBO_OK) return status;
    if (!measured_reserve(&g->measured, g->measured.n + 1) || !model_grow(&g->m, spec)) return status_no_memory(error);
    model *m = &g->m;
    size_t n = m->n;
    copy(m->x + n * spec->columns, x, spec->columns);
    m->y[n] = y, m->scale[n] = scale, m->extra[n] = extra, m->count[n] = 1;
    m->noise[n] = m->noise_var * scale + extra + m->jitter * m->signal_var;
    double pivot2 = new_row(m, spec);
    /* Below this the pivot is rounding: a full factorisation decides, with jitter if needed. */
    if (!(pivot2 > 4 * (double)(n + 1) * DBL_EPSILON * m->signal_var && isfinite(pivot2))) {
        status = factor_again(m, spec, error);
        if (status == LOCBO_OK) measured_add(&g->measured, n, y, scale, extra);
        return status;
    }
    double pivot = sqrt(pivot2);
    m->L[n + n * m->capacity] = pivot;
    m->white_one[n] = m->white_y[n] = 0;
    double one = 1, value = y;
    for (size_t j = 0; j < n; j++) {
        one -= m->L[n + j * m->capacity] * m->white_one[j];
        value -= m->L[n + j * m->capacity] * m->white_y[j];
    }
    m->white_one[n] = one / pivot;
    m->white_y[n] = value / pivot;
    if (spec->trend) append_trend(m, spec, pivot);
    m->n++;
    measured_add(&g->measured, n, y, scale, extra);
    set_weights(m, spec);
    return LOCBO_OK;
}

locbo_status gp_append_pending(gp *g, const double *x, locbo_error *error) {
    const gp_spec *spec = &g->spec;
    if (!g->m.block) return status_fail(error, LOCBO_ERR_STATE, "the model has not been factored");
    locbo_status status = check_point(spec->columns, x, error);
    if (status == LOCBO_OK) status = watcher_check(g->watcher, error);
    if (status != LOCBO_OK) return status;
    if (!model_grow(&g->m, spec)) return status_no_memory(error);
    model *m = &g->m;
    size_t rows = m->n + m->pending;
    copy(m->x + rows * spec->columns, x, spec->columns);
    m->y[rows] = NAN, m->scale[rows] = 1, m->extra[rows] = 0;
    m->noise[rows] = m->noise_var + m->jitter * m->signal_var;
    double pivot2 = new_row(m, spec);
    if (!isfinite(pivot2)) return status_fail(error, LOCBO_ERR_NUMERIC, "the pending row cannot be factored");
    /* Next to many other rows the pivot may be nothing but rounding: the row then gets a little more noise, and the
     * data rows keep their factor. */
    double least = first_jitter * m->signal_var;
    m->L[rows + rows * m->capacity] = sqrt(pivot2 > least ? pivot2 : least);
    m->pending++;
    return LOCBO_OK;
}

/* ---- Predictions ----------------------------------------------------------------------------- */

void gp_work_release(gp_work *work) {
    mem_free(work->k);
    mem_free(work->w);
    mem_free(work->z);
    *work = (gp_work){0};
}

/* Room for one number even if none is needed: there is always an array to point into. */
static int reserve(double **array, size_t *size, size_t need) {
    return mem_reserve(array, size, need ? need : 1, sizeof **array);
}

static locbo_status prepare(const gp *g, size_t m, size_t stride, size_t scratch, gp_work *work, locbo_error *error) {
    if (!g->m.block) return status_fail(error, LOCBO_ERR_STATE, "the model has not been factored");
    if (m > SIZE_MAX / 8 / (stride + g->spec.columns + 1)) return status_no_memory(error);
    if (!reserve(&work->k, &work->k_size, stride * m) || !reserve(&work->w, &work->w_size, stride * m) ||
        !reserve(&work->z, &work->z_size, scratch))
        return status_no_memory(error);
    return LOCBO_OK;
}

static double not_negative(double v) { return v > 0 ? v : 0; }

/* count <= block_points points; k, z, norm are this block's. */
static void mean_block(const model *m, const gp_spec *spec, size_t count, const double *x, double *mu, double *k,
                       size_t stride, double *z, double *norm) {
    size_t rows = m->n + m->pending;
    kernel_scale(count, spec->columns, x, m->inv_length, z, norm);
    kernel_cross(spec->family, rows, count, spec->columns, m->z, m->norm, z, norm, k, stride, NULL);
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < rows; i++) k[i + j * stride] *= m->signal_var;
    for (size_t j = 0; spec->trend && j < count; j++)
        fade_column(m->faded, rows, faded_at(m, spec, x + j * spec->columns).by, k + j * stride);
    for (size_t j = 0; j < count; j++) mu[j] = mean_at(m, spec, x + j * spec->columns);
    if (rows) linalg_gemv_t(m->n, count, 1, k, stride, m->alpha, 1, mu);
}

/* The same with the variance. */
static void predict_block(const model *m, const gp_spec *spec, size_t count, const double *x, double *mu, double *v,
                          double *k, double *w, size_t stride, double *z, double *norm) {
    size_t rows = m->n + m->pending;
    mean_block(m, spec, count, x, mu, k, stride, z, norm);
    copy(w, k, stride * count);
    linalg_solve_lower_many(rows, count, m->L, m->capacity, w, stride);
    for (size_t j = 0; j < count; j++) {
        double by = faded_at(m, spec, x + j * spec->columns).by;
        v[j] = not_negative(m->signal_var * by * by - linalg_dot(rows, w + j * stride, w + j * stride));
    }
}

/* gp_predict with columns of `stride` in work. */
static locbo_status predict(const gp *g, size_t m, const double *x, double *mu, double *v, gp_work *work, size_t stride,
                            locbo_error *error) {
    size_t d = g->spec.columns;
    locbo_status status = prepare(g, m, stride, m * (d + 2), work, error);
    if (status != LOCBO_OK) return status;
    work->stride = stride;
    double *norm = work->z + m * d, *by = norm + m; /* gp_covariance finds z, norm and by there */
    for (size_t j = 0; g->spec.trend && j < m; j++) by[j] = faded_at(&g->m, &g->spec, x + j * d).by;
    for (size_t at = 0; at < m; at += block_points) {
        status = watcher_check(g->watcher, error);
        if (status != LOCBO_OK) return status;
        size_t count = m - at < block_points ? m - at : block_points;
        predict_block(&g->m, &g->spec, count, x + at * d, mu + at, v + at, work->k + at * stride, work->w + at * stride,
                      stride, work->z + at * d, norm + at);
    }
    return LOCBO_OK;
}

locbo_status gp_predict(const gp *g, size_t m, const double *x, double *mu, double *v, gp_work *work,
                        locbo_error *error) {
    return predict(g, m, x, mu, v, work, g->m.n + g->m.pending, error);
}

/* The columns of both matrices, of `have` rows each, move apart to the new stride. */
static void move_apart(gp_work *work, size_t m, size_t have, size_t stride) {
    double *matrix[] = {work->k, work->w};
    for (size_t i = 0; i < 2; i++)
        for (size_t j = m; j-- > 1;)
            memmove(matrix[i] + j * stride, matrix[i] + j * work->stride, have * sizeof *matrix[i]);
    work->stride = stride;
}

/* a' b, with the same bits wherever in memory they are: those of a BLAS may depend on it. */
static double dot_anywhere(size_t n, const double *a, const double *b) {
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++) sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++) sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Row r of k and w at m points, those before it being there, and what it takes from the variances v; `row` is scratch
 * for r + m numbers. */
static void fill_row(const model *md, const gp_spec *spec, size_t r, size_t m, double *v, gp_work *work, double *row) {
    const double *norm = work->z + m * spec->columns, *by = norm + m;
    double *at = row + r;
    kernel_cross(spec->family, 1, m, spec->columns, md->z + r * spec->columns, md->norm + r, work->z, norm, at, 1,
                 NULL);
    for (size_t i = 0; i < r; i++) row[i] = md->L[r + i * md->capacity];
    for (size_t j = 0; j < m; j++) {
        double k = at[j] * md->signal_var * (spec->trend ? md->faded[r] * by[j] : 1);
        double *w = work->w + j * work->stride;
        work->k[r + j * work->stride] = k;
        w[r] = (k - dot_anywhere(r, row, w)) / md->L[r + r * md->capacity];
        v[j] = not_negative(v[j] - w[r] * w[r]);
    }
}

locbo_status gp_predict_more(const gp *g, size_t m, const double *x, double *mu, double *v, gp_work *work, size_t have,
                             locbo_error *error) {
    enum { ROOM = 64 }; /* the columns have room for some more rows, so that few calls move them */
    const model *md = &g->m;
    size_t d = g->spec.columns, rows = md->n + md->pending, stride = (rows / ROOM + 1) * ROOM;
    locbo_status status = prepare(g, m, stride, m * (d + 2), work, error);
    double *row = status == LOCBO_OK ? mem_new(rows + m, sizeof *row) : NULL;
    if (status == LOCBO_OK && !row) status = status_no_memory(error);
    if (status == LOCBO_OK && (have < md->n || have > rows)) {
        /* the data rows at once, the others one by one: the bits are the same, whoever had some already */
        gp data = *g;
        data.m.pending = 0;
        have = md->n;
        status = predict(&data, m, x, mu, v, work, stride, error);
    }
    if (status == LOCBO_OK) status = watcher_check(g->watcher, error);
    if (status == LOCBO_OK && work->stride < stride) move_apart(work, m, have, stride);
    for (size_t r = have; status == LOCBO_OK && r < rows; r++) fill_row(md, &g->spec, r, m, v, work, row);
    mem_free(row);
    return status;
}

locbo_status gp_predict_mean(const gp *g, size_t m, const double *x, double *mu, gp_work *work, locbo_error *error) {
    size_t d = g->spec.columns;
    size_t rows = g->m.n + g->m.pending;
    locbo_status status = prepare(g, m < block_points ? m : block_points, rows, block_points * (d + 1), work, error);
    for (size_t at = 0; at < m && status == LOCBO_OK; at += block_points) {
        size_t count = m - at < block_points ? m - at : block_points;
        status = watcher_check(g->watcher, error);
        if (status == LOCBO_OK)
            mean_block(&g->m, &g->spec, count, x + at * d, mu + at, work->k, rows, work->z, work->z + block_points * d);
    }
    return status;
}

locbo_status gp_predict_grad(const gp *g, const double *x, double *mu, double *v, double *dmu, double *dv,
                             gp_work *work, locbo_error *error) {
    const model *m = &g->m;
    size_t d = g->spec.columns, n = m->n, rows = n + m->pending;
    locbo_status status = prepare(g, 1, rows, d + 2 + 2 * rows, work, error);
    if (status == LOCBO_OK) status = watcher_check(g->watcher, error);
    if (status != LOCBO_OK) return status;
    work->stride = rows;
    double *z = work->z, *norm = z + d, *tilt = norm + 1, *slope = tilt + 1, *b = slope + rows;
    gp_faded faded = faded_at(m, &g->spec, x);
    *tilt = faded.tilt;
    kernel_scale(1, d, x, m->inv_length, z, norm);
    kernel_cross(g->spec.family, rows, 1, d, m->z, m->norm, z, norm, work->k, rows, slope);
    for (size_t i = 0; i < rows; i++) work->k[i] *= m->signal_var;
    if (g->spec.trend) fade_column(m->faded, rows, faded.by, work->k);
    if (g->spec.trend) fade_column(m->faded, rows, faded.by, slope);
    copy(work->w, work->k, rows);
    linalg_solve_lower(rows, m->L, m->capacity, work->w);
    copy(b, work->w, rows);
    linalg_solve_lower_t(rows, m->L, m->capacity, b); /* C^-1 k */
    *mu = mean_at(m, &g->spec, x) + linalg_dot(n, work->k, m->alpha);
    double explained = linalg_dot(rows, work->w, work->w), prior = m->signal_var * faded.by * faded.by;
    *v = not_negative(prior - explained);
    /* dk_i/dx_c = signal_var * slope_i * 2 (z_c - z_ic) / length_c, and tilt * k_i more in the column of the trend */
    for (size_t c = 0; c < d; c++) dmu[c] = dv[c] = 0;
    for (size_t i = 0; i < rows; i++) {
        const double *zi = m->z + i * d;
        double for_mu = i < n ? m->alpha[i] * slope[i] : 0, for_v = b[i] * slope[i];
        for (size_t c = 0; c < d; c++) {
            dmu[c] += for_mu * (z[c] - zi[c]);
            dv[c] += for_v * (z[c] - zi[c]);
        }
    }
    for (size_t c = 0; c < d; c++) {
        double dr2 = 2 * m->signal_var * m->inv_length[c];
        dmu[c] *= dr2;
        dv[c] *= -2 * dr2;
    }
    if (g->spec.trend) {
        size_t c = g->spec.trend - 1;
        dmu[c] += mean_slope(m, x[c]) + faded.tilt * linalg_dot(n, work->k, m->alpha);
        dv[c] += 2 * faded.tilt * (prior - explained);
    }
    return LOCBO_OK;
}

void gp_combination_grad(const gp *g, const gp_work *work, const double *weight, double *grad) {
    const model *m = &g->m;
    size_t d = g->spec.columns, rows = m->n + m->pending;
    const double *z = work->z, tilt = z[d + 1], *slope = z + d + 2;
    for (size_t c = 0; c < d; c++) grad[c] = 0;
    for (size_t i = 0; i < rows; i++) {
        double by = weight[i] * slope[i];
        for (size_t c = 0; c < d; c++) grad[c] += by * (z[c] - m->z[i * d + c]);
    }
    for (size_t c = 0; c < d; c++) grad[c] *= 2 * m->signal_var * m->inv_length[c];
    if (g->spec.trend) grad[g->spec.trend - 1] += tilt * linalg_dot(rows, weight, work->k);
}

locbo_status gp_covariance(const gp *g, size_t m, const gp_work *work, double *cov, locbo_error *error) {
    const model *md = &g->m;
    size_t d = g->spec.columns, rows = md->n + md->pending;
    /* gp_predict left the points, scaled, in work */
    if (!md->block) return status_fail(error, LOCBO_ERR_STATE, "the model has not been factored");
    if (work->stride < rows || work->w_size < work->stride * m || work->z_size < m * (d + 2))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "gp_predict was not called for these %zu points", m);
    kernel_gram(g->spec.family, m, d, work->z, work->z + m * d, cov, m, NULL);
    for (size_t j = 0; j < m; j++)
        for (size_t i = j; i < m; i++) cov[i + j * m] *= md->signal_var;
    const double *by = work->z + m * (d + 1);
    for (size_t j = 0; g->spec.trend && j < m; j++) fade_column(by + j, m - j, by[j], cov + j + j * m);
    linalg_syrk_t(m, rows, -1, work->w, work->stride, 1, cov, m);
    for (size_t j = 0; j < m; j++) {
        cov[j + j * m] = not_negative(cov[j + j * m]);
        for (size_t i = j + 1; i < m; i++) cov[j + i * m] = cov[i + j * m];
    }
    return LOCBO_OK;
}

void gp_weights(const gp *g, double *alpha) {
    copy(alpha, g->m.alpha, g->m.n);
    if (g->m.tied) return;
    for (size_t i = 0; i < g->m.n; i++) alpha[i] = g->m.y[i] - mean_at(&g->m, &g->spec, g->m.x + i * g->spec.columns);
    linalg_solve_lower(g->m.n, g->m.L, g->m.capacity, alpha);
    linalg_solve_lower_t(g->m.n, g->m.L, g->m.capacity, alpha);
}

void gp_inverse_diagonal(const gp *g, double *inverse, double *diagonal) {
    size_t n = g->m.n;
    for (size_t j = 0; j < n; j++) copy(inverse + j * n + j, g->m.L + j * g->m.capacity + j, n - j);
    linalg_cholesky_inverse(n, inverse, n);
    for (size_t i = 0; i < n; i++) diagonal[i] = inverse[i + i * n];
}

/* The rows of a summary: K alpha and the mean, which is not what their outputs have of it. */
static void tied_fitted(const gp *g, double *mu) {
    const model *m = &g->m;
    size_t n = m->tied;
    for (size_t i = 0; i < n; i++) {
        double off = m->mean * m->terms[i];
        for (size_t k = 0; g->spec.trend && k < GP_TREND; k++) off += m->trend[k] * m->terms[i + (1 + k) * n];
        mu[i] = m->y[i] - off + mean_at(m, &g->spec, m->x + i * g->spec.columns) -
                (m->noise[i] - m->ties[i + i * n]) * m->alpha[i];
    }
    linalg_symm(n, 1, -1, m->ties, n, m->alpha, n, 1, mu, n);
}

void gp_fitted(const gp *g, double *mu) {
    /* K alpha = (C - noise) alpha = y - m - noise alpha */
    if (g->m.tied) tied_fitted(g, mu);
    for (size_t i = g->m.tied; i < g->m.n; i++) mu[i] = g->m.y[i] - g->m.noise[i] * g->m.alpha[i];
}

/* ---- Measurements ------------------------------------------------------------------------------ */

size_t gp_measurements(const gp *g) { return g->measured.n; }
double gp_row_count(const gp *g, size_t row) { return g->m.count[row]; }

gp_measurement gp_measurement_at(const gp *g, size_t i) {
    const measured *d = &g->measured;
    double noise = g->m.noise_var * d->scale[i] + d->extra[i] + g->m.jitter * g->m.signal_var;
    return (gp_measurement){d->row[i], d->y[i], noise, d->extra[i]};
}

/* With D_p the variance of the row and D_i that of the measurement, f has the posterior variance D_p - D_p^2 c_p, which
 * is D_i - D_i^2 c_i; the residual y_i - f is (y_i - y_p) + D_p alpha_p = D_i alpha_i. Jitter, which the row has once,
 * counts as part of f. */
void gp_split(const gp *g, size_t i, double *alpha, double *diagonal) {
    const model *m = &g->m;
    const measured *d = &g->measured;
    size_t p = d->row[i];
    if (m->count[p] == 1) return;
    double row = m->noise_var * m->scale[p] + m->extra[p], own = m->noise_var * d->scale[i] + d->extra[i];
    double others = fmax(1 / row - 1 / own, 0); /* precision of the row's other measurements */
    *alpha = (d->y[i] - m->y[p] + row * *alpha) / own;
    *diagonal = row / own * (others + row / own * *diagonal);
}
