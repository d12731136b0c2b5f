/* locbo.h - robust Bayesian optimisation of noisy, expensive black boxes.
 *
 * This header is the manual of the library. In short:
 *
 *     locbo_space_create      describe the parameters
 *     locbo_options_init      the default options; change those you want
 *     locbo_optimizer_create  space and options are copied
 *     locbo_optimizer_ask     where to evaluate next
 *     locbo_optimizer_tell    what was measured there
 *     locbo_optimizer_best, locbo_optimizer_recommend, locbo_optimizer_summary
 *
 * Conventions
 * - Every function that can fail returns a locbo_status and takes a `locbo_error *` last, which may
 *   be NULL. The message is one line and names the argument and its value. On failure outputs and
 *   objects are unchanged.
 * - Objects are opaque. The caller destroys the objects that it creates; destroying NULL does nothing. The library
 *   copies its arguments and keeps no pointer to the caller's memory, except the `user` pointers of callbacks.
 * - A point is an array of `dim` doubles in the order the parameters were added: a real parameter's
 *   value, an integer parameter's value, a categorical parameter's category number (from 0), 0 or 1 for a bool; NAN for
 *   a parameter that is not active there.
 * - The library has no global state except a lock around BLAS. It starts no threads, prints nothing, and reads no
 * files, no clock and no environment variables. Different objects may be used by different threads at the same time
 * (the lock lets one of them compute with BLAS at a time); one object by one thread at a time.
 * - Settings are structs that begin with `struct_size`: locbo_options, locbo_ask_options, locbo_output_spec,
 * locbo_parameter_spec, and in
 * study.h locbo_plan, locbo_definition, locbo_request and locbo_filter. It is the size of the struct in the header that
 * the program was compiled with: write `= {.struct_size = sizeof it}`, or call locbo_options_init or locbo_plan_init,
 *   whose defaults are not all 0. Set it also where the library fills in such a struct. A shorter struct, of an older
 *   header, is accepted: the fields that it lacks have their defaults, and are not written. Any other size is
 *   LOCBO_ERR_ARGUMENT: 0 (not set), one that ends inside a field, or one larger than the library's own struct (it has
 *   settings that this library does not know).
 *   All other structs are data that the library reads or fills in, often in arrays. They have no struct_size, and do
 *   not change between versions with the same soname.
 * - The same seed, options and order of calls give the same bits with the same build on the same machine.
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

/* All codes with their texts; the enum below is made from this list. */
#define LOCBO_STATUS_LIST(X)                                                                                           \
    X(LOCBO_OK, 0, "success")                                                                                          \
    X(LOCBO_ERR_ARGUMENT, 1, "an argument is not acceptable")                                                          \
    X(LOCBO_ERR_MEMORY, 2, "out of memory")                                                                            \
    X(LOCBO_ERR_STATE, 3, "not possible in the present state")                                                         \
    X(LOCBO_ERR_NOT_FOUND, 4, "not found")                                                                             \
    X(LOCBO_ERR_FORMAT, 5, "the saved state is damaged or of an unknown version")                                      \
    X(LOCBO_ERR_NUMERIC, 6, "the numerics failed")                                                                     \
    X(LOCBO_ERR_STOPPED, 7, "the run or the study was stopped")                                                        \
    X(LOCBO_ERR_NOTHING, 8, "there is nothing to do")                                                                  \
    X(LOCBO_ERR_BUSY, 9, "the database is busy or cannot be reached")                                                  \
    X(LOCBO_ERR_SCHEMA, 10, "not a locbo database, or one of another version")                                         \
    X(LOCBO_ERR_IO, 11, "reading or writing failed")                                                                   \
    X(LOCBO_ERR_CANCELLED, 12, "cancelled by the caller")                                                              \
    X(LOCBO_ERR_CHANGED, 13, "the study was altered meanwhile")                                                        \
    X(LOCBO_ERR_PAUSED, 14, "the study is paused")

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

typedef enum locbo_kind {
    LOCBO_REAL = 0,
    LOCBO_INT = 1,
    LOCBO_CATEGORICAL = 2, /* all categories are equally far from each other */
    LOCBO_ORDERED = 3,     /* categories in an order: neighbours are similar */
    LOCBO_BOOL = 4         /* 0 (false) or 1 (true) */
} locbo_kind;

/* One parameter. The pointers belong to the space and are valid as long as it exists. */
typedef struct locbo_parameter {
    const char *name;
    locbo_kind kind;
    locbo_scale scale;             /* LOCBO_LINEAR for a categorical parameter */
    double low, high;              /* inclusive; 0 and count - 1 for categories, 0 and 1 for LOCBO_BOOL */
    size_t count;                  /* number of categories, otherwise 0 */
    const char *const *categories; /* `count` texts, otherwise NULL */
    double step;                   /* of a real or integer parameter; 0: none */
    const double *numbers;         /* LOCBO_ORDERED: as in locbo_parameter_spec; NULL: equally spaced */
    size_t parent;                 /* number of the parameter that it depends on; SIZE_MAX: always active */
    size_t when_count;             /* values of the parent for which it is active */
    const double *when;
    const unsigned char *retired; /* `count` flags, as in locbo_parameter_spec; NULL: none */
    double frozen, past;          /* as in locbo_parameter_spec; NAN: not set */
    uint64_t fidelity;            /* as in locbo_parameter_spec */
} locbo_parameter;

/* A parameter to be added. Texts and lists are copied. */
typedef struct locbo_parameter_spec {
    size_t struct_size;            /* sizeof(locbo_parameter_spec) */
    const char *name;              /* not empty; different from the others */
    locbo_kind kind;               /* Default: LOCBO_REAL */
    locbo_scale scale;             /* of real, integer, and ordered parameters with numbers. Default: LOCBO_LINEAR */
    double low, high;              /* of real and integer parameters, as locbo_space_add_real and _int have them */
    double step;                   /* of them, on a linear scale: values are low, low + step, ... up to high, which must
                                      be one of them. Default: 0, none (integers: 1) */
    size_t count;                  /* categories of LOCBO_CATEGORICAL and LOCBO_ORDERED, otherwise 0 */
    const char *const *categories; /* `count` texts, all different; ordered ones from the lowest to the highest */
    const double *numbers;         /* LOCBO_ORDERED: `count` increasing numbers, where the categories stand on the
                                      scale; positive on a log scale. Default: NULL, equally spaced */
    const char *parent;            /* it is active only where this parameter, added before and not real, is active and
                                      has one of the values `when`. Default: NULL, always */
    size_t when_count;
    const double *when; /* values as in a point: numbers of categories for categories */
    /* For a space that has changed (locbo_optimizer_alter). */
    const unsigned char *retired; /* `count` flags: 1 for a category that no further point may have, but that results
                                     have. Default: NULL, none */
    uint64_t is_frozen;           /* 1: every further point has the value `frozen`: the parameter is as good as removed,
                                     and results with other values still inform the model. Default: 0 */
    double frozen;
    uint64_t
        has_past; /* 1: results that lack this parameter, which was added later, had the value `past`. Default: 0 */
    double past;
    uint64_t fidelity; /* 1: how thorough an evaluation is, e.g. epochs of training, cells of a grid, share of the data:
                          what counts is its upper end, and evaluations below it, which cost less, may tell about that
                          (see "Cheaper evaluations"). A real or integer parameter that is always active; at most one.
                          If its range is positive and spans a factor of 10 or more, its scale is LOCBO_LOG. Default: 0
                        */
} locbo_parameter_spec;

LOCBO_API locbo_status locbo_space_create(locbo_space **space, locbo_error *error);
LOCBO_API void locbo_space_destroy(locbo_space *space);

/* low < high, both finite; low > 0 for LOCBO_LOG. Names must not be empty, and must differ from each other. */
LOCBO_API locbo_status locbo_space_add_real(locbo_space *space, const char *name, double low, double high,
                                            locbo_scale scale, locbo_error *error);
/* low <= high, within +-2^53; low >= 0 for LOCBO_LOG (from 0 on the scale is that of log(1 + x)). */
LOCBO_API locbo_status locbo_space_add_int(locbo_space *space, const char *name, int64_t low, int64_t high,
                                           locbo_scale scale, locbo_error *error);
/* `categories`: `count` >= 1 texts, all different. */
LOCBO_API locbo_status locbo_space_add_categorical(locbo_space *space, const char *name, size_t count,
                                                   const char *const *categories, locbo_error *error);

/* Any parameter. */
LOCBO_API locbo_status locbo_space_add(locbo_space *space, const locbo_parameter_spec *spec, locbo_error *error);

/* Known constraints: which points may be evaluated at all. Every proposal, initial point and recommendation satisfies
 * them, and a point that does not is no point of the space. They may be as narrow as 1/10 000 of the box and need not
 * be convex; that there is a point is checked when an optimizer is created. A constraint that names a parameter that is
 * not active at a point is not applied there.
 *
 * As text: "a + b <= 1", "x*y < 3 and x > y": expressions of parameters (study.h has the rules; categories have no
 * value there, but ordered ones with numbers have these, and a bool is 0 or 1). */
LOCBO_API locbo_status locbo_space_add_constraint(locbo_space *space, const char *text, locbo_error *error);
/* Without a text: sum_i coefficients[i] * x[i] <= bound, a coefficient for each parameter so far; those of categorical
 * ones must be 0. */
LOCBO_API locbo_status locbo_space_add_linear(locbo_space *space, const double *coefficients, double bound,
                                              locbo_error *error);
/* As a function: returns 1 if x, a point of the parameters' ranges, may be evaluated, otherwise 0. Only one; it must
 * depend on x alone and is called very often. locbo_optimizer_save does not save it: set it again after loading
 * (locbo_optimizer_set_allowed). */
typedef int locbo_allow_fn(const double *x, size_t dim, void *user);
LOCBO_API void locbo_space_set_allowed(locbo_space *space, locbo_allow_fn *fn, void *user);
/* The constraints as text, in the order added; NULL: there is no such number. */
LOCBO_API size_t locbo_space_constraint_count(const locbo_space *space); /* 0 for NULL */
LOCBO_API const char *locbo_space_constraint(const locbo_space *space, size_t index);
/* Which parameters of x are active: `active` receives 1 or 0 for each. */
LOCBO_API locbo_status locbo_space_active(const locbo_space *space, const double *x, unsigned char *active,
                                          locbo_error *error);

/* ---- Cheaper evaluations
 * With a fidelity parameter the question is about f at its upper end, full fidelity: best, recommend, the incumbent and
 * improvements are of points there. A proposal of the model is the point that is best to know at full fidelity, and the
 * fidelity at which it tells most about the maximum for its cost (option fidelity_share limits what is spent below full
 * fidelity). The model has a length scale and a mean of its own along the fidelity. One objective.
 *
 * The cost of an evaluation, as an expression of the parameters, positive: "epochs * width" (study.h has the rules).
 * NULL, at first: it is measured (locbo_optimizer_tell_cost), and taken to be proportional to the fidelity, or to 1 +
 * its place in its range if that begins at 0 or below, until it was. */
LOCBO_API locbo_status locbo_space_set_cost(locbo_space *space, const char *text, locbo_error *error);
LOCBO_API const char *locbo_space_cost(const locbo_space *space); /* NULL: none */
/* The number of the fidelity parameter; SIZE_MAX: there is none. */
LOCBO_API size_t locbo_space_fidelity(const locbo_space *space);
/* The cost of an evaluation at x by the expression. LOCBO_ERR_STATE: there is none. LOCBO_ERR_ARGUMENT: it is not
 * positive and finite there. */
LOCBO_API locbo_status locbo_space_cost_at(const locbo_space *space, const double *x, double *cost, locbo_error *error);

LOCBO_API size_t locbo_space_dim(const locbo_space *space); /* 0 for NULL */
LOCBO_API locbo_status locbo_space_parameter(const locbo_space *space, size_t index, locbo_parameter *parameter,
                                             locbo_error *error);
LOCBO_API locbo_status locbo_space_find(const locbo_space *space, const char *name, size_t *index, locbo_error *error);
/* LOCBO_OK if x is a point of the space, otherwise an error that names the parameter and value, or the constraint. */
LOCBO_API locbo_status locbo_space_check(const locbo_space *space, const double *x, locbo_error *error);
/* Complete a point of the past, in a space that has changed since: an active parameter that is NAN gets its `past`, and
 * one that is not active becomes NAN. Values outside the ranges and retired categories stay. An error: the point has no
 * place in the space. */
LOCBO_API locbo_status locbo_space_place(const locbo_space *space, double *x, locbo_error *error);

/* ---- Options ----------------------------------------------------------------------------------- */

typedef enum locbo_direction { LOCBO_MINIMIZE = 0, LOCBO_MAXIMIZE = 1 } locbo_direction;

typedef enum locbo_method {
    LOCBO_METHOD_LOCBO = 0,  /* localized online conformal prediction; localization = inf, or gain = 0: not localized */
    LOCBO_METHOD_BO = 1,     /* the model without calibration */
    LOCBO_METHOD_CBO = 2,    /* weighted full conformal prediction */
    LOCBO_METHOD_OCBO = 3,   /* online recalibrated quantiles */
    LOCBO_METHOD_OCBO_L = 4, /* ocbo, localized */
    LOCBO_METHOD_RANDOM = 5  /* random search */
} locbo_method;

typedef enum locbo_design { LOCBO_DESIGN_LHS = 0, LOCBO_DESIGN_UNIFORM = 1 } locbo_design;

typedef enum locbo_surrogate {
    LOCBO_SURROGATE_MAP = 0, /* a length scale for each parameter, output scale and noise, with priors: MAP estimate */
    LOCBO_SURROGATE_PAPER = 1, /* one length scale, output scale 1: maximum likelihood */
    LOCBO_SURROGATE_GAMMA = 2  /* as map, with gamma priors: length scales (3, 6), output scale (2, 0.15), noise
                                  (1.1, 0.05), as (shape, rate): earlier defaults of BoTorch's SingleTaskGP */
} locbo_surrogate;

/* Surrogate map: the assumed distribution of the noise. */
typedef enum locbo_noise_law {
    LOCBO_NOISE_LAW_AUTO = 0,     /* the one of those below that predicts best in leave-one-out validation */
    LOCBO_NOISE_LAW_LITTLE = 1,   /* normal; its prior favours a very small variance */
    LOCBO_NOISE_LAW_GAUSSIAN = 2, /* normal; its prior favours a noticeable variance */
    LOCBO_NOISE_LAW_STUDENT = 3,  /* Student's t with 4 degrees of freedom: outliers have little influence */
    LOCBO_NOISE_LAW_MUCH = 4      /* normal; its prior favours as much noise as there is function */
} locbo_noise_law;

/* Whether LOCBO_NOISE_LAW_AUTO considers LOCBO_NOISE_LAW_MUCH. */
typedef enum locbo_much_noise {
    LOCBO_MUCH_NOISE_AUTO = 0, /* as the other laws */
    LOCBO_MUCH_NOISE_NEVER = 1 /* not at all, as before there was this option */
} locbo_much_noise;

/* Measurements at one and the same point, told one by one. The two differ by rounding alone. */
typedef enum locbo_replicates {
    LOCBO_REPLICATES_MERGED = 0, /* one row of the model: as fast as one measurement */
    LOCBO_REPLICATES_ROWS = 1    /* a row each, as before there was this option */
} locbo_replicates;

/* The scale of the outputs on which the model works. */
typedef enum locbo_output_scale {
    LOCBO_OUTPUT_SCALE_AUTO = 0, /* the user's, or a Box-Cox transformation of the loss (y, or -y when maximising):
                                    which predicts best in leave-one-out validation, together with noise_law */
    LOCBO_OUTPUT_SCALE_NONE = 1  /* the user's, as before there was this option */
} locbo_output_scale;

/* The intervals of f (f_low and f_high of a belief, low and high of a choice). f is never measured, so they rest on the
 * model. */
typedef enum locbo_averaging {
    LOCBO_AVERAGING_ON = 0, /* from the average over the noise laws, output scales and hyper-parameters that explain the
                               results, widened by what the calibration of y finds; NAN with fewer than 5 results */
    LOCBO_AVERAGING_OFF = 1 /* from the last fit alone, as before there was this option */
} locbo_averaging;

/* With fewer results than these LOCBO_AVERAGING_ON gives no interval. */
#define LOCBO_AVERAGING_RESULTS 5

/* Whether proposals also explore, where little is known. */
typedef enum locbo_explore {
    LOCBO_EXPLORE_AUTO = 0, /* a third of the rounds (proposals by the model) while the model predicts no better than a
                               constant; with a categorical parameter every fourth proposal */
    LOCBO_EXPLORE_NONE = 1  /* as before there was this option */
} locbo_explore;

typedef enum locbo_kernel { LOCBO_KERNEL_MATERN52 = 0, LOCBO_KERNEL_MATERN32 = 1, LOCBO_KERNEL_RBF = 2 } locbo_kernel;

typedef enum locbo_acquisition {
    LOCBO_ACQUISITION_LOG_EI = 0,
    LOCBO_ACQUISITION_EI = 1,
    LOCBO_ACQUISITION_PI = 2,
    LOCBO_ACQUISITION_UCB = 3, /* quantile of level ucb_level of the calibrated distribution of f(x) */
    LOCBO_ACQUISITION_THOMPSON = 4,
    LOCBO_ACQUISITION_MES = 5 /* max-value entropy: what a measurement tells about the largest value of f */
} locbo_acquisition;

typedef enum locbo_incumbent {
    LOCBO_INCUMBENT_OBSERVED = 0, /* best measured value */
    LOCBO_INCUMBENT_MEAN = 1,     /* best posterior mean at an evaluated point */
    LOCBO_INCUMBENT_SAMPLED = 2 /* the best of f at the evaluated points, averaged over the model's posterior: noisy EI,
                                   for ei and log-ei; pi uses the best posterior mean */
} locbo_incumbent;

typedef enum locbo_recommendation {
    LOCBO_RECOMMEND_EVALUATED = 0, /* best posterior mean among the evaluated points */
    LOCBO_RECOMMEND_ANYWHERE = 1,  /* best posterior mean in the whole space */
    LOCBO_RECOMMEND_OBSERVED = 2   /* the point of the best measured value */
} locbo_recommendation;

/* All options of an optimizer. Start from locbo_options_init. Every field can also be set by name and text
 * (locbo_options_set), and its range is in the table of options (locbo_option_describe).
 * Lengths and distances are those of the unit cube, variances those of standardised outputs. */
typedef struct locbo_options {
    size_t struct_size; /* set by locbo_options_init */

    locbo_direction direction; /* Default: LOCBO_MINIMIZE */
    locbo_method method;       /* how the model is calibrated. Default: LOCBO_METHOD_LOCBO */
    uint64_t seed;             /* of all random numbers. Default: 1 */

    int initial;         /* points of the initial design, minus the caller's own; 0: max(5, min(2 d, 20)). Default: 0 */
    locbo_design design; /* how the points of the initial design are chosen. Default: LOCBO_DESIGN_LHS */

    locbo_surrogate surrogate; /* Default: LOCBO_SURROGATE_MAP */
    locbo_kernel kernel;       /* covariance function. Default: LOCBO_KERNEL_MATERN52 */
    int refit_every;           /* the hyper-parameters are fitted again after this many new results; 0: after each one,
                                  from 200 results on after a hundredth of them. Default: 0 */
    int fit_restarts;          /* additional starting points of a fit. Default: 1 */
    double length_scale;       /* fixed length scale; NAN: fitted. Default: NAN */
    double noise_var;          /* fixed noise variance; NAN: fitted. Default: NAN */
    double noise_floor;        /* smallest noise variance. Default: 1e-8 */

    double alpha;          /* target miscoverage. Default: 0.2 */
    double eta0;           /* first step size of the calibration. Default: 3e-2 */
    double step_power;     /* eta_t = eta0 * t^-step_power. Default: 5e-2 */
    double localization;   /* length l of the localization kernel; INFINITY: not localized. Default: 0.25 */
    double gain;           /* kappa, the height of the localization kernel. Default: 1 */
    double decay;          /* lambda, regularisation of the local part. Default: 4e-3 */
    double tail;           /* share of alpha that lies outside the calibrated set. Default: 1 */
    double z_max;          /* widest set that is used for f, in predictive standard deviations. Default: 3.4 */
    int levels;            /* quantile levels of ocbo and ocbo-l. Default: 19 */
    double noise_symmetry; /* b_xi: smallest probability of either sign of the noise. Default: 0.5 */

    double cbo_temperature; /* T of exp(acquisition / T), relative to the largest acquisition. Default: 0.1 */
    int cbo_chains;         /* Langevin chains. Default: 4 */
    int cbo_steps;          /* steps of each chain. Default: 50 */

    locbo_acquisition acquisition;       /* Default: LOCBO_ACQUISITION_LOG_EI */
    locbo_incumbent incumbent;           /* the value to improve on. Default: LOCBO_INCUMBENT_SAMPLED */
    double ucb_level;                    /* level of the quantile that ucb maximises. Default: 0.975 */
    int candidates;                      /* candidates of each proposal; 0: automatic. Default: 0 */
    int refine;                          /* how many of the candidates are refined by gradients. Default: 4 */
    locbo_recommendation recommendation; /* Default: LOCBO_RECOMMEND_ANYWHERE */

    double input_span; /* surrogate gamma: side of the cube of inputs that its prior of the length scales is meant for,
                          e.g. 20 for inputs in [-10, 10]. Default: 1 */
    double pooling;    /* surrogate map: prior standard deviation of the log length scales around their common mean;
                          INFINITY: independent. Default: 0.5 */
    locbo_noise_law noise_law; /* surrogate map without a fixed noise_var. Default: LOCBO_NOISE_LAW_AUTO */
    double head_start; /* method locbo: first threshold as a share of alpha; below 1 the first sets are wider than alpha
                          asks for. Default: 0.75 */
    double caution;    /* incumbent sampled: noisy EI multiplies the model's sd of f by r^caution, r = width of the
                          calibrated set of y / width of the model's own; 0: not at all. Default: 0.5 */
    locbo_replicates replicates; /* saved states and studies that are older than this option have
                                    LOCBO_REPLICATES_ROWS. Default: LOCBO_REPLICATES_MERGED */
    double remeasure; /* largest share of the rounds (proposals by the model) that measure a point again whose result is
                         too good to believe: noise of Student's t gives it a weight of 1/3 or less, and it would be the
                         best. At most twice at one point. 0: never, as in saved states and studies that are older than
                         this option. Default: 0.15 */
    locbo_output_scale scale;    /* surrogate map without a fixed noise_var. Saved states and studies that are older
                                    than this option have LOCBO_OUTPUT_SCALE_NONE. Default: LOCBO_OUTPUT_SCALE_AUTO */
    locbo_much_noise much_noise; /* noise_law auto. Saved states and studies that are older than this option have
                                    LOCBO_MUCH_NOISE_NEVER. Default: LOCBO_MUCH_NOISE_AUTO */
    locbo_averaging averaging;   /* surrogate map without a fixed noise_var and with LOCBO_NOISE_LAW_AUTO. It changes no
                                    proposal. Saved states and studies that are older than this option have
                                    LOCBO_AVERAGING_OFF. Default: LOCBO_AVERAGING_ON */
    locbo_explore explore;       /* surrogate map. Saved states and studies that are older than this option have
                                    LOCBO_EXPLORE_NONE. Default: LOCBO_EXPLORE_AUTO */
    double feasibility;          /* with measured constraints: the least probability that they hold at a point that is
                                    recommended; if there is no such point, the one where they hold most probably.
                                    Default: 0.95 */
    double fidelity_share;       /* with a fidelity parameter: the largest share of the cost that proposals of the model
                                    may spend below full fidelity. Default: 0.5 */
    int exact_rows;   /* surrogate map, and not method cbo: up to so many points the model is exact; with more
                         it keeps so many of them as landmarks (or fewer: points * landmarks^2 is at most 1.4e10),
                         at which all results are summed up (of several outputs up to half of them are the latest
                         and the best results, as they are), and with more than 400 points fits see a sample of 400
                         results. 0: always exact, as in saved states and studies that are older than this option.
                         Default: 2000 */
    int explore_from; /* explore auto: from so many results on, with one output and at most 10 parameters, every fourth
                         proposal is the most promising of 32 random points. 0: never, as in saved states and studies
                         that are older than this option. Default: 100 */
} locbo_options;

/* One row of the table of options. All texts are static. */
typedef struct locbo_option {
    const char *name;         /* "step_power" */
    const char *type;         /* "real", "integer", "seed" or "choice" */
    const char *range;        /* "(0, 1)", "0 ..", "log-ei | ei | pi | ucb | thompson | mes" */
    const char *default_text; /* "0.2" */
    const char *help;         /* one line */
    const char *older_text;   /* the value of saved states and studies that are older than the option; NULL: none are */
} locbo_option;

LOCBO_API void locbo_options_init_sized(locbo_options *options, size_t size);
/* Set all options to their defaults. */
static inline void locbo_options_init(locbo_options *options) { locbo_options_init_sized(options, sizeof *options); }
/* Set the options that were added later to the values of saved states and studies that do not mention them
 * (locbo_option.older_text), which so go on as before. */
LOCBO_API void locbo_options_set_older(locbo_options *options);
/* Set one option from text, as on a command line: ("alpha", "0.1"), ("method", "bo"). ("preset", NAME) sets all
 * options of that preset; later calls may change them again, and locbo_options_get does not know "preset". */
LOCBO_API locbo_status locbo_options_set(locbo_options *options, const char *name, const char *value,
                                         locbo_error *error);
/* The value as text; locbo_options_set makes the same bits of it. `size` includes the terminating 0. */
LOCBO_API locbo_status locbo_options_get(const locbo_options *options, const char *name, char *buffer, size_t size,
                                         locbo_error *error);
/* LOCBO_OK if every option is acceptable, otherwise an error that names the first one that is not. */
LOCBO_API locbo_status locbo_options_check(const locbo_options *options, locbo_error *error);
LOCBO_API size_t locbo_option_count(void);
LOCBO_API locbo_status locbo_option_describe(size_t index, locbo_option *option, locbo_error *error);

/* A named group of option settings. All texts are static. */
typedef struct locbo_preset {
    const char *name;     /* "paper-ackley" */
    const char *help;     /* one line */
    const char *settings; /* "surrogate=paper design=uniform ...", separated by single spaces */
} locbo_preset;

LOCBO_API size_t locbo_preset_count(void);
LOCBO_API locbo_status locbo_preset_describe(size_t index, locbo_preset *preset, locbo_error *error);

/* ---- Outputs ------------------------------------------------------------------------------------
 * What an evaluation measures. Without a table of outputs there is one, called "value", with the direction of the
 * options. A table has one to four objectives, which are minimised or maximised, any number of measured constraints,
 * and outputs that are only recorded. At most 12 are modelled (objectives and constraints). */

typedef struct locbo_outputs locbo_outputs;

typedef enum locbo_goal {
    LOCBO_GOAL_MINIMIZE = 0,
    LOCBO_GOAL_MAXIMIZE = 1,
    LOCBO_GOAL_AT_MOST = 2,  /* a constraint: f is to be at most `bound` */
    LOCBO_GOAL_AT_LEAST = 3, /* a constraint: f is to be at least `bound` */
    LOCBO_GOAL_RECORD = 4    /* kept, not modelled */
} locbo_goal;

/* The scale on which the model of an output works. Beliefs, intervals and recommendations are in the user's units.
 * With a log or logit scale they lie inside its range, and a value, a bound or a reference outside is refused. There is
 * then no Box-Cox scale, whatever the option `scale` says. */
typedef enum locbo_model_scale {
    LOCBO_MODEL_SCALE_OPTION = 0, /* as the option `scale` says */
    LOCBO_MODEL_SCALE_NONE = 1,   /* the user's, as with LOCBO_OUTPUT_SCALE_NONE */
    LOCBO_MODEL_SCALE_LOG = 2,    /* log y: values must be positive */
    LOCBO_MODEL_SCALE_LOGIT = 3   /* log((y - scale_low)/(scale_high - y)): values must lie between the two */
} locbo_model_scale;

/* One output. Texts belong to the caller when it is added, and to the table when it is read. */
typedef struct locbo_output_spec {
    size_t struct_size; /* sizeof(locbo_output_spec) */
    const char *name;   /* not empty; different from the others */
    locbo_goal goal;    /* Default: LOCBO_GOAL_MINIMIZE */
    double bound;       /* of a constraint, finite. Default: 0 */
    double reference;   /* of an objective beside others, if `referenced`: worse values count for nothing. Default: 0 */
    uint64_t referenced;     /* 0: the reference is inferred when the model proposes first, and then stays
                                (locbo_optimizer_reference). Default: 0 */
    uint64_t baseline;       /* of a constraint: > 0: `bound` is a multiple of the mean value that this trial measured;
                                there is no constraint before it has. Default: 0 */
    locbo_model_scale scale; /* Default: LOCBO_MODEL_SCALE_OPTION */
    double scale_low, scale_high; /* of LOCBO_MODEL_SCALE_LOGIT: low < high. Default: 0, 0 */
    const char *expression;       /* a derived output: computed from others by whoever tells results, as study.h does;
                                     the optimizer only keeps the text. Default: NULL, measured */
} locbo_output_spec;

LOCBO_API locbo_status locbo_outputs_create(locbo_outputs **outputs, locbo_error *error);
LOCBO_API void locbo_outputs_destroy(locbo_outputs *outputs);
LOCBO_API locbo_status locbo_outputs_add(locbo_outputs *outputs, const locbo_output_spec *spec, locbo_error *error);
LOCBO_API size_t locbo_outputs_count(const locbo_outputs *outputs); /* 0 for NULL */
/* Set `struct_size` of `spec` first. */
LOCBO_API locbo_status locbo_outputs_get(const locbo_outputs *outputs, size_t index, locbo_output_spec *spec,
                                         locbo_error *error);
LOCBO_API locbo_status locbo_outputs_find(const locbo_outputs *outputs, const char *name, size_t *index,
                                          locbo_error *error);
/* LOCBO_OK if an optimizer can have these outputs, otherwise an error that says what is missing or too much. */
LOCBO_API locbo_status locbo_outputs_check(const locbo_outputs *outputs, locbo_error *error);

/* ---- The optimizer ----------------------------------------------------------------------------- */

typedef struct locbo_optimizer locbo_optimizer;

/* One measured value. */
typedef struct locbo_measurement {
    double value;
    double sd;  /* its known standard deviation: sd^2 is added to the fitted noise variance; NAN: not known */
    unsigned n; /* number of repetitions that it is the mean of: the fitted noise variance is divided by n; 0 means 1 */
} locbo_measurement;

/* The model's prediction for one point, in the user's units and direction. NAN: the method does not have the field.
 *
 * If the model works on another scale than the user's (option scale: a Box-Cox scale; locbo_model_scale: log or logit;
 * `power` not NAN), `mean` is the y whose image is the model's mean: a median of y, if the noise is symmetric on that
 * scale, and not its mean. f is then this median as a function of x. sd_f and sd_y are half the lengths of the
 * intervals whose images are the model's mean -+ one standard deviation, and all intervals are those whose images the
 * model gives. */
typedef struct locbo_belief {
    double mean;          /* posterior mean of f */
    double sd_f;          /* posterior standard deviation of f */
    double sd_y;          /* predictive standard deviation of y */
    double threshold;     /* lambda(x), method locbo */
    double y_low, y_high; /* calibrated set of y at level 1 - alpha; may be infinite or empty (low > high) */
    double f_low, f_high; /* interval of f at level 1 - alpha (option averaging); NAN with fewer than 5 results. `mean`,
                             which is of the last fit, may lie outside. An answer with at most 100 results also varies
                             the hyper-parameters, one with more than 500 has the last fit's, widened; the belief of a
                             trial that is not to confirm, which must cost little, averages over the best fit of each
                             noise law and scale alone, or has the last fit's if its ask made none */
    double acquisition;   /* larger is better; computed without outstanding trials and without `success`; NAN for
                             thompson; the caller's score if locbo_optimizer_set_score was called; on another scale than
                             the user's, and with several objectives, ei and log-ei are in the model's units. Of several
                             outputs the first objective has it; with incumbent sampled constraints are part of ei and
                             log-ei */
    double success;       /* probability that an evaluation succeeds; 1 while none has failed */
    /* The scale B, and the prediction on it, by which a result is judged; all NAN (or 0) on the user's scale.
     *     power in [-1, 1]               Box-Cox: (c^power - 1)/power, c = (y - offset)/(low - offset), log c if power
     *                                    is 0, between the best (`low`) and the worst (`high`) result so far; straight
     *                                    lines outside. It increases with the loss
     *     power LOCBO_MODEL_SCALE_LOG    log y; offset, low and high are 0
     *     power LOCBO_MODEL_SCALE_LOGIT  log((y - low)/(high - y)); offset is 0
     * A mean of n measurements with a known sd lies
     *     (B(y) - centre) / sqrt(unit_f^2 + (unit_y^2 - unit_f^2)/n + (sd B'(y))^2)
     * standard deviations from what was expected. */
    double power, offset, low, high;
    double centre, unit_f, unit_y; /* mean, and standard deviations of f and y, of B */
} locbo_belief;

typedef enum locbo_origin {
    LOCBO_ORIGIN_DESIGN = 0, /* initial design */
    LOCBO_ORIGIN_MODEL = 1,  /* the maximum of the acquisition */
    LOCBO_ORIGIN_RANDOM = 2, /* random search */
    LOCBO_ORIGIN_GIVEN = 3,  /* by the caller, who fixed every coordinate */
    /* The first results of these and of LOCBO_ORIGIN_MODEL, of no others, are judged and update the calibration. */
    LOCBO_ORIGIN_AGAIN = 4,   /* measures a result again that is too good to believe: option `remeasure` */
    LOCBO_ORIGIN_EXPLORE = 5, /* far from all results, or a random point: option `explore` */
    LOCBO_ORIGIN_CONFIRM = 6  /* measures the recommended point: `confirm` of locbo_ask_options; not judged if there was
                                 no model */
} locbo_origin;
enum { LOCBO_ORIGINS = 7 };

typedef struct locbo_trial {
    uint64_t id; /* 1, 2, 3 ... in the order asked */
    locbo_origin origin;
    uint64_t told;       /* number of results that the proposal was computed from */
    size_t pending;      /* number of outstanding trials that it took into account */
    locbo_belief belief; /* prediction at the time of the proposal */
} locbo_trial;

/* Conditions of a proposal. */
typedef struct locbo_ask_options {
    size_t struct_size;  /* sizeof(locbo_ask_options) */
    const double *fixed; /* `dim` values, NAN where free. Default: NULL, all free */
    int candidates;      /* > 0: the best of exactly this many uniform random candidates (thompson: at most
                            512), not refined. Default: 0, the option `candidates` */
    uint64_t confirm;    /* 1: the point that is recommended now, also if it was measured or is outstanding; without a
                            model the best measured one. Not together with fixed values. No effect before the first
                            result. Default: 0 */
} locbo_ask_options;

typedef enum locbo_event_kind {
    LOCBO_EVENT_FIT = 0,     /* hyper-parameters were fitted */
    LOCBO_EVENT_TROUBLE = 1, /* a computation failed; the optimizer uses the last good model, or a random point */
    LOCBO_EVENT_JITTER = 2   /* a factorisation needed jitter on the diagonal */
} locbo_event_kind;

typedef struct locbo_event {
    locbo_event_kind kind;
    uint64_t told;       /* number of results at that time */
    double value;        /* FIT: log posterior; JITTER: the jitter, relative to the signal variance */
    const char *message; /* one line; valid only during the call */
} locbo_event;

/* Called from inside ask, predict, recommend; must not call the library with the same optimizer. */
typedef void locbo_event_fn(const locbo_event *event, void *user);

/* Called often while the optimizer computes: ask, predict, best and recommend call it when they begin, and then at
 * least every 0.2 s, or after one LAPACK call if that takes longer. Return 0 to continue; anything else ends the
 * computation: the call returns LOCBO_ERR_CANCELLED, and the optimizer is as it was before the call. Repeated, the call
 * computes everything again, to the same bits, and reports its events again. Must not call the library with the same
 * optimizer. */
typedef int locbo_watch_fn(void *user);

/* The input of a score: what the model says of one point. Standardised, and larger is better in both directions. */
typedef struct locbo_view {
    double mean;              /* of f; cbo: very low where its set is the whole line */
    double var_f, noise_var;  /* variances of f, and of a measurement around f */
    double set_low, set_high; /* the calibrated set of y, not wider than z_max; NAN for methods without one: bo, ocbo,
                                 ocbo-l, and cbo where its set is the whole line */
    double tail_mass;         /* probability outside the set; NAN if there is no set */
    double best;              /* the incumbent: the value to improve on */
} locbo_view;

/* The utility of evaluating a point; larger is better. Preferably a logarithm, because it is maximised by gradients. A
 * result that is not finite is worse than all others. Called very often from inside ask, predict, recommend; must be a
 * smooth function of the view alone, and must not call the library with the same optimizer. */
typedef double locbo_score_fn(const locbo_view *view, void *user);

/* `options` NULL: all options have their defaults. */
LOCBO_API locbo_status locbo_optimizer_create(locbo_optimizer **optimizer, const locbo_space *space,
                                              const locbo_options *options, locbo_error *error);
/* With a table of outputs, which is copied; NULL: as locbo_optimizer_create. The option `direction` then says nothing.
 * One objective with constraints goes with every method and acquisition. Several objectives are for the methods locbo,
 * bo and random: the acquisition is noisy expected hypervolume improvement (ei or log-ei with incumbent sampled). */
LOCBO_API locbo_status locbo_optimizer_create_for(locbo_optimizer **optimizer, const locbo_space *space,
                                                  const locbo_outputs *outputs, const locbo_options *options,
                                                  locbo_error *error);
LOCBO_API void locbo_optimizer_destroy(locbo_optimizer *optimizer);
LOCBO_API void locbo_optimizer_on_event(locbo_optimizer *optimizer, locbo_event_fn *fn, void *user);
/* Watch the computations of this optimizer, so that they can be cancelled; fn NULL: nobody does. Results do not depend
 * on it, and locbo_optimizer_save does not save it. To cancel from a signal handler, or from another thread, let the
 * handler set a flag that fn returns:
 *
 *     static volatile sig_atomic_t stop;
 *     static int stopped(void *user) { return *(volatile sig_atomic_t *)user != 0; }
 *     locbo_optimizer_watch(optimizer, stopped, (void *)&stop);
 */
LOCBO_API void locbo_optimizer_watch(locbo_optimizer *optimizer, locbo_watch_fn *fn, void *user);

/* Maximise a score of the caller's instead of the option `acquisition`; fn NULL: the option again. Beliefs then have
 * the score as their acquisition. The log weight of success is added to the score, as to a logarithm. Method random
 * does not use it. LOCBO_ERR_STATE for thompson, which maximises a sampled path, and with several objectives.
 * locbo_optimizer_save does not save it: set it again after loading. */
LOCBO_API locbo_status locbo_optimizer_set_score(locbo_optimizer *optimizer, locbo_score_fn *fn, void *user,
                                                 locbo_error *error);

LOCBO_API const locbo_space *locbo_optimizer_space(const locbo_optimizer *optimizer);
/* The function of locbo_space_set_allowed, for an optimizer that was loaded: it then continues as the saved one. */
LOCBO_API locbo_status locbo_optimizer_set_allowed(locbo_optimizer *optimizer, locbo_allow_fn *fn, void *user,
                                                   locbo_error *error);
/* The table of outputs, also if none was given. It belongs to the optimizer. */
LOCBO_API const locbo_outputs *locbo_optimizer_outputs(const locbo_optimizer *optimizer);
/* The options of this optimizer. Set `struct_size` of `options` first, e.g. by locbo_options_init. */
LOCBO_API locbo_status locbo_optimizer_options(const locbo_optimizer *optimizer, locbo_options *options,
                                               locbo_error *error);

/* Propose a point: x receives `dim` values. Any number of trials may be outstanding: a proposal takes into account that
 * their results are still to come, and no two proposals are equal unless a finite space is exhausted, or the second
 * measures a point again (LOCBO_ORIGIN_AGAIN, LOCBO_ORIGIN_CONFIRM). */
LOCBO_API locbo_status locbo_optimizer_ask(locbo_optimizer *optimizer, locbo_trial *trial, double *x,
                                           locbo_error *error);
LOCBO_API locbo_status locbo_optimizer_ask_with(locbo_optimizer *optimizer, const locbo_ask_options *how,
                                                locbo_trial *trial, double *x, locbo_error *error);

typedef enum locbo_trial_state {
    LOCBO_TRIAL_PENDING = 0,
    LOCBO_TRIAL_TOLD = 1,
    LOCBO_TRIAL_FAILED = 2,
    LOCBO_TRIAL_INFEASIBLE = 3,
    LOCBO_TRIAL_CANCELLED = 4,
    LOCBO_TRIAL_ENDED = 5 /* ended early */
} locbo_trial_state;

/* Read a trial by its id: 1 to `asked` of the summary. Each output may be NULL. */
LOCBO_API locbo_status locbo_optimizer_trial(const locbo_optimizer *optimizer, uint64_t id, locbo_trial *trial,
                                             locbo_trial_state *state, double *x, locbo_error *error);

/* What was believed of each output when the trial was asked: as many entries as there are outputs; those of outputs
 * that are not modelled, or of which nothing was believed, are NAN. */
LOCBO_API locbo_status locbo_optimizer_trial_beliefs(const locbo_optimizer *optimizer, uint64_t id,
                                                     locbo_belief *beliefs, locbo_error *error);
/* Whether a measurement lies in the set announced for it, y_low to y_high of the belief: 1 or 0; 0 if there is none
 * (NAN). The set is that of one measurement of fitted noise: for a mean of several it is narrower, with a known sd
 * wider. `coverage` of locbo_summary counts by this rule. */
LOCBO_API int locbo_belief_holds(const locbo_belief *belief, const locbo_measurement *measurement);

/* Report a result. The first result of a trial ends it and, if the model proposed it, updates the calibration. Further
 * results are replicates: one more measurement of the same point each (option replicates). */
LOCBO_API locbo_status locbo_optimizer_tell(locbo_optimizer *optimizer, uint64_t trial,
                                            const locbo_measurement *measurement, locbo_error *error);
/* The same with several outputs: one measurement for each, in the order of the table; value NAN: the result lacks it.
 * At least one is needed. The model of an output learns from the results that have it. */
LOCBO_API locbo_status locbo_optimizer_tell_outputs(locbo_optimizer *optimizer, uint64_t trial,
                                                    const locbo_measurement *measurements, locbo_error *error);
/* The evaluation failed (perhaps by chance), or the point is infeasible (not by chance). The optimizer learns from
 * both: later proposals stay where at most one evaluation in four is expected to fail, if there is such a region. No
 * value is invented for the point; do not tell a penalty value instead. */
LOCBO_API locbo_status locbo_optimizer_tell_failed(locbo_optimizer *optimizer, uint64_t trial, locbo_error *error);
LOCBO_API locbo_status locbo_optimizer_tell_infeasible(locbo_optimizer *optimizer, uint64_t trial, locbo_error *error);
/* The evaluation of an outstanding trial was ended early, because its result would not matter. What is known of it, one
 * measurement for each output, informs the model, and is no result: it is not judged, and never the best. Either what
 * an evaluation of lower fidelity would have measured, at x, the trial's point but for the fidelity parameter; or, x
 * NULL, a guess of the result with its sd. NULL: nothing is known. */
LOCBO_API locbo_status locbo_optimizer_tell_ended(locbo_optimizer *optimizer, uint64_t trial, const double *x,
                                                  const locbo_measurement *measurements, locbo_error *error);
/* What the evaluation of a trial has cost, in any unit; later calls replace it. Used with a fidelity parameter. */
LOCBO_API locbo_status locbo_optimizer_tell_cost(locbo_optimizer *optimizer, uint64_t trial, double cost,
                                                 locbo_error *error);
/* Cancel an outstanding trial: nothing is learnt from it. */
LOCBO_API locbo_status locbo_optimizer_cancel(locbo_optimizer *optimizer, uint64_t trial, locbo_error *error);
/* Add a result that belongs to no trial: the model uses it, the calibration does not. */
LOCBO_API locbo_status locbo_optimizer_add(locbo_optimizer *optimizer, const double *x,
                                           const locbo_measurement *measurement, locbo_error *error);
LOCBO_API locbo_status locbo_optimizer_add_outputs(locbo_optimizer *optimizer, const double *x,
                                                   const locbo_measurement *measurements, locbo_error *error);

/* The present prediction at n points (n rows of `dim`). Never changes a later proposal. Without a model (fewer than two
 * results, or method random) the fields are NAN. Before the first proposal by the model this fits a temporary model,
 * which the summary does not count. */
LOCBO_API locbo_status locbo_optimizer_predict(locbo_optimizer *optimizer, size_t n, const double *x,
                                               locbo_belief *beliefs, locbo_error *error);

/* The same of all outputs: n rows of an entry for each output, NAN for those that are not modelled. `feasible`, which
 * may be NULL, receives the probabilities that all constraints hold; NAN without a model. */
LOCBO_API locbo_status locbo_optimizer_predict_outputs(locbo_optimizer *optimizer, size_t n, const double *x,
                                                       locbo_belief *beliefs, double *feasible, locbo_error *error);

typedef struct locbo_choice {
    uint64_t trial;          /* 0: an added point, or a point that was never evaluated */
    double value;            /* best: the mean of what was measured there. recommend: the posterior mean of f (`mean` of
                                locbo_belief) */
    double low, high, level; /* interval of f there (f_low, f_high of locbo_belief); NAN without a model or
                                with fewer than 5 results */
    double feasible;         /* probability that all measured constraints hold there; NAN without a model */
    size_t results;          /* best: of how many results `value` is the mean. recommend: 0 */
} locbo_choice;

/* The point with the best mean of what was measured there, noise included: all results at one point count, whatever
 * trials they belong to, each by its number of repetitions; `trial` is the first of them. Of the points where the means
 * of the measured constraints hold; if there is none, the point where they hold most probably, or without a model the
 * best of all. LOCBO_ERR_STATE before the first result, and with several objectives (they have no best value:
 * locbo_optimizer_front). */
LOCBO_API locbo_status locbo_optimizer_best(locbo_optimizer *optimizer, locbo_choice *choice, double *x,
                                            locbo_error *error);
/* The best point by the model (options `recommendation` and `feasibility`). LOCBO_ERR_STATE as above. */
LOCBO_API locbo_status locbo_optimizer_recommend(locbo_optimizer *optimizer, locbo_choice *choice, double *x,
                                                 locbo_error *error);

/* Pareto fronts: the points that no other is at least as good as in every objective. */
typedef enum locbo_front_by {
    LOCBO_FRONT_MEASURED = 0, /* by the mean of what was measured at each point, where measured constraints hold */
    LOCBO_FRONT_BELIEVED = 1  /* by the posterior means at the evaluated points, where all constraints hold with the
                                 probability of the option `feasibility`. Needs a model */
} locbo_front_by;
typedef struct locbo_front_point {
    uint64_t trial;  /* the first one there; 0: an added point */
    double feasible; /* as that of locbo_choice */
} locbo_front_point;
/* At most `most` points, in the order evaluated: x receives rows of `dim`. `values` (the means of what was measured
 * there) and `beliefs` receive rows of an entry for each output, NAN for those that are not modelled. `points`, x,
 * `values` and `beliefs` may be NULL; a measured front without `points` and `beliefs` needs no model, and costs little.
 * `count` receives how many the front has, which may be more. One objective has a front of one point, or of several
 * that are equal. */
LOCBO_API locbo_status locbo_optimizer_front(locbo_optimizer *optimizer, locbo_front_by by, size_t most,
                                             locbo_front_point *points, double *x, double *values,
                                             locbo_belief *beliefs, size_t *count, locbo_error *error);
/* For each output, the reference point of the hypervolume: of objectives, if there are several, what the table has or
 * what was inferred at the first proposal by the model; otherwise NAN. */
LOCBO_API locbo_status locbo_optimizer_reference(const locbo_optimizer *optimizer, double *reference,
                                                 locbo_error *error);
/* The volume between the reference point and the front of n vectors: `values` has n rows of an entry for each output of
 * the table, `reference` one, of which those of the objectives are used and must be finite. Vectors that lack an
 * objective or a constraint (NAN), or miss the bound of a constraint, do not count; constraints with a baseline are not
 * looked at. In the product of the objectives' units. */
LOCBO_API locbo_status locbo_hypervolume(const locbo_outputs *outputs, size_t n, const double *values,
                                         const double *reference, double *volume, locbo_error *error);

typedef struct locbo_summary {
    uint64_t asked, pending, told, added, failed, infeasible;
    uint64_t judged;         /* results of trials for which the model announced a set: those that coverage counts */
    double coverage;         /* share of them inside the calibrated set at the time of the proposal; NAN if none */
    double coverage_online;  /* share of them inside the calibrated set when they were told, which the guarantee is
                                about; equal to `coverage` with one trial outstanding at a time, and for bo and cbo */
    double target;           /* 1 - alpha */
    double coverage_bound;   /* lower bound of coverage_online by the theory; NAN: none, see guarantee */
    double coverage_bound_f; /* the same for f, in expectation over noise of symmetry noise_symmetry */
    char guarantee[256];     /* the guarantee in words and numbers */
    double threshold_min, threshold_mean, threshold_max;  /* over the judged points; NAN if none */
    double noise_var, signal_var, length_min, length_max; /* of the last fit; NAN before it */
    double log_posterior;
    double jitter; /* relative to the signal variance; 0: none was needed */
    uint64_t fits, troubles;
    uint64_t judged_by[LOCBO_ORIGINS], inside_by[LOCBO_ORIGINS]; /* judged results of each origin; how many of them
                                                                    `coverage` counts as inside */
} locbo_summary;

LOCBO_API locbo_status locbo_optimizer_summary(locbo_optimizer *optimizer, locbo_summary *summary, locbo_error *error);
/* The same with model and calibration of one output; locbo_optimizer_summary has those of the first objective.
 * LOCBO_ERR_NOT_FOUND: it is not modelled. */
LOCBO_API locbo_status locbo_optimizer_summary_of(locbo_optimizer *optimizer, size_t output, locbo_summary *summary,
                                                  locbo_error *error);
/* Of the results that had all modelled outputs and were judged, `judged`, how many lay in the sets of all of them. */
LOCBO_API locbo_status locbo_optimizer_whole_coverage(const locbo_optimizer *optimizer, uint64_t *judged,
                                                      uint64_t *inside, locbo_error *error);
/* How much each parameter matters for what the model believes of an output: the Sobol' indices of the posterior mean of
 * f, in the output's units, over the space, every point of which counts the same on the parameters' scales (the
 * categories of a parameter alike). `first`, dim numbers, is the share of the mean's variance that the parameter
 * explains alone, `total` the share that is left if all others are known: its own effect and all interactions with it.
 * Either may be NULL. A parameter has no effect where it is not active. With known constraints only the points that
 * satisfy them count; parameters are then not independent, and `first` may be larger than `total`.
 *
 * Estimated at up to 8192 points, and 2048 more for each parameter, always the same ones for a seed: to about 0.02.
 * NAN without a model, and if the mean is the same everywhere. LOCBO_ERR_NOT_FOUND: the output is not modelled. Never
 * changes a later proposal. */
LOCBO_API locbo_status locbo_optimizer_importance(locbo_optimizer *optimizer, size_t output, double *first,
                                                  double *total, locbo_error *error);
/* The `dim` length scales of the last fit (NAN before it): over so much of its range, with a short one, the function
 * changes along a parameter. */
LOCBO_API locbo_status locbo_optimizer_length_scales(locbo_optimizer *optimizer, double *lengths, locbo_error *error);
/* The same of one output; LOCBO_ERR_NOT_FOUND: it is not modelled. */
LOCBO_API locbo_status locbo_optimizer_length_scales_of(locbo_optimizer *optimizer, size_t output, double *lengths,
                                                        locbo_error *error);

/* ---- Changing one's mind ------------------------------------------------------------------------ */

/* An optimizer with another space or other options and all that `from` knows, as if it had had them from the beginning:
 * trials, results and failures keep their order, and trials what was believed of them. Parameters are found by name;
 * each of `from` must be there (`is_frozen` of locbo_parameter_spec instead of removing one), and a new one needs
 * `past`. Results outside the new ranges stay: the model sees them where they are. What cannot be placed in the new
 * space (a category that it lacks, a number that is not positive on a log scale) is set aside: such trials are
 * cancelled, and `aside`, which may be NULL, receives how many results and failures are missing. There is no fit yet.
 * `options` NULL: those of `from`. The outputs are those of `from`. */
LOCBO_API locbo_status locbo_optimizer_alter(locbo_optimizer **altered, const locbo_optimizer *from,
                                             const locbo_space *space, const locbo_options *options, uint64_t *aside,
                                             locbo_error *error);

/* From here on coverage (summary, whole_coverage) is counted anew, as after an alteration; what the calibration has
 * learnt stays. */
LOCBO_API locbo_status locbo_optimizer_begin_segment(locbo_optimizer *optimizer, locbo_error *error);

/* ---- Rebuilding an optimizer --------------------------------------------------------------------
 * For programs that store trials and results themselves, as study.h does. Restore the trials first, in the order asked;
 * then tell the outcomes (tell, tell_failed, tell_infeasible, add) in the order told; then restore the last fit. The
 * optimizer then continues exactly as the one that it is a copy of. */

/* A candidate of the choice between laws of the noise and scales of the outputs, fitted to all results. */
typedef struct locbo_member {
    locbo_noise_law law;             /* not LOCBO_NOISE_LAW_AUTO */
    double shift, spread;            /* its scale, as that of a fit */
    double power, offset, low, high; /* NAN, or all 0: an affine scale */
    double score;                    /* log density of the results (of their log or logit, if the output has that
                                        scale), standardised by their mean and standard deviation, each predicted from
                                        all others */
    size_t count;                    /* of theta */
    const double *theta;             /* as that of a fit */
} locbo_member;

/* The last fit of the hyper-parameters. */
typedef struct locbo_fit {
    uint64_t rows;        /* number of results that it was made from; 0: there is no fit */
    double shift, spread; /* standardisation of the results, larger is better: (y - shift) / spread, or its negative
                             when minimising, y being the log or logit of a result if the output has that scale; on a
                             Box-Cox scale -(B(y) - shift) / spread */
    double log_posterior;
    size_t count;        /* length of theta */
    const double *theta; /* logarithms of length scales, signal variance, noise variance and, if the noise is Student's
                            t, its degrees of freedom; belongs to the optimizer and is valid until the next ask */
    double power, offset, low, high; /* the scale (locbo_belief); NAN, or all 0: an affine one */
    /* The candidates of the last choice, which this or an earlier fit made: with more than 100 results not every fit
     * chooses. 0: there was none. They belong to the optimizer and are valid until the next ask. */
    size_t member_count, chosen; /* at most 8; which one was chosen: members[chosen] */
    const locbo_member *members;
    size_t output; /* its number in the table of outputs */
} locbo_fit;

LOCBO_API locbo_status locbo_optimizer_fit(const locbo_optimizer *optimizer, locbo_fit *fit, locbo_error *error);
/* The same of one output; LOCBO_ERR_NOT_FOUND: it is not modelled. */
LOCBO_API locbo_status locbo_optimizer_fit_of(const locbo_optimizer *optimizer, size_t output, locbo_fit *fit,
                                              locbo_error *error);
/* `trial` as ask returned it; its id must be one more than that of the last trial. The trial is then outstanding. */
LOCBO_API locbo_status locbo_optimizer_restore_trial(locbo_optimizer *optimizer, const locbo_trial *trial,
                                                     const double *x, locbo_error *error);
/* With several outputs: `beliefs` as locbo_optimizer_trial_beliefs returned them. */
LOCBO_API locbo_status locbo_optimizer_restore_trial_outputs(locbo_optimizer *optimizer, const locbo_trial *trial,
                                                             const locbo_belief *beliefs, const double *x,
                                                             locbo_error *error);
/* As locbo_optimizer_reference returned it. What the table has stays. */
LOCBO_API locbo_status locbo_optimizer_restore_reference(locbo_optimizer *optimizer, const double *reference,
                                                         locbo_error *error);
/* `fit` as locbo_optimizer_fit or _fit_of returned it, with at most as many rows as its output has results. */
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

/* n rounds of ask, evaluate, tell. LOCBO_ERR_STOPPED if the objective returned LOCBO_STOP; LOCBO_ERR_CANCELLED if an
 * ask was cancelled: the rounds before it stay. */
LOCBO_API locbo_status locbo_optimizer_run(locbo_optimizer *optimizer, size_t n, locbo_objective_fn *objective,
                                           void *user, locbo_error *error);

/* The whole state as text (JSON, exact doubles), 0-terminated; release it with locbo_free. A loaded optimizer continues
 * exactly as the saved one would. */
LOCBO_API locbo_status locbo_optimizer_save(const locbo_optimizer *optimizer, char **text, size_t *length,
                                            locbo_error *error);
LOCBO_API locbo_status locbo_optimizer_load(locbo_optimizer **optimizer, const char *text, size_t length,
                                            locbo_error *error);
LOCBO_API void locbo_free(void *memory);

#ifdef __cplusplus
}
#endif

#endif
