/* excerpt.c - some rows of a dataset as a dataset of their own. Layer: core, above dataset. Cost: O(1) a row that is
 * taken; a sample O(n log n). */
#include "excerpt.h"

#include <math.h>
#include <string.h>

#include "mem.h"
#include "ranked.h"

void excerpt_release(excerpt *e) {
    dataset_release(&e->rows);
    mem_free(e->source);
    memset(e, 0, sizeof *e);
}

locbo_status excerpt_take(excerpt *e, const dataset *d, size_t n, const size_t *row, int merged, locbo_error *error) {
    e->rows.n = 0;
    if (!mem_reserve(&e->source, &e->capacity, n, sizeof *e->source)) return status_no_memory(error);
    if (n) memcpy(e->source, row, n * sizeof *row);
    locbo_status status = dataset_copy_rows(&e->rows, d, n, row, merged, error);
    if (status != LOCBO_OK) e->rows.n = 0;
    return status;
}

locbo_status excerpt_add(excerpt *e, const dataset *d, size_t row, locbo_error *error) {
    if (!mem_reserve(&e->source, &e->capacity, e->rows.n + 1, sizeof *e->source)) return status_no_memory(error);
    e->source[e->rows.n] = row;
    return dataset_copy_row(&e->rows, d, row, error);
}

void excerpt_remove_last(excerpt *e) { dataset_remove_last(&e->rows); }

/* ---- a sample ---------------------------------------------------------------------------------- */

void excerpt_flag_evenly(unsigned char *flag, size_t n, size_t count) {
    size_t left = 0, seen = 0, done = 0;
    for (size_t i = 0; i < n; i++) left += !flag[i];
    for (size_t i = 0; i < n; i++) {
        if (flag[i]) continue;
        seen++;
        if (done * left >= seen * count) continue;
        flag[i] = 1;
        done++;
    }
}

/* Gross outliers, by the order of all values, the best first: so few that rows taken evenly may miss all of them, and a
 * fit that knows none would explain them by the function. *flag is set for the worst ones, `most` at most. On the good
 * side nothing is missed. */
static void flag_outliers(unsigned char *flag, size_t n, const ranked *order, size_t few, size_t most) {
    const double far = 10; /* times as far from the median as the worst of the others */
    double median = order[n / 2].value, worst = order[n - 1 - few].value;
    for (size_t i = 0; i < few && i < most; i++)
        if (worst - order[n - 1 - i].value > far * (median - worst)) flag[order[n - 1 - i].row] = 1;
}

locbo_status excerpt_sample(excerpt *e, const dataset *d, size_t most, locbo_error *error) {
    size_t quarter = most / 4, count = 0;
    ranked *order = mem_new(d->n, sizeof *order);
    unsigned char *flag = mem_new(d->n, 1);
    size_t *row = mem_new(most, sizeof *row);
    locbo_status status = order && flag && row ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; status == LOCBO_OK && i < d->n; i++)
        order[i] = (ranked){d->scale.sign * d->measured[i].value, i};
    if (status == LOCBO_OK) {
        ranked_sort(d->n, order);
        for (size_t i = 0; i < quarter; i++) flag[order[i].row] = flag[d->n - 1 - i] = 1;
        flag_outliers(flag, d->n, order, d->n / quarter, quarter / 5);
        for (size_t i = 0; i < d->n; i++) count += flag[i];
        excerpt_flag_evenly(flag, d->n, most - count);
        count = 0;
        for (size_t i = 0; i < d->n && count < most; i++)
            if (flag[i]) row[count++] = i;
        status = excerpt_take(e, d, count, row, d->merged, error);
    }
    mem_free(order);
    mem_free(flag);
    mem_free(row);
    return status;
}
