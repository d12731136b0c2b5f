/* joint.c - what a draw of several outputs improves on, and the score of a point given the draws.
 * Layer: core, above baseline, front and ehvi. Cost: a point O(draws (parts points + boxes)). */
#include "joint.h"

#include <math.h>
#include <string.h>

#include "ehvi.h"
#include "law.h"
#include "mem.h"
#include "normal.h"

void joint_release(joint *j) {
    for (size_t s = 0; s < BASELINE_DRAWS; s++) front_boxes_release(&j->boxes[s]);
    mem_free(j->scratch);
    memset(j, 0, sizeof *j);
}

/* ---- what a draw improves on ------------------------------------------------------------------- */

static int is_feasible(const joint *j, size_t s, size_t point) {
    for (size_t k = j->objectives; k < j->parts; k++)
        if (!(j->base[k]->value[s][point] >= j->bound[k])) return 0;
    return 1;
}

static double best_of(const joint *j, size_t s, double floor) {
    double best = -INFINITY;
    for (size_t p = 0; p < j->base[0]->points; p++)
        if (is_feasible(j, s, p)) best = fmax(best, j->base[0]->value[s][p]);
    return isfinite(best) ? best : floor;
}

/* The boxes above the front of the feasible points. */
static locbo_status box_front(joint *j, size_t s, const double *reference, locbo_error *error) {
    size_t n = 0, m = j->objectives;
    for (size_t p = 0; p < j->base[0]->points; p++) {
        if (!is_feasible(j, s, p)) continue;
        for (size_t k = 0; k < m; k++) j->scratch[n * m + k] = j->base[k]->value[s][p];
        n++;
    }
    return front_boxes_make(&j->boxes[s], m, n, j->scratch, reference, error);
}

locbo_status joint_prepare(joint *j, double floor, const double *reference, locbo_error *error) {
    if (!j->scratch) j->scratch = mem_new(BASELINE_POINTS * OUTPUTS_OBJECTIVES, sizeof *j->scratch);
    if (!j->scratch) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    for (size_t s = 0; s < BASELINE_DRAWS && status == LOCBO_OK; s++)
        if (j->objectives == 1)
            j->best[s] = best_of(j, s, floor);
        else
            status = box_front(j, s, reference, error);
    return status;
}

/* ---- which points ------------------------------------------------------------------------------ */

enum { CHOOSING_DRAWS = 32 };

typedef struct contest {
    joint_points p;
    double *drawn;       /* n x objectives: those of feasible points */
    size_t *who, *front; /* n: the feasible points; those of them in the front */
    double *score;       /* n */
} contest;

/* The probability that the constraints hold at point i. */
static double feasibility(const contest *c, size_t i) {
    double log_p = 0, ignored[2];
    for (size_t k = c->p.objectives; k < c->p.parts; k++) {
        double sd = c->p.sd[i * c->p.parts + k];
        log_p += joint_log_above(c->p.mean[i * c->p.parts + k], sd * sd, c->p.bound[k], &ignored[0], &ignored[1]);
    }
    return exp(log_p);
}

/* One draw of everything: who is feasible, and what the objectives are there. Returns how many. */
static size_t draw_all(contest *c, rng *stream) {
    size_t n = 0;
    for (size_t i = 0; i < c->p.n; i++) {
        int feasible = 1;
        for (size_t k = 0; k < c->p.parts; k++) {
            double f = c->p.mean[i * c->p.parts + k] + c->p.sd[i * c->p.parts + k] * rng_normal(stream);
            if (k < c->p.objectives)
                c->drawn[n * c->p.objectives + k] = f;
            else
                feasible = feasible && f >= c->p.bound[k];
        }
        if (feasible) c->who[n++] = i;
    }
    return n;
}

/* The largest mean of the one objective at points that are rather feasible than not. */
static double largest_mean(const contest *c) {
    double top = -INFINITY;
    for (size_t i = 0; i < c->p.n; i++)
        if (c->score[i] > 0.5) top = fmax(top, c->p.mean[i * c->p.parts]);
    return top;
}

/* Before any draw a point has a score below 1/2, which orders those that no draw prefers: its probability p of being
 * feasible or, of one objective, p / (2 + h^2), where h is how many standard deviations it is below the largest mean:
 * a tail probability instead would be 0 for most. */
static void start_scores(contest *c) {
    for (size_t i = 0; i < c->p.n; i++) c->score[i] = feasibility(c, i);
    double top = c->p.objectives == 1 ? largest_mean(c) : -INFINITY;
    for (size_t i = 0; i < c->p.n; i++) {
        double h = fmax(top - c->p.mean[i * c->p.parts], 0) / fmax(c->p.sd[i * c->p.parts], 1e-70);
        c->score[i] /= 2 + h * h;
    }
}

static void play(contest *c, rng *stream) {
    start_scores(c);
    for (int s = 0; s < CHOOSING_DRAWS; s++) {
        size_t n = draw_all(c, stream), winners = front_find(c->p.objectives, n, c->drawn, NULL, c->front);
        for (size_t i = 0; i < winners; i++) c->score[c->who[c->front[i]]]++;
    }
}

/* The `most` points of largest score, the largest first; of equal ones the first. */
static size_t best_scores(contest *c, size_t most, size_t *chosen) {
    size_t n = 0;
    while (n < most && n < c->p.n) {
        size_t best = 0;
        for (size_t i = 1; i < c->p.n; i++)
            if (c->score[i] > c->score[best]) best = i;
        chosen[n++] = best;
        c->score[best] = -INFINITY;
    }
    return n;
}

locbo_status joint_choose(const joint_points *points, size_t most, rng stream, size_t *chosen, size_t *count,
                          locbo_error *error) {
    size_t n = points->n;
    contest c = {.p = *points};
    c.drawn = mem_new(n * points->objectives, sizeof *c.drawn);
    c.who = mem_new(n, sizeof *c.who);
    c.front = mem_new(n, sizeof *c.front);
    c.score = mem_new(n, sizeof *c.score);
    int done = c.drawn && c.who && c.front && c.score;
    if (done) {
        play(&c, &stream);
        *count = best_scores(&c, most, chosen);
    }
    void *arrays[] = {c.drawn, c.who, c.front, c.score};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    return done ? LOCBO_OK : status_no_memory(error);
}

/* ---- the score --------------------------------------------------------------------------------- */

/* The limits keep value and derivatives finite: z^2 / sd^2 is at most 1e290. */
double joint_log_above(double mean, double var, double bound, double *by_mean, double *by_var) {
    *by_mean = *by_var = 0;
    if (bound == -INFINITY) return 0;
    double sd = fmax(sqrt(var), 1e-70), z = fmin(fmax((mean - bound) / sd, -1e75), 1e75);
    double hazard = 1 / normal_mills(-z); /* phi(z) / Phi(z) */
    *by_mean = hazard / sd;
    *by_var = -0.5 * hazard * z / sd / sd;
    return normal_log_sf(-z);
}

/* Means and variances of all parts given a draw, and the derivatives of its log score by them. */
typedef struct given {
    double mean[OUTPUTS_MODELLED], var[OUTPUTS_MODELLED], by_mean[OUTPUTS_MODELLED], by_var[OUTPUTS_MODELLED];
} given;

/* `slopes`: whether the derivatives are wanted. */
static double log_improvement(const joint *j, size_t s, int slopes, given *g) {
    if (j->objectives == 1) {
        law normal = {.kind = LAW_NORMAL, .mu = g->mean[0], .v = g->var[0]};
        law_grad by = {.mu = 0};
        double score = law_log_ei(&normal, j->best[s], slopes ? &by : NULL);
        g->by_mean[0] = by.mu;
        g->by_var[0] = by.v;
        return score;
    }
    double sd[OUTPUTS_OBJECTIVES];
    for (size_t k = 0; k < j->objectives; k++) sd[k] = sqrt(g->var[k]);
    double score = ehvi_log(&j->boxes[s], g->mean, sd, slopes ? g->by_mean : NULL, slopes ? g->by_var : NULL);
    for (size_t k = 0; slopes && k < j->objectives; k++) g->by_var[k] /= 2 * sd[k];
    return score;
}

static double log_draw(const joint *j, size_t s, int slopes, given *g) {
    double score = log_improvement(j, s, slopes, g);
    for (size_t k = j->objectives; k < j->parts; k++)
        score += joint_log_above(g->mean[k], g->var[k], j->bound[k], &g->by_mean[k], &g->by_var[k]);
    return score;
}

double joint_log_score(const joint *j, const baseline_view *at, baseline_view *grad) {
    given g[BASELINE_DRAWS];
    double score[BASELINE_DRAWS], top = -INFINITY, sum = 0;
    for (size_t k = 0; k < j->parts; k++) g[0].var[k] = baseline_var(j->base[k], &at[k]);
    for (size_t s = 0; s < BASELINE_DRAWS; s++) {
        memcpy(g[s].var, g[0].var, sizeof g[s].var);
        for (size_t k = 0; k < j->parts; k++) g[s].mean[k] = baseline_mean(j->base[k], s, &at[k]);
        score[s] = log_draw(j, s, grad != NULL, &g[s]);
        top = fmax(top, score[s]);
    }
    for (size_t s = 0; s < BASELINE_DRAWS; s++) sum += exp(score[s] - top);
    for (size_t k = 0; grad && k < j->parts; k++) {
        grad[k] = (baseline_view){.mu = 0};
        for (size_t s = 0; s < BASELINE_DRAWS; s++)
            baseline_add(j->base[k], s, &at[k], exp(score[s] - top) / sum, g[s].by_mean[k], g[s].by_var[k], &grad[k]);
        baseline_end(j->base[k], &at[k], &grad[k]);
    }
    return top + log(sum / BASELINE_DRAWS);
}
