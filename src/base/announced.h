/* announced.h - whether a measurement lay in the set announced for it: the rule of every coverage. */
#ifndef ANNOUNCED_H
#define ANNOUNCED_H

#include <locbo/locbo.h>

/* The measurement in predictive standard deviations from the mean believed, (value - mean)/sd, positive if it is
 * larger. The belief is of one measurement of fitted noise: a mean of n has 1/n of that noise, and a known sd is added.
 * So sd^2 = sd_f^2 + (sd_y^2 - sd_f^2)/n + known^2. If the belief has a scale of its own (warp.h), the same on that
 * scale: W(value), centre, unit_f, unit_y, and the known sd times the slope of W. */
double announced_score(const locbo_belief *belief, const locbo_measurement *measurement);
/* The announced set [y_low, y_high] in the same unit, for one measurement of fitted noise. */
void announced_set(const locbo_belief *belief, double *low, double *high);
/* Whether the measurement lies in the set, stretched about the mean by sd/sd_y. */
int announced_holds(const locbo_belief *belief, const locbo_measurement *measurement);
/* Whether the numbers of the scale, if there is one, are possible: they may come from a file. */
int announced_is_valid(const locbo_belief *belief);

#endif
