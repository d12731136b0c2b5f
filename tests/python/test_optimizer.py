"""Optimizers in memory: spaces, results of every type, errors, pickles, threads, leaks."""
import copy
import math
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import locbo
from locbo import Bool, Choice, Float, Int, Optimizer, Output, Space

SPACE = Space(x=Float(-5, 10), lr=Float(1e-5, 1, log=True), n=Int(1, 12), mode=Choice("fast", "exact"), on=Bool())


def bowl(params):
    return (params["x"] - 2) ** 2 / 50 + (math.log10(params["lr"]) + 2) ** 2 / 9 + abs(params["n"] - 6) / 12


def played(rounds=12, **options):
    opt = Optimizer(SPACE, seed=3, **options)
    for _ in range(rounds):
        trial = opt.ask()
        opt.tell(trial, bowl(trial.params))
    return opt


def test_values_have_the_types_of_the_space():
    params = Optimizer(SPACE, seed=1).ask().params
    assert [type(v) for v in params.values()] == [float, float, int, str, bool]
    SPACE.check(params)


def test_choices_may_be_any_objects():
    def f():
        ...

    values = (None, 3, 2.5, "3.0", f, dict, (1, 2), True)
    opt = Optimizer(Space(c=Choice(*values)), method="random", seed=2)
    seen = [opt.ask().params["c"] for _ in range(200)]
    assert {repr(v) for v in seen} == {repr(v) for v in values}
    opt.add({"c": True}, 1.0)
    opt.add({"c": None}, 1.0)
    with pytest.raises(locbo.ArgumentError, match="parameter 'c': 1 is none of"):
        opt.add({"c": 1}, 1.0)


def test_many_at_once():
    opt = Optimizer(Space(x=Float(0, 1)), method="random", seed=1)
    trials = opt.ask(10000)
    assert [t.number for t in trials] == list(range(1, 10001))
    assert [t.number for t in opt.ask(numpy.int64(1))] == [10001]
    for wrong in (0, -1, 2**40):
        with pytest.raises(locbo.ArgumentError):
            opt.ask(wrong)
    assert opt.ask().number == 10002


def test_conditions_leave_out_what_is_not_active():
    space = Space(
        kernel=Choice("rbf", "poly"),
        degree=Int(2, 5, when={"kernel": "poly"}),
        gamma=Float(1e-3, 1, log=True, when={"kernel": ["rbf", "poly"]}),
    )
    opt = Optimizer(space, seed=1)
    for trial in opt.ask(30):
        assert ("degree" in trial.params) == (trial.params["kernel"] == "poly")
        assert "gamma" in trial.params


def test_constraints_hold():
    opt = Optimizer(Space(a=Float(0, 1), b=Float(0, 1), constraints=["a + b <= 1"]), seed=1)
    assert all(t.params["a"] + t.params["b"] <= 1 for t in opt.ask(20))


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Space(x=Float(1, 1)), "'x'"),
        (lambda: Space(x=Float(0, 1, log=True)), "'x'"),
        (lambda: Space(x=(0, 1)), r"parameter 'x': expected Float, Int, Bool or Choice, got \(0, 1\)"),
        (lambda: Space(x=Int(0.5, 2)), "whole numbers, got 0.5"),
        (lambda: Space(c=Choice("a", "a")), "twice"),
        (lambda: Space(x=Float(0, 1), constraints=["x + z < 1"]), "z"),
        (lambda: Space(x=Float(0, 1, when={"y": 1})), "'y', which there is not"),
        (lambda: Space(x=Float(0, 1, when={"y": 1, "z": 1})), "names one parameter"),
        (lambda: Optimizer({}), "parameter"),
        (lambda: Optimizer(SPACE, alpha=1.2), "alpha.*1.2"),
        (lambda: Optimizer(SPACE, nonsense=1), "nonsense"),
        (lambda: Optimizer(SPACE, direction="up"), "up"),
        (lambda: Optimizer(SPACE, outputs={"a": "up"}), "'up'"),
        (lambda: Output("minimize", at_most=3), "one of a goal"),
        (lambda: Optimizer(SPACE).ask(fixed={"z": 1}), "no parameter 'z'"),
        (lambda: Optimizer(SPACE).ask(fixed={"x": "1"}), "parameter 'x': expected a number, got '1'"),
        (lambda: Optimizer(SPACE).ask(fixed={"x": 11}), "'x'.*11"),
        (lambda: Optimizer(SPACE).ask(fixed={"n": 10**400}), "parameter 'n'"),
        (lambda: Optimizer(SPACE).ask(fixed={"on": 2}), "True or False, got 2"),
        (lambda: Optimizer(SPACE).ask(0), "^n must be a whole number from 1 to 10000, got 0$"),
        (lambda: Optimizer(SPACE).ask(-1), "^n must be a whole number from 1 to 10000, got -1$"),
        (lambda: Optimizer(SPACE).ask(10001), "^n must be a whole number from 1 to 10000, got 10001$"),
        (lambda: Optimizer(SPACE).ask(2**40), "^n must be .*, got 1099511627776$"),
        (lambda: Optimizer(SPACE).ask(1.5), "^n must be .*, got 1.5$"),
        (lambda: Optimizer(SPACE).ask(True), "^n must be .*, got True$"),
        (lambda: Optimizer(SPACE).tell(1, 0.5), "trial 1"),
        (lambda: Optimizer(SPACE).tell("1", 0.5), "expected a Trial or its number, got '1'"),
        (lambda: Optimizer(SPACE).tell(-1, 0.5), "got -1"),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises(locbo.LocboError, match=message) as caught:
        make()
    assert caught.value.status and "\n" not in caught.value.message


@pytest.mark.parametrize(
    "result, message",
    [
        (math.nan, "finite, got nan"),
        (math.inf, "finite, got inf"),
        (None, "got None"),
        ("0.3", "got '0.3'"),
        (True, "got True"),
        (10**400, "too large"),
        (1j, "got 1j"),
        ((1, 2, 3), r"\(number, sd\)"),
        ([], "needs a value"),
        ({"other": 1}, "no output 'other'"),
        ({}, "needs a value"),
        ((1, -1), "sd"),
        (numpy.array([]), "needs a value"),
        (numpy.nan, "finite"),
        (object(), "must be a number"),
        ([1, math.nan], "finite"),
    ],
)
def test_bad_results_are_refused_and_change_nothing(result, message):
    opt = Optimizer(SPACE, seed=1)
    trial = opt.ask()
    before = opt.save()
    with pytest.raises(locbo.ArgumentError, match=message):
        opt.tell(trial, result)
    assert opt.save() == before
    opt.tell(trial, 1.0)


@pytest.mark.parametrize(
    "result, told",
    [
        (1, 1),
        (0.5, 1),
        (numpy.float32(0.5), 1),
        (numpy.int64(3), 1),
        (numpy.array(0.5), 1),
        (numpy.array([0.5]), 1),
        ((0.5, 0.1), 1),
        ([0.5, 0.6, 0.7], 3),
        (numpy.array([0.5, 0.6]), 2),
        ([(0.5, 0.1), (0.6, 0.1)], 2),
        ({"value": 0.5}, 1),
        (2**70, 1),
    ],
)
def test_results_of_every_type(result, told):
    opt = Optimizer(SPACE, seed=1)
    opt.tell(opt.ask(), result)
    assert opt.best().results == told


def test_several_outputs():
    opt = Optimizer(
        SPACE,
        seed=1,
        outputs={"loss": "minimize", "speed": "maximize", "memory": Output(at_most=512), "note": "record"},
    )
    for _ in range(12):
        trial = opt.ask()
        opt.tell(
            trial,
            {
                "loss": bowl(trial.params),
                "speed": numpy.float64(trial.params["n"]),
                "memory": 100 * trial.params["n"],
                "note": None,
            },
        )
    front = opt.front()
    assert front and all(p.values["memory"] <= 512 for p in front)
    with pytest.raises(locbo.StateError):
        opt.best()
    beliefs = opt.predict([{"x": 0, "lr": 0.1, "n": 3, "mode": "fast", "on": True}] * 3)
    assert set(beliefs) == {"loss", "speed", "memory", "note"} and beliefs["loss"]["mean"].shape == (3,)
    with pytest.raises(locbo.ArgumentError, match="a result is a mapping, got 0.5"):
        opt.tell(opt.ask(), 0.5)


def test_predict_gives_arrays_and_changes_nothing():
    opt = played()
    before = opt.save()
    points = [{"x": x, "lr": 0.01, "n": 6, "mode": "fast", "on": False} for x in numpy.linspace(-5, 10, 7)]
    arrays, one = opt.predict(points), opt.predict(points[2])
    assert arrays["mean"].shape == (7,) and one.f_low < one.f_high
    assert arrays["mean"][2] == pytest.approx(one.mean, rel=1e-12)  # BLAS may round one point and seven differently
    assert opt.predict([])["mean"].shape == (0,)
    pandas = pytest.importorskip("pandas")
    assert numpy.array_equal(opt.predict(pandas.DataFrame(points))["mean"], arrays["mean"])
    assert opt.save() == before
    assert sum(opt.importance().values()) > 0.5


def test_pickles_continue_with_the_same_bits():
    opt = played()
    twin, other = pickle.loads(pickle.dumps(opt)), copy.deepcopy(opt)
    for _ in range(3):
        trials = [o.ask() for o in (opt, twin, other)]
        assert trials[0] == trials[1] == trials[2]
        for o in (opt, twin, other):
            o.tell(trials[0], bowl(trials[0].params))
    assert opt.save() == twin.save() == other.save()
    with pytest.raises(locbo.FormatError):
        twin.__setstate__({"space": SPACE, "outputs": {}, "state": "{}"})


def test_ask_many_fail_cancel():
    opt = Optimizer(SPACE, seed=1)
    a, b, c, d = opt.ask(4)
    assert [t.number for t in (a, b, c, d)] == [1, 2, 3, 4]
    opt.fail(a)
    opt.infeasible(b)
    opt.cancel(c)
    opt.tell(d.number, 1.0)
    s = opt.summary()
    assert (s.told, s.failed, s.infeasible, s.pending) == (1, 1, 1, 0)
    assert opt.ask(fixed={"mode": "exact"}).params["mode"] == "exact"


def test_maximize_is_minimize_of_the_negative():
    best = []
    for sign, direction in ((1, "minimize"), (-1, "maximize")):
        opt = Optimizer(SPACE, direction, seed=5)
        for _ in range(8):
            trial = opt.ask()
            opt.tell(trial, sign * bowl(trial.params))
        best.append(opt.best().params)
    assert best[0] == best[1]


def test_threads_take_turns():
    opt, seen, troubles = Optimizer(SPACE, method="random", seed=1), [], []

    def work():
        try:
            for _ in range(300):
                trial = opt.ask()
                opt.tell(trial, bowl(trial.params))
                seen.append(trial.number)
        except Exception as why:  # noqa: BLE001
            troubles.append(why)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not troubles and sorted(seen) == list(range(1, 1201)) and opt.summary().told == 1200


def test_other_threads_run_while_c_computes():
    opt, ticks, done = Optimizer({f"x{i}": Float(0, 1) for i in range(10)}, seed=1), [], threading.Event()
    for i in range(300):
        opt.add({f"x{k}": (i * 0.754877666 * (k + 1)) % 1 for k in range(10)}, (i * 0.31) % 1)

    def count():
        while not done.wait(0.001):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=count)
    thread.start()
    began = time.monotonic()
    opt.ask()
    ended = time.monotonic()
    done.set()
    thread.join()
    assert sum(began < t < ended for t in ticks) >= 3, (ended - began, len(ticks))


def test_a_child_of_fork_must_not_use_it():
    opt = Optimizer(SPACE, seed=1)
    child = os.fork()
    if child == 0:
        try:
            opt.ask()
        except locbo.StateError as why:
            os._exit(7 if "was made by process" in str(why) else 8)
        os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    opt.ask()


def test_ctrl_c_ends_a_computation():
    script = """
import locbo, signal, sys
opt = locbo.Optimizer({f"x{i}": locbo.Float(0, 1) for i in range(20)}, seed=1)
for i in range(900):
    opt.add({f"x{k}": (i * 0.754877666 * (k + 1)) % 1 for k in range(20)}, (i * 0.31) % 1)
saved = opt.save()
print("ready", flush=True)
try:
    opt.ask()
    print("asked")
except KeyboardInterrupt:
    print("interrupted", opt.save() == saved)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=300)
    assert out == "interrupted True\n" and process.returncode == 0


def test_memory_does_not_grow():
    """10^5 asks of method random; an optimizer keeps its trials, so there are many of them."""
    optimizers = 100 if not os.environ.get("SANITIZE") else 4
    sizes, references = [], sys.getrefcount(SPACE)
    for _ in range(optimizers):
        opt = Optimizer(SPACE, method="random", seed=1)
        for _ in range(1000):
            opt.tell(opt.ask(), 0.5)
        sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert sizes[-1] - sizes[len(sizes) // 4] < 2048 or os.environ.get(
        "SANITIZE"
    ), sizes  # kB; a lost trial would be 20 MB
    del opt
    assert sys.getrefcount(SPACE) == references


def test_any_name_is_a_parameter_and_order_counts():
    space = Space(self=Float(0, 1), parameters=Int(1, 3))
    assert list(space) == ["self", "parameters"]
    one, other = ({name: Float(0, 1) for name in names} for names in (("a b", "x"), ("x", "a b")))
    assert Space(one) != Space(other) and Space(one) == Space(one)
    for odd in (one, other, {"class": Float(0, 1), "constraints": Float(0, 1)}):
        assert list(eval(repr(Space(odd)))) == list(odd)


def test_choices_are_found_by_type_first():
    class Wide(float):  # as numpy 2 shows its numbers
        dtype, ndim = "float64", 0

        def __repr__(self):
            return f"np.float64({float(self)})"

        __str__ = float.__repr__

    assert Space(c=Choice(1, 1.0))["c"].to_number(1.0) == 1
    assert Space(c=Choice(True, False))["c"].to_number(numpy.False_) == 1
    assert Space(c=Choice(16, 32))["c"].to_number(32.0) == 1
    assert Choice(Wide(0.5), Wide(2))._texts == ["0.5", "2.0"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Float(0, 10**400),
        lambda: Float("a", 1),
        lambda: Int(0, math.nan),
        lambda: Output("minimize", scale=[0, 1]),
        lambda: Optimizer(Space(x=Float(0, 1))).importance("zz"),
        lambda: Optimizer(Space(x=Float(0, 1))).add({"x": 0.5}, 1.0, n=1.5),
        lambda: Optimizer(Space(x=Float(0, 1))).add({"x": 0.5}, 1.0, n=-1),
        lambda: locbo.maximize(len, {"x": Float(0, 1)}, outputs={"a": "maximize"}),
    ],
)
def test_what_is_wrong_is_an_argument_error(make):
    with pytest.raises(locbo.ArgumentError):
        make()


def test_a_child_of_fork_does_not_wait_for_a_thread_of_its_parent():
    opt, begun, end = Optimizer(Space(x=Float(0, 1))), threading.Event(), threading.Event()

    def hold():
        with opt._lock:
            begun.set()
            end.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    begun.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            opt.ask()
        except locbo.StateError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    end.set()
    thread.join()
