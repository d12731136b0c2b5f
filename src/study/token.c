/* token.c - a call that writes, done once however often it is repeated. Layer: study. */
#include "token.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "mem.h"

enum { WEEK = 7 * 24 * 3600, TIDY = 100, NUMBER_SIZE = 21 };

/* "[17,1]" */
static char *write_answer(const token_call *r) {
    size_t size = r->count * NUMBER_SIZE + 3, used = 1;
    char *text = mem_new(size, 1);
    if (!text) return NULL;
    text[0] = '[';
    for (size_t i = 0; i < r->count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64, i ? "," : "", r->answer[i]);
    text[used] = ']';
    return text;
}

static void read_answer(token_call *r, const char *text) {
    r->count = 0;
    for (text += strcspn(text, "0123456789"); *text && r->count < r->most; text += strcspn(text, "0123456789")) {
        char *end;
        r->answer[r->count++] = strtoull(text, &end, 10);
        text = end;
    }
}

static locbo_status take_call(const store_value *columns, size_t count, void *user, locbo_error *error) {
    token_call *r = user;
    (void)count;
    if (store_as_int(&columns[0]) != r->study || strcmp(store_as_text(&columns[1]), r->call) != 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "token %" PRIu64 " was used by another call: %s", r->token,
                           store_as_text(&columns[1]));
    read_answer(r, store_as_text(&columns[2]));
    r->repeated = 1;
    return LOCBO_OK;
}

/* Store the token; if it is there, an earlier try was committed: read its answer. */
static locbo_status store_first(locbo_store *store, token_call *r, locbo_error *error) {
    uint64_t stored = 0;
    locbo_status status = store_query(store,
                                      "INSERT INTO locbo_request (token, study, call, answer, time)"
                                      " VALUES ($1, $2, $3, '', {now}) ON CONFLICT (token) DO NOTHING",
                                      VALUES(store_count(r->token), store_int(r->study), store_text(r->call)), NULL,
                                      NULL, &stored, error);
    if (status == LOCBO_OK && stored == 0)
        status = store_query(store, "SELECT study, call, answer FROM locbo_request WHERE token = $1",
                             VALUES(store_count(r->token)), take_call, r, NULL, error);
    if (status == LOCBO_OK) store_set_sure(store);
    return status;
}

static locbo_status store_answer(locbo_store *store, const token_call *r, int is_stored, locbo_error *error) {
    static const char *const sql[] = {
        "INSERT INTO locbo_request (token, study, call, answer, time) VALUES ($1, $2, $3, $4, {now})",
        "UPDATE locbo_request SET answer = $4 WHERE token = $1 AND study = $2 AND call = $3"};
    char *answer = write_answer(r);
    if (!answer) return status_no_memory(error);
    locbo_status status =
        store_query(store, sql[is_stored],
                    VALUES(store_count(r->token), store_int(r->study), store_text(r->call), store_text(answer)), NULL,
                    NULL, NULL, error);
    mem_free(answer);
    return status;
}

/* Now and then delete what is older than a week: by chance once in TIDY calls, which many processes need not agree on.
 */
static locbo_status tidy(locbo_store *store, const token_call *r, locbo_error *error) {
    if (r->token % TIDY != 0) return LOCBO_OK;
    return store_query(store,
                       "DELETE FROM locbo_request WHERE token IN (SELECT token FROM locbo_request"
                       " WHERE time < {now} - $1 ORDER BY time LIMIT 1000{skip})",
                       VALUES(store_real(WEEK)), NULL, NULL, NULL, error);
}

static locbo_status work(locbo_store *store, void *user, locbo_error *error) {
    token_call *r = user;
    int first = r->given || r->most == 0 || store_is_unsure(store); /* without an answer it need not come last */
    locbo_status status = LOCBO_OK;
    r->repeated = r->nothing = 0;
    r->count = 0;
    if (first) status = store_first(store, r, error);
    if (status != LOCBO_OK || r->repeated) return status;
    status = r->work(store, r->user, error);
    if (status != LOCBO_OK || (r->nothing && !first)) return status;
    if (r->nothing)
        return store_query(store, "DELETE FROM locbo_request WHERE token = $1", VALUES(store_count(r->token)), NULL,
                           NULL, NULL, error);
    if (!first || r->count > 0) status = store_answer(store, r, first, error);
    return status == LOCBO_OK ? tidy(store, r, error) : status;
}

locbo_status locbo_token_draw(uint64_t *token, locbo_error *error) {
    if (!token) return status_fail(error, LOCBO_ERR_ARGUMENT, "token must not be NULL");
    do
        if (getrandom(token, sizeof *token, 0) != (ssize_t)sizeof *token)
            return status_fail(error, LOCBO_ERR_IO, "the system has no random numbers");
    while (*token == 0);
    return status_ok(error);
}

locbo_status token_begin(token_call *r, locbo_store *store, locbo_error *error) {
    r->token = store_take_token(store);
    r->given = r->token != 0;
    return r->given ? LOCBO_OK : locbo_token_draw(&r->token, error);
}

locbo_status token_write(token_call *r, locbo_store *store, locbo_error *error) {
    locbo_error why = {LOCBO_OK, ""};
    locbo_status status = store_write(store, work, r, &why);
    if (status == LOCBO_OK) return status_ok(error);
    if (store_is_unsure(store))
        return status_fail(error, status, "%.190s; it is not known whether this was stored", why.message);
    return status_fail(error, status, "%s", why.message);
}
