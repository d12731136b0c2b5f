/* fuzz_step_line.c - a line that an evaluation printed, with and without names of outputs. A step that is taken is
 * sound, and written again it is read back; a line that is no step changes nothing. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "named.h"
#include "number.h"
#include "step_line.h"

static void try_outputs(const locbo_outputs *outputs, const char *line, size_t size) {
    locbo_step step = {7, 7}, again;
    char text[NUMBER_TEXT + 64], value[NUMBER_TEXT];
    if (step_line_read(outputs, line, size, &step) != STEP_LINE_GOOD) {
        must(step.step == 7 && fuzz_same(step.value, 7));
        return;
    }
    must(step.step <= UINT64_C(1) << 53 && isfinite(step.value));
    number_print(step.value, value);
    int length = snprintf(text, sizeof text, "step %" PRIu64 " %s", step.step, value);
    must(step_line_read(outputs, text, (size_t)length, &again) == STEP_LINE_GOOD);
    must(again.step == step.step && fuzz_same(again.value, step.value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    locbo_outputs *outputs = fuzz_outputs();
    try_outputs(NULL, (const char *)data, size);
    try_outputs(outputs, (const char *)data, size);
    locbo_outputs_destroy(outputs);
    return 0;
}
