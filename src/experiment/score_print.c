/* score_print.c - the three tables of scores: scores, comparisons, coverage. Layer: experiment,
 * above score. */
#include "score_print.h"

#include <math.h>

#include "entries.h"
#include "mem.h"

/* A table with the titles `first`, the columns of the score, and the titles `last`. */
static locbo_status create(table **made, const score *s, size_t before, const char *const *first, size_t after,
                           const char *const *last, locbo_error *error) {
    size_t n = 0;
    const char **title = mem_new(before + s->columns + after, sizeof *title);
    if (!title) return status_no_memory(error);
    for (size_t i = 0; i < before; i++) title[n++] = first[i];
    for (size_t i = 0; i < s->columns; i++) title[n++] = s->column[i].name;
    for (size_t i = 0; i < after; i++) title[n++] = last[i];
    locbo_status status = table_create(made, n, title, error);
    mem_free(title);
    return status;
}

/* ---- scores ---------------------------------------------------------------------------------- */

/* `row`: the first of a method's rows, one a column; the last is of all problems. */
static locbo_status add_scores(table *t, const plan *p, const score *s, const score_row *row, locbo_error *error) {
    const score_row *all = &row[s->columns - 1];
    locbo_status status = table_add(t, error, "%s", p->method[row->method].name);
    for (size_t i = 0; i + 1 < s->columns && status == LOCBO_OK; i++)
        status = entries_number(t, "%.3g", row[i].score.value, error);
    if (status == LOCBO_OK) status = entries_interval(t, &all->score, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.2f", all->rank, error);
    return status == LOCBO_OK ? entries_number(t, "%.2f", all->ms, error) : status;
}

static locbo_status print_scores(const plan *p, const score *s, FILE *to, locbo_error *error) {
    static const char *const first[] = {"<method"}, *const last[] = {"rank", "ms/round"};
    table *t;
    locbo_status status = create(&t, s, 1, first, 2, last, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < s->rows && status == LOCBO_OK; i += s->columns)
        status = add_scores(t, p, s, &s->row[i], error);
    if (status == LOCBO_OK) status = table_print(t, to, error);
    table_destroy(t);
    return status;
}

/* Notes below the table: methods without scores on some problems, and problems without a unit. */
static void print_gaps(const plan *p, const score *s, FILE *to) {
    for (size_t i = s->columns; i <= s->rows; i += s->columns) {
        const score_row *all = &s->row[i - 1];
        if (all->problems + s->solved < p->cases)
            fprintf(to, "%s has scores on %zu of %zu problems.\n", p->method[all->method].name, all->problems,
                    p->cases);
    }
    if (s->solved > 0)
        fprintf(to, "%zu problem%s left out: %s has no regret there, so there is no unit.\n", s->solved,
                s->solved == 1 ? " is" : "s are", p->method[p->score].name);
}

/* ---- coverage -------------------------------------------------------------------------------- */

/* Shares of y or of f: target, thirds, then by column. */
static locbo_status add_coverage(table *t, const plan *p, const score *s, const score_row *row, int of_f,
                                 locbo_error *error) {
    const score_row *all = &row[s->columns - 1];
    size_t share = of_f ? SAMPLE_INTERVAL_F : SAMPLE_COVERED, near = of_f ? SAMPLE_NEAR_F : SAMPLE_NEAR;
    if (isnan(all->share[share])) return LOCBO_OK; /* a method without a model */
    const double first[] = {all->target, all->share[near], all->share[near + 1], all->share[near + 2]};
    locbo_status status = table_add(t, error, "%s", p->method[row->method].name);
    if (status == LOCBO_OK) status = table_add(t, error, of_f ? "f" : "y");
    for (size_t i = 0; i < 4 && status == LOCBO_OK; i++) status = entries_number(t, "%.3f", first[i], error);
    for (size_t i = 0; i < s->columns && status == LOCBO_OK; i++)
        status = entries_number(t, "%.3f", row[i].share[share], error);
    return status;
}

static locbo_status print_coverage(const plan *p, const score *s, FILE *to, locbo_error *error) {
    static const char *const first[] = {"<method", "<of", "target", "near", "middle", "far"};
    table *t;
    locbo_status status = create(&t, s, 6, first, 0, NULL, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < s->rows && status == LOCBO_OK; i += s->columns)
        for (int of_f = 0; of_f < 2 && status == LOCBO_OK; of_f++)
            status = add_coverage(t, p, s, &s->row[i], of_f, error);
    if (status == LOCBO_OK) status = table_print(t, to, error);
    table_destroy(t);
    return status;
}

locbo_status score_print_rows(const plan *p, const score *s, FILE *to, locbo_error *error) {
    const char *unit = p->method[p->score].name;
    fprintf(to,
            "Scores: on each problem the median over the seeds of the final simple regret of the "
            "recommended\npoint, over that of %s; of these the median over the problems of each "
            "kind or group, with a\n95 %% bootstrap interval over all. Rank: mean over the "
            "problems, 1 is the best. Cost: CPU time.\n\n",
            unit);
    locbo_status status = print_scores(p, s, to, error);
    if (status != LOCBO_OK) return status;
    print_gaps(p, s, to);
    fprintf(to, "\nCoverage: the share of rounds in which the measured y lay in the calibrated "
                "set, and the truth f\nin its interval, mean over the problems; also over the "
                "thirds of the rounds near to, middling and far\nfrom the point recommended at "
                "the end, and by kind or group.\n\n");
    return print_coverage(p, s, to, error);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static locbo_status add_pair(table *t, const plan *p, const score *s, const score_pair *pair, locbo_error *error) {
    const size_t count[] = {pair->better, pair->worse, pair->neither};
    locbo_status status = table_add(t, error, "%s", p->method[pair->method].name);
    if (status == LOCBO_OK) status = table_add(t, error, "%s", s->column[pair->column].name);
    if (status == LOCBO_OK) status = table_add(t, error, "%zu", pair->problems);
    if (status == LOCBO_OK) status = entries_interval(t, &pair->ratio, error);
    if (status == LOCBO_OK) status = entries_p(t, pair->p, error);
    for (size_t i = 0; i < 3 && status == LOCBO_OK; i++) status = table_add(t, error, "%zu", count[i]);
    return status;
}

locbo_status score_print_pairs(const plan *p, const score *s, FILE *to, locbo_error *error) {
    static const char *const titles[] = {"<other",   "<over",  "problems", "ratio",
                                         "p (Holm)", "better", "worse",    "neither"};
    table *t;
    locbo_status status = table_create(&t, 8, titles, error);
    if (status != LOCBO_OK) return status;
    fprintf(to,
            "%s against the others: its median score over theirs (below 1 is better) with a 95 %% "
            "bootstrap\ninterval, problems and their seeds drawn again; Wilcoxon's test of the "
            "log scores over the problems,\nHolm over the table; and the problems on which its "
            "regrets are less or greater, seed by seed, by\nWilcoxon's test at %g, Holm over the "
            "problems.\n\n",
            p->method[p->against].name, SCORE_LEVEL);
    for (size_t i = 0; i < s->pairs && status == LOCBO_OK; i++) status = add_pair(t, p, s, &s->pair[i], error);
    if (status == LOCBO_OK) status = table_print(t, to, error);
    table_destroy(t);
    return status;
}
