/* tails_print.c - the tables of bad runs. Layer: experiment, above tails. */
#include "tails_print.h"

#include <math.h>
#include <string.h>

#include "entries.h"
#include "mem.h"

/* ---- bad runs ---------------------------------------------------------------------------------- */

static locbo_status add_numbers(table *t, size_t n, const double *number, const char *format, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) status = entries_number(t, format, number[i], error);
    return status;
}

static locbo_status add_row(table *t, const plan *p, const tails_row *row, locbo_error *error) {
    const double number[] = {row->mean, row->median, row->p90, row->worst};
    locbo_status status = table_add(t, error, "%s", p->method[row->method].name);
    if (status == LOCBO_OK) status = table_add(t, error, "%s", row->over);
    if (status == LOCBO_OK) status = table_add(t, error, "%zu", row->runs);
    if (status == LOCBO_OK) status = add_numbers(t, 4, number, "%.3g", error);
    if (status == LOCBO_OK) status = entries_number(t, "%.1f", 100 * row->lost, error);
    if (status == LOCBO_OK) status = table_add(t, error, "%s", row->hardest ? row->hardest : "-");
    return status == LOCBO_OK ? entries_number(t, "%.3g", row->hardest_p90, error) : status;
}

/* Whether row i is the first of its method. */
static int is_first(const tails *t, size_t i) { return i == 0 || t->row[i - 1].method != t->row[i].method; }

/* All problems first, then the groups: they are the last columns of the score. */
static locbo_status print_methods(const plan *p, const tails *t, FILE *to, locbo_error *error) {
    static const char *const titles[] = {"<method", "<over", "runs",   "mean",           "median",
                                         "p90",     "worst", "lost %", "<worst problem", "p90 there"};
    table *made;
    locbo_status status = table_create(&made, 10, titles, error);
    if (status != LOCBO_OK) return status;
    for (size_t k = 0; k <= p->groups; k++)
        for (size_t i = 0; i < t->rows && status == LOCBO_OK; i++) {
            size_t column = t->columns - 1 - (k ? p->groups + 1 - k : 0);
            if (is_first(t, i)) status = add_row(made, p, &t->row[i + column], error);
        }
    if (status == LOCBO_OK) status = table_print(made, to, error);
    table_destroy(made);
    return status;
}

/* The 90th percentile and the share of lost runs; a kind that no run has yet has neither. */
static locbo_status add_kind(table *t, const tails_row *row, locbo_error *error) {
    if (row->runs == 0) return table_add(t, error, "-");
    return table_add(t, error, "%.2g %3.0f%%", row->p90, 100 * row->lost);
}

/* A row for each kind, a column for each method. */
static locbo_status print_kinds(const plan *p, const tails *t, FILE *to, locbo_error *error) {
    const char **title = mem_new(p->methods + 1, sizeof *title);
    size_t n = 0;
    table *made = NULL;
    if (!title) return status_no_memory(error);
    title[n++] = "<over";
    for (size_t i = 0; i < t->rows; i++)
        if (is_first(t, i)) title[n++] = p->method[t->row[i].method].name;
    locbo_status status = table_create(&made, n, title, error);
    for (size_t k = 0; k + 1 + p->groups < t->columns && status == LOCBO_OK; k++) {
        status = table_add(made, error, "%s", t->row[k].over);
        for (size_t i = 0; i < t->rows && status == LOCBO_OK; i++)
            if (is_first(t, i)) status = add_kind(made, &t->row[i + k], error);
    }
    if (status == LOCBO_OK) status = table_print(made, to, error);
    table_destroy(made);
    mem_free(title);
    return status;
}

locbo_status tails_print_rows(const plan *p, const tails *t, FILE *to, locbo_error *error) {
    fprintf(to,
            "Bad runs: the score of a run is the final simple regret of its recommended point over the median regret "
            "of\n%s on that problem; lost: runs with a score above 1; worst problem: that with the greatest 90th "
            "percentile.\n\n",
            p->method[p->score].name);
    if (t->rows == 0) return LOCBO_OK;
    locbo_status status = print_methods(p, t, to, error);
    if (status != LOCBO_OK || t->columns == 1 + p->groups) return status;
    fprintf(to, "\nThe 90th percentile and the lost runs by kind:\n\n");
    return print_kinds(p, t, to, error);
}

/* ---- comparisons ------------------------------------------------------------------------------- */

static locbo_status add_pair(table *t, const plan *p, const tails_pair *pair, locbo_error *error) {
    locbo_status status = table_add(t, error, "%s", p->method[pair->method].name);
    if (status == LOCBO_OK) status = table_add(t, error, "%s", pair->over);
    if (status == LOCBO_OK) status = table_add(t, error, "%zu", pair->problems);
    if (status == LOCBO_OK) status = table_add(t, error, "%zu", pair->pairs);
    if (status == LOCBO_OK) status = entries_number(t, "%.3g", pair->ratio, error);
    if (status == LOCBO_OK) status = entries_p(t, pair->p_problems, error);
    if (status == LOCBO_OK) status = entries_p(t, pair->p_pairs, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.3g", pair->p90_ratio, error);
    return status == LOCBO_OK ? entries_number(t, "%.0f %%", 100 * pair->p90_less, error) : status;
}

locbo_status tails_print_pairs(const plan *p, const tails *t, FILE *to, locbo_error *error) {
    static const char *const titles[] = {"<other",      "<over",    "problems",  "pairs",   "ratio",
                                         "p, problems", "p, pairs", "p90 ratio", "p90 less"};
    table *made;
    locbo_status status = table_create(&made, 9, titles, error);
    if (status != LOCBO_OK) return status;
    fprintf(to,
            "%s against the others, run by run: geometric mean over problems and seeds of its score over theirs "
            "(below 1 is\nbetter); Wilcoxon's test over the problems' median log ratios and over all pairs, Holm over "
            "the table; geometric\nmean over the problems of the ratio of the 90th percentiles, and the share of the "
            "problems on which its is less.\n\n",
            p->method[p->against].name);
    for (size_t i = 0; i < t->pairs && status == LOCBO_OK; i++) status = add_pair(made, p, &t->pair[i], error);
    if (status == LOCBO_OK) status = table_print(made, to, error);
    table_destroy(made);
    return status;
}

/* ---- intervals --------------------------------------------------------------------------------- */

static locbo_status add_interval(table *t, const tails_interval *i, locbo_error *error) {
    locbo_status status = entries_number(t, "%.3f", i->holds, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.2g", i->width, error);
    return status == LOCBO_OK ? entries_number(t, "%.0f", 100 * i->withheld, error) : status;
}

static locbo_status add_checkpoints(table *t, const tails_row *all, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t k = 0; k < TAILS_CHECKPOINTS && status == LOCBO_OK; k++)
        status = add_interval(t, &all->interval[k], error);
    return status;
}

static locbo_status add_shares(table *t, const tails_row *all, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t k = 0; k < TAILS_SHARES && status == LOCBO_OK; k++)
        status = entries_number(t, "%.3f", all->share[tails_shares[k]], error);
    return status;
}

/* A row for each method, over all problems: its name and what `add` adds. */
static locbo_status print_over_all(const plan *p, const tails *t, size_t columns, const char *const *titles,
                                   locbo_status (*add)(table *, const tails_row *, locbo_error *), FILE *to,
                                   locbo_error *error) {
    table *made;
    locbo_status status = table_create(&made, columns, titles, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < t->rows && status == LOCBO_OK; i++) {
        const tails_row *all = &t->row[i];
        if (all->of_problem || strcmp(all->over, "all") != 0) continue;
        status = table_add(made, error, "%s", p->method[all->method].name);
        if (status == LOCBO_OK) status = add(made, all, error);
    }
    if (status == LOCBO_OK) status = table_print(made, to, error);
    table_destroy(made);
    return status;
}

locbo_status tails_print_intervals(const plan *p, const tails *t, FILE *to, locbo_error *error) {
    static const char *const checkpoints[] = {"<method",  "holds@10", "width",    "none %", "holds@20",
                                              "width",    "none %",   "holds@40", "width",  "none %",
                                              "holds@70", "width",    "none %"};
    static const char *const shares[] = {"<method", "on bound", "noise 1", "2", "3", "4", "truth 1", "2", "3", "4"};
    fprintf(to,
            "Intervals of f at the recommended point after so many results: the share that hold the truth (where f "
            "is the mean\nor the median of a measurement), their median width in units of the problem's spread, and "
            "runs without one.\n\n");
    locbo_status status = print_over_all(p, t, 1 + 3 * TAILS_CHECKPOINTS, checkpoints, add_checkpoints, to, error);
    if (status != LOCBO_OK) return status;
    fprintf(to,
            "\nShare of the proposals with a real parameter on a bound, and coverage of y by quarters of the "
            "rounds: by the true\nwidth of the noise there, where it varies, and by the truth, the best first.\n\n");
    return print_over_all(p, t, 1 + TAILS_SHARES, shares, add_shares, to, error);
}
