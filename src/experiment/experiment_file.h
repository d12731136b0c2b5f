/* experiment_file.h - an experiment described in YAML; docs/experiments.md is its manual.
 *
 *     name: ackley-alpha
 *     title: Ackley function with noise, by target miscoverage
 *     paper: "fig: Ackley per alpha"
 *     about: what was chosen where the paper does not say it
 *     figure: sweep                      # curves (default), sweep, grid, dots, ratios, bounds, scores
 *     x_label: alpha                     # of a sweep
 *     seeds: 100
 *     against: BO                        # the method that the others are compared with
 *     score: random                      # scores over all cases, in units of its regret
 *     groups: {noisy: [gaussian]}        # of cases, by their kind: what follows the last + of the name
 *     settings: {problem: ackley-paper, noise: {kind: norm, scale: 20, shape: 10}, rounds: 50, preset: paper-ackley}
 *     cases:                             # none: one case
 *       alpha=0.1: {at: 0.1, alpha: 0.1}
 *     methods:
 *       BO: {method: bo, colour: green, only: [alpha=0.1]}
 *       LOCBO: {method: locbo, colour: red}
 *
 * Settings are those of a task (TASK_SETTINGS), the options of the optimizer and preset. Those of a case override those
 * of the experiment, and those of a method override both. */
#ifndef EXPERIMENT_FILE_H
#define EXPERIMENT_FILE_H

#include "plan.h"
#include "status.h"

/* LOCBO_ERR_FORMAT: "FILE:LINE: KEY: what is wrong". */
locbo_status experiment_file_parse(const char *path, const char *text, size_t size, plan *p, locbo_error *error);

/* The built-in experiments. */
typedef struct experiment_text {
    const char *name, *text; /* NULL, NULL at the end */
} experiment_text;
extern const experiment_text experiment_texts[];

/* Loads a built-in experiment by name or, if `name` has a slash or ends in .yaml or .yml, a file. *text is what was
 * read; release it with mem_free. LOCBO_ERR_NOT_FOUND: there is none; the message has the nearest name. */
locbo_status experiment_file_load(const char *name, plan *p, char **text, locbo_error *error);

#endif
