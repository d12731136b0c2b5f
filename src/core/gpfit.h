/* gpfit.h - hyper-parameters by maximum a posteriori or maximum likelihood. */
#ifndef GPFIT_H
#define GPFIT_H

#include "gp.h"
#include "rng.h"

/* Independent priors on the entries of theta (log scale): normal, sd = inf being flat, or, with
 * shape > 0, the density of Gamma(shape, rate) at exp(theta) as it is on the natural scale, without
 * a Jacobian. mean and sd are then those of a normal in theta with the same top and the same
 * curvature there, which only starts are drawn from. Bounds hold always; low = high fixes an
 * entry. */
typedef struct gpfit_prior {
    double mean, sd, low, high;
    double shape, rate;
} gpfit_prior;

typedef struct gpfit_config {
    gpfit_prior *prior; /* count: gp_thetas, owned */
    size_t count, lengths;
    double pooling; /* > 0: the normal priors of the length scales are not independent but have a centre in common, with
                       their mean and sd, and depart from it by this sd; 0: independent */
    size_t alone;   /* a length scale that is not one of these: that of the trend; SIZE_MAX: none */
    int max_evals;  /* per start */
    int restarts;   /* further starts, drawn from the priors */
    watcher *watcher; /* asked in each evaluation of the log posterior; NULL, at first: nobody */
} gpfit_config;

/* The options that a fit depends on. */
typedef struct gpfit_settings {
    locbo_surrogate surrogate;
    double length_scale, noise_var; /* fixed if not NAN */
    double noise_floor;
    double input_span; /* GAMMA: its prior of a length scale is for length scale * input_span */
    int restarts;
    double pooling;      /* MAP: sd of log length scales about their common centre; 0 or INFINITY: independent */
    locbo_noise_law law; /* MAP: the prior of the noise is that of this law; AUTO: of LITTLE */
} gpfit_settings;

/* Priors and bounds of the surrogate; `dim` is the number of parameters. */
locbo_status gpfit_config_init(gpfit_config *c, const gp_spec *spec, size_t dim, const gpfit_settings *settings,
                               locbo_error *error);
void gpfit_config_release(gpfit_config *c);

/* Log posterior (log marginal likelihood + log prior, up to a constant) of theta and its gradient
 * (may be NULL). Returns -INFINITY where the matrix cannot be factored. */
typedef struct gpfit_work gpfit_work;
locbo_status gpfit_work_create(gpfit_work **out, const gp_spec *spec, locbo_error *error);
void gpfit_work_destroy(gpfit_work *w);
locbo_status gpfit_objective(gpfit_work *w, const gpfit_config *c, const gp_data *data, const double *theta,
                             double *value, double *grad, locbo_error *error);

/* Where a fit starts from scratch: the means of the priors, inside their bounds. */
void gpfit_cold_start(const gpfit_config *c, double *theta);

/* Fit: start (the last good theta) may be NULL for a cold start from the prior means. theta
 * receives the best found and *value its log posterior. Deterministic given `r`. */
locbo_status gpfit_run(gpfit_work *w, const gpfit_config *c, const gp_data *data, const double *start, rng *r,
                       double *theta, double *value, locbo_error *error);

#endif
