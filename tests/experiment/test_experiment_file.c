/* test_experiment_file.c - experiment files: those that are part of the program, what their settings come to, and every
 * kind of mistake with its line. */
#include "experiment_file.h"

#include <unistd.h>

#include "check.h"
#include "mem.h"

static void parse(const char *text, plan *p) {
    check_ok(experiment_file_parse("f.yaml", text, strlen(text), p, &error));
}

/* ---- the experiments of the program ------------------------------------------------------------ */

static void load(const char *name, plan *p) {
    char *text;
    check_ok(experiment_file_load(name, p, &text, &error));
    mem_free(text);
}

static const task *cell(const plan *p, const char *c, const char *m) {
    size_t i = plan_find_case(p, c), j = plan_find_method(p, m);
    check_that(i < p->cases && j < p->methods, "%s has no cell %s, %s", p->name, c, m);
    return &p->task[plan_cell(p, i, j)];
}

static int is_present(const plan *p, const char *c, const char *m) { return p->present[cell(p, c, m) - p->task]; }

static void the_experiments_of_the_program_are_sound(void **state) {
    (void)state;
    size_t count = 0;
    for (const experiment_text *e = experiment_texts; e->name; e++, count++) {
        plan p;
        check_ok(experiment_file_parse(e->name, e->text, strlen(e->text), &p, &error));
        assert_string_equal(p.name, e->name);
        check_that(p.title && p.about && strlen(p.title) < 100, "%s: no title", p.name);
        check_that(p.seeds >= 2, "%s: one seed has no interval", p.name);
        assert_true(p.against < p.methods && p.score < p.methods);
        for (size_t i = 0; i < plan_cells(&p); i++) {
            if (p.present[i]) check_ok(task_check(&p.task[i], &error));
            check_that(plan_is_value(&p) == (strcmp(p.task[i].problem, "radio") == 0), "%s", p.name);
        }
        for (size_t m = 0; m < p.methods; m++) { /* all are run somewhere */
            size_t runs = 0;
            for (size_t c = 0; c < p.cases; c++) runs += (size_t)p.present[plan_cell(&p, c, m)];
            check_that(runs > 0, "%s: %s is never run", p.name, p.method[m].name);
        }
        for (size_t c = 0; c < p.cases; c++) {
            check_that((p.figure == PLAN_FIGURE_SWEEP) == !isnan(p.case_[c].at), "%s: at of %s", p.name,
                       p.case_[c].name);
            /* what others are compared with is there for every case */
            check_that(plan_source(&p, c, p.against) < plan_cells(&p), "%s: %s", p.name, p.case_[c].name);
        }
        plan_release(&p);
    }
    check_that(count >= 14, "only %zu experiments", count);
}

static void settings_of_ackley(void **state) {
    (void)state;
    plan p;
    load("ackley-noisy", &p);
    assert_int_equal(p.cases, 1);
    assert_string_equal(p.case_[0].name, "-");
    assert_int_equal(p.figure, PLAN_FIGURE_CURVES);
    assert_string_equal(p.method[p.against].name, "BO");
    const task *t = cell(&p, "-", "LOCBO");
    assert_string_equal(t->problem, "ackley-paper");
    assert_int_equal(t->noise.kind, NOISE_NORM);
    check_same(t->noise.scale, 20);
    check_same(t->noise.shape, 10);
    assert_int_equal(t->initial, 5);
    assert_int_equal(t->rounds, 50);
    assert_int_equal(t->every, 1);
    assert_int_equal(t->start, TASK_START_UNIFORM);
    assert_int_equal(t->options.method, LOCBO_METHOD_LOCBO);
    assert_int_equal(t->options.surrogate, LOCBO_SURROGATE_PAPER);
    check_same(t->options.alpha, 0.2);
    check_same(t->options.localization, 0.25);
    check_same(t->options.gain, 4);
    t = cell(&p, "-", "LOCBO(l=inf)");
    check_same(t->options.localization, INFINITY);
    check_same(t->options.gain, 4);
    t = cell(&p, "-", "OCBO-L");
    assert_int_equal(t->options.method, LOCBO_METHOD_OCBO_L);
    check_same(t->options.gain, 5);
    plan_method *m = &p.method[plan_find_method(&p, "OCBO-L")];
    assert_int_equal(m->colour, FIGURE_RED);
    assert_true(m->dashed);
    plan_release(&p);
}

static void settings_of_the_sweeps(void **state) {
    (void)state;
    plan p;
    load("ackley-alpha", &p);
    assert_int_equal(p.figure, PLAN_FIGURE_SWEEP);
    check_same(cell(&p, "alpha=0.05", "LOCBO")->options.alpha, 0.05);
    check_same(cell(&p, "alpha=0.5", "CBO")->options.alpha, 0.5);
    check_same(p.case_[plan_find_case(&p, "alpha=0.3")].at, 0.3);
    assert_true(is_present(&p, "alpha=0.2", "BO"));
    assert_false(is_present(&p, "alpha=0.1", "BO"));
    assert_true(is_present(&p, "alpha=0.1", "CBO"));
    plan_release(&p);
    load("ackley-lengthscale", &p);
    check_same(cell(&p, "l=20", "LOCBO")->options.localization, 1);
    check_same(cell(&p, "l=inf", "LOCBO")->options.localization, INFINITY);
    assert_true(p.log_x);
    plan_release(&p);
    load("radio-nch", &p);
    assert_int_equal(cell(&p, "nch=3", "LOCBO")->channels, 3);
    assert_int_equal(cell(&p, "nch=3", "LOCBO")->initial, 50);
    assert_true(cell(&p, "nch=3", "LOCBO")->sectors);
    assert_true(plan_is_value(&p));
    plan_release(&p);
}

static void settings_of_the_others(void **state) {
    (void)state;
    plan p;
    load("attribution", &p);
    const task *t = cell(&p, "noisy-code", "published");
    assert_int_equal(t->law, TASK_LAW_PUBLISHED);
    assert_int_equal(t->start, TASK_START_CORNERS);
    assert_int_equal(t->options.surrogate, LOCBO_SURROGATE_GAMMA);
    check_same(t->options.input_span, 20);
    t = cell(&p, "clean", "tail=0+frozen");
    assert_int_equal(t->noise.kind, NOISE_NONE);
    check_same(t->options.tail, 0);
    check_same(t->options.eta0, 0);
    assert_false(is_present(&p, "noisy-code", "tail=0+frozen"));
    plan_release(&p);
    load("attribution-radio", &p);
    t = cell(&p, "code", "script");
    assert_int_equal(t->law, TASK_LAW_SCRIPT);
    assert_true(t->script);
    check_same(t->options.alpha, 0.45);
    plan_release(&p);
    load("misspecified", &p);
    t = cell(&p, "branin+outliers+quiet", "BO");
    assert_true(t->move && t->rotate && t->relative);
    assert_int_equal(t->initial, 10); /* after the preset, which has 5 */
    check_same(t->options.noise_var, 1e-4);
    plan_release(&p);
    load("intervals", &p);
    assert_int_equal(p.figure, PLAN_FIGURE_GRID);
    assert_int_equal(cell(&p, "eta0=0.05", "kappa=2")->grid, 201);
    check_same(cell(&p, "eta0=0.05", "kappa=2")->options.eta0, 0.05);
    plan_release(&p);
}

/* The two halves of the suite for the defaults have no function in common, and are alike otherwise. */
static void settings_of_the_suite(void **state) {
    (void)state;
    plan choose, confirm;
    load("robust-choose", &choose);
    load("robust-confirm", &confirm);
    assert_int_equal(choose.cases, 63);
    assert_int_equal(confirm.cases, 63);
    for (size_t c = 0; c < choose.cases; c++) {
        const task *a = &choose.task[plan_cell(&choose, c, 0)];
        const task *b = &confirm.task[plan_cell(&confirm, c, 0)];
        assert_string_equal(plan_kind(&choose, c), plan_kind(&confirm, c));
        assert_true(a->move && a->rotate && a->relative && b->move && b->rotate && b->relative);
        assert_int_equal(a->noise.kind, b->noise.kind);
        check_same(a->noise.scale, b->noise.scale);
        check_same(a->noise.shape, b->noise.shape);
        assert_true(a->rounds == 60 && b->rounds == 60 && a->initial == 10 && b->initial == 10);
        for (size_t k = 0; k < confirm.cases; k++)
            assert_string_not_equal(a->problem, confirm.task[plan_cell(&confirm, k, 0)].problem);
    }
    assert_true(choose.scored && confirm.scored);
    assert_string_equal(choose.method[choose.score].name, "random");
    assert_int_equal(choose.groups, 2);
    assert_string_equal(choose.group[0].name, "noisy");
    size_t noisy = 0;
    for (size_t c = 0; c < choose.cases; c++) noisy += (size_t)choose.group[0].has[c];
    assert_int_equal(noisy, 54);
    plan_release(&choose);
    plan_release(&confirm);
}

/* Every problem with several outputs is there, and every noise in both families. Groups are made of functions, and a
 * method that is not for a case does not have to be possible there. */
static void settings_of_outputs(void **state) {
    (void)state;
    plan p;
    size_t kinds[2][NOISE_STUDENT + 1] = {{0}};
    load("outputs", &p);
    assert_int_equal(p.groups, 2);
    assert_string_equal(p.group[0].name, "constraints");
    for (size_t c = 0; c < p.cases; c++) {
        const task *t = &p.task[plan_cell(&p, c, p.against)];
        int several = problem_outputs_objectives(problem_outputs_find(t->problem)) > 1;
        assert_int_equal(p.group[0].has[c], !several);
        assert_int_equal(p.group[1].has[c], several);
        assert_int_equal(t->initial + t->rounds, several ? 80 : 60);
        assert_string_equal(plan_kind(&p, c), noise_kind_text(t->noise.kind));
        assert_true(t->relative && t->noise.scale == 0.05);
        kinds[several][t->noise.kind]++;
    }
    for (int k = 0; k < 2; k++)
        assert_true(kinds[k][NOISE_GAUSSIAN] && kinds[k][NOISE_INPUT] && kinds[k][NOISE_STUDENT]);
    for (size_t i = 0; problem_outputs_at(i); i++) {
        size_t c = 0;
        while (c < p.cases && strcmp(p.task[plan_cell(&p, c, 0)].problem, problem_outputs_at(i)->name) != 0) c++;
        check_that(c < p.cases, "no case of %s", problem_outputs_at(i)->name);
    }
    plan_release(&p);
}

/* The two halves of the suite of bad runs: case by case the same noise and turn, another function; every kind of noise
 * twice or more; half of the functions of real parameters turned. */
static void settings_of_the_tails(void **state) {
    (void)state;
    plan choose, confirm;
    size_t turned = 0, mixed = 0;
    load("tails-choose", &choose);
    load("tails-confirm", &confirm);
    assert_int_equal(choose.cases, 47);
    assert_int_equal(confirm.cases, 47);
    for (size_t c = 0; c < choose.cases; c++) {
        const task *a = &choose.task[plan_cell(&choose, c, 0)], *b = &confirm.task[plan_cell(&confirm, c, 0)];
        const problem *p = problem_find(a->problem), *q = problem_find(b->problem);
        size_t same = 0;
        assert_string_equal(plan_kind(&choose, c), plan_kind(&confirm, c));
        assert_memory_equal(&a->noise, &b->noise, sizeof a->noise);
        assert_true(a->move && b->move && a->rotate == b->rotate && a->relative == b->relative);
        assert_true(a->rounds == 60 && a->initial == 10 && a->every == 10 && !p->kinds == !q->kinds);
        assert_true(b->rounds == 60 && b->initial == 10 && b->every == 10);
        for (size_t k = 0; k < confirm.cases; k++) {
            same += plan_is_kind(&choose, k, plan_kind(&choose, c));
            assert_string_not_equal(a->problem, confirm.task[plan_cell(&confirm, k, 0)].problem);
        }
        assert_true(same >= 2 || plan_is_kind(&choose, c, "skewed-fifth"));
        turned += (size_t)a->rotate;
        mixed += p->kinds != NULL;
    }
    assert_int_equal(mixed, 9);
    assert_int_equal(turned, (choose.cases - mixed) / 2);
    assert_true(choose.scored && confirm.scored && choose.tails && confirm.tails);
    assert_int_equal(choose.methods, confirm.methods);
    plan_release(&choose);
    plan_release(&confirm);
}

/* ---- order ------------------------------------------------------------------------------------- */

/* The experiment's settings, then the case's, then the method's; inside a mapping as written, a preset before its
 * exceptions. */
static void later_settings_win(void **state) {
    (void)state;
    plan p;
    parse("name: order\n"
          "settings: {problem: branin, alpha: 0.4, preset: paper-radio, gain: 7}\n"
          "cases:\n"
          "  plain: {}\n"
          "  changed: {gain: 8, alpha: 0.3}\n"
          "methods:\n"
          "  A: {method: locbo}\n"
          "  B: {method: locbo, gain: 9}\n"
          "  C: {method: locbo, initial: 3, preset: paper-ackley}\n"
          "  D: {method: locbo, preset: paper-ackley, initial: 3}\n",
          &p);
    check_same(cell(&p, "plain", "A")->options.alpha, 0.25); /* the preset came after 0.4 */
    check_same(cell(&p, "plain", "A")->options.gain, 7);
    check_same(cell(&p, "changed", "A")->options.alpha, 0.3);
    check_same(cell(&p, "changed", "A")->options.gain, 8);
    check_same(cell(&p, "changed", "B")->options.gain, 9);
    check_same(cell(&p, "changed", "C")->options.gain, 4);
    assert_int_equal(cell(&p, "plain", "A")->initial, 50); /* of the preset */
    assert_int_equal(cell(&p, "plain", "C")->initial, 5);
    assert_int_equal(cell(&p, "plain", "D")->initial, 3);
    plan_release(&p);
}

/* It is `evaluated` unless the file says otherwise, whatever a preset says, before or after it. */
static void what_is_recommended(void **state) {
    (void)state;
    plan p;
    parse("name: points\n"
          "settings: {problem: branin}\n"
          "cases:\n"
          "  plain: {}\n"
          "  seen: {recommendation: observed}\n"
          "methods:\n"
          "  A: {method: locbo}\n"
          "  B: {preset: paper-ackley}\n"
          "  C: {recommendation: anywhere, preset: paper-radio}\n"
          "  D: {preset: paper-ackley, recommendation: anywhere}\n",
          &p);
    static const char *const methods[] = {"A", "B", "C", "D"};
    static const locbo_recommendation plain[] = {LOCBO_RECOMMEND_EVALUATED, LOCBO_RECOMMEND_EVALUATED,
                                                 LOCBO_RECOMMEND_ANYWHERE, LOCBO_RECOMMEND_ANYWHERE};
    static const locbo_recommendation seen[] = {LOCBO_RECOMMEND_OBSERVED, LOCBO_RECOMMEND_OBSERVED,
                                                LOCBO_RECOMMEND_ANYWHERE, LOCBO_RECOMMEND_ANYWHERE};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(cell(&p, "plain", methods[i])->options.recommendation, plain[i]);
        assert_int_equal(cell(&p, "seen", methods[i])->options.recommendation, seen[i]);
    }
    char text[TASK_DIFFERENCE];
    assert_int_equal(task_difference(cell(&p, "plain", "A"), cell(&p, "seen", "A"), text), 1);
    assert_string_equal(text, "recommendation evaluated there, observed here");
    plan_release(&p);
}

/* An external method beside others: it ignores the optimizer's options, so they make no difference. */
static void a_method_may_be_a_program(void **state) {
    (void)state;
    plan p;
    char text[TASK_DIFFERENCE], longest[TASK_PROGRAM], file[512];
    parse("name: external\n"
          "settings: {problem: branin, alpha: 0.4}\n"
          "cases: {a: {}, b: {alpha: 0.3}, c: {rounds: 7}}\n"
          "methods:\n"
          "  A: {method: bo}\n"
          "  B: {program: sh b.sh, initial: 3, colour: red}\n"
          "  C: {program: sh c.sh}\n",
          &p);
    assert_string_equal(cell(&p, "a", "A")->program, "");
    assert_string_equal(cell(&p, "a", "B")->program, "sh b.sh");
    assert_int_equal(cell(&p, "a", "B")->initial, 3);
    assert_int_equal(task_difference(cell(&p, "a", "B"), cell(&p, "b", "B"), text), 0);
    assert_int_equal(task_difference(cell(&p, "a", "B"), cell(&p, "c", "B"), text), 1);
    assert_string_equal(text, "rounds 50 there, 7 here");
    assert_int_equal(task_difference(cell(&p, "a", "B"), cell(&p, "a", "C"), text), 1);
    assert_string_equal(text, "program 'sh b.sh' there, 'sh c.sh' here");
    assert_int_equal(task_difference(cell(&p, "a", "A"), cell(&p, "a", "C"), text), 1);
    assert_string_equal(text, "program none there, 'sh c.sh' here");
    plan_release(&p);
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    static const char form[] = "name: x\nsettings: {problem: branin}\nmethods: {A: {program: %s%s}}\n";
    snprintf(file, sizeof file, form, longest, "");
    parse(file, &p);
    assert_string_equal(p.task[0].program, longest);
    plan_release(&p);
    snprintf(file, sizeof file, form, longest, "y");
    check_fails(experiment_file_parse("f.yaml", file, strlen(file), &p, &error), LOCBO_ERR_FORMAT,
                "methods.A.program: a command has at most 255 bytes, 'xxxx");
}

/* Every kind of setting, by the words of the file. */
static void differences_are_told(void **state) {
    (void)state;
    static const char *const told[] = {"problem branin there, camel here",
                                       "move 0 there, 1 here",
                                       "noise.kind gaussian there, skewed here",
                                       "noise.scale 0.5 there, 0.25 here",
                                       "noise.shape 0 there, 3 here",
                                       "start uniform there, corners here",
                                       "pool 0 there, 30 here",
                                       "law exact there, published here"};
    plan p;
    char text[TASK_DIFFERENCE];
    parse("name: kinds\n"
          "settings: {problem: branin, noise: {kind: gaussian, scale: 0.5}}\n"
          "cases: {plain: {}, a: {problem: camel}, b: {move: true}, c: {noise: {kind: skewed, scale: 0.5}},\n"
          "        d: {noise: {kind: gaussian, scale: 0.25}}, e: {noise: {kind: gaussian, scale: 0.5, shape: 3}},\n"
          "        f: {start: corners}, g: {pool: 30}, h: {law: published}}\n"
          "methods: {A: {}}\n",
          &p);
    for (size_t c = 1; c < p.cases; c++) {
        assert_int_equal(task_difference(&p.task[0], &p.task[c], text), 1);
        assert_string_equal(text, told[c - 1]);
    }
    plan_release(&p);
}

static void what_is_left_out_has_a_default(void **state) {
    (void)state;
    plan p;
    parse("name: short\nsettings: {problem: branin}\nmethods: {x: {}}\n", &p);
    assert_int_equal(p.seeds, 30);
    assert_int_equal(p.cases, 1);
    assert_int_equal(p.methods, 1);
    assert_int_equal(p.against, 0);
    assert_false(p.scored);
    assert_null(p.title);
    assert_int_equal(p.method[0].colour, FIGURE_GREEN); /* the first of those that take turns */
    assert_int_equal(p.task[0].rounds, 50);
    assert_int_equal(p.task[0].initial, 5);
    assert_int_equal(p.task[0].noise.kind, NOISE_NONE);
    assert_int_equal(p.task[0].options.method, LOCBO_METHOD_LOCBO);
    plan_release(&p);
}

/* ---- mistakes ---------------------------------------------------------------------------------- */

static void wrong(const char *text, const char *words) {
    plan p;
    check_fails(experiment_file_parse("f.yaml", text, strlen(text), &p, &error), LOCBO_ERR_FORMAT, words);
    assert_null(p.task); /* all released */
}

static void mistakes_in_the_header(void **state) {
    (void)state;
#define REST "settings: {problem: branin}\nmethods: {A: {}}\n"
    wrong("", "f.yaml");
    wrong("[]\n", "f.yaml:1: expected a mapping");
    wrong("title: x\n" REST, "the key 'name' is missing");
    wrong("name: x\nsettings: {problem: branin}\n", "the key 'methods' is missing");
    wrong("name: x\nmethod: {}\n" REST, "f.yaml:2: method: unknown key; did you mean 'methods'?");
    wrong("name: x\nname: y\n" REST, "f.yaml:2: name: the key is given twice");
    wrong("name: [x]\n" REST, "f.yaml:1: name: expected a text or number");
    wrong("name: a,b\n" REST, "f.yaml:1: name: a name must not have commas");
    wrong("name: a b\n" REST, "a name must not have commas, blanks");
    wrong("name: a/b\n" REST, "or slashes");
    wrong("name: ..\n" REST, "nor begin with a dot");
    wrong("name: \"a\\tb\"\n" REST, "a name must not have");
    wrong("name: \"a\\rb\"\n" REST, "a name must not have");
    wrong("name: ''\n" REST, "f.yaml:1: name: must not be empty");
    wrong("name: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n" REST, "at most 60 characters");
    wrong("name: x\nseeds: 0\n" REST, "f.yaml:2: seeds: expected a whole number in [1, ");
    wrong("name: x\nseeds: many\n" REST, "found 'many'");
    wrong("name: x\nseeds: -3\n" REST, "f.yaml:2: seeds");
    wrong("name: x\nfigure: sweep\n" REST, "f.yaml:2: figure: a sweep needs the key 'at' in every case");
    wrong("name: x\nfigure: grid\n" REST, "f.yaml:2: figure: needs the setting 'grid'");
    wrong("name: x\nfigure: pie\n" REST,
          "f.yaml:2: figure: expected curves, sweep, grid, dots, ratios, bounds, scores or costs");
    wrong("name: x\nlog_x: yes\n" REST, "f.yaml:2: log_x: expected true or false, found 'yes'");
    wrong("name: x\nagainst: B\n" REST, "f.yaml:2: against: there is no method 'B'");
    wrong("name: x\nmethods: {A: {}\n", "f.yaml");
#undef REST
}

static void mistakes_in_the_settings(void **state) {
    (void)state;
#define WRONG(settings, words)                                                                                         \
    wrong("name: x\nsettings:\n  problem: branin\n  " settings "\nmethods:\n  A: {}\n", words)
    wrong("name: x\nsettings: [a]\nmethods: {A: {}}\n", "f.yaml:2: settings: expected a mapping");
    wrong("name: x\nmethods: {A: {}}\n", "f.yaml:2: methods.A: problem is missing");
    wrong("name: x\nsettings:\n  problem: barnin\nmethods:\n  A: {}\n", "there is no problem 'barnin'");
    wrong("name: x\nsettings:\n  problem: "
          "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nmethods:\n  A: {}\n",
          "f.yaml:3: settings.problem: there is no problem 'aaa");
    WRONG("alhpa: 0.2", "f.yaml:4: settings.alhpa: unknown setting; did you mean 'alpha'?");
    WRONG("relativ: true", "f.yaml:4: settings.relativ: unknown setting; did you mean 'relative'?");
    WRONG("qqqqqqqq: 1", "f.yaml:4: settings.qqqqqqqq: unknown setting; docs/experiments.md lists");
    WRONG("alpha: two", "f.yaml:4: settings.alpha: ");
    WRONG("alpha: 2", "f.yaml:4: settings.alpha: alpha must lie in");
    WRONG("alpha: [0.2]", "f.yaml:4: settings.alpha: expected a text or number");
    WRONG("preset: paper", "f.yaml:4: settings.preset: preset must be one of");
    WRONG("seed: 3", "f.yaml:4: settings.seed: cannot be set here");
    WRONG("direction: maximize", "f.yaml:4: settings.direction: cannot be set here");
    WRONG("recommendation: nowhere", "f.yaml:4: settings.recommendation: recommendation must be");
    WRONG("program: 'true'", "f.yaml:4: settings.program: unknown setting");
    WRONG("noise: {kind: loud}", "f.yaml:4: settings.noise.kind: there is no noise 'loud'");
    WRONG("noise: loud", "f.yaml:4: settings.noise: there is no noise 'loud'");
    WRONG("noise: gaussian", "noise gaussian needs a scale above 0");
    WRONG("noise: {scale: 1}", "f.yaml:4: settings.noise: the key 'kind' is missing");
    WRONG("noise: {kind: gaussian, size: 1}", "f.yaml:4: settings.noise.size: unknown key");
    WRONG("noise: {kind: gaussian, scale: big}", "settings.noise.scale: expected a number, found 'big'");
    WRONG("noise: {kind: gaussian, scale: .inf}", "settings.noise.scale: expected a number");
    WRONG("noise: [gaussian]", "f.yaml:4: settings.noise: expected a mapping");
    WRONG("rounds: 1.5", "f.yaml:4: settings.rounds: expected a whole number");
    WRONG("rounds: 0", "rounds and every must be at least 1, got 0 and 1");
    WRONG("rounds: -1", "f.yaml:4: settings.rounds: expected a whole number in [0, ");
    WRONG("move: 1", "f.yaml:4: settings.move: expected true or false, found '1'");
    WRONG("start: middle", "f.yaml:4: settings.start: expected uniform or corners, found 'middle'");
    WRONG("law: printed", "f.yaml:4: settings.law: expected exact, published or script, found 'printed'");
    WRONG("channels: 2", "for the radio problem, not branin");
    WRONG("grid: 10", "grid is for one parameter, branin has 2");
    WRONG("at: 1", "f.yaml:4: settings.at: ");
    WRONG("colour: red", "f.yaml:4: settings.colour: ");
#undef WRONG
}

static void mistakes_in_cases_and_methods(void **state) {
    (void)state;
#define WRONG(rest, words) wrong("name: x\nsettings: {problem: branin}\n" rest, words)
    WRONG("methods: {}\n", "f.yaml:3: methods: there must be at least one method");
    WRONG("methods: [A]\n", "f.yaml:3: methods: expected a mapping");
    WRONG("methods:\n  A:\n", "f.yaml:4: methods.A: expected a mapping");
    WRONG("methods:\n  A: bo\n", "f.yaml:4: methods.A: expected a mapping");
    WRONG("methods:\n  'A,B': {}\n", "a name must not have commas");
    WRONG("methods:\n  A: {}\n  A: {}\n", "f.yaml:5: methods.A: the key is given twice");
    WRONG("methods:\n  A: {colour: pink}\n",
          "f.yaml:4: methods.A.colour: expected black, green, yellow, blue, red, grey, purple, "
          "orange, teal or brown, found 'pink'");
    WRONG("methods:\n  A: {dashed: maybe}\n", "f.yaml:4: methods.A.dashed: expected true or false");
    WRONG("methods:\n  A: {method: boo}\n", "f.yaml:4: methods.A.method: ");
    WRONG("methods:\n  A: {only: [a]}\n", "f.yaml:4: methods.A.only[0]: there is no case 'a'");
    WRONG("methods:\n  A: {only: a}\n", "f.yaml:4: methods.A.only: expected a list");
    WRONG("methods:\n  A: {only: []}\n", "f.yaml:4: methods.A.only: there must be at least one case");
    WRONG("methods:\n  A: {program: ''}\n", "f.yaml:4: methods.A.program: there must be a command");
    WRONG("methods:\n  A: {program: '  '}\n", "f.yaml:4: methods.A: program is empty");
    WRONG("methods:\n  A: {program: \"a\\nb\"}\n", "f.yaml:4: methods.A: program must be one line");
    WRONG("methods:\n  A: {program: [a]}\n", "f.yaml:4: methods.A.program: expected a text");
    WRONG("methods:\n  A: {alpha: 0.3, program: a}\n",
          "f.yaml:4: methods.A.alpha: is an option of the optimizer, which 'program' replaces");
    WRONG("methods:\n  A: {program: a, preset: paper-radio}\n", "methods.A.preset: is an option of the optim");
    WRONG("methods:\n  A: {}\n  B: {program: a, law: published}\n",
          "f.yaml:5: methods.B: law needs the optimizer's model, and a program has none");
    WRONG("cases: {a: {program: b}}\nmethods: {A: {}}\n", "f.yaml:3: cases.a.program: unknown");
    WRONG("methods:\n  A: {}\n  B: {law: published, method: bo}\n",
          "f.yaml:5: methods.B: law published needs method locbo");
    WRONG("cases: {}\nmethods: {A: {}}\n", "f.yaml:3: cases: there must be at least one case");
    WRONG("cases: [a]\nmethods: {A: {}}\n", "f.yaml:3: cases: expected a mapping");
    WRONG("cases: {a: 3}\nmethods: {A: {}}\n", "f.yaml:3: cases.a: expected a mapping");
    WRONG("cases: {'a b': {}}\nmethods: {A: {}}\n", "f.yaml:3: cases.a b: a name must not have commas");
    WRONG("cases: {a: {at: there}}\nmethods: {A: {}}\n", "f.yaml:3: cases.a.at: expected a number");
    WRONG("cases: {a: {only: [a]}}\nmethods: {A: {}}\n", "f.yaml:3: cases.a.only: ");
    WRONG("cases:\n  a: {}\n  b: {problem: radio}\nmethods: {A: {}}\n",
          "f.yaml:5: cases.b: the radio problem cannot be mixed with other problems, here 'radio'");
    WRONG("cases:\n  a: {problem: radio}\n  b: {}\nmethods: {A: {}}\n", "f.yaml:5: cases.b: the radio problem");
#undef WRONG
}

static void mistakes_in_the_scores(void **state) {
    (void)state;
#define WRONG(line, words)                                                                                             \
    wrong("name: x\nsettings: {problem: branin}\ncases: {f+a: {}, f+b: {}, plain: {}}\n"                               \
          "methods: {A: {}}\n" line "\n",                                                                              \
          words)
    WRONG("score: B", "f.yaml:5: score: there is no method 'B'");
    WRONG("score: [A]", "f.yaml:5: score: expected a text or number");
    WRONG("groups: {g: [a]}", "f.yaml:5: groups: need the key 'score', which is missing");
    WRONG("figure: scores", "f.yaml:5: figure: needs the key 'score'");
    WRONG("score: A\ngroups: [a]", "f.yaml:6: groups: expected a mapping");
    WRONG("score: A\ngroups: {g: a}", "f.yaml:6: groups.g: expected a list");
    WRONG("score: A\ngroups: {g: []}", "f.yaml:6: groups.g: there must be at least one kind");
    WRONG("score: A\ngroups: {g: [a, c]}",
          "f.yaml:6: groups.g[1]: no case has a name that ends in '+c', or begins with 'c+'");
    WRONG("score: A\ngroups: {g: [plain]}", "groups.g[0]: no case has a name that ends in '+plain'");
    WRONG("score: A\ngroups: {all: [a]}", "groups.all: 'all' cannot be the name of a group: it means all cases");
    WRONG("score: A\ngroups: {b: [a]}", "groups.b: 'b' cannot be the name of a group: it means a kind of cases");
    WRONG("score: A\ngroups: {'g,h': [a]}", "a name must not have commas");
#undef WRONG
    wrong("name: x\nsettings: {problem: radio}\nmethods: {A: {}}\nscore: A\n",
          "f.yaml:4: score: needs regrets, and the optimum of radio is not known");
}

/* ---- by name or from a file -------------------------------------------------------------------- */

static void by_name_or_from_a_file(void **state) {
    (void)state;
    plan p;
    char *text, path[] = "/tmp/locbo-experiment-XXXXXX.yaml";
    static const char own[] = "name: own\nsettings: {problem: branin}\nmethods: {A: {}}\n";
    check_fails(experiment_file_load("ackly", &p, &text, &error), LOCBO_ERR_NOT_FOUND,
                "there is no experiment 'ackly' (did you mean ackley?)");
    assert_null(text);
    check_fails(experiment_file_load("./ackley", &p, &text, &error), LOCBO_ERR_NOT_FOUND, "./ackley");
    check_fails(experiment_file_load("no-such.yaml", &p, &text, &error), LOCBO_ERR_NOT_FOUND, "no-such.yaml");
    int fd = mkstemps(path, 5);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, own, sizeof own - 1), sizeof own - 1);
    check_ok(experiment_file_load(path, &p, &text, &error));
    assert_string_equal(text, own);
    assert_string_equal(p.name, "own");
    mem_free(text);
    plan_release(&p);
    /* what stands behind a NUL is not overlooked */
    assert_int_equal(write(fd, "\0junk: [", 8), 8);
    close(fd);
    check_fails(experiment_file_load(path, &p, &text, &error), LOCBO_ERR_FORMAT, path);
    assert_null(text);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_experiments_of_the_program_are_sound),
        cmocka_unit_test(settings_of_ackley),
        cmocka_unit_test(settings_of_the_sweeps),
        cmocka_unit_test(settings_of_the_others),
        cmocka_unit_test(settings_of_the_suite),
        cmocka_unit_test(settings_of_outputs),
        cmocka_unit_test(settings_of_the_tails),
        cmocka_unit_test(later_settings_win),
        cmocka_unit_test(differences_are_told),
        cmocka_unit_test(what_is_left_out_has_a_default),
        cmocka_unit_test(what_is_recommended),
        cmocka_unit_test(a_method_may_be_a_program),
        cmocka_unit_test(mistakes_in_the_header),
        cmocka_unit_test(mistakes_in_the_settings),
        cmocka_unit_test(mistakes_in_cases_and_methods),
        cmocka_unit_test(mistakes_in_the_scores),
        cmocka_unit_test(by_name_or_from_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
