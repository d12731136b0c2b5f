/* test_study_file.c - study files: good ones, every kind of mistake, and files that are no study files at all. */
#include "study_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "tree.h"

static locbo_status parse(const char *text, study_file *file, locbo_error *error) {
    return study_file_parse("f.yaml", text, strlen(text), file, error);
}

/* A copy of exactly this size, so that the address sanitizer sees a step beyond it. */
static locbo_status parse_bytes(const char *text, size_t size, study_file *file, locbo_error *error) {
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    locbo_status status = study_file_parse("f.yaml", copy, size, file, error);
    free(copy);
    return status;
}

/* Where the tree of this test lies: __FILE__ without tests/format/test_study_file.c. */
static void source_path(const char *name, char path[1024]) {
    static const char self[] = "tests/format/test_study_file.c";
    size_t length = strlen(__FILE__);
    assert_true(length >= sizeof self - 1);
    snprintf(path, 1024, "%.*s%s", (int)(length - (sizeof self - 1)), __FILE__, name);
}

static char *read_whole(const char *name, size_t *size) {
    char path[1024];
    source_path(name, path);
    FILE *stream = fopen(path, "r");
    check_that(stream != NULL, "%s: %s", path, strerror(errno));
    char *text = calloc(1 << 17, 1);
    assert_non_null(text);
    *size = fread(text, 1, (1 << 17) - 1, stream);
    fclose(stream);
    return text;
}

/* ---- good files -------------------------------------------------------------------------------- */

static const char FULL[] = "# a comment\n"
                           "name: pump\n"
                           "db: sqlite:pump.db\n"
                           "direction: maximize\n"
                           "parameters:\n"
                           "  x: float(-5, 10)\n"
                           "  lr: {type: float, low: 1e-5, high: 1, log: true}\n"
                           "  n: {type: int, low: 1, high: 12}\n"
                           "  mode: {type: categorical, values: [a, 1, 'b c', \"~\"]}\n"
                           "  k: {type: int, low: 1, high: 1e3, log: true}\n"
                           "command: [./sim, \"--x={x}\", 7, '']\n"
                           "trials: 60\n"
                           "confirm: 5\n"
                           "evaluations: 80\n"
                           "jobs: 2\n"
                           "timeout: 10m\n"
                           "retries: 4\n"
                           "retry_delay: 0.5\n"
                           "max_failures: 6\n"
                           "lease: 90s\n"
                           "prune: halving\n"
                           "prune_risk: 0.125\n"
                           "stop: {time: 2h, target: -0.1, no_improvement: 20}\n"
                           "options: {method: ocbo-l, alpha: 0.1, seed: 18446744073709551615,\n"
                           "  localization: .inf, length_scale: .nan, direction: maximize}\n"
                           "enqueue:\n"
                           "  - {x: 1, lr: 0.1}\n"
                           "  - {mode: '~', n: 3.0}\n"
                           "  - {mode: 1}\n";

static void check_space(const locbo_space *s) {
    static const char *const names[] = {"x", "lr", "n", "mode", "k"};
    locbo_parameter p;
    assert_int_equal(locbo_space_dim(s), 5);
    for (size_t i = 0; i < 5; i++) {
        check_ok(locbo_space_parameter(s, i, &p, &error));
        assert_string_equal(p.name, names[i]); /* the order of the file */
    }
    assert_true(p.kind == LOCBO_INT && p.scale == LOCBO_LOG && p.low == 1 && p.high == 1000);
    check_ok(locbo_space_parameter(s, 1, &p, &error));
    assert_true(p.kind == LOCBO_REAL && p.scale == LOCBO_LOG && p.low == 1e-5 && p.high == 1);
    check_ok(locbo_space_parameter(s, 3, &p, &error));
    assert_int_equal(p.count, 4);
    assert_string_equal(p.categories[1], "1");
    assert_string_equal(p.categories[2], "b c");
    assert_string_equal(p.categories[3], "~");
}

static void check_plan(const study_file *f) {
    const locbo_plan *p = &f->plan;
    assert_int_equal(p->struct_size, sizeof *p);
    assert_true(p->evaluations == 80 && f->sets.evaluations);
    assert_true(p->trials == 60 && p->time == 7200 && p->target == -0.1 && p->no_improvement == 20);
    assert_true(p->timeout == 600 && p->retries == 4 && p->retry_delay == 0.5);
    assert_true(p->max_failures == 6 && p->lease == 90 && f->jobs == 2);
    assert_true(f->sets.trials && f->sets.time && f->sets.target && f->sets.no_improvement);
    assert_true(f->sets.timeout && f->sets.retries && f->sets.retry_delay);
    assert_true(f->sets.max_failures && f->sets.lease);
    assert_true(p->prune == LOCBO_PRUNE_HALVING && p->prune_risk == 0.125 && f->sets.prune && f->sets.prune_risk);
    assert_true(p->confirm == 5 && f->sets.confirm);
}

static void everything(void **state) {
    (void)state;
    study_file f;
    check_ok(parse(FULL, &f, &error));
    assert_string_equal(f.name, "pump");
    assert_string_equal(f.db, "sqlite:pump.db");
    check_space(f.space);
    check_plan(&f);
    assert_int_equal(f.options.direction, LOCBO_MAXIMIZE);
    assert_int_equal(f.options.method, LOCBO_METHOD_OCBO_L);
    assert_true(f.options.alpha == 0.1 && f.options.seed == UINT64_MAX);
    assert_true(isinf(f.options.localization) && isnan(f.options.length_scale));
    static const char *const words[] = {"./sim", "--x={x}", "7", ""};
    assert_int_equal(f.command_count, 4);
    for (int i = 0; i < 4; i++) assert_string_equal(f.command[i], words[i]);
    assert_null(f.command[4]);
    const double points[3][5] = {{1, 0.1, NAN, NAN, NAN}, {NAN, NAN, 3, 3, NAN}, {NAN, NAN, NAN, 1, NAN}};
    assert_int_equal(f.enqueue_count, 3);
    for (int i = 0; i < 15; i++) {
        double expected = points[i / 5][i % 5];
        assert_true(isnan(expected) ? isnan(f.enqueue[i]) : f.enqueue[i] == expected);
    }
    study_file_release(&f);
    assert_null(f.space);
    study_file_release(&f); /* twice does no harm */
    study_file_release(NULL);
}

static void almost_nothing(void **state) {
    (void)state;
    study_file f;
    locbo_plan plan;
    locbo_plan_init(&plan);
    check_ok(parse("parameters: {x: \"int(1, 2)\"}", &f, &error));
    assert_true(!f.name && !f.db && !f.command && f.command_count == 0 && f.jobs == 0);
    assert_int_equal(f.enqueue_count, 0);
    assert_true(f.plan.trials == 0 && isnan(f.plan.time) && f.plan.retries == plan.retries);
    assert_true(!f.sets.trials && !f.sets.time && !f.sets.target && !f.sets.no_improvement && !f.sets.timeout &&
                !f.sets.retries && !f.sets.retry_delay && !f.sets.max_failures && !f.sets.lease);
    assert_true(f.plan.confirm == 0 && !f.sets.confirm);
    assert_int_equal(f.options.direction, LOCBO_MINIMIZE);
    study_file_release(&f);
}

static void check_good(const char *text) {
    study_file f;
    check_ok(parse(text, &f, &error));
    study_file_release(&f);
}

/* Options are set in the order of the file. */
static void presets_in_order(void **state) {
    (void)state;
    const char *const files[] = {"{preset: paper-radio, alpha: 0.1, method: bo}",
                                 "{method: bo, alpha: 0.1, preset: paper-radio}"};
    for (int last = 0; last < 2; last++) {
        char text[200];
        study_file f;
        snprintf(text, sizeof text, "parameters: {x: \"float(0, 1)\"}\noptions: %s\n", files[last]);
        check_ok(parse(text, &f, &error));
        assert_true(f.options.initial == 50 && f.options.surrogate == LOCBO_SURROGATE_PAPER);
        assert_true(f.options.alpha == (last ? 0.25 : 0.1));
        assert_int_equal(f.options.method, LOCBO_METHOD_BO);
        study_file_release(&f);
    }
}

/* ---- outputs ----------------------------------------------------------------------------------- */

#define P "parameters: {x: \"float(0,1)\"}\n" /* line 1; what follows is line 2 */

static const char OUTPUTS[] = P "outputs:\n"
                                "  loss: minimize\n"
                                "  latency: {goal: minimize, scale: log, reference: 10}\n"
                                "  memory: {at_most: 512}\n"
                                "  purity: {at_least: 0.9, scale: 'logit(0, 1)'}\n"
                                "  power: {at_most: 1.1, relative_to: 3}\n"
                                "  epochs: record\n"
                                "  cost:\n"
                                "    of: loss + 0.1*latency\n"
                                "    goal: maximize\n"
                                "  note: {goal: record, of: \"max(loss, cost)\", scale: none}\n";

static void outputs_in_order(void **state) {
    (void)state;
    const locbo_output_spec expected[] = {
        {.name = "loss"},
        {.name = "latency", .scale = LOCBO_MODEL_SCALE_LOG, .reference = 10, .referenced = 1},
        {.name = "memory", .goal = LOCBO_GOAL_AT_MOST, .bound = 512},
        {.name = "purity",
         .goal = LOCBO_GOAL_AT_LEAST,
         .bound = 0.9,
         .scale = LOCBO_MODEL_SCALE_LOGIT,
         .scale_high = 1},
        {.name = "power", .goal = LOCBO_GOAL_AT_MOST, .bound = 1.1, .baseline = 3},
        {.name = "epochs", .goal = LOCBO_GOAL_RECORD},
        {.name = "cost", .goal = LOCBO_GOAL_MAXIMIZE, .expression = "loss + 0.1*latency"},
        {.name = "note", .goal = LOCBO_GOAL_RECORD, .scale = LOCBO_MODEL_SCALE_NONE, .expression = "max(loss, cost)"},
    };
    study_file f;
    check_ok(parse(OUTPUTS, &f, &error));
    assert_int_equal(locbo_outputs_count(f.outputs), 8);
    for (size_t i = 0; i < 8; i++) {
        locbo_output_spec s = {.struct_size = sizeof s}, e = expected[i];
        check_ok(locbo_outputs_get(f.outputs, i, &s, &error));
        assert_string_equal(s.name, e.name);
        assert_true(s.goal == e.goal && s.bound == e.bound && s.baseline == e.baseline);
        assert_true(s.reference == e.reference && s.referenced == e.referenced);
        assert_true(s.scale == e.scale && s.scale_low == e.scale_low && s.scale_high == e.scale_high);
        assert_true(!s.expression == !e.expression && (!e.expression || strcmp(s.expression, e.expression) == 0));
    }
    study_file_release(&f);
    assert_null(f.outputs);
    check_ok(parse(P, &f, &error));
    assert_null(f.outputs);
    study_file_release(&f);
    check_good("outputs: {n: maximize}\n" P); /* alone, and before the parameters */
}

/* The same parameter in several ways; it comes after the others. */
static void fidelity(void **state) {
    (void)state;
    static const char *const ways[] = {"fidelity: {e: int(1, 81, log)}\n", "fidelity: {e: intlog(1, 81)}\n",
                                       "fidelity: {e: \"int(1,81,log)\"}\n", "fidelity:\n  e: int(1, 81, log)\n",
                                       "fidelity: {e: {type: int, low: 1, high: 81, log: true}}\n"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        char text[256];
        study_file f;
        locbo_parameter p;
        snprintf(text, sizeof text, "budget: 400.5\ncost: 2*e + x\n%s" P, ways[i]);
        check_ok(parse(text, &f, &error));
        assert_int_equal(locbo_space_fidelity(f.space), locbo_space_dim(f.space) - 1);
        check_ok(locbo_space_parameter(f.space, locbo_space_fidelity(f.space), &p, &error));
        assert_true(p.kind == LOCBO_INT && p.scale == LOCBO_LOG && p.low == 1 && p.high == 81);
        assert_string_equal(locbo_space_cost(f.space), "2*e + x");
        assert_true(f.sets.budget && f.plan.budget == 400.5);
        study_file_release(&f);
    }
    check_good("parameters: {e: {type: float, low: 0.1, high: 1, fidelity: true}}\n");
}

/* A number for the only objective, or one for each output that is named. */
static void targets(void **state) {
    (void)state;
    study_file f;
    check_ok(parse("stop: {target: {memory: 400, gain: 2}}\n" P
                   "outputs: {n_: record, loss: minimize, memory: {at_most: 512}, gain: maximize}\n",
                   &f, &error));
    assert_true(f.sets.target && isnan(f.plan.target) && isnan(f.plan.targets[0]));
    assert_true(f.plan.targets[1] == 400 && f.plan.targets[2] == 2 && isnan(f.plan.targets[3]));
    study_file_release(&f);
    check_ok(parse(P "outputs: {loss: minimize, memory: {at_most: 512}}\nstop: {target: 0.5}\n", &f, &error));
    assert_true(f.sets.target && f.plan.target == 0.5 && isnan(f.plan.targets[0]));
    study_file_release(&f);
}
#undef P

/* Files that look odd and are right. */
static void odd_but_right(void **state) {
    (void)state;
#define P "parameters: {x: \"float(0,1)\"}\n"
    check_good("\xef\xbb\xbf" P); /* a byte order mark */
    check_good("---\n" P "...\n");
    check_good("%YAML 1.1\n---\n" P);
    check_good("parameters:\r\n  x: float(0,1)\r\n");
    check_good(P "enqueue: []\n");
    check_good(P "options: {}\nstop: {}\n");
    check_good(P "retry_delay: 0\nretries: 0\nmax_failures: 0\n");
    check_good(P "retry_delay: 0s\n");
    check_good(P "retry_delay: 0.0\n"); /* as an export writes it */
    check_good(P "name: 2024\ntrials: '5'\n");
    check_good(P "trials: 1e3\n");
    check_good(P "direction: maximize\noptions: {direction: maximize}\n");
    check_good(P "options: {direction: maximize}\n");
    check_good(P "command: |\n  ./sim --x={x}\n  --more 'a b'\n");
    check_good("enqueue: [{x: 0.5}]\n" P); /* before the parameters it speaks of */
    check_good("parameters:\n  x: &d float(0,1)\n  y: *d\n  z: &m {type: int, low: 1, high: 2}\n"
               "  w: *m\nenqueue: [&p {x: 1}, *p]\n");
    check_good("parameters: {y: {type: categorical, values: [!!str 1, !!str '']}}\n");
#undef P
}

/* ---- words of a command ------------------------------------------------------------------------ */

static void command_as_text(void **state) {
    (void)state;
    study_file f;
    check_ok(parse("parameters: {x: \"float(0,1)\"}\ncommand: ./sim \"a b\" 'c' --x={x}", &f, &error));
    static const char *const words[] = {"./sim", "a b", "c", "--x={x}"};
    assert_int_equal(f.command_count, 4);
    for (int i = 0; i < 4; i++) assert_string_equal(f.command[i], words[i]);
    assert_null(f.command[4]);
    study_file_release(&f);
}

/* ---- the documents ----------------------------------------------------------------------------- */

static void json_is_yaml(void **state) {
    (void)state;
    study_file f;
    check_ok(parse("{\n\t\"name\": \"p\\u00e9\",\n\t\"parameters\": {\n\t\t\"x\": \"float(-5, 10)\","
                   "\n\t\t\"m\": {\"type\": \"categorical\", \"values\": [1, true, \"a\\\"\"]}\n\t},"
                   "\n\t\"trials\": 60,\n\t\"stop\": {\"target\": -1.5e-3},\n"
                   "\t\"command\": [\"./sim\", \"{x}\"],\n\t\"enqueue\": [{\"x\": 1, \"m\": true}]\n}",
                   &f, &error));
    assert_string_equal(f.name, "p\xc3\xa9");
    assert_true(f.plan.trials == 60 && f.plan.target == -1.5e-3 && f.enqueue[1] == 1);
    study_file_release(&f);
}

static void example_file(void **state) {
    (void)state;
    char path[1024];
    study_file f;
    source_path("examples/pump.yaml", path);
    check_ok(study_file_read(path, &f, &error));
    assert_string_equal(f.name, "pump");
    assert_int_equal(locbo_space_dim(f.space), 6);
    assert_int_equal(f.command_count, 8);
    assert_true(f.plan.trials == 60 && f.enqueue_count == 2 && f.jobs == 2);
    study_file_release(&f);
}

/* Every ```yaml block of the manual is a study file. */
static void manual(void **state) {
    (void)state;
    size_t size;
    int blocks = 0;
    char *text = read_whole("docs/study-file.md", &size), *at = text;
    while ((at = strstr(at, "```yaml\n")) != NULL) {
        at += strlen("```yaml\n");
        char *end = strstr(at, "```");
        assert_non_null(end);
        *end = '\0';
        check_good(at);
        at = end + 1;
        blocks++;
    }
    assert_true(blocks >= 2);
    free(text);
}

/* ---- mistakes ---------------------------------------------------------------------------------- */

typedef struct mistake {
    const char *text, *words;
} mistake;

#define P "parameters: {x: \"float(0,1)\"}\n" /* line 1; what follows is line 2 */
#define N(body) "parameters:\n  n: {" body "}\n"

static const mistake syntax[] = {
    {"", "f.yaml:1: the file is empty"},
    {"# nothing\n\n", "f.yaml:1: the file is empty"},
    {"---\n", "the file is empty"},
    {"~", "f.yaml:1: the file is empty"},
    {"- a\n- b\n", "f.yaml:1: expected a mapping, found a list"},
    {"just words", "f.yaml:1: expected a mapping, found 'just words'"},
    {P "---\n" P, "f.yaml:2: a second document begins here"},
    {P "...\n---\n", "a second document begins here"},
    {P "trials: [1, 2\n", "f.yaml:3: not valid YAML: did not find expected ',' or ']', while "
                          "parsing a flow sequence from line 2"},
    {P "\ttrials: 3\n", "f.yaml:2: not valid YAML: "},
    {"parameters:\n\tx: 1\n", "indent with blanks, not tabs"},
    {P "name: 'abc\n", "while scanning a quoted scalar from line 2"},
    {P " trials: 3\n", "f.yaml:2: not valid YAML"},
    {P "name: a: b\n", "f.yaml:2: not valid YAML: mapping values are not allowed"},
    {P "name: *who\n", "f.yaml:2: not valid YAML: found undefined alias"},
    {P "name: @x\n", "cannot start any token"},
    {P "trials: 3\n...\n]", "f.yaml:4: not valid YAML"},
    {P "name: \"a\\0b\"\n", "f.yaml:2: name: a NUL character is not allowed"},
    {P "\"na\\0me\": x\n", "f.yaml:2: a NUL character is not allowed"},
    {P "name: \x01\n", "f.yaml:2: not a text in UTF-8: control characters are not allowed"},
    {P "name: \xff\n", "f.yaml:2: not a text in UTF-8: invalid leading UTF-8 octet"},
    {P "name: \xc3\n", "f.yaml:2: not a text in UTF-8"},
    {P "trials: !!int 3\n", "f.yaml:2: trials: tags are not supported, found <tag:yaml.org"},
    {P "name: !x y\n", "tags are not supported, found <!x>"},
    {P "? [a, b]\n: 3\n", "f.yaml:2: a key must be a text, not a list or mapping"},
    {P "<<: {trials: 3}\n", "f.yaml:2: merge keys (<<) are not supported"},
    {P "trials: 3\nname: a\ntrials: 4\n", "f.yaml:4: trials: the key is given twice, first in line 2"},
    {"parameters:\n  x: int(1,2)\n  x: int(1,3)\n", "f.yaml:3: parameters.x: the key is given twice, first in line 2"},
    {P "enqueue: [{x: 1, 'x': 1}]\n", "f.yaml:2: enqueue[0].x: the key is given twice"},
    {P "stop: &a\n  time: *a\n", "more than 32 levels: is an alias part of what it names?"},
    {"&a [*a]", "more than 32 levels"},
    {"&a {x: *a}", "more than 32 levels"},
};

static const mistake keys[] = {
    {"name: a\n", "f.yaml:1: the key 'parameters' is missing"},
    {"{}", "f.yaml:1: the key 'parameters' is missing"},
    {P "trails: 3\n", "f.yaml:2: trails: unknown key; did you mean 'trials'?"},
    {P "max-failures: 3\n", "did you mean 'max_failures'?"},
    {P "colour: 3\n", "f.yaml:2: colour: unknown key; known are name, db, direction, parameters, "},
    {P "'': 3\n", "unknown key; known are"},
    {P "name:\n", "f.yaml:2: name: expected a text or number, found nothing"},
    {P "name: ''\n", "f.yaml:2: name: must not be empty"},
    {P "name: [a]\n", "f.yaml:2: name: expected a text or number, found a list"},
    {P "db: ''\n", "f.yaml:2: db: must not be empty"},
    {P "db: {a: b}\n", "f.yaml:2: db: expected a text or number, found a mapping"},
    {P "direction: up\n", "f.yaml:2: direction: direction must be one of minimize | maximize, got 'up'"},
    {P "direction: [maximize]\n", "direction: expected a text or number, found a list"},
    {P "trials: 0\n", "f.yaml:2: trials: expected a whole number in [1, 2147483647], found '0'"},
    {P "trials: -3\n", "found '-3'"},
    {P "trials: 2.5\n", "found '2.5'"},
    {P "trials: many\n", "trials: expected a whole number in [1, 2147483647], found 'many'"},
    {P "trials: 3000000000\n", "found '3000000000'"},
    {P "trials: 1_000\n", "found '1_000'"},
    {P "trials:\n", "trials: expected a text or number, found nothing"},
    {P "trials: {}\n", "trials: expected a text or number, found a mapping"},
    {P "jobs: 0\n", "jobs: expected a whole number in [1, 1024], found '0'"},
    {P "timeout: soon\n", "f.yaml:2: timeout: 'soon' is not a duration: write seconds, or 90s"},
    {P "timeout: 0\n", "timeout: a duration must be more than 0"},
    {P "timeout: 1e-9\n", "timeout: must be at least 0.001 seconds"},
    {P "timeout: [1]\n", "timeout: expected a text or number, found a list"},
    {P "retries: -1\n", "retries: expected a whole number in [0, "},
    {P "retry_delay: -1\n", "retry_delay: a duration must be at least 0 and at most 36500d, got -1"},
    {P "retry_delay: [0]\n", "retry_delay: expected a text or number, found a list"},
    {P "max_failures: x\n", "max_failures: expected a whole number"},
    {P "confirm: -1\n", "confirm: expected a whole number in [0, "},
    {P "lease: 0.5s\n", "lease: must be at least 1 seconds, found '0.5s'"},
    {P "stop: 2h\n", "f.yaml:2: stop: expected a mapping, found '2h'"},
    {P "stop:\n", "stop: expected a mapping, found nothing"},
    {P "stop:\n  tme: 2h\n", "f.yaml:3: stop.tme: unknown key; did you mean 'time'?"},
    {P "stop: {trials: 3}\n", "stop.trials: unknown key; known are time, target, no_improvement"},
    {P "stop:\n  time: 2h\n  target: low\n", "f.yaml:4: stop.target: expected a number, found 'low'"},
    {P "stop: {target: .inf}\n", "stop.target: expected a number, found '.inf'"},
    {P "stop: {target: nan}\n", "stop.target: expected a number, found 'nan'"},
    {P "stop: {target: {loss: 1}}\n", "f.yaml:2: stop.target: without 'outputs' the target is a number"},
    {P "outputs: {a: minimize, b: maximize}\nstop: {target: 1}\n",
     "f.yaml:3: stop.target: with several objectives a target names its output, as in {loss: 0.1}"},
    {P "outputs: {a: minimize}\nstop: {target: {}}\n", "stop.target: there must be at least one output"},
    {P "outputs: {loss: minimize}\nstop: {target: {los: 1}}\n",
     "f.yaml:3: stop.target.los: there is no output 'los' (did you mean loss?)"},
    {P "outputs: {a: minimize, b: record}\nstop:\n  target:\n    b: 1\n",
     "f.yaml:5: stop.target.b: 'b' is recorded only"},
    {P "outputs: {a: minimize}\nstop: {target: {a: low}}\n", "stop.target.a: expected a number, found 'low'"},
    {P "stop: {time: 99999d}\n", "stop.time: a duration must be more than 0 and at most 36500d"},
    {P "stop: {no_improvement: 1.5}\n", "stop.no_improvement: expected a whole number in [0, "},
};

static const mistake parameters[] = {
    {"parameters:\n", "f.yaml:1: parameters: expected a mapping, found nothing"},
    {"parameters: {}\n", "f.yaml:1: parameters: there must be at least one parameter"},
    {"parameters: [x]\n", "parameters: expected a mapping, found a list"},
    {"parameters: x~float(0,1)\n", "parameters: expected a mapping, found 'x~float(0,1)'"},
    {"parameters:\n  x: flat(0, 1)\n",
     "f.yaml:2: parameters.x: unknown distribution in 'flat(0, 1)'; known are float(-5,10)"},
    {"parameters:\n  x:\n", "f.yaml:2: parameters.x: expected a text like float(-5, 10)"},
    {"parameters:\n  x: [0, 1]\n", "parameters.x: expected a text like"},
    {"parameters:\n  x: float(1, 0)\n", "f.yaml:2: parameters.x: low must be below high"},
    {"parameters:\n  x: log(0, 1)\n", "parameters.x: a log scale needs low > 0, got 0"},
    {"parameters:\n  x: float(0, 1\n", "f.yaml:2: parameters.x: a closing ')' is missing"},
    {"parameters:\n  a-b: float(0, 1)\n", "f.yaml:2: parameters.a-b: a parameter's name is made of"},
    {"parameters:\n  \xc3\xa9: float(0, 1)\n", "a parameter's name is made of"},
    {"parameters:\n  seed: float(0, 1)\n", "parameters.seed: a parameter cannot be named 'seed'"},
    {N("low: 1"), "f.yaml:2: parameters.n: the key 'type' is missing"},
    {N("type: real, low: 0, high: 1"),
     "f.yaml:2: parameters.n.type: expected float, int, categorical, ordered or bool, found 'real'"},
    {N("type: "), "parameters.n.type: expected a text or number, found nothing"},
    {N("type: float, low: 0"), "f.yaml:2: parameters.n: the key 'high' is missing"},
    {N("type: float, high: 0"), "parameters.n: the key 'low' is missing"},
    {N("type: float, low: 0, hihg: 1"), "parameters.n.hihg: unknown key; did you mean 'high'?"},
    {N("type: float, low: 0, high: 1, values: [a]"),
     "parameters.n.values: unknown key; known are type, low, high, log, step, when"},
    {N("type: float, low: small, high: 1"), "parameters.n.low: expected a number, found 'small'"},
    {N("type: float, low: 0, high: inf"), "parameters.n.high: expected a number, found 'inf'"},
    {N("type: float, low: 0, high: [1]"), "parameters.n.high: expected a text or number, found a list"},
    {"parameters:\n  n:\n    type: float\n    low: 3\n    high: 2\n",
     "f.yaml:4: parameters.n.low: low must be below high, got [3, 2]"},
    {N("type: float, low: 0, high: 1, log: true"), "parameters.n.low: a log scale needs low > 0, got 0"},
    {N("type: float, low: 1, high: 2, log: yes"), "parameters.n.log: expected true or false, found 'yes'"},
    {N("type: float, low: 1, high: 2, log: "), "parameters.n.log: expected a text or number, found nothing"},
    {N("type: int, low: 1.5, high: 2"), "parameters.n.low: expected a whole number in ["},
    {N("type: int, low: 1, high: 9007199254740993"), "parameters.n.high: expected a whole number"},
    {N("type: int, low: 3, high: 2"), "parameters.n.low: low must not exceed high"},
    {N("type: int, low: -1, high: 2, log: true"), "parameters.n.low: a log scale needs low >= 0"},
    {N("type: categorical"), "parameters.n: the key 'values' is missing"},
    {N("type: categorical, values: a"), "parameters.n.values: expected a list, found 'a'"},
    {N("type: categorical, values: []"), "parameters.n.values: parameter 'n' has no categories"},
    {N("type: categorical, values: [a, a]"), "f.yaml:2: parameters.n.values: category 'a' occurs twice"},
    {N("type: categorical, values: [1, '1']"), "category '1' occurs twice"},
    {N("type: categorical, values: [a, ~]"),
     "parameters.n.values[1]: expected a text or number, found nothing; quote '~'"},
    {N("type: categorical, values: [null]"), "found nothing; quote 'null'"},
    {N("type: categorical, values: [[a]]"), "parameters.n.values[0]: expected a text or number, found a list"},
    {N("type: categorical, values: [a], low: 1"), "parameters.n.low: unknown key; known are type, values, when"},
    {N("type: float, low: 0, high: 1, step: 0.3"), "f.yaml:2: parameters.n.step: high must be low plus a whole number"},
    {N("type: float, low: 0, high: 1, step: 0"), "parameters.n.step: the step must be positive, found '0'"},
    {N("type: int, low: 0, high: 9, step: 1.5"), "parameters.n.step: expected a whole number"},
    {N("type: bool, low: 0"), "parameters.n.low: unknown key; known are type, when"},
    {N("type: ordered, values: [a, b], log: true"), "parameters.n.values: a log scale needs numbers"},
    {N("type: bool, when: a"), "parameters.n.when: expected a mapping, found 'a'"},
    {N("type: bool, when: {a: 1, b: 2}"), "parameters.n.when: expected one parameter and its values"},
    {N("type: bool, retired: [1]"), "parameters.n.retired: unknown key"},
    {N("type: int, low: 1, high: 9, frozen: 10"), "parameters.n.frozen: n must lie in [1, 9], got 10"},
    {N("type: int, low: 1, high: 9, past: a"), "parameters.n.past: n must be a whole number, got 'a'"},
    {N("type: categorical, values: [u, v], retired: [w]"), "parameters.n.retired[0]: n must be one of u, v, got 'w'"},
    {N("type: categorical, values: [u, v], retired: [u, v]"), "no category is left"},
    {N("type: bool, when: {a: 1}"), "parameters.n.when.a: there is no parameter 'a' before this one"},
    {"parameters:\n  a: cat(u, v)\n  n: {type: bool, when: {a: [u, w]}}\n",
     "f.yaml:3: parameters.n.when.a[1]: a must be one of u, v, got 'w'"},
    {"parameters:\n  x: float(0, 1)\n  n: {type: bool, when: {x: 1}}\n", "depends on 'x', a real number"},
    {"parameters:\n  x: float(0, 1)\nconstraints: x < 1\n", "f.yaml:3: constraints: expected a list"},
    {"parameters:\n  x: float(0, 1)\nconstraints:\n  - x < 1\n  - y < 1\n",
     "f.yaml:5: constraints[1]: constraint 'y < 1': there is no parameter 'y'"},
};

#define O "outputs:\n  loss: minimize\n" /* lines 2 and 3 */

static const mistake outputs[] = {
    {P "outputs:\n", "f.yaml:2: outputs: expected a mapping, found nothing"},
    {P "outputs: {}\n", "f.yaml:2: outputs: no output is minimized or maximized"},
    {P "outputs: [loss]\n", "outputs: expected a mapping, found a list"},
    {P "outputs: loss~minimize\n", "outputs: expected a mapping, found 'loss~minimize'"},
    {P "outputs: {a: record}\n", "f.yaml:2: outputs: no output is minimized or maximized"},
    {P O "  a: minimize\n  b: minimize\n  c: minimize\n  d: minimize\n",
     "f.yaml:2: outputs: at most 4 outputs can be objectives, got 5"},
    {P O "  sd: record\n", "f.yaml:2: outputs: of several outputs none can be named 'sd'"},
    {P O "  values: record\n", "none can be named 'values'"},
    {P O "  n: record\n", "none can be named 'n'"},
    {P O "  a-b: record\n", "f.yaml:4: outputs.a-b: an output's name is made of"},
    {P O "  trial: record\n", "f.yaml:4: outputs.trial: an output cannot be named 'trial'"},
    {P O "  loss: record\n", "f.yaml:4: outputs.loss: the key is given twice, first in line 3"},
    {P "outputs:\n  loss: minimise\n", "f.yaml:3: outputs.loss: expected minimize, maximize or record, or a mapping"},
    {P "outputs:\n  loss:\n", "f.yaml:3: outputs.loss: expected minimize, maximize or record, or a mapping"},
    {P "outputs:\n  loss: [minimize]\n", "outputs.loss: expected minimize, maximize or record, or a mapping"},
    {P "outputs:\n  loss: {}\n", "f.yaml:3: outputs.loss: one of the keys goal, at_most and at_least is missing"},
    {P "outputs:\n  loss: {scale: log}\n", "outputs.loss: one of the keys goal, at_most and at_least is missing"},
    {P "outputs:\n  loss: {gaol: minimize}\n", "outputs.loss.gaol: unknown key; did you mean 'goal'?"},
    {P "outputs:\n  loss: {colour: 1}\n", "unknown key; known are goal, at_most, at_least, relative_to, reference, sc"},
    {P "outputs:\n  loss:\n    goal: best\n",
     "f.yaml:4: outputs.loss.goal: expected minimize, maximize or record, found 'best'"},
    {P "outputs:\n  loss: {goal: [minimize]}\n", "outputs.loss.goal: expected a text or number, found a list"},
    {P O "  m:\n    goal: record\n    at_most: 3\n",
     "f.yaml:6: outputs.m.at_most: found beside 'goal'; an output has one of them"},
    {P O "  m: {at_most: 3, at_least: 1}\n", "outputs.m.at_least: found beside 'at_most'"},
    {P O "  m: {at_most: 512MB}\n", "f.yaml:4: outputs.m.at_most: expected a number, found '512MB'"},
    {P O "  m: {at_least: .inf}\n", "outputs.m.at_least: expected a number, found '.inf'"},
    {P O "  m: {at_most: }\n", "outputs.m.at_most: expected a text or number, found nothing"},
    {P O "  m: {at_most: 1.1, relative_to: 0}\n", "outputs.m.relative_to: expected a whole number in [1, "},
    {P O "  m: {at_most: 1.1, relative_to: first}\n", "outputs.m.relative_to: expected a whole number in [1, "},
    {P O "  m: {goal: minimize, relative_to: 3}\n",
     "outputs.m.relative_to: only at_most and at_least can be relative to a trial"},
    {P O "  m: {at_most: 3, reference: 4}\n", "outputs.m.reference: only an output that is minimized or maximized has"},
    {P O "  m: {goal: record, reference: 4}\n", "outputs.m.reference: only an output that is minimized or maximized"},
    {P O "  m: {goal: maximize, reference: high}\n", "outputs.m.reference: expected a number, found 'high'"},
    {P O "  m: {goal: maximize, scale: ln}\n",
     "f.yaml:4: outputs.m.scale: expected none, log or logit(LOW, HIGH), found 'ln'"},
    {P O "  m:\n    scale: logit(1, 0)\n    of: loss\n    goal: record\n",
     "f.yaml:5: outputs.m.scale: LOW must be below HIGH, found 'logit(1, 0)'"},
    {P O "  m: {goal: maximize, scale: logit(0, 1)}\n",
     "outputs.m.scale: found 'logit(0'; between braces write it in quotes, \"logit(0, 1)\""},
    {P O "  m: {goal: maximize, scale: [log]}\n", "outputs.m.scale: expected a text or number, found a list"},
    {P O "  m:\n    goal: record\n    of: loss + \n",
     "f.yaml:6: outputs.m.of: expression 'loss +': there is no operand"},
    {P O "  m: {goal: record, of: lost}\n",
     "f.yaml:4: outputs.m.of: there is no output 'lost' before it (did you mean loss?)"},
    {P O "  m: {goal: record, of: later}\n  later: record\n", "outputs.m.of: there is no output 'later' before it"},
    {P O "  m: {goal: record, of: x}\n", "outputs.m.of: there is no output 'x' before it"}, /* a parameter */
    {P O "  m: {goal: record, of: m + loss}\n", "outputs.m.of: it cannot be computed from itself"},
    {P O "  m: {goal: record, of: 3}\n", "outputs.m.of: the expression '3' names no output"},
    {P O "  m: {goal: record, of: }\n", "outputs.m.of: expected a text or number, found nothing"},
    {P O "  m: {goal: record, of: ''}\n", "outputs.m.of: expression '': it is empty"},
    {P O "direction: minimize\n", "f.yaml:4: direction: found beside 'outputs', where each output has its goal"},
    {"direction: minimize\n" P O, "f.yaml:1: direction: found beside 'outputs'"},
    {P O "options: {seed: 1,\n  direction: maximize}\n", "f.yaml:5: options.direction: found beside 'outputs'"},
    {P O "options: [direction]\n", "f.yaml:4: options: expected a mapping, found a list"},
};

static const mistake others[] = {
    {P "command: []\n", "f.yaml:2: command: the command has no words"},
    {P "command: ''\n", "f.yaml:2: command: the command has no words"},
    {P "command: '  '\n", "command: the command has no words"},
    {P "command:\n", "command: expected a list of words or one text"},
    {P "command: {run: x}\n", "command: expected a list of words or one text"},
    {P "command: ['', a]\n", "command: the program's name is empty"},
    {P "command: ./sim 'a\n", "f.yaml:2: command: "},
    {P "command: [./sim, {x}]\n", "f.yaml:2: command[1]: expected a text or number, found a mapping"},
    {P "command:\n  - ./sim\n  -\n", "f.yaml:4: command[1]: expected a text or number, found nothing"},
    {P "options: fast\n", "options: expected a mapping, found 'fast'"},
    {P "options: {alhpa: 0.1}\n", "f.yaml:2: options.alhpa: unknown option; did you mean 'alpha'?"},
    {P "options: {preset: paper}\n", "options.preset: preset must be one of paper-ackley | paper-radio"},
    {P "options: {colour: 1}\n", "options.colour: unknown option; `locbo options` lists them"},
    {P "options:\n  seed: 1\n  alpha: 2\n", "f.yaml:4: options.alpha: alpha must lie in"},
    {P "options: {method: magic}\n", "options.method: method must be one of locbo | bo"},
    {P "options: {seed: -1}\n", "options.seed: seed must be a whole number"},
    {P "options: {alpha: }\n", "options.alpha: expected a text or number, found nothing"},
    {P "options: {alpha: [1]}\n", "options.alpha: expected a text or number, found a list"},
    {P "options: {eta0: 1, decay: 2}\n", "f.yaml:2: options: eta0 * decay must be below 1"},
    {P "direction: minimize\noptions: {direction: maximize}\n",
     "f.yaml:3: options.direction: found 'maximize', but 'minimize' at the top level in line 2"},
    {P "options: {direction: minimize}\ndirection: maximize\n",
     "f.yaml:2: options.direction: found 'minimize', but 'maximize' at the top level in line 3"},
    {P "enqueue: {x: 1}\n", "enqueue: expected a list, found a mapping"},
    {P "enqueue: [1]\n", "enqueue[0]: expected a mapping, found '1'"},
    {P "enqueue: [{}]\n", "enqueue[0]: a point needs the value of at least one parameter"},
    {P "enqueue:\n  - x: 0.5\n  - x: 0.6\n  - x: 11\n", "f.yaml:5: enqueue[2].x: x must lie in [0, 1], got 11"},
    {P "enqueue: [{y: 1}]\n", "enqueue[0].y: there is no such parameter"},
    {P "enqueue: [{x: half}]\n", "enqueue[0].x: x must be a number in [0, 1], got 'half'"},
    {P "enqueue: [{x: }]\n", "enqueue[0].x: expected a text or number, found nothing"},
    {"parameters: {m: \"cat(a,b)\"}\nenqueue: [{m: c}]\n", "enqueue[0].m: m must be one of a, b, got 'c'"},
    {P "fidelity: e\n", "f.yaml:2: fidelity: expected a mapping, found 'e'"},
    {P "fidelity: {}\n", "fidelity: expected one parameter, as in {epochs: int(1, 81)}, found 0"},
    {P "fidelity: {e: int(1, 3), f: int(1, 4)}\n", "fidelity: expected one parameter"},
    {P "fidelity: {e: int(1, }\n", "f.yaml:2: fidelity"},
    {P "fidelity: {x: int(1, 9)}\n", "f.yaml:2: fidelity.x: parameter 'x' exists already"},
    {P "fidelity: {1x: int(1, 9)}\n", "fidelity.1x: a parameter's name is made of letters"},
    {P "fidelity: {e: bool}\n", "fidelity.e: a fidelity is a real or an integer"},
    {P "fidelity:\n  e: {type: int, low: 3, high: 3}\n", "fidelity.e"},
    {P "cost: 3\n", "f.yaml:2: cost: cost '3' names no parameter"},
    {P "cost: x + y\n", "cost: cost 'x + y': there is no parameter 'y'"},
    {P "cost: [x]\n", "cost: expected a text or number, found a list"},
    {P "budget: 0\n", "f.yaml:2: budget: must be positive, found '0'"},
    {P "budget: much\n", "budget: expected a number, found 'much'"},
};

/* A refused file leaves the caller's struct as it was, and its message is one line. */
static void check_mistakes(size_t count, const mistake *table) {
    study_file before, f;
    memset(&before, 0x5a, sizeof before);
    for (size_t i = 0; i < count; i++) {
        locbo_error error = {LOCBO_OK, ""};
        memcpy(&f, &before, sizeof f);
        locbo_status status = parse_bytes(table[i].text, strlen(table[i].text), &f, &error);
        if (status != LOCBO_ERR_FORMAT || !strstr(error.message, table[i].words))
            fail_msg("<<%s>>: status %d '%s', expected '%s'", table[i].text, (int)status, error.message,
                     table[i].words);
        assert_null(strchr(error.message, '\n'));
        assert_int_equal(error.status, LOCBO_ERR_FORMAT);
        assert_memory_equal(&f, &before, sizeof f);
        assert_int_equal(parse(table[i].text, &f, NULL), LOCBO_ERR_FORMAT);
    }
}

#define table_test(name)                                                                                               \
    static void name##_refused(void **state) {                                                                         \
        (void)state;                                                                                                   \
        check_mistakes(sizeof name / sizeof name[0], name);                                                            \
    }
table_test(syntax) table_test(keys) table_test(parameters) table_test(outputs) table_test(others)

    /* The line of an alias is where it stands, not where its anchor does. */
    static void lines_of_aliases(void **state) {
    (void)state;
    const mistake table[] = {
        {"name: &a many\n" P "trials: *a\n", "f.yaml:3: trials: "},
        {"name: &a many\n" P "enqueue:\n  - *a\n", "f.yaml:3: enqueue[0]: expected a mapping"},
    };
    check_mistakes(2, table);
}

/* ---- sizes ------------------------------------------------------------------------------------- */

static void repeat(char *text, size_t size, const char *part) {
    size_t length = strlen(part);
    for (size_t i = 0; i < size; i++) text[i] = part[i % length];
}

/* What would take libyaml, or us, for ever. */
static void hostile_sizes(void **state) {
    (void)state;
    static const mistake table[] = {
        {"[", "f.yaml:1: more than 32 levels"},
        {"{a: ", "f.yaml:1: more than 32 levels"},
        {"- ", "f.yaml:1: more than 32 levels"},
        {"? ", "f.yaml:1: more than 32 levels"},
        {"- &a x\n", "more than 1000 anchors"},
        {"- 1\n", "more than 10000 entries"},
        {"\"", "f.yaml:1: "},
        {"a", "f.yaml:1: "},
        {"\n", "f.yaml:1: the file is empty"},
        {"#", "f.yaml:1: the file is empty"},
    };
    char *text = malloc(TREE_BYTES + 1);
    assert_non_null(text);
    study_file f;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        repeat(text, TREE_BYTES, table[i].text);
        check_fails(study_file_parse("f.yaml", text, TREE_BYTES, &f, &error), LOCBO_ERR_FORMAT, table[i].words);
    }
    check_fails(study_file_parse("f.yaml", text, TREE_BYTES + 1, &f, &error), LOCBO_ERR_FORMAT,
                "f.yaml: larger than 1048576 bytes");
    free(text);
}

/* Ten levels of ten aliases each are 10^10 values. */
static void billion_laughs(void **state) {
    (void)state;
    char text[4096] = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    study_file f;
    for (int i = 1; i < 10; i++) {
        char *end = text + strlen(text);
        int k = i - 1;
        sprintf(end, "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i, k, k, k, k, k, k, k, k, k,
                k);
    }
    check_fails(parse(text, &f, &error), LOCBO_ERR_FORMAT, "more than 1000000 values");
}

static void long_names_fit(void **state) {
    (void)state;
    char path[600], text[4000];
    study_file f;
    memset(path, 'p', sizeof path);
    strcpy(path + sizeof path - 12, "/study.yaml");
    memset(text, 'k', sizeof text);
    strcpy(text + 900, ": 1\n");
    check_fails(study_file_parse(path, text, strlen(text), &f, &error), LOCBO_ERR_FORMAT, "/study.yaml:1: kkk");
    memset(text, 'v', sizeof text);
    memcpy(text, P "trials: ", strlen(P "trials: "));
    check_fails(study_file_parse(path, text, sizeof text, &f, &error), LOCBO_ERR_FORMAT,
                "/study.yaml:2: trials: expected a whole number");
}

static void bytes(void **state) {
    (void)state;
    study_file f;
    check_fails(parse_bytes(P "na\0me: x", sizeof(P "na\0me: x") - 1, &f, &error), LOCBO_ERR_FORMAT,
                "f.yaml:2: a NUL byte: not a text in UTF-8");
    check_fails(parse_bytes("\xff\xfe"
                            "a\0:\0",
                            6, &f, &error),
                LOCBO_ERR_FORMAT, "NUL byte");
    check_fails(parse_bytes("", 0, &f, &error), LOCBO_ERR_FORMAT, "f.yaml:1: the file is empty");
}

/* ---- files ------------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text, size_t repeats) {
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    for (size_t i = 0; i < repeats; i++) fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static void files(void **state) {
    (void)state;
    char folder[] = "/tmp/locbo-study-file-XXXXXX", path[64], message[128];
    study_file f;
    assert_non_null(mkdtemp(folder));
    check_fails(study_file_read(folder, &f, &error), LOCBO_ERR_FORMAT, ": a directory, not a study file");
    snprintf(path, sizeof path, "%s/s.yaml", folder);
    snprintf(message, sizeof message, "%s: No such file", path);
    check_fails(study_file_read(path, &f, &error), LOCBO_ERR_NOT_FOUND, message);
    write_file(path, P "trails: 1\n", 1);
    snprintf(message, sizeof message, "%s:2: trails: unknown key", path);
    check_fails(study_file_read(path, &f, &error), LOCBO_ERR_FORMAT, message);
    write_file(path, "# 1234567\n", 110000);
    snprintf(message, sizeof message, "%s: larger than", path);
    check_fails(study_file_read(path, &f, &error), LOCBO_ERR_FORMAT, message);
    write_file(path, P, 1);
    check_ok(study_file_read(path, &f, &error));
    study_file_release(&f);
    assert_non_null(freopen(path, "r", stdin));
    check_ok(study_file_read("-", &f, &error));
    study_file_release(&f);
    write_file(path, "x: 1\n", 1);
    assert_non_null(freopen(path, "r", stdin));
    check_fails(study_file_read("-", &f, &error), LOCBO_ERR_FORMAT, "standard input:1: x: unknown");
    unlink(path);
    rmdir(folder);
}

/* ---- damage ------------------------------------------------------------------------------------ */

static uint64_t seed = UINT64_C(0x2545f4914f6cdd1d);

static uint64_t draw(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static int survives(const char *text, size_t size) {
    study_file f;
    locbo_error error;
    locbo_status status = parse_bytes(text, size, &f, &error);
    assert_true(status == LOCBO_OK || status == LOCBO_ERR_FORMAT);
    if (status == LOCBO_OK) {
        assert_true(locbo_space_dim(f.space) > 0);
        study_file_release(&f);
        return 1;
    }
    assert_true(strncmp(error.message, "f.yaml:", 7) == 0);
    return 0;
}

/* Change, drop, or repeat a few bytes; often to characters that YAML gives a meaning. */
static size_t damage(char *text, size_t size) {
    static const char signs[] = "{}[]:,-?&*!|>'\"%@`#~<\n \t\\\xff\x00\x80"
                                "0e.";
    for (uint64_t n = 1 + draw() % 4; n > 0 && size > 2; n--) {
        size_t at = draw() % size, length = draw() % 20;
        if (length > size - at) length = size - at;
        switch (draw() % 4) {
        case 0:
            text[at] = (char)draw();
            break;
        case 1:
            text[at] = signs[draw() % (sizeof signs - 1)];
            break;
        case 2:
            memmove(text + at, text + at + length, size - at - length);
            size -= length;
            break;
        default:
            memmove(text + draw() % (size - length), text + at, length);
        }
    }
    return size;
}

static void damaged_files(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    size_t sizes[3] = {sizeof FULL - 1, 0, sizeof OUTPUTS - 1};
    char *example = read_whole("examples/pump.yaml", &sizes[1]), copy[8192];
    const char *good[3] = {FULL, example, OUTPUTS};
    int outcomes[2] = {0};
    assert_true(sizes[1] < sizeof copy);
    for (int k = 0; k < 3; k++)
        for (size_t size = 0; size <= sizes[k]; size += 1 + draw() % 4) outcomes[survives(good[k], size)]++;
    for (int k = 0; k < 6000; k++) {
        memcpy(copy, good[k % 3], sizes[k % 3]);
        outcomes[survives(copy, damage(copy, sizes[k % 3]))]++;
    }
    assert_true(outcomes[0] > 100 && outcomes[1] > 100); /* both happen */
    free(example);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything),
        cmocka_unit_test(almost_nothing),
        cmocka_unit_test(presets_in_order),
        cmocka_unit_test(odd_but_right),
        cmocka_unit_test(command_as_text),
        cmocka_unit_test(json_is_yaml),
        cmocka_unit_test(example_file),
        cmocka_unit_test(manual),
        cmocka_unit_test(syntax_refused),
        cmocka_unit_test(keys_refused),
        cmocka_unit_test(parameters_refused),
        cmocka_unit_test(outputs_in_order),
        cmocka_unit_test(fidelity),
        cmocka_unit_test(targets),
        cmocka_unit_test(outputs_refused),
        cmocka_unit_test(others_refused),
        cmocka_unit_test(lines_of_aliases),
        cmocka_unit_test(hostile_sizes),
        cmocka_unit_test(billion_laughs),
        cmocka_unit_test(long_names_fit),
        cmocka_unit_test(bytes),
        cmocka_unit_test(files),
        cmocka_unit_test(damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
