/* cmd_plot.c - locbo plot: figures of a study for papers, and the numbers in them. Layer: cli, top. */
#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "moment.h"
#include "nearest.h"
#include "plot.h"
#include "session.h"

static const arg_option plot_options[] = {
    {"output", 'o', "FILE", "the picture: FILE.svg, .png or .pdf; or its numbers: FILE.csv"},
    {"csv", 0, NULL, "the numbers on standard output (no gnuplot needed)"},
    {"spreadsheet", 0, NULL, "csv: put ' before texts that a spreadsheet would take for formulas (= + - @)"},
    {"parameter", 0, "NAME", "slice: along which parameter (the most influential)"},
    {"x", 0, "NAME", "contour: the horizontal parameter (the most influential)"},
    {"y", 0, "NAME", "contour: the vertical parameter (the next one)"},
    {"of", 0, "WHAT", "contour: mean, sd, threshold, acquisition or feasible (mean)"},
    {"output-name", 0, "NAME", "of several outputs: which one (the first objective)"},
    {"at", 0, "WHERE",
     "slice, contour: values of the other parameters: recommended, best or a trial's number (recommended)"},
    {"title", 0, "TEXT", "title above the picture (none)"},
    {"key", 0, "WHERE", "beside, inside or none: where the legend is"},
    {"width", 0, "INCHES", "size of the picture, 1 to 50 (chosen by content)"},
    {"height", 0, "INCHES", "size of the picture, 1 to 50 (chosen by content)"},
    {NULL, 0, NULL, NULL}};

/* What the command line asks for. */
typedef struct request {
    const plot_kind *kind;
    const char *path; /* NULL: the numbers on standard output */
    int numbers;      /* instead of a picture */
    figure_page page;
    int key_given;
    figure_key key;
} request;

/* ---- the command line ------------------------------------------------------------------------ */

/* 0: there was a message, and the session is closed. The same for those below. */
static int read_kind(session *s, const char *name, request *r) {
    char hint[80], names[160] = "";
    nearest guess = {.word = name};
    for (size_t i = 0; plot_kinds[i]; i++) {
        if (strcmp(plot_kinds[i]->name, name) == 0) return r->kind = plot_kinds[i], 1;
        nearest_consider(&guess, plot_kinds[i]->name);
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", plot_kinds[i]->name);
    }
    nearest_hint(&guess, "", hint, sizeof hint);
    session_usage(s, "unknown figure '%s'%s; known are %s", name, hint, names);
    return 0;
}

/* An option that has no meaning here is refused, not ignored. */
static int check_idle(session *s, const request *r) {
    static const char *const of_kinds[] = {"parameter", "x", "y", "of", "at", "output-name"};
    static const char *const of_pictures[] = {"title", "key", "width", "height"};
    for (size_t i = 0; i < sizeof of_kinds / sizeof of_kinds[0]; i++) {
        char word[16];
        snprintf(word, sizeof word, " %s ", of_kinds[i]);
        if (!args_get(&s->args, of_kinds[i]) || strstr(r->kind->options, word)) continue;
        session_usage(s, "--%s is not for %s", of_kinds[i], r->kind->name);
        return 0;
    }
    for (size_t i = 0; r->numbers && i < sizeof of_pictures / sizeof of_pictures[0]; i++)
        if (args_get(&s->args, of_pictures[i])) {
            session_usage(s, "--%s is for pictures, not for numbers", of_pictures[i]);
            return 0;
        }
    return 1;
}

static int ends_in_csv(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".csv") == 0;
}

static int read_output(session *s, request *r) {
    int csv = args_get(&s->args, "csv") != NULL;
    r->path = args_get(&s->args, "output");
    r->numbers = csv || (r->path && ends_in_csv(r->path));
    int spreadsheet = args_get(&s->args, "spreadsheet") != NULL;
    output_for_spreadsheet(spreadsheet);
    if (!r->path && !csv)
        session_usage(s, "-o FILE is missing (.svg, .png, .pdf or .csv), or --csv");
    else if (r->path && csv && !ends_in_csv(r->path))
        session_usage(s, "with --csv the file ends in .csv, got '%s'", r->path);
    else if (r->path && !r->numbers && !figure_ending(r->path))
        session_usage(s, "-o must end in .svg, .png, .pdf or .csv, got '%s'", r->path);
    else if (spreadsheet && !r->numbers)
        session_usage(s, "--spreadsheet is for --csv or -o FILE.csv");
    else
        return 1;
    return 0;
}

static int read_inches(session *s, const char *option, double *inches) {
    char what[16];
    const char *text = args_get(&s->args, option);
    if (!text) return 1;
    snprintf(what, sizeof what, "--%s", option);
    if (!session_real(s, what, text, inches)) return 0;
    if (*inches >= 1 && *inches <= 50) return 1;
    session_usage(s, "%s must lie in [1, 50] inches, got %s", what, text);
    return 0;
}

static int read_key(session *s, request *r) {
    static const char *const words[] = {"none", "beside", "inside"};
    const char *text = args_get(&s->args, "key");
    r->key_given = text != NULL;
    for (int i = 0; text && i < 3; i++)
        if (strcmp(text, words[i]) == 0) return r->key = (figure_key)i, 1;
    if (text) session_usage(s, "--key must be beside, inside or none, got '%s'", text);
    return !text;
}

static int read_page(session *s, request *r) {
    r->page.width = r->kind->width;
    r->page.height = r->kind->height;
    return read_key(s, r) && read_inches(s, "width", &r->page.width) && read_inches(s, "height", &r->page.height);
}

static int read_request(session *s, request *r) {
    *r = (request){.page = {.title = args_get(&s->args, "title")}};
    return read_kind(s, args_positional(&s->args, 0), r) && read_output(s, r) && check_idle(s, r) && read_page(s, r);
}

/* ---- doing it -------------------------------------------------------------------------------- */

static const char *scratch_folder(void) {
    const char *temporary = getenv("TMPDIR");
    return temporary && temporary[0] ? temporary : "/tmp";
}

/* Returns an exit code: an error of writing has been reported. */
static int write_numbers(const request *r, plot *p) {
    output *o = output_open(OUTPUT_CSV, 0);
    if (o) r->kind->list(p, o);
    return (r->path ? output_save(o, r->path) : output_close(o)) ? EXIT_OK : EXIT_RUNTIME;
}

typedef struct gathering {
    const request *request;
    session *session;
    plot *plot;
} gathering;

static void clear(plot *p) {
    canvas_release(&p->canvas);
    json_decref(p->answer);
    json_decref(p->choices);
    cache_close(p->cache);
    p->answer = p->choices = NULL;
    p->cache = NULL;
}

/* All that the figure needs of the database. */
static locbo_status gather(void *user, locbo_error *error) {
    const gathering *g = user;
    plot *p = g->plot;
    clear(p);
    locbo_status status = cache_open(&p->cache, g->session->store, args_get(&g->session->args, "name"), error);
    if (status == LOCBO_OK) status = cache_refresh(p->cache, error);
    return status == LOCBO_OK ? g->request->kind->gather(p, error) : status;
}

static locbo_status make(const request *r, plot *p, int *code, locbo_error *error) {
    if (r->numbers) {
        *code = write_numbers(r, p);
        return LOCBO_OK;
    }
    r->kind->draw(p);
    for (size_t i = 0; r->key_given && i < p->canvas.panels; i++) p->canvas.panel[i].key = r->key;
    return canvas_save(&p->canvas, r->path, scratch_folder(), &r->page, error);
}

/* Report what was left out of a long history. */
static void say_written(const command *self, const char *path, const json_t *answer) {
    json_int_t all = json_integer_value(json_object_get(answer, "matching"));
    json_int_t shown = json_integer_value(json_object_get(answer, "shown"));
    if (all > shown)
        message_print(self->name, 0,
                      "wrote %s: %" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " trials, the extremes among them",
                      path, shown, all);
    else
        message_print(self->name, 0, "wrote %s", path);
}

static int run_plot(session *s, const request *r) {
    int code = EXIT_OK;
    locbo_error error;
    plot p = {.parameter = args_get(&s->args, "parameter"),
              .x = args_get(&s->args, "x"),
              .y = args_get(&s->args, "y"),
              .of = args_get(&s->args, "of"),
              .at = args_get(&s->args, "at"),
              .output = args_get(&s->args, "output-name")};
    gathering g = {r, s, &p};
    canvas_init(&p.canvas);
    locbo_status status = moment_read(s->store, gather, &g, &error);
    if (status == LOCBO_OK) status = make(r, &p, &code, &error);
    if (status == LOCBO_OK && code == EXIT_OK && r->path) say_written(s->self, r->path, p.answer);
    clear(&p);
    return status == LOCBO_OK ? session_close(s, code) : session_fail(s, &error);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    request r;
    locbo_error error;
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 1, 1, 1)) return s.code;
    if (!read_request(&s, &r)) return s.code; /* mistakes are reported before the database is opened */
    locbo_status status = locbo_store_open(&s.store, session_url(&s.args), LOCBO_STORE_READ_ONLY, &error);
    return status == LOCBO_OK ? run_plot(&s, &r) : session_fail(&s, &error);
}

const command command_plot = {
    .name = "plot",
    .summary = "draw a figure of the study, for papers",
    .usage = "KIND -o FILE.svg|png|pdf|csv | --csv [options]",
    .description =
        "Draws one figure, through gnuplot, or prints the numbers in it.\n\n"
        "history: the values by trial, and the best so far. intervals: the values in the intervals "
        "announced for them before they were measured. calibration: which share of them lay inside so far, "
        "the thresholds, and the model's intervals at all levels. slice: what the model believes along one "
        "parameter, the others held. contour: the same over two parameters. importance: the share "
        "of the variance of the model's mean over the space that each parameter explains, alone (first) and "
        "with its interactions (total): Sobol' indices; a rough guess with few results, and no statement "
        "about the optimum. curves: what evaluations reported step by step, and where they "
        "were ended early. pareto: of several objectives, each against each: the "
        "measured values, their front, and the front by the model with its intervals. hypervolume: the "
        "volume between the measured front and the reference point, by completed trials.\n\n"
        "Figures of one output show the first objective, or --output-name. Results below full fidelity are hollow"
        " triangles; trials that were ended early have no value, and are marked below the others (history).\n\n"
        "While there is no model the most influential parameters are the first ones. Of more "
        "than 20000 trials, 20000 are drawn, the extremes among them. Ends with 4 while there is nothing "
        "to draw, or without gnuplot.",
    .examples = "    $ locbo plot history -o history.pdf\n"
                "    $ locbo plot slice --parameter rate --at best -o rate.svg\n"
                "    $ locbo plot contour --x rate --y layers --of sd -o sd.png --width 5\n"
                "    $ locbo plot calibration --csv >calibration.csv\n"
                "    $ locbo plot curves -o curves.pdf\n"
                "    $ locbo plot pareto -o front.pdf\n",
    .options = (const arg_option *const[]){session_options, plot_options, NULL},
    .run = run,
};
