/* catalogue.c - the problems of all tables, by number and by name. Layer: problems. Cost: O(number of problems). */
#include "catalogue.h"

#include <string.h>

static const problem *const tables[] = {catalogue_functions, catalogue_shapes, catalogue_mixed, catalogue_models,
                                        catalogue_rover,     catalogue_push,   catalogue_hidden};

const problem *problem_at(size_t i) {
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++)
        for (const problem *p = tables[k]; p->name; p++)
            if (i-- == 0) return p;
    return NULL;
}

const problem *problem_find(const char *name) {
    const problem *p = problem_at(0);
    for (size_t i = 1; p && strcmp(p->name, name) != 0; i++) p = problem_at(i);
    return p;
}
