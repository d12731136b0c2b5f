#!/usr/bin/python3
"""Optuna's NSGA-II as a method of an experiment file: program: /usr/bin/python3 experiments/nsga2.py

It speaks the protocol of docs/experiments.md ("Programs") on its standard input and output, for several objectives. The
sampler is that of Debian's package python3-optuna. The seed is set, and the population, which has 50 points by default,
more than half of the evaluations: it has as many points as the initial design, which is its first generation.
Constraints are those of the sampler: points that violate less dominate.
"""
import os
import sys
import warnings

# Python looks for modules beside the script first, and Optuna would find cmaes.py in place of that package.
sys.path = [path for path in sys.path if path != os.path.dirname(os.path.abspath(__file__))]
# The arrays are tiny, and several of these programs run at a time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

try:
    import optuna
except ImportError as missing:
    sys.exit(f"nsga2.py needs Debian's package python3-optuna, and /usr/bin/python3 ({missing})")


def read_numbers():
    return [float(word) for word in sys.stdin.readline().split()]


def main():
    words = sys.stdin.readline().split()
    dim, seed, initial, rounds = (int(word) for word in words[:4])
    objectives = words[4:].count("minimize")
    if objectives < 2:
        sys.exit("nsga2.py is for several objectives")
    space = {f"x{i}": optuna.distributions.FloatDistribution(0.0, 1.0) for i in range(dim)}

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.simplefilter("ignore")  # its constraints are experimental
    constraints = {} if objectives == len(words) - 4 else {"constraints_func": lambda trial: trial.user_attrs["limits"]}
    # its random numbers come from numpy's older generator, whose seeds have 32 bits
    sampler = optuna.samplers.NSGAIISampler(population_size=max(initial, 2), seed=seed % 2**32, **constraints)
    study = optuna.create_study(directions=["minimize"] * objectives, sampler=sampler)

    def tell(trial, outputs):
        trial.set_user_attr("limits", outputs[objectives:])
        study.tell(trial, outputs[:objectives])

    for _ in range(initial):
        numbers = read_numbers()
        study.enqueue_trial(dict(zip(space, numbers)))
        tell(study.ask(space), numbers[dim:])
    for _ in range(rounds):
        trial = study.ask(space)
        print(*(repr(float(trial.params[name])) for name in space), flush=True)
        tell(trial, read_numbers())


main()
