/* archive.c - reading a study: its trials, its running workers, its outputs, its optimizer. Layer: study,
 * top. What is read comes from one snapshot. The caller's functions are called after the transaction, so that they
 * cannot block it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "records.h"
#include "replay.h"
#include "sized.h"

static const char *const state_names[LOCBO_STATES] = {"WAITING",    "RUNNING",   "COMPLETE", "FAILED",
                                                      "INFEASIBLE", "RETRACTED", "PRUNED"};

const char *locbo_state_name(locbo_state state) {
    return (unsigned)state < LOCBO_STATES ? state_names[state] : "UNKNOWN";
}

locbo_state ledger_state(const char *name) {
    unsigned state = 0;
    while (state + 1 < LOCBO_STATES && strcmp(name, state_names[state]) != 0) state++;
    return (locbo_state)state;
}

static const char *const prune_names[LOCBO_PRUNES] = {"none", "risk", "median", "halving"};

const char *locbo_prune_name(locbo_prune rule) { return (unsigned)rule < LOCBO_PRUNES ? prune_names[rule] : "unknown"; }

/* ---- trials ------------------------------------------------------------------------------------ */

static locbo_status read_records(locbo_store *store, void *user, locbo_error *error) {
    (void)store;
    return records_read(user, error);
}

locbo_status locbo_study_each(locbo_study *study, const locbo_filter *filter, locbo_record_fn *fn, void *user,
                              locbo_error *error) {
    locbo_filter which = {.struct_size = sizeof which};
    if (!study || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and fn must be given");
    record_list s = {.study = study, .filter = &which};
    locbo_status status = sized_take("filter", &which, sizeof which, filter, error);
    if (status == LOCBO_OK) status = store_read(study->store, read_records, &s, error);
    for (size_t i = 0; status == LOCBO_OK && i < s.count; i++)
        if (fn(&s.records[i], user) != 0) break;
    records_clear(&s);
    return status == LOCBO_OK ? status_ok(error) : status;
}

/* ---- workers ----------------------------------------------------------------------------------- */

typedef struct running {
    locbo_worker_fn *fn;
    void *user;
} running;

static locbo_status give_runner(const store_value *columns, size_t count, void *user, locbo_error *error) {
    const running *r = user;
    (void)count, (void)error;
    int end = r->fn(store_as_text(&columns[0]), store_as_count(&columns[1]), store_as_real(&columns[2]), r->user);
    return end ? LOCBO_ERR_STOPPED : LOCBO_OK;
}

locbo_status locbo_study_each_running(locbo_study *study, locbo_worker_fn *fn, void *user, locbo_error *error) {
    if (!study || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and fn must be given");
    running r = {fn, user};
    return store_list(study->store,
                      "SELECT worker, number, lease FROM locbo_trial WHERE study = $1 AND state ="
                      " 'RUNNING' UNION ALL SELECT proposer, 0, proposer_until FROM locbo_study"
                      " WHERE id = $1 AND proposer IS NOT NULL ORDER BY 2",
                      VALUES(store_int(study->id)), give_runner, &r, error);
}

/* ---- outputs ----------------------------------------------------------------------------------- */

typedef struct printing {
    locbo_output_fn *fn;
    void *user;
} printing;

static locbo_status give_output(const store_value *columns, size_t count, void *user, locbo_error *error) {
    const printing *p = user;
    (void)count, (void)error;
    const store_value *out = &columns[3], *err = &columns[4];
    locbo_output output = {.out = out->text ? out->text : "",
                           .err = err->text ? err->text : "",
                           .out_size = out->size,
                           .err_size = err->size,
                           .exit_code = (int)store_as_int(&columns[1]),
                           .seconds = store_as_real(&columns[2])};
    return p->fn(store_as_count(&columns[0]), &output, p->user) == 0 ? LOCBO_OK : LOCBO_ERR_STOPPED;
}

locbo_status locbo_study_each_output(locbo_study *study, uint64_t trial, locbo_output_fn *fn, void *user,
                                     locbo_error *error) {
    if (!study || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and fn must be given");
    printing p = {fn, user};
    return store_list(study->store,
                      "SELECT attempt, exit_code, seconds, out, err FROM locbo_output"
                      " WHERE study = $1 AND trial = $2 ORDER BY attempt",
                      VALUES(store_int(study->id), store_count(trial)), give_output, &p, error);
}

/* ---- the optimizer ----------------------------------------------------------------------------- */

locbo_status locbo_study_optimizer(locbo_study *study, locbo_optimizer **optimizer, locbo_error *error) {
    if (!study || !optimizer) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and optimizer must not be NULL");
    locbo_status status = replay_follow(study, &study->known, error);
    if (status == LOCBO_OK) status = replay_lend(&study->known, optimizer, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}
