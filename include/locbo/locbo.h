/* locbo.h - robust Bayesian optimisation of noisy, expensive black boxes.
 *
 * This header is the manual of the library. The short story:
 *
 *     locbo_space_create      describe the parameters
 *     locbo_options_init      the defaults; change what you like
 *     locbo_optimizer_create  space and options are copied
 *     locbo_optimizer_ask     where to evaluate next
 *     locbo_optimizer_tell    what was measured there
 *     locbo_optimizer_best, locbo_optimizer_recommend, locbo_optimizer_summary
 *
 * Conventions
 * - Every function that can fail returns a locbo_status and takes a `locbo_error *` last, which may
 *   be NULL. The message is one line and names the argument and its value. On failure outputs and
 *   objects are as they were before the call.
 * - Objects are opaque. Whoever creates one destroys it; destroying NULL does nothing. The library
 *   copies what it is given and keeps no pointer of the caller's, except those of callbacks.
 * - A point is an array of `dim` doubles in the order the parameters were added: a real parameter's
 *   value, an integer parameter's value, a categorical parameter's category number (from 0).
 * - The library has no state outside its objects but a lock around BLAS, starts no threads, prints nothing, reads no
 * files, no clock and no environment. Different objects may be used from different threads at the same time (their
 * linear algebra takes turns); one object from one thread at a time.
 * - Settings are structs that begin with `struct_size`: locbo_options, locbo_ask_options, and in study.h locbo_plan,
 *   locbo_definition, locbo_request and locbo_filter. It is the size that the struct had when the program was
 *   compiled: `= {.struct_size = sizeof it}`, or locbo_options_init and locbo_plan_init, whose defaults are not all 0.
 *   Set it also before the library fills in such a struct. A shorter struct, of an older header, is taken: the fields
 *   that it lacks have their defaults, and are not written. Any other size is LOCBO_ERR_ARGUMENT: 0 (it was forgotten),
 *   one that ends inside a field, one larger than the library knows (it could not do all that is asked for).
 *   All other structs are data: the library fills them in, or takes them as they are, often in arrays. They have no
 *   struct_size, and are the same in all versions with one soname.
 * - The same seed, options and order of calls give the same bits with the same build on one machine.
 */
#ifndef LOCBO_LOCBO_H
#define LOCBO_LOCBO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LOCBO_API __attribute__((visibility("default")))
#else
#define LOCBO_API
#endif

#define LOCBO_VERSION_MAJOR 0
#define LOCBO_VERSION_MINOR 1
#define LOCBO_VERSION_PATCH 0

/* The version of the library that is linked, "0.1.0". */
LOCBO_API const char *locbo_version(void);

/* ---- Errors ------------------------------------------------------------------------------------ */

/* One list makes the codes and their texts. */
#define LOCBO_STATUS_LIST(X)                                                                                           \
    X(LOCBO_OK, 0, "success")                                                                                          \
    X(LOCBO_ERR_ARGUMENT, 1, "an argument is not acceptable")                                                          \
    X(LOCBO_ERR_MEMORY, 2, "out of memory")                                                                            \
    X(LOCBO_ERR_STATE, 3, "not possible in the present state")                                                         \
    X(LOCBO_ERR_NOT_FOUND, 4, "no such thing")                                                                         \
    X(LOCBO_ERR_FORMAT, 5, "the saved state is damaged or of an unknown version")                                      \
    X(LOCBO_ERR_NUMERIC, 6, "the numerics failed")                                                                     \
    X(LOCBO_ERR_STOPPED, 7, "the run or the study was stopped")                                                        \
    X(LOCBO_ERR_NOTHING, 8, "there is nothing to do")                                                                  \
    X(LOCBO_ERR_BUSY, 9, "the database is busy or cannot be reached")                                                  \
    X(LOCBO_ERR_SCHEMA, 10, "not a locbo database, or one of another version")                                         \
    X(LOCBO_ERR_IO, 11, "reading or writing failed")

typedef enum locbo_status {
#define LOCBO_STATUS_ENUM(name, value, text) name = (value),
    LOCBO_STATUS_LIST(LOCBO_STATUS_ENUM)
#undef LOCBO_STATUS_ENUM
} locbo_status;

typedef struct locbo_error {
    locbo_status status;
    char message[256]; /* one line, always terminated; empty after success */
} locbo_error;

/* What a status means in general; never NULL. */
LOCBO_API const char *locbo_status_text(locbo_status status);

/* ---- The search space -------------------------------------------------------------------------- */

typedef struct locbo_space locbo_space;

typedef enum locbo_scale { LOCBO_LINEAR = 0, LOCBO_LOG = 1 } locbo_scale;

typedef enum locbo_kind { LOCBO_REAL = 0, LOCBO_INT = 1, LOCBO_CATEGORICAL = 2 } locbo_kind;

/* What a parameter is. Pointers belong to the space and live as long as it does. */
typedef struct locbo_parameter {
    const char *name;
    locbo_kind kind;
    locbo_scale scale;             /* LOCBO_LINEAR for a categorical one */
    double low, high;              /* inclusive; 0 and count-1 for a categorical one */
    size_t count;                  /* number of categories, otherwise 0 */
    const char *const *categories; /* `count` texts, otherwise NULL */
} locbo_parameter;

LOCBO_API locbo_status locbo_space_create(locbo_space **space, locbo_error *error);
LOCBO_API void locbo_space_destroy(locbo_space *space);

/* low < high, both finite; low > 0 for LOCBO_LOG. Names are not empty and differ. */
LOCBO_API locbo_status locbo_space_add_real(locbo_space *space, const char *name, double low, double high,
                                            locbo_scale scale, locbo_error *error);
/* low <= high, within +-2^53; low >= 1 for LOCBO_LOG. */
LOCBO_API locbo_status locbo_space_add_int(locbo_space *space, const char *name, int64_t low, int64_t high,
                                           locbo_scale scale, locbo_error *error);
/* count >= 1 different texts. */
LOCBO_API locbo_status locbo_space_add_categorical(locbo_space *space, const char *name, size_t count,
                                                   const char *const *categories, locbo_error *error);

LOCBO_API size_t locbo_space_dim(const locbo_space *space); /* 0 for NULL */
LOCBO_API locbo_status locbo_space_parameter(const locbo_space *space, size_t index, locbo_parameter *parameter,
                                             locbo_error *error);
LOCBO_API locbo_status locbo_space_find(const locbo_space *space, const char *name, size_t *index, locbo_error *error);
/* LOCBO_OK if x is a point of the space, otherwise an error that names the parameter and value. */
LOCBO_API locbo_status locbo_space_check(const locbo_space *space, const double *x, locbo_error *error);

/* ---- Options ----------------------------------------------------------------------------------- */

typedef enum locbo_direction { LOCBO_MINIMIZE = 0, LOCBO_MAXIMIZE = 1 } locbo_direction;

typedef enum locbo_method {
    LOCBO_METHOD_LOCBO = 0,  /* localized online conformal prediction; localization = inf, or gain = 0: not localized */
    LOCBO_METHOD_BO = 1,     /* the model as it is */
    LOCBO_METHOD_CBO = 2,    /* weighted full conformal prediction */
    LOCBO_METHOD_OCBO = 3,   /* online recalibrated quantiles */
    LOCBO_METHOD_OCBO_L = 4, /* the same, localized */
    LOCBO_METHOD_RANDOM = 5  /* random search */
} locbo_method;

typedef enum locbo_design { LOCBO_DESIGN_LHS = 0, LOCBO_DESIGN_UNIFORM = 1 } locbo_design;

typedef enum locbo_surrogate {
    LOCBO_SURROGATE_MAP = 0,   /* length scale per parameter, output scale, noise; priors */
    LOCBO_SURROGATE_PAPER = 1, /* one length scale, unit amplitude; maximum likelihood */
    LOCBO_SURROGATE_GAMMA = 2  /* as map, with gamma priors: length scales (3, 6), output scale (2, 0.15), noise
                                  (1.1, 0.05), shape and rate; those that BoTorch's SingleTaskGP long had */
} locbo_surrogate;

/* Surrogate map: what is believed of the noise. */
typedef enum locbo_noise_law {
    LOCBO_NOISE_LAW_AUTO = 0,   /* all three; the one that predicts each result best from the others (leave one out) */
    LOCBO_NOISE_LAW_LITTLE = 1, /* normal, next to nothing unless the data insist */
    LOCBO_NOISE_LAW_GAUSSIAN = 2, /* normal, and there is some */
    LOCBO_NOISE_LAW_STUDENT = 3   /* Student's t with 4 degrees of freedom: outliers count for little */
} locbo_noise_law;

typedef enum locbo_kernel { LOCBO_KERNEL_MATERN52 = 0, LOCBO_KERNEL_MATERN32 = 1, LOCBO_KERNEL_RBF = 2 } locbo_kernel;

typedef enum locbo_acquisition {
    LOCBO_ACQUISITION_LOG_EI = 0,
    LOCBO_ACQUISITION_EI = 1,
    LOCBO_ACQUISITION_PI = 2,
    LOCBO_ACQUISITION_UCB = 3, /* quantile of level ucb_level of the calibrated law of f(x) */
    LOCBO_ACQUISITION_THOMPSON = 4
} locbo_acquisition;

typedef enum locbo_incumbent {
    LOCBO_INCUMBENT_OBSERVED = 0, /* best measured value */
    LOCBO_INCUMBENT_MEAN = 1,     /* best posterior mean at an evaluated point */
    LOCBO_INCUMBENT_SAMPLED = 2 /* the best of f at the evaluated points, integrated over its posterior under the model:
                                   noisy EI, for ei and log-ei; pi takes the best posterior mean */
} locbo_incumbent;

typedef enum locbo_recommendation {
    LOCBO_RECOMMEND_EVALUATED = 0, /* best posterior mean among the evaluated points */
    LOCBO_RECOMMEND_ANYWHERE = 1,  /* best posterior mean in the whole space */
    LOCBO_RECOMMEND_OBSERVED = 2   /* the point of the best measured value */
} locbo_recommendation;

/* All that can be chosen. Start from locbo_options_init; every field is also reachable by its name and
 * as text (locbo_options_set), and described by the same table (locbo_option_describe).
 * Lengths and distances are those of the unit cube, variances those of standardised outputs. */
typedef struct locbo_options {
    size_t struct_size; /* locbo_options_init fills it in */

    locbo_direction direction;
    locbo_method method;
    uint64_t seed;

    int initial;         /* points of the initial design, less those the caller gives; 0: max(5, min(2 d, 20)) */
    locbo_design design; /* how they are chosen */

    locbo_surrogate surrogate;
    locbo_kernel kernel;
    int refit_every;     /* hyper-parameters are fitted again after this many new results */
    int fit_restarts;    /* extra starting points of a fit */
    double length_scale; /* fixed length scale; nan: fitted */
    double noise_var;    /* fixed noise variance; nan: fitted */
    double noise_floor;  /* smallest noise variance */

    double alpha;          /* target miscoverage */
    double eta0;           /* first step size of the calibration */
    double step_power;     /* eta_t = eta0 * t^-step_power */
    double localization;   /* length l of the localization kernel; inf: none */
    double gain;           /* kappa, the height of the localization kernel */
    double decay;          /* lambda, regularisation of the local part */
    double tail;           /* share of alpha that lies outside the calibrated set */
    double z_max;          /* widest set the law uses, in predictive standard deviations */
    int levels;            /* quantile levels of ocbo and ocbo-l */
    double noise_symmetry; /* b_xi: least probability of either sign of the noise */

    double cbo_temperature; /* of exp(acquisition/temperature), relative to its largest value */
    int cbo_chains;         /* Langevin chains */
    int cbo_steps;          /* steps of each */

    locbo_acquisition acquisition;
    locbo_incumbent incumbent;
    double ucb_level;
    int candidates; /* of each proposal; 0: automatic */
    int refine;     /* how many of them are refined by gradients */
    locbo_recommendation recommendation;

    double input_span; /* surrogate gamma: side of the cube that its prior of the length scales takes the inputs to
                          lie in; 20 for a program that leaves inputs in [-10, 10] as they are */
    double pooling;    /* surrogate map: how far, as the sd of logarithms, the length scale of a parameter departs from
                          what    all have in common; inf: each by itself */
    locbo_noise_law noise_law; /* surrogate map, unless noise_var is given */
    double head_start; /* method locbo: the threshold before the first result, as a share of alpha: the sets begin as
                          wide as if less miscoverage were wanted */
    double caution;    /* incumbent sampled: noisy EI takes the model's sd of f times this power of how much wider the
                          calibrated set of y is than the model's; 0: the model's own */
} locbo_options;

/* What the option table says of one option. All texts are static. */
typedef struct locbo_option {
    const char *name;         /* "step_power" */
    const char *type;         /* "real", "integer", "seed" or "choice" */
    const char *range;        /* "(0, 1)", "0 ..", "log-ei | ei | pi | ucb | thompson" */
    const char *default_text; /* "0.2" */
    const char *help;         /* one line */
} locbo_option;

LOCBO_API void locbo_options_init_sized(locbo_options *options, size_t size);
/* The defaults. */
static inline void locbo_options_init(locbo_options *options) { locbo_options_init_sized(options, sizeof *options); }
/* Set one option from text, as a command line would: ("alpha", "0.1"), ("method", "bo"). ("preset", NAME) sets all
 * options of that preset, which later settings may change again; a preset is not an option that could be read back. */
LOCBO_API locbo_status locbo_options_set(locbo_options *options, const char *name, const char *value,
                                         locbo_error *error);
/* The value as text that locbo_options_set reads back exactly; `size` includes the terminator. */
LOCBO_API locbo_status locbo_options_get(const locbo_options *options, const char *name, char *buffer, size_t size,
                                         locbo_error *error);
/* LOCBO_OK if every option is acceptable, otherwise an error that names the first that is not. */
LOCBO_API locbo_status locbo_options_check(const locbo_options *options, locbo_error *error);
LOCBO_API size_t locbo_option_count(void);
LOCBO_API locbo_status locbo_option_describe(size_t index, locbo_option *option, locbo_error *error);

/* Options that belong together, under one name. All texts are static. */
typedef struct locbo_preset {
    const char *name;     /* "paper-ackley" */
    const char *help;     /* one line */
    const char *settings; /* "surrogate=paper design=uniform ...", separated by single spaces */
} locbo_preset;

LOCBO_API size_t locbo_preset_count(void);
LOCBO_API locbo_status locbo_preset_describe(size_t index, locbo_preset *preset, locbo_error *error);

/* ---- The optimizer ----------------------------------------------------------------------------- */

typedef struct locbo_optimizer locbo_optimizer;

/* One measured value. `sd`: its known standard deviation, which adds to the fitted noise, or NAN.
 * `n`: of how many repetitions it is the mean (0 counts as 1): the fitted noise is divided by it. */
typedef struct locbo_measurement {
    double value;
    double sd;
    unsigned n;
} locbo_measurement;

/* What the model believed about one point, in the user's units and direction. Fields that the method
 * does not have are NAN. */
typedef struct locbo_belief {
    double mean;          /* posterior mean of f */
    double sd_f;          /* posterior standard deviation of f */
    double sd_y;          /* predictive standard deviation of y */
    double threshold;     /* lambda(x), raw (locbo) */
    double y_low, y_high; /* calibrated set of y at level 1 - alpha; may be infinite or empty (low > high) */
    double f_low, f_high; /* interval of f at level 1 - alpha under the calibrated law */
    double acquisition;   /* larger is better, from told results alone, not weighted by `success`; NAN for
                             thompson, which has none; the score of locbo_optimizer_set_score, if set */
    double success;       /* probability that an evaluation succeeds; 1 while none has failed */
} locbo_belief;

typedef enum locbo_origin {
    LOCBO_ORIGIN_DESIGN = 0, /* initial design */
    LOCBO_ORIGIN_MODEL = 1,  /* proposed by the model: these count for calibration */
    LOCBO_ORIGIN_RANDOM = 2, /* random search */
    LOCBO_ORIGIN_GIVEN = 3   /* by the caller: asked for with every coordinate fixed */
} locbo_origin;

typedef struct locbo_trial {
    uint64_t id; /* 1, 2, 3 ... in the order asked */
    locbo_origin origin;
    uint64_t told;       /* how many results the proposal was computed from */
    size_t pending;      /* how many outstanding trials it took into account */
    locbo_belief belief; /* what was believed when it was asked */
} locbo_trial;

/* A proposal with conditions. */
typedef struct locbo_ask_options {
    size_t struct_size;  /* sizeof(locbo_ask_options) */
    const double *fixed; /* `dim` values, NAN where free; NULL: all free */
    int candidates;      /* > 0: the best of exactly this many uniform random candidates (thompson: at most
                            512), not refined */
} locbo_ask_options;

typedef enum locbo_event_kind {
    LOCBO_EVENT_FIT = 0,     /* hyper-parameters were fitted */
    LOCBO_EVENT_TROUBLE = 1, /* the numerics failed; the optimizer goes on with the last good model, or at random */
    LOCBO_EVENT_JITTER = 2   /* a factorisation needed jitter on the diagonal */
} locbo_event_kind;

typedef struct locbo_event {
    locbo_event_kind kind;
    uint64_t told;       /* results at that time */
    double value;        /* FIT: log posterior; JITTER: the jitter, relative to the signal variance */
    const char *message; /* one line; valid during the call */
} locbo_event;

/* Called from inside ask, predict, recommend; must not call the library with the same optimizer. */
typedef void locbo_event_fn(const locbo_event *event, void *user);

/* What is known of a point when it is scored: standardised, and larger is better whatever the direction. */
typedef struct locbo_view {
    double mean;              /* of f; cbo: very low where its set is everything */
    double var_f, noise_var;  /* of f, and of a measurement around f */
    double set_low, set_high; /* the calibrated set of y as the law of f uses it (not wider than z_max); NAN for
                                 methods without one: bo, ocbo, ocbo-l, and cbo where its set is everything */
    double tail_mass;         /* probability that the law leaves outside the set; NAN without one */
    double best;              /* incumbent */
} locbo_view;

/* The worth of evaluating a point; larger is better, and a logarithm is best. A result that is not finite counts as
 * worse than all others. Called very often from inside ask, predict, recommend; must be a smooth function of the
 * view alone, and must not call the library with the same optimizer. */
typedef double locbo_score_fn(const locbo_view *view, void *user);

/* `options` NULL: the defaults. */
LOCBO_API locbo_status locbo_optimizer_create(locbo_optimizer **optimizer, const locbo_space *space,
                                              const locbo_options *options, locbo_error *error);
LOCBO_API void locbo_optimizer_destroy(locbo_optimizer *optimizer);
LOCBO_API void locbo_optimizer_on_event(locbo_optimizer *optimizer, locbo_event_fn *fn, void *user);

/* Propose by a score of the caller's own instead of the option `acquisition`; fn NULL: by the option again. Beliefs
 * show the score as their acquisition. Probabilities of success weigh it as they weigh a logarithm. The proposals of
 * method random do not use it. LOCBO_ERR_STATE for thompson, which maximises a sampled path. Not saved by
 * locbo_optimizer_save: set it again after loading. */
LOCBO_API locbo_status locbo_optimizer_set_score(locbo_optimizer *optimizer, locbo_score_fn *fn, void *user,
                                                 locbo_error *error);

LOCBO_API const locbo_space *locbo_optimizer_space(const locbo_optimizer *optimizer);
/* The options in force. `options` must have been through locbo_options_init. */
LOCBO_API locbo_status locbo_optimizer_options(const locbo_optimizer *optimizer, locbo_options *options,
                                               locbo_error *error);

/* Propose a point: x receives `dim` values. Any number of trials may be outstanding; they are counted
 * as information still to come, and no two proposals are equal unless a finite space is exhausted. */
LOCBO_API locbo_status locbo_optimizer_ask(locbo_optimizer *optimizer, locbo_trial *trial, double *x,
                                           locbo_error *error);
LOCBO_API locbo_status locbo_optimizer_ask_with(locbo_optimizer *optimizer, const locbo_ask_options *how,
                                                locbo_trial *trial, double *x, locbo_error *error);

typedef enum locbo_trial_state {
    LOCBO_TRIAL_PENDING = 0,
    LOCBO_TRIAL_TOLD = 1,
    LOCBO_TRIAL_FAILED = 2,
    LOCBO_TRIAL_INFEASIBLE = 3,
    LOCBO_TRIAL_CANCELLED = 4
} locbo_trial_state;

/* A trial again, by its number: 1 to `asked` of the summary. Each output may be NULL. */
LOCBO_API locbo_status locbo_optimizer_trial(const locbo_optimizer *optimizer, uint64_t id, locbo_trial *trial,
                                             locbo_trial_state *state, double *x, locbo_error *error);

/* Report a result. The first one of a trial ends it and, if the model proposed it, updates the
 * calibration; further ones are replicates: one more row of data each. */
LOCBO_API locbo_status locbo_optimizer_tell(locbo_optimizer *optimizer, uint64_t trial,
                                            const locbo_measurement *measurement, locbo_error *error);
/* The evaluation failed (it may be bad luck), or the point is infeasible (it is not). Both are learnt
 * from: later proposals keep to where at most one evaluation in four is expected to fail, as long as there is such
 * a place. A value is never made up; do not tell a penalty instead. */
LOCBO_API locbo_status locbo_optimizer_tell_failed(locbo_optimizer *optimizer, uint64_t trial, locbo_error *error);
LOCBO_API locbo_status locbo_optimizer_tell_infeasible(locbo_optimizer *optimizer, uint64_t trial, locbo_error *error);
/* Forget an outstanding trial: nothing is learnt from it. */
LOCBO_API locbo_status locbo_optimizer_cancel(locbo_optimizer *optimizer, uint64_t trial, locbo_error *error);
/* Add a result that no trial asked for: data, never calibration. */
LOCBO_API locbo_status locbo_optimizer_add(locbo_optimizer *optimizer, const double *x,
                                           const locbo_measurement *measurement, locbo_error *error);

/* What is believed now at n points (n rows of `dim`). Never changes a later proposal. Without a model (fewer
 * than two results, or method random) the fields are NAN. Before the first proposal by the model this fits one for the
 * occasion, which the summary does not count. */
LOCBO_API locbo_status locbo_optimizer_predict(locbo_optimizer *optimizer, size_t n, const double *x,
                                               locbo_belief *beliefs, locbo_error *error);

typedef struct locbo_choice {
    uint64_t trial;          /* 0: an added point, or one never evaluated */
    double value;            /* best: the measured value. recommend: the posterior mean of f */
    double low, high, level; /* interval of f there under the calibrated law, NAN without a model */
} locbo_choice;

/* The best measured value, lucky or not. LOCBO_ERR_STATE before the first result. */
LOCBO_API locbo_status locbo_optimizer_best(locbo_optimizer *optimizer, locbo_choice *choice, double *x,
                                            locbo_error *error);
/* The point the model would bet on (option `recommendation`). LOCBO_ERR_STATE before the first result. */
LOCBO_API locbo_status locbo_optimizer_recommend(locbo_optimizer *optimizer, locbo_choice *choice, double *x,
                                                 locbo_error *error);

typedef struct locbo_summary {
    uint64_t asked, pending, told, added, failed, infeasible;
    uint64_t judged;         /* model-proposed results: those that coverage counts */
    double coverage;         /* share of them inside the set announced when they were asked; NAN if none */
    double coverage_online;  /* share of them inside the set as it was when they were told, which the guarantee is
                                about. With one trial outstanding at a time, and for bo and cbo: the same */
    double target;           /* 1 - alpha */
    double coverage_bound;   /* least coverage_online that the theory guarantees so far; NAN: none, see guarantee */
    double coverage_bound_f; /* the same for the unseen f, on average over noise of symmetry noise_symmetry */
    char guarantee[256];     /* in words, with its numbers */
    double threshold_min, threshold_mean, threshold_max;  /* over the judged points; NAN if none */
    double noise_var, signal_var, length_min, length_max; /* of the last fit; NAN before it */
    double log_posterior;
    double jitter; /* relative to the signal variance; 0: none was needed */
    uint64_t fits, troubles;
} locbo_summary;

LOCBO_API locbo_status locbo_optimizer_summary(locbo_optimizer *optimizer, locbo_summary *summary, locbo_error *error);
/* The `dim` length scales of the last fit (NAN before it): short means influential. */
LOCBO_API locbo_status locbo_optimizer_length_scales(locbo_optimizer *optimizer, double *lengths, locbo_error *error);

/* ---- Facts, one by one --------------------------------------------------------------------------
 * For programs that keep what happened in a store of their own (study.h does). The trials first, in the order
 * asked; then what they brought, by tell, tell_failed, tell_infeasible and add, in the order told; then the last fit.
 * The optimizer then goes on exactly as the one it was taken from. */

/* The last fit of the hyper-parameters. */
typedef struct locbo_fit {
    uint64_t rows;        /* the results it was made from; 0: there is none */
    double shift, spread; /* their standardisation */
    double log_posterior;
    size_t count;        /* numbers in theta */
    const double *theta; /* logarithms of length scales, signal variance, noise variance and, if the noise is Student's
                            t, its degrees of freedom; belongs to the optimizer, until the next ask */
} locbo_fit;

LOCBO_API locbo_status locbo_optimizer_fit(const locbo_optimizer *optimizer, locbo_fit *fit, locbo_error *error);
/* `trial` as ask gave it, its id one more than the last one's; it is outstanding. */
LOCBO_API locbo_status locbo_optimizer_restore_trial(locbo_optimizer *optimizer, const locbo_trial *trial,
                                                     const double *x, locbo_error *error);
/* `fit` as locbo_optimizer_fit gave it, of at most as many rows as have been told. */
LOCBO_API locbo_status locbo_optimizer_restore_fit(locbo_optimizer *optimizer, const locbo_fit *fit,
                                                   locbo_error *error);

/* What an objective returns. */
typedef enum locbo_outcome {
    LOCBO_EVALUATED = 0,
    LOCBO_FAILED = 1,
    LOCBO_INFEASIBLE = 2,
    LOCBO_STOP = 3 /* end the run; the trial is cancelled */
} locbo_outcome;

typedef locbo_outcome locbo_objective_fn(const double *x, size_t dim, const locbo_trial *trial,
                                         locbo_measurement *measurement, void *user);

/* n rounds of ask, evaluate, tell. Returns LOCBO_ERR_STOPPED if the objective asked for it. */
LOCBO_API locbo_status locbo_optimizer_run(locbo_optimizer *optimizer, size_t n, locbo_objective_fn *objective,
                                           void *user, locbo_error *error);

/* The whole state as text (JSON, exact doubles), terminated; release it with locbo_free. A loaded
 * optimizer goes on exactly as the saved one would. */
LOCBO_API locbo_status locbo_optimizer_save(const locbo_optimizer *optimizer, char **text, size_t *length,
                                            locbo_error *error);
LOCBO_API locbo_status locbo_optimizer_load(locbo_optimizer **optimizer, const char *text, size_t length,
                                            locbo_error *error);
LOCBO_API void locbo_free(void *memory);

#ifdef __cplusplus
}
#endif

#endif
