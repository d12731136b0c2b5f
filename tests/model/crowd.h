/* crowd.h - several processes work on one study at the same time, are paused and killed; each call is logged in memory
 * that survives its process; afterwards the log must explain what the database holds. */
#ifndef CROWD_H
#define CROWD_H

#include "database.h"

enum { CROWD_PROCESSES = 5, CROWD_RECORDS = 2000, CROWD_STRIDE = 8 };

typedef struct crowd_record {
    model_call call;
    model_answer answer;
    uint64_t token, repeats;
    volatile double begin, end; /* monotonic seconds; end 0: no answer, the process was killed */
} crowd_record;

typedef struct crowd_log {
    volatile size_t count;
    crowd_record record[CROWD_RECORDS];
    char trouble[DATABASE_WHY]; /* an answer that no call may have */
} crowd_log;

typedef struct crowd_figures {
    uint64_t rounds, calls, kills, pauses, clock_steps, repeats, lost, doubled;
    double longest; /* seconds that a call took, from its first beginning to its answer */
    call_kind longest_kind;
    uint64_t skipped; /* trials with more calls than explain.c takes */
} crowd_figures;

/* The number of record `index` of process `process`: its values, its message and its point are made of it. */
static inline int crowd_number(size_t process, size_t index) {
    return (int)((process * CROWD_RECORDS + index + 1) * CROWD_STRIDE);
}
static inline double crowd_point(int number) { return (double)number / (1 << 20); }

/* One round of about `seconds`. Returns 0 if all is explained; otherwise 1, and it is printed. */
int crowd_run(uint64_t seed, double seconds, crowd_figures *figures);

/* history.c: whether the logs explain what the database holds; prints what is not explained. */
int history_check(connection *c, const crowd_log *logs, uint64_t lost_limit, crowd_figures *figures);

#endif
