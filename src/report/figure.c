/* figure.c - a figure as files: its numbers (csv), its script (gp), and what gnuplot makes of it.
 * Layer: report. */
#include "figure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "gnuplot.h"
#include "mem.h"
#include "number.h"
#include "script.h"

/* ---- what is asked for ----------------------------------------------------------------------- */

/* It becomes part of file names and of the script: plain letters cannot mean anything there. */
static locbo_status check_name(const char *name, locbo_error *error) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-.";
    if (!name[0] || name[strspn(name, plain)] || strchr("-.", name[0]) || strlen(name) > 200)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a figure's name has letters, digits, '_', '-' and '.', got '%.60s'",
                           name);
    return LOCBO_OK;
}

static locbo_status check_range(const char *axis, double low, double high, int is_log,
                                locbo_error *error) {
    if (isinf(low) || isinf(high) || low >= high)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the %s range must grow, got %g to %g", axis,
                           low, high);
    if (is_log && (low <= 0 || high <= 0))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a logarithmic %s range must be positive, got %g to %g", axis, low,
                           high);
    return LOCBO_OK;
}

static const char *lack_of(const figure_series *s) {
    int needs_ends = s->kind == FIGURE_FILL || s->kind == FIGURE_ARROWS;
    if ((unsigned)s->kind > FIGURE_POLYGON) return "has no kind we know";
    if ((unsigned)s->colour > FIGURE_BROWN) return "has no colour we know";
    if (s->n > 0 && !s->x) return "has no x";
    if (s->n > 0 && !s->y && s->kind != FIGURE_FILL) return "has no y";
    if (!s->low != !s->high) return "has only one of low and high";
    if (s->n > 0 && needs_ends && !s->low) return "has neither low nor high";
    return NULL;
}

static locbo_status check_tics(const figure_panel *p, locbo_error *error) {
    for (size_t i = 0; i < p->tics; i++)
        if (!p->tic_at || !p->tic_name || !p->tic_name[i] || !isfinite(p->tic_at[i]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "tic %zu needs a name and a finite place",
                               i);
    return LOCBO_OK;
}

static locbo_status check_panel(const figure_panel *p, locbo_error *error) {
    locbo_status status = check_range("x", p->x_low, p->x_high, p->log_x, error);
    if (status == LOCBO_OK) status = check_range("y", p->y_low, p->y_high, p->log_y, error);
    if (status == LOCBO_OK) status = check_tics(p, error);
    for (size_t k = 0; k < p->count && status == LOCBO_OK; k++) {
        const char *lack = lack_of(&p->series[k]), *name = p->series[k].name;
        if (lack)
            status = status_fail(error, LOCBO_ERR_ARGUMENT, "series %zu ('%.60s') %s", k,
                                 name ? name : "", lack);
    }
    return status;
}

static locbo_status check_figure(const char *name, size_t panels, const figure_panel *panel,
                                 locbo_error *error) {
    locbo_status status = check_name(name, error);
    if (status == LOCBO_OK && panels == 0)
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "figure '%s' has no panel", name);
    for (size_t i = 0; i < panels && status == LOCBO_OK; i++)
        status = check_panel(&panel[i], error);
    return status;
}

/* ---- the numbers ----------------------------------------------------------------------------- */

/* A panel or series without a name goes by its number. */
static void put_cell(FILE *file, const char *text, size_t number) {
    if (!text || !text[0]) {
        fprintf(file, "%zu", number);
        return;
    }
    int quoted = strpbrk(text, ",\"\r\n") || text[0] == ' ' || text[strlen(text) - 1] == ' ';
    if (quoted) fputc('"', file);
    for (; *text; text++) {
        if (*text == '"') fputc('"', file);
        fputc(*text, file);
    }
    if (quoted) fputc('"', file);
}

/* What is not finite is not drawn and leaves its cell empty. */
static void put_value(FILE *file, const double *values, size_t i) {
    char text[NUMBER_TEXT] = "";
    if (values && isfinite(values[i])) number_print(values[i], text);
    fprintf(file, ",%s", text);
}

static void write_series(FILE *file, const figure_panel *p, size_t panel, size_t k) {
    const figure_series *s = &p->series[k];
    for (size_t i = 0; i < s->n; i++) {
        put_cell(file, p->title, panel + 1);
        fputc(',', file);
        put_cell(file, s->name, k + 1);
        put_value(file, s->x, i);
        put_value(file, s->y, i);
        put_value(file, s->low, i);
        put_value(file, s->high, i);
        fputc('\n', file);
    }
}

static void write_numbers(FILE *file, const char *name, size_t panels, const figure_panel *panel) {
    (void)name;
    fputs("panel,series,x,y,low,high\n", file);
    for (size_t i = 0; i < panels; i++)
        for (size_t k = 0; k < panel[i].count; k++) write_series(file, &panel[i], i, k);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* DIR/NAME.ENDING, or NULL if there is no memory. */
static char *path_of(const char *dir, const char *name, const char *ending) {
    size_t size = strlen(dir) + strlen(name) + strlen(ending) + 3;
    char *path = mem_new(size, 1);
    if (path) snprintf(path, size, "%s/%s.%s", dir, name, ending);
    return path;
}

typedef void writer(FILE *file, const char *name, size_t panels, const figure_panel *panel);

static locbo_status write_file(const char *dir, const char *name, const char *ending, writer *write,
                               size_t panels, const figure_panel *panel, locbo_error *error) {
    char *path = path_of(dir, name, ending);
    if (!path) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    FILE *file = fopen(path, "we");
    int good = file != NULL, code = errno;
    if (file) {
        write(file, name, panels, panel);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
        code = errno;
    }
    if (!good)
        status =
            status_fail(error, LOCBO_ERR_IO, "cannot write '%.150s': %s", path, strerror(code));
    mem_free(path);
    return status;
}

/* A full disk may escape gnuplot. */
static locbo_status check_made(const char *dir, const char *name, const char *ending,
                               locbo_error *error) {
    struct stat info;
    char *path = path_of(dir, name, ending);
    if (!path) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
        status = status_fail(error, LOCBO_ERR_IO, "gnuplot did not write '%.150s'", path);
    mem_free(path);
    return status;
}

static locbo_status draw_figure(const char *dir, const char *name, locbo_error *error) {
    static const char *const endings[] = {"svg", "png", "pdf"};
    size_t size = strlen(name) + 4;
    char *script = mem_new(size, 1);
    if (!script) return status_no_memory(error);
    snprintf(script, size, "%s.gp", name);
    locbo_status status = gnuplot_run(dir, script, error);
    mem_free(script);
    for (int i = 0; i < 3 && status == LOCBO_OK; i++)
        status = check_made(dir, name, endings[i], error);
    return status;
}

locbo_status figure_write(const char *dir, const char *name, size_t panels,
                          const figure_panel *panel, locbo_error *error) {
    locbo_status status = check_figure(name, panels, panel, error);
    if (status == LOCBO_OK)
        status = write_file(dir, name, "csv", write_numbers, panels, panel, error);
    if (status == LOCBO_OK)
        status = write_file(dir, name, "gp", script_write, panels, panel, error);
    if (status == LOCBO_OK) status = draw_figure(dir, name, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}
