/* experiment_file.c - an experiment from YAML: the header, then every cell of cases times methods as a task. Layer:
 * experiment. */
#include "experiment_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "nearest.h"
#include "file_read.h"
#include "tree_read.h"

enum { MOST = 1000000000, MOST_NAME = 60, COLOURS = FIGURE_BROWN + 1 };

/* ---- Settings of a task ------------------------------------------------------------------------ */

static locbo_status read_name(const char *what, const tree_entry *entry, task_name name, locbo_error *error) {
    const char *text;
    locbo_status status = tree_read_text(entry, &text, error);
    if (status != LOCBO_OK) return status;
    if (strlen(text) >= TASK_NAME) return tree_fail(entry, error, "there is no %s '%.40s'", what, text);
    strcpy(name, text);
    return LOCBO_OK;
}

static locbo_status read_noise_kind(const tree_entry *entry, noise *n, locbo_error *error) {
    const char *text;
    locbo_status status = tree_read_text(entry, &text, error);
    if (status == LOCBO_OK && !noise_kind_parse(text, &n->kind))
        return tree_fail(entry, error, "there is no noise '%.40s'", text);
    return status;
}

/* "none", or {kind: student, scale: 0.3, shape: 3}. */
static locbo_status read_noise(const tree_entry *entry, noise *n, locbo_error *error) {
    static const char *const keys[] = {"kind", "scale", "shape"};
    tree_entry at;
    *n = (noise){NOISE_NONE, 0, 0};
    if (tree_kind_of(entry) == TREE_TEXT) return read_noise_kind(entry, n, error);
    locbo_status status = tree_expect(entry, TREE_MAP, error);
    if (status == LOCBO_OK) status = tree_check_keys(entry, 3, keys, error);
    if (status == LOCBO_OK && !tree_find(entry, "kind", &at))
        status = tree_fail(entry, error, "the key 'kind' is missing");
    if (status == LOCBO_OK) status = read_noise_kind(&at, n, error);
    if (status == LOCBO_OK && tree_find(entry, "scale", &at)) status = tree_read_real(&at, &n->scale, error);
    if (status == LOCBO_OK && tree_find(entry, "shape", &at)) status = tree_read_real(&at, &n->shape, error);
    return status;
}

/* The value of a setting; an enum has the size of int. */
static locbo_status set_value(task *t, const task_setting *s, const tree_entry *entry, locbo_error *error) {
    void *at = (char *)t + s->offset;
    size_t count = 0;
    uint64_t whole = 0;
    switch (s->kind) {
    case TASK_TEXT:
        return read_name(s->key, entry, at, error);
    case TASK_NOISE:
        return read_noise(entry, at, error);
    case TASK_FLAG:
        return tree_read_flag(entry, at, error);
    case TASK_REAL:
        return tree_read_real(entry, at, error);
    case TASK_CHOICE:
        while (s->words[count]) count++;
        return tree_read_choice(entry, count, s->words, at, error);
    default:
        break;
    }
    locbo_status status = tree_read_whole(entry, 0, MOST, &whole, error);
    if (s->kind == TASK_SIZE)
        *(size_t *)at = (size_t)whole;
    else
        *(int *)at = (int)whole;
    return status;
}

static int is_among(const char *word, const char *const *words) {
    while (*words && strcmp(*words, word) != 0) words++;
    return *words != NULL;
}

/* LOCBO_OK if the key is an option or `preset`; otherwise an error that suggests the nearest setting. */
static locbo_status check_option(const tree_entry *entry, locbo_error *error) {
    nearest guess = {.word = entry->key};
    locbo_option option;
    if (strcmp(entry->key, "preset") == 0) return LOCBO_OK;
    for (size_t i = 0; locbo_option_describe(i, &option, NULL) == LOCBO_OK; i++) {
        if (strcmp(option.name, entry->key) == 0) return LOCBO_OK;
        nearest_consider(&guess, option.name);
    }
    for (const task_setting *s = task_settings; s->key; s++) nearest_consider(&guess, s->key);
    nearest_consider(&guess, "preset");
    if (guess.best) return tree_fail(entry, error, "unknown setting; did you mean '%s'?", guess.best);
    return tree_fail(entry, error, "unknown setting; docs/experiments.md lists them");
}

/* A preset sets the number of initial points of the task; it does not change the recommendation. */
static locbo_status set_preset(task *t, const char *text, locbo_error *error) {
    locbo_recommendation kept = t->options.recommendation;
    locbo_status status = locbo_options_set(&t->options, "preset", text, error);
    t->options.recommendation = kept;
    if (status == LOCBO_OK) t->initial = (size_t)t->options.initial;
    return status;
}

/* An option of the optimizer, or a preset. */
static locbo_status set_option(task *t, const tree_entry *entry, locbo_error *error) {
    static const char *const set_by_run[] = {"seed", "direction", NULL};
    const char *text;
    locbo_error inner;
    if (is_among(entry->key, set_by_run)) return tree_fail(entry, error, "cannot be set here: each run sets its own");
    locbo_status status = check_option(entry, error);
    if (status == LOCBO_OK) status = tree_read_text(entry, &text, error);
    if (status != LOCBO_OK) return status;
    if (t->program[0]) return tree_fail(entry, error, "is an option of the optimizer, which 'program' replaces");
    status = strcmp(entry->key, "preset") == 0 ? set_preset(t, text, &inner)
                                               : locbo_options_set(&t->options, entry->key, text, &inner);
    return status == LOCBO_OK ? status : tree_pass(entry, status, &inner, error);
}

/* An external method. It is read before the other settings of the method, so that options of the optimizer can be
 * refused there. */
static locbo_status set_program(task *t, const tree_entry *entry, locbo_error *error) {
    const char *text;
    locbo_status status = tree_read_text(entry, &text, error);
    if (status != LOCBO_OK) return status;
    if (!*text) return tree_fail(entry, error, "there must be a command");
    if (strlen(text) >= sizeof t->program)
        return tree_fail(entry, error, "a command has at most %d bytes, '%.40s...' has %zu", TASK_PROGRAM - 1, text,
                         strlen(text));
    strcpy(t->program, text);
    return LOCBO_OK;
}

/* A key that is no setting of the task is an option of the optimizer. */
static locbo_status set_one(task *t, const tree_entry *entry, locbo_error *error) {
    for (const task_setting *s = task_settings; s->key; s++)
        if (strcmp(s->key, entry->key) == 0) return set_value(t, s, entry, error);
    return set_option(t, entry, error);
}

/* All settings of a mapping, in the order written, except the keys in `others`, which are no settings. */
static locbo_status set_all(task *t, const tree_entry *map, const char *const *others, locbo_error *error) {
    locbo_status status = tree_expect(map, TREE_MAP, error);
    for (size_t i = 0; status == LOCBO_OK && i < tree_count(map); i++) {
        tree_entry value = tree_at(map, i);
        if (!is_among(value.key, others)) status = set_one(t, &value, error);
    }
    return status;
}

static const char *const no_others[] = {NULL};
static const char *const case_others[] = {"at", NULL};
static const char *const method_others[] = {"colour", "dashed", "only", "program", NULL};

/* ---- Cases and methods ------------------------------------------------------------------------- */

/* Names are used in CSV files, command lines and file names, so they must not need quotes. */
static locbo_status check_name(const tree_entry *entry, const char *name, locbo_error *error) {
    int plain = *name && *name != '.' && !strpbrk(name, ",\"'/\\ ");
    for (const char *at = name; *at; at++) plain = plain && !iscntrl((unsigned char)*at);
    if (strlen(name) > MOST_NAME)
        return tree_fail(entry, error, "a name has at most %d characters, '%.40s...' has %zu", MOST_NAME, name,
                         strlen(name));
    if (plain) return LOCBO_OK;
    return tree_fail(entry, error,
                     "a name must not have commas, blanks, quotes or slashes, nor begin with a dot: '%.40s'", name);
}

static locbo_status copy_name(const tree_entry *entry, char **copy, locbo_error *error) {
    locbo_status status = check_name(entry, entry->key, error);
    if (status != LOCBO_OK) return status;
    *copy = mem_text(entry->key);
    return *copy ? LOCBO_OK : status_no_memory(error);
}

static locbo_status read_case(plan_case *c, const tree_entry *entry, locbo_error *error) {
    tree_entry at;
    c->at = (double)NAN;
    locbo_status status = copy_name(entry, &c->name, error);
    if (status == LOCBO_OK) status = tree_expect(entry, TREE_MAP, error);
    if (status != LOCBO_OK || !tree_find(entry, "at", &at)) return status;
    return tree_read_real(&at, &c->at, error);
}

static locbo_status read_colour(plan_method *m, const tree_entry *entry, locbo_error *error) {
    static const char *const words[COLOURS] = {"black", "green",  "yellow", "blue", "red",
                                               "grey",  "purple", "orange", "teal", "brown"};
    return tree_read_choice(entry, COLOURS, words, (int *)&m->colour, error); /* as in figure_colour */
}

static locbo_status read_method(plan_method *m, const tree_entry *entry, locbo_error *error) {
    tree_entry at;
    locbo_status status = copy_name(entry, &m->name, error);
    if (status == LOCBO_OK) status = tree_expect(entry, TREE_MAP, error);
    if (status == LOCBO_OK && tree_find(entry, "colour", &at)) status = read_colour(m, &at, error);
    if (status == LOCBO_OK && tree_find(entry, "dashed", &at)) status = tree_read_flag(&at, &m->dashed, error);
    return status;
}

/* The cases that a method is run for: all, or those of `only`. */
static locbo_status read_only(plan *p, size_t m, const tree_entry *method, locbo_error *error) {
    tree_entry only;
    int some = tree_find(method, "only", &only);
    for (size_t c = 0; c < p->cases; c++) p->present[plan_cell(p, c, m)] = !some;
    if (!some) return LOCBO_OK;
    locbo_status status = tree_expect(&only, TREE_LIST, error);
    if (status == LOCBO_OK && tree_count(&only) == 0)
        status = tree_fail(&only, error, "there must be at least one case");
    for (size_t i = 0; status == LOCBO_OK && i < tree_count(&only); i++) {
        tree_entry item = tree_at(&only, i);
        const char *text;
        status = tree_read_text(&item, &text, error);
        if (status != LOCBO_OK) break;
        size_t c = plan_find_case(p, text);
        if (c == p->cases)
            status = tree_fail(&item, error, "there is no case '%.40s'", text);
        else
            p->present[plan_cell(p, c, m)] = 1;
    }
    return status;
}

/* ---- The whole file ---------------------------------------------------------------------------- */

typedef struct parts {
    tree_entry settings, cases, methods;
    int has_settings, has_cases;
} parts;

static locbo_status read_cell(plan *p, const parts *s, size_t c, size_t m, locbo_error *error) {
    task *t = &p->task[plan_cell(p, c, m)];
    tree_entry method = tree_at(&s->methods, m), program;
    locbo_error inner;
    task_init(t);
    locbo_status status = LOCBO_OK;
    if (s->has_settings) status = set_all(t, &s->settings, no_others, error);
    if (status == LOCBO_OK && s->has_cases) {
        tree_entry at = tree_at(&s->cases, c);
        status = set_all(t, &at, case_others, error);
    }
    if (status == LOCBO_OK && tree_find(&method, "program", &program)) status = set_program(t, &program, error);
    if (status == LOCBO_OK) status = set_all(t, &method, method_others, error);
    if (status != LOCBO_OK || !p->present[plan_cell(p, c, m)]) return status; /* a cell that is not run may be wrong */
    status = task_check(t, &inner);
    return status == LOCBO_OK ? status : tree_pass(&method, status, &inner, error);
}

static locbo_status read_cells(plan *p, const parts *s, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t m = 0; m < p->methods && status == LOCBO_OK; m++) {
        tree_entry method = tree_at(&s->methods, m);
        p->method[m].colour = (figure_colour)((m + 1) % COLOURS); /* green first, black last */
        status = read_method(&p->method[m], &method, error);
        if (status == LOCBO_OK) status = read_only(p, m, &method, error);
        for (size_t c = 0; c < p->cases && status == LOCBO_OK; c++) status = read_cell(p, s, c, m, error);
    }
    return status;
}

/* All cells record regrets, or all record values. */
static locbo_status check_columns(const plan *p, const parts *s, locbo_error *error) {
    for (size_t cell = 0; cell < plan_cells(p); cell++)
        if (task_is_radio(&p->task[cell]) != plan_is_value(p)) {
            tree_entry at = s->has_cases ? tree_at(&s->cases, cell / p->methods) : s->methods;
            return tree_fail(&at, error, "the radio problem cannot be mixed with other problems, here '%s'",
                             p->task[cell].problem);
        }
    return LOCBO_OK;
}

static locbo_status read_cases(plan *p, const parts *s, locbo_error *error) {
    if (!s->has_cases) {
        p->case_[0] = (plan_case){mem_text("-"), (double)NAN};
        return p->case_[0].name ? LOCBO_OK : status_no_memory(error);
    }
    locbo_status status = LOCBO_OK;
    for (size_t c = 0; c < p->cases && status == LOCBO_OK; c++) {
        tree_entry at = tree_at(&s->cases, c);
        status = read_case(&p->case_[c], &at, error);
    }
    return status;
}

static locbo_status make_room(plan *p, const parts *s, locbo_error *error) {
    p->cases = s->has_cases ? tree_count(&s->cases) : 1;
    p->methods = tree_count(&s->methods);
    p->case_ = mem_new(p->cases, sizeof *p->case_);
    p->method = mem_new(p->methods, sizeof *p->method);
    p->task = mem_new(plan_cells(p), sizeof *p->task);
    p->present = mem_new(plan_cells(p), 1);
    int good = p->case_ && p->method && p->task && p->present;
    return good ? LOCBO_OK : status_no_memory(error);
}

static locbo_status find_parts(const tree_entry *root, parts *s, locbo_error *error) {
    s->has_settings = tree_find(root, "settings", &s->settings);
    s->has_cases = tree_find(root, "cases", &s->cases);
    if (!tree_find(root, "methods", &s->methods)) return tree_fail(root, error, "the key 'methods' is missing");
    locbo_status status = tree_expect(&s->methods, TREE_MAP, error);
    if (status == LOCBO_OK && s->has_cases) status = tree_expect(&s->cases, TREE_MAP, error);
    if (status == LOCBO_OK && tree_count(&s->methods) == 0)
        status = tree_fail(&s->methods, error, "there must be at least one method");
    if (status == LOCBO_OK && s->has_cases && tree_count(&s->cases) == 0)
        status = tree_fail(&s->cases, error, "there must be at least one case");
    return status;
}

static locbo_status read_figure(plan *p, const tree_entry *entry, locbo_error *error) {
    static const char *const words[] = {"curves", "sweep", "grid", "dots", "ratios", "bounds", "scores", "costs"};
    return tree_read_choice(entry, sizeof words / sizeof words[0], words, (int *)&p->figure, error); /* plan_figure */
}

static locbo_status read_header(plan *p, const tree_entry *root, locbo_error *error) {
    struct {
        const char *key;
        char **text;
    } texts[] = {
        {"name", &p->name}, {"title", &p->title}, {"paper", &p->paper}, {"about", &p->about}, {"x_label", &p->x_label}};
    tree_entry at;
    locbo_status status = LOCBO_OK;
    p->seeds = 30;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && status == LOCBO_OK; i++)
        if (tree_find(root, texts[i].key, &at)) status = tree_read_copy(&at, texts[i].text, error);
    if (status == LOCBO_OK && !p->name) status = tree_fail(root, error, "the key 'name' is missing");
    if (status == LOCBO_OK && tree_find(root, "name", &at)) status = check_name(&at, p->name, error);
    if (status == LOCBO_OK && tree_find(root, "seeds", &at)) {
        uint64_t seeds = 0;
        status = tree_read_whole(&at, 1, MOST, &seeds, error);
        p->seeds = (size_t)seeds;
    }
    if (status == LOCBO_OK && tree_find(root, "log_x", &at)) status = tree_read_flag(&at, &p->log_x, error);
    if (status == LOCBO_OK && tree_find(root, "figure", &at)) status = read_figure(p, &at, error);
    return status;
}

/* The method that a key names. */
static locbo_status read_reference(const plan *p, const tree_entry *at, size_t *m, locbo_error *error) {
    const char *text;
    locbo_status status = tree_read_text(at, &text, error);
    if (status != LOCBO_OK) return status;
    *m = plan_find_method(p, text);
    if (*m < p->methods) return LOCBO_OK;
    return tree_fail(at, error, "there is no method '%.40s'", text);
}

static locbo_status read_against(plan *p, const tree_entry *root, locbo_error *error) {
    tree_entry at;
    return tree_find(root, "against", &at) ? read_reference(p, &at, &p->against, error) : LOCBO_OK;
}

/* ---- Scores ------------------------------------------------------------------------------------ */

#define NEEDS_SCORE "need the key 'score', which is missing"

static locbo_status read_score(plan *p, const tree_entry *root, locbo_error *error) {
    tree_entry at;
    p->scored = tree_find(root, "score", &at);
    if (!p->scored) return tree_find(root, "tails", &at) ? tree_fail(&at, error, NEEDS_SCORE) : LOCBO_OK;
    if (plan_is_value(p)) return tree_fail(&at, error, "needs regrets, and the optimum of radio is not known");
    locbo_status status = read_reference(p, &at, &p->score, error);
    return status == LOCBO_OK && tree_find(root, "tails", &at) ? tree_read_flag(&at, &p->tails, error) : status;
}

/* The number of cases of a kind; they are marked in `has`, unless it is NULL. */
static size_t mark_kind(const plan *p, const char *kind, char *has) {
    size_t n = 0;
    for (size_t c = 0; c < p->cases; c++) {
        if (!plan_is_kind(p, c, kind)) continue;
        if (has) has[c] = 1;
        n++;
    }
    return n;
}

/* The same for all cases FUNCTION+KIND of a function. */
static size_t mark_function(const plan *p, const char *function, char *has) {
    size_t n = 0, length = strlen(function);
    for (size_t c = 0; c < p->cases; c++) {
        const char *kind = plan_kind(p, c), *name = p->case_[c].name;
        if (!kind || (size_t)(kind - 1 - name) != length || strncmp(name, function, length) != 0) continue;
        has[c] = 1;
        n++;
    }
    return n;
}

/* A list of kinds and functions. "all" and the kinds are columns of the score tables, so no group may have their names.
 */
static locbo_status read_group(plan *p, plan_group *g, const tree_entry *entry, locbo_error *error) {
    locbo_status status = copy_name(entry, &g->name, error);
    if (status == LOCBO_OK) status = tree_expect(entry, TREE_LIST, error);
    if (status == LOCBO_OK && (strcmp(g->name, "all") == 0 || mark_kind(p, g->name, NULL) > 0))
        status = tree_fail(entry, error, "'%s' cannot be the name of a group: it means %s", g->name,
                           strcmp(g->name, "all") == 0 ? "all cases" : "a kind of cases");
    if (status == LOCBO_OK && tree_count(entry) == 0)
        status = tree_fail(entry, error, "there must be at least one kind");
    for (size_t i = 0; status == LOCBO_OK && i < tree_count(entry); i++) {
        tree_entry item = tree_at(entry, i);
        const char *kind;
        status = tree_read_text(&item, &kind, error);
        if (status == LOCBO_OK && mark_kind(p, kind, g->has) + mark_function(p, kind, g->has) == 0)
            status = tree_fail(&item, error, "no case has a name that ends in '+%.40s', or begins with '%.40s+'", kind,
                               kind);
    }
    return status;
}

static locbo_status read_groups(plan *p, const tree_entry *root, locbo_error *error) {
    tree_entry at;
    if (!tree_find(root, "groups", &at)) return LOCBO_OK;
    if (!p->scored) return tree_fail(&at, error, NEEDS_SCORE);
    locbo_status status = tree_expect(&at, TREE_MAP, error);
    if (status != LOCBO_OK) return status;
    p->group = mem_new(tree_count(&at), sizeof *p->group);
    if (!p->group) return status_no_memory(error);
    for (size_t i = 0; status == LOCBO_OK && i < tree_count(&at); i++) {
        tree_entry entry = tree_at(&at, i);
        plan_group *g = &p->group[p->groups++];
        g->has = mem_new(p->cases, 1);
        status = g->has ? read_group(p, g, &entry, error) : status_no_memory(error);
    }
    return status;
}

/* Checks that the figure has what it needs, before anything is run. */
static locbo_status check_figure(const plan *p, const tree_entry *root, locbo_error *error) {
    tree_entry at;
    if (!tree_find(root, "figure", &at)) return LOCBO_OK;
    for (size_t c = 0; c < p->cases && p->figure == PLAN_FIGURE_SWEEP; c++)
        if (isnan(p->case_[c].at))
            return tree_fail(&at, error, "a sweep needs the key 'at' in every case; %s has none", p->case_[c].name);
    if (p->figure == PLAN_FIGURE_GRID && p->task[0].grid == 0)
        return tree_fail(&at, error, "needs the setting 'grid', the number of points");
    if (p->figure == PLAN_FIGURE_SCORES && !p->scored)
        return tree_fail(&at, error, "needs the key 'score', the method whose score is 1");
    return LOCBO_OK;
}

static locbo_status read_root(plan *p, const tree_entry *root, locbo_error *error) {
    static const char *const keys[] = {"name",    "title", "paper", "about",  "x_label",  "log_x", "figure", "seeds",
                                       "against", "score", "tails", "groups", "settings", "cases", "methods"};
    parts s;
    locbo_status status = tree_expect(root, TREE_MAP, error);
    if (status == LOCBO_OK) status = tree_check_keys(root, sizeof keys / sizeof keys[0], keys, error);
    if (status == LOCBO_OK) status = read_header(p, root, error);
    if (status == LOCBO_OK) status = find_parts(root, &s, error);
    if (status == LOCBO_OK) status = make_room(p, &s, error);
    if (status == LOCBO_OK) status = read_cases(p, &s, error);
    if (status == LOCBO_OK) status = read_cells(p, &s, error);
    if (status == LOCBO_OK) status = check_columns(p, &s, error);
    if (status == LOCBO_OK) status = read_score(p, root, error);
    if (status == LOCBO_OK) status = read_groups(p, root, error);
    if (status == LOCBO_OK) status = check_figure(p, root, error);
    if (status == LOCBO_OK) status = read_against(p, root, error);
    return status;
}

locbo_status experiment_file_parse(const char *path, const char *text, size_t size, plan *p, locbo_error *error) {
    tree *t;
    memset(p, 0, sizeof *p);
    locbo_status status = tree_load(&t, path, text, size, error);
    if (status != LOCBO_OK) return status;
    tree_entry root = tree_root(t);
    status = read_root(p, &root, error);
    tree_free(t);
    if (status != LOCBO_OK) plan_release(p);
    return status;
}

/* ---- By name ----------------------------------------------------------------------------------- */

/* C11 guarantees string literals of 4095 bytes only; gcc and clang accept longer ones. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
const experiment_text experiment_texts[] = {
#include "experiments.inc"
    {NULL, NULL}};
#pragma GCC diagnostic pop

static locbo_status find_text(const char *name, char **text, size_t *size, locbo_error *error) {
    char hint[80];
    nearest guess = {.word = name};
    for (const experiment_text *e = experiment_texts; e->name; e++) {
        nearest_consider(&guess, e->name);
        if (strcmp(e->name, name) != 0) continue;
        *size = strlen(e->text);
        *text = mem_text(e->text);
        return *text ? LOCBO_OK : status_no_memory(error);
    }
    nearest_hint(&guess, "", hint, sizeof hint);
    return status_fail(error, LOCBO_ERR_NOT_FOUND, "there is no experiment '%.40s'%s; see locbo experiment list", name,
                       hint);
}

static int is_path(const char *name) {
    const char *dot = strrchr(name, '.');
    return strchr(name, '/') || (dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0));
}

/* Whether it has the name of a built-in experiment but another text. */
static int is_changed(const char *name, const char *text) {
    for (const experiment_text *e = experiment_texts; e->name; e++)
        if (strcmp(e->name, name) == 0) return strcmp(e->text, text) != 0;
    return 0;
}

locbo_status experiment_file_load(const char *name, plan *p, char **text, locbo_error *error) {
    size_t size;
    *text = NULL;
    locbo_status status =
        is_path(name) ? file_read(name, TREE_BYTES, text, &size, error) : find_text(name, text, &size, error);
    if (status != LOCBO_OK) return status;
    status = experiment_file_parse(name, *text, size, p, error);
    if (status == LOCBO_OK) {
        p->changed = is_changed(p->name, *text);
        return status;
    }
    mem_free(*text);
    *text = NULL;
    return status;
}
