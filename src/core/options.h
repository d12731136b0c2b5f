/* options.h - the resolved options, for the core's own use. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "status.h"

/* A checked copy of the caller's options (NULL: defaults); fields that its struct does not have get their defaults. */
locbo_status options_resolve(const locbo_options *given, locbo_options *out, locbo_error *error);

/* Fill in the fields that the caller's struct has. */
locbo_status options_export(const locbo_options *o, locbo_options *out, locbo_error *error);

/* The number of initial points for `dim` parameters (option `initial`). */
size_t options_initial(const locbo_options *o, size_t dim);

#endif
