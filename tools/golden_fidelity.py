#!/usr/bin/env python3
"""Golden values for tests/unit/test_problem_fidelity.c, from the formulas of docs/experiments.md in 30 digits:

tools/golden_fidelity.py | clang-format > tests/golden/problem_fidelity_golden.h

Needs mpmath."""
import random

import mpmath as mp

mp.mp.dps = 30
HEIGHT = ["1", "1.2", "3", "3.2"]
A6 = [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
P6 = [[1312, 1696, 5569, 124, 8283, 5886], [2329, 4135, 8307, 3736, 1004, 9991],
      [2348, 1451, 3522, 2883, 3047, 6650], [4047, 8828, 8732, 5743, 1091, 381]]
A3 = [[3, 10, 30], [0.1, 10, 35], [3, 10, 30], [0.1, 10, 35]]
P3 = [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]]


def decimal(number):
    return mp.mpf(str(number))


def branin(x, s=1):
    b, c, t = decimal("5.1") / (4 * mp.pi**2) - decimal("0.1") * (1 - s), 5 / mp.pi, 1 / (8 * mp.pi)
    return (x[1] - b * x[0] ** 2 + c * x[0] - 6) ** 2 + 10 * (1 - t) * mp.cos(x[0]) + 10


def hartmann(x, heights, A, P):
    return -sum(h * mp.exp(-sum(decimal(a) * (v - decimal(p) / 10000) ** 2 for a, v, p in zip(row, x, centre)))
                for h, row, centre in zip(heights, A, P))


def hartmann6(x, s):
    heights = [decimal(h) for h in HEIGHT]
    heights[0] -= decimal("0.1") * (1 - s)
    return hartmann(x, heights, A6, P6)


def borehole(x, s):
    rw, r, tu, hu, tl, hl, length, kw = x
    ratio = mp.log(r / rw)
    inner = 2 * length * tu / (ratio * rw**2 * kw) + tu / tl
    if s == 2:
        return 2 * mp.pi * tu * (hu - hl) / (ratio * (1 + inner))
    return 5 * tu * (hu - hl) / (ratio * (decimal("1.5") + inner))


def currin(x, s):
    def high(a, b):
        factor = 1 - mp.exp(-1 / (2 * b)) if b > 0 else 1
        return factor * (2300 * a**3 + 1900 * a**2 + 2092 * a + 60) / (100 * a**3 + 500 * a**2 + 4 * a + 20)

    if s == 2:
        return high(*x)
    by = decimal("0.05")
    return sum(high(x[0] + i * by, max(x[1] + j * by, 0)) for i in (-1, 1) for j in (-1, 1)) / 4


def branin_against(x, s):
    return (2 * s - 1) * branin(x) + 100 * (1 - s)


def hartmann3_against(x, s):
    value = hartmann(x, [decimal(h) for h in HEIGHT], A3, P3)
    return value if s == 2 else -4 - value


def training(x, s, crossing):
    rate, momentum, width, decay, dropout = x
    pace = rate + momentum
    off = ((pace + decimal("0.6")) ** 2 / 4 + decimal("0.15") * (momentum - 1) ** 2 + (width - 8) ** 2 / 20
           + decimal("0.06") * (decay + decimal("3.5") - (8 - width) / 5) ** 2 + 3 * (dropout - decimal("0.2")) ** 2)
    end = decimal("0.9") - decimal("0.86") * mp.exp(-off)
    power = mp.mpf(1)
    if crossing:
        power = decimal("0.4") + 2 / (1 + mp.exp(-3 * (pace - decimal("0.1"))))
        power *= (1 - decimal("0.06") * (width - 8)) * (1 - (dropout - decimal("0.2")) / 2)
    last = mp.mpf(81) ** -power
    return end + (decimal("0.9") - end) * (mp.mpf(s) ** -power - last) / (1 - last)


HOLE = ([0.05, 100, 63070, 990, 63.1, 700, 1120, 9855], [0.15, 50000, 115600, 1110, 116, 820, 1680, 12045])
TRAINED = ([-4, 0, 4, -6, 0], [0, 2, 9, -1, 0.5])
PROBLEMS = {
    "branin-fidelity": (branin, [-5, 0], [10, 15], [0, 0.4, 1]),
    "hartmann6-fidelity": (hartmann6, [0] * 6, [1] * 6, [0, 0.4, 1]),
    "borehole8-fidelity": (borehole, *HOLE, [1, 2]),
    "currin-fidelity": (currin, [0, 0], [1, 1], [1, 2]),
    "branin-against": (branin_against, [-5, 0], [10, 15], [0, 0.4, 1]),
    "hartmann3-against": (hartmann3_against, [0] * 3, [1] * 3, [1, 2]),
    "training-crossing": (lambda x, s: training(x, s, True), *TRAINED, [1, 2, 9, 80, 81]),
    "training-plain": (lambda x, s: training(x, s, False), *TRAINED, [1, 2, 9, 80, 81]),
}

print("/* problem_fidelity_golden.h - made by: tools/golden_fidelity.py | clang-format >\n * tests/golden/problem_fidelity_golden.h */")
print("static const struct golden_fidelity { const char *problem; double x[8], s, y; } golden_fidelity[] = {")
chance = random.Random(1)
for name, (function, low, high, levels) in PROBLEMS.items():
    for s in levels:
        x = [round(a + (b - a) * chance.random(), 4) for a, b in zip(low, high)]
        if name.startswith("training"):
            x[2] = round(x[2])
        y = function([decimal(v) for v in x], decimal(s))
        print(f'{{"{name}", {{{", ".join(map(str, x))}}}, {s}, {mp.nstr(y, 20)}}},')
print("};")
