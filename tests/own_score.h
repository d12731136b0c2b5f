/* own_score.h - scores that a caller might set, written out without the library's functions. */
#ifndef OWN_SCORE_H
#define OWN_SCORE_H

#include "check.h"

/* log E (f - best)_+ of f ~ N(mean, var_f): with h = (best - mean)/sd it is log(sd) + log(phi(h) - h Q(h)). Far out the
 * continued fraction phi/Q = h + 1/(h + 2/(h + 3/ ...)) = h + t gives phi - h Q = phi t/(h + t). */
static inline double own_log_ei(const locbo_view *view, void *user) {
    (void)user;
    double sd = sqrt(view->var_f), h = (view->best - view->mean) / sd, t = 0;
    double log_phi = -0.5 * h * h - 0.91893853320467274; /* log(2 pi)/2 */
    if (h < 2) return log(sd) + log(exp(log_phi) - h * 0.5 * erfc(h * 0.70710678118654752));
    for (int k = 200; k >= 1; k--) t = k / (h + t);
    return log(sd) + log_phi + log(t / (h + t));
}

/* The same, and something of every other field; finite and smooth wherever there is a set or none. */
static inline double own_score(const locbo_view *view, void *user) {
    double score = own_log_ei(view, user) + 0.1 * view->noise_var;
    if (isnan(view->set_low)) return score;
    return score + 0.3 * (view->set_high - view->mean) + 0.2 * (view->mean - view->set_low) + 0.1 * view->tail_mass;
}

#endif
