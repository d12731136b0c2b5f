/* locp.c - localized online conformal prediction (eq:locbo_threshold, eq:locp_update_rule_const).
 *
 *   lambda_t(x) = c_t + g_t(x),   g_t = scale * sum_s coefficient_s exp(-|x_s - x|^2 / length^2)
 *
 * The decay of a round multiplies every coefficient by the same 1 - decay eta_t: it goes into
 * `scale`, and the new coefficient is divided by it. When `scale` gets small the
 * coefficients are multiplied by it once. Also Lemma 1's bound (eq:mistake_bound_th).
 *
 * Layer: core, above ocp and centres. Cost: threshold O(n (columns + levels)), n = min(t, most); update O(columns +
 * levels), with t > most that of a threshold; O(levels) each if length = inf or gain = 0. */
#include "locp.h"

#include <math.h>

#include "centres.h"
#include "mem.h"

/* Below this the coefficients are multiplied by the scale: far from underflow, and rarely reached. */
#define SCALE_SMALL 1e-100

struct locp {
    locp_config config;
    uint64_t rounds;
    double *c;     /* levels */
    double scale;  /* of flat and terms */
    double *flat;  /* levels: g when length = inf */
    centres terms; /* g otherwise; their coefficients include the gain */
};

static locbo_status check(const locp_config *c, locbo_error *error) {
    if (c->columns < 1 || c->levels < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "columns and levels must be at least 1, got %zu and %zu",
                           c->columns, c->levels);
    if (!(c->steps.eta0 >= 0) || !isfinite(c->steps.eta0))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "eta0 must not be negative, got %g", c->steps.eta0);
    if (!(c->steps.power >= 0) || !isfinite(c->steps.power))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "step_power must not be negative, got %g", c->steps.power);
    if (!(c->length > 0))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "localization must be positive, got %g", c->length);
    if (!(c->gain >= 0) || !isfinite(c->gain))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "gain must not be negative, got %g", c->gain);
    if (!(c->decay >= 0) || !isfinite(c->decay))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "decay must not be negative, got %g", c->decay);
    return LOCBO_OK;
}

/* How many centres g may have. With a wider kernel Lemma 1 is not shown to hold of merged ones (docs/equations.md). */
static size_t most_centres(const locbo_options *o) {
    return o->surrogate == LOCBO_SURROGATE_MAP && o->localization <= 3 ? (size_t)o->exact_rows : 0;
}

locp_config locp_settings(const locbo_options *o, size_t columns, size_t levels, double gain) {
    return (locp_config){.columns = columns,
                         .levels = levels,
                         .steps = {o->eta0, o->step_power},
                         .length = o->localization,
                         .gain = gain,
                         .decay = o->decay,
                         .most = most_centres(o)};
}

locbo_status locp_create(locp **out, const locp_config *config, const double *start, locbo_error *error) {
    locbo_status status = check(config, error);
    if (status != LOCBO_OK) return status;
    locp *p = mem_new(1, sizeof *p);
    if (!p) return status_no_memory(error);
    p->config = *config;
    p->scale = 1;
    centres_init(&p->terms, config->columns, config->levels, config->length, config->most);
    p->c = mem_new(config->levels, sizeof *p->c);
    p->flat = mem_new(config->levels, sizeof *p->flat);
    if (!p->c || !p->flat) {
        locp_destroy(p);
        return status_no_memory(error);
    }
    for (size_t i = 0; i < config->levels; i++) p->c[i] = start[i];
    *out = p;
    return status_ok(error);
}

void locp_destroy(locp *p) {
    if (!p) return;
    mem_free(p->c);
    mem_free(p->flat);
    centres_release(&p->terms);
    mem_free(p);
}

uint64_t locp_rounds(const locp *p) { return p->rounds; }

void locp_thresholds(const locp *p, const double *x, double *thresholds) {
    size_t levels = p->config.levels;
    for (size_t i = 0; i < levels; i++) thresholds[i] = p->flat[i];
    centres_values(&p->terms, x, thresholds);
    for (size_t i = 0; i < levels; i++) thresholds[i] = p->c[i] + p->scale * thresholds[i];
}

void locp_chain(const locp *p, const double *x, const double *weight, double *dx) {
    centres_chain(&p->terms, x, p->scale, weight, dx);
}

/* Multiply g by 1 - decay eta. A factor that is not positive (the options forbid it: Lemma 1 needs
 * eta < 1/decay) sets g to 0 instead of changing its sign. */
static void shrink(locp *p, double factor) {
    size_t levels = p->config.levels;
    if (!(factor > 0)) {
        for (size_t i = 0; i < levels; i++) p->flat[i] = 0;
        centres_clear(&p->terms);
        p->scale = 1;
        return;
    }
    p->scale *= factor;
    if (p->scale >= SCALE_SMALL) return;
    for (size_t i = 0; i < levels; i++) p->flat[i] *= p->scale;
    centres_multiply(&p->terms, p->scale);
    p->scale = 1;
}

static int is_listed(const locp *p) { return p->config.gain > 0 && isfinite(p->config.length); }

locbo_status locp_reserve(locp *p, locbo_error *error) {
    return is_listed(p) ? centres_reserve(&p->terms, error) : LOCBO_OK;
}

locbo_status locp_update(locp *p, const double *x, const double *residual, locbo_error *error) {
    size_t levels = p->config.levels;
    int local = p->config.gain > 0, listed = is_listed(p);
    for (size_t i = 0; i < levels; i++)
        if (!isfinite(residual[i])) return status_fail(error, LOCBO_ERR_ARGUMENT, "residual %zu is not finite", i);
    for (size_t j = 0; listed && j < p->config.columns; j++)
        if (!isfinite(x[j])) return status_fail(error, LOCBO_ERR_ARGUMENT, "coordinate %zu is not finite", j);
    locbo_status status = locp_reserve(p, error);
    if (status != LOCBO_OK) return status;

    double eta = ocp_step(&p->config.steps, ++p->rounds);
    for (size_t i = 0; i < levels; i++) p->c[i] += eta * residual[i];
    if (local) shrink(p, 1 - p->config.decay * eta);
    double unit = eta * p->config.gain / p->scale;
    if (listed) centres_add(&p->terms, x, unit, residual);
    for (size_t i = 0; local && !listed && i < levels; i++) p->flat[i] += unit * residual[i];
    return status_ok(error);
}

static const char *failing_condition(const locp_config *c, uint64_t T) {
    if (T == 0) return "no result yet";
    if (!(c->gain > 0)) return "Lemma 1 is about a localized threshold (gain > 0)";
    if (!isfinite(c->length)) return "Lemma 1 needs a finite localization";
    if (c->steps.power != 0.5) return "Lemma 1 needs step_power = 0.5";
    if (!(c->decay > 0)) return "Lemma 1 needs decay > 0";
    if (!(c->steps.eta0 * c->decay < 1)) return "Lemma 1 needs eta0 decay < 1";
    return NULL;
}

int locp_bound(const locp_config *c, double alpha, size_t dim, uint64_t T, double *bound, const char **why) {
    const char *fails = failing_condition(c, T);
    if (why) *why = fails;
    if (fails) return 0;
    double kappa = c->gain, eta = c->steps.eta0;
    double lipschitz = kappa * sqrt(2 / exp(1.0)) / c->length; /* of kappa exp(-r^2/l^2) in r */
    double diameter = sqrt((double)dim);
    double beta = 2 / eta + 4 * sqrt(lipschitz * kappa * diameter) / (eta * c->decay) + 2 * (2 * kappa + 1);
    *bound = alpha + beta / sqrt((double)T) + kappa;
    return 1;
}
