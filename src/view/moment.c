/* moment.c - several reads as of one moment. Layer: view, tools. Cost: a snapshot of the database while they last. */
#include "moment.h"

enum { TRIES = 5 };

locbo_status moment_read(locbo_store *store, moment_fn *fn, void *user, locbo_error *error) {
    locbo_status status = LOCBO_ERR_BUSY;
    for (int i = 0; i < TRIES && status == LOCBO_ERR_BUSY; i++) {
        status = locbo_store_hold(store, error);
        if (status != LOCBO_OK) return status; /* it has waited already */
        status = fn(user, error);
        locbo_store_release(store);
    }
    return status;
}
