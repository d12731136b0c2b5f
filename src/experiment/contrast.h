/* contrast.h - two groups of runs compared, paired by seed. */
#ifndef CONTRAST_H
#define CONTRAST_H

#include "sample.h"

typedef enum contrast_measure {
    CONTRAST_FINAL,  /* final regret, or value, of the best observed point */
    CONTRAST_UNEVEN, /* widths.h, `uneven` */
    CONTRAST_NEAR,   /* widths.h, `near` */
    CONTRAST_ONE     /* 1 for every seed of the other side */
} contrast_measure;

enum { CONTRAST_WORD = 64 };

/* A group of runs: names separated by blanks. The number of a seed is the mean over all these methods and cases
 * (plan_source). */
typedef struct contrast_side {
    const char *methods, *cases;
    contrast_measure measure;
} contrast_side;

typedef struct contrast {
    size_t n;                         /* seeds that all named methods and cases have */
    double a, b;                      /* means over them */
    stats_interval difference, ratio; /* of the means, a - b and a / b: 95 % bootstrap */
    double p;                         /* Wilcoxon's signed ranks, two-sided */
    size_t capped;                    /* infinite intervals (widths.h) */
} contrast;

/* NANs and n = 0 if there is no such method, case or run. Only `b` may be CONTRAST_ONE. */
locbo_status contrast_make(const plan *p, const results *r, const contrast_side *a, const contrast_side *b,
                           contrast *made, locbo_error *error);

/* Name i of a list, from 0; returns 0 after the last. */
int contrast_word(const char *list, size_t i, char word[CONTRAST_WORD]);

#endif
