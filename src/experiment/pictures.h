/* pictures.h - the figures of an experiment, styled like the paper's, and the paper's explanatory figures from real
 * data. */
#ifndef PICTURES_H
#define PICTURES_H

#include "results.h"

/* DIR/NAME/figure.*, the `files` that figure.h names. What figure_write returns. */
locbo_status pictures_experiment(const plan *p, const results *r, const char *dir, unsigned files, locbo_error *error);

/* The calibrated likelihood of y with its flat set and tails, and the law of f that denoising makes of it, at one point
 * of a real run (fig of the overview): DIR/likelihood.*. */
locbo_status pictures_likelihood(const char *dir, unsigned files, locbo_error *error);
/* The radio deployment: sites, sectors, users, corridors, and what a tilt does: DIR/deployment.*. */
locbo_status pictures_deployment(const char *dir, uint64_t deployment, unsigned files, locbo_error *error);

#endif
