/* test_distribution.c - parameters from NAME~DIST and back. */
#include "distribution.h"

#include "check.h"
#include "mem.h"

#define refuse(words, text) check_fails(distribution_add(space, text, &error), LOCBO_ERR_ARGUMENT, words)

static locbo_space *space;

static int make_space(void **state) {
    (void)state;
    check_ok(locbo_space_create(&space, &error));
    return 0;
}

static int drop_space(void **state) {
    (void)state;
    locbo_space_destroy(space);
    return 0;
}

static locbo_parameter last(void) {
    locbo_parameter p = {.name = NULL};
    check_ok(locbo_space_parameter(space, locbo_space_dim(space) - 1, &p, &error));
    return p;
}

static void check_range(const char *text, const char *name, locbo_kind kind, locbo_scale scale, double low,
                        double high) {
    check_ok(distribution_add(space, text, &error));
    locbo_parameter p = last();
    assert_string_equal(p.name, name);
    assert_int_equal(p.kind, kind);
    assert_int_equal(p.scale, scale);
    check_same(p.low, low);
    check_same(p.high, high);
}

static void ranges(void **state) {
    (void)state;
    check_range("x~float(-5,10)", "x", LOCBO_REAL, LOCBO_LINEAR, -5, 10);
    check_range("lr~log(1e-5,1)", "lr", LOCBO_REAL, LOCBO_LOG, 1e-5, 1);
    check_range("n~int(1,12)", "n", LOCBO_INT, LOCBO_LINEAR, 1, 12);
    check_range("m~intlog(1,1024)", "m", LOCBO_INT, LOCBO_LOG, 1, 1024);
    check_range("  _a9 ~ float ( -.5 ,\t1e3 ) ", "_a9", LOCBO_REAL, LOCBO_LINEAR, -0.5, 1000);
    check_range("k~int(-1e3, 9007199254740992)", "k", LOCBO_INT, LOCBO_LINEAR, -1000, 0x1p53);
    check_range("one~int(3,3)", "one", LOCBO_INT, LOCBO_LINEAR, 3, 3);
}

static void check_categories(const char *text, size_t count, const char *const *expected) {
    check_ok(distribution_add(space, text, &error));
    locbo_parameter p = last();
    assert_int_equal(p.kind, LOCBO_CATEGORICAL);
    assert_int_equal(p.count, count);
    for (size_t k = 0; k < count; k++) assert_string_equal(p.categories[k], expected[k]);
}

static void categories(void **state) {
    (void)state;
    check_categories("a~cat(x)", 1, (const char *const[]){"x"});
    check_categories("b~cat( x , y,z )", 3, (const char *const[]){"x", "y", "z"});
    check_categories("c~cat('a, b',\"c\",d)", 3, (const char *const[]){"a, b", "c", "d"});
    check_categories("d~cat('',\"()\",' ')", 3, (const char *const[]){"", "()", " "});
    check_categories("e~cat(\"q\\\"\\\\\\n\",'\\',\\,)", 3, (const char *const[]){"q\"\\\\n", "\\", ","});
    check_categories("f~cat(a'b c'd,~)", 2, (const char *const[]){"ab cd", "~"});
    check_categories("g~cat(\xc3\xa9,1,1.0)", 3, (const char *const[]){"\xc3\xa9", "1", "1.0"});
}

static void mistakes(void **state) {
    (void)state;
    refuse("'x' is not of the form NAME~DIST, as in x~float(-5,10)", "x");
    refuse("'x=float(0,1)' is not", "x=float(0,1)");
    refuse("not of the form", "");
    refuse("got ''", "~float(0,1)");
    refuse("got '1x'", "1x~float(0,1)");
    refuse("got 'a b'", "a b~float(0,1)");
    refuse("got 'a-b'", "a-b~float(0,1)");
    refuse("got '\xc3\xa9'", "\xc3\xa9~float(0,1)");
    refuse("named 'seed': {seed}", "seed~float(0,1)");
    refuse("'trial'", "trial~float(0,1)");
    refuse("'attempt'", "attempt~float(0,1)");
    refuse("'workdir'", "workdir~float(0,1)");
    refuse("'result_file'", "result_file~float(0,1)");
    refuse("x: unknown distribution in 'flat(0,1)'; known are float(-5,10), log(", "x~flat(0,1)");
    refuse("unknown distribution in ''", "x~");
    refuse("unknown distribution in '(0,1)'", "x~(0,1)");
    refuse("unknown distribution in 'Float(0,1)'", "x~Float(0,1)");
    refuse("x: '(' is missing in 'float'; write it as in float(-5,10)", "x~float");
    refuse("'(' is missing in 'log 1,2'; write it as in log(1e-5,1)", "x~log 1,2");
    refuse("closing ')' is missing in 'float(0,1'", "x~float(0,1");
    refuse("closing ')' is missing", "x~float(");
    refuse("closing ')' is missing", "x~float(0,");
    refuse("closing ')' is missing", "x~cat(a\\");
    refuse("a value is missing in 'float(0,)'", "x~float(0,)");
    refuse("a value is missing in 'cat(a,,b)'", "x~cat(a,,b)");
    refuse("a value is missing in 'cat()'", "x~cat()");
    refuse("more text at the end", "x~float(0,1) y");
    refuse("more text at the end", "x~float(0,1))");
    refuse("not two numbers in 'float(0)'", "x~float(0)");
    refuse("not two numbers", "x~float(0,1,2,3)");
    refuse("not two numbers", "x~log(1,10,2)");
    refuse("whole number of steps of 2, got [0, 1]", "x~float(0,1,2)");
    refuse("the step is not positive in 'float(0,1,0)'", "x~float(0,1,0)");
    refuse("the step is not positive", "x~int(0,8,-2)");
    refuse("not two whole numbers", "x~int(0,8,0.5)");
    refuse("not increasing numbers in 'orderedlog(a,b)'", "x~orderedlog(a,b)");
    refuse("not increasing numbers", "x~orderedlog(3,2)");
    refuse("needs low > 0, got 0", "x~orderedlog(0,2)");
    refuse("more text at the end in 'bool(0)'", "x~bool(0)");
    refuse("a parameter is missing after 'when'", "x~bool when");
    refuse("'=' or 'in' is missing in 'bool when a'", "x~bool when a");
    refuse("depends on 'a', which is not a parameter before it", "x~bool when a=1");
    refuse("not two numbers in 'float(a,b)'", "x~float(a,b)");
    refuse("a blank or parenthesis needs quotes", "x~log(1,1 0)");
    refuse("a blank or parenthesis needs quotes in 'cat(a b)'; write it as in", "x~cat(a b)");
    refuse("a blank or parenthesis needs quotes", "x~cat((a))");
    refuse("not two whole numbers in 'int(1.5,3)'; write it as in int(1,12)", "x~int(1.5,3)");
    refuse("not two whole numbers", "x~int(1,1e300)");
    refuse("not two whole numbers in 'intlog(1)'", "x~intlog(1)");
    refuse("a quote is not closed", "x~cat('a)");
    refuse("a quote is not closed", "x~cat(\"a\\\")");
    refuse("low must be below high, got [1, 0]", "x~float(1,0)");
    refuse("must be finite", "x~float(nan,0)");
    refuse("must be finite", "x~float(0,inf)");
    refuse("log scale needs low > 0, got 0", "x~log(0,1)");
    refuse("log scale needs low >= 0, got -1", "x~intlog(-1,5)");
    refuse("a number is beyond 2^53 in 'int(0,9007199254740993)'", "x~int(0,9007199254740993)");
    refuse("'a' occurs twice", "x~cat(a,'a')");
    refuse("category 1 is not UTF-8", "x~cat(a,\xff)");
    assert_int_equal(locbo_space_dim(space), 0);
    check_ok(distribution_add(space, "x~float(0,1)", &error));
    refuse("'x' exists already", "x~int(0,1)");
    assert_int_equal(locbo_space_dim(space), 1);
    assert_int_equal(distribution_add(space, "x", NULL), LOCBO_ERR_ARGUMENT);
}

/* A long text is cut in the message, not in the parameter. */
static void long_texts(void **state) {
    (void)state;
    char text[5000];
    memset(text, 'v', sizeof text);
    memcpy(text, "x~cat(", 6);
    memcpy(text + sizeof text - 2, ")", 2);
    check_ok(distribution_add(space, text, &error));
    locbo_parameter p = last();
    assert_int_equal(strlen(p.categories[0]), sizeof text - 8);
    text[sizeof text - 2] = 'v';
    memcpy(text, "y~", 2);
    refuse("closing ')' is missing", text);
    memset(text, 'n', 1000);
    text[998] = '~';
    text[999] = '\0';
    refuse("unknown distribution in ''", text);
}

static void texts(void **state) {
    (void)state;
    const struct {
        const char *given, *shown;
    } table[] = {{"float( -5, 10 )", "float(-5,10)"},
                 {"log(0.00001,1)", "log(1e-05,1)"},
                 {"int(1,1e15)", "int(1,1000000000000000)"},
                 {"intlog(1,1024)", "intlog(1,1024)"},
                 {"cat(a,b.c/d-1,\xc3\xa9)", "cat(a,b.c/d-1,\xc3\xa9)"},
                 {"cat('','a b','it''s',\"it's\")", "cat('','a b',its,\"it's\")"},
                 {"float(0, 1, 0.05)", "float(0,1,0.05)"},
                 {"int(8,256,8)", "int(8,256,8)"},
                 {"int(1,9,1)", "int(1,9)"},
                 {"intlog(0,100)", "intlog(0,100)"},
                 {"ordered(small, 'very large')", "ordered(small,'very large')"},
                 {"ordered(1,10,100)", "ordered(1,10,100)"},
                 {"orderedlog(1,10,100)", "orderedlog(1,10,100)"},
                 {" bool ", "bool"},
                 {"int(2,5) when e=a", "int(2,5) when e=a"},
                 {"bool when i in (1, 2)", "bool when i in (1,2)"},
                 {"bool when n = true", "bool when n=true"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char name[] = {(char)('a' + i), '\0'};
        check_ok(distribution_add_named(space, name, table[i].given, &error));
        char *text = distribution_text(space, i);
        assert_string_equal(text, table[i].shown);
        mem_free(text);
    }
}

/* What was changed of a parameter is written behind it, and read back. */
static void marks(void **state) {
    (void)state;
    static const char *const table[][2] = {
        {"float(0,1) frozen=0.5", "float(0,1) frozen=0.5"},
        {"cat(a,'b c',d)  retired = 'b c'", "cat(a,'b c',d) retired='b c'"},
        {"cat(x,y,z) past=y retired in (z , x) frozen=y", "cat(x,y,z) retired in (x,z) frozen=y past=y"},
        {"int(1,9) when b=a past=100", "int(1,9) when b=a past=100"},
        {"bool frozen=true past=0", "bool frozen=true past=false"},
        {"ordered(low,high) numbers in (1,10)", "ordered(low,high) numbers in (1,10)"},
        {"orderedlog(low,high) numbers in (1,10) frozen=low", "orderedlog(low,high) numbers in (1,10) frozen=low"},
        {"ordered(1,2,4) numbers=none", "ordered(1,2,4) numbers=none"},
        {"ordered(1,2,4) numbers in (1,2,4)", "ordered(1,2,4)"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char name[] = {(char)('a' + i), '\0'};
        if (i == 2) name[0] = 'r';
        check_ok(distribution_add_named(space, name, table[i][0], &error));
        char *text = distribution_text(space, i);
        assert_string_equal(text, table[i][1]);
        mem_free(text);
    }
    refuse("not one frozen=VALUE in 'float(0,1) frozen in (1,2)'", "x~float(0,1) frozen in (1,2)");
    refuse("write it as in float(0,1) frozen=0.5", "x~float(0,1) frozen=1 frozen=1");
    refuse("x must lie in [0, 1], got 2", "x~float(0,1) frozen=2");
    refuse("x must be one of a, b, got 'c'", "x~cat(a,b) past=c");
    refuse("x must be a whole number, got '1.5'", "x~int(1,2) past=1.5");
    refuse("x must be a number, got 'inf'", "x~float(1,2) past=inf");
    refuse("x must be a number, got 'one'", "x~float(1,2) past=one");
    refuse("only categories are retired", "x~float(1,2) retired=1");
    refuse("no category is left", "x~cat(a,b) retired in (a,b)");
    refuse("the category 'a' is retired", "x~cat(a,b) retired=a frozen=a");
    refuse("'=' or 'in' is missing", "x~cat(a,b) retired");
    refuse("only ordered categories have numbers", "x~cat(a,b) numbers in (1,2)");
    refuse("not an increasing number for each category", "x~ordered(a,b) numbers in (1,2,3)");
    refuse("not an increasing number", "x~ordered(a,b) numbers in (2,1)");
    refuse("there are not increasing numbers", "x~orderedlog(1,2) numbers=none");
}

/* The fidelity, and log scales by their third value. */
static void fidelity(void **state) {
    (void)state;
    check_ok(distribution_add(space, "a~int(1, 81, log)", &error));
    check_ok(distribution_add(space, "b~float(1,9,log)", &error));
    check_ok(distribution_add(space, "c~int(1,81) past=9 fidelity", &error));
    static const char *const shown[] = {"intlog(1,81)", "log(1,9)", "intlog(1,81) fidelity past=9"};
    for (size_t i = 0; i < 3; i++) {
        char *text = distribution_text(space, i);
        assert_string_equal(text, shown[i]);
        mem_free(text);
    }
    assert_int_equal(locbo_space_fidelity(space), 2);
    char *bare = distribution_part(space, 2, 0);
    assert_string_equal(bare, "intlog(1,81)");
    mem_free(bare);
    check_fails(distribution_add_fidelity(space, "d~int(1,9)", &error), LOCBO_ERR_ARGUMENT,
                "parameter 'd': 'c' is the fidelity already");
    refuse("'c' is the fidelity already", "d~int(1,9) fidelity");
    refuse("there is more text at the end", "d~int(1,9) fidelity2");
    refuse("there are not two whole numbers", "d~int(1,9,logs)");
    refuse("there are not two numbers", "d~log(1,9,log)");
}

static void only_fidelity(void **state) {
    (void)state;
    refuse("a fidelity is a real or an integer", "d~bool fidelity");
    check_ok(distribution_add_fidelity(space, "epochs ~ float(0.1, 1)", &error));
    assert_int_equal(last().fidelity, 1);
    check_fails(distribution_add_fidelity(space, "epochs", &error), LOCBO_ERR_ARGUMENT, "not of the form NAME~DIST");
}

/* ---- random parameters come back exactly ------------------------------------------------------- */

static uint64_t seed = UINT64_C(88172645463325252);

static uint64_t draw(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static double draw_real(void) {
    double value;
    do {
        uint64_t bits = draw();
        memcpy(&value, &bits, sizeof value);
    } while (!(fabs(value) < 4e307));
    return value;
}

static void draw_text(char text[32]) {
    static const char *const parts[] = {"'", "\"", ",", "(",  ")", "\\", "\n",   " ",        "~",
                                        "a", "B",  "7", "\t", "=", "#",  "\x01", "\xc3\xa9", "{"};
    text[0] = '\0';
    for (uint64_t length = draw() % 12; length > 0; length--)
        strcat(text, parts[draw() % (sizeof parts / sizeof parts[0])]);
}

static int add_random(void) {
    int log = (int)(draw() % 2);
    char texts_drawn[8][32];
    const char *list[8];
    if (draw() % 3 == 0) {
        double a = draw_real(), b = draw_real(), low = fmin(a, b), high = fmax(a, b);
        if (log) low = fabs(a) < fabs(b) ? fabs(a) : fabs(b), high = fmax(fabs(a), fabs(b));
        return locbo_space_add_real(space, "p", low, high, log ? LOCBO_LOG : LOCBO_LINEAR, NULL);
    }
    if (draw() % 2 == 0) {
        int64_t a = (int64_t)(draw() >> 10), b = (int64_t)(draw() >> (10 + draw() % 50));
        if (!log && draw() % 2) a = -a;
        return locbo_space_add_int(space, "p", a < b ? a : b, a < b ? b : a, log ? LOCBO_LOG : LOCBO_LINEAR, NULL);
    }
    size_t count = 1 + draw() % 8;
    for (size_t k = 0; k < count; k++) draw_text(texts_drawn[k]), list[k] = texts_drawn[k];
    return locbo_space_add_categorical(space, "p", count, list, NULL);
}

static void check_equal(const locbo_parameter *a, const locbo_parameter *b) {
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->scale, b->scale);
    check_same(a->low, b->low);
    check_same(a->high, b->high);
    assert_int_equal(a->count, b->count);
    for (size_t k = 0; k < a->count; k++) assert_string_equal(a->categories[k], b->categories[k]);
}

static void round_trips(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    int tried[3] = {0};
    for (int k = 0; k < 6000; k++) {
        locbo_space *first = space;
        if (add_random() != LOCBO_OK) continue; /* two equal texts, or an empty range */
        locbo_parameter given = last();
        char *text = distribution_text(space, 0);
        check_ok(locbo_space_create(&space, &error));
        check_ok(distribution_add_named(space, "p", text, &error));
        locbo_parameter back = last();
        check_equal(&given, &back);
        tried[given.kind]++;
        mem_free(text);
        locbo_space_destroy(first);
        locbo_space_destroy(space);
        check_ok(locbo_space_create(&space, &error));
    }
    for (int i = 0; i < 3; i++) assert_true(tried[i] > 500);
}

/* Whatever is typed, an answer comes back. */
static void any_text(void **state) {
    (void)state;
    static const char *const parts[] = {"x~", "float", "log", "int", "cat", "(", ")", ",",   "1",
                                        "-2", "'",     "\"",  "\\",  " ",   "a", "~", "\xff"};
    int good = 0;
    for (int k = 0; k < 20000; k++) {
        char text[128] = "x~";
        locbo_error told;
        for (uint64_t n = draw() % 12; n > 0; n--) strcat(text, parts[draw() % (sizeof parts / sizeof parts[0])]);
        if (k % 2) memcpy(text, "x~cat(", 6); /* mostly near to right */
        if (distribution_add(space, text, &told) == LOCBO_OK) {
            good++;
            locbo_space_destroy(space);
            check_ok(locbo_space_create(&space, &error));
        } else {
            assert_true(told.status == LOCBO_ERR_ARGUMENT && strlen(told.message) > 10);
        }
    }
    assert_true(good > 10);
}

#define case_of(test) cmocka_unit_test_setup_teardown(test, make_space, drop_space)

int main(void) {
    const struct CMUnitTest tests[] = {
        case_of(ranges), case_of(categories),  case_of(mistakes), case_of(long_texts), case_of(texts),
        case_of(marks),  case_of(round_trips), case_of(any_text), case_of(fidelity),   case_of(only_fidelity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
