/* calls.c - see calls.h. */
#include "calls.h"

#include <inttypes.h>

#include "check.h"
#include "record.h"
#include "store.h"

enum { ROWS = 20, DIM = 2, OUTPUTS = 3 };
#define LONG 1e6 /* seconds: a lease that does not end meanwhile */

static locbo_measurement measured(double value) { return (locbo_measurement){value, (double)NAN, 1}; }

/* ---- the scene --------------------------------------------------------------------------------- */

static locbo_outputs *make_outputs(void) {
    const locbo_output_spec specs[OUTPUTS] = {
        {.struct_size = sizeof specs[0], .name = "a"},
        {.struct_size = sizeof specs[0], .name = "b"},
        {.struct_size = sizeof specs[0], .name = "c", .goal = LOCBO_GOAL_AT_MOST, .bound = 4, .expression = "a + b"}};
    locbo_outputs *outputs;
    check_ok(locbo_outputs_create(&outputs, &error));
    for (size_t i = 0; i < OUTPUTS; i++) check_ok(locbo_outputs_add(outputs, &specs[i], &error));
    return outputs;
}

/* `contents` NULL: an empty one; `outputs` NULL: one. */
static locbo_status create_study(locbo_study **study, locbo_store *store, const char *name, locbo_outputs *outputs,
                                 const locbo_contents *contents, locbo_error *why) {
    locbo_space *space;
    locbo_options options;
    locbo_options_init(&options);
    options.seed = 7;
    locbo_definition d = {.struct_size = sizeof d, .options = &options, .outputs = outputs};
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", -5, 10, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_real(space, "rate", 1e-4, 1, LOCBO_LOG, &error));
    d.space = space;
    locbo_plan plan;
    locbo_plan_init(&plan);
    if (!outputs) plan.prune = LOCBO_PRUNE_RISK;
    locbo_status status = contents ? locbo_study_create_from(study, store, name, &d, &plan, contents, why)
                                   : locbo_study_create(study, store, name, &d, &plan, why);
    locbo_space_destroy(space);
    return status;
}

static void make_rows(size_t n, double *x, locbo_measurement *y) {
    for (size_t i = 0; i < n; i++) {
        x[DIM * i] = -5 + 15 * ((double)i + 0.5) / (double)n;
        x[DIM * i + 1] = pow(10, -4 * (double)((7 * i + 3) % n) / (double)n);
        y[i] = measured(pow(x[DIM * i] - 2, 2) / 10 + x[DIM * i + 1]);
    }
}

/* Results of several outputs; one lacks the second. */
static void fill_several(locbo_store *direct) {
    locbo_study *s;
    locbo_assignment a;
    double x[6 * DIM];
    locbo_measurement y[6], rows[6 * OUTPUTS];
    locbo_request request = {.struct_size = sizeof request, .worker = "a", .lease = LONG};
    locbo_outputs *outputs = make_outputs();
    make_rows(6, x, y);
    for (size_t i = 0; i < 6; i++) {
        rows[OUTPUTS * i] = y[i];
        rows[OUTPUTS * i + 1] = measured(i == 3 ? (double)NAN : x[DIM * i] / 2);
        rows[OUTPUTS * i + 2] = measured((double)NAN);
    }
    check_ok(create_study(&s, direct, "several", outputs, NULL, &error));
    check_ok(locbo_study_import(s, 6, x, rows, NULL, &error));
    check_ok(locbo_study_enqueue(s, x, NULL, &error));
    check_ok(locbo_study_ask(s, &request, &a, x, &error));
    locbo_study_close(s);
    locbo_outputs_destroy(outputs);
}

static const char *const tables[] = {"study",  "trial",  "measurement", "belief",  "fit",
                                     "output", "change", "step",        "decision"};
enum { TABLES = sizeof tables / sizeof tables[0] };

static locbo_status run_statements(locbo_store *store, void *user, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (const char *const *sql = user; *sql && status == LOCBO_OK; sql++)
        status = store_query(store, *sql, 0, NULL, NULL, NULL, NULL, error);
    return status;
}

void scene_fill(locbo_store *direct) {
    locbo_study *s;
    double x[ROWS * DIM];
    locbo_measurement y[ROWS];
    locbo_assignment a;
    locbo_request request = {.struct_size = sizeof request, .worker = "a", .lease = LONG};
    make_rows(10, x, y);
    locbo_study_delete(direct, "empty", NULL); /* of an earlier run on the same server */
    locbo_study_delete(direct, "s", NULL);
    locbo_study_delete(direct, "several", NULL);
    locbo_study_delete(direct, "new", NULL);
    check_ok(create_study(&s, direct, "empty", NULL, NULL, &error));
    locbo_study_close(s);
    fill_several(direct);
    check_ok(create_study(&s, direct, "s", NULL, NULL, &error));
    check_ok(locbo_study_import(s, 6, x, y, NULL, &error));
    for (size_t i = 6; i < 10; i++) check_ok(locbo_study_enqueue(s, x + DIM * i, NULL, &error));
    for (int i = 0; i < 2; i++) check_ok(locbo_study_ask(s, &request, &a, x, &error));
    locbo_output o = {"out\n", "err\n", 4, 4, 3, 1.5};
    check_ok(locbo_study_keep_output(s, 7, 1, &o, &error));
    locbo_study_close(s);
    const char *const steps[] = {
        "INSERT INTO locbo_step (study, trial, attempt, step, value) SELECT study, number, 1, 1, 9"
        " FROM locbo_trial, locbo_study WHERE id = study AND name = 's' AND number <= 6",
        "INSERT INTO locbo_step (study, trial, attempt, step, value) SELECT study, number, 1, 9, 5"
        " FROM locbo_trial, locbo_study WHERE id = study AND name = 's' AND number <= 6",
        NULL};
    check_ok(store_write(direct, run_statements, (void *)steps, &error));
    char texts[2 * TABLES][96];
    const char *sql[2 * TABLES + 1] = {NULL};
    for (size_t i = 0; i < TABLES; i++) {
        snprintf(texts[2 * i], sizeof texts[0], "DROP TABLE IF EXISTS copy_%s", tables[i]);
        snprintf(texts[2 * i + 1], sizeof texts[0], "CREATE TABLE copy_%s AS SELECT * FROM locbo_%s", tables[i],
                 tables[i]);
        sql[2 * i] = texts[2 * i], sql[2 * i + 1] = texts[2 * i + 1];
    }
    check_ok(store_write(direct, run_statements, sql, &error));
}

void scene_restore(locbo_store *direct, const char *change) {
    char texts[TABLES][96];
    const char *sql[TABLES + 3] = {"DELETE FROM locbo_study"}; /* the other tables follow */
    for (size_t i = 0; i < TABLES; i++) {
        snprintf(texts[i], sizeof texts[i], "INSERT INTO locbo_%s SELECT * FROM copy_%s", tables[i], tables[i]);
        sql[1 + i] = texts[i];
    }
    sql[1 + TABLES] = change;
    check_ok(store_write(direct, run_statements, sql, &error));
}

/* The trials that wait are not handed out. */
#define NONE_WAITS "UPDATE locbo_trial SET lease = {now} + 1000000 WHERE state = 'WAITING'"

/* ---- studies ----------------------------------------------------------------------------------- */

static locbo_status call_open_store(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_store_open_patiently(&s->store, s->blank, LOCBO_STORE_CREATE, s->patience, NULL, NULL, error);
}

static locbo_status call_create(scene *s, FILE *answer, locbo_error *error) {
    locbo_status status = create_study(&s->study, s->store, "new", NULL, NULL, error);
    if (status == LOCBO_OK) fprintf(answer, "%s\n", locbo_study_name(s->study));
    return status;
}

static locbo_status call_open(scene *s, FILE *answer, locbo_error *error) {
    locbo_status status = locbo_study_open(&s->study, s->store, "s", error);
    if (status == LOCBO_OK) fprintf(answer, "%s\n", locbo_study_name(s->study));
    return status;
}

static locbo_status call_delete(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_delete(s->store, "s", error);
}

static locbo_status call_set_plan(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    locbo_plan plan;
    locbo_plan_init(&plan);
    plan.trials = 77;
    return locbo_study_set_plan(s->study, &plan, error);
}

static locbo_status call_stop(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_stop(s->study, "enough", error);
}

/* ---- ask and tell ------------------------------------------------------------------------------ */

static void say_assignment(const locbo_assignment *a, const double *x, FILE *answer) {
    fprintf(answer,
            "trial %" PRIu64 " attempt %" PRIu64 " retries %" PRIu64 " seed %" PRIu64 " x %a %a told %" PRIu64
            " mean %a\n",
            a->trial, a->attempt, a->retries, a->seed, x[0], x[1], a->info.told, a->info.belief.mean);
}

static locbo_status ask(scene *s, const double *fixed, FILE *answer, locbo_error *error) {
    locbo_request request = {.struct_size = sizeof request, .worker = "b", .lease = LONG, .fixed = fixed};
    locbo_assignment a;
    double x[DIM];
    locbo_status status = locbo_study_ask(s->study, &request, &a, x, error);
    if (status == LOCBO_OK) say_assignment(&a, x, answer);
    return status;
}

static locbo_status call_ask(scene *s, FILE *answer, locbo_error *error) { return ask(s, NULL, answer, error); }

static locbo_status call_ask_fixed(scene *s, FILE *answer, locbo_error *error) {
    const double fixed[DIM] = {1.5, (double)NAN};
    return ask(s, fixed, answer, error);
}

static locbo_status call_ask_many(scene *s, FILE *answer, locbo_error *error) {
    locbo_request request = {.struct_size = sizeof request, .worker = "b", .lease = LONG};
    locbo_assignment a[3];
    double x[3 * DIM];
    size_t count = 0;
    locbo_status status = locbo_study_ask_many(s->study, &request, 3, a, x, &count, error);
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) say_assignment(&a[i], x + DIM * i, answer);
    return status;
}

static locbo_status call_beat(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_beat(s->study, 7, 1, LONG, error);
}

static locbo_status report(scene *s, double value, FILE *answer, locbo_error *error) {
    const locbo_step steps[] = {{1, value}, {2, value}, {3, value}};
    int end;
    locbo_status status = locbo_study_report(s->study, 7, 1, 3, steps, &end, error);
    if (status == LOCBO_OK) fprintf(answer, end ? "end\n" : "go on\n");
    return status;
}

static locbo_status call_report(scene *s, FILE *answer, locbo_error *error) { return report(s, 1, answer, error); }

static locbo_status call_report_hopeless(scene *s, FILE *answer, locbo_error *error) {
    return report(s, 1e6, answer, error);
}

static locbo_status call_tell(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    locbo_measurement y = measured(0.25);
    return locbo_study_tell(s->study, 7, 1, 1, &y, error);
}

static locbo_status call_tell_three(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    locbo_measurement y[3] = {measured(0.25), measured(0.5), measured(0.75)};
    return locbo_study_tell(s->study, 7, 1, 3, y, error);
}

static locbo_status call_tell_several(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    locbo_measurement none = measured((double)NAN);
    locbo_measurement y[2 * OUTPUTS] = {measured(0.25), measured(0.5), none, none, measured(0.75), none};
    return locbo_study_tell(s->study, 7, 1, 2, y, error);
}

static locbo_status call_failed(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_tell_failed(s->study, 7, 1, "it broke", error);
}

static locbo_status call_infeasible(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_tell_infeasible(s->study, 7, 1, "outside", error);
}

static locbo_status call_requeue(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_requeue(s->study, 7, 1, LOCBO_REQUEUE_RETRY, 0, error);
}

static locbo_status call_requeue_killed(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_requeue(s->study, 7, 1, LOCBO_REQUEUE_KILLED, 0, error);
}

static locbo_status say_number(locbo_status status, const char *what, uint64_t number, FILE *answer) {
    if (status == LOCBO_OK) fprintf(answer, "%s %" PRIu64 "\n", what, number);
    return status;
}

static locbo_status call_forget(scene *s, FILE *answer, locbo_error *error) {
    uint64_t n = 0;
    locbo_status status = locbo_study_forget_worker(s->study, "a", &n, error);
    return say_number(status, "requeued", n, answer);
}

static locbo_status call_expire(scene *s, FILE *answer, locbo_error *error) {
    uint64_t n = 0;
    locbo_status status = locbo_study_expire(s->study, &n, error);
    return say_number(status, "requeued", n, answer);
}

static locbo_status enqueue(scene *s, double second, FILE *answer, locbo_error *error) {
    const double fixed[DIM] = {1.5, second};
    uint64_t trial = 0;
    locbo_status status = locbo_study_enqueue(s->study, fixed, &trial, error);
    return say_number(status, "trial", trial, answer);
}

static locbo_status call_enqueue(scene *s, FILE *answer, locbo_error *error) { return enqueue(s, 0.5, answer, error); }

static locbo_status call_enqueue_free(scene *s, FILE *answer, locbo_error *error) {
    return enqueue(s, (double)NAN, answer, error);
}

static locbo_status call_import(scene *s, FILE *answer, locbo_error *error) {
    double x[ROWS * DIM];
    locbo_measurement y[ROWS];
    uint64_t first = 0;
    make_rows(ROWS, x, y);
    locbo_status status = locbo_study_import(s->study, ROWS, x, y, &first, error);
    return say_number(status, "first", first, answer);
}

/* Two of the rows are in the study already, one of them has a further result. */
static locbo_status call_import_outcomes(scene *s, FILE *answer, locbo_error *error) {
    double x[10 * DIM];
    locbo_measurement y[10];
    locbo_imported done = {0};
    make_rows(10, x, y);
    const locbo_measurement two[2] = {y[1], y[9]};
    const locbo_import_row rows[] = {{x, LOCBO_COMPLETE, 1, y, NULL},
                                     {x + DIM, LOCBO_COMPLETE, 2, two, NULL},
                                     {x + 7 * DIM, LOCBO_STATE_FAILED, 0, NULL, "broke"}};
    locbo_status status = locbo_study_import_outcomes(s->study, 3, rows, 0, &done, error);
    return say_number(status, "first, trials, skipped", 100 * done.first + 10 * done.trials + done.skipped, answer);
}

static locbo_status call_keep_output(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    locbo_output o = {"more\n", "", 5, 0, -9, 2.5};
    return locbo_study_keep_output(s->study, 8, 1, &o, error);
}

static locbo_status call_create_from(scene *s, FILE *answer, locbo_error *error) {
    enum { N = 3 };
    double x[N * DIM], told[N] = {1e9, 1e9 + 1, 1e9 + 2}, theta[4] = {0.1, 0.2, 0.3, 0.4};
    locbo_measurement y[N];
    uint64_t sequence[N] = {1, 2, 3};
    locbo_record records[N];
    locbo_fit fit = {.rows = 3, .shift = 0.5, .spread = 1.5, .log_posterior = -1, .count = 4, .theta = theta};
    make_rows(N, x, y);
    for (size_t i = 0; i < N; i++)
        records[i] = (locbo_record){.trial = {.id = i + 1, .origin = LOCBO_ORIGIN_GIVEN},
                                    .state = LOCBO_COMPLETE,
                                    .x = x + DIM * i,
                                    .count = 1,
                                    .measurements = y + i,
                                    .sequence = sequence + i,
                                    .told = told + i,
                                    .worker = "w",
                                    .message = "",
                                    .asked = 1e9,
                                    .started = 1e9,
                                    .ended = 1e9};
    locbo_contents contents = {.record_count = N, .records = records, .fit_count = 1, .fits = &fit};
    locbo_status status = create_study(&s->study, s->store, "new", NULL, &contents, error);
    if (status == LOCBO_OK) fprintf(answer, "%s\n", locbo_study_name(s->study));
    return status;
}

/* ---- changing one's mind ------------------------------------------------------------------------- */

/* The second parameter may become twice as large. */
static locbo_status call_alter(scene *s, FILE *answer, locbo_error *error) {
    locbo_definition d = {.struct_size = sizeof d};
    locbo_space *space = NULL;
    locbo_alteration effect = {0};
    locbo_parameter p;
    locbo_status status = locbo_study_definition(s->study, &d, error);
    if (status == LOCBO_OK) status = locbo_space_create(&space, error);
    for (size_t i = 0; i < DIM && status == LOCBO_OK; i++) {
        status = locbo_space_parameter(d.space, i, &p, error);
        if (status == LOCBO_OK)
            status = locbo_space_add_real(space, p.name, p.low, i ? 2 * p.high : p.high, p.scale, error);
    }
    d.space = space;
    if (status == LOCBO_OK) status = locbo_study_alter(s->study, &d, NULL, "wider", 0, &effect, error);
    locbo_space_destroy(space);
    return say_number(status, "event", effect.event, answer);
}

static locbo_status call_refresh(scene *s, FILE *answer, locbo_error *error) {
    int changed = 7;
    locbo_status status = locbo_study_refresh(s->study, &changed, error);
    return say_number(status, "changed", (uint64_t)changed, answer);
}

static locbo_status call_retract(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_retract(s->study, 3, 0, "a typo", error);
}

static locbo_status call_fail(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_fail(s->study, 4, LOCBO_STATE_INFEASIBLE, "it leaked", error);
}

static locbo_status call_pause(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_pause(s->study, "noon", error);
}

static locbo_status call_resume(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_resume(s->study, NULL, error);
}

/* A repetition may find it renamed. */
static locbo_status call_rename(scene *s, FILE *answer, locbo_error *error) {
    locbo_status status = locbo_study_open(&s->study, s->store, "s", error);
    if (status == LOCBO_ERR_NOT_FOUND) status = locbo_study_open(&s->study, s->store, "new", error);
    if (status == LOCBO_OK) status = locbo_study_rename(s->study, "new", error);
    if (status == LOCBO_OK) fprintf(answer, "%s\n", locbo_study_name(s->study));
    return status;
}

static locbo_status call_note(scene *s, FILE *answer, locbo_error *error) {
    (void)answer;
    return locbo_study_note(s->study, 2, "odd", "slow warm", error);
}

static locbo_status call_copy(scene *s, FILE *answer, locbo_error *error) {
    locbo_study *copy = NULL;
    locbo_status status = locbo_study_copy(&copy, s->study, s->store, "new", 1, error);
    if (status == LOCBO_OK) fprintf(answer, "%s\n", locbo_study_name(copy));
    locbo_study_close(copy);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------- */

static locbo_status call_get_note(scene *s, FILE *answer, locbo_error *error) {
    char *note = NULL, *tags = NULL;
    locbo_status status = locbo_study_get_note(s->study, &note, &tags, error);
    if (status == LOCBO_OK) fprintf(answer, "%s [%s]\n", note, tags);
    locbo_free(note);
    locbo_free(tags);
    return status;
}

static locbo_status call_each_change(scene *s, FILE *answer, locbo_error *error) {
    return locbo_study_each_change(s->study, 0, record_change, answer, error);
}

static locbo_status call_names(scene *s, FILE *answer, locbo_error *error) {
    return locbo_store_each(s->store, record_name, answer, error);
}

static locbo_status call_pulses(scene *s, FILE *answer, locbo_error *error) {
    return locbo_store_each_pulse(s->store, record_pulse, answer, error);
}

static locbo_status call_pulse(scene *s, FILE *answer, locbo_error *error) {
    locbo_pulse p;
    locbo_status status = locbo_study_pulse(s->study, &p, error);
    if (status == LOCBO_OK) record_pulse(&p, answer);
    return status;
}

static locbo_status call_plan(scene *s, FILE *answer, locbo_error *error) {
    return record_plan(s->study, answer, error);
}

static locbo_status call_each(scene *s, FILE *answer, locbo_error *error) {
    return locbo_study_each(s->study, NULL, record_trial, answer, error);
}

static locbo_status call_each_output(scene *s, FILE *answer, locbo_error *error) {
    return locbo_study_each_output(s->study, 7, record_output, answer, error);
}

static locbo_status call_each_curve(scene *s, FILE *answer, locbo_error *error) {
    return locbo_study_each_curve(s->study, 0, record_curve, answer, error);
}

static locbo_status call_ended(scene *s, FILE *answer, locbo_error *error) {
    locbo_ended e = {.struct_size = sizeof e};
    locbo_status status = locbo_study_ended(s->study, &e, error);
    if (status == LOCBO_OK) fprintf(answer, "ended %" PRIu64 " of %" PRIu64 " tau %a\n", e.ended, e.could_end, e.tau);
    return status;
}

static locbo_status call_each_fit(scene *s, FILE *answer, locbo_error *error) {
    return locbo_study_each_fit(s->study, record_fit, answer, error);
}

static locbo_status call_reference(scene *s, FILE *answer, locbo_error *error) {
    double reference[OUTPUTS];
    locbo_status status = locbo_study_reference(s->study, reference, error);
    if (status == LOCBO_OK) fprintf(answer, "reference %a %a %a\n", reference[0], reference[1], reference[2]);
    return status;
}

static locbo_status call_each_running(scene *s, FILE *answer, locbo_error *error) {
    return locbo_study_each_running(s->study, record_running, answer, error);
}

static locbo_status call_bounds(scene *s, FILE *answer, locbo_error *error) {
    double bounds[OUTPUTS];
    locbo_status status = locbo_study_bounds(s->study, bounds, error);
    if (status == LOCBO_OK) fprintf(answer, "bounds %a %a %a\n", bounds[0], bounds[1], bounds[2]);
    return status;
}

static locbo_status call_census(scene *s, FILE *answer, locbo_error *error) {
    return record_census(s->study, answer, error);
}

static locbo_status call_optimizer(scene *s, FILE *answer, locbo_error *error) {
    locbo_optimizer *o;
    locbo_summary summary;
    locbo_status status = locbo_study_optimizer(s->study, &o, error);
    if (status == LOCBO_OK) status = locbo_optimizer_summary(o, &summary, error);
    if (status == LOCBO_OK) fprintf(answer, "told %" PRIu64 " fits %" PRIu64 "\n", summary.told, summary.fits);
    return status;
}

/* Two reads of one moment; a caller that waits begins again when it is lost. */
static locbo_status call_hold(scene *s, FILE *answer, locbo_error *error) {
    locbo_status status;
    do {
        rewind(answer); /* what was read of a moment that is lost */
        status = locbo_store_hold(s->store, error);
        if (status == LOCBO_OK) status = record_census(s->study, answer, error);
        if (status == LOCBO_OK) status = locbo_study_each(s->study, NULL, record_trial, answer, error);
        locbo_store_release(s->store);
    } while (status == LOCBO_ERR_BUSY && s->patience > 0);
    return status;
}

/* A fit, for the calls that read it. */
#define WITH_A_FIT                                                                                                     \
    "INSERT INTO locbo_fit (study, fit, result_rows, shift, spread, log_posterior, theta)"                             \
    " SELECT id, 1, 3, 0.5, 1.5, -1, '[0.1,0.2,0.3,0.4]' FROM locbo_study WHERE name = 's'"

#define WITH_A_CHANGE                                                                                                  \
    "INSERT INTO locbo_change (study, event, time, author, kind, trial, text)"                                         \
    " SELECT id, 7, 1e9, 'ann', 'retract', 5, 'a typo' FROM locbo_study WHERE name = 's'"

const call calls[] = {
    {"store_open, creating", CALL_OPENS, "", NULL, call_open_store},
    {"create", CALL_WRITES, "", NULL, call_create},
    {"create_from", CALL_WRITES, "", NULL, call_create_from},
    {"delete", CALL_WRITES, "", NULL, call_delete},
    {"set_plan", CALL_WRITES, NULL, NULL, call_set_plan},
    {"stop", CALL_WRITES, NULL, NULL, call_stop},
    {"ask, a waiting trial", CALL_ASKS, NULL, NULL, call_ask},
    {"ask, a proposal", CALL_ASKS, NULL, NONE_WAITS, call_ask},
    {"ask_many, two wait", CALL_ASKS, NULL, NULL, call_ask_many},
    {"ask, fixed", CALL_ASKS, NULL, NULL, call_ask_fixed},
    {"beat", CALL_BEATS, NULL, "UPDATE locbo_trial SET started = {now}, lease = {now} + 100 WHERE number = 7",
     call_beat}, /* started now: another study has a trial 7 too, whose lease would look long late in a long test */
    {"report, it goes on", CALL_BEATS, NULL, NULL, call_report},
    {"report, it is ended", CALL_BEATS, NULL, NULL, call_report_hopeless},
    {"tell, 1 value", CALL_WRITES, NULL, NULL, call_tell},
    {"tell, 3 values", CALL_WRITES, NULL, NULL, call_tell_three},
    {"ask, several outputs", CALL_ASKS, "several", NULL, call_ask},
    {"tell, several outputs", CALL_WRITES, "several", NULL, call_tell_several},
    {"tell_failed", CALL_WRITES, NULL, NULL, call_failed},
    {"tell_infeasible", CALL_WRITES, NULL, NULL, call_infeasible},
    {"requeue, a retry", CALL_WRITES, NULL, NULL, call_requeue},
    {"requeue, killed", CALL_WRITES, NULL, NULL, call_requeue_killed},
    {"forget_worker", CALL_WRITES, NULL, NULL, call_forget},
    {"expire", CALL_WRITES, NULL, "UPDATE locbo_trial SET lease = 1 WHERE state = 'RUNNING'", call_expire},
    {"enqueue, given", CALL_WRITES, NULL, NULL, call_enqueue},
    {"enqueue, free", CALL_WRITES, NULL, NULL, call_enqueue_free},
    {"import, 20 rows", CALL_WRITES, NULL, NULL, call_import},
    {"import, outcomes", CALL_WRITES, NULL, NULL, call_import_outcomes},
    {"keep_output", CALL_WRITES, NULL, NULL, call_keep_output},
    {"alter", CALL_WRITES, NULL, WITH_A_FIT, call_alter},
    {"retract", CALL_WRITES, NULL, WITH_A_FIT, call_retract},
    {"fail", CALL_WRITES, NULL, NULL, call_fail},
    {"pause", CALL_WRITES, NULL, NULL, call_pause},
    {"resume", CALL_WRITES, NULL, "UPDATE locbo_study SET paused = 'noon'", call_resume},
    {"rename", CALL_WRITES, "", NULL, call_rename},
    {"note", CALL_WRITES, NULL, NULL, call_note},
    {"copy", CALL_WRITES, NULL, NULL, call_copy},
    {"refresh", CALL_READS, NULL, "UPDATE locbo_study SET revision = 3", call_refresh},
    {"get_note", CALL_READS, NULL, "UPDATE locbo_study SET note = 'of it', tags = 'a b'", call_get_note},
    {"each_change", CALL_READS, NULL, WITH_A_CHANGE, call_each_change},
    {"open", CALL_READS, "", NULL, call_open},
    {"store_each", CALL_READS, "", NULL, call_names},
    {"store_each_pulse", CALL_READS, "", NULL, call_pulses},
    {"pulse", CALL_READS, NULL, NULL, call_pulse},
    {"plan", CALL_READS, NULL, NULL, call_plan},
    {"each", CALL_READS, NULL, NULL, call_each},
    {"each_output", CALL_READS, NULL, NULL, call_each_output},
    {"each_curve", CALL_READS, NULL, NULL, call_each_curve},
    {"ended", CALL_READS, NULL, NULL, call_ended},
    {"each_fit", CALL_READS, NULL, WITH_A_FIT, call_each_fit},
    {"reference", CALL_READS, "several", "UPDATE locbo_study SET reference = '[3.5,2]' WHERE name = 'several'",
     call_reference},
    {"each_running", CALL_READS, NULL, NULL, call_each_running},
    {"bounds", CALL_READS, "several", NULL, call_bounds},
    {"census", CALL_READS, NULL, NULL, call_census},
    {"store_hold", CALL_READS, NULL, NULL, call_hold},
    {"optimizer", CALL_READS, NULL, NULL, call_optimizer},
};
const size_t call_count = sizeof calls / sizeof calls[0];
