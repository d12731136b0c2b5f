/* gnuplot.c - runs gnuplot as a process, without a shell; its error message becomes ours. Layer: report. */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { OUTPUT = 4096 }; /* bytes of its output that are kept */

/* It starts in `dir`, without input, and writes all output to `pipe_end`. */
static int set_files(posix_spawn_file_actions_t *plan, const char *dir, int pipe_end) {
    int code = posix_spawn_file_actions_addopen(plan, 0, "/dev/null", O_RDONLY, 0);
    if (!code) code = posix_spawn_file_actions_adddup2(plan, pipe_end, 1);
    if (!code) code = posix_spawn_file_actions_adddup2(plan, pipe_end, 2);
    return code ? code : posix_spawn_file_actions_addchdir_np(plan, dir);
}

/* Our program may block or ignore signals; gnuplot starts with none blocked. */
static int set_signals(posix_spawnattr_t *attributes) {
    sigset_t none;
    sigemptyset(&none);
    int code = posix_spawnattr_setsigmask(attributes, &none);
    return code ? code : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
}

/* Returns 0 or an errno. `-d`: a reader's ~/.gnuplot does not change our figures. */
static int start(const char *dir, const char *script, int pipe_end, pid_t *pid) {
    char program[] = "gnuplot", plain[] = "-d", *words[] = {program, plain, (char *)script, NULL};
    posix_spawn_file_actions_t plan;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&plan);
    if (code) return code;
    code = posix_spawnattr_init(&attributes);
    if (!code) {
        code = set_files(&plan, dir, pipe_end);
        if (!code) code = set_signals(&attributes);
        if (!code) code = posix_spawnp(pid, program, &plan, &attributes, words, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&plan);
    return code;
}

/* Reads all output, so that gnuplot never waits for us, and keeps its beginning. */
static void read_output(int fd, char text[OUTPUT]) {
    char rest[OUTPUT];
    size_t size = 0;
    for (;;) {
        int full = size == OUTPUT - 1;
        ssize_t n = read(fd, full ? rest : text + size, full ? sizeof rest : OUTPUT - 1 - size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        if (!full) size += (size_t)n;
    }
    text[size] = '\0';
}

/* gnuplot may echo its input before the message, `"file" line 3: what is wrong`. Returns that line, or else the first
 * line that is not blank. */
static char *message_line(char *text) {
    char *begin = strstr(text, "\" line ");
    while (begin && begin > text && begin[-1] != '\n') begin--;
    if (!begin) begin = text + strspn(text, "\r\n\t ");
    begin[strcspn(begin, "\r\n")] = '\0';
    return begin;
}

static locbo_status check_exit(int status, char *text, locbo_error *error) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return LOCBO_OK;
    if (WIFSIGNALED(status))
        return status_fail(error, LOCBO_ERR_IO, "gnuplot was ended by signal %d", WTERMSIG(status));
    const char *line = message_line(text);
    return status_fail(error, LOCBO_ERR_IO, "gnuplot failed: %.180s", *line ? line : "no message");
}

static locbo_status finish(pid_t pid, int fd, locbo_error *error) {
    char text[OUTPUT];
    int status = 0;
    read_output(fd, text);
    pid_t ended;
    do ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended != pid) return status_fail(error, LOCBO_ERR_IO, "cannot wait for gnuplot: %s", strerror(errno));
    return check_exit(status, text, error);
}

locbo_status gnuplot_run(const char *dir, const char *script, locbo_error *error) {
    int ends[2];
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return status_fail(error, LOCBO_ERR_IO, "cannot open a pipe for gnuplot: %s", strerror(errno));
    int code = start(dir, script, ends[1], &pid);
    close(ends[1]);
    locbo_status status;
    if (code == 0)
        status = finish(pid, ends[0], error);
    else if (code == ENOENT || code == EACCES || code == ENOTDIR)
        status = status_fail(error, LOCBO_ERR_NOTHING, "gnuplot is not installed (not found in PATH)");
    else
        status = status_fail(error, LOCBO_ERR_IO, "cannot start gnuplot: %s", strerror(code));
    close(ends[0]);
    return status;
}
