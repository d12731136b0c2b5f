/* design.c - initial designs: Latin hypercube or uniform. Layer: core. Cost: O(tries n^2 dim). */
#include "design.h"

#include <math.h>
#include <string.h>

#include "mem.h"

enum { TRIES = 10, SMALL = 200 }; /* larger designs are not compared: each is spread out well */

/* Every coordinate has one point in each of n equal slices. */
static void latin_hypercube(size_t n, size_t dim, rng *r, size_t *order, double *t) {
    for (size_t j = 0; j < dim; j++) {
        for (size_t i = 0; i < n; i++) order[i] = i;
        rng_shuffle(r, n, order);
        for (size_t i = 0; i < n; i++) t[i * dim + j] = ((double)order[i] + rng_uniform(r)) / (double)n;
    }
}

/* Smallest squared distance between two points. */
static double separation(size_t n, size_t dim, const double *t) {
    double least = INFINITY;
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            double square = 0;
            for (size_t j = 0; j < dim; j++) {
                double d = t[i * dim + j] - t[k * dim + j];
                square += d * d;
            }
            least = fmin(least, square);
        }
    return least;
}

locbo_status design_make(locbo_design design, size_t n, size_t dim, rng *r, double *t, locbo_error *error) {
    if (design == LOCBO_DESIGN_UNIFORM) {
        for (size_t i = 0; i < n * dim; i++) t[i] = rng_uniform(r);
        return LOCBO_OK;
    }
    size_t *order = mem_new(n, sizeof *order);
    double *other = mem_new(n * dim, sizeof *other);
    if (order && other) {
        latin_hypercube(n, dim, r, order, t);
        double best = n <= SMALL ? separation(n, dim, t) : INFINITY;
        for (int k = 1; k < TRIES && n <= SMALL; k++) {
            latin_hypercube(n, dim, r, order, other);
            double spread = separation(n, dim, other);
            if (spread > best) {
                best = spread;
                memcpy(t, other, n * dim * sizeof *t);
            }
        }
    }
    int done = order && other;
    mem_free(order);
    mem_free(other);
    return done ? LOCBO_OK : status_no_memory(error);
}
