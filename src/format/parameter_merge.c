/* parameter_merge.c - a parameter given anew, with what it keeps. Layer: format. */
#include "parameter_merge.h"

#include <math.h>
#include <string.h>

#include "mem.h"
#include "value.h"

/* ---- categories -------------------------------------------------------------------------------- */

/* The number of a category; `count` if it is none. */
static size_t find_text(size_t count, const char *const *texts, const char *text) {
    size_t k = 0;
    while (k < count && strcmp(texts[k], text) != 0) k++;
    return k;
}

static void insert(parameter_merge *m, size_t at, const char *text, double number, unsigned char retired) {
    size_t behind = m->spec.count - at;
    memmove(m->texts + at + 1, m->texts + at, behind * sizeof *m->texts);
    memmove(m->numbers + at + 1, m->numbers + at, behind * sizeof *m->numbers);
    memmove(m->retired + at + 1, m->retired + at, behind);
    m->texts[at] = text;
    m->numbers[at] = number;
    m->retired[at] = retired;
    m->spec.count++;
}

static void append_category(parameter_merge *m, const locbo_parameter *p, size_t k, int retired) {
    insert(m, m->spec.count, p->categories[k], p->numbers ? p->numbers[k] : 0, (unsigned char)retired);
}

/* Without an order those of the study come first, so that their numbers stay. */
static void merge_plain(parameter_merge *m, const locbo_parameter *given, const locbo_parameter *old) {
    for (size_t k = 0; k < old->count; k++) {
        size_t at = find_text(given->count, given->categories, old->categories[k]);
        append_category(m, old, k, at == given->count || (given->retired && given->retired[at]));
    }
    for (size_t k = 0; k < given->count; k++)
        if (find_text(old->count, old->categories, given->categories[k]) == old->count)
            append_category(m, given, k, given->retired && given->retired[k]);
}

/* Where an old category that is no longer given belongs: by its number, or behind the one that it followed. */
static size_t place_of(const parameter_merge *m, const locbo_parameter *old, size_t k, int numbers) {
    size_t at = 0;
    if (!numbers) return k == 0 ? 0 : find_text(m->spec.count, m->texts, old->categories[k - 1]) + 1;
    while (at < m->spec.count && m->numbers[at] < old->numbers[k]) at++;
    return at;
}

static locbo_status merge_ordered(parameter_merge *m, const locbo_parameter *given, const locbo_parameter *old,
                                  locbo_error *error) {
    for (size_t k = 0; k < given->count; k++) append_category(m, given, k, given->retired && given->retired[k]);
    for (size_t k = 0; old && k < old->count; k++) {
        if (find_text(given->count, given->categories, old->categories[k]) < given->count) continue;
        if (given->numbers && !old->numbers)
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "parameter '%.40s': its category '%.40s', which is not given, has no number among those "
                               "given: give it too",
                               given->name, old->categories[k]);
        double number = old->numbers ? old->numbers[k] : 0;
        insert(m, place_of(m, old, k, given->numbers != NULL), old->categories[k], number, 1);
    }
    if (given->numbers) m->spec.numbers = m->numbers;
    return LOCBO_OK;
}

static locbo_status merge_categories(parameter_merge *m, const locbo_parameter *given, const locbo_parameter *old,
                                     locbo_error *error) {
    static const locbo_parameter none;
    size_t most = given->count + (old ? old->count : 0) + 1;
    m->texts = mem_new(most, sizeof *m->texts);
    m->numbers = mem_new(most, sizeof *m->numbers);
    m->retired = mem_new(most, 1);
    if (!m->texts || !m->numbers || !m->retired) return status_no_memory(error);
    m->spec.count = 0;
    locbo_status status = LOCBO_OK;
    if (given->kind == LOCBO_ORDERED)
        status = merge_ordered(m, given, old, error);
    else
        merge_plain(m, given, old ? old : &none);
    m->spec.categories = m->texts;
    return status;
}

/* spec.retired is NULL if none is. */
static void set_retired(parameter_merge *m) {
    size_t count = 0;
    for (size_t k = 0; k < m->spec.count; k++) count += m->retired[k];
    m->spec.retired = count > 0 ? m->retired : NULL;
}

/* ---- values ------------------------------------------------------------------------------------ */

/* A value of `p` among categories that may have other numbers; NAN if it is none of them. */
static double carry(const locbo_parameter *p, double value, size_t count, const char *const *texts) {
    if (p->count == 0 || isnan(value)) return value;
    size_t k = find_text(count, texts, p->categories[(size_t)value]);
    return k < count ? (double)k : (double)NAN;
}

static void carry_marks(parameter_merge *m, const locbo_parameter *given, const locbo_parameter *old) {
    double frozen = carry(given, given->frozen, m->spec.count, m->spec.categories);
    double past = carry(given, given->past, m->spec.count, m->spec.categories);
    int words = given->count > 0;
    if (isnan(past) && old && words == (old->count > 0))
        past = carry(old, old->past, m->spec.count, m->spec.categories);
    m->spec.is_frozen = !isnan(frozen);
    m->spec.frozen = isnan(frozen) ? 0 : frozen;
    m->spec.has_past = !isnan(past);
    m->spec.past = isnan(past) ? 0 : past;
}

static locbo_status carry_condition(parameter_merge *m, const locbo_space *given, const locbo_parameter *p,
                                    const locbo_space *into, locbo_error *error) {
    locbo_parameter from, to;
    size_t index;
    if (p->parent == SIZE_MAX) return LOCBO_OK;
    locbo_space_parameter(given, p->parent, &from, NULL);
    if (locbo_space_find(into, from.name, &index, NULL) != LOCBO_OK)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s' depends on '%.40s', which is not a parameter of the study", p->name,
                           from.name);
    locbo_space_parameter(into, index, &to, NULL);
    m->when = mem_new(p->when_count, sizeof *m->when);
    if (!m->when) return status_no_memory(error);
    for (size_t k = 0; k < p->when_count; k++) {
        m->when[k] = carry(&from, p->when[k], to.count, to.categories);
        if (isnan(m->when[k]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s' depends on '%.40s', which has no '%.40s'",
                               p->name, from.name, from.categories[(size_t)p->when[k]]);
    }
    m->spec.parent = to.name;
    m->spec.when_count = p->when_count;
    m->spec.when = m->when;
    return LOCBO_OK;
}

locbo_status parameter_merge_begin(parameter_merge *m, const locbo_space *given, size_t i, const locbo_parameter *old,
                                   const locbo_space *into, locbo_error *error) {
    locbo_parameter p;
    *m = (parameter_merge){.texts = NULL};
    locbo_status status = locbo_space_parameter(given, i, &p, error);
    if (status != LOCBO_OK) return status;
    m->spec = (locbo_parameter_spec){.struct_size = sizeof m->spec,
                                     .name = p.name,
                                     .kind = p.kind,
                                     .scale = p.scale,
                                     .low = p.low,
                                     .high = p.high,
                                     .step = p.step,
                                     .fidelity = p.fidelity};
    if (p.count > 0) status = merge_categories(m, &p, old, error);
    if (status == LOCBO_OK) status = carry_condition(m, given, &p, into, error);
    if (status != LOCBO_OK) return status;
    set_retired(m);
    carry_marks(m, &p, old);
    return status_ok(error);
}

void parameter_merge_release(parameter_merge *m) {
    mem_free(m->texts);
    mem_free(m->numbers);
    mem_free(m->when);
    mem_free(m->retired);
    *m = (parameter_merge){.texts = NULL};
}

/* ---- changes ----------------------------------------------------------------------------------- */

locbo_status parameter_merge_freeze(parameter_merge *m, const char *value, locbo_error *error) {
    const locbo_parameter p = value_parameter(&m->spec);
    m->spec.is_frozen = 1;
    m->spec.fidelity = 0; /* all further evaluations are equally thorough */
    return value_parse(&p, value, &m->spec.frozen, error);
}

void parameter_merge_unfreeze(parameter_merge *m) {
    m->spec.is_frozen = 0;
    m->spec.frozen = 0;
}

locbo_status parameter_merge_past(parameter_merge *m, const char *value, locbo_error *error) {
    const locbo_parameter p = value_parameter(&m->spec);
    m->spec.has_past = 1;
    return value_parse_anywhere(&p, value, &m->spec.past, error);
}

locbo_status parameter_merge_retire(parameter_merge *m, const char *category, int retired, locbo_error *error) {
    const locbo_parameter p = value_parameter(&m->spec);
    double k = 0;
    if (p.count == 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%.40s has no categories, so '%.40s' is none of them", p.name,
                           category);
    locbo_status status = value_parse(&p, category, &k, error);
    if (status != LOCBO_OK) return status;
    m->retired[(size_t)k] = (unsigned char)retired;
    set_retired(m);
    return LOCBO_OK;
}
