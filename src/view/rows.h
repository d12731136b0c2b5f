/* rows.h - trials, choices and definitions as JSON objects. Programs rely on their keys. Functions that make JSON
 * return NULL without memory. Numbers not known are null, infinite ones the texts "inf" and "-inf"; an interval is
 * [low, high], null if not known; low above high is the empty set. */
#ifndef ROWS_H
#define ROWS_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

/* What the rows of a study are made with. */
typedef struct rows_study {
    const locbo_space *space;
    const locbo_outputs *outputs; /* NULL: one, without a name */
    double *bounds;               /* of each output, those in force (locbo_study_bounds); NULL without a table */
} rows_study;
locbo_status rows_study_read(rows_study *made, locbo_study *study, locbo_error *error);
void rows_study_release(rows_study *s);

/* Whether values, one of each output, keep to the bounds: 1, 0, or -1 if there is no constraint, or one that lacks its
 * value while the others hold. */
int rows_is_feasible(const locbo_outputs *outputs, const double *bounds, const double *values);

/* The mean of each output over the results of a trial; NAN if there are none. */
void rows_means(const rows_study *study, const locbo_record *record, double *means);

/* {"trial":17,"attempt":1,"seed":123,"params":{"x":0.5}} */
json_t *rows_assignment(const locbo_space *space, const locbo_assignment *assignment, const double *x);
/* {"trial":17,"state":"COMPLETE","params":{},"value":0.7,"values":[0.7],"note":null,"tags":[], ...}; `full`: with the
 * belief, measurements with their sd and n, message, worker, times; if there are such, "retracted", results that were
 * taken back, each with "by", the event number of that, and "outside", the event since which it is outside the space.
 * With a table of outputs: value and values are those
 * of the only objective (null and [] if there are several), and there are "outputs":{"loss":0.7,"memory":null}, the
 * means, and "feasible":true; a measurement has "outputs":{"loss":{"value","sd","n"}}, and "beliefs":{"loss":{}} are in
 * place of the belief. */
json_t *rows_record(const rows_study *study, const locbo_record *record, int full);
/* {"trial":9 or null,"params":{},"value" or "mean":..., "interval":[lo,hi] or null,"level":0.8}; with "value" also
 * "results", of how many it is the mean */
json_t *rows_choice(const locbo_space *space, const locbo_choice *choice, const double *x, int recommended);
/* {"loss":{"mean":0.3,"interval":[lo,hi]}, ...} of the modelled outputs, and with `values` "value" of each. */
json_t *rows_beliefs(const locbo_outputs *outputs, const double *values, const locbo_belief *beliefs);
/* {"loss":0.3, ...}: a number of each output for which `wanted` is true; NULL: of all. */
json_t *rows_numbers(const locbo_outputs *outputs, const double *values, int (*wanted)(const locbo_output_spec *));
int rows_is_objective(const locbo_output_spec *spec);
int rows_is_constraint(const locbo_output_spec *spec);
int rows_is_modelled(const locbo_output_spec *spec);       /* one of the two */
size_t rows_objectives(const locbo_outputs *outputs);      /* how many; 1 for NULL */
size_t rows_first_objective(const locbo_outputs *outputs); /* its number; 0 for NULL */
/* {"mean":...,"sd_f":...,"sd_y":...,"y_interval":[lo,hi],"f_interval":[lo,hi],"acquisition":...,
 * ...}; with "scale":{"power":...} if results are not judged on the user's scale */
json_t *rows_belief(const locbo_belief *belief);
locbo_belief rows_read_belief(const json_t *json); /* what is missing is NAN */
/* The key under which a trial has what its attempts printed: "outputs", and "attempts" where outputs are numbers. */
const char *rows_printed_key(const locbo_outputs *outputs);
/* Remove what was measured from the row of a trial that has no result. */
void rows_drop_results(json_t *row);
/* One trial of a study by its number; LOCBO_ERR_NOT_FOUND if there is none. */
locbo_status rows_find(locbo_study *study, uint64_t number, int full, json_t **row, locbo_error *error);

/* The event number of the result of a trial that has this number, from 1; LOCBO_ERR_NOT_FOUND if there is none. */
locbo_status rows_find_result(locbo_study *study, uint64_t trial, uint64_t number, uint64_t *sequence,
                              locbo_error *error);
/* The words of a list of tags, ["noisy","rerun"]. */
json_t *rows_tags(const char *tags);
/* A note: null if it is empty. */
json_t *rows_note(const char *note);
/* Of a change: event, time, author, kind, trial and text, but not what it changed. */
json_t *rows_change(const locbo_change *change);

/* The definition of a study: {"x":{"type":"float","low":0,"high":1,"log":false}}, as in a study file; options
 * by name; the plan. */
json_t *rows_parameters(const locbo_space *space);
/* One of them as a row: {"name":"x","type":"float","low":0,"high":1,"log":false,"values":null}, null for what it does
 * not have; and "step":0.1, "numbers":[1,2,4], "when":{"mode":["b"]}, "frozen":0.5, "retired":["c"] and "past":0 if it
 * has that. */
json_t *rows_parameter(const locbo_space *space, const locbo_parameter *parameter);
/* All of them as rows, in their order. */
json_t *rows_space(const locbo_space *space);
/* The known constraints: ["a + b <= 1"]. */
json_t *rows_constraints(const locbo_space *space);
/* All of it: {"parameters","constraints","cost","outputs","options","command"}, constraints, cost and outputs if there
 * are any. */
json_t *rows_definition(const locbo_definition *definition);
/* Whether a parameter is frozen, has retired categories, or a value for trials before it was added. */
int rows_is_altered(const locbo_space *space);
/* The number of the fidelity parameter and its upper end, at which results count; SIZE_MAX and NAN: there is none. */
typedef struct rows_fidelity {
    size_t at;
    double full;
} rows_fidelity;
rows_fidelity rows_fidelity_of(const locbo_space *space);
/* Whether x is a point below full fidelity. */
int rows_is_below(rows_fidelity fidelity, const double *x);
/* {"cost","below","expected"}: what evaluations have cost, what of it was spent below full fidelity (null: there is no
 * fidelity), and what those under way are expected to cost; null if the study has neither a fidelity nor an
 * expression of the cost nor a budget. */
json_t *rows_spent(const locbo_space *space, const locbo_plan *plan, const locbo_census *census);
/* The same as "spent", unless it is null. Returns whether there was no memory. */
int rows_put_spent(json_t *row, const locbo_space *space, const locbo_plan *plan, const locbo_census *census);
/* Whether programs know the space that know float, int and categorical parameters only: no steps, orders, bools,
 * logarithmic integers from 0, conditions or constraints. */
int rows_is_plain(const locbo_space *space);
/* The outputs as in a study file, {"loss":{"goal":"minimize"},"memory":{"at_most":512}}; null for NULL. */
json_t *rows_outputs(const locbo_outputs *outputs);
/* The same as rows, in their order: {"name","goal","bound","relative_to","scale","reference","of"}, null where it is
 * not set. */
json_t *rows_output_list(const locbo_outputs *outputs);
const char *rows_goal_name(locbo_goal goal); /* "minimize", "maximize", "at_most", "at_least", "record" */
json_t *rows_options(const locbo_options *options);
/* "target" is an object, {"loss":0.1}, if outputs have targets. */
json_t *rows_plan(const locbo_outputs *outputs, const locbo_plan *plan);
json_t *rows_words(size_t count, const char *const *words);

/* {"rows":12,"shift":...,"spread":...,"log_posterior":...,"theta":[...]}; on a scale that is not affine with
 * "power", "offset", "low" and "high"; if there was a choice with "chosen", from 0, and "members":
 * [{"law":"little","score":...,"shift":...,"spread":...,"theta":[...]}], these too with the numbers of their scale;
 * with a table of outputs "output":NAME */
json_t *rows_fit(const locbo_outputs *outputs, const locbo_fit *fit);

/* From JSON: a number (NAN for null), an origin or a law of the noise by its name (returns 0 if there is no such name).
 */
double rows_real(const json_t *json);
double rows_real_of(const json_t *row, const char *key);
int rows_origin(const char *name, locbo_origin *origin);
int rows_law(const char *name, locbo_noise_law *law);
const char *rows_origin_name(locbo_origin origin); /* "design" ... */
/* [{"origin":"model","judged":50,"inside":40,"coverage":0.8}, ...]: the origins that were judged. */
json_t *rows_by_origin(const uint64_t judged[LOCBO_ORIGINS], const uint64_t inside[LOCBO_ORIGINS]);

/* The trials that the model chose, and how many of them have a coordinate on a bound of its range. */
typedef struct rows_bounds {
    uint64_t proposals, on_bound;
} rows_bounds;
void rows_count_bounds(rows_bounds *count, const locbo_space *space, const locbo_trial *trial, const double *x);
/* {"proposals":60,"on_bound":12}; null if there is none. */
json_t *rows_bounds_json(const rows_bounds *count);

json_t *rows_interval(double low, double high);
/* Any bytes as a JSON text: what is not UTF-8 becomes U+FFFD. */
json_t *rows_bytes(const char *bytes, size_t size);
json_t *rows_text(const char *text);
/* "minimize", "locbo": an option as text. */
json_t *rows_option(const locbo_options *options, const char *name);

#endif
