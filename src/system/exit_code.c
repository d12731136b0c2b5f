/* exit_code.c - which error ends the program with which code. Layer: system. */
#include "exit_code.h"

int exit_code_of(locbo_status status) {
    switch (status) {
    case LOCBO_OK:
        return EXIT_OK;
    case LOCBO_ERR_ARGUMENT:
        return EXIT_USAGE;
    case LOCBO_ERR_NOT_FOUND:
        return EXIT_NOT_FOUND;
    case LOCBO_ERR_NOTHING:
    case LOCBO_ERR_PAUSED:
        return EXIT_NOTHING;
    case LOCBO_ERR_BUSY:
        return EXIT_BUSY;
    case LOCBO_ERR_SCHEMA:
        return EXIT_SCHEMA;
    case LOCBO_ERR_FORMAT:
        return EXIT_STUDY_FILE;
    case LOCBO_ERR_CANCELLED:
        return EXIT_INTERRUPTED;
    case LOCBO_ERR_MEMORY:
    case LOCBO_ERR_STATE:
    case LOCBO_ERR_NUMERIC:
    case LOCBO_ERR_STOPPED:
    case LOCBO_ERR_CHANGED:
    case LOCBO_ERR_IO:
        break;
    }
    return EXIT_RUNTIME;
}
