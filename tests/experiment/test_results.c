/* test_results.c - the files of an experiment: what is written is read, what a kill left half written is dropped and
 * nothing else, and what is not ours is refused with its line. */
#include "results.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "check.h"
#include "experiment_file.h"
#include "small_plan.h"

/* ---- a small experiment and its folder --------------------------------------------------------- */

static const char HEADER[] = "experiment,case,method,seed,t,regret_observed,regret_recommended,covered,covered_f,"
                             "interval_f,utility,bound,bound_f,width,ms,near,middle,far,near_f,middle_f,far_f,"
                             "holds,holds_width,on_bound,noise1,noise2,noise3,noise4,truth1,truth2,truth3,truth4,"
                             "feasible,promised,cost,evaluations,full,ended,mistaken\n";
/* of the files written before there were thirds */
static const char OLD_HEADER[] = "experiment,case,method,seed,t,regret_observed,regret_recommended,covered,covered_f,"
                                 "interval_f,utility,bound,bound_f,width,ms\n";

typedef struct scene {
    char dir[64], runs[128], grid[128];
    plan plan;
    results *results;
} scene;

static void reopen(scene *s) {
    results_close(s->results);
    s->results = NULL;
    check_ok(results_open(&s->results, &s->plan, s->dir, &error));
}

static void begin(scene *s, const char *text) {
    char path[96];
    *s = (scene){.dir = "/tmp/locbo-results-XXXXXX"};
    assert_non_null(mkdtemp(s->dir));
    check_ok(experiment_file_parse("p.yaml", text, strlen(text), &s->plan, &error));
    snprintf(path, sizeof path, "%s/%s", s->dir, s->plan.name);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(s->runs, sizeof s->runs, "%s/runs.csv", path);
    snprintf(s->grid, sizeof s->grid, "%s/grid.csv", path);
    reopen(s);
}

static int is_there(const char *path, const char *ending) {
    char full[160];
    snprintf(full, sizeof full, "%s%s", path, ending);
    return access(full, F_OK) == 0;
}

/* Nothing is left in the folder but what results.h names. */
static void end(scene *s) {
    static const char *const endings[] = {"", ".gz"};
    char path[160];
    results_close(s->results);
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s%s", s->runs, endings[i]);
        remove(path);
        snprintf(path, sizeof path, "%s%s", s->grid, endings[i]);
        remove(path);
    }
    snprintf(path, sizeof path, "%s/%s", s->dir, s->plan.name);
    check_that(rmdir(path) == 0, "something else is in %s", path);
    assert_int_equal(rmdir(s->dir), 0);
    plan_release(&s->plan);
}

/* Numbers that tell where they belong; some are empty, one is infinite. Nine digits are written, and they have no more.
 */
static task_record make_record(const task *t, size_t cell, uint64_t seed) {
    static task_row rows[8];
    static task_point points[8];
    double key = (double)(100 * cell) + (double)seed;
    size_t count = task_rows(t);
    for (size_t i = 0; i < count; i++)
        rows[i] = (task_row){.t = i + 1 == count ? t->rounds : i * t->every,
                             .observed = key + 0.125 * (double)i,
                             .recommended = -key,
                             .covered = i ? 0.5 : NAN,
                             .covered_f = i ? 0.25 : NAN,
                             .interval_f = i ? 1 : NAN,
                             .utility = NAN,
                             .bound = 0.123456789,
                             .bound_f = NAN,
                             .width = i == 1 ? INFINITY : 1e-9,
                             .ms = 3.25e7,
                             .near = i + 1 == count ? 0.875 : NAN,
                             .middle = i + 1 == count ? 0.75 : NAN,
                             .far = i + 1 == count ? 0.625 : NAN,
                             .near_f = i + 1 == count ? 0.5 : NAN,
                             .middle_f = i + 1 == count ? 0.375 : NAN,
                             .far_f = NAN,
                             .holds = i == 1,
                             .holds_width = 0.5,
                             .on_bound = NAN,
                             .noise1 = NAN,
                             .noise2 = 0.25,
                             .noise3 = NAN,
                             .noise4 = NAN,
                             .truth1 = NAN,
                             .truth2 = NAN,
                             .truth3 = NAN,
                             .truth4 = i + 1 == count ? 1 : NAN,
                             .feasible = 1,
                             .promised = NAN,
                             .cost = NAN,
                             .evaluations = 7,
                             .full = NAN,
                             .ended = NAN,
                             .mistaken = NAN};
    for (size_t i = 0; i < t->grid; i++) points[i] = (task_point){(double)i, key, 0.5, -INFINITY, INFINITY, NAN, 2};
    return (task_record){count, t->grid, rows, points};
}

static void add(scene *s, size_t cell, uint64_t seed) {
    task_record record = make_record(&s->plan.task[cell], cell, seed);
    check_ok(results_add(s->results, cell, seed, &record, &error));
}

static int same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static int same_run(const scene *s, const results_run *found) {
    task_record e = make_record(&s->plan.task[found->cell], found->cell, found->seed);
    int good = found->rows == e.rows && found->points == e.points;
    for (size_t i = 0; good && i < e.rows; i++) {
        const double *x = &found->row[i].observed, *y = &e.row[i].observed;
        good = found->row[i].t == e.row[i].t;
        for (size_t k = 0; k < 16; k++) good = good && same(x[k], y[k]);
    }
    for (size_t i = 0; good && i < e.points; i++) {
        const double *x = &found->point[i].x, *y = &e.point[i].x;
        for (size_t k = 0; k < 7; k++) good = good && same(x[k], y[k]);
    }
    return good;
}

static void check_there(const scene *s, size_t cell, uint64_t seed) {
    results_run found;
    check_that(results_find(s->results, cell, seed, &found), "no run of cell %zu, seed %d", cell, (int)seed);
    check_that(same_run(s, &found), "another run of cell %zu, seed %d", cell, (int)seed);
}

/* Cells 0 (a, BO), 2 (b, BO) and 3 (b, LOCBO) with seeds 1, 2; in another order than they are kept. */
static void add_six(scene *s) {
    add(s, 2, 2);
    add(s, 0, 2);
    add(s, 3, 1);
    add(s, 0, 1);
    add(s, 3, 2);
    add(s, 2, 1);
}

static void check_six(const scene *s) {
    static const size_t cells[] = {0, 2, 3};
    assert_int_equal(results_count(s->results), 6);
    for (size_t i = 0; i < 6; i++) { /* by cell, then by seed */
        results_run r = results_at(s->results, i);
        assert_int_equal(r.cell, cells[i / 2]);
        assert_int_equal(r.seed, 1 + i % 2);
        check_there(s, r.cell, r.seed);
    }
    results_run found;
    assert_false(results_find(s->results, 0, 3, &found));
    assert_false(results_find(s->results, 1, 1, &found));
}

/* ---- files as bytes ---------------------------------------------------------------------------- */

static size_t read_bytes(const char *path, char *text, size_t room) {
    FILE *from = fopen(path, "r");
    assert_non_null(from);
    size_t size = fread(text, 1, room - 1, from);
    fclose(from);
    assert_true(size < room - 1);
    text[size] = '\0';
    return size;
}

static void write_bytes(const char *path, const char *text, size_t size) {
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    assert_int_equal(fwrite(text, 1, size, to), size);
    assert_int_equal(fclose(to), 0);
}

static void write_text(const char *path, const char *text) { write_bytes(path, text, strlen(text)); }

/* ---- tests ------------------------------------------------------------------------------------- */

static void what_is_written_is_read(void **state) {
    (void)state;
    scene s;
    begin(&s, SMALL_PLAN);
    assert_int_equal(results_count(s.results), 0);
    add_six(&s);
    check_six(&s); /* in order also before it is read again */
    reopen(&s);
    check_six(&s);
    check_ok(results_finish(s.results, &error));
    check_six(&s);
    assert_false(is_there(s.runs, ""));
    assert_false(is_there(s.grid, ""));
    assert_true(is_there(s.runs, ".gz"));
    assert_true(is_there(s.grid, ".gz"));
    reopen(&s);
    check_six(&s);
    end(&s);
}

/* Without the last cells of every line: a file as it was before there were thirds (17 cells), or quarters (11). */
static void make_old(const char *path, const char *header, size_t cells) {
    char text[8192], old[8192] = "";
    read_bytes(path, text, sizeof text);
    strcpy(old, header);
    for (char *line = strchr(text, '\n') + 1, *stop; *line; line = stop + 1) {
        char *cut = stop = strchr(line, '\n');
        for (size_t commas = 0; commas < cells;) commas += *--cut == ',';
        strncat(old, line, (size_t)(cut - line));
        strcat(old, "\n");
    }
    write_text(path, old);
}

static void check_old_run(const scene *s, size_t i) {
    results_run r = results_at(s->results, i);
    const task_row *w = &r.row[r.rows - 1];
    check_same(w->observed, (double)(100 * r.cell) + (double)r.seed + 0.125 * 3);
    check_same(w->ms, 3.25e7);
    for (const double *x = &w->near; x <= &w->far_f; x++) check_that(isnan(*x), "%g", *x);
}

/* They are read, left as they are when nothing is added, and otherwise continued with empty cells. */
static void files_without_thirds_are_read(void **state) {
    (void)state;
    scene s;
    char before[8192], after[8192];
    begin(&s, SMALL_PLAN);
    add_six(&s);
    make_old(s.runs, OLD_HEADER, 24);
    reopen(&s);
    assert_int_equal(results_count(s.results), 6);
    for (size_t i = 0; i < 6; i++) check_old_run(&s, i);
    read_bytes(s.runs, before, sizeof before);
    reopen(&s);
    read_bytes(s.runs, after, sizeof after);
    assert_string_equal(before, after);
    add(&s, 0, 3);
    reopen(&s);
    assert_int_equal(results_count(s.results), 7);
    check_there(&s, 0, 3); /* with its thirds */
    check_old_run(&s, 0);
    read_bytes(s.runs, after, sizeof after);
    check_that(strncmp(after, HEADER, strlen(HEADER)) == 0, "%s", after);
    end(&s);
}

/* The same for those that have thirds but no quarters. */
static void files_without_quarters_are_read(void **state) {
    (void)state;
    scene s;
    char header[sizeof HEADER];
    begin(&s, SMALL_PLAN);
    add_six(&s);
    strcpy(header, HEADER);
    strcpy(strstr(header, ",holds"), "\n");
    make_old(s.runs, header, 18);
    reopen(&s);
    assert_int_equal(results_count(s.results), 6);
    for (size_t i = 0; i < 6; i++) {
        results_run r = results_at(s.results, i);
        const task_row *w = &r.row[r.rows - 1];
        check_same(w->near, 0.875);
        for (const double *x = &w->holds; x <= &w->truth4; x++) check_that(isnan(*x), "%g", *x);
    }
    end(&s);
}

/* And for those that have all but what is of several outputs. */
static void files_of_one_output_are_read(void **state) {
    (void)state;
    scene s;
    char header[sizeof HEADER];
    begin(&s, SMALL_PLAN);
    add_six(&s);
    strcpy(header, HEADER);
    strcpy(strstr(header, ",feasible"), "\n");
    make_old(s.runs, header, 7);
    reopen(&s);
    assert_int_equal(results_count(s.results), 6);
    for (size_t i = 0; i < 6; i++) {
        results_run r = results_at(s.results, i);
        const task_row *w = &r.row[r.rows - 1];
        check_same(w->truth4, 1);
        assert_true(isnan(w->feasible) && isnan(w->promised) && isnan(w->evaluations));
    }
    end(&s);
}

/* And for those that have all but what is of a fidelity. */
static void files_without_costs_are_read(void **state) {
    (void)state;
    scene s;
    char header[sizeof HEADER];
    begin(&s, SMALL_PLAN);
    add_six(&s);
    strcpy(header, HEADER);
    strcpy(strstr(header, ",cost"), "\n");
    make_old(s.runs, header, 5);
    reopen(&s);
    assert_int_equal(results_count(s.results), 6);
    for (size_t i = 0; i < 6; i++) {
        results_run r = results_at(s.results, i);
        const task_row *w = &r.row[r.rows - 1];
        check_same(w->feasible, 1);
        for (const double *x = &w->cost; x <= &w->mistaken; x++) check_that(isnan(*x), "%g", *x);
    }
    end(&s);
}

/* The columns are those that results.h promises, empty where there is nothing. */
static void the_file_is_tidy(void **state) {
    (void)state;
    scene s;
    char text[8192];
    begin(&s, SMALL_PLAN);
    add(&s, 3, 7);
    read_bytes(s.runs, text, sizeof text);
    check_that(strncmp(text, HEADER, strlen(HEADER)) == 0, "%s", text);
    assert_string_equal(
        text + strlen(HEADER),
        "book,b,LOCBO(l=inf),7,0,307,-307,,,,,0.123456789,,1e-09,32500000,,,,,,,0,0.5,,,0.25,,,,,,,1,,,7,,,\n"
        "book,b,LOCBO(l=inf),7,2,307.125,-307,0.5,0.25,1,,0.123456789,,inf,32500000,,,,,,,1,0.5,,,0.25,,,,,,,1,,,7,,,\n"
        "book,b,LOCBO(l=inf),7,4,307.25,-307,0.5,0.25,1,,0.123456789,,1e-09,32500000,,,,,,,0,0.5,,,0.25,,,,,,,1,,,7,,,"
        "\n"
        "book,b,LOCBO(l=inf),7,5,307.375,-307,0.5,0.25,1,,0.123456789,,1e-09,32500000,"
        "0.875,0.75,0.625,0.5,0.375,,0,0.5,,,0.25,,,,,,1,1,,,7,,,\n");
    read_bytes(s.grid, text, sizeof text);
    assert_string_equal(text, "experiment,case,method,seed,x,truth,mean,low,high,f_low,f_high\n"
                              "book,b,LOCBO(l=inf),7,0,307,0.5,-inf,inf,,2\n"
                              "book,b,LOCBO(l=inf),7,1,307,0.5,-inf,inf,,2\n"
                              "book,b,LOCBO(l=inf),7,2,307,0.5,-inf,inf,,2\n");
    end(&s);
}

static void values_have_columns_of_their_own(void **state) {
    (void)state;
    scene s;
    char text[4096];
    begin(&s, "name: cells\nsettings: {problem: radio, rounds: 2}\nmethods: {BO: {method: bo}}\n");
    add(&s, 0, 1);
    read_bytes(s.runs, text, sizeof text);
    assert_non_null(strstr(text, ",t,value_observed,value_recommended,covered,"));
    assert_false(is_there(s.grid, ""));
    reopen(&s);
    check_there(&s, 0, 1);
    check_ok(results_finish(s.results, &error));
    assert_false(is_there(s.grid, ".gz"));
    reopen(&s);
    check_there(&s, 0, 1);
    end(&s);
}

/* Cut anywhere: it opens, whole runs are kept, the half one is dropped, and runs can be added. The grid, which is
 * written first, is cut in other rounds. */
static void cut_and_go_on(scene *s, const char *path, const char *text, size_t size) {
    truncate(path, (off_t)size);
    reopen(s);
    size_t kept = results_count(s->results), whole = 0;
    for (size_t i = 0; i < kept; i++) {
        results_run r = results_at(s->results, i);
        check_that(same_run(s, &r), "cut at %zu: a damaged run", size);
    }
    /* six runs of as many lines each, after the header */
    size_t lines = 0, each = path == s->runs ? 4 : 3;
    for (size_t i = 0; i < size; i++) lines += text[i] == '\n';
    whole = lines > 0 ? (lines - 1) / each : 0;
    check_that(kept == whole, "cut at %zu: %zu runs kept of %zu", size, kept, whole);
    results_run found;
    static const size_t cells[] = {0, 2, 3};
    for (size_t i = 0; i < 6; i++)
        if (!results_find(s->results, cells[i / 2], 1 + i % 2, &found)) add(s, cells[i / 2], 1 + i % 2);
    check_six(s);
    reopen(s);
    check_six(s);
}

static void a_torn_file_keeps_its_whole_runs(void **state) {
    (void)state;
    scene s;
    char text[8192];
    unsigned seed = (unsigned)getpid();
    print_message("seed = %u\n", seed);
    srand(seed);
    begin(&s, SMALL_PLAN);
    add_six(&s);
    for (int round = 0; round < 80; round++) {
        const char *path = round % 2 ? s.runs : s.grid;
        size_t all = read_bytes(path, text, sizeof text);
        cut_and_go_on(&s, path, text, round < 2 ? 0 : (size_t)rand() % (all + 1));
    }
    end(&s);
}

static void lines_refused(scene *s, const char *path, const char *text, const char *words) {
    results *opened;
    write_text(path, text);
    check_fails(results_open(&opened, &s->plan, s->dir, &error), LOCBO_ERR_FORMAT, words);
    remove(path);
}

/* A line of runs.csv after the right header, of a file without thirds: the lines stay short. */
static void line_refused(scene *s, const char *line, const char *words) {
    char text[8192], expected[160];
    snprintf(text, sizeof text, "%sbook,a,BO,1,0,1,1,,,,,,,,\n%s\n", OLD_HEADER, line);
    snprintf(expected, sizeof expected, "runs.csv:3: the line %s", words);
    lines_refused(s, s->runs, text, expected);
}

static void what_is_not_ours_is_refused(void **state) {
    (void)state;
    scene s;
    char text[4096];
    begin(&s, SMALL_PLAN);
    lines_refused(&s, s.runs, "a,b,c\n", "runs.csv:1: the line is not the header expected");
    lines_refused(&s, s.runs, "\n", "runs.csv:1: the line is not the header expected");
    lines_refused(&s, s.grid, HEADER, "grid.csv:1: the line is not the header expected");
    line_refused(&s, "", "has the wrong number of cells");
    line_refused(&s, "book,a,BO,1,0,1,1,,,,,,,", "has the wrong number of cells");
    line_refused(&s, "book,a,BO,1,0,1,1,,,,,,,,,", "has the wrong number of cells");
    line_refused(&s, "look,a,BO,1,0,1,1,,,,,,,,", "belongs to another experiment");
    line_refused(&s, "book,c,BO,1,0,1,1,,,,,,,,", "has a case that the experiment does not have");
    line_refused(&s, "book,a,bo,1,0,1,1,,,,,,,,", "has a method that the experiment does not have");
    line_refused(&s, "book,a,LOCBO(l=inf),1,0,1,1,,,,,,,,",
                 "has a method that the experiment does not run for this case");
    line_refused(&s, "book,a,BO,,0,1,1,,,,,,,,", "has no seed");
    line_refused(&s, "book,a,BO,-1,0,1,1,,,,,,,,", "has no seed");
    line_refused(&s, "book,a,BO,1x,0,1,1,,,,,,,,", "has no seed");
    line_refused(&s, "book,a,BO,99999999999999999999,0,1,1,,,,,,,,", "has no seed");
    line_refused(&s, "book,a,BO,1,0,one,1,,,,,,,,", "has a cell that is not a number");
    line_refused(&s, "book,a,BO,1,,1,1,,,,,,,,", "has a round that");
    line_refused(&s, "book,a,BO,1,3,1,1,,,,,,,,", "has a round that");
    line_refused(&s, "book,a,BO,1,6,1,1,,,,,,,,", "has a round that");
    line_refused(&s, "book,a,BO,1,-2,1,1,,,,,,,,", "has a round that");
    line_refused(&s, "book,a,BO,1,1e300,1,1,,,,,,,,", "has a round that");
    line_refused(&s, "book,a,BO,1,nan,1,1,,,,,,,,", "has a round that");
    line_refused(&s, "book,a,BO,1,0,1,1,,,,,,,,\r", "has a cell that is not a number");
    snprintf(text, sizeof text, "%sbook,a,BO,1,0,1,1,,,,,,,,\n", HEADER);
    lines_refused(&s, s.runs, text, "runs.csv:2: the line has the wrong number of cells");
    snprintf(text, sizeof text, "%sbook,a,BO,1,0,1,1,,,,,,,,,,,,,,\n", OLD_HEADER);
    lines_refused(&s, s.runs, text, "runs.csv:2: the line has the wrong number of cells");
    snprintf(text, sizeof text, "%.*s,near\n", (int)strlen(OLD_HEADER) - 1, OLD_HEADER);
    lines_refused(&s, s.runs, text, "runs.csv:1: the line is not the header expected");
    memset(text, 'x', 2000);
    text[2000] = '\0';
    line_refused(&s, text, "is too long");
    snprintf(text, sizeof text, "%sbook,a,BO,1,0\001rest\nbook,a,BO,1,0,1,1,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n", HEADER);
    size_t size = strlen(text);
    *strchr(text, '\001') = '\0'; /* a NUL in the middle is no torn end */
    write_bytes(s.runs, text, size);
    results *opened;
    check_fails(results_open(&opened, &s.plan, s.dir, &error), LOCBO_ERR_FORMAT, "runs.csv:2: the line has a NUL");
    end(&s);
}

/* Rows twice, or too many of one kind, are no run; those of others are not touched. */
static void doubled_rows_are_no_run(void **state) {
    (void)state;
    scene s;
    char text[8192];
    begin(&s, SMALL_PLAN);
    add(&s, 0, 1);
    add(&s, 0, 2);
    size_t size = read_bytes(s.runs, text, sizeof text);
    char *last = strrchr(text, '\n'), *line = last;
    while (line[-1] != '\n') line--;
    memmove(last + 1, line, (size_t)(last + 1 - line) + 1); /* the last line twice */
    write_bytes(s.runs, text, size + (size_t)(last + 1 - line));
    reopen(&s);
    assert_int_equal(results_count(s.results), 1);
    check_there(&s, 0, 1);
    /* rounds 0, 2, 2, 5: four rows, but not those of a run */
    read_bytes(s.runs, text, sizeof text);
    char *second = strstr(text, "book,a,BO,2,4,");
    assert_non_null(second);
    second[strlen("book,a,BO,2,")] = '2';
    last = strrchr(text, '\n');
    *last = '\0';
    *strrchr(text, '\n') = '\0';
    strcat(text, "\n");
    write_text(s.runs, text);
    reopen(&s);
    assert_int_equal(results_count(s.results), 1);
    add(&s, 0, 2);
    reopen(&s);
    check_there(&s, 0, 2);
    end(&s);
}

static void a_run_is_added_once(void **state) {
    (void)state;
    scene s;
    begin(&s, SMALL_PLAN);
    add(&s, 0, 1);
    task_record record = make_record(&s.plan.task[0], 0, 1);
    check_fails(results_add(s.results, 0, 1, &record, &error), LOCBO_ERR_STATE, "seed 1");
    assert_int_equal(results_count(s.results), 1);
    end(&s);
}

/* ---- compressed -------------------------------------------------------------------------------- */

static void the_end_is_compressed(void **state) {
    (void)state;
    scene s;
    char path[160], text[16];
    unsigned char magic[2] = {0};
    begin(&s, SMALL_PLAN);
    add_six(&s);
    check_ok(results_finish(s.results, &error));
    snprintf(path, sizeof path, "%s.gz", s.runs);
    FILE *from = fopen(path, "r");
    assert_non_null(from);
    assert_int_equal(fread(magic, 1, 2, from), 2);
    fclose(from);
    assert_int_equal(magic[0], 0x1f);
    assert_int_equal(magic[1], 0x8b);
    gzFile packed = gzopen(path, "rb");
    assert_non_null(gzgets(packed, text, sizeof text));
    assert_string_equal(text, "experiment,case");
    gzclose(packed);
    end(&s);
}

static void finishing_twice_changes_nothing(void **state) {
    (void)state;
    scene s;
    char path[160];
    struct stat before, after;
    begin(&s, SMALL_PLAN);
    add_six(&s);
    check_ok(results_finish(s.results, &error));
    snprintf(path, sizeof path, "%s.gz", s.runs);
    assert_int_equal(stat(path, &before), 0);
    check_ok(results_finish(s.results, &error));
    reopen(&s);
    check_ok(results_finish(s.results, &error));
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino); /* not even written again */
    reopen(&s);
    check_six(&s);
    end(&s);
}

/* The plain file is the newer one while there is one, also after a kill between the last run and the end. */
static void adding_after_the_end(void **state) {
    (void)state;
    scene s;
    char text[8192];
    begin(&s, SMALL_PLAN);
    add(&s, 0, 1);
    check_ok(results_finish(s.results, &error));
    add(&s, 0, 2);
    assert_true(is_there(s.runs, ""));
    reopen(&s); /* as after a kill: the compressed file holds one run, the plain one both */
    assert_int_equal(results_count(s.results), 2);
    check_ok(results_finish(s.results, &error));
    assert_false(is_there(s.runs, ""));
    assert_false(is_there(s.grid, ""));
    reopen(&s);
    assert_int_equal(results_count(s.results), 2);
    check_there(&s, 0, 1);
    check_there(&s, 0, 2);
    /* and after one between the two removals */
    add(&s, 2, 1);
    size_t size = read_bytes(s.grid, text, sizeof text);
    check_ok(results_finish(s.results, &error));
    write_bytes(s.grid, text, size);
    reopen(&s);
    assert_int_equal(results_count(s.results), 3);
    check_ok(results_finish(s.results, &error));
    assert_false(is_there(s.grid, ""));
    reopen(&s);
    assert_int_equal(results_count(s.results), 3);
    end(&s);
}

static void nothing_is_fine(void **state) {
    (void)state;
    scene s;
    results *opened = NULL;
    begin(&s, SMALL_PLAN);
    check_ok(results_finish(s.results, &error));
    reopen(&s);
    assert_int_equal(results_count(s.results), 0);
    check_ok(results_open(&opened, &s.plan, "/tmp/there/is/no/such/folder", &error));
    assert_int_equal(results_count(opened), 0);
    task_record record = make_record(&s.plan.task[0], 0, 1);
    check_fails(results_add(opened, 0, 1, &record, &error), LOCBO_ERR_IO, "cannot write /tmp/there");
    assert_int_equal(results_count(opened), 0);
    check_fails(results_finish(opened, &error), LOCBO_ERR_IO, "cannot write /tmp/there");
    results_close(opened);
    results_close(NULL);
    end(&s);
}

static void damage_in_the_middle_is_said(void **state) {
    (void)state;
    scene s;
    char path[160], text[8192];
    results *opened;
    begin(&s, SMALL_PLAN);
    add_six(&s);
    check_ok(results_finish(s.results, &error));
    snprintf(path, sizeof path, "%s.gz", s.runs);
    size_t size = read_bytes(path, text, sizeof text);
    for (size_t cut = size - 1; cut > 40; cut -= 37) {
        write_bytes(path, text, cut);
        check_fails(results_open(&opened, &s.plan, s.dir, &error), LOCBO_ERR_FORMAT, "runs.csv.gz");
    }
    text[size / 2] ^= 0x55;
    write_bytes(path, text, size);
    check_fails(results_open(&opened, &s.plan, s.dir, &error), LOCBO_ERR_FORMAT, "runs.csv.gz");
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_file_is_tidy),
        cmocka_unit_test(files_without_thirds_are_read),
        cmocka_unit_test(files_without_quarters_are_read),
        cmocka_unit_test(files_of_one_output_are_read),
        cmocka_unit_test(files_without_costs_are_read),
        cmocka_unit_test(values_have_columns_of_their_own),
        cmocka_unit_test(a_torn_file_keeps_its_whole_runs),
        cmocka_unit_test(what_is_not_ours_is_refused),
        cmocka_unit_test(doubled_rows_are_no_run),
        cmocka_unit_test(a_run_is_added_once),
        cmocka_unit_test(the_end_is_compressed),
        cmocka_unit_test(finishing_twice_changes_nothing),
        cmocka_unit_test(adding_after_the_end),
        cmocka_unit_test(nothing_is_fine),
        cmocka_unit_test(damage_in_the_middle_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
