/* wcp.h - weighted full conformal prediction under a Gaussian process, exactly (eq:WCP_set).
 *
 * Score of a pair: its log density under the GP given the data and (x, y'), hyper-parameters held
 * fixed. y' is in the set iff the weighted share of the pairs (the new one included) whose score is
 * not above the new one's exceeds alpha. Works in z = (y' - mu)/sqrt(v + s2), mu and v those of the
 * data alone. */
#ifndef WCP_H
#define WCP_H

#include "gp.h"

typedef struct wcp wcp;

locbo_status wcp_create(wcp **out, locbo_error *error);
void wcp_destroy(wcp *w);

/* Read the model's measurements (not the pending rows), all weights 1. The model must outlive the
 * next calls and keep its data rows and factor; pending rows may change. On failure w is
 * unchanged. */
locbo_status wcp_bind(wcp *w, const gp *model, locbo_error *error);
/* Forget the model. */
void wcp_release(wcp *w);
const gp *wcp_model(const wcp *w); /* NULL before wcp_bind */
/* Weights of the measurements, positive and finite; they are copied. */
void wcp_weigh(wcp *w, const double *weights);

/* The new point: v by the data alone, its noise variance, the first gp_rows entries of L^{-1} k
 * (gp_work), and its weight. */
typedef struct wcp_point {
    double v, s2;
    const double *w;
    double weight;
} wcp_point;

typedef struct wcp_interval {
    double low, high;
} wcp_interval;

/* The set in z: `count` disjoint closed intervals in ascending order, valid until the next call.
 * `everything`: the new point's own share of the weights exceeds alpha, so every y' is in the set. */
typedef struct wcp_set {
    int everything;
    size_t count;
    const wcp_interval *intervals;
} wcp_set;
/* Allocates nothing; uses scratch memory of w. */
void wcp_set_at(const wcp *w, const wcp_point *p, double alpha, wcp_set *set);

#endif
