"""A fidelity parameter, the cost of evaluations and a budget."""
import math
import pickle

import pytest

import locbo
from locbo import Bool, Float, Int, Space

SPACE = Space(x=Float(0, 1), epochs=Int(1, 27, log=True, fidelity=True), cost="2 * epochs")


def train(x, epochs):
    return (x - 0.3) ** 2 + 0.5 / epochs


def test_the_space_is_stored_and_read_back(url):
    study = locbo.create(url, "net", SPACE, budget=50)
    again = locbo.open(url, "net")
    assert again.space == SPACE and again.space.cost == "2 * epochs" and again.space.fidelity == "epochs"
    assert again.plan["budget"] == 50 and study.plan["budget"] == 50
    assert pickle.loads(pickle.dumps(SPACE)) == SPACE
    assert eval(repr(SPACE)) == SPACE  # noqa: S307
    assert SPACE != Space(x=Float(0, 1), epochs=Int(1, 27, log=True), cost="2 * epochs")
    assert "2 * epochs" in SPACE._repr_html_()
    assert Space(share=Float(0.1, 1, fidelity=True)).is_full({"share": 1})


def test_what_is_refused():
    with pytest.raises(locbo.ArgumentError, match="'a' is the fidelity already"):
        Space(a=Int(1, 3, fidelity=True), b=Int(1, 3, fidelity=True))
    with pytest.raises(locbo.ArgumentError, match="there is no parameter 'y'"):
        Space(x=Float(0, 1), cost="y")
    with pytest.raises(locbo.ArgumentError, match="'cost' goes into a dict"):
        Space(x=Float(0, 1), cost=Bool())
    assert list(Space({"cost": Bool()}, x=Float(0, 1))) == ["cost", "x"]
    with pytest.raises(locbo.ArgumentError, match="budget must be positive"):
        locbo.minimize(train, SPACE, budget=-1)


def test_a_budget_ends_a_run():
    result = locbo.minimize(train, SPACE, budget=150, seed=1)
    assert result.reason == "the budget is spent"
    assert result.params["epochs"] == 27 and result.best.params["epochs"] == 27
    records = result.study.records()
    spent = [2 * r.params["epochs"] for r in records]
    assert sum(spent) >= 150 > sum(spent[:-1])
    status = result.study.status()
    assert status.cost == sum(spent)
    assert status.cost_below == sum(s for s in spent if s < 54)
    assert status.best_value == min(r.values["value"] for r in records if r.params["epochs"] == 27)


def test_a_budget_of_one_run(url):
    study = locbo.create(url, "net", SPACE, seed=1)
    assert study.run(train, budget=60) == "the budget is spent"
    assert 60 <= study.status().cost < 60 + 54
    assert study.plan["budget"] is None
    with pytest.raises(locbo.NothingError, match="has its budget of 60, spent or under way"):
        study.ask(budget=60)
    assert study.ask(budget=1000).number == len(study.records())
    plain = locbo.create(url, "plain", {"x": Float(0, 1)}, seed=1)
    assert plain.run(lambda x: x, budget=1e-9) == "the budget is spent"  # of seconds
    assert math.isnan(plain.status().cost_below) and plain.status().cost > 0


@pytest.mark.parametrize("threads", [False, True])
def test_several_at_once_keep_to_the_budget_of_one_run(url, threads):
    study = locbo.create(url, "net", SPACE, method="random", seed=1)
    assert study.run(train, budget=600, jobs=4, threads=threads) == "the budget is spent"
    spent = [2 * r.params["epochs"] for r in study.records()]
    assert sum(spent) >= 600 > sum(spent[:-1])


def test_an_optimizer_in_memory():
    optimizer = locbo.Optimizer(SPACE, seed=1)
    for _ in range(8):
        trial = optimizer.ask()
        optimizer.tell(trial, train(**trial.params))
    assert optimizer.recommend().params["epochs"] == 27


def test_costs_are_told():
    optimizer = locbo.Optimizer(Space(x=Float(0, 1), epochs=Int(1, 27, log=True, fidelity=True)), seed=1)
    for _ in range(8):
        trial = optimizer.ask()
        optimizer.tell(trial, train(**trial.params))
        optimizer.tell_cost(trial, 3 * trial.params["epochs"])
    with pytest.raises(locbo.ArgumentError, match="cost"):
        optimizer.tell_cost(trial, -1)
    assert optimizer.recommend().params["epochs"] == 27


def test_the_best_so_far_is_at_full_fidelity(url):
    from locbo import views

    study = locbo.create(url, "net", SPACE, seed=1)
    for x, epochs, value in ((0.1, 3, -5), (0.2, 27, 2), (0.3, 9, -6), (0.4, 27, 1)):
        trial = study.enqueue({"x": x, "epochs": epochs})
        study.tell(trial, value)
    assert [value for _, value in views.best_so_far(study, study.records(), "value")] == [2, 1]
    assert study.best().value == 1
