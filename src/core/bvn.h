/* bvn.h - upper orthant probability of the bivariate standard normal. */
#ifndef BVN_H
#define BVN_H

/* P(Z > h, W > k) for correlation r in [-1, 1]; absolute error about 1e-15. */
double bvn_upper(double h, double k, double r);

/* The same when rr = sqrt(1 - r^2) is known better than r can say: near r = +-1. */
double bvn_upper_rr(double h, double k, double r, double rr);

#endif
