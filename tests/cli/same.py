"""One seed, one sequence of proposals, bit for bit: in one go, in pieces with kills between them, told by hand from an
export, and after an export was imported into another database. With several outputs too, in one go and in pieces."""
import json
import random
import signal
import sqlite3
import time

from common import SEVERAL, SLOW, SPACE, PLACES, check, locbo, program, run_in_own_folder, several_objective, start

TRIALS = 24 if SLOW else 40
FEW = 14 if SLOW else 22  # with several outputs


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


def run_in_pieces(command, pieces, total):
    """`pieces` times a part of the trials, each followed by runs that are killed; then all of them."""
    for n in pieces:
        locbo(*command(n), code=None)
        for _ in range(4):
            process = start(*command(total))
            time.sleep(random.uniform(0.01, 0.3))
            process.send_signal(signal.SIGKILL)
            process.wait()
    locbo(*command(total), code=None)


def stored(db):
    """What the database has of several outputs: proposals, beliefs, results, fits and reference, without times and workers;
    and without event numbers, of which a larger -n takes one."""
    base = sqlite3.connect(db)
    beliefs = "mean, sd_f, sd_y, threshold, y_low, y_high, f_low, f_high, acquisition, success, scale"
    return [base.execute(query).fetchall() for query in
            (f"SELECT number, params, origin, told, pending, {beliefs} FROM locbo_trial ORDER BY number",
             f"SELECT trial, output, {beliefs} FROM locbo_belief ORDER BY trial, output",
             "SELECT output, trial, value, sd, n FROM locbo_measurement ORDER BY event, output",
             "SELECT output, result_rows, shift, spread, log_posterior, theta, choice FROM locbo_fit ORDER BY fit",
             "SELECT reference FROM locbo_study")]


def several_outputs():
    """Two objectives, a constraint and a recorded output."""
    objective = several_objective()

    def command(db):
        return lambda n: ["run", "--db", db, *SPACE, *SEVERAL, "--seed", 5, "-n", n, "-q", "--", objective, *PLACES]
    locbo(*command("several.db")(FEW))
    whole = stored("several.db")
    check([len(rows) for rows in whole[:3]] == [FEW, 2 * (FEW - 5), 4 * FEW] and None not in whole[4][0], whole)
    run_in_pieces(command("parts.db"), (3, FEW - 6), FEW)
    check(stored("parts.db") == whole, "several outputs: resumed differs from sequential")


def main():
    several_outputs()
    skewed_objective()
    locbo(*command("whole.db", TRIALS))
    whole = exported("whole.db")
    check(len(whole["trials"]) == TRIALS, len(whole["trials"]))
    bent = sum("scale" in t["belief"] for t in whole["trials"])
    check(bent > TRIALS / 4, "only", bent, "proposals on a Box-Cox scale")
    explored = sum(t["origin"] == "explore" for t in whole["trials"])
    check(explored >= TRIALS // 8, "only", explored, "proposals explore")
    check(all(len(f["members"]) in (4, 8) for f in whole["fits"]), whole["fits"][-1])

    run_in_pieces(lambda n: command("pieces.db", n), (3, 11, TRIALS - 5), TRIALS)
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
    print(f"{TRIALS} proposals, {bent} on a Box-Cox scale, {explored} that explore, agree bit for bit: in one go, in pieces, replayed, copied; {FEW} of several outputs")


run_in_own_folder(main)
