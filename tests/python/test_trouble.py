"""Runs in trouble: errors at a bad moment, Ctrl-C at any moment, processes that leave others behind, a database that is
away. No result is lost, nothing stays behind, and every run ends."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import locbo
from locbo import Float, Int, Output, Space, library

SPACE = Space(x=Float(0, 1), n=Int(1, 4))


def make(url, **words):
    return locbo.create(url, "s", SPACE, **{"method": "random", "seed": 1, "trials": 6, "retry_delay": 0, **words})


def states(study):
    return {state: count for state, count in study.status().states.items() if count}


def wait_for(condition):
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def run_script(script, *words, **more):
    return subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, timeout=120, **more)


def hearts():
    return [t for t in threading.enumerate() if t.name == "locbo heartbeats"]


def test_a_run_that_cannot_begin_leaves_nothing_behind(url):
    store = locbo.Store(url, create=True, patience=3)
    study = make(store)
    for wrong in ({"objective": 3}, {"objective": lambda x, n: x, "jobs": 0}):
        with pytest.raises(locbo.ArgumentError):
            study.run(**wrong)
    assert not hearts()
    study.run(lambda x, n: x)
    assert not hearts() and store.patience == 3


def test_results_beside_a_callback_that_raises_are_kept(url):
    together = threading.Barrier(2)

    def objective(x, n):
        together.wait()
        return x

    def callback(study, record):
        time.sleep(0.5)
        raise RuntimeError("oops")

    study = make(url)
    with pytest.raises(RuntimeError, match="oops"):
        study.run(objective, jobs=2, threads=True, callbacks=[callback])
    assert states(study) == {"COMPLETE": 2} and not hearts()


def test_a_database_that_fails_at_the_end_does_not_keep_the_heart_beating(url, monkeypatch):
    study = make(url, lease=1)

    def away(*_):
        raise locbo.BusyError("away")

    def objective(x, n):
        monkeypatch.setattr(locbo.Study, "requeue", away)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study.run(objective)
    assert not hearts()


@pytest.mark.parametrize("moment", ["before", "after"])
def test_ctrl_c_around_an_ask_hands_the_trial_back(url, monkeypatch, moment):
    study = make(url)
    ask = locbo.Study.ask

    def interrupted(self, **words):
        if moment == "before":
            signal.raise_signal(signal.SIGINT)
        trial = ask(self, **words)
        if moment == "after":
            signal.raise_signal(signal.SIGINT)
        return trial

    monkeypatch.setattr(locbo.Study, "ask", interrupted)
    with pytest.raises(KeyboardInterrupt):
        study.run(lambda x, n: x, jobs=2)
    assert "RUNNING" not in states(study) and not hearts()


@pytest.mark.parametrize("moment", ["before", "after"])
def test_ctrl_c_around_a_tell_loses_and_doubles_nothing(url, monkeypatch, moment):
    study, told = make(url), []
    tell = locbo.Study.tell_rows

    def interrupted(self, *words):
        if moment == "before":
            signal.raise_signal(signal.SIGINT)
        tell(self, *words)
        told.append(1)
        if moment == "after":
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(locbo.Study, "tell_rows", interrupted)
    with pytest.raises(KeyboardInterrupt):
        study.run(lambda x, n: x)
    assert states(study) == {"COMPLETE": 1} and len(study.record(1).results) == 1


def test_a_result_of_which_it_is_not_known_whether_it_was_stored_is_told_once(url, monkeypatch):
    """Ctrl-C ends the waiting for a database that is away; what was measured is told once more."""
    study, calls = make(url), []
    tell = locbo.Study.tell_rows

    def unsure(self, *words):
        calls.append(1)
        tell(self, *words)
        if len(calls) == 1:
            signal.raise_signal(signal.SIGINT)
            raise locbo.BusyError("away; it is not known whether this was stored")

    monkeypatch.setattr(locbo.Study, "tell_rows", unsure)
    with pytest.raises(KeyboardInterrupt):
        study.run(lambda x, n: x)
    assert len(calls) == 2 and states(study) == {"COMPLETE": 1} and len(study.record(1).results) == 1


def test_what_had_ended_at_ctrl_c_is_kept(url):
    script = """
import os, signal, sys, time
import locbo
study = locbo.create(sys.argv[1], "s", {"x": locbo.Float(0, 1)}, method="random", seed=1, trials=50)
def objective(x, trial):
    if trial.number > 1:
        time.sleep(600)
    return x
def callback(study, record):
    raise AssertionError
from locbo import jobs
wait = jobs.Jobs.wait
def late(self, seconds):  # this process is slow: the first one has ended long before it looks
    time.sleep(2)
    signal.raise_signal(signal.SIGINT)
    time.sleep(0.1)
    return wait(self, seconds)
jobs.Jobs.wait = late
try:
    study.run(objective, jobs=2)
except KeyboardInterrupt:
    print("interrupted")
"""
    done = run_script(script, url)
    assert done.stdout == "interrupted\n", done.stderr
    assert states(locbo.open(url)) == {"COMPLETE": 1, "WAITING": 1}


def test_a_second_ctrl_c_hands_back_all_the_same(url, tmp_path):
    script = """
import os, signal, sys, time
import locbo
study = locbo.create(sys.argv[1], "s", {"x": locbo.Float(0, 1)}, method="random", seed=1, trials=50)
def objective(x):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    open(os.path.join(sys.argv[2], str(os.getpid())), "w").close()
    time.sleep(600)
try:
    study.run(objective, jobs=2)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    folder = tmp_path / "running"
    folder.mkdir()
    process = subprocess.Popen([sys.executable, "-c", script, url, folder], stdout=subprocess.PIPE, text=True)
    wait_for(lambda: len(os.listdir(folder)) == 2)
    process.send_signal(signal.SIGINT)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted\n"
    assert states(locbo.open(url)) == {"WAITING": 2}


def test_a_process_that_leaves_a_child_behind_is_seen_to_end(url):
    script = """
import os, signal, sys, time
import locbo
def objective(x, trial):
    if trial.number == 1 and trial.attempt == 1:
        if os.fork() == 0:
            time.sleep(600)
        os.kill(os.getpid(), signal.SIGKILL)
    return x
study = locbo.create(sys.argv[1], "s", {"x": locbo.Float(0, 1)}, method="random", seed=1, trials=3)
print(study.run(objective, jobs=2), study.record(1).lost)
"""
    assert run_script(script, url).stdout == "all trials are complete 1\n"


def test_what_objectives_print_is_not_lost(url, tmp_path):
    script = """
import sys
import locbo
def objective(x):
    print("here")
    return x
study = locbo.create(sys.argv[1], "s", {"x": locbo.Float(0, 1)}, method="random", seed=1, trials=30)
study.run(objective, jobs=2)
"""
    assert run_script(script, url).stdout.count("here") == 30  # lines of two children may be mixed


def test_evaluations_end_with_their_worker(url, tmp_path):
    script = """
import os, sys, time
import locbo
def objective(x):
    print(os.getpid(), flush=True)
    time.sleep(600)
study = locbo.create(sys.argv[1], "s", {"x": locbo.Float(0, 1)}, method="random", seed=1, trials=3)
study.run(objective, jobs=2)
"""
    process = subprocess.Popen([sys.executable, "-c", script, url], stdout=subprocess.PIPE, text=True)
    child = int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()

    def is_gone():
        try:
            with open(f"/proc/{child}/stat") as stat:
                return stat.read().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            return True

    wait_for(is_gone)


def test_a_message_that_is_no_utf_8_is_kept(url):
    def objective(x, n):
        raise FileNotFoundError(os.fsdecode(b"/data/\xff"))

    study = make(url, max_failures=1)
    with pytest.raises(locbo.FailuresError, match="FileNotFoundError: /data/"):
        study.run(objective)
    assert set(states(study)) == {"FAILED"}


def test_leases_are_renewed_in_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study, seen = make("sqlite:here.db", lease=1, trials=1), []
    other = study.again()

    def objective(x, n):
        os.chdir("/")
        time.sleep(4)
        seen.extend(other.records(["RUNNING"]))
        other._call(library.lib.locbo_study_expire, library.ffi.NULL)
        seen.append(other.record(1).state)
        return x

    study.run(objective)
    assert seen[-1] == "RUNNING"


def test_the_time_of_the_plan_ends_a_run(url):
    study = make(url, trials=None, time=0.5)
    assert study.run(lambda x, n: time.sleep(0.02) or x) == "the time limit is reached"


def test_more_than_the_study_wants(url):
    study = make(url, trials=2, evaluations=3)
    study.run(lambda x, n: x)
    assert study.run(lambda x, n: x, trials=9, evaluations=9) == "all evaluations are done"
    assert states(study) == {"COMPLETE": 3}
    study.set_plan(evaluations=None)
    assert study.run(lambda x, n: time.sleep(0.02) or x, trials=10**6, time=0.5) == "the time limit is reached"
    assert states(study)["COMPLETE"] > 3
    with pytest.raises(locbo.ArgumentError, match="no keyword 'confirm'"):
        study.run(lambda x, n: x, confirm=1)


def test_targets_belong_to_their_outputs(url):
    outputs = {"epochs": "record", "loss": "minimize", "size": Output(at_most=9.0)}
    study = locbo.create(url, "s", SPACE, outputs=outputs, method="random", seed=1, trials=99, targets={"loss": 0.5})
    assert study.plan["targets"] == {"loss": 0.5}
    words = subprocess.run([f"{os.environ['BUILD']}/locbo", "status", "--db", url], capture_output=True, text=True)
    assert "loss" in words.stdout
    assert study.run(lambda x, n, trial: {"epochs": 1, "loss": 1 / trial.number, "size": 9 - n}) == (
        "all targets are reached"
    )
    assert 2 <= states(study)["COMPLETE"] < 99
    for wrong, message in (({"lss": 1}, "lss"), ({"epochs": 1}, "epochs")):
        with pytest.raises(locbo.ArgumentError, match=message):
            study.set_plan(targets=wrong)


def test_a_callback_may_answer_with_a_bool_of_numpy(url):
    study = make(url)
    assert study.run(lambda x, n: x, callbacks=[lambda s, r: numpy.float64(1) > 0]) == "a callback ended it"


def test_a_target_of_zero_is_a_rule_to_stop():
    result = locbo.minimize(
        lambda x, trial: 42.0 - trial.number, {"x": Float(0, 1)}, target=0.0, method="random", seed=1
    )
    assert result.reason == "the target is reached"
