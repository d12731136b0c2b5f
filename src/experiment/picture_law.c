/* picture_law.c - the calibrated likelihood and the denoised posterior, at one point of a real
 * run on the function of eq:synthetic_prediction_interval. With z' = (y - mean)/sd_y and the set
 * [-q, q] (eq:locbo_likelihood): z' is uniform in the set with probability 1 - alpha, and else
 * normal outside it; f = mean + sd_f (r z' + rr e), e ~ N(0,1), r = sd_f/sd_y, rr^2 = 1 - r^2
 * (eq:LOCBO_decomp). Here by quadrature, from the definition. Layer: experiment, pictures. */
#include <math.h>

#include "canvas.h"
#include "pictures.h"

#define PI 3.14159265358979323846

enum { INITIAL = 5, ROUNDS = 20, SEED = 1, CURVE = 301, STEPS = 400 };
static const double AT = -4;      /* near one of the two peaks */
static const double FARTHEST = 4; /* standard deviations that are drawn */
static const double TAIL_END = 9; /* beyond this a normal density is taken as 0 */

/* ---- a real run ------------------------------------------------------------------------------ */

typedef struct objective {
    const problem *problem;
    noise noise;
    draw draw;
} objective;

static locbo_outcome measure(const double *x, size_t dim, const locbo_trial *trial, locbo_measurement *m, void *user) {
    objective *w = user;
    (void)dim;
    (void)trial;
    *m = (locbo_measurement){noise_measure(&w->noise, w->problem, 1, x, &w->draw), (double)NAN, 1};
    return LOCBO_EVALUATED;
}

/* As in experiment intervals, with its longer steps. */
static locbo_status choose(locbo_options *o, locbo_error *error) {
    locbo_options_init(o);
    locbo_status status = locbo_options_set(o, "preset", "paper-ackley", error);
    o->direction = LOCBO_MAXIMIZE;
    o->seed = SEED;
    o->initial = INITIAL;
    o->localization = 0.1;
    o->gain = 2;
    o->eta0 = 0.05;
    return status;
}

static locbo_status run(const locbo_space *space, const locbo_options *o, objective *w, double x, locbo_belief *belief,
                        locbo_error *error) {
    locbo_optimizer *optimizer;
    locbo_status status = locbo_optimizer_create(&optimizer, space, o, error);
    if (status != LOCBO_OK) return status;
    status = locbo_optimizer_run(optimizer, INITIAL + ROUNDS, measure, w, error);
    if (status == LOCBO_OK) status = locbo_optimizer_predict(optimizer, 1, &x, belief, error);
    locbo_optimizer_destroy(optimizer);
    return status;
}

/* The prediction at x at the end of the run. */
static locbo_status predict(objective *w, const locbo_options *o, double x, locbo_belief *belief, locbo_error *error) {
    locbo_space *space;
    const problem *p = w->problem;
    locbo_status status = locbo_space_create(&space, error);
    if (status != LOCBO_OK) return status;
    status = locbo_space_add_real(space, "x", p->low[0], p->high[0], LOCBO_LINEAR, error);
    if (status == LOCBO_OK) status = run(space, o, w, x, belief, error);
    locbo_space_destroy(space);
    return status;
}

/* ---- densities ------------------------------------------------------------------------------- */

/* The law of z', and the weights of z' and e in f. */
typedef struct law {
    double q, alpha, r, rr;
} law;

typedef double density(const law *l, double z);

static double normal(const law *l, double z) {
    (void)l;
    return exp(-z * z / 2) / sqrt(2 * PI);
}

static double inside(const law *l, double z) {
    (void)z;
    return (1 - l->alpha) / (2 * l->q);
}

/* Normal, with mass alpha on both sides together. */
static double outside(const law *l, double z) { return l->alpha * normal(l, z) / erfc(l->q / sqrt(2)); }

/* Simpson's rule for the density of (f - mean)/sd_f = r z' + rr e at u, from z' between a and b. */
static double blur(const law *l, density *p, double a, double b, double u) {
    double sum = 0, step = (b - a) / STEPS;
    for (int i = 0; i <= STEPS; i++) {
        double z = a + i * step, weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
        sum += weight * p(l, z) * normal(l, (u - l->r * z) / l->rr) / l->rr;
    }
    return sum * step / 3;
}

static double denoised(const law *l, double u) {
    return blur(l, outside, -TAIL_END, -l->q, u) + blur(l, inside, -l->q, l->q, u) +
           blur(l, outside, l->q, TAIL_END, u);
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* A density of (value - mean)/sd between a and b, in the units of the value. */
static void add_density(canvas *c, figure_series like, const law *l, density *p, const double ends[2], double mean,
                        double sd) {
    int is_area = like.kind == FIGURE_FILL;
    canvas_numbers line = canvas_series(c, like, CURVE, is_area);
    for (size_t i = 0; i < line.n; i++) {
        double z = ends[0] + (ends[1] - ends[0]) * (double)i / (CURVE - 1);
        line.x[i] = mean + sd * z;
        *(is_area ? &line.high[i] : &line.y[i]) = p(l, z) / sd;
        if (is_area) line.low[i] = 0;
    }
}

/* The calibrated likelihood as one line, with the vertical edges of the set. */
static void add_likelihood(canvas *c, figure_series like, const law *l, double mean, double sd) {
    const double end[] = {-FARTHEST, -l->q, l->q, FARTHEST};
    density *const part[] = {outside, inside, outside};
    canvas_numbers line = canvas_series(c, like, 3 * CURVE, 0);
    for (size_t i = 0; i < line.n; i++) {
        size_t k = i / CURVE;
        double z = end[k] + (end[k + 1] - end[k]) * (double)(i % CURVE) / (CURVE - 1);
        line.x[i] = mean + sd * z;
        line.y[i] = part[k](l, z) / sd;
    }
}

static void add_y(canvas *c, const law *l, const locbo_belief *b) {
    const double all[2] = {-FARTHEST, FARTHEST}, set[2] = {-l->q, l->q};
    figure_panel *panel = canvas_panel(c, canvas_text(c, "likelihood of a result y at x = %g", AT));
    panel->x_label = "y";
    panel->y_label = "density";
    panel->y_low = 0;
    panel->key = 1;
    figure_series area = {
        .name = canvas_text(c, "set, probability %g", 1 - l->alpha), .kind = FIGURE_FILL, .colour = FIGURE_RED};
    figure_series model = {.name = "model", .kind = FIGURE_LINE, .colour = FIGURE_GREEN};
    figure_series ours = {.name = "calibrated", .kind = FIGURE_LINE, .colour = FIGURE_RED};
    add_density(c, area, l, inside, set, b->mean, b->sd_y);
    add_density(c, model, l, normal, all, b->mean, b->sd_y);
    add_likelihood(c, ours, l, b->mean, b->sd_y);
}

static void add_f(canvas *c, const law *l, const locbo_belief *b, double truth) {
    const double all[2] = {-FARTHEST, FARTHEST};
    figure_panel *panel = canvas_panel(c, canvas_text(c, "posterior of f(x) at x = %g", AT));
    panel->x_label = "f(x)";
    panel->y_label = "density";
    panel->y_low = 0;
    panel->key = 1;
    figure_series model = {.name = "model", .kind = FIGURE_LINE, .colour = FIGURE_GREEN};
    figure_series ours = {.name = "calibrated, denoised", .kind = FIGURE_LINE, .colour = FIGURE_RED};
    figure_series line = {.name = "truth", .colour = FIGURE_BLACK, .dashed = 1};
    add_density(c, model, l, normal, all, b->mean, b->sd_f);
    add_density(c, ours, l, denoised, all, b->mean, b->sd_f);
    double from[2] = {truth, 0}, to[2] = {truth, normal(l, 0) / b->sd_f};
    canvas_line(c, line, from, to);
}

/* The law uses a set of at most z_max standard deviations. */
static locbo_status describe(const locbo_belief *b, const locbo_options *o, law *l, locbo_error *error) {
    l->q = fmin((b->y_high - b->mean) / b->sd_y, o->z_max);
    l->alpha = o->alpha * o->tail;
    l->r = b->sd_f / b->sd_y;
    l->rr = sqrt(1 - l->r * l->r);
    if (l->q > 0 && l->rr > 0) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_NUMERIC,
                       "cannot draw the likelihood at x = %g: the half-width of the set is %g, the share of noise %g",
                       AT, l->q, l->rr);
}

locbo_status pictures_likelihood(const char *dir, unsigned files, locbo_error *error) {
    objective w = {problem_find("wave"), {NOISE_NORM, 10, 1}, draw_open(SEED, 1)};
    locbo_options options;
    locbo_belief belief;
    law l;
    canvas c;
    locbo_status status = choose(&options, error);
    if (status == LOCBO_OK) status = predict(&w, &options, AT, &belief, error);
    if (status == LOCBO_OK) status = describe(&belief, &options, &l, error);
    if (status != LOCBO_OK) return status;
    canvas_init(&c);
    add_y(&c, &l, &belief);
    add_f(&c, &l, &belief, problem_value(w.problem, &AT));
    status = canvas_write(&c, dir, "likelihood", files, error);
    canvas_release(&c);
    return status;
}
