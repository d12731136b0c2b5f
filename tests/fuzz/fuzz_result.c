/* fuzz_result.c - what an objective printed, and the same bytes as its result file. A value that is taken is sound, and
 * written as JSON it is read back; otherwise the message is one line of UTF-8. */
#include <math.h>

#include "buffer.h"
#include "fuzz.h"
#include "mem.h"
#include "number.h"
#include "result.h"

static void check_again(const outcome *o) {
    buffer b = {0};
    char number[NUMBER_TEXT];
    locbo_measurement *m;
    size_t count;
    buffer_text(&b, "{\"values\":");
    for (size_t i = 0; i < o->count; i++) {
        number_print(o->measurements[i].value, number);
        buffer_text(&b, i ? "," : "["), buffer_text(&b, number);
    }
    buffer_text(&b, "],\"sd\":");
    for (size_t i = 0; i < o->count; i++) {
        number_print(o->measurements[i].sd, number);
        buffer_text(&b, i ? "," : "["), buffer_text(&b, isnan(o->measurements[i].sd) ? "null" : number);
    }
    buffer_text(&b, "],\"n\":");
    for (size_t i = 0; i < o->count; i++) buffer_print(&b, "%c%u", i ? ',' : '[', o->measurements[i].n);
    buffer_text(&b, "]}");
    must(!b.failed);
    must_do(result_parse(b.data, b.size, &count, &m, &error));
    must(count == o->count);
    for (size_t i = 0; i < count; i++)
        must(fuzz_same(m[i].value, o->measurements[i].value) && m[i].n == o->measurements[i].n &&
             (m[i].sd == o->measurements[i].sd || (isnan(m[i].sd) && isnan(o->measurements[i].sd))));
    mem_free(m);
    mem_free(b.data);
}

static void check_outcome(outcome *o) {
    if (o->kind == OUTCOME_VALUE) {
        must(o->count >= 1);
        for (size_t i = 0; i < o->count; i++)
            must(isfinite(o->measurements[i].value) && o->measurements[i].n >= 1 &&
                 (isnan(o->measurements[i].sd) || o->measurements[i].sd > 0));
        check_again(o);
    } else {
        must(o->kind == OUTCOME_FAILED && fuzz_is_line(o->message));
    }
    outcome_release(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    outcome o;
    result lines = {0};
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t length = end ? (size_t)(end - data) - at : size - at;
        result_line(&lines, (const char *)data + at, length);
        at += length + 1;
    }
    must_do(result_judge(&lines, NULL, 0, 0, 0, &o, &error));
    check_outcome(&o);
    must_do(result_judge(&lines, (const char *)data, size, 0, 0, &o, &error));
    check_outcome(&o);
    result_release(&lines);
    return 0;
}
