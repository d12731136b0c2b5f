/* screen.c - predictions at a set of candidates that are kept. Layer: core, above gp. Cost: the first time that of
 * gp_predict, then O(n) for each point and new pending row; memory for two numbers for each point and row. */
#include "screen.h"

#include <string.h>

#include "mem.h"

void screen_release(screen *s) {
    for (size_t i = 0; i < s->capacity; i++) {
        gp_work_release(&s->block[i].work);
        mem_free(s->block[i].u);
        mem_free(s->block[i].mu);
    }
    mem_free(s->block);
    memset(s, 0, sizeof *s);
}

void screen_renew(screen *s, uint64_t version) {
    if (s->version == version) return;
    s->version = version;
    for (size_t i = 0; i < s->capacity; i++) s->block[i].have = 0, s->block[i].known = 0;
}

static void exchange(gp_work *a, gp_work *b) {
    gp_work kept = *a;
    *a = *b;
    *b = kept;
}

/* Whether the block is of these points; if not, it becomes one of which nothing is known. */
static locbo_status take_points(screen_block *b, size_t m, const double *u, size_t size, locbo_error *error) {
    if (b->m == m && b->u && memcmp(b->u, u, size) == 0) return LOCBO_OK;
    double *copy = mem_new(size, 1), *mu = mem_new(3 * m, sizeof *mu);
    if (!copy || !mu) {
        mem_free(copy);
        mem_free(mu);
        return status_no_memory(error);
    }
    mem_free(b->u);
    mem_free(b->mu);
    b->u = memcpy(copy, u, size);
    b->mu = mu;
    b->m = m;
    b->have = 0;
    b->known = 0;
    return LOCBO_OK;
}

locbo_status screen_predict(screen *s, size_t number, const gp *model, size_t m, const double *u, double *mu, double *v,
                            gp_work *work, locbo_error *error) {
    if (!mem_reserve(&s->block, &s->capacity, number + 1, sizeof *s->block)) return status_no_memory(error);
    screen_block *b = &s->block[number];
    locbo_status status = take_points(b, m, u, m * gp_get_spec(model)->columns * sizeof *u, error);
    if (status != LOCBO_OK) return status;
    exchange(&b->work, work);
    status = gp_predict_more(model, m, u, b->mu, b->mu + m, work, b->have, error);
    b->have = status == LOCBO_OK ? gp_rows(model) + gp_pending(model) : 0;
    memcpy(mu, b->mu, m * sizeof *mu);
    memcpy(v, b->mu + m, m * sizeof *v);
    if (status != LOCBO_OK) exchange(&b->work, work);
    return status;
}

double *screen_local(screen *s, size_t number, int **known) {
    screen_block *b = &s->block[number];
    *known = &b->known;
    return b->mu + 2 * b->m;
}

void screen_return(screen *s, size_t number, gp_work *work) { exchange(&s->block[number].work, work); }
