/* difference.h - what differs between two definitions of a study, and between two plans: a line for people of each
 * difference, and the arguments of `locbo alter` that make the one into the other.
 *
 *     x: float(0,1) -> float(0,2)                      -p 'x~float(0,2)'
 *     n: int(1,9) -> int(1,9) frozen=3                 --freeze n=3
 *     mode: cat(a,b) -> cat(a,b) retired=b             --retire mode=b
 *     rate: added, log(0.001,1) past=0.1               -p 'rate~log(0.001,1)' --past rate=0.1
 *     constraint a + b <= 1: added                     --constraint 'a + b <= 1'
 *     epochs: int(1,27) fidelity -> int(1,81) fidelity --fidelity 'epochs~int(1,81)'
 *     cost: measured -> epochs * n                     --cost 'epochs * n'
 *     output memory: <=512 -> <=400                    --output 'memory<=400'
 *     option alpha: 0.2 -> 0.1                         --set alpha=0.1
 *     command: ./sim {x} -> ./sim --x={x}              -- ./sim '--x={x}'
 *     timeout: none -> 600s                            --timeout 600s
 *
 * Parameters and outputs are compared by name, constraints by text, in any order. What only a person can say is the
 * word VALUE: that of a parameter that is no longer given (--freeze), or the past one of a new parameter. */
#ifndef DIFFERENCE_H
#define DIFFERENCE_H

#include <locbo/study.h>

#include "status.h"

typedef struct difference {
    size_t count;
    char **lines;
    size_t word_count;
    char **words; /* not quoted; the command, after "--", comes last */
    int open;     /* a word has VALUE in it */
    /* private */
    size_t line_room, word_room;
    int failed;
} difference;

/* `from` and `to` have their options. Both plans may be NULL: they are not compared. Targets are named by the outputs.
 * difference_release even after an error. */
locbo_status difference_find(const locbo_definition *from, const locbo_definition *to, const locbo_plan *plan_from,
                             const locbo_plan *plan_to, difference *d, locbo_error *error);
void difference_release(difference *d);

/* One text of the first `most` lines with `indent` before each and a line end after it; "and 3 more" for the others.
 * Free with mem_free; NULL: no memory. */
char *difference_text(const difference *d, const char *indent, size_t most);

/* The targets of a plan for other outputs, found by name: an output that is new, or only recorded, has none. */
void difference_move_targets(const locbo_outputs *from, const locbo_outputs *to, locbo_plan *plan);

#endif
