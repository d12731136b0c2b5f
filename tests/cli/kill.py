"""A study killed with SIGKILL at random moments (in the objective, in ask, in tell) and started again each time ends with
all its results, none lost, none counted twice, in a sound database."""
import os
import random
import signal
import sqlite3
import subprocess
import time

from common import PLACES, SPACE, check, locbo, quick_objective, run_in_own_folder, start, trials, words_of

KILLS, TRIALS = 50, 60


def complete():
    db = sqlite3.connect("locbo.db", timeout=10)
    count = db.execute("SELECT count(*) FROM locbo_trial WHERE study = (SELECT id FROM locbo_study WHERE name = 'default')"
                       " AND state = 'COMPLETE'").fetchone()[0]
    db.close()
    return count


def main():
    objective = quick_objective(0.02)
    command = ["run", *SPACE, "-n", TRIALS, "-j", 2, "--seed", 7, "-q", "--max-lost", 1000, "--", objective, *PLACES]
    began = time.time()
    locbo("run", *SPACE, "-n", 10, "--name", "measure", "--", objective, *PLACES)
    each = (time.time() - began) / 10
    kills = 0
    while kills < KILLS:
        process = start(*command)
        # a random moment, but before so much is done that the later kills would find nothing to do
        end, share = time.time() + random.uniform(0, 3 * each), (kills + 1) * (TRIALS - 3) // KILLS
        while time.time() < end and complete() < share:
            time.sleep(0.002)
        check(process.poll() is None, "ended before it could be killed:", process.returncode, words_of(process))
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
    before, total = complete(), TRIALS
    check(before < TRIALS, "nothing was left to do")
    locbo(*command)
    locbo(*command, code=4)
    listed = trials("--name", "default")
    done = sum(t["state"] == "COMPLETE" for t in listed)
    check(done == total, done, "complete instead of", total)
    check([t["trial"] for t in listed] == list(range(1, total + 1)), "numbers", [t["trial"] for t in listed])
    check(all(len(t["values"]) == 1 for t in listed), "a trial was counted twice")
    db = sqlite3.connect("locbo.db")
    check(db.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "integrity_check")
    check(db.execute("PRAGMA foreign_key_check").fetchall() == [], "foreign_key_check")
    again = db.execute("SELECT count(*) FROM locbo_trial WHERE attempt > 1").fetchone()[0]
    events = [row[0] for row in db.execute("SELECT event FROM locbo_measurement WHERE study ="
                                         " (SELECT id FROM locbo_study WHERE name = 'default') ORDER BY event")]
    check(events == list(range(1, total + 1)), "events", events)
    time.sleep(0.2)
    left = subprocess.run(["pgrep", "-f", os.path.abspath("objective")], capture_output=True, text=True).stdout
    check(left == "", "objectives outlived their worker:", left)
    print(f"{KILLS} kills, {total} trials, {before} complete before the last start, {again} begun more than once: all complete, none twice")


run_in_own_folder(main)
