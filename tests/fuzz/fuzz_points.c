/* fuzz_points.c - `locbo import` and `predict`: points and results from CSV or JSON. What is accepted lies in the
 * space, and written as CSV it is read back. */
#include <math.h>

#include "buffer.h"
#include "fuzz.h"
#include "mem.h"
#include "number.h"
#include "point_table.h"
#include "value.h"

enum { MEASURED = 1, IGNORE_EXTRA = 2 };

static int read_csv(const locbo_space *space, const uint8_t *data, size_t size, int how, point_table *made) {
    char *text = fuzz_copy(data, size);
    int done =
        fuzz_done(point_table_from_csv(space, "f.csv", text, size, how & MEASURED, how & IGNORE_EXTRA, made, &error));
    free(text);
    return done;
}

/* Any text as a cell. */
static void add_quoted(buffer *b, const char *text) {
    buffer_char(b, '"', 1);
    for (; *text; text++) buffer_char(b, *text, *text == '"' ? 2 : 1);
    buffer_text(b, "\",");
}

static void add_row(buffer *b, const locbo_space *space, const double *x, const locbo_measurement *m) {
    char number[NUMBER_TEXT];
    for (size_t i = 0; i < FUZZ_DIM; i++) {
        locbo_parameter p;
        must_do(locbo_space_parameter(space, i, &p, &error));
        char *text = value_text(&p, x[i]);
        must(text);
        add_quoted(b, text);
        mem_free(text);
    }
    number_print(m->value, number);
    buffer_text(b, number);
    number_print(m->sd, number);
    buffer_print(b, ",%s,%u\n", isnan(m->sd) ? "" : number, m->n);
}

static void check_table(const locbo_space *space, const point_table *t) {
    buffer b = {0};
    point_table again;
    buffer_text(&b, "x,rate,params.n,mode,value,sd,n\n");
    for (size_t i = 0; i < t->count; i++) {
        must_do(locbo_space_check(space, t->x + i * FUZZ_DIM, &error));
        must(isfinite(t->measurements[i].value) && t->measurements[i].n >= 1);
        add_row(&b, space, t->x + i * FUZZ_DIM, &t->measurements[i]);
    }
    must(!b.failed && read_csv(space, (const uint8_t *)b.data, b.size, MEASURED, &again) && again.count == t->count);
    for (size_t i = 0; i < t->count; i++) {
        const locbo_measurement *m = &t->measurements[i], *n = &again.measurements[i];
        must(m->value == n->value && m->n == n->n && (m->sd == n->sd || (isnan(m->sd) && isnan(n->sd))));
        for (size_t k = 0; k < FUZZ_DIM; k++) must(t->x[i * FUZZ_DIM + k] == again.x[i * FUZZ_DIM + k]);
    }
    point_table_release(&again);
    mem_free(b.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    locbo_space *space = fuzz_space();
    point_table t;
    if (read_csv(space, data, size, MEASURED, &t)) {
        check_table(space, &t);
        point_table_release(&t);
    }
    if (read_csv(space, data, size, MEASURED | IGNORE_EXTRA, &t)) {
        check_table(space, &t);
        point_table_release(&t);
    }
    if (read_csv(space, data, size, IGNORE_EXTRA, &t)) point_table_release(&t);
    if (fuzz_done(point_table_from_json(space, "f.json", (const char *)data, size, &t, &error))) {
        check_table(space, &t);
        point_table_release(&t);
    }
    locbo_space_destroy(space);
    return 0;
}
