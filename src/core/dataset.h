/* dataset.h - the measured rows D_t (eq: D_T), and the only file that knows their sign and standardisation.
 *
 * Rows keep the user's units and direction. The model sees them on a scale (scaling.h): everything inside maximises,
 * mean 0 and standard deviation 1 at the last fit. */
#ifndef DATASET_H
#define DATASET_H

#include "gp.h"
#include "scaling.h"

typedef struct dataset {
    size_t dim, columns;
    size_t n, capacity;
    double *x; /* n x dim */
    double *u; /* n x columns */
    locbo_measurement *measured;
    uint64_t *trial;      /* 0: added */
    unsigned char *aside; /* 1: of a trial that was ended early: the model sees it, and it is never the best */
    size_t fidelity;      /* 1 + the column of the fidelity; 0: there is none. Set before the first row */
    double full;          /* that column at full fidelity */
    int only_full;        /* 1: rows of lower fidelity have so much noise that they tell the model nothing */
    int misled;           /* 1: that is so whatever the model says (fidelity_misleads) */
    /* what the model is given, under `scale`; its log or logit is set before the first row, and stays */
    scaling scale;
    double *y, *noise_scale, *noise_extra; /* the surrogate may have put weights into noise_scale */
    /* which measurements are at one point, and so one row of the model */
    int merged; /* option replicates=merged; 0: each measurement is a point of its own. Set before the first row */
    size_t points;
    size_t *point; /* n: number of the point, in the order of appearance */
    size_t *first; /* points: the first row at each */
    size_t *slot;  /* hash table of points, by their u: number + 1, of several at one u the first; 0: empty */
    size_t slots;  /* 0 or a power of 2 */
} dataset;

void dataset_init(dataset *d, size_t dim, size_t columns, double sign);
void dataset_release(dataset *d);

/* LOCBO_OK if value is finite and sd is NAN or finite and not negative. */
locbo_status dataset_check(const locbo_measurement *m, locbo_error *error);
/* Append a row; its standardised form uses the present scale. */
locbo_status dataset_append(dataset *d, const double *x, const double *u, const locbo_measurement *m, uint64_t trial,
                            locbo_error *error);
/* Make `to`, which was initialised alike, a copy of n rows of `from`, on its scale. `merged`: whether measurements of
 * one point are one row. */
locbo_status dataset_copy_rows(dataset *to, const dataset *from, size_t n, const size_t *row, int merged,
                               locbo_error *error);
/* One more row of `from`. */
locbo_status dataset_copy_row(dataset *to, const dataset *from, size_t row, locbo_error *error);
/* Take back the last row. */
void dataset_remove_last(dataset *d);
/* The scaling that standardises the present rows. */
scaling dataset_standardise(const dataset *d);
/* The other scales of the present rows that may suit them better: `plain` (dataset_standardise) with limited influence
 * of far results, and Box-Cox. *bends: whether there is the second; never if the rows have a log or logit scale. */
locbo_status dataset_scales(const dataset *d, scaling plain, scaling *robust, scaling *bent, int *bends,
                            locbo_error *error);
/* Standardise all rows, and those appended later, with this scaling. */
void dataset_rescale(dataset *d, scaling s);
/* All rows as the model would see them with this scaling, into arrays of n numbers; d stays as it is. */
void dataset_on_scale(const dataset *d, const scaling *s, double *y, double *noise_scale, double *noise_extra);
/* Noise scales as the measurements have them, without weights. */
void dataset_unweigh(dataset *d);
/* The first n rows as the model sees them. */
gp_data dataset_view(const dataset *d, size_t n);
/* At how many points the first n rows are. */
size_t dataset_points(const dataset *d, size_t n);
/* The number of the point at u; SIZE_MAX: there is none. If each measurement is a point of its own, the first. */
size_t dataset_find(const dataset *d, const double *u);
/* The last row is of a trial that was ended early. */
void dataset_set_aside(dataset *d);
/* Whether a row may be the best: it is at full fidelity, and not of a trial that was ended early. */
int dataset_counts(const dataset *d, size_t row);
/* Of which rows predictions say how good a model is: those that count, or all, if fewer than three do; but not those on
 * a plateau, a value that more than half of the points have exactly. A model that is sure of the plateau has a density
 * there without limit, and takes whatever was found elsewhere for outliers. */
typedef struct dataset_scope {
    int all;        /* rows that do not count, too */
    double plateau; /* NAN: there is none */
} dataset_scope;
dataset_scope dataset_scope_of(const dataset *d);
int dataset_is_scored(const dataset *d, const dataset_scope *scope, size_t row);
/* The row of the best measured value of those that count, of all if none does; n > 0. */
size_t dataset_best(const dataset *d);
/* What was measured at the point of a row, by results that count: the mean, each result by its repetitions, and of how
 * many results it is. */
typedef struct dataset_mean {
    size_t row; /* the first at the point */
    double value;
    size_t results;
} dataset_mean;
dataset_mean dataset_mean_at(const dataset *d, size_t row);
/* The point with the best such mean, of results that count; LOCBO_ERR_STATE if none does. Points are compared by their
 * u even if each measurement is one of its own. */
locbo_status dataset_best_mean(const dataset *d, dataset_mean *best, locbo_error *error);

#endif
