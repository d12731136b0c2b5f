/* noise.c - noise laws: measurements of a problem. Every law draws a fixed number of uniforms:
 * none uses rejection. Layer: problems. Cost: one value of the problem. */
#include "noise.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {"none",    "gaussian", "norm",           "input",
                                    "student", "outliers", "multiplicative", "skewed"};
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

double noise_measure(const noise *n, const problem *p, double spread, const double *x, draw *d) {
    double f = problem_value(p, x), z;
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
    }
    return NAN; /* no such law */
}

double noise_symmetry(const noise *n) {
    return n->kind == NOISE_SKEWED ? exp(-1) : 0.5; /* P(E > 1); all others have median 0 */
}
