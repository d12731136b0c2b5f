/* exit_code.h - how locbo ends. The manual page locbo(1) lists the same. */
#ifndef EXIT_CODE_H
#define EXIT_CODE_H

#include "status.h"

enum {
    EXIT_OK = 0,
    EXIT_RUNTIME = 1,      /* any other error */
    EXIT_USAGE = 2,        /* the command line */
    EXIT_NOT_FOUND = 3,    /* no such database, study, trial */
    EXIT_NOTHING = 4,      /* nothing to do: the study is finished, none waits */
    EXIT_BUSY = 5,         /* the database is busy or cannot be reached */
    EXIT_SCHEMA = 6,       /* not a locbo database, or one of another version */
    EXIT_FAILURES = 7,     /* too many failures of the objective in a row */
    EXIT_STUDY_FILE = 8,   /* the study file, or that of an experiment */
    EXIT_INTERRUPTED = 130 /* Ctrl-C, or a computation was cancelled; the state is saved */
};

/* The code for an error that none of the above names otherwise. */
int exit_code_of(locbo_status status);

#endif
