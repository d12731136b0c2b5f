/* claim_table.h - the claims as data: which runs must compare how, in every figure of the paper.
 *
 * What is compared: the final regret, or value, of the best observed point (eq:simple_regret),
 * method with method or case with case, paired by seed. Where several methods or cases are named, a
 * seed counts with its mean over them. Intervals are 95 % bootstrap intervals of means or of ratios
 * of means; p-values are Wilcoxon's, two-sided, corrected by Holm over all tests of a claim
 * (intervals are not). Better is smaller for regrets and widths, larger for values. A relevant
 * difference is 10 % of a regret or width, 5 % of a value (the paper's least gain there is 10 %).
 * Fewer than 10 common seeds decide nothing; what has no runs is undecided, and says so.
 *
 *   BETTER    a is better than b. Reproduced: p < 0.05, and the interval of the mean difference
 *             lies wholly on the claimed side, however small the difference. Not reproduced:
 *             p < 0.05, and it lies wholly on the other side; or the interval of the ratio lies
 *             within 1 -+ a relevant difference. So what ranks and mean do not agree on is
 *             undecided, unless it is small.
 *   BEST      a is better than each of b. Reproduced: than all. Not reproduced: not than one.
 *   UNBEATEN  none of b is better than a. Not reproduced: one is, with p and interval as above.
 *             Reproduced: no interval of a ratio leaves room for it by a relevant difference. It
 *             stands where the paper calls some of b similar, or says that they do not improve.
 *   SIMILAR   the interval of the ratio lies within 1/(1 + margin) .. 1 + margin: reproduced;
 *             wholly outside: not.
 *   STEADY    the same for each pair of cases of a. Reproduced: all are similar. Not reproduced:
 *             one pair is not.
 *   BELOW     a / b is below a limit. The interval wholly below: reproduced; wholly above: not.
 *   GAIN      a / b is about 1 + gain. Reproduced: the interval above 1, the ratio at least
 *             1 + gain/2. Not reproduced: the upper end below 1 + gain/2.
 *   EVEN      the coefficient of variation of the widths, mean over the seeds. The interval below
 *             0.15: reproduced; above 0.25: not.
 *   EVERY_RUN   a bound for every sequence. Not reproduced: one run breaks it at a recorded round.
 *   ON_AVERAGE  a bound on a probability: the mean over the seeds minus the bound, case by case.
 *             Reproduced: all intervals at 0 or above. Not reproduced: one wholly below 0. (Of
 *             Theorem 1 the strictest event is recorded, epsilon = 1: that it fails refutes
 *             nothing, and is undecided.) */
#ifndef CLAIM_TABLE_H
#define CLAIM_TABLE_H

#include "contrast.h"

typedef enum claim_kind {
    CLAIM_BETTER,
    CLAIM_BEST,
    CLAIM_UNBEATEN,
    CLAIM_SIMILAR,
    CLAIM_STEADY,
    CLAIM_BELOW,
    CLAIM_GAIN,
    CLAIM_EVEN,
    CLAIM_EVERY_RUN,
    CLAIM_ON_AVERAGE
} claim_kind;

typedef struct claim_assertion {
    claim_kind kind;
    contrast_side a, b;
    double number;        /* margin, limit or gain */
    const char *law;      /* which guarantee */
    sample_column column; /* CLAIM_ON_AVERAGE: of what */
} claim_assertion;

typedef struct claim_entry {
    const char *experiment, *says;
    size_t count;
    const claim_assertion *assertion;
} claim_entry;

/* Claim 1, 2 .. in this order; the last has no experiment (NULL). */
extern const claim_entry claim_table[];

#endif
