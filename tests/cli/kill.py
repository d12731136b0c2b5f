"""A study killed with SIGKILL at random moments (in the objective, in ask, in tell) and started again each time ends with
all its results, none lost, none counted twice, in a sound database."""
import os
import random
import signal
import sqlite3
import subprocess
import time

from common import LOCBO, PLACES, SPACE, check, locbo, quick_objective, run_in_own_folder, start, trials, words_of

KILLS, TRIALS = 50, 60


def main():
    objective = quick_objective(0.02)
    command = ["run", *SPACE, "-n", TRIALS, "-j", 2, "--seed", 7, "-q", "--", objective, *PLACES]
    began = time.time()
    locbo("run", *SPACE, "-n", 1, "--name", "measure", "--", objective, *PLACES)
    once = time.time() - began
    kills = 0
    while kills < KILLS:
        process = start(*command)
        time.sleep(random.uniform(0, 4 * once))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        elif process.wait() in (0, 4):
            # finished before all kills were made: go on with more to do, so that every kill meets work
            command[command.index("-n") + 1] += 20
        else:
            check(False, "ended with", process.returncode, words_of(process))
        process.wait()
    total = command[command.index("-n") + 1]
    locbo(*command, code=None)
    locbo(*command, code=4)
    listed = trials("--name", "default")
    complete = [t for t in listed if t["state"] == "COMPLETE"]
    check(len(complete) == total, len(complete), "complete instead of", total)
    check([t["trial"] for t in listed] == list(range(1, total + 1)), "numbers", [t["trial"] for t in listed])
    check(all(len(t["values"]) == 1 for t in listed), "a trial was counted twice")
    db = sqlite3.connect("locbo.db")
    check(db.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "integrity_check")
    check(db.execute("PRAGMA foreign_key_check").fetchall() == [], "foreign_key_check")
    again = db.execute("SELECT count(*) FROM locbo_trial WHERE attempt > 1").fetchone()[0]
    events = [row[0] for row in db.execute("SELECT event FROM locbo_measurement WHERE study = 2 ORDER BY event")]
    check(events == list(range(1, total + 1)), "events", events)
    time.sleep(0.2)
    left = subprocess.run(["pgrep", "-f", os.path.abspath("objective")], capture_output=True, text=True).stdout
    check(left == "", "objectives outlived their worker:", left)
    print(f"{KILLS} kills, {total} trials, {again} of them begun more than once: all complete, none twice")


run_in_own_folder(main)
