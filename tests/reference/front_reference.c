/* front_reference.c - see the header. */
#include "front_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void front_reference_draw(front_reference_kind kind, size_t m, size_t n, double *y, rng *stream) {
    for (size_t i = 0; i < n; i++) {
        double squares = 0;
        for (size_t k = 0; k < m; k++) {
            double z = rng_normal(stream);
            y[i * m + k] = kind == FRONT_LATTICE  ? (double)rng_below(stream, 6) - 1
                           : kind == FRONT_SPHERE ? fabs(z)
                                                  : z;
            squares += z * z;
        }
        for (size_t k = 0; k < m && kind == FRONT_SPHERE; k++) y[i * m + k] /= sqrt(squares);
    }
}

int front_reference_is_in(size_t m, size_t n, const double *y, const double *reference, size_t i) {
    for (size_t k = 0; k < m; k++)
        if (y[i * m + k] <= reference[k]) return 0;
    for (size_t j = 0; j < n; j++) {
        size_t no_less = 0, greater = 0;
        for (size_t k = 0; k < m; k++) {
            no_less += y[j * m + k] >= y[i * m + k];
            greater += y[j * m + k] > y[i * m + k];
        }
        if (no_less == m && (greater > 0 || j < i)) return 0;
    }
    return 1;
}

long double front_reference_volume(size_t m, size_t n, const double *y, const double *reference) {
    long double volume = 0;
    for (size_t set = 1; set < (size_t)1 << n; set++) {
        long double common = -1;
        for (size_t i = 0; i < n; i++)
            if (set >> i & 1) common = -common;
        for (size_t k = 0; k < m; k++) {
            long double least = INFINITY;
            for (size_t i = 0; i < n; i++)
                if (set >> i & 1) least = fminl(least, y[i * m + k]);
            common *= fmaxl(least - reference[k], 0);
        }
        volume += common;
    }
    return volume;
}

/* ---- expected improvement ---------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* E (f - t)_+ */
static long double improvement(long double mu, long double sd, long double t) {
    if (isinf(t)) return 0;
    long double h = (t - mu) / sd, pi = acosl(-1);
    return sd * (expl(-h * h / 2) / sqrtl(2 * pi) - h * erfcl(h / sqrtl(2)) / 2);
}

/* Is the cell below the upper ends `high` dominated by one of the vectors? */
static int is_dominated(size_t m, size_t n, const double *y, const double *high) {
    for (size_t i = 0; i < n; i++) {
        size_t no_less = 0;
        for (size_t k = 0; k < m; k++) no_less += y[i * m + k] >= high[k];
        if (no_less == m) return 1;
    }
    return 0;
}

long double front_reference_log_ehvi(size_t m, size_t n, const double *y, const double *reference,
                                     const long double *mu, const long double *sd) {
    size_t ends = n + 2, cells = 1;
    double *grid = calloc(m * ends, sizeof *grid), high[4] = {0};
    long double *ei = calloc(m * ends, sizeof *ei), sum = 0;
    if (!grid || !ei || m > 4) abort();
    for (size_t k = 0; k < m; k++) {
        double *end = grid + k * ends;
        end[0] = reference[k];
        for (size_t i = 0; i < n; i++) end[1 + i] = fmax(y[i * m + k], reference[k]);
        end[n + 1] = INFINITY;
        qsort(end, ends, sizeof *end, ascending);
        for (size_t i = 0; i < ends; i++) ei[k * ends + i] = improvement(mu[k], sd[k], end[i]);
        cells *= n + 1;
    }
    for (size_t cell = 0; cell < cells; cell++) {
        long double product = 1;
        for (size_t k = 0, left = cell; k < m; k++, left /= n + 1) {
            size_t low = k * ends + left % (n + 1);
            high[k] = grid[low + 1];
            product *= ei[low] - ei[low + 1];
        }
        if (!is_dominated(m, n, y, high)) sum += product;
    }
    free(grid);
    free(ei);
    return logl(sum);
}

double front_reference_monte_carlo(size_t m, size_t n, const double *y, const double *reference, const double *mu,
                                   const double *sd, size_t draws, rng *stream, double *error) {
    double *all = calloc((n + 1) * m, sizeof *all), sum = 0, squares = 0;
    if (!all) abort();
    memcpy(all, y, n * m * sizeof *all);
    long double before = front_reference_volume(m, n, y, reference);
    for (size_t s = 0; s < draws; s++) {
        for (size_t k = 0; k < m; k++) all[n * m + k] = mu[k] + sd[k] * rng_normal(stream);
        double gain = (double)(front_reference_volume(m, n + 1, all, reference) - before);
        sum += gain;
        squares += gain * gain;
    }
    free(all);
    double mean = sum / (double)draws;
    *error = sqrt((squares / (double)draws - mean * mean) / (double)draws);
    return mean;
}
