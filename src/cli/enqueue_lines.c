/* enqueue_lines.c - the points of a study file that the study does not have yet. Layer: cli, middle.
 * Cost: trials times points. */
#include "enqueue_lines.h"

#include <math.h>
#include <string.h>

#include "mem.h"

typedef struct lines {
    size_t count, dim; /* of the study */
    double *points;    /* in the study's space: NAN where free */
    unsigned char *had;
} lines;

/* ---- in the study's space ---------------------------------------------------------------------- */

/* A value of one space in another, categories by their texts; NAN: it has no place there. */
static double carry(const locbo_parameter *from, const locbo_parameter *to, double value) {
    if (from->count == 0 || isnan(value)) return value;
    for (size_t k = 0; k < to->count; k++)
        if (strcmp(to->categories[k], from->categories[(size_t)value]) == 0) return (double)k;
    return (double)NAN;
}

static locbo_status place(lines *l, const locbo_space *space, const study_file *file, locbo_error *error) {
    size_t dim = locbo_space_dim(file->space);
    for (size_t i = 0; i < l->count * l->dim; i++) l->points[i] = (double)NAN;
    for (size_t j = 0; j < dim; j++) {
        locbo_parameter from, to;
        size_t at;
        locbo_space_parameter(file->space, j, &from, NULL);
        locbo_status status = locbo_space_find(space, from.name, &at, error);
        if (status != LOCBO_OK) return status;
        locbo_space_parameter(space, at, &to, NULL);
        for (size_t i = 0; i < l->count; i++)
            l->points[i * l->dim + at] = carry(&from, &to, file->enqueue[i * dim + j]);
    }
    return LOCBO_OK;
}

/* ---- which the study has ----------------------------------------------------------------------- */

/* How many values of a point a trial has: all that are given, otherwise 0. */
static size_t shared(const lines *l, size_t i, const double *x) {
    size_t count = 0;
    for (size_t j = 0; j < l->dim; j++) {
        double wanted = l->points[i * l->dim + j];
        if (isnan(wanted)) continue;
        if (x[j] != wanted) return 0;
        count++;
    }
    return count;
}

/* A trial is that of the point with the most values that it agrees with. */
static int note_trial(const locbo_record *record, void *user) {
    lines *l = user;
    size_t best = l->count, most = 0;
    for (size_t i = 0; i < l->count; i++) {
        size_t count = l->had[i] ? 0 : shared(l, i, record->x);
        if (count <= most) continue;
        most = count;
        best = i;
    }
    if (best < l->count) l->had[best] = 1;
    return 0;
}

/* ---- queue ------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    return hash;
}

/* The token of a point of this study: the same in every process, so that the database takes it once. */
static uint64_t token_of(const session *s, const locbo_census *census, const lines *l, size_t i) {
    const double *x = l->points + i * l->dim, *other;
    uint64_t copies = 0, hash = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < i; k++) {
        size_t j = 0;
        for (other = l->points + k * l->dim; j < l->dim && (other[j] == x[j] || (isnan(other[j]) && isnan(x[j])));
             j++) {
        }
        copies += j == l->dim;
    }
    hash = mix(hash, locbo_study_name(s->study), strlen(locbo_study_name(s->study)));
    hash = mix(hash, &census->created, sizeof census->created);
    hash = mix(hash, &copies, sizeof copies);
    for (size_t j = 0; j < l->dim; j++) {
        locbo_parameter p;
        locbo_space_parameter(s->definition.space, j, &p, NULL);
        if (isnan(x[j])) continue;
        hash = mix(hash, p.name, strlen(p.name));
        hash = mix(hash, &x[j], sizeof x[j]);
    }
    return hash ? hash : 1;
}

static locbo_status queue(session *s, const lines *l, size_t *queued, locbo_error *error) {
    locbo_census census;
    locbo_status status = locbo_study_census(s->study, &census, error);
    for (size_t i = 0; i < l->count && status == LOCBO_OK; i++) {
        locbo_error why;
        if (l->had[i]) continue;
        locbo_store_token(s->store, token_of(s, &census, l, i));
        status = locbo_study_enqueue(s->study, l->points + i * l->dim, NULL, &why);
        if (status == LOCBO_OK)
            ++*queued;
        else
            status_fail(error, status, "enqueue[%zu]: %.240s", i, why.message);
    }
    return status;
}

locbo_status enqueue_lines_add(session *s, const study_file *file, size_t *queued, locbo_error *error) {
    lines l = {.count = file->enqueue_count};
    *queued = 0;
    if (l.count == 0) return LOCBO_OK;
    locbo_status status = locbo_study_definition(s->study, &s->definition, error);
    if (status != LOCBO_OK) return status;
    l.dim = locbo_space_dim(s->definition.space);
    l.points = mem_new(l.count * l.dim, sizeof *l.points);
    l.had = mem_new(l.count, 1);
    status = l.points && l.had ? place(&l, s->definition.space, file, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = locbo_study_each(s->study, NULL, note_trial, &l, error);
    if (status == LOCBO_OK) status = queue(s, &l, queued, error);
    mem_free(l.points);
    mem_free(l.had);
    return status;
}
