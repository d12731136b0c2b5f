/* crowd.h - several clients at once on one study, while faults happen at random. */
#ifndef CROWD_H
#define CROWD_H

#include <stdint.h>
#include <stdio.h>

#include "faults.h"

typedef struct crowd_report {
    uint64_t calls, unsure;
    uint64_t lost, doubled, orphans, refused; /* all 0 if nothing is wrong */
} crowd_report;

/* Clients ask, tell, fail, requeue, enqueue and import for so many seconds. The caller makes the faults and ends them
 * before crowd_judge. */
typedef struct crowd crowd;
crowd *crowd_run(const fault_source *source, double seconds, uint64_t seed);
/* Compare what was answered with what the database has. Releases the crowd. */
crowd_report crowd_judge(crowd *clients, const fault_source *source);

#endif
