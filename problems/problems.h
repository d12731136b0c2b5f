/* problems.h - test problems with known optima, as published: bounds, direction, the noiseless truth. libm only. */
#ifndef PROBLEMS_H
#define PROBLEMS_H

#include <stddef.h>
#include <stdint.h>

/* The kind of a parameter. The categories of a parameter are the numbers 0 to high. */
typedef enum problem_kind { PROBLEM_REAL = 'r', PROBLEM_INTEGER = 'i', PROBLEM_CATEGORY = 'c' } problem_kind;

enum { PROBLEM_MAX_DIM = 200, PROBLEM_MAX_CATEGORIES = 8 };

typedef struct problem {
    const char *name;
    size_t dim;
    double low[PROBLEM_MAX_DIM], high[PROBLEM_MAX_DIM];
    int maximize;                                                 /* otherwise the smallest value is wanted */
    double optimum;                                               /* best value in the box; NAN: not known */
    double best[PROBLEM_MAX_DIM];                                 /* one point where it is taken */
    double (*value)(const struct problem *self, const double *x); /* the noiseless truth */
    const void *data;  /* what `value` needs beside x; NULL for a plain function */
    const char *kinds; /* NULL: all parameters are real; otherwise a letter for each, see problem_kind; if parameters do
                          not always count then a digit for each: 0: always, k: only for category k - 1 of the first */
    size_t matter;     /* 0: all parameters matter; otherwise only the first so many do, until the problem is moved */
} problem;

/* The functions by name; NULL if there is none. A number at the end is the dimension.
 *
 *   branin, camel (six humps), hartmann3, hartmann6, levy2, levy5, levy10, michalewicz2, michalewicz5 (m = 10),
 *   styblinski-tang2, styblinski-tang4, rosenbrock2, rosenbrock4, dixon-price4, sphere6, rastrigin4: as published
 *   ackley6, ackley10, levy20, rosenbrock8, rosenbrock20 and, of 100 and of 200 parameters, ackley, levy and
 *   rosenbrock: the same; these ackleys are in [-5, 10]
 *   rosenbrock4-log       log(1 + f)
 *   goldstein-price-log   log f
 *   griewank5             in [-10, 10], not [-600, 600]
 *   ackley2               in [-10, 10], the paper's box
 *   ackley2-shifted       in [-7.3, 12.7]: the optimum off the centre
 *   ackley-paper          eq:2D_ackley: ackley2 with its sign turned, to be maximised
 *   wave                  eq:synthetic_prediction_interval, one-dimensional, to be maximised
 *   kink4                 cusps on hyperplanes through the optimum
 *   steps3                a bowl of plateaus and jumps; the only one that is not continuous
 *   bump6                 a deep narrow hole in a plain that sinks the other way
 *
 * In pairs of a kind:
 *   needle3, crater2              one hole in a flat plain, a twentieth of the box: a Gaussian; a flat bottom with a
 * tip shekel4 (m = 10), peaks5      narrow holes of several depths: as published; 21 Gaussians (after Gallagher)
 *   ellipsoid5, different-powers5 bowls of bad scales: condition 1e6; powers 2 to 6
 *   zakharov4, powell4            values over many orders of magnitude: as published
 *   schwefel3, weierstrass3       many optima: as published, in [-500, 500] and [-0.5, 0.5]
 *   sharp-ridge4, rosenbrock5     a ridge without gradient; a curved valley
 *   step-ellipsoid4, alpine4      plateaus; ripples with kinks (|x sin x| + 0.1 |x|, which has one optimum only)
 *   borehole8, piston7            engineering, most parameters of little importance; the best point is a corner
 *   cosines5, easom-wide5         two parameters that matter and three that do not
 *
 * In pairs, with parameters that are not real (mixed.c):
 *   switch-a, switch-b            a category chooses one of several functions of two reals
 *   mixed-a, mixed-b              two categories, an integer and reals, all of which interact
 *   tune-a, tune-b                like the error of a support vector machine: C, gamma, kernel, degree and two more
 *
 * A pair whose first parameter, a category, says which of the others count (models.c):
 *   models-a, models-b            three algorithms, each with its own settings
 *
 * Of many parameters:
 *   rover60                       a path around obstacles (rover.c)
 *   push14                        two hands push two discs to their goals (push.c)
 *   hidden-branin102, hidden-hartmann106, hidden-ackley106
 *                                 a function of 2 or 6 parameters, and 100 that do not matter (hidden.c) */
const problem *problem_find(const char *name);
/* All of them: 0, 1, ...; NULL after the last. */
const problem *problem_at(size_t i);

problem_kind problem_kind_of(const problem *p, size_t i);
/* The category of the first parameter for which parameter i counts; -1: it always counts. */
int problem_when(const problem *p, size_t i);
/* Whether it counts at x. */
int problem_counts(const problem *p, size_t i, const double *x);
/* The number of values of a parameter that is not real. */
size_t problem_choices(const problem *p, size_t i);
/* The point of the box that belongs to a point of the unit cube. The values of a parameter that is not real have equal
 * parts of the unit interval. */
void problem_from_unit(const problem *p, const double *u, double *x);
double problem_value(const problem *p, const double *x);
/* How much worse than the optimum x is: never negative but for rounding; NAN if the optimum is not known. */
double problem_regret(const problem *p, const double *x);
/* Standard deviation of the noiseless value over a fixed set of points spread over the box: the unit of noise that is
 * comparable between functions. */
double problem_spread(const problem *p);
/* The difference of the largest and the smallest value over the same points. */
double problem_range(const problem *p);
/* The largest regret over the same points. */
double problem_worst(const problem *p);
/* The smallest losses: the 2 % quantile of the regret over the same points. */
double problem_near(const problem *p);

/* The same function moved so that its optimum lies elsewhere: at a point drawn from the middle 80 % of the box, and, if
 * `rotate`, with its axes turned by a random orthogonal matrix in the unit cube. Where the moved function would leave
 * the box of the base function it is reflected at the sides, so it is as continuous as the base and its optimum
 * is the base's, exactly. An integer is moved by whole numbers, to any of its values; categories are permuted; axes are
 * turned only if all are real. If only the first parameters matter, then after the move some others do: the parameters
 * are permuted. If the optimum is not known, the middle of the base's box is used instead of `best`.
 * Fills `moved` and `room`, which must outlive it (as must `base`). The same seed gives the same problem. */
typedef struct problem_room {
    const problem *base;
    double centre[PROBLEM_MAX_DIM]; /* the new position of the optimum, in the unit cube */
    double turn[PROBLEM_MAX_DIM][PROBLEM_MAX_DIM];
    int turned;                                               /* otherwise `turn` permutes: row i is that of ... */
    size_t order[PROBLEM_MAX_DIM];                            /* ... this parameter of the moved problem */
    double category[PROBLEM_MAX_DIM][PROBLEM_MAX_CATEGORIES]; /* of the base, for each of the moved problem */
    char kinds[2 * PROBLEM_MAX_DIM + 1];
} problem_room;
void problem_move(problem *moved, problem_room *room, const problem *base, uint64_t seed, int rotate);
/* The point z of the base that the point x of a moved problem stands for. */
void problem_moved_point(const problem *moved, const double *x, double *z);

#endif
