/* normal.h - the standard normal law and its repeated tail integrals, accurate relative to their
 * size.
 *
 *   phi(u) density, Q(u) upper tail, G(u) = integral_u^inf Q = phi(u) - u Q(u),
 *   H(u) = integral_u^inf G = ((u^2+1) Q(u) - u phi(u))/2.
 * The log forms are finite and accurate for |u| up to 1e8 and beyond, where the plain ones
 * underflow. */
#ifndef NORMAL_H
#define NORMAL_H

double normal_pdf(double u);
double normal_cdf(double u); /* Phi(u) = Q(-u) */
double normal_sf(double u);  /* Q(u) */
double normal_G(double u);
double normal_H(double u);
double normal_log_pdf(double u);
double normal_log_sf(double u);
double normal_log_G(double u);
double normal_log_H(double u);
double normal_mills(double u);    /* Q(u)/phi(u); inf below about -37 */
double normal_quantile(double p); /* Phi^{-1}(p); -inf at 0, inf at 1, NAN outside [0,1] */
double normal_isf(double p);      /* Q^{-1}(p), accurate for tiny p */

/* Q, G and H divided by phi(u), for u >= 0: what is left when the exponential is taken out. */
typedef struct normal_ratios {
    double Q, G, H;
} normal_ratios;
normal_ratios normal_scaled(double u);

#endif
