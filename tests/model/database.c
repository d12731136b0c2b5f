/* database.c - the database of the test, and the model's calls made there. */
#include "database.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "sqlite_clock.h"
#include "store.h"

static char folder[64], url[128];
static const char STUDY[] = "model";

static void need(locbo_status status, const char *what, const locbo_error *error) {
    if (status == LOCBO_OK) return;
    fprintf(stderr, "%s: %s\n", what, error->message);
    exit(1);
}

int database_is_postgres(void) { return getenv("LOCBO_TEST_DB") != NULL; }

void database_begin(void) {
    const char *given = getenv("LOCBO_TEST_DB");
    sqlite_clock_install();
    setenv("PGOPTIONS", "-c synchronous_commit=off", 0); /* the server itself is not killed */
    snprintf(folder, sizeof folder, "%s/locbo-model-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(folder)) {
        perror(folder);
        exit(1);
    }
    if (given)
        snprintf(url, sizeof url, "%s", given);
    else
        snprintf(url, sizeof url, "sqlite:%s/a.db", folder);
}

void database_end(void) {
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) fprintf(stderr, "%s is left\n", folder);
}

void database_open(connection *c) {
    locbo_error error;
    need(locbo_store_open(&c->store, url, LOCBO_STORE_EXISTING, &error), "open", &error);
    need(locbo_study_open(&c->study, c->store, STUDY, &error), "open", &error);
}

void database_close(connection *c) {
    locbo_study_close(c->study);
    locbo_store_close(c->store);
    *c = (connection){NULL, NULL};
}

void database_new_study(const char *method) {
    connection c;
    locbo_space *space;
    locbo_options options;
    locbo_error error;
    locbo_options_init(&options);
    need(locbo_options_set(&options, "method", method, &error), "options", &error);
    options.candidates = 50;
    options.refine = 1;
    need(locbo_space_create(&space, &error), "space", &error);
    need(locbo_space_add_real(space, "x", 0, 1, LOCBO_LINEAR, &error), "space", &error);
    need(locbo_space_add_real(space, "y", 0, 1, LOCBO_LINEAR, &error), "space", &error);
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options};
    need(locbo_store_open(&c.store, url, LOCBO_STORE_CREATE, &error), "open", &error);
    locbo_study_delete(c.store, STUDY, NULL); /* there is none the first time */
    locbo_plan plan;
    locbo_plan_init(&plan);
    plan.prune = LOCBO_PRUNE_RISK;
    need(locbo_study_create(&c.study, c.store, STUDY, &d, &plan, &error), "create", &error);
    locbo_space_destroy(space);
    database_close(&c);
}

uint64_t database_seed(void) {
    locbo_options options;
    locbo_options_init(&options);
    return options.seed;
}

/* ---- calls -------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
    const locbo_assignment *one = a, *two = b;
    return (one->trial > two->trial) - (one->trial < two->trial);
}

static void check_given(const connection *c, const locbo_assignment *got, char *why) {
    if (got->info.id != got->trial || got->seed != locbo_study_seed(c->study, got->trial, got->retries, 0))
        snprintf(why, DATABASE_WHY, "the assignment of trial %" PRIu64 " does not agree with itself", got->trial);
}

static locbo_status ask(connection *c, const model_call *k, model_answer *a, char *why, locbo_error *error) {
    char worker[16];
    double x[MODEL_MANY * MODEL_DIM];
    locbo_assignment got[MODEL_MANY] = {{.trial = 0}};
    snprintf(worker, sizeof worker, "w%d", k->worker);
    locbo_request r = {.struct_size = sizeof r,
                       .worker = worker,
                       .lease = k->lease,
                       .fixed = k->kind == CALL_ASK_FIXED ? k->x : NULL,
                       .limit = k->limit,
                       .waiting_only = k->kind == CALL_ASK_WAITING,
                       .more = k->more};
    a->count = 1;
    locbo_status status = k->kind == CALL_ASK_MANY
                              ? locbo_study_ask_many(c->study, &r, MODEL_MANY, got, x, &a->count, error)
                              : locbo_study_ask(c->study, &r, got, x, error);
    if (status != LOCBO_OK) return status;
    for (size_t j = 0; j < MODEL_DIM && r.fixed; j++)
        if (!isnan(k->x[j]) && x[j] != k->x[j])
            snprintf(why, DATABASE_WHY, "trial %" PRIu64 ": coordinate %zu is %g, not %g", got[0].trial, j, x[j],
                     k->x[j]);
    qsort(got, a->count, sizeof *got, by_number);
    for (size_t i = 0; i < a->count; i++) {
        a->given[i] = (model_given){got[i].trial, got[i].attempt, got[i].retries, got[i].lost};
        check_given(c, &got[i], why);
    }
    return status;
}

static locbo_status set_plan(connection *c, const model_call *k, locbo_error *error) {
    locbo_plan plan;
    locbo_plan_init(&plan);
    plan.trials = k->limit;
    plan.lease = k->lease;
    plan.max_lost = k->lost;
    plan.prune = LOCBO_PRUNE_RISK;
    return locbo_study_set_plan(c->study, &plan, error);
}

static void measure(const model_call *k, locbo_measurement *m) {
    for (uint64_t i = 0; i < k->count; i++) m[i] = (locbo_measurement){(double)k->number + (double)i, (double)NAN, 1};
}

static locbo_status import(connection *c, const model_call *k, uint64_t *first, locbo_error *error) {
    double x[8 * MODEL_DIM];
    locbo_measurement m[8];
    measure(k, m);
    for (uint64_t i = 0; i < k->count; i++) memcpy(x + i * MODEL_DIM, k->x, sizeof k->x);
    return locbo_study_import(c->study, k->count, x, m, first, error);
}

static locbo_status report(connection *c, const model_call *k, uint64_t *ends, locbo_error *error) {
    locbo_step steps[8];
    int end = 0;
    for (uint64_t i = 0; i < k->count; i++) steps[i] = (locbo_step){k->step + i, k->value};
    locbo_status status = locbo_study_report(c->study, k->trial, k->attempt, k->count, steps, &end, error);
    *ends = (uint64_t)end;
    return status;
}

static locbo_status of_trial(connection *c, const model_call *k, locbo_error *error) {
    char text[32];
    locbo_measurement m[8];
    measure(k, m);
    snprintf(text, sizeof text, "call %d", k->number);
    locbo_output output = {.out = text, .err = "", .out_size = strlen(text), .exit_code = k->number};
    switch (k->kind) {
    case CALL_BEAT:
        return locbo_study_beat(c->study, k->trial, k->attempt, k->lease, error);
    case CALL_TELL:
        return locbo_study_tell(c->study, k->trial, k->attempt, k->count, m, error);
    case CALL_FAIL:
        return locbo_study_tell_failed(c->study, k->trial, k->attempt, text, error);
    case CALL_INFEASIBLE:
        return locbo_study_tell_infeasible(c->study, k->trial, k->attempt, text, error);
    case CALL_RETRACT:
        return locbo_study_retract(c->study, k->trial, 0, text, error);
    case CALL_FAIL_LATER:
        return locbo_study_fail(c->study, k->trial, k->how == 0 ? LOCBO_STATE_FAILED : LOCBO_STATE_INFEASIBLE, text,
                                error);
    case CALL_REQUEUE:
        return locbo_study_requeue(c->study, k->trial, k->attempt, (locbo_requeue)k->how, k->delay, error);
    default:
        return locbo_study_keep_output(c->study, k->trial, k->attempt, &output, error);
    }
}

static locbo_status make(connection *c, const model_call *k, model_answer *a, char *why, locbo_error *error) {
    char text[32];
    switch (k->kind) {
    case CALL_ASK:
    case CALL_ASK_WAITING:
    case CALL_ASK_MANY:
    case CALL_ASK_FIXED:
        return ask(c, k, a, why, error);
    case CALL_ENQUEUE:
        return locbo_study_enqueue(c->study, k->x, &a->given[0].trial, error);
    case CALL_FORGET:
        snprintf(text, sizeof text, "w%d", k->worker);
        return locbo_study_forget_worker(c->study, text, &a->requeued, error);
    case CALL_EXPIRE:
        return locbo_study_expire(c->study, &a->requeued, error);
    case CALL_STOP:
        snprintf(text, sizeof text, "call %d", k->number);
        return locbo_study_stop(c->study, text, error);
    case CALL_RESUME:
        return locbo_study_stop(c->study, NULL, error);
    case CALL_PAUSE:
        snprintf(text, sizeof text, "call %d", k->number);
        return locbo_study_pause(c->study, text, error);
    case CALL_UNPAUSE:
        return locbo_study_resume(c->study, NULL, error);
    case CALL_PLAN:
        return set_plan(c, k, error);
    case CALL_IMPORT:
        return import(c, k, &a->given[0].trial, error);
    case CALL_REPORT:
        return report(c, k, &a->requeued, error);
    default:
        return of_trial(c, k, error);
    }
}

model_answer database_call(connection *c, const model_call *call, uint64_t token, char why[DATABASE_WHY]) {
    model_answer a = {.status = LOCBO_OK};
    locbo_error error = {LOCBO_OK, ""};
    why[0] = '\0';
    locbo_store_token(c->store, token);
    a.status = make(c, call, &a, why, &error);
    if (a.status != LOCBO_OK) {
        snprintf(why, DATABASE_WHY, "%s", error.message);
        a = (model_answer){.status = a.status};
    }
    return a;
}

/* ---- time --------------------------------------------------------------------------------------- */

/* Move every stored time of the study back by `*user` seconds. */
static locbo_status move_times(locbo_store *store, void *user, locbo_error *error) {
    static const char *const statements[] = {
        "UPDATE locbo_trial SET lease = lease - $1, asked = asked - $1, started = started - $1, ended = ended - $1",
        "UPDATE locbo_study SET proposer_until = proposer_until - $1, last_event = last_event - $1",
        "UPDATE locbo_request SET time = time - $1",
    };
    store_value step = store_real(*(double *)user);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        locbo_status status = store_query(store, statements[i], 1, &step, NULL, NULL, NULL, error);
        if (status != LOCBO_OK) return status;
    }
    return LOCBO_OK;
}

void database_step(connection *c, double now, double step) {
    locbo_error error;
    if (!database_is_postgres())
        sqlite_clock_stand(now);
    else if (step != 0)
        need(store_write(c->store, move_times, &step, &error), "step", &error);
}

static locbo_status take_number(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    *(uint64_t *)user = store_as_count(&columns[0]);
    return LOCBO_OK;
}

void database_settle(connection *c) {
    locbo_error error;
    struct timespec pause = clock_span(0.01);
    for (uint64_t others = database_is_postgres(); others > 0; nanosleep(&pause, NULL))
        need(store_list(c->store,
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        " AND backend_type = 'client backend' AND pid <> pg_backend_pid()",
                        0, NULL, take_number, &others, &error),
             "settle", &error);
}
