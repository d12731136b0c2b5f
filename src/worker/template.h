/* template.h - the objective's command line: placeholders in its words are replaced, nothing is interpreted.
 * {name} is a parameter's value; also {trial} {seed} {attempt} {workdir} {result_file}. {{ and }} are braces. If no
 * word has a parameter's placeholder, --name=value is appended for every parameter. {name:text} is `text` where the
 * parameter is not active; for one that may be inactive {name} alone is refused, and what is appended leaves it out. */
#ifndef TEMPLATE_H
#define TEMPLATE_H

#include "status.h"

/* What the placeholders stand for in one evaluation. */
typedef struct template_values {
    const locbo_space *space;
    const double *x;
    uint64_t trial, seed, attempt;
    const char *workdir, *result_file;
} template_values;

/* Whether every placeholder is known and every brace is closed; the error quotes the word. */
locbo_status template_check(const locbo_space *space, size_t count, const char *const *words, locbo_error *error);
/* Whether --name=value is appended for every parameter, because no word has a parameter's placeholder. */
int template_appends(const locbo_space *space, size_t count, const char *const *words);
/* The words of one evaluation, NULL-terminated, each on its own: free with template_free. */
locbo_status template_expand(const template_values *values, size_t count, const char *const *words, char ***expanded,
                             locbo_error *error);
/* The environment of one evaluation: ours plus LOCBO_TRIAL, LOCBO_SEED, LOCBO_ATTEMPT, LOCBO_WORKDIR, LOCBO_RESULT_FILE
 * and LOCBO_PARAM_name for every active parameter, with the name as it is and in capitals (where no other parameter has
 * that name). `base` is NULL-terminated. */
locbo_status template_environment(const template_values *values, char *const *base, char ***environment,
                                  locbo_error *error);
void template_free(char **words);

#endif
