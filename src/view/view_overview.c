/* view_overview.c - the state of a study, its rate and workers; its definition. Layer: view, answers. Needs no model.
 * Cost: O(trials log trials). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve_rows.h"
#include "front_growth.h"
#include "judge.h"
#include "mem.h"
#include "overview.h"
#include "rows.h"
#include "json_build.h"
#include "value.h"
#include "views.h"

/* All that the answer is made from. */
typedef struct inputs {
    cache *cache;
    const locbo_options *options;
    locbo_plan plan;
    locbo_census census;
    const trial_table *table;
    const output_list *outputs;
    const double *bounds, *reference; /* NULL without a table of outputs */
    front_growth growth;              /* with several objectives */
    point_means means;                /* with a table of outputs */
    char *proposer;                   /* worker that computes a proposal; NULL: none */
    int no_memory;
} inputs;

/* ---- gathering ------------------------------------------------------------------------------- */

/* A proposer whose lease has ended has died or was replaced. */
static int take_proposer(const char *worker, uint64_t trial, double until, void *user) {
    inputs *s = user;
    if (trial != 0 || until < s->census.now) return 0;
    s->proposer = mem_text(worker);
    s->no_memory = !s->proposer;
    return 1;
}

/* The census is read first, so that the table, which is read later, holds the trials that it names. */
static locbo_status gather(inputs *s, locbo_error *error) {
    locbo_study *study = cache_study(s->cache);
    const locbo_census *census;
    locbo_status status = cache_census(s->cache, &census, error);
    if (status != LOCBO_OK) return status;
    s->census = *census;
    s->plan.struct_size = sizeof s->plan;
    status = cache_trials(s->cache, &s->table, error);
    if (status == LOCBO_OK) status = cache_bounds(s->cache, &s->bounds, error);
    if (status == LOCBO_OK && s->outputs->objectives > 1) status = cache_reference(s->cache, &s->reference, error);
    if (status == LOCBO_OK && s->outputs->objectives > 1)
        status = front_growth_find(&s->growth, s->table, s->bounds, error);
    if (status == LOCBO_OK && s->outputs->table) status = trial_table_means(s->table, &s->means, error);
    if (status == LOCBO_OK) status = locbo_study_plan(study, &s->plan, error);
    if (status == LOCBO_OK) status = locbo_study_each_running(study, take_proposer, s, error);
    return status == LOCBO_OK && s->no_memory ? status_no_memory(error) : status;
}

/* Trials that the plan's `trials` counts. */
static uint64_t count_done(const locbo_census *c) { return c->state[LOCBO_COMPLETE] + c->state[LOCBO_PRUNED]; }

/* ---- rate ------------------------------------------------------------------------------------ */

typedef struct span {
    double started, ended;
} span;

static int by_end(const void *a, const void *b) {
    const span *p = a, *q = b;
    return (p->ended > q->ended) - (p->ended < q->ended);
}

static int by_length(const void *a, const void *b) {
    const span *p = a, *q = b;
    double x = p->ended - p->started, y = q->ended - q->started;
    return (x > y) - (x < y);
}

/* The trials that were evaluated, complete or ended early (imported ones were not), in the order they ended. */
static span *list_spans(const trial_table *t, size_t *count) {
    span *spans = mem_new(t->count, sizeof *spans);
    *count = 0;
    for (size_t i = 0; spans && i < t->count; i++) {
        const trial_row *r = &t->rows[i];
        if ((r->state == LOCBO_COMPLETE || r->state == LOCBO_PRUNED) && !isnan(r->started) && !isnan(r->ended))
            spans[(*count)++] = (span){r->started, r->ended};
    }
    if (spans) qsort(spans, *count, sizeof *spans, by_end);
    return spans;
}

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { PAUSE_TIMES = 10, PAUSE_SECONDS = 30 };

/* How much of the gaps in which nothing was evaluated is a pause of the study: what a gap has beyond 10 times the
 * median gap, which is the time of a proposal, and beyond 30 seconds. The gaps are sorted. */
static double paused(double *gaps, size_t count) {
    double sum = 0;
    if (count == 0) return 0;
    qsort(gaps, count, sizeof *gaps, by_number);
    double most = fmax(PAUSE_SECONDS, PAUSE_TIMES * gaps[(count - 1) / 2]);
    for (size_t i = 0; i < count; i++) sum += fmax(0, gaps[i] - most);
    return sum;
}

/* Trials per second of the last n, from the end of the trial before them, or from the first start, to the last end,
 * without pauses. `gaps` is workspace for n + 1 numbers. */
static double find_rate(const span *last, size_t n, const span *before, double *gaps) {
    double from = before ? before->ended : last[0].started, reached;
    size_t count = 0;
    for (size_t i = 0; !before && i < n; i++) from = fmin(from, last[i].started);
    reached = from;
    for (size_t i = 0; i < n; i++) {
        double start = last[i].started; /* of all that end later: one of them may run already */
        for (size_t k = i + 1; k < n && start > reached; k++) start = fmin(start, last[k].started);
        if (start > reached) gaps[count++] = start - reached;
        reached = fmax(reached, last[i].ended);
    }
    double time = last[n - 1].ended - from - paused(gaps, count);
    return time > 0 ? (double)n / time : (double)NAN;
}

static double median_length(span *last, size_t n) {
    qsort(last, n, sizeof *last, by_length);
    const span *a = &last[(n - 1) / 2], *b = &last[n / 2];
    return (a->ended - a->started + b->ended - b->started) / 2;
}

/* Whether a worker evaluates a trial: one whose lease has ended does not count. */
static int is_evaluated(const inputs *s) {
    const trial_table *t = s->table;
    for (size_t i = t->count; i-- > 0;)
        if (t->rows[i].state == LOCBO_RUNNING && !(t->rows[i].lease <= s->census.now)) return 1;
    return 0;
}

static double time_left(const inputs *s, double rate) {
    uint64_t done = count_done(&s->census), wanted = s->plan.trials;
    if (wanted == 0 && s->plan.evaluations > 0) {
        done = overview_ended(&s->census);
        wanted = s->plan.evaluations;
    }
    if (wanted == 0) return (double)NAN;
    if (done >= wanted) return 0;
    return is_evaluated(s) ? (double)(wanted - done) / rate : (double)NAN;
}

static json_t *rate_json(const inputs *s) {
    size_t count;
    double rate = (double)NAN, seconds = (double)NAN;
    span *spans = list_spans(s->table, &count);
    double *gaps = spans ? mem_new(count + 1, sizeof *gaps) : NULL;
    if (!gaps) {
        mem_free(spans);
        return NULL;
    }
    if (count > 0) {
        size_t n = count / 10 > 5 ? count / 10 : 5; /* the last tenth, at least 5 */
        if (n > count) n = count;
        span *last = spans + (count - n);
        rate = find_rate(last, n, n < count ? last - 1 : NULL, gaps);
        seconds = median_length(last, n);
    }
    mem_free(spans);
    mem_free(gaps);
    json_t *row = json_object();
    int bad = build_put(row, "per_hour", value_real(3600 * rate));
    bad |= build_put(row, "evaluation_seconds", value_real(seconds));
    bad |= build_put(row, "left_seconds", value_real(time_left(s, rate)));
    return build_finish(row, bad);
}

/* ---- workers --------------------------------------------------------------------------------- */

enum { WORKERS = 200 }; /* shown */

typedef struct tally {
    const char *worker;
    uint64_t seen, complete, failed;
    const trial_row *running; /* the one started last */
    double last_ended;
} tally;

static void count_trial(tally *t, const trial_row *r) {
    t->seen++;
    t->complete += r->state == LOCBO_COMPLETE;
    t->failed += r->state == LOCBO_STATE_FAILED;
    t->last_ended = fmax(t->last_ended, r->ended); /* fmax ignores NAN */
    if (r->state == LOCBO_RUNNING && !(t->running && t->running->started > r->started)) t->running = r;
}

/* Workers that run a trial first; then by their last result, newest first. */
static int by_presence(const void *a, const void *b) {
    const tally *p = a, *q = b;
    if (!p->running != !q->running) return p->running ? -1 : 1;
    if (p->running)
        return (p->running->trial.id > q->running->trial.id) - (p->running->trial.id < q->running->trial.id);
    double x = isnan(p->last_ended) ? -INFINITY : p->last_ended;
    double y = isnan(q->last_ended) ? -INFINITY : q->last_ended;
    if (x != y) return x < y ? 1 : -1;
    return strcmp(p->worker, q->worker);
}

/* The workers that were ever given a trial. */
static tally *count_workers(const trial_table *t, size_t *count) {
    tally *all = mem_new(t->workers_count, sizeof *all);
    *count = 0;
    if (!all) return NULL;
    for (size_t i = 0; i < t->workers_count; i++) all[i] = (tally){.worker = t->workers[i], .last_ended = (double)NAN};
    for (size_t i = 0; i < t->count; i++)
        if (t->rows[i].attempt > 0) count_trial(&all[t->rows[i].worker], &t->rows[i]);
    for (size_t i = 0; i < t->workers_count; i++)
        if (all[i].seen > 0) all[(*count)++] = all[i];
    qsort(all, *count, sizeof *all, by_presence);
    return all;
}

static json_t *running_json(const trial_row *r) {
    if (!r) return json_null();
    json_t *row = json_object();
    int bad = build_put(row, "trial", build_count(r->trial.id));
    bad |= build_put(row, "attempt", build_count(r->attempt));
    bad |= build_put(row, "started", value_real(r->started));
    bad |= build_put(row, "lease", value_real(r->lease));
    return build_finish(row, bad);
}

static json_t *worker_json(const void *source, size_t i) {
    const tally *t = (const tally *)source + i;
    json_t *row = json_object();
    int bad = build_put(row, "worker", rows_text(t->worker));
    bad |= build_put(row, "complete", build_count(t->complete));
    bad |= build_put(row, "failed", build_count(t->failed));
    bad |= build_put(row, "running", running_json(t->running));
    bad |= build_put(row, "last_ended", value_real(t->last_ended));
    return build_finish(row, bad);
}

static json_t *workers_json(const trial_table *t) {
    size_t count;
    tally *all = count_workers(t, &count);
    if (!all) return NULL;
    json_t *list = build_list(worker_json, all, count < WORKERS ? count : WORKERS, NULL);
    mem_free(all);
    return list;
}

/* ---- rules, best, coverage ------------------------------------------------------------------- */

static json_t *rule_json(const char *rule, uint64_t done, uint64_t of) {
    return json_pack("{s:s, s:I, s:I}", "rule", rule, "done", (json_int_t)done, "of", (json_int_t)of);
}

static json_t *target_json(const inputs *s) {
    double best = s->census.best_value, target = s->plan.target;
    int reached = cache_maximizes(s->cache) ? best >= target : best <= target;
    return json_pack("{s:s, s:o, s:o, s:b}", "rule", "target", "value", value_real(best), "target", value_real(target),
                     "reached", reached);
}

/* Whether the means of a point keep to the bounds. */
static trial_feasible feasible_at(const inputs *s, size_t point) {
    return trial_feasible_of(s->outputs, s->bounds, s->means.mean + point * s->means.outputs);
}

/* The best mean of an output at a feasible point; NAN: none. */
static double best_of(const inputs *s, size_t output) {
    const locbo_goal goal = s->outputs->spec[output].goal;
    const rows_fidelity fidelity = rows_fidelity_of(cache_space(s->cache));
    double best = (double)NAN;
    for (size_t i = 0; i < s->means.count; i++) {
        double value = s->means.mean[i * s->means.outputs + output];
        if (s->outputs->constraints && feasible_at(s, i) != TRIAL_FEASIBLE_YES) continue;
        if (rows_is_below(fidelity, s->table->x + s->means.first[i] * s->table->dim)) continue;
        best = goal == LOCBO_GOAL_MAXIMIZE || goal == LOCBO_GOAL_AT_LEAST ? fmax(best, value) : fmin(best, value);
    }
    return best;
}

/* A rule for each output with a target. They are reached together, at one point. */
static int add_targets(json_t *list, const inputs *s) {
    int bad = 0;
    for (size_t k = 0; k < s->outputs->count && !bad; k++) {
        if (!output_list_is_modelled(s->outputs, k) || isnan(s->plan.targets[s->outputs->model[k]])) continue;
        bad = json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:b}", "rule", "target", "output",
                                                    s->outputs->spec[k].name, "value", value_real(best_of(s, k)),
                                                    "target", value_real(s->plan.targets[s->outputs->model[k]]),
                                                    "reached", s->census.reached > 0)) != 0;
    }
    return bad;
}

static json_t *rules_json(const inputs *s) {
    const locbo_plan *p = &s->plan;
    const locbo_census *c = &s->census;
    json_t *list = json_array();
    int bad = !list;
    if (p->trials > 0) bad |= json_array_append_new(list, rule_json("trials", count_done(c), p->trials)) != 0;
    if (p->evaluations > 0)
        bad |= json_array_append_new(list, rule_json("evaluations", overview_ended(c), p->evaluations)) != 0;
    if (!isnan(p->budget))
        bad |= json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "rule", "budget", "done", value_real(c->cost),
                                                     "of", value_real(p->budget))) != 0;
    if (!isnan(p->time))
        bad |=
            json_array_append_new(list, json_pack("{s:s, s:o}", "rule", "time", "seconds", value_real(p->time))) != 0;
    if (p->no_improvement > 0)
        bad |= json_array_append_new(list, rule_json("no_improvement", c->since_best, p->no_improvement)) != 0;
    if (!isnan(p->expected_gain))
        bad |=
            json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:b}", "rule", "expected_gain", "value",
                                                  value_real(c->expected_gain), "target", value_real(p->expected_gain),
                                                  "reached", c->expected_gain < p->expected_gain)) != 0;
    if (!isnan(p->target)) bad |= json_array_append_new(list, target_json(s)) != 0;
    bad |= add_targets(list, s);
    return build_finish(list, bad);
}

static json_t *best_json(const inputs *s) {
    uint64_t trial = s->census.best_trial;
    const trial_table *t = s->table;
    if (trial == 0 || trial > t->count) return json_null();
    json_t *row = json_object();
    int bad = build_put(row, "trial", build_count(trial));
    bad |= build_put(row, "value", value_real(s->census.best_value));
    bad |= build_put(row, "results", build_count(s->census.best_count));
    bad |= build_put(row, "params", value_object(cache_space(s->cache), t->x + (trial - 1) * t->dim));
    return build_finish(row, bad);
}

/* How many rows have a verdict, and how many of them lay inside. */
typedef struct tested {
    size_t judged, inside;
} tested;

static void count_verdict(tested *n, judge_verdict verdict) {
    n->judged += verdict != JUDGE_NONE;
    n->inside += verdict == JUDGE_INSIDE;
}

static json_t *share_json(tested n) {
    return json_pack("{s:I, s:I, s:o}", "judged", (json_int_t)n.judged, "inside", (json_int_t)n.inside, "coverage",
                     value_real((double)n.inside / (double)n.judged));
}

static tested count_since(const inputs *s, size_t output, uint64_t since) {
    tested n = {0, 0};
    for (size_t i = 0; i < s->table->count; i++)
        if (judge_is_since(s->table, i, since)) count_verdict(&n, judge_output(s->table, i, output));
    return n;
}

/* Of the results told after the last alteration; those of the whole study beside them. */
static json_t *coverage_of(const inputs *s, size_t output) {
    double low, high, target = 1 - s->options->alpha;
    uint64_t since = s->census.revision;
    tested n = count_since(s, output, since), whole = count_since(s, output, 0);
    if (whole.judged == 0) return json_null();
    judge_band(n.judged, target, JUDGE_BAND, &low, &high);
    json_t *row = share_json(n);
    int bad = build_put(row, "target", value_real(target));
    bad |= build_put(row, "low", value_real(low));
    bad |= build_put(row, "high", value_real(high));
    if (since > 0) bad |= build_put(row, "since", build_count(since)) | build_put(row, "whole", share_json(whole));
    return build_finish(row, bad);
}

static json_t *coverage_json(const inputs *s) { return coverage_of(s, s->outputs->first); }

static json_t *bounds_json(const inputs *s) {
    rows_bounds count = {0, 0};
    const trial_table *t = s->table;
    for (size_t i = 0; i < t->count; i++)
        rows_count_bounds(&count, cache_space(s->cache), &t->rows[i].trial, t->x + i * t->dim);
    return rows_bounds_json(&count);
}

/* ---- several outputs ------------------------------------------------------------------------- */

/* Of the complete trials, by the means of their points. */
static json_t *feasible_json(const inputs *s) {
    json_int_t yes = 0, no = 0, unknown = 0;
    if (s->outputs->constraints == 0) return json_null();
    for (size_t i = 0; i < s->table->count; i++) {
        if (s->table->rows[i].state != LOCBO_COMPLETE) continue;
        size_t point = point_means_find(&s->means, s->table->x + i * s->table->dim);
        trial_feasible feasible = point < s->means.count ? feasible_at(s, point) : TRIAL_FEASIBLE_UNKNOWN;
        yes += feasible == TRIAL_FEASIBLE_YES;
        no += feasible == TRIAL_FEASIBLE_NO;
        unknown += feasible == TRIAL_FEASIBLE_UNKNOWN;
    }
    return json_pack("{s:I, s:I, s:I}", "yes", yes, "no", no, "unknown", unknown);
}

static json_t *front_json(const inputs *s) {
    double volume = (double)NAN;
    const front_growth *g = &s->growth;
    if (s->outputs->objectives < 2) return json_null();
    if (front_growth_is_measurable(s->outputs, s->reference) &&
        front_growth_volume(g, s->outputs, s->reference, g->steps, &volume, NULL) != LOCBO_OK)
        return NULL;
    return json_pack("{s:I, s:o, s:I}", "points", (json_int_t)g->front, "hypervolume", value_real(volume), "since",
                     (json_int_t)s->census.since_best);
}

/* Null before the first verdict of any. */
static json_t *coverages_json(const inputs *s) {
    const output_list *list = s->outputs;
    json_t *all = json_array();
    int bad = !all;
    for (size_t k = 0; k < list->count && !bad; k++) {
        json_t *coverage = output_list_is_modelled(list, k) ? coverage_of(s, k) : json_null();
        bad = !coverage;
        if (!json_is_object(coverage)) continue;
        bad = build_put(coverage, "output", json_string(list->spec[k].name));
        bad |= json_array_append_new(all, coverage) != 0;
    }
    if (bad || json_array_size(all) > 0) return build_finish(all, bad);
    json_decref(all);
    return json_null();
}

static json_t *together_json(const inputs *s) {
    tested n = {0, 0};
    for (size_t i = 0; i < s->table->count; i++)
        if (judge_is_since(s->table, i, s->census.revision)) count_verdict(&n, judge_together(s->table, i));
    return n.judged ? share_json(n) : json_null();
}

static int put_outputs(json_t *row, const inputs *s) {
    if (!s->outputs->table) return 0;
    int bad = build_put(row, "outputs", output_list_names(s->outputs, NULL));
    bad |= build_put(row, "feasible", feasible_json(s));
    bad |= build_put(row, "front", front_json(s));
    bad |= build_put(row, "coverage_by_output", coverages_json(s));
    bad |= build_put(row, "coverage_together", together_json(s));
    return bad;
}

/* ---- ended early ----------------------------------------------------------------------------- */

/* Only if evaluations report steps, or a rule is to end them. */
static locbo_status put_ended(json_t *row, const inputs *s, locbo_error *error) {
    locbo_ended ended = {.struct_size = sizeof ended};
    int has = s->plan.prune != LOCBO_PRUNE_NONE;
    locbo_status status = has ? LOCBO_OK : cache_has_curves(s->cache, &has, error);
    if (status != LOCBO_OK || !has) return status;
    status = locbo_study_ended(cache_study(s->cache), &ended, error);
    if (status != LOCBO_OK) return status;
    int bad = build_put(row, "ended", curve_rows_account(&ended, &s->plan, &s->census));
    return bad ? status_no_memory(error) : LOCBO_OK;
}

/* ---- answers --------------------------------------------------------------------------------- */

static int put_all(json_t *row, const inputs *s) {
    const locbo_census *c = &s->census;
    int bad = overview_put_name(row, cache_study(s->cache), cache_url(s->cache), s->options);
    bad |= build_put(row, "level", value_real(1 - s->options->alpha));
    bad |= overview_put_counts(row, c);
    bad |= build_put(row, "events", build_count(c->events));
    bad |= build_put(row, "best", best_json(s));
    bad |= build_put(row, "since_best", build_count(c->since_best));
    bad |= rows_put_spent(row, cache_space(s->cache), &s->plan, c);
    bad |= build_put(row, "failures_in_row", build_count(c->failures_in_row));
    bad |= build_put(row, "rules", rules_json(s));
    bad |= build_put(row, "rate", rate_json(s));
    bad |= build_put(row, "workers", workers_json(s->table));
    bad |= build_put(row, "proposer", s->proposer ? rows_text(s->proposer) : json_null());
    bad |= build_put(row, "coverage", coverage_json(s));
    bad |= build_put(row, "bounds", bounds_json(s));
    bad |= overview_put_times(row, c);
    bad |= put_outputs(row, s);
    return bad;
}

locbo_status view_overview(cache *c, const query *q, json_t **answer, locbo_error *error) {
    inputs s = {.cache = c, .options = cache_definition(c)->options, .outputs = cache_outputs(c)};
    (void)q;
    locbo_status status = gather(&s, error);
    if (status == LOCBO_OK) {
        json_t *row = json_object();
        int bad = put_all(row, &s);
        if (!bad) status = overview_put_note(row, cache_study(c), error);
        if (!bad && status == LOCBO_OK) status = put_ended(row, &s, error);
        if (status == LOCBO_OK)
            status = build_answer(row, bad, answer, error);
        else
            json_decref(row);
    }
    mem_free(s.proposer);
    front_growth_release(&s.growth);
    point_means_release(&s.means);
    return status;
}

locbo_status view_definition(cache *c, const query *q, json_t **answer, locbo_error *error) {
    const locbo_definition *definition = cache_definition(c);
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_options defaults;
    int has_curves = 0;
    (void)q;
    locbo_status status = locbo_study_plan(cache_study(c), &plan, error);
    if (status == LOCBO_OK) status = cache_has_curves(c, &has_curves, error);
    if (status != LOCBO_OK) return status;
    locbo_options_init(&defaults);
    json_t *row = json_object();
    int bad = build_put(row, "name", rows_text(locbo_study_name(cache_study(c))));
    bad |= build_put(row, "parameters", rows_space(definition->space));
    if (locbo_space_constraint_count(definition->space))
        bad |= build_put(row, "constraints", rows_constraints(definition->space));
    if (locbo_space_cost(definition->space))
        bad |= build_put(row, "cost", rows_text(locbo_space_cost(definition->space)));
    bad |= build_put(row, "options", rows_options(definition->options));
    bad |= build_put(row, "defaults", rows_options(&defaults));
    bad |= build_put(row, "command", rows_words(definition->command_count, definition->command));
    bad |= build_put(row, "plan", rows_plan(definition->outputs, &plan));
    if (definition->outputs) bad |= build_put(row, "outputs", rows_output_list(definition->outputs));
    if (has_curves) bad |= build_put(row, "curves", json_true());
    return build_answer(row, bad, answer, error);
}
