/* early.h - what the rule that ends evaluations early knows of a study: complete curves, the incumbent, tau. It is
 * replayed from the facts, and an open study keeps it: only what has happened since is read. */
#ifndef EARLY_H
#define EARLY_H

#include "hopeless.h"
#include "ledger.h"

typedef struct early {
    /* the study, when it was last read */
    char *plan_text;
    locbo_plan plan;
    uint64_t events, retraction, trials;
    uint64_t since; /* the event since which the plan has its rule; 0: always */
    double sign;    /* -1: smaller is better */
    /* of each trial, by number */
    size_t room;
    unsigned char *flags;
    double *kept;          /* the incumbent of its decision, if it was kept */
    double *mean, *weight; /* of its results: of each output */
    /* complete curves, larger is better; the oldest is replaced */
    size_t curve_count, next_curve;
    uint64_t owner[HOPELESS_CURVES];
    hopeless_curve curves[HOPELESS_CURVES];
    hopeless_set set;
    double incumbent; /* larger is better; NAN: none */
    hopeless_risk risk;
    uint64_t kept_beat; /* of all, whenever the plan got its rule */
    /* best values so far of running attempts, for the rule of the median */
    struct early_best {
        uint64_t trial, attempt, step;
        double value;
    } best[64];
} early;

/* Inside a transaction: bring study->early up to date. `rule` receives the rule that applies: none in a study with
 * several objectives, or if it was altered since it was opened. */
locbo_status early_update(locbo_study *study, locbo_prune *rule, locbo_error *error);
void early_release(early *e);
/* Inside a transaction: whether the trial is at full fidelity, as all are in a space without such a parameter. Others
 * are never ended. */
locbo_status early_is_full(const locbo_study *study, uint64_t trial, int *full, locbo_error *error);

#endif
