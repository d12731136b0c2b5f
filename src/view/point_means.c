/* point_means.c - means of points, which a hash table finds by their coordinates. Layer: view, tools. Cost: O(trials).
 */
#include "point_means.h"

#include <stdint.h>
#include <string.h>

#include "mean.h"
#include "mem.h"

static size_t *find_slot(const point_means *p, const double *x) {
    const unsigned char *bytes = (const unsigned char *)x;
    size_t size = p->dim * sizeof *x;
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    size_t at = (size_t)((hash ^ hash >> 32) % p->slots_size);
    while (p->slots[at] && memcmp(p->x + (p->slots[at] - 1) * p->dim, x, size) != 0) at = (at + 1) % p->slots_size;
    return &p->slots[at];
}

/* At most half of the slots are taken. */
static locbo_status grow_slots(point_means *p, locbo_error *error) {
    if (2 * (p->count + 1) < p->slots_size) return LOCBO_OK;
    size_t size = 4 * p->count + 64, *slots = mem_new(size, sizeof *slots);
    if (!slots) return status_no_memory(error);
    mem_free(p->slots);
    p->slots = slots;
    p->slots_size = size;
    for (size_t i = 0; i < p->count; i++) *find_slot(p, p->x + i * p->dim) = i + 1;
    return LOCBO_OK;
}

locbo_status point_means_add(point_means *p, const double *x, size_t row, size_t *point, locbo_error *error) {
    const mem_array arrays[] = {{&p->first, sizeof *p->first},
                                {&p->x, p->dim * sizeof *p->x},
                                {&p->mean, p->outputs * sizeof *p->mean},
                                {&p->weight, p->outputs * sizeof *p->weight}};
    locbo_status status = grow_slots(p, error);
    if (status != LOCBO_OK) return status;
    size_t *slot = find_slot(p, x);
    if (*slot == 0) {
        if (!mem_reserve_all(4, arrays, &p->capacity, p->count + 1)) return status_no_memory(error);
        p->first[p->count] = row;
        memcpy(p->x + p->count * p->dim, x, p->dim * sizeof *x);
        memset(p->mean + p->count * p->outputs, 0, p->outputs * sizeof *p->mean);
        memset(p->weight + p->count * p->outputs, 0, p->outputs * sizeof *p->weight);
        *slot = ++p->count;
    }
    *point = *slot - 1;
    return LOCBO_OK;
}

size_t point_means_find(const point_means *p, const double *x) {
    return p->count > 0 ? *find_slot(p, x) - 1 : SIZE_MAX;
}

void point_means_take(point_means *p, size_t point, size_t output, double value, double weight) {
    size_t at = point * p->outputs + output;
    mean_add(&p->mean[at], &p->weight[at], value, weight);
}

void point_means_finish(point_means *p) {
    for (size_t i = 0; i < p->count * p->outputs; i++) p->mean[i] = mean_of(p->mean[i], p->weight[i]);
}

void point_means_release(point_means *p) {
    mem_free(p->first);
    mem_free(p->x);
    mem_free(p->mean);
    mem_free(p->weight);
    mem_free(p->slots);
    *p = (point_means){0};
}
