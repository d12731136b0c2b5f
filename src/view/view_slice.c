/* view_slice.c - predictions of the model along one parameter, and over two, the others fixed. Layer: view, answers.
 * Cost: O(n^2) for each point of the grid. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "axis.h"
#include "belief.h"
#include "mem.h"
#include "rows.h"
#include "slice_point.h"
#include "json_build.h"
#include "value.h"
#include "views.h"

const char *const slice_keys[] = {"parameter", "at", "points", "output", NULL};
const char *const contour_keys[] = {"x", "y", "at", "points", "output", NULL};

enum { SLICE_POINTS = 101, SLICE_MOST = 500, CONTOUR_POINTS = 41, CONTOUR_MOST = 100 };

/* ---- predictions ----------------------------------------------------------------------------- */

/* One or two axes, the first varying fastest, and the belief at each point of their grid. */
typedef struct field {
    cache *cache;
    size_t axes;
    axis axis[2];
    slice_point at;
    size_t count, output;
    size_t points;         /* of the grid, those that are points of the space */
    size_t *cell;          /* of each of them, its place in the grid */
    locbo_belief *beliefs; /* nothing is believed of the other places */
    double *feasible;      /* probability that all constraints hold; NULL without a table of outputs */
} field;

static void close_field(field *f) {
    for (size_t i = 0; i < 2; i++) axis_release(&f->axis[i]);
    slice_point_release(&f->at);
    mem_free(f->cell);
    mem_free(f->beliefs);
    mem_free(f->feasible);
}

/* The points of the field, f->points rows of the space, with f->cell; NULL without memory. */
static double *make_points(field *f, const locbo_space *space) {
    const axis *first = &f->axis[0], *second = &f->axis[1];
    size_t dim = locbo_space_dim(space);
    double *x = mem_new(f->count, dim * sizeof *x);
    f->cell = mem_new(f->count, sizeof *f->cell);
    for (size_t i = 0; x && f->cell && i < f->count; i++) {
        const double values[2] = {first->grid[i % first->count], f->axes == 2 ? second->grid[i / first->count] : 0};
        if (slice_point_move(&f->at, space, f->axes, f->axis, values, x + f->points * dim)) f->cell[f->points++] = i;
    }
    if (x && f->cell) return x;
    mem_free(x);
    return NULL;
}

/* Of all outputs, and of these the one that is asked for. */
static locbo_status predict_one(field *f, locbo_optimizer *optimizer, const double *x, locbo_error *error) {
    const output_list *list = cache_outputs(f->cache);
    size_t width = list->table ? list->count : 1;
    locbo_belief *all = mem_new(f->points * width, sizeof *all);
    double *feasible = mem_new(f->points, sizeof *feasible);
    locbo_status status = all && feasible ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK && !list->table) status = locbo_optimizer_predict(optimizer, f->points, x, all, error);
    if (status == LOCBO_OK && list->table)
        status = locbo_optimizer_predict_outputs(optimizer, f->points, x, all, feasible, error);
    for (size_t i = 0; i < f->points && status == LOCBO_OK; i++) {
        f->beliefs[f->cell[i]] = all[i * width + (list->table ? f->output : 0)];
        if (f->feasible) f->feasible[f->cell[i]] = feasible[i];
    }
    mem_free(all);
    mem_free(feasible);
    return status;
}

/* Room for the answers, with nothing in it. */
static int make_room(field *f) {
    int named = cache_outputs(f->cache)->table != NULL;
    f->beliefs = mem_new(f->count, sizeof *f->beliefs);
    f->feasible = named ? mem_new(f->count, sizeof *f->feasible) : NULL;
    for (size_t i = 0; f->beliefs && i < f->count; i++) f->beliefs[i] = BELIEF_NONE;
    for (size_t i = 0; f->feasible && i < f->count; i++) f->feasible[i] = (double)NAN;
    return f->beliefs && (!named || f->feasible);
}

static locbo_status predict(field *f, locbo_error *error) {
    locbo_optimizer *optimizer;
    locbo_status status = cache_model(f->cache, &optimizer, error);
    if (status != LOCBO_OK) return status;
    double *x = make_points(f, cache_space(f->cache));
    if (!x || !make_room(f))
        status = status_no_memory(error);
    else if (f->points == 0)
        status = status_fail(error, LOCBO_ERR_NOTHING,
                             "no point of it is one of the space: constraints do not hold, or a category is "
                             "retired");
    else
        status = predict_one(f, optimizer, x, error);
    mem_free(x);
    if (status == LOCBO_OK && isnan(f->beliefs[f->cell[0]].mean))
        status = status_fail(error, LOCBO_ERR_NOTHING, "the model could not be fitted");
    return status;
}

/* Of axes that have been found. All keys are checked before the model is computed. */
static locbo_status fill_field(field *f, const query *q, size_t most, size_t usual, locbo_error *error) {
    uint64_t points;
    locbo_status status = query_count(q, "points", 2, most, usual, &points, error);
    if (status == LOCBO_OK) status = output_list_read(cache_outputs(f->cache), q, 1, &f->output, error);
    f->count = 1;
    for (size_t i = 0; i < f->axes && status == LOCBO_OK; i++) {
        status = axis_divide(&f->axis[i], points, error);
        f->count *= f->axis[i].count;
    }
    if (status == LOCBO_OK) status = slice_point_find(&f->at, f->cache, q, f->axes, f->axis, error);
    return status == LOCBO_OK ? predict(f, error) : status;
}

/* ---- as JSON --------------------------------------------------------------------------------- */

typedef struct column {
    const char *name;
    size_t offset; /* in a belief */
} column;

#define COLUMN(field)                                                                                                  \
    { #field, offsetof(locbo_belief, field) }
static const column slice_columns[] = {COLUMN(mean),    COLUMN(sd_f),   COLUMN(f_low),     COLUMN(f_high),
                                       COLUMN(y_low),   COLUMN(y_high), COLUMN(threshold), COLUMN(acquisition),
                                       COLUMN(success), {NULL, 0}};
static const column contour_columns[] = {COLUMN(mean),        COLUMN(sd_f),    COLUMN(threshold),
                                         COLUMN(acquisition), COLUMN(success), {NULL, 0}};

static json_t *column_json(const field *f, size_t offset) {
    json_t *list = json_array();
    int bad = !list;
    for (size_t i = 0; i < f->count && !bad; i++) {
        double value;
        memcpy(&value, (const char *)&f->beliefs[i] + offset, sizeof value);
        bad = json_array_append_new(list, value_real(value));
    }
    return build_finish(list, bad);
}

static json_t *grid_cell(const void *source, size_t i) {
    const axis *a = source;
    return value_json(&a->parameter, a->grid[i]);
}

static json_t *grid_json(const axis *a) { return build_list(grid_cell, a, a->count, NULL); }

static json_t *feasible_cell(const void *source, size_t i) { return value_real(((const field *)source)->feasible[i]); }

/* Adds "at" and the columns to the answer; "output", "goal", "bound" and "feasible" if outputs have names. */
static locbo_status finish(const field *f, json_t *row, int bad, const column *columns, json_t **answer,
                           locbo_error *error) {
    const double *bounds;
    locbo_status status = cache_bounds(f->cache, &bounds, error);
    if (status != LOCBO_OK) {
        json_decref(row);
        return status;
    }
    bad |= build_put(row, "at", slice_point_json(&f->at, cache_space(f->cache)));
    for (const column *c = columns; c->name; c++) bad |= build_put(row, c->name, column_json(f, c->offset));
    bad |= output_list_put(row, cache_outputs(f->cache), f->output, bounds);
    if (f->feasible) bad |= build_put(row, "feasible", build_list(feasible_cell, f, f->count, NULL));
    return build_answer(row, bad, answer, error);
}

/* ---- the views ------------------------------------------------------------------------------- */

locbo_status view_slice(cache *c, const query *q, json_t **answer, locbo_error *error) {
    field f = {.cache = c, .axes = 1};
    locbo_status status = axis_find(&f.axis[0], cache_space(c), "parameter", query_get(q, "parameter"), error);
    if (status == LOCBO_OK) status = fill_field(&f, q, SLICE_MOST, SLICE_POINTS, error);
    if (status == LOCBO_OK) {
        json_t *row = json_object();
        int bad = build_put(row, "parameter", rows_parameter(cache_space(c), &f.axis[0].parameter));
        bad |= build_put(row, "grid", grid_json(&f.axis[0]));
        status = finish(&f, row, bad, slice_columns, answer, error);
    }
    close_field(&f);
    return status;
}

static json_t *axis_json(const locbo_space *space, const axis *a) {
    json_t *row = rows_parameter(space, &a->parameter);
    return build_finish(row, build_put(row, "grid", grid_json(a)));
}

static locbo_status find_axes(field *f, const query *q, locbo_error *error) {
    const locbo_space *space = cache_space(f->cache);
    locbo_status status = axis_find(&f->axis[0], space, "x", query_get(q, "x"), error);
    if (status == LOCBO_OK) status = axis_find(&f->axis[1], space, "y", query_get(q, "y"), error);
    if (status == LOCBO_OK && f->axis[0].index == f->axis[1].index)
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "x and y must be two parameters, both are '%.60s'",
                             f->axis[0].parameter.name);
    return status;
}

locbo_status view_contour(cache *c, const query *q, json_t **answer, locbo_error *error) {
    field f = {.cache = c, .axes = 2};
    locbo_status status = find_axes(&f, q, error);
    if (status == LOCBO_OK) status = fill_field(&f, q, CONTOUR_MOST, CONTOUR_POINTS, error);
    if (status == LOCBO_OK) {
        json_t *row = json_object();
        const locbo_space *space = cache_space(c);
        int bad = build_put(row, "x", axis_json(space, &f.axis[0])) | build_put(row, "y", axis_json(space, &f.axis[1]));
        status = finish(&f, row, bad, contour_columns, answer, error);
    }
    close_field(&f);
    return status;
}
