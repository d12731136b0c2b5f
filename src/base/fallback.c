/* fallback.c - proposals made at random because the model gave none. Layer: base. */
#include "fallback.h"

int fallback_is(const locbo_trial *trial, locbo_method method) {
    enum { LEAST = 2 }; /* results that a model needs */
    return method != LOCBO_METHOD_RANDOM && trial->origin == LOCBO_ORIGIN_RANDOM && trial->told >= LEAST;
}
