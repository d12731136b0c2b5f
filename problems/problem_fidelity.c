/* problem_fidelity.c - problems with a fidelity by name; their values and measurements, moved or not. Layer: problems.
 * Cost: O(number of problems) to find one, O(dim) a value. */
#include "problem_fidelity.h"

#include <math.h>
#include <string.h>

#include "catalogue.h"

const problem_fidelity *problem_fidelity_at(size_t i) {
    const problem_fidelity *p = catalogue_fidelities;
    while (i > 0 && p->full.name) p++, i--;
    return p->full.name ? p : NULL;
}

const problem_fidelity *problem_fidelity_find(const char *name) {
    const problem_fidelity *p = problem_fidelity_at(0);
    for (size_t i = 1; p && strcmp(p->full.name, name) != 0; i++) p = problem_fidelity_at(i);
    return p;
}

double problem_fidelity_value(const problem_fidelity *p, const problem *full, const double *x, double s) {
    double z[PROBLEM_MAX_DIM];
    if (full->value == p->full.value) return p->value(x, s);
    problem_moved_point(full, x, z);
    return p->value(z, s);
}

double problem_fidelity_measure(const problem_fidelity *p, const problem *full, const noise *n, double spread,
                                const double *x, double s, draw *d) {
    double error = noise_measure(n, full, spread, x, d) - problem_value(full, x);
    return problem_fidelity_value(p, full, x, s) + error;
}

double problem_fidelity_for(const problem_fidelity *p, double cost) {
    double low = p->low, high = p->high;
    if (p->price(low) > cost) return (double)NAN;
    if (p->price(high) <= cost) return high;
    if (p->kind == PROBLEM_INTEGER) {
        while (p->price(low + 1) <= cost) low++;
        return low;
    }
    while (high - low > 1e-12 * (p->high - p->low)) { /* price(low) <= cost < price(high) */
        double middle = (low + high) / 2;
        if (p->price(middle) <= cost)
            low = middle;
        else
            high = middle;
    }
    return low;
}
