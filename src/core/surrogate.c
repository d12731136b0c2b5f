/* surrogate.c - fit schedule, choice of the noise's law and of the scale, appends, and what is done after numerical
 * trouble. Layer: core, above gpfit, robust and dataset. Cost: a fit O(evaluations n^3), a new row in between O(n^2).
 */
#include "surrogate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "landmarks.h"
#include "mem.h"

/* log 4: the degrees of freedom of noise_law=student, as a fit stores them. */
static const double student_log_dof = 1.3862943611198906;

static locbo_status reserve_thetas(surrogate *s, locbo_error *error) {
    double **arrays[] = {&s->theta, &s->spare, &s->attempt, &s->from, &s->restart, &s->whole, &s->past.theta};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        *arrays[i] = mem_new(s->config.count + 1, sizeof **arrays[i]);
        if (!*arrays[i]) return status_no_memory(error);
    }
    members *lists[] = {&s->choice, &s->found, &s->whole_found, &s->past.choice};
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && status == LOCBO_OK; i++)
        status = members_init(lists[i], s->config.count + 1, error);
    return status;
}

locbo_status surrogate_init(surrogate *s, const locbo_space *space, const locbo_options *options, locbo_error *error) {
    memset(s, 0, sizeof *s);
    size_t dim = locbo_space_dim(space), columns = space_columns(space);
    int paper = options->surrogate == LOCBO_SURROGATE_PAPER;
    size_t *one_length = mem_new(columns, sizeof *one_length);
    if (!one_length) return status_no_memory(error);
    gp_spec spec = {
        .family = options->kernel,
        .columns = columns,
        .lengths = paper ? 1 : dim,
        .group = paper ? one_length : space_group(space),
        .estimate_mean = !paper,
        .trend = paper || space_fidelity(space) == SIZE_MAX ? 0 : 1 + space_column(space, space_fidelity(space))};
    gpfit_settings settings = {.surrogate = options->surrogate,
                               .length_scale = options->length_scale,
                               .noise_var = options->noise_var,
                               .noise_floor = options->noise_floor,
                               .input_span = options->input_span,
                               .pooling = options->pooling,
                               .restarts = options->fit_restarts};
    s->seed = options->seed;
    s->refit_every = (size_t)options->refit_every;
    int many = options->surrogate == LOCBO_SURROGATE_MAP && options->method != LOCBO_METHOD_CBO;
    s->exact_rows = many ? (size_t)options->exact_rows : 0;
    s->restarts = options->fit_restarts;
    int chooses = options->surrogate == LOCBO_SURROGATE_MAP && isnan(options->noise_var);
    s->noise_law = chooses ? options->noise_law : LOCBO_NOISE_LAW_LITTLE;
    s->considers_much = options->much_noise == LOCBO_MUCH_NOISE_AUTO;
    s->scaled = chooses && options->scale == LOCBO_OUTPUT_SCALE_AUTO;
    locbo_status status = gp_create(&s->model, &spec, error);
    if (status == LOCBO_OK) status = gpfit_work_create(&s->work, &spec, error);
    if (status == LOCBO_OK) status = gpfit_config_init(&s->config, &spec, dim, &settings, error);
    settings.law = LOCBO_NOISE_LAW_GAUSSIAN;
    if (status == LOCBO_OK && s->noise_law != LOCBO_NOISE_LAW_LITTLE)
        status = gpfit_config_init(&s->noisy, &spec, dim, &settings, error);
    settings.law = LOCBO_NOISE_LAW_MUCH;
    settings.restarts = 0; /* with this much noise there is one top */
    if (status == LOCBO_OK && surrogate_considers(s, LOCBO_NOISE_LAW_MUCH))
        status = gpfit_config_init(&s->much, &spec, dim, &settings, error);
    if (status == LOCBO_OK) status = reserve_thetas(s, error);
    mem_free(one_length);
    if (status != LOCBO_OK) surrogate_release(s);
    return status;
}

void surrogate_release(surrogate *s) {
    gp_destroy(s->model);
    gpfit_work_destroy(s->work);
    gpfit_config_release(&s->config);
    gpfit_config_release(&s->noisy);
    gpfit_config_release(&s->much);
    robust_work_release(&s->robust);
    excerpt_release(&s->rows);
    excerpt_release(&s->sample);
    double *arrays[] = {s->theta, s->spare, s->attempt, s->from, s->restart, s->whole, s->base, s->past.theta};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    members_release(&s->choice);
    members_release(&s->found);
    members_release(&s->whole_found);
    members_release(&s->past.choice);
    memset(s, 0, sizeof *s);
}

void surrogate_lead(surrogate *s, const leaders *l, size_t part) {
    s->leaders = l;
    s->part = part;
}

void surrogate_forget(surrogate *s) { s->holds = MODEL_NONE; }

void surrogate_watch(surrogate *s, watcher *w) {
    gp_watch(s->model, w);
    s->config.watcher = s->noisy.watcher = s->much.watcher = w;
}

static void notify(const notifier *n, locbo_event_kind kind, uint64_t told, double value, const char *message) {
    if (!n->fn) return;
    locbo_event event = {kind, told, value, message};
    n->fn(&event, n->user);
}

void surrogate_trouble(surrogate *s, const notifier *n, uint64_t told, const char *what, const locbo_error *why) {
    char message[sizeof why->message + 64];
    snprintf(message, sizeof message, "%s: %s", what, why->message);
    s->troubles++;
    notify(n, LOCBO_EVENT_TROUBLE, told, (double)NAN, message);
}

/* With more rows than these a fit is expensive: most fits then keep the law of the last one and make no restarts. */
enum { FEW = 100 };

/* New rows between two choices. */
static size_t choice_step(const surrogate *s, size_t n) { return n / (s->exact_rows > 0 ? 25 : 50); }

/* Whether a fit chooses the law again and makes restarts: always with few rows, then once for so many new rows. */
static int is_choice_due(const surrogate *s, size_t n, int warm) {
    if (!warm || n <= FEW) return 1;
    size_t step = choice_step(s, n);
    return n / step != s->fit_rows / step;
}

/* How many restarts a fit of n rows makes. One costs several times a search from the last theta, so with many rows most
 * fits make none. The first fit, which has no last theta, makes four times as many, unless it has so many rows that
 * the result depends little on the start. */
static int restarts_at(const surrogate *s, size_t n, int warm) {
    enum { PLENTY = 300 };
    if (!warm) return n <= PLENTY ? 4 * s->restarts : s->restarts;
    return is_choice_due(s, n, warm) ? s->restarts : 0;
}

/* ---- laws of the noise, scales of the outputs -------------------------------------------------- */

enum { EM_ROUNDS = 3 }; /* of weights and hyper-parameters alternately */
/* A fit with less noise variance is one of little noise. */
static const double little_noise = 1e-3;

/* The scales of the rows of d without weights, in s->base. */
static locbo_status keep_base(surrogate *s, dataset *d, locbo_error *error) {
    if (!mem_reserve(&s->base, &s->base_capacity, d->n, sizeof *s->base)) return status_no_memory(error);
    dataset_unweigh(d);
    memcpy(s->base, d->noise_scale, d->n * sizeof *s->base);
    return LOCBO_OK;
}

/* Factor the first n rows at theta, weighted from scratch if the noise is Student's t. */
static locbo_status factor_exactly(surrogate *s, dataset *d, size_t n, const double *theta, double dof,
                                   locbo_error *error) {
    locbo_status status = keep_base(s, d, error);
    if (status != LOCBO_OK) return status;
    gp_data rows = dataset_view(d, n);
    s->version++;
    s->told = s->factored = n;
    s->rows.rows.n = 0;
    return robust_factor(s->model, theta, &rows, dof, s->base, d->noise_scale, &s->robust, error);
}

static double dof_of(locbo_noise_law law) { return law == LOCBO_NOISE_LAW_STUDENT ? exp(student_log_dof) : 0; }

/* Student's t into s->attempt: weights and hyper-parameters alternately, from s->from (`warm`: a fit of Student's t) or
 * from the means of the priors. Not from a fit with normal noise, which may have explained the outliers by a short
 * length scale: no outlier is then left. */
static locbo_status fit_student(surrogate *s, dataset *d, int warm, rng *stream, double *value, locbo_error *error) {
    gp_data rows = dataset_view(d, d->n);
    double dof = dof_of(LOCBO_NOISE_LAW_STUDENT);
    s->noisy.restarts = 0;
    gpfit_cold_start(&s->noisy, s->attempt);
    if (warm) memcpy(s->attempt, s->from, s->config.count * sizeof *s->attempt);
    locbo_status status = factor_exactly(s, d, d->n, s->attempt, dof, error);
    for (int k = 0; k < (warm || d->n > FEW ? 1 : EM_ROUNDS) && status == LOCBO_OK; k++) {
        memcpy(s->from, s->attempt, s->config.count * sizeof *s->from);
        status = gpfit_run(s->work, &s->noisy, &rows, s->from, stream, s->attempt, value, error);
        if (status == LOCBO_OK) status = factor_exactly(s, d, d->n, s->attempt, dof, error);
    }
    return status;
}

static const gpfit_config *config_of(const surrogate *s, locbo_noise_law law) {
    return law == LOCBO_NOISE_LAW_LITTLE ? &s->config : law == LOCBO_NOISE_LAW_MUCH ? &s->much : &s->noisy;
}

/* Fit under one law into s->attempt, from s->from (`warm`) or from scratch, and factor there. */
static locbo_status fit_law(surrogate *s, dataset *d, locbo_noise_law law, int warm, rng *stream, double *value,
                            locbo_error *error) {
    if (law == LOCBO_NOISE_LAW_STUDENT) return fit_student(s, d, warm, stream, value, error);
    dataset_unweigh(d);
    gp_data rows = dataset_view(d, d->n);
    locbo_status status =
        gpfit_run(s->work, config_of(s, law), &rows, warm ? s->from : NULL, stream, s->attempt, value, error);
    return status == LOCBO_OK ? factor_exactly(s, d, d->n, s->attempt, 0, error) : status;
}

static void keep_attempt(surrogate *s, double value, double dof) {
    memcpy(s->spare, s->attempt, s->config.count * sizeof *s->spare);
    s->spare_value = value;
    s->spare_dof = dof;
}

/* The law of the last fit: by its dof and its noise variance, unless it was chosen as much noise. */
static locbo_noise_law last_law(const surrogate *s) {
    if (s->choice.count > 0 && s->choice.item[s->choice.chosen].law == LOCBO_NOISE_LAW_MUCH)
        return LOCBO_NOISE_LAW_MUCH;
    if (s->dof > 0) return LOCBO_NOISE_LAW_STUDENT;
    return s->theta[s->config.count - 1] < log(little_noise) ? LOCBO_NOISE_LAW_LITTLE : LOCBO_NOISE_LAW_GAUSSIAN;
}

/* Whether a law starts from the last fit, which is then in s->from: if that was of the same law, or, for little noise,
 * always. Otherwise from scratch: a short length scale that explains noise as ripples is hard to leave. */
static int starts_warm(surrogate *s, locbo_noise_law law, const double *start) {
    int same = law == LOCBO_NOISE_LAW_LITTLE || law == s->noise_law || (s->fitted && last_law(s) == law);
    if (!start || !same) return 0;
    memcpy(s->from, start, s->config.count * sizeof *s->from);
    return 1;
}

/* The scales that the candidates of a fit have. */
typedef struct scales {
    scaling plain, robust, bent;
    int bends; /* there is a Box-Cox scale */
} scales;

/* For the present rows, which d has on the plain scale. */
static locbo_status find_scales(const surrogate *s, const dataset *d, scales *c, locbo_error *error) {
    *c = (scales){.plain = d->scale, .robust = d->scale};
    return s->scaled ? dataset_scales(d, c->plain, &c->robust, &c->bent, &c->bends, error) : LOCBO_OK;
}

static scaling scale_for(const scales *c, locbo_noise_law law, int bent) {
    return bent ? c->bent : law == LOCBO_NOISE_LAW_STUDENT ? c->robust : c->plain;
}

double surrogate_log_jacobian(const dataset *d, const scaling *use, const scaling *plain) {
    double sum = 0;
    scaling rest = scaling_rest(use); /* a log or logit is in both */
    if (scaling_is_affine(&rest) && rest.spread == plain->spread) return 0;
    dataset_scope scope = dataset_scope_of(d);
    for (size_t i = 0; i < d->n; i++)
        if (dataset_is_scored(d, &scope, i))
            sum += log(scaling_slope(&rest, d->measured[i].value)) + log(plain->spread);
    return sum;
}

/* How well the model predicts each of the results that are scored from all others. */
static locbo_status score_model(surrogate *s, const dataset *d, double dof, double *score, locbo_error *error) {
    unsigned char *out = mem_new(d->n + 1, sizeof *out);
    if (!out) return status_no_memory(error);
    dataset_scope scope = dataset_scope_of(d);
    for (size_t i = 0; i < d->n; i++) out[i] = !dataset_is_scored(d, &scope, i);
    locbo_status status = robust_leave_one_out_of(s->model, dof, s->base, out, score, &s->robust, error);
    mem_free(out);
    return status;
}

/* Fit one candidate into s->attempt and append it to s->found. */
static locbo_status fit_candidate(surrogate *s, dataset *d, locbo_noise_law law, const scaling *use,
                                  const scaling *plain, const double *start, rng *stream, double *value,
                                  locbo_error *error) {
    double score, dof = dof_of(law);
    int warm = starts_warm(s, law, start), bent = scaling_is_box_cox(use);
    if (law != LOCBO_NOISE_LAW_LITTLE && (d->n > FEW || bent)) s->noisy.restarts = 0;
    dataset_rescale(d, *use);
    locbo_status status = fit_law(s, d, law, warm, stream, value, error);
    if (status == LOCBO_OK) status = score_model(s, d, dof, &score, error);
    if (status != LOCBO_OK) return status;
    score += surrogate_log_jacobian(d, use, plain);
    if (!isfinite(score)) return status_fail(error, LOCBO_ERR_NUMERIC, "a law of the noise has the score %g", score);
    warp b = scaling_bend(use);
    s->attempt[s->config.count] = student_log_dof;
    members_add(&s->found, &(locbo_member){.law = law,
                                           .shift = use->shift,
                                           .spread = use->spread,
                                           .power = b.power,
                                           .offset = b.offset,
                                           .low = b.low,
                                           .high = b.high,
                                           .score = score,
                                           .count = s->config.count + (dof > 0),
                                           .theta = s->attempt});
    return LOCBO_OK;
}

enum { LAWS = MEMBERS_MOST / 2 };

int surrogate_considers(const surrogate *s, locbo_noise_law law) {
    if (s->noise_law != LOCBO_NOISE_LAW_AUTO) return law == s->noise_law;
    if (law == LOCBO_NOISE_LAW_MUCH) return s->considers_much;
    return law >= LOCBO_NOISE_LAW_LITTLE && law <= LOCBO_NOISE_LAW_STUDENT;
}

/* The law and the kind of scale of the last fit again, from there. */
static locbo_status fit_again(surrogate *s, dataset *d, const double *start, rng *stream, locbo_error *error) {
    locbo_noise_law law = s->noise_law == LOCBO_NOISE_LAW_AUTO ? last_law(s) : s->noise_law;
    double value;
    scales c;
    locbo_status status = find_scales(s, d, &c, error);
    if (status != LOCBO_OK) return status;
    dataset_rescale(d, scale_for(&c, law, c.bends && s->fitted && scaling_is_box_cox(&s->fit_scale)));
    if (start) memcpy(s->from, start, s->config.count * sizeof *s->from);
    status = fit_law(s, d, law, start != NULL, stream, &value, error);
    if (status == LOCBO_OK) keep_attempt(s, value, dof_of(law));
    return status;
}

/* Whether a choice tries this law on this kind of scale. With many rows each costs, and of four choices three leave out
 * those that were far behind at the last one. */
static int is_tried(const surrogate *s, locbo_noise_law law, int bent) {
    const members *last = &s->choice;
    size_t n = s->fitted_to;
    double behind = fmax(10, (double)n / 40);
    if (s->exact_rows == 0 || n <= 2 * FEW || last->count == 0 || n / choice_step(s, n) % 4 == 0) return 1;
    for (size_t i = 0; i < last->count; i++) {
        scaling scale = members_scale(&last->item[i], s->fit_scale.sign);
        if (last->item[i].law == law && (scaling_is_box_cox(&scale) != 0) == bent)
            return last->item[i].score > last->item[last->chosen].score - behind;
    }
    return 0;
}

/* All laws on the plain scale (affine, or the output's log or logit), Student's t on the robust one, then all on the
 * Box-Cox scale; or the one law that the option noise_law wants. The one that predicts best ends up in s->spare and in
 * the model. */
static locbo_status choose(surrogate *s, dataset *d, const double *start, rng *stream, locbo_error *error) {
    double value, bar = -INFINITY;
    scales c;
    locbo_status status = find_scales(s, d, &c, error);
    if (status != LOCBO_OK) return status;
    for (int k = 0; k < (c.bends ? MEMBERS_MOST : MEMBERS_MOST / 2); k++) {
        locbo_noise_law law = (locbo_noise_law)(LOCBO_NOISE_LAW_LITTLE + k % LAWS);
        if (!surrogate_considers(s, law) || !is_tried(s, law, k >= LAWS)) continue;
        scaling use = scale_for(&c, law, k >= LAWS);
        status = fit_candidate(s, d, law, &use, &c.plain, start, stream, &value, error);
        if (watcher_is_end(status)) return status;
        if (status != LOCBO_OK || !(s->found.item[s->found.count - 1].score > bar)) continue; /* another may succeed */
        keep_attempt(s, value, dof_of(law));
        s->found.chosen = s->found.count - 1;
        bar = s->found.item[s->found.chosen].score + MEMBERS_MARGIN;
    }
    if (s->found.count == 0) /* also if those that are tried have no scale any more */
        return status == LOCBO_OK ? fit_again(s, d, start, stream, error) : status;
    dataset_rescale(d, members_scale(&s->found.item[s->found.chosen], c.plain.sign));
    return factor_exactly(s, d, d->n, s->spare, s->spare_dof, error);
}

/* Fit all rows that the model hears into s->spare, from `start` (NULL: from scratch), and factor there. With many rows
 * law and scale are chosen again only when a fit makes restarts. */
static locbo_status fit_rows(surrogate *s, dataset *d, const double *start, rng *stream, locbo_error *error) {
    int chooses = s->noise_law == LOCBO_NOISE_LAW_AUTO || s->scaled;
    s->config.restarts = s->noisy.restarts = restarts_at(s, s->fitted_to, start != NULL);
    if (!chooses || !is_choice_due(s, s->fitted_to, start != NULL)) return fit_again(s, d, start, stream, error);
    locbo_status status = choose(s, d, start, stream, error);
    if (status != LOCBO_OK) s->found.count = 0;
    return status;
}

/* ---- results of lower fidelity ----------------------------------------------------------------- */

/* Results of lower fidelity may mislead, as a whole or in detail. So each fit is compared with one that hears nothing
 * of them (d->only_full): the one that predicts the results at full fidelity better, each from all others, is taken. A
 * fit that hears nothing of them is known by its length scale along the fidelity, which is then the shortest. */
static int is_of_full(const surrogate *s, const double *theta) {
    size_t alone = s->config.alone;
    return alone < s->config.count && theta[alone] <= s->config.prior[alone].low;
}

/* Hear all rows, or those at full fidelity alone, standardised by these. */
static void hear(dataset *d, int only_full) {
    d->only_full = only_full || d->misled;
    dataset_rescale(d, dataset_standardise(d));
}

/* Where a search along all length scales can begin: from `theta`, the last fit, or NULL. */
static const double *whole_start(surrogate *s, const double *theta) {
    if (!theta || !is_of_full(s, theta)) return theta;
    memcpy(s->restart, theta, s->config.count * sizeof *s->restart);
    s->restart[s->config.alone] = s->config.prior[s->config.alone].mean;
    return s->restart;
}

/* The log density of the scored results, each from all others, in the user's units but for the direction. */
static locbo_status score_fit(surrogate *s, const dataset *d, double *score, locbo_error *error) {
    scaling user = {.sign = d->scale.sign, .spread = 1, .bend = d->scale.bend};
    if (!warp_is_natural(&user.bend)) user.bend = (warp){0, 0, 0, 0};
    locbo_status status = score_model(s, d, s->spare_dof, score, error);
    *score += surrogate_log_jacobian(d, &d->scale, &user);
    return status;
}

/* After a fit of all rows, in s->spare and the model: compare it with one of the rows at full fidelity. */
static locbo_status doubt_fidelity(surrogate *s, dataset *d, const double *start, rng *stream, locbo_error *error) {
    double all, full, value = s->spare_value, dof = s->spare_dof;
    size_t count = 0;
    scaling scale = d->scale;
    for (size_t i = 0; i < d->n; i++) count += (size_t)dataset_counts(d, i);
    if (s->config.alone >= s->config.count || count < 3 || count == d->n || d->only_full) return LOCBO_OK;
    locbo_status status = score_fit(s, d, &all, error);
    if (status != LOCBO_OK) return status;
    members_set(&s->whole_found, s->found.count, s->found.chosen, s->found.item);
    memcpy(s->whole, s->spare, s->config.count * sizeof *s->whole);
    s->found.count = 0;
    hear(d, 1);
    status = fit_rows(s, d, start, stream, error);
    if (status == LOCBO_OK) status = score_fit(s, d, &full, error);
    if (watcher_is_end(status)) return status;
    if (status == LOCBO_OK && full > all) {
        s->spare[s->config.alone] = s->config.prior[s->config.alone].low;
        if (s->found.count > 0) members_revise(&s->found, s->config.count, s->spare, 0);
        return factor_exactly(s, d, d->n, s->spare, s->spare_dof, error);
    }
    d->only_full = 0;
    members_set(&s->found, s->whole_found.count, s->whole_found.chosen, s->whole_found.item);
    memcpy(s->spare, s->whole, s->config.count * sizeof *s->spare);
    s->spare_value = value;
    s->spare_dof = dof;
    dataset_rescale(d, scale);
    return factor_exactly(s, d, d->n, s->spare, dof, error);
}

/* ---- more rows than exact_rows ------------------------------------------------------------------ */

/* How many landmarks results at so many points have: their sums cost 2 points m^2, which is to take a second or so; the
 * weights of Student's t half as much again. */
static size_t most_landmarks(const surrogate *s, size_t points, double dof) {
    const double work = dof > 0 ? 1e10 : 1.4e10;
    double most = sqrt(work / (double)points);
    return most < (double)s->exact_rows ? (size_t)most : s->exact_rows;
}

/* Landmarks of the first n rows, and those that the plan keeps apart, become the rows of the model, and of s->rows. */
static locbo_status sum_up(surrogate *s, const dataset *d, size_t n, const double *theta, const landmarks_plan *plan,
                           locbo_error *error) {
    landmarks l;
    gp_data view = dataset_view(d, n);
    locbo_status status = landmarks_make(&l, gp_get_spec(s->model), theta, &view, plan, gp_watcher(s->model), error);
    gp_data rows = landmarks_data(&l);
    if (status == LOCBO_OK) status = excerpt_take(&s->rows, d, l.n + l.apart, l.row, 0, error);
    if (status == LOCBO_OK) status = gp_factor_summary(s->model, theta, &rows, &l.summary, error);
    for (size_t i = l.n; i < l.n + l.apart && status == LOCBO_OK; i++)
        status = gp_append(s->model, l.x + i * d->columns, l.y[i], l.scale[i], l.extra[i], error);
    landmarks_release(&l);
    return status;
}

/* Weights of the first n rows by what the model, of landmarks, predicts there. */
static locbo_status weigh_many(surrogate *s, dataset *d, size_t n, double dof, locbo_error *error) {
    double *mu = mem_new(2 * n, sizeof *mu), *v = mu + n;
    gp_data rows = dataset_view(d, n);
    gp_work work = {0};
    enum { BLOCK = 1024 };
    locbo_status status = mu ? LOCBO_OK : status_no_memory(error);
    for (size_t at = 0; at < n && status == LOCBO_OK; at += BLOCK) {
        size_t count = n - at < BLOCK ? n - at : BLOCK;
        status = gp_predict(s->model, count, rows.x + at * d->columns, mu + at, v + at, &work, error);
    }
    if (status == LOCBO_OK) robust_weigh_predicted(&rows, mu, v, gp_noise_var(s->model), dof, s->base, d->noise_scale);
    gp_work_release(&work);
    mem_free(mu);
    return status;
}

static locbo_status factor_many(surrogate *s, dataset *d, size_t n, const double *theta, double dof,
                                locbo_error *error) {
    /* a weight need not be exact, those of the first round less so: only far outliers must lose theirs */
    static const size_t share[] = {4, 2};
    size_t most = most_landmarks(s, dataset_points(d, n), dof), rounds = dof > 0 ? sizeof share / sizeof share[0] : 0;
    size_t lead = 0, row[LEADERS_MOST];
    locbo_status status = keep_base(s, d, error);
    for (size_t k = 0; k < rounds && status == LOCBO_OK; k++) {
        status = sum_up(s, d, n, theta, &(landmarks_plan){.most = most / share[k] + 1}, error);
        if (status == LOCBO_OK) status = weigh_many(s, d, n, dof, error);
    }
    if (status == LOCBO_OK && s->leaders) /* half of the rows are for what they do not say */
        status = leaders_find(s->leaders, s->part, n, most / 2, row, &lead, error);
    if (status == LOCBO_OK) status = sum_up(s, d, n, theta, &(landmarks_plan){most - lead, lead, row}, error);
    return status;
}

/* Whether the first n results are at more points than an exact model is made of. */
static int is_many(const surrogate *s, const dataset *d, size_t n) {
    return s->exact_rows > 0 && dataset_points(d, n) > s->exact_rows;
}

/* Make the model one of the first n rows at theta, weighted from scratch if the noise is Student's t. It depends on
 * nothing else, so it restores a fit bit for bit. */
static locbo_status factor_rows(surrogate *s, dataset *d, size_t n, const double *theta, double dof,
                                locbo_error *error) {
    if (!is_many(s, d, n)) return factor_exactly(s, d, n, theta, dof, error);
    s->version++;
    s->told = s->factored = n;
    return factor_many(s, d, n, theta, dof, error);
}

enum { SEEN = 400 }; /* rows of a sample */

int surrogate_saw_sample(const surrogate *s, const dataset *d, size_t n) {
    return s->exact_rows > 0 && dataset_points(d, n) > SEEN;
}

const dataset *surrogate_rows(const surrogate *s, const dataset *d) { return s->rows.rows.n > 0 ? &s->rows.rows : d; }

size_t surrogate_source(const surrogate *s, size_t row) { return s->rows.rows.n > 0 ? s->rows.source[row] : row; }

/* ---- the fit ----------------------------------------------------------------------------------- */

/* Fit all rows into s->spare, from `start` (NULL: from scratch), and factor there. */
static locbo_status run_fit(surrogate *s, dataset *d, const double *start, locbo_error *error) {
    rng stream = rng_open(s->seed, s->fitted_to, RNG_FIT);
    locbo_status status = fit_rows(s, d, whole_start(s, start), &stream, error);
    return status == LOCBO_OK ? doubt_fidelity(s, d, start, &stream, error) : status;
}

/* The same; if it fails and there is no earlier model, the means of the priors are used. */
static locbo_status try_fit(surrogate *s, dataset *d, const double *start, const notifier *n, locbo_error *error) {
    locbo_error why = {LOCBO_OK, ""};
    s->found.count = 0;
    locbo_status status = run_fit(s, d, start, &why);
    if (status == LOCBO_OK) return status;
    if (watcher_is_end(status)) return status_fail(error, status, "%s", why.message);
    surrogate_trouble(s, n, d->n, "the fit failed", &why);
    if (s->fitted) return status; /* the last good model stays */
    gpfit_cold_start(&s->config, s->spare);
    dataset_rescale(d, dataset_standardise(d)); /* a candidate may have had another scale */
    s->spare_value = -INFINITY;
    s->spare_dof = 0;
    status = factor_exactly(s, d, d->n, s->spare, 0, &why);
    return watcher_is_end(status) ? status_fail(error, status, "%s", why.message) : status;
}

/* What s->spare and the model hold becomes the last fit. */
static void keep_fit(surrogate *s, const dataset *d, const notifier *n) {
    s->holds = MODEL_FIT;
    s->fitted = 1;
    s->fit_rows = d->n;
    s->fit_scale = d->scale;
    s->value = s->spare_value;
    memcpy(s->theta, s->spare, s->config.count * sizeof *s->theta);
    s->dof = s->spare_dof;
    s->theta[s->config.count] = s->dof > 0 ? student_log_dof : 0;
    if (s->found.count > 0) members_set(&s->choice, s->found.count, s->found.chosen, s->found.item);
    s->fits++;
    notify(n, LOCBO_EVENT_FIT, d->n, s->value, "hyper-parameters fitted");
    if (gp_jitter(s->model) > 0) notify(n, LOCBO_EVENT_JITTER, d->n, gp_jitter(s->model), "jitter on the diagonal");
}

/* The rows that a fit sees: all, or of many a sample; a fit costs n^3 many times. NULL without memory. */
static dataset *seen_rows(surrogate *s, dataset *d, locbo_error *error) {
    if (!surrogate_saw_sample(s, d, d->n)) return d;
    return excerpt_sample(&s->sample, d, SEEN, error) == LOCBO_OK ? &s->sample.rows : NULL;
}

/* A fit, perhaps to a sample, becomes the model of all rows. */
static locbo_status take_over(surrogate *s, dataset *d, const dataset *seen, const notifier *n, locbo_error *error) {
    locbo_error why = {LOCBO_OK, ""};
    d->only_full = seen->only_full;
    dataset_rescale(d, seen->scale);
    locbo_status status = factor_rows(s, d, d->n, s->spare, s->spare_dof, &why);
    if (watcher_is_end(status)) return status_fail(error, status, "%s", why.message);
    if (status != LOCBO_OK) surrogate_trouble(s, n, d->n, "no model of all results", &why);
    return status;
}

/* Fit all rows under a fresh standardisation, into s->spare and the model; d's scaling is as before if that fails. */
static locbo_status fit(surrogate *s, dataset *d, const double *start, const notifier *n, locbo_error *error) {
    scaling before = d->scale;
    int heard = d->only_full;
    dataset *seen = seen_rows(s, d, error);
    if (!seen) return LOCBO_ERR_MEMORY;
    s->fitted_to = d->n;
    hear(seen, 0);
    locbo_status status = try_fit(s, seen, start, n, error);
    if (status == LOCBO_OK && (seen != d || is_many(s, d, d->n))) status = take_over(s, d, seen, n, error);
    s->holds = status == LOCBO_OK ? MODEL_PREVIEW : MODEL_NONE;
    if (status != LOCBO_OK) {
        d->only_full = heard;
        dataset_rescale(d, before);
    }
    return status;
}

enum { APPENDED = 250 }; /* rows that are appended at most to a model of landmarks */

/* From which rows the last fit is made again: those it was fitted to. If many results came since, and there was no fit
 * (results were imported, and a caller only looks), those of now in steps of APPENDED: as rows appended to an exact
 * model they would cost n^3. A proposal fits before that. */
static size_t base_rows(const surrogate *s, const dataset *d) {
    size_t since = d->n > s->fit_rows ? d->n - s->fit_rows : 0;
    return is_many(s, d, d->n) ? s->fit_rows + since / APPENDED * APPENDED : s->fit_rows;
}

/* Make `model` the last fit again: the factorisation at the first n rows. */
static locbo_status restore_fit(surrogate *s, dataset *d, size_t n, locbo_error *error) {
    d->only_full = d->misled || is_of_full(s, s->theta);
    dataset_rescale(d, s->fit_scale);
    locbo_status status = factor_rows(s, d, n, s->theta, s->dof, error);
    s->holds = status == LOCBO_OK ? MODEL_FIT : MODEL_NONE;
    return status;
}

/* One more row of d, to a model of landmarks. */
static locbo_status append_apart(surrogate *s, const dataset *d, size_t i, locbo_error *error) {
    locbo_status status = excerpt_add(&s->rows, d, i, error);
    if (status != LOCBO_OK) return status;
    status = gp_append(s->model, d->u + i * d->columns, d->y[i], d->noise_scale[i], d->noise_extra[i], error);
    if (status != LOCBO_OK) excerpt_remove_last(&s->rows);
    return status;
}

/* The model with the rows that it lacks. One at a point that is a row already changes that row, so the model is
 * factored again up to the last of these; the bits are the same whether rows come one by one or together. Weights stay.
 * A model of landmarks has a row for each result instead. */
static locbo_status append_rows(surrogate *s, const dataset *d, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    size_t merged = d->n;
    int apart = s->rows.rows.n > 0;
    if (s->told < d->n) s->version++;
    while (!apart && merged > s->told && d->first[d->point[merged - 1]] == merged - 1) merged--;
    if (!apart && merged > s->told) {
        gp_data rows = dataset_view(d, merged);
        status = gp_factor(s->model, s->theta, &rows, error);
        if (status == LOCBO_OK) s->told = merged;
    }
    while (s->told < d->n && status == LOCBO_OK) {
        size_t i = s->told;
        status = apart
                     ? append_apart(s, d, i, error)
                     : gp_append(s->model, d->u + i * d->columns, d->y[i], d->noise_scale[i], d->noise_extra[i], error);
        if (status == LOCBO_OK) s->told++;
    }
    return status;
}

/* Bring the last fit up to date. After trouble the model keeps the rows it has. What it was factored from decides, not
 * what it has: rows that were appended for an earlier look have other weights than a factorisation gives them, and an
 * answer must not depend on whether somebody looked. */
static locbo_status follow(surrogate *s, dataset *d, const notifier *n, locbo_error *error) {
    locbo_error why = {LOCBO_OK, ""};
    locbo_status status = LOCBO_OK;
    size_t base = base_rows(s, d);
    if (s->holds != MODEL_FIT || s->factored != base) status = restore_fit(s, d, base, &why);
    if (status == LOCBO_OK) status = append_rows(s, d, &why);
    if (watcher_is_end(status)) return status_fail(error, status, "%s", why.message);
    if (status != LOCBO_OK) surrogate_trouble(s, n, d->n, "the model does not include all results", &why);
    return LOCBO_OK;
}

/* Whether a result since the last fit is so far from the others that the scaling of that fit does not suit it. */
static int has_far_result(const surrogate *s, const dataset *d) {
    enum { FAR = 10 }; /* standard deviations at the last fit */
    for (size_t i = s->fit_rows; i < d->n; i++)
        if (!(fabs(scaling_in(&s->fit_scale, d->measured[i].value)) <= FAR)) return 1;
    return 0;
}

/* New results between two fits. */
static size_t fit_step(const surrogate *s, const dataset *d) {
    size_t step = s->refit_every > 0 ? s->refit_every : d->n < 200 ? 1 : d->n / 100;
    return (s->refit_every > 0 && !is_many(s, d, d->n)) || step < APPENDED ? step : APPENDED;
}

static int is_due(const surrogate *s, const dataset *d) {
    return !s->fitted || d->n - s->fit_rows >= fit_step(s, d) || has_far_result(s, d);
}

locbo_status surrogate_refresh(surrogate *s, dataset *d, int may_fit, const notifier *n, int *ready,
                               locbo_error *error) {
    locbo_status status = LOCBO_OK;
    *ready = 0;
    if (d->n < 2) return LOCBO_OK;
    int due = may_fit && is_due(s, d);
    /* a preview of the same rows is what the first fit would give */
    int previewed = !s->fitted && s->holds == MODEL_PREVIEW && s->told == d->n;
    if ((due || !s->fitted) && !previewed) status = fit(s, d, s->fitted ? s->theta : NULL, n, error);
    if (watcher_is_end(status)) return status;
    if (status == LOCBO_OK && due) keep_fit(s, d, n);
    if (status != LOCBO_OK && !s->fitted) s->holds = MODEL_NONE; /* not the preview of an earlier call */
    if (s->fitted) status = follow(s, d, n, error);
    robust_work_release(&s->robust); /* n x n numbers, not needed until the next fit */
    if (watcher_is_end(status)) return status;
    *ready = s->holds != MODEL_NONE;
    return LOCBO_OK;
}

double surrogate_noise_var(const surrogate *s) {
    return gp_noise_var(s->model) * robust_variance(s->holds == MODEL_FIT ? s->dof : s->spare_dof);
}

const members *surrogate_candidates(const surrogate *s) { return s->holds == MODEL_PREVIEW ? &s->found : &s->choice; }

size_t surrogate_theta_count(const surrogate *s) { return s->config.count + (s->dof > 0); }

void surrogate_take_fit(surrogate *s, size_t rows, scaling scale, double value, size_t count, const double *theta) {
    s->fitted = 1;
    s->holds = MODEL_NONE;
    s->fit_rows = rows;
    s->fit_scale = scale;
    s->value = value;
    memmove(s->theta, theta, count * sizeof *s->theta);
    s->dof = count > s->config.count ? exp(theta[s->config.count]) : 0;
}

void surrogate_remember(surrogate *s) {
    s->past.fitted = s->fitted;
    s->past.rows = s->fit_rows;
    s->past.count = surrogate_theta_count(s);
    s->past.scale = s->fit_scale;
    s->past.value = s->value;
    memcpy(s->past.theta, s->theta, s->past.count * sizeof *s->theta);
    members_set(&s->past.choice, s->choice.count, s->choice.chosen, s->choice.item);
    s->past.fits = s->fits;
    s->past.troubles = s->troubles;
}

void surrogate_put_back(surrogate *s) {
    robust_work_release(&s->robust);
    s->troubles = s->past.troubles;
    if (s->fits == s->past.fits) return; /* the last fit is the same */
    s->fits = s->past.fits;
    surrogate_take_fit(s, s->past.rows, s->past.scale, s->past.value, s->past.count, s->past.theta);
    members_set(&s->choice, s->past.choice.count, s->past.choice.chosen, s->past.choice.item);
    s->fitted = s->past.fitted;
}
