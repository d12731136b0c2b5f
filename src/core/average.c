/* average.c - parts of the average, their weights, and quantiles of their mixture. Layer: core, above surrogate.
 * Cost: up to 60 factorisations with few rows, otherwise one a candidate that was not chosen (Student's t: five, and
 * four inverses); predictions O(n^2) a part and point, a quantile 50 values of the distribution function. */
#include "average.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "mem.h"
#include "normal.h"

/* v' of average.h; chosen by how often intervals held the truth (docs/defaults.md). */
static const double excess_share = 0.2, first_doubt = 1.0;

/* Noise variances of the grid. A candidate of little noise has those up to little_most, another those from
 * noisy_least on. */
static const double shares[] = {1e-8, 1e-4, 3e-3, 0.02, 0.07, 0.2, 0.5, 1.2, 3};
static const double little_most = 0.01, noisy_least = 1e-3;
/* Log length scales of the grid, from those of the candidate. */
static const double moves[] = {-0.7, 0, 0.7};
/* From this noise variance on the signal has at most the variance of all outputs. */
static const double loud = 0.5;
/* The noise variance's prior for the grid: those of the fits (gpfit.c) are narrow and decide before the data do. */
static const double noise_median = 0.3, noise_log_sd = 1.5;
/* Points of the grid whose log posterior is this much below the best one are left out. */
static const double grid_depth = 4;
/* Groups and candidates of less weight, relative to the best, are left out; the second limit is for rows without a
 * grid. */
static const double least_weight = 0.02, least_of_many = 0.05;

enum {
    DESIGN = 20,    /* results of an initial design, at most */
    AFFORDED = 500, /* rows: with more an answer would take seconds, and one candidate has nearly all the weight */
    SHARES = sizeof shares / sizeof shares[0],
    MOVES = sizeof moves / sizeof moves[0],
    GRID = SHARES * MOVES,
    PARTS_MOST = 4 * GRID /* two candidates in each of two groups */
};

typedef struct part {
    gp *own;         /* NULL: not needed */
    const gp *model; /* own, or the surrogate's */
    size_t from;     /* number of its candidate */
    double noise_var, weight;
} part;

struct average {
    /* what is prepared; rows 0: nothing */
    size_t rows;
    uint64_t fits;
    int thorough;
    size_t parts;
    part part[PARTS_MOST];
    scaling scale[MEMBERS_MOST]; /* of the candidates */
    /* the rows as the candidate at work has them; `base`: noise scales without weights */
    double *y, *noise_scale, *noise_extra, *base;
    size_t capacity;
    /* predictions at a batch of m points: of part k from k m on */
    size_t m;
    double *mu, *v;
    size_t batch;
    gp_work work;
};

/* What a preparation works with. */
typedef struct job {
    average *a;
    surrogate *s;
    const dataset *d;
    const members *found;
    int others;          /* candidates that were not chosen are parts, too */
    gpfit_config config; /* priors of the grid */
    double *theta;       /* GRID x config.count */
} job;

locbo_status average_create(average **out, locbo_error *error) {
    *out = mem_new(1, sizeof **out);
    return *out ? LOCBO_OK : status_no_memory(error);
}

void average_destroy(average *a) {
    if (!a) return;
    average_forget(a);
    mem_free(a);
}

void average_forget(average *a) {
    double *arrays[] = {a->y, a->noise_scale, a->noise_extra, a->base, a->mu, a->v};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    for (size_t k = 0; k < PARTS_MOST; k++) gp_destroy(a->part[k].own);
    gp_work_release(&a->work);
    memset(a, 0, sizeof *a);
}

int average_applies(const surrogate *s) { return s->noise_law == LOCBO_NOISE_LAW_AUTO; }

/* ---- parts ------------------------------------------------------------------------------------- */

static int is_bent(const members *m, size_t k) { return isfinite(m->item[k].power); }

static double dof_of(const job *j, size_t k) {
    const locbo_member *c = &j->found->item[k];
    return c->count > j->config.count ? exp(c->theta[j->config.count]) : 0;
}

static gp_data rows_of(const job *j) {
    gp_data rows = dataset_view(j->d, j->d->n);
    rows.y = j->a->y;
    rows.scale = j->a->noise_scale;
    rows.extra = j->a->noise_extra;
    return rows;
}

/* A model for the next part. */
static locbo_status next_model(job *j, gp **model, locbo_error *error) {
    part *p = &j->a->part[j->a->parts];
    locbo_status status = LOCBO_OK;
    if (!p->own) status = gp_create(&p->own, gp_get_spec(j->s->model), error);
    if (status == LOCBO_OK) gp_watch(p->own, gp_watcher(j->s->model));
    *model = p->own;
    return status;
}

/* The next model, factored at candidate k; a->noise_scale has the weights of its rows. */
static locbo_status factor_candidate(job *j, size_t k, gp **model, locbo_error *error) {
    average *a = j->a;
    mem_array arrays[] = {{&a->y, sizeof(double)},
                          {&a->noise_scale, sizeof(double)},
                          {&a->noise_extra, sizeof(double)},
                          {&a->base, sizeof(double)}};
    if (!mem_reserve_all(sizeof arrays / sizeof arrays[0], arrays, &a->capacity, j->d->n))
        return status_no_memory(error);
    locbo_status status = next_model(j, model, error);
    if (status != LOCBO_OK) return status;
    dataset_on_scale(j->d, &a->scale[k], a->y, a->noise_scale, a->noise_extra);
    memcpy(a->base, a->noise_scale, j->d->n * sizeof *a->base);
    gp_data rows = rows_of(j);
    return robust_factor(*model, j->found->item[k].theta, &rows, dof_of(j, k), a->base, a->noise_scale, &j->s->robust,
                         error);
}

/* The next model becomes a part. */
static void add_part(job *j, size_t k, double weight) {
    part *p = &j->a->part[j->a->parts++];
    *p = (part){p->own, p->own, k, gp_noise_var(p->own) * robust_variance(dof_of(j, k)), weight};
}

/* ---- the grid ---------------------------------------------------------------------------------- */

static double within(const gpfit_prior *p, double theta) { return fmin(fmax(theta, p->low), p->high); }

static void grid_theta(const gpfit_config *c, const double *from, double share, double move, double *theta) {
    size_t noise = c->count - 1, signal = c->count - 2;
    for (size_t i = 0; i < signal; i++) theta[i] = i < c->lengths ? within(&c->prior[i], from[i] + move) : from[i];
    theta[signal] = share >= loud ? fmin(from[signal], 0) : from[signal];
    theta[noise] = within(&c->prior[noise], log(share));
}

/* The thetas of candidate k's grid, in j->theta, and their log posteriors for results in the user's units, or for their
 * log or logit. */
static locbo_status grid_values(job *j, size_t k, size_t *n, double *value, locbo_error *error) {
    const locbo_member *c = &j->found->item[k];
    int little = c->law == LOCBO_NOISE_LAW_LITTLE;
    gp_data rows = rows_of(j);
    double jacobian = 0;
    scaling rest = scaling_rest(&j->a->scale[k]); /* a log or logit is in all candidates */
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < j->d->n; i++) jacobian += log(scaling_slope(&rest, j->d->measured[i].value));
    *n = 0;
    for (size_t i = 0; i < GRID && status == LOCBO_OK; i++) {
        double share = shares[i / MOVES], *theta = j->theta + *n * j->config.count;
        if (little ? share > little_most : share < noisy_least) continue;
        grid_theta(&j->config, c->theta, share, moves[i % MOVES], theta);
        status = gpfit_objective(j->s->work, &j->config, &rows, theta, &value[*n], NULL, error);
        value[(*n)++] += jacobian;
    }
    return status;
}

/* Points of candidate k's grid as parts whose weight is their log posterior; *top is the largest so far. */
static locbo_status add_points(job *j, size_t k, double *top, locbo_error *error) {
    double value[GRID];
    size_t n = 0;
    gp *model;
    locbo_status status = factor_candidate(j, k, &model, error);
    if (status == LOCBO_OK) status = grid_values(j, k, &n, value, error);
    if (watcher_is_end(status)) return status;
    if (status != LOCBO_OK) return LOCBO_OK; /* numerical trouble: without this candidate */
    for (size_t i = 0; i < n; i++) *top = fmax(*top, value[i]);
    gp_data rows = rows_of(j);
    for (size_t i = 0; i < n; i++) {
        if (!(value[i] > *top - grid_depth)) continue;
        status = next_model(j, &model, error);
        if (status == LOCBO_OK) status = gp_factor(model, j->theta + i * j->config.count, &rows, error);
        if (watcher_is_end(status)) return status;
        if (status == LOCBO_OK) add_part(j, k, value[i]);
    }
    return LOCBO_OK;
}

/* The two candidates of a group that the grid is about: little noise, and what predicts best of the others, normal
 * noise before Student's t. Returns how many there are. */
static size_t grid_bases(const members *m, int bent, size_t base[2]) {
    size_t none = m->count, little = none, normal = none, student = none, n = 0;
    for (size_t k = 0; k < m->count; k++) {
        if (is_bent(m, k) != bent) continue;
        if (m->item[k].law == LOCBO_NOISE_LAW_LITTLE)
            little = k;
        else if (m->item[k].law == LOCBO_NOISE_LAW_STUDENT)
            student = k;
        else if (normal == none || m->item[k].score > m->item[normal].score)
            normal = k;
    }
    int heavy = student != none && (normal == none || m->item[student].score > m->item[normal].score + MEMBERS_MARGIN);
    size_t noisy = heavy ? student : normal;
    if (little != none) base[n++] = little;
    if (noisy != none) base[n++] = noisy;
    return n;
}

/* From part `first` on weights are log posteriors: drop those far below `top`, and make the sum of the others
 * `weight`. */
static void weigh_points(average *a, size_t first, double top, double weight) {
    double sum = 0;
    size_t kept = first;
    for (size_t k = first; k < a->parts; k++) {
        part p = a->part[k];
        a->part[k] = (part){0};
        if (p.weight > top - grid_depth) {
            p.weight = exp(p.weight - top);
            sum += p.weight;
            a->part[kept++] = p;
        } else {
            gp_destroy(p.own);
        }
    }
    a->parts = kept;
    for (size_t k = first; k < kept; k++) a->part[k].weight *= weight / sum;
}

static double best_score(const members *m, int bent) {
    double best = -INFINITY;
    for (size_t k = 0; k < m->count; k++)
        if (is_bent(m, k) == bent) best = fmax(best, m->item[k].score);
    return best;
}

static locbo_status add_grids(job *j, locbo_error *error) {
    double score[2] = {best_score(j->found, 0), best_score(j->found, 1)}, best = fmax(score[0], score[1]);
    for (int bent = 0; bent < 2; bent++) {
        double weight = exp(score[bent] - best), top = -INFINITY;
        if (!(weight >= least_weight)) continue;
        size_t first = j->a->parts, base[2], n = grid_bases(j->found, bent, base);
        for (size_t i = 0; i < n; i++) {
            locbo_status status = add_points(j, base[i], &top, error);
            if (status != LOCBO_OK) return status;
        }
        weigh_points(j->a, first, top, weight);
    }
    return LOCBO_OK;
}

/* ---- prepare ----------------------------------------------------------------------------------- */

/* The chosen candidate as a part: the surrogate's model, which may be of a later fit. */
static void add_chosen(job *j, double weight) {
    size_t k = j->found->chosen;
    part *p = &j->a->part[j->a->parts++];
    j->a->scale[k] = j->d->scale;
    *p = (part){p->own, j->s->model, k, surrogate_noise_var(j->s), weight};
}

/* Another candidate, factored; none after numerical trouble. */
static locbo_status add_other(job *j, size_t k, double weight, locbo_error *error) {
    gp *model;
    locbo_status status = factor_candidate(j, k, &model, error);
    if (watcher_is_end(status)) return status;
    if (status == LOCBO_OK) add_part(j, k, weight);
    return LOCBO_OK;
}

static locbo_status add_candidates(job *j, locbo_error *error) {
    const members *m = j->found;
    double best = fmax(best_score(m, 0), best_score(m, 1)),
           least = j->d->n > AVERAGE_GRID_ROWS ? least_of_many : least_weight;
    for (size_t k = 0; k < m->count; k++) {
        double weight = exp(m->item[k].score - best);
        if (!(weight >= least)) continue;
        locbo_status status = LOCBO_OK;
        if (k == m->chosen)
            add_chosen(j, weight);
        else if (j->others)
            status = add_other(j, k, weight, error);
        if (status != LOCBO_OK) return status;
    }
    return LOCBO_OK;
}

/* The surrogate's priors with a wide one of the noise, and memory for the grid. */
static locbo_status open_grid(job *j, locbo_error *error) {
    gpfit_config *c = &j->config;
    j->theta = mem_new(GRID * c->count, sizeof *j->theta);
    c->prior = mem_new(c->count, sizeof *c->prior);
    if (!j->theta || !c->prior) return status_no_memory(error);
    memcpy(c->prior, j->s->config.prior, c->count * sizeof *c->prior);
    c->prior[c->count - 1].mean = log(noise_median);
    c->prior[c->count - 1].sd = noise_log_sd;
    return LOCBO_OK;
}

static locbo_status make_parts(job *j, int grid, locbo_error *error) {
    average *a = j->a;
    double total = 0;
    for (size_t k = 0; k < j->found->count; k++) a->scale[k] = members_scale(&j->found->item[k], j->d->scale.sign);
    locbo_status status = grid ? open_grid(j, error) : LOCBO_OK;
    if (status == LOCBO_OK) status = grid ? add_grids(j, error) : add_candidates(j, error);
    for (size_t k = 0; k < a->parts; k++) total += a->part[k].weight;
    for (size_t k = 0; k < a->parts; k++) a->part[k].weight /= total;
    return status;
}

/* Whether the candidates that were not chosen are parts, too (average.h). A study without a limit of exact rows pays
 * for them at every fit. */
static int wants_others(const surrogate *s, size_t n, int thorough) {
    if (thorough) return n <= AFFORDED;
    return s->fits != s->past.fits && (n <= AFFORDED || s->exact_rows == 0);
}

locbo_status average_prepare(average *a, surrogate *s, const dataset *d, int thorough, size_t *parts,
                             locbo_error *error) {
    *parts = a->parts;
    if (a->rows > 0 && a->rows == d->n && a->fits == s->fits && a->thorough == thorough) return LOCBO_OK;
    average_forget(a);
    job j = {.a = a, .s = s, .d = d, .found = surrogate_candidates(s), .config = s->config};
    j.config.prior = NULL; /* the surrogate's own */
    j.others = wants_others(s, d->n, thorough);
    locbo_status status = make_parts(&j, thorough && d->n <= AVERAGE_GRID_ROWS, error);
    robust_work_release(&s->robust);
    mem_free(j.theta);
    mem_free(j.config.prior);
    if (status != LOCBO_OK) {
        average_forget(a);
        return status;
    }
    a->rows = d->n;
    a->fits = s->fits;
    a->thorough = thorough;
    *parts = a->parts;
    return LOCBO_OK;
}

/* ---- intervals --------------------------------------------------------------------------------- */

locbo_status average_predict(average *a, size_t m, const double *u, locbo_error *error) {
    mem_array arrays[] = {{&a->mu, sizeof(double)}, {&a->v, sizeof(double)}};
    if (!mem_reserve_all(2, arrays, &a->batch, m * a->parts)) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    a->m = m;
    for (size_t k = 0; k < a->parts && status == LOCBO_OK; k++)
        status = gp_predict(a->part[k].model, m, u, a->mu + k * m, a->v + k * m, &a->work, error);
    return status;
}

void average_interval(const average *a, size_t i, const average_doubt *doubt, double *low, double *high) {
    average_normal parts[PARTS_MOST];
    /* a log or logit is the same in all parts: quantiles of its values are found, and then their inverse images */
    scaling rest[MEMBERS_MOST];
    const scaling *whole = &a->scale[a->part->from];
    double rho = doubt->stretch;
    size_t known = a->rows > DESIGN ? a->rows - DESIGN : 0; /* results that are not judged teach something, too */
    double learnt = fmax((double)doubt->judged, (double)known);
    double more = excess_share * fmax(rho * rho - 1, 0) + first_doubt / (1 + learnt);
    for (size_t k = 0; k < MEMBERS_MOST; k++) rest[k] = scaling_rest(&a->scale[k]);
    for (size_t k = 0; k < a->parts; k++) {
        const part *p = &a->part[k];
        double v = a->v[k * a->m + i], wider = v + more * (v + p->noise_var);
        parts[k] = (average_normal){&rest[p->from], a->mu[k * a->m + i], sqrt(fmax(wider, DBL_MIN)), p->weight};
    }
    double worse = scaling_unnatural(whole, average_quantile(a->parts, parts, doubt->alpha / 2));
    double better = scaling_unnatural(whole, average_quantile(a->parts, parts, 1 - doubt->alpha / 2));
    *low = fmin(worse, better);
    *high = fmax(worse, better);
}

/* The probability that f is worse than sign g; parts of one scale are next to each other. */
static double distribution(size_t n, const average_normal *parts, double g) {
    double sum = 0, z = 0;
    for (size_t k = 0; k < n; k++) {
        const scaling *s = parts[k].scale;
        if (k == 0 || s != parts[k - 1].scale) z = scaling_in(s, s->sign * g);
        sum += parts[k].weight * normal_cdf((z - parts[k].mu) / parts[k].sd);
    }
    return sum;
}

/* By bisection between the least and the largest of the parts' own quantiles, in the maximising direction: the bits are
 * the same in both. */
double average_quantile(size_t n, const average_normal *parts, double p) {
    enum { STEPS = 50 }; /* to 1e-15 of that distance */
    double low = DBL_MAX, high = -DBL_MAX, z = normal_quantile(p), sign = parts[0].scale->sign;
    for (size_t k = 0; k < n; k++) {
        double own = sign * scaling_out(parts[k].scale, parts[k].mu + z * parts[k].sd);
        low = fmax(fmin(low, own), -DBL_MAX);
        high = fmin(fmax(high, own), DBL_MAX);
    }
    for (int i = 0; i < STEPS && low < high; i++) {
        double middle = low / 2 + high / 2;
        if (distribution(n, parts, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return sign * (low / 2 + high / 2);
}
