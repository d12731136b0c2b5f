/* ending.c - whether a plan's rule to stop holds. Layer: study. */
#include <math.h>

#include "ledger.h"

static uint64_t ended_trials(const locbo_census *c) {
    return c->state[LOCBO_COMPLETE] + c->state[LOCBO_PRUNED] + c->state[LOCBO_STATE_FAILED] +
           c->state[LOCBO_STATE_INFEASIBLE];
}

static int is_target_met(const locbo_study *study, const locbo_plan *plan, const locbo_census *c) {
    double best = c->best_value, target = plan->target;
    if (c->reached) return 1;
    if (isnan(target) || isnan(best)) return 0;
    return study->options.direction == LOCBO_MAXIMIZE ? best >= target : best <= target;
}

locbo_end locbo_study_end(const locbo_study *study, const locbo_plan *plan, const locbo_census *census) {
    const locbo_census *c = census;
    if (!study || !plan || !census) return LOCBO_END_NOT;
    if (c->state[LOCBO_WAITING] == c->ahead) { /* a point put in the queue is evaluated all the same */
        if (plan->trials > 0 && c->state[LOCBO_COMPLETE] + c->state[LOCBO_PRUNED] >= plan->trials)
            return LOCBO_END_TRIALS;
        if (plan->evaluations > 0 && ended_trials(c) >= plan->evaluations) return LOCBO_END_EVALUATIONS;
        if (c->cost >= plan->budget) return LOCBO_END_BUDGET;
    }
    if (c->stopped) return LOCBO_END_STOPPED;
    if (is_target_met(study, plan, c)) return LOCBO_END_TARGET;
    if (plan->no_improvement > 0 && c->since_best >= plan->no_improvement) return LOCBO_END_NO_IMPROVEMENT;
    if (c->expected_gain < plan->expected_gain) return LOCBO_END_EXPECTED_GAIN;
    return LOCBO_END_NOT;
}
