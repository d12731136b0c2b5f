/* surrogate.h - the model of the optimizer: when it is fitted, and how it follows the data in between.
 *
 * Only a proposal may fit, so that proposals do not depend on how often `predict` was called. Between fits the
 * hyper-parameters and the scaling stay, and rows are appended. A snapshot stores the last fit (rows, theta, scaling,
 * the candidates of the last choice): the same factorisation followed by the same appends gives the same bits. */
#ifndef SURROGATE_H
#define SURROGATE_H

#include "excerpt.h"
#include "gpfit.h"
#include "leaders.h"
#include "members.h"
#include "robust.h"
#include "space.h"

typedef struct notifier {
    locbo_event_fn *fn;
    void *user;
} notifier;

typedef struct surrogate {
    gp *model;
    gpfit_work *work;
    gpfit_config config; /* priors of little noise, or the only priors */
    gpfit_config noisy;  /* priors of noisy data; count 0: not used */
    gpfit_config much;   /* priors of data that are noise for the most part; count 0: not used */
    locbo_noise_law noise_law;
    int considers_much; /* option much_noise=auto */
    int scaled;         /* option scale=auto: scales other than the plain one are candidates */
    uint64_t seed;
    size_t exact_rows;      /* option; 0: no limit */
    size_t refit_every;     /* option; 0: the more results, the more are told between two fits */
    int restarts;           /* option fit_restarts */
    const leaders *leaders; /* of several outputs, of which this is the model of `part`; NULL: there is one */
    size_t part;
    /* the last fit */
    int fitted;
    size_t fit_rows;
    scaling fit_scale;
    double *theta, value; /* theta: config.count + 1 numbers */
    double dof;           /* of Student's t; 0: normal noise */
    members choice;       /* the candidates of the last choice, at this fit or an earlier one */
    /* what `model` holds */
    enum { MODEL_NONE, MODEL_FIT, MODEL_PREVIEW } holds;
    uint64_t version; /* another number whenever the model has changed */
    size_t told;      /* results that it is made of */
    size_t factored;  /* the first of these, which it was factored from; the others were appended */
    excerpt rows;   /* with more of them than exact_rows: landmarks, leaders, each result since; empty: all are rows */
    excerpt sample; /* what a fit sees of many rows */
    size_t fitted_to;                      /* results that the present fit is about, of which it may see a sample */
    double *spare, spare_value, spare_dof; /* the best of several fits, or the preview's */
    members found;                         /* the candidates, if the fit in `spare` chose among them */
    double *attempt, *from, *restart;      /* the theta of the current fit, and where its search starts */
    double *whole;                         /* the fit of all rows while one of those at full fidelity is made, and */
    members whole_found;                   /* its candidates */
    double *base;                          /* scales of the rows without weights */
    size_t base_capacity;
    robust_work robust;
    uint64_t fits, troubles;
    /* the last fit, and the counts, as surrogate_remember found them */
    struct {
        int fitted;
        size_t rows, count;
        scaling scale;
        double *theta, value;
        members choice;
        uint64_t fits, troubles;
    } past;
} surrogate;

locbo_status surrogate_init(surrogate *s, const locbo_space *space, const locbo_options *options, locbo_error *error);
void surrogate_release(surrogate *s);
/* It is one of several: a model of landmarks has the leaders as rows, too. */
void surrogate_lead(surrogate *s, const leaders *l, size_t part);
/* What the model is made of has changed otherwise than by results: it is made again from the last fit. */
void surrogate_forget(surrogate *s);
/* Whom fits, factorisations and predictions ask whether to go on. */
void surrogate_watch(surrogate *s, watcher *w);

/* Bring the model up to date with d. may_fit: a proposal, which fits when one is due; otherwise the last fit is used,
 * or, before the first one, a preview that leaves no trace. *ready tells whether there is a model: with fewer than two
 * rows, or after numerical trouble without an earlier model, there is none. Fails only without memory, or cancelled. */
locbo_status surrogate_refresh(surrogate *s, dataset *d, int may_fit, const notifier *n, int *ready,
                               locbo_error *error);

/* Whether a fit may have this law. */
int surrogate_considers(const surrogate *s, locbo_noise_law law);

/* The measurements that the model has rows of, in their order: d itself, or some rows of it. */
const dataset *surrogate_rows(const surrogate *s, const dataset *d);
/* The number in d of one of them. */
size_t surrogate_source(const surrogate *s, size_t row);
/* Whether a fit to the first n results sees a sample of them. */
int surrogate_saw_sample(const surrogate *s, const dataset *d, size_t n);

/* Variance of the noise of one measurement, standardised. */
double surrogate_noise_var(const surrogate *s);

/* The candidates that the model was chosen from, at its fit or an earlier one; there may be none. */
const members *surrogate_candidates(const surrogate *s);

/* The log density of the results on the plain scale less that on `use`; both have the same log or logit, or none. */
double surrogate_log_jacobian(const dataset *d, const scaling *use, const scaling *plain);

/* How many numbers of s->theta are stored: with Student's t one more, log dof at the end. */
size_t surrogate_theta_count(const surrogate *s);
/* Make a stored fit the last one; `count` is one of the two counts that surrogate_theta_count may give. The candidates
 * stay: s->choice is set beside it. */
void surrogate_take_fit(surrogate *s, size_t rows, scaling scale, double value, size_t count, const double *theta);

/* Before a call that may fit, and after it if it failed: the last fit and the counts are again as they were, and the
 * model, if it has changed, is factored from them when it is next needed. */
void surrogate_remember(surrogate *s);
void surrogate_put_back(surrogate *s);

/* Count numerical trouble and report it as an event: "what: why". */
void surrogate_trouble(surrogate *s, const notifier *n, uint64_t told, const char *what, const locbo_error *why);

#endif
