"""The PostgreSQL server is stopped and started again in mid-run: the workers wait, say so, and go on; those of a
study of several outputs too."""
import json
import os
import subprocess
import time

from common import (PLACES, SEVERAL, SPACE, check, is_whole, locbo, program, quick_objective, run_in_own_folder,
                    several_objective, start, trials, wait_until, words_of)

DB = os.environ["LOCBO_TEST_DB"]
STUDIES = {"outage": ([], 40), "several": (SEVERAL, 20)}  # its outputs, its trials


def server(what, *more):
    subprocess.run(["pg_ctlcluster", os.environ["PGVERSION"], "regress", what, *more], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def complete(name):
    return sum(t["state"] == "COMPLETE" for t in trials("--db", DB, "--name", name))


def evaluations_go_on():
    """While the worker waits for the server, what runs is served: its output is taken, its time-out holds."""
    loud = program("loud", "#!/bin/sh\nsleep 1\nhead -c 300000 /dev/zero | tr '\\0' a\necho\necho 0.5\n")
    worker = start("run", "--db", DB, "--name", "loud", *SPACE, "-n", 2, "-j", 2, "--timeout", "4s", "--retries", 0, "--",
                   loud)
    wait_until(lambda: json.loads(locbo("status", "--db", DB, "--name", "loud", "-f", "json", code=None).stdout or "{}")
               .get("states", {}).get("RUNNING") == 2)
    server("stop", "-m", "fast")
    time.sleep(7)
    server("start")
    worker.wait(timeout=60)
    check(worker.returncode == 0, worker.returncode, words_of(worker))
    listed = trials("--db", DB, "--name", "loud")
    check([t["state"] for t in listed] == ["COMPLETE"] * 2, listed)


def main():
    evaluations_go_on()
    objectives = {"outage": quick_objective(0.05), "several": several_objective(0.05)}
    for name, (outputs, total) in STUDIES.items():
        locbo("create", "--db", DB, "--name", name, *SPACE, *outputs, "-n", total, "--", objectives[name], *PLACES)
    workers = [start("work", "--db", DB, "--name", name) for name in ("outage", "outage", "several")]
    wait_until(lambda: complete("outage") >= 5 and complete("several") >= 2)
    server("stop", "-m", "fast")
    done = locbo("status", "--db", DB, "--name", "outage", code=5)
    check(done.stderr.count("\n") == 1, done.stderr)
    time.sleep(4)
    check(all(w.poll() is None for w in workers), "a worker gave up:", *map(words_of, workers))
    server("start")
    for worker in workers:
        worker.wait(timeout=120)
        check(worker.returncode == 0, "a worker ended with", worker.returncode, words_of(worker))
        check("waiting for the database" in words_of(worker), words_of(worker))
    for name, (outputs, total) in STUDIES.items():
        listed = trials("--db", DB, "--name", name)
        check([t["trial"] for t in listed] == list(range(1, total + 1)), "numbers", len(listed))
        check(all(t["state"] == "COMPLETE" and is_whole(t, outputs) for t in listed), "not all complete once")
    print("the workers waited for the server and went on")


run_in_own_folder(main)
