/* json_mutate.c - what libFuzzer calls to change an input of a target that reads JSON. Bytes changed at random are
 * seldom JSON; this changes values of the text, or of one of its lines, so that the code behind the parser is reached
 * too. */
#include <jansson.h>

#include "draw.h"
#include "fuzz.h"

/* libFuzzer's own change. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { DEPTH = 64 };

/* A value and where it is: in an object by its key, in a list by its index. */
typedef struct place {
    json_t *parent, *value;
    const char *key;
    size_t index;
} place;

/* Visits the values below `json`; the one of number *left, from 0, is the place found. */
static int find(json_t *json, size_t *left, place *found, int depth) {
    place here = {.parent = json};
    if (depth == DEPTH) return 0;
    if (json_is_object(json)) {
        json_object_foreach(json, here.key, here.value) {
            *found = here;
            if ((*left)-- == 0 || find(here.value, left, found, depth + 1)) return 1;
        }
    }
    for (; here.index < json_array_size(json); here.index++) {
        here.value = json_array_get(json, here.index);
        *found = here;
        if ((*left)-- == 0 || find(here.value, left, found, depth + 1)) return 1;
    }
    return 0;
}

static int any(json_t *root, draw *d, place *found) {
    size_t all = SIZE_MAX;
    find(root, &all, found, 0);
    size_t count = SIZE_MAX - all;
    if (count == 0) return 0;
    size_t left = draw_below(d, count);
    return find(root, &left, found, 0);
}

static json_t *odd_value(draw *d) {
    static const char *const texts[] = {"null",
                                        "true",
                                        "false",
                                        "0",
                                        "-0.0",
                                        "1",
                                        "-1",
                                        "2",
                                        "3",
                                        "0.5",
                                        "1e-320",
                                        "1e308",
                                        "-1e308",
                                        "1e22",
                                        "4294967296",
                                        "2147483648",
                                        "9007199254740993",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "\"\"",
                                        "\"nan\"",
                                        "\"inf\"",
                                        "\"-inf\"",
                                        "\"0\"",
                                        "\"1\"",
                                        "\"18446744073709551615\"",
                                        "\"1e400\"",
                                        "\"\\u00e9\\u202e\\u009b\"",
                                        "\"a\\u0000\"",
                                        "\"'; --\"",
                                        "\"random\"",
                                        "\"bo\"",
                                        "\"cbo\"",
                                        "\"ocbo-l\"",
                                        "\"thompson\"",
                                        "[]",
                                        "[0]",
                                        "{}"};
    return json_loads(texts[draw_below(d, sizeof texts / sizeof texts[0])], JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
}

static json_t *near_value(const json_t *json, draw *d) {
    static const double factors[] = {-1, 0.5, 2, 1 + 1e-15, 1e10, 1e-10};
    if (json_is_integer(json)) return json_integer(json_integer_value(json) ^ (1 << draw_below(d, 6)));
    if (json_is_real(json)) return json_real(json_real_value(json) * factors[draw_below(d, 6)]);
    return odd_value(d);
}

/* Takes the new value; NULL: the old one is removed. */
static void put(const place *at, json_t *value) {
    if (at->key && value)
        json_object_set_new(at->parent, at->key, value);
    else if (at->key)
        json_object_del(at->parent, at->key);
    else if (value)
        json_array_set_new(at->parent, at->index, value);
    else
        json_array_remove(at->parent, at->index);
}

static void change(json_t *root, draw *d) {
    place at, other;
    if (!any(root, d, &at) || !any(root, d, &other)) return;
    switch (draw_below(d, 6)) {
    case 0:
        put(&at, NULL);
        break;
    case 1: /* once more, or moved */
        if (json_is_array(at.parent))
            json_array_insert_new(at.parent, draw_below(d, json_array_size(at.parent) + 1), json_deep_copy(at.value));
        break;
    case 2:
        put(&at, json_deep_copy(other.value));
        break;
    case 3:
        put(&at, odd_value(d));
        break;
    default:
        put(&at, near_value(at.value, d));
        break;
    }
}

/* The line that a random byte is in. */
static size_t choose_line(const uint8_t *data, size_t size, draw *d, size_t *length) {
    size_t begin = draw_below(d, size), end = begin;
    while (begin > 0 && data[begin - 1] != '\n') begin--;
    while (end < size && data[end] != '\n') end++;
    *length = end - begin;
    return begin;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    draw d = draw_open(seed, size);
    size_t begin = 0, length = size, made;
    json_t *root = size ? json_loadb((char *)data, size, JSON_ALLOW_NUL, NULL) : NULL;
    if (!root && size) {
        begin = choose_line(data, size, &d, &length);
        root = json_loadb((char *)data + begin, length, JSON_ALLOW_NUL, NULL);
    }
    if (!root || draw_below(&d, 4) == 0) {
        json_decref(root);
        return LLVMFuzzerMutate(data, size, most);
    }
    for (uint64_t times = 1 + draw_below(&d, 3); times > 0; times--) change(root, &d);
    char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(root);
    made = text ? strlen(text) : 0;
    if (made > 0 && size - length + made <= most) {
        memmove(data + begin + made, data + begin + length, size - begin - length);
        memcpy(data + begin, text, made);
        size = size - length + made;
    }
    free(text);
    return size;
}
