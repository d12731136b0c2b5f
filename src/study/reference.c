/* reference.c - the reference point of several objectives in the database. Layer: study, middle. */
#include "reference.h"

#include <math.h>
#include <string.h>

#include "definition.h"
#include "mem.h"

enum { OBJECTIVES = 4 }; /* at most: locbo_outputs_check */

locbo_status reference_check(const measured *table, const double *reference, locbo_error *error) {
    for (size_t i = 0; i < table->count; i++)
        if (measured_is_objective(table, i) && isinf(reference[i]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "the reference of output %zu must be finite, got %g", i + 1,
                               reference[i]);
    return LOCBO_OK;
}

locbo_status reference_write(const locbo_study *study, const double *reference, locbo_error *error) {
    double list[OBJECTIVES];
    size_t count = 0;
    char *text = NULL;
    for (size_t i = 0; i < study->table.count && count < OBJECTIVES; i++)
        if (measured_is_objective(&study->table, i)) list[count++] = reference[i];
    for (size_t k = 0; k < count; k++)
        if (isnan(list[k])) return LOCBO_OK;
    if (count < 2) return LOCBO_OK;
    locbo_status status = definition_write_list(count, list, &text, error);
    if (status == LOCBO_OK)
        status = store_query(study->store, "UPDATE locbo_study SET reference = $2 WHERE id = $1",
                             VALUES(store_int(study->id), store_text(text)), NULL, NULL, NULL, error);
    mem_free(text);
    return status;
}

typedef struct reading {
    const measured *table;
    double *reference;
} reading;

static locbo_status take_reference(const store_value *columns, size_t count, void *user, locbo_error *error) {
    const reading *r = user;
    double *list = NULL;
    size_t n = 0, next = 0;
    (void)count;
    if (columns[0].kind == STORE_NULL) return LOCBO_OK;
    locbo_status status = definition_read_list(store_as_text(&columns[0]), &n, &list, error);
    if (status == LOCBO_OK && n != r->table->objectives)
        status = status_fail(error, LOCBO_ERR_IO, "the reference point has %zu numbers, there are %zu objectives", n,
                             r->table->objectives);
    for (size_t i = 0; i < r->table->count && status == LOCBO_OK; i++)
        if (measured_is_objective(r->table, i)) r->reference[i] = list[next++];
    mem_free(list);
    return status;
}

locbo_status reference_read(const locbo_study *study, double *reference, locbo_error *error) {
    reading r = {&study->table, reference};
    uint64_t found = 0;
    for (size_t i = 0; i < study->table.count; i++) {
        const locbo_output_spec *s = &study->table.output[i].spec;
        reference[i] = s->referenced ? s->reference : (double)NAN;
    }
    locbo_status status = store_query(study->store, "SELECT {reference} FROM locbo_study WHERE id = $1",
                                      VALUES(store_int(study->id)), take_reference, &r, &found, error);
    return status == LOCBO_OK && found == 0 ? ledger_gone(study, error) : status;
}

typedef struct asking_reference {
    const locbo_study *study;
    double *reference;
} asking_reference;

static locbo_status read_one(locbo_store *store, void *user, locbo_error *error) {
    const asking_reference *a = user;
    (void)store;
    locbo_status status = ledger_check_present(a->study, error);
    return status == LOCBO_OK ? reference_read(a->study, a->reference, error) : status;
}

locbo_status locbo_study_reference(locbo_study *study, double *reference, locbo_error *error) {
    if (!study || !reference) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and reference must not be NULL");
    double *list = mem_new(study->table.count, sizeof *list);
    asking_reference a = {study, list};
    locbo_status status = list ? store_read(study->store, read_one, &a, error) : status_no_memory(error);
    if (status == LOCBO_OK) memcpy(reference, list, study->table.count * sizeof *list);
    mem_free(list);
    return status == LOCBO_OK ? status_ok(error) : status;
}
