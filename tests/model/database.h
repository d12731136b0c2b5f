/* database.h - the database under test: a SQLite file in memory, or the server of LOCBO_TEST_DB; one study in it; and
 * the calls of the model made there by the public functions of study.h. */
#ifndef DATABASE_H
#define DATABASE_H

#include "study_model.h"

enum { DATABASE_WHY = 512 };

typedef struct connection {
    locbo_store *store;
    locbo_study *study;
} connection;

/* Before all else: choose the database, and replace SQLite's clock. */
void database_begin(void);
void database_end(void);
int database_is_postgres(void);

/* The functions below end the program if the database fails. */
void database_open(connection *c);
void database_close(connection *c);
/* A new study in place of the last one; no connection is open. Every proposal of method bo after the first few needs a
 * model, which one process at a time computes; random needs none. */
void database_new_study(const char *method);

/* The seed of its options. */
uint64_t database_seed(void);

/* Make a call. `token` other than 0: the call is recognised by it. `why` receives what is wrong with the answer in
 * itself, or the library's message. */
model_answer database_call(connection *c, const model_call *call, uint64_t token, char why[DATABASE_WHY]);

/* A step of the clock as the study sees it: for SQLite the clock stands, and is set to `now`; for PostgreSQL every
 * stored time is moved the other way. */
void database_step(connection *c, double now, double step);
/* Wait until the server has ended the transactions of processes that were killed. */
void database_settle(connection *c);

/* compare.c: whether the database holds what the model holds; otherwise 0, and `why` says what differs. */
int database_equals(connection *c, const model_study *m, char why[DATABASE_WHY]);

#endif
