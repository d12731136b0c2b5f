/* runner.c - worker processes take the missing runs from a shared counter and send the records through pipes to this
 * process, which writes them. Processes instead of threads, since the linear algebra of the library has a lock for each
 * process. Layer: experiment, above results. */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mem.h"
#include "process.h"
#include "status.h"

enum { TICK_MS = 200 };

typedef struct job {
    size_t cell;
    uint64_t seed;
} job;

/* What a worker sends for each run: this, then the rows and the points. */
typedef struct message {
    size_t job, rows, points;
    locbo_error error;
} message;

typedef struct pool {
    const plan *plan;
    results *results;
    size_t jobs, done;
    job *job;
    _Atomic size_t *next; /* index of the next job; shared by all processes */
    unsigned workers, open;
    pid_t pid[RUNNER_MOST_JOBS];
    struct pollfd pipe[RUNNER_MOST_JOBS];
    double work_done, work_total;
} pool;

/* The cost of a round grows with the number of rows. A rough guess, used for the remaining time only. */
static double weight_of(const task *t) {
    const problem_outputs *several = problem_outputs_find(t->problem);
    double n = (double)(t->initial + t->rounds), rounds = (double)t->rounds;
    if (t->program[0]) return 1000; /* mostly the start of the program */
    if (t->options.method == LOCBO_METHOD_RANDOM) return 0.02 * rounds;
    if (several && t->outputs == TASK_VIEW_MODEL) rounds *= (double)several->count;
    return rounds * (20 + n) * (t->options.method == LOCBO_METHOD_CBO ? 6 : 1);
}

/* Ordered by seed first, so that the runs are paired whenever the runner stops. */
static locbo_status list_jobs(pool *c, const runner_options *o, locbo_error *error) {
    const plan *p = c->plan;
    size_t cells = plan_cells(p);
    results_run found;
    c->job = mem_new(cells * o->seeds, sizeof *c->job);
    if (!c->job) return status_no_memory(error);
    uint64_t first = o->first ? o->first : 1;
    for (uint64_t seed = first; seed - first < o->seeds; seed++)
        for (size_t cell = 0; cell < cells; cell++) {
            if (!p->present[cell] || (o->methods && !o->methods[cell % p->methods])) continue;
            if (o->cases && !o->cases[cell / p->methods]) continue;
            if (results_find(c->results, cell, seed, &found)) continue;
            c->job[c->jobs++] = (job){cell, seed};
            c->work_total += weight_of(&p->task[cell]);
        }
    return LOCBO_OK;
}

/* ---- A worker ---------------------------------------------------------------------------------- */

static int put(int fd, const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        at += n;
        size -= (size_t)n;
    }
    return 1;
}

static int send_run(int fd, const message *head, const task_record *record) {
    return put(fd, head, sizeof *head) && put(fd, record->row, head->rows * sizeof *record->row) &&
           put(fd, record->point, head->points * sizeof *record->point);
}

static void work(const pool *c, int fd) {
    for (size_t i; (i = atomic_fetch_add(c->next, 1)) < c->jobs;) {
        task_record record = {0, 0, NULL, NULL};
        message head = {.job = i};
        const job *j = &c->job[i];
        head.error.status = task_run(&c->plan->task[j->cell], j->seed, &record, &head.error);
        if (head.error.status == LOCBO_OK) head.rows = record.rows, head.points = record.points;
        if (!send_run(fd, &head, &record)) _exit(1);
        task_record_release(&record);
    }
    _exit(0);
}

static locbo_status start_worker(pool *c, locbo_error *error) {
    int ends[2];
    /* O_CLOEXEC: an external method may live a little longer than its worker, and must not keep the pipe open */
    if (pipe2(ends, O_CLOEXEC) != 0) return status_fail(error, LOCBO_ERR_IO, "pipe: %s", strerror(errno));
    pid_t parent = getpid(), pid = fork();
    if (pid < 0) {
        close(ends[0]);
        close(ends[1]);
        return status_fail(error, LOCBO_ERR_IO, "fork: %s", strerror(errno));
    }
    if (pid == 0) {
        process_die_with(parent, SIGKILL);
        signal(SIGINT, SIG_IGN); /* Ctrl-C is for the parent, which sees to us */
        close(ends[0]);
        work(c, ends[1]);
    }
    close(ends[1]);
    c->pid[c->workers] = pid;
    c->pipe[c->workers++] = (struct pollfd){.fd = ends[0], .events = POLLIN};
    c->open++;
    return LOCBO_OK;
}

/* ---- The writer -------------------------------------------------------------------------------- */

/* 1: read; 0: the end, before the first byte; -1: an error, or the end after the first byte. */
static int get(int fd, void *bytes, size_t size) {
    size_t have = 0;
    while (have < size) {
        ssize_t n = read(fd, (char *)bytes + have, size - have);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return have || n < 0 ? -1 : 0;
        have += (size_t)n;
    }
    return 1;
}

static locbo_status fail_run(const pool *c, const message *head, locbo_error *error) {
    const plan *p = c->plan;
    const job *j = &c->job[head->job];
    return status_fail(error, head->error.status, "%s, %s, %s, seed %llu: %s", p->name, plan_case_name(p, j->cell),
                       plan_method_name(p, j->cell), (unsigned long long)j->seed, head->error.message);
}

static locbo_status store(pool *c, const message *head, int fd, locbo_error *error) {
    task_record record = {head->rows, head->points, mem_new(head->rows, sizeof *record.row),
                          mem_new(head->points, sizeof *record.point)};
    locbo_status status = LOCBO_OK;
    if (!record.row || !record.point)
        status = status_no_memory(error);
    else if (get(fd, record.row, head->rows * sizeof *record.row) < 1 ||
             (head->points && get(fd, record.point, head->points * sizeof *record.point) < 1))
        status = status_fail(error, LOCBO_ERR_IO, "a worker died while it sent a run");
    if (status == LOCBO_OK)
        status = results_add(c->results, c->job[head->job].cell, c->job[head->job].seed, &record, error);
    task_record_release(&record);
    if (status != LOCBO_OK) return status;
    c->done++;
    c->work_done += weight_of(&c->plan->task[c->job[head->job].cell]);
    return LOCBO_OK;
}

/* Reads a message of worker w: a run, or the end of the worker. */
static locbo_status receive(pool *c, unsigned w, locbo_error *error) {
    message head;
    int got = get(c->pipe[w].fd, &head, sizeof head);
    if (got > 0 && head.error.status != LOCBO_OK) return fail_run(c, &head, error);
    if (got > 0) return store(c, &head, c->pipe[w].fd, error);
    close(c->pipe[w].fd);
    c->pipe[w].fd = -1;
    c->open--;
    int ending = 0;
    process_reap(c->pid[w], &ending);
    c->pid[w] = 0;
    if (WIFEXITED(ending) && WEXITSTATUS(ending) == 0) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "a worker died (%s %d); the finished runs are saved",
                       WIFSIGNALED(ending) ? "signal" : "exit code",
                       WIFSIGNALED(ending) ? WTERMSIG(ending) : WEXITSTATUS(ending));
}

static locbo_status collect(pool *c, const runner_options *o, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    while (c->open > 0 && status == LOCBO_OK) {
        int ready = poll(c->pipe, c->workers, TICK_MS);
        for (unsigned w = 0; ready > 0 && w < c->workers && status == LOCBO_OK; w++)
            if (c->pipe[w].fd >= 0 && c->pipe[w].revents) status = receive(c, w, error);
        runner_state state = {c->done, c->jobs, c->work_done, c->work_total};
        if (status == LOCBO_OK && o->tick && !o->tick(&state, o->user))
            status = status_fail(error, LOCBO_ERR_STOPPED, "stopped after %zu of %zu runs", c->done, c->jobs);
    }
    return status;
}

static void stop_workers(pool *c) {
    for (unsigned w = 0; w < c->workers; w++) {
        if (c->pipe[w].fd >= 0) close(c->pipe[w].fd);
        if (c->pid[w] <= 0) continue;
        kill(c->pid[w], SIGKILL);
        process_reap(c->pid[w], NULL);
    }
}

static locbo_status run_jobs(pool *c, const runner_options *o, locbo_error *error) {
    c->next = mmap(NULL, sizeof *c->next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c->next == MAP_FAILED) return status_no_memory(error);
    atomic_init(c->next, 0);
    locbo_status status = LOCBO_OK;
    for (unsigned w = 0; w < o->jobs && w < c->jobs && status == LOCBO_OK; w++) status = start_worker(c, error);
    if (status == LOCBO_OK) status = collect(c, o, error);
    stop_workers(c);
    munmap((void *)c->next, sizeof *c->next);
    return status;
}

locbo_status runner_run(const plan *p, results *r, const runner_options *options, size_t *ran, locbo_error *error) {
    pool *c = mem_new(1, sizeof *c);
    if (!c) return status_no_memory(error);
    c->plan = p;
    c->results = r;
    locbo_status status = list_jobs(c, options, error);
    if (status == LOCBO_OK && c->jobs > 0) status = run_jobs(c, options, error);
    *ran = c->done;
    mem_free(c->job);
    mem_free(c);
    return status;
}
