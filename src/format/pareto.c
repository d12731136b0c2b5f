/* pareto.c - the measured front in two numbers. Layer: format. Cost: O(points^2), and that of the hypervolume. */
#include "pareto.h"

#include <math.h>

#include "mem.h"

/* Whether every objective has its reference. */
static int is_known(const locbo_outputs *outputs, const double *reference) {
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        if (locbo_outputs_get(outputs, i, &spec, NULL) != LOCBO_OK) return 0;
        if (spec.goal <= LOCBO_GOAL_MAXIMIZE && isnan(reference[i])) return 0;
    }
    return 1;
}

static locbo_status measure(locbo_optimizer *o, size_t n, double *values, double *reference, double *volume,
                            locbo_error *error) {
    const locbo_outputs *outputs = locbo_optimizer_outputs(o);
    locbo_status status = locbo_optimizer_reference(o, reference, error);
    *volume = (double)NAN;
    if (status != LOCBO_OK || !is_known(outputs, reference)) return status;
    status = locbo_optimizer_front(o, LOCBO_FRONT_MEASURED, n, NULL, NULL, values, NULL, &n, error);
    return status == LOCBO_OK ? locbo_hypervolume(outputs, n, values, reference, volume, error) : status;
}

locbo_status pareto_measured(locbo_optimizer *optimizer, uint64_t *points, double *volume, locbo_error *error) {
    size_t n = 0, width = locbo_outputs_count(locbo_optimizer_outputs(optimizer));
    double found = (double)NAN;
    locbo_status status = locbo_optimizer_front(optimizer, LOCBO_FRONT_MEASURED, 0, NULL, NULL, NULL, NULL, &n, error);
    if (status != LOCBO_OK) return status;
    double *values = mem_new(n * width, sizeof *values), *reference = mem_new(width, sizeof *reference);
    status = values && reference ? measure(optimizer, n, values, reference, &found, error) : status_no_memory(error);
    if (status == LOCBO_OK) {
        *points = n;
        *volume = found;
    }
    mem_free(values);
    mem_free(reference);
    return status;
}
