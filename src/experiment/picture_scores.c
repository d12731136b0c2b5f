/* picture_scores.c - scores of methods (score.h): a panel for all problems, for every group, and for every kind that is
 * in no group; for each method a row with its median score and 95 % bootstrap interval; and a line at the reference
 * method. Layer: experiment, pictures. */
#include <math.h>

#include "mem.h"
#include "picture_parts.h"
#include "score.h"

/* Whether a group holds all problems of a kind. Columns are kinds, groups, then all. */
static int is_in_a_group(const plan *p, const score_column *kind) {
    for (size_t i = 0; i < p->groups; i++) {
        size_t c = 0;
        while (c < p->cases && (!kind->has[c] || p->group[i].has[c])) c++;
        if (c == p->cases) return 1;
    }
    return 0;
}

/* The number of columns that are kinds. */
static size_t kinds_of(const plan *p, const score *s) { return s->columns - p->groups - 1; }

static void add_dot(picture *d, const score_row *row, size_t y) {
    canvas_numbers dot = canvas_series(&d->canvas, picture_style(d->plan, row->method, FIGURE_POINTS), 1, 1);
    picture_put_along_x(&dot, 0, (double)y, row->score);
}

/* Methods in the order of the plan, the first on top. */
static locbo_status add_rows(picture *d, const score *s, size_t column, locbo_error *error) {
    size_t n = s->rows / s->columns;
    double from[2] = {1, 0.5}, to[2] = {1, (double)n + 0.5};
    const char **name = mem_new(n, sizeof *name);
    if (!name) return status_no_memory(error);
    for (size_t i = 0; i < n; i++) name[i] = d->plan->method[s->row[i * s->columns].method].name;
    canvas_tics(&d->canvas, n, name, 1);
    mem_free(name);
    canvas_line(&d->canvas, (figure_series){.colour = FIGURE_GREY, .dashed = 1}, from, to);
    for (size_t i = 0; i < n; i++) add_dot(d, &s->row[i * s->columns + column], i + 1);
    return LOCBO_OK;
}

static locbo_status add_panel(picture *d, const score *s, size_t column, locbo_error *error) {
    const score_column *shown = &s->column[column];
    figure_panel *panel = canvas_panel(&d->canvas, canvas_text(&d->canvas, "%s (%zu problem%s)", shown->name,
                                                               shown->problems, shown->problems == 1 ? "" : "s"));
    panel->x_label = canvas_text(&d->canvas, "median score (%s is 1)", d->plan->method[d->plan->score].name);
    panel->log_x = 1;
    panel->y_low = 0.5;
    panel->y_high = (double)(s->rows / s->columns) + 0.5;
    return add_rows(d, s, column, error);
}

static locbo_status add_panels(picture *d, const score *s, locbo_error *error) {
    const plan *p = d->plan;
    size_t kinds = kinds_of(p, s);
    locbo_status status = add_panel(d, s, s->columns - 1, error); /* all */
    for (size_t i = kinds; i + 1 < s->columns && status == LOCBO_OK; i++) status = add_panel(d, s, i, error);
    for (size_t i = 0; i < kinds && status == LOCBO_OK; i++)
        if (!is_in_a_group(p, &s->column[i])) status = add_panel(d, s, i, error);
    return status;
}

locbo_status picture_scores(picture *d, locbo_error *error) {
    score s;
    locbo_status status = score_make(d->plan, d->results, &s, error);
    if (status != LOCBO_OK) return status;
    status = add_panels(d, &s, error);
    score_release(&s);
    return status;
}
