/* fuzz_points.c - `locbo import` and `predict`: points and results from CSV or JSON, with and without a table of
 * outputs. What is accepted lies in the space, and written as CSV it is read back. */
#include <math.h>

#include "buffer.h"
#include "mem.h"
#include "number.h"
#include "named.h"
#include "point_table.h"
#include "value.h"

enum { MEASURED = 1, IGNORE_EXTRA = 2 };

/* Whoever ignores columns also skips rows outside the space. */
static point_reading reading(const locbo_space *space, const locbo_outputs *outputs, int how) {
    return (point_reading){.space = space,
                           .outputs = outputs,
                           .measured = how & MEASURED,
                           .ignore_extra = how & IGNORE_EXTRA,
                           .skip_outside = how & IGNORE_EXTRA};
}

static int read_csv(const locbo_space *space, const locbo_outputs *outputs, const uint8_t *data, size_t size, int how,
                    point_table *made) {
    char *text = fuzz_copy(data, size);
    point_reading r = reading(space, outputs, how);
    int done = fuzz_done(point_table_from_csv(&r, "f.csv", text, size, made, &error));
    free(text);
    return done;
}

/* Any text as a cell. */
static void add_quoted(buffer *b, const char *text) {
    buffer_char(b, '"', 1);
    for (; *text; text++) buffer_char(b, *text, *text == '"' ? 2 : 1);
    buffer_text(b, "\",");
}

static void add_number(buffer *b, double value) {
    char number[NUMBER_TEXT];
    number_print(value, number);
    buffer_text(b, isnan(value) ? "" : number);
}

static void add_row(buffer *b, const locbo_space *space, const double *x, const locbo_measurement *m, size_t width,
                    locbo_state state, const char *message) {
    for (size_t i = 0; i < FUZZ_DIM; i++) {
        locbo_parameter p;
        must_do(locbo_space_parameter(space, i, &p, &error));
        char *text = value_text(&p, x[i]);
        must(text);
        add_quoted(b, text);
        mem_free(text);
    }
    for (size_t i = 0; i < width; i++) {
        add_number(b, m[i].value);
        buffer_text(b, ",");
        add_number(b, m[i].sd);
        buffer_print(b, ",%u,", m[i].n);
    }
    add_quoted(b, locbo_state_name(state));
    add_quoted(b, message ? message : "");
    buffer_text(b, "\n");
}

static void check_measurements(const locbo_outputs *outputs, const locbo_measurement *m, size_t width) {
    int there = 0;
    for (size_t i = 0; i < width; i++) {
        must((isfinite(m[i].value) || (outputs && isnan(m[i].value))) && m[i].n >= 1);
        there |= isfinite(m[i].value);
    }
    must(there && (!outputs || isnan(m[3].value))); /* what is derived is not read */
}

static int same_or_nan(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void check_table(const locbo_space *space, const locbo_outputs *outputs, const point_table *t) {
    buffer b = {0};
    point_table again;
    size_t width = outputs ? locbo_outputs_count(outputs) : 1;
    buffer_text(&b, outputs
                        ? "x,rate,n,mode,loss,loss.sd,loss.n,memory,outputs.memory.sd,memory.n,outputs.value,value.sd,"
                          "value.n,cost,cost.sd,cost.n,state,message,trial\n"
                        : "x,rate,params.n,mode,value,sd,n,state,message,trial\n");
    for (size_t i = 0; i < t->count; i++) {
        must_do(locbo_space_check(space, t->x + i * FUZZ_DIM, &error));
        if (t->state[i] == LOCBO_COMPLETE) check_measurements(outputs, t->measurements + i * width, width);
        must(t->state[i] == LOCBO_COMPLETE || isnan(t->measurements[i * width].value));
        add_row(&b, space, t->x + i * FUZZ_DIM, t->measurements + i * width, width, t->state[i], t->message[i]);
    }
    must(!b.failed && read_csv(space, outputs, (const uint8_t *)b.data, b.size, MEASURED, &again) &&
         again.count == t->count);
    for (size_t i = 0; i < t->count * width; i++) {
        const locbo_measurement *m = &t->measurements[i], *n = &again.measurements[i];
        must(same_or_nan(m->value, n->value) && m->n == n->n && same_or_nan(m->sd, n->sd));
    }
    for (size_t i = 0; i < t->count; i++) must(t->state[i] == again.state[i]);
    for (size_t i = 0; i < t->count * FUZZ_DIM; i++) must(t->x[i] == again.x[i]);
    point_table_release(&again);
    mem_free(b.data);
}

static void try_outputs(const locbo_space *space, const locbo_outputs *outputs, const uint8_t *data, size_t size) {
    point_table t;
    for (int how = MEASURED; how <= (MEASURED | IGNORE_EXTRA); how += IGNORE_EXTRA) {
        if (read_csv(space, outputs, data, size, how, &t)) {
            check_table(space, outputs, &t);
            point_table_release(&t);
        }
        point_reading r = reading(space, outputs, how);
        if (fuzz_done(point_table_from_json(&r, "f.json", (const char *)data, size, &t, &error))) {
            check_table(space, outputs, &t);
            point_table_release(&t);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    locbo_space *space = fuzz_space();
    locbo_outputs *outputs = fuzz_outputs();
    point_table t;
    try_outputs(space, NULL, data, size);
    try_outputs(space, outputs, data, size);
    if (read_csv(space, NULL, data, size, IGNORE_EXTRA, &t)) point_table_release(&t);
    locbo_outputs_destroy(outputs);
    locbo_space_destroy(space);
    return 0;
}
