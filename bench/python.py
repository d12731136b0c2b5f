"""python.py BUILD - what Python adds to ask and tell: rounds of method random from C and from Python, in turns in one run.

Method random, because the model's own work would hide the difference; in memory, and in a study of SQLite.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(sys.argv[1])
SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(BUILD, "python"))
import locbo  # noqa: E402

ROUNDS, TURNS = 400, 9
SPACE = locbo.Space(x=locbo.Float(-5, 10), y=locbo.Float(1e-3, 1, log=True), n=locbo.Int(1, 12), mode=locbo.Choice("fast", "exact"))

C_PROGRAM = r"""
#include <locbo/study.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
int main(int count, char **words) {
    const char *modes[] = {"fast", "exact"};
    locbo_space *space; locbo_options options; locbo_optimizer *o; locbo_trial t; locbo_store *store; locbo_study *study;
    locbo_assignment a; locbo_measurement m = {0.5, NAN, 1}; double x[4]; int rounds = atoi(words[1]);
    locbo_space_create(&space, NULL);
    locbo_space_add_real(space, "x", -5, 10, LOCBO_LINEAR, NULL);
    locbo_space_add_real(space, "y", 1e-3, 1, LOCBO_LOG, NULL);
    locbo_space_add_int(space, "n", 1, 12, LOCBO_LINEAR, NULL);
    locbo_space_add_categorical(space, "mode", 2, modes, NULL);
    locbo_options_init(&options);
    options.method = LOCBO_METHOD_RANDOM;
    double began;
    if (count == 2) {
        if (locbo_optimizer_create(&o, space, &options, NULL)) return 1;
        began = now();
        for (int i = 0; i < rounds; i++)
            if (locbo_optimizer_ask(o, &t, x, NULL) || locbo_optimizer_tell(o, t.id, &m, NULL)) return 2;
    } else {
        locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options};
        locbo_request r = {.struct_size = sizeof r, .more = 1};
        if (locbo_store_open(&store, words[2], LOCBO_STORE_CREATE, NULL) || locbo_study_create(&study, store, "c", &d, NULL, NULL)) return 3;
        began = now();
        for (int i = 0; i < rounds; i++)
            if (locbo_study_ask(study, &r, &a, x, NULL) || locbo_study_tell(study, a.trial, a.attempt, 1, &m, NULL)) return 4;
    }
    printf("%.9f\n", (now() - began) / rounds);
    return 0;
}
"""


def compile_c(folder):
    with open(f"{folder}/main.c", "w") as file:
        file.write(C_PROGRAM)
    subprocess.run(["cc", "-O2", f"-I{SOURCE}/include", f"{folder}/main.c", "-o", f"{folder}/main", f"-L{BUILD}", "-llocbo-study",
                    "-llocbo", f"-Wl,-rpath,{BUILD}"], check=True)


def from_c(folder, *url):
    return float(subprocess.run([f"{folder}/main", str(ROUNDS), *url], capture_output=True, text=True, check=True).stdout)


def from_python(one):
    began = time.perf_counter()
    for _ in range(ROUNDS):
        one.tell(one.ask(), 0.5)
    return (time.perf_counter() - began) / ROUNDS


# in memory: the time of a disk would hide the difference
with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
    compile_c(folder)
    times = {"memory": [], "SQLite": []}
    for turn in range(TURNS):
        times["memory"].append((from_c(folder), from_python(locbo.Optimizer(SPACE, method="random"))))
        url = f"sqlite:{folder}/{turn}.db"
        times["SQLite"].append((from_c(folder, url), from_python(locbo.create(url, "python", SPACE, method="random"))))

print(f"ask + tell of method random, milliseconds for each; medians of {TURNS} turns of {ROUNDS} rounds\n")
print("where   C      Python  more")
for where, rows in times.items():
    c, python = (1e3 * statistics.median(column) for column in zip(*rows))
    more = 1e3 * statistics.median(p - q for q, p in rows)
    print(f"{where:6}  {c:.3f}  {python:.3f}   {more:.3f}")
