"""Optuna's studies as studies of locbo: space, results, failures, directions, constraints; the command line."""
import logging
import math
import os
import subprocess
import sys

import pytest

optuna = pytest.importorskip("optuna", reason="Optuna is not installed (Debian: python3-optuna)")

from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution  # noqa: E402
from optuna.trial import TrialState, create_trial  # noqa: E402

import locbo  # noqa: E402
from locbo.optuna import import_study  # noqa: E402
from locbo.optuna_import import widest  # noqa: E402


@pytest.fixture(autouse=True)
def quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)


@pytest.fixture
def storage():
    return optuna.storages.InMemoryStorage()


@pytest.fixture
def file(tmp_path):
    return f"sqlite:///{tmp_path}/optuna.db"


def make(storage, objective, trials=20, catch=(ValueError,), seed=1, **more):
    study = optuna.create_study(storage=storage, study_name="s", sampler=optuna.samplers.RandomSampler(seed), **more)
    study.optimize(objective, n_trials=trials, catch=catch)
    return study


def everything(trial):
    x, lr = trial.suggest_float("x", -1, 1), trial.suggest_float("learning rate", 1e-5, 1, log=True)
    n, units = trial.suggest_int("n", 1, 9, step=2), trial.suggest_int("units", 1, 512, log=True)
    drop, kind = trial.suggest_float("drop", 0, 0.5, step=0.05), trial.suggest_categorical("kind", [None, 16, "a", 2.5])
    flag = trial.suggest_categorical("flag", [False, True])
    trial.suggest_int("constant", 3, 3)
    if x < -0.5:
        raise ValueError("too low")
    return x + lr + n + units + drop + len(str(kind)) + flag


def rows(study):
    return [(r.params, r.values["value"]) for r in study.records() if r.state == "COMPLETE"]


def described(space):
    """Without the order of the parameters, which Optuna's databases do not keep."""
    return {name: repr(space[name]) for name in space}


def test_every_kind_of_parameter(file, url):
    source = make(file, everything, 30)
    study = import_study(file, "s", url)
    assert study.name == "s" and study.direction == "minimize"
    assert described(study.space) == described(
        {
            "x": locbo.Float(-1, 1),
            "learning rate": locbo.Float(1e-5, 1, log=True),
            "n": locbo.Int(1, 9, step=2),
            "units": locbo.Int(1, 512, log=True),
            "drop": locbo.Float(0, 0.5, step=0.05),
            "kind": locbo.Choice(None, 16, "a", 2.5),
            "flag": locbo.Bool(),
        }
    )
    complete = [t for t in source.trials if t.state == TrialState.COMPLETE]
    assert rows(study) == [({n: v for n, v in t.params.items() if n != "constant"}, t.value) for t in complete]
    failed = [r for r in study.records() if r.state == "FAILED"]
    assert len(failed) == 30 - len(complete) > 0 and {r.message for r in failed} == {"failed in Optuna"}
    assert study.best().value == source.best_value
    trial = study.ask()
    study.tell(trial, 0.5)
    assert study.summary().told == len(complete) + 1


def test_the_study_is_that_of_the_program(storage, url):
    make(storage, everything, 12, direction="maximize")
    import_study(storage, "s", url, "other name", method="bo")
    program = os.path.join(os.environ["BUILD"], "locbo")
    shown = subprocess.run([program, "status", "--db", url], capture_output=True, text=True, check=True).stdout
    assert "other name" in shown and "maximize" in shown and "kind" in shown and "bo" in shown


def test_a_range_that_changed_is_the_widest(storage, url):
    def objective(trial):
        k = trial.number
        return trial.suggest_float("x", -k, 1 + k) + trial.suggest_int("n", 2 * (k % 2), 8 + 4 * k, step=2)

    source = make(storage, objective, 6)
    study = import_study(storage, "s", url)
    assert described(study.space) == described({"x": locbo.Float(-5, 6), "n": locbo.Int(0, 28, step=2)})
    assert rows(study) == [(t.params, t.value) for t in source.trials]


@pytest.mark.parametrize(
    "given, wanted",
    [
        ([IntDistribution(1, 9, step=2), IntDistribution(3, 15, step=4)], IntDistribution(1, 15, step=2)),
        ([IntDistribution(1, 9, step=2), IntDistribution(2, 8, step=2)], IntDistribution(1, 9)),
        ([IntDistribution(1, 9, log=True), IntDistribution(4, 99, log=True)], IntDistribution(1, 99, log=True)),
        ([FloatDistribution(0, 1, step=0.1), FloatDistribution(0.3, 2, step=0.1)], FloatDistribution(0, 2, step=0.1)),
        ([FloatDistribution(0, 1, step=0.1), FloatDistribution(0.05, 1.05, step=0.1)], FloatDistribution(0, 1.05)),
        ([FloatDistribution(0, 1, step=0.1), FloatDistribution(0, 2)], FloatDistribution(0, 2)),
        ([FloatDistribution(0, 1), FloatDistribution(0, 2, step=0.5)], FloatDistribution(0, 2)),
        ([CategoricalDistribution("ab"), CategoricalDistribution("ab")], CategoricalDistribution("ab")),
    ],
)
def test_widest(given, wanted):
    assert widest(given) == widest(given[::-1]) == wanted


def test_conditions_are_found(file, url):
    def objective(trial):
        value = trial.suggest_float("x", 0, 1)
        kernel = trial.suggest_categorical("kernel", ["rbf", "poly", "linear"])
        if kernel != "linear":
            value += trial.suggest_float("gamma", 0.1, 1)
            if trial.suggest_categorical("shrink", [True, False]):
                value += trial.suggest_float("amount", 0, 1)
        for i in range(trial.suggest_int("layers", 1, 3)):
            value += trial.suggest_int(f"units {i + 1}", 1, 9)
        if trial.number == 5:
            raise ValueError
        return value

    source = make(file, objective, 40)
    study = import_study(file, "s", url)
    assert {n: dict(p.when) for n, p in study.space.parameters.items() if p.when} == {
        "gamma": {"kernel": ["rbf", "poly"]},
        "shrink": {"kernel": ["rbf", "poly"]},
        "amount": {"shrink": [True]},
        "units 2": {"layers": [2, 3]},
        "units 3": {"layers": [3]},
    }
    assert [r.params for r in study.records()] == [t.params for t in source.trials]
    assert set(study.ask().params) <= set(study.space)


def test_trials_without_a_parameter_are_left_out_unless_its_past_value_is_given(storage, url, caplog):
    source = make(storage, lambda t: t.suggest_float("x", 0, 1), 4)
    source.optimize(lambda t: t.suggest_float("x", 0, 1) + t.suggest_float("new", 0, 1), n_trials=3)
    study = import_study(storage, "s", url, "without")
    assert "4 trials lack the parameter 'new'" in caplog.text and "past={'new': VALUE}" in caplog.text
    assert [p for p, _ in rows(study)] == [t.params for t in source.trials[4:]]
    study = import_study(storage, "s", url, "with", past={"new": 0.25})
    assert [p for p, _ in rows(study)] == [{"new": 0.25, **t.params} for t in source.trials]


def test_pruned_running_and_waiting_trials(storage, url, caplog):
    def objective(trial):
        value = trial.suggest_float("x", 0, 1)
        if trial.number != 5:
            trial.report(value + 1, 1)
        if trial.number % 2:
            raise optuna.TrialPruned
        return value

    source = make(storage, objective, 6)
    source.ask()
    source.enqueue_trial({"x": 0.5})
    with caplog.at_level(logging.INFO):
        study = import_study(storage, "s", url, "complete")
    assert rows(study) == [(t.params, t.value) for t in source.trials[:6:2]]
    assert "3 trials of 's'" in caplog.text and "5 were left out" in caplog.text
    study = import_study(storage, "s", url, "all", pruned=True)
    assert [v for _, v in rows(study)] == [t.value for t in source.trials[:5]]
    assert (study.records()[5].state, study.records()[5].message) == ("INFEASIBLE", "pruned in Optuna")


def test_several_directions_and_constraints(storage, url):
    def objective(trial):
        x, y = trial.suggest_float("x", 0, 1), trial.suggest_float("y", 0, 1)
        return x, (math.inf if trial.number == 3 else y)

    with pytest.warns(optuna.exceptions.ExperimentalWarning):
        sampler = optuna.samplers.NSGAIISampler(seed=1, constraints_func=lambda t: (t.params["x"] - 0.5,))
    source = optuna.create_study(storage=storage, study_name="s", directions=["minimize", "maximize"], sampler=sampler)
    source.optimize(objective, n_trials=10)
    space = {n: FloatDistribution(0, 1) for n in "xy"}
    without_constraints = create_trial(params={"x": 0.5, "y": 0.5}, distributions=space, values=[1, 2])
    source.add_trial(without_constraints)
    study = import_study(storage, "s", url)
    assert study.outputs["values_0"].goal == "minimize" and study.outputs["values_1"].goal == "maximize"
    assert study.outputs["constraint_0"].at_most == 0
    found = study.records()
    assert [r.state for r in found] == ["FAILED" if t.number == 3 else "COMPLETE" for t in source.trials]
    assert found[0].values == {
        "values_0": source.trials[0].values[0],
        "values_1": source.trials[0].values[1],
        "constraint_0": source.trials[0].params["x"] - 0.5,
    }
    assert math.isnan(found[10].values["constraint_0"]) and "not finite" in found[3].message
    assert study.ask().params.keys() == {"x", "y"}


def test_categories_whose_texts_are_equal(storage, url):
    source = make(storage, lambda t: float(t.suggest_categorical("c", [1, "1", math.nan])) * 0, 9, catch=(ValueError,))
    study = import_study(storage, "s", url)
    assert study.space["c"].values == ("1", "'1'", "nan")
    wanted = [{"c": repr(t.params["c"])} for t in source.trials]
    assert [r.params for r in study.records()] == wanted


def test_equal_results_are_all_kept(storage, url):
    source = make(storage, lambda t: 0.0 * t.suggest_int("n", 1, 2), 8)
    assert [p for p, _ in rows(import_study(storage, "s", url))] == [t.params for t in source.trials]


def test_errors(file, url, tmp_path):
    with pytest.raises(locbo.NotFoundError, match="there is no file '.*optuna.db'"):
        import_study(file, "s", url)
    optuna.create_study(storage=file, study_name="s")
    with pytest.raises(locbo.NotFoundError, match="there is no study 'other' in Optuna's storage"):
        import_study(file, "other", url)
    with pytest.raises(locbo.ArgumentError, match="'s' has no trial with a parameter"):
        import_study(file, "s", url)
    assert not os.path.exists(f"{tmp_path}/locbo.db")


def test_command_line(file, url):
    make(file, lambda t: t.suggest_float("x", 0, 1), 4)

    def run(*words):
        return subprocess.run([sys.executable, "-m", "locbo.optuna", *words], capture_output=True, text=True)

    done = run(file, "s", url, "--name", "mine")
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"4 trials of 's' are in Study('mine' in {url!r}), 0 were left out\n"
    assert len(rows(locbo.open(url, "mine"))) == 4
    done = run(file, "none", url)
    assert done.returncode == 1 and done.stderr.startswith("there is no study 'none'") and done.stderr.count("\n") == 1
    done = run("nonsense", "s", url)
    assert done.returncode == 1 and "Optuna cannot read its storage: " in done.stderr and done.stderr.count("\n") == 1
    assert "storage" in run("--help").stdout
