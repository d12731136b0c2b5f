/* surrogate.c - fit schedule, appends, and going on after numerical trouble. Layer: core, above gpfit and dataset.
 * Cost: a fit O(evaluations n^3), a new row in between O(n^2). */
#include "surrogate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"

locbo_status surrogate_init(surrogate *s, const locbo_space *space, const locbo_options *options,
                            locbo_error *error) {
    memset(s, 0, sizeof *s);
    size_t dim = locbo_space_dim(space), columns = space_columns(space);
    int paper = options->surrogate == LOCBO_SURROGATE_PAPER;
    size_t *one_length = mem_new(columns, sizeof *one_length);
    if (!one_length) return status_no_memory(error);
    gp_spec spec = {.family = options->kernel,
                    .columns = columns,
                    .lengths = paper ? 1 : dim,
                    .group = paper ? one_length : space_group(space),
                    .estimate_mean = !paper};
    gpfit_settings settings = {.surrogate = options->surrogate,
                               .length_scale = options->length_scale,
                               .noise_var = options->noise_var,
                               .noise_floor = options->noise_floor,
                               .input_span = options->input_span,
                               .pooling = options->pooling,
                               .restarts = options->fit_restarts};
    s->seed = options->seed;
    s->refit_every = (size_t)options->refit_every;
    s->restarts = options->fit_restarts;
    locbo_status status = gp_create(&s->model, &spec, error);
    if (status == LOCBO_OK) status = gpfit_work_create(&s->work, &spec, error);
    if (status == LOCBO_OK) status = gpfit_config_init(&s->config, &spec, dim, &settings, error);
    if (status == LOCBO_OK) {
        s->theta = mem_new(s->config.count, sizeof *s->theta);
        s->spare = mem_new(s->config.count, sizeof *s->spare);
        if (!s->theta || !s->spare) status = status_no_memory(error);
    }
    mem_free(one_length);
    if (status != LOCBO_OK) surrogate_release(s);
    return status;
}

void surrogate_release(surrogate *s) {
    gp_destroy(s->model);
    gpfit_work_destroy(s->work);
    gpfit_config_release(&s->config);
    mem_free(s->theta);
    mem_free(s->spare);
    memset(s, 0, sizeof *s);
}

static void notify(const notifier *n, locbo_event_kind kind, uint64_t told, double value,
                   const char *message) {
    if (!n->fn) return;
    locbo_event event = {kind, told, value, message};
    n->fn(&event, n->user);
}

void surrogate_trouble(surrogate *s, const notifier *n, uint64_t told, const char *what,
                       const locbo_error *why) {
    char message[sizeof why->message + 64];
    snprintf(message, sizeof message, "%s: %s", what, why->message);
    s->troubles++;
    notify(n, LOCBO_EVENT_TROUBLE, told, (double)NAN, message);
}

/* How many further starts a fit of n rows makes. A climb from scratch costs several times one from the last theta,
 * so with many rows it is made once in every n/50 fits; the first fit, with nothing to go on, makes four times as
 * many, unless its rows are so many that they leave little to chance. A function of the number of rows and of there
 * being a last fit. */
static int restarts_at(const surrogate *s, size_t n, int warm) {
    enum { PLENTY = 300 };
    if (!warm) return n <= PLENTY ? 4 * s->restarts : s->restarts;
    return n <= 100 || n % (n / 50) == 0 ? s->restarts : 0;
}

/* Fit all rows into s->spare, from `start` (NULL: from scratch), and factor there. */
static locbo_status try_fit(surrogate *s, const dataset *d, const double *start, const notifier *n,
                            locbo_error *error) {
    locbo_error why = {LOCBO_OK, ""};
    rng stream = rng_open(s->seed, d->n, RNG_FIT);
    gp_data rows = dataset_view(d, d->n);
    s->config.restarts = restarts_at(s, d->n, start != NULL);
    locbo_status status =
        gpfit_run(s->work, &s->config, &rows, start, &stream, s->spare, &s->spare_value, &why);
    if (status == LOCBO_OK) status = gp_factor(s->model, s->spare, &rows, &why);
    if (status == LOCBO_OK) return status;
    if (status == LOCBO_ERR_MEMORY) return status_no_memory(error);
    surrogate_trouble(s, n, d->n, "the fit failed", &why);
    if (s->fitted) return status; /* the last good model goes on */
    gpfit_cold_start(&s->config, s->spare);
    s->spare_value = -INFINITY;
    status = gp_factor(s->model, s->spare, &rows, &why);
    return status == LOCBO_ERR_MEMORY ? status_no_memory(error) : status;
}

/* What s->spare and the model hold becomes the last fit. */
static void keep_fit(surrogate *s, const dataset *d, const notifier *n) {
    s->holds = MODEL_FIT;
    s->fitted = 1;
    s->fit_rows = d->n;
    s->fit_scale = d->scale;
    s->value = s->spare_value;
    memcpy(s->theta, s->spare, s->config.count * sizeof *s->theta);
    s->fits++;
    notify(n, LOCBO_EVENT_FIT, d->n, s->value, "hyper-parameters fitted");
    if (gp_jitter(s->model) > 0)
        notify(n, LOCBO_EVENT_JITTER, d->n, gp_jitter(s->model), "jitter on the diagonal");
}

/* Fit all rows under a fresh standardisation, into s->spare and the model; d's scaling is as before if that fails. */
static locbo_status fit(surrogate *s, dataset *d, const double *start, const notifier *n,
                        locbo_error *error) {
    scaling before = d->scale;
    dataset_rescale(d, dataset_standardise(d));
    locbo_status status = try_fit(s, d, start, n, error);
    if (status == LOCBO_OK)
        s->holds = MODEL_PREVIEW;
    else
        dataset_rescale(d, before);
    return status;
}

/* Make `model` the last fit again: the factorisation at its rows. */
static locbo_status restore_fit(surrogate *s, dataset *d, locbo_error *error) {
    dataset_rescale(d, s->fit_scale);
    gp_data rows = dataset_view(d, s->fit_rows);
    locbo_status status = gp_factor(s->model, s->theta, &rows, error);
    s->holds = status == LOCBO_OK ? MODEL_FIT : MODEL_NONE;
    return status;
}

static locbo_status append_rows(surrogate *s, const dataset *d, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = gp_rows(s->model); i < d->n && status == LOCBO_OK; i++)
        status = gp_append(s->model, d->u + i * d->columns, d->y[i], d->noise_scale[i],
                           d->noise_extra[i], error);
    return status;
}

/* Follow the last fit. Trouble leaves the model at the rows it has. */
static locbo_status follow(surrogate *s, dataset *d, const notifier *n, locbo_error *error) {
    locbo_error why = {LOCBO_OK, ""};
    locbo_status status = LOCBO_OK;
    if (s->holds != MODEL_FIT) status = restore_fit(s, d, &why);
    if (status == LOCBO_OK) status = append_rows(s, d, &why);
    if (status == LOCBO_ERR_MEMORY) return status_no_memory(error);
    if (status != LOCBO_OK)
        surrogate_trouble(s, n, d->n, "the model could not take all rows", &why);
    return LOCBO_OK;
}

/* Whether a row since the last fit lies so far out that its scaling no longer fits the data. */
static int is_startling(const surrogate *s, const dataset *d) {
    enum { FAR = 10 }; /* standard deviations at the last fit */
    for (size_t i = s->fit_rows; i < d->n; i++)
        if (!(fabs(scaling_in(&s->fit_scale, d->measured[i].value)) <= FAR)) return 1;
    return 0;
}

static int is_due(const surrogate *s, const dataset *d) {
    return !s->fitted || d->n - s->fit_rows >= s->refit_every || is_startling(s, d);
}

locbo_status surrogate_refresh(surrogate *s, dataset *d, int may_fit, const notifier *n, int *ready,
                               locbo_error *error) {
    locbo_status status = LOCBO_OK;
    *ready = 0;
    if (d->n < 2) return LOCBO_OK;
    gp_drop_pending(s->model);
    int due = may_fit && is_due(s, d);
    /* a preview of the same rows is what the first fit would give */
    int previewed = !s->fitted && s->holds == MODEL_PREVIEW && gp_rows(s->model) == d->n;
    if ((due || !s->fitted) && !previewed)
        status = fit(s, d, s->fitted ? s->theta : NULL, n, error);
    if (status == LOCBO_ERR_MEMORY) return status;
    if (status == LOCBO_OK && due) keep_fit(s, d, n);
    if (status != LOCBO_OK && !s->fitted)
        s->holds = MODEL_NONE; /* not a preview that somebody left */
    if (s->fitted) status = follow(s, d, n, error);
    if (status == LOCBO_ERR_MEMORY) return status;
    *ready = s->holds != MODEL_NONE;
    return LOCBO_OK;
}
