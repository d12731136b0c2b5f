/* gnuplot.c - runs gnuplot as a process, without a shell; its error message becomes ours. Layer: report. */
#include "gnuplot.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"

enum { OUTPUT = 4096 }; /* bytes of its output that are kept */

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
    if (!process_reap(pid, &status))
        return status_fail(error, LOCBO_ERR_IO, "cannot wait for gnuplot: %s", strerror(errno));
    return check_exit(status, text, error);
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
