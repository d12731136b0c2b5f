/* cost_account.c - regrets after the same cost, and the cost of the same regret, for every case and method of problems
 * with a fidelity. Layer: experiment, above sample. */
#include "cost_account.h"

#include <math.h>
#include <string.h>

#include "entries.h"
#include "mem.h"
#include "problem_fidelity.h"

/* Regrets below this share of that of the middle of the box count as it, so that they have a logarithm. */
static const double LEAST = 1e-6;

static int is_of_fidelity(const task *t) { return problem_fidelity_find(t->problem) != NULL; }

int cost_account_exists(const plan *p) {
    for (size_t cell = 0; cell < plan_cells(p); cell++)
        if (p->present[cell] && is_of_fidelity(&p->task[cell])) return 1;
    return 0;
}

static size_t target_of(const task *t) { return t->target ? t->target : t->rounds; }

/* ---- Regrets at the target ------------------------------------------------------------------------- */

static locbo_status take(const results *r, size_t cell, size_t t, sample *taken, locbo_error *error) {
    return sample_at(r, cell, t, SAMPLE_RECOMMENDED, taken, error);
}

static locbo_status median_at(const results *r, size_t cell, size_t t, double *median, locbo_error *error) {
    sample s;
    locbo_status status = take(r, cell, t, &s, error);
    if (status != LOCBO_OK) return status;
    *median = stats_median(s.n, s.value);
    sample_release(&s);
    return LOCBO_OK;
}

/* The cell of random search at full fidelity in case c; plan_cells: there is none. */
static size_t find_random(const plan *p, size_t c) {
    for (size_t m = 0; m < p->methods; m++) {
        const task *t = &p->task[plan_cell(p, c, m)];
        if (p->present[plan_cell(p, c, m)] && t->options.method == LOCBO_METHOD_RANDOM &&
            t->fidelity == TASK_FIDELITY_FULL && !t->end)
            return plan_cell(p, c, m);
    }
    return plan_cells(p);
}

static locbo_status fill_regrets(const plan *p, const results *r, cost_account_row *row, locbo_error *error) {
    size_t target = target_of(&p->task[row->cell]), unit = find_random(p, row->cell / p->methods);
    double limit = (double)NAN;
    sample s;
    locbo_status status = unit < plan_cells(p) ? median_at(r, unit, target, &limit, error) : LOCBO_OK;
    if (status == LOCBO_OK) status = take(r, row->cell, target, &s, error);
    if (status != LOCBO_OK) return status;
    row->seeds = s.n;
    row->lost = isnan(limit) ? (double)NAN : 0;
    for (size_t i = 0; i < s.n; i++) row->lost += (s.value[i] > limit) / (double)s.n;
    stats_sort(s.n, s.value);
    row->low = stats_quantile_sorted(s.n, s.value, 0.25);
    row->median = stats_quantile_sorted(s.n, s.value, 0.5);
    row->high = stats_quantile_sorted(s.n, s.value, 0.75);
    row->p90 = stats_quantile_sorted(s.n, s.value, 0.9);
    row->worst = s.n ? s.value[s.n - 1] : (double)NAN;
    sample_release(&s);
    return LOCBO_OK;
}

/* The logarithms of the regrets at the target. */
static locbo_status take_logs(const results *r, size_t cell, size_t target, double least, sample *s,
                              locbo_error *error) {
    locbo_status status = take(r, cell, target, s, error);
    for (size_t i = 0; status == LOCBO_OK && i < s->n; i++) s->value[i] = log(fmax(s->value[i], least));
    return status;
}

static locbo_status judge(const sample *d, cost_account_row *row, locbo_error *error) {
    if (d->n == 0) return LOCBO_OK;
    locbo_status status = sample_interval(d, STATS_MEAN, &row->ratio, error);
    row->ratio = (stats_interval){exp(row->ratio.low), exp(row->ratio.value), exp(row->ratio.high)};
    return status == LOCBO_OK ? stats_wilcoxon(d->n, d->value, &row->p, NULL, error) : status;
}

static locbo_status compare(const plan *p, const results *r, cost_account_row *row, locbo_error *error) {
    size_t other = plan_cell(p, row->cell / p->methods, p->against), target = target_of(&p->task[row->cell]);
    double least;
    sample a, b, d;
    if (other == row->cell || !p->present[other]) return LOCBO_OK;
    locbo_status status = median_at(r, other, 0, &least, error);
    if (status == LOCBO_OK) status = take_logs(r, other, target, LEAST * least, &a, error);
    if (status != LOCBO_OK) return status;
    status = take_logs(r, row->cell, target, LEAST * least, &b, error);
    if (status == LOCBO_OK) {
        status = sample_difference(&a, &b, &d, error);
        sample_release(&b);
    }
    sample_release(&a);
    if (status != LOCBO_OK) return status;
    status = judge(&d, row, error);
    sample_release(&d);
    return status;
}

/* ---- The cost of a regret --------------------------------------------------------------------------- */

/* The round of the first row whose regret is at most `goal`; `never` if there is none. */
static double first_round(const results_run *run, double goal, double never) {
    for (size_t i = 0; i < run->rows; i++)
        if (run->row[i].recommended <= goal) return (double)run->row[i].t;
    return never;
}

/* A run that does not reach the goal has twice the limit, so that the median of more than half of them is above it. */
static locbo_status fill_reach(const results *r, size_t other, size_t target, cost_account_row *row,
                               locbo_error *error) {
    sample goal;
    size_t n = 0;
    double never = 0;
    locbo_status status = take(r, other, target, &goal, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < goal.n; i++) {
        results_run run;
        if (!results_find(r, row->cell, goal.seed[i], &run)) continue;
        double reached = first_round(&run, goal.value[i], 2 * row->limit * (double)target) / (double)target;
        never += reached > row->limit;
        goal.seed[n] = goal.seed[i];
        goal.value[n++] = reached;
    }
    goal.n = n;
    if (n > 0) {
        row->never = never / (double)n;
        status = sample_interval(&goal, STATS_MEDIAN, &row->reach, error);
    }
    sample_release(&goal);
    return status;
}

static locbo_status fill_reach_median(const plan *p, const results *r, size_t other, size_t target,
                                      cost_account_row *row, locbo_error *error) {
    const task *t = &p->task[row->cell];
    double goal, own;
    locbo_status status = median_at(r, other, target, &goal, error);
    if (status != LOCBO_OK || isnan(goal)) return status;
    row->reach_median = 2 * row->limit;
    for (size_t round = 0; status == LOCBO_OK && round <= t->rounds; round++) {
        if (!task_records(t, round)) continue;
        status = median_at(r, row->cell, round, &own, error);
        if (status == LOCBO_OK && own <= goal) {
            row->reach_median = (double)round / (double)target;
            break;
        }
    }
    return status;
}

/* Of rounds that are costs only. */
static locbo_status fill_cost(const plan *p, const results *r, cost_account_row *row, locbo_error *error) {
    const task *t = &p->task[row->cell];
    size_t other = plan_cell(p, row->cell / p->methods, p->against), target = target_of(t);
    row->limit = (double)t->rounds / (double)target;
    if (t->count != TASK_COUNT_COST || !p->present[other]) return LOCBO_OK;
    locbo_status status = fill_reach(r, other, target, row, error);
    return status == LOCBO_OK ? fill_reach_median(p, r, other, target, row, error) : status;
}

/* ---- What was spent ----------------------------------------------------------------------------------- */

/* The row at the target. */
static const task_row *row_at(const results_run *run, size_t target) {
    size_t i = 0;
    while (i + 1 < run->rows && run->row[i + 1].t <= target) i++;
    return &run->row[i];
}

static void fill_spent(const plan *p, const results *r, cost_account_row *row) {
    size_t first = results_first(r, row->cell), end = results_first(r, row->cell + 1);
    double runs = (double)(end - first);
    row->cost = row->evaluations = row->full = row->ended = row->mistaken = row->saved = 0;
    for (size_t i = first; i < end; i++) {
        results_run run = results_at(r, i);
        const task_row *at = row_at(&run, target_of(&p->task[row->cell]));
        row->cost += at->cost / runs;
        row->evaluations += at->evaluations / runs;
        row->full += at->full / runs;
        row->ended += at->ended / at->evaluations / runs;
        row->mistaken += at->mistaken / at->evaluations / runs;
        row->saved += (1 - at->cost / at->evaluations) / runs;
    }
}

static locbo_status fill(const plan *p, const results *r, cost_account_row *row, locbo_error *error) {
    sample s;
    locbo_status status = fill_regrets(p, r, row, error);
    if (status == LOCBO_OK) status = compare(p, r, row, error);
    if (status == LOCBO_OK) status = fill_cost(p, r, row, error);
    if (status == LOCBO_OK) status = sample_take(r, row->cell, SAMPLE_MS, &s, error);
    if (status != LOCBO_OK) return status;
    row->ms = stats_mean(s.n, s.value);
    sample_release(&s);
    fill_spent(p, r, row);
    return LOCBO_OK;
}

locbo_status cost_account_make(const plan *p, const results *r, cost_account *made, locbo_error *error) {
    const double none = (double)NAN;
    *made = (cost_account){0, mem_new(plan_cells(p), sizeof *made->row)};
    if (!made->row) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    for (size_t cell = 0; cell < plan_cells(p) && status == LOCBO_OK; cell++) {
        if (!p->present[cell] || !is_of_fidelity(&p->task[cell])) continue;
        cost_account_row *row = &made->row[made->rows];
        *row = (cost_account_row){.cell = cell, .p = none, .never = none, .reach_median = none};
        row->ratio = row->reach = (stats_interval){none, none, none};
        status = fill(p, r, row, error);
        if (row->seeds > 0) made->rows++;
    }
    if (status == LOCBO_OK) status = stats_holm(made->rows, &made->row->p, sizeof *made->row, error);
    if (status != LOCBO_OK) cost_account_release(made);
    return status;
}

void cost_account_release(cost_account *made) {
    mem_free(made->row);
    memset(made, 0, sizeof *made);
}

/* ---- The tables ----------------------------------------------------------------------------------------- */

static locbo_status add_names(table *t, const plan *p, const cost_account_row *row, locbo_error *error) {
    locbo_status status = table_add(t, error, "%s", plan_case_name(p, row->cell));
    return status == LOCBO_OK ? table_add(t, error, "%s", plan_method_name(p, row->cell)) : status;
}

/* In three digits, since the units of the problems are very different. */
static locbo_status add_regrets(table *t, const plan *p, const cost_account_row *row, locbo_error *error) {
    locbo_status status = add_names(t, p, row, error);
    if (status == LOCBO_OK) status = table_add(t, error, "%zu", row->seeds);
    if (status == LOCBO_OK) status = table_add(t, error, "%.3g (%.3g, %.3g)", row->median, row->low, row->high);
    if (status == LOCBO_OK) status = entries_number(t, "%.3g", row->p90, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.3g", row->worst, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.2f", row->lost, error);
    if (status == LOCBO_OK && (isnan(row->ratio.value) || isinf(row->ratio.high)))
        status = entries_number(t, "%.3g", row->ratio.value, error);
    else if (status == LOCBO_OK)
        status = table_add(t, error, "%.3g [%.3g, %.3g]", row->ratio.value, row->ratio.low, row->ratio.high);
    return status == LOCBO_OK ? entries_p(t, row->p, error) : status;
}

enum { REACH_TEXT = 24 };

/* "0.45", or ">1.2" if it was not reached. */
static const char *print_reach(const cost_account_row *row, double reach, char text[REACH_TEXT]) {
    if (reach > row->limit)
        snprintf(text, REACH_TEXT, ">%.3g", row->limit);
    else
        snprintf(text, REACH_TEXT, "%.3g", reach);
    return text;
}

static locbo_status add_reach(table *t, const cost_account_row *row, locbo_error *error) {
    char value[REACH_TEXT], low[REACH_TEXT], high[REACH_TEXT];
    locbo_status status;
    if (isnan(row->reach.value))
        status = table_add(t, error, "-");
    else if (isinf(row->reach.high))
        status = table_add(t, error, "%s", print_reach(row, row->reach.value, value));
    else
        status = table_add(t, error, "%s [%s, %s]", print_reach(row, row->reach.value, value),
                           print_reach(row, row->reach.low, low), print_reach(row, row->reach.high, high));
    if (status == LOCBO_OK && isnan(row->reach_median)) return table_add(t, error, "-");
    return status == LOCBO_OK ? table_add(t, error, "%s", print_reach(row, row->reach_median, value)) : status;
}

static locbo_status add_costs(table *t, const plan *p, const cost_account_row *row, locbo_error *error) {
    locbo_status status = add_names(t, p, row, error);
    if (status == LOCBO_OK) status = add_reach(t, row, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.2f", row->never, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.1f", row->cost, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.1f", row->evaluations, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.2f", row->full, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.2f", row->ended, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.3f", row->mistaken, error);
    if (status == LOCBO_OK) status = entries_number(t, "%.2f", row->saved, error);
    return status == LOCBO_OK ? entries_number(t, "%.1f", row->ms, error) : status;
}

typedef locbo_status row_fn(table *t, const plan *p, const cost_account_row *row, locbo_error *error);

static locbo_status print_rows(const plan *p, const cost_account *made, size_t columns, const char *const *titles,
                               row_fn *add, FILE *to, locbo_error *error) {
    table *t;
    locbo_status status = table_create(&t, columns, titles, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < made->rows && status == LOCBO_OK; i++) status = add(t, p, &made->row[i], error);
    if (status == LOCBO_OK) status = table_print(t, to, error);
    table_destroy(t);
    return status;
}

locbo_status cost_account_print(const plan *p, const cost_account *made, FILE *to, locbo_error *error) {
    const char *name = p->method[p->against].name;
    char over[80];
    snprintf(over, sizeof over, "%.60s / it", name);
    const char *const regrets[] = {"<case", "<method", "seeds",   "median (quartiles)", "90 %", "worst",
                                   "lost",  over,      "p (Holm)"};
    static const char *const costs[] = {"<case",       "<method", "to reach", "of medians", "never", "cost",
                                        "evaluations", "full",    "ended",    "mistaken",   "saved", "ms"};
    fprintf(to,
            "Regret at full fidelity of the recommended point when the target (the setting 'target', or all) is "
            "spent: over the\nseeds median and quartiles, 90th percentile and worst; lost: the share of the runs that "
            "are worse than the median\nof random search; the regret of %s over it, geometric mean of the pairs, with "
            "Wilcoxon's test.\n\n",
            name);
    locbo_status status = print_rows(p, made, 9, regrets, add_regrets, to, error);
    if (status != LOCBO_OK) return status;
    fprintf(
        to,
        "\nWhat it costs to reach the regret that %s has at the target, over the target: median of the pairs with a "
        "95 %%\nbootstrap interval; of medians: the same of the median regrets; never: the share of the runs that "
        "did not reach it.\nAt the target: what was spent, in full evaluations; evaluations; the share spent at "
        "full fidelity; the share of the\nevaluations that were ended early, and of those whose last value would "
        "have been the best; the share of the steps of\nall evaluations that was saved. CPU time per "
        "evaluation.\n\n",
        name);
    return print_rows(p, made, 12, costs, add_costs, to, error);
}
