/* canvas.c - a figure while it is built. Layer: report, above figures. */
#include "canvas.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"

static const double PAD = 0.04; /* of a range, on either side */

void canvas_init(canvas *c) { memset(c, 0, sizeof *c); }

void canvas_release(canvas *c) {
    for (size_t i = 0; i < c->panels; i++) mem_free((void *)c->panel[i].series);
    for (size_t i = 0; i < c->blocks; i++) mem_free(c->block[i]);
    mem_free(c->panel);
    mem_free(c->block);
    canvas_init(c);
}

/* The canvas will free `memory`; NULL is a failure. */
static void *own(canvas *c, void *memory) {
    if (memory && mem_reserve(&c->block, &c->block_room, c->blocks + 1, sizeof *c->block))
        return c->block[c->blocks++] = memory;
    mem_free(memory);
    c->failed = 1;
    return NULL;
}

double *canvas_doubles(canvas *c, size_t n) {
    double *numbers = own(c, mem_new(n, sizeof *numbers));
    for (size_t i = 0; numbers && i < n; i++) numbers[i] = (double)NAN;
    return numbers;
}

const char *canvas_text(canvas *c, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return own(c, mem_text(text));
}

static const char *copy(canvas *c, const char *text) { return text ? own(c, mem_text(text)) : NULL; }

/* ---- panels and series ----------------------------------------------------------------------- */

figure_panel *canvas_panel(canvas *c, const char *title) {
    const double any = (double)NAN;
    figure_panel empty = {.x_low = any, .x_high = any, .y_low = any, .y_high = any};
    empty.title = copy(c, title);
    c->series_room = 0;
    if (!mem_reserve(&c->panel, &c->panel_room, c->panels + 1, sizeof *c->panel)) c->failed = 1;
    figure_panel *p = c->failed ? &c->spare : &c->panel[c->panels++];
    *p = empty;
    return p;
}

static figure_series *add_series(canvas *c) {
    if (c->failed || c->panels == 0) return NULL;
    figure_panel *p = &c->panel[c->panels - 1];
    figure_series *series = (figure_series *)p->series;
    if (!mem_reserve(&series, &c->series_room, p->count + 1, sizeof *series)) {
        c->failed = 1;
        return NULL;
    }
    p->series = series;
    return &series[p->count++];
}

canvas_numbers canvas_series(canvas *c, figure_series like, size_t n, int has_ends) {
    canvas_numbers none = {0}, made = {.n = n};
    figure_series *s;
    like.name = copy(c, like.name);
    made.x = canvas_doubles(c, n);
    made.y = canvas_doubles(c, n);
    made.low = has_ends ? canvas_doubles(c, n) : NULL;
    made.high = has_ends ? canvas_doubles(c, n) : NULL;
    if (c->failed || !(s = add_series(c))) return none;
    *s = like;
    s->n = n;
    s->x = made.x;
    s->y = made.y;
    s->low = made.low;
    s->high = made.high;
    return made;
}

void canvas_line(canvas *c, figure_series like, const double from[2], const double to[2]) {
    like.kind = FIGURE_LINE;
    canvas_numbers line = canvas_series(c, like, 2, 0);
    for (size_t i = 0; i < line.n; i++) {
        line.x[i] = i ? to[0] : from[0];
        line.y[i] = i ? to[1] : from[1];
    }
}

/* ---- axes ------------------------------------------------------------------------------------ */

double *canvas_tics(canvas *c, size_t n, const char *const *name, int on_y) {
    double *at = canvas_doubles(c, n);
    const char **names = own(c, mem_new(n, sizeof *names));
    for (size_t i = 0; at && names && i < n; i++) {
        at[i] = (double)(i + 1);
        names[i] = copy(c, name[i]);
    }
    if (c->failed || c->panels == 0) return NULL;
    figure_panel *p = &c->panel[c->panels - 1];
    p->tics = n;
    p->tic_at = at;
    p->tic_name = names;
    p->tics_on_y = on_y;
    return at;
}

typedef struct range {
    double low, high;
} range;

static void widen(range *r, size_t n, const double *numbers, int is_log) {
    for (size_t i = 0; numbers && i < n; i++)
        if (isfinite(numbers[i]) && (!is_log || numbers[i] > 0)) {
            r->low = fmin(r->low, numbers[i]);
            r->high = fmax(r->high, numbers[i]);
        }
}

static void pad(range *r, int is_log) {
    double more = is_log ? pow(r->high / r->low, PAD) : PAD * (r->high - r->low);
    r->low = is_log ? r->low / more : r->low - more;
    r->high = is_log ? r->high * more : r->high + more;
}

void canvas_same_y(canvas *c, size_t first) {
    range r = {INFINITY, -INFINITY};
    int is_log = first < c->panels && c->panel[first].log_y;
    for (size_t i = first; i < c->panels; i++)
        for (size_t k = 0; k < c->panel[i].count; k++) {
            const figure_series *s = &c->panel[i].series[k];
            widen(&r, s->n, s->y, is_log);
            widen(&r, s->n, s->low, is_log);
            widen(&r, s->n, s->high, is_log);
        }
    if (!(r.low < r.high)) return; /* no data, or a single value: automatic ranges */
    pad(&r, is_log);
    for (size_t i = first; i < c->panels; i++) {
        c->panel[i].y_low = r.low;
        c->panel[i].y_high = r.high;
    }
}

locbo_status canvas_save(const canvas *c, const char *path, const char *scratch, const figure_page *page,
                         locbo_error *error) {
    if (c->failed) return status_no_memory(error);
    return figure_save(path, scratch, page, c->panels, c->panel, error);
}

locbo_status canvas_write(const canvas *c, const char *dir, const char *name, unsigned files, locbo_error *error) {
    if (c->failed) return status_no_memory(error);
    return figure_write(dir, name, files, c->panels, c->panel, error);
}
