"""An objective that is a function of Python: how it is called, and what its end means."""
from __future__ import annotations

import inspect
import random
import sys
import time
import traceback
from dataclasses import dataclass, field
from typing import Any, Callable, List, Optional, Sequence

from .errors import ArgumentError, Failed, Infeasible, Pruned, Retry
from .optimizer import Trial
from .steps import Send, sending
from .values import Row, read_rows

Function = Callable[..., Any]


@dataclass
class Outcome:
    """How an evaluation ended. `kind`: "value", "failed", "infeasible", "retry", "pruned" (`report` has ended it) or
    "lost" (it was killed)."""

    kind: str
    rows: List[Row] = field(default_factory=list)
    message: str = ""
    trace: str = ""
    seconds: float = 0.0


class Objective:
    """Calls the function with keywords if it has the parameters' names, otherwise with one dict. A parameter that is
    not active is not passed, or None if the function has no default for it. An argument `trial`, unless a parameter
    has that name, receives the Trial."""

    def __init__(self, function: Function, parameters: Sequence[str]) -> None:
        if not callable(function):
            raise ArgumentError(f"the objective must be callable, got {function!r:.100}")
        self.function, self.parameters = function, list(parameters)
        self.by_name, self.with_trial, self.needed = self._find_signature()

    def _find_signature(self) -> Any:
        try:
            signature = inspect.signature(self.function)
        except (TypeError, ValueError):  # a function of C without one
            return False, False, {}
        wanted = {
            name: p for name, p in signature.parameters.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
        }
        with_trial = "trial" in wanted and "trial" not in self.parameters
        words = dict.fromkeys([*self.parameters, *(["trial"] if with_trial else [])])
        try:
            signature.bind(**words)
            return (
                True,
                with_trial,
                {
                    name: None
                    for name in self.parameters
                    if name in wanted and wanted[name].default is inspect.Parameter.empty
                },
            )
        except TypeError as trouble:
            return self._one_argument(signature, with_trial, trouble)

    def _one_argument(self, signature: inspect.Signature, with_trial: bool, trouble: TypeError) -> Any:
        try:
            signature.bind({}, **({"trial": None} if with_trial else {}))
            return False, with_trial, {}
        except TypeError:
            name = getattr(self.function, "__name__", repr(self.function))
            raise ArgumentError(
                f"{name}{signature} cannot be called with the parameters {', '.join(self.parameters)}, nor with "
                f"one dict: {trouble}"
            ) from None

    def __call__(self, trial: Trial) -> Any:
        more = {"trial": trial} if self.with_trial else {}
        if not self.by_name:
            return self.function(dict(trial.params), **more)
        return self.function(**{**self.needed, **trial.params}, **more)


def evaluate(objective: Objective, trial: Trial, names: Sequence[str], send: Optional[Send] = None) -> Outcome:
    """Call the objective; whatever it raises is an outcome, except Ctrl-C. `send`: where its steps go."""
    began = time.monotonic()
    try:
        with sending(send):
            outcome = _read(objective(trial), names)
    except Pruned as why:
        outcome = Outcome("pruned", message=_line(why))
    except Infeasible as why:
        outcome = Outcome("infeasible", message=_line(why))
    except Failed as why:
        outcome = Outcome("failed", message=_line(why))
    except Retry as why:
        outcome = Outcome("retry", message=_line(why))
    except (Exception, SystemExit) as why:
        outcome = Outcome("failed", message=f"{type(why).__name__}: {_line(why)}", trace=traceback.format_exc())
    outcome.seconds = time.monotonic() - began
    return outcome


def _read(result: Any, names: Sequence[str]) -> Outcome:
    try:
        return Outcome("value", read_rows(result, names))
    except ArgumentError as why:
        return Outcome("failed", message=f"a bad result: {why}")


def _line(why: BaseException) -> str:
    """The message of an exception in one line of UTF-8."""
    words = " ".join(str(why).replace("\0", " ").split())[:200]
    return words.encode("utf-8", "replace").decode() or type(why).__name__


def seed_everything(seed: int) -> None:
    """For a child process, which has a copy of its parent's generators: without this all of them would draw the
    same."""
    random.seed(seed)
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)
