/* difference.c - what differs between two definitions and plans, as lines and as arguments. Layer: format.
 * Cost: quadratic in the number of parameters, outputs and constraints. */
#include "difference.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "distribution.h"
#include "goal.h"
#include "mem.h"
#include "number.h"
#include "plan_fields.h"
#include "value.h"
#include "words.h"

/* ---- lines and words --------------------------------------------------------------------------- */

/* Append a text, of which this takes the memory; a lack of memory is remembered. */
static void append(difference *d, char *text, char ***list, size_t *count, size_t *room) {
    if (!text || !mem_reserve(list, room, *count + 1, sizeof **list)) {
        d->failed = 1;
        mem_free(text);
        return;
    }
    (*list)[(*count)++] = text;
}

/* The texts one after the other, up to NULL. */
static char *joined(const char *first, va_list more) {
    buffer b = {.data = NULL};
    for (const char *part = first; part; part = va_arg(more, const char *)) buffer_text(&b, part);
    buffer_char(&b, '\0', 1);
    if (!b.failed) return b.data;
    mem_free(b.data);
    return NULL;
}

static void add_line(difference *d, const char *first, ...) {
    va_list more;
    va_start(more, first);
    append(d, joined(first, more), &d->lines, &d->count, &d->line_room);
    va_end(more);
}

static void add_word(difference *d, const char *first, ...) {
    va_list more;
    va_start(more, first);
    append(d, joined(first, more), &d->words, &d->word_count, &d->word_room);
    va_end(more);
}

/* --OPTION NAME=VALUE; a NULL stands for the word VALUE. */
static void add_setting(difference *d, const char *option, const char *name, const char *value) {
    add_word(d, option, NULL);
    add_word(d, name, "=", value ? value : "VALUE", NULL);
    d->open |= !value;
}

/* ---- parameters -------------------------------------------------------------------------------- */

static int same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void add_value(difference *d, const char *option, const locbo_parameter *p, double value) {
    char *text = value_text(p, value);
    d->failed |= !text;
    if (text) add_setting(d, option, p->name, isnan(value) ? NULL : text);
    mem_free(text);
}

static int is_retired(const locbo_parameter *p, const char *category) {
    for (size_t k = 0; p->retired && k < p->count; k++)
        if (strcmp(p->categories[k], category) == 0) return p->retired[k];
    return 0;
}

/* -p NAME~DIST, or --fidelity, with all that it says but `past`, which these keep. */
static void add_anew(difference *d, const locbo_space *space, size_t i, const locbo_parameter *p) {
    char *text = distribution_part(space, i, DISTRIBUTION_RETIRED | DISTRIBUTION_FROZEN);
    add_word(d, p->fidelity ? "--fidelity" : "-p", NULL);
    add_word(d, p->name, "~", text, NULL);
    d->failed |= !text;
    mem_free(text);
}

static void add_marks(difference *d, const locbo_parameter *p, const locbo_parameter *q) {
    for (size_t k = 0; k < q->count; k++) {
        int before = is_retired(p, q->categories[k]), after = is_retired(q, q->categories[k]);
        if (before != after) add_setting(d, after ? "--retire" : "--unretire", q->name, q->categories[k]);
    }
    if (same_number(p->frozen, q->frozen)) return;
    if (!isnan(q->frozen)) {
        add_value(d, "--freeze", q, q->frozen);
        return;
    }
    add_word(d, "--unfreeze", NULL);
    add_word(d, q->name, NULL);
}

/* Parameter i of `from` is parameter j of `to`. */
static void compare_parameter(difference *d, const locbo_space *from, size_t i, const locbo_space *to, size_t j) {
    locbo_parameter p, q;
    char *before = distribution_text(from, i), *after = distribution_text(to, j);
    char *bare = distribution_part(from, i, DISTRIBUTION_FIDELITY);
    char *new_bare = distribution_part(to, j, DISTRIBUTION_FIDELITY);
    locbo_space_parameter(from, i, &p, NULL);
    locbo_space_parameter(to, j, &q, NULL);
    if (!before || !after || !bare || !new_bare) {
        d->failed = 1;
    } else if (strcmp(before, after) != 0) {
        add_line(d, q.name, ": ", before, " -> ", after, NULL);
        if (strcmp(bare, new_bare) != 0)
            add_anew(d, to, j, &q);
        else
            add_marks(d, &p, &q);
        if (!same_number(p.past, q.past)) add_value(d, "--past", &q, q.past);
    }
    mem_free(before);
    mem_free(after);
    mem_free(bare);
    mem_free(new_bare);
}

static void add_new(difference *d, const locbo_space *to, size_t j) {
    locbo_parameter q;
    char *text = distribution_text(to, j);
    locbo_space_parameter(to, j, &q, NULL);
    add_line(d, q.name, ": added, ", text, NULL);
    d->failed |= !text;
    add_anew(d, to, j, &q);
    add_value(d, "--past", &q, q.past);
    mem_free(text);
}

static void add_missing(difference *d, const locbo_space *from, size_t i) {
    locbo_parameter p;
    char *text = distribution_text(from, i);
    locbo_space_parameter(from, i, &p, NULL);
    add_line(d, p.name, ": ", text, " -> not given", NULL);
    d->failed |= !text;
    add_setting(d, "--freeze", p.name, NULL);
    mem_free(text);
}

static void compare_spaces(difference *d, const locbo_space *from, const locbo_space *to) {
    locbo_parameter p;
    size_t at;
    for (size_t i = 0; i < locbo_space_dim(from); i++) {
        locbo_space_parameter(from, i, &p, NULL);
        if (locbo_space_find(to, p.name, &at, NULL) == LOCBO_OK)
            compare_parameter(d, from, i, to, at);
        else
            add_missing(d, from, i);
    }
    for (size_t j = 0; j < locbo_space_dim(to); j++) {
        locbo_space_parameter(to, j, &p, NULL);
        if (locbo_space_find(from, p.name, &at, NULL) != LOCBO_OK) add_new(d, to, j);
    }
}

/* That there is no fidelity any more, and how the cost is known. */
static void compare_costs(difference *d, const locbo_space *from, const locbo_space *to) {
    const char *before = locbo_space_cost(from), *after = locbo_space_cost(to);
    if (locbo_space_fidelity(from) != SIZE_MAX && locbo_space_fidelity(to) == SIZE_MAX) {
        add_word(d, "--fidelity", NULL);
        add_word(d, "none", NULL);
    }
    if (before == after || (before && after && strcmp(before, after) == 0)) return;
    add_line(d, "cost: ", before ? before : "measured", " -> ", after ? after : "measured", NULL);
    add_word(d, "--cost", NULL);
    add_word(d, after ? after : "none", NULL);
}

static int has_constraint(const locbo_space *space, const char *text) {
    for (size_t i = 0; i < locbo_space_constraint_count(space); i++)
        if (strcmp(locbo_space_constraint(space, i), text) == 0) return 1;
    return 0;
}

static void compare_constraints(difference *d, const locbo_space *from, const locbo_space *to) {
    for (size_t i = 0; i < locbo_space_constraint_count(from); i++) {
        const char *text = locbo_space_constraint(from, i);
        if (has_constraint(to, text)) continue;
        add_line(d, "constraint ", text, ": removed", NULL);
        add_word(d, "--no-constraint", NULL);
        add_word(d, text, NULL);
    }
    for (size_t i = 0; i < locbo_space_constraint_count(to); i++) {
        const char *text = locbo_space_constraint(to, i);
        if (has_constraint(from, text)) continue;
        add_line(d, "constraint ", text, ": added", NULL);
        add_word(d, "--constraint", NULL);
        add_word(d, text, NULL);
    }
}

/* ---- outputs ----------------------------------------------------------------------------------- */

/* Output i of a definition; one without a table has the output "value". Returns 0 if there are fewer. */
static int output_at(const locbo_definition *d, size_t i, locbo_output_spec *spec) {
    *spec = (locbo_output_spec){.struct_size = sizeof *spec, .name = "value"};
    if (d->outputs) return locbo_outputs_get(d->outputs, i, spec, NULL) == LOCBO_OK;
    spec->goal = d->options->direction == LOCBO_MAXIMIZE ? LOCBO_GOAL_MAXIMIZE : LOCBO_GOAL_MINIMIZE;
    return i == 0;
}

static int find_output(const locbo_definition *d, const char *name, locbo_output_spec *spec) {
    for (size_t i = 0; output_at(d, i, spec); i++)
        if (strcmp(spec->name, name) == 0) return 1;
    return 0;
}

/* What follows the name in the text of an output: "minimize,scale=log", "<=512". */
static const char *goal_of(const char *text, const char *name) {
    const char *goal = text + strlen(name);
    return *goal == '~' ? goal + 1 : goal;
}

static void compare_output(difference *d, const locbo_output_spec *a, const locbo_output_spec *b) {
    char *before = a ? goal_text(a) : NULL, *after = goal_text(b);
    if ((a && !before) || !after) {
        d->failed = 1;
    } else if (!before || strcmp(before, after) != 0) {
        if (before)
            add_line(d, "output ", b->name, ": ", goal_of(before, a->name), " -> ", goal_of(after, b->name), NULL);
        else
            add_line(d, "output ", b->name, ": added, ", goal_of(after, b->name), NULL);
        add_word(d, "--output", NULL);
        add_word(d, after, NULL);
    }
    mem_free(before);
    mem_free(after);
}

static void compare_outputs(difference *d, const locbo_definition *from, const locbo_definition *to) {
    locbo_output_spec a, b;
    if (!from->outputs && !to->outputs) return; /* their directions are options */
    for (size_t i = 0; output_at(from, i, &a); i++)
        if (!find_output(to, a.name, &b)) add_line(d, "output ", a.name, ": not given", NULL);
    for (size_t i = 0; output_at(to, i, &b); i++) compare_output(d, find_output(from, b.name, &a) ? &a : NULL, &b);
}

/* ---- options and command ----------------------------------------------------------------------- */

static void compare_options(difference *d, const locbo_definition *from, const locbo_definition *to) {
    int table = from->outputs || to->outputs;
    for (size_t i = 0; i < locbo_option_count(); i++) {
        locbo_option option;
        char before[64], after[64];
        locbo_option_describe(i, &option, NULL);
        if (table && strcmp(option.name, "direction") == 0) continue; /* that of the first objective */
        locbo_options_get(from->options, option.name, before, sizeof before, NULL);
        locbo_options_get(to->options, option.name, after, sizeof after, NULL);
        if (strcmp(before, after) == 0) continue;
        add_line(d, "option ", option.name, ": ", before, " -> ", after, NULL);
        add_setting(d, "--set", option.name, after);
    }
}

static void compare_commands(difference *d, const locbo_definition *from, const locbo_definition *to) {
    char *before = words_join(from->command_count, from->command);
    char *after = words_join(to->command_count, to->command);
    if (!before || !after)
        d->failed = 1;
    else if (strcmp(before, after) != 0)
        add_line(d, "command: ", *before ? before : "none", " -> ", *after ? after : "none", NULL);
    mem_free(before);
    mem_free(after);
}

static int same_commands(const locbo_definition *from, const locbo_definition *to) {
    if (from->command_count != to->command_count) return 0;
    for (size_t i = 0; i < to->command_count; i++)
        if (strcmp(from->command[i], to->command[i]) != 0) return 0;
    return 1;
}

static void add_command(difference *d, const locbo_definition *from, const locbo_definition *to) {
    if (to->command_count == 0 || same_commands(from, to)) return;
    add_word(d, "--", NULL);
    for (size_t i = 0; i < to->command_count; i++) add_word(d, to->command[i], NULL);
}

/* ---- the plan ---------------------------------------------------------------------------------- */

/* NAME as it is on the command line: --no-improvement. */
static void compare_plan_field(difference *d, const char *name, const char *before, const char *after) {
    char option[40] = "--";
    if (strcmp(before, after) == 0) return;
    snprintf(option + 2, sizeof option - 2, "%s", name);
    for (char *c = option; *c; c++)
        if (*c == '_') *c = '-';
    add_line(d, option + 2, ": ", before, " -> ", after, NULL);
    add_word(d, option, NULL);
    add_word(d, after, NULL);
}

/* A count; `none`: what 0 is. */
static void compare_count(difference *d, const char *name, uint64_t before, uint64_t after, const char *none) {
    char a[24], b[24];
    snprintf(a, sizeof a, "%" PRIu64, before);
    snprintf(b, sizeof b, "%" PRIu64, after);
    compare_plan_field(d, name, before ? a : none, after ? b : none);
}

static void compare_seconds(difference *d, const char *name, double before, double after) {
    char a[NUMBER_TEXT + 1], b[NUMBER_TEXT + 1];
    number_print(before, a);
    number_print(after, b);
    strcat(a, "s");
    strcat(b, "s");
    compare_plan_field(d, name, isnan(before) ? "none" : a, isnan(after) ? "none" : b);
}

/* The target of an output; NAN: none. */
static double target_of(const locbo_outputs *outputs, const locbo_plan *plan, const char *name) {
    size_t number;
    if (goal_find_target(outputs, name, &number, NULL) != LOCBO_OK || number >= LOCBO_MAX_TARGETS) return (double)NAN;
    return plan->targets[number];
}

static void number_or_none(double value, char text[NUMBER_TEXT]) {
    if (isnan(value))
        strcpy(text, "none");
    else
        number_print(value, text);
}

/* All --target together replace those of the plan. */
static void add_targets(difference *d, const locbo_definition *to, const locbo_plan *plan) {
    locbo_output_spec spec;
    char text[NUMBER_TEXT];
    size_t before = d->word_count;
    for (size_t i = 0; output_at(to, i, &spec); i++) {
        double target = target_of(to->outputs, plan, spec.name);
        number_print(target, text);
        if (!isnan(target)) add_setting(d, "--target", spec.name, text);
    }
    number_or_none(plan->target, text);
    if (d->word_count > before) return;
    add_word(d, "--target", NULL);
    add_word(d, text, NULL);
}

static void compare_targets(difference *d, const locbo_definition *from, const locbo_definition *to,
                            const locbo_plan *a, const locbo_plan *b) {
    char before[NUMBER_TEXT], after[NUMBER_TEXT];
    locbo_output_spec spec;
    size_t lines = d->count;
    number_or_none(a->target, before);
    number_or_none(b->target, after);
    if (strcmp(before, after) != 0) add_line(d, "target: ", before, " -> ", after, NULL);
    for (size_t i = 0; output_at(to, i, &spec); i++) {
        number_or_none(target_of(from->outputs, a, spec.name), before);
        number_or_none(target_of(to->outputs, b, spec.name), after);
        if (strcmp(before, after) != 0) add_line(d, "target ", spec.name, ": ", before, " -> ", after, NULL);
    }
    if (d->count > lines) add_targets(d, to, b);
}

static void compare_real(difference *d, const char *name, double before, double after) {
    char a[NUMBER_TEXT], b[NUMBER_TEXT];
    number_or_none(before, a);
    number_or_none(after, b);
    compare_plan_field(d, name, a, b);
}

static void compare_plans(difference *d, const locbo_definition *from, const locbo_definition *to, const locbo_plan *a,
                          const locbo_plan *b) {
    compare_count(d, "trials", a->trials, b->trials, "none");
    compare_count(d, "evaluations", a->evaluations, b->evaluations, "none");
    compare_real(d, "budget", a->budget, b->budget);
    compare_count(d, "confirm", a->confirm, b->confirm, "0");
    compare_seconds(d, "time", a->time, b->time);
    compare_targets(d, from, to, a, b);
    compare_count(d, "no_improvement", a->no_improvement, b->no_improvement, "none");
    compare_real(d, "expected_gain", a->expected_gain, b->expected_gain);
    compare_seconds(d, "timeout", a->timeout, b->timeout);
    compare_count(d, "retries", a->retries, b->retries, "0");
    compare_seconds(d, "retry_delay", a->retry_delay, b->retry_delay);
    compare_count(d, "max_failures", a->max_failures, b->max_failures, "0");
    compare_count(d, "max_lost", a->max_lost, b->max_lost, "0");
    compare_seconds(d, "lease", a->lease, b->lease);
    compare_plan_field(d, "prune", locbo_prune_name((locbo_prune)a->prune), locbo_prune_name((locbo_prune)b->prune));
    compare_real(d, "prune_risk", a->prune_risk, b->prune_risk);
}

/* Each field of the list is compared above: this does not compile when there is one more. */
#define COUNT_FIELD(field) +1
_Static_assert(PLAN_FIELDS(COUNT_FIELD, COUNT_FIELD, COUNT_FIELD, COUNT_FIELD) == 16,
               "compare_plans knows every field");

/* ---- the whole --------------------------------------------------------------------------------- */

locbo_status difference_find(const locbo_definition *from, const locbo_definition *to, const locbo_plan *plan_from,
                             const locbo_plan *plan_to, difference *d, locbo_error *error) {
    *d = (difference){.count = 0};
    compare_spaces(d, from->space, to->space);
    compare_constraints(d, from->space, to->space);
    compare_costs(d, from->space, to->space);
    compare_outputs(d, from, to);
    compare_options(d, from, to);
    compare_commands(d, from, to);
    if (plan_from && plan_to) compare_plans(d, from, to, plan_from, plan_to);
    add_command(d, from, to);
    return d->failed ? status_no_memory(error) : status_ok(error);
}

void difference_release(difference *d) {
    for (size_t i = 0; i < d->count; i++) mem_free(d->lines[i]);
    for (size_t i = 0; i < d->word_count; i++) mem_free(d->words[i]);
    mem_free(d->lines);
    mem_free(d->words);
    *d = (difference){.count = 0};
}

char *difference_text(const difference *d, const char *indent, size_t most) {
    buffer b = {.data = NULL};
    for (size_t i = 0; i < d->count && i < most; i++) {
        buffer_text(&b, indent);
        buffer_text(&b, d->lines[i]);
        buffer_text(&b, "\n");
    }
    if (d->count > most) {
        buffer_text(&b, indent);
        buffer_print(&b, "and %zu more\n", d->count - most);
    }
    buffer_char(&b, '\0', 1);
    if (!b.failed) return b.data;
    mem_free(b.data);
    return NULL;
}

void difference_move_targets(const locbo_outputs *from, const locbo_outputs *to, locbo_plan *plan) {
    const locbo_plan before = *plan;
    size_t number;
    if (!from || !to) return;
    for (size_t i = 0; i < LOCBO_MAX_TARGETS; i++) plan->targets[i] = (double)NAN;
    for (size_t i = 0; i < locbo_outputs_count(to); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        locbo_outputs_get(to, i, &spec, NULL);
        if (goal_find_target(to, spec.name, &number, NULL) != LOCBO_OK || number >= LOCBO_MAX_TARGETS) continue;
        plan->targets[number] = target_of(from, &before, spec.name);
    }
}
