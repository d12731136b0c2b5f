/* fuzz_goal.c - outputs of the command line, one on each line. An output's text is read back to the same output. */
#include "fuzz.h"
#include "goal.h"
#include "mem.h"

static locbo_output_spec output(const locbo_outputs *outputs, size_t index) {
    locbo_output_spec spec = {.struct_size = sizeof spec};
    must_do(locbo_outputs_get(outputs, index, &spec, &error));
    return spec;
}

static void check_same(const locbo_output_spec *a, const locbo_output_spec *b) {
    must(strcmp(a->name, b->name) == 0 && a->goal == b->goal && a->scale == b->scale);
    must(fuzz_same(a->bound, b->bound) && fuzz_same(a->reference, b->reference));
    must(a->referenced == b->referenced && a->baseline == b->baseline);
    must(fuzz_same(a->scale_low, b->scale_low) && fuzz_same(a->scale_high, b->scale_high));
    must(!a->expression == !b->expression && (!a->expression || strcmp(a->expression, b->expression) == 0));
}

/* All of them, in order, so that expressions find their names. */
static void check_again(const locbo_outputs *outputs) {
    locbo_outputs *again;
    must_do(locbo_outputs_create(&again, &error));
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec before = output(outputs, i);
        char *text = goal_text(&before);
        must(text);
        must_do(goal_add(again, text, &error));
        locbo_output_spec after = output(again, i);
        check_same(&before, &after);
        mem_free(text);
    }
    locbo_outputs_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    locbo_outputs *outputs;
    char *text = fuzz_text(data, size), *rest = text, *line;
    must_do(locbo_outputs_create(&outputs, &error));
    while ((line = strsep(&rest, "\n"))) {
        size_t before = locbo_outputs_count(outputs);
        int added = fuzz_done(goal_add(outputs, line, &error));
        must(locbo_outputs_count(outputs) == before + (size_t)added);
    }
    fuzz_done(goal_check(outputs, &error));
    check_again(outputs);
    locbo_outputs_destroy(outputs);
    free(text);
    return 0;
}
