/* parameter_tree.h - the parameters of a study file:
 *
 *     x: float(-5, 10)                         # a text, as in -p x~float(-5,10)
 *     lr: {type: float, low: 1e-5, high: 1, log: true}
 *     width: {type: int, low: 8, high: 256, step: 8}
 *     mode: {type: categorical, values: [a, b]}
 *     size: {type: ordered, values: [small, medium, large]}      # numbers: [1, 2, 4] says where they stand
 *     flag: {type: bool}
 *     degree: {type: int, low: 2, high: 5, when: {mode: b}}      # or a list of values
 *     rate: {type: float, low: 0, high: 1, frozen: 0.5}          # every further trial has this value
 *     cap: {type: float, low: 0, high: 1, past: 0}               # what trials had before there was this parameter
 *     kind: {type: categorical, values: [a, b, c], retired: [c]} # no further trial has it
 *     epochs: {type: int, low: 1, high: 81, fidelity: true}      # what counts is its upper end */
#ifndef PARAMETER_TREE_H
#define PARAMETER_TREE_H

#include "tree.h"

/* Add the parameters of a mapping to the space. */
locbo_status parameter_tree_read(locbo_space *space, const tree_entry *parameters, locbo_error *error);
/* The same of a mapping with one parameter, which is the fidelity. */
locbo_status parameter_tree_read_fidelity(locbo_space *space, const tree_entry *parameters, locbo_error *error);

#endif
