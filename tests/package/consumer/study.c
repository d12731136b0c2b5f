/* study.c - a user's program: a study in a file, asked and told, closed, and found again. */
#include <locbo/study.h>

#include <math.h>
#include <stdio.h>

/* The library has functions of these names inside; they must not meet. */
int store_read(void);
int store_read(void) { return 42; }
int mem_free(void);
int mem_free(void) { return 43; }

static locbo_status make(locbo_study **study, locbo_store *store, locbo_error *error) {
    locbo_space *space = NULL;
    locbo_status status = locbo_space_create(&space, error);
    if (status == LOCBO_OK) status = locbo_space_add_real(space, "x", -1, 2, LOCBO_LINEAR, error);
    locbo_definition definition = {.struct_size = sizeof definition, .space = space};
    if (status == LOCBO_OK) status = locbo_study_create(study, store, "parabola", &definition, NULL, error);
    locbo_space_destroy(space);
    return status;
}

static locbo_status rounds(locbo_study *study, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (int i = 0; i < 8 && status == LOCBO_OK; i++) {
        locbo_assignment trial;
        double x;
        status = locbo_study_ask(study, NULL, &trial, &x, error);
        if (status != LOCBO_OK) return status;
        locbo_measurement y = {.value = (x - 1) * (x - 1), .sd = (double)NAN, .n = 1};
        status = locbo_study_tell(study, trial.trial, trial.attempt, 1, &y, error);
    }
    return status;
}

/* As another process would find it. */
static locbo_status look(const char *url, locbo_census *census, locbo_error *error) {
    locbo_store *store = NULL;
    locbo_study *study = NULL;
    locbo_status status = locbo_store_open(&store, url, LOCBO_STORE_READ_ONLY, error);
    if (status == LOCBO_OK) status = locbo_study_open(&study, store, "parabola", error);
    if (status == LOCBO_OK) status = locbo_study_census(study, census, error);
    locbo_study_close(study);
    locbo_store_close(store);
    return status;
}

int main(int argc, char **argv) {
    locbo_error error = {LOCBO_OK, ""};
    locbo_store *store = NULL;
    locbo_study *study = NULL;
    locbo_census census = {.trials = 0};
    const char *url = argc > 1 ? argv[1] : "study.db";
    locbo_status status = locbo_store_open(&store, url, LOCBO_STORE_CREATE, &error);
    if (status == LOCBO_OK) status = make(&study, store, &error);
    if (status == LOCBO_OK) status = rounds(study, &error);
    locbo_study_close(study);
    locbo_store_close(store);
    if (status == LOCBO_OK) status = look(url, &census, &error);
    if (status != LOCBO_OK) fprintf(stderr, "consumer: %s\n", error.message);
    if (status != LOCBO_OK || census.state[LOCBO_COMPLETE] != 8 || store_read() != 42 || mem_free() != 43) return 1;
    printf("8 trials, best %.3g of trial %d\n", census.best_value, (int)census.best_trial);
    return 0;
}
