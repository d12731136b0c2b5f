/* quantity.c - one modelled output: created, judged, its means. Layer: core, below the optimizer.
 *
 * The calibrator decides with the belief stored at ask and the threshold current at tell, in the order told
 * (eq:locp_update_rule_const); whether y lay in the set announced at ask is counted beside it. Cost: that of the
 * calibrator. */
#include "quantity.h"

#include <math.h>
#include <string.h>

#include "announced.h"
#include "mem.h"
#include "outputs.h"

locbo_status quantity_init(quantity *q, const locbo_space *space, const locbo_options *options,
                           const locbo_output_spec *spec, watcher *w, locbo_error *error) {
    size_t dim = locbo_space_dim(space), columns = space_columns(space);
    locbo_options plain = *options, own = *options;
    plain.method = LOCBO_METHOD_BO;
    if (spec->scale == LOCBO_MODEL_SCALE_NONE) own.scale = LOCBO_OUTPUT_SCALE_NONE;
    memset(q, 0, sizeof *q);
    q->threshold_min = q->threshold_max = (double)NAN; /* no threshold so far */
    dataset_init(&q->data, dim, columns, outputs_sign(spec));
    q->data.scale.bend = outputs_warp(spec);
    q->data.merged = options->replicates == LOCBO_REPLICATES_MERGED;
    if (space_fidelity(space) != SIZE_MAX) {
        q->data.fidelity = 1 + space_column(space, space_fidelity(space));
        q->data.full = space_full(space);
    }
    locbo_status status = surrogate_init(&q->surrogate, space, &own, error);
    if (status == LOCBO_OK) surrogate_watch(&q->surrogate, w);
    if (status == LOCBO_OK) status = calibrator_create(&q->calibrator, options, columns, dim, error);
    if (status == LOCBO_OK) status = calibrator_create(&q->plain, &plain, columns, dim, error);
    if (status == LOCBO_OK) status = average_create(&q->average, error);
    if (status == LOCBO_OK) status = surface_work_init(&q->work, columns, error);
    for (int i = 0; i < 2 && status == LOCBO_OK; i++) status = baseline_init(&q->baseline[i], columns, error);
    return status;
}

void quantity_release(quantity *q) {
    dataset_release(&q->data);
    surrogate_release(&q->surrogate);
    calibrator_destroy(q->calibrator);
    calibrator_destroy(q->plain);
    average_destroy(q->average);
    surface_work_release(&q->work);
    for (int i = 0; i < 2; i++) baseline_release(&q->baseline[i]);
    for (int i = 0; i < 2; i++) maximum_release(&q->maximum[i]);
    gp_destroy(q->conditioned);
    mem_free(q->conditioned_on);
    screen_release(&q->screen);
    mem_free(q->fitted);
}

/* The set shown when the trial was asked, as the calibrator sees it: in predictive standard deviations, larger is
 * better. */
static calibrator_set asked_set(const quantity *q, const locbo_belief *b) {
    double low, high;
    announced_set(b, &low, &high);
    calibrator_set set = {b->threshold, low, high};
    if (q->data.scale.sign < 0) {
        set.low = -high;
        set.high = -low;
    }
    return set;
}

locbo_status quantity_judge(quantity *q, const double *u, locbo_origin origin, const locbo_belief *belief,
                            const locbo_measurement *m, locbo_error *error) {
    calibrator_set asked = asked_set(q, belief);
    double threshold = (double)NAN;
    double z = q->data.scale.sign * announced_score(belief, m);
    int online = 0;
    locbo_status status = calibrator_tell(q->calibrator, u, z, &asked, &threshold, &online, error);
    if (status != LOCBO_OK) return status;
    uint64_t inside = (uint64_t)announced_holds(belief, m);
    q->judged++;
    q->covered += inside;
    q->judged_by[origin]++;
    q->covered_by[origin] += inside;
    q->covered_online += online != 0;
    q->threshold_min = fmin(q->threshold_min, threshold);
    q->threshold_max = fmax(q->threshold_max, threshold);
    q->threshold_sum += threshold;
    return LOCBO_OK;
}

void quantity_begin_segment(quantity *q) {
    q->judged_before += q->judged;
    q->judged = q->covered = q->covered_online = 0;
    memset(q->judged_by, 0, sizeof q->judged_by);
    memset(q->covered_by, 0, sizeof q->covered_by);
    q->threshold_min = q->threshold_max = (double)NAN;
    q->threshold_sum = 0;
}

const dataset *quantity_rows(const quantity *q) { return surrogate_rows(&q->surrogate, &q->data); }

size_t quantity_source(const quantity *q, size_t row) { return surrogate_source(&q->surrogate, row); }

double quantity_mean(const quantity *q, size_t row) { return q->fitted[quantity_rows(q)->point[row]]; }

locbo_status quantity_refresh_fitted(quantity *q, locbo_error *error) {
    size_t rows = gp_rows(q->surrogate.model);
    if (!mem_reserve(&q->fitted, &q->fitted_capacity, rows, sizeof *q->fitted)) return status_no_memory(error);
    gp_fitted(q->surrogate.model, q->fitted);
    return LOCBO_OK;
}
