"""Figures and pieces of HTML: what is drawn, compared with the numbers of the study and of `locbo plot --csv`."""
import csv
import io
import math
import os
import random
import re
import subprocess
import sys
import warnings

import pytest

pyplot = pytest.importorskip("matplotlib.pyplot")

import locbo  # noqa: E402
from locbo import Bool, Choice, Float, Int, Optimizer, Output, Space, figures, html, views  # noqa: E402

PROGRAM = os.path.join(os.environ["BUILD"], "locbo")
SPACE = Space(x=Float(-5, 10), lr=Float(1e-5, 1, log=True), mode=Choice("fast", "exact"))


@pytest.fixture(autouse=True)
def closed():
    """Warnings of the drawing are errors, and no figure stays."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        yield
    pyplot.close("all")


def fill(study, objective, trials):
    for _ in range(trials):
        trial = study.ask()
        result = objective(**trial.params)
        if result is None:
            study.tell_failed(trial, "too hot")
        else:
            study.tell(trial, result)
    return study


def noisy(seed=1):
    draw = random.Random(seed)

    def objective(x, lr, mode):
        if x > 9:
            return None
        return (x - 2) ** 2 / 10 + (math.log10(lr) + 3) ** 2 + (mode == "fast") / 2 + draw.gauss(0, 0.5)

    return objective


def one(url, trials=30, **words):
    return fill(locbo.create(url, "one", SPACE, seed=1, **words), noisy(), trials)


def two(url, trials=20, name="two"):
    draw = random.Random(2)
    outputs = {"loss": "minimize", "gain": "maximize", "memory": Output(at_most=1.2)}
    study = locbo.create(url, name, Space(a=Float(0, 1), b=Float(0, 1)), outputs=outputs, seed=2)

    def objective(a, b):
        return {
            "loss": a * a + b + draw.gauss(0, 0.05),
            "gain": 3 * (a + b / 3) + draw.gauss(0, 0.05),
            "memory": a + b + draw.gauss(0, 0.02),
        }

    return fill(study, objective, trials)


def conditional(url, trials=20):
    space = Space(
        kernel=Choice("rbf", "linear"),
        gamma=Float(1e-4, 10, log=True, when={"kernel": "rbf"}),
        rank=Int(1, 4, when={"kernel": "linear"}),
        c=Float(0.01, 100, log=True),
    )

    def objective(kernel, c, gamma=1.0, rank=2):
        return (kernel == "linear") + abs(math.log10(c)) / 3 + abs(math.log10(gamma) + 1) / 5 + rank / 10

    return fill(locbo.create(url, "conditional", space, seed=3), objective, trials)


def plot(url, study, *words):
    """The numbers of the same figure by the program, as rows."""
    command = [PROGRAM, "plot", *words, "--csv", "--db", url, "--name", study.name]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def labelled(ax, name):
    """The line or collection of this label."""
    found = [a for a in [*ax.lines, *ax.collections] if a.get_label() == name]
    assert len(found) == 1, [a.get_label() for a in [*ax.lines, *ax.collections]]
    return found[0]


def data(ax, name):
    """(x, y) of each point of a line."""
    return [(float(x), float(y)) for x, y in labelled(ax, name).get_xydata()]


def labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()] if ax.get_legend() else []


def words_in(ax):
    return " ".join(text.get_text().replace("\n", " ") for text in ax.texts)


def dots(ax):
    """The places of the faded results: the collection before the one that only the legend shows."""
    index = list(ax.collections).index(labelled(ax, "measured"))
    return [(float(x), float(y)) for x, y in ax.collections[index - 1].get_offsets()]


# ---- trial by trial


def test_history_has_every_value_and_the_best_so_far(url):
    study = one(url)
    ax, rows = figures.history(study), plot(url, study, "history")
    names = {"design": "initial design", "model": "proposed", "explore": "exploring", "again": "measured again"}
    for origin in {row["origin"] for row in rows}:
        wanted = [(float(r["trial"]), float(r["value"])) for r in rows if r["origin"] == origin and r["value"]]
        assert data(ax, names[origin]) == wanted
    steps = data(ax, "best so far")
    for row in rows:
        so_far = [value for trial, value in steps if trial <= int(row["trial"])]
        assert so_far[-1:] == ([float(row["best"])] if row["best"] else [])
    assert [x for x, _ in data(ax, "failed")] == [int(r["trial"]) for r in rows if r["state"] == "FAILED"] != []
    assert ax.get_ylabel() == "value (minimize)"


def test_results_below_full_fidelity_are_marked(url):
    space = Space(x=Float(0, 1), w=Float(0, 1), epochs=Int(1, 27, log=True, fidelity=True), cost="epochs")
    study = locbo.create(url, "low", space, seed=1)
    fill(study, lambda x, w, epochs: (x - 0.3) ** 2 + w + 0.2 / epochs, 24)
    records = study.records()
    below = [(r.number, r.values["value"]) for r in records if r.params["epochs"] < 27]
    ax, rows = figures.history(study), plot(url, study, "history")
    assert data(ax, "below full fidelity") == below
    assert [int(r["trial"]) for r in rows if r["below"] == "true"] == [number for number, _ in below]
    assert sum(len(data(ax, name)) for name in ("initial design", "proposed")) == len(records) - len(below)
    ax = figures.intervals(study)
    judged = [r.number for r in records if "value" in r.inside and r.params["epochs"] < 27]
    shown = [name for name in labels(ax) if name.endswith(", below full fidelity")]
    assert sorted(x for name in shown for x, _ in data(ax, name)) == judged != []
    for ax in figures.slice(study, "x"), figures.contour(study, "x", "w"):
        assert {"measured", "below full fidelity"} <= set(labels(ax))
    assert len(labelled(figures.slice(study, "x"), "below full fidelity").get_facecolors()) == 0  # hollow


def test_history_of_outputs_with_a_bound(url):
    study = two(url)
    ax, rows = figures.history(study, "memory"), plot(url, study, "history", "--output-name", "memory")
    assert "best so far" not in labels(ax)
    assert {y for _, y in data(ax, "bound, at most 1.2")} == {1.2}
    broken = [float(r["trial"]) for r in rows if r["feasible"] == "false"]
    assert [x for x, _ in data(ax, "breaks a constraint")] == broken != []
    ax, rows = figures.history(study), plot(url, study, "history")
    steps = data(ax, "best so far")
    assert {v for _, v in steps} == {float(r["best"]) for r in rows if r["best"]}


def test_the_best_so_far_is_by_point(url):
    study = locbo.create(url, "points", {"x": Float(0, 1)}, seed=1)
    study.import_results([({"x": 0.5}, 3.0), ({"x": 0.25}, 2.0), ({"x": 0.25}, 8.0)], again=True)
    assert data(figures.history(study), "best so far") == [(1, 3.0), (3, 3.0)]
    ax = figures.history(
        fill(locbo.create(url, "up", {"x": Float(0, 1)}, direction="maximize", seed=1), lambda x: x, 6)
    )
    values = [v for _, v in data(ax, "best so far")]
    assert values == sorted(values) and ax.get_ylabel() == "value (maximize)"


def test_the_best_so_far_keeps_to_the_constraints(url):
    outputs = {"loss": "minimize", "memory": Output(at_most=1)}
    study = locbo.create(url, "bound", {"x": Float(0, 1)}, outputs=outputs, seed=1)
    told = [{"loss": 1, "memory": 2}, {"loss": 3, "memory": 0.5}, {"loss": 2, "memory": 1}, {"loss": 0.5}]
    study.import_results([({"x": i / 10}, result) for i, result in enumerate(told)])
    ax = figures.history(study)
    assert data(ax, "best so far") == [(2, 3), (3, 2), (4, 2)]
    assert data(ax, "breaks a constraint") == [(1, 1)]


def with_steps(url):
    """Ten complete trials, one ended early, one kept, one that runs and one that failed."""
    study = locbo.create(url, "steps", {"x": Float(0, 1)}, method="random", seed=3, prune="risk")
    kept = []
    while not kept or study.status().states["PRUNED"] == 0:
        trial = study.ask()
        good = study.status().states["COMPLETE"] < 10
        if not study.report_steps(trial, [(step, trial.number + (0 if good else 50)) for step in (1, 2, 4, 5)]):
            study.tell(trial, float(trial.number))
            kept += [] if good else [trial.number]
    study.report(study.ask(), 1, 3.0)
    failed = study.ask()
    study.report(failed, 1, 3.0)
    study.tell_failed(failed, "no")
    return study


def test_curves(url):
    study = with_steps(url)
    ax, records = figures.curves(study), study.records()
    ended = [r.decision for r in records if r.decision and r.decision.is_ended]
    kept = [r.decision for r in records if r.decision and not r.decision.is_ended]
    assert data(ax, "ended early") == [(d.step, d.value) for d in ended] and ended
    assert data(ax, "kept") == [(d.step, d.value) for d in kept] and kept
    assert data(ax, "the best")[:4] == [(1, 1.0), (2, 1.0), (4, 1.0), (5, 1.0)]
    assert data(ax, "running")[0] == data(ax, "without a result")[0] == (1, 3.0)
    assert len(data(ax, "complete")) == 9 * 5  # of nine four points each, and a gap
    marked = [x for x, _ in data(figures.history(study), "ended early")]
    assert marked == [r.number for r in records if r.state == "PRUNED"]
    assert figures.overview(study).axes[1].get_xlabel() == "step"
    shown = plain(study._repr_html_())
    assert f"{len(ended)} pruned" in shown and f"{len(ended)} of {10 + len(ended) + len(kept)} evaluations" in shown
    assert "estimated share of mistaken ends" in shown


def test_a_study_without_steps_has_no_curves(url):
    study = one(url, 3)
    assert "no evaluation has reported steps" in words_in(figures.curves(study))
    assert "ended early" not in study._repr_html_()


def test_a_bound_that_is_relative_to_a_trial(url):
    outputs = {"loss": "minimize", "memory": Output(at_most=1.5, times_trial=1)}
    study = locbo.create(url, "relative", {"x": Float(0, 1)}, outputs=outputs, seed=1)
    study.import_results([({"x": i / 10}, {"loss": -i, "memory": 2 + i}) for i in range(4)])
    ax = figures.history(study, "memory")
    assert {y for _, y in data(ax, "bound, at most 1.5 × trial 1")} == {3}
    assert data(ax, "breaks a constraint") == [(3, 4), (4, 5)]


def test_intervals_and_what_was_missed(url):
    study = one(url)
    ax, rows = figures.intervals(study), plot(url, study, "intervals")
    bars = {s[0][0]: (s[0][1], s[1][1]) for s in labelled(ax, "announced, 80 %").get_segments()}
    low, high = ax.get_ylim()
    for row in rows:
        wanted = [min(max(float(row[end]), low), high) for end in ("low", "high")]
        assert bars[float(row["trial"])] == pytest.approx(wanted)
    for name, miss in (("inside", "false"), ("missed", "true")):
        assert data(ax, name) == [(float(r["trial"]), float(r["value"])) for r in rows if r["miss"] == miss] != []


def test_intervals_judge_the_first_result_with_its_own_noise(url):
    study = one(url, 12)
    trial = study.ask()
    belief = study.record(trial).beliefs["value"]
    beyond = belief.y_high + 0.1 * (belief.y_high - belief.mean)
    study.tell(trial, beyond, sd=10 * belief.sd_y)
    ax, rows = figures.intervals(study), plot(url, study, "intervals")
    inside = [(float(r["trial"]), float(r["value"])) for r in rows if r["miss"] == "false"]
    assert data(ax, "inside") == inside and (trial.number, beyond) in inside


def test_coverage_is_that_of_the_summary_and_of_the_program(url):
    study = one(url)
    ax = figures.calibration(study)
    rows = [r for r in plot(url, study, "calibration") if r["part"] == "running"]
    assert data(ax, "coverage so far") == [(float(r["round"]), float(r["share"])) for r in rows]
    assert data(ax, "coverage so far")[-1][1] == pytest.approx(study.summary().coverage, abs=1e-15)
    assert [x for x, _ in data(ax, "a miss")] == [float(r["round"]) for r in rows if r["miss"] == "true"] != []
    assert {y for _, y in data(ax, "target 80 %")} == {0.8}
    for row in rows:
        assert views.band(int(row["round"]), 0.8) == (float(row["low"]), float(row["high"]))


def test_coverage_of_another_output(url):
    study = two(url)
    ax = figures.calibration(study, "memory")
    rows = [r for r in plot(url, study, "calibration", "--output-name", "memory") if r["part"] == "running"]
    assert [y for _, y in data(ax, "coverage so far")] == [float(r["share"]) for r in rows] != []
    assert ax.get_ylabel() == "inside their sets of memory"


def test_coverage_is_counted_anew_after_an_alteration(url):
    study = one(url, 15)
    space = Space(x=Float(-5, 8), lr=Float(1e-5, 1, log=True), mode=Choice("fast", "exact"))
    study.alter(space=space)
    assert "nothing to judge yet" in words_in(figures.calibration(study))
    fill(study, noisy(5), 5)
    ax = figures.calibration(study)
    rows = [r for r in plot(url, study, "calibration") if r["part"] == "running"]
    assert data(ax, "coverage so far") == [(float(r["round"]), float(r["share"])) for r in rows]
    assert "since the last alteration" in labels(ax) and len(rows) <= 5
    assert data(figures.history(study), "altered")[0][0] == 15.5
    figures.slice(study, "x")
    figures.contour(study, "x", "lr")


# ---- the model


def test_a_slice_has_the_beliefs_of_the_program(url):
    study = one(url)
    ax, rows = figures.slice(study, "x"), plot(url, study, "slice", "--parameter", "x")
    mean = dict(data(ax, "mean of f"))
    for row in (rows[0], rows[100], rows[200]):
        assert mean[float(row["x"])] == pytest.approx(float(row["mean"]), rel=1e-9)
    band = labelled(ax, "f, 80 %").get_paths()[0].vertices
    low = float(rows[0]["f_low"])
    assert any(abs(x + 5) < 1e-9 and y == pytest.approx(low, rel=1e-9) for x, y in band)
    assert {x for x, _ in data(ax, "recommended")} == {study.recommend().params["x"]}
    assert "a measurement, 80 %" in labels(ax)
    places = {(r.params["x"], r.values["value"]) for r in study.records() if r.results}
    hidden = sum(int(re.match(r"(\d+) results? (is|are) beyond", text)[1]) for text in labels(ax) if "beyond" in text)
    assert set(dots(ax)) <= places and len(dots(ax)) + hidden == len(places)


def test_a_slice_through_other_points(url):
    study = one(url, 12)
    best, trial = study.best(), study.record(3)
    point = {"x": 1.0, "lr": 0.1, "mode": "fast"}
    for at, words, x in (
        ("best", "best", best.params["x"]),
        (3, "trial 3", trial.params["x"]),
        (point, "the point given", 1),
    ):
        ax = figures.slice(study, "x", at=at)
        assert {v for v, _ in data(ax, words)} == {x}
    believed = study.predict(dict(point, x=-5.0)).mean
    assert data(ax, "mean of f")[0] == (-5, pytest.approx(believed))


def test_scales_and_categories(url):
    study = one(url, 12)
    assert figures.slice(study, "lr").get_xscale() == "log"
    ax = figures.slice(study, "mode")
    assert [text.get_text() for text in ax.get_xticklabels()] == ["fast", "exact"]
    assert len(labelled(ax, "f, 80 %").get_segments()) == 2
    ax = figures.contour(study, "mode", "lr")
    assert ax.get_yscale() == "log" and ax.collections[0].get_array().size == 2 * 41


def test_a_parameter_from_zero_on_a_log_scale():
    optimizer = Optimizer(Space(n=Int(0, 1000, log=True), on=Bool()), seed=1)
    for _ in range(8):
        trial = optimizer.ask()
        optimizer.tell(trial, math.log1p(trial.params["n"]) + trial.params["on"])
    ax = figures.slice(optimizer, "n")
    assert ax.get_xscale() == "function" and data(ax, "mean of f")[0][0] == 0
    assert list(ax.get_xticks()) == [0, 1, 10, 100, 1000]
    assert "measured" not in labels(ax)
    assert [text.get_text() for text in figures.slice(optimizer, "on").get_xticklabels()] == ["false", "true"]
    figures.contour(optimizer, "n", "on")
    figures.importance(optimizer)


def test_a_contour_has_the_means_of_the_program(url):
    study = one(url, 20)
    ax, rows = figures.contour(study, "x", "lr"), plot(url, study, "contour", "--x", "x", "--y", "lr")
    mean = ax.collections[0].get_array().reshape(41, 41)
    assert mean[0][0] == pytest.approx(float(rows[0]["mean"]), rel=1e-9)
    assert mean[-1][-1] == pytest.approx(float(rows[-1]["mean"]), rel=1e-9)
    chosen = study.recommend().params
    assert data(ax, "recommended") == [(chosen["x"], chosen["lr"])]
    assert len(dots(ax)) == len([r for r in study.records() if r.results])


def test_importance(url):
    study = one(url, 20)
    ax, rows = figures.importance(study), plot(url, study, "importance")
    total, alone = ({bar.get_y() + bar.get_height() / 2: bar.get_width() for bar in bars} for bars in ax.containers)
    ticks = [text.get_text() for text in ax.get_yticklabels()]
    for row in rows:
        place = ticks.index(row["name"])
        assert total[place] == pytest.approx(float(row["total"])) and alone[place] == pytest.approx(float(row["first"]))
    assert labels(ax) == ["with interactions", "alone"]


def test_conditional_parameters_where_they_are_active(url):
    study = conditional(url)
    ax, rows = figures.slice(study, "rank"), plot(url, study, "slice", "--parameter", "rank")
    assert [(x, pytest.approx(y, rel=1e-9)) for x, y in data(ax, "mean of f")] == [
        (float(r["rank"]), float(r["mean"])) for r in rows
    ]
    active = [r for r in study.records() if "rank" in r.params]
    shown = {x for x, _ in dots(ax)}
    assert shown <= {r.params["rank"] for r in active} and 0 < len(dots(ax)) <= len(active) < 20
    best = min(active, key=lambda r: r.values["value"])
    chosen = study.recommend().params["kernel"]
    assert (f"trial {best.number}" if chosen == "rbf" else "recommended") in labels(ax)
    mean = figures.contour(study, "kernel", "gamma").collections[0].get_array().reshape(-1, 2)
    assert mean[:, 1].mask.all() and not mean[:, 0].mask.any()
    with pytest.raises(locbo.ArgumentError, match="rank cannot be active at the point given"):
        figures.slice(study, "rank", at={"kernel": "rbf", "gamma": 1, "c": 1})


def test_known_constraints_leave_holes():
    optimizer = Optimizer(Space(a=Float(0, 1), b=Float(0, 1), constraints=["a + b <= 1"]), seed=1)
    for _ in range(8):
        trial = optimizer.ask()
        optimizer.tell(trial, trial.params["a"] - trial.params["b"])
    mean = figures.contour(optimizer, "a", "b").collections[0].get_array().reshape(41, 41)
    assert not mean.mask[0][0] and mean.mask[-1][-1]


def test_a_withheld_interval_is_not_drawn_and_said(url):
    study = fill(locbo.create(url, "few", {"x": Float(0, 1)}, seed=1), lambda x: (x - 0.3) ** 2, 3)
    ax = figures.slice(study, "x")
    assert "interval of f withheld: fewer than 5 results" in labels(ax)
    assert "mean of f" in labels(ax) and not any(text.startswith("f,") for text in labels(ax))


def test_sets_that_are_empty_or_have_no_end(url, monkeypatch):
    study = one(url, 12)
    believe = views.beliefs_at

    def strange(*arguments):
        found = believe(*arguments)
        found["y_low"][0], found["y_high"][0] = 1.0, 0.0
        found["y_high"][-1] = math.inf
        return found

    monkeypatch.setattr(views, "beliefs_at", strange)
    ax = figures.slice(study, "mode")
    (segment,) = labelled(ax, "a measurement, 80 %").get_segments()
    assert segment[0][0] == 1 and segment[1][1] == ax.get_ylim()[1]


# ---- several objectives


def test_the_fronts_are_those_of_the_program(url):
    study = two(url)
    ax, rows = figures.pareto(study), plot(url, study, "pareto")

    def wanted(**kind):
        found = [r for r in rows if r["loss"] and all(r[k] == v for k, v in kind.items())]
        return sorted((float(r["loss"]), float(r["gain"])) for r in found)

    assert sorted(data(ax, "measured front")) == wanted(front="true") != []
    assert sorted(data(ax, "feasible")) == wanted(front="false", feasible="true") != []
    assert sorted(data(ax, "breaks a constraint")) == wanted(front="false", feasible="false") != []
    means = sorted((float(r["loss.mean"]), float(r["gain.mean"])) for r in rows if r["believed"] == "true")
    assert sorted(data(ax, "believed front, f 80 %")) == [pytest.approx(pair, rel=1e-9) for pair in means]
    reference = study.reference()
    assert data(ax, "reference point") == [(reference["loss"], reference["gain"])]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("← loss (minimize)", "gain (maximize) ↑")
    stairs = labelled(ax, "edge of what it dominates").get_xydata()
    assert set(wanted(front="true")) <= {(float(x), float(y)) for x, y in stairs}
    turned = figures.pareto(study, "gain", "loss")
    assert sorted(data(turned, "measured front")) == sorted((b, a) for a, b in wanted(front="true"))
    assert "middle of the front" in labels(figures.slice(study, "a"))


def test_a_slice_through_the_middle_of_either_front(url):
    study = two(url)
    for at, believed in ((None, True), ("best", False)):
        front = study.front(believed)
        ((x, _), _) = data(figures.slice(study, "a", at=at), "middle of the front")
        ranges = {n: [p.beliefs[n].mean for p in front] for n in ("loss", "gain")}

        def far(p):
            loss = (p.beliefs["loss"].mean - min(ranges["loss"])) / (max(ranges["loss"]) - min(ranges["loss"]))
            gain = (max(ranges["gain"]) - p.beliefs["gain"].mean) / (max(ranges["gain"]) - min(ranges["gain"]))
            return loss**2 + gain**2

        assert x == min(front, key=far).params["a"]
        (row,) = plot(url, study, "slice", "--parameter", "a", *(["--at", at] if at else []))[:1]
        mean = data(figures.slice(study, "a", at=at), "mean of f")[0][1]
        assert mean == pytest.approx(float(row["mean"]), rel=1e-9)


def test_a_front_needs_two_objectives(url):
    with pytest.raises(locbo.ArgumentError, match="a front needs two objectives, and there is one: value"):
        figures.pareto(one(url, 2))
    study = two(url, 2)
    with pytest.raises(locbo.ArgumentError, match="'memory' is not an objective; the objectives are loss, gain"):
        figures.pareto(study, "memory")
    with pytest.raises(locbo.ArgumentError, match="got 'loss' twice"):
        figures.pareto(study, "loss", "loss")
    assert "no believed front: there is no model yet" in labels(figures.pareto(two(url, 1, "first")))


def test_an_optimizer_with_two_objectives():
    outputs = {"a": "minimize", "b": Output("minimize", scale="log")}
    optimizer = Optimizer({"x": Float(0, 1)}, outputs=outputs, seed=1)
    for _ in range(8):
        trial = optimizer.ask()
        optimizer.tell(trial, {"a": trial.params["x"], "b": 0.01 + (1 - trial.params["x"]) ** 2})
    ax = figures.pareto(optimizer)
    assert (ax.get_xscale(), ax.get_yscale()) == ("linear", "log")
    assert data(ax, "measured front") == [(p.values["a"], p.values["b"]) for p in optimizer.front()]


# ---- nothing, little, and wrong words


def every_figure(study):
    name = list(study.space)[0]
    return [
        figures.history(study),
        figures.intervals(study),
        figures.calibration(study),
        figures.importance(study),
        figures.slice(study, name),
        *figures.overview(study).axes[:1],
    ]


def test_without_results_each_figure_says_so(url):
    study = locbo.create(url, "none", {"x": Float(0, 1), "y": Float(0, 1)}, seed=1)
    said = [words_in(ax) for ax in [*every_figure(study), figures.contour(study, "x", "y")]]
    wanted = ["no result yet", "no interval was announced", "nothing to judge", "no model yet", *["no result yet"] * 3]
    assert all(part in text for part, text in zip(wanted, said)), said
    assert pyplot.gcf().get_axes() and "no trial yet" in figures.overview(study)._suptitle.get_text()
    study.ask()
    assert "no result yet" in words_in(figures.history(study))


def test_with_one_result(url):
    study = fill(locbo.create(url, "single", {"x": Float(0, 1)}, seed=1), lambda x: x, 1)
    axes = every_figure(study)
    assert len(data(axes[0], "best so far")) == 2
    assert "no model: its mean and intervals are not known" in labels(axes[4])


def test_without_a_model(url):
    study = fill(locbo.create(url, "random", {"x": Float(0, 1)}, method="random", seed=1), lambda x: x, 8)
    axes = every_figure(study)
    assert "no interval was announced" in words_in(axes[1]) and "no model yet" in words_in(axes[3])
    assert len(dots(axes[4])) == 8


def test_only_failures(url):
    study = fill(locbo.create(url, "failed", {"x": Float(0, 1)}, seed=1), lambda x: None, 4)
    axes = every_figure(study)
    assert [x for x, _ in data(axes[0], "failed")] == [1, 2, 3, 4]
    assert study._repr_html_().count("failed") >= 4


def test_overview_has_the_useful_ones(url):
    single, several = figures.overview(one(url, 15)), figures.overview(two(url, 15))
    assert [ax.get_xlabel() for ax in single.axes[:3]] == [
        "trial",
        "measurements judged",
        "share of the variance of the mean of value",
    ]
    assert several.axes[0].get_xlabel() == "← loss (minimize)"
    assert re.match(r"one: \d+ complete, \d failed", single._suptitle.get_text())


def test_axes_and_results_are_taken(url):
    figure, (left, right) = pyplot.subplots(1, 2)
    result = locbo.minimize(lambda x: x * x, {"x": Float(-1, 1)}, trials=6, seed=1, store=url)
    assert figures.history(result, ax=left) is left and figures.slice(result, "x", ax=right) is right
    assert left.lines and right.lines


def test_a_dark_ground_has_light_colours(url):
    study = fill(locbo.create(url, "dark", {"x": Float(0, 1)}, seed=1), lambda x: x, 3)
    light = labelled(figures.history(study), "best so far").get_color()
    with pyplot.style.context("dark_background"):
        assert labelled(figures.history(study), "best so far").get_color() != light


def test_wrong_words_are_refused(url):
    study, optimizer = one(url, 3), Optimizer(SPACE)
    for call, message in (
        (lambda: figures.history(study, "loss"), "there is no output 'loss'; the outputs are value"),
        (lambda: figures.slice(study, "z"), "there is no parameter 'z' to draw along; choose one of x, lr, mode"),
        (
            lambda: figures.slice(study, "x", at="worst"),
            "at must be 'recommended', 'best', a trial or a point, got 'worst'",
        ),
        (lambda: figures.slice(study, "x", at=99), "at: there is no trial 99"),
        (lambda: figures.contour(study, "x", "x"), "a contour takes two parameters, got 'x' twice"),
        (lambda: figures.history(optimizer), "it needs a Study or a Result, got Optimizer"),
    ):
        with pytest.raises(locbo.ArgumentError, match=re.escape(message)):
            call()
    assert pyplot.get_fignums() == []


def test_without_matplotlib_the_error_says_what_to_install():
    code = "import sys; sys.modules['matplotlib'] = None\nimport locbo\nfrom locbo import html\nimport locbo.figures"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: the figures of locbo need matplotlib") and "python3-matplotlib" in last


# ---- notebooks


def is_safe(text):
    """No script, no handler, nothing from elsewhere; the tags are closed."""
    assert not re.search(r"<script|javascript:|\son\w+=|https?:|<img|<link", text, re.IGNORECASE)
    for tag in ("div", "table", "tr", "td", "th", "svg", "b"):
        assert len(re.findall(f"<{tag}[ >]", text)) == text.count(f"</{tag}>")
    return True


def plain(text):
    return re.sub(r"<[^>]*>", "\n", text).replace("&nbsp;", " ")


def test_a_study_in_a_notebook(url):
    study = one(url, 12)
    shown, chosen = study._repr_html_(), study.recommend()
    words = plain(shown)
    assert is_safe(shown) and "Study one" in words and "11 complete, 1 failed (value: minimize)" in words
    assert f"Best measured: {study.best().value:.5g} (trial {study.best().trial})" in words
    assert f"f lies between {chosen.low:.5g} and {chosen.high:.5g} with probability 80 %" in words
    assert f"{study.summary().coverage:.2f} of {study.summary().judged} measurements lay in the set" in words
    last = study.records()[-1]
    assert f"\n{last.number}\n" in words and f"{last.params['lr']:.6g}" in words
    study.stop("Enough <b>now</b>")
    assert "Stopped: Enough &lt;b&gt;now&lt;/b&gt;" in study._repr_html_()


def test_why_an_interval_is_withheld(url):
    few = fill(locbo.create(url, "few", {"x": Float(0, 1)}, seed=1), lambda x: x, 3)
    assert "the interval of f is withheld: there are fewer than 5 results" in few._repr_html_()
    without = fill(locbo.create(url, "without", {"x": Float(0, 1)}, method="random", seed=1), lambda x: x, 8)
    assert "the interval of f is withheld: the method random has no model" in without._repr_html_()
    assert "withheld: there are fewer than 5 results, or there is no model" in few.recommend()._repr_html_()
    assert "There is no result yet" in locbo.create(url, "empty", {"x": Float(0, 1)})._repr_html_()


def test_several_objectives_in_a_notebook(url):
    study = two(url, 12)
    shown = study._repr_html_()
    front = study.front()
    assert (
        is_safe(shown) and f"Measured front: {len(front)} point" in shown and f"{front[0].values['gain']:.5g}" in shown
    )
    assert "Recommended" not in shown


def test_a_result_in_a_notebook(url):
    result = locbo.minimize(
        lambda x, n: (x - 0.3) ** 2 + n, {"x": Float(0, 1), "n": Int(0, 3)}, trials=8, seed=1, store=url
    )
    shown = result._repr_html_()
    assert is_safe(shown) and shown.count("<circle") == 8 and "Ended: all trials are complete" in plain(shown)
    assert f"{result.params['x']:.6g}" in shown and f"{result.value:.5g}" in shown
    assert is_safe(result.best._repr_html_()) and f"trial {result.best.trial})" in result.best._repr_html_()
    outputs = {"a": "minimize", "b": "minimize"}
    several = locbo.minimize(lambda x: {"a": x, "b": -x}, {"x": Float(0, 1)}, trials=6, seed=1, outputs=outputs)
    assert is_safe(several._repr_html_()) and "Measured front: 6 points" in several._repr_html_()


def test_texts_of_the_user_are_escaped(url):
    bad = "<script>alert('x')</script>"
    space = Space({bad: Choice(bad, "b & c"), "x": Float(0, 1)})
    study = locbo.create(url, bad, space, seed=1, outputs={bad + "1": "minimize"})
    for _ in range(6):
        trial = study.ask()
        study.tell(trial, {bad + "1": trial.params["x"]})
    for shown in (study._repr_html_(), study.best()._repr_html_(), space._repr_html_(), html.history_picture(study)):
        assert is_safe(shown) and "&lt;script&gt;" in shown
    figures.slice(study, bad).figure.canvas.draw()
    figures.history(study).figure.canvas.draw()


def test_conditional_and_constrained_spaces_in_a_notebook(url):
    study = conditional(url, 8)
    assert is_safe(study._repr_html_()) and "not active" in study._repr_html_()
    assert "Constraints: a + b &lt;= 1" in Space(a=Float(0, 1), b=Float(0, 1), constraints=["a + b <= 1"])._repr_html_()
