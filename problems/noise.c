/* noise.c - noise laws: measurements of a problem. Every law draws a fixed number of uniforms:
 * none uses rejection. Layer: problems. Cost: one value of the problem. */
#include "noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

static const char *const names[] = {"none",   "gaussian", "norm",    "input",  "student",  "outliers", "multiplicative",
                                    "skewed", "growing",  "uniform", "cauchy", "onesided", "wild",     "near"};
static const double OUTLIER = 0.05; /* probability, in NOISE_WILD */
enum { KINDS = sizeof names / sizeof names[0] };

int noise_kind_parse(const char *text, noise_kind *kind) {
    for (int i = 0; i < KINDS; i++)
        if (strcmp(text, names[i]) == 0) {
            *kind = (noise_kind)i;
            return 1;
        }
    return 0;
}

const char *noise_kind_text(noise_kind kind) { return (int)kind >= 0 && (int)kind < KINDS ? names[kind] : "unknown"; }

static double norm(size_t n, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* Mean of the coordinates in the unit cube. */
static double height(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) sum += (x[i] - p->low[i]) / (p->high[i] - p->low[i]);
    return sum / (double)p->dim;
}

/* Student's t for any dof > 0, NAN otherwise: a coordinate of the spherical bivariate t, whose
 * squared radius exceeds r^2 with probability (1 + r^2/dof)^(-dof/2) (Bailey, 1994). As dof grows
 * it becomes draw_normal. */
static double draw_student(double dof, draw *d) {
    double radius = sqrt(dof * expm1(-2 / dof * log(draw_uniform(d))));
    double t = radius * cos(6.283185307179586 * draw_uniform(d));
    return dof > 0 ? t : NAN;
}

static double draw_outlier(double probability, draw *d) {
    double far = draw_uniform(d) < probability ? 10 : 1;
    return far * draw_normal(d);
}

/* What Hansen et al. multiply the loss with. */
static double uniform_factor(const noise *n, const problem *p, double loss, draw *d) {
    double alpha = n->shape * (0.49 + 1 / (double)p->dim), first = draw_uniform(d), second = draw_uniform(d);
    return pow(first, n->shape) * fmax(1, pow(1e9 / (loss + 1e-99), alpha * second));
}

/* |Cauchy| with that probability, otherwise 0. */
static double draw_cauchy(double probability, draw *d) {
    double chosen = draw_uniform(d), size = tan(1.5707963267948966 * draw_uniform(d));
    return chosen < probability ? size : 0;
}

double noise_measure(const noise *n, const problem *p, double spread, const double *x, draw *d) {
    double f = problem_value(p, x), worse = p->maximize ? -1 : 1, loss = fmax(0, worse * (f - p->optimum)), z;
    switch (n->kind) {
    case NOISE_NONE:
        return f;
    case NOISE_GAUSSIAN:
        return f + n->scale * draw_normal(d);
    case NOISE_NORM:
        return f + sqrt((norm(p->dim, x) + n->shape) / n->scale) * draw_normal(d);
    case NOISE_INPUT:
        return f + n->scale * (0.2 + 1.6 * height(p, x)) * draw_normal(d);
    case NOISE_STUDENT:
        return f + n->scale * draw_student(n->shape, d);
    case NOISE_OUTLIERS:
        return f + n->scale * draw_outlier(n->shape, d);
    case NOISE_MULTIPLICATIVE:
        z = draw_normal(d);
        return f * (1 + n->scale * z) + 0.1 * n->scale * spread * draw_normal(d);
    case NOISE_SKEWED:
        return f + n->scale * (draw_exponential(d) - 1);
    case NOISE_GROWING:
        return p->optimum + worse * loss * exp(n->scale * draw_normal(d));
    case NOISE_UNIFORM:
        return p->optimum + worse * loss * uniform_factor(n, p, loss, d);
    case NOISE_CAUCHY:
        return f + worse * n->scale * draw_cauchy(n->shape, d);
    case NOISE_ONESIDED:
        z = fabs(draw_normal(d));
        return f + worse * n->scale * z * exp(draw_normal(d));
    case NOISE_WILD:
        z = draw_uniform(d) < OUTLIER ? n->scale : 0.1 * spread;
        return f + z * draw_normal(d);
    case NOISE_NEAR:
        return f + n->scale * draw_normal(d);
    }
    return NAN; /* no such law */
}

double noise_unit(const noise *n, const problem *p, double spread) {
    switch (n->kind) {
    case NOISE_MULTIPLICATIVE:
    case NOISE_GROWING:
    case NOISE_UNIFORM:
        return 1;
    case NOISE_WILD:
        return problem_range(p);
    case NOISE_NEAR:
        return problem_near(p);
    default:
        return spread;
    }
}

double noise_symmetry(const noise *n) {
    switch (n->kind) {
    case NOISE_SKEWED:
        return exp(-1); /* P(E > 1) */
    case NOISE_UNIFORM: /* the probability of a better value tends to 0 with the loss */
    case NOISE_ONESIDED:
        return 0;
    case NOISE_CAUCHY:
        return fmin(0.5, 1 - n->shape);
    default:
        return 0.5; /* the median is f */
    }
}

noise_centre noise_centre_of(const noise *n) {
    switch (n->kind) {
    case NOISE_SKEWED:
        return NOISE_MEAN;
    case NOISE_GROWING:
        return NOISE_MEDIAN;
    case NOISE_STUDENT: /* the mean exists above one degree of freedom */
        return n->shape > 1 ? NOISE_BOTH : NOISE_MEDIAN;
    case NOISE_CAUCHY:
        return n->shape <= 0.5 ? NOISE_MEDIAN : NOISE_NEITHER;
    case NOISE_UNIFORM:
    case NOISE_ONESIDED:
        return NOISE_NEITHER;
    default:
        return NOISE_BOTH;
    }
}

/* By a sample, the same at every point: enough to sort points by their noise, without a formula for each law. */
double noise_level(const noise *n, const problem *p, double spread, const double *x) {
    enum { SAMPLE = 199 };
    double y[SAMPLE];
    draw d = draw_open(0, 0);
    for (int i = 0; i < SAMPLE; i++) y[i] = noise_measure(n, p, spread, x, &d);
    qsort(y, SAMPLE, sizeof *y, number_ascending);
    return (y[167] - y[31]) / 2; /* 0.84 and 0.16 of 200 */
}
