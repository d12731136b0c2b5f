/* landmarks.c - which rows become landmarks, and the sums over all others. Layer: core, above gp.
 *
 * With K = L L', V = L^-1 k of all other rows, and W their precisions 1 / D_i,  P = L^-T (V W V') L^-1 + that of the
 * landmarks themselves, and r_i = k(x_i, x_i) - |V_i|^2. Cost: n m^2 for V and as much for V W V'; the choice
 * m^2 for each of a few thousand rows that are looked at. */
#include "landmarks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "covariance.h"
#include "linalg.h"
#include "mem.h"
#include "ranked.h"
#include "replicates.h"

enum {
    SUMS = GP_TERMS + 1, /* terms of the mean, and y */
    BLOCK = 512,         /* rows that are summed up at a time */
    PICKED = 32,         /* landmarks that are chosen at a time, */
    SHORTLIST = 128,     /* out of so many */
    LATEST = 200         /* rows that are always looked at */
};
/* Landmarks that are chosen among the best and the latest rows. */
static const double good_share = 0.5;
/* There, a row of which the others say this much, in units of the noise, needs no landmark. */
static const double known_enough = 0.02;
/* A landmark's own variance, relative to the signal: less would leave nothing but rounding. */
static const double least_own = 1e-6;
static const double first_jitter = 1e-12, last_jitter = 1e-6;

void landmarks_release(landmarks *l) {
    mem_free(l->row);
    double *arrays[] = {l->x, l->y, l->scale, l->extra, l->noise, l->terms};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    *l = (landmarks){0};
}

gp_data landmarks_data(const landmarks *l) { return (gp_data){l->n, l->x, l->y, l->scale, l->extra, NULL}; }

/* ---- the choice -------------------------------------------------------------------------------- */

/* The rows that are looked at, and what the landmarks chosen so far say of them. */
typedef struct pool {
    const covariance *c;
    size_t n, most, chosen; /* most: landmarks that are wanted */
    size_t *row;            /* n: in the data */
    size_t good;            /* the first so many are the best and the latest ones */
    double *x;
    covariance_points points, list;
    double *V;              /* most x n: L^-1 k */
    double *left;           /* n: variance that the landmarks do not explain; -1: chosen */
    size_t *landmark;       /* most: rows in the data */
    double *corner, *added; /* covariances of a shortlist; rows of V that are new */
    double *list_x, *list_V;
} pool;

/* Rows with the best outputs, the latest ones, and some evenly from all, each once, but for those apart. Returns 0
 * without memory. */
static int fill_pool(pool *p, const gp_data *rows, const unsigned char *apart) {
    size_t good = 2 * p->most, every = 3 * p->most, n = rows->n;
    ranked *order = mem_new(n, sizeof *order);
    unsigned char *taken = mem_new(n, 1);
    p->row = mem_new(good + LATEST + every, sizeof *p->row);
    int done = order && taken && p->row;
    for (size_t i = 0; done && i < n; i++) order[i] = (ranked){rows->y[i], i};
    if (done) ranked_sort(n, order);
    if (done) memcpy(taken, apart, n);
    for (size_t i = 0; done && i < good && i < n / 4; i++)
        if (!taken[order[i].row]) taken[p->row[p->n++] = order[i].row] = 1;
    for (size_t i = n > LATEST ? n - LATEST : 0; done && i < n; i++)
        if (!taken[i]) taken[p->row[p->n++] = i] = 1;
    p->good = p->n;
    for (size_t i = 0; done && i < every; i++) {
        size_t row = n <= every ? i : i * (n / every) + i * (n % every) / every;
        if (row < n && !taken[row]) taken[p->row[p->n++] = row] = 1;
    }
    mem_free(order);
    mem_free(taken);
    return done;
}

static int pool_make(pool *p, const covariance *c, const gp_data *rows, const unsigned char *apart, size_t most) {
    size_t columns = c->spec->columns;
    *p = (pool){.c = c, .most = most};
    if (!fill_pool(p, rows, apart)) return 0;
    p->x = mem_new(p->n * columns, sizeof *p->x);
    p->V = mem_new(most * p->n, sizeof *p->V);
    p->left = mem_new(p->n, sizeof *p->left);
    p->landmark = mem_new(most, sizeof *p->landmark);
    p->corner = mem_new(SHORTLIST * SHORTLIST, sizeof *p->corner);
    p->added = mem_new(PICKED * p->n, sizeof *p->added);
    p->list_x = mem_new(SHORTLIST * columns, sizeof *p->list_x);
    p->list_V = mem_new(SHORTLIST * most, sizeof *p->list_V);
    if (!p->x || !p->V || !p->left || !p->landmark || !p->corner || !p->added || !p->list_x || !p->list_V) return 0;
    for (size_t i = 0; i < p->n; i++) memcpy(p->x + i * columns, rows->x + p->row[i] * columns, columns * sizeof *p->x);
    if (!covariance_place(c, p->n, p->x, &p->points)) return 0;
    for (size_t i = 0; i < p->n; i++) p->left[i] = covariance_own(c, &p->points, i);
    return 1;
}

static void pool_release(pool *p) {
    double *arrays[] = {p->x, p->V, p->left, p->corner, p->added, p->list_x, p->list_V};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    mem_free(p->row);
    mem_free(p->landmark);
    covariance_points_release(&p->points);
    covariance_points_release(&p->list);
}

/* The rows of the first `among` that are least known; returns how many, at most SHORTLIST. */
static size_t make_shortlist(const pool *p, size_t among, ranked *all, size_t *list) {
    size_t n = 0;
    for (size_t i = 0; i < among; i++)
        if (p->left[i] > 0) all[n++] = (ranked){p->left[i], i};
    ranked_sort(n, all);
    size_t count = n < SHORTLIST ? n : SHORTLIST;
    for (size_t i = 0; i < count; i++) list[i] = all[i].row;
    return count;
}

/* Covariances of the shortlist given the landmarks, in p->corner. */
static int list_covariance(pool *p, size_t n, const size_t *list) {
    size_t columns = p->c->spec->columns;
    for (size_t i = 0; i < n; i++) {
        memcpy(p->list_x + i * columns, p->x + list[i] * columns, columns * sizeof *p->x);
        memcpy(p->list_V + i * p->most, p->V + list[i] * p->most, p->chosen * sizeof *p->V);
    }
    if (!covariance_place(p->c, n, p->list_x, &p->list)) return 0;
    covariance_gram(p->c, &p->list, p->corner, SHORTLIST);
    linalg_syrk_t(n, p->chosen, -1, p->list_V, p->most, 1, p->corner, SHORTLIST);
    for (size_t j = 0; j < n; j++)
        for (size_t i = j + 1; i < n; i++) p->corner[j + i * SHORTLIST] = p->corner[i + j * SHORTLIST];
    return 1;
}

/* The rows of the shortlist that are chosen: one after the other where most is left, down to `least`, and not below
 * what was left of the last of the list, since rows that are not on it may have as much. */
static size_t pick(const double *corner, size_t n, size_t most, double least, size_t *picked) {
    double factor[PICKED][SHORTLIST], left[SHORTLIST];
    size_t count = 0;
    for (size_t i = 0; i < n; i++) left[i] = corner[i + i * SHORTLIST];
    double last = n == SHORTLIST ? left[n - 1] / 2 : 0;
    for (; count < most && count < PICKED; count++) {
        size_t best = 0;
        for (size_t i = 1; i < n; i++)
            if (left[i] > left[best]) best = i;
        if (!(left[best] > least) || (count > 0 && left[best] < last)) break;
        double pivot = sqrt(left[best]);
        for (size_t i = 0; i < n; i++) {
            double sum = corner[i + best * SHORTLIST];
            for (size_t k = 0; k < count; k++) sum -= factor[k][i] * factor[k][best];
            factor[count][i] = sum / pivot;
            left[i] -= factor[count][i] * factor[count][i];
        }
        left[best] = -1;
        picked[count] = best;
    }
    return count;
}

/* Make `count` rows of the shortlist landmarks. Returns 0 without memory, or if rounding leaves no factor. */
static int add_landmarks(pool *p, size_t count, const size_t *picked, const size_t *list) {
    size_t columns = p->c->spec->columns, k = p->chosen;
    double own[PICKED * PICKED];
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j <= i; j++) own[i + j * count] = p->corner[picked[i] + picked[j] * SHORTLIST];
        memmove(p->list_x + i * columns, p->x + list[picked[i]] * columns, columns * sizeof *p->x);
        memmove(p->list_V + i * p->most, p->V + list[picked[i]] * p->most, k * sizeof *p->V);
    }
    if (!linalg_cholesky(count, own, count) || !covariance_place(p->c, count, p->list_x, &p->list)) return 0;
    covariance_cross(p->c, &p->list, &p->points, p->added, count);
    linalg_gemm_tn(count, p->n, k, -1, p->list_V, p->most, p->V, p->most, 1, p->added, count);
    linalg_solve_lower_many(count, p->n, own, count, p->added, count);
    for (size_t i = 0; i < p->n; i++) {
        const double *from = p->added + i * count;
        memcpy(p->V + i * p->most + k, from, count * sizeof *from);
        if (p->left[i] > 0) p->left[i] = fmax(p->left[i] - linalg_dot(count, from, from), 0);
    }
    for (size_t i = 0; i < count; i++) {
        p->landmark[k + i] = p->row[list[picked[i]]];
        p->left[list[picked[i]]] = -1;
    }
    p->chosen += count;
    return 1;
}

/* Landmarks among the first `among` rows of the pool, up to `most` in all, each of a variance above `least`. */
static locbo_status choose_among(pool *p, size_t among, size_t most, double least, watcher *w, locbo_error *error) {
    ranked *all = mem_new(p->n, sizeof *all);
    size_t list[SHORTLIST], picked[PICKED];
    locbo_status status = all ? LOCBO_OK : status_no_memory(error);
    while (status == LOCBO_OK && p->chosen < most) {
        size_t n = make_shortlist(p, among, all, list);
        if (n == 0 || !(p->left[list[0]] > least)) break;
        if (!list_covariance(p, n, list)) status = status_no_memory(error);
        size_t count = status == LOCBO_OK ? pick(p->corner, n, most - p->chosen, least, picked) : 0;
        if (count == 0 || !add_landmarks(p, count, picked, list)) break;
        status = watcher_check(w, error);
    }
    mem_free(all);
    return status;
}

static int ascending(const void *a, const void *b) {
    size_t p = *(const size_t *)a, q = *(const size_t *)b;
    return p < q ? -1 : p > q;
}

/* The landmarks' numbers among the rows, in l->row. */
static locbo_status choose(landmarks *l, const covariance *c, const gp_data *rows, const unsigned char *apart,
                           size_t most, double noise_var, watcher *w, locbo_error *error) {
    pool p;
    locbo_status status = pool_make(&p, c, rows, apart, most) ? LOCBO_OK : status_no_memory(error);
    double least = least_own * c->signal_var, known = fmax(known_enough * noise_var, least);
    size_t best = p.good < most / 5 ? p.good : most / 5; /* they come first */
    if (status == LOCBO_OK) status = choose_among(&p, best, most, known, w, error);
    if (status == LOCBO_OK) status = choose_among(&p, p.good, (size_t)(good_share * (double)most), known, w, error);
    if (status == LOCBO_OK) status = choose_among(&p, p.n, most, least, w, error);
    for (size_t i = 0; status == LOCBO_OK && i < p.chosen; i++) l->row[i] = p.landmark[i];
    l->n = p.chosen;
    if (status == LOCBO_OK) qsort(l->row, l->n, sizeof *l->row, ascending);
    pool_release(&p);
    return status;
}

/* ---- the sums ---------------------------------------------------------------------------------- */

typedef struct sums {
    const covariance *c;
    const unsigned char *apart; /* flags of rows that are not summed up */
    covariance_points at, block;
    double *L;       /* m x m */
    double *inverse; /* L^-1: the condition of L is below 1e4, and products are faster than solutions */
    double *M;       /* m x m: V W V', then P, then its inverse */
    double *G;       /* m x SUMS: V W [H y], then P^-1 of that */
    double *V, *x, *T;
    double all[SUMS * SUMS]; /* [H y]' W [H y] */
} sums;

static int sums_make(sums *s, const covariance *c, const unsigned char *apart, size_t m) {
    *s = (sums){.c = c, .apart = apart};
    s->L = mem_new(m * m, sizeof *s->L);
    s->inverse = mem_new(m * m, sizeof *s->inverse);
    s->M = mem_new(m * m, sizeof *s->M);
    s->G = mem_new(m * SUMS, sizeof *s->G);
    s->V = mem_new(m * BLOCK, sizeof *s->V);
    s->x = mem_new(BLOCK * c->spec->columns, sizeof *s->x);
    s->T = mem_new(BLOCK * SUMS, sizeof *s->T);
    return s->L && s->inverse && s->M && s->G && s->V && s->x && s->T;
}

static void sums_release(sums *s) {
    double *arrays[] = {s->L, s->inverse, s->M, s->G, s->V, s->x, s->T};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    covariance_points_release(&s->at);
    covariance_points_release(&s->block);
}

static int factor_landmarks(sums *s, const landmarks *l) {
    size_t m = l->n;
    for (double jitter = 0; jitter<2 * last_jitter; jitter = jitter> 0 ? 10 * jitter : first_jitter) {
        covariance_gram(s->c, &s->at, s->L, m);
        for (size_t i = 0; i < m; i++) s->L[i + i * m] += jitter * s->c->signal_var;
        if (!linalg_cholesky(m, s->L, m)) continue;
        memcpy(s->inverse, s->L, m * m * sizeof *s->L);
        linalg_invert_lower(m, s->inverse, m);
        return 1;
    }
    return 0;
}

/* The terms of the mean, and y, of a row. */
static void terms_of(const covariance *c, const double *x, double y, double t[SUMS]) {
    t[0] = 1;
    for (size_t k = 1; k < GP_TERMS; k++) t[k] = 0;
    if (c->spec->trend) gp_trend_at(x[c->spec->trend - 1], t + 1);
    t[GP_TERMS] = y;
}

static void add_products(sums *s, const double t[SUMS], double precision) {
    for (size_t a = 0; a < SUMS; a++)
        for (size_t b = 0; b < SUMS; b++) s->all[a + b * SUMS] += precision * t[a] * t[b];
}

/* Add up `count` rows that are no landmarks: their inputs are in s->x, their noise and outputs those of rows[i]. */
static int add_block(sums *s, size_t m, const gp_data *rows, const double *D, size_t count, const size_t *who) {
    if (!covariance_place(s->c, count, s->x, &s->block)) return 0;
    covariance_cross(s->c, &s->at, &s->block, s->V, m);
    linalg_mul_lower_many(m, count, s->inverse, m, s->V, m);
    for (size_t j = 0; j < count; j++) {
        double *v = s->V + j * m, t[SUMS];
        double rest = fmax(covariance_own(s->c, &s->block, j) - linalg_dot(m, v, v), 0);
        double precision = 1 / (D[who[j]] + rest), root = sqrt(precision);
        terms_of(s->c, s->x + j * s->c->spec->columns, rows->y[who[j]], t);
        add_products(s, t, precision);
        for (size_t i = 0; i < m; i++) v[i] *= root;
        for (size_t a = 0; a < SUMS; a++) s->T[j + a * BLOCK] = root * t[a];
    }
    linalg_syrk(m, count, 1, s->V, m, 1, s->M, m);
    for (size_t a = 0; a < SUMS; a++) linalg_gemv(m, count, 1, s->V, m, s->T + a * BLOCK, 1, s->G + a * m);
    return 1;
}

/* All rows that are no landmarks. */
static locbo_status add_others(sums *s, const landmarks *l, const gp_data *rows, const double *D, watcher *w,
                               locbo_error *error) {
    size_t columns = s->c->spec->columns, who[BLOCK], count = 0, next = 0;
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < rows->n && status == LOCBO_OK; i++) {
        if (next < l->n && l->row[next] == i) {
            next++;
        } else if (!s->apart[i]) {
            memcpy(s->x + count * columns, rows->x + i * columns, columns * sizeof *s->x);
            who[count++] = i;
        }
        if (count < BLOCK && i + 1 < rows->n) continue;
        if (!add_block(s, l->n, rows, D, count, who)) return status_no_memory(error);
        count = 0;
        status = watcher_check(w, error);
    }
    return status;
}

/* P and its right sides: what the others say, in terms of u, and the landmarks' own measurements. */
static void add_landmarks_own(sums *s, const landmarks *l, const gp_data *rows, const double *D) {
    size_t m = l->n;
    linalg_between_inverses(m, s->L, m, s->M, m);
    for (size_t a = 0; a < SUMS; a++) linalg_solve_lower_t(m, s->L, m, s->G + a * m);
    for (size_t i = 0; i < m; i++) {
        double t[SUMS], precision = 1 / D[l->row[i]];
        terms_of(s->c, rows->x + l->row[i] * s->c->spec->columns, rows->y[l->row[i]], t);
        add_products(s, t, precision);
        s->M[i + i * m] += precision;
        for (size_t a = 0; a < SUMS; a++) s->G[i + a * m] += precision * t[a];
    }
}

/* From P and its right sides to the summary. */
static int solve(sums *s, landmarks *l) {
    size_t m = l->n;
    double right[SUMS * SUMS];
    if (!linalg_cholesky(m, s->M, m)) return 0;
    for (size_t a = 0; a < SUMS; a++) linalg_solve_lower(m, s->M, m, s->G + a * m);
    for (size_t a = 0; a < SUMS; a++)
        for (size_t b = 0; b < SUMS; b++) right[a + b * SUMS] = linalg_dot(m, s->G + a * m, s->G + b * m);
    for (size_t a = 0; a < GP_TERMS; a++)
        for (size_t b = 0; b < SUMS; b++)
            l->summary.within[a + b * GP_TERMS] = s->all[a + b * SUMS] - right[a + b * SUMS];
    for (size_t a = 0; a < SUMS; a++) linalg_solve_lower_t(m, s->M, m, s->G + a * m);
    linalg_cholesky_inverse(m, s->M, m);
    memcpy(l->noise, s->M, m * m * sizeof *l->noise);
    memcpy(l->terms, s->G, m * GP_TERMS * sizeof *l->terms);
    memcpy(l->y, s->G + GP_TERMS * m, m * sizeof *l->y);
    return 1;
}

static locbo_status sum_up(landmarks *l, const covariance *c, const gp_data *rows, const unsigned char *apart,
                           const double *D, watcher *w, locbo_error *error) {
    sums s;
    int made = sums_make(&s, c, apart, l->n);
    made = made && covariance_place(c, l->n, l->x, &s.at);
    locbo_status status = made ? LOCBO_OK : status_no_memory(error);
    int solved = made && factor_landmarks(&s, l);
    if (solved) status = add_others(&s, l, rows, D, w, error);
    if (solved && status == LOCBO_OK) {
        add_landmarks_own(&s, l, rows, D);
        solved = solve(&s, l);
    }
    if (status == LOCBO_OK && !solved)
        status = status_fail(error, LOCBO_ERR_NUMERIC, "%zu rows cannot be summed up at %zu of them", rows->n, l->n);
    sums_release(&s);
    return status;
}

/* ---- both -------------------------------------------------------------------------------------- */

static int reserve(landmarks *l, size_t most, size_t apart, size_t columns) {
    size_t rows = most + apart;
    l->row = mem_new(rows, sizeof *l->row);
    l->x = mem_new(rows * columns, sizeof *l->x);
    l->y = mem_new(rows, sizeof *l->y);
    l->scale = mem_new(rows, sizeof *l->scale);
    l->extra = mem_new(rows, sizeof *l->extra);
    l->noise = mem_new(most * most, sizeof *l->noise);
    l->terms = mem_new(most * GP_TERMS, sizeof *l->terms);
    return l->row && l->x && l->y && l->scale && l->extra && l->noise && l->terms;
}

/* Flags of the points that are kept apart; returns their number. */
static size_t flag_apart(const gp_data *data, const landmarks_plan *plan, unsigned char *apart) {
    size_t count = 0;
    for (size_t i = 0; i < plan->apart; i++) {
        size_t point = data->point ? data->point[plan->row[i]] : plan->row[i];
        count += !apart[point];
        apart[point] = 1;
    }
    return count;
}

/* All points but those apart are landmarks. */
static void take_all(landmarks *l, size_t points, const unsigned char *apart) {
    for (size_t i = 0; i < points; i++)
        if (!apart[i]) l->row[l->n++] = i;
}

/* The points apart behind the landmarks, and what was measured at each of both. */
static void fill_rows(landmarks *l, const gp_data *rows, const unsigned char *apart, size_t columns) {
    for (size_t i = 0; i < rows->n; i++)
        if (apart[i]) l->row[l->n + l->apart++] = i;
    for (size_t i = 0; i < l->n + l->apart; i++) {
        memcpy(l->x + i * columns, rows->x + l->row[i] * columns, columns * sizeof *l->x);
        l->y[i] = rows->y[l->row[i]];
        l->scale[i] = rows->scale[l->row[i]];
        l->extra[i] = rows->extra[l->row[i]];
    }
}

/* The n ascending numbers of points in `row`: make them the first measurements there. */
static void name_measurements(size_t n, size_t *row, const gp_data *data) {
    size_t next = 0, point = 0; /* points are numbered as they appear */
    for (size_t i = 0; data->point && i < data->n && next < n; i++) {
        if (data->point[i] != point) continue;
        if (row[next] == point) row[next++] = i;
        point++;
    }
}

locbo_status landmarks_make(landmarks *out, const gp_spec *spec, const double *theta, const gp_data *data,
                            const landmarks_plan *plan, watcher *w, locbo_error *error) {
    const double jitter = 1e-10; /* relative to the signal: with no noise at all P would be infinite */
    double noise_var = exp(theta[gp_thetas(spec) - 1]), *D = NULL;
    unsigned char *apart = NULL;
    covariance c = {0};
    replicates r = {0};
    locbo_status status = LOCBO_OK;
    *out = (landmarks){0};
    int made = replicates_build(&r, data, spec->columns) && covariance_init(&c, spec, theta) &&
               (D = mem_new(r.rows, sizeof *D)) != NULL && (apart = mem_new(r.rows, 1)) != NULL;
    size_t others = made ? r.rows - flag_apart(data, plan, apart) : 0;
    if (!made || !reserve(out, others < plan->most ? others : plan->most, r.rows - others, spec->columns)) {
        status = status_no_memory(error);
        goto done;
    }
    gp_data rows = replicates_at(&r, noise_var);
    for (size_t i = 0; i < rows.n; i++) D[i] = noise_var * rows.scale[i] + rows.extra[i] + jitter * c.signal_var;
    if (others <= plan->most)
        take_all(out, rows.n, apart);
    else
        status = choose(out, &c, &rows, apart, plan->most, noise_var, w, error);
    if (status == LOCBO_OK) fill_rows(out, &rows, apart, spec->columns);
    if (status == LOCBO_OK) status = sum_up(out, &c, &rows, apart, D, w, error);
    if (status != LOCBO_OK) goto done;
    out->summary.noise = out->noise;
    out->summary.terms = out->terms;
    name_measurements(out->n, out->row, data);
    name_measurements(out->apart, out->row + out->n, data);
done:
    mem_free(D);
    mem_free(apart);
    covariance_release(&c);
    replicates_release(&r);
    return status;
}
