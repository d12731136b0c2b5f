/* plot_history.c - values by trial: with the best so far, or in the intervals announced for them. Layer: plot. */
#include <math.h>
#include <string.h>

#include "plot.h"

/* Boxes of more trials than this overlap: a band is drawn instead. */
enum { BOXES = 120 };

typedef int choose_fn(const json_t *columns, size_t i, const void *what);

static const char *text_of(const json_t *columns, const char *key, size_t i) {
    const char *text = json_string_value(plot_cell(columns, key, i));
    return text ? text : "";
}

static const json_t *columns_of(const plot *p) { return json_object_get(p->answer, "columns"); }

/* As many trials as the view allows. */
static locbo_status ask_history(plot *p, locbo_error *error) {
    const plot_question questions[] = {{"points", "20000"}, {"output", p->output}, {NULL, NULL}};
    return plot_ask(p, "history", questions, &p->answer, error);
}

/* The chosen rows as a series of points, unless there are none. `y`: their positions. */
static void draw_chosen(plot *p, figure_series like, plot_column y, choose_fn *choose, const void *what) {
    const json_t *columns = columns_of(p);
    plot_column trial = plot_numbers(p, columns, "trial");
    size_t n = 0;
    for (size_t i = 0; i < trial.n; i++) n += choose(columns, i, what) != 0;
    if (n == 0 || y.n != trial.n) return;
    like.kind = FIGURE_POINTS;
    canvas_numbers to = canvas_series(&p->canvas, like, n, 0);
    for (size_t i = 0, k = 0; i < trial.n && k < to.n; i++) {
        if (!choose(columns, i, what)) continue;
        to.x[k] = trial.at[i];
        to.y[k++] = y.at[i];
    }
}

/* ---- history --------------------------------------------------------------------------------- */

static int is_ended(const json_t *columns, size_t i) {
    const char *state = text_of(columns, "state", i);
    return strcmp(state, "COMPLETE") == 0 || strcmp(state, "FAILED") == 0 || strcmp(state, "INFEASIBLE") == 0 ||
           strcmp(state, "PRUNED") == 0;
}

static locbo_status gather_history(plot *p, locbo_error *error) {
    locbo_status status = ask_history(p, error);
    if (status != LOCBO_OK) return status;
    const json_t *columns = columns_of(p);
    for (size_t i = 0; i < plot_length(columns, "trial"); i++)
        if (is_ended(columns, i)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_NOTHING, "there is no result yet");
}

static int has_missed(const json_t *columns, size_t i, const void *what) {
    (void)what;
    return json_is_false(plot_cell(columns, "feasible", i)) && json_is_number(plot_cell(columns, "value", i));
}

static int is_below(const json_t *columns, size_t i) { return json_is_true(plot_cell(columns, "below", i)); }

/* Measured below full fidelity. */
static int has_below(const json_t *columns, size_t i, const void *what) {
    (void)what;
    return is_below(columns, i) && json_is_number(plot_cell(columns, "value", i)) && !has_missed(columns, i, NULL);
}

static int has_origin(const json_t *columns, size_t i, const void *origin) {
    return strcmp(text_of(columns, "origin", i), origin) == 0 && json_is_number(plot_cell(columns, "value", i)) &&
           !has_missed(columns, i, NULL) && !is_below(columns, i);
}

static int has_state(const json_t *columns, size_t i, const void *state) {
    return strcmp(text_of(columns, "state", i), state) == 0;
}

/* A step at each improvement; the line ends at the last trial. */
static void draw_best(plot *p) {
    const json_t *best = json_object_get(p->answer, "best");
    plot_column trial = plot_numbers(p, best, "trial"), value = plot_numbers(p, best, "value");
    plot_column all = plot_numbers(p, columns_of(p), "trial");
    if (trial.n == 0 || value.n != trial.n || all.n == 0) return;
    figure_series like = {.name = "best so far", .kind = FIGURE_LINE, .colour = FIGURE_RED};
    canvas_numbers to = canvas_series(&p->canvas, like, 2 * trial.n, 0);
    for (size_t i = 0; i < to.n / 2; i++) {
        to.x[2 * i] = trial.at[i];
        to.y[2 * i] = to.y[2 * i + 1] = value.at[i];
        to.x[2 * i + 1] = i + 1 < trial.n ? trial.at[i + 1] : all.at[all.n - 1];
    }
}

static double last_trial(plot *p) {
    plot_column all = plot_numbers(p, columns_of(p), "trial");
    return all.n ? all.at[all.n - 1] : 1;
}

/* A position below all values, for trials that have none. */
static plot_column floor_of(plot *p) {
    plot_column value = plot_numbers(p, columns_of(p), "value");
    double low = INFINITY, high = -INFINITY, *positions = canvas_doubles(&p->canvas, value.n);
    if (!positions) return (plot_column){0, NULL};
    for (size_t i = 0; i < value.n; i++)
        if (isfinite(value.at[i])) low = fmin(low, value.at[i]), high = fmax(high, value.at[i]);
    double position = low > high ? 0 : high > low ? low - 0.08 * (high - low) : low - 1;
    for (size_t i = 0; i < value.n; i++) positions[i] = position;
    return (plot_column){value.n, positions};
}

/* A line from the lowest to the highest value between the trials before and after each alteration. */
static void draw_alterations(plot *p) {
    const json_t *list = json_object_get(p->answer, "alterations");
    plot_column value = plot_numbers(p, columns_of(p), "value");
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < value.n; i++)
        if (isfinite(value.at[i])) low = fmin(low, value.at[i]), high = fmax(high, value.at[i]);
    for (size_t i = 0; i < json_array_size(list) && low < high; i++) {
        double at = json_number_value(json_object_get(json_array_get(list, i), "after")) + 0.5;
        const figure_series like = {
            .name = i ? NULL : "altered", .kind = FIGURE_LINE, .colour = FIGURE_GREY, .dashed = 1};
        canvas_line(&p->canvas, like, (double[]){at, low}, (double[]){at, high});
    }
}

static void draw_history(plot *p) {
    static const struct origin {
        const char *origin;
        figure_series like;
    } origins[] = {{"design", {.name = "initial design", .colour = FIGURE_GREY, .mark = 6}},
                   {"random", {.name = "random", .colour = FIGURE_GREY, .mark = 1}},
                   {"given", {.name = "given", .colour = FIGURE_PURPLE, .mark = 4}},
                   {"model", {.name = "proposed", .colour = FIGURE_BLUE, .mark = 1}},
                   {"explore", {.name = "exploring", .colour = FIGURE_BLUE, .mark = 2}},
                   {"again", {.name = "measured again", .colour = FIGURE_BLUE, .mark = 4}},
                   {"confirm", {.name = "recommended", .colour = FIGURE_BLUE, .mark = 6}}};
    const figure_series failed = {.name = "failed", .colour = FIGURE_BLACK, .mark = 11};
    const figure_series missed = {.name = "misses a constraint", .colour = FIGURE_ORANGE, .mark = 11};
    const figure_series infeasible = {.name = "infeasible", .colour = FIGURE_ORANGE, .mark = 12};
    const figure_series pruned = {.name = "ended early", .colour = FIGURE_RED, .mark = 11};
    figure_panel *panel = canvas_panel(&p->canvas, NULL);
    panel->x_label = "trial";
    panel->y_label = plot_output_label(p, plot_output(p));
    panel->key = FIGURE_KEY_BESIDE;
    plot_column value = plot_numbers(p, columns_of(p), "value"), below = floor_of(p);
    for (size_t i = 0; i < sizeof origins / sizeof origins[0]; i++)
        draw_chosen(p, origins[i].like, value, has_origin, origins[i].origin);
    draw_chosen(p, plot_below, value, has_below, NULL);
    draw_chosen(p, missed, value, has_missed, NULL);
    draw_alterations(p);
    draw_best(p);
    plot_bound(p, 1, last_trial(p));
    draw_chosen(p, failed, below, has_state, "FAILED");
    draw_chosen(p, infeasible, below, has_state, "INFEASIBLE");
    draw_chosen(p, pruned, below, has_state, "PRUNED");
}

static void list_history(plot *p, output *to) {
    const json_t *columns = columns_of(p), *best = json_object_get(p->answer, "best");
    const char *value = plot_output_column(p, plot_output(p), " trial state origin best feasible below ");
    json_t *so_far = NULL;
    size_t next = 0;
    for (size_t i = 0; i < plot_length(columns, "trial"); i++) {
        json_int_t trial = json_integer_value(plot_cell(columns, "trial", i));
        while (next < plot_length(best, "trial") && json_integer_value(plot_cell(best, "trial", next)) <= trial)
            so_far = plot_cell(best, "value", next++);
        json_t *row = json_pack("{s:O, s:O, s:O, s:O, s:O?}", "trial", plot_cell(columns, "trial", i), "state",
                                plot_cell(columns, "state", i), "origin", plot_cell(columns, "origin", i), value,
                                plot_cell(columns, "value", i), "best", so_far);
        if (plot_cell(columns, "feasible", i)) json_object_set(row, "feasible", plot_cell(columns, "feasible", i));
        if (plot_cell(columns, "below", i)) json_object_set(row, "below", plot_cell(columns, "below", i));
        output_row(to, row);
    }
}

const plot_kind plot_history = {"history", " output-name ", 0, 0, gather_history, draw_history, list_history};

/* ---- intervals ------------------------------------------------------------------------------- */

/* What an interval was announced for. */
typedef struct verdict {
    int miss, below;
} verdict;

/* `what` NULL: any verdict. */
static int is_judged(const json_t *columns, size_t i, const void *what) {
    const json_t *miss = plot_cell(columns, "miss", i);
    const verdict *v = what;
    if (!v || !json_is_boolean(miss)) return json_is_boolean(miss);
    return json_is_true(miss) == v->miss && is_below(columns, i) == v->below;
}

static locbo_status gather_intervals(plot *p, locbo_error *error) {
    locbo_status status = ask_history(p, error);
    if (status != LOCBO_OK) return status;
    const json_t *columns = columns_of(p);
    for (size_t i = 0; i < plot_length(columns, "trial"); i++)
        if (is_judged(columns, i, NULL)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_NOTHING,
                       "there is no result yet that an interval was announced for: these begin "
                       "after the initial points");
}

/* The range of the finite values of the judged rows, with a margin. */
static void find_range(plot *p, double range[2]) {
    static const char *const keys[] = {"value", "mean", "low", "high"};
    const json_t *columns = columns_of(p);
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < 4; k++) {
        plot_column c = plot_numbers(p, columns, keys[k]);
        for (size_t i = 0; i < c.n; i++)
            if (isfinite(c.at[i]) && is_judged(columns, i, NULL)) low = fmin(low, c.at[i]), high = fmax(high, c.at[i]);
    }
    double pad = high > low ? 0.05 * (high - low) : 1;
    range[0] = low - pad;
    range[1] = high + pad;
}

/* Infinite ends reach the edge of the panel. */
static void draw_band(plot *p, figure_series like, size_t n, const double range[2]) {
    const json_t *columns = columns_of(p);
    plot_column trial = plot_numbers(p, columns, "trial");
    plot_column low = plot_numbers(p, columns, "low"), high = plot_numbers(p, columns, "high");
    like.kind = FIGURE_FILL;
    canvas_numbers to = canvas_series(&p->canvas, like, n, 1);
    for (size_t i = 0, k = 0; i < trial.n && k < to.n; i++) {
        if (!is_judged(columns, i, NULL)) continue;
        to.x[k] = trial.at[i];
        to.low[k] = fmax(low.at[i], range[0]);
        to.high[k++] = fmin(high.at[i], range[1]);
    }
}

/* One box for each trial: four corners, separated by NAN. */
static void draw_boxes(plot *p, figure_series like, size_t n, const double range[2]) {
    const json_t *columns = columns_of(p);
    plot_column trial = plot_numbers(p, columns, "trial");
    plot_column low = plot_numbers(p, columns, "low"), high = plot_numbers(p, columns, "high");
    like.kind = FIGURE_POLYGON;
    canvas_numbers to = canvas_series(&p->canvas, like, 5 * n, 0);
    for (size_t i = 0, k = 0; i < trial.n && k + 5 <= to.n; i++) {
        if (!is_judged(columns, i, NULL)) continue;
        for (size_t c = 0; c < 4; c++) {
            to.x[k + c] = trial.at[i] + (c < 2 ? -0.35 : 0.35);
            to.y[k + c] = c == 0 || c == 3 ? fmax(low.at[i], range[0]) : fmin(high.at[i], range[1]);
        }
        k += 5;
    }
}

static void draw_announced(plot *p, const double range[2]) {
    const json_t *columns = columns_of(p);
    const char *name = canvas_text(&p->canvas, "announced, %s", plot_level(p));
    figure_series like = {.name = name, .colour = FIGURE_GREY};
    size_t n = 0;
    for (size_t i = 0; i < plot_length(columns, "trial"); i++) n += is_judged(columns, i, NULL) != 0;
    (n > BOXES ? draw_band : draw_boxes)(p, like, n, range);
}

static void draw_intervals(plot *p) {
    static const struct look {
        verdict verdict;
        figure_series like;
    } looks[] = {{{0, 0}, {.name = "inside", .colour = FIGURE_BLUE, .mark = 1}},
                 {{1, 0}, {.name = "missed", .colour = FIGURE_RED, .mark = 4}},
                 {{0, 1}, {.name = "inside, below full fidelity", .colour = FIGURE_BLUE, .mark = 10}},
                 {{1, 1}, {.name = "missed, below full fidelity", .colour = FIGURE_RED, .mark = 10}}};
    double range[2];
    figure_panel *panel = canvas_panel(&p->canvas, NULL);
    find_range(p, range);
    panel->x_label = "trial";
    panel->y_label = plot_output_label(p, plot_output(p));
    panel->y_low = range[0];
    panel->y_high = range[1];
    panel->key = FIGURE_KEY_BESIDE;
    draw_announced(p, range);
    plot_column value = plot_numbers(p, columns_of(p), "value");
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
        draw_chosen(p, looks[i].like, value, is_judged, &looks[i].verdict);
}

static void list_intervals(plot *p, output *to) {
    const json_t *columns = columns_of(p);
    const char *value = plot_output_column(p, plot_output(p), " trial mean low high miss ");
    for (size_t i = 0; i < plot_length(columns, "trial"); i++)
        if (is_judged(columns, i, NULL))
            output_row(to, json_pack("{s:O, s:O, s:O, s:O, s:O, s:O}", "trial", plot_cell(columns, "trial", i), value,
                                     plot_cell(columns, "value", i), "mean", plot_cell(columns, "mean", i), "low",
                                     plot_cell(columns, "low", i), "high", plot_cell(columns, "high", i), "miss",
                                     plot_cell(columns, "miss", i)));
}

const plot_kind plot_intervals = {"intervals", " output-name ", 0, 0, gather_intervals, draw_intervals, list_intervals};
