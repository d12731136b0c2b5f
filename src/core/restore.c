/* restore.c - trials and fits put back one by one, from a file or a database. Layer: core, top.
 * Both are checked, since a file may contain anything. Cost: O(dim) each; the model is factored when it
 * is next needed. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "announced.h"
#include "optimizer.h"
#include "origin.h"

locbo_status locbo_optimizer_fit(const locbo_optimizer *optimizer, locbo_fit *fit, locbo_error *error) {
    if (!optimizer || !fit) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and fit must not be NULL");
    const surrogate *s = &optimizer->surrogate;
    box_cox bend = scaling_bend(&s->fit_scale);
    *fit = s->fitted ? (locbo_fit){.rows = s->fit_rows,
                                   .shift = s->fit_scale.shift,
                                   .spread = s->fit_scale.spread,
                                   .log_posterior = s->value,
                                   .count = surrogate_theta_count(s),
                                   .theta = s->theta,
                                   .power = bend.power,
                                   .offset = bend.offset,
                                   .low = bend.low,
                                   .high = bend.high,
                                   .member_count = s->choice.count,
                                   .chosen = s->choice.chosen,
                                   .members = s->choice.item}
                     : (locbo_fit){.rows = 0};
    return status_ok(error);
}

locbo_status locbo_optimizer_restore_trial(locbo_optimizer *optimizer, const locbo_trial *trial, const double *x,
                                           locbo_error *error) {
    if (!optimizer || !trial || !x)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer, trial and x must not be NULL");
    locbo_optimizer *o = optimizer;
    if (trial->id != o->trials + 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "trial %" PRIu64 " cannot follow trial %zu: trials are restored in order", trial->id,
                           o->trials);
    if ((int)trial->origin < LOCBO_ORIGIN_DESIGN || (int)trial->origin >= LOCBO_ORIGINS)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "trial %" PRIu64 ": unknown origin %d", trial->id,
                           (int)trial->origin);
    const locbo_belief *b = &trial->belief;
    int without_model = trial->origin == LOCBO_ORIGIN_CONFIRM && isnan(b->mean) && isnan(b->sd_y);
    /* its result is judged by the belief */
    if (origin_is_model(trial->origin) && !without_model && !(isfinite(b->mean) && b->sd_y > 0 && isfinite(b->sd_y)))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "trial %" PRIu64 ": the belief needs a finite mean and sd_y > 0, got %g and %g", trial->id,
                           b->mean, b->sd_y);
    if (!announced_is_valid(b))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "trial %" PRIu64 ": the scale of the belief is not possible",
                           trial->id);
    locbo_status status = locbo_space_check(o->space, x, error);
    if (status == LOCBO_OK) status = optimizer_append_trial(o, trial, x, LOCBO_TRIAL_PENDING, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

static locbo_status check_theta(const locbo_optimizer *o, size_t count, const double *theta, size_t least, size_t most,
                                locbo_error *error) {
    if (count < least || count > most || !theta)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit has %zu hyper-parameters, the model has %zu", count,
                           o->surrogate.config.count);
    for (size_t i = 0; i < count; i++)
        if (!(fabs(theta[i]) <= 100)) /* the limit of gp_factor */
            return status_fail(error, LOCBO_ERR_ARGUMENT, "theta[%zu] of a fit must lie in [-100, 100], got %g", i,
                               theta[i]);
    return LOCBO_OK;
}

static locbo_status check_scale(const scaling *s, locbo_error *error) {
    if (!isfinite(s->shift) || !(s->spread > 0 && isfinite(s->spread)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit needs a finite shift and spread > 0, got %g and %g",
                           s->shift, s->spread);
    if (scaling_is_valid(s)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit has no scale with power %g, offset %g, low %g and high %g",
                       s->bend.power, s->bend.offset, s->bend.low, s->bend.high);
}

static locbo_status check_member(const locbo_optimizer *o, const locbo_member *m, locbo_error *error) {
    const surrogate *s = &o->surrogate;
    size_t count = s->config.count + (m->law == LOCBO_NOISE_LAW_STUDENT);
    scaling scale = members_scale(m, o->data.scale.sign);
    if (!surrogate_considers(s, m->law) || !isfinite(m->score))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a candidate of a fit has noise law %d and score %g, not possible here", (int)m->law,
                           m->score);
    locbo_status status = check_scale(&scale, error);
    return status == LOCBO_OK ? check_theta(o, m->count, m->theta, count, count, error) : status;
}

static scaling scale_of(const locbo_optimizer *o, const locbo_fit *f) {
    return scaling_restore(o->data.scale.sign, f->shift, f->spread, (box_cox){f->power, f->offset, f->low, f->high});
}

static locbo_status check_fit(const locbo_optimizer *o, const locbo_fit *fit, locbo_error *error) {
    if (fit->rows < 2 || fit->rows > o->data.n)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a fit must have at least 2 rows and at most the %zu told, got %" PRIu64, o->data.n,
                           fit->rows);
    size_t count = o->surrogate.config.count; /* and one more if the noise is Student's t */
    locbo_noise_law noise = o->surrogate.noise_law;
    size_t most = count + (noise == LOCBO_NOISE_LAW_AUTO || noise == LOCBO_NOISE_LAW_STUDENT);
    scaling scale = scale_of(o, fit);
    locbo_status status = check_scale(&scale, error);
    if (status == LOCBO_OK) status = check_theta(o, fit->count, fit->theta, count, most, error);
    if (status != LOCBO_OK || fit->member_count == 0) return status;
    if (fit->member_count > MEMBERS_MOST || fit->chosen >= fit->member_count || !fit->members)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit has at most %d candidates, got number %zu of %zu",
                           (int)MEMBERS_MOST, fit->chosen, fit->member_count);
    for (size_t i = 0; i < fit->member_count && status == LOCBO_OK; i++)
        status = check_member(o, &fit->members[i], error);
    return status;
}

locbo_status locbo_optimizer_restore_fit(locbo_optimizer *optimizer, const locbo_fit *fit, locbo_error *error) {
    if (!optimizer || !fit) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and fit must not be NULL");
    locbo_status status = check_fit(optimizer, fit, error);
    if (status != LOCBO_OK) return status;
    surrogate *s = &optimizer->surrogate;
    surrogate_take_fit(s, (size_t)fit->rows, scale_of(optimizer, fit), fit->log_posterior, fit->count, fit->theta);
    members_set(&s->choice, fit->member_count, fit->chosen, fit->members);
    s->fits++;
    return status_ok(error);
}
