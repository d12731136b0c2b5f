/* test_claims.c - verdicts on the paper's claims, from runs that are made up. */
#include "claims.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "draw.h"
#include "experiment_file.h"
#include "mem.h"

/* Nothing here has to survive a power cut, and thousands of runs are added. */
int fsync(int file) {
    (void)file;
    return 0;
}

/* ---- A stage: an experiment of the program, or one's own, with runs -------------------------- */

typedef struct stage {
    plan plan;
    char *text;
    char folder[64];
    results *results;
    claim claim;
} stage;

static void open_results(stage *s) {
    char path[256];
    snprintf(s->folder, sizeof s->folder, "/tmp/locbo-claims-XXXXXX");
    assert_non_null(mkdtemp(s->folder));
    snprintf(path, sizeof path, "%s/%s", s->folder, s->plan.name);
    assert_int_equal(mkdir(path, 0777), 0);
    check_ok(results_open(&s->results, &s->plan, s->folder, &error));
}

static void stage_load(stage *s, const char *name) {
    memset(s, 0, sizeof *s);
    check_ok(experiment_file_load(name, &s->plan, &s->text, &error));
    open_results(s);
}

static void stage_parse(stage *s, const char *text) {
    memset(s, 0, sizeof *s);
    check_ok(experiment_file_parse("own.yaml", text, strlen(text), &s->plan, &error));
    open_results(s);
}

static void remove_files(const char *path) {
    DIR *folder = opendir(path);
    char file[512];
    assert_non_null(folder);
    for (struct dirent *e = readdir(folder); e; e = readdir(folder)) {
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.') assert_int_equal(remove(file), 0);
    }
    closedir(folder);
    assert_int_equal(remove(path), 0);
}

static void stage_close(stage *s) {
    char path[256];
    claim_release(&s->claim);
    results_close(s->results);
    snprintf(path, sizeof path, "%s/%s", s->folder, s->plan.name);
    remove_files(path);
    assert_int_equal(rmdir(s->folder), 0);
    plan_release(&s->plan);
    mem_free(s->text);
}

static void stage_judge(stage *s) {
    check_ok(results_finish(s->results, &error)); /* which puts them in order */
    check_ok(claim_judge(&s->plan, s->results, &s->claim, &error));
}

/* The part whose text contains these words, which must be one only. */
static const claim_part *part_with(const stage *s, const char *words) {
    const claim_part *found = NULL;
    for (size_t i = 0; i < s->claim.parts; i++) {
        if (!strstr(s->claim.part[i].text, words)) continue;
        check_that(!found, "two parts say '%s'", words);
        found = &s->claim.part[i];
    }
    check_that(found != NULL, "no part says '%s'; the first is '%s'", words, s->claim.part[0].text);
    return found;
}

static void check_part(const stage *s, const char *words, claim_verdict verdict, const char *reason) {
    const claim_part *part = part_with(s, words);
    check_that(part->verdict == verdict, "%s: %s", claim_verdict_text(part->verdict), part->text);
    check_that(strstr(part->text, reason) != NULL, "'%s' does not say '%s'", part->text, reason);
}

static void check_all(const stage *s, claim_verdict verdict) {
    for (size_t i = 0; i < s->claim.parts; i++)
        check_that(s->claim.part[i].verdict == verdict, "%s: %s", claim_verdict_text(s->claim.part[i].verdict),
                   s->claim.part[i].text);
    assert_int_equal(s->claim.verdict, verdict);
}

/* ---- Runs with a final regret or value ------------------------------------------------------- */

/* The mean of a method (in a case, if one is named); the first row that fits counts. */
typedef struct level {
    const char *method, *case_;
    double value;
} level;

static double level_of(const level *levels, const char *method, const char *case_) {
    for (; levels->method; levels++)
        if ((!*levels->method || strcmp(levels->method, method) == 0) &&
            (!levels->case_ || strcmp(levels->case_, case_) == 0))
            return levels->value;
    fail_msg("no level for %s in %s", method, case_);
    return 0;
}

static void add_final(stage *s, size_t cell, uint64_t seed, double final) {
    size_t rounds = s->plan.task[cell].rounds;
    task_row row[2] = {{.t = 0, .observed = 9}, {.t = rounds, .observed = final}};
    task_point none;
    task_record record = {2, 0, row, &none};
    check_ok(results_add(s->results, cell, seed, &record, &error));
}

/* Level times 1 -+ spread, uniform, drawn anew for every run. */
static void fill(stage *s, const level *levels, double spread, uint64_t seeds) {
    const plan *p = &s->plan;
    for (size_t cell = 0; cell < plan_cells(p); cell++) {
        const char *method = p->method[cell % p->methods].name;
        const char *case_ = p->case_[cell / p->methods].name;
        for (uint64_t seed = 1; p->present[cell] && seed <= seeds; seed++) {
            draw d = draw_open(seed, cell);
            double factor = 1 + spread * (2 * draw_uniform(&d) - 1);
            add_final(s, cell, seed, factor * level_of(levels, method, case_));
        }
    }
}

static void play(stage *s, const char *experiment, const level *levels, double spread, uint64_t seeds) {
    stage_load(s, experiment);
    fill(s, levels, spread, seeds);
    stage_judge(s);
}

/* ---- Runs with a grid, and with bounds ------------------------------------------------------- */

typedef double width_fn(const char *case_, const char *method, double x);

enum { GRID = 101 };

/* A truth with its top at x = 2. */
static void add_grid(stage *s, size_t cell, uint64_t seed, width_fn *width) {
    const plan *p = &s->plan;
    draw d = draw_open(seed, cell);
    double factor = 1 + 0.1 * draw_uniform(&d);
    task_row row[2] = {{.t = 0, .observed = 1}, {.t = p->task[cell].rounds, .observed = 1}};
    task_point point[GRID];
    for (size_t i = 0; i < GRID; i++) {
        double x = -5 + 0.1 * (double)i,
               w = width(p->case_[cell / p->methods].name, p->method[cell % p->methods].name, x);
        /* each seed has its own small tilt, so that no two samples are the same */
        double half = 0.5 * w * (1 + 0.02 * factor * x / 5);
        point[i] = (task_point){x, -(x - 2) * (x - 2), 0, -half, half, -half, half};
    }
    task_record record = {2, GRID, row, point};
    check_ok(results_add(s->results, cell, seed, &record, &error));
}

static void play_grid(stage *s, width_fn *width, uint64_t seeds) {
    stage_load(s, "intervals");
    for (size_t cell = 0; cell < plan_cells(&s->plan); cell++)
        for (uint64_t seed = 1; seed <= seeds; seed++) add_grid(s, cell, seed, width);
    stage_judge(s);
}

/* Three rows of 10 rounds: what is covered and promised. */
typedef void rows_fn(const char *case_, const char *method, uint64_t seed, task_row row[4]);

static void play_rows(stage *s, rows_fn *change, uint64_t seeds) {
    stage_load(s, "guarantees");
    const plan *p = &s->plan;
    for (size_t cell = 0; cell < plan_cells(p); cell++)
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            task_row row[4];
            task_point none;
            double share = 0.9 + 0.01 * (double)(seed % 3);
            for (size_t i = 0; i < 4; i++)
                row[i] = (task_row){.t = 10 * i,
                                    .observed = 1,
                                    .covered = share,
                                    .covered_f = share,
                                    .interval_f = share,
                                    .utility = share,
                                    .bound = 0.5,
                                    .bound_f = 0.4};
            change(p->case_[cell / p->methods].name, p->method[cell % p->methods].name, seed, row);
            task_record record = {4, 0, row, &none};
            check_ok(results_add(s->results, cell, seed, &record, &error));
        }
    stage_judge(s);
}

static void nothing(const char *case_, const char *method, uint64_t seed, task_row row[4]) {
    (void)case_, (void)method, (void)seed, (void)row;
}

static double flat(const char *case_, const char *method, double x) {
    (void)case_, (void)method, (void)x;
    return 2;
}

/* ---- The table fits the experiments ---------------------------------------------------------- */

static int number_of(const char *experiment) {
    static const char *const names[] = {"intervals", "ackley",    "ackley-noisy", "ackley-lengthscale", "ackley-alpha",
                                        "radio",     "radio-nch", "radio-alpha",  "guarantees"};
    for (int i = 0; i < 9; i++)
        if (strcmp(names[i], experiment) == 0) return i + 1;
    return 0;
}

static void stage_one_seed(stage *s, const char *name) {
    static const level any[] = {{"", NULL, 1}, {NULL, NULL, 0}};
    if (strcmp(name, "intervals") == 0)
        play_grid(s, flat, 1);
    else if (strcmp(name, "guarantees") == 0)
        play_rows(s, nothing, 1);
    else
        play(s, name, any, 0.1, 1);
}

/* A name that the plan does not have would say "no runs". */
static void table_fits_the_experiments(void **state) {
    (void)state;
    int seen = 0;
    for (const experiment_text *e = experiment_texts; e->name; e++) {
        stage s;
        if (number_of(e->name) == 0) continue;
        stage_one_seed(&s, e->name);
        seen++;
        assert_int_equal(s.claim.number, number_of(e->name));
        assert_true(strlen(s.claim.says) > 20);
        assert_in_range(s.claim.parts, 1, 12);
        for (size_t i = 0; i < s.claim.parts; i++) {
            const char *text = s.claim.part[i].text;
            check_that(!strstr(text, "no runs"), "%s: %s", e->name, text);
            check_that(strlen(text) < CLAIM_TEXT - 1, "cut off: %s", text);
        }
        check_all(&s, CLAIM_UNDECIDED);
        stage_close(&s);
    }
    assert_int_equal(seen, 9);
}

/* The texts of full parts are whole too: the longest list with the longest numbers. */
static void texts_are_not_cut(void **state) {
    (void)state;
    static const level any[] = {{"", NULL, 123456.789}, {NULL, NULL, 0}};
    static const char *const names[] = {"radio-nch", "radio-alpha", "ackley-lengthscale"};
    for (size_t k = 0; k < 3; k++) {
        stage s;
        play(&s, names[k], any, 0.5, 10);
        for (size_t i = 0; i < s.claim.parts; i++)
            check_that(strlen(s.claim.part[i].text) < CLAIM_TEXT - 1, "cut off: %s", s.claim.part[i].text);
        stage_close(&s);
    }
}

static void other_experiments_judge_nothing(void **state) {
    (void)state;
    stage s;
    stage_load(&s, "misspecified");
    check_fails(claim_judge(&s.plan, s.results, &s.claim, &error), LOCBO_ERR_NOTHING, "misspecified");
    char path[256];
    results_close(s.results);
    snprintf(path, sizeof path, "%s/misspecified", s.folder);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(s.folder), 0);
    plan_release(&s.plan);
    mem_free(s.text);
}

static void verdicts_have_words(void **state) {
    (void)state;
    assert_string_equal(claim_verdict_text(CLAIM_REPRODUCED), "reproduced");
    assert_string_equal(claim_verdict_text(CLAIM_NOT_REPRODUCED), "not reproduced");
    assert_string_equal(claim_verdict_text(CLAIM_UNDECIDED), "undecided");
}

/* ---- Better ---------------------------------------------------------------------------------- */

#define NOISY(locbo, inf)                                                                                              \
    {                                                                                                                  \
        {"LOCBO", NULL, locbo}, {"LOCBO(l=inf)", NULL, inf}, {"BO", NULL, 1}, {"CBO", NULL, 1.1},                      \
            {"OCBO-L", NULL, 1.2}, {"OCBO", NULL, 2}, {"random", NULL, 9}, {                                           \
            NULL, NULL, 0                                                                                              \
        }                                                                                                              \
    }

static void clear_win(void **state) {
    (void)state;
    static const level levels[] = NOISY(0.3, 1);
    stage s;
    play(&s, "ackley-noisy", levels, 0.2, 30);
    check_all(&s, CLAIM_REPRODUCED);
    check_part(&s, "LOCBO below BO", CLAIM_REPRODUCED, ", 30 seeds");
    stage_close(&s);
}

/* Ten seeds that all agree have p = 2/1024 in each of the nine tests; Holm makes nine
 * times as much of it. */
static void tests_are_corrected(void **state) {
    (void)state;
    static const level levels[] = NOISY(0.3, 1);
    stage s;
    play(&s, "ackley-noisy", levels, 0.001, 10);
    check_part(&s, "LOCBO below BO", CLAIM_REPRODUCED, ": 0.3 against 1, mean difference -0.7 [");
    check_part(&s, "LOCBO below BO", CLAIM_REPRODUCED, "ratio 0.3 [0.3, 0.3], p (Holm) = 0.018, 10 seeds");
    stage_close(&s);
}

static void clear_loss(void **state) {
    (void)state;
    static const level levels[] = NOISY(1.5, 1);
    stage s;
    play(&s, "ackley-noisy", levels, 0.2, 30);
    check_part(&s, "LOCBO below BO", CLAIM_NOT_REPRODUCED, "the other way round");
    check_part(&s, "LOCBO below 0.5 of", CLAIM_NOT_REPRODUCED, "ratio 1.5");
    check_part(&s, "LOCBO below OCBO:", CLAIM_REPRODUCED, "p (Holm) < 0.0001");
    assert_int_equal(s.claim.verdict, CLAIM_NOT_REPRODUCED);
    stage_close(&s);
}

static void equal_with_many_seeds(void **state) {
    (void)state;
    static const level levels[] = NOISY(1, 1);
    stage s;
    play(&s, "ackley-noisy", levels, 0.2, 60);
    check_part(&s, "LOCBO below BO", CLAIM_NOT_REPRODUCED, "no relevant difference");
    stage_close(&s);
}

static void equal_with_few_seeds(void **state) {
    (void)state;
    static const level levels[] = NOISY(1, 1);
    stage s;
    play(&s, "ackley-noisy", levels, 0.2, 9);
    check_all(&s, CLAIM_UNDECIDED);
    check_part(&s, "LOCBO below BO", CLAIM_UNDECIDED, ": 9 seeds, at least 10 are needed");
    stage_close(&s);
    play(&s, "ackley-noisy", levels, 0.9, 12);
    check_part(&s, "LOCBO below BO", CLAIM_UNDECIDED, ", 12 seeds");
    stage_close(&s);
}

/* Ratios of zeros are not numbers, and yet there is no difference. */
static void equal_at_zero(void **state) {
    (void)state;
    static const level levels[] = {{"", NULL, 0}, {NULL, NULL, 0}};
    stage s;
    play(&s, "ackley-noisy", levels, 0, 12);
    check_part(&s, "LOCBO below BO", CLAIM_NOT_REPRODUCED, "no relevant difference");
    stage_close(&s);
}

/* Somewhat worse or better, too uncertain to be significant, too far off to be called equal. */
static void check_uncertain(double locbo) {
    const level levels[] = {{"OCBO", NULL, 2}, {"LOCBO", NULL, locbo}, {"", NULL, 1}, {NULL, NULL, 0}};
    stage s;
    play(&s, "ackley-noisy", levels, 0.5, 30);
    check_part(&s, "LOCBO below BO", CLAIM_UNDECIDED, ", 30 seeds");
    stage_close(&s);
}

static void uncertain(void **state) {
    (void)state;
    check_uncertain(1.12);
    check_uncertain(0.87);
}

/* Better in 55 of 60 seeds, much worse in five: ranks and mean disagree. */
static void ranks_without_means(void **state) {
    (void)state;
    stage s;
    stage_load(&s, "ackley-noisy");
    size_t bo = plan_find_method(&s.plan, "BO"), locbo = plan_find_method(&s.plan, "LOCBO");
    for (uint64_t seed = 1; seed <= 60; seed++) {
        add_final(&s, bo, seed, 1 + 0.001 * (double)seed);
        add_final(&s, locbo, seed, seed % 12 == 0 ? 3.2 : 0.8);
    }
    stage_judge(&s);
    check_part(&s, "LOCBO below BO", CLAIM_UNDECIDED, "p (Holm) < 0.0001");
    check_part(&s, "LOCBO below CBO", CLAIM_UNDECIDED, ": no runs");
    stage_close(&s);
}

/* Only seeds that both have count. */
static void common_seeds(void **state) {
    (void)state;
    stage s;
    stage_load(&s, "ackley-noisy");
    size_t bo = plan_find_method(&s.plan, "BO"), locbo = plan_find_method(&s.plan, "LOCBO");
    for (uint64_t seed = 1; seed <= 20; seed++) add_final(&s, bo, seed, seed <= 8 ? 100 : 2);
    for (uint64_t seed = 9; seed <= 40; seed++) add_final(&s, locbo, seed, seed <= 20 ? 1 : 100);
    stage_judge(&s);
    check_part(&s, "LOCBO below BO", CLAIM_REPRODUCED, ": 1 against 2, ");
    check_part(&s, "LOCBO below BO", CLAIM_REPRODUCED, ", 12 seeds");
    stage_close(&s);
}

/* A plan that the user has cut down. */
static void missing_methods(void **state) {
    (void)state;
    stage s;
    stage_parse(&s, "name: ackley-noisy\n"
                    "settings: {problem: ackley-paper, rounds: 3}\n"
                    "methods:\n"
                    "  BO: {method: bo}\n"
                    "  LOCBO: {method: locbo}\n");
    static const level levels[] = NOISY(0.3, 1);
    fill(&s, levels, 0.1, 12);
    stage_judge(&s);
    check_part(&s, "LOCBO below BO", CLAIM_REPRODUCED, "12 seeds");
    check_part(&s, "LOCBO below OCBO:", CLAIM_UNDECIDED, "no runs");
    check_part(&s, "LOCBO below 0.5 of", CLAIM_UNDECIDED, "no runs");
    assert_int_equal(s.claim.verdict, CLAIM_UNDECIDED);
    stage_close(&s);
}

/* ---- Ratios ---------------------------------------------------------------------------------- */

static void check_half(double locbo, claim_verdict verdict) {
    const level levels[] = NOISY(locbo, 1);
    stage s;
    play(&s, "ackley-noisy", levels, 0.3, 30);
    check_part(&s, "LOCBO below 0.5 of LOCBO(l=inf)", verdict, "ratio");
    stage_close(&s);
}

static void half(void **state) {
    (void)state;
    check_half(0.4, CLAIM_REPRODUCED);
    check_half(0.5, CLAIM_UNDECIDED);
    check_half(0.6, CLAIM_NOT_REPRODUCED);
}

/* Without noise: calibrated methods ahead of BO and alike. */
static void similar_and_unbeaten(void **state) {
    (void)state;
    static const level as_claimed[] = {
        {"BO", NULL, 2}, {"CBO", NULL, 2}, {"random", NULL, 9}, {"", NULL, 1}, {NULL, NULL, 0}};
    stage s;
    play(&s, "ackley", as_claimed, 0.2, 60);
    check_all(&s, CLAIM_REPRODUCED);
    stage_close(&s);
    static const level other[] = {{"BO", NULL, 2},     {"CBO", NULL, 1.5}, {"OCBO", NULL, 0.5}, {"OCBO-L", NULL, 0.7},
                                  {"random", NULL, 9}, {"", NULL, 1},      {NULL, NULL, 0}};
    play(&s, "ackley", other, 0.2, 60);
    check_part(&s, "BO not beaten by CBO", CLAIM_NOT_REPRODUCED, "ratio 1.3");
    check_part(&s, "LOCBO not beaten by 5 others, best OCBO", CLAIM_NOT_REPRODUCED,
               "true for 3, not for 2, undecided 0");
    check_part(&s, "OCBO within 20 % of LOCBO:", CLAIM_NOT_REPRODUCED, "ratio 0.5");
    check_part(&s, "OCBO-L within 20 % of OCBO", CLAIM_NOT_REPRODUCED, "ratio 1.3");
    check_part(&s, "LOCBO within 20 % of LOCBO(l=inf)", CLAIM_REPRODUCED, "60 seeds");
    stage_close(&s);
}

#define RADIO(locbo)                                                                                                   \
    {                                                                                                                  \
        {"LOCBO", NULL, locbo}, {"LOCBO(l=inf)", NULL, 1}, {"BO", NULL, 0.95}, {"CBO", NULL, 0.92},                    \
            {"OCBO-L", NULL, 1}, {"OCBO", NULL, 0.92}, {"random", NULL, 0.5}, {                                        \
            NULL, NULL, 0                                                                                              \
        }                                                                                                              \
    }

static void gains(void **state) {
    (void)state;
    static const level as_claimed[] = RADIO(1.1), little[] = RADIO(1.02);
    stage s;
    play(&s, "radio", as_claimed, 0.05, 30);
    check_all(&s, CLAIM_REPRODUCED);
    check_part(&s, "OCBO-L above random", CLAIM_REPRODUCED, "mean difference 0.4");
    stage_close(&s);
    play(&s, "radio", little, 0.02, 30);
    check_part(&s, "LOCBO about 10 % above LOCBO(l=inf)", CLAIM_NOT_REPRODUCED, "ratio 1.02");
    check_part(&s, "LOCBO about 20 % above CBO", CLAIM_REPRODUCED, "ratio 1.1");
    stage_close(&s);
}

/* ---- Sweeps ---------------------------------------------------------------------------------- */

static void length_scales(void **state) {
    (void)state;
    static const level valley[] = {{"BO", NULL, 3},       {"LOCBO", "l=1", 1.8}, {"LOCBO", "l=2", 1.6},
                                   {"LOCBO", "l=3", 1.3}, {"LOCBO", "l=5", 1},   {"LOCBO", "l=inf", 2},
                                   {"LOCBO", NULL, 1.5},  {NULL, NULL, 0}};
    static const level slope[] = {{"BO", NULL, 3},       {"LOCBO", "l=1", 0.6}, {"LOCBO", "l=2", 0.7},
                                  {"LOCBO", "l=3", 0.8}, {"LOCBO", "l=5", 1},   {"LOCBO", "l=inf", 2},
                                  {"LOCBO", NULL, 1.5},  {NULL, NULL, 0}};
    stage s;
    play(&s, "ackley-lengthscale", valley, 0.3, 40);
    check_all(&s, CLAIM_REPRODUCED);
    stage_close(&s);
    play(&s, "ackley-lengthscale", slope, 0.3, 40);
    check_part(&s, "LOCBO: l=5 below l=inf", CLAIM_REPRODUCED, "p (Holm) < 0.0001");
    check_part(&s, "LOCBO: mean of (l=1, l=2, l=3, l=5, l=7, l=10, l=20) below l=inf", CLAIM_REPRODUCED, "1.0");
    check_part(&s, "LOCBO: l=5 not beaten by 7 others, best l=1", CLAIM_NOT_REPRODUCED, "not for 3");
    check_part(&s, "LOCBO: l=5 below mean of (l=1, l=2, l=3)", CLAIM_NOT_REPRODUCED, "the other way round");
    stage_close(&s);
}

static void alphas(void **state) {
    (void)state;
    static const level as_claimed[] = {{"LOCBO", NULL, 1}, {"", NULL, 2}, {NULL, NULL, 0}};
    static const level other[] = {
        {"LOCBO", "alpha=0.5", 1.9}, {"LOCBO", NULL, 1}, {"CBO", "alpha=0.1", 0.9}, {"", NULL, 2}, {NULL, NULL, 0}};
    stage s;
    play(&s, "ackley-alpha", as_claimed, 0.2, 40);
    check_all(&s, CLAIM_REPRODUCED);
    stage_close(&s);
    play(&s, "ackley-alpha", other, 0.1, 40);
    check_part(&s, "alpha=0.05: LOCBO below all 5 others", CLAIM_REPRODUCED, "true for 5");
    check_part(&s, "alpha=0.1: LOCBO below all 5 others, best CBO", CLAIM_NOT_REPRODUCED, "true for 4, not for 1");
    check_part(&s, "LOCBO steady within 20 % over the cases, alpha=0.", CLAIM_NOT_REPRODUCED, "over alpha=0.5");
    check_part(&s, "LOCBO(l=inf) steady", CLAIM_REPRODUCED, "40 seeds");
    stage_close(&s);
}

static void channel_draws(void **state) {
    (void)state;
    static const level levels[] = {{"random", NULL, 3}, {"LOCBO", "nch=1", 6}, {"LOCBO", "nch=2", 6.5},
                                   {"LOCBO", NULL, 7},  {"BO", "nch=1", 4},    {"BO", "nch=2", 4.4},
                                   {"BO", NULL, 4.8},   {"", "nch=1", 5},      {"", "nch=2", 5.4},
                                   {"", NULL, 5.8},     {NULL, NULL, 0}};
    stage s;
    play(&s, "radio-nch", levels, 0.1, 15);
    check_all(&s, CLAIM_REPRODUCED);
    check_part(&s, "OCBO-L, LOCBO): nch=4 above nch=2", CLAIM_REPRODUCED, "15 seeds");
    stage_close(&s);
}

static void radio_alphas(void **state) {
    (void)state;
    static const level levels[] = {{"random", NULL, 3},  {"LOCBO", "alpha=0.15", 6},
                                   {"LOCBO", NULL, 6.3}, {"", "alpha=0.15", 4},
                                   {"", NULL, 4.2},      {NULL, NULL, 0}};
    stage s;
    play(&s, "radio-alpha", levels, 0.02, 15);
    check_all(&s, CLAIM_REPRODUCED);
    stage_close(&s);
}

/* ---- Intervals ------------------------------------------------------------------------------- */

static double narrower(const char *case_, const char *method, double x) {
    (void)case_;
    return strcmp(method, "kappa=2") == 0 && fabs(x - 2) < 0.8 ? 1 : 2;
}

static double hilly(const char *case_, const char *method, double x) {
    (void)case_, (void)method;
    return 2 + 1.5 * sin(x);
}

/* Two of 101 without an end, which count as wide as the rest. */
static double endless(const char *case_, const char *method, double x) {
    return x > 4.85 ? (double)INFINITY : narrower(case_, method, x);
}

static double empty(const char *case_, const char *method, double x) {
    (void)case_, (void)method, (void)x;
    return (double)INFINITY;
}

static void widths_as_claimed(void **state) {
    (void)state;
    stage s;
    play_grid(&s, narrower, 12);
    check_all(&s, CLAIM_REPRODUCED);
    assert_int_equal(s.claim.parts, 6);
    /* 15 of 101 are 1 wide, the others 2, so near over mean is 101/187, but for the tilt */
    check_part(&s, "eta0=0.005: kappa=2 below 1", CLAIM_REPRODUCED, "0.54");
    stage_close(&s);
    play_grid(&s, endless, 12);
    check_all(&s, CLAIM_REPRODUCED);
    check_part(&s, "eta0=0.05: kappa=0 of even width", CLAIM_REPRODUCED, ", 24 intervals without an end");
    stage_close(&s);
}

static void widths_otherwise(void **state) {
    (void)state;
    stage s;
    play_grid(&s, flat, 12);
    check_part(&s, "eta0=0.05: kappa=2 below 1", CLAIM_NOT_REPRODUCED, "");
    check_part(&s, "eta0=0.05: kappa=2 below kappa=0", CLAIM_NOT_REPRODUCED, "no relevant difference");
    stage_close(&s);
    play_grid(&s, hilly, 12);
    check_part(&s, "eta0=0.005: kappa=0 of even width", CLAIM_NOT_REPRODUCED, "12 seeds");
    stage_close(&s);
    play_grid(&s, empty, 12);
    check_part(&s, "eta0=0.005: kappa=0 of even width", CLAIM_UNDECIDED, "no runs");
    stage_close(&s);
}

/* ---- Guarantees ------------------------------------------------------------------------------ */

/* One run of one case covers little in its first rounds, and makes up for it in the end. */
static void break_once(const char *case_, const char *method, uint64_t seed, task_row row[4]) {
    if (seed == 7 && strcmp(case_, "student") == 0 && strcmp(method, "kappa=0.05") == 0) row[1].covered = 0.4;
}

static void no_bound_if_skewed(const char *case_, const char *method, uint64_t seed, task_row row[4]) {
    (void)method, (void)seed;
    for (size_t i = 0; i < 4 && strcmp(case_, "skewed") == 0; i++) row[i].bound = row[i].bound_f = (double)NAN;
}

static void no_bound(const char *case_, const char *method, uint64_t seed, task_row row[4]) {
    no_bound_if_skewed("skewed", method, seed, row);
    (void)case_;
}

/* A promise to cover at least nothing is none. */
static void empty_promise(const char *case_, const char *method, uint64_t seed, task_row row[4]) {
    (void)case_, (void)method, (void)seed;
    for (size_t i = 0; i < 4; i++) row[i].bound = row[i].bound_f = -0.2;
}

static void low_in_one_case(const char *case_, const char *method, uint64_t seed, task_row row[4]) {
    (void)seed, (void)method;
    for (size_t i = 0; i < 4 && strcmp(case_, "clean") == 0; i++) row[i].covered_f = 0.3;
}

static void guarantees_hold(void **state) {
    (void)state;
    stage s;
    play_rows(&s, nothing, 12);
    check_all(&s, CLAIM_REPRODUCED);
    check_part(&s, "Lemma 1, kappa=0.05", CLAIM_REPRODUCED, "48 of 48 runs hold");
    check_part(&s, "Lemma 1, kappa=0.05", CLAIM_REPRODUCED, "least margin 0.4 (seed 3)");
    check_part(&s, "Theorem 1, kappa=0:", CLAIM_REPRODUCED, "; student 0.910 [");
    check_part(&s, "Theorem 1, kappa=0:", CLAIM_REPRODUCED, "] against 0.400");
    stage_close(&s);
}

static void guarantee_broken_once(void **state) {
    (void)state;
    stage s;
    play_rows(&s, break_once, 12);
    check_part(&s, "Lemma 1, kappa=0.05", CLAIM_NOT_REPRODUCED, "47 of 48 runs hold");
    check_part(&s, "Lemma 1, kappa=0.05", CLAIM_NOT_REPRODUCED, "least margin -0.1 (seed 7)");
    check_part(&s, "online CP, kappa=0", CLAIM_REPRODUCED, "48 of 48");
    assert_int_equal(s.claim.verdict, CLAIM_NOT_REPRODUCED);
    stage_close(&s);
}

static void guarantee_without_bound(void **state) {
    (void)state;
    stage s;
    play_rows(&s, no_bound_if_skewed, 12);
    check_all(&s, CLAIM_REPRODUCED);
    check_part(&s, "Lemma 1, kappa=0.05", CLAIM_REPRODUCED, "36 of 36 runs hold");
    check_part(&s, "Lemma 1, kappa=0.05", CLAIM_REPRODUCED, "no bound for 12 runs");
    check_part(&s, "Lemma 2, kappa=0.05", CLAIM_REPRODUCED, "skewed: no bound");
    stage_close(&s);
    play_rows(&s, no_bound, 12);
    check_all(&s, CLAIM_UNDECIDED);
    stage_close(&s);
    play_rows(&s, empty_promise, 12);
    check_all(&s, CLAIM_UNDECIDED);
    check_part(&s, "Lemma 1, kappa=0.05", CLAIM_UNDECIDED, "no bound for 48 runs");
    check_part(&s, "Lemma 2, kappa=0.05", CLAIM_UNDECIDED, "clean: no bound");
    stage_close(&s);
}

static void guarantee_on_average(void **state) {
    (void)state;
    stage s;
    play_rows(&s, low_in_one_case, 12);
    check_part(&s, "Lemma 2, kappa=0.05", CLAIM_NOT_REPRODUCED, "clean 0.300 [");
    check_part(&s, "Theorem 1, kappa=0.05", CLAIM_REPRODUCED, "clean 0.910 [");
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_fits_the_experiments),
        cmocka_unit_test(texts_are_not_cut),
        cmocka_unit_test(other_experiments_judge_nothing),
        cmocka_unit_test(verdicts_have_words),
        cmocka_unit_test(clear_win),
        cmocka_unit_test(tests_are_corrected),
        cmocka_unit_test(clear_loss),
        cmocka_unit_test(equal_with_many_seeds),
        cmocka_unit_test(equal_with_few_seeds),
        cmocka_unit_test(equal_at_zero),
        cmocka_unit_test(uncertain),
        cmocka_unit_test(ranks_without_means),
        cmocka_unit_test(common_seeds),
        cmocka_unit_test(missing_methods),
        cmocka_unit_test(half),
        cmocka_unit_test(similar_and_unbeaten),
        cmocka_unit_test(gains),
        cmocka_unit_test(length_scales),
        cmocka_unit_test(alphas),
        cmocka_unit_test(channel_draws),
        cmocka_unit_test(radio_alphas),
        cmocka_unit_test(widths_as_claimed),
        cmocka_unit_test(widths_otherwise),
        cmocka_unit_test(guarantees_hold),
        cmocka_unit_test(guarantee_broken_once),
        cmocka_unit_test(guarantee_without_bound),
        cmocka_unit_test(guarantee_on_average),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
