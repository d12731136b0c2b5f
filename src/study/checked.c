/* checked.c - what a study may be given, a definition and a plan: checked, and written as the texts of the database.
 * Layer: study, middle. */
#include "checked.h"

#include <inttypes.h>
#include <math.h>

#include "definition.h"
#include "mem.h"
#include "sized.h"

/* Outputs that no optimizer can have, expressions that cannot be computed, and constraints that no point satisfies are
 * refused. */
static locbo_status check_outputs(const locbo_definition *d, measured *table, locbo_error *error) {
    locbo_optimizer *optimizer = NULL;
    locbo_status status = measured_init(table, d->outputs, error);
    if (status == LOCBO_OK && (d->outputs || locbo_space_constraint_count(d->space) > 0))
        status = locbo_optimizer_create_for(&optimizer, d->space, d->outputs, d->options, error);
    locbo_optimizer_destroy(optimizer);
    return status;
}

/* A cost is positive. Only two corners of the space are looked at: what an expression is elsewhere is not known. */
static locbo_status check_cost(const locbo_space *space, locbo_error *error) {
    size_t dim = locbo_space_dim(space);
    double *x = mem_new(dim, sizeof *x), cost;
    locbo_status status = x ? LOCBO_OK : status_no_memory(error);
    for (int high = 0; high < 2 && status == LOCBO_OK && locbo_space_cost(space); high++) {
        for (size_t i = 0; i < dim; i++) {
            locbo_parameter p;
            locbo_space_parameter(space, i, &p, NULL);
            x[i] = high ? p.high : p.low;
        }
        status = locbo_space_cost_at(space, x, &cost, error);
    }
    mem_free(x);
    return status;
}

locbo_status checked_definition(const locbo_definition *definition, char **text, measured *table, locbo_error *error) {
    locbo_status status = definition_write(definition, text, error);
    if (status == LOCBO_OK) status = check_cost(definition->space, error);
    return status == LOCBO_OK ? check_outputs(definition, table, error) : status;
}

/* What a plan may have depends on the outputs of the study. */
static locbo_status check_for_outputs(const locbo_plan *plan, const measured *table, locbo_error *error) {
    size_t modelled = 0, objectives = table->objectives;
    for (size_t i = 0; i < table->count; i++) modelled += measured_is_modelled(table, i) != 0;
    if (plan->confirm > 0 && objectives > 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "confirm %" PRIu64 " needs one objective, the study has %zu: no point is recommended",
                           plan->confirm, objectives);
    if (!isnan(plan->target) && objectives > 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "target %g needs one objective, the study has %zu: give the target of an output by its name",
                           plan->target, objectives);
    if (!isnan(plan->expected_gain) && objectives > 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "expected_gain %g needs one objective, the study has %zu",
                           plan->expected_gain, objectives);
    if (plan->prune != LOCBO_PRUNE_NONE && objectives > 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "prune %s needs one objective, the study has %zu",
                           locbo_prune_name((locbo_prune)plan->prune), objectives);
    for (size_t k = modelled; k < LOCBO_MAX_TARGETS; k++)
        if (!isnan(plan->targets[k]))
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "target %g is of objective or constraint number %zu, and there are %zu",
                               plan->targets[k], k + 1, modelled);
    return LOCBO_OK;
}

locbo_status checked_plan(const locbo_plan *given, const measured *table, char **text, locbo_error *error) {
    locbo_plan plan;
    locbo_plan_init(&plan);
    locbo_status status = sized_take("plan", &plan, sizeof plan, given, error);
    if (status == LOCBO_OK) status = definition_check_plan(&plan, error);
    if (status == LOCBO_OK) status = check_for_outputs(&plan, table, error);
    return status == LOCBO_OK ? definition_write_plan(&plan, text, error) : status;
}
