/* slice_point.h - the values of the other parameters along a slice or a contour, in spaces with conditions too.
 *
 * The point is the recommended or best one, or a trial. Where a parameter of an axis is not active there, in place of
 * the recommended or best point it is the trial with the best value at which it is active. A parameter that becomes
 * active along an axis, and has no value at the point, has that of the best trial at which it is active, and if there
 * is none the middle of its range.
 *
 * A point that is outside the space since that was altered is moved into it: frozen parameters to their value, numbers
 * to the nearest one of their range. */
#ifndef SLICE_POINT_H
#define SLICE_POINT_H

#include "axis.h"
#include "cache.h"
#include "query.h"

typedef struct slice_point {
    const char *what;      /* "recommended", "best", "trial" */
    uint64_t trial;        /* 0: none */
    const char *instead;   /* of which it is in place: "recommended", "best"; NULL: none */
    int moved;             /* into the space */
    double *x;             /* NAN where a parameter is not active */
    double *filled;        /* the same with a value everywhere */
    unsigned char *active; /* room */
} slice_point;

/* By the key "at" of the query, for one or two axes. LOCBO_ERR_NOTHING: there is no such point. Release it also after a
 * failure. */
locbo_status slice_point_find(slice_point *p, cache *c, const query *q, size_t axes, const axis *along,
                              locbo_error *error);
void slice_point_release(slice_point *p);
/* {"what","trial","params"}, with "instead" if it is in place of another, and "moved":true if it was; NULL: no
 * memory. */
json_t *slice_point_json(const slice_point *p, const locbo_space *space);
/* The point with other values along the axes. Returns 0 if it is none: a parameter of an axis is not active there, or
 * a constraint does not hold. */
int slice_point_move(const slice_point *p, const locbo_space *space, size_t axes, const axis *along,
                     const double *values, double *row);

#endif
