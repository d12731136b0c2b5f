/* test_model - random sequences of calls against a model of a study.
 *
 *     test_model                 for a few seconds, or for SOAK seconds
 *     test_model --seed SEED     one sequence
 *     test_model --crowd SEED    one round of processes side by side
 *     test_model --replay FILE   a sequence as text, as a failure prints it
 *
 * On a SQLite file of its own, or on the server of LOCBO_TEST_DB (tests/with-postgres). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "crowd.h"
#include "playback.h"

static playback_figures figures;
static crowd_figures crowd;

static int fails(const sequence *s, void *user) {
    playback_figures ignored = {0};
    (void)user;
    char why[DATABASE_WHY];
    return playback_run(s, 1, NULL, &ignored, why);
}

/* The shortest sequence that fails, each operation with its answer. */
static int report(sequence *s, uint64_t seed) {
    char why[DATABASE_WHY];
    playback_figures ignored = {0};
    if (fails(s, NULL)) sequence_shrink(s, fails, NULL);
    printf("FAILED, seed %" PRIu64 "; the shortest sequence that fails (--replay runs it again):\n", seed);
    if (!playback_run(s, 1, stdout, &ignored, why)) snprintf(why, sizeof why, "it does not fail every time");
    printf("# %s\n", why);
    return 1;
}

static int run_seed(uint64_t seed) {
    static sequence s;
    char why[DATABASE_WHY];
    sequence_draw(&s, seed);
    return playback_run(&s, 0, NULL, &figures, why) ? report(&s, seed) : 0;
}

static int replay(const char *path) {
    static sequence s;
    char why[DATABASE_WHY];
    FILE *from = fopen(path, "r");
    if (!from || !sequence_read(&s, from)) {
        fprintf(stderr, "%s is not a sequence of operations\n", path);
        return 2;
    }
    fclose(from);
    int failed = playback_run(&s, 1, stdout, &figures, why);
    printf("# %s\n", failed ? why : "as the model says");
    return failed;
}

/* Sequences for half of the time, processes side by side for the other half. */
static int run_for(double seconds) {
    const char *given = getenv("MODEL_SEED");
    uint64_t first = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL), n = 0;
    int failed = 0;
    printf("from seed %" PRIu64 " on\n", first);
    for (double end = clock_now() + seconds / 2; clock_now() < end && !failed; n++) failed = run_seed(first + n);
    for (double end = clock_now() + seconds / 2; clock_now() < end && !failed;)
        failed = crowd_run(first + crowd.rounds, 0.5, &crowd);
    printf("%" PRIu64 " sequences, %" PRIu64 " rounds side by side, %" PRIu64 " calls, %" PRIu64 " repeated, %" PRIu64
           " kills, %" PRIu64 " pauses, %" PRIu64 " clock steps: lost %" PRIu64 ", doubled %" PRIu64 "%s\n",
           n, crowd.rounds, figures.calls + crowd.calls, figures.repeats + crowd.repeats, figures.crashes + crowd.kills,
           crowd.pauses, figures.clock_steps + crowd.clock_steps, crowd.lost, crowd.doubled, failed ? ": FAILED" : "");
    printf("%" PRIu64 " trials were ended early, %" PRIu64 " that could be were kept\n", figures.ended, figures.kept);
    if (crowd.rounds) printf("the longest call took %.1f s: %s\n", crowd.longest, model_call_name(crowd.longest_kind));
    if (crowd.skipped) printf("%" PRIu64 " trials had too many calls to be explained\n", crowd.skipped);
    return failed;
}

int main(int count, char **words) {
    const char *soak = getenv("SOAK");
    int failed;
    database_begin();
    if (count == 3 && strcmp(words[1], "--seed") == 0)
        failed = run_seed(strtoull(words[2], NULL, 10));
    else if (count == 3 && strcmp(words[1], "--replay") == 0)
        failed = replay(words[2]);
    else if (count == 3 && strcmp(words[1], "--crowd") == 0)
        failed = crowd_run(strtoull(words[2], NULL, 10), 0.5, &crowd);
    else
        failed = run_for(soak ? strtod(soak, NULL) : 6);
    database_end();
    return failed;
}
