/* plan.c - cells of an experiment by name and number. Layer: experiment, above task. */
#include "plan.h"

#include <string.h>

#include "mem.h"

void plan_release(plan *p) {
    for (size_t i = 0; p->case_ && i < p->cases; i++) mem_free(p->case_[i].name);
    for (size_t i = 0; p->method && i < p->methods; i++) mem_free(p->method[i].name);
    for (size_t i = 0; p->group && i < p->groups; i++) {
        mem_free(p->group[i].name);
        mem_free(p->group[i].has);
    }
    void *arrays[] = {p->name,  p->title,  p->paper, p->about, p->x_label,
                      p->case_, p->method, p->group, p->task,  p->present};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    memset(p, 0, sizeof *p);
}

size_t plan_cell(const plan *p, size_t c, size_t m) { return c * p->methods + m; }

const char *plan_case_name(const plan *p, size_t cell) { return p->case_[cell / p->methods].name; }

const char *plan_method_name(const plan *p, size_t cell) { return p->method[cell % p->methods].name; }

size_t plan_cells(const plan *p) { return p->cases * p->methods; }

size_t plan_find_case(const plan *p, const char *name) {
    size_t i = 0;
    while (i < p->cases && strcmp(p->case_[i].name, name) != 0) i++;
    return i;
}

size_t plan_find_method(const plan *p, const char *name) {
    size_t i = 0;
    while (i < p->methods && strcmp(p->method[i].name, name) != 0) i++;
    return i;
}

const char *plan_kind(const plan *p, size_t c) {
    const char *plus = strrchr(p->case_[c].name, '+');
    return plus ? plus + 1 : NULL;
}

int plan_is_kind(const plan *p, size_t c, const char *kind) {
    const char *own = plan_kind(p, c);
    return own && strcmp(own, kind) == 0;
}

size_t plan_source(const plan *p, size_t c, size_t m) {
    size_t found = plan_cells(p), count = 0;
    if (p->present[plan_cell(p, c, m)]) return plan_cell(p, c, m);
    for (size_t k = 0; k < p->cases; k++)
        if (p->present[plan_cell(p, k, m)]) {
            found = plan_cell(p, k, m);
            count++;
        }
    /* without a sweep, cases are different problems, so a result of one is none of another */
    return count == 1 && p->figure == PLAN_FIGURE_SWEEP ? found : plan_cells(p);
}

static locbo_status compare_cell(const plan *there, size_t cell, const plan *here, locbo_error *error) {
    const char *case_ = plan_case_name(there, cell), *method = plan_method_name(there, cell);
    size_t c = plan_find_case(here, case_), m = plan_find_method(here, method);
    char text[TASK_DIFFERENCE];
    if (c == here->cases || m == here->methods || !here->present[plan_cell(here, c, m)])
        return status_fail(error, LOCBO_ERR_STATE, "case %s, method %s: missing here", case_, method);
    if (!task_difference(&there->task[cell], &here->task[plan_cell(here, c, m)], text)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_STATE, "case %s, method %s: %s", case_, method, text);
}

locbo_status plan_compare(const plan *there, const plan *here, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t cell = 0; cell < plan_cells(there) && status == LOCBO_OK; cell++)
        if (there->present[cell]) status = compare_cell(there, cell, here, error);
    return status;
}

int plan_is_value(const plan *p) { return plan_cells(p) > 0 && task_is_radio(&p->task[0]); }
