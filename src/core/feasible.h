/* feasible.h - the probability that an evaluation succeeds, learnt from failed and infeasible trials. */
#ifndef FEASIBLE_H
#define FEASIBLE_H

#include "gp.h"
#include "gpfit.h"

typedef struct feasible feasible;

locbo_status feasible_create(feasible **out, const gp_spec *spec, size_t dim, locbo_error *error);
void feasible_destroy(feasible *f);
/* Whom the fit and the predictions ask whether to go on. */
void feasible_watch(feasible *f, watcher *w);

/* Fit to n points that worked and m that did not (encoded, row-major); point: which of the n are the same, as in
 * gp_data (NULL: each is its own); sure[i] != 0: infeasible, 0: failed, perhaps by chance. Of more than `most`
 * (0: no limit) it sees so many: the latest that did not work, the nearest that worked to each of these, and others
 * evenly. A function of the data and the stream alone. On LOCBO_ERR_NUMERIC there is no model (probability 1). */
locbo_status feasible_fit(feasible *f, size_t most, size_t n, const double *worked, const size_t *point, size_t m,
                          const double *not_worked, const int *sure, rng r, locbo_error *error);
/* Without a model every point succeeds. */
void feasible_clear(feasible *f);
int feasible_is_trivial(const feasible *f);

/* The log weight of m points: the log probability of success where that is high, and steeper below, so that a point
 * that fails more than once in four is proposed only if there is no better. */
locbo_status feasible_log_weight(feasible *f, size_t m, const double *x, double *log_w, locbo_error *error);
/* The probability of success itself. */
locbo_status feasible_probability(feasible *f, size_t m, const double *x, double *p, locbo_error *error);
/* The log weight at one point, with its gradient (columns). */
locbo_status feasible_log_weight_grad(feasible *f, const double *x, double *log_w, double *grad, locbo_error *error);

#endif
