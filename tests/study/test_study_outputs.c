/* Studies with several outputs: what is stored and read back, what is refused, which proposals are the same to the bit.
 * Runs on SQLite files of its own, or on the database of LOCBO_TEST_DB (tests/with-postgres). */
#include <inttypes.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "belief.h"
#include "own_sql.h"
#include "mem.h"

/* ---- a problem --------------------------------------------------------------------------------- */

/* The first objective is not the first output, and an output is derived that the model needs. */
enum { EPOCHS, LOSS, SPEED, MEMORY, TOTAL, OUTPUTS, DIM = 2 };

static void add(locbo_outputs *o, locbo_output_spec spec) {
    spec.struct_size = sizeof spec;
    check_ok(locbo_outputs_add(o, &spec, &error));
}

static locbo_outputs *make_outputs(void) {
    locbo_outputs *o;
    check_ok(locbo_outputs_create(&o, &error));
    add(o, (locbo_output_spec){.name = "epochs '\"", .goal = LOCBO_GOAL_RECORD});
    add(o, (locbo_output_spec){.name = "loss"});
    add(o, (locbo_output_spec){.name = "speed", .goal = LOCBO_GOAL_MAXIMIZE});
    add(o, (locbo_output_spec){.name = "memory", .goal = LOCBO_GOAL_AT_MOST, .bound = 1.1});
    add(o, (locbo_output_spec){
               .name = "total", .goal = LOCBO_GOAL_AT_LEAST, .bound = -1.5, .expression = "speed - 0.5*loss"});
    return o;
}

static locbo_space *make_space(void) {
    locbo_space *space;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_real(space, "y", 0, 1, LOCBO_LINEAR, &error));
    return space;
}

/* `outputs` is destroyed. */
static locbo_status try_study(locbo_study **study, const char *name, locbo_outputs *outputs,
                              const locbo_options *options, const locbo_plan *plan, locbo_error *e) {
    locbo_space *space = make_space();
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = options, .outputs = outputs};
    locbo_status status = locbo_study_create(study, own_store, name, &d, plan, e);
    locbo_space_destroy(space);
    locbo_outputs_destroy(outputs);
    return status;
}

static locbo_study *make_study(const char *name, locbo_outputs *outputs) {
    locbo_study *study = NULL;
    check_ok(try_study(&study, name, outputs, NULL, NULL, &error));
    return study;
}

/* What trial `id` measures at x; some results lack outputs. The derived one is NAN. */
static void measure(uint64_t id, const double *x, locbo_measurement *row) {
    double noise = (double)((id * 2654435761u) % 1000) / 5000 - 0.1;
    double values[OUTPUTS] = {(double)id, pow(x[0] - 0.3, 2) + x[1] + noise, x[0] - pow(x[1] - 0.6, 2) + noise / 2,
                              x[0] + x[1] + noise / 3, (double)NAN};
    if (id % 7 == 4) values[SPEED] = (double)NAN;
    if (id % 6 == 3) values[MEMORY] = (double)NAN;
    if (id % 11 == 8) values[LOSS] = (double)NAN;
    if (id % 2 == 0) values[EPOCHS] = (double)NAN;
    for (int i = 0; i < OUTPUTS; i++) row[i] = (locbo_measurement){values[i], (double)NAN, 1};
    if (id % 3 == 0 && !isnan(values[LOSS])) row[LOSS].sd = 0.125;
    if (!isnan(values[LOSS])) row[LOSS].n = 3;
    if (!isnan(values[SPEED])) row[SPEED].n = 2;
}

/* The same with the derived output, as a slow reader would compute it. */
static void derive(locbo_measurement *row) {
    double value = row[SPEED].value - 0.5 * row[LOSS].value;
    row[TOTAL] = (locbo_measurement){value, (double)NAN, isnan(value) ? 1 : 2};
}

static locbo_assignment ask(locbo_study *study, double *x) {
    locbo_assignment a;
    check_ok(locbo_study_ask(study, NULL, &a, x, &error));
    return a;
}

static void tell(locbo_study *study, uint64_t trial, const double *x) {
    locbo_measurement row[OUTPUTS];
    measure(trial, x, row);
    check_ok(locbo_study_tell(study, trial, 0, 1, row, &error));
}

static void tell_directly(locbo_optimizer *o, uint64_t trial, const double *x) {
    locbo_measurement row[OUTPUTS];
    measure(trial, x, row);
    derive(row);
    check_ok(locbo_optimizer_tell_outputs(o, trial, row, &error));
}

static locbo_optimizer *direct(locbo_study *study) {
    locbo_definition d = {.struct_size = sizeof d};
    locbo_optimizer *o;
    check_ok(locbo_study_definition(study, &d, &error));
    check_ok(locbo_optimizer_create_for(&o, d.space, d.outputs, d.options, &error));
    return o;
}

/* The study asks, the optimizer asks, and both propose the same. */
static uint64_t ask_both(locbo_study *study, locbo_optimizer *o, double *x) {
    double y[DIM];
    locbo_trial trial;
    locbo_assignment a = ask(study, x);
    check_ok(locbo_optimizer_ask(o, &trial, y, &error));
    assert_int_equal(a.trial, trial.id);
    assert_memory_equal(x, y, sizeof y);
    assert_int_equal(a.info.origin, trial.origin);
    assert_memory_equal(&a.info.belief, &trial.belief, sizeof trial.belief);
    return a.trial;
}

static void check_same_state(locbo_study *study, locbo_optimizer *o) {
    char *one = NULL, *two = NULL;
    locbo_optimizer *made;
    check_ok(locbo_study_optimizer(study, &made, &error));
    check_ok(locbo_optimizer_save(made, &one, NULL, &error));
    check_ok(locbo_optimizer_save(o, &two, NULL, &error));
    if (strcmp(one, two) != 0) { /* the texts are long: show where they differ */
        size_t at = 0;
        while (one[at] == two[at]) at++;
        fail_msg("...%.80s is not ...%.80s", one + (at > 40 ? at - 40 : 0), two + (at > 40 ? at - 40 : 0));
    }
    locbo_free(one);
    locbo_free(two);
}

/* What both predict of all outputs. */
static void check_same_predictions(locbo_study *study, locbo_optimizer *o) {
    const double points[3 * DIM] = {0.1, 0.2, 0.5, 0.5, 0.9, 0.3};
    locbo_belief here[3 * OUTPUTS], there[3 * OUTPUTS];
    double feasible[2][3];
    locbo_optimizer *made;
    check_ok(locbo_study_optimizer(study, &made, &error));
    check_ok(locbo_optimizer_predict_outputs(made, 3, points, here, feasible[0], &error));
    check_ok(locbo_optimizer_predict_outputs(o, 3, points, there, feasible[1], &error));
    assert_memory_equal(here, there, sizeof here);
    assert_memory_equal(feasible[0], feasible[1], sizeof feasible[0]);
    assert_true(here[TOTAL].sd_y > 0 && feasible[0][0] > 0);
}

/* ---- what is read ------------------------------------------------------------------------------ */

/* A copy of all that a study has. */
enum { MOST = 40, RESULTS = 3 };
typedef struct contents {
    size_t records, fits;
    locbo_record record[MOST];
    double x[MOST][DIM], told[MOST][RESULTS], reference[OUTPUTS];
    locbo_measurement measured[MOST][RESULTS * OUTPUTS];
    uint64_t sequence[MOST][RESULTS];
    locbo_belief beliefs[MOST][OUTPUTS];
    char text[MOST][5][128];
    locbo_fit fit[4 * MOST];
    double theta[4 * MOST][8], thetas[4 * MOST][8][8];
    locbo_member members[4 * MOST][8];
} contents;

static int keep_record(const locbo_record *r, void *user) {
    contents *c = user;
    size_t i = c->records++;
    locbo_record *to = &c->record[i];
    assert_true(i < MOST && r->count <= RESULTS && r->outputs == OUTPUTS);
    *to = *r;
    to->x = memcpy(c->x[i], r->x, sizeof c->x[i]);
    if (r->count) {
        memcpy(c->measured[i], r->measurements, r->count * OUTPUTS * sizeof *r->measurements);
        memcpy(c->sequence[i], r->sequence, r->count * sizeof *r->sequence);
        memcpy(c->told[i], r->told, r->count * sizeof *r->told);
    }
    to->measurements = c->measured[i];
    to->sequence = c->sequence[i];
    to->told = c->told[i];
    to->beliefs = memcpy(c->beliefs[i], r->beliefs, sizeof c->beliefs[i]);
    const char *texts[] = {r->worker, r->message, r->pending, r->note, r->tags};
    const char **place[] = {&to->worker, &to->message, &to->pending, &to->note, &to->tags};
    for (int k = 0; k < 5; k++) {
        snprintf(c->text[i][k], sizeof c->text[i][k], "%s", texts[k]);
        *place[k] = c->text[i][k];
    }
    return 0;
}

static int keep_fit(const locbo_fit *f, void *user) {
    contents *c = user;
    size_t i = c->fits++;
    assert_true(i < sizeof c->fit / sizeof c->fit[0] && f->count <= 8);
    c->fit[i] = *f;
    c->fit[i].theta = memcpy(c->theta[i], f->theta, f->count * sizeof c->theta[i][0]);
    for (size_t k = 0; k < f->member_count; k++) {
        c->members[i][k] = f->members[k];
        c->members[i][k].theta = memcpy(c->thetas[i][k], f->members[k].theta, f->members[k].count * sizeof(double));
    }
    c->fit[i].members = c->members[i];
    return 0;
}

static contents *read_all(locbo_study *study) {
    contents *c = mem_new(1, sizeof *c);
    check_ok(locbo_study_each(study, NULL, keep_record, c, &error));
    check_ok(locbo_study_each_fit(study, keep_fit, c, &error));
    check_ok(locbo_study_reference(study, c->reference, &error));
    return c;
}

static void check_same_row(const locbo_measurement *a, const locbo_measurement *b) {
    for (int i = 0; i < OUTPUTS; i++) {
        check_same(a[i].value, b[i].value);
        check_same(a[i].sd, b[i].sd);
        assert_int_equal(a[i].n, b[i].n);
    }
}

static locbo_census census(locbo_study *study) {
    locbo_census c;
    check_ok(locbo_study_census(study, &c, &error));
    return c;
}

/* ---- proposals --------------------------------------------------------------------------------- */

/* The study's optimizer is built anew for every ask; the other one is told directly and never saved. */
static void a_study_continues_as_an_optimizer(void **state) {
    (void)state;
    locbo_study *study = make_study("same", make_outputs());
    locbo_optimizer *o = direct(study);
    double x[DIM], here[OUTPUTS], there[OUTPUTS];
    for (int i = 0; i < 20; i++) {
        uint64_t trial = ask_both(study, o, x);
        if (trial == 9) {
            check_ok(locbo_study_tell_failed(study, trial, 0, "no", &error));
            check_ok(locbo_optimizer_tell_failed(o, trial, &error));
        } else {
            tell(study, trial, x);
            tell_directly(o, trial, x);
        }
        check_ok(locbo_study_reference(study, here, &error));
        check_ok(locbo_optimizer_reference(o, there, &error));
        for (int k = 0; k < OUTPUTS; k++) check_same(here[k], there[k]);
        if (i % 6 != 5) continue;
        locbo_study_close(study);
        locbo_store_close(own_store);
        check_ok(locbo_store_open(&own_store, own_url, LOCBO_STORE_EXISTING, &error));
        check_ok(locbo_study_open(&study, own_store, "same", &error));
    }
    assert_true(isfinite(here[LOSS]) && isfinite(here[SPEED]) && isnan(here[MEMORY]));
    check_same_state(study, o);
    contents *c = read_all(study);
    assert_int_equal(c->records, 20);
    int believed = 0;
    for (size_t i = 0; i < c->records; i++) {
        locbo_belief beliefs[OUTPUTS];
        check_ok(locbo_optimizer_trial_beliefs(o, i + 1, beliefs, &error));
        assert_memory_equal(c->beliefs[i], beliefs, sizeof beliefs);
        believed += beliefs[TOTAL].sd_y > 0;
        if (i == 8) continue;
        locbo_measurement row[OUTPUTS];
        measure(i + 1, c->x[i], row);
        derive(row);
        assert_int_equal(c->record[i].count, 1);
        check_same_row(c->measured[i], row);
        check_same(c->record[i].value, row[LOSS].value);
    }
    check_that(believed > 8, "%d trials have a belief of the derived output", believed);
    size_t fits[OUTPUTS] = {0};
    for (size_t i = 0; i < c->fits; i++) fits[c->fit[i].output]++;
    check_that(fits[LOSS] > 8 && fits[SPEED] > 8 && fits[MEMORY] > 8 && fits[TOTAL] > 8 && fits[EPOCHS] == 0,
               "%zu %zu %zu %zu fits", fits[LOSS], fits[SPEED], fits[MEMORY], fits[TOTAL]);
    mem_free(c);
    locbo_optimizer_destroy(o);
    locbo_study_close(study);
}

/* A process that is killed between its calls, and another that continues. */
static void a_killed_process_is_continued(void **state) {
    (void)state;
    locbo_study *study = make_study("killed", make_outputs());
    locbo_optimizer *o = direct(study);
    double x[DIM];
    locbo_study_close(study);
    locbo_store_close(own_store);
    own_store = NULL;
    pid_t child = fork();
    if (child == 0) {
        own_store = own_store_again(LOCBO_STORE_EXISTING);
        check_ok(locbo_study_open(&study, own_store, "killed", &error));
        for (int i = 0; i < 8; i++) {
            locbo_assignment a = ask(study, x);
            tell(study, a.trial, x);
        }
        raise(SIGKILL);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
    own_store = own_store_again(LOCBO_STORE_EXISTING);
    check_ok(locbo_study_open(&study, own_store, "killed", &error));
    for (int i = 0; i < 8; i++) {
        locbo_trial trial;
        check_ok(locbo_optimizer_ask(o, &trial, x, &error));
        tell_directly(o, trial.id, x);
    }
    for (int i = 0; i < 3; i++) {
        uint64_t trial = ask_both(study, o, x);
        tell(study, trial, x);
        tell_directly(o, trial, x);
    }
    check_same_state(study, o);
    locbo_optimizer_destroy(o);
    locbo_study_close(study);
}

/* Two workers with a connection each, three trials outstanding, told in another order, and one of them twice. */
static void two_workers_share_a_study(void **state) {
    (void)state;
    locbo_study *one = make_study("shared", make_outputs()), *two;
    locbo_store *other = own_store_again(LOCBO_STORE_EXISTING);
    check_ok(locbo_study_open(&two, other, "shared", &error));
    locbo_optimizer *o = direct(one);
    double x[3][DIM];
    for (int i = 0; i < 4; i++) {
        uint64_t trial[3];
        for (int k = 0; k < 3; k++) trial[k] = ask_both(k == 1 ? two : one, o, x[k]);
        for (int k = 2; k >= 0; k--) {
            tell(k == 1 ? one : two, trial[k], x[k]);
            tell_directly(o, trial[k], x[k]);
        }
        tell(two, trial[1], x[1]); /* a replicate */
        tell_directly(o, trial[1], x[1]);
    }
    check_same_predictions(one, o);
    check_same_predictions(two, o);
    assert_int_equal(census(one).measurements, 16);
    assert_int_equal(census(one).events, 16);
    locbo_optimizer_destroy(o);
    locbo_study_close(two);
    locbo_study_close(one);
    locbo_store_close(other);
}

static void a_copy_continues_the_same(void **state) {
    (void)state;
    locbo_study *a = make_study("a", make_outputs()), *b = NULL;
    locbo_definition d = {.struct_size = sizeof d};
    double x[DIM], y[DIM];
    for (int i = 0; i < 9; i++) tell(a, ask(a, x).trial, x);
    tell(a, 3, x); /* a replicate */
    check_ok(locbo_study_tell_infeasible(a, ask(a, x).trial, 0, "no", &error));
    ask(a, x); /* outstanding */
    contents *c = read_all(a);
    check_ok(locbo_study_definition(a, &d, &error));
    locbo_contents all = {.record_count = c->records,
                          .records = c->record,
                          .fit_count = c->fits,
                          .fits = c->fit,
                          .reference = c->reference};
    check_ok(locbo_study_create_from(&b, own_store, "b", &d, NULL, &all, &error));
    contents *copied = read_all(b);
    assert_int_equal(copied->records, c->records);
    assert_int_equal(copied->fits, c->fits);
    assert_memory_equal(copied->reference, c->reference, sizeof c->reference);
    assert_memory_equal(copied->beliefs, c->beliefs, sizeof c->beliefs);
    for (size_t i = 0; i < c->records; i++) {
        assert_int_equal(copied->record[i].count, c->record[i].count);
        for (size_t k = 0; k < c->record[i].count; k++)
            check_same_row(copied->measured[i] + k * OUTPUTS, c->measured[i] + k * OUTPUTS);
        assert_memory_equal(copied->sequence[i], c->sequence[i], sizeof c->sequence[i]);
        assert_memory_equal(copied->told[i], c->told[i], sizeof c->told[i]);
    }
    assert_int_equal(ask(b, y).trial, 11); /* it waits in the copy */
    for (int i = 0; i < 3; i++) {
        uint64_t trial = ask(a, x).trial;
        assert_int_equal(ask(b, y).trial, trial);
        assert_memory_equal(x, y, sizeof x);
        tell(a, trial, x);
        tell(b, trial, y);
    }
    locbo_study *none = NULL;
    c->record[4].outputs = 3;
    check_fails(locbo_study_create_from(&none, own_store, "c", &d, NULL, &all, &error), LOCBO_ERR_ARGUMENT,
                "trial 5: it has 3 outputs, the study 5");
    c->record[4].outputs = OUTPUTS;
    c->fit[1].output = 5;
    check_fails(locbo_study_create_from(&none, own_store, "c", &d, NULL, &all, &error), LOCBO_ERR_ARGUMENT,
                "fit 2: there is no output 5, the study has 5");
    c->fit[1].output = MEMORY;
    c->reference[LOSS] = INFINITY;
    check_fails(locbo_study_create_from(&none, own_store, "c", &d, NULL, &all, &error), LOCBO_ERR_ARGUMENT,
                "the reference of output 2 must be finite, got inf");
    mem_free(copied);
    mem_free(c);
    locbo_study_close(a);
    locbo_study_close(b);
}

/* Without a model: random search, points given by the caller, imported results. */
static void outputs_without_a_model(void **state) {
    (void)state;
    enum { N = 70 };
    locbo_options options;
    locbo_options_init(&options);
    options.method = LOCBO_METHOD_RANDOM;
    locbo_study *study = NULL;
    check_ok(try_study(&study, "random", make_outputs(), &options, NULL, &error));
    double x[DIM], points[N][DIM];
    locbo_measurement rows[N][OUTPUTS];
    uint64_t first, trial;
    for (int i = 0; i < 5; i++) tell(study, ask(study, x).trial, x);
    const double given[DIM] = {0.25, 0.5};
    check_ok(locbo_study_enqueue(study, given, &trial, &error));
    assert_int_equal(ask(study, x).info.told, 5);
    tell(study, trial, x);
    for (size_t i = 0; i < N; i++) {
        points[i][0] = (double)i / N;
        points[i][1] = (double)(N - i) / N;
        measure(7 + i, points[i], rows[i]);
    }
    for (int i = 0; i < 2; i++) { /* the second time it has been stored before */
        locbo_store_token(own_store, 4711);
        check_ok(locbo_study_import(study, N, points[0], rows[0], &first, &error));
        assert_int_equal(first, 7);
    }
    assert_int_equal(census(study).measurements, 6 + N);
    assert_int_equal(census(study).state[LOCBO_COMPLETE], 6 + N);
    assert_int_equal(ask(study, x).info.told, 6 + N);
    locbo_optimizer *o;
    locbo_summary s;
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_summary(o, &s, &error));
    assert_int_equal(s.told, 6 + N);
    rows[3][TOTAL].value = 1;
    check_fails(locbo_study_import(study, N, points[0], rows[0], &first, &error), LOCBO_ERR_ARGUMENT,
                "row 4: output 'total' is derived");
    locbo_study_close(study);
}

/* ---- calls that are repeated ------------------------------------------------------------------- */

static void a_repeated_call_is_stored_once(void **state) {
    (void)state;
    locbo_study *study = make_study("repeated", make_outputs());
    double x[DIM], y[DIM];
    locbo_measurement rows[2 * OUTPUTS];
    for (int i = 0; i < 6; i++) tell(study, ask(study, x).trial, x);
    locbo_assignment a[2];
    for (int i = 0; i < 2; i++) {
        locbo_store_token(own_store, 71);
        a[i] = ask(study, i ? y : x);
    }
    assert_true(a[0].trial == 7 && a[1].trial == 7 && a[1].attempt == 1);
    assert_memory_equal(x, y, sizeof x);
    assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_belief"),
                     2 * 3); /* of trials 6 and 7, after the design */
    measure(1, x, rows);
    measure(2, x, rows + OUTPUTS);
    for (int i = 0; i < 2; i++) {
        locbo_store_token(own_store, 72);
        check_ok(locbo_study_tell(study, 7, 1, 2, rows, &error));
    }
    assert_int_equal(census(study).measurements, 8);
    assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_measurement WHERE trial = 7"), 4 + 3);
    assert_int_equal(own_sql_number("SELECT count(DISTINCT event) FROM locbo_measurement WHERE trial = 7"), 2);
    assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_study WHERE reference IS NOT NULL"), 1);
    locbo_study_close(study);
    check_ok(locbo_study_delete(own_store, "repeated", &error));
    assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_belief"), 0);
    assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_measurement"), 0);
}

/* ---- what is refused --------------------------------------------------------------------------- */

static void a_result_needs_a_value(void **state) {
    (void)state;
    locbo_study *study = make_study("values", make_outputs());
    double x[DIM];
    locbo_measurement row[OUTPUTS];
    uint64_t trial = ask(study, x).trial;
    measure(1, x, row);
    row[TOTAL].value = 3;
    check_fails(locbo_study_tell(study, trial, 1, 1, row, &error), LOCBO_ERR_ARGUMENT,
                "output 'total' is derived from others: its value must be nan, got 3");
    row[TOTAL].value = (double)NAN;
    row[MEMORY].value = INFINITY;
    check_fails(locbo_study_tell(study, trial, 1, 1, row, &error), LOCBO_ERR_ARGUMENT,
                "output 'memory': the measured value must be finite, got inf");
    row[MEMORY].value = 1;
    row[MEMORY].sd = -1;
    check_fails(locbo_study_tell(study, trial, 1, 1, row, &error), LOCBO_ERR_ARGUMENT, "output 'memory': the sd");
    for (int i = 0; i < OUTPUTS; i++) row[i] = (locbo_measurement){(double)NAN, (double)NAN, 1};
    check_fails(locbo_study_tell(study, trial, 1, 1, row, &error), LOCBO_ERR_ARGUMENT,
                "a result needs the value of an output, got none of 5");
    assert_int_equal(census(study).events, 0);
    assert_int_equal(census(study).state[LOCBO_RUNNING], 1);
    row[EPOCHS].value = 12; /* a recorded output is enough */
    check_ok(locbo_study_tell(study, trial, 1, 1, row, &error));
    assert_int_equal(census(study).state[LOCBO_COMPLETE], 1);
    contents *c = read_all(study);
    check_same(c->measured[0][EPOCHS].value, 12);
    assert_true(isnan(c->record[0].value) && isnan(c->measured[0][TOTAL].value));
    mem_free(c);
    ask(study, x);
    locbo_study_close(study);
}

/* One output with an expression after three others. */
static locbo_outputs *with_expression(const char *expression) {
    locbo_outputs *o;
    check_ok(locbo_outputs_create(&o, &error));
    add(o, (locbo_output_spec){.name = "a"});
    add(o, (locbo_output_spec){.name = "top 5", .goal = LOCBO_GOAL_RECORD});
    add(o, (locbo_output_spec){.name = "made", .goal = LOCBO_GOAL_RECORD, .expression = expression});
    add(o, (locbo_output_spec){.name = "later", .goal = LOCBO_GOAL_RECORD});
    return o;
}

static void mistakes_are_named_when_a_study_is_created(void **state) {
    (void)state;
    locbo_study *none = NULL;
    const char *wrong[][2] = {
        {"a + ", "output 'made': expression 'a + '"},
        {"a + b", "output 'made': its expression names 'b', no output"},
        {"a + later", "output 'made': its expression names 'later', which is not declared before it"},
        {"a + made", "output 'made': its expression names 'made', which is not declared before it"},
        {"1 + 2", "output 'made': its expression '1 + 2' names no output"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        check_fails(try_study(&none, "x", with_expression(wrong[i][0]), NULL, NULL, &error), LOCBO_ERR_ARGUMENT,
                    wrong[i][1]);
    locbo_options options;
    locbo_options_init(&options);
    options.method = LOCBO_METHOD_CBO;
    check_fails(try_study(&none, "x", make_outputs(), &options, NULL, &error), LOCBO_ERR_ARGUMENT,
                "2 objectives need method locbo, bo or random");
    locbo_outputs *o;
    check_ok(locbo_outputs_create(&o, &error));
    add(o, (locbo_output_spec){.name = "a", .goal = LOCBO_GOAL_RECORD});
    check_fails(try_study(&none, "x", o, NULL, NULL, &error), LOCBO_ERR_ARGUMENT,
                "no output is minimized or maximized");
    locbo_plan plan;
    locbo_plan_init(&plan);
    plan.trials = 10;
    plan.confirm = 2;
    check_fails(try_study(&none, "x", make_outputs(), NULL, &plan, &error), LOCBO_ERR_ARGUMENT,
                "confirm 2 needs one objective, the study has 2");
    assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_study"), 0);
    locbo_study *study = make_study("x", make_outputs());
    check_fails(locbo_study_set_plan(study, &plan, &error), LOCBO_ERR_ARGUMENT, "needs one objective");
    locbo_study_close(study);
}

/* Of the outputs of make_outputs, changed in one way. */
static locbo_outputs *changed(int way) {
    locbo_outputs *from = make_outputs(), *o;
    check_ok(locbo_outputs_create(&o, &error));
    for (size_t i = 0; i < OUTPUTS; i++) {
        locbo_output_spec s = {.struct_size = sizeof s};
        size_t at = way == 1 && i < 2 ? 1 - i : i; /* moved */
        check_ok(locbo_outputs_get(from, at, &s, &error));
        if (way == 2 && i == EPOCHS) continue;
        if (way == 3 && i == MEMORY) s.bound = 1.25;
        if (way == 4 && i == LOSS) s.goal = LOCBO_GOAL_MAXIMIZE;
        if (way == 5 && i == TOTAL) s.expression = "speed - loss";
        if (way == 6 && i == TOTAL) s.expression = NULL;
        if (way == 7 && i == LOSS) s.referenced = 1, s.reference = 0.1;
        if (way == 8 && i == SPEED) s.scale = LOCBO_MODEL_SCALE_LOGIT, s.scale_low = -1, s.scale_high = 2;
        if (way == 9 && i == MEMORY) s.baseline = 3;
        check_ok(locbo_outputs_add(o, &s, &error));
    }
    if (way == 10) add(o, (locbo_output_spec){.name = "more", .goal = LOCBO_GOAL_RECORD});
    locbo_outputs_destroy(from);
    return o;
}

static void differences_are_named(void **state) {
    (void)state;
    const char *said[] = {NULL,
                          "the order of the outputs differs: epochs '\" in the study, loss given",
                          "output epochs '\" of the study is not given",
                          "output memory differs: at most 1.1 in the study, at most 1.25 given",
                          "output loss differs: minimize in the study, maximize given",
                          "the expression of output total differs: speed - 0.5*loss in the study, speed - loss given",
                          "the expression of output total differs: speed - 0.5*loss in the study, none given",
                          "output loss differs: minimize in the study, minimize, reference 0.1 given",
                          "output speed differs: maximize in the study, maximize, scale logit -1 to 2 given",
                          "output memory differs: at most 1.1 in the study, at most 1.1 times trial 3 given",
                          "output more is given and is not in the study"};
    for (int way = 0; way < 11; way++) {
        char name[32];
        snprintf(name, sizeof name, "study %d", way);
        locbo_study *study = make_study("original", make_outputs()), *other = make_study(name, changed(way));
        locbo_definition d = {.struct_size = sizeof d};
        check_ok(locbo_study_definition(other, &d, &error));
        check_ok(locbo_study_compare(other, &d, &error)); /* what was stored is what was given */
        if (way == 0)
            check_ok(locbo_study_compare(study, &d, &error));
        else
            check_fails(locbo_study_compare(study, &d, &error), LOCBO_ERR_STATE, said[way]);
        locbo_study_close(other);
        locbo_study_close(study);
        check_ok(locbo_study_delete(own_store, "original", &error));
    }
}

/* A study without a table has the same outputs as one whose table has one output "value". */
static void no_table_is_one_output(void **state) {
    (void)state;
    locbo_outputs *o;
    check_ok(locbo_outputs_create(&o, &error));
    add(o, (locbo_output_spec){.name = "value", .goal = LOCBO_GOAL_MAXIMIZE});
    locbo_study *table = make_study("table", o), *plain = NULL;
    locbo_definition d = {.struct_size = sizeof d};
    locbo_options options;
    locbo_options_init(&options);
    check_ok(locbo_study_definition(table, &d, &error));
    assert_int_equal(d.options->direction, LOCBO_MAXIMIZE); /* those who read it see the table's */
    check_ok(try_study(&plain, "plain", NULL, &options, NULL, &error));
    check_fails(locbo_study_compare(plain, &d, &error), LOCBO_ERR_STATE,
                "output value differs: minimize in the study, maximize given");
    locbo_study_close(plain);
    options.direction = LOCBO_MAXIMIZE;
    check_ok(try_study(&plain, "up", NULL, &options, NULL, &error));
    check_ok(locbo_study_compare(plain, &d, &error));
    locbo_definition without = {.struct_size = sizeof without};
    check_ok(locbo_study_definition(plain, &without, &error));
    assert_null(without.outputs);
    check_ok(locbo_study_compare(table, &without, &error));
    double x[DIM], y[DIM];
    for (int i = 0; i < 7; i++) {
        locbo_assignment a = ask(table, x), b = ask(plain, y);
        assert_memory_equal(x, y, sizeof x);
        locbo_measurement m = {x[0] - x[1] * x[1], (double)NAN, 1};
        check_ok(locbo_study_tell(table, a.trial, 1, 1, &m, &error));
        check_ok(locbo_study_tell(plain, b.trial, 1, 1, &m, &error));
    }
    assert_true(census(table).best_trial == census(plain).best_trial && census(plain).best_trial > 0);
    assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_belief"), 0);
    locbo_study *two = make_study("two", make_outputs());
    check_fails(locbo_study_compare(two, &without, &error), LOCBO_ERR_STATE,
                "output epochs '\" of the study is not given");
    locbo_study_close(two);
    locbo_study_close(plain);
    locbo_study_close(table);
}

/* ---- the best value ---------------------------------------------------------------------------- */

static void tell_values(locbo_study *study, size_t outputs, const double *values) {
    double x[DIM];
    locbo_measurement row[8];
    for (size_t i = 0; i < outputs; i++) row[i] = (locbo_measurement){values[i], (double)NAN, 1};
    check_ok(locbo_study_tell(study, ask(study, x).trial, 1, 1, row, &error));
}

static void check_best(locbo_study *study, uint64_t trial, double value, uint64_t since) {
    locbo_census c = census(study);
    assert_int_equal(c.best_trial, trial);
    if (trial) check_same(c.best_value, value);
    assert_true(trial || isnan(c.best_value));
    assert_int_equal(c.since_best, since);
}

static void the_best_value_keeps_to_the_constraints(void **state) {
    (void)state;
    const double nan = (double)NAN;
    locbo_outputs *o;
    check_ok(locbo_outputs_create(&o, &error));
    add(o, (locbo_output_spec){.name = "a", .goal = LOCBO_GOAL_AT_MOST, .bound = 5});
    add(o, (locbo_output_spec){.name = "gain", .goal = LOCBO_GOAL_MAXIMIZE});
    add(o, (locbo_output_spec){.name = "b", .goal = LOCBO_GOAL_AT_LEAST, .bound = 0.5, .baseline = 2});
    add(o, (locbo_output_spec){.name = "sum", .goal = LOCBO_GOAL_AT_MOST, .bound = 100, .expression = "a + gain"});
    locbo_study *study = make_study("best", o);
    check_best(study, 0, nan, 0);
    tell_values(study, 4, (double[]){6, 10, 9, nan}); /* a is too large */
    check_best(study, 0, nan, 0);
    tell_values(study, 4, (double[]){5, 3, 8, nan}); /* the bound of b is now 4 */
    check_best(study, 2, 3, 0);
    tell_values(study, 4, (double[]){1, 20, 3.9, nan}); /* b is too small */
    tell_values(study, 4, (double[]){1, 20, nan, nan}); /* b is lacking */
    tell_values(study, 4, (double[]){1, nan, 9, nan});  /* so is the objective */
    tell_values(study, 4, (double[]){1, 99.5, 9, nan}); /* the sum is too large */
    check_best(study, 2, 3, 4);
    tell_values(study, 4, (double[]){1, 4, 4, nan});
    check_best(study, 7, 4, 0);
    locbo_measurement row[4] = {{1, nan, 1}, {1, nan, 1}, {2, nan, 1}, {nan, nan, 1}};
    check_ok(locbo_study_tell(study, 2, 0, 1, row, &error)); /* the bound of b is now 0.5 (8 + 2)/2 = 2.5 */
    check_best(study, 3, 20, 5);
    locbo_study_close(study);
    study = make_study("several", make_outputs());
    tell_values(study, OUTPUTS, (double[]){1, 1, 1, 1, nan});
    check_best(study, 0, nan, 0);
    locbo_study_close(study);
}

static void bounds_follow_their_trial(void **state) {
    (void)state;
    double bounds[3];
    locbo_outputs *o;
    check_ok(locbo_outputs_create(&o, &error));
    add(o, (locbo_output_spec){.name = "loss"});
    add(o, (locbo_output_spec){.name = "a", .goal = LOCBO_GOAL_AT_MOST, .bound = 5});
    add(o, (locbo_output_spec){.name = "b", .goal = LOCBO_GOAL_AT_LEAST, .bound = 0.5, .baseline = 1});
    locbo_study *study = make_study("bounds", o);
    check_ok(locbo_study_bounds(study, bounds, &error));
    assert_true(isnan(bounds[0]) && isnan(bounds[2]));
    check_same(bounds[1], 5);
    tell_values(study, 3, (double[]){1, 2, 8});
    locbo_measurement row[3] = {{1, NAN, 1}, {NAN, NAN, 1}, {4, NAN, 1}};
    check_ok(locbo_study_tell(study, 1, 0, 1, row, &error));
    check_ok(locbo_study_bounds(study, bounds, &error));
    check_same(bounds[2], 3);
    check_fails(locbo_study_bounds(study, NULL, &error), LOCBO_ERR_ARGUMENT, "must not be NULL");
    locbo_study_close(study);
}

/* Minimise a, maximise b, where c is at most 10. */
static locbo_outputs *two_objectives(double reference) {
    locbo_outputs *o;
    check_ok(locbo_outputs_create(&o, &error));
    add(o, (locbo_output_spec){
               .name = "a", .referenced = !isnan(reference), .reference = isnan(reference) ? 0 : reference});
    add(o, (locbo_output_spec){.name = "kept", .goal = LOCBO_GOAL_RECORD});
    add(o, (locbo_output_spec){.name = "b", .goal = LOCBO_GOAL_MAXIMIZE});
    add(o, (locbo_output_spec){.name = "c", .goal = LOCBO_GOAL_AT_MOST, .bound = 10});
    return o;
}

static void the_hypervolume_grows_with_the_front(void **state) {
    (void)state;
    const double nan = (double)NAN;
    static const struct {
        double row[4];
        uint64_t since;
    } steps[] = {{{5, 0, 5, 11}, 0},  /* not feasible: nothing has improved yet */
                 {{5, 0, 5, 1}, 0},   /* the first of the front */
                 {{5, 0, 5, 1}, 1},   /* the same again */
                 {{6, 0, 4, 1}, 2},   /* dominated */
                 {{6, 0, 6, 1}, 0},   /* beside it */
                 {{4, 0, 9, nan}, 1}, /* its constraint is not known */
                 {{4, 0, nan, 1}, 2}, /* nor this objective */
                 {{9, 0, 9, 1}, 3},   /* a is not better than the reference */
                 {{5, 0, 6, 1}, 0},   /* dominates both */
                 {{5, 0, 5.5, 1}, 1}};
    locbo_study *study = make_study("front", two_objectives(9));
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        tell_values(study, 4, steps[i].row);
        check_best(study, 0, nan, steps[i].since);
    }
    locbo_study_close(study);
}

/* Results at one point are judged together, as by the optimizer, and a mean of n repetitions counts n times. */
static void constraints_are_kept_by_the_means_of_a_point(void **state) {
    (void)state;
    const double nan = (double)NAN;
    const double points[3][DIM] = {{0.5, 1}, {0.75, 1}, {0.5, 1}};
    const locbo_measurement first[3][2] = {
        {{3, nan, 1}, {9, nan, 1}}, {{5, nan, 1}, {9, nan, 1}}, {{4, nan, 1}, {12, nan, 1}}};
    const locbo_measurement more[2][2] = {{{2, nan, 1}, {15, nan, 1}}, {{7, nan, 1}, {9, nan, 4}}};
    locbo_outputs *o;
    uint64_t trial;
    double bounds[2];
    check_ok(locbo_outputs_create(&o, &error));
    add(o, (locbo_output_spec){.name = "loss"});
    add(o, (locbo_output_spec){.name = "c", .goal = LOCBO_GOAL_AT_MOST, .bound = 10});
    locbo_study *study = make_study("means", o);
    check_ok(locbo_study_import(study, 2, points[0], first[0], &trial, &error));
    check_best(study, 1, 3, 1);
    check_ok(locbo_study_import(study, 1, points[2], first[2], &trial, &error)); /* the mean of c there is 10.5 */
    check_best(study, 2, 5, 1);
    check_ok(locbo_study_tell(study, 2, 0, 1, more[0], &error)); /* 12: neither holds */
    check_best(study, 0, nan, 0);
    check_ok(locbo_study_tell(study, 2, 0, 1, more[1], &error)); /* (9 + 15 + 4*9)/6 = 10: all its results count */
    locbo_census c = census(study);
    assert_true(c.best_trial == 2 && c.best_count == 3 && c.since_best == 1);
    check_close(c.best_value, 14.0 / 3, 1e-15, 0); /* the mean of 5, 2 and 7, in a few roundings */
    locbo_study_close(study);
    check_ok(locbo_outputs_create(&o, &error));
    add(o, (locbo_output_spec){.name = "loss"});
    add(o, (locbo_output_spec){.name = "c", .goal = LOCBO_GOAL_AT_MOST, .bound = 2, .baseline = 1});
    study = make_study("weights", o);
    check_ok(locbo_study_import(study, 1, points[0], first[0], &trial, &error));
    check_ok(locbo_study_tell(study, 1, 0, 1, more[0], &error));
    check_ok(locbo_study_tell(study, 1, 0, 1, more[1], &error));
    check_ok(locbo_study_bounds(study, bounds, &error));
    check_same(bounds[1], 20);
    locbo_study_close(study);
}

/* A lucky first result that a second one at the point corrects does not hide what comes later. */
static void the_front_grows_by_the_means_of_a_point(void **state) {
    (void)state;
    const double points[3][DIM] = {{0.5, 1}, {0.5, 1}, {0.75, 1}}, nan = (double)NAN;
    const locbo_measurement rows[3][4] = {{{2, nan, 1}, {0, nan, 1}, {8, nan, 1}, {9, nan, 1}},
                                          {{2, nan, 1}, {0, nan, 1}, {8, nan, 1}, {12, nan, 1}},
                                          {{3, nan, 1}, {0, nan, 1}, {7, nan, 1}, {9, nan, 1}}};
    uint64_t trial;
    locbo_study *study = make_study("means", two_objectives(9));
    check_ok(locbo_study_import(study, 2, points[0], rows[0], &trial, &error));
    check_ok(locbo_study_import(study, 1, points[2], rows[2], &trial, &error));
    check_best(study, 0, nan, 0);
    check_ok(locbo_study_tell(study, 3, 0, 1, rows[1], &error)); /* its constraint does not hold any more */
    assert_int_equal(census(study).since_best, 0);
    locbo_study_close(study);
}

static void targets_are_reached_by_the_means_of_a_point(void **state) {
    (void)state;
    locbo_plan plan, read = {.struct_size = sizeof read};
    locbo_study *study = make_study("targets", two_objectives((double)NAN));
    locbo_plan_init(&plan);
    for (size_t k = 0; k < LOCBO_MAX_TARGETS; k++) assert_true(isnan(plan.targets[k]));
    plan.targets[0] = 3; /* a */
    plan.targets[2] = 7; /* c, whose bound is 10 */
    check_ok(locbo_study_set_plan(study, &plan, &error));
    check_ok(locbo_study_plan(study, &read, &error));
    for (size_t k = 0; k < LOCBO_MAX_TARGETS; k++) check_same(read.targets[k], plan.targets[k]);
    tell_values(study, 4, (double[]){2, 0, 1, 8});
    tell_values(study, 4, (double[]){4, 0, 9, 7});
    tell_values(study, 4, (double[]){2, 0, 9, (double)NAN});
    assert_int_equal(census(study).reached, 0);
    locbo_measurement row[4] = {{1, NAN, 1}, {NAN, NAN, 1}, {NAN, NAN, 1}, {NAN, NAN, 1}};
    check_ok(locbo_study_tell(study, 2, 0, 1, row, &error)); /* the mean of a is now 2.5 */
    assert_int_equal(census(study).reached, 2);
    const double points[2][DIM] = {{0.5, 1}, {0.5, 1}};
    const locbo_measurement both[2][4] = {{{1, NAN, 1}, {0, NAN, 1}, {9, NAN, 1}, {5, NAN, 1}},
                                          {{9, NAN, 1}, {0, NAN, 1}, {9, NAN, 1}, {5, NAN, 1}}};
    uint64_t trial;
    check_ok(locbo_study_tell(study, 2, 0, 1, both[1], &error)); /* no more: (4 + 1 + 9) / 3 */
    check_ok(locbo_study_import(study, 1, points[0], both[0], &trial, &error));
    assert_int_equal(census(study).reached, trial);
    check_ok(locbo_study_import(study, 1, points[1], both[1], &trial, &error)); /* the mean there is 5 */
    assert_int_equal(census(study).reached, 0);
    check_ok(locbo_study_tell(study, trial, 0, 4,
                              (locbo_measurement[]){{0, NAN, 1},
                                                    {0, NAN, 1},
                                                    {9, NAN, 1},
                                                    {5, NAN, 1},
                                                    {0, NAN, 1},
                                                    {0, NAN, 1},
                                                    {9, NAN, 1},
                                                    {5, NAN, 1},
                                                    {0, NAN, 1},
                                                    {0, NAN, 1},
                                                    {9, NAN, 1},
                                                    {5, NAN, 1},
                                                    {0, NAN, 1},
                                                    {0, NAN, 1},
                                                    {9, NAN, 1},
                                                    {5, NAN, 1}},
                              &error));
    assert_int_equal(census(study).reached, trial - 1);
    plan.targets[1] = 9.5; /* b is maximised */
    check_ok(locbo_study_set_plan(study, &plan, &error));
    assert_int_equal(census(study).reached, 0);
    plan.targets[3] = 1;
    check_fails(locbo_study_set_plan(study, &plan, &error), LOCBO_ERR_ARGUMENT,
                "target 1 is of objective or constraint number 4, and there are 3");
    plan.targets[3] = INFINITY;
    check_fails(locbo_study_set_plan(study, &plan, &error), LOCBO_ERR_ARGUMENT, "target must be finite, got inf");
    locbo_plan_init(&plan);
    plan.target = 2;
    check_fails(locbo_study_set_plan(study, &plan, &error), LOCBO_ERR_ARGUMENT, "target 2 needs one objective");
    plan.targets[0] = 1;
    check_fails(locbo_study_set_plan(study, &plan, &error), LOCBO_ERR_ARGUMENT, "there is a target 2 and a target 1");
    locbo_study_close(study);
}

static int compare_derived(const locbo_record *r, void *user) {
    const double *const *expected = user; /* of outputs 3 and 4 */
    assert_int_equal(r->count, 4);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 2; k++) check_same(r->measurements[4 * i + 2 + k].value, expected[k][i]);
    return 0;
}

/* A value that a scale cannot have is refused; a derived one is lacking. */
static void values_keep_to_their_scales(void **state) {
    (void)state;
    const double nan = (double)NAN;
    locbo_outputs *o;
    check_ok(locbo_outputs_create(&o, &error));
    add(o, (locbo_output_spec){.name = "a", .scale = LOCBO_MODEL_SCALE_LOG});
    add(o, (locbo_output_spec){.name = "share",
                               .goal = LOCBO_GOAL_RECORD,
                               .scale = LOCBO_MODEL_SCALE_LOGIT,
                               .scale_low = 0,
                               .scale_high = 1});
    add(o, (locbo_output_spec){
               .name = "rest", .goal = LOCBO_GOAL_RECORD, .scale = LOCBO_MODEL_SCALE_LOG, .expression = "a - share"});
    add(o, (locbo_output_spec){.name = "root", .goal = LOCBO_GOAL_RECORD, .expression = "sqrt(rest) / (a - 1)"});
    locbo_study *study = make_study("scales", o);
    double x[DIM];
    ask(study, x);
    locbo_measurement row[4] = {{0, nan, 1}, {0.5, nan, 1}, {nan, nan, 1}, {nan, nan, 1}};
    check_fails(locbo_study_tell(study, 1, 1, 1, row, &error), LOCBO_ERR_ARGUMENT,
                "output 'a': a value on a log scale must be positive, got 0");
    row[0].value = 1;
    row[1].value = 1;
    check_fails(locbo_study_tell(study, 1, 1, 1, row, &error), LOCBO_ERR_ARGUMENT,
                "output 'share': a value on this logit scale must lie between 0 and 1, got 1");
    const double told[4][2] = {{1, 0.5}, {0.25, 0.5}, {3, 0.75}, {3, nan}};
    const double rest[4] = {0.5, nan, 2.25, nan}, root[4] = {nan, nan, 0.75, nan};
    for (int i = 0; i < 4; i++) {
        row[0].value = told[i][0];
        row[1].value = told[i][1];
        check_ok(locbo_study_tell(study, 1, 1, 1, row, &error));
    }
    locbo_optimizer *made;
    check_ok(locbo_study_optimizer(study, &made, &error));
    char *text = NULL;
    check_ok(locbo_optimizer_save(made, &text, NULL, &error));
    locbo_free(text);
    const double *expected[2] = {rest, root};
    check_ok(locbo_study_each(study, NULL, compare_derived, (void *)expected, &error));
    locbo_study_close(study);
}

/* ---- reading parts ----------------------------------------------------------------------------- */

static void a_filter_selects_whole_trials(void **state) {
    (void)state;
    locbo_study *study = make_study("filter", make_outputs());
    double x[DIM];
    for (int i = 0; i < 9; i++) tell(study, ask(study, x).trial, x);
    ask(study, x);
    contents *all = read_all(study), *some = mem_new(1, sizeof *some);
    const locbo_filter filters[] = {{.struct_size = sizeof filters[0], .first = 4, .limit = 3},
                                    {.struct_size = sizeof filters[0], .first = 2, .newest_first = 1},
                                    {.struct_size = sizeof filters[0], .changed_after = 6},
                                    {.struct_size = sizeof filters[0], .changed_after = 4, .newest_first = 1}};
    const size_t counts[] = {3, 9, 4, 6};
    for (size_t f = 0; f < 4; f++) {
        memset(some, 0, sizeof *some);
        check_ok(locbo_study_each(study, &filters[f], keep_record, some, &error));
        assert_int_equal(some->records, counts[f]);
        for (size_t i = 0; i < some->records; i++) {
            size_t at = (size_t)some->record[i].trial.id - 1;
            assert_int_equal(some->record[i].count, all->record[at].count);
            assert_memory_equal(some->beliefs[i], all->beliefs[at], sizeof all->beliefs[at]);
            if (some->record[i].count) check_same_row(some->measured[i], all->measured[at]);
        }
    }
    mem_free(some);
    mem_free(all);
    locbo_study_close(study);
}

static void damaged_rows_are_errors(void **state) {
    (void)state;
    locbo_study *study = make_study("damaged", make_outputs());
    locbo_optimizer *o;
    double x[DIM];
    for (int i = 0; i < 7; i++) tell(study, ask(study, x).trial, x);
    check_ok(locbo_study_optimizer(study, &o, &error));
    locbo_study_close(study); /* who has read them does not read them again */
    check_ok(locbo_study_open(&study, own_store, "damaged", &error));
    own_sql_change("UPDATE locbo_measurement SET output = 9 WHERE event = 2 AND output = 1");
    check_fails(locbo_study_optimizer(study, &o, &error), LOCBO_ERR_IO, "event 2 has output 9 of 5");
    own_sql_change("UPDATE locbo_measurement SET output = 1 WHERE output = 9");
    own_sql_change("UPDATE locbo_study SET reference = '[1]'");
    check_fails(locbo_study_optimizer(study, &o, &error), LOCBO_ERR_IO,
                "the reference point has 1 numbers, there are 2 objectives");
    own_sql_change("UPDATE locbo_study SET reference = '[1, 2'");
    check_fails(locbo_study_optimizer(study, &o, &error), LOCBO_ERR_IO, "damaged list of numbers");
    own_sql_change("UPDATE locbo_study SET reference = '[1, 2]'");
    own_sql_change("UPDATE locbo_fit SET output = 0 WHERE fit = 1");
    check_fails(locbo_study_optimizer(study, &o, &error), LOCBO_ERR_IO, "output 0 is not modelled");
    own_sql_change("UPDATE locbo_fit SET output = 1 WHERE fit = 1");
    own_sql_change("UPDATE locbo_belief SET sd_y = -1");
    check_fails(locbo_study_optimizer(study, &o, &error), LOCBO_ERR_IO, "sd_y > 0");
    locbo_study_close(study);
    static const char *const texts[][2] = {
        {"0.5*loss", "0.5*lost"}, {"goal\":\"minimize", "goal\":\"minimise"}, {"at_most", "most"}};
    for (size_t i = 0; i < 3; i++) {
        char text[160];
        snprintf(text, sizeof text, "UPDATE locbo_study SET definition = replace(definition, '%s', '%s')", texts[i][0],
                 texts[i][1]);
        own_sql_change(text);
        check_fails(locbo_study_open(&study, own_store, "damaged", &error), LOCBO_ERR_IO, "damaged definition");
        snprintf(text, sizeof text, "UPDATE locbo_study SET definition = replace(definition, '%s', '%s')", texts[i][1],
                 texts[i][0]);
        own_sql_change(text);
    }
    check_ok(locbo_study_open(&study, own_store, "damaged", &error));
    locbo_study_close(study);
}

/* ---- older schemas ----------------------------------------------------------------------------- */

static void remove_tables(void) {
    static const char *const tables[] = {"step",        "decision", "belief",  "output", "change", "fit",
                                         "measurement", "trial",    "request", "point",  "study",  "schema"};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "DROP TABLE IF EXISTS locbo_%s", tables[i]);
        own_sql_change(text);
    }
}

static locbo_status take_text(const store_value *columns, size_t count, void *user, locbo_error *e) {
    (void)count, (void)e;
    *(char **)user = mem_text(store_as_text(&columns[0]));
    return LOCBO_OK;
}

static int take_no_curve(const locbo_curve *curve, void *user) {
    (void)curve, (void)user;
    fail_msg("there are no steps");
    return 0;
}

static void check_no_steps(locbo_study *study) {
    locbo_ended e = {.struct_size = sizeof e};
    locbo_pulse pulse;
    check_ok(locbo_study_each_curve(study, 0, take_no_curve, NULL, &error));
    check_ok(locbo_study_each_curve(study, 1, take_no_curve, NULL, &error));
    check_ok(locbo_study_ended(study, &e, &error));
    assert_true(e.could_end == 0 && e.steps == 0);
    check_ok(locbo_study_pulse(study, &pulse, &error));
}

/* A study of schema 4, as rows: read without an upgrade, then upgraded, then continued. */
static void a_database_of_schema_4_is_read_and_upgraded(void **state) {
    (void)state;
    locbo_study *study = NULL, *old = NULL;
    locbo_store *reader = NULL;
    locbo_optimizer *o;
    char *definition = NULL, *before = NULL, *after = NULL;
    static const char *const rows[] = {
        "INSERT INTO locbo_trial (study, number, state, params, origin, told, pending, asked) VALUES"
        " (1, 1, 'COMPLETE', '{\"x\":0.25,\"y\":0.5}', 0, 0, '[]', 1), (1, 2, 'COMPLETE', '{\"x\":0.75,\"y\":0}', 0, 1,"
        " '[]', 2), (1, 3, 'COMPLETE', '{\"x\":0.5,\"y\":1}', 0, 2, '[]', 3)",
        "INSERT INTO locbo_measurement (study, event, trial, attempt, value, sd, n, told, token) VALUES"
        " (1, 1, 2, 1, 2.5, NULL, 1, 5, 1), (1, 2, 1, 1, 1.5, 0.5, 2, 6, 2), (1, 3, 3, 1, 0.5, NULL, 1, 7, 3),"
        " (1, 4, 1, 1, 4.5, NULL, 1, 8, 4)",
        "INSERT INTO locbo_fit (study, fit, result_rows, shift, spread, log_posterior, theta) VALUES"
        " (1, 1, 3, 0.5, 1.5, -1, '[0.1,0.2,0.3,-2]')"};
    check_ok(try_study(&study, "old", NULL, NULL, NULL, &error)); /* for the text of its definition */
    locbo_study_close(study);
    check_ok(
        store_single(own_store, "SELECT definition FROM locbo_study", 0, NULL, take_text, &definition, NULL, &error));
    remove_tables();
    locbo_store_close(own_store);
    check_ok(store_open_at(&own_store, own_url, LOCBO_STORE_CREATE, 4, &error));
    char *text = mem_new(strlen(definition) + 256, 1);
    sprintf(text,
            "INSERT INTO locbo_study (id, name, created, definition, plan, trials, events)"
            " VALUES (1, 'old', 0, '%s', '{}', 3, 4)",
            definition);
    own_sql_change(text);
    for (int i = 0; i < 3; i++) own_sql_change(rows[i]);
    reader = own_store_again(LOCBO_STORE_READ_ONLY);
    check_ok(locbo_study_open(&old, reader, "old", &error));
    check_ok(locbo_study_optimizer(old, &o, &error));
    check_ok(locbo_optimizer_save(o, &before, NULL, &error));
    check_best(old, 3, 0.5, 1);
    assert_int_equal(census(old).measurements, 4);
    check_no_steps(old);
    assert_int_equal(own_sql_number("SELECT version FROM locbo_schema"), 4);
    locbo_study_close(old);
    locbo_store_close(own_store);
    own_store = own_store_again(LOCBO_STORE_EXISTING);
    assert_int_equal(own_sql_number("SELECT version FROM locbo_schema"), STORE_SCHEMA);
    assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_measurement WHERE output = 0"), 4);
    check_ok(locbo_study_open(&old, own_store, "old", &error));
    check_ok(locbo_study_optimizer(old, &o, &error));
    check_ok(locbo_optimizer_save(o, &after, NULL, &error));
    assert_string_equal(before, after);
    check_best(old, 3, 0.5, 1);
    double x[DIM];
    locbo_assignment a = ask(old, x);
    locbo_measurement m = {0.25, (double)NAN, 1};
    check_ok(locbo_study_tell(old, a.trial, 1, 1, &m, &error));
    check_best(old, 4, 0.25, 0);
    study = make_study("new", make_outputs()); /* beside it */
    tell(study, ask(study, x).trial, x);
    locbo_study_close(study);
    locbo_study_close(old);
    check_ok(locbo_study_open(&old, reader, "old", &error)); /* as it has always read it */
    check_best(old, 4, 0.25, 0);
    check_ok(locbo_study_open(&study, own_store, "old", &error));
    check_ok(locbo_study_retract(study, 4, 0, NULL, &error));
    locbo_study_close(study);
    check_best(old, 3, 0.5, 1); /* what was added to the schema meanwhile is seen */
    locbo_study_close(old);
    check_ok(locbo_study_open(&old, reader, "new", &error));
    assert_int_equal(census(old).measurements, 1);
    locbo_study_close(old);
    locbo_store_close(reader);
    check_ok(locbo_study_delete(own_store, "old", &error));
    assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_measurement WHERE study = 1"), 0);
    locbo_free(before);
    locbo_free(after);
    mem_free(text);
    mem_free(definition);
}

int main(void) {
#define SCENE(test) cmocka_unit_test_setup_teardown(test, own_store_open, own_store_close)
    const struct CMUnitTest tests[] = {
        SCENE(a_study_continues_as_an_optimizer),
        SCENE(a_killed_process_is_continued),
        SCENE(two_workers_share_a_study),
        SCENE(a_copy_continues_the_same),
        SCENE(outputs_without_a_model),
        SCENE(a_repeated_call_is_stored_once),
        SCENE(a_result_needs_a_value),
        SCENE(mistakes_are_named_when_a_study_is_created),
        SCENE(differences_are_named),
        SCENE(no_table_is_one_output),
        SCENE(the_best_value_keeps_to_the_constraints),
        SCENE(bounds_follow_their_trial),
        SCENE(the_hypervolume_grows_with_the_front),
        SCENE(constraints_are_kept_by_the_means_of_a_point),
        SCENE(the_front_grows_by_the_means_of_a_point),
        SCENE(targets_are_reached_by_the_means_of_a_point),
        SCENE(values_keep_to_their_scales),
        SCENE(a_filter_selects_whole_trials),
        SCENE(damaged_rows_are_errors),
        SCENE(a_database_of_schema_4_is_read_and_upgraded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
