/* main.c - locbo: the table of subcommands, and which of them is meant. Layer: cli. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <locbo/locbo.h>

#include "commands.h"
#include "message.h"
#include "exit_code.h"

const command *const commands[] = {
    &command_run,     &command_work,       &command_create,    &command_ask,    &command_tell,       &command_beat,
    &command_enqueue, &command_best,       &command_recommend, &command_status, &command_trials,     &command_show,
    &command_predict, &command_plot,       &command_serve,     &command_import, &command_export,     &command_stop,
    &command_delete,  &command_alter,      &command_retract,   &command_fail,   &command_pause,      &command_resume,
    &command_rename,  &command_copy,       &command_note,      &command_log,    &command_experiment, &command_pipe,
    &command_options, &command_completion, &command_report,    &command_demo,   &command_help,       NULL,
};

/* Should the caller have closed one of the standard descriptors, a database opened next would get its number and our
 * output would go into it. A descriptor that cannot be read or written is opened instead (standard error: /dev/null).
 */
static int hold_descriptors(void) {
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDWR};
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF && open("/dev/null", modes[fd]) != fd) return 0;
    return 1;
}

static int is_one_of(const char *word, const char *a, const char *b) {
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int dispatch(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "--help";
    if (is_one_of(word, "--version", "-V")) {
        printf("locbo %s\n", locbo_version());
        return EXIT_OK;
    }
    if (is_one_of(word, "--help", "-h")) { /* perhaps with the name of a subcommand behind it */
        if (argc > 2) return command_help.run(&command_help, argc - 1, argv + 1);
        command_overview();
        return EXIT_OK;
    }
    if (word[0] == '-')
        return message_print(NULL, EXIT_USAGE, "unknown option '%s'; options follow a subcommand, see locbo --help",
                             word);
    const command *found = command_find(word);
    return found ? found->run(found, argc - 1, argv + 1) : command_unknown(NULL, word);
}

/* The locale stays "C": numbers have points whatever the user's language. */
int main(int argc, char **argv) {
    if (!hold_descriptors()) return EXIT_RUNTIME;
    signal(SIGPIPE, SIG_IGN); /* a reader that is gone is an error of write, not our end */
    int code = dispatch(argc, argv);
    errno = 0;
    int lost = fflush(stdout) != 0 || ferror(stdout);
    if (!lost || code != EXIT_OK) return code; /* otherwise an error has been reported */
    if (errno == EPIPE) return EXIT_RUNTIME;
    return message_print(NULL, EXIT_RUNTIME, "cannot write standard output%s%s", errno ? ": " : "",
                         errno ? strerror(errno) : "");
}
