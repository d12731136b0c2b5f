/* evaluation.c - one trial being evaluated. Layer: worker. */
#include "evaluation.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mem.h"
#include "template.h"
#include "value.h"

extern char **environ;

/* ---- the folder -------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info, (void)kind, (void)where;
    remove(path); /* what cannot be removed stays */
    return 0;
}

static char *join(const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = mem_new(size, 1);
    if (path) snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* DIR/trial-17-1, or a temporary folder. */
static char *folder_path(const evaluation *e, const char *workdir) {
    char name[64];
    const char *temporary = getenv("TMPDIR");
    if (!workdir) return join(temporary && temporary[0] ? temporary : "/tmp", "locbo-XXXXXX");
    snprintf(name, sizeof name, "trial-%" PRIu64 "-%" PRIu64, e->assignment.trial, e->assignment.attempt);
    return join(workdir, name);
}

static locbo_status make_folder(evaluation *e, const char *workdir, locbo_error *error) {
    e->folder = folder_path(e, workdir);
    if (!e->folder) return status_no_memory(error);
    int made = 1;
    if (workdir)
        made = (mkdir(workdir, 0777) == 0 || errno == EEXIST) && (mkdir(e->folder, 0777) == 0 || errno == EEXIST);
    else
        made = mkdtemp(e->folder) != NULL;
    if (!made) {
        status_fail(error, LOCBO_ERR_IO, "cannot create the folder '%s': %s", e->folder, strerror(errno));
        mem_free(e->folder);
        e->folder = NULL;
        return LOCBO_ERR_IO;
    }
    /* an objective may change its folder: absolute paths */
    char *absolute = realpath(e->folder, NULL);
    if (absolute) {
        mem_free(e->folder);
        e->folder = mem_text(absolute);
        free(absolute);
    }
    e->result_file = e->folder ? join(e->folder, "result") : NULL;
    if (!e->result_file) return status_no_memory(error);
    remove(e->result_file);
    return LOCBO_OK;
}

enum { RESULT_FILE_MOST = 4 << 20 };

/* The result file, if there is one; a file too long to be one is cut and will be judged as what it is. */
static locbo_status read_result_file(const evaluation *e, char **text, size_t *size, locbo_error *error) {
    *text = NULL;
    *size = 0;
    int fd = open(e->result_file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM)) /* it may well be there */
        return status_fail(error, LOCBO_ERR_IO, "%s", strerror(errno));
    if (fd < 0) return LOCBO_OK;
    struct stat info;
    char *bytes = NULL;
    locbo_status status = LOCBO_OK;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        size_t most = info.st_size < RESULT_FILE_MOST ? (size_t)info.st_size : RESULT_FILE_MOST;
        bytes = mem_new(most + 1, 1);
        ssize_t got = bytes ? read(fd, bytes, most) : 0;
        if (!bytes) status = status_no_memory(error);
        if (got < 0) status = status_fail(error, LOCBO_ERR_IO, "%s", strerror(errno));
        *size = got > 0 ? (size_t)got : 0;
    }
    close(fd);
    *text = bytes;
    return status;
}

/* ---- start ------------------------------------------------------------------------------------- */

static locbo_status start_process(evaluation *e, const evaluation_setup *s, locbo_error *error) {
    const locbo_assignment *a = &e->assignment;
    template_values values = {.space = s->space,
                              .x = e->x,
                              .trial = a->trial,
                              .seed = a->seed,
                              .attempt = a->attempt,
                              .workdir = e->folder,
                              .result_file = e->result_file};
    char **words = NULL, **environment = NULL;
    double timeout = isnan(s->plan->timeout) ? INFINITY : s->plan->timeout;
    locbo_status status = template_expand(&values, s->command_count, s->command, &words, error);
    if (status == LOCBO_OK) status = template_environment(&values, environ, &environment, error);
    if (status == LOCBO_OK) status = child_start(&e->process, words, environment, timeout, error);
    template_free(words);
    template_free(environment);
    return status;
}

locbo_status evaluation_start(evaluation *e, const evaluation_setup *setup, locbo_error *error) {
    locbo_status status = make_folder(e, setup->workdir, error);
    if (status == LOCBO_OK) status = start_process(e, setup, error);
    if (status == LOCBO_OK)
        e->busy = 1;
    else
        evaluation_clear(e, setup);
    return status;
}

void evaluation_clear(evaluation *e, const evaluation_setup *setup) {
    child_destroy(e->process);
    if (e->folder && !setup->workdir) nftw(e->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    mem_free(e->folder);
    mem_free(e->result_file);
    *e = (evaluation){.x = e->x};
}

/* ---- finish ------------------------------------------------------------------------------------ */

static locbo_status keep_output(const evaluation *e, locbo_study *study, locbo_error *error) {
    locbo_output output = {.seconds = child_seconds(e->process)};
    int status = child_status(e->process);
    output.exit_code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    output.out = child_out(e->process, &output.out_size);
    output.err = child_err(e->process, &output.err_size);
    return locbo_study_keep_output(study, e->assignment.trial, e->assignment.attempt, &output, error);
}

/* The last line of standard error often says why it failed: it is added to the message, printable. */
static void quote_last_line(const child *process, outcome *o) {
    size_t size, used = strlen(o->message);
    const char *text = child_err(process, &size);
    if (o->kind != OUTCOME_FAILED) return;
    while (size > 0 && (unsigned char)text[size - 1] <= ' ') size--;
    size_t from = size;
    while (from > 0 && text[from - 1] != '\n' && size - from < 120) from--;
    if (from == size || used + (size - from) + 3 > sizeof o->message) return;
    used += (size_t)snprintf(o->message + used, sizeof o->message - used, ": ");
    for (; from < size; from++) /* ASCII only: a character may have been cut in two */
        o->message[used++] = text[from] >= ' ' && text[from] < 0x7f ? text[from] : '?';
    o->message[used] = '\0';
}

/* Another attempt while retries are left; otherwise it failed. */
static void decide_retry(const locbo_assignment *a, const locbo_plan *plan, outcome *o) {
    uint64_t had = o->kind == OUTCOME_TRANSIENT ? a->retries : a->attempt - 1;
    if (o->kind != OUTCOME_TRANSIENT && o->kind != OUTCOME_LOST) return;
    if (had < plan->retries) return;
    char message[sizeof o->message];
    snprintf(message, sizeof message, "%.200s, after %s", o->message, value_count(had, "retry").text);
    memcpy(o->message, message, sizeof message);
    o->kind = OUTCOME_FAILED;
}

static locbo_status tell(const evaluation *e, const evaluation_setup *s, const outcome *o, locbo_error *error) {
    const locbo_assignment *a = &e->assignment;
    switch (o->kind) {
    case OUTCOME_VALUE:
        return locbo_study_tell(s->study, a->trial, a->attempt, o->count, o->measurements, error);
    case OUTCOME_FAILED:
        return locbo_study_tell_failed(s->study, a->trial, a->attempt, o->message, error);
    case OUTCOME_INFEASIBLE:
        return locbo_study_tell_infeasible(s->study, a->trial, a->attempt, o->message, error);
    case OUTCOME_TRANSIENT: {
        double delay = s->plan->retry_delay * exp2((double)(a->retries < 20 ? a->retries : 20));
        return locbo_study_requeue(s->study, a->trial, a->attempt, 1, delay, error);
    }
    case OUTCOME_LOST:
        break;
    }
    return locbo_study_requeue(s->study, a->trial, a->attempt, 0, 0, error);
}

/* What it measured is not known because of this process, not because of the objective: `error` says why. The trial
 * waits again. */
static locbo_status give_back(evaluation *e, const evaluation_setup *s, locbo_error *error) {
    locbo_error why = *error;
    const locbo_assignment *a = &e->assignment;
    status_fail(error, LOCBO_ERR_IO, "the result of trial %" PRIu64 " cannot be read: %.150s", a->trial, why.message);
    if (locbo_study_requeue(s->study, a->trial, a->attempt, 0, 0, NULL) == LOCBO_OK) evaluation_clear(e, s);
    return LOCBO_ERR_IO;
}

locbo_status evaluation_finish(evaluation *e, const evaluation_setup *setup, outcome *judged, locbo_error *error) {
    char *file = NULL;
    size_t size = 0;
    int unread = child_unread(e->process);
    locbo_status status = unread ? status_fail(error, LOCBO_ERR_IO, "%s", strerror(unread)) : LOCBO_OK;
    if (status == LOCBO_OK) status = read_result_file(e, &file, &size, error);
    if (status == LOCBO_OK)
        status = result_judge(child_result(e->process), file, size, child_status(e->process),
                              child_timed_out(e->process), judged, error);
    mem_free(file);
    if (status != LOCBO_OK) return give_back(e, setup, error);
    quote_last_line(e->process, judged);
    decide_retry(&e->assignment, setup->plan, judged);
    status = tell(e, setup, judged, error);
    /* another worker has the trial: a failure of this attempt does not count, a value always does */
    if (status == LOCBO_ERR_STATE && judged->kind != OUTCOME_VALUE) status = LOCBO_OK;
    if (status != LOCBO_OK) return status;
    status = keep_output(e, setup->study, error);
    evaluation_clear(e, setup);
    return status;
}

locbo_status evaluation_abandon(evaluation *e, const evaluation_setup *setup, locbo_error *error) {
    const locbo_assignment *a = &e->assignment;
    locbo_status status = locbo_study_requeue(setup->study, a->trial, a->attempt, 0, 0, error);
    if (status == LOCBO_ERR_STATE) status = LOCBO_OK;
    evaluation_clear(e, setup);
    return status;
}
