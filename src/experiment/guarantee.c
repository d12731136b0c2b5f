/* guarantee.c - coverage so far and the bound of lemma:long-run_noisy, in every run; mean shares and the bounds of
 * lemma:long-run_obj and th:utility_guarantee. Layer: experiment, above sample. */
#include "guarantee.h"

#include <math.h>
#include <string.h>

#include "status.h"

/* The files have nine digits, and coverage may be equal to its bound. */
static const double SLACK = 1e-6;

guarantee_tally guarantee_none(void) { return (guarantee_tally){0, 0, 0, (double)INFINITY, 0}; }

/* The least difference of coverage so far and bound over the recorded rounds of a run; NAN if it ends without a bound.
 * A bound of 0 or less is none. */
static double least_margin(const results_run *run) {
    double least = (double)INFINITY, covered = 0;
    if (run->rows < 2 || !(run->row[run->rows - 1].bound > 0)) return (double)NAN;
    size_t start = run->row[0].t;
    for (size_t i = 1; i < run->rows; i++) {
        const task_row *row = &run->row[i];
        covered += (double)(row->t - run->row[i - 1].t) * row->covered;
        if (row->bound > 0) least = fmin(least, covered / (double)(row->t - start) - row->bound);
    }
    return isnan(covered) ? (double)NAN : least;
}

void guarantee_count(const results *r, size_t cell, guarantee_tally *tally) {
    size_t end = results_first(r, cell + 1);
    for (size_t i = results_first(r, cell); i < end; i++) {
        results_run run = results_at(r, i);
        double margin = least_margin(&run);
        tally->runs++;
        if (isnan(margin)) continue;
        tally->judged++;
        tally->broken += margin < -SLACK;
        if (margin >= tally->margin) continue;
        tally->margin = margin;
        tally->seed = run.seed;
    }
}

static void drop_empty_bounds(sample *bound) {
    size_t kept = 0;
    for (size_t i = 0; i < bound->n; i++)
        if (bound->value[i] > 0) {
            bound->seed[kept] = bound->seed[i];
            bound->value[kept++] = bound->value[i];
        }
    bound->n = kept;
}

static locbo_status compare(const sample *share, const sample *bound, guarantee_mean *mean, locbo_error *error) {
    sample margin;
    locbo_status status = sample_difference(share, bound, &margin, error);
    if (status != LOCBO_OK) return status;
    mean->n = margin.n;
    status = sample_interval(share, STATS_MEAN, &mean->share, error);
    if (status == LOCBO_OK) status = sample_interval(&margin, STATS_MEAN, &mean->margin, error);
    mean->bound = stats_mean(bound->n, bound->value);
    sample_release(&margin);
    return status;
}

locbo_status guarantee_average(const results *r, size_t cell, sample_column column, guarantee_mean *mean,
                               locbo_error *error) {
    sample share, bound;
    memset(mean, 0, sizeof *mean);
    locbo_status status = sample_take(r, cell, column, &share, error);
    if (status != LOCBO_OK) return status;
    status = sample_take(r, cell, SAMPLE_BOUND_F, &bound, error);
    if (status == LOCBO_OK) {
        mean->runs = share.n;
        drop_empty_bounds(&bound);
        status = compare(&share, &bound, mean, error);
        sample_release(&bound);
    }
    sample_release(&share);
    return status;
}
