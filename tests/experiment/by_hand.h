/* by_hand.h - results of an experiment called "hand" that a test writes itself, in a folder of its own. */
#ifndef BY_HAND_H
#define BY_HAND_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "experiment_file.h"
#include "results.h"

typedef struct scene {
    char dir[64];
    plan plan;
    results *results;
} scene;

static inline void begin(scene *s, const char *text) {
    char path[96];
    *s = (scene){.dir = "/tmp/locbo-hand-XXXXXX"};
    assert_non_null(mkdtemp(s->dir));
    check_ok(experiment_file_parse("p.yaml", text, strlen(text), &s->plan, &error));
    snprintf(path, sizeof path, "%s/hand", s->dir);
    assert_int_equal(mkdir(path, 0777), 0);
    check_ok(results_open(&s->results, &s->plan, s->dir, &error));
}

static inline void end(scene *s) {
    char path[96];
    results_close(s->results);
    plan_release(&s->plan);
    snprintf(path, sizeof path, "%s/hand/runs.csv", s->dir);
    remove(path);
    snprintf(path, sizeof path, "%s/hand", s->dir);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(s->dir), 0);
}

#endif
