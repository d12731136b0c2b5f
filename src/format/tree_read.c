/* tree_read.c - texts, numbers and flags from a tree. Layer: format. */
#include "tree_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "number.h"
#include "value.h"

locbo_status tree_read_text(const tree_entry *entry, const char **text, locbo_error *error) {
    locbo_status status = tree_expect(entry, TREE_TEXT, error);
    if (status == LOCBO_OK) *text = tree_text(entry);
    return status;
}

locbo_status tree_read_copy(const tree_entry *entry, char **copy, locbo_error *error) {
    const char *text;
    locbo_status status = tree_read_text(entry, &text, error);
    if (status != LOCBO_OK) return status;
    if (!*text) return tree_fail(entry, error, "must not be empty");
    *copy = mem_text(text);
    return *copy ? LOCBO_OK : status_no_memory(error);
}

locbo_status tree_read_whole(const tree_entry *entry, int64_t least, int64_t most, uint64_t *whole,
                             locbo_error *error) {
    const char *text;
    int64_t number;
    locbo_status status = tree_read_text(entry, &text, error);
    if (status != LOCBO_OK) return status;
    if (!value_whole(text, &number) || number < least || number > most)
        return tree_fail(entry, error, "expected a whole number in [%lld, %lld], found '%.40s'", (long long)least,
                         (long long)most, text);
    *whole = (uint64_t)number;
    return LOCBO_OK;
}

locbo_status tree_read_real(const tree_entry *entry, double *real, locbo_error *error) {
    const char *text;
    locbo_status status = tree_read_text(entry, &text, error);
    if (status != LOCBO_OK) return status;
    if (!number_parse(text, real) || !isfinite(*real))
        return tree_fail(entry, error, "expected a number, found '%.40s'", text);
    return LOCBO_OK;
}

static void list_words(size_t count, const char *const *words, char *list, size_t size) {
    size_t at = 0;
    for (size_t i = 0; i < count && at < size; i++) {
        const char *between = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        at += (size_t)snprintf(list + at, size - at, "%s%s", between, words[i]);
    }
}

locbo_status tree_read_choice(const tree_entry *entry, size_t count, const char *const *words, int *which,
                              locbo_error *error) {
    char list[160];
    const char *text;
    locbo_status status = tree_read_text(entry, &text, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], text) == 0) {
            *which = (int)i;
            return LOCBO_OK;
        }
    list_words(count, words, list, sizeof list);
    return tree_fail(entry, error, "expected %s, found '%.40s'", list, text);
}

locbo_status tree_read_flag(const tree_entry *entry, int *flag, locbo_error *error) {
    const char *text;
    locbo_status status = tree_read_text(entry, &text, error);
    if (status != LOCBO_OK) return status;
    *flag = strcmp(text, "true") == 0;
    if (*flag || strcmp(text, "false") == 0) return LOCBO_OK;
    return tree_fail(entry, error, "expected true or false, found '%.40s'", text);
}

locbo_status tree_need(const tree_entry *map, const char *key, tree_entry *value, locbo_error *error) {
    if (tree_find(map, key, value)) return LOCBO_OK;
    return tree_fail(map, error, "the key '%s' is missing", key);
}

locbo_status tree_pass_named(const tree_entry *entry, const char *noun, const char *name, locbo_status status,
                             locbo_error *inner, locbo_error *error) {
    char start[2][64];
    if (status == LOCBO_OK) return LOCBO_OK;
    snprintf(start[0], sizeof start[0], "%s '%.40s': ", noun, name);
    snprintf(start[1], sizeof start[1], "%.40s: ", name);
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(start[i]);
        if (strncmp(inner->message, start[i], length) != 0) continue;
        memmove(inner->message, inner->message + length, strlen(inner->message + length) + 1);
        break;
    }
    return tree_pass(entry, status, inner, error);
}

locbo_status tree_read_texts(const tree_entry *list, const char **texts, locbo_error *error) {
    for (size_t i = 0; i < tree_count(list); i++) {
        tree_entry item = tree_at(list, i);
        if (tree_kind_of(&item) == TREE_NULL)
            return tree_fail(&item, error, "expected a text or number, found nothing; quote '%s'", tree_text(&item));
        locbo_status status = tree_read_text(&item, &texts[i], error);
        if (status != LOCBO_OK) return status;
    }
    return LOCBO_OK;
}
