"""Two workers of Python and one of the program on one study in PostgreSQL: no trial is lost, none has two results."""
import os
import random
import signal
import subprocess
import sys
import time

import locbo
from conftest import PLAIN
from locbo import Choice, Float, Space

BUILD = os.environ["BUILD"]
WORKER = """
import sys, time
import locbo
def objective(x, mode, trial):
    time.sleep(0.05 * x)
    with open(sys.argv[2], "a") as log:
        log.write(f"{trial.number} {trial.attempt}\\n")
    return x + (mode == "exact")
locbo.open(sys.argv[1]).run(objective, jobs=2)
"""
SCRIPT = 'import os, sys, time; x = float(sys.argv[1]); time.sleep(0.05 * x); \
open(sys.argv[3], "a").write(os.environ["LOCBO_TRIAL"] + " 0\\n"); print(x + (sys.argv[2] == "exact"))'


def test_two_pythons_and_one_program(url, tmp_path):
    log = str(tmp_path / "log")
    command = [sys.executable, "-c", SCRIPT, "{x}", "{mode}", log]
    study = locbo.create(
        url, "crowd", Space(x=Float(0, 1), mode=Choice("fast", "exact")), seed=1, trials=60, lease=5, command=command
    )
    start = [lambda: subprocess.Popen([sys.executable, "-c", WORKER, url, log])] * 2 + [
        lambda: subprocess.Popen([f"{BUILD}/locbo", "work", "--db", url, "-q", "-j", "2"], env=PLAIN)
    ]
    workers = [one() for one in start]
    chance, killed = random.Random(3), 0
    while study.status().states["COMPLETE"] < 50:
        time.sleep(0.5)
        if killed < 4 and study.status().states["COMPLETE"] > 10 * killed:
            k = chance.randrange(3)
            workers[k].send_signal(signal.SIGKILL)
            workers[k].wait()
            workers[k], killed = start[k](), killed + 1
    for worker in workers:
        assert worker.wait(timeout=120) in (0, 4)
    records = study.records()
    assert study.status().states["COMPLETE"] == 60 and killed >= 1
    assert all(len(r.results) == 1 for r in records if r.state == "COMPLETE")
    for r in records:
        if r.state == "COMPLETE":
            assert r.values["value"] == r.params["x"] + (r.params["mode"] == "exact")
