/* overview.c - the state of a study as one JSON object. Layer: view, shapes. */
#include "overview.h"

#include <math.h>

#include "fallback.h"
#include "goal.h"
#include "mem.h"
#include "pareto.h"
#include "point_means.h"
#include "rows.h"
#include "json_build.h"
#include "value.h"

typedef struct view {
    locbo_study *study;
    const char *url;
    locbo_definition definition;
    locbo_plan plan;
    locbo_census census;
    json_t *running, *coverage;
    json_t *several; /* what overview_put_outputs adds; empty without a table */
    int counted;     /* what needs the optimizer */
    uint64_t random;
    rows_bounds bounds;
} view;

/* ---- gathering ------------------------------------------------------------------------------- */

static json_t *runner(const locbo_record *r) {
    json_t *row = json_object();
    int bad = build_put(row, "trial", build_count(r->trial.id));
    bad |= build_put(row, "attempt", build_count(r->attempt));
    bad |= build_put(row, "worker", rows_text(r->worker));
    bad |= build_put(row, "started", value_real(r->started));
    bad |= build_put(row, "lease", value_real(r->lease));
    return build_finish(row, bad);
}

static int take_runner(const locbo_record *record, void *user) {
    view *v = user;
    if (json_array_append_new(v->running, runner(record)) == 0) return 0;
    json_decref(v->running);
    v->running = NULL;
    return 1;
}

static locbo_status list_running(view *v, locbo_error *error) {
    locbo_filter running = {.struct_size = sizeof running, .states = 1u << LOCBO_RUNNING};
    v->running = json_array();
    if (!v->running) return status_no_memory(error);
    locbo_status status = locbo_study_each(v->study, &running, take_runner, v, error);
    if (status == LOCBO_OK && !v->running) return status_no_memory(error);
    return status;
}

static int put_coverage(json_t *row, const locbo_summary *s) {
    int bad = build_put(row, "judged", build_count(s->judged));
    bad |= build_put(row, "coverage", value_real(s->coverage));
    bad |= build_put(row, "online", value_real(s->coverage_online));
    bad |= build_put(row, "target", value_real(s->target));
    bad |= build_put(row, "bound", value_real(s->coverage_bound));
    bad |= build_put(row, "guarantee", rows_text(s->guarantee));
    bad |= build_put(row, "by_origin", rows_by_origin(s->judged_by, s->inside_by));
    return bad;
}

static json_t *coverage_json(const locbo_summary *s) {
    json_t *row = json_object();
    return build_finish(row, put_coverage(row, s));
}

uint64_t overview_random(const locbo_optimizer *optimizer, uint64_t count, locbo_method method) {
    uint64_t random = 0;
    locbo_trial trial;
    for (uint64_t i = 1; i <= count; i++)
        random +=
            locbo_optimizer_trial(optimizer, i, &trial, NULL, NULL, NULL) == LOCBO_OK && fallback_is(&trial, method);
    return random;
}

static locbo_status count_bounds(view *v, const locbo_optimizer *optimizer, uint64_t count, locbo_error *error) {
    const locbo_space *space = v->definition.space;
    locbo_trial trial;
    double *x = mem_new(locbo_space_dim(space), sizeof *x);
    if (!x) return status_no_memory(error);
    for (uint64_t i = 1; i <= count; i++)
        if (locbo_optimizer_trial(optimizer, i, &trial, NULL, x, NULL) == LOCBO_OK)
            rows_count_bounds(&v->bounds, space, &trial, x);
    mem_free(x);
    return LOCBO_OK;
}

static locbo_status count_coverage(view *v, locbo_optimizer *optimizer, locbo_error *error) {
    locbo_summary summary;
    locbo_status status = locbo_optimizer_summary(optimizer, &summary, error);
    if (status != LOCBO_OK) return status;
    v->counted = 1;
    v->random = overview_random(optimizer, summary.asked, v->definition.options->method);
    v->coverage = summary.judged ? coverage_json(&summary) : json_null();
    return v->coverage ? count_bounds(v, optimizer, summary.asked, error) : status_no_memory(error);
}

/* ---- several outputs ------------------------------------------------------------------------- */

/* Complete trials by whether the means of their points keep to the constraints, and how many have measured each output.
 */
typedef struct tally {
    rows_study study;
    point_means points;
    size_t *trials; /* of each point: complete ones */
    size_t trials_capacity;
    double *means;
    json_int_t *measured;
    json_int_t yes, no, unknown;
    locbo_error *error;
    locbo_status status;
} tally;

static int take_trial(const locbo_record *record, void *user) {
    tally *t = user;
    size_t point, outputs = locbo_outputs_count(t->study.outputs);
    rows_means(&t->study, record, t->means);
    t->status = point_means_add(&t->points, record->x, 0, &point, t->error);
    if (t->status == LOCBO_OK && !mem_reserve(&t->trials, &t->trials_capacity, point + 1, sizeof *t->trials))
        t->status = status_no_memory(t->error);
    if (t->status != LOCBO_OK) return 1;
    t->trials[point]++;
    for (size_t i = 0; i < outputs; i++) {
        t->measured[i] += !isnan(t->means[i]);
        for (size_t k = 0; k < record->count; k++) {
            const locbo_measurement *m = &record->measurements[k * outputs + i];
            point_means_take(&t->points, point, i, m->value, m->n);
        }
    }
    return 0;
}

static void judge_points(tally *t) {
    point_means_finish(&t->points);
    for (size_t i = 0; i < t->points.count; i++) {
        int feasible = rows_is_feasible(t->study.outputs, t->study.bounds, t->points.mean + i * t->points.outputs);
        *(feasible > 0 ? &t->yes : feasible == 0 ? &t->no : &t->unknown) += (json_int_t)t->trials[i];
    }
}

/* "measured", "feasible" */
static int put_tally(json_t *row, const tally *t) {
    const locbo_outputs *outputs = t->study.outputs;
    json_t *measured = json_object();
    int bad = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        locbo_outputs_get(outputs, i, &spec, NULL);
        bad |= build_put(measured, spec.name, json_integer(t->measured[i]));
    }
    bad |= build_put(row, "measured", measured);
    return bad | build_put(row, "feasible",
                           goal_constraints(outputs) > 0
                               ? json_pack("{s:I, s:I, s:I}", "yes", t->yes, "no", t->no, "unknown", t->unknown)
                               : json_null());
}

static locbo_status count_trials(json_t *row, locbo_study *study, locbo_error *error) {
    locbo_filter complete = {.struct_size = sizeof complete, .states = 1u << LOCBO_COMPLETE};
    tally t = {.error = error};
    locbo_status status = rows_study_read(&t.study, study, error);
    if (status != LOCBO_OK) return status;
    size_t count = locbo_outputs_count(t.study.outputs);
    t.points = (point_means){.dim = locbo_space_dim(t.study.space), .outputs = count};
    t.means = mem_new(count, sizeof *t.means);
    t.measured = mem_new(count, sizeof *t.measured);
    status =
        t.means && t.measured ? locbo_study_each(study, &complete, take_trial, &t, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = t.status;
    if (status == LOCBO_OK) judge_points(&t);
    if (status == LOCBO_OK && put_tally(row, &t)) status = status_no_memory(error);
    mem_free(t.means);
    mem_free(t.measured);
    mem_free(t.trials);
    point_means_release(&t.points);
    rows_study_release(&t.study);
    return status;
}

static locbo_status find_front(locbo_optimizer *o, const locbo_census *census, json_t **made, locbo_error *error) {
    uint64_t points = 0;
    double volume = (double)NAN;
    *made = json_null();
    if (!o || rows_objectives(locbo_optimizer_outputs(o)) < 2) return LOCBO_OK;
    locbo_status status = pareto_measured(o, &points, &volume, error);
    if (status != LOCBO_OK) return status;
    *made = json_pack("{s:I, s:o, s:I}", "points", (json_int_t)points, "hypervolume", value_real(volume), "since",
                      (json_int_t)census->since_best);
    return *made ? LOCBO_OK : status_no_memory(error);
}

/* "coverage_by_output", "coverage_together" */
static int put_coverages(json_t *row, locbo_optimizer *o) {
    const locbo_outputs *outputs = o ? locbo_optimizer_outputs(o) : NULL;
    json_t *list = json_array(), *together = NULL;
    uint64_t judged = 0, inside = 0;
    int bad = !list;
    for (size_t i = 0; i < locbo_outputs_count(outputs) && !bad; i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        locbo_summary summary;
        locbo_outputs_get(outputs, i, &spec, NULL);
        if (locbo_optimizer_summary_of(o, i, &summary, NULL) != LOCBO_OK) continue; /* it is not modelled */
        json_t *one = json_object();
        bad |= build_put(one, "output", rows_text(spec.name)) | put_coverage(one, &summary);
        bad |= json_array_append_new(list, one);
    }
    bad |= build_put(row, "coverage_by_output", list);
    if (o) locbo_optimizer_whole_coverage(o, &judged, &inside, NULL);
    if (judged > 0)
        together = json_pack("{s:I, s:I, s:f}", "judged", (json_int_t)judged, "inside", (json_int_t)inside, "coverage",
                             (double)inside / (double)judged);
    return bad | build_put(row, "coverage_together", judged > 0 ? together : json_null());
}

locbo_status overview_put_outputs(json_t *row, locbo_study *study, const locbo_census *census, locbo_optimizer *o,
                                  locbo_error *error) {
    json_t *front = NULL;
    locbo_status status = find_front(o, census, &front, error);
    if (status != LOCBO_OK) return status;
    /* the optimizer is valid until the next call with the study */
    if (put_coverages(row, o) | build_put(row, "front", front)) return status_no_memory(error);
    status = count_trials(row, study, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static locbo_status gather(view *v, int coverage, locbo_error *error) {
    v->definition.struct_size = sizeof v->definition;
    v->plan.struct_size = sizeof v->plan;
    locbo_status status = locbo_study_definition(v->study, &v->definition, error);
    if (status == LOCBO_OK) status = locbo_study_plan(v->study, &v->plan, error);
    if (status == LOCBO_OK) status = locbo_study_census(v->study, &v->census, error);
    if (status == LOCBO_OK) status = list_running(v, error);
    if (status != LOCBO_OK) return status;
    locbo_optimizer *optimizer = NULL;
    int several = rows_objectives(v->definition.outputs) > 1;
    if ((coverage || several) && v->census.measurements > 0 && v->census.measurements <= OVERVIEW_MANY)
        status = locbo_study_optimizer(v->study, &optimizer, error);
    if (status == LOCBO_OK && coverage && optimizer) status = count_coverage(v, optimizer, error);
    v->several = json_object();
    if (status == LOCBO_OK && !v->several) status = status_no_memory(error);
    if (status != LOCBO_OK || !v->definition.outputs) return status;
    return overview_put_outputs(v->several, v->study, &v->census, optimizer, error);
}

/* ---- writing --------------------------------------------------------------------------------- */

static json_t *states_json(const locbo_census *census) {
    json_t *row = json_object();
    for (unsigned i = 0; i < LOCBO_STATES; i++)
        if (build_put(row, locbo_state_name((locbo_state)i), build_count(census->state[i])) != 0) {
            json_decref(row);
            return NULL;
        }
    return row;
}

json_t *overview_best(const locbo_census *census) {
    if (census->best_trial == 0) return json_null();
    return json_pack("{s:I, s:o, s:I}", "trial", (json_int_t)census->best_trial, "value",
                     value_real(census->best_value), "results", (json_int_t)census->best_count);
}

int overview_put_name(json_t *row, const locbo_study *study, const char *url, const locbo_options *options) {
    int bad = build_put(row, "name", rows_text(locbo_study_name(study)));
    bad |= build_put(row, "database", rows_text(url));
    bad |= build_put(row, "direction", rows_option(options, "direction"));
    bad |= build_put(row, "method", rows_option(options, "method"));
    return bad;
}

uint64_t overview_ended(const locbo_census *c) {
    return c->state[LOCBO_COMPLETE] + c->state[LOCBO_PRUNED] + c->state[LOCBO_STATE_FAILED] +
           c->state[LOCBO_STATE_INFEASIBLE];
}

int overview_put_counts(json_t *row, const locbo_census *c) {
    int bad = build_put(row, "trials", build_count(c->trials));
    bad |= build_put(row, "states", states_json(c));
    bad |= build_put(row, "measurements", build_count(c->measurements));
    return bad;
}

int overview_put_times(json_t *row, const locbo_census *c) {
    int bad = build_put(row, "stopped", json_boolean(c->stopped));
    bad |= build_put(row, "stop_reason", c->stopped ? rows_text(c->stop_reason) : json_null());
    bad |= build_put(row, "paused", c->paused ? rows_text(c->pause_reason) : json_null());
    bad |= build_put(row, "revision", build_count(c->revision));
    bad |= build_put(row, "created", value_real(c->created));
    bad |= build_put(row, "now", value_real(c->now));
    bad |= build_put(row, "last_event", value_real(c->last_event));
    return bad;
}

static int put_definition(json_t *row, const view *v) {
    const locbo_definition *d = &v->definition;
    int bad = overview_put_name(row, v->study, v->url, d->options);
    bad |= build_put(row, "parameters", rows_parameters(d->space));
    if (locbo_space_constraint_count(d->space)) bad |= build_put(row, "constraints", rows_constraints(d->space));
    if (locbo_space_cost(d->space)) bad |= build_put(row, "cost", rows_text(locbo_space_cost(d->space)));
    bad |= build_put(row, "command", rows_words(d->command_count, d->command));
    if (d->outputs) bad |= build_put(row, "outputs", rows_outputs(d->outputs));
    bad |= build_put(row, "plan", rows_plan(d->outputs, &v->plan));
    return bad;
}

locbo_status overview_put_note(json_t *row, locbo_study *study, locbo_error *error) {
    char *note, *tags;
    locbo_status status = locbo_study_get_note(study, &note, &tags, error);
    if (status != LOCBO_OK) return status;
    int bad = build_put(row, "note", rows_note(note)) | build_put(row, "tags", rows_tags(tags));
    locbo_free(note);
    locbo_free(tags);
    return bad ? status_no_memory(error) : LOCBO_OK;
}

static int put_numbers(json_t *row, const view *v) {
    const locbo_census *c = &v->census;
    int bad = overview_put_counts(row, c);
    bad |= build_put(row, "best", overview_best(c));
    bad |= build_put(row, "since_best", build_count(c->since_best));
    bad |= rows_put_spent(row, v->definition.space, &v->plan, c);
    bad |= build_put(row, "failures_in_row", build_count(c->failures_in_row));
    bad |= json_object_set(row, "coverage", v->coverage ? v->coverage : json_null());
    bad |=
        build_put(row, "random_proposals", v->counted || c->measurements == 0 ? build_count(v->random) : json_null());
    bad |= build_put(row, "bounds", rows_bounds_json(&v->bounds));
    bad |= json_object_update(row, v->several);
    bad |= json_object_set(row, "running", v->running);
    bad |= overview_put_times(row, c);
    return bad;
}

locbo_status overview_make(locbo_study *study, const char *url, int coverage, json_t **made, locbo_error *error) {
    view v = {.study = study, .url = url};
    locbo_status status = gather(&v, coverage, error);
    json_t *row = status == LOCBO_OK ? json_object() : NULL;
    if (status == LOCBO_OK && (put_definition(row, &v) || put_numbers(row, &v))) status = status_no_memory(error);
    if (status == LOCBO_OK) status = overview_put_note(row, study, error);
    json_decref(v.running);
    json_decref(v.coverage);
    json_decref(v.several);
    if (status != LOCBO_OK) {
        json_decref(row);
        return status;
    }
    *made = row;
    return status_ok(error);
}
