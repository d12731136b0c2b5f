"""A sampler for Optuna's studies, which proposes points by locbo, and the import of such studies (optuna_import.py).

    python3 -m locbo.optuna sqlite:///optuna.db my-study sqlite:locbo.db
"""
from __future__ import annotations

import os
import random
import threading
from dataclasses import replace
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, Sequence, Set, Tuple

from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.samplers._base import _process_constraints_after_trial
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from .answers import Point
from .errors import ArgumentError, StateError
from .optimizer import Optimizer, make_options
from .optuna_import import KNOWN, count_constraints, import_study, main, make_outputs, make_parameter, read_values
from .space import Space

__all__ = ["Sampler", "import_study"]

PROPOSAL = "locbo:proposal"  # the attribute of a trial that holds what was proposed for it, and with which belief
Numbers = Dict[str, float]  # a point as Optuna stores it: a category is its number


class Sampler(BaseSampler):
    """Proposes the parameters of an Optuna study by locbo.

    Parameters that all completed trials have, with the same distribution, are proposed together; others, as those that
    only some trials have, are drawn by `independent_sampler` (default: Optuna's RandomSampler with the seed). So the
    first trial is random. Without a `seed` every sampler is another one. `constraints_func` is that of Optuna's
    TPESampler: values above 0 are violations; each is modelled. `options` are those of locbo.Optimizer, except
    `direction`, which the study has.

    The trials in the study's storage are all that the sampler knows, so other threads and processes may add some.
    Completed ones are results and failed ones failures, which it learns to avoid; running ones are outstanding. Of a
    pruned trial the model sees the last intermediate value, the calibration does not; without one it is infeasible.

    >>> import optuna
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> study = optuna.create_study(sampler=Sampler(seed=1))
    >>> study.optimize(lambda trial: (trial.suggest_float("x", -5, 5) - 2) ** 2, n_trials=12)
    >>> abs(study.best_params["x"] - 2) < 0.5
    True
    """

    def __init__(
        self,
        seed: Optional[int] = None,
        *,
        independent_sampler: Optional[BaseSampler] = None,
        constraints_func: Optional[Callable[[FrozenTrial], Sequence[float]]] = None,
        **options: Any,
    ) -> None:
        if "direction" in options:
            raise ArgumentError(f"the direction is that of the Optuna study, got direction={options['direction']!r}")
        number = random.SystemRandom().getrandbits(32) if seed is None else seed
        self._options = {**options, "seed": number}
        make_options(None, self._options)  # a wrong option is an error now, not at the first proposal
        self._independent = independent_sampler or RandomSampler(number % 2**32)
        self._constraints_func = constraints_func
        self._shared: Optional[_Shared] = None
        self._memory: Optional[_Memory] = None
        self._lock = threading.Lock()

    def __getstate__(self) -> Dict[str, Any]:
        return {**vars(self), "_shared": None, "_memory": None, "_lock": None}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.Lock())

    def reseed_rng(self) -> None:
        """For threads of one study: what they propose differs anyway, because they share what is outstanding."""
        self._independent.reseed_rng()

    def infer_relative_search_space(
        self, study: Study, trial: Optional[FrozenTrial] = None
    ) -> Dict[str, BaseDistribution]:
        with self._lock:
            trials, frame = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)), (
                study._storage,
                study._study_id,
            )
            if self._shared is None or not self._shared.fits(frame, trials):
                self._shared = _Shared(frame)
            return self._shared.learn(trials)

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: Dict[str, BaseDistribution]
    ) -> Dict[str, Any]:
        if not search_space:
            return {}
        with self._lock:
            memory = self._remember(study, search_space)
            numbers, facts = memory.propose(trial)
        study._storage.set_trial_system_attr(trial._trial_id, PROPOSAL, {"params": numbers, **facts})
        return {name: search_space[name].to_external_repr(number) for name, number in numbers.items()}

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        return self._independent.sample_independent(study, trial, param_name, param_distribution)

    def after_trial(
        self, study: Study, trial: FrozenTrial, state: TrialState, values: Optional[Sequence[float]]
    ) -> None:
        if self._constraints_func is not None:
            _process_constraints_after_trial(self._constraints_func, study, trial, state)
        self._independent.after_trial(study, trial, state, values)

    def recommend(self, study: Study) -> Point:
        """The best point by the model, of the parameters that are proposed together. `study.best_trial` is the luckiest
        one if results are noisy."""
        search_space = self.infer_relative_search_space(study)
        if not search_space:
            raise StateError(f"there is no model: the completed trials of {study.study_name!r} share no parameter")
        with self._lock:
            point = self._remember(study, search_space)._optimizer.recommend()
        params = {name: search_space[name].to_external_repr(number) for name, number in point.params.items()}
        return replace(point, params=params, trial=None)

    def _remember(self, study: Study, search_space: Dict[str, BaseDistribution]) -> "_Memory":
        """That of the last proposal if what it knows is still so, otherwise a new one. It learns what is new."""
        trials = study.get_trials(deepcopy=False)
        constraints = count_constraints(trials) if self._constraints_func is not None else 0
        frame = (os.getpid(), study._storage, study._study_id, search_space, tuple(study.directions), constraints)
        if self._memory is None or not self._memory.fits(frame, trials):
            self._memory = _Memory(frame, self._options)
        self._memory.learn(trials)
        return self._memory


class _Reader:
    """Reads each trial of an Optuna study once. `frame`: which study, and what else must stay as it is."""

    def __init__(self, frame: Tuple[Any, ...]) -> None:
        self._frame = frame
        self._known: Set[int] = set()  # trials by their numbers

    def fits(self, frame: Tuple[Any, ...], trials: Iterable[FrozenTrial]) -> bool:
        """Whether all that it knows is of these trials: a pruner may show a sampler a part of the study."""
        return self._frame == frame and self._known.issubset(t.number for t in trials)


class _Shared(_Reader):
    """The distributions that all completed trials have."""

    _found: Optional[Dict[str, BaseDistribution]] = None

    def learn(self, trials: Iterable[FrozenTrial]) -> Dict[str, BaseDistribution]:
        """A distribution that allows one value only, or of a kind that we do not know, is left to Optuna."""
        for trial in trials:
            if trial.number not in self._known:
                self._known.add(trial.number)
                others = trial.distributions
                before = others if self._found is None else self._found
                self._found = {n: d for n, d in before.items() if others.get(n) == d}
        return {n: d for n, d in sorted((self._found or {}).items()) if isinstance(d, KNOWN) and not d.single()}


class _Memory(_Reader):
    """An optimizer that learns the trials of a study."""

    def __init__(self, frame: Tuple[Any, ...], options: Mapping[str, Any]) -> None:
        super().__init__(frame)
        *_, self._distributions, directions, constraints = frame
        space = Space({name: make_parameter(d) for name, d in self._distributions.items()})
        direction, self._outputs = make_outputs([d.name.lower() for d in directions], constraints)
        self._optimizer = Optimizer(space, direction, self._outputs, **options)
        self._open: Dict[int, Tuple[int, Numbers]] = {}  # outstanding: the optimizer's number of the trial, its point

    def learn(self, trials: Iterable[FrozenTrial]) -> None:
        """What is new, in the order of the trials' numbers."""
        for trial in trials:
            if trial.number not in self._known and trial.state != TrialState.WAITING:
                self._begin(trial)
            elif trial.number not in self._open:
                continue
            if trial.state.is_finished():
                self._end(trial)

    def propose(self, trial: FrozenTrial) -> Tuple[Numbers, Dict[str, Any]]:
        """A point, and the facts of its proposal. Values that an enqueued trial has already are kept."""
        earlier, _ = self._open.pop(trial.number, (0, None))
        if earlier:  # a repetition of a failed trial has a copy of what was proposed for that one
            self._optimizer.cancel(earlier)
        proposal = self._optimizer.ask(fixed=self._given(trial))
        self._keep(trial, proposal.number, proposal.params)
        return proposal.params, self._optimizer.facts(proposal)

    def _given(self, trial: FrozenTrial) -> Numbers:
        """What an enqueued trial is to have. Optuna itself refuses a value that no distribution allows."""
        numbers: Numbers = {}
        for name, value in trial.system_attrs.get("fixed_params", {}).items():
            try:
                numbers[name] = self._distributions[name].to_internal_repr(value)
            except (KeyError, ValueError):
                continue
        return self._inside(numbers)

    def _inside(self, numbers: Mapping[str, float]) -> Numbers:
        return {n: numbers[n] for n, d in self._distributions.items() if n in numbers and d._contains(numbers[n])}

    def _place(self, trial: FrozenTrial) -> Optional[Numbers]:
        """The trial's point, if it is one of the space. What it has not suggested yet is what was proposed for it."""
        proposed = trial.system_attrs.get(PROPOSAL, {}).get("params", {})
        asked = {name: d.to_internal_repr(trial.params[name]) for name, d in trial.distributions.items()}
        point = self._inside({**proposed, **asked})
        return point if len(point) == len(self._distributions) else None

    def _begin(self, trial: FrozenTrial) -> None:
        point = self._place(trial)
        if point is None:
            return
        proposal = trial.system_attrs.get(PROPOSAL)
        same = proposal and proposal["params"] == point and len(proposal["beliefs"]) == max(1, len(self._outputs or ()))
        self._keep(trial, self._optimizer.restore(point, proposal if same else None), point)

    def _keep(self, trial: FrozenTrial, number: int, point: Numbers) -> None:
        self._known.add(trial.number)
        self._open[trial.number] = number, point

    def _end(self, trial: FrozenTrial) -> None:
        number, proposed = self._open.pop(trial.number, (0, None))
        point = self._place(trial)
        if proposed is not None and proposed != point:
            self._optimizer.cancel(number)
            number = 0
        if point is not None:
            self._tell(number or self._optimizer.restore(point), point, trial)
        self._known.add(trial.number)

    def _tell(self, number: int, point: Numbers, trial: FrozenTrial) -> None:
        values = read_values(trial, self._outputs)
        is_pruned = trial.state == TrialState.PRUNED
        if values is None:
            (self._optimizer.infeasible if is_pruned else self._optimizer.fail)(number)
        elif is_pruned:
            self._optimizer.cancel(number)
            self._optimizer.add(point, values)
        else:
            self._optimizer.tell(number, values)


if __name__ == "__main__":
    raise SystemExit(main())
