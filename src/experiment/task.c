/* task.c - one run of an experiment: initial points, rounds of ask, measure, tell, and what is recorded of them (simple
 * regret, eq:simple_regret; coverage of y and of f). Who is asked is the library's optimizer or a program. Layer:
 * experiment, above the problems, the library, thirds and rival. */
#include "task.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "mem.h"
#include "number.h"
#include "published.h"
#include "rival.h"
#include "status.h"
#include "thirds.h"

/* Purposes of the random streams of a run. Evaluation k draws its noise from stream NOISE + k. */
enum { STREAM_INITIAL = 1, STREAM_NOISE = 1000 };
enum { MOST_INITIAL = 1000000 }; /* what the library takes */

static const double FULL_POWER = 46; /* dBm, where the radio's incumbent begins */
static const double PATIENCE = 60;   /* seconds that a program may take for a line */

/* ---- What a task and a row consist of ------------------------------------------------------------- */

static const char *const starts[] = {"uniform", "corners", NULL};         /* as in task_start */
static const char *const laws[] = {"exact", "published", "script", NULL}; /* as in task_law */

#define SETTING_ROW(kind, type, name, standard, words) {#name, TASK_##kind, offsetof(task, name), words},
const task_setting task_settings[] = {TASK_SETTINGS(SETTING_ROW){NULL, TASK_TEXT, 0, NULL}};

#define COLUMN_ROW(name, NAME, since, of_run) {#name, since, TASK_##of_run},
const task_column task_columns[TASK_ROW_NUMBERS] = {TASK_COLUMNS(COLUMN_ROW)};

_Static_assert(sizeof(task_row) == offsetof(task_row, observed) + TASK_ROW_NUMBERS * sizeof(double) &&
                   sizeof(task_point) == TASK_POINT_NUMBERS * sizeof(double),
               "numbers stand one after the other");

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
    if (n->kind == NOISE_NONE) return LOCBO_OK;
    if (!(n->scale > 0) || !isfinite(n->scale))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "noise %s needs a scale above 0, got %g", name, n->scale);
    if (n->kind == NOISE_NORM && !(n->shape >= 0))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "noise norm needs a shape of 0 or more, got %g", n->shape);
    if (n->kind == NOISE_NORM && relative)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "noise norm cannot be relative: its scale divides");
    if (n->kind == NOISE_STUDENT && !(n->shape > 0))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "noise student needs a shape above 0, got %g", n->shape);
    if (n->kind == NOISE_OUTLIERS && !(n->shape > 0 && n->shape <= 1))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "noise outliers needs a shape in (0,1], got %g", n->shape);
    return LOCBO_OK;
}

static locbo_status check_radio(const task *t, locbo_error *error) {
    if (!task_is_radio(t) && (t->sectors || t->script || t->channels != 1 || t->shadowing != 0))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "sectors, script, channels and shadowing are for the radio problem, not %s", t->problem);
    if (t->channels < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "channels must be at least 1, not %d", t->channels);
    if (!(t->shadowing >= 0) || !isfinite(t->shadowing))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "shadowing must be 0 dB or more, got %g", t->shadowing);
    if (task_is_radio(t) && (t->move || t->rotate || t->noise.kind != NOISE_NONE))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the radio problem has its own noise and cannot be moved");
    return LOCBO_OK;
}

/* The published formula takes the place of expected improvement, and needs LOCBO's set. */
static locbo_status check_law(const task *t, locbo_error *error) {
    locbo_acquisition a = t->options.acquisition;
    int improvement = a == LOCBO_ACQUISITION_EI || a == LOCBO_ACQUISITION_LOG_EI;
    if (t->law == TASK_LAW_EXACT || (t->options.method == LOCBO_METHOD_LOCBO && improvement)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "the published laws are for method locbo with acquisition ei or log-ei");
}

/* What only a model has is not for a program; other options of the optimizer's mean nothing to it. */
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
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s is for the optimizer's model, and a program has none",
                           t->grid ? "grid" : "law");
    return LOCBO_OK;
}

locbo_status task_check(const task *t, locbo_error *error) {
    const problem *p = problem_find(t->problem);
    if (!t->problem[0]) return status_fail(error, LOCBO_ERR_ARGUMENT, "problem is missing");
    if (!p && !task_is_radio(t)) return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no problem '%s'", t->problem);
    if (t->rounds < 1 || t->every < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "rounds and every must be at least 1");
    if (t->initial < 1 || t->initial > MOST_INITIAL)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "initial must lie in [1, %d], got %zu", MOST_INITIAL, t->initial);
    if (t->grid && (!p || p->dim != 1))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "grid is for one parameter, %s has %zu", t->problem,
                           p ? p->dim : (size_t)RADIO_DIM);
    locbo_status status = check_program(t, error);
    if (status == LOCBO_OK) status = check_radio(t, error);
    if (status == LOCBO_OK) status = check_noise(&t->noise, t->relative, error);
    if (status == LOCBO_OK) status = check_law(t, error);
    return status == LOCBO_OK ? locbo_options_check(&t->options, error) : status;
}

/* ---- Two tasks compared ------------------------------------------------------------------------ */

static int say_difference(char text[TASK_DIFFERENCE], const char *key, const char *there, const char *here) {
    snprintf(text, TASK_DIFFERENCE, "%s %s there, %s here", key, there, here);
    return 1;
}

/* `words`: what the numbers stand for; NULL: themselves. */
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

/* Options that the run fills in itself. */
static int is_ours(const char *option) {
    static const char *const ours[] = {"seed", "direction", "noise_symmetry", "initial"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (strcmp(ours[i], option) == 0) return 1;
    return 0;
}

/* A program does not see them. */
static int options_differ(const task *a, const task *b, char text[TASK_DIFFERENCE]) {
    char there[64], here[64];
    locbo_option o;
    if (a->program[0]) return 0;
    for (size_t i = 0; locbo_option_describe(i, &o, NULL) == LOCBO_OK; i++) {
        if (is_ours(o.name)) continue;
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

/* A run on its way. */
typedef struct life {
    const task *task;
    uint64_t seed;
    problem problem;
    problem_room room;
    radio radio;
    noise noise;
    double spread;
    locbo_space *space;
    locbo_optimizer *optimizer; /* or */
    rival *rival;
    uint64_t evaluations;
    double best_y, best_x[PROBLEM_MAX_DIM]; /* the incumbent: what was observed best */
    /* since the last row */
    size_t since, judged;
    double covered, covered_f, interval_f, utility, width, ms;
    /* since the first round: those with a set */
    size_t queries, query_room;
    thirds_query *query;
} life;

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void choose_problem(life *l) {
    const task *t = l->task;
    if (task_is_radio(t)) {
        radio_options options = {l->seed, t->shadowing, t->script};
        radio_deploy(&l->radio, &options);
        radio_problem(&l->problem, &l->radio);
        return;
    }
    const problem *p = problem_find(t->problem);
    l->problem = *p;
    if (t->move || t->rotate) problem_move(&l->problem, &l->room, p, l->seed, t->rotate);
    l->noise = t->noise;
    l->spread = problem_spread(&l->problem);
    /* multiplicative noise is relative as it is */
    if (t->relative && t->noise.kind != NOISE_MULTIPLICATIVE) l->noise.scale *= l->spread;
}

static double measure(life *l, const double *x) {
    draw d = draw_open(l->seed, STREAM_NOISE + l->evaluations++);
    if (task_is_radio(l->task)) return radio_measure(&l->radio, x, l->task->channels, &d);
    return noise_measure(&l->noise, &l->problem, l->spread, x, &d);
}

static int is_better(const life *l, double a, double b) { return l->problem.maximize ? a > b : a < b; }

static void observe(life *l, const double *x, double y) {
    if (!isnan(l->best_y) && !is_better(l, y, l->best_y)) return;
    l->best_y = y;
    memcpy(l->best_x, x, l->problem.dim * sizeof *x);
}

static locbo_status make_space(life *l, locbo_error *error) {
    char name[24];
    locbo_status status = locbo_space_create(&l->space, error);
    for (size_t i = 0; status == LOCBO_OK && i < l->problem.dim; i++) {
        snprintf(name, sizeof name, "x%zu", i + 1);
        status = locbo_space_add_real(l->space, name, l->problem.low[i], l->problem.high[i], LOCBO_LINEAR, error);
    }
    return status;
}

static locbo_status make_optimizer(life *l, locbo_error *error) {
    locbo_options options = l->task->options;
    options.seed = l->seed;
    options.direction = l->problem.maximize ? LOCBO_MAXIMIZE : LOCBO_MINIMIZE;
    options.initial = (int)l->task->initial;
    options.noise_symmetry = noise_symmetry(&l->noise);
    locbo_status status = make_space(l, error);
    if (status == LOCBO_OK) status = locbo_optimizer_create(&l->optimizer, l->space, &options, error);
    if (status == LOCBO_OK && l->task->law != TASK_LAW_EXACT)
        status = locbo_optimizer_set_score(l->optimizer,
                                           l->task->law == TASK_LAW_SCRIPT ? published_script_score : published_score,
                                           (void *)&l->task->options.alpha, error);
    return status;
}

static locbo_status start_rival(life *l, locbo_error *error) {
    const task *t = l->task;
    locbo_status status = rival_start(&l->rival, t->program, PATIENCE, error);
    if (status != LOCBO_OK) return status;
    return rival_greet(l->rival, l->problem.dim, l->seed, t->initial, t->rounds, error);
}

static void from_cube(const life *l, const double *u, double *x) {
    const problem *p = &l->problem;
    for (size_t i = 0; i < p->dim; i++) x[i] = p->low[i] + (p->high[i] - p->low[i]) * u[i];
}

/* For a program smaller is always better. */
static double turned(const life *l, double y) { return l->problem.maximize ? -y : y; }

/* A coordinate of an initial point in the unit interval; `end` says which corner the point belongs to. */
static double initial_coordinate(const life *l, int end, draw *d) {
    double u = draw_uniform(d);
    if (l->task->start == TASK_START_UNIFORM) return u;
    return end ? 0.6 + 0.4 * u : 0.4 * u;
}

/* An initial point with what is measured there, to whoever will propose the others. */
static locbo_status give(life *l, const double *u, locbo_error *error) {
    double x[PROBLEM_MAX_DIM], told[PROBLEM_MAX_DIM + 1];
    from_cube(l, u, x);
    locbo_measurement m = {measure(l, x), (double)NAN, 1};
    if (!l->task->sectors) observe(l, x, m.value);
    if (!l->rival) return locbo_optimizer_add(l->optimizer, x, &m, error);
    memcpy(told, u, l->problem.dim * sizeof *told);
    told[l->problem.dim] = turned(l, m.value);
    return rival_tell(l->rival, l->problem.dim + 1, told, error);
}

static locbo_status start(life *l, locbo_error *error) {
    draw d = draw_open(l->seed, STREAM_INITIAL);
    double u[PROBLEM_MAX_DIM];
    int end = (int)draw_below(&d, 2); /* one corner for all points of a run */
    locbo_status status = LOCBO_OK;
    for (size_t k = 0; k < l->task->initial && status == LOCBO_OK; k++) {
        for (size_t i = 0; i < l->problem.dim; i++) u[i] = initial_coordinate(l, end, &d);
        status = give(l, u, error);
    }
    return status;
}

/* Where the radio's incumbent begins: full power, no tilt. Nothing has been observed there. */
static void start_sectors(life *l) {
    for (size_t b = 0; b < RADIO_STATIONS; b++) {
        l->best_x[b] = FULL_POWER;
        l->best_x[RADIO_STATIONS + b] = 0;
    }
}

static locbo_status ask(life *l, size_t round, locbo_trial *trial, double *x, locbo_error *error) {
    locbo_ask_options how = {.struct_size = sizeof how, .candidates = l->task->pool};
    double fixed[PROBLEM_MAX_DIM];
    if (l->task->sectors && l->task->options.method != LOCBO_METHOD_RANDOM) {
        size_t b = (round - 1) % RADIO_STATIONS;
        memcpy(fixed, l->best_x, sizeof fixed);
        fixed[b] = fixed[RADIO_STATIONS + b] = (double)NAN;
        how.fixed = fixed;
    }
    if (!how.fixed && how.candidates == 0) return locbo_optimizer_ask(l->optimizer, trial, x, error);
    return locbo_optimizer_ask_with(l->optimizer, &how, trial, x, error);
}

/* Whether Theorem 1's event holds for u = 1{f > best} - 1, with epsilon = 1, the strictest: u >= 2 (PI - 1)/alpha. */
static double utility_holds(const life *l, const locbo_belief *b, double truth) {
    if (l->task->options.acquisition != LOCBO_ACQUISITION_PI) return (double)NAN;
    return is_better(l, truth, l->best_y) || 1 - b->acquisition >= l->task->options.alpha / 2;
}

static locbo_status judge(life *l, const locbo_belief *b, const double *x, double y, locbo_error *error) {
    double truth = problem_value(&l->problem, x);
    l->since++;
    l->width = b->y_low > b->y_high ? 0 : b->y_high - b->y_low; /* an empty set */
    if (isnan(b->y_low)) return LOCBO_OK;
    if (!mem_reserve(&l->query, &l->query_room, l->queries + 1, sizeof *l->query)) return status_no_memory(error);
    thirds_query *q = &l->query[l->queries++];
    memcpy(q->x, x, l->problem.dim * sizeof *x);
    q->in_set = y >= b->y_low && y <= b->y_high;
    q->in_interval = truth >= b->f_low && truth <= b->f_high;
    l->judged++;
    l->covered += q->in_set;
    l->covered_f += truth >= b->y_low && truth <= b->y_high;
    l->interval_f += q->in_interval;
    l->utility += utility_holds(l, b, truth);
    return LOCBO_OK;
}

/* A round of a program: it has no sets, and its time is not ours. */
static locbo_status play_rival(life *l, locbo_error *error) {
    double u[PROBLEM_MAX_DIM], x[PROBLEM_MAX_DIM];
    locbo_status status = rival_ask(l->rival, u, error);
    if (status != LOCBO_OK) return status;
    from_cube(l, u, x);
    double y = measure(l, x), told = turned(l, y);
    observe(l, x, y);
    return rival_tell(l->rival, 1, &told, error);
}

static locbo_status play(life *l, size_t round, locbo_error *error) {
    locbo_trial trial;
    double x[PROBLEM_MAX_DIM], begin = now_ms();
    locbo_status status = ask(l, round, &trial, x, error);
    double asked = now_ms();
    if (status != LOCBO_OK) return status;
    locbo_measurement m = {measure(l, x), (double)NAN, 1};
    status = judge(l, &trial.belief, x, m.value, error);
    if (status != LOCBO_OK) return status;
    observe(l, x, m.value);
    double measured = now_ms();
    status = locbo_optimizer_tell(l->optimizer, trial.id, &m, error);
    l->ms += asked - begin + now_ms() - measured;
    return status;
}

static double merit(const life *l, const double *x) {
    return isnan(l->problem.optimum) ? problem_value(&l->problem, x) : problem_regret(&l->problem, x);
}

/* What is recommended after round t. A program recommends once, at its end; until then it is what was observed best. */
static locbo_status recommend(life *l, size_t t, double *x, locbo_error *error) {
    double u[PROBLEM_MAX_DIM];
    locbo_choice choice;
    if (!l->rival) return locbo_optimizer_recommend(l->optimizer, &choice, x, error);
    memcpy(x, l->best_x, sizeof l->best_x);
    if (t < l->task->rounds) return LOCBO_OK;
    locbo_status status = rival_ask(l->rival, u, error);
    if (status == LOCBO_OK) status = rival_finish(l->rival, error);
    if (status == LOCBO_OK) from_cube(l, u, x);
    return status;
}

/* What the theory promises of all rounds so far; a program, nothing. */
static locbo_status record_bounds(life *l, task_row *row, locbo_error *error) {
    locbo_summary summary;
    row->bound = row->bound_f = (double)NAN;
    if (l->rival) return LOCBO_OK;
    locbo_status status = locbo_optimizer_summary(l->optimizer, &summary, error);
    if (status != LOCBO_OK) return status;
    row->bound = summary.coverage_bound;
    row->bound_f = summary.coverage_bound_f;
    return LOCBO_OK;
}

/* Coverage by the distance from the point that is recommended at the end; NANs before it. */
static void record_thirds(life *l, const double *x, task_row *row) {
    size_t n = row->t == l->task->rounds ? l->queries : 0;
    thirds found = thirds_measure(&l->problem, x, n, l->query);
    row->near = found.in_set[0];
    row->middle = found.in_set[1];
    row->far = found.in_set[2];
    row->near_f = found.in_interval[0];
    row->middle_f = found.in_interval[1];
    row->far_f = found.in_interval[2];
}

static locbo_status record_row(life *l, size_t t, task_row *row, locbo_error *error) {
    double x[PROBLEM_MAX_DIM], judged = l->judged ? (double)l->judged : (double)NAN;
    locbo_status status = recommend(l, t, x, error);
    if (status != LOCBO_OK) return status;
    *row = (task_row){.t = t,
                      .observed = merit(l, l->best_x),
                      .recommended = merit(l, x),
                      .covered = l->covered / judged,
                      .covered_f = l->covered_f / judged,
                      .interval_f = l->interval_f / judged,
                      .utility = l->utility / judged,
                      .width = t && !l->rival ? l->width : (double)NAN,
                      .ms = l->ms / (l->since ? (double)l->since : (double)NAN)};
    record_thirds(l, x, row);
    l->since = l->judged = 0;
    l->covered = l->covered_f = l->interval_f = l->utility = l->ms = 0;
    return record_bounds(l, row, error);
}

static locbo_status record_grid(life *l, task_record *record, locbo_error *error) {
    size_t n = l->task->grid;
    const problem *p = &l->problem;
    for (size_t i = 0; i < n; i++) {
        double at = n > 1 ? (double)i / (double)(n - 1) : 0.5;
        double x = p->low[0] + (p->high[0] - p->low[0]) * at;
        locbo_belief b;
        locbo_status status = locbo_optimizer_predict(l->optimizer, 1, &x, &b, error);
        if (status != LOCBO_OK) return status;
        record->point[record->points++] =
            (task_point){x, problem_value(p, &x), b.mean, b.y_low, b.y_high, b.f_low, b.f_high};
    }
    return LOCBO_OK;
}

static locbo_status live(life *l, task_record *record, locbo_error *error) {
    const task *t = l->task;
    locbo_status status = start(l, error);
    if (t->sectors) start_sectors(l);
    if (status == LOCBO_OK) status = record_row(l, 0, &record->row[record->rows++], error);
    for (size_t round = 1; round <= t->rounds && status == LOCBO_OK; round++) {
        status = l->rival ? play_rival(l, error) : play(l, round, error);
        if (status == LOCBO_OK && task_records(t, round))
            status = record_row(l, round, &record->row[record->rows++], error);
    }
    return status == LOCBO_OK && t->grid ? record_grid(l, record, error) : status;
}

static void end_life(life *l) {
    rival_destroy(l->rival);
    locbo_optimizer_destroy(l->optimizer);
    locbo_space_destroy(l->space);
    mem_free(l->query);
    mem_free(l);
}

locbo_status task_run(const task *t, uint64_t seed, task_record *record, locbo_error *error) {
    *record = (task_record){0, 0, NULL, NULL};
    locbo_status status = task_check(t, error);
    if (status != LOCBO_OK) return status;
    life *l = mem_new(1, sizeof *l);
    *record = (task_record){.row = mem_new(task_rows(t), sizeof *record->row),
                            .point = mem_new(t->grid, sizeof *record->point)};
    if (l && record->row && record->point) {
        l->task = t;
        l->seed = seed;
        l->best_y = (double)NAN;
        choose_problem(l);
        status = t->program[0] ? start_rival(l, error) : make_optimizer(l, error);
        if (status == LOCBO_OK) status = live(l, record, error);
    } else {
        status = status_no_memory(error);
    }
    if (l) end_life(l);
    if (status != LOCBO_OK) task_record_release(record);
    return status;
}

void task_record_release(task_record *record) {
    mem_free(record->row);
    mem_free(record->point);
    memset(record, 0, sizeof *record);
}
