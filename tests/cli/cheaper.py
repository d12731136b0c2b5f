"""Cheaper evaluations: a fidelity parameter, the cost of evaluations and a budget, from the command line, a file and the pipe;
the same bits in one go, in pieces and after an export; alterations."""
import json
import random
import signal
import time

from common import check, locbo, program, run_in_own_folder, start, trials, wait_until

SPACE = "-p", "x~float(0,1)", "--fidelity", "epochs~int(1,27,log)"


def exported(db):
    return json.loads(locbo("export", "--db", db).stdout)


def facts(study):
    kept = ("trial", "params", "told", "pending", "belief", "values", "seed", "origin")
    return study["fits"], [{k: t[k] for k in kept} for t in study["trials"]]


def status(db):
    return json.loads(locbo("status", "--db", db, "-f", "json").stdout)


def same_bits():
    """In one go, in pieces with kills between them, and continued from an export."""
    def command(db, n):
        return ["run", "--db", db, *SPACE, "--cost", "epochs", "--seed", 5, "-n", n, "-q", "--", "./objective", "{x}", "{epochs}"]

    locbo(*command("whole.db", 16))
    whole = exported("whole.db")
    levels = {t["params"]["epochs"] for t in whole["trials"]}
    check(27 in levels and len(levels) > 1, "proposals are of several fidelities:", levels)
    for n in (5, 9):
        locbo(*command("pieces.db", n), code=None)
        process = start(*command("pieces.db", 16))
        time.sleep(random.uniform(0.01, 0.3))
        process.send_signal(signal.SIGKILL)
        process.wait()
    locbo(*command("pieces.db", 16), code=None)
    check(facts(exported("pieces.db")) == facts(whole), "in pieces")
    locbo(*command("part.db", 10))
    locbo("export", "--db", "part.db", "-o", "part.json")
    check(json.load(open("part.json"))["version"] == 5, "the version of the export")
    locbo("import", "--db", "copy.db", "--study", "part.json")
    check(locbo("export", "--db", "copy.db").stdout == open("part.json").read(), "an export of the import")
    locbo(*command("copy.db", 16))
    check(facts(exported("copy.db")) == facts(whole), "after an export")


def full_fidelity():
    """Best and recommended are at full fidelity, also in the views."""
    for what in ("best", "recommend"):
        found = json.loads(locbo(what, "--db", "whole.db", "-f", "json").stdout)
        check(found["params"]["epochs"] == 27, what, found)
    rows = trials("--db", "whole.db")
    best = min((t["value"], t["trial"]) for t in rows if t["params"]["epochs"] == 27)
    view = status("whole.db")
    check((view["best"]["value"], view["best"]["trial"]) == best, view["best"], best)
    check(view["parameters"]["epochs"]["fidelity"] is True and view["cost"] == "epochs", view["parameters"], view["cost"])
    spent = sum(t["params"]["epochs"] for t in rows)
    below = sum(t["params"]["epochs"] for t in rows if t["params"]["epochs"] < 27)
    check(view["spent"] == {"cost": spent, "below": below, "expected": 0}, view["spent"])
    said, level = locbo("show", "--db", "whole.db", 3).stdout, rows[2]["params"]["epochs"]
    check(f"epochs {level} of 27" in said, said)
    said = locbo("status", "--db", "whole.db").stdout
    check("intlog(1,27) fidelity" in said and f"{spent}, of it {below} below full fidelity" in said, said)


def budget():
    """No trial is started once evaluations have cost as much."""
    run = "run", "--db", "budget.db"
    done = locbo(*run, *SPACE, "--cost", "epochs", "--budget", 60, "--", "./objective", "{x}", "{epochs}")
    costs = [t["params"]["epochs"] for t in trials("--db", "budget.db")]
    check(sum(costs) >= 60 > sum(costs[:-1]), costs)
    check(f"spent: {sum(costs)} of 60" in done.stdout and f"cost {sum(costs)}/60" in done.stderr, done.stdout, done.stderr)
    check("the budget is spent" in locbo(*run, "--name", "default", code=4).stderr, "nothing to do")
    check("has its budget of 60" in locbo("ask", "--db", "budget.db", code=4).stderr, "ask")
    locbo(*run, "--name", "default", "--budget", 100, "-j", 3)
    check(status("budget.db")["spent"]["cost"] >= 100, "a larger budget")
    locbo(*run, "--name", "default", "--budget", "none", "-n", len(trials("--db", "budget.db")) + 1)
    check(status("budget.db")["plan"]["budget"] is None, "none")
    check("--budget must be positive, got -1" in locbo(*run, "--name", "default", "--budget", -1, code=2).stderr, "negative")
    # without an expression in seconds
    program("slow", "#!/bin/sh\nsleep 0.2\necho 1\n")
    locbo("run", "--db", "time.db", "-p", "x~float(0,1)", "--budget", 0.5, "--", "./slow", "{x}")
    check(3 == len(trials("--db", "time.db")), len(trials("--db", "time.db")))
    check(" s" in locbo("status", "--db", "time.db").stdout.split("spent")[1].split("\n")[0], "the unit")


def race():
    """Several workers whose evaluations take no time begin no trial too many, also if the plan has the budget no longer."""
    program("gate", "#!/bin/sh\nwhile [ ! -e open ]; do sleep 0.02; done\nexec ./objective $1 $2\n")
    run = "run", "--db", "race.db", *SPACE, "--cost", "epochs", "--set", "method=random", "--budget", 300
    first = start(*run, "-q", "--", "./gate", "{x}", "{epochs}")
    wait_until(lambda: locbo("status", "--db", "race.db", code=None).returncode == 0)
    workers = [first] + [start("work", "--db", "race.db", "-q", "-j", 2) for _ in range(3)]
    wait_until(lambda: status("race.db")["states"].get("RUNNING", 0) == 7)
    locbo("alter", "--db", "race.db", "--budget", "none")
    open("open", "w").close()
    for worker in workers:
        check(worker.wait(60) == 0, "a worker ended with", worker.returncode)
    costs = [t["params"]["epochs"] for t in trials("--db", "race.db")]
    check(sum(costs) >= 300 > sum(costs[:-1]), sum(costs), costs)


def lowered():
    """A budget that was lowered ends the workers that run."""
    program("briefly", "#!/bin/sh\nsleep 0.05\necho 1\n")
    worker = start("run", "--db", "lowered.db", *SPACE, "--cost", "epochs", "-n", 100000, "-q", "--", "./briefly", "{x}", "{epochs}")
    wait_until(lambda: locbo("status", "--db", "lowered.db", code=None).returncode == 0)
    locbo("alter", "--db", "lowered.db", "--budget", 100)
    check(worker.wait(60) == 0, worker.returncode)
    check(status("lowered.db")["spent"]["cost"] >= 100, "the lower budget")


def files():
    """A study file says the same; mistakes have their line."""
    with open("net.yaml", "w") as file:
        file.write("name: net\ndb: file.db\nparameters:\n  x: float(0, 1)\nfidelity: {epochs: int(1, 27, log)}\ncost: epochs\n"
                   "budget: 60\noptions: {seed: 5}\ncommand: ./objective {x} {epochs}\n")
    locbo("run", "net.yaml", "-q")
    count = len(trials("--db", "file.db"))
    mine, whole = facts(exported("file.db"))[1], facts(exported("whole.db"))[1][:count]
    check(mine == whole, "the same as from the command line")
    locbo("run", "--db", "file.db", "--name", "net", *SPACE, "--cost", "epochs", "--seed", 5, code=4)
    said = locbo("run", "--db", "file.db", "--name", "net", *SPACE, "--cost", "2*epochs", "--seed", 5, code=2).stderr
    check("cost: epochs -> 2*epochs" in said and "--cost '2*epochs'" in said, said)
    for text, words in (("fidelity: {e: cat(a, b)}", "t.yaml:2: fidelity.e: "), ("cost: 3", "t.yaml:2: cost: cost '3' names no"),
                        ("cost: y", "there is no parameter 'y'"), ("budget: 0", "t.yaml:2: budget: must be positive, found '0'"),
                        ("fidelity: {e: int(1, 3), f: int(1, 4)}", "fidelity: expected one parameter"),
                        ("fidelity: {e: int(1, 3)}\noutputs: {a: minimize, b: minimize}", "needs one objective, got 2")):
        with open("t.yaml", "w") as file:
            file.write("parameters: {x: \"float(0,1)\"}\n" + text + "\n")
        done = locbo("create", "--db", "t.db", "t.yaml", code=None)
        check(done.returncode in (2, 8) and words in done.stderr, done.stderr)


def alterations():
    db = "--db", "file.db"
    done = locbo("alter", *db, "--fidelity", "epochs~int(1,81,log)", "--budget", 200)
    check("epochs: intlog(1,27) fidelity -> intlog(1,81) fidelity\nbudget: 60 -> 200\n" == done.stdout, done.stdout)
    check("no trial has ended at full fidelity yet" in locbo("best", *db, code=None).stderr, "no best")
    check(status("file.db")["best"] is None, "no best")
    locbo("run", *db, "--name", "net", "-q")
    check(json.loads(locbo("best", *db, "-f", "json").stdout)["params"]["epochs"] == 81, "the new upper end")
    check("--param epochs~int(1,9): it is the fidelity" in locbo("alter", *db, "-p", "epochs~int(1,9)", code=2).stderr, "-p")
    locbo("alter", *db, "--freeze", "epochs=81", "--cost", "none", "--budget", "none")
    locbo("run", *db, "--name", "net", "-q", "-n", status("file.db")["trials"] + 2)
    check(all(t["params"]["epochs"] == 81 for t in trials(*db, "--last", 2)), "frozen")
    requests = [{"op": "alter", "definition": {"cost": "epochs"}, "why": "in epochs"}, {"op": "alter", "definition": {"cost": None}},
                {"op": "alter", "definition": {"plan": {"budget": 9}}}]
    answers = [json.loads(line) for line in locbo("pipe", *db, stdin="".join(json.dumps(r) + "\n" for r in requests)).stdout.split("\n") if line]
    check([a.get("changes") for a in answers] == [["cost: measured -> epochs"], ["cost: epochs -> measured"], ["budget: none -> 9"]], answers)


def main():
    program("objective", "#!/bin/sh\nawk -v x=\"$1\" -v e=\"$2\" 'BEGIN {printf \"%.9g\\n\", (x - 0.3)^2 + 0.5 / e}'\n")
    same_bits()
    full_fidelity()
    budget()
    race()
    lowered()
    files()
    alterations()
    print("cheaper evaluations count, cost and continue as they should")


run_in_own_folder(main)
