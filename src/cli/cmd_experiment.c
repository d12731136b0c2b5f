/* cmd_experiment.c - locbo experiment: the paper's experiments, listed, run and judged. Layer: cli, top. */
#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "exit_code.h"
#include "experiment_file.h"
#include "experiment_folder.h"
#include "experiment_rows.h"
#include "interrupt.h"
#include "mem.h"
#include "cost_account.h"
#include "outputs_account.h"
#include "pictures.h"
#include "runner.h"
#include "session.h"
#include "file_read.h"
#include "summary.h"
#include "value.h"

enum { PATH_ROOM = 4096 };
static const char default_out[] = "locbo-results";

static const arg_option experiment_options[] = {
    {"seeds", 's', "N", "run: how many seeds, 1 to N; default: as the experiment says"},
    {"first-seed", 0, "K",
     "run: from seed K on instead of 1: to try things without seeing the runs that will be reported"},
    {"methods", 'm', "LIST", "run: only these methods, with commas between"},
    {"cases", 'c', "LIST", "run: only these cases: NAME, FUNCTION of the cases FUNCTION+KIND, or +KIND"},
    {"table", 't', "TABLE",
     "run, show: only cases, scores, comparisons, tails, contrasts, intervals, outputs or costs; default: the page, or "
     "-f: cases"},
    {"jobs", 'j', "N", "run: processes; default: all processors"},
    {"figures", 0, "LIST",
     "run, draw: files of the figure: png, svg, pdf, csv (its numbers), gp (its script); default: png"},
    {"out", 'o', "DIR", "where the results are; default: locbo-results"},
    {"quiet", 'q', NULL, "run, draw: only errors on standard error"},
    {NULL, 0, NULL, NULL}};

static const char *out_of(const session *s) {
    const char *out = args_get(&s->args, "out");
    return out ? out : default_out;
}

/* ---- what the runs come to ---------------------------------------------------------------------- */

/* The table that --table names; returns 0 and says so if there is none. Without it: the cases. */
static int read_table(session *s, const plan *p, summary_table *table) {
    static const char *const words[] = {"cases", "scores",    "comparisons", /* as in summary_table */
                                        "tails", "contrasts", "intervals",   "outputs", "costs"};
    enum { WORDS = sizeof words / sizeof words[0] };
    const char *text = args_get(&s->args, "table");
    size_t i = 0;
    while (text && i < WORDS && strcmp(words[i], text) != 0) i++;
    *table = (summary_table)i;
    if (i == WORDS)
        message_print(
            s->self->name, 0,
            "--table takes cases, scores, comparisons, tails, contrasts, intervals, outputs or costs, found '%s'",
            text);
    else if (i == SUMMARY_OUTPUTS && !outputs_account_exists(p))
        message_print(s->self->name, 0, "experiment %s has no table outputs: no case has several outputs", p->name);
    else if (i == SUMMARY_COSTS && !cost_account_exists(p))
        message_print(s->self->name, 0, "experiment %s has no table costs: no case has a fidelity", p->name);
    else if (i > 0 && i < SUMMARY_OUTPUTS && !p->scored)
        message_print(s->self->name, 0, "experiment %s has no %s: its file has no key 'score'", p->name, text);
    else
        return 1;
    return 0;
}

/* For people: the page, or what --table names of it; for programs: the rows of one table. */
static locbo_status print_results(session *s, const plan *p, const results *r, locbo_error *error) {
    summary_table table = SUMMARY_CASES;
    read_table(s, p, &table); /* it has been checked */
    if (s->format != OUTPUT_TABLE) return experiment_rows(p, r, table, s->format, error);
    if (!args_get(&s->args, "table")) return summary_print(p, r, stdout, error);
    return summary_print_table(p, r, table, stdout, error);
}

/* Report the error, unless it has been reported; returns the exit code. */
static int fail(session *s, locbo_status status, const locbo_error *error) {
    if (!error->message[0]) return exit_code_of(status);
    return message_print(s->self->name, exit_code_of(status), "%s", error->message);
}

/* ---- run --------------------------------------------------------------------------------------- */

typedef struct watch {
    int quiet, terminal;
    double start, said;
} watch;

static void say(watch *w, const runner_state *state) {
    char left[32] = "?", spent[32];
    double elapsed = clock_now() - w->start;
    if (state->work_done > 0) duration_text(elapsed * (state->work_total - state->work_done) / state->work_done, left);
    duration_text(elapsed, spent);
    fprintf(stderr, "%s%zu/%s, %.0f %%, %s, about %s left%s", w->terminal ? "\r" : "", state->done,
            value_count(state->total, "run").text,
            100 * state->work_done / (state->work_total > 0 ? state->work_total : 1), spent, left,
            w->terminal ? "   " : "\n");
}

static int tick(const runner_state *state, void *user) {
    watch *w = user;
    double pause = w->terminal ? 0.5 : 15;
    if (!w->quiet && clock_now() - w->said >= pause) {
        w->said = clock_now();
        say(w, state);
    }
    return interrupt_count() == 0;
}

/* The next name of a list with commas, without the blanks around it; returns what follows, NULL after the last. */
static const char *next_name(const char *list, char name[64]) {
    size_t length = strcspn(list, ","), from = strspn(list, " "), to = length;
    while (to > from && list[to - 1] == ' ') to--;
    snprintf(name, 64, "%.*s", to > from ? (int)(to - from) : 0, list + from);
    return list[length] == ',' ? list + length + 1 : NULL;
}

static int report_unknown_method(session *s, const plan *p, const char *name) {
    char known[400] = "";
    for (size_t m = 0, at = 0; m < p->methods && at < sizeof known; m++)
        at += (size_t)snprintf(known + at, sizeof known - at, "%s%s", m ? ", " : "", p->method[m].name);
    message_print(s->self->name, 0, "experiment %s has no method '%s'; it has %s", p->name, name, known);
    return 0;
}

/* Which methods of the plan LIST names; an unknown one is a mistake. */
static int choose_methods(session *s, const plan *p, const char *list, char *chosen) {
    char name[64];
    while (list) {
        list = next_name(list, name);
        size_t m = plan_find_method(p, name);
        if (m == p->methods) return report_unknown_method(s, p, name);
        chosen[m] = 1;
    }
    return 1;
}

/* Whether the word names case c: all of its name, what is before its '+', or that and what follows. */
static int is_case(const plan *p, size_t c, const char *word) {
    const char *name = p->case_[c].name;
    size_t length = strlen(word);
    if (word[0] == '+') return plan_is_kind(p, c, word + 1);
    return strncmp(name, word, length) == 0 && (name[length] == '\0' || name[length] == '+');
}

/* Which cases of the plan LIST names; a name of none is a mistake. */
static int choose_cases(session *s, const plan *p, const char *list, char *chosen) {
    char name[64];
    while (list) {
        size_t found = 0;
        list = next_name(list, name);
        for (size_t c = 0; c < p->cases; c++)
            if (is_case(p, c, name)) chosen[c] = 1, found++;
        if (found > 0) continue;
        message_print(s->self->name, 0, "experiment %s has no case '%s'", p->name, name);
        return 0;
    }
    return 1;
}

static locbo_status run_all(const plan *p, results *r, runner_options *o, int quiet, locbo_error *error) {
    watch w = {quiet, isatty(STDERR_FILENO), clock_now(), clock_now()};
    size_t ran = 0;
    o->tick = tick;
    o->user = &w;
    interrupt_install();
    locbo_status status = runner_run(p, r, o, &ran, error);
    interrupt_restore();
    char spent[32];
    duration_text(clock_now() - w.start, spent);
    if (!quiet) fprintf(stderr, "%s%s done in %s\n", w.terminal ? "\r" : "", value_count(ran, "run").text, spent);
    return status;
}

static int read_numbers(session *s, const plan *p, runner_options *o) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t seeds = p->seeds, jobs = processors > 0 ? (uint64_t)processors : 1, first = 1;
    const char *text = args_get(&s->args, "seeds");
    if (text && !session_count(s, "--seeds", text, &seeds)) return 0;
    text = args_get(&s->args, "first-seed");
    if (text && !session_count(s, "--first-seed", text, &first)) return 0;
    text = args_get(&s->args, "jobs");
    if (text && !session_count(s, "--jobs", text, &jobs)) return 0;
    o->first = first;
    o->seeds = seeds;
    o->jobs = jobs < RUNNER_MOST_JOBS ? (unsigned)jobs : RUNNER_MOST_JOBS;
    return 1;
}

/* The files that --figures names, png without it; 0 after a message if one is unknown. */
static unsigned read_figures(session *s) {
    const char *list = args_get(&s->args, "figures");
    unsigned files = list ? 0 : FIGURE_PNG;
    char name[64];
    while (list) {
        size_t i = 0;
        list = next_name(list, name);
        while (i < FIGURE_FILES && strcmp(figure_endings[i], name) != 0) i++;
        if (i == FIGURE_FILES)
            return (unsigned)message_print(s->self->name, 0, "--figures takes png, svg, pdf, csv and gp, found '%s'",
                                           name);
        files |= 1u << i;
    }
    return files;
}

static void say_figures(const session *s, const char *folder, const char *name, unsigned files) {
    if (args_get(&s->args, "quiet")) return;
    fprintf(stderr, "figures:");
    for (size_t i = 0; i < FIGURE_FILES; i++)
        if (files & 1u << i) fprintf(stderr, " %s/%s.%s", folder, name, figure_endings[i]);
    fprintf(stderr, "\n");
}

/* LOCBO_ERR_NOTHING: there is no gnuplot. */
static locbo_status draw_figure(session *s, const plan *p, const results *r, const char *out, locbo_error *error) {
    char folder[PATH_ROOM];
    unsigned files = read_figures(s);
    locbo_status status = pictures_experiment(p, r, out, files, error);
    snprintf(folder, sizeof folder, "%s/%s", out, p->name);
    if (status == LOCBO_OK) say_figures(s, folder, "figure", files);
    return status;
}

/* A missing gnuplot is reported, but is no failure: the runs were asked for. */
static locbo_status draw_if_possible(session *s, const plan *p, const results *r, const char *out, locbo_error *error) {
    locbo_status status = draw_figure(s, p, r, out, error);
    if (status != LOCBO_ERR_NOTHING) return status;
    message_print(s->self->name, 0, "%s", error->message);
    return LOCBO_OK;
}

/* What is missing is run; then tables and figures are made from all there is. */
static locbo_status run_and_report(session *s, const plan *p, const char *text, runner_options *o, locbo_error *error) {
    const char *out = out_of(s);
    results *r = NULL;
    int lock = -1;
    locbo_status status = experiment_folder_claim(p, out, text, &lock, error);
    if (status != LOCBO_OK) return status;
    status = results_open(&r, p, out, error);
    if (status == LOCBO_OK) status = run_all(p, r, o, args_get(&s->args, "quiet") != NULL, error);
    if (status == LOCBO_OK) status = results_finish(r, error);
    if (status == LOCBO_OK) status = summary_write(p, r, out, args_positional(&s->args, 1), error);
    if (status == LOCBO_OK) status = print_results(s, p, r, error);
    fflush(stdout); /* drawing takes a while */
    if (status == LOCBO_OK) status = draw_if_possible(s, p, r, out, error);
    results_close(r);
    close(lock);
    return status;
}

static int run_plan(session *s, const plan *p, const char *text) {
    runner_options o = {0};
    locbo_error error;
    const char *methods = args_get(&s->args, "methods"), *cases = args_get(&s->args, "cases");
    char *chosen = mem_new(p->methods + p->cases, 1); /* the methods, then the cases */
    if (!chosen) return message_print(s->self->name, EXIT_RUNTIME, "out of memory");
    if (!read_numbers(s, p, &o) || (methods && !choose_methods(s, p, methods, chosen)) ||
        (cases && !choose_cases(s, p, cases, chosen + p->methods))) {
        mem_free(chosen);
        return EXIT_USAGE;
    }
    if (methods) o.methods = chosen;
    if (cases) o.cases = chosen + p->methods;
    locbo_status status = run_and_report(s, p, text, &o, &error);
    mem_free(chosen);
    if (status == LOCBO_OK) return EXIT_OK;
    if (status == LOCBO_ERR_STOPPED)
        return message_print(s->self->name, EXIT_INTERRUPTED, "%s; the same command continues", error.message);
    return fail(s, status, &error);
}

/* ---- show and draw ----------------------------------------------------------------------------- */

static locbo_status look(session *s, const plan *p, int drawing, locbo_error *error) {
    results *r = NULL;
    const char *out = out_of(s);
    locbo_status status = experiment_folder_check(p, out, error);
    if (status == LOCBO_ERR_NOT_FOUND) status = LOCBO_OK; /* no runs either: reported below */
    if (status == LOCBO_OK) status = results_open(&r, p, out, error);
    if (status == LOCBO_OK && results_count(r) == 0)
        status =
            status_fail(error, LOCBO_ERR_NOT_FOUND, "there are no runs in %s/%s; run locbo experiment run %s first",
                        out, p->name, args_positional(&s->args, 1));
    if (status == LOCBO_OK && drawing)
        status = draw_figure(s, p, r, out, error);
    else if (status == LOCBO_OK)
        status = print_results(s, p, r, error);
    results_close(r);
    return status;
}

static int look_plan(session *s, const plan *p, int drawing) {
    locbo_error error;
    locbo_status status = look(s, p, drawing, &error);
    return status == LOCBO_OK ? EXIT_OK : fail(s, status, &error);
}

/* The paper's explanatory figures, which are of no experiment. */
static int draw_explanation(session *s, const char *name) {
    locbo_error error;
    const char *out = out_of(s);
    unsigned files = read_figures(s);
    locbo_status status = experiment_folder_make(out, &error);
    if (status == LOCBO_OK)
        status = strcmp(name, "likelihood") == 0 ? pictures_likelihood(out, files, &error)
                                                 : pictures_deployment(out, 1, files, &error);
    if (status != LOCBO_OK) return message_print(s->self->name, exit_code_of(status), "%s", error.message);
    say_figures(s, out, name, files);
    return EXIT_OK;
}

/* ---- list -------------------------------------------------------------------------------------- */

static int list(session *s) {
    output *o = output_open(s->format, 0);
    for (const experiment_text *e = experiment_texts; e->name; e++) {
        plan p;
        locbo_error error;
        if (experiment_file_parse(e->name, e->text, strlen(e->text), &p, &error) != LOCBO_OK) {
            output_close(o);
            return message_print(s->self->name, EXIT_RUNTIME, "%s", error.message);
        }
        output_row(o,
                   json_pack("{s:s, s:I, s:I, s:I, s:s}", "experiment", p.name, "cases", (json_int_t)p.cases, "methods",
                             (json_int_t)p.methods, "seeds", (json_int_t)p.seeds, "title", p.title ? p.title : ""));
        plan_release(&p);
    }
    return output_close(o) ? EXIT_OK : EXIT_RUNTIME;
}

/* ---- the command ------------------------------------------------------------------------------- */

static int with_plan(session *s, const char *verb, const char *name) {
    plan p;
    char *text;
    locbo_error error;
    locbo_status status = experiment_file_load(name, &p, &text, &error);
    if (status != LOCBO_OK) return fail(s, status, &error);
    summary_table table;
    int code = EXIT_USAGE;
    if (read_table(s, &p, &table))
        code = strcmp(verb, "run") == 0 ? run_plan(s, &p, text) : look_plan(s, &p, strcmp(verb, "draw") == 0);
    mem_free(text);
    plan_release(&p);
    return code;
}

/* An option that has no meaning here is refused, not ignored. */
static int has_idle_option(session *s, const char *verb) {
    static const struct {
        const char *option, *verbs;
    } uses[] = {
        {"table", "run and show"}, {"figures", "run and draw"}, {"seeds", "run"}, {"methods", "run"}, {"cases", "run"},
        {"jobs", "run"},           {"first-seed", "run"}};
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (args_get(&s->args, uses[i].option) && !strstr(uses[i].verbs, verb)) {
            message_print(s->self->name, 0, "--%s is for %s, not for %s", uses[i].option, uses[i].verbs, verb);
            return 1;
        }
    return 0;
}

static int dispatch(session *s, const char *verb, const char *name) {
    int drawing = strcmp(verb, "draw") == 0;
    if (has_idle_option(s, verb) || !read_figures(s)) return EXIT_USAGE;
    if (strcmp(verb, "list") == 0)
        return name ? message_print(s->self->name, EXIT_USAGE, "list takes no name, found '%s'", name) : list(s);
    if (strcmp(verb, "run") != 0 && strcmp(verb, "show") != 0 && !drawing)
        return message_print(s->self->name, EXIT_USAGE, "expected list, run, show or draw, found '%s'", verb);
    if (!name) return message_print(s->self->name, EXIT_USAGE, "%s needs the name of an experiment", verb);
    if (drawing && (strcmp(name, "likelihood") == 0 || strcmp(name, "deployment") == 0))
        return draw_explanation(s, name);
    return with_plan(s, verb, name);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 1, 1, 2)) return s.code;
    return session_close(&s, dispatch(&s, args_positional(&s.args, 0), args_positional(&s.args, 1)));
}

const command command_experiment = {
    .name = "experiment",
    .summary = "run the paper's experiments and judge its claims",
    .usage = "list | run NAME | show NAME | draw NAME [options]",
    .description = "list: the experiments. run: does the runs that are missing, on all processors, then the "
                   "tables and the figure; NAME is one of the list, or a file (docs/experiments.md). Every "
                   "method sees the same initial points and the same noise for the same seed. Runs are saved "
                   "as they end, so the same command continues after a kill. show: means and medians with "
                   "confidence intervals, paired tests, coverage, and the verdict on the paper's claim, or, "
                   "if the file has the key 'score', scores over all cases; -f csv and -f json give the rows "
                   "of a table (--table). draw: the figure again (needs gnuplot), png or the files of --figures; "
                   "NAME may also be likelihood or deployment, two explanatory figures.",
    .examples = "    $ locbo experiment list\n"
                "    $ locbo experiment run ackley-noisy --seeds 30\n"
                "    $ locbo experiment run ackley-noisy --methods 'BO,LOCBO(l=inf)' -j 2\n"
                "    $ locbo experiment run robust-choose --cases 'camel,+student' --seeds 5\n"
                "    $ locbo experiment show ackley-noisy\n"
                "    $ locbo experiment show ackley-noisy --out experiments/results\n"
                "    $ locbo experiment show robust-choose --table scores -f csv\n"
                "    $ locbo experiment draw deployment\n"
                "    $ locbo experiment draw ackley-noisy --figures svg,csv\n",
    .options = (const arg_option *const[]){experiment_options, format_options, NULL},
    .run = run,
};
