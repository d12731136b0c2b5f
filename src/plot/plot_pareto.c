/* plot_pareto.c - several objectives: the measured values and the fronts, a panel for each pair of objectives; and how
 * the hypervolume grew. Layer: plot. Cost: O(trials log trials) for each pair. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "rows.h"

enum { OBJECTIVES = 4 }; /* at most, locbo_outputs */

static const json_t *columns_of(const plot *p) { return json_object_get(p->answer, "columns"); }

static const json_t *values_of(const plot *p) { return json_object_get(columns_of(p), "values"); }

static locbo_status gather_pareto(plot *p, locbo_error *error) {
    const plot_question questions[] = {{"points", "20000"}, {NULL, NULL}};
    locbo_status status = plot_ask(p, "pareto", questions, &p->answer, error);
    if (status != LOCBO_OK || plot_length(columns_of(p), "trial") > 0) return status;
    return status_fail(error, LOCBO_ERR_NOTHING, "there is no result with all objectives yet");
}

/* ---- an axis --------------------------------------------------------------------------------- */

/* One objective. */
typedef struct side {
    size_t output;
    const char *name;
    int maximize, is_log;
    plot_column value;
    double reference;
    double range[2]; /* of the axis; NAN: automatic */
} side;

/* "mean", or an end of the interval, of one output of a believed point. */
static double believed_of(const json_t *point, const char *name, const char *key, size_t end) {
    const json_t *value = json_object_get(json_object_get(json_object_get(point, "outputs"), name), key);
    return rows_real(json_is_array(value) ? json_array_get(value, end) : value);
}

/* ---- what is shown --------------------------------------------------------------------------- */

static int is_on_front(const json_t *columns, size_t i) { return json_is_true(plot_cell(columns, "front", i)); }

/* Positions on the axis, and back. */
static double place(const side *s, double value) { return s->is_log ? log(value) : value; }

static double value_at(const side *s, double position) { return s->is_log ? exp(position) : position; }

static void include(double range[2], double position) {
    if (!isfinite(position)) return;
    range[0] = fmin(range[0], position);
    range[1] = fmax(range[1], position);
}

static int is_worse(const side *s, double value) { return s->maximize ? value < s->reference : value > s->reference; }

/* What counts: the reference point, and the fronts as far as they are better. Other points are shown
 * if they are no farther from this range than its width. */
static void find_range(plot *p, side *s) {
    const json_t *columns = columns_of(p), *believed = json_object_get(p->answer, "believed");
    double near[2] = {INFINITY, -INFINITY}, all[2];
    include(near, place(s, s->reference));
    for (size_t i = 0; i < s->value.n; i++)
        if (is_on_front(columns, i) && !is_worse(s, s->value.at[i])) include(near, place(s, s->value.at[i]));
    for (size_t i = 0; i < json_array_size(believed); i++) {
        double mean = believed_of(json_array_get(believed, i), s->name, "mean", 0);
        if (!is_worse(s, mean)) include(near, place(s, mean));
    }
    double width = near[1] - near[0];
    if (!(width > 0)) return;
    memcpy(all, near, sizeof all);
    for (size_t i = 0; i < s->value.n; i++) {
        double position = place(s, s->value.at[i]);
        if (position >= near[0] - width && position <= near[1] + width) include(all, position);
    }
    s->range[0] = value_at(s, all[0] - 0.04 * width);
    s->range[1] = value_at(s, all[1] + 0.04 * width);
}

static side side_of(plot *p, size_t which) {
    const locbo_output_spec *spec = &cache_outputs(p->cache)->spec[which];
    side s = {.output = which,
              .name = spec->name,
              .maximize = spec->goal == LOCBO_GOAL_MAXIMIZE,
              .is_log = spec->scale == LOCBO_MODEL_SCALE_LOG,
              .value = plot_numbers(p, values_of(p), spec->name),
              .reference = rows_real_of(json_object_get(p->answer, "reference"), spec->name),
              .range = {(double)NAN, (double)NAN}};
    find_range(p, &s);
    return s;
}

static int is_beyond(const side *s, double value) { return value < s->range[0] || value > s->range[1]; }

/* ---- measured values ------------------------------------------------------------------------- */

typedef int choose_fn(const json_t *columns, size_t i);

static int is_dominated(const json_t *columns, size_t i) {
    return !json_is_true(plot_cell(columns, "front", i)) && json_is_true(plot_cell(columns, "feasible", i));
}

static int is_unknown(const json_t *columns, size_t i) {
    return !json_is_true(plot_cell(columns, "front", i)) && json_is_null(plot_cell(columns, "feasible", i));
}

static int is_missing(const json_t *columns, size_t i) { return json_is_false(plot_cell(columns, "feasible", i)); }

/* The name in the key says how many are not shown. */
static void draw_chosen(plot *p, const side s[2], figure_series like, choose_fn *choose) {
    const json_t *columns = columns_of(p);
    size_t n = 0, k = 0, beyond = 0;
    for (size_t i = 0; i < s[0].value.n; i++) {
        if (!choose(columns, i)) continue;
        beyond += is_beyond(&s[0], s[0].value.at[i]) || is_beyond(&s[1], s[1].value.at[i]);
        n++;
    }
    if (n == 0) return;
    if (beyond > 0) like.name = canvas_text(&p->canvas, "%s (%zu not shown)", like.name, beyond);
    like.kind = FIGURE_POINTS;
    canvas_numbers to = canvas_series(&p->canvas, like, n, 0);
    for (size_t i = 0; i < s[0].value.n && k < to.n; i++) {
        if (!choose(columns, i)) continue;
        to.x[k] = s[0].value.at[i];
        to.y[k++] = s[1].value.at[i];
    }
}

static void draw_measured(plot *p, const side s[2]) {
    int constrained = cache_outputs(p->cache)->constraints > 0;
    const figure_series missing = {.name = "misses a constraint", .colour = FIGURE_GREY, .mark = 11};
    const figure_series unknown = {.name = constrained ? "constraint not measured" : "measured",
                                   .colour = constrained ? FIGURE_GREY : FIGURE_BLUE,
                                   .mark = 6};
    const figure_series dominated = {.name = "measured", .colour = FIGURE_BLUE, .mark = 6};
    draw_chosen(p, s, missing, is_missing);
    draw_chosen(p, s, unknown, is_unknown);
    draw_chosen(p, s, dominated, is_dominated);
}

/* ---- the measured front ---------------------------------------------------------------------- */

typedef struct corner {
    double x, y;
} corner;

static int by_x(const void *a, const void *b) {
    const corner *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* Corners of the stairs, from left to right: with small x better, the next point is reached below or above its left
 * neighbour's height. The ends reach to the reference point where it is worse. */
static size_t write_stairs(const side s[2], const corner *c, size_t n, canvas_numbers to) {
    int flat_first = !s[0].maximize;
    size_t k = 0;
    double left = flat_first ? c[0].x : s[0].reference, right = flat_first ? s[0].reference : c[n - 1].x;
    double low = s[1].reference;
    if (flat_first && (s[1].maximize ? low < c[0].y : low > c[0].y)) to.x[k] = left, to.y[k++] = low;
    if (!flat_first && left < c[0].x) to.x[k] = left, to.y[k++] = c[0].y;
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            to.x[k] = flat_first ? c[i].x : c[i - 1].x;
            to.y[k++] = flat_first ? c[i - 1].y : c[i].y;
        }
        to.x[k] = c[i].x;
        to.y[k++] = c[i].y;
    }
    if (flat_first && right > c[n - 1].x) to.x[k] = right, to.y[k++] = c[n - 1].y;
    if (!flat_first && (s[1].maximize ? low < c[n - 1].y : low > c[n - 1].y)) to.x[k] = c[n - 1].x, to.y[k++] = low;
    return k;
}

/* Of two objectives: of more a pair of them shows no stairs. */
static void draw_stairs(plot *p, const side s[2]) {
    const json_t *columns = columns_of(p);
    size_t n = 0;
    corner *corners = (corner *)(void *)canvas_doubles(&p->canvas, 2 * s[0].value.n);
    for (size_t i = 0; corners && i < s[0].value.n; i++)
        if (is_on_front(columns, i)) corners[n++] = (corner){s[0].value.at[i], s[1].value.at[i]};
    if (n == 0) return;
    qsort(corners, n, sizeof *corners, by_x);
    figure_series like = {.kind = FIGURE_LINE, .colour = FIGURE_BLUE};
    canvas_numbers to = canvas_series(&p->canvas, like, 2 * n + 1, 0);
    if (to.n > 0) write_stairs(s, corners, n, to);
}

static void draw_reference(plot *p, const side s[2]) {
    figure_series like = {.name = "reference point", .kind = FIGURE_POINTS, .colour = FIGURE_BLACK, .mark = 12};
    if (isnan(s[0].reference) || isnan(s[1].reference)) return;
    canvas_numbers to = canvas_series(&p->canvas, like, 1, 0);
    if (to.n > 0) to.x[0] = s[0].reference, to.y[0] = s[1].reference;
}

/* ---- the believed front ---------------------------------------------------------------------- */

/* A cross for each point: two lines, separated by NAN. */
static void draw_crosses(plot *p, const side s[2], const json_t *believed) {
    size_t n = json_array_size(believed);
    figure_series like = {.kind = FIGURE_LINE, .colour = FIGURE_ORANGE, .thin = 1};
    canvas_numbers to = canvas_series(&p->canvas, like, 6 * n, 0);
    for (size_t i = 0; i < to.n / 6; i++) {
        const json_t *point = json_array_get(believed, i);
        for (size_t axis = 0; axis < 2; axis++)
            for (size_t end = 0; end < 2; end++) {
                double reach = believed_of(point, s[axis].name, "interval", end);
                double other = believed_of(point, s[!axis].name, "mean", 0);
                to.x[6 * i + 3 * axis + end] = axis == 0 ? reach : other;
                to.y[6 * i + 3 * axis + end] = axis == 0 ? other : reach;
            }
    }
}

static void draw_believed(plot *p, const side s[2]) {
    const json_t *believed = json_object_get(p->answer, "believed");
    size_t n = json_array_size(believed);
    if (n == 0) return;
    draw_crosses(p, s, believed);
    figure_series like = {.name = canvas_text(&p->canvas, "believed front, mean and %s of f", plot_level(p)),
                          .kind = FIGURE_POINTS,
                          .colour = FIGURE_ORANGE,
                          .mark = 4};
    canvas_numbers to = canvas_series(&p->canvas, like, n, 0);
    for (size_t i = 0; i < to.n; i++) {
        to.x[i] = believed_of(json_array_get(believed, i), s[0].name, "mean", 0);
        to.y[i] = believed_of(json_array_get(believed, i), s[1].name, "mean", 0);
    }
}

/* ---- the figure ------------------------------------------------------------------------------ */

static void draw_pair(plot *p, const side s[2], int alone, int has_key) {
    const figure_series front = {.name = "measured front", .colour = FIGURE_BLUE, .mark = 1};
    figure_panel *panel = canvas_panel(&p->canvas, NULL);
    panel->x_label = plot_output_label(p, s[0].output);
    panel->y_label = plot_output_label(p, s[1].output);
    panel->log_x = s[0].is_log;
    panel->log_y = s[1].is_log;
    panel->x_low = s[0].range[0];
    panel->x_high = s[0].range[1];
    panel->y_low = s[1].range[0];
    panel->y_high = s[1].range[1];
    panel->key = has_key ? FIGURE_KEY_BESIDE : FIGURE_NO_KEY;
    draw_measured(p, s);
    if (alone) draw_stairs(p, s);
    draw_believed(p, s);
    draw_chosen(p, s, front, is_on_front);
    draw_reference(p, s);
}

static void draw_pareto(plot *p) {
    const output_list *list = cache_outputs(p->cache);
    size_t objective[OBJECTIVES], m = 0;
    for (size_t k = 0; k < list->count && m < OBJECTIVES; k++)
        if (output_list_is_objective(list, k)) objective[m++] = k;
    for (size_t i = 0; i < m; i++)
        for (size_t j = i + 1; j < m; j++) {
            const side s[2] = {side_of(p, objective[i]), side_of(p, objective[j])};
            draw_pair(p, s, m == 2, i + 2 == m);
        }
}

/* ---- the numbers ----------------------------------------------------------------------------- */

/* Sets the column of an output, or that of a part of its belief. */
static void put(plot *p, json_t *row, size_t which, const char *part, json_t *value) {
    const char *column = plot_output_column(p, which, " trial feasible front believed probability ");
    const char *key = column ? canvas_text(&p->canvas, "%s%s", column, part) : NULL;
    if (key) json_object_set(row, key, value ? value : json_null());
}

/* The columns of a believed point; NULL: the trial is none. */
static void put_believed(plot *p, json_t *row, const json_t *point) {
    const output_list *list = cache_outputs(p->cache);
    json_object_set(row, "believed", json_boolean(point != NULL));
    json_object_set(row, "probability", point ? json_object_get(point, "feasible") : json_null());
    for (size_t k = 0; k < list->count; k++) {
        const json_t *found = json_object_get(json_object_get(point, "outputs"), list->spec[k].name);
        const json_t *interval = json_object_get(found, "interval");
        if (!output_list_is_modelled(list, k)) continue;
        put(p, row, k, ".mean", json_object_get(found, "mean"));
        put(p, row, k, ".low", json_array_get(interval, 0));
        put(p, row, k, ".high", json_array_get(interval, 1));
    }
}

/* The believed point of a trial; NULL: none. */
static const json_t *find_believed(const plot *p, json_int_t trial) {
    const json_t *all = json_object_get(p->answer, "believed");
    for (size_t i = 0; i < json_array_size(all); i++)
        if (json_integer_value(json_object_get(json_array_get(all, i), "trial")) == trial)
            return json_array_get(all, i);
    return NULL;
}

/* One row of the table. `i`: of the columns; SIZE_MAX: a believed point that lacks an objective. */
static void list_row(plot *p, output *to, size_t i, json_t *trial, const json_t *point) {
    const output_list *list = cache_outputs(p->cache);
    const json_t *columns = columns_of(p);
    json_t *row = json_pack("{s:O}", "trial", trial);
    for (size_t k = 0; k < list->count; k++)
        if (output_list_is_objective(list, k)) put(p, row, k, "", plot_cell(values_of(p), list->spec[k].name, i));
    json_t *feasible = plot_cell(columns, "feasible", i), *front = plot_cell(columns, "front", i);
    json_object_set(row, "feasible", feasible ? feasible : json_null());
    json_object_set(row, "front", front ? front : json_false());
    put_believed(p, row, point);
    output_row(to, row);
}

static void list_pareto(plot *p, output *to) {
    const json_t *columns = columns_of(p), *believed = json_object_get(p->answer, "believed");
    size_t n = plot_length(columns, "trial");
    for (size_t i = 0; i < n; i++) {
        json_t *trial = plot_cell(columns, "trial", i);
        list_row(p, to, i, trial, find_believed(p, json_integer_value(trial)));
    }
    for (size_t b = 0; b < json_array_size(believed); b++) {
        const json_t *point = json_array_get(believed, b);
        json_t *trial = json_object_get(point, "trial");
        size_t i = 0;
        while (i < n && json_integer_value(plot_cell(columns, "trial", i)) != json_integer_value(trial)) i++;
        if (i == n) list_row(p, to, SIZE_MAX, trial, point);
    }
}

const plot_kind plot_pareto = {"pareto", " ", 0, 0, gather_pareto, draw_pareto, list_pareto};

/* ---- the hypervolume ------------------------------------------------------------------------- */

static locbo_status gather_volume(plot *p, locbo_error *error) {
    const plot_question questions[] = {{"points", "20000"}, {NULL, NULL}};
    locbo_status status = plot_ask(p, "hypervolume", questions, &p->answer, error);
    if (status != LOCBO_OK || plot_length(p->answer, "volume") > 0) return status;
    const char *why = json_string_value(json_object_get(p->answer, "why"));
    return status_fail(error, LOCBO_ERR_NOTHING, "%s",
                       why ? why : "no feasible trial is better than the reference point yet");
}

/* A step at each trial; the line begins at 0 and ends at the last completed trial. */
static void draw_volume(plot *p) {
    plot_column completed = plot_numbers(p, p->answer, "completed"), volume = plot_numbers(p, p->answer, "volume");
    figure_panel *panel = canvas_panel(&p->canvas, NULL);
    panel->x_label = "completed trials";
    panel->y_label = "hypervolume of the measured front";
    panel->y_low = 0;
    panel->x_low = 0;
    figure_series like = {.kind = FIGURE_LINE, .colour = FIGURE_BLUE};
    canvas_numbers to = canvas_series(&p->canvas, like, 2 * completed.n + 2, 0);
    if (to.n == 0 || volume.n != completed.n) return;
    to.x[0] = to.y[0] = 0;
    for (size_t i = 0; i < completed.n; i++) {
        to.x[2 * i + 1] = to.x[2 * i + 2] = completed.at[i];
        to.y[2 * i + 1] = to.y[2 * i];
        to.y[2 * i + 2] = volume.at[i];
    }
    to.x[to.n - 1] = rows_real_of(p->answer, "complete");
    to.y[to.n - 1] = volume.at[volume.n - 1];
}

static void list_volume(plot *p, output *to) {
    for (size_t i = 0; i < plot_length(p->answer, "trial"); i++)
        output_row(to,
                   json_pack("{s:O, s:O, s:O}", "trial", plot_cell(p->answer, "trial", i), "completed",
                             plot_cell(p->answer, "completed", i), "hypervolume", plot_cell(p->answer, "volume", i)));
}

const plot_kind plot_hypervolume = {"hypervolume", " ", 0, 0, gather_volume, draw_volume, list_volume};
