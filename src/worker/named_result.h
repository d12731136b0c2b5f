/* named_result.h - results of several outputs, or of one that is not called "value".
 *
 *     {"loss": 0.31, "memory": {"value": 401, "sd": 2, "n": 4}, "epochs": null}
 *     {"loss": [0.31, 0.33], "memory": [401, null]}          replicates
 *     loss=0.31                                              lines, one for each output
 *     memory = 401
 *
 * A value is a number; null, or no such key: the result lacks it; an object as of one output (reading.h); or a list of
 * numbers and nulls, replicates. All lists of a result have the same length. A value that is no list counts once: it
 * stands in the first row, and the other rows lack it, since it was not measured for each of them. Every row needs a
 * value of at least one objective or constraint, or all values that a derived one is computed from.
 *
 * Derived outputs are computed, not measured: their names are ignored in an object, as are all other keys but sd, n and
 * values. These are refused outside the object of an output, where it is not known which output they belong to.
 * On the right of NAME= stands a number or any JSON value that an object may have there. */
#ifndef NAMED_RESULT_H
#define NAMED_RESULT_H

#include <jansson.h>

#include "status.h"

enum { NAMED_RESULT_LIST = 96 };

/* Whether results have names: not without a table, nor with one output called "value". */
int named_result_applies(const locbo_outputs *outputs);
/* How many outputs are measured, not derived. */
size_t named_result_measured(const locbo_outputs *outputs);

/* Whether a line is meant as the result: an object with the name of a measured output, or something that would be one
 * if it were JSON, like Python's {"loss": NaN} or {'loss': 1}. */
int named_result_is_object(const locbo_outputs *outputs, const char *line, size_t size);
/* Whether a line is NAME=VALUE of a measured output: its index, and the value as a part of the line. */
int named_result_is_line(const locbo_outputs *outputs, const char *line, size_t size, size_t *output,
                         const char **value, size_t *value_size);

/* `count` rows of one measurement for each output, NAN where it is lacking; free them with mem_free. From a text: an
 * object, lines NAME=VALUE and nothing else, or a bare number if one output is measured. LOCBO_ERR_NOT_FOUND: it is an
 * object or a number that has none of the outputs; LOCBO_ERR_ARGUMENT: a bad result. */
locbo_status named_result_parse(const locbo_outputs *outputs, const char *text, size_t size, size_t *count,
                                locbo_measurement **measurements, locbo_error *error);
/* The same from an object that was parsed. */
locbo_status named_result_object(const locbo_outputs *outputs, const json_t *object, size_t *count,
                                 locbo_measurement **measurements, locbo_error *error);
/* The same from the values of lines: one text for each output, NULL: lacking. */
locbo_status named_result_values(const locbo_outputs *outputs, char *const *values, size_t *count,
                                 locbo_measurement **measurements, locbo_error *error);

/* "loss, memory": the measured outputs, or as many as there is room for. */
void named_result_names(const locbo_outputs *outputs, char text[NAMED_RESULT_LIST]);
/* {"loss": 0.5, "memory": 0.5}: what a program may print; with more than two names {"loss": 0.5, ...}. */
void named_result_example(const locbo_outputs *outputs, char text[NAMED_RESULT_LIST]);

#endif
