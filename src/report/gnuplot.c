/* gnuplot.c - gnuplot as a process, without a shell; its complaint becomes the error.
 * Layer: report. */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { WORDS = 4096 }; /* bytes of its complaints that are kept */

/* It starts in `dir`, reads nothing, and says everything into `pipe_end`. */
static int plan_files(posix_spawn_file_actions_t *plan, const char *dir, int pipe_end) {
    int code = posix_spawn_file_actions_addopen(plan, 0, "/dev/null", O_RDONLY, 0);
    if (!code) code = posix_spawn_file_actions_adddup2(plan, pipe_end, 1);
    if (!code) code = posix_spawn_file_actions_adddup2(plan, pipe_end, 2);
    return code ? code : posix_spawn_file_actions_addchdir_np(plan, dir);
}

/* Our program may block or ignore signals; gnuplot starts with none blocked. */
static int plan_signals(posix_spawnattr_t *attributes) {
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
        code = plan_files(&plan, dir, pipe_end);
        if (!code) code = plan_signals(&attributes);
        if (!code) code = posix_spawnp(pid, program, &plan, &attributes, words, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&plan);
    return code;
}

/* All that comes is read, so that gnuplot never waits for us; the beginning is kept. */
static void listen_to(int fd, char words[WORDS]) {
    char rest[WORDS];
    size_t size = 0;
    for (;;) {
        int full = size == WORDS - 1;
        ssize_t n = read(fd, full ? rest : words + size, full ? sizeof rest : WORDS - 1 - size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        if (!full) size += (size_t)n;
    }
    words[size] = '\0';
}

/* gnuplot may echo its input before `"file" line 3: what is wrong`: that line, or else the first
 * with anything on it. */
static char *telling_line(char *words) {
    char *place = strstr(words, "\" line ");
    while (place && place > words && place[-1] != '\n') place--;
    char *begin = place ? place : words + strspn(words, "\r\n\t ");
    begin[strcspn(begin, "\r\n")] = '\0';
    return begin;
}

static locbo_status judge(int status, char *words, locbo_error *error) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return LOCBO_OK;
    if (WIFSIGNALED(status))
        return status_fail(error, LOCBO_ERR_IO, "gnuplot was ended by signal %d", WTERMSIG(status));
    const char *line = telling_line(words);
    return status_fail(error, LOCBO_ERR_IO, "gnuplot failed: %.180s", *line ? line : "no message");
}

static locbo_status finish(pid_t pid, int fd, locbo_error *error) {
    char words[WORDS];
    int status = 0;
    listen_to(fd, words);
    pid_t ended;
    do ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended != pid) return status_fail(error, LOCBO_ERR_IO, "cannot wait for gnuplot: %s", strerror(errno));
    return judge(status, words, error);
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
    else if (code == ENOENT || code == EACCES || code == ENOTDIR) /* wherever PATH pointed */
        status = status_fail(error, LOCBO_ERR_NOTHING, "gnuplot is not installed (not found in PATH)");
    else
        status = status_fail(error, LOCBO_ERR_IO, "cannot start gnuplot: %s", strerror(code));
    close(ends[0]);
    return status;
}
