/* test_template.c - values go through untouched, mistakes are named, the environment is there. */
#include "template.h"

#include "check.h"

static const char *const NASTY[] = {"plain", "a b\t'c' \"d\"\n;e", "{x}{{}}", "$(rm -rf /) `ls` *", "", "caf\xc3\xa9"};
enum { X, N, MODE, DIM };

static locbo_space *make_space(void) {
    locbo_space *s = NULL;
    check_ok(locbo_space_create(&s, &error));
    check_ok(locbo_space_add_real(s, "x", -5, 10, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_int(s, "n", 1, 12, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(s, "mode", 6, NASTY, &error));
    return s;
}

static int setup(void **state) { return !(*state = make_space()); }
static int teardown(void **state) {
    locbo_space_destroy(*state);
    return 0;
}

static template_values values_of(const locbo_space *space, const double *x) {
    return (template_values){.space = space,
                             .x = x,
                             .trial = 17,
                             .seed = 123456,
                             .attempt = 2,
                             .workdir = "/tmp/a {x} b",
                             .result_file = "/tmp/r.json"};
}

/* Expand words and compare them, all. */
static void check_expand(const locbo_space *space, const double *x, size_t count, const char *const *words,
                         size_t wanted, const char *const *expected) {
    template_values values = values_of(space, x);
    char **expanded = NULL;
    check_ok(template_check(space, count, words, &error));
    check_ok(template_expand(&values, count, words, &expanded, &error));
    for (size_t i = 0; i < wanted; i++) {
        assert_non_null(expanded[i]);
        assert_string_equal(expanded[i], expected[i]);
    }
    assert_null(expanded[wanted]);
    template_free(expanded);
}

static void replaced_in_place(void **state) {
    const double x[DIM] = {0.1, 12, 0};
    const char *const words[] = {"./sim", "--x={x}", "{n}{n},{mode}", "", "no braces"};
    const char *const expected[] = {"./sim", "--x=0.1", "1212,plain", "", "no braces"};
    check_expand(*state, x, 5, words, 5, expected);
}

static void values_are_verbatim(void **state) {
    const char *const words[] = {"{mode}", "a{mode}b", "--m={mode}"};
    for (size_t k = 0; k < 6; k++) {
        const double x[DIM] = {1, 1, (double)k};
        char between[64], after[64];
        snprintf(between, sizeof between, "a%sb", NASTY[k]);
        snprintf(after, sizeof after, "--m=%s", NASTY[k]);
        const char *const expected[] = {NASTY[k], between, after};
        check_expand(*state, x, 3, words, 3, expected);
    }
}

static void doubled_braces(void **state) {
    const double x[DIM] = {0.5, 3, 0};
    const char *const words[] = {"{{x}}", "{{{x}}}", "{{\"x\": {x}}}", "{{}}", "}}{{", "${{HOME}}"};
    const char *const expected[] = {"{x}", "{0.5}", "{\"x\": 0.5}", "{}", "}{", "${HOME}"};
    check_expand(*state, x, 6, words, 6, expected);
}

static void special_names(void **state) {
    const double x[DIM] = {0.5, 3, 0};
    const char *const words[] = {"{x}", "{trial}-{attempt}", "{seed}", "{workdir}", "{result_file}"};
    const char *const expected[] = {"0.5", "17-2", "123456", "/tmp/a {x} b", "/tmp/r.json"};
    check_expand(*state, x, 5, words, 5, expected);
}

/* Without a parameter's placeholder all are appended; {seed} and {{x}} are none. */
static void appended(void **state) {
    const double x[DIM] = {-0.25, 3, 1};
    const char *const words[] = {"./sim", "--seed={seed}", "{{x}}"};
    const char *const expected[] = {"./sim", "--seed=123456", "{x}", "--x=-0.25", "--n=3", "--mode=a b\t'c' \"d\"\n;e"};
    check_expand(*state, x, 3, words, 6, expected);
    const char *const late[] = {"./sim", "a", "{n}"}, *const only[] = {"./sim", "a", "3"};
    check_expand(*state, x, 3, late, 3, only);
}

/* A number as text is the same number again. */
static void exact_numbers(void **state) {
    const double x[DIM] = {0.1 + 0.2, 3, 0};
    template_values values = values_of(*state, x);
    const char *const words[] = {"{x}"};
    char **expanded = NULL;
    check_ok(template_expand(&values, 1, words, &expanded, &error));
    check_same(strtod(expanded[0], NULL), x[0]);
    template_free(expanded);
}

#define refuse(word, part)                                                                                             \
    do {                                                                                                               \
        const char *const refused[] = {"./sim", (word), "{x}"};                                                        \
        check_fails(template_check(*state, 3, refused, &error), LOCBO_ERR_ARGUMENT, (part));                           \
        check_fails(template_check(*state, 3, refused, &error), LOCBO_ERR_ARGUMENT, (word));                           \
        check_fails(template_expand(&values, 3, refused, &expanded, &error), LOCBO_ERR_ARGUMENT, (part));              \
        assert_null(expanded);                                                                                         \
    } while (0)

static void mistakes(void **state) {
    const double x[DIM] = {0.5, 3, 0};
    template_values values = values_of(*state, x);
    char **expanded = NULL;
    refuse("--y={y}", "{y}");
    refuse("--y={y}", "{x} {n} {mode} {trial} {seed} {attempt} {workdir} {result_file}");
    refuse("{X}", "{X}");
    refuse("{ x }", "{ x }");
    refuse("{}", "{}");
    refuse("a{x", "{x");
    refuse("a}b", "}b");
    refuse("{x}}", "is not closed or not opened");
    refuse("{{x}", "is not closed or not opened");
    refuse("{", "is not closed or not opened");
    refuse("{\"x\": {x}}", "{\"x\": {x}");
    check_fails(template_expand(&values, 0, NULL, &expanded, &error), LOCBO_ERR_ARGUMENT, "words");
    values.workdir = NULL;
    const char *const fine[] = {"{x}"};
    check_fails(template_expand(&values, 1, fine, &expanded, &error), LOCBO_ERR_ARGUMENT, "NULL");
}

/* The message has its end even if not all names fit. */
static void many_names(void **state) {
    (void)state;
    locbo_space *space = NULL;
    check_ok(locbo_space_create(&space, &error));
    for (int i = 0; i < 50; i++) {
        char name[80];
        snprintf(name, sizeof name, "a_rather_long_name_%d", i);
        check_ok(locbo_space_add_real(space, name, 0, 1, LOCBO_LINEAR, &error));
    }
    const char *const words[] = {"{y}"};
    check_fails(template_check(space, 1, words, &error), LOCBO_ERR_ARGUMENT, "{a_rather_long_name_0}");
    check_fails(template_check(space, 1, words, &error), LOCBO_ERR_ARGUMENT, " ...; a brace");
    locbo_space_destroy(space);
}

/* A parameter may be called like one of ours, and then it is meant. */
static void parameter_called_seed(void **state) {
    (void)state;
    locbo_space *space = NULL;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_int(space, "seed", 0, 9, LOCBO_LINEAR, &error));
    const double x[] = {7};
    const char *const words[] = {"{seed}"}, *const expected[] = {"7"};
    check_expand(space, x, 1, words, 1, expected);
    locbo_space_destroy(space);
}

/* ---- environment ----------------------------------------------------------------------------- */

/* The one entry of that name; NULL: none. Two are a failure. */
static const char *get(char **environment, const char *name) {
    const char *found = NULL;
    size_t size = strlen(name);
    for (; *environment; environment++) {
        if (strncmp(*environment, name, size) != 0 || (*environment)[size] != '=') continue;
        if (found) fail_msg("%s is there twice", name);
        found = *environment + size + 1;
    }
    return found;
}

static void environment(void **state) {
    const double x[DIM] = {0.5, 3, 2};
    template_values values = values_of(*state, x);
    char home[] = "HOME=/root", old[] = "LOCBO_TRIAL=3", like[] = "LOCBO_TRIALS=4", odd[] = "ODD";
    char outer[] = "LOCBO_PARAM_X=9", other[] = "LOCBO_PARAM_outer=1";
    char *const base[] = {home, old, like, outer, other, odd, NULL};
    char **made = NULL;
    check_ok(template_environment(&values, base, &made, &error));
    assert_string_equal(get(made, "HOME"), "/root");
    assert_string_equal(get(made, "LOCBO_TRIAL"), "17");
    assert_string_equal(get(made, "LOCBO_TRIALS"), "4");
    assert_string_equal(get(made, "LOCBO_SEED"), "123456");
    assert_string_equal(get(made, "LOCBO_ATTEMPT"), "2");
    assert_string_equal(get(made, "LOCBO_WORKDIR"), "/tmp/a {x} b");
    assert_string_equal(get(made, "LOCBO_RESULT_FILE"), "/tmp/r.json");
    assert_string_equal(get(made, "LOCBO_PARAM_x"), "0.5");
    assert_string_equal(get(made, "LOCBO_PARAM_X"), "0.5");
    assert_string_equal(get(made, "LOCBO_PARAM_mode"), "{x}{{}}");
    assert_string_equal(get(made, "LOCBO_PARAM_MODE"), "{x}{{}}");
    assert_string_equal(get(made, "LOCBO_PARAM_outer"), "1");
    template_free(made);
    check_ok(template_environment(&values, NULL, &made, &error));
    assert_null(get(made, "HOME"));
    template_free(made);
}

/* Capitals only where nobody else could be meant. */
static void capitals(void **state) {
    (void)state;
    static const char *const names[] = {"a", "A", "bC", "Bc", "d_1", "E"};
    const double x[] = {1, 2, 3, 4, 5, 6};
    locbo_space *space = NULL;
    check_ok(locbo_space_create(&space, &error));
    for (int i = 0; i < 6; i++) check_ok(locbo_space_add_int(space, names[i], 1, 9, LOCBO_LINEAR, &error));
    template_values values = values_of(space, x);
    char **made = NULL;
    check_ok(template_environment(&values, NULL, &made, &error));
    assert_string_equal(get(made, "LOCBO_PARAM_a"), "1");
    assert_string_equal(get(made, "LOCBO_PARAM_A"), "2");
    assert_string_equal(get(made, "LOCBO_PARAM_bC"), "3");
    assert_string_equal(get(made, "LOCBO_PARAM_Bc"), "4");
    assert_null(get(made, "LOCBO_PARAM_BC"));
    assert_string_equal(get(made, "LOCBO_PARAM_D_1"), "5");
    assert_string_equal(get(made, "LOCBO_PARAM_E"), "6");
    template_free(made);
    locbo_space_destroy(space);
}

/* mode: fast or exact; depth where exact. */
static void inactive_parameters(void **state) {
    (void)state;
    static const char *const modes[] = {"fast", "exact"};
    locbo_space *s = NULL;
    check_ok(locbo_space_create(&s, &error));
    check_ok(locbo_space_add_categorical(s, "mode", 2, modes, &error));
    const locbo_parameter_spec depth = {.struct_size = sizeof depth,
                                        .name = "depth",
                                        .kind = LOCBO_INT,
                                        .low = 1,
                                        .high = 9,
                                        .parent = "mode",
                                        .when_count = 1,
                                        .when = (double[]){1}};
    const locbo_parameter_spec flag = {.struct_size = sizeof flag, .name = "flag", .kind = LOCBO_BOOL};
    check_ok(locbo_space_add(s, &depth, &error));
    check_ok(locbo_space_add(s, &flag, &error));
    const double fast[] = {0, (double)NAN, 1}, exact[] = {1, 5, 0};
    const char *const with[] = {"run", "--d={depth:none}", "[{depth:}]", "{flag}"};
    check_expand(s, fast, 4, with, 4, (const char *const[]){"run", "--d=none", "[]", "true"});
    check_expand(s, exact, 4, with, 4, (const char *const[]){"run", "--d=5", "[5]", "false"});
    const char *const without[] = {"run"};
    check_expand(s, fast, 1, without, 3, (const char *const[]){"run", "--mode=fast", "--flag=true"});
    check_expand(s, exact, 1, without, 4, (const char *const[]){"run", "--mode=exact", "--depth=5", "--flag=false"});
    const char *const bare[] = {"{depth}"};
    check_fails(template_check(s, 1, bare, &error), LOCBO_ERR_ARGUMENT,
                "'{depth}': {depth} has no value where it is not active; write what it is then, as in {depth:0}");
    template_values values = values_of(s, fast);
    char **list = NULL;
    check_ok(template_environment(&values, NULL, &list, &error));
    for (size_t i = 0; list[i]; i++) assert_null(strstr(list[i], "LOCBO_PARAM_depth"));
    template_free(list);
    locbo_space_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaced_in_place),
        cmocka_unit_test(values_are_verbatim),
        cmocka_unit_test(doubled_braces),
        cmocka_unit_test(special_names),
        cmocka_unit_test(appended),
        cmocka_unit_test(exact_numbers),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(many_names),
        cmocka_unit_test(parameter_called_seed),
        cmocka_unit_test(environment),
        cmocka_unit_test(inactive_parameters),
        cmocka_unit_test(capitals),
    };
    template_free(NULL);
    return cmocka_run_group_tests(tests, setup, teardown);
}
