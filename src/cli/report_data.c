/* report_data.c - the answers that a report holds. Layer: cli, middle. Cost: that of the model for
 * each pair of parameters. */
#include "report_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json_text.h"
#include "mem.h"
#include "moment.h"
#include "number.h"
#include "rows.h"
#include "text.h"
#include "view_studies.h"
#include "views.h"

enum { PAGE = 500, ALL_PAIRS = 5, SOME_PAIRS = 4 };
#define COARSE "21" /* points per axis of maps of outputs besides the first objective */

typedef struct gathering {
    locbo_store *store;
    const char *name; /* of the study; NULL: the only one */
    cache *cache;
    buffer *text;
    size_t done, total;
    int has_curves; /* evaluations report steps */
    report_progress_fn *fn;
    void *user;
} gathering;

/* ---- text ------------------------------------------------------------------------------------ */

/* What must not stand in a script element, as JSON may write it too. Outside texts JSON has none
 * of these; U+2028 and U+2029 end lines in some readers. Returns how many bytes were one. */
static size_t find_escape(const char *at, size_t size, const char **escape) {
    static const struct {
        const char *bytes, *escape;
    } table[] = {
        {"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}, {"\xe2\x80\xa8", "\\u2028"}, {"\xe2\x80\xa9", "\\u2029"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t length = strlen(table[i].bytes);
        if (length > size || memcmp(at, table[i].bytes, length) != 0) continue;
        *escape = table[i].escape;
        return length;
    }
    return 0;
}

static void add_safely(buffer *to, const char *text, size_t size) {
    size_t from = 0;
    for (size_t i = 0; i < size;) {
        const char *escape;
        size_t length = find_escape(text + i, size - i, &escape);
        if (length > 0) {
            buffer_add(to, text + from, i - from);
            buffer_text(to, escape);
            from = i + length;
        }
        i += length ? length : 1;
    }
    buffer_add(to, text + from, size - from);
}

/* As encodeURIComponent has it. */
static void add_encoded(buffer *to, const char *text) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()";
    for (; *text; text++)
        if (strchr(plain, *text))
            buffer_char(to, *text, 1);
        else
            buffer_print(to, "%%%02X", (unsigned)(unsigned char)*text);
}

/* The key of an answer; the items are in alphabetical order. */
static void write_key(buffer *to, const char *name, size_t count, const query_item *items) {
    buffer_text(to, name);
    for (size_t i = 0; i < count; i++) {
        buffer_char(to, i == 0 ? '?' : '&', 1);
        buffer_text(to, items[i].key);
        buffer_char(to, '=', 1);
        add_encoded(to, items[i].value);
    }
}

static locbo_status add_pair(gathering *g, const char *name, size_t count, const query_item *items,
                             const json_t *answer, locbo_error *error) {
    buffer key = {.data = NULL}, plain = {.data = NULL};
    write_key(&key, name, count, items);
    if (g->done > 0) buffer_char(&plain, ',', 1);
    json_text_string(&plain, key.data, key.size);
    buffer_char(&plain, ':', 1);
    json_text_write(&plain, answer, 0);
    add_safely(g->text, plain.data, plain.size);
    int failed = key.failed || plain.failed || g->text->failed;
    mem_free(key.data);
    mem_free(plain.data);
    if (failed) return status_no_memory(error);
    g->done++;
    if (g->fn) g->fn(g->done, g->total, g->user);
    return LOCBO_OK;
}

/* ---- answers --------------------------------------------------------------------------------- */

static locbo_status ask(gathering *g, const char *name, size_t count, const query_item *items, json_t **answer,
                        locbo_error *error) {
    query q = {.count = count, .items = items};
    return view_answer(view_find(name), g->cache, &q, answer, error);
}

/* Ask and add. */
static locbo_status take(gathering *g, const char *name, size_t count, const query_item *items, locbo_error *error) {
    json_t *answer = NULL;
    locbo_status status = ask(g, name, count, items, &answer, error);
    if (status == LOCBO_OK) status = add_pair(g, name, count, items, answer, error);
    json_decref(answer);
    return status;
}

static locbo_status take_plain(gathering *g, locbo_error *error) {
    static const char *const names[] = {"overview",    "definition", "choices",    "history",
                                        "calibration", "importance", "parameters", "log"};
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && status == LOCBO_OK; i++)
        status = take(g, names[i], 0, NULL, error);
    if (status == LOCBO_OK && g->has_curves) status = take(g, "curves", 0, NULL, error);
    if (status == LOCBO_OK && cache_outputs(g->cache)->objectives > 1) status = take(g, "pareto", 0, NULL, error);
    if (status == LOCBO_OK && cache_outputs(g->cache)->objectives > 1) status = take(g, "hypervolume", 0, NULL, error);
    return status;
}

/* The list of studies has this one. */
static locbo_status take_studies(gathering *g, locbo_error *error) {
    json_t *row = NULL, *answer = NULL;
    locbo_status status = view_studies_row(cache_study(g->cache), &row, error);
    if (status == LOCBO_OK) status = view_studies_answer(cache_url(g->cache), 0, json_pack("[o]", row), &answer, error);
    if (status == LOCBO_OK) status = add_pair(g, "studies", 0, NULL, answer, error);
    json_decref(answer);
    return status;
}

/* ---- trials ---------------------------------------------------------------------------------- */

static json_int_t trial_of(const json_t *row) { return json_integer_value(json_object_get(row, "trial")); }

static locbo_status ask_page(gathering *g, size_t number, json_t **answer, locbo_error *error) {
    char page[24], size[24];
    snprintf(page, sizeof page, "%zu", number);
    snprintf(size, sizeof size, "%d", PAGE);
    const query_item items[] = {{"order", "desc"}, {"page", page}, {"size", size}, {"sort", "trial"}};
    return ask(g, "trials", sizeof items / sizeof items[0], items, answer, error);
}

/* The newest REPORT_ROWS trials as one page, newest first. */
static locbo_status gather_rows(gathering *g, json_t **answer, locbo_error *error) {
    json_t *first = NULL;
    locbo_status status = ask_page(g, 1, &first, error);
    if (status != LOCBO_OK) return status;
    json_t *rows = json_object_get(first, "rows");
    for (size_t page = 2; status == LOCBO_OK && page <= REPORT_ROWS / PAGE; page++) {
        json_t *next = NULL;
        if (json_array_size(rows) < (page - 1) * PAGE) break; /* that was all */
        status = ask_page(g, page, &next, error);
        if (status == LOCBO_OK && json_array_extend(rows, json_object_get(next, "rows")) != 0)
            status = status_no_memory(error);
        json_decref(next);
    }
    if (status == LOCBO_OK && rows &&
        json_object_set_new(first, "size", json_integer((json_int_t)json_array_size(rows))) != 0)
        status = status_no_memory(error);
    if (status == LOCBO_OK)
        *answer = first;
    else
        json_decref(first);
    return status;
}

/* Of a text the last bytes, from the beginning of a character on. */
static int cut_text(json_t *output, const char *key) {
    json_t *text = json_object_get(output, key);
    size_t size = json_string_length(text);
    if (size <= REPORT_OUTPUT) return 1;
    const char *at = json_string_value(text) + size - REPORT_OUTPUT, *end = at + REPORT_OUTPUT;
    while (at < end && text_continues(*at)) at++;
    return json_object_set_new(output, key, json_stringn(at, (size_t)(end - at))) == 0;
}

static locbo_status take_trial(gathering *g, json_int_t number, locbo_error *error) {
    char text[24];
    json_t *answer = NULL, *output;
    size_t i;
    int good = 1;
    snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, number);
    const query_item item = {"number", text};
    locbo_status status = ask(g, "trial", 1, &item, &answer, error);
    if (status != LOCBO_OK) return status;
    json_array_foreach(json_object_get(answer, rows_printed_key(cache_outputs(g->cache)->table)), i, output) {
        good = good && cut_text(output, "out") && cut_text(output, "err");
    }
    status = good ? add_pair(g, "trial", 1, &item, answer, error) : status_no_memory(error);
    json_decref(answer);
    return status;
}

static locbo_status take_trials(gathering *g, const json_t *answer, locbo_error *error) {
    const json_t *rows = json_object_get(answer, "rows");
    locbo_status status = add_pair(g, "trials", 0, NULL, answer, error);
    for (size_t i = 0; status == LOCBO_OK && i < json_array_size(rows) && i < REPORT_TRIALS; i++)
        status = take_trial(g, trial_of(json_array_get(rows, i)), error);
    return status;
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* How much a parameter matters; -1 if it is not known. */
static double weight_of(const json_t *importance, const char *name) {
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(importance, "parameters"), i, row) {
        const char *of = json_string_value(json_object_get(row, "name"));
        double weight = rows_real(json_object_get(row, "total"));
        if (of && strcmp(of, name) == 0 && !isnan(weight)) return weight;
    }
    return -1;
}

/* Whether a parameter can be the axis of a picture. */
static int is_axis(const gathering *g, size_t j) {
    locbo_parameter p;
    return locbo_space_parameter(cache_space(g->cache), j, &p, NULL) == LOCBO_OK && isnan(p.frozen);
}

static size_t count_axes(const gathering *g) {
    size_t count = 0;
    for (size_t j = 0; j < locbo_space_dim(cache_space(g->cache)); j++) count += is_axis(g, j) != 0;
    return count;
}

static const char *name_of(const gathering *g, size_t j) {
    locbo_parameter p;
    return locbo_space_parameter(cache_space(g->cache), j, &p, NULL) == LOCBO_OK ? p.name : "";
}

/* The one that matters most of those not chosen. */
static size_t find_heaviest(const gathering *g, const json_t *importance, const char *chosen) {
    size_t dim = locbo_space_dim(cache_space(g->cache)), best = dim;
    double most = -INFINITY;
    for (size_t j = 0; j < dim; j++) {
        double weight = chosen[j] || !is_axis(g, j) ? -INFINITY : weight_of(importance, name_of(g, j));
        if (weight > most) most = weight, best = j;
    }
    return best;
}

/* Which parameters are looked at in pairs: all of a few, otherwise those that matter most. */
static locbo_status choose(gathering *g, char *chosen, locbo_error *error) {
    size_t dim = locbo_space_dim(cache_space(g->cache));
    json_t *importance = NULL;
    if (count_axes(g) <= ALL_PAIRS) {
        for (size_t j = 0; j < dim; j++) chosen[j] = is_axis(g, j) != 0;
        return LOCBO_OK;
    }
    locbo_status status = ask(g, "importance", 0, NULL, &importance, error);
    for (size_t i = 0; i < SOME_PAIRS && status == LOCBO_OK; i++) chosen[find_heaviest(g, importance, chosen)] = 1;
    json_decref(importance);
    return status;
}

/* An answer about an output; NULL: about the first objective, which no key names. Maps of the others are coarser, since
 * they are many. */
static locbo_status take_of(gathering *g, const char *name, const char *output, const query_item *items, size_t count,
                            locbo_error *error) {
    query_item all[5];
    size_t n = 0, i = 0;
    while (i < count && strcmp(items[i].key, "output") < 0) all[n++] = items[i++];
    if (output) all[n++] = (query_item){"output", output};
    while (i < count) all[n++] = items[i++];
    if (!output || strcmp(name, "contour") != 0) return take(g, name, n, all, error);
    all[n] = (query_item){"points", COARSE}; /* the key of an answer does not have it */
    json_t *answer = NULL;
    locbo_status status = ask(g, name, n + 1, all, &answer, error);
    if (status == LOCBO_OK) status = add_pair(g, name, n, all, answer, error);
    json_decref(answer);
    return status;
}

static locbo_status take_slices(gathering *g, const char *output, locbo_error *error) {
    size_t dim = locbo_space_dim(cache_space(g->cache));
    locbo_status status = LOCBO_OK;
    for (size_t j = 0; j < dim && status == LOCBO_OK; j++) {
        const query_item items[] = {{"at", "recommended"}, {"parameter", name_of(g, j)}};
        if (!is_axis(g, j)) continue;
        status = take_of(g, "slice", output, items, 2, error);
    }
    return status;
}

static locbo_status take_contours(gathering *g, const char *output, const char *chosen, locbo_error *error) {
    size_t dim = locbo_space_dim(cache_space(g->cache));
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < dim; i++)
        for (size_t j = i + 1; j < dim && status == LOCBO_OK; j++) {
            const query_item items[] = {{"at", "recommended"}, {"x", name_of(g, i)}, {"y", name_of(g, j)}};
            if (chosen[i] && chosen[j]) status = take_of(g, "contour", output, items, 3, error);
        }
    return status;
}

/* What there is of an output besides the first objective. */
static locbo_status take_output(gathering *g, size_t k, const char *chosen, locbo_error *error) {
    const output_list *list = cache_outputs(g->cache);
    const char *name = list->spec[k].name;
    locbo_status status = take_of(g, "history", name, NULL, 0, error);
    if (status == LOCBO_OK) status = take_of(g, "parameters", name, NULL, 0, error);
    if (status != LOCBO_OK || !output_list_is_modelled(list, k)) return status;
    status = take_of(g, "calibration", name, NULL, 0, error);
    if (status == LOCBO_OK) status = take_of(g, "importance", name, NULL, 0, error);
    if (status == LOCBO_OK) status = take_slices(g, name, error);
    return status == LOCBO_OK ? take_contours(g, name, chosen, error) : status;
}

static locbo_status take_pictures(gathering *g, locbo_error *error) {
    const output_list *list = cache_outputs(g->cache);
    char *chosen = mem_new(locbo_space_dim(cache_space(g->cache)), 1);
    locbo_status status = chosen ? choose(g, chosen, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = take_slices(g, NULL, error);
    if (status == LOCBO_OK) status = take_contours(g, NULL, chosen, error);
    for (size_t k = 0; k < list->count && status == LOCBO_OK; k++)
        if (k != list->first) status = take_output(g, k, chosen, error);
    mem_free(chosen);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static size_t count_answers(const gathering *g, const json_t *trials) {
    const output_list *list = cache_outputs(g->cache);
    size_t dim = count_axes(g), pages = json_array_size(json_object_get(trials, "rows"));
    size_t paired = dim <= ALL_PAIRS ? dim : SOME_PAIRS, pictures = dim + paired * (paired - 1) / 2;
    size_t others = list->table ? 2 * (list->count - 1) + (2 + pictures) * (list->modelled - 1) : 0;
    return 10 + pictures + others + (list->objectives > 1 ? 2 : 0) + (g->has_curves ? 1 : 0) +
           (pages < REPORT_TRIALS ? pages : REPORT_TRIALS);
}

static locbo_status take_all(gathering *g, locbo_error *error) {
    json_t *trials = NULL;
    locbo_status status = gather_rows(g, &trials, error);
    if (status != LOCBO_OK) return status;
    status = cache_has_curves(g->cache, &g->has_curves, error);
    g->total = count_answers(g, trials);
    if (status == LOCBO_OK) status = take_studies(g, error);
    if (status == LOCBO_OK) status = take_plain(g, error);
    if (status == LOCBO_OK) status = take_pictures(g, error);
    if (status == LOCBO_OK) status = take_trials(g, trials, error);
    json_decref(trials);
    return status;
}

static locbo_status begin(gathering *g, locbo_error *error) {
    const locbo_census *census;
    char number[NUMBER_TEXT];
    locbo_status status = cache_census(g->cache, &census, error);
    if (status != LOCBO_OK) return status;
    number_print(census->now, number);
    buffer_text(g->text, "{\"made\":");
    buffer_text(g->text, number);
    buffer_text(g->text, ",\"version\":");
    json_text_string(g->text, locbo_version(), strlen(locbo_version()));
    buffer_text(g->text, ",\"answers\":{");
    return LOCBO_OK;
}

static locbo_status gather(void *user, locbo_error *error) {
    gathering *g = user;
    g->cache = NULL;
    g->done = 0;
    g->text->size = 0;
    locbo_status status = cache_open(&g->cache, g->store, g->name, error);
    if (status == LOCBO_OK) status = cache_refresh(g->cache, error);
    if (status == LOCBO_OK) status = begin(g, error);
    if (status == LOCBO_OK) status = take_all(g, error);
    cache_close(g->cache);
    return status;
}

locbo_status report_data_write(locbo_store *store, const char *name, buffer *text, report_progress_fn *fn, void *user,
                               locbo_error *error) {
    gathering g = {.store = store, .name = name, .text = text, .fn = fn, .user = user};
    locbo_status status = moment_read(store, gather, &g, error);
    if (status != LOCBO_OK) return status;
    buffer_text(text, "}}");
    return text->failed ? status_no_memory(error) : status_ok(error);
}
