/* quantity.h - one modelled output: its results, its model, its calibration, and what of it was covered.
 *
 * An optimizer has one for each objective and each constraint. They know nothing of each other: outputs are independent
 * given the point, and the acquisition alone puts them together (joint.h). */
#ifndef QUANTITY_H
#define QUANTITY_H

#include "average.h"
#include "calibrator.h"
#include "surface.h"

typedef struct quantity {
    dataset data; /* the results that have this output */
    surrogate surrogate;
    calibrator *calibrator;
    calibrator *plain; /* BO's: the model without calibration, for recommendations */
    average *average;  /* for intervals of f */

    uint64_t judged, covered, covered_online; /* inside the set announced at ask; by the threshold current at tell */
    uint64_t judged_before; /* in earlier segments of coverage: they are not counted with the others */
    uint64_t judged_by[LOCBO_ORIGINS], covered_by[LOCBO_ORIGINS]; /* the same by origin */
    double threshold_min, threshold_max, threshold_sum;           /* NAN for methods without a threshold */

    /* workspace */
    surface_work work;
    baseline baseline[2];         /* option incumbent=sampled: of the believed surface, of the searched one */
    maximum maximum[2];           /* the same: draws of the maximum; of the first objective */
    gp *conditioned;              /* the model with the outstanding trials; NULL: not needed so far */
    uint64_t conditioned_version; /* of the model that it was made from; 0: it is not to be used again */
    size_t conditioned_count, conditioned_capacity;
    size_t *conditioned_on;    /* numbers of these trials */
    uint64_t conditioned_made; /* how often it was made from the model */
    screen screen;             /* predictions at candidates, with many outstanding trials */
    double *fitted;            /* posterior mean at the rows of the model */
    size_t fitted_capacity;
} quantity;

/* `spec` says which values are better, and on which scale the model works. On failure q can be released all the same.
 */
locbo_status quantity_init(quantity *q, const locbo_space *space, const locbo_options *options,
                           const locbo_output_spec *spec, watcher *w, locbo_error *error);
void quantity_release(quantity *q);

/* A result of a trial that is judged, before it becomes data: was it covered, and an update of the calibration.
 * `u`: the encoded point, `belief`: what was announced of it. On failure nothing changes. */
locbo_status quantity_judge(quantity *q, const double *u, locbo_origin origin, const locbo_belief *belief,
                            const locbo_measurement *m, locbo_error *error);

/* From here on coverage is counted anew; what the calibration has learnt stays. */
void quantity_begin_segment(quantity *q);

/* The measurements that the model has rows of: q->data, or with many results some rows of it. The model's own count of
 * measurements is theirs, but for one that has trouble to include all. */
const dataset *quantity_rows(const quantity *q);
/* The number in q->data of one of them. */
size_t quantity_source(const quantity *q, size_t row);
/* The posterior mean at one of them, after quantity_refresh_fitted. */
double quantity_mean(const quantity *q, size_t row);
/* Posterior means at the rows of the model, in q->fitted. */
locbo_status quantity_refresh_fitted(quantity *q, locbo_error *error);

#endif
