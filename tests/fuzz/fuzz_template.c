/* fuzz_template.c - the objective's command as a text: split into words, joined and split again, its placeholders
 * replaced. */
#include "fuzz.h"
#include "mem.h"
#include "template.h"
#include "words.h"

static const double POINT[FUZZ_DIM] = {0.1, 1e-3, 12, 1};

static void check_again(size_t count, char **words) {
    char **again, *text = words_join(count, (const char *const *)words);
    size_t n;
    must(text);
    must_do(words_split(text, &again, &n, &error));
    must(n == count);
    for (size_t i = 0; i < n; i++) must(strcmp(words[i], again[i]) == 0);
    mem_free(again);
    mem_free(text);
}

/* A word without a brace stays what it is. If no word has a parameter's placeholder, the parameters are appended. */
static void check_expanded(size_t count, char **words, char **expanded) {
    size_t made = 0;
    while (expanded[made]) made++;
    must(made == count || made == count + FUZZ_DIM);
    for (size_t i = 0; i < count; i++)
        if (!strpbrk(words[i], "{}")) must(strcmp(words[i], expanded[i]) == 0);
    if (made > count) must(strcmp(expanded[count], "--x=0.1") == 0 && strcmp(expanded[count + 2], "--n=12") == 0);
}

/* The words as the environment that was there: ours is not changed by it. */
static void check_environment(const template_values *values, char **words) {
    char **environment;
    size_t ours = 0;
    must_do(template_environment(values, words, &environment, &error));
    for (size_t i = 0; environment[i]; i++) {
        if (strncmp(environment[i], "LOCBO_TRIAL=", 12) != 0) continue;
        must(strcmp(environment[i], "LOCBO_TRIAL=17") == 0);
        ours++;
    }
    must(ours == 1);
    template_free(environment);
}

static void check_words(const locbo_space *space, size_t count, char **words) {
    template_values values = {.space = space,
                              .x = POINT,
                              .trial = 17,
                              .seed = 123456,
                              .attempt = 2,
                              .workdir = "/tmp/a {x} b",
                              .result_file = "/tmp/r.json"};
    char **expanded;
    check_environment(&values, words);
    if (count == 0 || !fuzz_done(template_check(space, count, (const char *const *)words, &error))) return;
    must_do(template_expand(&values, count, (const char *const *)words, &expanded, &error));
    check_expanded(count, words, expanded);
    template_free(expanded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size), **words;
    size_t count;
    locbo_space *space = fuzz_space();
    if (fuzz_done(words_split(text, &words, &count, &error))) {
        check_again(count, words);
        check_words(space, count, words);
        mem_free(words);
    }
    locbo_space_destroy(space);
    free(text);
    return 0;
}
