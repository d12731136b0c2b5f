"""What a notebook shows of a study, a result, a point or a space: small pieces of HTML without scripts, whose colours
are readable on a light and on a dark ground. All texts of the user are escaped."""

from __future__ import annotations

import math
from html import escape
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Tuple

from . import views
from .answers import FrontPoint, Point
from .errors import StateError
from .optimize import Result
from .records import Record
from .space import Choice, Space
from .study import Study

_LAST = 5  # trials in the table of a study
_FRONT = 10  # points in the table of a front
_MOST = 3000  # results; the cost of an exact model grows with their cube
_WIDTH, _HEIGHT, _EDGE = 420, 130, 8  # of the small figure
_VALUE, _BEST, _FAILED = "#3f86cf", "#12917f", "#d2574d"
_LINE = "1px solid rgba(128,128,128,0.4)"


# ---- pieces


def number(value: float, digits: int = 5) -> str:
    """
    >>> number(0.123456789), number(3.0), number(float("nan"))
    ('0.12346', '3', '–')
    """
    return "–" if math.isnan(value) else f"{value:.{digits}g}"


def _value(value: Any) -> str:
    if isinstance(value, float):
        return number(value, 6)
    return escape(str(value))


def _text(space: Optional[Space], name: str, value: Any) -> str:
    """The value of a parameter; of a Choice its text in the database."""
    parameter = space.parameters.get(name) if space is not None else None
    if isinstance(parameter, Choice):
        return escape(parameter._texts[int(parameter.to_number(value))])
    return _value(value)


def _sentence(words: str) -> str:
    return escape(words[:1].upper() + words[1:])


def _names(study: Study) -> List[str]:
    """The heads of the columns of `_row`."""
    return [escape(name) for name in (*study.space, *study.output_names)]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    cell = f"padding:2px 10px 2px 0;text-align:left;border-bottom:{_LINE}"
    top = "".join(f'<th style="{cell}">{word}</th>' for word in head)
    body = "".join("<tr>" + "".join(f'<td style="{cell}">{word}</td>' for word in row) + "</tr>" for row in rows)
    return (
        '<table style="border-collapse:collapse;font-size:inherit;margin:4px 0;background:none;color:inherit">'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    )


def _box(title: str, *parts: str) -> str:
    inside = "".join(part if part.startswith("<") else f"<div>{part}</div>" for part in parts if part)
    return f'<div style="color:inherit;line-height:1.5"><div><b>{title}</b></div>{inside}</div>'


def _params(params: Mapping[str, Any], space: Optional[Space] = None) -> str:
    return ", ".join(f"{escape(name)}&nbsp;=&nbsp;{_text(space, name, v)}" for name, v in params.items())


def interval_words(low: float, high: float, level: float, why: str = "") -> str:
    """
    >>> interval_words(-0.5, 0.25, 0.9)
    'f lies between -0.5 and 0.25 with probability 90 %'
    >>> interval_words(math.nan, math.nan, 0.9, "there are fewer than 5 results")
    'the interval of f is withheld: there are fewer than 5 results'
    """
    if math.isnan(low):
        return f"the interval of f is withheld: {why or 'there are fewer than 5 results, or there is no model'}"
    return f"f lies between {number(low)} and {number(high)} with probability {100 * level:.4g} %"


def _why_withheld(study: Study) -> str:
    if study.options["method"] == "random":
        return "the method random has no model"
    return "there are fewer than 5 results" if study.status().results < 5 else ""


def _counts(study: Study) -> str:
    states = [f"{n} {state.lower()}" for state, n in study.status().states.items() if n]
    return ", ".join(states) or "no trial yet"


def _early(study: Study) -> str:
    """What was ended early, if anything was."""
    return views.ended_words(study) if study.status().states["PRUNED"] else ""


# ---- the small figure of a result


def history_picture(study: Study) -> str:
    """The values of the first objective by trial and the best so far, as SVG; "" before the first value."""
    output, records = views.objectives(study)[0], study.records()
    values = [(r.number, r.values[output]) for r in records if not math.isnan(r.values[output])]
    if not values:
        return ""
    steps = views.best_so_far(study, records, output)
    heights = [v for _, v in values + steps]
    low, high, last = min(heights), max(heights), records[-1].number

    def place(trial: int, value: float) -> Tuple[float, float]:
        x = _EDGE + (_WIDTH - 2 * _EDGE) * (trial - 1) / max(1, last - 1)
        share = (value - low) / (high - low) if high > low else 0.5
        return round(x, 1), round(_HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * share, 1)

    dots = "".join('<circle cx="{}" cy="{}" r="2.5"/>'.format(*place(*row)) for row in values)
    failed = "".join(
        f'<path d="M{place(r.number, low)[0] - 3},{_HEIGHT - 1}l6,-6m0,6l-6,-6"/>'
        for r in records
        if r.state in ("FAILED", "INFEASIBLE")
    )
    words = f"{number(low)} to {number(high)}, trials 1 to {last}; line: best so far"
    return (
        f'<svg role="img" width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f"<title>{escape(output)} by trial</title>"
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="rgba(128,128,128,0.5)"/>'
        f'<g fill="{_VALUE}">{dots}</g><g stroke="{_FAILED}" stroke-width="1.5" fill="none">{failed}</g>'
        f'<path d="{_staircase([place(*step) for step in steps])}" fill="none" stroke="{_BEST}" stroke-width="2"/>'
        "</svg>"
        f'<div style="opacity:0.75;font-size:0.9em">{escape(output)} by trial: {words}</div>'
    )


def _staircase(steps: Sequence[Tuple[float, float]]) -> str:
    if not steps:
        return ""
    return f"M{steps[0][0]},{steps[0][1]}" + "".join(f"H{x}V{y}" for x, y in steps[1:]) + f"H{_WIDTH - _EDGE}"


# ---- what is shown


def point(shown: Point, space: Optional[Space] = None, why: str = "") -> str:
    """A best or recommended point."""
    is_measured = shown.results > 0
    what = (
        f"mean of {shown.results} measured" if shown.results > 1 else "measured" if is_measured else "the model's mean"
    )
    trial = "" if shown.trial is None else f", trial {shown.trial}"
    rows = [[escape(name), _text(space, name, value)] for name, value in shown.params.items()]
    words = interval_words(shown.low, shown.high, shown.level, why)
    return _box(f"{number(shown.value)} ({what}{trial})", words, _table(["parameter", "value"], rows))


def _choices(study: Study) -> List[str]:
    """Best and recommended point, each in a line, or the front."""
    if study.status().results > _MOST:
        return [f"The model is not asked with more than {_MOST} results: see study.recommend()"]
    if len(views.objectives(study)) > 1:
        return _fronts(study)
    try:
        best, chosen = study.best(), study.recommend()
    except StateError as trouble:
        return [_sentence(str(trouble))]
    words = interval_words(chosen.low, chosen.high, chosen.level, _why_withheld(study))
    at = "" if best.trial is None else f" (trial {best.trial})"
    return [
        f"Best measured: {number(best.value)}{at} at {_params(best.params, study.space)}",
        f"Recommended: {number(chosen.value)}, {words}; at {_params(chosen.params, study.space)}",
    ]


def _fronts(study: Study) -> List[str]:
    try:
        front = study.front()
    except StateError as trouble:
        return [_sentence(str(trouble))]
    if not front:
        return ["The measured front is empty"]
    words = f"Measured front: {len(front)} point{'' if len(front) == 1 else 's'}"
    if len(front) > _FRONT:
        words += f", the first {_FRONT}"
    return [words, _front_table(study, front[:_FRONT])]


def _front_table(study: Study, front: Sequence[FrontPoint]) -> str:
    head = ["trial", *_names(study)]
    return _table(head, [_row(study, str(p.trial or "–"), p.params, p.values) for p in front])


def _row(study: Study, first: str, params: Mapping[str, Any], values: Mapping[str, float]) -> List[str]:
    cells = [_text(study.space, name, params[name]) if name in params else "not active" for name in study.space]
    return [first, *cells, *(number(values[name]) for name in study.output_names)]


def _coverage(study: Study) -> str:
    summary = study.summary()
    if summary.judged == 0:
        return ""
    of = f" of {escape(views.objectives(study)[0])}" if study.outputs else ""
    return (
        f"Coverage: {summary.coverage:.2f} of {summary.judged} measurements{of} lay in the set announced for them "
        f"(target {summary.target:.2f})"
    )


def _trials_table(study: Study, records: Sequence[Record]) -> str:
    head = ["trial", "state", *_names(study)]
    rows = [_row(study, str(r.number), r.params, r.values) for r in records]
    return _table(head, [[row[0], r.state.lower(), *row[1:]] for r, row in zip(records, rows)])


def _halted(study: Study) -> str:
    status = study.status()
    words = [f"stopped: {status.stopped}"] if status.stopped is not None else []
    words += [f"paused: {status.paused}"] if status.paused is not None else []
    return _sentence("; ".join(words))


def study(shown: Study) -> str:
    """A study: how many trials there are, the best and the recommended point, coverage, the last trials."""
    total = shown.status().trials
    last = shown.records(first=max(1, total - _LAST + 1)) if total else []
    goals = ", ".join(f"{escape(name)}: {views.goal_words(shown, name)}" for name in shown.output_names)
    parts = [f"{_counts(shown)} ({goals})", _early(shown), _halted(shown), *_choices(shown)]
    if total and total <= _MOST:
        parts.append(_coverage(shown))
    if last:
        parts += ["Last trials" if total > _LAST else "Trials", _trials_table(shown, last)]
    return _box(f"Study {escape(shown.name)}", *parts)


def result(shown: Result) -> str:
    """A result: the recommended point, why the optimisation ended, the history."""
    ended = "; ".join(filter(None, [f"Ended: {escape(shown.reason)}", _counts(shown.study), _early(shown.study)]))
    if shown.params is None or shown.value is None or shown.low is None or shown.high is None or shown.level is None:
        return _box("Result", ended, *_choices(shown.study), history_picture(shown.study))
    rows = [[escape(name), _text(shown.study.space, name, value)] for name, value in shown.params.items()]
    words = interval_words(shown.low, shown.high, shown.level, _why_withheld(shown.study))
    best = f"Best measured: {number(shown.best.value)}" if shown.best else ""
    head = f"Recommended: {number(shown.value)}, {words}"
    return _box("Result", head, _table(["parameter", "value"], rows), best, ended, history_picture(shown.study))


def space(shown: Space) -> str:
    """A space: its parameters and constraints."""
    rows = [[escape(name), escape(repr(parameter))] for name, parameter in shown.parameters.items()]
    kept = f"Constraints: {escape(', '.join(shown.constraints))}. " if shown.constraints else ""
    kept += f"Cost of an evaluation: {escape(shown.cost)}." if shown.cost is not None else ""
    return _box("Space", _table(["parameter", "is"], rows), kept)
