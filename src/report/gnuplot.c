/* gnuplot.c - gnuplot as a process, without a shell; its complaint becomes the error.
 * Layer: report. */
#include "gnuplot.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"

enum { WORDS = 4096 }; /* bytes of its complaints that are kept */

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
    if (!process_reap(pid, &status))
        return status_fail(error, LOCBO_ERR_IO, "cannot wait for gnuplot: %s", strerror(errno));
    return judge(status, words, error);
}

/* It starts in `dir`, reads nothing, and says everything into one pipe. `-d`: a reader's ~/.gnuplot does not change our
 * figures. */
locbo_status gnuplot_run(const char *dir, const char *script, locbo_error *error) {
    static const process_file kinds[3] = {PROCESS_NOTHING, PROCESS_PIPE, PROCESS_SAME};
    char program[] = "gnuplot", plain[] = "-d", *words[] = {program, plain, (char *)script, NULL};
    process_files f;
    pid_t pid;
    int code = process_open(&f, kinds, 0);
    if (code) return status_fail(error, LOCBO_ERR_IO, "cannot open a pipe for gnuplot: %s", strerror(code));
    code = process_start(&(process_plan){.argv = words, .env = environ, .dir = dir}, &f, &pid);
    locbo_status status;
    if (code == 0)
        status = finish(pid, f.ours[1], error);
    else if (code == ENOENT || code == EACCES || code == ENOTDIR) /* wherever PATH pointed */
        status = status_fail(error, LOCBO_ERR_NOTHING, "gnuplot is not installed (not found in PATH)");
    else
        status = status_fail(error, LOCBO_ERR_IO, "cannot start gnuplot: %s", strerror(code));
    process_close(&f);
    return status;
}
