/* test_threads.c - different optimizers in different threads: every one ends where it would have ended alone. */
#include <pthread.h>

#include "scene.h"

enum { THREADS = 4, ROUNDS = 40 };

typedef struct life {
    locbo_method method;
    char *saved; /* NULL: something failed */
} life;

static locbo_outcome bowl(const double *x, size_t dim, const locbo_trial *trial, locbo_measurement *m, void *user) {
    (void)trial, (void)user;
    m->value = 0;
    for (size_t i = 0; i < dim; i++) m->value += (x[i] - 0.3) * (x[i] - 0.3);
    return LOCBO_EVALUATED;
}

/* A whole life; no assertion in here, cmocka's are for one thread. */
static void *live(void *user) {
    life *l = user;
    locbo_space *space = NULL;
    locbo_optimizer *o = NULL;
    locbo_options options;
    locbo_options_init(&options);
    options.method = l->method;
    int good = locbo_space_create(&space, NULL) == LOCBO_OK;
    for (int i = 0; i < 3; i++)
        good = good && locbo_space_add_real(space, &"abc"[i], 0, 1, LOCBO_LINEAR, NULL) == LOCBO_OK;
    good = good && locbo_optimizer_create(&o, space, &options, NULL) == LOCBO_OK &&
           locbo_optimizer_run(o, ROUNDS, bowl, NULL, NULL) == LOCBO_OK;
    l->saved = NULL;
    if (good) locbo_optimizer_save(o, &l->saved, NULL, NULL);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
    return NULL;
}

static void threads_do_not_meet(void **state) {
    (void)state;
    const locbo_method methods[] = {LOCBO_METHOD_LOCBO, LOCBO_METHOD_BO, LOCBO_METHOD_CBO};
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        life alone = {methods[k], NULL}, together[THREADS];
        pthread_t thread[THREADS];
        live(&alone);
        assert_non_null(alone.saved);
        for (int i = 0; i < THREADS; i++) {
            together[i] = (life){methods[k], NULL};
            assert_int_equal(pthread_create(&thread[i], NULL, live, &together[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(thread[i], NULL), 0);
            assert_non_null(together[i].saved);
            assert_string_equal(together[i].saved, alone.saved);
            locbo_free(together[i].saved);
        }
        locbo_free(alone.saved);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
