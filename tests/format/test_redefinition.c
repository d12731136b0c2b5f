/* test_redefinition.c - a study's definition made into another: what differs, as lines and as arguments, and that these
 * arguments make the same of it. Definitions are written as study files. */
#include "redefinition.h"

#include "check.h"
#include "difference.h"
#include "mem.h"
#include "short_memory.h"
#include "study_file.h"
#include "words.h"

enum { MOST = 32 };

static locbo_definition read_text(const char *text, study_file *file) {
    check_ok(study_file_parse("f.yaml", text, strlen(text), file, &error));
    return (locbo_definition){.struct_size = sizeof(locbo_definition),
                              .space = file->space,
                              .options = &file->options,
                              .command_count = file->command_count,
                              .command = (const char *const *)file->command,
                              .outputs = file->outputs};
}

/* The arguments as changes; options and command go into `options` and `command`. */
typedef struct arguments {
    redefinition_edit edits[MOST];
    size_t count;
    const char *set[MOST];
    size_t sets;
    size_t command_count;
    const char *const *command;
} arguments;

static void read_word(arguments *a, const char *option, const char *value) {
    int kind = 0;
    if (strcmp(option, "-p") == 0) option = "--param";
    if (strcmp(option, "--set") == 0) {
        a->set[a->sets++] = value;
        return;
    }
    while (kind < ALTER_KINDS && strcmp(redefinition_option((redefinition_kind)kind), option) != 0) kind++;
    check_that(kind < ALTER_KINDS, "%s", option);
    a->edits[a->count++] = (redefinition_edit){(redefinition_kind)kind, value};
}

static arguments read_words(const difference *d) {
    arguments a = {.count = 0};
    for (size_t i = 0; i < d->word_count; i += 2) {
        if (strcmp(d->words[i], "--") == 0) {
            a.command_count = d->word_count - i - 1;
            a.command = (const char *const *)d->words + i + 1;
            break;
        }
        assert_true(i + 1 < d->word_count && a.count < MOST && a.sets < MOST);
        read_word(&a, d->words[i], d->words[i + 1]);
    }
    return a;
}

/* The arguments, given to the study, make it what it is to be: nothing differs then. */
static void check_arguments(const locbo_definition *study, const locbo_definition *wanted, const difference *d) {
    arguments words = read_words(d);
    redefinition a;
    difference rest;
    check_ok(redefinition_make(&a, study, NULL, words.count, words.edits, &error));
    for (size_t i = 0; i < words.sets; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(words.set[i], "="), words.set[i]);
        check_ok(locbo_options_set(&a.options, name, strchr(words.set[i], '=') + 1, &error));
    }
    if (words.command_count > 0) {
        a.definition.command_count = words.command_count;
        a.definition.command = words.command;
    }
    check_ok(difference_find(&a.definition, wanted, NULL, NULL, &rest, &error));
    check_that(rest.count == 0, "%s", rest.lines[0]);
    difference_release(&rest);
    redefinition_release(&a);
}

/* From one file to another, with single changes beside it ("--freeze x=3"); lines and arguments as expected. */
static void check_change(const char *before, const char *after, const char *edit, const char *lines,
                         const char *command) {
    study_file f, g;
    locbo_definition study = read_text(before, &f), given = read_text(after, &g);
    redefinition_edit edits[1];
    redefinition a;
    difference d;
    size_t count = 0, words = 0;
    char **split = NULL;
    if (edit) {
        arguments one = {.count = 0};
        check_ok(words_split(edit, &split, &words, &error));
        assert_int_equal(words, 2);
        read_word(&one, split[0], split[1]);
        edits[count++] = one.edits[0];
    }
    check_ok(redefinition_make(&a, &study, &given, count, edits, &error));
    check_ok(difference_find(&study, &a.definition, NULL, NULL, &d, &error));
    char *text = difference_text(&d, "", SIZE_MAX), *joined = words_join(d.word_count, (const char *const *)d.words);
    assert_string_equal(text, lines);
    assert_string_equal(joined, command);
    assert_int_equal(d.open, a.missing || a.pastless);
    if (!d.open) check_arguments(&study, &a.definition, &d);
    mem_free(text);
    mem_free(joined);
    mem_free(split);
    difference_release(&d);
    redefinition_release(&a);
    study_file_release(&f);
    study_file_release(&g);
}

#define TWO "parameters:\n  x: float(0, 1)\n  mode: cat(a, b, c)\n"

static void parameters(void **state) {
    (void)state;
    check_change(TWO, TWO, NULL, "", "");
    check_change(TWO, "parameters:\n  mode: cat(c, b, a)\n  x: float(0, 1)\n", NULL, "", ""); /* another order */
    check_change(TWO, "parameters:\n  x: float(0, 2)\n  mode: cat(a, b, c)\n", NULL, "x: float(0,1) -> float(0,2)\n",
                 "-p 'x~float(0,2)'");
    check_change(TWO, "parameters:\n  x: log(0.1, 2)\n  mode: cat(a, b, c)\n", NULL, "x: float(0,1) -> log(0.1,2)\n",
                 "-p 'x~log(0.1,2)'");
    check_change(TWO, "parameters:\n  x: float(0, 1)\n  mode: cat(a, d, b, c)\n", NULL,
                 "mode: cat(a,b,c) -> cat(a,b,c,d)\n", "-p 'mode~cat(a,b,c,d)'");
    check_change(TWO, "parameters:\n  x: float(0, 1)\n  mode: cat(c, a)\n", NULL,
                 "mode: cat(a,b,c) -> cat(a,b,c) retired=b\n", "--retire mode=b");
    check_change(TWO, "parameters:\n  x: float(0, 1)\n  mode: cat(d)\n", NULL,
                 "mode: cat(a,b,c) -> cat(a,b,c,d) retired in (a,b,c)\n", "-p 'mode~cat(a,b,c,d) retired in (a,b,c)'");
    check_change("parameters:\n  mode: cat(a, b, c) retired=b\n", "parameters:\n  mode: cat(a, b, c)\n", NULL,
                 "mode: cat(a,b,c) retired=b -> cat(a,b,c)\n", "--unretire mode=b");
    check_change("parameters:\n  mode: cat(a, b, c) retired=b\n", "parameters:\n  mode: cat(c, a)\n", NULL, "", "");
}

static void frozen_and_new(void **state) {
    (void)state;
    static const char only[] = "parameters:\n  mode: cat(a, b, c)\n";
    check_change(TWO, only, NULL, "x: float(0,1) -> not given\n", "--freeze x=VALUE");
    check_change(TWO, only, "--freeze x=0.25", "x: float(0,1) -> float(0,1) frozen=0.25\n", "--freeze x=0.25");
    check_change("parameters:\n  x: float(0, 1) frozen=0.25\n  mode: cat(a, b, c)\n", only, NULL, "", "");
    check_change("parameters:\n  x: float(0, 1) frozen=0.25\n  mode: cat(a, b, c)\n", TWO, NULL,
                 "x: float(0,1) frozen=0.25 -> float(0,1)\n", "--unfreeze x");
    check_change("parameters:\n  x: float(0, 1) frozen=0.25\n", "parameters:\n  x: float(0, 2) frozen=0.5\n", NULL,
                 "x: float(0,1) frozen=0.25 -> float(0,2) frozen=0.5\n", "-p 'x~float(0,2) frozen=0.5'");
    check_change(only, TWO, NULL, "x: added, float(0,1)\n", "-p 'x~float(0,1)' --past x=VALUE");
    check_change(only, TWO, "--past x=7", "x: added, float(0,1) past=7\n", "-p 'x~float(0,1)' --past x=7");
    check_change(only, "parameters:\n  x: {type: float, low: 0, high: 1, past: 0}\n  mode: cat(a, b, c)\n", NULL,
                 "x: added, float(0,1) past=0\n", "-p 'x~float(0,1)' --past x=0");
    /* what is known of the past stays */
    check_change("parameters:\n  x: float(0, 1) past=0.5\n", "parameters:\n  x: float(0, 1)\n", NULL, "", "");
    check_change("parameters:\n  x: float(0, 1) past=0.5\n", "parameters:\n  x: float(0, 3)\n", NULL,
                 "x: float(0,1) past=0.5 -> float(0,3) past=0.5\n", "-p 'x~float(0,3)'");
    check_change("parameters:\n  k: cat(a, b) past=b frozen=a\n", "parameters:\n  k: cat(c, b) frozen=b\n", NULL,
                 "k: cat(a,b) frozen=a past=b -> cat(a,b,c) retired=a frozen=b past=b\n",
                 "-p 'k~cat(a,b,c) retired=a frozen=b'");
}

static void ordered(void **state) {
    (void)state;
    check_change("parameters:\n  s: ordered(xs, s, m, l)\n", "parameters:\n  s: ordered(s, l, xl)\n", NULL,
                 "s: ordered(xs,s,m,l) -> ordered(xs,s,m,l,xl) retired in (xs,m)\n",
                 "-p 's~ordered(xs,s,m,l,xl) retired in (xs,m)'");
    check_change("parameters:\n  s: ordered(1, 2, 4)\n", "parameters:\n  s: ordered(1, 3, 4)\n", NULL,
                 "s: ordered(1,2,4) -> ordered(1,2,3,4) retired=2\n", "-p 's~ordered(1,2,3,4) retired=2'");
    check_change("parameters:\n  s: ordered(a, b)\n", "parameters:\n  s: ordered(b, a)\n", NULL,
                 "s: ordered(a,b) -> ordered(b,a)\n", "-p 's~ordered(b,a)'");
    check_change("parameters:\n  s: {type: ordered, values: [a, b], numbers: [1, 10]}\n",
                 "parameters:\n  s: {type: ordered, values: [a, b], numbers: [1, 9], log: true}\n", NULL,
                 "s: ordered(a,b) numbers in (1,10) -> orderedlog(a,b) numbers in (1,9)\n",
                 "-p 's~orderedlog(a,b) numbers in (1,9)'");
}

/* Categories that depend on categories keep their meaning when the numbers change. */
static void conditions(void **state) {
    (void)state;
    static const char before[] = "parameters:\n  s: ordered(m, l)\n  n: int(1, 9) when s=l\n";
    check_change(before, "parameters:\n  s: ordered(s, m, l)\n  n: int(1, 9) when s=l\n", NULL,
                 "s: ordered(m,l) -> ordered(s,m,l)\n", "-p 's~ordered(s,m,l)'");
    check_change(before, "parameters:\n  s: ordered(m, l)\n  n: int(1, 9) when s in (m, l)\n", NULL,
                 "n: int(1,9) when s=l -> int(1,9) when s in (m,l)\n", "-p 'n~int(1,9) when s in (m,l)'");
    check_change(before, "parameters:\n  s: ordered(m, l)\n  n: int(1, 9)\n", NULL,
                 "n: int(1,9) when s=l -> int(1,9)\n", "-p 'n~int(1,9)'");
    /* one of the study comes to depend on a new one, which then stands before it */
    check_change("parameters:\n  n: int(1, 9)\n  z: bool\n",
                 "parameters:\n  z: bool\n  kind: cat(u, v) past=u\n  n: int(1, 9) when kind=u\n", NULL,
                 "n: int(1,9) -> int(1,9) when kind=u\nkind: added, cat(u,v) past=u\n",
                 "-p 'n~int(1,9) when kind=u' -p 'kind~cat(u,v)' --past kind=u");
}

#define AB "parameters:\n  a: float(0, 1)\n  b: float(0, 1)\n"

static void constraints(void **state) {
    (void)state;
    static const char with[] = AB "constraints: [a + b <= 1, a <= 2*b]\n";
    check_change(with, AB "constraints: [a <= 2*b, a + b <= 1]\n", NULL, "", "");
    check_change(with, AB "constraints: [a <= 2*b]\n", NULL, "constraint a + b <= 1: removed\n",
                 "--no-constraint 'a + b <= 1'");
    check_change(with, AB "constraints: [a + b <= 1, a <= 2*b, a > b]\n", NULL, "constraint a > b: added\n",
                 "--constraint 'a > b'");
    check_change(with, AB, NULL, "constraint a + b <= 1: removed\nconstraint a <= 2*b: removed\n",
                 "--no-constraint 'a + b <= 1' --no-constraint 'a <= 2*b'");
}

#define X "parameters:\n  x: float(0, 1)\n"

static void outputs(void **state) {
    (void)state;
    static const char two[] = X "outputs:\n  loss: minimize\n  memory: {at_most: 512}\n";
    check_change(two, two, NULL, "", "");
    check_change(two, X "outputs:\n  memory: {at_most: 400}\n  loss: minimize\n", NULL,
                 "output memory: <=512 -> <=400\n", "--output 'memory<=400'");
    check_change(two, X "outputs:\n  loss: {goal: minimize, scale: log}\n", NULL,
                 "output loss: minimize -> minimize,scale=log\noutput memory: <=512 -> record\n",
                 "--output 'loss~minimize,scale=log' --output 'memory~record'");
    check_change(X "outputs:\n  loss: minimize\n  k: record\n", X "outputs:\n  loss: minimize\n", NULL, "", "");
    check_change(
        two, X "outputs:\n  loss: minimize\n  memory: {at_most: 512}\n  cost: {at_least: 1, of: \"loss + 2*memory\"}\n",
        NULL, "output cost: added, >=1,of=loss + 2*memory\n", "--output 'cost>=1,of=loss + 2*memory'");
    /* without a table there is one output, value */
    check_change(X, X "outputs:\n  value: minimize\n", NULL, "", "");
    check_change(X, X "outputs:\n  value: maximize\n  memory: {at_most: 512}\n", NULL,
                 "output value: minimize -> maximize\noutput memory: added, <=512\n",
                 "--output 'value~maximize' --output 'memory<=512'");
    check_change(X "outputs:\n  value: maximize\n", X "direction: maximize\n", NULL, "", "");
    check_change(X, X "direction: maximize\n", NULL, "option direction: minimize -> maximize\n",
                 "--set direction=maximize");
}

static void options_and_command(void **state) {
    (void)state;
    check_change(X "command: ./sim {x}\n", X "command: ./sim {x}\noptions: {alpha: 0.1, method: bo}\n", NULL,
                 "option method: locbo -> bo\noption alpha: 0.2 -> 0.1\n", "--set method=bo --set alpha=0.1");
    check_change(X "command: ./sim {x}\n", X, NULL, "", ""); /* no command agrees with any */
    check_change(X, X "command: ./sim {x}\n", NULL, "command: none -> ./sim {x}\n", "-- ./sim {x}");
    check_change(X "command: ./sim {x}\n", X "command: [./sim, '{x}', \"it's\", '{1,2}']\noptions: {alpha: 0.1}\n",
                 NULL, "option alpha: 0.2 -> 0.1\ncommand: ./sim {x} -> ./sim {x} 'it'\\''s' '{1,2}'\n",
                 "--set alpha=0.1 -- ./sim {x} 'it'\\''s' '{1,2}'");
    /* a study that is older than an option keeps the value it has */
    check_change(X "options: {remeasure: 0, explore: none}\n", X, NULL, "", "");
    check_change(X "options: {remeasure: 0}\n", X "options: {remeasure: 0.5}\n", NULL, "option remeasure: 0 -> 0.5\n",
                 "--set remeasure=0.5");
}

/* ---- fidelity and cost ---------------------------------------------------------------------------- */

#define E "parameters:\n  x: float(0, 1)\n  k: int(1, 9)\n"
#define FIDELITY E "fidelity: {epochs: int(1, 27)}\n"

static void fidelity_and_cost(void **state) {
    (void)state;
    check_change(FIDELITY, FIDELITY, NULL, "", "");
    check_change(FIDELITY, E "fidelity: {epochs: int(1, 81, log)}\n", NULL,
                 "epochs: intlog(1,27) fidelity -> intlog(1,81) fidelity\n", "--fidelity 'epochs~intlog(1,81)'");
    check_change(FIDELITY "cost: 2*epochs\n", FIDELITY "cost: epochs*k\n", NULL, "cost: 2*epochs -> epochs*k\n",
                 "--cost 'epochs*k'");
    check_change(FIDELITY, FIDELITY "cost: epochs\n", NULL, "cost: measured -> epochs\n", "--cost epochs");
    check_change(FIDELITY "cost: epochs\n", FIDELITY, NULL, "cost: epochs -> measured\n", "--cost none");
    check_change(FIDELITY, E "  epochs: int(1, 27)\n", NULL, "epochs: intlog(1,27) fidelity -> int(1,27)\n",
                 "-p 'epochs~int(1,27)' --fidelity none");
    check_change(FIDELITY, "parameters:\n  x: float(0, 1)\n  epochs: int(1, 27)\nfidelity: {k: int(1, 9)}\n", NULL,
                 "k: int(1,9) -> int(1,9) fidelity\nepochs: intlog(1,27) fidelity -> int(1,27)\n",
                 "--fidelity 'k~int(1,9)' -p 'epochs~int(1,27)'");
    check_change(FIDELITY, E, "--freeze epochs=27", "epochs: intlog(1,27) fidelity -> intlog(1,27) frozen=27\n",
                 "-p 'epochs~intlog(1,27) frozen=27' --fidelity none");
    check_change(E, FIDELITY, "--past epochs=27", "epochs: added, intlog(1,27) fidelity past=27\n",
                 "--fidelity 'epochs~intlog(1,27)' --past epochs=27");
}

static void make_edits(const char *before, size_t count, const redefinition_edit *edits, const char *lines) {
    study_file f;
    locbo_definition study = read_text(before, &f);
    redefinition a;
    difference d;
    check_ok(redefinition_make(&a, &study, NULL, count, edits, &error));
    check_ok(difference_find(&study, &a.definition, NULL, NULL, &d, &error));
    char *text = difference_text(&d, "", SIZE_MAX);
    assert_string_equal(text, lines);
    mem_free(text);
    difference_release(&d);
    redefinition_release(&a);
    study_file_release(&f);
}

/* --fidelity NAME, NAME~DIST and none. */
static void fidelity_edits(void **state) {
    (void)state;
    make_edits(FIDELITY, 1, (redefinition_edit[]){{ALTER_FIDELITY, "k"}},
               "k: int(1,9) -> int(1,9) fidelity\nepochs: intlog(1,27) fidelity -> intlog(1,27)\n");
    make_edits(FIDELITY, 1, (redefinition_edit[]){{ALTER_FIDELITY, "none"}},
               "epochs: intlog(1,27) fidelity -> intlog(1,27)\n");
    make_edits(FIDELITY "cost: epochs\n", 2,
               (redefinition_edit[]){{ALTER_FIDELITY, "epochs~int(3,81)"}, {ALTER_COST, "none"}},
               "epochs: intlog(1,27) fidelity -> intlog(3,81) fidelity\ncost: epochs -> measured\n");
    make_edits(FIDELITY, 2, (redefinition_edit[]){{ALTER_FIDELITY, "none"}, {ALTER_PARAMETER, "epochs~int(1,9)"}},
               "epochs: intlog(1,27) fidelity -> int(1,9)\n");
}

/* ---- plans --------------------------------------------------------------------------------------- */

static void check_plan(const char *definition, const locbo_plan *from, const locbo_plan *to, const char *lines,
                       const char *command) {
    study_file f;
    locbo_definition study = read_text(definition, &f);
    difference d;
    check_ok(difference_find(&study, &study, from, to, &d, &error));
    char *text = difference_text(&d, "  ", 3), *joined = words_join(d.word_count, (const char *const *)d.words);
    assert_string_equal(text, lines);
    assert_string_equal(joined, command);
    mem_free(text);
    mem_free(joined);
    difference_release(&d);
    study_file_release(&f);
}

static void plans(void **state) {
    (void)state;
    locbo_plan a, b;
    locbo_plan_init(&a);
    b = a;
    check_plan(X, &a, &b, "", "");
    b.trials = 60;
    b.timeout = 90.5;
    check_plan(X, &a, &b, "  trials: none -> 60\n  timeout: none -> 90.5s\n", "--trials 60 --timeout 90.5s");
    check_plan(X, &b, &a, "  trials: 60 -> none\n  timeout: 90.5s -> none\n", "--trials none --timeout none");
    b.confirm = 2, b.time = 3600, b.target = -1.5, b.no_improvement = 20, b.retries = 0, b.retry_delay = 0;
    b.max_failures = 0, b.max_lost = 4, b.lease = 30, b.evaluations = 80, b.expected_gain = 0.5, b.budget = 400;
    b.prune = LOCBO_PRUNE_RISK, b.prune_risk = 0.1;
    check_plan(X, &a, &b, "  trials: none -> 60\n  evaluations: none -> 80\n  budget: none -> 400\n  and 13 more\n",
               "--trials 60 --evaluations 80 --budget 400 --confirm 2 --time 3600s --target -1.5 --no-improvement 20 "
               "--expected-gain 0.5 --timeout "
               "90.5s --retries 0 "
               "--retry-delay 0s --max-failures 0 --max-lost 4 --lease 30s --prune risk --prune-risk 0.1");
}

static void targets(void **state) {
    (void)state;
    static const char two[] = X "outputs:\n  k: record\n  loss: minimize\n  memory: {at_most: 512}\n";
    study_file f, g;
    locbo_plan a, b;
    locbo_plan_init(&a);
    b = a;
    b.targets[0] = 0.1;
    b.targets[1] = 400;
    check_plan(two, &a, &b, "  target loss: none -> 0.1\n  target memory: none -> 400\n",
               "--target loss=0.1 --target memory=400");
    a.targets[0] = 0.1;
    check_plan(two, &a, &b, "  target memory: none -> 400\n", "--target loss=0.1 --target memory=400");
    locbo_plan_init(&a);
    check_plan(two, &b, &a, "  target loss: 0.1 -> none\n  target memory: 400 -> none\n", "--target none");
    /* they go with their outputs */
    read_text(two, &f);
    read_text(X "outputs:\n  k: {at_most: 3}\n  loss: record\n  memory: {at_most: 512}\n  gain: maximize\n", &g);
    difference_move_targets(f.outputs, g.outputs, &b);
    assert_true(isnan(b.targets[0]) && b.targets[1] == 400 && isnan(b.targets[2]));
    study_file_release(&f);
    study_file_release(&g);
}

/* ---- mistakes ------------------------------------------------------------------------------------ */

static void refuse_edits(const char *words, size_t count, const redefinition_edit *edits) {
    study_file f;
    locbo_definition study = read_text(AB "  mode: cat(u, v)\nconstraints: [a <= b]\n", &f);
    redefinition a;
    check_fails(redefinition_make(&a, &study, NULL, count, edits, &error), LOCBO_ERR_ARGUMENT, words);
    redefinition_release(&a);
    study_file_release(&f);
}

#define refuse(words, ...)                                                                                             \
    do {                                                                                                               \
        const redefinition_edit edits_[] = {__VA_ARGS__};                                                              \
        refuse_edits(words, sizeof edits_ / sizeof edits_[0], edits_);                                                 \
    } while (0)

static void mistakes(void **state) {
    (void)state;
    refuse("--freeze mod=u: there is no parameter 'mod' (did you mean mode?)", {ALTER_FREEZE, "mod=u"});
    refuse("--unfreeze c: there is no parameter 'c'", {ALTER_UNFREEZE, "c"});
    refuse("--past c=1: there is no parameter 'c'", {ALTER_PAST, "c=1"});
    refuse("--freeze takes NAME=VALUE, got 'a'", {ALTER_FREEZE, "a"});
    refuse("--retire takes NAME=CATEGORY, got 'mode'", {ALTER_RETIRE, "mode"});
    refuse("--freeze a=2: a must lie in [0, 1], got 2", {ALTER_FREEZE, "a=2"});
    refuse("--freeze a=1: it is given twice", {ALTER_FREEZE, "a=0"}, {ALTER_FREEZE, "a=1"});
    refuse("--param a~float(0,3): it is given twice", {ALTER_PARAMETER, "a~float(0,2)"},
           {ALTER_PARAMETER, "a~float(0,3)"});
    refuse("--retire mode=w: mode must be one of u, v, got 'w'", {ALTER_RETIRE, "mode=w"});
    refuse("--retire a=1: a has no categories", {ALTER_RETIRE, "a=1"});
    refuse("no category is left", {ALTER_RETIRE, "mode=u"}, {ALTER_RETIRE, "mode=v"});
    refuse("--param c~flat(1): c: unknown distribution", {ALTER_PARAMETER, "c~flat(1)"});
    refuse("depends on 'd'", {ALTER_PARAMETER, "c~bool when d=1"});
    refuse("--param c: 'c' is not of the form NAME~DIST", {ALTER_PARAMETER, "c"});
    refuse("--constraint a <= c: ", {ALTER_CONSTRAINT, "a <= c"});
    refuse("--constraint a <: ", {ALTER_CONSTRAINT, "a <"});
    refuse("--no-constraint a < b: the study has no such constraint", {ALTER_NO_CONSTRAINT, "a < b"});
    refuse("--output cost~best: unknown goal 'best'", {ALTER_OUTPUT, "cost~best"});
    refuse("--output cost~record,of=lost: ", {ALTER_OUTPUT, "cost~record,of=lost"});
    refuse("--output value~maximize: it is given twice", {ALTER_OUTPUT, "value~record"},
           {ALTER_OUTPUT, "value~maximize"});
    refuse("outputs: ", {ALTER_OUTPUT, "value~record"});
    refuse("--fidelity c: there is no parameter 'c'", {ALTER_FIDELITY, "c"});
    refuse("a fidelity is a real or an integer", {ALTER_FIDELITY, "mode"});
    refuse("--fidelity b: it is given twice", {ALTER_FIDELITY, "a"}, {ALTER_FIDELITY, "b"});
    refuse("--fidelity c~flat(1): c: unknown distribution", {ALTER_FIDELITY, "c~flat(1)"});
    refuse("--cost c: cost 'c': there is no parameter 'c'", {ALTER_COST, "c"});
    refuse("--cost a <= 1: cost 'a <= 1' is a condition", {ALTER_COST, "a <= 1"});
}

/* A range given with -p does not silently end the fidelity. */
static void fidelity_kept(void **state) {
    (void)state;
    study_file f;
    locbo_definition study = read_text(FIDELITY, &f);
    redefinition a;
    check_fails(
        redefinition_make(&a, &study, NULL, 1, (redefinition_edit[]){{ALTER_PARAMETER, "epochs~int(1,9)"}}, &error),
        LOCBO_ERR_ARGUMENT, "--param epochs~int(1,9): it is the fidelity: give it with --fidelity");
    redefinition_release(&a);
    study_file_release(&f);
}

static void outputs_not_given(void **state) {
    (void)state;
    study_file f, g;
    locbo_definition study = read_text(X "outputs:\n  loss: minimize\n  memory: {at_most: 512}\n", &f);
    locbo_definition given = read_text(X, &g);
    redefinition a;
    check_fails(redefinition_make(&a, &study, &given, 0, NULL, &error), LOCBO_ERR_STATE,
                "the study has the outputs loss, memory, and no outputs are given");
    redefinition_release(&a);
    study_file_release(&f);
    study_file_release(&g);
    study = read_text("parameters:\n  s: ordered(a, b)\n", &f);
    given = read_text("parameters:\n  s: ordered(1, 2)\n", &g);
    check_fails(redefinition_make(&a, &study, &given, 0, NULL, &error), LOCBO_ERR_ARGUMENT,
                "parameter 's': its category 'a', which is not given, has no number");
    redefinition_release(&a);
    study_file_release(&f);
    study_file_release(&g);
}

/* Each allocation fails in turn: an error, and nothing is lost. */
static void short_of_memory(void **state) {
    (void)state;
    study_file f, g;
    locbo_definition study = read_text(AB "  mode: cat(u, v)\nconstraints: [a <= b]\n", &f);
    locbo_definition given = read_text("parameters:\n  mode: ordered(v, w)\n  c: bool when mode=w\n  a: float(0, 2)\n"
                                       "outputs: {value: maximize, m: {at_most: 3}}\ncommand: x y\n",
                                       &g);
    const redefinition_edit edits[] = {{ALTER_FREEZE, "b=0.5"}, {ALTER_PAST, "c=1"}};
    locbo_status status = LOCBO_ERR_MEMORY;
    long failures = 0;
    locbo_plan a, b;
    locbo_plan_init(&a);
    b = a;
    b.trials = 3;
    for (; status == LOCBO_ERR_MEMORY; failures++) {
        redefinition r;
        difference d = {.count = 0};
        char *text = NULL;
        locbo_error error;
        allowed = failures;
        status = redefinition_make(&r, &study, &given, 2, edits, &error);
        if (status == LOCBO_OK) status = difference_find(&study, &r.definition, &a, &b, &d, &error);
        if (status == LOCBO_OK && !(text = difference_text(&d, "", 2))) status = LOCBO_ERR_MEMORY;
        allowed = -1;
        mem_free(text);
        difference_release(&d);
        redefinition_release(&r);
    }
    assert_int_equal(status, LOCBO_OK);
    check_that(failures > 60, "%ld", failures);
    study_file_release(&f);
    study_file_release(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters),
        cmocka_unit_test(frozen_and_new),
        cmocka_unit_test(ordered),
        cmocka_unit_test(conditions),
        cmocka_unit_test(constraints),
        cmocka_unit_test(outputs),
        cmocka_unit_test(options_and_command),
        cmocka_unit_test(fidelity_and_cost),
        cmocka_unit_test(fidelity_edits),
        cmocka_unit_test(fidelity_kept),
        cmocka_unit_test(plans),
        cmocka_unit_test(targets),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(outputs_not_given),
        cmocka_unit_test(short_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
