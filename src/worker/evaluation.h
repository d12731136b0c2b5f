/* evaluation.h - one trial being evaluated: its folder, its process, and its outcome. */
#ifndef EVALUATION_H
#define EVALUATION_H

#include <locbo/study.h>

#include "child.h"
#include "folder.h"
#include "result.h"

/* What all evaluations of a run have in common. */
typedef struct evaluation_setup {
    locbo_store *store;
    locbo_study *study;
    const locbo_space *space;
    const locbo_outputs *outputs; /* NULL: one, called "value" */
    size_t command_count;
    const char *const *command;
    const locbo_plan *plan;
    int pass_credentials; /* the objective gets the variables that credential.h names, too */
    const char *workdir;  /* folder to keep the trials' folders in; NULL: temporary ones */
    double grace;         /* seconds from SIGTERM to SIGKILL when one is ended */
} evaluation_setup;

typedef struct evaluation {
    int busy;
    locbo_assignment assignment;
    double *x;
    locbo_outputs *outputs; /* its own copy: the study may be altered while it runs; NULL: one, called "value" */
    child *process;
    folder folder;
    int doubted;                /* a heartbeat was refused: the caller shall see why */
    int dropped;                /* somebody has decided its trial otherwise: nothing is told */
    int pruned;                 /* ended early, by locbo_study_report: nothing is told */
    locbo_step *steps;          /* taken from the process, and not reported yet */
    size_t step_count, step_at; /* how many there are; how many of them have been reported */
    int mute;                   /* a report was refused: no more of this attempt */
    double next_report;         /* by the caller's clock */
    uint64_t token;             /* of the call that tells the outcome, which may have to be repeated */
    double next_beat;           /* by the caller's clock */
} evaluation;

/* Start the objective for e->assignment and e->x. LOCBO_ERR_NOT_FOUND, LOCBO_ERR_IO: it cannot be started at all. */
locbo_status evaluation_start(evaluation *e, const evaluation_setup *setup, locbo_error *error);
/* Whether there are steps to report. */
int evaluation_has_steps(const evaluation *e);
/* Report the steps that it has printed. If it is to end early its process is ended, as by child_end, and e->pruned is
 * set. LOCBO_ERR_STATE: another has the trial, as of a heartbeat; steps are then dropped. After another error the steps
 * stay, and are reported by the next call. */
locbo_status evaluation_report(evaluation *e, const evaluation_setup *setup, locbo_error *error);
/* After the process has ended: report its last steps, judge it, keep its output, tell. Of one that was ended early
 * nothing is told; one that had ended by itself before that has measured its value, which is kept. `judged` says what
 * it was; release it with outcome_release. A transient or lost one is queued again, or failed if it has been tried
 * often enough; judged->kind is the final kind. After an error e->busy is still set if it was not told; otherwise only
 * its output was not stored.
 */
locbo_status evaluation_finish(evaluation *e, const evaluation_setup *setup, outcome *judged, locbo_error *error);
/* How many numbers a row of its results has. */
size_t evaluation_width(const evaluation *e);
/* It was interrupted: queue it again. */
locbo_status evaluation_abandon(evaluation *e, const evaluation_setup *setup, locbo_error *error);
/* Ends the process if it runs, removes the folder if it is temporary; e->x stays. */
void evaluation_clear(evaluation *e);

#endif
