/* picture_ratios.c - final regret over that of the reference method, for cases named FUNCTION+NOISE+SURROGATE: a panel
 * for each of these factors, a row for each of its levels. A dot is the geometric mean, over the cases of that level,
 * of the ratio of the medians over seeds. The bar is its 95 % bootstrap interval: seeds are resampled, the same for all
 * methods and cases; cases are not, since they were chosen, not drawn. Layer: experiment, pictures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "picture_parts.h"

enum { DRAWS = 500, COPIES = DRAWS + 1, BOOTSTRAP_SEED = 1, PARTS = 3, PART_NAME = 64 };
static const double LEVEL = 0.95;
static const char *const part_name[PARTS] = {"by function", "by noise", "by surrogate"};

/* ---- the ratios of all cells ----------------------------------------------------------------- */

/* The logarithm of the ratio of every cell: COPIES each, first as measured, then DRAWS resamples; NAN: not run. */
typedef struct ratios {
    const picture *picture;
    double *log_ratio, *room;
} ratios;

static double *ratio_of(const ratios *t, size_t cell) { return t->log_ratio + cell * COPIES; }

/* a and b are resampled with the same draws. */
static locbo_status resample(size_t n, const double *a, const double *b, double *log_ratio, locbo_error *error) {
    double *room = mem_new(n, sizeof *room);
    if (!room) return status_no_memory(error);
    for (uint64_t k = 0; k < COPIES; k++) {
        draw d = draw_open(BOOTSTRAP_SEED, k), again = d;
        double above = stats_resampled_median(n, a, k ? &d : NULL, room);
        log_ratio[k] = log(above / stats_resampled_median(n, b, k ? &again : NULL, room));
    }
    mem_free(room);
    return LOCBO_OK;
}

static locbo_status fill_cell(ratios *t, size_t c, size_t m, sample_column column, locbo_error *error) {
    const plan *p = t->picture->plan;
    const results *r = t->picture->results;
    sample a, b;
    locbo_status status = sample_take(r, plan_cell(p, c, m), column, &a, error);
    if (status != LOCBO_OK) return status;
    status = sample_take(r, plan_cell(p, c, p->against), column, &b, error);
    if (status == LOCBO_OK) {
        sample_match(&a, &b);
        if (a.n > 0) status = resample(a.n, a.value, b.value, ratio_of(t, plan_cell(p, c, m)), error);
        sample_release(&b);
    }
    sample_release(&a);
    return status;
}

static locbo_status fill(ratios *t, sample_column column, locbo_error *error) {
    const plan *p = t->picture->plan;
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < plan_cells(p) * COPIES; i++) t->log_ratio[i] = (double)NAN;
    for (size_t c = 0; c < p->cases; c++)
        for (size_t m = 0; m < p->methods && status == LOCBO_OK; m++)
            if (m != p->against) status = fill_cell(t, c, m, column, error);
    return status;
}

/* ---- the levels of a factor ------------------------------------------------------------------ */

/* Part `q` of "a+b+c"; returns 0 if there is none. */
static int part_of(const char *name, size_t q, char part[PART_NAME]) {
    for (; q > 0 && name; q--) {
        name = strchr(name, '+');
        if (name) name++;
    }
    if (!name) return 0;
    snprintf(part, PART_NAME, "%.*s", (int)strcspn(name, "+"), name);
    return 1;
}

static int is_at(const plan *p, size_t c, size_t q, const char *level) {
    char part[PART_NAME];
    return !level || (part_of(p->case_[c].name, q, part) && strcmp(part, level) == 0);
}

/* The levels of factor q in the order of the cases; returns their number. `level` has space for one for each case. */
static size_t levels_of(const plan *p, size_t q, char (*level)[PART_NAME]) {
    size_t n = 0;
    for (size_t c = 0; c < p->cases; c++) {
        size_t k = 0;
        if (!part_of(p->case_[c].name, q, level[n])) continue;
        while (k < n && strcmp(level[k], level[n]) != 0) k++;
        n += k == n;
    }
    return n;
}

/* ---- a row ----------------------------------------------------------------------------------- */

/* The number of cases of a level that the reference method was run for. */
static size_t cells_of(const picture *d, size_t q, const char *level) {
    const plan *p = d->plan;
    size_t n = 0;
    for (size_t c = 0; c < p->cases; c++)
        n += is_at(p, c, q, level) && picture_has_runs(d, plan_cell(p, c, p->against));
    return n;
}

static size_t cells_with(const ratios *t, size_t m, size_t q, const char *level) {
    const plan *p = t->picture->plan;
    size_t n = 0;
    for (size_t c = 0; c < p->cases; c++) n += is_at(p, c, q, level) && !isnan(*ratio_of(t, plan_cell(p, c, m)));
    return n;
}

/* Geometric mean over the cases of a level (NULL: all), and its interval. With a median of 0 it is 0 or infinite, and
 * not drawn. */
static stats_interval mean_ratio(const ratios *t, size_t m, size_t q, const char *level) {
    const plan *p = t->picture->plan;
    double n = (double)cells_with(t, m, q, level);
    for (size_t k = 0; k < COPIES; k++) t->room[k] = n > 0 ? 0 : (double)NAN;
    for (size_t c = 0; c < p->cases; c++) {
        const double *log_ratio = ratio_of(t, plan_cell(p, c, m));
        if (!is_at(p, c, q, level) || isnan(*log_ratio)) continue;
        for (size_t k = 0; k < COPIES; k++) t->room[k] += log_ratio[k] / n;
    }
    stats_interval ratio = stats_percentiles(t->room[0], DRAWS, t->room + 1, LEVEL);
    return (stats_interval){exp(ratio.low), exp(ratio.value), exp(ratio.high)};
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* The rows of a panel: levels of factor `part`; NULL: all cases. */
typedef struct rows {
    size_t part, n;
    const char **level;
} rows;

static size_t drawn_methods(const ratios *t) {
    size_t n = 0;
    for (size_t m = 0; m < t->picture->plan->methods; m++) n += cells_with(t, m, 0, NULL) > 0;
    return n;
}

/* The name of a method that was not run for all cases has the number of its cases. */
static const char *name_of(const ratios *t, canvas *c, size_t m) {
    const plan *p = t->picture->plan;
    size_t n = cells_with(t, m, 0, NULL);
    if (n == p->cases) return p->method[m].name;
    return canvas_text(c, "%s (%zu of %zu cases)", p->method[m].name, n, p->cases);
}

/* The dots of one method, shifted by `lower` rows from the middle of the row. A level has a dot only if the method was
 * run for all its cases, since means over different cases cannot be compared. */
static void add_method(picture *d, const ratios *t, const rows *r, size_t m, double lower) {
    figure_series like = picture_style(d->plan, m, FIGURE_POINTS);
    like.name = name_of(t, &d->canvas, m);
    canvas_numbers dots = canvas_series(&d->canvas, like, r->n, 1);
    for (size_t i = 0; i < dots.n; i++) {
        const char *level = r->level[i];
        int missing = level && cells_with(t, m, r->part, level) < cells_of(d, r->part, level);
        stats_interval none = {(double)NAN, (double)NAN, (double)NAN};
        picture_put_along_x(&dots, i, (double)(i + 1) + lower, missing ? none : mean_ratio(t, m, r->part, level));
    }
}

static void add_rows(picture *d, const ratios *t, const rows *r) {
    double bottom = (double)r->n + 0.5, from[2] = {1, 0.5}, to[2] = {1, bottom};
    size_t drawn = drawn_methods(t), k = 0;
    canvas_line(&d->canvas, (figure_series){.colour = FIGURE_BLACK}, from, to);
    for (size_t m = 0; m < d->plan->methods; m++)
        if (cells_with(t, m, 0, NULL) > 0) add_method(d, t, r, m, 0.72 * (((double)k++ + 0.5) / (double)drawn - 0.5));
}

static locbo_status add_tics(picture *d, const rows *r, locbo_error *error) {
    const char **name = mem_new(r->n, sizeof *name);
    if (!name) return status_no_memory(error);
    for (size_t i = 0; i < r->n; i++) name[i] = r->level[i] ? r->level[i] : "all";
    canvas_tics(&d->canvas, r->n, name, 1);
    mem_free(name);
    return LOCBO_OK;
}

static locbo_status add_panel(picture *d, const ratios *t, const rows *r, const char *side, locbo_error *error) {
    const char *against = d->plan->method[d->plan->against].name;
    figure_panel *panel = canvas_panel(&d->canvas, canvas_text(&d->canvas, "%s, %s", side, part_name[r->part]));
    panel->x_label = canvas_text(&d->canvas, "median %s over that of %s", picture_measure(d->plan), against);
    panel->log_x = 1;
    panel->y_low = 0.5;
    panel->y_high = (double)r->n + 0.5;
    locbo_status status = add_tics(d, r, error);
    if (status == LOCBO_OK) add_rows(d, t, r);
    return status;
}

/* The first panel begins with a row of all cases. */
static locbo_status add_part(picture *d, const ratios *t, size_t part, const char *side, locbo_error *error) {
    size_t cases = d->plan->cases;
    char(*level)[PART_NAME] = mem_new(cases + 1, sizeof *level);
    rows r = {.part = part, .level = mem_new(cases + 1, sizeof *r.level)};
    locbo_status status = level && r.level ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK) {
        size_t n = levels_of(d->plan, part, level);
        if (part == 0) r.level[r.n++] = NULL;
        for (size_t i = 0; i < n; i++) r.level[r.n++] = level[i];
        if (n > 0) status = add_panel(d, t, &r, side, error);
    }
    mem_free(level);
    mem_free(r.level);
    return status;
}

static locbo_status add_side(picture *d, ratios *t, int side, locbo_error *error) {
    locbo_status status = fill(t, picture_side[side], error);
    for (size_t part = 0; part < PARTS && status == LOCBO_OK; part++)
        status = add_part(d, t, part, picture_side_name[side], error);
    if (side == 0 && d->canvas.panels > 0) d->canvas.panel[d->canvas.panels - 1].key = 1;
    return status;
}

locbo_status picture_ratios(picture *d, locbo_error *error) {
    ratios t = {.picture = d,
                .log_ratio = mem_new(plan_cells(d->plan) * COPIES, sizeof *t.log_ratio),
                .room = mem_new(COPIES, sizeof *t.room)};
    locbo_status status = t.log_ratio && t.room ? LOCBO_OK : status_no_memory(error);
    for (int side = 0; side < PICTURE_SIDES && status == LOCBO_OK; side++) status = add_side(d, &t, side, error);
    mem_free(t.log_ratio);
    mem_free(t.room);
    return status;
}
