/* expression_parse.c - the text of an expression becomes steps of a stack machine. Layer: base.
 *
 * The parser climbs precedences: read_level(least) reads an operand and then all operators that bind at least so
 * strongly. Its recursion is limited (EXPRESSION_DEPTH). A call of read_level that waits for another has at most one
 * value on the stack: the left side of an operator, or the smallest or largest argument so far. So EXPRESSION_DEPTH
 * values are enough.
 *
 * Debian's muparser was considered: it assigns to variables (a=5), takes 0,1 for the number 1, keeps the texts of
 * errors in one buffer for all threads, links OpenMP and libstdc++, and does not show the steps that linearity needs.
 *
 * Cost: linear in the text, and every name is compared with those before it. */
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "expression_steps.h"
#include "mem.h"
#include "number.h"
#include "text.h"

/* ---- the words of the language --------------------------------------------------------------- */

/* How strongly operators bind. A minus sign binds as a power does: its operand is a power, and it may be an exponent.
 */
enum { LEVEL_OR, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARISON, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_POWER };

typedef struct word {
    const char *text;
    operation does;
    int level; /* of an operator */
} word;

static const word INFIX[] = {
    {"or", OR, LEVEL_OR},
    {"||", OR, LEVEL_OR},
    {"and", AND, LEVEL_AND},
    {"&&", AND, LEVEL_AND},
    {"<", LESS, LEVEL_COMPARISON},
    {"<=", LESS_EQUAL, LEVEL_COMPARISON},
    {">", GREATER, LEVEL_COMPARISON},
    {">=", GREATER_EQUAL, LEVEL_COMPARISON},
    {"==", EQUAL, LEVEL_COMPARISON},
    {"!=", NOT_EQUAL, LEVEL_COMPARISON},
    {"+", ADD, LEVEL_SUM},
    {"-", SUBTRACT, LEVEL_SUM},
    {"*", MULTIPLY, LEVEL_PRODUCT},
    {"/", DIVIDE, LEVEL_PRODUCT},
    {"^", POWER, LEVEL_POWER},
    {NULL, 0, 0},
};

static const word PREFIX[] = {
    {"not", NOT, LEVEL_NOT}, {"!", NOT, LEVEL_POWER}, {"-", NEGATE, LEVEL_POWER}, {NULL, 0, 0}};

static const word FUNCTION[] = {{"abs", ABS, 0},   {"ceil", CEIL, 0},   {"exp", EXP, 0}, {"floor", FLOOR, 0},
                                {"log", LOG, 0},   {"log10", LOG10, 0}, {"max", MAX, 0}, {"min", MIN, 0},
                                {"sqrt", SQRT, 0}, {NULL, 0, 0}};
#define FUNCTIONS "abs ceil exp floor log log10 max min sqrt"

/* What people write who know another language, where an operator is expected. */
static const struct {
    const char *text, *advice;
} FOREIGN[] = {{"=", "equality is written =="},
               {"**", "a power is written ^"},
               {"?", "there is no choice by ? and :"},
               {",", "it separates arguments of functions; the decimal point is '.'"}};

/* ---- tokens ---------------------------------------------------------------------------------- */

typedef enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_WORD, TOKEN_QUOTED, TOKEN_SYMBOL } token_kind;

typedef struct token {
    token_kind kind;
    const char *text; /* with its backquotes */
    size_t size;
} token;

typedef struct parser {
    const char *text;
    token token; /* the one to be read next */
    int depth;   /* calls of read_level that are open */
    expression *e;
    locbo_error *error;
} parser;

enum { SHOWN_TEXT = 60, SHOWN_TOKEN = 30 };

/* Bytes of a text that are shown: whole characters, up to `most` bytes. */
static int shown(const char *text, size_t size, size_t most) {
    if (size <= most) return (int)size;
    while (most > 0 && text_continues(text[most])) most--; /* to 0 if it is not UTF-8 */
    return (int)most;
}

static locbo_status fail(const parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static locbo_status fail(const parser *p, const char *format, ...) {
    char reason[sizeof p->error->message];
    size_t size = strlen(p->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return status_fail(p->error, LOCBO_ERR_ARGUMENT, "expression '%.*s%s': %s", shown(p->text, size, SHOWN_TEXT),
                       p->text, size > SHOWN_TEXT ? "..." : "", reason);
}

/* "'*' at character 5" as arguments of "'%.*s%s' at character %zu". */
#define PLACE(p, t)                                                                                                    \
    shown((t).text, (t).size, SHOWN_TOKEN), (t).text, (t).size > SHOWN_TOKEN ? "..." : "",                             \
        text_width_of((p)->text, (size_t)((t).text - (p)->text)) + 1
#define AT "'%.*s%s' at character %zu"

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static size_t number_size(const char *c) {
    size_t size = 0;
    while (is_digit(c[size])) size++;
    if (c[size] == '.') size++;
    while (is_digit(c[size])) size++;
    if (c[size] != 'e' && c[size] != 'E') return size;
    size_t digits = size + (c[size + 1] == '+' || c[size + 1] == '-' ? 2 : 1);
    if (!is_digit(c[digits])) return size;
    while (is_digit(c[digits])) digits++;
    return digits;
}

static size_t word_size(const char *c) {
    size_t size = 0;
    while (is_letter(c[size]) || is_digit(c[size])) size++;
    return size;
}

/* Two backquotes inside a name are one of its characters. 0: it is not closed. */
static size_t quoted_size(const char *c) {
    size_t size = 1;
    while (c[size] && (c[size] != '`' || c[size + 1] == '`')) size += c[size] == '`' ? 2 : 1;
    return c[size] ? size + 1 : 0;
}

static size_t symbol_size(const char *c) {
    static const char *const twos[] = {"||", "&&", "<=", ">=", "==", "!=", "**"};
    for (size_t i = 0; i < sizeof twos / sizeof twos[0]; i++)
        if (c[0] == twos[i][0] && c[1] == twos[i][1]) return 2;
    return text_character(c, SIZE_MAX);
}

/* Read the token at `c` into p->token. */
static locbo_status read_token(parser *p, const char *c) {
    c += strspn(c, " \t\r\n");
    token t = {TOKEN_END, c, 0};
    if (is_digit(c[0]) || (c[0] == '.' && is_digit(c[1])))
        t = (token){TOKEN_NUMBER, c, number_size(c)};
    else if (is_letter(c[0]))
        t = (token){TOKEN_WORD, c, word_size(c)};
    else if (c[0] == '`')
        t = (token){TOKEN_QUOTED, c, quoted_size(c)};
    else if (c[0])
        t = (token){TOKEN_SYMBOL, c, symbol_size(c)};
    p->token = t;
    if (t.kind != TOKEN_QUOTED || t.size > 2) return LOCBO_OK;
    t.size = t.size == 0 ? 1 : t.size;
    return fail(p, t.size == 1 ? "the backquote " AT " is not closed" : "the name " AT " is empty", PLACE(p, t));
}

static locbo_status next_token(parser *p) { return read_token(p, p->token.text + p->token.size); }

static int token_is(token t, const char *text) {
    return (t.kind == TOKEN_WORD || t.kind == TOKEN_SYMBOL) && strlen(text) == t.size &&
           memcmp(text, t.text, t.size) == 0;
}

/* The row of a table; NULL: it has none of that text. */
static const word *find_word(const word *table, token t) {
    for (; table->text; table++)
        if (token_is(t, table->text)) return table;
    return NULL;
}

/* ---- errors ---------------------------------------------------------------------------------- */

static locbo_status refuse_unknown(const parser *p, token t) {
    if (token_is(t, "'") || token_is(t, "\""))
        return fail(p, AT ": an expression has no texts; a name is written as it is or in backquotes", PLACE(p, t));
    return fail(p, AT " is unknown; names with such characters are written in backquotes", PLACE(p, t));
}

static int is_known(token t) {
    return t.kind != TOKEN_SYMBOL || find_word(INFIX, t) || find_word(PREFIX, t) || token_is(t, "(") ||
           token_is(t, ")") || token_is(t, ",");
}

/* The next token is none that an operand begins with. */
static locbo_status refuse_operand(const parser *p) {
    token t = p->token;
    if (t.kind == TOKEN_END) return fail(p, "there is no operand at its end");
    if (!is_known(t)) return refuse_unknown(p, t);
    return fail(p, "there is no operand before " AT, PLACE(p, t));
}

/* The next token is neither an operator nor what ends an operand here. */
static locbo_status refuse_operator(const parser *p) {
    token t = p->token;
    for (size_t i = 0; i < sizeof FOREIGN / sizeof FOREIGN[0]; i++)
        if (token_is(t, FOREIGN[i].text)) return fail(p, AT ": %s", PLACE(p, t), FOREIGN[i].advice);
    if (token_is(t, ")")) return fail(p, "the parenthesis " AT " was not opened", PLACE(p, t));
    if (!is_known(t)) return refuse_unknown(p, t);
    return fail(p, "there is no operator before " AT, PLACE(p, t));
}

/* ---- the parser ------------------------------------------------------------------------------ */

static locbo_status add_step(const parser *p, step s) {
    expression *e = p->e;
    if (!mem_reserve(&e->steps, &e->step_capacity, e->step_count + 1, sizeof *e->steps))
        return status_no_memory(p->error);
    e->steps[e->step_count++] = s;
    return LOCBO_OK;
}

/* The name that a token stands for; NULL: no memory. */
static char *copy_name(token t) {
    char *copy = mem_new(t.size + 1, 1);
    if (!copy) return NULL;
    if (t.kind == TOKEN_WORD) {
        memcpy(copy, t.text, t.size);
        return copy;
    }
    for (size_t from = 1, to = 0; from + 1 < t.size; from += t.text[from] == '`' ? 2 : 1) copy[to++] = t.text[from];
    return copy;
}

static locbo_status add_name(const parser *p, token t) {
    expression *e = p->e;
    size_t i = 0;
    char *name = copy_name(t);
    if (!name || !mem_reserve(&e->names, &e->name_capacity, e->name_count + 1, sizeof *e->names)) {
        mem_free(name);
        return status_no_memory(p->error);
    }
    while (i < e->name_count && strcmp(e->names[i], name) != 0) i++;
    if (i == e->name_count)
        e->names[e->name_count++] = name;
    else
        mem_free(name);
    return add_step(p, (step){.does = PUSH_NAME, .name = i});
}

static locbo_status add_number(const parser *p, token t) {
    char copy[128];
    double number = INFINITY;
    snprintf(copy, sizeof copy, "%.*s", (int)t.size, t.text);
    if (t.size >= sizeof copy || !number_parse(copy, &number) || !isfinite(number))
        return fail(p, "the number " AT " is too large or too long", PLACE(p, t));
    return add_step(p, (step){.does = PUSH_NUMBER, .number = number});
}

static locbo_status read_level(parser *p, int least);

/* The end of what `open` opened. */
static locbo_status read_close(parser *p, token open) {
    if (p->token.kind == TOKEN_END) return fail(p, "the parenthesis " AT " is not closed", PLACE(p, open));
    return token_is(p->token, ")") ? next_token(p) : refuse_operator(p);
}

static locbo_status read_group(parser *p) {
    token open = p->token;
    locbo_status status = next_token(p);
    if (status == LOCBO_OK) status = read_level(p, LEVEL_OR);
    return status == LOCBO_OK ? read_close(p, open) : status;
}

/* min(a, b, c) is min(min(a, b), c), so that any number of arguments needs two places of the stack. */
static locbo_status read_call(parser *p, token name) {
    const word *function = find_word(FUNCTION, name);
    if (!function) return fail(p, "there is no function " AT "; there are " FUNCTIONS, PLACE(p, name));
    int is_fold = function->does == MIN || function->does == MAX;
    token open = p->token;
    locbo_status status = next_token(p);
    if (status == LOCBO_OK) status = read_level(p, LEVEL_OR);
    if (status == LOCBO_OK && !is_fold) status = add_step(p, (step){.does = function->does});
    while (status == LOCBO_OK && token_is(p->token, ",")) {
        if (!is_fold) return fail(p, "the function " AT " takes one argument", PLACE(p, name));
        status = next_token(p);
        if (status == LOCBO_OK) status = read_level(p, LEVEL_OR);
        if (status == LOCBO_OK) status = add_step(p, (step){.does = function->does});
    }
    return status == LOCBO_OK ? read_close(p, open) : status;
}

static locbo_status read_prefix(parser *p, const word *prefix, int least) {
    /* only 'not' can bind less than the operator before it; 1 + not a < b could be read in two ways */
    if (prefix->level < least) return fail(p, AT " must stand in parentheses", PLACE(p, p->token));
    locbo_status status = next_token(p);
    if (status == LOCBO_OK) status = read_level(p, prefix->level);
    return status == LOCBO_OK ? add_step(p, (step){.does = prefix->does}) : status;
}

static locbo_status read_operand(parser *p, int least) {
    token t = p->token;
    const word *prefix = find_word(PREFIX, t);
    if (prefix) return read_prefix(p, prefix, least);
    if (token_is(t, "(")) return read_group(p);
    if (t.kind == TOKEN_END || t.kind == TOKEN_SYMBOL || find_word(INFIX, t)) return refuse_operand(p);
    locbo_status status = next_token(p);
    if (status != LOCBO_OK) return status;
    if (t.kind == TOKEN_NUMBER) return add_number(p, t);
    return t.kind == TOKEN_WORD && token_is(p->token, "(") ? read_call(p, t) : add_name(p, t);
}

/* The operators that follow an operand, with their right sides. */
static locbo_status read_operators(parser *p, int least) {
    locbo_status status = LOCBO_OK;
    const word *o = find_word(INFIX, p->token), *before;
    while (status == LOCBO_OK && o && o->level >= least) {
        status = next_token(p);
        if (status == LOCBO_OK) status = read_level(p, o->does == POWER ? o->level : o->level + 1);
        if (status == LOCBO_OK) status = add_step(p, (step){.does = o->does});
        before = o;
        o = find_word(INFIX, p->token);
        if (status == LOCBO_OK && o && o->level == LEVEL_COMPARISON && before->level == LEVEL_COMPARISON)
            return fail(p, "comparisons do not chain: " AT "; join two of them by 'and'", PLACE(p, p->token));
    }
    return status;
}

/* An operand and all operators that bind at least so strongly. Adds steps that leave one value on the stack. */
static locbo_status read_level(parser *p, int least) {
    if (p->depth == EXPRESSION_DEPTH)
        return fail(p, "it is nested more than %d deep at character %zu", EXPRESSION_DEPTH,
                    text_width_of(p->text, (size_t)(p->token.text - p->text)) + 1);
    p->depth++;
    locbo_status status = read_operand(p, least);
    if (status == LOCBO_OK) status = read_operators(p, least);
    p->depth--;
    return status;
}

static locbo_status read_all(parser *p) {
    size_t size = strlen(p->text);
    if (size > EXPRESSION_LENGTH) return fail(p, "it has %zu bytes, more than %d", size, EXPRESSION_LENGTH);
    if (!text_is_valid(p->text)) return fail(p, "it is not UTF-8");
    locbo_status status = read_token(p, p->text);
    if (status != LOCBO_OK) return status;
    if (p->token.kind == TOKEN_END) return fail(p, "it is empty");
    status = read_level(p, LEVEL_OR);
    return status == LOCBO_OK && p->token.kind != TOKEN_END ? refuse_operator(p) : status;
}

locbo_status expression_parse(expression **out, const char *text, locbo_error *error) {
    if (!out || !text) return status_fail(error, LOCBO_ERR_ARGUMENT, "out and text must not be NULL");
    parser p = {.text = text, .e = mem_new(1, sizeof *p.e), .error = error};
    if (!p.e) return status_no_memory(error);
    locbo_status status = read_all(&p);
    if (status != LOCBO_OK) {
        expression_destroy(p.e);
        return status;
    }
    *out = p.e;
    return status_ok(error);
}
