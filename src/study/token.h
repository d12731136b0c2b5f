/* token.h - a call that writes, done once however often it is repeated.
 *
 * The answer to a COMMIT may be lost, or come after the connection was given up: whether the work was done is then not
 * known, and the same transaction is repeated. So each call has a token, a random number or the caller's own
 * (locbo_store_token), and the transaction that does the work also stores the token with the call's answer. A
 * repetition stores the token first: the database makes it wait for an earlier try that is still being committed, and
 * then either finds that try's answer, or knows that it was never committed. */
#ifndef TOKEN_H
#define TOKEN_H

#include "store.h"

typedef struct token_call {
    const char *call; /* "tell" */
    int64_t study;    /* 0: none */
    store_work_fn *work;
    void *user; /* of `work` */
    /* the answer: written by `work`, or read from an earlier try (`repeated`) */
    uint64_t *answer; /* room for `most` numbers; 0: the call has no answer */
    size_t most, count;
    int repeated;
    int nothing; /* set by `work`: it has changed nothing, so nothing is to be stored */
    /* chosen by token_begin */
    uint64_t token;
    int given; /* the token is the caller's: the call may have been made before */
} token_call;

/* Choose the token. A call of several transactions keeps it. */
locbo_status token_begin(token_call *r, locbo_store *store, locbo_error *error);
/* One transaction. Where it fails and may have been committed all the same, the message says so. */
locbo_status token_write(token_call *r, locbo_store *store, locbo_error *error);
#endif
