/* clients.h - several clients at once on one study, while faults happen at random. */
#ifndef CLIENTS_H
#define CLIENTS_H

#include <stdint.h>
#include <stdio.h>

#include "faults.h"

typedef struct clients_report {
    uint64_t calls, unsure;
    uint64_t lost, doubled, orphans, refused; /* all 0 if nothing is wrong */
} clients_report;

/* Clients ask, tell, fail, requeue, enqueue and import for so many seconds. The caller makes the faults and ends them
 * before clients_judge. */
typedef struct client_group client_group;
client_group *clients_run(const fault_source *source, double seconds, uint64_t seed);
/* Compare what was answered with what the database has. Releases the group. */
clients_report clients_judge(client_group *clients, const fault_source *source);

#endif
