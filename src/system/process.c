/* process.c - another program as a process. Layer: system. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- its files ------------------------------------------------------------------------------- */

void process_close_end(int *descriptor) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
}

void process_close(process_files *f) {
    for (int i = 0; i < 3; i++) {
        process_close_end(&f->theirs[i]);
        process_close_end(&f->ours[i]);
    }
}

static int open_one(process_files *f, int i, process_file kind, int flags) {
    int ends[2], in = i == 0;
    if (kind == PROCESS_NOTHING) f->theirs[i] = open("/dev/null", (in ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
    if (kind == PROCESS_SAME) f->theirs[i] = fcntl(f->theirs[i - 1], F_DUPFD_CLOEXEC, 0);
    if (kind != PROCESS_PIPE) return f->theirs[i] >= 0;
    if (pipe2(ends, O_CLOEXEC) != 0) return 0;
    f->theirs[i] = ends[!in];
    f->ours[i] = ends[in];
    return flags == 0 || fcntl(f->ours[i], F_SETFL, flags) == 0;
}

int process_open(process_files *f, const process_file kind[3], int flags) {
    *f = (process_files){{-1, -1, -1}, {-1, -1, -1}};
    for (int i = 0; i < 3; i++)
        if (!open_one(f, i, kind[i], flags)) {
            int code = errno;
            process_close(f);
            return code;
        }
    return 0;
}

/* They may be 0, 1 or 2 themselves, if those were closed: all are moved away first. */
int process_take_files(const int theirs[3]) {
    int from[3];
    for (int i = 0; i < 3; i++)
        if ((from[i] = fcntl(theirs[i], F_DUPFD_CLOEXEC, 3)) < 0) return errno;
    for (int i = 0; i < 3; i++)
        if (dup2(from[i], i) < 0) return errno;
    return 0;
}

/* ---- its start ------------------------------------------------------------------------------- */

void process_die_with(pid_t parent, int signal_number) {
    prctl(PR_SET_PDEATHSIG, signal_number);
    if (getppid() != parent) _exit(127); /* it died before the signal was set */
}

/* All of them, or those that have a handler of ours, which must not run in the new process. One that is alone ignores
 * SIGUSR1, as process.h says. */
static void reset_signals(int all) {
    struct sigaction fresh = {.sa_handler = SIG_DFL}, present;
    sigset_t none;
    for (int i = 1; i < NSIG; i++) /* it fails where nothing can be set */
        if (sigaction(i, NULL, &present) == 0 && (all || present.sa_handler != SIG_IGN)) sigaction(i, &fresh, NULL);
    if (all) signal(SIGUSR1, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the new process: it becomes the program, or returns why it cannot. */
static int become(const process_plan *plan, const process_files *f, pid_t parent) {
    if (plan->alone) {
        setsid();
        process_die_with(parent, SIGKILL);
    }
    int code = process_take_files(f->theirs);
    if (code) return code;
    if (plan->dir && chdir(plan->dir) != 0) return errno;
#if defined SYS_close_range && defined CLOSE_RANGE_CLOEXEC
    /* ours all close on exec; what we inherited ourselves is not for such a program either */
    if (plan->alone) syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
#endif
    reset_signals(plan->alone);
    execvpe(plan->argv[0], plan->argv, plan->env);
    return errno;
}

/* If our own parent ignored SIGCHLD, so do we, and the system would keep no exit status for us. */
static void want_exit_status(void) {
    struct sigaction present;
    if (sigaction(SIGCHLD, NULL, &present) != 0) return;
    if (present.sa_handler != SIG_IGN && !(present.sa_flags & SA_NOCLDWAIT)) return;
    present.sa_flags &= ~SA_NOCLDWAIT;
    if (present.sa_handler == SIG_IGN) present.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &present, NULL);
}

/* Signals wait meanwhile: our handlers must not run in the new process. What goes wrong there comes through `report`,
 * which closes when the program is loaded. */
static pid_t start(const process_plan *plan, const process_files *f, int report) {
    sigset_t all, old;
    pid_t parent = getpid();
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &old);
    pid_t pid = fork();
    if (pid == 0) {
        int far = fcntl(report, F_DUPFD_CLOEXEC, 3), code = far < 0 ? errno : become(plan, f, parent);
        _exit(write(far < 0 ? report : far, &code, sizeof code) < 0 ? 126 : 127);
    }
    int code = errno;
    sigprocmask(SIG_SETMASK, &old, NULL);
    errno = code;
    return pid;
}

int process_start(const process_plan *plan, process_files *f, pid_t *pid) {
    int report[2] = {-1, -1}, code = 0, ending;
    ssize_t n = 0;
    want_exit_status();
    *pid = pipe2(report, O_CLOEXEC) == 0 ? start(plan, f, report[1]) : -1;
    if (*pid < 0) code = errno;
    process_close_end(&report[1]);
    for (int i = 0; i < 3; i++) process_close_end(&f->theirs[i]);
    if (*pid > 0) {
        do n = read(report[0], &code, sizeof code);
        while (n < 0 && errno == EINTR);
        if (n != (ssize_t)sizeof code) code = 0;
        if (code) process_reap(*pid, &ending);
    }
    process_close_end(&report[0]);
    return code;
}

/* ---- its end --------------------------------------------------------------------------------- */

int process_has_exited(pid_t pid) {
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0) return info.si_pid == pid;
    return errno == ECHILD ? -1 : 0;
}

int process_reap(pid_t pid, int *status) {
    pid_t reaped;
    do reaped = waitpid(pid, status, 0);
    while (reaped < 0 && errno == EINTR);
    return reaped == pid;
}

int process_run(char *const *argv, char *const *env, int *code) {
    static const process_file nothing[3] = {PROCESS_NOTHING, PROCESS_NOTHING, PROCESS_NOTHING};
    const process_plan plan = {.argv = argv, .env = env};
    process_files files;
    int status = 0, failed = process_open(&files, nothing, 0);
    pid_t pid;
    if (failed) return failed;
    for (int i = 1; i < 3 && !failed; i++) {
        process_close_end(&files.theirs[i]);
        files.theirs[i] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
        if (files.theirs[i] == -1) failed = errno;
    }
    if (!failed) failed = process_start(&plan, &files, &pid);
    process_close(&files);
    if (failed) return failed;
    if (!process_reap(pid, &status)) return errno;
    *code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    return 0;
}
