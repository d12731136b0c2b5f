/* cmd_options.c - locbo options: the option table of the library, and its presets. Layer: cli. */
#include "commands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "exit_code.h"
#include "nearest.h"
#include "session.h"

static json_t *describe(const locbo_option *o) {
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", o->name, "type", o->type, "range", o->range, "default",
                     o->default_text, "help", o->help);
}

static json_t *describe_preset(const locbo_preset *p) {
    return json_pack("{s:s, s:s, s:s, s:s}", "name", p->name, "type", "preset", "settings", p->settings, "help",
                     p->help);
}

/* `preset` as it is set, like an option; it has no default. */
static json_t *describe_presets(void) {
    char names[200] = "";
    locbo_preset p;
    for (size_t i = 0; i < locbo_preset_count(); i++) {
        size_t used = strlen(names);
        if (locbo_preset_describe(i, &p, NULL) == LOCBO_OK)
            snprintf(names + used, sizeof names - used, "%s%s", i ? " | " : "", p.name);
    }
    return json_pack("{s:s, s:s, s:s, s:n, s:s}", "name", "preset", "type", "preset", "range", names, "default", "help",
                     "several options at once; locbo options paper-ackley shows one");
}

/* The description of what has that name; NULL after a message if there is none. */
static json_t *find(const command *self, const char *name) {
    char hint[80];
    nearest guess = {.word = name};
    locbo_option option;
    locbo_preset preset;
    for (size_t i = 0; i < locbo_option_count(); i++) {
        if (locbo_option_describe(i, &option, NULL) != LOCBO_OK) continue;
        if (strcmp(option.name, name) == 0) return describe(&option);
        nearest_consider(&guess, option.name);
    }
    if (strcmp(name, "preset") == 0) return describe_presets();
    nearest_consider(&guess, "preset");
    for (size_t i = 0; i < locbo_preset_count(); i++) {
        if (locbo_preset_describe(i, &preset, NULL) != LOCBO_OK) continue;
        if (strcmp(preset.name, name) == 0) return describe_preset(&preset);
        nearest_consider(&guess, preset.name);
    }
    nearest_hint(&guess, "", hint, sizeof hint);
    message_print(self->name, EXIT_USAGE, "there is no option '%s'%s; see locbo options", name, hint);
    return NULL;
}

/* All of them, or `only`, which it takes over. */
static int print(output_format format, json_t *only) {
    output *o = output_open(format, only != NULL);
    locbo_option option;
    if (!isatty(STDOUT_FILENO)) output_in_full(o); /* a pager or a file has room for it */
    if (only) output_row(o, only);
    for (size_t i = 0; !only && i < locbo_option_count(); i++)
        if (locbo_option_describe(i, &option, NULL) == LOCBO_OK) output_row(o, describe(&option));
    if (!only) output_row(o, describe_presets());
    return output_close(o) ? EXIT_OK : EXIT_RUNTIME;
}

static int run(const command *self, int argc, char **argv) {
    session s;
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 1, 0, 1)) return s.code;
    const char *name = args_positional(&s.args, 0);
    json_t *only = name ? find(self, name) : NULL;
    if (name && !only) return session_close(&s, EXIT_USAGE);
    return session_close(&s, print(s.format, only));
}

const command command_options = {
    .name = "options",
    .summary = "list what can be set with --set NAME=VALUE",
    .usage = "[NAME] [-f table|json|csv]",
    .description =
        "Lists the options of the optimizer: type, range, default and meaning of each, or of the "
        "one named. They are set with --set NAME=VALUE or under \"options:\" in a study file. A "
        "preset is several of them under one name: --set preset=NAME sets them all, and what is "
        "set after it changes them again. On a terminal long texts are cut; a pipe or file gets all of them.",
    .examples = "    $ locbo options\n"
                "    $ locbo options alpha\n"
                "    $ locbo options paper-ackley\n"
                "    $ locbo options -f json\n",
    .options = (const arg_option *const[]){format_options, NULL},
    .run = run,
};
