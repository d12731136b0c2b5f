"""A study of 20 000 results, the last 4000 of them judged, is continued by one worker that is killed with SIGKILL at random
moments (while it replays the results, in ask, in the objective, in tell) and started again each time. No result is lost and
none stored twice, and proposals, beliefs, results and fits agree bit for bit with those of a copy that ran without a kill."""
import json
import os
import random
import signal
import sqlite3
import sys
import time

from common import HERE, PLACES, SLOW, SPACE, check, locbo, quick_objective, run_in_own_folder, start, wait_until, words_of

sys.path.append(os.path.join(HERE, ".."))
from grown import grown  # noqa: E402, in tests

DB = os.environ.get("LOCBO_TEST_DB") or "sqlite:many.db"
RESULTS, JUDGED = (3000, 600) if SLOW else (20000, 4000)
MORE, KILLS = (8, 4) if SLOW else (20, 10)


def complete(name):
    return json.loads(locbo("status", "--db", DB, "--name", name, "-f", "json").stdout)["states"]["COMPLETE"]


def make_studies():
    """`whole` and `killed`, two copies of the same study; what both were made from."""
    with open("one.csv", "w") as f:
        f.write("x,y,value\n0.5,0.5,1.86\n")
    locbo("create", "--db", "small.db", *SPACE, "--seed", 7, "-n", 13, "--", quick_objective(0.05), *PLACES)
    locbo("import", "--db", "small.db", "one.csv")
    locbo("work", "--db", "small.db", "-q")
    study = grown(json.loads(locbo("export", "--db", "small.db").stdout), RESULTS, JUDGED)
    study["plan"]["trials"] = RESULTS + MORE
    with open("grown.json", "w") as f:
        json.dump(study, f)
    for name in ("whole", "killed"):
        locbo("import", "--db", DB, "--name", name, "--study", "grown.json")
        check(complete(name) == RESULTS, complete(name), "results")
    return study


def run_whole():
    """Seconds until the first trial of a process is complete, and of a later one."""
    began, process = time.time(), start("work", "--db", DB, "--name", "whole", "-q")
    wait_until(lambda: complete("whole") > RESULTS)
    first = time.time() - began
    check(process.wait(timeout=600) == 0, words_of(process))
    return first, (time.time() - began - first) / (MORE - 1)


def kill_and_start_again(first, later):
    """How many of the trials were complete after the last kill."""
    command = ["work", "--db", DB, "--name", "killed", "-q"]
    for i in range(KILLS):
        before, process = complete("killed"), start(*command)
        end = time.time() + random.uniform(0, first)
        if i % 2:  # after a trial was completed; otherwise at a moment before that
            wait_until(lambda: complete("killed") > before, 300)
            end = time.time() + random.uniform(0, 2 * later)
        # but before so much is done that the later kills would find nothing to do
        while time.time() < end and complete("killed") < RESULTS + 1 + i * (MORE - 4) // KILLS:
            time.sleep(0.01)
        check(process.poll() is None, "ended before it could be killed:", process.returncode, words_of(process))
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = complete("killed") - RESULTS
    check(KILLS // 2 <= before < MORE, before, "of", MORE, "complete before the last start")
    locbo(*command)
    return before


def facts(trial):
    """All that must agree: not the times, not who did it."""
    return {k: trial[k] for k in ("trial", "state", "params", "told", "pending", "belief", "values", "seed", "origin")}


def compare(stored, whole, killed):
    trials, numbers = killed["trials"], list(range(1, RESULTS + MORE + 1))
    check([t["trial"] for t in trials] == numbers, "numbers", len(trials))
    check(all(len(t["measurements"]) == 1 for t in trials), "a result is lost or stored twice")
    check([t["measurements"][0]["sequence"] for t in trials] == numbers, "the order of the results")
    check(all(t["belief"]["mean"] is not None for t in trials[RESULTS:]), "a proposal without a model")
    check(len(whole["fits"]) > len(stored["fits"]), "no model was fitted")
    for old, new in zip(stored["trials"], trials):
        check(facts({**old, "seed": new["seed"]}) == facts(new), "a result of before the kills was changed:", old, new)
    for one, two in zip(whole["trials"], trials):
        check(facts(one) == facts(two), "differs from the one without kills:", one, two)
    check(len(whole["trials"]) == len(trials) and whole["fits"] == killed["fits"], "differs from the one without kills")


def main():
    stored = make_studies()
    first, later = run_whole()
    before = kill_and_start_again(first, later)
    whole, killed = (json.loads(locbo("export", "--db", DB, "--name", name).stdout) for name in ("whole", "killed"))
    compare(stored, whole, killed)
    if DB.startswith("sqlite:"):
        base = sqlite3.connect(DB.removeprefix("sqlite:"))
        check(base.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "integrity_check")
        check(base.execute("PRAGMA foreign_key_check").fetchall() == [], "foreign_key_check")
    again = sum(t["attempt"] > 1 for t in killed["trials"])
    print(f"{RESULTS} results, {JUDGED} judged; {KILLS} kills, {before} of {MORE} more complete before the last start, {again} begun "
          f"more than once: none lost, none twice, the same bits as without kills (a trial takes {first:.1f} s, later ones {later:.1f} s)")


run_in_own_folder(main)
