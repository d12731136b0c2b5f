/* restore.c - trials and fits put back one by one, from a file or a database. Layer: core, top.
 * Both are checked, since a file may contain anything. Cost: O(dim) each; the model is factored when it
 * is next needed. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "announced.h"
#include "optimizer.h"
#include "origin.h"

static locbo_status not_modelled(size_t output, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_NOT_FOUND, "output %zu is not modelled", output);
}

locbo_status locbo_optimizer_fit_of(const locbo_optimizer *optimizer, size_t output, locbo_fit *fit,
                                    locbo_error *error) {
    if (!optimizer || !fit) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and fit must not be NULL");
    const quantity *q = optimizer_quantity_of(optimizer, output);
    if (!q) return not_modelled(output, error);
    const surrogate *s = &q->surrogate;
    warp bend = scaling_bend(&s->fit_scale);
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
                                   .members = s->choice.item,
                                   .output = output}
                     : (locbo_fit){.output = output};
    return status_ok(error);
}

locbo_status locbo_optimizer_fit(const locbo_optimizer *optimizer, locbo_fit *fit, locbo_error *error) {
    return locbo_optimizer_fit_of(optimizer, optimizer ? optimizer->listed[0] : 0, fit, error);
}

/* Whether a stored scale has the log or logit that the output has: other values have no images. */
static int is_natural_of(const quantity *q, const warp *w) {
    const warp *own = &q->data.scale.bend;
    if (!warp_is_natural(own)) return !warp_is_natural(w);
    return w->power == own->power && w->low == own->low && w->high == own->high;
}

/* A belief by which a result may be judged. An output that was added later (`may_lack`) has none. */
static locbo_status check_belief(const quantity *q, const locbo_trial *trial, const locbo_belief *b, int may_lack,
                                 locbo_error *error) {
    warp w = {b->power, b->offset, b->low, b->high};
    int without_model = (trial->origin == LOCBO_ORIGIN_CONFIRM || may_lack) && isnan(b->mean) && isnan(b->sd_y);
    if (origin_is_model(trial->origin) && !without_model && !(isfinite(b->mean) && b->sd_y > 0 && isfinite(b->sd_y)))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "trial %" PRIu64 ": the belief needs a finite mean and sd_y > 0, got %g and %g", trial->id,
                           b->mean, b->sd_y);
    if (!announced_is_valid(b) || (belief_is_bent(b) && !is_natural_of(q, &w)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "trial %" PRIu64 ": the scale of the belief is not possible",
                           trial->id);
    return LOCBO_OK;
}

static locbo_status check_trial(const locbo_optimizer *o, const locbo_trial *trial, locbo_error *error) {
    if (trial->id != o->trials + 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "trial %" PRIu64 " cannot follow trial %zu: trials are restored in order", trial->id,
                           o->trials);
    if ((int)trial->origin < LOCBO_ORIGIN_DESIGN || (int)trial->origin >= LOCBO_ORIGINS)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "trial %" PRIu64 ": unknown origin %d", trial->id,
                           (int)trial->origin);
    return LOCBO_OK;
}

locbo_status locbo_optimizer_restore_trial_outputs(locbo_optimizer *optimizer, const locbo_trial *trial,
                                                   const locbo_belief *beliefs, const double *x, locbo_error *error) {
    if (!optimizer || !trial || !beliefs || !x)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer, trial, beliefs and x must not be NULL");
    locbo_optimizer *o = optimizer;
    locbo_belief own[OUTPUTS_MODELLED];
    locbo_trial info = *trial;
    locbo_status status = check_trial(o, trial, error);
    for (size_t k = 0; k < o->quantities && status == LOCBO_OK; k++) {
        own[k] = beliefs[o->listed[k]];
        status = check_belief(&o->quantity[k], trial, &own[k], k > 0, error);
    }
    if (status == LOCBO_OK) status = space_check_placed(o->space, x, error);
    if (status != LOCBO_OK) return status;
    info.belief = own[0];
    status = optimizer_append_trial(o, &info, own + 1, x, LOCBO_TRIAL_PENDING, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

locbo_status locbo_optimizer_restore_trial(locbo_optimizer *optimizer, const locbo_trial *trial, const double *x,
                                           locbo_error *error) {
    if (!optimizer || !trial) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and trial must not be NULL");
    if (locbo_outputs_count(optimizer->outputs) > 1)
        return status_fail(error, LOCBO_ERR_STATE, "the optimizer has several outputs: restore the beliefs of all");
    return locbo_optimizer_restore_trial_outputs(optimizer, trial, &trial->belief, x, error);
}

locbo_status locbo_optimizer_reference(const locbo_optimizer *optimizer, double *reference, locbo_error *error) {
    if (!optimizer || !reference)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and reference must not be NULL");
    for (size_t i = 0; i < locbo_outputs_count(optimizer->outputs); i++) reference[i] = (double)NAN;
    for (size_t k = 0; optimizer->objectives > 1 && k < optimizer->objectives; k++)
        reference[optimizer->listed[k]] = optimizer->reference[k];
    return status_ok(error);
}

locbo_status optimizer_take_reference(locbo_optimizer *o, const double *reference, locbo_error *error) {
    for (size_t k = 0; k < o->objectives; k++) {
        const locbo_output_spec *spec = outputs_at(o->outputs, o->listed[k]);
        if (isinf(reference[k]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "a reference must be finite, got %g", reference[k]);
        locbo_status status = LOCBO_OK;
        if (!isnan(reference[k])) status = outputs_check_value(spec, "the reference", reference[k], error);
        if (status != LOCBO_OK) return status;
    }
    for (size_t k = 0; k < o->objectives; k++) /* the table's own stay */
        if (!outputs_at(o->outputs, o->listed[k])->referenced) o->reference[k] = reference[k];
    return LOCBO_OK;
}

locbo_status locbo_optimizer_restore_reference(locbo_optimizer *optimizer, const double *reference,
                                               locbo_error *error) {
    if (!optimizer || !reference)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and reference must not be NULL");
    double own[OUTPUTS_OBJECTIVES];
    for (size_t k = 0; k < optimizer->objectives; k++) own[k] = reference[optimizer->listed[k]];
    locbo_status status = optimizer_take_reference(optimizer, own, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

static locbo_status check_theta(const quantity *q, size_t count, const double *theta, size_t least, size_t most,
                                locbo_error *error) {
    if (count < least || count > most || !theta)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit has %zu hyper-parameters, the model has %zu", count,
                           q->surrogate.config.count);
    for (size_t i = 0; i < count; i++)
        if (!(fabs(theta[i]) <= 100)) /* the limit of gp_factor */
            return status_fail(error, LOCBO_ERR_ARGUMENT, "theta[%zu] of a fit must lie in [-100, 100], got %g", i,
                               theta[i]);
    return LOCBO_OK;
}

static locbo_status check_scale(const quantity *q, const scaling *s, locbo_error *error) {
    if (!isfinite(s->shift) || !(s->spread > 0 && isfinite(s->spread)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit needs a finite shift and spread > 0, got %g and %g",
                           s->shift, s->spread);
    if (scaling_is_valid(s) && is_natural_of(q, &s->bend)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit has no scale with power %g, offset %g, low %g and high %g",
                       s->bend.power, s->bend.offset, s->bend.low, s->bend.high);
}

static locbo_status check_member(const quantity *q, const locbo_member *m, locbo_error *error) {
    const surrogate *s = &q->surrogate;
    size_t count = s->config.count + (m->law == LOCBO_NOISE_LAW_STUDENT);
    scaling scale = members_scale(m, q->data.scale.sign);
    if (!surrogate_considers(s, m->law) || !isfinite(m->score))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a candidate of a fit has noise law %d and score %g, not possible here", (int)m->law,
                           m->score);
    locbo_status status = check_scale(q, &scale, error);
    return status == LOCBO_OK ? check_theta(q, m->count, m->theta, count, count, error) : status;
}

static scaling scale_of(const quantity *q, const locbo_fit *f) {
    return scaling_restore(q->data.scale.sign, f->shift, f->spread, (warp){f->power, f->offset, f->low, f->high});
}

static locbo_status check_fit(const quantity *q, const locbo_fit *fit, locbo_error *error) {
    if (fit->rows < 2 || fit->rows > q->data.n)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a fit must have at least 2 rows and at most the %zu told, got %" PRIu64, q->data.n,
                           fit->rows);
    size_t count = q->surrogate.config.count; /* and one more if the noise is Student's t */
    locbo_noise_law noise = q->surrogate.noise_law;
    size_t most = count + (noise == LOCBO_NOISE_LAW_AUTO || noise == LOCBO_NOISE_LAW_STUDENT);
    scaling scale = scale_of(q, fit);
    locbo_status status = check_scale(q, &scale, error);
    if (status == LOCBO_OK) status = check_theta(q, fit->count, fit->theta, count, most, error);
    if (status != LOCBO_OK || fit->member_count == 0) return status;
    if (fit->member_count > MEMBERS_MOST || fit->chosen >= fit->member_count || !fit->members)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit has at most %d candidates, got number %zu of %zu",
                           (int)MEMBERS_MOST, fit->chosen, fit->member_count);
    for (size_t i = 0; i < fit->member_count && status == LOCBO_OK; i++)
        status = check_member(q, &fit->members[i], error);
    return status;
}

locbo_status locbo_optimizer_restore_fit(locbo_optimizer *optimizer, const locbo_fit *fit, locbo_error *error) {
    if (!optimizer || !fit) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and fit must not be NULL");
    quantity *q = optimizer_quantity_of(optimizer, fit->output);
    if (!q) return not_modelled(fit->output, error);
    locbo_status status = check_fit(q, fit, error);
    if (status != LOCBO_OK) return status;
    surrogate *s = &q->surrogate;
    surrogate_take_fit(s, (size_t)fit->rows, scale_of(q, fit), fit->log_posterior, fit->count, fit->theta);
    members_set(&s->choice, fit->member_count, fit->chosen, fit->members);
    s->fits++;
    return status_ok(error);
}
