/* moment.h - several reads of a database as of one moment, begun again if the connection is lost meanwhile. */
#ifndef MOMENT_H
#define MOMENT_H

#include <locbo/study.h>

/* What is read. It may be called again, so it must reset its outputs first. A study that was opened before needs
 * locbo_study_refresh first; what is opened inside does not. */
typedef locbo_status moment_fn(void *user, locbo_error *error);

/* Hold the store, read, release it. LOCBO_ERR_BUSY after a few lost connections, too. */
locbo_status moment_read(locbo_store *store, moment_fn *fn, void *user, locbo_error *error);

#endif
