/* bvn.h - upper orthant probability of the bivariate standard normal. */
#ifndef BVN_H
#define BVN_H

/* P(Z > h, W > k) for correlation r in [-1, 1]; absolute error about 1e-15. */
double bvn_upper(double h, double k, double r);

#endif
