/* pipe_alter.c - the request "alter" of `locbo pipe`. Layer: cli, middle.
 * The study as JSON, with what is wanted on top, is read as the head of an export: so a request can say what a study
 * file can. */
#include "pipe_alter.h"

#include <string.h>

#include "redefinition.h"
#include "difference.h"
#include "json_build.h"
#include "mem.h"
#include "rows.h"
#include "study_head.h"
#include "template.h"

typedef struct altering {
    locbo_definition present;
    locbo_plan plan, wanted_plan;
    study_file file, planned; /* the definition that is wanted; the same with the plan */
    redefinition made;
    difference lines;
    locbo_alteration effect;
} altering;

static void release(altering *a) {
    study_file_release(&a->file);
    study_file_release(&a->planned);
    redefinition_release(&a->made);
    difference_release(&a->lines);
}

/* ---- what is wanted -------------------------------------------------------------------------- */

static locbo_status check_keys(json_t *wanted, locbo_error *error) {
    static const char *const objects[] = {"parameters", "outputs", "options", "plan"};
    static const char *const others[] = {"constraints", "command", "cost"};
    const char *key;
    json_t *value;
    if (!json_is_object(wanted)) return status_fail(error, LOCBO_ERR_ARGUMENT, "\"definition\" must be an object");
    json_object_foreach(wanted, key, value) {
        int known = 0;
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) known |= strcmp(key, others[i]) == 0;
        for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
            if (strcmp(key, objects[i]) != 0) continue;
            known = 1;
            if (!json_is_object(value)) return status_fail(error, LOCBO_ERR_ARGUMENT, "\"%s\" must be an object", key);
        }
        if (!known) return status_fail(error, LOCBO_ERR_ARGUMENT, "a definition has no key \"%.40s\"", key);
    }
    return LOCBO_OK;
}

/* The members of an object on top of those that the head has; others as a whole. */
static int overlay(json_t *head, const char *key, json_t *value) {
    json_t *there = json_object_get(head, key);
    if (json_is_object(value) && json_is_object(there)) return json_object_update(there, value);
    return json_object_set(head, key, value);
}

/* The head of the study with the wanted members, but for the plan; NULL without memory. */
static json_t *head_of(const locbo_definition *present, json_t *wanted) {
    json_t *head = rows_definition(present), *value;
    const char *key;
    int bad = !head;
    json_object_foreach(wanted, key, value) {
        if (!bad && strcmp(key, "plan") != 0) bad = overlay(head, key, value);
    }
    return build_finish(head, bad);
}

static locbo_status read_head(const json_t *head, study_file *file, locbo_error *error) {
    locbo_error why;
    if (!head) return status_no_memory(error);
    locbo_status status = study_head_read("definition", head, file, &why);
    if (status == LOCBO_OK) return LOCBO_OK;
    memset(file, 0, sizeof *file);
    /* it came with the request, not in a file */
    return status_fail(error, status == LOCBO_ERR_FORMAT ? LOCBO_ERR_ARGUMENT : status, "%s", why.message);
}

static locbo_status want_definition(altering *a, json_t *wanted, locbo_error *error) {
    json_t *head = head_of(&a->present, wanted);
    locbo_status status = read_head(head, &a->file, error);
    json_decref(head);
    if (status != LOCBO_OK) return status;
    locbo_definition given = {.struct_size = sizeof given,
                              .space = a->file.space,
                              .options = &a->file.options,
                              .command_count = a->file.command_count,
                              .command = (const char *const *)a->file.command,
                              .outputs = a->file.outputs};
    status = redefinition_make(&a->made, &a->present, &given, 0, NULL, error);
    if (status == LOCBO_OK && a->made.pastless)
        status = status_fail(error, LOCBO_ERR_ARGUMENT,
                             "the new parameter '%.60s' needs \"past\": the value that earlier trials had",
                             a->made.pastless);
    const locbo_definition *d = &a->made.definition;
    if (status == LOCBO_OK && d->command_count > 0)
        status = template_check(d->space, d->command_count, d->command, error);
    return status;
}

/* Targets go by the names of outputs. */
static locbo_status want_plan(altering *a, json_t *plan, locbo_error *error) {
    a->wanted_plan = a->plan;
    difference_move_targets(a->present.outputs, a->made.definition.outputs, &a->wanted_plan);
    if (!plan) return LOCBO_OK;
    json_t *head = rows_definition(&a->made.definition);
    int bad = build_put(head, "plan", rows_plan(a->made.definition.outputs, &a->wanted_plan));
    json_t *there = json_object_get(head, "plan"), *value;
    const char *key;
    json_object_foreach(plan, key, value) {
        if (!bad && !json_object_get(there, key)) {
            json_decref(head);
            return status_fail(error, LOCBO_ERR_ARGUMENT, "a plan has no key \"%.40s\"", key);
        }
        bad = bad || json_object_set(there, key, value) != 0;
    }
    head = build_finish(head, bad);
    locbo_status status = read_head(head, &a->planned, error);
    json_decref(head);
    if (status == LOCBO_OK) a->wanted_plan = a->planned.plan;
    return status;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static int put_answer(json_t *answer, const altering *a) {
    const locbo_alteration *e = &a->effect;
    int bad = build_put(answer, "event", e->event ? build_count(e->event) : json_null());
    bad |= build_put(answer, "changes", rows_words(a->lines.count, (const char *const *)a->lines.lines));
    bad |= build_put(answer, "outside", build_count(e->outside));
    bad |= build_put(answer, "aside", build_count(e->aside));
    bad |= build_put(answer, "withdrawn", build_count(e->withdrawn));
    return bad | build_put(answer, "fits", build_count(e->fits));
}

locbo_status pipe_alter(locbo_store *store, locbo_study *study, json_t *wanted, const char *why, int only_try,
                        uint64_t token, json_t *answer, locbo_error *error) {
    altering a = {.present = {.struct_size = sizeof a.present}, .plan = {.struct_size = sizeof a.plan}};
    locbo_status status = check_keys(wanted, error);
    if (status == LOCBO_OK) status = locbo_study_definition(study, &a.present, error);
    if (status == LOCBO_OK) status = locbo_study_plan(study, &a.plan, error);
    if (status == LOCBO_OK) status = want_definition(&a, wanted, error);
    if (status == LOCBO_OK) status = want_plan(&a, json_object_get(wanted, "plan"), error);
    if (status == LOCBO_OK)
        status = difference_find(&a.present, &a.made.definition, &a.plan, &a.wanted_plan, &a.lines, error);
    locbo_store_token(store, token); /* the next call with the store is the one that writes */
    if (status == LOCBO_OK)
        status = locbo_study_alter(study, &a.made.definition, &a.wanted_plan, why, only_try, &a.effect, error);
    if (status == LOCBO_OK && put_answer(answer, &a)) status = status_no_memory(error);
    release(&a);
    return status;
}
