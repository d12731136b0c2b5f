/* study.c - a study as a whole: create, open, read again, delete. Layer: study, middle. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "checked.h"
#include "creation.h"
#include "definition.h"
#include "early.h"
#include "ledger.h"
#include "mem.h"
#include "sized.h"
#include "transfer.h"

/* ---- open and close ---------------------------------------------------------------------------- */

typedef struct opening {
    const char *name; /* NULL: the only study */
    char *definition, *found;
    int64_t id;
    uint64_t revision, count;
    char names[160]; /* of the first few, for the message */
} opening;

static locbo_status take_row(const store_value *columns, size_t count, void *user, locbo_error *error) {
    opening *o = user;
    (void)count;
    o->id = store_as_int(&columns[0]);
    mem_free(o->found);
    mem_free(o->definition);
    o->found = mem_text(store_as_text(&columns[1]));
    o->definition = mem_text(store_as_text(&columns[2]));
    o->revision = store_as_count(&columns[3]);
    return o->found && o->definition ? LOCBO_OK : status_no_memory(error);
}

static locbo_status take_name(const store_value *columns, size_t count, void *user, locbo_error *error) {
    opening *o = user;
    (void)count, (void)error;
    size_t used = strlen(o->names);
    o->count++;
    snprintf(o->names + used, sizeof o->names - used, "%s'%s'", used ? ", " : "", store_as_text(&columns[0]));
    return LOCBO_OK;
}

static locbo_status find(locbo_store *store, void *user, locbo_error *error) {
    opening *o = user;
    o->count = 0;
    o->names[0] = '\0';
    locbo_status status =
        store_query(store, "SELECT name FROM locbo_study ORDER BY id", 0, NULL, take_name, o, NULL, error);
    if (status != LOCBO_OK) return status;
    if (!o->name && o->count == 1)
        return store_query(store, "SELECT id, name, definition, {revision} FROM locbo_study", 0, NULL, take_row, o,
                           NULL, error);
    if (!o->name && o->count > 1)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "%s holds %" PRIu64 " studies, name one: %s",
                           locbo_store_url(store), o->count, o->names);
    if (o->count == 0) return status_fail(error, LOCBO_ERR_NOT_FOUND, "%s holds no study", locbo_store_url(store));
    uint64_t found = 0;
    status = store_query(store, "SELECT id, name, definition, {revision} FROM locbo_study WHERE name = $1",
                         VALUES(store_text(o->name)), take_row, o, &found, error);
    if (status == LOCBO_OK && !o->found)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "there is no study '%s' in %s, only %s", o->name,
                           locbo_store_url(store), o->names);
    return status;
}

static locbo_status read_definition(locbo_study *s, const char *text, locbo_error *error) {
    definition_parts parts;
    locbo_status status = definition_read(text, &parts, error);
    s->space = parts.space;
    s->outputs = parts.outputs;
    s->options = parts.options;
    s->command = parts.command;
    s->command_count = parts.command_count;
    s->dim = locbo_space_dim(s->space);
    if (status != LOCBO_OK) return status;
    status = measured_init(&s->table, s->outputs, error);
    if (status == LOCBO_ERR_ARGUMENT)
        status = status_fail(error, LOCBO_ERR_IO, "the database holds a damaged definition");
    return status;
}

static locbo_status build(locbo_study **study, locbo_store *store, const opening *o, locbo_error *error) {
    locbo_study *s = mem_new(1, sizeof *s);
    if (!s) return status_no_memory(error);
    s->store = store;
    s->id = o->id;
    s->revision = o->revision;
    s->name = mem_text(o->found);
    locbo_status status = s->name ? read_definition(s, o->definition, error) : status_no_memory(error);
    if (status != LOCBO_OK) {
        locbo_study_close(s);
        return status;
    }
    *study = s;
    return LOCBO_OK;
}

locbo_status locbo_study_open(locbo_study **study, locbo_store *store, const char *name, locbo_error *error) {
    if (!study || !store) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and store must not be NULL");
    opening o = {.name = name};
    locbo_status status = ledger_check_text("study name", name, error);
    if (status == LOCBO_OK) status = store_read(store, find, &o, error);
    if (status == LOCBO_OK) status = build(study, store, &o, error);
    mem_free(o.found);
    mem_free(o.definition);
    return status == LOCBO_OK ? status_ok(error) : status;
}

static locbo_status find_again(locbo_store *store, void *user, locbo_error *error) {
    opening *o = user;
    return store_query(store, "SELECT id, name, definition, {revision} FROM locbo_study WHERE id = $1",
                       VALUES(store_int(o->id)), take_row, o, NULL, error);
}

/* What belongs to the open study and not to its definition stays; what was read of it, if it was not altered. */
static void replace(locbo_study *study, locbo_study *fresh) {
    locbo_study old = *study;
    *study = *fresh;
    study->watch = old.watch;
    study->watch_user = old.watch_user;
    if (study->revision == old.revision) {
        study->known = old.known;
        old.known = (replay){.optimizer = NULL};
    }
    *fresh = old;
}

locbo_status locbo_study_refresh(locbo_study *study, int *changed, locbo_error *error) {
    if (!study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    opening o = {.id = study->id};
    locbo_study *fresh = NULL;
    uint64_t before = study->revision;
    locbo_status status = store_read(study->store, find_again, &o, error);
    if (status == LOCBO_OK && !o.found) status = ledger_gone(study, error);
    if (status == LOCBO_OK) status = build(&fresh, study->store, &o, error);
    if (status == LOCBO_OK) replace(study, fresh);
    locbo_study_close(fresh);
    mem_free(o.found);
    mem_free(o.definition);
    if (changed) *changed = status == LOCBO_OK && study->revision != before;
    return status == LOCBO_OK ? status_ok(error) : status;
}

void locbo_study_close(locbo_study *study) {
    if (!study) return;
    replay_release(&study->known);
    early_release(study->early);
    locbo_space_destroy(study->space);
    measured_release(&study->table);
    locbo_outputs_destroy(study->outputs);
    mem_free(study->command);
    mem_free(study->name);
    mem_free(study);
}

/* ---- create and delete ------------------------------------------------------------------------- */

typedef struct creation {
    const char *name;
    const locbo_space *space;
    measured table; /* of the outputs */
    char *definition, *plan;
    const locbo_contents *contents; /* NULL: none */
    uint64_t events;                /* of the contents */
    const creation_source *source;  /* NULL: it is no copy */
    uint64_t id;
    token_call request;
} creation;

/* Points of a study that was altered, as they were written when they were proposed: the records have them as they are
 * in the present space, which need not be all. */
static locbo_status write_points(const locbo_study *study, const creation_source *source, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < source->point_count && status == LOCBO_OK; i++)
        status = store_query(study->store, "UPDATE locbo_trial SET params = $3 WHERE study = $1 AND number = $2",
                             VALUES(store_int(study->id), store_count(i + 1), store_text(source->points[i])), NULL,
                             NULL, NULL, error);
    return status;
}

/* The id is the time in microseconds, or follows the last one: the id of a deleted study is never used again, so that a
 * worker of that study cannot write to another one. The row of the schema is locked: one study is created at a time. */
static locbo_status insert(locbo_store *store, void *user, locbo_error *error) {
    creation *c = user;
    uint64_t existing = 0;
    locbo_status status = store_query(store,
                                      "UPDATE locbo_schema SET last_study = CASE"
                                      " WHEN last_study < CAST({now} * 1e6 AS BIGINT)"
                                      " THEN CAST({now} * 1e6 AS BIGINT) ELSE last_study + 1 END RETURNING last_study",
                                      0, NULL, ledger_take_count, &c->id, NULL, error);
    if (status == LOCBO_OK)
        status = store_query(store, "SELECT id FROM locbo_study WHERE name = $1", VALUES(store_text(c->name)), NULL,
                             NULL, &existing, error);
    if (status == LOCBO_OK && existing > 0)
        return status_fail(error, LOCBO_ERR_STATE, "the study '%s' exists already in %s", c->name,
                           locbo_store_url(store));
    if (status == LOCBO_OK)
        status =
            store_query(store,
                        "INSERT INTO locbo_study (id, name, created, definition, plan, results, timed, seconds)"
                        " VALUES ($1, $2, {now}, $3, $4, 0, 0, 0)",
                        VALUES(store_count(c->id), store_text(c->name), store_text(c->definition), store_text(c->plan)),
                        NULL, NULL, NULL, error);
    c->request.count = 1;
    if (status != LOCBO_OK || !c->contents) return status;
    const locbo_study made = {.store = store,
                              .id = (int64_t)c->id,
                              .name = (char *)c->name,
                              .dim = locbo_space_dim(c->space),
                              .space = (locbo_space *)c->space,
                              .table = c->table};
    status = transfer_write(&made, c->contents, c->events, error);
    if (status != LOCBO_OK || !c->source) return status;
    status = write_points(&made, c->source, error);
    if (status == LOCBO_OK && c->source->changes) status = change_copy(c->source->changes, &made, error);
    return status == LOCBO_OK ? change_record(&made, LOCBO_CHANGE_COPY, 0, c->source->origin, NULL, error) : status;
}

/* Check what is given, and write it as texts. */
static locbo_status prepare(creation *c, const locbo_definition *definition, const locbo_plan *plan,
                            locbo_error *error) {
    locbo_definition what;
    locbo_options options;
    if (!c->name || c->name[0] == '\0')
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the name of a study must not be empty");
    locbo_status status = definition_take(definition, &what, &options, error);
    c->space = what.space;
    if (status == LOCBO_OK) status = ledger_check_text("study name", c->name, error);
    if (status == LOCBO_OK) status = checked_definition(&what, &c->definition, &c->table, error);
    if (status == LOCBO_OK) status = checked_plan(plan, &c->table, &c->plan, error);
    if (status == LOCBO_OK && c->contents && !c->source)
        status = transfer_check(c->space, &c->table, c->contents, &c->events, error);
    return status;
}

static locbo_status create(locbo_study **study, creation *c, locbo_store *store, const locbo_definition *definition,
                           const locbo_plan *plan, locbo_error *error) {
    c->request = (token_call){.call = "create", .work = insert, .user = c, .answer = &c->id, .most = 1};
    locbo_status status = token_begin(&c->request, store, error);
    if (status == LOCBO_OK) status = prepare(c, definition, plan, error);
    if (status == LOCBO_OK) status = token_write(&c->request, store, error);
    measured_release(&c->table);
    mem_free(c->definition);
    mem_free(c->plan);
    if (status != LOCBO_OK) return status;
    locbo_error why;
    status = locbo_study_open(study, store, c->name, &why);
    if (status != LOCBO_OK) return status_fail(error, status, "%.200s; the study was created", why.message);
    return status_ok(error);
}

locbo_status locbo_study_create_from(locbo_study **study, locbo_store *store, const char *name,
                                     const locbo_definition *definition, const locbo_plan *plan,
                                     const locbo_contents *contents, locbo_error *error) {
    if (!study || !store || !name)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "study, store and name must not be NULL");
    creation c = {.name = name, .contents = contents};
    return create(study, &c, store, definition, plan, error);
}

locbo_status creation_copy(locbo_study **study, locbo_store *store, const char *name,
                           const locbo_definition *definition, const locbo_plan *plan, const creation_source *source,
                           locbo_error *error) {
    creation c = {.name = name, .contents = source->contents, .events = source->events, .source = source};
    return create(study, &c, store, definition, plan, error);
}

locbo_status locbo_study_create(locbo_study **study, locbo_store *store, const char *name,
                                const locbo_definition *definition, const locbo_plan *plan, locbo_error *error) {
    return locbo_study_create_from(study, store, name, definition, plan, NULL, error);
}

static locbo_status remove_study(locbo_store *store, void *user, locbo_error *error) {
    const char *name = user;
    uint64_t deleted = 0;
    locbo_status status = store_query(store, "DELETE FROM locbo_study WHERE name = $1", VALUES(store_text(name)), NULL,
                                      NULL, &deleted, error);
    if (status == LOCBO_OK && deleted == 0)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "there is no study '%s' in %s", name, locbo_store_url(store));
    return status;
}

locbo_status locbo_study_delete(locbo_store *store, const char *name, locbo_error *error) {
    if (!store || !name) return status_fail(error, LOCBO_ERR_ARGUMENT, "store and name must not be NULL");
    token_call r = {.call = "delete", .work = remove_study, .user = (void *)name};
    locbo_status status = token_begin(&r, store, error);
    if (status == LOCBO_OK) status = ledger_check_text("study name", name, error);
    return status == LOCBO_OK ? token_write(&r, store, error) : status;
}

/* ---- definition -------------------------------------------------------------------------------- */

const char *locbo_study_name(const locbo_study *study) { return study ? study->name : ""; }

locbo_status locbo_study_definition(const locbo_study *study, locbo_definition *definition, locbo_error *error) {
    if (!study || !definition) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and definition must not be NULL");
    const locbo_definition ours = {.space = study->space,
                                   .options = &study->options,
                                   .command_count = study->command_count,
                                   .command = (const char *const *)study->command,
                                   .outputs = study->outputs};
    locbo_status status = sized_give("definition", &ours, sizeof ours, definition, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

/* ---- plan ----------------------------------------------------------------------------------- */

typedef struct plan_query {
    const locbo_study *study;
    locbo_plan plan;
} plan_query;

static locbo_status take_plan(const store_value *columns, size_t count, void *user, locbo_error *error) {
    plan_query *q = user;
    (void)count;
    return definition_read_plan(store_as_text(&columns[0]), &q->plan, error);
}

static locbo_status read_plan(locbo_store *store, void *user, locbo_error *error) {
    plan_query *q = user;
    uint64_t found = 0;
    locbo_status status = store_query(store, "SELECT plan FROM locbo_study WHERE id = $1",
                                      VALUES(store_int(q->study->id)), take_plan, q, &found, error);
    return status == LOCBO_OK && found == 0 ? ledger_gone(q->study, error) : status;
}

locbo_status locbo_study_plan(locbo_study *study, locbo_plan *plan, locbo_error *error) {
    if (!study || !plan) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and plan must not be NULL");
    plan_query q = {.study = study};
    locbo_status status = store_read(study->store, read_plan, &q, error);
    if (status == LOCBO_OK) status = sized_give("plan", &q.plan, sizeof q.plan, plan, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}
