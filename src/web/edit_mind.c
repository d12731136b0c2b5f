/* edit_mind.c - the edits by which someone changes their mind. Layer: web, parts. */
#include "edit_mind.h"

#include <inttypes.h>
#include <string.h>

#include "buffer.h"
#include "mem.h"
#include "parameter_merge.h"

/* ---- the body -------------------------------------------------------------------------------- */

locbo_status edit_text(json_t *body, const char *key, const char *otherwise, const char **text, locbo_error *error) {
    json_t *value = json_object_get(body, key);
    *text = json_is_string(value) ? json_string_value(value) : otherwise;
    if (value && !json_is_string(value) && !json_is_null(value))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be a text", key);
    return LOCBO_OK;
}

/* A whole number of at least 1; 0 if it is not given, which `needed` does not allow. */
static locbo_status read_count(json_t *body, const char *key, int needed, uint64_t *count, locbo_error *error) {
    json_t *value = json_object_get(body, key);
    *count = 0;
    if ((!value || json_is_null(value)) && !needed) return LOCBO_OK;
    if (!json_is_integer(value) || json_integer_value(value) < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be a whole number of at least 1", key);
    *count = (uint64_t)json_integer_value(value);
    return LOCBO_OK;
}

static locbo_status read_flag(json_t *body, const char *key, int *flag, locbo_error *error) {
    json_t *value = json_object_get(body, key);
    *flag = json_is_true(value);
    if (value && !json_is_boolean(value))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be true or false", key);
    return LOCBO_OK;
}

static locbo_status read_real(json_t *body, const char *key, double *number, locbo_error *error) {
    json_t *value = json_object_get(body, key);
    *number = json_number_value(value);
    if (!json_is_number(value)) return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be a number", key);
    return LOCBO_OK;
}

static locbo_status read_why(json_t *body, const char **why, locbo_error *error) {
    return edit_text(body, "why", NULL, why, error);
}

/* ---- trials ---------------------------------------------------------------------------------- */

locbo_status edit_retract(locbo_study *study, json_t *body, json_t *answer, locbo_error *error) {
    uint64_t trial, sequence = 0;
    const char *why = NULL;
    (void)answer;
    locbo_status status = read_count(body, "trial", 1, &trial, error);
    if (status == LOCBO_OK) status = read_count(body, "sequence", 0, &sequence, error);
    if (status == LOCBO_OK) status = read_why(body, &why, error);
    return status == LOCBO_OK ? locbo_study_retract(study, trial, sequence, why, error) : status;
}

locbo_status edit_fail(locbo_study *study, json_t *body, json_t *answer, locbo_error *error) {
    uint64_t trial;
    int infeasible = 0;
    const char *why = NULL;
    (void)answer;
    locbo_status status = read_count(body, "trial", 1, &trial, error);
    if (status == LOCBO_OK) status = read_flag(body, "infeasible", &infeasible, error);
    if (status == LOCBO_OK) status = read_why(body, &why, error);
    if (status != LOCBO_OK) return status;
    return locbo_study_fail(study, trial, infeasible ? LOCBO_STATE_INFEASIBLE : LOCBO_STATE_FAILED, why, error);
}

/* The words of a list as one text; "" for an empty one. NULL: the list is not given. */
static locbo_status read_tags(json_t *body, buffer *text, const char **tags, locbo_error *error) {
    json_t *list = json_object_get(body, "tags"), *word;
    size_t i;
    *tags = NULL;
    if (!list || json_is_null(list)) return LOCBO_OK;
    if (!json_is_array(list)) return status_fail(error, LOCBO_ERR_ARGUMENT, "tags must be a list of words");
    json_array_foreach(list, i, word) {
        const char *tag = json_string_value(word);
        if (!tag || !*tag || strpbrk(tag, " ,\t\r\n"))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "tags must be words without spaces and commas");
        if (i > 0) buffer_char(text, ' ', 1);
        buffer_text(text, tag);
    }
    buffer_char(text, '\0', 1);
    *tags = text->data;
    return text->failed ? status_no_memory(error) : LOCBO_OK;
}

locbo_status edit_note(locbo_study *study, json_t *body, json_t *answer, locbo_error *error) {
    uint64_t trial;
    const char *note = NULL, *tags = NULL;
    buffer text = {.data = NULL};
    (void)answer;
    locbo_status status = read_count(body, "trial", 0, &trial, error);
    if (status == LOCBO_OK) status = edit_text(body, "note", NULL, &note, error);
    if (status == LOCBO_OK) status = read_tags(body, &text, &tags, error);
    if (status == LOCBO_OK && !note && !tags)
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "a note or tags must be given");
    if (status == LOCBO_OK) status = locbo_study_note(study, trial, note, tags, error);
    mem_free(text.data);
    return status;
}

/* ---- pauses and names ------------------------------------------------------------------------ */

locbo_status edit_pause(locbo_study *study, json_t *body, json_t *answer, locbo_error *error) {
    const char *why;
    (void)answer;
    locbo_status status = read_why(body, &why, error);
    return status == LOCBO_OK ? locbo_study_pause(study, why, error) : status;
}

/* Whether it was paused or stopped, it continues. */
locbo_status edit_resume(locbo_study *study, json_t *body, json_t *answer, locbo_error *error) {
    const char *why;
    locbo_census census;
    (void)answer;
    locbo_status status = read_why(body, &why, error);
    if (status == LOCBO_OK) status = locbo_study_census(study, &census, error);
    if (status == LOCBO_OK && census.stopped) status = locbo_study_stop(study, NULL, error);
    if (status == LOCBO_OK && census.paused) status = locbo_study_resume(study, why, error);
    return status;
}

locbo_status edit_rename(locbo_study *study, json_t *body, json_t *answer, locbo_error *error) {
    const char *name;
    (void)answer;
    locbo_status status = edit_text(body, "name", "", &name, error);
    if (status == LOCBO_OK && !*name) status = status_fail(error, LOCBO_ERR_ARGUMENT, "name must be a text");
    return status == LOCBO_OK ? locbo_study_rename(study, name, error) : status;
}

/* ---- alterations ----------------------------------------------------------------------------- */

static locbo_status put_effect(json_t *answer, const locbo_alteration *effect, locbo_error *error) {
    json_t *row = json_pack("{s:I, s:I, s:I, s:I, s:I}", "event", (json_int_t)effect->event, "outside",
                            (json_int_t)effect->outside, "aside", (json_int_t)effect->aside, "withdrawn",
                            (json_int_t)effect->withdrawn, "fits", (json_int_t)effect->fits);
    return row && json_object_update_new(answer, row) == 0 ? LOCBO_OK : status_no_memory(error);
}

locbo_status edit_plan(locbo_study *study, json_t *body, json_t *answer, locbo_error *error) {
    json_t *trials = json_object_get(body, "trials");
    json_int_t wanted = json_integer_value(trials);
    const char *why = NULL;
    locbo_plan changed;
    (void)answer;
    if (!json_is_integer(trials) || wanted < 1 || wanted > INT32_MAX)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "trials must be a whole number from 1 to %" PRId32, INT32_MAX);
    locbo_plan_init(&changed);
    locbo_status status = read_why(body, &why, error);
    if (status == LOCBO_OK) status = locbo_study_plan(study, &changed, error);
    if (status != LOCBO_OK) return status;
    changed.trials = (uint64_t)wanted;
    return locbo_study_alter(study, NULL, &changed, why, 0, NULL, error);
}

/* The range that the body gives a parameter. */
typedef struct range {
    size_t index;
    double low, high;
} range;

static locbo_status read_range(const locbo_space *space, json_t *body, range *r, locbo_error *error) {
    const char *name;
    locbo_parameter p;
    locbo_status status = edit_text(body, "parameter", "", &name, error);
    if (status == LOCBO_OK) status = read_real(body, "low", &r->low, error);
    if (status == LOCBO_OK) status = read_real(body, "high", &r->high, error);
    if (status != LOCBO_OK) return status;
    if (locbo_space_find(space, name, &r->index, NULL) != LOCBO_OK ||
        locbo_space_parameter(space, r->index, &p, NULL) != LOCBO_OK)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter: there is no '%.60s'", name);
    if (p.kind != LOCBO_REAL && p.kind != LOCBO_INT)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter: '%.60s' has no range", name);
    return LOCBO_OK;
}

/* The space with another range of one parameter. */
static locbo_status change_range(const locbo_space *from, const range *r, locbo_space **made, locbo_error *error) {
    locbo_status status = locbo_space_create(made, error);
    for (size_t i = 0; i < locbo_space_dim(from) && status == LOCBO_OK; i++) {
        parameter_merge m;
        status = parameter_merge_begin(&m, from, i, NULL, *made, error);
        if (i == r->index) m.spec.low = r->low, m.spec.high = r->high;
        if (status == LOCBO_OK) status = locbo_space_add(*made, &m.spec, error);
        parameter_merge_release(&m);
    }
    for (size_t i = 0; i < locbo_space_constraint_count(from) && status == LOCBO_OK; i++)
        status = locbo_space_add_constraint(*made, locbo_space_constraint(from, i), error);
    return status == LOCBO_OK ? locbo_space_set_cost(*made, locbo_space_cost(from), error) : status;
}

/* What is no range, 1 to 0 for instance, the library refuses, in its own words. */
locbo_status edit_alter(locbo_study *study, json_t *body, json_t *answer, locbo_error *error) {
    locbo_definition definition = {.struct_size = sizeof definition};
    locbo_alteration effect = {0};
    locbo_space *space = NULL;
    const char *why = NULL;
    range r = {.index = 0};
    int only_try = 0;
    locbo_status status = locbo_study_definition(study, &definition, error);
    if (status == LOCBO_OK) status = read_why(body, &why, error);
    if (status == LOCBO_OK) status = read_flag(body, "try", &only_try, error);
    if (status == LOCBO_OK) status = read_range(definition.space, body, &r, error);
    if (status == LOCBO_OK) status = change_range(definition.space, &r, &space, error);
    definition.space = space;
    if (status == LOCBO_OK) status = locbo_study_alter(study, &definition, NULL, why, only_try, &effect, error);
    locbo_space_destroy(space);
    return status == LOCBO_OK ? put_effect(answer, &effect, error) : status;
}
