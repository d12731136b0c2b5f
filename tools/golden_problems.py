#!/usr/bin/env python3
"""The optima in problems/functions.c and problems/shapes.c that have no closed form, in 40 digits:
tools/golden_problems.py"""
import mpmath as mp

mp.mp.dps = 40
PEAKS = [mp.mpf(h) for h in ("1", "1.2", "3", "3.2")]
A3 = [["3", "10", "30"], ["0.1", "10", "35"]] * 2
P3 = [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]]
A6 = [["10", "3", "17", "3.5", "1.7", "8"], ["0.05", "10", "17", "0.1", "8", "14"],
      ["3", "3.5", "1.7", "10", "17", "8"], ["17", "8", "0.05", "10", "0.1", "14"]]
P6 = [[1312, 1696, 5569, 124, 8283, 5886], [2329, 4135, 8307, 3736, 1004, 9991],
      [2348, 1451, 3522, 2883, 3047, 6650], [4047, 8828, 8732, 5743, 1091, 381]]

BUMP = ["0.25", "0.7", "0.4", "0.75", "0.6", "0.3"]
BOTTOM = ["0.8", "0.2", "0.7", "0.3", "0.3", "0.8"]


def hartmann(A, P):
    def f(*x):
        terms = (h * mp.exp(-sum(mp.mpf(a) * (t - mp.mpf(p) / 10**4) ** 2 for t, a, p in zip(x, A[i], P[i])))
                 for i, h in enumerate(PEAKS))
        return -mp.fsum(terms)
    return f


def camel(x, y):
    return (4 - mp.mpf("2.1") * x**2 + x**4 / 3) * x**2 + x * y + (4 * y**2 - 4) * y**2


def wave(x):
    return x * mp.sin(2 * x) + mp.cos(mp.pi * x)


def michalewicz(i):
    return lambda x: -mp.sin(x) * mp.sin(i * x**2 / mp.pi) ** 20


def styblinski(x):
    return (x**4 - 16 * x**2 + 5 * x) / 2


SHEKEL = [["4", "4"], ["1", "1"], ["8", "8"], ["6", "6"], ["3", "7"], ["2", "9"], ["5", "3"], ["8", "1"], ["6", "2"],
          ["7", "3.6"]]  # coordinates 1 and 3, 2 and 4
SHEKEL_WIDTH = [1, 2, 2, 4, 4, 6, 3, 7, 5, 5]


def shekel(*x):
    return -mp.fsum(1 / (mp.mpf(b) / 10 + sum((t - mp.mpf(c[i % 2])) ** 2 for i, t in enumerate(x)))
                    for c, b in zip(SHEKEL, SHEKEL_WIDTH))


def schwefel(x):
    return -x * mp.sin(mp.sqrt(x))


def borehole(rw, r, Tu, Hu, Tl, Hl, L, Kw):
    return 2 * mp.pi * (Hu - Hl) / (mp.log(r / rw) * (1 / Tu + 1 / Tl) + 2 * L / (rw**2 * Kw))


def piston(M, S, V0, k, P0, Ta, T0):
    a = P0 * S + mp.mpf("19.62") * M - k * V0 / S
    v = S / (2 * k) * (mp.sqrt(a**2 + 4 * k * P0 * V0 * Ta / T0) - a)
    return 2 * mp.pi * mp.sqrt(M / (k + S**2 * P0 * V0 * Ta / (T0 * v**2)))


def bump(t):
    """bump6 on the line from the bump (t = 0) to the bottom of the plain (t = 1): the gradient at a point is a sum of
    the directions to these two, so it vanishes only there. `apart` is their squared distance."""
    apart = sum((mp.mpf(p) - mp.mpf(c)) ** 2 for c, p in zip(BUMP, BOTTOM))
    return mp.mpf("0.05") * (1 - t) ** 2 * apart - 1 / (1 + t**2 * apart / mp.mpf("0.15") ** 2)


def stationary(f, start):
    """A zero of the gradient beside `start`, by Newton's method with differences in 60 digits."""
    n = len(start)
    with mp.workdps(60):
        unit = lambda i: tuple(int(i == k) for k in range(n))
        gradient = [lambda *x, i=i: mp.diff(f, x, unit(i)) for i in range(n)]
        first = start if n > 1 else (start[0], start[0] + mp.mpf(10) ** -8)
        root = mp.findroot(gradient if n > 1 else gradient[0], first, tol=mp.mpf(10) ** -50, maxsteps=100)
    return list(root) if n > 1 else [root]


def show(name, f, start):
    x = stationary(f, [mp.mpf(s) for s in start])
    print(f"{name:14} {mp.nstr(f(*x), 20):>24}  {{{', '.join(mp.nstr(c, 20) for c in x)}}}")


def lowest(f, low, high, cells=3000):
    """The best cell of a grid, for functions of one variable with many valleys."""
    return min((low + (high - low) * mp.mpf(k) / cells for k in range(cells + 1)), key=lambda t: float(f(t)))


show("hartmann3", hartmann(A3, P3), ["0.114614", "0.555649", "0.852547"])
show("hartmann6", hartmann(A6, P6), ["0.20169", "0.150011", "0.476874", "0.275332", "0.311652", "0.6573"])
show("camel", camel, ["0.0898", "-0.7126"])
show("wave", wave, [-lowest(lambda x: -wave(x), -5, 0)])
show("styblinski", styblinski, ["-2.9035"])
for i in range(1, 6):
    show(f"michalewicz {i}", michalewicz(i), [lowest(michalewicz(i), 0, mp.pi)])
show("bump6, on line", bump, ["0.001"])
t = stationary(bump, [mp.mpf("0.001")])[0]
print("bump6 at", ", ".join(mp.nstr(mp.mpf(c) + t * (mp.mpf(p) - mp.mpf(c)), 20) for c, p in zip(BUMP, BOTTOM)))
show("shekel4", shekel, ["4.0007", "4.0006", "3.9997", "3.9995"])
show("schwefel", schwefel, ["420.9687"])
# at a corner of the box: both are monotone in each parameter there
print("borehole8", mp.nstr(borehole(*map(mp.mpf, "0.05 50000 63070 990 63.1 820 1680 9855".split())), 20))
print("piston7", mp.nstr(piston(*map(mp.mpf, "30 0.02 0.002 5000 110000 290 360".split())), 20))
