/* claims.h - verdicts on the claims of the paper, from the runs of an experiment. */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "sample.h"

typedef enum claim_verdict { CLAIM_REPRODUCED, CLAIM_NOT_REPRODUCED, CLAIM_UNDECIDED } claim_verdict;

enum { CLAIM_TEXT = 400 };

/* One assertion of a claim with the numbers that decide it. */
typedef struct claim_part {
    claim_verdict verdict;
    char text[CLAIM_TEXT]; /* "LOCBO below BO: mean difference -0.02 [-0.20, 0.15], p = 0.61" */
} claim_part;

typedef struct claim {
    int number;            /* 1 .. 9 */
    const char *says;      /* what the paper says, one line */
    claim_verdict verdict; /* reproduced if all parts are; not reproduced if one is not; otherwise undecided */
    size_t parts;
    claim_part *part;
} claim;

/* The verdict on the claim that belongs to this experiment; LOCBO_ERR_NOTHING: there is none. Release with
 * claim_release. */
locbo_status claim_judge(const plan *p, const results *r, claim *c, locbo_error *error);
void claim_release(claim *c);
const char *claim_verdict_text(claim_verdict verdict); /* "reproduced", "not reproduced", "undecided" */

#endif
