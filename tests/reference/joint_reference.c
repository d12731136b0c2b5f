/* joint_reference.c - see the header. */
#include "joint_reference.h"

#include <math.h>
#include <stdlib.h>

#include "front_reference.h"
#include "nei_reference.h"

enum { MOST = 12 };

static int is_feasible(size_t point, size_t objectives, size_t parts, const joint_reference_part *part,
                       const nei_reference_given *const *given) {
    for (size_t k = objectives; k < parts; k++)
        if (given[k]->value[point] < part[k].bound) return 0;
    return 1;
}

/* log P(N(mean, v) >= bound) */
static long double log_above(const nei_reference_given *g, double bound) {
    return logl(erfcl((bound - g->mean) / sqrtl(2 * g->v)) / 2);
}

static long double log_improvement(size_t n, size_t objectives, size_t parts, const joint_reference_part *part,
                                   const nei_reference_given *const *given, double floor, const double *reference) {
    double y[NEI_REFERENCE_POINTS * MOST];
    long double best = -INFINITY, mean[MOST], sd[MOST];
    size_t kept = 0;
    for (size_t p = 0; p < n; p++) {
        if (!is_feasible(p, objectives, parts, part, given)) continue;
        best = fmaxl(best, given[0]->value[p]);
        for (size_t k = 0; k < objectives; k++) y[kept * objectives + k] = (double)given[k]->value[p];
        kept++;
    }
    for (size_t k = 0; k < objectives; k++) {
        mean[k] = given[k]->mean;
        sd[k] = sqrtl(given[k]->v);
    }
    if (objectives == 1) return logl(nei_reference_ei(mean[0], given[0]->v, kept ? best : floor));
    return front_reference_log_ehvi(objectives, kept, y, reference, mean, sd);
}

double joint_reference_log(size_t n, size_t objectives, size_t parts, const joint_reference_part *part, size_t draws,
                           double floor, const double *reference) {
    nei_reference_given *given[MOST];
    long double sum = 0;
    for (size_t k = 0; k < parts; k++) {
        given[k] = calloc(draws, sizeof *given[k]);
        if (!given[k]) abort();
        nei_reference_condition(n, part[k].mu, part[k].cov, draws, part[k].draw, part[k].stride, given[k]);
    }
    for (size_t s = 0; s < draws; s++) {
        const nei_reference_given *now[MOST];
        for (size_t k = 0; k < parts; k++) now[k] = &given[k][s];
        long double log_score = log_improvement(n, objectives, parts, part, now, floor, reference);
        for (size_t k = objectives; k < parts; k++) log_score += log_above(now[k], part[k].bound);
        sum += expl(log_score);
    }
    for (size_t k = 0; k < parts; k++) free(given[k]);
    return (double)logl(sum / (long double)draws);
}
