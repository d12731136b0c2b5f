/* step_line.h - a line that says how an evaluation is doing at a step, while it runs:
 *
 *     step 10 0.53
 *     {"step": 10, "value": 0.53}
 *     {"step": 10, "loss": 0.53}         by the name of the first objective
 *
 * The step is a whole number from 0 to 2^53, the value a finite number. Such a line is never a result. Where an output
 * has the name "step", an object with that key is a result, as of any output, and only the first form is a step. */
#ifndef STEP_LINE_H
#define STEP_LINE_H

#include <locbo/study.h>

typedef enum step_line {
    STEP_LINE_OTHER, /* it is no step, and is not meant as one */
    STEP_LINE_GOOD,
    STEP_LINE_BAD /* it is meant as a step, and is none: "step x y", "step 10 nan", {"step": 10, "value": NaN} */
} step_line;

/* One line, without its end. `outputs` NULL: one, called "value". */
step_line step_line_read(const locbo_outputs *outputs, const char *line, size_t size, locbo_step *step);

#endif
