/* published.c - eq: LOCBO rectified posterior as the published code evaluates it.
 *
 * The tail of the posterior is an integral over y' outside the set of exp(-A^2 (y'-B)^2 - C^2 (y'-D)^2), with
 * A^2 = a^2/(2 v') and C^2 = 1/(2 sy^2). The code sets A = a^2/(2 v') and C = 1/(2 sy^2), and so squares them twice.
 * That is the tail of another normal law, y' ~ N(mu, 2 sy^4) and f | y' ~ N(a y' + b, 2 v'^2/a^2), times
 * 2 sy sqrt(v')/a, which need not integrate to the mass it replaces. Where the threshold is at most 0 the code uses
 * +- 3.4 standard deviations and no tails. Flat part and denoising are right.
 *
 * The code estimates the expectation by 64 random points; here it is integrated, so that only the formula is compared.
 * Layer: experiment. Cost: 3 x 48 to 3 x 144 nodes per point. */
#include "published.h"

#include <math.h>

static const double WIDEST = 3.4 - 1e-9; /* minus rounding errors of the widest set */
static const double REACH = 9;           /* standard deviations beyond which nothing is integrated */
static const double BEND = 6; /* conditional standard deviations within which the improvement is not linear */
enum { PANELS = 12 };

static double density(double u) { return exp(-0.5 * u * u) * 0.3989422804014327; }
static double upper(double u) { return 0.5 * erfc(u * 0.7071067811865476); }

/* E (sd Z + mean - best)_+ for a standard normal Z. */
static double improvement(double mean, double sd, double best) {
    double gain = mean - best;
    if (!(sd > 0)) return gain > 0 ? gain : 0;
    double u = -gain / sd;
    return fmax(sd * (density(u) - u * upper(u)), 0);
}

/* f | y' ~ N(a y' + b, rest^2), y' ~ N(centre, spread^2). */
typedef struct channel {
    double a, b, rest, centre, spread, best;
} channel;

/* Integral over [from, to] of g(y') by Gauss-Legendre with four nodes a panel; weight 1 (flat) or the normal
 * density. */
static double piece(const channel *c, double from, double to, int flat) {
    static const double node[] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
    static const double weight[] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};
    double sum = 0, half = (to - from) / (2 * PANELS);
    if (!(half > 0)) return 0;
    for (int p = 0; p < PANELS; p++)
        for (int k = 0; k < 4; k++) {
            double y = from + half * (2 * p + 1 + node[k]);
            double w = flat ? 1 : density((y - c->centre) / c->spread) / c->spread;
            sum += weight[k] * w * improvement(c->a * y + c->b, c->rest, c->best);
        }
    return half * sum;
}

static double clamp(double x, double low, double high) { return fmin(fmax(x, low), high); }

/* The same in three pieces, since the improvement is not linear where the mean of f is within BEND `rest` of the best.
 */
static double integrate(const channel *c, double from, double to, int flat) {
    if (!(to > from)) return 0;
    double bend = (c->best - c->b) / c->a, near = BEND * c->rest / c->a;
    double first = clamp(bend - near, from, to), second = clamp(bend + near, first, to);
    return piece(c, from, first, flat) + piece(c, first, second, flat) + piece(c, second, to, flat);
}

published_parts published_ei(const locbo_view *view, double alpha) {
    double s2 = view->noise_var, v = fmax(view->var_f, 1e-300), sy = sqrt(v + s2);
    double a = v / (v + s2), left = v * s2 / (v + s2), mu = view->mean;
    double low = view->set_low, high = view->set_high, q = (high - mu) / sy;
    published_parts parts = {0, 0, 1 - alpha, 0};
    channel c = {a, (1 - a) * mu, sqrt(left), mu, sy, view->best};
    parts.flat = high > low ? (1 - alpha) / (high - low) * integrate(&c, low, high, 1)
                            : (1 - alpha) * improvement(mu, c.rest, c.best);
    if (q >= WIDEST) return parts;

    double threshold = 2 * upper(q), scale = alpha / threshold * 2 * sy * sqrt(left) / a;
    c.spread = sqrt(2) * sy * sy;
    c.rest = sqrt(2) * left / a;
    double end = fmax(REACH * c.spread, high - mu);
    parts.tail = scale * (integrate(&c, high, mu + end, 0) + integrate(&c, mu - end, low, 0));
    parts.tail_mass = scale * 2 * upper((high - mu) / c.spread);
    return parts;
}

/* The logarithm, continued below 1e-300 so that it keeps the order of the values. */
static double log_or_less(double ei) { return ei > 1e-300 ? log(ei) : -700 + fmin(ei, 0); }

double published_script_score(const locbo_view *view, void *user) {
    published_parts parts = published_ei(view, *(const double *)user);
    double low = view->set_low, high = view->set_high;
    return log_or_less(parts.flat * (high - low) * (1 / high - low) + parts.tail);
}

double published_score(const locbo_view *view, void *user) {
    published_parts parts = published_ei(view, *(const double *)user);
    double ei = parts.flat + parts.tail;
    if (ei > 1e-300) return log(ei);
    /* EI underflows: rank by the distance from the set's upper end to the best */
    double sy = sqrt(view->var_f + view->noise_var);
    return -700 - (view->best - view->set_high) / (sy > 0 ? sy : 1);
}
