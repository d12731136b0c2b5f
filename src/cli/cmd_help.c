/* cmd_help.c - locbo help: all subcommands, or the help of one. Layer: cli. */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "exit_code.h"
#include "nearest.h"
#include "session.h"

enum { NAME_WIDTH = 12 };

/* Groups of subcommands, by what they are for. */
static const struct group {
    const char *title;
    const char *names; /* with a blank around each */
} groups[] = {
    {"Run a study", " run work "},
    {"Drive it yourself", " create ask tell beat enqueue pipe "},
    {"Look at a study", " status best recommend trials show predict plot serve report "},
    {"Compare methods", " experiment "},
    {"Change your mind", " alter retract fail pause resume note log "},
    {"Copy, stop, delete", " import export copy rename stop delete "},
    {"Help", " demo help options completion "},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

/* The group of a subcommand; GROUPS for one that the table does not know. */
static size_t group_of(const command *c) {
    char word[64];
    snprintf(word, sizeof word, " %s ", c->name);
    for (size_t g = 0; g < GROUPS; g++)
        if (strstr(groups[g].names, word)) return g;
    return GROUPS;
}

static void list_group(size_t group, const char *title) {
    int named = 0;
    for (size_t i = 0; commands[i]; i++) {
        if (group_of(commands[i]) != group) continue;
        if (!named++) printf("\n%s:\n", title);
        printf("  %-*s%s\n", NAME_WIDTH, commands[i]->name, commands[i]->summary);
    }
}

void command_overview(void) {
    printf("locbo %s - robust Bayesian optimisation of noisy, expensive black boxes\n\n"
           "Usage: locbo SUBCOMMAND [options]\n"
           "       locbo help SUBCOMMAND\n"
           "       locbo --version\n",
           locbo_version());
    for (size_t g = 0; g < GROUPS; g++) list_group(g, groups[g].title);
    list_group(GROUPS, "More");
    printf("\nTo begin with:\n"
           "  $ locbo run -p 'x~float(-5,10)' -n 20 -- awk 'BEGIN {{ print 1 + ({x} - 2)^2 }}'\n"
           "  $ locbo status\n"
           "  $ locbo best\n");
}

const command *command_find(const char *name) {
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

int command_unknown(const char *self, const char *name) {
    char hint[80];
    nearest guess = {.word = name};
    for (size_t i = 0; commands[i]; i++) nearest_consider(&guess, commands[i]->name);
    nearest_hint(&guess, "", hint, sizeof hint);
    return message_print(self, EXIT_USAGE, "unknown subcommand '%s'%s; see locbo --help", name, hint);
}

static int show(const command *self, const char *name) {
    const command *about = name ? command_find(name) : NULL;
    if (name && !about) return command_unknown(self->name, name);
    if (about)
        args_help(about);
    else
        command_overview();
    return EXIT_OK;
}

static int run(const command *self, int argc, char **argv) {
    session s;
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 1, 0, 1)) return s.code;
    return session_close(&s, show(self, args_positional(&s.args, 0)));
}

const command command_help = {
    .name = "help",
    .summary = "show the subcommands, or the help of one",
    .usage = "[SUBCOMMAND]",
    .description = "Shows all subcommands, or how to use one of them: the same as \"locbo SUBCOMMAND --help\".",
    .examples = "    $ locbo help run\n",
    .options = (const arg_option *const[]){NULL},
    .run = run,
};
