/* problem_outputs.h - test problems with several outputs: objectives, which are minimised, and constraints, which hold
 * where they are at most 0. The best value or the volume of the front is known. libm only. */
#ifndef PROBLEM_OUTPUTS_H
#define PROBLEM_OUTPUTS_H

#include "noise.h"
#include "problems.h"

enum { PROBLEM_MAX_OUTPUTS = 6, PROBLEM_MAX_OBJECTIVES = 3 };

typedef enum problem_goal { PROBLEM_MINIMIZE, PROBLEM_AT_MOST_0 } problem_goal;

typedef struct problem_output {
    const char *name;
    problem_goal goal;
    double least;     /* the smallest value in the box */
    double reference; /* of an objective, if there are several: its coordinate of the reference point */
} problem_output;

/* All parameters are real. */
typedef struct problem_outputs {
    const char *name;
    size_t dim, count; /* of the parameters and of the outputs */
    double low[PROBLEM_MAX_DIM], high[PROBLEM_MAX_DIM];
    problem_output output[PROBLEM_MAX_OUTPUTS];
    /* One objective: its best value where all constraints hold, and a point that is best but for 1e-9: each constraint
     * that limits it is -1e-10 there, so that it holds in spite of rounding. Several: NAN, and no point. */
    double optimum, best[PROBLEM_MAX_DIM];
    /* Several objectives: the volume of what lies between the front of the feasible points and the reference point, if
     * it is not exact rounded up, so that no points have more. One: NAN. */
    double hypervolume;
    void (*evaluate)(const struct problem_outputs *self, const double *x, double *y); /* the noiseless truth */
    const void *data; /* what `evaluate` needs beside x; NULL for a plain function */
} problem_outputs;

/* The problems by name; NULL if there is none. They are in a list of their own: problem_find does not know them.
 *
 * One objective, with constraints (constrained.c):
 *   gardner1, gardner2   Gardner et al. 2014, simulations 1 and 2: in gardner1 no constraint limits the best point, in
 *                        gardner2 two small parts of the box are feasible
 *   gramacy              Gramacy et al. 2016: a linear objective, two constraints
 *   welded-beam          cost of a beam, five constraints, four of which meet in the best point
 *   tension-spring       weight of a spring, three constraints
 *   hartmann6-ball       hartmann6 within 0.8 of the origin
 *
 * Several objectives (tradeoffs.c; the last one in constrained.c):
 *   zdt1, zdt2, zdt3     Zitzler et al. 2000, of 6, 5 and 4 parameters: the front is convex, concave, in five parts
 *   dtlz2-2, dtlz2-3     Deb et al. 2005: 2 objectives of 5 parameters, 3 of 6; the front is a part of a sphere
 *   branin-currin        both in the unit square
 *   vehicle-safety       Liao et al. 2008: mass, acceleration and intrusion in a crash, of 5 thicknesses
 *   welded-beam2         cost and deflection of the beam, as logarithms, with four constraints */
const problem_outputs *problem_outputs_find(const char *name);
/* All of them: 0, 1, ...; NULL after the last. */
const problem_outputs *problem_outputs_at(size_t i);

size_t problem_outputs_objectives(const problem_outputs *p);
/* The noiseless outputs at x: p->count numbers. */
void problem_outputs_evaluate(const problem_outputs *p, const double *x, double *y);
/* Whether all constraints hold for the outputs y. */
int problem_outputs_feasible(const problem_outputs *p, const double *y);
/* One objective: how much worse than the optimum the outputs y are, INFINITY if a constraint does not hold; otherwise
 * NAN. */
double problem_outputs_regret(const problem_outputs *p, const double *y);
/* One objective: the largest regret of the feasible ones of the points of problem_spread: what a point that is not
 * feasible is worth (as in Hernandez-Lobato et al. 2016). NAN if there are several. */
double problem_outputs_worst(const problem_outputs *p);
/* Several objectives: the volume between the feasible ones of n points, rows of p->count outputs, and the reference
 * point; at most p->hypervolume if the outputs are noiseless. NAN if there is one objective, or no memory. */
double problem_outputs_hypervolume(const problem_outputs *p, size_t n, const double *y);

/* Output k as a problem of its own, to be minimised, so that problem_spread, problem_range, problem_near and the noise
 * laws apply to it: its optimum is the smallest value in the box, `best` is NAN. Worse than a constraint's value is
 * above it. Fills `one` and `room`, which must outlive it (as must p). */
typedef struct problem_output_room {
    const problem_outputs *of;
    size_t k;
} problem_output_room;
void problem_outputs_view(problem *one, problem_output_room *room, const problem_outputs *p, size_t k);

/* problem_spread of each output: the unit of its noise. */
void problem_outputs_spread(const problem_outputs *p, double *spread);
/* A law whose scale is relative, as a law for each output: the scale in units of the output (noise_unit). */
void problem_outputs_noise(const problem_outputs *p, const noise *relative, const double *spread, noise *n);
/* One measurement of all outputs at x, output k by the law n[k], independently. How much is drawn from `d` does not
 * depend on x. */
void problem_outputs_measure(const problem_outputs *p, const noise *n, const double *spread, const double *x, draw *d,
                             double *y);

/* As problem_move, all outputs together: the best feasible point lies elsewhere and the optimum is the same. Returns 0
 * and leaves `moved` alone if there are several objectives: a part of their front would lie outside the box. `room` and
 * `base` must outlive `moved`. */
typedef struct problem_outputs_room {
    const problem_outputs *base;
    problem still, moved; /* the box and the best point, before and after */
    problem_room room;
} problem_outputs_room;
int problem_outputs_move(problem_outputs *moved, problem_outputs_room *room, const problem_outputs *base, uint64_t seed,
                         int rotate);

#endif
