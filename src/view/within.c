/* within.c - ranges of the parameters around the recommended point, by predictions along each of them. Layer: view,
 * facts. f at z is near the best with probability `level` if mean(z) + q sd_f(z) <= mean(x) + delta (minimised), where
 * q is the quantile of the standard normal law at `level`. */
#include "within.h"

#include <math.h>
#include <string.h>

#include "axis.h"
#include "json_build.h"
#include "mem.h"
#include "rows.h"
#include "value.h"

/* Bisection of Phi(q) = erfc(-q / sqrt(2)) / 2: it is needed once, so it may be slow. */
static double quantile(double level) {
    double low = -40, high = 40;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (erfc(-middle / sqrt(2)) / 2 < level)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

typedef struct judge {
    locbo_optimizer *optimizer;
    size_t dim, outputs, objective;
    double sign; /* -1: maximised */
    double q, most;
} judge;

/* Beliefs of the objective at n points. */
static locbo_status predict(const judge *j, size_t n, const double *x, locbo_belief *beliefs, locbo_error *error) {
    locbo_belief *all = mem_new(n * j->outputs, sizeof *all);
    locbo_status status =
        all ? locbo_optimizer_predict_outputs(j->optimizer, n, x, all, NULL, error) : status_no_memory(error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) beliefs[i] = all[i * j->outputs + j->objective];
    mem_free(all);
    return status;
}

static int is_near(const judge *j, const locbo_belief *b) { return j->sign * b->mean + j->q * b->sd_f <= j->most; }

static json_t *range_json(const axis *a, const char *near, double at) {
    const locbo_parameter *p = &a->parameter;
    size_t first = 0, last;
    json_t *row = json_object();
    int bad = build_put(row, "name", json_string(p->name));
    while (first + 1 < a->count && a->grid[first] < at) first++; /* the recommended value is in the grid */
    last = first;
    while (near[first] && first > 0 && near[first - 1]) first--;
    while (near[last] && last + 1 < a->count && near[last + 1]) last++;
    bad |= build_put(row, "low", near[first] ? value_json(p, a->grid[first]) : json_null());
    bad |= build_put(row, "high", near[last] ? value_json(p, a->grid[last]) : json_null());
    bad |= build_put(row, "values", json_null());
    return build_finish(row, bad);
}

static json_t *categories_json(const axis *a, const char *near) {
    json_t *row = json_object(), *values = json_array();
    int bad = build_put(row, "name", json_string(a->parameter.name));
    for (size_t i = 0; i < a->count; i++)
        if (near[i]) bad |= json_array_append_new(values, value_json(&a->parameter, a->grid[i])) != 0;
    bad |= build_put(row, "low", json_null());
    bad |= build_put(row, "high", json_null());
    bad |= build_put(row, "values", values);
    return build_finish(row, bad);
}

/* The grid with the recommended value in it, where it may be missing. */
static locbo_status add_value(axis *a, double at, locbo_error *error) {
    double *grid = mem_new(a->count + 1, sizeof *grid);
    size_t n = 0, i = 0;
    if (!grid) return status_no_memory(error);
    for (; i < a->count && a->grid[i] < at; i++) grid[n++] = a->grid[i];
    grid[n++] = at;
    for (i += i < a->count && a->grid[i] == at; i < a->count; i++) grid[n++] = a->grid[i];
    mem_free(a->grid);
    a->grid = grid;
    a->count = n;
    return LOCBO_OK;
}

/* Point i of the grid. 0: the space has no such point, as where another parameter would become active; x stands in its
 * place. */
static int put_point(const judge *j, const axis *a, size_t i, const double *x, double *points) {
    double *to = points + i * j->dim;
    memcpy(to, x, j->dim * sizeof *x);
    to[a->index] = a->grid[i];
    if (locbo_space_check(locbo_optimizer_space(j->optimizer), to, NULL) == LOCBO_OK) return 1;
    to[a->index] = x[a->index];
    return 0;
}

static locbo_status find_range(const judge *j, axis *a, const double *x, json_t **row, locbo_error *error) {
    locbo_status status = axis_divide(a, WITHIN_POINTS, error);
    if (status == LOCBO_OK) status = add_value(a, x[a->index], error);
    if (status != LOCBO_OK) return status;
    double *points = mem_new(a->count * j->dim, sizeof *points);
    locbo_belief *beliefs = mem_new(a->count, sizeof *beliefs);
    char *near = mem_new(a->count, 1);
    status = points && beliefs && near ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; status == LOCBO_OK && i < a->count; i++) near[i] = (char)put_point(j, a, i, x, points);
    if (status == LOCBO_OK) status = predict(j, a->count, points, beliefs, error);
    for (size_t i = 0; status == LOCBO_OK && i < a->count; i++) near[i] = (char)(near[i] && is_near(j, &beliefs[i]));
    if (status == LOCBO_OK) {
        int categories = a->parameter.kind == LOCBO_CATEGORICAL;
        *row = categories ? categories_json(a, near) : range_json(a, near, x[a->index]);
        if (!*row) status = status_no_memory(error);
    }
    mem_free(points);
    mem_free(beliefs);
    mem_free(near);
    return status;
}

static locbo_status list_ranges(const judge *j, const double *x, json_t *list, locbo_error *error) {
    const locbo_space *space = locbo_optimizer_space(j->optimizer);
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < j->dim && status == LOCBO_OK; i++) {
        axis a = {.index = i};
        json_t *row = NULL;
        status = locbo_space_parameter(space, i, &a.parameter, error);
        if (status == LOCBO_OK && isnan(x[i])) /* not active there */
            row = json_pack("{s:s, s:n, s:n, s:n}", "name", a.parameter.name, "low", "high", "values");
        else if (status == LOCBO_OK)
            status = find_range(j, &a, x, &row, error);
        if (status == LOCBO_OK && json_array_append_new(list, row) != 0) status = status_no_memory(error);
        axis_release(&a);
    }
    return status;
}

locbo_status within_find(locbo_optimizer *optimizer, const locbo_outputs *outputs, const double *x, double delta,
                         double level, json_t **made, locbo_error *error) {
    locbo_options options = {.struct_size = sizeof options};
    locbo_belief at;
    judge j = {.optimizer = optimizer,
               .dim = locbo_space_dim(locbo_optimizer_space(optimizer)),
               .outputs = outputs ? locbo_outputs_count(outputs) : 1,
               .objective = rows_first_objective(outputs),
               .q = quantile(level)};
    locbo_status status = locbo_optimizer_options(optimizer, &options, error);
    if (status == LOCBO_OK) status = predict(&j, 1, x, &at, error);
    if (status == LOCBO_OK && isnan(at.mean)) return status_fail(error, LOCBO_ERR_NOTHING, "there is no model yet");
    if (status != LOCBO_OK) return status;
    j.sign = options.direction == LOCBO_MAXIMIZE ? -1 : 1;
    j.most = j.sign * at.mean + delta;
    json_t *row = json_object(), *list = json_array();
    int bad = !row || !list || build_put(row, "delta", value_real(delta)) || build_put(row, "level", value_real(level));
    status = bad ? status_no_memory(error) : list_ranges(&j, x, list, error);
    if (status == LOCBO_OK && json_object_set(row, "parameters", list) != 0) status = status_no_memory(error);
    json_decref(list);
    if (status == LOCBO_OK)
        *made = row;
    else
        json_decref(row);
    return status == LOCBO_OK ? status_ok(error) : status;
}
