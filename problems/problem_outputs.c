/* problem_outputs.c - what all problems with several outputs share: by number and by name, feasibility and regret, an
 * output as a problem of its own, measurements of all outputs, the best point moved. Layer: problems. Cost: that of the
 * outputs; problem_outputs_spread 2048 times that for each output. */
#include "problem_outputs.h"

#include <math.h>
#include <string.h>

#include "catalogue.h"
#include "dominated.h"
#include "mem.h"

static const problem_outputs *const tables[] = {catalogue_constrained, catalogue_tradeoffs};

const problem_outputs *problem_outputs_at(size_t i) {
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++)
        for (const problem_outputs *p = tables[k]; p->name; p++)
            if (i-- == 0) return p;
    return NULL;
}

const problem_outputs *problem_outputs_find(const char *name) {
    const problem_outputs *p = problem_outputs_at(0);
    for (size_t i = 1; p && strcmp(p->name, name) != 0; i++) p = problem_outputs_at(i);
    return p;
}

/* ---- outputs judged ------------------------------------------------------------------------- */

size_t problem_outputs_objectives(const problem_outputs *p) {
    size_t count = 0;
    for (size_t k = 0; k < p->count; k++) count += p->output[k].goal == PROBLEM_MINIMIZE;
    return count;
}

void problem_outputs_evaluate(const problem_outputs *p, const double *x, double *y) { p->evaluate(p, x, y); }

int problem_outputs_feasible(const problem_outputs *p, const double *y) {
    for (size_t k = 0; k < p->count; k++)
        if (p->output[k].goal == PROBLEM_AT_MOST_0 && !(y[k] <= 0)) return 0;
    return 1;
}

double problem_outputs_regret(const problem_outputs *p, const double *y) {
    size_t k = 0;
    if (problem_outputs_objectives(p) != 1) return NAN;
    while (p->output[k].goal != PROBLEM_MINIMIZE) k++;
    return problem_outputs_feasible(p, y) ? y[k] - p->optimum : INFINITY;
}

/* The objectives of a row of outputs; those that are missing are 0. */
static dominated_point objectives_of(const problem_outputs *p, const double *y) {
    dominated_point point = {{0, 0, 0}};
    size_t m = 0;
    for (size_t k = 0; k < p->count; k++)
        if (p->output[k].goal == PROBLEM_MINIMIZE) point.f[m++] = y[k];
    return point;
}

double problem_outputs_hypervolume(const problem_outputs *p, size_t n, const double *y) {
    dominated_point *point = mem_new(n, sizeof *point), reference = {{1, 1, 1}};
    size_t feasible = 0, m = 0;
    double volume = NAN;
    for (size_t k = 0; k < p->count; k++)
        if (p->output[k].goal == PROBLEM_MINIMIZE) reference.f[m++] = p->output[k].reference;
    if (point && m > 1) {
        for (size_t i = 0; i < n; i++, y += p->count)
            if (problem_outputs_feasible(p, y)) point[feasible++] = objectives_of(p, y);
        volume = dominated_volume(feasible, point, &reference);
    }
    mem_free(point);
    return volume;
}

/* ---- one output, and what is measured ------------------------------------------------------- */

static double output_value(const problem *self, const double *x) {
    const problem_output_room *room = self->data;
    double y[PROBLEM_MAX_OUTPUTS];
    problem_outputs_evaluate(room->of, x, y);
    return y[room->k];
}

void problem_outputs_view(problem *one, problem_output_room *room, const problem_outputs *p, size_t k) {
    *room = (problem_output_room){p, k};
    *one = (problem){
        .name = p->output[k].name, .dim = p->dim, .optimum = p->output[k].least, .value = output_value, .data = room};
    for (size_t i = 0; i < p->dim; i++) {
        one->low[i] = p->low[i];
        one->high[i] = p->high[i];
        one->best[i] = NAN;
    }
}

/* The objective where it counts, elsewhere a value without regret. */
static double feasible_value(const problem *self, const double *x) {
    const problem_outputs *p = self->data;
    double y[PROBLEM_MAX_OUTPUTS];
    problem_outputs_evaluate(p, x, y);
    return problem_outputs_feasible(p, y) ? p->optimum + problem_outputs_regret(p, y) : p->optimum;
}

double problem_outputs_worst(const problem_outputs *p) {
    problem one;
    problem_output_room room;
    if (problem_outputs_objectives(p) != 1) return NAN;
    problem_outputs_view(&one, &room, p, 0);
    one.optimum = p->optimum;
    one.value = feasible_value;
    one.data = p;
    return problem_worst(&one);
}

void problem_outputs_spread(const problem_outputs *p, double *spread) {
    for (size_t k = 0; k < p->count; k++) {
        problem one;
        problem_output_room room;
        problem_outputs_view(&one, &room, p, k);
        spread[k] = problem_spread(&one);
    }
}

void problem_outputs_noise(const problem_outputs *p, const noise *relative, const double *spread, noise *n) {
    for (size_t k = 0; k < p->count; k++) {
        problem one;
        problem_output_room room;
        problem_outputs_view(&one, &room, p, k);
        n[k] = *relative;
        n[k].scale *= noise_unit(relative, &one, spread[k]);
    }
}

void problem_outputs_measure(const problem_outputs *p, const noise *n, const double *spread, const double *x, draw *d,
                             double *y) {
    for (size_t k = 0; k < p->count; k++) {
        problem one;
        problem_output_room room;
        problem_outputs_view(&one, &room, p, k);
        y[k] = noise_measure(&n[k], &one, spread[k], x, d);
    }
}

/* ---- the best point moved ------------------------------------------------------------------- */

static void moved_outputs(const problem_outputs *self, const double *x, double *y) {
    const problem_outputs_room *room = self->data;
    double z[PROBLEM_MAX_DIM];
    problem_moved_point(&room->moved, x, z);
    problem_outputs_evaluate(room->base, z, y);
}

int problem_outputs_move(problem_outputs *moved, problem_outputs_room *room, const problem_outputs *base, uint64_t seed,
                         int rotate) {
    if (problem_outputs_objectives(base) != 1) return 0;
    room->base = base;
    room->still = (problem){.name = base->name, .dim = base->dim, .optimum = base->optimum};
    memcpy(room->still.low, base->low, sizeof base->low);
    memcpy(room->still.high, base->high, sizeof base->high);
    memcpy(room->still.best, base->best, sizeof base->best);
    problem_move(&room->moved, &room->room, &room->still, seed, rotate);
    *moved = *base;
    memcpy(moved->best, room->moved.best, sizeof moved->best);
    moved->evaluate = moved_outputs;
    moved->data = room;
    return 1;
}
