/* calibrator_method.h - what a calibrator is made of: for calibrator.c and the calibrate_*.c files, one per method. */
#ifndef CALIBRATOR_METHOD_H
#define CALIBRATOR_METHOD_H

#include "calibrator.h"

/* One row per method; calibrator.h says what each function does. NULL: nothing is to be done (create, destroy, prepare,
 * local, chain, show, reserve). */
typedef struct calibrator_method {
    /* Creates c->state; the caller destroys it if create fails. */
    locbo_status (*create)(calibrator *c, locbo_error *error);
    void (*destroy)(void *state); /* state may be NULL */
    locbo_status (*prepare)(calibrator *c, const calibrator_context *context, locbo_error *error);
    double (*local)(const calibrator *c, const double *x);
    void (*law)(const calibrator *c, const calibrator_point *p, law *l);
    void (*chain)(const calibrator *c, const calibrator_point *p, const law_grad *g, double *dx);
    void (*set_at)(const calibrator *c, const calibrator_point *p, calibrator_set *set);
    void (*show)(const calibrator *c, const calibrator_point *p, const calibrator_set *set, law *l);
    locbo_status (*reserve)(calibrator *c, locbo_error *error);
    /* *threshold is NAN, and stays so if there is no such number */
    locbo_status (*tell)(calibrator *c, const double *x, double z, const calibrator_set *asked, double *threshold,
                         int *covered, locbo_error *error);
    double (*guarantee)(const calibrator *c, uint64_t T, char *text, size_t size);
} calibrator_method;

struct calibrator {
    const calibrator_method *method;
    locbo_options options;
    size_t columns, dim;
    void *state; /* what the method has learnt */
};

extern const calibrator_method calibrate_bo, calibrate_locbo, calibrate_ocbo, calibrate_cbo;

/* The law N(mu, v) of the model itself, its set at level 1 - alpha, and a verdict by the set that was shown. */
void calibrate_law_of_model(const calibrator *c, const calibrator_point *p, law *l);
void calibrate_set_of_model(const calibrator *c, const calibrator_point *p, calibrator_set *set);
locbo_status calibrate_tell_as_shown(calibrator *c, const double *x, double z, const calibrator_set *asked,
                                     double *threshold, int *covered, locbo_error *error);

#endif
