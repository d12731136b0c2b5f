/* view_front.c - several objectives: the trials and the Pareto fronts, and how the volume of the measured front grew.
 * Layer: view, answers. Cost: O(trials log trials) as a rule; the volumes, for as many steps as time allows; the front
 * by the model that of the model. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "choice.h"
#include "front_growth.h"
#include "json_build.h"
#include "mem.h"
#include "rows.h"
#include "thin.h"
#include "value.h"
#include "views.h"

const char *const pareto_keys[] = {"points", NULL};
const char *const hypervolume_keys[] = {"points", NULL};

enum { LEAST = 10, MOST = 20000, USUAL = 2000 };

/* All that the answers are made from. */
typedef struct facts {
    cache *cache;
    const output_list *outputs;
    const trial_table *table;
    const double *bounds, *reference;
    front_growth growth;
    size_t output; /* whose column is made */
} facts;

static locbo_status gather(facts *f, locbo_error *error) {
    f->outputs = cache_outputs(f->cache);
    if (f->outputs->objectives < 2)
        return status_fail(error, LOCBO_ERR_NOTHING, "there is no front: the study has one objective");
    locbo_status status = cache_trials(f->cache, &f->table, error);
    if (status == LOCBO_OK) status = cache_bounds(f->cache, &f->bounds, error);
    if (status == LOCBO_OK) status = cache_reference(f->cache, &f->reference, error);
    return status == LOCBO_OK ? front_growth_find(&f->growth, f->table, f->bounds, error) : status;
}

static json_t *reference_json(const facts *f) {
    return rows_numbers(f->outputs->table, f->reference, rows_is_objective);
}

/* ---- points ---------------------------------------------------------------------------------- */

static json_t *trial_cell(const void *source, size_t i) {
    const facts *f = source;
    return build_count(f->table->rows[f->growth.point[i].row].trial.id);
}

static json_t *feasible_cell(const void *source, size_t i) {
    return trial_feasible_json(((const facts *)source)->growth.point[i].feasible);
}

static json_t *front_cell(const void *source, size_t i) {
    return json_boolean(front_growth_has(&((const facts *)source)->growth, i));
}

static const build_column columns[] = {
    {"trial", trial_cell}, {"feasible", feasible_cell}, {"front", front_cell}, {NULL, NULL}};

static json_t *value_cell(const void *source, size_t i) {
    const facts *f = source;
    return value_real(f->growth.value[i * f->outputs->count + f->output]);
}

static json_t *columns_json(facts *f, size_t count, const size_t *chosen) {
    json_t *all = build_columns(columns, f, count, chosen), *values = json_object();
    int bad = !all;
    for (f->output = 0; f->output < f->outputs->count && !bad; f->output++)
        if (output_list_is_objective(f->outputs, f->output))
            bad = build_put(values, f->outputs->spec[f->output].name, build_list(value_cell, f, count, chosen));
    bad |= build_put(all, "values", values);
    return build_finish(all, bad);
}

/* Leaves of `points` those that are shown: the front, and evenly spaced ones of the others. */
static locbo_status thin_points(const front_growth *g, size_t *points, size_t *count, size_t most, locbo_error *error) {
    size_t others = 0, kept = 0, shown = 0, *chosen = NULL, n = *count;
    size_t *other = mem_new(n, sizeof *other);
    if (!other) return status_no_memory(error);
    for (size_t i = 0; i < n; i++)
        if (!front_growth_has(g, points[i])) other[others++] = i;
    locbo_status status = thin_evenly(others, most > g->front ? most - g->front : 0, &chosen, &shown, error);
    for (size_t i = 0, j = 0; i < n && status == LOCBO_OK; i++) {
        int is_chosen = j < shown && other[chosen[j]] == i;
        j += (size_t)is_chosen;
        if (is_chosen || front_growth_has(g, points[i])) points[kept++] = points[i];
    }
    mem_free(other);
    mem_free(chosen);
    if (status == LOCBO_OK) *count = kept;
    return status;
}

/* The points with all objectives; release with mem_free. */
static locbo_status list_points(const facts *f, size_t most, size_t **points, size_t *matching, size_t *shown,
                                locbo_error *error) {
    size_t *all = mem_new(f->growth.count, sizeof *all), n = 0;
    if (!all) return status_no_memory(error);
    for (size_t i = 0; i < f->growth.count; i++)
        if (f->growth.point[i].is_whole) all[n++] = i;
    *points = all;
    *matching = *shown = n;
    return n > most ? thin_points(&f->growth, all, shown, most, error) : LOCBO_OK;
}

/* ---- pareto ---------------------------------------------------------------------------------- */

/* The front by the model; an empty list with the reason in `why` if there is no model. */
static locbo_status believed_json(cache *c, json_t **list, char why[256], locbo_error *error) {
    locbo_optimizer *optimizer;
    json_t *choice = NULL;
    locbo_status status = cache_model(c, &optimizer, error);
    if (status == LOCBO_OK) status = choice_of(optimizer, cache_definition(c)->outputs, 1, &choice, error);
    if (status == LOCBO_ERR_NOTHING) {
        snprintf(why, 256, "%s", error->message);
        *list = json_array();
        return *list ? LOCBO_OK : status_no_memory(error);
    }
    if (status != LOCBO_OK) return status;
    *list = json_incref(json_object_get(choice, "front"));
    json_decref(choice);
    return LOCBO_OK;
}

static locbo_status write_pareto(facts *f, uint64_t most, json_t **answer, locbo_error *error) {
    size_t *points = NULL, matching = 0, shown = 0;
    json_t *believed = NULL;
    char why[256] = "";
    locbo_status status = list_points(f, (size_t)most, &points, &matching, &shown, error);
    if (status == LOCBO_OK) status = believed_json(f->cache, &believed, why, error);
    if (status == LOCBO_OK) {
        json_t *row = json_object();
        int bad = build_put(row, "objectives", output_list_names(f->outputs, output_list_is_objective));
        bad |= build_put(row, "reference", reference_json(f));
        bad |= build_put(row, "level", value_real(1 - cache_definition(f->cache)->options->alpha));
        bad |= build_put(row, "matching", build_count(matching));
        bad |= build_put(row, "shown", build_count(shown));
        bad |= build_put(row, "columns", columns_json(f, shown, points));
        bad |= build_put(row, "believed", json_incref(believed));
        bad |= build_put(row, "why", *why ? json_string(why) : json_null());
        status = build_answer(row, bad, answer, error);
    }
    json_decref(believed);
    mem_free(points);
    return status;
}

locbo_status view_pareto(cache *c, const query *q, json_t **answer, locbo_error *error) {
    facts f = {.cache = c};
    locbo_error own; /* the message is part of the answer, even if the caller passes no error */
    uint64_t points;
    if (!error) error = &own;
    locbo_status status = query_count(q, "points", LEAST, MOST, USUAL, &points, error);
    if (status == LOCBO_OK) status = gather(&f, error);
    if (status == LOCBO_OK) status = write_pareto(&f, points, answer, error);
    front_growth_release(&f.growth);
    return status;
}

/* ---- hypervolume ----------------------------------------------------------------------------- */

/* Some steps and the volumes after them. */
typedef struct curve {
    const facts *facts;
    size_t count, *step;
    double *volume;
} curve;

static json_t *step_trial_cell(const void *source, size_t i) {
    const curve *c = source;
    return trial_cell(c->facts, c->facts->growth.step[c->step[i]]);
}

static json_t *completed_cell(const void *source, size_t i) {
    const curve *c = source;
    return build_count(c->facts->growth.point[c->facts->growth.step[c->step[i]]].completed);
}

static json_t *volume_cell(const void *source, size_t i) { return value_real(((const curve *)source)->volume[i]); }

/* How many volumes are computed: one takes up to points^(objectives - 1) operations. */
static size_t affordable(const facts *f, size_t points) {
    const double operations = 5e8;
    double each = pow((double)f->growth.most, (double)f->outputs->objectives - 1);
    double count = operations / fmax(each, 1);
    return count < (double)points ? (size_t)fmax(count, 2) : points;
}

/* The steps after which the volume is another: those worse than the reference change nothing. */
static locbo_status measure(curve *c, size_t points, locbo_error *error) {
    const facts *f = c->facts;
    size_t n = 0, kept = 0;
    double before = 0;
    locbo_status status = thin_evenly(f->growth.steps, affordable(f, points), &c->step, &n, error);
    if (status != LOCBO_OK) return status;
    c->volume = mem_new(n, sizeof *c->volume);
    if (!c->volume) return status_no_memory(error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) {
        double volume;
        status = front_growth_volume(&f->growth, f->outputs, f->reference, c->step[i] + 1, &volume, error);
        if (status != LOCBO_OK || volume == before) continue;
        c->step[kept] = c->step[i];
        c->volume[kept++] = before = volume;
    }
    c->count = kept;
    return status;
}

static json_t *curve_json(const curve *c, const locbo_census *census, int known) {
    const facts *f = c->facts;
    json_t *row = json_object();
    int bad = build_put(row, "reference", known ? reference_json(f) : json_null());
    bad |= build_put(row, "trial", build_list(step_trial_cell, c, c->count, NULL));
    bad |= build_put(row, "completed", build_list(completed_cell, c, c->count, NULL));
    bad |= build_put(row, "volume", build_list(volume_cell, c, c->count, NULL));
    bad |= build_put(row, "complete", build_count(f->growth.completed));
    bad |= build_put(row, "since", build_count(census->since_best));
    bad |= build_put(row, "why",
                     known ? json_null()
                           : json_string("the reference point is not known yet: the model infers it at its first "
                                         "proposal, unless the study says it"));
    return build_finish(row, bad);
}

locbo_status view_hypervolume(cache *c, const query *q, json_t **answer, locbo_error *error) {
    facts f = {.cache = c};
    curve all = {.facts = &f};
    const locbo_census *census;
    uint64_t points;
    locbo_status status = query_count(q, "points", LEAST, MOST, USUAL, &points, error);
    if (status == LOCBO_OK) status = cache_census(c, &census, error);
    if (status == LOCBO_OK) status = gather(&f, error);
    int known = status == LOCBO_OK && front_growth_is_measurable(f.outputs, f.reference);
    if (known) status = measure(&all, (size_t)points, error);
    if (status == LOCBO_OK) status = build_answer(curve_json(&all, census, known), 0, answer, error);
    mem_free(all.step);
    mem_free(all.volume);
    front_growth_release(&f.growth);
    return status;
}
