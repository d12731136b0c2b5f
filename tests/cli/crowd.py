"""Eight workers share a study of 400 quick trials; two of them are killed while they hold a trial. Nothing is lost, no number
twice, no word of a locked database, and the dead workers' trials come back. The same, with fewer trials, of two objectives
and a constraint."""
import json
import os
import signal
import time

from common import (PLACES, SEVERAL, SLOW, SPACE, check, is_whole, locbo, program, quick_objective, run_in_own_folder,
                    several_objective, start, trials, wait_until, words_of)

DB = os.environ.get("LOCBO_TEST_DB") or "sqlite:crowd.db"


def running(name):
    return [t for t in trials("--db", DB, "--name", name) if t["state"] == "RUNNING"]


def crowd(name, outputs, objective, total):
    locbo("create", "--db", DB, "--name", name, *SPACE, *outputs, "-n", total, "--lease", "2s", "--set", "refit_every=10", "--",
          objective, *PLACES)
    stall = program("stall", "#!/bin/sh\nsleep 1000\n")
    doomed = [start("work", "--db", DB, "--name", name, "--command", stall) for _ in range(2)]
    wait_until(lambda: len(running(name)) == 2)
    held = {t["trial"] for t in running(name)}
    workers = [start("work", "--db", DB, "--name", name) for _ in range(6)]
    time.sleep(0.5)
    for process in doomed:
        process.send_signal(signal.SIGKILL)
        process.wait()
    for process in workers:
        process.wait(timeout=600)
        words = words_of(process)
        check(process.returncode == 0, "a worker ended with", process.returncode, words)
        check("locked" not in words and "Sanitizer" not in words and "locbo work:" not in words, words)
    listed = trials("--db", DB, "--name", name)
    check([t["trial"] for t in listed] == list(range(1, total + 1)), "numbers", len(listed))
    check(all(t["state"] == "COMPLETE" and is_whole(t, outputs) for t in listed), "not all complete once")
    came_back = [t for t in json.loads(locbo("export", "--db", DB, "--name", name).stdout)["trials"]
                 if t["trial"] in held]
    check(all(t["attempt"] == 2 for t in came_back), "attempts", [t["attempt"] for t in came_back])
    print(f"{total} trials by 8 workers, 2 of them killed; trials {sorted(held)} came back")


def main():
    crowd("crowd", [], quick_objective(), 60 if SLOW else 400)
    crowd("several", SEVERAL, several_objective(), 20 if SLOW else 40)


run_in_own_folder(main)
