/* feasible.c - probability of success by a second Gaussian process, on labels +1 (a value was measured) and -1 (none
 * was): p(x) = Phi(2 m(x)), m the expected label. A failed trial, whose cause may be chance, has a noisier label than
 * an infeasible one. The length scales are fitted, so a category that always fails is found. Labels close to x are
 * added to m with their own weight: otherwise a few failures among many successes would count as noise, and the same
 * points would be tried again and again.
 *
 * The score gets log p where m >= 1/2 (one failure in four), and a steep slope below. log p alone is not enough: where
 * the feasible region is almost exhausted, log EI there is lower by dozens than in the infeasible region, which would
 * be tried again and again. Far from all labels m is their mean: so the more often evaluations fail, the closer
 * proposals stay to points that succeeded.
 * Layer: core, above gp. Cost: that of a second model, only while there are failures. */
#include "feasible.h"

#include <math.h>
#include <string.h>

#include "excerpt.h"
#include "mem.h"
#include "normal.h"

static const double WANTED = 0.5;       /* expected label a proposal should have */
static const double STEEP = 1000;       /* slope of the weight below it */
static const double FAILED_EXTRA = 0.1; /* extra noise of a failed trial's label */
static const double LABEL_NOISE_FLOOR = 1e-3;
static const double NEAR = 0.05; /* the distance over which a label counts by itself, apart from the model */

struct feasible {
    gp *model;
    gpfit_work *fit;
    gpfit_config config;
    gp_work work;
    double *x, *y, *scale, *extra; /* the labels */
    size_t *point;                 /* the row of each: labels of a point that worked are one row */
    size_t capacity;
    double *dm, *dv; /* gradients, columns each */
    double *mean, *var;
    size_t batch;
    int ready;
};

locbo_status feasible_create(feasible **out, const gp_spec *spec, size_t dim, locbo_error *error) {
    gp_spec labels = *spec;
    labels.estimate_mean = 1;
    gpfit_settings settings = {.surrogate = LOCBO_SURROGATE_MAP,
                               .length_scale = (double)NAN,
                               .noise_var = (double)NAN,
                               .noise_floor = LABEL_NOISE_FLOOR,
                               .input_span = 1};
    feasible *f = mem_new(1, sizeof *f);
    if (!f) return status_no_memory(error);
    locbo_status status = gp_create(&f->model, &labels, error);
    if (status == LOCBO_OK) status = gpfit_work_create(&f->fit, &labels, error);
    if (status == LOCBO_OK) status = gpfit_config_init(&f->config, &labels, dim, &settings, error);
    f->dm = mem_new(spec->columns, sizeof *f->dm);
    f->dv = mem_new(spec->columns, sizeof *f->dv);
    if (status == LOCBO_OK && !(f->dm && f->dv)) status = status_no_memory(error);
    if (status != LOCBO_OK) {
        feasible_destroy(f);
        return status;
    }
    *out = f;
    return LOCBO_OK;
}

void feasible_destroy(feasible *f) {
    if (!f) return;
    gp_destroy(f->model);
    gpfit_work_destroy(f->fit);
    gpfit_config_release(&f->config);
    gp_work_release(&f->work);
    void *arrays[] = {f->x, f->y, f->scale, f->extra, f->point, f->dm, f->dv, f->mean, f->var};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    mem_free(f);
}

void feasible_watch(feasible *f, watcher *w) {
    gp_watch(f->model, w);
    f->config.watcher = w;
}

void feasible_clear(feasible *f) { f->ready = 0; }
int feasible_is_trivial(const feasible *f) { return !f->ready; }

/* What a fit is given: n points that worked, m that did not. */
typedef struct labels {
    size_t n, m, columns;
    const double *worked, *not_worked;
    const size_t *point;
    const int *sure;
    size_t *row; /* scratch: 1 + the row of each point that has one */
} labels;

static void add_label(feasible *f, const labels *l, size_t i, size_t *count, size_t *rows) {
    int worked = i < l->n;
    const double *x = worked ? l->worked + i * l->columns : l->not_worked + (i - l->n) * l->columns;
    size_t at = (*count)++, *row = worked && l->point ? &l->row[l->point[i]] : NULL;
    memcpy(f->x + at * l->columns, x, l->columns * sizeof *x);
    f->y[at] = worked ? 1 : -1;
    f->scale[at] = 1;
    f->extra[at] = worked || l->sure[i - l->n] ? 0 : FAILED_EXTRA;
    f->point[at] = row && *row ? *row - 1 : (*rows)++;
    if (row) *row = f->point[at] + 1;
}

static size_t nearest_worked(const labels *l, const double *x) {
    double least = INFINITY;
    size_t found = 0;
    for (size_t i = 0; i < l->n; i++) {
        double r2 = 0;
        for (size_t c = 0; c < l->columns; c++) {
            double d = x[c] - l->worked[i * l->columns + c];
            r2 += d * d;
        }
        if (r2 < least) least = r2, found = i;
    }
    return found;
}

/* Flags of those that the fit sees, of n + m. */
static void choose_labels(const labels *l, size_t most, unsigned char *seen) {
    size_t total = l->n + l->m, failures = l->m < most / 2 ? l->m : most / 2, count = 0;
    if (most == 0 || total <= most) {
        memset(seen, 1, total);
        return;
    }
    memset(seen + total - failures, 1, failures);
    for (size_t i = l->m - failures; l->n > 0 && i < l->m; i++)
        seen[nearest_worked(l, l->not_worked + i * l->columns)] = 1;
    for (size_t i = 0; i < total; i++) count += seen[i];
    excerpt_flag_evenly(seen, l->n, most - count);
}

locbo_status feasible_fit(feasible *f, size_t most, size_t n, const double *worked, const size_t *point, size_t m,
                          const double *not_worked, const int *sure, rng r, locbo_error *error) {
    size_t columns = gp_get_spec(f->model)->columns, real = sizeof(double), rows = 0, count = 0;
    mem_array arrays[] = {
        {&f->x, columns * real}, {&f->y, real}, {&f->scale, real}, {&f->extra, real}, {&f->point, sizeof *f->point}};
    labels l = {n, m, columns, worked, not_worked, point, sure, mem_new(n, sizeof *l.row)};
    unsigned char *seen = mem_new(n + m, 1);
    double value, *theta = mem_new(f->config.count, sizeof *theta);
    f->ready = 0;
    locbo_status status = l.row && seen && theta ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK) choose_labels(&l, most, seen);
    if (status == LOCBO_OK && !mem_reserve_all(5, arrays, &f->capacity, most && most < n + m ? most : n + m))
        status = status_no_memory(error);
    for (size_t i = 0; i < n + m && status == LOCBO_OK; i++)
        if (seen[i]) add_label(f, &l, i, &count, &rows);
    gp_data data = {count, f->x, f->y, f->scale, f->extra, f->point};
    if (status == LOCBO_OK) status = gpfit_run(f->fit, &f->config, &data, NULL, &r, theta, &value, error);
    if (status == LOCBO_OK) status = gp_factor(f->model, theta, &data, error);
    mem_free(l.row);
    mem_free(seen);
    mem_free(theta);
    f->ready = status == LOCBO_OK;
    return status;
}

/* The weight at x of the labels of row i, at the point `at`. */
static double nearness(const feasible *f, const double *x, size_t i, const double *at) {
    double r2 = 0;
    for (size_t c = 0; c < gp_get_spec(f->model)->columns; c++) {
        double d = x[c] - at[c];
        r2 += d * d;
    }
    return gp_row_count(f->model, i) * exp(-0.5 * r2 / (NEAR * NEAR));
}

/* The expected label at x: the mean of m, the model's expectation, and the labels near x,
 *     (m + sum_i k_i y_i) / (1 + sum_i k_i).
 * `dm`, the gradient of m (NULL: not wanted), becomes that of the result. */
static double among_neighbours(const feasible *f, const double *x, double m, double *dm) {
    size_t columns = gp_get_spec(f->model)->columns, rows = gp_rows(f->model);
    const double *points = gp_inputs(f->model), *y = gp_outputs(f->model); /* the labels of a row are equal */
    double weight = 1, sum = m;
    for (size_t i = 0; i < rows; i++) {
        double k = nearness(f, x, i, points + i * columns);
        weight += k;
        sum += k * y[i];
    }
    double label = sum / weight;
    for (size_t c = 0; dm && c < columns; c++) dm[c] /= weight;
    for (size_t i = 0; dm && i < rows; i++) {
        const double *at = points + i * columns;
        double pull = nearness(f, x, i, at) * (y[i] - label) / (NEAR * NEAR * weight);
        for (size_t c = 0; c < columns; c++) dm[c] -= pull * (x[c] - at[c]);
    }
    return label;
}

/* The log weight of a point whose expected label is m, and its derivative in m. */
static double weigh(double m, double *slope) {
    double short_of = m < WANTED ? WANTED - m : 0;
    if (slope) *slope = 2 / normal_mills(-2 * m) + (m < WANTED ? STEEP : 0);
    return normal_log_sf(-2 * m) - STEEP * short_of;
}

/* The expected labels of m points, in f->mean. */
static locbo_status expect(feasible *f, size_t m, const double *x, locbo_error *error) {
    mem_array batch[] = {{&f->mean, sizeof *f->mean}, {&f->var, sizeof *f->var}};
    if (!mem_reserve_all(2, batch, &f->batch, m)) return status_no_memory(error);
    if (f->ready) {
        size_t columns = gp_get_spec(f->model)->columns;
        locbo_status status = gp_predict(f->model, m, x, f->mean, f->var, &f->work, error);
        for (size_t i = 0; status == LOCBO_OK && i < m; i++)
            f->mean[i] = among_neighbours(f, x + i * columns, f->mean[i], NULL);
        return status;
    }
    for (size_t i = 0; i < m; i++) f->mean[i] = INFINITY;
    return LOCBO_OK;
}

locbo_status feasible_log_weight(feasible *f, size_t m, const double *x, double *log_w, locbo_error *error) {
    locbo_status status = expect(f, m, x, error);
    for (size_t i = 0; i < m && status == LOCBO_OK; i++) log_w[i] = weigh(f->mean[i], NULL);
    return status;
}

locbo_status feasible_probability(feasible *f, size_t m, const double *x, double *p, locbo_error *error) {
    locbo_status status = expect(f, m, x, error);
    for (size_t i = 0; i < m && status == LOCBO_OK; i++) p[i] = normal_cdf(2 * f->mean[i]);
    return status;
}

locbo_status feasible_log_weight_grad(feasible *f, const double *x, double *log_w, double *grad, locbo_error *error) {
    size_t columns = gp_get_spec(f->model)->columns;
    if (!f->ready) {
        *log_w = 0;
        memset(grad, 0, columns * sizeof *grad);
        return LOCBO_OK;
    }
    double m, v;
    locbo_status status = gp_predict_grad(f->model, x, &m, &v, f->dm, f->dv, &f->work, error);
    if (status != LOCBO_OK) return status;
    double slope;
    m = among_neighbours(f, x, m, f->dm);
    *log_w = weigh(m, &slope);
    for (size_t c = 0; c < columns; c++) grad[c] = slope * f->dm[c];
    return LOCBO_OK;
}
