/* space.c - parameters, their checks, and the encoding the model sees. Layer: core. Cost: O(columns) a point. */
#include "space.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "constraints.h"
#include "mem.h"
#include "number.h"
#include "sized.h"
#include "text.h"

struct locbo_space {
    size_t dim, capacity;
    locbo_parameter *parameter;
    size_t *column; /* first column of each parameter */
    size_t columns, group_capacity;
    size_t *group;
    int conditional; /* a parameter depends on another */
    constraint_list limits;
    size_t fidelity; /* 1 + its number; 0: there is none */
};

locbo_status locbo_space_create(locbo_space **space, locbo_error *error) {
    if (!space) return status_fail(error, LOCBO_ERR_ARGUMENT, "space must not be NULL");
    locbo_space *s = mem_new(1, sizeof *s);
    if (!s) return status_no_memory(error);
    *space = s;
    return status_ok(error);
}

static void release_parameter(locbo_parameter *p) {
    for (size_t k = 0; p->categories && k < p->count; k++) mem_free((void *)p->categories[k]);
    mem_free((void *)p->categories);
    mem_free((void *)p->numbers);
    mem_free((void *)p->when);
    mem_free((void *)p->retired);
    mem_free((void *)p->name);
}

void locbo_space_destroy(locbo_space *space) {
    if (!space) return;
    for (size_t i = 0; i < space->dim; i++) release_parameter(&space->parameter[i]);
    constraints_release(&space->limits);
    mem_free(space->parameter);
    mem_free(space->column);
    mem_free(space->group);
    mem_free(space);
}

/* ---- checking a parameter ---------------------------------------------------------------------- */

static locbo_status check_name(const locbo_space *s, const char *name, locbo_error *error) {
    if (!s) return status_fail(error, LOCBO_ERR_ARGUMENT, "space must not be NULL");
    if (!name) return status_fail(error, LOCBO_ERR_ARGUMENT, "name must not be NULL");
    if (!*name) return status_fail(error, LOCBO_ERR_ARGUMENT, "a parameter's name must not be empty");
    /* saved states and reports are UTF-8; a text that is not is refused here, once */
    if (!text_is_valid(name))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the name of parameter %zu is not UTF-8", s->dim);
    for (size_t i = 0; i < s->dim; i++)
        if (strcmp(s->parameter[i].name, name) == 0)
            return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s' exists already", name);
    return LOCBO_OK;
}

static locbo_status check_scale(const char *name, locbo_scale scale, double low, int whole, locbo_error *error) {
    if (scale != LOCBO_LINEAR && scale != LOCBO_LOG)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': unknown scale %d", name, (int)scale);
    if (scale == LOCBO_LOG && !(whole ? low >= 0 : low > 0))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': a log scale needs low %s, got %g", name,
                           whole ? ">= 0" : "> 0", low);
    return LOCBO_OK;
}

static locbo_status check_real(const locbo_parameter_spec *p, locbo_error *error) {
    if (!isfinite(p->low) || !isfinite(p->high) || !isfinite(p->high - p->low))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s': the range and its width must be finite, got [%g, %g]", p->name, p->low,
                           p->high);
    if (!(p->low < p->high))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': low must be below high, got [%g, %g]",
                           p->name, p->low, p->high);
    return check_scale(p->name, p->scale, p->low, 0, error);
}

static locbo_status check_int(const locbo_parameter_spec *p, locbo_error *error) {
    const double exact = 0x1p53; /* beyond it doubles skip integers */
    if (!(p->low <= p->high && p->low >= -exact && p->high <= exact) || p->low != floor(p->low) ||
        p->high != floor(p->high))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s': low must not exceed high, both within +-2^53, got [%.16g, %.16g]",
                           p->name, p->low, p->high);
    return check_scale(p->name, p->scale, p->low, 1, error);
}

static locbo_status check_categories(const locbo_parameter_spec *p, locbo_error *error) {
    const char *const *texts = p->categories;
    if (p->count == 0 || !texts)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s' has no categories", p->name);
    for (size_t k = 0; k < p->count; k++) {
        if (!texts[k])
            return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': category %zu is NULL", p->name, k);
        if (!text_is_valid(texts[k]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': category %zu is not UTF-8", p->name, k);
        for (size_t j = 0; j < k; j++)
            if (strcmp(texts[j], texts[k]) == 0)
                return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': category '%.40s' occurs twice",
                                   p->name, texts[k]);
    }
    return LOCBO_OK;
}

static locbo_status check_numbers(const locbo_parameter_spec *p, locbo_error *error) {
    locbo_status status = check_categories(p, error);
    for (size_t k = 0; p->numbers && k < p->count && status == LOCBO_OK; k++) {
        if (!isfinite(p->numbers[k]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': number %zu must be finite, got %g",
                               p->name, k, p->numbers[k]);
        if (k > 0 && !(p->numbers[k - 1] < p->numbers[k]))
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "parameter '%.40s': the numbers of its categories must increase, got %g after %g",
                               p->name, p->numbers[k], p->numbers[k - 1]);
    }
    if (status == LOCBO_OK && p->scale == LOCBO_LOG && !p->numbers)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': a log scale needs numbers", p->name);
    return status == LOCBO_OK ? check_scale(p->name, p->scale, p->numbers ? p->numbers[0] : 1, 0, error) : status;
}

/* How many steps from low to high; not near a whole number: high is not one of the values. */
static double steps_of(double low, double high, double step) { return (high - low) / step; }

static int is_whole(double steps) { return fabs(steps - nearbyint(steps)) <= 1e-9 * fmax(1, fabs(steps)); }

static locbo_status check_step(const locbo_parameter_spec *p, locbo_error *error) {
    double steps = steps_of(p->low, p->high, p->step);
    if (p->step == 0) return LOCBO_OK;
    if (p->scale == LOCBO_LOG)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': a step %g needs a linear scale", p->name,
                           p->step);
    if (!(p->step > 0 && isfinite(p->step)) || (p->kind == LOCBO_INT && p->step != floor(p->step)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': the step must be %s, got %g", p->name,
                           p->kind == LOCBO_INT ? "a positive whole number" : "positive", p->step);
    if (!(steps < 0x1p53) || (p->kind == LOCBO_REAL && steps < 0.5))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': the step %g does not suit the range [%g, %g]",
                           p->name, p->step, p->low, p->high);
    if (!is_whole(steps))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s': high must be low plus a whole number of steps of %g, got [%g, %g]; the"
                           " last one is %.10g",
                           p->name, p->step, p->low, p->high, p->low + floor(steps) * p->step);
    return LOCBO_OK;
}

static locbo_status check_parent(const locbo_space *s, const locbo_parameter_spec *p, size_t *parent,
                                 locbo_error *error) {
    *parent = SIZE_MAX;
    if (!p->parent) return LOCBO_OK;
    if (locbo_space_find(s, p->parent, parent, NULL) != LOCBO_OK)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s' depends on '%.40s', which is not a parameter before it", p->name,
                           p->parent);
    if (s->parameter[*parent].kind == LOCBO_REAL)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s' depends on '%.40s', a real number: it must be an integer, a category or"
                           " a bool",
                           p->name, p->parent);
    if (p->when_count == 0 || !p->when)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s' depends on '%.40s': there is no value for which it is active", p->name,
                           p->parent);
    for (size_t k = 0; k < p->when_count; k++) {
        locbo_error why;
        if (space_check_value(s, *parent, p->when[k], &why) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s' depends on '%.40s': %s", p->name,
                               p->parent, why.message);
    }
    return LOCBO_OK;
}

static locbo_status check_fidelity(const locbo_space *s, const locbo_parameter_spec *p, locbo_error *error) {
    if (p->fidelity == 0) return LOCBO_OK;
    if (p->fidelity > 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': fidelity must be 0 or 1, got %" PRIu64,
                           p->name, p->fidelity);
    if (s->fidelity)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': '%.40s' is the fidelity already", p->name,
                           s->parameter[s->fidelity - 1].name);
    if (p->kind != LOCBO_REAL && p->kind != LOCBO_INT)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': a fidelity is a real or an integer", p->name);
    if (p->parent || p->is_frozen || !(p->low < p->high))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s': a fidelity is always active, not frozen, and has a range", p->name);
    return LOCBO_OK;
}

/* What a changed space may say of a parameter. */
static locbo_status check_changes(const locbo_parameter_spec *p, locbo_error *error) {
    size_t left = 0;
    for (size_t k = 0; p->retired && k < p->count; k++) left += !p->retired[k];
    if (p->retired && (p->count == 0 || left == 0))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': no category is left that is not retired",
                           p->name);
    if (p->is_frozen > 1 || p->has_past > 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': is_frozen and has_past must be 0 or 1",
                           p->name);
    if ((p->is_frozen && !isfinite(p->frozen)) || (p->has_past && !isfinite(p->past)))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s': frozen and past must be finite, got %g and %g", p->name, p->frozen,
                           p->past);
    return LOCBO_OK;
}

static locbo_status check_spec(const locbo_space *s, const locbo_parameter_spec *p, size_t *parent,
                               locbo_error *error) {
    locbo_status status = check_name(s, p->name, error);
    if (status != LOCBO_OK) return status;
    switch (p->kind) {
    case LOCBO_REAL:
        status = check_real(p, error);
        break;
    case LOCBO_INT:
        status = check_int(p, error);
        break;
    case LOCBO_CATEGORICAL:
        status = check_categories(p, error);
        break;
    case LOCBO_ORDERED:
        status = check_numbers(p, error);
        break;
    case LOCBO_BOOL:
        break;
    default:
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': unknown kind %d", p->name, (int)p->kind);
    }
    if (status == LOCBO_OK && (p->kind == LOCBO_REAL || p->kind == LOCBO_INT)) status = check_step(p, error);
    if (status == LOCBO_OK) status = check_changes(p, error);
    if (status == LOCBO_OK) status = check_fidelity(s, p, error);
    return status == LOCBO_OK ? check_parent(s, p, parent, error) : status;
}

/* ---- adding parameters ------------------------------------------------------------------------- */

static int has_categories(locbo_kind kind) { return kind == LOCBO_CATEGORICAL || kind == LOCBO_ORDERED; }

static int has_range(locbo_kind kind) { return kind == LOCBO_REAL || kind == LOCBO_INT; }

/* 0: no memory. */
static int copy_texts(const char *const *texts, size_t count, const char *const **to) {
    char **copies = mem_new(count, sizeof *copies);
    *to = (const char *const *)copies;
    for (size_t k = 0; copies && k < count; k++)
        if (!(copies[k] = mem_text(texts[k]))) return 0;
    return copies != NULL;
}

static int copy_numbers(const double *numbers, size_t count, const double **to) {
    double *copy = mem_new(count, sizeof *copy);
    if (copy) memcpy(copy, numbers, count * sizeof *copy);
    *to = copy;
    return copy != NULL;
}

static int copy_flags(const unsigned char *flags, size_t count, const unsigned char **to) {
    unsigned char *copy = mem_new(count, sizeof *copy);
    if (copy) memcpy(copy, flags, count);
    *to = copy;
    return copy != NULL;
}

static locbo_status check_value_of(const locbo_parameter *p, double value, locbo_error *error);

/* A value that a changed space mentions must be one of the parameter's; a value of the past may be retired. */
static locbo_status check_mentioned(const locbo_parameter *p, const char *what, double value, int past,
                                    locbo_error *error) {
    locbo_error why;
    locbo_parameter plain = *p;
    plain.frozen = (double)NAN;
    if (past) plain.retired = NULL;
    if (isnan(value) || check_value_of(&plain, value, &why) == LOCBO_OK) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s: %.200s", what, why.message);
}

/* s owns p's memory from here on; on failure it is released and s is unchanged. */
static locbo_status append(locbo_space *s, locbo_parameter p, locbo_error *error) {
    size_t columns = s->columns + (p.kind == LOCBO_CATEGORICAL ? p.count : 1);
    mem_array arrays[] = {{&s->parameter, sizeof *s->parameter}, {&s->column, sizeof *s->column}};
    if (!mem_reserve_all(2, arrays, &s->capacity, s->dim + 1) ||
        !mem_reserve(&s->group, &s->group_capacity, columns, sizeof *s->group)) {
        release_parameter(&p);
        return status_no_memory(error);
    }
    for (size_t c = s->columns; c < columns; c++) s->group[c] = s->dim;
    s->column[s->dim] = s->columns;
    s->parameter[s->dim++] = p;
    s->columns = columns;
    s->conditional |= p.parent != SIZE_MAX;
    if (p.fidelity) s->fidelity = s->dim;
    return status_ok(error);
}

static locbo_status add_checked(locbo_space *s, const locbo_parameter_spec *spec, size_t parent, locbo_error *error) {
    locbo_parameter p = {.kind = spec->kind,
                         .high = 1,
                         .parent = parent,
                         .frozen = spec->is_frozen ? spec->frozen : (double)NAN,
                         .past = spec->has_past ? spec->past : (double)NAN,
                         .fidelity = spec->fidelity};
    if (has_range(spec->kind)) {
        p.scale = spec->scale;
        p.low = spec->low;
        p.high = spec->high;
        p.step = spec->kind == LOCBO_INT && spec->step == 1 ? 0 : spec->step;
        if (spec->fidelity && p.step == 0 && p.low > 0 && p.high >= 10 * p.low) p.scale = LOCBO_LOG;
    }
    int good = (p.name = mem_text(spec->name)) != NULL;
    if (good && has_categories(spec->kind)) {
        p.high = (double)(spec->count - 1);
        p.count = spec->count;
        good = copy_texts(spec->categories, p.count, &p.categories);
    }
    if (good && spec->kind == LOCBO_ORDERED && spec->numbers) {
        p.scale = spec->scale;
        good = copy_numbers(spec->numbers, p.count, &p.numbers);
    }
    if (good && spec->parent) {
        p.when_count = spec->when_count;
        good = copy_numbers(spec->when, p.when_count, &p.when);
    }
    if (good && spec->retired) good = copy_flags(spec->retired, p.count, &p.retired);
    locbo_status status = good ? check_mentioned(&p, "frozen", p.frozen, 0, error) : status_no_memory(error);
    if (status == LOCBO_OK && has_categories(p.kind)) status = check_mentioned(&p, "past", p.past, 1, error);
    if (status == LOCBO_OK) return append(s, p, error);
    release_parameter(&p);
    return status;
}

locbo_status locbo_space_add(locbo_space *space, const locbo_parameter_spec *given, locbo_error *error) {
    locbo_parameter_spec spec = {.struct_size = sizeof spec};
    size_t parent;
    if (!given) return status_fail(error, LOCBO_ERR_ARGUMENT, "the parameter must not be NULL");
    locbo_status status = sized_take("parameter", &spec, sizeof spec, given, error);
    if (status == LOCBO_OK) status = check_spec(space, &spec, &parent, error);
    return status == LOCBO_OK ? add_checked(space, &spec, parent, error) : status;
}

locbo_status locbo_space_add_real(locbo_space *space, const char *name, double low, double high, locbo_scale scale,
                                  locbo_error *error) {
    const locbo_parameter_spec spec = {
        .struct_size = sizeof spec, .name = name, .kind = LOCBO_REAL, .scale = scale, .low = low, .high = high};
    return locbo_space_add(space, &spec, error);
}

locbo_status locbo_space_add_int(locbo_space *space, const char *name, int64_t low, int64_t high, locbo_scale scale,
                                 locbo_error *error) {
    const int64_t exact = INT64_C(1) << 53; /* beyond it doubles skip integers */
    if (name && (low < -exact || high > exact))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s': low must not exceed high, both within +-2^53, got [%" PRId64 ", %" PRId64
                           "]",
                           name, low, high);
    const locbo_parameter_spec spec = {.struct_size = sizeof spec,
                                       .name = name,
                                       .kind = LOCBO_INT,
                                       .scale = scale,
                                       .low = (double)low,
                                       .high = (double)high};
    return locbo_space_add(space, &spec, error);
}

locbo_status locbo_space_add_categorical(locbo_space *space, const char *name, size_t count,
                                         const char *const *categories, locbo_error *error) {
    const locbo_parameter_spec spec = {
        .struct_size = sizeof spec, .name = name, .kind = LOCBO_CATEGORICAL, .count = count, .categories = categories};
    return locbo_space_add(space, &spec, error);
}

locbo_parameter_spec space_spec(const locbo_space *s, size_t i) {
    const locbo_parameter *p = &s->parameter[i];
    return (locbo_parameter_spec){.struct_size = sizeof(locbo_parameter_spec),
                                  .name = p->name,
                                  .kind = p->kind,
                                  .scale = p->scale,
                                  .low = p->low,
                                  .high = p->high,
                                  .step = p->step,
                                  .count = p->count,
                                  .categories = p->categories,
                                  .numbers = p->numbers,
                                  .parent = p->parent == SIZE_MAX ? NULL : s->parameter[p->parent].name,
                                  .when_count = p->when_count,
                                  .when = p->when,
                                  .retired = p->retired,
                                  .is_frozen = !isnan(p->frozen),
                                  .frozen = isnan(p->frozen) ? 0 : p->frozen,
                                  .has_past = !isnan(p->past),
                                  .past = isnan(p->past) ? 0 : p->past,
                                  .fidelity = p->fidelity};
}

locbo_status space_copy(locbo_space **out, const locbo_space *space, locbo_error *error) {
    locbo_space *copy = NULL;
    locbo_status status = locbo_space_create(&copy, error);
    for (size_t i = 0; status == LOCBO_OK && i < space->dim; i++) {
        locbo_parameter_spec spec = space_spec(space, i);
        status = locbo_space_add(copy, &spec, error);
    }
    for (size_t i = 0; status == LOCBO_OK && i < constraints_count(&space->limits); i++)
        status = locbo_space_add_constraint(copy, constraints_text(&space->limits, i), error);
    if (status == LOCBO_OK) status = locbo_space_set_cost(copy, locbo_space_cost(space), error);
    if (status == LOCBO_OK) {
        copy->limits.allow = space->limits.allow;
        copy->limits.user = space->limits.user;
        *out = copy;
    } else {
        locbo_space_destroy(copy);
    }
    return status;
}

/* ---- cost -------------------------------------------------------------------------------------- */

locbo_status locbo_space_set_cost(locbo_space *space, const char *text, locbo_error *error) {
    if (!space) return status_fail(error, LOCBO_ERR_ARGUMENT, "space must not be NULL");
    return constraints_set_cost(&space->limits, space, text, error);
}

const char *locbo_space_cost(const locbo_space *space) { return space ? constraints_cost_text(&space->limits) : NULL; }

size_t locbo_space_fidelity(const locbo_space *space) { return space ? space_fidelity(space) : SIZE_MAX; }

locbo_status locbo_space_cost_at(const locbo_space *space, const double *x, double *cost, locbo_error *error) {
    if (!space || !x || !cost) return status_fail(error, LOCBO_ERR_ARGUMENT, "space, x and cost must not be NULL");
    if (!locbo_space_cost(space)) return status_fail(error, LOCBO_ERR_STATE, "the space has no cost expression");
    double value = constraints_cost_at(&space->limits, x);
    if (!(value > 0 && isfinite(value)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "cost '%.80s' must be positive and finite, got %g",
                           locbo_space_cost(space), value);
    *cost = value;
    return status_ok(error);
}

/* ---- known constraints ------------------------------------------------------------------------- */

locbo_status locbo_space_add_constraint(locbo_space *space, const char *text, locbo_error *error) {
    if (!space || !text) return status_fail(error, LOCBO_ERR_ARGUMENT, "space and text must not be NULL");
    return constraints_add(&space->limits, space, text, error);
}

locbo_status locbo_space_add_linear(locbo_space *space, const double *coefficients, double bound, locbo_error *error) {
    if (!space || !coefficients)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "space and coefficients must not be NULL");
    return constraints_add_linear(&space->limits, space, coefficients, bound, error);
}

void locbo_space_set_allowed(locbo_space *space, locbo_allow_fn *fn, void *user) {
    if (!space) return;
    space->limits.allow = fn;
    space->limits.user = user;
}

size_t locbo_space_constraint_count(const locbo_space *space) { return space ? constraints_count(&space->limits) : 0; }

const char *locbo_space_constraint(const locbo_space *space, size_t index) {
    return index < locbo_space_constraint_count(space) ? constraints_text(&space->limits, index) : NULL;
}

const constraint_list *space_limits(const locbo_space *s) { return constraints_any(&s->limits) ? &s->limits : NULL; }

/* ---- questions --------------------------------------------------------------------------------- */

size_t locbo_space_dim(const locbo_space *space) { return space ? space->dim : 0; }

locbo_status locbo_space_parameter(const locbo_space *space, size_t index, locbo_parameter *parameter,
                                   locbo_error *error) {
    if (!space || !parameter) return status_fail(error, LOCBO_ERR_ARGUMENT, "space and parameter must not be NULL");
    if (index >= space->dim)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "there is no parameter number %zu, only %zu", index, space->dim);
    *parameter = space->parameter[index];
    return status_ok(error);
}

locbo_status locbo_space_find(const locbo_space *space, const char *name, size_t *index, locbo_error *error) {
    if (!space || !name || !index)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "space, name and index must not be NULL");
    for (size_t i = 0; i < space->dim; i++)
        if (strcmp(space->parameter[i].name, name) == 0) {
            *index = i;
            return status_ok(error);
        }
    return status_fail(error, LOCBO_ERR_NOT_FOUND, "there is no parameter '%.40s'", name);
}

/* Whether the value is one of those of a parameter with steps, or a whole number. */
static int is_on_grid(const locbo_parameter *p, double value) {
    if (p->step > 0) return is_whole(steps_of(p->low, value, p->step));
    return p->kind == LOCBO_REAL || value == floor(value);
}

locbo_status space_check_value(const locbo_space *s, size_t i, double value, locbo_error *error) {
    return check_value_of(&s->parameter[i], value, error);
}

static int is_retired(const locbo_parameter *p, double value) { return p->retired && p->retired[(size_t)value]; }

static locbo_status check_value_of(const locbo_parameter *p, double value, locbo_error *error) {
    int inside = value >= p->low && value <= p->high && is_on_grid(p, value);
    int frozen = !isnan(p->frozen) && value != p->frozen;
    if (inside && !frozen && !is_retired(p, value)) return LOCBO_OK;
    if (!error) return LOCBO_ERR_ARGUMENT; /* the maximiser calls this often and needs no message */
    char got[NUMBER_TEXT], step[48] = "";
    number_print(value, got);
    if (inside && frozen)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s' is frozen at %.15g, got %s", p->name,
                           p->frozen, got);
    if (inside)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': the category '%.40s' is retired", p->name,
                           p->categories[(size_t)value]);
    if (p->step > 0) snprintf(step, sizeof step, " in steps of %.15g", p->step);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s' must be %s in [%.15g, %.15g]%s, got %s", p->name,
                       p->kind == LOCBO_REAL ? "a number" : "a whole number", p->low, p->high, step, got);
}

int space_is_conditional(const locbo_space *s) { return s->conditional; }

int space_is_active(const locbo_space *s, const double *x, size_t i) {
    const locbo_parameter *p = &s->parameter[i];
    if (p->parent == SIZE_MAX) return 1;
    for (size_t k = 0; k < p->when_count; k++)
        if (x[p->parent] == p->when[k]) return 1; /* the value of an inactive parent is NAN: equal to none */
    return 0;
}

static locbo_status check_inactive(const locbo_space *s, size_t i, double value, locbo_error *error) {
    const locbo_parameter *p = &s->parameter[i];
    if (isnan(value)) return LOCBO_OK;
    if (!error) return LOCBO_ERR_ARGUMENT;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s' is not active there, so it has no value, got %g",
                       p->name, value);
}

locbo_status locbo_space_check(const locbo_space *space, const double *x, locbo_error *error) {
    if (!space || !x) return status_fail(error, LOCBO_ERR_ARGUMENT, "space and x must not be NULL");
    for (size_t i = 0; i < space->dim; i++) {
        locbo_status status = space_is_active(space, x, i) ? space_check_value(space, i, x[i], error)
                                                           : check_inactive(space, i, x[i], error);
        if (status != LOCBO_OK) return status;
    }
    locbo_status status = constraints_check(&space->limits, x, space->dim, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

static int is_placed(const locbo_parameter *p, double value) {
    if (p->count > 0 || p->kind == LOCBO_BOOL) return value >= p->low && value <= p->high && value == floor(value);
    if (!isfinite(value) || (p->kind == LOCBO_INT && value != floor(value))) return 0;
    return p->scale == LOCBO_LINEAR || value > (p->kind == LOCBO_INT && p->low == 0 ? -1 : 0);
}

locbo_status space_check_placed(const locbo_space *s, const double *x, locbo_error *error) {
    size_t lacking = 0;
    for (size_t i = 0; i < s->dim; i++) lacking += isnan(x[i]) != 0;
    for (size_t i = 0; i < s->dim && lacking < s->dim; i++) {
        locbo_status status = LOCBO_OK;
        if (!space_is_active(s, x, i))
            status = check_inactive(s, i, x[i], error);
        else if (!is_placed(&s->parameter[i], x[i]))
            status = check_value_of(&s->parameter[i], x[i], error);
        if (status != LOCBO_OK) return status;
    }
    return LOCBO_OK;
}

locbo_status locbo_space_place(const locbo_space *space, double *x, locbo_error *error) {
    if (!space || !x) return status_fail(error, LOCBO_ERR_ARGUMENT, "space and x must not be NULL");
    for (size_t i = 0; i < space->dim; i++) {
        const locbo_parameter *p = &space->parameter[i];
        if (!space_is_active(space, x, i))
            x[i] = (double)NAN;
        else if (isnan(x[i]))
            x[i] = p->past;
        if (space_is_active(space, x, i) && !is_placed(p, x[i]))
            return isnan(x[i]) ? status_fail(error, LOCBO_ERR_ARGUMENT,
                                             "parameter '%.40s' has no value, and no past one is known", p->name)
                               : check_value_of(p, x[i], error);
    }
    return status_ok(error);
}

locbo_status locbo_space_active(const locbo_space *space, const double *x, unsigned char *active, locbo_error *error) {
    if (!space || !x || !active) return status_fail(error, LOCBO_ERR_ARGUMENT, "space, x and active must not be NULL");
    for (size_t i = 0; i < space->dim; i++) active[i] = (unsigned char)space_is_active(space, x, i);
    return status_ok(error);
}

size_t space_columns(const locbo_space *s) { return s->columns; }
const size_t *space_group(const locbo_space *s) { return s->group; }
size_t space_column(const locbo_space *s, size_t i) { return s->column[i]; }
locbo_kind space_kind(const locbo_space *s, size_t i) { return s->parameter[i].kind; }
size_t space_categories(const locbo_space *s, size_t i) { return s->parameter[i].count; }
size_t space_fidelity(const locbo_space *s) { return s->fidelity ? s->fidelity - 1 : SIZE_MAX; }

int space_is_continuous(const locbo_space *s, size_t i) {
    const locbo_parameter *p = &s->parameter[i];
    return p->kind == LOCBO_REAL && p->step == 0 && isnan(p->frozen);
}

/* ---- values of a grid -------------------------------------------------------------------------- */

/* Category number k of those that are not retired; the number of a category among them. */
static double category_at(const locbo_parameter *p, double k) {
    size_t c = 0;
    for (double left = k; c + 1 < p->count && (p->retired[c] || left-- > 0);) c++;
    return (double)c;
}

static double categories_before(const locbo_parameter *p, double value) {
    double before = 0;
    for (size_t c = 0; c < (size_t)value; c++) before += !p->retired[c];
    return before;
}

/* How many values a parameter has. */
static double values_of(const locbo_parameter *p) {
    if (!isnan(p->frozen)) return 1;
    if (p->retired) return categories_before(p, (double)p->count);
    if (p->step > 0) return nearbyint(steps_of(p->low, p->high, p->step)) + 1;
    return p->kind == LOCBO_REAL ? INFINITY : p->high - p->low + 1;
}

/* Value number k. Steps like 0.05 are written as quotients, so that the value is the double nearest to 0.15, not
 * 3 times a rounded 0.05. */
static double value_at(const locbo_parameter *p, double k) {
    if (!isnan(p->frozen)) return p->frozen;
    if (p->retired) return category_at(p, k);
    if (p->step == 0) return p->low + k;
    double per_unit = nearbyint(1 / p->step), low = nearbyint(p->low * per_unit);
    int quotient = p->step < 1 && fabs(per_unit * p->step - 1) < 1e-12 && is_whole(p->low * per_unit);
    double value = quotient ? (low + k) / per_unit : p->low + k * p->step;
    return value > p->high ? p->high : value;
}

static double index_of(const locbo_parameter *p, double value) {
    if (!isnan(p->frozen)) return 0;
    if (p->retired) return categories_before(p, value);
    return p->step > 0 ? nearbyint(steps_of(p->low, value, p->step)) : value - p->low;
}

double space_neighbour(const locbo_space *s, size_t i, double value, int direction) {
    const locbo_parameter *p = &s->parameter[i];
    double k = index_of(p, value) + direction;
    return k < 0 || k >= values_of(p) ? (double)NAN : value_at(p, k);
}

/* ---- the encoding ------------------------------------------------------------------------------ */

static double clamp(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

static double real_at(const locbo_parameter *p, double t) {
    double value =
        p->scale == LOCBO_LOG ? exp(log(p->low) + t * (log(p->high) - log(p->low))) : p->low + t * (p->high - p->low);
    return clamp(value, p->low, p->high); /* rounding may exceed an end */
}

/* A log scale of integers from 0 is that of the number plus 1. */
static double shift_of(const locbo_parameter *p) {
    return p->kind == LOCBO_INT && p->scale == LOCBO_LOG && p->low == 0 ? 1 : 0;
}

static double whole_at(const locbo_parameter *p, double t) {
    double value, shift = shift_of(p), low = p->low + shift - 0.5, high = p->high + shift + 0.5;
    if (p->kind == LOCBO_INT && p->scale == LOCBO_LOG && isnan(p->frozen)) /* each has an interval of the log axis */
        value = nearbyint(low * exp(t * log(high / low))) - shift;
    else
        value = value_at(p, fmin(floor(t * values_of(p)), values_of(p) - 1));
    return clamp(value, p->low, p->high);
}

double space_full(const locbo_space *s) {
    size_t i = space_fidelity(s);
    return space_encode_value(s, i, s->parameter[i].high);
}

void space_settle(const locbo_space *s, double *x) {
    for (size_t i = 0; s->conditional && i < s->dim; i++)
        if (!space_is_active(s, x, i)) x[i] = (double)NAN;
}

void space_complete(const locbo_space *s, double *x) {
    for (size_t i = 0; s->conditional && i < s->dim; i++) {
        if (!space_is_active(s, x, i))
            x[i] = (double)NAN;
        else if (isnan(x[i]))
            x[i] = space_is_continuous(s, i) ? real_at(&s->parameter[i], 0.5) : whole_at(&s->parameter[i], 0.5);
    }
}

double space_value_at(const locbo_space *s, size_t i, double t) {
    return space_is_continuous(s, i) ? real_at(&s->parameter[i], t) : whole_at(&s->parameter[i], t);
}

void space_from_unit(const locbo_space *s, const double *t, double *x) {
    for (size_t i = 0; i < s->dim; i++) x[i] = space_value_at(s, i, t[i]);
    space_settle(s, x);
}

/* Where a value of one column stands between the ends of the scale, as a number that grows evenly along it. */
static double along(const locbo_parameter *p, double value) {
    if (p->numbers) value = p->numbers[(size_t)value];
    return p->scale == LOCBO_LOG ? log(value + shift_of(p)) : value;
}

/* A result of a space that was wider lies outside [0, 1]. */
static double encode_one(const locbo_parameter *p, double value) {
    double low = along(p, p->low), width = along(p, p->high) - low;
    double place = width > 0 ? (along(p, value) - low) / width : 0; /* neighbours may have equal logarithms */
    return value >= p->low && value <= p->high ? clamp(place, 0, 1) : place;
}

/* The middle of the t that whole_at turns into this value. */
static double middle_of(const locbo_parameter *p, double value) {
    double shift = shift_of(p), low = p->low + shift - 0.5, high = p->high + shift + 0.5;
    if (p->kind == LOCBO_INT && p->scale == LOCBO_LOG && isnan(p->frozen))
        return log((value + shift) / low) / log(high / low);
    return (index_of(p, value) + 0.5) / values_of(p);
}

void space_to_unit(const locbo_space *s, const double *x, double *t) {
    for (size_t i = 0; i < s->dim; i++) {
        if (isnan(x[i]))
            t[i] = 0.5;
        else
            t[i] = space_is_continuous(s, i) ? encode_one(&s->parameter[i], x[i]) : middle_of(&s->parameter[i], x[i]);
    }
}

double space_encode_value(const locbo_space *s, size_t i, double value) { return encode_one(&s->parameter[i], value); }

double space_decode_real(const locbo_space *s, size_t i, double u) { return real_at(&s->parameter[i], clamp(u, 0, 1)); }

/* An inactive parameter has one place, so that it makes no distance between two points that lack it: the middle, or, of
 * a category, the origin, which is equally far from all of them. */
void space_encode(const locbo_space *s, const double *x, double *u) {
    for (size_t i = 0; i < s->dim; i++) {
        const locbo_parameter *p = &s->parameter[i];
        double *at = u + s->column[i];
        if (p->kind != LOCBO_CATEGORICAL) {
            *at = isnan(x[i]) ? 0.5 : encode_one(p, x[i]);
        } else {
            memset(at, 0, p->count * sizeof *at);
            if (!isnan(x[i])) at[(size_t)x[i]] = sqrt(0.5);
        }
    }
}

/* ---- fixed values, and finite spaces ----------------------------------------------------------- */

int space_is_free(const double *fixed, size_t i) { return !fixed || isnan(fixed[i]); }

int space_is_open(const locbo_space *s, const double *fixed, size_t i) {
    size_t parent = s->parameter[i].parent;
    if (!space_is_free(fixed, i)) return 0;
    return parent == SIZE_MAX || space_is_open(s, fixed, parent) ||
           (!space_is_free(fixed, parent) && space_is_active(s, fixed, i));
}

locbo_status space_check_fixed(const locbo_space *s, const double *fixed, locbo_error *error) {
    for (size_t i = 0; i < s->dim; i++) {
        size_t parent = s->parameter[i].parent;
        if (space_is_free(fixed, i)) continue;
        locbo_status status = space_check_value(s, i, fixed[i], error);
        if (status != LOCBO_OK) return status;
        if (parent != SIZE_MAX && !space_is_active(s, fixed, i))
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "parameter '%.40s' is fixed at %g, but '%.40s' is not fixed at a value for which it is"
                               " active",
                               s->parameter[i].name, fixed[i], s->parameter[parent].name);
    }
    return LOCBO_OK;
}

void space_hold(const locbo_space *s, const double *fixed, double *x) {
    for (size_t i = 0; i < s->dim; i++)
        if (!space_is_free(fixed, i)) x[i] = fixed[i];
}

int space_is_held(const locbo_space *s, const double *fixed, const double *x) {
    for (size_t i = 0; i < s->dim; i++)
        if (!space_is_free(fixed, i) && x[i] != fixed[i]) return 0;
    return 1;
}

double space_points(const locbo_space *s, const double *fixed) {
    double points = 1;
    for (size_t i = 0; i < s->dim; i++)
        if (space_is_open(s, fixed, i)) points *= values_of(&s->parameter[i]);
    return points;
}

int space_point(const locbo_space *s, const double *fixed, uint64_t k, double *x) {
    int first = 1; /* of the numbers that give this point */
    for (size_t i = 0; i < s->dim; i++) {
        const locbo_parameter *p = &s->parameter[i];
        uint64_t number = 0;
        if (space_is_open(s, fixed, i)) {
            uint64_t values = (uint64_t)values_of(p);
            number = k % values;
            k /= values;
        }
        int active = space_is_active(s, x, i);
        first = first && (active || number == 0);
        x[i] = !active ? (double)NAN : space_is_free(fixed, i) ? value_at(p, (double)number) : fixed[i];
    }
    return first;
}

uint64_t space_number(const locbo_space *s, const double *fixed, const double *x) {
    uint64_t k = 0;
    for (size_t i = s->dim; i-- > 0;) {
        const locbo_parameter *p = &s->parameter[i];
        if (!space_is_open(s, fixed, i)) continue;
        k = k * (uint64_t)values_of(p) + (isnan(x[i]) ? 0 : (uint64_t)index_of(p, x[i]));
    }
    return k;
}

int space_same(const locbo_space *s, const double *a, const double *b) {
    for (size_t i = 0; i < s->dim; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i]))) return 0;
    return 1;
}
