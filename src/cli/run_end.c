/* run_end.c - the command at the end of a run. Layer: cli, middle. */
#include "run_end.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "credential.h"
#include "exit_code.h"
#include "mem.h"
#include "number.h"
#include "process.h"
#include "words.h"

extern char **environ;

int run_end_check(session *s) {
    const char *text = args_get(&s->args, "on-end");
    char **words = NULL;
    size_t count = 0;
    locbo_error error;
    if (!text) return 1;
    locbo_status status = words_split(text, &words, &count, &error);
    mem_free(words);
    if (status == LOCBO_OK && count > 0) return 1;
    session_usage(s, "--on-end: %s", status == LOCBO_OK ? "there is no command" : error.message);
    return 0;
}

/* The best value as text; empty if there is none, or not one. */
static void best_text(locbo_study *study, char best[NUMBER_TEXT]) {
    locbo_census census;
    best[0] = '\0';
    if (locbo_study_census(study, &census, NULL) == LOCBO_OK && !isnan(census.best_value))
        number_print(census.best_value, best);
}

static void run_words(const session *s, char **words, char **environment) {
    const char *self = s->self->name;
    int code = 0, failed = process_run(words, environment, &code);
    if (failed)
        message_print(self, 0, "--on-end: cannot start %s: %s", words[0], strerror(failed));
    else if (code < 0)
        message_print(self, 0, "--on-end: %s was ended by signal %d", words[0], -code);
    else if (code > 0)
        message_print(self, 0, "--on-end: %s ended with exit code %d", words[0], code);
}

void run_end_run(session *s, const char *reason) {
    enum { OURS = 3 };
    const char *text = args_get(&s->args, "on-end");
    char **words = NULL, **base = NULL, **environment = NULL, best[NUMBER_TEXT], *ours[OURS] = {NULL};
    size_t count, n = 0;
    if (!text || words_split(text, &words, &count, NULL) != LOCBO_OK) return;
    best_text(s->study, best);
    base = credential_strip(environ);
    while (base && base[n]) n++;
    environment = mem_new(n + OURS + 1, sizeof *environment);
    int good = base && environment && asprintf(&ours[0], "LOCBO_STUDY=%s", locbo_study_name(s->study)) > 0 &&
               asprintf(&ours[1], "LOCBO_REASON=%s", reason) > 0 && asprintf(&ours[2], "LOCBO_BEST=%s", best) > 0;
    for (size_t i = 0; good && i < OURS; i++) environment[i] = ours[i]; /* the first of a name counts */
    for (size_t i = 0; good && i < n; i++) environment[OURS + i] = base[i];
    fflush(stdout);
    if (good)
        run_words(s, words, environment);
    else
        message_print(s->self->name, 0, "--on-end: out of memory");
    for (size_t i = 0; i < OURS; i++) free(ours[i]);
    mem_free(environment);
    mem_free(base);
    mem_free(words);
}
