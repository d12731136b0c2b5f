/* outputs_run.c - one run of a problem with several outputs: initial points, rounds of ask, measure and tell, and the
 * recorded rows. Layer: experiment, above the problems, the library, outputs_log and external. */
#include "outputs_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "external.h"
#include "mem.h"
#include "outputs_log.h"
#include "protocol.h"
#include "status.h"

/* With 3 the best point of the penalised truth violates the constraint of hartmann6-ball; with 10 it is the best
 * feasible point on every problem. */
const double OUTPUTS_PENALTY = 10;
static const double AUGMENTED = 0.05; /* ParEGO's rho */

/* The state of a run. */
typedef struct run {
    const task *task;
    uint64_t seed;
    problem_outputs problem;
    problem_outputs_room room;
    size_t objectives;
    double worst; /* problem_outputs_worst */
    noise noise[PROBLEM_MAX_OUTPUTS];
    double spread[PROBLEM_MAX_OUTPUTS];
    outputs_log log;
    locbo_space *space;
    locbo_optimizer *optimizer; /* or */
    external *external;
    uint64_t evaluations;
    double *reported; /* rows of PROBLEM_MAX_DIM */
    /* since the last row: the rounds, those with sets of the outputs, sums over these */
    size_t recorded, on_bound, judged;
    double covered, covered_f, interval_f, ms;
} run;

static int is_random(const run *r) { return !r->external && r->task->options.method == LOCBO_METHOD_RANDOM; }

/* ---- The problem --------------------------------------------------------------------------------- */

static void choose_problem(run *r, const problem_outputs *p) {
    const task *t = r->task;
    r->problem = *p;
    if (t->move || t->rotate) problem_outputs_move(&r->problem, &r->room, p, r->seed, t->rotate);
    r->log.problem = &r->problem;
    r->objectives = problem_outputs_objectives(p);
    r->worst = problem_outputs_worst(&r->problem);
    problem_outputs_spread(&r->problem, r->spread);
    for (size_t k = 0; k < p->count; k++) r->noise[k] = t->noise;
    if (t->relative) problem_outputs_noise(&r->problem, &t->noise, r->spread, r->noise);
}

static void from_unit(const problem_outputs *p, const double *u, double *x) {
    for (size_t i = 0; i < p->dim; i++) x[i] = p->low[i] + (p->high[i] - p->low[i]) * u[i];
}

static int is_on_bound(const problem_outputs *p, const double *x) {
    for (size_t i = 0; i < p->dim; i++)
        if (x[i] <= p->low[i] || x[i] >= p->high[i]) return 1;
    return 0;
}

/* Measures all outputs at x, and logs them. */
static locbo_status measure(run *r, const double *x, double *y, locbo_error *error) {
    draw d = protocol_noise(r->seed, r->evaluations++);
    problem_outputs_measure(&r->problem, r->noise, r->spread, x, &d, y);
    return outputs_log_add(&r->log, x, y, error);
}

/* ---- How the outputs are seen -------------------------------------------------------------------- */

static locbo_measurement measured(double value, unsigned n) { return (locbo_measurement){value, (double)NAN, n}; }

static double penalised(const run *r, const double *y) {
    double violation = 0;
    for (size_t k = 1; k < r->problem.count; k++) violation += fmax(0, y[k]) / r->spread[k];
    return y[0] + OUTPUTS_PENALTY * r->spread[0] * violation;
}

/* The table of outputs: those of the problem from number `first` on, after one more objective if first > 0. */
static locbo_status make_table(const run *r, size_t first, locbo_outputs **table, locbo_error *error) {
    const problem_outputs *p = &r->problem;
    locbo_output_spec scalar = {.struct_size = sizeof scalar, .name = "scalar"};
    locbo_status status = locbo_outputs_create(table, error);
    if (status == LOCBO_OK && first > 0) status = locbo_outputs_add(*table, &scalar, error);
    for (size_t k = first; k < p->count && status == LOCBO_OK; k++) {
        int objective = p->output[k].goal == PROBLEM_MINIMIZE, referenced = objective && r->objectives > 1;
        locbo_output_spec spec = {.struct_size = sizeof spec,
                                  .name = p->output[k].name,
                                  .goal = objective ? LOCBO_GOAL_MINIMIZE : LOCBO_GOAL_AT_MOST,
                                  .reference = referenced ? p->output[k].reference : 0,
                                  .referenced = (uint64_t)referenced};
        status = locbo_outputs_add(*table, &spec, error);
    }
    return status;
}

/* `first`: as in make_table; the number of outputs: no table, one output. */
static locbo_status create(const run *r, size_t first, uint64_t seed, locbo_optimizer **made, locbo_error *error) {
    locbo_options options = r->task->options;
    locbo_outputs *table = NULL;
    double symmetry = noise_symmetry(&r->task->noise);
    options.seed = seed;
    options.direction = LOCBO_MINIMIZE;
    /* infeasible points do not count as initial ones, but all methods are to have the same number */
    options.initial = r->task->outputs == TASK_VIEW_EXIT ? 1 : (int)r->task->initial;
    if (symmetry > 0) options.noise_symmetry = symmetry;
    locbo_status status = first < r->problem.count ? make_table(r, first, &table, error) : LOCBO_OK;
    if (status == LOCBO_OK) status = locbo_optimizer_create_for(made, r->space, table, &options, error);
    locbo_outputs_destroy(table);
    return status;
}

/* An optimizer with all outputs and all results so far. */
static locbo_status create_believer(const run *r, locbo_optimizer **made, locbo_error *error) {
    locbo_status status = create(r, 0, r->seed, made, error);
    for (size_t i = 0; i < r->log.n && status == LOCBO_OK; i++) {
        const outputs_log_point *point = &r->log.point[i];
        locbo_measurement m[PROBLEM_MAX_OUTPUTS];
        for (size_t k = 0; k < r->problem.count; k++) m[k] = measured(point->y[k], point->n);
        status = locbo_optimizer_add_outputs(*made, point->x, m, error);
    }
    return status;
}

/* ---- Scalarisation ------------------------------------------------------------------------------- */

/* Uniform on the simplex: exponential numbers over their sum. */
static void draw_weights(const run *r, draw *d, double *w) {
    double sum = 0;
    for (size_t k = 0; k < r->objectives; k++) sum += w[k] = draw_exponential(d);
    for (size_t k = 0; k < r->objectives; k++) w[k] /= sum;
}

static double scalar_of(const run *r, const double *w, const double *low, const double *high, const double *y) {
    double largest = -INFINITY, sum = 0;
    for (size_t k = 0; k < r->objectives; k++) {
        double z = high[k] > low[k] ? w[k] * (y[k] - low[k]) / (high[k] - low[k]) : 0;
        largest = fmax(largest, z);
        sum += z;
    }
    return largest + AUGMENTED * sum;
}

/* The optimizer of a round of scalarize, with all results so far. It has a seed of its own: its first proposal would
 * otherwise have the same random candidates in every round. */
static locbo_status scalarize(run *r, uint64_t round, locbo_error *error) {
    double w[PROBLEM_MAX_OBJECTIVES], low[PROBLEM_MAX_OBJECTIVES], high[PROBLEM_MAX_OBJECTIVES];
    draw d = protocol_round(r->seed, round);
    draw_weights(r, &d, w);
    for (size_t k = 0; k < r->objectives; k++) {
        low[k] = INFINITY, high[k] = -INFINITY;
        for (size_t i = 0; i < r->log.n; i++) {
            low[k] = fmin(low[k], r->log.point[i].y[k]);
            high[k] = fmax(high[k], r->log.point[i].y[k]);
        }
    }
    locbo_optimizer_destroy(r->optimizer);
    r->optimizer = NULL;
    locbo_status status = create(r, r->objectives, draw_bits(&d), &r->optimizer, error);
    for (size_t i = 0; i < r->log.n && status == LOCBO_OK; i++) {
        const outputs_log_point *point = &r->log.point[i];
        locbo_measurement m[PROBLEM_MAX_OUTPUTS] = {measured(scalar_of(r, w, low, high, point->y), point->n)};
        for (size_t k = r->objectives; k < r->problem.count; k++)
            m[1 + k - r->objectives] = measured(point->y[k], point->n);
        status = locbo_optimizer_add_outputs(r->optimizer, point->x, m, error);
    }
    return status;
}

/* ---- Points and results -------------------------------------------------------------------------- */

static locbo_status tell(run *r, uint64_t trial, const double *y, locbo_error *error) {
    locbo_measurement m[PROBLEM_MAX_OUTPUTS];
    for (size_t k = 0; k < r->problem.count; k++) m[k] = measured(y[k], 1);
    switch (r->task->outputs) {
    case TASK_VIEW_MODEL:
        return locbo_optimizer_tell_outputs(r->optimizer, trial, m, error);
    case TASK_VIEW_PENALTY:
        m[0].value = penalised(r, y);
        return locbo_optimizer_tell(r->optimizer, trial, m, error);
    case TASK_VIEW_EXIT:
        if (problem_outputs_feasible(&r->problem, y)) return locbo_optimizer_tell(r->optimizer, trial, m, error);
        return locbo_optimizer_tell_infeasible(r->optimizer, trial, error);
    default:
        return LOCBO_OK; /* the next round has a new optimizer */
    }
}

/* An initial point is a result that belongs to no trial; if it may be infeasible, a trial at a given point. */
static locbo_status give(run *r, const double *x, const double *y, locbo_error *error) {
    locbo_ask_options how = {.struct_size = sizeof how, .fixed = x};
    locbo_measurement m[PROBLEM_MAX_OUTPUTS];
    double same[PROBLEM_MAX_DIM];
    locbo_trial trial;
    if (r->task->outputs == TASK_VIEW_EXIT) {
        locbo_status status = locbo_optimizer_ask_with(r->optimizer, &how, &trial, same, error);
        return status == LOCBO_OK ? tell(r, trial.id, y, error) : status;
    }
    for (size_t k = 0; k < r->problem.count; k++) m[k] = measured(y[k], 1);
    if (r->task->outputs == TASK_VIEW_MODEL) return locbo_optimizer_add_outputs(r->optimizer, x, m, error);
    m[0].value = penalised(r, y);
    return locbo_optimizer_add(r->optimizer, x, m, error);
}

static locbo_status add_initial(run *r, const double *u, locbo_error *error) {
    double x[PROBLEM_MAX_DIM], y[PROBLEM_MAX_OUTPUTS], told[PROBLEM_MAX_DIM + PROBLEM_MAX_OUTPUTS];
    size_t dim = r->problem.dim, count = r->problem.count;
    from_unit(&r->problem, u, x);
    locbo_status status = measure(r, x, y, error);
    if (status != LOCBO_OK || r->task->outputs == TASK_VIEW_SCALARIZE) return status;
    if (!r->external) return give(r, x, y, error);
    memcpy(told, u, dim * sizeof *told);
    memcpy(told + dim, y, count * sizeof *told);
    return external_tell(r->external, dim + count, told, error);
}

static locbo_status start(run *r, locbo_error *error) {
    protocol_start points = protocol_begin(r->seed, r->task->start == TASK_START_CORNERS);
    double u[PROBLEM_MAX_DIM];
    locbo_status status = LOCBO_OK;
    for (size_t k = 0; k < r->task->initial && status == LOCBO_OK; k++) {
        protocol_initial(&points, r->problem.dim, u);
        status = add_initial(r, u, error);
    }
    return status;
}

/* Whether results and truths lay in the sets that were predicted for them, over all outputs. */
static locbo_status judge(run *r, uint64_t trial, const double *x, const double *y, locbo_error *error) {
    locbo_belief b[PROBLEM_MAX_OUTPUTS];
    double truth[PROBLEM_MAX_OUTPUTS];
    if (r->task->outputs != TASK_VIEW_MODEL) return LOCBO_OK;
    locbo_status status = locbo_optimizer_trial_beliefs(r->optimizer, trial, b, error);
    if (status != LOCBO_OK) return status;
    problem_outputs_evaluate(&r->problem, x, truth);
    for (size_t k = 0; k < r->problem.count; k++) {
        if (isnan(b[k].y_low)) continue;
        r->judged++;
        r->covered += y[k] >= b[k].y_low && y[k] <= b[k].y_high;
        r->covered_f += truth[k] >= b[k].y_low && truth[k] <= b[k].y_high;
        r->interval_f += truth[k] >= b[k].f_low && truth[k] <= b[k].f_high;
    }
    return LOCBO_OK;
}

static locbo_status run_external_round(run *r, locbo_error *error) {
    double u[PROBLEM_MAX_DIM], x[PROBLEM_MAX_DIM], y[PROBLEM_MAX_OUTPUTS];
    locbo_status status = external_ask(r->external, u, error);
    if (status != LOCBO_OK) return status;
    from_unit(&r->problem, u, x);
    r->on_bound += (size_t)is_on_bound(&r->problem, x);
    status = measure(r, x, y, error);
    return status == LOCBO_OK ? external_tell(r->external, r->problem.count, y, error) : status;
}

static locbo_status run_round(run *r, size_t round, locbo_error *error) {
    locbo_ask_options how = {.struct_size = sizeof how, .candidates = r->task->pool};
    locbo_trial trial;
    double x[PROBLEM_MAX_DIM], y[PROBLEM_MAX_OUTPUTS], begin = protocol_ms();
    locbo_status status = r->task->outputs == TASK_VIEW_SCALARIZE ? scalarize(r, round, error) : LOCBO_OK;
    if (status == LOCBO_OK) status = locbo_optimizer_ask_with(r->optimizer, &how, &trial, x, error);
    double asked = protocol_ms();
    if (status == LOCBO_OK) status = measure(r, x, y, error);
    if (status == LOCBO_OK) status = judge(r, trial.id, x, y, error);
    if (status != LOCBO_OK) return status;
    r->on_bound += (size_t)is_on_bound(&r->problem, x);
    double told = protocol_ms();
    status = tell(r, trial.id, y, error);
    r->ms += asked - begin + protocol_ms() - told;
    return status;
}

/* ---- What is reported ---------------------------------------------------------------------------- */

/* The reported points of a row, into r->reported, and the mean of the model's probabilities that they are feasible. */
typedef struct report {
    size_t n;
    double promised;
} report;

/* The believed front of an optimizer with all outputs; what was measured best if it has no model. */
static locbo_status report_front(run *r, locbo_optimizer *o, report *made, locbo_error *error) {
    size_t dim = r->problem.dim, count = 0;
    locbo_front_point *point = mem_new(r->log.n, sizeof *point);
    double *x = mem_new(r->log.n, dim * sizeof *x);
    locbo_status status = LOCBO_OK;
    if (!point || !x)
        status = status_no_memory(error);
    else
        status = locbo_optimizer_front(o, LOCBO_FRONT_BELIEVED, r->log.n, point, x, NULL, NULL, &count, error);
    *made = (report){count, 0};
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
        memcpy(r->reported + i * PROBLEM_MAX_DIM, x + i * dim, dim * sizeof *x);
        made->promised += point[i].feasible / (double)count;
    }
    mem_free(point);
    mem_free(x);
    if (status != LOCBO_ERR_STATE) return status;
    *made = (report){outputs_log_front(&r->log, r->reported), (double)NAN};
    return LOCBO_OK;
}

static locbo_status report_scalarized(run *r, report *made, locbo_error *error) {
    locbo_optimizer *believer = NULL;
    locbo_status status = create_believer(r, &believer, error);
    if (status == LOCBO_OK) status = report_front(r, believer, made, error);
    locbo_optimizer_destroy(believer);
    return status;
}

/* One objective. Without any result, where all were infeasible, there is nothing to recommend. */
static locbo_status report_point(run *r, report *made, locbo_error *error) {
    locbo_choice choice;
    locbo_status status = locbo_optimizer_recommend(r->optimizer, &choice, r->reported, error);
    *made = (report){1, r->task->outputs == TASK_VIEW_MODEL ? choice.feasible : (double)NAN};
    if (status != LOCBO_ERR_STATE) return status;
    *made = (report){0, (double)NAN};
    return LOCBO_OK;
}

/* The recommended point of an external method, after the last round. */
static locbo_status finish_external(run *r, report *made, locbo_error *error) {
    double u[PROBLEM_MAX_DIM];
    locbo_status status = LOCBO_OK;
    if (r->objectives == 1) {
        status = external_ask(r->external, u, error);
        if (status == LOCBO_OK) from_unit(&r->problem, u, r->reported);
        made->n = 1;
    }
    return status == LOCBO_OK ? external_finish(r->external, error) : status;
}

static locbo_status make_report(run *r, size_t t, report *made, locbo_error *error) {
    double *grown = mem_new(r->log.n, PROBLEM_MAX_DIM * sizeof *grown);
    if (!grown) return status_no_memory(error);
    mem_free(r->reported);
    r->reported = grown;
    if (!r->external && !is_random(r)) {
        if (r->objectives == 1) return report_point(r, made, error);
        if (r->task->outputs == TASK_VIEW_SCALARIZE) return report_scalarized(r, made, error);
        return report_front(r, r->optimizer, made, error);
    }
    *made = (report){outputs_log_front(&r->log, r->reported), (double)NAN};
    return r->external && t == r->task->rounds ? finish_external(r, made, error) : LOCBO_OK;
}

/* The worth of what was measured best. */
static locbo_status measured_worth(const run *r, outputs_worth *worth, locbo_error *error) {
    double *x = mem_new(r->log.n, PROBLEM_MAX_DIM * sizeof *x);
    if (!x) return status_no_memory(error);
    size_t n = outputs_log_front(&r->log, x);
    locbo_status status = outputs_worth_of(&r->problem, r->worst, n, x, worth, error);
    mem_free(x);
    return status;
}

static locbo_status record_row(run *r, size_t t, task_row *row, locbo_error *error) {
    double judged = r->judged ? (double)r->judged : (double)NAN;
    double rounds = t > r->recorded ? (double)(t - r->recorded) : (double)NAN;
    outputs_worth best, worth;
    report made;
    locbo_status status = make_report(r, t, &made, error);
    if (status == LOCBO_OK) status = measured_worth(r, &best, error);
    if (status == LOCBO_OK) status = outputs_worth_of(&r->problem, r->worst, made.n, r->reported, &worth, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < TASK_ROW_NUMBERS; i++) task_numbers(row)[i] = (double)NAN;
    row->t = t;
    row->observed = best.regret;
    row->recommended = worth.regret;
    row->feasible = worth.feasible;
    row->promised = made.promised;
    row->covered = r->covered / judged;
    row->covered_f = r->covered_f / judged;
    row->interval_f = r->interval_f / judged;
    row->on_bound = (double)r->on_bound / rounds;
    row->ms = r->external ? (double)NAN : r->ms / rounds;
    r->recorded = t;
    r->judged = r->on_bound = 0;
    r->covered = r->covered_f = r->interval_f = r->ms = 0;
    return LOCBO_OK;
}

/* ---- The run ------------------------------------------------------------------------------------- */

static locbo_status start_external(run *r, locbo_error *error) {
    const task *t = r->task;
    char words[16 * PROBLEM_MAX_OUTPUTS];
    size_t used = 0;
    locbo_status status = external_start(&r->external, t->program, PROTOCOL_LINE_SECONDS, error);
    for (size_t k = 0; k < r->problem.count; k++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", k ? " " : "",
                                 r->problem.output[k].goal == PROBLEM_MINIMIZE ? "minimize" : "at-most-0");
    if (status != LOCBO_OK) return status;
    return external_greet(r->external, r->problem.dim, r->seed, t->initial, t->rounds, words, error);
}

static locbo_status make_space(run *r, locbo_error *error) {
    locbo_status status = locbo_space_create(&r->space, error);
    for (size_t i = 0; status == LOCBO_OK && i < r->problem.dim; i++) {
        char name[24];
        snprintf(name, sizeof name, "x%zu", i + 1);
        status = locbo_space_add_real(r->space, name, r->problem.low[i], r->problem.high[i], LOCBO_LINEAR, error);
    }
    return status;
}

static locbo_status prepare(run *r, locbo_error *error) {
    if (r->task->program[0]) return start_external(r, error);
    locbo_status status = make_space(r, error);
    if (status != LOCBO_OK || r->task->outputs == TASK_VIEW_SCALARIZE) return status;
    return create(r, r->task->outputs == TASK_VIEW_MODEL ? 0 : r->problem.count, r->seed, &r->optimizer, error);
}

static locbo_status run_rounds(run *r, task_record *record, locbo_error *error) {
    const task *t = r->task;
    locbo_status status = start(r, error);
    if (status == LOCBO_OK) status = record_row(r, 0, &record->row[record->rows++], error);
    for (size_t round = 1; round <= t->rounds && status == LOCBO_OK; round++) {
        status = r->external ? run_external_round(r, error) : run_round(r, round, error);
        if (status == LOCBO_OK && task_records(t, round))
            status = record_row(r, round, &record->row[record->rows++], error);
    }
    return status;
}

locbo_status outputs_run(const problem_outputs *p, const task *t, uint64_t seed, task_record *record,
                         locbo_error *error) {
    run *r = mem_new(1, sizeof *r);
    if (!r) return status_no_memory(error);
    r->task = t;
    r->seed = seed;
    choose_problem(r, p);
    locbo_status status = prepare(r, error);
    if (status == LOCBO_OK) status = run_rounds(r, record, error);
    external_destroy(r->external);
    locbo_optimizer_destroy(r->optimizer);
    locbo_space_destroy(r->space);
    outputs_log_release(&r->log);
    mem_free(r->reported);
    mem_free(r);
    return status;
}
