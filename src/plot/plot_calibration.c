/* plot_calibration.c - the calibration of the announced sets: running coverage, thresholds, reliability. Layer: plot.
 */
#include <math.h>

#include "plot.h"

static const json_t *running_of(const plot *p) { return json_object_get(p->answer, "running"); }

static locbo_status gather(plot *p, locbo_error *error) {
    const plot_question questions[] = {{"output", p->output}, {NULL, NULL}};
    locbo_status status = plot_ask(p, "calibration", questions, &p->answer, error);
    if (status != LOCBO_OK) return status;
    if (plot_length(running_of(p), "round") > 0) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_NOTHING,
                       "there is no result yet that an interval was announced for: these begin "
                       "after the initial points");
}

/* ---- the figure ------------------------------------------------------------------------------ */

/* A series from columns of one object; `y` NULL: only the area between low and high. */
static void draw_columns(plot *p, figure_series like, const json_t *from, const char *x, const char *y) {
    plot_column at_x = plot_numbers(p, from, x), at_y = plot_numbers(p, from, y ? y : x);
    plot_column low = plot_numbers(p, from, "low"), high = plot_numbers(p, from, "high");
    canvas_numbers to = canvas_series(&p->canvas, like, at_x.n, !y);
    for (size_t i = 0; i < to.n && i < at_y.n; i++) {
        to.x[i] = at_x.at[i];
        to.y[i] = y ? at_y.at[i] : (double)NAN;
        if (!y && i < low.n && i < high.n) to.low[i] = low.at[i], to.high[i] = high.at[i];
    }
}

static void draw_coverage(plot *p) {
    const json_t *running = running_of(p), *rounds = json_object_get(running, "round");
    double target = json_number_value(json_object_get(p->answer, "target"));
    double last = json_number_value(json_array_get(rounds, json_array_size(rounds) - 1));
    int named = cache_outputs(p->cache)->table != NULL;
    figure_panel *panel =
        canvas_panel(&p->canvas, named ? canvas_text(&p->canvas, "Coverage of %s", plot_output_name(p)) : "Coverage");
    panel->x_label = "judged results";
    panel->y_label = "share inside the announced sets";
    panel->y_low = 0;
    panel->y_high = 1;
    panel->x_low = 1;
    panel->x_high = fmax(last, 2);
    panel->key = FIGURE_KEY_INSIDE;
    figure_series band = {.name = "95 % if calibrated", .kind = FIGURE_FILL, .colour = FIGURE_GREY};
    figure_series so_far = {.name = "so far", .kind = FIGURE_LINE, .colour = FIGURE_BLUE};
    figure_series wanted = {
        .name = canvas_text(&p->canvas, "target, %s", plot_level(p)), .colour = FIGURE_BLACK, .dashed = 1};
    draw_columns(p, band, running, "round", NULL);
    canvas_line(&p->canvas, wanted, (double[]){1, target}, (double[]){panel->x_high, target});
    draw_columns(p, so_far, running, "round", "coverage");
}

/* The thresholds of the sets that held their measurement, or of those that missed it. */
static void draw_thresholds_of(plot *p, figure_series like, int missed) {
    const json_t *running = running_of(p);
    plot_column round = plot_numbers(p, running, "round");
    plot_column threshold = plot_numbers(p, running, "threshold");
    canvas_numbers to = canvas_series(&p->canvas, like, round.n, 0);
    for (size_t i = 0; i < to.n && i < threshold.n; i++) {
        if (json_is_true(plot_cell(running, "miss", i)) != missed) continue;
        to.x[i] = round.at[i];
        to.y[i] = threshold.at[i];
    }
}

/* Only some methods have thresholds. */
static void draw_thresholds(plot *p) {
    plot_column threshold = plot_numbers(p, running_of(p), "threshold");
    size_t known = 0;
    for (size_t i = 0; i < threshold.n; i++) known += isfinite(threshold.at[i]) != 0;
    if (known == 0) return;
    figure_panel *panel = canvas_panel(&p->canvas, "Threshold");
    panel->x_label = "judged results";
    panel->y_label = "threshold at the proposed point";
    panel->key = FIGURE_KEY_INSIDE;
    figure_series inside = {.name = "inside", .kind = FIGURE_POINTS, .colour = FIGURE_BLUE, .mark = 1};
    figure_series missed = {.name = "missed", .kind = FIGURE_POINTS, .colour = FIGURE_RED, .mark = 4};
    draw_thresholds_of(p, inside, 0);
    draw_thresholds_of(p, missed, 1);
}

static void draw_calibrated(plot *p) {
    const json_t *point = json_object_get(p->answer, "calibrated");
    if (!json_is_object(point)) return;
    figure_series like = {.name = "announced sets", .kind = FIGURE_POINTS, .colour = FIGURE_RED, .mark = 4, .large = 1};
    canvas_numbers to = canvas_series(&p->canvas, like, 1, 0);
    if (to.n == 0) return;
    to.x[0] = json_number_value(json_object_get(point, "level"));
    to.y[0] = json_number_value(json_object_get(point, "share"));
}

static void draw_reliability(plot *p) {
    const json_t *reliability = json_object_get(p->answer, "reliability");
    figure_panel *panel = canvas_panel(&p->canvas, "Reliability");
    panel->x_label = "level of the interval";
    panel->y_label = "share of results inside";
    panel->x_low = panel->y_low = 0;
    panel->x_high = panel->y_high = 1;
    panel->key = FIGURE_KEY_INSIDE;
    figure_series band = {.name = "95 % if calibrated", .kind = FIGURE_FILL, .colour = FIGURE_GREY};
    figure_series ideal = {.name = "ideal", .colour = FIGURE_BLACK, .dashed = 1};
    figure_series model = {.name = "model alone", .kind = FIGURE_LINE, .colour = FIGURE_BLUE};
    draw_columns(p, band, reliability, "level", NULL);
    canvas_line(&p->canvas, ideal, (double[]){0, 0}, (double[]){1, 1});
    draw_columns(p, model, reliability, "level", "share");
    draw_calibrated(p);
}

static void draw(plot *p) {
    draw_coverage(p);
    draw_thresholds(p);
    draw_reliability(p);
}

/* ---- the numbers ----------------------------------------------------------------------------- */

/* One table for all panels: the share inside at each level. */
static void list(plot *p, output *to) {
    const json_t *running = running_of(p), *r = json_object_get(p->answer, "reliability");
    json_t *target = json_object_get(p->answer, "target");
    for (size_t i = 0; i < plot_length(running, "round"); i++)
        output_row(to, json_pack("{s:s, s:O, s:O, s:O, s:O, s:O, s:O, s:O, s:O}", "part", "running", "round",
                                 plot_cell(running, "round", i), "trial", plot_cell(running, "trial", i), "level",
                                 target, "share", plot_cell(running, "coverage", i), "low",
                                 plot_cell(running, "low", i), "high", plot_cell(running, "high", i), "threshold",
                                 plot_cell(running, "threshold", i), "miss", plot_cell(running, "miss", i)));
    for (size_t i = 0; i < plot_length(r, "level"); i++)
        output_row(to, json_pack("{s:s, s:n, s:n, s:O, s:O, s:O, s:O, s:n, s:n}", "part", "reliability", "round",
                                 "trial", "level", plot_cell(r, "level", i), "share", plot_cell(r, "share", i), "low",
                                 plot_cell(r, "low", i), "high", plot_cell(r, "high", i), "threshold", "miss"));
}

const plot_kind plot_calibration = {"calibration", " output-name ", 9.6, 2.9, gather, draw, list};
