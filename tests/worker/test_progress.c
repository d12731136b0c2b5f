/* test_progress.c - the line on a terminal and the lines of a log, with a clock of our own. */
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>

#include "capture.h"

/* The clock that progress.c reads. Time passes when we say so. */
static double clock_now = 1000;

int clock_gettime(clockid_t id, struct timespec *t) {
    (void)id;
    t->tv_sec = (time_t)clock_now;
    t->tv_nsec = (long)((clock_now - (double)t->tv_sec) * 1e9);
    return 0;
}

static const progress_state fresh = {
    .total = 60, .best = NAN, .volume = NAN, .coverage = NAN, .coverage_most = NAN, .target = NAN};

static progress_state at(uint64_t done, double best, uint64_t trial) {
    progress_state s = fresh;
    s.done = done, s.best = best, s.best_trial = trial;
    return s;
}

static void set_environment(const char *term, const char *locale) {
    unsetenv("NO_COLOR");
    unsetenv("LC_CTYPE");
    unsetenv("LANG");
    setenv("TERM", term, 1);
    setenv("LC_ALL", locale, 1);
}

/* ---- a log ----------------------------------------------------------------------------------- */

/* No result, the first, waiting, news after 5 s, a better one, the last state. */
static void log_lines(void **state) {
    (void)state;
    set_environment("xterm", "C.UTF-8");
    capture c = capture_begin(STDERR_FILENO);
    progress *p = progress_open(0);
    progress_state s = fresh;
    progress_update(p, &s);
    clock_now += 2;
    s = at(4, 0.5, 3);
    progress_update(p, &s); /* the first best */
    s.done = 5;
    progress_update(p, &s); /* too early */
    clock_now += 4.9;
    progress_update(p, &s);
    clock_now += 0.2;
    s.running = 2;
    progress_update(p, &s); /* five seconds, and one more trial than last said */
    clock_now += 20;
    s.running = 1;
    progress_update(p, &s); /* no trial has ended */
    s = at(6, 0.03125, 6);
    s.coverage = 0.8, s.target = 0.8, s.failed = 1;
    progress_update(p, &s); /* a new best */
    s.done = 7;
    s.infeasible = 3;
    progress_update(p, &s);
    progress_close(p); /* has not been said */
    capture_end(&c);
    assert_string_equal(c.text, "4/60 best 0.5 (trial 3), 2.0/s, 28 s left\n"
                                "5/60 best 0.5 (trial 3), 0.7/s, 1 min 18 s left\n"
                                "6/60 best 0.03125 (trial 6), 0.2/s, 4 min 4 s left, coverage 0.80 of 0.80,"
                                " 1 failed\n"
                                "7/60 best 0.03125 (trial 6), 0.3/s, 3 min 25 s left, coverage 0.80 of "
                                "0.80, 1 failed, 3 infeasible\n");
    capture_free(&c);
}

/* Trials of an earlier run are no work of this one. */
static void resumed(void **state) {
    (void)state;
    capture c = capture_begin(STDERR_FILENO);
    progress *p = progress_open(0);
    progress_state s = at(50, 1, 7);
    progress_update(p, &s);
    clock_now += 100;
    s.done = 51;
    progress_update(p, &s);
    clock_now += 1000000;
    s.done = 60;
    progress_update(p, &s);
    progress_close(p);
    capture_end(&c);
    assert_string_equal(c.text, "50/60 best 1 (trial 7)\n"
                                "51/60 best 1 (trial 7), 0.6/min, 15 min left\n"
                                "60/60 best 1 (trial 7), 0.0/h\n");
    capture_free(&c);
}

static void endless(void **state) {
    (void)state;
    capture c = capture_begin(STDERR_FILENO);
    progress *p = progress_open(0);
    progress_state s = fresh;
    s.total = 0;
    progress_update(p, &s);
    clock_now += 6;
    s.failed = 2;
    progress_update(p, &s);
    s = at(1000, -2, 5);
    s.total = 0, s.coverage = 0.75;
    progress_update(p, &s);
    progress_close(p);
    capture_end(&c);
    assert_string_equal(c.text, "0 done, no result yet, 2 failed\n"
                                "1000 done, best -2 (trial 5), 167/s, coverage 0.75\n");
    capture_free(&c);
}

/* Results that all miss a constraint; then a front, without and with a hypervolume; coverage of several outputs. */
static void several_outputs(void **state) {
    (void)state;
    set_environment("xterm", "C.UTF-8");
    capture c = capture_begin(STDERR_FILENO);
    progress *p = progress_open(0);
    progress_state s = fresh;
    progress_update(p, &s);
    clock_now += 6;
    s.done = 3, s.results = 3, s.objectives = 2;
    progress_update(p, &s);
    clock_now += 6;
    s.done = 4, s.results = 4, s.points = 1;
    progress_update(p, &s);
    clock_now += 6;
    s.done = 8, s.points = 3, s.since_front = 1, s.volume = 12.5, s.coverage = 0.75, s.coverage_most = 0.875;
    s.target = 0.8;
    progress_update(p, &s);
    progress_close(p);
    capture_end(&c);
    assert_string_equal(c.text, "3/60 nothing feasible yet, 0.5/s, 1 min 54 s left\n"
                                "4/60 front 1 point, improved by the last trial, 0.3/s, 2 min 48 s left\n"
                                "8/60 front 3 points, hypervolume 12.5, improved 1 trial ago, 0.4/s, 1 min 57 s left, "
                                "coverage 0.75 to 0.88 of 0.80\n");
    capture_free(&c);
}

static void messages(void **state) {
    (void)state;
    capture c = capture_begin(STDERR_FILENO);
    progress *p = progress_open(0), *q = progress_open(1);
    progress_state s = at(1, 1, 1);
    progress_say(p, "trial %d failed:\n\033[2J%s", 3, "exit code 1");
    progress_update(q, &s);
    progress_say(q, "quiet");
    progress_close(q);
    progress_close(p);
    progress_update(NULL, &s); /* no memory when it was opened */
    progress_say(NULL, "still said");
    progress_close(NULL);
    capture_end(&c);
    assert_string_equal(c.text, "trial 3 failed:??[2Jexit code 1\nstill said\n");
    capture_free(&c);
}

/* ---- a terminal ------------------------------------------------------------------------------ */

static int master, saved;

static void open_terminal(unsigned short width) {
    master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master == -1) skip(); /* a chroot or container without terminals */
    assert_true(master != -1 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(slave != -1);
    struct termios raw;
    tcgetattr(slave, &raw);
    cfmakeraw(&raw); /* no \r before \n */
    tcsetattr(slave, TCSANOW, &raw);
    struct winsize size = {.ws_row = 24, .ws_col = width};
    ioctl(slave, TIOCSWINSZ, &size);
    fflush(NULL);
    saved = dup(STDERR_FILENO);
    dup2(slave, STDERR_FILENO);
    close(slave);
}

/* What is on it; it is closed. */
static const char *close_terminal(void) {
    static char text[16384];
    size_t size = 0;
    ssize_t got = 0;
    struct pollfd wait = {.fd = master, .events = POLLIN};
    while (poll(&wait, 1, 0) > 0 && (wait.revents & POLLIN) &&
           (got = read(master, text + size, sizeof text - 1 - size)) > 0)
        size += (size_t)got;
    text[size] = '\0';
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(master);
    return text;
}

static progress_state rich(void) {
    progress_state s = at(42, 0.0123, 17);
    s.coverage = 0.83, s.target = 0.8, s.running = 2, s.failed = 1, s.infeasible = 3;
    return s;
}

/* One drawing of the rich state at this width, without its frame. */
static void check_line(unsigned short width, const char *locale, const char *expected) {
    set_environment("xterm", locale);
    open_terminal(width);
    progress *p = progress_open(0);
    progress_state s = fresh;
    progress_update(p, &s);
    clock_now += 14;
    s = rich();
    progress_update(p, &s);
    progress_close(p);
    const char *text = close_terminal(), *last = strrchr(text, '\r');
    assert_non_null(last);
    char whole[400];
    snprintf(whole, sizeof whole, "\r\033[K%s\n", expected);
    assert_string_equal(last, whole);
}

static void widths(void **state) {
    (void)state;
    check_line(140, "C",
               "  42/60 ################--------  3.0/s  left 6 s  best 0.0123 (#17)  coverage 0.83 "
               "(target 0.80)  2 running  1 failed  3 infeasible");
    check_line(140, "de_DE.utf8",
               "  42/60 ████████████████░░░░░░░░  3.0/s  left 6 s  best 0.0123 (#17)  coverage 0.83 "
               "(target 0.80)  2 running  1 failed  3 infeasible");
    check_line(100, "C",
               "  42/60 ########----  left 6 s  best 0.0123 (#17)  coverage 0.83 "
               "(target 0.80)  2 running  1 failed");
    check_line(80, "C", "  42/60 #########----  left 6 s  best 0.0123 (#17)  coverage 0.83 (target 0.80)");
    check_line(60, "C", "  42/60 ###############-------  left 6 s  best 0.0123 (#17)");
    check_line(40, "C", "  42/60  left 6 s  best 0.0123 (#17)");
    check_line(30, "C", "  42/60  best 0.0123 (#17)");
    check_line(10, "C", "  42/60");
    check_line(3, "C", "  42/60");
    check_line(0, "C", /* unknown: 80 */
               "  42/60 #########----  left 6 s  best 0.0123 (#17)  coverage 0.83 (target 0.80)");
}

static size_t count_of(const char *text, const char *word) {
    size_t n = 0;
    for (const char *found = text; (found = strstr(found, word)); found++) n++;
    return n;
}

/* 1000 updates in one second are at most 11 drawings, and the last state is seen. */
static void not_too_often(void **state) {
    (void)state;
    set_environment("xterm", "C");
    open_terminal(100);
    progress *p = progress_open(0);
    progress_state s = fresh;
    s.total = 1000;
    for (s.done = 0; s.done < 1000; s.done++) {
        progress_update(p, &s);
        clock_now += 0.001;
    }
    s.done = 1000;
    progress_update(p, &s);
    progress_close(p);
    const char *text = close_terminal();
    check_that(count_of(text, "\r") >= 9 && count_of(text, "\r") <= 12, "%zu", count_of(text, "\r"));
    assert_non_null(strstr(text, "  1000/1000 ########################"));
    assert_string_equal(text + strlen(text) - 1, "\n");
    assert_int_equal(count_of(text, "\n"), 1);
}

static void message_above(void **state) {
    (void)state;
    set_environment("xterm", "C");
    open_terminal(40);
    progress *p = progress_open(0);
    progress_say(p, "before");
    progress_state s = at(30, NAN, 0);
    progress_update(p, &s);
    progress_say(p, "a\nmessage");
    progress_close(p);
    assert_string_equal(close_terminal(), "before\n"
                                          "\r\033[K  30/60 ############------------"
                                          "\r\033[Ka?message\n\r\033[K  30/60 ############------------"
                                          "\r\033[K  30/60 ############------------\n");
}

/* No drawing where it is not wanted or not possible; more done than planned does no harm. */
static void plain_terminals(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        set_environment(i == 0 ? "dumb" : i == 1 ? "" : "xterm", "C.UTF-8");
        if (i >= 2) setenv("NO_COLOR", i == 2 ? "1" : "", 1);
        open_terminal(60);
        progress *p = progress_open(0);
        progress_state s = at(90, 2, 1);
        progress_update(p, &s);
        progress_close(p);
        const char *text = close_terminal();
        if (i < 3)
            assert_string_equal(text, "90/60 best 2 (trial 1)\n");
        else /* an empty NO_COLOR says nothing */
            assert_non_null(strstr(text, "  90/60 ████████████████████████  best 2 (#1)\n"));
    }
}

static void no_end_known(void **state) {
    (void)state;
    set_environment("xterm", "C");
    open_terminal(80);
    progress *p = progress_open(0);
    progress_state s = at(0, NAN, 0);
    s.total = 0;
    progress_update(p, &s);
    clock_now += 10;
    s.done = 1, s.best = 1e-300, s.best_trial = 18446744073709551615u;
    progress_update(p, &s);
    progress_close(p);
    assert_string_equal(close_terminal(), "\r\033[K  0 done"
                                          "\r\033[K  1 done  0.1/s  best 1e-300 (#18446744073709551615)"
                                          "\r\033[K  1 done  0.1/s  best 1e-300 (#18446744073709551615)\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_lines),       cmocka_unit_test(resumed),       cmocka_unit_test(endless),
        cmocka_unit_test(several_outputs), cmocka_unit_test(messages),      cmocka_unit_test(widths),
        cmocka_unit_test(not_too_often),   cmocka_unit_test(message_above), cmocka_unit_test(plain_terminals),
        cmocka_unit_test(no_end_known),
    };
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
