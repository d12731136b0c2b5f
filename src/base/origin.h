/* origin.h - which trials are judged: the rule of the calibration and of every coverage. */
#ifndef ORIGIN_H
#define ORIGIN_H

#include <locbo/locbo.h>

/* Whether the model chose the point: its maximum, a result to measure again, a far point, the recommended point. */
int origin_is_model(locbo_origin origin);
/* Whether the first result of this trial is judged: the model chose the point and predicted the result. (Without a
 * model a recommended point has no prediction.) */
int origin_is_judged(const locbo_trial *trial);

#endif
