/* localmin.h - bounded local minimisation with gradients. The one file that names NLopt. */
#ifndef LOCALMIN_H
#define LOCALMIN_H

#include "watcher.h"

/* Value at x; fills grad (never NULL). A NaN or infinite value, or gradient, is treated as a wall:
 * the search gets a large finite value and continues; such a point never becomes the result. */
typedef double localmin_fn(size_t n, const double *x, double *grad, void *user);

typedef struct localmin_limits {
    int max_evals;
    double f_tol_rel, f_tol_abs; /* stop when a step improves f by less; 0: off */
    double x_tol_abs;            /* stop when a step moves less; 0: off */
    watcher *watcher;            /* asked before each evaluation; NULL: nobody */
    /* Constraints c_i(x) <= 0: value and gradient of each. The result satisfies them but for `constraint_tol`, if the
     * start does. */
    size_t constraint_count;
    double (*constraint)(size_t i, size_t n, const double *x, double *grad, void *user);
    double constraint_tol;
} localmin_limits;

/* Minimise from x (clamped to the box first); on return x is the best point seen and *f its value,
 * never worse than the start. Needs low <= high; equal bounds fix a coordinate. LOCBO_ERR_NUMERIC
 * if no finite value was seen, LOCBO_ERR_CANCELLED if the watcher cancelled (x unchanged). *evals (may be NULL) counts
 * evaluations. */
locbo_status localmin_run(localmin_fn *fn, void *user, size_t n, const double *low, const double *high,
                          const localmin_limits *limits, double *x, double *f, int *evals, locbo_error *error);

#endif
