/* calibrator.c - the table of methods: how each turns (mu, v, s2) into a law, and learns. A new one is a new file
 * calibrate_*.c and a row here.
 * Layer: core, above the calibrators. Cost: theirs. */
#include "calibrator_method.h"

#include <math.h>

#include "mem.h"

static const calibrator_method *const methods[] = {
    [LOCBO_METHOD_LOCBO] = &calibrate_locbo, [LOCBO_METHOD_BO] = &calibrate_bo,
    [LOCBO_METHOD_CBO] = &calibrate_cbo,     [LOCBO_METHOD_OCBO] = &calibrate_ocbo,
    [LOCBO_METHOD_OCBO_L] = &calibrate_ocbo, [LOCBO_METHOD_RANDOM] = &calibrate_bo,
};

/* What every method needs; the rest is checked by the one that uses it. */
static locbo_status check(const locbo_options *o, size_t columns, size_t dim, locbo_error *error) {
    if ((size_t)o->method >= sizeof methods / sizeof methods[0])
        return status_fail(error, LOCBO_ERR_ARGUMENT, "unknown method %d", (int)o->method);
    if (columns < 1 || dim < 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "columns and dim must be at least 1, got %zu and %zu", columns,
                           dim);
    if (!(o->alpha > 0 && o->alpha < 1))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "alpha must lie in (0,1), got %g", o->alpha);
    if (!(o->tail >= 0 && o->tail <= 1))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "tail must lie in [0,1], got %g", o->tail);
    if (!(o->z_max > 0) || !isfinite(o->z_max))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "z_max must be positive, got %g", o->z_max);
    return LOCBO_OK;
}

locbo_status calibrator_create(calibrator **out, const locbo_options *options, size_t columns, size_t dim,
                               locbo_error *error) {
    locbo_status status = check(options, columns, dim, error);
    if (status != LOCBO_OK) return status;
    calibrator *c = mem_new(1, sizeof *c);
    if (!c) return status_no_memory(error);
    *c = (calibrator){.method = methods[options->method], .options = *options, .columns = columns, .dim = dim};
    if (c->method->create) status = c->method->create(c, error);
    if (status != LOCBO_OK) {
        calibrator_destroy(c);
        return status;
    }
    *out = c;
    return LOCBO_OK;
}

void calibrator_destroy(calibrator *c) {
    if (!c) return;
    if (c->method->destroy) c->method->destroy(c->state);
    mem_free(c);
}

locbo_status calibrator_prepare(calibrator *c, const calibrator_context *context, locbo_error *error) {
    return c->method->prepare ? c->method->prepare(c, context, error) : status_ok(error);
}

int calibrator_local(const calibrator *c, const double *x, double *local) {
    if (!c->method->local) return 0;
    *local = c->method->local(c, x);
    return 1;
}

void calibrator_law(const calibrator *c, const calibrator_point *p, law *l) { c->method->law(c, p, l); }

void calibrator_chain(const calibrator *c, const calibrator_point *p, const law *l, const law_grad *g, double *dx) {
    if (l->shape_n > 0 && c->method->chain) c->method->chain(c, p, g, dx);
}

void calibrator_set_at(const calibrator *c, const calibrator_point *p, calibrator_set *set) {
    c->method->set_at(c, p, set);
}

void calibrator_show(const calibrator *c, const calibrator_point *p, const calibrator_set *set, law *l) {
    if (c->method->show) c->method->show(c, p, set, l);
}

locbo_status calibrator_reserve(calibrator *c, locbo_error *error) {
    return c->method->reserve ? c->method->reserve(c, error) : LOCBO_OK;
}

locbo_status calibrator_tell(calibrator *c, const double *x, double z, const calibrator_set *asked, double *threshold,
                             int *covered, locbo_error *error) {
    if (isnan(z)) return status_fail(error, LOCBO_ERR_ARGUMENT, "the score z is not a number");
    double lambda = (double)NAN;
    locbo_status status = c->method->tell(c, x, z, asked, &lambda, covered, error);
    if (status == LOCBO_OK && threshold) *threshold = lambda;
    return status;
}

double calibrator_guarantee(const calibrator *c, uint64_t T, char *text, size_t size) {
    return c->method->guarantee(c, T, text, size);
}
