/* args.h - the command line of a subcommand from a table: parsing (getopt_long underneath), --help, completion. */
#ifndef ARGS_H
#define ARGS_H

#include <stddef.h>

/* One option. A table ends with a row whose `name` is NULL. */
typedef struct arg_option {
    const char *name;  /* long name, without dashes */
    char letter;       /* short name, or 0 */
    const char *value; /* what its value is called in the help ("FILE", "N"); NULL: it takes none */
    const char *help;  /* one line */
} arg_option;

/* What a subcommand is. */
typedef struct command {
    const char *name;
    const char *summary;              /* one line */
    const char *usage;                /* "[STUDY.yaml] [options] [-- COMMAND...]", after "locbo NAME" */
    const char *description;          /* a paragraph or two, for --help */
    const char *examples;             /* lines, each "    $ locbo ..." or a comment above one */
    const arg_option *const *options; /* several tables, NULL-terminated: shared ones first */
    int (*run)(const struct command *self, int argc, char **argv); /* returns an exit code; argv[0] is the subcommand */
} command;

/* An occurrence on the command line. */
typedef struct arg {
    const arg_option *option; /* NULL: a positional argument */
    const char *value;        /* NULL for an option without a value */
} arg;

typedef struct args {
    size_t count;
    arg *items;     /* in the order given, before "--" */
    size_t after;   /* words after "--" */
    char **command; /* those words, inside argv */
    int separated;  /* whether there was a "--" */
} args;

/* Parse. Returns 1 if the caller continues; 0 if it must return *code: after --help (printed to stdout, EXIT_OK), or a
 * mistake (one line on stderr, with the nearest option if there is one near, and "see locbo NAME --help"; EXIT_USAGE).
 */
int args_parse(const command *self, int argc, char **argv, args *parsed, int *code);
void args_release(args *parsed);
/* The last value of an option ("" for one without value), NULL if it does not occur. `name` is in the tables. */
const char *args_get(const args *parsed, const char *name);
/* The n-th (from 0) positional argument; NULL if there are fewer. */
const char *args_positional(const args *parsed, size_t n);
size_t args_positionals(const args *parsed);

void args_help(const command *self); /* on stdout */

/* All subcommands, NULL-terminated, in the order of the manual (main.c). */
extern const command *const commands[];

#endif
