/* plot_curves.c - the values that evaluations reported step by step, and which of them were ended early. Layer: plot.
 */
#include <math.h>
#include <string.h>

#include "plot.h"
#include "rows.h"

/* As many curves as the view allows. */
static locbo_status gather(plot *p, locbo_error *error) {
    const plot_question questions[] = {{"curves", "2000"}, {NULL, NULL}};
    return plot_ask(p, "curves", questions, &p->answer, error);
}

static size_t count_of(const plot *p) { return plot_length(p->answer, "curves"); }

static const json_t *curve_of(const plot *p, size_t i) { return plot_cell(p->answer, "curves", i); }

static const char *decision_of(const json_t *curve) {
    const json_t *decision = json_object_get(curve, "decision");
    if (!json_is_object(decision)) return "";
    return json_is_true(json_object_get(decision, "ended")) ? "ended" : "kept";
}

/* How a curve is drawn: by the first of these that is true. */
typedef enum look { RUNNING, BEST, ENDED, KEPT, COMPLETE, LOST } look;

static look look_of(const json_t *curve) {
    const char *state = json_string_value(json_object_get(curve, "state")), *decision = decision_of(curve);
    if (state && strcmp(state, "RUNNING") == 0) return RUNNING;
    if (json_is_true(json_object_get(curve, "best"))) return BEST;
    if (*decision) return strcmp(decision, "ended") == 0 ? ENDED : KEPT;
    return state && strcmp(state, "COMPLETE") == 0 ? COMPLETE : LOST;
}

/* All curves of one look as one line, with a gap after each. */
static void draw_lines(plot *p, look wanted, figure_series like) {
    size_t n = 0, k = 0;
    for (size_t i = 0; i < count_of(p); i++)
        if (look_of(curve_of(p, i)) == wanted) n += plot_length(curve_of(p, i), "step") + 1;
    if (n == 0) return;
    like.kind = FIGURE_LINE;
    canvas_numbers to = canvas_series(&p->canvas, like, n, 0);
    for (size_t i = 0; i < count_of(p); i++) {
        const json_t *curve = curve_of(p, i);
        if (look_of(curve) != wanted) continue;
        for (size_t j = 0; j < plot_length(curve, "step") && k < to.n; j++, k++) {
            to.x[k] = rows_real(plot_cell(curve, "step", j));
            to.y[k] = rows_real(plot_cell(curve, "value", j));
        }
        k++;
    }
}

/* A mark where each was ended, or could have been. */
static void draw_decisions(plot *p, const char *what, figure_series like) {
    size_t n = 0, k = 0;
    for (size_t i = 0; i < count_of(p); i++) n += strcmp(decision_of(curve_of(p, i)), what) == 0;
    if (n == 0) return;
    like.kind = FIGURE_POINTS;
    canvas_numbers to = canvas_series(&p->canvas, like, n, 0);
    for (size_t i = 0; i < count_of(p) && k < to.n; i++) {
        const json_t *decision = json_object_get(curve_of(p, i), "decision");
        if (strcmp(decision_of(curve_of(p, i)), what) != 0) continue;
        to.x[k] = rows_real_of(decision, "step");
        to.y[k++] = rows_real_of(decision, "value");
    }
}

/* The first and the last step of all curves. */
static void find_steps(const plot *p, double ends[2]) {
    ends[0] = INFINITY, ends[1] = -INFINITY;
    for (size_t i = 0; i < count_of(p); i++) {
        size_t n = plot_length(curve_of(p, i), "step");
        if (n == 0) continue;
        ends[0] = fmin(ends[0], rows_real(plot_cell(curve_of(p, i), "step", 0)));
        ends[1] = fmax(ends[1], rows_real(plot_cell(curve_of(p, i), "step", n - 1)));
    }
}

static void draw(plot *p) {
    static const struct {
        look of;
        figure_series like;
    } looks[] = {{LOST, {.name = "without a result", .colour = FIGURE_GREY, .thin = 1, .dashed = 1}},
                 {COMPLETE, {.name = "complete", .colour = FIGURE_BLUE, .thin = 1}},
                 {ENDED, {.colour = FIGURE_RED, .thin = 1}},
                 {KEPT, {.colour = FIGURE_PURPLE, .thin = 1}},
                 {RUNNING, {.name = "running", .colour = FIGURE_ORANGE}},
                 {BEST, {.name = "the best", .colour = FIGURE_BLACK}}};
    double ends[2], incumbent = rows_real_of(p->answer, "incumbent");
    figure_panel *panel = canvas_panel(&p->canvas, NULL);
    panel->x_label = "step";
    panel->y_label = plot_output_label(p, plot_output(p));
    panel->key = FIGURE_KEY_BESIDE;
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) draw_lines(p, looks[i].of, looks[i].like);
    draw_decisions(p, "ended", (figure_series){.name = "ended early", .colour = FIGURE_RED, .mark = 11});
    draw_decisions(p, "kept", (figure_series){.name = "kept by the coin", .colour = FIGURE_PURPLE, .mark = 4});
    find_steps(p, ends);
    if (isnan(incumbent)) return;
    figure_series like = {.name = "best observed", .colour = FIGURE_BLACK, .dashed = 1};
    canvas_line(&p->canvas, like, (double[]){ends[0], incumbent}, (double[]){ends[1], incumbent});
}

static void list(plot *p, output *to) {
    const char *value = plot_output_column(p, plot_output(p), " trial attempt state decision step ");
    for (size_t i = 0; i < count_of(p); i++) {
        const json_t *curve = curve_of(p, i);
        const char *decision = decision_of(curve);
        for (size_t j = 0; value && j < plot_length(curve, "step"); j++)
            output_row(to, json_pack("{s:O, s:O, s:O, s:s?, s:O, s:O}", "trial", json_object_get(curve, "trial"),
                                     "attempt", json_object_get(curve, "attempt"), "state",
                                     json_object_get(curve, "state"), "decision", *decision ? decision : NULL, "step",
                                     plot_cell(curve, "step", j), value, plot_cell(curve, "value", j)));
    }
}

const plot_kind plot_curves = {"curves", " ", 0, 0, gather, draw, list};
