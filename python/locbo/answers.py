"""What an optimizer or a study knows: the best point, the recommended one, the front, beliefs of the model."""
from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Union

from ._locbo import ffi, lib
from .errors import ArgumentError
from .library import Object, text
from .outputs import Output
from .space import Space


@dataclass(frozen=True)
class Belief:
    """What the model believes at a point, in the user's units.

    Of f: `mean`, its sd `sd_f` and the interval from `f_low` to `f_high`; of a measurement there: `sd_y` and the
    calibrated set from `y_low` to `y_high`. nan: not known yet.
    """

    mean: float
    sd_f: float
    sd_y: float
    f_low: float
    f_high: float
    y_low: float
    y_high: float
    threshold: float
    success: float
    acquisition: float

    @classmethod
    def of(cls, b: Any) -> "Belief":
        return cls(*(getattr(b, name) for name in _BELIEF))


_BELIEF = [f.name for f in fields(Belief)]


@dataclass(frozen=True)
class Point:
    """A best or recommended point. `value` is the mean of what was measured there, or, if recommended, the model's mean
    of f; f lies between `low` and `high` with the probability `level` (nan: withheld, there are too few results)."""

    params: Dict[str, Any]
    value: float
    low: float
    high: float
    level: float
    feasible: float
    trial: Optional[int]
    results: int

    def _repr_html_(self) -> str:
        from . import html

        return html.point(self)


@dataclass(frozen=True)
class FrontPoint:
    """A point of the Pareto front: the means of what was measured there, and what the model believes, by output."""

    params: Dict[str, Any]
    values: Dict[str, float]
    beliefs: Dict[str, Belief]
    feasible: float
    trial: Optional[int]


@dataclass(frozen=True)
class Summary:
    """Numbers of the run: what was told, and how the calibrated sets have held so far."""

    told: int
    pending: int
    failed: int
    infeasible: int
    judged: int
    coverage: float
    coverage_online: float
    target: float
    coverage_bound: float
    guarantee: str = field(repr=False)


class Answers(Object):
    """The questions that an Optimizer and a Study answer alike."""

    space: Space
    outputs: Dict[str, Output]

    def _ask_model(self, function: Callable[..., int], *arguments: Any) -> None:
        """A call of the C optimizer."""
        raise NotImplementedError

    @property
    def output_names(self) -> List[str]:
        """The names of the outputs: ["value"] without a table of outputs."""
        return list(self.outputs) or ["value"]

    def _choice(self, function: Callable[..., int]) -> Point:
        choice, x = ffi.new("locbo_choice *"), ffi.new("double[]", len(self.space))
        self._ask_model(function, choice, x)
        return Point(
            self.space.from_numbers(x),
            choice.value,
            choice.low,
            choice.high,
            choice.level,
            choice.feasible,
            choice.trial or None,
            choice.results,
        )

    def best(self) -> Point:
        """The point with the best mean of what was measured there, noise included; of those that keep to the
        constraints. Raises StateError before the first result, and with several objectives (see `front`)."""
        return self._choice(lib.locbo_optimizer_best)

    def recommend(self) -> Point:
        """The best point by the model: what to use. Raises StateError as `best` does."""
        return self._choice(lib.locbo_optimizer_recommend)

    def front(self, believed: bool = False) -> List[FrontPoint]:
        """The Pareto front of several objectives: by what was measured, or (`believed`) by the model's means."""
        by = lib.LOCBO_FRONT_BELIEVED if believed else lib.LOCBO_FRONT_MEASURED
        count, dim, names = ffi.new("size_t *"), len(self.space), self.output_names
        self._ask_model(lib.locbo_optimizer_front, by, 0, ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL, count)
        most, width = count[0], len(names)
        points, x = ffi.new("locbo_front_point[]", most), ffi.new("double[]", most * dim)
        values, beliefs = ffi.new("double[]", most * width), ffi.new("locbo_belief[]", most * width)
        if most:
            self._ask_model(lib.locbo_optimizer_front, by, most, points, x, values, beliefs, count)
        return [
            FrontPoint(
                self.space.from_numbers(x[i * dim : (i + 1) * dim]),
                {name: values[i * width + k] for k, name in enumerate(names)},
                {name: Belief.of(beliefs[i * width + k]) for k, name in enumerate(names)},
                points[i].feasible,
                points[i].trial or None,
            )
            for i in range(min(most, count[0]))
        ]

    def predict(self, points: Union[Mapping[str, Any], Iterable[Mapping[str, Any]]]) -> Any:
        """What the model believes: of one point a Belief, of several a dict of arrays, predict(points)["mean"].

        `points` may also be a pandas DataFrame with a column for each parameter. With a table of outputs the answer is
        a dict of that by their names. Arrays are numpy's if it is there, otherwise lists.
        """
        single = isinstance(points, Mapping)
        rows: List[Mapping[str, Any]] = [points] if isinstance(points, Mapping) else _rows_of(points)
        return self._predict(rows, single)

    def _predict(self, rows: List[Mapping[str, Any]], single: bool) -> Any:
        dim, names = len(self.space), self.output_names
        x = ffi.new("double[]", len(rows) * dim)
        for i, params in enumerate(rows):
            ffi.memmove(x + i * dim, self.space.to_numbers(params), dim * 8)
        beliefs = ffi.new("locbo_belief[]", len(rows) * len(names))
        if rows:
            self._ask_model(lib.locbo_optimizer_predict_outputs, len(rows), x, beliefs, ffi.NULL)
        answer: Dict[str, Any] = {}
        for k, name in enumerate(names):
            column = [Belief.of(beliefs[i * len(names) + k]) for i in range(len(rows))]
            answer[name] = column[0] if single else _arrays(column)
        return answer if self.outputs else answer["value"]

    def importance(self, output: Optional[str] = None, alone: bool = False) -> Dict[str, float]:
        """The total Sobol' index of each parameter: the share of the model's variance that it takes part in; with
        `alone` the first one, the share that it explains without the others. nan: the model's mean is constant."""
        names = self.output_names
        if output is None:
            output = next((name for name, o in self.outputs.items() if o.is_objective), names[0])
        if output not in names:
            raise ArgumentError(f"there is no output {output!r}; the outputs are {', '.join(names)}")
        first, total = ffi.new("double[]", len(self.space)), ffi.new("double[]", len(self.space))
        self._ask_model(lib.locbo_optimizer_importance, names.index(output), first, total)
        return {name: (first if alone else total)[i] for i, name in enumerate(self.space)}

    def reference(self) -> Dict[str, float]:
        """The reference point of several objectives: worse values count for nothing. nan: not known yet."""
        found = ffi.new("double[]", len(self.output_names))
        self._ask_model(lib.locbo_optimizer_reference, found)
        return {name: found[i] for i, name in enumerate(self.outputs) if self.outputs[name].is_objective}

    def summary(self) -> Summary:
        """Numbers of the run, coverage among them."""
        s = ffi.new("locbo_summary *")
        self._ask_model(lib.locbo_optimizer_summary, s)
        return Summary(guarantee=text(s.guarantee), **{f.name: getattr(s, f.name) for f in fields(Summary)[:-1]})


def _rows_of(points: Any) -> List[Mapping[str, Any]]:
    if hasattr(points, "to_dict") and hasattr(points, "columns"):  # a DataFrame; empty cells are not active
        rows = points.to_dict("records")
        return [{k: v for k, v in row.items() if not (isinstance(v, float) and math.isnan(v))} for row in rows]
    return list(points)


def _arrays(beliefs: List[Belief]) -> Dict[str, Any]:
    columns: Dict[str, Any] = {name: [getattr(b, name) for b in beliefs] for name in _BELIEF}
    try:
        import numpy
    except ImportError:
        return columns
    return {name: numpy.array(column, dtype=float) for name, column in columns.items()}
