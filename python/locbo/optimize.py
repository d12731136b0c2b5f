"""`minimize` and `maximize`: a whole optimisation in one call."""
from __future__ import annotations

import tempfile
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Union

from .answers import Point
from .errors import ArgumentError, StateError
from .library import log
from .outputs import Outputs
from .space import Parameter, Space, as_space
from .study import Address, Study, create

# other ends than `trials`
_ENDS = ("time", "target", "targets", "evaluations", "no_improvement", "expected_gain", "budget")


@dataclass(frozen=True)
class Result:
    """What an optimisation has found. `params` is the recommended point, `value` the model's mean of f there, which
    lies between `low` and `high` with the probability `level`; `best` is the point with the best measured value. With
    several objectives these are None: see `study.front()`. `reason` says why it ended."""

    params: Optional[Dict[str, Any]]
    value: Optional[float]
    low: Optional[float]
    high: Optional[float]
    level: Optional[float]
    best: Optional[Point]
    reason: str
    study: Study

    @property
    def trials(self) -> Any:
        """The trials as a pandas DataFrame if pandas is there, otherwise as a list of dicts."""
        return self.study.trials

    def _repr_html_(self) -> str:
        from . import html

        return html.result(self)


def _result(study: Study, reason: str) -> Result:
    try:
        chosen, best = study.recommend(), study.best()
    except StateError:  # several objectives, or no result
        return Result(None, None, None, None, None, None, reason, study)
    return Result(chosen.params, chosen.value, chosen.low, chosen.high, chosen.level, best, reason, study)


def _optimize(
    direction: Optional[str],
    objective: Callable[..., Any],
    space: Union[Space, Mapping[str, Parameter]],
    trials: Optional[int],
    store: Optional[Address],
    name: str,
    outputs: Optional[Outputs],
    how: Mapping[str, Any],
) -> Result:
    run_words = {k: how[k] for k in ("jobs", "threads", "time", "callbacks", "progress") if k in how}
    study_words = {k: v for k, v in how.items() if k not in run_words}
    if trials is not None:
        study_words["trials"] = trials
    elif all(how.get(k) is None for k in _ENDS):
        study_words["trials"] = 10 * max(4, len(as_space(space)))
    folder = tempfile.TemporaryDirectory(prefix="locbo-") if store is None else None
    where: Address = f"sqlite:{folder.name}/study.db" if folder else store  # type: ignore[assignment]
    study = create(where, name, space, direction, outputs, exist_ok=store is not None, **study_words)
    study._folder = folder  # type: ignore[attr-defined]  # it lives as long as the study
    try:
        reason = study.run(objective, **run_words)
    except KeyboardInterrupt:
        results = study.status().results
        if results == 0:
            raise
        reason = "interrupted"
        log.warning("interrupted after %d results; this is what is known so far", results)
    return _result(study, reason)


def minimize(
    objective: Callable[..., Any],
    space: Union[Space, Mapping[str, Parameter]],
    trials: Optional[int] = None,
    *,
    store: Optional[Address] = None,
    name: str = "study",
    outputs: Optional[Outputs] = None,
    **how: Any,
) -> Result:
    """Minimise a function that is noisy or expensive, or both.

    `objective`, `jobs`, `threads`, `time`, `callbacks`, `progress`: see `Study.run`. `trials`: how many, 10 for each
    parameter (40 at least) unless something else ends it. The study is kept in a temporary file; with
    `store` (an address, "sqlite:locbo.db") it stays, and the same call continues it. Other keywords are of the plan
    (timeout=30) or options of the optimizer (seed=1). Ctrl-C ends it, and returns what is known so far.

    >>> from locbo import Float, minimize
    >>> space = {"x": Float(-1, 1), "y": Float(-1, 1)}
    >>> result = minimize(lambda x, y: (x - 0.3) ** 2 + y ** 2, space, trials=20, seed=1)
    >>> abs(result.params["x"] - 0.3) < 0.1
    True
    """
    direction = None if outputs else "minimize"
    return _optimize(direction, objective, space, trials, store, name, outputs, how)


def maximize(
    objective: Callable[..., Any],
    space: Union[Space, Mapping[str, Parameter]],
    trials: Optional[int] = None,
    *,
    store: Optional[Address] = None,
    name: str = "study",
    **how: Any,
) -> Result:
    """Maximise a function: see `minimize`."""
    if "outputs" in how:
        raise ArgumentError(
            'each of the outputs says what is wanted of it: minimize(..., outputs={"gain": "maximize"})'
        )
    return _optimize("maximize", objective, space, trials, store, name, None, how)
