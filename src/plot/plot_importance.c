/* plot_importance.c - the importance of each parameter: its Sobol' indices. Layer: plot. */
#include "mem.h"
#include "plot.h"

static locbo_status gather(plot *p, locbo_error *error) {
    const plot_question questions[] = {{"output", p->output}, {NULL, NULL}};
    return plot_ask(p, "importance", questions, &p->answer, error);
}

static const json_t *row_of(const plot *p, size_t i) {
    return json_array_get(json_object_get(p->answer, "parameters"), i);
}

static size_t count_of(const plot *p) { return plot_length(p->answer, "parameters"); }

static double index_of(const json_t *row, const char *key) {
    return json_number_value(json_object_get(row, key)); /* null, if the mean is constant, is 0 */
}

/* By the total index, largest first. */
static size_t *sort_rows(const plot *p) {
    size_t n = count_of(p), *order = mem_new(n, sizeof *order);
    for (size_t i = 0; order && i < n; i++) {
        double own = index_of(row_of(p, i), "total");
        size_t k = i;
        for (; k > 0 && index_of(row_of(p, order[k - 1]), "total") < own; k--) order[k] = order[k - 1];
        order[k] = i;
    }
    return order;
}

/* Horizontal bars of one index: four corners each, separated by NAN. */
static void draw_bars(plot *p, const size_t *order, const char *key, double half, figure_series like) {
    size_t n = count_of(p);
    canvas_numbers to = canvas_series(&p->canvas, like, 5 * n, 0);
    for (size_t i = 0; i < n; i++) {
        double length = index_of(row_of(p, order[i]), key);
        for (size_t k = 0; k < 4 && 5 * i + k < to.n; k++) {
            to.x[5 * i + k] = k == 1 || k == 2 ? length : 0;
            to.y[5 * i + k] = (double)(i + 1) + (k < 2 ? -half : half);
        }
    }
}

static void draw(plot *p) {
    size_t *order = sort_rows(p);
    const char **names = mem_new(count_of(p), sizeof *names);
    figure_panel *panel = canvas_panel(&p->canvas, NULL);
    panel->x_label =
        cache_outputs(p->cache)->table
            ? canvas_text(&p->canvas, "share of the variance of %s by the model (narrow: alone)", plot_output_name(p))
            : "share of the variance of the model's mean (narrow: alone)";
    panel->x_low = 0;
    if (order && names) {
        for (size_t i = 0; i < count_of(p); i++)
            names[i] = json_string_value(json_object_get(row_of(p, order[i]), "name"));
        draw_bars(p, order, "total", 0.3,
                  (figure_series){.name = "with interactions", .kind = FIGURE_POLYGON, .colour = FIGURE_BLUE});
        draw_bars(p, order, "first", 0.15,
                  (figure_series){.name = "alone", .kind = FIGURE_POLYGON, .colour = FIGURE_ORANGE});
        canvas_tics(&p->canvas, count_of(p), names, 1);
    } else {
        p->canvas.failed = 1;
    }
    mem_free(order);
    mem_free(names);
}

static void list(plot *p, output *to) {
    for (size_t i = 0; i < count_of(p); i++) output_row(to, json_incref((json_t *)row_of(p, i)));
}

const plot_kind plot_importance = {"importance", " output-name ", 0, 0, gather, draw, list};
