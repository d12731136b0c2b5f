/* claims.c - makes the comparisons of a claim, decides it by the rules of claim_table.h, and writes the text. Layer:
 * experiment, above claim_table, contrast and guarantee. */
#include "claims.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "claim_table.h"
#include "guarantee.h"
#include "mem.h"
#include "status.h"

enum { LEAST_SEEDS = 10, NAME_ROOM = 2 * CONTRAST_WORD + 8, LIST_ROOM = 200 };
static const double LEVEL = 0.05, RELEVANT_REGRET = 0.1, RELEVANT_VALUE = 0.05;
static const double EVEN_BELOW = 0.15, UNEVEN_ABOVE = 0.25;

/* ---- Comparisons ----------------------------------------------------------------------------- */

typedef struct item {
    contrast c;
    char name[NAME_ROOM]; /* the method or case of b, or the pair of cases */
} item;

typedef struct judging {
    const plan *p;
    const results *r;
    int larger; /* larger is better */
    double relevant;
    item *at;
    size_t n, room;
} judging;

static int is_test(claim_kind k) { return k == CLAIM_BETTER || k == CLAIM_BEST || k == CLAIM_UNBEATEN; }

/* Only tests with enough seeds have a p-value, so that Holm's correction counts no others. */
static locbo_status add_item(judging *j, claim_kind k, const contrast_side *a, const contrast_side *b, const char *name,
                             locbo_error *error) {
    if (!mem_reserve(&j->at, &j->room, j->n + 1, sizeof *j->at)) return status_no_memory(error);
    item *i = &j->at[j->n];
    locbo_status status = contrast_make(j->p, j->r, a, b, &i->c, error);
    if (status != LOCBO_OK) return status;
    if (!is_test(k) || i->c.n < LEAST_SEEDS) i->c.p = (double)NAN;
    snprintf(i->name, sizeof i->name, "%s", name);
    j->n++;
    return LOCBO_OK;
}

/* a against each of b. */
static locbo_status add_each(judging *j, const claim_assertion *s, locbo_error *error) {
    char method[CONTRAST_WORD], case_[CONTRAST_WORD];
    int by_method = strcmp(s->a.methods, s->b.methods) != 0;
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; contrast_word(s->b.methods, i, method); i++)
        for (size_t k = 0; status == LOCBO_OK && contrast_word(s->b.cases, k, case_); k++) {
            contrast_side b = {method, case_, s->b.measure};
            status = add_item(j, s->kind, &s->a, &b, by_method ? method : case_, error);
        }
    return status;
}

/* Each pair of cases. */
static locbo_status add_pairs(judging *j, const claim_assertion *s, locbo_error *error) {
    char one[CONTRAST_WORD], other[CONTRAST_WORD], name[NAME_ROOM];
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; contrast_word(s->a.cases, i, one); i++)
        for (size_t k = i + 1; status == LOCBO_OK && contrast_word(s->a.cases, k, other); k++) {
            contrast_side a = {s->a.methods, one, s->a.measure};
            contrast_side b = {s->a.methods, other, s->a.measure};
            snprintf(name, sizeof name, "%s over %s", one, other);
            status = add_item(j, s->kind, &a, &b, name, error);
        }
    return status;
}

static locbo_status add_items(judging *j, const claim_assertion *s, locbo_error *error) {
    switch (s->kind) {
    case CLAIM_BEST:
    case CLAIM_UNBEATEN:
        return add_each(j, s, error);
    case CLAIM_STEADY:
        return add_pairs(j, s, error);
    case CLAIM_EVERY_RUN:
    case CLAIM_ON_AVERAGE:
        return LOCBO_OK;
    default:
        return add_item(j, s->kind, &s->a, &s->b, "", error);
    }
}

/* ---- Rules ----------------------------------------------------------------------------------- */

static claim_verdict both(claim_verdict a, claim_verdict b) {
    if (a == CLAIM_NOT_REPRODUCED || b == CLAIM_NOT_REPRODUCED) return CLAIM_NOT_REPRODUCED;
    return a == CLAIM_UNDECIDED ? a : b;
}

static claim_verdict decide(int yes, int no) {
    if (yes) return CLAIM_REPRODUCED;
    return no ? CLAIM_NOT_REPRODUCED : CLAIM_UNDECIDED;
}

/* Reproduced if the interval lies below `low`, not if it lies above `high`. */
static claim_verdict beyond(const stats_interval *i, double low, double high) {
    int below = i->high<low, above = i->low> high;
    return decide(below, above);
}

/* 1: a is better, -1: b is, 0: cannot tell. */
static int which_is_better(const judging *j, const contrast *c) {
    int sign = 0;
    if (c->p < LEVEL && c->difference.high < 0) sign = -1;
    if (c->p < LEVEL && c->difference.low > 0) sign = 1;
    return j->larger ? sign : -sign;
}

/* Two zeros: their ratio is NAN. */
static int is_no_difference(const contrast *c) { return c->difference.low == 0 && c->difference.high == 0; }

static int is_irrelevant(const judging *j, const contrast *c) {
    if (is_no_difference(c)) return 1;
    return c->ratio.low >= 1 - j->relevant && c->ratio.high <= 1 + j->relevant;
}

/* Whether the interval excludes a relevant advantage of b. */
static int excludes_b(const judging *j, const contrast *c) {
    if (is_no_difference(c)) return 1;
    return j->larger ? c->ratio.low >= 1 - j->relevant : c->ratio.high <= 1 + j->relevant;
}

static claim_verdict judge_similar(const contrast *c, double margin) {
    double low = 1 / (1 + margin), high = 1 + margin;
    int inside = is_no_difference(c) || (c->ratio.low >= low && c->ratio.high <= high);
    return decide(inside, c->ratio.high < low || c->ratio.low > high);
}

static claim_verdict judge_contrast(const judging *j, const claim_assertion *s, const contrast *c) {
    int better = which_is_better(j, c);
    if (c->n < LEAST_SEEDS) return CLAIM_UNDECIDED;
    switch (s->kind) {
    case CLAIM_BETTER:
    case CLAIM_BEST:
        return decide(better > 0, better < 0 || is_irrelevant(j, c));
    case CLAIM_UNBEATEN:
        return decide(better >= 0 && excludes_b(j, c), better < 0);
    case CLAIM_SIMILAR:
    case CLAIM_STEADY:
        return judge_similar(c, s->number);
    case CLAIM_BELOW:
        return beyond(&c->ratio, s->number, s->number);
    case CLAIM_GAIN:
        return decide(c->ratio.low > 1 && c->ratio.value >= 1 + s->number / 2, c->ratio.high < 1 + s->number / 2);
    default: /* CLAIM_EVEN, whose b is 1 */
        return beyond(&c->ratio, EVEN_BELOW, UNEVEN_ABOVE);
    }
}

/* ---- Text ------------------------------------------------------------------------------------ */

static void say(claim_part *part, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(claim_part *part, const char *format, ...) {
    size_t used = strlen(part->text);
    va_list list;
    va_start(list, format);
    vsnprintf(part->text + used, sizeof part->text - used, format, list);
    va_end(list);
}

/* One name as it is, several as "mean of (x, y)". */
static const char *list_text(const char *list, char text[LIST_ROOM]) {
    char word[CONTRAST_WORD];
    size_t used = 0;
    if (!strchr(list, ' ')) return list;
    for (size_t i = 0; used < LIST_ROOM && contrast_word(list, i, word); i++)
        used += (size_t)snprintf(text + used, LIST_ROOM - used, "%s%s", i ? ", " : "mean of (", word);
    if (used < LIST_ROOM) snprintf(text + used, LIST_ROOM - used, ")");
    return text;
}

/* What both sides have in common: "alpha=0.1: ", "LOCBO: "; nothing if there is one case only. */
static void say_common(claim_part *part, const judging *j, const claim_assertion *s) {
    char text[LIST_ROOM];
    int by_case = strcmp(s->a.methods, s->b.methods) == 0;
    if (s->a.measure == CONTRAST_NEAR) say(part, "width near the optimum over mean width, ");
    if (by_case) say(part, "%s: ", list_text(s->a.methods, text));
    if (!by_case && j->p->cases > 1) say(part, "%s: ", list_text(s->a.cases, text));
}

static const char *name_of(const contrast_side *side, const contrast_side *other, char text[LIST_ROOM]) {
    if (side->measure == CONTRAST_ONE) return "1";
    int by_case = strcmp(side->methods, other->methods) == 0;
    return list_text(by_case ? side->cases : side->methods, text);
}

/* Whether there are enough seeds; if not, the text says so. */
static int say_seeds(claim_part *part, const contrast *c) {
    if (c->n == 0)
        say(part, ": no runs");
    else if (c->n < LEAST_SEEDS)
        say(part, ": %zu seeds, at least %d are needed", c->n, LEAST_SEEDS);
    return c->n >= LEAST_SEEDS;
}

static void say_interval(claim_part *part, const char *name, const stats_interval *i) {
    say(part, ", %s %.3g [%.3g, %.3g]", name, i->value, i->low, i->high);
}

static void say_numbers(claim_part *part, const contrast *c) {
    if (!say_seeds(part, c)) return;
    say(part, ": %.3g against %.3g", c->a, c->b);
    if (!isnan(c->p)) say_interval(part, "mean difference", &c->difference);
    say_interval(part, "ratio", &c->ratio);
    if (c->p < 1e-4)
        say(part, ", p (Holm) < 0.0001");
    else if (!isnan(c->p))
        say(part, ", p (Holm) = %.2g", c->p);
    say(part, ", %zu seeds", c->n);
    if (c->capped) say(part, ", %zu intervals without an end", c->capped);
}

static void say_reason(claim_part *part, const judging *j, const contrast *c) {
    if (part->verdict != CLAIM_NOT_REPRODUCED) return;
    say(part, "; %s", which_is_better(j, c) < 0 ? "the other way round" : "no relevant difference");
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static void write_pair(const judging *j, const claim_assertion *s, const item *i, claim_part *part) {
    char a[LIST_ROOM], b[LIST_ROOM];
    const char *first = name_of(&s->a, &s->b, a), *second = name_of(&s->b, &s->a, b);
    say_common(part, j, s);
    if (s->kind == CLAIM_BETTER)
        say(part, "%s %s %s", first, j->larger ? "above" : "below", second);
    else if (s->kind == CLAIM_SIMILAR)
        say(part, "%s within %.0f %% of %s", first, 100 * s->number, second);
    else if (s->kind == CLAIM_BELOW)
        say(part, "%s below %.3g of %s", first, s->number, second);
    else
        say(part, "%s about %.0f %% above %s", first, 100 * s->number, second);
    part->verdict = judge_contrast(j, s, &i->c);
    say_numbers(part, &i->c);
    if (s->kind == CLAIM_BETTER) say_reason(part, j, &i->c);
}

static void write_even(const judging *j, const claim_assertion *s, const item *i, claim_part *part) {
    say(part, "%s: %s of even width", s->a.cases, s->a.methods);
    part->verdict = judge_contrast(j, s, &i->c);
    if (!say_seeds(part, &i->c)) return;
    say(part, ": coefficient of variation %.3g [%.3g, %.3g] (even below %.3g, not above %.3g)", i->c.a, i->c.ratio.low,
        i->c.ratio.high, EVEN_BELOW, UNEVEN_ABOVE);
    say(part, ", %zu seeds", i->c.n);
    if (i->c.capped) say(part, ", %zu intervals without an end", i->c.capped);
}

/* The comparison to report: the best of b, or the pair with the largest ratio. */
static const item *reported_item(const judging *j, const claim_assertion *s, const item *i, size_t n) {
    const item *most = i;
    double best = -(double)INFINITY;
    for (size_t k = 0; k < n; k++) {
        double merit = j->larger ? i[k].c.b : -i[k].c.b;
        if (s->kind == CLAIM_STEADY) merit = fabs(log(i[k].c.ratio.value));
        if (i[k].c.n == 0 || !(merit > best)) continue;
        best = merit;
        most = &i[k];
    }
    return most;
}

/* "LOCBO below all 5 others, best BO", "BO not beaten by CBO", "CBO steady ..". */
static void say_each(const judging *j, const claim_assertion *s, const item *most, size_t n, claim_part *part) {
    char a[LIST_ROOM];
    if (s->kind == CLAIM_STEADY) {
        say(part, "%s steady within %.0f %% over the cases, %s", s->a.methods, 100 * s->number, most->name);
        return;
    }
    say_common(part, j, s);
    say(part, "%s ", name_of(&s->a, &s->b, a));
    if (s->kind == CLAIM_UNBEATEN)
        say(part, "not beaten by ");
    else
        say(part, "%s all ", j->larger ? "above" : "below");
    if (n > 1) say(part, "%zu others, best ", n);
    say(part, "%s", most->name);
}

static void write_each(const judging *j, const claim_assertion *s, const item *i, size_t n, claim_part *part) {
    size_t count[3] = {0, 0, 0};
    const item *most = reported_item(j, s, i, n);
    part->verdict = CLAIM_REPRODUCED;
    for (size_t k = 0; k < n; k++) {
        claim_verdict verdict = judge_contrast(j, s, &i[k].c);
        part->verdict = both(part->verdict, verdict);
        count[verdict]++;
    }
    say_each(j, s, most, n, part);
    say_numbers(part, &most->c);
    if (n > 1)
        say(part, "; true for %zu, not for %zu, undecided %zu", count[CLAIM_REPRODUCED], count[CLAIM_NOT_REPRODUCED],
            count[CLAIM_UNDECIDED]);
}

/* ---- Guarantees ------------------------------------------------------------------------------ */

static size_t cell_of(const plan *p, const char *method, const char *case_) {
    size_t m = plan_find_method(p, method), c = plan_find_case(p, case_);
    return m < p->methods && c < p->cases ? plan_cell(p, c, m) : plan_cells(p);
}

static void write_every_run(const judging *j, const claim_assertion *s, claim_part *part) {
    char case_[CONTRAST_WORD];
    guarantee_tally all = guarantee_none();
    int missing = 0;
    say(part, "%s, %s: y covered as often as promised at every recorded round", s->law, s->a.methods);
    for (size_t i = 0; contrast_word(s->a.cases, i, case_); i++) {
        size_t before = all.runs;
        guarantee_count(j->r, cell_of(j->p, s->a.methods, case_), &all);
        if (all.runs > before) continue;
        missing = 1;
        say(part, "; %s: no runs", case_);
    }
    part->verdict = decide(!all.broken && !missing && all.judged >= LEAST_SEEDS, all.broken > 0);
    say(part, "; %zu of %zu runs hold", all.judged - all.broken, all.judged);
    if (all.judged) say(part, ", least margin %.3g (seed %llu)", all.margin, (unsigned long long)all.seed);
    if (all.runs > all.judged) say(part, "; no bound for %zu runs", all.runs - all.judged);
}

/* One case of a guarantee on average; *bound: whether the verdict counts, since there is a bound or no run. */
static claim_verdict write_average(const guarantee_mean *m, const char *case_, int strict, int *bound,
                                   claim_part *part) {
    *bound = m->n > 0 || m->runs == 0;
    if (m->runs == 0)
        say(part, "; %s: no runs", case_);
    else if (m->n == 0)
        say(part, "; %s: no bound", case_);
    else
        say(part, "; %s %.3f [%.3f, %.3f] against %.3f", case_, m->share.value, m->share.low, m->share.high, m->bound);
    if (m->n > 0 && m->n < m->runs) say(part, " (no bound for %zu runs)", m->runs - m->n);
    if (m->n < LEAST_SEEDS) return CLAIM_UNDECIDED;
    return decide(m->margin.low >= 0, m->margin.high < 0 && !strict);
}

/* Cases without a bound are ignored; if no case has one, the part is undecided. */
static locbo_status write_averages(const judging *j, const claim_assertion *s, claim_part *part, locbo_error *error) {
    char case_[CONTRAST_WORD];
    size_t judged = 0;
    claim_verdict all = CLAIM_REPRODUCED;
    say(part, "%s, %s: %s as often as promised on average", s->law, s->a.methods,
        s->column == SAMPLE_COVERED_F ? "f covered" : "the utility kept");
    for (size_t i = 0; contrast_word(s->a.cases, i, case_); i++) {
        guarantee_mean m;
        int bound;
        locbo_status status = guarantee_average(j->r, cell_of(j->p, s->a.methods, case_), s->column, &m, error);
        if (status != LOCBO_OK) return status;
        claim_verdict verdict = write_average(&m, case_, s->column == SAMPLE_UTILITY, &bound, part);
        if (bound) all = both(all, verdict);
        judged += bound;
    }
    part->verdict = judged ? all : CLAIM_UNDECIDED;
    return LOCBO_OK;
}

/* ---- Claims ---------------------------------------------------------------------------------- */

static locbo_status write_part(const judging *j, const claim_assertion *s, const item *i, size_t n, claim_part *part,
                               locbo_error *error) {
    switch (s->kind) {
    case CLAIM_BEST:
    case CLAIM_UNBEATEN:
    case CLAIM_STEADY:
        write_each(j, s, i, n, part);
        return LOCBO_OK;
    case CLAIM_EVEN:
        write_even(j, s, i, part);
        return LOCBO_OK;
    case CLAIM_EVERY_RUN:
        write_every_run(j, s, part);
        return LOCBO_OK;
    case CLAIM_ON_AVERAGE:
        return write_averages(j, s, part, error);
    default:
        write_pair(j, s, i, part);
        return LOCBO_OK;
    }
}

/* First all comparisons, since Holm's correction needs all p-values; then the texts. Part i has the items first[i] ..
 * first[i + 1] - 1. */
static locbo_status write_parts(judging *j, const claim_entry *e, size_t *first, claim_part *part, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < e->count && status == LOCBO_OK; i++) {
        first[i] = j->n;
        status = add_items(j, &e->assertion[i], error);
        first[i + 1] = j->n;
    }
    if (status == LOCBO_OK && j->n > 0) status = stats_holm(j->n, &j->at->c.p, sizeof *j->at, error);
    for (size_t i = 0; i < e->count && status == LOCBO_OK; i++)
        status =
            write_part(j, &e->assertion[i], j->at ? &j->at[first[i]] : NULL, first[i + 1] - first[i], &part[i], error);
    return status;
}

static locbo_status judge_entry(const plan *p, const results *r, const claim_entry *e, claim *c, locbo_error *error) {
    int larger = plan_is_value(p);
    judging j = {p, r, larger, larger ? RELEVANT_VALUE : RELEVANT_REGRET, NULL, 0, 0};
    size_t *first = mem_new(e->count + 1, sizeof *first);
    claim_part *part = mem_new(e->count, sizeof *part);
    locbo_status status = first && part ? write_parts(&j, e, first, part, error) : status_no_memory(error);
    mem_free(first);
    mem_free(j.at);
    if (status != LOCBO_OK) {
        mem_free(part);
        return status;
    }
    *c = (claim){(int)(e - claim_table) + 1, e->says, CLAIM_REPRODUCED, e->count, part};
    for (size_t i = 0; i < e->count; i++) c->verdict = both(c->verdict, part[i].verdict);
    return status_ok(error);
}

locbo_status claim_judge(const plan *p, const results *r, claim *c, locbo_error *error) {
    for (const claim_entry *e = claim_table; e->experiment; e++)
        if (strcmp(e->experiment, p->name) == 0) return judge_entry(p, r, e, c, error);
    return status_fail(error, LOCBO_ERR_NOTHING, "experiment %s judges no claim of the paper", p->name);
}

void claim_release(claim *c) {
    mem_free(c->part);
    memset(c, 0, sizeof *c);
}

const char *claim_verdict_text(claim_verdict verdict) {
    static const char *const text[] = {"reproduced", "not reproduced", "undecided"};
    return text[verdict];
}
