/* view_overview.c - the state of a study, its rate and workers; and what it is. Layer: view, answers. Never needs the
 * model. Cost: O(trials log trials). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "mem.h"
#include "overview.h"
#include "rows.h"
#include "sheet.h"
#include "value.h"
#include "views.h"

/* Everything the answer is made from. */
typedef struct scene {
    desk *desk;
    const locbo_options *options;
    locbo_plan plan;
    locbo_census census;
    const board *board;
    char *proposer; /* NULL: nobody */
    int no_memory;
} scene;

/* ---- gathering ------------------------------------------------------------------------------- */

/* A proposer whose time is over has died or was overtaken. */
static int take_proposer(const char *worker, uint64_t trial, double until, void *user) {
    scene *s = user;
    if (trial != 0 || until < s->census.now) return 0;
    s->proposer = mem_text(worker);
    s->no_memory = !s->proposer;
    return 1;
}

/* The census comes first: what it names is on the board, which is read later. */
static locbo_status gather(scene *s, locbo_error *error) {
    locbo_study *study = desk_study(s->desk);
    const locbo_census *census;
    locbo_status status = desk_census(s->desk, &census, error);
    if (status != LOCBO_OK) return status;
    s->census = *census;
    s->plan.struct_size = sizeof s->plan;
    status = desk_board(s->desk, &s->board, error);
    if (status == LOCBO_OK) status = locbo_study_plan(study, &s->plan, error);
    if (status == LOCBO_OK) status = locbo_study_each_running(study, take_proposer, s, error);
    return status == LOCBO_OK && s->no_memory ? status_no_memory(error) : status;
}

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

/* The completed trials that were evaluated (imported ones were not), in the order they ended. */
static span *list_spans(const board *b, size_t *count) {
    span *spans = mem_new(b->count, sizeof *spans);
    *count = 0;
    for (size_t i = 0; spans && i < b->count; i++) {
        const board_row *r = &b->rows[i];
        if (r->state == LOCBO_COMPLETE && !isnan(r->started) && !isnan(r->ended))
            spans[(*count)++] = (span){r->started, r->ended};
    }
    if (spans) qsort(spans, *count, sizeof *spans, by_end);
    return spans;
}

/* Of the last tenth, and at least 5: trials per second since the one before them ended, or since the first of them
 * began. */
static double find_rate(const span *last, size_t n, const span *before) {
    double from = before ? before->ended : last[0].started;
    for (size_t i = 0; !before && i < n; i++) from = fmin(from, last[i].started);
    double time = last[n - 1].ended - from;
    return time > 0 ? (double)n / time : (double)NAN;
}

static double middle_length(span *last, size_t n) {
    qsort(last, n, sizeof *last, by_length);
    const span *a = &last[(n - 1) / 2], *b = &last[n / 2];
    return (a->ended - a->started + b->ended - b->started) / 2;
}

/* Whether anybody is at it: a trial whose lease has ended is nobody's. */
static int is_evaluated(const scene *s) {
    const board *b = s->board;
    for (size_t i = b->count; i-- > 0;)
        if (b->rows[i].state == LOCBO_RUNNING && !(b->rows[i].lease <= s->census.now)) return 1;
    return 0;
}

static double time_left(const scene *s, double rate) {
    uint64_t done = s->census.state[LOCBO_COMPLETE], wanted = s->plan.trials;
    if (wanted == 0) return (double)NAN;
    if (done >= wanted) return 0;
    return is_evaluated(s) ? (double)(wanted - done) / rate : (double)NAN;
}

static json_t *rate_json(const scene *s) {
    size_t count;
    double rate = (double)NAN, seconds = (double)NAN;
    span *spans = list_spans(s->board, &count);
    if (!spans) return NULL;
    if (count > 0) {
        size_t n = count / 10 > 5 ? count / 10 : 5;
        if (n > count) n = count;
        span *last = spans + (count - n);
        rate = find_rate(last, n, n < count ? last - 1 : NULL);
        seconds = middle_length(last, n);
    }
    mem_free(spans);
    json_t *row = json_object();
    int bad = sheet_put(row, "per_hour", value_real(3600 * rate));
    bad |= sheet_put(row, "evaluation_seconds", value_real(seconds));
    bad |= sheet_put(row, "left_seconds", value_real(time_left(s, rate)));
    return sheet_finish(row, bad);
}

/* ---- workers --------------------------------------------------------------------------------- */

enum { WORKERS = 200 }; /* shown */

typedef struct tally {
    const char *worker;
    uint64_t seen, complete, failed;
    const board_row *running; /* the one begun last */
    double last_ended;
} tally;

static void count_trial(tally *t, const board_row *r) {
    t->seen++;
    t->complete += r->state == LOCBO_COMPLETE;
    t->failed += r->state == LOCBO_STATE_FAILED;
    t->last_ended = fmax(t->last_ended, r->ended); /* the other one, if one is NAN */
    if (r->state == LOCBO_RUNNING && !(t->running && t->running->started > r->started)) t->running = r;
}

/* One that runs before one that does not; then whoever was heard of last. */
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

/* Those that were ever handed a trial. */
static tally *count_workers(const board *b, size_t *count) {
    tally *all = mem_new(b->workers_count, sizeof *all);
    *count = 0;
    if (!all) return NULL;
    for (size_t i = 0; i < b->workers_count; i++) all[i] = (tally){.worker = b->workers[i], .last_ended = (double)NAN};
    for (size_t i = 0; i < b->count; i++)
        if (b->rows[i].attempt > 0) count_trial(&all[b->rows[i].worker], &b->rows[i]);
    for (size_t i = 0; i < b->workers_count; i++)
        if (all[i].seen > 0) all[(*count)++] = all[i];
    qsort(all, *count, sizeof *all, by_presence);
    return all;
}

static json_t *running_json(const board_row *r) {
    if (!r) return json_null();
    json_t *row = json_object();
    int bad = sheet_put(row, "trial", sheet_count(r->trial.id));
    bad |= sheet_put(row, "attempt", sheet_count(r->attempt));
    bad |= sheet_put(row, "started", value_real(r->started));
    bad |= sheet_put(row, "lease", value_real(r->lease));
    return sheet_finish(row, bad);
}

static json_t *worker_json(const void *source, size_t i) {
    const tally *t = (const tally *)source + i;
    json_t *row = json_object();
    int bad = sheet_put(row, "worker", rows_text(t->worker));
    bad |= sheet_put(row, "complete", sheet_count(t->complete));
    bad |= sheet_put(row, "failed", sheet_count(t->failed));
    bad |= sheet_put(row, "running", running_json(t->running));
    bad |= sheet_put(row, "last_ended", value_real(t->last_ended));
    return sheet_finish(row, bad);
}

static json_t *workers_json(const board *b) {
    size_t count;
    tally *all = count_workers(b, &count);
    if (!all) return NULL;
    json_t *list = sheet_list(worker_json, all, count < WORKERS ? count : WORKERS, NULL);
    mem_free(all);
    return list;
}

/* ---- rules, best, coverage ------------------------------------------------------------------- */

static json_t *rule_json(const char *rule, uint64_t done, uint64_t of) {
    return json_pack("{s:s, s:I, s:I}", "rule", rule, "done", (json_int_t)done, "of", (json_int_t)of);
}

static json_t *target_json(const scene *s) {
    double best = s->census.best_value, target = s->plan.target;
    int reached = desk_maximizes(s->desk) ? best >= target : best <= target;
    return json_pack("{s:s, s:o, s:o, s:b}", "rule", "target", "value", value_real(best), "target", value_real(target),
                     "reached", reached);
}

static json_t *rules_json(const scene *s) {
    const locbo_plan *p = &s->plan;
    const locbo_census *c = &s->census;
    json_t *list = json_array();
    int bad = !list;
    if (p->trials > 0)
        bad |= json_array_append_new(list, rule_json("trials", c->state[LOCBO_COMPLETE], p->trials)) != 0;
    if (p->no_improvement > 0)
        bad |= json_array_append_new(list, rule_json("no_improvement", c->since_best, p->no_improvement)) != 0;
    if (!isnan(p->target)) bad |= json_array_append_new(list, target_json(s)) != 0;
    return sheet_finish(list, bad);
}

static json_t *best_json(const scene *s) {
    uint64_t trial = s->census.best_trial;
    const board *b = s->board;
    if (trial == 0 || trial > b->count) return json_null();
    json_t *row = json_object();
    int bad = sheet_put(row, "trial", sheet_count(trial));
    bad |= sheet_put(row, "value", value_real(s->census.best_value));
    bad |= sheet_put(row, "params", value_object(desk_space(s->desk), b->x + (trial - 1) * b->dim));
    return sheet_finish(row, bad);
}

static json_t *coverage_json(const scene *s) {
    size_t judged = 0, inside = 0;
    double low, high, target = 1 - s->options->alpha;
    for (size_t i = 0; i < s->board->count; i++) {
        judge_verdict verdict = judge_row(&s->board->rows[i]);
        judged += verdict != JUDGE_NONE;
        inside += verdict == JUDGE_INSIDE;
    }
    if (judged == 0) return json_null();
    judge_band(judged, target, JUDGE_BAND, &low, &high);
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o}", "judged", (json_int_t)judged, "inside", (json_int_t)inside,
                     "coverage", value_real((double)inside / (double)judged), "target", value_real(target), "low",
                     value_real(low), "high", value_real(high));
}

/* ---- answers --------------------------------------------------------------------------------- */

static int put_all(json_t *row, const scene *s) {
    const locbo_census *c = &s->census;
    int bad = overview_put_name(row, desk_study(s->desk), desk_url(s->desk), s->options);
    bad |= sheet_put(row, "level", value_real(1 - s->options->alpha));
    bad |= overview_put_counts(row, c);
    bad |= sheet_put(row, "events", sheet_count(c->events));
    bad |= sheet_put(row, "best", best_json(s));
    bad |= sheet_put(row, "since_best", sheet_count(c->since_best));
    bad |= sheet_put(row, "failures_in_row", sheet_count(c->failures_in_row));
    bad |= sheet_put(row, "rules", rules_json(s));
    bad |= sheet_put(row, "rate", rate_json(s));
    bad |= sheet_put(row, "workers", workers_json(s->board));
    bad |= sheet_put(row, "proposer", s->proposer ? rows_text(s->proposer) : json_null());
    bad |= sheet_put(row, "coverage", coverage_json(s));
    bad |= overview_put_times(row, c);
    return bad;
}

locbo_status view_overview(desk *d, const query *q, json_t **answer, locbo_error *error) {
    scene s = {.desk = d, .options = desk_definition(d)->options};
    (void)q;
    locbo_status status = gather(&s, error);
    if (status == LOCBO_OK) {
        json_t *row = json_object();
        status = sheet_answer(row, put_all(row, &s), answer, error);
    }
    mem_free(s.proposer);
    return status;
}

locbo_status view_definition(desk *d, const query *q, json_t **answer, locbo_error *error) {
    const locbo_definition *definition = desk_definition(d);
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_options defaults;
    (void)q;
    locbo_status status = locbo_study_plan(desk_study(d), &plan, error);
    if (status != LOCBO_OK) return status;
    locbo_options_init(&defaults);
    json_t *row = json_object();
    int bad = sheet_put(row, "name", rows_text(locbo_study_name(desk_study(d))));
    bad |= sheet_put(row, "parameters", rows_space(definition->space));
    bad |= sheet_put(row, "options", rows_options(definition->options));
    bad |= sheet_put(row, "defaults", rows_options(&defaults));
    bad |= sheet_put(row, "command", rows_words(definition->command_count, definition->command));
    bad |= sheet_put(row, "plan", rows_plan(&plan));
    return sheet_answer(row, bad, answer, error);
}
