"""A study killed with SIGKILL at random moments (in the objective, in ask, in tell) and started again each time ends with
all its results, none lost, none counted twice, in a sound database. The same, more briefly, of a study of two objectives and
a constraint: a result has all its outputs or is not there."""
import os
import random
import signal
import sqlite3
import subprocess
import time

from common import (NAMES, PLACES, SEVERAL, SPACE, check, is_whole, locbo, quick_objective, run_in_own_folder, several_objective,
                    start, trials, words_of)


def complete(name):
    db = sqlite3.connect("locbo.db", timeout=10)
    count = db.execute("SELECT count(*) FROM locbo_trial WHERE study = (SELECT id FROM locbo_study WHERE name = ?)"
                       " AND state = 'COMPLETE'", (name,)).fetchone()[0]
    db.close()
    return count


def kill_and_start_again(name, outputs, objective, kills, total):
    command = ["run", "--name", name, *SPACE, *outputs, "-n", total, "-j", 2, "--seed", 7, "-q", "--max-lost", 1000, "--",
               objective, *PLACES]
    began = time.time()
    locbo("run", *SPACE, *outputs, "-n", 10, "--name", name + " measure", "--", objective, *PLACES)
    each = (time.time() - began) / 10
    for i in range(kills):
        process = start(*command)
        # a random moment, but before so much is done that the later kills would find nothing to do
        end, share = time.time() + random.uniform(0, 3 * each), (i + 1) * (total - 3) // kills
        while time.time() < end and complete(name) < share:
            time.sleep(0.002)
        check(process.poll() is None, "ended before it could be killed:", process.returncode, words_of(process))
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = complete(name)
    check(before < total, "nothing was left to do")
    locbo(*command)
    locbo(*command, code=4)
    listed = trials("--name", name)
    done = sum(t["state"] == "COMPLETE" for t in listed)
    check(done == total, done, "complete instead of", total)
    check([t["trial"] for t in listed] == list(range(1, total + 1)), "numbers", [t["trial"] for t in listed])
    check(all(is_whole(t, outputs) for t in listed), "a trial was counted twice, or lacks an output")
    db = sqlite3.connect("locbo.db")
    check(db.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "integrity_check")
    check(db.execute("PRAGMA foreign_key_check").fetchall() == [], "foreign_key_check")
    study = db.execute("SELECT id FROM locbo_study WHERE name = ?", (name,)).fetchone()
    again = db.execute("SELECT count(*) FROM locbo_trial WHERE attempt > 1 AND study = ?", study).fetchone()[0]
    events = db.execute("SELECT event, output FROM locbo_measurement WHERE study = ? ORDER BY event, output", study).fetchall()
    width = len(NAMES) if outputs else 1
    check(events == [(event, output) for event in range(1, total + 1) for output in range(width)], "events", events)
    time.sleep(0.2)
    left = subprocess.run(["pgrep", "-f", os.path.abspath(objective)], capture_output=True, text=True).stdout
    check(left == "", "objectives outlived their worker:", left)
    print(f"{kills} kills, {total} trials, {before} complete before the last start, {again} begun more than once: all complete, none twice")


def main():
    kill_and_start_again("default", [], quick_objective(0.02), 50, 60)
    kill_and_start_again("several", SEVERAL, several_objective(0.02), 12, 18)


run_in_own_folder(main)
