/* disagreement.c - a study that differs from what is given for it. Layer: cli, middle. */
#include "disagreement.h"

#include <stdio.h>
#include <string.h>

#include "redefinition.h"
#include "mem.h"
#include "text.h"
#include "words.h"

enum { MOST_LINES = 10 };

locbo_status disagreement_find(const session *s, const locbo_definition *given, disagreement *d, locbo_error *error) {
    locbo_definition there = {.struct_size = sizeof there};
    redefinition a = {.space = NULL};
    *d = (disagreement){.found = 0};
    locbo_status status = locbo_study_definition(s->study, &there, error);
    if (status != LOCBO_OK) return status;
    status = redefinition_make(&a, &there, given, 0, NULL, error);
    if (status == LOCBO_OK) status = difference_find(&there, &a.definition, NULL, NULL, &d->what, error);
    if (status == LOCBO_OK && d->what.count > 0) status = status_fail(error, LOCBO_ERR_STATE, "%s", d->what.lines[0]);
    d->found = status == LOCBO_ERR_STATE || status == LOCBO_ERR_ARGUMENT; /* what no alteration can do, too */
    redefinition_release(&a);
    return status;
}

static int count_one(const char *name, void *user) {
    (void)name;
    return ++*(size_t *)user > 1;
}

static int is_only_study(const session *s) {
    size_t count = 0;
    return locbo_store_each(s->store, count_one, &count, NULL) == LOCBO_OK && count == 1;
}

/* "locbo alter --db ... --name ... -p ..." */
static char *alter_command(const session *s, const difference *d, const char *url) {
    const char **words = mem_new(d->word_count + 6, sizeof *words);
    size_t count = 0;
    if (!words) return NULL;
    words[count++] = "locbo";
    words[count++] = "alter";
    if (url) words[count++] = "--db";
    if (url) words[count++] = url;
    if (!is_only_study(s)) {
        words[count++] = "--name";
        words[count++] = locbo_study_name(s->study);
    }
    memcpy(words + count, d->words, d->word_count * sizeof *words);
    char *text = words_join(count + d->word_count, words);
    mem_free(words);
    return text;
}

/* Lines that contain what users wrote, so without characters that control a terminal. */
static void print_lines(const difference *d) {
    for (size_t i = 0; i < d->count && i < MOST_LINES; i++) {
        text_clean(d->lines[i]);
        fprintf(stderr, "    %s\n", d->lines[i]);
    }
    if (d->count > MOST_LINES) fprintf(stderr, "    and %zu more\n", d->count - MOST_LINES);
}

void disagreement_print(const session *s, const disagreement *found, const char *url, const locbo_error *error) {
    static const char others[] = "another --name creates a new study, `locbo delete` removes this one, --command runs "
                                 "another command here";
    const char *name = locbo_study_name(s->study);
    const difference *d = &found->what;
    if (d->count == 0) {
        message_print(s->self->name, 0, "the study '%s' has another definition: %s (%s)", name, error->message, others);
        return;
    }
    message_print(s->self->name, 0, "the study '%s' has another definition (in the study -> given):", name);
    print_lines(d);
    char *text = d->word_count > 0 ? alter_command(s, d, url) : NULL;
    if (text) {
        text_clean(text);
        fprintf(stderr, "this makes the study as it is given%s:\n    %s\n",
                d->open ? ", with values in the place of VALUE (--past: what trials so far had, --freeze: what further "
                          "ones have)"
                        : "",
                text);
    }
    fprintf(stderr, "(%s)\n", others);
    mem_free(text);
}
