/* contrast.c - samples of two groups of runs, paired by seed: means, bootstrap intervals, signed
 * ranks. Layer: experiment, above sample and widths. */
#include "contrast.h"

#include <math.h>
#include <string.h>

#include "status.h"
#include "widths.h"

int contrast_word(const char *list, size_t i, char word[CONTRAST_WORD]) {
    list += strspn(list, " ");
    for (; *list && i > 0; i--) {
        list += strcspn(list, " ");
        list += strspn(list, " ");
    }
    size_t length = strcspn(list, " ");
    if (length >= CONTRAST_WORD) length = CONTRAST_WORD - 1;
    memcpy(word, list, length);
    word[length] = '\0';
    return length > 0;
}

/* ---- One cell -------------------------------------------------------------------------------- */

/* A statistic of the widths of each run (widths.h). */
static locbo_status take_widths(const results *r, size_t cell, contrast_measure measure, sample *taken, size_t *capped,
                                locbo_error *error) {
    locbo_status status = sample_take(r, cell, SAMPLE_OBSERVED, taken, error);
    size_t kept = 0;
    for (size_t i = 0; status == LOCBO_OK && i < taken->n; i++) {
        results_run run;
        widths w = {(double)NAN, (double)NAN, 0};
        if (results_find(r, cell, taken->seed[i], &run)) status = widths_measure(&run, &w, error);
        double value = measure == CONTRAST_NEAR ? w.near : w.uneven;
        if (isnan(value)) continue;
        *capped += w.capped;
        taken->seed[kept] = taken->seed[i];
        taken->value[kept++] = value;
    }
    taken->n = kept;
    if (status != LOCBO_OK) sample_release(taken);
    return status;
}

static locbo_status take_cell(const plan *p, const results *r, const char *method, const char *case_,
                              contrast_measure measure, sample *taken, size_t *capped, locbo_error *error) {
    size_t m = plan_find_method(p, method), c = plan_find_case(p, case_), cell = plan_cells(p);
    if (m < p->methods && c < p->cases) cell = plan_source(p, c, m);
    /* beyond the last cell there are no runs, so the sample is empty */
    if (measure == CONTRAST_FINAL) return sample_take(r, cell, SAMPLE_OBSERVED, taken, error);
    return take_widths(r, cell, measure, taken, capped, error);
}

/* ---- One side -------------------------------------------------------------------------------- */

static void scale(sample *s, double factor) {
    for (size_t i = 0; i < s->n; i++) s->value[i] *= factor;
}

/* sum += next over their common seeds; releases `next`. */
static locbo_status add(sample *sum, sample *next, locbo_error *error) {
    sample both;
    scale(next, -1);
    locbo_status status = sample_difference(sum, next, &both, error);
    sample_release(next);
    if (status != LOCBO_OK) return status;
    sample_release(sum);
    *sum = both;
    return LOCBO_OK;
}

static locbo_status take_side(const plan *p, const results *r, const contrast_side *side, sample *taken, size_t *capped,
                              locbo_error *error) {
    char method[CONTRAST_WORD], case_[CONTRAST_WORD];
    size_t count = 0;
    locbo_status status = LOCBO_OK;
    memset(taken, 0, sizeof *taken);
    for (size_t i = 0; contrast_word(side->methods, i, method); i++)
        for (size_t k = 0; status == LOCBO_OK && contrast_word(side->cases, k, case_); k++) {
            sample next;
            status = take_cell(p, r, method, case_, side->measure, &next, capped, error);
            if (status == LOCBO_OK && count++ == 0)
                *taken = next;
            else if (status == LOCBO_OK)
                status = add(taken, &next, error);
        }
    if (status != LOCBO_OK)
        sample_release(taken);
    else if (count > 1)
        scale(taken, 1 / (double)count);
    return status;
}

/* ---- Both ------------------------------------------------------------------------------------ */

static locbo_status take_ones(const sample *like, sample *taken, locbo_error *error) {
    locbo_status status = sample_difference(like, like, taken, error);
    for (size_t i = 0; status == LOCBO_OK && i < taken->n; i++) taken->value[i] = 1;
    return status;
}

/* Of samples with the same seeds. */
static locbo_status compare(const sample *a, const sample *b, contrast *made, locbo_error *error) {
    sample d;
    locbo_status status = sample_difference(a, b, &d, error);
    if (status != LOCBO_OK) return status;
    made->n = d.n;
    if (d.n > 0) {
        made->a = stats_mean(a->n, a->value);
        made->b = stats_mean(b->n, b->value);
        status = sample_interval(&d, STATS_MEAN, &made->difference, error);
        if (status == LOCBO_OK) status = sample_ratio(a, b, &made->ratio, error);
        if (status == LOCBO_OK) status = stats_wilcoxon(d.n, d.value, &made->p, NULL, error);
    }
    sample_release(&d);
    return status;
}

locbo_status contrast_make(const plan *p, const results *r, const contrast_side *a, const contrast_side *b,
                           contrast *made, locbo_error *error) {
    const double no = (double)NAN;
    sample x, y;
    contrast c = {0, no, no, {no, no, no}, {no, no, no}, no, 0};
    locbo_status status = take_side(p, r, a, &x, &c.capped, error);
    if (status != LOCBO_OK) return status;
    status = b->measure == CONTRAST_ONE ? take_ones(&x, &y, error) : take_side(p, r, b, &y, &c.capped, error);
    if (status == LOCBO_OK) {
        sample_match(&x, &y);
        status = compare(&x, &y, &c, error);
        sample_release(&y);
    }
    sample_release(&x);
    if (status == LOCBO_OK) *made = c;
    return status;
}
