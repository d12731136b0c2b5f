/* faults.h - where faults come from: a network (PostgreSQL through a proxy) or a disk (SQLite, whose system calls
 * fail). */
#ifndef FAULTS_H
#define FAULTS_H

#include <locbo/study.h>
#include <stddef.h>

#include "record.h"

typedef struct fault_source {
    const char *title;
    const char *const *names; /* of the faults */
    size_t count;
    const char *url, *blank;      /* a database, and an empty one, with faults */
    locbo_store *(*direct)(void); /* the database without faults; belongs to the source */
    /* Make the fault at the step-th message or system call from now on; 0: none. */
    void (*arm)(size_t step, size_t fault);
    void (*arm_random)(uint64_t seed); /* a few faults anywhere */
    void (*arm_often)(uint64_t seed);  /* now and then, for all threads and without an end; NULL: it cannot */
    /* No more faults. Returns a letter for each step: 'C' where a commit is. */
    const char *(*disarm)(void);
    void (*settle)(void);             /* wait for what is late; NULL: nothing is */
    int (*has_no_step)(size_t fault); /* it lasts from the beginning of the call; NULL: none */
    void (*clear_blank)(void);
    char *(*look_blank)(void);                    /* what the empty database has become, as a text; released by free */
    char *(*look_after_crash)(record_sums *sums); /* the database as after a loss of power now; NULL: the same */
    /* Whether a test makes this fault at a step of this kind; `full`: a long test; `brief`: of a call that reads, or
     * has no patience. */
    int (*is_wanted)(size_t fault, char kind, int full, int brief);
    void (*close)(void);
} fault_source;

const fault_source *fault_network(void);
const fault_source *fault_disk(void);

#endif
