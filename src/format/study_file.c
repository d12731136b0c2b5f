/* study_file.c - a study from YAML: one table of keys, one function for each. Layer: format.
 * The order of the keys in the file does not matter; they are read in the order of the table, since the points of
 * `enqueue` need the parameters. */
#include "study_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "distribution.h"
#include "goal.h"
#include "mem.h"
#include "nearest.h"
#include "number.h"
#include "parameter_tree.h"
#include "file_read.h"
#include "tree_read.h"
#include "value.h"
#include "words.h"

typedef locbo_status read_fn(study_file *file, const tree_entry *entry, locbo_error *error);

typedef struct row {
    const char *key;
    read_fn *read;
} row;

enum { MOST_ROWS = 32 };

/* Every key of a mapping by its row, in the order of the rows; a key without a row is an error. */
static locbo_status read_rows(study_file *file, const tree_entry *map, size_t count, const row *rows,
                              locbo_error *error) {
    const char *known[MOST_ROWS];
    for (size_t i = 0; i < count; i++) known[i] = rows[i].key;
    locbo_status status = tree_expect(map, TREE_MAP, error);
    if (status == LOCBO_OK) status = tree_check_keys(map, count, known, error);
    for (size_t i = 0; status == LOCBO_OK && i < count; i++) {
        tree_entry value;
        if (tree_find(map, rows[i].key, &value)) status = rows[i].read(file, &value, error);
    }
    return status;
}

/* ---- values of keys ---------------------------------------------------------------------------- */

static locbo_status duration_of(const tree_entry *entry, int zero, double least, double *seconds, locbo_error *error) {
    const char *text;
    locbo_error inner;
    locbo_status status = tree_read_text(entry, &text, error);
    if (status != LOCBO_OK) return status;
    status = duration_parse(text, zero, seconds, &inner);
    if (status != LOCBO_OK) return tree_pass(entry, status, &inner, error);
    if (*seconds < least) return tree_fail(entry, error, "must be at least %g seconds, found '%.40s'", least, text);
    return LOCBO_OK;
}

/* ---- parameters -------------------------------------------------------------------------------- */

static locbo_status read_parameters(study_file *file, const tree_entry *entry, locbo_error *error) {
    return parameter_tree_read(file->space, entry, error);
}

static locbo_status read_fidelity(study_file *file, const tree_entry *entry, locbo_error *error) {
    return parameter_tree_read_fidelity(file->space, entry, error);
}

static locbo_status read_cost(study_file *file, const tree_entry *entry, locbo_error *error) {
    const char *text;
    locbo_error inner;
    locbo_status status = tree_read_text(entry, &text, error);
    if (status != LOCBO_OK) return status;
    return tree_pass(entry, locbo_space_set_cost(file->space, text, &inner), &inner, error);
}

static locbo_status read_constraints(study_file *file, const tree_entry *entry, locbo_error *error) {
    const char *text;
    locbo_error inner;
    locbo_status status = tree_expect(entry, TREE_LIST, error);
    for (size_t i = 0; status == LOCBO_OK && i < tree_count(entry); i++) {
        tree_entry item = tree_at(entry, i);
        status = tree_read_text(&item, &text, error);
        if (status == LOCBO_OK)
            status = tree_pass(&item, locbo_space_add_constraint(file->space, text, &inner), &inner, error);
    }
    return status;
}

/* ---- outputs ----------------------------------------------------------------------------------- */

/* An output that is being read. */
typedef struct output {
    locbo_output_spec spec;
    tree_entry at; /* what a mistake in its expression is reported at */
} output;

static locbo_status read_goal(const tree_entry *entry, output *o, locbo_error *error) {
    const char *text;
    locbo_status status = tree_read_text(entry, &text, error);
    if (status != LOCBO_OK || goal_parse_word(text, &o->spec.goal)) return status;
    return tree_fail(entry, error, "expected minimize, maximize or record, found '%.40s'", text);
}

/* Which of goal, at_most and at_least is there: exactly one. */
static locbo_status read_aim(const tree_entry *map, output *o, locbo_error *error) {
    static const char *const keys[] = {"goal", "at_most", "at_least"};
    static const locbo_goal goals[] = {LOCBO_GOAL_MINIMIZE, LOCBO_GOAL_AT_MOST, LOCBO_GOAL_AT_LEAST};
    int found = -1;
    tree_entry value, aim = *map;
    for (int i = 0; i < 3; i++) {
        if (!tree_find(map, keys[i], &value)) continue;
        if (found >= 0) return tree_fail(&value, error, "found beside '%s'; an output has one of them", keys[found]);
        found = i;
        aim = value;
    }
    if (found < 0) return tree_fail(map, error, "one of the keys goal, at_most and at_least is missing");
    o->spec.goal = goals[found];
    return found == 0 ? read_goal(&aim, o, error) : tree_read_real(&aim, &o->spec.bound, error);
}

static int has_bound(const output *o) {
    return o->spec.goal == LOCBO_GOAL_AT_MOST || o->spec.goal == LOCBO_GOAL_AT_LEAST;
}

static locbo_status read_relative(const tree_entry *map, output *o, locbo_error *error) {
    tree_entry value;
    if (!tree_find(map, "relative_to", &value)) return LOCBO_OK;
    if (!has_bound(o)) return tree_fail(&value, error, "only at_most and at_least can be relative to a trial");
    return tree_read_whole(&value, 1, INT32_MAX, &o->spec.baseline, error);
}

static locbo_status read_reference(const tree_entry *map, output *o, locbo_error *error) {
    tree_entry value;
    if (!tree_find(map, "reference", &value)) return LOCBO_OK;
    if (has_bound(o) || o->spec.goal == LOCBO_GOAL_RECORD)
        return tree_fail(&value, error, "only an output that is minimized or maximized has a reference");
    o->spec.referenced = 1;
    return tree_read_real(&value, &o->spec.reference, error);
}

static locbo_status read_model_scale(const tree_entry *map, output *o, locbo_error *error) {
    tree_entry value;
    const char *text;
    if (!tree_find(map, "scale", &value)) return LOCBO_OK;
    locbo_status status = tree_read_text(&value, &text, error);
    if (status != LOCBO_OK) return status;
    if (strchr(text, '(') && !strchr(text, ')')) /* in braces, its comma has ended it */
        return tree_fail(&value, error, "found '%.40s'; between braces write it in quotes, \"logit(0, 1)\"", text);
    if (!goal_parse_scale(text, &o->spec))
        return tree_fail(&value, error, "expected none, log or logit(LOW, HIGH), found '%.40s'", text);
    if (o->spec.scale == LOCBO_MODEL_SCALE_LOGIT && o->spec.scale_low >= o->spec.scale_high)
        return tree_fail(&value, error, "LOW must be below HIGH, found '%.40s'", text);
    return LOCBO_OK;
}

static locbo_status read_expression(const tree_entry *map, output *o, locbo_error *error) {
    tree_entry value;
    if (!tree_find(map, "of", &value)) return LOCBO_OK;
    o->at = value;
    return tree_read_text(&value, &o->spec.expression, error);
}

static locbo_status read_output_keys(const tree_entry *map, output *o, locbo_error *error) {
    static const char *const keys[] = {"goal", "at_most", "at_least", "relative_to", "reference", "scale", "of"};
    locbo_status status = read_model_scale(map, o, error);
    if (status == LOCBO_OK) status = tree_check_keys(map, sizeof keys / sizeof keys[0], keys, error);
    if (status == LOCBO_OK) status = read_aim(map, o, error);
    if (status == LOCBO_OK) status = read_relative(map, o, error);
    if (status == LOCBO_OK) status = read_reference(map, o, error);
    return status == LOCBO_OK ? read_expression(map, o, error) : status;
}

static locbo_status read_output(study_file *file, const tree_entry *entry, locbo_error *error) {
    output o = {.spec = {.struct_size = sizeof o.spec, .name = entry->key}, .at = *entry};
    locbo_error inner;
    locbo_status status = goal_check_name(entry->key, &inner);
    if (status != LOCBO_OK) return tree_pass(entry, status, &inner, error);
    if (tree_kind_of(entry) == TREE_MAP)
        status = read_output_keys(entry, &o, error);
    else if (tree_kind_of(entry) != TREE_TEXT || !goal_parse_word(tree_text(entry), &o.spec.goal))
        return tree_fail(entry, error,
                         "expected minimize, maximize or record, or a mapping like {at_most: 512} or {goal: minimize, "
                         "scale: log}");
    if (status != LOCBO_OK) return status;
    status = goal_add_spec(file->outputs, &o.spec, &inner);
    return tree_pass_named(&o.at, "output", entry->key, status, &inner, error);
}

/* What each output says itself cannot be said for all. */
static locbo_status refuse_direction(const tree_entry *map, locbo_error *error) {
    tree_entry direction;
    if (tree_kind_of(map) != TREE_MAP || !tree_find(map, "direction", &direction)) return LOCBO_OK;
    return tree_fail(&direction, error, "found beside 'outputs', where each output has its goal; remove it");
}

static locbo_status read_outputs(study_file *file, const tree_entry *entry, locbo_error *error) {
    tree_entry options;
    locbo_error inner;
    locbo_status status = tree_expect(entry, TREE_MAP, error);
    if (status == LOCBO_OK) status = refuse_direction(entry->above, error);
    if (status == LOCBO_OK && tree_find(entry->above, "options", &options)) status = refuse_direction(&options, error);
    if (status == LOCBO_OK) status = locbo_outputs_create(&file->outputs, error);
    for (size_t i = 0; status == LOCBO_OK && i < tree_count(entry); i++) {
        tree_entry one = tree_at(entry, i);
        status = read_output(file, &one, error);
    }
    if (status != LOCBO_OK) return status;
    status = goal_check(file->outputs, &inner);
    return tree_pass(entry, status, &inner, error);
}

/* ---- the command ------------------------------------------------------------------------------- */

/* Words copied into one allocation, laid out as words_split does. */
static char **copy_words(size_t count, const char *const *words) {
    size_t pointers = (count + 1) * sizeof(char *), bytes = pointers;
    for (size_t i = 0; i < count; i++) bytes += strlen(words[i]) + 1;
    char **copy = mem_new(bytes, 1);
    if (!copy) return NULL;
    char *end = (char *)copy + pointers;
    for (size_t i = 0; i < count; i++) {
        copy[i] = end;
        end = stpcpy(end, words[i]) + 1;
    }
    return copy;
}

static locbo_status read_words(study_file *file, const tree_entry *list, locbo_error *error) {
    size_t count = tree_count(list);
    const char **words = mem_new(count, sizeof *words);
    if (!words) return status_no_memory(error);
    locbo_status status = tree_read_texts(list, words, error);
    if (status == LOCBO_OK) {
        file->command = copy_words(count, words);
        file->command_count = count;
        if (!file->command) status = status_no_memory(error);
    }
    mem_free(words);
    return status;
}

static locbo_status read_command(study_file *file, const tree_entry *entry, locbo_error *error) {
    locbo_error inner;
    locbo_status status;
    if (tree_kind_of(entry) == TREE_LIST) {
        status = read_words(file, entry, error);
    } else if (tree_kind_of(entry) == TREE_TEXT) {
        status = words_split(tree_text(entry), &file->command, &file->command_count, &inner);
        status = tree_pass(entry, status, &inner, error);
    } else {
        return tree_fail(entry, error, "expected a list of words or one text");
    }
    if (status != LOCBO_OK) return status;
    file->command_line = entry->line;
    if (file->command_count == 0) return tree_fail(entry, error, "the command has no words");
    if (!*file->command[0]) return tree_fail(entry, error, "the program's name is empty");
    return LOCBO_OK;
}

/* ---- the plan ---------------------------------------------------------------------------------- */

/* Numbers of trials fit into 32 bits. */
static locbo_status count_of(const tree_entry *entry, int64_t least, uint64_t *count, locbo_error *error) {
    return tree_read_whole(entry, least, INT32_MAX, count, error);
}

static locbo_status read_trials(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.trials = 1;
    return count_of(entry, 1, &file->plan.trials, error);
}

static locbo_status read_evaluations(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.evaluations = 1;
    return count_of(entry, 1, &file->plan.evaluations, error);
}

static locbo_status read_budget(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.budget = 1;
    locbo_status status = tree_read_real(entry, &file->plan.budget, error);
    if (status == LOCBO_OK && !(file->plan.budget > 0))
        return tree_fail(entry, error, "must be positive, found '%.40s'", tree_text(entry));
    return status;
}

static locbo_status read_timeout(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.timeout = 1;
    return duration_of(entry, 0, 0.001, &file->plan.timeout, error);
}

static locbo_status read_retries(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.retries = 1;
    return count_of(entry, 0, &file->plan.retries, error);
}

static locbo_status read_delay(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.retry_delay = 1;
    return duration_of(entry, 1, 0, &file->plan.retry_delay, error);
}

static locbo_status read_failures(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.max_failures = 1;
    return count_of(entry, 0, &file->plan.max_failures, error);
}

static locbo_status read_lost(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.max_lost = 1;
    return count_of(entry, 0, &file->plan.max_lost, error);
}

static locbo_status read_confirm(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.confirm = 1;
    return count_of(entry, 0, &file->plan.confirm, error);
}

static locbo_status read_lease(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.lease = 1;
    return duration_of(entry, 0, 1, &file->plan.lease, error);
}

/* The rule by its name. */
static locbo_status read_prune(study_file *file, const tree_entry *entry, locbo_error *error) {
    locbo_status status = tree_expect(entry, TREE_TEXT, error);
    file->sets.prune = 1;
    if (status != LOCBO_OK || value_prune(tree_text(entry), &file->plan.prune)) return status;
    return tree_fail(entry, error, "expected " VALUE_PRUNES ", found '%.40s'", tree_text(entry));
}

static locbo_status read_prune_risk(study_file *file, const tree_entry *entry, locbo_error *error) {
    double risk = 0;
    locbo_status status = tree_read_real(entry, &risk, error);
    if (status == LOCBO_OK && !(risk > 0 && risk < 1))
        return tree_fail(entry, error, "must lie between 0 and 1, found '%.40s'", tree_text(entry));
    file->sets.prune_risk = 1;
    file->plan.prune_risk = risk;
    return status;
}

static locbo_status read_time(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.time = 1;
    return duration_of(entry, 0, 0, &file->plan.time, error);
}

static locbo_status read_named_target(study_file *file, const tree_entry *entry, locbo_error *error) {
    locbo_error inner;
    size_t number;
    locbo_status status = goal_find_target(file->outputs, entry->key, &number, &inner);
    if (status != LOCBO_OK) return tree_pass(entry, status, &inner, error);
    return tree_read_real(entry, &file->plan.targets[number], error);
}

/* A number for the only objective, or a mapping from outputs to numbers. */
static locbo_status read_target(study_file *file, const tree_entry *entry, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    int named = tree_kind_of(entry) == TREE_MAP;
    file->sets.target = 1;
    if (named && !file->outputs) return tree_fail(entry, error, "without 'outputs' the target is a number");
    if (named && tree_count(entry) == 0) return tree_fail(entry, error, "there must be at least one output");
    if (!named && goal_objectives(file->outputs) > 1)
        return tree_fail(entry, error, "with several objectives a target names its output, as in {loss: 0.1}");
    if (!named) return tree_read_real(entry, &file->plan.target, error);
    for (size_t i = 0; status == LOCBO_OK && i < tree_count(entry); i++) {
        tree_entry one = tree_at(entry, i);
        status = read_named_target(file, &one, error);
    }
    return status;
}

static locbo_status read_patience(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.no_improvement = 1;
    return count_of(entry, 0, &file->plan.no_improvement, error);
}

static locbo_status read_gain(study_file *file, const tree_entry *entry, locbo_error *error) {
    file->sets.expected_gain = 1;
    return tree_read_real(entry, &file->plan.expected_gain, error);
}

static locbo_status read_stop(study_file *file, const tree_entry *entry, locbo_error *error) {
    static const row rows[] = {
        {"time", read_time}, {"target", read_target}, {"no_improvement", read_patience}, {"expected_gain", read_gain}};
    return read_rows(file, entry, sizeof rows / sizeof rows[0], rows, error);
}

static locbo_status read_jobs(study_file *file, const tree_entry *entry, locbo_error *error) {
    uint64_t jobs = 0;
    locbo_status status = tree_read_whole(entry, 1, 1024, &jobs, error);
    if (status == LOCBO_OK) file->jobs = (unsigned)jobs;
    return status;
}

/* ---- options ----------------------------------------------------------------------------------- */

/* YAML spells what is no number .inf and .nan; our own spelling is inf and nan. */
static const char *number_spelling(const tree_entry *entry) {
    const char *text = tree_text(entry);
    if (!tree_is_plain(entry)) return text;
    if (strcasecmp(text, ".nan") == 0) return "nan";
    if (strcasecmp(text, ".inf") == 0 || strcasecmp(text, "+.inf") == 0) return "inf";
    return strcasecmp(text, "-.inf") == 0 ? "-inf" : text;
}

static locbo_status check_option(const tree_entry *entry, locbo_error *error) {
    nearest guess = {.word = entry->key};
    if (strcmp(entry->key, "preset") == 0) return LOCBO_OK; /* several at once */
    for (size_t i = 0; i < locbo_option_count(); i++) {
        locbo_option option;
        locbo_status status = locbo_option_describe(i, &option, error);
        if (status != LOCBO_OK || strcmp(option.name, entry->key) == 0) return status;
        nearest_consider(&guess, option.name);
    }
    nearest_consider(&guess, "preset");
    if (guess.best) return tree_fail(entry, error, "unknown option; did you mean '%s'?", guess.best);
    return tree_fail(entry, error, "unknown option; `locbo options` lists them");
}

static locbo_status set_option(study_file *file, const tree_entry *entry, locbo_error *error) {
    locbo_error inner;
    locbo_status status = check_option(entry, error);
    if (status == LOCBO_OK) status = tree_expect(entry, TREE_TEXT, error);
    if (status != LOCBO_OK) return status;
    status = locbo_options_set(&file->options, entry->key, number_spelling(entry), &inner);
    return tree_pass(entry, status, &inner, error);
}

static locbo_status read_options(study_file *file, const tree_entry *entry, locbo_error *error) {
    locbo_error inner;
    locbo_direction before = file->options.direction;
    tree_entry here, above;
    locbo_status status = tree_expect(entry, TREE_MAP, error);
    for (size_t i = 0; status == LOCBO_OK && i < tree_count(entry); i++) {
        tree_entry option = tree_at(entry, i);
        status = set_option(file, &option, error);
    }
    if (status != LOCBO_OK) return status;
    if (file->options.direction != before && tree_find(entry, "direction", &here) &&
        tree_find(entry->above, "direction", &above))
        return tree_fail(&here, error, "found '%s', but '%s' at the top level in line %zu", tree_text(&here),
                         tree_text(&above), above.line);
    status = locbo_options_check(&file->options, &inner);
    return tree_pass(entry, status, &inner, error);
}

/* ---- points to begin with ---------------------------------------------------------------------- */

static locbo_status set_coordinate(study_file *file, const tree_entry *entry, double *x, locbo_error *error) {
    size_t index;
    locbo_parameter p;
    locbo_error inner;
    locbo_status status = tree_expect(entry, TREE_TEXT, error);
    if (status != LOCBO_OK) return status;
    if (locbo_space_find(file->space, entry->key, &index, NULL) != LOCBO_OK)
        return tree_fail(entry, error, "there is no such parameter");
    status = locbo_space_parameter(file->space, index, &p, &inner);
    if (status == LOCBO_OK) status = value_parse(&p, tree_text(entry), &x[index], &inner);
    return tree_pass(entry, status, &inner, error);
}

static locbo_status read_point(study_file *file, const tree_entry *point, double *x, locbo_error *error) {
    locbo_status status = tree_expect(point, TREE_MAP, error);
    if (status == LOCBO_OK && tree_count(point) == 0)
        return tree_fail(point, error, "a point needs the value of at least one parameter");
    for (size_t i = 0; i < locbo_space_dim(file->space); i++) x[i] = NAN;
    for (size_t i = 0; status == LOCBO_OK && i < tree_count(point); i++) {
        tree_entry value = tree_at(point, i);
        status = set_coordinate(file, &value, x, error);
    }
    return status;
}

static locbo_status read_enqueue(study_file *file, const tree_entry *entry, locbo_error *error) {
    size_t dim = locbo_space_dim(file->space), count = tree_count(entry);
    locbo_status status = tree_expect(entry, TREE_LIST, error);
    if (status != LOCBO_OK) return status;
    file->enqueue = count <= SIZE_MAX / sizeof(double) / (dim + 1) ? mem_new(count * dim, sizeof *file->enqueue) : NULL;
    if (!file->enqueue) return status_no_memory(error);
    file->enqueue_count = count;
    for (size_t i = 0; status == LOCBO_OK && i < count; i++) {
        tree_entry point = tree_at(entry, i);
        status = read_point(file, &point, file->enqueue + i * dim, error);
    }
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------- */

static locbo_status read_name(study_file *file, const tree_entry *entry, locbo_error *error) {
    return tree_read_copy(entry, &file->name, error);
}

static locbo_status read_db(study_file *file, const tree_entry *entry, locbo_error *error) {
    return tree_read_copy(entry, &file->db, error);
}

static const row rows_of_file[] = {
    {"name", read_name},
    {"db", read_db},
    {"direction", set_option},
    {"parameters", read_parameters},
    {"fidelity", read_fidelity},
    {"constraints", read_constraints},
    {"cost", read_cost},
    {"outputs", read_outputs},
    {"command", read_command},
    {"trials", read_trials},
    {"evaluations", read_evaluations},
    {"budget", read_budget},
    {"confirm", read_confirm},
    {"jobs", read_jobs},
    {"timeout", read_timeout},
    {"retries", read_retries},
    {"retry_delay", read_delay},
    {"max_failures", read_failures},
    {"max_lost", read_lost},
    {"lease", read_lease},
    {"prune", read_prune},
    {"prune_risk", read_prune_risk},
    {"stop", read_stop},
    {"options", read_options},
    {"enqueue", read_enqueue},
};
enum { ROWS_OF_FILE = sizeof rows_of_file / sizeof rows_of_file[0] };
_Static_assert((int)ROWS_OF_FILE <= (int)MOST_ROWS, "read_rows has room for every key");

static locbo_status read_root(study_file *file, const tree_entry *root, locbo_error *error) {
    tree_entry parameters;
    if (tree_kind_of(root) == TREE_NULL) return tree_fail(root, error, "the file is empty");
    locbo_status status = read_rows(file, root, ROWS_OF_FILE, rows_of_file, error);
    return status == LOCBO_OK ? tree_need(root, "parameters", &parameters, error) : status;
}

locbo_status study_file_parse(const char *path, const char *text, size_t size, study_file *file, locbo_error *error) {
    tree *t = NULL;
    study_file read = {.name = NULL};
    locbo_status status = tree_load(&t, path, text, size, error);
    if (status != LOCBO_OK) return status;
    locbo_options_init(&read.options);
    locbo_plan_init(&read.plan);
    status = locbo_space_create(&read.space, error);
    if (status == LOCBO_OK) {
        tree_entry root = tree_root(t);
        status = read_root(&read, &root, error);
    }
    tree_free(t);
    if (status != LOCBO_OK) {
        study_file_release(&read);
        return status;
    }
    *file = read;
    return status_ok(error);
}

void study_file_release(study_file *file) {
    if (!file) return;
    mem_free(file->name);
    mem_free(file->db);
    mem_free(file->command);
    mem_free(file->enqueue);
    locbo_space_destroy(file->space);
    locbo_outputs_destroy(file->outputs);
    memset(file, 0, sizeof *file);
}

/* ---- from a file ------------------------------------------------------------------------------- */

static locbo_status open_file(const char *path, FILE **stream, locbo_error *error) {
    struct stat about;
    *stream = fopen(path, "re");
    if (!*stream) return status_fail(error, LOCBO_ERR_NOT_FOUND, "%.100s: %s", path, strerror(errno));
    if (fstat(fileno(*stream), &about) == 0 && S_ISDIR(about.st_mode)) {
        fclose(*stream);
        return status_fail(error, LOCBO_ERR_FORMAT, "%.100s: a directory, not a study file", path);
    }
    return LOCBO_OK;
}

/* A text that is too long is for the parser to refuse. */
static locbo_status read_stream(FILE *stream, const char *path, study_file *file, locbo_error *error) {
    size_t size;
    char *text = file_read_stream(stream, TREE_BYTES, &size);
    if (!text && errno == ENOMEM) return status_no_memory(error);
    if (!text) return status_fail(error, LOCBO_ERR_IO, "%.100s: %s", path, strerror(errno));
    locbo_status status = study_file_parse(path, text, size, file, error);
    mem_free(text);
    return status;
}

locbo_status study_file_read(const char *path, study_file *file, locbo_error *error) {
    FILE *stream;
    if (strcmp(path, "-") == 0) return read_stream(stdin, "standard input", file, error);
    locbo_status status = open_file(path, &stream, error);
    if (status != LOCBO_OK) return status;
    status = read_stream(stream, path, file, error);
    fclose(stream);
    return status;
}
