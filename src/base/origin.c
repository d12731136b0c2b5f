/* origin.c - which trials are judged. Layer: base. */
#include "origin.h"

int origin_is_model(locbo_origin origin) {
    return origin == LOCBO_ORIGIN_MODEL || origin == LOCBO_ORIGIN_AGAIN || origin == LOCBO_ORIGIN_EXPLORE ||
           origin == LOCBO_ORIGIN_CONFIRM;
}

int origin_is_judged(const locbo_trial *trial) { return origin_is_model(trial->origin) && trial->belief.sd_y > 0; }
