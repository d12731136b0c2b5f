/* test_identity.c - who lives and who is dead: forked children, strangers, nonsense. */
#include "identity.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* A child that has written its identity and waits; `name` is what it calls itself. */
static pid_t start_child(const char *name, char text[IDENTITY_TEXT]) {
    int tube[2];
    assert_int_equal(pipe(tube), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char mine[IDENTITY_TEXT] = "";
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, name);
        identity_make(mine, NULL);
        if (write(tube[1], mine, sizeof mine) != sizeof mine) _exit(1);
        for (;;) pause();
    }
    close(tube[1]);
    assert_int_equal(read(tube[0], text, IDENTITY_TEXT), IDENTITY_TEXT);
    close(tube[0]);
    return pid;
}

/* HOST, PID and the rest of a text. */
static void take_apart(const char *text, char *host, long *pid, char *start, char *space) {
    assert_int_equal(sscanf(text, "%64[^:]:%ld:%24[0-9]:%39s", host, pid, start, space), 4);
}

static void myself(void **state) {
    (void)state;
    char text[IDENTITY_TEXT], again[IDENTITY_TEXT], host[65], start[25], space[40], real[65] = "";
    long pid;
    check_ok(identity_make(text, &error));
    check_ok(identity_make(again, &error));
    assert_string_equal(text, again);
    take_apart(text, host, &pid, start, space);
    assert_int_equal(pid, getpid());
    gethostname(real, sizeof real - 1);
    if (!strpbrk(real, ": \t")) assert_string_equal(host, real);
    assert_int_equal(space[8], '-');
    assert_int_equal(strspn(space, "0123456789abcdef"), 8);
    assert_int_equal(identity_is_dead(text), 0);
}

static void children(void **state) {
    (void)state;
    /* names that would mislead a careless reader of /proc/PID/stat */
    const char *const names[] = {"plain", "a) Z 1 2 3", ") (", "x y z"};
    for (size_t i = 0; i < 4; i++) {
        char text[IDENTITY_TEXT];
        siginfo_t info;
        pid_t pid = start_child(names[i], text);
        check_that(!identity_is_dead(text), "'%s' lives: %s", names[i], text);
        kill(pid, SIGSTOP); /* still not dead */
        waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOWAIT);
        assert_int_equal(identity_is_dead(text), 0);
        kill(pid, SIGKILL);
        waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
        check_that(identity_is_dead(text), "'%s' is a zombie: %s", names[i], text);
        waitpid(pid, NULL, 0);
        check_that(identity_is_dead(text), "'%s' is gone: %s", names[i], text);
    }
}

/* The same number, but another process: the number was used again. */
static void other_start(void **state) {
    (void)state;
    char text[IDENTITY_TEXT], other[IDENTITY_TEXT], host[65], start[25], space[40];
    long pid;
    check_ok(identity_make(text, &error));
    take_apart(text, host, &pid, start, space);
    snprintf(other, sizeof other, "%s:%ld:1%s:%s", host, pid, start, space);
    assert_int_equal(identity_is_dead(other), 1);
    snprintf(other, sizeof other, "elsewhere:%ld:%s:%s", pid, start, space);
    assert_int_equal(identity_is_dead(other), 0); /* names may differ between containers */
}

static void other_space(void **state) {
    (void)state;
    char text[IDENTITY_TEXT], other[IDENTITY_TEXT];
    pid_t pid = start_child("child", text);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_int_equal(identity_is_dead(text), 1);
    size_t last = strlen(text) - 1;
    memcpy(other, text, sizeof other);
    other[last] = other[last] == '1' ? '2' : '1'; /* another name space */
    assert_int_equal(identity_is_dead(other), 0);
    memcpy(other, text, sizeof other);
    char *boot = strrchr(other, ':') + 1; /* another kernel, or the same one earlier */
    *boot = *boot == 'a' ? 'b' : 'a';
    assert_int_equal(identity_is_dead(other), 0);
    memcpy(other, text, sizeof other);
    strcat(other, "0");
    assert_int_equal(identity_is_dead(other), 0);
    other[last] = '\0';
    assert_int_equal(identity_is_dead(other), 0);
}

/* A dead process's text with its parts spoilt. */
static void nonsense(void **state) {
    (void)state;
    char text[IDENTITY_TEXT], host[65], start[25], space[40], other[1000];
    long number;
    pid_t pid = start_child("child", text);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    take_apart(text, host, &number, start, space);
    const char *const pids[] = {"",    "0",          "-1",         "+5",
                                "007", "2147483648", "4294967297", "99999999999999999999999",
                                "1x",  " 1",         "0x1",        "18446744073709551617"};
    for (size_t i = 0; i < sizeof pids / sizeof pids[0]; i++) {
        snprintf(other, sizeof other, "%s:%s:%s:%s", host, pids[i], start, space);
        check_that(!identity_is_dead(other), "%s", other);
    }
    const char *const starts[] = {"", "-1", "1 ", "99999999999999999999999", "1:2", "x"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        snprintf(other, sizeof other, "%s:%ld:%s:%s", host, number, starts[i], space);
        check_that(!identity_is_dead(other), "%s", other);
    }
    const char *const texts[] = {"", ":", ":::", "worker", "a:1", "a:1:", "a:1:2:", "a:1:2", "%n%s"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) check_that(!identity_is_dead(texts[i]), "%s", texts[i]);
    snprintf(other, sizeof other, ":%ld:%s:%s", number, start, space);
    assert_int_equal(identity_is_dead(other), 0);
    memset(other, 'h', sizeof other); /* a host without end */
    snprintf(other + 500, sizeof other - 500, ":%ld:%s:%s", number, start, space);
    assert_int_equal(identity_is_dead(other), 0);
    assert_int_equal(identity_is_dead(NULL), 0);
    assert_int_equal(identity_is_dead(text), 1); /* unspoilt */
}

/* A process of somebody else may be hidden or not ours to signal, but lives. */
static void init_lives(void **state) {
    (void)state;
    char text[IDENTITY_TEXT], host[65], start[25], space[40], stat[1024] = "";
    long pid;
    unsigned long long ticks;
    check_ok(identity_make(text, &error));
    take_apart(text, host, &pid, start, space);
    FILE *file = fopen("/proc/1/stat", "r");
    if (!file || !fgets(stat, sizeof stat, file)) skip();
    fclose(file);
    const char *form = ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
                       "%*d %llu";
    assert_int_equal(sscanf(strrchr(stat, ')'), form, &ticks), 1);
    snprintf(text, sizeof text, "h:1:%llu:%s", ticks, space);
    assert_int_equal(identity_is_dead(text), 0);
}

/* Who runs it: by the environment, whatever that says, or the system's list. */
static void user(void **state) {
    (void)state;
    char text[IDENTITY_TEXT], host[65] = "", wanted[160], name[400];
    gethostname(host, sizeof host - 1);
    setenv("USER", "ann", 1);
    identity_user(text);
    snprintf(wanted, sizeof wanted, "ann@%s", host);
    assert_string_equal(text, wanted);
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memcpy(name, "a:b\n\xff ", 6);
    setenv("USER", name, 1);
    identity_user(text);
    assert_true(strncmp(text, "a-b---xxx", 9) == 0 && strchr(text, '@') && strlen(text) < IDENTITY_TEXT - 1);
    unsetenv("USER");
    setenv("LOGNAME", "bob", 1);
    identity_user(text);
    assert_true(strncmp(text, "bob@", 4) == 0);
    unsetenv("LOGNAME");
    identity_user(text);
    assert_true(strchr(text, '@') > text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(myself),      cmocka_unit_test(children), cmocka_unit_test(other_start),
        cmocka_unit_test(other_space), cmocka_unit_test(nonsense), cmocka_unit_test(init_lives),
        cmocka_unit_test(user),
    };
    return cmocka_run_group_tests_name("identity", tests, NULL, NULL);
}
