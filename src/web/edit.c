/* edit.c - the changes that the server accepts. Layer: web, parts. */
#include "edit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "choice.h"
#include "cache.h"
#include "edit_mind.h"
#include "identity.h"
#include "mem.h"
#include "value.h"

enum { PATIENCE = 5 }; /* seconds that an edit waits for the database */

enum { KEYS = 6 };

struct edit {
    const char *name;
    const char *keys[KEYS]; /* of the body, besides "study"; NULL: no more */
    int is_long;
    edit_fn *make;
};

/* ---- the edits ------------------------------------------------------------------------------- */

static locbo_status stop(locbo_study *study, json_t *body, json_t *answer, locbo_error *error) {
    const char *text;
    (void)answer;
    locbo_status status = edit_text(body, "reason", "", &text, error);
    return status == LOCBO_OK ? locbo_study_stop(study, *text ? text : "by hand", error) : status;
}

/* Parameters without a value are proposed by the model; an exact one of more than CHOICE_MANY results takes too long
 * for a request. */
static locbo_status check_open(locbo_study *study, const locbo_definition *d, const double *x, locbo_error *error) {
    size_t dim = locbo_space_dim(d->space), open = 0;
    locbo_census census;
    for (size_t i = 0; i < dim; i++) open += isnan(x[i]) != 0;
    if (open == 0 || d->options->method == LOCBO_METHOD_RANDOM) return LOCBO_OK;
    locbo_status status = locbo_study_census(study, &census, error);
    if (status != LOCBO_OK || !choice_takes_long(d->options, census.measurements)) return status;
    return status_fail(error, LOCBO_ERR_STATE,
                       "with %" PRIu64 " results, more than %d, the server proposes nothing: give"
                       "%s %s, or use locbo enqueue",
                       census.measurements, (int)CHOICE_MANY, dim > 1 ? " all" : "",
                       value_count(dim, "parameter").text);
}

static locbo_status enqueue(locbo_study *study, json_t *body, json_t *answer, locbo_error *error) {
    json_t *params = json_object_get(body, "params");
    locbo_definition definition = {.struct_size = sizeof definition};
    uint64_t trial = 0;
    if (!json_is_object(params)) return status_fail(error, LOCBO_ERR_ARGUMENT, "params must be an object");
    locbo_status status = locbo_study_definition(study, &definition, error);
    if (status != LOCBO_OK) return status;
    size_t dim = locbo_space_dim(definition.space);
    double *x = mem_new(dim, sizeof *x);
    if (!x) return status_no_memory(error);
    for (size_t i = 0; i < dim; i++) x[i] = NAN;
    status = value_from_object(definition.space, params, 1, x, error);
    if (status == LOCBO_OK) status = check_open(study, &definition, x, error);
    if (status == LOCBO_OK) status = locbo_study_enqueue(study, x, &trial, error);
    mem_free(x);
    if (status != LOCBO_OK) return status;
    int bad = json_object_set_new(answer, "trial", json_integer((json_int_t)trial));
    return bad ? status_no_memory(error) : LOCBO_OK;
}

static const edit edits[] = {
    {"stop", {"reason"}, 0, stop},
    {"pause", {"why"}, 0, edit_pause},
    {"resume", {"why"}, 0, edit_resume},
    {"enqueue", {"params"}, 1, enqueue},
    {"plan", {"trials", "why"}, 0, edit_plan},
    {"alter", {"parameter", "low", "high", "why", "try"}, 0, edit_alter},
    {"retract", {"trial", "sequence", "why"}, 0, edit_retract},
    {"fail", {"trial", "infeasible", "why"}, 0, edit_fail},
    {"note", {"trial", "note", "tags"}, 0, edit_note},
    {"rename", {"name"}, 0, edit_rename},
};

const edit *edit_find(const char *name) {
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++)
        if (strcmp(edits[i].name, name) == 0) return &edits[i];
    return NULL;
}

int edit_is_long(const edit *e) { return e->is_long; }

/* ---- the body -------------------------------------------------------------------------------- */

static int has_key(const edit *e, const char *key) {
    for (size_t i = 0; i < KEYS && e->keys[i]; i++)
        if (strcmp(e->keys[i], key) == 0) return 1;
    return strcmp(key, "study") == 0;
}

static locbo_status check_body(const edit *e, json_t *body, locbo_error *error) {
    const char *key;
    json_t *value;
    if (!json_is_object(body)) return status_fail(error, LOCBO_ERR_ARGUMENT, "the body must be a JSON object");
    json_object_foreach(body, key, value) {
        if (strcmp(key, "study") == 0 && !json_is_string(value))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "study must be a text");
        if (!has_key(e, key))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no key '%.40s' in this body", key);
    }
    return LOCBO_OK;
}

static locbo_status read_body(const edit *e, const char *text, size_t size, json_t **body, locbo_error *error) {
    json_error_t why;
    *body = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    if (!*body) return status_fail(error, LOCBO_ERR_ARGUMENT, "the body is not JSON: %s", why.text);
    return check_body(e, *body, error);
}

/* ---- the database ---------------------------------------------------------------------------- */

static locbo_status change(const edit *e, locbo_store *store, json_t *body, json_t *answer, locbo_error *error) {
    locbo_study *study = NULL;
    char author[IDENTITY_TEXT];
    const char *name = json_string_value(json_object_get(body, "study"));
    identity_at_host("dashboard", author);
    locbo_status status = locbo_store_author(store, author, error);
    if (status == LOCBO_OK) status = locbo_study_open(&study, store, name, error);
    if (status == LOCBO_OK) status = e->make(study, body, answer, error);
    locbo_study_close(study);
    return status;
}

static locbo_status open_store(locbo_store **store, const edit_database *at, locbo_error *error) {
    locbo_error why;
    locbo_status status =
        locbo_store_open_patiently(store, at->url, LOCBO_STORE_EXISTING, PATIENCE, at->fn, at->user, &why);
    if (status == LOCBO_OK) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_BUSY, "%s", why.message); /* not an error of the request */
}

locbo_status edit_make(const edit *e, const edit_database *at, const char *body, size_t size, json_t **answer,
                       locbo_error *error) {
    locbo_store *store = NULL;
    json_t *read = NULL, *made = json_pack("{s:b}", "ok", 1);
    locbo_status status = made ? read_body(e, body, size, &read, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = open_store(&store, at, error);
    if (status == LOCBO_OK) status = change(e, store, read, made, error);
    locbo_store_close(store);
    json_decref(read);
    if (status == LOCBO_OK)
        *answer = made;
    else
        json_decref(made);
    return status;
}
