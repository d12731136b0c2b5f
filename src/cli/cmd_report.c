/* cmd_report.c - locbo report: the views of the dashboard in one file that needs no server. Layer: cli, subcommand. */
#include "commands.h"

#include "clock.h"
#include "exit_code.h"
#include "session.h"

static const arg_option report_options[] = {{"output", 'o', "FILE", "where to (report.html); - is standard output"},
                                            {NULL, 0, NULL, NULL}};

#ifdef LOCBO_DASHBOARD
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "assets.h"
#include "file_write.h"
#include "mem.h"
#include "report_data.h"

static const char MARK[] = "@REPORT_DATA@";

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

/* What is written: the page with its data. */
typedef struct filled {
    const asset *page;
    const char *mark;
    const buffer *data;
} filled;

static int fill(FILE *to, const void *user) {
    const filled *f = user;
    return write_page(to, f->page, f->mark, f->data);
}

static locbo_status write_report(const char *path, const buffer *data, locbo_error *error) {
    const asset *page = asset_find("report");
    const char *mark = page ? memmem(page->bytes, page->size, MARK, strlen(MARK)) : NULL;
    if (!mark)
        return status_fail(error, LOCBO_ERR_IO,
                           "this build of locbo has no page for reports: build it with DASHBOARD=ON");
    const filled what = {page, mark, data};
    if (strcmp(path, "-") != 0) return file_write(path, fill, &what, error);
    if (fill(stdout, &what)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "cannot write standard output: %s", strerror(errno));
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
