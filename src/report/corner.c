/* corner.c - the emptiest corner of a panel. Layer: report. Cost: linear in the numbers. */
#include "corner.h"

#include <math.h>

/* The size of a key, and the amount of drawing under it in each corner: [right][top]. */
typedef struct survey {
    double width, height, ink[2][2];
} survey;

static double part_of(extent range, double value, int is_log) {
    if (is_log) return log(value / range.low) / log(range.high / range.low);
    return (value - range.low) / (range.high - range.low);
}

static void add_ink(survey *s, double x, double y, double ink) {
    for (int right = 0; right < 2; right++)
        for (int top = 0; top < 2; top++) {
            double from_side = right ? 1 - x : x, from_end = top ? 1 - y : y;
            int under = from_side >= 0 && from_side <= s->width && from_end >= 0 && from_end <= s->height;
            if (under) s->ink[right][top] += ink;
        }
}

/* A line counts by its length. */
static void add_line(survey *s, const double from[2], const double to[2]) {
    double length = hypot(to[0] - from[0], to[1] - from[1]);
    int steps = length < 1 ? (int)ceil(length * 40) : 40;
    for (int i = 0; i < steps; i++) {
        double t = (i + 0.5) / steps;
        add_ink(s, from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]), 1);
    }
}

/* Areas do not count: a key over a pale colour is readable. */
static void add_series(survey *s, const figure_panel *p, const extent range[2], const figure_series *q) {
    double last[2] = {NAN, NAN};
    if (q->kind == FIGURE_FILL || q->kind == FIGURE_SURFACE) return;
    for (size_t i = 0; i < q->n; i++) {
        double row[4];
        extent_row(p, range, q, i, row);
        double at[] = {part_of(range[EXTENT_X], row[0], p->log_x), part_of(range[EXTENT_Y], row[1], p->log_y)};
        int joined = q->kind != FIGURE_POINTS && !isnan(last[0] + last[1] + at[0] + at[1]);
        if (joined)
            add_line(s, last, at);
        else if (!isnan(at[0] + at[1]))
            add_ink(s, at[0], at[1], 1);
        last[0] = at[0];
        last[1] = at[1];
    }
}

corner corner_find(const figure_panel *p, const extent range[2], double width, double height) {
    survey s = {.width = width, .height = height};
    corner best = {1, 1};
    for (size_t k = 0; k < p->count; k++) add_series(&s, p, range, &p->series[k]);
    for (int right = 1; right >= 0; right--)
        for (int top = 1; top >= 0; top--)
            if (s.ink[right][top] < s.ink[best.right][best.top]) best = (corner){right, top};
    return best;
}
