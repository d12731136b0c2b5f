/* reference.h - the reference point of several objectives: inferred by the first proposal of the model, and then a
 * fact. As numbers for each output, NAN where there is none; in the database a list of numbers for the objectives. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "ledger.h"

locbo_status reference_check(const measured *table, const double *reference, locbo_error *error);
/* Both inside a transaction. Nothing is written if an objective has none, or if there is one objective. */
locbo_status reference_write(const locbo_study *study, const double *reference, locbo_error *error);
/* What the database has; otherwise what the table of outputs has. */
locbo_status reference_read(const locbo_study *study, double *reference, locbo_error *error);

#endif
