/* template.c - placeholders of the objective's command line, and its environment. Layer: worker.
 * A word is read once from left to right; the value of a placeholder is not read again. */
#include "template.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "mem.h"
#include "value.h"

/* Placeholders besides the parameters, numbered after them. A parameter of the same name overrides one. */
enum { TRIAL, SEED, ATTEMPT, WORKDIR, RESULT_FILE, SPECIALS };
static const char *const SPECIAL[SPECIALS] = {"trial", "seed", "attempt", "workdir", "result_file"};
static const char *const VARIABLE[SPECIALS] = {"LOCBO_TRIAL", "LOCBO_SEED", "LOCBO_ATTEMPT", "LOCBO_WORKDIR",
                                               "LOCBO_RESULT_FILE"};

/* ---- the names ------------------------------------------------------------------------------- */

static const char *name_of(const locbo_space *space, size_t index) {
    size_t dim = locbo_space_dim(space);
    if (index >= dim) return SPECIAL[index - dim];
    locbo_parameter parameter;
    return locbo_space_parameter(space, index, &parameter, NULL) == LOCBO_OK ? parameter.name : "";
}

/* The number of a name; one too many if there is none of that name. */
static size_t find(const locbo_space *space, const char *name, size_t size) {
    size_t count = locbo_space_dim(space) + SPECIALS, i = 0;
    for (; i < count; i++) {
        const char *known = name_of(space, i);
        if (strlen(known) == size && memcmp(known, name, size) == 0) break;
    }
    return i;
}

/* The names as placeholders, as many as there is room for. */
static void list_names(const locbo_space *space, char *text, size_t room) {
    size_t count = locbo_space_dim(space) + SPECIALS, used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *name = name_of(space, i);
        if (used + strlen(name) + 3 + sizeof " ..." > room) {
            snprintf(text + used, room - used, " ...");
            return;
        }
        used += (size_t)snprintf(text + used, room - used, " {%s}", name);
    }
}

/* ---- the pieces of a word -------------------------------------------------------------------- */

typedef struct piece {
    const char *text;
    size_t size;
    int is_name;           /* of a placeholder; otherwise it stands for itself */
    const char *otherwise; /* of a placeholder: the text for an inactive parameter; NULL: none */
    size_t otherwise_size;
} piece;

static piece placeholder(const char *text, size_t size) {
    const char *colon = memchr(text, ':', size);
    if (!colon) return (piece){.text = text, .size = size, .is_name = 1};
    return (piece){text, (size_t)(colon - text), 1, colon + 1, size - (size_t)(colon + 1 - text)};
}

/* 1: a piece, and `at` is behind it; 0: the end; -1: a brace that is not closed or not opened. */
static int next_piece(const char **at, piece *p) {
    const char *c = *at;
    if (!*c) return 0;
    int doubled = (*c == '{' || *c == '}') && c[1] == *c;
    const char *end = *c == '{' ? strchr(c, '}') : NULL;
    if (doubled) {
        *p = (piece){.text = c, .size = 1};
        *at = c + 2;
    } else if (end) {
        *p = placeholder(c + 1, (size_t)(end - c) - 1);
        *at = end + 1;
    } else if (*c == '{' || *c == '}') {
        return -1;
    } else {
        *p = (piece){.text = c, .size = strcspn(c, "{}")};
        *at = c + p->size;
    }
    return 1;
}

/* Whether parameter `index` may be inactive. */
static int may_lack(const locbo_space *space, size_t index) {
    locbo_parameter p;
    return index < locbo_space_dim(space) && locbo_space_parameter(space, index, &p, NULL) == LOCBO_OK &&
           p.parent != SIZE_MAX;
}

static locbo_status check_word(const locbo_space *space, const char *word, locbo_error *error) {
    const char *at = word;
    piece p;
    int more;
    while ((more = next_piece(&at, &p)) == 1) {
        size_t index = p.is_name ? find(space, p.text, p.size) : 0;
        if (p.is_name && index == locbo_space_dim(space) + SPECIALS) break;
        if (p.is_name && !p.otherwise && may_lack(space, index))
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "'%.50s': {%.*s} has no value where it is not active; write what it is then, as in"
                               " {%.*s:0}",
                               word, p.size > 30 ? 30 : (int)p.size, p.text, p.size > 30 ? 30 : (int)p.size, p.text);
    }
    if (more == 0) return LOCBO_OK;
    if (more < 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "'%.100s': the brace in '%.40s' is not closed or not opened; a brace itself is "
                           "written {{ or }}",
                           word, at);
    char names[110];
    list_names(space, names, sizeof names);
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "'%.50s': unknown placeholder {%.*s}; known are%s; a brace itself is written {{ or }}", word,
                       p.size > 30 ? 30 : (int)p.size, p.text, names);
}

locbo_status template_check(const locbo_space *space, size_t count, const char *const *words, locbo_error *error) {
    if (!space || (count > 0 && !words))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "space and words must not be NULL");
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) status = check_word(space, words[i], error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

static int names_parameter(const locbo_space *space, const char *word) {
    piece p;
    while (next_piece(&word, &p) == 1)
        if (p.is_name && find(space, p.text, p.size) < locbo_space_dim(space)) return 1;
    return 0;
}

int template_appends(const locbo_space *space, size_t count, const char *const *words) {
    for (size_t i = 0; i < count; i++)
        if (names_parameter(space, words[i])) return 0;
    return 1;
}

/* ---- what the names stand for ---------------------------------------------------------------- */

static void free_texts(char **texts, size_t count) {
    for (size_t i = 0; texts && i < count; i++) mem_free(texts[i]);
    mem_free(texts);
}

static char *digits(uint64_t number) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return mem_text(text);
}

static char *special_text(const template_values *v, int which) {
    switch (which) {
    case TRIAL:
        return digits(v->trial);
    case SEED:
        return digits(v->seed);
    case ATTEMPT:
        return digits(v->attempt);
    case WORKDIR:
        return mem_text(v->workdir);
    default:
        return mem_text(v->result_file);
    }
}

static int is_inactive(const template_values *v, size_t index) {
    return index < locbo_space_dim(v->space) && isnan(v->x[index]);
}

static char *text_of(const template_values *v, size_t index) {
    size_t dim = locbo_space_dim(v->space);
    if (index >= dim) return special_text(v, (int)(index - dim));
    locbo_parameter parameter;
    if (locbo_space_parameter(v->space, index, &parameter, NULL) != LOCBO_OK) return NULL;
    return value_text(&parameter, v->x[index]);
}

static locbo_status make_texts(const template_values *v, char ***texts, locbo_error *error) {
    if (!v || !v->space || !v->x || !v->workdir || !v->result_file)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "space, x, workdir and result_file must not be NULL");
    locbo_status status = locbo_space_check(v->space, v->x, error);
    if (status != LOCBO_OK) return status;
    size_t count = locbo_space_dim(v->space) + SPECIALS;
    char **list = mem_new(count, sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        list[i] = text_of(v, i);
        if (list[i]) continue;
        free_texts(list, i);
        list = NULL;
    }
    if (!list) return status_no_memory(error);
    *texts = list;
    return LOCBO_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* NULL: no memory. The word has been checked. */
static char *expand_word(const template_values *v, char *const *texts, const char *word) {
    buffer b = {0};
    piece p;
    while (next_piece(&word, &p) == 1) {
        size_t index = p.is_name ? find(v->space, p.text, p.size) : 0;
        if (!p.is_name)
            buffer_add(&b, p.text, p.size);
        else if (is_inactive(v, index))
            buffer_add(&b, p.otherwise, p.otherwise_size);
        else
            buffer_text(&b, texts[index]);
    }
    buffer_char(&b, '\0', 1);
    if (!b.failed) return b.data;
    mem_free(b.data);
    return NULL;
}

/* "--name=value", "LOCBO_TRIAL=3". NULL: no memory. */
static char *assignment(const char *prefix, const char *name, const char *text) {
    size_t room = strlen(prefix) + strlen(name) + strlen(text) + 2;
    char *made = mem_new(room, 1);
    if (made) snprintf(made, room, "%s%s=%s", prefix, name, text);
    return made;
}

void template_free(char **words) {
    for (size_t i = 0; words && words[i]; i++) mem_free(words[i]);
    mem_free(words);
}

/* Fill `out`, which is zero and has room for all. Returns 0 without memory. */
static int fill(const template_values *v, char *const *texts, size_t count, const char *const *words, char **out) {
    int named = 0;
    size_t used = count;
    for (size_t i = 0; i < count; i++) {
        named |= names_parameter(v->space, words[i]);
        if (!(out[i] = expand_word(v, texts, words[i]))) return 0;
    }
    for (size_t i = 0; !named && i < locbo_space_dim(v->space); i++)
        if (!is_inactive(v, i) && !(out[used++] = assignment("--", name_of(v->space, i), texts[i]))) return 0;
    return 1;
}

locbo_status template_expand(const template_values *values, size_t count, const char *const *words, char ***expanded,
                             locbo_error *error) {
    if (count == 0) return status_fail(error, LOCBO_ERR_ARGUMENT, "the command has no words");
    char **texts = NULL;
    locbo_status status = make_texts(values, &texts, error);
    if (status == LOCBO_OK) status = template_check(values->space, count, words, error);
    if (status == LOCBO_OK) {
        char **out = mem_new(count + locbo_space_dim(values->space) + 1, sizeof *out);
        if (out && fill(values, texts, count, words, out)) {
            *expanded = out;
        } else {
            template_free(out);
            status = status_no_memory(error);
        }
    }
    if (texts) free_texts(texts, locbo_space_dim(values->space) + SPECIALS);
    return status;
}

/* ---- the environment ------------------------------------------------------------------------- */

/* Whatever the locale. */
static char capital(char c) { return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c); }

static int same_capitals(const char *a, const char *b) {
    for (; *a && capital(*a) == capital(*b); a++) b++;
    return capital(*a) == capital(*b);
}

/* Whether the name in capitals says something new, and no other name becomes the same. */
static int has_capitals(const locbo_space *space, size_t index) {
    const char *name = name_of(space, index), *c = name;
    while (*c && capital(*c) == *c) c++;
    if (!*c) return 0;
    for (size_t i = 0; i < locbo_space_dim(space); i++)
        if (i != index && same_capitals(name, name_of(space, i))) return 0;
    return 1;
}

static int add_parameter(const locbo_space *space, size_t index, const char *text, char **out, size_t *used) {
    const char *name = name_of(space, index);
    if (!(out[*used] = assignment("LOCBO_PARAM_", name, text))) return 0;
    char *plain = out[(*used)++];
    if (!has_capitals(space, index)) return 1;
    if (!(out[*used] = mem_text(plain))) return 0;
    char *c = out[(*used)++] + strlen("LOCBO_PARAM_");
    for (size_t i = 0; i < strlen(name); i++) c[i] = capital(c[i]);
    return 1;
}

static int is_set(char *const *out, size_t used, const char *entry) {
    size_t key = strcspn(entry, "=");
    for (size_t i = 0; i < used; i++)
        if (strncmp(out[i], entry, key) == 0 && out[i][key] == '=') return 1;
    return 0;
}

/* Ours first, then what was there under other names. */
static int fill_environment(const template_values *v, char *const *texts, char *const *base, char **out) {
    size_t dim = locbo_space_dim(v->space), used = 0;
    for (size_t i = 0; i < SPECIALS; i++, used++)
        if (!(out[used] = assignment("", VARIABLE[i], texts[dim + i]))) return 0;
    for (size_t i = 0; i < dim; i++)
        if (!is_inactive(v, i) && !add_parameter(v->space, i, texts[i], out, &used)) return 0;
    size_t ours = used;
    for (; base && *base; base++)
        if (!is_set(out, ours, *base) && !(out[used++] = mem_text(*base))) return 0;
    return 1;
}

locbo_status template_environment(const template_values *values, char *const *base, char ***environment,
                                  locbo_error *error) {
    char **texts = NULL;
    locbo_status status = make_texts(values, &texts, error);
    if (status != LOCBO_OK) return status;
    size_t dim = locbo_space_dim(values->space), count = 0;
    while (base && base[count]) count++;
    char **out = mem_new(count + SPECIALS + 2 * dim + 1, sizeof *out);
    if (out && fill_environment(values, texts, base, out)) {
        *environment = out;
        status = status_ok(error);
    } else {
        template_free(out);
        status = status_no_memory(error);
    }
    free_texts(texts, dim + SPECIALS);
    return status;
}
