/* pause.c - stop, pause and resume: whether trials of a study are handed out. Layer: study, middle. */
#include <string.h>

#include "change.h"

/* A column of the study's row that says why no trial is handed out; NULL: they are. */
typedef struct barring {
    locbo_study *study;
    const char *column_sql;    /* its UPDATE */
    size_t column;             /* its place in the row of ledger_lock_study */
    const char *reason;        /* NULL: from now on trials are handed out */
    const char *why;           /* for the list of changes */
    locbo_change_kind kind[2]; /* when it begins, when it ends */
    int was, same;
} barring;

static locbo_status take_row(const store_value *columns, size_t count, void *user, locbo_error *error) {
    barring *b = user;
    const store_value *v = &columns[b->column];
    (void)count, (void)error;
    b->was = v->kind != STORE_NULL;
    b->same = b->was == (b->reason != NULL) && (!b->was || strcmp(store_as_text(v), b->reason) == 0);
    return LOCBO_OK;
}

static locbo_status bar(locbo_store *store, void *user, locbo_error *error) {
    barring *b = user;
    locbo_status status = ledger_lock_study(b->study, take_row, b, error);
    if (status != LOCBO_OK || b->same) return status;
    status = store_query(store, b->column_sql, VALUES(store_int(b->study->id), store_text(b->reason)), NULL, NULL, NULL,
                         error);
    if (status != LOCBO_OK) return status;
    return change_record(b->study, b->kind[b->reason == NULL], 0, b->why, NULL, error);
}

static locbo_status run(barring *b, const char *call, locbo_error *error) {
    if (!b->study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    token_call r = {.call = call, .study = b->study->id, .work = bar, .user = b};
    locbo_status status = token_begin(&r, b->study->store, error);
    if (status == LOCBO_OK) status = ledger_check_text("reason", b->why, error);
    return status == LOCBO_OK ? token_write(&r, b->study->store, error) : status;
}

enum { STOP_REASON = 4, PAUSED = 5 };

locbo_status locbo_study_stop(locbo_study *study, const char *reason, locbo_error *error) {
    barring b = {.study = study,
                 .column_sql = "UPDATE locbo_study SET stop_reason = $2 WHERE id = $1",
                 .column = STOP_REASON,
                 .reason = reason,
                 .why = reason,
                 .kind = {LOCBO_CHANGE_STOP, LOCBO_CHANGE_CONTINUE}};
    return run(&b, "stop", error);
}

static locbo_status set_paused(locbo_study *study, const char *reason, const char *why, const char *call,
                               locbo_error *error) {
    barring b = {.study = study,
                 .column_sql = "UPDATE locbo_study SET paused = $2 WHERE id = $1",
                 .column = PAUSED,
                 .reason = reason,
                 .why = why,
                 .kind = {LOCBO_CHANGE_PAUSE, LOCBO_CHANGE_RESUME}};
    return run(&b, call, error);
}

locbo_status locbo_study_pause(locbo_study *study, const char *why, locbo_error *error) {
    return set_paused(study, why ? why : "", why, "pause", error);
}

locbo_status locbo_study_resume(locbo_study *study, const char *why, locbo_error *error) {
    return set_paused(study, NULL, why, "resume", error);
}
