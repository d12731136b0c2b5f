/* axis.c - the grid along a parameter. Layer: view, shapes. Cost: linear in the points. */
#include "axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

/* ---- the parameter --------------------------------------------------------------------------- */

enum { NAMES = 140 };

/* "x, rate, mode" as far as there is room, then "...". */
static void list_names(const locbo_space *space, char names[NAMES]) {
    size_t used = 0;
    names[0] = '\0';
    for (size_t i = 0; i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        if (locbo_space_parameter(space, i, &p, NULL) != LOCBO_OK) return;
        if (!isnan(p.frozen)) continue;
        int fits = used + strlen(p.name) + 8 < NAMES;
        used += (size_t)snprintf(names + used, NAMES - used, "%s%s", used ? ", " : "", fits ? p.name : "...");
        if (!fits) return;
    }
}

locbo_status axis_find(axis *a, const locbo_space *space, const char *key, const char *name, locbo_error *error) {
    char names[NAMES];
    size_t index;
    locbo_parameter found;
    int is_found = name && locbo_space_find(space, name, &index, NULL) == LOCBO_OK &&
                   locbo_space_parameter(space, index, &found, NULL) == LOCBO_OK;
    if (is_found && isnan(found.frozen)) {
        *a = (axis){.index = index, .parameter = found};
        return status_ok(error);
    }
    list_names(space, names);
    if (is_found)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s: the parameter '%.60s' is frozen: it must be one of %s", key,
                           name, *names ? names : "none");
    if (!name) return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must name a parameter: one of %s", key, names);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s: there is no parameter '%.60s': it must be one of %s", key, name,
                       names);
}

/* ---- the values ------------------------------------------------------------------------------ */

/* low + t (high - low) for t from 0 to 1, or the same of the logarithms, from 0 on of log(1 + x); low and high exactly.
 */
static double value_at(const locbo_parameter *p, double t) {
    if (t <= 0) return p->low;
    if (t >= 1) return p->high;
    double value = p->low * (1 - t) + p->high * t, shift = p->low > 0 ? 0 : 1;
    if (p->scale == LOCBO_LOG && p->count == 0)
        value = exp(log(p->low + shift) * (1 - t) + log(p->high + shift) * t) - shift;
    return fmin(fmax(value, p->low), p->high);
}

/* Between two values of a parameter that has not all: 0: it has all. */
static double step_of(const locbo_parameter *p) { return p->step > 0 ? p->step : p->kind != LOCBO_REAL; }

/* Value number k of a parameter with steps, without the last digits that only come from rounding: 0.15 is no
 * 0.15000000000000002. */
static double step_at(const locbo_parameter *p, double k) {
    char text[32];
    double value = p->low + k * step_of(p);
    snprintf(text, sizeof text, "%.12g", value);
    double shorter = strtod(text, NULL);
    if (fabs(shorter - value) < 1e-9 * step_of(p)) value = shorter;
    return fmin(fmax(value, p->low), p->high);
}

/* Two points may round to the same value: it is added once. */
static void divide(axis *a, size_t steps) {
    const locbo_parameter *p = &a->parameter;
    for (size_t i = 0; i <= steps; i++) {
        double value = value_at(p, steps ? (double)i / (double)steps : 0);
        if (step_of(p) > 0) value = step_at(p, round((value - p->low) / step_of(p)));
        if (a->count == 0 || value > a->grid[a->count - 1]) a->grid[a->count++] = value;
    }
}

static void count_up(axis *a, size_t values) {
    for (size_t i = 0; i < values; i++) a->grid[i] = step_at(&a->parameter, (double)i);
    a->count = values;
}

locbo_status axis_divide(axis *a, size_t points, locbo_error *error) {
    const locbo_parameter *p = &a->parameter;
    double values = step_of(p) > 0 ? round((p->high - p->low) / step_of(p)) + 1 : INFINITY;
    double *grid = mem_new(points, sizeof *grid);
    if (!grid) return status_no_memory(error);
    mem_free(a->grid);
    a->grid = grid;
    a->count = 0;
    if (values <= (double)points)
        count_up(a, (size_t)values);
    else
        divide(a, points - 1);
    return status_ok(error);
}

void axis_release(axis *a) {
    mem_free(a->grid);
    a->grid = NULL;
    a->count = 0;
}
