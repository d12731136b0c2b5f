/* early_end.c - curves, decisions and their account, as JSON and in words. Layer: cli, middle. Cost: O(steps). */
#include "early_end.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "curve_rows.h"
#include "json_build.h"
#include "mem.h"
#include "rows.h"
#include "value.h"

enum { SHOWN_STEPS = 12, FEW = 300 }; /* steps of a curve in a table; trials before which the bound says little */

static json_int_t count_of(const json_t *row, const char *key) { return json_integer_value(json_object_get(row, key)); }

/* ---- JSON -------------------------------------------------------------------------------------- */

json_t *early_end_decision(const locbo_decision *d) {
    json_t *row = curve_rows_decision(d);
    return build_finish(row, build_put(row, "event", d->event ? build_count(d->event) : json_null()));
}

int early_end_read_decision(const json_t *json, locbo_decision *d) {
    const char *rule = json_string_value(json_object_get(json, "rule"));
    const json_t *event = json_object_get(json, "event");
    uint64_t number = 0;
    json_int_t attempt = count_of(json, "attempt"), step = count_of(json, "step"), when = json_integer_value(event);
    if (!rule || !value_prune(rule, &number) || attempt < 1 || step < 0 || when < 0 || when > INT32_MAX) return 0;
    *d = (locbo_decision){.rule = (locbo_prune)number,
                          .attempt = (uint64_t)attempt,
                          .step = (uint64_t)step,
                          .value = rows_real_of(json, "value"),
                          .incumbent = rows_real_of(json, "incumbent"),
                          .tau = rows_real_of(json, "tau"),
                          .coin = rows_real_of(json, "coin"),
                          .event = (uint64_t)when,
                          .expected = rows_real_of(json, "expected"),
                          .expected_sd = rows_real_of(json, "expected_sd")};
    return (json_is_null(event) || when > 0) && json_is_integer(json_object_get(json, "step"));
}

static int add_curve(const locbo_curve *c, void *user) {
    json_t **list = user, *row = json_object();
    int bad = build_put(row, "trial", build_count(c->trial));
    bad |= build_put(row, "attempt", build_count(c->attempt));
    bad |= build_put(row, "steps", build_count(c->count));
    bad |= curve_rows_put_steps(row, c->count, c->steps);
    if (json_array_append_new(*list, build_finish(row, bad)) == 0) return 0;
    json_decref(*list);
    *list = NULL;
    return 1;
}

locbo_status early_end_curves(locbo_study *study, uint64_t trial, json_t **list, locbo_error *error) {
    json_t *made = json_array();
    locbo_status status = made ? locbo_study_each_curve(study, trial, add_curve, &made, error) : LOCBO_OK;
    if (status == LOCBO_OK && !made) status = status_no_memory(error);
    if (status == LOCBO_OK)
        *list = made;
    else
        json_decref(made);
    return status;
}

static int note_curve(const locbo_curve *c, void *user) {
    (void)c;
    *(int *)user = 1;
    return 1;
}

locbo_status early_end_has_curves(locbo_study *study, int *has, locbo_error *error) {
    *has = 0;
    return locbo_study_each_curve(study, 0, note_curve, has, error);
}

typedef struct finding {
    uint64_t trial;
    json_t *decision;
    int no_memory;
} finding;

static int take_decision(const locbo_record *r, void *user) {
    finding *f = user;
    if (r->trial.id == f->trial && r->decision) f->decision = early_end_decision(r->decision);
    f->no_memory = r->decision && !f->decision;
    return 1;
}

locbo_status early_end_put(json_t *row, locbo_study *study, uint64_t trial, locbo_error *error) {
    locbo_filter one = {.struct_size = sizeof one, .first = trial, .limit = 1};
    finding f = {.trial = trial};
    json_t *curves = NULL;
    locbo_status status = locbo_study_each(study, &one, take_decision, &f, error);
    if (status == LOCBO_OK) status = early_end_curves(study, trial, &curves, error);
    int bad = f.no_memory;
    if (status == LOCBO_OK && json_array_size(curves) > 0) bad |= json_object_set(row, "curves", curves);
    if (status == LOCBO_OK && f.decision) bad |= json_object_set(row, "decision", f.decision);
    json_decref(curves);
    json_decref(f.decision);
    return status == LOCBO_OK && bad ? status_no_memory(error) : status;
}

/* ---- one trial, for people --------------------------------------------------------------------- */

/* "1: 0.9, 2: 0.7, ... 81: 0.3"; of many steps some, the first and the last among them. */
static json_t *curve_text(const json_t *curve) {
    const json_t *step = json_object_get(curve, "step"), *value = json_object_get(curve, "value");
    size_t count = json_array_size(step), shown = count < SHOWN_STEPS ? count : SHOWN_STEPS;
    buffer b = {0};
    for (size_t i = 0; i < shown; i++) {
        size_t at = shown > 1 ? i * (count - 1) / (shown - 1) : 0;
        char number[32];
        value_brief(rows_real(json_array_get(value, at)), number);
        buffer_print(&b, "%s%" JSON_INTEGER_FORMAT ": %s", i ? ", " : "", json_integer_value(json_array_get(step, at)),
                     number);
    }
    if (shown < count) buffer_print(&b, " (%zu of %zu steps)", shown, count);
    json_t *text = b.failed ? NULL : json_stringn(b.data ? b.data : "", b.size);
    mem_free(b.data);
    return text;
}

/* "ended at step 12 with 0.53, incumbent 0.3 (rule risk, tau 2.1, coin 0.6); expected in the end: 0.4, sd 0.1" */
static json_t *decision_text(const json_t *d) {
    static const char *const names[] = {"tau", "coin"};
    char value[32], incumbent[32], more[96] = "", end[96] = "";
    size_t used = 0;
    value_brief(rows_real_of(d, "value"), value);
    value_brief(rows_real_of(d, "incumbent"), incumbent);
    for (size_t i = 0; i < 2; i++) {
        char number[32];
        value_brief(rows_real_of(d, names[i]), number);
        if (!isnan(rows_real_of(d, names[i])))
            used += (size_t)snprintf(more + used, sizeof more - used, ", %s %s", names[i], number);
    }
    if (!isnan(rows_real_of(d, "expected"))) {
        char mean[32], sd[32];
        value_brief(rows_real_of(d, "expected"), mean);
        value_brief(rows_real_of(d, "expected_sd"), sd);
        snprintf(end, sizeof end, "; expected in the end: %s, sd %s", mean, sd);
    }
    int known = !isnan(rows_real_of(d, "incumbent"));
    return json_sprintf("%s at step %" JSON_INTEGER_FORMAT " of attempt %" JSON_INTEGER_FORMAT
                        " with %s%s%s (rule %s%s)%s",
                        json_is_true(json_object_get(d, "ended")) ? "ended" : "could be ended, but was kept,",
                        count_of(d, "step"), count_of(d, "attempt"), value, known ? ", incumbent " : "",
                        known ? incumbent : "", json_string_value(json_object_get(d, "rule")), more, end);
}

int early_end_put_text(json_t *table, const json_t *row) {
    const json_t *curves = json_object_get(row, "curves"), *curve, *decision = json_object_get(row, "decision");
    size_t i;
    int bad = 0;
    json_array_foreach(curves, i, curve) {
        char key[48] = "curve";
        if (json_array_size(curves) > 1)
            snprintf(key, sizeof key, "curve %" JSON_INTEGER_FORMAT, count_of(curve, "attempt"));
        bad |= build_put(table, key, curve_text(curve));
    }
    return decision ? bad | build_put(table, "early end", decision_text(decision)) : bad;
}

/* ---- the account ------------------------------------------------------------------------------- */

locbo_status early_end_account(locbo_study *study, json_t **account, locbo_error *error) {
    locbo_ended ended = {.struct_size = sizeof ended};
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_census census;
    *account = NULL;
    locbo_status status = locbo_study_plan(study, &plan, error);
    if (status == LOCBO_OK) status = locbo_study_census(study, &census, error);
    if (status == LOCBO_OK) status = locbo_study_ended(study, &ended, error);
    if (status != LOCBO_OK) return status;
    if (plan.prune == LOCBO_PRUNE_NONE && ended.could_end == 0 && !(ended.steps > 0)) return LOCBO_OK;
    *account = curve_rows_account(&ended, &plan, &census);
    return *account ? LOCBO_OK : status_no_memory(error);
}

locbo_status early_end_add_account(locbo_study *study, json_t *view, locbo_error *error) {
    json_t *account = NULL;
    locbo_status status = early_end_account(study, &account, error);
    if (status == LOCBO_OK && account && build_put(view, "early_end", account)) status = status_no_memory(error);
    return status;
}

/* "about 310 of 900 steps saved (34 %)", "" if it is not known. */
static void saved_text(const json_t *a, char text[96]) {
    double saved = rows_real_of(a, "steps_saved"), share = rows_real_of(a, "share_saved");
    text[0] = '\0';
    if (isnan(saved) || isnan(share)) return;
    snprintf(text, 96, "about %.0f of %.0f steps saved (%.0f %%)", saved, saved + rows_real_of(a, "steps"),
             100 * share);
}

/* "risk 0.05: 12 could be ended, 11 were ended, 1 was kept, 0 of them beat their incumbent" */
static json_t *rule_text(const json_t *a) {
    const char *rule = json_string_value(json_object_get(a, "rule"));
    json_int_t kept = count_of(a, "kept");
    char risk[40] = "", beat[80] = "", failed[48] = "", out[48] = "";
    if (count_of(a, "could_end") == count_of(a, "ended") && isnan(rows_real_of(a, "target"))) /* no coin keeps any */
        return json_sprintf("%s: %" JSON_INTEGER_FORMAT " ended", rule, count_of(a, "ended"));
    if (!isnan(rows_real_of(a, "target"))) snprintf(risk, sizeof risk, " %g", rows_real_of(a, "target"));
    if (kept > 0)
        snprintf(beat, sizeof beat, ", of which %" JSON_INTEGER_FORMAT " beat the incumbent", count_of(a, "kept_beat"));
    if (count_of(a, "kept_failed") > 0)
        snprintf(failed, sizeof failed, ", %" JSON_INTEGER_FORMAT " kept and failed", count_of(a, "kept_failed"));
    if (count_of(a, "outstanding") > 0)
        snprintf(out, sizeof out, ", %" JSON_INTEGER_FORMAT " kept and not over", count_of(a, "outstanding"));
    return json_sprintf("%s%s: %" JSON_INTEGER_FORMAT " could be ended: %" JSON_INTEGER_FORMAT
                        " ended, %" JSON_INTEGER_FORMAT " kept%s%s%s",
                        rule, risk, count_of(a, "could_end"), count_of(a, "ended"), kept, beat, failed, out);
}

/* The share of trials that were or could be ended and would have been the best: an estimate, and what it is at most. */
static json_t *risk_text(const json_t *a) {
    double estimate = rows_real_of(a, "estimate"), bound = rows_real_of(a, "bound");
    json_int_t resolved = count_of(a, "resolved");
    char text[200];
    if (isnan(bound) || resolved == 0) return json_null();
    int used = snprintf(text, sizeof text, "%.2g estimated from %s, at most %.2g but for the coin's chance", estimate,
                        value_count((uint64_t)resolved, "trial").text, bound);
    if (resolved < FEW)
        snprintf(text + used, sizeof text - (size_t)used, "; it says little before some hundred trials");
    return json_string(text);
}

static int put_known(json_t *table, const char *key, json_t *value) {
    if (!json_is_null(value)) return build_put(table, key, value);
    return 0;
}

int early_end_put_account(json_t *table, const json_t *a) {
    const char *rule = json_string_value(json_object_get(a, "rule"));
    char saved[96];
    if (!a || json_is_null(a)) return 0;
    saved_text(a, saved);
    int bad = 0;
    if (strcmp(rule, "none") != 0 || count_of(a, "could_end") > 0) bad |= build_put(table, "early end", rule_text(a));
    bad |= put_known(table, "would have been best", risk_text(a));
    if (count_of(a, "ended") > 0 && saved[0]) bad |= build_put(table, "steps", json_string(saved));
    return bad;
}

json_t *early_end_summary(const json_t *a) {
    json_int_t ended = count_of(a, "ended");
    char saved[96];
    if (ended == 0) return json_null();
    saved_text(a, saved);
    return json_sprintf("%s%s%s", value_count((uint64_t)ended, "trial").text, saved[0] ? ", " : "", saved);
}
