/* centres.c - sums of Gaussian bumps, and how a list of them is kept short.
 *
 * A term a_s k(x_s, .) that is taken out of the list is replaced by  a_s sum_i w_i k(x_i, .)  over the NEIGHBOURS
 * centres next to it, with the w that minimise the norm of the difference
 *
 *     |k(x_s, .) - sum_i w_i k(x_i, .)|^2 = 1 - 2 sum_i w_i k(x_s, x_i) + sum_ij w_i w_j k(x_i, x_j)
 *
 * among w >= 0, then divided by their sum if that is above 1: so sum |a| does not grow. The term to be taken out is the
 * one with the smallest |a_s|^2 (1 - k(x_s, x_n)^2), x_n its nearest: what a merge into that one alone would lose.
 * Layer: core, below locp. Cost: a value and a term O(n (columns + levels)). */
#include "centres.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "mem.h"

/* A term below exp(-100) = 4e-44 counts as 0: beside thresholds of the order of alpha it changes no bit. */
#define EXPONENT_ZERO 100.0
/* Half as many leave three times the error in a cluster of 6 dimensions, twice as many no smaller one. After 20 sweeps
 * the weights have settled where it matters: centres that are near each other share a weight in one way or another. */
enum { NEIGHBOURS = 16, SWEEPS = 20 };

void centres_init(centres *c, size_t columns, size_t levels, double length, size_t most) {
    *c = (centres){.columns = columns, .levels = levels, .length = length, .most = most};
}

void centres_release(centres *c) {
    mem_free(c->x);
    mem_free(c->coefficient);
    mem_free(c->nearest);
    mem_free(c->apart);
    mem_free(c->lost);
}

locbo_status centres_reserve(centres *c, locbo_error *error) {
    mem_array arrays[] = {{&c->x, c->columns * sizeof *c->x},
                          {&c->coefficient, c->levels * sizeof *c->coefficient},
                          {&c->nearest, sizeof *c->nearest},
                          {&c->apart, sizeof *c->apart},
                          {&c->lost, sizeof *c->lost}};
    return mem_reserve_all(c->most > 0 ? 5 : 2, arrays, &c->capacity, c->n + 1) ? LOCBO_OK : status_no_memory(error);
}

static double squared_distance(const centres *c, const double *a, const double *b) {
    double r2 = 0;
    for (size_t j = 0; j < c->columns; j++) {
        double d = a[j] - b[j];
        r2 += d * d;
    }
    return r2;
}

/* exp(-r2 / length^2), 0 without calling exp where it is next to nothing. */
static double closeness(const centres *c, double r2) {
    double exponent = r2 / (c->length * c->length);
    return exponent < EXPONENT_ZERO ? exp(-exponent) : 0;
}

static const double *place(const centres *c, size_t s) { return c->x + s * c->columns; }

/* Squared distances from x to the centres from number `first` on, at most CHUNK of them; returns how many. Of what is
 * farther than `far` only some columns are counted, enough to see that. Four at a time, so that no sum waits for
 * another's; each has its terms in order. */
enum { CHUNK = 64, STRIP = 16 };
static size_t measure(const centres *c, const double *x, size_t first, double far, double *r2) {
    size_t count = c->n - first < CHUNK ? c->n - first : CHUNK, d = c->columns, s = 0;
    for (; s + 4 <= count; s += 4) {
        const double *p = place(c, first + s);
        double sum[4] = {0};
        for (size_t j = 0; j < d; j++) {
            for (size_t k = 0; k < 4; k++) {
                double difference = x[j] - p[k * d + j];
                sum[k] += difference * difference;
            }
            if (j % STRIP == STRIP - 1 && sum[0] > far && sum[1] > far && sum[2] > far && sum[3] > far) break;
        }
        memcpy(r2 + s, sum, sizeof sum);
    }
    for (; s < count; s++) r2[s] = squared_distance(c, x, place(c, first + s));
    return count;
}

/* From here on the closeness is 0. */
static double far_away(const centres *c) { return EXPONENT_ZERO * c->length * c->length; }

/* ---- merging ----------------------------------------------------------------------------------- */

static void set_nearest(centres *c, size_t s, size_t nearest, double apart) {
    c->nearest[s] = nearest;
    c->apart[s] = apart;
    c->lost[s] = -expm1(-2 * apart / (c->length * c->length)); /* 1 - k^2 */
}

static void find_nearest(centres *c, size_t s) {
    size_t nearest = s, count;
    double least = INFINITY, r2[CHUNK];
    for (size_t first = 0; first < c->n; first += count) {
        count = measure(c, place(c, s), first, INFINITY, r2);
        for (size_t i = 0; i < count; i++) {
            if (r2[i] >= least || first + i == s) continue;
            least = r2[i];
            nearest = first + i;
        }
    }
    set_nearest(c, s, nearest, least);
}

/* The last centre is new: find its nearest, and it may be the nearest of others. */
static void enter_last(centres *c) {
    size_t last = c->n - 1, nearest = last, count;
    double least = INFINITY, r2[CHUNK];
    for (size_t first = 0; first < last; first += count) {
        count = measure(c, place(c, last), first, INFINITY, r2);
        for (size_t i = first; i < first + count && i < last; i++) {
            if (r2[i - first] < c->apart[i]) set_nearest(c, i, last, r2[i - first]);
            if (r2[i - first] >= least) continue;
            least = r2[i - first];
            nearest = i;
        }
    }
    set_nearest(c, last, nearest, least);
}

static size_t find_cheapest(const centres *c) {
    size_t cheapest = 0;
    double least = INFINITY;
    for (size_t s = 0; s < c->n; s++) {
        double square = 0;
        for (size_t i = 0; i < c->levels; i++) {
            double a = c->coefficient[s * c->levels + i];
            square += a * a;
        }
        if (square * c->lost[s] >= least) continue;
        least = square * c->lost[s];
        cheapest = s;
    }
    return cheapest;
}

/* The centres next to s, nearest first; returns how many. */
static size_t find_neighbours(const centres *c, size_t s, size_t *index, double *r2) {
    size_t found = 0, count;
    double d[CHUNK];
    for (size_t first = 0; first < c->n; first += count) {
        count = measure(c, place(c, s), first, INFINITY, d);
        for (size_t i = 0; i < count; i++) {
            if (first + i == s || (found == NEIGHBOURS && d[i] >= r2[found - 1])) continue;
            size_t at = found < NEIGHBOURS ? found++ : found - 1;
            for (; at > 0 && r2[at - 1] > d[i]; at--) {
                r2[at] = r2[at - 1];
                index[at] = index[at - 1];
            }
            r2[at] = d[i];
            index[at] = first + i;
        }
    }
    return found;
}

/* The weights of the neighbours of a term, by coordinate descent. */
static void find_weights(const centres *c, size_t count, const size_t *index, const double *r2, double *w) {
    double K[NEIGHBOURS][NEIGHBOURS], k[NEIGHBOURS], sum = 0;
    for (size_t i = 0; i < count; i++) {
        k[i] = closeness(c, r2[i]);
        w[i] = 0;
        for (size_t j = 0; j < i; j++)
            K[i][j] = K[j][i] = closeness(c, squared_distance(c, place(c, index[i]), place(c, index[j])));
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t i = 0; i < count; i++) {
            double rest = k[i];
            for (size_t j = 0; j < count; j++)
                if (j != i) rest -= K[i][j] * w[j];
            w[i] = rest > 0 ? rest : 0;
        }
    for (size_t i = 0; i < count; i++) sum += w[i];
    for (size_t i = 0; sum > 1 && i < count; i++) w[i] /= sum;
}

/* The last centre takes the place of s. Those whose nearest was s look for another; but if there is a twin, another
 * centre at the same point, it is as far from them as s was, and only the twin itself has to look: where most results
 * are at one point, s may have been the nearest of nearly all. */
static void take_out(centres *c, size_t s) {
    size_t last = --c->n, twin = c->apart[s] == 0 ? c->nearest[s] : SIZE_MAX;
    if (twin == last) twin = s;
    memmove(c->x + s * c->columns, place(c, last), c->columns * sizeof *c->x);
    memmove(c->coefficient + s * c->levels, c->coefficient + last * c->levels, c->levels * sizeof *c->coefficient);
    c->nearest[s] = c->nearest[last];
    c->apart[s] = c->apart[last];
    c->lost[s] = c->lost[last];
    for (size_t i = 0; i < c->n; i++) {
        if (c->nearest[i] == s && twin != SIZE_MAX && i != twin)
            c->nearest[i] = twin;
        else if (c->nearest[i] == s)
            find_nearest(c, i);
        else if (c->nearest[i] == last)
            c->nearest[i] = s;
    }
}

static void merge(centres *c, size_t s) {
    size_t index[NEIGHBOURS];
    double r2[NEIGHBOURS], w[NEIGHBOURS];
    size_t count = find_neighbours(c, s, index, r2);
    find_weights(c, count, index, r2, w);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < c->levels; i++)
            c->coefficient[index[k] * c->levels + i] += w[k] * c->coefficient[s * c->levels + i];
    take_out(c, s);
}

/* ---- terms and values -------------------------------------------------------------------------- */

void centres_add(centres *c, const double *x, double unit, const double *factor) {
    memcpy(c->x + c->n * c->columns, x, c->columns * sizeof *x);
    for (size_t i = 0; i < c->levels; i++) c->coefficient[c->n * c->levels + i] = unit * factor[i];
    c->n++;
    if (c->most == 0) return;
    enter_last(c);
    if (c->n > c->most) merge(c, find_cheapest(c));
}

void centres_multiply(centres *c, double factor) {
    for (size_t i = 0; i < c->n * c->levels; i++) c->coefficient[i] *= factor;
}

void centres_clear(centres *c) { c->n = 0; }

void centres_values(const centres *c, const double *x, double *values) {
    double r2[CHUNK];
    for (size_t first = 0, count; first < c->n; first += count) {
        count = measure(c, x, first, far_away(c), r2);
        for (size_t s = 0; s < count; s++) {
            const double *coefficient = c->coefficient + (first + s) * c->levels;
            double near = closeness(c, r2[s]);
            for (size_t i = 0; near != 0 && i < c->levels; i++) values[i] += coefficient[i] * near;
        }
    }
}

void centres_chain(const centres *c, const double *x, double scale, const double *weight, double *dx) {
    double slope = -2 * scale / (c->length * c->length), r2[CHUNK];
    for (size_t first = 0, count; first < c->n; first += count) {
        count = measure(c, x, first, far_away(c), r2);
        for (size_t s = 0; s < count; s++) {
            const double *centre = place(c, first + s), *coefficient = c->coefficient + (first + s) * c->levels;
            double near = closeness(c, r2[s]), sum = 0;
            if (near == 0) continue;
            for (size_t i = 0; i < c->levels; i++) sum += weight[i] * coefficient[i];
            sum *= near * slope;
            for (size_t j = 0; j < c->columns; j++) dx[j] += sum * (x[j] - centre[j]);
        }
    }
}
