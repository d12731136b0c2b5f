/* cmd_completion.c - locbo completion: the script that lets a shell complete locbo's command lines, and the answers to
 * its questions. Layer: cli. */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "exit_code.h"
#include "offer.h"
#include "session.h"

/* The files of completion/. */
static const struct script {
    const char *shell, *text;
} scripts[] = {
#include "completion.inc"
};
enum { SCRIPTS = sizeof scripts / sizeof scripts[0] };

static int print_script(session *s, const char *shell) {
    for (size_t i = 0; i < SCRIPTS; i++)
        if (strcmp(scripts[i].shell, shell) == 0) {
            fputs(scripts[i].text, stdout);
            return session_close(s, EXIT_OK);
        }
    return session_usage(s, "there is a completion for bash, zsh and fish, not for '%s'", shell);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 1, 1, 1)) return s.code;
    const char *what = args_positional(&s.args, 0);
    int offer = strcmp(what, "offer") == 0;
    if (offer && s.args.after == 0) return session_usage(&s, "offer needs the words that were typed, after --");
    if (!offer && s.args.separated) return session_usage(&s, "words after -- are for offer, not for '%s'", what);
    if (!offer) return print_script(&s, what);
    return session_close(&s, offer_print(self->name, s.args.command, s.args.after));
}

const command command_completion = {
    .name = "completion",
    .summary = "print a script that completes locbo's command lines in bash, zsh or fish",
    .usage = "bash | zsh | fish | offer -- WORD...",
    .description =
        "Prints a script for the shell that completes subcommands, options and their values, files and the "
        "names of the studies in the database. `make install` and the Debian package put the scripts where the "
        "shells look for them; otherwise put the first, second or third example into ~/.bashrc, ~/.zshrc "
        "(after compinit) or ~/.config/fish/config.fish.\n\n"
        "The scripts ask `locbo completion offer`: it prints what the last of the words, which is being "
        "typed, can become. Its first line is \"words\", \"begun\" (words that something must follow), "
        "\"files PREFIX\" or \"commands\"; then follow the words, each with its meaning behind a tab.",
    .examples = "    $ source <(locbo completion bash)\n"
                "    $ source <(locbo completion zsh)\n"
                "    $ locbo completion fish | source\n"
                "    $ locbo completion offer -- run --method o\n",
    .options = (const arg_option *const[]){NULL},
    .run = run,
};
