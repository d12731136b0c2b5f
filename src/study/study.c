/* study.c - a study as a whole: create, open, compare, plan, stop, delete. Layer: study, middle. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "definition.h"
#include "ledger.h"
#include "mem.h"
#include "number.h"
#include "sized.h"
#include "transfer.h"

/* ---- open and close ---------------------------------------------------------------------------- */

typedef struct opening {
    const char *name; /* NULL: the only study */
    char *definition, *found;
    int64_t id;
    uint64_t count;
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
        return store_query(store, "SELECT id, name, definition FROM locbo_study", 0, NULL, take_row, o, NULL, error);
    if (!o->name && o->count > 1)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "%s holds %" PRIu64 " studies, name one: %s",
                           locbo_store_url(store), o->count, o->names);
    if (o->count == 0) return status_fail(error, LOCBO_ERR_NOT_FOUND, "%s holds no study", locbo_store_url(store));
    uint64_t found = 0;
    status = store_query(store, "SELECT id, name, definition FROM locbo_study WHERE name = $1",
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
    /* what another process has added to the schema since the store was opened is not read */
    if (status == LOCBO_OK && s->table.count > 1 && store_version(s->store) < STORE_SCHEMA)
        return status_fail(error, LOCBO_ERR_SCHEMA, "%s was upgraded meanwhile: open it again",
                           locbo_store_url(s->store));
    return status;
}

static locbo_status build(locbo_study **study, locbo_store *store, const opening *o, locbo_error *error) {
    locbo_study *s = mem_new(1, sizeof *s);
    if (!s) return status_no_memory(error);
    s->store = store;
    s->id = o->id;
    s->name = mem_text(o->found);
    locbo_status status = s->name ? read_definition(s, o->definition, error) : status_no_memory(error);
    if (status != LOCBO_OK) {
        locbo_study_close(s);
        return status;
    }
    *study = s;
    return status_ok(error);
}

locbo_status locbo_study_open(locbo_study **study, locbo_store *store, const char *name, locbo_error *error) {
    if (!study || !store) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and store must not be NULL");
    opening o = {.name = name};
    locbo_status status = ledger_check_text("study name", name, error);
    if (status == LOCBO_OK) status = store_read(store, find, &o, error);
    if (status == LOCBO_OK) status = build(study, store, &o, error);
    mem_free(o.found);
    mem_free(o.definition);
    return status;
}

void locbo_study_close(locbo_study *study) {
    if (!study) return;
    locbo_optimizer_destroy(study->optimizer);
    replay_release(&study->known);
    locbo_space_destroy(study->space);
    measured_release(&study->table);
    locbo_outputs_destroy(study->outputs);
    mem_free(study->command);
    mem_free(study->name);
    mem_free(study);
}

/* ---- create and delete ------------------------------------------------------------------------- */

/* The direction of the first objective. */
static locbo_direction direction_of(const locbo_outputs *outputs) {
    locbo_output_spec s = {.struct_size = sizeof s, .goal = LOCBO_GOAL_RECORD};
    for (size_t i = 0; i < locbo_outputs_count(outputs) && s.goal > LOCBO_GOAL_MAXIMIZE; i++)
        locbo_outputs_get(outputs, i, &s, NULL);
    return s.goal == LOCBO_GOAL_MAXIMIZE ? LOCBO_MAXIMIZE : LOCBO_MINIMIZE;
}

/* Copy the caller's definition, completed with the default options. With a table of outputs the option `direction` says
 * nothing: here it becomes that of the first objective, so that who reads it is not misled. */
static locbo_status take_definition(const locbo_definition *given, locbo_definition *d, locbo_options *options,
                                    locbo_error *error) {
    *d = (locbo_definition){.struct_size = sizeof *d};
    locbo_options_init(options);
    locbo_status status = sized_take("definition", d, sizeof *d, given, error);
    if (status == LOCBO_OK && !d->space)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "definition and its space must not be NULL");
    if (status == LOCBO_OK) status = sized_take("options", options, sizeof *options, d->options, error);
    if (d->outputs) options->direction = direction_of(d->outputs);
    d->options = options;
    return status;
}

/* What a plan may have depends on the outputs of the study. */
static locbo_status check_for_outputs(const locbo_plan *plan, const measured *table, locbo_error *error) {
    size_t modelled = 0, objectives = table->objectives;
    for (size_t i = 0; i < table->count; i++) modelled += measured_is_modelled(table, i) != 0;
    if (plan->confirm > 0 && objectives > 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "confirm %" PRIu64 " needs one objective, the study has %zu: no point is recommended",
                           plan->confirm, objectives);
    if (!isnan(plan->target) && objectives > 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "target %g needs one objective, the study has %zu: give the target of an output by its name",
                           plan->target, objectives);
    for (size_t k = modelled; k < LOCBO_MAX_TARGETS; k++)
        if (!isnan(plan->targets[k]))
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "target %g is of objective or constraint number %zu, and there are %zu",
                               plan->targets[k], k + 1, modelled);
    return LOCBO_OK;
}

/* Check the caller's plan, for a study with these outputs, and write it as JSON. */
static locbo_status write_plan(const locbo_plan *given, const measured *table, char **text, locbo_error *error) {
    locbo_plan plan;
    locbo_plan_init(&plan);
    locbo_status status = sized_take("plan", &plan, sizeof plan, given, error);
    if (status == LOCBO_OK) status = definition_check_plan(&plan, error);
    if (status == LOCBO_OK) status = check_for_outputs(&plan, table, error);
    return status == LOCBO_OK ? definition_write_plan(&plan, text, error) : status;
}

typedef struct creation {
    const char *name;
    const locbo_space *space;
    measured table; /* of the outputs */
    char *definition, *plan;
    const locbo_contents *contents; /* NULL: none */
    uint64_t events;                /* of the contents */
    uint64_t id;
    token_call request;
} creation;

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
                        "INSERT INTO locbo_study (id, name, created, definition, plan)"
                        " VALUES ($1, $2, {now}, $3, $4)",
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
    return transfer_write(&made, c->contents, c->events, error);
}

/* Outputs that no optimizer can have, and expressions that cannot be computed, are refused when a study is created. */
static locbo_status check_outputs(const locbo_definition *d, measured *table, locbo_error *error) {
    locbo_optimizer *optimizer = NULL;
    locbo_status status = measured_init(table, d->outputs, error);
    if (status == LOCBO_OK && d->outputs)
        status = locbo_optimizer_create_for(&optimizer, d->space, d->outputs, d->options, error);
    locbo_optimizer_destroy(optimizer);
    return status;
}

/* Check what is given, and write it as texts. */
static locbo_status prepare(creation *c, const locbo_definition *definition, const locbo_plan *plan,
                            locbo_error *error) {
    locbo_definition what;
    locbo_options options;
    if (!c->name || c->name[0] == '\0')
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the name of a study must not be empty");
    locbo_status status = take_definition(definition, &what, &options, error);
    c->space = what.space;
    if (status == LOCBO_OK) status = ledger_check_text("study name", c->name, error);
    if (status == LOCBO_OK) status = definition_write(&what, &c->definition, error);
    if (status == LOCBO_OK) status = check_outputs(&what, &c->table, error);
    if (status == LOCBO_OK) status = write_plan(plan, &c->table, &c->plan, error);
    if (status == LOCBO_OK && c->contents) status = transfer_check(c->space, &c->table, c->contents, &c->events, error);
    return status;
}

locbo_status locbo_study_create_from(locbo_study **study, locbo_store *store, const char *name,
                                     const locbo_definition *definition, const locbo_plan *plan,
                                     const locbo_contents *contents, locbo_error *error) {
    if (!study || !store || !name)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "study, store and name must not be NULL");
    creation c = {.name = name, .contents = contents};
    c.request = (token_call){.call = "create", .work = insert, .user = &c, .answer = &c.id, .most = 1};
    locbo_status status = token_begin(&c.request, store, error);
    if (status == LOCBO_OK) status = prepare(&c, definition, plan, error);
    if (status == LOCBO_OK) status = token_write(&c.request, store, error);
    measured_release(&c.table);
    mem_free(c.definition);
    mem_free(c.plan);
    if (status != LOCBO_OK) return status;
    locbo_error why;
    status = locbo_study_open(study, store, name, &why);
    if (status != LOCBO_OK) return status_fail(error, status, "%.200s; the study was created", why.message);
    return status_ok(error);
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

static locbo_status differs(const char *what, const char *stored, const char *given, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_STATE, "%s differs: %s in the study, %s given", what, stored, given);
}

/* The words of a command, or the values of a categorical parameter: `n` of the study, `m` given. */
static locbo_status compare_texts(const char *item, const char *what, size_t n, const char *const *stored, size_t m,
                                  const char *const *given, locbo_error *error) {
    for (size_t i = 0; i < n || i < m; i++) {
        const char *a = i < n ? stored[i] : NULL, *b = i < m ? given[i] : NULL;
        if (!a || !b || strcmp(a, b) != 0)
            return status_fail(error, LOCBO_ERR_STATE, "%s %zu of %s differs: %s%s%s in the study, %s%s%s given", item,
                               i + 1, what, a ? "'" : "", a ? a : "none", a ? "'" : "", b ? "'" : "", b ? b : "none",
                               b ? "'" : "");
    }
    return LOCBO_OK;
}

static locbo_status compare_parameter(const locbo_parameter *a, const locbo_parameter *b, locbo_error *error) {
    static const char *const kinds[][2] = {{"float", "float (log)"}, {"int", "int (log)"}, {"categorical", ""}};
    char what[96];
    snprintf(what, sizeof what, "parameter %s", a->name);
    if (a->kind != b->kind || a->scale != b->scale)
        return differs(what, kinds[a->kind][a->scale], kinds[b->kind][b->scale], error);
    if (a->kind == LOCBO_CATEGORICAL)
        return compare_texts("value", what, a->count, a->categories, b->count, b->categories, error);
    if (a->low == b->low && a->high == b->high) return LOCBO_OK;
    const double ends[4] = {a->low, a->high, b->low, b->high};
    char text[4][NUMBER_TEXT];
    for (int i = 0; i < 4; i++) number_print(ends[i], text[i]);
    return status_fail(error, LOCBO_ERR_STATE, "%s differs: [%s, %s] in the study, [%s, %s] given", what, text[0],
                       text[1], text[2], text[3]);
}

static locbo_status compare_spaces(const locbo_space *a, const locbo_space *b, locbo_error *error) {
    size_t at, n = locbo_space_dim(a), m = locbo_space_dim(b), moved = n;
    locbo_parameter p, q;
    for (size_t j = 0; j < n; j++) {
        locbo_space_parameter(a, j, &p, NULL);
        if (locbo_space_find(b, p.name, &at, NULL) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_STATE, "parameter %s of the study is not given", p.name);
        locbo_space_parameter(b, at, &q, NULL);
        locbo_status status = compare_parameter(&p, &q, error);
        if (status != LOCBO_OK) return status;
        if (at != j && moved == n) moved = j;
    }
    for (size_t j = 0; j < m; j++) {
        locbo_space_parameter(b, j, &q, NULL);
        if (locbo_space_find(a, q.name, &at, NULL) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_STATE, "parameter %s is given and is not in the study", q.name);
    }
    if (moved == n) return LOCBO_OK;
    locbo_space_parameter(a, moved, &p, NULL);
    locbo_space_parameter(b, moved, &q, NULL);
    return differs("the order of the parameters", p.name, q.name, error);
}

/* What is wanted of an output, and the scale of its model; an expression is not part of it. */
static void describe_output(const locbo_output_spec *s, char *text, size_t size) {
    static const char *const goals[] = {"minimize", "maximize", "at most", "at least", "record"};
    static const char *const scales[] = {"", ", scale none", ", scale log", ", scale logit"};
    char number[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];
    int used = snprintf(text, size, "%s", goals[s->goal]);
#define ADD(...) used += snprintf(text + used, size - (size_t)used, __VA_ARGS__)
    number_print(s->referenced ? s->reference : s->bound, number);
    number_print(s->scale_low, low);
    number_print(s->scale_high, high);
    if (s->goal == LOCBO_GOAL_AT_MOST || s->goal == LOCBO_GOAL_AT_LEAST) ADD(" %s", number);
    if (s->baseline) ADD(" times trial %" PRIu64, s->baseline);
    if (s->referenced) ADD(", reference %s", number);
    ADD("%s", scales[s->scale]);
    if (s->scale == LOCBO_MODEL_SCALE_LOGIT) ADD(" %s to %s", low, high);
#undef ADD
}

static locbo_status compare_output(const locbo_output_spec *a, const locbo_output_spec *b, locbo_error *error) {
    char what[96], stored[160], given[160];
    describe_output(a, stored, sizeof stored);
    describe_output(b, given, sizeof given);
    snprintf(what, sizeof what, "output %.40s", a->name);
    if (strcmp(stored, given) != 0) return differs(what, stored, given, error);
    const char *p = a->expression, *q = b->expression;
    if (p == q || (p && q && strcmp(p, q) == 0)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_STATE, "the expression of %s differs: %.60s in the study, %.60s given", what,
                       p ? p : "none", q ? q : "none");
}

static locbo_status compare_tables(const locbo_outputs *a, const locbo_outputs *b, locbo_error *error) {
    size_t at, n = locbo_outputs_count(a), m = locbo_outputs_count(b), moved = n;
    locbo_output_spec p = {.struct_size = sizeof p}, q = {.struct_size = sizeof q};
    for (size_t i = 0; i < n; i++) {
        locbo_outputs_get(a, i, &p, NULL);
        if (locbo_outputs_find(b, p.name, &at, NULL) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_STATE, "output %.40s of the study is not given", p.name);
        locbo_outputs_get(b, at, &q, NULL);
        locbo_status status = compare_output(&p, &q, error);
        if (status != LOCBO_OK) return status;
        if (at != i && moved == n) moved = i;
    }
    for (size_t i = 0; i < m; i++) {
        locbo_outputs_get(b, i, &q, NULL);
        if (locbo_outputs_find(a, q.name, &at, NULL) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_STATE, "output %.40s is given and is not in the study", q.name);
    }
    if (moved == n) return LOCBO_OK;
    locbo_outputs_get(a, moved, &p, NULL);
    locbo_outputs_get(b, moved, &q, NULL);
    return differs("the order of the outputs", p.name, q.name, error);
}

/* The outputs of a definition without a table. */
static locbo_status make_plain(locbo_outputs **outputs, locbo_direction direction, locbo_error *error) {
    const locbo_output_spec value = {.struct_size = sizeof value,
                                     .name = "value",
                                     .goal = direction == LOCBO_MAXIMIZE ? LOCBO_GOAL_MAXIMIZE : LOCBO_GOAL_MINIMIZE};
    locbo_status status = locbo_outputs_create(outputs, error);
    return status == LOCBO_OK ? locbo_outputs_add(*outputs, &value, error) : status;
}

static locbo_status compare_outputs(const locbo_study *study, const locbo_definition *d, locbo_error *error) {
    const locbo_outputs *a = study->outputs, *b = d->outputs;
    locbo_outputs *plain = NULL;
    if (!a && !b) return LOCBO_OK; /* their directions are options */
    locbo_status status = LOCBO_OK;
    if (!a || !b) status = make_plain(&plain, a ? d->options->direction : study->options.direction, error);
    if (status == LOCBO_OK) status = compare_tables(a ? a : plain, b ? b : plain, error);
    locbo_outputs_destroy(plain);
    return status;
}

static locbo_status compare_options(const locbo_options *a, const locbo_options *b, locbo_error *error) {
    for (size_t i = 0; i < locbo_option_count(); i++) {
        locbo_option option;
        char stored[64], given[64], what[64];
        locbo_option_describe(i, &option, NULL);
        locbo_options_get(a, option.name, stored, sizeof stored, NULL);
        locbo_options_get(b, option.name, given, sizeof given, NULL);
        snprintf(what, sizeof what, "option %s", option.name);
        /* a study that is older than this option has its old value, a definition that does not mention it the default
         */
        if (option.older_text && strcmp(given, option.default_text) == 0) continue;
        if (strcmp(stored, given) != 0) return differs(what, stored, given, error);
    }
    return LOCBO_OK;
}

locbo_status locbo_study_compare(const locbo_study *study, const locbo_definition *definition, locbo_error *error) {
    if (!study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    locbo_definition d;
    locbo_options options;
    locbo_status status = take_definition(definition, &d, &options, error);
    if (status == LOCBO_OK) status = compare_spaces(study->space, d.space, error);
    if (status == LOCBO_OK) status = compare_outputs(study, &d, error);
    if (status == LOCBO_OK) status = compare_options(&study->options, &options, error);
    if (status == LOCBO_OK && d.command_count > 0)
        status = compare_texts("word", "the command", study->command_count, (const char *const *)study->command,
                               d.command_count, d.command, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

/* ---- plan and stop ----------------------------------------------------------------------------- */

typedef struct plan_query {
    const locbo_study *study;
    locbo_plan plan;
    const char *sql, *text; /* the update and its value */
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

static locbo_status update(locbo_store *store, void *user, locbo_error *error) {
    const plan_query *q = user;
    uint64_t found = 0;
    locbo_status status =
        store_query(store, q->sql, VALUES(store_int(q->study->id), store_text(q->text)), NULL, NULL, &found, error);
    return status == LOCBO_OK && found == 0 ? ledger_gone(q->study, error) : status;
}

locbo_status locbo_study_set_plan(locbo_study *study, const locbo_plan *plan, locbo_error *error) {
    if (!study || !plan) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and plan must not be NULL");
    char *text = NULL;
    plan_query q = {.study = study, .sql = "UPDATE locbo_study SET plan = $2 WHERE id = $1"};
    token_call r = {.call = "set_plan", .study = study->id, .work = update, .user = &q};
    locbo_status status = token_begin(&r, study->store, error);
    if (status == LOCBO_OK) status = write_plan(plan, &study->table, &text, error);
    q.text = text;
    if (status == LOCBO_OK) status = token_write(&r, study->store, error);
    mem_free(text);
    return status;
}

locbo_status locbo_study_stop(locbo_study *study, const char *reason, locbo_error *error) {
    if (!study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    plan_query q = {.study = study, .sql = "UPDATE locbo_study SET stop_reason = $2 WHERE id = $1", .text = reason};
    token_call r = {.call = "stop", .study = study->id, .work = update, .user = &q};
    locbo_status status = token_begin(&r, study->store, error);
    if (status == LOCBO_OK) status = ledger_check_text("reason", reason, error);
    return status == LOCBO_OK ? token_write(&r, study->store, error) : status;
}
