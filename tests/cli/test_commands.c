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
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
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

static char script[] = "/tmp/locbo-completion-XXXXXX";

static int write_script(void **state) {
    (void)state;
    capture out, err;
    int fd = mkstemp(script);
    if (fd == -1 || call("completion bash", &out, &err) != EXIT_OK) return -1;
    size_t size = strlen(out.text);
    int written = write(fd, out.text, size) == (ssize_t)size;
    close(fd);
    capture_free(&out);
    capture_free(&err);
    return written ? 0 : -1;
}

static int remove_script(void **state) {
    (void)state;
    return unlink(script);
}

/* What bash would offer for these words, the last of which is being typed. `words` as in the shell. */
static void check_offers(const char *words, const char *expected) {
    char line[1024], offered[4096] = "";
    snprintf(line, sizeof line,
             "bash --norc -c 'source %s; COMP_WORDS=(locbo %s); COMP_CWORD=$((${#COMP_WORDS[@]} - "
             "1)); _locbo; echo \"${COMPREPLY[*]}\"' 2>&1",
             script, words);
    FILE *bash = popen(line, "r");
    assert_non_null(bash);
    size_t got = fread(offered, 1, sizeof offered - 1, bash);
    assert_int_equal(pclose(bash), 0);
    if (got > 0) offered[got - 1] = '\0'; /* the line's end */
    check_that(strcmp(offered, expected) == 0, "%s: '%s', expected '%s'", words, offered, expected);
}

static void completion(void **state) {
    (void)state;
    check_offers("b", "best");
    check_offers("--v", "--version");
    check_offers("\"\"", "run best options completion help unheard --help --version");
    check_offers("run --", "--db --name --format --spreadsheet --trials --method --set --quiet --help");
    check_offers("run -", "--db --name -f --format --spreadsheet -n --trials --method --set -q --quiet -h --help");
    check_offers("best --tri", "");
    check_offers("best -f \"\"", "table json csv");
    check_offers("best --format = j", "json");
    check_offers("best --format =", "table json csv");
    check_offers("run --method oc", "ocbo ocbo-l");
    check_offers("run --set al", "alpha=");
    check_offers("run --set method = r", "random");
    check_offers("run --set = kernel = r", "rbf");
    check_offers("run --set alpha = 0", "");
    check_offers("run --set pre", "preset=");
    check_offers("run --set preset = paper-r", "paper-radio");
    check_offers("run -n \"\"", "");
    check_offers("help co", "completion");
    check_offers("--help co", "completion");
    check_offers("options eta", "eta0");
    check_offers("completion \"\"", "bash");
}

/* Offered or not: a file that is there, the script itself. */
static void check_file(const char *before, int offered) {
    char words[128];
    snprintf(words, sizeof words, "%s%.*s", before, (int)strlen(script) - 3, script);
    check_offers(words, offered ? script : "");
}

static void files(void **state) {
    (void)state;
    check_file("run ", 1);
    check_file("run -q ", 1);
    check_file("run --db ", 1);
    check_file("run --db = ", 1);
    check_file("run -- true ", 1);
    check_file("run -n ", 0);
    check_file("best ", 0);
    check_refuses("completion fish", "locbo completion: there is a completion for bash only, not for 'fish'\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help),
        cmocka_unit_test(options),
        cmocka_unit_test(completion),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests_name("commands", tests, write_script, remove_script);
}
