/* announced.h - whether a measurement lay in the set announced for it: the rule of every coverage. */
#ifndef ANNOUNCED_H
#define ANNOUNCED_H

#include <locbo/locbo.h>

/* The measurement in predictive standard deviations from the mean believed, (value - mean)/sd. The belief is of one
 * measurement of fitted noise: a mean of n has 1/n of that noise, and a known sd is added. So
 * sd^2 = sd_f^2 + (sd_y^2 - sd_f^2)/n + known^2. */
double announced_score(const locbo_belief *belief, const locbo_measurement *measurement);
/* Whether it lies in [y_low, y_high], stretched about the mean by sd/sd_y. */
int announced_holds(const locbo_belief *belief, const locbo_measurement *measurement);

#endif
