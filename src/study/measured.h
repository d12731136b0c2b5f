/* measured.h - the outputs of a study: what a result may have, outputs that are derived from others, and which results
 * keep to the measured constraints. A result is a row: one locbo_measurement for each output, value NAN if it lacks it.
 */
#ifndef MEASURED_H
#define MEASURED_H

#include "expression.h"

typedef struct measured_output {
    locbo_output_spec spec; /* its texts belong to the table of outputs */
    expression *formula;    /* of a derived output; NULL: it is measured */
    size_t *inputs;         /* the outputs that its names are, all before this one */
} measured_output;

typedef struct measured {
    size_t count;      /* of outputs */
    size_t objectives; /* how many of them */
    size_t first;      /* the first objective */
    measured_output *output;
    double *values; /* workspace: the inputs of a formula */
} measured;

/* `outputs` must live as long as `m`; NULL: one output, without a table. LOCBO_ERR_ARGUMENT for an expression that
 * cannot be read or names anything but outputs before it. Release `m` also after a failure. */
locbo_status measured_init(measured *m, const locbo_outputs *outputs, locbo_error *error);
void measured_release(measured *m);

int measured_is_derived(const measured *m, size_t output);
/* What a row is: told now; stored, with derived values, which are not looked at; stored before the study was altered,
 * or told by who did not know it: values need not be on the scales of now. */
typedef enum measured_when { MEASURED_NOW, MEASURED_STORED, MEASURED_PAST } measured_when;
/* LOCBO_OK if a result can have this row: there is a measured value, and all are acceptable. */
locbo_status measured_check(const measured *m, const locbo_measurement *row, measured_when when, locbo_error *error);
/* Make the values NAN that are not on the scales of their outputs; returns how many outputs are left. */
size_t measured_drop(const measured *m, locbo_measurement *row);
/* Fill in the derived outputs; NAN if an input is missing, or if the value is not finite or not on the output's scale.
 * The number of repetitions is the smallest of the inputs'. */
void measured_derive(const measured *m, locbo_measurement *row);
/* A row of nothing. */
void measured_clear(const measured *m, locbo_measurement *row);

int measured_is_objective(const measured *m, size_t output);
int measured_is_constraint(const measured *m, size_t output);
int measured_is_modelled(const measured *m, size_t output); /* one of the two */
/* Whether larger values of an objective or constraint are better. */
int measured_wants_more(const measured *m, size_t output);
/* The bound of a constraint; `baseline` is the mean that it is a multiple of (locbo_output_spec.baseline), NAN: not
 * measured yet. NAN: it has none, or none that is known. */
double measured_bound(const measured *m, size_t output, double baseline);
/* Whether a constraint holds: a value that is lacking does not, any other does while the bound is not known. */
int measured_holds(const measured *m, size_t output, double bound, double value);

#endif
