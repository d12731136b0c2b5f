"""Runs while PostgreSQL is away: they wait, nothing is lost and nothing is told twice, and Ctrl-C ends the waiting."""
import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import time

import locbo
from conftest import PLAIN

SCRIPT = """
import sys, time
import locbo
def objective(x, trial):
    print(trial.number, flush=True)
    time.sleep(0.3)
    return x
study = locbo.open(sys.argv[1])
try:
    study.run(objective, jobs=int(sys.argv[2]))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def server(what, *words):
    subprocess.run(["pg_ctlcluster", os.environ["PGVERSION"], "regress", what, *words], check=True, env=PLAIN)


@contextlib.contextmanager
def outage():
    """Meanwhile no other server is made, which would take the port (tests/with-postgres has this lock, too)."""
    with open(os.path.join(os.environ.get("TMPDIR", "/tmp"), "locbo-with-postgres.lock"), "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        server("stop", "-m", "fast")
        try:
            yield
        finally:
            server("start")


def start(url, jobs):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, url, jobs], **pipes)
    for _ in range(4):
        process.stdout.readline()
    return process


def test_a_run_survives_an_outage(url):
    study = locbo.create(url, "away", {"x": locbo.Float(0, 1)}, method="random", seed=1, trials=12)
    process = start(url, "2")
    with outage():
        time.sleep(1)
    assert process.communicate(timeout=120)[0].count("\n") == 8 and process.returncode == 0
    assert study.status().states["COMPLETE"] == 12
    assert all(len(r.results) == 1 and r.attempt == 1 for r in study.records())
    study.store.delete("away")


def test_ctrl_c_ends_the_waiting_and_says_what_was_measured(url):
    study = locbo.create(url, "gone", {"x": locbo.Float(0, 1)}, method="random", seed=1, trials=50)
    process = start(url, "1")
    with outage():
        assert "waiting for the database" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert "interrupted" in out and "stored: trial 4: [{'value': " in err
    study.store.delete("gone")
