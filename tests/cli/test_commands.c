/* test_commands.c - help, options and completion, with a table of subcommands of our own. */
#include "commands.h"

#include "capture.h"
#include "exit_code.h"
#include "session.h"

static int run_nothing(const command *self, int argc, char **argv) {
    (void)self, (void)argc, (void)argv;
    return EXIT_OK;
}

static const arg_option run_options[] = {
    {"trials", 'n', "N", "how many"},
    {"method", 0, "METHOD", "which"},
    {"set", 0, "NAME=VALUE", "any option"},
    {"quiet", 'q', NULL, "no words"},
    {0},
};
static const command fake_run = {
    .name = "run",
    .summary = "run it",
    .usage = "[STUDY.yaml] [options] [-- COMMAND...]",
    .options = (const arg_option *const[]){session_options, format_options, run_options, NULL},
    .run = run_nothing,
};
static const command fake_best = {
    .name = "best",
    .summary = "show the best",
    .usage = "[options]",
    .options = (const arg_option *const[]){session_options, format_options, NULL},
    .run = run_nothing,
};
static const command unheard = {.name = "unheard", .summary = "not in any group"};

const command *const commands[] = {&fake_run, &fake_best, &command_options, &command_completion, &command_help,
                                   &unheard,  NULL};

/* Run a subcommand with a line of words; both outputs are kept. */
static int call(const char *line, capture *out, capture *err) {
    char copy[256], *argv[16] = {0};
    int argc = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, "_") == 0 ? word + 1 : word;
    const command *c = command_find(argv[0]);
    assert_non_null(c);
    *err = capture_begin(STDERR_FILENO);
    *out = capture_begin(STDOUT_FILENO);
    int code = c->run(c, argc, argv);
    capture_end(out);
    capture_end(err);
    return code;
}

static void check_says(const char *line, const char *expected) {
    capture out, err;
    int code = call(line, &out, &err);
    check_that(strstr(out.text, expected), "%s: no '%s' in '%s'", line, expected, out.text);
    assert_string_equal(err.text, "");
    assert_int_equal(code, EXIT_OK);
    capture_free(&out);
    capture_free(&err);
}

static void check_refuses(const char *line, const char *message) {
    capture out, err;
    int code = call(line, &out, &err);
    assert_string_equal(err.text, message);
    assert_string_equal(out.text, "");
    assert_int_equal(code, EXIT_USAGE);
    capture_free(&out);
    capture_free(&err);
}

static void help(void **state) {
    (void)state;
    check_says("help", "\nRun a study:\n  run         run it\n");
    check_says("help", "\nLook at a study:\n  best        show the best\n");
    check_says("help", "\nMore:\n  unheard     not in any group\n");
    check_says("help best", "Usage: locbo best [options]\n\nshow the best\n\nOptions:\n");
    check_says("help help", "Usage: locbo help [SUBCOMMAND]\n");
    check_refuses("help bset", "locbo help: unknown subcommand 'bset' (did you mean best?); see locbo --help\n");
    check_refuses("help xxx", "locbo help: unknown subcommand 'xxx'; see locbo --help\n");
}

static void options(void **state) {
    (void)state;
    locbo_option last;
    check_ok(locbo_option_describe(locbo_option_count() - 1, &last, &error));
    check_says("options", last.name);
    check_says("options alpha", "name     alpha\ntype     real\nrange    [1e-6, 0.999999]\n"
                                "default  0.2\nhelp     ");
    check_says("options seed -f csv", "name,type,range,default,help\nseed,seed,\"[0, 184467440737");
    check_says("options", "\npreset           preset   paper-ackley | paper-radio ");
    check_says("options preset", "name     preset\ntype     preset\nrange    paper-ackley | paper-");
    check_says("options paper-radio", "name      paper-radio\ntype      preset\nsettings  surrogate=");
    check_says("options -f json", "[\n{\"name\":\"direction\",\"type\":\"choice\",\"range\":");
    check_refuses("options alpah", "locbo options: there is no option 'alpah' (did you mean "
                                   "alpha?); see locbo options\n");
    check_refuses("options -f xml", "locbo options: --format must be table, json or csv, got 'xml'\n");
}

/* ---- completion ------------------------------------------------------------------------------ */

/* What is printed for these words, the last of which is being typed; "_" stands for an empty one. */
static void check_offers(const char *words, const char *expected) {
    char line[1024];
    capture out, err;
    snprintf(line, sizeof line, "completion offer -- %s", words);
    assert_int_equal(call(line, &out, &err), EXIT_OK);
    check_that(strcmp(out.text, expected) == 0, "%s: '%s', expected '%s'", words, out.text, expected);
    assert_string_equal(err.text, "");
    capture_free(&out);
    capture_free(&err);
}

static void offers(void **state) {
    (void)state;
    check_offers("b", "words\nbest\tshow the best\n");
    check_offers("--v", "words\n--version\tshow the version\n");
    check_offers("_", "words\nrun\trun it\nbest\tshow the best\noptions\tlist what can be set with --set NAME=VALUE\n"
                      "completion\tprint a script that completes locbo's command lines in bash, zsh or fish\n"
                      "help\tshow the subcommands, or the help of one\nunheard\tnot in any group\n"
                      "--help\tshow the subcommands\n--version\tshow the version\n");
    check_offers("run --t", "words\n--trials\thow many\n");
    check_offers("run -n 3 -q --h", "words\n--help\tshow this help\n");
    check_offers("unheard -", "words\n-h\tshow this help\n--help\tshow this help\n");
    check_offers("best --tri", "words\n");
    check_offers("best -f _", "words\ntable\njson\ncsv\n");
    check_offers("best --format j", "words\njson\n");
    check_offers("run --quiet=", "words\n");
    check_offers("best --format=j", "words\n--format=json\n");
    check_offers("run --method oc", "words\nocbo\nocbo-l\n");
    check_offers("run --set alpha=0", "words\n");
    check_offers("run --set method=r", "words\nmethod=random\n");
    check_offers("run --set=kernel=r", "words\n--set=kernel=rbf\n");
    check_offers("run --set preset=paper-r", "words\npreset=paper-radio\n");
    check_offers("run --set pre", "begun\npreset=\tseveral options at once\n");
    check_offers("run -n _", "words\n");
    check_offers("help comp",
                 "words\ncompletion\tprint a script that completes locbo's command lines in bash, zsh or fish\n");
    check_offers("--help r", "words\nrun\trun it\n");
    check_offers("options pres", "words\npreset\tseveral options at once\n");
    check_offers("completion _", "words\nbash\nzsh\nfish\n");
    check_offers("nonsense _", "words\n");
    check_refuses("completion offer", "locbo completion: offer needs the words that were typed, after --\n");
}

static void files(void **state) {
    (void)state;
    check_offers("run /tmp/x", "files \n");
    check_offers("run -q _", "files \n");
    check_offers("run --db _", "files \n");
    check_offers("run --db sqlite:x", "files sqlite:\n");
    check_offers("run --db=sqlite:x", "files --db=sqlite:\n");
    check_offers("run -- tr", "commands\n");
    check_offers("run -- true --db", "files \n");
    check_offers("best -- x", "words\n");
    check_offers("best _", "words\n");
}

static void scripts(void **state) {
    (void)state;
    check_says("completion bash", "complete -F _locbo locbo\n");
    check_says("completion zsh", "#compdef locbo\n");
    check_says("completion fish", "complete -c locbo ");
    check_refuses("completion csh", "locbo completion: there is a completion for bash, zsh and fish, not for 'csh'\n");
    check_refuses("completion fish -- x", "locbo completion: words after -- are for offer, not for 'fish'\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help),  cmocka_unit_test(options), cmocka_unit_test(offers),
        cmocka_unit_test(files), cmocka_unit_test(scripts),
    };
    return cmocka_run_group_tests_name("commands", tests, NULL, NULL);
}
