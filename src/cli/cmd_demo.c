/* cmd_demo.c - locbo demo: a database to look at, filled by optimising simulated problems; and one
 * evaluation of them, which is the command that its studies hold. Layer: cli, subcommand. */
#include "commands.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo_live.h"
#include "demo_study.h"
#include "exit_code.h"
#include "interrupt.h"
#include "mem.h"
#include "pareto.h"
#include "session.h"
#include "value.h"
#include "words.h"

static const arg_option demo_options[] = {
    {"db", 0, "URL", "database to fill (demo.db; LOCBO_DB is ignored)"},
    {"seed", 0, "SEED", "seed of all that is random (2)"},
    {"again", 0, NULL, "delete the demo's studies in the database and create them again"},
    {"live", 0, NULL, "then continue with 'reactor', about one trial a second"},
    {"time", 0, "DURATION", "end --live after this time (90s, 10m); without it Ctrl-C ends it"},
    {"evaluate", 0, "NAME", "one evaluation: the values in order, then a seed"},
    {NULL, 0, NULL, NULL}};

static const char LIVE[] = "reactor";

/* ---- one evaluation -------------------------------------------------------------------------- */

static locbo_status read_point(const session *s, const locbo_space *space, double *x, uint64_t *seed,
                               locbo_error *error) {
    locbo_status status = LOCBO_OK;
    size_t dim = locbo_space_dim(space);
    int64_t whole;
    if (args_positionals(&s->args) != dim + 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "--evaluate %s takes %s and a seed",
                           args_get(&s->args, "evaluate"), value_count(dim, "value").text);
    for (size_t j = 0; j < dim && status == LOCBO_OK; j++) {
        locbo_parameter parameter;
        status = locbo_space_parameter(space, j, &parameter, error);
        if (status == LOCBO_OK) status = value_parse(&parameter, args_positional(&s->args, j), &x[j], error);
    }
    if (status != LOCBO_OK) return status;
    const char *text = args_positional(&s->args, dim);
    if (!value_whole(text, &whole) || whole < 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the seed must be a whole number of at least 0, got '%s'", text);
    *seed = (uint64_t)whole;
    return LOCBO_OK;
}

static void print(FILE *to, const buffer *text) {
    if (text->size > 0) fwrite(text->data, 1, text->size, to);
}

/* Prints and ends like any objective. */
static int evaluate(session *s, const char *name) {
    locbo_error error;
    locbo_space *space = NULL;
    double x[DEMO_DIM];
    uint64_t seed = 0;
    demo_run run = {.exit_code = EXIT_OK};
    const demo_problem *p = demo_problem_find(name);
    if (!p)
        return session_usage(s, "--evaluate: unknown problem '%s'; known are reactor, bread, alloy, cooler, training",
                             name);
    locbo_status status = demo_problem_space(p, &space, &error);
    if (status == LOCBO_OK) status = read_point(s, space, x, &seed, &error);
    if (status == LOCBO_OK) status = demo_problem_evaluate(p, x, seed, &run, &error);
    if (status == LOCBO_OK) {
        print(stdout, &run.out);
        print(stderr, &run.err);
    }
    int code = run.exit_code;
    demo_run_release(&run);
    locbo_space_destroy(space);
    return status == LOCBO_OK ? session_close(s, code) : session_fail(s, &error);
}

/* ---- filling a database ---------------------------------------------------------------------- */

/* Whether the store has it; with `again` it is gone afterwards. */
static locbo_status make_way(session *s, const demo_problem *p, int again, locbo_error *error) {
    locbo_study *there = NULL;
    locbo_status status = locbo_study_open(&there, s->store, p->name, error);
    locbo_study_close(there);
    if (status == LOCBO_ERR_NOT_FOUND) return status_ok(error);
    if (status != LOCBO_OK) return status;
    if (again) return locbo_study_delete(s->store, p->name, error);
    return status_fail(error, LOCBO_ERR_STATE,
                       "there is a study '%s' already in %s: --again creates it again, another --db "
                       "leaves it as it is",
                       p->name, locbo_store_url(s->store));
}

static locbo_status report(locbo_study *study, const demo_problem *p, locbo_error *error) {
    locbo_census c;
    locbo_optimizer *optimizer;
    char best[32];
    uint64_t points = 0;
    double volume;
    locbo_status status = locbo_study_census(study, &c, error);
    if (status == LOCBO_OK && p->outputs) status = locbo_study_optimizer(study, &optimizer, error);
    if (status == LOCBO_OK && p->outputs) status = pareto_measured(optimizer, &points, &volume, error);
    if (status != LOCBO_OK) return status;
    value_brief(c.best_value, best);
    fprintf(stderr, "  %-8s %3" PRIu64 " trials, %s %s: %s\n", p->name, c.trials, p->outputs ? "front" : "best",
            p->outputs ? value_count(points, "point").text : best, p->about);
    return LOCBO_OK;
}

static locbo_status fill(session *s, const demo_problem *p, int examples, locbo_error *error) {
    const char *seed = args_get(&s->args, "seed");
    locbo_study *study = NULL;
    locbo_status status = demo_study_make(&study, s->store, p, seed ? seed : "2", error);
    if (status == LOCBO_OK) status = demo_study_fill(study, p, error);
    if (status == LOCBO_OK && examples) status = demo_study_add_examples(study, p, error);
    if (status == LOCBO_OK) status = report(study, p, error);
    locbo_study_close(study);
    return status;
}

static locbo_status fill_all(session *s, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    int again = args_get(&s->args, "again") != NULL, live = args_get(&s->args, "live") != NULL;
    for (const demo_problem *p = demo_problems; p->name && status == LOCBO_OK; p++)
        status = make_way(s, p, again, error);
    if (status == LOCBO_OK) fprintf(stderr, "optimising simulated problems into %s:\n", locbo_store_url(s->store));
    for (const demo_problem *p = demo_problems; p->name && status == LOCBO_OK; p++)
        status = fill(s, p, !live || strcmp(p->name, LIVE) != 0, error);
    return status;
}

/* ---- afterwards ------------------------------------------------------------------------------ */

static int print_next(const char *db) {
    char *url = words_join(1, &db);
    if (!url) return 0;
    printf("\nNow try:\n"
           "  locbo status --db %s --name reactor\n"
           "  locbo serve --db %s                     # the dashboard, in a browser\n"
           "  locbo report --db %s --name reactor -o report.html\n"
           "  locbo plot history --db %s --name bread -o history.svg\n"
           "  locbo recommend --db %s --name cooler   # two objectives: points of the front\n"
           "  locbo plot curves --db %s --name training -o curves.svg   # some are ended early\n"
           "  locbo work --db %s --name bread         # continues it\n",
           url, url, url, url, url, url, url);
    mem_free(url);
    return 1;
}

static locbo_status go_live(session *s, const char *db, double seconds, locbo_error *error) {
    locbo_study *study = NULL;
    char *url = words_join(1, &db);
    if (!url) return status_no_memory(error);
    printf("now run in another terminal: locbo serve --db %s\n", url);
    mem_free(url);
    fflush(stdout);
    fprintf(stderr, "continuing '%s', about one trial a second; Ctrl-C ends it\n", LIVE);
    locbo_status status = locbo_study_open(&study, s->store, LIVE, error);
    if (status == LOCBO_OK) status = demo_live(study, demo_problem_find(LIVE), seconds, error);
    locbo_study_close(study);
    return status;
}

static int fill_and_show(session *s, double seconds) {
    locbo_error error;
    const char *given = args_get(&s->args, "db"), *db = given ? given : "demo.db";
    interrupt_install();
    locbo_status status = locbo_store_open(&s->store, db, LOCBO_STORE_CREATE, &error);
    if (status == LOCBO_OK) status = fill_all(s, &error);
    if (status == LOCBO_OK && args_get(&s->args, "live")) status = go_live(s, db, seconds, &error);
    if (status == LOCBO_OK && !print_next(db)) status = status_no_memory(&error);
    interrupt_restore();
    if (status == LOCBO_OK) return session_close(s, EXIT_OK);
    int code = session_fail(s, &error);
    return status == LOCBO_ERR_STOPPED ? EXIT_INTERRUPTED : code;
}

/* Before anything is created or deleted. */
static int check_seed(session *s) {
    locbo_error error;
    locbo_options options;
    const char *seed = args_get(&s->args, "seed");
    locbo_options_init(&options);
    if (!seed || locbo_options_set(&options, "seed", seed, &error) == LOCBO_OK) return 1;
    session_usage(s, "--seed: %s", error.message);
    return 0;
}

static int run(const command *self, int argc, char **argv) {
    session s;
    double seconds = (double)INFINITY;
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 0, 0, DEMO_DIM + 1)) return s.code;
    const char *name = args_get(&s.args, "evaluate"), *time = args_get(&s.args, "time");
    if (name) return evaluate(&s, name);
    if (args_positionals(&s.args) > 0)
        return session_usage(&s, "unexpected argument '%s'", args_positional(&s.args, 0));
    if (time && !args_get(&s.args, "live")) return session_usage(&s, "--time needs --live");
    if (time && !session_duration(&s, "--time", time, &seconds)) return s.code;
    if (!check_seed(&s)) return s.code;
    return fill_and_show(&s, seconds);
}

const command command_demo = {
    .name = "demo",
    .summary = "fill a database to look at, by optimising simulated problems",
    .usage = "[--db URL] [--live]",
    .description = "Creates five studies and optimises them, in a few seconds: 'reactor' (five "
                   "parameters, heavy-tailed noise, replicates, failures, infeasible settings, several "
                   "workers), 'bread' (two parameters, noise that grows away from good recipes), 'alloy' "
                   "(method bo: noisy expected improvement with the same model, not calibrated, for comparison), "
                   "'cooler' (two objectives, cost and power, with a limit of the outlet temperature) and 'training' "
                   "(evaluations report steps, and hopeless ones are ended early). "
                   "Afterwards every view of the dashboard has something to show.\n\n"
                   "The same seed gives the same trials. The studies hold a command, "
                   "`locbo demo --evaluate NAME VALUE... SEED`, so that `locbo work` continues them.",
    .examples = "    $ locbo demo\n"
                "    $ locbo serve --db demo.db\n"
                "    # a running study, to be watched from another terminal\n"
                "    $ locbo demo --again --live\n",
    .options = (const arg_option *const[]){demo_options, NULL},
    .run = run,
};
