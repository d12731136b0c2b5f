/* test_surrogate.c - when the model is fitted, previews that leave no trace, and what is done after
 * trouble. */
#include "surrogate.h"

#include "scene.h"

typedef struct scene {
    locbo_space *space;
    surrogate model;
    dataset data;
    notifier events;
    int fits, troubles;
    rng stream;
} scene;

static void count_events(const locbo_event *event, void *user) {
    scene *s = user;
    s->fits += event->kind == LOCBO_EVENT_FIT;
    s->troubles += event->kind == LOCBO_EVENT_TROUBLE;
}

static void open_scene(scene *s, int refit_every) {
    locbo_options options;
    locbo_options_init(&options);
    options.refit_every = refit_every;
    memset(s, 0, sizeof *s);
    s->space = scene_cube(2);
    s->events = (notifier){count_events, s};
    s->stream = rng_open(4, 4, RNG_DESIGN);
    dataset_init(&s->data, 2, 2, -1);
    check_ok(surrogate_init(&s->model, s->space, &options, &error));
}

static void close_scene(scene *s) {
    surrogate_release(&s->model);
    dataset_release(&s->data);
    locbo_space_destroy(s->space);
}

/* Each surrogate has its number of length scales, and gamma its span. */
static void options_reach_the_fit(void **state) {
    (void)state;
    locbo_space *space = scene_cube(3);
    for (int kind = LOCBO_SURROGATE_MAP; kind <= LOCBO_SURROGATE_GAMMA; kind++) {
        locbo_options options;
        surrogate s;
        locbo_options_init(&options);
        options.surrogate = (locbo_surrogate)kind;
        options.input_span = 20;
        check_ok(surrogate_init(&s, space, &options, &error));
        int paper = kind == LOCBO_SURROGATE_PAPER, gamma = kind == LOCBO_SURROGATE_GAMMA;
        assert_int_equal(s.config.count, paper ? 3 : 5);
        assert_int_equal(gp_get_spec(s.model)->estimate_mean, !paper);
        assert_true(s.config.prior[0].shape == (gamma ? 3 : 0));
        assert_true(s.config.prior[0].rate == (gamma ? 120 : 0));
        surrogate_release(&s);
    }
    locbo_space_destroy(space);
}

static void add_rows(scene *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double x[] = {rng_uniform(&s->stream), rng_uniform(&s->stream)};
        locbo_measurement m = {scene_bowl(s->space, x), NAN, 1};
        check_ok(dataset_append(&s->data, x, x, &m, 0, &error));
    }
}

static int refresh(scene *s, int may_fit) {
    int ready = -1;
    check_ok(surrogate_refresh(&s->model, &s->data, may_fit, &s->events, &ready, &error));
    return ready;
}

static double mean_in_the_middle(scene *s) {
    double at[] = {0.5, 0.5}, mu, v;
    gp_work work = {0};
    check_ok(gp_predict(s->model.model, 1, at, &mu, &v, &work, &error));
    gp_work_release(&work);
    return mu;
}

static void no_model_below_two_rows(void **state) {
    (void)state;
    scene s;
    open_scene(&s, 1);
    for (int n = 0; n < 2; n++) {
        assert_int_equal(refresh(&s, 0), 0);
        assert_int_equal(refresh(&s, 1), 0);
        add_rows(&s, 1);
    }
    assert_int_equal(refresh(&s, 1), 1);
    close_scene(&s);
}

/* Fits come every `refit_every` rows; in between rows are appended. Asking twice fits once. */
static void the_schedule(void **state) {
    (void)state;
    scene s;
    open_scene(&s, 3);
    const int fits[] = {1, 1, 1, 2, 2, 2, 3};
    add_rows(&s, 4);
    for (int i = 0; i < 7; i++) {
        for (int again = 0; again < 2; again++) {
            assert_int_equal(refresh(&s, 1), 1);
            assert_int_equal(s.model.fits, fits[i]);
            assert_int_equal(gp_rows(s.model.model), 4 + i);
        }
        add_rows(&s, 1);
    }
    assert_int_equal(s.fits, 3);
    assert_int_equal(s.troubles, 0);
    close_scene(&s);
}

/* A look before the first fit, and looks in between, change no later bit. */
static void previews_leave_no_trace(void **state) {
    (void)state;
    scene plain, looked;
    open_scene(&plain, 2);
    open_scene(&looked, 2);
    for (int i = 0; i < 6; i++) {
        add_rows(&plain, 3);
        add_rows(&looked, 1);
        refresh(&looked, 0);
        add_rows(&looked, 2);
        assert_int_equal(refresh(&looked, 0), 1);
        if (i == 0) assert_true(!looked.model.fitted && looked.model.fits == 0);
        refresh(&plain, 1);
        refresh(&looked, 1);
        check_same(mean_in_the_middle(&looked), mean_in_the_middle(&plain));
        for (size_t k = 0; k < plain.model.config.count; k++) check_same(looked.model.theta[k], plain.model.theta[k]);
    }
    close_scene(&plain);
    close_scene(&looked);
}

/* The fact of a fit is enough: factored there and appended to, another model has the same bits. */
static void a_fit_can_be_repeated(void **state) {
    (void)state;
    scene a, b;
    open_scene(&a, 10);
    open_scene(&b, 10);
    add_rows(&a, 6);
    refresh(&a, 1);
    add_rows(&a, 3);
    refresh(&a, 1);
    add_rows(&b, 9);
    b.model.fitted = 1;
    b.model.fit_rows = a.model.fit_rows;
    b.model.fit_scale = a.model.fit_scale;
    memcpy(b.model.theta, a.model.theta, a.model.config.count * sizeof *a.model.theta);
    refresh(&b, 0);
    check_same(mean_in_the_middle(&b), mean_in_the_middle(&a));
    assert_int_equal(b.model.fits, 0);
    close_scene(&a);
    close_scene(&b);
}

/* A row that makes the fit fail (dataset_check would refuse it): the last good model stays. */
static void trouble_keeps_the_last_model(void **state) {
    (void)state;
    scene s;
    open_scene(&s, 1);
    add_rows(&s, 6);
    refresh(&s, 1);
    double before = mean_in_the_middle(&s);
    add_rows(&s, 1);
    s.data.measured[6].value = INFINITY;
    assert_int_equal(refresh(&s, 1), 1);
    assert_true(s.troubles > 0 && s.model.troubles == (uint64_t)s.troubles);
    assert_int_equal(gp_rows(s.model.model), 6);
    check_same(mean_in_the_middle(&s), before);
    s.data.measured[6].value = 0.5; /* healed: it takes all rows again */
    assert_int_equal(refresh(&s, 1), 1);
    assert_int_equal(gp_rows(s.model.model), 7);
    close_scene(&s);
}

/* Trouble from the start: no model, with an earlier preview or without. */
static void trouble_without_a_model(void **state) {
    (void)state;
    for (int look = 0; look < 2; look++) {
        scene s;
        open_scene(&s, 1);
        add_rows(&s, 4);
        if (look) assert_int_equal(refresh(&s, 0), 1);
        add_rows(&s, 1);
        s.data.measured[4].value = INFINITY;
        assert_int_equal(refresh(&s, 1), 0);
        close_scene(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_reach_the_fit),
        cmocka_unit_test(no_model_below_two_rows),
        cmocka_unit_test(the_schedule),
        cmocka_unit_test(previews_leave_no_trace),
        cmocka_unit_test(a_fit_can_be_repeated),
        cmocka_unit_test(trouble_keeps_the_last_model),
        cmocka_unit_test(trouble_without_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
