/* rows.h - trials and choices as the JSON objects that output.h prints: the shapes that programs rely on. */
#ifndef ROWS_H
#define ROWS_H

#include <jansson.h>
#include <locbo/study.h>

/* {"trial":17,"attempt":1,"seed":123,"params":{"x":0.5}} */
json_t *rows_assignment(const locbo_space *space, const locbo_assignment *assignment,
                        const double *x);
/* {"trial":17,"state":"COMPLETE","params":{},"value":0.7,"values":[0.7], ...}; `full`: with the belief, measurements with
 * their sd and n, message, worker, times. */
json_t *rows_record(const locbo_space *space, const locbo_record *record, int full);
/* {"trial":9 or null,"params":{},"value" or "mean":..., "interval":[lo,hi] or null,"level":0.8} */
json_t *rows_choice(const locbo_space *space, const locbo_choice *choice, const double *x,
                    int recommended);

#endif
