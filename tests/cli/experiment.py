"""locbo experiment: every experiment of the program in small, with its files, tables and verdict; the same numbers whatever the
number of processes, the kills and Ctrl-C in between; and mistakes in one line with their exit code."""
import csv
import glob
import gzip
import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import time

from common import ENVIRONMENT, HERE, LOCBO, SLOW, check, locbo, run_in_own_folder, start, wait_until, words_of

SOURCE = os.path.realpath(os.environ.get("SOURCE", HERE + "/../.."))
JUDGED = {"ackley", "ackley-noisy", "ackley-alpha", "ackley-lengthscale", "radio", "radio-alpha", "radio-nch", "intervals",
          "guarantees"}  # the paper says something of these
SCORED = {"robust-choose": (63, 14, 4), "robust-confirm": (63, 14, 4), "tails-choose": (47, 8, 4), "entropy": (63, 14, 4),
          "many": (16, 6, 4), "batches": (9, 2, 4)}  # cases; in small cases and methods
FIRST = ["experiment", "case", "method", "seed", "t"]


def two_functions(text):
    """An experiment with scores has too many cases for a test: those of its first two functions, with all their kinds; and of
    the methods the first three and random search, but none that is a program, which needs more than locbo."""
    text = re.sub(r"^  \S+: \{program: .*\n", "", text, flags=re.M)
    head, methods = text.split("\nmethods:\n")
    kept = re.findall(r"^  \S.*\n(?:   .*\n)*", methods, re.M)  # some have more than one line
    text = head + "\nmethods:\n" + "".join(dict.fromkeys(kept[:3] + kept[-1:]))
    if "\ntails: " in text:  # a function has a few kinds only, so groups would lack some
        text = re.sub(r"^groups:\n(  .*\n)+", "", text, flags=re.M)
    functions = list(dict.fromkeys(re.findall(r"^  (\S+)\+\S+: \{problem", text, re.M)))
    return re.sub(rf"^  ({'|'.join(functions[2:])})\+\S+: \{{problem.*\n", "", text, flags=re.M)


def small(name):
    """The experiment NAME with few rounds and points, in a file of its own."""
    with open(f"{SOURCE}/experiments/{name}.yaml", encoding="utf-8") as f:
        text = f.read()
    for key, value in (("rounds", 12 if "radio" in name else 4), ("every", 3), ("grid", 9), ("initial", 6), ("pool", 20),
                       ("target", 4), ("batch", 3)):
        text = re.sub(rf"\b{key}: \d+", f"{key}: {value}", text)
    if "\nscore: " in text:
        text = two_functions(text)
    with open(name + ".yaml", "w", encoding="utf-8") as f:
        f.write(text)
    return name + ".yaml"


def rows_of(folder, file="runs.csv.gz"):
    with gzip.open(f"{folder}/{file}", "rt") as f:
        return list(csv.DictReader(f))


def without_times(rows):
    return [{k: v for k, v in row.items() if k != "ms"} for row in rows]


def runs_of(rows):
    return [(r["case"], r["method"], r["seed"]) for r in rows if r["t"] == "0"]


def refused(*arguments, code, words):
    """Exit code, and one line on standard error that has these words."""
    done = locbo("experiment", *arguments, code=code)
    check(done.stdout == "", arguments, "printed", done.stdout)
    check(len(done.stderr.splitlines()) == 1 and done.stderr.startswith("locbo experiment: ") and words in done.stderr,
          arguments, "said", done.stderr, "and not", words)


# ---- every experiment ---------------------------------------------------------------------------


def check_files(name, said):
    folder, methods = "out/" + name, set()
    kept = {"experiment.yaml", "summary.txt", "runs.csv.gz"}
    kept |= {"grid.csv.gz"} if name == "intervals" else set()
    kept |= {"figure.png"} if shutil.which("gnuplot") else set()
    check(set(os.listdir(folder)) == kept, folder, "has", os.listdir(folder))  # what experiments/results has
    locbo("experiment", "draw", name + ".yaml", "-o", "out", "-q", "--figures", "csv")
    kept = set(os.listdir(folder))
    check({"experiment.yaml", "summary.txt", "runs.csv.gz", "figure.csv"} <= kept, folder, "has only", kept)
    check(not any(f.endswith((".part", ".csv")) and f != "figure.csv" for f in kept), folder, "has", kept)
    check(("grid.csv.gz" in kept) == (name == "intervals"), folder, "has", kept)
    rows = rows_of(folder)
    value = "value" if "radio" in name else "regret"
    check(list(rows[0])[:7] == FIRST + [value + "_observed", value + "_recommended"], list(rows[0]))
    runs = runs_of(rows)
    check(len(set(runs)) == len(runs) and {r[2] for r in runs} == {"1", "2"}, name, "has runs", runs)
    check(rows == sorted(rows, key=lambda r: runs.index((r["case"], r["method"], r["seed"]))), name, "is not in order")
    for row in rows:
        methods.add(row["method"])
        for share in (row["covered"], row["covered_f"], row["interval_f"], row["utility"]):
            check(share == "" or 0 <= float(share) <= 1, name, row)
        thirds = [row[c] for c in ("near", "middle", "far", "near_f", "middle_f", "far_f")]
        last = row["t"] == max((r["t"] for r in rows), key=int) and row["covered"] != ""
        check(all((third != "") == last and (third == "" or 0 <= float(third) <= 1) for third in thirds), name, row)
        check(value == "value" or float(row[value + "_observed"]) >= -1e-9, name, row)
    with open(folder + "/summary.txt", encoding="utf-8") as f:
        first, _, *rest = f.read().splitlines()
    check(first.startswith("$ locbo experiment run " + name + ".yaml --seeds 2 "), first)
    check(rest == said.splitlines(), name, "summary.txt is not what was printed")
    return runs, methods


def pairs_start_alike(name):
    """The same seed: the same standing before the first round, in all methods of a case."""
    starts = {}
    for row in rows_of("out/" + name):
        if row["t"] == "0":
            key = row["case"], row["seed"]
            check(starts.setdefault(key, row[list(row)[5]]) == row[list(row)[5]], name, "begins differently:", row)


def costs_of_evaluations(said):
    """What problems with a fidelity record, and their tables."""
    rows = rows_of("out/cheaper")
    for row in rows:
        cost, evaluations = float(row["cost"]), float(row["evaluations"])
        by_count = row["case"].endswith("-count")
        check((evaluations if by_count else cost) <= int(row["t"]) + 1e-9 and cost <= evaluations + 1e-9, row)
        check(float(row["ended"]) == 0 or row["method"] in ("risk", "median", "halving"), row)
    check("\nWhat it costs to reach" in said, said)
    table = json.loads(locbo("experiment", "show", "cheaper.yaml", "-o", "out", "-f", "json", "--table", "costs").stdout)
    check(len(table) == len({(r["case"], r["method"]) for r in rows}), table)
    check(all(r["quartile1"] <= r["median"] <= r["quartile3"] <= r["worst"] for r in table), table)
    said = locbo("experiment", "show", "ackley.yaml", "-o", "out", "--table", "costs", code=2).stderr
    check("experiment ackley has no table costs: no case has a fidelity" in said, said)


def every_experiment_runs_in_small():
    listed = json.loads(locbo("experiment", "list", "-f", "json").stdout)
    names = sorted(os.path.basename(p)[:-len(".yaml")] for p in glob.glob(SOURCE + "/experiments/*.yaml"))
    check(sorted(e["experiment"] for e in listed) == names and len(names) >= 14, "list:", listed)
    check(all(n in locbo("experiment", "list").stdout for n in names), "the table lacks some")
    total = 0
    for e in listed:
        name = e["experiment"]
        if SLOW and name == "robust-choose":
            continue  # its twin, robust-confirm, does
        if name in ("tails-confirm", "outputs", "wide"):
            continue  # run once, at the end; have tests of their own
        done = locbo("experiment", "run", small(name), "--seeds", 2, "-o", "out", "-q")
        runs, methods = check_files(name, done.stdout)
        scored = name in SCORED
        check(len(methods) == (SCORED[name][2] if scored else e["methods"]) and len({r[0] for r in runs}) == (SCORED[name][1] if scored else e["cases"]),
              name, len(runs), "runs")
        check(not scored or e["cases"] == SCORED[name][0], name, "has", e["cases"], "cases")
        pairs_start_alike(name)
        if name == "cheaper":
            costs_of_evaluations(done.stdout)
        else:
            check(("Scores: " if scored else "Final ") in done.stdout and "\nCoverage: " in done.stdout, done.stdout)
        verdict = re.search(r"^Claim \d under changed settings, (reproduced|not reproduced|undecided): ", done.stdout, re.M)
        check(bool(verdict) == (name in JUDGED), name, "and the verdict:", done.stdout)
        check(locbo("experiment", "show", name + ".yaml", "-o", "out").stdout == done.stdout, name, "is shown otherwise")
        total += len(runs)
    grid = rows_of("out/intervals", "grid.csv.gz")
    check(len(grid) == 2 * 2 * 2 * 9 and list(grid[0])[4:] == ["x", "truth", "mean", "low", "high", "f_low", "f_high"], grid[:1])
    return len(listed), total


def several_outputs():
    """The experiment with several outputs in small: all its methods, of its cases one of each family, from seed 5 on."""
    cases, seeds = ("gramacy+input", "zdt3+student"), ("5", "6")
    text = read("experiments/outputs.yaml")
    for key, value in (("rounds", 4), ("every", 3), ("initial", 6)):
        text = re.sub(rf"\b{key}: \d+", f"{key}: {value}", text)
    text = re.sub(r"^groups:\n(  .*\n)+", "groups: {constraints: [gramacy], objectives: [zdt3]}\n", text, flags=re.M)
    text = re.sub(r"^  (\S+): \{problem.*\n", lambda m: m.group(0) if m.group(1) in cases else "", text, flags=re.M)
    text = re.sub(r"only: \[[^]]*\]", lambda m: f"only: [{cases['zdt3' in m.group(0)]}]", text)
    if subprocess.run(["/usr/bin/python3", "-c", "import optuna"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        text = text.replace("python3 experiments", f"python3 {SOURCE}/experiments")
    else:
        text = re.sub(r"^  NSGA-II:\n(    .*\n)+", "", text, flags=re.M)
    with open("outputs.yaml", "w", encoding="utf-8") as f:
        f.write(text)
    command = ("experiment", "run", "outputs.yaml", "--first-seed", 5, "--seeds", 2, "-q", "-o")
    said = locbo(*command, "out").stdout
    locbo(*command, "again")
    rows = rows_of("out/outputs")
    check(without_times(rows) == without_times(rows_of("again/outputs")), "a second time it gives other numbers")
    methods = {r["method"] for r in rows} | {"NSGA-II"}
    check(methods == {"model", "anywhere", "penalty", "exit-code", "scalarize", "NSGA-II", "random"}, methods)
    check({r["seed"] for r in rows} == set(seeds), {r["seed"] for r in rows})
    check(all(0 <= float(r["feasible"]) <= 1 and float(r["regret_recommended"]) >= 0 for r in rows), rows)
    pairs_start_alike("outputs")
    with open("out/outputs/summary.txt", encoding="utf-8") as f:
        check("run outputs.yaml --first-seed 5 --seeds 2 --out" in f.readline(), "the command in summary.txt")
    check("\nSeveral outputs: " in said and "constraints  objectives" in said, said)
    table = json.loads(locbo("experiment", "show", "outputs.yaml", "-o", "out", "-f", "json", "--table", "outputs").stdout)
    check(len(table) == len({(r["case"], r["method"]) for r in rows}), table)
    last = {(r["case"], r["method"], r["seed"]): float(r["regret_recommended"]) for r in rows if r["t"] == "4"}
    for row in table:
        own = [last[row["case"], row["method"], s] for s in seeds]
        ours = [last[row["case"], "model", s] for s in seeds]
        check(abs(row["median"] - sum(own) / 2) < 1e-6 * sum(own) + 1e-12, row, own)
        if row["method"] == "model":
            check(row["ratio"] is None, row)
        elif min(own + ours) > 1e-4:
            check(abs(row["ratio"] - math.sqrt(ours[0] / own[0] * ours[1] / own[1])) < 1e-6 * row["ratio"], row, own, ours)


# ---- the same numbers ---------------------------------------------------------------------------


def one_and_many_processes_agree():
    file = small("ackley-noisy")
    for jobs in (1, 4):
        locbo("experiment", "run", file, "-s", 3, "-j", jobs, "-o", f"jobs{jobs}", "-q")
    one, many = (rows_of(f"jobs{j}/ackley-noisy") for j in (1, 4))
    check(without_times(one) == without_times(many), "-j 4 gives other numbers than -j 1")
    # more seeds, and methods one after the other, come to the same
    locbo("experiment", "run", file, "-s", 2, "-m", "LOCBO,BO", "-o", "parts", "-q")
    check({r[1] for r in runs_of(rows_of("parts/ackley-noisy"))} == {"BO", "LOCBO"}, "--methods")
    locbo("experiment", "run", file, "-s", 3, "-o", "parts", "-q")
    check(without_times(rows_of("parts/ackley-noisy")) == without_times(one), "in parts it gives other numbers")
    said = locbo("experiment", "run", file, "-s", 3, "-o", "parts").stderr
    check("0 runs done" in said, said)


def longer():
    """An experiment that takes some seconds."""
    text = "name: longer\nsettings: {problem: hartmann3, noise: {kind: gaussian, scale: 0.3}, rounds: 30, every: 10, grid: 0}\n" \
           "methods:\n  BO: {method: bo}\n  LOCBO: {method: locbo}\n  random: {method: random}\n"
    with open("longer.yaml", "w", encoding="utf-8") as f:
        f.write(text)
    return ["experiment", "run", "longer.yaml", "-s", 8 if SLOW else 16, "-j", 2, "-q"]


def finished(folder):
    """How many runs are in the plain file."""
    try:
        with open(folder + "/longer/runs.csv", encoding="utf-8") as f:
            return sum(line.split(",")[4:5] == ["30"] for line in f)
    except FileNotFoundError:
        return 0


def alive(folder):
    return subprocess.run(["pgrep", "-f", os.path.abspath(folder)], capture_output=True, text=True).stdout.split()


def kills_lose_nothing(command, clean):
    out, total, kills = os.path.abspath("killed"), len(runs_of(clean)), 0
    for part in range(1, 6):
        process = start(*command, "-o", out)
        end = time.time() + 60
        while finished(out) < part * total // 8 and time.time() < end and process.poll() is None:
            time.sleep(random.uniform(0, 0.02))
        check(process.poll() is None, "ended before it could be killed:", words_of(process))
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
    wait_until(lambda: not alive(out), 20)  # the workers go with it
    before = finished(out)
    check(0 < before < total, before, "of", total, "before the last start")
    locbo(*command, "-o", out)
    rows = rows_of(out + "/longer")
    check(len(set(runs_of(rows))) == len(runs_of(rows)) == total, len(runs_of(rows)), "runs instead of", total)
    check(without_times(rows) == without_times(clean), "after", kills, "kills it has other numbers")
    return kills


def ctrl_c_saves(command, clean):
    out = os.path.abspath("stopped")
    process = start(*command, "-o", out)
    wait_until(lambda: finished(out) >= 3)
    refused(*command[1:], "-o", out, code=5, words="another locbo experiment run is writing to " + out)
    process.send_signal(signal.SIGINT)
    check(process.wait(60) == 130, "Ctrl-C ended with", process.returncode, words_of(process))
    check(re.search(r"stopped after \d+ of \d+ runs; the same command continues", words_of(process)), words_of(process))
    check(not alive(out), "workers outlived Ctrl-C")
    shown = json.loads(locbo("experiment", "show", "longer.yaml", "-o", out, "-f", "json").stdout)
    check(0 < sum(r["seeds"] for r in shown) < len(runs_of(clean)), shown)
    locbo(*command, "-o", out)
    check(without_times(rows_of(out + "/longer")) == without_times(clean), "after Ctrl-C it has other numbers")


# ---- methods that are programs ------------------------------------------------------------------

# Proposes (i/10, 1/4), recommends (7/8, 1/2), and writes down what it is told.
FIXED = """import sys
dim, seed, initial, rounds = map(int, input().split())
told = [input() for _ in range(initial)]
for i in range(1, rounds + 1):
    print(i / 10, 0.25, flush=True)
    told.append(input())
print(0.875, 0.5, flush=True)
open(sys.argv[1] + str(seed), "w").write("\\n".join(told))
"""
# Runs until it is killed.
SLOW_PROGRAM = "import sys, time\ntime.sleep(1000)\n"


def external(program, name="external", case="here"):
    """An experiment of random search and a program, in a file."""
    with open(name + ".yaml", "w", encoding="utf-8") as f:
        f.write(f"name: {name}\nsettings: {{problem: branin, move: true, noise: {{kind: gaussian, scale: 20}}, rounds: 6, every: 4, "
                f"initial: 4, alpha: 0.3}}\ncases: {{{case}: {{}}}}\nmethods:\n  random: {{method: random}}\n  other: {{program: {json.dumps(program)}}}\n")
    return name + ".yaml"


def programs_are_methods():
    with open("fixed.py", "w", encoding="utf-8") as f:
        f.write(FIXED)
    for jobs in (1, 2):
        locbo("experiment", "run", external(f"python3 fixed.py told{jobs}-"), "-s", 3, "-j", jobs, "-q", "-o", f"external{jobs}")
    one, two = (rows_of(f"external{j}/external") for j in (1, 2))
    check(without_times(one) == without_times(two), "-j 2 gives other numbers")
    check(len(runs_of(one)) == 6, runs_of(one))
    starts = {r["seed"]: r["regret_observed"] for r in one if r["method"] == "random" and r["t"] == "0"}
    for row in (r for r in one if r["method"] == "other"):
        check(row["t"] != "0" or row["regret_observed"] == starts[row["seed"]], "does not begin as random does:", row)
        check(row["t"] == "6" or row["regret_observed"] == row["regret_recommended"], row)
        check(all(row[c] == "" for c in ("covered", "bound", "width", "ms", "near", "far_f")), row)
    for seed in "123":
        told = [[float(w) for w in line.split()] for line in open("told1-" + seed, encoding="utf-8")]
        check([len(line) for line in told] == [3] * 4 + [1] * 6 and all(0 <= u <= 1 for line in told[:4] for u in line[:2]), told)
    # the same program under another name in the file would be another method, and options are not its own
    refused("run", external("python3 fixed.py elsewhere-"), "-s", 3, "-q", "-o", "external1", code=1,
              words="(case here, method other: program 'python3 fixed.py told1-' there, 'python3 fixed.py elsewhere-' here)")


def cases_can_be_chosen():
    """By name, by function and by kind; what is there already is not run again."""
    with open("chosen.yaml", "w", encoding="utf-8") as f:
        f.write("name: chosen\nsettings: {rounds: 2, initial: 2}\ncases: {a+x: {problem: branin}, a+y: {problem: camel}, b+x: {problem: levy2}, "
                "ab: {problem: wave}}\nmethods: {random: {method: random}, other: {method: random}}\n")
    for words, cases in (("ab", {"ab"}), ("a+y, ab", {"ab", "a+y"}), ("+x", {"ab", "a+y", "a+x", "b+x"})):
        locbo("experiment", "run", "chosen.yaml", "-c", words, "-m", "other", "-s", 2, "-q", "-o", "chosen")
        check({r["case"] for r in rows_of("chosen/chosen")} == cases, words)
    check({r["method"] for r in rows_of("chosen/chosen")} == {"other"}, "methods")
    locbo("experiment", "run", "chosen.yaml", "--cases", "a", "-s", 1, "-q", "-o", "chosen2")
    check({r["case"] for r in rows_of("chosen2/chosen")} == {"a+x", "a+y"}, "function")
    refused("run", "chosen.yaml", "-c", "a,c", code=2, words="experiment chosen has no case 'c'")
    refused("show", "chosen.yaml", "-c", "a", code=2, words="--cases is for run, not for show")


def bad_programs_are_one_line():
    for program, words in (("exit 3", "program 'exit 3' ended with exit code 3 before point 1"),
                           ("no-such-program-here", "ended with exit code 127 before point 1: "),
                           ("echo what", "point 1 must be 2 numbers, got 'what'"),
                           ("echo 0.5 nan", "point 1 must lie in the unit cube, got the coordinate 'nan'"),
                           ("echo 1.5 0.5", "point 1 must lie in the unit cube, got the coordinate '1.5'"),
                           ("python3 -c 'input(); 1/0'", "before point 1: ZeroDivisionError: division by zero"),
                           (f"python3 -I -S {SOURCE}/experiments/cmaes.py", "cmaes.py needs Debian's package python3-cmaes")):
        out = "bad" + str(abs(hash(program)))
        done = locbo("experiment", "run", external(program), "-s", 1, "-j", 1, "-q", "-o", out, code=8 if words.startswith("point") else 1)
        check(done.stderr.startswith("locbo experiment: external, here, other, seed 1: program '") and words in done.stderr, done.stderr)
        check(len(done.stderr.splitlines()) == 1 and done.stdout == "", done.stderr)
        locbo("experiment", "run", "external.yaml", "-s", 1, "-q", "-m", "random", "-o", out)  # others are not hindered


def programs_end_with_the_harness():
    with open("slow.py", "w", encoding="utf-8") as f:
        f.write(SLOW_PROGRAM)
    mark = os.path.abspath("slow.py")
    for ending in (signal.SIGKILL, signal.SIGINT):
        process = start("experiment", "run", external(f"python3 {mark}", "slow"), "-s", 2, "-j", 2, "-q", "-m", "other", "-o", "slow")
        wait_until(lambda: len(alive(mark)) >= 2)
        process.send_signal(ending)
        process.wait(60)
        wait_until(lambda: not alive(mark), 20)


def cmaes_runs():
    """If Debian's package is there."""
    if subprocess.run(["/usr/bin/python3", "-c", "import cmaes"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        return
    file = external(f"/usr/bin/python3 {SOURCE}/experiments/cmaes.py", "cmaes")
    with open(file, encoding="utf-8") as f:
        text = f.read()
    with open(file, "w", encoding="utf-8") as f:
        text = text.replace("noise: {kind: gaussian, scale: 20}, rounds: 6", "rounds: 90, batch: 3")
        f.write(text.replace("branin", "sphere6"))
    for out in ("cmaes1", "cmaes2"):
        locbo("experiment", "run", file, "-s", 2, "-q", "-m", "other", "-o", out)
    one, two = rows_of("cmaes1/cmaes"), rows_of("cmaes2/cmaes")
    check(without_times(one) == without_times(two), "CMA-ES differs from itself")
    for seed in "12":
        regrets = [float(r["regret_recommended"]) for r in one if r["seed"] == seed]
        check(regrets[-1] < 0.2 * regrets[0], "CMA-ES does not get on:", regrets)


def has_module(name):
    """Whether Debian's Python has it."""
    done = subprocess.run(["/usr/bin/python3", "-c", "import " + name], stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0


def turbo_runs():
    """In batches, with and without noise, if Debian's packages are there."""
    if not has_module("scipy"):
        return
    file = external(f"/usr/bin/python3 {SOURCE}/experiments/turbo.py", "turbo")
    with open(file, encoding="utf-8") as f:
        text = f.read()
    for noise in ("none", "{kind: gaussian, scale: 5}"):
        with open(file, "w", encoding="utf-8") as f:
            settings = f"noise: {noise}, rounds: 90, batch: 8"
            f.write(text.replace("noise: {kind: gaussian, scale: 20}, rounds: 6", settings).replace("branin", "sphere6"))
        for out in ("turbo1", "turbo2"):
            locbo("experiment", "run", file, "-s", 2, "-q", "-m", "other", "-o", out + noise[:2])
        one, two = rows_of(f"turbo1{noise[:2]}/turbo"), rows_of(f"turbo2{noise[:2]}/turbo")
        check(without_times(one) == without_times(two), "TuRBO differs from itself")
        for seed in "12":
            regrets = [float(r["regret_recommended"]) for r in one if r["seed"] == seed]
            share = 0.02 if noise == "none" else 0.2
            check(regrets[-1] < share * regrets[0], "TuRBO does not get on:", noise, regrets)


def turbo_begins_anew():
    """A plain without anything to find: the region shrinks until another one begins, and all points are proposed."""
    if not has_module("scipy"):
        return
    dim, initial, rounds, batch = 2, 4, 60, 4
    lines = [f"{dim} 7 {initial} {rounds} batch:{batch}", "0.1 0.2 1", "0.8 0.3 1", "0.4 0.9 1", "0.6 0.5 1"] + ["1"] * rounds
    done = subprocess.run(["/usr/bin/python3", f"{SOURCE}/experiments/turbo.py"], input="\n".join(lines) + "\n",
                          capture_output=True, text=True, check=False, timeout=300)
    points = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
    check(done.returncode == 0 and len(points) == rounds + 1, done.stderr, len(points))
    check(all(len(p) == dim and all(0 <= c <= 1 for c in p) for p in points), points)
    # one failure halves the side: after seven batches it is below its least, and a design of 2 dim points follows
    before, after = points[20:28], points[28:32]
    check(max(abs(a[0] - b[0]) for a in before[4:] for b in before[4:]) < 0.2, before)
    check(max(abs(a[0] - b[0]) for a in after for b in after) > 0.3, after)


def many_parameters():
    """The experiment wide in small: two of its cases, with few parameters, as TuRBO-1 has 100 candidates for each of them;
    its programs if their packages are there."""
    text = read("experiments/wide.yaml")
    for key, value in (("rounds", 7), ("every", 3), ("initial", 6), ("batch", 3)):
        text = re.sub(rf"\b{key}: \d+", f"{key}: {value}", text)
    cases = ("push14+clean", "push14+noisy")
    text = re.sub(r"^groups:\n(  .*\n)+", "", text, flags=re.M)
    text = re.sub(r"^  (\S+): \{problem.*\n", lambda m: m.group(0) if m.group(1) in cases else "", text, flags=re.M)
    methods = {"default", "random"}
    for name, module in (("CMA-ES", "cmaes"), ("TuRBO-1", "scipy")):
        if has_module(module):
            methods.add(name)
        else:
            text = re.sub(rf"^  {name}: .*\n", "", text, flags=re.M)
    text = text.replace("python3 experiments", f"python3 {SOURCE}/experiments")
    with open("wide.yaml", "w", encoding="utf-8") as f:
        f.write(text)
    said = locbo("experiment", "run", "wide.yaml", "--seeds", 2, "-q", "-o", "out").stdout
    runs, found = check_files("wide", said)
    check(found == methods and {r[0] for r in runs} == set(cases) and "\nScores: " in said, found, runs, said)
    check({r["t"] for r in rows_of("out/wide")} == {"0", "3", "6", "7"}, "rows in the middle of a batch")
    pairs_start_alike("wide")


def tpe_runs():
    """On a mixed problem, if Debian's package is there; CMA-ES too: it sees a cube."""
    for module, program in (("optuna", "tpe"), ("cmaes", "cmaes")):
        if subprocess.run(["/usr/bin/python3", "-c", "import " + module], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            continue
        file = external(f"/usr/bin/python3 {SOURCE}/experiments/{program}.py", "mixed")
        with open(file, encoding="utf-8") as f:
            text = f.read()
        with open(file, "w", encoding="utf-8") as f:
            f.write(text.replace("noise: {kind: gaussian, scale: 20}, rounds: 6", "rounds: 40").replace("branin", "mixed-b"))
        for out in ("1", "2"):
            locbo("experiment", "run", file, "-s", 2, "-q", "-m", "other", "-o", program + "-mixed" + out)
        one, two = rows_of(program + "-mixed1/mixed"), rows_of(program + "-mixed2/mixed")
        check(without_times(one) == without_times(two), program, "differs from itself")
        for seed in "12":
            regrets = [float(r["regret_recommended"]) for r in one if r["seed"] == seed]
            check(0 <= regrets[-1] < regrets[0], program, "does not get on:", regrets)


# ---- what it prints, and mistakes ---------------------------------------------------------------


def rows_for_programs():
    shown = json.loads(locbo("experiment", "show", "ackley-noisy.yaml", "-o", "jobs1", "-f", "json").stdout)
    check(len(shown) == 7, shown)
    mine = {}
    for row in rows_of("jobs1/ackley-noisy"):
        if row["t"] == "4":
            mine.setdefault(row["method"], []).append(float(row["regret_observed"]))
    for row in shown:
        values = sorted(mine[row["method"]])
        check(row["seeds"] == 3 and abs(row["mean"] - sum(values) / 3) < 1e-9 and row["median"] == values[1], row)
        check(row["mean_low"] <= row["mean"] <= row["mean_high"], row)
        check((row["p"] is None) == (row["method"] == "BO") and row["target"] == 0.8, row)
    table = list(csv.DictReader(locbo("experiment", "show", "ackley-noisy.yaml", "-o", "jobs1", "-f", "csv").stdout.splitlines()))
    check([r["method"] for r in table] == [r["method"] for r in shown] and float(table[1]["mean"]) == shown[1]["mean"], table)
    again = locbo("experiment", "run", "ackley-noisy.yaml", "-s", 3, "-o", "jobs1", "-q", "-f", "json").stdout
    check(json.loads(again) == shown, again)


def mistakes_are_one_line():
    refused("fly", code=2, words="expected list, run, show or draw, found 'fly'")
    refused("run", code=2, words="run needs the name of an experiment")
    refused("list", "ackley", code=2, words="list takes no name")
    refused("run", "ackly", code=3, words="there is no experiment 'ackly' (did you mean ackley?)")
    refused("run", "no-such.yaml", code=3, words="no-such.yaml")
    refused("show", "ackley", code=3, words="there are no runs in locbo-results/ackley")
    for option, value in (("--seeds", "0"), ("--seeds", "many"), ("--first-seed", "0"), ("--jobs", "-1"), ("--methods", "BO,boo"), ("--methods", "")):
        refused("run", "ackley", option, value, code=2, words=option if option != "--methods" else "has no method")
    with open("bad.yaml", "w", encoding="utf-8") as f:
        f.write("name: bad\nsettings: {problem: branin, raunds: 3}\nmethods: {A: {}}\n")
    refused("run", "bad.yaml", code=8, words="bad.yaml:2: settings.raunds: ")
    check(not os.path.exists("locbo-results"), "a mistake left a folder")
    refused("show", "ackley", "--figures", "svg", code=2, words="--figures is for run and draw, not for show")
    for verb in ("run", "draw"):
        refused(verb, "ackley", "--figures", "svg,gif", code=2, words="--figures takes png, svg, pdf, csv and gp, found 'gif'")
    for verb in ("show", "list", "draw"):
        refused(verb, *([] if verb == "list" else ["ackley"]), "--seeds", 3, code=2, words=f"--seeds is for run, not for {verb}")


def changed_files():
    """Words, colours, seeds and further methods are no other experiment; other settings are."""
    with open("ackley-noisy.yaml", encoding="utf-8") as f:
        text = f.read()
    harmless = text.replace("title:", "title: Changed,").replace("colour: grey", "colour: teal") + "  more: {method: bo, alpha: 0.1}  # added\n"
    before = without_times(rows_of("jobs1/ackley-noisy"))
    with open("ackley-noisy.yaml", "w", encoding="utf-8") as f:
        f.write(harmless)
    said = locbo("experiment", "run", "ackley-noisy.yaml", "-s", 2, "-q", "-o", "jobs1").stdout
    after = without_times(rows_of("jobs1/ackley-noisy"))
    check("Changed," in said and "under changed settings" in said, said)
    check([r for r in after if r["method"] != "more"] == before and len(after) > len(before), len(before), len(after))
    with open("ackley-noisy.yaml", "w", encoding="utf-8") as f:
        f.write(harmless.replace("{method: locbo, colour: red}", "{method: locbo, gain: 3, colour: red}"))
    for verb in ("run", "show", "draw"):
        refused(verb, "ackley-noisy.yaml", "-o", "jobs1", code=1, words="(case -, method LOCBO: gain 4 there, 3 here)")
    os.remove("jobs1/ackley-noisy/experiment.yaml")
    refused("run", "ackley-noisy.yaml", "-o", "jobs1", code=1, words="jobs1/ackley-noisy has runs but no experiment.yaml")


def files_that_cannot_be_used():
    with open("file", "w", encoding="utf-8"):
        pass
    refused("run", "longer.yaml", "-s", 1, "-q", "-o", "file", code=1, words="file/longer: Not a directory")
    refused("run", "longer.yaml", "-s", 1, "-q", "-o", "no/such/folder", code=1, words="cannot create no/such/folder")
    if os.getuid() != 0:
        os.mkdir("closed", 0o500)
        refused("run", "longer.yaml", "-s", 1, "-q", "-o", "closed", code=1, words="Permission denied")
    os.makedirs("junk/longer")
    shutil.copy("longer.yaml", "junk/longer/experiment.yaml")
    with open("junk/longer/runs.csv", "w", encoding="utf-8") as f:
        f.write("a,b\n")
    refused("run", "longer.yaml", "-s", 1, "-q", "-o", "junk", code=8, words="junk/longer/runs.csv:1: the line is not the header")
    with open("/dev/full", "w", encoding="utf-8") as full:
        for form in ("table", "csv"):
            done = subprocess.run([LOCBO, "experiment", "show", "longer.yaml", "-o", "stopped", "-f", form], stdout=full,
                                  stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, timeout=60)
            check(done.returncode == 1 and len(done.stderr.splitlines()) == 1, form, "on a full disk:", done.stderr)


# ---- the manual ---------------------------------------------------------------------------------


def read(path):
    with open(f"{SOURCE}/{path}", encoding="utf-8") as f:
        return f.read()


def the_manual_is_complete():
    """docs/experiments.md names every key, problem, noise and column; its example runs; its mistakes are what is said."""
    page, source = read("docs/experiments.md"), read("src/experiment/experiment_file.c")
    keys = set(re.findall(r'\{"([a-z_]+)", &p->', source))
    keys |= set(re.findall(r"^    SETTING\(\w+, +\w+, +(\w+),", read("src/experiment/task.h"), re.M))
    tables = "".join(read(f"problems/{f}.c") for f in ("functions", "shapes", "mixed", "rover", "push", "hidden"))
    problems = set(re.findall(r'^    \{"([a-z0-9-]+)", \d', tables, re.M)) | {"radio"}
    noises = set(re.findall(r'"([a-z]+)"', read("problems/noise.c").split("names[] = {")[1].split("}")[0]))
    colours = set(re.findall(r'"([a-z]+)"', source.split("read_colour")[1].split("words[COLOURS] = {")[1].split("}")[0]))
    columns = set(FIRST) | set(rows_of("out/ackley")[0]) | set(rows_of("out/radio")[0]) | set(rows_of("out/intervals", "grid.csv.gz")[0])
    check(len(keys) > 18 and len(problems) > 50 and len(noises) == 14 and len(colours) == 10, keys, problems, noises, colours)
    for word in keys | problems | noises | colours | columns:
        check(f"`{word}`" in page, "docs/experiments.md has no", word)
    example = re.search(r"^```yaml\n(.*?)^```$", page, re.M | re.S).group(1)
    with open("robust.yaml", "w", encoding="utf-8") as f:
        f.write(example)
    said = locbo("experiment", "run", "robust.yaml", "-s", 2, "-q", "-o", "manual").stdout
    check("Two functions with outliers" in said and len(runs_of(rows_of("manual/robust"))) == 12, said)
    for old, new, line in (("relative", "relativ", 8), ("outliers,", "outlier,", 9), ("shape: 0.1", "shape: 10", 17), ("about: Every seed moves the optimum.", "figure: sweep", 3)):
        with open("robust.yaml", "w", encoding="utf-8") as f:
            f.write(example.replace(old, new))
        promised = re.search(rf"^    (robust\.yaml:{line}: .*)$", page, re.M).group(1)
        refused("run", "robust.yaml", code=8, words=promised)


def main():
    count, total = every_experiment_runs_in_small()
    several_outputs()
    one_and_many_processes_agree()
    command = longer()
    locbo(*command, "-o", "clean")
    clean = rows_of("clean/longer")
    kills = kills_lose_nothing(command, clean)
    ctrl_c_saves(command, clean)
    programs_are_methods()
    bad_programs_are_one_line()
    programs_end_with_the_harness()
    cases_can_be_chosen()
    cmaes_runs()
    turbo_runs()
    turbo_begins_anew()
    many_parameters()
    tpe_runs()
    rows_for_programs()
    mistakes_are_one_line()
    changed_files()
    files_that_cannot_be_used()
    the_manual_is_complete()
    print(f"{count} experiments in small, {total} runs; {kills} kills and a Ctrl-C lost nothing")


run_in_own_folder(main)
