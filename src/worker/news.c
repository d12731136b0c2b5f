/* news.c - what others changed in a study, in words. Layer: worker. */
#include "news.h"

#include <stdio.h>
#include <string.h>

#include "difference.h"
#include "reading.h"

typedef struct looking {
    unsigned kinds;
    locbo_definition now;
    news found;
} looking;

/* What an alteration changed. `now` names the outputs, if it is one of the plan alone. */
static void describe(const locbo_change *c, const locbo_definition *now, news *n) {
    const locbo_definition *before = c->before ? c->before : now, *after = c->before ? c->after : now;
    difference d = {.count = 0};
    char line[sizeof n->what - 32];
    if (difference_find(before, after, c->plan_before, c->plan_after, &d, NULL) == LOCBO_OK && d.count > 0) {
        reading_clean(line, sizeof line, d.lines[0], strlen(d.lines[0]));
        snprintf(n->what, sizeof n->what, " (%s", line);
        size_t used = strlen(n->what);
        if (d.count > 1)
            snprintf(n->what + used, sizeof n->what - used, "; and %zu more)", d.count - 1);
        else
            snprintf(n->what + used, sizeof n->what - used, ")");
    }
    difference_release(&d);
}

static int keep(const locbo_change *c, void *user) {
    looking *l = user;
    news *n = &l->found;
    if (!(l->kinds & 1u << c->kind)) return 0;
    n->event = c->event;
    n->kind = c->kind;
    snprintf(n->by, sizeof n->by, "%s%.80s", c->author[0] ? " by " : "", c->author);
    snprintf(n->why, sizeof n->why, "%s%.160s", c->text[0] ? ": " : "", c->text);
    n->what[0] = '\0';
    if (c->kind == LOCBO_CHANGE_ALTER) describe(c, &l->now, n);
    return 0;
}

static int keep_first(const locbo_change *c, void *user) {
    keep(c, user);
    return 1;
}

news news_last(locbo_study *study, unsigned kinds, uint64_t after) {
    looking l = {.kinds = kinds, .now = {.struct_size = sizeof l.now}};
    if (locbo_study_definition(study, &l.now, NULL) == LOCBO_OK) locbo_study_each_change(study, after, keep, &l, NULL);
    return l.found;
}

news news_of(locbo_study *study, uint64_t event) {
    looking l = {.kinds = ~0u & ~(1u << LOCBO_CHANGE_ALTER)};
    if (event > 0) locbo_study_each_change(study, event - 1, keep_first, &l, NULL);
    return l.found.event == event ? l.found : (news){.event = 0};
}
