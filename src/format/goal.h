/* goal.h - outputs on the command line: what an evaluation measures, and what is wanted of it. One output is
 *     NAME~minimize   NAME~maximize   NAME~record   NAME<=BOUND   NAME>=BOUND
 * where BOUND is a number, or NUMBER*trial(K): a multiple of what trial K measured. Settings follow after commas:
 *     scale=none   scale=log   scale=logit(LOW,HIGH)    the scale of its model
 *     reference=NUMBER                                  of an objective beside others: worse values count for nothing
 *     of=EXPRESSION                                     a derived output: computed from outputs declared before it
 * as in latency~minimize,scale=log,reference=3 or 'memory<=1.1*trial(3)' or 'cost~minimize,of=loss + 0.1*latency'. A
 * comma in parentheses or backquotes separates nothing. Blanks around names, signs and values are ignored. */
#ifndef GOAL_H
#define GOAL_H

#include "status.h"

/* [A-Za-z_][A-Za-z0-9_]*, and none of the words that stand beside outputs: attempt id op outputs state token trial. */
locbo_status goal_check_name(const char *name, locbo_error *error);
/* Add an output as locbo_outputs_add does, after checking its name and its expression, whose names must be outputs of
 * the table. Errors begin with "output 'NAME': ". */
locbo_status goal_add_spec(locbo_outputs *outputs, const locbo_output_spec *spec, locbo_error *error);
/* The same from its text. Errors quote the text and show how to write it. */
locbo_status goal_add(locbo_outputs *outputs, const char *text, locbo_error *error);
/* LOCBO_OK if the table is complete: as locbo_outputs_check, and of several outputs none has one of the names sd, n,
 * values, which have their own meaning in results. */
locbo_status goal_check(const locbo_outputs *outputs, locbo_error *error);
/* The text of an output, which goal_add reads back exactly. Free with mem_free; NULL: no memory. */
char *goal_text(const locbo_output_spec *spec);

/* The number of an output among those that may have a target, the objectives and constraints in the order of the table
 * (`targets` of locbo_plan). Errors say why it has none: there is no such output, or it is recorded only. */
locbo_status goal_find_target(const locbo_outputs *outputs, const char *name, size_t *number, locbo_error *error);
/* How many outputs are minimized or maximized, and how many are constraints; 1 and 0 without a table. */
size_t goal_objectives(const locbo_outputs *outputs);
size_t goal_constraints(const locbo_outputs *outputs);

/* minimize, maximize, record; returns 0 for any other text. */
int goal_parse_word(const char *text, locbo_goal *goal);
/* none, log, logit(LOW,HIGH): sets the fields of the scale; returns 0 for any other text. */
int goal_parse_scale(const char *text, locbo_output_spec *spec);

#endif
