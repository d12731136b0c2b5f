/* space.c - parameters, their checks, and the encoding the model sees. Layer: core. Cost: O(columns) a point. */
#include "space.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "mem.h"
#include "number.h"
#include "text.h"

struct locbo_space {
    size_t dim, capacity;
    locbo_parameter *parameter;
    size_t *column; /* first column of each parameter */
    size_t columns, group_capacity;
    size_t *group;
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
    mem_free((void *)p->name);
}

void locbo_space_destroy(locbo_space *space) {
    if (!space) return;
    for (size_t i = 0; i < space->dim; i++) release_parameter(&space->parameter[i]);
    mem_free(space->parameter);
    mem_free(space->column);
    mem_free(space->group);
    mem_free(space);
}

/* ---- adding parameters ------------------------------------------------------------------------- */

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

static locbo_status check_scale(const char *name, locbo_scale scale, double low, double least, locbo_error *error) {
    if (scale != LOCBO_LINEAR && scale != LOCBO_LOG)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': unknown scale %d", name, (int)scale);
    if (scale == LOCBO_LOG && !(low >= least && low > 0))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': a log scale needs low %s, got %g", name,
                           least > 0 ? ">= 1" : "> 0", low);
    return LOCBO_OK;
}

/* s owns p's categories from here on; on failure they are released and s is unchanged. */
static locbo_status append(locbo_space *s, locbo_parameter p, const char *name, locbo_error *error) {
    size_t columns = s->columns + (p.kind == LOCBO_CATEGORICAL ? p.count : 1);
    mem_array arrays[] = {{&s->parameter, sizeof *s->parameter}, {&s->column, sizeof *s->column}};
    p.name = mem_text(name);
    if (!p.name || !mem_reserve_all(2, arrays, &s->capacity, s->dim + 1) ||
        !mem_reserve(&s->group, &s->group_capacity, columns, sizeof *s->group)) {
        release_parameter(&p);
        return status_no_memory(error);
    }
    for (size_t c = s->columns; c < columns; c++) s->group[c] = s->dim;
    s->column[s->dim] = s->columns;
    s->parameter[s->dim++] = p;
    s->columns = columns;
    return status_ok(error);
}

locbo_status locbo_space_add_real(locbo_space *space, const char *name, double low, double high, locbo_scale scale,
                                  locbo_error *error) {
    locbo_status status = check_name(space, name, error);
    if (status != LOCBO_OK) return status;
    if (!isfinite(low) || !isfinite(high) || !isfinite(high - low))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s': the range and its width must be finite, got [%g, %g]", name, low, high);
    if (!(low < high))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': low must be below high, got [%g, %g]", name,
                           low, high);
    status = check_scale(name, scale, low, 0, error);
    if (status != LOCBO_OK) return status;
    locbo_parameter p = {.kind = LOCBO_REAL, .scale = scale, .low = low, .high = high};
    return append(space, p, name, error);
}

locbo_status locbo_space_add_int(locbo_space *space, const char *name, int64_t low, int64_t high, locbo_scale scale,
                                 locbo_error *error) {
    const int64_t exact = INT64_C(1) << 53; /* beyond it doubles skip integers */
    locbo_status status = check_name(space, name, error);
    if (status != LOCBO_OK) return status;
    if (low > high || low < -exact || high > exact)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "parameter '%.40s': low must not exceed high, both within +-2^53, got [%" PRId64 ", %" PRId64
                           "]",
                           name, low, high);
    status = check_scale(name, scale, (double)low, 1, error);
    if (status != LOCBO_OK) return status;
    locbo_parameter p = {.kind = LOCBO_INT, .scale = scale, .low = (double)low, .high = (double)high};
    return append(space, p, name, error);
}

static locbo_status check_categories(const char *name, size_t count, const char *const *texts, locbo_error *error) {
    if (count == 0 || !texts)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s' has no categories", name);
    for (size_t k = 0; k < count; k++) {
        if (!texts[k])
            return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': category %zu is NULL", name, k);
        if (!text_is_valid(texts[k]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': category %zu is not UTF-8", name, k);
        for (size_t j = 0; j < k; j++)
            if (strcmp(texts[j], texts[k]) == 0)
                return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s': category '%.40s' occurs twice", name,
                                   texts[k]);
    }
    return LOCBO_OK;
}

locbo_status locbo_space_add_categorical(locbo_space *space, const char *name, size_t count,
                                         const char *const *categories, locbo_error *error) {
    locbo_status status = check_name(space, name, error);
    if (status == LOCBO_OK) status = check_categories(name, count, categories, error);
    if (status != LOCBO_OK) return status;
    locbo_parameter p = {.kind = LOCBO_CATEGORICAL, .high = (double)(count - 1), .count = count};
    char **copies = mem_new(count, sizeof *copies);
    if (!copies) return status_no_memory(error);
    p.categories = (const char *const *)copies;
    for (size_t k = 0; k < count; k++) {
        copies[k] = mem_text(categories[k]);
        if (!copies[k]) {
            release_parameter(&p);
            return status_no_memory(error);
        }
    }
    return append(space, p, name, error);
}

locbo_status space_copy(locbo_space **out, const locbo_space *space, locbo_error *error) {
    locbo_space *copy = NULL;
    locbo_status status = locbo_space_create(&copy, error);
    for (size_t i = 0; status == LOCBO_OK && i < space->dim; i++) {
        const locbo_parameter *p = &space->parameter[i];
        if (p->kind == LOCBO_REAL)
            status = locbo_space_add_real(copy, p->name, p->low, p->high, p->scale, error);
        else if (p->kind == LOCBO_INT)
            status = locbo_space_add_int(copy, p->name, (int64_t)p->low, (int64_t)p->high, p->scale, error);
        else
            status = locbo_space_add_categorical(copy, p->name, p->count, p->categories, error);
        if (status != LOCBO_OK) locbo_space_destroy(copy);
    }
    if (status == LOCBO_OK) *out = copy;
    return status;
}

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

locbo_status space_check_value(const locbo_space *s, size_t i, double value, locbo_error *error) {
    const locbo_parameter *p = &s->parameter[i];
    if (value >= p->low && value <= p->high && (p->kind == LOCBO_REAL || value == floor(value))) return LOCBO_OK;
    if (!error) return LOCBO_ERR_ARGUMENT; /* the maximiser calls this often and needs no message */
    char got[NUMBER_TEXT];
    number_print(value, got);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s' must be %s in [%.15g, %.15g], got %s", p->name,
                       p->kind == LOCBO_REAL ? "a number" : "a whole number", p->low, p->high, got);
}

locbo_status locbo_space_check(const locbo_space *space, const double *x, locbo_error *error) {
    if (!space || !x) return status_fail(error, LOCBO_ERR_ARGUMENT, "space and x must not be NULL");
    for (size_t i = 0; i < space->dim; i++) {
        locbo_status status = space_check_value(space, i, x[i], error);
        if (status != LOCBO_OK) return status;
    }
    return status_ok(error);
}

size_t space_columns(const locbo_space *s) { return s->columns; }
const size_t *space_group(const locbo_space *s) { return s->group; }
size_t space_column(const locbo_space *s, size_t i) { return s->column[i]; }
locbo_kind space_kind(const locbo_space *s, size_t i) { return s->parameter[i].kind; }
size_t space_categories(const locbo_space *s, size_t i) { return s->parameter[i].count; }

/* ---- the encoding ------------------------------------------------------------------------------ */

static double clamp(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

static double real_at(const locbo_parameter *p, double t) {
    double value =
        p->scale == LOCBO_LOG ? exp(log(p->low) + t * (log(p->high) - log(p->low))) : p->low + t * (p->high - p->low);
    return clamp(value, p->low, p->high); /* rounding may exceed an end */
}

static double whole_at(const locbo_parameter *p, double t) {
    double value;
    if (p->scale == LOCBO_LOG) /* from low - 1/2 to high + 1/2: every value has an interval of the log axis */
        value = nearbyint((p->low - 0.5) * exp(t * log((p->high + 0.5) / (p->low - 0.5))));
    else
        value = p->low + floor(t * (p->high - p->low + 1));
    return clamp(value, p->low, p->high);
}

void space_from_unit(const locbo_space *s, const double *t, double *x) {
    for (size_t i = 0; i < s->dim; i++) {
        const locbo_parameter *p = &s->parameter[i];
        x[i] = p->kind == LOCBO_REAL ? real_at(p, t[i]) : whole_at(p, t[i]);
    }
}

static double encode_one(const locbo_parameter *p, double value) {
    int logs = p->scale == LOCBO_LOG;
    double above = logs ? log(value) - log(p->low) : value - p->low;
    double width = logs ? log(p->high) - log(p->low) : p->high - p->low;
    return width > 0 ? clamp(above / width, 0, 1) : 0; /* neighbours may have equal logarithms */
}

void space_to_unit(const locbo_space *s, const double *x, double *t) {
    for (size_t i = 0; i < s->dim; i++) {
        const locbo_parameter *p = &s->parameter[i];
        if (p->kind == LOCBO_REAL)
            t[i] = encode_one(p, x[i]);
        else if (p->scale == LOCBO_LOG)
            t[i] = log(x[i] / (p->low - 0.5)) / log((p->high + 0.5) / (p->low - 0.5));
        else
            t[i] = (x[i] - p->low + 0.5) / (p->high - p->low + 1);
    }
}

double space_encode_value(const locbo_space *s, size_t i, double value) { return encode_one(&s->parameter[i], value); }

double space_decode_real(const locbo_space *s, size_t i, double u) { return real_at(&s->parameter[i], clamp(u, 0, 1)); }

void space_encode(const locbo_space *s, const double *x, double *u) {
    for (size_t i = 0; i < s->dim; i++) {
        const locbo_parameter *p = &s->parameter[i];
        double *at = u + s->column[i];
        if (p->kind != LOCBO_CATEGORICAL) {
            *at = encode_one(p, x[i]);
        } else {
            memset(at, 0, p->count * sizeof *at);
            at[(size_t)x[i]] = sqrt(0.5);
        }
    }
}

static double values_of(const locbo_parameter *p) { return p->kind == LOCBO_REAL ? INFINITY : p->high - p->low + 1; }

int space_is_free(const double *fixed, size_t i) { return !fixed || isnan(fixed[i]); }

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
        if (space_is_free(fixed, i)) points *= values_of(&s->parameter[i]);
    return points;
}

void space_point(const locbo_space *s, const double *fixed, uint64_t k, double *x) {
    space_hold(s, fixed, x);
    for (size_t i = 0; i < s->dim; i++) {
        if (!space_is_free(fixed, i)) continue;
        uint64_t values = (uint64_t)values_of(&s->parameter[i]);
        x[i] = s->parameter[i].low + (double)(k % values);
        k /= values;
    }
}

uint64_t space_number(const locbo_space *s, const double *fixed, const double *x) {
    uint64_t k = 0;
    for (size_t i = s->dim; i-- > 0;)
        if (space_is_free(fixed, i))
            k = k * (uint64_t)values_of(&s->parameter[i]) + (uint64_t)(x[i] - s->parameter[i].low);
    return k;
}

int space_same(const locbo_space *s, const double *a, const double *b) {
    for (size_t i = 0; i < s->dim; i++)
        if (a[i] != b[i]) return 0;
    return 1;
}
