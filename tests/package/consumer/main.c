/* main.c - a user's program: a few rounds of ask and tell, with private names of the library defined as its own. */
#include <locbo/locbo.h>

#include <math.h>
#include <stdio.h>

/* The library has functions of these names inside; they must not meet. */
int gp_create(void);
int gp_create(void) { return 42; }
int mem_free(void);
int mem_free(void) { return 43; }

int main(void) {
    locbo_error error = {LOCBO_OK, ""};
    locbo_space *space = NULL;
    locbo_optimizer *optimizer = NULL;
    locbo_options options;
    locbo_options_init(&options);
    if (locbo_space_create(&space, &error) != LOCBO_OK ||
        locbo_space_add_real(space, "x", -1, 2, LOCBO_LINEAR, &error) != LOCBO_OK ||
        locbo_optimizer_create(&optimizer, space, &options, &error) != LOCBO_OK)
        goto done;
    for (int i = 0; i < 12; i++) {
        locbo_trial trial;
        double x;
        if (locbo_optimizer_ask(optimizer, &trial, &x, &error) != LOCBO_OK) goto done;
        locbo_measurement y = {.value = (x - 1) * (x - 1), .sd = NAN, .n = 1};
        if (locbo_optimizer_tell(optimizer, trial.id, &y, &error) != LOCBO_OK) goto done;
    }
    locbo_choice best;
    double x;
    if (locbo_optimizer_best(optimizer, &best, &x, &error) != LOCBO_OK) goto done;
    printf("locbo %s, best %.3g at x = %.3g\n", locbo_version(), best.value, x);
    if (gp_create() != 42 || mem_free() != 43 || best.value > 0.5) error.status = LOCBO_ERR_STATE;
done:
    if (error.status != LOCBO_OK) fprintf(stderr, "consumer: %s\n", error.message);
    locbo_optimizer_destroy(optimizer);
    locbo_space_destroy(space);
    return error.status == LOCBO_OK ? 0 : 1;
}
