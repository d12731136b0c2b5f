"""Evaluations that report steps, and hopeless ones that are ended early: by each rule; steps that are none; programs that
ignore SIGTERM, or print a value then; 100000 steps; workers killed at random moments; the pipe and `beat`; export and
import. On the database that LOCBO_TEST_DB names too, and there the server is stopped in mid-run."""
import json
import os
import random
import signal
import subprocess
import time

from common import check, locbo, program, run_in_own_folder, start, trials, wait_until, words_of

DB = os.environ.get("LOCBO_TEST_DB") or "sqlite:pruned.db"
X = ["-p", "x~float(0,1)"]
RANDOM = ["--method", "random", "--seed", 3]

# x, steps, seconds of each: the curve falls to x
CURVE = """#!/usr/bin/env python3
import sys, time
x, steps, pause = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
for t in range(1, steps + 1):
    time.sleep(pause)
    print("step", t, x + 1 / t, flush=True)
print(x + 1 / steps)
"""


def shown(name, trial):
    return json.loads(locbo("show", trial, "--db", DB, "--name", name, "-f", "json").stdout)


def listed(name, *more):
    return trials("--db", DB, "--name", name, *more)


def account(name):
    return json.loads(locbo("status", "--db", DB, "--name", name, "-f", "json").stdout)["early_end"]


def curves(name, trial):
    return {c["attempt"]: list(zip(c["step"], c["value"])) for c in shown(name, trial).get("curves", [])}


def pipe(name, *requests):
    """The answers."""
    lines = "".join(json.dumps(r) + "\n" for r in requests)
    return [json.loads(line) for line in locbo("pipe", "--db", DB, "--name", name, stdin=lines).stdout.splitlines()]


def prepare(name, rule, *command):
    """A study with six complete curves, after which a value of 9 is hopeless at any step."""
    locbo("create", "--db", DB, "--name", name, *X, *RANDOM, "--prune", rule, "--", *(command or ["none"]))
    requests = []
    for i in range(1, 7):
        steps = [[t, i / 100 + 1 / t] for t in range(1, 21)]
        requests += [{"op": "ask"}, {"op": "report", "trial": i, "attempt": 1, "steps": steps},
                     {"op": "tell", "trial": i, "value": i / 100}]
    answers = pipe(name, *requests)
    check(all(a["ok"] for a in answers), answers)


def hopeless(rule):
    curve = program("curve", CURVE)
    name = "hopeless " + rule
    worker = start("run", "--db", DB, "--name", name, *X, *RANDOM, "-n", 30, "-j", 2, "--prune", rule, "--", curve, "{x}", 20,
                   0.02)
    check(worker.wait(timeout=300) == 0, worker.returncode, words_of(worker))
    rows = listed(name)
    pruned = [r for r in rows if r["state"] == "PRUNED"]
    complete = [r for r in rows if r["state"] == "COMPLETE"]
    check(len(rows) == 30 and len(pruned) + len(complete) == 30 and pruned, rows)
    check(f", {len(pruned)} pruned" in words_of(worker), words_of(worker))
    check("ended early: " in words_of(worker) and "steps saved" in words_of(worker), words_of(worker))
    check(all(r["value"] is None and r["values"] == [] and r["decision"]["ended"] for r in pruned), pruned)
    best = json.loads(locbo("best", "--db", DB, "--name", name, "-f", "json").stdout)
    check(best["value"] == min(r["value"] for r in complete), best)
    whole = account(name)
    check(whole["rule"] == rule and whole["ended"] >= len(pruned) and whole["steps_saved"] > 0, whole)
    check(whole["ended"] + whole["kept"] == whole["could_end"], whole)
    one = shown(name, min(pruned, key=lambda r: r["decision"]["step"])["trial"])
    check(one["outputs"][0]["exit_code"] == -signal.SIGTERM and one["outputs"][0]["stdout"], one)
    points = curves(name, one["trial"])[1]
    decision = one["decision"]
    check((decision["step"], decision["value"]) in points and len(points) <= 20, points, decision)
    text = locbo("show", one["trial"], "--db", DB, "--name", name).stdout
    check("\ncurve" in text and f"ended at step {decision['step']} of attempt 1" in text, text)
    status = locbo("status", "--db", DB, "--name", name).stdout
    words = " ".join(status.split())
    check(f"{len(pruned)} pruned" in words and "30 of 30 (100 %)" in words and f"early end {rule}" in words, status)
    check(("says little before some hundred trials" in status) == (rule == "risk"), status)
    table = locbo("trials", "--db", DB, "--name", name, "--state", "pruned").stdout
    check(table.count(" at step ") == len(pruned), table)
    csv = locbo("trials", "--db", DB, "--name", name, "-f", "csv").stdout.splitlines()
    check(csv[0].endswith("pruned_step,pruned_value") and len(csv) == 31, csv)
    locbo("run", "--db", DB, "--name", name, code=4)
    with open("trials.csv", "w") as f:
        f.write("\n".join(csv) + "\n")
    locbo("create", "--db", DB, "--name", name + " again", *X, *RANDOM)
    locbo("import", "--db", DB, "--name", name + " again", "trials.csv")
    check(len(listed(name + " again")) == len(complete), "imported")
    return len(pruned)


def not_wanted():
    """Without a rule steps are stored, and nothing is ended."""
    curve = program("curve", CURVE)
    locbo("run", "--db", DB, "--name", "none", *X, *RANDOM, "-n", 12, "-j", 4, "--", curve, "{x}", 10, 0.01)
    check(all(r["state"] == "COMPLETE" and "decision" not in r for r in listed("none")), listed("none"))
    for trial in range(1, 13):
        check([t for t, _ in curves("none", trial)[1]] == list(range(1, 11)), curves("none", trial))


def odd_steps():
    """Out of order, repeated, not finite, malformed: one message, and the result is the documented one."""
    lines = ["step 1 0.5", "step 3 0.4", "step 2 0.3", "step 3 0.2", "step 4 nan", "step 5 inf", "step", "step x y", "step -1 2",
             "step 10 1e400", "step 1e400 1", '{"step": 6, "value": NaN}', '{"step": 7, "value": 0.25, "lr": 1}', "0.75",
             '{"step": 8, "value": 0.125}', '{"step": 9, "values": [1, 2]}', "step 9 0.0625"]
    with open("lines", "w") as f:
        f.write("\n".join(lines) + "\n")
    odd = program("odd", "#!/bin/sh\ncat lines\n")
    done = locbo("run", "--db", DB, "--name", "odd", *X, *RANDOM, "-n", 2, "--prune", "median", "--", odd)
    check(done.stderr.count("is no step, and is ignored") == 1, done.stderr)
    check([r["value"] for r in listed("odd")] == [0.75, 0.75], listed("odd"))
    check(curves("odd", 1) == {1: [(1, 0.5), (3, 0.4), (7, 0.25), (8, 0.125), (9, 0.0625)]}, curves("odd", 1))
    only = program("only", "#!/bin/sh\necho step 1 2\n")
    locbo("run", "--db", DB, "--name", "only", *X, *RANDOM, "-n", 1, "--max-failures", 1, "--", only, code=7)
    check("nothing but steps was printed" in shown("only", 1)["message"], shown("only", 1))
    named = program("named", "#!/bin/sh\necho '{\"step\": 1, \"loss\": 2}'\necho '{\"step\": 2, \"loss\": 1, \"size\": 4}'\n"
                    "echo '{\"loss\": 0.5, \"size\": 3}'\n")
    locbo("run", "--db", DB, "--name", "named", *X, *RANDOM, "-n", 1, "--output", "size~record", "--output", "loss~minimize",
          "--", named)
    check(curves("named", 1) == {1: [(1, 2), (2, 1)]}, curves("named", 1))
    check(listed("named")[0]["outputs"] == {"size": 3, "loss": 0.5}, listed("named"))


def stubborn():
    """SIGTERM is ignored, or answered with a value: that is dropped."""
    ways = {"deaf": "trap '' TERM", "late": "trap 'echo 0.001; exit 0' TERM", "crash": "trap 'exit 3' TERM"}
    for name, trap in ways.items():
        script = program(name, f"#!/bin/sh\n{trap}\nt=0\nwhile [ $t -lt 600 ]; do t=$((t+1)); echo step $t 9; sleep 0.05; done\n"
                         "echo 9\n")
        prepare(name, "median", script)
        began = time.time()
        locbo("run", "--db", DB, "--name", name, "-n", 7, "--grace", "1s", "-q")
        check(time.time() - began < 20, name, time.time() - began)
        last = listed(name)[-1]
        check(last["state"] == "PRUNED" and last["value"] is None, last)
        check(len(shown(name, 7)["outputs"]) == 1, shown(name, 7))
        check(subprocess.run(["pgrep", "-f", os.path.abspath(name) + "$"], capture_output=True).returncode == 1, "left behind")
    check(shown("deaf", 7)["outputs"][0]["exit_code"] == -signal.SIGKILL, shown("deaf", 7))


def at_once():
    """All steps and the result before anybody looks: it has its value, or was ended, never both or neither."""
    burst = program("burst", "#!/bin/sh\nfor t in 1 2 3 4 5 6 7 8; do echo step $t 9; done\necho 9\n")
    prepare("burst", "median", burst)
    locbo("run", "--db", DB, "--name", "burst", "-n", 20, "-j", 2, "-q")
    for row in listed("burst")[6:]:
        check((row["state"], row["values"]) in (("COMPLETE", [9]), ("PRUNED", [])), row)
        check(row["decision"]["ended"], row)


def many_steps():
    """100000 steps of one evaluation, as quickly as it prints them, beside others."""
    flood = program("flood", "#!/usr/bin/env python3\nprint('\\n'.join(f'step {t} {1 / t}' for t in range(1, 100001)))\nprint(0)\n")
    for name, rule in (("flood", "none"), ("flood ruled", "risk")):
        began = time.time()
        locbo("run", "--db", DB, "--name", name, *X, *RANDOM, "-n", 3, "-j", 2, "--prune", rule, "-q", "--", flood)
        seconds = time.time() - began
        for trial in (1, 2, 3):
            points = curves(name, trial)[1]
            check(len(points) == 100000 and points[-1] == (100000, 1e-5), len(points), points[-1])
        check(seconds < 120, seconds)
        print(f"3 x 100000 steps, rule {rule}: {seconds:.1f} s")
    text = locbo("show", 1, "--db", DB, "--name", "flood").stdout
    check("(12 of 100000 steps)" in text, text[:2000])


def killed(kills=15, total=40):
    """SIGKILL at random moments, many of them about a report. Each trial ends once; each attempt has its own curve."""
    curve = program("curve", CURVE)
    command = ["run", "--db", DB, "--name", "killed", *X, *RANDOM, "-n", total, "-j", 2, "--prune", "median", "--max-lost", 1000,
               "-q", "--", curve, "{x}", 12, 0.02]
    for i in range(kills):
        process = start(*command)
        try:
            process.wait(timeout=random.uniform(0.1, 1.2))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    locbo(*command, code=None)
    locbo(*command, code=4)
    rows = listed("killed", "-l")
    check([r["trial"] for r in rows] == list(range(1, total + 1)), len(rows))
    pruned = [r for r in rows if r["state"] == "PRUNED"]
    check(all(r["state"] in ("COMPLETE", "PRUNED") for r in rows) and pruned, rows)
    events = []
    for r in rows:
        events += [m["sequence"] for m in r["measurements"]]
        events += [r["decision"]["event"]] if "decision" in r and r["decision"]["ended"] else []
        check(len(r["values"]) == (r["state"] == "COMPLETE"), r)
        check(r["state"] == "COMPLETE" or r["failure"] == r["decision"]["event"], r)
        for attempt, points in curves("killed", r["trial"]).items():
            steps = [t for t, _ in points]
            check(attempt <= r["attempt"] and steps == list(range(1, len(steps) + 1)), r["trial"], attempt, steps)
            check(all(v == r["params"]["x"] + 1 / t for t, v in points), points)
    changes = [c["event"] for c in json.loads(locbo("log", "--db", DB, "--name", "killed", "-f", "json").stdout)]
    check(sorted(events + changes) == list(range(1, len(events + changes) + 1)), sorted(events), changes)
    again = sum(r["attempt"] > 1 for r in rows)
    print(f"{kills} kills, {total} trials: {len(pruned)} pruned, {again} begun more than once")


def refuse_broken():
    """Of a.json, with one thing wrong each time."""
    def decided(study):
        return next(t["decision"] for t in study["trials"] if "decision" in t)

    def set_rule(study):
        decided(study)["rule"] = "often"

    def set_attempt(study):
        decided(study)["attempt"] = 0

    def set_event(study):
        decided(study)["event"] = -1

    def turn_steps(study):
        next(c for c in study["curves"] if len(c["step"]) > 1)["step"].reverse()

    def drop_value(study):
        study["curves"][0]["value"].pop()

    def no_trial(study):
        study["curves"][0]["trial"] = 10**6

    def no_list(study):
        study["curves"] = {}

    for change in (set_rule, set_attempt, set_event, turn_steps, drop_value, no_trial, no_list):
        study = json.load(open("a.json"))
        change(study)
        with open("broken.json", "w") as f:
            json.dump(study, f)
        done = locbo("import", "--db", "sqlite:no.db", "--study", "broken.json", code=None)
        check(done.returncode != 0 and done.stderr.count("\n") == 1, change.__name__, done.stderr)


def results_only(name):
    """Imported as results, from each kind of file: those that were ended early are left out, and that is said."""
    locbo("export", "--db", DB, "--name", name, "-o", "a.json")
    locbo("export", "--db", DB, "--name", name, "-f", "csv", "-o", "a.csv")
    for path, *how in ("rows.csv", "-f", "csv"), ("rows.json", "-l", "-f", "json"):
        with open(path, "w") as file:
            file.write(locbo("trials", "--db", DB, "--name", name, *how).stdout)
    states = [t["state"] for t in json.load(open("a.json"))["trials"]]
    pruned, complete = states.count("PRUNED"), states.count("COMPLETE")
    check(pruned > 0, states)
    for path in "a.json", "rows.csv", "rows.json", "a.csv":
        own = "--db", "sqlite:only.db", "--name", path
        locbo("create", *own, *X)
        said = locbo("import", *own, path).stderr
        check(f"imported {complete} results" in said, path, said)
        words = f"left out {pruned} trial{'s' if pruned > 1 else ''} ended early, without a result (--study FILE.json restores such trials)"
        check(path == "a.csv" or words in said, path, said)  # a CSV file of `export` has results only
    with open("one.csv", "w") as file:
        file.write("x,value,state\n0.5,3,PRUNED\n")
    said = locbo("import", *own, "one.csv").stderr
    check("left out 1 trial ended early" in said and "imported nothing" in said, said)


def moved(name):
    """An export is restored to the same: state, curves, decisions, and what is proposed next."""
    locbo("export", "--db", DB, "--name", name, "-o", "a.json")
    study = json.load(open("a.json"))
    check(study["version"] == 5 and study["curves"] and any("decision" in t for t in study["trials"]), study["version"])
    locbo("import", "--db", "sqlite:moved.db", "--study", "a.json", "--name", name)
    locbo("export", "--db", "sqlite:moved.db", "--name", name, "-o", "b.json")
    check(open("a.json").read() == open("b.json").read(), "the restored study differs")
    url = DB if DB.startswith("postgres") else "sqlite:there.db"
    locbo("import", "--db", url, "--study", "b.json", "--name", name + " back")
    for _ in range(3):
        rows = [json.loads(locbo("ask", "--more", "--db", db, "--name", n, "-f", "json").stdout)
                for db, n in ((DB, name), ("sqlite:moved.db", name), (url, name + " back"))]
        check(rows[0] == rows[1] == rows[2], rows)
    for db, n in ((DB, name), ("sqlite:moved.db", name)):
        end = [locbo("beat", rows[0]["trial"], "--db", db, "--name", n, "--step", t, "--value", 9, code=None).returncode
               for t in (2, 3)]
        check(end == [4, 4], end)
    refuse_broken()
    plain = "plain " + name
    locbo("create", "--db", DB, "--name", plain, *X)
    head = json.loads(locbo("export", "--db", DB, "--name", plain).stdout)
    check(head["version"] == 1 and "prune" not in head["plan"] and "curves" not in head, head)


def by_hand():
    """The pipe, and ask, beat and tell."""
    prepare("hand", "median")
    answers = pipe("hand", {"op": "ask"}, {"op": "report", "trial": 7, "steps": []},
                   {"op": "report", "trial": 7, "steps": [[1, 1], [1, 8], [0, 1], [2, None]]},
                   {"op": "report", "trial": 7, "attempt": 1, "steps": [[3, 9], [4, 0]]},
                   {"op": "report", "trial": 7, "attempt": 1, "steps": [[5, 0]]}, {"op": "beat", "trial": 7},
                   {"op": "report", "trial": 7, "steps": [[5, "x"]]}, {"op": "report", "trial": 7},
                   {"op": "report", "trial": 7, "steps": [[-5, 1]]}, {"op": "report", "trial": 1, "steps": [[50, 1]]},
                   {"op": "report", "trial": 99, "steps": [[1, 1]]})
    status = pipe("hand", {"op": "status"})[0]
    check(status["early_end"] == account("hand") and status["early_end"]["ended"] >= 1, status)
    check([a.get("end") for a in answers[1:5]] == [False, False, True, True], answers)
    check([a.get("code") for a in answers[5:]] == [1, 2, 2, 2, 1, 3], answers)
    check(curves("hand", 7) == {1: [(1, 1), (3, 9), (4, 0)]}, curves("hand", 7))
    check(len(curves("hand", 1)[1]) == 20, "a step after the end")
    trial = json.loads(locbo("ask", "--db", DB, "--name", "hand", "-f", "json").stdout)["trial"]
    beat = ["beat", trial, "--db", DB, "--name", "hand"]
    locbo(*beat, "--step", 1, "--value", 1)
    locbo(*beat, "--step", 1, code=2)
    locbo(*beat, "--value", 1, code=2)
    locbo(*beat, "--step", -1, "--value", 1, code=2)
    locbo(*beat, "--step", 2, "--value", "nan", code=2)
    locbo(*beat, "--step", 2, "--value", 9, code=4)
    locbo(*beat, "--step", 3, "--value", 9, code=4)
    locbo(*beat, code=1)
    locbo("tell", trial, 0.004, "--db", DB, "--name", "hand")
    last = shown("hand", trial)
    check(last["state"] == "COMPLETE" and last["value"] == 0.004 and last["decision"]["ended"], last)


def another_ends_it():
    """A step that somebody else reports ends the trial: the worker ends its evaluation at the next heartbeat."""
    quiet = program("quiet", "#!/bin/sh\nsleep 60\necho 1\n")
    prepare("another", "median", quiet)
    worker = start("run", "--db", DB, "--name", "another", "-n", 7, "--lease", "1s", "-q")
    wait_until(lambda: len(listed("another", "--state", "running")) == 1)
    locbo("beat", 7, "--db", DB, "--name", "another", "--step", 2, "--value", 9, code=4)
    check(worker.wait(timeout=30) == 0, words_of(worker))
    check(listed("another")[-1]["state"] == "PRUNED", listed("another")[-1])


def plans():
    """Options and study files."""
    for wrong in (["--prune", "often"], ["--prune-risk", "0"], ["--prune-risk", "1.5"]):
        locbo("create", "--db", DB, "--name", "wrong", *X, *wrong, code=2)
    with open("plan.yaml", "w") as f:
        f.write("parameters: {x: 'float(0, 1)'}\nprune: risk\nprune_risk: 0.1\n")
    locbo("create", "--db", DB, "--name", "plan", "plan.yaml")
    plan = json.loads(locbo("status", "--db", DB, "--name", "plan", "-f", "json").stdout)["plan"]
    check((plan["prune"], plan["prune_risk"]) == ("risk", 0.1), plan)
    done = locbo("alter", "--db", DB, "--name", "plan", "--prune", "halving", "--prune-risk", 0.2)
    check("prune: risk -> halving" in done.stdout and "prune-risk: 0.1 -> 0.2" in done.stdout, done.stdout)
    for key, value in (("prune", "often"), ("prune_risk", "2")):
        with open("wrong.yaml", "w") as f:
            f.write(f"parameters: {{x: 'float(0, 1)'}}\n{key}: {value}\n")
        done = locbo("create", "--db", DB, "--name", "wrong", "wrong.yaml", code=8)
        check(f"wrong.yaml:2: {key}: " in done.stderr, done.stderr)


def server(what, *more):
    subprocess.run(["pg_ctlcluster", os.environ["PGVERSION"], "regress", what, *more], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def outage():
    """Steps that come while the server is away are all stored, and what is hopeless is ended then."""
    curve = program("curve", CURVE)
    prepare("outage", "median", curve, "{x}", "120", "0.05")
    locbo("enqueue", "--db", DB, "--name", "outage", "x=0")
    worker = start("run", "--db", DB, "--name", "outage", "-n", 9, "-j", 3, "-q")
    wait_until(lambda: len(listed("outage", "--state", "running")) >= 1)
    time.sleep(0.3)
    server("stop", "-m", "fast")
    time.sleep(3)
    server("start")
    check(worker.wait(timeout=120) == 0, words_of(worker))
    rows = listed("outage")[6:]
    check(rows[0]["state"] == "COMPLETE" and [t for t, _ in curves("outage", 7)[1]] == list(range(1, 121)), rows)
    for row in rows:
        steps = [t for points in curves("outage", row["trial"]).values() for t, _ in points]
        check(steps == list(range(1, len(steps) + 1)), row["trial"], steps)


def main():
    plans()
    ended = {rule: hopeless(rule) for rule in ("risk", "median", "halving")}
    print("ended of 30:", ended)
    not_wanted()
    odd_steps()
    stubborn()
    at_once()
    by_hand()
    another_ends_it()
    killed()
    moved("killed")
    results_only("killed")
    many_steps()
    if "PGVERSION" in os.environ:
        outage()


run_in_own_folder(main)
