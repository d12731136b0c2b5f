/* plot_slice.c - predictions of the model along one parameter. Layer: plot. */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "plot.h"
#include "rows.h"
#include "value.h"

static const char *name_of(const plot *p) {
    return json_string_value(json_object_get(json_object_get(p->answer, "parameter"), "name"));
}

/* The parameter, and its index in the space. */
static locbo_parameter parameter_of(const plot *p, size_t *index) {
    const locbo_space *space = cache_space(p->cache);
    locbo_parameter found = {0};
    *index = 0;
    if (locbo_space_find(space, name_of(p), index, NULL) == LOCBO_OK)
        locbo_space_parameter(space, *index, &found, NULL);
    return found;
}

static locbo_status ask(plot *p, const char *name, locbo_error *error) {
    const plot_question questions[] = {
        {"parameter", name}, {"at", p->at}, {"points", "201"}, {"output", p->output}, {NULL, NULL}};
    return plot_ask(p, "slice", questions, &p->answer, error);
}

static locbo_status ask_first(plot *p, locbo_error *error) {
    size_t *ranking;
    locbo_parameter first;
    locbo_status status = plot_ranking(p, &ranking, error);
    if (status != LOCBO_OK) return status;
    status = locbo_space_parameter(cache_space(p->cache), ranking[0], &first, error);
    mem_free(ranking);
    return status == LOCBO_OK ? ask(p, first.name, error) : status;
}

static locbo_status gather(plot *p, locbo_error *error) {
    locbo_status status = p->parameter ? ask(p, p->parameter, error) : ask_first(p, error);
    return status == LOCBO_OK ? plot_find_results(p, error) : status;
}

/* ---- the figure ------------------------------------------------------------------------------ */

/* The grid as numbers: of categories, their indices. */
static plot_column grid_of(plot *p, const locbo_parameter *parameter) {
    size_t n = plot_length(p->answer, "grid");
    double *numbers = canvas_doubles(&p->canvas, n);
    if (!numbers) return (plot_column){0, NULL};
    for (size_t i = 0; i < n; i++) value_from_json(parameter, plot_cell(p->answer, "grid", i), &numbers[i], NULL);
    return (plot_column){n, numbers};
}

/* Columns of the answer over the grid. */
static void draw_belief(plot *p, figure_series like, plot_column grid, const char *low, const char *high) {
    plot_column mean = plot_numbers(p, p->answer, "mean");
    plot_column below = plot_numbers(p, p->answer, low), above = plot_numbers(p, p->answer, high);
    canvas_numbers to = canvas_series(&p->canvas, like, grid.n, 1);
    for (size_t i = 0; i < to.n && i < mean.n && i < below.n && i < above.n; i++) {
        to.x[i] = grid.at[i];
        to.y[i] = mean.at[i];
        to.low[i] = below.at[i];
        to.high[i] = above.at[i];
    }
}

static void include(double range[2], plot_column c) {
    for (size_t i = 0; i < c.n; i++)
        if (isfinite(c.at[i])) {
            range[0] = fmin(range[0], c.at[i]);
            range[1] = fmax(range[1], c.at[i]);
        }
}

static const char *point_name(plot *p) {
    const json_t *at = json_object_get(p->answer, "at");
    const char *what = json_string_value(json_object_get(at, "what"));
    if (strcmp(what, "trial") != 0)
        return cache_outputs(p->cache)->objectives > 1 ? "in the middle of the front" : what;
    json_int_t trial = json_integer_value(json_object_get(at, "trial"));
    return canvas_text(&p->canvas, "trial %lld", (long long)trial);
}

/* The value of this parameter at the point that fixes the others: a line, or for a category a text. */
static void draw_point(plot *p, figure_panel *panel, const locbo_parameter *parameter, const double range[2]) {
    const json_t *params = json_object_get(json_object_get(p->answer, "at"), "params");
    json_t *value = json_object_get(params, parameter->name);
    figure_series like = {.name = point_name(p), .colour = FIGURE_ORANGE, .dashed = 1};
    double x;
    if (json_is_null(value) || value_from_json(parameter, value, &x, NULL) != LOCBO_OK) return;
    if (plot_is_named(parameter)) {
        char *text = value_text(parameter, x);
        panel->x_label = canvas_text(&p->canvas, "%s (%s: %s)", parameter->name, like.name, text ? text : "");
        mem_free(text);
    } else
        canvas_line(&p->canvas, like, (double[]){x, range[0]}, (double[]){x, range[1]});
}

/* The range of the predictions, with a margin. Results were measured at other values of the other parameters and may be
 * far away: they extend the range by at most its width; without other parameters, all are shown. */
static void find_range(plot *p, double range[2]) {
    static const char *const keys[] = {"mean", "f_low", "f_high", "y_low", "y_high"};
    double all[2] = {INFINITY, -INFINITY};
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) include(range, plot_numbers(p, p->answer, keys[i]));
    memcpy(all, range, sizeof all);
    include(all, (plot_column){p->results.n, p->results.value});
    double near = locbo_space_dim(cache_space(p->cache)) > 1 ? range[1] - range[0] : INFINITY;
    double pad = all[1] > all[0] ? 0.04 * (range[1] - range[0]) : 1;
    range[0] = fmax(all[0], range[0] - near) - pad;
    range[1] = fmin(all[1], range[1] + near) + pad;
}

/* The label says how many are not shown. */
static const char *results_name(plot *p, const double range[2]) {
    size_t beyond = 0;
    for (size_t i = 0; i < p->results.n; i++)
        beyond += p->results.value[i] < range[0] || p->results.value[i] > range[1];
    if (locbo_space_dim(cache_space(p->cache)) == 1) return "results";
    if (beyond == 0) return "results, projected";
    return canvas_text(&p->canvas, "results, projected (%zu not shown)", beyond);
}

/* Beside the bars of categories. */
static void draw_results(plot *p, const locbo_parameter *parameter, size_t index, const double range[2]) {
    double aside = plot_is_named(parameter) ? 0.15 : 0;
    const plot_results *results = &p->results;
    size_t dim = locbo_space_dim(cache_space(p->cache));
    figure_series like = {.name = results_name(p, range), .kind = FIGURE_POINTS, .colour = FIGURE_BLACK, .mark = 6};
    double *x = canvas_doubles(&p->canvas, results->n);
    for (size_t i = 0; x && i < results->n; i++) x[i] = results->x[i * dim + index] + aside;
    plot_draw_results(p, like, x, results->value);
}

/* Bands along a number; bars at categories. */
static void draw_beliefs(plot *p, const locbo_parameter *parameter) {
    int named = plot_is_named(parameter);
    const char *level = plot_level(p);
    figure_series y = {.name = canvas_text(&p->canvas, "measurement, %s", level),
                       .kind = named ? FIGURE_POINTS : FIGURE_FILL,
                       .colour = FIGURE_GREY,
                       .mark = 12};
    figure_series f = {.name = canvas_text(&p->canvas, "mean and %s of f", level),
                       .kind = named ? FIGURE_POINTS : FIGURE_LINE,
                       .colour = FIGURE_BLUE,
                       .mark = 2};
    plot_column grid = grid_of(p, parameter);
    draw_belief(p, y, grid, "y_low", "y_high");
    draw_belief(p, f, grid, "f_low", "f_high");
}

static void draw(plot *p) {
    size_t index;
    locbo_parameter parameter = parameter_of(p, &index);
    double range[2];
    find_range(p, range);
    figure_panel *panel = canvas_panel(&p->canvas, NULL);
    plot_axis(p, panel, &parameter, 0);
    panel->y_label = plot_output_name(p);
    panel->y_low = range[0];
    panel->y_high = range[1];
    panel->key = FIGURE_KEY_BESIDE;
    draw_beliefs(p, &parameter);
    draw_results(p, &parameter, index, range);
    if (rows_real_of(p->answer, "bound") >= range[0] && rows_real_of(p->answer, "bound") <= range[1])
        plot_bound(p, panel->x_low, panel->x_high);
    draw_point(p, panel, &parameter, range);
}

/* ---- the numbers ----------------------------------------------------------------------------- */

static void list(plot *p, output *to) {
    static const char *const keys[] = {"mean",   "sd_f",      "f_low",       "f_high",  "y_low",
                                       "y_high", "threshold", "acquisition", "success", "feasible"};
    for (size_t i = 0; i < plot_length(p->answer, "grid"); i++) {
        json_t *row = json_pack("{s:{s:O}}", "params", name_of(p), plot_cell(p->answer, "grid", i));
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            if (json_object_get(p->answer, keys[k])) json_object_set(row, keys[k], plot_cell(p->answer, keys[k], i));
        output_row(to, row);
    }
}

const plot_kind plot_slice = {"slice", " parameter at output-name ", 0, 0, gather, draw, list};
