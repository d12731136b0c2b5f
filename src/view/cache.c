/* cache.c - one study with its trials and its model. Layer: view, facts. Cost: the trials are read once, O(trials),
 * then only their changes; the model is computed when needed, O(results^3). */
#include "cache.h"

#include <inttypes.h>

#include "choice.h"
#include "mem.h"

/* An optimizer is valid until the next call with its study, so it has a handle of the study for itself: `model`. */
struct cache {
    locbo_store *store;
    locbo_study *study, *model;
    locbo_definition definition;
    locbo_census census;
    output_list outputs;
    double *bounds, *reference; /* of each output; NULL without a table */
    trial_table table;
    curve_table curves;
    int is_known;               /* definition, outputs and table are those of the study as it was last read */
    uint64_t checked;           /* events of the study when it was last checked whether it was altered or renamed */
    locbo_optimizer *optimizer; /* belongs to `model`; NULL: not computed yet */
    uint64_t enough;            /* events of a model that suffices */
    uint64_t events, trials;    /* of the census before the optimizer was computed */
    uint64_t fits;
};

/* ---- open and close -------------------------------------------------------------------------- */

/* What was made from the definition. */
static void forget(cache *c) {
    trial_table_release(&c->table);
    curve_table_release(&c->curves);
    output_list_release(&c->outputs);
    mem_free(c->bounds);
    mem_free(c->reference);
    c->bounds = c->reference = NULL;
    c->optimizer = NULL;
    c->is_known = 0;
}

static locbo_status make_outputs(cache *c, locbo_error *error) {
    locbo_status status = output_list_make(&c->outputs, c->definition.outputs, error);
    if (status != LOCBO_OK || !c->outputs.table) return status;
    c->bounds = mem_new(c->outputs.count, sizeof *c->bounds);
    c->reference = mem_new(c->outputs.count, sizeof *c->reference);
    return c->bounds && c->reference ? LOCBO_OK : status_no_memory(error);
}

/* Reads the definition from the handle of the study. */
static locbo_status describe(cache *c, locbo_error *error) {
    forget(c);
    c->definition = (locbo_definition){.struct_size = sizeof c->definition};
    locbo_status status = locbo_study_definition(c->study, &c->definition, error);
    if (status == LOCBO_OK) status = make_outputs(c, error);
    if (status != LOCBO_OK) return status;
    c->table.dim = locbo_space_dim(c->definition.space);
    c->table.outputs = &c->outputs;
    c->is_known = 1;
    return LOCBO_OK;
}

static locbo_status open_studies(cache *c, const char *name, locbo_error *error) {
    locbo_status status = locbo_study_open(&c->study, c->store, name, error);
    if (status == LOCBO_OK) status = locbo_study_open(&c->model, c->store, locbo_study_name(c->study), error);
    return status == LOCBO_OK ? describe(c, error) : status;
}

locbo_status cache_open(cache **made, locbo_store *store, const char *name, locbo_error *error) {
    cache *c = mem_new(1, sizeof *c);
    if (!c) return status_no_memory(error);
    c->store = store;
    c->enough = UINT64_MAX;
    locbo_status status = open_studies(c, name, error);
    if (status != LOCBO_OK) {
        cache_close(c);
        return status;
    }
    *made = c;
    return status_ok(error);
}

void cache_close(cache *c) {
    if (!c) return;
    forget(c);
    locbo_study_close(c->model);
    locbo_study_close(c->study);
    mem_free(c);
}

/* Alterations of the definition, and another name. */
static int take_change(const locbo_change *change, void *user) {
    int *found = user;
    *found |= change->before != NULL || change->kind == LOCBO_CHANGE_RENAME;
    return *found;
}

/* What the study's functions gave is invalid after this. The study is read before the model, so that the model is never
 * older. */
static locbo_status reread(cache *c, locbo_error *error) {
    forget(c);
    locbo_status status = locbo_study_refresh(c->study, NULL, error);
    if (status == LOCBO_OK) status = locbo_study_refresh(c->model, NULL, error);
    return status == LOCBO_OK ? describe(c, error) : status;
}

/* Every change is an event. The pulse is read first: a change in between is found by the next call too. */
locbo_status cache_refresh(cache *c, locbo_error *error) {
    locbo_pulse pulse;
    locbo_status status = locbo_study_pulse(c->study, &pulse, error);
    if (status != LOCBO_OK || (c->is_known && pulse.events == c->checked)) return status;
    int found = !c->is_known || pulse.events < c->checked; /* it was restored from a backup */
    if (!found) status = locbo_study_each_change(c->study, c->checked, take_change, &found, error);
    if (status == LOCBO_OK && found) status = reread(c, error);
    if (status == LOCBO_OK) c->checked = pulse.events;
    return status;
}

locbo_study *cache_study(cache *c) { return c->study; }

const char *cache_url(const cache *c) { return locbo_store_url(c->store); }

const locbo_definition *cache_definition(const cache *c) { return &c->definition; }

const locbo_space *cache_space(const cache *c) { return c->definition.space; }

int cache_maximizes(const cache *c) { return c->definition.options->direction == LOCBO_MAXIMIZE; }

const output_list *cache_outputs(const cache *c) { return &c->outputs; }

/* ---- facts ----------------------------------------------------------------------------------- */

locbo_status cache_census(cache *c, const locbo_census **census, locbo_error *error) {
    locbo_status status = locbo_study_census(c->study, &c->census, error);
    if (status == LOCBO_OK) *census = &c->census;
    return status;
}

locbo_status cache_trials(cache *c, const trial_table **trials, locbo_error *error) {
    locbo_status status = trial_table_refresh(&c->table, c->study, error);
    if (status == LOCBO_OK) *trials = &c->table;
    return status;
}

locbo_status cache_curves(cache *c, const trial_table **trials, const curve_table **curves, locbo_error *error) {
    locbo_status status = cache_trials(c, trials, error);
    if (status == LOCBO_OK) status = curve_table_refresh(&c->curves, &c->table, c->study, error);
    if (status == LOCBO_OK) *curves = &c->curves;
    return status;
}

/* Curves that are known need not be read again for this. */
locbo_status cache_has_curves(cache *c, int *has, locbo_error *error) {
    const trial_table *trials;
    const curve_table *curves = &c->curves;
    locbo_status status = curves->curves ? LOCBO_OK : cache_curves(c, &trials, &curves, error);
    if (status == LOCBO_OK) *has = curves->curves > 0;
    return status;
}

locbo_status cache_bounds(cache *c, const double **bounds, locbo_error *error) {
    locbo_status status = c->bounds ? locbo_study_bounds(c->study, c->bounds, error) : LOCBO_OK;
    if (status == LOCBO_OK) *bounds = c->bounds;
    return status;
}

locbo_status cache_reference(cache *c, const double **reference, locbo_error *error) {
    locbo_status status = c->reference ? locbo_study_reference(c->study, c->reference, error) : LOCBO_OK;
    if (status == LOCBO_OK) *reference = c->reference;
    return status;
}

/* ---- the model ------------------------------------------------------------------------------- */

static locbo_status check_model(const cache *c, const locbo_census *census, locbo_error *error) {
    if (c->definition.options->method == LOCBO_METHOD_RANDOM)
        return status_fail(error, LOCBO_ERR_NOTHING, "there is no model: the method of the study is random");
    if (census->measurements < 2)
        return status_fail(error, LOCBO_ERR_NOTHING, "there is no model yet: it takes two results");
    if (choice_takes_long(c->definition.options, census->measurements))
        return status_fail(error, LOCBO_ERR_NOTHING,
                           "there is no exact model of more than %d results, and there are %" PRIu64, (int)CHOICE_MANY,
                           census->measurements);
    return LOCBO_OK;
}

static int count_fit(const locbo_fit *fit, void *user) {
    uint64_t *count = user;
    (void)fit;
    ++*count;
    return 0;
}

/* Whether the optimizer is still up to date: no new event, and, if there are new proposals, no new fit. */
static locbo_status compare(cache *c, const locbo_census *census, int *same, locbo_error *error) {
    uint64_t fits = 0;
    *same = c->optimizer && c->events == census->events;
    if (!*same || c->trials == census->trials) return LOCBO_OK;
    locbo_status status = locbo_study_each_fit(c->study, count_fit, &fits, error);
    if (status != LOCBO_OK) return status;
    *same = fits == c->fits;
    if (*same) c->trials = census->trials;
    return LOCBO_OK;
}

static int take_none(const locbo_record *record, void *user) {
    (void)record, (void)user;
    return 1;
}

/* LOCBO_ERR_CHANGED: the study was altered since it was read, and the model may be that of the new space. */
static locbo_status check_space(cache *c, locbo_error *error) {
    const locbo_filter one = {.struct_size = sizeof one, .limit = 1};
    return locbo_study_each(c->study, &one, take_none, NULL, error);
}

/* The counts are read before the optimizer: after a change in between, the next call computes it again. */
static locbo_status make_model(cache *c, const locbo_census *census, locbo_error *error) {
    uint64_t fits = 0;
    locbo_status status = locbo_study_each_fit(c->study, count_fit, &fits, error);
    c->optimizer = NULL;
    locbo_optimizer *made = NULL;
    if (status == LOCBO_OK) status = locbo_study_optimizer(c->model, &made, error);
    if (status == LOCBO_OK) status = check_space(c, error);
    if (status != LOCBO_OK) return status;
    c->optimizer = made;
    c->events = census->events;
    c->trials = census->trials;
    c->fits = fits;
    return LOCBO_OK;
}

void cache_suffices(cache *c, uint64_t events) { c->enough = events; }

locbo_status cache_model(cache *c, locbo_optimizer **optimizer, locbo_error *error) {
    locbo_census census;
    int same = 0;
    if (c->optimizer && c->events >= c->enough) {
        *optimizer = c->optimizer;
        return status_ok(error);
    }
    locbo_status status = locbo_study_census(c->study, &census, error);
    if (status == LOCBO_OK) status = check_model(c, &census, error);
    if (status == LOCBO_OK) status = compare(c, &census, &same, error);
    if (status == LOCBO_OK && !same) status = make_model(c, &census, error);
    if (status != LOCBO_OK) return status;
    *optimizer = c->optimizer;
    return status_ok(error);
}
