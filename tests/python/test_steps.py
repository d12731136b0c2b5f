"""Steps that evaluations report, and trials that are ended early: in each way to run, with whatever goes wrong then."""
import math
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import locbo
from locbo import Float, Int, Space
from test_run import states

SPACE = Space(x=Float(0, 1), n=Int(1, 4))
WAYS = [{}, {"jobs": 3}, {"jobs": 3, "threads": True}, {"timeout": 60}]


def make(url, **words):
    """The rule `median` ends what is worse than most of five good trials, at the first step."""
    how = {"method": "random", "seed": 1, "trials": 8, "retry_delay": 0, "prune": "median", **words}
    return locbo.create(url, "s", SPACE, **how)


def train(x, n, trial):
    for step in range(1, 5):
        locbo.report(step, 10.0 if trial.number > 5 else x)
    return x


def with_five(url, **words):
    """A study with five good trials."""
    study = make(url, **words)
    study.run(train, trials=5)
    assert states(study) == {"COMPLETE": 5}
    return study


@pytest.mark.parametrize("how", WAYS)
def test_every_way_to_run(url, how):
    study, seen = with_five(url), []
    assert study.run(train, callbacks=[lambda s, r: seen.append(r.state)], **how) == "all trials are complete"
    assert states(study) == {"COMPLETE": 5, "PRUNED": 3} and seen == ["PRUNED"] * 3
    assert [curve.steps for curve in study.curves()] == [[1, 2, 3, 4]] * 5 + [[1]] * 3
    assert study.curves(6) == [locbo.Curve(6, 1, [1], [10.0])]
    for record in study.records("PRUNED"):
        assert record.results == [] and math.isnan(record.values["value"]) and record.message == ""
        assert record.decision.rule == "median" and record.decision.is_ended and record.attempt == 1
        assert (record.decision.step, record.decision.value) == (1, 10.0)
    assert study.record(1).decision is None
    assert study.status().failures_in_row == study.status().empty_in_row == 0
    assert study.best().value == min(r.params["x"] for r in study.records("COMPLETE"))


def test_the_account(url):
    study = with_five(url)
    study.run(train)
    account = study.ended()
    assert (account.could_end, account.ended, account.kept) == (3, 3, 0)
    assert (account.steps, account.steps_saved) == (23, 9) and math.isnan(account.bound)


def test_one_process_and_this_one_give_the_same(url):
    """Where the evaluation runs changes nothing: one at a time, by the rule `risk`."""

    def learn(x, n):
        for step in range(1, 11):
            locbo.report(step, abs(x - 0.3) + 0.01 * n / step)
        return abs(x - 0.3)

    found = []
    for name, how in (("here", {}), ("process", {"timeout": 60}), ("thread", {"threads": True})):
        study = locbo.create(url, name, SPACE, seed=1, trials=30, prune="risk")
        study.run(learn, **how)
        found.append([(r.state, r.params, repr(r.decision)) for r in study.records()])  # some numbers are nan
    assert found[0] == found[1] == found[2] and "PRUNED" in [state for state, _, _ in found[0]]


@pytest.mark.parametrize("how", WAYS)
def test_an_objective_tidies_up(url, tmp_path, how):
    def objective(x, n, trial):
        try:
            return train(x, n, trial)
        except locbo.Pruned as why:
            (tmp_path / str(trial.number)).write_text(str(why))
            raise

    study = with_five(url)
    study.run(objective, **how)
    assert states(study) == {"COMPLETE": 5, "PRUNED": 3}
    assert (tmp_path / "7").read_text() == "ended early at step 1"


@pytest.mark.parametrize("how", WAYS)
def test_what_an_objective_does_after_its_end(url, how):
    """A value completes the trial after all; nothing else counts."""

    def objective(x, n, trial):
        try:
            return train(x, n, trial)
        except locbo.Pruned:
            with pytest.raises(locbo.Pruned):
                locbo.report(2, 0.0)  # it stays so
        if trial.number == 6:
            return 7.0
        raise {7: ValueError("no room"), 8: locbo.Infeasible("no"), 9: locbo.Retry("not now")}[trial.number]

    study = with_five(url, trials=9, max_failures=1)
    study.run(objective, **how)
    assert states(study) == {"COMPLETE": 6, "PRUNED": 3} and study.record(6).values == {"value": 7.0}
    assert study.record(7).message == "" and study.record(9).attempt == 1
    shown = subprocess.run(
        [os.path.join(os.environ["BUILD"], "locbo"), "show", "7", "--db", url], capture_output=True, text=True
    )
    assert "ValueError: no room" in shown.stdout


@pytest.mark.parametrize("how", WAYS)
def test_what_has_failed_keeps_its_steps(url, how):
    def objective(x, n, trial):
        locbo.report(1, 0.5)
        locbo.report(2, math.nan)
        locbo.report(1, 0.4)
        locbo.report(numpy.int64(3), numpy.float32(0.25))
        if trial.number == 1:
            raise ValueError("no")
        if trial.number == 2:
            raise locbo.Pruned("by myself")
        if trial.number == 3:
            locbo.report("4", 1)
        if trial.number == 4:
            locbo.report(-1, 1)
        if trial.number == 5:
            locbo.report(4, None)
        return 1

    study = make(url, trials=1, max_failures=0)
    study.run(objective, **how)
    by = {r.number: r for r in study.records()}
    assert by[1].state == "FAILED" and by[1].message == "ValueError: no"
    assert by[2].state == "FAILED" and by[2].message == "Pruned was raised, but the study has not ended the trial"
    assert "a step must be a whole number that is not negative, got '4'" in by[3].message
    assert by[4].message.endswith("got -1") and by[5].message.endswith("the value of step 4 must be a number, got None")
    assert all((curve.steps, curve.values) == ([1, 3], [0.5, 0.25]) for curve in study.curves())


def test_ask_and_tell(url):
    study = with_five(url, trials=20)
    good, bad, late = study.ask(), study.ask(), study.ask()
    assert not study.report_steps(good, [(1, 0.0), (3, 0.0), (2, 5.0), (3, 9.0), (7, math.inf), (8, -math.inf)])
    assert study.curves(good)[0].steps == [1, 3]
    assert study.report(bad, 2, 10.0) is True and study.record(bad).state == "PRUNED"
    assert study.report(bad, 3, 0.0) is True and study.report_steps(bad, []) is True  # it may be repeated
    assert study.curves(bad) == [locbo.Curve(bad.number, 1, [2], [10.0])]
    for call in (study.tell_failed, study.tell_infeasible, study.requeue):
        with pytest.raises(locbo.StateError):
            call(bad)
    assert study.record(bad).state == "PRUNED"
    assert study.report(late, 1, 10.0)
    study.tell(late, 3.0)
    assert study.record(late).state == "COMPLETE" and study.record(late).decision.is_ended
    study.tell(good, 0.1)
    with pytest.raises(locbo.StateError, match="over|complete|COMPLETE"):
        study.report(good, 9, 0.1)
    with pytest.raises(locbo.NotFoundError):
        study.curves(99)
    for step, value in ((True, 1), (1.5, 1), (-1, 1), (2**64, 1), (1, "a"), (1, None), (1, True), (1, 1j)):
        with pytest.raises(locbo.ArgumentError):
            study.report(study.ask(), step, value)


def test_a_new_attempt_begins_a_new_curve(url):
    study = make(url)
    first = study.ask()
    study.report_steps(first, [(1, 0.5), (2, 0.4)])
    study.requeue(first)
    again = study.ask()
    assert again.number == first.number and again.attempt == 2
    study.report(again, 1, 0.6)
    with pytest.raises(locbo.StateError):
        study.report(first, 3, 0.3)
    assert [(c.attempt, c.steps) for c in study.curves(1)] == [(1, [1, 2]), (2, [1])]
    assert study._last_steps() == {1: (1, 0.6)}


def test_kept_trials_are_never_ended(url):
    study = locbo.create(url, "s", SPACE, method="random", seed=2, prune="risk", prune_risk=0.1)
    for _ in range(10):
        trial = study.ask()
        assert not study.report_steps(trial, [(step, 1.0) for step in range(1, 6)])
        study.tell(trial, 1.0)
    kept = 0
    for _ in range(40):
        trial = study.ask()
        is_ended = study.report(trial, 2, 50.0)
        decision = study.record(trial).decision
        assert decision.rule == "risk" and decision.is_ended == is_ended == (decision.coin >= 0.1)
        if not is_ended:
            kept += 1
            assert not study.report_steps(trial, [(3, 60.0), (4, 70.0)])
            study.tell(trial, 80.0)
    account = study.ended()
    assert kept > 0 and (account.kept, account.kept_beat, account.ended) == (kept, 0, 40 - kept)
    assert account.estimate == 0 and 0 < account.bound and account.resolved == 50


def test_several_objectives_are_never_ended(url):
    how = {"outputs": {"a": "minimize", "b": "minimize"}, "method": "random", "seed": 1, "trials": 8}
    with pytest.raises(locbo.ArgumentError, match="prune median needs one objective"):
        locbo.create(url, "s", SPACE, prune="median", **how)
    study = locbo.create(url, "s", SPACE, **how)

    def objective(x, n, trial):
        train(x, n, trial)
        return {"a": x, "b": n}

    study.run(objective)
    assert states(study) == {"COMPLETE": 8} and len(study.curves()) == 8


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_killed_child(url, when):
    def objective(x, n, trial):
        if when == "after":
            try:
                return train(x, n, trial)
            except locbo.Pruned:
                os.kill(os.getpid(), signal.SIGKILL)
        locbo.report(1, 0.0)
        if trial.attempt == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        locbo.report(2, 0.0)
        return 0.0

    study = with_five(url)
    study.run(objective, jobs=2)
    if when == "after":
        assert states(study) == {"COMPLETE": 5, "PRUNED": 3}
        return
    assert states(study) == {"COMPLETE": 8} and study.record(6).lost == 1
    assert [(c.attempt, c.steps) for c in study.curves(6)] == [(1, [1]), (2, [1, 2])]


def test_time_is_over_after_the_end(url):
    def objective(x, n, trial):
        try:
            return train(x, n, trial)
        except locbo.Pruned:
            time.sleep(600)

    study = with_five(url, trials=6)
    study.run(objective, timeout=1)
    assert states(study) == {"COMPLETE": 5, "PRUNED": 1}


@pytest.mark.parametrize("how", [{}, {"jobs": 2}, {"jobs": 2, "threads": True}])
def test_a_trial_that_is_taken_back_ends_with_its_next_step(url, how):
    study = make(url, trials=2, prune=None)
    other = study.again()

    def objective(x, n, trial):
        step = 0
        while trial.number == 1:
            step += 1
            locbo.report(step, x)
            time.sleep(0.02)
        return x

    thread = threading.Thread(target=lambda: (time.sleep(1), other.retract(1, "no")))
    thread.start()
    study.run(objective, **how)
    thread.join()
    assert states(study) == {"COMPLETE": 2, "RETRACTED": 1}


SCRIPT = """
import sys, time
import locbo
study = locbo.create(sys.argv[1], "s", {"x": locbo.Float(0, 1)}, method="random", seed=1, trials=50, prune="risk")
def objective(x, trial):
    step = 0
    while trial.number > 3:
        step += 1
        locbo.report(step, x)
        if step == 5 and trial.number == 4:
            print("waiting", flush=True)
        time.sleep(float(sys.argv[4]))
    return x
try:
    study.run(objective, jobs=int(sys.argv[2]), threads=sys.argv[3] == "threads")
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("pause", ["0", "0.01"])
@pytest.mark.parametrize("jobs, how", [("1", ""), ("2", ""), ("2", "threads")])
def test_ctrl_c_around_reports(url, jobs, how, pause):
    """Evaluations in threads end, too: by their next report."""
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, url, jobs, how, pause], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline().startswith("waiting")
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert "interrupted" in process.communicate(timeout=60)[0] and process.returncode == 0
    study = locbo.open(url)
    counts = states(study)
    assert counts.pop("WAITING", 0) >= 1 and counts == {"COMPLETE": 3}
    assert study.curves(4)[0].steps[:5] == [1, 2, 3, 4, 5]
    study.run(lambda x: locbo.report(1, x) or x, trials=4)
    assert [c.attempt for c in study.curves(4)] == [1, 2]


def test_a_killed_worker(url):
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, url, "2", "", "0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline().startswith("waiting")
    process.kill()
    process.wait()
    study = locbo.open(url)
    steps = [c.steps for c in study.curves(4)]
    assert steps[0] == list(range(1, len(steps[0]) + 1)) and len(steps[0]) >= 5
    study.run(lambda x: locbo.report(1, x) or x, trials=4)
    assert study.record(4).attempt == 2 and [c.attempt for c in study.curves(4)] == [1, 2]


def test_outside_a_run_nothing_is_reported(url):
    assert train(0.5, 1, locbo.Trial(6, {}, "design", None)) == 0.5
    with pytest.raises(locbo.ArgumentError, match="a step must be"):
        locbo.report(-1, 0.0)
    study = make(url, trials=1)

    def objective(x, n):
        thread = threading.Thread(target=locbo.report, args=(7, 1.0))
        thread.start()
        thread.join()
        return x

    study.run(objective)
    assert study.curves() == []


def in_a_child(end):
    try:
        locbo.report(1, 1.0)
    except locbo.StateError as why:
        end.send(str(why))


@pytest.mark.parametrize("how", [{}, {"jobs": 2}])
def test_children_of_an_objective_do_not_report(url, how):
    def objective(x, n):
        context = multiprocessing.get_context("fork")
        mine, other = context.Pipe()
        child = context.Process(target=in_a_child, args=(other,))
        child.start()
        assert mine.poll(20) and "where the objective was called" in mine.recv()
        child.join()
        locbo.report(1, 2.0)
        return x

    study = make(url, trials=2)
    study.run(objective, **how)
    assert states(study) == {"COMPLETE": 2} and [c.values for c in study.curves()] == [[2.0], [2.0]]


def test_an_objective_may_run_a_study(url):
    def inner(x, n):
        locbo.report(1, -1.0)
        return x

    def objective(x, n):
        locbo.report(1, 1.0)
        study = locbo.create(url, f"inner {x}", SPACE, method="random", seed=1, trials=2)
        study.run(inner)
        locbo.report(2, 2.0)
        return study.best().value

    study = make(url, trials=2)
    study.run(objective)
    assert [c.values for c in study.curves()] == [[1.0, 2.0]] * 2


def test_an_objective_may_report_to_the_study(url):
    study = with_five(url)

    def objective(x, n, trial):
        if study.report(trial, 1, 10.0):
            raise locbo.Pruned
        return x

    study.run(objective)
    assert states(study) == {"COMPLETE": 5, "PRUNED": 3}


@pytest.mark.parametrize("how", [{}, {"jobs": 2}, {"jobs": 2, "threads": True}])
def test_evaluations_are_ended_after_an_alteration(url, how):
    study = with_five(url, trials=10)
    other = study.again()

    def alter(_study, record):
        if record.number == 6:
            other.alter(Space(x=Float(0, 2), n=Int(1, 4)))

    study.run(train, callbacks=[alter], **how)
    assert study.record(10).state == "PRUNED"


def test_the_plan(url):
    study = make(url, prune="risk", prune_risk=0.02)
    assert (study.plan["prune"], study.plan["prune_risk"]) == ("risk", 0.02)
    for rule in ("median", "halving", "none", None):
        study.set_plan(prune=rule)
        assert study.plan["prune"] == (None if rule == "none" else rule)
    with pytest.raises(locbo.ArgumentError, match="prune must be one of none, risk, median, halving, got 'rsik'"):
        study.set_plan(prune="rsik")
    with pytest.raises(locbo.ArgumentError, match="prune_risk"):
        study.set_plan(prune_risk=1.5)
    with pytest.raises(locbo.ArgumentError, match=r"no keyword 'prune'; it is of the study: set_plan\(prune"):
        study.run(train, prune="risk")


def test_minimize():
    def learn(x, n):
        for step in range(1, 11):
            locbo.report(step, abs(x - 0.3) + n / step)
        return abs(x - 0.3) + n / 10

    result = locbo.minimize(learn, SPACE, trials=25, seed=1, prune="risk", prune_risk=0.05)
    assert result.reason == "all trials are complete" and result.study.status().states["PRUNED"] > 0
    assert abs(result.params["x"] - 0.3) < 0.1 and result.params["n"] == 1


def test_what_is_shown_of_it(url, capsys):
    pytest.importorskip("tqdm")
    study = with_five(url)
    study.run(train, progress=True)
    assert "8/8" in capsys.readouterr().err
    pytest.importorskip("pandas")
    table = study.trials
    assert list(table["step"]) == [4] * 5 + [1] * 3 and list(table["step_value"])[5:] == [10.0] * 3
    assert list(table["state"])[5:] == ["PRUNED"] * 3 and table["value"][6:].isna().all()
