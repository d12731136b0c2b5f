/* test_child.c - programs that behave, crash, hang, flood, leave others behind or cannot start:
 * each ends, nothing of it remains. */
#include "child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "mem.h"
#include "result.h"

/* ---- tools ----------------------------------------------------------------------------------- */

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int open_files(void) {
    DIR *d = opendir("/proc/self/fd");
    int n = 0;
    while (readdir(d)) n++;
    closedir(d);
    return n;
}

static child *start_with(const char *script, char *const *env, double timeout) {
    char sh[] = "/bin/sh", c[] = "-c", text[1024];
    snprintf(text, sizeof text, "%s", script);
    char *argv[] = {sh, c, text, NULL};
    child *made = NULL;
    check_ok(child_start(&made, argv, env, timeout, &error));
    return made;
}

static child *start(const char *script, double timeout) { return start_with(script, NULL, timeout); }

/* The loop of a worker, until the child has ended or so many seconds are over. */
static child_state run_for(child *c, double most) {
    double end = seconds_now() + most;
    child_state state = child_check(c);
    while (state == CHILD_RUNNING && seconds_now() < end) {
        struct pollfd set[3];
        size_t n = child_poll_set(c, set);
        assert_true(n <= 3);
        double wait = fmin(child_deadline(c), end - seconds_now());
        poll(set, (nfds_t)n, (int)(1000 * fmax(wait, 0)) + 1);
        state = child_check(c);
    }
    return state;
}

/* Until it has printed something: a busy machine may take its time. */
static void await_output(child *c) {
    size_t size = 0;
    for (int i = 0; i < 1000 && size == 0; i++) {
        assert_int_equal(run_for(c, 0.01), CHILD_RUNNING);
        child_out(c, &size);
    }
    assert_true(size > 0);
}

static void finish(child *c) {
    if (run_for(c, 10) != CHILD_ENDED) fail_msg("it did not end");
    struct pollfd set[3];
    assert_int_equal(child_poll_set(c, set), 0);
    assert_true(isinf(child_deadline(c)));
    assert_int_equal(child_check(c), CHILD_ENDED);
}

static child *run(const char *script) {
    child *c = start(script, INFINITY);
    finish(c);
    return c;
}

#define check_text(text, size, expected)                                                                               \
    do {                                                                                                               \
        assert_int_equal(size, strlen(expected));                                                                      \
        assert_memory_equal(text, expected, size);                                                                     \
    } while (0)

static void check_out(const child *c, const char *expected) {
    size_t size;
    const char *text = child_out(c, &size);
    check_text(text, size, expected);
}

static int alive(pid_t pid) {
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    const char *behind = n > 0 ? strrchr(text, ')') : NULL;
    return behind && behind[2] != 'Z' && behind[2] != 'X'; /* not all inits reap at once */
}

/* A killed process needs a moment. */
static int dies(pid_t pid) {
    for (int i = 0; i < 200 && alive(pid); i++) usleep(10000);
    return !alive(pid);
}

static pid_t printed_pid(const child *c) {
    size_t size;
    const char *text = child_out(c, &size);
    char copy[32] = "";
    memcpy(copy, text, size < 31 ? size : 31);
    pid_t pid = (pid_t)atoi(copy);
    assert_true(pid > 1);
    return pid;
}

/* ---- programs that end by themselves --------------------------------------------------------- */

static void output_and_exit(void **state) {
    (void)state;
    child *c = run("echo out; echo err >&2; printf '  0.5 '; exit 3");
    size_t size;
    check_out(c, "out\n  0.5 ");
    const char *err = child_err(c, &size);
    check_text(err, size, "err\n");
    assert_true(WIFEXITED(child_status(c)) && WEXITSTATUS(child_status(c)) == 3);
    assert_false(child_timed_out(c));
    assert_string_equal(child_result(c)->number, "0.5"); /* without a line's end */
    assert_string_equal(child_result(c)->last, "0.5");
    child_destroy(c);
}

/* ---- steps ------------------------------------------------------------------------------------ */

/* They are no results, and are taken once. */
static void steps(void **state) {
    (void)state;
    child *c =
        run("echo step 1 0.5; echo hello; echo step x y; echo '{\"step\": 2, \"value\": 0.25}'; echo 0.125; echo "
            "step 3 nan");
    size_t count;
    char bad[CHILD_BAD];
    assert_true(child_has_steps(c));
    locbo_step *steps = child_take_steps(c, &count);
    assert_int_equal(count, 2);
    assert_true(steps[0].step == 1 && steps[1].step == 2);
    check_same(steps[1].value, 0.25);
    mem_free(steps);
    assert_false(child_has_steps(c));
    assert_null(child_take_steps(c, &count));
    assert_int_equal(count, 0);
    child_take_bad_step(c, bad);
    assert_string_equal(bad, "step x y");
    child_take_bad_step(c, bad);
    assert_string_equal(bad, "");
    assert_string_equal(child_result(c)->number, "0.125");
    assert_null(child_result(c)->object);
    child_destroy(c);
}

/* Of many that nobody takes some stay: in order, the last among them. */
static void many_steps(void **state) {
    (void)state;
    const size_t printed = 600000;
    child *c = run("seq 600000 | sed 's/.*/step & 0.5/'");
    size_t count;
    locbo_step *steps = child_take_steps(c, &count);
    assert_true(count > CHILD_STEPS / 4 && count <= CHILD_STEPS);
    for (size_t i = 1; i < count; i++) assert_true(steps[i].step > steps[i - 1].step);
    assert_true(steps[count - 1].step == printed);
    mem_free(steps);
    child_destroy(c);
}

static void exits(void **state) {
    (void)state;
    const int codes[] = {0, 1, 65, 75, 124, 127, 255};
    for (int i = 0; i < 7; i++) {
        char script[32];
        snprintf(script, sizeof script, "exit %d", codes[i]);
        child *c = run(script);
        assert_true(WIFEXITED(child_status(c)));
        assert_int_equal(WEXITSTATUS(child_status(c)), codes[i]);
        check_out(c, "");
        child_destroy(c);
    }
}

static void signals(void **state) {
    (void)state;
    const int numbers[] = {SIGABRT, SIGSEGV, SIGKILL, SIGTERM, SIGINT, SIGPIPE};
    for (int i = 0; i < 6; i++) {
        char script[64];
        snprintf(script, sizeof script, "ulimit -c 0; echo 1; kill -%d $$; sleep 9", numbers[i]);
        child *c = run(script);
        assert_true(WIFSIGNALED(child_status(c)));
        assert_int_equal(WTERMSIG(child_status(c)), numbers[i]);
        check_out(c, "1\n");
        child_destroy(c);
    }
}

static void bytes_are_kept(void **state) {
    (void)state;
    child *c = run("printf 'a\\000\\377\\n\\303'");
    size_t size;
    const char *text = child_out(c, &size);
    assert_int_equal(size, 5);
    assert_memory_equal(text, "a\0\xff\n\xc3", 5);
    child_destroy(c);
}

static void standard_input_is_empty(void **state) {
    (void)state;
    child *c = run("cat; readlink /proc/self/fd/0");
    check_out(c, "/dev/null\n");
    child_destroy(c);
}

/* Only the three standard ones, whatever we have open ourselves. */
static void descriptors(void **state) {
    (void)state;
    int ours[2], careless = open("/dev/null", O_RDONLY);
    assert_int_equal(pipe(ours), 0);
    child *other = start("exec sleep 5", INFINITY);
    child *c = run("ls /proc/self/fd | tr '\\n' ' '"); /* 3 is the directory itself */
    check_out(c, "0 1 2 3 ");
    child_destroy(c);
    child_destroy(other);
    close(ours[0]), close(ours[1]), close(careless);
}

/* Even if ours are closed, so that the pipes get their numbers. */
static void closed_standard_descriptors(void **state) {
    (void)state;
    int saved[3];
    for (int i = 0; i < 3; i++) saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
    for (int i = 0; i < 3; i++) close(i);
    char sh[] = "/bin/sh", minus[] = "-c", text[] = "cat; echo out; echo err >&2";
    char *argv[] = {sh, minus, text, NULL};
    child *c = NULL;
    locbo_status status = child_start(&c, argv, NULL, INFINITY, NULL);
    int ended = status == LOCBO_OK && run_for(c, 10) == CHILD_ENDED;
    for (int i = 0; i < 3; i++) dup2(saved[i], i), close(saved[i]);
    assert_true(ended);
    check_out(c, "out\n");
    size_t size;
    const char *err = child_err(c, &size);
    check_text(err, size, "err\n");
    child_destroy(c);
}

static void environment(void **state) {
    (void)state;
    char one[] = "LOCBO_PARAM_x=a b 'c'\n{d}", two[] = "PATH=/usr/bin:/bin";
    char *const env[] = {one, two, NULL};
    child *c = start_with("printf '%s|%s' \"$LOCBO_PARAM_x\" \"$HOME\"", env, INFINITY);
    finish(c);
    check_out(c, "a b 'c'\n{d}|");
    child_destroy(c);
    setenv("TEST_CHILD", "inherited", 1);
    c = run("printf '%s' \"$TEST_CHILD\"");
    check_out(c, "inherited");
    child_destroy(c);
}

/* Arguments reach it as they are; programs are found in PATH. */
static void arguments(void **state) {
    (void)state;
    char program[] = "printf", format[] = "[%s]", a[] = "a b", b[] = "", d[] = "$(x);'\"\n*";
    char *argv[] = {program, format, a, b, d, NULL};
    child *c = NULL;
    check_ok(child_start(&c, argv, NULL, INFINITY, &error));
    finish(c);
    check_out(c, "[a b][][$(x);'\"\n*]");
    child_destroy(c);
}

/* What we ignore or block is our own affair, and only SIGUSR1 is ignored; we learn its exit even though SIGCHLD was
 * ignored. Signals 32 and 33 are the C library's: a parent that uses posix_spawn (make) leaves them ignored, and nobody
 * can change that. */
static void fresh_signals(void **state) {
    (void)state;
    sigset_t blocked, old;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, &old);
    signal(SIGPIPE, SIG_IGN), signal(SIGINT, SIG_IGN), signal(SIGCHLD, SIG_IGN);
    child *c = run("grep -E '^Sig(Blk|Ign)' /proc/$$/status | tr -d '\\t' |"
                   " sed '/^SigIgn/s/018000\\(....\\)$/000000\\1/'; exit 4");
    check_out(c, "SigBlk:0000000000000000\nSigIgn:0000000000000200\n");
    assert_int_equal(WEXITSTATUS(child_status(c)), 4);
    child_destroy(c);
    signal(SIGPIPE, SIG_DFL), signal(SIGINT, SIG_DFL), signal(SIGCHLD, SIG_DFL);
    sigset_t after;
    sigprocmask(SIG_SETMASK, &old, &after);
    assert_true(sigismember(&after, SIGUSR1) && !sigismember(&after, SIGINT));
}

static void own_group(void **state) {
    (void)state;
    child *c = start("read x < /proc/$$/stat; echo $x | cut -d' ' -f 5; exec sleep 5", INFINITY);
    assert_int_equal(getpgid(child_pid(c)), child_pid(c));
    await_output(c);
    assert_int_equal(printed_pid(c), child_pid(c)); /* and what is printed is there before the end */
    child_destroy(c);
}

/* ---- time ------------------------------------------------------------------------------------ */

static void time_out(void **state) {
    (void)state;
    child *c = start("echo 1; exec sleep 30", 0.5);
    double left = child_deadline(c);
    assert_true(left > 0 && left <= 0.5);
    finish(c);
    assert_true(child_timed_out(c));
    assert_true(WIFSIGNALED(child_status(c)) && WTERMSIG(child_status(c)) == SIGTERM);
    assert_true(child_seconds(c) >= 0.5 && child_seconds(c) < 4);
    check_out(c, "1\n");
    child_destroy(c);
}

/* It may still say something, and end as it likes: it timed out. */
static void time_out_with_grace(void **state) {
    (void)state;
    child *c = start("trap 'echo late; exit 0' TERM; while :; do sleep 0.05; done", 0.5);
    finish(c);
    assert_true(child_timed_out(c));
    assert_true(WIFEXITED(child_status(c)) && WEXITSTATUS(child_status(c)) == 0);
    check_out(c, "late\n");
    child_destroy(c);
}

static void time_out_ignored(void **state) {
    (void)state;
    child *c = start("trap '' TERM; while :; do sleep 0.05; done", 0.5);
    child_set_grace(c, 0.4);
    while (!child_timed_out(c)) assert_int_equal(run_for(c, 0.01), CHILD_RUNNING);
    assert_true(child_deadline(c) <= 0.4);
    finish(c);
    assert_true(WIFSIGNALED(child_status(c)) && WTERMSIG(child_status(c)) == SIGKILL);
    assert_true(child_seconds(c) >= 0.9 && child_seconds(c) < 4);
    child_destroy(c);
}

static void stopped_by_itself(void **state) {
    (void)state;
    child *c = start("kill -STOP $$; sleep 30", 0.2);
    finish(c);
    assert_true(child_timed_out(c));
    assert_true(child_seconds(c) < 4);
    child_destroy(c);
}

/* In time, but nobody looked before the time was over: it counts as in time. */
static void seen_late(void **state) {
    (void)state;
    child *c = start("echo 1", 0.2);
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)child_pid(c), &info, WEXITED | WNOWAIT), 0);
    usleep(250000);
    assert_int_equal(child_check(c), CHILD_ENDED);
    assert_false(child_timed_out(c));
    child_destroy(c);
}

static void ended_by_us(void **state) {
    (void)state;
    child *c = start("exec sleep 30", 60);
    assert_true(child_deadline(c) > 50);
    child_end(c, 0);
    assert_true(child_deadline(c) <= 5);
    finish(c);
    assert_int_equal(WTERMSIG(child_status(c)), SIGTERM);
    assert_false(child_timed_out(c));
    child_end(c, 1);
    child_destroy(c);
    c = start("trap '' TERM; sleep 30", INFINITY);
    assert_true(isinf(child_deadline(c)));
    child_end(c, 1);
    finish(c);
    assert_int_equal(WTERMSIG(child_status(c)), SIGKILL);
    child_destroy(c);
}

/* ---- much output ----------------------------------------------------------------------------- */

static long peak_memory(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* 10 MB on both: the head and the tail stay, with the count of what does not. */
static void flood(void **state) {
    (void)state;
    long before = peak_memory();
    child *c = run("yes 123456789 | head -n 1000000; yes abcdefghi | head -n 1000000 >&2; echo 0.25");
    size_t size;
    const char *text = child_out(c, &size);
    size_t total = 10 * 1000000 + 5, left = total - CHILD_HEAD - CHILD_TAIL;
    char note[80];
    int n = snprintf(note, sizeof note, "\n[... %zu bytes left out ...]\n", left);
    assert_int_equal(size, CHILD_HEAD + CHILD_TAIL + (size_t)n);
    for (size_t i = 0; i < CHILD_HEAD; i++) assert_int_equal(text[i], "123456789\n"[i % 10]);
    assert_memory_equal(text + CHILD_HEAD, note, n);
    const char *tail = text + CHILD_HEAD + n;
    for (size_t i = 0; i < CHILD_TAIL - 5; i++) assert_int_equal(tail[i], "123456789\n"[(CHILD_HEAD + left + i) % 10]);
    assert_memory_equal(text + size - 5, "0.25\n", 5);
    text = child_err(c, &size);
    assert_true(size < CHILD_HEAD + CHILD_TAIL + 64);
    assert_memory_equal(text + size - 10, "abcdefghi\n", 10);
    assert_string_equal(child_result(c)->number, "0.25");
    child_destroy(c);
    if (!CHECK_SANITIZED) assert_true(peak_memory() - before < 4096); /* KiB */
}

/* Nothing is left out as long as both have room; the note is exact from the first byte on. */
static void around_the_limit(void **state) {
    (void)state;
    for (int more = -1; more <= 1; more++) {
        char script[128];
        snprintf(script, sizeof script, "head -c %d /dev/zero", CHILD_HEAD + CHILD_TAIL + more);
        child *c = run(script);
        size_t size, expected = (size_t)(CHILD_HEAD + CHILD_TAIL + more);
        const char *text = child_out(c, &size), *note = "\n[... 1 byte left out ...]\n";
        if (more > 0) {
            expected = CHILD_HEAD + CHILD_TAIL + strlen(note);
            assert_memory_equal(text + CHILD_HEAD, note, strlen(note));
        }
        assert_int_equal(size, expected);
        child_destroy(c);
    }
}

static int in_pipe(int fd) {
    int there = 0;
    ioctl(fd, FIONREAD, &there);
    return there;
}

/* One look at a child that never stops printing takes a bounded amount. */
static void does_not_starve(void **state) {
    (void)state;
    child *c = start("exec yes", 0.5);
    struct pollfd set[3];
    child_poll_set(c, set);
    assert_true(fcntl(set[0].fd, F_SETPIPE_SZ, 1 << 20) >= 1 << 20);
    for (int i = 0; i < 1000 && in_pipe(set[0].fd) < 1000000; i++) usleep(10000);
    kill(child_pid(c), SIGSTOP);
    child_check(c);
    assert_true(in_pipe(set[0].fd) > 500000);
    kill(child_pid(c), SIGCONT);
    finish(c);
    assert_true(child_timed_out(c));
    child_destroy(c);
}

/* All that was in the pipe when it exited counts, even if it is more than one look takes. */
static void full_pipe(void **state) {
    (void)state;
    child *c = start("sleep 0.2; yes 1 | head -c 600000; echo 0.75", INFINITY);
    struct pollfd set[3];
    child_poll_set(c, set);
    assert_true(fcntl(set[0].fd, F_SETPIPE_SZ, 1 << 20) >= 1 << 20);
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)child_pid(c), &info, WEXITED | WNOWAIT), 0);
    assert_int_equal(child_check(c), CHILD_ENDED);
    assert_string_equal(child_result(c)->number, "0.75");
    child_destroy(c);
}

static void long_lines(void **state) {
    (void)state;
    char script[200];
    /* 64 KiB with the blanks inside are a result, one byte more is none, the next line is one */
    snprintf(script, sizeof script, "printf '{\"value\": %%%dd}\\n' 7", RESULT_LINE - 11);
    child *c = run(script);
    assert_non_null(child_result(c)->object);
    assert_int_equal(strlen(child_result(c)->object), RESULT_LINE);
    child_destroy(c);
    snprintf(script, sizeof script, "printf '{\"value\": %%%dd}\\n5\\n' 7", RESULT_LINE - 10);
    c = run(script);
    assert_null(child_result(c)->object);
    assert_string_equal(child_result(c)->number, "5");
    child_destroy(c);
    c = run("head -c 1000000 /dev/zero | tr '\\0' 'x'; echo; echo 6");
    assert_string_equal(child_result(c)->number, "6");
    child_destroy(c);
}

/* Results with names are known by the table of outputs. */
static void named_results(void **state) {
    (void)state;
    locbo_outputs *outputs;
    check_ok(locbo_outputs_create(&outputs, &error));
    check_ok(locbo_outputs_add(outputs, &(locbo_output_spec){.struct_size = sizeof(locbo_output_spec), .name = "loss"},
                               &error));
    child *c = start("echo loss=3; echo '{\"value\": 1}'; echo loss=4", INFINITY);
    child_set_outputs(c, outputs);
    assert_int_equal(run_for(c, 10), CHILD_ENDED);
    assert_null(child_result(c)->object);
    assert_string_equal(child_result(c)->values[0], "4");
    child_destroy(c);
    locbo_outputs_destroy(outputs);
}

/* A result early in a long output is seen, though it is no longer kept. */
static void early_result(void **state) {
    (void)state;
    child *c = run("echo start; head -c 20000 /dev/zero | tr '\\0' '.'; echo; echo '{\"value\": 8}';"
                   "yes noise | head -n 100000");
    assert_string_equal(child_result(c)->object, "{\"value\": 8}");
    assert_string_equal(child_result(c)->last, "noise");
    child_destroy(c);
}

/* ---- others that it starts ------------------------------------------------------------------- */

/* A grandchild that holds the output open delays nothing, and is gone afterwards. */
static void grandchild(void **state) {
    (void)state;
    child *c = run("sleep 30 & echo $!; echo 0.5");
    assert_true(child_seconds(c) < 4);
    assert_string_equal(child_result(c)->number, "0.5");
    assert_true(dies(printed_pid(c)));
    child_destroy(c);
}

/* One that prints without end must not hold us either; nor one that left the group. */
static void restless_grandchild(void **state) {
    (void)state;
    child *c = run("yes & exec sleep 0.2");
    assert_true(child_seconds(c) < 4);
    child_destroy(c);
    c = run("setsid sh -c 'trap \"\" HUP; echo $$; exec yes >&2' & sleep 0.8");
    assert_true(child_seconds(c) < 4);
    pid_t pid = printed_pid(c);
    child_destroy(c);
    assert_true(dies(pid)); /* of the closed pipe: it left the group, so we did not kill it */
}

static void closes_its_output(void **state) {
    (void)state;
    child *c = start("echo 2; exec >&- 2>&-; sleep 0.8; exit 6", INFINITY);
    struct pollfd set[3];
    while (child_poll_set(c, set) > 1) /* then only its exit: no end of file wakes us for ever */
        assert_int_equal(run_for(c, 0.01), CHILD_RUNNING);
    finish(c);
    assert_true(child_seconds(c) >= 0.8);
    assert_int_equal(WEXITSTATUS(child_status(c)), 6);
    check_out(c, "2\n");
    child_destroy(c);
}

/* If we die, it dies with us. */
static void dies_with_us(void **state) {
    (void)state;
    int told[2];
    assert_int_equal(pipe(told), 0);
    pid_t worker = fork();
    if (worker == 0) {
        child *c = start("trap '' TERM HUP; exec sleep 30", INFINITY);
        pid_t pid = child_pid(c);
        if (write(told[1], &pid, sizeof pid) < 0) _exit(1);
        kill(getpid(), SIGKILL);
    }
    pid_t pid = 0;
    assert_int_equal(read(told[0], &pid, sizeof pid), sizeof pid);
    assert_int_equal(waitpid(worker, NULL, 0), worker);
    assert_true(dies(pid));
    close(told[0]), close(told[1]);
}

static void destroyed_while_running(void **state) {
    (void)state;
    child *c = start("trap '' TERM; sleep 30 & echo $!; wait", INFINITY);
    await_output(c);
    pid_t inner = printed_pid(c), pid = child_pid(c);
    child_destroy(c);
    assert_int_equal(kill(pid, 0), -1); /* not even a zombie */
    assert_true(dies(inner));
    child_destroy(NULL);
}

/* ---- programs that cannot be started --------------------------------------------------------- */

static void refuse(const char *program, locbo_status code, const char *words) {
    char copy[256];
    snprintf(copy, sizeof copy, "%s", program);
    char *argv[] = {copy, NULL};
    child *c = NULL;
    check_fails(child_start(&c, argv, NULL, INFINITY, &error), code, words);
    check_fails(child_start(&c, argv, NULL, INFINITY, &error), code, program);
    assert_null(c);
}

static void write_file(const char *path, const char *text, mode_t mode) {
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    chmod(path, mode);
}

static void not_startable(void **state) {
    (void)state;
    char folder[] = "/tmp/test_child_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    refuse("/no/such/program", LOCBO_ERR_NOT_FOUND, "No such file");
    refuse("no_such_program_in_path", LOCBO_ERR_NOT_FOUND, "PATH");
    refuse("", LOCBO_ERR_NOT_FOUND, "empty");
    refuse(folder, LOCBO_ERR_NOT_FOUND, "directory");
    snprintf(path, sizeof path, "%s/plain", folder);
    write_file(path, "#!/bin/sh\n", 0644);
    refuse(path, LOCBO_ERR_NOT_FOUND, "executable");
    write_file(path, "#!/no/such/interpreter\n", 0755);
    refuse(path, LOCBO_ERR_NOT_FOUND, "interpreter");
    unlink(path);
    rmdir(folder);
    char *none[] = {NULL}, sh[] = "/bin/sh", *argv[] = {sh, NULL};
    child *c = NULL;
    check_fails(child_start(&c, none, NULL, 1, &error), LOCBO_ERR_ARGUMENT, "NULL");
    check_fails(child_start(&c, argv, NULL, 0, &error), LOCBO_ERR_ARGUMENT, "got 0");
    check_fails(child_start(&c, argv, NULL, NAN, &error), LOCBO_ERR_ARGUMENT, "got");
}

/* Without descriptors or with too long arguments: an error, and all is as before. */
static void no_means(void **state) {
    (void)state;
    struct rlimit old, few;
    getrlimit(RLIMIT_NOFILE, &old);
    char sh[] = "/bin/sh", *argv[] = {sh, NULL, NULL};
    child *c = NULL;
    int before = open_files();
    int highest = dup(0);
    close(highest);
    for (int spare = 0; spare < 7; spare++) {
        few = (struct rlimit){(rlim_t)(highest + spare), old.rlim_max};
        setrlimit(RLIMIT_NOFILE, &few);
        locbo_error why = {LOCBO_OK, ""};
        locbo_status status = child_start(&c, argv, NULL, INFINITY, &why);
        setrlimit(RLIMIT_NOFILE, &old);
        assert_int_equal(status, LOCBO_ERR_IO);
        assert_int_equal(open_files(), before);
    }
    size_t size = 3 * 1024 * 1024;
    argv[1] = malloc(size);
    memset(argv[1], 'a', size - 1);
    argv[1][size - 1] = '\0';
    check_fails(child_start(&c, argv, NULL, INFINITY, &error), LOCBO_ERR_IO, "too long");
    free(argv[1]);
    assert_null(c);
}

/* ---- all together ---------------------------------------------------------------------------- */

static void two_at_once(void **state) {
    (void)state;
    child *a = start("sleep 0.7; echo a", INFINITY), *b = start("echo b", INFINITY);
    finish(b);
    assert_int_equal(child_check(a), CHILD_RUNNING);
    finish(a);
    check_out(a, "a\n");
    check_out(b, "b\n");
    child_destroy(a);
    child_destroy(b);
}

static int files_at_first;

static int count_files(void **state) {
    (void)state;
    files_at_first = open_files();
    return 0;
}

/* After all the tests before it. */
static void nothing_remains(void **state) {
    (void)state;
    assert_int_equal(open_files(), files_at_first);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child, not even a zombie */
    assert_int_equal(errno, ECHILD);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_exit),
        cmocka_unit_test(steps),
        cmocka_unit_test(many_steps),
        cmocka_unit_test(exits),
        cmocka_unit_test(signals),
        cmocka_unit_test(bytes_are_kept),
        cmocka_unit_test(standard_input_is_empty),
        cmocka_unit_test(descriptors),
        cmocka_unit_test(closed_standard_descriptors),
        cmocka_unit_test(environment),
        cmocka_unit_test(arguments),
        cmocka_unit_test(fresh_signals),
        cmocka_unit_test(own_group),
        cmocka_unit_test(time_out),
        cmocka_unit_test(time_out_with_grace),
        cmocka_unit_test(time_out_ignored),
        cmocka_unit_test(stopped_by_itself),
        cmocka_unit_test(seen_late),
        cmocka_unit_test(ended_by_us),
        cmocka_unit_test(flood),
        cmocka_unit_test(around_the_limit),
        cmocka_unit_test(does_not_starve),
        cmocka_unit_test(full_pipe),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(named_results),
        cmocka_unit_test(early_result),
        cmocka_unit_test(grandchild),
        cmocka_unit_test(restless_grandchild),
        cmocka_unit_test(closes_its_output),
        cmocka_unit_test(dies_with_us),
        cmocka_unit_test(destroyed_while_running),
        cmocka_unit_test(not_startable),
        cmocka_unit_test(no_means),
        cmocka_unit_test(two_at_once),
        cmocka_unit_test(nothing_remains),
    };
    return cmocka_run_group_tests(tests, count_files, NULL);
}
