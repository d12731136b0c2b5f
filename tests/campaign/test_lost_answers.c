/* Every call of study.h that uses the database, with a fault at every step of its conversation with the database: the
 * study afterwards agrees with what the call answered. On PostgreSQL (LOCBO_TEST_DB, tests/with-postgres) the faults
 * are those of a network, made by a proxy (proxy.h); on SQLite they are those of a disk (faults_disk.c).
 *
 * test_lost_answers: each call with faults at its commits; seconds.
 *
 * SOAK=900 test_lost_answers: a fault at every step, in an order at random, then several in one call, until the time is
 * over; at the end four clients at once.
 *
 * test_lost_answers --table FILE: also add the table of calls, faults and outcomes to a file.
 *
 * test_lost_answers --call NAME [--fault NAME] [--step K]: only these, and say what each one answered. The fault
 * "random" has a seed instead of a step.
 *
 * test_lost_answers --clients SECONDS: only the four clients at once. */
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "check.h"
#include "clients.h"
#include "faults.h"
#include "record.h"
#include "store.h"
#include "verdict.h"

static const char *const manner_names[MANNERS] = {"callers that wait", "callers that do not wait",
                                                  "callers that do not wait, and repeat the call with its token"};

enum { CALLS = 64, FAULTS = 16 };
static const double patience[MANNERS] = {60, 0, 0};          /* seconds; the faults are shorter */
static uint64_t table[MANNERS][CALLS][FAULTS + 1][OUTCOMES]; /* the last column: several faults at random */

static struct {
    const char *call, *fault, *table;
    size_t step;
    double soak, clients;
} options;

static const fault_source *source;

/* ---- one call ---------------------------------------------------------------------------------- */

static void open_for(scene *s, const call *c) {
    const char *name = c->study ? c->study : "s";
    s->store = NULL;
    s->study = NULL;
    if (c->kind == CALL_OPENS) return;
    check_ok(locbo_store_open(&s->store, s->url, LOCBO_STORE_EXISTING, &error));
    if (name[0]) check_ok(locbo_study_open(&s->study, s->store, name, &error));
    locbo_store_patience(s->store, s->patience, NULL, NULL);
}

/* The connection must be of use after the faults. */
static void check_usable(scene *s) {
    if (!s->store) return;
    locbo_store_patience(s->store, patience[PATIENT], NULL, NULL);
    char *text = NULL;
    size_t size;
    FILE *nowhere = open_memstream(&text, &size);
    record_names(s->store, nowhere);
    fclose(nowhere);
    free(text);
}

/* A new process: without faults, with the token. */
static void repeat(scene *s, const call *c, uint64_t token, result *r) {
    size_t size;
    locbo_study_close(s->study);
    locbo_store_close(s->store);
    s->patience = patience[PATIENT];
    open_for(s, c);
    locbo_store_token(s->store, token);
    free(r->answer);
    FILE *answer = open_memstream(&r->answer, &size);
    assert_non_null(answer);
    r->status = c->run(s, answer, &r->error);
    fclose(answer);
}

/* Prepare, call, and look at the database. `step` 0: without a fault. `random` not 0: with several. */
static result make_call(const call *c, manner how, size_t step, size_t fault, uint64_t random) {
    static uint64_t token = 0; /* used for no other call, not even of an earlier run on the same server */
    if (token == 0) token = (uint64_t)time(NULL) << 20;
    scene s = {.url = source->url, .blank = source->blank, .direct = source->direct(), .patience = patience[how]};
    result r = {.status = LOCBO_OK};
    size_t size;
    scene_restore(s.direct, c->change);
    if (c->kind == CALL_OPENS) source->clear_blank();
    open_for(&s, c);
    FILE *answer = open_memstream(&r.answer, &size);
    assert_non_null(answer);
    if (how == REPEATING) locbo_store_token(s.store, ++token);
    if (random)
        source->arm_random(random);
    else
        source->arm(step, fault);
    r.status = c->run(&s, answer, &r.error);
    r.kinds = strdup(source->disarm());
    fclose(answer);
    if (how == REPEATING && r.status != LOCBO_OK) repeat(&s, c, token, &r);
    if (source->settle) source->settle();
    r.state = c->kind == CALL_OPENS ? source->look_blank() : record_all(s.direct, &r.sums);
    if (source->look_after_crash && c->kind != CALL_OPENS) r.crashed = source->look_after_crash(&r.crashed_sums);
    check_usable(&s);
    locbo_study_close(s.study);
    locbo_store_close(s.store);
    return r;
}

/* ---- all faults of a call ---------------------------------------------------------------------- */

static void describe(const call *c, const char *fault, size_t step, manner how, outcome o, const result *r,
                     const result *once) {
    size_t steps = strlen(once->kinds);
    print_message("%s%s: %s at %zu (%c) of %zu: %s: answered %d '%s' %s", c->name,
                  how == PATIENT     ? ""
                  : how == IMPATIENT ? ", does not wait"
                                     : ", repeats",
                  fault, step, step > 0 && step <= steps ? once->kinds[step - 1] : '-', steps, verdict_names[o],
                  (int)r->status, r->status == LOCBO_OK ? "" : r->error.message, r->answer[0] ? r->answer : "\n");
    if (o >= LOST && options.call)
        print_message("--- once:\n%s--- now:\n%s--- after a crash:\n%s", once->state, r->state,
                      r->crashed ? r->crashed : "");
}

static void count(size_t call_index, size_t fault, size_t step, manner how, outcome o, const result *r,
                  const result *once) {
    uint64_t *cell = table[how][call_index][fault];
    if (options.call || (o >= LOST && cell[o] == 0))
        describe(&calls[call_index], fault < source->count ? source->names[fault] : "random", step, how, o, r, once);
    cell[o]++;
}

static int is_chosen(const call *c, size_t fault, size_t step, char kind, manner how) {
    if (options.fault && strcmp(options.fault, source->names[fault]) != 0) return 0;
    if (how == REPEATING && c->kind != CALL_WRITES && c->kind != CALL_ASKS) return 0;
    if (options.step) return options.step == step;
    int full = options.soak > 0 || options.call;
    return source->is_wanted(fault, kind, full, how != PATIENT || (!full && c->kind == CALL_READS));
}

static int is_tried(const call *c) { return !options.call || strcmp(options.call, c->name) == 0; }

static result nothing_done(const call *c) {
    result r = {.status = LOCBO_OK};
    scene_restore(source->direct(), c->change);
    if (c->kind == CALL_OPENS) source->clear_blank();
    r.state = c->kind == CALL_OPENS ? source->look_blank() : record_all(source->direct(), &r.sums);
    return r;
}

static size_t steps_of(size_t fault, const result *once) {
    return source->has_no_step && source->has_no_step(fault) ? 1 : strlen(once->kinds);
}

/* Of each call: the database without it, and the call without faults. */
static result before[CALLS], once[CALLS];

/* One fault at one step of one call. */
typedef struct single {
    size_t call, fault, step;
    manner how;
} single;

static struct {
    single *list;
    size_t count, capacity;
} singles;

static void add_single(single c) {
    if (singles.count == singles.capacity) {
        singles.capacity = 2 * singles.capacity + 256;
        singles.list = realloc(singles.list, singles.capacity * sizeof *singles.list);
        assert_non_null(singles.list);
    }
    singles.list[singles.count++] = c;
}

/* Make a call without faults, and list the faults that are to be made. */
static void plan_call(size_t i) {
    const call *c = &calls[i];
    before[i] = nothing_done(c);
    once[i] = make_call(c, PATIENT, 0, 0, 0);
    check_that(once[i].status == LOCBO_OK, "%s: %s", c->name, once[i].error.message);
    for (size_t fault = 0; fault < source->count; fault++)
        for (size_t step = 1; step <= steps_of(fault, &once[i]); step++)
            for (int how = 0; how < MANNERS; how++)
                if (is_chosen(c, fault, step, once[i].kinds[step - 1], (manner)how))
                    add_single((single){i, fault, step, (manner)how});
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A number below `below`, from a generator of the test's own. */
static size_t draw(uint64_t *state, size_t below) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(*state >> 33) % below;
}

/* In an order at random, so that a test that ends early has seen something of everything. */
static void try_singles(double until, uint64_t seed) {
    size_t done = 0;
    for (; done < singles.count && now() < until; done++) {
        size_t other = done + draw(&seed, singles.count - done);
        single c = singles.list[other];
        singles.list[other] = singles.list[done];
        result r = make_call(&calls[c.call], c.how, c.step, c.fault, 0);
        count(c.call, c.fault, c.step, c.how, verdict_find(&calls[c.call], c.how, &before[c.call], &once[c.call], &r),
              &r, &once[c.call]);
        verdict_release(&r);
    }
    print_message("%zu of %zu single faults\n", done, singles.count);
}

/* Several faults in one call. Each has its own seed, which --fault random --step SEED repeats. */
static void try_random(double until, uint64_t seed) {
    for (uint64_t k = 1; now() < until; k++) {
        size_t i = k % call_count;
        manner how = k / call_count % 4 == 3 ? IMPATIENT : PATIENT;
        result r = make_call(&calls[i], how, 0, 0, seed + k);
        count(i, source->count, seed + k, how, verdict_find(&calls[i], how, &before[i], &once[i], &r), &r, &once[i]);
        verdict_release(&r);
    }
}

/* ---- the table --------------------------------------------------------------------------------- */

/* "23": all done once. Otherwise each outcome by name. */
static void print_cell(FILE *file, const uint64_t *cell) {
    const char *between = " ";
    int only_done = 1;
    for (int o = NOT_DONE; o < OUTCOMES; o++) only_done = only_done && cell[o] == 0;
    fprintf(file, " |");
    if (only_done && cell[DONE] > 0) fprintf(file, " %" PRIu64, cell[DONE]);
    for (int o = 0; o < OUTCOMES && !only_done; o++) {
        if (cell[o] == 0) continue;
        fprintf(file, "%s%" PRIu64 " %s", between, cell[o], verdict_names[o]);
        between = ", ";
    }
}

static int is_counted(size_t i, manner how) {
    const uint64_t *number = table[how][i][0];
    for (size_t k = 0; k < (FAULTS + 1) * OUTCOMES; k++)
        if (number[k] > 0) return 1;
    return 0;
}

static void print_table(FILE *file, manner how) {
    fprintf(file, "| call |");
    for (size_t f = 0; f < source->count; f++) fprintf(file, " %s |", source->names[f]);
    fprintf(file, " several |\n|---|");
    for (size_t f = 0; f <= source->count; f++) fprintf(file, "---|");
    fprintf(file, "\n");
    for (size_t i = 0; i < call_count; i++) {
        if (!is_tried(&calls[i]) || !is_counted(i, how)) continue;
        fprintf(file, "| %s", calls[i].name);
        for (size_t f = 0; f <= source->count; f++) print_cell(file, table[how][i][f]);
        fprintf(file, " |\n");
    }
}

static void print_all(FILE *file) {
    uint64_t sums[OUTCOMES] = {0}, runs = 0;
    const uint64_t *cell = &table[0][0][0][0];
    for (size_t i = 0; i < sizeof table / sizeof *cell; i++) sums[i % OUTCOMES] += cell[i], runs += cell[i];
    for (int how = 0; how < MANNERS; how++) {
        fprintf(file, "\n## %s, %s\n\n", source->title, manner_names[how]);
        print_table(file, (manner)how);
    }
    fprintf(file, "\n%" PRIu64 " calls with faults:", runs);
    for (int o = 0; o < OUTCOMES; o++)
        fprintf(file, " %" PRIu64 " %s%s", sums[o], verdict_names[o], o + 1 < OUTCOMES ? "," : ".\n");
}

/* The file of --table, at its end; NULL: none is wanted. */
static FILE *open_table(void) {
    FILE *file = options.table ? fopen(options.table, "a") : NULL;
    if (!options.table) return NULL;
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    if (ftell(file) > 0) return file;
    fputs(
        "# Calls, faults, outcomes\n\n"
        "Made by `tests/campaign/test_lost_answers.c`; its first lines say how. Each row is a call of\n"
        "`include/locbo/study.h`, each column a fault, made once at each step of the conversation with the database\n"
        "(*several*: a few of them in one call, at random); a cell is the number of calls made with it. A number\n"
        "alone: the call answered that it was done, and it was done exactly once. *not done*: it answered with an\n"
        "error, and nothing was changed. *unsure*: it answered that it is not known whether this was stored, and\n"
        "it was done exactly once. Everything in capitals would be a mistake of the library.\n\n"
        "A network: *reset*, the message does not reach the server; *half sent*, half of it does; *dropped*, nothing\n"
        "answers, and then a reset; *answer lost*, the server does it, then a reset; *half answer*, half of the\n"
        "answer comes back; *late*, a reset at once, and the message reaches the server while the caller already\n"
        "repeats the call; *delayed*, the answer comes late; *refused*, a reset, and no new connection for a while.\n"
        "A disk: a read, write or sync of SQLite fails; the database is looked at as it is, and as after a loss of\n"
        "power.\n",
        file);
    return file;
}

static uint64_t print_report(void) {
    uint64_t bad = 0;
    print_all(stdout);
    fflush(stdout);
    FILE *file = open_table();
    if (file) print_all(file), fclose(file);
    for (int p = 0; p < MANNERS; p++)
        for (size_t i = 0; i < call_count; i++)
            for (size_t f = 0; f <= source->count; f++)
                for (int o = LOST; o < OUTCOMES; o++) bad += table[p][i][f][o];
    return bad;
}

/* ---- the test ---------------------------------------------------------------------------------- */

/* For --fault random. */
static void try_seed(size_t i, uint64_t seed) {
    for (int how = PATIENT; how <= IMPATIENT; how++) {
        result r = make_call(&calls[i], (manner)how, 0, 0, seed);
        count(i, source->count, seed, (manner)how, verdict_find(&calls[i], (manner)how, &before[i], &once[i], &r), &r,
              &once[i]);
        verdict_release(&r);
    }
}

static void the_study_agrees_with_every_answer(void **state) {
    (void)state;
    if (options.clients > 0) return;
    uint64_t seed = (uint64_t)time(NULL);
    int all = options.soak == 0 || options.call;
    assert_true(call_count <= CALLS && source->count <= FAULTS);
    print_message("seed %" PRIu64 "\n", seed);
    scene_fill(source->direct());
    double start = now();
    for (size_t i = 0; i < call_count; i++)
        if (is_tried(&calls[i])) plan_call(i);
    int random = options.fault && strcmp(options.fault, "random") == 0;
    for (size_t i = 0; random && i < call_count; i++)
        if (is_tried(&calls[i])) try_seed(i, options.step);
    try_singles(all ? INFINITY : start + 0.8 * options.soak, seed);
    if (!options.call) try_random(start + 0.8 * options.soak, seed);
    for (size_t i = 0; i < call_count; i++) verdict_release(&before[i]), verdict_release(&once[i]);
    free(singles.list);
    uint64_t bad = print_report();
    check_that(bad == 0, "%" PRIu64 " answers do not agree with the study", bad);
}

static void append(FILE *to, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", SOURCE, name);
    FILE *file = fopen(path, "r");
    check_that(file, "%s cannot be read", path);
    for (int c; (c = getc(file)) != EOF;) putc(c, to);
    fclose(file);
}

/* Each function of study.h that can fail is called, except those that do not use the database. */
static void every_call_is_in_the_table(void **state) {
    (void)state;
    static const char without[] = "locbo_store_open( locbo_study_definition( locbo_study_compare( locbo_token_draw("
                                  " locbo_store_author(";
    const char start[] = "\nLOCBO_API locbo_status ";
    char *header = NULL, *tried = NULL;
    size_t size, seen = 0;
    FILE *first = open_memstream(&header, &size), *second = open_memstream(&tried, &size);
    append(first, "include/locbo/study.h");
    append(second, "tests/campaign/calls.c");
    append(second, "tests/campaign/record.c");
    fclose(first);
    fclose(second);
    for (const char *at = header; (at = strstr(at, start)); seen++) {
        char function[64];
        at += strlen(start);
        snprintf(function, sizeof function, "%.*s(", (int)strcspn(at, "("), at);
        check_that(strstr(tried, function) || strstr(without, function), "tests/campaign/calls.c does not call %s)",
                   function);
    }
    assert_true(seen > 30);
    free(header);
    free(tried);
}

/* Four clients at once, while faults happen at random. */
static void no_answer_is_wrong_with_several_clients(void **state) {
    (void)state;
    if (!source->arm_often || options.call) return;
    uint64_t seed = (uint64_t)time(NULL);
    double seconds = options.clients > 0 ? options.clients : options.soak > 10 ? options.soak / 5 : 2;
    print_message("four clients for %g s, seed %" PRIu64 "\n", seconds, seed);
    clients_report r = clients_judge(clients_run(source, seconds, seed), source);
    FILE *files[2] = {stdout, open_table()};
    for (int i = 0; i < 2; i++)
        if (files[i])
            fprintf(files[i],
                    "\nFour clients at once, faults at random: %" PRIu64 " calls, %" PRIu64 " unsure, %" PRIu64
                    " lost, %" PRIu64 " doubled, %" PRIu64 " orphans, %" PRIu64 " refused.\n",
                    r.calls, r.unsure, r.lost, r.doubled, r.orphans, r.refused);
    fflush(stdout);
    if (files[1]) fclose(files[1]);
    check_that(r.lost + r.doubled + r.orphans + r.refused == 0, "answers do not agree with the study");
}

static int open_source(void **state) {
    (void)state;
    source = getenv("LOCBO_TEST_DB") ? fault_network() : fault_disk();
    return 0;
}

static int close_source(void **state) {
    (void)state;
    source->close();
    return 0;
}

int main(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--call") == 0) options.call = argv[i + 1];
        if (strcmp(argv[i], "--fault") == 0) options.fault = argv[i + 1];
        if (strcmp(argv[i], "--step") == 0) options.step = strtoul(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--clients") == 0) options.clients = atof(argv[i + 1]);
        if (strcmp(argv[i], "--table") == 0) options.table = argv[i + 1];
    }
    options.soak = getenv("SOAK") ? atof(getenv("SOAK")) : 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_is_in_the_table),
                                       cmocka_unit_test(the_study_agrees_with_every_answer),
                                       cmocka_unit_test(no_answer_is_wrong_with_several_clients)};
    return cmocka_run_group_tests(tests, open_source, close_source);
}
