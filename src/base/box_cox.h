/* box_cox.h - the Box-Cox transformation of a loss, continued to the whole line.
 *
 *     B(y) = (c^power - 1) / power,   c = (y - offset) / (low - offset),   between `low` and `high`;   log c if power
 * is 0
 *
 * and straight lines outside, with the derivatives at `low` and `high`: B maps the whole line onto itself, has a
 * continuous derivative and increases with the loss, so a result better than all others has a finite image. `low` is
 * the result of least loss, `high` that of greatest: offset < low < high when minimising, offset > low > high when
 * maximising, and the formula is the same. c is 1 at `low`: (c^power - 1) loses no digits whatever the unit of y is. */
#ifndef BOX_COX_H
#define BOX_COX_H

typedef struct box_cox {
    double power, offset, low, high;
} box_cox;

/* Whether there is a transformation: none if all fields are 0, or `low` or `high` is NAN. */
int box_cox_is_set(const box_cox *b);
/* Whether nothing overflows: the fields may come from a file. */
int box_cox_is_valid(const box_cox *b);

double box_cox_at(const box_cox *b, double y);
/* dB/dloss > 0 */
double box_cox_slope(const box_cox *b, double y);
/* The y with B(y) = t. */
double box_cox_inverse(const box_cox *b, double t);
/* Half the length of the inverse image of [t - sd, t + sd]. */
double box_cox_sd(const box_cox *b, double t, double sd);

#endif
