/* mixed.c - parameters of every kind, evaluations that fail, four workers, a restart in the middle.
 *
 * A made-up training run is tuned: a learning rate (logarithmic), a number of layers (whole) and a
 * method (categorical). Four evaluations are under way at any time and end in any order. Some bring
 * no value: we say so, and never make one up. Half-way the state is saved and everything destroyed;
 * another optimizer, which could as well live in another process on another day, goes on exactly
 * where the first one stopped. */
#include <locbo/locbo.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATE, LAYERS, METHOD, DIM }; /* the parameters, in the order they are added */
enum { WORKERS = 4, RESULTS = 60 };
static const char *const methods[] = {"sgd", "momentum", "adam"};

static void check(locbo_status status, const locbo_error *error) {
    if (status == LOCBO_OK) return;
    fprintf(stderr, "mixed: %s\n", error->message);
    exit(1);
}

/* The experiment: best at rate 0.01, 5 layers and adam: a loss of 0.30, plus noise of sd 0.02. */
static locbo_outcome train(const double *x, double *loss) {
    if (x[LAYERS] > 6 && x[METHOD] == 2) return LOCBO_INFEASIBLE; /* does not fit into memory, ever */
    if (x[RATE] > 0.2) return LOCBO_FAILED;                       /* diverged; might have been bad luck */
    double noise = 0; /* the sum of 12 uniform numbers is all but normal, with variance 1 */
    for (int i = 0; i < 12; i++) noise += rand() / (double)RAND_MAX - 0.5;
    *loss =
        0.3 + 0.1 * pow(log10(x[RATE] / 0.01), 2) + 0.02 * pow(x[LAYERS] - 5, 2) + 0.1 * (2 - x[METHOD]) + 0.02 * noise;
    return LOCBO_EVALUATED;
}

/* One trial ends, with a value or without. */
static void report(locbo_optimizer *o, uint64_t trial, const double *x, locbo_error *error) {
    locbo_measurement y = {.value = NAN, .sd = NAN, .n = 1};
    switch (train(x, &y.value)) {
    case LOCBO_EVALUATED:
        check(locbo_optimizer_tell(o, trial, &y, error), error);
        break;
    case LOCBO_INFEASIBLE:
        check(locbo_optimizer_tell_infeasible(o, trial, error), error);
        break;
    default:
        check(locbo_optimizer_tell_failed(o, trial, error), error);
    }
}

/* Save, destroy, load. Trials under way stay under way: their numbers mean the same afterwards. */
static locbo_optimizer *restart(locbo_optimizer *o, locbo_error *error) {
    char *text;
    size_t length;
    check(locbo_optimizer_save(o, &text, &length, error), error);
    locbo_optimizer_destroy(o);
    check(locbo_optimizer_load(&o, text, length, error), error);
    locbo_free(text);
    printf("after %d trials: saved %zu bytes, loaded them again\n", RESULTS / 2, length);
    return o;
}

int main(void) {
    locbo_error error;
    locbo_space *space;
    locbo_optimizer *o;
    check(locbo_space_create(&space, &error), &error);
    check(locbo_space_add_real(space, "rate", 1e-5, 1, LOCBO_LOG, &error), &error);
    check(locbo_space_add_int(space, "layers", 1, 8, LOCBO_LINEAR, &error), &error);
    check(locbo_space_add_categorical(space, "method", 3, methods, &error), &error);
    check(locbo_optimizer_create(&o, space, NULL, &error), &error); /* NULL: the default options */

    locbo_trial trial[WORKERS];
    double x[WORKERS][DIM];
    for (int i = 0; i < WORKERS; i++) check(locbo_optimizer_ask(o, &trial[i], x[i], &error), &error);
    for (int done = 1; done <= RESULTS; done++) {
        int i = rand() % WORKERS; /* this worker is the next to end; it gets a new point at once */
        report(o, trial[i].id, x[i], &error);
        if (done == RESULTS / 2) o = restart(o, &error);
        check(locbo_optimizer_ask(o, &trial[i], x[i], &error), &error);
    }

    locbo_summary s;
    locbo_choice bet;
    double at[DIM];
    check(locbo_optimizer_summary(o, &s, &error), &error);
    check(locbo_optimizer_recommend(o, &bet, at, &error), &error);
    printf("%d trials ended: %d with a value, %d failed, %d infeasible; %d under way\n", RESULTS, (int)s.told,
           (int)s.failed, (int)s.infeasible, (int)s.pending);
    printf("recommended: rate %.3g, layers %.0f, %s; loss %.2f, between %.2f and %.2f\n", at[RATE], at[LAYERS],
           methods[(int)at[METHOD]], bet.value, bet.low, bet.high);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}
