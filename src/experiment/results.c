/* results.c - the files of an experiment: read (incomplete runs are dropped), appended run by run, compressed at the
 * end. zlib reads plain and compressed files. Layer: experiment, above plan. */
#include "results.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "mem.h"
#include "number.h"
#include "status.h"

enum { PATH_ROOM = 4096, LINE_ROOM = 1024, NUMBERS = TASK_ROW_NUMBERS + 1, KEYS = 4 };
_Static_assert((int)TASK_POINT_NUMBERS <= (int)NUMBERS, "a line has room for a point of the grid");

/* Two files: rows (`grid` 0) and grid points (`grid` 1). */
static const char *const FILES[] = {"runs.csv", "grid.csv"};
static const char *const PACKED[] = {"runs.csv.gz", "grid.csv.gz"};

/* One line of either file: its run and its numbers. */
typedef struct line {
    size_t cell;
    uint64_t seed;
    double number[NUMBERS];
} line;

typedef struct lines {
    size_t n, room;
    line *at;
} lines;

typedef struct run {
    size_t cell;
    uint64_t seed;
    task_record record;
} run;

struct results {
    const plan *plan;
    char base[PATH_ROOM]; /* DIR/NAME */
    size_t n, room;
    run *run;
    int ready; /* the plain files are there and hold the runs */
};

static int has_grid(const plan *p) {
    for (size_t i = 0; i < plan_cells(p); i++)
        if (p->task[i].grid > 0) return 1;
    return 0;
}

static void path_of(const results *r, const char *file, char path[PATH_ROOM + 32]) {
    snprintf(path, PATH_ROOM + 32, "%s/%s", r->base, file);
}

/* ---- Lines ------------------------------------------------------------------------------------- */

/* The header of a file of that version; returns the count of numbers in the other lines. */
static size_t print_header(const plan *p, int grid, int version, char text[LINE_ROOM]) {
#define POINT_NAME(name) "," #name
    const char *merit = plan_is_value(p) ? "value_" : "regret_";
    int at = snprintf(text, LINE_ROOM, "experiment,case,method,seed%s", grid ? TASK_POINTS(POINT_NAME) : ",t");
    size_t n = 0;
    if (grid) return TASK_POINT_NUMBERS;
    for (const task_column *c = task_columns; n < TASK_ROW_NUMBERS && c->since <= version; c++, n++)
        at += snprintf(text + at, (size_t)(LINE_ROOM - at), ",%s%s", c->of_run == TASK_MERIT ? merit : "", c->name);
    return n + 1;
}

static int newest(void) { return task_columns[TASK_ROW_NUMBERS - 1].since; }

/* The count of numbers in the lines after this header, 0 if it is not a known header. Columns that files of earlier
 * versions do not have count as empty. */
static size_t numbers_after(const plan *p, int grid, const char *text) {
    char header[LINE_ROOM];
    for (int version = newest(); version > 0; version--) {
        size_t count = print_header(p, grid, version, header);
        if (strcmp(text, header) == 0) return count;
    }
    return 0;
}

/* Nine digits are more than the precision of these numbers. */
static int print_number(char *to, size_t room, double value) {
    return isnan(value) ? snprintf(to, room, ",") : snprintf(to, room, ",%.9g", value);
}

/* Row or point i of a run as numbers. */
static void get_item(const task_record *r, int grid, size_t i, double number[NUMBERS]) {
    if (grid) {
        memcpy(number, &r->point[i], sizeof r->point[i]);
        return;
    }
    number[0] = (double)r->row[i].t;
    memcpy(number + 1, task_numbers(&r->row[i]), TASK_ROW_NUMBERS * sizeof *number);
}

static void set_item(task_record *r, int grid, size_t i, const double number[NUMBERS]) {
    if (grid) {
        memcpy(&r->point[i], number, sizeof r->point[i]);
        return;
    }
    r->row[i].t = (size_t)number[0];
    memcpy(task_numbers(&r->row[i]), number + 1, TASK_ROW_NUMBERS * sizeof *number);
}

static size_t count_items(const task_record *r, int grid) { return grid ? r->points : r->rows; }

static void print_line(const plan *p, const run *u, int grid, size_t i, char text[LINE_ROOM]) {
    size_t count = grid ? TASK_POINT_NUMBERS : NUMBERS;
    double number[NUMBERS];
    get_item(&u->record, grid, i, number);
    int at = snprintf(text, LINE_ROOM, "%s,%s,%s,%" PRIu64, p->name, plan_case_name(p, u->cell),
                      plan_method_name(p, u->cell), u->seed);
    for (size_t k = 0; k < count && at < LINE_ROOM - 40; k++)
        at += print_number(text + at, (size_t)(LINE_ROOM - at), number[k]);
    snprintf(text + at, (size_t)(LINE_ROOM - at), "\n");
}

/* Splits the text at commas, in place; returns the number of parts, or most + 1 if there are more than `most`. */
static size_t split(char *text, size_t most, char **part) {
    size_t n = 0;
    while (n < most) {
        part[n++] = text;
        text = strchr(text, ',');
        if (!text) break;
        *text++ = '\0';
    }
    return text ? most + 1 : n;
}

static int parse_seed(const char *text, uint64_t *seed) {
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && errno == 0;
}

/* Whether a run of this task has a row of that round. */
static int is_recorded(const task *t, double round) {
    if (!(round >= 0 && round <= (double)t->rounds) || floor(round) != round) return 0;
    return task_records(t, (size_t)round);
}

/* Returns what is wrong with the line, NULL if nothing is. */
static const char *parse_line(const plan *p, char *text, int grid, size_t count, line *l) {
    char *part[KEYS + NUMBERS];
    if (split(text, KEYS + count, part) != KEYS + count) return "has the wrong number of cells";
    if (strcmp(part[0], p->name) != 0) return "belongs to another experiment";
    size_t c = plan_find_case(p, part[1]), m = plan_find_method(p, part[2]);
    if (c == p->cases) return "has a case that the experiment does not have";
    if (m == p->methods) return "has a method that the experiment does not have";
    if (!parse_seed(part[3], &l->seed)) return "has no seed";
    l->cell = plan_cell(p, c, m);
    if (!p->present[l->cell]) return "has a method that the experiment does not run for this case";
    for (size_t i = 0; i < NUMBERS; i++) l->number[i] = (double)NAN;
    for (size_t i = 0; i < count; i++)
        if (*part[KEYS + i] && !number_parse(part[KEYS + i], &l->number[i])) return "has a cell that is not a number";
    if (grid) return isnan(l->number[0]) ? "has no x" : NULL;
    for (size_t i = 0; i < TASK_ROW_NUMBERS; i++)
        if (task_columns[i].of_run == TASK_MERIT && !isfinite(l->number[i + 1])) return "has no finite regret or value";
    return is_recorded(&p->task[l->cell], l->number[0]) ? NULL : "has a round that the experiment does not record";
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static int keep(lines *all, const line *l) {
    if (!mem_reserve(&all->at, &all->room, all->n + 1, sizeof *all->at)) return 0;
    all->at[all->n++] = *l;
    return 1;
}

/* Reads a line without its newline. 1: read; 0: there is none, or the last line has no newline, because the writer was
 * killed. *wrong: any other error. */
static int read_line(gzFile file, char text[LINE_ROOM], const char **wrong) {
    *wrong = NULL;
    if (!gzgets(file, text, LINE_ROOM)) return 0;
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '\n') {
        text[length - 1] = '\0';
        return 1;
    }
    *wrong = length + 1 < LINE_ROOM ? "has a NUL" : "is too long";
    return gzgetc(file) >= 0;
}

/* The lines of an open file. */
static locbo_status read_lines(const plan *p, gzFile file, const char *path, int grid, lines *all, locbo_error *error) {
    char text[LINE_ROOM];
    const char *wrong;
    size_t count = 0;
    line l;
    for (size_t number = 1; read_line(file, text, &wrong); number++) {
        if (number == 1 && !wrong)
            wrong = (count = numbers_after(p, grid, text)) ? NULL : "is not the header expected";
        else if (!wrong)
            wrong = parse_line(p, text, grid, count, &l);
        if (wrong) return status_fail(error, LOCBO_ERR_FORMAT, "%s:%zu: the line %s", path, number, wrong);
        if (number > 1 && !keep(all, &l)) return status_no_memory(error);
    }
    int code;
    const char *why = gzerror(file, &code);
    if (code != Z_OK && code != Z_STREAM_END) return status_fail(error, LOCBO_ERR_FORMAT, "%s: %s", path, why);
    return LOCBO_OK;
}

/* Reads the plain file or, without it, the compressed one; there may be none. */
static locbo_status read_file(const results *r, int grid, lines *all, locbo_error *error) {
    char path[PATH_ROOM + 32];
    path_of(r, FILES[grid], path);
    gzFile opened = gzopen(path, "rb");
    if (!opened && errno == ENOENT) {
        path_of(r, PACKED[grid], path);
        opened = gzopen(path, "rb");
    }
    if (!opened && errno == ENOENT) return LOCBO_OK;
    if (!opened) return status_fail(error, LOCBO_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    locbo_status status = read_lines(r->plan, opened, path, grid, all, error);
    gzclose(opened);
    return status;
}

static int compare_runs(const line *x, const line *y) {
    if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
    return (x->seed > y->seed) - (x->seed < y->seed);
}

static int by_run(const void *a, const void *b) {
    const line *x = a, *y = b;
    int order = compare_runs(x, y);
    return order ? order : (x->number[0] > y->number[0]) - (x->number[0] < y->number[0]);
}

/* Allocates a run with its rows and points; 0: no memory. */
static int make_run(run *u, size_t cell, uint64_t seed, size_t rows, size_t points) {
    *u = (run){cell, seed, {rows, points, mem_new(rows, sizeof(task_row)), mem_new(points, sizeof(task_point))}};
    if (u->record.row && u->record.point) return 1;
    task_record_release(&u->record);
    return 0;
}

/* Whether these are all rows of a run, each once. */
static int is_whole(const task *t, const line *first, size_t rows) {
    if (rows != task_rows(t)) return 0;
    for (size_t i = 1; i < rows; i++)
        if (first[i].number[0] == first[i - 1].number[0]) return 0;
    return 1;
}

/* Adds the run with these rows, from `first`, and these points, from `g`, if it is complete. */
static locbo_status take_run(results *r, const line *first, size_t rows, const line *g, size_t points,
                             locbo_error *error) {
    const task *t = &r->plan->task[first->cell];
    if (!is_whole(t, first, rows) || points != t->grid) return LOCBO_OK;
    if (!mem_reserve(&r->run, &r->room, r->n + 1, sizeof *r->run) ||
        !make_run(&r->run[r->n], first->cell, first->seed, rows, points))
        return status_no_memory(error);
    run *u = &r->run[r->n++];
    for (size_t i = 0; i < rows; i++) set_item(&u->record, 0, i, first[i].number);
    for (size_t i = 0; i < points; i++) set_item(&u->record, 1, i, g[i].number);
    return LOCBO_OK;
}

/* The index after the last line of the run at `from`. */
static size_t end_of_run(const lines *all, size_t from) {
    size_t to = from;
    while (to < all->n && compare_runs(&all->at[from], &all->at[to]) == 0) to++;
    return to;
}

/* Rows and points are both sorted by run. */
static locbo_status take_runs(results *r, const lines *rows, const lines *grid, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t from = 0, to, g = 0; from < rows->n && status == LOCBO_OK; from = to) {
        const line *first = &rows->at[from];
        to = end_of_run(rows, from);
        while (g < grid->n && compare_runs(&grid->at[g], first) < 0) g++;
        size_t points = g < grid->n && compare_runs(&grid->at[g], first) == 0 ? end_of_run(grid, g) - g : 0;
        status = take_run(r, first, to - from, points ? &grid->at[g] : NULL, points, error);
    }
    return status;
}

static locbo_status load(results *r, locbo_error *error) {
    lines all[2] = {{0, 0, NULL}, {0, 0, NULL}};
    locbo_status status = LOCBO_OK;
    for (int grid = 0; grid <= has_grid(r->plan) && status == LOCBO_OK; grid++) {
        status = read_file(r, grid, &all[grid], error);
        if (all[grid].n) qsort(all[grid].at, all[grid].n, sizeof *all[grid].at, by_run);
    }
    if (status == LOCBO_OK) status = take_runs(r, &all[0], &all[1], error);
    mem_free(all[0].at);
    mem_free(all[1].at);
    return status;
}

locbo_status results_open(results **opened, const plan *p, const char *dir, locbo_error *error) {
    results *r = mem_new(1, sizeof *r);
    if (!r) return status_no_memory(error);
    r->plan = p;
    locbo_status status = LOCBO_OK;
    if (snprintf(r->base, sizeof r->base, "%s/%s", dir, p->name) >= (int)sizeof r->base)
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "the path '%.80s...' is too long", r->base);
    if (status == LOCBO_OK) status = load(r, error);
    if (status == LOCBO_OK)
        *opened = r;
    else
        results_close(r);
    return status;
}

void results_close(results *r) {
    if (!r) return;
    for (size_t i = 0; i < r->n; i++) task_record_release(&r->run[i].record);
    mem_free(r->run);
    mem_free(r);
}

/* ---- Access ------------------------------------------------------------------------------------ */

size_t results_count(const results *r) { return r->n; }

results_run results_at(const results *r, size_t i) {
    const run *u = &r->run[i];
    return (results_run){u->cell, u->seed, u->record.rows, u->record.points, u->record.row, u->record.point};
}

/* The index of the run of a cell and seed, or where it would be. */
static size_t index_of(const results *r, size_t cell, uint64_t seed) {
    size_t low = 0, high = r->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const run *u = &r->run[middle];
        if (u->cell < cell || (u->cell == cell && u->seed < seed))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t results_first(const results *r, size_t cell) { return index_of(r, cell, 0); }

int results_find(const results *r, size_t cell, uint64_t seed, results_run *found) {
    size_t at = index_of(r, cell, seed);
    if (at == r->n || r->run[at].cell != cell || r->run[at].seed != seed) return 0;
    *found = results_at(r, at);
    return 1;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

static locbo_status failed(const char *path, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_IO, "cannot write %s: %s", path, strerror(errno));
}

/* Writes the lines of a run; `put` writes a text and returns 0 if it cannot. */
static int put_run(const plan *p, const run *u, int grid, int (*put)(void *, const char *), void *to) {
    char text[LINE_ROOM];
    for (size_t i = 0; i < count_items(&u->record, grid); i++) {
        print_line(p, u, grid, i, text);
        if (!put(to, text)) return 0;
    }
    return 1;
}

static int put_plain(void *to, const char *text) { return fputs(text, to) != EOF; }
static int put_packed(void *to, const char *text) { return gzputs(to, text) >= 0; }

/* Forces the file to disk: the plain file is removed after this. */
static int sync_file(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    int good = fsync(fd) == 0;
    return close(fd) == 0 && good;
}

static int write_runs(const results *r, const char *path, int grid, int packed) {
    void *to = packed ? (void *)gzopen(path, "wb9") : (void *)fopen(path, "w");
    if (!to) return 0;
    int (*put)(void *, const char *) = packed ? put_packed : put_plain;
    char header[LINE_ROOM];
    print_header(r->plan, grid, newest(), header);
    int good = put(to, header) && put(to, "\n");
    for (size_t i = 0; i < r->n && good; i++) good = put_run(r->plan, &r->run[i], grid, put, to);
    int closed = packed ? gzclose(to) == Z_OK : fclose(to) == 0;
    return good && closed && sync_file(path);
}

/* Writes a file with header and all runs, under a temporary name until it is complete. */
static locbo_status write_all(const results *r, int grid, int packed, locbo_error *error) {
    char path[PATH_ROOM + 32], part[PATH_ROOM + 40];
    path_of(r, packed ? PACKED[grid] : FILES[grid], path);
    snprintf(part, sizeof part, "%s.part", path);
    if (write_runs(r, part, grid, packed) && rename(part, path) == 0) return LOCBO_OK;
    locbo_status status = failed(path, error);
    remove(part);
    return status;
}

static locbo_status write_files(const results *r, int packed, locbo_error *error) {
    locbo_status status = write_all(r, 0, packed, error);
    return status == LOCBO_OK && has_grid(r->plan) ? write_all(r, 1, packed, error) : status;
}

static int exists(const results *r, const char *file) {
    char path[PATH_ROOM + 32];
    path_of(r, file, path);
    return access(path, F_OK) == 0;
}

static void forget(const results *r, const char *file) {
    char path[PATH_ROOM + 32];
    path_of(r, file, path);
    remove(path);
}

static locbo_status append(const results *r, const run *u, int grid, locbo_error *error) {
    char path[PATH_ROOM + 32];
    path_of(r, FILES[grid], path);
    FILE *to = fopen(path, "a");
    if (!to) return failed(path, error);
    int good = put_run(r->plan, u, grid, put_plain, to);
    good = fflush(to) == 0 && good;
    good = fsync(fileno(to)) == 0 && good;
    return fclose(to) == 0 && good ? LOCBO_OK : failed(path, error);
}

/* Before the first append, rewrites the plain files from what was read, so that they have no incomplete run. */
static locbo_status prepare(results *r, locbo_error *error) {
    if (r->ready) return LOCBO_OK;
    locbo_status status = write_files(r, 0, error);
    r->ready = status == LOCBO_OK;
    return status;
}

/* Adds the run to the files, then in order to the array. The grid is written first: a run is complete when its rows
 * are. */
static locbo_status insert(results *r, const run *u, locbo_error *error) {
    size_t at = index_of(r, u->cell, u->seed);
    if (!mem_reserve(&r->run, &r->room, r->n + 1, sizeof *r->run)) return status_no_memory(error);
    locbo_status status = has_grid(r->plan) ? append(r, u, 1, error) : LOCBO_OK;
    if (status == LOCBO_OK) status = append(r, u, 0, error);
    if (status != LOCBO_OK) {
        r->ready = 0; /* the file may end with an incomplete line */
        return status;
    }
    memmove(&r->run[at + 1], &r->run[at], (r->n - at) * sizeof *r->run);
    r->run[at] = *u;
    r->n++;
    return LOCBO_OK;
}

/* Rounds the numbers as in the file, so that statistics are the same now and after the file is read again. */
static void copy_as_written(run *u, const task_record *record) {
    double number[NUMBERS];
    char text[40];
    for (int grid = 0; grid < 2; grid++)
        for (size_t i = 0; i < count_items(record, grid); i++) {
            get_item(record, grid, i, number);
            for (size_t k = 0; k < (grid ? TASK_POINT_NUMBERS : NUMBERS); k++)
                if (print_number(text, sizeof text, number[k]) > 1) number_parse(text + 1, &number[k]);
            set_item(&u->record, grid, i, number);
        }
}

locbo_status results_add(results *r, size_t cell, uint64_t seed, const task_record *record, locbo_error *error) {
    results_run found;
    run u;
    if (results_find(r, cell, seed, &found))
        return status_fail(error, LOCBO_ERR_STATE, "the run of seed %" PRIu64 " exists already", seed);
    locbo_status status = prepare(r, error);
    if (status != LOCBO_OK) return status;
    if (!make_run(&u, cell, seed, record->rows, record->points)) return status_no_memory(error);
    copy_as_written(&u, record);
    status = insert(r, &u, error);
    if (status != LOCBO_OK) task_record_release(&u.record);
    return status;
}

locbo_status results_finish(results *r, locbo_error *error) {
    if (exists(r, PACKED[0]) && !exists(r, FILES[0]) && !exists(r, FILES[1])) return LOCBO_OK; /* nothing was added */
    locbo_status status = write_files(r, 1, error);
    if (status != LOCBO_OK) return status;
    forget(r, FILES[0]);
    forget(r, FILES[1]);
    r->ready = 0;
    return LOCBO_OK;
}
