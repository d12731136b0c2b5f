"""The outputs of an objective: what is wanted of each."""
from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Tuple, Union

from ._locbo import ffi, lib
from .errors import ArgumentError
from .library import call, encode, sized, text


class Output:
    """One output: "minimize", "maximize" or "record" it, or keep it `at_most` or `at_least` a bound.

    `scale` is that of the model: "log", "none" or (low, high) for a logit. `reference`: of an objective beside others,
    worse values count for nothing. `times_trial`: the bound is a multiple of what that trial measured. `of`: it is
    computed from other outputs, "loss + 0.1*latency".

    >>> Output(at_most=512)
    Output(at_most=512)
    >>> Output("minimize", scale="log")
    Output('minimize', scale='log')
    """

    _GOALS = {"minimize": 0, "maximize": 1, "record": 4}
    _SCALES = {None: 0, "none": 1, "log": 2}

    def __init__(
        self,
        goal: Optional[str] = None,
        *,
        at_most: Optional[float] = None,
        at_least: Optional[float] = None,
        scale: Union[None, str, Tuple[float, float]] = None,
        reference: Optional[float] = None,
        times_trial: Optional[int] = None,
        of: Optional[str] = None,
    ) -> None:
        given = [v is not None for v in (goal, at_most, at_least)]
        if sum(given) != 1:
            raise ArgumentError("an output has one of a goal, at_most and at_least")
        if goal is not None and goal not in self._GOALS:
            raise ArgumentError(f"a goal is one of {', '.join(self._GOALS)}, got {goal!r}")
        if isinstance(scale, list) or not (isinstance(scale, tuple) or scale in self._SCALES):
            raise ArgumentError(f"a scale is 'none', 'log' or (low, high) of a logit, got {scale!r}")
        self.goal, self.at_most, self.at_least = goal, at_most, at_least
        self.scale, self.reference, self.times_trial, self.of = scale, reference, times_trial, of

    def __repr__(self) -> str:
        words = [repr(self.goal)] if self.goal else []
        words += [f"{k}={v!r}" for k, v in vars(self).items() if v is not None and k != "goal"]
        return f"Output({', '.join(words)})"

    @property
    def is_objective(self) -> bool:
        return self.goal in ("minimize", "maximize")

    @property
    def is_modelled(self) -> bool:
        return self.goal != "record"

    def add(self, table: Any, name: str) -> None:
        keep = [ffi.new("char[]", encode(name, "the name of an output"))]
        spec = sized("locbo_output_spec", name=keep[0])
        if self.goal is not None:
            spec.goal = self._GOALS[self.goal]
        else:
            spec.goal = lib.LOCBO_GOAL_AT_MOST if self.at_most is not None else lib.LOCBO_GOAL_AT_LEAST
            spec.bound = self.at_most if self.at_most is not None else self.at_least
        if isinstance(self.scale, tuple):
            spec.scale, (spec.scale_low, spec.scale_high) = lib.LOCBO_MODEL_SCALE_LOGIT, self.scale
        else:
            spec.scale = self._SCALES[self.scale]
        if self.reference is not None:
            spec.referenced, spec.reference = 1, self.reference
        spec.baseline = self.times_trial or 0
        if self.of is not None:
            keep.append(ffi.new("char[]", encode(self.of, "an expression")))
            spec.expression = keep[-1]
        call(lib.locbo_outputs_add, table, spec)


Outputs = Mapping[str, Union[str, Output]]


def read_outputs(outputs: Optional[Outputs]) -> Dict[str, Output]:
    """ "minimize" stands for Output("minimize")."""
    return {name: o if isinstance(o, Output) else Output(o) for name, o in (outputs or {}).items()}


def make_table(outputs: Dict[str, Output]) -> Any:
    """The table of the C library; NULL: one output without a table."""
    if not outputs:
        return ffi.NULL
    made = ffi.new("locbo_outputs **")
    call(lib.locbo_outputs_create, made)
    table = ffi.gc(made[0], lib.locbo_outputs_destroy)
    for name, output in outputs.items():
        output.add(table, name)
    call(lib.locbo_outputs_check, table)
    return table


def read_table(table: Any) -> Dict[str, Output]:
    """The outputs of a study, as Python has them; none: one output without a table."""
    goals = {number: word for word, number in Output._GOALS.items()}
    scales = {number: word for word, number in Output._SCALES.items()}
    found: Dict[str, Output] = {}
    for i in range(lib.locbo_outputs_count(table)):
        spec = sized("locbo_output_spec")
        call(lib.locbo_outputs_get, table, i, spec)
        is_logit = spec.scale == lib.LOCBO_MODEL_SCALE_LOGIT
        found[text(spec.name)] = Output(
            goals.get(spec.goal),
            at_most=spec.bound if spec.goal == lib.LOCBO_GOAL_AT_MOST else None,
            at_least=spec.bound if spec.goal == lib.LOCBO_GOAL_AT_LEAST else None,
            scale=(spec.scale_low, spec.scale_high) if is_logit else scales[spec.scale],
            reference=spec.reference if spec.referenced else None,
            times_trial=spec.baseline or None,
            of=text(spec.expression) or None,
        )
    return found
