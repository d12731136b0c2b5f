/* progress.h - how far a run is, on standard error: one line drawn again and again on a terminal, plain lines (at most
 * one every few seconds, and one for each new best value) elsewhere, nothing if quiet. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdint.h>

typedef struct progress progress;

typedef struct progress_state {
    uint64_t done,
        total; /* trials complete or ended early, or with a budget of evaluations those that ended; total 0: unknown */
    uint64_t ended, budget; /* of a budget of evaluations beside that of trials; budget 0: there is none */
    double cost, most_cost; /* what evaluations have cost, of a budget of that; most_cost 0: there is none */
    double time_left;       /* seconds until no trial is started any more; 0: no limit */
    uint64_t running, failed, infeasible, pruned;
    uint64_t results; /* if there are constraints; without a best one none of them keeps to these */
    double best;      /* NAN: none yet */
    uint64_t best_trial;
    uint64_t best_count;     /* of how many results `best` is the mean */
    uint64_t objectives;     /* several have a front in place of a best value */
    uint64_t points;         /* of the front */
    double volume;           /* the hypervolume; NAN: not known yet */
    uint64_t since_front;    /* trials completed since the front improved */
    double coverage, target; /* NAN: none yet */
    double coverage_most;    /* of several outputs `coverage` is the smallest and this the largest; otherwise NAN */
} progress_state;

progress *progress_open(int quiet);
/* New numbers. Rate and time left come from the calls themselves: completed trials since progress_open. */
void progress_update(progress *p, const progress_state *state);
/* A message for people, on a line of its own, the bar below it kept whole. */
void progress_say(progress *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The last state stays on the screen; releases. */
void progress_close(progress *p);

#endif
