"""Steps, ordered and bool parameters, conditions and known constraints as a user meets them: a study is run, exported,
imported (also through the database that LOCBO_TEST_DB names) and goes on bit for bit; tables, CSV and JSON leave out what
is not active; mistakes are one line that names them, within a second."""
import csv
import io
import json
import math
import os
import re
import sys
import time

from common import SLOW, check, locbo, program, run_in_own_folder, trials

OTHER = os.environ.get("LOCBO_TEST_DB") or "sqlite:other.db"
STUDY = """
name: s
parameters:
  kernel: cat(linear, poly, rbf)
  degree: {type: int, low: 2, high: 5, when: {kernel: poly}}
  gamma: log(1e-3, 10) when kernel in (rbf, poly)
  a: float(0, 1, 0.05)
  b: {type: float, low: 0, high: 1}
  flag: bool
  deep: {type: int, low: 8, high: 64, step: 8, when: {flag: true}}
  deeper: {type: categorical, values: [x, "y z"], when: {deep: [8, 16, 32]}}
  size: {type: ordered, values: [small, medium, large], numbers: [1, 2, 10]}
  rate: {type: ordered, values: [1, 2, 4], numbers: []}
  n: intlog(0, 100)
constraints:
  - a + b <= 1
  - n < 50 or flag == 1
  - size*a <= 5
command: ./objective
options: {seed: 3}
"""
NAMES = "kernel degree gamma a b flag deep deeper size rate n".split()
OBJECTIVE = """#!/bin/sh
echo "$@" >>words.txt
env | grep ^LOCBO_PARAM_ | grep -v '_[A-Z]*=' | sort | tr '\\n' ' ' >>environment.txt
echo >>environment.txt
for word in "$@"; do
    name=${word%%=*} value=${word#*=}
    case $name in --kernel) k=$value;; --degree) d=$value;; --gamma) g=$value;; --a) a=$value;; --b) b=$value;; esac
done
awk -v k="$k" -v d="$d" -v g="$g" -v a="$a" -v b="$b" 'BEGIN {
    v = (a - 0.3)^2 + (b - 0.4)^2
    if (k == "poly") v += 0.1 * (d - 3)^2; else if (k == "rbf") v += 0.05 + (g - 0.1)^2 / 10; else v += 0.3
    printf "%.9f\\n", v
}'
"""
TRIALS = 14 if SLOW else 20


def active(p):
    """The names that have values at a point."""
    names = [n for n in NAMES if n not in ("degree", "gamma", "deep", "deeper")]
    names += ["degree"] * (p["kernel"] == "poly") + ["gamma"] * (p["kernel"] != "linear") + ["deep"] * p["flag"]
    return set(names + ["deeper"] * (p["deep"] in (8, 16, 32)))


def check_point(p):
    check(list(p) == NAMES and {n for n in NAMES if p[n] is not None} == active(p), "what is active at", p)
    number = {"small": 1, "medium": 2, "large": 10}[p["size"]]
    check(p["a"] + p["b"] <= 1 and (p["n"] < 50 or p["flag"]) and number * p["a"] <= 5, "a constraint does not hold at", p)
    check(math.isclose(p["a"] / 0.05, round(p["a"] / 0.05), abs_tol=1e-9), "not a step:", p["a"])
    check(p["deep"] is None or p["deep"] % 8 == 0, "not a step:", p["deep"])


def exported(db, *words):
    return locbo("export", "--db", db, *words).stdout


def written(name, text):
    with open(name, "w") as f:
        f.write(text)
    return name


# ---- a study ---------------------------------------------------------------------------------------------

def run_study():
    locbo("run", "--db", "sqlite:first.db", written("s.yaml", STUDY), "-n", TRIALS, "-q")
    rows = trials("--db", "sqlite:first.db")
    check(len(rows) == TRIALS and {r["params"]["kernel"] for r in rows} == {"linear", "poly", "rbf"}, rows)
    for row in rows:
        check_point(row["params"])
    with open("words.txt") as words, open("environment.txt") as environment:
        for line, set_names, row in zip(words, environment, rows):
            check(set(re.findall(r"--(\w+)=", line)) == active(row["params"]), "the command got", line, "at", row["params"])
            check(set(re.findall(r"LOCBO_PARAM_(\w+)=", set_names)) == active(row["params"]), "the environment has", set_names)
    print("a study is run: every point is allowed, the objective gets what is active")


def round_trip():
    text = exported("sqlite:first.db")
    study = json.loads(text)
    check(study["version"] == 3 and study["constraints"] == ["a + b <= 1", "n < 50 or flag == 1", "size*a <= 5"], text[:900])
    p = study["parameters"]
    check(p["a"] == {"type": "float", "low": 0, "high": 1, "log": False, "step": 0.05} and p["flag"] == {"type": "bool"}, p)
    check(p["degree"]["when"] == {"kernel": ["poly"]} and p["deep"]["when"] == {"flag": [True]}, p)
    check(p["deeper"]["when"] == {"deep": [8, 16, 32]} and p["size"]["numbers"] == [1, 2, 10], p)
    check(p["rate"] == {"type": "ordered", "values": ["1", "2", "4"], "log": False, "numbers": []}, p)
    locbo("import", "--db", OTHER, "--study", written("first.json", text))
    check(exported(OTHER) == text, "an export does not come back through", OTHER)
    locbo("import", "--db", "sqlite:third.db", "--study", written("other.json", exported(OTHER)))
    for db in ("sqlite:first.db", OTHER, "sqlite:third.db"):
        locbo("run", "--db", db, "s.yaml", "-n", TRIALS + 4, "-q")
    results = [exported(db, "-f", "csv") for db in ("sqlite:first.db", OTHER, "sqlite:third.db")]
    check(results[0] == results[1] == results[2], "the copies go on another way")
    check(results[0].count("\n") == TRIALS + 5, "results:", results[0])
    print("exported, imported and continued bit for bit")


def plain_exports():
    """A space without any of it is exported as ever, so that older programs read it."""
    locbo("create", "--db", "sqlite:plain.db", "-p", "x~float(0,1)", "-p", "n~intlog(1,9)", "-p", "m~cat(a,b)")
    study = json.loads(exported("sqlite:plain.db"))
    check(study["version"] == 1 and "constraints" not in study, study)
    check(study["parameters"] == {"x": {"type": "float", "low": 0, "high": 1, "log": False},
                                  "n": {"type": "int", "low": 1, "high": 9, "log": True},
                                  "m": {"type": "categorical", "values": ["a", "b"]}}, study["parameters"])
    for more in ("y~float(0,1,0.5)", "y~bool", "y~ordered(a,b)", "y~intlog(0,9)", "y~float(0,1) when m=a"):
        name = f"s{abs(hash(more))}"
        locbo("create", "--db", "sqlite:plain.db", "--name", name, "-p", "m~cat(a,b)", "-p", more)
        check(json.loads(exported("sqlite:plain.db", "--name", name))["version"] == 3, more)


# ---- tables, points, results -------------------------------------------------------------------------------

def shown():
    db = ("--db", "sqlite:first.db")
    status = locbo("status", *db).stdout
    for words in ("int(2,5) when kernel=poly", "when kernel in (rbf,poly)", "constraint 1", "a + b <= 1", "float(0,1,0.05)"):
        check(words in status, words, "not in", status)
    first = next(r for r in trials(*db) if r["params"]["kernel"] == "linear")
    rows = list(csv.DictReader(io.StringIO(locbo("trials", *db, "-f", "csv").stdout)))
    row = next(r for r in rows if r["trial"] == str(first["trial"]))
    check(row["degree"] == "" and row["gamma"] == "" and row["flag"] in ("true", "false"), row)
    for command in ("best", "recommend"):
        check_point(json.loads(locbo(command, *db, "-f", "json").stdout)["params"])
    words = locbo("show", *db, first["trial"]).stdout
    check(re.search(r"^degree *$", words, re.M), "show:", words)
    for parameter in NAMES:
        done = locbo("plot", "slice", *db, "--parameter", parameter, "--csv")
        check(len(done.stdout.splitlines()) > 2, parameter, done.stdout)
    cells = list(csv.DictReader(io.StringIO(locbo("plot", "contour", *db, "--x", "degree", "--y", "kernel", "--csv").stdout)))
    check(all((c["mean"] != "") == (c["kernel"] == "poly") for c in cells), "a contour where degree is not active:", cells)
    cells = list(csv.DictReader(io.StringIO(locbo("plot", "contour", *db, "--x", "a", "--y", "b", "--csv").stdout)))
    check(all(c["mean"] == "" for c in cells if float(c["a"]) + float(c["b"]) > 1), "a contour beyond a constraint")
    print("tables, choices, slices")


def points():
    db = ("--db", "sqlite:first.db")
    linear = "kernel=linear a=0.5 b=0.1 flag=false size=small rate=2 n=3".split()
    check(json.loads(locbo("predict", *db, *linear, "-f", "json").stdout)["params"]["degree"] is None, "predict")
    check_point(json.loads(locbo("enqueue", *db, *linear).stdout)["params"])
    for fixed in ("kernel=poly degree=3", "kernel=rbf", "a=0.9", "flag=true deep=24", "b=1"):
        trial = json.loads(locbo("enqueue", *db, *fixed.split()).stdout)
        check_point(trial["params"])
        asked = json.loads(locbo("ask", *db, "--more", *sum((["--fix", f] for f in fixed.split()), [])).stdout)
        check_point(asked["params"])
        locbo("tell", *db, asked["trial"], "0.5")
    wrong = {"kernel=linear degree=3": "'degree' is fixed at 3", "degree=3": "'kernel' is not fixed", "flag=yes": "true or false",
             "a=0.9 b=0.5": "a + b <= 1", "a=0.12": "in steps of 0.05", "flag=false n=80": "n < 50 or flag == 1"}
    for words, says in wrong.items():
        done = locbo("enqueue", *db, *words.split(), code=2)
        check(says in done.stderr and done.stderr.count("\n") == 1, words, "says", done.stderr)
    done = locbo("predict", *db, *linear, "degree=3", code=2)
    check("'degree' is not active" in done.stderr, done.stderr)
    done = locbo("predict", *db, *linear[1:], code=2)
    check("the value of kernel is missing" in done.stderr, done.stderr)
    pipe = '{"op":"ask","id":1,"fix":{"kernel":"linear","degree":null}}\n{"op":"predict","id":2,"params":{"kernel":"poly"}}\n'
    locbo("create", "--db", "sqlite:pipe.db", "s.yaml")
    answers = [json.loads(line) for line in locbo("pipe", "--db", "sqlite:pipe.db", stdin=pipe).stdout.splitlines()]
    check_point(answers[0]["params"])
    check("the value of degree is missing" in json.dumps(answers[1]), answers[1])
    print("enqueue, predict, ask, pipe: what is given and what is not active")


def results():
    """Through CSV and JSON into a new study; mistakes name line and column."""
    locbo("create", "--db", "sqlite:new.db", "s.yaml")
    table = exported("sqlite:first.db", "-f", "csv")
    locbo("import", "--db", "sqlite:new.db", written("results.csv", table))
    check([r["params"] for r in trials("--db", "sqlite:new.db")] ==
          [r["params"] for r in sorted(trials("--db", "sqlite:first.db"), key=lambda r: r["trial"]) if r["values"]], "through CSV")
    locbo("create", "--db", "sqlite:new.db", "--name", "json", "s.yaml")
    locbo("import", "--db", "sqlite:new.db", "--name", "json", written("results.json", exported("sqlite:first.db")))
    head = ",".join(f"params.{n}" if n == "n" else n for n in NAMES) + ",value\n"
    good = "rbf,,0.1,0.1,0.2,true,40,,small,1,3,1\n"
    wrong = {"linear,3,,0.1,0.2,true,40,,small,1,3,1": "'degree' is not active",
             "poly,,0.1,0.1,0.2,true,40,,small,1,3,1": "degree is missing", "rbf,,0.1,0.12,0.2,true,40,,small,1,3,1": "a must",
             "rbf,,0.1,0.6,0.5,true,40,,small,1,3,1": "'a + b <= 1'", "rbf,,0.1,,0.2,true,40,,small,1,3,1": "a must be",
             "rbf,,0.1,0.1,0.2,maybe,40,,small,1,3,1": "flag must be true", "rbf,,0.1,0.1,0.2,true,12,,small,1,3,1": "deep must",
             "rbf,,0.1,0.1,0.2,true,8,,small,1,3,1": "deeper is missing", "rbf,,0.1,0.1,0.2,true,40,,huge,1,3,1": "size must"}
    for line, says in wrong.items():
        done = locbo("import", "--db", "sqlite:new.db", "--name", "json", "-", code=1, stdin=head + good + line + "\n")
        check(f":3: " in done.stderr and says in done.stderr and done.stderr.count("\n") == 1, line, "says", done.stderr)
    print("results through CSV and JSON")


# ---- mistakes ------------------------------------------------------------------------------------------------

def mistakes():
    base = ["-p", "k~cat(a,b)", "-p", "x~float(0,1)", "-p", "y~float(0,1)"]

    def refused(words, *arguments, code=2):
        begin = time.time()
        done = locbo("create", "--db", "sqlite:bad.db", *arguments, code=code)
        check(words in done.stderr and done.stderr.count("\n") == 1, arguments, "say", done.stderr, "without", words)
        check(time.time() - begin < (30 if SLOW else 3), words, "took", time.time() - begin)  # a busy machine
        check(not os.path.exists("bad.db") or locbo("status", "--db", "sqlite:bad.db", code=None).returncode == 3,
              words, "left a study")

    for constraint, words in {"x + z <= 1": "'x + z <= 1': there is no parameter 'z'", "x + <= 1": "expression 'x + <= 1'",
                              "": "it is empty", "x": "'x' is a number, not a condition", "k < 1": "'k' are no numbers",
                              "x; rm": "';'", "x + y <= -1": "'x + y <= -1' holds at 0", "log(-x) < 1": "'log(-x) < 1'"}.items():
        refused(words, *base, "--constraint", constraint)
    for parameter, words in {"d~int(1,2) when d=1": "'d' depends on 'd'", "d~int(1,2) when e=1": "depends on 'e'",
                             "d~int(1,2) when x=1": "'x', a real number", "d~int(1,2) when k=c": "k must be one of a, b",
                             "d~int(1,2) when k": "'=' or 'in' is missing", "d~float(0,1,0.3)": "steps of 0.3",
                             "d~int(1,2) when k in ()": "a value is missing", "d~intlog(-1,2)": "low >= 0"}.items():
        refused(words, *base, "-p", parameter)
    refused("given together with the parameters", "--constraint", "x < 1")
    refused("so write it there", "s.yaml", "--constraint", "a < 1")

    def file_refused(words, old, new):
        check(old in STUDY, old)
        refused(words, written("bad.yaml", STUDY.replace(old, new)), code=8)

    file_refused("bad.yaml:16: constraints[0]: ", "a + b <= 1", "a + q <= 1")
    file_refused("bad.yaml: constraints: no point was found", "a + b <= 1", "a + b <= -1")
    file_refused("parameters.degree.when.nothing: there is no parameter 'nothing' before", "{kernel: poly}", "{nothing: poly}")
    file_refused("parameters.degree.when.degree: there is no parameter 'degree' before", "{kernel: poly}", "{degree: 3}")
    file_refused("parameters.degree.when.a: there is no parameter 'a' before", "{kernel: poly}", "{a: 3}")
    file_refused("parameters.degree.when.kernel: kernel must be one of", "{kernel: poly}", "{kernel: cubic}")
    file_refused("parameters.size.numbers: expected a number for each of the 3 values", "[1, 2, 10]", "[1, 2]")
    file_refused("parameters.size", "[1, 2, 10]", "[1, 10, 2]")
    file_refused("parameters.deep.step: the step must be positive", "step: 8", "step: 0")
    file_refused("parameters.deep.step: ", "step: 8", "step: 9")
    file_refused("bad.yaml: enqueue[1]: parameter 'degree' is fixed at 3", "options:",
                 "enqueue:\n  - {kernel: poly, degree: 3}\n  - {kernel: linear, degree: 3}\noptions:")
    file_refused("bad.yaml: enqueue[0]: no point was found", "options:", "enqueue: [{a: 0.9, b: 0.5}]\noptions:")
    file_refused("{degree} has no value where it is not active", "command: ./objective", 'command: ["./objective", "{degree}"]')


def other_definitions():
    for old, new, words in (("a + b <= 1", "a + b <= 0.9", "constraint a + b <= 1: removed\n    constraint a + b <= 0.9: added"),
                            ("{kernel: poly}", "{kernel: rbf}", "degree: int(2,5) when kernel=poly -> int(2,5) when kernel=rbf"),
                            ("0.05", "0.1", "a: float(0,1,0.05) -> float(0,1,0.1)"), ("  - size*a <= 5\n", "", "constraint size*a <= 5: removed"),
                            ("[1, 2, 10]", "[1, 3, 10]", "numbers in (1,2,10) -> ordered(small,medium,large) numbers in (1,3,10)")):
        done = locbo("run", "--db", "sqlite:first.db", written("bad.yaml", STUDY.replace(old, new)), code=2)
        check("has another definition" in done.stderr and words in done.stderr, words, "not in", done.stderr)
    print("mistakes are named in one line")


def main():
    program("objective", OBJECTIVE)
    run_study()
    round_trip()
    plain_exports()
    shown()
    points()
    results()
    mistakes()
    other_definitions()


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    run_in_own_folder(main)
