/* offer.c - what can stand at the end of a command line, from the tables that parse it, from the library's options, and
 * from the database for the names of studies. Layer: cli, top. */
#include "offer.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "exit_code.h"
#include "experiment_file.h"
#include "plot.h"
#include "session.h"
#include "text.h"

/* How long the names of studies may be waited for if the database is busy: somebody has pressed a key. */
static const double PATIENCE_SECONDS = 2;

/* Options whose values the tables of subcommands name only in their help. */
static const struct known {
    const char *option, *values;
} known[] = {
    {"format", "table json csv"},
    {"feasible", "yes no"},
    {"state", "waiting running complete failed infeasible retracted pruned"},
    {"prune", "risk median halving none"},
    {"of", "mean sd threshold acquisition feasible"},
    {"at", "recommended best"},
    {"key", "beside inside none"},
};
enum { KNOWN = sizeof known / sizeof known[0] };

/* The line that is being typed. */
typedef struct line {
    const char *self;
    char *const *words;
    size_t count;
    const command *command;
    const char *typed; /* what the words offered begin with: the end of the last word */
    size_t before;     /* how much of the last word is before that */
} line;

/* ---- words ------------------------------------------------------------------------------------- */

static void print_word(const line *l, const char *dashes, const char *word, size_t length, const char *end,
                       const char *help) {
    char text[256];
    int size = snprintf(text, sizeof text, "%s%.*s%s", dashes, (int)length, word, end);
    if (size >= (int)sizeof text || strncmp(text, l->typed, strlen(l->typed)) != 0) return;
    printf("%.*s%s%s%s\n", (int)l->before, l->words[l->count - 1], text, help ? "\t" : "", help ? help : "");
}

static void offer_word(const line *l, const char *word, const char *help) {
    print_word(l, "", word, strlen(word), "", help);
}

/* The words of a list, between which stand blanks or, as in the range of an option, " | ". */
static void offer_list(const line *l, const char *list) {
    while (*(list += strspn(list, " |"))) {
        size_t length = strcspn(list, " |");
        print_word(l, "", list, length, "", NULL);
        list += length;
    }
}

static void offer_commands(const line *l) {
    for (size_t i = 0; commands[i]; i++) offer_word(l, commands[i]->name, commands[i]->summary);
}

/* The names of the library's options, and of the one that sets several. */
static void offer_settings(const line *l, const char *end) {
    locbo_option o;
    for (size_t i = 0; i < locbo_option_count(); i++)
        if (locbo_option_describe(i, &o, NULL) == LOCBO_OK) print_word(l, "", o.name, strlen(o.name), end, o.help);
    print_word(l, "", "preset", strlen("preset"), end, "several options at once");
}

static void offer_presets(const line *l) {
    locbo_preset p;
    for (size_t i = 0; i < locbo_preset_count(); i++)
        if (locbo_preset_describe(i, &p, NULL) == LOCBO_OK) offer_word(l, p.name, NULL);
}

/* The values of the library's option of this name, if it is a choice. */
static void offer_choice(const line *l, const char *name, size_t length) {
    locbo_option o;
    for (size_t i = 0; i < locbo_option_count(); i++)
        if (locbo_option_describe(i, &o, NULL) == LOCBO_OK && strlen(o.name) == length &&
            strncmp(o.name, name, length) == 0 && strcmp(o.type, "choice") == 0)
            offer_list(l, o.range);
}

/* ---- names of studies --------------------------------------------------------------------------- */

/* A name that is not one line of text is not offered: no shell could take it. */
static int is_plain(const char *name) {
    for (size_t step; *name; name += step)
        if (step = text_step(name, strlen(name)), text_is_control(name, step)) return 0;
    return 1;
}

static int offer_name(const char *name, void *user) {
    const line *l = user;
    if (is_plain(name)) offer_word(l, name, NULL);
    return 0;
}

/* The database that the line names with --db, or the one that a subcommand takes without it. */
static const char *find_url(const line *l) {
    const char *url = NULL;
    for (size_t i = 1; i + 1 < l->count; i++) {
        if (strcmp(l->words[i], "--db") == 0 && i + 2 < l->count) url = l->words[i + 1];
        if (strncmp(l->words[i], "--db=", 5) == 0) url = l->words[i] + 5;
    }
    return url ? url : session_url(&(args){0});
}

static int offer_studies(const line *l) {
    locbo_store *store = NULL;
    locbo_error error;
    locbo_status status =
        locbo_store_open_patiently(&store, find_url(l), LOCBO_STORE_READ_ONLY, PATIENCE_SECONDS, NULL, NULL, &error);
    if (status == LOCBO_OK) status = locbo_store_each(store, offer_name, (void *)l, &error);
    locbo_store_close(store);
    return status == LOCBO_OK ? EXIT_OK : message_print(l->self, exit_code_of(status), "%s", error.message);
}

/* ---- values of options -------------------------------------------------------------------------- */

static int names_file(const char *text, size_t length) {
    static const char *const marks[] = {"FILE", ".yaml", "PATH", "DIR", "URL"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const char *found = strstr(text, marks[i]);
        if (found && (size_t)(found - text) < length) return 1;
    }
    return 0;
}

/* `length` more bytes of the last word are before what is offered. */
static void step_over(line *l, size_t length) {
    l->typed += length;
    l->before += length;
}

static int offer_files(line *l) {
    if (strncmp(l->typed, "sqlite:", 7) == 0) step_over(l, 7);
    printf("files %.*s\n", (int)l->before, l->words[l->count - 1]);
    return EXIT_OK;
}

/* --set NAME=VALUE */
static int offer_setting(line *l) {
    const char *name = l->typed, *sign = strchr(name, '=');
    puts(sign ? "words" : "begun");
    if (!sign) return (offer_settings(l, "="), EXIT_OK);
    step_over(l, (size_t)(sign + 1 - name));
    if (strncmp(name, "preset=", 7) == 0)
        offer_presets(l);
    else
        offer_choice(l, name, (size_t)(sign - name));
    return EXIT_OK;
}

static int offer_value(line *l, const arg_option *o) {
    if (strcmp(o->name, "set") == 0) return offer_setting(l);
    if (names_file(o->value, strlen(o->value))) return offer_files(l);
    puts("words");
    if (strcmp(o->name, "name") == 0) return offer_studies(l);
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(known[i].option, o->name) == 0) return (offer_list(l, known[i].values), EXIT_OK);
    offer_choice(l, o->name, strlen(o->name));
    return EXIT_OK;
}

/* ---- which of them -------------------------------------------------------------------------------- */

/* The subcommand's option of this name, or of this letter if `name` is NULL, that takes a value; NULL if there is none.
 */
static const arg_option *find_option(const command *c, const char *name, size_t length, char letter) {
    for (size_t t = 0; c->options && c->options[t]; t++)
        for (const arg_option *o = c->options[t]; o->name; o++)
            if (o->value &&
                (name ? strlen(o->name) == length && strncmp(o->name, name, length) == 0 : o->letter == letter))
                return o;
    return NULL;
}

/* The option whose value the last word is: --format=j, or after --format or -f. l->typed becomes the value. */
static const arg_option *find_begun(line *l) {
    const char *last = l->typed, *previous = l->words[l->count - 2], *sign = strchr(last, '=');
    if (strncmp(last, "--", 2) == 0 && sign) {
        const arg_option *o = find_option(l->command, last + 2, (size_t)(sign - last) - 2, 0);
        if (o) step_over(l, (size_t)(sign + 1 - last));
        return o;
    }
    if (l->count < 3 || previous[0] != '-' || previous[1] == '\0') return NULL;
    if (previous[1] == '-') return find_option(l->command, previous + 2, strlen(previous + 2), 0);
    return previous[2] ? NULL : find_option(l->command, NULL, 0, previous[1]);
}

static int offer_options(const line *l) {
    const command *c = l->command;
    puts("words");
    for (size_t t = 0; c->options && c->options[t]; t++)
        for (const arg_option *o = c->options[t]; o->name; o++) {
            if (o->letter) print_word(l, "-", &o->letter, 1, "", o->help);
            print_word(l, "--", o->name, strlen(o->name), "", o->help);
        }
    offer_word(l, "-h", "show this help");
    offer_word(l, "--help", "show this help");
    return EXIT_OK;
}

static int offer_experiment(const line *l) {
    if (l->count == 2) offer_list(l, "list run show draw");
    for (size_t i = 0; l->count == 3 && experiment_texts[i].name; i++) offer_word(l, experiment_texts[i].name, NULL);
    return EXIT_OK;
}

/* What is no option; a file if the usage begins with one. */
static int offer_argument(line *l) {
    const char *usage = l->command->usage ? l->command->usage : "";
    if (names_file(usage, strcspn(usage, " "))) return offer_files(l);
    puts("words");
    if (l->command == &command_help) offer_commands(l);
    if (l->command == &command_options) offer_settings(l, "");
    if (l->command == &command_completion && l->count == 2) offer_list(l, "bash zsh fish");
    if (strcmp(l->command->name, "experiment") == 0) return offer_experiment(l);
    for (size_t i = 0; strcmp(l->command->name, "plot") == 0 && plot_kinds[i]; i++)
        offer_word(l, plot_kinds[i]->name, NULL);
    return EXIT_OK;
}

static int offer_first(const line *l) {
    puts("words");
    offer_commands(l);
    offer_word(l, "--help", "show the subcommands");
    offer_word(l, "--version", "show the version");
    return EXIT_OK;
}

/* The number of the first word of the objective's command, after "--"; 0: the last word is none of it. */
static size_t find_objective(const line *l) {
    int taken = l->command->usage && strstr(l->command->usage, "-- ");
    for (size_t i = 1; taken && i + 1 < l->count; i++)
        if (strcmp(l->words[i], "--") == 0) return i + 1;
    return 0;
}

int offer_print(const char *self, char *const *words, size_t count) {
    line l = {self, words, count, NULL, words[count - 1], 0};
    if (count == 1) return offer_first(&l);
    int help = strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0;
    l.command = help ? &command_help : command_find(words[0]);
    if (!l.command) return (puts("words"), EXIT_OK);
    size_t objective = find_objective(&l);
    if (objective == count - 1) return (puts("commands"), EXIT_OK);
    if (objective) return offer_files(&l);
    const arg_option *begun = find_begun(&l);
    if (begun) return offer_value(&l, begun);
    return words[count - 1][0] == '-' ? offer_options(&l) : offer_argument(&l);
}
