/* choice.c - the best and the recommended point. Layer: view, shapes. Cost: that of the model, O(n^3). */
#include "choice.h"

#include "mem.h"
#include "rows.h"
#include "value.h"

locbo_status choice_plain(locbo_study *study, const locbo_census *census, json_t **row, locbo_error *error) {
    json_t *trial = NULL;
    locbo_status status = rows_find(study, census->best_trial, 0, &trial, error);
    if (status != LOCBO_OK) return status;
    *row = json_pack("{s:I, s:O, s:o, s:n, s:n}", "trial", (json_int_t)census->best_trial, "params",
                     json_object_get(trial, "params"), "value", value_real(census->best_value), "interval", "level");
    json_decref(trial);
    return *row ? status_ok(error) : status_no_memory(error);
}

locbo_status choice_of(locbo_optimizer *optimizer, int recommended, json_t **row, locbo_error *error) {
    const locbo_space *space = locbo_optimizer_space(optimizer);
    locbo_choice choice;
    double *x = mem_new(locbo_space_dim(space), sizeof *x);
    if (!x) return status_no_memory(error);
    locbo_status status = recommended ? locbo_optimizer_recommend(optimizer, &choice, x, error)
                                      : locbo_optimizer_best(optimizer, &choice, x, error);
    if (status == LOCBO_OK) *row = rows_choice(space, &choice, x, recommended);
    mem_free(x);
    if (status != LOCBO_OK) return status;
    return *row ? status_ok(error) : status_no_memory(error);
}

locbo_status choice_find(locbo_study *study, const locbo_census *census, int recommended, json_t **row,
                         locbo_error *error) {
    locbo_optimizer *optimizer;
    *row = NULL;
    if (census->measurements == 0)
        return status_fail(error, LOCBO_ERR_NOTHING, "the study '%s' has no result yet", locbo_study_name(study));
    if (census->measurements > CHOICE_MANY && !recommended) return choice_plain(study, census, row, error);
    locbo_status status = locbo_study_optimizer(study, &optimizer, error);
    return status == LOCBO_OK ? choice_of(optimizer, recommended, row, error) : status;
}
