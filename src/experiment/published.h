/* published.h - expected improvement as the authors' published code computes it: with a mistake that almost removes the
 * tails. For experiments only. */
#ifndef PUBLISHED_H
#define PUBLISHED_H

#include <locbo/locbo.h>

typedef struct published_parts {
    double flat, tail;           /* the two terms of the expected improvement */
    double flat_mass, tail_mass; /* their integrals, which need not add up to 1 */
} published_parts;

published_parts published_ei(const locbo_view *view, double alpha);
/* Its logarithm, as a locbo_score_fn; `user` points to alpha. */
double published_score(const locbo_view *view, void *user);
/* As in the radio script: the flat density is 1/high - low instead of 1/(high - low), and may be negative. */
double published_script_score(const locbo_view *view, void *user);

#endif
