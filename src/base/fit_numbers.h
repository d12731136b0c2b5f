/* fit_numbers.h - the scale of a fit (warp.h) and the candidates that it was chosen from as a list of numbers, for
 * snapshots and the database:
 *
 *     power, offset, low, high, chosen, and for each candidate
 *     law, score, shift, spread, power, offset, low, high, count of theta, theta
 *
 * An affine scale has four zeros. The list is empty if there is neither: older files have none. */
#ifndef FIT_NUMBERS_H
#define FIT_NUMBERS_H

#include <locbo/locbo.h>

enum { FIT_MEMBERS = 8 }; /* at most */

/* The length of the list. */
size_t fit_numbers_count(const locbo_fit *fit);
void fit_numbers_write(const locbo_fit *fit, double *numbers);
/* Fill in the fields of `fit` that the list has; the candidates are in `members`, their theta in `numbers`. Returns 0
 * if it is not such a list; what the numbers say is checked by locbo_optimizer_restore_fit. */
int fit_numbers_read(size_t n, const double *numbers, locbo_fit *fit, locbo_member members[FIT_MEMBERS]);

#endif
