/* task.c - one run of an experiment: initial points, rounds of ask, measure and tell, and the recorded rows (simple
 * regret, eq:simple_regret; coverage of y and of f). The points come from the library's optimizer or from an external
 * method. Problems with several outputs are run by outputs_run, those with a fidelity by cost_run. Layer: experiment,
 * above the problems, the library, thirds and external. */
#include "task.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "number.h"
#include "published.h"
#include "cost_run.h"
#include "external.h"
#include "outputs_run.h"
#include "protocol.h"
#include "quarters.h"
#include "status.h"
#include "thirds.h"

enum { MOST_INITIAL = 1000000 }; /* the library's limit */

static const double FULL_POWER = 46; /* dBm, of the first incumbent of the radio problem */

/* ---- Settings and columns -------------------------------------------------------------------------- */

static const char *const starts[] = {"uniform", "corners", NULL};                        /* as in task_start */
static const char *const laws[] = {"exact", "published", "script", NULL};                /* as in task_law */
static const char *const fidelities[] = {"full", "choose", "hyperband", NULL};           /* as in task_fidelity */
static const char *const prices[] = {"given", "measured", NULL};                         /* as in task_price */
static const char *const ends[] = {"none", "risk", "median", "halving", NULL};           /* as in curve_rule */
static const char *const counts[] = {"cost", "evaluations", NULL};                       /* as in task_count */
static const char *const views[] = {"model", "penalty", "exit-code", "scalarize", NULL}; /* as in task_view */

#define SETTING_ROW(kind, type, name, standard, words) {#name, TASK_##kind, offsetof(task, name), words},
const task_setting task_settings[] = {TASK_SETTINGS(SETTING_ROW){NULL, TASK_TEXT, 0, NULL}};

#define COLUMN_ROW(name, NAME, since, of_run) {#name, since, TASK_##of_run},
const task_column task_columns[TASK_ROW_NUMBERS] = {TASK_COLUMNS(COLUMN_ROW)};

_Static_assert(sizeof(task_row) == offsetof(task_row, observed) + TASK_ROW_NUMBERS * sizeof(double) &&
                   sizeof(task_point) == TASK_POINT_NUMBERS * sizeof(double),
               "the numbers are contiguous");

double *task_numbers(const task_row *row) {
    return (double *)(void *)((char *)(uintptr_t)row + offsetof(task_row, observed));
}

#define STANDARD(kind, type, name, standard, words) .name = standard,
void task_init(task *t) {
    *t = (task){TASK_SETTINGS(STANDARD)};
    locbo_options_init(&t->options);
    t->options.recommendation = LOCBO_RECOMMEND_EVALUATED; /* whatever the library's default is */
}

int task_is_radio(const task *t) { return strcmp(t->problem, "radio") == 0; }

static locbo_status check_noise(const noise *n, int relative, locbo_error *error) {
    const char *name = noise_kind_text(n->kind);
    int has_share = n->kind == NOISE_OUTLIERS || n->kind == NOISE_UNIFORM || n->kind == NOISE_CAUCHY;
    if (n->kind == NOISE_NONE) return LOCBO_OK;
    if (has_share && !(n->shape > 0 && n->shape <= 1))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "noise %s needs a shape in (0,1], got %g", name, n->shape);
    if (n->kind == NOISE_UNIFORM) return LOCBO_OK; /* no scale */
    if (!(n->scale > 0) || !isfinite(n->scale))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "noise %s needs a scale above 0, got %g", name, n->scale);
    if (n->kind == NOISE_NORM && !(n->shape >= 0))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "noise norm needs a shape of 0 or more, got %g", n->shape);
    if (n->kind == NOISE_NORM && relative)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "noise norm cannot be relative: it is divided by its scale");
    if (n->kind == NOISE_STUDENT && !(n->shape > 0))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "noise student needs a shape above 0, got %g", n->shape);
    return LOCBO_OK;
}

/* The conditions are part of the optimizer's space, and of a problem that has some. */
static locbo_status check_conditional(const task *t, const problem *p, locbo_error *error) {
    int any = 0;
    if (!t->conditional) return LOCBO_OK;
    for (size_t i = 0; p && i < p->dim; i++) any |= problem_when(p, i) >= 0;
    if (!any)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "conditional is for problems with conditions, and %s has none",
                           t->problem);
    if (!t->program[0]) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "conditional needs the optimizer's space, and a program has none");
}

static locbo_status check_radio(const task *t, locbo_error *error) {
    if (!task_is_radio(t) && (t->sectors || t->script || t->channels != 1 || t->shadowing != 0))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "sectors, script, channels and shadowing are for the radio problem, not %s", t->problem);
    if (t->channels < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "channels must be at least 1, got %d", t->channels);
    if (!(t->shadowing >= 0) || !isfinite(t->shadowing))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "shadowing must be 0 dB or more, got %g", t->shadowing);
    if (task_is_radio(t) && (t->move || t->rotate || t->noise.kind != NOISE_NONE))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "move, rotate and noise are not for the radio problem, which has its own noise");
    return LOCBO_OK;
}

/* The published formula replaces expected improvement, and needs LOCBO's set. */
static locbo_status check_law(const task *t, locbo_error *error) {
    locbo_acquisition a = t->options.acquisition;
    int improvement = a == LOCBO_ACQUISITION_EI || a == LOCBO_ACQUISITION_LOG_EI;
    if (t->law == TASK_LAW_EXACT || (t->options.method == LOCBO_METHOD_LOCBO && improvement)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "law %s needs method locbo with acquisition ei or log-ei",
                       laws[t->law]);
}

/* An external method has no model, so settings of the model are refused; it ignores the optimizer's options. */
static locbo_status check_program(const task *t, locbo_error *error) {
    int blank = 1;
    if (!t->program[0]) return LOCBO_OK;
    for (const char *at = t->program; *at; at++) {
        blank = blank && *at == ' ';
        if (iscntrl((unsigned char)*at))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "program must be one line of text");
    }
    if (blank) return status_fail(error, LOCBO_ERR_ARGUMENT, "program is empty");
    if (t->grid || t->law != TASK_LAW_EXACT)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s needs the optimizer's model, and a program has none",
                           t->grid ? "grid" : "law");
    return LOCBO_OK;
}

/* How a method sees several outputs depends on what they are. */
static locbo_status check_view(const task *t, const problem_outputs *several, locbo_error *error) {
    const char *view = views[t->outputs];
    if (!several && t->outputs != TASK_VIEW_MODEL)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "outputs %s needs several outputs, %s has one", view, t->problem);
    if (!several) return LOCBO_OK;
    size_t objectives = problem_outputs_objectives(several);
    if (t->outputs == TASK_VIEW_SCALARIZE ? objectives < 2 : t->outputs != TASK_VIEW_MODEL && objectives > 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "outputs %s needs %s, %s has %zu", view,
                           objectives > 1 ? "one objective" : "several objectives", t->problem, objectives);
    if (objectives > 1 && (t->move || t->rotate))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "move and rotate are for one objective, %s has %zu", t->problem,
                           objectives);
    if (t->law != TASK_LAW_EXACT) return status_fail(error, LOCBO_ERR_ARGUMENT, "law is for one output");
    return LOCBO_OK;
}

locbo_status task_check(const task *t, locbo_error *error) {
    const problem *p = problem_find(t->problem);
    const problem_outputs *several = problem_outputs_find(t->problem);
    const problem_fidelity *levels = problem_fidelity_find(t->problem);
    if (levels) p = &levels->full;
    size_t dim = p ? p->dim : several ? several->dim : (size_t)RADIO_DIM;
    if (!t->problem[0]) return status_fail(error, LOCBO_ERR_ARGUMENT, "problem is missing");
    if (!p && !several && !task_is_radio(t))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no problem '%s'", t->problem);
    if (t->rounds < 1 || t->every < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "rounds and every must be at least 1, got %zu and %zu", t->rounds,
                           t->every);
    if (t->initial < 1 || t->initial > MOST_INITIAL)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "initial must lie in [1, %d], got %zu", MOST_INITIAL, t->initial);
    if (t->grid && dim != 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "grid is for one parameter, %s has %zu", t->problem, dim);
    if (t->batch < 1) return status_fail(error, LOCBO_ERR_ARGUMENT, "batch must be at least 1, got 0");
    if (t->batch > 1 && (several || levels || t->sectors))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "batch is for one output at full fidelity, and not for sectors");
    if (p && p->kinds && t->rotate)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "rotate is for real parameters, and %s has others", t->problem);
    locbo_status status = check_program(t, error);
    if (status == LOCBO_OK) status = check_conditional(t, p, error);
    if (status == LOCBO_OK) status = check_radio(t, error);
    if (status == LOCBO_OK) status = check_noise(&t->noise, t->relative, error);
    if (status == LOCBO_OK) status = check_law(t, error);
    if (status == LOCBO_OK) status = check_view(t, several, error);
    if (status == LOCBO_OK) status = cost_run_check(levels, t, error);
    return status == LOCBO_OK ? locbo_options_check(&t->options, error) : status;
}

/* ---- Two tasks compared ------------------------------------------------------------------------ */

static int say_difference(char text[TASK_DIFFERENCE], const char *key, const char *there, const char *here) {
    snprintf(text, TASK_DIFFERENCE, "%s %s there, %s here", key, there, here);
    return 1;
}

/* `words`: the names of the numbers; NULL: print the numbers. */
static int numbers_differ(const char *key, double a, double b, const char *const *words, char text[TASK_DIFFERENCE]) {
    char there[NUMBER_TEXT], here[NUMBER_TEXT];
    if (a == b) return 0;
    number_print(a, there);
    number_print(b, here);
    return say_difference(text, key, words ? words[(int)a] : there, words ? words[(int)b] : here);
}

static double number_at(const task_setting *s, const void *at) {
    if (s->kind == TASK_REAL) return *(const double *)at;
    return s->kind == TASK_SIZE ? (double)*(const size_t *)at : *(const int *)at;
}

static int setting_differs(const task_setting *s, const task *a, const task *b, char text[TASK_DIFFERENCE]) {
    const void *x = (const char *)a + s->offset, *y = (const char *)b + s->offset;
    const noise *there = x, *here = y;
    if (s->kind == TASK_TEXT) return strcmp(x, y) != 0 && say_difference(text, s->key, x, y);
    if (s->kind != TASK_NOISE) return numbers_differ(s->key, number_at(s, x), number_at(s, y), s->words, text);
    if (there->kind != here->kind)
        return say_difference(text, "noise.kind", noise_kind_text(there->kind), noise_kind_text(here->kind));
    return numbers_differ("noise.scale", there->scale, here->scale, NULL, text) ||
           numbers_differ("noise.shape", there->shape, here->shape, NULL, text);
}

/* Options that the run sets itself. */
static int is_set_by_run(const char *option) {
    static const char *const ours[] = {"seed", "direction", "noise_symmetry", "initial"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (strcmp(ours[i], option) == 0) return 1;
    return 0;
}

/* An external method ignores them. */
static int options_differ(const task *a, const task *b, char text[TASK_DIFFERENCE]) {
    char there[64], here[64];
    locbo_option o;
    if (a->program[0]) return 0;
    for (size_t i = 0; locbo_option_describe(i, &o, NULL) == LOCBO_OK; i++) {
        if (is_set_by_run(o.name)) continue;
        locbo_options_get(&a->options, o.name, there, sizeof there, NULL);
        locbo_options_get(&b->options, o.name, here, sizeof here, NULL);
        if (strcmp(there, here) != 0) return say_difference(text, o.name, there, here);
    }
    return 0;
}

static int programs_differ(const task *a, const task *b, char text[TASK_DIFFERENCE]) {
    char there[64], here[64];
    snprintf(there, sizeof there, "'%.50s'", a->program);
    snprintf(here, sizeof here, "'%.50s'", b->program);
    return say_difference(text, "program", a->program[0] ? there : "none", b->program[0] ? here : "none");
}

int task_difference(const task *there, const task *here, char text[TASK_DIFFERENCE]) {
    if (strcmp(there->problem, here->problem) == 0 && strcmp(there->program, here->program) != 0)
        return programs_differ(there, here, text);
    for (const task_setting *s = task_settings; s->key; s++)
        if (setting_differs(s, there, here, text)) return 1;
    return options_differ(there, here, text);
}

/* ---- One run ----------------------------------------------------------------------------------- */

int task_records(const task *t, size_t round) { return round % t->every == 0 || round == t->rounds; }

size_t task_rows(const task *t) { return 1 + (t->rounds + t->every - 1) / t->every; }

/* A trial that is not measured yet. */
typedef struct outstanding {
    locbo_trial trial;
    double best_y; /* the best observation when it was asked for */
    double x[PROBLEM_MAX_DIM];
} outstanding;

/* The state of a run. */
typedef struct run {
    const task *task;
    uint64_t seed;
    problem problem;
    problem_room room;
    radio radio;
    noise noise;
    double spread;
    locbo_space *space;
    locbo_optimizer *optimizer; /* or */
    external *external;
    outstanding *batch;
    uint64_t evaluations;
    double best_y, best_x[PROBLEM_MAX_DIM]; /* the incumbent: the best observation */
    /* since the last row: all rounds, those with a set, sums over these */
    size_t recorded, since, judged, on_bound; /* `recorded`: the round of the last row */
    double covered, covered_f, interval_f, utility, width, ms;
    /* since the first round: the rounds with a set */
    size_t queries, query_room, quarter_room[2];
    thirds_query *query;
    quarters_round *quarter[2]; /* by the width of the noise, by the truth */
} run;

static void choose_problem(run *r) {
    const task *t = r->task;
    if (task_is_radio(t)) {
        radio_options options = {r->seed, t->shadowing, t->script};
        radio_deploy(&r->radio, &options);
        radio_problem(&r->problem, &r->radio);
        return;
    }
    const problem *p = problem_find(t->problem);
    r->problem = *p;
    if (t->move || t->rotate) problem_move(&r->problem, &r->room, p, r->seed, t->rotate);
    r->noise = t->noise;
    r->spread = problem_spread(&r->problem);
    if (t->relative) r->noise.scale *= noise_unit(&t->noise, &r->problem, r->spread);
}

static double measure(run *r, const double *x) {
    draw d = protocol_noise(r->seed, r->evaluations++);
    if (task_is_radio(r->task)) return radio_measure(&r->radio, x, r->task->channels, &d);
    return noise_measure(&r->noise, &r->problem, r->spread, x, &d);
}

static int is_better(const run *r, double a, double b) { return r->problem.maximize ? a > b : a < b; }

static void observe(run *r, const double *x, double y) {
    if (!isnan(r->best_y) && !is_better(r, y, r->best_y)) return;
    r->best_y = y;
    memcpy(r->best_x, x, r->problem.dim * sizeof *x);
}

static locbo_status add_parameter(run *r, size_t i, locbo_error *error) {
    static const char *const letters[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    const problem *p = &r->problem;
    problem_kind kind = problem_kind_of(p, i);
    char name[24];
    snprintf(name, sizeof name, "x%zu", i + 1);
    locbo_parameter_spec spec = {.struct_size = sizeof spec, .name = name, .low = p->low[i], .high = p->high[i]};
    double when = problem_when(p, i);
    if (kind == PROBLEM_INTEGER) spec.kind = LOCBO_INT;
    if (kind == PROBLEM_CATEGORY) {
        spec.kind = LOCBO_CATEGORICAL;
        spec.count = problem_choices(p, i);
        spec.categories = letters;
        spec.low = spec.high = 0;
    }
    if (r->task->conditional && when >= 0) {
        spec.parent = "x1";
        spec.when_count = 1;
        spec.when = &when;
    }
    return locbo_space_add(r->space, &spec, error);
}

/* With conditions the optimizer gets no value of a parameter that does not count, and proposes none. The rest of a run
 * has the middle of its range there, which changes no value of the problem. */
static void hide_inactive(const run *r, double *x) {
    for (size_t i = 0; i < r->problem.dim && r->task->conditional; i++)
        if (!problem_counts(&r->problem, i, x)) x[i] = (double)NAN;
}

static void fill_inactive(const run *r, double *x) {
    const problem *p = &r->problem;
    for (size_t i = 0; i < p->dim && r->task->conditional; i++)
        if (isnan(x[i])) x[i] = problem_kind_of(p, i) == PROBLEM_REAL ? (p->low[i] + p->high[i]) / 2 : p->low[i];
}

static locbo_status make_space(run *r, locbo_error *error) {
    locbo_status status = locbo_space_create(&r->space, error);
    for (size_t i = 0; status == LOCBO_OK && i < r->problem.dim; i++) status = add_parameter(r, i, error);
    return status;
}

static locbo_status make_optimizer(run *r, locbo_error *error) {
    locbo_options options = r->task->options;
    options.seed = r->seed;
    options.direction = r->problem.maximize ? LOCBO_MAXIMIZE : LOCBO_MINIMIZE;
    options.initial = (int)r->task->initial;
    double symmetry = noise_symmetry(&r->noise);
    if (symmetry > 0) options.noise_symmetry = symmetry;
    locbo_status status = make_space(r, error);
    if (status == LOCBO_OK) status = locbo_optimizer_create(&r->optimizer, r->space, &options, error);
    if (status == LOCBO_OK && r->task->law != TASK_LAW_EXACT)
        status = locbo_optimizer_set_score(r->optimizer,
                                           r->task->law == TASK_LAW_SCRIPT ? published_script_score : published_score,
                                           (void *)&r->task->options.alpha, error);
    return status;
}

/* The kinds of the parameters for an external method; empty if all are real. */
static void describe_space(const problem *p, size_t size, char *text) {
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; p->kinds && i < p->dim && used < size; i++) {
        problem_kind kind = problem_kind_of(p, i);
        const char *gap = i ? " " : "";
        if (kind == PROBLEM_REAL) used += (size_t)snprintf(text + used, size - used, "%sreal", gap);
        if (kind == PROBLEM_INTEGER)
            used += (size_t)snprintf(text + used, size - used, "%sint:%g:%g", gap, p->low[i], p->high[i]);
        if (kind == PROBLEM_CATEGORY)
            used += (size_t)snprintf(text + used, size - used, "%scat:%zu", gap, problem_choices(p, i));
    }
}

/* What follows the four numbers of an external method's first line: the kinds of the parameters, unless all are real;
 * the size of a batch, unless it is 1. */
static void describe_run(const problem *p, size_t batch, size_t size, char *text) {
    describe_space(p, size, text);
    size_t used = strlen(text);
    if (batch > 1) snprintf(text + used, size - used, "%sbatch:%zu", used ? " " : "", batch);
}

static locbo_status start_external(run *r, locbo_error *error) {
    const task *t = r->task;
    char space[512];
    locbo_status status = external_start(&r->external, t->program, PROTOCOL_LINE_SECONDS, error);
    if (status != LOCBO_OK) return status;
    describe_run(&r->problem, t->batch, sizeof space, space);
    return external_greet(r->external, r->problem.dim, r->seed, t->initial, t->rounds, space, error);
}

/* External methods minimise. */
static double minimised(const run *r, double y) { return r->problem.maximize ? -y : y; }

/* Measures an initial point and tells it to the optimizer or the external method. */
static locbo_status add_initial(run *r, const double *u, locbo_error *error) {
    double x[PROBLEM_MAX_DIM], told[PROBLEM_MAX_DIM + 1];
    problem_from_unit(&r->problem, u, x);
    locbo_measurement m = {measure(r, x), (double)NAN, 1};
    if (!r->task->sectors) observe(r, x, m.value);
    if (!r->external) {
        hide_inactive(r, x);
        return locbo_optimizer_add(r->optimizer, x, &m, error);
    }
    memcpy(told, u, r->problem.dim * sizeof *told);
    told[r->problem.dim] = minimised(r, m.value);
    return external_tell(r->external, r->problem.dim + 1, told, error);
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

/* The first incumbent of the radio problem: full power, no tilt. It has not been observed. */
static void start_sectors(run *r) {
    for (size_t b = 0; b < RADIO_STATIONS; b++) {
        r->best_x[b] = FULL_POWER;
        r->best_x[RADIO_STATIONS + b] = 0;
    }
}

static locbo_status ask(run *r, size_t round, locbo_trial *trial, double *x, locbo_error *error) {
    locbo_ask_options how = {.struct_size = sizeof how, .candidates = r->task->pool};
    double fixed[PROBLEM_MAX_DIM];
    if (r->task->sectors && r->task->options.method != LOCBO_METHOD_RANDOM) {
        size_t b = (round - 1) % RADIO_STATIONS;
        memcpy(fixed, r->best_x, sizeof fixed);
        fixed[b] = fixed[RADIO_STATIONS + b] = (double)NAN;
        how.fixed = fixed;
    }
    if (!how.fixed && how.candidates == 0) return locbo_optimizer_ask(r->optimizer, trial, x, error);
    return locbo_optimizer_ask_with(r->optimizer, &how, trial, x, error);
}

/* Whether Theorem 1's event holds for u = 1{f > best} - 1, with epsilon = 1, the strictest: u >= 2 (PI - 1)/alpha. */
static double utility_holds(const run *r, const outstanding *o, double truth) {
    if (r->task->options.acquisition != LOCBO_ACQUISITION_PI) return (double)NAN;
    return is_better(r, truth, o->best_y) || 1 - o->trial.belief.acquisition >= r->task->options.alpha / 2;
}

/* Whether a real parameter is on a bound of the box. */
static int is_on_bound(const problem *p, const double *x) {
    for (size_t i = 0; i < p->dim; i++)
        if (problem_kind_of(p, i) == PROBLEM_REAL && (x[i] <= p->low[i] || x[i] >= p->high[i])) return 1;
    return 0;
}

/* Whether the width of the noise is not the same everywhere. */
static int is_uneven(const run *r) {
    noise_kind k = r->noise.kind;
    return k == NOISE_NORM || k == NOISE_INPUT || k == NOISE_MULTIPLICATIVE || k == NOISE_GROWING || k == NOISE_UNIFORM;
}

static locbo_status add_quarters(run *r, const double *x, double truth, int in_set, locbo_error *error) {
    const double key[2] = {is_uneven(r) ? noise_level(&r->noise, &r->problem, r->spread, x) : 0, minimised(r, truth)};
    for (int i = 0; i < 2; i++) {
        if (!mem_reserve(&r->quarter[i], &r->quarter_room[i], r->queries + 1, sizeof *r->quarter[i]))
            return status_no_memory(error);
        r->quarter[i][r->queries] = (quarters_round){.key = key[i], .in_set = in_set};
    }
    return LOCBO_OK;
}

static locbo_status add_coverage(run *r, const outstanding *o, double y, locbo_error *error) {
    const locbo_belief *b = &o->trial.belief;
    const double *x = o->x;
    double truth = problem_value(&r->problem, x);
    r->width = b->y_low > b->y_high ? 0 : b->y_high - b->y_low; /* an empty set */
    if (isnan(b->y_low)) return LOCBO_OK;
    locbo_status status = add_quarters(r, x, truth, y >= b->y_low && y <= b->y_high, error);
    if (status != LOCBO_OK) return status;
    if (!mem_reserve(&r->query, &r->query_room, r->queries + 1, sizeof *r->query)) return status_no_memory(error);
    thirds_query *q = &r->query[r->queries++];
    memcpy(q->x, x, r->problem.dim * sizeof *x);
    q->in_set = y >= b->y_low && y <= b->y_high;
    q->in_interval = truth >= b->f_low && truth <= b->f_high;
    r->judged++;
    r->covered += q->in_set;
    r->covered_f += truth >= b->y_low && truth <= b->y_high;
    r->interval_f += q->in_interval;
    r->utility += utility_holds(r, o, truth);
    return LOCBO_OK;
}

/* An external method has no sets, and its time is not measured. */
static locbo_status run_external_round(run *r, locbo_error *error) {
    double u[PROBLEM_MAX_DIM], x[PROBLEM_MAX_DIM];
    locbo_status status = external_ask(r->external, u, error);
    if (status != LOCBO_OK) return status;
    problem_from_unit(&r->problem, u, x);
    double y = measure(r, x), told = minimised(r, y);
    observe(r, x, y);
    r->on_bound += (size_t)is_on_bound(&r->problem, x);
    return external_tell(r->external, 1, &told, error);
}

static size_t batch_size(const task *t) { return t->batch < t->rounds ? t->batch : t->rounds; }

/* Asks for the trials of this round and the next ones: a batch, or as many as there are rounds left. */
static locbo_status ask_batch(run *r, size_t round, locbo_error *error) {
    size_t left = r->task->rounds - round + 1, n = batch_size(r->task);
    double begin = protocol_ms();
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < n && i < left && status == LOCBO_OK; i++) {
        outstanding *o = &r->batch[i];
        o->best_y = r->best_y;
        status = ask(r, round + i, &o->trial, o->x, error);
        if (status == LOCBO_OK) fill_inactive(r, o->x);
    }
    r->ms += protocol_ms() - begin;
    return status;
}

/* A round is an evaluation. The first one of a batch asks for all of it. */
static locbo_status run_round(run *r, size_t round, locbo_error *error) {
    size_t k = (round - 1) % batch_size(r->task);
    locbo_status status = k == 0 ? ask_batch(r, round, error) : LOCBO_OK;
    if (status != LOCBO_OK) return status;
    outstanding *o = &r->batch[k];
    locbo_measurement m = {measure(r, o->x), (double)NAN, 1};
    r->since++;
    r->on_bound += (size_t)is_on_bound(&r->problem, o->x);
    status = add_coverage(r, o, m.value, error);
    if (status != LOCBO_OK) return status;
    observe(r, o->x, m.value);
    double measured = protocol_ms();
    status = locbo_optimizer_tell(r->optimizer, o->trial.id, &m, error);
    r->ms += protocol_ms() - measured;
    return status;
}

static double merit(const run *r, const double *x) {
    return isnan(r->problem.optimum) ? problem_value(&r->problem, x) : problem_regret(&r->problem, x);
}

/* The point recommended after round t. An external method recommends only at the end; before, the best observed point
 * counts. */
static locbo_status recommend(run *r, size_t t, locbo_choice *choice, double *x, locbo_error *error) {
    double u[PROBLEM_MAX_DIM];
    *choice = (locbo_choice){.low = (double)NAN, .high = (double)NAN};
    if (!r->external) {
        locbo_status status = locbo_optimizer_recommend(r->optimizer, choice, x, error);
        if (status == LOCBO_OK) fill_inactive(r, x);
        return status;
    }
    memcpy(x, r->best_x, sizeof r->best_x);
    if (t < r->task->rounds) return LOCBO_OK;
    locbo_status status = external_ask(r->external, u, error);
    if (status == LOCBO_OK) status = external_finish(r->external, error);
    if (status == LOCBO_OK) problem_from_unit(&r->problem, u, x);
    return status;
}

/* The guaranteed coverage over all rounds so far; there is none for an external method. */
static locbo_status record_bounds(run *r, task_row *row, locbo_error *error) {
    locbo_summary summary;
    row->bound = row->bound_f = (double)NAN;
    if (r->external) return LOCBO_OK;
    locbo_status status = locbo_optimizer_summary(r->optimizer, &summary, error);
    if (status != LOCBO_OK) return status;
    row->bound = summary.coverage_bound;
    if (noise_symmetry(&r->noise) > 0) row->bound_f = summary.coverage_bound_f;
    return LOCBO_OK;
}

/* Coverage by distance from the point that is recommended at the end; NANs in earlier rows. */
static void record_thirds(run *r, const double *x, task_row *row) {
    size_t n = row->t == r->task->rounds ? r->queries : 0;
    thirds found = thirds_measure(&r->problem, x, n, r->query);
    row->near = found.in_set[0];
    row->middle = found.in_set[1];
    row->far = found.in_set[2];
    row->near_f = found.in_interval[0];
    row->middle_f = found.in_interval[1];
    row->far_f = found.in_interval[2];
}

/* Coverage by quarters; NANs before the end. */
static void record_quarters(run *r, task_row *row) {
    size_t n = row->t == r->task->rounds ? r->queries : 0;
    double by_noise[QUARTERS], by_truth[QUARTERS];
    double *const noises[] = {&row->noise1, &row->noise2, &row->noise3, &row->noise4};
    double *const truths[] = {&row->truth1, &row->truth2, &row->truth3, &row->truth4};
    quarters_measure(n, r->quarter[0], by_noise);
    quarters_measure(n, r->quarter[1], by_truth);
    for (size_t k = 0; k < QUARTERS; k++) {
        *noises[k] = by_noise[k];
        *truths[k] = by_truth[k];
    }
}

/* The interval of f at the recommended point. */
static void record_interval(const run *r, const locbo_choice *choice, const double *x, task_row *row) {
    double truth = problem_value(&r->problem, x);
    int is_judged = !isnan(choice->low) && !isnan(choice->high) && noise_centre_of(&r->noise) != NOISE_NEITHER;
    row->holds = is_judged ? choice->low <= truth && truth <= choice->high : (double)NAN;
    row->holds_width = (choice->high - choice->low) / (r->spread > 0 ? r->spread : (double)NAN); /* none for radio */
}

static locbo_status record_row(run *r, size_t t, task_row *row, locbo_error *error) {
    double x[PROBLEM_MAX_DIM], judged = r->judged ? (double)r->judged : (double)NAN;
    double rounds = t > r->recorded ? (double)(t - r->recorded) : (double)NAN;
    locbo_choice choice;
    locbo_status status = recommend(r, t, &choice, x, error);
    if (status != LOCBO_OK) return status;
    *row = (task_row){.t = t,
                      .observed = merit(r, r->best_x),
                      .recommended = merit(r, x),
                      .covered = r->covered / judged,
                      .covered_f = r->covered_f / judged,
                      .interval_f = r->interval_f / judged,
                      .utility = r->utility / judged,
                      .width = t && !r->external ? r->width : (double)NAN,
                      .ms = r->ms / (r->since ? (double)r->since : (double)NAN),
                      .on_bound = (double)r->on_bound / rounds};
    for (double *other = &row->feasible; other <= &row->mistaken; other++) *other = (double)NAN;
    record_thirds(r, x, row);
    record_quarters(r, row);
    record_interval(r, &choice, x, row);
    r->recorded = t;
    r->since = r->judged = r->on_bound = 0;
    r->covered = r->covered_f = r->interval_f = r->utility = r->ms = 0;
    return record_bounds(r, row, error);
}

static locbo_status record_grid(run *r, task_record *record, locbo_error *error) {
    size_t n = r->task->grid;
    const problem *p = &r->problem;
    for (size_t i = 0; i < n; i++) {
        double at = n > 1 ? (double)i / (double)(n - 1) : 0.5;
        double x = p->low[0] + (p->high[0] - p->low[0]) * at;
        locbo_belief b;
        locbo_status status = locbo_optimizer_predict(r->optimizer, 1, &x, &b, error);
        if (status != LOCBO_OK) return status;
        record->point[record->points++] =
            (task_point){x, problem_value(p, &x), b.mean, b.y_low, b.y_high, b.f_low, b.f_high};
    }
    return LOCBO_OK;
}

static locbo_status run_rounds(run *r, task_record *record, locbo_error *error) {
    const task *t = r->task;
    locbo_status status = start(r, error);
    if (t->sectors) start_sectors(r);
    if (status == LOCBO_OK) status = record_row(r, 0, &record->row[record->rows++], error);
    for (size_t round = 1; round <= t->rounds && status == LOCBO_OK; round++) {
        status = r->external ? run_external_round(r, error) : run_round(r, round, error);
        if (status == LOCBO_OK && task_records(t, round))
            status = record_row(r, round, &record->row[record->rows++], error);
    }
    return status == LOCBO_OK && t->grid ? record_grid(r, record, error) : status;
}

static void release_run(run *r) {
    external_destroy(r->external);
    locbo_optimizer_destroy(r->optimizer);
    locbo_space_destroy(r->space);
    mem_free(r->batch);
    mem_free(r->query);
    mem_free(r->quarter[0]);
    mem_free(r->quarter[1]);
    mem_free(r);
}

static locbo_status run_one(const task *t, uint64_t seed, task_record *record, locbo_error *error) {
    run *r = mem_new(1, sizeof *r);
    if (!r) return status_no_memory(error);
    r->task = t;
    r->seed = seed;
    r->best_y = (double)NAN;
    choose_problem(r);
    r->batch = mem_new(t->program[0] ? 0 : batch_size(t), sizeof *r->batch);
    locbo_status status = !r->batch       ? status_no_memory(error)
                          : t->program[0] ? start_external(r, error)
                                          : make_optimizer(r, error);
    if (status == LOCBO_OK) status = run_rounds(r, record, error);
    release_run(r);
    return status;
}

locbo_status task_run(const task *t, uint64_t seed, task_record *record, locbo_error *error) {
    const problem_outputs *several = problem_outputs_find(t->problem);
    const problem_fidelity *levels = problem_fidelity_find(t->problem);
    *record = (task_record){0, 0, NULL, NULL};
    locbo_status status = task_check(t, error);
    if (status != LOCBO_OK) return status;
    *record = (task_record){.row = mem_new(task_rows(t), sizeof *record->row),
                            .point = mem_new(t->grid, sizeof *record->point)};
    if (!record->row || !record->point)
        status = status_no_memory(error);
    else if (levels)
        status = cost_run(levels, t, seed, record, error);
    else
        status = several ? outputs_run(several, t, seed, record, error) : run_one(t, seed, record, error);
    if (status != LOCBO_OK) task_record_release(record);
    return status;
}

void task_record_release(task_record *record) {
    mem_free(record->row);
    mem_free(record->point);
    memset(record, 0, sizeof *record);
}
