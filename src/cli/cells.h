/* cells.h - points, intervals and times as cells of a table or CSV file. */
#ifndef CELLS_H
#define CELLS_H

#include <jansson.h>
#include <locbo/locbo.h>

#include "output.h"

/* The values of a point, {"x": 0.5}, as people read them (value_shown) in tables, otherwise as they are. */
json_t *cells_point(const locbo_space *space, json_t *params, output_format format);
/* An interval: as JSON [low, high], in tables the text "low .. high", in CSV the columns NAME_low and NAME_high.
 * Returns 0 without memory. */
int cells_put_interval(json_t *row, const char *name, double low, double high, output_format format);
/* The same of [low, high] as rows_interval made it. */
int cells_spread_interval(json_t *row, const char *name, const json_t *interval, output_format format);
/* Instead of an interval of f that is withheld (option averaging): people read why. 5: LOCBO_AVERAGING_RESULTS. */
#define CELLS_NO_INTERVAL "no interval yet: fewer than 5 results"
/* Whether that is why a choice of a study with so many results has no interval. */
int cells_is_withheld(const locbo_options *options, uint64_t results);
/* The interval of f, or these words in tables if `withheld` and it has no ends. */
int cells_put_interval_of_f(json_t *row, const char *name, double low, double high, int withheld, output_format format);
/* The column of something that is known of an output: "loss.mean", or "mean" if `name` is NULL; of a very long name its
 * beginning. Returns the key. */
enum { CELLS_KEY = 256 };
const char *cells_key(const char *name, const char *what, char key[CELLS_KEY]);
int cells_has_constraints(const locbo_outputs *outputs);
/* Whether constraints hold, from JSON: true, false or null as "yes", "no" or nothing. */
/* Where a trial was ended early, from its decision; nothing if it was not: "pruned", "0.53 at step 12", or in CSV
 * "pruned_step" and "pruned_value". Not 0: no memory. */
int cells_put_pruned(json_t *row, const json_t *decision, output_format format);
json_t *cells_feasible(const json_t *json);
/* What evaluations have cost, from {"cost", "below"} (rows_spent): "212 of 400, of it 77 below full fidelity", without
 * a cost expression in seconds; null for null. `budget` NAN: none. */
json_t *cells_spent(const json_t *spent, double budget, const locbo_space *space);
/* The name of a worker, HOST:PID:START:SPACE (identity.h), in tables as HOST:PID, which people can read. */
json_t *cells_worker(const char *name, output_format format);
/* A time as "2026-01-31 12:00:00Z" in tables, seconds since 1970 otherwise; null for NAN. */
json_t *cells_time(double seconds, output_format format);

#endif
