#!/usr/bin/python3
"""CMA-ES as a method of an experiment file: program: /usr/bin/python3 experiments/cmaes.py

It speaks the protocol of docs/experiments.md ("Programs") on its standard input and output. The
strategy is that of Debian's package python3-cmaes with its own settings (population, weights,
learning rates), begun at the best of the initial points with a step of 0.3 of the cube. With batches
a generation is a whole number of them, at least as large as the package's own. It knows nothing of
noise, and that is the point: it is here to be compared with.

It recommends the best point that was measured, as the package's own examples do. The mean of the
final distribution, which averages noise out, would be the other choice. With some sixty
evaluations, which are fewer than ten generations, the distribution is still wide, and its mean
lies far from any point that was found good.
"""
import math
import os
import sys

# Python looks for modules beside the script first, and would find this file in place of the package.
sys.path = [path for path in sys.path if path != os.path.dirname(os.path.abspath(__file__))]
# The matrices are tiny, and several of these programs run at a time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

try:
    import numpy
    from cmaes import CMA
except ImportError as missing:
    sys.exit(f"cmaes.py needs Debian's package python3-cmaes, and /usr/bin/python3 ({missing})")


def read_numbers():
    """The next line of the harness; there is always one until we have written all our points."""
    return [float(word) for word in sys.stdin.readline().split()]


def write_point(x):
    """A point of the unit cube, in as many digits as it takes to read back the same numbers."""
    print(*(repr(float(c)) for c in x), flush=True)


def evaluate(points):
    """A batch: all points are written before the first value is read."""
    for x in points:
        write_point(x)
    return [read_numbers()[0] for _ in points]


def population(dim, batch):
    """The size of a generation: that of the package, 4 + 3 log(dim), rounded up to whole batches."""
    return batch * -(-(4 + int(3 * math.log(dim))) // batch)


def main():
    words = sys.stdin.readline().split()
    dim, seed, initial, rounds = (int(word) for word in words[:4])  # kinds may follow
    batch = max([1] + [int(word[6:]) for word in words[4:] if word.startswith("batch:")])
    if dim < 2:
        sys.exit("cmaes.py: python3-cmaes needs at least two parameters")
    *best, best_value = min((read_numbers() for _ in range(initial)), key=lambda line: line[-1])
    cube = numpy.array([[0.0, 1.0]] * dim)
    # its random numbers come from numpy's older generator, whose seeds have 32 bits
    strategy = CMA(mean=numpy.array(best), sigma=0.3, bounds=cube, seed=seed % 2**32,
                   population_size=population(dim, batch))
    generation = []
    while rounds > 0:
        # in the cube: the package draws again what is outside, and clips at last
        points = [strategy.ask() for _ in range(min(batch, rounds))]
        rounds -= len(points)
        for x, value in zip(points, evaluate(points)):
            if value < best_value:
                best, best_value = x, value
            generation.append((x, value))
        if len(generation) == strategy.population_size:
            strategy.tell(generation)
            generation = []  # what is left at the end is part of a generation, and is not told
    write_point(best)


main()
