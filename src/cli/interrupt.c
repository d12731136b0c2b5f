/* interrupt.c - Ctrl-C as a number. Layer: cli, bottom. The signals are blocked but for the time inside poll, so none is
 * missed between looking and sleeping. */
#include "interrupt.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static volatile sig_atomic_t interrupts;
static sigset_t outside; /* the mask inside poll */

static void note(int number) {
    (void)number;
    interrupts = interrupts + 1;
}

void interrupt_install(void) {
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note};
    sigset_t ours;
    sigemptyset(&action.sa_mask);
    sigemptyset(&ours);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction before;
        /* whoever started us with a signal ignored (nohup does) wants it ignored */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(signals[i], &action, NULL);
        sigaddset(&ours, signals[i]);
    }
    sigprocmask(SIG_BLOCK, &ours, &outside);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) sigdelset(&outside, signals[i]);
}

int interrupt_count(void) {
    /* a blocked signal that waits counts too: let it in */
    sigset_t before;
    sigprocmask(SIG_SETMASK, &outside, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return interrupts;
}

int interrupt_poll(struct pollfd *set, nfds_t count, double seconds) {
    struct timespec time = {0, 0};
    if (seconds > 0 && isfinite(seconds)) {
        time.tv_sec = (time_t)seconds;
        time.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
    }
    return ppoll(set, count, isfinite(seconds) ? &time : NULL, &outside);
}
