/* acquisition.c - the utility of evaluating x (eq:acqusition function) under the law of f(x).
 *
 * Layer: core, above the law. Cost: one call of the law. */
#include "acquisition.h"

#include <math.h>

double acquisition_score(const acquisition *a, const law *l, law_grad *grad) {
    switch (a->kind) {
    case LOCBO_ACQUISITION_EI:
    case LOCBO_ACQUISITION_LOG_EI:
        return law_log_ei(l, a->best, grad);
    case LOCBO_ACQUISITION_PI:
        return law_log_pi(l, a->best, grad);
    case LOCBO_ACQUISITION_UCB:
        return law_quantile(l, a->ucb_level, grad);
    case LOCBO_ACQUISITION_THOMPSON:
        break; /* scored by a sampled path */
    }
    return NAN;
}

double acquisition_value(const acquisition *a, const law *l) {
    switch (a->kind) {
    case LOCBO_ACQUISITION_EI:
        return law_ei(l, a->best, NULL);
    case LOCBO_ACQUISITION_LOG_EI:
        return law_log_ei(l, a->best, NULL);
    case LOCBO_ACQUISITION_PI:
        return law_pi(l, a->best, NULL);
    case LOCBO_ACQUISITION_UCB:
        return law_quantile(l, a->ucb_level, NULL);
    case LOCBO_ACQUISITION_THOMPSON:
        break;
    }
    return NAN;
}
