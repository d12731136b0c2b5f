/* lives.c - some hundred short lives of optimizers, printed bit for bit: numbers are hexadecimal (%a).
 *
 *     lives list                     the names of all lives
 *     lives run FOLDER [TEXT]        live them; in the middle of each its state is saved in FOLDER
 *     lives resume FOLDER [TEXT]     live the second halves, each from the state saved in FOLDER
 *     lives record FILE NAME         live the first half of life NAME; write its state to FILE and the next
 *                                    proposals to FILE.next, as tests/property/test_old_files.c reads them
 *
 * With TEXT only lives whose name contains it. tools/compare-lives compiles this file against two trees and compares
 * what both print, so it uses nothing but the public header, and sets options by name. LIVES_OUTPUTS is defined if that
 * header has tables of outputs, LIVES_SPACES if it has conditions and constraints; without them there are no such
 * lives, which are the last.
 *
 * The name of a life is its description, words NAME=VALUE: `space`, `function`, `outputs`, `rounds`, `batch` (trials
 * outstanding) and `with` (what happens to it) are read here, all others are options of the library. What happens in a
 * round depends on the name, the round and the optimizer alone, so a life can continue from a saved state. */
#include <locbo/locbo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIM = 6, NEXT = 4, WIDTH = 4 };

typedef struct life {
    char name[200]; /* as above */
    char space[24], function[24], with[64];
    char outputs[24]; /* "several", "bounded", or "": one without a name */
    size_t batch, rounds;
    uint64_t key; /* of its random numbers */
} life;

/* ---- random numbers: a function of life, round and purpose --------------------------------------- */

static uint64_t mix(uint64_t z) { /* SplitMix64 */
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t whole(const life *l, uint64_t round, uint64_t purpose) {
    return mix(mix(l->key ^ mix(round)) ^ (purpose * 0x2545f4914f6cdd1du));
}

/* In (0, 1). */
static double uniform(const life *l, uint64_t round, uint64_t purpose) {
    return ((double)(whole(l, round, purpose) >> 12) + 0.5) * 0x1p-52;
}

static double normal(const life *l, uint64_t round, uint64_t purpose) {
    return sqrt(-2 * log(uniform(l, round, purpose))) * cos(6.283185307179586 * uniform(l, round, purpose + 100));
}

/* ---- printing ----------------------------------------------------------------------------------- */

static void number(const char *label, double value) {
    if (isnan(value))
        printf(" %s nan", label); /* whatever its sign */
    else
        printf(" %s %a", label, value);
}

static void numbers(const char *label, size_t n, const double *values) {
    for (size_t i = 0; i < n; i++) {
        char text[40];
        snprintf(text, sizeof text, "%s%zu", label, i);
        number(text, values[i]);
    }
}

static void count(const char *label, uint64_t value) { printf(" %s %llu", label, (unsigned long long)value); }

static void belief(const locbo_belief *b) {
    number("mean", b->mean), number("sd_f", b->sd_f), number("sd_y", b->sd_y), number("threshold", b->threshold);
    number("y_low", b->y_low), number("y_high", b->y_high), number("f_low", b->f_low), number("f_high", b->f_high);
    number("acquisition", b->acquisition), number("success", b->success);
    putchar('\n');
}

/* A call that did not succeed is part of the life. Returns whether it succeeded. */
static int succeeded(const char *call, locbo_status status) {
    if (status != LOCBO_OK) printf("%s status %d\n", call, (int)status);
    return status == LOCBO_OK;
}

/* Events of fits and troubles. Jitter is left out: a loaded optimizer factorises again. */
static void on_event(const locbo_event *event, void *user) {
    (void)user;
    if (event->kind == LOCBO_EVENT_JITTER) return;
    printf("event %d", (int)event->kind);
    count("told", event->told), number("value", event->value);
    putchar('\n');
}

/* For what must not happen: an unknown name, no memory, no such file. */
static void give_up(const char *what, const char *why) {
    fprintf(stderr, "lives: %s: %s\n", what, why);
    exit(2);
}

/* ---- spaces and functions ------------------------------------------------------------------------ */

static int is(const char *text, const char *word) { return strcmp(text, word) == 0; }

#ifdef LIVES_SPACES
static int add_spec(locbo_space *s, locbo_parameter_spec spec, locbo_error *e) {
    spec.struct_size = sizeof spec;
    return locbo_space_add(s, &spec, e) != LOCBO_OK;
}

/* Every kind of parameter, two of which are not always active. */
static int add_conditional(locbo_space *s, const char *const *words, locbo_error *e) {
    const double one[] = {1}, others[] = {0, 2};
    return add_spec(
               s, (locbo_parameter_spec){.name = "kernel", .kind = LOCBO_CATEGORICAL, .count = 3, .categories = words},
               e) ||
           add_spec(s,
                    (locbo_parameter_spec){.name = "degree",
                                           .kind = LOCBO_INT,
                                           .low = 2,
                                           .high = 5,
                                           .parent = "kernel",
                                           .when_count = 1,
                                           .when = one},
                    e) ||
           add_spec(s,
                    (locbo_parameter_spec){.name = "rate",
                                           .low = 1e-3,
                                           .high = 1,
                                           .scale = LOCBO_LOG,
                                           .parent = "kernel",
                                           .when_count = 2,
                                           .when = others},
                    e) ||
           add_spec(s, (locbo_parameter_spec){.name = "flag", .kind = LOCBO_BOOL}, e) ||
           add_spec(s, (locbo_parameter_spec){.name = "y", .high = 2, .step = 0.25}, e) ||
           add_spec(s, (locbo_parameter_spec){.name = "size", .kind = LOCBO_ORDERED, .count = 4, .categories = words},
                    e);
}

/* Half of the box or so. */
static int add_constrained(locbo_space *s, locbo_error *e) {
    return locbo_space_add_real(s, "x", -5, 10, LOCBO_LINEAR, e) != LOCBO_OK ||
           locbo_space_add_real(s, "y", 0, 15, LOCBO_LINEAR, e) != LOCBO_OK ||
           locbo_space_add_int(s, "n", 1, 8, LOCBO_LINEAR, e) != LOCBO_OK ||
           locbo_space_add_constraint(s, "x + y <= 12", e) != LOCBO_OK ||
           locbo_space_add_constraint(s, "x*n < 30 or y > 5", e) != LOCBO_OK;
}
#endif

static locbo_space *make_space(const life *l) {
    static const char *const words[] = {"red", "green", "blue", "none"};
    locbo_space *s = NULL;
    locbo_error e = {LOCBO_OK, "unknown"};
    int bad = locbo_space_create(&s, &e) != LOCBO_OK;
    const char *name = l->space;
    if (is(name, "line"))
        bad |= locbo_space_add_real(s, "x", -5, 10, LOCBO_LINEAR, &e) != LOCBO_OK;
    else if (is(name, "plane"))
        bad |= locbo_space_add_real(s, "x", -5, 10, LOCBO_LINEAR, &e) != LOCBO_OK ||
               locbo_space_add_real(s, "y", 0, 15, LOCBO_LINEAR, &e) != LOCBO_OK;
    else if (is(name, "six"))
        for (char x[] = "a"; x[0] < 'g'; x[0]++) bad |= locbo_space_add_real(s, x, 0, 1, LOCBO_LINEAR, &e) != LOCBO_OK;
    else if (is(name, "log"))
        bad |= locbo_space_add_real(s, "rate", 1e-5, 1, LOCBO_LOG, &e) != LOCBO_OK ||
               locbo_space_add_real(s, "weight", 1e-3, 1e3, LOCBO_LOG, &e) != LOCBO_OK;
    else if (is(name, "integers"))
        bad |= locbo_space_add_int(s, "n", -3, 12, LOCBO_LINEAR, &e) != LOCBO_OK ||
               locbo_space_add_int(s, "width", 1, 1024, LOCBO_LOG, &e) != LOCBO_OK;
    else if (is(name, "categories"))
        bad |= locbo_space_add_categorical(s, "colour", 4, words, &e) != LOCBO_OK ||
               locbo_space_add_real(s, "x", 0, 1, LOCBO_LINEAR, &e) != LOCBO_OK;
    else if (is(name, "mixed"))
        bad |= locbo_space_add_real(s, "rate", 1e-4, 1, LOCBO_LOG, &e) != LOCBO_OK ||
               locbo_space_add_int(s, "layers", 1, 12, LOCBO_LINEAR, &e) != LOCBO_OK ||
               locbo_space_add_categorical(s, "colour", 3, words, &e) != LOCBO_OK ||
               locbo_space_add_real(s, "x", -1, 1, LOCBO_LINEAR, &e) != LOCBO_OK;
    else if (is(name, "finite")) /* fewer points than rounds */
        bad |= locbo_space_add_int(s, "n", 1, 4, LOCBO_LINEAR, &e) != LOCBO_OK ||
               locbo_space_add_categorical(s, "colour", 3, words, &e) != LOCBO_OK;
#ifdef LIVES_SPACES
    else if (is(name, "conditional"))
        bad |= add_conditional(s, words, &e);
    else if (is(name, "constrained"))
        bad |= add_constrained(s, &e);
#endif
    else
        bad = 1;
    if (bad) give_up(l->name, e.message);
    return s;
}

/* x in the unit cube; in the middle what is not active. */
static void to_unit(const locbo_space *space, const double *x, double *t) {
    for (size_t i = 0; i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        t[i] = p.scale == LOCBO_LOG ? log(x[i] / p.low) / log(p.high / p.low) : (x[i] - p.low) / (p.high - p.low);
        if (isnan(x[i])) t[i] = 0.5;
    }
}

/* A point of the ranges. */
static void draw_point(const life *l, const locbo_space *space, uint64_t round, double *x) {
    for (size_t i = 0; i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        double u = uniform(l, round, 200 + i);
        x[i] = p.scale == LOCBO_LOG ? p.low * pow(p.high / p.low, u) : p.low + u * (p.high - p.low);
        if (p.kind != LOCBO_REAL) x[i] = floor(x[i]);
#ifdef LIVES_SPACES
        if (p.step > 0) x[i] = p.low + p.step * floor((x[i] - p.low) / p.step);
#endif
    }
}

/* A point of the space, any. */
static void any_point(const life *l, const locbo_space *space, uint64_t round, double *x) {
    draw_point(l, space, round, x);
#ifdef LIVES_SPACES
    for (uint64_t more = 1; more < 1000; more++) {
        unsigned char active[DIM];
        locbo_space_active(space, x, active, NULL);
        for (size_t i = 0; i < locbo_space_dim(space); i++)
            if (!active[i]) x[i] = NAN;
        if (locbo_space_check(space, x, NULL) == LOCBO_OK) return;
        draw_point(l, space, round + 100000 * more, x);
    }
#endif
}

static double measure(const life *l, const locbo_space *space, const double *x, uint64_t round) {
    double t[DIM], bowl = 0, z = normal(l, round, 1);
    size_t dim = locbo_space_dim(space);
    to_unit(space, x, t);
    for (size_t i = 0; i < dim; i++) {
        double d = t[i] - 0.3 - 0.1 * (double)i;
        bowl += 4 * d * d;
    }
    const char *f = l->function;
    if (is(f, "bowl")) return bowl + 0.1 * z;
    if (is(f, "exact")) return bowl;
    if (is(f, "waves")) return bowl + 0.5 * sin(12 * t[0]) * cos(9 * t[dim - 1]) + 0.05 * z;
    if (is(f, "outliers")) return bowl + (uniform(l, round, 2) < 0.2 ? 5 * z : 0.05 * z);
    if (is(f, "noise")) return z;
    if (is(f, "constant")) return 3;
    if (is(f, "steps")) return floor(3 * bowl);
    if (is(f, "huge")) return 1e300 * (bowl + 0.1 * z);
    if (is(f, "largest")) return round % 2 ? 1.7e308 : -1.7e308;
    if (is(f, "tiny")) return 1e-300 * (bowl + 0.1 * z);
    if (is(f, "far")) return 1e12 + bowl; /* little variation far from 0 */
    give_up(l->name, "unknown function");
    return 0;
}

/* ---- outputs ------------------------------------------------------------------------------------ */

/* What is told of one result: with outputs the first one is the measurement, the others depend on the point and the
 * round and are lacking now and then. Returns how many there are. */
static size_t fill_row(const life *l, const locbo_space *space, const double *x, uint64_t round,
                       const locbo_measurement *first, locbo_measurement row[WIDTH]) {
    double t[DIM];
    row[0] = *first;
    if (!l->outputs[0]) return 1;
    to_unit(space, x, t);
    double last = t[locbo_space_dim(space) - 1];
    row[1] = (locbo_measurement){exp(1 - t[0] + 0.1 * normal(l, round, 7)), NAN, 1};
    row[2] = (locbo_measurement){1 + last + 0.1 * normal(l, round, 8), NAN, 2};
    row[3] = (locbo_measurement){(double)round, NAN, 1};
    for (uint64_t k = 1; k < WIDTH; k++)
        if (uniform(l, round, 300 + k) < 0.15) row[k].value = NAN;
    return WIDTH;
}

#ifdef LIVES_OUTPUTS
static locbo_outputs *make_outputs(const life *l) {
    int several = is(l->outputs, "several");
    const locbo_output_spec specs[WIDTH] = {{.struct_size = sizeof *specs, .name = "loss", .goal = LOCBO_GOAL_MINIMIZE},
                                            {.struct_size = sizeof *specs,
                                             .name = "latency",
                                             .goal = several ? LOCBO_GOAL_MINIMIZE : LOCBO_GOAL_AT_LEAST,
                                             .bound = several ? 0 : 1.5,
                                             .scale = LOCBO_MODEL_SCALE_LOG},
                                            {.struct_size = sizeof *specs,
                                             .name = "memory",
                                             .goal = LOCBO_GOAL_AT_MOST,
                                             .bound = several ? 1.1 : 1.7,
                                             .baseline = several ? 2 : 0},
                                            {.struct_size = sizeof *specs, .name = "round", .goal = LOCBO_GOAL_RECORD}};
    locbo_outputs *outputs = NULL;
    locbo_error e = {LOCBO_OK, "unknown"};
    int bad = (!several && !is(l->outputs, "bounded")) || locbo_outputs_create(&outputs, &e) != LOCBO_OK;
    for (size_t i = 0; i < WIDTH && !bad; i++) bad = locbo_outputs_add(outputs, &specs[i], &e) != LOCBO_OK;
    if (bad) give_up(l->name, e.message);
    return outputs;
}

static locbo_status create(const life *l, const locbo_space *space, const locbo_options *options, locbo_optimizer **o,
                           locbo_error *e) {
    locbo_outputs *outputs = l->outputs[0] ? make_outputs(l) : NULL;
    locbo_status status = locbo_optimizer_create_for(o, space, outputs, options, e);
    locbo_outputs_destroy(outputs);
    return status;
}

static locbo_status tell_row(locbo_optimizer *o, uint64_t id, const locbo_measurement *row) {
    return locbo_optimizer_tell_outputs(o, id, row, NULL);
}

static locbo_status add_row(locbo_optimizer *o, const double *x, const locbo_measurement *row) {
    return locbo_optimizer_add_outputs(o, x, row, NULL);
}

/* What is believed of all outputs at a point, and the reference point. */
static void report_outputs(locbo_optimizer *o, const double *x) {
    locbo_belief b[WIDTH];
    double feasible, reference[WIDTH];
    if (succeeded("predict_outputs", locbo_optimizer_predict_outputs(o, 1, x, b, &feasible, NULL)))
        for (int i = 0; i < WIDTH; i++) printf("output"), number("feasible", feasible), belief(&b[i]);
    if (succeeded("reference", locbo_optimizer_reference(o, reference, NULL)))
        printf("reference"), numbers("y", WIDTH, reference), putchar('\n');
}
#else
static locbo_status create(const life *l, const locbo_space *space, const locbo_options *options, locbo_optimizer **o,
                           locbo_error *e) {
    (void)l;
    return locbo_optimizer_create(o, space, options, e);
}

static locbo_status tell_row(locbo_optimizer *o, uint64_t id, const locbo_measurement *row) {
    return locbo_optimizer_tell(o, id, row, NULL);
}

static locbo_status add_row(locbo_optimizer *o, const double *x, const locbo_measurement *row) {
    return locbo_optimizer_add(o, x, row, NULL);
}

static void report_outputs(locbo_optimizer *o, const double *x) { (void)o, (void)x; }
#endif

/* ---- one life ----------------------------------------------------------------------------------- */

static int happens(const life *l, const char *what) { return strstr(l->with, what) || is(l->with, "everything"); }

/* A caller's own score, with something of every field of the view. */
static double own_score(const locbo_view *v, void *user) {
    (void)user;
    double score = v->mean - v->best + 1.5 * sqrt(v->var_f) + 0.1 * v->noise_var;
    return isnan(v->set_low) ? score : score + 0.3 * (v->set_high - v->set_low) + 0.1 * v->tail_mass;
}

static void set_up(const life *l, locbo_optimizer *o) {
    locbo_optimizer_on_event(o, on_event, NULL);
    if (happens(l, "score")) succeeded("set_score", locbo_optimizer_set_score(o, own_score, NULL, NULL));
}

static uint64_t asked(locbo_optimizer *o) {
    locbo_summary s;
    succeeded("summary", locbo_optimizer_summary(o, &s, NULL));
    return s.asked;
}

static void predict(const life *l, locbo_optimizer *o, uint64_t round) {
    const locbo_space *space = locbo_optimizer_space(o);
    double x[2 * DIM];
    locbo_belief b[2];
    any_point(l, space, round, x);
    any_point(l, space, round + 1000, x + locbo_space_dim(space));
    if (l->outputs[0])
        report_outputs(o, x);
    else if (succeeded("predict", locbo_optimizer_predict(o, 2, x, b, NULL)))
        for (int i = 0; i < 2; i++) printf("predict"), belief(&b[i]);
}

static void choice(const char *label, size_t dim, locbo_status status, const locbo_choice *c, const double *x) {
    if (!succeeded(label, status)) return;
    printf("%s", label);
    count("trial", c->trial), number("value", c->value), number("low", c->low), number("high", c->high);
    number("level", c->level), numbers("x", dim, x);
    putchar('\n');
}

/* All that can be asked about an optimizer. */
static void report(const life *l, locbo_optimizer *o, uint64_t round) {
    size_t dim = locbo_space_dim(locbo_optimizer_space(o));
    double x[DIM];
    locbo_choice c;
    locbo_summary s;
    locbo_fit fit;
    locbo_status status = locbo_optimizer_best(o, &c, x, NULL);
    choice("best", dim, status, &c, x);
    status = locbo_optimizer_recommend(o, &c, x, NULL);
    choice("recommend", dim, status, &c, x);
    predict(l, o, round);
    if (succeeded("summary", locbo_optimizer_summary(o, &s, NULL))) {
        printf("summary");
        count("asked", s.asked), count("pending", s.pending), count("told", s.told), count("added", s.added);
        count("failed", s.failed), count("infeasible", s.infeasible), count("judged", s.judged);
        number("coverage", s.coverage), number("target", s.target), number("bound", s.coverage_bound);
        number("bound_f", s.coverage_bound_f), number("threshold_min", s.threshold_min);
        number("threshold_mean", s.threshold_mean), number("threshold_max", s.threshold_max);
        number("noise_var", s.noise_var), number("signal_var", s.signal_var), number("length_min", s.length_min);
        number("length_max", s.length_max), number("log_posterior", s.log_posterior), number("jitter", s.jitter);
        count("fits", s.fits), count("troubles", s.troubles);
        putchar('\n');
    }
    if (succeeded("length_scales", locbo_optimizer_length_scales(o, x, NULL)))
        printf("lengths"), numbers("x", dim, x), putchar('\n');
    if (succeeded("fit", locbo_optimizer_fit(o, &fit, NULL))) {
        printf("fit");
        count("rows", fit.rows);
        if (fit.rows > 0) {
            number("shift", fit.shift), number("spread", fit.spread), number("log_posterior", fit.log_posterior);
            numbers("theta", fit.count, fit.theta);
        }
        putchar('\n');
    }
}

/* Returns whether there was a proposal. */
static int ask(const life *l, locbo_optimizer *o) {
    const locbo_space *space = locbo_optimizer_space(o);
    size_t dim = locbo_space_dim(space);
    uint64_t id = asked(o) + 1;
    double x[DIM], fixed[DIM];
    locbo_trial t;
    locbo_ask_options how = {.struct_size = sizeof how};
    if (is(l->with, "same")) { /* two of three trials at one and the same point */
        any_point(l, space, 0, fixed);
        if (id % 3) how.fixed = fixed;
    } else if (happens(l, "fixed") && id % 3 == 0) { /* one coordinate is free, or none */
        any_point(l, space, id, fixed);
        if (id % 9) fixed[id / 3 % dim] = NAN;
        how.fixed = fixed;
    }
    if (happens(l, "candidates") && id % 2) how.candidates = 40;
    locbo_status status = how.fixed || how.candidates ? locbo_optimizer_ask_with(o, &how, &t, x, NULL)
                                                      : locbo_optimizer_ask(o, &t, x, NULL);
    if (!succeeded("ask", status)) return 0;
    printf("ask");
    count("trial", t.id), count("origin", t.origin), count("told", t.told), count("pending", t.pending);
    numbers("x", dim, x), belief(&t.belief);
    return 1;
}

/* An outstanding trial, chosen by chance: its number and point. How many there are is returned. */
static size_t outstanding(const life *l, locbo_optimizer *o, uint64_t round, uint64_t *id, double *x) {
    uint64_t open[64], n = asked(o);
    size_t found = 0;
    for (uint64_t i = 1; i <= n && found < 64; i++) {
        locbo_trial_state state;
        succeeded("trial", locbo_optimizer_trial(o, i, NULL, &state, NULL, NULL));
        if (state == LOCBO_TRIAL_PENDING) open[found++] = i;
    }
    if (found == 0) return 0;
    *id = open[whole(l, round, 3) % found];
    succeeded("trial", locbo_optimizer_trial(o, *id, NULL, NULL, x, NULL));
    return found;
}

/* What a caller should not do: it must be refused, and change nothing. */
static void mistakes(locbo_optimizer *o, uint64_t id, double *x) {
    locbo_measurement bad = {NAN, NAN, 1}, good = {1, NAN, 1};
    succeeded("tell nan", locbo_optimizer_tell(o, id, &bad, NULL));
    succeeded("tell nobody", locbo_optimizer_tell(o, 12345, &good, NULL));
    succeeded("fail nobody", locbo_optimizer_tell_failed(o, 0, NULL));
    double inside = x[0];
    x[0] = 1e9;
    succeeded("add outside", locbo_optimizer_add(o, x, &good, NULL));
    x[0] = inside;
}

static void tell(const life *l, locbo_optimizer *o, uint64_t round, uint64_t id, double *x) {
    const locbo_space *space = locbo_optimizer_space(o);
    double u = uniform(l, round, 4), t[DIM];
    to_unit(space, x, t);
    locbo_measurement m = {measure(l, space, x, round), NAN, 1}, row[WIDTH];
    if (happens(l, "sd") && u < 0.5) m.sd = 0.05 + 0.2 * u;
    if (happens(l, "means")) m.n = (const unsigned[]){0, 1, 3, 10, 1000000}[whole(l, round, 5) % 5];
    if (happens(l, "mistakes")) mistakes(o, id, x);
    fill_row(l, space, x, round, &m, row);
    if (happens(l, "infeasible") && t[0] > 0.75)
        succeeded("infeasible", locbo_optimizer_tell_infeasible(o, id, NULL));
    else if (happens(l, "failures") && u < 0.25)
        succeeded("failed", locbo_optimizer_tell_failed(o, id, NULL));
    else if (happens(l, "cancelled") && u > 0.75)
        succeeded("cancel", locbo_optimizer_cancel(o, id, NULL));
    else
        succeeded("tell", tell_row(o, id, row));
    if (happens(l, "replicates") && u > 0.4) { /* refused if the trial was cancelled */
        m.value += 0.1 * normal(l, round, 6);
        fill_row(l, space, x, round + 500, &m, row);
        succeeded("replicate", tell_row(o, id, row));
    }
}

static void add(const life *l, locbo_optimizer *o, uint64_t round) {
    const locbo_space *space = locbo_optimizer_space(o);
    uint64_t many = is(l->with, "bulk") ? 250 : 4;
    for (uint64_t k = 0; k < (round == 0 ? many : round % 4 == 0); k++) {
        double x[DIM];
        any_point(l, space, 2000 + 1000 * round + k, x);
        locbo_measurement m = {measure(l, space, x, 2000 + 1000 * round + k), NAN, 1}, row[WIDTH];
        fill_row(l, space, x, 2000 + 1000 * round + k, &m, row);
        succeeded("add", add_row(o, x, row));
    }
}

typedef struct player {
    const life *life;
    locbo_optimizer *optimizer;
} player;

static locbo_outcome evaluate(const double *x, size_t dim, const locbo_trial *t, locbo_measurement *m, void *user) {
    const player *p = user;
    printf("run");
    count("trial", t->id), numbers("x", dim, x), belief(&t->belief);
    m->value = measure(p->life, locbo_optimizer_space(p->optimizer), x, t->id);
    return t->id % 7 == 0    ? LOCBO_FAILED
           : t->id % 11 == 0 ? LOCBO_INFEASIBLE
           : t->id == 14     ? LOCBO_STOP
                             : LOCBO_EVALUATED;
}

static void live(const life *l, locbo_optimizer *o, uint64_t from, uint64_t to) {
    for (uint64_t round = from; round < to; round++) {
        uint64_t id = 0;
        double x[DIM];
        size_t open = outstanding(l, o, round, &id, x);
        if (happens(l, "imports") || happens(l, "bulk")) add(l, o, round);
        if (happens(l, "run") && open == 0 && round % 3 == 0) {
            player p = {l, o};
            succeeded("run", locbo_optimizer_run(o, 3, evaluate, &p, NULL));
            continue;
        }
        for (; open < l->batch; open++)
            if (!ask(l, o)) return;
        if (outstanding(l, o, round, &id, x) == 0) return;
        if (happens(l, "predict")) predict(l, o, round);
        tell(l, o, round, id, x);
        if (round % 6 == 5) report(l, o, round);
    }
}

/* ---- the lives ----------------------------------------------------------------------------------- */

static life *make_life(const char *name) {
    life *l = calloc(1, sizeof *l);
    if (!l || strlen(name) >= sizeof l->name) give_up(name, "too long");
    strcpy(l->name, name);
    strcpy(l->space, "plane"), strcpy(l->function, "bowl");
    l->batch = 1, l->rounds = 24;
    l->key = 14695981039346656037u; /* FNV-1a of the name */
    for (const char *c = name; *c; c++) l->key = (l->key ^ (unsigned char)*c) * 1099511628211u;
    return l;
}

/* Read the words of the name; the options of the library are set. */
static void read_name(life *l, locbo_options *options) {
    char words[sizeof l->name], text[24];
    locbo_error e;
    strcpy(words, l->name);
    locbo_options_init(options);
    snprintf(text, sizeof text, "%llu", (unsigned long long)(l->key >> 1));
    locbo_options_set(options, "seed", text, NULL);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        if (!value) give_up(l->name, "a word without =");
        *value++ = '\0';
        if (is(word, "space"))
            snprintf(l->space, sizeof l->space, "%s", value);
        else if (is(word, "function"))
            snprintf(l->function, sizeof l->function, "%s", value);
        else if (is(word, "outputs"))
            snprintf(l->outputs, sizeof l->outputs, "%s", value);
        else if (is(word, "with"))
            snprintf(l->with, sizeof l->with, "%s", value);
        else if (is(word, "batch"))
            l->batch = (size_t)atoi(value);
        else if (is(word, "rounds"))
            l->rounds = (size_t)atoi(value);
        else if (locbo_options_set(options, word, value, &e) != LOCBO_OK)
            give_up(l->name, e.message);
    }
}

static locbo_optimizer *begin(life *l) {
    locbo_options options;
    locbo_optimizer *o = NULL;
    locbo_error e;
    read_name(l, &options);
    locbo_space *space = make_space(l);
    if (create(l, space, &options, &o, &e) != LOCBO_OK) give_up(l->name, e.message);
    locbo_space_destroy(space);
    set_up(l, o);
    return o;
}

static void save(const locbo_optimizer *o, const char *path) {
    char *text;
    size_t length;
    locbo_error e;
    if (locbo_optimizer_save(o, &text, &length, &e) != LOCBO_OK) give_up(path, e.message);
    FILE *file = fopen(path, "w");
    if (!file || fwrite(text, 1, length, file) != length || fputc('\n', file) == EOF || fclose(file) != 0)
        give_up(path, "cannot be written");
    locbo_free(text);
}

/* NULL, and a line that says why, if it cannot be loaded. */
static locbo_optimizer *load(const char *path) {
    FILE *file = fopen(path, "r");
    size_t size = 1 << 22;
    char *text = malloc(size);
    locbo_optimizer *o = NULL;
    locbo_error e;
    if (!file || !text) give_up(path, "cannot be read");
    if (locbo_optimizer_load(&o, text, fread(text, 1, size, file), &e) != LOCBO_OK)
        printf("load status %d: %s\n", (int)e.status, e.message);
    free(text);
    fclose(file);
    return o;
}

/* What is done with one life; `target` is the folder or file of the command line. */
typedef void act(life *l, const char *target, size_t index);

static void act_list(life *l, const char *target, size_t index) {
    (void)target, (void)index;
    printf("%s\n", l->name);
}

static void act_run(life *l, const char *target, size_t index) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%zu.json", target, index);
    printf("life %s\n", l->name);
    fflush(stdout); /* if it does not come back, this says where it was */
    locbo_optimizer *o = begin(l);
    live(l, o, 0, l->rounds / 2);
    save(o, path);
    printf("half\n");
    live(l, o, l->rounds / 2, l->rounds);
    locbo_optimizer_destroy(o);
}

static void act_resume(life *l, const char *target, size_t index) {
    char path[4096];
    locbo_options options;
    snprintf(path, sizeof path, "%s/%zu.json", target, index);
    printf("life %s\nhalf\n", l->name);
    fflush(stdout);
    read_name(l, &options);
    locbo_optimizer *o = load(path);
    if (!o) return;
    set_up(l, o);
    live(l, o, l->rounds / 2, l->rounds);
    locbo_optimizer_destroy(o);
}

/* The next proposals: on each line a point, and the value of each output that is told before the next one. */
static void act_record(life *l, const char *target, size_t index) {
    (void)index;
    char path[4096];
    locbo_optimizer *o = begin(l);
    live(l, o, 0, l->rounds / 2);
    save(o, target);
    snprintf(path, sizeof path, "%s.next", target);
    FILE *file = fopen(path, "w");
    if (!file) give_up(path, "cannot be written");
    for (uint64_t i = 0; i < NEXT; i++) {
        double x[DIM];
        locbo_trial t;
        locbo_error e;
        if (locbo_optimizer_ask(o, &t, x, &e) != LOCBO_OK) give_up(l->name, e.message);
        const locbo_space *space = locbo_optimizer_space(o);
        locbo_measurement m = {measure(l, space, x, l->rounds + i), NAN, 1}, row[WIDTH];
        size_t width = fill_row(l, space, x, l->rounds + i, &m, row);
        for (size_t j = 0; j < locbo_space_dim(space); j++) fprintf(file, "%.17g ", x[j]);
        for (size_t j = 0; j < width; j++) {
            /* rounded: with a point that differs in its last digits the value is still this one */
            row[j] = (locbo_measurement){rint(1e4 * row[j].value) / 1e4, NAN, 1};
            if (isnan(row[j].value))
                fputs("nan", file);
            else
                fprintf(file, "%.17g", row[j].value);
            fputc(j + 1 < width ? ' ' : '\n', file);
        }
        if (tell_row(o, t.id, row) != LOCBO_OK) give_up(l->name, "tell failed");
    }
    if (fclose(file) != 0) give_up(path, "cannot be written");
    locbo_optimizer_destroy(o);
}

typedef struct job {
    act *act;
    const char *target, *text;
    size_t index, done;
} job;

static void one(job *j, const char *name) {
    j->index++;
    if (j->text && !strstr(name, j->text)) return;
    life *l = make_life(name);
    j->act(l, j->target, j->index);
    free(l);
    j->done++;
}

/* All combinations: each line of `lists` is a list of texts separated by '|', one of which is taken for each name. */
static void combine(job *j, const char *const *lists, const char *begun) {
    if (!*lists) {
        one(j, begun);
        return;
    }
    for (const char *at = *lists; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL) {
        char name[sizeof((life *)0)->name];
        int n = snprintf(name, sizeof name, "%s%s%.*s", begun, *begun ? " " : "", (int)strcspn(at, "|"), at);
        if (n < 0 || (size_t)n >= sizeof name) give_up(begun, "too long");
        combine(j, lists + 1, name);
    }
}

#define METHODS                                                                                                        \
    "method=locbo|method=locbo localization=inf|method=bo|method=cbo|method=ocbo|method=ocbo-l|method=random"

static const char *const LISTS[][5] = {
    {"space=line|space=plane|space=six|space=log|space=integers|space=categories|space=mixed|space=finite", METHODS},
    {"space=mixed function=waves", METHODS, "batch=3|batch=8"},
    {"acquisition=log-ei|acquisition=ei|acquisition=pi|acquisition=ucb|acquisition=thompson",
     "incumbent=observed|incumbent=mean|incumbent=sampled", "method=locbo|method=bo|method=cbo"},
    {"acquisition=ei|acquisition=pi|acquisition=ucb|acquisition=thompson", "method=ocbo|method=ocbo-l"},
    {"function=outliers", "noise_law=auto|noise_law=little|noise_law=gaussian|noise_law=student|noise_law=much",
     "recommendation=evaluated|recommendation=anywhere|recommendation=observed", "space=line|space=mixed"},
    {"surrogate=map|surrogate=paper|surrogate=gamma", "kernel=matern52|kernel=matern32|kernel=rbf",
     "space=plane|space=integers direction=maximize"},
    {"caution=0|caution=0.5|caution=1", "localization=0.05|localization=0.5|localization=inf",
     "direction=minimize function=waves|direction=maximize batch=3"},
    {"preset=paper-ackley|preset=paper-radio", METHODS},
    {"with=failures|with=infeasible|with=cancelled|with=replicates|with=sd|with=means|with=imports|with=fixed|"
     "with=candidates|with=score|with=predict|with=run|with=mistakes|with=everything",
     "method=locbo|method=cbo batch=3 space=mixed|method=ocbo-l direction=maximize"},
    {"with=failures,infeasible|with=everything", "method=bo space=six|method=ocbo space=mixed|method=random batch=8"},
    {"with=same|function=noise|function=constant|function=steps|function=huge|function=largest|function=tiny|"
     "function=far|function=exact",
     "method=locbo|method=bo|method=cbo|method=ocbo-l"},
    /* many results */
    {"rounds=80 space=six function=waves", METHODS},
    {"with=bulk", "method=locbo|method=bo space=six|method=cbo space=mixed|method=ocbo-l"},
    /* nearly singular: jitter */
    {"surrogate=gamma kernel=rbf noise_var=0 noise_floor=1e-12 with=means", "length_scale=5|length_scale=100",
     "method=locbo|method=bo|method=cbo"},
    /* every other option, away from its default */
    {"space=plane",
     "initial=1|initial=12|design=uniform|refit_every=4|fit_restarts=0|fit_restarts=3|length_scale=0.3|noise_var=0.01|"
     "noise_var=0|noise_floor=1e-4|surrogate=gamma input_span=20|pooling=inf|pooling=0.1|alpha=0.05|eta0=0.2|eta0=0|"
     "head_start=1|step_power=0.5|gain=0|gain=0 eta0=0.1|gain=3|decay=0|tail=0|tail=0.5|z_max=1|z_max=8|"
     "noise_symmetry=0.2|candidates=50|candidates=700|refine=0|refine=9|acquisition=ucb ucb_level=0.8|"
     "method=ocbo levels=5|method=ocbo-l levels=40|method=cbo cbo_temperature=1|method=cbo cbo_chains=1|"
     "method=cbo cbo_steps=5|method=cbo alpha=0.02"},
#ifdef LIVES_OUTPUTS
    {"outputs=several", "method=locbo|method=bo|method=random", "space=plane|space=mixed batch=3",
     "with=failures,replicates|with=imports,infeasible"},
    {"outputs=bounded", METHODS, "space=plane batch=2|space=mixed", "with=failures,sd|with=predict"},
#endif
#ifdef LIVES_SPACES
    {"space=conditional|space=constrained", METHODS, "with=everything|batch=3 function=waves"},
#endif
};

static size_t all(job *j) {
    for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++) combine(j, LISTS[i], "");
    return j->done;
}

int main(int argc, char **argv) {
    const char *command = argc > 1 ? argv[1] : "";
    const char *target = argc > 2 ? argv[2] : NULL, *text = argc > 3 ? argv[3] : NULL;
    if (is(command, "list")) return all(&(job){.act = act_list}) == 0;
    if (is(command, "run") && target) return all(&(job){.act = act_run, .target = target, .text = text}) == 0;
    if (is(command, "resume") && target) return all(&(job){.act = act_resume, .target = target, .text = text}) == 0;
    if (is(command, "record") && text) {
        one(&(job){.act = act_record, .target = target}, text);
        return 0;
    }
    fputs("usage: lives list | lives run FOLDER [TEXT] | lives resume FOLDER [TEXT] | lives record FILE NAME\n",
          stderr);
    return 2;
}
