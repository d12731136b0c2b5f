/* fuzz_experiment.c - an experiment's file. Read twice, it is the same experiment, whose cells can all be run. */
#include "experiment_file.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    plan p, again;
    if (!fuzz_done(experiment_file_parse("f.yaml", (const char *)data, size, &p, &error))) return 0;
    must_do(experiment_file_parse("f.yaml", (const char *)data, size, &again, &error));
    must_do(plan_compare(&p, &again, &error));
    must(p.against < p.methods && plan_cells(&p) == p.cases * p.methods && plan_cells(&p) > 0);
    for (size_t i = 0; i < plan_cells(&p); i++)
        if (p.present[i]) must(task_rows(&p.task[i]) >= 1);
    plan_release(&p);
    plan_release(&again);
    return 0;
}
