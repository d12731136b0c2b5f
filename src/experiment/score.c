/* score.c - scores of every method on every problem, as measured and resampled DRAWS times, and their statistics over
 * sets of problems. Layer: experiment, above account. Cost: DRAWS times a sort of the seeds for each cell, and of the
 * problems for each method and column. */
#include "score.h"

#include <math.h>
#include <string.h>

#include "account.h"
#include "mem.h"

enum { DRAWS = 1000, COPIES = DRAWS + 1 };            /* copy 0: as measured */
enum { STREAM_OF_SEEDS = 1, STREAM_OF_PROBLEMS = 2 }; /* what is drawn */
static const double LEVEL = 0.95;
const double SCORE_LEAST = 1e-6;
const double SCORE_LEVEL = 0.05;

const sample_column score_shares[SCORE_SHARES] = {SAMPLE_COVERED, SAMPLE_INTERVAL_F, SAMPLE_NEAR,     SAMPLE_MIDDLE,
                                                  SAMPLE_FAR,     SAMPLE_NEAR_F,     SAMPLE_MIDDLE_F, SAMPLE_FAR_F};

/* Other numbers of a cell: shares and time by column, and its rank. */
enum { FACT_RANK = TASK_ROW_NUMBERS, FACTS };

typedef struct work {
    const plan *plan;
    const results *results;
    score *made;
    double *copies; /* scores, COPIES of every cell; NAN: none */
    double *facts;  /* FACTS of every cell; NAN: not run, or not defined */
    size_t *list;   /* problems; `room`: a number for each; `drawn`: COPIES numbers */
    double *room, *drawn;
    double *p; /* for each problem: p-value of the test over its seeds, and the sign of the difference */
    int *side;
} work;

static double *copies_of(const work *w, size_t c, size_t m) { return w->copies + plan_cell(w->plan, c, m) * COPIES; }

static double *facts_of(const work *w, size_t c, size_t m) { return w->facts + plan_cell(w->plan, c, m) * FACTS; }

static int has_score(const work *w, size_t c, size_t m) { return !isnan(*copies_of(w, c, m)); }

/* ---- the scores of all cells ----------------------------------------------------------------- */

/* Medians over the seeds. The draws depend on the problem only, so that methods with the same seeds stay paired. */
static locbo_status fill_medians(work *w, size_t c, size_t m, locbo_error *error) {
    double *copies = copies_of(w, c, m);
    sample s;
    locbo_status status = sample_take(w->results, plan_cell(w->plan, c, m), SAMPLE_RECOMMENDED, &s, error);
    if (status != LOCBO_OK) return status;
    double *room = mem_new(s.n, sizeof *room);
    if (!room) status = status_no_memory(error);
    for (size_t k = 0; status == LOCBO_OK && k < COPIES; k++) {
        draw d = draw_open(STREAM_OF_SEEDS, k * w->plan->cases + c);
        copies[k] = stats_resampled_median(s.n, s.value, k ? &d : NULL, room);
    }
    mem_free(room);
    sample_release(&s);
    return status;
}

/* A unit of 0 comes from resampling only: problems where it is measured have no scores. */
static double in_units(double own, double unit) {
    if (unit <= 0) return own <= 0 ? 1 : (double)INFINITY;
    return fmax(own / unit, SCORE_LEAST);
}

static void divide(work *w, size_t c, size_t m) {
    double *own = copies_of(w, c, m);
    const double *unit = copies_of(w, c, w->plan->score);
    int none = isnan(own[0]) || !(unit[0] > 0);
    for (size_t k = 0; k < COPIES; k++) own[k] = none ? (double)NAN : in_units(own[k], unit[k]);
}

static locbo_status fill_means(work *w, size_t c, size_t m, locbo_error *error) {
    double *facts = facts_of(w, c, m);
    size_t cell = plan_cell(w->plan, c, m);
    locbo_status status = account_mean(w->results, cell, SAMPLE_MS, &facts[SAMPLE_MS], error);
    for (size_t i = 0; i < SCORE_SHARES && status == LOCBO_OK; i++)
        status = account_mean(w->results, cell, score_shares[i], &facts[score_shares[i]], error);
    return status;
}

static locbo_status fill_problem(work *w, size_t c, locbo_error *error) {
    const plan *p = w->plan;
    locbo_status status = LOCBO_OK;
    for (size_t m = 0; m < p->methods && status == LOCBO_OK; m++) {
        status = fill_medians(w, c, m, error);
        if (status == LOCBO_OK) status = fill_means(w, c, m, error);
    }
    if (status != LOCBO_OK) return status;
    w->made->solved += *copies_of(w, c, p->score) <= 0;
    for (size_t m = 0; m < p->methods; m++)
        if (m != p->score) divide(w, c, m);
    divide(w, c, p->score); /* last, since it is the unit of the others */
    return LOCBO_OK;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static int is_scored(const work *w, size_t m) {
    size_t c = 0;
    while (c < w->plan->cases && !has_score(w, c, m)) c++;
    return c < w->plan->cases;
}

/* Whether all methods that have a score anywhere have one here. */
static int is_complete(const work *w, size_t c) {
    size_t m = 0;
    while (m < w->plan->methods && (has_score(w, c, m) || !is_scored(w, m))) m++;
    return m == w->plan->methods;
}

/* Equal scores get the mean of their ranks. */
static double rank_of(const work *w, size_t c, size_t m) {
    double own = *copies_of(w, c, m), less = 0, equal = 0;
    for (size_t i = 0; i < w->plan->methods; i++) {
        less += *copies_of(w, c, i) < own;
        equal += *copies_of(w, c, i) == own; /* itself, too */
    }
    return less + (equal + 1) / 2;
}

static void fill_ranks(work *w) {
    for (size_t c = 0; c < w->plan->cases; c++) {
        int complete = is_complete(w, c);
        for (size_t m = 0; m < w->plan->methods; m++)
            facts_of(w, c, m)[FACT_RANK] = complete && has_score(w, c, m) ? rank_of(w, c, m) : (double)NAN;
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

static locbo_status add_column(const plan *p, score *s, const char *name, locbo_error *error) {
    score_column *column = &s->column[s->columns];
    *column = (score_column){name, 0, mem_new(p->cases, 1)};
    if (!column->has) return status_no_memory(error);
    s->columns++;
    return LOCBO_OK;
}

static void take_in(score_column *column, size_t c) {
    column->problems += !column->has[c];
    column->has[c] = 1;
}

/* Adds the problem to the column of its kind, which is created if needed. */
static locbo_status add_kind(const plan *p, score *s, size_t c, locbo_error *error) {
    const char *kind = plan_kind(p, c);
    size_t i = 0;
    locbo_status status = LOCBO_OK;
    if (!kind) return status;
    while (i < s->columns && strcmp(s->column[i].name, kind) != 0) i++;
    if (i == s->columns) status = add_column(p, s, kind, error);
    if (status == LOCBO_OK) take_in(&s->column[i], c);
    return status;
}

/* `has` NULL: all problems. */
static locbo_status add_group(const plan *p, score *s, const char *name, const char *has, locbo_error *error) {
    locbo_status status = add_column(p, s, name, error);
    for (size_t c = 0; c < p->cases && status == LOCBO_OK; c++)
        if (!has || has[c]) take_in(&s->column[s->columns - 1], c);
    return status;
}

static locbo_status make_columns(const plan *p, score *s, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    s->column = mem_new(p->cases + p->groups + 1, sizeof *s->column);
    if (!s->column) return status_no_memory(error);
    for (size_t c = 0; c < p->cases && status == LOCBO_OK; c++) status = add_kind(p, s, c, error);
    for (size_t i = 0; i < p->groups && status == LOCBO_OK; i++)
        status = add_group(p, s, p->group[i].name, p->group[i].has, error);
    return status == LOCBO_OK ? add_group(p, s, "all", NULL, error) : status;
}

/* ---- medians over problems ------------------------------------------------------------------- */

/* The problems of a column on which both methods have scores, into w->list; returns how many. */
static size_t list_problems(const work *w, size_t column, size_t m, size_t other) {
    size_t n = 0;
    for (size_t c = 0; c < w->plan->cases; c++)
        if (w->made->column[column].has[c] && has_score(w, c, m) && has_score(w, c, other)) w->list[n++] = c;
    return n;
}

/* The median of copy k over problems resampled from the n of w->list, the same for all methods. */
static double median_over(const work *w, size_t n, size_t m, size_t k) {
    draw d = draw_open(STREAM_OF_PROBLEMS, k);
    for (size_t i = 0; i < n; i++) w->room[i] = copies_of(w, w->list[k ? draw_below(&d, n) : i], m)[k];
    return stats_median(n, w->room);
}

/* The interval of w->drawn; infinite for a single problem. */
static stats_interval interval_of(const work *w, size_t problems) {
    const double value = w->drawn[0], end = (double)INFINITY;
    if (problems == 1) return (stats_interval){-end, value, end};
    return stats_percentiles(value, DRAWS, w->drawn + 1, LEVEL);
}

/* ---- rows: methods by columns ---------------------------------------------------------------- */

/* The mean of one of a method's facts over the problems of a column that have it. */
static double mean_fact(const work *w, size_t column, size_t m, size_t fact) {
    size_t n = 0;
    for (size_t c = 0; c < w->plan->cases; c++) {
        double value = facts_of(w, c, m)[fact];
        if (w->made->column[column].has[c] && !isnan(value)) w->room[n++] = value;
    }
    return stats_mean(n, w->room);
}

static int has_runs(const work *w, size_t c, size_t m) {
    size_t cell = plan_cell(w->plan, c, m);
    return results_first(w->results, cell + 1) > results_first(w->results, cell);
}

static double mean_target(const work *w, size_t column, size_t m) {
    size_t n = 0;
    for (size_t c = 0; c < w->plan->cases; c++)
        if (w->made->column[column].has[c] && has_runs(w, c, m))
            w->room[n++] = 1 - w->plan->task[plan_cell(w->plan, c, m)].options.alpha;
    return stats_mean(n, w->room);
}

static void fill_row(work *w, score_row *row, size_t m, size_t column) {
    size_t n = list_problems(w, column, m, m);
    *row = (score_row){.method = m, .column = column, .problems = n};
    for (size_t k = 0; k < COPIES; k++) w->drawn[k] = median_over(w, n, m, k);
    row->score = interval_of(w, n);
    row->rank = mean_fact(w, column, m, FACT_RANK);
    row->ms = mean_fact(w, column, m, SAMPLE_MS);
    for (size_t i = 0; i < SCORE_SHARES; i++) row->share[score_shares[i]] = mean_fact(w, column, m, score_shares[i]);
    row->target = isnan(row->share[SAMPLE_COVERED]) ? (double)NAN : mean_target(w, column, m);
}

static void make_rows(work *w) {
    for (size_t m = 0; m < w->plan->methods; m++) {
        size_t c = 0;
        while (c < w->plan->cases && !has_runs(w, c, m)) c++;
        for (size_t i = 0; c < w->plan->cases && i < w->made->columns; i++)
            fill_row(w, &w->made->row[w->made->rows++], m, i);
    }
}

/* ---- the method `against` and another -------------------------------------------------------- */

/* 1: the positive differences have the greater rank sum; -1: the negative ones. */
static int side_of(const sample *difference, double positive) {
    double n = 0;
    for (size_t i = 0; i < difference->n; i++) n += difference->value[i] != 0;
    double negative = n * (n + 1) / 2 - positive;
    return (positive > negative) - (positive < negative);
}

/* Wilcoxon's test over the seeds of one problem. */
static locbo_status test_seeds(work *w, size_t c, size_t m, locbo_error *error) {
    const plan *p = w->plan;
    sample a, b, d;
    double sum;
    locbo_status status = sample_take(w->results, plan_cell(p, c, p->against), SAMPLE_RECOMMENDED, &a, error);
    if (status != LOCBO_OK) return status;
    status = sample_take(w->results, plan_cell(p, c, m), SAMPLE_RECOMMENDED, &b, error);
    if (status == LOCBO_OK) {
        status = sample_difference(&a, &b, &d, error);
        sample_release(&b);
    }
    sample_release(&a);
    if (status != LOCBO_OK) return status;
    status = stats_wilcoxon(d.n, d.value, &w->p[c], &sum, error); /* 1 without pairs */
    if (status == LOCBO_OK) w->side[c] = side_of(&d, sum);
    sample_release(&d);
    return status;
}

/* The same for every problem on which both have scores; p is NAN on the others. */
static locbo_status test_problems(work *w, size_t m, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t c = 0; c < w->plan->cases && status == LOCBO_OK; c++) {
        w->p[c] = (double)NAN;
        if (has_score(w, c, m) && has_score(w, c, w->plan->against)) status = test_seeds(w, c, m, error);
    }
    return status == LOCBO_OK ? stats_holm(w->plan->cases, w->p, sizeof *w->p, error) : status;
}

static void count_problems(const work *w, score_pair *pair) {
    for (size_t i = 0; i < pair->problems; i++) {
        size_t c = w->list[i];
        int side = w->p[c] < SCORE_LEVEL ? w->side[c] : 0; /* 1: `against` has more regret */
        pair->better += side < 0;
        pair->worse += side > 0;
        pair->neither += side == 0;
    }
}

/* Over the problems of w->list. */
static locbo_status fill_pair(work *w, score_pair *pair, locbo_error *error) {
    size_t n = pair->problems, a = w->plan->against, b = pair->method;
    count_problems(w, pair);
    for (size_t k = 0; k < COPIES; k++) {
        double above = median_over(w, n, a, k), below = median_over(w, n, b, k);
        w->drawn[k] = above == below ? 1 : above / below; /* both may be infinite */
    }
    pair->ratio = interval_of(w, n);
    for (size_t i = 0; i < n; i++) w->room[i] = log(*copies_of(w, w->list[i], a)) - log(*copies_of(w, w->list[i], b));
    return stats_wilcoxon(n, w->room, &pair->p, NULL, error);
}

static locbo_status pair_method(work *w, size_t m, locbo_error *error) {
    score *s = w->made;
    locbo_status status = test_problems(w, m, error);
    for (size_t i = 0; i < s->columns && status == LOCBO_OK; i++) {
        size_t n = list_problems(w, i, m, w->plan->against);
        if (n == 0) continue;
        s->pair[s->pairs] = (score_pair){.method = m, .column = i, .problems = n};
        status = fill_pair(w, &s->pair[s->pairs++], error);
    }
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int open_work(work *w) {
    const plan *p = w->plan;
    score *s = w->made;
    size_t cells = plan_cells(p), rows = p->methods * s->columns;
    w->copies = mem_new(cells, COPIES * sizeof *w->copies);
    w->facts = mem_new(cells, FACTS * sizeof *w->facts);
    w->list = mem_new(p->cases, sizeof *w->list);
    w->room = mem_new(p->cases, sizeof *w->room);
    w->drawn = mem_new(COPIES, sizeof *w->drawn);
    w->p = mem_new(p->cases, sizeof *w->p);
    w->side = mem_new(p->cases, sizeof *w->side);
    s->row = mem_new(rows, sizeof *s->row);
    s->pair = mem_new(rows, sizeof *s->pair);
    return w->copies && w->facts && w->list && w->room && w->drawn && w->p && w->side && s->row && s->pair;
}

static void close_work(work *w) {
    void *arrays[] = {w->copies, w->facts, w->list, w->room, w->drawn, w->p, w->side};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
}

static locbo_status fill(work *w, locbo_error *error) {
    const plan *p = w->plan;
    locbo_status status = open_work(w) ? LOCBO_OK : status_no_memory(error);
    for (size_t c = 0; c < p->cases && status == LOCBO_OK; c++) status = fill_problem(w, c, error);
    if (status != LOCBO_OK) return status;
    fill_ranks(w);
    make_rows(w);
    for (size_t m = 0; m < p->methods && status == LOCBO_OK; m++)
        if (m != p->against) status = pair_method(w, m, error);
    if (status != LOCBO_OK) return status;
    return stats_holm(w->made->pairs, &w->made->pair->p, sizeof *w->made->pair, error);
}

locbo_status score_make(const plan *p, const results *r, score *s, locbo_error *error) {
    work w = {.plan = p, .results = r, .made = s};
    *s = (score){0};
    locbo_status status = make_columns(p, s, error);
    if (status == LOCBO_OK) status = fill(&w, error);
    close_work(&w);
    if (status != LOCBO_OK) score_release(s);
    return status;
}

void score_release(score *s) {
    for (size_t i = 0; s->column && i < s->columns; i++) mem_free(s->column[i].has);
    mem_free(s->column);
    mem_free(s->row);
    mem_free(s->pair);
    memset(s, 0, sizeof *s);
}
