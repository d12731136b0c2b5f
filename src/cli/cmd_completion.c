/* cmd_completion.c - locbo completion: a script that lets bash complete locbo's command lines, made from the tables
 * that parse them. It needs nothing but bash. Layer: cli. */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "exit_code.h"
#include "session.h"

/* The parts of the script that are the same for all. $1: words or a file's beginning, $2: what the words begin with. */
static const char opening[] = "# bash completion of locbo. To load it: source <(locbo completion bash)\n"
                              "_locbo_offer() {\n"
                              "    local word\n"
                              "    while IFS= read -r word; do COMPREPLY+=(\"$word\"); done\n"
                              "}\n"
                              "_locbo_words() { _locbo_offer < <(compgen -W \"$1\" -- \"$2\"); }\n"
                              "_locbo_files() {\n"
                              "    compopt -o filenames 2>/dev/null\n"
                              "    _locbo_offer < <(compgen -f -- \"$1\")\n"
                              "}\n"
                              "_locbo_begun() { # NAME=, which continues with a value\n"
                              "    compopt -o nospace 2>/dev/null\n"
                              "    _locbo_words \"$1\" \"$2\"\n"
                              "}\n";

/* bash splits --name=value and name=value at the '='. */
static const char closing[] =
    "_locbo() {\n"
    "    local now=${COMP_WORDS[COMP_CWORD]} last=$((COMP_CWORD - 1)) i\n"
    "    local command=${COMP_WORDS[1]}\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        _locbo_words \"$_locbo_commands --help --version\" \"$now\"\n"
    "        return\n"
    "    fi\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        if [[ ${COMP_WORDS[i]} == -- ]]; then # the objective's own words\n"
    "            if ((i == last)); then _locbo_offer < <(compgen -c -- \"$now\"); fi\n"
    "            _locbo_files \"$now\"\n"
    "            return\n"
    "        fi\n"
    "    done\n"
    "    local assigned=''\n"
    "    if [[ $now == '=' ]]; then\n"
    "        now='' assigned=1\n"
    "    elif [[ ${COMP_WORDS[last]} == '=' ]]; then\n"
    "        last=$((last - 1)) assigned=1\n"
    "    fi\n"
    "    if [[ $assigned && ${COMP_WORDS[last]} != -* ]]; then\n"
    "        i=$((last - 1))\n"
    "        [[ ${COMP_WORDS[i]} == '=' ]] && i=$((i - 1))\n"
    "        [[ ${COMP_WORDS[i]} == --set ]] && _locbo_setting \"${COMP_WORDS[last]}\" \"$now\"\n"
    "        return\n"
    "    fi\n"
    "    _locbo_value \"$command\" \"${COMP_WORDS[last]}\" \"$now\" && return\n"
    "    if [[ $now == -* ]]; then\n"
    "        _locbo_words \"$(_locbo_options \"$command\")\" \"$now\"\n"
    "    else\n"
    "        _locbo_argument \"$command\" \"$now\"\n"
    "    fi\n"
    "}\n"
    "complete -F _locbo locbo\n";

/* The tables of a command as one: the row after `o`, starting from NULL; *table is the table of that row. */
static const arg_option *next_option(const command *c, size_t *table, const arg_option *o) {
    if (o) o++;
    while (!o || !o->name) {
        if (o) ++*table;
        if (!c->options || !c->options[*table]) return NULL;
        o = c->options[*table];
    }
    return o;
}

/* The option of the library that has this name and is a choice. */
static int find_choice(const char *name, locbo_option *option) {
    for (size_t i = 0; i < locbo_option_count(); i++)
        if (locbo_option_describe(i, option, NULL) == LOCBO_OK && strcmp(option->name, name) == 0 &&
            strcmp(option->type, "choice") == 0)
            return 1;
    return 0;
}

/* "a | b | c" as words. */
static void print_choices(const char *range) {
    for (; *range; range++)
        if (*range != '|' && !(*range == ' ' && range[1] == '|')) putchar(*range);
}

static int names_file(const char *text) {
    return strstr(text, "FILE") || strstr(text, ".yaml") || strstr(text, "PATH") || strstr(text, "DIR") ||
           strstr(text, "URL");
}

static void print_value_action(const arg_option *o) {
    locbo_option choice;
    if (strcmp(o->name, "format") == 0) {
        printf(" _locbo_words 'table json csv' \"$3\"");
    } else if (strcmp(o->name, "set") == 0) {
        printf(" _locbo_begun \"$_locbo_names\" \"$3\"");
    } else if (find_choice(o->name, &choice)) {
        printf(" _locbo_words '");
        print_choices(choice.range);
        printf("' \"$3\"");
    } else if (names_file(o->value)) {
        printf(" _locbo_files \"$3\"");
    }
}

/* What can stand after an option; fails if it takes no value, or is none. */
static void print_values(void) {
    printf("_locbo_value() {\n    case \"$1 $2\" in\n");
    for (size_t i = 0; commands[i]; i++) {
        size_t table = 0;
        const arg_option *o = NULL;
        while ((o = next_option(commands[i], &table, o))) {
            if (!o->value) continue;
            printf("    '%s --%s'", commands[i]->name, o->name);
            if (o->letter) printf(" | '%s -%c'", commands[i]->name, o->letter);
            printf(")");
            print_value_action(o);
            printf(" ;;\n");
        }
    }
    printf("    *) return 1 ;;\n    esac\n}\n");
}

static void print_options(void) {
    printf("_locbo_options() {\n    case $1 in\n");
    for (size_t i = 0; commands[i]; i++) {
        size_t table = 0;
        const arg_option *o = NULL;
        printf("    %s) echo '", commands[i]->name);
        while ((o = next_option(commands[i], &table, o))) {
            if (o->letter) printf("-%c ", o->letter);
            printf("--%s ", o->name);
        }
        printf("-h --help' ;;\n");
    }
    printf("    esac\n}\n");
}

static void print_arguments(void) {
    printf("_locbo_argument() {\n    case $1 in\n"
           "    help | --help | -h) _locbo_words \"$_locbo_commands\" \"$2\" ;;\n"
           "    options) _locbo_words \"${_locbo_names//=/}\" \"$2\" ;;\n"
           "    completion) _locbo_words bash \"$2\" ;;\n");
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->usage && names_file(commands[i]->usage))
            printf("    %s) _locbo_files \"$2\" ;;\n", commands[i]->name);
    printf("    esac\n}\n");
}

static void print_names(void) {
    locbo_option o;
    printf("_locbo_commands='");
    for (size_t i = 0; commands[i]; i++) printf("%s%s", i ? " " : "", commands[i]->name);
    printf("'\n_locbo_names='");
    for (size_t i = 0; i < locbo_option_count(); i++)
        if (locbo_option_describe(i, &o, NULL) == LOCBO_OK) printf("%s%s=", i ? " " : "", o.name);
    printf(" preset='\n");
}

/* --set NAME=VALUE, where VALUE is one of a few. */
static void print_settings(void) {
    locbo_option o;
    printf("_locbo_setting() {\n    case $1 in\n");
    for (size_t i = 0; i < locbo_option_count(); i++) {
        if (locbo_option_describe(i, &o, NULL) != LOCBO_OK || strcmp(o.type, "choice") != 0) continue;
        printf("    %s) _locbo_words '", o.name);
        print_choices(o.range);
        printf("' \"$2\" ;;\n");
    }
    printf("    preset) _locbo_words '");
    for (size_t i = 0; i < locbo_preset_count(); i++) {
        locbo_preset p;
        if (locbo_preset_describe(i, &p, NULL) == LOCBO_OK) printf("%s%s", i ? " " : "", p.name);
    }
    printf("' \"$2\" ;;\n    esac\n}\n");
}

static int run(const command *self, int argc, char **argv) {
    session s;
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 1, 1, 1)) return s.code;
    const char *shell = args_positional(&s.args, 0);
    if (strcmp(shell, "bash") != 0)
        return session_usage(&s, "there is a completion for bash only, not for '%s'", shell);
    fputs(opening, stdout);
    print_names();
    print_options();
    print_values();
    print_settings();
    print_arguments();
    fputs(closing, stdout);
    return session_close(&s, EXIT_OK);
}

const command command_completion = {
    .name = "completion",
    .summary = "print a script that completes locbo's command lines in bash",
    .usage = "bash",
    .description = "Prints a script for bash that completes subcommands, options and their values. Put the first "
                   "example into ~/.bashrc, or the output where bash looks for completions, as in the second.",
    .examples = "    $ source <(locbo completion bash)\n"
                "    $ locbo completion bash > ~/.local/share/bash-completion/completions/locbo\n",
    .options = (const arg_option *const[]){NULL},
    .run = run,
};
