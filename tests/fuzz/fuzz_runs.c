/* fuzz_runs.c - the recorded runs of an experiment: runs.csv, and after a line "--" grid.csv. Runs that are accepted
 * are read back from the compressed files. */
#include <math.h>
#include <sys/stat.h>

#include "experiment_file.h"
#include "results.h"
#include "scratch.h"
#include "../small_plan.h"

static plan *the_plan(void) {
    static plan p;
    char path[128];
    if (p.name) return &p;
    must_do(experiment_file_parse("p.yaml", SMALL_PLAN, strlen(SMALL_PLAN), &p, &error));
    must(mkdir(scratch_path(path, "book"), 0777) == 0);
    return &p;
}

/* The files have nine digits. */
static int agrees(double a, double b) { return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= 1e-8 * fabs(a); }

static void check_run(const results_run *a, const results_run *b) {
    must(a->cell == b->cell && a->seed == b->seed && a->rows == b->rows && a->points == b->points);
    for (size_t i = 0; i < a->rows; i++) {
        must(a->row[i].t == b->row[i].t && (i == 0 || a->row[i].t > a->row[i - 1].t));
        for (size_t k = 0; k < TASK_ROW_NUMBERS; k++)
            must(agrees(task_numbers(&a->row[i])[k], task_numbers(&b->row[i])[k]));
    }
    for (size_t i = 0; i < a->points; i++) must(agrees(a->point[i].mean, b->point[i].mean));
}

static void check_again(results *first) {
    results *second;
    must_do(results_finish(first, &error));
    must_do(results_open(&second, the_plan(), scratch_folder, &error));
    must(results_count(first) == results_count(second));
    for (size_t i = 0; i < results_count(first); i++) {
        results_run a = results_at(first, i), b = results_at(second, i), found;
        check_run(&a, &b);
        must(results_find(first, a.cell, a.seed, &found));
    }
    results_close(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const files[] = {"book/runs.csv", "book/grid.csv", "book/runs.csv.gz", "book/grid.csv.gz"};
    plan *p = the_plan();
    const uint8_t *mark = size ? memmem(data, size, "\n--\n", 4) : NULL;
    size_t runs = mark ? (size_t)(mark - data) + 1 : size;
    results *r;
    char path[128];
    scratch_write(files[0], data, runs);
    if (mark) scratch_write(files[1], mark + 4, size - runs - 3);
    if (fuzz_done(results_open(&r, p, scratch_folder, &error))) {
        check_again(r);
        results_close(r);
    }
    for (size_t i = 0; i < 4; i++) unlink(scratch_path(path, files[i]));
    return 0;
}
