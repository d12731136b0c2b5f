/* transfer.h - the contents of another study, written to a new one. */
#ifndef TRANSFER_H
#define TRANSFER_H

#include "ledger.h"

/* Check all of it, before the transaction; `events` receives the last event number. */
locbo_status transfer_check(const locbo_space *space, const measured *table, const locbo_contents *contents,
                            uint64_t *events, locbo_error *error);
/* Inside the transaction that has created the study. */
locbo_status transfer_write(const locbo_study *study, const locbo_contents *contents, uint64_t events,
                            locbo_error *error);

#endif
