/* fuzz_result.c - what an objective printed, and the same bytes as its result file, with and without names of outputs.
 * A value that is taken is sound, and written as JSON it is read back; otherwise the message is one line of UTF-8. */
#include <math.h>

#include "buffer.h"
#include "mem.h"
#include "number.h"
#include "named.h"
#include "result.h"

/* {"values": [...], "sd": [...], "n": [...]} of column `at` of `width`. */
static void write_column(buffer *b, const outcome *o, size_t at, size_t width) {
    char number[NUMBER_TEXT];
    buffer_text(b, "{\"values\":");
    for (size_t i = at; i < o->count * width; i += width) {
        number_print(o->measurements[i].value, number);
        buffer_text(b, i > at ? "," : "["), buffer_text(b, isnan(o->measurements[i].value) ? "null" : number);
    }
    buffer_text(b, "],\"sd\":");
    for (size_t i = at; i < o->count * width; i += width) {
        number_print(o->measurements[i].sd, number);
        buffer_text(b, i > at ? "," : "["), buffer_text(b, isnan(o->measurements[i].sd) ? "null" : number);
    }
    buffer_text(b, "],\"n\":");
    for (size_t i = at; i < o->count * width; i += width)
        buffer_print(b, "%c%u", i > at ? ',' : '[', o->measurements[i].n);
    buffer_text(b, "]}");
}

/* The columns of all outputs, those that are not measured too, which are ignored. */
static void write_columns(buffer *b, const locbo_outputs *outputs, const outcome *o) {
    size_t width = locbo_outputs_count(outputs);
    for (size_t i = 0; i < width; i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        must_do(locbo_outputs_get(outputs, i, &spec, &error));
        buffer_print(b, "%c\"%s\":", i ? ',' : '{', spec.name);
        write_column(b, o, i, width);
    }
    buffer_text(b, "}");
}

static int same_or_nan(double a, double b) { return fuzz_same(a, b) || (isnan(a) && isnan(b)); }

static void check_again(const locbo_outputs *outputs, const outcome *o) {
    buffer b = {0};
    locbo_measurement *m;
    size_t count, width = outputs ? locbo_outputs_count(outputs) : 1;
    if (outputs)
        write_columns(&b, outputs, o);
    else
        write_column(&b, o, 0, 1);
    must(!b.failed);
    must_do(result_parse(outputs, b.data, b.size, &count, &m, &error));
    must(count == o->count);
    for (size_t i = 0; i < count * width; i++)
        must(same_or_nan(m[i].value, o->measurements[i].value) && m[i].n == o->measurements[i].n &&
             same_or_nan(m[i].sd, o->measurements[i].sd));
    mem_free(m);
    mem_free(b.data);
}

static void check_outcome(const locbo_outputs *outputs, outcome *o) {
    if (o->kind == OUTCOME_VALUE) {
        size_t width = outputs ? locbo_outputs_count(outputs) : 1;
        must(o->count >= 1);
        for (size_t i = 0; i < o->count * width; i++) {
            const locbo_measurement *m = &o->measurements[i];
            must((isfinite(m->value) || (outputs && isnan(m->value))) && m->n >= 1 && (isnan(m->sd) || m->sd > 0));
        }
        check_again(outputs, o);
    } else {
        must(o->kind == OUTCOME_FAILED && fuzz_is_line(o->message));
    }
    outcome_release(o);
}

static void try_outputs(const locbo_outputs *outputs, const uint8_t *data, size_t size) {
    outcome o;
    result lines = {.outputs = outputs};
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t length = end ? (size_t)(end - data) - at : size - at;
        result_line(&lines, (const char *)data + at, length);
        at += length + 1;
    }
    must_do(result_judge(&lines, NULL, 0, 0, 0, &o, &error));
    check_outcome(outputs, &o);
    must_do(result_judge(&lines, (const char *)data, size, 0, 0, &o, &error));
    check_outcome(outputs, &o);
    result_release(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    locbo_outputs *outputs = fuzz_outputs();
    try_outputs(NULL, data, size);
    try_outputs(outputs, data, size);
    locbo_outputs_destroy(outputs);
    return 0;
}
