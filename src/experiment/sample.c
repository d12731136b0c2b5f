/* sample.c - columns of many runs, and intervals of them. Layer: experiment, above results. */
#include "sample.h"

#include <math.h>
#include <string.h>

#include "draw.h"
#include "mem.h"

enum { DRAWS = 2000, BOOTSTRAP_SEED = 1 };
static const double LEVEL = 0.95;

/* ---- One number of a run ----------------------------------------------------------------------- */

/* A row has the mean over the rounds since the previous row, so rows are weighted by these rounds. */
static double mean_over_rounds(const results_run *run, sample_column column) {
    double sum = 0, rounds = 0;
    for (size_t i = 1; i < run->rows; i++) {
        double weight = (double)(run->row[i].t - run->row[i - 1].t);
        sum += weight * task_numbers(&run->row[i])[column];
        rounds += weight;
    }
    return sum / rounds;
}

/* `scratch` has room for every row. */
static double median_over_rows(const results_run *run, sample_column column, double *scratch) {
    size_t n = 0;
    for (size_t i = 1; i < run->rows; i++) {
        double value = task_numbers(&run->row[i])[column];
        if (!isnan(value)) scratch[n++] = value;
    }
    return stats_median(n, scratch);
}

/* The number of a run at its last row. */
static double number_of(const results_run *run, sample_column column, double *scratch) {
    task_of_run how = task_columns[column].of_run;
    if (how == TASK_MEAN) return mean_over_rounds(run, column);
    if (how == TASK_MEDIAN) return median_over_rows(run, column, scratch);
    return task_numbers(&run->row[run->rows - 1])[column];
}

/* ---- Of many runs ------------------------------------------------------------------------------ */

static locbo_status make_room(sample *s, size_t n, locbo_error *error) {
    *s = (sample){0, mem_new(n, sizeof *s->seed), mem_new(n, sizeof *s->value)};
    if (s->seed && s->value) return LOCBO_OK;
    sample_release(s);
    return status_no_memory(error);
}

void sample_release(sample *s) {
    mem_free(s->seed);
    mem_free(s->value);
    memset(s, 0, sizeof *s);
}

static void keep(sample *s, uint64_t seed, double value) {
    if (isnan(value)) return;
    s->seed[s->n] = seed;
    s->value[s->n++] = value;
}

static size_t most_rows(const results *r, size_t first, size_t end) {
    size_t most = 0;
    for (size_t i = first; i < end; i++)
        if (results_at(r, i).rows > most) most = results_at(r, i).rows;
    return most;
}

locbo_status sample_at(const results *r, size_t cell, size_t t, sample_column column, sample *taken,
                       locbo_error *error) {
    size_t first = results_first(r, cell), end = results_first(r, cell + 1);
    double *scratch = mem_new(most_rows(r, first, end), sizeof *scratch);
    locbo_status status = scratch ? make_room(taken, end - first, error) : status_no_memory(error);
    for (size_t i = first; status == LOCBO_OK && i < end; i++) {
        results_run run = results_at(r, i);
        while (run.rows > 1 && run.row[run.rows - 1].t > t) run.rows--;
        keep(taken, run.seed, number_of(&run, column, scratch));
    }
    mem_free(scratch);
    return status;
}

locbo_status sample_take(const results *r, size_t cell, sample_column column, sample *taken, locbo_error *error) {
    return sample_at(r, cell, (size_t)-1, column, taken, error);
}

void sample_match(sample *a, sample *b) {
    size_t n = 0;
    for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
        uint64_t x = a->seed[i], y = b->seed[j];
        if (x == y) {
            a->seed[n] = b->seed[n] = x;
            a->value[n] = a->value[i];
            b->value[n++] = b->value[j];
        }
        i += x <= y;
        j += y <= x;
    }
    a->n = b->n = n;
}

static locbo_status copy(const sample *from, sample *to, locbo_error *error) {
    locbo_status status = make_room(to, from->n, error);
    for (size_t i = 0; status == LOCBO_OK && i < from->n; i++) keep(to, from->seed[i], from->value[i]);
    return status;
}

/* Copies of both with the common seeds only. */
static locbo_status pair(const sample *a, const sample *b, sample *x, sample *y, locbo_error *error) {
    locbo_status status = copy(a, x, error);
    if (status != LOCBO_OK) return status;
    status = copy(b, y, error);
    if (status == LOCBO_OK)
        sample_match(x, y);
    else
        sample_release(x);
    return status;
}

locbo_status sample_difference(const sample *a, const sample *b, sample *difference, locbo_error *error) {
    sample y;
    locbo_status status = pair(a, b, difference, &y, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < y.n; i++) difference->value[i] -= y.value[i];
    sample_release(&y);
    return LOCBO_OK;
}

/* ---- Intervals --------------------------------------------------------------------------------- */

locbo_status sample_interval(const sample *s, stats_measure measure, stats_interval *interval, locbo_error *error) {
    return stats_bootstrap(measure, s->n, s->value, LEVEL, DRAWS, BOOTSTRAP_SEED, interval, error);
}

static double resampled_ratio(const sample *x, const sample *y, draw *d) {
    double above = 0, below = 0;
    for (size_t i = 0; i < x->n; i++) {
        size_t k = (size_t)draw_below(d, x->n);
        above += x->value[k];
        below += y->value[k];
    }
    return above / below;
}

static locbo_status bootstrap_ratio(const sample *x, const sample *y, stats_interval *ratio, locbo_error *error) {
    draw d = draw_open(BOOTSTRAP_SEED, 0);
    double *drawn = mem_new(DRAWS, sizeof *drawn);
    if (!drawn) return status_no_memory(error);
    for (size_t i = 0; i < DRAWS; i++) drawn[i] = resampled_ratio(x, y, &d);
    *ratio = stats_percentiles(stats_mean(x->n, x->value) / stats_mean(y->n, y->value), DRAWS, drawn, LEVEL);
    mem_free(drawn);
    return LOCBO_OK;
}

locbo_status sample_ratio(const sample *a, const sample *b, stats_interval *ratio, locbo_error *error) {
    sample x, y;
    locbo_status status = pair(a, b, &x, &y, error);
    if (status != LOCBO_OK) return status;
    *ratio = (stats_interval){(double)NAN, (double)NAN, (double)NAN};
    if (x.n > 0) status = bootstrap_ratio(&x, &y, ratio, error);
    if (x.n == 1) ratio->low = -INFINITY, ratio->high = INFINITY;
    sample_release(&x);
    sample_release(&y);
    return status;
}
