/* move.c - the same function with its optimum elsewhere and its axes turned, so that a few functions
 * give many problems to compare on. Layer: problems. Cost: O(dim) a value, O(dim^2) with turned axes. */
#include "problems.h"

#include <math.h>
#include <string.h>

#include "draw.h"

/* Streams of their own: turning the axes leaves the centre where it is. */
enum { PURPOSE_CENTRE = 0x6d6f7665, PURPOSE_TURN, PURPOSE_PERMUTE, PURPOSE_ORDER };

static double to_unit(const problem *p, size_t i, double x) { return (x - p->low[i]) / (p->high[i] - p->low[i]); }

static double from_unit(const problem *p, size_t i, double t) { return p->low[i] + t * (p->high[i] - p->low[i]); }

/* Any number mapped into [0, 1] by reflection at 0 and at 1. */
static double mirror(double t) {
    t = fabs(t);
    t -= 2 * floor(t / 2);
    return t > 1 ? 2 - t : t;
}

/* The point of the base that is moved to `centre`, in the unit cube. */
static double anchor(const problem *base, size_t i) {
    return isnan(base->optimum) ? 0.5 : to_unit(base, i, base->best[i]);
}

void problem_moved_point(const problem *moved, const double *x, double *z) {
    const problem_room *room = moved->data;
    const problem *base = room->base;
    double off[PROBLEM_MAX_DIM];
    for (size_t i = 0; i < base->dim; i++) off[i] = to_unit(moved, i, x[i]) - room->centre[i];
    for (size_t i = 0; i < base->dim; i++) {
        double t = anchor(base, i);
        if (!room->turned) t += off[room->order[i]];
        for (size_t j = 0; j < base->dim && room->turned; j++) t += room->turn[i][j] * off[j];
        z[i] = from_unit(base, i, mirror(t));
        if (problem_kind_of(base, i) == PROBLEM_INTEGER) z[i] = round(z[i]); /* it is one but for rounding */
        if (problem_kind_of(base, i) == PROBLEM_CATEGORY) z[i] = room->category[i][(size_t)x[i]];
    }
}

static double moved_value(const problem *self, const double *x) {
    const problem_room *room = self->data;
    double z[PROBLEM_MAX_DIM];
    problem_moved_point(self, x, z);
    return problem_value(room->base, z);
}

static double dot(size_t n, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Rows of normal numbers made orthonormal one after the other: uniform over the orthogonal
 * matrices. Twice, because of rounding; a row that is almost in the span of the others is
 * drawn again. */
static void make_turn(problem_room *room, size_t dim, draw *d) {
    for (size_t i = 0; i < dim; i++) {
        double *row = room->turn[i], norm = 0;
        while (norm < 1e-6) {
            for (size_t j = 0; j < dim; j++) row[j] = draw_normal(d);
            for (size_t k = 0; k < 2 * i; k++) {
                const double *other = room->turn[k % i];
                double share = dot(dim, row, other);
                for (size_t j = 0; j < dim; j++) row[j] -= share * other[j];
            }
            norm = sqrt(dot(dim, row, row));
        }
        for (size_t j = 0; j < dim; j++) row[j] /= norm;
    }
}

/* A random order of the categories of parameter i. Returns the one that stands for the best of the base. */
static double permute(problem_room *room, size_t i, draw *d) {
    size_t n = problem_choices(room->base, i), best = 0;
    double *order = room->category[i];
    for (size_t k = 0; k < n; k++) order[k] = (double)k;
    for (size_t k = n; k > 1; k--) {
        size_t other = draw_below(d, k);
        double kept = order[k - 1];
        order[k - 1] = order[other];
        order[other] = kept;
    }
    while (order[best] != room->base->best[i]) best++;
    return (double)best;
}

/* The kinds, with the categories on which parameters depend as they are called after the move. */
static void move_kinds(problem *moved, problem_room *room) {
    const problem *base = room->base;
    moved->kinds = memcpy(room->kinds, base->kinds, 2 * base->dim);
    for (size_t i = 0; i < base->dim; i++) {
        int k = 0;
        while (problem_when(base, i) >= 0 && room->category[0][k] != problem_when(base, i)) k++;
        if (problem_when(base, i) >= 0) room->kinds[base->dim + i] = (char)('1' + k);
    }
}

/* Which parameter of the moved problem each one of the base is: the same one, or, if only the first ones matter, any.
 */
static void make_order(problem_room *room, uint64_t seed) {
    size_t dim = room->base->dim;
    draw d = draw_open(seed, PURPOSE_ORDER);
    for (size_t i = 0; i < dim; i++) room->order[i] = i;
    for (size_t i = 0; i < room->base->matter; i++) {
        size_t other = i + draw_below(&d, dim - i), kept = room->order[i];
        room->order[i] = room->order[other];
        room->order[other] = kept;
    }
    for (size_t i = 0; i < dim; i++) room->turn[i][room->order[i]] = 1;
}

void problem_move(problem *moved, problem_room *room, const problem *base, uint64_t seed, int rotate) {
    draw centre = draw_open(seed, PURPOSE_CENTRE), turn = draw_open(seed, PURPOSE_TURN);
    draw order = draw_open(seed, PURPOSE_PERMUTE);
    memset(room, 0, sizeof *room);
    room->base = base;
    *moved = *base;
    moved->value = moved_value;
    moved->data = room;
    for (size_t i = 0; i < base->dim; i++) {
        problem_kind kind = problem_kind_of(base, i);
        double u = draw_uniform(&centre);
        moved->best[i] = from_unit(base, i, 0.1 + 0.8 * u);
        if (kind == PROBLEM_INTEGER) moved->best[i] = base->low[i] + floor(u * (double)problem_choices(base, i));
        if (kind == PROBLEM_CATEGORY) moved->best[i] = permute(room, i, &order);
        room->centre[i] = kind == PROBLEM_REAL ? 0.1 + 0.8 * u : to_unit(base, i, moved->best[i]);
    }
    make_order(room, seed);
    if (base->kinds && base->kinds[base->dim]) move_kinds(moved, room);
    room->turned = rotate && !base->kinds;
    if (room->turned) make_turn(room, base->dim, &turn);
}
