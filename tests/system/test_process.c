/* test_process.c - another program: its files, its folder, why it does not start, how it ends. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* Runs a shell command to its end; what it wrote to its first output goes into `text`. Returns its status. */
static int run(const char *command, const process_file kinds[3], const char *dir, int alone, char text[256]) {
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
    process_files f;
    pid_t pid;
    int status = -1;
    size_t size = 0;
    assert_int_equal(process_open(&f, kinds, 0), 0);
    process_plan plan = {.argv = argv, .env = environ, .dir = dir, .alone = alone};
    assert_int_equal(process_start(&plan, &f, &pid), 0);
    for (int i = 0; i < 3; i++) assert_int_equal(f.theirs[i], -1);
    process_close_end(&f.ours[0]);
    for (ssize_t n; (n = read(f.ours[1], text + size, 255 - size)) > 0;) size += (size_t)n;
    text[size] = '\0';
    process_close(&f);
    assert_int_equal(process_reap(pid, &status), 1);
    assert_int_equal(process_reap(pid, &status), 0); /* once */
    return status;
}

static const process_file one[3] = {PROCESS_NOTHING, PROCESS_PIPE, PROCESS_SAME};

static void files_and_folder(void **state) {
    (void)state;
    char text[256];
    assert_int_equal(run("echo out; echo err >&2; cat; pwd", one, "/usr", 0, text), 0);
    assert_string_equal(text, "out\nerr\n/usr\n");
    const process_file silent[3] = {PROCESS_PIPE, PROCESS_PIPE, PROCESS_NOTHING};
    assert_int_equal(WEXITSTATUS(run("cat; echo no >&2; echo yes; exit 7", silent, NULL, 0, text)), 7);
    assert_string_equal(text, "yes\n");
}

/* Ignored and blocked signals, and descriptors of ours that do not close on exec, are not for one that is alone. */
static void alone_or_not(void **state) {
    (void)state;
    char text[256], command[160];
    sigset_t some, old;
    int shared = dup(1);
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    sigprocmask(SIG_BLOCK, &some, &old);
    signal(SIGUSR2, SIG_IGN);
    snprintf(command, sizeof command,
             "[ -e /proc/self/fd/%d ] && echo shared; kill -USR2 $$; kill -USR1 $$; echo alive", shared);
    int status = run(command, one, NULL, 0, text);
    assert_string_equal(text, "shared\n");
    assert_int_equal(WTERMSIG(status), SIGUSR1);
    status = run(command, one, NULL, 1, text);
    assert_string_equal(text, "");
    assert_int_equal(WTERMSIG(status), SIGUSR2);
    signal(SIGUSR2, SIG_DFL);
    sigprocmask(SIG_SETMASK, &old, NULL);
    close(shared);
}

static void why_it_does_not_start(void **state) {
    (void)state;
    char *argv[] = {(char *)"there-is-no-such-program", NULL}, *folder[] = {(char *)"/usr", NULL};
    process_files f;
    pid_t pid;
    assert_int_equal(process_open(&f, one, 0), 0);
    assert_int_equal(process_start(&(process_plan){.argv = argv, .env = environ}, &f, &pid), ENOENT);
    process_close(&f);
    assert_int_equal(process_open(&f, one, 0), 0);
    assert_int_equal(process_start(&(process_plan){.argv = folder, .env = environ, .alone = 1}, &f, &pid), EACCES);
    process_close(&f);
    assert_true(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD); /* nothing is left behind */
}

static void its_end(void **state) {
    (void)state;
    char *argv[] = {(char *)"sleep", (char *)"100", NULL};
    const process_file none[3] = {PROCESS_NOTHING, PROCESS_NOTHING, PROCESS_NOTHING};
    process_files f;
    pid_t pid;
    int status = 0;
    assert_int_equal(process_open(&f, none, 0), 0);
    assert_int_equal(process_start(&(process_plan){.argv = argv, .env = environ, .alone = 1}, &f, &pid), 0);
    assert_int_equal(process_has_exited(pid), 0);
    assert_int_equal(getpgid(pid), pid);
    kill(pid, SIGKILL);
    while (process_has_exited(pid) == 0) usleep(1000);
    assert_int_equal(process_has_exited(pid), 1); /* and still a zombie */
    assert_int_equal(process_reap(pid, &status), 1);
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_int_equal(process_has_exited(pid), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_and_folder),
        cmocka_unit_test(alone_or_not),
        cmocka_unit_test(why_it_does_not_start),
        cmocka_unit_test(its_end),
    };
    return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
