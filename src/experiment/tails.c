/* tails.c - scores of single runs: their upper percentiles, the lost ones, paired ratios; intervals of f at the
 * recommended point. Layer: experiment, above score. Cost: a sort of the runs for each method and set of problems. */
#include "tails.h"

#include <math.h>
#include <string.h>

#include "mem.h"

const size_t tails_checkpoints[TAILS_CHECKPOINTS] = {10, 20, 40, 70};
const sample_column tails_shares[TAILS_SHARES] = {SAMPLE_ON_BOUND, SAMPLE_NOISE1, SAMPLE_NOISE2,
                                                  SAMPLE_NOISE3,   SAMPLE_NOISE4, SAMPLE_TRUTH1,
                                                  SAMPLE_TRUTH2,   SAMPLE_TRUTH3, SAMPLE_TRUTH4};

typedef struct work {
    const plan *plan;
    const results *results;
    const score *score;
    tails *made;
    double *unit;     /* for each problem: median regret of the reference; NAN: the problem is left out */
    double *pool;     /* numbers of runs; room for all of them */
    double *problems; /* a number for each problem */
    double *p90;      /* for each cell: 90th percentile of its scores; NAN: no scores */
} work;

/* ---- the runs of one cell ---------------------------------------------------------------------- */

/* The score of every run, by seed. */
static locbo_status take_scores(const work *w, size_t c, size_t m, sample *s, locbo_error *error) {
    locbo_status status = sample_take(w->results, plan_cell(w->plan, c, m), SAMPLE_RECOMMENDED, s, error);
    if (status != LOCBO_OK) return status;
    if (isnan(w->unit[c])) s->n = 0;
    for (size_t i = 0; i < s->n; i++) s->value[i] /= w->unit[c];
    return LOCBO_OK;
}

static locbo_status find_unit(work *w, size_t c, locbo_error *error) {
    sample s;
    locbo_status status = sample_take(w->results, plan_cell(w->plan, c, w->plan->score), SAMPLE_RECOMMENDED, &s, error);
    if (status != LOCBO_OK) return status;
    double median = stats_median(s.n, s.value);
    w->unit[c] = median > 0 ? median : (double)NAN;
    sample_release(&s);
    return LOCBO_OK;
}

/* Sorts. NAN without values. */
static double percentile90(size_t n, double *x) {
    if (n == 0) return (double)NAN;
    stats_sort(n, x);
    return stats_quantile_sorted(n, x, 0.9);
}

static locbo_status find_p90(work *w, size_t c, size_t m, locbo_error *error) {
    sample s;
    locbo_status status = take_scores(w, c, m, &s, error);
    if (status != LOCBO_OK) return status;
    w->p90[plan_cell(w->plan, c, m)] = percentile90(s.n, s.value);
    sample_release(&s);
    return LOCBO_OK;
}

/* ---- rows -------------------------------------------------------------------------------------- */

static int is_recorded(const task *t, size_t told) {
    return told >= t->initial && told - t->initial <= t->rounds && task_records(t, told - t->initial);
}

/* Pools the values of a column over the problems that are marked. `told` 0: at the end. */
static locbo_status pool(work *w, const char *has, size_t m, sample_column column, size_t told, size_t *n,
                         locbo_error *error) {
    locbo_status status = LOCBO_OK;
    *n = 0;
    for (size_t c = 0; c < w->plan->cases && status == LOCBO_OK; c++) {
        size_t cell = plan_cell(w->plan, c, m);
        sample s;
        if (!has[c] || (told && !is_recorded(&w->plan->task[cell], told))) continue;
        status = sample_at(w->results, cell, told ? told - w->plan->task[cell].initial : (size_t)-1, column, &s, error);
        for (size_t i = 0; status == LOCBO_OK && i < s.n; i++) w->pool[(*n)++] = s.value[i];
        if (status == LOCBO_OK) sample_release(&s);
    }
    return status;
}

static locbo_status fill_scores(work *w, const char *has, tails_row *row, locbo_error *error) {
    const plan *p = w->plan;
    locbo_status status = LOCBO_OK;
    size_t lost = 0;
    row->hardest_p90 = -INFINITY;
    for (size_t c = 0; c < p->cases && status == LOCBO_OK; c++) {
        double p90 = w->p90[plan_cell(p, c, row->method)];
        sample s;
        if (!has[c] || isnan(p90)) continue;
        row->problems++;
        if (p90 > row->hardest_p90) row->hardest_p90 = p90, row->hardest = p->case_[c].name;
        status = take_scores(w, c, row->method, &s, error);
        for (size_t i = 0; status == LOCBO_OK && i < s.n; i++) {
            w->pool[row->runs++] = s.value[i];
            lost += s.value[i] > 1;
        }
        if (status == LOCBO_OK) sample_release(&s);
    }
    row->mean = stats_mean(row->runs, w->pool);
    row->p90 = percentile90(row->runs, w->pool); /* sorted from here on */
    row->median = stats_median(row->runs, w->pool);
    row->worst = row->runs ? w->pool[row->runs - 1] : (double)NAN;
    row->lost = row->runs ? (double)lost / (double)row->runs : (double)NAN;
    if (!row->hardest) row->hardest_p90 = (double)NAN;
    return status;
}

static locbo_status fill_interval(work *w, const char *has, size_t told, tails_row *row, tails_interval *i,
                                  locbo_error *error) {
    size_t runs, widths = 0, judged = 0;
    *i = (tails_interval){(double)NAN, (double)NAN, (double)NAN};
    locbo_status status = pool(w, has, row->method, SAMPLE_HOLDS, told, &judged, error);
    if (status != LOCBO_OK) return status;
    i->holds = stats_mean(judged, w->pool);
    status = pool(w, has, row->method, SAMPLE_RECOMMENDED, told, &runs, error);
    if (status == LOCBO_OK) status = pool(w, has, row->method, SAMPLE_HOLDS_WIDTH, told, &widths, error);
    if (status != LOCBO_OK || runs == 0) return status;
    i->width = stats_median(widths, w->pool);
    i->withheld = 1 - (double)widths / (double)runs;
    return LOCBO_OK;
}

static locbo_status add_row(work *w, size_t m, const char *over, const char *has, int of_problem, locbo_error *error) {
    tails_row *row = &w->made->row[w->made->rows++];
    *row = (tails_row){.method = m, .over = over, .of_problem = of_problem};
    locbo_status status = fill_scores(w, has, row, error);
    for (size_t k = 0; k < TAILS_CHECKPOINTS && status == LOCBO_OK; k++)
        status = fill_interval(w, has, tails_checkpoints[k], row, &row->interval[k], error);
    for (size_t k = 0; k < TAILS_SHARES && status == LOCBO_OK; k++) {
        size_t n;
        status = pool(w, has, m, tails_shares[k], 0, &n, error);
        row->share[tails_shares[k]] = stats_mean(n, w->pool);
    }
    return status;
}

/* A method without scores anywhere has no rows. */
static locbo_status add_method(work *w, size_t m, char *only, locbo_error *error) {
    const plan *p = w->plan;
    locbo_status status = LOCBO_OK;
    size_t scored = 0;
    for (size_t c = 0; c < p->cases; c++) scored += !isnan(w->p90[plan_cell(p, c, m)]);
    if (scored == 0) return LOCBO_OK;
    for (size_t i = 0; i < w->score->columns && status == LOCBO_OK; i++)
        status = add_row(w, m, w->score->column[i].name, w->score->column[i].has, 0, error);
    for (size_t c = 0; c < p->cases && status == LOCBO_OK; c++) {
        if (isnan(w->p90[plan_cell(p, c, m)])) continue;
        only[c] = 1;
        status = add_row(w, m, p->case_[c].name, only, 1, error);
        only[c] = 0;
    }
    return status;
}

/* ---- the method `against` and another ---------------------------------------------------------- */

/* One problem: the log ratios of its pairs, to the end of the pool; their median, and the 90th percentiles. */
typedef struct both {
    size_t n;
    double median, own, other;
} both;

static double log_score(double value) { return log(fmax(value, SCORE_LEAST)); }

static locbo_status compare_runs(work *w, size_t c, size_t m, double *pool, both *found, locbo_error *error) {
    sample a, b;
    *found = (both){0};
    locbo_status status = take_scores(w, c, w->plan->against, &a, error);
    if (status != LOCBO_OK) return status;
    status = take_scores(w, c, m, &b, error);
    if (status == LOCBO_OK) {
        sample_match(&a, &b);
        found->n = a.n;
        for (size_t i = 0; i < a.n; i++) pool[i] = log_score(a.value[i]) - log_score(b.value[i]);
        found->own = percentile90(a.n, a.value);
        found->other = percentile90(b.n, b.value);
        if (a.n > 0) memcpy(a.value, pool, a.n * sizeof *pool);
        found->median = stats_median(a.n, a.value);
        sample_release(&b);
    }
    sample_release(&a);
    return status;
}

static locbo_status fill_pair(work *w, const char *has, tails_pair *pair, locbo_error *error) {
    double p90 = 0, less = 0;
    locbo_status status = LOCBO_OK;
    for (size_t c = 0; c < w->plan->cases && status == LOCBO_OK; c++) {
        both found;
        if (!has[c]) continue;
        status = compare_runs(w, c, pair->method, w->pool + pair->pairs, &found, error);
        if (status != LOCBO_OK || found.n == 0) continue; /* no common seed */
        pair->pairs += found.n;
        w->problems[pair->problems++] = found.median;
        p90 += log_score(found.own) - log_score(found.other);
        less += found.own < found.other;
    }
    pair->ratio = exp(stats_mean(pair->pairs, w->pool));
    pair->p90_ratio = exp(p90 / (double)pair->problems);
    pair->p90_less = less / (double)pair->problems;
    if (status == LOCBO_OK) status = stats_wilcoxon(pair->problems, w->problems, &pair->p_problems, NULL, error);
    return status == LOCBO_OK ? stats_wilcoxon(pair->pairs, w->pool, &pair->p_pairs, NULL, error) : status;
}

/* Groups and all problems; kinds would make the correction for many tests too strong. */
static locbo_status pair_method(work *w, size_t m, locbo_error *error) {
    const score *s = w->score;
    tails *t = w->made;
    locbo_status status = LOCBO_OK;
    for (size_t i = s->columns - 1 - w->plan->groups; i < s->columns && status == LOCBO_OK; i++) {
        tails_pair *pair = &t->pair[t->pairs];
        *pair = (tails_pair){.method = m, .over = s->column[i].name};
        status = fill_pair(w, s->column[i].has, pair, error);
        t->pairs += pair->problems > 0;
    }
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------- */

static locbo_status fill(work *w, char *only, locbo_error *error) {
    const plan *p = w->plan;
    tails *t = w->made;
    locbo_status status = LOCBO_OK;
    for (size_t c = 0; c < p->cases && status == LOCBO_OK; c++) {
        status = find_unit(w, c, error);
        for (size_t m = 0; m < p->methods && status == LOCBO_OK; m++) status = find_p90(w, c, m, error);
    }
    for (size_t m = 0; m < p->methods && status == LOCBO_OK; m++) status = add_method(w, m, only, error);
    for (size_t m = 0; m < p->methods && status == LOCBO_OK; m++)
        if (m != p->against) status = pair_method(w, m, error);
    if (status == LOCBO_OK) status = stats_holm(t->pairs, &t->pair->p_problems, sizeof *t->pair, error);
    return status == LOCBO_OK ? stats_holm(t->pairs, &t->pair->p_pairs, sizeof *t->pair, error) : status;
}

locbo_status tails_make(const plan *p, const results *r, const score *s, tails *made, locbo_error *error) {
    work w = {.plan = p, .results = r, .score = s, .made = made};
    w.unit = mem_new(p->cases, sizeof *w.unit);
    w.pool = mem_new(results_count(r), sizeof *w.pool);
    w.problems = mem_new(p->cases, sizeof *w.problems);
    w.p90 = mem_new(plan_cells(p), sizeof *w.p90);
    char *only = mem_new(p->cases, 1);
    *made = (tails){.columns = s->columns,
                    .row = mem_new(p->methods * (s->columns + p->cases), sizeof *made->row),
                    .pair = mem_new(p->methods * (p->groups + 1), sizeof *made->pair)};
    int room = w.unit && w.pool && w.problems && w.p90 && only && made->row && made->pair;
    locbo_status status = room ? fill(&w, only, error) : status_no_memory(error);
    void *arrays[] = {w.unit, w.pool, w.problems, w.p90, only};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    if (status != LOCBO_OK) tails_release(made);
    return status;
}

void tails_release(tails *t) {
    mem_free(t->row);
    mem_free(t->pair);
    memset(t, 0, sizeof *t);
}
