/* entries.h - numbers as cells of text tables; NAN is printed as "-". */
#ifndef ENTRIES_H
#define ENTRIES_H

#include "stats.h"
#include "table.h"

/* "0.123 [0.100, 0.150]"; only the value if the ends are infinite (a single run). */
locbo_status entries_interval(table *t, const stats_interval *i, locbo_error *error);
/* `format` is for one double. */
locbo_status entries_number(table *t, const char *format, double value, locbo_error *error);
locbo_status entries_p(table *t, double p, locbo_error *error);

#endif
