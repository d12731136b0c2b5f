/* experiment_rows.c - the account, the scores, the several outputs and the costs of an experiment as JSON objects.
 * Layer: cli. */
#include "experiment_rows.h"

#include <stdio.h>

#include "account.h"
#include "cost_account.h"
#include "outputs_account.h"
#include "score.h"
#include "tails.h"
#include "value.h"

/* ---- pieces of a row ------------------------------------------------------------------------ */

typedef struct named {
    const char *name;
    double value;
} named;

static void set_numbers(json_t *row, size_t n, const named *number) {
    for (size_t i = 0; i < n; i++) json_object_set_new(row, number[i].name, value_real(number[i].value));
}

/* NAME, NAME_low and NAME_high. */
static void set_interval(json_t *row, const char *name, const stats_interval *i) {
    char key[48];
    json_object_set_new(row, name, value_real(i->value));
    snprintf(key, sizeof key, "%s_low", name);
    json_object_set_new(row, key, value_real(i->low));
    snprintf(key, sizeof key, "%s_high", name);
    json_object_set_new(row, key, value_real(i->high));
}

/* ---- rows ----------------------------------------------------------------------------------- */

static json_t *case_row(const plan *p, const account_row *r) {
    json_t *row = json_pack("{s:s, s:s, s:s, s:I}", "experiment", p->name, "case", plan_case_name(p, r->cell), "method",
                            plan_method_name(p, r->cell), "seeds", (json_int_t)r->seeds);
    const named numbers[] = {{"p", r->p},
                             {"target", r->target},
                             {"covered", r->covered},
                             {"covered_f", r->covered_f},
                             {"interval_f", r->interval_f},
                             {"width", r->width},
                             {"ms", r->ms}};
    set_interval(row, "mean", &r->mean);
    set_interval(row, "median", &r->median);
    set_interval(row, "recommended", &r->recommended);
    set_interval(row, "difference", &r->difference);
    set_numbers(row, sizeof numbers / sizeof numbers[0], numbers);
    return row;
}

static json_t *score_json(const plan *p, const score *s, const score_row *r) {
    json_t *row = json_pack("{s:s, s:s, s:s, s:I}", "experiment", p->name, "method", p->method[r->method].name, "over",
                            s->column[r->column].name, "problems", (json_int_t)r->problems);
    const named numbers[] = {{"rank", r->rank}, {"ms", r->ms}, {"target", r->target}};
    set_interval(row, "score", &r->score);
    set_numbers(row, sizeof numbers / sizeof numbers[0], numbers);
    for (size_t i = 0; i < SCORE_SHARES; i++)
        set_numbers(row, 1, &(named){task_columns[score_shares[i]].name, r->share[score_shares[i]]});
    return row;
}

static json_t *pair_json(const plan *p, const score *s, const score_pair *r) {
    json_t *row =
        json_pack("{s:s, s:s, s:s, s:s, s:I}", "experiment", p->name, "method", p->method[p->against].name, "other",
                  p->method[r->method].name, "over", s->column[r->column].name, "problems", (json_int_t)r->problems);
    set_interval(row, "ratio", &r->ratio);
    json_object_set_new(row, "p", value_real(r->p));
    json_object_set_new(row, "better", json_integer((json_int_t)r->better));
    json_object_set_new(row, "worse", json_integer((json_int_t)r->worse));
    json_object_set_new(row, "neither", json_integer((json_int_t)r->neither));
    return row;
}

static json_t *tails_json(const plan *p, const tails_row *r) {
    json_t *row = json_pack("{s:s, s:s, s:s, s:I, s:I}", "experiment", p->name, "method", p->method[r->method].name,
                            "over", r->over, "problems", (json_int_t)r->problems, "runs", (json_int_t)r->runs);
    const named numbers[] = {
        {"mean", r->mean}, {"median", r->median}, {"p90", r->p90}, {"worst", r->worst}, {"lost", r->lost}};
    set_numbers(row, sizeof numbers / sizeof numbers[0], numbers);
    json_object_set_new(row, "worst_problem", r->hardest ? json_string(r->hardest) : json_null());
    set_numbers(row, 1, &(named){"worst_problem_p90", r->hardest_p90});
    return row;
}

static json_t *contrast_json(const plan *p, const tails_pair *r) {
    json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:I, s:I}", "experiment", p->name, "method",
                            p->method[p->against].name, "other", p->method[r->method].name, "over", r->over, "problems",
                            (json_int_t)r->problems, "pairs", (json_int_t)r->pairs);
    const named numbers[] = {{"ratio", r->ratio},
                             {"p_problems", r->p_problems},
                             {"p_pairs", r->p_pairs},
                             {"p90_ratio", r->p90_ratio},
                             {"p90_less", r->p90_less}};
    set_numbers(row, sizeof numbers / sizeof numbers[0], numbers);
    return row;
}

static json_t *interval_json(const plan *p, const tails_row *r) {
    json_t *row = json_pack("{s:s, s:s, s:s, s:I}", "experiment", p->name, "method", p->method[r->method].name, "over",
                            r->over, "runs", (json_int_t)r->runs);
    for (size_t k = 0; k < TAILS_CHECKPOINTS; k++) {
        const tails_interval *i = &r->interval[k];
        const named numbers[] = {{"holds", i->holds}, {"width", i->width}, {"withheld", i->withheld}};
        for (size_t n = 0; n < 3; n++) {
            char key[32];
            snprintf(key, sizeof key, "%s_%zu", numbers[n].name, tails_checkpoints[k]);
            set_numbers(row, 1, &(named){key, numbers[n].value});
        }
    }
    for (size_t k = 0; k < TAILS_SHARES; k++)
        set_numbers(row, 1, &(named){task_columns[tails_shares[k]].name, r->share[tails_shares[k]]});
    return row;
}

static json_t *outputs_json(const plan *p, const outputs_account_row *r) {
    json_t *row = json_pack("{s:s, s:s, s:s, s:I}", "experiment", p->name, "case", plan_case_name(p, r->cell), "method",
                            plan_method_name(p, r->cell), "seeds", (json_int_t)r->seeds);
    const named numbers[] = {{"p", r->p},
                             {"measured", r->measured},
                             {"if_feasible", r->kept},
                             {"feasible", r->feasible},
                             {"promised", r->promised}};
    set_interval(row, "median", &r->median);
    set_interval(row, "ratio", &r->ratio);
    set_numbers(row, sizeof numbers / sizeof numbers[0], numbers);
    return row;
}

static json_t *cost_json(const plan *p, const cost_account_row *r) {
    json_t *row = json_pack("{s:s, s:s, s:s, s:I}", "experiment", p->name, "case", plan_case_name(p, r->cell), "method",
                            plan_method_name(p, r->cell), "seeds", (json_int_t)r->seeds);
    const named regrets[] = {{"median", r->median}, {"quartile1", r->low}, {"quartile3", r->high},
                             {"p90", r->p90},       {"worst", r->worst},   {"lost", r->lost}};
    const named costs[] = {{"limit", r->limit},
                           {"never", r->never},
                           {"reach_median", r->reach_median},
                           {"cost", r->cost},
                           {"evaluations", r->evaluations},
                           {"full", r->full},
                           {"ended", r->ended},
                           {"mistaken", r->mistaken},
                           {"saved", r->saved},
                           {"ms", r->ms}};
    set_numbers(row, sizeof regrets / sizeof regrets[0], regrets);
    set_interval(row, "ratio", &r->ratio);
    set_numbers(row, 1, &(named){"p", r->p});
    set_interval(row, "reach", &r->reach);
    set_numbers(row, sizeof costs / sizeof costs[0], costs);
    return row;
}

/* ---- tables --------------------------------------------------------------------------------- */

static locbo_status close_rows(output *o, locbo_error *error) {
    return output_close(o) ? LOCBO_OK : status_fail(error, LOCBO_ERR_IO, "%s", "");
}

static locbo_status print_cases(const plan *p, const results *r, output_format format, locbo_error *error) {
    account a;
    locbo_status status = account_make(p, r, &a, error);
    if (status != LOCBO_OK) return status;
    output *o = output_open(format, 0);
    for (size_t i = 0; i < a.rows; i++) output_row(o, case_row(p, &a.row[i]));
    account_release(&a);
    return close_rows(o, error);
}

static locbo_status print_scores(const plan *p, const results *r, int of_pairs, output_format format,
                                 locbo_error *error) {
    score s;
    locbo_status status = score_make(p, r, &s, error);
    if (status != LOCBO_OK) return status;
    output *o = output_open(format, 0);
    for (size_t i = 0; of_pairs && i < s.pairs; i++) output_row(o, pair_json(p, &s, &s.pair[i]));
    for (size_t i = 0; !of_pairs && i < s.rows; i++) output_row(o, score_json(p, &s, &s.row[i]));
    score_release(&s);
    return close_rows(o, error);
}

static locbo_status print_tails(const plan *p, const results *r, summary_table table, output_format format,
                                locbo_error *error) {
    score s;
    tails t;
    locbo_status status = score_make(p, r, &s, error);
    if (status != LOCBO_OK) return status;
    status = tails_make(p, r, &s, &t, error);
    if (status == LOCBO_OK) {
        output *o = output_open(format, 0);
        for (size_t i = 0; table == SUMMARY_CONTRASTS && i < t.pairs; i++) output_row(o, contrast_json(p, &t.pair[i]));
        for (size_t i = 0; table != SUMMARY_CONTRASTS && i < t.rows; i++)
            output_row(o, table == SUMMARY_TAILS ? tails_json(p, &t.row[i]) : interval_json(p, &t.row[i]));
        tails_release(&t);
        status = close_rows(o, error);
    }
    score_release(&s);
    return status;
}

static locbo_status print_outputs(const plan *p, const results *r, output_format format, locbo_error *error) {
    outputs_account made;
    locbo_status status = outputs_account_make(p, r, &made, error);
    if (status != LOCBO_OK) return status;
    output *o = output_open(format, 0);
    for (size_t i = 0; i < made.rows; i++) output_row(o, outputs_json(p, &made.row[i]));
    outputs_account_release(&made);
    return close_rows(o, error);
}

static locbo_status print_costs(const plan *p, const results *r, output_format format, locbo_error *error) {
    cost_account made;
    locbo_status status = cost_account_make(p, r, &made, error);
    if (status != LOCBO_OK) return status;
    output *o = output_open(format, 0);
    for (size_t i = 0; i < made.rows; i++) output_row(o, cost_json(p, &made.row[i]));
    cost_account_release(&made);
    return close_rows(o, error);
}

locbo_status experiment_rows(const plan *p, const results *r, summary_table table, output_format format,
                             locbo_error *error) {
    if (table == SUMMARY_CASES) return print_cases(p, r, format, error);
    if (table == SUMMARY_OUTPUTS) return print_outputs(p, r, format, error);
    if (table == SUMMARY_COSTS) return print_costs(p, r, format, error);
    if (table >= SUMMARY_TAILS) return print_tails(p, r, table, format, error);
    return print_scores(p, r, table == SUMMARY_COMPARISONS, format, error);
}
