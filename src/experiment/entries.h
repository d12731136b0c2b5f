/* entries.h - numbers as entries of tables for people; what there is none of is a dash. */
#ifndef ENTRIES_H
#define ENTRIES_H

#include "stats.h"
#include "table.h"

/* "0.123 [0.100, 0.150]"; without brackets if the ends are infinite, as of a single value. */
locbo_status entries_interval(table *t, const stats_interval *i, locbo_error *error);
/* `format` takes one double. */
locbo_status entries_number(table *t, const char *format, double value, locbo_error *error);
locbo_status entries_p(table *t, double p, locbo_error *error);

#endif
