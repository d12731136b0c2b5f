/* entropy.h - what a measurement tells about the maximum of f: the information between y and "f at full fidelity is at
 * most m" (max-value entropy search; Wang and Jegelka 2017, with noise and cheaper fidelities).
 *
 * g = f(x) ~ N(mg, vg), y normal with correlation rho to g, b = (m - mg)/sqrt(vg), k = phi(b)/Phi(b):
 *
 *     I(b, rho) = H(y) - H(y | g <= m)
 *               = k integral_0^asin(rho) sin(t) E h(b cos(t) - u sin(t)) dt,    h(z) = z + phi(z)/Phi(z), u ~ N(0,1)
 *
 * Every factor is positive and smooth, so nothing cancels, whatever b and rho are. */
#ifndef ENTROPY_H
#define ENTROPY_H

typedef struct entropy_grad {
    double b, rho;
} entropy_grad;

/* log I; 0 <= rho <= 1. -INFINITY for rho = 0. `grad` (may be NULL) receives the derivatives of log I; that by rho is
 * not finite for rho = 0 and 1. Relative error of I: 2e-7 for b from -12 to 12. */
double entropy_log_gain(double b, double rho, entropy_grad *grad);

#endif
