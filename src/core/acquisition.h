/* acquisition.h - the utility of evaluating x, as an expectation under the law of f(x). */
#ifndef ACQUISITION_H
#define ACQUISITION_H

#include <locbo/locbo.h>

#include "law.h"

typedef struct acquisition {
    locbo_acquisition kind; /* THOMPSON is scored by a sampled path, not here */
    double best;            /* incumbent, standardised */
    double ucb_level;
} acquisition;

/* What the maximiser ranks by; larger is better: log EI for EI and LOG_EI (they have the same
 * maximiser, and the log does not underflow), log PI for PI, the law's quantile at ucb_level for
 * UCB. `grad` may be NULL. */
double acquisition_score(const acquisition *a, const law *l, law_grad *grad);
/* What the user is shown: EI, log EI, the probability PI, or the quantile. */
double acquisition_value(const acquisition *a, const law *l);

#endif
