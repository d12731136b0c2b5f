"""Studies of a database: created here, read by the program, and the other way round."""
import json
import math
import os
import subprocess

import pytest

import locbo
from locbo import Bool, Choice, Float, Int, Output, Space

PROGRAM = os.path.join(os.environ["BUILD"], "locbo")
SPACE = Space(
    x=Float(-5, 10),
    lr=Float(1e-5, 1, log=True),
    n=Int(1, 12),
    mode=Choice("fast", "exact"),
    k=Choice(16, 32, 64, ordered=True, log=True),
    on=Bool(),
    step=Float(0, 1, step=0.25),
    depth=Int(1, 5, when={"mode": "exact"}),
    constraints=["x + n <= 15"],
)


def program(url, *words):
    done = subprocess.run([PROGRAM, *words, "--db", url], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def bowl(x, n, **_):
    return (x - 2) ** 2 / 50 + abs(n - 6) / 12


def test_the_definition_comes_back_as_it_was(url):
    outputs = {
        "loss": Output("minimize", scale="log"),
        "time": Output("maximize", reference=3.0),
        "memory": Output(at_most=512.0),
        "share": Output(at_least=0.9, scale=(0.0, 1.0)),
        "base": Output(at_most=1.5, times_trial=1),
        "epochs": Output("record"),
        "cost": Output("record", of="loss + 0.1*time"),
    }
    made = locbo.create(url, "bread", SPACE, outputs=outputs, trials=60, timeout=2.5, seed=7, command=["./sim", "{x}"])
    study = locbo.open(url, "bread")
    assert study.space == made.space == SPACE
    assert {k: repr(v) for k, v in study.outputs.items()} == {k: repr(v) for k, v in outputs.items()}
    assert study.options["seed"] == "7" and study.command == ["./sim", "{x}"] and study.direction == "minimize"
    assert study.plan["trials"] == 60 and study.plan["timeout"] == 2.5 and study.plan["target"] is None
    assert locbo.studies(url) == ["bread"]
    with pytest.raises(locbo.StateError, match="bread"):
        locbo.create(url, "bread", SPACE)
    with pytest.raises(locbo.StateError, match="seed"):
        locbo.create(url, "bread", SPACE, outputs=outputs, seed=8, exist_ok=True)
    with pytest.raises(locbo.NotFoundError, match="bread"):
        locbo.open(url, "cake")


def test_ask_and_tell(url):
    study = locbo.create(url, "s", SPACE, seed=1)
    trial = study.ask(worker="me")
    assert (trial.number, trial.attempt) == (1, 1) and 0 < trial.seed < 2**31
    study.tell(trial, [(0.5, 0.1), 0.7])
    record = study.record(trial)
    assert record.state == "COMPLETE" and record.params == trial.params and record.worker == "me"
    assert record.results[0]["value"][:2] == (0.5, 0.1) and record.values["value"] == pytest.approx(0.6)
    failing, odd, late = study.ask(), study.ask(), study.ask()
    study.tell_failed(failing, "it burnt")
    study.tell_infeasible(odd)
    study.requeue(late, "retry")
    again = study.ask()
    assert again.number == late.number and again.attempt == 2 and again.retries == 1 and again.seed != late.seed
    study.beat(again)
    with pytest.raises(locbo.StateError):
        study.beat(late)
    assert study.record(failing).message == "it burnt"
    assert study.enqueue({"x": 3.0, "mode": "fast"}) == 5
    assert study.ask().params["x"] == 3.0
    assert study.ask(fixed={"n": 4}).params["n"] == 4
    states = study.status().states
    assert (states["COMPLETE"], states["FAILED"], states["INFEASIBLE"], states["RUNNING"]) == (1, 1, 1, 3)
    assert set(study.running()) == {again.number, 5, 6}


def test_trials_as_a_table(url):
    pandas = pytest.importorskip("pandas")
    study = locbo.create(url, "s", SPACE, seed=1, trials=6)
    assert list(study.trials)[:3] == ["state", "x", "lr"]
    study.run(bowl)
    table = study.trials
    assert isinstance(table, pandas.DataFrame) and len(table) == 6 and table["value"].notna().all()
    assert list(table.index) == [1, 2, 3, 4, 5, 6] and table["ended"].dt.tz is not None
    assert set(table.loc[table["mode"] == "fast", "depth"].isna()) <= {True}


def test_import(url):
    study = locbo.create(url, "s", Space(x=Float(0, 1)), seed=1)
    rows = [({"x": i / 10}, (i - 3) ** 2 / 100) for i in range(10)]
    assert (
        study.import_results([*rows, ({"x": 0.95}, locbo.Failed("too hot")), ({"x": 1}, locbo.Infeasible("no"))]) == 12
    )
    assert study.import_results(rows) == 0
    assert study.import_results(rows[:2], again=True) == 2
    assert study.best().params == {"x": 0.3}
    assert [r.message for r in study.records(["FAILED"])] == ["too hot"]
    with pytest.raises(locbo.ArgumentError, match="'x'.*2"):
        study.import_results([({"x": 2}, 1.0)])


def test_the_program_sees_it_and_the_other_way_round(url):
    study = locbo.create(url, "bread", SPACE, seed=1, trials=8)
    study.run(bowl)
    best = json.loads(program(url, "best", "-f", "json"))
    assert best["value"] == study.best().value
    assert len(json.loads(program(url, "trials", "-f", "json"))) == 8
    program(url, "alter", "--param", "x~float(-5,8)")
    assert study.ask(limit=20).params["x"] <= 8 and study.space["x"].high == 8  # it read the definition anew by itself
    program(url, "pause")
    with pytest.raises(locbo.PausedError):
        study.ask(limit=20)
    program(url, "resume")
    assert [c.kind for c in study.changes()] == ["alter", "pause", "resume"]


def test_changing_ones_mind(url):
    study = locbo.create(url, "s", Space(x=Float(0, 1), c=Choice("a", "b")), seed=1, trials=5)
    study.run(lambda x, c: x)
    study.retract(1, "a mistake")
    study.fail(2, "it was broken")
    study.note("watch this", 3, tags=["odd", "hot"])
    assert [r.state for r in study.records()][:2] == ["RETRACTED", "FAILED"]
    assert study.record(3).note == "watch this" and study.record(3).tags == ["hot", "odd"]
    wider = Space(x=Float(0, 2), c=Choice("a", "b", retired=["b"]), y=Float(0, 1, past=0.5))
    study.alter(wider, why="more room", alpha=0.1)
    assert study.space == wider and study.options["alpha"] == "0.1" and study.record(3).params["y"] == 0.5
    study.set_plan(trials=9, target=None)
    assert study.plan["trials"] == 9
    with pytest.raises(locbo.ArgumentError, match="no 'trails'"):
        study.set_plan(trails=3)
    study.rename("other")
    copy = study.copy(url, "copy")
    assert copy.space == wider and len(copy.records()) == len(study.records())
    study.stop("enough")
    with pytest.raises(locbo.StoppedError):
        study.ask()
    study.proceed()
    assert study.ask().params["c"] == "a"
    study.store.delete("copy")
    assert locbo.studies(url) == ["other"]
    assert study.changes()[0].author.count("@") == 1


def test_choices_of_other_types_need_the_space(url):
    space = Space(c=Choice(1, None, dict))
    locbo.create(url, "s", space, method="random", seed=1)
    assert {type(locbo.open(url).ask().params["c"]) for _ in range(5)} == {str}
    known = locbo.open(url, space=space)
    assert {known.ask().params["c"] for _ in range(30)} == {1, None, dict}
    known.enqueue({"c": dict})


def test_a_read_only_store_writes_nothing(url):
    locbo.create(url, "s", SPACE)
    study = locbo.open(url, read_only=True)
    with pytest.raises(locbo.LocboError):
        study.ask()
    assert study.status().trials == 0 and math.isnan(study.status().best_value)


def test_no_database():
    with pytest.raises(locbo.NotFoundError, match="none.db"):
        locbo.open("sqlite:/tmp/there/is/none.db")
    with pytest.raises(locbo.LocboError):
        locbo.open("mysql://localhost/x")


def test_objects_may_be_dropped_in_any_order(url):
    study = locbo.create(url, "s", SPACE, seed=1)
    store = study.store
    trial = study.ask()
    del store
    study.tell(trial, 1.0)
    del study
    for _ in range(20):
        one = locbo.open(url)
        locbo.open(one.store)
        one.best()
        del one


def test_numbers_of_numpy_name_a_trial(url):
    pytest.importorskip("pandas")
    study = locbo.create(url, "s", Space(x=Float(0, 1)), seed=1, trials=4)
    study.run(lambda x: x)
    assert study.record(study.trials["value"].idxmin()).number == study.best().trial
    study.retract(study.trials.index[0])
    assert study.record(1).state == "RETRACTED"


def test_states_may_come_in_any_form(url):
    study = locbo.create(url, "s", Space(x=Float(0, 1)), seed=1, trials=2)
    study.run(lambda x: x)
    for one in ("COMPLETE", ["COMPLETE"], iter(["COMPLETE"])):
        assert len(study.records(one)) == 2
    assert study.records(iter(["FAILED"])) == []


def test_rows_that_are_made_one_by_one_survive_an_alteration(url):
    study = locbo.create(url, "s", Space(x=Float(0, 1)), seed=1)
    locbo.open(url).alter({"x": Float(0, 2)})
    assert study.import_results(({"x": v / 10}, v) for v in range(5)) == 5
    locbo.open(url).alter({"x": Float(0, 3)})
    assert len(study.predict({"x": v} for v in (0.1, 0.2))["mean"]) == 2


def test_exist_ok_when_another_was_faster(url, monkeypatch):
    locbo.create(url, "s", Space(x=Float(0, 1)), seed=1)
    monkeypatch.setattr(locbo.Store, "__iter__", lambda self: iter([]))  # it looked before the other created it
    study = locbo.create(url, "s", Space(x=Float(0, 1)), seed=1, exist_ok=True, trials=3)
    assert study.plan["trials"] == 3


@pytest.mark.parametrize("name", ["trial", "state", "origin", "worker", "results", "asked", "note"])
def test_parameters_may_have_names_of_columns(url, name):
    pytest.importorskip("pandas")
    study = locbo.create(url, "s", {name: Float(0, 1)}, method="random", seed=1, trials=3)
    study.run(lambda params: params[name]) if name != "trial" else study.run(lambda trial: trial)
    assert list(study.trials.index) == [1, 2, 3]
    assert list(study.trials[name]) == [r.params[name] for r in study.records()]


def test_texts_that_c_cannot_have_are_refused(url):
    study = locbo.create(url, "s", Space(x=Float(0, 1)), seed=1)
    for wrong in (
        lambda: Space({"a\0b": Float(0, 1)}),
        lambda: Space(c=Choice("a\0", "b")),
        lambda: Space({"a\udcff": Float(0, 1)}),
        lambda: study.rename("\udcff"),
        lambda: locbo.create(url, 3, Space(x=Float(0, 1))),
    ):
        with pytest.raises(locbo.ArgumentError, match="must"):
            wrong()
    study.note(trial=0, tags="hot")


def test_the_mean_of_huge_values_is_finite(url):
    study = locbo.create(url, "s", Space(x=Float(0, 1)), seed=1)
    study.tell(study.ask(), [1e308, 1.5e308])
    assert study.record(1).values["value"] == pytest.approx(1.25e308)


def test_a_call_with_a_token_is_stored_once(url):
    study = locbo.create(url, "s", Space(x=Float(0, 1)), seed=1)
    trial = study.ask()
    for _ in range(2):
        with study.store.token(12345):
            study.tell(trial, 0.5)
    assert len(study.record(trial).results) == 1
    study.tell(trial, 0.5)
    assert len(study.record(trial).results) == 2
