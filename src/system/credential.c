/* credential.c - which variables of the environment are credentials of the database. Layer: system. */
#include "credential.h"

#include <string.h>

#include "mem.h"

/* Not here: addresses and names (PGHOST, PGUSER), and what other programs need as well (KRB5CCNAME). PGSYSCONFDIR is
 * where the service file of all users is, which may have passwords. */
static const char *const NAMES[] = {"LOCBO_DB",     "PGPASSWORD", "PGPASSFILE", "PGSERVICE",    "PGSERVICEFILE",
                                    "PGSYSCONFDIR", "PGSSLCERT",  "PGSSLKEY",   "PGSSLPASSWORD"};

static int is_credential(const char *entry) {
    size_t size = strcspn(entry, "=");
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strlen(NAMES[i]) == size && memcmp(entry, NAMES[i], size) == 0) return 1;
    return 0;
}

char **credential_strip(char *const *environment) {
    size_t count = 0, kept = 0;
    while (environment[count]) count++;
    char **list = mem_new(count + 1, sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        if (!is_credential(environment[i])) list[kept++] = environment[i];
    return list;
}
