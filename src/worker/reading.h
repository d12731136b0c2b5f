/* reading.h - measurements of one output as results have them, and the texts of messages about them. */
#ifndef READING_H
#define READING_H

#include <jansson.h>

#include "status.h"

enum {
    READING_SHOWN = 80,    /* bytes of a text that messages quote */
    READING_NUMBER = 128,  /* a number is shorter */
    READING_VALUES = 10000 /* more replicates are refused */
};

/* Copy what people can read, cut between characters to less than `room` bytes: valid UTF-8, which a database insists
 * on, without control characters. Returns how many bytes of the text went in. */
size_t reading_clean(char *copy, size_t room, const char *text, size_t size);
void reading_trim(const char **text, size_t *size, const char *blanks);

/* Decimal numbers, nan and inf; returns 0 for any other text. */
int reading_number(const char *text, size_t size, double *value);
/* A JSON value of any kind, no key twice in an object; NULL: it is none, and `why` says so. */
json_t *reading_json(const char *text, size_t size, json_error_t *why);
/* Why a text is no JSON: LOCBO_ERR_MEMORY, or LOCBO_ERR_ARGUMENT with the text. `where` stands before the reason. */
locbo_status reading_not_json(const json_error_t *why, const char *where, const char *text, size_t size,
                              locbo_error *error);

/* {"value": 0.7, "sd": 0.1, "n": 4} is one measurement; {"values": [0.7, 0.8]} are replicates (sd and n, if given, are
 * of each; or an array as long). `may_lack`: a value may be null, which is NAN. Free the measurements with mem_free. */
locbo_status reading_object(const json_t *object, int may_lack, size_t *count, locbo_measurement **measurements,
                            locbo_error *error);
/* The same for a number, null, a list of numbers and nulls, or an object as above, whose values may be null. */
locbo_status reading_any(const json_t *json, size_t *count, locbo_measurement **measurements, locbo_error *error);

#endif
