/* fallback.h - proposals made at random because the model gave none. */
#ifndef FALLBACK_H
#define FALLBACK_H

#include <locbo/locbo.h>

/* Whether numerical trouble is why a trial was proposed at random: the method has a model, and there were results for
 * it. */
int fallback_is(const locbo_trial *trial, locbo_method method);

/* What people are told about it, after a number of trials. */
#define FALLBACK_REASON "the model gave no proposal (numerical trouble)"

#endif
