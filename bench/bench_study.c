/* bench_study.c - what the program costs from a shell: process start, ask and tell on a study of 100 trials, and a
 * study of 10 000 imported ones opened, listed, counted. Times are of whole processes, median of several; beside each
 * the multiple of the bare process start (`locbo --version`), which is the floor on the machine at hand. Usage:
 * bench_study [PROGRAM], by default the locbo beside the folder of this program. */
#include <fcntl.h>
#include <libgen.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stats.h"

extern char **environ;

static char program[4096], folder[64] = "/tmp/locbo-bench-XXXXXX";

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One process, its output to a file; seconds. Ends the program if it fails. */
static double run(const char *const *arguments) {
    char *argv[32] = {program};
    pid_t pid;
    int status, n = 1;
    posix_spawn_file_actions_t actions;
    while (*arguments) argv[n++] = (char *)*arguments++;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_addopen(&actions, 2, "errors", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    double began = now();
    if (posix_spawn(&pid, program, &actions, NULL, argv, environ) != 0 || waitpid(pid, &status, 0) != pid ||
        !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "%s %s failed, see %s/errors\n", program, argv[1], folder);
        exit(1);
    }
    posix_spawn_file_actions_destroy(&actions);
    return now() - began;
}
#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

enum { TIMES = 11 };
static double floor_ms;

static void show(const char *what, double *seconds, int count) {
    stats_sort((size_t)count, seconds);
    double ms = 1000 * seconds[count / 2];
    if (floor_ms == 0) floor_ms = ms;
    printf("%-52s  %8.1f  %9.1f\n", what, ms, ms / floor_ms);
}

static void repeat(const char *what, const char *const *arguments) {
    double seconds[TIMES];
    for (int i = 0; i < TIMES; i++) seconds[i] = run(arguments);
    show(what, seconds, TIMES);
}
#define REPEAT(what, ...) repeat(what, (const char *const[]){__VA_ARGS__, NULL})

/* Points in six dimensions with a smooth value. */
static void write_points(const char *path, int count) {
    FILE *f = fopen(path, "w");
    if (!f) exit(1);
    fprintf(f, "a,b,c,d,e,f,value\n");
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int j = 0; j < 6; j++) {
            double x = (double)((unsigned)(i * 7919 + 13) * (unsigned)(j * 104729 + 1) % 10007u) / 10007;
            sum += (x - 0.3) * (x - 0.3);
            fprintf(f, "%.9f,", x);
        }
        fprintf(f, "%.9f\n", sum);
    }
    if (fclose(f) != 0) exit(1);
}

#define SPACE                                                                                                          \
    "-p", "a~float(0,1)", "-p", "b~float(0,1)", "-p", "c~float(0,1)", "-p", "d~float(0,1)", "-p", "e~float(0,1)",      \
        "-p", "f~float(0,1)"

static void ask_and_tell(void) {
    double asks[TIMES], tells[TIMES];
    write_points("hundred.csv", 100);
    RUN("create", "--db", "a.db", SPACE);
    RUN("import", "--db", "a.db", "hundred.csv");
    for (int i = 0; i < TIMES; i++) {
        char trial[16];
        snprintf(trial, sizeof trial, "%d", 101 + i);
        asks[i] = RUN("ask", "--db", "a.db");
        tells[i] = RUN("tell", "--db", "a.db", trial, "0.5");
    }
    show("ask, 100 trials in 6 dimensions, with a fit", asks, TIMES);
    show("tell", tells, TIMES);
}

static void many(void) {
    double seconds[3];
    write_points("many.csv", 10000);
    for (int i = 0; i < 3; i++) {
        remove("b.db");
        RUN("create", "--db", "b.db", "--method", "random", SPACE);
        seconds[i] = RUN("import", "--db", "b.db", "many.csv");
    }
    show("import of 10 000 results", seconds, 3);
    REPEAT("10 000 trials: status", "status", "--db", "b.db");
    REPEAT("10 000 trials: trials --last 20", "trials", "--db", "b.db", "--last", "20");
    REPEAT("10 000 trials: trials, all as a table", "trials", "--db", "b.db");
    REPEAT("10 000 trials: trials -f json", "trials", "--db", "b.db", "-f", "json");
    REPEAT("10 000 trials: export", "export", "--db", "b.db");
    REPEAT("10 000 trials: ask (random search)", "ask", "--db", "b.db");
}

int main(int argc, char **argv) {
    char own[4096];
    ssize_t size = readlink("/proc/self/exe", own, sizeof own - 1);
    if (size <= 0) return 1;
    own[size] = '\0';
    if (argc > 1 && !realpath(argv[1], program)) return perror(argv[1]), 1;
    if (argc == 1) snprintf(program, sizeof program, "%.4000s/../locbo", dirname(own));
    if (!mkdtemp(folder) || chdir(folder) != 0) return perror(folder), 1;
    printf("%-52s  %8s  %9s\n", "whole processes, median", "ms", "start = 1");
    REPEAT("process start (--version)", "--version");
    ask_and_tell();
    many();
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 ? 0 : 1;
}
