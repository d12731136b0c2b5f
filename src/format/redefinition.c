/* redefinition.c - the definition that a study is to have. Layer: format.
 * Cost: quadratic in the number of parameters and changes. */
#include "redefinition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "distribution.h"
#include "goal.h"
#include "mem.h"
#include "nearest.h"
#include "parameter_merge.h"

static const char *const options_of[ALTER_KINDS] = {"--param",  "--past",     "--freeze",     "--unfreeze",
                                                    "--retire", "--unretire", "--constraint", "--no-constraint",
                                                    "--output", "--fidelity", "--cost"};

const char *redefinition_option(redefinition_kind kind) { return options_of[kind]; }

/* What is being done. */
typedef struct work {
    redefinition *to;
    const locbo_definition *study, *given; /* given NULL: only changes */
    size_t count;
    const redefinition_edit *edits;
    unsigned char *done; /* of the parameters of the study, then of the others */
} work;

static locbo_status refuse(const redefinition_edit *e, const locbo_error *why, locbo_error *error) {
    return status_fail(error, why->status, "%s %.80s: %.200s", options_of[e->kind], e->text, why->message);
}

/* Whether the change is of the parameter or output of this name: what its text begins with. */
static int is_of(const redefinition_edit *e, const char *name) {
    const char *start = e->text;
    size_t length = strlen(name);
    while (*start == ' ' || (*start >= '\t' && *start <= '\r')) start++;
    if (strncmp(start, name, length) != 0) return 0;
    for (start += length; *start == ' ' || (*start >= '\t' && *start <= '\r'); start++) {
    }
    return *start == '\0' || strchr("=~<>", *start) != NULL;
}

static const redefinition_edit *find_edit(const work *w, redefinition_kind kind, const char *name) {
    for (size_t i = 0; i < w->count; i++)
        if (w->edits[i].kind == kind && is_of(&w->edits[i], name)) return &w->edits[i];
    return NULL;
}

/* Whether it is a change of a parameter that is there, or comes to be. */
static int is_of_parameter(const redefinition_edit *e) { return e->kind >= ALTER_PAST && e->kind <= ALTER_UNRETIRE; }

/* ---- a parameter ------------------------------------------------------------------------------- */

static locbo_status edit_parameter(parameter_merge *m, const redefinition_edit *e, locbo_error *error) {
    const char *equals = strchr(e->text, '='), *value = equals ? equals + 1 : "";
    locbo_error why = {LOCBO_OK, ""};
    locbo_status status = LOCBO_OK;
    if (e->kind == ALTER_PAST) status = parameter_merge_past(m, value, &why);
    if (e->kind == ALTER_FREEZE) status = parameter_merge_freeze(m, value, &why);
    if (e->kind == ALTER_UNFREEZE) parameter_merge_unfreeze(m);
    if (e->kind == ALTER_RETIRE) status = parameter_merge_retire(m, value, 1, &why);
    if (e->kind == ALTER_UNRETIRE) status = parameter_merge_retire(m, value, 0, &why);
    return status == LOCBO_OK ? LOCBO_OK : refuse(e, &why, error);
}

/* The change of the fidelity; NULL: there is none. */
static const redefinition_edit *fidelity_edit(const work *w) {
    for (size_t i = 0; i < w->count; i++)
        if (w->edits[i].kind == ALTER_FIDELITY) return &w->edits[i];
    return NULL;
}

/* The change by which a parameter is given anew; NULL: there is none. */
static const redefinition_edit *find_anew(const work *w, const char *name) {
    const redefinition_edit *e = fidelity_edit(w);
    if (e && strchr(e->text, '~') && is_of(e, name)) return e;
    return find_edit(w, ALTER_PARAMETER, name);
}

/* Parameter i of `source`, with all its changes. */
static locbo_status add_from(work *w, const locbo_space *source, size_t i, locbo_error *error) {
    locbo_parameter p, old;
    parameter_merge m;
    size_t index;
    locbo_space_parameter(source, i, &p, NULL);
    int known = locbo_space_find(w->study->space, p.name, &index, NULL) == LOCBO_OK;
    if (known) locbo_space_parameter(w->study->space, index, &old, NULL);
    locbo_status status = parameter_merge_begin(&m, source, i, known ? &old : NULL, w->to->space, error);
    for (size_t k = 0; k < w->count && status == LOCBO_OK; k++)
        if (is_of_parameter(&w->edits[k]) && is_of(&w->edits[k], p.name))
            status = edit_parameter(&m, &w->edits[k], error);
    const redefinition_edit *e = fidelity_edit(w);
    if (e && status == LOCBO_OK) m.spec.fidelity = is_of(e, p.name);
    if (status == LOCBO_OK) status = locbo_space_add(w->to->space, &m.spec, error);
    parameter_merge_release(&m);
    return status;
}

/* All of a space's parameters, as they are, for a text that may name them. */
static locbo_status copy_space(const locbo_space *space, locbo_space **copy, locbo_error *error) {
    locbo_status status = locbo_space_create(copy, error);
    for (size_t i = 0; i < locbo_space_dim(space) && status == LOCBO_OK; i++) {
        parameter_merge m;
        status = parameter_merge_begin(&m, space, i, NULL, *copy, error);
        if (status == LOCBO_OK) status = locbo_space_add(*copy, &m.spec, error);
        parameter_merge_release(&m);
    }
    return status;
}

/* A range given with -p says nothing of the fidelity: that it is to be one no longer must be said. */
static locbo_status check_fidelity(const work *w, const locbo_space *given, locbo_error *error) {
    locbo_parameter p, old;
    size_t at = locbo_space_fidelity(w->study->space);
    if (at == SIZE_MAX || fidelity_edit(w)) return LOCBO_OK;
    locbo_space_parameter(w->study->space, at, &old, NULL);
    locbo_space_parameter(given, locbo_space_dim(given) - 1, &p, NULL);
    if (p.fidelity || strcmp(p.name, old.name) != 0) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "it is the fidelity: give it with --fidelity, or say --fidelity none too");
}

/* A parameter from its text, which may name parameters before it in its condition. */
static locbo_status add_text(work *w, const redefinition_edit *e, locbo_error *error) {
    locbo_space *scratch = NULL;
    locbo_error why;
    locbo_status status = copy_space(w->to->space, &scratch, &why);
    if (status == LOCBO_OK)
        status = e->kind == ALTER_FIDELITY ? distribution_add_fidelity(scratch, e->text, &why)
                                           : distribution_add(scratch, e->text, &why);
    if (status == LOCBO_OK) status = check_fidelity(w, scratch, &why);
    if (status == LOCBO_OK) status = add_from(w, scratch, locbo_space_dim(scratch) - 1, &why);
    if (status != LOCBO_OK) refuse(e, &why, error);
    locbo_space_destroy(scratch);
    return status;
}

/* ---- all parameters ---------------------------------------------------------------------------- */

/* Parameter i of the study. It may be left out if it is not given. */
static locbo_status add_known(work *w, size_t i, locbo_error *error) {
    locbo_parameter p;
    size_t at;
    locbo_space_parameter(w->study->space, i, &p, NULL);
    const redefinition_edit *e = find_anew(w, p.name);
    if (e) return add_text(w, e, error);
    if (w->given && locbo_space_find(w->given->space, p.name, &at, NULL) == LOCBO_OK)
        return add_from(w, w->given->space, at, error);
    if (!w->given || !isnan(p.frozen) || find_edit(w, ALTER_FREEZE, p.name))
        return add_from(w, w->study->space, i, error);
    w->to->missing = p.name;
    return LOCBO_OK;
}

/* Parameter or change number j, if it is a parameter that the study does not have. */
static locbo_status add_unknown(work *w, size_t j, locbo_error *error) {
    locbo_parameter p;
    size_t at;
    if (w->given) {
        locbo_space_parameter(w->given->space, j, &p, NULL);
        if (locbo_space_find(w->study->space, p.name, &at, NULL) == LOCBO_OK) return LOCBO_OK;
        return add_from(w, w->given->space, j, error);
    }
    int anew = w->edits[j].kind == ALTER_FIDELITY && strchr(w->edits[j].text, '~');
    if (w->edits[j].kind != ALTER_PARAMETER && !anew) return LOCBO_OK;
    for (size_t i = 0; i < locbo_space_dim(w->study->space); i++) {
        locbo_space_parameter(w->study->space, i, &p, NULL);
        if (is_of(&w->edits[j], p.name)) return LOCBO_OK;
    }
    return add_text(w, &w->edits[j], error);
}

/* Try each that is not done; the first error of them, or a lack of memory at once. */
static locbo_status add_pass(work *w, size_t known, size_t all, size_t *added, locbo_error *error) {
    locbo_status first = LOCBO_OK;
    *added = 0;
    for (size_t i = 0; i < all; i++) {
        locbo_error why;
        if (w->done[i]) continue;
        locbo_status status = i < known ? add_known(w, i, &why) : add_unknown(w, i - known, &why);
        if (status == LOCBO_ERR_MEMORY) return status_no_memory(error);
        if (status != LOCBO_OK && first == LOCBO_OK) first = status_fail(error, status, "%s", why.message);
        w->done[i] = status == LOCBO_OK;
        *added += w->done[i];
    }
    return first;
}

/* Those of the study first, in their order; but one that depends on another comes after it, so what fails is tried
 * again as long as others succeed. */
static locbo_status add_parameters(work *w, locbo_error *error) {
    size_t known = locbo_space_dim(w->study->space), added = 0;
    size_t all = known + (w->given ? locbo_space_dim(w->given->space) : w->count);
    w->done = mem_new(all, 1);
    if (!w->done) return status_no_memory(error);
    locbo_status status;
    do status = add_pass(w, known, all, &added, error);
    while (status != LOCBO_OK && status != LOCBO_ERR_MEMORY && added > 0);
    mem_free(w->done);
    return status;
}

static locbo_status check_forms(const work *w, locbo_error *error) {
    for (size_t i = 0; i < w->count; i++) {
        const redefinition_edit *e = &w->edits[i];
        if (!is_of_parameter(e) || e->kind == ALTER_UNFREEZE || strchr(e->text, '=')) continue;
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s takes NAME=%s, got '%.80s'", options_of[e->kind],
                           e->kind == ALTER_RETIRE || e->kind == ALTER_UNRETIRE ? "CATEGORY" : "VALUE", e->text);
    }
    return LOCBO_OK;
}

/* There is one fidelity. */
static locbo_status check_one_fidelity(const work *w, locbo_error *error) {
    const redefinition_edit *first = fidelity_edit(w);
    for (size_t i = 0; i < w->count; i++) {
        const redefinition_edit *e = &w->edits[i];
        if (e->kind != ALTER_FIDELITY || e == first) continue;
        return status_fail(error, LOCBO_ERR_ARGUMENT, "--fidelity %.80s: it is given twice", e->text);
    }
    return LOCBO_OK;
}

static locbo_status check_name(const work *w, const redefinition_edit *e, locbo_error *error) {
    char hint[80], name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(e->text, "=~"), e->text);
    nearest guess = {.word = name};
    for (size_t i = 0; i < locbo_space_dim(w->to->space); i++) {
        locbo_parameter p;
        locbo_space_parameter(w->to->space, i, &p, NULL);
        if (is_of(e, p.name)) return LOCBO_OK;
        nearest_consider(&guess, p.name);
    }
    nearest_hint(&guess, "", hint, sizeof hint);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s %.80s: there is no parameter '%.40s'%s", options_of[e->kind],
                       e->text, name, hint);
}

/* What was said twice of one parameter. */
static locbo_status check_once(const work *w, size_t i, const char *name, locbo_error *error) {
    const redefinition_edit *e = &w->edits[i];
    if (e->kind == ALTER_RETIRE || e->kind == ALTER_UNRETIRE || find_edit(w, e->kind, name) == e) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s %.80s: it is given twice", options_of[e->kind], e->text);
}

static locbo_status check_edits(const work *w, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < w->count && status == LOCBO_OK; i++) {
        redefinition_kind kind = w->edits[i].kind;
        int named = kind == ALTER_FIDELITY && strcmp(w->edits[i].text, "none") != 0;
        if (is_of_parameter(&w->edits[i]) || named) status = check_name(w, &w->edits[i], error);
        for (size_t j = 0; j < locbo_space_dim(w->to->space) && status == LOCBO_OK && kind <= ALTER_UNRETIRE; j++) {
            locbo_parameter p;
            locbo_space_parameter(w->to->space, j, &p, NULL);
            if (is_of(&w->edits[i], p.name)) status = check_once(w, i, p.name, error);
        }
    }
    return status;
}

static void find_pastless(work *w) {
    for (size_t i = 0; i < locbo_space_dim(w->to->space); i++) {
        locbo_parameter p;
        size_t at;
        locbo_space_parameter(w->to->space, i, &p, NULL);
        if (isnan(p.past) && locbo_space_find(w->study->space, p.name, &at, NULL) != LOCBO_OK) w->to->pastless = p.name;
    }
}

/* ---- constraints ------------------------------------------------------------------------------- */

static int has_constraint(const locbo_space *space, const char *text) {
    for (size_t i = 0; i < locbo_space_constraint_count(space); i++)
        if (strcmp(locbo_space_constraint(space, i), text) == 0) return 1;
    return 0;
}

static int is_removed(const work *w, const char *text) {
    if (w->given) return !has_constraint(w->given->space, text);
    for (size_t i = 0; i < w->count; i++)
        if (w->edits[i].kind == ALTER_NO_CONSTRAINT && strcmp(w->edits[i].text, text) == 0) return 1;
    return 0;
}

static locbo_status add_constraint(work *w, const char *text, locbo_error *error) {
    if (has_constraint(w->to->space, text)) return LOCBO_OK;
    return locbo_space_add_constraint(w->to->space, text, error);
}

static locbo_status edit_constraint(work *w, const redefinition_edit *e, locbo_error *error) {
    locbo_error why;
    if (e->kind == ALTER_NO_CONSTRAINT && !has_constraint(w->study->space, e->text))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "--no-constraint %.80s: the study has no such constraint",
                           e->text);
    if (e->kind != ALTER_CONSTRAINT || add_constraint(w, e->text, &why) == LOCBO_OK) return LOCBO_OK;
    return refuse(e, &why, error);
}

static locbo_status add_constraints(work *w, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < locbo_space_constraint_count(w->study->space) && status == LOCBO_OK; i++) {
        const char *text = locbo_space_constraint(w->study->space, i);
        if (!is_removed(w, text)) status = add_constraint(w, text, error);
    }
    for (size_t i = 0; w->given && i < locbo_space_constraint_count(w->given->space) && status == LOCBO_OK; i++)
        status = add_constraint(w, locbo_space_constraint(w->given->space, i), error);
    for (size_t i = 0; i < w->count && status == LOCBO_OK; i++) status = edit_constraint(w, &w->edits[i], error);
    return status;
}

/* ---- cost -------------------------------------------------------------------------------------- */

static locbo_status set_cost(work *w, locbo_error *error) {
    const redefinition_edit *e = NULL;
    locbo_error why;
    for (size_t i = 0; i < w->count; i++)
        if (w->edits[i].kind == ALTER_COST) e = &w->edits[i];
    if (!e) return locbo_space_set_cost(w->to->space, locbo_space_cost((w->given ? w->given : w->study)->space), error);
    const char *text = strcmp(e->text, "none") == 0 ? NULL : e->text;
    return locbo_space_set_cost(w->to->space, text, &why) == LOCBO_OK ? LOCBO_OK : refuse(e, &why, error);
}

/* ---- outputs ----------------------------------------------------------------------------------- */

static locbo_output_spec output_at(const locbo_outputs *outputs, size_t i) {
    locbo_output_spec spec = {.struct_size = sizeof spec};
    locbo_outputs_get(outputs, i, &spec, NULL);
    return spec;
}

/* The table that a definition without one stands for. */
static locbo_status make_plain(const locbo_definition *d, locbo_outputs **outputs, locbo_error *error) {
    const int up = d->options->direction == LOCBO_MAXIMIZE;
    const locbo_output_spec value = {
        .struct_size = sizeof value, .name = "value", .goal = up ? LOCBO_GOAL_MAXIMIZE : LOCBO_GOAL_MINIMIZE};
    locbo_status status = locbo_outputs_create(outputs, error);
    return status == LOCBO_OK ? locbo_outputs_add(*outputs, &value, error) : status;
}

static locbo_status refuse_without(const locbo_outputs *study, locbo_error *error) {
    char names[120] = "";
    size_t count = locbo_outputs_count(study);
    for (size_t i = 0; i < count && strlen(names) < 60; i++) {
        if (i > 0) strcat(names, ", ");
        strncat(names, output_at(study, i).name, 40);
    }
    return status_fail(error, LOCBO_ERR_STATE, "the study has the output%s %s, and no outputs are given",
                       count == 1 ? "" : "s", names);
}

static locbo_status edit_output(work *w, const redefinition_edit *e, const char *name, locbo_error *error) {
    locbo_error why;
    for (const redefinition_edit *other = e + 1; name && other < w->edits + w->count; other++)
        if (other->kind == ALTER_OUTPUT && is_of(other, name))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "--output %.80s: it is given twice", other->text);
    if (goal_add(w->to->outputs, e->text, &why) == LOCBO_OK) return LOCBO_OK;
    return refuse(e, &why, error);
}

/* Output i of the study: as given, or changed; one that is not given is only recorded. */
static locbo_status add_output(work *w, const locbo_outputs *study, const locbo_outputs *given, size_t i,
                               locbo_error *error) {
    locbo_output_spec spec = output_at(study, i);
    size_t at;
    const redefinition_edit *e = find_edit(w, ALTER_OUTPUT, spec.name);
    if (e) return edit_output(w, e, spec.name, error);
    if (given && locbo_outputs_find(given, spec.name, &at, NULL) == LOCBO_OK) {
        spec = output_at(given, at);
    } else if (given) {
        spec.goal = LOCBO_GOAL_RECORD;
        spec.bound = spec.reference = 0;
        spec.baseline = spec.referenced = 0;
        spec.scale = LOCBO_MODEL_SCALE_OPTION;
        spec.scale_low = spec.scale_high = 0;
    }
    return goal_add_spec(w->to->outputs, &spec, error);
}

static locbo_status add_tables(work *w, const locbo_outputs *study, const locbo_outputs *given, locbo_error *error) {
    size_t at;
    locbo_error why;
    locbo_status status = locbo_outputs_create(&w->to->outputs, error);
    for (size_t i = 0; i < locbo_outputs_count(study) && status == LOCBO_OK; i++)
        status = add_output(w, study, given, i, error);
    for (size_t i = 0; i < locbo_outputs_count(given) && status == LOCBO_OK; i++) {
        locbo_output_spec spec = output_at(given, i);
        if (locbo_outputs_find(study, spec.name, &at, NULL) != LOCBO_OK)
            status = goal_add_spec(w->to->outputs, &spec, error);
    }
    for (size_t i = 0; i < w->count && status == LOCBO_OK; i++) {
        const redefinition_edit *e = &w->edits[i];
        int known = 0;
        if (e->kind != ALTER_OUTPUT) continue;
        for (size_t k = 0; k < locbo_outputs_count(study); k++) known |= is_of(e, output_at(study, k).name);
        if (!known) status = edit_output(w, e, NULL, error);
    }
    if (status == LOCBO_OK && goal_check(w->to->outputs, &why) != LOCBO_OK)
        status = status_fail(error, why.status, "outputs: %.240s", why.message);
    return status;
}

/* Whether the definition says nothing of outputs that a table of one, called "value", would not say. */
static int is_plain(const locbo_outputs *outputs) {
    return !outputs || (locbo_outputs_count(outputs) == 1 && strcmp(output_at(outputs, 0).name, "value") == 0);
}

static locbo_status add_outputs(work *w, locbo_error *error) {
    const locbo_outputs *study = w->study->outputs, *given = w->given ? w->given->outputs : NULL;
    locbo_outputs *plain = NULL, *plain_given = NULL;
    int edited = 0;
    for (size_t i = 0; i < w->count; i++) edited |= w->edits[i].kind == ALTER_OUTPUT;
    if (!study && !given && !edited) return LOCBO_OK;
    if (w->given && !given && !is_plain(study)) return refuse_without(study, error);
    locbo_status status = study ? LOCBO_OK : make_plain(w->study, &plain, error);
    if (status == LOCBO_OK && w->given && !given) status = make_plain(w->given, &plain_given, error);
    if (status == LOCBO_OK) status = add_tables(w, study ? study : plain, given ? given : plain_given, error);
    locbo_outputs_destroy(plain);
    locbo_outputs_destroy(plain_given);
    return status;
}

/* ---- options and command ----------------------------------------------------------------------- */

static locbo_status take_options(work *w, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    locbo_options *to = &w->to->options;
    *to = w->given ? *w->given->options : *w->study->options;
    for (size_t i = 0; w->given && i < locbo_option_count() && status == LOCBO_OK; i++) {
        locbo_option option;
        char text[64];
        locbo_option_describe(i, &option, NULL);
        locbo_options_get(to, option.name, text, sizeof text, NULL);
        if (!option.older_text || strcmp(text, option.default_text) != 0) continue;
        locbo_options_get(w->study->options, option.name, text, sizeof text, NULL);
        status = locbo_options_set(to, option.name, text, error);
    }
    return status;
}

static void complete(work *w) {
    const locbo_definition *command = w->given && w->given->command_count > 0 ? w->given : w->study;
    w->to->definition = (locbo_definition){.struct_size = sizeof w->to->definition,
                                           .space = w->to->space,
                                           .options = &w->to->options,
                                           .command_count = command->command_count,
                                           .command = command->command,
                                           .outputs = w->to->outputs};
}

locbo_status redefinition_make(redefinition *a, const locbo_definition *study, const locbo_definition *given,
                               size_t count, const redefinition_edit *edits, locbo_error *error) {
    work w = {.to = a, .study = study, .given = given, .count = count, .edits = edits};
    memset(a, 0, sizeof *a);
    locbo_status status = check_forms(&w, error);
    if (status == LOCBO_OK) status = check_one_fidelity(&w, error);
    if (status == LOCBO_OK) status = locbo_space_create(&a->space, error);
    if (status == LOCBO_OK) status = add_parameters(&w, error);
    if (status == LOCBO_OK) status = check_edits(&w, error);
    if (status == LOCBO_OK) status = add_constraints(&w, error);
    if (status == LOCBO_OK) status = set_cost(&w, error);
    if (status == LOCBO_OK) status = take_options(&w, error);
    if (status == LOCBO_OK) status = add_outputs(&w, error);
    if (status != LOCBO_OK) return status;
    find_pastless(&w);
    complete(&w);
    return status_ok(error);
}

void redefinition_release(redefinition *a) {
    locbo_space_destroy(a->space);
    locbo_outputs_destroy(a->outputs);
    memset(a, 0, sizeof *a);
}
