/* leaders.c - several outputs: the results that may be the best, by what was measured and when. Layer: core, below the
 * surrogate. Cost: O(n f) for each front of f results, of which there are few. */
#include "leaders.h"

#include <float.h>
#include <math.h>

#include "front.h"
#include "mem.h"
#include "ranked.h"
#include "told.h"

/* The results that take part. */
typedef struct ranking {
    const leaders *of;
    size_t n, m;    /* m: objectives */
    size_t *result; /* n: in the list of all */
    size_t *row;    /* n: among those that have the output */
    double *y;      /* n x m, larger is better; NAN: it is chosen, or cannot be */
    double *miss;   /* n: by how much the constraints are missed; 0: they hold */
    unsigned char *chosen;
    size_t *index; /* scratch */
    ranked *order; /* scratch */
} ranking;

static int ranking_make(ranking *c, const leaders *of, size_t results) {
    *c = (ranking){.of = of, .m = of->objectives};
    c->result = mem_new(results, sizeof *c->result);
    c->row = mem_new(results, sizeof *c->row);
    c->y = mem_new(results * c->m, sizeof *c->y);
    c->miss = mem_new(results, sizeof *c->miss);
    c->chosen = mem_new(results, 1);
    c->index = mem_new(results, sizeof *c->index);
    c->order = mem_new(results, sizeof *c->order);
    return c->result && c->row && c->y && c->miss && c->chosen && c->index && c->order;
}

static void ranking_release(ranking *c) {
    void *arrays[] = {c->result, c->row, c->y, c->miss, c->chosen, c->index, c->order};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
}

/* What a result measured of an output, larger is better; NAN: nothing. */
static double value_of(const leaders *l, size_t result, size_t part) {
    size_t output = l->listed[part];
    return outputs_sign(outputs_at(l->outputs, output)) * l->told->measured[result * l->told->outputs + output].value;
}

/* ---- who takes part ---------------------------------------------------------------------------- */

/* How many results there are up to the n-th one that has the output. */
static size_t results_until(const leaders *l, size_t part, size_t n) {
    size_t i = 0;
    while (i < l->told->n && n > 0) n -= !isnan(value_of(l, i++, part));
    return i;
}

static int may_lead(const leaders *l, size_t result) {
    size_t fidelity = space_fidelity(l->space);
    const double *u = l->told->u + result * l->told->columns;
    if (l->told->aside[result]) return 0;
    if (fidelity != SIZE_MAX && u[space_column(l->space, fidelity)] != space_full(l->space)) return 0;
    for (size_t k = 0; k < l->parts; k++)
        if (isnan(value_of(l, result, k))) return 0;
    return 1;
}

static void add_results(ranking *c, size_t part, size_t results) {
    size_t row = 0;
    for (size_t i = 0; i < results; i++) {
        if (may_lead(c->of, i)) {
            for (size_t k = 0; k < c->m; k++) c->y[c->n * c->m + k] = value_of(c->of, i, k);
            c->result[c->n] = i;
            c->row[c->n++] = row;
        }
        row += !isnan(value_of(c->of, i, part));
    }
}

/* The bound of a constraint as it was then; a multiple of what has no result yet holds always. */
static double bound_of(const leaders *l, size_t part, size_t results) {
    const locbo_output_spec *spec = outputs_at(l->outputs, l->listed[part]);
    told then = *l->told;
    then.n = results;
    double bound = spec->baseline ? spec->bound * told_mean(&then, spec->baseline, l->listed[part]) : spec->bound;
    return isnan(bound) ? -INFINITY : outputs_sign(spec) * bound;
}

/* By how much each misses the constraint, in units of the largest such miss. */
static void add_misses(ranking *c, size_t part, double bound) {
    double largest = 0;
    for (size_t i = 0; i < c->n; i++) {
        double miss = bound - value_of(c->of, c->result[i], part);
        largest = fmax(largest, fmin(miss, DBL_MAX));
    }
    for (size_t i = 0; i < c->n; i++) {
        double miss = bound - value_of(c->of, c->result[i], part);
        if (miss > 0) c->miss[i] += fmax(fmin(miss, DBL_MAX) / largest, DBL_MIN);
    }
}

/* ---- who leads --------------------------------------------------------------------------------- */

static void drop(ranking *c, size_t i) {
    for (size_t k = 0; k < c->m; k++) c->y[i * c->m + k] = (double)NAN;
}

static int is_inside(const ranking *c, size_t i) {
    const told *t = c->of->told;
    return locbo_space_check(c->of->space, t->x + c->result[i] * t->dim, NULL) == LOCBO_OK;
}

/* Of a front, c->index, at most `room` are chosen, evenly along the first objective. Those outside the space are
 * dropped, and nobody is chosen before all others are known. */
static size_t choose_front(ranking *c, size_t found, size_t room) {
    size_t outside = 0, count = found < room ? found : room;
    for (size_t j = 0; j < found; j++) {
        size_t i = c->index[j];
        c->order[j] = (ranked){c->y[i * c->m], i};
        if (is_inside(c, i)) continue;
        drop(c, i);
        outside++;
    }
    if (outside > 0) return 0;
    ranked_sort(found, c->order);
    for (size_t j = 0; j < count; j++) {
        size_t i = c->order[count > 1 ? j * (found - 1) / (count - 1) : 0].row;
        c->chosen[i] = 1;
        drop(c, i);
    }
    return count;
}

/* The latest results. */
static size_t choose_latest(ranking *c, size_t room) {
    size_t count = 0;
    for (size_t i = c->n; i-- > 0 && count < room;) {
        if (!is_inside(c, i)) continue;
        c->chosen[i] = 1;
        count++;
    }
    return count;
}

/* Of those who are left, whose constraints hold. */
static size_t choose_fronts(ranking *c, size_t room) {
    size_t count = 0, found;
    for (size_t i = 0; i < c->n; i++)
        if (c->chosen[i] || c->miss[i] > 0) drop(c, i);
    while (count < room && (found = front_find(c->m, c->n, c->y, NULL, c->index)) > 0)
        count += choose_front(c, found, room - count);
    return count;
}

/* Those that miss the constraints by least. */
static void choose_near(ranking *c, size_t room) {
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        if (!c->chosen[i] && c->miss[i] > 0) c->order[n++] = (ranked){-c->miss[i], i};
    ranked_sort(n, c->order);
    for (size_t j = 0; j < n && room > 0; j++) {
        if (!is_inside(c, c->order[j].row)) continue;
        c->chosen[c->order[j].row] = 1;
        room--;
    }
}

locbo_status leaders_find(const leaders *l, size_t part, size_t n, size_t most, size_t *row, size_t *count,
                          locbo_error *error) {
    size_t results = results_until(l, part, n), found = 0;
    ranking c;
    int made = ranking_make(&c, l, results);
    if (most > LEADERS_MOST) most = LEADERS_MOST;
    if (made) {
        add_results(&c, part, results);
        for (size_t k = l->objectives; k < l->parts; k++) add_misses(&c, k, bound_of(l, k, results));
        size_t room = most - choose_latest(&c, most / 2);
        room -= choose_fronts(&c, room);
        choose_near(&c, room);
        for (size_t i = 0; i < c.n; i++)
            if (c.chosen[i]) row[found++] = c.row[i];
        *count = found;
    }
    ranking_release(&c);
    return made ? LOCBO_OK : status_no_memory(error);
}
