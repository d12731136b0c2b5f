/* stats.c - means, quantiles, percentile bootstrap, Wilcoxon's signed ranks, Holm's correction.
 * Layer: report. Cost: n log n to sort, O(draws n) to bootstrap, O(n^3) for an exact p-value. */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "number.h"

enum { EXACT_MOST = 25, EXACT_SUMS = EXACT_MOST * (EXACT_MOST + 1) / 2 + 1 };
static const uint64_t BOOTSTRAP = UINT64_C(0x626f6f74); /* the purpose of its stream */

double stats_mean(size_t n, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return n == 0 ? NAN : sum / (double)n;
}

double stats_sd(size_t n, const double *x) {
    if (n < 2) return NAN;
    double mean = stats_mean(n, x), squares = 0;
    for (size_t i = 0; i < n; i++) squares += (x[i] - mean) * (x[i] - mean);
    return sqrt(squares / (double)(n - 1));
}

/* A weighted mean, not low + part (high - low): an infinite neighbour then gives that infinity. */
double stats_quantile_sorted(size_t n, const double *sorted, double q) {
    if (n == 0 || !(q >= 0 && q <= 1)) return NAN;
    double position = (double)(n - 1) * q, below = floor(position), part = position - below;
    size_t i = (size_t)below;
    if (part == 0 || i + 1 >= n || sorted[i] == sorted[i + 1]) return sorted[i];
    double value = (1 - part) * sorted[i] + part * sorted[i + 1];
    if (isnan(value)) return value; /* between -inf and inf, or beside a NAN */
    return fmin(fmax(value, sorted[i]), sorted[i + 1]);
}

void stats_sort(size_t n, double *x) {
    if (n > 1) qsort(x, n, sizeof *x, number_ascending);
}

double stats_median(size_t n, double *x) {
    stats_sort(n, x);
    return stats_quantile_sorted(n, x, 0.5);
}

/* ---- the bootstrap --------------------------------------------------------------------------- */

double stats_resampled_median(size_t n, const double *x, draw *d, double *room) {
    for (size_t i = 0; i < n; i++) room[i] = x[d ? draw_below(d, n) : i];
    return stats_median(n, room);
}

stats_interval stats_percentiles(double value, size_t draws, double *drawn, double level) {
    stats_sort(draws, drawn);
    return (stats_interval){stats_quantile_sorted(draws, drawn, (1 - level) / 2), value,
                            stats_quantile_sorted(draws, drawn, (1 + level) / 2)};
}

static double resampled_mean(size_t n, const double *sorted, draw *d) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += sorted[draw_below(d, n)];
    return sum / (double)n;
}

/* The values are sorted, so how often each was drawn says where the middle is. */
static double resampled_median(size_t n, const double *sorted, draw *d, size_t *times) {
    memset(times, 0, n * sizeof *times);
    for (size_t i = 0; i < n; i++) times[draw_below(d, n)]++;
    size_t i = 0, passed = times[0], lower = (n - 1) / 2, upper = n / 2;
    while (passed <= lower) passed += times[++i];
    double low = sorted[i];
    while (passed <= upper) passed += times[++i];
    return low == sorted[i] ? low : 0.5 * low + 0.5 * sorted[i];
}

static locbo_status check_sample(stats_measure measure, size_t n, const double *x, locbo_error *error) {
    for (size_t i = 0; i < n; i++)
        if (isnan(x[i]) || (measure == STATS_MEAN && isinf(x[i])))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "bootstrap: value %zu of %zu is %g", i, n, x[i]);
    return LOCBO_OK;
}

static locbo_status check_bootstrap(stats_measure measure, size_t n, const double *x, double level, size_t draws,
                                    locbo_error *error) {
    if (measure != STATS_MEAN && measure != STATS_MEDIAN)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "bootstrap: no such measure, %d", (int)measure);
    if (!(level > 0 && level < 1))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "level must lie in (0,1), got %g", level);
    if (draws < 1) return status_fail(error, LOCBO_ERR_ARGUMENT, "draws must be at least 1, got %zu", draws);
    return check_sample(measure, n, x, error);
}

/* `sorted` and `times` have n items, `result` one for each draw. */
static stats_interval resample(stats_measure measure, size_t n, const double *sorted, double level, size_t draws,
                               uint64_t seed, size_t *times, double *result) {
    draw d = draw_open(seed, BOOTSTRAP);
    for (size_t k = 0; k < draws; k++)
        result[k] = measure == STATS_MEAN ? resampled_mean(n, sorted, &d) : resampled_median(n, sorted, &d, times);
    double value = measure == STATS_MEAN ? stats_mean(n, sorted) : stats_quantile_sorted(n, sorted, 0.5);
    return stats_percentiles(value, draws, result, level);
}

locbo_status stats_bootstrap(stats_measure measure, size_t n, const double *x, double level, size_t draws,
                             uint64_t seed, stats_interval *interval, locbo_error *error) {
    locbo_status status = check_bootstrap(measure, n, x, level, draws, error);
    if (status != LOCBO_OK) return status;
    if (n < 2) {
        *interval = n == 0 ? (stats_interval){NAN, NAN, NAN} : (stats_interval){-INFINITY, x[0], INFINITY};
        return status_ok(error);
    }
    double *sorted = mem_new(n, sizeof *sorted), *result = mem_new(draws, sizeof *result);
    size_t *times = mem_new(n, sizeof *times);
    int done = sorted && result && times;
    if (done) {
        memcpy(sorted, x, n * sizeof *x); /* sorted: the order of x does not matter to the draws */
        stats_sort(n, sorted);
        *interval = resample(measure, n, sorted, level, draws, seed, times, result);
    }
    mem_free(sorted);
    mem_free(result);
    mem_free(times);
    return done ? status_ok(error) : status_no_memory(error);
}

/* ---- Wilcoxon's signed ranks ----------------------------------------------------------------- */

static int compare_sizes(const void *a, const void *b) {
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

typedef struct ranks {
    size_t n;        /* differences that are not 0 */
    double positive; /* rank sum of the positive ones; ranks of ties are halves, so it is exact */
    double ties;     /* the sum of t^3 - t over groups of t equal sizes */
} ranks;

/* `by_size`: the differences other than 0, ascending in size. */
static ranks rank(size_t n, const double *by_size) {
    ranks r = {.n = n};
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && fabs(by_size[to]) == fabs(by_size[from]);) to++;
        double t = (double)(to - from), mean_rank = 0.5 * (double)(from + 1 + to);
        r.ties += t * t * t - t;
        for (size_t i = from; i < to; i++)
            if (by_size[i] > 0) r.positive += mean_rank;
    }
    return r;
}

/* ways[s]: how many of the 2^n sets of ranks from 1 to n have the sum s; ranks come one by one. */
static double exact_p(const ranks *r) {
    double ways[EXACT_SUMS] = {1}, below = 0;
    size_t total = r->n * (r->n + 1) / 2, sum = (size_t)r->positive;
    for (size_t k = 1; k <= r->n; k++)
        for (size_t s = total; s >= k; s--) ways[s] += ways[s - k];
    if (sum > total - sum) sum = total - sum; /* the distribution is symmetric */
    for (size_t s = 0; s <= sum; s++) below += ways[s];
    return fmin(1, ldexp(below, 1 - (int)r->n));
}

static double approximate_p(const ranks *r) {
    double n = (double)r->n, mean = n * (n + 1) / 4;
    double variance = n * (n + 1) * (2 * n + 1) / 24 - r->ties / 48;
    double away = fmax(0, fabs(r->positive - mean) - 0.5);
    return erfc(away / sqrt(2 * variance));
}

/* Copies the differences that are not 0; LOCBO_ERR_ARGUMENT for a NAN. */
static locbo_status keep_nonzero(size_t n, const double *difference, double *kept, size_t *count, locbo_error *error) {
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(difference[i]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "signed ranks: difference %zu of %zu is nan", i, n);
        if (difference[i] != 0) kept[(*count)++] = difference[i];
    }
    return LOCBO_OK;
}

locbo_status stats_wilcoxon(size_t n, const double *difference, double *p, double *sum, locbo_error *error) {
    size_t count;
    double *kept = mem_new(n, sizeof *kept);
    if (!kept) return status_no_memory(error);
    locbo_status status = keep_nonzero(n, difference, kept, &count, error);
    if (status == LOCBO_OK) {
        if (count > 1) qsort(kept, count, sizeof *kept, compare_sizes);
        ranks r = rank(count, kept);
        *p = count == 0 ? 1 : count <= EXACT_MOST && r.ties == 0 ? exact_p(&r) : approximate_p(&r);
        if (sum) *sum = r.positive;
        status_ok(error);
    }
    mem_free(kept);
    return status;
}

/* ---- Holm ------------------------------------------------------------------------------------ */

static int compare_targets(const void *a, const void *b) {
    double x = **(double *const *)a, y = **(double *const *)b;
    return (x > y) - (x < y);
}

locbo_status stats_holm(size_t n, double *p, size_t stride, locbo_error *error) {
    double **order = mem_new(n, sizeof *order), largest = 0; /* corrected p-values never decrease */
    size_t m = 0;
    locbo_status status = order ? status_ok(error) : status_no_memory(error);
    for (size_t i = 0; status == LOCBO_OK && i < n; i++) {
        double *at = (double *)(void *)((char *)p + i * stride);
        if (*at < 0 || *at > 1)
            status = status_fail(error, LOCBO_ERR_ARGUMENT, "p-value %zu must lie in [0,1], got %g", i, *at);
        else if (!isnan(*at))
            order[m++] = at;
    }
    if (status == LOCBO_OK && m > 1) qsort(order, m, sizeof *order, compare_targets);
    for (size_t k = 0; status == LOCBO_OK && k < m; k++)
        *order[k] = largest = fmax(largest, fmin(1, (double)(m - k) * *order[k]));
    mem_free(order);
    return status;
}
