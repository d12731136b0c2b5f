"""How a run ends: a budget of evaluations, the best mean as target, --on-end, what is said when trials fail. And the order of
`locbo trials`."""
import json
import os

from common import check, locbo, program, run_in_own_folder, trials

X = "-p", "x~float(0,1)"


def budget():
    """Failed and infeasible trials count."""
    program("mixed", "#!/bin/sh\ncase $1 in 2) exit 1;; 3) exit 65;; *) echo 0.$1;; esac\n")
    done = locbo("run", *X, "--evaluations", 5, "--", "./mixed", "{trial}", "{x}")
    states = [t["state"] for t in trials()]
    check(states == ["COMPLETE", "FAILED", "INFEASIBLE", "COMPLETE", "COMPLETE"], states)
    check("5/5" in done.stderr, done.stderr)
    check("5 of 5 evaluations (100 %)" in locbo("status").stdout, locbo("status").stdout)
    check(json.loads(locbo("status", "-f", "json").stdout)["plan"]["evaluations"] == 5, "the plan")
    check("all evaluations are done" in locbo("run", "--name", "default", code=4).stderr, "nothing to do")
    done = locbo("run", "--name", "default", "--evaluations", 6, "-n", 9, "--time", "1h", "-j", 3)
    check("4/9" in done.stderr and "6/6 evaluations" in done.stderr and "time limit in " in done.stderr, done.stderr)
    check(len(trials()) == 6, "a larger budget")
    said = locbo("status").stdout
    check("4 of 9 (44 %), 6 of 6 evaluations (100 %)" in said and "1 h, of the last run" in said, said)
    check("evaluations" in locbo("ask", code=4).stderr, "ask")
    order = [t["trial"] for t in trials("--sort", "value")]
    check(order == [1, 4, 5, 6, 2, 3], order)
    order = [t["trial"] for t in trials("--sort", "value", "--reverse")]
    check(order == [6, 5, 4, 1, 2, 3], order)
    check([t["trial"] for t in trials("--reverse", "--last", 2)] == [6, 5], "--reverse")
    values = [t["params"]["x"] for t in trials("--sort", "x")]
    check(values == sorted(values) == [t["params"]["x"] for t in trials("--sort", "params.x")], values)
    check("no trial has a column 'y'" in locbo("trials", "--sort", "y", code=2).stderr, "an unknown column")


def means():
    """One lucky measurement of three neither is the best nor reaches a target."""
    db = "--db", "means.db"
    locbo("create", *db, *X)
    for values in ((0, 9, 9), (5,), (4, 4.5)):
        number = json.loads(locbo("ask", *db).stdout)["trial"]
        locbo("tell", *db, number, *values)
    best = json.loads(locbo("best", *db, "-f", "json").stdout)
    check((best["trial"], best["value"], best["results"]) == (3, 4.25, 2), best)
    check("mean of   2" in locbo("best", *db).stdout, locbo("best", *db).stdout)
    check("4.25 (mean of 2, trial 3" in locbo("status", *db).stdout, locbo("status", *db).stdout)
    view = json.loads(locbo("status", *db, "-f", "json").stdout)
    check(view["best"] == {"trial": 3, "value": 4.25, "results": 2}, view["best"])
    done = locbo("run", *db, "--name", "default", "--target", 4.5, "--command", "echo 5 #{x}", code=4)
    check("the target is reached" in done.stderr, done.stderr)
    locbo("run", *db, "--name", "default", "--target", 4, "-n", 4, "--command", "sh -c 'echo 5' {x}")


def expected_gain():
    """The model says that there is not much to gain."""
    program("bowl", "#!/usr/bin/env python3\nimport sys\nprint((float(sys.argv[1]) - 0.3) ** 2)\n")
    run = "run", "--db", "gain.db", "--name", "gain"
    done = locbo(*run, *X, "-n", 60, "--expected-gain", 0.001, "--", "./bowl", "{x}")
    count = len(trials("--db", "gain.db"))
    check(10 <= count < 40, count)
    done = locbo(*run, code=4)
    check("the model expects no better value" in done.stderr, done.stderr)
    locbo(*run, "-n", count + 1, "--expected-gain", "none")
    check(len(trials("--db", "gain.db")) == count + 1, "none")
    refused = locbo(*run, "--expected-gain", 0, code=2)
    check("--expected-gain must be positive, got 0" in refused.stderr, refused.stderr)


def command_at_the_end():
    program("tell", "#!/bin/sh\necho \"$1|$LOCBO_STUDY|$LOCBO_REASON|$LOCBO_BEST|$LOCBO_DB\" | tee told\nexit $2\n")
    run = "run", "--db", "end.db", "--name", "the end", *X
    done = locbo(*run, "-n", 2, "--on-end", "./tell 'a b' 0", "--", "sh", "-c", "echo 0.25", "{x}")
    with open("told") as f:
        check(f.read() == "a b|the end|all trials are complete|0.25|\n", "what it got")
    check("a b|the end" in done.stderr and "a b|the end" not in done.stdout, done)
    done = locbo(*run, "-n", 3, "--on-end", "./tell x 7", "--", "sh", "-c", "echo 0.25", "{x}")
    check("--on-end: ./tell ended with exit code 7" in done.stderr, done.stderr)
    done = locbo(*run, "-n", 4, "--on-end", "./nothing", "--", "sh", "-c", "echo 0.25", "{x}")
    check("--on-end: cannot start ./nothing" in done.stderr, done.stderr)
    os.remove("told")
    locbo(*run, "-n", 4, "--on-end", "./tell x 0", "--", "sh", "-c", "echo 0.25", "{x}", code=4)
    check(not os.path.exists("told"), "it ran though there was nothing to do")
    locbo(*run, "-n", 5, "--on-end", "./tell 'x", "--", "sh", "-c", "echo 0.25", "{x}", code=2)
    locbo(*run, "-n", 5, "--on-end", " ", "--", "sh", "-c", "echo 0.25", "{x}", code=2)
    locbo("run", "--db", "bad.db", *X, "-q", "--on-end", "./tell x 0", "--", "false", "{x}", code=7)
    with open("told") as f:
        check(f.read() == "x|default|too many failures||\n", "after failures")


def failures():
    """Quiet or not, the reason of giving up; a program that was given its parameters in a way that it does not know."""
    program("picky", "#!/bin/sh\n[ $# = 0 ] || { echo 'usage: picky' >&2; exit 2; }\n")
    done = locbo("run", "--db", "f.db", *X, "-q", "--", "./picky", code=7)
    check(done.stderr.count("\n") == 1 and "giving up after 5 failures in a row, the last of trial 5: exit code 2: usage: "
          "picky" in done.stderr, done.stderr)
    done = locbo("run", "--db", "g.db", *X, "--", "./picky", code=7)
    check(done.stderr.count("--x=VALUE was appended") == 1, done.stderr)
    done = locbo("run", "--db", "h.db", *X, "--", "./picky", "{x}", code=7)
    check("appended" not in done.stderr, done.stderr)
    check("for each trial" in locbo("options").stdout or max(map(len, locbo("options").stdout.splitlines())) > 120, "options")


def main():
    budget()
    means()
    expected_gain()
    command_at_the_end()
    failures()
    print("runs end as they should, and say why")


run_in_own_folder(main)
