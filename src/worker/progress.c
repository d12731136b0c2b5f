/* progress.c - how far a run is. On a terminal one line, drawn at most ten times a second; elsewhere lines for a log.
 * Layer: worker. */
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"
#include "mem.h"
#include "text.h"
#include "value.h"

enum { PART_TEXT = 112, MESSAGE = 2048, LEAST_BAR = 8, MOST_BAR = 24, DEFAULT_WIDTH = 80 };
static const double DRAW_EVERY = 0.1, LINE_EVERY = 5;
static const char BEGIN_LINE[] = "\r\033[K"; /* to its start, and empty it */

struct progress {
    int quiet, terminal, utf8;
    double opened, last; /* when; `last`: of the last line or drawing */
    uint64_t first;      /* trials that were complete at the first update: not this run's work */
    int updates;         /* whether there was one */
    int stale;           /* `state` has not been shown yet */
    progress_state state;
};

/* ---- where it goes --------------------------------------------------------------------------- */

static int is_set(const char *name) {
    const char *value = getenv(name);
    return value && *value;
}

static int can_draw(void) {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !is_set("NO_COLOR") && term && *term && strcmp(term, "dumb") != 0;
}

/* The locale is never set, so the variables are read as setlocale would. */
static int says_utf8(void) {
    const char *name = is_set("LC_ALL") ? "LC_ALL" : is_set("LC_CTYPE") ? "LC_CTYPE" : "LANG";
    const char *value = getenv(name);
    return value && (strcasestr(value, "utf-8") || strcasestr(value, "utf8"));
}

static size_t screen_width(void) {
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == -1 || size.ws_col == 0) return DEFAULT_WIDTH;
    return size.ws_col;
}

/* In one piece, so that no output of another process comes between. */
static void send(const char *text) { fwrite(text, 1, strlen(text), stderr); }

/* ---- what it says ---------------------------------------------------------------------------- */

/* Completed trials per second of this run; 0: none yet. */
static double rate_of(const progress *p) {
    double seconds = clock_now() - p->opened;
    if (p->state.done <= p->first || seconds <= 0) return 0;
    return (double)(p->state.done - p->first) / seconds;
}

static void rate_text(double rate, char *text, size_t size) {
    if (rate >= 100)
        snprintf(text, size, "%.0f/s", rate);
    else if (rate >= 0.1)
        snprintf(text, size, "%.1f/s", rate);
    else if (rate * 60 >= 0.1)
        snprintf(text, size, "%.1f/min", rate * 60);
    else
        snprintf(text, size, "%.1f/h", rate * 3600);
}

/* Returns 0 if it is not known. */
static int left_text(const progress *p, double rate, char text[32]) {
    if (rate <= 0 || p->state.total <= p->state.done) return 0;
    duration_text((double)(p->state.total - p->state.done) / rate, text);
    return 1;
}

/* "best 0.5 (trial 3)", or what there is in place of it; empty before the first result. `short_form`: for a line that
 * must be short. */
static void best_text(const progress_state *s, int short_form, char *text, size_t size) {
    char number[32];
    const char *since = short_form ? "" : ", improved";
    text[0] = '\0';
    if (s->objectives > 1 && s->points > 0) {
        int used = snprintf(text, size, "front %s", value_count(s->points, "point").text);
        value_brief(s->volume, number);
        if (!isnan(s->volume)) used += snprintf(text + used, size - (size_t)used, ", hypervolume %s", number);
        if (*since && s->since_front == 0) snprintf(text + used, size - (size_t)used, "%s by the last trial", since);
        if (*since && s->since_front > 0)
            snprintf(text + used, size - (size_t)used, "%s %s ago", since, value_count(s->since_front, "trial").text);
    } else if (!isnan(s->best)) {
        value_brief(s->best, number);
        char mean[40] = "";
        if (s->best_count > 1) snprintf(mean, sizeof mean, ", mean of %" PRIu64, s->best_count);
        snprintf(text, size, short_form ? "best %s (#%" PRIu64 "%s)" : "best %s (trial %" PRIu64 "%s)", number,
                 s->best_trial, mean);
    } else if (s->results > 0) {
        snprintf(text, size, "nothing feasible yet");
    }
}

/* "0.80", or "0.75 to 0.85" of several outputs. */
static void coverage_text(const progress_state *s, char *text, size_t size) {
    char most[16];
    snprintf(text, size, "%.2f", s->coverage);
    snprintf(most, sizeof most, "%.2f", s->coverage_most);
    if (!isnan(s->coverage_most) && strcmp(text, most) != 0) snprintf(text, size, "%.2f to %s", s->coverage, most);
}

/* A piece of the line on a terminal; of those that do not fit the one with the highest rank is left out first. */
typedef struct part {
    int rank;
    char text[PART_TEXT];
} part;

typedef struct parts {
    size_t count;
    part item[16];
} parts;

__attribute__((format(printf, 3, 4))) static void add(parts *l, int rank, const char *format, ...) {
    va_list arguments;
    part *to = &l->item[l->count++];
    to->rank = rank;
    va_start(arguments, format);
    vsnprintf(to->text, sizeof to->text, format, arguments);
    va_end(arguments);
}

static void add_count(parts *l, const progress_state *s) {
    char total[24];
    int width = snprintf(total, sizeof total, "%" PRIu64, s->total);
    if (s->total > 0)
        add(l, 0, "%*" PRIu64 "/%s", width, s->done, total);
    else
        add(l, 0, "%" PRIu64 " done", s->done);
}

/* In the order of the line. */
static void list_parts(const progress *p, parts *l) {
    const progress_state *s = &p->state;
    char text[32], best[PART_TEXT];
    double rate = rate_of(p);
    l->count = 0;
    add_count(l, s);
    if (s->total > 0) add(l, 3, "%s", ""); /* the bar, filled in when there is room */
    if (rate > 0) rate_text(rate, text, sizeof text), add(l, 8, "%s", text);
    if (left_text(p, rate, text)) add(l, 2, "left %s", text);
    best_text(s, 1, best, sizeof best);
    if (best[0]) add(l, 1, "%s", best);
    coverage_text(s, text, sizeof text);
    if (!isnan(s->coverage) && !isnan(s->target))
        add(l, 4, "coverage %s (target %.2f)", text, s->target);
    else if (!isnan(s->coverage))
        add(l, 4, "coverage %s", text);
    if (s->budget) add(l, 9, "%" PRIu64 "/%" PRIu64 " evaluations", s->ended, s->budget);
    if (s->most_cost > 0) add(l, 11, "cost %.4g/%.4g", s->cost, s->most_cost);
    if (s->time_left > 0) duration_text(s->time_left, text), add(l, 10, "time limit in %s", text);
    if (s->running) add(l, 6, "%" PRIu64 " running", s->running);
    if (s->failed) add(l, 5, "%" PRIu64 " failed", s->failed);
    if (s->infeasible) add(l, 7, "%" PRIu64 " infeasible", s->infeasible);
    if (s->pruned) add(l, 7, "%" PRIu64 " pruned", s->pruned);
}

static int is_bar(const part *p) { return p->rank == 3; }

/* With the gap before each part, and a short bar. */
static size_t width_of(const parts *l) {
    size_t width = 0;
    for (size_t i = 0; i < l->count; i++)
        width += is_bar(&l->item[i]) ? 1 + LEAST_BAR : 2 + text_width(l->item[i].text);
    return width;
}

static void drop_least(parts *l) {
    size_t least = 0;
    for (size_t i = 1; i < l->count; i++)
        if (l->item[i].rank > l->item[least].rank) least = i;
    memmove(&l->item[least], &l->item[least + 1], (--l->count - least) * sizeof l->item[0]);
}

static void draw_bar(const progress *p, size_t cells, char text[PART_TEXT]) {
    double share = (double)p->state.done / (double)p->state.total;
    size_t full = (size_t)((share < 1 ? share : 1) * (double)cells);
    const char *yes = p->utf8 ? "\xe2\x96\x88" : "#", *no = p->utf8 ? "\xe2\x96\x91" : "-";
    text[0] = '\0';
    for (size_t i = 0; i < cells; i++) strcat(text, i < full ? yes : no);
}
_Static_assert(MOST_BAR * 3 < PART_TEXT, "a bar has three bytes a cell");

/* The line for a screen, shorter than it is wide: a full last column would make some terminals begin a new line. */
static void write_line(const progress *p, size_t screen, char *line, size_t size) {
    parts l;
    list_parts(p, &l);
    while (l.count > 1 && width_of(&l) >= screen) drop_least(&l);
    size_t width = width_of(&l), used = 0;
    size_t spare = screen > width + 1 ? screen - width - 1 : 0;
    line[0] = '\0';
    for (size_t i = 0; i < l.count && used < size; i++) {
        const char *gap = is_bar(&l.item[i]) ? " " : "  ";
        size_t most = MOST_BAR - LEAST_BAR;
        if (is_bar(&l.item[i])) draw_bar(p, LEAST_BAR + (spare < most ? spare : most), l.item[i].text);
        used += (size_t)snprintf(line + used, size - used, "%s%s", gap, l.item[i].text);
    }
}

static void draw(progress *p, const char *message, const char *end) {
    char line[1024], whole[MESSAGE + sizeof line + 32];
    write_line(p, screen_width(), line, sizeof line);
    snprintf(whole, sizeof whole, "%s%s%s%s%s%s", BEGIN_LINE, message, *message ? "\n" : "", *message ? BEGIN_LINE : "",
             line, end);
    send(whole);
    p->last = clock_now();
    p->stale = 0;
}

/* ---- lines for a log ------------------------------------------------------------------------- */

/* Add to a line, with a comma before it if it is not the first. */
__attribute__((format(printf, 3, 4))) static void append(char *line, size_t size, const char *format, ...) {
    va_list arguments;
    size_t used = strlen(line);
    va_start(arguments, format);
    vsnprintf(line + used, size - used, format, arguments);
    va_end(arguments);
}

static void log_line(progress *p) {
    const progress_state *s = &p->state;
    char line[512], text[32], best[PART_TEXT];
    double rate = rate_of(p);
    snprintf(line, sizeof line, s->total ? "%" PRIu64 "/%" PRIu64 : "%" PRIu64 " done,", s->done, s->total);
    best_text(s, 0, best, sizeof best);
    append(line, sizeof line, " %s", best[0] ? best : "no result yet");
    if (rate > 0) rate_text(rate, text, sizeof text), append(line, sizeof line, ", %s", text);
    if (left_text(p, rate, text)) append(line, sizeof line, ", %s left", text);
    if (s->budget) append(line, sizeof line, ", %" PRIu64 "/%" PRIu64 " evaluations", s->ended, s->budget);
    if (s->most_cost > 0) append(line, sizeof line, ", cost %.4g/%.4g", s->cost, s->most_cost);
    if (s->time_left > 0) duration_text(s->time_left, text), append(line, sizeof line, ", time limit in %s", text);
    coverage_text(s, text, sizeof text);
    if (!isnan(s->coverage)) append(line, sizeof line, ", coverage %s", text);
    if (!isnan(s->coverage) && !isnan(s->target)) append(line, sizeof line, " of %.2f", s->target);
    if (s->failed) append(line, sizeof line, ", %" PRIu64 " failed", s->failed);
    if (s->infeasible) append(line, sizeof line, ", %" PRIu64 " infeasible", s->infeasible);
    if (s->pruned) append(line, sizeof line, ", %" PRIu64 " pruned", s->pruned);
    append(line, sizeof line, "\n");
    send(line);
    p->last = clock_now();
    p->stale = 0;
}

/* Whether trials have ended since: what is running changes all the time and is not logged. */
static int has_news(const progress_state *a, const progress_state *b) {
    return a->done != b->done || a->failed != b->failed || a->infeasible != b->infeasible || a->total != b->total;
}

static int is_new_best(const progress *p, const progress_state *s) {
    if (isnan(s->best)) return 0;
    return !p->updates || !(p->state.best == s->best) || p->state.best_trial != s->best_trial;
}

/* ---- the whole ------------------------------------------------------------------------------- */

progress *progress_open(int quiet) {
    progress *p = mem_new(1, sizeof *p);
    if (!p) return NULL; /* a run works without it */
    p->quiet = quiet;
    p->terminal = can_draw();
    p->utf8 = says_utf8();
    p->opened = p->last = clock_now();
    return p;
}

void progress_update(progress *p, const progress_state *state) {
    if (!p || p->quiet) return;
    int best = is_new_best(p, state), first = !p->updates;
    if (first) p->first = state->done;
    if (p->terminal || first || best || has_news(&p->state, state)) p->stale = 1;
    p->state = *state;
    p->updates = 1;
    double waited = clock_now() - p->last;
    if (p->terminal && (first || waited >= DRAW_EVERY))
        draw(p, "", "");
    else if (!p->terminal && (best || (p->stale && waited >= LINE_EVERY)))
        log_line(p);
}

void progress_say(progress *p, const char *format, ...) {
    char message[MESSAGE];
    va_list arguments;
    if (p && p->quiet) return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message - 1, format, arguments);
    va_end(arguments);
    text_clean(message);
    if (p && p->terminal && p->updates) {
        draw(p, message, "");
        return;
    }
    strcat(message, "\n");
    send(message);
}

void progress_close(progress *p) {
    if (!p) return;
    if (!p->quiet && p->updates && p->terminal) draw(p, "", "\n");
    if (!p->quiet && p->updates && !p->terminal && p->stale) log_line(p);
    mem_free(p);
}
