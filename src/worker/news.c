/* news.c - what others changed in a study, in words. Layer: worker. */
#include "news.h"

#include <stdio.h>

typedef struct looking {
    unsigned kinds;
    news found;
} looking;

static int keep(const locbo_change *c, void *user) {
    looking *l = user;
    news *n = &l->found;
    if (!(l->kinds & 1u << c->kind)) return 0;
    n->event = c->event;
    n->kind = c->kind;
    snprintf(n->by, sizeof n->by, "%s%.80s", c->author[0] ? " by " : "", c->author);
    snprintf(n->why, sizeof n->why, "%s%.160s", c->text[0] ? ": " : "", c->text);
    return 0;
}

static int keep_first(const locbo_change *c, void *user) {
    keep(c, user);
    return 1;
}

news news_last(locbo_study *study, unsigned kinds, uint64_t after) {
    looking l = {.kinds = kinds};
    locbo_study_each_change(study, after, keep, &l, NULL);
    return l.found;
}

news news_of(locbo_study *study, uint64_t event) {
    looking l = {.kinds = ~0u};
    if (event > 0) locbo_study_each_change(study, event - 1, keep_first, &l, NULL);
    return l.found.event == event ? l.found : (news){.event = 0};
}
