/* front_reference.h - dominance, dominated volume and expected hypervolume improvement by their definitions: slow,
 * obvious, in long double; and random vectors to try them on. Shares nothing with the library but random numbers. */
#ifndef FRONT_REFERENCE_H
#define FRONT_REFERENCE_H

#include <stddef.h>

#include "rng.h"

typedef enum front_reference_kind {
    FRONT_NORMAL,  /* independent normal coordinates: some dominated, some below 0 */
    FRONT_SPHERE,  /* on the unit sphere, all positive: none is dominated */
    FRONT_LATTICE, /* integers -1 .. 4: equal vectors, equal coordinates */
    FRONT_KINDS
} front_reference_kind;
void front_reference_draw(front_reference_kind kind, size_t m, size_t n, double *y, rng *stream);

/* Is vector i above the reference, and neither dominated nor equal to an earlier one? */
int front_reference_is_in(size_t m, size_t n, const double *y, const double *reference, size_t i);

/* The dominated volume by inclusion and exclusion: 2^n terms. */
long double front_reference_volume(size_t m, size_t n, const double *y, const double *reference);

/* log EHVI, cell by cell on the grid of all coordinates: (n + 1)^m cells. sd_k > 0. */
long double front_reference_log_ehvi(size_t m, size_t n, const double *y, const double *reference,
                                     const long double *mu, const long double *sd);

/* The mean over draws of f of the gain in volume, and its standard error. */
double front_reference_monte_carlo(size_t m, size_t n, const double *y, const double *reference, const double *mu,
                                   const double *sd, size_t draws, rng *stream, double *error);

#endif
