/* test_figure.c - figures: numbers, scripts and pictures; without gnuplot; names that mean harm. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "figure.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char folder[64], path[8192];

static const char *in_folder(const char *name) {
    static char full[512];
    snprintf(full, sizeof full, "%s/%s", folder, name);
    return full;
}

/* The whole file, to be freed; NULL if there is none. */
static char *content(const char *name, size_t *size) {
    FILE *file = fopen(in_folder(name), "rb");
    if (!file) return NULL;
    char *text = calloc(1, 4 << 20);
    size_t n = fread(text, 1, (4 << 20) - 1, file);
    if (size) *size = n;
    fclose(file);
    return text;
}

static void check_content(const char *name, const char *expected) {
    char *text = content(name, NULL);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void check_contains(const char *name, const char *words) {
    char *text = content(name, NULL);
    check_that(text && strstr(text, words), "%s does not contain '%s'", name, words);
    free(text);
}

static void check_magic(const char *name, const char *magic) {
    size_t size = 0;
    char *text = content(name, &size);
    check_that(text && size > 200 && memcmp(text, magic, strlen(magic)) == 0, "%s does not begin with its magic", name);
    free(text);
}

static int is_there(const char *name) { return access(in_folder(name), F_OK) == 0; }

static size_t files_in_folder(void) {
    size_t n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void empty_folder(void) {
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') remove(in_folder(e->d_name));
    if (d) closedir(d);
}

/* Every test has a folder of its own, and PATH as it was. */
static int set_up(void **state) {
    (void)state;
    setenv("PATH", path, 1);
    strcpy(folder, "/tmp/locbo-figure-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    empty_folder();
    return rmdir(folder);
}

static int has_gnuplot(void) {
    char full[4200];
    for (const char *at = path; *at;) {
        size_t size = strcspn(at, ":");
        snprintf(full, sizeof full, "%.*s/gnuplot", (int)size, at);
        if (access(full, X_OK) == 0) return 1;
        at += size + (at[size] == ':');
    }
    return 0;
}

/* A program of this name and text, alone in PATH. */
static void set_gnuplot(const char *text) {
    FILE *file = fopen(in_folder("gnuplot"), "w");
    fprintf(file, "#!/bin/sh\n%s\n", text);
    fclose(file);
    chmod(in_folder("gnuplot"), 0700);
    setenv("PATH", folder, 1);
}

static figure_panel panel_of(size_t count, const figure_series *series) {
    return (figure_panel){.x_low = NAN, .x_high = NAN, .y_low = NAN, .y_high = NAN, .count = count, .series = series};
}

static const double X[] = {0, 1, 2, 3}, Y[] = {1, 0.1, NAN, 4}, LOW[] = {0.5, 0, NAN, -INFINITY},
                    HIGH[] = {1.5, 0.2, NAN, 5};

static figure_series series_of(const char *name, figure_kind kind) {
    return (figure_series){.name = name, .kind = kind, .n = 4, .x = X, .y = Y, .low = LOW, .high = HIGH};
}

/* ---- numbers and scripts, whether or not there is gnuplot ------------------------------------ */

static void without_gnuplot(void **state) {
    (void)state;
    figure_series s[] = {series_of("LOCBO(l=inf)", FIGURE_LINE), series_of(NULL, FIGURE_POINTS)};
    s[1].low = s[1].high = NULL;
    figure_panel p[] = {panel_of(2, s), panel_of(1, s)};
    p[0].title = "a, \"b\"";
    p[0].key = p[1].log_y = 1;
    p[0].y_low = -2;
    setenv("PATH", folder, 1);
    check_fails(figure_write(folder, "small", FIGURE_ALL, 2, p, &error), LOCBO_ERR_NOTHING, "gnuplot");
    assert_int_equal(files_in_folder(), 2);
    check_content("small.csv", "panel,series,x,y,low,high\n"
                               "\"a, \"\"b\"\"\",LOCBO(l=inf),0,1,0.5,1.5\n"
                               "\"a, \"\"b\"\"\",LOCBO(l=inf),1,0.1,0,0.2\n"
                               "\"a, \"\"b\"\"\",LOCBO(l=inf),2,,,\n"
                               "\"a, \"\"b\"\"\",LOCBO(l=inf),3,4,,5\n"
                               "\"a, \"\"b\"\"\",2,0,1,,\n"
                               "\"a, \"\"b\"\"\",2,1,0.1,,\n"
                               "\"a, \"\"b\"\"\",2,2,,,\n"
                               "\"a, \"\"b\"\"\",2,3,4,,\n"
                               "2,LOCBO(l=inf),0,1,0.5,1.5\n"
                               "2,LOCBO(l=inf),1,0.1,0,0.2\n"
                               "2,LOCBO(l=inf),2,,,\n"
                               "2,LOCBO(l=inf),3,4,,5\n");
    check_contains("small.gp", "$panel1_series1 << end\n0 1 0.5 1.5\n1 0.1 0 0.2\n2 NaN NaN NaN\n"
                               "3 4 NaN 5\nend\n");
    check_contains("small.gp", "$panel1_series2 << end\n0 1 NaN NaN\n");
    check_contains("small.gp", "set output \"small.svg\"");
    check_contains("small.gp", "set output \"small.png\"");
    check_contains("small.gp", "set output \"small.pdf\"");
    check_contains("small.gp", "title \"LOCBO(l=inf)\" noenhanced");
    check_contains("small.gp", "set title \"a, \\042b\\042\" noenhanced");
    check_contains("small.gp", "set yrange [-2:");
    check_contains("small.gp", "set logscale y");
    check_contains("small.gp", "$panel1_series1 using 1:3:4 with filledcurves");
}

/* On a logarithmic axis a band that reaches 0 is drawn down to the axis; a value of 0 is not. */
static void bands_on_logarithmic_axes(void **state) {
    (void)state;
    const double y[] = {1, 0};
    figure_series s = {.kind = FIGURE_LINE, .n = 2, .x = X, .y = y, .low = LOW, .high = HIGH};
    s.low = (const double[]){0.5, 0};
    figure_panel p = panel_of(1, &s);
    p.log_y = 1;
    p.y_low = 0.125;
    setenv("PATH", folder, 1);
    check_fails(figure_write(folder, "log", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_NOTHING, "gnuplot");
    check_contains("log.gp", "<< end\n0 1 0.5 1.5\n1 NaN 0.125 0.2\nend\n");
    check_contains("log.csv", "1,1,1,0,0,0.2\n");
}

/* Outlines are closed; what is not finite separates two of them. Bars lie down if the names stand
 * on the y axis, whose first name is on top. */
static void outlines_and_lying_bars(void **state) {
    (void)state;
    const double x[] = {0, 1, 1, NAN, 4, 5, 5}, y[] = {0, 0, 1, 0, 0, 0, 1}, at[] = {1, 2, 3};
    const char *const names[] = {"ackley_noisy", "50 %", "c"};
    figure_series s[] = {{.kind = FIGURE_POLYGON, .n = 7, .x = x, .y = y}, series_of("p", FIGURE_POINTS)};
    figure_panel p = panel_of(2, s);
    p.tics = 3;
    p.tic_at = at;
    p.tic_name = names;
    setenv("PATH", folder, 1);
    check_fails(figure_write(folder, "up", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_NOTHING, "gnuplot");
    p.tics_on_y = p.equal_axes = 1;
    check_fails(figure_write(folder, "lying", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_NOTHING, "gnuplot");
    check_contains("up.gp", "<< end\n0 0 NaN NaN\n1 0 NaN NaN\n1 1 NaN NaN\n0 0 NaN NaN\n\n"
                            "4 0 NaN NaN\n5 0 NaN NaN\n5 1 NaN NaN\n4 0 NaN NaN\nend\n");
    check_contains("up.gp", "with yerrorbars");
    check_contains("up.gp", "set xtics norotate (\"ackley_noisy\" 1, \"50 %%\" 2, \"c\" 3) noenhanced");
    check_contains("lying.gp", "with xerrorbars");
    check_contains("lying.gp", "set ytics norotate (\"ackley_noisy\" 1,");
    check_contains("lying.gp", "set yrange [4.5:-0.5]"); /* 0 to 4 and half a step */
    check_contains("lying.gp", "set size ratio -1");
}

static void what_is_refused(void **state) {
    (void)state;
    figure_series s = series_of("s", FIGURE_LINE);
    figure_panel p = panel_of(1, &s);
    const char *const names[] = {"", "../up", "a/b", "a b", "a\nb", "-a", ".a", "a\"", "a;b", "|a", "\xc3\xa4"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_fails(figure_write(folder, names[i], FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "name");
    check_fails(figure_write(folder, "f", FIGURE_ALL, 0, NULL, &error), LOCBO_ERR_ARGUMENT, "no panel");
    p.x_low = 1, p.x_high = 1;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "got 1 to 1");
    p = panel_of(1, &s), p.log_y = 1, p.y_low = 0;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "positive, got 0");
    p = panel_of(1, &s), p.tics = 1;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "tic 0");
    p = panel_of(1, &s), s.high = NULL;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "('s') has only one");
    s.low = NULL, s.kind = FIGURE_ARROWS;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "has neither low");
    s.kind = FIGURE_LINE, s.y = NULL;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "has no y");
    s.y = Y, s.colour = (figure_colour)99;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "colour");
    s.colour = FIGURE_RED, s.kind = (figure_kind)99;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "kind");
    assert_int_equal(files_in_folder(), 0);
}

static void what_cannot_be_written(void **state) {
    (void)state;
    figure_series s = series_of("s", FIGURE_LINE);
    figure_panel p = panel_of(1, &s);
    check_fails(figure_write(in_folder("absent"), "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_IO,
                "f.csv': No such file or directory");
    check_fails(figure_write("/dev/null", "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_IO, "/dev/null/f.csv");
    assert_int_equal(mkdir(in_folder("f.gp"), 0700), 0);
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_IO, "f.gp': Is a directory");
    assert_int_equal(symlink("/dev/full", in_folder("g.csv")), 0);
    check_fails(figure_write(folder, "g", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_IO, "No space left");
}

/* Programs of that name that behave badly. */
static void gnuplots_that_fail(void **state) {
    (void)state;
    figure_series s = series_of("s", FIGURE_LINE);
    figure_panel p = panel_of(1, &s);
    set_gnuplot("echo >&2; echo first words >&2; echo others >&2; exit 3");
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_IO, "gnuplot failed: first words");
    set_gnuplot("echo 'plot x y' >&2; echo '\"f.gp\" line 7: what' >&2; exit 1");
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_IO, "failed: \"f.gp\" line 7: what");
    set_gnuplot("i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done; exit 2");
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_IO, "gnuplot failed: 0123456789");
    set_gnuplot("exit 1");
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_IO, "no message");
    set_gnuplot("kill -9 $$");
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_IO, "signal 9");
    set_gnuplot("exit 0");
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_IO, "did not write");
    assert_true(is_there("f.csv") && is_there("f.gp"));
}

/* ---- pictures -------------------------------------------------------------------------------- */

static void check_pictures(const char *name) {
    const char *const ending[] = {"svg", "png", "pdf"}, *const magic[] = {"<?xml", "\x89PNG\r\n", "%PDF-"};
    for (int i = 0; i < 3; i++) {
        char file[80];
        snprintf(file, sizeof file, "%s.%s", name, ending[i]);
        check_magic(file, magic[i]);
    }
}

/* Every kind in every colour, on axes of both sorts, with nothing to draw, with one point. */
static void pictures_of_everything(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    figure_series s[50];
    for (int i = 0; i < 50; i++) {
        s[i] = series_of(i % 3 ? "series" : NULL, (figure_kind)(i % 5));
        s[i].colour = (figure_colour)(i / 5);
        s[i].dashed = i % 2;
        s[i].mark = i;
    }
    const double at[] = {2, 1}, huge[] = {-1e308, 1e308, 1e-300, 3};
    const char *const names[] = {"first", "a second one"};
    figure_series single = {.kind = FIGURE_LINE, .n = 1, .x = X + 1, .y = Y};
    figure_series wide = {.kind = FIGURE_POINTS, .n = 4, .x = huge, .y = huge};
    figure_panel p[] = {panel_of(50, s),      panel_of(50, s),      panel_of(0, NULL),  panel_of(50, s),
                        panel_of(1, &single), panel_of(1, &single), panel_of(1, &wide), panel_of(1, &wide)};
    p[0].key = p[1].log_x = p[1].log_y = p[5].log_y = p[7].log_x = p[7].log_y = 1;
    p[2].log_x = p[2].equal_axes = p[3].equal_axes = p[3].tics_on_y = 1;
    p[3].tics = 2, p[3].tic_at = at, p[3].tic_name = names;
    p[4].y_high = -3, p[5].x_low = 100;
    check_ok(figure_write(folder, "all", FIGURE_ALL, 8, p, &error));
    check_pictures("all");
    check_contains("all.gp", "set yrange [-0.5:5.5]"); /* 2 is above 1 as it is */
    for (size_t panels = 1; panels < 7; panels++) {
        check_ok(figure_write(folder, "all", FIGURE_ALL, panels, p, &error));
        check_pictures("all");
    }
}

/* What is asked for and nothing else; the script draws that, or everything if it is to draw nothing now. */
static void only_what_is_asked_for(void **state) {
    (void)state;
    figure_series s = series_of("s", FIGURE_LINE);
    figure_panel p = panel_of(1, &s);
    setenv("PATH", folder, 1);
    check_fails(figure_write(folder, "f", FIGURE_PNG, 1, &p, &error), LOCBO_ERR_NOTHING, "gnuplot");
    assert_int_equal(files_in_folder(), 0);
    check_ok(figure_write(folder, "f", FIGURE_CSV, 1, &p, &error));
    assert_int_equal(files_in_folder(), 1);
    check_ok(figure_write(folder, "f", FIGURE_GP, 1, &p, &error));
    check_contains("f.gp", "f.svg");
    check_contains("f.gp", "if (pass < 3) reread");
    setenv("PATH", path, 1);
    if (!has_gnuplot()) skip();
    check_ok(figure_write(folder, "g", FIGURE_PNG | FIGURE_SVG, 1, &p, &error));
    check_magic("g.png", "\x89PNG\r\n");
    check_magic("g.svg", "<?xml");
    assert_int_equal(files_in_folder(), 4);
}

/* The same figure gives the same bytes, but for the date in a pdf. */
static void repeatable(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    figure_series s = series_of("LOCBO(l=inf)", FIGURE_LINE);
    figure_panel p = panel_of(1, &s);
    const char *const files[] = {"one.svg", "one.png", "one.gp", "one.csv"};
    char *before[4], *after[4];
    size_t size[4], size_after[4];
    check_ok(figure_write(folder, "one", FIGURE_ALL, 1, &p, &error));
    for (int i = 0; i < 4; i++) before[i] = content(files[i], &size[i]);
    check_ok(figure_write(folder, "one", FIGURE_ALL, 1, &p, &error));
    for (int i = 0; i < 4; i++) {
        after[i] = content(files[i], &size_after[i]);
        assert_int_equal(size[i], size_after[i]);
        assert_memory_equal(before[i], after[i], size[i]);
        free(before[i]);
        free(after[i]);
    }
    check_contains("one.svg", "fill=\"#ffffff\"");
}

static void gnuplot_that_cannot_write(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    figure_series s = series_of("s", FIGURE_LINE);
    figure_panel p = panel_of(1, &s);
    assert_int_equal(mkdir(in_folder("f.png"), 0700), 0);
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_IO, "gnuplot failed: \"f.gp\" line");
}

/* Each text in every place a text can have: the figure is drawn and nothing else happens. */
static void texts_that_mean_harm(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    const char *const texts[] = {"\"; system(\"touch x\") #",
                                 "'; system('touch x') #",
                                 "`touch x`",
                                 "\\\"`touch x`\\",
                                 "a\nsystem(\"touch x\")\nend\n!touch x\n",
                                 "end",
                                 "@touch {/Symbol a}_b^c ~a{.5} & <b> &amp; ]]> %s%n%g%d %",
                                 "ends in \\",
                                 "\xff\xfe \xc3 \xed\xa0\x80 \xe2\x88\x9e \x01\x7f",
                                 "$(touch x) ${x} \t|touch x"};
    const double at[] = {0.5};
    setenv("PATH", path, 1);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        figure_series s[] = {series_of(texts[i], FIGURE_LINE), series_of(texts[i], FIGURE_POLYGON)};
        figure_panel p[] = {panel_of(2, s), panel_of(2, s)};
        for (int k = 0; k < 2; k++) {
            p[k].title = p[k].x_label = p[k].y_label = texts[i];
            p[k].tics = p[k].key = 1;
            p[k].tic_at = at;
            p[k].tic_name = &texts[i];
            p[k].tics_on_y = k;
        }
        check_ok(figure_write(folder, "f", FIGURE_ALL, 2, p, &error));
        check_pictures("f");
        check_that(files_in_folder() == 5, "text %zu made a file", i);
        check_that(!is_there("x") && access("x", F_OK) != 0, "text %zu was run", i);
    }
}

/* As written, with what XML asks for. */
static void texts_are_drawn_as_they_are(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    const double at[] = {0.5, 1};
    const char *const names[] = {"ackley_noisy", "95% \\ %g"};
    figure_series s = series_of("LOCBO(l=inf) {x}^2 \xe2\x88\x9e", FIGURE_POINTS);
    figure_panel p = panel_of(1, &s);
    p.title = "a_b & \"c\" <d> &lt; `e` @f";
    p.tics = 2, p.tic_at = at, p.tic_name = names, p.key = 1;
    check_ok(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error));
    check_contains("f.svg", "<text>ackley_noisy</text>");
    check_contains("f.svg", "<text>95% \\ %g</text>");
    check_contains("f.svg", "<text>LOCBO(l=inf) {x}^2 \xe2\x88\x9e</text>");
    check_contains("f.svg", "<text>a_b &amp; \"c\" &lt;d> &amp;lt; `e` @f</text>");
}

/* ---- surfaces and single pictures ------------------------------------------------------------ */

enum { COLUMNS = 9, ROWS = 8 };
static double cells_x[COLUMNS * ROWS], cells_y[COLUMNS * ROWS], cells_z[COLUMNS * ROWS];

/* A bowl; x is 1, 2, 4 ..., y is 0, 1, 2 ... */
static figure_series surface_of(void) {
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        cells_x[i] = ldexp(1, i % COLUMNS);
        cells_y[i] = i / COLUMNS;
        cells_z[i] = (i % COLUMNS - 4) * (i % COLUMNS - 4) + cells_y[i];
    }
    return (figure_series){.kind = FIGURE_SURFACE, .n = COLUMNS * ROWS, .x = cells_x, .y = cells_y, .z = cells_z};
}

/* Cells meet half way, on a logarithmic axis too; the csv gets a column, and only then. */
static void surfaces_as_cells(void **state) {
    (void)state;
    figure_series s[] = {surface_of(), series_of("p", FIGURE_POINTS)};
    s[1].low = s[1].high = NULL;
    figure_panel p = panel_of(2, s);
    p.log_x = 1;
    p.z_label = "mean";
    setenv("PATH", folder, 1);
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_NOTHING, "gnuplot");
    check_contains("f.csv", "panel,series,x,y,low,high,z\n1,1,1,0,,,16\n1,1,2,0,,,9\n");
    check_contains("f.csv", "1,p,1,0.1,,,\n");
    char *text = content("f.gp", NULL);
    double row[7];
    assert_non_null(text);
    assert_int_equal(sscanf(strstr(text, "$panel1_series1 << end\n") + 23, "%*[^\n]\n%lf %lf %lf %lf %lf %lf %lf", row,
                            row + 1, row + 2, row + 3, row + 4, row + 5, row + 6),
                     7);
    const double expected[] = {2, 0, sqrt(2), sqrt(8), -0.5, 0.5, 9};
    for (int i = 0; i < 7; i++) check_close(row[i], expected[i], 1e-14, 0); /* a square root */
    assert_non_null(strstr(text, "set cbrange [0:23]"));
    assert_non_null(strstr(text, "\"mean\" at screen"));
    assert_non_null(strstr(text, "set contour base"));
    free(text);
}

/* Contours between categories would be made up. Names may stand on both axes. */
static void surfaces_with_names(void **state) {
    (void)state;
    const double at[] = {0, 1, 2}, more_at[] = {1, 256};
    const char *const names[] = {"a", "b", "c"}, *const more[] = {"few", "many"};
    figure_series s = surface_of();
    figure_panel p = panel_of(1, &s);
    p.tics = 2, p.tic_at = more_at, p.tic_name = more;
    p.more_tics = 3, p.more_at = at, p.more_name = names;
    p.z_low = 5, p.z_high = 6;
    setenv("PATH", folder, 1);
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_NOTHING, "gnuplot");
    check_contains("f.gp", "set xtics norotate (\"few\" 1, \"many\" 256)");
    check_contains("f.gp", "set ytics norotate (\"a\" 0, \"b\" 1, \"c\" 2)");
    check_contains("f.gp", "set cbrange [5:6]");
    char *text = content("f.gp", NULL);
    assert_null(strstr(text, "contour"));
    free(text);
}

static void surfaces_that_are_none(void **state) {
    (void)state;
    figure_series s = surface_of();
    figure_panel p = panel_of(1, &s);
    s.n--;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "points are not a grid");
    s = surface_of(), cells_x[30] = 3;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "points are not a grid");
    s = surface_of(), s.z = NULL;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "has no z");
    s = surface_of(), s.low = s.high = cells_z;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "low and high");
    p = panel_of(0, NULL), p.more_tics = 1;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_ARGUMENT, "tic 0");
}

static void endings(void **state) {
    (void)state;
    assert_string_equal(figure_ending("a.svg"), "svg");
    assert_string_equal(figure_ending("x.y/a b.png"), "png");
    assert_string_equal(figure_ending("a.png.pdf"), "pdf");
    const char *const others[] = {"", "svg", ".svg", "a/.svg", "a.SVG", "a.svg/b", "a.gif", "a."};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        check_that(!figure_ending(others[i]), "'%s' has an ending", others[i]);
}

/* One file, nothing beside it, and nothing left in the scratch folder. */
static void one_picture(void **state) {
    (void)state;
    if (!has_gnuplot()) skip();
    figure_series s[] = {surface_of(), series_of("inside", FIGURE_POINTS), series_of("l", FIGURE_LINE)};
    figure_panel p[] = {panel_of(3, s), panel_of(2, s + 1)};
    figure_page page = {.title = "a \"title\" `of` {both}", .width = 9, .height = 3};
    p[0].log_x = 1, p[0].key = FIGURE_KEY_INSIDE, p[1].key = FIGURE_KEY_INSIDE;
    const char *const files[] = {"o.svg", "o.png", "o.pdf"}, *const magic[] = {"<?xml", "\x89PNG\r\n", "%PDF-"};
    for (size_t i = 0; i < 3; i++) {
        check_ok(figure_save(in_folder(files[i]), folder, &page, 2, p, &error));
        check_magic(files[i], magic[i]);
        assert_int_equal(files_in_folder(), i + 1);
    }
    check_contains("o.svg", "width=\"864\" height=\"288\""); /* 96 to the inch */
    check_contains("o.svg", "<text>a \"title\" `of` {both}</text>");
}

/* What is there stays, and nothing is left over. */
static void one_picture_that_fails(void **state) {
    (void)state;
    figure_series s = series_of("s", FIGURE_LINE);
    figure_panel p = panel_of(1, &s);
    figure_page page = {0};
    char made[512], absent[512];
    snprintf(made, sizeof made, "%s", in_folder("o.svg"));
    snprintf(absent, sizeof absent, "%s", in_folder("absent"));
    FILE *file = fopen(made, "w");
    fputs("old", file);
    fclose(file);
    check_fails(figure_save("a.gif", folder, &page, 1, &p, &error), LOCBO_ERR_ARGUMENT, "'a.gif'");
    page.width = 0.8;
    check_fails(figure_save(made, folder, &page, 1, &p, &error), LOCBO_ERR_ARGUMENT, "too small");
    page.width = 0;
    check_fails(figure_save(made, absent, &page, 1, &p, &error), LOCBO_ERR_IO, "cannot make a folder");
    set_gnuplot("echo no >&2; exit 1");
    check_fails(figure_save(made, folder, &page, 1, &p, &error), LOCBO_ERR_IO, "gnuplot failed: no");
    remove(in_folder("gnuplot"));
    check_fails(figure_save(made, folder, &page, 1, &p, &error), LOCBO_ERR_NOTHING, "gnuplot");
    check_content("o.svg", "old");
    set_gnuplot("echo picture > figure.svg 2>/dev/null");
    snprintf(absent, sizeof absent, "%s", in_folder("absent/o.svg"));
    check_fails(figure_save(absent, folder, &page, 1, &p, &error), LOCBO_ERR_IO, "No such file");
    check_ok(figure_save(made, folder, &page, 1, &p, &error));
    check_content("o.svg", "picture\n");
    assert_int_equal(files_in_folder(), 2); /* and the program */
}

/* Of the four corners the one without lines. */
static void keys_cover_least(void **state) {
    (void)state;
    const double zero_one[] = {0, 1}, falling[] = {1, 0};
    figure_series s[] = {{.name = "up", .kind = FIGURE_LINE, .n = 2, .x = zero_one, .y = zero_one},
                         {.name = "low", .kind = FIGURE_POINTS, .n = 1, .x = zero_one + 1, .y = zero_one}};
    figure_panel p = panel_of(2, s);
    p.key = FIGURE_KEY_INSIDE;
    setenv("PATH", folder, 1);
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_NOTHING, "gnuplot");
    check_contains("f.gp", "set key inside left top");
    s[0].y = falling;
    check_fails(figure_write(folder, "f", FIGURE_ALL, 1, &p, &error), LOCBO_ERR_NOTHING, "gnuplot");
    check_contains("f.gp", "set key inside right top");
}

#define test_in_folder(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        test_in_folder(without_gnuplot),
        test_in_folder(bands_on_logarithmic_axes),
        test_in_folder(outlines_and_lying_bars),
        test_in_folder(what_is_refused),
        test_in_folder(what_cannot_be_written),
        test_in_folder(gnuplots_that_fail),
        test_in_folder(pictures_of_everything),
        test_in_folder(only_what_is_asked_for),
        test_in_folder(repeatable),
        test_in_folder(gnuplot_that_cannot_write),
        test_in_folder(texts_that_mean_harm),
        test_in_folder(texts_are_drawn_as_they_are),
        test_in_folder(surfaces_as_cells),
        test_in_folder(surfaces_with_names),
        test_in_folder(surfaces_that_are_none),
        test_in_folder(endings),
        test_in_folder(one_picture),
        test_in_folder(one_picture_that_fails),
        test_in_folder(keys_cover_least),
    };
    const char *search = getenv("PATH");
    snprintf(path, sizeof path, "%s", search ? search : "/usr/bin:/bin");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
