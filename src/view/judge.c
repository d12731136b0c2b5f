/* judge.c - results compared with the sets announced for them. Layer: view, facts. Cost: judge_order O(rows log rows),
 * judge_band O(sqrt(n)). */
#include "judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "announced.h"
#include "mem.h"
#include "origin.h"

/* ---- one result ------------------------------------------------------------------------------ */

static int is_judged(locbo_origin origin, const locbo_belief *b, const locbo_measurement *first) {
    return origin_is_model(origin) && b && b->sd_y > 0 && !isnan(first->value) && !isnan(b->mean) && !isnan(b->y_low) &&
           !isnan(b->y_high);
}

judge_verdict judge_measured(locbo_origin origin, const locbo_belief *belief, const locbo_measurement *first) {
    if (!is_judged(origin, belief, first)) return JUDGE_NONE;
    return announced_holds(belief, first) ? JUDGE_INSIDE : JUDGE_MISS;
}

judge_verdict judge_output(const trial_table *t, size_t i, size_t k) {
    const locbo_measurement first = trial_table_output(t, i, k).first;
    return judge_measured(t->rows[i].trial.origin, trial_table_belief(t, i, k), &first);
}

double judge_score(const trial_table *t, size_t i, size_t k) {
    const locbo_measurement first = trial_table_output(t, i, k).first;
    const locbo_belief *belief = trial_table_belief(t, i, k);
    return is_judged(t->rows[i].trial.origin, belief, &first) ? announced_score(belief, &first) : (double)NAN;
}

/* The verdicts of the modelled outputs, counted. Returns how many outputs are modelled. */
static size_t count_verdicts(const trial_table *t, size_t i, size_t count[3]) {
    size_t outputs = t->outputs && t->outputs->table ? t->outputs->count : 1, modelled = 0;
    count[JUDGE_NONE] = count[JUDGE_INSIDE] = count[JUDGE_MISS] = 0;
    for (size_t k = 0; k < outputs; k++) {
        if (t->outputs && !output_list_is_modelled(t->outputs, k)) continue;
        count[judge_output(t, i, k)]++;
        modelled++;
    }
    return modelled;
}

judge_verdict judge_any(const trial_table *t, size_t i) {
    size_t count[3];
    count_verdicts(t, i, count);
    return count[JUDGE_MISS] ? JUDGE_MISS : count[JUDGE_INSIDE] ? JUDGE_INSIDE : JUDGE_NONE;
}

judge_verdict judge_together(const trial_table *t, size_t i) {
    size_t count[3], modelled = count_verdicts(t, i, count);
    if (count[JUDGE_NONE]) return JUDGE_NONE;
    return count[JUDGE_INSIDE] == modelled ? JUDGE_INSIDE : JUDGE_MISS;
}

json_t *judge_json(judge_verdict verdict) {
    return verdict == JUDGE_NONE ? json_null() : json_boolean(verdict == JUDGE_MISS);
}

/* ---- all of them ----------------------------------------------------------------------------- */

typedef struct entry {
    uint64_t event;
    size_t index;
} entry;

static int by_event(const void *a, const void *b) {
    const entry *p = a, *q = b;
    return (p->event > q->event) - (p->event < q->event);
}

int judge_is_since(const trial_table *t, size_t i, uint64_t since) { return t->rows[i].event > since || since == 0; }

locbo_status judge_order(const trial_table *t, size_t k, uint64_t since, size_t **order, size_t *count,
                         locbo_error *error) {
    size_t n = 0;
    entry *entries = mem_new(t->count, sizeof *entries);
    size_t *made = mem_new(t->count, sizeof *made);
    if (!entries || !made) {
        mem_free(entries);
        mem_free(made);
        return status_no_memory(error);
    }
    for (size_t i = 0; i < t->count; i++)
        if (judge_is_since(t, i, since) && judge_output(t, i, k) != JUDGE_NONE)
            entries[n++] = (entry){t->rows[i].event, i};
    qsort(entries, n, sizeof *entries, by_event);
    for (size_t i = 0; i < n; i++) made[i] = entries[i].index;
    mem_free(entries);
    *order = made;
    *count = n;
    return status_ok(error);
}

void judge_count(const trial_table *t, size_t k, uint64_t since, uint64_t judged[LOCBO_ORIGINS],
                 uint64_t inside[LOCBO_ORIGINS]) {
    memset(judged, 0, LOCBO_ORIGINS * sizeof *judged);
    memset(inside, 0, LOCBO_ORIGINS * sizeof *inside);
    for (size_t i = 0; i < t->count; i++) {
        judge_verdict verdict = judge_is_since(t, i, since) ? judge_output(t, i, k) : JUDGE_NONE;
        if (verdict == JUDGE_NONE) continue;
        judged[t->rows[i].trial.origin]++;
        inside[t->rows[i].trial.origin] += verdict == JUDGE_INSIDE;
    }
}

/* ---- the band -------------------------------------------------------------------------------- */

/* Probabilities divided by that of the mode, so that no factorial is needed; those below `tiny` are left out. */
typedef struct binomial {
    double n, p, mode;
    double below, total; /* sums of them: of k < mode, of all */
} binomial;

static double step_down(const binomial *b, double k, double weight) {
    return weight * k * (1 - b->p) / ((b->n - k + 1) * b->p);
}

static double step_up(const binomial *b, double k, double weight) {
    return weight * (b->n - k) * b->p / ((k + 1) * (1 - b->p));
}

static binomial make_binomial(size_t n, double p) {
    const double tiny = 1e-20;
    binomial b = {.n = (double)n, .p = p};
    b.mode = fmin(floor((b.n + 1) * p), b.n);
    double weight = 1;
    for (double k = b.mode; k > 0 && weight > tiny; k--) {
        weight = step_down(&b, k, weight);
        b.below += weight;
    }
    b.total = b.below + 1;
    weight = 1;
    for (double k = b.mode; k < b.n && weight > tiny; k++) {
        weight = step_up(&b, k, weight);
        b.total += weight;
    }
    return b;
}

/* The smallest k with P(K <= k) >= level. */
static double quantile(const binomial *b, double level) {
    double k = b->mode, weight = 1, sum = b->below + 1, want = level * b->total;
    while (k > 0 && sum - weight >= want) {
        sum -= weight;
        weight = step_down(b, k, weight);
        k--;
    }
    while (k < b->n && sum < want) {
        weight = step_up(b, k, weight);
        k++;
        sum += weight;
    }
    return k;
}

void judge_band(size_t n, double p, double level, double *low, double *high) {
    *low = 0;
    *high = 1;
    if (n == 0) return;
    binomial b = make_binomial(n, p);
    double k = quantile(&b, (1 - level) / 2), l = quantile(&b, (1 + level) / 2);
    *low = k / (double)n;
    *high = l / (double)n;
}
