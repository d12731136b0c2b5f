/* value.h - a parameter's value as people write it: 0.25, 12, or the category itself. */
#ifndef VALUE_H
#define VALUE_H

#include <jansson.h>

#include "status.h"

/* "12", "-3", "1e3": returns 0 if the whole text is no whole number of 64 bits. */
int value_whole(const char *text, int64_t *whole);

/* Exactly: reading it back gives the same double. Free with mem_free; NULL: no memory. Categories are verbatim;
 * empty for NAN, a parameter that is not active. */
char *value_text(const locbo_parameter *parameter, double value);
/* For people: rounded by less than 1/1000 of the parameter's range (of log(high/low) on a logarithmic scale) and never
 * out of it; its ends, whole numbers and categories as value_text has them. */
char *value_shown(const locbo_parameter *parameter, double value);
/* Within the parameter's range, otherwise an error that names parameter, text and range (categories: the choices). */
locbo_status value_parse(const locbo_parameter *parameter, const char *text, double *value, locbo_error *error);
/* The same, but a number may lie outside the range and between the steps. */
locbo_status value_parse_anywhere(const locbo_parameter *parameter, const char *text, double *value,
                                  locbo_error *error);
/* A parameter that is in no space yet, as far as its values can be read. */
locbo_parameter value_parameter(const locbo_parameter_spec *spec);
/* A double as people read it: 6 significant digits, "-" for NAN. */
void value_brief(double value, char text[32]);
/* A JSON number, or null for NAN, or "inf"/"-inf" as texts. */
json_t *value_real(double value);
/* JSON: a number, a text for a category, true or false; null: it is not active. An integer parameter is a JSON integer.
 */
json_t *value_json(const locbo_parameter *parameter, double value);
locbo_status value_from_json(const locbo_parameter *parameter, const json_t *json, double *value, locbo_error *error);
/* {"name": value, ...}; NULL: no memory. */
json_t *value_object(const locbo_space *space, const double *x);
/* The other way: names that are not there stay NAN in x if `partial`, otherwise they are an error; unknown names are.
 */
locbo_status value_from_object(const locbo_space *space, json_t *object, int partial, double *x, locbo_error *error);
/* LOCBO_OK if x is a point of the space; "the value of x is missing" where an active parameter is NAN. */
locbo_status value_check_point(const locbo_space *space, const double *x, locbo_error *error);
/* "x=3", one assignment of --fix, enqueue, predict: sets x[index of the name]. */
locbo_status value_assign(const locbo_space *space, const char *text, double *x, locbo_error *error);

/* "1 trial", "2 trials", "3 entries", for messages: value_count(n, "trial").text */
typedef struct value_counted {
    char text[40];
} value_counted;
value_counted value_count(uint64_t count, const char *noun);

/* A rule of locbo_prune by its name; 0: there is none of this name. */
#define VALUE_PRUNES "risk, median, halving or none"
int value_prune(const char *name, uint64_t *rule);

/* "90", "90s", "10m", "1.5h", "2d" as seconds, > 0, or (`zero`) >= 0. */
locbo_status duration_parse(const char *text, int zero, double *seconds, locbo_error *error);
/* "3 s", "2 min 5 s", "1 h 12 min", "3 d 4 h": short, for people. */
void duration_text(double seconds, char text[32]);

#endif
