/* front.c - Pareto fronts: the vectors that are not dominated, the volume that vectors dominate, and the region that
 * they do not dominate as disjoint boxes.
 *
 * Volume: a sweep downwards along the first objective adds the area under the staircase of the next two, kept up to
 * date point by point; with four objectives such a volume is computed anew for each slice of the last one.
 *
 * Boxes: the region {y >= r, not dominated} is the union of the orthants above its corners l. Objective k of a corner
 * is that of a point z^k of the front or of the reference. A new point p removes the corners with l < p; each of them
 * leaves up to m new ones, l with l_j moved up to p_j, namely those with p_j < z^i_j for all i other than j (Klamroth,
 * Lacour and Vanderpooten 2015). The corners give a partition into as many boxes (Lacour, Klamroth and Fonseca 2017):
 *
 *     [l_0, inf) x [l_1, z^0_1) x [l_2, min(z^0_2, z^1_2)) x ...
 *
 * No partition has fewer, since every corner is the lower end of a box. All this is for coordinates that differ, so
 * ranks are used instead, with equal coordinates ranked by the order of their points: boxes between equal coordinates
 * are then empty and left out.
 *
 * Layer: core, below the acquisition. Cost: find O(n f) with f points in the front; volume O(n log n) for m <= 2,
 * O(n log n + n f) for m = 3, n times that for m = 4; boxes O(f c), c <= (f + 1)^2 corners. */
#include "front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "status.h"

static int is_above(size_t m, const double *y, const double *reference) {
    for (size_t k = 0; k < m; k++)
        if (!(y[k] > (reference ? reference[k] : -INFINITY))) return 0;
    return 1;
}

/* a_k >= b_k for every k */
static int covers(size_t m, const double *a, const double *b) {
    for (size_t k = 0; k < m; k++)
        if (!(a[k] >= b[k])) return 0;
    return 1;
}

size_t front_find(size_t m, size_t n, const double *y, const double *reference, size_t *index) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        const double *new = y + i *m;
        int covered = !is_above(m, new, reference);
        for (size_t j = 0; j < found && !covered; j++) covered = covers(m, y + index[j] * m, new);
        if (covered) continue;
        size_t kept = 0;
        for (size_t j = 0; j < found; j++)
            if (!covers(m, new, y + index[j] * m)) index[kept++] = index[j];
        index[kept++] = i;
        found = kept;
    }
    return found;
}

static locbo_status check(size_t m, size_t n, const double *y, const double *reference, locbo_error *error) {
    if (m < 1 || m > FRONT_OBJECTIVES)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the number of objectives must be 1 to %d, got %zu",
                           FRONT_OBJECTIVES, m);
    for (size_t k = 0; k < m; k++)
        if (!isfinite(reference[k]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "reference[%zu] must be finite, got %g", k, reference[k]);
    for (size_t i = 0; i < n * m; i++)
        if (!isfinite(y[i]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "objective %zu of vector %zu must be finite, got %g", i % m,
                               i / m, y[i]);
    return LOCBO_OK;
}

/* ---- the volume -------------------------------------------------------------------------------- */

/* A vector less the reference. Objectives that there are not are 1: lengths, areas and volumes are one computation. */
typedef struct row {
    double v[FRONT_OBJECTIVES];
} row;

typedef struct step {
    double x, height;
} step;

typedef struct volume_work {
    row *rows, *slice;
    step *steps; /* the staircase: x ascends, height descends; it is steps[i].height between x of i - 1 and of i */
    size_t step_count;
    double area; /* under it */
} volume_work;

/* Descending by the objectives from `first` on, then by the others; a total order, so that the result has the same bits
 * whatever the algorithm of qsort. */
static int compare_from(size_t first, const row *a, const row *b) {
    for (size_t i = 0; i < FRONT_OBJECTIVES; i++) {
        size_t k = (first + i) % FRONT_OBJECTIVES;
        if (a->v[k] != b->v[k]) return a->v[k] < b->v[k] ? 1 : -1;
    }
    return 0;
}

static int by_first(const void *a, const void *b) { return compare_from(0, a, b); }
static int by_last(const void *a, const void *b) { return compare_from(FRONT_OBJECTIVES - 1, a, b); }

/* The first step with step.x >= x. */
static size_t find_step(const volume_work *w, double x) {
    size_t low = 0, high = w->step_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (w->steps[middle].x < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Raise the staircase to `height` up to x, where it is lower. The area grows by positive terms only. */
static void add_step(volume_work *w, double x, double height) {
    size_t at = find_step(w, x), first = at;
    double under = at < w->step_count ? w->steps[at].height : 0;
    if (under >= height) return;
    while (first > 0 && w->steps[first - 1].height <= height) first--;
    double left = first > 0 ? w->steps[first - 1].x : 0;
    for (size_t i = first; i < at; i++) {
        w->area += (w->steps[i].x - left) * (height - w->steps[i].height);
        left = w->steps[i].x;
    }
    w->area += (x - left) * (height - under);
    memmove(w->steps + first + 1, w->steps + at, (w->step_count - at) * sizeof *w->steps);
    w->steps[first] = (step){x, height};
    w->step_count = w->step_count - (at - first) + 1;
}

/* Of n rows in the order by_first, of their first three objectives. */
static double sweep(volume_work *w, size_t n, const row *rows) {
    double volume = 0;
    w->step_count = 0;
    w->area = 0;
    for (size_t i = 0; i < n; i++) {
        double next = i + 1 < n ? rows[i + 1].v[0] : 0;
        add_step(w, rows[i].v[1], rows[i].v[2]);
        volume += w->area * (rows[i].v[0] - next);
    }
    return volume;
}

/* Insert a row into the slice's front of the first three objectives, n rows in the order by_first. Returns its new
 * number of rows; *changed is set if there is a change. */
static size_t add_to_slice(volume_work *w, size_t n, const row *new, int *changed) {
    size_t kept = 0, at = 0;
    for (size_t i = 0; i < n; i++)
        if (covers(3, w->slice[i].v, new->v)) return n;
    for (size_t i = 0; i < n; i++)
        if (!covers(3, new->v, w->slice[i].v)) w->slice[kept++] = w->slice[i];
    while (at < kept && by_first(&w->slice[at], new) < 0) at++;
    memmove(w->slice + at + 1, w->slice + at, (kept - at) * sizeof *w->slice);
    w->slice[at] = *new;
    *changed = 1;
    return kept + 1;
}

/* Of n rows in the order by_last. */
static double sweep_slices(volume_work *w, size_t n, const row *rows) {
    double volume = 0, base = 0;
    size_t in_slice = 0;
    int changed = 0;
    for (size_t i = 0; i < n; i++) {
        double next = i + 1 < n ? rows[i + 1].v[3] : 0, thickness = rows[i].v[3] - next;
        in_slice = add_to_slice(w, in_slice, &rows[i], &changed);
        if (thickness == 0) continue;
        if (changed) base = sweep(w, in_slice, w->slice);
        changed = 0;
        volume += base * thickness;
    }
    return volume;
}

static size_t take_rows(size_t m, size_t n, const double *y, const double *reference, row *rows) {
    size_t taken = 0;
    for (size_t i = 0; i < n; i++) {
        if (!is_above(m, y + i * m, reference)) continue;
        for (size_t k = 0; k < FRONT_OBJECTIVES; k++) rows[taken].v[k] = k < m ? y[i * m + k] - reference[k] : 1;
        taken++;
    }
    return taken;
}

locbo_status front_volume(size_t m, size_t n, const double *y, const double *reference, double *volume,
                          locbo_error *error) {
    locbo_status status = check(m, n, y, reference, error);
    if (status != LOCBO_OK) return status;
    volume_work w = {mem_new(n, sizeof *w.rows), mem_new(n, sizeof *w.slice), mem_new(n, sizeof *w.steps), 0, 0};
    if (w.rows && w.slice && w.steps) {
        size_t rows = take_rows(m, n, y, reference, w.rows);
        qsort(w.rows, rows, sizeof *w.rows, m < 4 ? by_first : by_last);
        *volume = m < 4 ? sweep(&w, rows, w.rows) : sweep_slices(&w, rows, w.rows);
    } else {
        status = status_no_memory(error);
    }
    mem_free(w.rows);
    mem_free(w.slice);
    mem_free(w.steps);
    return status;
}

/* ---- the boxes --------------------------------------------------------------------------------- */

/* The front by ranks. Its points are 0 .. n-1, of rank 1 .. n in each objective. Point n + k stands for the reference
 * in objective k: it has rank 0 there, and n + 1 (infinite) in the others. */
typedef struct ranking {
    size_t m, n;
    unsigned char rank[FRONT_OBJECTIVES][FRONT_POINTS + FRONT_OBJECTIVES];
    unsigned char point[FRONT_OBJECTIVES][FRONT_POINTS + 1]; /* by rank */
    unsigned char level[FRONT_OBJECTIVES][FRONT_LEVELS];     /* of the boxes, by rank */
} ranking;

/* The points by rank in objective k; equal ones in their order. */
static void rank_points(ranking *r, size_t k, const size_t *index, const double *y) {
    for (size_t p = 0; p < r->n; p++) {
        size_t at = p + 1;
        for (; at > 1 && y[index[r->point[k][at - 1]] * r->m + k] > y[index[p] * r->m + k]; at--)
            r->point[k][at] = r->point[k][at - 1];
        r->point[k][at] = (unsigned char)p;
    }
    for (size_t i = 1; i <= r->n; i++) r->rank[k][r->point[k][i]] = (unsigned char)i;
    for (size_t j = 0; j < r->m; j++) r->rank[k][r->n + j] = (unsigned char)(j == k ? 0 : r->n + 1);
}

/* Is the corner below point p in every objective? */
static int is_below(const ranking *r, const front_corner *c, size_t p) {
    for (size_t k = 0; k < r->m; k++)
        if (r->rank[k][c->point[k]] >= r->rank[k][p]) return 0;
    return 1;
}

/* Does the corner, moved up to point p in objective j, remain one? */
static int may_move(const ranking *r, const front_corner *c, size_t p, size_t j) {
    for (size_t i = 0; i < r->m; i++)
        if (i != j && r->rank[j][p] >= r->rank[j][c->point[i]]) return 0;
    return 1;
}

/* Replace the corners below point p; `count` of them before, *count after. Those that are new are not below p, so it
 * does no harm that the loop meets them. Returns 0 if there is no memory. */
static int add_point(front_boxes *b, const ranking *r, size_t p, size_t *count) {
    for (size_t i = 0; i < *count;) {
        front_corner old = b->corner[i];
        if (!is_below(r, &old, p)) {
            i++;
            continue;
        }
        if (!mem_reserve(&b->corner, &b->corner_capacity, *count + r->m, sizeof *b->corner)) return 0;
        b->corner[i] = b->corner[--*count];
        for (size_t j = 0; j < r->m; j++) {
            if (!may_move(r, &old, p, j)) continue;
            b->corner[*count] = old;
            b->corner[(*count)++].point[j] = (unsigned char)p;
        }
    }
    return 1;
}

/* All corners, and room for as many boxes. Returns 0 if there is no memory. */
static int find_corners(front_boxes *b, const ranking *r, size_t *count) {
    if (!mem_reserve(&b->corner, &b->corner_capacity, 1, sizeof *b->corner)) return 0;
    for (size_t k = 0; k < FRONT_OBJECTIVES; k++) b->corner[0].point[k] = (unsigned char)(r->n + k);
    *count = 1;
    for (size_t p = 0; p < r->n; p++)
        if (!add_point(b, r, p, count)) return 0;
    return mem_reserve(&b->box, &b->capacity, *count, sizeof *b->box);
}

/* The levels of objective k, and which level a rank has. */
static void set_levels(front_boxes *b, ranking *r, size_t k, const size_t *index, const double *y, double reference) {
    size_t last = 0;
    b->level[k][0] = reference;
    r->level[k][0] = 0;
    for (size_t i = 1; i <= r->n; i++) {
        double value = y[index[r->point[k][i]] * r->m + k];
        if (value > b->level[k][last]) b->level[k][++last] = value;
        r->level[k][i] = (unsigned char)last;
    }
    b->level[k][++last] = INFINITY;
    r->level[k][r->n + 1] = (unsigned char)last;
    b->levels[k] = last + 1;
}

/* The box of a corner; returns 0 if it is empty. */
static int set_box(const ranking *r, const front_corner *c, front_box *box) {
    memset(box, 0, sizeof *box);
    for (size_t k = 0; k < r->m; k++) {
        size_t end = r->n + 1;
        for (size_t i = 0; i < k; i++)
            if (r->rank[k][c->point[i]] < end) end = r->rank[k][c->point[i]];
        box->low[k] = r->level[k][r->rank[k][c->point[k]]];
        box->high[k] = r->level[k][end];
        if (box->low[k] == box->high[k]) return 0;
    }
    return 1;
}

locbo_status front_boxes_make(front_boxes *b, size_t m, size_t n, const double *y, const double *reference,
                              locbo_error *error) {
    size_t index[FRONT_POINTS], corners;
    if (n > FRONT_POINTS)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the number of vectors must be at most %d, got %zu", FRONT_POINTS,
                           n);
    locbo_status status = check(m, n, y, reference, error);
    if (status != LOCBO_OK) return status;
    ranking r = {.m = m, .n = front_find(m, n, y, reference, index)};
    for (size_t k = 0; k < m; k++) rank_points(&r, k, index, y);
    if (!find_corners(b, &r, &corners)) return status_no_memory(error);
    b->m = m;
    b->boxes = 0;
    for (size_t k = 0; k < m; k++) set_levels(b, &r, k, index, y, reference[k]);
    for (size_t i = 0; i < corners; i++) b->boxes += (size_t)set_box(&r, &b->corner[i], &b->box[b->boxes]);
    return LOCBO_OK;
}

void front_boxes_release(front_boxes *b) {
    mem_free(b->box);
    mem_free(b->corner);
    memset(b, 0, sizeof *b);
}
