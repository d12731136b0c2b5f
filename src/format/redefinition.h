/* redefinition.h - the definition that a study is to have, from the one it has and from what is wanted: another
 * definition as a whole, as that of a study file, or single changes.
 *
 * A definition as a whole: parameters are found by their names, and keep the order of the study. One that is not given
 * must be frozen (the study's own, or by a change); otherwise it is `missing`. An output that is not given is only
 * recorded from now on. Constraints are those given. An option that was added to locbo after the study was created
 * keeps its value unless another than the default is given. Without a command the study's stays. */
#ifndef REDEFINITION_H
#define REDEFINITION_H

#include <locbo/study.h>

#include "status.h"

typedef enum redefinition_kind {
    ALTER_PARAMETER,     /* NAME~DIST: another range, or one more parameter */
    ALTER_PAST,          /* NAME=VALUE */
    ALTER_FREEZE,        /* NAME=VALUE */
    ALTER_UNFREEZE,      /* NAME */
    ALTER_RETIRE,        /* NAME=CATEGORY */
    ALTER_UNRETIRE,      /* NAME=CATEGORY */
    ALTER_CONSTRAINT,    /* EXPRESSION: one more */
    ALTER_NO_CONSTRAINT, /* EXPRESSION: one less, by its text */
    ALTER_OUTPUT,        /* NAME~GOAL: changed, or one more */
    ALTER_FIDELITY,      /* NAME~DIST or NAME: the fidelity parameter; none: there is none */
    ALTER_COST,          /* EXPRESSION: the cost of an evaluation; none: it is measured */
    ALTER_KINDS
} redefinition_kind;

/* As the program names it: "--param", "--past" ... */
const char *redefinition_option(redefinition_kind kind);

typedef struct redefinition_edit {
    redefinition_kind kind;
    const char *text;
} redefinition_edit;

typedef struct redefinition {
    locbo_definition definition; /* pointers into what follows, and into the definitions given */
    const char *missing;         /* a parameter that `definition` lacks, in the study's space; NULL: none */
    const char *pastless;        /* a new parameter without a past value, in `space`; NULL: none */
    locbo_space *space;
    locbo_outputs *outputs;
    locbo_options options;
} redefinition;

/* `given` NULL: as the study is, but for the changes. With it there are no changes of the kinds PARAMETER, CONSTRAINT,
 * NO_CONSTRAINT, OUTPUT, FIDELITY and COST. Errors name the change, as "--freeze x=3: ...". LOCBO_ERR_STATE: the study
 * has a table of outputs, and none is given. redefinition_release even after an error. */
locbo_status redefinition_make(redefinition *a, const locbo_definition *study, const locbo_definition *given,
                               size_t count, const redefinition_edit *edits, locbo_error *error);
void redefinition_release(redefinition *a);

#endif
