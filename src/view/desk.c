/* desk.c - one study on the desk. Layer: view, facts. Cost: the columns are read once, O(trials), and then as far as
 * they change; the model is made when it is wanted, O(results^3). */
#include "desk.h"

#include <inttypes.h>

#include "choice.h"
#include "mem.h"

/* An optimizer is valid until the next call with its study, so the model has a handle of its own, which is used for
 * nothing else. */
struct desk {
    locbo_store *store;
    locbo_study *study, *model;
    locbo_definition definition;
    locbo_census census;
    board board;
    locbo_optimizer *optimizer; /* belongs to `model`; NULL: not made yet */
    uint64_t events, trials;    /* of the census that the optimizer was made after */
    uint64_t fits;
};

/* ---- open and close -------------------------------------------------------------------------- */

static locbo_status open_studies(desk *d, const char *name, locbo_error *error) {
    d->definition.struct_size = sizeof d->definition;
    locbo_status status = locbo_study_open(&d->study, d->store, name, error);
    if (status == LOCBO_OK) status = locbo_study_open(&d->model, d->store, locbo_study_name(d->study), error);
    if (status == LOCBO_OK) status = locbo_study_definition(d->study, &d->definition, error);
    if (status != LOCBO_OK) return status;
    d->board.dim = locbo_space_dim(d->definition.space);
    return LOCBO_OK;
}

locbo_status desk_open(desk **made, locbo_store *store, const char *name, locbo_error *error) {
    desk *d = mem_new(1, sizeof *d);
    if (!d) return status_no_memory(error);
    d->store = store;
    locbo_status status = open_studies(d, name, error);
    if (status != LOCBO_OK) {
        desk_close(d);
        return status;
    }
    *made = d;
    return status_ok(error);
}

void desk_close(desk *d) {
    if (!d) return;
    board_release(&d->board);
    locbo_study_close(d->model);
    locbo_study_close(d->study);
    mem_free(d);
}

locbo_study *desk_study(desk *d) { return d->study; }

const char *desk_url(const desk *d) { return locbo_store_url(d->store); }

const locbo_definition *desk_definition(const desk *d) { return &d->definition; }

const locbo_space *desk_space(const desk *d) { return d->definition.space; }

int desk_maximizes(const desk *d) { return d->definition.options->direction == LOCBO_MAXIMIZE; }

/* ---- facts ----------------------------------------------------------------------------------- */

locbo_status desk_census(desk *d, const locbo_census **census, locbo_error *error) {
    locbo_status status = locbo_study_census(d->study, &d->census, error);
    if (status == LOCBO_OK) *census = &d->census;
    return status;
}

locbo_status desk_board(desk *d, const board **b, locbo_error *error) {
    locbo_status status = board_refresh(&d->board, d->study, error);
    if (status == LOCBO_OK) *b = &d->board;
    return status;
}

/* ---- the model ------------------------------------------------------------------------------- */

static locbo_status check_model(const desk *d, const locbo_census *census, locbo_error *error) {
    if (d->definition.options->method == LOCBO_METHOD_RANDOM)
        return status_fail(error, LOCBO_ERR_NOTHING, "there is no model: the method of the study is random");
    if (census->measurements < 2)
        return status_fail(error, LOCBO_ERR_NOTHING, "there is no model yet: it takes two results");
    if (census->measurements > CHOICE_MANY)
        return status_fail(error, LOCBO_ERR_NOTHING,
                           "there is no model of more than %d results, and there are %" PRIu64, (int)CHOICE_MANY,
                           census->measurements);
    return LOCBO_OK;
}

static int count_fit(const locbo_fit *fit, void *user) {
    uint64_t *count = user;
    (void)fit;
    ++*count;
    return 0;
}

/* Whether the optimizer is still that of the facts. A proposal may bring a fit, and nothing else that beliefs rest on.
 */
static locbo_status compare(desk *d, const locbo_census *census, int *same, locbo_error *error) {
    uint64_t fits = 0;
    *same = d->optimizer && d->events == census->events;
    if (!*same || d->trials == census->trials) return LOCBO_OK;
    locbo_status status = locbo_study_each_fit(d->study, count_fit, &fits, error);
    if (status != LOCBO_OK) return status;
    *same = fits == d->fits;
    if (*same) d->trials = census->trials;
    return LOCBO_OK;
}

/* The numbers are read first: what comes between them and the optimizer makes it newer, and makes it again. */
static locbo_status make_model(desk *d, const locbo_census *census, locbo_error *error) {
    uint64_t fits = 0;
    locbo_status status = locbo_study_each_fit(d->study, count_fit, &fits, error);
    d->optimizer = NULL;
    locbo_optimizer *made = NULL;
    if (status == LOCBO_OK) status = locbo_study_optimizer(d->model, &made, error);
    if (status != LOCBO_OK) return status;
    d->optimizer = made;
    d->events = census->events;
    d->trials = census->trials;
    d->fits = fits;
    return LOCBO_OK;
}

locbo_status desk_model(desk *d, locbo_optimizer **optimizer, locbo_error *error) {
    locbo_census census;
    int same = 0;
    locbo_status status = locbo_study_census(d->study, &census, error);
    if (status == LOCBO_OK) status = check_model(d, &census, error);
    if (status == LOCBO_OK) status = compare(d, &census, &same, error);
    if (status == LOCBO_OK && !same) status = make_model(d, &census, error);
    if (status != LOCBO_OK) return status;
    *optimizer = d->optimizer;
    return status_ok(error);
}
