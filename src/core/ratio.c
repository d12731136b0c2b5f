/* ratio.c - CBO's likelihood ratios (section CBO; Stanton et al. 2023).
 *
 * Chains: x <- x + (h/2) grad log p' + sqrt(h) N(0, I), reflected at the walls of the box, the
 * drift cut to a fraction of the box (otherwise a steep acquisition would make an unadjusted Langevin
 * chain jump across the box).
 *
 * Ratio: a logistic regression between m samples of p' (label 1) and n past queries (label 0):
 *   log w(x) = beta . features(x) + log(n/m)
 * where beta maximises the log-likelihood minus (ridge/2) |beta|^2, by Newton's method with step
 * halving. Features: 1, the free coordinates scaled to [-1, 1], their squares and, up to
 * CROSS_COLUMNS of them, their products.
 *
 * Layer: core. Cost: one density a step; a Newton step O((m+n) F^2 + F^3) with F features. */
#include "ratio.h"

#include <math.h>
#include <string.h>

#include "linalg.h"
#include "mem.h"

#define STEP_SIZE 0.01   /* h, in units of the squared box width: sqrt(h) is a tenth of the box */
#define DRIFT_LIMIT 0.25 /* longest drift of one step, in widths */
#define KEPT_MOST 256    /* points of one chain */
#define RIDGE 1.0
#define CROSS_COLUMNS 12 /* products of coordinates: at most 91 features; above, squares only */
#define NEWTON_STEPS 50
#define HALVINGS 30

static int is_free(const ratio_box *box, size_t j) {
    return box->low[j] < box->high[j] && !(box->held && box->held[j]);
}

/* ---- chains ---- */

/* How many points of a chain are kept: of its second half, thinned if that is long (neighbours are
 * alike, and the regression's cost grows with them). */
static int kept_per_chain(const ratio_chains *c) {
    int half = (c->steps + 1) / 2;
    return half < KEPT_MOST ? half : KEPT_MOST;
}

size_t ratio_sample_size(const ratio_chains *c) { return (size_t)c->chains * (size_t)kept_per_chain(c); }

void ratio_starts(const ratio_box *box, size_t chains, size_t n, const double *past, rng *stream, double *start) {
    for (size_t c = 0; c < chains; c++) {
        const double *row = past + (size_t)rng_below(stream, n) * box->columns;
        double *x = start + c * box->columns;
        for (size_t j = 0; j < box->columns; j++) {
            double u = rng_uniform(stream); /* drawn for every column: streams stay aligned */
            x[j] = box->low[j] + u * (box->high[j] - box->low[j]);
            if (box->held && box->held[j] && box->low[j] < box->high[j]) x[j] = row[j];
        }
    }
}

/* Fold x back into [low, high] as mirrors at both ends would. */
static double reflect(double x, double low, double high) {
    double width = high - low, t = fmod(x - low, 2 * width);
    if (t < 0) t += 2 * width;
    if (t > width) t = 2 * width - t;
    return fmin(fmax(low + t, low), high);
}

/* One Langevin step in units of the box widths. */
static void move(const ratio_box *box, const double *grad, rng *stream, double *x) {
    double norm2 = 0;
    for (size_t j = 0; j < box->columns; j++) {
        double g = is_free(box, j) ? STEP_SIZE / 2 * grad[j] * (box->high[j] - box->low[j]) : 0;
        norm2 += g * g;
    }
    double norm = sqrt(norm2), cut = norm > DRIFT_LIMIT ? DRIFT_LIMIT / norm : 1;
    if (!isfinite(norm)) cut = 0; /* no usable direction: a random step */
    for (size_t j = 0; j < box->columns; j++) {
        double noise = rng_normal(stream), width = box->high[j] - box->low[j];
        if (!is_free(box, j)) continue;
        double drift = cut > 0 ? cut * STEP_SIZE / 2 * grad[j] * width : 0;
        x[j] = reflect(x[j] + width * (drift + sqrt(STEP_SIZE) * noise), box->low[j], box->high[j]);
    }
}

locbo_status ratio_sample(const ratio_chains *c, const ratio_box *box, const double *start, rng *stream,
                          double *samples, locbo_error *error) {
    size_t columns = box->columns, bytes = columns * sizeof(double);
    double *x = mem_new(2 * columns, sizeof *x), *grad = x ? x + columns : NULL;
    if (!x) return status_no_memory(error);
    int kept = kept_per_chain(c), apart = (c->steps + 1) / 2 / kept;
    locbo_status status = LOCBO_OK;
    for (int chain = 0; chain < c->chains && status == LOCBO_OK; chain++) {
        memcpy(x, start + (size_t)chain * columns, bytes);
        for (int step = 0; step < c->steps && status == LOCBO_OK; step++) {
            double value;
            status = c->density(x, &value, grad, c->user, error);
            if (status != LOCBO_OK) break;
            move(box, grad, stream, x);
            int left = c->steps - 1 - step;
            if (left % apart != 0 || left / apart >= kept) continue; /* burn-in, thinning */
            memcpy(samples, x, bytes);
            samples += columns;
        }
    }
    mem_free(x);
    return status;
}

/* ---- regression ---- */

struct ratio {
    size_t columns, free_count, features;
    size_t *column;        /* free_count: which columns are free */
    double *middle, *half; /* free_count: centre and half width of the box */
    double *beta;          /* features; the first is the intercept */
    double offset;         /* log(n/m) */
    double *row;           /* features, scratch */
};

static size_t feature_count(size_t k) { return 1 + 2 * k + (k <= CROSS_COLUMNS ? k * (k - (k > 0)) / 2 : 0); }

/* Write the features of x, `stride` doubles apart. */
static void features_of(const ratio *r, const double *x, double *out, size_t stride) {
    size_t k = r->free_count;
    *out = 1;
    for (size_t a = 0; a < k; a++) {
        double u = (x[r->column[a]] - r->middle[a]) / r->half[a];
        *(out += stride) = u;
        *(out += stride) = u * u;
        for (size_t b = 0; b < a && k <= CROSS_COLUMNS; b++)
            *(out += stride) = u * (x[r->column[b]] - r->middle[b]) / r->half[b];
    }
}

void ratio_destroy(ratio *r) {
    if (!r) return;
    void *arrays[] = {r->column, r->middle, r->half, r->beta, r->row, r};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
}

static ratio *allocate(const ratio_box *box) {
    ratio *r = mem_new(1, sizeof *r);
    if (!r) return NULL;
    r->columns = box->columns;
    r->column = mem_new(box->columns, sizeof *r->column);
    r->middle = mem_new(box->columns, sizeof *r->middle);
    r->half = mem_new(box->columns, sizeof *r->half);
    for (size_t j = 0; r->column && r->middle && r->half && j < box->columns; j++) {
        if (!is_free(box, j)) continue;
        r->column[r->free_count] = j;
        r->middle[r->free_count] = (box->low[j] + box->high[j]) / 2;
        r->half[r->free_count++] = (box->high[j] - box->low[j]) / 2;
    }
    r->features = feature_count(r->free_count);
    r->beta = mem_new(r->features, sizeof *r->beta);
    r->row = mem_new(r->features, sizeof *r->row);
    if (r->column && r->middle && r->half && r->beta && r->row) return r;
    ratio_destroy(r);
    return NULL;
}

/* The regression's data and scratch: N = m + n rows, the first m labelled 1. */
typedef struct problem {
    size_t N, m, F;
    double *X;            /* N x F, column-major */
    double *scaled;       /* N x F */
    double *eta, *p;      /* N: X beta, probabilities */
    double *H;            /* F x F */
    double *step, *trial; /* F */
} problem;

static void problem_release(problem *q) {
    double *arrays[] = {q->X, q->scaled, q->eta, q->p, q->H, q->step, q->trial};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
}

static int problem_allocate(problem *q, size_t N, size_t m, size_t F) {
    *q = (problem){.N = N, .m = m, .F = F};
    if (N > SIZE_MAX / F) return 0;
    q->X = mem_new(N * F, sizeof(double));
    q->scaled = mem_new(N * F, sizeof(double));
    q->eta = mem_new(N, sizeof(double));
    q->p = mem_new(N, sizeof(double));
    q->H = mem_new(F * F, sizeof(double));
    q->step = mem_new(F, sizeof(double));
    q->trial = mem_new(F, sizeof(double));
    return q->X && q->scaled && q->eta && q->p && q->H && q->step && q->trial;
}

/* Penalised log-likelihood; leaves X beta in eta. The intercept is not penalised. */
static double objective(problem *q, const double *beta) {
    double sum = 0;
    linalg_gemv(q->N, q->F, 1, q->X, q->N, beta, 0, q->eta);
    for (size_t i = 0; i < q->N; i++) {
        double s = i < q->m ? q->eta[i] : -q->eta[i]; /* log of the probability of the right label */
        sum -= s > 0 ? log1p(exp(-s)) : log1p(exp(s)) - s;
    }
    for (size_t f = 1; f < q->F; f++) sum -= RIDGE / 2 * beta[f] * beta[f];
    return sum;
}

/* Newton's direction at beta into q->step; needs q->eta = X beta. Returns the expected gain, 0 if
 * there is none. */
static double newton(problem *q, const double *beta) {
    size_t N = q->N, F = q->F;
    for (size_t i = 0; i < N; i++) {
        double p = 1 / (1 + exp(-q->eta[i])), root = sqrt(p * (1 - p));
        q->p[i] = (i < q->m ? 1 : 0) - p;
        for (size_t f = 0; f < F; f++) q->scaled[f * N + i] = root * q->X[f * N + i];
    }
    linalg_gemv_t(N, F, 1, q->X, N, q->p, 0, q->step);
    linalg_syrk_t(F, N, 1, q->scaled, N, 0, q->H, F);
    for (size_t f = 0; f < F; f++) {
        if (f > 0) q->step[f] -= RIDGE * beta[f];
        q->H[f * F + f] += f > 0 ? RIDGE : 1e-9;
        q->trial[f] = q->step[f];
    }
    if (!linalg_cholesky(F, q->H, F)) return 0;
    linalg_solve_lower(F, q->H, F, q->step);
    linalg_solve_lower_t(F, q->H, F, q->step);
    return linalg_dot(F, q->trial, q->step);
}

/* Newton with step halving: the objective is concave and never falls. */
static locbo_status maximise(problem *q, double *beta, watcher *w, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    double value = objective(q, beta);
    for (int k = 0; k < NEWTON_STEPS && (status = watcher_check(w, error)) == LOCBO_OK; k++) {
        if (!(newton(q, beta) > 1e-10)) break;
        double length = 1, found = -INFINITY;
        for (int h = 0; h < HALVINGS && !(found > value); h++, length /= 2) {
            for (size_t f = 0; f < q->F; f++) q->trial[f] = beta[f] + length * q->step[f];
            found = objective(q, q->trial);
        }
        if (!(found > value)) break;
        value = found;
        memcpy(beta, q->trial, q->F * sizeof *beta);
    }
    return status;
}

locbo_status ratio_fit(ratio **out, const ratio_box *box, size_t m, const double *next, size_t n, const double *past,
                       watcher *w, locbo_error *error) {
    if (m < 1 || n < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a ratio needs points of both p' and p, got %zu and %zu", m, n);
    ratio *r = allocate(box);
    problem q = {0};
    if (!r || !problem_allocate(&q, m + n, m, r->features)) {
        problem_release(&q);
        ratio_destroy(r);
        return status_no_memory(error);
    }
    for (size_t i = 0; i < m; i++) features_of(r, next + i * box->columns, q.X + i, q.N);
    for (size_t i = 0; i < n; i++) features_of(r, past + i * box->columns, q.X + m + i, q.N);
    r->offset = log((double)n / (double)m);
    r->beta[0] = -r->offset; /* w = 1: the two samples are alike */
    locbo_status status = maximise(&q, r->beta, w, error);
    problem_release(&q);
    if (status != LOCBO_OK) {
        ratio_destroy(r);
        return status;
    }
    *out = r;
    return status_ok(error);
}

double ratio_at(const ratio *r, const double *x) {
    features_of(r, x, r->row, 1);
    double log_w = linalg_dot(r->features, r->beta, r->row) + r->offset;
    return exp(fmin(fmax(log_w, -log(RATIO_LIMIT)), log(RATIO_LIMIT)));
}
