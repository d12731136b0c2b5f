/* parameter_tree.c - parameters from the mappings of a study file. Layer: format. */
#include "parameter_tree.h"

#include <string.h>

#include "buffer.h"
#include "distribution.h"
#include "mem.h"
#include "number.h"
#include "tree_read.h"
#include "value.h"

static locbo_status pass(const tree_entry *entry, const char *name, locbo_status status, locbo_error *inner,
                         locbo_error *error) {
    return tree_pass_named(entry, "parameter", name, status, inner, error);
}

/* A parameter while it is read, with the memory of its lists. */
typedef struct reading {
    locbo_space *space;
    const tree_entry *map;
    locbo_parameter_spec spec;
    tree_entry at; /* what messages of the space are about */
    const char **texts;
    double *numbers, *when;
    unsigned char *retired;
} reading;

/* ---- ranges ------------------------------------------------------------------------------------ */

static locbo_status read_number(const tree_entry *entry, locbo_kind kind, double *value, locbo_error *error) {
    const int64_t most = INT64_C(1) << 53; /* what the space takes */
    uint64_t whole = 0;
    if (kind == LOCBO_REAL) return tree_read_real(entry, value, error);
    locbo_status status = tree_read_whole(entry, -most, most, &whole, error);
    *value = (double)(int64_t)whole;
    return status;
}

static locbo_status read_flag(const reading *r, const char *key, int *flag, locbo_error *error) {
    tree_entry entry;
    *flag = 0;
    return tree_find(r->map, key, &entry) ? tree_read_flag(&entry, flag, error) : LOCBO_OK;
}

static locbo_status read_range(reading *r, locbo_error *error) {
    static const char *const keys[] = {"type", "low", "high", "log", "step", "when", "frozen", "past", "fidelity"};
    tree_entry low, high, step;
    int logs = 0, fidelity = 0;
    locbo_kind kind = r->spec.kind;
    locbo_status status = tree_check_keys(r->map, sizeof keys / sizeof keys[0], keys, error);
    if (status == LOCBO_OK) status = tree_need(r->map, "low", &low, error);
    if (status == LOCBO_OK) status = tree_need(r->map, "high", &high, error);
    if (status == LOCBO_OK) status = read_flag(r, "log", &logs, error);
    if (status == LOCBO_OK) status = read_flag(r, "fidelity", &fidelity, error);
    if (status == LOCBO_OK) status = read_number(&low, kind, &r->spec.low, error);
    if (status == LOCBO_OK) status = read_number(&high, kind, &r->spec.high, error);
    if (status != LOCBO_OK) return status;
    r->spec.scale = logs ? LOCBO_LOG : LOCBO_LINEAR;
    if (fidelity) r->spec.fidelity = 1;
    r->at = low;
    if (!tree_find(r->map, "step", &step)) return LOCBO_OK;
    r->at = step;
    status = read_number(&step, kind, &r->spec.step, error);
    if (status == LOCBO_OK && r->spec.step <= 0)
        return tree_fail(&step, error, "the step must be positive, found '%.40s'", tree_text(&step));
    return status;
}

/* ---- categories -------------------------------------------------------------------------------- */

/* Numbers that increase say where ordered categories stand. */
static int find_numbers(reading *r) {
    for (size_t k = 0; k < r->spec.count; k++)
        if (!number_parse(r->texts[k], &r->numbers[k]) || (k > 0 && !(r->numbers[k - 1] < r->numbers[k]))) return 0;
    r->spec.numbers = r->numbers;
    return 1;
}

/* numbers: where they stand, whatever their texts are; an empty list: equally spaced. */
static locbo_status read_numbers(reading *r, const tree_entry *list, locbo_error *error) {
    locbo_status status = tree_expect(list, TREE_LIST, error);
    if (status != LOCBO_OK || tree_count(list) == 0) return status;
    if (tree_count(list) != r->spec.count)
        return tree_fail(list, error, "expected a number for each of the %zu values, found %zu", r->spec.count,
                         tree_count(list));
    for (size_t k = 0; k < r->spec.count && status == LOCBO_OK; k++) {
        tree_entry item = tree_at(list, k);
        status = tree_read_real(&item, &r->numbers[k], error);
    }
    r->at = *list;
    r->spec.numbers = r->numbers;
    return status;
}

static locbo_status read_categories(reading *r, locbo_error *error) {
    static const char *const keys[] = {"type", "values", "when", "frozen", "past", "retired", "log", "numbers"};
    int ordered = r->spec.kind == LOCBO_ORDERED, logs = 0;
    tree_entry values, numbers;
    locbo_status status = tree_check_keys(r->map, ordered ? 8 : 6, keys, error);
    if (status == LOCBO_OK) status = tree_need(r->map, "values", &values, error);
    if (status == LOCBO_OK) status = tree_expect(&values, TREE_LIST, error);
    if (status == LOCBO_OK && ordered) status = read_flag(r, "log", &logs, error);
    if (status != LOCBO_OK) return status;
    r->at = values;
    r->spec.count = tree_count(&values);
    r->texts = mem_new(r->spec.count, sizeof *r->texts);
    r->numbers = mem_new(r->spec.count, sizeof *r->numbers);
    if (!r->texts || !r->numbers) return status_no_memory(error);
    r->spec.categories = r->texts;
    r->spec.scale = logs ? LOCBO_LOG : LOCBO_LINEAR;
    status = tree_read_texts(&values, r->texts, error);
    if (status != LOCBO_OK || !ordered) return status;
    if (tree_find(r->map, "numbers", &numbers)) return read_numbers(r, &numbers, error);
    find_numbers(r);
    return LOCBO_OK;
}

static locbo_status read_bool(const reading *r, locbo_error *error) {
    static const char *const keys[] = {"type", "when", "frozen", "past"};
    return tree_check_keys(r->map, 4, keys, error);
}

/* ---- conditions -------------------------------------------------------------------------------- */

/* A value of a parameter. */
static locbo_status read_value(const locbo_parameter *parent, const tree_entry *entry, double *value,
                               locbo_error *error) {
    const char *text;
    locbo_error inner;
    locbo_status status = tree_read_text(entry, &text, error);
    if (status != LOCBO_OK) return status;
    return tree_pass(entry, value_parse(parent, text, value, &inner), &inner, error);
}

/* when: {NAME: VALUE} or {NAME: [VALUE, ...]} */
static locbo_status read_when(reading *r, locbo_error *error) {
    tree_entry when;
    size_t index;
    locbo_parameter parent;
    if (!tree_find(r->map, "when", &when)) return LOCBO_OK;
    locbo_status status = tree_expect(&when, TREE_MAP, error);
    if (status == LOCBO_OK && tree_count(&when) != 1)
        return tree_fail(&when, error, "expected one parameter and its values, as in {kernel: [rbf, poly]}");
    if (status != LOCBO_OK) return status;
    tree_entry values = tree_at(&when, 0);
    if (locbo_space_find(r->space, values.key, &index, NULL) != LOCBO_OK)
        return tree_fail(&values, error, "there is no parameter '%.40s' before this one", values.key);
    locbo_space_parameter(r->space, index, &parent, NULL);
    int list = tree_kind_of(&values) == TREE_LIST;
    r->spec.parent = parent.name;
    r->spec.when_count = list ? tree_count(&values) : 1;
    r->when = mem_new(r->spec.when_count, sizeof *r->when);
    if (!r->when) return status_no_memory(error);
    r->spec.when = r->when;
    for (size_t k = 0; k < r->spec.when_count && status == LOCBO_OK; k++) {
        tree_entry one = list ? tree_at(&values, k) : values;
        status = read_value(&parent, &one, &r->when[k], error);
    }
    return status;
}

/* ---- what was changed -------------------------------------------------------------------------- */

/* frozen: VALUE, past: VALUE */
static locbo_status read_mark(const reading *r, const char *key, int anywhere, uint64_t *is_set, double *value,
                              locbo_error *error) {
    tree_entry entry;
    const char *text;
    locbo_error inner;
    locbo_parameter p = value_parameter(&r->spec);
    if (!tree_find(r->map, key, &entry)) return LOCBO_OK;
    locbo_status status = tree_read_text(&entry, &text, error);
    if (status != LOCBO_OK) return status;
    *is_set = 1;
    status = anywhere ? value_parse_anywhere(&p, text, value, &inner) : value_parse(&p, text, value, &inner);
    return tree_pass(&entry, status, &inner, error);
}

/* retired: VALUE or [VALUE, ...] */
static locbo_status read_retired(reading *r, locbo_error *error) {
    tree_entry entry;
    locbo_parameter p = value_parameter(&r->spec);
    if (p.count == 0 || !tree_find(r->map, "retired", &entry)) return LOCBO_OK;
    int list = tree_kind_of(&entry) == TREE_LIST;
    size_t count = list ? tree_count(&entry) : 1;
    locbo_status status = LOCBO_OK;
    r->retired = mem_new(p.count, 1);
    if (!r->retired) return status_no_memory(error);
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
        tree_entry one = list ? tree_at(&entry, i) : entry;
        double k = 0;
        status = read_value(&p, &one, &k, error);
        if (status == LOCBO_OK) r->retired[(size_t)k] = 1;
    }
    if (count > 0) r->spec.retired = r->retired;
    return status;
}

static locbo_status read_marks(reading *r, locbo_error *error) {
    locbo_parameter_spec *s = &r->spec;
    locbo_status status = read_retired(r, error);
    if (status == LOCBO_OK) status = read_mark(r, "frozen", 0, &s->is_frozen, &s->frozen, error);
    return status == LOCBO_OK ? read_mark(r, "past", 1, &s->has_past, &s->past, error) : status;
}

/* ---- parameters -------------------------------------------------------------------------------- */

static locbo_status read_type(reading *r, locbo_error *error) {
    static const char *const kinds[] = {"float", "int", "categorical", "ordered", "bool"};
    tree_entry type;
    const char *text;
    int kind = 0;
    locbo_status status = tree_need(r->map, "type", &type, error);
    if (status == LOCBO_OK) status = tree_read_text(&type, &text, error);
    if (status != LOCBO_OK) return status;
    while (kind <= LOCBO_BOOL && strcmp(text, kinds[kind]) != 0) kind++;
    if (kind > LOCBO_BOOL)
        return tree_fail(&type, error, "expected float, int, categorical, ordered or bool, found '%.40s'", text);
    r->spec.kind = (locbo_kind)kind;
    r->at = *r->map;
    if (kind == LOCBO_REAL || kind == LOCBO_INT) return read_range(r, error);
    return kind == LOCBO_BOOL ? read_bool(r, error) : read_categories(r, error);
}

static locbo_status add_mapping(locbo_space *space, const tree_entry *map, int fidelity, locbo_error *error) {
    reading r = {.space = space,
                 .map = map,
                 .spec = {.struct_size = sizeof r.spec, .name = map->key, .fidelity = fidelity != 0}};
    locbo_error inner;
    locbo_status status = read_type(&r, error);
    if (status == LOCBO_OK) status = read_when(&r, error);
    if (status == LOCBO_OK) status = read_marks(&r, error);
    if (status == LOCBO_OK) status = pass(&r.at, map->key, locbo_space_add(space, &r.spec, &inner), &inner, error);
    mem_free(r.texts);
    mem_free(r.numbers);
    mem_free(r.when);
    mem_free(r.retired);
    return status;
}

static locbo_status read_parameter(locbo_space *space, const tree_entry *entry, int fidelity, locbo_error *error) {
    locbo_error inner;
    locbo_status status = distribution_check_name(entry->key, &inner);
    if (status != LOCBO_OK) return tree_pass(entry, status, &inner, error);
    if (tree_kind_of(entry) == TREE_MAP) return add_mapping(space, entry, fidelity, error);
    if (tree_kind_of(entry) != TREE_TEXT)
        return tree_fail(entry, error,
                         "expected a text like float(-5, 10) or a mapping like {type: float, "
                         "low: -5, high: 10}");
    status = fidelity ? distribution_add_fidelity_named(space, entry->key, tree_text(entry), &inner)
                      : distribution_add_named(space, entry->key, tree_text(entry), &inner);
    return pass(entry, entry->key, status, &inner, error);
}

locbo_status parameter_tree_read(locbo_space *space, const tree_entry *parameters, locbo_error *error) {
    locbo_status status = tree_expect(parameters, TREE_MAP, error);
    if (status == LOCBO_OK && tree_count(parameters) == 0)
        return tree_fail(parameters, error, "there must be at least one parameter");
    for (size_t i = 0; status == LOCBO_OK && i < tree_count(parameters); i++) {
        tree_entry parameter = tree_at(parameters, i);
        status = read_parameter(space, &parameter, 0, error);
    }
    return status;
}

/* In {epochs: int(1, 81)} YAML ends the value at the comma, and takes "81)" for a key without a value: put together
 * again what was meant. Free with mem_free; NULL: it is not of this kind, or there is no memory. */
static char *join_range(const tree_entry *parameters) {
    tree_entry first = tree_at(parameters, 0);
    buffer b = {.data = NULL};
    if (tree_kind_of(&first) != TREE_TEXT || !strchr(tree_text(&first), '(')) return NULL;
    buffer_text(&b, tree_text(&first));
    for (size_t i = 1; i < tree_count(parameters); i++) {
        tree_entry more = tree_at(parameters, i);
        if (tree_kind_of(&more) != TREE_NULL) b.failed = 1;
        buffer_text(&b, ", ");
        buffer_text(&b, more.key);
    }
    buffer_char(&b, '\0', 1);
    if (!b.failed) return b.data;
    mem_free(b.data);
    return NULL;
}

locbo_status parameter_tree_read_fidelity(locbo_space *space, const tree_entry *parameters, locbo_error *error) {
    locbo_error inner;
    locbo_status status = tree_expect(parameters, TREE_MAP, error);
    if (status != LOCBO_OK) return status;
    char *range = tree_count(parameters) > 1 ? join_range(parameters) : NULL;
    if (range) {
        tree_entry first = tree_at(parameters, 0);
        status = distribution_add_fidelity_named(space, first.key, range, &inner);
        mem_free(range);
        return pass(&first, first.key, status, &inner, error);
    }
    if (tree_count(parameters) != 1)
        return tree_fail(parameters, error, "expected one parameter, as in {epochs: int(1, 81)}, found %zu",
                         tree_count(parameters));
    tree_entry parameter = tree_at(parameters, 0);
    return read_parameter(space, &parameter, 1, error);
}
