/* output.c - rows on standard output. They are collected and printed at once: a table needs the widths of all its
 * cells, and a program that reads us gets everything or an error. Layer: format. Cost: linear in the cells. */
#include "output.h"
#include "value.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "file_write.h"
#include "message.h"
#include "json_text.h"
#include "mem.h"
#include "number.h"
#include "text.h"

enum { WIDEST_TEXT = 60 };
static const char GAP[] = "  ", ELLIPSIS[] = "\xe2\x80\xa6";

/* Where a column's values are: columns named beforehand do not know yet. A name of a later level that an earlier one
 * has too is shown with its group. */
typedef enum level { ANYWHERE, TOP, IN_PARAMS, IN_OUTPUTS, LEVELS } level;
static const char *const groups[LEVELS] = {[IN_PARAMS] = "params", [IN_OUTPUTS] = "outputs"};

typedef struct column {
    char *key; /* as in the rows: "-name" is shown as name */
    level level;
    size_t width;
    int has_text; /* some cell is no number */
} column;

/* A finished cell of a table, inside `cells`. */
typedef struct cell {
    size_t start, size, width;
} cell;

struct output {
    output_format format;
    int single, full;
    column *column;
    size_t columns, column_capacity, unsettled; /* the last: those that are ANYWHERE */
    json_t **row;
    size_t rows, row_capacity;
    buffer text;  /* what will be printed */
    buffer cells; /* texts of a table's cells, before their widths are known */
};

int output_format_parse(const char *text, output_format *format) {
    static const char *const names[] = {"table", "json", "csv"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) return (*format = (output_format)i, 1);
    return 0;
}

/* ---- columns --------------------------------------------------------------------------------- */

static const char *shown(const char *key) { return key + (*key == '-'); }

/* The column of a key: where the cursor stands as a rule, since rows are alike. */
static column *find_column(output *o, level where, const char *key, size_t cursor) {
    for (size_t i = 0; i < o->columns; i++) {
        column *c = &o->column[(cursor + i) % o->columns];
        if (c->level == where && strcmp(c->key, key) == 0) return c;
    }
    return NULL;
}

static column *add_column(output *o, level where, const char *key) {
    if (!mem_reserve(&o->column, &o->column_capacity, o->columns + 1, sizeof *o->column)) return NULL;
    char *copy = mem_text(key);
    if (!copy) return NULL;
    o->column[o->columns] = (column){.key = copy, .level = where};
    o->unsettled += where == ANYWHERE;
    return &o->column[o->columns++];
}

/* Set the level of a column that output_columns named. Returns 0 if there is no memory. */
static int settle(output *o, level where, const char *key) {
    column *c = find_column(o, ANYWHERE, shown(key), 0);
    if (!c || find_column(o, where, key, 0)) return 1;
    char *copy = mem_text(key);
    if (!copy) return 0;
    mem_free(c->key);
    c->key = copy;
    c->level = where;
    o->unsettled--;
    return 1;
}

/* "params" and "outputs" are spread over columns of their own: the level of these; TOP for any other member. */
static level level_of(const char *key, const json_t *value) {
    level where = IN_PARAMS;
    if (!json_is_object(value)) return TOP;
    while (where < LEVELS && strcmp(key, groups[where]) != 0) where++;
    return where < LEVELS ? where : TOP;
}

/* Names given beforehand: the row's own keys come before the names in its groups. */
static int settle_row(output *o, json_t *row) {
    const char *key;
    json_t *value;
    if (o->unsettled == 0) return 1;
    json_object_foreach(row, key, value) {
        if (*key != '.' && level_of(key, value) == TOP && !settle(o, TOP, key)) return 0;
    }
    for (level where = IN_PARAMS; where < LEVELS; where++) {
        json_object_foreach(json_object_get(row, groups[where]), key, value) {
            if (!settle(o, where, key)) return 0;
        }
    }
    return 1;
}

static int note_key(output *o, level where, const char *key, size_t *cursor) {
    column *c = find_column(o, where, key, *cursor);
    if (!c) c = add_column(o, where, key);
    if (!c) return 0;
    *cursor = (size_t)(c - o->column) + 1;
    return 1;
}

/* All keys of a row have columns. */
static int note_row(output *o, json_t *row) {
    const char *key, *inner;
    json_t *value, *part;
    size_t cursor = 0;
    json_object_foreach(row, key, value) {
        level where = level_of(key, value);
        if (where != TOP) {
            json_object_foreach(value, inner, part) {
                if (!note_key(o, where, inner, &cursor)) return 0;
            }
        } else if (*key != '.' && !note_key(o, TOP, key, &cursor)) {
            return 0;
        }
    }
    return 1;
}

/* A parameter may be called like one of our columns: then it is "params.NAME"; an output also like a parameter. */
static int needs_prefix(const output *o, const column *c) {
    if (c->level <= TOP) return 0;
    for (size_t i = 0; i < o->columns; i++)
        if (o->column[i].level < c->level && strcmp(shown(o->column[i].key), c->key) == 0) return 1;
    return 0;
}

static void write_prefix(buffer *b, const output *o, const column *c) {
    if (needs_prefix(o, c)) buffer_print(b, "%s.", groups[c->level]);
}

static json_t *cell_value(const column *c, json_t *row) {
    json_t *object = c->level > TOP ? json_object_get(row, groups[c->level]) : row;
    json_t *value = json_object_get(object, c->key);
    return json_is_null(value) ? NULL : value;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void write_control(buffer *b, const char *text, size_t step) {
    static const char named[] = "\a\b\t\n\v\f\r", letters[] = "abtnvfr";
    const char *found = step == 1 && *text ? strchr(named, *text) : NULL;
    if (found)
        buffer_print(b, "\\%c", letters[found - named]);
    else
        buffer_print(b, step == 1 ? "\\x%02x" : step < 4 ? "\\u%04x" : "\\U%08x", (unsigned)text_code(text, step));
}

/* A text made harmless, and, if it is wider than `most`, cut. Returns its width. */
static size_t write_plain(buffer *b, const char *text, size_t size, size_t most) {
    size_t width = 0, cut = b->size, cut_width = 0;
    for (size_t i = 0; i < size;) {
        size_t step = text_step(text + i, size - i), start = b->size;
        if (text_is_control(text + i, step))
            write_control(b, text + i, step);
        else
            buffer_add(b, text + i, step);
        if (b->failed) return 0;
        width += text_width_of(b->data + start, b->size - start);
        if (width > most) {
            b->size = cut;
            buffer_text(b, ELLIPSIS);
            return cut_width + 1;
        }
        if (width < most) cut = b->size, cut_width = width;
        i += step;
    }
    return width;
}

/* Infinities come as texts, see value_real. */
static int is_numeric(const json_t *value) {
    const char *text = json_string_value(value);
    return json_is_number(value) || (text && (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0));
}

static size_t write_value(buffer *b, const json_t *value, size_t most) {
    if (json_is_string(value)) return write_plain(b, json_string_value(value), json_string_length(value), most);
    buffer text = {0};
    json_text_write(&text, value, 1);
    size_t width = write_plain(b, text.data, text.size, most);
    b->failed |= text.failed;
    mem_free(text.data);
    return width;
}

static void fill_cell(output *o, column *c, const json_t *value, cell *to) {
    char number[32];
    buffer *b = &o->cells;
    to->start = b->size;
    if (json_is_real(value)) { /* most are, so without a detour */
        value_brief(json_real_value(value), number);
        buffer_text(b, number);
        to->width = b->size - to->start;
    } else if (value) {
        to->width = write_value(b, value, o->single || o->full ? SIZE_MAX : WIDEST_TEXT);
    }
    to->size = b->size - to->start;
    if (value && !is_numeric(value)) c->has_text = 1;
    if (to->width > c->width) c->width = to->width;
}

static void write_name(output *o, column *c, cell *to) {
    const char *name = shown(c->key);
    to->start = o->cells.size;
    write_prefix(&o->cells, o, c);
    to->width = o->cells.size - to->start;
    to->width += write_plain(&o->cells, name, strlen(name), SIZE_MAX);
    to->size = o->cells.size - to->start;
    if (to->width > c->width) c->width = to->width;
}

/* Numbers to the right; no blanks at the end of a line. */
static void put_cell(output *o, const column *c, const cell *at, int last) {
    size_t space = c->width - at->width;
    if (!c->has_text) buffer_char(&o->text, ' ', space);
    buffer_add(&o->text, o->cells.data + at->start, at->size);
    if (c->has_text && !last) buffer_char(&o->text, ' ', space);
    buffer_text(&o->text, last ? "\n" : GAP);
}

/* A line that ends in empty cells would end in blanks. */
static void trim_line(buffer *b) {
    if (b->failed || b->size == 0) return;
    size_t end = b->size - 1; /* the line's end */
    while (end > 0 && b->data[end - 1] == ' ') end--;
    b->data[end] = '\n';
    b->size = end + 1;
}

static void write_table(output *o, cell *cells) {
    for (size_t j = 0; j < o->columns; j++) write_name(o, &o->column[j], &cells[j]);
    for (size_t i = 0; i < o->rows; i++)
        for (size_t j = 0; j < o->columns; j++)
            fill_cell(o, &o->column[j], cell_value(&o->column[j], o->row[i]), &cells[(i + 1) * o->columns + j]);
    if (o->cells.failed) return;
    for (size_t i = 0; i <= o->rows; i++) {
        for (size_t j = 0; j < o->columns; j++)
            put_cell(o, &o->column[j], &cells[i * o->columns + j], j + 1 == o->columns);
        if (o->columns > 0) trim_line(&o->text);
    }
}

/* "name  value" for each column. */
static void write_sheet(output *o, cell *cells) {
    column names = {.has_text = 1}, values = {.has_text = 1};
    for (size_t j = 0; j < o->columns; j++) {
        write_name(o, &o->column[j], &cells[j]);
        if (cells[j].width > names.width) names.width = cells[j].width;
    }
    for (size_t i = 0; i < o->rows; i++)
        for (size_t j = 0; j < o->columns; j++) {
            cell *value = &cells[o->columns];
            fill_cell(o, &values, cell_value(&o->column[j], o->row[i]), value);
            if (o->cells.failed) return;
            put_cell(o, &names, &cells[j], 0);
            put_cell(o, &values, value, 1);
            trim_line(&o->text);
        }
}

static void write_people(output *o) {
    cell *cells = NULL;
    size_t lines = o->rows + 2;
    if (o->columns == 0 || o->columns <= SIZE_MAX / lines) cells = mem_new(o->columns * lines, sizeof *cells);
    if (!cells)
        o->text.failed = 1;
    else if (o->single)
        write_sheet(o, cells);
    else
        write_table(o, cells);
    mem_free(cells);
    o->text.failed |= o->cells.failed;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static int is_blank(char c) { return c == ' ' || c == '\t'; }

/* Readers, ours too, drop blanks around a cell that is not quoted. */
static int needs_quotes(const char *text, size_t size) {
    if (size == 0 || is_blank(text[0]) || is_blank(text[size - 1])) return 1;
    for (size_t i = 0; i < size; i++)
        if (text[i] && strchr(",\"\r\n", text[i])) return 1;
    return 0;
}

static int for_spreadsheet;

void output_for_spreadsheet(int on) { for_spreadsheet = on; }

/* A spreadsheet program computes a cell that begins with one of these, even if it is quoted. -inf is a number of ours.
 */
static int is_formula(const char *text, size_t size) {
    return size > 0 && text[0] && strchr("=+-@\t\r", text[0]) && strcmp(text, "-inf") != 0;
}

static void write_field(buffer *b, const char *text, size_t size) {
    if (!needs_quotes(text, size)) {
        buffer_add(b, text, size);
        return;
    }
    buffer_char(b, '"', 1);
    for (size_t i = 0; i < size; i++) buffer_char(b, text[i], text[i] == '"' ? 2 : 1);
    buffer_char(b, '"', 1);
}

static void write_text(buffer *b, const char *text, size_t size) {
    buffer marked = {0};
    if (!for_spreadsheet || !is_formula(text, size)) {
        write_field(b, text, size);
        return;
    }
    buffer_char(&marked, '\'', 1);
    buffer_add(&marked, text, size);
    if (!marked.failed) write_field(b, marked.data, marked.size);
    b->failed |= marked.failed;
    mem_free(marked.data);
}

static void write_csv_value(buffer *b, const json_t *value) {
    char number[NUMBER_TEXT];
    buffer text = {0};
    if (json_is_real(value)) {
        number_print(json_real_value(value), number);
        buffer_text(b, number);
    } else if (json_is_string(value)) {
        write_text(b, json_string_value(value), json_string_length(value));
    } else if (value) {
        json_text_write(&text, value, 0);
        if (!text.failed) write_field(b, text.data, text.size);
        b->failed |= text.failed;
        mem_free(text.data);
    }
}

static void write_csv_header(output *o) {
    for (size_t j = 0; j < o->columns; j++) {
        if (j > 0) buffer_char(&o->text, ',', 1);
        const char *name = shown(o->column[j].key);
        write_prefix(&o->text, o, &o->column[j]);
        write_text(&o->text, name, strlen(name));
    }
    if (o->columns > 0) buffer_char(&o->text, '\n', 1);
}

static void write_csv(output *o) {
    write_csv_header(o);
    for (size_t i = 0; i < o->rows && o->columns > 0; i++) {
        for (size_t j = 0; j < o->columns; j++) {
            const json_t *value = cell_value(&o->column[j], o->row[i]);
            if (j > 0) buffer_char(&o->text, ',', 1);
            if (!value && o->columns == 1) buffer_text(&o->text, "\"\""); /* not an empty line */
            write_csv_value(&o->text, value);
        }
        buffer_char(&o->text, '\n', 1);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void write_json_row(buffer *b, json_t *row) {
    const char *key, *comma = "";
    json_t *value;
    buffer_char(b, '{', 1);
    json_object_foreach(row, key, value) {
        if (*key == '-') continue;
        const char *name = key + (*key == '.');
        buffer_text(b, comma);
        comma = ",";
        json_text_string(b, name, strlen(name));
        buffer_char(b, ':', 1);
        json_text_write(b, value, 0);
    }
    buffer_char(b, '}', 1);
}

static void write_json(output *o) {
    buffer *b = &o->text;
    if (!o->single) buffer_text(b, o->rows ? "[\n" : "[");
    for (size_t i = 0; i < o->rows; i++) {
        write_json_row(b, o->row[i]);
        buffer_text(b, o->single || i + 1 == o->rows ? "\n" : ",\n");
    }
    if (!o->single) buffer_text(b, "]\n");
    if (o->single && o->rows == 0) buffer_text(b, "{}\n");
}

/* ---- the whole ------------------------------------------------------------------------------- */

output *output_open(output_format format, int single) {
    output *o = mem_new(1, sizeof *o);
    if (!o) return NULL;
    o->format = format;
    o->single = single;
    return o;
}

void output_in_full(output *o) {
    if (o) o->full = 1;
}

void output_columns(output *o, size_t count, const char *const *names) {
    if (!o) return;
    for (size_t i = 0; i < count; i++)
        if (*names[i] != '.' && !add_column(o, ANYWHERE, shown(names[i]))) o->text.failed = 1;
}

int output_row(output *o, json_t *row) {
    int fits = o && row && !o->text.failed;
    if (fits && o->format != OUTPUT_JSON) fits = settle_row(o, row) && note_row(o, row);
    if (fits) fits = mem_reserve(&o->row, &o->row_capacity, o->rows + 1, sizeof *o->row);
    if (fits)
        o->row[o->rows++] = row;
    else
        json_decref(row);
    if (o && !fits) o->text.failed = 1;
    return fits;
}

static void release(output *o) {
    for (size_t i = 0; i < o->rows; i++) json_decref(o->row[i]);
    for (size_t i = 0; i < o->columns; i++) mem_free(o->column[i].key);
    mem_free(o->row);
    mem_free(o->column);
    mem_free(o->text.data);
    mem_free(o->cells.data);
    mem_free(o);
}

/* A reader that has seen enough (`| head`) has no need of a message. */
static int print(const buffer *b) {
    errno = 0;
    if (file_write_buffer(stdout, b)) return 1;
    if (errno != EPIPE) fprintf(stderr, "locbo: cannot write standard output: %s\n", strerror(errno));
    return 0;
}

static int print_file(const buffer *b, const char *path) {
    locbo_error error;
    if (file_write(path, file_write_buffer, b, &error) == LOCBO_OK) return 1;
    message_print(NULL, 0, "%s", error.message);
    return 0;
}

static int finish(output *o, const char *path) {
    static void (*const write[])(output *) = {
        [OUTPUT_TABLE] = write_people, [OUTPUT_JSON] = write_json, [OUTPUT_CSV] = write_csv};
    if (o && !o->text.failed) write[o->format](o);
    int failed = !o || o->text.failed;
    if (failed) fprintf(stderr, "locbo: out of memory\n");
    int written = !failed && (path ? print_file(&o->text, path) : o->text.size == 0 || print(&o->text));
    if (o) release(o);
    return written;
}

int output_close(output *o) { return finish(o, NULL); }

int output_save(output *o, const char *path) { return finish(o, path); }
