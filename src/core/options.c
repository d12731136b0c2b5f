/* options.c - the one table of options. The C struct, text in and out, the checks and the descriptions for the
 * command line, study files and the manual are all read from it, so they always agree. Also the presets.
 * Layer: core. Cost: a table scan per call. */
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law.h"
#include "number.h"
#include "sized.h"

typedef enum type { REAL, INTEGER, SEED, CHOICE } type;

typedef struct row {
    type type;
    size_t offset;
    double standard, low, high;
    int may_be_nan;
    const char *const *choices; /* CHOICE: texts in the order of the enum, NULL at the end */
    locbo_option text;
} row;

/* Choices, in the order of their enums in locbo.h. */
#define CHOICES(name, ...) static const char *const name[] = {__VA_ARGS__, NULL}
CHOICES(directions, "minimize", "maximize");
CHOICES(methods, "locbo", "bo", "cbo", "ocbo", "ocbo-l", "random");
CHOICES(designs, "lhs", "uniform");
CHOICES(surrogates, "map", "paper", "gamma");
CHOICES(noise_laws, "auto", "little", "gaussian", "student", "much");
CHOICES(much_noises, "auto", "never");
CHOICES(replicates, "merged", "rows");
CHOICES(output_scales, "auto", "none");
CHOICES(averagings, "on", "off");
CHOICES(kernels, "matern52", "matern32", "rbf");
CHOICES(acquisitions, "log-ei", "ei", "pi", "ucb", "thompson", "mes");
CHOICES(incumbents, "observed", "mean", "sampled");
CHOICES(explores, "auto", "none");
CHOICES(recommendations, "evaluated", "anywhere", "observed");

/* The bounds are written once: as numbers and, stringised, as the text of the range. An open bracket is '(' or
 * ')'. `inf` and `nan` are spelt as a user would. */
/* clang-format off */
#define inf ((double)INFINITY)
#define nan ((double)NAN)
#define REAL_ROW(field, standard, open, low, high, close, help)                                   \
    {REAL, offsetof(locbo_options, field), standard, low, high, 0, NULL,                          \
     {#field, "real", open #low ", " #high close, #standard, help, NULL}}
#define REAL_OR_NAN_ROW(field, open, low, high, close, help)                                      \
    {REAL, offsetof(locbo_options, field), nan, low, high, 1, NULL,                               \
     {#field, "real", open #low ", " #high close " or nan", "nan", help, NULL}}
#define INTEGER_ROW(field, standard, low, high, help)                                             \
    {INTEGER, offsetof(locbo_options, field), standard, low, high, 0, NULL,                       \
     {#field, "integer", "[" #low ", " #high "]", #standard, help, NULL}}
#define CHOICE_ROW(field, table, words, first, help)                                              \
    OTHER_CHOICE_ROW(field, table, words, 0, first, help)
#define OTHER_CHOICE_ROW(field, table, words, standard, word, help)                               \
    {CHOICE, offsetof(locbo_options, field), standard, 0, 0, 0, table,                            \
     {#field, "choice", words, word, help, NULL}}

/* An option that saved states and studies may be older than: they have this value. */
#define ADDED_REAL_ROW(field, standard, open, low, high, close, older, help)                      \
    {REAL, offsetof(locbo_options, field), standard, low, high, 0, NULL,                          \
     {#field, "real", open #low ", " #high close, #standard, help, older}}
#define ADDED_INTEGER_ROW(field, standard, low, high, older, help)                                \
    {INTEGER, offsetof(locbo_options, field), standard, low, high, 0, NULL,                       \
     {#field, "integer", "[" #low ", " #high "]", #standard, help, older}}
#define ADDED_CHOICE_ROW(field, table, words, first, older, help)                                 \
    {CHOICE, offsetof(locbo_options, field), 0, 0, 0, 0, table,                                   \
     {#field, "choice", words, first, help, older}}

static const row table[] = {
    CHOICE_ROW(direction, directions, "minimize | maximize", "minimize", "what is wanted"),
    CHOICE_ROW(method, methods, "locbo | bo | cbo | ocbo | ocbo-l | random", "locbo",
               "how the model is calibrated"),
    {SEED, offsetof(locbo_options, seed), 1, 0, 0, 0, NULL,
     {"seed", "seed", "[0, 18446744073709551615]", "1",
      "of all random numbers: same seed, same result", NULL}},
    INTEGER_ROW(initial, 0, 0, 1000000, "points of the initial design; 0: max(5, min(2 d, 20))"),
    CHOICE_ROW(design, designs, "lhs | uniform", "lhs", "how the initial design is chosen"),
    CHOICE_ROW(surrogate, surrogates, "map | paper | gamma", "map",
               "map, gamma: length scale per parameter, priors; paper: one, maximum likelihood"),
    CHOICE_ROW(kernel, kernels, "matern52 | matern32 | rbf", "matern52", "covariance function"),
    INTEGER_ROW(refit_every, 0, 0, 1000000,
                "new results between fits of the hyper-parameters; 0: 1, from 200 results on a hundredth of them"),
    ADDED_INTEGER_ROW(exact_rows, 2000, 0, 20000, "0",
                "points up to which map's model is exact; with more it has so many landmarks; 0: always"),
    INTEGER_ROW(fit_restarts, 1, 0, 100, "extra starting points of a fit; fewer with many results, more at first"),
    REAL_OR_NAN_ROW(length_scale, "[", 1e-6, 1e6, "]", "fixed length scale; nan: fitted"),
    REAL_OR_NAN_ROW(noise_var, "[", 0, 1e6, "]", "fixed noise variance; nan: fitted"),
    CHOICE_ROW(noise_law, noise_laws, "auto | little | gaussian | student | much", "auto",
               "what map believes of the noise; auto: what predicts each result best from the others"),
    ADDED_CHOICE_ROW(much_noise, much_noises, "auto | never", "auto", "never",
               "whether noise_law=auto considers as much noise as there is function"),
    ADDED_CHOICE_ROW(replicates, replicates, "merged | rows", "merged", "rows",
               "measurements of one point: one row of the model, or a row each (slower, the same up to rounding)"),
    ADDED_CHOICE_ROW(scale, output_scales, "auto | none", "auto", "none",
               "scale of map's outputs; auto: as measured or Box-Cox of the loss, what predicts each result best"),
    REAL_ROW(noise_floor, 1e-8, "[", 1e-12, 1, "]", "smallest noise variance"),
    REAL_ROW(input_span, 1, "[", 1e-6, 1e6, "]", "side of the cube that gamma's prior of length scales is for"),
    REAL_ROW(pooling, 0.5, "[", 1e-3, inf, "]", "sd of map's log length scales about their common centre; inf: independent"),
    REAL_ROW(alpha, 0.2, "[", 1e-6, 0.999999, "]", "target miscoverage of the calibrated set"),
    REAL_ROW(eta0, 3e-2, "[", 0, 1, "]", "first step size of the calibration; 0: frozen"),
    REAL_ROW(head_start, 0.75, "(", 0, 1, "]", "locbo's first threshold as a share of alpha; below 1: wider sets at first"),
    REAL_ROW(step_power, 5e-2, "[", 0, 1, "]", "step t is eta0 t^-step_power"),
    REAL_ROW(localization, 0.25, "(", 0, inf, "]", "length of the localization kernel; inf: none"),
    REAL_ROW(gain, 1, "[", 0, 1000, "]", "kappa, height of the localization kernel; 0: none"),
    REAL_ROW(decay, 4e-3, "[", 0, 1000, "]", "lambda, regularisation of the local part"),
    REAL_ROW(tail, 1, "[", 0, 1, "]", "share of alpha outside the set; 1: the paper's likelihood"),
    REAL_ROW(z_max, 3.4, "[", 1, 8, "]", "widest set of the law, in predictive sd"),
    INTEGER_ROW(levels, 19, 3, 64, "quantile levels of ocbo and ocbo-l"),
    REAL_ROW(noise_symmetry, 0.5, "(", 0, 0.5, "]", "least probability of either sign of noise"),
    REAL_ROW(cbo_temperature, 0.1, "(", 0, inf, ")", "of CBO's query law, relative to the peak"),
    INTEGER_ROW(cbo_chains, 4, 1, 64, "Langevin chains of CBO"),
    INTEGER_ROW(cbo_steps, 50, 1, 10000, "steps of each chain"),
    CHOICE_ROW(acquisition, acquisitions, "log-ei | ei | pi | ucb | thompson | mes", "log-ei",
               "utility of an evaluation under the calibrated law"),
    OTHER_CHOICE_ROW(incumbent, incumbents, "observed | mean | sampled", LOCBO_INCUMBENT_SAMPLED, "sampled",
               "improvement over the best measured value, posterior mean, or f drawn from the posterior"),
    REAL_ROW(caution, 0.5, "[", 0, 1, "]", "noisy EI multiplies the model's sd of f by rho^caution, rho: width of the calibrated set of y over the model's"),
    REAL_ROW(ucb_level, 0.975, "(", 0, 1, ")", "level of the quantile that ucb maximises"),
    INTEGER_ROW(candidates, 0, 0, 1000000, "candidates of a proposal; 0: automatic"),
    INTEGER_ROW(refine, 4, 0, 1000, "candidates refined by gradients"),
    ADDED_REAL_ROW(remeasure, 0.15, "[", 0, 1, "]", "0", "largest share of the rounds that measure a result again that is too good to believe; 0: never"),
    ADDED_CHOICE_ROW(explore, explores, "auto | none", "auto", "none",
               "auto: some of map's proposals explore, far from all results or at random; none: never"),
    ADDED_INTEGER_ROW(explore_from, 100, 0, 1000000000, "0",
               "explore=auto: from so many results on every fourth proposal is the best of 32 random points, in up to 10 dimensions; 0: never"),
    ADDED_CHOICE_ROW(averaging, averagings, "on | off", "on", "off",
               "whether intervals of f average over the laws, scales and fits that map considers (off: the last fit alone)"),
    ADDED_REAL_ROW(feasibility, 0.95, "(", 0, 1, ")", "0.95", "with measured constraints: the least probability that they hold where a point is recommended"),
    ADDED_REAL_ROW(fidelity_share, 0.5, "[", 0, 1, "]", "0.5", "with a fidelity parameter: the largest share of the cost that may be spent below full fidelity"),
    OTHER_CHOICE_ROW(recommendation, recommendations, "evaluated | anywhere | observed", LOCBO_RECOMMEND_ANYWHERE, "anywhere",
               "best posterior mean at an evaluated point, best anywhere, or best measured"),
};
#undef inf
#undef nan
/* clang-format on */
enum { ROWS = sizeof table / sizeof table[0] };
_Static_assert(64 == LAW_MAX_SHAPE, "the largest `levels` is what a law can carry");

/* The settings of the paper's experiments, also those that are defaults, so that a preset keeps its meaning when
 * defaults change. Lengths are those of the unit cube: 0.25 is the paper's 5 on [-10, 10]. */
static const locbo_preset presets[] = {
    {"paper-ackley", "the paper's experiments with the Ackley function (it has gain=5 for ocbo-l)",
     "surrogate=paper design=uniform initial=5 kernel=matern52 refit_every=1 acquisition=log-ei "
     "incumbent=observed recommendation=observed alpha=0.2 eta0=0.005 step_power=0.05 "
     "localization=0.25 gain=4 decay=0.004 tail=1 head_start=1 "
     "pooling=inf noise_law=little much_noise=never scale=none caution=0 remeasure=0 explore=none averaging=off"},
    {"paper-radio", "the paper's experiments with radio resource allocation",
     "surrogate=paper design=uniform initial=50 kernel=matern52 refit_every=10 acquisition=log-ei "
     "incumbent=observed recommendation=observed alpha=0.25 eta0=0.005 step_power=0.005 "
     "localization=0.3333333333333333 gain=2 decay=0.0001 tail=1 head_start=1 "
     "pooling=inf noise_law=little much_noise=never scale=none caution=0 remeasure=0 explore=none averaging=off"},
};
enum { PRESETS = sizeof presets / sizeof presets[0] };

/* A field of an options struct by its row. Enums have the size of int (asserted by the tests). */
static double *real_of(locbo_options *o, const row *r) { return (double *)(void *)((char *)o + r->offset); }
static int *int_of(locbo_options *o, const row *r) { return (int *)(void *)((char *)o + r->offset); }
static uint64_t *seed_of(locbo_options *o, const row *r) { return (uint64_t *)(void *)((char *)o + r->offset); }

static size_t size_of(const row *r) {
    return r->type == REAL ? sizeof(double) : r->type == SEED ? sizeof(uint64_t) : sizeof(int);
}

/* Whether the caller's struct, perhaps of another version, has the field. */
static int is_known(const locbo_options *o, const row *r) { return r->offset + size_of(r) <= o->struct_size; }

static int count_choices(const row *r) {
    int n = 0;
    while (r->choices[n]) n++;
    return n;
}

static locbo_status out_of_range(const row *r, const char *got, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must lie in %s, got %s", r->text.name, r->text.range, got);
}

static int real_is_within(const row *r, double value) {
    if (isnan(value)) return r->may_be_nan;
    int closed_low = r->text.range[0] == '[';
    int closed_high = strchr(r->text.range, ']') != NULL;
    return (value > r->low || (closed_low && value == r->low)) &&
           (value < r->high || (closed_high && value == r->high));
}

static locbo_status check_row(const row *r, const locbo_options *given, locbo_error *error) {
    locbo_options *o = (locbo_options *)given; /* only read */
    char got[NUMBER_TEXT];
    if (r->type == REAL && !real_is_within(r, *real_of(o, r))) {
        number_print(*real_of(o, r), got);
        return out_of_range(r, got, error);
    }
    if (r->type == INTEGER && (*int_of(o, r) < r->low || *int_of(o, r) > r->high)) {
        snprintf(got, sizeof got, "%d", *int_of(o, r));
        return out_of_range(r, got, error);
    }
    if (r->type == CHOICE && (*int_of(o, r) < 0 || *int_of(o, r) >= count_choices(r)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be one of %s, got number %d", r->text.name,
                           r->text.range, *int_of(o, r));
    return LOCBO_OK;
}

void locbo_options_init_sized(locbo_options *options, size_t size) {
    if (!options || size < sizeof options->struct_size) return;
    memset(options, 0, size);
    options->struct_size = size;
    for (size_t i = 0; i < ROWS; i++) {
        const row *r = &table[i];
        if (!is_known(options, r)) continue;
        if (r->type == REAL) *real_of(options, r) = r->standard;
        if (r->type == INTEGER) *int_of(options, r) = (int)r->standard;
        if (r->type == CHOICE) *int_of(options, r) = (int)r->standard;
        if (r->type == SEED) *seed_of(options, r) = (uint64_t)r->standard;
    }
}

static locbo_status set_real(const row *r, const char *value, locbo_options *o, locbo_error *error) {
    double number;
    if (!number_parse(value, &number))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be a number, got '%.40s'", r->text.name, value);
    if (!real_is_within(r, number)) return out_of_range(r, value, error);
    *real_of(o, r) = number;
    return LOCBO_OK;
}

static locbo_status set_integer(const row *r, const char *value, locbo_options *o, locbo_error *error) {
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (end == value || *end)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be a whole number, got '%.40s'", r->text.name, value);
    if (errno || (double)number < r->low || (double)number > r->high) return out_of_range(r, value, error);
    *int_of(o, r) = (int)number;
    return LOCBO_OK;
}

static locbo_status set_seed(const row *r, const char *value, locbo_options *o, locbo_error *error) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    if (end == value || *end || errno || strchr(value, '-'))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be a whole number in %s, got '%.40s'", r->text.name,
                           r->text.range, value);
    *seed_of(o, r) = number;
    return LOCBO_OK;
}

static locbo_status set_choice(const row *r, const char *value, locbo_options *o, locbo_error *error) {
    for (int i = 0; r->choices[i]; i++)
        if (strcmp(r->choices[i], value) == 0) {
            *int_of(o, r) = i;
            return LOCBO_OK;
        }
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be one of %s, got '%.40s'", r->text.name, r->text.range,
                       value);
}

/* The row of an option that the caller's struct has. */
static locbo_status look_up(const locbo_options *options, const char *name, const row **r, locbo_error *error) {
    locbo_status status = sized_check("options", options, sizeof *options, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < ROWS; i++) {
        *r = &table[i];
        if (strcmp((*r)->text.name, name) == 0 && is_known(options, *r)) return LOCBO_OK;
    }
    return status_fail(error, LOCBO_ERR_ARGUMENT, "unknown option '%.40s'; locbo_option_describe lists them", name);
}

static locbo_status set_option(locbo_options *options, const char *name, const char *value, locbo_error *error) {
    const row *r;
    locbo_status status = look_up(options, name, &r, error);
    if (status != LOCBO_OK) return status;
    switch (r->type) {
    case REAL:
        return set_real(r, value, options, error);
    case INTEGER:
        return set_integer(r, value, options, error);
    case SEED:
        return set_seed(r, value, options, error);
    case CHOICE:
        break;
    }
    return set_choice(r, value, options, error);
}

/* "a=b c=d" */
static locbo_status set_all(locbo_options *options, const char *settings, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (const char *at = settings; *at && status == LOCBO_OK;) {
        char name[64], value[64];
        size_t named = strcspn(at, "="), valued = strcspn(at + named + 1, " ");
        snprintf(name, sizeof name, "%.*s", (int)named, at);
        snprintf(value, sizeof value, "%.*s", (int)valued, at + named + 1);
        status = set_option(options, name, value, error);
        at += named + 1 + valued;
        at += *at == ' ';
    }
    return status;
}

static locbo_status set_preset(locbo_options *options, const char *name, locbo_error *error) {
    char known[128] = "";
    locbo_status status = sized_check("options", options, sizeof *options, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < PRESETS; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? " | " : "", presets[i].name);
        if (strcmp(presets[i].name, name) != 0) continue;
        locbo_options changed; /* all settings or, after an error, none */
        memcpy(&changed, options, options->struct_size);
        status = set_all(&changed, presets[i].settings, error);
        if (status == LOCBO_OK) memcpy(options, &changed, options->struct_size);
        return status;
    }
    return status_fail(error, LOCBO_ERR_ARGUMENT, "preset must be one of %s, got '%.40s'", known, name);
}

locbo_status locbo_options_set(locbo_options *options, const char *name, const char *value, locbo_error *error) {
    if (!options || !name || !value)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "options, name and value must not be NULL");
    locbo_status status =
        strcmp(name, "preset") == 0 ? set_preset(options, value, error) : set_option(options, name, value, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

locbo_status locbo_options_get(const locbo_options *options, const char *name, char *buffer, size_t size,
                               locbo_error *error) {
    const row *r;
    if (!options || !name || !buffer)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "options, name and buffer must not be NULL");
    locbo_options *o = (locbo_options *)options; /* only read */
    locbo_status status = look_up(options, name, &r, error);
    if (status == LOCBO_OK) status = check_row(r, options, error);
    if (status != LOCBO_OK) return status;
    char text[NUMBER_TEXT];
    const char *shown = text;
    switch (r->type) {
    case REAL:
        number_print(*real_of(o, r), text);
        break;
    case INTEGER:
        snprintf(text, sizeof text, "%d", *int_of(o, r));
        break;
    case SEED:
        snprintf(text, sizeof text, "%" PRIu64, *seed_of(o, r));
        break;
    case CHOICE:
        shown = r->choices[*int_of(o, r)];
        break;
    }
    if (strlen(shown) >= size)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s needs a buffer of %zu bytes, got %zu", name,
                           strlen(shown) + 1, size);
    memcpy(buffer, shown, strlen(shown) + 1);
    return status_ok(error);
}

locbo_status locbo_options_check(const locbo_options *options, locbo_error *error) {
    locbo_options resolved;
    if (!options) return status_fail(error, LOCBO_ERR_ARGUMENT, "options must not be NULL");
    return options_resolve(options, &resolved, error);
}

size_t locbo_option_count(void) { return ROWS; }

void locbo_options_set_older(locbo_options *options) {
    for (size_t i = 0; options && i < ROWS; i++) {
        const locbo_option *text = &table[i].text;
        if (text->older_text && is_known(options, &table[i])) set_option(options, text->name, text->older_text, NULL);
    }
}

locbo_status locbo_option_describe(size_t index, locbo_option *option, locbo_error *error) {
    if (!option) return status_fail(error, LOCBO_ERR_ARGUMENT, "option must not be NULL");
    if (index >= ROWS)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "there is no option number %zu, only %d", index, (int)ROWS);
    *option = table[index].text;
    return status_ok(error);
}

size_t locbo_preset_count(void) { return PRESETS; }

locbo_status locbo_preset_describe(size_t index, locbo_preset *preset, locbo_error *error) {
    if (!preset) return status_fail(error, LOCBO_ERR_ARGUMENT, "preset must not be NULL");
    if (index >= PRESETS)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "there is no preset number %zu, only %d", index, (int)PRESETS);
    *preset = presets[index];
    return status_ok(error);
}

locbo_status options_resolve(const locbo_options *given, locbo_options *out, locbo_error *error) {
    locbo_options resolved;
    locbo_options_init(&resolved);
    locbo_status status = sized_take("options", &resolved, sizeof resolved, given, error);
    for (size_t i = 0; i < ROWS && status == LOCBO_OK; i++) status = check_row(&table[i], &resolved, error);
    if (status != LOCBO_OK) return status;
    /* otherwise the local part would grow instead of shrink (condition of Lemma 1, eta_t < 1/lambda) */
    if (resolved.eta0 * resolved.decay >= 1)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "eta0 * decay must be below 1, got %g * %g", resolved.eta0,
                           resolved.decay);
    *out = resolved;
    return status_ok(error);
}

locbo_status options_export(const locbo_options *o, locbo_options *out, locbo_error *error) {
    locbo_status status = sized_give("options", o, sizeof *o, out, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

size_t options_initial(const locbo_options *o, size_t dim) {
    if (o->initial > 0) return (size_t)o->initial;
    size_t n = 2 * dim < 20 ? 2 * dim : 20;
    return n < 5 ? 5 : n;
}
