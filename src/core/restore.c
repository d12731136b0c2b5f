/* restore.c - trials and fits put back one by one, from a file or a database. Layer: core, top.
 * Both are checked, since a file may contain anything. Cost: O(dim) each; the model is factored when it
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
                           "trial %" PRIu64 " cannot follow trial %zu: trials are restored in order", trial->id,
                           o->trials);
    if ((int)trial->origin < LOCBO_ORIGIN_DESIGN || trial->origin > LOCBO_ORIGIN_GIVEN)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "trial %" PRIu64 ": unknown origin %d", trial->id,
                           (int)trial->origin);
    const locbo_belief *b = &trial->belief;
    /* its result is judged by the belief */
    if (trial->origin == LOCBO_ORIGIN_MODEL && !(isfinite(b->mean) && b->sd_y > 0 && isfinite(b->sd_y)))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "trial %" PRIu64 ": the belief needs a finite mean and sd_y > 0, got %g and %g", trial->id,
                           b->mean, b->sd_y);
    locbo_status status = locbo_space_check(o->space, x, error);
    if (status == LOCBO_OK) status = optimizer_append_trial(o, trial, x, LOCBO_TRIAL_PENDING, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

static locbo_status check_fit(const locbo_optimizer *o, const locbo_fit *fit, locbo_error *error) {
    if (fit->rows < 2 || fit->rows > o->data.n)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a fit must have at least 2 rows and at most the %zu told, got %" PRIu64, o->data.n,
                           fit->rows);
    if (!isfinite(fit->shift) || !(fit->spread > 0 && isfinite(fit->spread)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit needs a finite shift and spread > 0, got %g and %g",
                           fit->shift, fit->spread);
    size_t count = o->surrogate.config.count; /* and one more if the noise is Student's t */
    locbo_noise_law noise = o->surrogate.noise_law;
    size_t most = count + (noise == LOCBO_NOISE_LAW_AUTO || noise == LOCBO_NOISE_LAW_STUDENT);
    if (fit->count < count || fit->count > most || !fit->theta)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a fit has %zu hyper-parameters, the model has %zu", fit->count,
                           count);
    for (size_t i = 0; i < fit->count; i++)
        if (!(fabs(fit->theta[i]) <= 100)) /* the limit of gp_factor */
            return status_fail(error, LOCBO_ERR_ARGUMENT, "theta[%zu] of a fit must lie in [-100, 100], got %g", i,
                               fit->theta[i]);
    return LOCBO_OK;
}

locbo_status locbo_optimizer_restore_fit(locbo_optimizer *optimizer, const locbo_fit *fit, locbo_error *error) {
    if (!optimizer || !fit) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and fit must not be NULL");
    locbo_status status = check_fit(optimizer, fit, error);
    if (status != LOCBO_OK) return status;
    surrogate *s = &optimizer->surrogate;
    scaling scale = {.sign = optimizer->data.scale.sign, .shift = fit->shift, .spread = fit->spread};
    surrogate_take_fit(s, (size_t)fit->rows, scale, fit->log_posterior, fit->count, fit->theta);
    s->fits++;
    return status_ok(error);
}
