"""Studies in a database: the same ones that the program, the dashboard and other workers see."""
from __future__ import annotations

import functools
import math
import os
from dataclasses import dataclass, fields
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union, cast

from ._locbo import ffi, lib
from .answers import Answers, Belief
from .errors import ArgumentError, ChangedError, Failed, Infeasible, StateError
from .library import call, check, encode, keep_exception, sized, text
from .optimizer import ORIGINS, Trial, make_options, read_options, set_options, trial_number
from .outputs import Output, Outputs, make_table, read_outputs, read_table
from .records import RULES, STATES, Curve, Record, as_table, py_curve, py_record  # noqa: F401
from .space import Parameter, Space, as_space, read_space
from .store import Store, as_store
from .values import LACKING, Result, Row, Step, as_count, as_measurements, as_number, as_step, read_rows

Address = Union[str, "os.PathLike[str]", Store]
Outcome = Union[Result, Failed, Infeasible]
F = TypeVar("F", bound=Callable[..., Any])

# The fields of a plan, and what stands for "not set". C has 0 for "no limit", which is None here; a number of trials
# that somebody gives is 1 or more.
_FROM_ONE = ("trials", "evaluations")
_COUNTS = ("trials", "no_improvement", "max_lost", "confirm", "evaluations")
_PLAIN_COUNTS = ("retries", "max_failures")
_NUMBERS = ("time", "target", "timeout", "expected_gain", "budget")
_PLAIN_NUMBERS = ("retry_delay", "lease", "prune_risk")
PLAN = (*_COUNTS, *_PLAIN_COUNTS, *_NUMBERS, *_PLAIN_NUMBERS, "targets", "prune")
_REQUEUE = {"same": 0, "retry": 1, "killed": 2}


def fill_plan(plan: Any, changes: Mapping[str, Any], outputs: Mapping[str, Any]) -> None:
    """Fields of a locbo_plan; None: not set."""
    for name, value in changes.items():
        if name == "targets":
            _fill_targets(plan, value or {}, _with_target(outputs))
        elif name == "prune":
            if value is not None and value not in RULES:
                raise ArgumentError(f"prune must be one of {', '.join(RULES)}, got {value!r:.100}")
            plan.prune = RULES.index(value or "none")
        elif name in _COUNTS or name in _PLAIN_COUNTS:
            setattr(plan, name, 0 if value is None else as_count(value, name, 1 if name in _FROM_ONE else 0))
        else:
            setattr(plan, name, math.nan if value is None else as_number(value, name))


def _with_target(outputs: Mapping[str, Output]) -> List[str]:
    """The outputs that may have a target, in the order of the plan's: objectives and constraints."""
    return [name for name, output in outputs.items() if output.is_modelled][: lib.LOCBO_MAX_TARGETS]


def _fill_targets(plan: Any, targets: Mapping[str, Any], names: Sequence[str]) -> None:
    unknown = [name for name in targets if name not in names]
    if unknown:
        there = f"those that may have one are {', '.join(names)}" if names else "the study has no table of outputs"
        raise ArgumentError(f"there is no output {unknown[0]!r} for a target; {there}")
    for i, name in enumerate(names):
        plan.targets[i] = as_number(targets[name], f"the target of {name}") if name in targets else math.nan


def read_plan(plan: Any, outputs: Mapping[str, Any]) -> Dict[str, Any]:
    found: Dict[str, Any] = {name: getattr(plan, name) or None for name in _COUNTS}
    found.update((name, getattr(plan, name)) for name in (*_PLAIN_COUNTS, *_PLAIN_NUMBERS))
    found.update((name, None if math.isnan(getattr(plan, name)) else getattr(plan, name)) for name in _NUMBERS)
    found["prune"] = RULES[plan.prune] if plan.prune else None
    targets = {name: plan.targets[i] for i, name in enumerate(_with_target(outputs))}
    found["targets"] = {name: value for name, value in targets.items() if not math.isnan(value)} or None
    return found


@dataclass(frozen=True)
class Status:
    """A study in numbers, from one moment. `states` counts the trials of each state; `cost` is what evaluations have
    cost so far, `cost_below` what of it was spent below full fidelity (nan: there is no fidelity)."""

    trials: int
    states: Dict[str, int]
    results: int
    best_trial: Optional[int]
    best_value: float
    failures_in_row: int
    empty_in_row: int
    stopped: Optional[str]
    paused: Optional[str]
    cost: float = 0.0
    cost_below: float = math.nan


@dataclass(frozen=True)
class Ended:
    """What ending evaluations early has done so far. Of `could_end` trials the rule said that they could be ended;
    `ended` were, `kept` ones were not, by chance, and are complete: of those `kept_beat` beat the best value of that
    time. `kept_failed` have failed, `outstanding` wait or run. `steps` were reported, about `steps_saved` more would
    have been. With the rule "risk" `estimate` and `bound` are of the share of the `resolved` trials that could be ended
    and would have beaten the best value; nan: another rule, or nothing is known."""

    could_end: int
    ended: int
    kept: int
    kept_beat: int
    kept_failed: int
    outstanding: int
    steps: float
    steps_saved: float
    resolved: int
    tau: float
    estimate: float
    bound: float


@dataclass(frozen=True)
class Change:
    """What was changed after the fact: `kind` is "alter", "retract", "fail", "pause", "resume", "stop", "continue",
    "rename", "note" or "copy"."""

    event: int
    time: float
    author: str
    kind: str
    trial: Optional[int]
    text: str


def refreshing(method: F) -> F:
    """For methods that need the definition: if somebody has altered the study, it is read anew first. The dimensions
    that C knows change only then, so the arrays of a method fit while it holds the lock."""

    @functools.wraps(method)
    def wrapped(self: "Study", *arguments: Any, **words: Any) -> Any:
        with self._lock:
            for _ in range(100):
                try:
                    return method(self, *arguments, **words)
                except ChangedError:
                    self.refresh()
            return method(self, *arguments, **words)

    return cast(F, wrapped)


class Study(Answers):
    """A study of a database. Make one with `locbo.create`, open one with `locbo.open`."""

    what = "study"

    def __init__(self, store: Store, study: Any, known: Optional[Space] = None) -> None:
        self.store, self._known = store, known
        self._own(study, lib.locbo_study_close, store)
        lib.locbo_study_watch(study, lib.py_watch, ffi.NULL)
        self._read()

    def _definition(self) -> Any:
        definition = sized("locbo_definition")
        self._call(lib.locbo_study_definition, definition)
        return definition

    def _read(self) -> None:
        definition = self._definition()
        self.space = read_space(definition.space, self._known)
        self.outputs = read_table(definition.outputs)

    def _ask_model(self, function: Callable[..., int], *arguments: Any) -> None:
        with self._lock:
            made = ffi.new("locbo_optimizer **")
            self._call(lib.locbo_study_optimizer, made)
            check(function(made[0], *arguments, self._error), self._error)

    best = refreshing(Answers.best)
    recommend = refreshing(Answers.recommend)
    front = refreshing(Answers.front)
    _predict = refreshing(Answers._predict)
    importance = refreshing(Answers.importance)
    reference = refreshing(Answers.reference)
    summary = refreshing(Answers.summary)

    def again(self) -> "Study":
        """The same study by one more connection: for another thread, or in a child process."""
        return open(self.store.again(), self.name, space=self._known)

    # ---- what it is

    @property
    def name(self) -> str:
        return text(lib.locbo_study_name(self._pointer))

    @property
    def command(self) -> List[str]:
        """The command of the objective, if it is a program."""
        definition = self._definition()
        return [text(definition.command[i]) for i in range(definition.command_count)]

    @property
    def options(self) -> Dict[str, str]:
        """All options of the optimizer and their values."""
        return read_options(self._definition().options)

    @property
    def direction(self) -> str:
        """ "minimize" or "maximize": that of the first objective."""
        return self.options["direction"]

    @property
    def plan(self) -> Dict[str, Any]:
        """How it is run: trials, time, target, timeout, retries, lease ...; None: not set."""
        return read_plan(self._plan(), self.outputs)

    def _plan(self) -> Any:
        plan = sized("locbo_plan")
        self._call(lib.locbo_study_plan, plan)
        return plan

    def status(self) -> Status:
        """The study in numbers."""
        c = self._census()
        return Status(
            c.trials,
            {name: c.state[i] for i, name in enumerate(STATES)},
            c.measurements,
            c.best_trial or None,
            c.best_value,
            c.failures_in_row,
            c.empty_in_row,
            text(c.stop_reason) if c.stopped else None,
            text(c.pause_reason) if c.paused else None,
            c.cost,
            c.cost_below,
        )

    @refreshing
    def _census(self) -> Any:
        census = ffi.new("locbo_census *")
        self._call(lib.locbo_study_census, census)
        return census

    def __repr__(self) -> str:
        return f"Study({self.name!r} in {self.store.url!r})"

    def _repr_html_(self) -> str:
        from . import html

        return html.study(self)

    def refresh(self) -> bool:
        """Read the definition anew; True if it was altered. Methods that need it do so themselves."""
        with self._lock:
            changed = ffi.new("int *")
            self._call(lib.locbo_study_refresh, changed)
            self._read()
            return changed[0] != 0

    # ---- ask and tell

    @refreshing
    def ask(
        self,
        *,
        fixed: Optional[Mapping[str, Any]] = None,
        worker: str = "",
        lease: Optional[float] = None,
        limit: int = 0,
        more: bool = False,
        budget: Optional[float] = None,
    ) -> Trial:
        """A trial to evaluate: one that waits, or a new proposal. Tell its result, or it waits again when the `lease`
        (seconds; by default the plan's) has ended; `beat` renews it.

        Raises NothingError if as many are complete, running or waiting as the plan wants, or `limit` if that is given,
        or cost as much together as the plan's budget or `budget` allows, unless `more`; StoppedError and PausedError.
        """
        keep = [
            ffi.new("char[]", encode(worker, "the name of a worker")),
            ffi.NULL if fixed is None else self.space.to_numbers(fixed),
        ]
        request = sized(
            "locbo_request",
            worker=keep[0],
            fixed=keep[1],
            lease=lease or 0,
            limit=limit,
            more=more,
            budget=budget or 0,
        )
        given, x = ffi.new("locbo_assignment *"), ffi.new("double[]", len(self.space))
        self._call(lib.locbo_study_ask, request, given, x)
        return Trial(
            given.trial,
            self.space.from_numbers(x),
            ORIGINS[given.info.origin],
            Belief.of(given.info.belief),
            given.attempt,
            given.seed,
            given.retries,
            given.lost,
        )

    def tell(self, trial: Union[Trial, int], result: Result, sd: Optional[float] = None, n: int = 1) -> None:
        """What was measured: a number, (number, sd), a list of replicates, or a dict of that by outputs."""
        self.tell_rows(trial, read_rows(result, self.measured_names, sd, n))

    @property
    def measured_names(self) -> List[str]:
        """The outputs that a result may have: those that are not computed from others."""
        return [name for name in self.output_names if not (self.outputs and self.outputs[name].of)]

    def _widen(self, rows: Sequence[Row], names: Sequence[str]) -> Any:
        """Rows of the outputs `names` as rows of all outputs: those that a row lacks were not measured."""
        return as_measurements(
            [[dict(zip(names, row)).get(name, LACKING) for name in self.output_names] for row in rows]
        )

    def tell_rows(self, trial: Union[Trial, int], rows: Sequence[Row], names: Optional[Sequence[str]] = None) -> None:
        """The same for rows of measurements (value, sd, n) of the outputs `names`, by default those of
        `measured_names`."""
        with self._lock:
            table = self._widen(rows, names or self.measured_names)
            self._call(lib.locbo_study_tell, trial_number(trial), _attempt(trial), len(rows), table)

    def tell_failed(self, trial: Union[Trial, int], why: str = "") -> None:
        """The evaluation failed; it is not tried again, and the optimizer learns to avoid such points."""
        self._call(lib.locbo_study_tell_failed, trial_number(trial), _attempt(trial), encode(why))

    def tell_infeasible(self, trial: Union[Trial, int], why: str = "") -> None:
        """The point cannot be evaluated."""
        self._call(lib.locbo_study_tell_infeasible, trial_number(trial), _attempt(trial), encode(why))

    def beat(self, trial: Trial, lease: Optional[float] = None) -> None:
        """The evaluation is still running: it keeps the trial for `lease` seconds more, by default the plan's. Raises
        StateError if another attempt has it, or it is over."""
        self._call(lib.locbo_study_beat, trial.number, trial.attempt, lease or self._plan().lease)

    def report(self, trial: Union[Trial, int], step: int, value: float) -> bool:
        """The value of the first objective that a running evaluation has at a step: an epoch, an iteration. True: the
        study's plan (`prune`) ends the trial here. It is PRUNED then: stop the evaluation, and tell nothing.

        A step that is not larger than the last one, and a value that is not finite, are left out. Raises StateError if
        another attempt has the trial, or it is over."""
        return self.report_steps(trial, [(step, value)])

    def report_steps(self, trial: Union[Trial, int], steps: Iterable[Tuple[int, float]]) -> bool:
        """The same for many steps at once; with none it says whether the trial was ended."""
        rows, end = [as_step(step, value) for step, value in steps], ffi.new("int *")
        table = ffi.new("locbo_step[]", rows)
        self._call(lib.locbo_study_report, trial_number(trial), _attempt(trial), len(rows), table, end)
        return end[0] != 0

    def requeue(self, trial: Trial, how: str = "same", delay: float = 0) -> None:
        """It waits again, for `delay` seconds at least: "same" (the worker was interrupted), "retry" (with a new seed,
        counted as a retry) or "killed" (counted as lost)."""
        if how not in _REQUEUE:
            raise ArgumentError(f"how must be one of {', '.join(_REQUEUE)}, got {how!r}")
        self._call(lib.locbo_study_requeue, trial.number, trial.attempt, _REQUEUE[how], delay)

    def keep_output(self, trial: Trial, error: str, seconds: float, exit_code: int = 1) -> None:
        """What the evaluation wrote; `locbo show TRIAL` shows it."""
        written = ffi.new("char[]", error.encode("utf-8", "replace"))
        output = ffi.new(
            "locbo_output *",
            {"out": ffi.NULL, "err": written, "err_size": len(written) - 1, "exit_code": exit_code, "seconds": seconds},
        )
        self._call(lib.locbo_study_keep_output, trial.number, trial.attempt, output)

    @refreshing
    def enqueue(self, params: Mapping[str, Any]) -> int:
        """Queue a point; the model completes the parameters that are not given. Returns the number of the trial."""
        number = ffi.new("uint64_t *")
        self._call(lib.locbo_study_enqueue, self.space.to_numbers(params), number)
        return cast(int, number[0])

    def import_results(self, rows: Iterable[Tuple[Mapping[str, Any], Outcome]], again: bool = False) -> int:
        """Add results of other origin as trials, in one transaction: (params, result) each, where the result is what
        `tell` takes, or Failed("why") or Infeasible("why"). What the study has already is skipped, unless `again`.
        Returns how many trials were added."""
        return self._import(list(rows), again)

    @refreshing
    def _import(self, rows: Sequence[Tuple[Mapping[str, Any], Outcome]], again: bool) -> int:
        outcomes, keep = [], []
        for params, result in rows:
            x = self.space.to_numbers(params)
            row: Dict[str, Any] = {"x": x, "state": lib.LOCBO_COMPLETE}
            keep.append(x)
            if isinstance(result, (Failed, Infeasible)):
                is_failed = isinstance(result, Failed)
                row["state"] = lib.LOCBO_STATE_FAILED if is_failed else lib.LOCBO_STATE_INFEASIBLE
                row["message"] = ffi.new("char[]", encode(str(result)))
                keep.append(row["message"])
            else:
                measured = read_rows(result, self.measured_names)
                row["count"], row["measurements"] = len(measured), self._widen(measured, self.measured_names)
                keep.append(row["measurements"])
            outcomes.append(row)
        done = ffi.new("locbo_imported *")
        self._call(
            lib.locbo_study_import_outcomes, len(outcomes), ffi.new("locbo_import_row[]", outcomes), int(again), done
        )
        return cast(int, done.trials)

    # ---- the trials

    @refreshing
    def records(self, states: Union[str, Iterable[str]] = (), first: int = 0, limit: int = 0) -> List[Record]:
        """The trials with everything that is stored of them; `states`: only of these."""
        states = {states} if isinstance(states, str) else set(states)
        unknown = [state for state in states if state not in STATES]
        if unknown:
            raise ArgumentError(f"a state is one of {', '.join(STATES)}, got {unknown[0]!r}")
        bits = sum(1 << STATES.index(state) for state in states)
        found: List[Record] = []
        handle = ffi.new_handle((self, found))
        self._call(
            lib.locbo_study_each, sized("locbo_filter", states=bits, first=first, limit=limit), lib.py_record, handle
        )
        return found

    def record(self, trial: Union[Trial, int]) -> Record:
        """One trial."""
        number = trial_number(trial)
        found = self.records(first=number, limit=1)
        if not found or found[0].number != number:
            raise ArgumentError(f"there is no trial {number}")
        return found[0]

    @property
    def trials(self) -> Any:
        """The trials as a pandas DataFrame if pandas is there, otherwise as a list of dicts."""
        return as_table(self.records(), list(self.space), self._last_steps())

    def curves(self, trial: Union[Trial, int] = 0) -> List[Curve]:
        """What evaluations have reported: the steps of each attempt of a trial, or of all trials."""
        found: List[Curve] = []
        self._call(lib.locbo_study_each_curve, trial_number(trial), lib.py_curve, ffi.new_handle((found, False)))
        return found

    def _last_steps(self) -> Dict[int, Step]:
        """Of each trial that has steps the last one of its last attempt."""
        found: List[Curve] = []
        self._call(lib.locbo_study_each_curve, 0, lib.py_curve, ffi.new_handle((found, True)))
        return {curve.trial: (curve.steps[-1], curve.values[-1]) for curve in found}

    def ended(self) -> Ended:
        """What ending hopeless evaluations early (`prune` of the plan) has done so far."""
        sum = sized("locbo_ended")
        self._call(lib.locbo_study_ended, sum)
        return Ended(*(getattr(sum, field.name) for field in fields(Ended)))

    def running(self) -> Dict[int, str]:
        """The trials that run, and their workers."""
        found: List[Tuple[int, str]] = []
        self._call(lib.locbo_study_each_running, lib.py_running, ffi.new_handle(found))
        return {trial: worker for trial, worker in found if trial}

    # ---- changing one's mind

    def set_plan(self, **changes: Any) -> None:
        """Change how it is run: set_plan(trials=200, timeout=None)."""
        unknown = [name for name in changes if name not in PLAN]
        if unknown:
            raise ArgumentError(f"a plan has no {unknown[0]!r}; it has {', '.join(PLAN)}")
        with self._lock:
            plan = self._plan()
            fill_plan(plan, changes, self.outputs)
            self._call(lib.locbo_study_set_plan, plan)

    @refreshing
    def alter(
        self,
        space: Optional[Union[Space, Mapping[str, Parameter]]] = None,
        outputs: Optional[Outputs] = None,
        why: str = "",
        **options: Any,
    ) -> int:
        """Give it another space, other outputs or other options; returns the number of results that have no place in
        the new space. Parameters are not removed but `frozen`, a new one says what the `past` had, choices are
        `retired`."""
        space = None if space is None else as_space(space)
        old = self._definition()
        made = ffi.new("locbo_options *", old.options[0])
        set_options(made, options)
        table = make_table(read_outputs(outputs)) if outputs is not None else old.outputs
        definition = sized(
            "locbo_definition",
            space=space._space if space else old.space,
            options=made,
            outputs=table,
            command_count=old.command_count,
            command=old.command,
        )
        effect = ffi.new("locbo_alteration *")
        self._call(lib.locbo_study_alter, definition, ffi.NULL, encode(why), 0, effect)
        self._known = space or self._known
        self._read()
        return cast(int, effect.aside)

    def stop(self, reason: str = "stopped") -> None:
        """No trial is handed out any more, and workers end after their present ones; `proceed` takes it back."""
        self._call(lib.locbo_study_stop, encode(reason))

    def proceed(self) -> None:
        """It is no longer stopped."""
        self._call(lib.locbo_study_stop, ffi.NULL)

    def pause(self, why: str = "") -> None:
        """No trial is handed out until `resume`; workers wait."""
        self._call(lib.locbo_study_pause, encode(why))

    def resume(self, why: str = "") -> None:
        self._call(lib.locbo_study_resume, encode(why))

    @refreshing
    def retract(self, trial: Union[Trial, int], why: str = "") -> None:
        """Take back all that was told of a trial; it stays visible."""
        self._call(lib.locbo_study_retract, trial_number(trial), 0, encode(why))

    @refreshing
    def fail(self, trial: Union[Trial, int], why: str = "") -> None:
        """It has failed after all: its results are taken back."""
        self._call(lib.locbo_study_fail, trial_number(trial), lib.LOCBO_STATE_FAILED, encode(why))

    def rename(self, name: str) -> None:
        self._call(lib.locbo_study_rename, encode(name, "the name of a study"))

    def note(
        self, note: Optional[str] = None, trial: Union[Trial, int] = 0, tags: Optional[Sequence[str]] = None
    ) -> None:
        """A note and tags on a trial, or on the study; None: as they are, "": none."""
        words = (
            ffi.NULL if tags is None else ffi.new("char[]", encode(tags if isinstance(tags, str) else " ".join(tags)))
        )
        written = ffi.NULL if note is None else ffi.new("char[]", encode(note))
        self._call(lib.locbo_study_note, trial_number(trial), written, words)

    @refreshing
    def copy(self, to: Address, name: Optional[str] = None, with_trials: bool = True) -> "Study":
        """Copy it, as it is at this moment, to this database or another one."""
        store, made = as_store(to, create=True), ffi.new("locbo_study **")
        with store._lock:
            function = functools.partial(lib.locbo_study_copy, made)
            self._call(function, store._pointer, encode(name or self.name, "the name of a study"), int(with_trials))
        return Study(store, made[0], self._known)

    @refreshing
    def changes(self, after: int = 0) -> List[Change]:
        """What was changed after the fact, in the order done."""
        found: List[Change] = []
        self._call(lib.locbo_study_each_change, after, lib.py_change, ffi.new_handle(found))
        return found

    # ---- running it

    def run(self, objective: Callable[..., Any], **how: Any) -> str:
        """Evaluate trials until the plan's end; see `locbo.run` for the keywords. Returns why it ended."""
        from .runner import run

        return run(self, objective, **how)


def _attempt(trial: Union[Trial, int]) -> int:
    return trial.attempt if isinstance(trial, Trial) else 0


@ffi.def_extern(error=1, onerror=keep_exception)
def py_running(worker: Any, trial: int, _lease: float, user: Any) -> int:
    ffi.from_handle(user).append((trial, text(worker)))
    return 0


@ffi.def_extern(error=1, onerror=keep_exception)
def py_change(change: Any, user: Any) -> int:
    ffi.from_handle(user).append(
        Change(
            change.event,
            change.time,
            text(change.author),
            text(lib.locbo_change_name(change.kind)),
            change.trial or None,
            text(change.text),
        )
    )
    return 0


def _split(words: Mapping[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Keywords: those of the plan, and options of the optimizer."""
    return (
        {name: v for name, v in words.items() if name in PLAN},
        {name: v for name, v in words.items() if name not in PLAN},
    )


def create(
    url: Address,
    name: str,
    space: Union[Space, Mapping[str, Parameter]],
    direction: Optional[str] = None,
    outputs: Optional[Outputs] = None,
    command: Sequence[str] = (),
    exist_ok: bool = False,
    **plan_and_options: Any,
) -> Study:
    """Create a study; the database is created if it does not exist.

    Further keywords are of the plan (trials=60, timeout=30, ...: see Study.plan) or options of the optimizer (seed=1,
    method="random", ...: see `locbo options`). `exist_ok`: if there is a study of this name, it is opened; its
    definition must be the same.

    >>> import tempfile
    >>> from locbo import Float
    >>> folder = tempfile.TemporaryDirectory()
    >>> study = create(f"sqlite:{folder.name}/bread.db", "bread", {"hours": Float(1, 12)}, trials=5, seed=1)
    >>> study.run(lambda hours: (hours - 7) ** 2)
    'all trials are complete'
    >>> study.status().states["COMPLETE"]
    5
    """
    plan_words, options = _split(plan_and_options)
    store, space, table = as_store(url, create=True), as_space(space), read_outputs(outputs)
    words = [ffi.new("char[]", encode(word, "a word of the command")) for word in command]
    array = ffi.new("const char *[]", words) if words else ffi.NULL
    keep = [make_options(direction, options), make_table(table)]
    definition = sized(
        "locbo_definition",
        space=space._space,
        options=keep[0],
        command_count=len(words),
        command=array,
        outputs=keep[1],
    )
    plan, made = ffi.new("locbo_plan *"), ffi.new("locbo_study **")
    lib.locbo_plan_init(plan)
    fill_plan(plan, plan_words, table)
    named = encode(name, "the name of a study")
    try:
        store._call(lambda pointer, *rest: lib.locbo_study_create(made, pointer, *rest), named, definition, plan)
        return Study(store, made[0], space)
    except StateError:  # there is one, perhaps since a moment
        if not exist_ok:
            raise
    study = open(store, name, space=space)
    study._call(lib.locbo_study_compare, definition)
    study.set_plan(**plan_words)
    return study


def open(
    url: Address,
    name: Optional[str] = None,
    read_only: bool = False,
    space: Optional[Union[Space, Mapping[str, Parameter]]] = None,
) -> Study:
    """Open a study; the name is not needed if the database holds one. A database has texts for the values of a Choice;
    `space` says which values they stand for, if they are no texts."""
    store, made = as_store(url, read_only=read_only), ffi.new("locbo_study **")
    wanted = ffi.NULL if name is None else ffi.new("char[]", encode(name, "the name of a study"))
    store._call(lambda pointer, *rest: lib.locbo_study_open(made, pointer, *rest), wanted)
    return Study(store, made[0], None if space is None else as_space(space))
