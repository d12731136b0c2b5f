"""What figures and notebooks show of a study, as numbers, by the rules of the dashboard. Nothing is drawn here."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import ArgumentError, StateError
from .optimizer import Optimizer, Trial, trial_number
from .outputs import Output
from .records import Curve, Record, mean_of
from .space import Bool, Choice, Parameter, Space
from .study import Study

Model = Union[Study, Optimizer]
At = Union[None, str, int, Trial, Mapping[str, Any]]
GRID = 81  # points along a slice


def records_of(what: Model) -> List[Record]:
    """The trials; an optimizer in memory keeps no records of them."""
    return what.records() if isinstance(what, Study) else []


# ---- outputs


def objectives(what: Model) -> List[str]:
    return [name for name in what.output_names if not what.outputs or what.outputs[name].is_objective]


def output_of(what: Model, name: Optional[str], modelled: bool = True) -> str:
    """The output of this name; None: the first objective."""
    if name is None:
        return objectives(what)[0]
    if name not in what.output_names:
        raise ArgumentError(f"there is no output {name!r}; the outputs are {', '.join(what.output_names)}")
    if modelled and what.outputs and not what.outputs[name].is_modelled:
        raise ArgumentError(f"the output {name!r} is recorded only: there is no model of it")
    return name


def is_maximized(what: Model, name: str) -> bool:
    return (what.outputs[name].goal if what.outputs else what.options["direction"]) == "maximize"


def goal_words(what: Model, name: str) -> str:
    """ "minimize", "at most 512", "at most 1.1 × trial 3", "recorded"."""
    if not what.outputs:
        return what.options["direction"]
    output = what.outputs[name]
    if output.goal is not None:
        return "recorded" if output.goal == "record" else output.goal
    times = "" if output.times_trial is None else f" × trial {output.times_trial}"
    if output.at_most is not None:
        return f"at most {output.at_most:g}{times}"
    return f"at least {output.at_least:g}{times}"


def level(what: Model) -> float:
    """The probability of intervals, and the target of coverage: 1 - alpha."""
    return 1 - float(what.options["alpha"])


# ---- constraints


def bounds(what: Model, records: Sequence[Record]) -> Dict[str, float]:
    """The bound of each constraint; of one that is relative to a trial, as that was measured: nan before."""
    found: Dict[str, float] = {}
    for name, output in what.outputs.items():
        bound = output.at_most if output.at_most is not None else output.at_least
        if bound is None:
            continue
        if output.times_trial is not None:
            bound *= next((r.values[name] for r in records if r.number == output.times_trial), math.nan)
        found[name] = bound
    return found


def is_kept(output: Output, bound: float, value: float) -> Optional[bool]:
    """Whether a value keeps to the bound; None: not known."""
    if math.isnan(bound) or math.isnan(value):
        return None
    return value <= bound if output.at_most is not None else value >= bound


def is_feasible(what: Model, limits: Mapping[str, float], values: Mapping[str, float]) -> Optional[bool]:
    """Whether all measured constraints hold; None: not known, or there are none."""
    verdicts = [is_kept(what.outputs[name], bound, values[name]) for name, bound in limits.items()]
    if False in verdicts:
        return False
    return True if verdicts and None not in verdicts else None


# ---- what was measured


@dataclass(frozen=True)
class Measured:
    """A point, its first trial, and the means of what was measured there: trials at one point are one."""

    params: Dict[str, Any]
    trial: int
    values: Dict[str, float]
    feasible: Optional[bool]


def same_point(params: Mapping[str, Any]) -> Tuple[Any, ...]:
    """Equal for equal points; values of a Choice need no hash."""
    return tuple((name, repr(value)) for name, value in params.items())


def measured_points(what: Model, records: Sequence[Record]) -> List[Measured]:
    """The points with results, in the order of their first trials."""
    groups: Dict[Tuple[Any, ...], List[Record]] = {}
    for record in records:
        if record.results:
            groups.setdefault(same_point(record.params), []).append(record)
    limits, found = bounds(what, records), []
    for group in groups.values():
        rows = [row for record in group for row in record.results]
        values = {name: mean_of([row[name] for row in rows if name in row]) for name in what.output_names}
        found.append(Measured(group[0].params, group[0].number, values, is_feasible(what, limits, values)))
    return found


def best_so_far(what: Model, records: Sequence[Record], output: str) -> List[Tuple[int, float]]:
    """(trial, value) of each point that is better than those before it; with constraints, of those that keep to them,
    with a fidelity of those at full fidelity.
    The value is the mean of all that was measured there, also later."""
    if output not in objectives(what):
        return []
    sign, steps = (-1 if is_maximized(what, output) else 1), []
    limits, best = bounds(what, records), math.inf
    for point in measured_points(what, records):
        value = point.values[output]
        if sign * value < best and (point.feasible or not limits) and what.space.is_full(point.params):
            best = sign * value
            steps.append((point.trial, value))
    return steps


# ---- steps


@dataclass(frozen=True)
class Reported:
    """What the last attempt of a trial has reported. `look`: "running", "best", "ended", "kept", "complete" or "lost",
    the first that is true; one that is lost has no result, or not yet."""

    record: Record
    curve: Curve
    look: str


def reported(study: Study, records: Sequence[Record]) -> List[Reported]:
    """The trials that have steps."""
    best, found = study.status().best_trial, []
    curves = {(curve.trial, curve.attempt): curve for curve in study.curves()}
    for r in records:
        curve, decision = curves.get((r.number, r.attempt)), r.decision
        if curve is None:
            continue
        if r.state == "RUNNING":
            look = "running"
        elif r.number == best:
            look = "best"
        elif decision is not None and decision.attempt == r.attempt:
            look = "ended" if decision.is_ended else "kept"
        else:
            look = "complete" if r.state == "COMPLETE" else "lost"
        found.append(Reported(r, curve, look))
    return found


def ended_words(study: Study) -> str:
    """What ending evaluations early has done: "" if nothing ends them and nothing has."""
    account, plan, states = study.ended(), study.plan, study.status().states
    if plan["prune"] is None and account.ended == 0:
        return ""
    done = states["COMPLETE"] + states["PRUNED"]
    words = f"{account.ended} of {done} evaluation{'' if done == 1 else 's'} ended early"
    if account.ended and account.steps_saved > 0:
        words += f", saving {100 * account.steps_saved / (account.steps + account.steps_saved):.0f} % of the steps"
    if not math.isnan(account.estimate):
        words += f"; estimated share of mistaken ends {account.estimate:.2g}, target {plan['prune_risk']:g}"
    return words


# ---- calibration


def judged(study: Study, records: Sequence[Record], output: str) -> List[Record]:
    """The trials whose first result is judged, in the order told, since the study was last altered."""
    since = max((change.event for change in study.changes() if change.kind == "alter"), default=0)
    return sorted((r for r in records if output in r.inside and r.events[0] > since), key=lambda r: r.events[0])


def running_coverage(verdicts: Sequence[bool]) -> List[float]:
    """The share inside after each verdict.

    >>> running_coverage([True, False])
    [1.0, 0.5]
    """
    inside, shares = 0, []
    for i, verdict in enumerate(verdicts, 1):
        inside += verdict
        shares.append(inside / i)
    return shares


def band(n: int, p: float, probability: float = 0.95) -> Tuple[float, float]:
    """The share of n draws that succeed, each with probability p, lies between these with that probability: quantiles
    of the binomial law.

    >>> band(10, 0.8)
    (0.5, 1.0)
    """
    tail, below = (1 - probability) / 2, 0.0
    ends: List[float] = []
    for k in range(n + 1):
        choose = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
        below += math.exp(choose + k * math.log(p) + (n - k) * math.log1p(-p))
        while len(ends) < 2 and below >= (tail, 1 - tail)[len(ends)]:
            ends.append(k / n)
    return (ends or [0.0])[0], ends[1] if len(ends) == 2 else 1.0


# ---- parameters


def is_named(parameter: Parameter) -> bool:
    """Whether it has values with texts, not numbers of a range."""
    return isinstance(parameter, (Bool, Choice))


def texts_of(parameter: Parameter) -> List[str]:
    """The texts of its values; empty for numbers of a range."""
    if isinstance(parameter, Choice):
        return parameter._texts
    return ["false", "true"] if isinstance(parameter, Bool) else []


def _unit(parameter: Any, value: Any) -> float:
    """The place of a value between 0 and 1, on the scale of the parameter."""
    if is_named(parameter):
        return parameter.to_number(value) / max(1, len(texts_of(parameter)) - 1)
    low, high, value = (_scaled(parameter, v) for v in (parameter.low, parameter.high, value))
    return (value - low) / (high - low) if high > low else 0.0


def _scaled(parameter: Any, value: float) -> float:
    if not parameter.log:
        return float(value)
    return math.log(value if parameter.low > 0 else 1 + value)


def _value_at(parameter: Any, t: float) -> float:
    """The value at the place t between 0 and 1; the ends exactly."""
    if t in (0, 1):
        return parameter.high if t else parameter.low
    low, high = _scaled(parameter, parameter.low), _scaled(parameter, parameter.high)
    value = low + t * (high - low)
    if parameter.log:
        value = math.exp(value) if parameter.low > 0 else math.expm1(value)
    return nearest(parameter, value)


def step_of(parameter: Any) -> float:
    """Between two values of a number of a range; 0: it has all."""
    return parameter.step or (1 if isinstance(parameter.low, int) else 0)


def is_in_range(parameter: Any, value: Any) -> bool:
    """Whether it has a value, and that can be drawn: a study may have been altered since."""
    if value is None and not (isinstance(parameter, Choice) and None in parameter.values):
        return False
    return is_named(parameter) or parameter.low <= value <= parameter.high


def nearest(parameter: Any, value: Any) -> Any:
    """The nearest value that the parameter may have."""
    if parameter.frozen is not None:
        return parameter.frozen
    if is_named(parameter):
        return value
    step = step_of(parameter)
    if step:
        value = parameter.low + round((value - parameter.low) / step) * step
    return min(max(value, parameter.low), parameter.high)


def grid(parameter: Any, points: int = GRID) -> List[Any]:
    """Values along a parameter: all if there are few."""
    if is_named(parameter):
        return [parameter.from_number(i) for i in range(len(texts_of(parameter)))]
    return sorted({_value_at(parameter, i / (points - 1)) for i in range(points)})


def distance(space: Space, a: Mapping[str, Any], b: Mapping[str, Any], without: Sequence[str]) -> float:
    """The root mean square of the differences of all parameters but those, each as a share of its range."""
    others = [name for name in space if name not in without]
    gaps = [_gap(space[name], a.get(name), b.get(name)) for name in others]
    return math.sqrt(sum(gap**2 for gap in gaps) / len(gaps)) if gaps else 0.0


def _gap(parameter: Any, a: Any, b: Any) -> float:
    is_unordered = isinstance(parameter, Choice) and not parameter.ordered
    if is_unordered or a is None or b is None:
        return float(a != b)
    return abs(_unit(parameter, a) - _unit(parameter, b))


# ---- the point that fixes the other parameters


@dataclass(frozen=True)
class Held:
    """`params` is the point, `filled` the same with a value for each parameter, `words` what it is."""

    params: Dict[str, Any]
    filled: Dict[str, Any]
    words: str


def hold(what: Model, along: Sequence[str], at: At, records: Sequence[Record]) -> Held:
    """The point of a slice or contour through the parameters `along`: `at` is "recommended" (the default), "best", a
    trial or a point. If one of `along` cannot be active at the recommended or best point, it is the best trial at
    which it can."""
    for name in along:
        if name not in what.space.parameters or what.space[name].frozen is not None:
            free = [n for n, p in what.space.parameters.items() if p.frozen is None]
            raise ArgumentError(f"there is no parameter {name!r} to draw along; choose one of {', '.join(free)}")
    params, words = _chosen(what, at, records)
    if not _may_be_active(what.space, along, params):
        params, words = _instead(what, along, at, words, records)
    params = {name: nearest(what.space[name], value) for name, value in params.items()}
    filled = {name: params[name] if name in params else _usual(what, name, records) for name in what.space}
    return Held(params, filled, words)


def _chosen(what: Model, at: At, records: Sequence[Record]) -> Tuple[Dict[str, Any], str]:
    if isinstance(at, Mapping):
        what.space.to_numbers(at)  # refuses what it cannot be
        return dict(at), "the point given"
    if isinstance(at, (int, Trial)):
        number = trial_number(at)
        record = next((r for r in records if r.number == number), None)
        if record is None:
            raise ArgumentError(f"at: there is no trial {number}")
        return record.params, f"trial {number}"
    if at not in (None, "recommended", "best"):
        raise ArgumentError(f"at must be 'recommended', 'best', a trial or a point, got {at!r}")
    if len(objectives(what)) > 1:
        return _middle(what, at != "best"), "middle of the front"
    return (what.best() if at == "best" else what.recommend()).params, at or "recommended"


def _middle(what: Model, believed: bool) -> Dict[str, Any]:
    """The point of the front that the model believes nearest to the best of every objective."""
    front = what.front(believed)
    if not front:
        raise StateError("the front is empty: choose a trial by its number")
    means = {name: [p.beliefs[name].mean for p in front] for name in objectives(what)}

    def far(i: int) -> float:
        total = 0.0
        for name, all_means in means.items():
            low, high = min(all_means), max(all_means)
            best = high if is_maximized(what, name) else low
            total += ((all_means[i] - best) / (high - low)) ** 2 if high > low else 0
        return total

    return front[min(range(len(front)), key=far)].params


def _may_be_active(space: Space, along: Sequence[str], params: Mapping[str, Any]) -> bool:
    """Whether the parameters `along` are active for some values of them."""
    for name in along:
        when = space[name].when
        while when is not None:
            ((parent, values),) = when.items()
            values = values if isinstance(values, (list, tuple, set, frozenset)) else [values]
            if parent not in along and params.get(parent) not in values:
                return False
            when = space[parent].when
    return True


def _best_record(what: Model, records: Sequence[Record]) -> Optional[Record]:
    name = objectives(what)[0]
    sign = -1 if is_maximized(what, name) else 1
    known = [r for r in records if not math.isnan(r.values[name])]
    return min(known, key=lambda r: sign * r.values[name]) if known else None


def _instead(
    what: Model, along: Sequence[str], at: At, words: str, records: Sequence[Record]
) -> Tuple[Dict[str, Any], str]:
    names = " and ".join(along)
    if at not in (None, "recommended", "best"):
        raise ArgumentError(f"at: {names} cannot be active at {words}")
    best = _best_record(what, [r for r in records if _may_be_active(what.space, along, r.params)])
    if best is None:
        raise StateError(f"{names} cannot be active at the point {words}, and no other trial has a value")
    return best.params, f"trial {best.number}"


def _usual(what: Model, name: str, records: Sequence[Record]) -> Any:
    """A value of a parameter that is not active at the point: of the best trial at which it is, or the middle."""
    parameter = what.space[name]
    best = _best_record(what, [r for r in records if name in r.params])
    if best is not None:
        return nearest(parameter, best.params[name])
    values = grid(parameter)
    return values[len(values) // 2]


def moved(space: Space, held: Held, values: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
    """The point with these values; None: there is none, a parameter is not active or a constraint is broken."""
    params = space.active({**held.filled, **values})
    if any(name not in params for name in values):
        return None
    try:
        space.check(params)
    except ArgumentError:
        return None
    return params


def beliefs_at(what: Model, points: Sequence[Optional[Mapping[str, Any]]], output: str) -> Dict[str, List[float]]:
    """What the model believes of an output at points; nan where there is no point."""
    known = [p for p in points if p is not None]
    answer = what.predict(known)
    columns = answer[output] if what.outputs else answer
    found: Dict[str, List[float]] = {}
    for key, column in columns.items():
        rest = iter(column)
        found[key] = [math.nan if p is None else float(next(rest)) for p in points]
    return found
