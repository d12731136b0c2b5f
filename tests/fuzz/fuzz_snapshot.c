/* fuzz_snapshot.c - a saved optimizer. What is loaded and saved again loads again, to the same text, and predicts. */
#include "fuzz.h"

#include <math.h>

/* At the first trial: it lies in the space. A model that cannot be computed is an error, not a crash. */
static void predict(locbo_optimizer *optimizer) {
    size_t dim = locbo_space_dim(locbo_optimizer_space(optimizer));
    size_t outputs = locbo_outputs_count(locbo_optimizer_outputs(optimizer));
    double *x = calloc(dim + 1, sizeof *x), feasible;
    locbo_belief *belief = calloc(outputs + 1, sizeof *belief);
    must(x && belief);
    if (fuzz_done(locbo_optimizer_trial(optimizer, 1, NULL, NULL, x, &error)) &&
        fuzz_done(locbo_optimizer_predict_outputs(optimizer, 1, x, belief, &feasible, &error))) {
        must(isnan(feasible) || (feasible >= 0 && feasible <= 1));
        for (size_t k = 0; k < outputs; k++)
            must(isnan(belief[k].mean) || (belief[k].sd_f >= 0 && belief[k].sd_y >= 0));
    }
    free(x);
    free(belief);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    locbo_optimizer *first = NULL, *second = NULL;
    char *text, *again;
    size_t length, again_length;
    if (!fuzz_done(locbo_optimizer_load(&first, (const char *)data, size, &error))) return 0;
    must_do(locbo_optimizer_save(first, &text, &length, &error));
    must_do(locbo_optimizer_load(&second, text, length, &error));
    must_do(locbo_optimizer_save(second, &again, &again_length, &error));
    must(length == again_length && memcmp(text, again, length) == 0);
    predict(second);
    locbo_free(text);
    locbo_free(again);
    locbo_optimizer_destroy(first);
    locbo_optimizer_destroy(second);
    return 0;
}
