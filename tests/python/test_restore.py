"""Trials that the caller stores: what one optimizer has asked, another one continues with."""
import json

import pytest

import locbo

SPACE = locbo.Space(x=locbo.Float(0, 1), n=locbo.Int(1, 9))


def value(params):
    return (params["x"] - 0.3) ** 2 + params["n"] / 9


@pytest.mark.parametrize("outputs", [None, {"loss": "minimize", "size": locbo.Output(at_most=5)}])
def test_a_copy_from_facts_continues(outputs):
    first, copy = (locbo.Optimizer(SPACE, outputs=outputs, seed=3) for _ in range(2))

    def result(params):
        return {"loss": value(params), "size": params["n"]} if outputs else value(params)

    for _ in range(12):
        trial = first.ask()
        stored = json.loads(json.dumps({"params": trial.params, **first.facts(trial)}))
        number = copy.restore(stored["params"], stored)
        assert number == trial.number
        first.tell(trial, result(trial.params))
        copy.tell(number, result(trial.params))
    assert copy.summary().judged == first.summary().judged > 0
    assert copy.summary().coverage == first.summary().coverage
    one, other = first.ask().params, copy.ask().params
    assert other["n"] == one["n"]
    assert other["x"] == pytest.approx(one["x"], abs=0.01)  # the copy's fit starts anew and ends near the other one


def test_without_facts_it_is_outstanding_and_not_judged():
    optimizer = locbo.Optimizer(SPACE, seed=1)
    number = optimizer.restore({"x": 0.5, "n": 3})
    assert number == 1 and optimizer.summary().pending == 1
    optimizer.tell(number, 0.5)
    assert optimizer.summary().told == 1 and optimizer.summary().judged == 0


def test_facts_of_other_outputs_are_refused():
    one, two = locbo.Optimizer(SPACE), locbo.Optimizer(SPACE, outputs={"a": "minimize", "b": "minimize"})
    trial = one.ask()
    with pytest.raises(locbo.ArgumentError, match="the facts are of 1 outputs, the optimizer has 2"):
        two.restore(trial.params, one.facts(trial))
    with pytest.raises(locbo.ArgumentError, match="'z'"):
        one.restore({"x": 0.5, "n": 3, "z": 1})
