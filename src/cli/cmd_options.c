/* cmd_options.c - locbo options: the option table of the library. Layer: cli. */
#include "commands.h"

#include <string.h>

#include "exit_code.h"
#include "session.h"
#include "text.h"

/* The option of that name; returns 0 after a complaint if there is none. */
static int find(const command *self, const char *name, locbo_option *option) {
    char hint[80];
    text_guess guess = {.word = name};
    for (size_t i = 0; i < locbo_option_count(); i++) {
        if (locbo_option_describe(i, option, NULL) != LOCBO_OK) continue;
        if (strcmp(option->name, name) == 0) return 1;
        text_consider(&guess, option->name);
    }
    text_hint(&guess, "", hint, sizeof hint);
    complain(self, EXIT_USAGE, "there is no option '%s'%s; see locbo options", name, hint);
    return 0;
}

static json_t *describe(const locbo_option *o) {
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", o->name, "type", o->type, "range",
                     o->range, "default", o->default_text, "help", o->help);
}

static int print(output_format format, const locbo_option *only) {
    output *o = output_open(format, only != NULL);
    locbo_option option;
    if (only) output_row(o, describe(only));
    for (size_t i = 0; !only && i < locbo_option_count(); i++)
        if (locbo_option_describe(i, &option, NULL) == LOCBO_OK) output_row(o, describe(&option));
    return output_close(o) ? EXIT_OK : EXIT_RUNTIME;
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_option option;
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 1, 0, 1)) return s.code;
    const char *name = args_positional(&s.args, 0);
    if (name && !find(self, name, &option)) return session_close(&s, EXIT_USAGE);
    return session_close(&s, print(s.format, name ? &option : NULL));
}

const command command_options = {
    .name = "options",
    .summary = "list what can be set with --set NAME=VALUE",
    .usage = "[NAME] [-f table|json|csv]",
    .description =
        "Lists the options of the optimizer: type, range, default and meaning of each, or of the "
        "one named. They are set with --set NAME=VALUE or under \"options:\" in a study file.",
    .examples = "    $ locbo options\n"
                "    $ locbo options alpha\n"
                "    $ locbo options -f json\n",
    .options = (const arg_option *const[]){format_options, NULL},
    .run = run,
};
