/* catalogue.h - the tables of problems, one for each file that defines some, and what their rows share. */
#ifndef CATALOGUE_H
#define CATALOGUE_H

#include <math.h>

#include "problem_fidelity.h"
#include "problem_outputs.h"
#include "problems.h"

#define PI 3.14159265358979323846

/* The same number in every coordinate, for up to 20 and up to 200 of them; those beyond `dim` are not used. */
#define ALL(a)                                                                                                         \
    { TEN(a), TEN(a) }
#define WIDE(a)                                                                                                        \
    { HUNDRED(a), HUNDRED(a) }
#define TEN(a) a, a, a, a, a, a, a, a, a, a
#define HUNDRED(a) TEN(a), TEN(a), TEN(a), TEN(a), TEN(a), TEN(a), TEN(a), TEN(a), TEN(a), TEN(a)

/* Each ends with a row whose name is NULL. */
extern const problem catalogue_functions[], catalogue_shapes[], catalogue_mixed[], catalogue_models[];
extern const problem catalogue_rover[], catalogue_push[], catalogue_hidden[];
extern const problem_fidelity catalogue_fidelities[];
extern const problem_outputs catalogue_constrained[], catalogue_tradeoffs[];

/* Outputs of rows of the last two: name, smallest value in the box, coordinate of the reference point. */
#define OBJECTIVE(name, least, reference)                                                                              \
    { name, PROBLEM_MINIMIZE, least, reference }
#define CONSTRAINT(name, least)                                                                                        \
    { name, PROBLEM_AT_MOST_0, least, NAN }

#endif
