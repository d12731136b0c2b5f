"""Figures of a study with matplotlib: the names, marks and colours are those of the dashboard.

Each function takes a Study or a Result, or an Optimizer where no records of trials are needed, draws into `ax` or into
a new figure, and returns the Axes. A figure that has nothing to show says why.

    import locbo.figures
    locbo.figures.history(study)
    locbo.figures.overview(result).savefig("study.png")
"""
from __future__ import annotations

import math
import textwrap
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import views
from .answers import Belief, FrontPoint
from .errors import ArgumentError, StateError
from .optimize import Result
from .optimizer import Optimizer
from .records import JUDGED, Record
from .study import Study

try:
    import matplotlib.colors
    import matplotlib.pyplot as pyplot
    import numpy
    from matplotlib.ticker import FixedLocator, MaxNLocator, PercentFormatter
except ImportError as trouble:
    raise ImportError(
        f"the figures of locbo need matplotlib ({trouble}): install it with 'pip install matplotlib', or "
        "on Debian 'apt-get install python3-matplotlib'"
    ) from trouble

Axes = Any
Subject = Union[Study, Result, Optimizer]
__all__ = ["calibration", "contour", "curves", "history", "importance", "intervals", "overview", "pareto", "slice"]

_LIGHT = {
    "ink": "#18212d",
    "soft": "#526073",
    "value": "#2f6cae",
    "band": "#8fb1d9",
    "best": "#00756a",
    "miss": "#c04a00",
    "recommended": "#7637b4",
    "target": "#4b5666",
    "failed": "#b3261e",
    "infeasible": "#8a5a83",
}
_DARK = {
    "ink": "#e7ebf1",
    "soft": "#a4afbd",
    "value": "#79aeea",
    "band": "#55799f",
    "best": "#3fc8b0",
    "miss": "#ff9b50",
    "recommended": "#c99dff",
    "target": "#b3bdca",
    "failed": "#ff7d74",
    "infeasible": "#d9a0cf",
}
_NO_RESULT = "there is no result yet"
_NOT_JUDGED = "nothing to judge yet: no trial that the model proposed has a result"
_NOT_ANNOUNCED = "no interval was announced yet: these begin after the initial points, if the method has a model"
_NO_STEPS = "no evaluation has reported steps"
_WITHHELD = "interval of f withheld: fewer than 5 results"
_BELOW = "below full fidelity"
_FAINT: Dict[str, Any] = {"markersize": 3.2, "alpha": 0.45}  # results below full fidelity
_LINES, _BARS = 120, 60  # more intervals than this are thin; more judged measurements have no dots
_MAP = 41  # points along each side of a contour
_WIDE = 62  # characters beside each other in a legend
_FEW = 20  # values of a parameter with steps that have room beside the first and the last


# ---- what all figures need


def _model(what: Subject) -> views.Model:
    return what.study if isinstance(what, Result) else what


def _study(what: Subject) -> Study:
    study = _model(what)
    if not isinstance(study, Study):
        raise ArgumentError(f"this figure shows trials: it needs a Study or a Result, got {type(study).__name__}")
    return study


def _axes(ax: Optional[Axes]) -> Axes:
    return ax if ax is not None else pyplot.subplots(figsize=(6.4, 4), layout="constrained")[1]


def _colours(ax: Axes) -> Dict[str, str]:
    """Those for a light or a dark ground."""
    red, green, blue, alpha = matplotlib.colors.to_rgba(ax.get_facecolor())
    return _DARK if alpha > 0 and 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else _LIGHT


def _say(ax: Axes, words: str) -> Axes:
    """A figure without data says why."""
    ax.text(
        0.5, 0.5, textwrap.fill(words, 40), color=_colours(ax)["soft"], transform=ax.transAxes, ha="center", va="center"
    )
    ax.set_xticks([])
    ax.set_yticks([])
    return ax


def _key(ax: Axes, *notes: str) -> Axes:
    """The legend, above the plot; notes are entries without a mark."""
    for note in notes:
        ax.plot([], [], " ", label=note)
    labels = ax.get_legend_handles_labels()[1]
    if labels:
        rows = -(-len(labels) // 3)
        width = sum(max(map(len, labels[i : i + rows])) for i in range(0, len(labels), rows))
        columns = 3 if width <= _WIDE else 2
        ax.legend(
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncol=columns,
            frameon=False,
            fontsize="small",
            borderaxespad=0.2,
            handletextpad=0.5,
            columnspacing=1.2,
        )
    return ax


def _marks(ax: Axes, at: Iterable[Tuple[float, float]], mark: str, colour: str, name: str, **how: Any) -> None:
    """Marks at these places, if there are any; in the legend by this name."""
    places = list(at)
    if places:
        how = {"markersize": 4.5, "color": colour, "label": name, **how}
        ax.plot([x for x, _ in places], [y for _, y in places], mark, **how)


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"


def _label(what: views.Model, output: str) -> str:
    return f"{output} ({views.goal_words(what, output)})"


def _is_log(what: views.Model, output: str, values: Iterable[float]) -> bool:
    return bool(what.outputs) and what.outputs[output].scale == "log" and all(v > 0 for v in values if math.isfinite(v))


def _count_trials(ax: Axes, first: int, last: int) -> None:
    ax.set_xlabel("trial")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.set_xlim(first - 0.8, last + 0.8)


def _bound(ax: Axes, study: Study, output: str, records: Sequence[Record]) -> None:
    bound = views.bounds(study, records).get(output, math.nan)
    if not math.isnan(bound):
        ax.axhline(
            bound,
            color=_colours(ax)["target"],
            linestyle="--",
            linewidth=1.2,
            label=f"bound, {views.goal_words(study, output)}",
        )


def _finite(values: Iterable[float]) -> List[float]:
    return [v for v in values if math.isfinite(v)]


# ---- trial by trial

# Of each origin of a trial: its name in the legend, its mark, whether the mark is filled.
_ORIGINS = {
    "design": ("initial design", "o", False),
    "random": ("random", "o", False),
    "given": ("given", "s", False),
    "model": ("proposed", "o", True),
    "explore": ("exploring", "D", True),
    "again": ("measured again", "s", True),
    "confirm": ("recommended", "*", True),
}
_FAILURES = {
    "FAILED": ("failed", "x"),
    "INFEASIBLE": ("infeasible", "^"),
    "RETRACTED": ("retracted", "o"),
    "PRUNED": ("ended early", "+"),
}


def history(what: Subject, output: Optional[str] = None, ax: Optional[Axes] = None) -> Axes:
    """The measured values by trial, and the best so far: of each point the mean of what was measured there. Trials that
    failed, or were ended early, are marked below; with constraints the best is of those that keep to them. Results
    below full fidelity are small and faint, and never the best.

    >>> from locbo import Float, minimize
    >>> from locbo import figures
    >>> result = minimize(lambda x: (x - 0.3) ** 2, {"x": Float(0, 1)}, trials=5, seed=1)
    >>> ax = figures.history(result)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('trial', 'value (minimize)')
    """
    study = _study(what)
    output, records = views.output_of(study, output, modelled=False), study.records()
    ax = _axes(ax)
    ended = [r for r in records if r.results or r.state in _FAILURES]
    ax.set_ylabel(_label(study, output))
    if not ended:
        return _say(ax, _NO_RESULT)
    measured = [r for r in ended if not math.isnan(r.values[output])]
    if _is_log(study, output, [r.values[output] for r in measured]):
        ax.set_yscale("log")
    _count_trials(ax, records[0].number, records[-1].number)
    _draw_measured(ax, study, output, measured, records)
    _draw_best(ax, views.best_so_far(study, records, output), records[-1].number)
    _bound(ax, study, output, records)
    _draw_alterations(ax, study, records)
    _draw_failures(ax, ended)
    return _key(ax)


def _draw_measured(ax: Axes, study: Study, output: str, measured: Sequence[Record], records: Sequence[Record]) -> None:
    colours, limits = _colours(ax), views.bounds(study, records)
    is_full = study.space.is_full
    below = [(r.number, r.values[output]) for r in measured if not is_full(r.params)]
    _marks(ax, below, "o", colours["value"], _BELOW, **_FAINT)
    for origin, (name, mark, is_filled) in _ORIGINS.items():
        rows = [(r.number, r.values[output]) for r in measured if r.origin == origin and is_full(r.params)]
        _marks(ax, rows, mark, colours["value"], name, fillstyle="full" if is_filled else "none")
    broken = [r for r in measured if views.is_feasible(study, limits, r.values) is False]
    places = [(r.number, r.values[output]) for r in broken]
    _marks(ax, places, "s", colours["infeasible"], "breaks a constraint", markersize=9, fillstyle="none")


def _draw_best(ax: Axes, steps: Sequence[Tuple[int, float]], last: int) -> None:
    if steps:
        trials, values = [t for t, _ in steps] + [last], [v for _, v in steps] + [steps[-1][1]]
        ax.step(trials, values, where="post", color=_colours(ax)["best"], linewidth=1.8, label="best so far")


def _draw_alterations(ax: Axes, study: Study, records: Sequence[Record]) -> None:
    """A line between the trials asked before and after each alteration."""
    for i, change in enumerate(c for c in study.changes() if c.kind == "alter"):
        before = [r.number for r in records if r.asked <= change.time]
        ax.axvline(
            max(before, default=0) + 0.5,
            color=_colours(ax)["soft"],
            linestyle=":",
            linewidth=1,
            label=None if i else "altered",
        )


def _draw_failures(ax: Axes, ended: Sequence[Record]) -> None:
    """Below the values."""
    how = {"markersize": 6, "markeredgewidth": 1.6, "fillstyle": "none", "clip_on": False}
    for state, (name, mark) in _FAILURES.items():
        colour = _colours(ax)[{"RETRACTED": "soft", "PRUNED": "miss"}.get(state, state.lower())]
        rows = [(r.number, 0.025) for r in ended if r.state == state]
        _marks(ax, rows, mark, colour, name, transform=ax.get_xaxis_transform(), **how)


# Of each look of a curve: its name in the legend ("": its marks have one), colour, and how its line is drawn.
_CURVES = {
    "lost": ("without a result", "soft", {"linestyle": ":", "linewidth": 1.0}),
    "complete": ("complete", "value", {"linewidth": 1.0}),
    "ended": ("", "miss", {"linewidth": 1.0}),
    "kept": ("", "recommended", {"linewidth": 1.0}),
    "running": ("running", "ink", {"linestyle": "--", "linewidth": 1.4}),
    "best": ("the best", "best", {"linewidth": 2.0}),
}


def curves(what: Subject, ax: Optional[Axes] = None) -> Axes:
    """The values that evaluations reported step by step, in their last attempts: a cross is where one was ended early,
    a diamond where one could have been ended, and was kept by chance.

    >>> from locbo import Float, figures, minimize, report
    >>> def f(x):
    ...     for step in (1, 2, 3):
    ...         report(step, x + 1 / step)
    ...     return x
    >>> ax = figures.curves(minimize(f, {"x": Float(0, 1)}, trials=5, seed=1))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('step', 'value (minimize)')
    """
    study = _study(what)
    output, rows = views.output_of(study, None), views.reported(study, study.records())
    ax = _axes(ax)
    ax.set_ylabel(_label(study, output))
    if not rows:
        return _say(ax, _NO_STEPS)
    values = [value for row in rows for value in row.curve.values]
    if _is_log(study, output, values):
        ax.set_yscale("log")
    _draw_curves(ax, rows)
    for is_ended, mark, colour, name in ((True, "x", "miss", "ended early"), (False, "D", "recommended", "kept")):
        decided = [(row.record.decision, row.record.attempt) for row in rows]
        places = [(d.step, d.value) for d, attempt in decided if d and d.attempt == attempt and d.is_ended == is_ended]
        _marks(ax, places, mark, _colours(ax)[colour], name, fillstyle="none", markeredgewidth=1.5)
    ax.set_xlabel("step")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    return _key(ax)


def _draw_curves(ax: Axes, rows: Sequence[views.Reported]) -> None:
    """All of one look are one line, with gaps: there may be many. A curve of one step is a dot."""
    colours, faint = _colours(ax), 0.35 if len(rows) > _BARS else 0.75
    for look, (name, colour, how) in _CURVES.items():
        steps: List[float] = []
        values: List[float] = []
        for row in rows:
            if row.look == look:
                steps += [*row.curve.steps, math.nan]
                values += [*row.curve.values, math.nan]
        if steps:
            alpha = 1.0 if look in ("best", "running") else faint
            ax.plot(steps, values, color=colours[colour], alpha=alpha, label=name or None, **how)
    dots = [(row.curve.steps[0], row.curve.values[0]) for row in rows if len(row.curve.steps) == 1]
    _marks(ax, dots, ".", colours["value"], "")


def intervals(what: Subject, output: Optional[str] = None, ax: Optional[Axes] = None) -> Axes:
    """The set announced for each trial that the model proposed, and what was measured: outside ones are marked."""
    study = _study(what)
    output, records = views.output_of(study, output), study.records()
    ax = _axes(ax)
    believed = [(r.number, r.beliefs[output]) for r in records if r.origin in JUDGED]
    announced = [(n, b) for n, b in believed if not math.isnan(b.y_low)]
    ax.set_ylabel(_label(study, output))
    if not announced:
        return _say(ax, _NOT_ANNOUNCED)
    first = [r for r in records if output in r.inside]
    values = [r.results[0][output][0] for r in first]
    span = _span([*(end for _, b in announced for end in (b.y_low, b.y_high)), *values])
    _draw_announced(ax, announced, span, f"announced, {_percent(views.level(study))}")
    looks: Tuple[Tuple[bool, str, Dict[str, Any]], ...] = ((False, f", {_BELOW}", _FAINT), (True, "", {}))
    for is_full, words, how in looks:
        rows = [(r, v) for r, v in zip(first, values) if study.space.is_full(r.params) is is_full]
        inside = [(r.number, v) for r, v in rows if r.inside[output]]
        missed = [(r.number, v) for r, v in rows if not r.inside[output]]
        _marks(ax, inside, "o", _colours(ax)["value"], f"inside{words}", **how)
        _marks(
            ax, missed, "x", _colours(ax)["miss"], f"missed{words}", **{"markersize": 7, "markeredgewidth": 2, **how}
        )
    _count_trials(ax, announced[0][0], announced[-1][0])
    ax.set_ylim(*span)
    return _key(ax)


def _draw_announced(ax: Axes, announced: Sequence[Tuple[int, Belief]], span: Tuple[float, float], name: str) -> None:
    """A bar for each set that is not empty, and the means."""
    rows = [(n, b) for n, b in announced if b.y_low <= b.y_high]
    if rows:
        ends = (numpy.clip(column, *span) for column in zip(*((b.y_low, b.y_high) for _, b in rows)))
        how = {"alpha": 0.6, "linewidth": 1.2 if len(rows) > _LINES else 4, "label": name}
        ax.vlines([n for n, _ in rows], *ends, color=_colours(ax)["band"], **how)
    _marks(ax, [(n, b.mean) for n, b in announced], "_", _colours(ax)["ink"], "mean of f", markersize=5)


def _span(values: Iterable[float]) -> Tuple[float, float]:
    """The range of the finite values, with a little room."""
    finite = _finite(values) or [0.0]
    low, high = min(finite), max(finite)
    room = 0.05 * (high - low) or 0.1 * max(1.0, abs(low))
    return low - room, high + room


def calibration(what: Subject, output: Optional[str] = None, ax: Optional[Axes] = None) -> Axes:
    """The coverage so far, the share of the measurements that lay in the set announced for them, against the target 1 -
    alpha; the band holds 95 % of the coverages of calibrated sets. It is counted anew when the study is altered."""
    study = _study(what)
    output, records = views.output_of(study, output), study.records()
    ax = _axes(ax)
    judged = views.judged(study, records, output)
    if not judged:
        return _say(ax, _NOT_JUDGED)
    verdicts, target, colours = [r.inside[output] for r in judged], views.level(study), _colours(ax)
    rounds = range(1, len(judged) + 1)
    shown = sorted({1 + i * (len(judged) - 1) // 200 for i in range(201)})
    low, high = zip(*(views.band(n, target) for n in shown))
    ax.fill_between(
        shown, low, high, color=colours["band"], alpha=0.35, linewidth=0, label="95 % of counts, if on target"
    )
    ax.axhline(target, color=colours["target"], linestyle="--", linewidth=1.2, label=f"target {_percent(target)}")
    ax.plot(
        rounds,
        views.running_coverage(verdicts),
        "-" if len(judged) > _BARS else ".-",
        color=colours["value"],
        label="coverage so far",
    )
    misses = [(n, 0.03) for n, verdict in zip(rounds, verdicts) if not verdict]
    _marks(ax, misses, "x", colours["miss"], "a miss", markersize=5, markeredgewidth=1.6)
    ax.set(
        xlabel="measurements judged",
        ylabel=f"inside their sets{' of ' + output if study.outputs else ''}",
        ylim=(0, 1.02),
        xlim=(0.5, len(judged) + 0.5),
    )
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    is_altered = any(change.kind == "alter" for change in study.changes())
    return _key(ax, *(["since the last alteration"] if is_altered else []))


# ---- the model


def _set_scale(ax: Axes, which: str, name: str, parameter: Any) -> None:
    """The axis of a parameter: its scale, or its values as ticks."""
    getattr(ax, f"set_{which}label")(name)
    axis, limits = getattr(ax, f"{which}axis"), getattr(ax, f"set_{which}lim")
    if views.is_named(parameter):
        texts = [text if len(text) <= 14 else text[:13] + "…" for text in views.texts_of(parameter)]
        turned = {"rotation": 30, "ha": "right"} if which == "x" and sum(map(len, texts)) > 45 else {}
        getattr(ax, f"set_{which}ticks")(range(len(texts)), texts, **turned)
        limits(-0.5, len(texts) - 0.5)
        return
    if parameter.log and parameter.low > 0:
        getattr(ax, f"set_{which}scale")("log")
    elif parameter.log:  # from 0 on: the logarithm of 1 + x
        getattr(ax, f"set_{which}scale")("function", functions=(numpy.log1p, numpy.expm1))
        axis.set_major_locator(FixedLocator([0, *(10.0**k for k in range(int(math.log10(parameter.high)) + 1))]))
    elif isinstance(parameter.low, int):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    room = 0 if parameter.log or len(views.grid(parameter)) > _FEW else 0.5 * views.step_of(parameter)
    limits(parameter.low - room, parameter.high + room)


def _places(parameter: Any, values: Iterable[Any]) -> List[float]:
    """Values of a parameter as positions on its axis."""
    return [parameter.to_number(v) for v in values]


def _hold(model: views.Model, along: Sequence[str], at: views.At, records: Sequence[Record]) -> Union[views.Held, str]:
    """The point that fixes the other parameters, or why there is none yet."""
    try:
        return views.hold(model, along, at, records)
    except StateError as trouble:
        return str(trouble)


def slice(
    what: Subject, parameter: str, at: views.At = None, output: Optional[str] = None, ax: Optional[Axes] = None
) -> Axes:
    """What the model believes along one parameter: its mean, the interval of f, the set of a measurement y; and the
    results, which are the fainter the farther they are from the slice.

    The other parameters are fixed `at` the recommended point, or "best", a trial, or a point.
    """
    model = _model(what)
    output, records = views.output_of(model, output), views.records_of(model)
    held = _hold(model, [parameter], at, records)
    ax = _axes(ax)
    ax.set_ylabel(output)
    if isinstance(held, str):
        return _say(ax, held)
    this = model.space[parameter]
    points = [(v, views.moved(model.space, held, {parameter: v})) for v in views.grid(this)]
    beliefs = views.beliefs_at(model, [p for _, p in points], output)
    near = [r for r in records if views.is_in_range(this, r.params.get(parameter)) and not math.isnan(r.values[output])]
    low, high = _slice_range(beliefs, [r.values[output] for r in near], len(model.space) == 1)
    _set_scale(ax, "x", parameter, this)
    notes = _draw_beliefs(
        ax,
        _places(this, (v for v, _ in points)),
        beliefs,
        (low, high),
        _percent(views.level(model)),
        views.is_named(this),
    )
    notes += _draw_near(ax, model, parameter, held, near, output, (low, high))
    if isinstance(model, Study):
        _bound(ax, model, output, records)
    if parameter not in held.params:
        notes.append(f"other parameters: {held.words}")
    else:
        ax.axvline(
            this.to_number(held.params[parameter]),
            color=_colours(ax)["recommended"],
            linestyle=":",
            linewidth=1.6,
            zorder=1,
            label=held.words,
        )
    ax.set_ylim(low, high)
    return _key(ax, *notes)


def _slice_range(beliefs: Dict[str, List[float]], results: Sequence[float], is_alone: bool) -> Tuple[float, float]:
    """The range of what is believed. Results were measured at other values of the other parameters: they extend it by
    at most its width."""
    believed = _finite(v for key in ("mean", "f_low", "f_high", "y_low", "y_high") for v in beliefs[key])
    if not believed or is_alone:
        return _span([*believed, *results])
    low, high = min(believed), max(believed)
    return _span([low, high, *(min(max(v, 2 * low - high), 2 * high - low) for v in results)])


def _draw_beliefs(
    ax: Axes, x: Sequence[float], beliefs: Dict[str, List[float]], span: Tuple[float, float], share: str, is_named: bool
) -> List[str]:
    """The set of a measurement, the interval of f and its mean. Returns what is to be said."""
    if not _finite(beliefs["mean"]):
        return ["no model: its mean and intervals are not known"]
    for name, part, alpha, width in ((f"a measurement, {share}", "y", 0.35, 9), (f"f, {share}", "f", 0.8, 5)):
        low, high = numpy.array(beliefs[f"{part}_low"]), numpy.array(beliefs[f"{part}_high"])
        is_known = low <= high  # not where it is withheld or empty
        ends = numpy.clip(low, *span), numpy.clip(high, *span)
        words = {"color": _colours(ax)["band"], "alpha": alpha, "label": name}
        if is_named and is_known.any():
            ax.vlines(numpy.array(x)[is_known], *(end[is_known] for end in ends), linewidth=width, **words)
        elif is_known.any():
            ax.fill_between(x, *ends, where=is_known, linewidth=0, **words)
            _outline(ax, x, [numpy.where(is_known, end, math.nan) for end in ends], part)
    ax.plot(x, beliefs["mean"], "_" if is_named else "-", color=_colours(ax)["ink"], markersize=16, label="mean of f")
    return [_WITHHELD] if all(map(math.isnan, beliefs["f_low"])) else []


def _outline(ax: Axes, x: Sequence[float], ends: Sequence[Any], part: str) -> None:
    """The edges of the set of a measurement: it can be narrower than the interval of f, which lies above it."""
    for end in ends if part == "y" else ():
        ax.plot(x, end, "--", color=_colours(ax)["value"], linewidth=0.7, alpha=0.6)


def _faded(colour: str, fars: Iterable[float]) -> List[Tuple[float, ...]]:
    """A colour that is the fainter the farther: 0.44 at a fifth of the range."""
    return [(*matplotlib.colors.to_rgb(colour), 0.12 + 0.88 * math.exp(-((far / 0.2) ** 2))) for far in fars]


def _fars(model: views.Model, records: Sequence[Record], held: views.Held, along: Sequence[str]) -> List[float]:
    """How far results are from the point that fixes the others. Their fidelity does not count: their mark shows it."""
    names = [*along, *filter(None, [model.space.fidelity])]
    return [views.distance(model.space, r.params, held.params, names) for r in records]


def _draw_dots(
    ax: Axes,
    places: Sequence[Tuple[float, float]],
    fars: Sequence[float],
    are_full: Sequence[bool],
    colour: str,
    low: Optional[str] = None,
    edge: Optional[str] = None,
) -> None:
    """Results that are the fainter the farther they are; in the legend as if they were near. Those below full fidelity
    are smaller, and hollow or of the colour `low`."""
    words: Dict[str, Any] = {"linewidths": 0.8, "clip_on": False, "zorder": 3}
    for is_full, name, size, face in ((False, _BELOW, 10, low), (True, "measured", 18, colour)):
        rows = [(*place, far) for place, far, full in zip(places, fars, are_full) if full is is_full]
        if rows:
            x, y, far = zip(*rows)
            faces, edges = _faded(face, far) if face else "none", _faded(edge or colour, far)
            ax.scatter(x, y, size, facecolors=faces, edgecolors=edges, **words)
            ax.scatter([], [], size, facecolors=face or "none", edgecolors=edge or colour, label=name, **words)


def _draw_near(
    ax: Axes,
    model: views.Model,
    parameter: str,
    held: views.Held,
    near: Sequence[Record],
    output: str,
    span: Tuple[float, float],
) -> List[str]:
    this = model.space[parameter]
    shown = [r for r in near if span[0] <= r.values[output] <= span[1]]
    if shown:
        fars = _fars(model, shown, held, [parameter])
        x = [v + (0.15 if views.is_named(this) else 0) for v in _places(this, (r.params[parameter] for r in shown))]
        places = list(zip(x, (r.values[output] for r in shown)))
        _draw_dots(ax, places, fars, [model.space.is_full(r.params) for r in shown], _colours(ax)["value"])
    hidden = len(near) - len(shown)
    return [f"{hidden} result{' is' if hidden == 1 else 's are'} beyond"] if hidden else []


def contour(
    what: Subject, a: str, b: str, at: views.At = None, output: Optional[str] = None, ax: Optional[Axes] = None
) -> Axes:
    """The model's mean over two parameters, `a` across and `b` up, with the results; for `at` see `slice`."""
    model = _model(what)
    output, records = views.output_of(model, output), views.records_of(model)
    if a == b:
        raise ArgumentError(f"a contour takes two parameters, got {a!r} twice")
    held = _hold(model, [a, b], at, records)
    ax = _axes(ax)
    ax.set(xlabel=a, ylabel=b)
    if isinstance(held, str):
        return _say(ax, held)
    across, up = model.space[a], model.space[b]
    columns, rows = views.grid(across, _MAP), views.grid(up, _MAP)
    points = [views.moved(model.space, held, {a: x, b: y}) for y in rows for x in columns]
    mean = numpy.array(views.beliefs_at(model, points, output)["mean"]).reshape(len(rows), len(columns))
    if not numpy.isfinite(mean).any():
        return _say(ax, "there is no model yet" if records else _NO_RESULT)
    _set_scale(ax, "x", a, across)
    _set_scale(ax, "y", b, up)
    _draw_map(
        ax,
        _places(across, columns),
        _places(up, rows),
        mean,
        f"mean of {output}",
        views.is_named(across) or views.is_named(up),
    )
    results = [
        r
        for r in records
        if r.results and views.is_in_range(across, r.params.get(a)) and views.is_in_range(up, r.params.get(b))
    ]
    return _key(ax, *_draw_on_map(ax, model, (a, b), held, results))


def _draw_map(ax: Axes, x: Sequence[float], y: Sequence[float], mean: Any, label: str, is_named: bool) -> None:
    mesh = ax.pcolormesh(x, y, mean, cmap="viridis", shading="nearest", rasterized=True)
    if not is_named and len(x) > 1 and len(y) > 1 and numpy.nanmax(mean) > numpy.nanmin(mean):
        ax.contour(x, y, mean, 8, colors="white", linewidths=0.6, alpha=0.7)
    ax.figure.colorbar(mesh, ax=ax, label=label)


def _draw_on_map(
    ax: Axes, model: views.Model, names: Tuple[str, str], held: views.Held, results: Sequence[Record]
) -> List[str]:
    """Results and the point that fixes the others. Returns what is to be said."""

    def place(params: Dict[str, Any]) -> Tuple[float, float]:
        a, b = (model.space[name].to_number(params[name]) for name in names)
        return a, b

    if results:
        fars = _fars(model, results, held, names)
        are_full = [model.space.is_full(r.params) for r in results]
        _draw_dots(ax, [place(r.params) for r in results], fars, are_full, "white", "#98a1ae", "#14181f")
    if any(name not in held.params for name in names):
        return [f"other parameters: {held.words}"]
    how = {"markeredgecolor": "white", "markersize": 11, "clip_on": False, "zorder": 4}
    x, y = place(held.params)
    _marks(ax, [(x, y)], "X", _LIGHT["recommended"], held.words, **how)
    return []


def importance(what: Subject, output: Optional[str] = None, ax: Optional[Axes] = None) -> Axes:
    """The share of the variance of the model's mean that each parameter explains, with its interactions and alone."""
    model = _model(what)
    output, ax = views.output_of(model, output), _axes(ax)
    total, alone = model.importance(output), model.importance(output, alone=True)
    ax.set_xlabel(f"share of the variance of the mean of {output}")
    if not _finite(total.values()):
        return _say(ax, "there is no model yet, or its mean is constant")
    names = sorted(total, key=lambda name: total[name])
    colours = _colours(ax)
    ax.barh(names, [total[name] for name in names], height=0.6, color=colours["band"], label="with interactions")
    ax.barh(names, [alone[name] for name in names], height=0.3, color=colours["value"], label="alone")
    ax.set_xlim(0, max(1, *total.values()))
    ax.xaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    return _key(ax)


# ---- several objectives


def pareto(what: Subject, a: Optional[str] = None, b: Optional[str] = None, ax: Optional[Axes] = None) -> Axes:
    """Two objectives, by default the first two: the points measured, the measured front, and the front that the model
    believes, with its intervals of f. Points that break a constraint are squares."""
    model = _model(what)
    pair, ax = _pair(model, a, b), _axes(ax)
    points = views.measured_points(model, views.records_of(model))
    front, believed = model.front(), _believed_front(model)
    measured = [p.values for p in points] + [p.values for p in front]
    for which, name in zip("xy", pair):
        lower, higher = ("←", "→") if which == "x" else ("↓", "↑")
        label = _label(model, name)
        getattr(ax, f"set_{which}label")(f"{label} {higher}" if views.is_maximized(model, name) else f"{lower} {label}")
        if _is_log(model, name, [values[name] for values in measured]):
            getattr(ax, f"set_{which}scale")("log")
    if not any(math.isfinite(values[pair[0]] + values[pair[1]]) for values in measured):
        return _say(ax, "there is no result with both objectives yet")
    _draw_dominated(ax, model, pair, points, front)
    reference = model.reference()
    if len(views.objectives(model)) == 2 and front:
        _draw_stairs(ax, model, pair, [p.values for p in front], reference)
    colours = _colours(ax)
    _marks(
        ax,
        [(p.values[pair[0]], p.values[pair[1]]) for p in front],
        "o",
        colours["best"],
        "measured front",
        markersize=7,
    )
    notes = _draw_believed(ax, model, pair, believed)
    if all(math.isfinite(reference[name]) for name in pair):
        _marks(ax, [(reference[pair[0]], reference[pair[1]])], "D", colours["target"], "reference point", markersize=6)
    return _key(ax, *notes)


def _pair(model: views.Model, a: Optional[str], b: Optional[str]) -> Tuple[str, str]:
    names = views.objectives(model)
    if len(names) < 2:
        raise ArgumentError(f"a front needs two objectives, and there is one: {names[0]}")
    for name in (a, b):
        if name is not None and name not in names:
            raise ArgumentError(f"{name!r} is not an objective; the objectives are {', '.join(names)}")
    a = a or next(name for name in names if name != b)
    b = b or next(name for name in names if name != a)
    if a == b:
        raise ArgumentError(f"a front needs two objectives, got {a!r} twice")
    return a, b


def _believed_front(model: views.Model) -> List[FrontPoint]:
    try:
        return model.front(believed=True)
    except StateError:  # there is no model yet
        return []


def _draw_dominated(
    ax: Axes, model: views.Model, pair: Tuple[str, str], points: Sequence[views.Measured], front: Sequence[FrontPoint]
) -> None:
    """The points that are not on the front."""
    colours, on_front = _colours(ax), {views.same_point(p.params) for p in front}
    others = [p for p in points if views.same_point(p.params) not in on_front]
    unknown = (
        ("feasibility unknown", "o", "value", "none")
        if views.bounds(model, [])
        else ("dominated", "o", "value", "full")
    )
    looks = {
        False: ("breaks a constraint", "s", "infeasible", "none"),
        None: unknown,
        True: ("feasible", "o", "value", "full"),
    }
    for feasible, (name, mark, colour, style) in looks.items():
        places = [(p.values[pair[0]], p.values[pair[1]]) for p in others if p.feasible is feasible]
        _marks(ax, places, mark, colours[colour], name, fillstyle=style, alpha=0.75)


def _draw_stairs(
    ax: Axes, model: views.Model, pair: Tuple[str, str], front: Sequence[Dict[str, float]], reference: Dict[str, float]
) -> None:
    """The edge of what the measured front dominates: from the best value of `a` on, `b` improves in steps; the ends
    reach to the reference point."""
    signs = [-1 if views.is_maximized(model, name) else 1 for name in pair]
    rows = sorted(((v[pair[0]], v[pair[1]]) for v in front), key=lambda row: signs[0] * row[0])
    end_x, end_y = reference[pair[0]], reference[pair[1]]
    if signs[1] * (end_y - rows[0][1]) > 0:
        rows.insert(0, (rows[0][0], end_y))
    if signs[0] * (end_x - rows[-1][0]) > 0:
        rows.append((end_x, rows[-1][1]))
    ax.step(
        [x for x, _ in rows],
        [y for _, y in rows],
        where="post",
        color=_colours(ax)["best"],
        linewidth=1.4,
        label="edge of what it dominates",
    )


def _draw_believed(ax: Axes, model: views.Model, pair: Tuple[str, str], believed: Sequence[FrontPoint]) -> List[str]:
    """Crosses as wide and as high as the intervals of f. Returns what is to be said."""
    beliefs = [[p.beliefs[name] for name in pair] for p in believed]
    beliefs = [both for both in beliefs if all(math.isfinite(b.mean) for b in both)]
    if not beliefs:
        return ["no believed front: there is no model yet"]
    colour, is_withheld = _colours(ax)["recommended"], any(math.isnan(b.f_low) for both in beliefs for b in both)
    x, y = ([both[k].mean for both in beliefs] for k in (0, 1))
    words = "believed front" if is_withheld else f"believed front, f {_percent(views.level(model))}"
    ax.plot(x, y, "x", color=colour, markersize=6, markeredgewidth=1.5, label=words)
    if is_withheld:
        return [_WITHHELD]
    for lines, place, k in ((ax.hlines, y, 0), (ax.vlines, x, 1)):
        lines(
            place,
            [both[k].f_low for both in beliefs],
            [both[k].f_high for both in beliefs],
            color=colour,
            alpha=0.45,
            linewidth=0.9,
        )
    return []


# ---- all of them


def overview(what: Subject) -> Any:
    """A Figure of the ones that have something to show: the front or the history, curves, calibration, importance,
    slices along the parameters that matter most, a contour over two of them."""
    study = _study(what)
    drawings = _useful(study)
    columns = min(3, len(drawings))
    rows = -(-len(drawings) // columns)
    size = (5.4 * columns, 3.9 * rows)
    figure, axes = pyplot.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    for ax, draw in zip(axes.flat, drawings):
        draw(ax)
    for ax in list(axes.flat)[len(drawings) :]:
        ax.set_axis_off()
    counts = [f"{n} {state.lower()}" for state, n in study.status().states.items() if n]
    figure.suptitle(f"{study.name}: {', '.join(counts) or 'no trial yet'}")
    return figure


def _useful(study: Study) -> List[Callable[[Axes], Axes]]:
    found: List[Callable[[Axes], Axes]] = []
    if len(views.objectives(study)) > 1:
        found.append(lambda ax: pareto(study, ax=ax))
    found.append(lambda ax: history(study, ax=ax))
    output, records = views.output_of(study, None), study.records()
    if views.reported(study, records):
        found.append(lambda ax: curves(study, ax=ax))
    if views.judged(study, records, output):
        found.append(lambda ax: calibration(study, ax=ax))
    shares = {
        name: share
        for name, share in study.importance().items()
        if math.isfinite(share) and study.space[name].frozen is None
    }
    names = sorted(shares, key=lambda name: -shares[name])[:2]
    if len(shares) > 1:
        found.append(lambda ax: importance(study, ax=ax))
    found += [lambda ax, name=name: slice(study, name, ax=ax) for name in names]  # type: ignore[misc]
    if len(names) == 2 and len(found) < 6:
        found.append(lambda ax: contour(study, names[0], names[1], ax=ax))
    return found
