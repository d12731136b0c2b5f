/* replicates.c - weighted means of the measurements of each point, and the likelihood inside the points.
 *
 * A part with variance D and a row of several parts follow the same formula (replicates.h): a part is the sum of its
 * measurements, a row that of its parts. The derivative of a row's D by noise_var is its scale, as if the shares were
 * constant: they minimise D. That of its y is  - D sum_g (y_g - y) scale_g / D_g^2  over its parts.
 *
 * Layer: core, below gp. Cost: O(measurements) to build, O(parts) for each noise variance. */
#include "replicates.h"

#include <math.h>
#include <string.h>

#include "mem.h"

static const double log_two_pi = 1.8378770664093453;

void replicates_release(replicates *r) {
    void *arrays[] = {r->x, r->count, r->y, r->scale, r->extra, r->first, r->part, r->order};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    memset(r, 0, sizeof *r);
}

/* ---- build ------------------------------------------------------------------------------------- */

static size_t row_of(const gp_data *data, size_t i) { return data->point ? data->point[i] : i; }

static int reserve(replicates *r, size_t rows, size_t n, size_t columns) {
    size_t real = sizeof(double);
    mem_array by_row[] = {{&r->x, columns * real}, {&r->count, real}, {&r->y, real},
                          {&r->scale, real},       {&r->extra, real}, {&r->first, sizeof *r->first}};
    mem_array by_measurement[] = {{&r->part, sizeof *r->part}, {&r->order, sizeof *r->order}};
    return mem_reserve_all(sizeof by_row / sizeof by_row[0], by_row, &r->row_capacity, rows + 1) &&
           mem_reserve_all(2, by_measurement, &r->capacity, n);
}

/* The measurements in the order of their rows, in r->order, and how many each row has. */
static void sort_by_row(replicates *r, const gp_data *data) {
    for (size_t p = 0; p < r->rows; p++) r->count[p] = 0;
    for (size_t i = 0; i < data->n; i++) r->count[row_of(data, i)]++;
    r->first[0] = 0;
    for (size_t p = 0; p < r->rows; p++) r->first[p + 1] = r->first[p] + (size_t)r->count[p];
    for (size_t i = 0; i < data->n; i++) r->order[r->first[row_of(data, i)]++] = i;
}

/* The part among `parts` of a row that takes a measurement with this noise; `parts` if none does. Of those with a known
 * sd only the last is looked at: to miss an equal one costs time, not accuracy. */
static size_t find_part(const replicates_part *part, size_t parts, double scale, double extra) {
    if (extra > 0)
        return parts > 0 && part[parts - 1].scale == scale && part[parts - 1].extra == extra ? parts - 1 : parts;
    for (size_t g = 0; g < parts; g++)
        if (part[g].extra == 0) return g;
    return parts;
}

static void add(replicates_part *p, double y, double scale) {
    double w = p->extra == 0 ? 1 / scale : 1, step = y - p->y;
    p->weight += w;
    p->y += step * w / p->weight;
    p->spread += w * step * (y - p->y);
    p->shares -= log(w);
    p->more++;
}

/* From sums over the measurements to those over the shares. */
static void finish(replicates_part *p) {
    if (p->more == 0) {
        p->shares = 0; /* as it was measured */
        return;
    }
    p->scale = p->extra == 0 ? 1 / p->weight : p->scale / p->weight;
    p->extra /= p->weight;
    p->spread /= p->weight;
    p->shares += (p->more + 1) * log(p->weight);
}

/* The parts of `count` measurements of one row. Returns how many. */
static size_t gather(replicates_part *part, const gp_data *data, const size_t *order, size_t count) {
    size_t parts = 0;
    for (size_t k = 0; k < count; k++) {
        double y = data->y[order[k]], scale = data->scale[order[k]], extra = data->extra[order[k]];
        size_t g = k > 0 ? find_part(part, parts, scale, extra) : 0;
        if (g < parts) {
            add(&part[g], y, scale);
            continue;
        }
        part[parts++] = (replicates_part){.y = y, .scale = scale, .extra = extra, .weight = 1};
        if (extra == 0 && count > 1) part[g].weight = 1 / scale, part[g].shares = log(scale);
    }
    for (size_t g = 0; g < parts; g++) finish(&part[g]);
    return parts;
}

int replicates_build(replicates *r, const gp_data *data, size_t columns) {
    size_t rows = 0;
    for (size_t i = 0; i < data->n; i++) rows = row_of(data, i) < rows ? rows : row_of(data, i) + 1;
    if (!reserve(r, rows, data->n, columns)) return 0;
    r->rows = rows;
    sort_by_row(r, data);
    const size_t *order = r->order;
    size_t parts = 0;
    for (size_t p = 0; p < rows; p++) {
        size_t count = (size_t)r->count[p];
        memcpy(r->x + p * columns, data->x + order[0] * columns, columns * sizeof *r->x);
        r->first[p] = parts;
        parts += gather(r->part + parts, data, order, count);
        order += count;
    }
    r->first[rows] = parts;
    return 1;
}

/* ---- at a noise variance ----------------------------------------------------------------------- */

static double variance(const replicates_part *p, double noise_var) { return noise_var * p->scale + p->extra; }

/* One row of several parts. */
static void join(replicates *r, size_t p, double noise_var) {
    double precision = 0;
    for (size_t g = r->first[p]; g < r->first[p + 1]; g++) precision += 1 / variance(&r->part[g], noise_var);
    r->y[p] = r->scale[p] = r->extra[p] = 0;
    for (size_t g = r->first[p]; g < r->first[p + 1]; g++) {
        const replicates_part *part = &r->part[g];
        double share = 1 / (variance(part, noise_var) * precision);
        r->y[p] += share * part->y;
        r->scale[p] += share * share * part->scale;
        r->extra[p] += share * share * part->extra;
    }
}

gp_data replicates_at(replicates *r, double noise_var) {
    for (size_t p = 0; p < r->rows; p++) {
        const replicates_part *part = &r->part[r->first[p]];
        r->y[p] = part->y, r->scale[p] = part->scale, r->extra[p] = part->extra;
        if (r->first[p + 1] - r->first[p] > 1) join(r, p, noise_var);
    }
    return (gp_data){r->rows, r->x, r->y, r->scale, r->extra, NULL};
}

/* The rest of the likelihood of one row, and its derivative by noise_var. */
static double rest(const replicates *r, size_t p, double noise_var, double *slope) {
    double D = noise_var * r->scale[p] + r->extra[p], parts = (double)(r->first[p + 1] - r->first[p]);
    double sum = (parts - 1) * log_two_pi - log(D);
    *slope = r->scale[p] / D;
    for (size_t g = r->first[p]; g < r->first[p + 1]; g++) {
        const replicates_part *part = &r->part[g];
        double Dg = variance(part, noise_var), off = part->y - r->y[p], squares = part->spread + off * off;
        sum += log(Dg) + part->more * (log(Dg) + log_two_pi) + part->shares + squares / Dg;
        *slope -= ((part->more + 1) - squares / Dg) * part->scale / Dg;
    }
    *slope /= 2;
    return -sum / 2;
}

double replicates_within(const replicates *r, double noise_var) {
    double sum = 0, slope;
    for (size_t p = 0; p < r->rows; p++)
        if (r->count[p] > 1) sum += rest(r, p, noise_var, &slope);
    return sum;
}

double replicates_slope(const replicates *r, double noise_var, const double *alpha) {
    double sum = 0, slope;
    for (size_t p = 0; p < r->rows; p++) {
        if (!(r->count[p] > 1)) continue;
        double D = noise_var * r->scale[p] + r->extra[p];
        rest(r, p, noise_var, &slope);
        sum += slope;
        for (size_t g = r->first[p]; g < r->first[p + 1]; g++) {
            double Dg = variance(&r->part[g], noise_var);
            sum += alpha[p] * D * (r->part[g].y - r->y[p]) * r->part[g].scale / (Dg * Dg);
        }
    }
    return sum;
}
