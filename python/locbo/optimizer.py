"""An optimizer in memory: ask, evaluate, tell."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._locbo import ffi, lib
from .errors import ArgumentError, Call
from .outputs import Output, Outputs, make_table, read_outputs
from .space import Space
from .values import Result, Rows, read_result


@dataclass(frozen=True)
class Belief:
    """What the model believes at a point: of f (mean, sd_f, interval) and of a measurement (sd_y, set)."""

    mean: float
    sd_f: float
    sd_y: float
    f_low: float
    f_high: float
    y_low: float
    y_high: float
    threshold: float
    success: float

    @classmethod
    def of(cls, b: Any) -> "Belief":
        return cls(*(getattr(b, name) for name in cls.__dataclass_fields__))


@dataclass(frozen=True)
class Trial:
    """A point to evaluate: `params` go to the objective; `number` is what `tell` wants."""

    number: int
    params: Dict[str, Any]
    origin: str
    belief: Belief


@dataclass(frozen=True)
class Point:
    """A best or recommended point: `value` is the mean of what was measured there, or the model's mean."""

    params: Dict[str, Any]
    value: float
    low: float
    high: float
    level: float
    feasible: float
    trial: Optional[int]
    results: int


BELIEF_FIELDS = tuple(name for name, _ in ffi.typeof("locbo_belief").fields)
ORIGINS = ("design", "model", "fallback", "given", "again", "explore", "confirm")


def make_options(direction: Optional[str], options: Mapping[str, Any], call: Call) -> Any:
    made = ffi.new("locbo_options *")
    lib.locbo_options_init(made)
    given = dict(options)
    if direction is not None:
        given["direction"] = direction
    for name, value in given.items():
        text = ("1" if value else "0") if isinstance(value, bool) else str(value)
        call(lib.locbo_options_set(made, name.encode(), text.encode(), call.error))
    call(lib.locbo_options_check(made, call.error))
    return made


class Optimizer:
    """Proposes points of a space and learns from what was measured there.

    >>> from locbo import Float, Optimizer, Space
    >>> opt = Optimizer(Space(x=Float(0, 1)), seed=1)
    >>> for _ in range(5):
    ...     trial = opt.ask()
    ...     opt.tell(trial, (trial.params["x"] - 0.3) ** 2)
    >>> opt.best().trial in range(1, 6)
    True
    """

    def __init__(self, space: Space, direction: Optional[str] = None, outputs: Optional[Outputs] = None,
                 **options: Any) -> None:
        self.space, self.outputs = space, read_outputs(outputs)
        self._call = Call()
        made = ffi.new("locbo_optimizer **")
        call = self._call
        call(lib.locbo_optimizer_create_for(made, space._space, make_table(self.outputs, call),
                                            make_options(direction, options, call), call.error))
        self._own(made[0])

    def _own(self, optimizer: Any) -> None:
        self._optimizer = ffi.gc(optimizer, lib.locbo_optimizer_destroy)

    def __getstate__(self) -> Dict[str, Any]:
        return {"space": self.space, "outputs": self.outputs, "state": self.save()}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.space, self.outputs, self._call = state["space"], state["outputs"], Call()
        made = ffi.new("locbo_optimizer **")
        text = state["state"].encode()
        self._call(lib.locbo_optimizer_load(made, text, len(text), self._call.error))
        self._own(made[0])

    def save(self) -> str:
        """The exact state as text, which C and the program understand, too."""
        text = ffi.new("char **")
        self._call(lib.locbo_optimizer_save(self._optimizer, text, ffi.NULL, self._call.error))
        try:
            return ffi.string(text[0]).decode()
        finally:
            lib.locbo_free(text[0])

    # ---- ask and tell

    def ask(self, fixed: Optional[Mapping[str, Any]] = None) -> Trial:
        """The next point; `fixed`: values that it must have."""
        trial, x = ffi.new("locbo_trial *"), ffi.new("double[]", len(self.space))
        how = ffi.new("locbo_ask_options *", {"struct_size": ffi.sizeof("locbo_ask_options")})
        if fixed is not None:
            at = self.space.to_numbers(fixed, partial=True)
            how.fixed = at
        self._call(lib.locbo_optimizer_ask_with(self._optimizer, how, trial, x, self._call.error))
        return Trial(trial.id, self.space.from_numbers(x), ORIGINS[trial.origin], Belief.of(trial.belief))

    def tell(self, trial: Union[Trial, int], result: Result, sd: Optional[float] = None, n: int = 1) -> None:
        """What was measured: a number, (number, sd), a list of such, or a mapping from outputs to them."""
        number = trial.number if isinstance(trial, Trial) else int(trial)
        for row in read_result(result, self.outputs, sd, n):
            self._call(lib.locbo_optimizer_tell_outputs(self._optimizer, number, row, self._call.error))

    def fail(self, trial: Union[Trial, int]) -> None:
        """The evaluation failed; the optimizer learns to avoid such points."""
        number = trial.number if isinstance(trial, Trial) else int(trial)
        self._call(lib.locbo_optimizer_tell_failed(self._optimizer, number, self._call.error))

    def infeasible(self, trial: Union[Trial, int]) -> None:
        """The point cannot be evaluated."""
        number = trial.number if isinstance(trial, Trial) else int(trial)
        self._call(lib.locbo_optimizer_tell_infeasible(self._optimizer, number, self._call.error))

    def cancel(self, trial: Union[Trial, int]) -> None:
        number = trial.number if isinstance(trial, Trial) else int(trial)
        self._call(lib.locbo_optimizer_cancel(self._optimizer, number, self._call.error))

    def add(self, params: Mapping[str, Any], result: Result, sd: Optional[float] = None, n: int = 1) -> None:
        """A result that belongs to no trial: of an earlier experiment, for example."""
        x = self.space.to_numbers(params)
        for row in read_result(result, self.outputs, sd, n):
            self._call(lib.locbo_optimizer_add_outputs(self._optimizer, x, row, self._call.error))

    # ---- trials that the caller stores

    def facts(self, trial: Union[Trial, int]) -> Dict[str, Any]:
        """What a trial was asked with, as plain data, for a program that stores its trials; `restore` takes it."""
        number = trial.number if isinstance(trial, Trial) else int(trial)
        info, beliefs = ffi.new("locbo_trial *"), ffi.new("locbo_belief[]", max(1, len(self.outputs)))
        call = self._call
        call(lib.locbo_optimizer_trial(self._optimizer, number, info, ffi.NULL, ffi.NULL, call.error))
        call(lib.locbo_optimizer_trial_beliefs(self._optimizer, number, beliefs, call.error))
        return {"origin": ORIGINS[info.origin], "told": info.told, "pending": info.pending,
                "beliefs": [[getattr(b, name) for name in BELIEF_FIELDS] for b in beliefs]}

    def restore(self, params: Mapping[str, Any], facts: Optional[Mapping[str, Any]] = None) -> int:
        """Make a trial outstanding that this optimizer has not proposed; its number, which `tell` wants. With the `facts`
        of the optimizer that has, its result also counts for the calibration.

        >>> from locbo import Float, Optimizer, Space
        >>> first, second = (Optimizer(Space(x=Float(0, 1)), seed=seed) for seed in (1, 2))
        >>> trial = first.ask()
        >>> second.tell(second.restore(trial.params, first.facts(trial)), 0.5)
        """
        width = max(1, len(self.outputs))
        info, beliefs = ffi.new("locbo_trial *"), ffi.new("locbo_belief[]", width)
        known = facts or {"origin": "given", "told": 0, "pending": 0, "beliefs": [[math.nan] * len(BELIEF_FIELDS)] * width}
        if len(known["beliefs"]) != width:
            raise ArgumentError(f"the facts are of {len(known['beliefs'])} outputs, the optimizer has {width}")
        for belief, numbers in zip(beliefs, known["beliefs"]):
            for name, number in zip(BELIEF_FIELDS, numbers):
                setattr(belief, name, number)
        info.origin, info.told, info.pending = ORIGINS.index(known["origin"]), known["told"], known["pending"]
        info.id, info.belief = self._asked() + 1, beliefs[0]
        self._call(lib.locbo_optimizer_restore_trial_outputs(self._optimizer, info, beliefs, self.space.to_numbers(params),
                                                             self._call.error))
        return int(info.id)

    def _asked(self) -> int:
        summary = ffi.new("locbo_summary *")
        self._call(lib.locbo_optimizer_summary(self._optimizer, summary, self._call.error))
        return int(summary.asked)

    # ---- what is known

    def _choice(self, function: Any) -> Point:
        choice, x = ffi.new("locbo_choice *"), ffi.new("double[]", len(self.space))
        self._call(function(self._optimizer, choice, x, self._call.error))
        return Point(self.space.from_numbers(x), choice.value, choice.low, choice.high, choice.level, choice.feasible,
                     choice.trial or None, choice.results)

    def best(self) -> Point:
        """The point with the best mean of what was measured."""
        return self._choice(lib.locbo_optimizer_best)

    def recommend(self) -> Point:
        """The best point by the model."""
        return self._choice(lib.locbo_optimizer_recommend)

    def predict(self, points: Union[Mapping[str, Any], Iterable[Mapping[str, Any]]]) -> Any:
        """Beliefs at one point, or of several as arrays: predict(points)["mean"]. With a table of outputs by their names.
        Arrays are numpy's if it is there, otherwise lists."""
        single = isinstance(points, Mapping)
        rows = [points] if single else list(points)  # type: ignore[list-item]
        dim, width = len(self.space), max(1, len(self.outputs))
        x = ffi.new("double[]", len(rows) * dim)
        for i, params in enumerate(rows):
            ffi.memmove(x + i * dim, self.space.to_numbers(params), dim * 8)
        beliefs = ffi.new("locbo_belief[]", len(rows) * width)
        self._call(lib.locbo_optimizer_predict_outputs(self._optimizer, len(rows), x, beliefs, ffi.NULL, self._call.error))
        names = list(self.outputs) or ["value"]
        found = {name: [Belief.of(beliefs[i * width + k]) for i in range(len(rows))] for k, name in enumerate(names)}
        answer = {name: list_[0] if single else _arrays(list_) for name, list_ in found.items()}
        return answer if self.outputs else answer["value"]

    def importance(self) -> Dict[str, float]:
        """The total Sobol' index of each parameter: the share of the model's variance that it takes part in."""
        first, total = ffi.new("double[]", len(self.space)), ffi.new("double[]", len(self.space))
        number = next((i for i, o in enumerate(self.outputs.values()) if o.is_objective), 0)
        self._call(lib.locbo_optimizer_importance(self._optimizer, number, first, total, self._call.error))
        return {name: total[i] for i, name in enumerate(self.space)}


def _arrays(beliefs: List[Belief]) -> Dict[str, Any]:
    columns = {name: [getattr(b, name) for b in beliefs] for name in Belief.__dataclass_fields__}
    try:
        import numpy
    except ImportError:
        return columns
    return {name: numpy.array(column) for name, column in columns.items()}
