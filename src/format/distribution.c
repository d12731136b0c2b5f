/* distribution.c - parameters from "NAME~DIST", and DIST from a parameter. A DIST is a word and values in parentheses;
 * one scanner splits the values for all of them. Layer: format. */
#include "distribution.h"

#include <string.h>

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
    {"float", LOCBO_REAL, LOCBO_LINEAR, "float(-5,10)"},  {"log", LOCBO_REAL, LOCBO_LOG, "log(1e-5,1)"},
    {"int", LOCBO_INT, LOCBO_LINEAR, "int(1,12)"},        {"intlog", LOCBO_INT, LOCBO_LOG, "intlog(1,1024)"},
    {"cat", LOCBO_CATEGORICAL, LOCBO_LINEAR, "cat(a,b)"},
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
                       "%.40s: unknown distribution in '%.60s'; known are %s, %s, %s, %s, %s", r->name, r->dist,
                       forms[0].example, forms[1].example, forms[2].example, forms[3].example, forms[4].example);
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

/* What stands behind a value: a comma, or the end. */
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
    return *r->at ? refuse(r, "there is more text after ')'", error) : LOCBO_OK;
}

static locbo_status add_real(reader *r, locbo_space *space, locbo_error *error) {
    double low, high;
    if (r->count != 2 || !number_parse(r->value[0], &low) || !number_parse(r->value[1], &high))
        return refuse(r, "there are not two numbers", error);
    return locbo_space_add_real(space, r->name, low, high, r->form->scale, error);
}

static locbo_status add_int(reader *r, locbo_space *space, locbo_error *error) {
    int64_t low, high;
    if (r->count != 2 || !value_whole(r->value[0], &low) || !value_whole(r->value[1], &high))
        return refuse(r, "there are not two whole numbers", error);
    return locbo_space_add_int(space, r->name, low, high, r->form->scale, error);
}

static locbo_status add_parameter(reader *r, locbo_space *space, locbo_error *error) {
    locbo_status status = read_word(r, error);
    if (status == LOCBO_OK) status = read_values(r, error);
    if (status != LOCBO_OK) return status;
    if (r->form->kind == LOCBO_REAL) return add_real(r, space, error);
    if (r->form->kind == LOCBO_INT) return add_int(r, space, error);
    return locbo_space_add_categorical(space, r->name, r->count, r->value, error);
}

locbo_status distribution_add_named(locbo_space *space, const char *name, const char *dist, locbo_error *error) {
    locbo_status status = distribution_check_name(name, error);
    if (status != LOCBO_OK) return status;
    size_t commas = 0;
    for (const char *c = dist; *c; c++) commas += *c == ',';
    char *room = mem_new(strlen(dist) + 1, 1);
    reader r = {.name = name, .dist = dist, .at = dist, .out = room};
    r.value = mem_new(commas + 1, sizeof *r.value);
    status = room && r.value ? add_parameter(&r, space, error) : status_no_memory(error);
    mem_free(r.value);
    mem_free(room);
    return status;
}

/* The trimmed text before the '~'. */
static char *copy_name(const char *text, const char *tilde) {
    while (text < tilde && is_blank(*text)) text++;
    while (tilde > text && is_blank(tilde[-1])) tilde--;
    char *name = mem_new((size_t)(tilde - text) + 1, 1);
    if (name) memcpy(name, text, (size_t)(tilde - text));
    return name;
}

locbo_status distribution_add(locbo_space *space, const char *text, locbo_error *error) {
    const char *tilde = strchr(text, '~');
    if (!tilde)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "'%.60s' is not of the form NAME~DIST, as in x~%s", text,
                           forms[0].example);
    char *name = copy_name(text, tilde);
    if (!name) return status_no_memory(error);
    locbo_status status = distribution_add_named(space, name, tilde + 1, error);
    mem_free(name);
    return status;
}

/* ---- writing ----------------------------------------------------------------------------------- */

static int is_plain(const char *text) {
    if (!*text) return 0;
    for (; *text; text++)
        if (!is_letter(*text) && !is_digit(*text) && !strchr("+-./:=@%", *text) && (unsigned char)*text < 0x80)
            return 0;
    return 1;
}

/* Append a value as read_value reads it; at most 2 strlen + 2 bytes. Returns the new end. */
static char *put_value(char *end, const char *text) {
    size_t length = strlen(text);
    if (is_plain(text)) return (char *)memcpy(end, text, length) + length;
    char quote = strchr(text, '\'') ? '"' : '\'';
    *end++ = quote;
    for (; *text; text++) {
        if (quote == '"' && (*text == '"' || *text == '\\')) *end++ = '\\';
        *end++ = *text;
    }
    *end++ = quote;
    return end;
}

static char *cat_text(const locbo_parameter *p) {
    size_t size = sizeof "cat()";
    for (size_t k = 0; k < p->count; k++) size += 2 * strlen(p->categories[k]) + 3;
    char *text = mem_new(size, 1), *end = text;
    if (!text) return NULL;
    memcpy(end, "cat", 3);
    end += 3;
    for (size_t k = 0; k < p->count; k++) {
        *end++ = k ? ',' : '(';
        end = put_value(end, p->categories[k]);
    }
    *end = ')';
    return text;
}

static const char *word_of(const locbo_parameter *p) {
    size_t i = 0;
    while (i + 1 < FORMS && (forms[i].kind != p->kind || forms[i].scale != p->scale)) i++;
    return forms[i].word;
}

char *distribution_text(const locbo_parameter *p) {
    if (p->kind == LOCBO_CATEGORICAL) return cat_text(p);
    char *low = value_text(p, p->low), *high = value_text(p, p->high), *text = NULL;
    if (low && high) text = mem_new(16 + strlen(low) + strlen(high), 1);
    if (text) {
        char *end = stpcpy(stpcpy(stpcpy(text, word_of(p)), "("), low);
        stpcpy(stpcpy(stpcpy(end, ","), high), ")");
    }
    mem_free(low);
    mem_free(high);
    return text;
}
