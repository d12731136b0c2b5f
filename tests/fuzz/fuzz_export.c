/* fuzz_export.c - `locbo import --study`: what is accepted and restored is exported, and that is restored to a study
 * whose export is the same text. */
#include "commands.h"
#include "exit_code.h"
#include "file_read.h"
#include "mem.h"
#include "point_table.h"
#include "scratch.h"
#include "study_json.h"

/* A database with the study; returns 0 if it is refused. */
static int restore(const study_json *r, const char *file) {
    locbo_store *store = NULL;
    locbo_study *study = NULL;
    locbo_optimizer *optimizer;
    char url[128];
    locbo_definition d = {.struct_size = sizeof d,
                          .space = r->file.space,
                          .options = &r->file.options,
                          .command_count = r->file.command_count,
                          .command = (const char *const *)r->file.command,
                          .outputs = r->file.outputs};
    must_do(locbo_store_open(&store, scratch_path(url, file), LOCBO_STORE_CREATE, &error));
    const locbo_contents contents = study_json_contents(r);
    int done = fuzz_done(locbo_study_create_from(&study, store, r->file.name ? r->file.name : "s", &d, &r->file.plan,
                                                 &contents, &error));
    if (done) fuzz_done(locbo_study_optimizer(study, &optimizer, &error));
    locbo_study_close(study);
    locbo_store_close(store);
    return done;
}

/* Free it with mem_free. */
static char *export(const char *file, size_t *size) {
    char path[128], out[128], *text;
    scratch_path(path, file), scratch_path(out, "out.json");
    char *words[] = {"export", "--db", path, "-o", out, NULL};
    must(command_export.run(&command_export, 5, words) == EXIT_OK);
    must_do(file_read(out, POINT_TABLE_BYTES, &text, size, &error));
    return text;
}

static void check_again(const char *text, size_t size) {
    study_json read;
    size_t again_size;
    must_do(study_json_read("out.json", text, size, &read, &error));
    must(restore(&read, "b.db"));
    study_json_release(&read);
    char *again = export("b.db", &again_size);
    must(size == again_size && memcmp(text, again, size) == 0);
    mem_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    study_json read;
    size_t length;
    if (!fuzz_done(study_json_read("in.json", (const char *)data, size, &read, &error))) return 0;
    if (restore(&read, "a.db")) {
        char *text = export("a.db", &length);
        check_again(text, length);
        mem_free(text);
    }
    study_json_release(&read);
    scratch_drop("a.db");
    scratch_drop("b.db");
    return 0;
}
