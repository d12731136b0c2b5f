/* outputs_log.c - measured points, their front, and the true worth of points. Layer: experiment, above the problems.
 * Cost: O(n) to add a point, O(n^2) for a front. */
#include "outputs_log.h"

#include <math.h>
#include <string.h>

#include "mem.h"

/* The mean over all measurements of a point. */
static void average(outputs_log_point *point, size_t count, const double *y) {
    point->n++;
    for (size_t k = 0; k < count; k++) point->y[k] += (y[k] - point->y[k]) / point->n;
}

locbo_status outputs_log_add(outputs_log *log, const double *x, const double *y, locbo_error *error) {
    size_t i = 0, bytes = log->problem->dim * sizeof *x;
    while (i < log->n && memcmp(log->point[i].x, x, bytes) != 0) i++;
    if (i == log->n) {
        if (!mem_reserve(&log->point, &log->room, log->n + 1, sizeof *log->point)) return status_no_memory(error);
        log->point[log->n] = (outputs_log_point){.n = 0};
        memcpy(log->point[log->n++].x, x, bytes);
    }
    average(&log->point[i], log->problem->count, y);
    return LOCBO_OK;
}

void outputs_log_release(outputs_log *log) {
    mem_free(log->point);
    *log = (outputs_log){0};
}

/* Whether a is at least as good as b in every objective and better in one; of equal ones the first is better. */
static int is_better(size_t objectives, const outputs_log_point *a, const outputs_log_point *b) {
    int better = a < b;
    for (size_t k = 0; k < objectives; k++) {
        if (a->y[k] > b->y[k]) return 0;
        better = better || a->y[k] < b->y[k];
    }
    return better;
}

static int is_on_front(const outputs_log *log, size_t objectives, size_t i) {
    const problem_outputs *p = log->problem;
    if (!problem_outputs_feasible(p, log->point[i].y)) return 0;
    for (size_t j = 0; j < log->n; j++)
        if (problem_outputs_feasible(p, log->point[j].y) && is_better(objectives, &log->point[j], &log->point[i]))
            return 0;
    return 1;
}

size_t outputs_log_front(const outputs_log *log, double *x) {
    size_t n = 0, objectives = problem_outputs_objectives(log->problem);
    for (size_t i = 0; i < log->n; i++)
        if (is_on_front(log, objectives, i)) memcpy(x + PROBLEM_MAX_DIM * n++, log->point[i].x, sizeof log->point[i].x);
    return n;
}

locbo_status outputs_worth_of(const problem_outputs *p, double worst, size_t n, const double *x, outputs_worth *worth,
                              locbo_error *error) {
    double *truth = mem_new(n, p->count * sizeof *truth), share = 0;
    if (!truth) return status_no_memory(error);
    for (size_t i = 0; i < n; i++) {
        problem_outputs_evaluate(p, x + i * PROBLEM_MAX_DIM, truth + i * p->count);
        share += problem_outputs_feasible(p, truth + i * p->count) / (double)n;
    }
    worth->feasible = share;
    if (problem_outputs_objectives(p) > 1)
        worth->regret = p->hypervolume - problem_outputs_hypervolume(p, n, truth);
    else
        worth->regret = n == 1 && share == 1 ? fmax(0, problem_outputs_regret(p, truth)) : worst;
    mem_free(truth);
    return isnan(worth->regret) ? status_no_memory(error) : LOCBO_OK;
}
