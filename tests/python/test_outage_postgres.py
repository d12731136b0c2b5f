"""Runs while PostgreSQL is away: they wait, nothing is lost and nothing is told twice, and Ctrl-C ends the waiting."""
import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import time

import pytest

import locbo
from conftest import PLAIN

SCRIPT = """
import sys, time
import locbo
def objective(x, trial):
    print(trial.number, flush=True)
    for step in range(1, 7):
        if "steps" in sys.argv:
            locbo.report(step, x)
        time.sleep(0.05)
    return x
study = locbo.open(sys.argv[1])
try:
    study.run(objective, jobs=int(sys.argv[2]), threads="threads" in sys.argv)
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


def start(url, jobs, *words):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, url, jobs, *words], **pipes)
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


@pytest.mark.parametrize("words", [("1", "steps"), ("2", "steps"), ("2", "steps", "threads")])
def test_steps_survive_an_outage(url, words):
    study = locbo.create(url, "steps", {"x": locbo.Float(0, 1)}, method="random", seed=1, trials=9, prune="risk")
    process = start(url, *words)
    with outage():
        time.sleep(1)
    process.communicate(timeout=120)
    assert process.returncode == 0
    states = study.status().states
    assert states["COMPLETE"] + states["PRUNED"] == 9 and states["COMPLETE"] >= 5
    for record in study.records():
        steps = study.curves(record.number)[0].steps
        assert record.attempt == 1 and steps == list(range(1, len(steps) + 1))
        assert len(steps) == 6 or record.state == "PRUNED"
    study.store.delete("steps")


@pytest.mark.parametrize("words", [("1", "steps"), ("2", "steps"), ("2", "steps", "threads")])
def test_ctrl_c_ends_the_waiting_for_steps(url, words):
    study = locbo.create(url, "left", {"x": locbo.Float(0, 1)}, method="random", seed=1, trials=50)
    process = start(url, *words)
    with outage():
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert "interrupted" in process.communicate(timeout=60)[0] and process.returncode == 0
    assert study.status().states["FAILED"] == 0
    study.store.delete("left")


def test_ctrl_c_ends_the_waiting_and_says_what_was_measured(url):
    study = locbo.create(url, "gone", {"x": locbo.Float(0, 1)}, method="random", seed=1, trials=50)
    process = start(url, "1")
    with outage():
        assert "waiting for the database" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert "interrupted" in out and "stored: trial 4: [{'value': " in err
    study.store.delete("gone")
