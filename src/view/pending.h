/* pending.h - stands for functions of the study library that are on their way; goes away with them. */
#ifndef PENDING_H
#define PENDING_H

#include <math.h>

#include <jansson.h>
#include "value.h"
#include "output_list.h"

#include <locbo/study.h>

static inline locbo_status locbo_study_bounds(locbo_study *study, double *bounds, locbo_error *error) {
    locbo_definition d = {.struct_size = sizeof d};
    locbo_status status = locbo_study_definition(study, &d, error);
    for (size_t i = 0; status == LOCBO_OK && i < locbo_outputs_count(d.outputs); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        locbo_outputs_get(d.outputs, i, &spec, NULL);
        int constraint = spec.goal == LOCBO_GOAL_AT_MOST || spec.goal == LOCBO_GOAL_AT_LEAST;
        bounds[i] = constraint && !spec.baseline ? spec.bound : (double)NAN;
    }
    return status;
}

static inline locbo_status locbo_optimizer_length_scales_of(locbo_optimizer *o, size_t output, double *lengths,
                                                            locbo_error *error) {
    (void)output;
    return locbo_optimizer_length_scales(o, lengths, error);
}

static inline json_t *rows_output_list(const locbo_outputs *o) {
    json_t *list = json_array();
    for (size_t i = 0; i < locbo_outputs_count(o); i++) {
        locbo_output_spec s = {.struct_size = sizeof s};
        locbo_outputs_get(o, i, &s, NULL);
        int constraint = s.goal == LOCBO_GOAL_AT_MOST || s.goal == LOCBO_GOAL_AT_LEAST;
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:n, s:o, s:o}", "name", s.name, "goal",
                                              output_list_goal(s.goal), "bound",
                                              constraint ? value_real(s.bound) : json_null(), "relative_to",
                                              s.baseline ? json_integer((json_int_t)s.baseline) : json_null(), "scale",
                                              "reference", s.referenced ? value_real(s.reference) : json_null(), "of",
                                              s.expression ? json_string(s.expression) : json_null()));
    }
    return list;
}

#endif
