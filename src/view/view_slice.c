/* view_slice.c - predictions of the model along one parameter, and over two, the others fixed. Layer: view, answers.
 * Cost: O(n^2) for each point of the grid. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "axis.h"
#include "choice.h"
#include "mem.h"
#include "rows.h"
#include "json_build.h"
#include "value.h"
#include "views.h"

const char *const slice_keys[] = {"parameter", "at", "points", "output", NULL};
const char *const contour_keys[] = {"x", "y", "at", "points", "output", NULL};

enum { SLICE_POINTS = 101, SLICE_MOST = 500, CONTOUR_POINTS = 41, CONTOUR_MOST = 100 };

/* ---- the point of the other parameters ------------------------------------------------------- */

typedef struct point {
    const char *what;
    uint64_t trial; /* 0: none */
    double *x;
} point;

static locbo_status point_of_trial(cache *c, const char *text, point *p, locbo_error *error) {
    const trial_table *t;
    int64_t number;
    if (!value_whole(text, &number))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "at must be recommended, best or the number of a trial, got '%.60s'", text);
    locbo_status status = cache_trials(c, &t, error);
    if (status != LOCBO_OK) return status;
    if (number < 1 || (uint64_t)number > t->count)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "at: there is no trial %" PRId64, number);
    p->what = "trial";
    p->trial = (uint64_t)number;
    memcpy(p->x, t->x + (size_t)(number - 1) * t->dim, t->dim * sizeof *p->x);
    return LOCBO_OK;
}

/* How far a point of a front is from the best of every objective, each as a share of the range on the front. */
static double distance(const output_list *list, size_t n, const locbo_belief *beliefs, size_t at) {
    double sum = 0;
    for (size_t k = 0; k < list->count; k++) {
        double low = INFINITY, high = -INFINITY, mean = beliefs[at * list->count + k].mean;
        if (!output_list_is_objective(list, k)) continue;
        for (size_t i = 0; i < n; i++) {
            low = fmin(low, beliefs[i * list->count + k].mean);
            high = fmax(high, beliefs[i * list->count + k].mean);
        }
        double best = list->spec[k].goal == LOCBO_GOAL_MAXIMIZE ? high : low;
        if (high > low) sum += pow((mean - best) / (high - low), 2);
    }
    return sum;
}

/* The point of a front that the model believes nearest to the best of every objective. */
static locbo_status choose_middle(const output_list *list, locbo_optimizer *optimizer, locbo_front_by by, point *p,
                                  locbo_error *error) {
    size_t dim = locbo_space_dim(locbo_optimizer_space(optimizer)), count = 0, best = 0, most = CHOICE_FRONT;
    locbo_front_point *points = mem_new(most, sizeof *points);
    double *x = mem_new(most * dim, sizeof *x);
    locbo_belief *beliefs = mem_new(most * list->count, sizeof *beliefs);
    locbo_status status = points && x && beliefs ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK)
        status = locbo_optimizer_front(optimizer, by, most, points, x, NULL, beliefs, &count, error);
    if (status == LOCBO_ERR_STATE) status = LOCBO_ERR_NOTHING; /* no result has an objective */
    if (count > most) count = most;
    if (status == LOCBO_OK && count == 0)
        status = status_fail(error, LOCBO_ERR_NOTHING, "the front is empty: choose a trial by its number");
    for (size_t i = 1; i < count && status == LOCBO_OK; i++)
        if (distance(list, count, beliefs, i) < distance(list, count, beliefs, best)) best = i;
    if (status == LOCBO_OK) p->trial = points[best].trial;
    if (status == LOCBO_OK) memcpy(p->x, x + best * dim, dim * sizeof *p->x);
    mem_free(points);
    mem_free(x);
    mem_free(beliefs);
    return status;
}

static locbo_status point_of_choice(cache *c, int recommended, point *p, locbo_error *error) {
    const output_list *list = cache_outputs(c);
    locbo_optimizer *optimizer;
    locbo_choice choice = {.trial = 0};
    locbo_status status = cache_model(c, &optimizer, error);
    p->what = recommended ? "recommended" : "best";
    if (status == LOCBO_OK && list->objectives > 1)
        return choose_middle(list, optimizer, recommended ? LOCBO_FRONT_BELIEVED : LOCBO_FRONT_MEASURED, p, error);
    if (status == LOCBO_OK)
        status = recommended ? locbo_optimizer_recommend(optimizer, &choice, p->x, error)
                             : locbo_optimizer_best(optimizer, &choice, p->x, error);
    if (status == LOCBO_OK) p->trial = choice.trial;
    return status == LOCBO_ERR_STATE ? LOCBO_ERR_NOTHING : status; /* no result has the objective */
}

/* p->x is to be released. */
static locbo_status find_point(cache *c, const query *q, point *p, locbo_error *error) {
    const char *text = query_get(q, "at");
    int recommended = !text || strcmp(text, "recommended") == 0;
    *p = (point){.x = mem_new(locbo_space_dim(cache_space(c)), sizeof *p->x)};
    if (!p->x) return status_no_memory(error);
    if (recommended || strcmp(text, "best") == 0) return point_of_choice(c, recommended, p, error);
    return point_of_trial(c, text, p, error);
}

static json_t *point_json(const locbo_space *space, const point *p) {
    json_t *row = json_object();
    int bad = build_put(row, "what", json_string(p->what));
    bad |= build_put(row, "trial", p->trial ? build_count(p->trial) : json_null());
    bad |= build_put(row, "params", value_object(space, p->x));
    return build_finish(row, bad);
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* One or two axes, the first varying fastest, and the belief at each point of their grid. */
typedef struct field {
    cache *cache;
    size_t axes;
    axis axis[2];
    point at;
    size_t count, output;
    locbo_belief *beliefs;
    double *feasible; /* probability that all constraints hold; NULL without a table of outputs */
} field;

static void close_field(field *f) {
    for (size_t i = 0; i < 2; i++) axis_release(&f->axis[i]);
    mem_free(f->at.x);
    mem_free(f->beliefs);
    mem_free(f->feasible);
}

/* All points of the field, f->count rows of the space. */
static double *make_points(const field *f, size_t dim) {
    double *x = mem_new(f->count, dim * sizeof *x);
    for (size_t i = 0; x && i < f->count; i++) {
        const axis *first = &f->axis[0], *second = &f->axis[1];
        double *row = x + i * dim;
        memcpy(row, f->at.x, dim * sizeof *row);
        row[first->index] = first->grid[i % first->count];
        if (f->axes == 2) row[second->index] = second->grid[i / first->count];
    }
    return x;
}

/* Of all outputs, and of these the one that is asked for. */
static locbo_status predict_one(field *f, locbo_optimizer *optimizer, const double *x, locbo_error *error) {
    const output_list *list = cache_outputs(f->cache);
    if (!list->table) return locbo_optimizer_predict(optimizer, f->count, x, f->beliefs, error);
    locbo_belief *all = mem_new(f->count * list->count, sizeof *all);
    f->feasible = mem_new(f->count, sizeof *f->feasible);
    locbo_status status = all && f->feasible ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK) status = locbo_optimizer_predict_outputs(optimizer, f->count, x, all, f->feasible, error);
    for (size_t i = 0; i < f->count && status == LOCBO_OK; i++) f->beliefs[i] = all[i * list->count + f->output];
    mem_free(all);
    return status;
}

static locbo_status predict(field *f, locbo_error *error) {
    size_t dim = locbo_space_dim(cache_space(f->cache));
    locbo_optimizer *optimizer;
    locbo_status status = cache_model(f->cache, &optimizer, error);
    if (status != LOCBO_OK) return status;
    double *x = make_points(f, dim);
    f->beliefs = mem_new(f->count, sizeof *f->beliefs);
    if (!x || !f->beliefs)
        status = status_no_memory(error);
    else
        status = predict_one(f, optimizer, x, error);
    mem_free(x);
    if (status == LOCBO_OK && isnan(f->beliefs[0].mean))
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
    if (status == LOCBO_OK) status = find_point(f->cache, q, &f->at, error);
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
    bad |= build_put(row, "at", point_json(cache_space(f->cache), &f->at));
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
        int bad = build_put(row, "parameter", rows_parameter(&f.axis[0].parameter));
        bad |= build_put(row, "grid", grid_json(&f.axis[0]));
        status = finish(&f, row, bad, slice_columns, answer, error);
    }
    close_field(&f);
    return status;
}

static json_t *axis_json(const axis *a) {
    json_t *row = rows_parameter(&a->parameter);
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
        int bad = build_put(row, "x", axis_json(&f.axis[0])) | build_put(row, "y", axis_json(&f.axis[1]));
        status = finish(&f, row, bad, contour_columns, answer, error);
    }
    close_field(&f);
    return status;
}
