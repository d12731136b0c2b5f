/* published.h - expected improvement as the authors' published code computes it: with a mistake in the tails that all
 * but removes them. Only experiments can choose it. */
#ifndef PUBLISHED_H
#define PUBLISHED_H

#include <locbo/locbo.h>

typedef struct published_parts {
    double flat, tail;           /* the two terms of the expected improvement */
    double flat_mass, tail_mass; /* what the "density" integrates to */
} published_parts;

published_parts published_ei(const locbo_view *view, double alpha);
/* Its logarithm, as a locbo_score_fn; `user` points to alpha. */
double published_score(const locbo_view *view, void *user);
/* As the radio script has it: the flat density is 1/high - low in place of 1/(high - low), which may be negative. */
double published_script_score(const locbo_view *view, void *user);

#endif
