/* record.c - see record.h. */
#include "record.h"

#include <inttypes.h>

#include "check.h"

enum { STUDIES = 64, NAME = 64 };

int record_name(const char *name, void *file) { return fprintf(file, "study %s\n", name) < 0; }

int record_pulse(const locbo_pulse *p, void *file) {
    fprintf(file, "pulse of %s: trials %" PRIu64 " events %" PRIu64 " running %" PRIu64 "\n", p->name, p->trials,
            p->events, p->running);
    return 0;
}

static const char *length_of(double lease, double now) {
    return isnan(lease) ? "none" : lease - now > 1000 ? "long" : "short";
}

int record_trial(const locbo_record *r, void *file) {
    locbo_trial t = r->trial;
    fprintf(file, "trial %" PRIu64 " %s origin %d told %" PRIu64 " pending %s x %a %a mean %a threshold %a", t.id,
            locbo_state_name(r->state), (int)t.origin, t.told, r->pending, r->x[0], r->x[1], t.belief.mean,
            t.belief.threshold);
    fprintf(file,
            " attempt %" PRIu64 " retries %" PRIu64 " lost %" PRIu64 " seed %" PRIu64
            " worker '%s' message '%s' failure %" PRIu64,
            r->attempt, r->retries, r->lost, r->seed, r->worker, r->message, r->failure);
    if (r->state == LOCBO_RUNNING) fprintf(file, " lease %s", length_of(r->lease, r->started));
    for (size_t i = 0; i < r->count * r->outputs; i++)
        fprintf(file, " [%" PRIu64 ": %a %a %u]", r->sequence[i / r->outputs], r->measurements[i].value,
                r->measurements[i].sd, r->measurements[i].n);
    for (size_t i = 0; r->beliefs && i < r->outputs; i++) fprintf(file, " mean %a", r->beliefs[i].mean);
    for (size_t i = 0; i < r->retracted_count * r->outputs; i++)
        fprintf(file, " taken back by %" PRIu64 " [%" PRIu64 ": %a]", r->retracted_by[i / r->outputs],
                r->retracted_sequence[i / r->outputs], r->retracted[i].value);
    if (r->decision)
        fprintf(file, " decided at %" PRIu64 " by %a %a %a, event %" PRIu64, r->decision->step, r->decision->incumbent,
                r->decision->tau, r->decision->coin, r->decision->event);
    fprintf(file, " note '%s' tags '%s' outside %" PRIu64 "\n", r->note, r->tags, r->outside);
    return 0;
}

int record_output(uint64_t attempt, const locbo_output *o, void *file) {
    fprintf(file, "output of attempt %" PRIu64 ": '%.*s' '%.*s' %d %a\n", attempt, (int)o->out_size, o->out,
            (int)o->err_size, o->err, o->exit_code, o->seconds);
    return 0;
}

int record_curve(const locbo_curve *c, void *file) {
    fprintf(file, "curve of trial %" PRIu64 " attempt %" PRIu64 ":", c->trial, c->attempt);
    for (size_t i = 0; i < c->count; i++) fprintf(file, " %" PRIu64 " %a", c->steps[i].step, c->steps[i].value);
    fprintf(file, "\n");
    return 0;
}

int record_fit(const locbo_fit *f, void *file) {
    fprintf(file, "fit of %zu: %" PRIu64 " %a %a %a:", f->output, (uint64_t)f->rows, f->shift, f->spread,
            f->log_posterior);
    for (size_t i = 0; i < f->count; i++) fprintf(file, " %a", f->theta[i]);
    fprintf(file, "\n");
    return 0;
}

int record_change(const locbo_change *c, void *file) {
    locbo_parameter p = {.name = ""};
    if (c->before) locbo_space_parameter(c->before->space, 1, &p, NULL);
    fprintf(file, "change %" PRIu64 " %s of %" PRIu64 " by '%s': %s, before %s to %a, %d trials\n", c->event,
            locbo_change_name(c->kind), c->trial, c->author, c->text, p.name, p.high,
            c->plan_before ? (int)c->plan_before->trials : -1);
    return 0;
}

int record_running(const char *worker, uint64_t trial, double lease, void *file) {
    (void)lease;
    fprintf(file, "%s runs %" PRIu64 "\n", worker, trial);
    return 0;
}

static void print_census(const locbo_census *c, FILE *file) {
    fprintf(file, "census: trials %" PRIu64, c->trials);
    for (int i = 0; i < LOCBO_STATES; i++) fprintf(file, " %" PRIu64, c->state[i]);
    fprintf(file, " measurements %" PRIu64 " events %" PRIu64 " best %" PRIu64 " %a stopped %d '%s'", c->measurements,
            c->events, c->best_trial, c->best_value, c->stopped, c->stop_reason);
    fprintf(file, " paused %d '%s' revision %" PRIu64 "\n", c->paused, c->pause_reason, c->revision);
}

locbo_status record_census(locbo_study *study, FILE *file, locbo_error *error) {
    locbo_census c;
    locbo_status status = locbo_study_census(study, &c, error);
    if (status == LOCBO_OK) print_census(&c, file);
    return status;
}

locbo_status record_plan(locbo_study *study, FILE *file, locbo_error *error) {
    locbo_plan p = {.struct_size = sizeof p};
    locbo_status status = locbo_study_plan(study, &p, error);
    if (status == LOCBO_OK)
        fprintf(file, "plan: %" PRIu64 " %a %a %" PRIu64 " %a\n", p.trials, p.time, p.target, p.retries, p.lease);
    return status;
}

typedef struct names {
    size_t count;
    char name[STUDIES][NAME];
} names;

static int take_name(const char *name, void *user) {
    names *n = user;
    if (n->count < STUDIES) snprintf(n->name[n->count++], NAME, "%s", name);
    return 0;
}

void record_names(locbo_store *store, FILE *file) { check_ok(locbo_store_each(store, record_name, file, &error)); }

typedef struct summing {
    FILE *file;
    record_sums *sums;
} summing;

static int add_trial(const locbo_record *r, void *user) {
    const summing *s = user;
    s->sums->running += r->state == LOCBO_RUNNING;
    s->sums->attempts += r->attempt;
    s->sums->retries += r->retries + r->lost;
    return record_trial(r, s->file);
}

static void record_reference(locbo_study *study, FILE *file) {
    locbo_definition d = {.struct_size = sizeof d};
    double reference[16];
    check_ok(locbo_study_definition(study, &d, &error));
    assert_true(locbo_outputs_count(d.outputs) <= 16);
    check_ok(locbo_study_reference(study, reference, &error));
    for (size_t i = 0; i < locbo_outputs_count(d.outputs); i++) fprintf(file, "reference %a\n", reference[i]);
}

static void record_study(locbo_study *study, FILE *file, record_sums *sums) {
    locbo_census c;
    summing s = {file, sums};
    check_ok(record_plan(study, file, &error));
    check_ok(locbo_study_census(study, &c, &error));
    print_census(&c, file);
    check_ok(locbo_study_each(study, NULL, add_trial, &s, &error));
    check_ok(locbo_study_each_fit(study, record_fit, file, &error));
    check_ok(locbo_study_each_curve(study, 0, record_curve, file, &error));
    check_ok(locbo_study_each_change(study, 0, record_change, file, &error));
    record_reference(study, file);
    for (uint64_t trial = 7; trial <= 8 && trial <= c.trials; trial++) /* those that run have one, or may get one */
        check_ok(locbo_study_each_output(study, trial, record_output, file, &error));
    sums->studies++;
    sums->empty += c.trials == 0;
    sums->trials += c.trials;
    sums->measurements += c.measurements;
    sums->events += c.events;
}

char *record_all(locbo_store *store, record_sums *sums) {
    char *text = NULL;
    size_t size = 0;
    names list = {0};
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    *sums = (record_sums){0};
    check_ok(locbo_store_each(store, take_name, &list, &error));
    for (size_t i = 0; i < list.count; i++) {
        locbo_study *study;
        record_name(list.name[i], file);
        check_ok(locbo_study_open(&study, store, list.name[i], &error));
        record_study(study, file, sums);
        locbo_study_close(study);
    }
    fclose(file);
    return text;
}
