/* summary.c - title, tables, verdict. Layer: experiment, above account, score, outputs_account, cost_account and
 * claims. */
#include "summary.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "account.h"
#include "claims.h"
#include "cost_account.h"
#include "outputs_account.h"
#include "score_print.h"
#include "tails_print.h"

enum { PATH_ROOM = 4096 };

static locbo_status print_claim(const plan *p, const results *r, FILE *to, locbo_error *error) {
    claim c;
    locbo_status status = claim_judge(p, r, &c, error);
    if (status == LOCBO_ERR_NOTHING) return LOCBO_OK;
    if (status != LOCBO_OK) return status;
    fprintf(to, "\nClaim %d%s, %s: %s\n", c.number, p->changed ? " under changed settings" : "",
            claim_verdict_text(c.verdict), c.says);
    for (size_t i = 0; i < c.parts; i++)
        fprintf(to, "  %-15s %s\n", claim_verdict_text(c.part[i].verdict), c.part[i].text);
    claim_release(&c);
    return LOCBO_OK;
}

static locbo_status print_account(const plan *p, const results *r, FILE *to, locbo_error *error) {
    account a;
    locbo_status status = account_make(p, r, &a, error);
    if (status != LOCBO_OK) return status;
    status = account_print(p, &a, to, error);
    account_release(&a);
    return status;
}

static locbo_status print_outputs(const plan *p, const results *r, FILE *to, locbo_error *error) {
    outputs_account made;
    locbo_status status = outputs_account_make(p, r, &made, error);
    if (status != LOCBO_OK) return status;
    status = outputs_account_print(p, &made, to, error);
    outputs_account_release(&made);
    return status;
}

static locbo_status print_costs(const plan *p, const results *r, FILE *to, locbo_error *error) {
    cost_account made;
    locbo_status status = cost_account_make(p, r, &made, error);
    if (status != LOCBO_OK) return status;
    status = cost_account_print(p, &made, to, error);
    cost_account_release(&made);
    return status;
}

/* One of the tables of bad runs, or all with blank lines before them. */
static locbo_status print_tails(const plan *p, const results *r, const score *s, int all, summary_table table, FILE *to,
                                locbo_error *error) {
    static locbo_status (*const print[])(const plan *, const tails *, FILE *,
                                         locbo_error *) = {tails_print_rows, tails_print_pairs, tails_print_intervals};
    tails t;
    locbo_status status = tails_make(p, r, s, &t, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < 3 && status == LOCBO_OK; i++) {
        if (!all && table != SUMMARY_TAILS + i) continue;
        if (all && SUMMARY_TAILS + i == SUMMARY_INTERVALS && outputs_account_exists(p)) continue; /* they have none */
        if (all) fprintf(to, "\n");
        status = print[i](p, &t, to, error);
    }
    tails_release(&t);
    return status;
}

locbo_status summary_print_table(const plan *p, const results *r, summary_table table, FILE *to, locbo_error *error) {
    if (table == SUMMARY_CASES) return print_account(p, r, to, error);
    if (table == SUMMARY_OUTPUTS) return print_outputs(p, r, to, error);
    if (table == SUMMARY_COSTS) return print_costs(p, r, to, error);
    score s;
    locbo_status status = score_make(p, r, &s, error);
    if (status != LOCBO_OK) return status;
    if (table == SUMMARY_SCORES)
        status = score_print_rows(p, &s, to, error);
    else if (table == SUMMARY_COMPARISONS)
        status = score_print_pairs(p, &s, to, error);
    else
        status = print_tails(p, r, &s, 0, table, to, error);
    score_release(&s);
    return status;
}

static locbo_status print_scores(const plan *p, const results *r, FILE *to, locbo_error *error) {
    score s;
    locbo_status status = score_make(p, r, &s, error);
    if (status != LOCBO_OK) return status;
    status = score_print_rows(p, &s, to, error);
    fprintf(to, "\n");
    if (status == LOCBO_OK) status = score_print_pairs(p, &s, to, error);
    if (status == LOCBO_OK && p->tails) status = print_tails(p, r, &s, 1, SUMMARY_TAILS, to, error);
    score_release(&s);
    return status;
}

locbo_status summary_print(const plan *p, const results *r, FILE *to, locbo_error *error) {
    fprintf(to, "%s%s%s\n", p->name, p->title ? ": " : "", p->title ? p->title : "");
    if (p->paper) fprintf(to, "In the paper: %s\n", p->paper);
    fprintf(to, "\n");
    locbo_status status = LOCBO_OK;
    if (p->scored)
        status = print_scores(p, r, to, error);
    else if (!cost_account_exists(p))
        status = print_account(p, r, to, error);
    if (status == LOCBO_OK && cost_account_exists(p)) {
        if (p->scored) fprintf(to, "\n");
        status = print_costs(p, r, to, error);
    }
    if (status == LOCBO_OK && outputs_account_exists(p)) {
        fprintf(to, "\n");
        status = print_outputs(p, r, to, error);
    }
    return status == LOCBO_OK ? print_claim(p, r, to, error) : status;
}

/* The first and the last seed of all runs. */
static void find_seeds(const results *r, uint64_t *first, uint64_t *last) {
    *first = *last = results_count(r) ? results_at(r, 0).seed : 1;
    for (size_t i = 1; i < results_count(r); i++) {
        uint64_t seed = results_at(r, i).seed;
        if (seed < *first) *first = seed;
        if (seed > *last) *last = seed;
    }
}

locbo_status summary_write(const plan *p, const results *r, const char *dir, const char *source, locbo_error *error) {
    char path[PATH_ROOM], begin[48] = "";
    uint64_t first, last;
    find_seeds(r, &first, &last);
    if (first > 1) snprintf(begin, sizeof begin, "--first-seed %" PRIu64 " ", first);
    snprintf(path, sizeof path, "%s/%s/summary.txt", dir, p->name);
    FILE *to = fopen(path, "w");
    if (!to) return status_fail(error, LOCBO_ERR_IO, "cannot write %s: %s", path, strerror(errno));
    const char *quote = strpbrk(source, " ()'") || strpbrk(dir, " ()'") ? "\"" : "";
    fprintf(to, "$ locbo experiment run %s%s%s %s--seeds %" PRIu64 " --out %s%s%s    (locbo %s)\n\n", quote, source,
            quote, begin, last - first + 1, quote, dir, quote, locbo_version());
    locbo_status status = summary_print(p, r, to, error);
    int bad = ferror(to);
    if ((fclose(to) != 0 || bad) && status == LOCBO_OK)
        status = status_fail(error, LOCBO_ERR_IO, "cannot write %s: %s", path, strerror(errno));
    return status;
}
