/* wcp.c - the weighted full conformal set by a sweep over breakpoints (eq:WCP_set), no grid over y.
 *
 * A = K + S = L L^T, S the noise of the rows; e = S A^{-1} (y - mean), u = A^{-1} k, sy^2 = v + s2.
 *   row i given the data:        y_i - m_i = e_i,           v_i = S_i - S_i^2 (A^{-1})_ii
 *   its covariance with f(x):    c_i = S_i u_i,             b_i = c_i / sy
 *   row i given (x, y') too:     y_i - m_i' = e_i - b_i z,  V_i = v_i - b_i^2 + S_i
 *   the new pair:                (y' - m')^2 / V_0 = rho z^2,
 *                                rho = s2/(2v + s2),        V_0 = s2 (2v + s2)/(v + s2)
 * so "row i scores no more than the new pair" is the quadratic inequality
 *   (b_i^2/V_i - rho) z^2 - 2 (e_i b_i/V_i) z + e_i^2/V_i + log(V_i/V_0) >= 0
 * with at most two roots. (Several measurements of a point may be one row p of A: f is the same, so v_i and c_i are the
 * row's, from its S_p and u_p; e_i and S_i are the measurement's own.) Sorting the 2n roots and adding up weights gives
 * the set as a union of intervals. The (n+1) x (n+1) inverse is never formed. The constant mean is held fixed like the
 * hyper-parameters: with an estimated one, rows and new point are exchangeable only approximately.
 *
 * Layer: core, above gp. Cost: bind O(n^3) once per model, one point O(n^2). */
#include "wcp.h"

#include <math.h>

#include "linalg.h"
#include "mem.h"

/* At z a row starts (weight > 0) or stops (weight < 0) to count. */
typedef struct event {
    double z, weight;
} event;

struct wcp {
    const gp *model;
    size_t n, rows;   /* measurements, and rows of the model */
    double *weight;   /* n */
    double *residual; /* n: e */
    double *variance; /* n: v_i + S_i */
    double *noise;    /* n: S */
    size_t *row;      /* n: of the model */
    double weight_sum;
    double *u;              /* rows, scratch */
    event *events;          /* 2n, scratch */
    wcp_interval *interval; /* 2n + 1, scratch */
};

locbo_status wcp_create(wcp **out, locbo_error *error) {
    wcp *w = mem_new(1, sizeof *w);
    if (!w) return status_no_memory(error);
    *out = w;
    return status_ok(error);
}

void wcp_release(wcp *w) {
    void *arrays[] = {w->weight, w->residual, w->variance, w->noise, w->row, w->u, w->events, w->interval};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    *w = (wcp){0};
}

void wcp_destroy(wcp *w) {
    if (!w) return;
    wcp_release(w);
    mem_free(w);
}

const gp *wcp_model(const wcp *w) { return w->model; }

static int allocate(wcp *w, size_t n, size_t rows) {
    *w = (wcp){.n = n, .rows = rows};
    w->weight = mem_new(n, sizeof *w->weight);
    w->residual = mem_new(n, sizeof *w->residual);
    w->variance = mem_new(n, sizeof *w->variance);
    w->noise = mem_new(n, sizeof *w->noise);
    w->row = mem_new(n, sizeof *w->row);
    w->u = mem_new(rows, sizeof *w->u);
    w->events = mem_new(2 * n, sizeof *w->events);
    w->interval = mem_new(2 * n + 1, sizeof *w->interval);
    return w->weight && w->residual && w->variance && w->noise && w->row && w->u && w->events && w->interval;
}

/* The part of the posterior that does not depend on the new point. f is the same for all measurements of a row: their
 * residuals are that of the row, y_p - m_p, and what they differ by. `diagonal` and `inverse`: scratch, rows and
 * rows x rows. */
static void condition(wcp *w, const gp *model, double *diagonal, double *inverse) {
    const double *y = gp_outputs(model);
    gp_weights(model, w->u);
    gp_inverse_diagonal(model, inverse, diagonal);
    for (size_t i = 0; i < w->n; i++) {
        gp_measurement m = gp_measurement_at(model, i);
        double S = gp_row_noise(model, m.row), v = S * (1 - S * diagonal[m.row]);
        w->row[i] = m.row;
        w->noise[i] = m.noise;
        w->residual[i] = m.y - y[m.row] + w->u[m.row] * S;
        w->variance[i] = (v > 0 ? v : 0) + m.noise;
    }
}

locbo_status wcp_bind(wcp *w, const gp *model, locbo_error *error) {
    size_t n = gp_measurements(model), rows = gp_rows(model);
    wcp fresh;
    double *scratch = rows > 0 && rows + 1 > SIZE_MAX / rows ? NULL : mem_new((rows + 1) * rows, sizeof *scratch);
    if (!allocate(&fresh, n, rows) || !scratch) {
        mem_free(scratch);
        wcp_release(&fresh);
        return status_no_memory(error);
    }
    if (n > 0) condition(&fresh, model, scratch, scratch + rows);
    mem_free(scratch);
    locbo_status status = watcher_check(gp_watcher(model), error);
    if (status != LOCBO_OK) {
        wcp_release(&fresh);
        return status;
    }
    for (size_t i = 0; i < n; i++) fresh.weight[i] = 1;
    fresh.weight_sum = (double)n;
    fresh.model = model;
    wcp_release(w);
    *w = fresh;
    return status_ok(error);
}

void wcp_weigh(wcp *w, const double *weights) {
    w->weight_sum = 0;
    for (size_t i = 0; i < w->n; i++) w->weight_sum += w->weight[i] = weights[i];
}

/* Does a come after b? At equal z starts come first, so that sets are closed. */
static int later(const event *a, const event *b) { return a->z != b->z ? a->z > b->z : a->weight < b->weight; }

/* Heap sort: in place, O(n log n), and unlike qsort it cannot allocate. */
static void sift(event *e, size_t root, size_t n) {
    event moved = e[root];
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && later(&e[child + 1], &e[child])) child++;
        if (!later(&e[child], &moved)) break;
        e[root] = e[child];
    }
    e[root] = moved;
}

static void sort_events(event *e, size_t n) {
    for (size_t i = n / 2; i-- > 0;) sift(e, i, n);
    for (size_t i = n; i-- > 1;) {
        event last = e[i];
        e[i] = e[0];
        e[0] = last;
        sift(e, 0, i);
    }
}

/* Where a z^2 - 2 b z + c >= 0: the roots, ascending, and whether it holds far out on the left.
 * Returns the number of roots where the sign changes, 0 or 2, or 1 for a straight line. */
static int solve(double a, double b, double c, double *z, int *at_minus_infinity) {
    if (a == 0) {
        *at_minus_infinity = b > 0 || (b == 0 && c >= 0);
        if (b == 0) return 0;
        z[0] = c / (2 * b);
        return 1;
    }
    double discriminant = b * b - a * c;
    *at_minus_infinity = a > 0;
    if (a > 0 ? discriminant <= 0 : discriminant < 0) return 0;
    double q = b + (b >= 0 ? 1 : -1) * sqrt(discriminant); /* no cancellation */
    double first = q / a, second = q != 0 ? c / q : 0;
    z[0] = first < second ? first : second;
    z[1] = first < second ? second : first;
    return 2;
}

/* Fill the events; returns how many, and the weight that counts at z = -inf. */
static size_t collect(const wcp *w, const wcp_point *p, double *left_weight) {
    size_t count = 0, stride;
    const double *L = gp_factor_matrix(w->model, &stride);
    double v = p->v > 0 ? p->v : 0, sy2 = v + p->s2;
    double rho = p->s2 / (2 * v + p->s2), log_V0 = log(p->s2) + log1p(v / sy2);
    for (size_t r = 0; r < w->rows; r++) w->u[r] = p->w[r];
    linalg_solve_lower_t(w->rows, L, stride, w->u);
    for (size_t r = 0; r < w->rows; r++) w->u[r] *= gp_row_noise(w->model, r);
    for (size_t i = 0; i < w->n; i++) {
        double S = w->noise[i], e = w->residual[i], b = w->u[w->row[i]] / sqrt(sy2), z[2];
        double V = w->variance[i] - b * b;
        if (!(V > S)) V = S; /* rounding: v_i - b_i^2 is a variance */
        int inside, roots = solve(b * b / V - rho, e * b / V, e * e / V + log(V) - log_V0, z, &inside);
        if (inside) *left_weight += w->weight[i];
        for (int k = 0; k < roots; k++) {
            w->events[count++] = (event){z[k], inside ? -w->weight[i] : w->weight[i]};
            inside = !inside;
        }
    }
    return count;
}

void wcp_set_at(const wcp *w, const wcp_point *p, double alpha, wcp_set *set) {
    double needed = alpha * (w->weight_sum + p->weight), sum = p->weight;
    *set = (wcp_set){.intervals = w->interval};
    if (p->weight > needed || w->n == 0 || !(p->s2 > 0)) {
        /* without noise every pair is interpolated and all scores are equal */
        set->everything = 1;
        set->count = 1;
        w->interval[0] = (wcp_interval){-INFINITY, INFINITY};
        return;
    }
    size_t events = collect(w, p, &sum);
    sort_events(w->events, events);
    int inside = sum > needed;
    double low = -INFINITY;
    for (size_t k = 0; k < events; k++) {
        sum += w->events[k].weight;
        if (inside == (sum > needed)) continue;
        if (inside) w->interval[set->count++] = (wcp_interval){low, w->events[k].z};
        low = w->events[k].z;
        inside = !inside;
    }
    if (inside) w->interval[set->count++] = (wcp_interval){low, INFINITY};
}
