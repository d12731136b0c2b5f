/* distribution.c - parameters from "NAME~DIST", and DIST from a parameter. A DIST is a word and values in parentheses;
 * one scanner splits the values for all of them. Layer: format. */
#include "distribution.h"

#include <math.h>
#include <string.h>

#include "buffer.h"
#include "mem.h"
#include "number.h"
#include "value.h"

typedef struct form {
    const char *word;
    locbo_kind kind;
    locbo_scale scale;
    const char *example;
} form;

static const form forms[] = {
    {"float", LOCBO_REAL, LOCBO_LINEAR, "float(-5,10)"},
    {"log", LOCBO_REAL, LOCBO_LOG, "log(1e-5,1)"},
    {"int", LOCBO_INT, LOCBO_LINEAR, "int(1,12)"},
    {"intlog", LOCBO_INT, LOCBO_LOG, "intlog(1,1024)"},
    {"cat", LOCBO_CATEGORICAL, LOCBO_LINEAR, "cat(a,b)"},
    {"ordered", LOCBO_ORDERED, LOCBO_LINEAR, "ordered(low,high)"},
    {"orderedlog", LOCBO_ORDERED, LOCBO_LOG, "orderedlog(1,10,100)"},
    {"bool", LOCBO_BOOL, LOCBO_LINEAR, "bool"},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

/* ---- names ------------------------------------------------------------------------------------- */

static int is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

locbo_status distribution_check_name(const char *name, locbo_error *error) {
    static const char *const taken[] = {"trial", "seed", "attempt", "workdir", "result_file"};
    int good = is_letter(name[0]);
    for (const char *c = name; *c; c++) good = good && (is_letter(*c) || is_digit(*c));
    if (!good)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a parameter's name is made of letters, digits and _, with no digit "
                           "first, got '%.40s'",
                           name);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(name, taken[i]) == 0)
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "a parameter cannot be named '%s': {%s} in a command has a meaning "
                               "of its own",
                               name, name);
    return status_ok(error);
}

/* ---- reading ----------------------------------------------------------------------------------- */

/* A DIST that is being read: `at` is the next character; values are written one after the other. */
typedef struct reader {
    const char *name, *dist, *at;
    const form *form;
    size_t count;
    const char **value;
    char *out; /* room for all values: each has a comma or parenthesis of the text for its terminator */
} reader;

static locbo_status refuse(const reader *r, const char *what, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%.40s: %s in '%.60s'; write it as in %s", r->name, what, r->dist,
                       r->form->example);
}

static void skip_blanks(reader *r) {
    while (is_blank(*r->at)) r->at++;
}

static locbo_status read_word(reader *r, locbo_error *error) {
    skip_blanks(r);
    size_t length = 0;
    while (is_letter(r->at[length]) || is_digit(r->at[length])) length++;
    for (size_t i = 0; i < FORMS && length > 0; i++)
        if (strlen(forms[i].word) == length && memcmp(forms[i].word, r->at, length) == 0) {
            r->form = &forms[i];
            r->at += length;
            return LOCBO_OK;
        }
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "%.40s: unknown distribution in '%.60s'; known are %s, %s, %s, %s, %s, %s, %s", r->name, r->dist,
                       forms[0].example, forms[1].example, forms[2].example, forms[3].example, forms[4].example,
                       forms[5].example, forms[7].example);
}

/* '...' is verbatim; "..." knows \" and \\. */
static locbo_status read_quoted(reader *r, locbo_error *error) {
    char quote = *r->at++;
    while (*r->at && *r->at != quote) {
        if (quote == '"' && *r->at == '\\' && (r->at[1] == '"' || r->at[1] == '\\')) r->at++;
        *r->out++ = *r->at++;
    }
    if (!*r->at) return refuse(r, "a quote is not closed", error);
    r->at++;
    return LOCBO_OK;
}

/* One value, quoted, in part quoted, or plain; `at` is then behind it and the blanks that follow. */
static locbo_status read_value(reader *r, locbo_error *error) {
    skip_blanks(r);
    const char *start = r->at;
    r->value[r->count++] = r->out;
    while (*r->at && !strchr(",()", *r->at) && !is_blank(*r->at)) {
        if (*r->at == '\'' || *r->at == '"') {
            locbo_status status = read_quoted(r, error);
            if (status != LOCBO_OK) return status;
            continue;
        }
        if (*r->at == '\\' && r->at[1]) r->at++;
        *r->out++ = *r->at++;
    }
    if (r->at == start && *r->at != '(')
        return refuse(r, *r->at ? "a value is missing" : "a closing ')' is missing", error);
    skip_blanks(r);
    return LOCBO_OK;
}

/* (VALUE,...): what stands behind a value is a comma, or the end. */
static locbo_status read_values(reader *r, locbo_error *error) {
    skip_blanks(r);
    if (*r->at != '(') return refuse(r, "'(' is missing", error);
    do {
        r->at++;
        locbo_status status = read_value(r, error);
        if (status != LOCBO_OK) return status;
        if (!*r->at) return refuse(r, "a closing ')' is missing", error);
        if (*r->at != ',' && *r->at != ')') return refuse(r, "a blank or parenthesis needs quotes", error);
        *r->out++ = '\0';
    } while (*r->at == ',');
    r->at++;
    skip_blanks(r);
    return LOCBO_OK;
}

/* ---- the range --------------------------------------------------------------------------------- */

/* float(1,10,log) is log(1,10). */
static void take_scale(reader *r, locbo_parameter_spec *spec) {
    if (r->count != 3 || spec->scale != LOCBO_LINEAR || strcmp(r->value[2], "log") != 0) return;
    spec->scale = LOCBO_LOG;
    r->count = 2;
}

static locbo_status take_reals(const reader *r, locbo_parameter_spec *spec, locbo_error *error) {
    double *to[] = {&spec->low, &spec->high, &spec->step};
    int good = r->count == 2 || (r->count == 3 && spec->scale == LOCBO_LINEAR);
    for (size_t i = 0; good && i < r->count; i++) good = number_parse(r->value[i], to[i]);
    if (good && (r->count == 2 || spec->step > 0)) return LOCBO_OK;
    return refuse(r, good ? "the step is not positive" : "there are not two numbers", error);
}

static locbo_status take_ints(const reader *r, locbo_parameter_spec *spec, locbo_error *error) {
    const int64_t most = INT64_C(1) << 53;
    double *to[] = {&spec->low, &spec->high, &spec->step};
    int64_t whole;
    int good = r->count == 2 || (r->count == 3 && spec->scale == LOCBO_LINEAR);
    for (size_t i = 0; good && i < r->count; i++) {
        good = value_whole(r->value[i], &whole);
        if (good && (whole < -most || whole > most)) return refuse(r, "a number is beyond 2^53", error);
        *to[i] = (double)whole;
    }
    if (good && (r->count == 2 || spec->step > 0)) return LOCBO_OK;
    return refuse(r, good ? "the step is not positive" : "there are not two whole numbers", error);
}

/* Whether the texts are numbers that increase. */
static int find_numbers(size_t count, const char *const *texts, double *numbers) {
    for (size_t k = 0; k < count; k++)
        if (!number_parse(texts[k], &numbers[k]) || (k > 0 && !(numbers[k - 1] < numbers[k]))) return 0;
    return count > 0;
}

/* Categories; `numbers` has room for one of each. */
static void take_categories(const reader *r, locbo_parameter_spec *spec, double *numbers) {
    spec->count = r->count;
    spec->categories = r->value;
    spec->high = (double)(r->count - 1);
    if (spec->kind == LOCBO_ORDERED && find_numbers(r->count, r->value, numbers)) spec->numbers = numbers;
}

static locbo_status read_range(reader *r, locbo_parameter_spec *spec, double *numbers, locbo_error *error) {
    locbo_status status = read_word(r, error);
    if (status != LOCBO_OK) return status;
    spec->kind = r->form->kind;
    spec->scale = r->form->scale;
    if (spec->kind == LOCBO_BOOL) {
        skip_blanks(r);
        return LOCBO_OK;
    }
    status = read_values(r, error);
    if (status != LOCBO_OK) return status;
    if (spec->kind == LOCBO_REAL || spec->kind == LOCBO_INT) take_scale(r, spec);
    if (spec->kind == LOCBO_REAL) return take_reals(r, spec, error);
    if (spec->kind == LOCBO_INT) return take_ints(r, spec, error);
    take_categories(r, spec, numbers);
    return LOCBO_OK;
}

/* ---- the condition ----------------------------------------------------------------------------- */

static int begins(const reader *r, const char *word) {
    size_t length = strlen(word);
    return strncmp(r->at, word, length) == 0 && !is_letter(r->at[length]) && !is_digit(r->at[length]);
}

/* =VALUE or in (VALUE,...) */
static locbo_status read_set(reader *r, locbo_error *error) {
    skip_blanks(r);
    if (begins(r, "in")) {
        r->at += 2;
        return read_values(r, error);
    }
    if (*r->at != '=') return refuse(r, "'=' or 'in' is missing", error);
    r->at++;
    locbo_status status = read_value(r, error);
    *r->out++ = '\0';
    return status;
}

/* NAME=VALUE or NAME in (VALUE,...); the values are those of `r` from number `from` on. */
static locbo_status read_condition(reader *r, locbo_parameter_spec *spec, size_t from, locbo_error *error) {
    static const form condition = {.example = "when kernel=rbf or when kernel in (rbf,poly)"};
    const char *start;
    r->form = &condition;
    skip_blanks(r);
    start = r->at;
    while (is_letter(*r->at) || is_digit(*r->at)) r->at++;
    if (r->at == start) return refuse(r, "a parameter is missing after 'when'", error);
    spec->parent = memcpy(r->out, start, (size_t)(r->at - start));
    r->out[r->at - start] = '\0';
    r->out += r->at - start + 1;
    locbo_status status = read_set(r, error);
    spec->when_count = r->count - from;
    return status;
}

/* The values of the condition, as those of the parent. */
static locbo_status take_condition(const reader *r, const locbo_space *space, locbo_parameter_spec *spec, size_t from,
                                   double *when, locbo_error *error) {
    size_t index;
    locbo_parameter parent;
    spec->when = when;
    if (locbo_space_find(space, spec->parent, &index, NULL) != LOCBO_OK) return LOCBO_OK; /* refused by the space */
    locbo_space_parameter(space, index, &parent, NULL);
    for (size_t k = 0; k < spec->when_count; k++) {
        locbo_error why;
        if (value_parse(&parent, r->value[from + k], &when[k], &why) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_ARGUMENT, "%.40s: when %.180s", r->name, why.message);
    }
    return LOCBO_OK;
}

/* ---- marks ------------------------------------------------------------------------------------- */

/* The lists of a parameter that is being read. */
typedef struct lists {
    double *numbers, *when;
    unsigned char *retired;
} lists;

typedef locbo_status take_fn(const reader *r, locbo_parameter_spec *spec, size_t from, lists *l, locbo_error *error);

/* A value of the parameter, as far as it has been read. */
static locbo_status take_value(const locbo_parameter_spec *spec, const char *text, int anywhere, double *value,
                               locbo_error *error) {
    const locbo_parameter p = value_parameter(spec);
    return anywhere ? value_parse_anywhere(&p, text, value, error) : value_parse(&p, text, value, error);
}

static locbo_status take_frozen(const reader *r, locbo_parameter_spec *spec, size_t from, lists *l,
                                locbo_error *error) {
    (void)l;
    if (spec->is_frozen || r->count - from != 1) return refuse(r, "there is not one frozen=VALUE", error);
    spec->is_frozen = 1;
    return take_value(spec, r->value[from], 0, &spec->frozen, error);
}

static locbo_status take_past(const reader *r, locbo_parameter_spec *spec, size_t from, lists *l, locbo_error *error) {
    (void)l;
    if (spec->has_past || r->count - from != 1) return refuse(r, "there is not one past=VALUE", error);
    spec->has_past = 1;
    return take_value(spec, r->value[from], 1, &spec->past, error);
}

static locbo_status take_retired(const reader *r, locbo_parameter_spec *spec, size_t from, lists *l,
                                 locbo_error *error) {
    locbo_status status = LOCBO_OK;
    if (spec->count == 0) return refuse(r, "only categories are retired", error);
    for (size_t i = from; i < r->count && status == LOCBO_OK; i++) {
        double k = 0;
        status = take_value(spec, r->value[i], 0, &k, error);
        if (status == LOCBO_OK) l->retired[(size_t)k] = 1;
    }
    spec->retired = l->retired;
    return status;
}

/* Where ordered categories stand, whatever their texts are; none: equally spaced. */
static locbo_status take_numbers(const reader *r, locbo_parameter_spec *spec, size_t from, lists *l,
                                 locbo_error *error) {
    size_t count = r->count - from;
    if (spec->kind != LOCBO_ORDERED) return refuse(r, "only ordered categories have numbers", error);
    spec->numbers = NULL;
    if (count == 1 && strcmp(r->value[from], "none") == 0) return LOCBO_OK;
    if (count != spec->count || !find_numbers(count, r->value + from, l->numbers))
        return refuse(r, "there is not an increasing number for each category", error);
    spec->numbers = l->numbers;
    return LOCBO_OK;
}

static locbo_status read_mark(reader *r, locbo_parameter_spec *spec, lists *l, locbo_error *error) {
    static const struct {
        form example;
        take_fn *take;
    } marks[] = {{{.word = "frozen", .example = "float(0,1) frozen=0.5"}, take_frozen},
                 {{.word = "past", .example = "float(0,1) past=0.5"}, take_past},
                 {{.word = "retired", .example = "cat(a,b,c) retired=c"}, take_retired},
                 {{.word = "numbers", .example = "ordered(low,high) numbers in (1,10)"}, take_numbers}};
    size_t i = 0, from = r->count, most = sizeof marks / sizeof marks[0];
    if (begins(r, "fidelity")) {
        r->at += strlen("fidelity");
        spec->fidelity = 1;
        skip_blanks(r);
        return LOCBO_OK;
    }
    while (i < most && !begins(r, marks[i].example.word)) i++;
    if (i == most) return refuse(r, "there is more text at the end", error);
    r->form = &marks[i].example;
    r->at += strlen(marks[i].example.word);
    locbo_status status = read_set(r, error);
    return status == LOCBO_OK ? marks[i].take(r, spec, from, l, error) : status;
}

static locbo_status add_parameter(reader *r, locbo_space *space, lists *l, int fidelity, locbo_error *error) {
    locbo_parameter_spec spec = {.struct_size = sizeof spec, .name = r->name, .high = 1, .fidelity = fidelity != 0};
    locbo_status status = read_range(r, &spec, l->numbers, error);
    size_t from = r->count;
    const form *range = r->form;
    if (status == LOCBO_OK && begins(r, "when")) {
        r->at += 4;
        status = read_condition(r, &spec, from, error);
        if (status == LOCBO_OK) status = take_condition(r, space, &spec, from, l->when, error);
        skip_blanks(r);
    }
    while (status == LOCBO_OK && *r->at) status = read_mark(r, &spec, l, error);
    r->form = range;
    if (status == LOCBO_OK && spec.kind == LOCBO_ORDERED && spec.scale == LOCBO_LOG && !spec.numbers)
        return refuse(r, "there are not increasing numbers", error);
    return status == LOCBO_OK ? locbo_space_add(space, &spec, error) : status;
}

static locbo_status add_named(locbo_space *space, const char *name, const char *dist, int fidelity,
                              locbo_error *error) {
    locbo_status status = distribution_check_name(name, error);
    if (status != LOCBO_OK) return status;
    size_t most = 1; /* values: at least one character each, and one more than commas and '=' in all */
    for (const char *c = dist; *c; c++) most += *c == ',' || *c == '(' || *c == '=';
    char *room = mem_new(strlen(dist) + 4, 1);
    double *numbers = mem_new(2 * most, sizeof *numbers);
    lists l = {.numbers = numbers, .when = numbers ? numbers + most : NULL, .retired = mem_new(most, 1)};
    reader r = {.name = name, .dist = dist, .at = dist, .out = room};
    r.value = mem_new(most, sizeof *r.value);
    status = room && r.value && numbers && l.retired ? add_parameter(&r, space, &l, fidelity, error)
                                                     : status_no_memory(error);
    mem_free(r.value);
    mem_free(room);
    mem_free(numbers);
    mem_free(l.retired);
    return status;
}

locbo_status distribution_add_named(locbo_space *space, const char *name, const char *dist, locbo_error *error) {
    return add_named(space, name, dist, 0, error);
}

locbo_status distribution_add_fidelity_named(locbo_space *space, const char *name, const char *dist,
                                             locbo_error *error) {
    return add_named(space, name, dist, 1, error);
}

/* The trimmed text before the '~'. */
static char *copy_name(const char *text, const char *tilde) {
    while (text < tilde && is_blank(*text)) text++;
    while (tilde > text && is_blank(tilde[-1])) tilde--;
    char *name = mem_new((size_t)(tilde - text) + 1, 1);
    if (name) memcpy(name, text, (size_t)(tilde - text));
    return name;
}

static locbo_status add_text(locbo_space *space, const char *text, int fidelity, locbo_error *error) {
    const char *tilde = strchr(text, '~');
    if (!tilde)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "'%.60s' is not of the form NAME~DIST, as in x~%s", text,
                           forms[0].example);
    char *name = copy_name(text, tilde);
    if (!name) return status_no_memory(error);
    locbo_status status = add_named(space, name, tilde + 1, fidelity, error);
    mem_free(name);
    return status;
}

locbo_status distribution_add(locbo_space *space, const char *text, locbo_error *error) {
    return add_text(space, text, 0, error);
}

locbo_status distribution_add_fidelity(locbo_space *space, const char *text, locbo_error *error) {
    return add_text(space, text, 1, error);
}

/* ---- writing ----------------------------------------------------------------------------------- */

static int is_plain(const char *text) {
    if (!*text) return 0;
    for (; *text; text++)
        if (!is_letter(*text) && !is_digit(*text) && !strchr("+-./:=@%", *text) && (unsigned char)*text < 0x80)
            return 0;
    return 1;
}

/* A value as read_value reads it. */
static void put_value(buffer *b, const char *text) {
    if (is_plain(text)) {
        buffer_text(b, text);
        return;
    }
    char quote = strchr(text, '\'') ? '"' : '\'';
    buffer_char(b, quote, 1);
    for (; *text; text++) {
        if (quote == '"' && (*text == '"' || *text == '\\')) buffer_char(b, '\\', 1);
        buffer_char(b, *text, 1);
    }
    buffer_char(b, quote, 1);
}

/* (A,B): values of a parameter. */
static void put_values(buffer *b, const locbo_parameter *p, size_t count, const double *values) {
    buffer_text(b, "(");
    for (size_t k = 0; k < count; k++) {
        char *text = value_text(p, values ? values[k] : (double)k);
        if (k > 0) buffer_text(b, ",");
        if (text)
            put_value(b, text);
        else
            b->failed = 1;
        mem_free(text);
    }
    buffer_text(b, ")");
}

static const char *word_of(const locbo_parameter *p) {
    size_t i = 0;
    while (i + 1 < FORMS && (forms[i].kind != p->kind || forms[i].scale != p->scale)) i++;
    return forms[i].word;
}

static void put_condition(buffer *b, const locbo_space *space, const locbo_parameter *p) {
    locbo_parameter parent;
    if (p->parent == SIZE_MAX) return;
    locbo_space_parameter(space, p->parent, &parent, NULL);
    buffer_text(b, " when ");
    buffer_text(b, parent.name);
    if (p->when_count > 1) {
        buffer_text(b, " in ");
        put_values(b, &parent, p->when_count, p->when);
        return;
    }
    char *text = value_text(&parent, p->when[0]);
    buffer_text(b, "=");
    if (text)
        put_value(b, text);
    else
        b->failed = 1;
    mem_free(text);
}

static void put_mark(buffer *b, const locbo_parameter *p, const char *word, double value) {
    if (isnan(value)) return;
    char *text = value_text(p, value);
    buffer_print(b, " %s=", word);
    if (text)
        put_value(b, text);
    else
        b->failed = 1;
    mem_free(text);
}

static void put_retired(buffer *b, const locbo_parameter *p) {
    size_t count = 0, written = 0;
    for (size_t k = 0; p->retired && k < p->count; k++) count += p->retired[k];
    if (count == 0) return;
    buffer_text(b, count > 1 ? " retired in (" : " retired=");
    for (size_t k = 0; k < p->count; k++) {
        if (!p->retired[k]) continue;
        if (written++ > 0) buffer_text(b, ",");
        put_value(b, p->categories[k]);
    }
    if (count > 1) buffer_text(b, ")");
}

/* Whether the texts of the categories say where they stand. */
static int has_usual_numbers(const locbo_parameter *p) {
    double before = -INFINITY, number;
    int increase = p->kind == LOCBO_ORDERED, same = p->numbers != NULL;
    for (size_t k = 0; k < p->count && increase; k++) {
        increase = number_parse(p->categories[k], &number) && before < number;
        same = same && increase && number == p->numbers[k];
        before = number;
    }
    return increase ? same : !p->numbers;
}

static void put_numbers(buffer *b, const locbo_parameter *p) {
    char text[NUMBER_TEXT];
    if (has_usual_numbers(p)) return;
    buffer_text(b, p->numbers ? " numbers in (" : " numbers=none");
    for (size_t k = 0; p->numbers && k < p->count; k++) {
        number_print(p->numbers[k], text);
        buffer_print(b, "%s%s", k ? "," : "", text);
    }
    if (p->numbers) buffer_text(b, ")");
}

char *distribution_text(const locbo_space *space, size_t i) {
    return distribution_part(space, i,
                             DISTRIBUTION_RETIRED | DISTRIBUTION_FROZEN | DISTRIBUTION_PAST | DISTRIBUTION_FIDELITY);
}

char *distribution_part(const locbo_space *space, size_t i, unsigned marks) {
    locbo_parameter p;
    buffer b = {.data = NULL};
    locbo_space_parameter(space, i, &p, NULL);
    const double range[] = {p.low, p.high, p.step};
    buffer_text(&b, word_of(&p));
    if (p.count > 0)
        put_values(&b, &p, p.count, NULL);
    else if (p.kind != LOCBO_BOOL)
        put_values(&b, &p, p.step > 0 ? 3 : 2, range);
    put_condition(&b, space, &p);
    put_numbers(&b, &p);
    if (p.fidelity && (marks & DISTRIBUTION_FIDELITY)) buffer_text(&b, " fidelity");
    if (marks & DISTRIBUTION_RETIRED) put_retired(&b, &p);
    if (marks & DISTRIBUTION_FROZEN) put_mark(&b, &p, "frozen", p.frozen);
    if (marks & DISTRIBUTION_PAST) put_mark(&b, &p, "past", p.past);
    buffer_char(&b, '\0', 1);
    if (!b.failed) return b.data;
    mem_free(b.data);
    return NULL;
}
