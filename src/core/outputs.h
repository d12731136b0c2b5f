/* outputs.h - the table of outputs, for the core's own use. */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "status.h"
#include "warp.h"

enum {
    OUTPUTS_OBJECTIVES = 4, /* at most */
    OUTPUTS_MODELLED = 12   /* objectives and constraints, at most */
};

locbo_status outputs_copy(locbo_outputs **out, const locbo_outputs *outputs, locbo_error *error);
/* The table without a table: one objective called "value". */
locbo_status outputs_plain(locbo_outputs **out, locbo_direction direction, locbo_error *error);

const locbo_output_spec *outputs_at(const locbo_outputs *outputs, size_t index);
int outputs_is_objective(const locbo_output_spec *spec);
int outputs_is_constraint(const locbo_output_spec *spec);
/* 1 if larger values are better, -1 if smaller ones are. */
double outputs_sign(const locbo_output_spec *spec);
/* The log or logit of a modelled output; otherwise one that is not set. */
warp outputs_warp(const locbo_output_spec *spec);
/* LOCBO_OK if the log or logit of a modelled output, if it has one, has an image of `value`; `what` it is: "values". */
locbo_status outputs_check_value(const locbo_output_spec *spec, const char *what, double value, locbo_error *error);

#endif
