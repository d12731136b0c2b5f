/* acquisition.h - the utility of evaluating x, as an expectation under the law of f(x). */
#ifndef ACQUISITION_H
#define ACQUISITION_H

#include <locbo/locbo.h>

#include "law.h"

typedef struct acquisition {
    locbo_acquisition kind; /* THOMPSON is scored by a sampled path, not here */
    double best;            /* incumbent, standardised */
    double ucb_level;
    locbo_score_fn *score; /* the caller's own, instead of `kind`; NULL: none */
    void *user;
} acquisition;

/* What the maximiser ranks by; larger is better: log EI for EI and LOG_EI (they have the same
 * maximiser, and the log does not underflow), log PI for PI, the law's quantile at ucb_level for
 * UCB, or the caller's own score, a huge negative number where that is not finite. `grad` may be
 * NULL; with a score of the caller's own its s2 is 0: the noise does not depend on x. */
double acquisition_score(const acquisition *a, const law *l, law_grad *grad);
/* What the user is shown: EI, log EI, the probability PI, the quantile, or the caller's own score. */
double acquisition_value(const acquisition *a, const law *l);
/* Whether log weights may simply be added to the score. */
int acquisition_is_logarithm(const acquisition *a);

#endif
