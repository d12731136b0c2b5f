"""The trials of a study with everything that is stored of them."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence

from ._locbo import ffi, lib
from .answers import Belief
from .library import keep_exception, text
from .optimizer import ORIGINS
from .values import Measurement, Step

JUDGED = ("model", "again", "explore", "confirm")  # the origins of trials that the model proposed
STATES = tuple(text(lib.locbo_state_name(i)) for i in range(lib.LOCBO_STATES))
RULES = tuple(text(lib.locbo_prune_name(i)) for i in range(lib.LOCBO_PRUNES))


@dataclass(frozen=True)
class Decision:
    """Why a trial was ended early, or that it could have been: by the `rule`, at the `step` of this attempt, where it
    had the `value`, and the best one was `incumbent`. `is_ended` False: chance (`coin`) has kept it. `expected` is the
    final value that complete curves let expect, with its standard deviation. Numbers that are not known, or that the
    rule does not need, are nan."""

    rule: str
    attempt: int
    step: int
    value: float
    incumbent: float
    tau: float
    coin: float
    is_ended: bool
    expected: float
    expected_sd: float

    @classmethod
    def of(cls, d: Any) -> "Decision":
        """From C."""
        return cls(
            RULES[d.rule],
            d.attempt,
            d.step,
            d.value,
            d.incumbent,
            d.tau,
            d.coin,
            d.event != 0,
            d.expected,
            d.expected_sd,
        )


@dataclass(frozen=True)
class Curve:
    """What one attempt of a trial has reported: growing `steps`, and the value of the first objective at each."""

    trial: int
    attempt: int
    steps: List[int]
    values: List[float]


@dataclass(frozen=True)
class Record:
    """A trial of a study. `results` has what was told: of each result (value, sd, n) by output; `values` are their
    means, each counted as often as its n says. `events` are the event numbers of the results in the study. `inside`
    says of the outputs for which a set was announced whether the first result lay in it: what coverage counts.
    `decision` says whether it was ended early, or could have been. Times are seconds since 1970, nan if it has not
    happened."""

    number: int
    state: str
    params: Dict[str, Any]
    results: List[Dict[str, Measurement]]
    values: Dict[str, float]
    origin: str
    beliefs: Dict[str, Belief]
    attempt: int
    retries: int
    lost: int
    seed: int
    worker: str
    message: str
    failure: int
    asked: float
    started: float
    ended: float
    note: str
    tags: List[str]
    retracted: int
    events: List[int]
    inside: Dict[str, bool]
    decision: Optional[Decision] = None


def mean_of(measured: Sequence[Measurement]) -> float:
    """The mean of measurements, each counted as often as its n says; nan if there are none."""
    weight = sum(n for _, _, n in measured)
    if not weight:
        return math.nan
    mean = sum(value * n for value, _, n in measured) / weight
    return mean if math.isfinite(mean) else sum(value * (n / weight) for value, _, n in measured)


def _results(r: Any, names: Sequence[str]) -> List[Dict[str, Measurement]]:
    found = []
    for i in range(r.count):
        row = [r.measurements[i * len(names) + k] for k in range(len(names))]
        found.append({name: (m.value, m.sd, m.n) for name, m in zip(names, row) if not math.isnan(m.value)})
    return found


def _inside(r: Any, names: Sequence[str], beliefs: Sequence[Any]) -> Dict[str, bool]:
    """The verdicts on the first result of a trial that the model proposed."""
    if r.count == 0 or ORIGINS[r.trial.origin] not in JUDGED:
        return {}
    return {
        name: bool(lib.locbo_belief_holds(ffi.addressof(b), r.measurements + k))
        for k, (name, b) in enumerate(zip(names, beliefs))
        if b.sd_y > 0 and not math.isnan(b.y_low) and not math.isnan(r.measurements[k].value)
    }


def read_record(r: Any, study: Any) -> Record:
    """A locbo_record as Python has it."""
    names = study.output_names
    results = _results(r, names)
    values = {name: mean_of([row[name] for row in results if name in row]) for name in names}
    beliefs = [r.beliefs[k] for k in range(len(names))] if r.beliefs else [r.trial.belief]
    return Record(
        r.trial.id,
        STATES[r.state],
        study.space.from_numbers(r.x),
        results,
        values,
        ORIGINS[r.trial.origin],
        {name: Belief.of(b) for name, b in zip(names, beliefs)},
        r.attempt,
        r.retries,
        r.lost,
        r.seed,
        text(r.worker),
        text(r.message),
        r.failure,
        r.asked,
        r.started,
        r.ended,
        text(r.note),
        text(r.tags).split(),
        r.retracted_count,
        [r.sequence[i] for i in range(r.count)],
        _inside(r, names, beliefs),
        Decision.of(r.decision) if r.decision else None,
    )


@ffi.def_extern(error=1, onerror=keep_exception)
def py_record(record: Any, user: Any) -> int:
    study, found = ffi.from_handle(user)
    found.append(read_record(record, study))
    return 0


@ffi.def_extern(error=1, onerror=keep_exception)
def py_curve(curve: Any, user: Any) -> int:
    found, is_last_only = ffi.from_handle(user)
    steps = range(curve.count - 1 if is_last_only else 0, curve.count)
    found.append(
        Curve(
            curve.trial,
            curve.attempt,
            [curve.steps[i].step for i in steps],
            [curve.steps[i].value for i in steps],
        )
    )
    return 0


def as_row(record: Record, parameters: Sequence[str], last: Optional[Step] = None) -> Dict[str, Any]:
    """A row of the table of trials. A parameter that is not active is None, and so is an output without a value, and
    the `last` step of a trial that has reported none. Of a name that is there twice, outputs come first, then
    parameters."""
    row: Dict[str, Any] = {"trial": record.number, "state": record.state}
    row.update((name, record.params.get(name)) for name in parameters)
    row.update((name, None if math.isnan(value) else value) for name, value in record.values.items())
    more = dict(
        results=len(record.results),
        step=last[0] if last else None,
        step_value=last[1] if last else None,
        origin=record.origin,
        attempt=record.attempt,
        worker=record.worker,
        message=record.message,
        note=record.note,
        tags=" ".join(record.tags),
        asked=record.asked,
        started=record.started,
        ended=record.ended,
    )
    return {**row, **{name: value for name, value in more.items() if name not in row}}


def as_table(records: Sequence[Record], parameters: Sequence[str], last: Mapping[int, Step]) -> Any:
    """A pandas DataFrame with the trial's number as index if pandas is there, otherwise a list of dicts."""
    rows = [as_row(record, parameters, last.get(record.number)) for record in records]
    try:
        import pandas
    except ImportError:
        return rows
    if not rows:
        return pandas.DataFrame(columns=["state", *parameters])
    taken = {*parameters, *records[0].values}
    table = pandas.DataFrame(rows, index=pandas.Index([record.number for record in records], name="trial"))
    for name in {"asked", "started", "ended"} - taken:
        table[name] = pandas.to_datetime(table[name], unit="s", utc=True)
    return table if "trial" in taken else table.drop(columns="trial")
