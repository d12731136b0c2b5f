/* outputs_account.c - medians, paired ratios and feasible shares of every cell with several outputs, and their table.
 * Layer: experiment, above account. */
#include "outputs_account.h"

#include <math.h>
#include <string.h>

#include "account.h"
#include "entries.h"
#include "mem.h"

const double OUTPUTS_ACCOUNT_LEAST = 1e-6;

static int is_of_outputs(const task *t) { return problem_outputs_find(t->problem) != NULL; }

int outputs_account_exists(const plan *p) {
    for (size_t cell = 0; cell < plan_cells(p); cell++)
        if (is_of_outputs(&p->task[cell])) return 1;
    return 0;
}

/* ---- Numbers of a cell --------------------------------------------------------------------------- */

static locbo_status median_of(const results *r, size_t cell, sample_column column, double *median, locbo_error *error) {
    sample s;
    locbo_status status = sample_take(r, cell, column, &s, error);
    if (status != LOCBO_OK) return status;
    *median = stats_median(s.n, s.value);
    sample_release(&s);
    return LOCBO_OK;
}

/* The final regrets of a cell as logarithms. */
static locbo_status take_logs(const plan *p, const results *r, size_t c, size_t m, sample *s, locbo_error *error) {
    double unit = (double)NAN;
    locbo_status status = LOCBO_OK;
    if (p->scored) status = median_of(r, plan_cell(p, c, p->score), SAMPLE_RECOMMENDED, &unit, error);
    if (status == LOCBO_OK) status = sample_take(r, plan_cell(p, c, m), SAMPLE_RECOMMENDED, s, error);
    double least = unit > 0 ? OUTPUTS_ACCOUNT_LEAST * unit : OUTPUTS_ACCOUNT_LEAST;
    for (size_t i = 0; status == LOCBO_OK && i < s->n; i++) s->value[i] = log(fmax(s->value[i], least));
    return status;
}

/* exp of the mean difference of the logarithms, and the test of these differences. */
static locbo_status judge(const sample *d, outputs_account_row *row, locbo_error *error) {
    stats_interval mean;
    if (d->n == 0) return LOCBO_OK;
    locbo_status status = sample_interval(d, STATS_MEAN, &mean, error);
    if (status == LOCBO_OK) status = stats_wilcoxon(d->n, d->value, &row->p, NULL, error);
    if (status != LOCBO_OK) return status;
    row->ratio = (stats_interval){exp(mean.low), exp(mean.value), exp(mean.high)};
    if (d->n == 1) row->ratio.low = -(double)INFINITY; /* no interval */
    return LOCBO_OK;
}

static locbo_status compare(const plan *p, const results *r, outputs_account_row *row, locbo_error *error) {
    size_t c = row->cell / p->methods, m = row->cell % p->methods;
    sample own, other, d;
    row->p = (double)NAN;
    row->ratio = (stats_interval){(double)NAN, (double)NAN, (double)NAN};
    if (m == p->against) return LOCBO_OK;
    locbo_status status = take_logs(p, r, c, p->against, &other, error);
    if (status != LOCBO_OK) return status;
    status = take_logs(p, r, c, m, &own, error);
    if (status == LOCBO_OK) {
        status = sample_difference(&other, &own, &d, error);
        sample_release(&own);
    }
    sample_release(&other);
    if (status != LOCBO_OK) return status;
    status = judge(&d, row, error);
    sample_release(&d);
    return status;
}

/* The median regret over the runs in which all is feasible. */
static locbo_status keep_feasible(const results *r, outputs_account_row *row, locbo_error *error) {
    size_t first = results_first(r, row->cell), end = results_first(r, row->cell + 1), n = 0;
    double *kept = mem_new(end - first, sizeof *kept);
    if (!kept) return status_no_memory(error);
    for (size_t i = first; i < end; i++) {
        results_run run = results_at(r, i);
        const task_row *last = &run.row[run.rows - 1];
        if (last->feasible > 1 - 1e-9) kept[n++] = last->recommended; /* a share is a sum of parts */
    }
    row->kept = stats_median(n, kept);
    mem_free(kept);
    return LOCBO_OK;
}

static locbo_status fill(const plan *p, const results *r, outputs_account_row *row, locbo_error *error) {
    sample s;
    locbo_status status = sample_take(r, row->cell, SAMPLE_RECOMMENDED, &s, error);
    if (status != LOCBO_OK) return status;
    row->seeds = s.n;
    status = sample_interval(&s, STATS_MEDIAN, &row->median, error);
    sample_release(&s);
    if (status == LOCBO_OK) status = compare(p, r, row, error);
    if (status == LOCBO_OK) status = median_of(r, row->cell, SAMPLE_OBSERVED, &row->measured, error);
    if (status == LOCBO_OK) status = account_mean(r, row->cell, SAMPLE_FEASIBLE, &row->feasible, error);
    if (status == LOCBO_OK) status = account_mean(r, row->cell, SAMPLE_PROMISED, &row->promised, error);
    return status == LOCBO_OK ? keep_feasible(r, row, error) : status;
}

locbo_status outputs_account_make(const plan *p, const results *r, outputs_account *made, locbo_error *error) {
    *made = (outputs_account){0, mem_new(plan_cells(p), sizeof *made->row)};
    if (!made->row) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    for (size_t cell = 0; cell < plan_cells(p) && status == LOCBO_OK; cell++) {
        if (!is_of_outputs(&p->task[cell])) continue;
        outputs_account_row *row = &made->row[made->rows];
        row->cell = cell;
        status = fill(p, r, row, error);
        if (row->seeds > 0) made->rows++;
    }
    if (status == LOCBO_OK) status = stats_holm(made->rows, &made->row->p, sizeof *made->row, error);
    if (status != LOCBO_OK) outputs_account_release(made);
    return status;
}

void outputs_account_release(outputs_account *made) {
    mem_free(made->row);
    memset(made, 0, sizeof *made);
}

/* ---- The table ----------------------------------------------------------------------------------- */

/* In three digits, since the units of the problems are very different. */
static locbo_status add_interval(table *t, const stats_interval *i, locbo_error *error) {
    if (isnan(i->value) || isinf(i->low)) return entries_number(t, "%.3g", i->value, error);
    return table_add(t, error, "%.3g [%.3g, %.3g]", i->value, i->low, i->high);
}

static locbo_status add_row(table *t, const plan *p, const outputs_account_row *row, locbo_error *error) {
    locbo_status status = table_add(t, error, "%s", plan_case_name(p, row->cell));
    if (status == LOCBO_OK) status = table_add(t, error, "%s", plan_method_name(p, row->cell));
    if (status == LOCBO_OK) status = table_add(t, error, "%zu", row->seeds);
    if (status == LOCBO_OK) status = add_interval(t, &row->median, error);
    if (status == LOCBO_OK) status = add_interval(t, &row->ratio, error);
    if (status == LOCBO_OK) status = entries_p(t, row->p, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.3g", row->measured, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.3g", row->kept, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.3f", row->feasible, error);
    return status == LOCBO_OK ? entries_number(t, "%.3f", row->promised, error) : status;
}

static locbo_status print_rows(const plan *p, const outputs_account *made, FILE *to, locbo_error *error) {
    char over[80];
    snprintf(over, sizeof over, "%.60s / it", p->method[p->against].name);
    const char *const titles[] = {"<case",    "<method",  "seeds",       "median",   over,
                                  "p (Holm)", "measured", "if feasible", "feasible", "promised"};
    table *t;
    locbo_status status = table_create(&t, 10, titles, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < made->rows && status == LOCBO_OK; i++) status = add_row(t, p, &made->row[i], error);
    if (status == LOCBO_OK) status = table_print(t, to, error);
    table_destroy(t);
    return status;
}

static int has_one_objective(const plan *p, const outputs_account_row *row) {
    return problem_outputs_objectives(problem_outputs_find(p->task[row->cell].problem)) == 1;
}

/* A method's feasible shares over the problems with one objective: their mean, the least one and where it is. */
static locbo_status add_shares(table *t, const plan *p, const outputs_account *made, size_t m, locbo_error *error) {
    const outputs_account_row *least = NULL;
    size_t n = 0;
    double sum = 0;
    for (size_t i = 0; i < made->rows; i++) {
        const outputs_account_row *row = &made->row[i];
        if (row->cell % p->methods != m || !has_one_objective(p, row)) continue;
        if (!least || row->feasible < least->feasible) least = row;
        sum += row->feasible;
        n++;
    }
    if (n == 0) return LOCBO_OK;
    locbo_status status = table_add(t, error, "%s", p->method[m].name);
    if (status == LOCBO_OK) status = table_add(t, error, "%zu", n);
    if (status == LOCBO_OK) status = entries_number(t, "%.3f", sum / (double)n, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.3f", least->feasible, error);
    return status == LOCBO_OK ? table_add(t, error, "%s", plan_case_name(p, least->cell)) : status;
}

static locbo_status print_shares(const plan *p, const outputs_account *made, FILE *to, locbo_error *error) {
    static const char *const titles[] = {"<method", "problems", "feasible", "least", "<where"};
    size_t i = 0;
    table *t;
    while (i < made->rows && !has_one_objective(p, &made->row[i])) i++;
    if (i == made->rows) return LOCBO_OK;
    locbo_status status = table_create(&t, 5, titles, error);
    if (status != LOCBO_OK) return status;
    fprintf(to, "\nRecommended points that are truly feasible: the share over the problems with one objective, and the "
                "least of them.\n\n");
    for (size_t m = 0; m < p->methods && status == LOCBO_OK; m++) status = add_shares(t, p, made, m, error);
    if (status == LOCBO_OK) status = table_print(t, to, error);
    table_destroy(t);
    return status;
}

locbo_status outputs_account_print(const plan *p, const outputs_account *made, FILE *to, locbo_error *error) {
    fprintf(to,
            "Several outputs: the final regret (one objective: of the recommended point, that of the worst feasible "
            "point if\na constraint does not hold there; several: the volume that the reported front lacks), median "
            "over the seeds with\na 95 %% bootstrap interval; the regret of %s over it, geometric mean of the pairs, "
            "with Wilcoxon's test; the\nmedian of what was measured best, and over the runs whose report is truly "
            "feasible; the share of the reported\npoints that are truly feasible, and the mean probability that the "
            "model gave them.\n\n",
            p->method[p->against].name);
    locbo_status status = print_rows(p, made, to, error);
    return status == LOCBO_OK ? print_shares(p, made, to, error) : status;
}
