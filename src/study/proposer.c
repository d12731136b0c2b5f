/* proposer.c - one process at a time computes a proposal of a study. Layer: study, middle.
 *
 * The proposer is stored under the identity of its process, for a short time, and renews that while it computes. Others
 * take over when it was not renewed, when it lies further ahead than it is long (the clock was set back), or when they
 * see that the process is dead, which they can on the same machine. */
#include <math.h>
#include <string.h>

#include "ask.h"
#include "clock.h"

/* The most rows that a model of n results has, by the documentation of exact_rows. */
static double most_rows(const locbo_options *o, double n) {
    int limited = o->exact_rows > 0 && o->surrogate == LOCBO_SURROGATE_MAP && o->method != LOCBO_METHOD_CBO;
    return limited && n > o->exact_rows ? o->exact_rows : n;
}

/* Seconds: one LAPACK call with n rows, during which it cannot be renewed, takes about 1e-10 n^3. One that takes longer
 * than LONGEST may be computed twice, which is better than a study that waits for hours for a process that was lost. */
static double length(const asking *a) {
    enum { LONGEST = 600 };
    double n = most_rows(&a->study->options, (double)a->trials);
    return fmin(15 + 1e-10 * n * n * n, LONGEST);
}

int proposer_is_free(const asking *a) {
    if (!a->proposer[0] || isnan(a->proposer_until) || strcmp(a->proposer, a->identity) == 0) return 1;
    if (a->proposer_until < a->now || a->proposer_until > a->now + length(a) + 1) return 1;
    return identity_is_dead(a->proposer);
}

typedef struct change {
    asking *ask;
    uint64_t changed;
} change;

/* Only if the proposer is still the one that was judged to be free to replace, or an earlier try whose answer was lost.
 * Those who waited for another one that was lost may be lost as well: they are forgotten. */
static locbo_status become(locbo_store *store, void *user, locbo_error *error) {
    change *c = user;
    const asking *a = c->ask;
    return store_query(store,
                       "UPDATE locbo_study SET proposer = $2, proposer_until = {now} + $3,"
                       " waiting = CASE WHEN proposer IS NULL THEN waiting ELSE 0 END WHERE id = $1"
                       " AND (coalesce(proposer_until, 0) = $4 OR ($5 = 1 AND proposer = $2))",
                       VALUES(store_int(a->study->id), store_text(a->identity), store_real(length(a)),
                              store_real(isnan(a->proposer_until) ? 0 : a->proposer_until),
                              store_int(store_is_unsure(store))),
                       NULL, NULL, &c->changed, error);
}

locbo_status proposer_become(asking *a, int *won, locbo_error *error) {
    change c = {.ask = a};
    locbo_status status = store_write(a->study->store, become, &c, error);
    *won = c.changed > 0;
    if (*won && a->proposer[0]) a->counted = 0;
    a->next_renewal = clock_now() + length(a) / 4;
    return status;
}

static locbo_status renew(locbo_store *store, void *user, locbo_error *error) {
    const asking *a = user;
    return store_query(store, "UPDATE locbo_study SET proposer_until = {now} + $3 WHERE id = $1 AND proposer = $2",
                       VALUES(store_int(a->study->id), store_text(a->identity), store_real(length(a))), NULL, NULL,
                       NULL, error);
}

/* One that cannot be renewed now is tried again soon. */
void proposer_renew(asking *a) {
    double time = clock_now();
    if (time < a->next_renewal) return;
    locbo_status status = store_write_once(a->study->store, renew, a, NULL);
    a->next_renewal = clock_now() + (status == LOCBO_OK ? length(a) / 4 : 1);
}

/* ---- those who wait ---------------------------------------------------------------------------- */

static locbo_status count_up(locbo_store *store, void *user, locbo_error *error) {
    const asking *a = user;
    return store_query(store, "UPDATE locbo_study SET waiting = waiting + 1 WHERE id = $1 AND trials = $2",
                       VALUES(store_int(a->study->id), store_count(a->trials)), NULL, NULL, NULL, error);
}

/* Who could not be counted is not proposed for. A proposal with given coordinates is of use to nobody else. */
void proposer_wait(asking *a) {
    if (a->enqueue || a->request.fixed || a->counted == a->trials + 1) return;
    if (store_write_once(a->study->store, count_up, a, NULL) == LOCBO_OK) a->counted = a->trials + 1;
}

static locbo_status count_down(locbo_store *store, void *user, locbo_error *error) {
    const asking *a = user;
    return store_query(store,
                       "UPDATE locbo_study SET waiting = waiting - 1 WHERE id = $1 AND trials = $2 AND waiting > 0",
                       VALUES(store_int(a->study->id), store_count(a->counted - 1)), NULL, NULL, NULL, error);
}

/* The caller may want to end at once: not if it may have to wait for the database. */
void proposer_leave(asking *a) {
    if (a->counted && store_is_well(a->study->store)) store_write_once(a->study->store, count_down, a, NULL);
}

uint64_t proposer_waiting(const asking *a) {
    uint64_t self = a->counted == a->trials + 1, waiting = 0;
    locbo_status status = store_single(a->study->store, "SELECT waiting FROM locbo_study WHERE id = $1",
                                       VALUES(store_int(a->study->id)), ledger_take_count, &waiting, NULL, NULL);
    return status == LOCBO_OK && waiting > self ? waiting - self : 0;
}

static locbo_status end(locbo_store *store, void *user, locbo_error *error) {
    const asking *a = user;
    return store_query(store,
                       "UPDATE locbo_study SET proposer = NULL, proposer_until = NULL WHERE id = $1 AND proposer = $2",
                       VALUES(store_int(a->study->id), store_text(a->identity)), NULL, NULL, NULL, error);
}

void proposer_release(asking *a) { store_write_once(a->study->store, end, a, NULL); }
