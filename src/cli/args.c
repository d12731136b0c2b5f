/* args.c - the command line of a subcommand from its tables. getopt_long does the cutting into options and values; what
 * is added: negative numbers are arguments, our own messages, and the help. Layer: cli. */
#include "args.h"

#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "message.h"
#include "exit_code.h"
#include "mem.h"
#include "nearest.h"
#include "number.h"
#include "text.h"

enum {
    FIRST_CODE = 256, /* getopt_long's code of row 0; below are letters */
    HELP_WIDTH = 79,
    WIDEST_NAME = 26, /* longer option names have their help on the next line */
    LONGEST_GROUP = 60
};

static const arg_option help_option = {"help", 'h', NULL, "show this help"};

/* All rows of a command's tables, and the same as getopt_long wants them. */
typedef struct parser {
    const command *self;
    int argc;
    char **argv;
    size_t rows;
    const arg_option **row;
    struct option *longs;
    char *letters;
    size_t capacity; /* of args.items */
    int inside;      /* between two letters of one word, "-ab" */
} parser;

/* ---- messages -------------------------------------------------------------------------------- */

/* A mistake in the command line, always with the command that shows the help. */
static int mistake(const parser *p, const char *what, const char *word, const char *hint) {
    return message_print(p->self->name, EXIT_USAGE, "%s '%s'%s; see locbo %s --help", what, word, hint, p->self->name);
}

static int no_memory(const parser *p) { return message_print(p->self->name, EXIT_RUNTIME, "out of memory"); }

/* ---- the tables ------------------------------------------------------------------------------ */

/* The rows of all tables, and --help as the last; returns how many. `row` NULL: only counts. */
static size_t list_rows(const command *self, const arg_option **row) {
    size_t n = 0;
    for (size_t t = 0; self->options && self->options[t]; t++)
        for (const arg_option *o = self->options[t]; o->name; o++, n++)
            if (row) row[n] = o;
    if (row) row[n] = &help_option;
    return n + 1;
}

static void fill_getopt(parser *p) {
    char *letter = p->letters;
    *letter++ = '-'; /* arguments in their order, as if of an option with code 1 */
    *letter++ = ':'; /* no messages, and ':' for a missing value */
    for (size_t i = 0; i < p->rows; i++) {
        const arg_option *o = p->row[i];
        p->longs[i] = (struct option){o->name, o->value ? required_argument : no_argument, NULL, FIRST_CODE + (int)i};
        if (!o->letter) continue;
        *letter++ = o->letter;
        if (o->value) *letter++ = ':';
    }
    *letter = '\0';
}

static int open_parser(parser *p, const command *self, int argc, char **argv) {
    *p = (parser){.self = self, .argc = argc, .argv = argv, .rows = list_rows(self, NULL)};
    p->row = mem_new(p->rows, sizeof *p->row);
    p->longs = mem_new(p->rows + 1, sizeof *p->longs);
    p->letters = mem_new(2 * p->rows + 3, 1);
    if (!p->row || !p->longs || !p->letters) return 0;
    list_rows(self, p->row);
    fill_getopt(p);
    return 1;
}

static void close_parser(parser *p) {
    mem_free(p->row);
    mem_free(p->longs);
    mem_free(p->letters);
}

static const arg_option *row_of(const parser *p, int code) {
    if (code >= FIRST_CODE) return p->row[code - FIRST_CODE];
    for (size_t i = 0; i < p->rows; i++)
        if (p->row[i]->letter && p->row[i]->letter == code) return p->row[i];
    return NULL;
}

/* ---- mistakes -------------------------------------------------------------------------------- */

/* Add ", --name" for each long option that begins like the word; returns how many do. */
static size_t list_candidates(const parser *p, const char *name, char *hint, size_t size) {
    size_t count = 0, used = 0;
    for (size_t i = 0; i < p->rows; i++) {
        if (strncmp(p->row[i]->name, name, strlen(name)) != 0) continue;
        int more = snprintf(hint + used, size - used, "%s--%s", count++ ? ", " : ": ", p->row[i]->name);
        if (more > 0 && used + (size_t)more < size) used += (size_t)more;
    }
    return count;
}

static void guess_option(const parser *p, const char *name, char *hint, size_t size) {
    nearest guess = {.word = name};
    for (size_t i = 0; i < p->rows; i++) nearest_consider(&guess, p->row[i]->name);
    nearest_hint(&guess, "--", hint, size);
}

static int unknown_long(const parser *p, const char *word) {
    char name[64], hint[256] = "";
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    if (list_candidates(p, name, hint, sizeof hint) > 1) return mistake(p, "ambiguous option", word, hint);
    guess_option(p, name, hint, sizeof hint);
    return mistake(p, "unknown option", word, hint);
}

/* `letter` is a byte of the word; part of a longer character if it is not ASCII. */
static int unknown_letter(const parser *p, const char *word, int letter) {
    char name[3] = {'-', (char)letter, '\0'}, near[80], hint[160];
    if (letter < 0x20 || letter > 0x7e || strlen(word) <= 2) return mistake(p, "unknown option", word, "");
    guess_option(p, word + 1, near, sizeof near); /* one dash instead of two? */
    snprintf(hint, sizeof hint, " in '%.40s'%s", word, near);
    return mistake(p, "unknown option", name, hint);
}

static int missing_value(const parser *p, const arg_option *o) {
    char name[80], hint[80];
    snprintf(name, sizeof name, "--%s", o->name);
    snprintf(hint, sizeof hint, " needs a value, %s", o->value);
    return mistake(p, "option", name, hint);
}

/* What was wrong with the word at which getopt_long stopped. */
static int explain(const parser *p, int code, const char *word) {
    const arg_option *o = optopt ? row_of(p, optopt) : NULL;
    if (code == ':' && o) return missing_value(p, o);
    if (strncmp(word, "--", 2) != 0) return unknown_letter(p, word, optopt & 0xff);
    if (o) return mistake(p, "option", word, " takes no value");
    return unknown_long(p, word);
}

/* ---- parsing --------------------------------------------------------------------------------- */

/* -3, -.5, -1e-3, -inf: no option looks like that. */
static int is_negative_number(const char *word) {
    double value;
    if (word[0] != '-') return 0;
    if (strcasecmp(word, "-inf") == 0) return 1;
    return (isdigit((unsigned char)word[1]) || word[1] == '.') && number_parse(word, &value);
}

static int add(parser *p, args *parsed, const arg_option *option, const char *value) {
    if (!mem_reserve(&parsed->items, &p->capacity, parsed->count + 1, sizeof *parsed->items)) return 0;
    parsed->items[parsed->count++] = (arg){option, value};
    return 1;
}

/* One option or argument. Returns 1 to continue, 0 at the end or, with *code set, after --help or an error. */
static int next_item(parser *p, args *parsed, int *code) {
    int at = optind;
    if (!p->inside && at < p->argc && is_negative_number(p->argv[at])) {
        optind++;
        return add(p, parsed, NULL, p->argv[at]) || (*code = no_memory(p), 0);
    }
    int found = getopt_long(p->argc, p->argv, p->letters, p->longs, NULL);
    if (found == -1) {
        parsed->separated = at < p->argc; /* it ended before the words did */
        return 0;
    }
    p->inside = optind == at;
    if (found == '?' || found == ':') return (*code = explain(p, found, p->argv[at]), 0);
    const arg_option *o = found == 1 ? NULL : row_of(p, found);
    if (o == &help_option) return (args_help(p->self), *code = EXIT_OK, 0);
    /* "-n -- command": the value was forgotten */
    if (o && o->value && optind == at + 2 && strcmp(optarg, "--") == 0) return (*code = missing_value(p, o), 0);
    return add(p, parsed, o, optarg) || (*code = no_memory(p), 0);
}

/* Let getopt_long forget an earlier parse and set optind to 1, without looking at a word yet. */
static void reset_getopt(const parser *p) {
    optind = 0;
    opterr = 0;
    getopt_long(1, p->argv, p->letters, p->longs, NULL);
}

int args_parse(const command *self, int argc, char **argv, args *parsed, int *code) {
    enum { UNSAID = -1 };
    parser p;
    memset(parsed, 0, sizeof *parsed);
    *code = UNSAID;
    if (open_parser(&p, self, argc, argv)) {
        reset_getopt(&p);
        while (next_item(&p, parsed, code)) continue;
    } else {
        *code = no_memory(&p);
    }
    close_parser(&p);
    if (*code != UNSAID) {
        args_release(parsed);
        return 0;
    }
    parsed->command = argv + optind;
    parsed->after = (size_t)(argc - optind);
    *code = EXIT_OK;
    return 1;
}

void args_release(args *parsed) {
    mem_free(parsed->items);
    memset(parsed, 0, sizeof *parsed);
}

const char *args_get(const args *parsed, const char *name) {
    for (size_t i = parsed->count; i-- > 0;) {
        const arg *a = &parsed->items[i];
        if (a->option && strcmp(a->option->name, name) == 0) return a->value ? a->value : "";
    }
    return NULL;
}

const char *args_positional(const args *parsed, size_t n) {
    for (size_t i = 0; i < parsed->count; i++)
        if (!parsed->items[i].option && n-- == 0) return parsed->items[i].value;
    return NULL;
}

size_t args_positionals(const args *parsed) {
    size_t n = 0;
    for (size_t i = 0; i < parsed->count; i++) n += !parsed->items[i].option;
    return n;
}

/* ---- help ------------------------------------------------------------------------------------ */

/* Where the next word goes: lines begin at `indent`. */
typedef struct flow {
    size_t column, indent;
} flow;

static void break_line(flow *f) {
    printf("\n%*s", (int)f->indent, "");
    f->column = f->indent;
}

static void put_word(flow *f, const char *word, size_t size) {
    size_t width = text_width_of(word, size);
    if (f->column > f->indent && f->column + 1 + width > HELP_WIDTH) break_line(f);
    if (f->column > f->indent) {
        putchar(' ');
        f->column++;
    }
    printf("%.*s", (int)size, word);
    f->column += width;
}

/* A word ends at a blank, but "[-n N]" is kept together. */
static size_t word_size(const char *text, size_t size) {
    size_t end = 0;
    const char *close = text[0] == '[' ? memchr(text, ']', size) : NULL;
    if (close && close - text < LONGEST_GROUP) end = (size_t)(close - text);
    while (end < size && text[end] != ' ') end++;
    return end;
}

static void put_words(flow *f, const char *text, size_t size) {
    for (size_t i = 0; i < size;) {
        size_t word = word_size(text + i, size - i);
        if (word) put_word(f, text + i, word);
        i += word ? word : 1;
    }
}

/* Lines are filled; an empty one ends a paragraph, one that begins with a blank stays as it is. */
static void put_text(flow *f, const char *text) {
    int breaks = 0; /* to print before the next line */
    while (*text) {
        size_t size = strcspn(text, "\n");
        int as_it_is = *text == ' ';
        if (as_it_is && !breaks) breaks = 1;
        if (size == 0) breaks = 2;
        while (size && breaks && breaks--) break_line(f);
        if (as_it_is)
            breaks = printf("%.*s", (int)size, text) > 0;
        else
            put_words(f, text, size);
        text += size + (text[size] == '\n');
    }
    putchar('\n');
}

/* "-n, --trials N" */
static int name_option(const arg_option *o, char *name, size_t size) {
    char letter[5] = "    ";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    return snprintf(name, size, "%s--%s%s%s", letter, o->name, o->value ? " " : "", o->value ? o->value : "");
}

static void put_option(const arg_option *o, size_t column) {
    char name[128];
    name_option(o, name, sizeof name);
    flow f = {column, column};
    printf("  %s", name);
    if (text_width(name) + 4 > column)
        break_line(&f);
    else
        printf("%*s", (int)(column - 2 - text_width(name)), "");
    put_text(&f, o->help);
}

static void put_options(const command *self) {
    size_t rows = list_rows(self, NULL), widest = 0;
    const arg_option **row = mem_new(rows, sizeof *row);
    if (!row) return; /* the rest of the help is printed */
    list_rows(self, row);
    for (size_t i = 0; i < rows; i++) {
        char name[128];
        size_t width = (size_t)name_option(row[i], name, sizeof name);
        if (width > widest && width <= WIDEST_NAME) widest = width;
    }
    printf("\nOptions:\n");
    for (size_t i = 0; i < rows; i++) put_option(row[i], widest + 4);
    mem_free(row);
}

void args_help(const command *self) {
    int start = printf("Usage: locbo %s", self->name);
    flow usage = {(size_t)start, (size_t)start + 1}, plain = {0, 0};
    if (self->usage && *self->usage) {
        putchar(' ');
        usage.column++;
        put_text(&usage, self->usage);
    } else {
        putchar('\n');
    }
    putchar('\n');
    put_text(&plain, self->description ? self->description : self->summary);
    put_options(self);
    if (self->examples && *self->examples)
        printf("\nExamples:\n%s%s", self->examples, self->examples[strlen(self->examples) - 1] == '\n' ? "" : "\n");
}
