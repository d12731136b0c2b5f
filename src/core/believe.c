/* believe.c - what is believed of f and y at a point, in the user's units.
 * Layer: core, top. Cost: O(n^2) a point, and that of average.c. */
#include <math.h>

#include "optimizer.h"

/* [low, high] in standardised units as an interval in the user's units. An empty one stays empty. */
static void interval_out(const scaling *s, double low, double high, double *out_low, double *out_high) {
    *out_low = scaling_out(s, s->sign > 0 ? low : high);
    *out_high = scaling_out(s, s->sign > 0 ? high : low);
}

/* How a result will be judged: mean and standard deviations on the scale, unless it is affine. */
static void note_scale(const scaling *s, double mu, double sd_f, double sd_y, locbo_belief *b) {
    const double none = (double)NAN;
    int bent = !scaling_is_affine(s);
    warp bend = scaling_bend(s);
    b->power = bend.power;
    b->offset = bend.offset;
    b->low = bend.low;
    b->high = bend.high;
    b->centre = bent ? scaling_centre(s, mu) : none;
    b->unit_f = bent ? sd_f * s->spread : none;
    b->unit_y = bent ? sd_y * s->spread : none;
}

/* Where intervals of f come from (option averaging). */
typedef enum source { FROM_FIT, FROM_AVERAGE, WITHHELD } source;

static locbo_status choose_source(const locbo_optimizer *o, quantity *q, int thorough, source *from,
                                  locbo_error *error) {
    size_t parts = 0;
    *from = FROM_FIT;
    if (o->options.averaging == LOCBO_AVERAGING_OFF || !average_applies(&q->surrogate)) return LOCBO_OK;
    *from = WITHHELD;
    if (q->data.n < AVERAGE_LEAST) return LOCBO_OK;
    locbo_status status = average_prepare(q->average, &q->surrogate, &q->data, thorough, &parts, error);
    *from = parts > 0 ? FROM_AVERAGE : FROM_FIT;
    return status;
}

/* The interval of f at point i of the batch, `l` being the law that the fit alone gives. */
static void interval_of_f(const locbo_optimizer *o, const quantity *q, source from, size_t i, const law *l,
                          locbo_belief *b) {
    double alpha = o->options.alpha;
    average_doubt doubt = {alpha, law_stretch(l, alpha, NULL), q->judged_before + q->judged};
    b->f_low = b->f_high = (double)NAN;
    if (from == FROM_AVERAGE) average_interval(q->average, i, &doubt, &b->f_low, &b->f_high);
    if (from == FROM_FIT)
        interval_out(&q->data.scale, law_quantile(l, alpha / 2, NULL), law_quantile(l, 1 - alpha / 2, NULL), &b->f_low,
                     &b->f_high);
}

/* The belief of quantity k at point i of the batch u that the surface has just predicted; `at`: what is known there. */
static locbo_belief belief_at(const locbo_optimizer *o, const surface *f, size_t k, const double *u, size_t i,
                              acquisition_point *at, source from) {
    const quantity *q = &o->quantity[k];
    const scaling *s = &q->data.scale;
    const calibrator *c = f->part[k].calibrator;
    calibrator_point p = surface_point(f, k, u, i);
    calibrator_set set;
    calibrator_set_at(c, &p, &set);
    double sy = sqrt(p.v + p.s2);
    locbo_belief b = {.mean = scaling_out(s, p.mu),
                      .sd_f = scaling_sd_out(s, p.mu, sqrt(p.v)),
                      .sd_y = scaling_sd_out(s, p.mu, sy),
                      .threshold = set.threshold,
                      .acquisition = (double)NAN};
    calibrator_show(c, &p, &set, &at->law);
    interval_out(s, p.mu + sy * set.low, p.mu + sy * set.high, &b.y_low, &b.y_high);
    interval_of_f(o, q, from, i, &at->law, &b);
    note_scale(s, p.mu, sqrt(p.v), sy, &b);
    return b;
}

/* The beliefs of all quantities at point i; the acquisition is with the first. */
static void beliefs_at(const locbo_optimizer *o, const surface *f, const double *u, size_t i, const source *from,
                       locbo_belief *beliefs) {
    acquisition_point at[OUTPUTS_MODELLED];
    surface_at(f, u, i, at);
    int scored = o->objectives == 1 || f->acquisition.joint; /* several objectives have no other score */
    double value = scored ? acquisition_value(&f->acquisition, at) : (double)NAN;
    for (size_t k = 0; k < o->quantities; k++) beliefs[k] = belief_at(o, f, k, u, i, &at[k], from[k]);
    beliefs[0].acquisition = acquisition_out(&f->acquisition, &o->quantity->data.scale, value);
}

locbo_status optimizer_beliefs(locbo_optimizer *o, const surface *believed, size_t n, const double *u, int thorough,
                               locbo_belief *beliefs, locbo_error *error) {
    double *success = NULL;
    source from[OUTPUTS_MODELLED];
    locbo_status status = LOCBO_OK;
    for (size_t k = 0; k < o->quantities && status == LOCBO_OK; k++) {
        quantity *q = &o->quantity[k];
        status = choose_source(o, q, thorough, &from[k], error);
        if (status == LOCBO_OK && from[k] == FROM_AVERAGE) status = average_predict(q->average, n, u, error);
    }
    if (status == LOCBO_OK) status = surface_predict(believed, n, u, error);
    if (status == LOCBO_OK && believed->success) {
        success = believed->part->work->log_w;
        status = feasible_probability(believed->success, n, u, success, error);
    }
    for (size_t i = 0; status == LOCBO_OK && i < n; i++) {
        locbo_belief *row = beliefs + i * o->quantities;
        status = watcher_check(gp_watcher(believed->part->model), error); /* CBO's law costs O(n^2) */
        beliefs_at(o, believed, u, i, from, row);
        for (size_t k = 0; k < o->quantities; k++) row[k].success = success ? success[i] : 1;
    }
    return status;
}
