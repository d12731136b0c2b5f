/* plot_importance.c - the importance of each parameter. Layer: plot. */
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

/* By importance, largest first. */
static size_t *sort_rows(const plot *p) {
    size_t n = count_of(p), *order = mem_new(n, sizeof *order);
    for (size_t i = 0; order && i < n; i++) {
        double own = json_number_value(json_object_get(row_of(p, i), "importance"));
        size_t k = i;
        for (; k > 0; k--) {
            const json_t *above = json_object_get(row_of(p, order[k - 1]), "importance");
            if (json_number_value(above) >= own) break;
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
    return order;
}

/* Horizontal bars: four corners each, separated by NAN. */
static void draw_bars(plot *p, const size_t *order, const char **names) {
    size_t n = count_of(p);
    figure_series like = {.kind = FIGURE_POLYGON, .colour = FIGURE_BLUE};
    canvas_numbers to = canvas_series(&p->canvas, like, 5 * n, 0);
    for (size_t i = 0; i < n; i++) {
        const json_t *row = row_of(p, order[i]);
        double length = json_number_value(json_object_get(row, "importance"));
        names[i] = json_string_value(json_object_get(row, "name"));
        for (size_t k = 0; k < 4 && 5 * i + k < to.n; k++) {
            to.x[5 * i + k] = k == 1 || k == 2 ? length : 0;
            to.y[5 * i + k] = (double)(i + 1) + (k < 2 ? -0.3 : 0.3);
        }
    }
}

static void draw(plot *p) {
    size_t *order = sort_rows(p);
    const char **names = mem_new(count_of(p), sizeof *names);
    figure_panel *panel = canvas_panel(&p->canvas, NULL);
    panel->x_label =
        cache_outputs(p->cache)->table
            ? canvas_text(&p->canvas, "importance for %s (1 / length scale, as a share)", plot_output_name(p))
            : "importance (1 / length scale, as a share)";
    panel->x_low = 0;
    if (order && names) {
        draw_bars(p, order, names);
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
