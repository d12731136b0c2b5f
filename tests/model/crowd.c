/* crowd.c - the processes of a round: each makes random calls until it is killed or the round is over, and a new
 * process takes the place of a killed one. It may repeat the call that was not answered. */
#include "crowd.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "rng.h"
#include "sqlite_clock.h"

enum { HELD = 8 };

typedef struct shared {
    volatile int done;
    crowd_log log[CROWD_PROCESSES];
} shared;

typedef struct member {
    size_t process;
    rng random;
    connection at;
    crowd_log *log;
    size_t held;
    uint64_t trial[HELD], attempt[HELD], highest;
} member;

static double between(rng *r, double low, double high) { return low + (high - low) * rng_uniform(r); }

static void pause_for(double seconds) {
    struct timespec span = clock_span(seconds);
    nanosleep(&span, NULL);
}

/* ---- a process ----------------------------------------------------------------------------------- */

/* All workers forgotten and all stopped would be a quiet study: such calls are rare here. What is taken back cannot be
 * told from what was lost. */
static call_kind draw_kind(rng *r) {
    for (;;) {
        call_kind kind = (call_kind)rng_below(r, CALL_KINDS);
        unsigned weight = kind == CALL_PLAN || kind > CALL_OUTPUT ? 0
                          : kind == CALL_FORGET                   ? 1
                                                                  : model_call_weight(kind);
        if (rng_below(r, 30) < weight) return kind;
    }
}

/* The end of a lease is a matter of chance here; a lease without end is none. */
static double draw_lease(rng *r) { return rng_below(r, 3) == 0 ? INFINITY : between(r, 0.01, 0.2); }

static model_call draw_call(member *m) {
    rng *r = &m->random;
    int number = crowd_number(m->process, m->log->count);
    model_call c = {.kind = draw_kind(r), .worker = (int)m->process, .number = number, .x = {NAN, NAN}};
    int given = c.kind == CALL_ENQUEUE || c.kind == CALL_IMPORT;
    c.lease = draw_lease(r);
    c.delay = rng_below(r, 3) == 0 ? 0.02 : 0;
    c.how = (int)rng_below(r, 3);
    c.count = 1 + rng_below(r, 3);
    if (given || c.kind == CALL_ASK_FIXED) c.x[0] = crowd_point(number);
    if (given) c.x[1] = 0.5;
    if (c.kind == CALL_FORGET) c.worker = (int)rng_below(r, CROWD_PROCESSES);
    size_t i = m->held ? rng_below(r, m->held) : 0;
    int own = m->held > 0 && rng_below(r, 8) > 0;
    c.trial = own ? m->trial[i] : 1 + rng_below(r, m->highest + 1);
    c.attempt = own ? m->attempt[i] : rng_below(r, 3);
    return c;
}

static void remember(member *m, const model_given *a) {
    size_t i = m->held < HELD ? m->held++ : rng_below(&m->random, HELD);
    m->trial[i] = a->trial;
    m->attempt[i] = a->attempt;
    if (a->trial > m->highest) m->highest = a->trial;
}

/* A trial that was told is reported again now and then. */
static void put_away(member *m, uint64_t trial) {
    for (size_t i = 0; i < m->held; i++)
        if (m->trial[i] == trial && rng_below(&m->random, 4) > 0) {
            m->held--;
            m->trial[i] = m->trial[m->held];
            m->attempt[i] = m->attempt[m->held];
        }
}

static int is_regular(locbo_status status) {
    return status == LOCBO_OK || status == LOCBO_ERR_STATE || status == LOCBO_ERR_NOT_FOUND ||
           status == LOCBO_ERR_STOPPED || status == LOCBO_ERR_NOTHING;
}

/* Now and then the first answer is thrown away and the call repeated, as if it had been lost. */
static void make_call(member *m, crowd_record *record) {
    char why[DATABASE_WHY];
    if (record->call.kind != CALL_BEAT && rng_below(&m->random, 8) == 0) {
        record->repeats++;
        database_call(&m->at, &record->call, record->token, why);
    }
    record->answer = database_call(&m->at, &record->call, record->token, why);
    record->end = clock_now();
    const model_answer *a = &record->answer;
    if (!is_regular(a->status) || (a->status == LOCBO_OK && why[0]))
        snprintf(m->log->trouble, DATABASE_WHY, "%s: %.400s", model_call_name(record->call.kind), why);
    for (size_t i = 0; i < a->count; i++) remember(m, &a->given[i]);
    if (a->status == LOCBO_OK && record->call.kind == CALL_TELL) put_away(m, record->call.trial);
}

static void work(size_t process, uint64_t seed, shared *all) {
    member m = {.process = process, .random = rng_open(seed, process, RNG_DESIGN), .log = &all->log[process]};
    crowd_log *log = m.log;
    database_open(&m.at);
    if (log->count > 0 && log->record[log->count - 1].end == 0 && rng_below(&m.random, 4) > 0) {
        log->record[log->count - 1].repeats++;
        make_call(&m, &log->record[log->count - 1]);
    }
    while (!all->done && log->count < CROWD_RECORDS && !log->trouble[0]) {
        crowd_record *record = &log->record[log->count];
        record->call = draw_call(&m);
        record->token = rng_bits(&m.random) >> 1 | 1;
        record->begin = clock_now();
        log->count++;
        make_call(&m, record);
    }
    database_close(&m.at);
    _exit(0);
}

/* ---- the round ----------------------------------------------------------------------------------- */

static pid_t start(size_t process, uint64_t seed, shared *all) {
    fflush(stdout);
    pid_t id = fork();
    if (id == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* none is left if the test is ended */
        work(process, seed, all);
    }
    if (id < 0) perror("fork"), exit(1);
    return id;
}

static void disturb(rng *r, pid_t *id, shared *all, crowd_figures *figures) {
    size_t i = rng_below(r, CROWD_PROCESSES);
    uint64_t what = rng_below(r, 10);
    if (what < 5) {
        kill(id[i], SIGKILL);
        waitpid(id[i], NULL, 0);
        id[i] = start(i, rng_bits(r), all);
        figures->kills++;
    } else if (what < 8) {
        kill(id[i], SIGSTOP);
        pause_for(between(r, 0.001, 0.05));
        kill(id[i], SIGCONT);
        figures->pauses++;
    } else if (!database_is_postgres()) {
        sqlite_clock_run(rng_below(r, 2) ? between(r, -1e5, 1e5) : between(r, -1, 1));
        figures->clock_steps++;
    }
}

/* A call waits for a busy database for 30 s; one that takes longer than this waits for ever. */
enum { LONGEST_CALL = 60 };

/* Returns 0 if a process does not end, or not as it should. */
static int wait_for_all(const pid_t *id, const shared *all) {
    int good = 1, how;
    double latest = clock_now() + LONGEST_CALL;
    for (size_t i = 0; i < CROWD_PROCESSES; i++) {
        pid_t ended = 0;
        while ((ended = waitpid(id[i], &how, WNOHANG)) == 0 && clock_now() < latest) pause_for(0.005);
        if (ended == id[i] && how == 0) continue;
        const crowd_log *log = &all->log[i];
        if (ended == 0) {
            printf("process %zu does not end; its last call is %s\n", i,
                   log->count ? model_call_name(log->record[log->count - 1].call.kind) : "none");
            kill(id[i], SIGKILL);
            waitpid(id[i], NULL, 0);
        } else
            printf("process %zu ended with status %d\n", i, how);
        good = 0;
    }
    return good;
}

static void count_calls(const crowd_log *log, crowd_figures *figures) {
    figures->calls += log->count;
    for (size_t i = 0; i < log->count; i++) {
        const crowd_record *r = &log->record[i];
        figures->repeats += r->repeats;
        if (r->end - r->begin <= figures->longest) continue;
        figures->longest = r->end - r->begin;
        figures->longest_kind = r->call.kind;
    }
}

static int check(shared *all, crowd_figures *figures) {
    int good = 1;
    connection c;
    for (size_t i = 0; i < CROWD_PROCESSES; i++) {
        count_calls(&all->log[i], figures);
        if (!all->log[i].trouble[0]) continue;
        printf("process %zu: %s\n", i, all->log[i].trouble);
        good = 0;
    }
    model_study new_one;
    model_init(&new_one);
    database_open(&c);
    database_settle(&c);
    good = history_check(&c, all->log, new_one.lost, figures) && good;
    database_close(&c);
    return good;
}

int crowd_run(uint64_t seed, double seconds, crowd_figures *figures) {
    rng r = rng_open(seed, CROWD_PROCESSES, RNG_DESIGN);
    pid_t id[CROWD_PROCESSES];
    shared *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) perror("mmap"), exit(1);
    sqlite_clock_run(0);
    database_new_study(seed % 2 ? "random" : "bo");
    for (size_t i = 0; i < CROWD_PROCESSES; i++) id[i] = start(i, rng_bits(&r), all);
    for (double end = clock_now() + seconds; clock_now() < end;) {
        pause_for(between(&r, 0.001, 0.03));
        disturb(&r, id, all, figures);
    }
    all->done = 1;
    int good = wait_for_all(id, all);
    good = check(all, figures) && good;
    if (!good) printf("FAILED in a round of %d processes, seed %" PRIu64 "\n", CROWD_PROCESSES, seed);
    figures->rounds++;
    munmap(all, sizeof *all);
    return !good;
}
