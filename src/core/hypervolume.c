/* hypervolume.c - the volume between a reference point and a Pareto front, in the user's units and directions.
 * Layer: core, above front. Cost: that of front_volume. */
#include <math.h>
#include <string.h>

#include "front.h"
#include "mem.h"
#include "outputs.h"

/* Whether a vector has all objectives and holds all constraints whose bounds are plain numbers. */
static int counts(const locbo_outputs *outputs, const double *value) {
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        const locbo_output_spec *spec = outputs_at(outputs, i);
        double sign = outputs_sign(spec);
        if (outputs_is_objective(spec) && !isfinite(value[i])) return 0;
        if (outputs_is_constraint(spec) && !spec->baseline && !(sign * value[i] >= sign * spec->bound)) return 0;
    }
    return 1;
}

/* The objectives of a vector, larger is better. Returns how many. */
static size_t take_objectives(const locbo_outputs *outputs, const double *value, double *y) {
    size_t m = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++)
        if (outputs_is_objective(outputs_at(outputs, i))) y[m++] = outputs_sign(outputs_at(outputs, i)) * value[i];
    return m;
}

locbo_status locbo_hypervolume(const locbo_outputs *outputs, size_t n, const double *values, const double *reference,
                               double *volume, locbo_error *error) {
    if (!outputs || (n > 0 && !values) || !reference || !volume)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "outputs, values, reference and volume must not be NULL");
    locbo_status status = locbo_outputs_check(outputs, error);
    if (status != LOCBO_OK) return status;
    double r[OUTPUTS_OBJECTIVES];
    size_t m = take_objectives(outputs, reference, r), kept = 0, count = locbo_outputs_count(outputs);
    for (size_t i = 0; i < count; i++)
        if (outputs_is_objective(outputs_at(outputs, i)) && !isfinite(reference[i]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "the reference of output '%.40s' must be finite, got %g",
                               outputs_at(outputs, i)->name, reference[i]);
    double *y = mem_new(n * m, sizeof *y);
    if (!y) return status_no_memory(error);
    for (size_t i = 0; i < n; i++)
        if (counts(outputs, values + i * count)) take_objectives(outputs, values + i * count, y + kept++ * m);
    status = front_volume(m, kept, y, r, volume, error);
    mem_free(y);
    return status == LOCBO_OK ? status_ok(error) : status;
}
