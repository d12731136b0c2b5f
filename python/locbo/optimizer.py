"""An optimizer in memory: ask, evaluate, tell."""
from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Union, overload

from ._locbo import ffi, lib
from .answers import Answers, Belief
from .errors import ArgumentError
from .library import call, encode, sized
from .outputs import Outputs, make_table, read_outputs
from .space import Parameter, Space, as_space
from .values import Result, as_count, as_measurements, as_number, read_rows

BELIEF_FIELDS = [name for name, _ in ffi.typeof("locbo_belief").fields]
MOST_AT_ONCE = 10000  # trials of one call, as the program allows
ORIGINS = ("design", "model", "random", "given", "again", "explore", "confirm")


@dataclass(frozen=True)
class Trial:
    """A point to evaluate: `params` go to the objective. Of a study: `seed` is for what the objective
    leaves to chance, `attempt` counts how often it was handed out, `retries` and `lost` why."""

    number: int
    params: Dict[str, Any]
    origin: str
    belief: Belief
    attempt: int = 0
    seed: int = 0
    retries: int = 0
    lost: int = 0


def trial_number(trial: Union[Trial, int]) -> int:
    number = trial.number if isinstance(trial, Trial) else trial
    if isinstance(number, bool) or not isinstance(number, numbers.Integral) or not 0 <= number < 2**64:
        raise ArgumentError(f"expected a Trial or its number, got {trial!r:.100}")
    return int(number)


def set_options(made: Any, options: Mapping[str, Any]) -> None:
    """Options by name, as `locbo options` lists them."""
    for name, value in options.items():
        word = ("1" if value else "0") if isinstance(value, bool) else str(value)
        call(lib.locbo_options_set, made, encode(name), encode(word))
    call(lib.locbo_options_check, made)


def make_options(direction: Optional[str], options: Mapping[str, Any]) -> Any:
    made = ffi.new("locbo_options *")
    lib.locbo_options_init(made)
    set_options(made, dict(options, **({} if direction is None else {"direction": direction})))
    return made


def read_options(options: Any) -> Dict[str, str]:
    """All options and their values, as texts."""
    found: Dict[str, str] = {}
    option, buffer = ffi.new("locbo_option *"), ffi.new("char[]", 64)
    for i in range(lib.locbo_option_count()):
        call(lib.locbo_option_describe, i, option)
        call(lib.locbo_options_get, options, option.name, buffer, len(buffer))
        found[ffi.string(option.name).decode()] = ffi.string(buffer).decode()
    return found


class Optimizer(Answers):
    """Proposes points of a space and learns from what was measured there.

    `direction` is "minimize" (the default) or "maximize"; `outputs`, for more than one number, maps names to Output
    or to "minimize", "maximize", "record". Options of the optimizer are keywords: seed=1, method="random"; the
    program lists them with `locbo options`.

    >>> from locbo import Float, Optimizer, Space
    >>> opt = Optimizer(Space(x=Float(0, 1)), seed=1)
    >>> for _ in range(5):
    ...     trial = opt.ask()
    ...     opt.tell(trial, (trial.params["x"] - 0.3) ** 2)
    >>> opt.best().trial in range(1, 6)
    True
    """

    what = "optimizer"

    def __init__(
        self,
        space: Union[Space, Mapping[str, Parameter]],
        direction: Optional[str] = None,
        outputs: Optional[Outputs] = None,
        **options: Any,
    ) -> None:
        self.space, self.outputs = as_space(space), read_outputs(outputs)
        made = ffi.new("locbo_optimizer **")
        call(
            lib.locbo_optimizer_create_for,
            made,
            self.space._space,
            make_table(self.outputs),
            make_options(direction, options),
        )
        self._take(made[0])

    def _take(self, optimizer: Any) -> None:
        self._own(optimizer, lib.locbo_optimizer_destroy)
        lib.locbo_optimizer_watch(optimizer, lib.py_watch, ffi.NULL)

    def _ask_model(self, function: Callable[..., int], *arguments: Any) -> None:
        self._call(function, *arguments)

    def __repr__(self) -> str:
        return f"Optimizer({self.space!r})"

    # ---- its state: pickle, save and load

    def __getstate__(self) -> Dict[str, Any]:
        return {"space": self.space, "outputs": self.outputs, "state": self.save()}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.space, self.outputs = state["space"], state["outputs"]
        saved = state["state"].encode()
        made = ffi.new("locbo_optimizer **")
        call(lib.locbo_optimizer_load, made, saved, len(saved))
        self._take(made[0])

    def save(self) -> str:
        """The exact state as text, which C understands, too."""
        saved = ffi.new("char **")
        self._call(lib.locbo_optimizer_save, saved, ffi.NULL)
        try:
            return ffi.string(saved[0]).decode()
        finally:
            lib.locbo_free(saved[0])

    @property
    def options(self) -> Dict[str, str]:
        """All options and their values."""
        options = sized("locbo_options")
        self._call(lib.locbo_optimizer_options, options)
        return read_options(options)

    # ---- ask and tell

    @overload
    def ask(self, n: None = None, *, fixed: Optional[Mapping[str, Any]] = None) -> Trial:
        ...

    @overload
    def ask(self, n: int, *, fixed: Optional[Mapping[str, Any]] = None) -> List[Trial]:
        ...

    def ask(self, n: Optional[int] = None, *, fixed: Optional[Mapping[str, Any]] = None) -> Union[Trial, List[Trial]]:
        """The next point, or the next `n` (1 to 10000) as a list; `fixed`: values that it must have.

        A point that was asked for and not told yet is taken into account by those that follow.
        """
        if n is not None:
            return [self.ask(fixed=fixed) for _ in range(as_count(n, "n", most=MOST_AT_ONCE))]
        trial, x = ffi.new("locbo_trial *"), ffi.new("double[]", len(self.space))
        at = ffi.NULL if fixed is None else self.space.to_numbers(fixed)
        self._call(lib.locbo_optimizer_ask_with, sized("locbo_ask_options", fixed=at), trial, x)
        return Trial(trial.id, self.space.from_numbers(x), ORIGINS[trial.origin], Belief.of(trial.belief))

    def tell(self, trial: Union[Trial, int], result: Result, sd: Optional[float] = None, n: int = 1) -> None:
        """What was measured: a number, (number, sd), a list of replicates, or a dict of that by outputs. `sd` is the
        known standard deviation of the noise, `n` the number of measurements that the number is the mean of."""
        self._each_row(lib.locbo_optimizer_tell_outputs, trial_number(trial), result, sd, n)

    def add(self, params: Mapping[str, Any], result: Result, sd: Optional[float] = None, n: int = 1) -> None:
        """A result that belongs to no trial: of an earlier experiment, for example."""
        self._each_row(lib.locbo_optimizer_add_outputs, self.space.to_numbers(params), result, sd, n)

    def _each_row(self, function: Callable[..., int], where: Any, result: Any, sd: Optional[float], n: int) -> None:
        rows = read_rows(result, self.output_names, sd, n)
        measurements, width = as_measurements(rows), len(self.output_names)
        with self._lock:
            for i in range(len(rows)):
                self._call(function, where, measurements + i * width)

    def fail(self, trial: Union[Trial, int]) -> None:
        """The evaluation failed, perhaps by chance; the optimizer learns to avoid such points."""
        self._call(lib.locbo_optimizer_tell_failed, trial_number(trial))

    def infeasible(self, trial: Union[Trial, int]) -> None:
        """The point cannot be evaluated."""
        self._call(lib.locbo_optimizer_tell_infeasible, trial_number(trial))

    def tell_cost(self, trial: Union[Trial, int], cost: float) -> None:
        """What the evaluation of a trial has cost, in any unit: with a fidelity, of a space without a `cost`."""
        self._call(lib.locbo_optimizer_tell_cost, trial_number(trial), as_number(cost, "cost"))

    def cancel(self, trial: Union[Trial, int]) -> None:
        """It will not be evaluated; nothing is learnt from it."""
        self._call(lib.locbo_optimizer_cancel, trial_number(trial))

    # ---- trials that the caller stores

    def facts(self, trial: Union[Trial, int]) -> Dict[str, Any]:
        """What a trial was asked with, as plain data, for a program that stores its trials; `restore` takes it."""
        info, beliefs = ffi.new("locbo_trial *"), ffi.new("locbo_belief[]", len(self.output_names))
        self._call(lib.locbo_optimizer_trial, trial_number(trial), info, ffi.NULL, ffi.NULL)
        self._call(lib.locbo_optimizer_trial_beliefs, trial_number(trial), beliefs)
        return {
            "origin": ORIGINS[info.origin],
            "told": info.told,
            "pending": info.pending,
            "beliefs": [[getattr(b, name) for name in BELIEF_FIELDS] for b in beliefs],
        }

    def restore(self, params: Mapping[str, Any], facts: Optional[Mapping[str, Any]] = None) -> int:
        """Make a trial outstanding that this optimizer has not proposed; returns its number. With the `facts` of the
        optimizer that has proposed it, its result counts for the calibration, too.

        >>> from locbo import Float, Optimizer, Space
        >>> first, second = (Optimizer(Space(x=Float(0, 1)), seed=seed) for seed in (1, 2))
        >>> trial = first.ask()
        >>> second.tell(second.restore(trial.params, first.facts(trial)), 0.5)
        """
        width = len(self.output_names)
        unknown = [[math.nan] * len(BELIEF_FIELDS)] * width
        known = facts or {"origin": "given", "told": 0, "pending": 0, "beliefs": unknown}
        if len(known["beliefs"]) != width:
            raise ArgumentError(f"the facts are of {len(known['beliefs'])} outputs, the optimizer has {width}")
        beliefs = ffi.new("locbo_belief[]", [dict(zip(BELIEF_FIELDS, numbers)) for numbers in known["beliefs"]])
        summary, x = ffi.new("locbo_summary *"), self.space.to_numbers(params)
        with self._lock:
            self._call(lib.locbo_optimizer_summary, summary)
            info = ffi.new(
                "locbo_trial *",
                {
                    "id": summary.asked + 1,
                    "origin": ORIGINS.index(known["origin"]),
                    "told": known["told"],
                    "pending": known["pending"],
                    "belief": beliefs[0],
                },
            )
            self._call(lib.locbo_optimizer_restore_trial_outputs, info, beliefs, x)
        return summary.asked + 1
