/* members.c - a list of fitted candidates. Layer: core. Cost: O(count of theta) a candidate. */
#include "members.h"

#include <string.h>

#include "mem.h"

locbo_status members_init(members *m, size_t stride, locbo_error *error) {
    *m = (members){.stride = stride, .theta = mem_new(MEMBERS_MOST * stride, sizeof *m->theta)};
    return m->theta ? LOCBO_OK : status_no_memory(error);
}

void members_release(members *m) { mem_free(m->theta); }

void members_add(members *m, const locbo_member *item) {
    double *theta = m->theta + m->count * m->stride;
    memmove(theta, item->theta, item->count * sizeof *theta); /* it may be that very place */
    locbo_member *to = &m->item[m->count++];
    scaling scale = members_scale(item, 1);
    warp bend = scaling_bend(&scale); /* all NAN if it is affine: files have zeros */
    *to = *item;
    to->theta = theta;
    to->power = bend.power;
    to->offset = bend.offset;
    to->low = bend.low;
    to->high = bend.high;
}

void members_set(members *m, size_t count, size_t chosen, const locbo_member *items) {
    m->count = 0;
    m->chosen = chosen;
    for (size_t i = 0; i < count; i++) members_add(m, &items[i]);
}

void members_revise(members *m, size_t count, const double *theta, double gain) {
    memcpy(m->theta + m->chosen * m->stride, theta, count * sizeof *theta);
    m->item[m->chosen].score += gain;
}

scaling members_scale(const locbo_member *m, double sign) {
    return scaling_restore(sign, m->shift, m->spread, (warp){m->power, m->offset, m->low, m->high});
}
