/* interrupt.c - Ctrl-C as a number, and SIGUSR1. Layer: system. The signals are blocked but for the time inside poll,
 * so none is missed between looking and sleeping, and for calls around which interrupt_let_in lets them in. */
#include "interrupt.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

enum { SIGNALS = 3 };
static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction actions[SIGNALS]; /* what was there before */
static sigset_t mask, ours, outside;      /* the mask before; what we block; the mask inside poll */
static volatile sig_atomic_t interrupts, end_limit, end_code, finish;
static int takes_finish;

static void note(int number) {
    (void)number;
    interrupts = interrupts + 1;
    if (end_limit > 0 && interrupts >= end_limit) _exit(end_code);
}

static void note_finish(int number) {
    (void)number;
    finish = 1;
}

void interrupt_take_finish(void) {
    struct sigaction action = {.sa_handler = note_finish, .sa_flags = SA_RESTART}, before;
    sigset_t only;
    sigaction(SIGUSR1, NULL, &before);
    if (before.sa_handler == SIG_IGN) return; /* as below */
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&only);
    sigaddset(&only, SIGUSR1);
    sigprocmask(SIG_BLOCK, &only, NULL);
    takes_finish = 1;
}

void interrupt_install(void) {
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigemptyset(&ours);
    end_limit = 0;
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &actions[i]);
        /* a signal that was ignored when we started (nohup does that) stays ignored */
        if (actions[i].sa_handler == SIG_IGN) continue;
        sigaction(signals[i], &action, NULL);
        sigaddset(&ours, signals[i]);
    }
    sigprocmask(SIG_BLOCK, &ours, &mask);
    outside = mask;
    for (size_t i = 0; i < SIGNALS; i++) sigdelset(&outside, signals[i]);
    if (takes_finish) sigdelset(&outside, SIGUSR1);
}

void interrupt_restore(void) {
    for (size_t i = 0; i < SIGNALS; i++) sigaction(signals[i], &actions[i], NULL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
}

int interrupt_count(void) {
    /* a blocked signal that waits counts too: let it in */
    sigset_t before;
    sigprocmask(SIG_SETMASK, &outside, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return interrupts;
}

int interrupt_is_finish(void) {
    interrupt_count(); /* lets it in */
    return finish;
}

void interrupt_let_in(int limit, int code) {
    end_limit = limit;
    end_code = code;
    sigprocmask(SIG_SETMASK, &outside, NULL);
}

void interrupt_hold(void) {
    sigprocmask(SIG_BLOCK, &ours, NULL);
    end_limit = 0;
}

int interrupt_poll(struct pollfd *set, nfds_t count, double seconds) {
    struct timespec time = clock_span(isfinite(seconds) ? seconds : 0);
    return ppoll(set, count, isfinite(seconds) ? &time : NULL, &outside);
}
