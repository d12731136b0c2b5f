/* test_external.c - external methods: the lines they read and write, and every way to fail; none blocks or ends the
 * harness. The programs are commands for /bin/sh. */
#include "external.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { DIM = 2, INITIAL = 1, ROUNDS = 2 };
static const double LONG = 20;   /* seconds, for what must come, on a busy machine */
static const double SHORT = 0.2; /* for what must not come */

static external *begin(const char *command, double seconds) {
    external *r = NULL;
    check_ok(external_start(&r, command, seconds, &error));
    check_ok(external_greet(r, DIM, 18446744073709551615U, INITIAL, ROUNDS, "", &error));
    return r;
}

/* Numbers arrive exactly in both directions; the largest seed is fine. */
static void lines_go_both_ways(void **state) {
    (void)state;
    const double told[] = {0.1 + 0.2, 1.0 / 3, -1e-300}, answer = -0.0;
    double u[DIM];
    external *r = begin("read d s n r; read a b y; [ $s = 18446744073709551615 ] || exit 1; echo $a $b;"
                        "read z; echo \" 1\t0$z\"; echo $n.0 0.$r ",
                        LONG);
    check_ok(external_tell(r, 3, told, &error));
    check_ok(external_ask(r, u, &error));
    check_same(u[0], told[0]);
    check_same(u[1], told[1]);
    check_fails(external_tell(r, 1, &answer, &error) == LOCBO_OK ? external_ask(r, u, &error) : LOCBO_OK,
                LOCBO_ERR_FORMAT, "point 2 must be 2 numbers, got ' 1?0-0'"); /* -0 is told as such */
    check_ok(external_ask(r, u, &error));
    check_same(u[0], 1);
    check_same(u[1], 0.2);
    check_ok(external_finish(r, &error));
    external_destroy(r);
}

/* The first point of this program is refused. */
static void refuse(const char *command, locbo_status code, const char *words) {
    double u[DIM];
    external *r = begin(command, LONG);
    check_fails(external_ask(r, u, &error), code, words);
    external_destroy(r);
}

static void points_that_are_none(void **state) {
    (void)state;
    const locbo_status bad = LOCBO_ERR_FORMAT;
    refuse("echo no point", bad, "program 'echo no point': point 1 must be 2 numbers, got 'n");
    refuse("echo 0.5", bad, "point 1 must be 2 numbers, got '0.5'");
    refuse("echo 0.5 0.5 0.5", bad, "point 1 must be 2 numbers, got '0.5 0.5 0.5'");
    refuse("echo 0.5,0.5", bad, "point 1 must be 2 numbers, got '0.5,0.5'");
    refuse("echo", bad, "point 1 must be 2 numbers, got ''");
    refuse("echo nan 0.5", bad, "point 1 must lie in the unit cube, got the coordinate 'nan'");
    refuse("echo 0.5 inf", bad, "point 1 must lie in the unit cube, got the coordinate 'inf'");
    refuse("echo 0.5 -1e-9", bad, "got the coordinate '-1e-9'");
    refuse("echo 1.0000001 0", bad, "got the coordinate '1.0000001'");
    refuse("printf '0.5 0.5\\0 1\\n'", bad, "point 1 has a NUL after '0.5 0.5'");
    refuse("head -c 9000 /dev/zero | tr '\\0' 1", bad, "the line of point 1 has 8192 bytes or more");
}

static void programs_that_end_early(void **state) {
    (void)state;
    const locbo_status bad = LOCBO_ERR_IO;
    refuse("true", bad, "program 'true' ended with exit code 0 before point 1");
    refuse("exit 3", bad, "ended with exit code 3 before point 1");
    refuse("kill -9 $$", bad, "ended with exit code 137 before point 1");
    refuse("printf '0.5 0.5'", bad, "ended with exit code 0 before point 1"); /* no whole line */
    refuse("no-such-program", bad, "ended with exit code 127 before point 1: ");
    refuse("echo one >&2; echo two >&2; echo >&2; exit 1", bad, "exit code 1 before point 1: two");
    refuse("echo one >&2; printf 'no end' >&2; exit 1", bad, "exit code 1 before point 1: no end");
    refuse("exec >&-; read a; read b; read c", bad, "closed its output before point 1");
}

static double seconds_since(double start) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec - start;
}

/* All processes it started are gone: they inherited the pipe, and its last writer has closed it. */
static void check_gone(int ends[2]) {
    struct pollfd end = {.fd = ends[0], .events = POLLIN};
    char byte;
    close(ends[1]);
    assert_int_equal(poll(&end, 1, 10000), 1);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

static void silence_is_not_waited_for(void **state) {
    (void)state;
    double u[DIM], start = seconds_since(0);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    external *r = begin("sleep 1000 & sleep 1000", SHORT);
    check_fails(external_ask(r, u, &error), LOCBO_ERR_IO, "point 1 did not come within 0.2 s");
    external_destroy(r);
    check_gone(ends);
    r = begin("printf 0.5; while :; do printf ' '; sleep 0.05; done", SHORT); /* no end of a line */
    check_fails(external_ask(r, u, &error), LOCBO_ERR_IO, "point 1 did not come within 0.2 s");
    external_destroy(r);
    check_that(seconds_since(start) < 20, "%g s", seconds_since(start));
}

/* More lines than the pipe holds. */
static void one_that_does_not_read_is_not_waited_for(void **state) {
    (void)state;
    const double third = 1.0 / 3;
    locbo_status status = LOCBO_OK;
    locbo_error why;
    external *r = begin("sleep 1000", SHORT);
    for (size_t i = 0; i < 100000 && status == LOCBO_OK; i++) status = external_tell(r, 1, &third, &why);
    assert_int_equal(status, LOCBO_ERR_IO);
    check_that(strstr(why.message, "does not read its input within 0.2 s"), "%s", why.message);
    external_destroy(r);
}

/* A broken pipe raises no signal here and is no error: the program does not need the measurements. */
static void one_that_closes_its_input_is_fine(void **state) {
    (void)state;
    double u[DIM], y = 1;
    external *r = begin("exec <&-; echo 0.5 0.5; echo 0 1; echo 1 0", LONG);
    for (size_t i = 0; i < 3; i++) {
        check_ok(external_ask(r, u, &error));
        check_ok(external_tell(r, 1, &y, &error));
    }
    check_same(u[0], 1);
    check_ok(external_finish(r, &error));
    external_destroy(r);
}

/* More than a pipe holds, before the point and after it. */
static void much_standard_error_does_not_block_it(void **state) {
    (void)state;
    double u[DIM];
    external *r = begin("yes no | head -c 300000 >&2; echo 0.5 0.5; yes no | head -c 300000 >&2", LONG);
    check_ok(external_ask(r, u, &error));
    check_ok(external_finish(r, &error));
    external_destroy(r);
}

static void finish_badly(const char *command, double seconds, locbo_status code, const char *words) {
    double u[DIM];
    external *r = begin(command, seconds);
    for (size_t i = 0; i <= ROUNDS; i++) check_ok(external_ask(r, u, &error));
    check_fails(external_finish(r, &error), code, words);
    external_destroy(r);
}

#define POINTS "echo 0 0; echo 0 0; echo 0 0; "
static void the_end_counts_too(void **state) {
    (void)state;
    finish_badly(POINTS "echo 0 0", LONG, LOCBO_ERR_FORMAT, "more than 2 points and the recomm");
    finish_badly(POINTS "echo oops >&2; exit 2", LONG, LOCBO_ERR_IO,
                 "ended with exit code 2 after the recommended point: oops");
    finish_badly(POINTS "exec sleep 1000", 0.5, LOCBO_ERR_IO, "it did not end within 0.5 s");
    finish_badly(POINTS "exec >&- 2>&-; sleep 1000", 0.5, LOCBO_ERR_IO, "it did not end within 0.5 s");
    finish_badly(POINTS "yes", LONG, LOCBO_ERR_FORMAT, "more than 2 points");
    double u[DIM];
    external *r = begin("echo 0 0; echo 0 0; echo x", LONG);
    check_ok(external_ask(r, u, &error));
    check_ok(external_ask(r, u, &error));
    check_fails(external_ask(r, u, &error), LOCBO_ERR_FORMAT, "the recommended point must be 2 numbers");
    external_destroy(r);
    external_destroy(NULL);
}

/* Even if the harness has no standard input and output of its own. */
static void low_descriptors_do_not_matter(void **state) {
    (void)state;
    int kept[2] = {dup(0), dup(1)};
    double u[DIM];
    close(0);
    close(1);
    external *r = NULL;
    locbo_status status = external_start(&r, "read d; echo 0.5 0.25", LONG, NULL);
    if (status == LOCBO_OK) status = external_greet(r, DIM, 1, INITIAL, 0, "", NULL);
    if (status == LOCBO_OK) status = external_ask(r, u, NULL);
    if (status == LOCBO_OK) status = external_finish(r, NULL);
    external_destroy(r);
    for (int i = 0; i < 2; i++) {
        dup2(kept[i], i);
        close(kept[i]);
    }
    assert_int_equal(status, LOCBO_OK);
    check_same(u[1], 0.25);
}

/* It is no program of ours: what opens the database is not for it. */
static void no_credentials(void **state) {
    (void)state;
    double u[DIM];
    setenv("PGPASSWORD", "hidden", 1);
    external *r = begin("read d s n r; echo 0.${PGPASSWORD:+9}5 0.25", LONG);
    unsetenv("PGPASSWORD");
    check_ok(external_ask(r, u, &error));
    check_same(u[0], 0.5);
    external_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_go_both_ways),
        cmocka_unit_test(points_that_are_none),
        cmocka_unit_test(programs_that_end_early),
        cmocka_unit_test(silence_is_not_waited_for),
        cmocka_unit_test(one_that_does_not_read_is_not_waited_for),
        cmocka_unit_test(one_that_closes_its_input_is_fine),
        cmocka_unit_test(much_standard_error_does_not_block_it),
        cmocka_unit_test(the_end_counts_too),
        cmocka_unit_test(low_descriptors_do_not_matter),
        cmocka_unit_test(no_credentials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
