/* study_head.c - what an exported study is, read back as a study file. Layer: cli, middle. */
#include "study_head.h"

#include <stdlib.h>
#include <string.h>

/* Copy a member under another name, unless it is missing or null. */
static int copy(json_t *to, const char *name, const json_t *from, const char *key) {
    json_t *value = json_object_get(from, key);
    if (!value || json_is_null(value)) return 1;
    return json_object_set(to, name, value) == 0;
}

/* All options; the direction is that of the outputs if there is a table of them, and not in their study file. */
static int copy_options(json_t *to, const json_t *root) {
    json_t *options = json_copy(json_object_get(root, "options"));
    if (json_object_get(root, "outputs")) json_object_del(options, "direction");
    if (!json_object_get(root, "options")) return 1;
    return json_object_set_new(to, "options", options) == 0;
}

static json_t *head_of(const json_t *root) {
    static const char *const same[] = {"name", "parameters", "constraints", "outputs", "cost"};
    static const char *const planned[] = {"trials",       "timeout", "retries",  "retry_delay",
                                          "max_failures", "lease",   "max_lost", "confirm",
                                          "evaluations",  "budget",  "prune",    "prune_risk"};
    static const char *const rules[] = {"time", "target", "no_improvement", "expected_gain"};
    const json_t *plan = json_object_get(root, "plan");
    json_t *head = json_object(), *stop = json_object();
    int good = head && stop;
    for (size_t i = 0; good && i < sizeof same / sizeof same[0]; i++) good = copy(head, same[i], root, same[i]);
    if (good) good = copy_options(head, root);
    for (size_t i = 0; good && i < sizeof planned / sizeof planned[0]; i++)
        good = copy(head, planned[i], plan, planned[i]);
    for (size_t i = 0; good && i < sizeof rules / sizeof rules[0]; i++) good = copy(stop, rules[i], plan, rules[i]);
    if (good && json_array_size(json_object_get(root, "command")) > 0) good = copy(head, "command", root, "command");
    if (good && json_object_size(stop) > 0) good = json_object_set(head, "stop", stop) == 0;
    json_decref(stop);
    if (good) return head;
    json_decref(head);
    return NULL;
}

/* The options that an older export does not mention have the values of then. */
static locbo_status set_older(const json_t *mentioned, locbo_options *options, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    locbo_option option;
    for (size_t i = 0; status == LOCBO_OK && i < locbo_option_count(); i++) {
        status = locbo_option_describe(i, &option, error);
        if (status == LOCBO_OK && option.older_text && !json_object_get(mentioned, option.name))
            status = locbo_options_set(options, option.name, option.older_text, error);
    }
    return status;
}

locbo_status study_head_read(const char *path, const json_t *root, study_file *file, locbo_error *error) {
    json_t *head = head_of(root);
    char *text = head ? json_dumps(head, JSON_REAL_PRECISION(17)) : NULL;
    locbo_status status = text ? study_file_parse(path, text, strlen(text), file, error) : status_no_memory(error);
    free(text);
    json_decref(head);
    if (status != LOCBO_OK) return status;
    /* null is "never", which a study file says with 0 */
    const json_t *plan = json_object_get(root, "plan");
    if (json_is_null(json_object_get(plan, "max_failures"))) file->plan.max_failures = 0;
    status = set_older(json_object_get(root, "options"), &file->options, error);
    if (status != LOCBO_OK) study_file_release(file);
    return status;
}
