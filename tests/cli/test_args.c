/* test_args.c - command lines taken apart, mistakes named, the help laid out; control characters, mistyped names. */
#include "args.h"

#include "capture.h"
#include "message.h"
#include "exit_code.h"

static const arg_option shared[] = {
    {"db", 0, "URL", "where it is"},
    {"name", 0, "NAME", "what it is called"},
    {0},
};
static const arg_option own[] = {
    {"trials", 'n', "N", "stop at N completed trials, those of earlier runs included, even if somebody else ran them"},
    {"param", 'p', "NAME~DIST", "a parameter"},
    {"quiet", 'q', NULL, "no progress"},
    {"verbose", 'v', NULL, "more words"},
    {"no-improvement", 0, "N", "stop after N without a better one"},
    {"no-such-long-name-anywhere", 0, "WORD", "nothing"},
    {0},
};
static const command try = {
    .name = "try",
    .summary = "try it",
    .usage = "[STUDY.yaml] [options] [-p NAME~DIST]... [-n N] [-q] [-v] [--db URL] [-- COMMAND...]",
    .description = "A paragraph whose words are filled into lines of at most seventy-nine columns "
                   "each.\nStill the same paragraph.\n\nAnother:\n  kept  as it is\nand filled.\n",
    .examples = "    $ locbo try -n 3",
    .options = (const arg_option *const[]){shared, own, NULL},
};

enum { MOST_WORDS = 24 };

/* A line of words, separated by single blanks, parsed. What it says on both descriptors is in `said`. */
typedef struct parse {
    int goes_on, code;
    args args;
    char line[256], *argv[MOST_WORDS];
    capture said;
} parse;

static void begin(parse *p, const char *line) {
    int argc = 0;
    memset(p, 0, sizeof *p);
    snprintf(p->line, sizeof p->line, "%s", line);
    for (char *word = strtok(p->line, " "); word; word = strtok(NULL, " ")) p->argv[argc++] = word;
    p->said = capture_begin(STDERR_FILENO);
    p->goes_on = args_parse(&try, argc, p->argv, &p->args, &p->code);
    capture_end(&p->said);
}

static void end(parse *p) {
    args_release(&p->args);
    capture_free(&p->said);
}

/* The items as a text: "trials=60 quiet x | after". */
static void check_items(const char *line, const char *expected) {
    parse p;
    char text[512] = "";
    begin(&p, line);
    check_that(p.goes_on && p.code == EXIT_OK, "%s: %s", line, p.said.text);
    for (size_t i = 0; i < p.args.count; i++) {
        const arg *a = &p.args.items[i];
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s%s%s", i ? " " : "", a->option ? a->option->name : "",
                 a->option && a->value ? "=" : "", a->value ? a->value : "");
    }
    if (p.args.separated) strcat(text, " |");
    for (size_t i = 0; i < p.args.after; i++) strcat(strcat(text, " "), p.args.command[i]);
    assert_string_equal(text, expected);
    assert_string_equal(p.said.text, "");
    end(&p);
}

static void check_mistake(const char *line, const char *message) {
    parse p;
    begin(&p, line);
    check_that(!p.goes_on, "%s was accepted", line);
    assert_int_equal(p.code, EXIT_USAGE);
    assert_string_equal(p.said.text, message);
    assert_int_equal(p.args.count, 0);
    end(&p);
}

static void forms(void **state) {
    (void)state;
    check_items("try", "");
    check_items("try -n60 -n 61 --trials=62 --trials 63", "trials=60 trials=61 trials=62 trials=63");
    check_items("try -qv -qn5 x", "quiet verbose quiet trials=5 x");
    check_items("try a -q b --db=c d", "a quiet b db=c d");
    check_items("try --tri 3 --no-i 4 --verb", "trials=3 no-improvement=4 verbose");
    check_items("try --param a~float(0,1) -p b~c=d", "param=a~float(0,1) param=b~c=d");
    check_items("try --name= -", "name= -");
}

static void separator(void **state) {
    (void)state;
    check_items("try -q -- -n 5 --help -- x", "quiet | -n 5 --help -- x");
    check_items("try x --", "x |");
    check_items("try -- -3", " | -3");
    check_items("try x -q", "x quiet");
}

static void negative_numbers(void **state) {
    (void)state;
    check_items("try -3", "-3");
    check_items("try 17 -0.5 -.5e3 -1e-300 -inf -INF", "17 -0.5 -.5e3 -1e-300 -inf -INF");
    check_items("try -n -3 -4 -q -5", "trials=-3 -4 quiet -5");
    check_items("try -n-3 -q -7", "trials=-3 quiet -7");
    check_mistake("try -3x", "locbo try: unknown option '-3' in '-3x'; see locbo try --help\n");
    check_mistake("try -q3", "locbo try: unknown option '-3' in '-q3'; see locbo try --help\n");
    check_mistake("try -.", "locbo try: unknown option '-.'; see locbo try --help\n");
}

static void mistakes(void **state) {
    (void)state;
    check_mistake("try --trails 3", "locbo try: unknown option '--trails' (did you mean --trials?);"
                                    " see locbo try --help\n");
    check_mistake("try --qiet=3", "locbo try: unknown option '--qiet=3' (did you mean --quiet?); "
                                  "see locbo try --help\n");
    check_mistake("try --xyz", "locbo try: unknown option '--xyz'; see locbo try --help\n");
    check_mistake("try -z", "locbo try: unknown option '-z'; see locbo try --help\n");
    check_mistake("try -qz", "locbo try: unknown option '-z' in '-qz'; see locbo try --help\n");
    check_mistake("try -trials", "locbo try: unknown option '-t' in '-trials' (did you mean "
                                 "--trials?); see locbo try --help\n");
    check_mistake("try -\xc3\xa9", "locbo try: unknown option '-\xc3\xa9'; see locbo try --help\n");
    check_mistake("try --no-", "locbo try: ambiguous option '--no-': --no-improvement, "
                               "--no-such-long-name-anywhere; see locbo try --help\n");
    check_mistake("try --quiet=yes", "locbo try: option '--quiet=yes' takes no value; see locbo try --help\n");
    check_mistake("try -n", "locbo try: option '--trials' needs a value, N; see locbo try --help\n");
    check_mistake("try x --db", "locbo try: option '--db' needs a value, URL; see locbo try --help\n");
    check_mistake("try -n -- ./sim", "locbo try: option '--trials' needs a value, N; see locbo try --help\n");
    check_mistake("try --\033[31m", "locbo try: unknown option '--?[31m'; see locbo try --help\n");
    check_items("try --db=x -3", "db=x -3"); /* nothing of the mistakes is left */
}

static void look_ups(void **state) {
    (void)state;
    parse p;
    begin(&p, "try a -n 1 -q -3 -n 2 c -- d");
    assert_true(p.goes_on);
    assert_string_equal(args_get(&p.args, "trials"), "2");
    assert_string_equal(args_get(&p.args, "quiet"), "");
    assert_null(args_get(&p.args, "db"));
    assert_int_equal(args_positionals(&p.args), 3);
    assert_string_equal(args_positional(&p.args, 0), "a");
    assert_string_equal(args_positional(&p.args, 1), "-3");
    assert_string_equal(args_positional(&p.args, 2), "c");
    assert_null(args_positional(&p.args, 3));
    assert_int_equal(p.args.after, 1);
    assert_string_equal(p.args.command[0], "d");
    assert_null(p.args.command[1]); /* so that it can be executed */
    end(&p);
}

static const char help_text[] = "Usage: locbo try [STUDY.yaml] [options] [-p NAME~DIST]... [-n N] [-q] [-v]\n"
                                "                 [--db URL] [-- COMMAND...]\n"
                                "\n"
                                "A paragraph whose words are filled into lines of at most seventy-nine columns\n"
                                "each. Still the same paragraph.\n"
                                "\n"
                                "Another:\n"
                                "  kept  as it is\n"
                                "and filled.\n"
                                "\n"
                                "Options:\n"
                                "      --db URL            where it is\n"
                                "      --name NAME         what it is called\n"
                                "  -n, --trials N          stop at N completed trials, those of earlier runs\n"
                                "                          included, even if somebody else ran them\n"
                                "  -p, --param NAME~DIST   a parameter\n"
                                "  -q, --quiet             no progress\n"
                                "  -v, --verbose           more words\n"
                                "      --no-improvement N  stop after N without a better one\n"
                                "      --no-such-long-name-anywhere WORD\n"
                                "                          nothing\n"
                                "  -h, --help              show this help\n"
                                "\n"
                                "Examples:\n"
                                "    $ locbo try -n 3\n";

static void help(void **state) {
    (void)state;
    const char *const lines[] = {"try --help", "try -h", "try x -q --he", "try -qh --nonsense"};
    for (size_t i = 0; i < 4; i++) {
        parse p;
        capture out = capture_begin(STDOUT_FILENO);
        begin(&p, lines[i]);
        capture_end(&out);
        assert_int_equal(p.goes_on, 0);
        assert_int_equal(p.code, EXIT_OK);
        assert_string_equal(out.text, help_text);
        assert_string_equal(p.said.text, "");
        capture_free(&out);
        end(&p);
    }
}

static void messages(void **state) {
    (void)state;
    char long_text[9000];
    memset(long_text, 'x', sizeof long_text);
    long_text[sizeof long_text - 1] = '\0';
    capture c = capture_begin(STDERR_FILENO);
    int code = message_print(NULL, 7, "a\tb\n%s %d", "\033[2J\xc2\x9b\x7f", 3);
    message_print(try.name, 0, "%s", "caf\xc3\xa9");
    message_print(NULL, 0, "%s", long_text);
    capture_end(&c);
    assert_int_equal(code, 7);
    const char *start = "locbo: a?b??[2J?? 3\nlocbo try: caf\xc3\xa9\nlocbo: xxx";
    assert_memory_equal(c.text, start, strlen(start));
    assert_string_equal(c.text + strlen(c.text) - 2, "x\n");
    capture_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms),    cmocka_unit_test(separator), cmocka_unit_test(negative_numbers),
        cmocka_unit_test(mistakes), cmocka_unit_test(look_ups),  cmocka_unit_test(help),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests_name("args", tests, NULL, NULL);
}
