/* view_model.c - the best and the recommended point, what the model learnt, and the importance of each parameter.
 * Layer: view, answers. Cost: that of the model. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "warp.h"
#include "belief.h"
#include "choice.h"
#include "front_growth.h"
#include "mem.h"
#include "rows.h"
#include "json_build.h"
#include "value.h"
#include "views.h"

/* ---- choices --------------------------------------------------------------------------------- */

/* The parts of the answer; NULL: null in JSON. */
typedef struct parts {
    json_t *best, *recommended, *model, *models;
} parts;

/* The model sees (result - shift) / spread, so a standard deviation in the user's units is spread times its own; on a
 * Box-Cox, log or logit scale that of a result in the middle, whose image is shift. NAN before the first fit. */
static double sd_of(double variance, const locbo_fit *fit) {
    const warp bend = {fit->power, fit->offset, fit->low, fit->high};
    if (fit->rows == 0) return (double)NAN;
    double sd = fit->spread * sqrt(variance);
    return warp_is_set(&bend) ? warp_sd(&bend, fit->shift, sd) : sd;
}

static json_t *learnt_json(uint64_t results, const locbo_summary *s, const locbo_fit *fit) {
    json_t *row = json_object();
    int bad = build_put(row, "results", build_count(results));
    bad |= build_put(row, "noise_sd", value_real(sd_of(s->noise_var, fit)));
    bad |= build_put(row, "signal_sd", value_real(sd_of(s->signal_var, fit)));
    bad |= build_put(row, "fits", build_count(s->fits));
    bad |= build_put(row, "coverage_online", value_real(s->coverage_online));
    bad |= build_put(row, "coverage_bound", value_real(s->coverage_bound));
    bad |= build_put(row, "guarantee", json_string(s->guarantee));
    return build_finish(row, bad);
}

static locbo_status find_learnt(locbo_optimizer *optimizer, size_t output, uint64_t results, json_t **row,
                                locbo_error *error) {
    locbo_summary summary;
    locbo_fit fit;
    locbo_status status = locbo_optimizer_summary_of(optimizer, output, &summary, error);
    if (status == LOCBO_OK) status = locbo_optimizer_fit_of(optimizer, output, &fit, error);
    if (status != LOCBO_OK) return status;
    *row = learnt_json(results, &summary, &fit);
    return *row ? LOCBO_OK : status_no_memory(error);
}

/* The same of every modelled output. */
static locbo_status list_learnt(locbo_optimizer *optimizer, const output_list *list, uint64_t results, json_t **made,
                                locbo_error *error) {
    json_t *all = json_array();
    locbo_status status = all ? LOCBO_OK : status_no_memory(error);
    for (size_t k = 0; k < list->count && status == LOCBO_OK; k++) {
        json_t *row = NULL;
        if (!output_list_is_modelled(list, k)) continue;
        status = find_learnt(optimizer, k, results, &row, error);
        if (status == LOCBO_OK &&
            (build_put(row, "output", json_string(list->spec[k].name)) | (json_array_append_new(all, row) != 0)))
            status = status_no_memory(error);
    }
    if (status == LOCBO_OK)
        *made = all;
    else
        json_decref(all);
    return status;
}

/* ---- the measured front without a model ------------------------------------------------------ */

typedef struct plain_front {
    cache *cache;
    const trial_table *table;
    const double *bounds, *reference;
    front_growth growth;
    size_t *point;      /* those on the front */
    locbo_belief *none; /* of each output: nothing is believed */
} plain_front;

static json_t *front_cell(const void *source, size_t i) {
    const plain_front *f = source;
    const output_list *list = f->table->outputs;
    size_t point = f->point[i], row_index = f->growth.point[point].row;
    json_t *row = json_object();
    int bad = build_put(row, "trial", build_count(f->table->rows[row_index].trial.id));
    bad |= build_put(row, "params", value_object(cache_space(f->cache), f->table->x + row_index * f->table->dim));
    bad |= build_put(row, "outputs", rows_beliefs(list->table, f->growth.value + point * list->count, f->none));
    bad |= build_put(row, "feasible", json_null());
    return build_finish(row, bad);
}

static locbo_status gather_front(plain_front *f, locbo_error *error) {
    const output_list *list = cache_outputs(f->cache);
    locbo_status status = cache_trials(f->cache, &f->table, error);
    if (status == LOCBO_OK) status = cache_bounds(f->cache, &f->bounds, error);
    if (status == LOCBO_OK) status = cache_reference(f->cache, &f->reference, error);
    if (status == LOCBO_OK) status = front_growth_find(&f->growth, f->table, f->bounds, error);
    if (status != LOCBO_OK) return status;
    size_t n = 0;
    f->point = mem_new(f->growth.front, sizeof *f->point);
    f->none = mem_new(list->count, sizeof *f->none);
    if (!f->point || !f->none) return status_no_memory(error);
    for (size_t k = 0; k < list->count; k++) f->none[k] = BELIEF_NONE;
    for (size_t i = 0; i < f->growth.count; i++)
        if (front_growth_has(&f->growth, i)) f->point[n++] = i;
    return LOCBO_OK;
}

static locbo_status write_front(const plain_front *f, json_t **made, locbo_error *error) {
    const output_list *list = f->table->outputs;
    size_t count = f->growth.front, shown = count < CHOICE_FRONT ? count : CHOICE_FRONT;
    double volume = (double)NAN;
    locbo_status status = LOCBO_OK;
    if (front_growth_is_measurable(list, f->reference))
        status = front_growth_volume(&f->growth, list, f->reference, f->growth.steps, &volume, error);
    if (status != LOCBO_OK) return status;
    json_t *row = json_object();
    int bad = build_put(row, "front", build_list(front_cell, f, shown, NULL));
    bad |= build_put(row, "points", build_count(count));
    bad |= build_put(row, "level", value_real(1 - cache_definition(f->cache)->options->alpha));
    bad |= build_put(row, "reference", rows_numbers(list->table, f->reference, rows_is_objective));
    bad |= build_put(row, "hypervolume", value_real(volume));
    return build_answer(row, bad, made, error);
}

static locbo_status find_front(cache *c, json_t **made, locbo_error *error) {
    plain_front f = {.cache = c};
    locbo_status status = gather_front(&f, error);
    if (status == LOCBO_OK) status = write_front(&f, made, error);
    front_growth_release(&f.growth);
    mem_free(f.point);
    mem_free(f.none);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* The best measured point, or front, without a model: none if no result has the objective. */
static locbo_status find_plain(cache *c, const locbo_census *census, json_t **best, locbo_error *error) {
    if (cache_outputs(c)->objectives > 1) return find_front(c, best, error);
    locbo_status status = choice_plain(cache_study(c), census, best, error);
    return status == LOCBO_ERR_NOTHING ? LOCBO_OK : status;
}

static locbo_status find_modelled(cache *c, locbo_optimizer *optimizer, uint64_t results, parts *p,
                                  locbo_error *error) {
    const output_list *list = cache_outputs(c);
    locbo_status status = choice_of(optimizer, list->table, 0, &p->best, error);
    if (status == LOCBO_OK) status = choice_of(optimizer, list->table, 1, &p->recommended, error);
    if (status == LOCBO_OK) status = find_learnt(optimizer, list->first, results, &p->model, error);
    if (status == LOCBO_OK && list->table) status = list_learnt(optimizer, list, results, &p->models, error);
    return status;
}

/* A study of which no result has the objective has a model, and yet nothing to choose (LOCBO_ERR_STATE). */
static locbo_status find_parts(cache *c, parts *p, char why[256], locbo_error *error) {
    const locbo_census *census;
    locbo_optimizer *optimizer;
    locbo_status status = cache_census(c, &census, error);
    if (status != LOCBO_OK) return status;
    if (census->measurements == 0) {
        snprintf(why, 256, "there is no result yet");
        return LOCBO_OK;
    }
    status = cache_model(c, &optimizer, error);
    if (status == LOCBO_OK) status = find_modelled(c, optimizer, census->measurements, p, error);
    if (status != LOCBO_ERR_NOTHING && status != LOCBO_ERR_STATE) return status;
    snprintf(why, 256, "%s", error->message);
    return p->best ? LOCBO_OK : find_plain(c, census, &p->best, error);
}

static json_t *or_null(json_t *part) { return part ? json_incref(part) : json_null(); }

locbo_status view_choices(cache *c, const query *q, json_t **answer, locbo_error *error) {
    (void)q;
    parts p = {NULL, NULL, NULL, NULL};
    char why[256] = "";
    locbo_error own; /* the message is part of the answer, even if the caller passes no error */
    if (!error) error = &own;
    locbo_status status = find_parts(c, &p, why, error);
    if (status == LOCBO_OK) {
        json_t *row = json_object();
        int bad = build_put(row, "best", or_null(p.best));
        bad |= build_put(row, "recommended", or_null(p.recommended));
        bad |= build_put(row, "why", why[0] ? json_string(why) : json_null());
        bad |= build_put(row, "model", or_null(p.model));
        if (cache_outputs(c)->table) bad |= build_put(row, "models", or_null(p.models));
        status = build_answer(row, bad, answer, error);
    }
    json_decref(p.best);
    json_decref(p.recommended);
    json_decref(p.model);
    json_decref(p.models);
    return status;
}

/* ---- importance ------------------------------------------------------------------------------ */

const char *const importance_keys[] = {"output", NULL};

static const char CAVEAT[] =
    "The share of the variance of the model's mean over the whole space that a parameter explains alone (first), and "
    "with "
    "all its interactions (total): Sobol' indices. The ranges chosen matter, and what matters over the space need not "
    "matter near the optimum. With few results the estimates are rough, and parameters that were varied together "
    "cannot "
    "be told apart. A length scale says over how much of its range the function changes along a parameter.";

static const char CONDITIONS[] =
    "A parameter has no effect where it is not active: one that seldom is explains little.";

static const char CONSTRAINTS[] =
    "Only points that satisfy the known constraints count; where these tie parameters together, one may explain more "
    "alone than is left to it if the others are known.";

static int has_conditions(const locbo_space *space) {
    locbo_parameter p = {.parent = SIZE_MAX};
    for (size_t i = 0; i < locbo_space_dim(space) && p.parent == SIZE_MAX; i++)
        locbo_space_parameter(space, i, &p, NULL);
    return p.parent != SIZE_MAX;
}

static json_t *caveat_json(const locbo_space *space) {
    int conditional = has_conditions(space), limited = locbo_space_constraint_count(space) > 0;
    return json_sprintf("%s%s%s%s%s", CAVEAT, conditional ? " " : "", conditional ? CONDITIONS : "", limited ? " " : "",
                        limited ? CONSTRAINTS : "");
}

/* What is known of the parameters, dim numbers each. */
typedef struct indices {
    double *first, *total, *length;
} indices;

static json_t *index_json(const locbo_space *space, size_t i, const indices *of) {
    locbo_parameter p;
    if (locbo_space_parameter(space, i, &p, NULL) != LOCBO_OK) return NULL;
    json_t *row = json_object();
    int bad = build_put(row, "name", json_string(p.name));
    bad |= build_put(row, "first", value_real(of->first[i]));
    bad |= build_put(row, "total", value_real(of->total[i]));
    bad |= build_put(row, "length_scale", value_real(of->length[i]));
    return build_finish(row, bad);
}

static json_t *indices_json(const locbo_space *space, const indices *of) {
    json_t *list = json_array();
    int bad = !list;
    for (size_t i = 0; i < locbo_space_dim(space) && !bad; i++)
        bad = json_array_append_new(list, index_json(space, i, of));
    return build_finish(list, bad);
}

static locbo_status find_indices(cache *c, size_t output, const indices *of, locbo_error *error) {
    locbo_optimizer *optimizer;
    locbo_status status = cache_model(c, &optimizer, error);
    if (status == LOCBO_OK) status = locbo_optimizer_length_scales_of(optimizer, output, of->length, error);
    if (status == LOCBO_OK && isnan(of->length[0]))
        status = status_fail(error, LOCBO_ERR_NOTHING,
                             "there are no length scales yet: the model is first fitted after the initial points");
    if (status == LOCBO_OK) status = locbo_optimizer_importance(optimizer, output, of->first, of->total, error);
    return status;
}

locbo_status view_importance(cache *c, const query *q, json_t **answer, locbo_error *error) {
    const output_list *list = cache_outputs(c);
    size_t dim = locbo_space_dim(cache_space(c)), output;
    locbo_status status = output_list_read(list, q, 1, &output, error);
    if (status != LOCBO_OK) return status;
    double *numbers = mem_new(3 * dim, sizeof *numbers);
    if (!numbers) return status_no_memory(error);
    const indices of = {numbers, numbers + dim, numbers + 2 * dim};
    status = find_indices(c, output, &of, error);
    if (status == LOCBO_OK) {
        json_t *row = json_object();
        int bad = build_put(row, "parameters", indices_json(cache_space(c), &of));
        bad |= build_put(row, "caveat", caveat_json(cache_space(c)));
        if (list->table) bad |= build_put(row, "output", json_string(list->spec[output].name));
        status = build_answer(row, bad, answer, error);
    }
    mem_free(numbers);
    return status;
}
