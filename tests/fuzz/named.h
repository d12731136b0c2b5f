/* named.h - a table of outputs for fuzz targets: an objective, a constraint, a recorded and a derived output. */
#ifndef NAMED_H
#define NAMED_H

#include "fuzz.h"
#include "goal.h"

static inline locbo_outputs *fuzz_outputs(void) {
    static const char *const texts[] = {"loss~minimize", "memory<=512", "value~record", "cost~minimize,of=loss+value"};
    locbo_outputs *outputs;
    must_do(locbo_outputs_create(&outputs, &error));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) must_do(goal_add(outputs, texts[i], &error));
    return outputs;
}

#endif
