"""One seed, one sequence of proposals, bit for bit: in one go, in pieces with kills between them, told by hand from an
export, and after an export was imported into another database."""
import json
import random
import signal
import time

from common import SLOW, SPACE, PLACES, check, locbo, program, run_in_own_folder, start

TRIALS = 24 if SLOW else 40


def skewed_objective():
    """Values of many sizes, so that the model works on a Box-Cox scale."""
    program("objective", """#!/bin/sh
awk -v x="$1" -v y="$2" -v s="$3" 'BEGIN {srand(s); printf "%.9g\\n", exp((x-1)^2/6 + (y+2)^2/9 + rand())}'
""")


def exported(db):
    return json.loads(locbo("export", "--db", db).stdout)


def facts(study):
    """All that must agree: not the times, not who did it."""
    return study["fits"], trial_facts(study)


def trial_facts(study):
    kept = ("trial", "params", "told", "pending", "belief", "values", "seed", "origin")
    return [{k: t[k] for k in kept} for t in study["trials"]]


def command(db, n):
    return ["run", "--db", db, *SPACE, "-p", "mode~cat(a,b)", "--seed", 5, "-n", n, "-q", "--", "./objective", *PLACES]


def main():
    skewed_objective()
    locbo(*command("whole.db", TRIALS))
    whole = exported("whole.db")
    check(len(whole["trials"]) == TRIALS, len(whole["trials"]))
    bent = sum("scale" in t["belief"] for t in whole["trials"])
    check(bent > TRIALS / 4, "only", bent, "proposals on a Box-Cox scale")
    explored = sum(t["origin"] == "explore" for t in whole["trials"])
    check(explored >= TRIALS // 8, "only", explored, "proposals explore")
    check(all(len(f["members"]) in (4, 8) for f in whole["fits"]), whole["fits"][-1])

    for n in (3, 11, TRIALS - 5):
        locbo(*command("pieces.db", n), code=None)
        for _ in range(4):
            process = start(*command("pieces.db", TRIALS))
            time.sleep(random.uniform(0.01, 0.3))
            process.send_signal(signal.SIGKILL)
            process.wait()
    locbo(*command("pieces.db", TRIALS), code=None)
    check(facts(exported("pieces.db")) == facts(whole), "resumed differs from sequential")

    locbo("create", "--db", "replay.db", *SPACE, "-p", "mode~cat(a,b)", "--seed", 5)
    for t in whole["trials"]:
        asked = json.loads(locbo("ask", "--db", "replay.db").stdout)
        check(asked["params"] == t["params"] and asked["seed"] == t["seed"], "replay differs at", asked, t)
        locbo("tell", "--db", "replay.db", asked["trial"], *map(repr, t["values"]))
    check(facts(exported("replay.db")) == facts(whole), "replay differs from sequential")

    with open("whole.json", "w") as f:
        json.dump(whole, f)
    locbo("import", "--db", "copy.db", "--study", "whole.json")
    check(facts(exported("copy.db")) == facts(whole), "the copy differs from what was exported")
    for _ in range(3):
        one, two = (json.loads(locbo("ask", "--more", "--db", db).stdout) for db in ("whole.db", "copy.db"))
        check(one == two, "the copy goes on differently:", one, two)
        for db in ("whole.db", "copy.db"):
            locbo("tell", "--db", db, one["trial"], "1.25")
    print(f"{TRIALS} proposals, {bent} on a Box-Cox scale, {explored} that explore, agree bit for bit: in one go, in pieces, replayed, copied")


run_in_own_folder(main)
