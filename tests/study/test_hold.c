/* A database that is held: its reader sees one moment, its writers do not notice. Runs on SQLite files of its own, or
 * on the database of LOCBO_TEST_DB (tests/with-postgres). */
#include "own_store.h"
#include "store.h"

static locbo_store *reader;
static locbo_study *seen, *written; /* the same study: by `reader`, which holds, and by own_store */

/* ---- set-up ------------------------------------------------------------------------------------ */

static locbo_space *make_space(double high) {
    locbo_space *space;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, high, LOCBO_LINEAR, &error));
    return space;
}

static locbo_study *make_study(const char *name, locbo_method method) {
    locbo_space *space = make_space(1);
    locbo_options options;
    locbo_study *made;
    locbo_options_init(&options);
    options.method = method;
    options.initial = 3;
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options};
    check_ok(locbo_study_create(&made, own_store, name, &d, NULL, &error));
    locbo_space_destroy(space);
    return made;
}

static uint64_t ask(locbo_study *study, double *x) {
    locbo_assignment a;
    check_ok(locbo_study_ask(study, NULL, &a, x, &error));
    return a.trial;
}

static void play(locbo_study *study, int rounds) {
    double x;
    for (int i = 0; i < rounds; i++) {
        uint64_t trial = ask(study, &x);
        locbo_measurement m = {x * x, (double)NAN, 1};
        check_ok(locbo_study_tell(study, trial, 0, 1, &m, &error));
    }
}

static void alter(locbo_study *study, double high) {
    locbo_space *space = make_space(high);
    locbo_definition d = {.struct_size = sizeof d};
    check_ok(locbo_study_definition(study, &d, &error));
    d.space = space;
    check_ok(locbo_study_alter(study, &d, NULL, "wider", 0, NULL, &error));
    locbo_space_destroy(space);
}

static int open_scene(void **state) {
    if (own_store_open(state) != 0) return -1;
    written = make_study("a", LOCBO_METHOD_LOCBO);
    play(written, 5);
    reader = own_store_again(LOCBO_STORE_EXISTING);
    check_ok(locbo_study_open(&seen, reader, "a", &error));
    return 0;
}

static int close_scene(void **state) {
    locbo_study_close(seen);
    locbo_study_close(written);
    locbo_store_close(reader);
    return own_store_close(state);
}

/* ---- what is seen ------------------------------------------------------------------------------ */

/* A line for each thing that can be read, without the present time. */
static int add_trial(const locbo_record *r, void *user) {
    fprintf(user, "trial %llu %s %zu %a [%s]\n", (unsigned long long)r->trial.id, locbo_state_name(r->state), r->count,
            r->value, r->note);
    return 0;
}

static int add_fit(const locbo_fit *fit, void *user) {
    fprintf(user, "fit %zu %a\n", (size_t)fit->rows, fit->log_posterior);
    return 0;
}

static int add_change(const locbo_change *c, void *user) {
    fprintf(user, "change %llu %s\n", (unsigned long long)c->event, c->text);
    return 0;
}

static int add_name(const char *name, void *user) {
    fprintf(user, "study %s\n", name);
    return 0;
}

static int add_runner(const char *worker, uint64_t trial, double lease, void *user) {
    (void)lease;
    fprintf(user, "running %llu %s\n", (unsigned long long)trial, worker);
    return 0;
}

static int add_output(uint64_t attempt, const locbo_output *o, void *user) {
    fprintf(user, "output %llu %.*s\n", (unsigned long long)attempt, (int)o->out_size, o->out);
    return 0;
}

static void add_numbers(FILE *to) {
    locbo_census c;
    locbo_pulse p;
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_optimizer *o;
    locbo_summary s;
    char *note, *tags;
    double bound, reference;
    check_ok(locbo_study_census(seen, &c, &error));
    check_ok(locbo_study_pulse(seen, &p, &error));
    check_ok(locbo_study_plan(seen, &plan, &error));
    check_ok(locbo_study_get_note(seen, &note, &tags, &error));
    check_ok(locbo_study_bounds(seen, &bound, &error));
    check_ok(locbo_study_reference(seen, &reference, &error));
    fprintf(to, "%llu %llu %llu %d %a\n%llx %s\n%llu\n[%s] [%s] %a %a\n", (unsigned long long)c.trials,
            (unsigned long long)c.events, (unsigned long long)c.revision, c.stopped, c.last_event,
            (unsigned long long)p.stamp, p.name, (unsigned long long)plan.trials, note, tags, bound, reference);
    locbo_free(note);
    locbo_free(tags);
    check_ok(locbo_study_optimizer(seen, &o, &error));
    check_ok(locbo_optimizer_summary(o, &s, &error));
    fprintf(to, "optimizer %llu %llu\n", (unsigned long long)s.told, (unsigned long long)s.fits);
}

/* All that `reader` sees of the study, as a text. */
static char *look(void) {
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    check_ok(locbo_store_each(reader, add_name, to, &error));
    check_ok(locbo_study_each(seen, NULL, add_trial, to, &error));
    check_ok(locbo_study_each_fit(seen, add_fit, to, &error));
    check_ok(locbo_study_each_change(seen, 0, add_change, to, &error));
    check_ok(locbo_study_each_running(seen, add_runner, to, &error));
    check_ok(locbo_study_each_output(seen, 1, add_output, to, &error));
    add_numbers(to);
    fclose(to);
    return text;
}

/* Everything that others may do to a study. */
static void change_all(void) {
    const locbo_output output = {"out", "", 3, 0, 0, 1};
    locbo_plan plan;
    double x;
    locbo_plan_init(&plan);
    plan.trials = 77;
    play(written, 3);
    check_ok(locbo_study_keep_output(written, 1, 1, &output, &error));
    check_ok(locbo_study_note(written, 0, "a note", "tag", &error));
    check_ok(locbo_study_note(written, 2, "of a trial", NULL, &error));
    check_ok(locbo_study_retract(written, 3, 0, "a typo", &error));
    check_ok(locbo_study_set_plan(written, &plan, &error));
    alter(written, 2);
    play(written, 2);
    ask(written, &x);
    check_ok(locbo_study_stop(written, "enough", &error));
    check_ok(locbo_study_rename(written, "b", &error));
    locbo_study_close(make_study("another", LOCBO_METHOD_RANDOM));
}

/* ---- tests ------------------------------------------------------------------------------------- */

static void one_moment(void **state) {
    (void)state;
    int changed;
    char *present = look();
    check_ok(locbo_store_hold(reader, &error));
    change_all();
    char *held = look();
    assert_string_equal(held, present);
    locbo_study *again;
    check_fails(locbo_study_open(&again, reader, "b", &error), LOCBO_ERR_NOT_FOUND, "no study 'b'");
    check_ok(locbo_study_open(&again, reader, "a", &error)); /* its name at that moment */
    locbo_study_close(again);
    check_ok(locbo_study_refresh(seen, &changed, &error));
    assert_int_equal(changed, 0);
    free(held);
    held = look();
    assert_string_equal(held, present); /* errors and refreshes do not move it */
    locbo_store_release(reader);
    check_fails(locbo_study_each(seen, NULL, add_trial, stderr, &error), LOCBO_ERR_CHANGED, "");
    check_ok(locbo_study_refresh(seen, &changed, &error));
    assert_int_equal(changed, 1);
    char *later = look();
    assert_non_null(strstr(later, "study another\n"));
    assert_non_null(strstr(later, "trial 11 RUNNING"));
    assert_non_null(strstr(later, "output 1 out\n"));
    assert_non_null(strstr(later, "[a note] [tag]"));
    free(present);
    free(held);
    free(later);
}

/* The moment is that of the call, not that of the first read after it. */
static void from_the_beginning(void **state) {
    (void)state;
    locbo_census c;
    check_ok(locbo_store_hold(reader, &error));
    play(written, 1);
    check_ok(locbo_study_census(seen, &c, &error));
    assert_int_equal(c.trials, 5);
    locbo_store_release(reader);
    check_ok(locbo_study_census(seen, &c, &error));
    assert_int_equal(c.trials, 6);
}

/* A study that was altered before is read again once, inside. */
static void altered_before(void **state) {
    (void)state;
    locbo_census c;
    locbo_definition d = {.struct_size = sizeof d};
    locbo_parameter p;
    alter(written, 2);
    check_ok(locbo_store_hold(reader, &error));
    alter(written, 3);
    check_fails(locbo_study_census(seen, &c, &error), LOCBO_ERR_CHANGED, "");
    check_ok(locbo_study_refresh(seen, NULL, &error));
    check_ok(locbo_study_census(seen, &c, &error));
    check_ok(locbo_study_definition(seen, &d, &error));
    check_ok(locbo_space_parameter(d.space, 0, &p, &error));
    check_same(p.high, 2);
    locbo_store_release(reader);
}

static void nothing_is_written(void **state) {
    (void)state;
    static const char words[] = "held for reading";
    locbo_assignment a;
    locbo_measurement m = {1, (double)NAN, 1};
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_study *made;
    double x = 0.5;
    uint64_t running = ask(written, &x);
    check_ok(locbo_study_plan(seen, &plan, &error));
    plan.trials = 9;
    check_ok(locbo_store_hold(reader, &error));
    check_fails(locbo_study_ask(seen, NULL, &a, &x, &error), LOCBO_ERR_STATE, words);
    check_fails(locbo_study_tell(seen, running, 0, 1, &m, &error), LOCBO_ERR_STATE, words);
    check_fails(locbo_study_beat(seen, running, 1, 60, &error), LOCBO_ERR_STATE, words);
    check_fails(locbo_study_enqueue(seen, &x, NULL, &error), LOCBO_ERR_STATE, words);
    check_fails(locbo_study_expire(seen, NULL, &error), LOCBO_ERR_STATE, words);
    check_fails(locbo_study_set_plan(seen, &plan, &error), LOCBO_ERR_STATE, words);
    check_fails(locbo_study_stop(seen, "now", &error), LOCBO_ERR_STATE, words);
    check_fails(locbo_study_copy(&made, seen, reader, "b", 1, &error), LOCBO_ERR_STATE, words);
    check_fails(locbo_study_delete(reader, "a", &error), LOCBO_ERR_STATE, words);
    check_fails(locbo_store_hold(reader, &error), LOCBO_ERR_STATE, "held already");
    locbo_store_release(reader);
    locbo_store_release(reader); /* does nothing */
    check_ok(locbo_study_tell(seen, running, 0, 1, &m, &error));
    check_fails(locbo_store_hold(NULL, &error), LOCBO_ERR_ARGUMENT, "NULL");
    locbo_store_release(NULL);
}

static locbo_status run_sql(locbo_store *store, void *sql, locbo_error *error) {
    return store_query(store, sql, 0, NULL, NULL, NULL, NULL, error);
}

static int never(const char *why, double waited, void *user) {
    (void)waited, (void)user;
    fail_msg("it waits: %s", why);
    return 1;
}

/* An ask that would wait for the proposal of another process is refused at once: what is held does not change. */
static void nobody_waits(void **state) {
    (void)state;
    static const char computes[] = "UPDATE locbo_study SET proposer = 'elsewhere:1:1', proposer_until = {now} + 10";
    locbo_assignment a;
    double x;
    check_ok(store_write(own_store, run_sql, (void *)computes, &error));
    check_ok(locbo_store_hold(reader, &error));
    locbo_store_patience(reader, INFINITY, never, NULL);
    check_fails(locbo_study_ask(seen, NULL, &a, &x, &error), LOCBO_ERR_STATE, "held for reading");
    locbo_store_release(reader);
}

/* A copy to another database is of the moment that is held. */
static void a_copy_elsewhere(void **state) {
    (void)state;
    char url[128];
    locbo_store *other;
    locbo_study *copy;
    locbo_census c;
    snprintf(url, sizeof url, "sqlite:%s/other.db", own_folder);
    check_ok(locbo_store_open(&other, url, LOCBO_STORE_CREATE, &error));
    check_ok(locbo_store_hold(reader, &error));
    play(written, 2);
    check_ok(locbo_study_copy(&copy, seen, other, "a", 1, &error));
    locbo_store_release(reader);
    check_ok(locbo_study_census(copy, &c, &error));
    assert_int_equal(c.trials, 5);
    play(copy, 2);
    locbo_study_close(copy);
    locbo_store_close(other);
}

static void read_only(void **state) {
    (void)state;
    locbo_store *only = own_store_again(LOCBO_STORE_READ_ONLY);
    locbo_study *study;
    locbo_census c;
    check_ok(locbo_store_hold(only, &error));
    play(written, 1);
    check_ok(locbo_study_open(&study, only, "a", &error));
    check_ok(locbo_study_census(study, &c, &error));
    assert_int_equal(c.trials, 5);
    check_fails(locbo_study_stop(study, "now", &error), LOCBO_ERR_STATE, "opened for reading only");
    locbo_study_close(study);
    locbo_store_close(only); /* still held */
    play(written, 1);
}

/* What fails after the connection was lost says so, until it is released and held again. */
static void lost(void **state) {
    (void)state;
    static const char end[] = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                              " AND state = 'idle in transaction'";
    locbo_census c;
    if (!getenv("LOCBO_TEST_DB")) skip(); /* a file has no connection */
    check_ok(locbo_store_hold(reader, &error));
    check_ok(locbo_study_census(seen, &c, &error));
    check_ok(store_read(own_store, run_sql, (void *)end, &error));
    check_fails(locbo_study_census(seen, &c, &error), LOCBO_ERR_BUSY, "what was held is lost");
    play(written, 1);
    check_fails(locbo_study_census(seen, &c, &error), LOCBO_ERR_BUSY, "is lost: hold it again");
    check_fails(locbo_study_stop(seen, "now", &error), LOCBO_ERR_STATE, "held for reading");
    locbo_store_release(reader);
    check_ok(locbo_store_hold(reader, &error));
    check_ok(locbo_study_census(seen, &c, &error));
    assert_int_equal(c.trials, 6);
    check_ok(store_read(own_store, run_sql, (void *)end, &error));
    locbo_store_release(reader); /* it was lost, and nobody has read since */
    check_ok(locbo_study_stop(seen, "now", &error));
}

/* A statement that the database refuses ends a transaction of PostgreSQL: nothing more can be read in it. */
static void a_bad_statement(void **state) {
    (void)state;
    locbo_census c;
    check_ok(locbo_store_hold(reader, &error));
    assert_int_equal(store_read(reader, run_sql, "SELECT nothing FROM nowhere", NULL), LOCBO_ERR_IO);
    if (getenv("LOCBO_TEST_DB"))
        check_fails(locbo_study_census(seen, &c, &error), LOCBO_ERR_BUSY, "is lost");
    else
        check_ok(locbo_study_census(seen, &c, &error));
    locbo_store_release(reader);
    check_ok(locbo_study_census(seen, &c, &error));
    play(seen, 1);
}

#define with_scene(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_scene(one_moment),      with_scene(from_the_beginning),
        with_scene(altered_before),  with_scene(nothing_is_written),
        with_scene(nobody_waits),    with_scene(a_copy_elsewhere),
        with_scene(read_only),       with_scene(lost),
        with_scene(a_bad_statement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
