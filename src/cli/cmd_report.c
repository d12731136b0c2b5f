/* cmd_report.c - locbo report: the views of the dashboard in one file that needs no server. Layer: cli, subcommand. */
#include "commands.h"

#include "clock.h"
#include "exit_code.h"
#include "session.h"

static const arg_option report_options[] = {{"output", 'o', "FILE", "where to (report.html); - is standard output"},
                                            {NULL, 0, NULL, NULL}};

#ifdef LOCBO_DASHBOARD
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assets.h"
#include "mem.h"
#include "report_data.h"

static const char MARK[] = "@REPORT_DATA@";
#define ENDING ".XXXXXX" /* of a file that is not whole yet */

/* ---- how far it is: on a terminal only, where it goes away again ----------------------------- */

typedef struct gauge {
    int shown;
    double last;
} gauge;

static void show(size_t done, size_t total, void *user) {
    gauge *g = user;
    double now = clock_now();
    if (now - g->last < 0.5 || !isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r%zu of %zu answers\033[K", done, total);
    g->last = now;
    g->shown = 1;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The page with the data where its marker is. Returns 0 with errno set if it cannot be written. */
static int write_page(FILE *to, const asset *page, const char *mark, const buffer *data) {
    const char *begin = (const char *)page->bytes, *rest = mark + strlen(MARK);
    size_t before = (size_t)(mark - begin), after = (size_t)(begin + page->size - rest);
    return fwrite(begin, 1, before, to) == before && fwrite(data->data, 1, data->size, to) == data->size &&
           fwrite(rest, 1, after, to) == after && fflush(to) == 0;
}

static locbo_status cannot_write(const char *path, int code, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_IO, "cannot write '%.150s': %s", path, strerror(code));
}

/* A new file beside `path`, its name in `part`: one that no other process can have created, with the mode that any new
 * file has. NULL with errno set. */
static FILE *create_beside(const char *path, char *part, size_t size) {
    snprintf(part, size, "%s" ENDING, path);
    int fd = mkostemp(part, O_CLOEXEC);
    if (fd < 0) return NULL;
    mode_t mask = umask(0);
    umask(mask);
    FILE *file = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "w") : NULL;
    if (file) return file;
    int code = errno;
    close(fd);
    unlink(part);
    errno = code;
    return NULL;
}

/* Writes and closes. Returns 0 with errno set if that fails. */
static int fill(FILE *to, const asset *page, const char *mark, const buffer *data) {
    int good = write_page(to, page, mark, data), code = errno;
    if (fclose(to) != 0 && good) return 0;
    errno = code;
    return good;
}

/* What is there stays until the new file is whole. */
static locbo_status replace_file(const char *path, const asset *page, const char *mark, const buffer *data,
                                 locbo_error *error) {
    size_t size = strlen(path) + sizeof ENDING;
    char *part = mem_new(size, 1);
    if (!part) return status_no_memory(error);
    FILE *to = create_beside(path, part, size);
    int good = to && fill(to, page, mark, data) && rename(part, path) == 0, code = errno;
    if (to && !good) unlink(part);
    mem_free(part);
    return good ? LOCBO_OK : cannot_write(path, code, error);
}

/* What is no file (/dev/null, a pipe) is written to, not replaced. */
static locbo_status write_file(const char *path, const asset *page, const char *mark, const buffer *data,
                               locbo_error *error) {
    struct stat there;
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode)) return replace_file(path, page, mark, data, error);
    FILE *to = fopen(path, "we");
    return to && fill(to, page, mark, data) ? LOCBO_OK : cannot_write(path, errno, error);
}

static locbo_status write_report(const char *path, const buffer *data, locbo_error *error) {
    const asset *page = asset_find("report");
    const char *mark = page ? memmem(page->bytes, page->size, MARK, strlen(MARK)) : NULL;
    if (!mark)
        return status_fail(error, LOCBO_ERR_IO,
                           "this build of locbo has no page for reports: build it with DASHBOARD=ON");
    if (strcmp(path, "-") != 0) return write_file(path, page, mark, data, error);
    if (write_page(stdout, page, mark, data)) return LOCBO_OK;
    return cannot_write("standard output", errno, error);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    gauge g = {.last = clock_now()};
    buffer data = {.data = NULL};
    if (!session_open(&s, self, argc, argv, SESSION_STORE, 1, 0, 0)) return s.code;
    const char *given = args_get(&s.args, "output"), *path = given ? given : "report.html";
    locbo_status status = report_data_write(s.store, args_get(&s.args, "name"), &data, show, &g, &error);
    if (g.shown) fprintf(stderr, "\r\033[K");
    if (status == LOCBO_OK) status = write_report(path, &data, &error);
    mem_free(data.data);
    if (status != LOCBO_OK) return session_fail(&s, &error);
    if (strcmp(path, "-") != 0) message_print(self->name, 0, "wrote %s", path);
    return session_close(&s, EXIT_OK);
}

#else

static int run(const command *self, int argc, char **argv) { return session_no_dashboard(self, argc, argv); }

#endif

const command command_report = {
    .name = "report",
    .summary = "write the dashboard of a study as one file that needs no server",
    .usage = "[-o FILE]",
    .description = "Writes what `locbo serve` shows of a study at one moment into one HTML file that any "
                   "browser opens, from a disk or a mail: overview, history, calibration, model, parameters, "
                   "trials. It loads nothing from elsewhere. Of a large study the newest 5000 trials are in "
                   "the table and the newest 1000 have a page with what they printed (the last 4096 bytes). "
                   "Above 3000 results there are no views of an exact model (exact_rows=0, cbo).",
    .examples = "    $ locbo report -o pump.html\n"
                "    $ locbo report --db demo.db --name bread\n",
    .options = (const arg_option *const[]){session_options, report_options, NULL},
    .run = run,
};
