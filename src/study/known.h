/* known.h - the outcomes that a study already has, so that an import does not add them a second time. */
#ifndef KNOWN_H
#define KNOWN_H

#include "ledger.h"

typedef struct known {
    const locbo_study *study;
    size_t width;           /* numbers of a key: point, state, values of the measured outputs */
    size_t count, capacity; /* of keys */
    double *keys;
    size_t *next;  /* of each key: 1 + the next one of its bucket; 0: none */
    size_t *first; /* of each bucket: 1 + its first key; 0: none */
    size_t buckets;
    double *key;            /* workspace */
    size_t trials, current; /* trials that have ended, while they are read */
    size_t trial_capacity;
    uint64_t *number;
    double *x;
} known;

/* Inside a transaction: read what the study has. Release also after a failure. Cost: O(trials + results). */
locbo_status known_read(known *k, const locbo_study *study, locbo_error *error);
void known_release(known *k);
/* Whether there is an equal outcome: the same point and state, and for a result (`row`; NULL: none) the same values,
 * whatever sd and n. Each outcome of the study answers once, so that replicates with equal values are told apart. */
int known_take(known *k, const double *x, locbo_state state, const locbo_measurement *row);

#endif
