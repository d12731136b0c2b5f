/* census.c - a study in numbers: how many trials of each state, the best result, what limits results now. Layer: study,
 * top. Cost: with one output and without a fidelity parameter, O(results since the best): counts and the means at
 * points are kept. Of studies that were created before schema version 8 the database groups all results by their
 * points; with several outputs, a fidelity or after an alteration all are read. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition.h"
#include "ledger.h"
#include "mean.h"
#include "mem.h"
#include "points.h"
#include "reference.h"
#include "result_rows.h"
#include "spending.h"

typedef struct counting {
    locbo_study *study;
    locbo_census census;
    locbo_plan plan;
    uint64_t best_trial, best_event; /* the last result that was better than all before */
    uint64_t last_result, last_infeasible;
    int counted; /* results and the means at points are kept */
} counting;

/* ---- counts ------------------------------------------------------------------------------------ */

static locbo_status take_study(const store_value *columns, size_t count, void *user, locbo_error *error) {
    counting *c = user;
    (void)count;
    c->census.trials = store_as_count(&columns[0]);
    c->census.events = store_as_count(&columns[1]);
    c->census.last_event = store_as_real(&columns[2]);
    c->census.created = store_as_real(&columns[3]);
    c->census.now = store_as_real(&columns[4]);
    c->census.stopped = columns[5].kind != STORE_NULL;
    snprintf(c->census.stop_reason, sizeof c->census.stop_reason, "%s", store_as_text(&columns[5]));
    c->census.paused = columns[7].kind != STORE_NULL;
    snprintf(c->census.pause_reason, sizeof c->census.pause_reason, "%s", store_as_text(&columns[7]));
    c->census.revision = store_as_count(&columns[8]);
    c->counted = columns[9].kind != STORE_NULL;
    locbo_status status = ledger_check_revision(c->study, c->census.revision, error);
    return status == LOCBO_OK ? definition_read_plan(store_as_text(&columns[6]), &c->plan, error) : status;
}

static locbo_status take_state_count(const store_value *columns, size_t count, void *user, locbo_error *error) {
    counting *c = user;
    (void)count, (void)error;
    c->census.state[ledger_state(store_as_text(&columns[0]))] = store_as_count(&columns[1]);
    return LOCBO_OK;
}

/* Complete trials are the most, and are not counted: they are the others. */
static locbo_status count_states(locbo_store *store, counting *c, locbo_error *error) {
    uint64_t others = 0;
    locbo_status status =
        store_query(store,
                    "SELECT state, count(*) FROM locbo_trial WHERE study = $1 AND state IN"
                    " ('WAITING', 'RUNNING', 'FAILED', 'INFEASIBLE', 'RETRACTED', 'PRUNED') GROUP BY state",
                    VALUES(store_int(c->study->id)), take_state_count, c, NULL, error);
    for (int i = 0; i < LOCBO_STATES; i++) others += c->census.state[i];
    c->census.state[LOCBO_COMPLETE] = c->census.trials - others;
    if (status != LOCBO_OK || c->census.state[LOCBO_WAITING] == 0) return status;
    return store_query(store, "SELECT count(*) FROM locbo_trial WHERE study = $1 AND {ahead}",
                       VALUES(store_int(c->study->id)), ledger_take_count, &c->census.ahead, NULL, error);
}

/* Trials that were ended early are no failures: those after the best result count as without improvement, and the last
 * is a success like a result. */
static locbo_status count_pruned(locbo_store *store, counting *c, locbo_error *error) {
    store_value id = store_int(c->study->id);
    uint64_t since = 0, last = 0;
    if (c->census.state[LOCBO_PRUNED] == 0) return LOCBO_OK;
    locbo_status status =
        store_query(store, "SELECT count(*) FROM locbo_trial WHERE study = $1 AND state = 'PRUNED' AND failure > $2",
                    VALUES(id, store_count(c->best_event)), ledger_take_count, &since, NULL, error);
    if (status == LOCBO_OK)
        status = store_query(store, "SELECT max(failure) FROM locbo_trial WHERE study = $1 AND state = 'PRUNED'", 1,
                             &id, ledger_take_count, &last, NULL, error);
    if (c->best_trial > 0) c->census.since_best += since;
    if (last > c->last_result) c->last_result = last;
    return status;
}

/* Failures since the last result or infeasible point, and failures and infeasible points since the last result. */
static locbo_status count_failures(locbo_store *store, counting *c, locbo_error *error) {
    store_value id = store_int(c->study->id);
    locbo_status status = store_query(
        store, "SELECT max(failure) FROM locbo_trial WHERE study = $1 AND state = 'INFEASIBLE' AND {by_run}", 1, &id,
        ledger_take_count, &c->last_infeasible, NULL, error);
    uint64_t good = c->last_result > c->last_infeasible ? c->last_result : c->last_infeasible;
    if (status == LOCBO_OK)
        status = store_query(store,
                             "SELECT count(*) FROM locbo_trial WHERE study = $1 AND state = 'FAILED' AND failure > $2"
                             " AND {by_run}",
                             VALUES(id, store_count(good)), ledger_take_count, &c->census.failures_in_row, NULL, error);
    if (status != LOCBO_OK) return status;
    return store_query(store,
                       "SELECT count(*) FROM locbo_trial WHERE study = $1 AND state IN ('FAILED',"
                       " 'INFEASIBLE') AND failure > $2 AND {by_run}",
                       VALUES(id, store_count(c->last_result)), ledger_take_count, &c->census.empty_in_row, NULL,
                       error);
}

/* ---- full fidelity ----------------------------------------------------------------------------- */

/* The value of the fidelity that counts; NAN: there is none. */
static double full_fidelity(const locbo_study *study) {
    locbo_parameter p;
    size_t at = locbo_space_fidelity(study->space);
    if (at == SIZE_MAX) return (double)NAN;
    locbo_space_parameter(study->space, at, &p, NULL);
    return p.high;
}

/* ---- what the model promised ------------------------------------------------------------------- */

enum { PROPOSALS = 5 };

typedef struct promises {
    const locbo_study *study;
    double full, *x; /* full fidelity, NAN: there is none; a point */
    size_t seen, count;
    double most;
} promises;

/* Whether a proposal was of full fidelity: others promised nothing there. */
static locbo_status is_full(promises *p, const char *params, int *full, locbo_error *error) {
    int placed = 0;
    *full = 1;
    if (isnan(p->full)) return LOCBO_OK;
    locbo_status status = definition_read_past(p->study->space, params, p->x, &placed, error);
    *full = placed && p->x[locbo_space_fidelity(p->study->space)] == p->full;
    return status;
}

/* The expected improvement in the user's units: on another scale that of the model, by what a standard deviation is. */
static locbo_status take_promise(const store_value *columns, size_t count, void *user, locbo_error *error) {
    promises *p = user;
    locbo_belief b;
    int full;
    (void)count;
    if (p->seen == PROPOSALS) return LOCBO_OK;
    locbo_status status = is_full(p, store_as_text(&columns[1]), &full, error);
    if (status != LOCBO_OK || !full) return status;
    p->seen++;
    status = ledger_read_belief(columns + 2, &b, error);
    if (status != LOCBO_OK) return status;
    double gain = p->study->options.acquisition == LOCBO_ACQUISITION_LOG_EI ? exp(b.acquisition) : b.acquisition;
    if (belief_is_bent(&b)) gain *= b.sd_f / b.unit_f;
    p->count += !isnan(gain);
    p->most = fmax(p->most, gain);
    return LOCBO_OK;
}

/* The last proposals since the study was altered, or something taken back: those before it promised more than what is
 * known now, or less. */
static locbo_status find_gain(locbo_store *store, counting *c, locbo_error *error) {
    static const char *const sql[] = {
        "SELECT number, params" LEDGER_BELIEF " FROM locbo_trial WHERE study = $1 AND origin = $2 ORDER BY number DESC"
        " LIMIT $3",
        "SELECT number, params" LEDGER_BELIEF " FROM locbo_trial WHERE study = $1 AND origin = $2 AND asked >"
        " (SELECT coalesce(max(time), 0) FROM locbo_change WHERE study = $1 AND (event = $4 OR kind IN"
        " ('retract', 'fail'))) ORDER BY number DESC LIMIT $3"};
    promises p = {.study = c->study, .full = full_fidelity(c->study)};
    store_value values[] = {store_int(c->study->id), store_int(LOCBO_ORIGIN_MODEL),
                            store_int(isnan(p.full) ? PROPOSALS : INT32_MAX), store_count(c->census.revision)};
    locbo_acquisition kind = c->study->options.acquisition;
    c->census.expected_gain = (double)NAN;
    if (isnan(c->plan.expected_gain) || (kind != LOCBO_ACQUISITION_LOG_EI && kind != LOCBO_ACQUISITION_EI))
        return LOCBO_OK;
    size_t changeable = store_version(store) >= 6;
    p.x = mem_new(c->study->dim, sizeof *p.x);
    locbo_status status = p.x ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK)
        status = store_query(store, sql[changeable], 3 + changeable, values, take_promise, &p, NULL, error);
    mem_free(p.x);
    if (p.count == PROPOSALS) c->census.expected_gain = p.most;
    return status;
}

/* ---- one output -------------------------------------------------------------------------------- */

static locbo_status take_best(const store_value *columns, size_t count, void *user, locbo_error *error) {
    counting *c = user;
    (void)count, (void)error;
    c->best_trial = c->census.best_trial = store_as_count(&columns[0]);
    c->census.best_value = store_as_real(&columns[1]);
    c->best_event = store_as_count(&columns[2]);
    c->census.best_count = store_as_count(&columns[3]);
    return LOCBO_OK;
}

/* Equal points have equal texts: for a study whose points are not kept. */
#define BEST_MEAN(direction)                                                                                           \
    "SELECT min(m.trial), " POINTS_MEAN                                                                                \
    ", min(m.event), count(*) FROM locbo_measurement m JOIN locbo_trial t ON t.study = m.study AND t.number = m.trial" \
    " WHERE m.study = $1 AND {valid} GROUP BY t.params ORDER BY 2" direction ", 3 LIMIT 1"

static locbo_status find_best(locbo_store *store, counting *c, locbo_error *error) {
    store_value id = store_int(c->study->id);
    int maximize = c->study->options.direction == LOCBO_MAXIMIZE;
    if (c->counted && points_are_kept(c->study)) return points_best(c->study, take_best, c, error);
    return store_query(store, maximize ? BEST_MEAN(" DESC") : BEST_MEAN(""), 1, &id, take_best, c, NULL, error);
}

/* ---- several outputs --------------------------------------------------------------------------- */

static const char in_order[] =
    "SELECT " RESULT_ROWS " FROM locbo_measurement WHERE study = $1 AND {valid} ORDER BY event";

/* A point of the space, at which several trials may have been measured. */
typedef struct point {
    uint64_t trial, event; /* the first result there; event 0: there is none */
    uint64_t lowest;       /* the lowest number of a trial with a result there */
    uint64_t results;      /* of the first objective */
    int below;             /* it is below full fidelity */
} point;

/* What limits the results of a study: bounds, means of points, and the front so far. */
typedef struct survey {
    counting *counting;
    const measured *table;
    double *bound;         /* of each output: in force now; NAN: none */
    double *mean, *weight; /* of each output: of a baseline (mean.h) */
    double *reference;     /* of each output; NAN: not known */
    uint64_t *at;          /* of each trial: the first trial at the same point, which is the point's number */
    point *point;          /* by its number; below the means of its results, for each output */
    double *point_mean, *point_weight;
    uint64_t *told;      /* numbers of the points with a result, in the order told */
    size_t points;       /* how many */
    size_t fronts, room; /* vectors of the front so far, and memory for them */
    double *front;       /* of the objectives, larger is better */
    double *vector;      /* workspace */
} survey;

static void release(survey *s) {
    void *arrays[] = {s->bound, s->mean,       s->weight,       s->reference, s->at,    s->point,
                      s->told,  s->point_mean, s->point_weight, s->front,     s->vector};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
}

static locbo_status prepare(survey *s, const locbo_study *study, locbo_error *error) {
    size_t n = study->table.count;
    *s = (survey){.table = &study->table};
    double **arrays[] = {&s->bound, &s->weight, &s->reference, &s->vector, &s->mean};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (!(*arrays[i] = mem_new(n, sizeof **arrays[i]))) return status_no_memory(error);
    return LOCBO_OK;
}

static locbo_status take_baseline(const stored_result *r, void *user, locbo_error *error) {
    survey *s = user;
    (void)error;
    for (size_t i = 0; i < s->table->count; i++)
        if (s->table->output[i].spec.baseline == r->trial)
            mean_add(&s->mean[i], &s->weight[i], r->row[i].value, r->row[i].n);
    return LOCBO_OK;
}

/* Inside a transaction: the bounds in force now. Results are read if one of them is relative to what a trial measured.
 */
static locbo_status find_bounds(survey *s, const locbo_study *study, locbo_error *error) {
    store_value id = store_int(study->id);
    locbo_status status = LOCBO_OK;
    int relative = 0;
    for (size_t i = 0; i < s->table->count; i++) relative = relative || s->table->output[i].spec.baseline > 0;
    if (relative) status = result_rows_each(study, in_order, 1, &id, take_baseline, s, error);
    for (size_t i = 0; i < s->table->count; i++)
        s->bound[i] = measured_bound(s->table, i, mean_of(s->mean[i], s->weight[i]));
    return status;
}

/* Whether values, one of each output, keep to all bounds. */
static int holds(const survey *s, const double *value) {
    for (size_t i = 0; i < s->table->count; i++)
        if (measured_is_constraint(s->table, i) && !measured_holds(s->table, i, s->bound[i], value[i])) return 0;
    return 1;
}

/* ---- points ------------------------------------------------------------------------------------ */

enum { ASIDE = 0 }; /* the point of a trial that has no place in the space */

static locbo_status take_place(const store_value *columns, size_t count, void *user, locbo_error *error) {
    survey *s = user;
    uint64_t trial = store_as_count(&columns[0]);
    (void)count, (void)error;
    if (trial <= s->counting->census.trials) s->at[trial] = store_as_count(&columns[1]);
    return LOCBO_OK;
}

/* A trial of a study that was altered, and its point in the present space. */
typedef struct placed_trial {
    uint64_t number;
    size_t dim;
    const double *x;
} placed_trial;

static int compare_placed(const void *a, const void *b) {
    const placed_trial *p = a, *q = b;
    for (size_t i = 0; i < p->dim; i++) {
        if (isnan(p->x[i]) && isnan(q->x[i])) continue;
        if (isnan(p->x[i]) != isnan(q->x[i])) return isnan(p->x[i]) ? -1 : 1;
        if (p->x[i] != q->x[i]) return p->x[i] < q->x[i] ? -1 : 1;
    }
    return p->number < q->number ? -1 : p->number > q->number;
}

static int is_same_point(const placed_trial *p, const placed_trial *q) {
    placed_trial r = *q;
    r.number = p->number;
    return compare_placed(p, &r) == 0;
}

typedef struct placing {
    survey *survey;
    size_t count;
    placed_trial *trial;
    double *x;
} placing;

static locbo_status take_placed(const store_value *columns, size_t count, void *user, locbo_error *error) {
    placing *p = user;
    const locbo_study *study = p->survey->counting->study;
    uint64_t number = store_as_count(&columns[0]);
    double *x = p->x + p->count * study->dim;
    int placed = 0;
    (void)count;
    if (number > p->survey->counting->census.trials) return LOCBO_OK;
    locbo_status status = definition_read_past(study->space, store_as_text(&columns[1]), x, &placed, error);
    if (status == LOCBO_OK && placed) p->trial[p->count++] = (placed_trial){number, study->dim, x};
    return status;
}

/* In a study that was altered equal points may have different texts, and some have no place. With a fidelity parameter
 * only points at full fidelity count. */
static locbo_status find_past_places(survey *s, locbo_store *store, locbo_error *error) {
    const locbo_study *study = s->counting->study;
    size_t n = (size_t)s->counting->census.trials + 1;
    double full = full_fidelity(study);
    placing p = {.survey = s, .trial = mem_new(n, sizeof *p.trial), .x = mem_new(n, study->dim * sizeof *p.x)};
    locbo_status status = p.trial && p.x ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK)
        status = store_query(store, "SELECT number, params FROM locbo_trial WHERE study = $1",
                             VALUES(store_int(study->id)), take_placed, &p, NULL, error);
    if (status == LOCBO_OK) qsort(p.trial, p.count, sizeof *p.trial, compare_placed);
    for (size_t i = 0, first = 0; status == LOCBO_OK && i < p.count; i++) {
        if (!is_same_point(&p.trial[first], &p.trial[i])) first = i;
        s->at[p.trial[i].number] = p.trial[first].number;
        s->point[p.trial[i].number].below = !isnan(full) && p.trial[i].x[locbo_space_fidelity(study->space)] != full;
    }
    mem_free(p.trial);
    mem_free(p.x);
    return status;
}

/* Memory for the points, and which trials share one. */
static locbo_status find_places(survey *s, locbo_store *store, locbo_error *error) {
    size_t n = (size_t)s->counting->census.trials + 1, cells = n * s->table->count;
    s->at = mem_new(n, sizeof *s->at);
    s->point = mem_new(n, sizeof *s->point);
    s->told = mem_new(n, sizeof *s->told);
    s->point_mean = mem_new(cells, sizeof *s->point_mean);
    s->point_weight = mem_new(cells, sizeof *s->point_weight);
    if (!s->at || !s->point || !s->told || !s->point_mean || !s->point_weight) return status_no_memory(error);
    if (s->counting->census.revision > 0 || locbo_space_fidelity(s->counting->study->space) != SIZE_MAX)
        return find_past_places(s, store, error);
    return store_query(store, "SELECT number, min(number) OVER (PARTITION BY params) FROM locbo_trial WHERE study = $1",
                       VALUES(store_int(s->counting->study->id)), take_place, s, NULL, error);
}

static locbo_status take_result(const stored_result *r, void *user, locbo_error *error) {
    survey *s = user;
    int counted = r->trial <= s->counting->census.trials;
    uint64_t number = counted ? s->at[r->trial] : ASIDE;
    if (counted && number == ASIDE && s->counting->census.revision > 0) return LOCBO_OK;
    if (number == ASIDE || number > r->trial)
        return status_fail(error, LOCBO_ERR_IO,
                           "the study '%s' is damaged: it has a result of trial %" PRIu64 ", which does not exist",
                           s->counting->study->name, r->trial);
    point *p = &s->point[number];
    if (p->event == 0) {
        *p = (point){.trial = r->trial, .event = r->event, .lowest = r->trial, .below = p->below};
        s->told[s->points++] = number;
    }
    for (size_t i = 0; i < s->table->count; i++) {
        size_t at = number * s->table->count + i;
        mean_add(&s->point_mean[at], &s->point_weight[at], r->row[i].value, r->row[i].n);
    }
    p->results += !isnan(r->row[s->table->first].value);
    if (r->trial < p->lowest) p->lowest = r->trial;
    return LOCBO_OK;
}

/* ---- the front --------------------------------------------------------------------------------- */

static int is_as_good(size_t m, const double *a, const double *b) {
    for (size_t k = 0; k < m; k++)
        if (a[k] < b[k]) return 0;
    return 1;
}

/* The objectives of a point, larger is better; 0 if it lacks one, or is not better than the reference in all. */
static int find_vector(const survey *s, const double *value) {
    size_t m = 0;
    for (size_t i = 0; i < s->table->count; i++) {
        double sign = s->table->output[i].spec.goal == LOCBO_GOAL_MAXIMIZE ? 1 : -1;
        if (!measured_is_objective(s->table, i)) continue;
        if (isnan(value[i]) || sign * value[i] <= sign * s->reference[i]) return 0;
        s->vector[m++] = sign * value[i];
    }
    return 1;
}

/* Several objectives: a point that no other is as good as extends the front, and with it the hypervolume. */
static locbo_status take_front(survey *s, const point *p, const double *mean, locbo_error *error) {
    size_t m = s->table->objectives, kept = 0;
    if (!find_vector(s, mean)) return LOCBO_OK;
    for (size_t i = 0; i < s->fronts; i++)
        if (is_as_good(m, s->front + i * m, s->vector)) return LOCBO_OK;
    mem_array array = {&s->front, m * sizeof *s->front};
    if (!mem_reserve_all(1, &array, &s->room, s->fronts + 1)) return status_no_memory(error);
    for (size_t i = 0; i < s->fronts; i++)
        if (!is_as_good(m, s->vector, s->front + i * m))
            memmove(s->front + m * kept++, s->front + i * m, m * sizeof *s->front);
    memcpy(s->front + m * kept, s->vector, m * sizeof *s->front);
    s->fronts = kept + 1;
    s->counting->best_trial = p->trial;
    s->counting->best_event = p->event;
    return LOCBO_OK;
}

/* Whether larger values of an objective or constraint are better; without a table of outputs the options say it. */
static int wants_more(const counting *c, size_t output) {
    const measured *table = &c->study->table;
    return output == table->first ? c->study->options.direction == LOCBO_MAXIMIZE : measured_wants_more(table, output);
}

/* One objective: the best mean, of equal ones the one that was measured first. */
static void take_best_of(counting *c, const measured *table, const point *p, double value) {
    double best = c->census.best_value;
    int better = wants_more(c, table->first) ? value > best : value < best;
    if (isnan(value) || (!better && !isnan(best) && !(value == best && p->event < c->best_event))) return;
    c->best_trial = c->census.best_trial = p->lowest;
    c->census.best_value = value;
    c->census.best_count = p->results;
    c->best_event = p->event;
}

/* Whether the means of a point are as good as all targets. */
static int meets(const survey *s, const double *mean) {
    const locbo_plan *plan = &s->counting->plan;
    size_t k = 0;
    for (size_t i = 0; i < s->table->count && k < LOCBO_MAX_TARGETS; i++) {
        if (!measured_is_modelled(s->table, i)) continue;
        double target = plan->targets[k++];
        int more = wants_more(s->counting, i);
        if (!isnan(target) && !(more ? mean[i] >= target : mean[i] <= target)) return 0;
    }
    return 1;
}

/* The points at which the means of the results keep to all bounds, as the optimizer judges them. */
static locbo_status judge_points(survey *s, locbo_error *error) {
    int has_targets = definition_has_targets(&s->counting->plan);
    uint64_t *reached = &s->counting->census.reached;
    locbo_status status = LOCBO_OK;
    for (size_t j = 0; j < s->points && status == LOCBO_OK; j++) {
        const point *p = &s->point[s->told[j]];
        size_t at = s->told[j] * s->table->count;
        double *mean = s->point_mean + at;
        for (size_t i = 0; i < s->table->count; i++) mean[i] = mean_of(mean[i], s->point_weight[at + i]);
        if (p->below || !holds(s, mean)) continue;
        if (has_targets && meets(s, mean) && (*reached == 0 || p->lowest < *reached)) *reached = p->lowest;
        if (s->table->objectives > 1)
            status = take_front(s, p, mean, error);
        else
            take_best_of(s->counting, s->table, p, mean[s->table->first]);
    }
    return status;
}

/* ---- without improvement ----------------------------------------------------------------------- */

static locbo_status take_later(const store_value *columns, size_t count, void *user, locbo_error *error) {
    const survey *s = user;
    uint64_t trial = store_as_count(&columns[0]);
    (void)count, (void)error;
    if (trial <= s->counting->census.trials && !s->point[trial].below) s->counting->census.since_best++;
    return LOCBO_OK;
}

/* Trials after the best result; below full fidelity none could have been better. */
static locbo_status count_later(survey *s, locbo_store *store, locbo_error *error) {
    const counting *c = s->counting;
    if (c->best_trial == 0) return LOCBO_OK;
    return store_query(store,
                       "SELECT DISTINCT trial FROM locbo_measurement WHERE study = $1 AND {valid} AND event > $2"
                       " AND trial <> $3",
                       VALUES(store_int(c->study->id), store_count(c->best_event), store_count(c->best_trial)),
                       take_later, s, NULL, error);
}

static locbo_status count_all_later(locbo_store *store, counting *c, locbo_error *error) {
    if (c->best_trial == 0) return LOCBO_OK;
    return store_query(store,
                       "SELECT count(DISTINCT trial) FROM locbo_measurement WHERE study = $1 AND {valid}"
                       " AND event > $2 AND trial <> $3",
                       VALUES(store_int(c->study->id), store_count(c->best_event), store_count(c->best_trial)),
                       ledger_take_count, &c->census.since_best, NULL, error);
}

/* ---- cost -------------------------------------------------------------------------------------- */

static locbo_status add_costs(counting *c, locbo_error *error) {
    int has_fidelity = locbo_space_fidelity(c->study->space) != SIZE_MAX;
    spending s = {0};
    locbo_status status = spending_read(c->study, &s, error);
    c->census.cost = s.all;
    c->census.cost_expected = s.expected;
    c->census.cost_below = has_fidelity ? s.below : (double)NAN;
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------- */

/* The study has several outputs, a fidelity parameter, or was altered. */
static locbo_status look_through(locbo_store *store, counting *c, locbo_error *error) {
    survey s;
    store_value id = store_int(c->study->id);
    locbo_status status = prepare(&s, c->study, error);
    s.counting = c;
    if (status == LOCBO_OK) status = find_bounds(&s, c->study, error);
    if (status == LOCBO_OK) status = reference_read(c->study, s.reference, error);
    if (status == LOCBO_OK) status = find_places(&s, store, error);
    if (status == LOCBO_OK) status = result_rows_each(c->study, in_order, 1, &id, take_result, &s, error);
    if (status == LOCBO_OK) status = judge_points(&s, error);
    if (status == LOCBO_OK) status = count_later(&s, store, error);
    release(&s);
    return status;
}

static locbo_status count_all(locbo_store *store, void *user, locbo_error *error) {
    counting *c = user;
    store_value id = store_int(c->study->id);
    uint64_t found = 0;
    *c = (counting){.study = c->study, .census = {.best_value = (double)NAN}};
    locbo_status status = store_query(store,
                                      "SELECT trials, events, last_event, created, {now},"
                                      " stop_reason, plan, {paused}, {revision}, {results} FROM locbo_study"
                                      " WHERE id = $1",
                                      1, &id, take_study, c, &found, error);
    if (status == LOCBO_OK && found == 0) return ledger_gone(c->study, error);
    if (status == LOCBO_OK) status = count_states(store, c, error);
    if (status == LOCBO_OK) status = result_rows_count(c->study, &c->census.measurements, error);
    if (status == LOCBO_OK)
        status = store_query(store, "SELECT max(event) FROM locbo_measurement WHERE study = $1 AND {valid}", 1, &id,
                             ledger_take_count, &c->last_result, NULL, error);
    int several = c->study->table.count > 1 || definition_has_targets(&c->plan) || c->census.revision > 0 ||
                  locbo_space_fidelity(c->study->space) != SIZE_MAX;
    if (status == LOCBO_OK) status = several ? look_through(store, c, error) : find_best(store, c, error);
    if (status == LOCBO_OK && !several) status = count_all_later(store, c, error);
    if (status == LOCBO_OK) status = count_pruned(store, c, error);
    if (status == LOCBO_OK) status = find_gain(store, c, error);
    if (status == LOCBO_OK) status = add_costs(c, error);
    return status == LOCBO_OK ? count_failures(store, c, error) : status;
}

locbo_status locbo_study_census(locbo_study *study, locbo_census *census, locbo_error *error) {
    if (!study || !census) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and census must not be NULL");
    counting c = {.study = study};
    locbo_status status = store_read(study->store, count_all, &c, error);
    if (status != LOCBO_OK) return status;
    *census = c.census;
    return status_ok(error);
}

/* ---- bounds ------------------------------------------------------------------------------------ */

typedef struct asking_bounds {
    const locbo_study *study;
    double *bounds;
} asking_bounds;

static locbo_status read_bounds(locbo_store *store, void *user, locbo_error *error) {
    const asking_bounds *a = user;
    survey s;
    (void)store;
    locbo_status status = prepare(&s, a->study, error);
    if (status == LOCBO_OK) status = ledger_check_present(a->study, error);
    if (status == LOCBO_OK) status = find_bounds(&s, a->study, error);
    if (status == LOCBO_OK) memcpy(a->bounds, s.bound, a->study->table.count * sizeof *s.bound);
    release(&s);
    return status;
}

locbo_status locbo_study_bounds(locbo_study *study, double *bounds, locbo_error *error) {
    if (!study || !bounds) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and bounds must not be NULL");
    double *list = mem_new(study->table.count, sizeof *list);
    asking_bounds a = {study, list};
    locbo_status status = list ? store_read(study->store, read_bounds, &a, error) : status_no_memory(error);
    if (status == LOCBO_OK) memcpy(bounds, list, study->table.count * sizeof *list);
    mem_free(list);
    return status == LOCBO_OK ? status_ok(error) : status;
}
