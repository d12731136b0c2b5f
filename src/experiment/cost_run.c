/* cost_run.c - one run of a problem with a fidelity: evaluations at the fidelity that the method chooses, each of which
 * has its cost, and rows by what has been spent. Layer: experiment, above the problems, the library, hyperband and
 * curve_end. */
#include "cost_run.h"

#include <math.h>
#include <string.h>

#include "curve_end.h"
#include "hyperband.h"
#include "mem.h"
#include "protocol.h"
#include "status.h"

enum { MOST_DIM = PROBLEM_MAX_DIM + 1 }; /* the last one: the fidelity */

static const double ROUNDING = 1e-9;

/* The state of a run. */
typedef struct run {
    const task *task;
    const problem_fidelity *problem;
    uint64_t seed;
    problem full;
    problem_room room;
    noise noise;
    double spread;
    locbo_space *space;
    locbo_optimizer *optimizer; /* none: hyperband */
    curve_end *ends;            /* none: no evaluation is ended */
    task_record *record;
    double clock; /* rounds so far: cost or evaluations */
    int is_over;
    /* what has been spent so far */
    double cost, full_cost;
    uint64_t evaluations, ended, mistaken;
    /* what is known: the best measured point, by fidelity first, and what is recommended */
    double best_s, best_y, best_x[PROBLEM_MAX_DIM], recommended[PROBLEM_MAX_DIM];
    int is_news; /* something was measured since the last row */
    double ms;
    uint64_t since;
} run;

/* ---- Settings that fit ----------------------------------------------------------------------------- */

static locbo_status check_plain(const task *t, locbo_error *error) {
    if (t->fidelity || t->cost || t->end || t->go_on || t->count || t->target)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "fidelity, cost, end, go_on, count and target are for problems with a fidelity, not %s",
                           t->problem);
    return LOCBO_OK;
}

locbo_status cost_run_check(const problem_fidelity *p, const task *t, locbo_error *error) {
    int is_random = t->options.method == LOCBO_METHOD_RANDOM;
    if (!p) return check_plain(t, error);
    if (t->program[0]) return status_fail(error, LOCBO_ERR_ARGUMENT, "%s is not for programs", t->problem);
    if (t->pool || t->grid || t->law != TASK_LAW_EXACT || t->start != TASK_START_UNIFORM)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "pool, grid, law and start are not for %s, which has a fidelity",
                           t->problem);
    if (t->target > t->rounds)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "target must be at most rounds, %zu, got %zu", t->rounds,
                           t->target);
    if (t->fidelity == TASK_FIDELITY_CHOOSE && is_random)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "fidelity choose needs a model, and method random has none");
    if (t->fidelity == TASK_FIDELITY_HYPERBAND && !is_random)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "fidelity hyperband needs method random");
    if (t->go_on && t->fidelity != TASK_FIDELITY_HYPERBAND)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "go_on needs fidelity hyperband");
    if (t->end && (!p->is_curve || t->fidelity != TASK_FIDELITY_FULL))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "end needs fidelity full, and a problem that reports steps");
    if (t->end_from < 1) return status_fail(error, LOCBO_ERR_ARGUMENT, "end_from must be at least 1, got 0");
    if (!(t->end_risk > 0 && t->end_risk < 1))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "end_risk must lie in (0,1), got %g", t->end_risk);
    return LOCBO_OK;
}

/* ---- The problem ------------------------------------------------------------------------------------ */

static void choose_problem(run *r) {
    const task *t = r->task;
    r->full = r->problem->full;
    if (t->move || t->rotate) problem_move(&r->full, &r->room, &r->problem->full, r->seed, t->rotate);
    r->noise = t->noise;
    r->spread = problem_spread(&r->full);
    if (t->relative) r->noise.scale *= noise_unit(&t->noise, &r->full, r->spread);
    r->best_s = -INFINITY;
    for (size_t i = 0; i < r->full.dim; i++) { /* what is recommended before anything is known */
        double middle = (r->full.low[i] + r->full.high[i]) / 2;
        r->best_x[i] = r->recommended[i] = problem_kind_of(&r->full, i) == PROBLEM_REAL ? middle : floor(middle);
    }
}

/* What evaluation number k measures at fidelity s. */
static double measure(const run *r, uint64_t k, const double *x, double s) {
    draw d = protocol_step(r->seed, k, r->problem->is_curve ? (uint64_t)s : 0);
    return problem_fidelity_measure(r->problem, &r->full, &r->noise, r->spread, x, s, &d);
}

static int is_better(const run *r, double a, double b) { return r->full.maximize ? a > b : a < b; }

/* Larger is better. */
static double turned(const run *r, double y) { return r->full.maximize ? y : -y; }

/* ---- The optimizer ------------------------------------------------------------------------------------ */

static locbo_status add_parameter(run *r, size_t i, locbo_error *error) {
    const problem *p = &r->full;
    char name[] = "x1";
    name[1] = (char)('1' + i);
    locbo_parameter_spec spec = {.struct_size = sizeof spec, .name = name, .low = p->low[i], .high = p->high[i]};
    if (problem_kind_of(p, i) == PROBLEM_INTEGER) spec.kind = LOCBO_INT;
    return locbo_space_add(r->space, &spec, error);
}

/* The fidelity as the last parameter, and what it costs. */
static locbo_status add_fidelity(run *r, locbo_error *error) {
    const problem_fidelity *p = r->problem;
    locbo_parameter_spec spec = {
        .struct_size = sizeof spec, .name = "fidelity", .low = p->low, .high = p->high, .fidelity = 1};
    if (p->kind == PROBLEM_INTEGER) spec.kind = LOCBO_INT;
    locbo_status status = locbo_space_add(r->space, &spec, error);
    if (status != LOCBO_OK || r->task->cost == TASK_PRICE_MEASURED) return status;
    return locbo_space_set_cost(r->space, p->cost, error);
}

static locbo_status make_optimizer(run *r, locbo_error *error) {
    locbo_options options = r->task->options;
    double symmetry = noise_symmetry(&r->noise);
    options.seed = r->seed;
    options.direction = r->full.maximize ? LOCBO_MAXIMIZE : LOCBO_MINIMIZE;
    options.initial = 0; /* its own choice */
    if (symmetry > 0) options.noise_symmetry = symmetry;
    locbo_status status = locbo_space_create(&r->space, error);
    for (size_t i = 0; status == LOCBO_OK && i < r->full.dim; i++) status = add_parameter(r, i, error);
    if (status == LOCBO_OK && r->task->fidelity == TASK_FIDELITY_CHOOSE) status = add_fidelity(r, error);
    return status == LOCBO_OK ? locbo_optimizer_create(&r->optimizer, r->space, &options, error) : status;
}

/* ---- Rows ----------------------------------------------------------------------------------------------- */

static locbo_status recommend(run *r, locbo_error *error) {
    double x[MOST_DIM];
    locbo_choice choice;
    if (!r->is_news) return LOCBO_OK;
    r->is_news = 0;
    if (!r->optimizer) {
        memcpy(r->recommended, r->best_x, sizeof r->recommended);
        return LOCBO_OK;
    }
    locbo_status status = locbo_optimizer_recommend(r->optimizer, &choice, x, error);
    if (status == LOCBO_ERR_STATE) return LOCBO_OK; /* nothing was learnt so far */
    if (status == LOCBO_OK) memcpy(r->recommended, x, r->full.dim * sizeof *x);
    return status;
}

static locbo_status record_row(run *r, size_t t, locbo_error *error) {
    task_row *row = &r->record->row[r->record->rows];
    locbo_status status = recommend(r, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < TASK_ROW_NUMBERS; i++) task_numbers(row)[i] = (double)NAN;
    row->t = t;
    row->observed = problem_regret(&r->full, r->best_x);
    row->recommended = problem_regret(&r->full, r->recommended);
    row->ms = r->since ? r->ms / (double)r->since : (double)NAN;
    row->cost = r->cost;
    row->evaluations = (double)r->evaluations;
    row->full = r->cost > 0 ? r->full_cost / r->cost : (double)NAN;
    row->ended = (double)r->ended;
    row->mistaken = (double)r->mistaken;
    r->ms = 0;
    r->since = 0;
    r->record->rows++;
    return LOCBO_OK;
}

/* The round of the next row. */
static size_t next_round(const run *r) {
    size_t t = r->record->rows * r->task->every;
    return t < r->task->rounds ? t : r->task->rounds;
}

/* The time goes on to the end of an evaluation of this cost; rows before it are recorded without it. What does not end
 * in time is not known: the run is over then. */
static locbo_status spend(run *r, double cost, int is_full, locbo_error *error) {
    double after = r->clock + (r->task->count == TASK_COUNT_COST ? cost : 1);
    size_t rows = task_rows(r->task);
    while (r->record->rows < rows && (double)next_round(r) < after - ROUNDING) {
        locbo_status status = record_row(r, next_round(r), error);
        if (status != LOCBO_OK) return status;
    }
    if (r->record->rows == rows) {
        r->is_over = 1;
        return LOCBO_OK;
    }
    r->clock = after;
    r->cost += cost;
    r->full_cost += is_full ? cost : 0;
    r->evaluations++;
    r->is_news = 1;
    return LOCBO_OK;
}

/* A value that counts: those at a higher fidelity before all others. */
static void observe(run *r, const double *x, double s, double y) {
    if (s < r->best_s || (s == r->best_s && !is_better(r, y, r->best_y))) return;
    r->best_s = s;
    r->best_y = y;
    memcpy(r->best_x, x, r->full.dim * sizeof *x);
}

/* ---- Methods -------------------------------------------------------------------------------------------- */

static locbo_status tell(run *r, uint64_t trial, double y, double cost, locbo_error *error) {
    locbo_measurement m = {y, (double)NAN, 1};
    locbo_status status = locbo_optimizer_tell(r->optimizer, trial, &m, error);
    if (status != LOCBO_OK || r->task->fidelity != TASK_FIDELITY_CHOOSE || r->task->cost == TASK_PRICE_GIVEN)
        return status;
    return locbo_optimizer_tell_cost(r->optimizer, trial, cost, error);
}

/* An evaluation that was ended: its expected final value, if anything is known of that. */
static locbo_status tell_ended(run *r, uint64_t trial, locbo_error *error) {
    locbo_measurement m = {.n = 1};
    curve_end_expected(r->ends, &m.value, &m.sd);
    m.value = turned(r, m.value);
    return locbo_optimizer_tell_ended(r->optimizer, trial, NULL, isnan(m.value) ? NULL : &m, error);
}

/* The step at which the evaluation ends, and its value there. */
static locbo_status run_steps(run *r, uint64_t k, const double *x, double *s, double *y, locbo_error *error) {
    double high = r->problem->high;
    int is_ended = 0;
    locbo_status status = LOCBO_OK;
    curve_end_begin(r->ends);
    for (double step = 1; step <= high && status == LOCBO_OK && !is_ended; step++) {
        *s = step;
        *y = measure(r, k, x, step);
        status = curve_end_report(r->ends, turned(r, *y), &is_ended, error);
    }
    return status;
}

/* What a trial costs, and then what it tells. */
static locbo_status evaluate(run *r, uint64_t trial, const double *x, double s, locbo_error *error) {
    const problem_fidelity *p = r->problem;
    uint64_t k = r->evaluations;
    int is_full = s == p->high;
    double y = r->ends ? 0 : measure(r, k, x, s);
    locbo_status status = r->ends ? run_steps(r, k, x, &s, &y, error) : LOCBO_OK;
    if (status == LOCBO_OK) status = spend(r, p->price(s), is_full, error);
    if (status != LOCBO_OK || r->is_over) return status;
    double begin = protocol_ms();
    if (is_full && s < p->high) {
        r->ended++;
        r->mistaken += r->best_s == p->high && is_better(r, measure(r, k, x, p->high), r->best_y);
        status = tell_ended(r, trial, error);
    } else {
        observe(r, x, s, y);
        status = tell(r, trial, y, p->price(s), error);
    }
    r->ms += protocol_ms() - begin;
    return status;
}

/* Rounds of ask, measure and tell. */
static locbo_status run_optimizer(run *r, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    while (!r->is_over && status == LOCBO_OK) {
        locbo_trial trial;
        double x[MOST_DIM], begin = protocol_ms();
        x[r->full.dim] = r->problem->high;
        status = locbo_optimizer_ask(r->optimizer, &trial, x, error);
        r->ms += protocol_ms() - begin;
        r->since++;
        if (status == LOCBO_OK) status = evaluate(r, trial.id, x, x[r->full.dim], error);
    }
    return status;
}

/* ---- Hyperband ------------------------------------------------------------------------------------------ */

typedef struct entry {
    double x[PROBLEM_MAX_DIM], y; /* larger is better */
} entry;

/* The best ones first; the order of equal ones does not change. */
static void sort_entries(size_t n, entry *e) {
    for (size_t i = 1; i < n; i++) {
        entry one = e[i];
        size_t j = i;
        while (j > 0 && e[j - 1].y < one.y) e[j] = e[j - 1], j--;
        e[j] = one;
    }
}

/* All n points at a rung. Points that went on from the rung below cost the difference. */
static locbo_status run_rung(run *r, const hyperband *h, size_t rung, double paid, size_t n, entry *e,
                             locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < n && status == LOCBO_OK && !r->is_over; i++) {
        double y = measure(r, r->evaluations, e[i].x, h->fidelity[rung]);
        e[i].y = turned(r, y);
        status = spend(r, h->cost[rung] - paid, rung == 0, error);
        if (status == LOCBO_OK && !r->is_over) observe(r, e[i].x, h->fidelity[rung], y);
    }
    sort_entries(n, e);
    return status;
}

static locbo_status run_bracket(run *r, const hyperband *h, size_t b, protocol_start *points, entry *e,
                                locbo_error *error) {
    size_t n = hyperband_count(h, b, b);
    double u[PROBLEM_MAX_DIM], paid = 0;
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < n; i++) {
        protocol_initial(points, r->full.dim, u);
        problem_from_unit(&r->full, u, e[i].x);
    }
    for (size_t rung = b + 1; rung-- > 0 && status == LOCBO_OK && !r->is_over;) {
        status = run_rung(r, h, rung, paid, hyperband_count(h, b, rung), e, error);
        paid = r->task->go_on ? h->cost[rung] : 0;
    }
    return status;
}

static locbo_status run_hyperband(run *r, locbo_error *error) {
    hyperband h = hyperband_of(r->problem);
    protocol_start points = protocol_begin(r->seed, 0);
    entry *e = mem_new(hyperband_count(&h, h.rungs - 1, h.rungs - 1), sizeof *e); /* the largest bracket */
    locbo_status status = e ? LOCBO_OK : status_no_memory(error);
    while (!r->is_over && status == LOCBO_OK)
        for (size_t b = h.rungs; b-- > 0 && status == LOCBO_OK && !r->is_over;)
            status = run_bracket(r, &h, b, &points, e, error);
    mem_free(e);
    return status;
}

/* ---- All of a run --------------------------------------------------------------------------------------- */

static locbo_status run_all(run *r, locbo_error *error) {
    const task *t = r->task;
    choose_problem(r);
    if (t->fidelity == TASK_FIDELITY_HYPERBAND) return run_hyperband(r, error);
    locbo_status status = make_optimizer(r, error);
    if (status == LOCBO_OK && t->end)
        status =
            curve_end_create(&r->ends, t->end, t->end_risk, t->end_from, (uint64_t)r->problem->high, r->seed, error);
    return status == LOCBO_OK ? run_optimizer(r, error) : status;
}

locbo_status cost_run(const problem_fidelity *p, const task *t, uint64_t seed, task_record *record,
                      locbo_error *error) {
    run *r = mem_new(1, sizeof *r);
    if (!r) return status_no_memory(error);
    r->problem = p;
    r->task = t;
    r->seed = seed;
    r->record = record;
    locbo_status status = run_all(r, error);
    curve_end_destroy(r->ends);
    locbo_optimizer_destroy(r->optimizer);
    locbo_space_destroy(r->space);
    mem_free(r);
    return status;
}
