/* entries.c - intervals, numbers and p-values as texts. Layer: experiment, above the report. */
#include "entries.h"

#include <math.h>

locbo_status entries_interval(table *t, const stats_interval *i, locbo_error *error) {
    if (isnan(i->value)) return table_add(t, error, "-");
    if (isinf(i->low)) return table_add(t, error, "%.3f", i->value);
    return table_add(t, error, "%.3f [%.3f, %.3f]", i->value, i->low, i->high);
}

locbo_status entries_number(table *t, const char *format, double value, locbo_error *error) {
    char text[32];
    if (isnan(value)) return table_add(t, error, "-");
    snprintf(text, sizeof text, format, value);
    return table_add(t, error, "%s", text);
}

locbo_status entries_p(table *t, double p, locbo_error *error) {
    if (isnan(p)) return table_add(t, error, "-");
    return p < 1e-4 ? table_add(t, error, "<0.0001") : table_add(t, error, "%.4f", p);
}
