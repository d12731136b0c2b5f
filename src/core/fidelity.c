/* fidelity.c - at which fidelity a point is evaluated. Layer: core, top. Cost: that of draws of the maximum, and a
 * joint prediction at LEVELS fidelities of one point.
 *
 * g = f(x, full fidelity), y = a measurement at (x, s): the information I(s) of y about the maximum of f at full
 * fidelity follows from their correlation (maximum.h), and the fidelity is the one with the largest I(s) / cost(x, s).
 * What proposals of the model spend below full fidelity stays below the option fidelity_share of all that they spend,
 * but for the cost of HEAD evaluations of full fidelity: results of a lower fidelity may mislead, and then no more than
 * this share is lost. */
#include "fidelity.h"

#include <math.h>
#include <string.h>

#include "contenders.h"
#include "cost.h"
#include "mem.h"
#include "origin.h"
#include "region.h"

enum { LEVELS = 32, HEAD = 2 }; /* fidelities that are looked at */

static const double *fixed_at(const locbo_optimizer *o, const double *fixed, double value) {
    memcpy(o->searched_at, fixed ? fixed : o->full, o->dim * sizeof *fixed);
    o->searched_at[o->fidelity] = value;
    return o->searched_at;
}

const double *fidelity_full(const locbo_optimizer *o, const double *fixed) {
    return o->full ? fixed_at(o, fixed, o->full[o->fidelity]) : fixed;
}

/* ---- the initial design ------------------------------------------------------------------------ */

/* How many pairs a design of n points has. */
static size_t pairs_of(size_t n) {
    size_t pairs = n / 8 < 3 ? 3 : n / 8;
    return pairs < n / 2 ? pairs : n / 2;
}

/* Twice as many as without a fidelity, most of them cheap. With a third more, whose cost was less, every third run of a
 * simulated training ended at a local optimum; with three times as many the model began late. */
size_t fidelity_design_size(size_t n) { return 2 * n; }

/* The trial that is point k of the design; 0: there is none. */
static uint64_t design_trial(const locbo_optimizer *o, size_t k) {
    for (size_t i = 0; i < o->trials; i++)
        if (o->trial[i].info.origin == LOCBO_ORIGIN_DESIGN && k-- == 0) return o->trial[i].info.id;
    return 0;
}

/* Whether the two results of each pair go together: their correlation over the pairs. While too few are known, yes. */
static int do_pairs_agree(const locbo_optimizer *o) {
    const double least = 0.5;
    double n = 0, mean[2] = {0, 0}, square[2] = {0, 0}, product = 0;
    for (size_t k = 0; k < pairs_of(o->initial); k++) {
        double y[2], step[2];
        for (size_t i = 0; i < 2; i++) y[i] = told_mean(&o->told, design_trial(o, 2 * k + i), o->listed[0]);
        if (isnan(y[0]) || isnan(y[1])) continue;
        n++;
        for (size_t i = 0; i < 2; i++) {
            step[i] = y[i] - mean[i];
            mean[i] += step[i] / n;
            square[i] += step[i] * (y[i] - mean[i]);
        }
        product += step[0] * (y[1] - mean[1]);
    }
    return n < 3 || !(product < least * sqrt(square[0] * square[1]));
}

int fidelity_misleads(const locbo_optimizer *o) { return o->full && !do_pairs_agree(o); }

/* Log of the expected cost at x and place t of the range of the fidelity. */
static double log_cost_at(const locbo_optimizer *o, const cost *c, double *x, double t) {
    x[o->fidelity] = space_value_at(o->space, o->fidelity, t);
    return cost_log(c, x);
}

/* Where in the range, at x, a fidelity stands that costs little: the highest that is expected to cost at most an eighth
 * of full fidelity, or else the lowest. */
static double cheap_place(const locbo_optimizer *o, const cost *c, double *x) {
    const double share = 0.125;
    double full = log_cost_at(o, c, x, 1);
    for (size_t k = LEVELS - 1; k > 0; k--) {
        double t = (double)k / (LEVELS - 1);
        if (log_cost_at(o, c, x, t) <= full + log(share)) return t;
    }
    return 0;
}

/* About there, by v in [0, 1): half to one and a half times as far up, unless that costs half of full fidelity or more,
 * as the upper of two levels does. */
static double about_cheap(const locbo_optimizer *o, const cost *c, double *x, double v) {
    double t = cheap_place(o, c, x), moved = fmin(t * (0.5 + v), 1);
    return log_cost_at(o, c, x, moved) < log_cost_at(o, c, x, 1) + log(0.5) ? moved : t;
}

locbo_status fidelity_design(const locbo_optimizer *o, const double *fixed, size_t k, size_t *row, const double **found,
                             locbo_error *error) {
    size_t pairs = pairs_of(o->initial);
    *row = k;
    *found = fixed;
    if (!o->full || !space_is_free(fixed, o->fidelity)) return LOCBO_OK;
    *row = k < 2 * pairs ? k / 2 : k - pairs;
    *found = fidelity_full(o, fixed);
    if (k < 2 * pairs ? k % 2 == 0 : !do_pairs_agree(o)) return LOCBO_OK;
    cost c = {0};
    double *x = mem_new(o->dim, sizeof *x);
    locbo_status status = x ? cost_init(&c, o, error) : status_no_memory(error);
    if (status == LOCBO_OK) {
        region points = {.space = o->space, .fixed = *found};
        region_point(&points, o->design + *row * o->dim, x);
        double v = o->design[k * o->dim + o->fidelity];
        double t = k < 2 * pairs ? cheap_place(o, &c, x) : about_cheap(o, &c, x, v);
        *found = fixed_at(o, fixed, space_value_at(o->space, o->fidelity, t));
    }
    cost_release(&c);
    mem_free(x);
    return status;
}

/* ---- what was spent ---------------------------------------------------------------------------- */

typedef struct spent {
    double below, all;
} spent;

static spent add_up(const locbo_optimizer *o, const cost *c) {
    spent s = {0, 0};
    for (size_t i = 0; i < o->trials; i++) {
        if (o->trial[i].state == LOCBO_TRIAL_CANCELLED || !origin_is_model(o->trial[i].info.origin)) continue;
        double value = cost_of_trial(c, i);
        s.all += value;
        if (o->trial_x[i * o->dim + o->fidelity] != o->full[o->fidelity]) s.below += value;
    }
    return s;
}

/* Whether one more evaluation of this cost below full fidelity keeps to the share. */
static int may_spend(const locbo_optimizer *o, const spent *s, double value, double full) {
    return s->below + value <= o->options.fidelity_share * (s->all + value + HEAD * full);
}

/* ---- the fidelities ---------------------------------------------------------------------------- */

/* The fidelities at which x can be evaluated, from the lowest; the last is full fidelity. Returns how many. */
static size_t list_levels(const locbo_optimizer *o, const acqmax_request *taken, const double *x, double *at,
                          double *level) {
    region points = {.space = o->space};
    size_t n = 0;
    memcpy(at, x, o->dim * sizeof *x);
    for (size_t k = 0; k < LEVELS; k++) {
        double value = space_value_at(o->space, o->fidelity, (double)k / (LEVELS - 1));
        at[o->fidelity] = value;
        if (value >= o->full[o->fidelity] || (n > 0 && value == level[n - 1])) continue;
        if (region_holds(&points, at) && !acqmax_is_taken(taken, at, taken->taken_count)) level[n++] = value;
    }
    level[n++] = o->full[o->fidelity];
    return n;
}

/* The information of each level, from the joint posterior of f at all of them; g is the last. */
static locbo_status information(locbo_optimizer *o, const surface *s, const maximum *m, const double *x, size_t n,
                                const double *level, double *log_gain, locbo_error *error) {
    double *u = mem_new(n * o->columns, sizeof *u), *cov = mem_new(n * n, sizeof *cov);
    const surface_part *part = s->part;
    size_t last = n - 1, column = space_column(o->space, o->fidelity);
    locbo_status status = u && cov ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) {
        space_encode(o->space, x, u + i * o->columns);
        u[i * o->columns + column] = space_encode_value(o->space, o->fidelity, level[i]);
    }
    if (status == LOCBO_OK) status = surface_predict(s, n, u, error);
    if (status == LOCBO_OK) status = gp_covariance(part->model, n, &part->work->gp, cov, error);
    if (status == LOCBO_OK) {
        calibrator_point p = surface_point(s, 0, u, last);
        law l;
        calibrator_law(part->calibrator, &p, &l);
        maximum_view view = {l.mu, l.v, acquisition_stretch(&s->acquisition, &l, NULL), l.s2, {0}};
        maximum_tie(m, &part->work->gp, last, view.t);
        double stretch = view.rho * view.rho;
        for (size_t i = 0; i < n; i++) {
            double noise = part->noise_var / stretch, vy = cov[i + i * n] + noise, vg = cov[last + last * n];
            double correlation = vg > 0 && vy > 0 ? cov[i + last * n] / sqrt(vg * vy) : 0;
            log_gain[i] = maximum_log_gain_of(m, &view, correlation);
        }
    }
    mem_free(u);
    mem_free(cov);
    return status;
}

static void choose(const locbo_optimizer *o, const cost *c, size_t n, const double *level, const double *log_gain,
                   double *x) {
    spent s = add_up(o, c);
    double best = -INFINITY, chosen = level[n - 1];
    x[o->fidelity] = level[n - 1];
    double full = exp(cost_log(c, x));
    for (size_t i = n; i-- > 0;) { /* of equals, the higher */
        x[o->fidelity] = level[i];
        double log_cost = cost_log(c, x), score = log_gain[i] - log_cost;
        if (i + 1 < n && !may_spend(o, &s, exp(log_cost), full)) continue;
        if (score > best) best = score, chosen = level[i];
    }
    x[o->fidelity] = chosen;
}

locbo_status fidelity_choose(locbo_optimizer *o, const surface *s, const acqmax_request *taken, double *x,
                             locbo_error *error) {
    double level[LEVELS + 1], log_gain[LEVELS + 1], *at = mem_new(o->dim, sizeof *at);
    maximum *drawn = &o->quantity->maximum[1];
    const maximum *m = s->acquisition.maximum;
    cost c = {0};
    locbo_status status = at ? cost_init(&c, o, error) : status_no_memory(error);
    size_t n = status == LOCBO_OK ? list_levels(o, taken, x, at, level) : 0;
    if (status == LOCBO_OK && !m) {
        status = contenders_draw(o, s, drawn, error);
        m = drawn;
    }
    if (status == LOCBO_OK) status = information(o, s, m, x, n, level, log_gain, error);
    if (status == LOCBO_OK) choose(o, &c, n, level, log_gain, x);
    cost_release(&c);
    mem_free(at);
    return status == LOCBO_ERR_NUMERIC ? LOCBO_OK : status; /* then it is evaluated at full fidelity */
}
