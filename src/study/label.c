/* label.c - what people call a study, and what they note about it and its trials. Layer: study, middle. */
#include <inttypes.h>
#include <locbo/locbo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "mem.h"

/* ---- the name ---------------------------------------------------------------------------------- */

typedef struct renaming {
    locbo_study *study;
    const char *name;
    char *before;
} renaming;

static locbo_status take_name(const store_value *columns, size_t count, void *user, locbo_error *error) {
    renaming *r = user;
    (void)count;
    mem_free(r->before);
    r->before = mem_text(store_as_text(&columns[6]));
    return r->before ? LOCBO_OK : status_no_memory(error);
}

static locbo_status rename_study(locbo_store *store, void *user, locbo_error *error) {
    renaming *r = user;
    uint64_t taken = 0;
    locbo_status status = ledger_lock_study(r->study, take_name, r, error);
    if (status != LOCBO_OK || strcmp(r->before, r->name) == 0) return status;
    status = store_query(store, "SELECT id FROM locbo_study WHERE name = $1", VALUES(store_text(r->name)), NULL, NULL,
                         &taken, error);
    if (status == LOCBO_OK && taken > 0)
        return status_fail(error, LOCBO_ERR_STATE, "the study '%s' exists already in %s", r->name,
                           locbo_store_url(store));
    if (status == LOCBO_OK)
        status = store_query(store, "UPDATE locbo_study SET name = $2 WHERE id = $1",
                             VALUES(store_int(r->study->id), store_text(r->name)), NULL, NULL, NULL, error);
    return status == LOCBO_OK ? change_record(r->study, LOCBO_CHANGE_RENAME, 0, r->before, NULL, error) : status;
}

locbo_status locbo_study_rename(locbo_study *study, const char *name, locbo_error *error) {
    if (!study || !name) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and name must not be NULL");
    renaming r = {.study = study, .name = name};
    token_call c = {.call = "rename", .study = study->id, .work = rename_study, .user = &r};
    locbo_status status = token_begin(&c, study->store, error);
    if (status == LOCBO_OK && name[0] == '\0')
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the name of a study must not be empty");
    if (status == LOCBO_OK) status = ledger_check_text("study name", name, error);
    char *copy = mem_text(name);
    if (status == LOCBO_OK) status = copy ? token_write(&c, study->store, error) : status_no_memory(error);
    if (status == LOCBO_OK) {
        mem_free(study->name);
        study->name = copy;
    } else {
        mem_free(copy);
    }
    mem_free(r.before);
    return status;
}

/* ---- notes and tags ---------------------------------------------------------------------------- */

static int compare_words(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The words of a list, sorted, each once, with one space between them; NULL: no memory. */
static char *sort_tags(const char *given) {
    static const char between[] = " ,\t\n\r";
    size_t room = strlen(given) + 1, count = 0;
    char *copy = mem_text(given), **words = mem_new(room, sizeof *words), *sorted = mem_new(room + 1, 1), *place = NULL,
         *to = sorted;
    for (char *w = copy ? strtok_r(copy, between, &place) : NULL; w && words; w = strtok_r(NULL, between, &place))
        words[count++] = w;
    if (words) qsort(words, count, sizeof *words, compare_words);
    for (size_t i = 0; words && sorted && i < count; i++)
        if (i == 0 || strcmp(words[i], words[i - 1]) != 0) {
            if (to > sorted) *to++ = ' ';
            to = stpcpy(to, words[i]);
        }
    if (!copy || !words) {
        mem_free(sorted);
        sorted = NULL;
    }
    mem_free(copy);
    mem_free(words);
    return sorted;
}

typedef struct noting {
    locbo_study *study;
    uint64_t trial;          /* 0: the study */
    const char *note, *tags; /* NULL: as they are */
    char *was[2];            /* note and tags */
} noting;

static locbo_status keep(noting *n, const store_value *columns, locbo_error *error) {
    for (int i = 0; i < 2; i++) {
        mem_free(n->was[i]);
        n->was[i] = mem_text(store_as_text(&columns[i]));
        if (!n->was[i]) return status_no_memory(error);
    }
    return LOCBO_OK;
}

static locbo_status take_of_study(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count;
    return keep(user, columns + 7, error);
}

static locbo_status take_of_trial(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count;
    return keep(user, columns, error);
}

/* Lock the row whose note it is, and read what it says. */
static locbo_status look(noting *n, locbo_error *error) {
    uint64_t found = 0;
    if (n->trial == 0) return ledger_lock_study(n->study, take_of_study, n, error);
    locbo_status status =
        store_query(n->study->store, "SELECT note, tags FROM locbo_trial WHERE study = $1 AND number = $2{lock}",
                    VALUES(store_int(n->study->id), store_count(n->trial)), take_of_trial, n, &found, error);
    if (status == LOCBO_OK && found == 0)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "the study '%s' has no trial %" PRIu64, n->study->name,
                           n->trial);
    return status;
}

/* "it was too hot [slow warm]" */
static char *describe(const char *note, const char *tags) {
    size_t room = strlen(note) + strlen(tags) + 4;
    char *text = mem_new(room, 1);
    if (text)
        snprintf(text, room, "%s%s%s%s%s", note, *note && *tags ? " " : "", *tags ? "[" : "", tags, *tags ? "]" : "");
    return text;
}

static locbo_status write_note(locbo_store *store, void *user, locbo_error *error) {
    noting *n = user;
    static const char *const sql[] = {"UPDATE locbo_study SET note = $2, tags = $3 WHERE id = $1",
                                      "UPDATE locbo_trial SET note = $2, tags = $3 WHERE study = $1 AND number = $4"};
    locbo_status status = look(n, error);
    if (status != LOCBO_OK) return status;
    const char *note = n->note ? n->note : n->was[0], *tags = n->tags ? n->tags : n->was[1];
    if (strcmp(note, n->was[0]) == 0 && strcmp(tags, n->was[1]) == 0) return LOCBO_OK;
    store_value values[] = {store_int(n->study->id), store_text(note), store_text(tags), store_count(n->trial)};
    char *text = describe(note, tags);
    status = text ? store_query(store, sql[n->trial > 0], n->trial > 0 ? 4 : 3, values, NULL, NULL, NULL, error)
                  : status_no_memory(error);
    if (status == LOCBO_OK) status = change_record(n->study, LOCBO_CHANGE_NOTE, n->trial, text, NULL, error);
    mem_free(text);
    return status;
}

locbo_status locbo_study_note(locbo_study *study, uint64_t trial, const char *note, const char *tags,
                              locbo_error *error) {
    if (!study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    noting n = {.study = study, .trial = trial, .note = note};
    token_call c = {.call = "note", .study = study->id, .work = write_note, .user = &n};
    locbo_status status = token_begin(&c, study->store, error);
    if (status == LOCBO_OK) status = ledger_check_text("note", note, error);
    if (status == LOCBO_OK) status = ledger_check_text("tags", tags, error);
    char *sorted = tags ? sort_tags(tags) : NULL;
    n.tags = sorted;
    if (status == LOCBO_OK && tags && !sorted) status = status_no_memory(error);
    if (status == LOCBO_OK) status = token_write(&c, study->store, error);
    mem_free(sorted);
    mem_free(n.was[0]);
    mem_free(n.was[1]);
    return status;
}

static locbo_status read_note(locbo_store *store, void *user, locbo_error *error) {
    noting *n = user;
    uint64_t found = 0;
    locbo_status status = store_query(store, "SELECT {note}, {tags} FROM locbo_study WHERE id = $1",
                                      VALUES(store_int(n->study->id)), take_of_trial, n, &found, error);
    return status == LOCBO_OK && found == 0 ? ledger_gone(n->study, error) : status;
}

locbo_status locbo_study_get_note(locbo_study *study, char **note, char **tags, locbo_error *error) {
    if (!study || !note || !tags)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "study, note and tags must not be NULL");
    noting n = {.study = study};
    locbo_status status = store_read(study->store, read_note, &n, error);
    if (status != LOCBO_OK) {
        mem_free(n.was[0]);
        mem_free(n.was[1]);
        return status;
    }
    *note = n.was[0];
    *tags = n.was[1];
    return status_ok(error);
}
