/* cmd_note.c - locbo note: a text and tags of a study or of trials. Layer: cli, top. */
#include "commands.h"

#include <inttypes.h>
#include <string.h>

#include "buffer.h"
#include "exit_code.h"
#include "json_build.h"
#include "mem.h"
#include "rows.h"
#include "session.h"
#include "words.h"

static const arg_option note_options[] = {{"text", 'm', "TEXT", "the note, in place of an earlier one; '' removes it"},
                                          {"tag", 0, "WORD,...", "add these tags (may be repeated)"},
                                          {"untag", 0, "WORD,...", "take these tags away (may be repeated)"},
                                          {"author", 0, "NAME", "who does it, for `locbo log` (USER@HOST)"},
                                          {NULL, 0, NULL, NULL}};

/* The note and the tags of a trial, or of the study (trial 0). */
typedef struct noted {
    uint64_t trial;
    char *note, *tags; /* mem_free */
} noted;

static void release(noted *n) {
    mem_free(n->note);
    mem_free(n->tags);
    n->note = n->tags = NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int take(const locbo_record *r, void *user) {
    noted *n = user;
    if (r->trial.id != n->trial) return 1;
    n->note = mem_text(r->note);
    n->tags = mem_text(r->tags);
    return 1;
}

static locbo_status read_study(session *s, noted *n, locbo_error *error) {
    char *note, *tags;
    locbo_status status = locbo_study_get_note(s->study, &note, &tags, error);
    if (status != LOCBO_OK) return status;
    n->note = mem_text(note);
    n->tags = mem_text(tags);
    locbo_free(note);
    locbo_free(tags);
    return LOCBO_OK;
}

static locbo_status read_note(session *s, uint64_t trial, noted *n, locbo_error *error) {
    locbo_filter one = {.struct_size = sizeof one, .first = trial, .limit = 1};
    *n = (noted){.trial = trial};
    locbo_status status = trial ? locbo_study_each(s->study, &one, take, n, error) : read_study(s, n, error);
    if (status == LOCBO_OK && (!n->note || !n->tags)) status = status_no_memory(error);
    if (status != LOCBO_OK) release(n);
    return status;
}

static json_t *row_of(const noted *n, output_format format) {
    json_t *row = json_object();
    int bad = build_put(row, "trial", n->trial ? build_count(n->trial) : json_null());
    bad |= build_put(row, "note",
                     n->note[0]              ? rows_text(n->note)
                     : format == OUTPUT_JSON ? json_null()
                                             : json_string(""));
    bad |= build_put(row, "tags", format == OUTPUT_JSON ? rows_tags(n->tags) : rows_text(n->tags));
    return build_finish(row, bad);
}

static int print(session *s, size_t count, const uint64_t *trials) {
    locbo_error error;
    locbo_status status = LOCBO_OK;
    static const char *const names[] = {"trial", "note", "tags"};
    int single = count == 1 && s->format != OUTPUT_CSV;
    output *o = output_open(s->format, single);
    output_columns(o, 3, names);
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
        noted n;
        status = read_note(s, trials[i], &n, &error);
        if (status == LOCBO_OK && !output_row(o, row_of(&n, s->format))) status = status_no_memory(&error);
        release(&n);
    }
    int written = output_close(o);
    if (status != LOCBO_OK) return session_fail(s, &error);
    return session_close(s, written ? EXIT_OK : EXIT_RUNTIME);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Whether one of the words of `list`, which blanks and commas separate, is this one. */
static int has_word(const char *list, const char *word, size_t size) {
    for (list += strspn(list, " ,"); *list; list += strspn(list, " ,")) {
        size_t length = strcspn(list, " ,");
        if (length == size && memcmp(list, word, size) == 0) return 1;
        list += length;
    }
    return 0;
}

static int is_taken(const args *a, const char *word, size_t size) {
    for (size_t i = 0; i < a->count; i++)
        if (a->items[i].option && strcmp(a->items[i].option->name, "untag") == 0 &&
            has_word(a->items[i].value, word, size))
            return 1;
    return 0;
}

/* The words of a list that --untag does not name. */
static void keep_words(buffer *b, const args *a, const char *list) {
    for (list += strspn(list, " ,"); *list; list += strspn(list, " ,")) {
        size_t length = strcspn(list, " ,");
        if (!is_taken(a, list, length)) {
            if (b->size) buffer_char(b, ' ', 1);
            buffer_add(b, list, length);
        }
        list += length;
    }
}

/* The tags as they shall be: those that are there, and --tag, without --untag. */
static locbo_status make_tags(session *s, const char *before, buffer *b, locbo_error *error) {
    keep_words(b, &s->args, before);
    for (size_t i = 0; i < s->args.count; i++) {
        const arg *a = &s->args.items[i];
        if (a->option && strcmp(a->option->name, "tag") == 0) keep_words(b, &s->args, a->value);
    }
    buffer_char(b, '\0', 1);
    return b->failed ? status_no_memory(error) : LOCBO_OK;
}

static locbo_status write_note(session *s, uint64_t trial, locbo_error *error) {
    noted n = {.trial = trial};
    buffer tags = {0};
    int tagged = args_get(&s->args, "tag") || args_get(&s->args, "untag");
    locbo_status status = tagged ? read_note(s, trial, &n, error) : LOCBO_OK;
    if (tagged && status == LOCBO_OK) status = make_tags(s, n.tags, &tags, error);
    if (status == LOCBO_OK)
        status = locbo_study_note(s->study, trial, args_get(&s->args, "text"), tagged ? tags.data : NULL, error);
    release(&n);
    mem_free(tags.data);
    return status;
}

static int note_all(session *s, size_t count, const uint64_t *trials) {
    locbo_error error;
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
        status = write_note(s, trials[i], &error);
        if (status != LOCBO_OK) break;
        if (trials[i])
            message_print(s->self->name, 0, "noted for trial %" PRIu64, trials[i]);
        else
            message_print(s->self->name, 0, "noted for the study '%s'", locbo_study_name(s->study));
    }
    return status == LOCBO_OK ? session_close(s, EXIT_OK) : session_fail(s, &error);
}

/* ---- the subcommand -------------------------------------------------------------------------- */

/* Whether something is to be written: otherwise the database is opened to be read. */
static int writes(const args *a) { return args_get(a, "text") || args_get(a, "tag") || args_get(a, "untag"); }

/* Tags that are no words are a mistake, probably of a script. */
static int check_words(session *s) {
    for (size_t i = 0; i < s->args.count; i++) {
        const arg *a = &s->args.items[i];
        const char *name = a->option ? a->option->name : "";
        if (strcmp(name, "tag") != 0 && strcmp(name, "untag") != 0) continue;
        if (!a->value[strspn(a->value, " ,")])
            return (session_usage(s, "--%s must have at least one word, got '%s'", name, a->value), 0);
    }
    return 1;
}

static int run(const command *self, int argc, char **argv) {
    session s;
    size_t count;
    static const uint64_t study[] = {0};
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 1, 0, SIZE_MAX)) return s.code;
    if (!check_words(&s)) return s.code;
    int writing = writes(&s.args);
    if (writing && s.format_given)
        return session_usage(&s, "--format is for printing, without --text, --tag and --untag");
    session_close(&s, EXIT_OK);
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, !writing, 0, SIZE_MAX)) return s.code;
    uint64_t *trials = session_trials(&s, &count);
    if (!trials) return s.code;
    const uint64_t *which = count ? trials : study;
    if (!count) count = 1;
    int code = writing ? note_all(&s, count, which) : print(&s, count, which);
    mem_free(trials);
    return code;
}

const command command_note = {
    .name = "note",
    .summary = "a note and tags of a study or of trials",
    .usage = "[TRIAL...] [-m TEXT] [--tag WORD,...] [--untag WORD,...] | [TRIAL...] [-f table|json|csv]",
    .description = "Sets a note, a text of any kind, and tags, single words, of the study or, with numbers, of trials. "
                   "They mean nothing to the optimizer. `locbo trials --tag WORD` lists the trials with a tag; "
                   "`locbo status`, `show` and the dashboard show them. Without -m, --tag and --untag it prints them.",
    .examples = "    $ locbo note -m 'second pump, new bearings'\n"
                "    $ locbo note 17 18 --tag noisy,rerun -m 'the fan was on'\n"
                "    $ locbo note 17 --untag rerun\n"
                "    $ locbo trials --tag noisy\n",
    .options = (const arg_option *const[]){session_options, format_options, note_options, NULL},
    .run = run,
};
