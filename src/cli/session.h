/* session.h - what nearly every subcommand begins and ends with: arguments, database, study, format; errors as exit
 * codes. */
#ifndef SESSION_H
#define SESSION_H

#include <locbo/study.h>

#include "args.h"
#include "message.h"
#include "output.h"
#include "status.h"

extern const arg_option session_options[]; /* --db URL, --name NAME */
extern const arg_option format_options[];  /* -f, --format FORMAT, --spreadsheet */
extern const arg_option change_options[];  /* -m, --why TEXT, --author NAME: of commands that change a study */

typedef struct session {
    const command *self;
    args args;
    output_format format; /* OUTPUT_TABLE unless -f says otherwise */
    int format_given;
    locbo_store *store;
    locbo_study *study; /* NULL if `study` was not asked for */
    locbo_definition definition;
    size_t dim;
    int code; /* what to return, when session_open returned 0 */
} session;

typedef enum session_need {
    SESSION_ARGS,  /* only the arguments */
    SESSION_STORE, /* and the database, which must be there */
    SESSION_STUDY  /* and the study: --name, or the only one */
} session_need;

/* Returns 1 if the subcommand continues; otherwise everything is released and s->code is to be returned. Positional
 * arguments: at least `least`, at most `most`. Read-only commands say so and never block a writer. */
int session_open(session *s, const command *self, int argc, char **argv, session_need need, int read_only, size_t least,
                 size_t most);
/* After a database was opened to be written: whose changes it gets, by --author or the user's name. */
locbo_status session_author(const session *s, locbo_store *store, locbo_error *error);
/* The database of --db, LOCBO_DB, or ./locbo.db, in this order. */
const char *session_url(const args *parsed);
/* The study as it is now, with its definition. */
locbo_status session_reread(session *s, locbo_error *error);
/* After LOCBO_ERR_CHANGED: the study was altered, and is read again. 0 after a message: s is then closed. */
int session_refresh(session *s);
/* Release all; returns `code`. */
int session_close(session *s, int code);
/* Report the error and release; returns the exit code for its status. */
int session_fail(session *s, const locbo_error *error);
/* The same for a mistake on the command line, exit code 2. */
int session_usage(session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The whole of a subcommand that needs the dashboard, in a program built without it. */
int session_no_dashboard(const command *self, int argc, char **argv);

/* A positive whole number (trial, count); 0 and a message otherwise. */
int session_count(session *s, const char *what, const char *text, uint64_t *count);
/* The positional arguments as numbers of trials that the study has, none of them twice. NULL after a message (s is then
 * closed); otherwise free with mem_free. */
uint64_t *session_trials(session *s, size_t *count);
/* A finite number; 0 and a message otherwise. */
int session_real(session *s, const char *what, const char *text, double *value);
/* `dim` values from the assignments NAME=VALUE of an option, or (`option` NULL) of the positional arguments; NAN where
 * there is none. NULL after a message (s is then closed). Free with mem_free. */
double *session_values(session *s, const char *option);
/* Whether it is a point: 1 if every active parameter has a value, no other has one, and the constraints hold;
 * otherwise 0 after a message (s is then closed). */
int session_check_values(session *s, const double *x);
/* Seconds, as duration_parse takes them; a delay may be 0. */
int session_duration(session *s, const char *what, const char *text, double *seconds);
int session_delay(session *s, const char *what, const char *text, double *seconds);

#endif
