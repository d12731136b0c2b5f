#!/usr/bin/python3
"""Optuna's TPE as a method of an experiment file: program: /usr/bin/python3 experiments/tpe.py

It speaks the protocol of docs/experiments.md ("Programs") on its standard input and output. The
sampler is that of Debian's package python3-optuna with its own settings; only the seed is set. The
initial points are added as finished trials. Integers are integers for it, and categories categories.
It recommends the best point that was measured, as a study of Optuna does.
"""
import os
import sys

# Python looks for modules beside the script first, and Optuna would find cmaes.py in place of that package.
sys.path = [path for path in sys.path if path != os.path.dirname(os.path.abspath(__file__))]
# The arrays are tiny, and several of these programs run at a time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

try:
    import optuna
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
except ImportError as missing:
    sys.exit(f"tpe.py needs Debian's package python3-optuna, and /usr/bin/python3 ({missing})")


class Parameter:
    """One parameter: its distribution, and its values as coordinates of the unit cube. The values of a
    parameter that is not real have equal parts of the unit interval."""

    def __init__(self, word):
        kind, *numbers = word.split(":")
        self.real = kind == "real"
        self.low = int(numbers[0]) if kind == "int" else 0
        if kind == "int":
            self.count = int(numbers[1]) - self.low + 1
            self.distribution = IntDistribution(self.low, int(numbers[1]))
        elif kind == "cat":
            self.count = int(numbers[0])
            self.distribution = CategoricalDistribution(list(range(self.count)))
        else:
            self.distribution = FloatDistribution(0.0, 1.0)

    def value(self, u):
        return u if self.real else self.low + min(int(u * self.count), self.count - 1)

    def coordinate(self, value):
        return float(value) if self.real else (value - self.low + 0.5) / self.count


def read_numbers():
    return [float(word) for word in sys.stdin.readline().split()]


def main():
    words = sys.stdin.readline().split()
    dim, seed, initial, rounds = (int(word) for word in words[:4])
    kinds = [word for word in words[4:] if not word.startswith("batch:")]  # it proposes one point at a time
    parameters = {f"x{i}": Parameter(word) for i, word in enumerate(kinds or ["real"] * dim)}
    space = {name: p.distribution for name, p in parameters.items()}

    def write_point(values):
        """In as many digits as it takes to read back the same numbers."""
        print(*(repr(p.coordinate(values[name])) for name, p in parameters.items()), flush=True)

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    # its random numbers come from numpy's older generator, whose seeds have 32 bits
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed % 2**32))
    for _ in range(initial):
        *u, y = read_numbers()
        values = {name: p.value(c) for (name, p), c in zip(parameters.items(), u)}
        study.add_trial(optuna.trial.create_trial(params=values, distributions=space, value=y))
    for _ in range(rounds):
        trial = study.ask(space)
        write_point(trial.params)
        study.tell(trial, read_numbers()[0])
    write_point(study.best_params)


main()
