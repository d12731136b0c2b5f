/* credential.h - the environment without passwords of the database, for programs that others wrote. */
#ifndef CREDENTIAL_H
#define CREDENTIAL_H

/* A list of the entries of `environment` (NULL-terminated "NAME=VALUE") that are no credentials: LOCBO_DB, and what
 * libpq reads that is one or says where one is. The entries themselves belong to `environment`. Release with mem_free;
 * NULL without memory. */
char **credential_strip(char *const *environment);

#endif
