/* The table of trials: after any changes, an updated table equals one that is read completely. */
#include "trial_table.h"

#include <time.h>

#include "several_outputs.h"

enum { DIM = 4 };

static trial_table fresh_of(locbo_study *study, const output_list *outputs) {
    trial_table b = {.dim = DIM, .outputs = outputs};
    check_ok(trial_table_refresh(&b, study, &error));
    return b;
}

static trial_table fresh(locbo_study *study) { return fresh_of(study, NULL); }

static int same_real(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void check_same_row(const trial_table *a, const trial_table *b, size_t i) {
    const trial_row *p = &a->rows[i], *q = &b->rows[i];
    check_that(p->trial.id == i + 1 && q->trial.id == i + 1, "row %zu is of another trial", i);
    check_that(p->state == q->state && p->trial.origin == q->trial.origin && p->count == q->count &&
                   p->event == q->event && p->attempt == q->attempt,
               "row %zu differs", i);
    check_that(same_real(p->value, q->value) && same_real(p->first.value, q->first.value) &&
                   same_real(p->first.sd, q->first.sd) && p->first.n == q->first.n,
               "the results of row %zu differ", i);
    check_that(same_real(p->asked, q->asked) && same_real(p->started, q->started) && same_real(p->ended, q->ended) &&
                   same_real(p->lease, q->lease),
               "the times of row %zu differ", i);
    assert_string_equal(a->workers[p->worker], b->workers[q->worker]);
    assert_string_equal(p->message ? p->message : "", q->message ? q->message : "");
    assert_memory_equal(a->x + i * DIM, b->x + i * DIM, DIM * sizeof(double));
}

static void check_same_outputs(const trial_table *a, const trial_table *b, size_t i) {
    for (size_t k = 0; a->outputs && k < a->outputs->count; k++) {
        trial_output p = trial_table_output(a, i, k), q = trial_table_output(b, i, k);
        const locbo_belief *r = trial_table_belief(a, i, k), *s = trial_table_belief(b, i, k);
        check_that(same_real(p.value, q.value) && p.weight == q.weight && same_real(p.first.value, q.first.value) &&
                       same_real(p.first.sd, q.first.sd),
                   "output %zu of row %zu differs", k, i);
        check_that(!r == !s && (!r || (same_real(r->mean, s->mean) && same_real(r->y_low, s->y_low))),
                   "the belief of output %zu of row %zu differs", k, i);
    }
}

static void check_same_table(const trial_table *a, const trial_table *b) {
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->events, b->events);
    assert_string_equal(a->workers[0], "");
    for (size_t i = 0; i < a->count; i++) check_same_row(a, b, i), check_same_outputs(a, b, i);
}

static void check_current(trial_table *kept, locbo_study *study) {
    trial_table complete = fresh_of(study, kept->outputs);
    check_ok(trial_table_refresh(kept, study, &error));
    check_same_table(kept, &complete);
    trial_table_release(&complete);
}

/* ---- small steps ------------------------------------------------------------------------------- */

static void an_empty_study_is_empty(void **state) {
    (void)state;
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    trial_table b = fresh(s);
    assert_int_equal(b.count, 0);
    assert_int_equal(b.workers_count, 1);
    check_ok(trial_table_refresh(&b, s, &error));
    assert_int_equal(b.count, 0);
    trial_table_release(&b);
    trial_table_release(&b); /* twice is fine */
    locbo_study_close(s);
}

static void a_row_has_what_happened(void **state) {
    (void)state;
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    double x[DIM];
    trial_table b = fresh(s);
    fixture_ask(s, "one", x);
    check_ok(trial_table_refresh(&b, s, &error));
    assert_int_equal(b.rows[0].state, LOCBO_RUNNING);
    assert_true(isnan(b.rows[0].value) && isnan(b.rows[0].ended) && b.rows[0].lease > 0);
    assert_string_equal(b.workers[b.rows[0].worker], "one");
    assert_memory_equal(b.x, x, sizeof x);
    locbo_measurement m[] = {{3, 0.5, 3}, {7, (double)NAN, 1}};
    check_ok(locbo_study_tell(s, 1, 1, 2, m, &error));
    check_ok(trial_table_refresh(&b, s, &error));
    assert_int_equal(b.rows[0].state, LOCBO_COMPLETE);
    assert_int_equal(b.rows[0].count, 2);
    assert_int_equal(b.rows[0].event, 1);
    check_same(b.rows[0].value, 4); /* (3*3 + 7)/4 */
    check_same(b.rows[0].first.value, 3);
    check_same(b.rows[0].first.sd, 0.5);
    assert_int_equal(b.rows[0].first.n, 3);
    fixture_ask(s, "two", x);
    check_ok(locbo_study_tell_failed(s, 2, 1, "broken", &error));
    check_ok(trial_table_refresh(&b, s, &error));
    assert_string_equal(b.rows[1].message, "broken");
    assert_int_equal(b.rows[1].event, 3);
    fixture_tell(s, 2, 9); /* it comes back */
    check_ok(trial_table_refresh(&b, s, &error));
    assert_int_equal(b.rows[1].state, LOCBO_COMPLETE);
    assert_null(b.rows[1].message);
    trial_table_release(&b);
    locbo_study_close(s);
}

/* Results that come one by one, some of them replicates and some lacking outputs. */
static void several_outputs_are_up_to_date(void **state) {
    (void)state;
    draw r = draw_open(4, 1);
    locbo_study *s = several_study("a", 2, 0);
    locbo_definition d = {.struct_size = sizeof d};
    output_list list;
    check_ok(locbo_study_definition(s, &d, &error));
    check_ok(output_list_make(&list, d.outputs, &error));
    trial_table b = fresh_of(s, &list);
    for (int i = 0; i < 14; i++) {
        locbo_measurement late[OUTPUTS];
        double x[DIM] = {1, 0.1, 3, 1};
        several_play(s, 1, &r);
        check_current(&b, s);
        several_measure(x, &r, late);
        late[LOSS].value = (double)NAN;
        check_ok(locbo_study_tell(s, 1 + (uint64_t)i / 2, 0, 1, late, &error)); /* one more, of an old one */
        check_current(&b, s);
    }
    assert_int_equal(b.rows[0].count, 3);
    assert_true(trial_table_output(&b, 0, LOSS).weight < trial_table_output(&b, 0, SPEED).weight);
    trial_table_release(&b);
    assert_true(b.outputs == &list && b.count == 0);
    output_list_release(&list);
    locbo_study_close(s);
}

/* ---- anything in any order --------------------------------------------------------------------- */

/* One thing that may happen; refusals are part of it. */
static void happen(locbo_study *s, draw *d, uint64_t *trials) {
    double x[DIM], some[DIM] = {1, (double)NAN, 3, (double)NAN};
    char worker[32];
    locbo_error e;
    locbo_measurement m[2] = {{draw_normal(d), (double)NAN, 1}, {draw_normal(d), 0.1, 3}};
    uint64_t trial = *trials ? 1 + draw_below(d, *trials) : 1;
    snprintf(worker, sizeof worker, "w%d", (int)draw_below(d, 40));
    switch (draw_below(d, 9)) {
    case 0:
    case 1:
        fixture_ask(s, worker, x);
        break;
    case 2:
        locbo_study_tell(s, trial, 0, 1 + (size_t)draw_below(d, 2), m, &e);
        break;
    case 3:
        locbo_study_tell_failed(s, trial, 0, worker, &e);
        break;
    case 4:
        locbo_study_tell_infeasible(s, trial, 0, NULL, &e);
        break;
    case 5:
        locbo_study_requeue(s, trial, 0, (int)draw_below(d, 2), 0, &e);
        break;
    case 6:
        locbo_study_forget_worker(s, worker, NULL, &e);
        break;
    case 7:
        check_ok(locbo_study_enqueue(s, some, trials, &error));
        break;
    default:
        fixture_import(s, 1 + (size_t)draw_below(d, 3), d);
    }
    locbo_census c;
    check_ok(locbo_study_census(s, &c, &error));
    *trials = c.trials;
}

static void whatever_happens_it_is_up_to_date(void **state) {
    (void)state;
    draw d = draw_open(3, 1);
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    trial_table kept = {.dim = DIM};
    uint64_t trials = 0;
    for (int i = 0; i < 250; i++) {
        happen(s, &d, &trials);
        if (draw_below(&d, 3) == 0) check_current(&kept, s);
    }
    check_current(&kept, s);
    assert_true(kept.count > 80 && kept.workers_count > 10);
    trial_table_release(&kept);
    locbo_study_close(s);
}

/* ---- many -------------------------------------------------------------------------------------- */

typedef struct comparison {
    const trial_table *table;
    size_t count;
} comparison;

static int compare_record(const locbo_record *r, void *user) {
    comparison *c = user;
    const trial_row *row = &c->table->rows[c->count];
    assert_int_equal(row->trial.id, r->trial.id);
    assert_int_equal(row->event, r->sequence[0]);
    assert_true(row->value == r->value && row->first.value == r->measurements[0].value);
    assert_memory_equal(c->table->x + c->count * DIM, r->x, DIM * sizeof(double));
    c->count++;
    return 0;
}

/* More than one piece is read, and later only what has changed: again more than one, but where every row is a journey.
 */
static void many_are_read_in_pieces(void **state) {
    (void)state;
    draw d = draw_open(4, 1);
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    size_t many = getenv("LOCBO_TEST_DB") ? 4200 : 9000, more = many == 9000 ? 8192 : 100;
    fixture_import(s, many, &d);
    trial_table b = fresh(s);
    comparison c = {&b, 0};
    check_ok(locbo_study_each(s, NULL, compare_record, &c, &error));
    assert_int_equal(c.count, many);
    assert_int_equal(b.count, many);
    fixture_tell(s, 17, 1e6);
    fixture_import(s, more, &d);
    check_current(&b, s);
    assert_int_equal(b.rows[16].count, 2);
    assert_int_equal(b.count, many + more);
    trial_table_release(&b);
    locbo_study_close(s);
}

static void a_deleted_study_is_said_to_be(void **state) {
    (void)state;
    draw d = draw_open(4, 1);
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    fixture_import(s, 5, &d);
    trial_table b = fresh(s);
    check_ok(locbo_study_delete(own_store, "a", &error));
    check_fails(trial_table_refresh(&b, s, &error), LOCBO_ERR_NOT_FOUND, "deleted");
    locbo_study *again = fixture_study("a", "method", "random", NULL);
    fixture_import(again, 9, &d);
    check_fails(trial_table_refresh(&b, s, &error), LOCBO_ERR_NOT_FOUND, "deleted");
    assert_int_equal(b.count, 5); /* as it was */
    trial_table_release(&b);
    check_current(&b, again);
    assert_int_equal(b.count, 9);
    trial_table_release(&b);
    locbo_study_close(again);
    locbo_study_close(s);
}

/* The database of an open study is restored: later trials are removed from the table. */
static void a_restored_study_is_read_anew(void **state) {
    (void)state;
    static const char *const back[] = {
        /* two results less, one of them of a trial that waits again */
        "DELETE FROM locbo_measurement WHERE event > 4",
        "UPDATE locbo_trial SET state = 'WAITING', ended = NULL, worker = '' WHERE number >= 5",
        "UPDATE locbo_study SET events = 4",
        /* and a trial less, with as many events */
        "DELETE FROM locbo_trial WHERE number = 6",
        "UPDATE locbo_study SET trials = 5",
    };
    draw d = draw_open(5, 1);
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    fixture_import(s, 3, &d);
    fixture_play(s, 3, &d);
    trial_table kept = fresh(s);
    assert_int_equal(kept.count, 6);
    for (size_t i = 0; i < 3; i++) fixture_sql(back[i]);
    check_current(&kept, s);
    assert_int_equal(kept.rows[4].state, LOCBO_WAITING);
    assert_int_equal(kept.workers_count, 2); /* "" and "me", who still has one */
    for (size_t i = 3; i < 5; i++) fixture_sql(back[i]);
    check_current(&kept, s);
    assert_int_equal(kept.count, 5);
    fixture_play(s, 4, &d);
    check_current(&kept, s);
    trial_table_release(&kept);
    locbo_study_close(s);
}

/* ---- how long it takes ------------------------------------------------------------------------- */

/* CPU time, to which other processes do not add; of SQLite it has all, of PostgreSQL what this process does. */
static double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU seconds of the fastest of three refreshes; `before`, if there is one, is done before each. */
static double time_refresh(trial_table *b, locbo_study *study, const char *before, int complete) {
    double fastest = INFINITY;
    for (int i = 0; i < 3; i++) {
        if (before) fixture_sql(before);
        if (complete) trial_table_release(b);
        double start = clock_now();
        check_ok(trial_table_refresh(b, study, &error));
        fastest = fmin(fastest, clock_now() - start);
    }
    return fastest;
}

/* However many trials wait: if nothing has happened they are not read again, otherwise once. Read completely they take
 * as long as anything should; in pieces the search for what has changed would be done over and over. */
static void a_long_queue_is_no_burden(void **state) {
    (void)state;
    draw d = draw_open(6, 1);
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    fixture_import(s, 40000, &d);
    fixture_sql("DELETE FROM locbo_measurement WHERE event > 1");
    fixture_sql("UPDATE locbo_trial SET state = 'WAITING', ended = NULL WHERE number > 1");
    trial_table b = {.dim = DIM};
    double complete = time_refresh(&b, s, NULL, 1);
    double still = time_refresh(&b, s, NULL, 0);
    double changed = time_refresh(&b, s, "UPDATE locbo_trial SET attempt = attempt + 1 WHERE number = 40000", 0);
    print_message("complete %.3f s, unchanged %.3f s, changed %.3f s\n", complete, still, changed);
    check_that(still < complete / 2, "unchanged, it takes %g s, complete %g s", still, complete);
    check_that(changed < 2.5 * complete, "one of many, it takes %g s, complete %g s", changed, complete);
    check_current(&b, s);
    assert_int_equal(b.rows[39999].attempt, 3);
    trial_table_release(&b);
    locbo_study_close(s);
}

static void a_gap_is_damage(void **state) {
    (void)state;
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    double x[DIM];
    for (int i = 0; i < 3; i++) fixture_ask(s, "me", x);
    fixture_sql("UPDATE locbo_trial SET number = 4611686018427387904 WHERE number = 3");
    trial_table b = {.dim = DIM};
    check_fails(trial_table_refresh(&b, s, &error), LOCBO_ERR_IO, "trial 4611686018427387904");
    trial_table_release(&b);
    locbo_study_close(s);
}

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, own_store_open, own_store_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_fixture(an_empty_study_is_empty),           with_fixture(a_row_has_what_happened),
        with_fixture(whatever_happens_it_is_up_to_date), with_fixture(many_are_read_in_pieces),
        with_fixture(a_deleted_study_is_said_to_be),     with_fixture(a_gap_is_damage),
        with_fixture(a_restored_study_is_read_anew),     with_fixture(a_long_queue_is_no_burden),
        with_fixture(several_outputs_are_up_to_date),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
