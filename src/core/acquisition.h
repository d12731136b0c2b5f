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

/* Larger is better. PI and EI are returned in log form for ranking when `log_form`, which does not change
 * the maximiser; otherwise as they are. `grad` may be NULL. */
double acquisition_score(const acquisition *a, const law *l, law_grad *grad);
/* What the user is shown: EI for EI and log EI's log for LOG_EI, a probability for PI. */
double acquisition_value(const acquisition *a, const law *l);

#endif
