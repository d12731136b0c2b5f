/* view_curves.c - the values that evaluations report step by step, which of them were ended early, and what that saves
 * and risks. Layer: view, answers. Cost: O(trials log trials). */
#include <math.h>
#include <stdlib.h>

#include "curve_rows.h"
#include "json_build.h"
#include "mem.h"
#include "thin.h"
#include "value.h"
#include "views.h"

const char *const curves_keys[] = {"curves", NULL};

enum { LEAST = 10, MOST = 2000, USUAL = 200 };

typedef struct source {
    const trial_table *trials;
    const curve_table *curves;
    const locbo_census *census;
    int maximizes;
} source;

/* ---- which curves ---------------------------------------------------------------------------- */

/* All curves are in one of these lists; of each some are shown. */
typedef enum group { BEST, RUNNING, KEPT, ENDED, OTHER, GROUPS } group;

typedef struct groups {
    size_t count[GROUPS], *row[GROUPS]; /* indices of trials, ascending */
} groups;

static group group_of(const trial_row *r) {
    if (r->state == LOCBO_RUNNING) return RUNNING;
    if (r->decision.attempt == 0) return OTHER;
    return r->decision.event ? ENDED : KEPT;
}

/* For comparisons: qsort has no other way to know it. */
typedef struct valued {
    size_t row;
    double loss; /* smaller is better; INFINITY without a value */
} valued;

static int by_loss(const void *a, const void *b) {
    const valued *p = a, *q = b;
    if (p->loss != q->loss) return p->loss < q->loss ? -1 : 1;
    return p->row < q->row ? -1 : 1;
}

static int by_row(const void *a, const void *b) {
    size_t p = *(const size_t *)a, q = *(const size_t *)b;
    return (p > q) - (p < q);
}

/* The best values first. */
static valued *sort_rows(const source *s, size_t *count) {
    valued *all = mem_new(s->curves->count, sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < s->curves->count; i++) {
        if (s->curves->rows[i].steps == 0) continue;
        double value = s->trials->rows[i].value;
        all[(*count)++] = (valued){i, isnan(value) ? INFINITY : s->maximizes ? -value : value};
    }
    if (all) qsort(all, *count, sizeof *all, by_loss);
    return all;
}

/* The best values, `best` of them, are a group of their own. */
static int fill_groups(const source *s, size_t best, groups *g) {
    size_t count;
    valued *all = sort_rows(s, &count);
    int good = all != NULL;
    for (int k = 0; k < GROUPS; k++) {
        g->row[k] = mem_new(good ? count : 0, sizeof *g->row[k]);
        good = good && g->row[k];
    }
    for (size_t i = 0; good && i < count; i++) {
        int is_best = g->count[BEST] < best && isfinite(all[i].loss);
        group k = is_best ? BEST : group_of(&s->trials->rows[all[i].row]);
        g->row[k][g->count[k]++] = all[i].row;
    }
    for (int k = 0; good && k < GROUPS; k++) qsort(g->row[k], g->count[k], sizeof *g->row[k], by_row);
    mem_free(all);
    return good;
}

static void release_groups(groups *g) {
    for (int k = 0; k < GROUPS; k++) mem_free(g->row[k]);
}

/* At most `most` of a group, evenly. */
static locbo_status choose_some(const groups *g, group k, size_t most, size_t *chosen, size_t *count,
                                locbo_error *error) {
    size_t *some = NULL, n = 0;
    locbo_status status = thin_evenly(g->count[k], most, &some, &n, error);
    for (size_t i = 0; status == LOCBO_OK && i < n; i++) chosen[(*count)++] = g->row[k][some[i]];
    mem_free(some);
    return status;
}

static size_t less(size_t a, size_t b) { return a < b ? a : b; }

/* All of the best; then those that run may have half of the room, those kept a quarter of what is left, and those ended
 * half of what is left then, or more if there are few others. */
static locbo_status choose(const groups *g, size_t most, size_t *chosen, size_t *count, locbo_error *error) {
    *count = 0;
    locbo_status status = choose_some(g, BEST, most, chosen, count, error);
    if (status == LOCBO_OK) status = choose_some(g, RUNNING, (most - *count) / 2, chosen, count, error);
    if (status == LOCBO_OK) status = choose_some(g, KEPT, (most - *count) / 4, chosen, count, error);
    size_t left = most - *count, others = less(g->count[OTHER], left / 2);
    if (status == LOCBO_OK) status = choose_some(g, ENDED, left - others, chosen, count, error);
    if (status == LOCBO_OK) status = choose_some(g, OTHER, most - *count, chosen, count, error);
    qsort(chosen, *count, sizeof *chosen, by_row);
    return status;
}

static locbo_status choose_curves(const source *s, size_t most, size_t **chosen, size_t *count, locbo_error *error) {
    groups g = {.count = {0}};
    size_t *made = mem_new(most, sizeof *made);
    locbo_status status = made && fill_groups(s, most / 10, &g) ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK) status = choose(&g, most, made, count, error);
    release_groups(&g);
    if (status == LOCBO_OK)
        *chosen = made;
    else
        mem_free(made);
    return status;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static json_t *curve_json(const void *from, size_t i) {
    const source *s = from;
    const trial_row *r = &s->trials->rows[i];
    const curve_row *c = &s->curves->rows[i];
    json_t *row = json_object();
    int bad = build_put(row, "trial", build_count(r->trial.id));
    bad |= build_put(row, "attempt", build_count(c->attempt));
    bad |= build_put(row, "state", json_string(locbo_state_name(r->state)));
    bad |= build_put(row, "result", value_real(r->value));
    bad |= build_put(row, "best", json_boolean(r->trial.id == s->census->best_trial));
    bad |= build_put(row, "steps", build_count(c->steps));
    bad |= curve_rows_put_steps(row, c->count, c->points);
    bad |= build_put(row, "decision", curve_rows_decision(&r->decision));
    return build_finish(row, bad);
}

/* The census is read first, as in the overview. */
static locbo_status gather(cache *c, source *s, locbo_plan *plan, locbo_ended *ended, locbo_error *error) {
    locbo_status status = cache_census(c, &s->census, error);
    if (status == LOCBO_OK) status = cache_curves(c, &s->trials, &s->curves, error);
    if (status == LOCBO_OK && s->curves->curves == 0)
        return status_fail(error, LOCBO_ERR_NOTHING, "no evaluation has reported steps yet");
    if (status == LOCBO_OK) status = locbo_study_plan(cache_study(c), plan, error);
    return status == LOCBO_OK ? locbo_study_ended(cache_study(c), ended, error) : status;
}

locbo_status view_curves(cache *c, const query *q, json_t **answer, locbo_error *error) {
    const output_list *list = cache_outputs(c);
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_ended ended = {.struct_size = sizeof ended};
    source s = {.maximizes = list->table ? list->spec[list->first].goal == LOCBO_GOAL_MAXIMIZE : cache_maximizes(c)};
    size_t *chosen = NULL, count = 0;
    uint64_t most;
    locbo_status status = query_count(q, "curves", LEAST, MOST, USUAL, &most, error);
    if (status == LOCBO_OK) status = gather(c, &s, &plan, &ended, error);
    if (status == LOCBO_OK) status = choose_curves(&s, (size_t)most, &chosen, &count, error);
    if (status != LOCBO_OK) return status;
    json_t *row = json_object();
    int bad = build_put(row, "direction", json_string(s.maximizes ? "maximize" : "minimize"));
    bad |= build_put(row, "matching", build_count(s.curves->curves));
    bad |= build_put(row, "shown", build_count(count));
    bad |= build_put(row, "incumbent", value_real(s.census->best_value));
    bad |= build_put(row, "curves", build_list(curve_json, &s, count, chosen));
    bad |= build_put(row, "ended", curve_rows_account(&ended, &plan, s.census));
    if (list->table) bad |= build_put(row, "output", json_string(list->spec[list->first].name));
    mem_free(chosen);
    return build_answer(row, bad, answer, error);
}
