"""The sampler for Optuna's studies, in the real Optuna. The behaviours are those that Optuna's own tests of its
samplers demand of each; what it ships for them (optuna.testing) is used."""
import math
import multiprocessing
import os
import pickle
import random
import subprocess
import sys
import warnings

import pytest

optuna = pytest.importorskip("optuna", reason="Optuna is not installed (Debian: python3-optuna)")

from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution  # noqa: E402
from optuna.testing.objectives import fail_objective, pruned_objective  # noqa: E402
from optuna.testing.samplers import DeterministicSampler  # noqa: E402
from optuna.trial import TrialState  # noqa: E402

import locbo  # noqa: E402
import locbo.optuna  # noqa: E402
from locbo.optuna import PROPOSAL, Sampler  # noqa: E402

NUMERIC = [
    FloatDistribution(-1.0, 1.0),
    FloatDistribution(1e-7, 1.0, log=True),
    FloatDistribution(-10, 10, step=0.5),
    FloatDistribution(-10.2, 10.2, step=0.1),
    IntDistribution(3, 10),
    IntDistribution(1, 100, log=True),
    IntDistribution(3, 9, step=2),
    IntDistribution(-10, 0, step=2),
]
SUGGEST = [
    lambda t, n: t.suggest_float(n, 0, 10),
    lambda t, n: t.suggest_int(n, 0, 10),
    lambda t, n: t.suggest_categorical(n, [0, 1, 2]),
    lambda t, n: t.suggest_float(n, 0, 10, step=0.5),
    lambda t, n: t.suggest_float(n, 1e-7, 10, log=True),
    lambda t, n: t.suggest_int(n, 1, 10, log=True),
]

JUDGED = ("model", "again", "explore")


@pytest.fixture(autouse=True)
def quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        yield


def seven(trial):
    """A parameter of each kind."""
    return sum(
        [
            trial.suggest_float("a", 1, 9),
            trial.suggest_float("b", 1, 9, log=True),
            trial.suggest_int("d", 1, 9),
            trial.suggest_float("c", 1, 9, step=1),
            trial.suggest_int("e", 1, 9, log=True),
            trial.suggest_int("f", 1, 9, step=2),
            trial.suggest_categorical("g", range(1, 10)),
        ]
    )


def bowl(trial):
    return (trial.suggest_float("x", 0, 1) - 0.3) ** 2 + (trial.suggest_float("y", 0, 1) - 0.6) ** 2


def run(sampler, objective=bowl, trials=12, **more):
    study = optuna.create_study(sampler=sampler, **more)
    study.optimize(objective, n_trials=trials)
    return study


def points(study):
    return [t.params for t in study.trials]


def origins(study):
    return [t.system_attrs[PROPOSAL]["origin"] if PROPOSAL in t.system_attrs else None for t in study.trials]


def summary(study):
    """Of the optimizer, after it has learnt the last results."""
    sampler = study.sampler
    return sampler._remember(study, sampler.infer_relative_search_space(study))._optimizer.summary()


# ---- what every sampler must do


@pytest.mark.parametrize("y", NUMERIC + [CategoricalDistribution([-1, -10, -100])], ids=str)
@pytest.mark.parametrize("x", NUMERIC + [CategoricalDistribution([1, 10, 100])], ids=str)
def test_relative_values_lie_in_their_distributions(x, y):
    space = {"x": x, "y": y}
    study = optuna.create_study(sampler=Sampler(1))
    for _ in range(8):
        trial = study.ask(space)
        study.tell(trial, sum(trial.params.values()))
    assert "model" in origins(study)
    for params in points(study):
        for name, distribution in space.items():
            assert distribution._contains(distribution.to_internal_repr(params[name]))
            assert type(params[name]) is (float if isinstance(distribution, FloatDistribution) else int)
    for trial in study.trials[1:]:
        numbers = {name: distribution.to_internal_repr(trial.params[name]) for name, distribution in space.items()}
        assert trial.system_attrs[PROPOSAL]["params"] == numbers


@pytest.mark.parametrize("suggest", SUGGEST)
def test_a_single_parameter(suggest):
    study = run(Sampler(1), lambda t: suggest(t, "x"), 10)
    assert [t.state for t in study.trials] == [TrialState.COMPLETE] * 10


@pytest.mark.parametrize("directions", [["minimize"], ["minimize", "maximize"]])
@pytest.mark.parametrize("distribution", NUMERIC + [CategoricalDistribution((1, "a"))], ids=str)
def test_independent_values(distribution, directions):
    study = optuna.create_study(sampler=Sampler(1), directions=directions)
    trials = [study.ask()._cached_frozen_trial for _ in range(9)]
    values = [study.sampler.sample_independent(study, trial, "x", distribution) for trial in trials]
    assert all(distribution._contains(distribution.to_internal_repr(v)) for v in values) and len(set(values)) > 1


def test_distributions_of_one_value():
    space = {
        "a": CategoricalDistribution([1]),
        "b": IntDistribution(1, 1),
        "c": IntDistribution(1, 1, log=True),
        "d": FloatDistribution(1, 1),
        "e": FloatDistribution(1, 1, log=True),
        "f": FloatDistribution(1, 1, step=1),
    }
    study = optuna.create_study(sampler=Sampler(1))
    for _ in range(3):
        trial = study.ask(space)
        study.tell(trial, 1.0)
        assert set(trial.params.values()) == {1}


def test_values_of_any_type_can_be_categories():
    choices = [None, float("nan"), 1, "1", True, 2.5, "x y", "é", ""]
    study = run(Sampler(1), lambda t: choices.index(t.suggest_categorical("what/é ", choices)), 30)
    assert study.best_value == 0 and study.best_params == {"what/é ": None}
    assert len({repr(p) for p in points(study)}) == 8  # Optuna takes True for 1
    assert all(t.system_attrs[PROPOSAL]["params"]["what/é "] != choices.index("1") + 1 for t in study.trials[1:])


@pytest.mark.parametrize("objective", [seven, lambda t: 0.0 * seven(t)])
def test_a_seed_gives_the_same_points(objective):
    same = [points(run(Sampler(1), objective, 18)) for _ in range(2)]
    assert same[0] == same[1]
    assert same[0] != points(run(Sampler(2), objective, 18))
    assert points(run(Sampler(), bowl, 7)) != points(run(Sampler(), bowl, 7))


def test_a_seed_gives_the_same_points_in_every_process():
    script = (
        "import optuna; from locbo.optuna import Sampler; optuna.logging.set_verbosity(optuna.logging.ERROR)\n"
        "study = optuna.create_study(sampler=Sampler(1))\n"
        "f = lambda t: t.suggest_float('x', 0, 1) + t.suggest_categorical('y', (3, 1, 2))\n"
        "study.optimize(f, n_trials=12)\n"
        "print([t.params for t in study.trials])"
    )
    printed = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        )
        printed.add(done.stdout)
    assert len(printed) == 1 and "x" in printed.pop()


def test_reseeding_changes_the_points():
    sampler = Sampler(1)
    sampler.reseed_rng()
    assert points(run(sampler)) != points(run(Sampler(1)))


def test_partly_fixed():
    study = run(Sampler(1), seven, 3)
    study.sampler = optuna.samplers.PartialFixedSampler({"d": 4}, study.sampler)
    study.optimize(seven, n_trials=3)
    assert [p["d"] for p in points(study)[3:]] == [4] * 3
    assert all("d" not in t.system_attrs[PROPOSAL]["params"] for t in study.trials[3:])


def test_results_that_are_no_numbers_are_failures():
    study = optuna.create_study(sampler=Sampler(1))
    for value in [10.0, math.nan, math.inf, -math.inf, 1.0, None]:
        study.optimize(lambda t: value if value is None else bowl(t) + value, n_trials=1)
    study.optimize(bowl, n_trials=1)
    found = summary(study)
    assert (found.told, found.failed) == (3, 4)  # the point of the one with None is what was proposed
    assert study.trials[-1].state == TrialState.COMPLETE


@pytest.mark.parametrize("low, high", [(0, 5), (0, 20), (20, 30)])
def test_a_range_that_changes(low, high):
    def objective(trial, low, high):
        return trial.suggest_float("x", low, high) + trial.suggest_int("y", low, high) + trial.suggest_float("z", 0, 1)

    study = run(Sampler(1), lambda trial: objective(trial, 0, 10))
    study.optimize(lambda trial: objective(trial, low, high), n_trials=12)
    assert [t.state for t in study.trials] == [TrialState.COMPLETE] * 24
    assert set(study.trials[-1].system_attrs[PROPOSAL]["params"]) == {"z"}
    assert summary(study).told == 24  # on z alone, all of them count


def test_a_parameter_that_only_some_trials_have_is_sampled_independently():
    class Fixed(DeterministicSampler):
        def after_trial(self, study, trial, state, values):
            assert trial.state == TrialState.RUNNING

    def objective(trial):
        if trial.suggest_categorical("x", [True, False]):
            return trial.suggest_float("y", 0, 1) + trial.suggest_float("w", 0, 1)
        return trial.suggest_float("z", 0, 1) + trial.suggest_float("w", 0, 1)

    fixed = Fixed({"x": True, "y": 0.25, "z": 0.75, "w": 0.5})
    study = optuna.create_study(sampler=Sampler(1, independent_sampler=fixed))
    study.enqueue_trial({"x": False})
    study.optimize(objective, n_trials=12)
    assert {p["y"] for p in points(study) if "y" in p} == {0.25}
    assert {p["z"] for p in points(study) if "z" in p} == {0.75}
    assert set(study.trials[-1].system_attrs[PROPOSAL]["params"]) == {"w", "x"}
    assert len({p["w"] for p in points(study)}) == 12


# ---- trials that end otherwise


def test_failures_are_learnt_and_avoided():
    def objective(trial):
        x = trial.suggest_float("x", 0, 1)
        if x < 0.5:
            raise ValueError(x)
        return x

    study = optuna.create_study(sampler=Sampler(1))
    study.optimize(objective, n_trials=30, catch=(ValueError,))
    failed = [t.number for t in study.trials if t.state == TrialState.FAIL]
    assert summary(study).failed == len(failed)
    assert sum(n >= 15 for n in failed) <= 7, failed  # at most one in two near the boundary, where the best is
    assert study.best_value < 0.6


@pytest.mark.parametrize("objective", [fail_objective, pruned_objective])
def test_a_study_without_any_result(objective):
    study = optuna.create_study(sampler=Sampler(1))
    study.optimize(objective, n_trials=3, catch=(ValueError,))
    study.optimize(bowl, n_trials=2)
    study.optimize(objective, n_trials=2, catch=(ValueError,))
    assert len(study.trials) == 7


@pytest.mark.parametrize("directions", [["minimize"], ["minimize", "minimize"]])
def test_points_that_are_pruned_at_once_are_avoided(directions):
    def objective(trial):
        x = trial.suggest_float("x", 0, 1)
        if x < 0.5:
            raise optuna.TrialPruned
        return [x] * len(directions)

    study = run(Sampler(1), objective, 30, directions=directions)
    pruned = [t.number for t in study.trials if t.state == TrialState.PRUNED]
    assert summary(study).infeasible == len(pruned)
    assert sum(n >= 15 for n in pruned) <= 7, pruned  # as with failures
    assert min(t.values[0] for t in study.trials if t.values) < 0.6


def test_of_a_pruned_trial_the_model_sees_the_last_value():
    def objective(trial):
        value = bowl(trial)
        trial.report(value + 1, 1)
        trial.report(value + 0.5, 2)
        if trial.number % 3 == 1:
            raise optuna.TrialPruned
        if trial.number % 3 == 2:
            trial.study._storage.set_trial_state_values(trial._trial_id, TrialState.PRUNED, None)  # without a value
        return value

    study = optuna.create_study(sampler=Sampler(1))
    for _ in range(12):
        trial = study.ask()
        try:
            study.tell(trial, objective(trial), skip_if_finished=True)
        except optuna.TrialPruned:
            study.tell(trial, state=TrialState.PRUNED)
    found = summary(study)
    assert (found.told, found.failed, found.infeasible, found.pending) == (4, 0, 4, 0)
    study.ask()
    assert study.trials[-1].system_attrs[PROPOSAL]["told"] == 8
    states = [t.state for t in study.trials]
    assert found.judged == sum(o in JUDGED and s == TrialState.COMPLETE for o, s in zip(origins(study), states))


@pytest.mark.parametrize(
    "pruner", [optuna.pruners.MedianPruner(n_startup_trials=2), optuna.pruners.HyperbandPruner(max_resource=20)]
)
def test_with_a_pruner(pruner):
    def objective(trial):
        value = bowl(trial)
        for step in range(20):
            trial.report(value + 1 / (step + 1), step)
            if trial.should_prune():
                raise optuna.TrialPruned
        return value

    study = run(Sampler(1), objective, 25, pruner=pruner, study_name="s")  # Hyperband chooses brackets by the name
    assert {t.state for t in study.trials} == {TrialState.COMPLETE, TrialState.PRUNED}
    assert "model" in origins(study)
    for trial in study.trials:
        seen = optuna.pruners._filter_study(study, trial).trials  # Hyperband shows the trials of one bracket
        if PROPOSAL in trial.system_attrs:
            assert trial.system_attrs[PROPOSAL]["told"] == sum(t.number < trial.number for t in seen)


# ---- the trials of the storage are the facts


def test_a_sampler_built_from_the_storage_goes_on_as_the_one_that_was_kept():
    kept, study = run(Sampler(1), bowl, 25), optuna.create_study(sampler=Sampler(1))
    for _ in range(25):
        study.optimize(bowl, n_trials=1)
        study.sampler = pickle.loads(pickle.dumps(study.sampler))
    assert points(study)[:6] == points(kept)[:6]  # the design and the first by the model; later fits begin elsewhere
    found = summary(study)
    assert found.judged == sum(origin in JUDGED for origin in origins(study)) > 15
    assert 0 < found.coverage <= 1


def test_the_optimizer_is_kept_between_trials(monkeypatch):
    made = []

    class Counted(locbo.Optimizer):
        def __init__(self, *words, **options):
            made.append(1)
            super().__init__(*words, **options)

    monkeypatch.setattr(locbo.optuna, "Optimizer", Counted)
    run(Sampler(1), seven, 10)
    assert len(made) == 1


def test_one_sampler_for_several_studies():
    sampler = Sampler(1)
    run(sampler, bowl, 10)
    study = optuna.create_study(sampler=sampler)
    for x in (0.1, 0.2, 0.9):
        study.add_trial(optuna.create_trial(params={"x": x}, distributions={"x": FloatDistribution(0, 1)}, value=x))
    study.optimize(lambda t: t.suggest_float("x", 0, 1), n_trials=9)
    assert summary(study).told == 12


@pytest.mark.parametrize("kind", ["memory", "sqlite", "journal"])
def test_running_trials_of_others_are_outstanding(kind, tmp_path):
    journal = optuna.storages.JournalFileStorage(f"{tmp_path}/journal")
    storage = {
        "memory": optuna.storages.InMemoryStorage(),
        "sqlite": f"sqlite:///{tmp_path}/optuna.db",
        "journal": optuna.storages.JournalStorage(journal),
    }
    study = optuna.create_study(storage=storage[kind], study_name="s", sampler=Sampler(1))
    study.optimize(bowl, n_trials=8)
    others = [optuna.load_study(study_name="s", storage=study._storage, sampler=Sampler(1)) for _ in range(4)]
    trials = [other.ask() for other in others]  # of which none has asked for its parameters
    assert len({str(t.relative_params) for t in trials}) == 4
    assert [t.system_attrs[PROPOSAL]["pending"] for t in study.trials[8:]] == [0, 1, 2, 3]
    for trial, other in zip(trials, others):
        other.tell(trial, bowl(trial))
    study.optimize(bowl, n_trials=1)
    assert study.trials[-1].system_attrs[PROPOSAL]["pending"] == 0
    assert study.trials[-1].system_attrs[PROPOSAL]["told"] == 12


def test_threads():
    study = optuna.create_study(sampler=Sampler(1))
    study.optimize(bowl, n_trials=24, n_jobs=4)
    assert [t.state for t in study.trials] == [TrialState.COMPLETE] * 24 and study.best_value < 0.05
    assert (summary(study).told, summary(study).pending) == (24, 0)


def test_a_sampler_goes_on_in_a_child(tmp_path):
    journal = optuna.storages.JournalFileStorage(f"{tmp_path}/journal")
    study = optuna.create_study(storage=optuna.storages.JournalStorage(journal), sampler=Sampler(1))
    study.optimize(bowl, n_trials=7)
    child = multiprocessing.get_context("fork").Process(target=study.optimize, args=(bowl,), kwargs={"n_trials": 2})
    child.start()
    child.join(300)
    assert child.exitcode == 0
    study.optimize(bowl, n_trials=1)
    assert [t.state for t in study.trials] == [TrialState.COMPLETE] * 10
    assert study.trials[-1].system_attrs[PROPOSAL]["told"] == 9


def test_processes_share_a_study(tmp_path):
    storage = f"sqlite:///{tmp_path}/optuna.db"
    study = optuna.create_study(storage=storage, study_name="s", sampler=Sampler())
    script = (
        "import optuna; from locbo.optuna import Sampler; optuna.logging.set_verbosity(optuna.logging.ERROR)\n"
        f"study = optuna.load_study(study_name='s', storage={storage!r}, sampler=Sampler())\n"
        "f = lambda t: (t.suggest_float('x', 0, 1) - 0.3) ** 2 + t.suggest_float('y', 0, 1)\n"
        "study.optimize(f, n_trials=8)"
    )
    workers = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(2)]
    try:
        assert [w.wait(timeout=300) for w in workers] == [0, 0]
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    assert [t.state for t in study.trials] == [TrialState.COMPLETE] * 16
    assert summary(study).told == 16 and summary(study).judged > 0


def test_enqueued_trials():
    study = run(Sampler(1), bowl, 8)
    study.enqueue_trial({"x": 0.125})
    study.enqueue_trial({"x": 0.25, "y": 0.75})
    study.enqueue_trial({"x": 2.0})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of Optuna: 2.0 is out of range
        study.optimize(bowl, n_trials=4)
    proposed = [t.system_attrs[PROPOSAL]["params"] for t in study.trials[8:]]
    assert points(study)[8:10] == proposed[:2] and proposed[0]["x"] == 0.125
    assert proposed[1] == {"x": 0.25, "y": 0.75} and points(study)[10]["x"] == 2.0
    found = summary(study)
    assert (found.told, found.pending) == (11, 0)  # 2.0 is no point of the space


def test_a_failed_trial_that_is_repeated(tmp_path):
    storage = optuna.storages.RDBStorage(
        f"sqlite:///{tmp_path}/optuna.db",
        heartbeat_interval=60,
        failed_trial_callback=optuna.storages.RetryFailedTrialCallback(),
    )
    study = optuna.create_study(storage=storage, sampler=Sampler(1))
    study.optimize(bowl, n_trials=7)
    trial = study.ask()
    bowl(trial)
    study.tell(trial, state=TrialState.FAIL)
    optuna.storages.RetryFailedTrialCallback()(study, study.trials[-1])
    study.optimize(bowl, n_trials=2)
    assert points(study)[8] == points(study)[7]
    assert (summary(study).told, summary(study).failed, summary(study).pending) == (9, 1, 0)


# ---- several directions, constraints, options


def test_several_directions():
    def objective(trial):
        x, y = trial.suggest_float("x", 0, 1), trial.suggest_int("y", 0, 5)
        return x**2 + y, -((x - 1) ** 2) - y

    study = run(Sampler(1), objective, 20, directions=["minimize", "maximize"])
    assert points(study) == points(run(Sampler(1), objective, 20, directions=["minimize", "maximize"]))
    assert sum(t.params["y"] == 0 for t in study.trials[10:]) >= 8 and len(study.best_trials) >= 5
    assert len(study.trials[-1].system_attrs[PROPOSAL]["beliefs"]) == 2


@pytest.mark.parametrize("directions", [["minimize"], ["minimize", "minimize"]])
def test_constraints(directions):
    def objective(trial):
        x, y = trial.suggest_float("x", 0, 1), trial.suggest_float("y", 0, 1)
        return [x + y] if len(directions) == 1 else (x + y, x**2)

    def constraints(trial):
        return 0.5 - trial.params["x"], 0.25 - trial.params["y"]

    study = run(Sampler(1, constraints_func=constraints), objective, 25, directions=directions)
    for trial in study.trials:
        assert tuple(trial.system_attrs["constraints"]) == constraints(trial)
    assert sum(max(constraints(t)) <= 0.02 for t in study.trials[10:]) >= 8
    assert min(t.values[0] for t in study.trials if max(constraints(t)) <= 0) < 0.8


def test_a_constraint_that_is_nan_is_an_error_and_one_that_is_infinite_a_failure():
    study = optuna.create_study(sampler=Sampler(1, constraints_func=lambda trial: [math.nan]))
    with pytest.raises(ValueError, match="NaN"):
        study.optimize(bowl, n_trials=1)
    assert study.trials[0].state == TrialState.COMPLETE and study.trials[0].system_attrs["constraints"] is None
    study.sampler = Sampler(1, constraints_func=lambda trial: [math.inf if trial.number == 2 else 0.0])
    study.optimize(bowl, n_trials=3)
    assert (summary(study).told, summary(study).failed) == (3, 1)


def test_options():
    study = run(Sampler(1, method="random"), bowl, 8)
    assert set(origins(study)[5:]) == {"random"}  # after the first design
    assert origins(run(Sampler(1, initial=3), bowl, 8)).count("design") == 2  # the first trial is one of the three
    with pytest.raises(locbo.ArgumentError, match="alpha"):
        Sampler(alpha=2)
    with pytest.raises(locbo.ArgumentError, match="nonsense"):
        Sampler(nonsense=2)
    with pytest.raises(locbo.ArgumentError, match="the direction is that of .*, got direction='maximize'"):
        Sampler(direction="maximize")
    with pytest.raises(locbo.ArgumentError, match="seed"):
        Sampler(-1)


def test_the_point_that_the_model_recommends():
    noise = random.Random(1)

    def objective(trial):
        kind = trial.suggest_categorical("kind", ["good", None])
        return (trial.suggest_float("x", 0, 1) - 0.3) ** 2 + (kind is None) + noise.gauss(0, 0.05)

    study = run(Sampler(1), objective, 40)
    point = study.sampler.recommend(study)
    assert point.params["kind"] == "good" and abs(point.params["x"] - 0.3) < 0.2  # sd 0.05 is f at a distance of 0.22
    assert point.low < point.value < point.high and point.trial is None
    with pytest.raises(locbo.StateError, match="share no parameter"):
        study.sampler.recommend(optuna.create_study())


def test_it_is_better_than_random():
    def branin(trial):
        x, y = trial.suggest_float("x", -5, 10), trial.suggest_float("y", 0, 15)
        valley = (y - 5.1 / (4 * math.pi**2) * x**2 + 5 / math.pi * x - 6) ** 2
        return valley + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10

    assert max(run(Sampler(seed), branin, 30).best_value for seed in range(3)) < 0.41  # the least value is 0.39789
