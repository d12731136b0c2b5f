/* script.c - a figure as a gnuplot script (5.4 or newer): style, data, then the panels. Characters of texts that have a
 * meaning in gnuplot are written as octal escapes. Layer: report. Cost: linear in the numbers. */
#include "script.h"

#include <math.h>
#include <string.h>

#include "corner.h"
#include "extent.h"
#include "number.h"
#include "page.h"
#include "text.h"

static const char *const COLOUR[][2] = {
    {"black", "#2b2b2b"}, {"green", "#3c9a5f"},  {"yellow", "#dca60a"}, {"blue", "#2f6fb7"}, {"red", "#c8372f"},
    {"grey", "#8c8c8c"},  {"purple", "#8659a5"}, {"orange", "#e07a26"}, {"teal", "#1fa3ae"}, {"brown", "#875a3c"},
};

/* gnuplot's symbols: full ones first (circle, square, triangle, diamond), then open ones. */
static const int MARK[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 2, 1, 3};
enum { COLOURS = sizeof COLOUR / sizeof COLOUR[0], MARKS = sizeof MARK / sizeof MARK[0] };

/* A figure and the file of its script. */
typedef struct script {
    FILE *file;
    const char *name;
    page page;
    const char *title; /* above all panels; NULL: none */
    size_t parts;      /* of the current plot command */
} script;

/* ---- numbers and texts ----------------------------------------------------------------------- */

static void put(script *s, const char *text) { fputs(text, s->file); }

static void put_number(script *s, double value) {
    char text[NUMBER_TEXT];
    number_print(value, text);
    put(s, isnan(value) ? "NaN" : text);
}

/* Four decimals are enough for positions on the page. */
static void put_rounded(script *s, double value) { put_number(s, round(value * 1e4) / 1e4); }

/* The length of the character at `t`, 0 if it is not UTF-8 or no character of XML: U+0080 to U+009F, and the last two
 * of each 65536. */
static size_t xml_character(const unsigned char *t) {
    size_t n = text_character((const char *)t, SIZE_MAX);
    if (n == 2 && text_is_control((const char *)t, n)) return 0;
    int last = n == 3 ? t[0] == 0xef && t[1] == 0xbf : n == 4 && (t[1] & 0xf) == 0xf && t[2] == 0xbf;
    return last && t[n - 1] >= 0xbe ? 0 : n;
}

static void put_character(script *s, const unsigned char *t, size_t length, int is_format) {
    if (length == 0)
        put(s, "?");
    else if (*t < 0x20 || *t == 0x7f)
        put(s, " ");
    else if (strchr("\"\\`@{}", *t))
        fprintf(s->file, "\\%03o", *t);
    else if (*t == '%' && is_format)
        put(s, "%%");
    else
        fwrite(t, 1, length, s->file);
}

/* A text in quotes. gnuplot reads the names of tics as formats. */
static void put_text(script *s, const char *text, int is_format) {
    put(s, "\"");
    for (const unsigned char *t = (const unsigned char *)text; *t;) {
        size_t length = xml_character(t);
        put_character(s, t, length, is_format);
        t += length ? length : 1;
    }
    put(s, "\"");
}

/* ---- terminals and style --------------------------------------------------------------------- */

/* A gnuplot terminal; the options give texts, lines and points the same size in all of them. */
typedef struct terminal {
    unsigned picture;
    const char *ending, *name;
    double dpi; /* 1: its sizes are inches */
    const char *options;
} terminal;

static const terminal TERMINAL[] = {
    {FIGURE_SVG, "svg", "svg", 96,
     "enhanced font \"sans-serif,9\" fontscale 1.333 linewidth 0.9 dashlength 0.7 "
     "background rgb \"white\""},
    {FIGURE_PNG, "png", "pngcairo", 160,
     "enhanced font \"Arial,9\" fontscale 1.65 linewidth 1.5 dashlength 0.55 pointscale 1.6 "
     "background rgb \"white\""},
    {FIGURE_PDF, "pdf", "pdfcairo", 1,
     "enhanced font \"Arial,9\" fontscale 0.75 linewidth 1 dashlength 0.9 pointscale 0.85 "
     "background rgb \"white\""},
};
enum { TERMINALS = sizeof TERMINAL / sizeof TERMINAL[0] };

/* `when`: a condition before either command. */
static void write_terminal(script *s, const char *when, const terminal *t) {
    const char *unit = t->dpi == 1 ? "in" : "";
    fprintf(s->file, "%sset terminal %s size ", when, t->name);
    for (int axis = 0; axis < 2; axis++) {
        double inches = axis ? page_height(&s->page) : page_width(&s->page);
        put_rounded(s, t->dpi == 1 ? inches : round(inches * t->dpi));
        fprintf(s->file, "%s%s", unit, axis ? " " : ",");
    }
    fprintf(s->file, "%s\n%sset output \"%s.%s\"\n", t->options, when, s->name, t->ending);
}

/* Returns how many. */
static int write_terminals(script *s, unsigned pictures) {
    int passes = 0;
    put(s, "# The script reads itself once for each kind of file.\n"
           "pass = exists(\"pass\") ? pass + 1 : 1\n");
    for (int i = 0; i < TERMINALS; i++) {
        char when[32];
        if (!(pictures & TERMINAL[i].picture)) continue;
        snprintf(when, sizeof when, "if (pass == %d) ", ++passes);
        write_terminal(s, when, &TERMINAL[i]);
    }
    return passes;
}

static void write_style(script *s) {
    put(s, "\n");
    for (size_t i = 0; i < COLOURS; i++) fprintf(s->file, "%s = \"%s\"\n", COLOUR[i][0], COLOUR[i][1]);
    put(s, "area = 0.2 # opacity of bands\n"
           "set border 3 lw 1 lc rgb \"#404040\"\n"
           "set grid back lt 1 lw 0.6 lc rgb \"#e4e4e4\"\n"
           "set tics nomirror out scale 0.5 textcolor rgb \"#2b2b2b\"\n"
           "set errorbars small\n");
    for (size_t i = 0; i < s->page.panels; i++)
        if (extent_surface(&s->page.panel[i])) {
            put(s, "set palette defined (0 \"#22205a\", 1 \"#2b5c94\", 2 \"#2f9296\", "
                   "3 \"#7cbf7b\", 4 \"#f2e58a\")\n");
            return;
        }
}

/* ---- data ------------------------------------------------------------------------------------ */

static void find_ranges(const figure_panel *p, extent range[2]) {
    range[EXTENT_X] = extent_range(p, EXTENT_X);
    range[EXTENT_Y] = extent_range(p, EXTENT_Y);
}

static void put_row(script *s, const double row[4]) {
    for (int c = 0; c < 4; c++) {
        put_number(s, row[c]);
        put(s, c < 3 ? " " : "\n");
    }
}

/* An outline is closed by its first point; a row that cannot be drawn ends it, and the next one begins. */
static void write_outlines(script *s, const figure_panel *p, const extent range[2], const figure_series *q) {
    double first[4], row[4];
    int open = 0;
    for (size_t i = 0; i < q->n; i++) {
        extent_row(p, range, q, i, row);
        int drawn = !isnan(row[0]) && !isnan(row[1]);
        if (drawn && !open) memcpy(first, row, sizeof first);
        if (!drawn && open) put_row(s, first);
        if (drawn || open) drawn ? put_row(s, row) : put(s, "\n");
        open = drawn;
    }
    if (open) put_row(s, first);
}

static void write_rows(script *s, const figure_panel *p, const extent range[2], const figure_series *q) {
    double row[4];
    for (size_t i = 0; i < q->n; i++) {
        extent_row(p, range, q, i, row);
        put_row(s, row);
    }
}

/* The cells of a surface: x, y, their ends along x and along y, z. gnuplot's contours need an empty line after each row
 * of the grid. */
static void write_cells(script *s, const figure_panel *p, const extent range[2], const figure_series *q) {
    size_t columns = extent_row_length(q), rows = columns ? q->n / columns : 0;
    (void)range;
    for (size_t i = 0; i < rows * columns; i++) {
        extent x = extent_cell(q->x, columns, 1, i % columns, p->log_x);
        extent y = extent_cell(q->y, rows, columns, i / columns, p->log_y);
        double row[] = {q->x[i], q->y[i], x.low, x.high, y.low, y.high, q->z[i]};
        for (int c = 0; c < 7; c++) {
            put_number(s, isfinite(row[c]) ? row[c] : (double)NAN);
            put(s, c < 6 ? " " : "\n");
        }
        if ((i + 1) % columns == 0) put(s, "\n");
    }
}

static void write_data(script *s) {
    put(s, "\n# x y low high\n");
    for (size_t i = 0; i < s->page.panels; i++) {
        extent range[2];
        find_ranges(&s->page.panel[i], range);
        for (size_t k = 0; k < s->page.panel[i].count; k++) {
            const figure_series *q = &s->page.panel[i].series[k];
            fprintf(s->file, "$panel%zu_series%zu << end\n", i + 1, k + 1);
            (q->kind == FIGURE_POLYGON   ? write_outlines
             : q->kind == FIGURE_SURFACE ? write_cells
                                         : write_rows)(s, &s->page.panel[i], range, q);
            put(s, "end\n");
        }
    }
}

/* ---- axes ------------------------------------------------------------------------------------ */

static void write_label(script *s, const char *what, const char *text, const char *font) {
    if (!text || !text[0]) {
        fprintf(s->file, "unset %s\n", what);
        return;
    }
    fprintf(s->file, "set %s ", what);
    put_text(s, text, 0);
    fprintf(s->file, " noenhanced%s\n", font);
}

static void write_named_tics(script *s, const figure_panel *p, extent_axis axis) {
    extent_names names = extent_names_of(p, axis);
    fprintf(s->file, "set %ctics %s (", axis == EXTENT_X ? 'x' : 'y',
            axis == EXTENT_X && page_is_turned(&s->page, p) ? "rotate by 30 right" : "norotate");
    for (size_t i = 0; i < names.n; i++) {
        put(s, i ? ", " : "");
        put_text(s, names.name[i], 1);
        put(s, " ");
        put_number(s, names.at[i]);
    }
    put(s, ") noenhanced\n");
}

/* Up to three decades: 1, 2, 5 of each. */
static void put_125(script *s, extent range) {
    const double digit[] = {1, 2, 5};
    int first = 1;
    for (int power = (int)floor(log10(range.low)); power <= (int)floor(log10(range.high)); power++)
        for (int i = 0; i < 3; i++) {
            double tic = power < 0 ? digit[i] / pow(10, -power) : digit[i] * pow(10, power);
            if (tic < range.low || tic > range.high) continue;
            put(s, first ? "" : ", ");
            put_number(s, tic);
            first = 0;
        }
}

/* Less than half a decade: steps of 1, 2 or 5, as on a linear axis. */
static void put_steps(script *s, extent range) {
    double step = extent_step((range.high - range.low) / 4);
    double first = ceil(range.low / step);
    for (int i = 0; i <= 10 && first + i <= range.high / step; i++) {
        put(s, i ? ", " : "");
        put_number(s, extent_multiple(step, first + i));
    }
}

static void write_log_tics(script *s, extent range, char letter) {
    double ratio = range.high / range.low;
    fprintf(s->file, "set %ctics norotate enhanced ", letter);
    if (ratio >= 1000) {
        fprintf(s->file, "autofreq\nset format %c \"10^{%%L}\"\n", letter);
        return;
    }
    put(s, "(");
    (ratio >= 5 ? put_125 : put_steps)(s, range);
    fprintf(s->file, ")\nset format %c \"%%g\"\n", letter);
}

/* The first name is at the top, so the axis may have to be reversed. */
static int is_reversed(const figure_panel *p, extent_axis axis) {
    extent_names names = extent_names_of(p, axis);
    return axis == EXTENT_Y && names.n > 0 && names.at[0] <= names.at[names.n - 1];
}

static void write_axis(script *s, const figure_panel *p, extent_axis axis, extent range) {
    char letter = axis == EXTENT_X ? 'x' : 'y';
    int reversed = is_reversed(p, axis), is_log = extent_is_log(p, axis);
    fprintf(s->file, "%sset logscale %c\nset %crange [", is_log ? "" : "un", letter, letter);
    put_number(s, reversed ? range.high : range.low);
    put(s, ":");
    put_number(s, reversed ? range.low : range.high);
    put(s, "]\n");
    if (extent_is_named(p, axis))
        write_named_tics(s, p, axis);
    else if (is_log)
        write_log_tics(s, range, letter);
    else
        fprintf(s->file, "set %ctics norotate enhanced autofreq\nset format %c \"%%h\"\n", letter, letter);
}

/* ---- what is plotted ------------------------------------------------------------------------- */

/* No contours between categories, which have no values between them, nor on a coarse grid. */
static int has_contours(const figure_panel *p) {
    const figure_series *q = extent_surface(p);
    if (!q || extent_is_named(p, EXTENT_X) || extent_is_named(p, EXTENT_Y)) return 0;
    size_t columns = extent_row_length(q);
    return columns >= 8 && q->n / columns >= 8;
}

/* The next part of the plot command. */
static void begin_part(script *s) { put(s, s->parts++ ? ", \\\n     " : "plot "); }

/* Whether some row has all of the columns from `from` to `to` as well as its x. */
static int has_rows(const figure_panel *p, const extent range[2], const figure_series *q, int from, int to) {
    for (size_t i = 0; i < q->n; i++) {
        double row[4];
        int whole = 1;
        extent_row(p, range, q, i, row);
        for (int c = from; c <= to; c++) whole = whole && !isnan(row[c]);
        if (whole && !isnan(row[0])) return 1;
    }
    return 0;
}

/* The block of data and how it is used, e.g. "$panel1_series2 using 1:2 with lines". */
static void begin_series(script *s, size_t panel, size_t series, const char *use) {
    begin_part(s);
    fprintf(s->file, "$panel%zu_series%zu using %s", panel + 1, series + 1, use);
}

static const char *colour_of(const figure_series *q) { return COLOUR[q->colour][0]; }

static int mark_of(const figure_series *q) { return MARK[q->mark > 0 ? (size_t)(q->mark - 1) % MARKS : 0]; }

static const char *size_of(const figure_series *q) { return q->large ? "1.4" : "0.8"; }

static const char *dash_of(const figure_series *q) { return q->dashed ? " dt 2" : ""; }

static void put_area(script *s, const figure_series *q) {
    fprintf(s->file, " fs transparent solid area noborder lc rgb %s notitle", colour_of(q));
}

/* Areas come first, so that none of them covers a line. */
static void write_areas(script *s, size_t panel, const extent range[2]) {
    const figure_panel *p = &s->page.panel[panel];
    for (size_t k = 0; k < p->count; k++) {
        const figure_series *q = &p->series[k];
        int is_band = q->kind == FIGURE_FILL || (q->kind == FIGURE_LINE && q->low);
        if (is_band && has_rows(p, range, q, 2, 3)) {
            begin_series(s, panel, k, "1:3:4 with filledcurves");
            put_area(s, q);
        } else if (q->kind == FIGURE_POLYGON && has_rows(p, range, q, 1, 1)) {
            begin_series(s, panel, k, "1:2 with filledcurves closed");
            put_area(s, q);
        }
    }
}

static void write_line(script *s, size_t panel, size_t k, double width) {
    const figure_series *q = &s->page.panel[panel].series[k];
    begin_series(s, panel, k, "1:2 with lines lw ");
    put_number(s, width);
    fprintf(s->file, "%s lc rgb %s notitle", dash_of(q), colour_of(q));
}

static void write_points(script *s, size_t panel, size_t k, int has_bars) {
    const figure_panel *p = &s->page.panel[panel];
    const figure_series *q = &p->series[k];
    if (has_bars) { /* separate from the points, so that points without an interval are drawn too */
        begin_series(s, panel, k, p->tics_on_y ? "1:2:3:4 with xerrorbars" : "1:2:3:4 with yerrorbars");
        fprintf(s->file, " pt 0 lw 1.5%s lc rgb %s notitle", dash_of(q), colour_of(q));
    }
    if (extent_surface(p)) { /* a white rim, so that no colour of the surface hides it */
        begin_series(s, panel, k, "1:2 with points");
        fprintf(s->file, " pt %d ps %s lw 2.5 lc rgb \"white\" notitle", mark_of(q), q->large ? "1.9" : "1.15");
    }
    begin_series(s, panel, k, "1:2 with points");
    fprintf(s->file, " pt %d ps %s lc rgb %s notitle", mark_of(q), size_of(q), colour_of(q));
}

static void write_strokes(script *s, size_t panel, const extent range[2]) {
    const figure_panel *p = &s->page.panel[panel];
    for (size_t k = 0; k < p->count; k++) {
        const figure_series *q = &p->series[k];
        if (q->kind == FIGURE_FILL || q->kind == FIGURE_SURFACE || !has_rows(p, range, q, 1, 1)) continue;
        if (q->kind == FIGURE_LINE) write_line(s, panel, k, q->thin ? 1 : 2);
        if (q->kind == FIGURE_POLYGON) write_line(s, panel, k, 1);
        if (q->kind == FIGURE_POINTS) write_points(s, panel, k, has_rows(p, range, q, 1, 3));
        if (q->kind == FIGURE_ARROWS && has_rows(p, range, q, 1, 3)) {
            begin_series(s, panel, k, "1:2:($3-$1):($4-$2) with vectors head filled");
            fprintf(s->file, " size graph 0.02,20 fixed lw 1.5%s lc rgb %s notitle", dash_of(q), colour_of(q));
        }
    }
}

/* The sample beside a name in the key. */
static void put_sample(script *s, const figure_series *q) {
    if (q->kind == FIGURE_POINTS)
        fprintf(s->file, "points pt %d ps %s", mark_of(q), size_of(q));
    else if (q->kind == FIGURE_FILL || q->kind == FIGURE_POLYGON)
        put(s, "boxes fs transparent solid area noborder");
    else
        fprintf(s->file, "lines lw %d%s", q->thin ? 1 : 2, dash_of(q));
    fprintf(s->file, " lc rgb %s", colour_of(q));
}

/* Separate key entries keep the order of the series. */
static void write_key_entries(script *s, const figure_panel *p) {
    for (size_t k = 0; p->key && k < p->count; k++) {
        const figure_series *q = &p->series[k];
        if (!q->name || !q->name[0]) continue;
        begin_part(s);
        put(s, "keyentry with ");
        put_sample(s, q);
        put(s, " title ");
        put_text(s, q->name, 0);
        put(s, " noenhanced");
    }
}

/* Each cell has a border of its colour, since some viewers show gaps between cells without borders. */
static void write_surface(script *s, size_t panel) {
    const figure_panel *p = &s->page.panel[panel];
    const figure_series *q = extent_surface(p);
    if (!q || q->n == 0) return;
    begin_series(s, panel, (size_t)(q - p->series), "1:2:3:4:5:6:7 with boxxyerror");
    put(s, " fs solid 1 border lw 1 lc palette notitle");
    if (!has_contours(p)) return;
    begin_part(s);
    fprintf(s->file, "$panel%zu_contours using 1:2 with lines lw 0.7 lc rgb \"#60ffffff\" notitle", panel + 1);
}

static void write_plot(script *s, size_t panel, const extent range[2]) {
    s->parts = 0;
    begin_part(s);
    put(s, "NaN notitle"); /* so that the axes are drawn without data too */
    write_surface(s, panel);
    write_areas(s, panel, range);
    write_strokes(s, panel, range);
    write_key_entries(s, &s->page.panel[panel]);
    put(s, "\n");
}

/* ---- surfaces -------------------------------------------------------------------------------- */

/* The colours and their bar, to the right of the panel. */
static void write_bar(script *s, const figure_panel *p, page_box at) {
    extent colours = extent_colours(p);
    double width = page_width(&s->page), height = page_height(&s->page);
    double bottom = at.bottom + page_bottom_margin(&s->page, p), top = at.bottom + at.height;
    put(s, "set cbrange [");
    put_number(s, colours.low);
    put(s, ":");
    put_number(s, colours.high);
    put(s, "]\nset colorbox vertical user origin screen ");
    put_rounded(s, (at.left + at.width) / width);
    put(s, ",screen ");
    put_rounded(s, bottom / height);
    put(s, " size screen ");
    put_rounded(s, 0.13 / width);
    put(s, ",screen ");
    put_rounded(s, (top - page_top_margin(p) - bottom) / height);
    put(s, " noborder\nset cbtics norotate enhanced autofreq scale 0.3\nset format cb \"%h\"\n");
    if (!p->z_label) return;
    put(s, "set label 2 "); /* gnuplot's cblabel would overlap the numbers */
    put_text(s, p->z_label, 0);
    put(s, " at screen ");
    put_rounded(s, (at.left + at.width + 0.65) / width);
    put(s, ",screen ");
    put_rounded(s, (bottom + top - page_top_margin(p)) / 2 / height);
    put(s, " center rotate by 90 noenhanced\n");
}

/* The contour lines at the tics of the colour bar; gnuplot computes them before the plot. */
static void write_contours(script *s, size_t panel) {
    const figure_panel *p = &s->page.panel[panel];
    extent colours = extent_colours(p);
    double step = extent_step((colours.high - colours.low) / 10);
    fputs("set contour base\nunset surface\nset cntrparam levels incremental ", s->file);
    put_number(s, extent_multiple(step, ceil(colours.low / step)));
    put(s, ",");
    put_number(s, step);
    put(s, ",");
    put_number(s, colours.high);
    fprintf(s->file,
            "\nset table $panel%zu_contours\nsplot $panel%zu_series%zu using 1:2:7 with lines "
            "notitle\nunset table\nunset contour\nset surface\n",
            panel + 1, panel + 1, (size_t)(extent_surface(p) - p->series) + 1);
}

/* ---- panels ---------------------------------------------------------------------------------- */

static void write_margin(script *s, const char *which, double part) {
    fprintf(s->file, "set %s at screen ", which);
    put_rounded(s, part);
    put(s, "\n");
}

static void write_key_beside(script *s, const figure_panel *p, page_box at) {
    put(s, "set key at screen ");
    put_rounded(s, (at.left + at.width + page_bar_width(p)) / page_width(&s->page));
    put(s, ",");
    put_rounded(s, (at.bottom + at.height - page_top_margin(p)) / page_height(&s->page));
    put(s, " left top Left reverse samplen 2 spacing 1.2 nobox noenhanced\n");
}

static void write_key_inside(script *s, const figure_panel *p, page_box at, const extent range[2]) {
    double width = page_key_width(p) / (at.width - 0.7);
    double height = page_key_height(p) / (at.height - page_top_margin(p) - page_bottom_margin(&s->page, p));
    corner c = corner_find(p, range, width, height);
    fprintf(s->file, "set key inside %s %s Left reverse samplen 1.5 spacing 1.1 nobox noenhanced%s\n",
            c.right ? "right" : "left", c.top ? "top" : "bottom", extent_surface(p) ? " opaque" : "");
}

static void write_key(script *s, const figure_panel *p, page_box at, const extent range[2]) {
    if (page_key_entries(p) == 0)
        put(s, "unset key\n");
    else if (p->key == FIGURE_KEY_INSIDE)
        write_key_inside(s, p, at, range);
    else
        write_key_beside(s, p, at);
}

static void write_box(script *s, const figure_panel *p, page_box at) {
    double width = page_width(&s->page), height = page_height(&s->page);
    put(s, "set origin ");
    put_rounded(s, at.left / width);
    put(s, ",");
    put_rounded(s, at.bottom / height);
    put(s, p->equal_axes ? "\nset size ratio -1 " : "\nset size noratio ");
    put_rounded(s, at.width / width);
    put(s, ",");
    put_rounded(s, at.height / height);
    put(s, "\n");
    if (extent_is_named(p, EXTENT_Y) && !p->y_label) /* narrower than the svg terminal's guess */
        write_margin(s, "lmargin", (at.left + page_widest_name(p, EXTENT_Y) + 0.15) / width);
    else
        put(s, "set lmargin -1\n");
    write_margin(s, "rmargin", (at.left + at.width - 0.15) / width);
    write_margin(s, "tmargin", (at.bottom + at.height - page_top_margin(p)) / height);
    write_margin(s, "bmargin", (at.bottom + page_bottom_margin(&s->page, p)) / height);
}

static void write_panel(script *s, size_t panel) {
    const figure_panel *p = &s->page.panel[panel];
    page_box at = page_box_of(&s->page, panel);
    extent range[2];
    find_ranges(p, range);
    fprintf(s->file, "\n# Panel %zu\n", panel + 1);
    write_box(s, p, at);
    write_label(s, "title", p->title, " font \",10\" offset 0,-0.4");
    write_label(s, "xlabel", p->x_label, "");
    write_label(s, "ylabel", p->y_label, "");
    if (extent_surface(p)) write_bar(s, p, at);
    if (has_contours(p)) write_contours(s, panel);
    write_axis(s, p, EXTENT_X, range[EXTENT_X]);
    write_axis(s, p, EXTENT_Y, range[EXTENT_Y]);
    write_key(s, p, at, range);
    write_plot(s, panel, range);
    if (extent_surface(p)) put(s, "unset label 2\n");
}

/* At the top of the page, centred. */
static void write_page_title(script *s) {
    if (!s->title) return;
    put(s, "set label 1 ");
    put_text(s, s->title, 0);
    put(s, " at screen 0.5,screen ");
    put_rounded(s, 1 - 0.5 * PAGE_TITLE / page_height(&s->page));
    put(s, " center font \",11\" noenhanced front\n");
}

static void write_panels(script *s) {
    put(s, "\nset multiplot\n");
    write_page_title(s);
    for (size_t i = 0; i < s->page.panels; i++) {
        write_panel(s, i);
        if (i == 0 && s->title) put(s, "unset label 1\n");
    }
    put(s, "\nunset multiplot\nunset output\n");
}

void script_write(FILE *file, const script_figure *f) {
    script s = {.file = file, .name = f->name, .page = f->page, .title = f->title};
    fprintf(file, "# Run `gnuplot %s.gp` in this directory.\nreset\nset encoding utf8\n", f->name);
    int passes = write_terminals(&s, f->pictures);
    write_style(&s);
    write_data(&s);
    write_panels(&s);
    fprintf(file, "if (pass < %d) reread\nundefine pass\n", passes);
}
