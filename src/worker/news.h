/* news.h - what others changed in a study, in words for those who watch a worker. */
#ifndef NEWS_H
#define NEWS_H

#include <locbo/study.h>

typedef struct news {
    uint64_t event; /* 0: there is none */
    locbo_change_kind kind;
    char by[96];    /* " by ann@lab3", or "" */
    char why[176];  /* ": the reason", or "" */
    char what[240]; /* of an alteration: " (x: float(0,1) -> float(0,2); ...)", as much as there is room for; or "" */
} news;

/* The last change of some kinds (bits 1 << kind) that has an event number above `after`. */
news news_last(locbo_study *study, unsigned kinds, uint64_t after);
/* The change that is event number `event`, if it is no alteration. */
news news_of(locbo_study *study, uint64_t event);

#endif
