/* curve_rows.c - the JSON of curves and of what was ended early. Layer: view, shapes. Cost: O(steps). */
#include "curve_rows.h"

#include <math.h>

#include "json_build.h"
#include "value.h"

static json_t *step_cell(const void *source, size_t i) { return build_count(((const locbo_step *)source)[i].step); }

static json_t *value_cell(const void *source, size_t i) { return value_real(((const locbo_step *)source)[i].value); }

int curve_rows_put_steps(json_t *row, size_t count, const locbo_step *steps) {
    int bad = build_put(row, "step", build_list(step_cell, steps, count, NULL));
    return bad | build_put(row, "value", build_list(value_cell, steps, count, NULL));
}

json_t *curve_rows_decision(const locbo_decision *d) {
    if (!d || d->attempt == 0) return json_null();
    json_t *row = json_object();
    int bad = build_put(row, "rule", json_string(locbo_prune_name(d->rule)));
    bad |= build_put(row, "attempt", build_count(d->attempt));
    bad |= build_put(row, "step", build_count(d->step));
    bad |= build_put(row, "value", value_real(d->value));
    bad |= build_put(row, "incumbent", value_real(d->incumbent));
    bad |= build_put(row, "tau", value_real(d->tau));
    bad |= build_put(row, "coin", value_real(d->coin));
    bad |= build_put(row, "ended", json_boolean(d->event > 0));
    bad |= build_put(row, "expected", value_real(d->expected));
    bad |= build_put(row, "expected_sd", value_real(d->expected_sd));
    return build_finish(row, bad);
}

static int put_risk(json_t *row, const locbo_ended *e, const locbo_plan *plan) {
    int risk = plan->prune == LOCBO_PRUNE_RISK;
    int bad = build_put(row, "target", risk ? value_real(plan->prune_risk) : json_null());
    bad |= build_put(row, "resolved", risk ? build_count(e->resolved) : json_null());
    bad |= build_put(row, "tau", value_real(e->tau));
    bad |= build_put(row, "estimate", value_real(e->estimate));
    return bad | build_put(row, "bound", value_real(e->bound));
}

json_t *curve_rows_account(const locbo_ended *e, const locbo_plan *plan, const locbo_census *census) {
    double whole = e->steps + e->steps_saved;
    json_t *row = json_object();
    int bad = build_put(row, "evaluations", build_count(census->state[LOCBO_COMPLETE] + census->state[LOCBO_PRUNED]));
    bad |= build_put(row, "could_end", build_count(e->could_end));
    bad |= build_put(row, "ended", build_count(e->ended));
    bad |= build_put(row, "kept", build_count(e->kept));
    bad |= build_put(row, "kept_beat", build_count(e->kept_beat));
    bad |= build_put(row, "kept_failed", build_count(e->kept_failed));
    bad |= build_put(row, "outstanding", build_count(e->outstanding));
    bad |= build_put(row, "steps", value_real(e->steps));
    bad |= build_put(row, "steps_saved", value_real(e->steps_saved));
    bad |= build_put(row, "share_saved", value_real(whole > 0 ? e->steps_saved / whole : (double)NAN));
    bad |= build_put(row, "rule", json_string(locbo_prune_name((locbo_prune)plan->prune)));
    bad |= put_risk(row, e, plan);
    return build_finish(row, bad);
}
