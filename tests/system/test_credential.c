/* test_credential.c - the environment of a program without the credentials of the database. */
#include "credential.h"

#include <string.h>

#include "check.h"
#include "mem.h"

static void secrets_are_left_out(void **state) {
    (void)state;
    static const char *const given[] = {"HOME=/root",
                                        "PGPASSWORD=secret",
                                        "LOCBO_DB=postgresql://u:secret@h/d",
                                        "PGHOST=h",
                                        "PGPASSFILE=/secret",
                                        "PGSERVICE=secret",
                                        "PGSERVICEFILE=secret",
                                        "PGSYSCONFDIR=/secret",
                                        "PGSSLCERT=secret",
                                        "PGSSLKEY=secret",
                                        "PGSSLPASSWORD=secret",
                                        "PGPASSWORD=secret twice",
                                        "PGPASSWORDS=others",
                                        "LOCBO_DBA=others",
                                        "PGPASSWORD",
                                        "=odd",
                                        "odd",
                                        "LOCBO_TRIAL=3"};
    static const char *const kept[] = {"HOME=/root", "PGHOST=h", "PGPASSWORDS=others", "LOCBO_DBA=others",
                                       "=odd",       "odd",      "LOCBO_TRIAL=3"};
    enum { GIVEN = sizeof given / sizeof given[0], KEPT = sizeof kept / sizeof kept[0] };
    char *environment[GIVEN + 1] = {NULL};
    for (int i = 0; i < GIVEN; i++) environment[i] = (char *)given[i];
    char **list = credential_strip(environment);
    for (int i = 0; i < KEPT; i++) {
        assert_non_null(list[i]);
        assert_string_equal(list[i], kept[i]);
    }
    assert_null(list[KEPT]);
    mem_free(list);
}

static void nothing(void **state) {
    (void)state;
    char *const none[] = {NULL};
    char **list = credential_strip(none);
    assert_null(list[0]);
    mem_free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(secrets_are_left_out), cmocka_unit_test(nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
