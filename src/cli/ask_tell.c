/* ask_tell.c - trials evaluated by another program than locbo. Layer: cli, middle. */
#include "ask_tell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "value.h"

locbo_status ask_tell_lease(const char *text, double *seconds, locbo_error *error) {
    if (strcmp(text, "none") != 0) return duration_parse(text, 0, seconds, error);
    *seconds = (double)INFINITY;
    return status_ok(error);
}

void ask_tell_worker(char text[ASK_TELL_WORKER]) {
    char host[ASK_TELL_WORKER - 4] = "";
    if (gethostname(host, sizeof host - 1) != 0 || !host[0]) strcpy(host, "localhost");
    for (char *c = host; *c; c++) /* it is stored as UTF-8, and ':' would look like an identity */
        if (*c <= ' ' || *c == ':' || (unsigned char)*c >= 0x7f) *c = '-';
    snprintf(text, ASK_TELL_WORKER, "ask@%s", host);
}

locbo_status ask_tell_ask(locbo_study *study, const locbo_request *request, locbo_assignment *assignment, double *x,
                          locbo_error *error) {
    locbo_status status = locbo_study_ask(study, request, assignment, x, error);
    if (status != LOCBO_ERR_STOPPED && status != LOCBO_ERR_PAUSED) return status;
    locbo_error why = *error;
    return status_fail(error, LOCBO_ERR_NOTHING, "%.200s (%s lets it continue)", why.message,
                       status == LOCBO_ERR_PAUSED ? "locbo resume" : "locbo stop --undo");
}
