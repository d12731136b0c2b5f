/* test_expression.c - arithmetic over named numbers: values against C's own, the order of operators, what is refused
 * and in which words, limits, linear expressions, faults. */
#include "expression.h"

#include <locale.h>

#include "scene.h"
#include "short_memory.h"

static expression *parse(const char *text) {
    expression *e = NULL;
    check_ok(expression_parse(&e, text, &error));
    assert_non_null(e);
    return e;
}

/* Its value with a = 2, b = 3, c = 5, x = NAN; any other name is 7. */
static double value_of(const char *text) {
    double values[64];
    expression *e = parse(text);
    assert_true(expression_name_count(e) <= 64);
    for (size_t i = 0; i < expression_name_count(e); i++) {
        const char *name = expression_name(e, i), *known = "abcx";
        const double number[] = {2, 3, 5, NAN};
        const char *at = strlen(name) == 1 ? strchr(known, name[0]) : NULL;
        values[i] = at ? number[at - known] : 7;
    }
    double value = expression_value(e, values);
    expression_destroy(e);
    return value;
}

/* To the bit, but for the sign and the payload of a NAN. */
static int is_same(double x, double y) { return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y)); }

static void check_value(const char *text, double expected) {
    double value = value_of(text);
    if (!is_same(value, expected)) fail_msg("'%s' is %.17g, expected %.17g", text, value, expected);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void values_are_those_of_c(void **state) {
    (void)state;
    volatile double zero = 0;
    const struct {
        const char *text;
        double value;
    } rows[] = {
        {"1", 1},
        {" 1.5 ", 1.5},
        {".5", .5},
        {"1.", 1},
        {"2.5e-3", 2.5e-3},
        {"1E+2", 100},
        {"0.1 + 0.2", 0.1 + 0.2},
        {"a + 0.1*b", 2 + 0.1 * 3},
        {"a\n+\tb\r\n", 5},
        {"a/b", 2.0 / 3},
        {"2^0.5", pow(2, 0.5)},
        {"abs(-a)", 2},
        {"ceil(1.2)", 2},
        {"floor(-1.2)", -2},
        {"exp(1.5)", exp(1.5)},
        {"log(a)", log(2)},
        {"log10(b)", log10(3)},
        {"sqrt(a)", sqrt(2)},
        {"min(a)", 2},
        {"min(c, b, a, 4)", 2},
        {"max(a, b, c, 4)", 5},
        {"max(min(a, b), min(b, c))", 3},
        {"a < b", 1},
        {"b < a", 0},
        {"a < 2", 0},
        {"a <= 2", 1},
        {"b <= a", 0},
        {"b > a", 1},
        {"a > 2", 0},
        {"a >= 2", 1},
        {"a >= b", 0},
        {"a == 2", 1},
        {"a == b", 0},
        {"a != b", 1},
        {"a != 2", 0},
        {"0 or 0", 0},
        {"0 or 3", 1},
        {"2 || 0", 1},
        {"2 and 3", 1},
        {"2 && 0", 0},
        {"not 0", 1},
        {"not a", 0},
        {"!0", 1},
        {"!0.5", 0},
        {"1/0", INFINITY},
        {"-1/0", -INFINITY},
        {"0/0", zero / zero},
        {"sqrt(-1)", NAN},
        {"log(0)", -INFINITY},
        {"exp(1000)", INFINITY},
        {"(-8)^(1/3)", NAN},
        {"-0", -0.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) check_value(rows[i].text, rows[i].value);
}

static void operators_bind_in_their_order(void **state) {
    (void)state;
    const char *const pairs[][2] = {
        {"1 or 1 and 0", "1 or (1 and 0)"},
        {"1 || 1 && 0", "1 or (1 and 0)"},
        {"not 1 or 1", "(not 1) or 1"},
        {"not 0 and 0", "(not 0) and 0"},
        {"not a < b", "not (a < b)"},
        {"not not a", "not (not a)"},
        {"!b < a", "(!b) < a"},
        {"!a + 1", "(!a) + 1"},
        {"!!a", "!(!a)"},
        {"not !a", "not (!a)"},
        {"!-a", "!(-a)"},
        {"a + 1 < b and b < c + 1", "((a + 1) < b) and (b < (c + 1))"},
        {"a + b < c", "(a + b) < c"},
        {"a - b - c", "(a - b) - c"},
        {"a - b + c", "(a - b) + c"},
        {"a / b / c", "(a / b) / c"},
        {"a / b * c", "(a / b) * c"},
        {"a + b * c", "a + (b * c)"},
        {"a * b + c", "(a * b) + c"},
        {"-a * b", "(-a) * b"},
        {"a * -b", "a * (-b)"},
        {"a - -b", "a - (-b)"},
        {"a--b", "a - (-b)"},
        {"-a ^ 2", "-(a ^ 2)"},
        {"a ^ -b", "a ^ (-b)"},
        {"a ^ -b ^ 2", "a ^ (-(b ^ 2))"},
        {"2 ^ 3 ^ 2", "2 ^ (3 ^ 2)"},
        {"a * b ^ c", "a * (b ^ c)"},
        {"a ^ b * c", "(a ^ b) * c"},
        {"2e1^2", "20 ^ 2"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) check_value(pairs[i][0], value_of(pairs[i][1]));
    check_value("2^3^2", 512);
    check_value("-2^2", -4);
    check_value("6-2-1", 3);
    check_value("1 or 1 and 0", 1);
}

static void unknown_numbers_stay_unknown(void **state) {
    (void)state;
    const char *const unknown[] = {"x",      "x + 1",     "0 * x",        "abs(x)",  "min(x, 1)", "min(1, x)",
                                   "max(x)", "max(1, x)", "max(x, 1, 2)", "x < 1",   "1 >= x",    "x == x",
                                   "x != x", "not x",     "!x",           "x and 1", "1 and x",   "x or 0",
                                   "0 or x", "x and x",   "x or x",       "-x",      "x ^ 2",     "floor(x)"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) check_value(unknown[i], NAN);
    check_value("x and 0", 0);
    check_value("0 and x", 0);
    check_value("x or 1", 1);
    check_value("1 or x", 1);
    check_value("a > b and x < 1", 0);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void names_are_listed_once(void **state) {
    (void)state;
    expression *e = parse("b + a*b - max(a, _x1) + `b` + `learning rate` + `caf\xc3\xa9 ``1```");
    const char *const names[] = {"b", "a", "_x1", "learning rate", "caf\xc3\xa9 `1`"};
    assert_int_equal(expression_name_count(e), 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(expression_name(e, i), names[i]);
    const double values[] = {1, 10, 100, 1000, 10000};
    check_same(expression_value(e, values), 1 + 10 - 100 + 1 + 1000 + 10000.0);
    expression_destroy(e);
    e = parse("1 + 2");
    assert_int_equal(expression_name_count(e), 0);
    check_same(expression_value(e, NULL), 3);
    expression_destroy(e);
}

/* Only a word before '(' is a function; and, or, not need backquotes. */
static void names_may_be_those_of_functions(void **state) {
    (void)state;
    check_value("min + exp*max(min, 1) - `and`", 7 + 7.0 * 7 - 7);
    check_value("`or` + `not`*2", 21);
    check_value("android + order + nothing", 21);
    check_value("min (a, b)", 2);
    check_value("e1 + E", 14);
}

/* ---- random expressions, with their values --------------------------------------------------- */

/* Each function appends what one line of the grammar in expression.h derives, and returns its value. */
typedef struct maker {
    rng random;
    char text[100000];
    size_t size;
    int budget; /* operands that may still be added */
} maker;

static const double MADE_VALUES[] = {2, 0.5, -3, 0, 1e10};
static const char *const MADE_NAMES[] = {"a", "rate_2", "`x y`", "min", "`not`"};

static uint64_t dice(maker *m, uint64_t n) { return rng_bits(&m->random) % n; }

static void put(maker *m, const char *text) {
    static const char *const blanks[] = {"", "", " ", "  ", "\n"};
    m->size += (size_t)snprintf(m->text + m->size, sizeof m->text - m->size, "%s%s", text, blanks[dice(m, 5)]);
    assert_true(m->size < sizeof m->text);
}

/* A word operator, which needs blanks around it. */
static void put_word(maker *m, const char *word, const char *symbol) {
    if (dice(m, 2)) put(m, " ");
    if (m->size > 0 && strchr(" \n()", m->text[m->size - 1]) && dice(m, 2)) {
        put(m, word);
        put(m, " ");
    } else {
        put(m, symbol);
    }
}

static double make_or(maker *m);

static double make_call(maker *m) {
    static double (*const functions[])(double) = {fabs, ceil, exp, floor, log, log10, sqrt};
    static const char *const names[] = {"abs", "ceil", "exp", "floor", "log", "log10", "sqrt"};
    size_t which = dice(m, 9), count = 1 + dice(m, 3);
    put(m, which < 7 ? names[which] : which == 7 ? "min" : "max");
    put(m, "(");
    double value = make_or(m);
    for (size_t i = 1; which >= 7 && i < count; i++) {
        put(m, ",");
        double next = make_or(m);
        if (isnan(next) || (!isnan(value) && (which == 7 ? next <= value : next >= value))) value = next;
    }
    put(m, ")");
    return which < 7 ? functions[which](value) : value;
}

static double make_primary(maker *m) {
    char number[40];
    size_t which = dice(m, 5);
    double value = (double)dice(m, 2000) / 64;
    if (m->budget-- > 0 && dice(m, 3) == 0) {
        if (dice(m, 2)) return make_call(m);
        put(m, "(");
        value = make_or(m);
        put(m, ")");
    } else if (dice(m, 2)) {
        put(m, MADE_NAMES[which]);
        value = MADE_VALUES[which];
    } else {
        snprintf(number, sizeof number, dice(m, 2) ? "%.17g" : "%.17e", value);
        put(m, number);
    }
    return value;
}

static double make_unary(maker *m);

static double make_power(maker *m) {
    double base = make_primary(m);
    if (dice(m, 6)) return base;
    put(m, "^");
    return pow(base, make_unary(m));
}

static double make_unary(maker *m) {
    size_t which = dice(m, 10);
    if (which > 1) return make_power(m);
    put(m, which ? "-" : "!");
    double value = make_unary(m);
    return which ? -value : isnan(value) ? value : value == 0;
}

static double make_product(maker *m) {
    double value = make_unary(m);
    while (m->budget > 0 && dice(m, 3) == 0) {
        int divides = (int)dice(m, 2);
        put(m, divides ? "/" : "*");
        double next = make_unary(m);
        value = divides ? value / next : value * next;
    }
    return value;
}

static double make_sum(maker *m) {
    double value = make_product(m);
    while (m->budget > 0 && dice(m, 3) == 0) {
        int subtracts = (int)dice(m, 2);
        put(m, subtracts ? "-" : "+");
        double next = make_product(m);
        value = subtracts ? value - next : value + next;
    }
    return value;
}

static double make_comparison(maker *m) {
    static const char *const texts[] = {"<", "<=", ">", ">=", "==", "!="};
    double left = make_sum(m);
    if (dice(m, 4)) return left;
    size_t which = dice(m, 6);
    put(m, texts[which]);
    double right = make_sum(m);
    const int holds[] = {left<right, left <= right, left> right, left >= right, left == right, left != right};
    return isnan(left) || isnan(right) ? (double)NAN : holds[which];
}

static double make_not(maker *m) {
    if (dice(m, 10)) return make_comparison(m);
    put(m, " not ");
    double value = make_not(m);
    return isnan(value) ? value : value == 0;
}

/* Unknown is between false and true: 'and' is the smaller of the two sides, 'or' the larger. */
static double truth(double x) { return isnan(x) ? 0.5 : x != 0; }

static double make_and(maker *m) {
    double value = make_not(m);
    while (m->budget > 0 && dice(m, 8) == 0) {
        put_word(m, "and", "&&");
        double both = fmin(truth(value), truth(make_not(m)));
        value = both == 0.5 ? NAN : both;
    }
    return value;
}

static double make_or(maker *m) {
    double value = make_and(m);
    while (m->budget > 0 && dice(m, 8) == 0) {
        put_word(m, "or", "||");
        double either = fmax(truth(value), truth(make_and(m)));
        value = either == 0.5 ? NAN : either;
    }
    return value;
}

static double made_value(const expression *e) {
    double values[5] = {0};
    for (size_t i = 0; i < expression_name_count(e); i++)
        for (size_t k = 0; k < 5; k++) {
            const char *name = MADE_NAMES[k] + (MADE_NAMES[k][0] == '`');
            size_t size = strcspn(name, "`");
            if (strncmp(expression_name(e, i), name, size) == 0 && !expression_name(e, i)[size])
                values[i] = MADE_VALUES[k];
        }
    return expression_value(e, values);
}

static void random_expressions_have_their_values(void **state) {
    (void)state;
    enum { SEED = 4, ROUNDS = 20000 };
    static maker m;
    size_t tried = 0, numbers = 0, longest = 0;
    m.random = scene_random(SEED);
    for (int i = 0; i < ROUNDS; i++) {
        m.size = 0;
        m.budget = (int)dice(&m, 40);
        double expected = make_or(&m);
        if (m.size > EXPRESSION_LENGTH) continue;
        expression *e = parse(m.text);
        double value = made_value(e);
        expression_destroy(e);
        if (!is_same(value, expected))
            fail_msg("seed %d: '%s' is %.17g, expected %.17g", SEED, m.text, value, expected);
        tried++;
        numbers += !isnan(value);
        longest = m.size > longest ? m.size : longest;
    }
    print_message("seed %d: %zu expressions, %zu of them numbers, up to %zu bytes\n", SEED, tried, numbers, longest);
    assert_true(tried > ROUNDS / 2 && numbers > tried / 2 && longest > 300);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void check_message(const char *text, const char *message) {
    expression *e = NULL;
    locbo_error error = {LOCBO_OK, ""};
    locbo_status status = expression_parse(&e, text, &error);
    if (status != LOCBO_ERR_ARGUMENT || error.status != status || strcmp(error.message, message) != 0)
        fail_msg("status %d, message\n  %s\nexpected\n  %s", (int)status, error.message, message);
    assert_null(e);
    assert_int_equal(expression_parse(&e, text, NULL), LOCBO_ERR_ARGUMENT);
}

static void errors_name_the_place(void **state) {
    (void)state;
    const char *const rows[][2] = {
        {"", "expression '': it is empty"},
        {" \n", "expression ' ?': it is empty"},
        {"a + * b", "expression 'a + * b': there is no operand before '*' at character 5"},
        {"* b", "expression '* b': there is no operand before '*' at character 1"},
        {"+a", "expression '+a': there is no operand before '+' at character 1"},
        {"a +", "expression 'a +': there is no operand at its end"},
        {"not", "expression 'not': there is no operand at its end"},
        {"a and or b", "expression 'a and or b': there is no operand before 'or' at character 7"},
        {"()", "expression '()': there is no operand before ')' at character 2"},
        {"min()", "expression 'min()': there is no operand before ')' at character 5"},
        {"min(a,)", "expression 'min(a,)': there is no operand before ')' at character 7"},
        {"min(,a)", "expression 'min(,a)': there is no operand before ',' at character 5"},
        {"a b", "expression 'a b': there is no operator before 'b' at character 3"},
        {"2x", "expression '2x': there is no operator before 'x' at character 2"},
        {"0x10", "expression '0x10': there is no operator before 'x10' at character 2"},
        {"1.2.3", "expression '1.2.3': there is no operator before '.3' at character 4"},
        {"1e", "expression '1e': there is no operator before 'e' at character 2"},
        {"a (b)(c)", "expression 'a (b)(c)': there is no function 'a' at character 1; there are abs ceil exp floor log "
                     "log10 max min sqrt"},
        {"(a)(b)", "expression '(a)(b)': there is no operator before '(' at character 4"},
        {"`min`(a)", "expression '`min`(a)': there is no operator before '(' at character 6"},
        {"a ! b", "expression 'a ! b': there is no operator before '!' at character 3"},
        {"(a b)", "expression '(a b)': there is no operator before 'b' at character 4"},
        {"sin(a)", "expression 'sin(a)': there is no function 'sin' at character 1; there are abs ceil exp floor log "
                   "log10 max min sqrt"},
        {"1 + abs(a, b)", "expression '1 + abs(a, b)': the function 'abs' at character 5 takes one argument"},
        {"2*(a + b", "expression '2*(a + b': the parenthesis '(' at character 3 is not closed"},
        {"max(a, b", "expression 'max(a, b': the parenthesis '(' at character 4 is not closed"},
        {"a + b)", "expression 'a + b)': the parenthesis ')' at character 6 was not opened"},
        {"a < b < c",
         "expression 'a < b < c': comparisons do not chain: '<' at character 7; join two of them by 'and'"},
        {"a<b==0", "expression 'a<b==0': comparisons do not chain: '==' at character 4; join two of them by 'and'"},
        {"1 + not a", "expression '1 + not a': 'not' at character 5 must stand in parentheses"},
        {"-not a", "expression '-not a': 'not' at character 2 must stand in parentheses"},
        {"a = 5", "expression 'a = 5': '=' at character 3: equality is written =="},
        {"a**2", "expression 'a**2': '**' at character 2: a power is written ^"},
        {"a < b ? 1 : 2", "expression 'a < b ? 1 : 2': '?' at character 7: there is no choice by ? and :"},
        {"0,1*a",
         "expression '0,1*a': ',' at character 2: it separates arguments of functions; the decimal point is '.'"},
        {"(a, b)",
         "expression '(a, b)': ',' at character 3: it separates arguments of functions; the decimal point is '.'"},
        {"m == \"f\"",
         "expression 'm == \"f\"': '\"' at character 6: an expression has no texts; a name is written as it "
         "is or in backquotes"},
        {"'a'", "expression ''a'': ''' at character 1: an expression has no texts; a name is written as it is or in "
                "backquotes"},
        {"a % b", "expression 'a % b': '%' at character 3 is unknown; names with such characters are written in "
                  "backquotes"},
        {"a; b",
         "expression 'a; b': ';' at character 2 is unknown; names with such characters are written in backquotes"},
        {"caf\xc3\xa9",
         "expression 'caf\xc3\xa9': '\xc3\xa9' at character 4 is unknown; names with such characters are "
         "written in backquotes"},
        /* the place counts characters, not bytes */
        {"`\xc3\xa9\xc3\xa9` $", "expression '`\xc3\xa9\xc3\xa9` $': '$' at character 6 is unknown; names with such "
                                 "characters are written in backquotes"},
        {"$(ls)", "expression '$(ls)': '$' at character 1 is unknown; names with such characters are written in "
                  "backquotes"},
        {"a + `b", "expression 'a + `b': the backquote '`' at character 5 is not closed"},
        {"a + `b``", "expression 'a + `b``': the backquote '`' at character 5 is not closed"},
        {"``", "expression '``': the name '``' at character 1 is empty"},
        {"1e999", "expression '1e999': the number '1e999' at character 1 is too large or too long"},
        {"a\xff", "expression 'a?': it is not UTF-8"},
        {"a\x01",
         "expression 'a?': '?' at character 2 is unknown; names with such characters are written in backquotes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) check_message(rows[i][0], rows[i][1]);
    expression *e = NULL;
    check_fails(expression_parse(NULL, "a", &error), LOCBO_ERR_ARGUMENT, "must not be NULL");
    check_fails(expression_parse(&e, NULL, &error), LOCBO_ERR_ARGUMENT, "must not be NULL");
    expression_destroy(NULL);
}

/* `count` times `before`, then `middle`, then `count` times `after`; free it. */
static char *repeat(size_t count, const char *before, const char *middle, const char *after) {
    char *text = malloc(count * (strlen(before) + strlen(after)) + strlen(middle) + 1), *at = text;
    assert_non_null(text);
    for (size_t i = 0; i < count; i++, at += strlen(before)) strcpy(at, before);
    strcpy(at, middle);
    at += strlen(middle);
    for (size_t i = 0; i < count; i++, at += strlen(after)) strcpy(at, after);
    *at = '\0';
    return text;
}

/* Long texts and tokens are cut between characters. */
static void long_texts_are_quoted_in_part(void **state) {
    (void)state;
    char text[300] = "", expected[300];
    for (int i = 0; i < 29; i++) strcat(text, "1+");
    strcat(text, "`\xc3\xa9\xc3\xa9` + averyveryveryverylongfunctionname(1)"); /* byte 60 is inside a character */
    snprintf(
        expected, sizeof expected,
        "expression '%.59s...': there is no function 'averyveryveryverylongfunctionn...' at character 66; there are "
        "abs ceil exp floor log log10 max min sqrt",
        text);
    check_message(text, expected);
    char *stray = repeat(100, "\xa5", "", "");
    check_message(stray, "expression '...': it is not UTF-8");
    free(stray);
    char digits[201];
    memset(digits, '1', 200);
    digits[200] = '\0';
    snprintf(expected, sizeof expected,
             "expression '%.60s...': the number '%.30s...' at character 1 is too large or too long", digits, digits);
    check_message(digits, expected);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void check_depth(const char *before, const char *after, size_t each, double value) {
    size_t most = (EXPRESSION_DEPTH - 1) / each;
    char *text = repeat(most, before, "a", after);
    check_value(text, value);
    free(text);
    text = repeat(most + 1, before, "a", after);
    expression *e = NULL;
    check_fails(expression_parse(&e, text, &error), LOCBO_ERR_ARGUMENT,
                "it is nested more than 256 deep at character ");
    free(text);
}

static void depth_is_limited(void **state) {
    (void)state;
    check_depth("(", ")", 1, 2);
    check_depth("-", "", 1, -2); /* 255 signs */
    check_depth("!", "", 1, 0);
    check_depth("not ", "", 1, 0);
    check_depth("1^", "", 1, 1); /* every operand is on the stack at once */
    check_depth("abs(", ")", 1, 2);
    check_depth("min(9,", ")", 1, 2);
    check_depth("1+(", ")", 2, 2 + 127);
    check_depth("0 or 1 and 1 < 1+1*1^(", ")", 7, 1);
    char *text = repeat(2000, "(", "a", ")");
    check_message(text,
                  "expression '((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((...': it is nested more "
                  "than 256 deep at character 257");
    free(text);
    text = repeat(10000, "(", "a", ")");
    check_message(text,
                  "expression '((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((...': it has 20001 bytes, "
                  "more than 4096");
    free(text);
}

/* Chains that are not nested may be as long as the text. */
static void length_is_limited(void **state) {
    (void)state;
    char *text = repeat(2047, "a+", "a ", ""), *longer = repeat(2047, "a+", "a  ", "");
    assert_int_equal(strlen(text), EXPRESSION_LENGTH);
    check_value(text, 2 * 2048);
    expression *e = NULL;
    check_fails(expression_parse(&e, longer, &error), LOCBO_ERR_ARGUMENT, "it has 4097 bytes, more than 4096");
    assert_null(e);
    free(text);
    free(longer);
    text = repeat(1020, "b, ", "a", "");
    char call[4096];
    snprintf(call, sizeof call, "min(%s)", text);
    check_value(call, 2);
    free(text);
}

/* Every name once, then each seventh again. */
static void there_may_be_many_names(void **state) {
    (void)state;
    enum { NAMES = 500 };
    char text[EXPRESSION_LENGTH];
    double values[NAMES], sum = 0, coefficients[NAMES], constant;
    size_t size = 0;
    for (int i = 0; i < NAMES; i++) size += (size_t)snprintf(text + size, sizeof text - size, "v%d+", i);
    for (int i = 0; i < NAMES; i += 7) size += (size_t)snprintf(text + size, sizeof text - size, "v%d+", i);
    snprintf(text + size, sizeof text - size, "1");
    expression *e = parse(text);
    assert_int_equal(expression_name_count(e), NAMES);
    assert_true(expression_linear(e, coefficients, &constant));
    check_same(constant, 1);
    for (size_t i = 0; i < NAMES; i++) {
        char name[20];
        snprintf(name, sizeof name, "v%zu", i);
        assert_string_equal(expression_name(e, i), name);
        check_same(coefficients[i], i % 7 == 0 ? 2 : 1);
        values[i] = (double)(i * i);
        sum += coefficients[i] * values[i];
    }
    check_same(expression_value(e, values), sum + constant); /* whole numbers: exact */
    expression_destroy(e);
}

/* Random words in random order: refused with a message, or accepted; the sanitizers see the rest. */
static void any_words_are_refused_or_accepted(void **state) {
    (void)state;
    static const char *const words[] = {
        "a",     "b1",    "1",  ".5",   "2e3",  "e",  "(",  ")",     "(",        ")",    ",",  "+",  "-",
        "*",     "/",     "^",  "<",    "<=",   "==", "!=", "!",     "=",        "&&",   "|",  "||", " ",
        " and ", " not ", "or", "min(", "abs(", "`",  "``", "`x y`", "\xc3\xa9", "\xc3", "\n", "'"};
    enum { SEED = 5, ROUNDS = 100000 };
    rng r = scene_random(SEED);
    size_t accepted = 0;
    for (int i = 0; i < ROUNDS; i++) {
        char text[200] = "";
        const double values[12] = {1, 2, 3};
        for (uint64_t left = 1 + rng_bits(&r) % 12; left > 0; left--)
            strcat(text, words[rng_bits(&r) % (sizeof words / sizeof words[0])]);
        expression *e = NULL;
        locbo_error error = {LOCBO_OK, ""};
        if (expression_parse(&e, text, &error) == LOCBO_OK) {
            accepted++;
            (void)expression_value(e, values);
            expression_destroy(e);
        } else if (e || strncmp(error.message, "expression '", 12) != 0) {
            fail_msg("seed %d: '%s': %s", SEED, text, error.message);
        }
    }
    print_message("seed %d: %zu of %d texts were accepted\n", SEED, accepted, ROUNDS);
    assert_true(accepted > ROUNDS / 100);
}

/* With a decimal comma the same texts mean the same. Skipped where no such locale is installed. */
static void the_locale_does_not_matter(void **state) {
    (void)state;
    const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "ru_RU.UTF-8"};
    int found = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++) found = setlocale(LC_ALL, names[i]) != NULL;
    if (!found || strcmp(localeconv()->decimal_point, ",") != 0) {
        setlocale(LC_ALL, "C");
        print_message("no locale with a decimal comma is installed\n");
        skip();
    }
    expression *e = NULL;
    double value = value_of("1.5*a + max(1,5)");
    locbo_status status = expression_parse(&e, "1,5*a", NULL);
    setlocale(LC_ALL, "C");
    check_same(value, 8);
    assert_int_equal(status, LOCBO_ERR_ARGUMENT);
}

/* ---- linear expressions ---------------------------------------------------------------------- */

static void check_linear(const char *text, const double *expected, double expected_constant) {
    expression *e = parse(text);
    double coefficients[8], constant;
    if (!expression_linear(e, coefficients, &constant)) fail_msg("'%s' is not linear", text);
    for (size_t i = 0; i < expression_name_count(e); i++)
        if (coefficients[i] != expected[i])
            fail_msg("'%s': coefficient of %s is %g", text, expression_name(e, i), coefficients[i]);
    if (constant != expected_constant) fail_msg("'%s': constant is %g", text, constant);
    expression_destroy(e);
}

static void linear_expressions_are_found(void **state) {
    (void)state;
    check_linear("a + b <= 1", (double[]){1, 1}, -1);
    check_linear("a", (double[]){1}, 0);
    check_linear("7", NULL, 7);
    check_linear("2 < 3", NULL, -1);
    check_linear("3*a - 2*(b - 4*a)/8 + 5", (double[]){4, -0.25}, 5);
    check_linear("-(a - b)*2 > c - 3", (double[]){-2, 2, -1}, 3);
    check_linear("a + b + a == 2^3*b", (double[]){2, -7}, 0);
    check_linear("(1 < 2)*a + min(3, 4)*b + sqrt(4)", (double[]){1, 3}, 2);
    check_linear("a*(1 + 1) != a", (double[]){1}, 0);
    check_linear("max(a) < 0*b", (double[]){1, 0}, 0);
}

static void other_expressions_are_not_linear(void **state) {
    (void)state;
    const char *const texts[] = {
        "x*y < 3",       "a^2", "1/a",      "min(a, b) > 0.1", "abs(a)",  "a < 1 and b < 1", "not a < 1", "(a < 1) + b",
        "a*(b - b) < 1", "2^a", "!a",       "a/0 < 1",         "a < 1/0", "1e300*1e300*a",   "a + 0/0",   "a*(1/0)",
        "a*1e300*1e300", "a*a", "max(a, 1)"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        expression *e = parse(texts[i]);
        double coefficients[2] = {7, 7}, constant = 7;
        check_that(!expression_linear(e, coefficients, &constant), "'%s' is linear", texts[i]);
        assert_true(coefficients[0] == 7 && coefficients[1] == 7 && constant == 7);
        expression_destroy(e);
    }
}

static void relations_are_named(void **state) {
    (void)state;
    const struct {
        const char *text;
        expression_relation relation;
    } rows[] = {{"a", EXPRESSION_NO_RELATION},
                {"a < 1 and b < 1", EXPRESSION_NO_RELATION},
                {"1 + (a < b)", EXPRESSION_NO_RELATION},
                {"not a < b", EXPRESSION_NO_RELATION},
                {"a < b", EXPRESSION_LESS},
                {"a <= b", EXPRESSION_LESS_EQUAL},
                {"(a > b)", EXPRESSION_GREATER},
                {"a >= b", EXPRESSION_GREATER_EQUAL},
                {"a == b", EXPRESSION_EQUAL},
                {"a != (b < 1)", EXPRESSION_NOT_EQUAL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expression *e = parse(rows[i].text);
        assert_int_equal(expression_relation_of(e), rows[i].relation);
        expression_destroy(e);
    }
}

/* Three coefficients and the constant of a random expression, whose text is appended. All numbers are small multiples
 * of 2^-20, so that C's arithmetic is exact. */
typedef struct form {
    double number[4];
} form;

static form make_form(maker *m, int depth) {
    static const char *const names[] = {"p", "q", "r", "1"}, *const operators[] = {"+", "-", "*8", "/16"};
    static const double factors[] = {1, -1, 8, 1.0 / 16};
    form f = {{0}}, g = {{0}};
    size_t which = dice(m, 4);
    if (depth == 0 || dice(m, 5) == 0) {
        put(m, names[which]);
        f.number[which] = 1;
        return f;
    }
    put(m, "(");
    f = make_form(m, depth - 1);
    put(m, operators[which]);
    if (which < 2) g = make_form(m, depth - 1);
    put(m, ")");
    for (size_t i = 0; i < 4; i++)
        f.number[i] = which < 2 ? f.number[i] + factors[which] * g.number[i] : f.number[i] * factors[which];
    return f;
}

static void check_form(const maker *m, const form *f) {
    const double point[] = {3, -5, 7};
    double coefficients[3], constant, values[3], sum = f->number[3];
    expression *e = parse(m->text);
    check_that(expression_linear(e, coefficients, &constant), "'%s' is not linear", m->text);
    check_that(constant == f->number[3], "'%s': constant %g", m->text, constant);
    for (size_t i = 0; i < expression_name_count(e); i++) {
        size_t k = (size_t)(expression_name(e, i)[0] - 'p');
        check_that(coefficients[i] == f->number[k], "'%s': coefficient %g", m->text, coefficients[i]);
        values[i] = point[k];
        sum += coefficients[i] * point[k];
    }
    check_that(expression_value(e, values) == sum, "'%s' is not %g", m->text, sum);
    expression_destroy(e);
}

static void random_linear_expressions_have_their_coefficients(void **state) {
    (void)state;
    enum { SEED = 6, ROUNDS = 5000 };
    static maker m;
    size_t longest = 0;
    m.random = scene_random(SEED);
    for (int i = 0; i < ROUNDS; i++) {
        m.size = 0;
        form f = make_form(&m, 5);
        if (m.size <= EXPRESSION_LENGTH) check_form(&m, &f);
        longest = m.size > longest ? m.size : longest;
    }
    assert_true(longest > 100);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void memory_may_be_short(void **state) {
    (void)state;
    int failures = 0;
    for (long k = 0;; k++) {
        expression *e = NULL;
        locbo_error error = {LOCBO_OK, ""};
        allowed = k;
        locbo_status status =
            expression_parse(&e, "a + b*`c d` - min(a, f, g, h, i, j, k) + (l < m or n < o)^2", &error);
        allowed = -1;
        if (status == LOCBO_OK) {
            expression_destroy(e);
            break;
        }
        failures++;
        assert_int_equal(status, LOCBO_ERR_MEMORY);
        assert_string_equal(error.message, "out of memory");
        assert_null(e);
    }
    assert_true(failures > 15); /* the object, 14 names, the two lists */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_c),
        cmocka_unit_test(operators_bind_in_their_order),
        cmocka_unit_test(unknown_numbers_stay_unknown),
        cmocka_unit_test(names_are_listed_once),
        cmocka_unit_test(names_may_be_those_of_functions),
        cmocka_unit_test(random_expressions_have_their_values),
        cmocka_unit_test(errors_name_the_place),
        cmocka_unit_test(long_texts_are_quoted_in_part),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(length_is_limited),
        cmocka_unit_test(there_may_be_many_names),
        cmocka_unit_test(any_words_are_refused_or_accepted),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(linear_expressions_are_found),
        cmocka_unit_test(other_expressions_are_not_linear),
        cmocka_unit_test(relations_are_named),
        cmocka_unit_test(random_linear_expressions_have_their_coefficients),
        cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
