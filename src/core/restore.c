/* restore.c - facts put back one by one: trials as they were asked, the fit as it was made. Layer: core, top.
 * What they were is checked as if it came from a file, which it does. Cost: O(dim) each; the model is factored when it
 * is next needed. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "optimizer.h"

locbo_status locbo_optimizer_fit(const locbo_optimizer *optimizer, locbo_fit *fit, locbo_error *error) {
    if (!optimizer || !fit) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and fit must not be NULL");
    const surrogate *s = &optimizer->surrogate;
    *fit = s->fitted ? (locbo_fit){.rows = s->fit_rows,
                                   .shift = s->fit_scale.shift,
                                   .spread = s->fit_scale.spread,
                                   .log_posterior = s->value,
                                   .count = surrogate_theta_count(s),
                                   .theta = s->theta}
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
                           "trial %" PRIu64 " cannot follow trial %zu: they are restored in order", trial->id,
                           o->trials);
    if ((int)trial->origin < LOCBO_ORIGIN_DESIGN || trial->origin > LOCBO_ORIGIN_GIVEN)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "trial %" PRIu64 ": there is no origin %d", trial->id,
                           (int)trial->origin);
    const locbo_belief *b = &trial->belief;
    /* what the model proposed is judged by what it believed */
    if (trial->origin == LOCBO_ORIGIN_MODEL && !(isfinite(b->mean) && b->sd_y > 0 && isfinite(b->sd_y)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "trial %" PRIu64 ": believed mean %g with sd_y %g", trial->id,
                           b->mean, b->sd_y);
    locbo_status status = locbo_space_check(o->space, x, error);
    if (status == LOCBO_OK) status = optimizer_append_trial(o, trial, x, LOCBO_TRIAL_PENDING, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

static locbo_status check_fit(const locbo_optimizer *o, const locbo_fit *fit, locbo_error *error) {
    if (fit->rows < 2 || fit->rows > o->data.n)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit of %" PRIu64 " rows, %zu were told", fit->rows, o->data.n);
    if (!isfinite(fit->shift) || !(fit->spread > 0 && isfinite(fit->spread)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit with shift %g and spread %g", fit->shift, fit->spread);
    size_t count = o->surrogate.config.count; /* and one more if the noise is Student's t */
    locbo_noise_law noise = o->surrogate.noise_law;
    size_t most = count + (noise == LOCBO_NOISE_LAW_AUTO || noise == LOCBO_NOISE_LAW_STUDENT);
    if (fit->count < count || fit->count > most || !fit->theta)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit of %zu hyper-parameters, the model has %zu", fit->count,
                           count);
    for (size_t i = 0; i < fit->count; i++)
        if (!(fabs(fit->theta[i]) <= 100)) /* what gp_factor takes */
            return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit with theta[%zu] = %g", i, fit->theta[i]);
    return LOCBO_OK;
}

locbo_status locbo_optimizer_restore_fit(locbo_optimizer *optimizer, const locbo_fit *fit, locbo_error *error) {
    if (!optimizer || !fit) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and fit must not be NULL");
    locbo_status status = check_fit(optimizer, fit, error);
    if (status != LOCBO_OK) return status;
    surrogate *s = &optimizer->surrogate;
    scaling scale = {optimizer->data.scale.sign, fit->shift, fit->spread};
    surrogate_take_fit(s, (size_t)fit->rows, scale, fit->log_posterior, fit->count, fit->theta);
    s->fits++;
    return status_ok(error);
}
