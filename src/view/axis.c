/* axis.c - the grid along a parameter. Layer: view, shapes. Cost: linear in the points. */
#include "axis.h"

#include <math.h>
#include <stdio.h>
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
        int fits = used + strlen(p.name) + 8 < NAMES;
        used += (size_t)snprintf(names + used, NAMES - used, "%s%s", i ? ", " : "", fits ? p.name : "...");
        if (!fits) return;
    }
}

locbo_status axis_find(axis *a, const locbo_space *space, const char *key, const char *name, locbo_error *error) {
    char names[NAMES];
    size_t index;
    if (name && locbo_space_find(space, name, &index, NULL) == LOCBO_OK) {
        *a = (axis){.index = index};
        return locbo_space_parameter(space, index, &a->parameter, error);
    }
    list_names(space, names);
    if (!name) return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must name a parameter: one of %s", key, names);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s: there is no parameter '%.60s': it must be one of %s", key, name,
                       names);
}

/* ---- the values ------------------------------------------------------------------------------ */

/* low + t (high - low) for t from 0 to 1, or the same of the logarithms; low and high exactly. */
static double value_at(const locbo_parameter *p, double t) {
    if (t <= 0) return p->low;
    if (t >= 1) return p->high;
    double value =
        p->scale == LOCBO_LOG ? exp(log(p->low) * (1 - t) + log(p->high) * t) : p->low * (1 - t) + p->high * t;
    return fmin(fmax(value, p->low), p->high);
}

/* Two points may round to the same value: it is added once. */
static void divide(axis *a, size_t steps) {
    for (size_t i = 0; i <= steps; i++) {
        double value = value_at(&a->parameter, steps ? (double)i / (double)steps : 0);
        if (a->parameter.kind != LOCBO_REAL) value = round(value);
        if (a->count == 0 || value > a->grid[a->count - 1]) a->grid[a->count++] = value;
    }
}

static void count_up(axis *a, size_t values) {
    for (size_t i = 0; i < values; i++) a->grid[i] = a->parameter.low + (double)i;
    a->count = values;
}

locbo_status axis_divide(axis *a, size_t points, locbo_error *error) {
    const locbo_parameter *p = &a->parameter;
    double values = p->kind == LOCBO_REAL ? INFINITY : p->high - p->low + 1;
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
