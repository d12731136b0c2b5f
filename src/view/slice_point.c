/* slice_point.c - the point that fixes the other parameters of a slice. Layer: view, a study. Cost: that of choosing
 * it, and O(trials dim). */
#include "slice_point.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "choice.h"
#include "json_build.h"
#include "mem.h"
#include "value.h"

/* ---- the point that is asked for --------------------------------------------------------------- */

static void take_row(slice_point *p, const trial_table *t, size_t i) {
    p->what = "trial";
    p->trial = t->rows[i].trial.id;
    memcpy(p->x, t->x + i * t->dim, t->dim * sizeof *p->x);
}

static locbo_status point_of_trial(cache *c, const char *text, slice_point *p, locbo_error *error) {
    const trial_table *t;
    int64_t number;
    if (!value_whole(text, &number))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "at must be recommended, best or the number of a trial, got '%.60s'", text);
    locbo_status status = cache_trials(c, &t, error);
    if (status != LOCBO_OK) return status;
    if (number < 1 || (uint64_t)number > t->count)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "at: there is no trial %" PRId64, number);
    take_row(p, t, (size_t)number - 1);
    return LOCBO_OK;
}

/* How far a point of a front is from the best of every objective, each as a share of the range on the front. */
static double distance(const output_list *list, size_t n, const locbo_belief *beliefs, size_t at) {
    double sum = 0;
    for (size_t k = 0; k < list->count; k++) {
        double low = INFINITY, high = -INFINITY, mean = beliefs[at * list->count + k].mean;
        if (!output_list_is_objective(list, k)) continue;
        for (size_t i = 0; i < n; i++) {
            low = fmin(low, beliefs[i * list->count + k].mean);
            high = fmax(high, beliefs[i * list->count + k].mean);
        }
        double best = list->spec[k].goal == LOCBO_GOAL_MAXIMIZE ? high : low;
        if (high > low) sum += pow((mean - best) / (high - low), 2);
    }
    return sum;
}

/* The point of a front that the model believes nearest to the best of every objective. */
static locbo_status choose_middle(const output_list *list, locbo_optimizer *optimizer, locbo_front_by by,
                                  slice_point *p, locbo_error *error) {
    size_t dim = locbo_space_dim(locbo_optimizer_space(optimizer)), count = 0, best = 0, most = CHOICE_FRONT;
    locbo_front_point *points = mem_new(most, sizeof *points);
    double *x = mem_new(most * dim, sizeof *x);
    locbo_belief *beliefs = mem_new(most * list->count, sizeof *beliefs);
    locbo_status status = points && x && beliefs ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK)
        status = locbo_optimizer_front(optimizer, by, most, points, x, NULL, beliefs, &count, error);
    if (status == LOCBO_ERR_STATE) status = LOCBO_ERR_NOTHING; /* no result has an objective */
    if (count > most) count = most;
    if (status == LOCBO_OK && count == 0)
        status = status_fail(error, LOCBO_ERR_NOTHING, "the front is empty: choose a trial by its number");
    for (size_t i = 1; i < count && status == LOCBO_OK; i++)
        if (distance(list, count, beliefs, i) < distance(list, count, beliefs, best)) best = i;
    if (status == LOCBO_OK) p->trial = points[best].trial;
    if (status == LOCBO_OK) memcpy(p->x, x + best * dim, dim * sizeof *p->x);
    mem_free(points);
    mem_free(x);
    mem_free(beliefs);
    return status;
}

static locbo_status point_of_choice(cache *c, int recommended, slice_point *p, locbo_error *error) {
    const output_list *list = cache_outputs(c);
    locbo_optimizer *optimizer;
    locbo_choice choice = {.trial = 0};
    locbo_status status = cache_model(c, &optimizer, error);
    p->what = recommended ? "recommended" : "best";
    if (status == LOCBO_OK && list->objectives > 1)
        return choose_middle(list, optimizer, recommended ? LOCBO_FRONT_BELIEVED : LOCBO_FRONT_MEASURED, p, error);
    if (status == LOCBO_OK)
        status = recommended ? locbo_optimizer_recommend(optimizer, &choice, p->x, error)
                             : locbo_optimizer_best(optimizer, &choice, p->x, error);
    if (status == LOCBO_OK) p->trial = choice.trial;
    return status == LOCBO_ERR_STATE ? LOCBO_ERR_NOTHING : status; /* no result has the objective */
}

/* ---- which parameters are active ----------------------------------------------------------------- */

static locbo_parameter parameter_at(const locbo_space *space, size_t i) {
    locbo_parameter p = {.parent = SIZE_MAX};
    locbo_space_parameter(space, i, &p, NULL);
    return p;
}

static int is_axis(size_t axes, const axis *along, size_t i) {
    return along[0].index == i || (axes == 2 && along[1].index == i);
}

/* Whether parameter i is active at x for some values of the axes. */
static int may_be_active(const locbo_space *space, size_t axes, const axis *along, const double *x, size_t i) {
    locbo_parameter p = parameter_at(space, i);
    while (p.parent != SIZE_MAX) {
        int found = is_axis(axes, along, p.parent);
        for (size_t k = 0; k < p.when_count; k++) found |= x[p.parent] == p.when[k];
        if (!found) return 0;
        p = parameter_at(space, p.parent);
    }
    return 1;
}

static int fits(const locbo_space *space, size_t axes, const axis *along, const double *x) {
    for (size_t i = 0; i < axes; i++)
        if (!may_be_active(space, axes, along, x, along[i].index)) return 0;
    return 1;
}

/* Whether row i has a better value of the first objective than row `than`, which may be none (t->count). */
static int is_better(const trial_table *t, int maximize, size_t i, size_t than) {
    double value = t->rows[i].value;
    if (isnan(value)) return 0;
    if (than == t->count) return 1;
    return maximize ? value > t->rows[than].value : value < t->rows[than].value;
}

/* The best trial at which the axes may be active, in place of a point at which they are not. */
static locbo_status replace(slice_point *p, cache *c, size_t axes, const axis *along, locbo_error *error) {
    const locbo_space *space = cache_space(c);
    const trial_table *t;
    const char *first = along[0].parameter.name, *second = axes == 2 ? along[1].parameter.name : "";
    if (strcmp(p->what, "trial") == 0)
        return status_fail(error, LOCBO_ERR_NOTHING, "%s%s%.60s %s not active in trial %" PRIu64, first,
                           axes == 2 ? " and " : "", second, axes == 2 ? "are" : "is", p->trial);
    locbo_status status = cache_trials(c, &t, error);
    if (status != LOCBO_OK) return status;
    size_t best = t->count;
    for (size_t i = 0; i < t->count; i++)
        if (fits(space, axes, along, t->x + i * t->dim) && is_better(t, cache_maximizes(c), i, best)) best = i;
    if (best == t->count)
        return status_fail(error, LOCBO_ERR_NOTHING, "%s%s%.60s %s active in no trial with a value", first,
                           axes == 2 ? " and " : "", second, axes == 2 ? "are together" : "is");
    p->instead = p->what;
    take_row(p, t, best);
    return LOCBO_OK;
}

/* The value of the parameter as the space has it now that is nearest to v. A category that was retired stays. */
static double value_inside(const locbo_parameter *p, double v) {
    if (!isnan(p->frozen)) return p->frozen;
    if (p->kind != LOCBO_REAL && p->kind != LOCBO_INT) return v;
    if (p->step > 0) v = p->low + round((v - p->low) / p->step) * p->step;
    return fmin(fmax(v, p->low), p->high);
}

/* A point that was a point of the space before it was altered. */
static void move_inside(slice_point *p, const locbo_space *space) {
    if (locbo_space_check(space, p->x, NULL) == LOCBO_OK) return;
    for (size_t j = 0; j < locbo_space_dim(space); j++) {
        locbo_parameter parameter = parameter_at(space, j);
        double v = isnan(p->x[j]) ? p->x[j] : value_inside(&parameter, p->x[j]);
        p->moved |= v != p->x[j] && !isnan(v);
        p->x[j] = v;
    }
}

static double middle_of(const locbo_parameter *p) {
    double middle = p->low + (p->high - p->low) / 2;
    if (p->scale == LOCBO_LOG && p->low > 0 && p->count == 0) middle = sqrt(p->low) * sqrt(p->high);
    if (p->step > 0) return p->low + floor((p->high - p->low) / p->step / 2) * p->step;
    return p->kind == LOCBO_REAL ? middle : floor(middle);
}

/* Values for parameters that are not active at the point. */
static locbo_status fill(slice_point *p, cache *c, locbo_error *error) {
    const trial_table *t;
    locbo_status status = cache_trials(c, &t, error);
    if (status != LOCBO_OK) return status;
    for (size_t j = 0; j < t->dim; j++) {
        locbo_parameter parameter = parameter_at(cache_space(c), j);
        size_t best = t->count;
        p->filled[j] = p->x[j];
        if (!isnan(p->x[j])) continue;
        for (size_t i = 0; i < t->count; i++)
            if (!isnan(t->x[i * t->dim + j]) && is_better(t, cache_maximizes(c), i, best)) best = i;
        p->filled[j] = value_inside(&parameter, best < t->count ? t->x[best * t->dim + j] : middle_of(&parameter));
    }
    return LOCBO_OK;
}

/* ---- what the views call ------------------------------------------------------------------------- */

static locbo_status choose(slice_point *p, cache *c, const query *q, locbo_error *error) {
    const char *text = query_get(q, "at");
    int recommended = !text || strcmp(text, "recommended") == 0;
    if (recommended || strcmp(text, "best") == 0) return point_of_choice(c, recommended, p, error);
    return point_of_trial(c, text, p, error);
}

locbo_status slice_point_find(slice_point *p, cache *c, const query *q, size_t axes, const axis *along,
                              locbo_error *error) {
    size_t dim = locbo_space_dim(cache_space(c));
    *p = (slice_point){.x = mem_new(dim, sizeof *p->x),
                       .filled = mem_new(dim, sizeof *p->filled),
                       .active = mem_new(dim, sizeof *p->active)};
    if (!p->x || !p->filled || !p->active) return status_no_memory(error);
    locbo_status status = choose(p, c, q, error);
    if (status == LOCBO_OK && !fits(cache_space(c), axes, along, p->x)) status = replace(p, c, axes, along, error);
    if (status == LOCBO_OK) move_inside(p, cache_space(c));
    return status == LOCBO_OK ? fill(p, c, error) : status;
}

void slice_point_release(slice_point *p) {
    mem_free(p->x);
    mem_free(p->filled);
    mem_free(p->active);
}

json_t *slice_point_json(const slice_point *p, const locbo_space *space) {
    json_t *row = json_object();
    int bad = build_put(row, "what", json_string(p->what));
    bad |= build_put(row, "trial", p->trial ? build_count(p->trial) : json_null());
    if (p->instead) bad |= build_put(row, "instead", json_string(p->instead));
    if (p->moved) bad |= build_put(row, "moved", json_true());
    bad |= build_put(row, "params", value_object(space, p->x));
    return build_finish(row, bad);
}

int slice_point_move(const slice_point *p, const locbo_space *space, size_t axes, const axis *along,
                     const double *values, double *row) {
    size_t dim = locbo_space_dim(space);
    memcpy(row, p->filled, dim * sizeof *row);
    for (size_t i = 0; i < axes; i++) row[along[i].index] = values[i];
    locbo_space_active(space, row, p->active, NULL);
    for (size_t j = 0; j < dim; j++)
        if (!p->active[j]) row[j] = (double)NAN;
    for (size_t i = 0; i < axes; i++)
        if (!p->active[along[i].index]) return 0;
    return locbo_space_check(space, row, NULL) == LOCBO_OK;
}
