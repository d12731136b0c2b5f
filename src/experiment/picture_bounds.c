/* picture_bounds.c - the share of rounds so far in which an event of the theory held, and its bound
 * (lemma:long-run_noisy, lemma:long-run_obj, th:utility_guarantee): a row of panels for each case, a column for each
 * event. The line is the mean over seeds, the band their range, the dashed line the bound. Layer: experiment,
 * pictures. */
#include <math.h>

#include "mem.h"
#include "picture_parts.h"

typedef enum event { EVENT_RESULT, EVENT_TRUTH, EVENT_UTILITY, EVENTS } event;
static const char *const event_name[EVENTS] = {"results in their set (Lemma 1)", "truths in that set (Lemma 2)",
                                               "Theorem 1's event"};

static double share_of(const task_row *row, event what) {
    const double shares[EVENTS] = {row->covered, row->covered_f, row->utility};
    return shares[what];
}

/* Theorem 1 has the bound of Lemma 2. */
static double bound_of(const task_row *row, event what) { return what == EVENT_RESULT ? row->bound : row->bound_f; }

static int has_utility(const picture *d) {
    for (size_t k = 0; k < results_count(d->results); k++) {
        results_run run = results_at(d->results, k);
        for (size_t i = 0; i < run.rows; i++)
            if (!isnan(run.row[i].utility)) return 1;
    }
    return 0;
}

/* A row has the share over the rounds since the previous row; share[i] is over all rounds up to row i. */
static void add_up(const results_run *run, event what, double *share) {
    double sum = 0;
    for (size_t i = 1; i < run->rows; i++) {
        sum += (double)(run->row[i].t - run->row[i - 1].t) * share_of(&run->row[i], what);
        share[i] = sum / (double)run->row[i].t;
    }
}

static void include(canvas_numbers *line, size_t i, double t, double share, double weight) {
    line->x[i - 1] = t;
    line->y[i - 1] = (isnan(line->y[i - 1]) ? 0 : line->y[i - 1]) + weight * share;
    line->low[i - 1] = fmin(line->low[i - 1], share); /* fmin and fmax pass over NAN */
    line->high[i - 1] = fmax(line->high[i - 1], share);
}

/* Row 0 is before the first round. */
static locbo_status add_shares(picture *d, size_t cell, event what, figure_series like, locbo_error *error) {
    size_t first = results_first(d->results, cell), end = results_first(d->results, cell + 1);
    size_t rows = (size_t)-1;
    for (size_t k = first; k < end; k++)
        if (results_at(d->results, k).rows < rows) rows = results_at(d->results, k).rows;
    double *share = mem_new(rows, sizeof *share);
    if (!share) return status_no_memory(error);
    canvas_numbers line = canvas_series(&d->canvas, like, rows - 1, 1);
    for (size_t k = first; k < end && line.n > 0; k++) {
        results_run run = results_at(d->results, k);
        run.rows = rows; /* the shortest run, if the lengths differ */
        add_up(&run, what, share);
        for (size_t i = 1; i < rows; i++) include(&line, i, (double)run.row[i].t, share[i], 1 / (double)(end - first));
    }
    mem_free(share);
    return LOCBO_OK;
}

/* The bound depends on the options and t only, so it is the same in all runs. */
static void add_bound(picture *d, size_t cell, event what, figure_series like) {
    results_run run = results_at(d->results, results_first(d->results, cell));
    like.name = canvas_text(&d->canvas, "%s, bound", like.name);
    like.dashed = 1;
    canvas_numbers line = canvas_series(&d->canvas, like, run.rows - 1, 0);
    for (size_t i = 0; i < line.n; i++) {
        line.x[i] = (double)run.row[i + 1].t;
        line.y[i] = bound_of(&run.row[i + 1], what);
    }
}

static locbo_status add_panel(picture *d, size_t c, event what, int key, locbo_error *error) {
    figure_panel *panel = canvas_panel(&d->canvas, picture_title(d, c, event_name[what]));
    panel->x_label = "round t";
    panel->y_label = "share of rounds so far";
    panel->x_low = panel->y_low = 0;
    panel->y_high = 1;
    panel->key = key;
    locbo_status status = LOCBO_OK;
    for (size_t m = 0; m < d->plan->methods && status == LOCBO_OK; m++) {
        size_t cell = plan_cell(d->plan, c, m);
        figure_series like = picture_style(d->plan, m, FIGURE_LINE);
        if (!picture_has_runs(d, cell)) continue;
        status = add_shares(d, cell, what, like, error);
        if (status == LOCBO_OK) add_bound(d, cell, what, like);
    }
    return status;
}

locbo_status picture_bounds(picture *d, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    event end = has_utility(d) ? EVENTS : EVENT_UTILITY;
    for (size_t c = 0; c < d->plan->cases && status == LOCBO_OK; c++)
        for (event what = 0; what < end && status == LOCBO_OK; what++)
            status = add_panel(d, c, what, c == 0 && what + 1 == end, error);
    return status;
}
