/* plot.c - the kinds of figures of a study, and what they share. Layer: plot. */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "rows.h"
#include "thin.h"
#include "views.h"

/* More symbols than this overlap, and make a large file. */
enum { SYMBOLS = 2000, QUESTIONS = 6 };

const plot_kind *const plot_kinds[] = {
    &plot_history,    &plot_intervals, &plot_calibration, &plot_slice,       &plot_contour,
    &plot_importance, &plot_curves,    &plot_pareto,      &plot_hypervolume, NULL};

/* ---- views ----------------------------------------------------------------------------------- */

/* {"nothing": why} becomes an error. */
static locbo_status check_nothing(json_t **answer, locbo_error *error) {
    const char *why = json_string_value(json_object_get(*answer, "nothing"));
    if (!why) return LOCBO_OK;
    locbo_status status = status_fail(error, LOCBO_ERR_NOTHING, "%s", why);
    json_decref(*answer);
    *answer = NULL;
    return status;
}

locbo_status plot_ask(plot *p, const char *name, const plot_question *questions, json_t **answer, locbo_error *error) {
    query_item items[QUESTIONS];
    query q = {.items = items};
    for (; questions && questions->key && q.count < QUESTIONS; questions++)
        if (questions->value) items[q.count++] = (query_item){questions->key, questions->value};
    locbo_status status = view_answer(view_find(name), p->cache, &q, answer, error);
    return status == LOCBO_OK ? check_nothing(answer, error) : status;
}

size_t plot_length(const json_t *object, const char *key) { return json_array_size(json_object_get(object, key)); }

json_t *plot_cell(const json_t *object, const char *key, size_t i) {
    return json_array_get(json_object_get(object, key), i);
}

plot_column plot_numbers(plot *p, const json_t *object, const char *key) {
    size_t n = plot_length(object, key);
    double *numbers = canvas_doubles(&p->canvas, n);
    if (!numbers) return (plot_column){0, NULL};
    for (size_t i = 0; i < n; i++) numbers[i] = rows_real(plot_cell(object, key, i));
    return (plot_column){n, numbers};
}

/* ---- outputs --------------------------------------------------------------------------------- */

size_t plot_output(const plot *p) {
    const output_list *list = cache_outputs(p->cache);
    size_t found = list->first;
    if (p->output) locbo_outputs_find(list->table, p->output, &found, NULL);
    return found;
}

const char *plot_output_name(const plot *p) {
    const output_list *list = cache_outputs(p->cache);
    return list->table ? list->spec[plot_output(p)].name : "value";
}

const char *plot_output_label(plot *p, size_t which) {
    const output_list *list = cache_outputs(p->cache);
    const char *name = list->table ? list->spec[which].name : "value";
    int larger = list->table ? list->spec[which].goal == LOCBO_GOAL_MAXIMIZE : cache_maximizes(p->cache);
    if (!output_list_is_objective(list, which)) return name;
    return canvas_text(&p->canvas, "%s (%s is better)", name, larger ? "larger" : "smaller");
}

const char *plot_output_column(plot *p, size_t which, const char *others) {
    const output_list *list = cache_outputs(p->cache);
    if (!list->table) return "value";
    const char *word = canvas_text(&p->canvas, " %s ", list->spec[which].name);
    if (!word || !strstr(others, word)) return list->spec[which].name;
    return canvas_text(&p->canvas, "outputs.%s", list->spec[which].name);
}

void plot_bound(plot *p, double from, double to) {
    double bound = rows_real_of(p->answer, "bound");
    const char *goal = json_string_value(json_object_get(p->answer, "goal"));
    if (isnan(bound) || !goal) return;
    figure_series like = {
        .name = canvas_text(&p->canvas, "bound, at %s %.6g", strcmp(goal, "at_most") == 0 ? "most" : "least", bound),
        .colour = FIGURE_BLACK,
        .dashed = 1};
    canvas_line(&p->canvas, like, (double[]){from, bound}, (double[]){to, bound});
}

/* ---- parameters ------------------------------------------------------------------------------ */

typedef struct weight {
    size_t index;
    double importance;
} weight;

static int by_importance(const void *a, const void *b) {
    const weight *p = a, *q = b;
    if (p->importance != q->importance) return p->importance < q->importance ? 1 : -1;
    return p->index < q->index ? -1 : 1;
}

/* A frozen parameter is no axis. */
static int is_frozen(const plot *p, size_t index) {
    locbo_parameter found;
    return locbo_space_parameter(cache_space(p->cache), index, &found, NULL) == LOCBO_OK && !isnan(found.frozen);
}

/* All 0 while there are no length scales; frozen parameters come last. */
static locbo_status read_weights(plot *p, size_t dim, weight *weights, locbo_error *error) {
    json_t *answer = NULL;
    const plot_question questions[] = {{"output", p->output}, {NULL, NULL}};
    locbo_status status = plot_ask(p, "importance", questions, &answer, error);
    if (status != LOCBO_OK && status != LOCBO_ERR_NOTHING) return status;
    const json_t *list = json_object_get(answer, "parameters");
    for (size_t i = 0; i < dim; i++) {
        double found = rows_real_of(json_array_get(list, i), "total");
        weights[i] = (weight){i, is_frozen(p, i) ? -INFINITY : isnan(found) ? 0 : found};
    }
    json_decref(answer);
    return LOCBO_OK;
}

locbo_status plot_ranking(plot *p, size_t **ranking, locbo_error *error) {
    size_t dim = locbo_space_dim(cache_space(p->cache));
    weight *weights = mem_new(dim, sizeof *weights);
    size_t *order = mem_new(dim, sizeof *order);
    locbo_status status = weights && order ? read_weights(p, dim, weights, error) : status_no_memory(error);
    if (status == LOCBO_OK) {
        qsort(weights, dim, sizeof *weights, by_importance);
        for (size_t i = 0; i < dim; i++) order[i] = weights[i].index;
    }
    mem_free(weights);
    if (status != LOCBO_OK) mem_free(order);
    if (status == LOCBO_OK) *ranking = order;
    return status;
}

int plot_is_named(const locbo_parameter *parameter) { return parameter->count > 0 || parameter->kind == LOCBO_BOOL; }

/* Categories are at their indices, from 0. */
static void name_axis(plot *p, figure_panel *panel, const locbo_parameter *parameter, int on_y) {
    static const char *const bools[] = {"false", "true"};
    size_t count = parameter->count ? parameter->count : 2;
    const char *const *names = parameter->count ? parameter->categories : bools;
    double *at = canvas_doubles(&p->canvas, count);
    for (size_t i = 0; at && i < count; i++) at[i] = (double)i;
    if (!at) return;
    if (on_y) {
        panel->more_tics = count;
        panel->more_at = at;
        panel->more_name = names;
    } else {
        panel->tics = count;
        panel->tic_at = at;
        panel->tic_name = names;
    }
}

/* A logarithmic axis has no 0. */
static int is_log_axis(const locbo_parameter *p) { return p->scale == LOCBO_LOG && p->low > 0 && p->count == 0; }

void plot_axis(plot *p, figure_panel *panel, const locbo_parameter *parameter, int on_y) {
    const char *label = canvas_text(&p->canvas, "%s", parameter->name);
    double low = parameter->low, high = parameter->high;
    double step = parameter->step > 0 ? parameter->step : parameter->kind != LOCBO_REAL;
    int is_log = is_log_axis(parameter);
    if (step > 0) { /* room for whole cells and symbols at both ends */
        low = is_log ? low / sqrt(1 + 1 / low) : low - step / 2;
        high = is_log ? high * sqrt(1 + 1 / high) : high + step / 2;
    }
    *(on_y ? &panel->y_label : &panel->x_label) = label;
    *(on_y ? &panel->y_low : &panel->x_low) = low;
    *(on_y ? &panel->y_high : &panel->x_high) = high;
    *(on_y ? &panel->log_y : &panel->log_x) = is_log;
    if (plot_is_named(parameter)) name_axis(p, panel, parameter, on_y);
}

/* ---- results --------------------------------------------------------------------------------- */

/* The indices of the trials that have a value. */
static size_t *list_valued(const trial_table *t, size_t which, size_t *count) {
    size_t *rows = mem_new(t->count, sizeof *rows);
    *count = 0;
    for (size_t i = 0; rows && i < t->count; i++)
        if (isfinite(trial_table_output(t, i, which).value)) rows[(*count)++] = i;
    return rows;
}

static int copy_results(plot *p, const trial_table *t, const size_t *row, const size_t *chosen, plot_results *r) {
    double *x = canvas_doubles(&p->canvas, r->n * t->dim);
    double *value = canvas_doubles(&p->canvas, r->n);
    if (!x || !value) return 0;
    for (size_t i = 0; i < r->n; i++) {
        size_t at = row[chosen[i]];
        memcpy(x + i * t->dim, t->x + at * t->dim, t->dim * sizeof *x);
        value[i] = trial_table_output(t, at, plot_output(p)).value;
    }
    r->x = x;
    r->value = value;
    return 1;
}

locbo_status plot_find_results(plot *p, locbo_error *error) {
    const trial_table *t;
    size_t count, *chosen = NULL;
    plot_results r = {0};
    locbo_status status = cache_trials(p->cache, &t, error);
    if (status != LOCBO_OK) return status;
    size_t *rows = list_valued(t, plot_output(p), &count);
    if (!rows) return status_no_memory(error);
    status = thin_evenly(count, SYMBOLS, &chosen, &r.n, error);
    if (status == LOCBO_OK && !copy_results(p, t, rows, chosen, &r)) status = status_no_memory(error);
    mem_free(chosen);
    mem_free(rows);
    if (status == LOCBO_OK) p->results = r;
    return status;
}

const figure_series plot_below = {
    .name = "below full fidelity", .kind = FIGURE_POINTS, .colour = FIGURE_TEAL, .mark = 10};

static void draw_results(plot *p, figure_series like, const double *x, const double *y, int below) {
    const plot_results *r = &p->results;
    size_t dim = locbo_space_dim(cache_space(p->cache)), n = 0, k = 0;
    rows_fidelity fidelity = rows_fidelity_of(cache_space(p->cache));
    for (size_t i = 0; i < r->n; i++) n += rows_is_below(fidelity, r->x + i * dim) == below;
    if (n == 0 || !x || !y) return;
    canvas_numbers to = canvas_series(&p->canvas, like, n, 0);
    for (size_t i = 0; i < r->n && k < to.n; i++) {
        if (rows_is_below(fidelity, r->x + i * dim) != below) continue;
        to.x[k] = x[i];
        to.y[k++] = y[i];
    }
}

void plot_draw_results(plot *p, figure_series like, const double *x, const double *y) {
    draw_results(p, plot_below, x, y, 1);
    draw_results(p, like, x, y, 0);
}

const char *plot_level(plot *p) {
    double alpha = cache_definition(p->cache)->options->alpha;
    return canvas_text(&p->canvas, "%.4g %%", 100 * (1 - alpha));
}
