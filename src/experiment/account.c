/* account.c - means, medians, paired tests and coverage of every cell. Layer: experiment, above sample. */
#include "account.h"

#include <math.h>
#include <string.h>

#include "entries.h"
#include "mem.h"

locbo_status account_mean(const results *r, size_t cell, sample_column column, double *mean, locbo_error *error) {
    sample s;
    locbo_status status = sample_take(r, cell, column, &s, error);
    if (status != LOCBO_OK) return status;
    *mean = stats_mean(s.n, s.value);
    sample_release(&s);
    return LOCBO_OK;
}

static locbo_status coverage(const results *r, account_row *row, locbo_error *error) {
    sample s;
    locbo_status status = account_mean(r, row->cell, SAMPLE_COVERED, &row->covered, error);
    if (status == LOCBO_OK) status = account_mean(r, row->cell, SAMPLE_COVERED_F, &row->covered_f, error);
    if (status == LOCBO_OK) status = account_mean(r, row->cell, SAMPLE_INTERVAL_F, &row->interval_f, error);
    if (status == LOCBO_OK) status = account_mean(r, row->cell, SAMPLE_MS, &row->ms, error);
    if (status == LOCBO_OK) status = sample_take(r, row->cell, SAMPLE_WIDTH, &s, error);
    if (status != LOCBO_OK) return status;
    row->width = stats_median(s.n, s.value); /* the median, since widths may be infinite */
    sample_release(&s);
    return LOCBO_OK;
}

static locbo_status recommended(const results *r, account_row *row, locbo_error *error) {
    sample s;
    locbo_status status = sample_take(r, row->cell, SAMPLE_RECOMMENDED, &s, error);
    if (status != LOCBO_OK) return status;
    status = sample_interval(&s, STATS_MEAN, &row->recommended, error);
    sample_release(&s);
    return status;
}

/* Paired differences with the reference method in the same case. */
static locbo_status compare(const plan *p, const results *r, const sample *own, account_row *row, locbo_error *error) {
    size_t c = row->cell / p->methods, reference = plan_source(p, c, p->against);
    sample other, difference;
    row->p = (double)NAN;
    row->difference = (stats_interval){(double)NAN, (double)NAN, (double)NAN};
    if (reference == row->cell || reference == plan_cells(p)) return LOCBO_OK;
    locbo_status status = sample_take(r, reference, SAMPLE_OBSERVED, &other, error);
    if (status != LOCBO_OK) return status;
    status = sample_difference(own, &other, &difference, error);
    sample_release(&other);
    if (status != LOCBO_OK) return status;
    row->pairs = difference.n;
    if (difference.n > 0) {
        status = sample_interval(&difference, STATS_MEAN, &row->difference, error);
        if (status == LOCBO_OK) status = stats_wilcoxon(difference.n, difference.value, &row->p, NULL, error);
    }
    sample_release(&difference);
    return status;
}

static locbo_status fill(const plan *p, const results *r, account_row *row, locbo_error *error) {
    sample own;
    locbo_status status = sample_take(r, row->cell, SAMPLE_OBSERVED, &own, error);
    if (status != LOCBO_OK) return status;
    row->seeds = own.n;
    row->target = 1 - p->task[row->cell].options.alpha;
    status = sample_interval(&own, STATS_MEAN, &row->mean, error);
    if (status == LOCBO_OK) status = sample_interval(&own, STATS_MEDIAN, &row->median, error);
    if (status == LOCBO_OK) status = compare(p, r, &own, row, error);
    sample_release(&own);
    if (status == LOCBO_OK) status = recommended(r, row, error);
    return status == LOCBO_OK ? coverage(r, row, error) : status;
}

locbo_status account_make(const plan *p, const results *r, account *a, locbo_error *error) {
    *a = (account){0, mem_new(plan_cells(p), sizeof *a->row)};
    if (!a->row) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    for (size_t cell = 0; cell < plan_cells(p) && status == LOCBO_OK; cell++) {
        account_row *row = &a->row[a->rows];
        row->cell = cell;
        status = fill(p, r, row, error);
        if (row->seeds > 0) a->rows++;
    }
    if (status == LOCBO_OK) status = stats_holm(a->rows, &a->row->p, sizeof *a->row, error);
    if (status != LOCBO_OK) account_release(a);
    return status;
}

void account_release(account *a) {
    mem_free(a->row);
    memset(a, 0, sizeof *a);
}

/* ---- Tables ------------------------------------------------------------------------------------ */

static locbo_status add_names(table *t, const plan *p, const account_row *row, locbo_error *error) {
    locbo_status status = table_add(t, error, "%s", plan_case_name(p, row->cell));
    return status == LOCBO_OK ? table_add(t, error, "%s", plan_method_name(p, row->cell)) : status;
}

static locbo_status merit_row(table *t, const plan *p, const account_row *row, locbo_error *error) {
    locbo_status status = add_names(t, p, row, error);
    if (status == LOCBO_OK) status = table_add(t, error, "%zu", row->seeds);
    const stats_interval *intervals[] = {&row->mean, &row->median, &row->recommended, &row->difference};
    for (size_t i = 0; i < 4 && status == LOCBO_OK; i++) status = entries_interval(t, intervals[i], error);
    return status == LOCBO_OK ? entries_p(t, row->p, error) : status;
}

static locbo_status coverage_row(table *t, const plan *p, const account_row *row, locbo_error *error) {
    double target = isnan(row->covered) ? (double)NAN : row->target;
    const double share[] = {target, row->covered, row->covered_f, row->interval_f};
    locbo_status status = add_names(t, p, row, error);
    for (size_t i = 0; i < 4 && status == LOCBO_OK; i++) status = entries_number(t, "%.3f", share[i], error);
    if (status == LOCBO_OK) status = entries_number(t, "%.3g", row->width, error);
    return status == LOCBO_OK ? entries_number(t, "%.2f", row->ms, error) : status;
}

typedef locbo_status row_fn(table *t, const plan *p, const account_row *row, locbo_error *error);

static locbo_status print_table(const plan *p, const account *a, size_t columns, const char *const *titles, row_fn *add,
                                FILE *to, locbo_error *error) {
    table *t;
    locbo_status status = table_create(&t, columns, titles, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < a->rows && status == LOCBO_OK; i++) status = add(t, p, &a->row[i], error);
    if (status == LOCBO_OK) status = table_print(t, to, error);
    table_destroy(t);
    return status;
}

static int has_unpaired(const account *a) {
    for (size_t i = 0; i < a->rows; i++)
        if (!isnan(a->row[i].p) && a->row[i].pairs != a->row[i].seeds) return 1;
    return 0;
}

locbo_status account_print(const plan *p, const account *a, FILE *to, locbo_error *error) {
    char minus[80];
    snprintf(minus, sizeof minus, "mean - %.60s", p->method[p->against].name);
    const char *const merit[] = {"<case", "<method", "seeds", "mean", "median", "recommended", minus, "p (Holm)"};
    static const char *const covered[] = {"<case",    "<method",    "target", "y in set",
                                          "f in set", "f interval", "width",  "ms/round"};
    fprintf(to,
            "Final %s of the point measured best%s: mean and median over the seeds,\nwith 95 %% "
            "bootstrap "
            "intervals. Recommended: the mean for the point that the model recommends. "
            "Paired\ndifferences "
            "against %s with Wilcoxon's test.\n\n",
            plan_is_value(p) ? "true value (larger is better)" : "simple regret",
            p->task[0].sectors ? " since the rounds began" : "", p->method[p->against].name);
    locbo_status status = print_table(p, a, 8, merit, merit_row, to, error);
    if (status != LOCBO_OK) return status;
    if (has_unpaired(a)) fprintf(to, "\nDifferences are over the seeds that both methods have.\n");
    fprintf(to, "\nCoverage: the share of rounds in which the measured y lay in the calibrated "
                "set, the truth f lay\n"
                "in it, and the truth lay in the interval of f. Width: of the set, median. Cost: "
                "CPU time.\n\n");
    return print_table(p, a, 8, covered, coverage_row, to, error);
}
