/* gp.h - Gaussian process regression with a constant mean, or one that also follows one column (eq:GP_post_mean,
 * eq:GP_post_var).
 *
 * Inputs are encoded points: `columns` doubles each (space.h), standardised outputs, larger is
 * better. Row i has noise variance  noise_var / n_i + sd_i^2  ("scale" 1/n_i, "extra" sd_i^2).
 * There are two kinds of rows: data, and after them pending rows, whose value is not known: they
 * reduce the variance and leave the mean. A model may have no rows: it predicts the prior.
 * A data row is one measurement, or all measurements of one point (gp_data.point; replicates.h).
 * Costs: factor O(n^3), append O(n^2), predict O(n^2) per point. */
#ifndef GP_H
#define GP_H

#include "watcher.h"

/* Which hyper-parameters there are. theta = [log length_0 .. log length_{lengths-1}, with a trend log fade,
 * log signal_var, log noise_var]: gp_thetas numbers, each within [-100, 100]. */
typedef struct gp_spec {
    locbo_kernel family;
    size_t columns;      /* of an encoded point */
    size_t lengths;      /* 1: isotropic; otherwise one per parameter */
    const size_t *group; /* columns entries: the length scale each column uses; copied by gp_create */
    int estimate_mean;   /* 1: constant mean estimated with the N(0,1) prior; 0: mean 0 */
    size_t trend;        /* 1 + a column u, with estimate_mean: the mean has GP_TREND terms more, powers of h = 1 - u,
                            estimated with N(0, 10^2) priors, and the sd of f is that at u = 1 times
                            1 - (1 - exp(-fade)) (exp(3 h) - 1)/(exp(3) - 1); 0: none */
} gp_spec;

static inline size_t gp_thetas(const gp_spec *spec) { return spec->lengths + (spec->trend ? 3 : 2); }

/* The measurements a model is made of; not owned. */
typedef struct gp_data {
    size_t n;
    const double *x;     /* n x columns, row-major */
    const double *y;     /* n */
    const double *scale; /* n */
    const double *extra; /* n */
    const size_t *point; /* n: the row each measurement belongs to, rows being numbered as they first appear; NULL: each
                            is a row. Measurements of one row have the same x */
} gp_data;

/* Powers 1, 2, 4, 8 of 1 - u: from a straight line to what falls steeply at the lower end. */
enum { GP_TREND = 4, GP_TERMS = 1 + GP_TREND };

/* Rows that stand for many measurements at other points, too (landmarks.h): row i is f there, plus noise that goes
 * together with that of the other rows. Not owned. */
typedef struct gp_summary {
    const double *noise; /* n x n, column-major, lower triangle: the covariance of the rows' noise */
    const double
        *terms; /* n x GP_TERMS, column-major: what the terms of the mean are at the rows; the constant first */
    /* what the measurements say of the mean beside that, terms first, then y: GP_TERMS x (GP_TERMS + 1), column-major
     */
    double within[GP_TERMS * (GP_TERMS + 1)];
} gp_summary;

typedef struct gp gp;

locbo_status gp_create(gp **out, const gp_spec *spec, locbo_error *error);
void gp_destroy(gp *g);
const gp_spec *gp_get_spec(const gp *g);
/* Whom to ask whether to go on (NULL, at first: nobody). Functions that return a status may then fail with
 * LOCBO_ERR_CANCELLED. Not copied by gp_copy. */
void gp_watch(gp *g, watcher *w);
watcher *gp_watcher(const gp *g);

/* Make `to` a copy of `from`, rows included, with room for `more` further rows; both were created with the same spec.
 * On failure `to` is unchanged. */
locbo_status gp_copy(gp *to, const gp *from, size_t more, locbo_error *error);

/* Factor data at theta. Jitter is added to the diagonal only if the factorisation fails, growing
 * tenfold from 1e-10 of the signal variance to 1e-4; LOCBO_ERR_NUMERIC beyond. On failure g is
 * unchanged. Drops pending rows. */
locbo_status gp_factor(gp *g, const double *theta, const gp_data *data, locbo_error *error);
/* The same of rows that stand for many measurements: data->y are the rows' own, data->scale and data->extra are not
 * used, and data->point is NULL. The summary is copied. */
locbo_status gp_factor_summary(gp *g, const double *theta, const gp_data *data, const gp_summary *summary,
                               locbo_error *error);
/* One more data row, of one measurement; there may be no pending rows. Uses the same theta and jitter; refactors if
 * that fails. */
locbo_status gp_append(gp *g, const double *x, double y, double scale, double extra, locbo_error *error);
/* One more pending row, with noise variance noise_var. If its pivot is nothing but rounding, the row gets a little more
 * noise; the data rows do not change. */
locbo_status gp_append_pending(gp *g, const double *x, locbo_error *error);

size_t gp_rows(const gp *g); /* data rows */
size_t gp_pending(const gp *g);
const double *gp_theta(const gp *g); /* gp_thetas numbers */
double gp_signal_var(const gp *g);
double gp_noise_var(const gp *g);
double gp_mean(const gp *g);   /* the constant */
double gp_jitter(const gp *g); /* relative to the signal variance */

/* Reusable memory for predictions; zero-initialise, release once. */
typedef struct gp_work {
    double *k;     /* rows x m, column-major: covariances of each row with each point */
    double *w;     /* rows x m, column-major: L^{-1} k */
    size_t stride; /* of their columns */
    double *z;     /* scratch */
    size_t k_size, w_size, z_size;
} gp_work;
void gp_work_release(gp_work *work);

/* Posterior mean and variance of f at m points (m x columns, row-major). Fills work->k and work->w.
 * v >= 0 always. */
locbo_status gp_predict(const gp *g, size_t m, const double *x, double *mu, double *v, gp_work *work,
                        locbo_error *error);
/* The same up to rounding, if work, mu and v are already those of the first `have` rows at these points, from an
 * earlier such call for a model that has only got pending rows since: O(n) for each point and new row. Its bits do not
 * depend on `have`, which may be 0. */
locbo_status gp_predict_more(const gp *g, size_t m, const double *x, double *mu, double *v, gp_work *work, size_t have,
                             locbo_error *error);
/* The mean alone, O(n) a point; what work->k and work->w hold afterwards is of no use. */
locbo_status gp_predict_mean(const gp *g, size_t m, const double *x, double *mu, gp_work *work, locbo_error *error);
/* The same at one point, with gradients in the encoded coordinates (columns each). */
locbo_status gp_predict_grad(const gp *g, const double *x, double *mu, double *v, double *dmu, double *dv,
                             gp_work *work, locbo_error *error);
/* Posterior mean of f at every data row: mu_i = y_i - noise_i alpha_i, O(n); of a summary O(n^2). */
void gp_fitted(const gp *g, double *mu);
/* Joint posterior covariance of f at m points (m x m, column-major, full), after gp_predict on the
 * same points with the same work, not used for anything else since. */
locbo_status gp_covariance(const gp *g, size_t m, const gp_work *work, double *cov, locbo_error *error);

/* Gradient, in the encoded coordinates of the point of the last gp_predict_grad with this work, of weight . k(x), a
 * combination of the covariances with the rows (rows + pending numbers). */
void gp_combination_grad(const gp *g, const gp_work *work, const double *weight, double *grad);

/* The coefficients b of a mean with a trend, from n entries each of L^-1 H, the terms, and L^-1 y:
 * (H'C^-1 H + prior) b = H'C^-1 y. `within`: of a summary, added to these, or NULL. *prior receives b'(prior) b.
 * Returns 0 if rounding leaves no solution. */
int gp_solve_mean(size_t n, const double *const white[GP_TERMS], const double *y, const double *within,
                  double b[GP_TERMS], double *prior);
/* The terms of a trend at u. */
void gp_trend_at(double u, double h[GP_TREND]);
/* By what the sd of f is smaller at u, and the derivatives of its logarithm by u and by log fade. */
typedef struct gp_faded {
    double by, tilt, slope;
} gp_faded;
gp_faded gp_fade_at(double fade, double u);

/* The inside of the model, for wcp.c, baseline.c and robust.c. Rows are data rows; after them, inputs and factor have
 * the pending rows. */
const double *gp_outputs(const gp *g);                       /* n standardised outputs */
const double *gp_inputs(const gp *g);                        /* n x columns encoded inputs */
const double *gp_factor_matrix(const gp *g, size_t *stride); /* lower Cholesky factor of K + noise, column-major */
double gp_row_noise(const gp *g, size_t i);                  /* noise variance of row i incl. jitter */
double gp_row_extra(const gp *g, size_t i);                  /* the part of it that is known: sd_i^2 */
/* (K + noise)^-1 (y - mean), n numbers. */
void gp_weights(const gp *g, double *alpha);
/* Diagonal of (K + noise)^-1; `inverse` is scratch, n x n. */
void gp_inverse_diagonal(const gp *g, double *inverse, double *diagonal);

/* The measurements behind the data rows, in the order given. */
typedef struct gp_measurement {
    size_t row;
    double y, noise, extra; /* noise: its variance incl. jitter; extra: the known part */
} gp_measurement;
size_t gp_measurements(const gp *g);
gp_measurement gp_measurement_at(const gp *g, size_t i);
double gp_row_count(const gp *g, size_t row); /* measurements of the row */
/* What gp_weights and gp_inverse_diagonal would give for measurement i if each measurement were a row, from what they
 * give for its row: *alpha and *diagonal are replaced. */
void gp_split(const gp *g, size_t i, double *alpha, double *diagonal);

#endif
