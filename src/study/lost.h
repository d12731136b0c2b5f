/* lost.h - trials whose worker was lost. */
#ifndef LOST_H
#define LOST_H

#include "ledger.h"

/* A condition of trials: the lease has ended. */
#define LOST_EXPIRED "state = 'RUNNING' AND lease < {now}"
/* The lease, or the pause before a retry, lies further ahead than it is long: the clock was set back. */
#define LOST_IS_AHEAD "lease_length >= 0 AND lease > {now} + lease_length + 1"
#define LOST_AHEAD "state IN ('RUNNING', 'WAITING') AND " LOST_IS_AHEAD

/* Inside a transaction: trials whose lease has ended wait again, or have failed if that happened too often; leases that
 * lie too far ahead begin now. `requeued` (may be NULL): how many wait again. */
locbo_status lost_expire(locbo_study *study, uint64_t *requeued, locbo_error *error);

#endif
