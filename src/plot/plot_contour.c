/* plot_contour.c - predictions of the model over two parameters. Layer: plot. */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "plot.h"
#include "value.h"

/* What the colours may show: the value of --of, the column of the view, the label of the colours. */
static const struct quantity {
    const char *word, *key, *label;
} quantities[] = {{"mean", "mean", "posterior mean"},
                  {"sd", "sd_f", "posterior standard deviation"},
                  {"threshold", "threshold", "threshold of the calibrated set"},
                  {"acquisition", "acquisition", "acquisition (larger is better)"},
                  {"feasible", "feasible", "probability that all constraints hold"}};
enum { QUANTITIES = sizeof quantities / sizeof quantities[0] };

static const struct quantity *quantity_of(const plot *p) {
    for (size_t i = 0; i < QUANTITIES; i++)
        if (!p->of || strcmp(quantities[i].word, p->of) == 0) return &quantities[i];
    return NULL;
}

/* ---- gathering ------------------------------------------------------------------------------- */

/* The most important parameter whose name is not `other`. */
static locbo_status find_other(plot *p, const char *other, const char **name, locbo_error *error) {
    size_t *ranking, dim = locbo_space_dim(cache_space(p->cache));
    locbo_status status = plot_ranking(p, &ranking, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < dim && !*name; i++) {
        locbo_parameter found;
        status = locbo_space_parameter(cache_space(p->cache), ranking[i], &found, error);
        if (status == LOCBO_OK && isnan(found.frozen) && !(other && strcmp(found.name, other) == 0)) *name = found.name;
    }
    mem_free(ranking);
    if (status == LOCBO_OK && !*name)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a contour takes two parameters that are not frozen, and the study has fewer");
    return status;
}

static locbo_status find_names(plot *p, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    if (!p->x) status = find_other(p, p->y, &p->x, error);
    if (status == LOCBO_OK && !p->y) status = find_other(p, p->x, &p->y, error);
    return status;
}

static locbo_status check_options(const plot *p, locbo_error *error) {
    if (!quantity_of(p))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "--of must be mean, sd, threshold, acquisition or feasible, got '%.60s'", p->of);
    if (locbo_space_dim(cache_space(p->cache)) < 2)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a contour takes two parameters, and the study has one: use slice");
    return LOCBO_OK;
}

/* Some methods have no threshold, thompson has no acquisition. */
static locbo_status check_values(plot *p, locbo_error *error) {
    const struct quantity *q = quantity_of(p);
    for (size_t i = 0; i < plot_length(p->answer, q->key); i++)
        if (json_is_number(plot_cell(p->answer, q->key, i))) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_NOTHING, "the model of this study has no %s", q->word);
}

static locbo_status gather(plot *p, locbo_error *error) {
    locbo_status status = check_options(p, error);
    if (status == LOCBO_OK) status = find_names(p, error);
    const plot_question questions[] = {{"x", p->x},      {"y", p->y},           {"at", p->at},
                                       {"points", "51"}, {"output", p->output}, {NULL, NULL}};
    if (status == LOCBO_OK) status = plot_ask(p, "contour", questions, &p->answer, error);
    if (status == LOCBO_OK) status = check_values(p, error);
    if (status == LOCBO_OK) status = plot_ask(p, "choices", NULL, &p->choices, error);
    return status == LOCBO_OK ? plot_find_results(p, error) : status;
}

/* ---- the figure ------------------------------------------------------------------------------ */

typedef struct side {
    size_t index;
    locbo_parameter parameter;
    size_t n;
    const json_t *grid;
} side;

static side side_of(const plot *p, const char *key) {
    const json_t *axis = json_object_get(p->answer, key);
    const char *name = json_string_value(json_object_get(axis, "name"));
    side s = {.n = plot_length(axis, "grid"), .grid = json_object_get(axis, "grid")};
    if (locbo_space_find(cache_space(p->cache), name, &s.index, NULL) == LOCBO_OK)
        locbo_space_parameter(cache_space(p->cache), s.index, &s.parameter, NULL);
    return s;
}

/* The logarithm of expected improvement can be -100 and less, so that all large values would have one colour: values
 * below the largest - 10 share the lowest colour. */
static void cut_colours(plot *p, figure_panel *panel, plot_column z) {
    const double depth = 10;
    double low = INFINITY, high = -INFINITY;
    int is_log = cache_definition(p->cache)->options->acquisition == LOCBO_ACQUISITION_LOG_EI;
    for (size_t i = 0; i < z.n; i++)
        if (isfinite(z.at[i])) low = fmin(low, z.at[i]), high = fmax(high, z.at[i]);
    if (!is_log || strcmp(quantity_of(p)->key, "acquisition") != 0 || !(high - low > depth)) return;
    panel->z_low = high - depth;
    panel->z_high = high;
    panel->z_label = canvas_text(&p->canvas, "log-ei, below %.3g alike", high - depth);
}

/* In a study with named outputs, of which it is. */
static const char *label_of(plot *p) {
    const struct quantity *q = quantity_of(p);
    int is_own = strcmp(q->key, "acquisition") != 0 && strcmp(q->key, "feasible") != 0;
    if (!cache_outputs(p->cache)->table || !is_own) return q->label;
    return canvas_text(&p->canvas, "%s of %s", q->label, plot_output_name(p));
}

static void draw_surface(plot *p, figure_panel *panel, const side s[2]) {
    plot_column z = plot_numbers(p, p->answer, quantity_of(p)->key);
    canvas_numbers to = canvas_series(&p->canvas, (figure_series){.kind = FIGURE_SURFACE}, z.n, 0);
    for (size_t i = 0; i < to.n; i++) {
        value_from_json(&s[0].parameter, json_array_get(s[0].grid, i % s[0].n), &to.x[i], NULL);
        value_from_json(&s[1].parameter, json_array_get(s[1].grid, i / s[0].n), &to.y[i], NULL);
    }
    if (to.n > 0) ((figure_series *)panel->series)[panel->count - 1].z = z.at;
    panel->z_label = label_of(p);
    cut_colours(p, panel, z);
}

static void draw_results(plot *p, const side s[2]) {
    size_t dim = locbo_space_dim(cache_space(p->cache));
    figure_series like = {
        .name = dim > 2 ? "results, projected" : "results", .kind = FIGURE_POINTS, .colour = FIGURE_BLACK, .mark = 1};
    double *at[2] = {canvas_doubles(&p->canvas, p->results.n), canvas_doubles(&p->canvas, p->results.n)};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; at[k] && i < p->results.n; i++) at[k][i] = p->results.x[i * dim + s[k].index];
    plot_draw_results(p, like, at[0], at[1]);
}

/* A point, or the points of a front. */
static void draw_choice(plot *p, const side s[2], const char *key, figure_series like) {
    const json_t *choice = json_object_get(p->choices, key), *front = json_object_get(choice, "front");
    like.kind = FIGURE_POINTS;
    canvas_numbers to = canvas_series(&p->canvas, like, front ? json_array_size(front) : json_is_object(choice), 0);
    for (size_t i = 0; i < to.n; i++) {
        const json_t *params = json_object_get(front ? json_array_get(front, i) : choice, "params");
        double at[2];
        int good = 1;
        for (int k = 0; k < 2; k++)
            good &= value_from_json(&s[k].parameter, json_object_get(params, s[k].parameter.name), &at[k], NULL) ==
                    LOCBO_OK;
        if (good) to.x[i] = at[0], to.y[i] = at[1];
    }
}

static void draw(plot *p) {
    const side s[2] = {side_of(p, "x"), side_of(p, "y")};
    figure_panel *panel = canvas_panel(&p->canvas, NULL);
    plot_axis(p, panel, &s[0].parameter, 0);
    plot_axis(p, panel, &s[1].parameter, 1);
    panel->key = FIGURE_KEY_BESIDE;
    draw_surface(p, panel, s);
    draw_results(p, s);
    int several = cache_outputs(p->cache)->objectives > 1;
    draw_choice(
        p, s, "best",
        (figure_series){
            .name = several ? "measured front" : "best result", .colour = FIGURE_ORANGE, .mark = 3, .large = !several});
    draw_choice(
        p, s, "recommended",
        (figure_series){
            .name = several ? "believed front" : "recommended", .colour = FIGURE_RED, .mark = 4, .large = !several});
}

/* ---- the numbers ----------------------------------------------------------------------------- */

static void list(plot *p, output *to) {
    static const char *const keys[] = {"mean", "sd_f", "threshold", "acquisition", "success", "feasible"};
    const side s[2] = {side_of(p, "x"), side_of(p, "y")};
    for (size_t i = 0; i < s[0].n * s[1].n; i++) {
        json_t *row = json_pack("{s:{s:O, s:O}}", "params", s[0].parameter.name, json_array_get(s[0].grid, i % s[0].n),
                                s[1].parameter.name, json_array_get(s[1].grid, i / s[0].n));
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            if (json_object_get(p->answer, keys[k])) json_object_set(row, keys[k], plot_cell(p->answer, keys[k], i));
        output_row(to, row);
    }
}

const plot_kind plot_contour = {"contour", " x y of at output-name ", 0, 0, gather, draw, list};
