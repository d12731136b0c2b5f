/* version.c - the library's version, its status codes as text, and the release of memory that it gave to the
 * caller. Layer: core, bottom. */
#include <locbo/locbo.h>

#include "mem.h"

const char *locbo_status_text(locbo_status status) {
    switch (status) {
#define LOCBO_STATUS_TEXT(name, value, text)                                                                           \
    case name:                                                                                                         \
        return text;
        LOCBO_STATUS_LIST(LOCBO_STATUS_TEXT)
#undef LOCBO_STATUS_TEXT
    }
    return "unknown status";
}

const char *locbo_version(void) {
#define TEXT_OF(x) #x
#define VERSION_TEXT(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)
    return VERSION_TEXT(LOCBO_VERSION_MAJOR, LOCBO_VERSION_MINOR, LOCBO_VERSION_PATCH);
}

void locbo_free(void *memory) { mem_free(memory); }
