/* test_cancel.c - a call that is cancelled changes nothing, wherever that happens: the saved state is the same text,
 * and the call, repeated, gives the same bits as that of a twin that nobody watches. Leaks are the sanitizer's to find.
 *
 * How often the watch is called is seen without a clock: the linker turns the core's calls of the costly routines of
 * LAPACK and BLAS into calls of ours (tests/CMakeLists.txt), which count those between two calls of the watch. */
#include "several.h"

/* ---- what is computed between two calls of the watch ------------------------------------------- */

void __real_dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_len);
void __real_dlauum_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_len);
void __real_cblas_dtrsv(int order, int uplo, int trans, int diag, int n, const double *a, int lda, double *x, int incx);
void __wrap_dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_len);
void __wrap_dlauum_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_len);
void __wrap_cblas_dtrsv(int order, int uplo, int trans, int diag, int n, const double *a, int lda, double *x, int incx);

static int large = 30; /* smaller matrices do not count: they do not grow with the rows */
static struct {
    int cubic, square;           /* since the last call: calls that cost O(n^3), O(n^2) */
    int most_cubic, most_square; /* the largest of these counts */
} work;

static void count_cubic(int n) {
    if (n >= large && ++work.cubic > work.most_cubic) work.most_cubic = work.cubic;
}
void __wrap_dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_len) {
    count_cubic(*n);
    __real_dpotrf_(uplo, n, a, lda, info, uplo_len);
}
void __wrap_dlauum_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_len) {
    count_cubic(*n);
    __real_dlauum_(uplo, n, a, lda, info, uplo_len);
}
void __wrap_cblas_dtrsv(int order, int uplo, int trans, int diag, int n, const double *a, int lda, double *x,
                        int incx) {
    if (n >= large && ++work.square > work.most_square) work.most_square = work.square;
    __real_cblas_dtrsv(order, uplo, trans, diag, n, a, lda, x, incx);
}

/* ---- the watch --------------------------------------------------------------------------------- */

typedef struct patience {
    long seen;   /* calls */
    long victim; /* the call that cancels; 0: none */
} patience;

static int watch(void *user) {
    patience *p = user;
    work.cubic = work.square = 0;
    return ++p->seen == p->victim;
}

/* ---- what is called ---------------------------------------------------------------------------- */

enum { MOST = 4, PREDICTED = 3, OUTPUTS = 4, FRONT = 4 };

/* What a call gave; all of it is compared. */
typedef struct answer {
    double x[MOST];
    locbo_trial trial;
    locbo_choice choice;
    locbo_belief belief[PREDICTED * OUTPUTS];
    double feasible[PREDICTED];
    locbo_front_point front[FRONT];
    double front_x[FRONT * MOST];
    locbo_belief front_belief[FRONT * OUTPUTS];
    size_t count;
} answer;

static int is_same(const answer *a, const answer *b) {
    const locbo_trial *s = &a->trial, *t = &b->trial; /* field by field: it has padding */
    return memcmp(a->x, b->x, sizeof a->x) == 0 && memcmp(&a->choice, &b->choice, sizeof a->choice) == 0 &&
           memcmp(a->belief, b->belief, sizeof a->belief) == 0 && a->count == b->count &&
           memcmp(a->feasible, b->feasible, sizeof a->feasible) == 0 &&
           memcmp(a->front, b->front, sizeof a->front) == 0 && memcmp(a->front_x, b->front_x, sizeof a->front_x) == 0 &&
           memcmp(a->front_belief, b->front_belief, sizeof a->front_belief) == 0 && s->id == t->id &&
           s->origin == t->origin && s->told == t->told && s->pending == t->pending &&
           memcmp(&s->belief, &t->belief, sizeof s->belief) == 0;
}

typedef locbo_status call_fn(locbo_optimizer *o, const double *points, answer *a, locbo_error *error);

static locbo_status ask(locbo_optimizer *o, const double *points, answer *a, locbo_error *error) {
    (void)points;
    return locbo_optimizer_ask(o, &a->trial, a->x, error);
}
static locbo_status ask_given(locbo_optimizer *o, const double *points, answer *a, locbo_error *error) {
    locbo_ask_options how = {.struct_size = sizeof how, .fixed = points};
    return locbo_optimizer_ask_with(o, &how, &a->trial, a->x, error);
}
static locbo_status recommend(locbo_optimizer *o, const double *points, answer *a, locbo_error *error) {
    (void)points;
    return locbo_optimizer_recommend(o, &a->choice, a->x, error);
}
static locbo_status best(locbo_optimizer *o, const double *points, answer *a, locbo_error *error) {
    (void)points;
    return locbo_optimizer_best(o, &a->choice, a->x, error);
}
static locbo_status predict(locbo_optimizer *o, const double *points, answer *a, locbo_error *error) {
    return locbo_optimizer_predict(o, PREDICTED, points, a->belief, error);
}
static locbo_status importance(locbo_optimizer *o, const double *points, answer *a, locbo_error *error) {
    (void)points;
    return locbo_optimizer_importance(o, 0, a->x, NULL, error);
}

static locbo_status predict_all(locbo_optimizer *o, const double *points, answer *a, locbo_error *error) {
    return locbo_optimizer_predict_outputs(o, PREDICTED, points, a->belief, a->feasible, error);
}
static locbo_status front(locbo_optimizer *o, locbo_front_by by, answer *a, locbo_error *error) {
    return locbo_optimizer_front(o, by, FRONT, a->front, a->front_x, NULL, a->front_belief, &a->count, error);
}
static locbo_status front_measured(locbo_optimizer *o, const double *points, answer *a, locbo_error *error) {
    (void)points;
    return front(o, LOCBO_FRONT_MEASURED, a, error);
}
static locbo_status front_believed(locbo_optimizer *o, const double *points, answer *a, locbo_error *error) {
    (void)points;
    return front(o, LOCBO_FRONT_BELIEVED, a, error);
}

typedef struct call {
    const char *name;
    call_fn *fn;
} call;

/* The order matters: the first call makes a model that is not kept, the second the first fit; the last two
 * begin with a loaded optimizer, whose model is factored again. */
static const call CALLS[] = {{"predict", predict},
                             {"ask", ask},
                             {"predict again", predict},
                             {"recommend", recommend},
                             {"best", best},
                             {"importance", importance},
                             {"ask again", ask},
                             {"ask given", ask_given},
                             {"ask loaded", ask},
                             {"predict loaded", predict}};

/* The same of several outputs. */
static const call SEVERAL[] = {{"predict", predict_all},     {"ask", ask},
                               {"measured", front_measured}, {"believed", front_believed},
                               {"ask again", ask},           {"ask given", ask_given},
                               {"ask loaded", ask},          {"believed loaded", front_believed}};
/* And of one objective with constraints. */
static const call CONSTRAINED[] = {{"ask", ask}, {"recommend", recommend}, {"best", best},
                                   {"ask", ask}, {"predict", predict_all}, {"recommend loaded", recommend}};

static int loads_before(const call *c) { return strstr(c->name, "loaded") != NULL; }

/* ---- one life ---------------------------------------------------------------------------------- */

/* The bowl, or several outputs, with this error. */
static void tell(locbo_optimizer *o, uint64_t id, const double *x, double more) {
    size_t outputs = locbo_outputs_count(locbo_optimizer_outputs(o));
    locbo_measurement m[SEVERAL_MOST];
    if (outputs > 1) several_measure(o, x, 0, NULL, m);
    for (size_t k = 0; k < outputs; k++) {
        double value = outputs == 1 ? scene_bowl(locbo_optimizer_space(o), x) : m[k].value;
        m[k] = (locbo_measurement){value + more, NAN, 1};
    }
    check_ok(locbo_optimizer_tell_outputs(o, id, m, &error));
}

/* The initial design is over, with a failure and a trial outstanding, and nothing has been fitted. */
static locbo_optimizer *begin_life(const locbo_space *space, const locbo_outputs *t, const locbo_options *options) {
    locbo_options designed = *options;
    designed.initial = 8;
    locbo_optimizer *o = several_optimizer(space, t, &designed);
    double x[MOST];
    for (int i = 0; i < designed.initial; i++) {
        uint64_t id = scene_ask(o, NULL, x);
        double outlier = i == 3 ? 5 : 0;
        if (i == 5)
            check_ok(locbo_optimizer_tell_failed(o, id, &error));
        else if (i != 6)
            tell(o, id, x, 0.1 * sin(30.0 * i) + outlier);
    }
    return o;
}

static char *saved(const locbo_optimizer *o) {
    char *text = NULL;
    size_t length;
    check_ok(locbo_optimizer_save(o, &text, &length, &error));
    return text;
}

/* The optimizer as it is loaded from its saved state. */
static locbo_optimizer *loaded(locbo_optimizer *o) {
    char *text = saved(o);
    locbo_optimizer *copy = NULL;
    check_ok(locbo_optimizer_load(&copy, text, strlen(text), &error));
    locbo_free(text);
    locbo_optimizer_destroy(o);
    return copy;
}

/* A fit that is cancelled is no numerical trouble. */
static void no_trouble(const locbo_event *event, void *user) {
    (void)user;
    check_that(event->kind != LOCBO_EVENT_TROUBLE, "trouble: %s", event->message);
}

/* The call, cancelled at the watch's call number 1, 2, 3, ... until it comes to its end. Returns how often it
 * was cancelled. */
static long call_with_cancels(locbo_optimizer *o, const call *c, const double *points, answer *a, const char *label) {
    char *before = saved(o);
    answer untouched;
    memset(&untouched, 0x55, sizeof untouched);
    long cancels = 0;
    for (long victim = 1;; victim += 1 + victim / 12) {
        locbo_error why = {LOCBO_OK, ""};
        patience p = {0, victim};
        locbo_optimizer_watch(o, watch, &p);
        memcpy(a, &untouched, sizeof *a);
        locbo_status status = c->fn(o, points, a, &why);
        check_that(p.seen >= 1, "%s, %s: nobody was asked", label, c->name);
        if (p.seen < victim) {
            check_that(status == LOCBO_OK, "%s, %s: status %d '%s'", label, c->name, (int)status, why.message);
            break;
        }
        check_that(status == LOCBO_ERR_CANCELLED && strcmp(why.message, "cancelled by the caller") == 0,
                   "%s, %s: status %d '%s' after being cancelled at call %ld", label, c->name, (int)status, why.message,
                   victim);
        check_that(p.seen == victim, "%s, %s: asked again after it was cancelled", label, c->name);
        check_that(memcmp(a, &untouched, sizeof *a) == 0, "%s, %s: the answer was written", label, c->name);
        char *after = saved(o);
        check_that(strcmp(before, after) == 0, "%s, %s cancelled at call %ld: the state has changed", label, c->name,
                   victim);
        locbo_free(after);
        cancels++;
    }
    locbo_free(before);
    locbo_optimizer_watch(o, NULL, NULL);
    return cancels;
}

static void check_calls(const locbo_space *space, const locbo_outputs *t, const locbo_options *options,
                        const char *label, size_t count, const call *calls) {
    locbo_optimizer *watched = begin_life(space, t, options), *twin = begin_life(space, t, options);
    size_t dim = locbo_space_dim(space);
    double points[PREDICTED * MOST];
    for (size_t i = 0; i < PREDICTED * dim; i++) {
        locbo_parameter p;
        check_ok(locbo_space_parameter(space, i % dim, &p, &error));
        points[i] = p.kind == LOCBO_REAL ? p.low + (0.2 + 0.1 * (double)i / (double)dim) * (p.high - p.low) : p.high;
    }
    long cancels = 0;
    for (size_t k = 0; k < count; k++) {
        const call *c = &calls[k];
        answer a, b;
        memset(&b, 0x55, sizeof b);
        if (loads_before(c)) watched = loaded(watched), twin = loaded(twin);
        locbo_optimizer_on_event(watched, no_trouble, NULL);
        cancels += call_with_cancels(watched, c, points, &a, label);
        check_ok(c->fn(twin, points, &b, &error));
        check_that(is_same(&a, &b), "%s, %s: the answer is not that of the twin", label, c->name);
        char *mine = saved(watched), *other = saved(twin);
        check_that(strcmp(mine, other) == 0, "%s, %s: the state is not that of the twin", label, c->name);
        locbo_free(mine);
        locbo_free(other);
        if (c->fn != ask) continue;
        tell(watched, a.trial.id, a.x, 0);
        tell(twin, b.trial.id, b.x, 0);
    }
    print_message("%s: cancelled %ld times\n", label, cancels);
    locbo_optimizer_destroy(watched);
    locbo_optimizer_destroy(twin);
}

static void check_life(const locbo_space *space, const locbo_options *options, const char *label) {
    check_calls(space, NULL, options, label, sizeof CALLS / sizeof CALLS[0], CALLS);
}

static void several_outputs(void **state) {
    (void)state;
    locbo_space *cube = scene_cube(2), *mixed = scene_mixed();
    for (int k = 0; k < 4; k++) {
        locbo_outputs *t = several_table(k == 3, 1, k < 2 ? 1 : 2);
        locbo_options options = scene_options(&SCENE_METHODS[k % 2 ? 2 : 0], 170 + (uint64_t)k);
        if (k == 1) options.acquisition = LOCBO_ACQUISITION_UCB;
        const locbo_space *space = k % 2 ? mixed : cube;
        if (k < 2)
            check_calls(space, t, &options, "constrained", sizeof CONSTRAINED / sizeof CONSTRAINED[0], CONSTRAINED);
        else
            check_calls(space, t, &options, "two objectives", sizeof SEVERAL / sizeof SEVERAL[0], SEVERAL);
        locbo_outputs_destroy(t);
    }
    locbo_space_destroy(cube);
    locbo_space_destroy(mixed);
}

static void every_method(void **state) {
    (void)state;
    locbo_space *cube = scene_cube(2), *mixed = scene_mixed();
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++) {
        locbo_options options = scene_options(&SCENE_METHODS[k], 70 + k);
        check_life(cube, &options, SCENE_METHODS[k].label);
        check_life(mixed, &options, SCENE_METHODS[k].label);
    }
    locbo_space_destroy(cube);
    locbo_space_destroy(mixed);
}

/* The parts that the defaults do not reach: a path of Thompson sampling, one law of the noise, another surrogate. */
static void other_options(void **state) {
    (void)state;
    static const char *const settings[][2] = {{"acquisition", "thompson"}, {"acquisition", "ucb"},
                                              {"acquisition", "mes"},      {"noise_law", "student"},
                                              {"surrogate", "paper"},      {"recommendation", "evaluated"},
                                              {"incumbent", "observed"}};
    locbo_space *space = scene_cube(2);
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        locbo_options options = scene_options(&SCENE_METHODS[k % 2 ? 3 : 0], 90 + k);
        scene_set(&options, settings[k][0], settings[k][1]);
        check_life(space, &options, settings[k][1]);
    }
    locbo_space_destroy(space);
}

/* At most one factorisation or inverse lies between two calls, and few triangular solves: noisy expected improvement
 * makes one for each of its 12 points, and CBO's law one at each of these. */
static void often_enough(void **state) {
    (void)state;
    enum { ROWS = 60, SOLVES = 16 };
    locbo_space *space = scene_cube(2);
    rng r = rng_open(4, 4, RNG_DESIGN);
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++) {
        const char *label = SCENE_METHODS[k].label;
        locbo_options options = scene_options(&SCENE_METHODS[k], 9);
        locbo_optimizer *o = begin_life(space, NULL, &options);
        double x[2], points[2 * PREDICTED] = {0.5, 0.5, 0.1, 0.2, 0.3, 0.4};
        for (int i = 0; i < ROWS; i++) {
            x[0] = rng_uniform(&r), x[1] = rng_uniform(&r);
            scene_add(o, x, scene_bowl(space, x) + 0.1 * rng_normal(&r));
        }
        patience p = {0, 0};
        locbo_optimizer_watch(o, watch, &p);
        memset(&work, 0, sizeof work);
        for (size_t i = 0; i < sizeof CALLS / sizeof CALLS[0]; i++) {
            answer a;
            check_ok(CALLS[i].fn(o, points, &a, &error));
            scene_add(o, points + 2, 0.1 + 0.1 * (double)i);
        }
        check_that(work.most_cubic <= 1, "%s: %d factorisations without a call of the watch", label, work.most_cubic);
        check_that(work.most_square <= SOLVES, "%s: %d solves without a call of the watch", label, work.most_square);
        int models = strcmp(label, "random") != 0;
        check_that(work.most_cubic == models, "%s: %d factorisations were counted", label, work.most_cubic);
        locbo_optimizer_destroy(o);
    }
    locbo_space_destroy(space);
}

/* The same with two objectives and a constraint, whose draws are at up to 64 points: 16 solves, and those of a point.
 */
static void often_enough_of_several(void **state) {
    (void)state;
    enum { ROWS = 80, SOLVES = 17 };
    large = 65; /* the draws at 64 points do not grow with the rows */
    locbo_space *space = scene_cube(2);
    locbo_outputs *t = several_table(0, 1, 2);
    rng r = rng_open(4, 4, RNG_DESIGN);
    locbo_options options = scene_options(&SCENE_METHODS[0], 9);
    locbo_optimizer *o = begin_life(space, t, &options);
    double x[2], points[2 * PREDICTED] = {0.5, 0.5, 0.1, 0.2, 0.3, 0.4};
    for (int i = 0; i < ROWS; i++) {
        locbo_measurement m[SEVERAL_MOST];
        x[0] = rng_uniform(&r), x[1] = rng_uniform(&r);
        several_measure(o, x, 0.1, &r, m);
        check_ok(locbo_optimizer_add_outputs(o, x, m, &error));
    }
    patience p = {0, 0};
    locbo_optimizer_watch(o, watch, &p);
    memset(&work, 0, sizeof work);
    for (size_t i = 0; i < sizeof SEVERAL / sizeof SEVERAL[0]; i++) {
        answer a;
        check_ok(SEVERAL[i].fn(o, points, &a, &error));
    }
    check_that(work.most_cubic == 1, "%d factorisations without a call of the watch", work.most_cubic);
    check_that(work.most_square <= SOLVES, "%d solves without a call of the watch", work.most_square);
    locbo_optimizer_destroy(o);
    locbo_outputs_destroy(t);
    locbo_space_destroy(space);
    large = 30;
}

static locbo_outcome bowl(const double *x, size_t dim, const locbo_trial *trial, locbo_measurement *m, void *user) {
    (void)dim, (void)trial;
    m->value = scene_bowl(user, x);
    return LOCBO_EVALUATED;
}

/* A run ends with the ask that is cancelled; the rounds before it stay. */
static void a_run(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    locbo_options options = scene_options(&SCENE_METHODS[0], 8);
    locbo_optimizer *o = scene_optimizer(space, &options);
    patience p = {0, 9};
    locbo_optimizer_watch(o, watch, &p);
    locbo_optimizer_watch(NULL, watch, &p);
    check_fails(locbo_optimizer_run(o, 20, bowl, space, &error), LOCBO_ERR_CANCELLED, "cancelled by the caller");
    locbo_summary s = scene_summary(o);
    assert_true(s.told >= 1 && s.told < 20);
    assert_int_equal(s.asked, s.told);
    check_ok(locbo_optimizer_run(o, 3, bowl, space, &error)); /* the watch cancels once */
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_method),    cmocka_unit_test(other_options),
                                       cmocka_unit_test(several_outputs), cmocka_unit_test(often_enough_of_several),
                                       cmocka_unit_test(often_enough),    cmocka_unit_test(a_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
