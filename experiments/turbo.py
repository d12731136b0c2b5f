#!/usr/bin/python3
"""TuRBO-1 as a method of an experiment file: program: /usr/bin/python3 experiments/turbo.py

It speaks the protocol of docs/experiments.md ("Programs") on its standard input and output, with batches.
Written from the description of Eriksson et al., "Scalable global optimization via local Bayesian
optimization" (2019): one trust region, a box around the best point whose sides are as the length scales of
a Gaussian process (Matern 5/2, a length scale for each parameter, maximum likelihood), and whose volume is
that of a cube of side L. Each batch is a Thompson sample over random points of the region. L doubles after
three batches that improve, halves after too many that do not, and below the smallest L a new region begins
with a design of its own. The initial points of the harness are the design of the first region.

To be fast with thousands of points it differs in two ways: length scales are fitted to the FIT_ROWS points
nearest to the best one, in few steps, from the better of where they were in the batch before and where they
began; with more than MANY_ROWS points there are at most 2000 candidates, the size up to which the authors'
code factorises exactly. With noise, which is what the fit says, the best point is that of the best posterior
mean, otherwise the one measured best; it is also the point that is recommended.
"""
import math
import os
import sys

# Python looks for modules beside the script first, and several of these programs run at a time.
sys.path = [path for path in sys.path if path != os.path.dirname(os.path.abspath(__file__))]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

try:
    import numpy as np
    from scipy.linalg import blas, cho_solve, lapack, solve_triangular
    from scipy.optimize import minimize
    from scipy.stats import qmc
except ImportError as missing:
    sys.exit(f"turbo.py needs Debian's packages python3-numpy and python3-scipy, and /usr/bin/python3 ({missing})")

L_FIRST, L_LEAST, L_MOST = 0.8, 2.0**-7, 1.6
SUCCESSES = 3
SIGNAL, NOISE, LENGTH = (0.05, 20.0), (5e-4, 0.2), (0.005, 2.0)  # variances, of values with variance 1; lengths
NOISY = 2e-3  # values have noise if the fitted variance is above this
FIT_ROWS, MANY_ROWS = 1000, 1000
FEW_ROWS, STEPS_FEW, STEPS = 300, 50, 10  # steps of a fit, to few rows and to more


# ---- the harness ------------------------------------------------------------------------------------


def read_numbers():
    return [float(word) for word in sys.stdin.readline().split()]


def evaluate(points):
    """A batch: all points are written before the first value is read."""
    for x in points:
        print(*(repr(float(c)) for c in x))
    sys.stdout.flush()
    return np.array([read_numbers()[0] for _ in points])


# ---- the model --------------------------------------------------------------------------------------


def scaled_distances(a, b, lengths):
    """Distances of the rows of two arrays in units of the length scales."""
    a, b = a / lengths, b / lengths
    squares = a @ (-2 * b).T
    squares += (a * a).sum(1)[:, None]
    squares += (b * b).sum(1)
    return np.sqrt(np.maximum(squares, 0, out=squares), out=squares)


def covariances(a, b, signal, lengths):
    """signal (1 + s + s^2/3) exp(-s), s = sqrt(5) times the distance; by blocks of rows, which stay in the cache."""
    k = scaled_distances(a, b, lengths)
    for at in range(0, len(k), 32):
        s = math.sqrt(5) * k[at:at + 32]
        k[at:at + 32] = signal * (1 + s + s * s / 3) * np.exp(-s)
    return k


def factor(k):
    """The lower Cholesky factor, with as little on the diagonal as it needs."""
    for jitter in (0, 1e-8, 1e-6, 1e-4, 1e-2):
        lower, info = lapack.dpotrf(k + jitter * np.eye(len(k)) if jitter else k, lower=True, clean=True)
        if info == 0:
            return lower
    raise ArithmeticError("the covariance matrix cannot be factorised")


class Model:
    """A Gaussian process with a constant mean over standardised values."""

    def __init__(self, dim):
        self.first = self.theta = np.log(np.r_[1.0, 0.005, np.full(dim, 0.5)])  # signal, noise, lengths
        self.bounds = np.log([SIGNAL, NOISE] + [LENGTH] * dim)

    signal = property(lambda self: math.exp(self.theta[0]))
    noise = property(lambda self: math.exp(self.theta[1]))
    lengths = property(lambda self: np.exp(self.theta[2:]))

    @staticmethod
    def loss(theta, x, y):
        """The negative log likelihood with the best constant mean, and its gradient."""
        n, (signal, noise), lengths = len(y), np.exp(theta[:2]), np.exp(theta[2:])
        r = scaled_distances(x, x, lengths)
        decay = np.exp(-math.sqrt(5) * r)
        k = signal * (1 + math.sqrt(5) * r + 5 / 3 * r * r) * decay
        lower = factor(k + noise * np.eye(n))
        one = cho_solve((lower, True), np.ones(n))
        alpha = cho_solve((lower, True), y)
        mean = alpha.sum() / one.sum()
        alpha -= mean * one
        inverse, _ = lapack.dpotri(lower, lower=True)
        inverse = np.tril(inverse) + np.tril(inverse, -1).T
        w = inverse - np.outer(alpha, alpha)  # the gradient by K, twice
        value = 0.5 * (y - mean) @ alpha + np.log(np.diag(lower)).sum()
        # d k / d log length_j = signal 5/3 (1 + sqrt(5) r) exp(-sqrt(5) r) (difference_j / length_j)^2
        m = w * (signal * 5 / 3 * (1 + math.sqrt(5) * r) * decay)
        z = x / lengths
        by_length = (m.sum(1)[:, None] * z * z).sum(0) - (z * (m @ z)).sum(0)
        return value, np.r_[0.5 * (w * k).sum(), 0.5 * noise * np.trace(w), by_length]

    def fit(self, x, y, best):
        """By maximum likelihood, from where it was; or from the first guess, if that is better: a fit to a few
        points may end where the likelihood of more is flat."""
        if len(y) > FIT_ROWS:
            near = np.argsort(scaled_distances(best[None], x, self.lengths)[0], kind="stable")[:FIT_ROWS]
            x, y = x[near], y[near]
        start = min((self.theta, self.first), key=lambda theta: self.loss(theta, x, y)[0])
        steps = STEPS_FEW if len(y) <= FEW_ROWS else STEPS
        found = minimize(self.loss, start, (x, y), "L-BFGS-B", True, bounds=self.bounds,
                         options={"maxiter": steps, "maxfun": 2 * steps})
        self.theta = np.clip(found.x, *self.bounds.T)

    def condition(self, x, y):
        """On all points: what predictions need."""
        self.x = x
        k = covariances(x, x, self.signal, self.lengths)
        k[np.diag_indices(len(y))] += self.noise
        self.lower = factor(k)
        one = cho_solve((self.lower, True), np.ones(len(y)))
        alpha = cho_solve((self.lower, True), y)
        self.mean = alpha.sum() / one.sum()
        self.alpha = alpha - self.mean * one

    def means(self, x):
        return self.mean + covariances(x, self.x, self.signal, self.lengths) @ self.alpha

    def draws(self, x, count, rng):
        """Joint samples of f at the points, a row each."""
        across = covariances(x, self.x, self.signal, self.lengths).T  # in the order of Fortran, as are those below
        v = solve_triangular(self.lower, across, lower=True, check_finite=False, overwrite_b=True)
        k = covariances(x, x, self.signal, self.lengths).T
        k = blas.dsyrk(-1.0, v, beta=1.0, c=k, trans=True, lower=True, overwrite_c=True)
        k[np.diag_indices(len(x))] += 1e-8 * self.signal
        return self.means(x) + (factor(k) @ rng.standard_normal((len(x), count))).T


# ---- a trust region ---------------------------------------------------------------------------------


class Region:
    def __init__(self, x, y, batch):
        dim = x.shape[1]
        self.x, self.y, self.side = x, y, L_FIRST
        self.model = Model(dim)
        self.successes = self.failures = 0
        self.most_failures = math.ceil(max(4 / batch, dim / batch))
        self.learn()

    def learn(self):
        """Fits the model, and finds the best point by it."""
        self.shift, self.spread = self.y.mean(), self.y.std() or 1.0
        y = (self.y - self.shift) / self.spread
        best = self.x[np.argmin(y)] if not hasattr(self, "centre") else self.centre
        self.model.fit(self.x, y, best)
        self.model.condition(self.x, y)
        judged = self.model.means(self.x) if self.model.noise > NOISY else y
        at = np.argmin(judged)
        self.centre, self.worth = self.x[at], self.shift + self.spread * judged[at]

    def box(self):
        """Its sides are as the length scales, its volume L^dim, but for what is cut off at the cube."""
        weights = self.model.lengths / self.model.lengths.mean()
        weights /= np.exp(np.log(weights).mean())
        half = weights * self.side / 2
        return np.clip(self.centre - half, 0, 1), np.clip(self.centre + half, 0, 1)

    def candidates(self, rng):
        """The centre with some coordinates moved, by a scrambled Sobol sequence."""
        dim = self.x.shape[1]
        count = min(100 * dim, 5000 if len(self.y) <= MANY_ROWS else 2000)
        low, high = self.box()
        sobol = qmc.Sobol(dim, scramble=True, seed=rng).random_base2(math.ceil(math.log2(count)))[:count]
        moved = rng.random((count, dim)) < min(20 / dim, 1)
        none = np.flatnonzero(~moved.any(1))
        moved[none, rng.integers(dim, size=len(none))] = True
        return np.where(moved, low + (high - low) * sobol, self.centre)

    def propose(self, count, rng):
        """The best candidate of each of several samples; none is taken twice."""
        points = self.candidates(rng)
        draws = self.model.draws(points, count, rng)
        chosen = []
        for draw in draws:
            draw[chosen] = np.inf
            chosen.append(int(np.argmin(draw)))
        return points[chosen]

    def add(self, x, y):
        best = self.y.min()
        better = y.min() < best - 1e-3 * abs(best)
        self.successes, self.failures = (self.successes + 1, 0) if better else (0, self.failures + 1)
        if self.successes == SUCCESSES:
            self.side, self.successes = min(2 * self.side, L_MOST), 0
        elif self.failures == self.most_failures:
            self.side, self.failures = self.side / 2, 0
        self.x, self.y = np.vstack([self.x, x]), np.r_[self.y, y]


def design(count, dim, rng):
    return qmc.LatinHypercube(dim, seed=rng).random(count)


def main():
    words = sys.stdin.readline().split()
    dim, seed, initial, rounds = (int(word) for word in words[:4])
    batch = max([1] + [int(word[6:]) for word in words[4:] if word.startswith("batch:")])
    rng = np.random.default_rng(seed)
    given = np.array([read_numbers() for _ in range(initial)])
    region, found = Region(given[:, :dim], given[:, dim], batch), []
    while rounds > 0:
        if region.side < L_LEAST:
            found.append((region.worth, region.centre))
            fresh, values = design(min(2 * dim, rounds), dim, rng), []
            for k in range(0, len(fresh), batch):
                values.append(evaluate(fresh[k:k + batch]))
            rounds -= len(fresh)
            region = Region(fresh, np.concatenate(values), batch)
            continue
        points = region.propose(min(batch, rounds), rng)
        region.add(points, evaluate(points))
        rounds -= len(points)
        region.learn()
    best = min(found + [(region.worth, region.centre)], key=lambda one: one[0])
    print(*(repr(float(c)) for c in best[1]), flush=True)


if __name__ == "__main__":
    main()
