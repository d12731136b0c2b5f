/* verdict.c - see verdict.h. */
#include "verdict.h"

#include <stdlib.h>
#include <string.h>

const char *const verdict_names[OUTCOMES] = {"done",   "not done",           "unsure",      "LOST",        "DOUBLED",
                                             "ORPHAN", "REFUSED BUT STORED", "EMPTY STUDY", "WRONG ANSWER"};

void verdict_release(result *r) {
    free(r->answer);
    free(r->state);
    free(r->kinds);
    free(r->crashed);
}

/* Whether the answer says that the call may have been done, or was, though there is an error. */
static int says_unsure(const result *r) {
    const char *words = r->error.message;
    if (r->status == LOCBO_OK) return 0;
    return strstr(words, "not known whether this was stored") || strstr(words, "the study was created");
}

static int grew(const record_sums *a, const record_sums *b) {
    return a->studies > b->studies || a->trials > b->trials || a->measurements > b->measurements ||
           a->events > b->events || a->attempts > b->attempts || a->retries > b->retries;
}

/* How many trials run that the call's worker, "b", has got. */
static size_t count_held(const char *state) {
    size_t count = 0;
    for (const char *at = state; (at = strstr(at, " worker 'b'")); at++) count++;
    return count;
}

/* Whether the answer of an ask, a line for each trial ("trial 9 attempt 1 ... x 0x1p+0 0x1p-2 ..."), is what runs. */
static int runs(const char *state, const char *line) {
    char start[64], x[96], number[32], attempt[32];
    if (sscanf(line, "trial %31s attempt %31s", number, attempt) != 2) return 0;
    snprintf(start, sizeof start, "trial %s RUNNING ", number);
    const char *from = strstr(line, " x "), *to = strstr(line, " told "), *found = strstr(state, start);
    if (!from || !to || !found) return 0;
    snprintf(x, sizeof x, "%.*s", (int)(to - from), from);
    snprintf(start, sizeof start, " attempt %s retries", attempt);
    const char *end = strchr(found, '\n');
    return memmem(found, (size_t)(end - found), x, strlen(x)) &&
           memmem(found, (size_t)(end - found), start, strlen(start));
}

/* An ask may hand out another trial than without faults: one that waits is passed over while an earlier try, which is
 * not over yet, has locked it. */
static outcome judge_ask(const result *before, const result *once, const result *r, const char *state) {
    size_t held = count_held(state), told = 0;
    if (r->status != LOCBO_OK) {
        if (held == 0) return strcmp(state, before->state) == 0 ? NOT_DONE : WRONG;
        return held > count_held(once->state) ? ORPHAN : says_unsure(r) ? UNSURE : REFUSED;
    }
    for (const char *line = r->answer; *line; line = strchr(line, '\n') + 1, told++)
        if (!runs(state, line)) return LOST;
    return told == 0 ? WRONG : held > told ? ORPHAN : DONE;
}

static outcome judge_state(const call *c, const result *before, const result *once, const result *r, const char *state,
                           const record_sums *sums) {
    if (c->kind == CALL_ASKS) return judge_ask(before, once, r, state);
    int unchanged = strcmp(state, before->state) == 0, done = strcmp(state, once->state) == 0;
    if (r->status == LOCBO_OK && done) return strcmp(r->answer, once->answer) == 0 ? DONE : WRONG;
    if (r->status != LOCBO_OK && unchanged) return NOT_DONE;
    if (r->status != LOCBO_OK && done)
        return says_unsure(r) || c->kind == CALL_BEATS || c->kind == CALL_OPENS ? UNSURE : REFUSED;
    if (r->status != LOCBO_OK && sums->empty > before->sums.empty) return EMPTY;
    if (grew(sums, &once->sums)) return DOUBLED;
    return r->status == LOCBO_OK ? LOST : WRONG;
}

outcome verdict_find(const call *c, manner how, const result *before, const result *once, const result *r) {
    outcome now = judge_state(c, before, once, r, r->state, &r->sums);
    if (how == REPEATING && (now == NOT_DONE || now == UNSURE)) return WRONG; /* a repeated call succeeds */
    if (!r->crashed) return now;
    outcome later = judge_state(c, before, once, r, r->crashed, &r->crashed_sums);
    return later > now ? later : now; /* the worse one */
}
