/* test_pictures.c - the figures of experiments: what is in their numbers, for results small enough
 * to be checked by hand. */
#include "pictures.h"

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "experiment_file.h"

/* ---- a directory, an experiment and its results ---------------------------------------------- */

typedef struct scene {
    char dir[64], path[256]; /* `path`: of what was drawn, without its ending */
    plan plan;
    results *results;
    char *csv;
} scene;

static char search_path[4096];

/* Without gnuplot the numbers and the script are written all the same, and tests are quick. */
static int hide_gnuplot(void **state) {
    (void)state;
    const char *path = getenv("PATH");
    snprintf(search_path, sizeof search_path, "%s", path ? path : "");
    return setenv("PATH", "/nonexistent", 1);
}

static int show_gnuplot(void **state) {
    (void)state;
    return setenv("PATH", search_path, 1);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static void open_directory(scene *s) {
    memset(s, 0, sizeof *s);
    snprintf(s->dir, sizeof s->dir, "/tmp/locbo-pictures-XXXXXX");
    assert_non_null(mkdtemp(s->dir));
}

static void open_scene(scene *s, const char *text) {
    char path[128];
    open_directory(s);
    check_ok(experiment_file_parse("e.yaml", text, strlen(text), &s->plan, &error));
    snprintf(path, sizeof path, "%s/%s", s->dir, s->plan.name);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(s->path, sizeof s->path, "%s/figure", path);
    check_ok(results_open(&s->results, &s->plan, s->dir, &error));
}

static void close_scene(scene *s) {
    results_close(s->results);
    plan_release(&s->plan);
    free(s->csv);
    assert_int_equal(nftw(s->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static size_t cell_of(const scene *s, const char *name, const char *method) {
    size_t c = plan_find_case(&s->plan, name), m = plan_find_method(&s->plan, method);
    assert_true(c < s->plan.cases && m < s->plan.methods);
    return plan_cell(&s->plan, c, m);
}

static task_row row_of(size_t t, double observed, double recommended) {
    task_row row = {.t = t};
    for (size_t k = 0; k < TASK_ROW_NUMBERS; k++) task_numbers(&row)[k] = (double)NAN;
    row.observed = observed;
    row.recommended = recommended;
    return row;
}

static void add(scene *s, const char *name, const char *method, uint64_t seed, size_t rows, task_row *row,
                size_t points, task_point *point) {
    task_point nothing;
    task_record record = {rows, points, row, point ? point : &nothing};
    check_ok(results_add(s->results, cell_of(s, name, method), seed, &record, &error));
}

/* A run of which only the end matters. */
static void add_end(scene *s, const char *name, const char *method, uint64_t seed, double observed,
                    double recommended) {
    task_row rows[2] = {row_of(0, 10, 10), row_of(2, observed, recommended)};
    add(s, name, method, seed, 2, rows, 0, NULL);
}

/* ---- what was written ------------------------------------------------------------------------ */

static char *read_all(const char *path, const char *ending) {
    char full[300];
    snprintf(full, sizeof full, "%s.%s", path, ending);
    FILE *file = fopen(full, "r");
    check_that(file != NULL, "%s: %s", full, strerror(errno));
    char *text = calloc(1 << 20, 1);
    assert_non_null(text);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    assert_true(size > 0 && size < (1 << 20) - 1);
    fclose(file);
    return text;
}

static void paint(scene *s) {
    check_fails(pictures_experiment(&s->plan, s->results, s->dir, FIGURE_ALL, &error), LOCBO_ERR_NOTHING, "gnuplot");
    free(s->csv);
    s->csv = read_all(s->path, "csv");
}

typedef struct numbers {
    double x, y, low, high; /* NAN: an empty cell */
} numbers;

static double cell_value(const char **text) {
    char *end;
    double value = strtod(*text, &end);
    if (end == *text) value = (double)NAN;
    *text = end + (*end == ',');
    return value;
}

/* Where a line begins with these words and a comma, what follows; otherwise NULL. */
static const char *after(const char *line, const char *head) {
    while (*head && *line == *head) line++, head++;
    return !*head && *line == ',' ? line + 1 : NULL;
}

/* Row `skip` of a panel's series. Returns 0 if there is none. `head` is as in the file. Step by step: under the
 * sanitizers strchr and strtod look at the whole rest of the text each time. */
static int find_row(const char *csv, const char *head, size_t skip, numbers *found) {
    char row[200];
    for (const char *line = csv; *line; line += *line == '\n') {
        const char *cells = after(line, head);
        while (*line && *line != '\n') line++;
        if (!cells || skip-- > 0) continue;
        snprintf(row, sizeof row, "%.*s", (int)(line - cells), cells);
        const char *text = row;
        found->x = cell_value(&text);
        found->y = cell_value(&text);
        found->low = cell_value(&text);
        found->high = cell_value(&text);
        return 1;
    }
    return 0;
}

static numbers row_at(const char *csv, const char *head, size_t skip) {
    numbers found;
    check_that(find_row(csv, head, skip, &found), "no row %zu of '%s' in\n%.2000s", skip, head, csv);
    return found;
}

static size_t count_rows(const char *csv, const char *head) {
    size_t n = 0;
    numbers found;
    while (find_row(csv, head, n, &found)) n++;
    return n;
}

/* Means and medians of a few small numbers are exact but for the last bit. */
#define check_number(actual, expected) check_close(actual, expected, 1e-12, 0)

/* ---- kinds of figures ------------------------------------------------------------------------ */

static const char CURVES[] = "name: curves\nfigure: curves\nagainst: BO\n"
                             "settings: {problem: branin, rounds: 2, every: 2}\n"
                             "methods:\n  BO: {method: bo, colour: green}\n"
                             "  LOCBO: {method: locbo, colour: red, dashed: true}\n"
                             "  idle: {method: random}\n";

static void draws_curves(void **state) {
    (void)state;
    scene s;
    open_scene(&s, CURVES);
    for (uint64_t seed = 1; seed <= 3; seed++) add_end(&s, "-", "BO", seed, seed == 3 ? 6 : (double)seed, 0.5);
    add_end(&s, "-", "LOCBO", 1, 4, 2);
    paint(&s);
    numbers begin = row_at(s.csv, "best observed point,BO", 0);
    numbers end = row_at(s.csv, "best observed point,BO", 1);
    assert_true(begin.x == 0 && begin.y == 10 && begin.low == 10 && begin.high == 10);
    check_number(end.x, 2);
    check_number(end.y, 3); /* (1 + 2 + 6)/3 */
    assert_true(end.low >= 1 && end.low < 3 && end.high > 3 && end.high <= 6);
    end = row_at(s.csv, "recommended by the model,BO", 1);
    assert_true(end.y == 0.5 && end.low == 0.5 && end.high == 0.5);
    end = row_at(s.csv, "best observed point,LOCBO", 1); /* one run has no interval */
    assert_true(end.y == 4 && isnan(end.low) && isnan(end.high));
    assert_int_equal(count_rows(s.csv, "best observed point,idle"), 0);
    char *script = read_all(s.path, "gp");
    assert_non_null(strstr(script, "simple regret"));
    free(script);
    close_scene(&s);
}

/* 70 % of the means of resamples of as many 0 as 1 lie within 1.036 standard errors. */
static void bands_are_of_70_percent(void **state) {
    (void)state;
    scene s;
    open_scene(&s, CURVES);
    for (uint64_t seed = 1; seed <= 100; seed++) add_end(&s, "-", "BO", seed, (double)(seed % 2), 1);
    paint(&s);
    numbers end = row_at(s.csv, "best observed point,BO", 1);
    check_number(end.y, 0.5);
    check_close(end.high - end.low, 2 * 1.036 * 0.05, 0.15, 0); /* means are multiples of 0.01 */
    close_scene(&s);
}

static const char SWEEP[] = "name: sweep\nfigure: sweep\nx_label: length\nlog_x: true\n"
                            "against: BO\nsettings: {problem: branin, rounds: 2, every: 2}\n"
                            "cases:\n  l=1: {at: 1, localization: 0.1}\n"
                            "  l=inf: {at: 40, localization: inf}\n"
                            "methods:\n  BO: {method: bo, only: [l=1]}\n"
                            "  LOCBO: {method: locbo}\n";

static void draws_sweeps(void **state) {
    (void)state;
    scene s;
    open_scene(&s, SWEEP);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        add_end(&s, "l=1", "BO", seed, (double)seed, 1);
        add_end(&s, "l=1", "LOCBO", seed, 2 * (double)seed, 1);
        add_end(&s, "l=inf", "LOCBO", seed, 4 * (double)seed, 1);
    }
    paint(&s);
    for (size_t i = 0; i < 2; i++) {
        numbers level = row_at(s.csv, "best observed point,BO", i);
        numbers swept = row_at(s.csv, "best observed point,LOCBO", i);
        assert_true(level.x == (i ? 40 : 1) && swept.x == level.x);
        check_number(level.y, 1.5);
        check_number(swept.y, i ? 6 : 3);
    }
    char *script = read_all(s.path, "gp");
    assert_non_null(strstr(script, "\"inf\" 40"));
    assert_non_null(strstr(script, "set logscale x"));
    free(script);
    close_scene(&s);
}

static const char GRID[] = "name: grid\nfigure: grid\nagainst: a\n"
                           "settings: {problem: wave, rounds: 2, every: 2, grid: 2}\n"
                           "methods:\n  a: {method: locbo, gain: 0}\n  b: {method: locbo}\n";

static void draws_grids(void **state) {
    (void)state;
    scene s;
    open_scene(&s, GRID);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        double u = (double)(seed * seed), far = seed < 3 ? INFINITY : 9;
        task_row row[2] = {row_of(0, 1, 1), row_of(2, 1, 1)};
        task_point point[2] = {{-5, 7, u, u - 1, u + 2, u, u}, {5, 8, u, -far, far, u, u}};
        add(&s, "-", "a", seed, 2, row, 2, point);
    }
    paint(&s);
    numbers set = row_at(s.csv, "a,a", 0), open = row_at(s.csv, "a,a", 1);
    assert_true(set.x == -5 && set.y == 4 && set.low == 3 && set.high == 6); /* seed 2 */
    assert_true(open.x == 5 && open.y == 4 && isnan(open.low) && isnan(open.high));
    assert_true(row_at(s.csv, "a,truth", 1).y == 8);
    assert_true(row_at(s.csv, "width of the set of y,a", 0).y == 3);
    assert_true(isnan(row_at(s.csv, "width of the set of y,a", 1).y));
    assert_int_equal(count_rows(s.csv, "b,b"), 0);
    close_scene(&s);
}

/* The same plan with two kinds of figure. */
#define DOTS_PLAN                                                                                                      \
    "name: dots\nagainst: BO\nsettings: {problem: branin, rounds: 2, every: 2}\n"                                      \
    "cases:\n  one: {noise: none}\n  two: {noise: {kind: gaussian, scale: 1}}\n"                                       \
    "methods:\n  RS: {method: random, only: [one]}\n  BO: {method: bo}\n"
static const char DOTS[] = DOTS_PLAN "figure: dots\n";
static const char BOUNDS[] = DOTS_PLAN "figure: bounds\n";

static void draws_dots(void **state) {
    (void)state;
    scene s;
    open_scene(&s, DOTS);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        add_end(&s, "one", "RS", seed, (double)seed, 0);
        add_end(&s, "one", "BO", seed, 5, 0);
        add_end(&s, "two", "BO", seed, 7, 0);
    }
    paint(&s);
    numbers dot = row_at(s.csv, "one,RS", 0);
    check_number(dot.x, 2);
    assert_true(dot.y == 1 && dot.low >= 1 && dot.low < 2 && dot.high > 2 && dot.high <= 3);
    dot = row_at(s.csv, "one,BO", 0);
    assert_true(dot.x == 5 && dot.y == 2 && dot.low == 5 && dot.high == 5);
    dot = row_at(s.csv, "two,BO", 0); /* rows are those of the methods that were run */
    assert_true(dot.x == 7 && dot.y == 1);
    numbers line = row_at(s.csv, "one,3", 0); /* the reference, which has no name */
    assert_true(line.x == 5 && line.y == 0.5 && row_at(s.csv, "one,3", 1).y == 2.5);
    close_scene(&s);
}

/* Rounds 1, 2 and then 3: shares are over the rounds since the row before. */
static void draws_bounds(void **state) {
    (void)state;
    scene s;
    open_scene(&s, BOUNDS);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        task_row row[3] = {row_of(0, 1, 1), row_of(2, 1, 1), row_of(3, 1, 1)};
        row[1].covered = 0.5 * (double)seed; /* 1 or 2 of 2 */
        row[2].covered = 0;
        row[1].covered_f = row[2].covered_f = 1;
        row[2].bound = 0.25;
        row[2].bound_f = 0.125;
        add(&s, "one", "BO", seed, 3, row, 0, NULL);
    }
    paint(&s);
    const char *line = "one: results in their set (Lemma 1),BO";
    numbers early = row_at(s.csv, line, 0), late = row_at(s.csv, line, 1);
    assert_true(early.x == 2 && late.x == 3);
    check_number(early.y, 0.75);
    check_number(late.y, 0.5); /* (1/3 + 2/3)/2 */
    check_number(late.low, 1. / 3);
    check_number(late.high, 2. / 3);
    numbers bound = row_at(s.csv, "one: results in their set (Lemma 1),\"BO, bound\"", 1);
    assert_true(bound.x == 3 && bound.y == 0.25);
    bound = row_at(s.csv, "one: truths in that set (Lemma 2),\"BO, bound\"", 1);
    assert_true(bound.y == 0.125);
    assert_null(strstr(s.csv, "Theorem")); /* there was no utility */
    close_scene(&s);
}

static const char RATIOS[] = "name: ratios\nfigure: ratios\nagainst: BO\nsettings: {rounds: 2, every: 2}\n"
                             "cases:\n  branin+loud+fit: {problem: branin}\n  levy2+loud+bad: {problem: levy2}\n"
                             "  levy2+calm+fit: {problem: levy2}\n"
                             "methods:\n  BO: {method: bo}\n  LOCBO: {method: locbo}\n"
                             "  CBO: {method: cbo, only: [levy2+calm+fit]}\n";

static void add_ratio(scene *s, const char *name, const char *method, double regret) {
    for (uint64_t seed = 1; seed <= 3; seed++) add_end(s, name, method, seed, regret, regret);
}

static void draws_ratios(void **state) {
    (void)state;
    scene s;
    open_scene(&s, RATIOS);
    const char *const name[] = {"branin+loud+fit", "levy2+loud+bad", "levy2+calm+fit"};
    const double regret[] = {2, 8, 0.5}; /* of LOCBO; twice that is the ratio */
    for (int i = 0; i < 3; i++) {
        add_ratio(&s, name[i], "BO", 0.5);
        add_ratio(&s, name[i], "LOCBO", regret[i]);
    }
    add_ratio(&s, name[2], "CBO", 1.5);
    add_end(&s, name[0], "LOCBO", 9, 100, 100); /* BO has no such seed */
    paint(&s);
    const char *all = "\"best observed point, by function\",LOCBO";
    check_number(row_at(s.csv, all, 0).x, 4); /* (4 16 1)^(1/3) */
    check_number(row_at(s.csv, all, 0).low, 4);
    check_number(row_at(s.csv, all, 0).high, 4);
    check_number(row_at(s.csv, all, 1).x, 4); /* branin */
    check_number(row_at(s.csv, all, 2).x, 4); /* levy2 */
    check_number(row_at(s.csv, "\"best observed point, by noise\",LOCBO", 0).x, 8);
    check_number(row_at(s.csv, "\"best observed point, by noise\",LOCBO", 1).x, 1);
    check_number(row_at(s.csv, "\"recommended by the model, by surrogate\",LOCBO", 1).x, 16);
    const char *some = "\"best observed point, by function\",CBO (1 of 3 cases)";
    check_number(row_at(s.csv, some, 0).x, 3);
    assert_true(isnan(row_at(s.csv, some, 1).x)); /* none on branin */
    assert_true(isnan(row_at(s.csv, some, 2).x)); /* one of two on levy2 */
    assert_int_equal(count_rows(s.csv, "\"best observed point, by function\",BO"), 0);
    close_scene(&s);
}

/* The interval is over seeds: two regrets are 1, the third is 2, so a drawn median is either. */
static void bars_are_over_seeds(void **state) {
    (void)state;
    scene s;
    open_scene(&s, RATIOS);
    add_ratio(&s, "levy2+calm+fit", "BO", 1);
    for (uint64_t seed = 1; seed <= 3; seed++) add_end(&s, "levy2+calm+fit", "LOCBO", seed, seed < 3 ? 1 : 2, 1);
    paint(&s);
    numbers dot = row_at(s.csv, "\"best observed point, by function\",LOCBO (1 of 3 cases)", 0);
    check_number(dot.x, 1);
    check_number(dot.low, 1);
    check_number(dot.high, 2); /* 7 of 27 resamples */
    close_scene(&s);
}

static const char SCORES[] = "name: scores\nfigure: scores\nagainst: BO\nscore: RS\ngroups: {wild: [loud, odd]}\n"
                             "settings: {problem: branin, rounds: 2, every: 2}\n"
                             "cases: {f+calm: {}, g+calm: {}, f+loud: {}, g+odd: {}}\n"
                             "methods:\n  BO: {method: bo}\n  idle: {method: cbo}\n  RS: {method: random}\n";

/* A panel for all, one for the group, and one for the kind in no group; methods without runs have no row. */
static void draws_scores(void **state) {
    (void)state;
    scene s;
    open_scene(&s, SCORES);
    const char *const name[] = {"f+calm", "g+calm", "f+loud", "g+odd"};
    const double regret[] = {1, 2, 3, 5};
    for (int i = 0; i < 4; i++) {
        add_ratio(&s, name[i], "RS", 10);
        add_ratio(&s, name[i], "BO", regret[i]);
    }
    paint(&s);
    numbers dot = row_at(s.csv, "all (4 problems),BO", 0);
    check_number(dot.x, 0.25);
    assert_true(dot.y == 1 && dot.low >= 0.1 && dot.low < 0.25 && dot.high > 0.25);
    dot = row_at(s.csv, "all (4 problems),RS", 0);
    assert_true(dot.x == 1 && dot.y == 2 && dot.low == 1 && dot.high == 1);
    check_number(row_at(s.csv, "wild (2 problems),BO", 0).x, 0.4);
    check_number(row_at(s.csv, "calm (2 problems),BO", 0).x, 0.15);
    assert_int_equal(count_rows(s.csv, "loud (1 problem),BO"), 0);
    assert_int_equal(count_rows(s.csv, "all (4 problems),idle"), 0);
    close_scene(&s);
}

/* ---- explanations ---------------------------------------------------------------------------- */

/* By trapezoids, from below the curve or between low and high. */
static double mass(const char *csv, const char *head) {
    double sum = 0;
    numbers a = row_at(csv, head, 0), b;
    for (size_t i = 1; find_row(csv, head, i, &b); i++, a = b) {
        double from = isnan(a.y) ? a.high - a.low : a.y, to = isnan(b.y) ? b.high - b.low : b.y;
        sum += (b.x - a.x) * (from + to) / 2;
    }
    return sum;
}

static void explains_the_likelihood(void **state) {
    (void)state;
    scene s;
    open_directory(&s);
    check_fails(pictures_likelihood(s.dir, FIGURE_ALL, &error), LOCBO_ERR_NOTHING, "gnuplot");
    snprintf(s.path, sizeof s.path, "%s/likelihood", s.dir);
    s.csv = read_all(s.path, "csv");
    const char *y = "likelihood of a result y at x = -4", *f = "posterior of f(x) at x = -4";
    char head[128];
    snprintf(head, sizeof head, "%s,\"set, probability 0.8\"", y);
    check_close(mass(s.csv, head), 0.8, 1e-9, 0); /* a rectangle */
    snprintf(head, sizeof head, "%s,calibrated", y);
    check_close(mass(s.csv, head), 1, 0, 0.002); /* less what lies beyond 4 sd: 0.001 */
    snprintf(head, sizeof head, "%s,model", f);
    check_close(mass(s.csv, head), 1, 0, 1e-4); /* 6e-5 beyond 4 sd */
    snprintf(head, sizeof head, "%s,\"calibrated, denoised\"", f);
    check_close(mass(s.csv, head), 1, 0, 0.002);
    close_scene(&s);
}

static void explains_the_deployment(void **state) {
    (void)state;
    scene s;
    radio r;
    open_directory(&s);
    check_fails(pictures_deployment(s.dir, 5, FIGURE_ALL, &error), LOCBO_ERR_NOTHING, "gnuplot");
    snprintf(s.path, sizeof s.path, "%s/deployment", s.dir);
    s.csv = read_all(s.path, "csv");
    radio_deploy(&r, &(radio_options){.deployment = 5});
    const char *ground = "deployment,\"ground users, 1.5 m\"";
    assert_int_equal(count_rows(s.csv, ground), RADIO_GROUND);
    check_same(row_at(s.csv, ground, 7).x, r.user[7][0]);
    check_same(row_at(s.csv, ground, 7).y, r.user[7][1]);
    assert_int_equal(count_rows(s.csv, "deployment,\"drones, 150 m\""), RADIO_DRONES);
    assert_int_equal(count_rows(s.csv, "deployment,boresights"), RADIO_STATIONS);
    numbers peak = row_at(s.csv, "antenna gain along the boresight,tilt 30°", 120);
    assert_true(peak.x == 30 && peak.y == 8);
    /* a corridor is as wide as in the problem: 10 m around its drones, which it holds all */
    numbers corner = row_at(s.csv, "deployment,corridors", 0);
    check_close(corner.x, -110, 1e-9, 0);
    check_close(corner.y, -100, 1e-9, 0);
    close_scene(&s);
}

/* ---- trouble, and the real thing ------------------------------------------------------------- */

static void refuses(void **state) {
    (void)state;
    scene s;
    open_scene(&s, CURVES);
    check_fails(pictures_experiment(&s.plan, s.results, s.dir, FIGURE_ALL, &error), LOCBO_ERR_STATE,
                "experiment curves has no runs");
    add_end(&s, "-", "BO", 1, 1, 1);
    check_fails(pictures_experiment(&s.plan, s.results, "/nonexistent", FIGURE_ALL, &error), LOCBO_ERR_IO,
                "/nonexistent/curves/figure.csv");
    check_fails(pictures_likelihood("/nonexistent", FIGURE_ALL, &error), LOCBO_ERR_IO, "likelihood.csv");
    check_fails(pictures_deployment("/nonexistent", 1, FIGURE_ALL, &error), LOCBO_ERR_IO, "deployment.csv");
    close_scene(&s);
}

static void draws_files(void **state) {
    (void)state;
    static const char *const endings[] = {"svg", "png", "pdf"};
    locbo_error error;
    scene s;
    open_scene(&s, RATIOS);
    add_ratio(&s, "branin+loud+fit", "BO", 1);
    add_ratio(&s, "branin+loud+fit", "LOCBO", 2);
    locbo_status status = pictures_experiment(&s.plan, s.results, s.dir, FIGURE_ALL, &error);
    for (int i = 0; i < 3 && status == LOCBO_OK; i++) free(read_all(s.path, endings[i]));
    close_scene(&s);
    if (status == LOCBO_ERR_NOTHING) skip();
    if (status != LOCBO_OK) fail_msg("%s", error.message);
}

#define WITHOUT(name) cmocka_unit_test_setup_teardown(name, hide_gnuplot, show_gnuplot)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITHOUT(draws_curves),
        WITHOUT(bands_are_of_70_percent),
        WITHOUT(draws_sweeps),
        WITHOUT(draws_grids),
        WITHOUT(draws_dots),
        WITHOUT(draws_bounds),
        WITHOUT(draws_ratios),
        WITHOUT(draws_scores),
        WITHOUT(bars_are_over_seeds),
        WITHOUT(explains_the_likelihood),
        WITHOUT(explains_the_deployment),
        WITHOUT(refuses),
        cmocka_unit_test(draws_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
