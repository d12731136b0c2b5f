/* parameter_tree.h - the parameters of a study file:
 *
 *     x: float(-5, 10)                         # a text, as in -p x~float(-5,10)
 *     lr: {type: float, low: 1e-5, high: 1, log: true}
 *     width: {type: int, low: 8, high: 256, step: 8}
 *     mode: {type: categorical, values: [a, b]}
 *     size: {type: ordered, values: [small, medium, large]}      # numbers: [1, 2, 4] says where they stand
 *     flag: {type: bool}
 *     degree: {type: int, low: 2, high: 5, when: {mode: b}}      # or a list of values */
#ifndef PARAMETER_TREE_H
#define PARAMETER_TREE_H

#include "tree.h"

/* Add the parameters of a mapping to the space. */
locbo_status parameter_tree_read(locbo_space *space, const tree_entry *parameters, locbo_error *error);

#endif
