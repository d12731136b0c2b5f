/* catalogue.h - the tables of problems, one for each file that defines some, and what their rows share. */
#ifndef CATALOGUE_H
#define CATALOGUE_H

#include "problems.h"

#define PI 3.14159265358979323846

/* The same number in every coordinate; those beyond `dim` are not used. */
#define ALL(a)                                                                                                         \
    { a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a }

/* Each ends with a row whose name is NULL. */
extern const problem catalogue_functions[], catalogue_shapes[], catalogue_mixed[];

#endif
