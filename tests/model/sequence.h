/* sequence.h - a sequence of operations on one study: random ones, their text form, and the shortest that still fails.
 */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#include <stdint.h>
#include <stdio.h>

#include "study_model.h"

/* What happens besides calls: kind, name, weight. */
#define SEQUENCE_OTHERS(X)                                                                                             \
    X(CLOCK, "clock", 10)   /* a step of the clock */                                                                  \
    X(CRASH, "crash", 3)    /* the worker begins anew and knows nothing of its trials */                               \
    X(REOPEN, "reopen", 2)  /* the worker closes and opens the database */                                             \
    X(REPEAT, "repeat", 10) /* the answer of the worker's last call was lost: it repeats the call */

typedef enum other_kind {
    OTHER_FIRST = CALL_KINDS - 1,
#define KIND(kind, name, weight) OTHER_##kind,
    SEQUENCE_OTHERS(KIND)
#undef KIND
        OTHER_END
} other_kind;

/* The numbers choose trial, attempt, lease, step and so on from what is possible when it is run (playback.c): so an
 * operation keeps a meaning when others are deleted. */
typedef struct operation {
    int kind; /* call_kind or other_kind */
    int worker;
    unsigned a, b, c; /* 0 .. 999 */
} operation;

enum { SEQUENCE_LENGTH = 200 };

typedef struct sequence {
    size_t count;
    operation operation[SEQUENCE_LENGTH];
} sequence;

void sequence_draw(sequence *s, uint64_t seed);
void sequence_print(const operation *o, char text[64]);
/* From lines that sequence_print wrote; what follows a '#' is ignored. Returns 0 if a line is not understood. */
int sequence_read(sequence *s, FILE *from);
/* Delete operations and make their numbers 0 while `fails` returns 1. */
typedef int sequence_fails_fn(const sequence *s, void *user);
void sequence_shrink(sequence *s, sequence_fails_fn *fails, void *user);

#endif
