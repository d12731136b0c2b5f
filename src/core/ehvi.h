/* ehvi.h - expected hypervolume improvement of a normal vector: by how much one more vector f, with independent
 * f_k ~ N(mu_k, sd_k^2), is expected to enlarge the volume that a front dominates above a reference point,
 *
 *     EHVI = sum_c prod_k [ EI_k(l_ck) - EI_k(u_ck) ],   EI_k(t) = E (f_k - t)_+,   EI_k(inf) = 0,
 *
 * over the disjoint boxes [l_c, u_c) of the region that the front does not dominate (front.h). */
#ifndef EHVI_H
#define EHVI_H

#include "front.h"

/* Its log, finite for finite arguments also where it underflows, and its derivatives by mu and sd; `dmu` and `dsd`
 * receive m numbers each, or are NULL. sd_k >= 0; below 1e-70 it is taken to be that, with derivative 0. Relative error
 * of EHVI 1e-14 + 1e-15 h^2 at most, h being the number of standard deviations between mu and the levels that count.
 * With one objective it is law_log_ei of the normal law over the largest of front and reference. */
double ehvi_log(const front_boxes *b, const double *mu, const double *sd, double *dmu, double *dsd);

#endif
