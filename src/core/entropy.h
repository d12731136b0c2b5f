/* entropy.h - what a measurement tells about the maximum of f: the information between y and "f at full fidelity is at
 * most m" (max-value entropy search; Wang and Jegelka 2017, with noise and cheaper fidelities).
 *
 * g = f(x) ~ N(mg, vg), y normal with correlation sin(angle) to g, b = (m - mg)/sqrt(vg), k = phi(b)/Phi(b):
 *
 *     I(b, angle) = H(y) - H(y | g <= m)
 *                 = k integral_0^angle sin(t) E h(b cos(t) - u sin(t)) dt,    h(z) = z + phi(z)/Phi(z), u ~ N(0,1)
 *
 * Every factor is positive and smooth, so nothing cancels, whatever b and the angle are. With y = g + noise the angle
 * is atan(sqrt(vg)/sd of the noise). */
#ifndef ENTROPY_H
#define ENTROPY_H

typedef struct entropy_grad {
    double b, angle;
} entropy_grad;

/* log I, -INFINITY for angle 0; 0 <= angle <= pi/2. `grad` (may be NULL) receives the derivatives of log I, finite for
 * angles above 0. Relative error of I: 2e-7 for |b| up to 12. */
double entropy_log_gain(double b, double angle, entropy_grad *grad);

#endif
