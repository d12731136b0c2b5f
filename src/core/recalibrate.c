/* recalibrate.c - OCBO's and OCBO-L's quantile levels (eq:online_cal_marginal).
 *
 *   R_{t+1}(a) = R_t(a) + eta_t ( a - 1{ y_t <= q_t(a) } )
 *
 * The update as printed (eq: OCBO update rule 1), R - eta (a - 1{y not in set}), is the one whose
 * fixed point is a coverage of 1-a; with this one the share of y_t <= q_t(a) tends to a, as
 * eq:online_cal_marginal says (tests/unit/test_recalibrate.c shows both). R itself is never clamped
 * or sorted, since the guarantee is about it; what the law and the user get is both.
 *
 * Layer: core, above locp. Cost: that of locp plus O(M^2) at worst for the sort. */
#include "recalibrate.h"

#include <math.h>

#include "law.h"
#include "mem.h"
#include "normal.h"

struct recalibrate {
    size_t levels;
    double level[LAW_MAX_SHAPE];
    locp *thresholds;
};

locbo_status recalibrate_create(recalibrate **out, const locp_config *config, locbo_error *error) {
    if (config->levels < 1 || config->levels > LAW_MAX_SHAPE)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "levels must lie in 1 .. %d, got %zu", (int)LAW_MAX_SHAPE,
                           config->levels);
    recalibrate *r = mem_new(1, sizeof *r);
    if (!r) return status_no_memory(error);
    r->levels = config->levels;
    for (size_t i = 0; i < r->levels; i++) r->level[i] = (double)(i + 1) / (double)(r->levels + 1);
    locbo_status status = locp_create(&r->thresholds, config, r->level, error);
    if (status != LOCBO_OK) {
        recalibrate_destroy(r);
        return status;
    }
    *out = r;
    return LOCBO_OK;
}

void recalibrate_destroy(recalibrate *r) {
    if (!r) return;
    locp_destroy(r->thresholds);
    mem_free(r);
}

const double *recalibrate_levels(const recalibrate *r) { return r->level; }

void recalibrate_raw(const recalibrate *r, const double *x, double *R) { locp_thresholds(r->thresholds, x, R); }

/* Insertion sort of R, which is nearly sorted; origin[i] is the level that R[i] came from. */
static void sort(size_t n, double *R, size_t *origin) {
    for (size_t i = 0; i < n; i++) {
        double value = R[i];
        size_t j = i;
        for (; j > 0 && R[j - 1] > value; j--) {
            R[j] = R[j - 1];
            origin[j] = origin[j - 1];
        }
        R[j] = value;
        origin[j] = i;
    }
}

/* Sorted, then clamped; the order of the two does not matter. */
static void make_shape(const recalibrate *r, const double *x, double z_max, double *shape, size_t *origin,
                       int *clamped) {
    double low = normal_sf(z_max), high = normal_cdf(z_max);
    recalibrate_raw(r, x, shape);
    sort(r->levels, shape, origin);
    for (size_t i = 0; i < r->levels; i++) {
        clamped[i] = !(shape[i] > low && shape[i] < high);
        if (clamped[i]) shape[i] = shape[i] >= high ? high : low;
    }
}

void recalibrate_shape(const recalibrate *r, const double *x, double z_max, double *shape) {
    size_t origin[LAW_MAX_SHAPE];
    int clamped[LAW_MAX_SHAPE];
    make_shape(r, x, z_max, shape, origin, clamped);
}

void recalibrate_chain(const recalibrate *r, const double *x, double z_max, const double *weight, double *dx) {
    double shape[LAW_MAX_SHAPE], by_level[LAW_MAX_SHAPE];
    size_t origin[LAW_MAX_SHAPE];
    int clamped[LAW_MAX_SHAPE];
    make_shape(r, x, z_max, shape, origin, clamped);
    for (size_t i = 0; i < r->levels; i++) by_level[origin[i]] = clamped[i] ? 0 : weight[i];
    locp_chain(r->thresholds, x, by_level, dx);
}

static double quantile(double R) {
    if (R <= 0) return -INFINITY;
    return R >= 1 ? INFINITY : normal_quantile(R);
}

/* R at level u, linear between the sorted levels and the end knots (0, 0) and (1, 1). */
static double interpolate(const recalibrate *r, const double *R, double u) {
    double u0 = 0, R0 = 0;
    for (size_t i = 0; i <= r->levels; i++) {
        double u1 = i < r->levels ? r->level[i] : 1, R1 = i < r->levels ? R[i] : 1;
        if (u <= u1) return u == u1 ? R1 : R0 + (R1 - R0) * (u - u0) / (u1 - u0);
        u0 = u1;
        R0 = R1;
    }
    return 1;
}

/* The set of the raw levels R, which are sorted here. */
static void set_of(const recalibrate *r, double *R, double alpha, double *low, double *high) {
    size_t origin[LAW_MAX_SHAPE];
    sort(r->levels, R, origin);
    *low = quantile(interpolate(r, R, alpha / 2));
    *high = quantile(interpolate(r, R, 1 - alpha / 2));
    if (*low == INFINITY || *high == -INFINITY || *low > *high) {
        *low = INFINITY;
        *high = -INFINITY;
    }
}

void recalibrate_set(const recalibrate *r, const double *x, double alpha, double *low, double *high) {
    double R[LAW_MAX_SHAPE];
    recalibrate_raw(r, x, R);
    set_of(r, R, alpha, low, high);
}

locbo_status recalibrate_update(recalibrate *r, const double *x, double z, double alpha, int *covered,
                                locbo_error *error) {
    double R[LAW_MAX_SHAPE], residual[LAW_MAX_SHAPE], low, high;
    recalibrate_raw(r, x, R);
    for (size_t i = 0; i < r->levels; i++) residual[i] = r->level[i] - (z <= quantile(R[i]) ? 1.0 : 0.0);
    set_of(r, R, alpha, &low, &high);
    locbo_status status = locp_update(r->thresholds, x, residual, error);
    if (status == LOCBO_OK && covered) *covered = low <= z && z <= high;
    return status;
}

locbo_status recalibrate_reserve(recalibrate *r, locbo_error *error) { return locp_reserve(r->thresholds, error); }
