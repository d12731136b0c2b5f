/* curves.c - the steps that evaluations report, and the decisions to end them, as rows of the database. Layer: study,
 * middle. Cost: O(rows). */
#include "curves.h"

#include <inttypes.h>
#include <math.h>

#include "bulk.h"
#include "mem.h"

/* ---- steps ------------------------------------------------------------------------------------- */

static void begin_steps(bulk *b, const locbo_study *study) {
    bulk_begin(b, study->store, "locbo_step (study, trial, attempt, step, value)", "$1, ?i, ?i, ?i, ?r",
               VALUES(store_int(study->id)));
}

static locbo_status add_steps(bulk *b, const locbo_curve *c, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < c->count && status == LOCBO_OK; i++)
        status = bulk_add(b,
                          VALUES(store_count(c->trial), store_count(c->attempt), store_count(c->steps[i].step),
                                 store_real(c->steps[i].value)),
                          error);
    return status;
}

locbo_status curves_write(const locbo_study *study, size_t count, const locbo_curve *curves, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    bulk b;
    begin_steps(&b, study);
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) status = add_steps(&b, &curves[i], error);
    return bulk_end(&b, status, error);
}

locbo_status curves_insert(const locbo_study *study, uint64_t trial, uint64_t attempt, size_t count,
                           const locbo_step *steps, locbo_error *error) {
    return curves_write(study, 1, &(locbo_curve){trial, attempt, count, steps}, error);
}

/* ---- reading ----------------------------------------------------------------------------------- */

static locbo_status take_step(const store_value *columns, size_t count, void *user, locbo_error *error) {
    curve_list *l = user;
    uint64_t trial = store_as_count(&columns[0]), attempt = store_as_count(&columns[1]);
    const locbo_curve *last = l->count > 0 ? &l->curves[l->count - 1] : NULL;
    (void)count;
    if (!mem_reserve(&l->step, &l->room, l->steps + 1, sizeof *l->step)) return status_no_memory(error);
    if (!last || last->trial != trial || last->attempt != attempt) {
        mem_array arrays[] = {{&l->curves, sizeof *l->curves}, {&l->first, sizeof *l->first}};
        if (!mem_reserve_all(2, arrays, &l->capacity, l->count + 1)) return status_no_memory(error);
        l->first[l->count] = l->steps;
        l->curves[l->count++] = (locbo_curve){.trial = trial, .attempt = attempt};
    }
    l->step[l->steps++] = (locbo_step){store_as_count(&columns[2]), store_as_real(&columns[3])};
    l->curves[l->count - 1].count++;
    return LOCBO_OK;
}

static locbo_status read_list(curve_list *l, const char *sql, size_t count, const store_value *values,
                              locbo_error *error) {
    l->count = l->steps = 0;
    if (store_version(l->study->store) < 7) return LOCBO_OK;
    locbo_status status = store_query(l->study->store, sql, count, values, take_step, l, NULL, error);
    for (size_t i = 0; i < l->count; i++) l->curves[i].steps = l->step + l->first[i];
    return status;
}

locbo_status curves_read(curve_list *l, locbo_error *error) {
    static const char *const sql[] = {
        "SELECT trial, attempt, step, value FROM locbo_step WHERE study = $1 ORDER BY trial, attempt, step",
        "SELECT trial, attempt, step, value FROM locbo_step WHERE study = $1 AND trial = $2 ORDER BY attempt, step"};
    store_value values[] = {store_int(l->study->id), store_count(l->trial)};
    size_t one = l->trial > 0;
    return read_list(l, sql[one], 1 + one, values, error);
}

locbo_status curves_read_some(curve_list *l, size_t count, const uint64_t *trials, locbo_error *error) {
    store_value values[1 + CURVES_BATCH] = {store_int(l->study->id)};
    for (size_t i = 0; i < CURVES_BATCH; i++) values[1 + i] = store_count(i < count ? trials[i] : 0); /* 0: no trial */
    return read_list(l,
                     "SELECT trial, attempt, step, value FROM locbo_step WHERE study = $1 AND trial IN ($2, $3, $4, $5,"
                     " $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,"
                     " $26) ORDER BY trial, attempt, step",
                     1 + CURVES_BATCH, values, error);
}

const locbo_curve *curves_find(const curve_list *l, uint64_t trial) {
    const locbo_curve *found = NULL;
    for (size_t i = 0; i < l->count; i++)
        if (l->curves[i].trial == trial) found = &l->curves[i];
    return found;
}

void curves_release(curve_list *l) {
    mem_free(l->curves);
    mem_free(l->first);
    mem_free(l->step);
    *l = (curve_list){.study = l->study, .trial = l->trial};
}

typedef struct reading {
    curve_list list;
    int found;
} reading;

static locbo_status take_found(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)columns, (void)count, (void)error;
    *(int *)user = 1;
    return LOCBO_OK;
}

static locbo_status read_curves(locbo_store *store, void *user, locbo_error *error) {
    reading *r = user;
    locbo_status status = curves_read(&r->list, error);
    r->found = r->list.trial == 0 || r->list.count > 0;
    if (status != LOCBO_OK || r->found) return status;
    return store_query(store, "SELECT 1 FROM locbo_trial WHERE study = $1 AND number = $2",
                       VALUES(store_int(r->list.study->id), store_count(r->list.trial)), take_found, &r->found, NULL,
                       error);
}

locbo_status locbo_study_each_curve(locbo_study *study, uint64_t trial, locbo_curve_fn *fn, void *user,
                                    locbo_error *error) {
    if (!study || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and fn must be given");
    reading r = {.list = {.study = study, .trial = trial}};
    locbo_status status = store_read(study->store, read_curves, &r, error);
    if (status == LOCBO_OK && !r.found)
        status = status_fail(error, LOCBO_ERR_NOT_FOUND, "the study '%s' has no trial %" PRIu64, study->name, trial);
    for (size_t i = 0; status == LOCBO_OK && i < r.list.count; i++)
        if (fn(&r.list.curves[i], user) != 0) break;
    curves_release(&r.list);
    return status == LOCBO_OK ? status_ok(error) : status;
}

/* ---- decisions --------------------------------------------------------------------------------- */

locbo_decision curves_read_decision(const store_value *c) {
    return (locbo_decision){.rule = (locbo_prune)store_as_int(&c[0]),
                            .attempt = store_as_count(&c[1]),
                            .step = store_as_count(&c[2]),
                            .value = store_as_real(&c[3]),
                            .incumbent = store_as_real(&c[4]),
                            .tau = store_as_real(&c[5]),
                            .coin = store_as_real(&c[6]),
                            .event = store_as_count(&c[7]),
                            .expected = store_as_real(&c[8]),
                            .expected_sd = store_as_real(&c[9])};
}

locbo_status curves_insert_decision(const locbo_study *study, uint64_t trial, const locbo_decision *d,
                                    locbo_error *error) {
    return store_query(study->store,
                       "INSERT INTO locbo_decision (study, trial, " CURVES_DECISION
                       ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
                       VALUES(store_int(study->id), store_count(trial), store_int(d->rule), store_count(d->attempt),
                              store_count(d->step), store_real(d->value), store_real(d->incumbent), store_real(d->tau),
                              store_real(d->coin), d->event ? store_count(d->event) : store_text(NULL),
                              store_real(d->expected), store_real(d->expected_sd)),
                       NULL, NULL, NULL, error);
}

/* ---- from elsewhere ---------------------------------------------------------------------------- */

locbo_status curves_check_decision(const locbo_decision *d, locbo_error *error) {
    int good = (unsigned)d->rule > LOCBO_PRUNE_NONE && (unsigned)d->rule < LOCBO_PRUNES && d->attempt > 0 &&
               d->step <= CURVES_LAST_STEP && isfinite(d->value) && !isinf(d->incumbent) && !isinf(d->expected) &&
               (isnan(d->tau) || (d->tau >= 0 && isfinite(d->tau))) &&
               (isnan(d->coin) || (d->coin > 0 && d->coin < 1)) &&
               (isnan(d->expected_sd) || (d->expected_sd >= 0 && isfinite(d->expected_sd)));
    if (good) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "the decision to end it early is not possible: rule %d, step %" PRIu64 ", value %g",
                       (int)d->rule, d->step, d->value);
}

static locbo_status check_curve(uint64_t trials, const locbo_curve *c, locbo_error *error) {
    if (c->trial == 0 || c->trial > trials || c->attempt == 0 || c->attempt > INT32_MAX || (c->count > 0 && !c->steps))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "trial %" PRIu64 " or attempt %" PRIu64 " is not possible",
                           c->trial, c->attempt);
    for (size_t i = 0; i < c->count; i++) {
        const locbo_step *s = &c->steps[i];
        if (s->step > CURVES_LAST_STEP || !isfinite(s->value) || (i > 0 && s->step <= s[-1].step))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "step %" PRIu64 " with the value %g is not possible there",
                               s->step, s->value);
    }
    return LOCBO_OK;
}

locbo_status curves_check(uint64_t trials, size_t count, const locbo_curve *curves, locbo_error *error) {
    if (count > 0 && !curves) return status_fail(error, LOCBO_ERR_ARGUMENT, "curves must be given");
    for (size_t i = 0; i < count; i++) {
        const locbo_curve *c = &curves[i];
        locbo_error why;
        locbo_status status = check_curve(trials, c, &why);
        int follows = i == 0 || c->trial > c[-1].trial || (c->trial == c[-1].trial && c->attempt > c[-1].attempt);
        if (status == LOCBO_OK && !follows)
            status = status_fail(&why, LOCBO_ERR_ARGUMENT, "trial %" PRIu64 ", attempt %" PRIu64 " is out of order",
                                 c->trial, c->attempt);
        if (status != LOCBO_OK) return status_fail(error, status, "curve %zu: %s", i + 1, why.message);
    }
    return LOCBO_OK;
}
