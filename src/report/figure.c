/* figure.c - a figure as files: its numbers (csv), its script (gp), and what gnuplot makes of it.
 * Layer: report. */
#include "figure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extent.h"
#include "gnuplot.h"
#include "mem.h"
#include "number.h"
#include "script.h"

enum { PICTURES = FIGURE_SVG | FIGURE_PNG | FIGURE_PDF };
const char *const figure_endings[FIGURE_FILES] = {"csv", "gp", "svg", "png", "pdf"};

/* ---- what is asked for ----------------------------------------------------------------------- */

/* It is part of file names and of the script, so it has only characters without a meaning there. */
static locbo_status check_name(const char *name, locbo_error *error) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-.";
    if (!name[0] || name[strspn(name, plain)] || strchr("-.", name[0]) || strlen(name) > 200)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a figure's name has letters, digits, '_', '-' and '.', got '%.60s'", name);
    return LOCBO_OK;
}

static locbo_status check_range(const char *axis, double low, double high, int is_log, locbo_error *error) {
    if (isinf(low) || isinf(high) || low >= high)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the %s range must be finite with low < high, got %g to %g", axis,
                           low, high);
    if (is_log && (low <= 0 || high <= 0))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a logarithmic %s range must be positive, got %g to %g", axis,
                           low, high);
    return LOCBO_OK;
}

static const char *lack_of_surface(const figure_series *s) {
    if (s->n == 0) return NULL;
    if (!s->z) return "has no z";
    if (s->low) return "is a surface and has low and high";
    size_t columns = extent_row_length(s);
    if (columns == 0 || s->n % columns != 0) return "is a surface whose points are not a grid";
    for (size_t i = 0; i < s->n; i++)
        if (!isfinite(s->x[i]) || s->x[i] != s->x[i % columns] || !isfinite(s->y[i]) ||
            s->y[i] != s->y[i - i % columns])
            return "is a surface whose points are not a grid";
    return NULL;
}

static const char *lack_of(const figure_series *s) {
    int needs_ends = s->kind == FIGURE_FILL || s->kind == FIGURE_ARROWS;
    if ((unsigned)s->kind > FIGURE_SURFACE) return "has an unknown kind";
    if ((unsigned)s->colour > FIGURE_BROWN) return "has an unknown colour";
    if (s->n > 0 && !s->x) return "has no x";
    if (s->n > 0 && !s->y && s->kind != FIGURE_FILL) return "has no y";
    if (!s->low != !s->high) return "has only one of low and high";
    if (s->n > 0 && needs_ends && !s->low) return "has neither low nor high";
    if (s->kind == FIGURE_SURFACE) return lack_of_surface(s);
    return NULL;
}

static locbo_status check_tics(const figure_panel *p, extent_axis axis, locbo_error *error) {
    extent_names t = extent_names_of(p, axis);
    for (size_t i = 0; i < t.n; i++)
        if (!t.at || !t.name || !t.name[i] || !isfinite(t.at[i]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "tic %zu needs a name and a finite position", i);
    return LOCBO_OK;
}

static locbo_status check_panel(const figure_panel *p, locbo_error *error) {
    locbo_status status = check_range("x", p->x_low, p->x_high, p->log_x, error);
    if (status == LOCBO_OK) status = check_range("y", p->y_low, p->y_high, p->log_y, error);
    if (status == LOCBO_OK) status = check_tics(p, EXTENT_X, error);
    if (status == LOCBO_OK) status = check_tics(p, EXTENT_Y, error);
    for (size_t k = 0; k < p->count && status == LOCBO_OK; k++) {
        const char *lack = lack_of(&p->series[k]), *name = p->series[k].name;
        if (lack) status = status_fail(error, LOCBO_ERR_ARGUMENT, "series %zu ('%.60s') %s", k, name ? name : "", lack);
    }
    return status;
}

static locbo_status check_figure(const char *name, size_t panels, const figure_panel *panel, locbo_error *error) {
    locbo_status status = check_name(name, error);
    if (status == LOCBO_OK && panels == 0)
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "figure '%s' has no panel", name);
    for (size_t i = 0; i < panels && status == LOCBO_OK; i++) status = check_panel(&panel[i], error);
    return status;
}

/* ---- the numbers ----------------------------------------------------------------------------- */

/* A panel or series without a name is called by its number. */
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

/* Numbers that are not finite are not drawn; their cells are empty. */
static void put_value(FILE *file, const double *values, size_t i) {
    char text[NUMBER_TEXT] = "";
    if (values && isfinite(values[i])) number_print(values[i], text);
    fprintf(file, ",%s", text);
}

/* Only a figure with a surface has a column z. */
static int has_surface(size_t panels, const figure_panel *panel) {
    for (size_t i = 0; i < panels; i++)
        if (extent_surface(&panel[i])) return 1;
    return 0;
}

static void write_series(FILE *file, const figure_panel *p, size_t panel, size_t k, int with_z) {
    const figure_series *s = &p->series[k];
    for (size_t i = 0; i < s->n; i++) {
        put_cell(file, p->title, panel + 1);
        fputc(',', file);
        put_cell(file, s->name, k + 1);
        put_value(file, s->x, i);
        put_value(file, s->y, i);
        put_value(file, s->low, i);
        put_value(file, s->high, i);
        if (with_z) put_value(file, s->z, i);
        fputc('\n', file);
    }
}

static void write_numbers(FILE *file, const script_figure *f) {
    const figure_panel *panel = f->page.panel;
    int with_z = has_surface(f->page.panels, panel);
    fprintf(file, "panel,series,x,y,low,high%s\n", with_z ? ",z" : "");
    for (size_t i = 0; i < f->page.panels; i++)
        for (size_t k = 0; k < panel[i].count; k++) write_series(file, &panel[i], i, k, with_z);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* DIR/NAME.ENDING, or NULL if there is no memory. */
static char *path_of(const char *dir, const char *name, const char *ending) {
    size_t size = strlen(dir) + strlen(name) + strlen(ending) + 3;
    char *path = mem_new(size, 1);
    if (path) snprintf(path, size, "%s/%s.%s", dir, name, ending);
    return path;
}

typedef void writer(FILE *file, const script_figure *f);

static locbo_status write_file(const char *dir, const char *ending, writer *write, const script_figure *f,
                               locbo_error *error) {
    char *path = path_of(dir, f->name, ending);
    if (!path) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    FILE *file = fopen(path, "we");
    int good = file != NULL, code = errno;
    if (file) {
        write(file, f);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
        code = errno;
    }
    if (!good) status = status_fail(error, LOCBO_ERR_IO, "cannot write '%.150s': %s", path, strerror(code));
    mem_free(path);
    return status;
}

/* gnuplot does not report a full disk. */
static locbo_status check_made(const char *dir, const char *name, const char *ending, locbo_error *error) {
    struct stat info;
    char *path = path_of(dir, name, ending);
    if (!path) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
        status = status_fail(error, LOCBO_ERR_IO, "gnuplot did not write '%.150s'", path);
    mem_free(path);
    return status;
}

/* By the script DIR/NAME.ENDING, which is there. */
static locbo_status draw_figure(const char *dir, const char *ending, const script_figure *f, locbo_error *error) {
    size_t size = strlen(f->name) + strlen(ending) + 2;
    char *script = mem_new(size, 1);
    if (!script) return status_no_memory(error);
    snprintf(script, size, "%s.%s", f->name, ending);
    locbo_status status = gnuplot_run(dir, script, error);
    mem_free(script);
    for (int i = 0; i < FIGURE_FILES && status == LOCBO_OK; i++)
        if (f->pictures & 1u << i) status = check_made(dir, f->name, figure_endings[i], error);
    return status;
}

static void remove_file(const char *dir, const char *name, const char *ending) {
    char *path = path_of(dir, name, ending);
    if (path) unlink(path);
    mem_free(path);
}

/* A script that is not asked for has another name while it is there: a reader's own stays. */
locbo_status figure_write(const char *dir, const char *name, unsigned files, size_t panels, const figure_panel *panel,
                          locbo_error *error) {
    const char *script = files & FIGURE_GP ? "gp" : "gp.part";
    locbo_status status = check_figure(name, panels, panel, error);
    if (status != LOCBO_OK) return status;
    script_figure f = {name, files & PICTURES ? files & PICTURES : PICTURES, NULL, page_open(panels, panel)};
    if (files & FIGURE_CSV) status = write_file(dir, "csv", write_numbers, &f, error);
    if (status == LOCBO_OK && files & (FIGURE_GP | PICTURES)) status = write_file(dir, script, script_write, &f, error);
    if (status == LOCBO_OK && files & PICTURES) status = draw_figure(dir, script, &f, error);
    if (!(files & FIGURE_GP)) remove_file(dir, name, script);
    return status == LOCBO_OK ? status_ok(error) : status;
}

/* ---- one picture ----------------------------------------------------------------------------- */

/* Which of figure_endings the path has, a picture's; FIGURE_FILES if none. */
static int picture_of(const char *path) {
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && dot > path && dot[-1] != '/' && i < FIGURE_FILES; i++)
        if (PICTURES & 1u << i && strcmp(dot + 1, figure_endings[i]) == 0) return i;
    return FIGURE_FILES;
}

const char *figure_ending(const char *path) {
    int i = picture_of(path);
    return i < FIGURE_FILES ? figure_endings[i] : NULL;
}

static locbo_status fit_page(page *g, const figure_page *wanted, locbo_error *error) {
    g->has_title = wanted->title && wanted->title[0];
    if (page_fit(g, wanted->width, wanted->height)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "the page is too small for the figure, whose natural size is %.1f by %.1f inches", page_width(g),
                       page_height(g));
}

static int copy_all(FILE *from, FILE *to) {
    char block[1 << 16];
    size_t n;
    while ((n = fread(block, 1, sizeof block, from)) > 0)
        if (fwrite(block, 1, n, to) != n) return 0;
    return !ferror(from);
}

/* Copies to PATH.part and renames it, so that the old file stays until the new one is complete. */
static locbo_status copy_to(const char *made, const char *path, locbo_error *error) {
    size_t size = strlen(path) + sizeof ".part";
    char *part = mem_new(size, 1);
    if (!part) return status_no_memory(error);
    snprintf(part, size, "%s.part", path);
    FILE *from = fopen(made, "re"), *to = from ? fopen(part, "we") : NULL;
    int good = from && to && copy_all(from, to), code = errno;
    if (from) fclose(from);
    if (to && fclose(to) != 0 && good) good = 0, code = errno;
    if (good && rename(part, path) != 0) good = 0, code = errno;
    if (!good && to) unlink(part);
    mem_free(part);
    if (good) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "cannot write '%.150s': %s", path, strerror(code));
}

/* The script `folder`/figure.gp, what gnuplot makes of it, and that to where it belongs. */
static locbo_status draw_in(const char *folder, const char *path, const script_figure *f, locbo_error *error) {
    const char *ending = figure_ending(path);
    char *made = path_of(folder, f->name, ending);
    if (!made) return status_no_memory(error);
    locbo_status status = write_file(folder, "gp", script_write, f, error);
    if (status == LOCBO_OK) status = draw_figure(folder, "gp", f, error);
    if (status == LOCBO_OK) status = copy_to(made, path, error);
    remove_file(folder, f->name, "gp");
    unlink(made);
    mem_free(made);
    return status;
}

static locbo_status draw_in_scratch(const char *scratch, const char *path, const script_figure *f, locbo_error *error) {
    char *folder = path_of(scratch, "locbo-figure", "XXXXXX");
    if (!folder) return status_no_memory(error);
    locbo_status status;
    if (!mkdtemp(folder)) {
        status = status_fail(error, LOCBO_ERR_IO, "cannot make a folder in '%.150s': %s", scratch, strerror(errno));
    } else {
        status = draw_in(folder, path, f, error);
        rmdir(folder);
    }
    mem_free(folder);
    return status;
}

locbo_status figure_save(const char *path, const char *scratch, const figure_page *wanted, size_t panels,
                         const figure_panel *panel, locbo_error *error) {
    if (!figure_ending(path))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a picture's name ends in .svg, .png or .pdf, got '%.150s'",
                           path);
    locbo_status status = check_figure("figure", panels, panel, error);
    if (status != LOCBO_OK) return status;
    script_figure f = {"figure", 1u << picture_of(path), NULL, page_open(panels, panel)};
    status = fit_page(&f.page, wanted, error);
    if (f.page.has_title) f.title = wanted->title;
    if (status == LOCBO_OK) status = draw_in_scratch(scratch, path, &f, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}
