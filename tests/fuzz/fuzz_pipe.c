/* fuzz_pipe.c - requests of `locbo pipe`, one a line, to a study in a SQLite file of their own, and to one with a table
 * of outputs. Every answer is an
 * object with "ok"; a refusal has its reason and code. At the end the study has the results that were accepted, no more
 * and no less, and none of its trials is still out. */
#include "buffer.h"
#include "json_text.h"
#include "mem.h"
#include "named.h"
#include "pipe_ops.h"
#include "scratch.h"

enum { MOST_LINES = 16 }; /* asks compute proposals */

/* ---- the study --------------------------------------------------------------------------------- */

static void make_study(const char *path, const locbo_outputs *outputs) {
    locbo_store *store;
    locbo_study *study;
    locbo_options options;
    locbo_space *space = fuzz_space();
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options, .outputs = outputs};
    locbo_options_init(&options);
    must_do(locbo_options_set(&options, "method", "bo", &error));
    must_do(locbo_options_set(&options, "initial", "3", &error));
    must_do(locbo_store_open(&store, path, LOCBO_STORE_CREATE, &error));
    must_do(locbo_study_create(&study, store, "s", &d, NULL, &error));
    locbo_study_close(study);
    locbo_store_close(store);
    locbo_space_destroy(space);
}

/* Every input begins with a copy of the same new study. */
static void copy_study(const locbo_outputs *outputs) {
    static struct {
        char bytes[1 << 20];
        size_t size;
    } made[2];
    char path[128], *bytes = made[outputs != NULL].bytes;
    size_t *size = &made[outputs != NULL].size;
    if (*size == 0) {
        make_study(scratch_path(path, outputs ? "named.db" : "new.db"), outputs);
        FILE *file = fopen(path, "r");
        must(file && (*size = fread(bytes, 1, sizeof made->bytes, file)) > 0 && *size < sizeof made->bytes);
        must(fclose(file) == 0);
    }
    scratch_write("a.db", bytes, *size);
}

/* ---- requests and answers ---------------------------------------------------------------------- */

static size_t length_of(const json_t *value) {
    if (json_is_object(value)) value = json_object_get(value, "values");
    return json_is_array(value) ? json_array_size(value) : 1;
}

/* How many results an accepted request tells: as many as the lists of its outputs are long. */
static size_t values_of(const locbo_outputs *outputs, const char *line, size_t size) {
    json_t *request = json_loadb(line, size, 0, NULL), *named = json_object_get(request, "outputs"), *value;
    const char *op = json_string_value(json_object_get(request, "op")), *key;
    size_t count = 1;
    if (outputs) {
        json_object_foreach(named ? named : request, key, value) {
            size_t index;
            locbo_output_spec spec = {.struct_size = sizeof spec};
            if (locbo_outputs_find(outputs, key, &index, NULL) != LOCBO_OK) continue;
            must_do(locbo_outputs_get(outputs, index, &spec, &error));
            if (!spec.expression && length_of(value) > count) count = length_of(value);
        }
    } else if (json_object_get(request, "values")) {
        count = json_array_size(json_object_get(request, "values"));
    }
    if (!op || strcmp(op, "tell") != 0) count = 0;
    json_decref(request);
    return count;
}

/* Whether it says yes. */
static int check_answer(const json_t *answer) {
    const json_t *ok = json_object_get(answer, "ok");
    buffer b = {0};
    must(json_is_boolean(ok));
    json_text_write(&b, answer, 0);
    must(!b.failed && !memchr(b.data, '\n', b.size));
    json_t *again = json_loadb(b.data, b.size, JSON_REJECT_DUPLICATES, NULL);
    must(again);
    json_decref(again);
    mem_free(b.data);
    if (json_is_true(ok)) return 1;
    const char *why = json_string_value(json_object_get(answer, "error"));
    must(why && fuzz_is_line(why) && json_integer_value(json_object_get(answer, "code")) > 0);
    return 0;
}

static size_t serve(pipe_state *p, const char *data, size_t size) {
    size_t told = 0;
    for (size_t at = 0, lines = 0; at < size && lines < MOST_LINES; lines++) {
        const char *end = memchr(data + at, '\n', size - at);
        size_t length = end ? (size_t)(end - data) - at : size - at;
        json_t *answer = pipe_answer(p, data + at, length);
        must(answer);
        if (check_answer(answer)) told += values_of(p->outputs, data + at, length);
        json_decref(answer);
        at += length + 1;
    }
    return told;
}

static int count_retracted(const locbo_record *record, void *user) {
    *(size_t *)user += record->retracted_count;
    return 0;
}

/* Results that were taken back are still there. */
static void check_study(locbo_study *study, size_t told) {
    size_t retracted = 0;
    locbo_census census;
    uint64_t sum = 0;
    must_do(locbo_study_census(study, &census, &error));
    for (int i = 0; i < LOCBO_STATES; i++) sum += census.state[i];
    must_do(locbo_study_refresh(study, NULL, &error));
    must_do(locbo_study_each(study, NULL, count_retracted, &retracted, &error));
    must(sum == census.trials && census.measurements + retracted == told && census.state[LOCBO_RUNNING] == 0);
}

static void try_study(const locbo_outputs *outputs, const char *data, size_t size) {
    locbo_store *store;
    char path[128];
    copy_study(outputs);
    must_do(locbo_store_open(&store, scratch_path(path, "a.db"), LOCBO_STORE_EXISTING, &error));
    locbo_definition d = {.struct_size = sizeof d};
    pipe_state p = {.store = store, .url = "sqlite:a.db", .dim = FUZZ_DIM, .worker = "fuzz"};
    must_do(locbo_study_open(&p.study, store, NULL, &error));
    must_do(locbo_study_definition(p.study, &d, &error));
    p.space = d.space;
    p.outputs = d.outputs;
    p.options = d.options;
    size_t told = serve(&p, data, size);
    size_t kept;
    pipe_give_back(&p, &kept);
    check_study(p.study, told);
    mem_free(p.trials);
    locbo_study_close(p.study);
    locbo_store_close(store);
    scratch_drop("a.db");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    locbo_outputs *outputs = fuzz_outputs();
    try_study(NULL, (const char *)data, size);
    try_study(outputs, (const char *)data, size);
    locbo_outputs_destroy(outputs);
    return 0;
}
