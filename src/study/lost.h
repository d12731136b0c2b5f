/* lost.h - trials whose worker was lost. */
#ifndef LOST_H
#define LOST_H

#include "ledger.h"

/* A condition of trials that run or wait: the lease, or the pause before a retry, lies further ahead than it is long,
 * because the clock was set back. */
#define LOST_AHEAD "lease_length >= 0 AND lease > {now} + lease_length + 1"

/* Inside a transaction: trials whose lease has ended wait again, or have failed if that happened too often; leases that
 * lie too far ahead begin now. `requeued` (may be NULL): how many wait again. */
locbo_status lost_expire(locbo_study *study, uint64_t *requeued, locbo_error *error);

#endif
