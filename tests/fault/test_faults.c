/* test_faults.c - every allocation fails in turn, over the whole life of an optimizer, for every
 * method. The call that meets the failure must return LOCBO_ERR_MEMORY, or do without; repeated, it
 * must succeed; in the end all is as if nothing had happened: the proposals and the saved state are
 * those of an undisturbed life, bit for bit. Leaks are the sanitizer's to find.
 *
 * The linker turns the core's calls of the allocator into calls of ours; in tests/CMakeLists.txt:
 *
 *     target_link_options(test_faults PRIVATE
 *       "LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc")
 *
 * This needs the core as objects or a static library, without link-time optimisation. jansson is
 * reached through json_set_alloc_funcs. Not reached: what NLopt and OpenBLAS allocate inside their
 * own libraries. */
#include <jansson.h>

#include "scene.h"

/* ---- the allocator --------------------------------------------------------------------------- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static struct {
    int armed;
    int lasting;  /* after the first failure all fail, until the call returns */
    long seen;    /* allocations while armed */
    long victim;  /* number of the one that fails; 0: none */
    int fired;    /* it did */
    int reported; /* and a call said so */
} fault;

static int fails(void) {
    if (!fault.armed) return 0;
    if (++fault.seen == fault.victim) {
        fault.fired = 1;
        return 1;
    }
    return fault.lasting && fault.fired && !fault.reported;
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *memory, size_t size) { return fails() ? NULL : __real_realloc(memory, size); }

/* ---- one life -------------------------------------------------------------------------------- */

/* A call that may meet the failure: then it says so, and succeeds the second time. */
#define attempt(call)                                                                                                  \
    do {                                                                                                               \
        locbo_error error = {LOCBO_OK, ""};                                                                            \
        locbo_status attempt_s_ = (call);                                                                              \
        if (attempt_s_ == LOCBO_ERR_MEMORY) {                                                                          \
            if (!fault.fired || fault.reported) fail_msg("%s: no memory, without cause", #call);                       \
            if (strcmp(error.message, "out of memory") != 0) fail_msg("%s: message '%s'", #call, error.message);       \
            fault.reported = 1;                                                                                        \
            attempt_s_ = (call);                                                                                       \
        } else if (fault.fired && !fault.reported) {                                                                   \
            fault.reported = 1; /* it did without */                                                                   \
            fault_survived++;                                                                                          \
        }                                                                                                              \
        if (attempt_s_ != LOCBO_OK)                                                                                    \
            fail_msg("%s: status %d '%s' (allocation %ld)", #call, (int)attempt_s_, error.message, fault.victim);      \
    } while (0)

static long fault_survived;

static locbo_space *build_space(void) {
    static const char *const words[] = {"a", "b", "c"};
    locbo_space *space = NULL;
    attempt(locbo_space_create(&space, &error));
    attempt(locbo_space_add_real(space, "x", 0, 1, LOCBO_LINEAR, &error));
    attempt(locbo_space_add_real(space, "y", 1e-3, 1, LOCBO_LOG, &error));
    attempt(locbo_space_add_int(space, "n", 1, 9, LOCBO_LINEAR, &error));
    attempt(locbo_space_add_categorical(space, "w", 3, words, &error));
    return space;
}

static locbo_options settings(const scene_method *m) {
    locbo_options options = scene_options(m, 17);
    options.initial = 4;
    options.candidates = 6;
    options.refine = 1;
    options.fit_restarts = 0;
    options.cbo_chains = 2;
    options.cbo_steps = 3;
    options.levels = 5;
    options.refit_every = 2;
    options.recommendation = LOCBO_RECOMMEND_ANYWHERE;
    return options;
}

static void round_of(locbo_optimizer *o, int i) {
    double x[4];
    locbo_trial t;
    locbo_measurement m = {NAN, i % 2 ? 0.1 : NAN, 1};
    attempt(locbo_optimizer_ask(o, &t, x, &error));
    m.value = x[0] + x[1] + 0.1 * x[2] + x[3];
    if (i % 6 == 4)
        attempt(locbo_optimizer_tell_failed(o, t.id, &error));
    else if (i % 6 == 5)
        attempt(locbo_optimizer_tell_infeasible(o, t.id, &error));
    else
        attempt(locbo_optimizer_tell(o, t.id, &m, &error));
}

static void questions(locbo_optimizer *o) {
    double x[] = {0.5, 0.5, 3, 1, 0.1, 0.2, 5, 2}, at[4];
    locbo_belief b[2];
    locbo_choice c;
    locbo_summary s;
    attempt(locbo_optimizer_predict(o, 2, x, b, &error));
    attempt(locbo_optimizer_best(o, &c, at, &error));
    attempt(locbo_optimizer_recommend(o, &c, at, &error));
    attempt(locbo_optimizer_summary(o, &s, &error));
    attempt(locbo_optimizer_length_scales(o, at, &error));
}

static locbo_outcome objective(const double *x, size_t dim, const locbo_trial *t, locbo_measurement *m, void *user) {
    (void)dim, (void)t, (void)user;
    m->value = x[0];
    return LOCBO_EVALUATED;
}

/* From nothing to a saved state. */
static char *life(const scene_method *m, int thompson) {
    locbo_options options = settings(m);
    if (thompson) options.acquisition = LOCBO_ACQUISITION_THOMPSON;
    locbo_optimizer *o = NULL, *copy = NULL;
    char *text = NULL;
    double x[4];
    locbo_trial t;
    locbo_measurement one = {1, NAN, 1};
    locbo_space *space = build_space();
    attempt(locbo_optimizer_create(&o, space, &options, &error));
    attempt(locbo_optimizer_add(o, (double[]){0.3, 0.3, 4, 1}, &one, &error));
    for (int i = 0; i < 3; i++) round_of(o, i);
    questions(o); /* a preview */
    for (int i = 3; i < 9; i++) round_of(o, i);
    attempt(locbo_optimizer_ask(o, &t, x, &error)); /* stays outstanding */
    round_of(o, 0);
    attempt(locbo_optimizer_cancel(o, t.id, &error));
    questions(o);
    attempt(locbo_optimizer_run(o, 0, objective, NULL, &error));
    attempt(locbo_optimizer_save(o, &text, NULL, &error));
    locbo_optimizer_destroy(o);
    attempt(locbo_optimizer_load(&copy, text, strlen(text), &error));
    locbo_free(text);
    round_of(copy, 1);
    attempt(locbo_optimizer_save(copy, &text, NULL, &error));
    locbo_optimizer_destroy(copy);
    locbo_space_destroy(space);
    return text;
}

/* ---- a life with a fidelity -------------------------------------------------------------------- */

/* From nothing to a saved state; `mes`: with max-value entropy. */
static char *life_of_fidelity(const scene_method *m, int mes) {
    locbo_options options = settings(m);
    if (mes) options.acquisition = LOCBO_ACQUISITION_MES;
    locbo_optimizer *o = NULL, *copy = NULL;
    locbo_space *space = NULL;
    locbo_parameter_spec real = {.struct_size = sizeof real, .name = "x", .low = 0, .high = 1};
    locbo_parameter_spec epochs = {
        .struct_size = sizeof epochs, .name = "s", .kind = LOCBO_INT, .low = 1, .high = 27, .fidelity = 1};
    char *text = NULL;
    attempt(locbo_space_create(&space, &error));
    attempt(locbo_space_add(space, &real, &error));
    attempt(locbo_space_add(space, &epochs, &error));
    if (mes) attempt(locbo_space_set_cost(space, "s + 1", &error));
    attempt(locbo_optimizer_create(&o, space, &options, &error));
    for (int i = 0; i < 11; i++) {
        double x[2];
        locbo_trial t;
        attempt(locbo_optimizer_ask(o, &t, x, &error));
        locbo_measurement y = {(x[0] - 0.4) * (x[0] - 0.4) + 1 / x[1], NAN, 1};
        double lower[2] = {x[0], 1};
        if (i == 7)
            attempt(locbo_optimizer_tell_ended(o, t.id, lower, &y, &error));
        else
            attempt(locbo_optimizer_tell(o, t.id, &y, &error));
        attempt(locbo_optimizer_tell_cost(o, t.id, x[1], &error));
    }
    double at[2];
    locbo_choice c;
    attempt(locbo_optimizer_best(o, &c, at, &error));
    attempt(locbo_optimizer_recommend(o, &c, at, &error));
    attempt(locbo_optimizer_save(o, &text, NULL, &error));
    locbo_optimizer_destroy(o);
    attempt(locbo_optimizer_load(&copy, text, strlen(text), &error));
    locbo_free(text);
    attempt(locbo_optimizer_save(copy, &text, NULL, &error));
    locbo_optimizer_destroy(copy);
    locbo_space_destroy(space);
    return text;
}

/* ---- a life of several outputs ----------------------------------------------------------------- */

enum { OUTPUTS = 4 };

/* Something recorded, a constraint, and one or two objectives. */
static locbo_outputs *build_table(int objectives) {
    static const locbo_output_spec specs[OUTPUTS] = {
        {.struct_size = sizeof specs[0], .name = "r", .goal = LOCBO_GOAL_RECORD, .expression = "c + f"},
        {.struct_size = sizeof specs[0], .name = "c", .goal = LOCBO_GOAL_AT_MOST, .bound = 1.2},
        {.struct_size = sizeof specs[0], .name = "f"},
        {.struct_size = sizeof specs[0], .name = "g", .goal = LOCBO_GOAL_MAXIMIZE}};
    locbo_outputs *t = NULL;
    attempt(locbo_outputs_create(&t, &error));
    for (int i = 0; i < 2 + objectives; i++) attempt(locbo_outputs_add(t, &specs[i], &error));
    return t;
}

static void measure_all(const double *x, int i, locbo_measurement *m) {
    double value[OUTPUTS] = {x[2], x[0] + 0.3 * x[3], x[0] + x[1] + 0.1 * x[2] + x[3], x[0] - x[1] * x[1]};
    for (int k = 0; k < OUTPUTS; k++) m[k] = (locbo_measurement){value[k], k % 2 ? 0.1 : NAN, 1};
    if (i % 5 == 3) m[i % OUTPUTS].value = NAN;
}

static void round_of_several(locbo_optimizer *o, int i) {
    double x[4];
    locbo_trial t;
    locbo_measurement m[OUTPUTS];
    attempt(locbo_optimizer_ask(o, &t, x, &error));
    measure_all(x, i, m);
    if (i % 6 == 4)
        attempt(locbo_optimizer_tell_failed(o, t.id, &error));
    else
        attempt(locbo_optimizer_tell_outputs(o, t.id, m, &error));
}

static void questions_of_several(locbo_optimizer *o, int objectives) {
    double x[] = {0.5, 0.5, 3, 1, 0.1, 0.2, 5, 2}, at[4 * 4], feasible[2], volume;
    double seen[4 * OUTPUTS];
    double values[] = {0, 1, 2, 3}, reference[] = {0, 0, 9, 0};
    locbo_belief b[2 * OUTPUTS], there[4 * OUTPUTS];
    locbo_front_point front[4];
    locbo_choice c;
    size_t count;
    attempt(locbo_optimizer_predict_outputs(o, 2, x, b, feasible, &error));
    attempt(locbo_optimizer_front(o, LOCBO_FRONT_MEASURED, 4, front, at, seen, there, &count, &error));
    attempt(locbo_optimizer_front(o, LOCBO_FRONT_BELIEVED, 4, front, at, seen, there, &count, &error));
    attempt(locbo_optimizer_trial_beliefs(o, 1, b, &error));
    attempt(locbo_hypervolume(locbo_optimizer_outputs(o), 1, values, reference, &volume, &error));
    if (objectives > 1) return;
    attempt(locbo_optimizer_best(o, &c, at, &error));
    attempt(locbo_optimizer_recommend(o, &c, at, &error));
}

static char *life_of_several(const scene_method *m, int objectives) {
    locbo_options options = settings(m);
    locbo_optimizer *o = NULL, *copy = NULL;
    char *text = NULL;
    double x[] = {0.3, 0.3, 4, 1};
    locbo_trial t;
    locbo_measurement added[OUTPUTS];
    locbo_space *space = build_space();
    locbo_outputs *table = build_table(objectives);
    attempt(locbo_optimizer_create_for(&o, space, table, &options, &error));
    measure_all(x, 0, added);
    attempt(locbo_optimizer_add_outputs(o, x, added, &error));
    for (int i = 0; i < 3; i++) round_of_several(o, i);
    questions_of_several(o, objectives); /* a preview */
    for (int i = 3; i < 8; i++) round_of_several(o, i);
    attempt(locbo_optimizer_ask(o, &t, x, &error)); /* stays outstanding */
    round_of_several(o, 0);
    questions_of_several(o, objectives);
    attempt(locbo_optimizer_save(o, &text, NULL, &error));
    locbo_optimizer_destroy(o);
    attempt(locbo_optimizer_load(&copy, text, strlen(text), &error));
    locbo_free(text);
    round_of_several(copy, 1);
    attempt(locbo_optimizer_save(copy, &text, NULL, &error));
    locbo_optimizer_destroy(copy);
    locbo_outputs_destroy(table);
    locbo_space_destroy(space);
    return text;
}

/* ---- all failures in turn -------------------------------------------------------------------- */

static void arm(long victim, int lasting) {
    memset(&fault, 0, sizeof fault);
    fault.victim = victim;
    fault.lasting = lasting;
    fault.armed = 1;
}

/* Each of the first EACH allocations, then about MORE of the rest (most are jansson's, all alike).
 * Methods that are parts of others, are tried at every third, lasting failures at every seventh. `make soak` (SOAK is
 * then in the environment) tries them all, where the sanitizers look on; otherwise it is every so many-th of them. */
enum { EACH = 500, MORE = 60 };

static long thinned(void) { return getenv("SOAK") ? 1 : CHECK_SANITIZED ? 3 : 7; }

typedef char *life_fn(const scene_method *m, int variant);

static void fail_in_turn(life_fn *life_of, const scene_method *m, int variant, int every) {
    arm(0, 0);
    char *expected = life_of(m, variant);
    long total = fault.seen, step = total > EACH + MORE ? (total - EACH) / MORE : 1;
    fault_survived = 0;
    for (int lasting = 0; lasting < 2; lasting++)
        for (long victim = 1; victim <= total; victim += thinned() * (victim >= EACH ? step : lasting ? 7 : every)) {
            arm(victim, lasting);
            char *text = life_of(m, variant);
            assert_true(fault.fired && fault.reported);
            fault.armed = 0;
            check_that(strcmp(text, expected) == 0, "%s: allocation %ld of %ld left a trace", m->label, victim, total);
            locbo_free(text);
        }
    fault.armed = 0;
    print_message("%s: %ld allocations, %ld failures were done without\n", m->label, total, fault_survived);
    locbo_free(expected);
}

static void every_allocation_fails_once(void **state) {
    (void)state;
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++)
        fail_in_turn(life, &SCENE_METHODS[k], 0, k == 0 || k == 3 || k == 5 ? 1 : 3);
}

static void thompson_sampling_too(void **state) {
    (void)state;
    fail_in_turn(life, &SCENE_METHODS[2], 1, 3);
}

static void a_fidelity_too(void **state) {
    (void)state;
    fail_in_turn(life_of_fidelity, &SCENE_METHODS[0], 0, 3);
    fail_in_turn(life_of_fidelity, &SCENE_METHODS[0], 1, 5);
}

static void several_outputs_too(void **state) {
    (void)state;
    fail_in_turn(life_of_several, &SCENE_METHODS[0], 2, 1);
    fail_in_turn(life_of_several, &SCENE_METHODS[2], 1, 3);
    fail_in_turn(life_of_several, &SCENE_METHODS[3], 1, 7);
    fail_in_turn(life_of_several, &SCENE_METHODS[5], 1, 7);
}

/* The objective's round inside locbo_optimizer_run: no second attempt there, the run ends with the
 * reason. */
static void a_run_ends_with_the_reason(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    locbo_options options = settings(&SCENE_METHODS[0]);
    for (long victim = 1; victim < 400; victim += 3) {
        locbo_optimizer *o = scene_optimizer(space, &options);
        arm(victim, 0);
        locbo_status status = locbo_optimizer_run(o, 8, objective, NULL, NULL);
        fault.armed = 0;
        assert_true(status == LOCBO_OK || (status == LOCBO_ERR_MEMORY && fault.fired));
        check_ok(locbo_optimizer_run(o, 2, objective, NULL, &error));
        locbo_optimizer_destroy(o);
    }
    locbo_space_destroy(space);
}

int main(void) {
    json_set_alloc_funcs(__wrap_malloc, free);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_fails_once),
        cmocka_unit_test(thompson_sampling_too),
        cmocka_unit_test(a_fidelity_too),
        cmocka_unit_test(several_outputs_too),
        cmocka_unit_test(a_run_ends_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
