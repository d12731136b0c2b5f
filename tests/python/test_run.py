"""Runs: objectives that raise, hang, fork, are killed; processes, threads; Ctrl-C; callbacks; minimize and maximize."""
import math
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import locbo
from locbo import Choice, Float, Int, Space

SPACE = Space(x=Float(0, 1), n=Int(1, 4))


def make(url, **words):
    return locbo.create(url, "s", SPACE, **{"method": "random", "seed": 1, "trials": 6, "retry_delay": 0, **words})


def states(study):
    return {state: count for state, count in study.status().states.items() if count}


@pytest.mark.parametrize("jobs, threads", [(1, False), (3, False), (3, True)])
def test_every_way_to_run(url, jobs, threads):
    study = make(url, trials=10)
    assert study.run(lambda x, n: x + n, jobs=jobs, threads=threads) == "all trials are complete"
    assert states(study) == {"COMPLETE": 10}
    for record in study.records():
        assert record.values["value"] == record.params["x"] + record.params["n"]
    assert study.run(lambda x, n: 1 / 0, trials=10) == "all trials are complete"  # there is nothing to do
    study.run(lambda x, n: 0.0, trials=12)
    assert states(study) == {"COMPLETE": 12}


def keywords(x, n):
    return x + n


def all_words(**params):
    return params["x"] + params["n"]


def one_dict(params):
    return params["x"] + params["n"]


def with_trial(x, n, trial):
    assert isinstance(trial, locbo.Trial) and trial.params == {"x": x, "n": n}
    return x + n


class Callable:
    def __call__(self, n, x=0.0, *, verbose=False):
        return x + n


@pytest.mark.parametrize("objective", [keywords, all_words, one_dict, with_trial, Callable(), lambda p, trial: p["x"]])
def test_ways_to_be_called(url, objective):
    study = make(url, trials=2)
    study.run(objective)
    assert states(study) == {"COMPLETE": 2}


@pytest.mark.parametrize(
    "objective, message",
    [
        (lambda x, y: x, "cannot be called with the parameters x, n"),
        (3, "must be callable, got 3"),
        (lambda: 1, "cannot be called"),
    ],
)
def test_what_cannot_be_called_is_refused(url, objective, message):
    study = make(url)
    with pytest.raises(locbo.ArgumentError, match=message):
        study.run(objective)
    assert states(study) == {}


def test_what_is_not_active_is_none_if_it_has_no_default(url):
    space = Space(
        kernel=Choice("rbf", "poly"), degree=Int(2, 5, when={"kernel": "poly"}), c=Int(1, 3, when={"kernel": "rbf"})
    )
    seen = []
    locbo.create(url, "s", space, method="random", seed=1, trials=8).run(
        lambda kernel, degree, c=0: seen.append((kernel, degree, c)) or 1
    )
    assert all((degree is None) == (kernel == "rbf") and (c == 0) == (kernel == "poly") for kernel, degree, c in seen)
    assert len({kernel for kernel, _, _ in seen}) == 2


def raising(x, n, trial):
    number = trial.number
    if number == 1:
        raise locbo.Infeasible("no room")
    if number == 2:
        raise locbo.Failed("it burnt")
    if number == 3:
        raise ValueError("a\nlong\tstory")
    if number == 4:
        sys.exit(3)
    if number == 5 and trial.attempt < 3:
        raise locbo.Retry("try again")
    return {1: 1, 6: math.nan, 7: None, 8: "0.3", 9: 10**400, 10: numpy.float32(2)}.get(number, 0.5)


@pytest.mark.parametrize("jobs, threads", [(1, False), (2, False), (2, True)])
def test_what_objectives_raise_and_return(url, jobs, threads):
    study = make(url, trials=4, max_failures=0)
    study.run(raising, jobs=jobs, threads=threads)
    by = {r.number: r for r in study.records()}
    assert by[1].state == "INFEASIBLE" and by[1].message == "no room"
    assert by[2].state == "FAILED" and by[2].message == "it burnt"
    assert by[3].message == "ValueError: a long story" and by[4].message == "SystemExit: 3"
    assert by[5].state == "COMPLETE" and by[5].attempt == 3 and by[5].retries == 2
    assert [by[k].state for k in (6, 7, 8, 9)] == ["FAILED"] * 4
    assert by[6].message == "a bad result: the value of value must be finite, got nan"
    assert by[7].message.endswith("got None") and by[8].message.endswith("got '0.3'")
    assert by[10].state == "COMPLETE"


def test_the_traceback_is_kept(url):
    study = make(url)
    with pytest.raises(locbo.FailuresError, match="trial 5: ZeroDivisionError: division by zero"):
        study.run(lambda x, n: 1 / 0)
    assert states(study) == {"FAILED": 5}
    shown = subprocess.run(
        [os.path.join(os.environ["BUILD"], "locbo"), "show", "1", "--db", url], capture_output=True, text=True
    )
    assert "ZeroDivisionError: division by zero" in shown.stdout and "lambda x, n: 1 / 0" in shown.stdout


def test_retries_end(url):
    def objective(x, n):
        raise locbo.Retry("not now")

    study = make(url, retries=2, max_failures=1)
    with pytest.raises(locbo.FailuresError, match="not now, after 2 retries"):
        study.run(objective)
    assert study.record(1).attempt == 3


def test_a_time_out_ends_the_whole_group(url, tmp_path):
    def objective(x, n, trial):
        if trial.number == 1:
            child = os.fork()
            if child == 0:
                time.sleep(600)
            (tmp_path / "child").write_text(str(child))
            time.sleep(600)
        return x

    study = make(url, trials=2, timeout=1)
    study.run(objective)
    assert study.record(1).message == "timed out" and states(study) == {"COMPLETE": 2, "FAILED": 1}
    child = int((tmp_path / "child").read_text())
    with open(f"/proc/{child}/stat") if os.path.exists(f"/proc/{child}/stat") else open(os.devnull) as stat:
        assert stat.read().rpartition(")")[2].split()[:1] in ([], ["Z"])
    with pytest.raises(locbo.ArgumentError, match="a thread cannot be ended"):
        study.run(objective, threads=True, jobs=2, trials=3)


def test_killed_evaluations_are_tried_again(url):
    def objective(x, n, trial):
        if trial.attempt == 1 and trial.number <= 2:
            os.kill(os.getpid(), signal.SIGKILL)
        if trial.number == 3:
            os._exit(0)
        return x

    study = make(url, trials=4)
    study.run(objective, jobs=2)
    by = {r.number: r for r in study.records()}
    assert by[1].attempt == 2 and by[1].lost == 1 and by[1].state == "COMPLETE"
    assert by[3].state == "FAILED" and "ended with code 0 before" in by[3].message


def test_children_draw_different_numbers(url):
    random.seed(1)
    numpy.random.seed(1)
    study = make(url, trials=8)
    study.run(lambda x, n: random.random() + numpy.random.random(), jobs=2)
    assert len({r.values["value"] for r in study.records()}) == 8


def test_a_lease_is_renewed_while_the_objective_is_busy(url):
    def objective(x, n, trial):
        if trial.number == 1:
            time.sleep(4)
        return x

    study = make(url, trials=2, lease=1)
    other = study.again()
    seen = []
    thread = threading.Thread(target=lambda: (time.sleep(3), seen.append(other.records(["RUNNING"])), other.status()))
    thread.start()
    study.run(objective)
    thread.join()
    assert [r.number for r in seen[0]] == [1] and study.record(1).attempt == 1


def test_a_trial_that_is_taken_back_is_ended(url):
    def objective(x, n, trial):
        if trial.number == 1:
            time.sleep(600)
        return x

    study = make(url, trials=3, lease=1)
    other = study.again()
    thread = threading.Thread(target=lambda: (time.sleep(1), other.retract(1, "no")))
    thread.start()
    study.run(objective, jobs=2)
    thread.join()
    assert states(study) == {"COMPLETE": 3, "RETRACTED": 1}


def test_callbacks(url):
    study, seen = make(url, trials=20), []
    assert (
        study.run(lambda x, n: x, callbacks=[lambda s, r: seen.append(r.number), lambda s, r: r.number == 4])
        == "a callback ended it"
    )
    assert seen == [1, 2, 3, 4]
    assert study.run(lambda x, n: x, callbacks=[lambda s, r: s.stop("enough")]) == "enough"
    assert states(study) == {"COMPLETE": 5}
    with pytest.raises(RuntimeError, match="oops"):
        study.proceed()
        study.run(lambda x, n: x, callbacks=[lambda s, r: (_ for _ in ()).throw(RuntimeError("oops"))])
    assert states(study) == {"COMPLETE": 6}


def test_rules_to_stop(url):
    assert make(url, trials=None, target=2.0).run(lambda x, n: n) == "the target is reached"
    study = locbo.open(url)
    study.set_plan(target=None, no_improvement=3)
    assert study.run(lambda x, n: 5) == "no better value in the last trials"
    study.set_plan(no_improvement=None)
    began = time.monotonic()
    assert study.run(lambda x, n: time.sleep(0.05) or 9, time=0.5) == "the time limit is reached"
    assert time.monotonic() - began >= 0.5
    study.set_plan(evaluations=study.status().trials + 2)
    assert study.run(lambda x, n: 9) == "all evaluations are done"


@pytest.mark.parametrize("name", ["trials", "evaluations"])
@pytest.mark.parametrize("wrong", [0, -1, 0.5, numpy.int64(0), False, "6", "many", math.nan, math.inf, [3]])
def test_a_number_of_trials_is_1_or_more(url, name, wrong):
    def never(x, n):
        raise AssertionError("it was called")

    shown = wrong.item() if isinstance(wrong, numpy.int64) else wrong
    message = f"^{re.escape(f'{name} must be a whole number, 1 or more, got {shown!r}')}$"
    study = make(url)
    before = study.plan
    for call in (
        lambda: locbo.minimize(never, SPACE, **{name: wrong}),
        lambda: locbo.maximize(never, SPACE, **{name: wrong}),
        lambda: study.run(never, **{name: wrong}),
        lambda: study.set_plan(**{name: wrong}),
        lambda: locbo.create(url, "other", SPACE, **{name: wrong}),
    ):
        with pytest.raises(locbo.ArgumentError, match=message):
            call()
    assert study.plan == before and states(study) == {} and list(study.store) == ["s"]


def test_counts_of_a_plan(url):
    study = make(url, trials=None, evaluations=None, no_improvement=0, max_lost=0, confirm=0, retries=0, max_failures=0)
    assert study.plan["trials"] is None and study.plan["evaluations"] is None
    study.set_plan(**study.plan)
    study.set_plan(trials=numpy.int64(3), evaluations=4.0)
    assert (study.plan["trials"], study.plan["evaluations"]) == (3, 4)
    for name in ("no_improvement", "max_lost", "confirm", "retries", "max_failures"):
        with pytest.raises(locbo.ArgumentError, match=f"^{name} must be a whole number, 0 or more, got -1$"):
            study.set_plan(**{name: -1})
    with pytest.raises(locbo.ArgumentError, match=f"^trials is too large: {2**63}$"):
        study.set_plan(trials=2**63)
    study.set_plan(trials=None, evaluations=None)
    assert study.plan["trials"] is None and study.plan["evaluations"] is None
    study.set_plan(trials=1)
    assert study.run(lambda x, n: x, trials=None) == "all trials are complete"
    assert states(study) == {"COMPLETE": 1}


def test_a_pause_is_waited_for(url):
    study = make(url, trials=3)
    other = study.again()
    other.pause("lunch")
    thread = threading.Thread(target=lambda: (time.sleep(1), other.resume()))
    thread.start()
    study.run(lambda x, n: x)
    thread.join()
    assert states(study) == {"COMPLETE": 3}


def test_an_alteration_reaches_a_running_study(url):
    study, seen = make(url, trials=12), []
    other = study.again()

    def objective(x, n, more=0.0):
        if len(seen) == 3:
            other.alter(Space(x=Float(0, 0.5), n=Int(1, 4), more=Float(1, 2, past=1.5)))
        seen.append((x, more))
        return x

    study.run(objective)
    assert all(x <= 0.5 and 1 <= more <= 2 for x, more in seen[5:]) and len(seen) >= 12


SCRIPT = """
import os, sys, time
import locbo
study = locbo.create(sys.argv[1], "s", {"x": locbo.Float(0, 1)}, method="random", seed=1, trials=50)
def objective(x, trial):
    if trial.number > 3:
        print("waiting", flush=True)
        time.sleep(600)
    return x
try:
    study.run(objective, jobs=int(sys.argv[2]), threads=sys.argv[3] == "threads", progress=sys.argv[3] == "progress")
except KeyboardInterrupt:
    print("interrupted", flush=True)
    if sys.argv[3] == "threads":
        os._exit(0)
"""


@pytest.mark.parametrize("jobs, how", [("1", ""), ("2", ""), ("2", "threads"), ("1", "progress")])
def test_ctrl_c_hands_back_what_runs(url, jobs, how):
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, url, jobs, how], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline().startswith("waiting")  # two may write at once
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert "interrupted" in process.communicate(timeout=60)[0] and process.returncode == 0
    counts = states(locbo.open(url))
    assert counts.pop("WAITING", 0) >= 1 and counts == {"COMPLETE": 3}


def test_a_worker_that_was_killed_is_seen_to_be_dead(url):
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, url, "1", ""], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "waiting\n"
    process.kill()
    process.wait()
    study = locbo.open(url)
    study.run(lambda x: x, trials=4)
    assert states(study)["COMPLETE"] == 4 and study.record(4).attempt == 2  # at once, though its lease is a minute


def test_minimize():
    result = locbo.minimize(
        lambda x, y: (x - 0.3) ** 2 + (y + 0.2) ** 2, {"x": Float(-1, 1), "y": Float(-1, 1)}, trials=25, seed=1
    )
    assert result.reason == "all trials are complete" and len(result.trials) == 25
    assert abs(result.params["x"] - 0.3) < 0.05 and result.low <= result.high and result.best.value < 0.01
    assert result.study.predict(result.params).mean == result.value
    folder = os.path.dirname(result.study.store.url.removeprefix("sqlite:"))
    assert os.path.isdir(folder)
    del result
    assert not os.path.exists(folder)


def test_maximize_and_continue(url):
    for trials in (5, 8):
        result = locbo.maximize(
            lambda x, n: -((x - 0.5) ** 2) + n, SPACE, trials=trials, store=url, name="peak", seed=1, jobs=2
        )
        assert len(result.study.records()) == trials
    assert result.params["n"] == 4
    with pytest.raises(locbo.StateError, match="n"):
        locbo.maximize(lambda x, n: 0, Space(x=Float(0, 1), n=Int(1, 5)), store=url, name="peak", seed=1)


def test_several_objectives():
    result = locbo.minimize(
        lambda x, n: {"a": x, "b": (1 - x) * n}, SPACE, trials=10, seed=1, outputs={"a": "minimize", "b": "minimize"}
    )
    assert result.params is None and len(result.study.front()) > 1


def test_minimize_returns_what_is_known_at_ctrl_c():
    script = """
import locbo, time
def f(x, trial):
    if trial.number == 4:
        print("waiting", flush=True)
        time.sleep(600)
    return x
result = locbo.minimize(f, {"x": locbo.Float(0, 1)}, trials=50, seed=1)
print(result.reason, len(result.study.records(["COMPLETE"])))
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "waiting\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted 3\n"


def test_progress_and_log(url, capsys, caplog):
    pytest.importorskip("tqdm")
    caplog.set_level("INFO", logger="locbo")
    make(url, trials=4).run(lambda x, n: x, progress=True)
    assert "4/4" in capsys.readouterr().err
    assert [r.message.startswith(f"trial {i + 1}: value ") for i, r in enumerate(caplog.records[:4])] == [True] * 4
