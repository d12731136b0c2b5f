"""Optuna's studies in locbo's terms: distributions as parameters, directions as outputs, whole studies as studies."""
from __future__ import annotations

import argparse
import logging
import math
import os
import sys
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Union

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import FrozenTrial, TrialState
from sqlalchemy.exc import SQLAlchemyError

from .errors import ArgumentError, Failed, Infeasible, LocboError, NotFoundError, StoreError
from .outputs import Output
from .space import Bool, Choice, Float, Int, Parameter, Space
from .study import Study, create

log = logging.getLogger("locbo.optuna")
KNOWN = (CategoricalDistribution, FloatDistribution, IntDistribution)
CONSTRAINTS = "constraints"  # Optuna's samplers keep the values of constraints_func in this attribute of a trial
SQLITE = "sqlite:///"
MANY = 100  # no condition on a whole number that has more values than these
Trials = Sequence[FrozenTrial]

# ---- distributions, directions, values


def make_parameter(distribution: BaseDistribution) -> Parameter:
    """The parameter of a distribution; categories are their numbers, so that their values may be anything. Of those
    that are equal to Python, as 1 and True, Optuna knows the first."""
    if isinstance(distribution, CategoricalDistribution):
        return Choice(*sorted({int(distribution.to_internal_repr(choice)) for choice in distribution.choices}))
    if isinstance(distribution, FloatDistribution):
        return Float(distribution.low, distribution.high, distribution.log, distribution.step)
    if isinstance(distribution, IntDistribution):
        step = distribution.step if distribution.step > 1 else None
        return Int(distribution.low, distribution.high, distribution.log, step)
    raise ArgumentError(f"there is no parameter for {distribution!r}")


def count_constraints(trials: Iterable[FrozenTrial]) -> int:
    return max((len(t.system_attrs.get(CONSTRAINTS) or ()) for t in trials), default=0)


def make_outputs(directions: Sequence[str], constraints: int) -> Tuple[Optional[str], Optional[Dict[str, Output]]]:
    """The direction of one objective alone, otherwise the table of outputs, named as in Optuna's tables."""
    if len(directions) == 1 and not constraints:
        return directions[0], None
    names = ["value"] if len(directions) == 1 else [f"values_{i}" for i in range(len(directions))]
    table = {name: Output(direction) for name, direction in zip(names, directions)}
    return None, {**table, **{f"constraint_{i}": Output(at_most=0) for i in range(constraints)}}


def read_values(trial: FrozenTrial, outputs: Optional[Mapping[str, Output]]) -> Union[None, float, Dict[str, float]]:
    """What a trial has measured; None: nothing, or a number that is not finite, which no model has a place for."""
    if not trial.values:
        return None
    numbers = [*trial.values, *(trial.system_attrs.get(CONSTRAINTS) or ())]
    measured = dict(zip(outputs or ["value"], numbers))
    if not all(map(math.isfinite, measured.values())):
        return None
    return measured if outputs else measured["value"]


# ---- the space of a whole study


def widest(distributions: Sequence[BaseDistribution]) -> BaseDistribution:
    """One distribution that allows what each of them allows. Optuna sees to it that all are of one kind and scale."""
    first, ranges = distributions[0], list[Any](distributions)
    if isinstance(first, CategoricalDistribution):
        return first
    low, high = min(d.low for d in ranges), max(d.high for d in ranges)
    if isinstance(first, IntDistribution):
        grid = math.gcd(*(d.step for d in ranges), *(d.low - low for d in ranges))
        return IntDistribution(low, high, first.log, grid)
    step = ranges[0].step
    one_grid = step and all(d.step == step and abs((d.low - low) / step % 1 - 0.5) > 0.5 - 1e-8 for d in ranges)
    return FloatDistribution(low, high, ranges[0].log, step if one_grid else None)


def is_bool(distribution: BaseDistribution) -> bool:
    return (
        isinstance(distribution, CategoricalDistribution)
        and len(distribution.choices) == 2
        and all(isinstance(choice, bool) for choice in distribution.choices)
    )


def make_named(distribution: BaseDistribution) -> Parameter:
    """As make_parameter, with the categories themselves; if the texts of some are equal, as Python writes them."""
    if is_bool(distribution):
        return Bool()
    if not isinstance(distribution, CategoricalDistribution):
        return make_parameter(distribution)
    try:
        return Choice(*distribution.choices)
    except ArgumentError:
        return Choice(*map(repr, distribution.choices))


def translate(value: Any, distribution: BaseDistribution, parameter: Parameter) -> Any:
    """A value of a distribution as that of the parameter that was made of it."""
    return parameter.values[int(distribution.to_internal_repr(value))] if isinstance(parameter, Choice) else value


def find_condition(
    name: str, parents: Mapping[str, BaseDistribution], trials: Trials
) -> Optional[Tuple[str, List[Any]]]:
    """The parameter whose value says whether a trial has the parameter `name`, and the values for which it has."""
    for parent, distribution in parents.items():
        is_alone = any(name in t.params and parent not in t.params for t in trials)
        if is_alone or isinstance(distribution, FloatDistribution):
            continue
        having, lacking = (
            {
                distribution.to_internal_repr(t.params[parent])
                for t in trials
                if parent in t.params and (name in t.params) == has
            }
            for has in (True, False)
        )
        values = on_one_side(distribution, having, lacking) if isinstance(distribution, IntDistribution) else having
        if values and not values & lacking:
            return parent, [distribution.to_external_repr(v) for v in sorted(values)]
    return None


def on_one_side(distribution: IntDistribution, having: Set[float], lacking: Set[float]) -> Set[float]:
    """The whole numbers from the lowest that has the parameter on, if all that lack it are lower; or the other way."""
    values = range(distribution.low, distribution.high + 1, distribution.step)
    if len(values) > MANY or not lacking:
        return set()
    if max(lacking) < min(having):
        return {v for v in values if v >= min(having)}
    return {v for v in values if v <= max(having)} if max(having) < min(lacking) else set()


def find_distributions(trials: Trials) -> Dict[str, BaseDistribution]:
    """Those of all parameters with several values, the ones that most trials have first."""
    found: Dict[str, List[BaseDistribution]] = {}
    for trial in trials:
        for name, distribution in trial.distributions.items():
            found.setdefault(name, []).append(distribution)
    wide = {name: widest(found[name]) for name in sorted(found, key=lambda name: -len(found[name]))}
    return {name: distribution for name, distribution in wide.items() if not distribution.single()}


def make_space(distributions: Mapping[str, BaseDistribution], trials: Trials, past: Mapping[str, Any]) -> Space:
    """The space, with the conditions that completed trials show: others may have ended before they suggested all."""
    judged = [t for t in trials if t.state == TrialState.COMPLETE] or trials
    parameters: Dict[str, Parameter] = {}
    for name, distribution in distributions.items():
        parameters[name] = make_named(distribution)
        lacking = sum(name not in t.params for t in judged)
        if not lacking or name in past:
            continue
        condition = find_condition(name, {n: distributions[n] for n in parameters if n != name}, judged)
        if condition:
            parent, values = condition
            parameters[name].when = {parent: [translate(v, distributions[parent], parameters[parent]) for v in values]}
        else:
            log.warning(
                "%d trials lack the parameter %r, and no other parameter says which: they are left out; "
                "past={%r: VALUE} says which value they had",
                lacking,
                name,
                name,
            )
    return Space(parameters)


# ---- a whole study


def load(storage: Any, study_name: Optional[str]) -> optuna.Study:
    file = storage[len(SQLITE) :].split("?")[0] if isinstance(storage, str) and storage.startswith(SQLITE) else None
    if file and not os.path.exists(file):
        raise NotFoundError(f"there is no file {file!r}")  # Optuna would make an empty one
    try:
        return optuna.load_study(study_name=study_name, storage=storage)
    except KeyError:
        raise NotFoundError(f"there is no study {study_name!r} in Optuna's storage") from None
    except (ImportError, SQLAlchemyError, optuna.exceptions.OptunaError) as trouble:
        raise StoreError(f"Optuna cannot read its storage: {str(trouble).splitlines()[0]}") from trouble


def read_rows(
    trials: Trials,
    distributions: Mapping[str, BaseDistribution],
    space: Space,
    outputs: Optional[Mapping[str, Output]],
    past: Mapping[str, Any],
) -> Iterator[Tuple[Dict[str, Any], Any]]:
    """The trials that have a point in the space, and their results."""
    for trial in trials:
        had = {**past, **trial.params}
        params = {name: translate(had[name], d, space[name]) for name, d in distributions.items() if name in had}
        try:
            space.check(params)
        except ArgumentError as trouble:
            log.info("trial %d is left out: %s", trial.number, trouble)
            continue
        values = read_values(trial, outputs)
        yield params, explain(trial) if values is None else values


def explain(trial: FrozenTrial) -> Union[Failed, Infeasible]:
    """Why a trial has no result."""
    if trial.state == TrialState.PRUNED:
        return Infeasible("pruned in Optuna")
    return Failed(f"the values {trial.values} are not finite" if trial.values else "failed in Optuna")


def import_study(
    storage: Any,
    study_name: Optional[str],
    url: str,
    name: Optional[str] = None,
    *,
    past: Optional[Mapping[str, Any]] = None,
    pruned: bool = False,
    **options: Any,
) -> Study:
    """Create a study in the database `url` with what an Optuna study knows. `storage` is Optuna's: a URL or an object.

    A parameter whose range has changed has the widest; one that always had the same value is left out. A parameter that
    only some completed trials have becomes conditional, if a categorical or whole parameter tells them apart. Otherwise
    `past` says which value the other trials had; without it they are left out, with a warning. Trials that are pruned
    are left out unless `pruned`: their last intermediate value is then their result, and those without one are
    infeasible. Those that run or wait are left out. Several directions become outputs values_0, values_1, ..., the
    values of a constraints_func constraint_0, ...
    `options` are those of locbo.create.

    >>> import optuna, tempfile
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> source = optuna.create_study(study_name="bread")
    >>> source.optimize(lambda trial: trial.suggest_float("hours", 1, 12), n_trials=5)
    >>> folder = tempfile.TemporaryDirectory()
    >>> study = import_study(source._storage, "bread", f"sqlite:{folder.name}/locbo.db")
    >>> study.status().states["COMPLETE"]
    5
    """
    source = load(storage, study_name)
    states = (TrialState.COMPLETE, TrialState.FAIL) + ((TrialState.PRUNED,) if pruned else ())
    ended = source.get_trials(deepcopy=False, states=states)
    distributions = find_distributions(ended)
    if not distributions:
        raise ArgumentError(f"the Optuna study {source.study_name!r} has no trial with a parameter, so it has no space")
    space = make_space(distributions, ended, past or {})
    direction, outputs = make_outputs([d.name.lower() for d in source.directions], count_constraints(ended))
    rows = list(read_rows(ended, distributions, space, outputs, past or {}))
    study = create(url, name or source.study_name, space, direction, outputs, **options)
    study.import_results(rows, again=True)  # equal results are measurements, too
    left_out = len(source.get_trials(deepcopy=False)) - len(rows)
    log.info("%d trials of %r are in %r, %d were left out", len(rows), source.study_name, study, left_out)
    return study


def main() -> int:
    """The command line of `python3 -m locbo.optuna`."""
    parser = argparse.ArgumentParser(prog="python3 -m locbo.optuna", description="Import an Optuna study.")
    parser.add_argument("storage", help="Optuna's storage: sqlite:///FILE, postgresql://...")
    parser.add_argument("study", help="the name of the Optuna study")
    parser.add_argument("url", help="the database of the new study: sqlite:FILE, postgresql://...")
    parser.add_argument("--name", help="the name of the new study (default: the same)")
    parser.add_argument("--pruned", action="store_true", help="with pruned trials, by their last intermediate values")
    given = parser.parse_args()
    logging.basicConfig(format="%(message)s", level=logging.INFO, stream=sys.stderr)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        import_study(given.storage, given.study, given.url, given.name, pruned=given.pruned)
    except LocboError as trouble:
        print(trouble, file=sys.stderr)
        return 1
    return 0
