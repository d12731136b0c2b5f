/* extent.c - the ranges of a panel's axes. Layer: report. Cost: linear in the numbers. */
#include "extent.h"

#include <math.h>

static const double LARGEST = 1e300;
static const double PAD = 0.04; /* of the range, between the outermost marks and the axes */

int extent_is_log(const figure_panel *p, extent_axis axis) { return axis == EXTENT_X ? p->log_x : p->log_y; }

extent_names extent_names_of(const figure_panel *p, extent_axis axis) {
    if ((axis == EXTENT_Y) == (p->tics_on_y != 0)) return (extent_names){p->tics, p->tic_at, p->tic_name};
    return (extent_names){p->more_tics, p->more_at, p->more_name};
}

int extent_is_named(const figure_panel *p, extent_axis axis) { return extent_names_of(p, axis).n > 0; }

static const double *column_of(const figure_series *s, extent_column column) {
    const double *const columns[] = {s->x, s->y, s->low, s->high};
    return columns[column];
}

/* Arrows end at (low, high); bars lie along x if the named tics are on y. */
static extent_axis axis_of(const figure_panel *p, const figure_series *s, extent_column column) {
    if (column == EXTENT_AT_X) return EXTENT_X;
    if (column == EXTENT_AT_Y) return EXTENT_Y;
    if (s->kind == FIGURE_ARROWS) return column == EXTENT_LOW ? EXTENT_X : EXTENT_Y;
    return s->kind == FIGURE_POINTS && p->tics_on_y ? EXTENT_X : EXTENT_Y;
}

static void include(extent *e, double value, int is_log) {
    if (!isfinite(value) || (is_log && value <= 0)) return;
    e->low = fmin(e->low, value); /* fmin and fmax pass over NAN */
    e->high = fmax(e->high, value);
}

static extent extent_of_data(const figure_panel *p, extent_axis axis) {
    extent e = {NAN, NAN};
    int is_log = extent_is_log(p, axis);
    for (size_t k = 0; k < p->count; k++)
        for (extent_column c = EXTENT_AT_X; c <= EXTENT_HIGH; c++) {
            const figure_series *s = &p->series[k];
            const double *values = column_of(s, c);
            if (!values || axis_of(p, s, c) != axis) continue;
            for (size_t i = 0; i < s->n; i++) include(&e, values[i], is_log);
        }
    extent_names names = extent_names_of(p, axis);
    for (size_t i = 0; i < names.n; i++) include(&e, names.at[i], is_log);
    return e;
}

/* Half the smallest distance of two named tics; 1/2 for a single one. */
static double half_step(extent_names names) {
    double step = INFINITY;
    for (size_t i = 0; i < names.n; i++)
        for (size_t k = 0; k < i; k++) {
            double distance = fabs(names.at[i] - names.at[k]);
            if (distance > 0) step = fmin(step, distance);
        }
    return isinf(step) ? 0.5 : 0.5 * step;
}

/* Symbols and outlines need space around them; lines may begin at the axis. */
static int has_marks(const figure_panel *p) {
    for (size_t k = 0; k < p->count; k++)
        if (p->series[k].kind != FIGURE_LINE && p->series[k].kind != FIGURE_FILL) return 1;
    return 0;
}

static extent pad_log(extent e) {
    double pad = e.high / e.low > 1 + 1e-6 ? pow(e.high / e.low, PAD) : 2;
    return (extent){e.low / pad, e.high * pad};
}

static extent pad_linear(extent e) {
    double pad = e.high > e.low ? PAD * (e.high - e.low) : e.low != 0 ? 0.1 * fabs(e.low) : 1;
    return (extent){e.low - pad, e.high + pad};
}

double extent_step(double rough) {
    double unit = pow(10, floor(log10(rough))), many = rough / unit;
    return unit * (many < 1.5 ? 1 : many < 3.5 ? 2 : many < 7.5 ? 5 : 10);
}

/* Division by a whole number gives 0.6 where the product gives 0.6000000000000001. */
double extent_multiple(double step, double times) {
    return step < 1 && step > 1 / LARGEST ? times / round(1 / step) : times * step;
}

/* Out to the next tics. */
static extent round_out(extent e) {
    double step = extent_step((e.high - e.low) / 5);
    return (extent){extent_multiple(step, floor(e.low / step)), extent_multiple(step, ceil(e.high / step))};
}

static extent automatic(const figure_panel *p, extent_axis axis) {
    extent e = extent_of_data(p, axis);
    if (isnan(e.low)) return extent_is_log(p, axis) ? (extent){1, 10} : (extent){0, 1};
    int is_point = !(e.high - e.low > 1e-9 * fabs(e.low));
    if (extent_is_log(p, axis)) return axis == EXTENT_Y || has_marks(p) || is_point ? pad_log(e) : e;
    if (extent_is_named(p, axis)) {
        double half = half_step(extent_names_of(p, axis));
        return (extent){e.low - half, e.high + half};
    }
    if (has_marks(p) || is_point) return pad_linear(e);
    return axis == EXTENT_X ? e : round_out(e);
}

/* gnuplot treats numbers beyond LARGEST as undefined. */
static extent clamp(extent e, int is_log) {
    e.low = fmax(fmin(e.low, LARGEST), is_log ? 1 / LARGEST : -LARGEST);
    e.high = fmax(fmin(e.high, LARGEST), is_log ? 1 / LARGEST : -LARGEST);
    if (e.low < e.high) return e;
    return (extent){is_log ? 1 / LARGEST : -LARGEST, LARGEST};
}

/* The panel's own limits override the automatic ones. */
extent extent_range(const figure_panel *p, extent_axis axis) {
    int is_log = extent_is_log(p, axis);
    double low = axis == EXTENT_X ? p->x_low : p->y_low;
    double high = axis == EXTENT_X ? p->x_high : p->y_high;
    extent e = clamp(automatic(p, axis), is_log);
    if (!isnan(low)) {
        e.low = low;
        if (e.high <= low) e.high = is_log ? 10 * low : low + 1;
    }
    if (!isnan(high)) {
        e.high = high;
        if (isnan(low) && e.low >= high) e.low = is_log ? high / 10 : high - 1;
    }
    return e;
}

void extent_row(const figure_panel *p, const extent range[2], const figure_series *s, size_t i, double row[4]) {
    for (extent_column c = EXTENT_AT_X; c <= EXTENT_HIGH; c++) {
        const double *values = column_of(s, c);
        extent_axis axis = axis_of(p, s, c);
        row[c] = values && isfinite(values[i]) ? values[i] : NAN;
        if (extent_is_log(p, axis) && row[c] <= 0) {
            int is_end = c >= EXTENT_LOW && s->kind != FIGURE_ARROWS;
            row[c] = is_end ? range[axis].low : NAN;
        }
    }
}

/* ---- surfaces -------------------------------------------------------------------------------- */

const figure_series *extent_surface(const figure_panel *p) {
    for (size_t k = 0; k < p->count; k++)
        if (p->series[k].kind == FIGURE_SURFACE) return &p->series[k];
    return NULL;
}

extent extent_colours(const figure_panel *p) {
    const figure_series *s = extent_surface(p);
    extent e = {NAN, NAN};
    if (p->z_low < p->z_high) return clamp((extent){p->z_low, p->z_high}, 0);
    for (size_t i = 0; s && i < s->n; i++) include(&e, s->z[i], 0);
    if (isnan(e.low)) return (extent){0, 1};
    return clamp(e.high - e.low > 1e-9 * fabs(e.low) ? e : pad_linear(e), 0);
}

size_t extent_row_length(const figure_series *s) {
    size_t n = 0;
    while (n < s->n && s->y[n] == s->y[0]) n++;
    return n;
}

/* Half way from a to b, in the scale of the axis. */
static double middle(double a, double b, int is_log) {
    return is_log && a > 0 && b > 0 ? sqrt(a) * sqrt(b) : a / 2 + b / 2;
}

/* As far beyond an end as `inner` lies inside of it. */
static double mirror(double end, double inner, int is_log) {
    return is_log && inner > 0 ? end * (end / inner) : end + (end - inner);
}

extent extent_cell(const double *numbers, size_t n, size_t step, size_t at, int is_log) {
    double here = numbers[at * step];
    if (n < 2) return is_log ? (extent){here / 2, here * 2} : (extent){here - 0.5, here + 0.5};
    double below = at > 0 ? middle(numbers[(at - 1) * step], here, is_log) : 0;
    double above = at + 1 < n ? middle(here, numbers[(at + 1) * step], is_log) : 0;
    if (at == 0) below = mirror(here, above, is_log);
    if (at + 1 == n) above = mirror(here, below, is_log);
    return (extent){below, above};
}
